/*
 * Memories that a reader disbelieves for the moment. It answers as if they were retracted: labels, support, trust,
 * lineages and questions are those of the store without them. Nothing is written, and the rows themselves are read as
 * they are.
 *
 * Readers of several threads may share one. It has a loaded graph of its own (loaded.h), loaded when a query first
 * needs it; until then the labels of a few rows come from their surroundings, as in a store that was just opened.
 */
#ifndef STEMMA_DISBELIEF_H
#define STEMMA_DISBELIEF_H

#include <stdatomic.h>
#include "model/base/map.h"
#include "model/memory/memory.h"
#include "store/db/store.h"

struct graph_cache;

struct disbelief {
    struct row_set rows; /* constant */
    struct graph_cache *graph;
    atomic_size_t holders;
};

/* Held by the caller, who calls disbelief_release. */
struct disbelief *disbelief_new(const int64_t *rows, size_t count);
struct disbelief *disbelief_hold(struct disbelief *d); /* NULL is allowed */
void disbelief_release(struct disbelief *d);           /* NULL is allowed */

/* The status of a row as the reader believes it. */
enum status disbelief_status(const struct reader *r, int64_t row, enum status stored);

#endif
