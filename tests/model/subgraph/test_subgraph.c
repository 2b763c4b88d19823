/*
 * Subgraphs of random lineages, checked by counting over all links. No expansion removes what was
 * in view.
 */
#include "tests/support/synthetic.h"
#include "tests/support/test.h"

#define NODES  SYNTHETIC_MOST
#define NOBODY UINT32_MAX

/* A subgraph, and the node that stands for each memory of the lineage. */
struct view {
    struct synthetic *s;
    const struct subgraph_request *w;
    struct subgraph subgraph;
    uint32_t by[NODES];
};

static void make(struct view *v, struct synthetic *s, const struct subgraph_request *w)
{
    struct subgraph_source source = synthetic_source(s);
    struct error e = {0};
    *v = (struct view){.s = s, .w = w};
    if (subgraph_make(&v->subgraph, w, &source, &e))
        fail_msg("%s", e.what);
    for (uint32_t i = 0; i < NODES; i++)
        v->by[i] = NOBODY;
    for (uint32_t n = 0; n < v->subgraph.nodes; n++) {
        const struct subgraph_node *node = &v->subgraph.node[n];
        bool one = node->type == SUBGRAPH_MEMORY || node->type == SUBGRAPH_MISSING;
        for (size_t i = 0; node->type != SUBGRAPH_MORE && i < (one ? 1 : node->members); i++) {
            uint32_t member = synthetic_node(s, one ? node->row : node->member[i]);
            assert_int_equal(v->by[member], NOBODY);
            v->by[member] = n;
        }
    }
}

static bool is_itself(const struct view *v, uint32_t member)
{
    uint32_t n = v->by[member];
    return n != NOBODY && (v->subgraph.node[n].type == SUBGRAPH_MEMORY ||
                           v->subgraph.node[n].type == SUBGRAPH_MISSING);
}

/* ---- counts ---- */

/* The memories on a side for which a node in view stands, without itself. */
static size_t in_view(const struct view *v, uint32_t member, enum direction side)
{
    size_t count = 0;
    for (uint32_t i = 0; i < v->s->nodes; i++)
        if (i != member && v->by[i] != NOBODY)
            count += synthetic_strokes(v->s, side == ANCESTORS ? member : i,
                                       side == ANCESTORS ? i : member) != 0;
    return count;
}

static size_t in_rests(const struct view *v, uint32_t member, enum direction side)
{
    size_t count = 0;
    for (uint32_t n = 0; n < v->subgraph.nodes; n++) {
        const struct subgraph_node *node = &v->subgraph.node[n];
        if (node->type == SUBGRAPH_MORE && node->row == v->s->row[member] && node->side == side)
            count += node->total;
    }
    return count;
}

static void check_memory(const struct view *v, uint32_t member)
{
    const struct subgraph_node *n = &v->subgraph.node[v->by[member]];
    const struct subgraph_memory *m = &v->s->memory[member];
    assert_string_equal(n->id, m->id);
    assert_int_equal(n->kind, m->kind);
    assert_int_equal(n->status, m->status);
    assert_int_equal(n->at, m->at);
    assert_int_equal(n->total, 1);
    assert_int_equal(n->type == SUBGRAPH_MISSING, m->status == STATUS_MISSING);
    assert_int_equal(n->loop, synthetic_strokes(v->s, member, member) != 0);
    for (int side = 0; side < 2; side++) {
        size_t known = in_view(v, member, (enum direction)side) +
                       in_rests(v, member, (enum direction)side) + n->hidden[side];
        size_t degree = synthetic_degree(v->s, member, (enum direction)side);
        if (!v->s->counted)
            assert_int_equal(known, degree);
        else
            assert_true(known <= degree || n->hidden_bounded[side]);
        assert_true(v->s->counted || !n->hidden_bounded[side]);
    }
}

