/* Chooses the memories in view: rings around the focus, then expansions, within the budget. */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/subgraph/subgraph.h"
#include "model/subgraph/subgraph_build.h"

uint32_t view_find(const struct subgraph_build *b, int64_t row)
{
    size_t number = row_index_find(&b->rows, row);
    return number == ROW_NONE ? SEEN_NONE : (uint32_t)number;
}

static const struct seen_side NO_SIDE = {.depth = NOT_WALKED, .first = SEEN_NONE};

/* Brings a new memory into view. Copies its id. */
static uint32_t view_add(struct subgraph_build *b, int64_t row, const struct subgraph_memory *m)
{
    row_index_add(&b->rows, row);
    ARRAY_ROOM(b->seen, b->count, b->alloc, 1);
    struct seen *s = &b->seen[b->count];
    *s = (struct seen){.row = row, .memory = *m, .side = {NO_SIDE, NO_SIDE}, .group = SEEN_NONE};
    s->memory.id = arena_strdup(b->arena, m->id);
    return b->count++;
}

/* ---- ties ---- */

static void count_shown(struct subgraph_build *b, uint32_t v, enum direction side, uint32_t other)
{
    struct seen_side *s = &b->seen[v].side[side];
    s->shown++;
    if (s->counts)
        s->counts->shown[b->seen[other].memory.kind]++;
}

static void add_tie(struct subgraph_build *b, uint32_t from, uint32_t to, unsigned strokes)
{
    ARRAY_ROOM(b->tie, b->ties, b->tie_alloc, 1);
    uint32_t *above = &b->seen[from].side[ANCESTORS].first;
    uint32_t *below = &b->seen[to].side[DESCENDANTS].first;
    struct tie *t = &b->tie[b->ties];
    *t = (struct tie){.strokes = strokes};
    t->end[ANCESTORS] = to;
    t->end[DESCENDANTS] = from;
    t->next[ANCESTORS] = *above;
    t->next[DESCENDANTS] = *below;
    *above = *below = b->ties++;
    count_shown(b, from, ANCESTORS, to);
    count_shown(b, to, DESCENDANTS, from);
}

/* Adds the ties of `v` on one side to the first `count` memories in view. */
static int link_side(struct subgraph_build *b, uint32_t v, enum direction side, uint32_t count,
                     struct error *e)
{
    struct subgraph_ties ties;
    arena_clear(&b->scratch);
    if (b->source->among(b->source->of, &b->scratch, b->seen[v].row, side, &b->rows, count, &ties,
                         e))
        return -1;
    for (size_t i = 0; i < ties.count; i++) {
        uint32_t other = view_find(b, ties.tie[i].row);
        uint32_t from = side == ANCESTORS ? v : other, to = side == ANCESTORS ? other : v;
        add_tie(b, from, to, ties.tie[i].strokes);
    }
    b->seen[v].side[side].total = ties.total;
    b->seen[v].side[side].bounded = ties.bounded;
    b->seen[v].loop |= ties.loop;
    return 0;
}

/* Adds the ties of new memories: among new ones each tie from its dependent, and those to old
 * ones from both sides. */
static int view_link(struct subgraph_build *b, struct error *e)
{
    for (uint32_t v = b->linked; v < b->count; v++)
        if (link_side(b, v, ANCESTORS, b->count, e) || link_side(b, v, DESCENDANTS, b->linked, e))
            return -1;
    b->linked = b->count;
    return 0;
}

/* ---- kinds ---- */

size_t view_unseen(const struct seen_side *s, enum kind kind)
{
    const struct seen_counts *c = s->counts;
    return c && c->total[kind] > c->shown[kind] ? c->total[kind] - c->shown[kind] : 0;
}

bool view_has_rest(const struct seen_side *s, enum kind kind)
{
    return s->rest & KIND_BIT(kind) && view_unseen(s, kind) > 1;
}

static struct seen_counts *counts_of(struct subgraph_build *b, uint32_t v, enum direction side)
{
    struct seen_side *s = &b->seen[v].side[side];
    if (s->counts)
        return s->counts;
    s->counts = arena_alloc(b->arena, sizeof(*s->counts));
    for (uint32_t t = s->first; t != SEEN_NONE; t = b->tie[t].next[side])
        s->counts->shown[b->seen[tie_other(&b->tie[t], side)].memory.kind]++;
    return s->counts;
}

