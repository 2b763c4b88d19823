#include "tests/support/synthetic.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"

static void room(void **array, size_t *alloc, size_t count, size_t size)
{
    *array = array_room(*array, alloc, count + 1, size);
}

uint32_t synthetic_add(struct synthetic *s, const char *id, enum kind kind, enum status status,
                       int64_t at)
{
    void *memories = s->memory, *rows = s->row;
    room(&memories, &s->node_alloc, s->nodes, sizeof(*s->memory));
    room(&rows, &s->row_alloc, s->nodes, sizeof(*s->row));
    s->memory = memories;
    s->row = rows;
    s->row[s->nodes] = (int64_t)s->nodes + 1;
    s->memory[s->nodes] = (struct subgraph_memory){arena_strdup(&s->arena, id), kind, status, at};
    return s->nodes++;
}

void synthetic_link(struct synthetic *s, uint32_t from, uint32_t to, unsigned strokes)
{
    void *links = s->link;
    for (size_t i = 0; i < s->links; i++)
        if (s->link[i].from == from && s->link[i].to == to) {
            s->link[i].strokes |= strokes;
            return;
        }
    room(&links, &s->link_alloc, s->links, sizeof(*s->link));
    s->link = links;
    s->link[s->links++] = (struct synthetic_link){from, to, strokes};
}

void synthetic_fill(struct synthetic *s, struct random *r, uint32_t nodes, uint32_t links)
{
    static const enum kind kinds[] = {KIND_BELIEF, KIND_BELIEF, KIND_RAW, KIND_RAW, KIND_EPISODE};
    for (uint32_t i = 0; i < nodes; i++) {
        char id[32];
        enum kind kind = kinds[random_below(r, 5)];
        snprintf(id, sizeof(id), "%s:%u", kind_name(kind), i * 7919 % 1000);
        enum status status = (enum status)random_below(r, STATUS_COUNT);
        synthetic_add(s, id, kind, random_chance(r, 80) ? STATUS_ACTIVE : status,
                      random_below(r, 10));
    }
    for (uint32_t i = 0; i < links; i++) {
        uint32_t from = random_below(r, nodes), to = random_below(r, nodes);
        if (from > to && random_chance(r, 90)) {
            uint32_t lower = to;
            to = from;
            from = lower;
        }
        synthetic_link(s, from, to, 1u << random_below(r, STROKE_COUNT));
    }
}

static void unlink_all(struct synthetic *s, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < s->links;) {
        const struct synthetic_link *l = &s->link[i];
        if ((l->from >= from && l->from < to) || (l->to >= from && l->to < to))
            s->link[i] = s->link[--s->links];
        else
            i++;
    }
}

/*
 * Makes groups: similar memories between two others, or below one, or in a chain. Sometimes one of
 * them is made different, or comes into view only later.
 */
static void add_group(struct synthetic *s, struct random *r, uint32_t from, uint32_t to)
{
    uint32_t above = random_below(r, from), shape = random_below(r, 4);
    unsigned strokes = 1u << (shape == 3 ? STROKE_SUPERSEDES : random_below(r, STROKE_COUNT));
    unlink_all(s, from, to);
    for (uint32_t i = from; i < to; i++) {
        s->memory[i].kind = KIND_NOTE;
        s->memory[i].status = STATUS_SUPERSEDED;
        synthetic_link(s, shape < 2 || i == from ? above : i - 1, i,
                       random_chance(r, 95) ? strokes : strokes ^ 3u);
        if (shape == 0 || (shape >= 2 && i == to - 1))
            synthetic_link(s, i, to, strokes);
    }
    for (uint32_t i = random_below(r, 4); i-- > 0;) {
        uint32_t member = from + random_below(r, to - from), other = random_below(r, s->nodes);
        synthetic_link(s, other < from ? other : member, other < from ? member : other, strokes);
    }
    uint32_t other = random_below(r, s->nodes), last = from + 3 + random_below(r, 9);
    for (uint32_t i = from; other >= to && i < last && i < to; i++)
        synthetic_link(s, i, other, 1u << STROKE_EVIDENCE);
}

static void add_groups(struct synthetic *s, struct random *r)
{
    for (uint32_t from = 2, to; (to = from + 4 + random_below(r, 8)) < s->nodes; from = to + 1)
        if (random_chance(r, 60))
            add_group(s, r, from, to);
}

