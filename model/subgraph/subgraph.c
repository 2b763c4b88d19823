#include "model/subgraph/subgraph.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/layout/rows.h"
#include "model/memory/memory.h"
#include "model/subgraph/subgraph_build.h"

/* The strongest stroke; strokes are numbered from the weakest on. */
static int strength(unsigned strokes)
{
    return strokes ? 31 - __builtin_clz(strokes) : -1;
}

int subgraph_link_order(const struct subgraph_link *a, const struct subgraph_link *b)
{
    int x = strength(a->strokes), y = strength(b->strokes);
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (x != y)
        return x > y ? -1 : 1;
    if (a->memory.at != b->memory.at)
        return a->memory.at > b->memory.at ? -1 : 1;
    return strcmp(a->memory.id, b->memory.id);
}

static size_t counted(const struct seen_side *s)
{
    size_t total = 0;
    for (int kind = 0; s->counts && kind < KIND_COUNT; kind++)
        total += s->counts->total[kind];
    return total > s->total ? total : s->total;
}

static bool is_bounded(const struct seen_side *s)
{
    return s->bounded && (!s->counts || s->counts->bounded);
}

/* Counts further if all that was counted is in view, to know whether there is more. */
static int count_on(struct subgraph_build *b, uint32_t v, enum direction side, struct error *e)
{
    struct subgraph_links links;
    const struct seen_side *s = &b->seen[v].side[side];
    arena_clear(&b->scratch);
    return is_bounded(s) && counted(s) <= s->shown ? view_links(b, v, side, s->shown + 1, &links, e)
                                                   : 0;
}

/* Is anything hidden, even if a node stands for it? */
static bool hidden_any(const struct seen_side *s)
{
    return counted(s) > s->shown || is_bounded(s);
}

/* Counts further where needed, before the result is written. */
static int hidden_count(struct subgraph_build *b, struct error *e)
{
    for (uint32_t v = 0; v < b->count; v++)
        if (count_on(b, v, ANCESTORS, e) || count_on(b, v, DESCENDANTS, e))
            return -1;
    return 0;
}

/* The hidden neighbours that no node stands for. *bounded tells that there are more, and no node
 * shows it. */
static size_t hidden_neighbours(const struct seen_side *s, bool *bounded)
{
    size_t total = counted(s), known = s->shown;
    *bounded = is_bounded(s);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (!view_has_rest(s, (enum kind)kind))
            continue;
        known += view_unseen(s, (enum kind)kind);
        *bounded = false; /* the node of the rest shows it */
    }
    return total > known ? total - known : 0;
}

/* The maximum over the members. *bounded is also set if others may have different neighbours. */
static size_t hidden_neighbours_of_all(const struct subgraph_build *b, const uint32_t *member,
                                       size_t members, enum direction side, bool *bounded)
{
    size_t with = 0, most = 0;
    *bounded = false;
    for (size_t i = 0; i < members; i++) {
        bool more;
        size_t hidden = hidden_neighbours(&b->seen[member[i]].side[side], &more);
        with += hidden > 0;
        most = hidden > most ? hidden : most;
        *bounded |= more;
    }
    *bounded |= with > 1;
    return most;
}

/* ---- cycles ---- */

struct cycle_search {
    struct subgraph *s;
    struct rows out;                             /* edges by `from` */
    uint32_t *component, *size, *parent, *queue; /* [nodes] */
};

/* Finds a shortest way from `start` back to it, which must be on a cycle. Returns the last node
 * before `start`. */
static uint32_t find_way_back(struct cycle_search *c, uint32_t start)
{
    uint32_t count = 0;
    c->queue[count++] = start;
    for (uint32_t i = 0;; i++) {
        uint32_t v = c->queue[i];
        for (uint32_t k = c->out.first[v]; k < c->out.first[v + 1]; k++) {
            uint32_t to = c->s->edge[c->out.item[k]].to;
            if (to == start)
                return v;
            if (c->component[to] != c->component[start] || c->parent[to] != SEEN_NONE)
                continue;
            c->parent[to] = v;
            c->queue[count++] = to;
        }
    }
}

static void add_circle(struct cycle_search *c, uint32_t start)
{
    struct subgraph *s = c->s;
    size_t from = s->circle_first[s->circles], end = from, at;
    uint32_t last = find_way_back(c, start);
    for (uint32_t v = last; v != start; v = c->parent[v])
        end++;
    at = end + 1;
    for (uint32_t v = last; v != start; v = c->parent[v])
        s->circle[--at] = v;
    s->circle[from] = start;
    s->circle_first[++s->circles] = end + 1;
}