/* How many neighbours of `a` in view are not also neighbours of `b`. */
static size_t differences(const struct view *v, uint32_t a, uint32_t b, enum direction side)
{
    size_t count = 0;
    for (uint32_t k = 0; k < v->s->nodes; k++) {
        unsigned x =
            side == ANCESTORS ? synthetic_strokes(v->s, a, k) : synthetic_strokes(v->s, k, a);
        unsigned y =
            side == ANCESTORS ? synthetic_strokes(v->s, b, k) : synthetic_strokes(v->s, k, b);
        count += v->by[k] != NOBODY && k != a && k != b && x && x != y;
    }
    return count;
}

/* The next member of a chain: the two differ only in the neighbour above the first and the one
 * below the second. */
static void check_step(const struct view *v, uint32_t member, uint32_t next)
{
    assert_true(synthetic_strokes(v->s, member, next));
    assert_int_equal(synthetic_strokes(v->s, next, member), 0);
    assert_int_equal(differences(v, member, next, ANCESTORS), 0);
    assert_int_equal(differences(v, next, member, DESCENDANTS), 0);
    assert_true(differences(v, member, next, DESCENDANTS) <= 1);
    assert_true(differences(v, next, member, ANCESTORS) <= 1);
}

/* Members are equivalent. If several of them hide neighbours, there may be more in total than
 * the maximum of one. */
static void check_group(const struct view *v, const struct subgraph_node *n)
{
    assert_true(n->members >= 3 && n->total == n->members && v->w->gather);
    assert_int_equal(n->row, n->member[0]);
    size_t hidden[2] = {0, 0};
    bool beside[2][NODES] = {{false}};
    for (size_t i = 0; i < n->members; i++) {
        uint32_t member = synthetic_node(v->s, n->member[i]);
        assert_int_equal(v->s->memory[member].kind, n->kind);
        assert_int_equal(v->s->memory[member].status, n->status);
        assert_int_not_equal(n->member[i], v->w->focus);
        for (uint32_t k = 0; k < v->s->nodes; k++) {
            beside[ANCESTORS][k] |= v->by[k] == NOBODY && synthetic_strokes(v->s, member, k);
            beside[DESCENDANTS][k] |= v->by[k] == NOBODY && synthetic_strokes(v->s, k, member);
        }
        uint32_t next = i + 1 < n->members ? synthetic_node(v->s, n->member[i + 1]) : NOBODY;
        if (n->type == SUBGRAPH_CHAIN && next != NOBODY)
            check_step(v, member, next);
        for (uint32_t k = 0; n->type == SUBGRAPH_EQUIVALENT && next != NOBODY && k < v->s->nodes;
             k++)
            if (v->by[k] != NOBODY) {
                assert_int_equal(synthetic_strokes(v->s, member, k),
                                 synthetic_strokes(v->s, next, k));
                assert_int_equal(synthetic_strokes(v->s, k, member),
                                 synthetic_strokes(v->s, k, next));
            }
    }
    for (uint32_t k = 0; k < v->s->nodes; k++) {
        hidden[0] += beside[0][k];
        hidden[1] += beside[1][k];
    }
    for (int side = 0; side < 2 && !v->s->counted; side++)
        assert_true(n->hidden_bounded[side] ? hidden[side] >= n->hidden[side]
                                            : hidden[side] == n->hidden[side]);
}

static bool is_member(const struct subgraph_node *n, int64_t row)
{
    for (size_t i = 0; i < n->members; i++)
        if (n->member[i] == row)
            return true;
    return false;
}