void synthetic_any(struct synthetic *s, struct random *r)
{
    uint32_t nodes = 3 + random_below(r, SYNTHETIC_MOST - 3);
    *s = (struct synthetic)SYNTHETIC_INIT;
    synthetic_fill(s, r, nodes, nodes / 2 + random_below(r, 2 * nodes));
    if (random_chance(r, 50))
        add_groups(s, r);
}

void synthetic_request(const struct synthetic *s, struct random *r, struct subgraph_request *w)
{
    *w = (struct subgraph_request)SUBGRAPH_REQUEST_INIT;
    w->focus = s->row[random_below(r, s->nodes)];
    w->show = (enum subgraph_show)(1 + random_below(r, 3));
    w->depth = random_chance(r, 70) ? DEPTH_UNLIMITED : random_below(r, 4);
    w->budget = 1 + random_below(r, random_chance(r, 50) ? 12 : 60);
    if (random_chance(r, 10))
        w->budget = SIZE_MAX;
    w->fan = random_below(r, 6);
    w->gather = random_chance(r, 70);
}

void synthetic_renumber(struct synthetic *s, struct random *r)
{
    for (uint32_t i = 0; i < s->nodes; i++)
        s->row[i] = (int64_t)i + 100;
    for (uint32_t i = s->nodes; i > 1; i--) {
        uint32_t k = random_below(r, i);
        int64_t row = s->row[i - 1];
        s->row[i - 1] = s->row[k];
        s->row[k] = row;
    }
}

void synthetic_release(struct synthetic *s)
{
    free(s->memory);
    free(s->row);
    free(s->link);
    arena_release(&s->arena);
}

uint32_t synthetic_node(const struct synthetic *s, int64_t row)
{
    for (uint32_t i = 0; i < s->nodes; i++)
        if (s->row[i] == row)
            return i;
    return UINT32_MAX;
}

unsigned synthetic_strokes(const struct synthetic *s, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < s->links; i++)
        if (s->link[i].from == from && s->link[i].to == to)
            return s->link[i].strokes;
    return 0;
}

/* The other end of a link of the node on that side, or UINT32_MAX if it is not such a link. */
static uint32_t other_end(const struct synthetic_link *l, uint32_t node, enum direction side)
{
    uint32_t own = side == ANCESTORS ? l->from : l->to;
    uint32_t other = side == ANCESTORS ? l->to : l->from;
    return own == node && other != node ? other : UINT32_MAX;
}

size_t synthetic_degree(const struct synthetic *s, uint32_t node, enum direction side)
{
    size_t degree = 0;
    for (size_t i = 0; i < s->links; i++)
        degree += other_end(&s->link[i], node, side) != UINT32_MAX;
    return degree;
}

/* In the order of adding, or if they are only counted in part, the last ones first. */
static struct subgraph_link *gather(const struct synthetic *s, struct arena *a, uint32_t node,
                                    enum direction side, size_t *count)
{
    struct subgraph_link *link = arena_array(a, s->links, sizeof(*link));
    *count = 0;
    for (size_t i = s->links; link && i-- > 0;) {
        uint32_t other = other_end(&s->link[i], node, side);
        if (other != UINT32_MAX)
            link[(*count)++] =
                (struct subgraph_link){s->row[other], s->link[i].strokes, s->memory[other], 0};
    }
    return link;
}

static int by_order(const void *a, const void *b)
{
    return subgraph_link_order(a, b);
}

struct subgraph_link *synthetic_links(const struct synthetic *s, struct arena *a, uint32_t node,
                                      enum direction side, size_t *count)
{
    struct subgraph_link *link = gather(s, a, node, side, count);
    if (!link)
        abort();
    if (*count)
        qsort(link, *count, sizeof(*link), by_order);
    return link;
}

/* ---- the source ---- */

static int fail(struct synthetic *s, struct error *e)
{
    if (s->calls_left < 0 || s->calls_left-- > 0)
        return 0;
    return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
}

