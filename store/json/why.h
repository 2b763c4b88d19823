/* Why a memory does not stand, in one sentence for agents. */
#ifndef STEMMA_WHY_H
#define STEMMA_WHY_H

#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "store/lineage/subgraph.h"

/* Whether it is still told as valid: it was not replaced, did not expire or end, and has its support. */
static inline bool memory_holds(enum status status, enum label label)
{
    return label_stands(label) && status == STATUS_ACTIVE;
}

/*
 * Appends "unsupported: its source was retracted on 2026-11-20 by sean", "retracted on …",
 * "superseded by belief:1b2c3d4e on …" or "circular: …", as the reader's caller may see it; nothing for a memory that
 * holds. The text is not masked.
 */
int why_add(struct reader *r, struct arena *arena, int64_t row, enum status status,
            enum label label, struct strbuf *out, struct error *e);
/* The nearest memory whose end took the support of this one away, of several the one that ended last: its row, or 0 if
 * none ended. `author` is who ended it, in the arena, as far as the caller may know it. */
int why_source(struct reader *r, struct arena *arena, int64_t row, int64_t *source,
               struct author *author, struct error *e);

#endif