static int by_link_order(const void *a, const void *b)
{
    return subgraph_link_order(a, b);
}

/* Moves the rows that come first to the front, and keeps at most `most` of each kind. */
static void rank_links(const struct subgraph_build *b, struct subgraph_links *links, size_t most)
{
    size_t of_kind[KIND_COUNT] = {0}, kept = 0;
    size_t compared = links->count < SUBGRAPH_COMPARED ? links->count : SUBGRAPH_COMPARED;
    for (size_t i = 0; i < compared; i++) {
        size_t rank = row_index_find(&b->first, links->link[i].row);
        links->link[i].rank = (uint32_t)(rank == ROW_NONE ? b->first.count : rank);
    }
    SORT(links->link, compared, by_link_order);
    for (size_t i = 0; i < links->count; i++) {
        struct subgraph_link link = links->link[i];
        link.rank = i < compared ? link.rank : (uint32_t)b->first.count;
        if (of_kind[link.memory.kind]++ < most)
            links->link[kept++] = link;
    }
    links->count = kept;
}

int view_links(struct subgraph_build *b, uint32_t v, enum direction side, size_t most,
               struct subgraph_links *out, struct error *e)
{
    struct seen_counts *counts = counts_of(b, v, side);
    size_t wanted = most;
    if (b->first.count && most < SUBGRAPH_COMPARED)
        most = SUBGRAPH_COMPARED;
    if (b->source->links(b->source->of, &b->scratch, b->seen[v].row, side, most, out, e))
        return -1;
    if (b->first.count)
        rank_links(b, out, wanted);
    if (most >= counts->asked) {
        memcpy(counts->total, out->total, sizeof(out->total));
        counts->bounded = out->bounded;
        counts->asked = most;
    }
    return 0;
}

/* ---- removing from the view ---- */

static void keep_ties(struct subgraph_build *b, const uint32_t *now)
{
    uint32_t ties = b->ties;
    b->ties = 0;
    for (uint32_t t = 0; t < ties; t++) {
        struct tie was = b->tie[t];
        uint32_t from = now[was.end[DESCENDANTS]], to = now[was.end[ANCESTORS]];
        if (from != SEEN_NONE && to != SEEN_NONE)
            add_tie(b, from, to, was.strokes);
    }
}

static void forget_ties(struct seen *s)
{
    for (int side = 0; side < 2; side++) {
        s->side[side].first = SEEN_NONE;
        s->side[side].shown = 0;
        if (s->side[side].counts)
            memset(s->side[side].counts->shown, 0, sizeof(s->side[side].counts->shown));
    }
}

/* Removes all memories without `keep`, which may be in the scratch arena. The focus must have
 * it. */
static void view_keep(struct subgraph_build *b, const bool *keep)
{
    uint32_t *now = arena_array(&b->scratch, b->count, sizeof(*now)), kept = 0;
    row_index_clear(&b->rows);
    for (uint32_t v = 0; v < b->count; v++) {
        now[v] = keep[v] ? kept : SEEN_NONE;
        if (!keep[v])
            continue;
        b->seen[kept] = b->seen[v];
        forget_ties(&b->seen[kept]);
        row_index_add(&b->rows, b->seen[kept++].row); /* there is room, since it had more before */
    }
    b->count = b->linked = kept;
    keep_ties(b, now);
}

/* The most memories to visit only to extend chains. */
#define FOLLOWED 2000

/* A candidate for the next ring: a memory, or the rest of a kind with too many memories. */
struct candidate {
    struct subgraph_link link; /* for a rest: its first memory */
    uint32_t from;             /* the memory in view that it is a neighbour of */
    enum direction side;
    bool rest;
};

/* A memory in view whose links on that side belong to the lineage. */
struct reached {
    uint32_t v;
    enum direction side;
};

struct rings {
    struct subgraph_build *b;
    struct arena arena;    /* for the ids of the candidates */
    struct reached *reach; /* [reached] by depth */
    size_t reached, reach_alloc, opened;
    uint32_t depth; /* the depth of the ring of the candidates */
    struct candidate *candidate;
    size_t count, alloc, taken;
    size_t rests; /* the number of rests in view */
};

