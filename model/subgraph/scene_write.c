#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/subgraph/scene_build.h"
#include "model/base/strbuf.h"

/* The scene while it is written: which node stands for each memory. */
struct writing {
    struct scene *s;
    struct scene_build *b;
    uint32_t *node_of; /* [b->count] */
    struct gathering g;
};

/* ---- the rest of a kind ---- */

static size_t count_rests(const struct scene_build *b)
{
    size_t rests = 0;
    for (uint32_t v = 0; v < b->count; v++)
        for (int side = 0; side < 2; side++)
            for (int kind = 0; b->seen[v].side[side].rest && kind < KIND_COUNT; kind++)
                rests += view_has_rest(&b->seen[v].side[side], (enum kind)kind);
    return rests;
}

/* An id that no memory has, for no kind is called so. */
static const char *id_of(struct arena *a, const char *what, const char *more, const char *id)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addf(&out, "%s:%s%s", what, more, id);
    const char *copy = out.failed ? NULL : arena_strdup(a, out.buf);
    strbuf_release(&out);
    return copy;
}

static void add_edge(struct writing *w, uint32_t from, uint32_t to, unsigned strokes)
{
    if (from != to)
        w->s->edge[w->s->edges++] = (struct scene_edge){from, to, (uint8_t)strokes};
}

static int write_rest(struct writing *w, uint32_t v, enum direction side, enum kind kind,
                      struct error *e)
{
    struct scene_build *b = w->b;
    struct scene_link *link;
    size_t count;
    unsigned strokes = 0;
    arena_clear(&b->scratch);
    if (wishes_unseen(b, v, side, (int)kind, SCENE_MEMBERS, &link, &count, e))
        return -1;
    char more[64];
    snprintf(more, sizeof(more), "%s:%s:", side == ANCESTORS ? "rests_on" : "carries",
             kind_name(kind));
    int64_t *member = arena_array(b->arena, count, sizeof(*member));
    const char *id = id_of(b->arena, "more", more, b->seen[v].memory.id);
    if (!member || !id)
        return scene_no_memory(e);
    for (size_t i = 0; i < count; i++) {
        member[i] = link[i].row;
        strokes |= link[i].strokes;
    }
    uint32_t n = w->s->nodes++;
    w->s->node[n] = (struct scene_node){.sort = SCENE_MORE,
                                        .id = id,
                                        .row = b->seen[v].row,
                                        .kind = kind,
                                        .at = count ? link[0].memory.at : 0,
                                        .side = side,
                                        .member = member,
                                        .members = count,
                                        .total = view_unseen(&b->seen[v].side[side], kind),
                                        .total_bounded = b->seen[v].side[side].counts->bounded};
    add_edge(w, side == ANCESTORS ? w->node_of[v] : n, side == ANCESTORS ? n : w->node_of[v],
             strokes);
    return 0;
}

static int write_rests(struct writing *w, struct error *e)
{
    for (uint32_t v = 0; v < w->b->count; v++)
        for (int side = 0; side < 2; side++)
            for (int kind = 0; kind < KIND_COUNT; kind++)
                if (view_has_rest(&w->b->seen[v].side[side], (enum kind)kind) &&
                    write_rest(w, v, (enum direction)side, (enum kind)kind, e))
                    return -1;
    return 0;
}

/* ---- memories and groups ---- */

static void write_memory(struct writing *w, uint32_t v)
{
    const struct seen *seen = &w->b->seen[v];
    uint32_t n = w->node_of[v] = w->s->nodes++;
    bool ghost = seen->memory.status == STATUS_MISSING;
    struct scene_node *node = &w->s->node[n];
    *node = (struct scene_node){.sort = ghost ? SCENE_GHOST : SCENE_MEMORY,
                                .id = seen->memory.id,
                                .row = seen->row,
                                .kind = seen->memory.kind,
                                .status = seen->memory.status,
                                .at = seen->memory.at,
                                .total = 1,
                                .loop = seen->loop,
                                .opened = seen->side[0].wished || seen->side[1].wished};
    for (int side = 0; side < 2; side++)
        node->hidden[side] = hidden_beside(&seen->side[side], &node->hidden_bounded[side]);
}

