/* An edit that was refused because it read another version: what both say. */
#ifndef STEMMA_STALE_H
#define STEMMA_STALE_H

#include "command.h"

/* Writes what differs between the version that was expected and the present one, as far as that is known. `e`
 * is the refusal, and stays. */
void stale_print(struct invocation *i, const char *ref, int64_t expected, const struct error *e);

#endif