/* It stands for all hidden neighbours of a kind on that side, and lists the first of them. */
static void check_rest(const struct view *v, const struct subgraph_node *n)
{
    AUTO_ARENA arena = ARENA_INIT;
    size_t count, unseen = 0;
    uint32_t parent = synthetic_node(v->s, n->row);
    assert_true(is_itself(v, parent));
    struct subgraph_link *link = synthetic_links(v->s, &arena, parent, n->side, &count);
    for (size_t i = 0; i < count; i++) {
        if (link[i].memory.kind != n->kind || v->by[synthetic_node(v->s, link[i].row)] != NOBODY) {
            assert_false(is_member(n, link[i].row));
            continue;
        }
        if (!v->s->counted)
            assert_int_equal(is_member(n, link[i].row), unseen < SUBGRAPH_MEMBERS);
        unseen++;
    }
    assert_true(n->total >= 2 && n->total <= unseen);
    assert_int_equal(n->members, n->total < SUBGRAPH_MEMBERS ? n->total : SUBGRAPH_MEMBERS);
    if (!v->s->counted)
        assert_int_equal(n->total, unseen);
    assert_true(n->total == unseen || n->total_bounded);
}

/* ---- edges ---- */

static unsigned strokes_of_rest(const struct view *v, uint32_t from, uint32_t to)
{
    const struct subgraph_node *a = &v->subgraph.node[from], *b = &v->subgraph.node[to];
    const struct subgraph_node *rest = a->type == SUBGRAPH_MORE ? a : b;
    const struct subgraph_node *other = rest == a ? b : a;
    unsigned strokes = 0;
    if (rest->type != SUBGRAPH_MORE || other->row != rest->row || other->type == SUBGRAPH_MORE ||
        rest->side != (rest == b ? ANCESTORS : DESCENDANTS))
        return 0;
    for (size_t i = 0; i < rest->members; i++) {
        uint32_t member = synthetic_node(v->s, rest->member[i]);
        uint32_t parent = synthetic_node(v->s, rest->row);
        strokes |= rest == b ? synthetic_strokes(v->s, parent, member)
                             : synthetic_strokes(v->s, member, parent);
    }
    return strokes;
}

static unsigned strokes_between(const struct view *v, uint32_t from, uint32_t to)
{
    unsigned strokes = strokes_of_rest(v, from, to);
    for (size_t i = 0; from != to && i < v->s->links; i++)
        if (v->by[v->s->link[i].from] == from && v->by[v->s->link[i].to] == to)
            strokes |= v->s->link[i].strokes;
    return strokes;
}

static void check_edges(const struct view *v)
{
    const struct subgraph *s = &v->subgraph;
    uint32_t at = 0;
    for (uint32_t from = 0; from < s->nodes; from++)
        for (uint32_t to = 0; to < s->nodes; to++) {
            unsigned strokes = strokes_between(v, from, to);
            if (!strokes)
                continue;
            assert_true(at < s->edges);
            assert_int_equal(s->edge[at].from, from);
            assert_int_equal(s->edge[at].to, to);
            assert_int_equal(s->edge[at++].strokes, strokes);
        }
    assert_int_equal(at, s->edges);
}

static bool has_edge(const struct subgraph *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < s->edges; i++)
        if (s->edge[i].from == from && s->edge[i].to == to)
            return true;
    return false;
}

/* The number of steps between all pairs of nodes, or NOBODY if there is no path. */
static uint32_t *distances(const struct subgraph *s)
{
    uint32_t n = s->nodes, *d = malloc(n * (size_t)n * sizeof(*d));
    assert_non_null(d);
    for (uint32_t i = 0; i < n * n; i++)
        d[i] = NOBODY / 2;
    for (uint32_t i = 0; i < s->edges; i++)
        d[s->edge[i].from * n + s->edge[i].to] = 1;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (d[i * n + k] + d[k * n + j] < d[i * n + j])
                    d[i * n + j] = d[i * n + k] + d[k * n + j];
    return d;
}

