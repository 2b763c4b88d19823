/*
 * Looking through memories for a piece of text, on the worker, a slice at a time: what filters a list
 * and finds in it. A memory matches by its text, tags, source, context or the beginning of its ref,
 * and by what lists of its kind show next to the text: an answer, a document's id, a place, a URI.
 */
#ifndef STEMMA_WIDGET_SCAN_H
#define STEMMA_WIDGET_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ui;

struct arena;
struct reader;
bool scan_matches(struct reader *r, struct arena *arena, int64_t node, const char *pattern);

/* Places in the nodes that match, ascending; called in the main thread, several times. */
typedef void (*scan_found)(void *arg, const uint32_t *places, size_t count, bool complete);

/*
 * Begins; `owner` has one scan at a time, a newer one replaces it, worker_cancel_owner ends it.
 * `nodes` is taken over (malloc). At most 2^32 nodes.
 */
void scan_start(struct ui *ui, const void *owner, int64_t *nodes, size_t count, const char *pattern,
                scan_found found, void *arg);

#endif