/* It is called by its last member, which stays while newer ones come and the first are taken out. */
static int write_group(struct writing *w, const struct gathered *g, struct error *e)
{
    struct scene_build *b = w->b;
    const uint32_t *members = w->g.member + g->first;
    const struct seen *first = &b->seen[members[0]], *last = &b->seen[members[g->count - 1]];
    const char *id =
        id_of(b->arena, g->sort == SCENE_CHAIN ? "chain" : "twins", "", last->memory.id);
    int64_t *member = arena_array(b->arena, g->count, sizeof(*member));
    if (!id || !member)
        return scene_no_memory(e);
    struct scene_node *node = &w->s->node[w->s->nodes];
    *node = (struct scene_node){.sort = g->sort,
                                .id = id,
                                .row = first->row,
                                .kind = first->memory.kind,
                                .status = first->memory.status,
                                .at = first->memory.at,
                                .member = member,
                                .members = g->count,
                                .total = g->count};
    for (size_t i = 0; i < g->count; i++) {
        member[i] = b->seen[members[i]].row;
        w->node_of[members[i]] = w->s->nodes;
    }
    w->s->nodes++;
    for (int side = 0; side < 2; side++)
        if (hidden_beside_all(b, members, g->count, (enum direction)side, &node->hidden[side],
                              &node->hidden_bounded[side], e))
            return -1;
    return 0;
}

/* A group stands where the first of its members would. */
static int write_nodes(struct writing *w, struct error *e)
{
    for (uint32_t v = 0; v < w->b->count; v++) {
        uint32_t group = w->g.of[v];
        if (group == SEEN_NONE)
            write_memory(w, v);
        else if (w->node_of[v] == SEEN_NONE && write_group(w, &w->g.group[group], e))
            return -1;
    }
    return 0;
}

/* ---- edges ---- */

static int by_ends(const void *a, const void *b)
{
    const struct scene_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void finish_edges(struct scene *s)
{
    uint32_t kept = 0;
    if (s->edges)
        qsort(s->edge, s->edges, sizeof(*s->edge), by_ends);
    for (uint32_t i = 0; i < s->edges; i++) {
        if (kept && by_ends(&s->edge[kept - 1], &s->edge[i]) == 0)
            s->edge[kept - 1].strokes |= s->edge[i].strokes;
        else
            s->edge[kept++] = s->edge[i];
    }
    s->edges = kept;
}

/* ---- is it all? ---- */

/* Everything in view that the focus has on that side, be it far, as numbers in `queue`. */
static uint32_t walk(const struct scene_build *b, enum direction side, bool *reached,
                     uint32_t *queue)
{
    uint32_t count = 0;
    memset(reached, 0, b->count * sizeof(*reached));
    reached[0] = true;
    queue[count++] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t t = b->seen[queue[i]].side[side].first; t != SEEN_NONE;
             t = b->tie[t].next[side]) {
            uint32_t other = tie_other(&b->tie[t], side);
            if (!reached[other])
                queue[count++] = other;
            reached[other] = true;
        }
    return count;
}

static int find_partial(struct scene *s, struct scene_build *b, struct error *e)
{
    arena_clear(&b->scratch);
    bool *reached = arena_array(&b->scratch, b->count, sizeof(*reached));
    uint32_t *queue = arena_array(&b->scratch, b->count, sizeof(*queue));
    if (!reached || !queue)
        return scene_no_memory(e);
    for (int side = 0; side < 2; side++) {
        unsigned shown = side == ANCESTORS ? SCENE_RESTS_ON : SCENE_CARRIES;
        uint32_t count =
            b->wishes->show & shown ? walk(b, (enum direction)side, reached, queue) : 0;
        for (uint32_t i = 0; i < count; i++) {
            s->partial |= hidden_any(&b->seen[queue[i]].side[side]);
        }
    }
    return 0;
}

static int make_room(struct writing *w, struct error *e)
{
    struct scene_build *b = w->b;
    size_t rests = count_rests(b);
    w->node_of = arena_array(b->arena, b->count, sizeof(*w->node_of));
    w->s->node = arena_array(b->arena, b->count + rests, sizeof(*w->s->node));
    w->s->edge = arena_array(b->arena, b->ties + rests, sizeof(*w->s->edge));
    if (!w->node_of || !w->s->node || !w->s->edge)
        return scene_no_memory(e);
    memset(w->node_of, 0xff, b->count * sizeof(*w->node_of));
    return 0;
}

int scene_write(struct scene *s, struct scene_build *b, struct error *e)
{
    struct writing w = {.s = s, .b = b};
    if (hidden_count(b, e) || gather_all(b, &w.g, e) || make_room(&w, e) || write_nodes(&w, e) ||
        write_rests(&w, e))
        return -1;
    for (uint32_t t = 0; t < b->ties; t++)
        add_edge(&w, w.node_of[b->tie[t].end[DESCENDANTS]], w.node_of[b->tie[t].end[ANCESTORS]],
                 b->tie[t].strokes);
    finish_edges(s);
    if (find_partial(s, b, e))
        return -1;
    arena_clear(&b->scratch);
    return scene_find_circles(s, &b->scratch, e);
}
