/* How far long work is, in words. */
#ifndef STEMMA_PROGRESS_H
#define STEMMA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/*
 * Appends "9 of 191 MiB, 4 %, 30 MiB/s, 6 s left" after `ms` of work, or "12 of 300, 4 %, 6 s left" if it does not
 * count bytes. `total` is 0 if not known.
 */
void progress_add(struct strbuf *out, int64_t done, int64_t total, bool is_bytes, int64_t ms);

#endif
