#include "chain_reading.h"

#include <stdlib.h>
#include "../model/alloc.h"

struct chain_reading *chain_reading_make(struct reader *r, int64_t node, struct error *e)
{
    struct chain_reading *c = xcalloc(1, sizeof(*c));
    c->arena = (struct arena)ARENA_INIT;
    c->references = 1;
    if (chain_read(r, &c->arena, node, &c->chain, e) ||
        matrix_make(&c->matrix, &c->arena, &c->chain, e)) {
        chain_reading_drop(c);
        return NULL;
    }
    return c;
}

/* The chain's row, of itself or of a step; 0: it is neither. */
static int64_t chain_row(struct reader *r, struct arena *arena, int64_t node)
{
    struct memory_row row;
    struct error e;
    if (memory_row_read(r, arena, node, &row, &e))
        return 0;
    return row.ref.kind == KIND_CHAIN  ? node
           : row.ref.kind == KIND_STEP ? chain_of_step(r, node, &e)
                                       : 0;
}

struct chain_reading *chain_reading_at_once(struct reader *r, int64_t node)
{
    struct arena arena = ARENA_INIT;
    struct chain_brief brief;
    struct error e;
    int64_t chain = chain_row(r, &arena, node);
    bool small = chain > 0 && !chain_brief_read(r, &arena, chain, &brief, &e) &&
                 brief.steps <= CHAIN_STEPS_AT_ONCE && brief.sources <= CHAIN_SOURCES_AT_ONCE;
    arena_release(&arena);
    return small ? chain_reading_make(r, chain, &e) : NULL;
}

struct chain_reading *chain_reading_hold(struct chain_reading *c)
{
    c->references++;
    return c;
}

void chain_reading_drop(struct chain_reading *c)
{
    if (!c || --c->references > 0)
        return;
    arena_release(&c->arena);
    free(c);
}

size_t chain_step_of(const struct chain *c, int64_t node)
{
    for (size_t i = 0; i < c->step_count; i++)
        if (c->step[i].node == node)
            return i;
    return SIZE_MAX;
}

size_t chain_document_of(const struct chain *c, int64_t node)
{
    for (size_t i = 0; i < c->document_count; i++)
        if (c->document[i].node == node)
            return i;
    return SIZE_MAX;
}