/* Finds one cycle for each component of several nodes, through its first node. */
static void subgraph_find_circles(struct subgraph *s, struct arena *scratch)
{
    struct cycle_search c = {.s = s};
    size_t nodes = s->nodes + (size_t)1;
    c.component = arena_array(scratch, nodes, sizeof(*c.component));
    c.size = arena_array(scratch, nodes, sizeof(*c.size));
    c.parent = arena_array(scratch, nodes, sizeof(*c.parent));
    c.queue = arena_array(scratch, nodes, sizeof(*c.queue));
    s->circle = arena_array(&s->arena, nodes, sizeof(*s->circle));
    s->circle_first = arena_array(&s->arena, nodes, sizeof(*s->circle_first));
    rows_make(&c.out, scratch, s->nodes, s->edges, &s->edge->from, sizeof(*s->edge));
    components_find(s->nodes, &c.out, &s->edge->to, sizeof(*s->edge), c.component);
    for (uint32_t v = 0; v < s->nodes; v++) {
        c.size[c.component[v]]++;
        c.parent[v] = SEEN_NONE;
    }
    for (uint32_t v = 0; v < s->nodes; v++) {
        uint32_t *size = &c.size[c.component[v]];
        s->node[v].on_circle = *size != 1;
        if (*size > 1)
            add_circle(&c, v);
        *size = *size == 1 ? 1 : 0; /* its cycle is written */
    }
}

/* The subgraph while it is written, and the node of each memory. */
struct writing {
    struct subgraph *s;
    struct subgraph_build *b;
    uint32_t *node_of; /* [b->count] */
    struct gathering g;
};

/* ---- the rest of a kind ---- */

static size_t count_rests(const struct subgraph_build *b)
{
    size_t rests = 0;
    for (uint32_t v = 0; v < b->count; v++)
        for (int side = 0; side < 2; side++)
            for (int kind = 0; b->seen[v].side[side].rest && kind < KIND_COUNT; kind++)
                rests += view_has_rest(&b->seen[v].side[side], (enum kind)kind);
    return rests;
}

/* Such an id cannot be the id of a memory, since no kind is named "more". */

void subgraph_add_rest_id(struct strbuf *out, enum direction side, enum kind kind, const char *id)
{
    strbuf_addf(out, "more:%s:%s:%s", side == ANCESTORS ? "based_on" : "used_by", kind_name(kind),
                id);
}

static const char *copy_id(struct arena *a, struct strbuf *id)
{
    const char *copy = arena_strdup(a, id->buf);
    strbuf_release(id);
    return copy;
}

static void add_edge(struct writing *w, uint32_t from, uint32_t to, unsigned strokes)
{
    if (from != to)
        w->s->edge[w->s->edges++] = (struct subgraph_edge){from, to, (uint8_t)strokes};
}