/* One cycle for each strongly connected component, the shortest through its first node. */
static void check_circles(const struct view *v)
{
    const struct subgraph *s = &v->subgraph;
    uint32_t *d = distances(s), n = s->nodes;
    size_t sets = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool first = d[i * n + i] < NOBODY / 2;
        assert_int_equal(s->node[i].on_circle, first);
        for (uint32_t k = 0; k < i && first; k++)
            first = d[i * n + k] >= NOBODY / 2 || d[k * n + i] >= NOBODY / 2;
        if (!first)
            continue;
        assert_true(sets < s->circles);
        bool found = false;
        for (size_t c = 0; c < s->circles; c++) {
            const uint32_t *circle = s->circle + s->circle_first[c];
            size_t length = s->circle_first[c + 1] - s->circle_first[c];
            if (circle[0] != i)
                continue;
            found = true;
            assert_int_equal(length, d[i * n + i]);
            for (size_t k = 0; k < length; k++)
                assert_true(has_edge(s, circle[k], circle[(k + 1) % length]));
        }
        assert_true(found);
        sets++;
    }
    assert_int_equal(sets, s->circles);
    free(d);
}

/* ---- completeness ---- */

static void check_connected(const struct view *v)
{
    const struct subgraph *s = &v->subgraph;
    bool reached[4 * NODES] = {true};
    assert_true(s->nodes <= 4 * NODES);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < s->edges; i++) {
            bool *a = &reached[s->edge[i].from], *b = &reached[s->edge[i].to];
            more |= *a != *b;
            *a = *b = *a || *b;
        }
    }
    for (uint32_t i = 0; i < s->nodes; i++)
        assert_true(reached[i]);
}

/* Is any part of the requested lineage of the focus hidden, at any depth? */
static bool is_partial(const struct view *v)
{
    for (int side = 0; side < 2; side++) {
        bool reached[NODES] = {false};
        if (!(v->w->show & (side == ANCESTORS ? SHOW_ANCESTORS : SHOW_DESCENDANTS)))
            continue;
        reached[synthetic_node(v->s, v->w->focus)] = true;
        for (bool more = true; more;) {
            more = false;
            for (size_t i = 0; i < v->s->links; i++) {
                const struct synthetic_link *l = &v->s->link[i];
                uint32_t from = side == ANCESTORS ? l->from : l->to;
                uint32_t to = side == ANCESTORS ? l->to : l->from;
                more |= reached[from] && !reached[to];
                reached[to] |= reached[from];
            }
        }
        for (uint32_t i = 0; i < v->s->nodes; i++)
            if (reached[i] && v->by[i] == NOBODY)
                return true;
    }
    return false;
}