static int by_rank(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = subgraph_link_order(&x->link, &y->link);
    if (order == 0)
        order = (x->from > y->from) - (x->from < y->from);
    if (order == 0)
        order = (int)x->side - (int)y->side;
    return order ? order : (int)x->rest - (int)y->rest;
}

static void add_candidate(struct rings *r, struct candidate c)
{
    c.link.memory.id = arena_strdup(&r->arena, c.link.memory.id);
    *ARRAY_ADD(r->candidate, r->count, r->alloc) = c;
}

/* Adds candidates: all links of a kind, or the first ones and the rest, which is at least two. */
static void add_candidates(struct rings *r, uint32_t v, enum direction side,
                           const struct subgraph_links *links)
{
    size_t fan = r->b->request->fan, of_kind[KIND_COUNT] = {0};
    for (size_t i = 0; i < links->count; i++) {
        enum kind kind = links->link[i].memory.kind;
        size_t place = of_kind[kind]++;
        bool many = fan && links->total[kind] > fan;
        struct candidate c = {links->link[i], v, side, many && place == fan - 1};
        add_candidate(r, c);
    }
}

static int open_side(struct rings *r, uint32_t v, enum direction side, struct error *e)
{
    struct subgraph_build *b = r->b;
    struct subgraph_links links;
    size_t most = b->request->fan ? b->request->fan : b->request->budget;
    arena_clear(&b->scratch);
    b->seen[v].side[side].open = EVERY_KIND;
    if (view_links(b, v, side, most, &links, e))
        return -1;
    add_candidates(r, v, side, &links);
    return 0;
}

/* Candidates for the next ring. */
static int open_ring(struct rings *r, struct error *e)
{
    size_t end = r->reached;
    arena_clear(&r->arena);
    r->count = r->taken = 0;
    r->depth++;
    for (; r->opened < end; r->opened++)
        if (open_side(r, r->reach[r->opened].v, r->reach[r->opened].side, e))
            return -1;
    SORT(r->candidate, r->count, by_rank);
    return 0;
}

static void add_reached(struct rings *r, uint32_t v, enum direction side)
{
    struct seen_side *s = &r->b->seen[v].side[side];
    if (s->depth != NOT_WALKED)
        return;
    *ARRAY_ADD(r->reach, r->reached, r->reach_alloc) = (struct reached){v, side};
    s->depth = r->depth;
}

static void take(struct rings *r, const struct candidate *c)
{
    struct subgraph_build *b = r->b;
    if (c->rest) {
        b->seen[c->from].side[c->side].rest |= KIND_BIT(c->link.memory.kind);
        r->rests++;
        return;
    }
    uint32_t v = view_find(b, c->link.row);
    if (v == SEEN_NONE)
        v = view_add(b, c->link.row, &c->link.memory);
    add_reached(r, v, c->side);
}

/* Adds candidates until `limit` nodes are in view or there are no more. */
static int grow(struct rings *r, size_t limit, struct error *e)
{
    while (r->b->count + r->rests < limit) {
        if (r->taken == r->count) {
            if (r->opened == r->reached || r->depth == r->b->request->depth)
                return 0;
            if (open_ring(r, e))
                return -1;
        } else {
            take(r, &r->candidate[r->taken++]);
        }
    }
    return 0;
}

static int add_focus(struct rings *r, struct error *e)
{
    struct subgraph_build *b = r->b;
    struct subgraph_memory m;
    if (b->source->memory(b->source->of, &b->scratch, b->request->focus, &m, e))
        return -1;
    view_add(b, b->request->focus, &m);
    if (b->request->show & SHOW_ANCESTORS)
        add_reached(r, 0, ANCESTORS);
    if (b->request->show & SHOW_DESCENDANTS)
        add_reached(r, 0, DESCENDANTS);
    return 0;
}

/* Uses the nodes that chains save for others, until all chains are complete or FOLLOWED memories
 * were visited. */
static int grow_all(struct rings *r, struct error *e)
{
    size_t limit = r->b->request->budget, before, saved = 0;
    do {
        before = limit;
        if (grow(r, limit, e) || view_link(r->b, e))
            return -1;
        if (r->b->request->gather)
            saved = chains_saving(r->b);
        limit = r->b->request->budget + (saved < FOLLOWED ? saved : FOLLOWED);
    } while (limit > before);
    return 0;
}

