/* The view of the reasoning behind a memory: the chains that led to it or used it, and its sources. */
#include "tui/view/chain/chain_views.h"

#include <string.h>
#include "model/base/map.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/document.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "store/record/get.h"

struct seeking {
    struct reader *r;
    struct arena *arena;
    struct row_index found;
    bool bounded;
    struct error *e;
};

static int add(struct seeking *s, int64_t row)
{
    if (s->found.count == BEHIND_MOST) {
        s->bounded = true;
        return 0;
    }
    row_index_add(&s->found, row);
    return 0;
}

/* Calls `each` for all that it rests on, itself left out. */
static int each_ancestor(struct seeking *s, int64_t node,
                         int (*each)(struct seeking *s, int64_t row, enum kind kind))
{
    struct graph g;
    bool bounded = false;
    int failed = graph_load_around(s->r, &g, &node, 1, ANCESTORS, BEHIND_NODES, &bounded, s->e);
    if (failed)
        return -1;
    s->bounded = s->bounded || bounded;
    for (uint32_t i = 1; i < g.nodes && !failed; i++)
        failed = each(s, graph_row(&g, i), (enum kind)g.kind[i]);
    graph_release(&g);
    return failed;
}

/* ---- chains ---- */

static int add_step(struct seeking *s, int64_t step)
{
    int64_t chain = chain_of_step(s->r, step, s->e);
    return chain < 0 ? -1 : chain == 0 ? 0 : add(s, chain);
}

static int add_chains_above(struct seeking *s, int64_t row, enum kind kind)
{
    return kind == KIND_CHAIN ? add(s, row) : kind == KIND_STEP ? add_step(s, row) : 0;
}

static int add_users(struct seeking *s, int64_t document)
{
    struct document_use *use;
    size_t count;
    bool more;
    if (document_uses(s->r, s->arena, document, KIND_BIT(KIND_STEP), BEHIND_MOST, &use, &count,
                      &more, s->e))
        return -1;
    s->bounded = s->bounded || more;
    for (size_t i = 0; i < count; i++)
        if (use[i].chain && add(s, use[i].chain))
            return -1;
    return 0;
}

static int add_users_above(struct seeking *s, int64_t row, enum kind kind)
{
    return kind == KIND_DOCUMENT ? add_users(s, row) : add_chains_above(s, row, kind);
}

/* The documents that were made of a retrieval, each given to `each`. */
static int each_made_of(struct seeking *s, int64_t attribution,
                        int (*each)(struct seeking *s, int64_t row))
{
    struct dependants made;
    struct arena arena = ARENA_INIT;
    int failed = 0;
    if (dependants_find(s->r, attribution, BEHIND_MOST, &made, s->e))
        return -1;
    s->bounded = s->bounded || made.more;
    for (size_t i = 0; i < made.direct && !failed; i++) {
        struct memory_row row;
        failed = memory_row_read(s->r, &arena, made.row[i], &row, s->e);
        if (!failed && row.ref.kind == KIND_DOCUMENT)
            failed = each(s, made.row[i]);
    }
    free(made.row);
    arena_release(&arena);
    return failed;
}

static int find_chains(struct seeking *s, int64_t node, enum kind kind)
{
    switch (kind) {
    case KIND_CHAIN:
        return add(s, node);
    case KIND_STEP:
        return add_step(s, node);
    case KIND_DOCUMENT:
        return add_users(s, node);
    case KIND_ATTRIBUTION:
        return each_made_of(s, node, add_users);
    case KIND_CITATION:
        return each_ancestor(s, node, add_users_above);
    default:
        return each_ancestor(s, node, add_chains_above);
    }
}

/* ---- sources ---- */

static int add_source(struct seeking *s, int64_t row, enum kind kind)
{
    return kind_spec(kind)->is_source ? add(s, row) : 0;
}

static int find_sources(struct seeking *s, int64_t node, enum kind kind)
{
    return kind == KIND_ATTRIBUTION ? each_made_of(s, node, add)
                                    : each_ancestor(s, node, add_source);
}

/* ---- either ---- */

static int find(struct reader *r, struct arena *arena, int64_t node, struct behind *out,
                int (*finds)(struct seeking *s, int64_t node, enum kind kind), struct error *e)
{
    struct seeking s = {.r = r, .arena = arena, .found = ROW_INDEX_INIT, .e = e};
    struct memory_row row;
    *out = (struct behind){0};
    if (reader_begin(r, e))
        return -1;
    int failed = memory_row_read(r, arena, node, &row, e) || finds(&s, node, row.ref.kind);
    reader_end(r);
    out->row = arena_memdup(arena, s.found.row, s.found.count * sizeof(*out->row));
    out->count = failed ? 0 : s.found.count;
    out->bounded = s.bounded;
    row_index_release(&s.found);
    return failed ? -1 : 0;
}

int behind_chains(struct reader *r, struct arena *arena, int64_t node, struct behind *out,
                  struct error *e)
{
    return find(r, arena, node, out, find_chains, e);
}

int behind_sources(struct reader *r, struct arena *arena, int64_t node, struct behind *out,
                   struct error *e)
{
    return find(r, arena, node, out, find_sources, e);
}