static void check(const struct view *v)
{
    const struct subgraph *s = &v->subgraph;
    assert_int_equal(s->node[0].row, v->w->focus);
    for (uint32_t i = 0; i < s->nodes; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(s->node[i].id, s->node[k].id);
    for (uint32_t i = 0; i < v->s->nodes; i++)
        if (is_itself(v, i))
            check_memory(v, i);
    for (uint32_t i = 0; i < s->nodes; i++) {
        if (s->node[i].type == SUBGRAPH_MORE)
            check_rest(v, &s->node[i]);
        else if (s->node[i].type == SUBGRAPH_EQUIVALENT || s->node[i].type == SUBGRAPH_CHAIN)
            check_group(v, &s->node[i]);
    }
    check_edges(v);
    check_circles(v);
    check_connected(v);
    if (!v->s->counted)
        assert_int_equal(s->partial, is_partial(v));
}

/* ---- expansions ---- */

/* A random expansion or collapse of something in view. */
static struct expansion any_expansion(const struct view *v, struct random *r, bool opens)
{
    uint32_t member;
    do
        member = random_below(r, v->s->nodes);
    while (v->by[member] == NOBODY);
    return (struct expansion){.row = v->s->row[member],
                              .side = (enum direction)random_below(r, 2),
                              .kind = (int)random_below(r, 4) - 1,
                              .count = opens ? 1 + random_below(r, 10) : 0};
}

/* The number of hidden neighbours of a kind on that side. */
static size_t unseen(const struct view *v, const struct expansion *expansion)
{
    AUTO_ARENA arena = ARENA_INIT;
    size_t count, found = 0;
    struct subgraph_link *link = synthetic_links(v->s, &arena, synthetic_node(v->s, expansion->row),
                                                 expansion->side, &count);
    for (size_t i = 0; i < count; i++)
        found += v->by[synthetic_node(v->s, link[i].row)] == NOBODY &&
                 (expansion->kind < 0 || (int)link[i].memory.kind == expansion->kind);
    return found;
}

static size_t in_rests_of(const struct view *v, const struct expansion *expansion)
{
    size_t count = 0;
    for (uint32_t n = 0; n < v->subgraph.nodes; n++) {
        const struct subgraph_node *node = &v->subgraph.node[n];
        if (node->type == SUBGRAPH_MORE && node->row == expansion->row &&
            node->side == expansion->side &&
            (expansion->kind < 0 || (int)node->kind == expansion->kind))
            count += node->total;
    }
    return count;
}

/* All that was shown as itself still is, and what was requested is shown. */
static void check_opened(const struct view *before, const struct view *after,
                         const struct expansion *expansion)
{
    for (uint32_t i = 0; i < before->s->nodes; i++) {
        assert_true(before->by[i] == NOBODY || after->by[i] != NOBODY);
        assert_true(!is_itself(before, i) || is_itself(after, i));
    }
    size_t left = unseen(before, expansion);
    assert_true(unseen(after, expansion) <=
                (left > expansion->count ? left - expansion->count : 0));
    for (uint32_t i = 0; i < after->subgraph.nodes; i++)
        for (uint32_t k = 0; k < before->subgraph.nodes; k++)
            if (strcmp(after->subgraph.node[i].id, before->subgraph.node[k].id) == 0)
                assert_true(after->s->counted ||
                            after->subgraph.node[i].total <= before->subgraph.node[k].total);
    assert_true(after->subgraph.node[after->by[synthetic_node(after->s, expansion->row)]].opened);
    if (!after->s->counted)
        assert_int_equal(unseen(after, expansion), in_rests_of(after, expansion));
}

/* Nothing comes into view, and of the closed neighbours only those stay that another memory
 * keeps. */
static void check_closed(const struct view *before, const struct view *after,
                         const struct expansion *expansion)
{
    for (uint32_t i = 0; i < before->s->nodes; i++)
        assert_true(after->by[i] == NOBODY || before->by[i] != NOBODY);
    for (uint32_t i = 0; i < after->subgraph.nodes; i++) {
        const struct subgraph_node *n = &after->subgraph.node[i];
        assert_false(n->type == SUBGRAPH_MORE && n->row == expansion->row &&
                     n->side == expansion->side &&
                     (expansion->kind < 0 || (int)n->kind == expansion->kind));
    }
}

/* Ungroups the members one by one, as a person does. */
static void take_apart(const struct view *v, struct subgraph_request *w, struct random *r)
{
    uint32_t n = random_below(r, v->subgraph.nodes);
    const struct subgraph_node *node = &v->subgraph.node[n];
    if (node->type != SUBGRAPH_EQUIVALENT && node->type != SUBGRAPH_CHAIN)
        return;
    size_t count = 1 + random_below(r, (uint32_t)node->members);
    subgraph_ungroup(w, node->member, count);
    struct view after;
    make(&after, v->s, w);
    check(&after);
    for (uint32_t i = 0; i < v->s->nodes; i++) {
        assert_int_equal(v->by[i] == NOBODY, after.by[i] == NOBODY);
        assert_true(!is_itself(v, i) || is_itself(&after, i));
    }
    for (size_t i = 0; i < count; i++)
        assert_true(is_itself(&after, synthetic_node(v->s, node->member[i])));
    subgraph_release(&after.subgraph);
}

static void request_more(struct synthetic *s, struct subgraph_request *w, struct random *r)
{
    struct view before, after;
    for (int i = 0; i < 5; i++) {
        make(&before, s, w);
        check(&before);
        bool opens = random_chance(r, 75);
        struct expansion expansion = any_expansion(&before, r, opens);
        subgraph_expand(w, expansion);
        make(&after, s, w);
        check(&after);
        (opens ? check_opened : check_closed)(&before, &after, &expansion);
        take_apart(&after, w, r);
        subgraph_release(&before.subgraph);
        subgraph_release(&after.subgraph);
    }
}

TEST(test_random_subgraphs_are_consistent)
{
    struct random r = {20261120};
    for (int round = 0; round < RANDOM_ROUNDS(4000); round++) {
        struct synthetic s;
        struct subgraph_request w;
        synthetic_any(&s, &r);
        s.counted = random_chance(&r, 25) ? 1 + random_below(&r, 6) : 0;
        synthetic_request(&s, &r, &w);
        struct view v;
        make(&v, &s, &w);
        assert_true(v.subgraph.nodes <= w.budget);
        subgraph_release(&v.subgraph);
        request_more(&s, &w, &r);
        subgraph_request_release(&w);
        synthetic_release(&s);
    }
}

/* ---- independence of rows ---- */

/* The result does not depend on the row numbers of the store. */
static void move_request(struct subgraph_request *w, const int64_t *was, const struct synthetic *s)
{
    for (uint32_t i = 0; i < s->nodes; i++) {
        if (w->focus == was[i])
            w->focus = -s->row[i];
        for (size_t k = 0; k < w->count; k++)
            if (w->expansion[k].row == was[i])
                w->expansion[k].row = -s->row[i];
        for (size_t k = 0; k < w->apart_count; k++)
            if (w->apart[k] == was[i])
                w->apart[k] = -s->row[i];
    }
    w->focus = -w->focus;
    for (size_t k = 0; k < w->count; k++)
        w->expansion[k].row = -w->expansion[k].row;
    for (size_t k = 0; k < w->apart_count; k++)
        w->apart[k] = -w->apart[k];
}

static void render(struct synthetic *s, const struct subgraph_request *w, struct strbuf *out)
{
    struct view v;
    make(&v, s, w);
    synthetic_render(s, &v.subgraph, out);
    subgraph_release(&v.subgraph);
}

TEST(test_rows_do_not_matter)
{
    struct random r = {99};
    AUTO_STRBUF first = STRBUF_INIT, again = STRBUF_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(1000); round++) {
        struct synthetic s;
        struct subgraph_request w, copy;
        int64_t was[NODES];
        synthetic_any(&s, &r);
        synthetic_request(&s, &r, &w);
        request_more(&s, &w, &r);
        render(&s, &w, &first);
        memcpy(was, s.row, s.nodes * sizeof(*was));
        synthetic_renumber(&s, &r);
        subgraph_request_copy(&copy, &w);
        subgraph_request_release(&w);
        move_request(&copy, was, &s);
        render(&s, &copy, &again);
        assert_string_equal(first.buf, again.buf);
        subgraph_request_release(&copy);
        synthetic_release(&s);
    }
}

/* ---- errors ---- */

/* Each query to the store fails once. */
TEST(test_errors_of_the_store_are_returned)
{
    struct random r = {6};
    for (int round = 0; round < RANDOM_ROUNDS(40); round++) {
        struct synthetic s;
        struct subgraph_request w;
        int result = -1;
        synthetic_any(&s, &r);
        synthetic_request(&s, &r, &w);
        request_more(&s, &w, &r);
        struct subgraph_source source = synthetic_source(&s);
        for (long tries = 0; result; tries++) {
            struct subgraph subgraph;
            struct error e = {0};
            s.calls_left = tries;
            result = subgraph_make(&subgraph, &w, &source, &e);
            subgraph_release(&subgraph);
            assert_int_equal(result != 0, s.calls_left < 0);
            assert_int_equal(e.code, result ? ERROR_INTERRUPTED : ERROR_NONE);
        }
        subgraph_request_release(&w);
        synthetic_release(&s);
    }
}
