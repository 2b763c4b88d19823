/* What a memory rests on, or carries: `stemma show --trace` and `--reverse`. */
#ifndef STEMMA_TRACE_H
#define STEMMA_TRACE_H

#include "store/lineage/tracing.h"
#include "tui/text/output.h"

/* For people: the memory, its history, and an outline in which a shared memory stands once. */
int trace_print(struct output *out, struct reader *r, const struct trace *t, struct error *e);

#endif
