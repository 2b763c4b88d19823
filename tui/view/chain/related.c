/* Finds the chains that led to a memory or used it, and its original sources. */
#include "tui/view/chain/chain_views.h"

#include <stdlib.h>
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
    bool sources; /* search sources, else chains */
    bool users;   /* also search the users of documents */
    bool bounded;
    struct error *e;
};

static int add(struct seeking *s, int64_t row)
{
    if (s->found.count == RELATED_MAX)
        s->bounded = true;
    else
        row_index_add(&s->found, row);
    return 0;
}

static int add_users(struct seeking *s, int64_t document)
{
    struct document_use *use;
    size_t count;
    bool more;
    if (document_uses(s->r, s->arena, document, KIND_BIT(KIND_STEP), RELATED_MAX, &use, &count,
                      &more, s->e))
        return -1;
    s->bounded = s->bounded || more;
    for (size_t i = 0; i < count; i++)
        if (use[i].chain)
            add(s, use[i].chain);
    return 0;
}

/* Adds this row if it is of the wanted kind. */
static int visit(struct seeking *s, int64_t row, enum kind kind)
{
    if (s->sources)
        return kind_spec(kind)->is_source ? add(s, row) : 0;
    if (kind == KIND_STEP) {
        int64_t chain = chain_of_step(s->r, row, s->e);
        return chain < 0 ? -1 : chain == 0 ? 0 : add(s, chain);
    }
    return kind == KIND_CHAIN                  ? add(s, row)
           : kind == KIND_DOCUMENT && s->users ? add_users(s, row)
                                               : 0;
}

/* Visits all ancestors, without the memory itself. */
static int visit_ancestors(struct seeking *s, int64_t node)
{
    struct graph g;
    bool bounded = false;
    int failed =
        graph_load_surroundings(s->r, &g, &node, 1, ANCESTORS, RELATED_NODES, &bounded, s->e);
    if (failed)
        return -1;
    s->bounded = s->bounded || bounded;
    for (uint32_t i = 1; i < g.nodes && !failed; i++)
        failed = visit(s, graph_row(&g, i), (enum kind)g.kind[i]);
    graph_release(&g);
    return failed;
}

/* Visits documents made from a retrieval. */
static int visit_made(struct seeking *s, int64_t attribution)
{
    struct dependants made;
    int failed = 0;
    if (dependants_find(s->r, attribution, RELATED_MAX, &made, s->e))
        return -1;
    s->bounded = s->bounded || made.more;
    for (size_t i = 0; i < made.direct && !failed; i++) {
        struct memory_row row;
        failed = memory_row_read(s->r, s->arena, made.row[i], &row, s->e);
        if (!failed && row.ref.kind == KIND_DOCUMENT)
            failed = visit(s, made.row[i], KIND_DOCUMENT);
    }
    free(made.row);
    return failed;
}

static int seek(struct seeking *s, int64_t node)
{
    struct memory_row row;
    if (memory_row_read(s->r, s->arena, node, &row, s->e))
        return -1;
    enum kind kind = row.ref.kind;
    s->users = kind == KIND_DOCUMENT || kind == KIND_ATTRIBUTION || kind == KIND_CITATION;
    if (kind == KIND_ATTRIBUTION)
        return visit_made(s, node);
    bool itself = kind == KIND_CHAIN || kind == KIND_STEP || kind == KIND_DOCUMENT;
    return itself && !s->sources ? visit(s, node, kind) : visit_ancestors(s, node);
}

static int find(struct reader *r, struct arena *arena, int64_t node, struct related_memories *out,
                bool sources, struct error *e)
{
    struct seeking s = {
        .r = r, .arena = arena, .found = ROW_INDEX_INIT, .sources = sources, .e = e};
    int failed = reader_begin(r, e) ? -1 : reader_done(r, seek(&s, node) ? -1 : 0);
    *out = (struct related_memories){
        .row = arena_memdup(arena, s.found.row, s.found.count * sizeof(*out->row)),
        .count = failed ? 0 : s.found.count,
        .bounded = s.bounded};
    row_index_release(&s.found);
    return failed;
}

int related_chains(struct reader *r, struct arena *arena, int64_t node,
                   struct related_memories *out, struct error *e)
{
    return find(r, arena, node, out, false, e);
}

int related_sources(struct reader *r, struct arena *arena, int64_t node,
                    struct related_memories *out, struct error *e)
{
    return find(r, arena, node, out, true, e);
}