int rings_show(struct subgraph_build *b, struct error *e)
{
    struct rings r = {.b = b, .arena = ARENA_INIT};
    int result = add_focus(&r, e) || grow_all(&r, e) ? -1 : 0;
    arena_release(&r.arena);
    free(r.candidate);
    free(r.reach);
    return result;
}

/* ---- hidden links ---- */

static size_t keep_unseen(const struct subgraph_build *b, struct subgraph_links *links, int kind,
                          size_t most)
{
    size_t kept = 0;
    for (size_t i = 0; i < links->count && kept < most; i++)
        if ((kind < 0 || (int)links->link[i].memory.kind == kind) &&
            view_find(b, links->link[i].row) == SEEN_NONE)
            links->link[kept++] = links->link[i];
    return kept;
}

/* How many links to ask for so that some hidden ones are included. */
static size_t enough(size_t most, size_t shown)
{
    return most < SIZE_MAX - shown - 2 ? most + shown + 2 : SIZE_MAX;
}

int expansion_unseen(struct subgraph_build *b, uint32_t v, enum direction side, int kind,
                     size_t most, struct subgraph_link **link, size_t *count, struct error *e)
{
    struct subgraph_links links;
    size_t ask = enough(most, b->seen[v].side[side].shown);
    if (view_links(b, v, side, ask, &links, e))
        return -1;
    *link = links.link;
    *count = keep_unseen(b, &links, kind, most);
    return 0;
}

/* Finds hidden links even if the kind is rare among many others and not all were counted. */
static int find_unseen(struct subgraph_build *b, uint32_t v, const struct expansion *w,
                       struct subgraph_link **link, size_t *count, struct error *e)
{
    struct subgraph_links links;
    size_t ask = enough(w->count, b->seen[v].side[w->side].shown);
    do {
        arena_clear(&b->scratch);
        if (view_links(b, v, w->side, ask, &links, e))
            return -1;
        *link = links.link;
        *count = keep_unseen(b, &links, w->kind, w->count);
        ask = ask < SIZE_MAX / 4 ? ask * 4 : SIZE_MAX;
    } while (*count < w->count && links.bounded);
    return 0;
}

/* Shows a neighbour of `v`. If `v` belongs to the lineage on that side, so does the neighbour. */
static void show(struct subgraph_build *b, uint32_t v, enum direction side,
                 const struct subgraph_link *link)
{
    uint32_t n = view_add(b, link->row, &link->memory);
    uint32_t depth = b->seen[v].side[side].depth;
    b->seen[n].side[side].depth = depth == NOT_WALKED ? NOT_WALKED : depth + 1;
}

/* ---- no node for a rest of one ---- */

static int settle_kind(struct subgraph_build *b, uint32_t v, enum direction side, enum kind kind,
                       struct error *e)
{
    struct subgraph_link *link;
    size_t count;
    if (!(b->seen[v].side[side].rest & KIND_BIT(kind)) ||
        view_unseen(&b->seen[v].side[side], kind) != 1)
        return 0;
    arena_clear(&b->scratch);
    if (expansion_unseen(b, v, side, (int)kind, 2, &link, &count, e))
        return -1;
    if (count == 1)
        show(b, v, side, link);
    return 0;
}

/* Counts enough links to name the first of the rest. */
static int count_rest(struct subgraph_build *b, uint32_t v, enum direction side, struct error *e)
{
    struct subgraph_links links;
    const struct seen_side *s = &b->seen[v].side[side];
    size_t most = enough(SUBGRAPH_MEMBERS, s->shown);
    arena_clear(&b->scratch);
    return s->counts->bounded && s->counts->asked < most ? view_links(b, v, side, most, &links, e)
                                                         : 0;
}

static int settle_once(struct subgraph_build *b, struct error *e)
{
    for (uint32_t v = 0; v < b->linked; v++)
        for (int side = 0; side < 2; side++) {
            if (b->seen[v].side[side].rest && count_rest(b, v, (enum direction)side, e))
                return -1;
            for (int kind = 0; b->seen[v].side[side].rest && kind < KIND_COUNT; kind++)
                if (settle_kind(b, v, (enum direction)side, (enum kind)kind, e))
                    return -1;
        }
    return 0;
}

int expand_single_rests(struct subgraph_build *b, struct error *e)
{
    do {
        if (view_link(b, e) || settle_once(b, e))
            return -1;
    } while (b->linked < b->count);
    return 0;
}