static int write_rest(struct writing *w, uint32_t v, enum direction side, enum kind kind,
                      struct error *e)
{
    struct subgraph_build *b = w->b;
    struct subgraph_link *link;
    size_t count;
    unsigned strokes = 0;
    arena_clear(&b->scratch);
    if (expansion_unseen(b, v, side, (int)kind, SUBGRAPH_MEMBERS, &link, &count, e))
        return -1;
    struct strbuf id = STRBUF_INIT;
    subgraph_add_rest_id(&id, side, kind, b->seen[v].memory.id);
    int64_t *member = arena_array(b->arena, count, sizeof(*member));
    for (size_t i = 0; i < count; i++) {
        member[i] = link[i].row;
        strokes |= link[i].strokes;
    }
    uint32_t n = w->s->nodes++;
    w->s->node[n] = (struct subgraph_node){.type = SUBGRAPH_MORE,
                                           .id = copy_id(b->arena, &id),
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
    struct subgraph_node *node = &w->s->node[n];
    *node = (struct subgraph_node){.type = ghost ? SUBGRAPH_MISSING : SUBGRAPH_MEMORY,
                                   .id = seen->memory.id,
                                   .row = seen->row,
                                   .kind = seen->memory.kind,
                                   .status = seen->memory.status,
                                   .at = seen->memory.at,
                                   .total = 1,
                                   .loop = seen->loop,
                                   .opened = seen->side[0].expanded || seen->side[1].expanded};
    for (int side = 0; side < 2; side++)
        node->hidden[side] = hidden_neighbours(&seen->side[side], &node->hidden_bounded[side]);
}

/* Its id is based on the last member, which stays when newer members are added or the first ones
 * removed. */
static void write_group(struct writing *w, const struct gathered *g)
{
    struct subgraph_build *b = w->b;
    const uint32_t *members = w->g.member + g->first;
    const struct seen *first = &b->seen[members[0]], *last = &b->seen[members[g->count - 1]];
    struct strbuf id = STRBUF_INIT;
    strbuf_addf(&id, "%s:%s", g->type == SUBGRAPH_CHAIN ? "chain" : "equivalent", last->memory.id);
    int64_t *member = arena_array(b->arena, g->count, sizeof(*member));
    struct subgraph_node *node = &w->s->node[w->s->nodes];
    *node = (struct subgraph_node){.type = g->type,
                                   .id = copy_id(b->arena, &id),
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
        node->hidden[side] = hidden_neighbours_of_all(b, members, g->count, (enum direction)side,
                                                      &node->hidden_bounded[side]);
}

/* A group has the place of its first member. */
static void write_nodes(struct writing *w)
{
    for (uint32_t v = 0; v < w->b->count; v++) {
        uint32_t group = w->g.of[v];
        if (group == SEEN_NONE)
            write_memory(w, v);
        else if (w->node_of[v] == SEEN_NONE)
            write_group(w, &w->g.group[group]);
    }
}

/* ---- edges ---- */

static int by_ends(const void *a, const void *b)
{
    const struct subgraph_edge *x = a, *y = b;
    return x->from != y->from ? COMPARE(x->from, y->from) : COMPARE(x->to, y->to);
}

static void finish_edges(struct subgraph *s)
{
    uint32_t copy_id = 0;
    SORT(s->edge, s->edges, by_ends);
    for (uint32_t i = 0; i < s->edges; i++) {
        if (copy_id && by_ends(&s->edge[copy_id - 1], &s->edge[i]) == 0)
            s->edge[copy_id - 1].strokes |= s->edge[i].strokes;
        else
            s->edge[copy_id++] = s->edge[i];
    }
    s->edges = copy_id;
}

/* ---- is anything hidden? ---- */

/* Collects all memories in view that can be reached from the focus on that side, in `queue`.
 * Returns their number. */
static uint32_t walk(const struct subgraph_build *b, enum direction side, bool *reached,
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

static void find_partial(struct subgraph *s, struct subgraph_build *b)
{
    arena_clear(&b->scratch);
    bool *reached = arena_array(&b->scratch, b->count, sizeof(*reached));
    uint32_t *queue = arena_array(&b->scratch, b->count, sizeof(*queue));
    for (int side = 0; side < 2; side++) {
        unsigned shown = side == ANCESTORS ? SHOW_ANCESTORS : SHOW_DESCENDANTS;
        uint32_t count =
            b->request->show & shown ? walk(b, (enum direction)side, reached, queue) : 0;
        for (uint32_t i = 0; i < count; i++) {
            s->partial |= hidden_any(&b->seen[queue[i]].side[side]);
        }
    }
}

static void make_room(struct writing *w)
{
    struct subgraph_build *b = w->b;
    size_t rests = count_rests(b);
    w->node_of = arena_array(b->arena, b->count, sizeof(*w->node_of));
    w->s->node = arena_array(b->arena, b->count + rests, sizeof(*w->s->node));
    w->s->edge = arena_array(b->arena, b->ties + rests, sizeof(*w->s->edge));
    memset(w->node_of, 0xff, b->count * sizeof(*w->node_of));
}

static int subgraph_write(struct subgraph *s, struct subgraph_build *b, struct error *e)
{
    struct writing w = {.s = s, .b = b};
    if (hidden_count(b, e))
        return -1;
    gather_all(b, &w.g);
    make_room(&w);
    write_nodes(&w);
    if (write_rests(&w, e))
        return -1;
    for (uint32_t t = 0; t < b->ties; t++)
        add_edge(&w, w.node_of[b->tie[t].end[DESCENDANTS]], w.node_of[b->tie[t].end[ANCESTORS]],
                 b->tie[t].strokes);
    finish_edges(s);
    find_partial(s, b);
    arena_clear(&b->scratch);
    subgraph_find_circles(s, &b->scratch);
    return 0;
}

static void init(struct subgraph_build *b, struct subgraph *s, const struct subgraph_request *w,
                 const struct subgraph_source *source)
{
    *s = (struct subgraph){.arena = ARENA_INIT};
    *b = (struct subgraph_build){.request = w,
                                 .source = source,
                                 .arena = &s->arena,
                                 .scratch = ARENA_INIT,
                                 .rows = ROW_INDEX_INIT,
                                 .first = ROW_INDEX_INIT};
    for (size_t i = 0; i < w->firsts; i++)
        row_index_add(&b->first, w->first[i]);
}

static void release(struct subgraph_build *b)
{
    arena_release(&b->scratch);
    row_index_release(&b->rows);
    row_index_release(&b->first);
    free(b->seen);
    free(b->tie);
}

int subgraph_make(struct subgraph *s, const struct subgraph_request *w,
                  const struct subgraph_source *source, struct error *e)
{
    struct subgraph_build b;
    init(&b, s, w, source);
    int result = rings_show(&b, e) || expand_single_rests(&b, e) ? -1 : 0;
    if (result == 0) {
        gather_mark(&b);
        result = expansions_show(&b, e) || subgraph_write(s, &b, e) ? -1 : 0;
    }
    release(&b);
    return result;
}

void subgraph_release(struct subgraph *s)
{
    arena_release(&s->arena);
    *s = (struct subgraph){.arena = ARENA_INIT};
}