static int give_links(void *of, struct arena *arena, int64_t row, enum direction side, size_t most,
                      struct subgraph_links *out, struct error *e)
{
    struct synthetic *s = of;
    size_t count, of_kind[KIND_COUNT] = {0};
    *out = (struct subgraph_links){.count = 0};
    if (fail(s, e))
        return -1;
    struct subgraph_link *link = gather(s, arena, synthetic_node(s, row), side, &count);
    size_t bound = s->counted ? (most / s->counted + 1) * s->counted : count;
    out->bounded = bound < count;
    count = out->bounded ? bound : count;
    for (size_t i = 0, block = s->counted ? s->counted : count; i < count; i += block)
        qsort(link + i, count - i < block ? count - i : block, sizeof(*link), by_order);
    for (size_t i = 0; i < count; i++) {
        out->total[link[i].memory.kind]++;
        if (of_kind[link[i].memory.kind]++ < most)
            link[out->count++] = link[i];
    }
    out->link = link;
    return 0;
}

static int give_among(void *of, struct arena *arena, int64_t row, enum direction side,
                      const struct row_index *rows, size_t count, struct subgraph_ties *out,
                      struct error *e)
{
    struct synthetic *s = of;
    uint32_t node = synthetic_node(s, row);
    size_t all;
    *out = (struct subgraph_ties){.loop = synthetic_strokes(s, node, node)};
    if (fail(s, e))
        return -1;
    struct subgraph_link *link = gather(s, arena, node, side, &all);
    out->tie = arena_array(arena, all, sizeof(*out->tie));
    out->bounded = s->counted && all > s->counted;
    out->total = out->bounded ? s->counted : all;
    for (size_t i = 0; i < all; i++)
        if (row_index_find(rows, link[i].row) < count)
            out->tie[out->count++] = (struct subgraph_tie){link[i].row, link[i].strokes};
    for (size_t i = out->count; i > 1; i--) {
        uint32_t k = random_below(&s->random, (uint32_t)i);
        struct subgraph_tie tie = out->tie[i - 1];
        out->tie[i - 1] = out->tie[k];
        out->tie[k] = tie;
    }
    return 0;
}

static int give_memory(void *of, struct arena *arena, int64_t row, struct subgraph_memory *out,
                       struct error *e)
{
    struct synthetic *s = of;
    uint32_t node = synthetic_node(s, row);
    if (fail(s, e))
        return -1;
    if (node == UINT32_MAX)
        return error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)row);
    *out = s->memory[node];
    out->id = arena_strdup(arena, out->id);
    return 0;
}

struct subgraph_source synthetic_source(struct synthetic *s)
{
    return (struct subgraph_source){
        .of = s, .links = give_links, .among = give_among, .memory = give_memory};
}

/* ---- rendering ---- */

static void render_node(const struct synthetic *s, const struct subgraph_node *n,
                        struct strbuf *out)
{
    strbuf_addf(out, "%s sort %d kind %d status %d at %lld side %d of %s total %zu%s", n->id,
                (int)n->type, (int)n->kind, (int)n->status, (long long)n->at, (int)n->side,
                s->memory[synthetic_node(s, n->row)].id, n->total, n->total_bounded ? "+" : "");
    for (int side = 0; side < 2; side++)
        strbuf_addf(out, " hidden %zu%s", n->hidden[side], n->hidden_bounded[side] ? "+" : "");
    strbuf_addf(out, "%s%s%s:", n->opened ? " opened" : "", n->loop ? " loop" : "",
                n->on_circle ? " on a circle" : "");
    for (size_t i = 0; i < n->members; i++)
        strbuf_addf(out, " %s", s->memory[synthetic_node(s, n->member[i])].id);
    strbuf_addch(out, '\n');
}

void synthetic_render(const struct synthetic *s, const struct subgraph *subgraph,
                      struct strbuf *out)
{
    strbuf_clear(out);
    for (uint32_t i = 0; i < subgraph->nodes; i++)
        render_node(s, &subgraph->node[i], out);
    for (uint32_t i = 0; i < subgraph->edges; i++)
        strbuf_addf(out, "%u -> %u: %x\n", subgraph->edge[i].from, subgraph->edge[i].to,
                    subgraph->edge[i].strokes);
    for (size_t i = 0; i < subgraph->circles; i++) {
        strbuf_addstr(out, "circle");
        for (size_t k = subgraph->circle_first[i]; k < subgraph->circle_first[i + 1]; k++)
            strbuf_addf(out, " %u", subgraph->circle[k]);
        strbuf_addch(out, '\n');
    }
    strbuf_addstr(out, subgraph->partial ? "partial\n" : "whole\n");
}