/* ---- expansions ---- */

static uint32_t kinds_of(const struct expansion *w)
{
    return w->kind < 0 ? EVERY_KIND : KIND_BIT(w->kind);
}

static int expand(struct subgraph_build *b, uint32_t v, const struct expansion *w, struct error *e)
{
    struct subgraph_link *link;
    size_t count;
    if (find_unseen(b, v, w, &link, &count, e))
        return -1;
    struct seen_side *s = &b->seen[v].side[w->side];
    s->open |= kinds_of(w);
    s->rest |= kinds_of(w);
    s->expanded |= kinds_of(w);
    for (size_t i = 0; i < count; i++)
        show(b, v, w->side, &link[i]);
    return 0;
}

/* ---- closing ---- */

/* Marks the neighbours that a memory keeps in view. `queue` has room for all memories in view. */
static void mark_kept(const struct subgraph_build *b, uint32_t v, enum direction side,
                      bool *is_kept, uint32_t *queue, uint32_t *count)
{
    const struct seen_side *s = &b->seen[v].side[side];
    for (uint32_t t = s->first; t != SEEN_NONE; t = b->tie[t].next[side]) {
        uint32_t other = tie_other(&b->tie[t], side);
        if (is_kept[other] || !(s->open & KIND_BIT(b->seen[other].memory.kind)))
            continue;
        is_kept[other] = true;
        queue[(*count)++] = other;
    }
}

/* Removes the memories that nothing keeps in view any more. */
static void remove_unkept(struct subgraph_build *b)
{
    uint32_t count = 0;
    arena_clear(&b->scratch);
    uint32_t *queue = arena_array(&b->scratch, b->count, sizeof(*queue));
    bool *is_kept = arena_array(&b->scratch, b->count, sizeof(*is_kept));
    is_kept[0] = true;
    queue[count++] = 0;
    for (uint32_t i = 0; i < count; i++) {
        mark_kept(b, queue[i], ANCESTORS, is_kept, queue, &count);
        mark_kept(b, queue[i], DESCENDANTS, is_kept, queue, &count);
    }
    view_keep(b, is_kept);
}

static void collapse(struct subgraph_build *b, uint32_t v, const struct expansion *w)
{
    struct seen_side *s = &b->seen[v].side[w->side];
    s->open &= ~kinds_of(w);
    s->rest &= ~kinds_of(w);
    s->expanded &= ~kinds_of(w);
    remove_unkept(b);
}

/* Skips an expansion of a memory that is not in view, since something was closed before. */
int expansions_show(struct subgraph_build *b, struct error *e)
{
    for (size_t i = 0; i < b->request->count; i++) {
        const struct expansion *w = &b->request->expansion[i];
        uint32_t v = view_find(b, w->row);
        if (v == SEEN_NONE)
            continue;
        if (w->count == 0)
            collapse(b, v, w);
        else if (expand(b, v, w, e))
            return -1;
        if (expand_single_rests(b, e))
            return -1;
    }
    return 0;
}

void subgraph_expand(struct subgraph_request *w, struct expansion expansion)
{
    *ARRAY_ADD(w->expansion, w->count, w->alloc) = expansion;
}

void subgraph_ungroup(struct subgraph_request *w, const int64_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *ARRAY_ADD(w->apart, w->apart_count, w->apart_alloc) = rows[i];
}

void subgraph_request_copy(struct subgraph_request *to, const struct subgraph_request *from)
{
    *to = *from;
    to->expansion = from->count
                        ? (void *)xmemdup(from->expansion, from->count * sizeof(*from->expansion))
                        : NULL;
    to->apart = from->apart_count
                    ? (void *)xmemdup(from->apart, from->apart_count * sizeof(*from->apart))
                    : NULL;
    to->first =
        from->firsts ? (void *)xmemdup(from->first, from->firsts * sizeof(*from->first)) : NULL;
    to->alloc = to->count;
    to->apart_alloc = to->apart_count;
}

void subgraph_request_release(struct subgraph_request *w)
{
    free(w->expansion);
    free(w->apart);
    w->expansion = NULL;
    w->apart = NULL;
    free(w->first);
    w->first = NULL;
    w->firsts = 0;
    w->count = w->alloc = w->apart_count = w->apart_alloc = 0;
}
