/*
 * Labels of a few rows, without the whole graph.
 *
 * That a memory stands is proved by one way down to its sources, that it does not by what is dead on each way. So
 * the label of one whose antecedents are all proved to stand or not is exact, however much lies around: most are
 * known so. Of the others the nearest are opened, and those at the edge taken as standing once and as dead once:
 * labels only grow with what stands (justifications know no "not"), so the true ones lie between, and what is the
 * same in both is exact. What that leaves is read from the whole graph.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/neighbours.h"
#include "store/lineage/loaded.h"

/* ---- by a short way ---- */

/* Most ways are short; what is left is looked at once more, further. */
static const struct {
    unsigned depth; /* of a way */
    size_t rows;    /* looked at */
} reach[] = {{4, 64}, {24, 512}};
#define DEPTH_MAX 24
#define REACHES   (sizeof(reach) / sizeof(reach[0]))

/* Rows that name more are for the others. */
#define GROUPS_MAX 16
#define LINKS_MAX  64

enum answer {
    UNKNOWN = 0,
    NO,
    YES
};

struct proof {
    struct reader *reader;
    struct links links;
    struct row_index met; /* rows that were answered, */
    uint8_t *answer;      /* [met.count] and how */
    size_t answer_alloc;
    unsigned depth; /* a way may be that long */
    size_t left;    /* rows that may be looked at */
    int64_t way[DEPTH_MAX + 1];
};

/* A row's links in a place of their own, for others are read before all of them were looked at. */
struct support {
    enum kind kind;
    enum status status;
    struct link_group group[GROUPS_MAX];
    size_t groups;
    int64_t row[LINKS_MAX];
};

static void note_answer(struct proof *p, int64_t row, enum answer answer)
{
    size_t number = row_index_add(&p->met, row);
    ARRAY_ROOM(p->answer, number, p->answer_alloc, 1);
    p->answer[number] = (uint8_t)answer;
}

/* 1; 0 where it is not copied, as it names too much. */
static int open_row(struct proof *p, int64_t row, struct support *out, struct error *e)
{
    const struct links *l = &p->links;
    if (links_nature(p->reader, row, &out->kind, &out->status, e) ||
        links_of(&p->links, p->reader, row, e))
        return -1;
    out->groups = l->groups;
    if (l->groups > GROUPS_MAX || l->rows > LINKS_MAX)
        return 0;
    if (l->groups)
        memcpy(out->group, l->group, l->groups * sizeof(*l->group));
    if (l->rows)
        memcpy(out->row, l->row, l->rows * sizeof(*l->row));
    return 1;
}

static bool is_on_way(const struct proof *p, unsigned depth, int64_t row)
{
    for (unsigned i = 0; i <= depth; i++)
        if (p->way[i] == row)
            return true;
    return false;
}

static int stands(struct proof *p, int64_t row, unsigned depth, enum answer *out, struct error *e);

/* Does the group hold: all that it names, or one? */
static int group_holds(struct proof *p, const struct support *s, const struct link_group *group,
                       bool all, unsigned depth, enum answer *out, struct error *e)
{
    enum answer settles = all ? NO : YES;
    *out = all || group->count == 0 ? YES : NO;
    for (size_t i = 0; i < group->count && *out != settles; i++) {
        enum answer one;
        if (stands(p, s->row[group->first + i], depth, &one, e))
            return -1;
        *out = one == settles ? settles : one == UNKNOWN ? UNKNOWN : *out;
    }
    return 0;
}

static bool is_all(const struct link_group *group)
{
    return SHAPE_READING(group->shape) == READING_ALL;
}

/* p->way[depth] is the row, which has links. */
static int is_supported(struct proof *p, const struct support *s, unsigned depth, enum answer *out,
                        struct error *e)
{
    *out = NO;
    for (size_t i = 0; i < s->groups && *out != YES; i++) {
        enum answer one;
        if (group_holds(p, s, &s->group[i], is_all(&s->group[i]), depth, &one, e))
            return -1;
        *out = one == YES ? YES : one == UNKNOWN ? UNKNOWN : *out;
    }
    return 0;
}

/* What is behind p->way[depth - 1], at most DEPTH_MAX deep. On a circle nothing is known: who is based on it needs
 * another way. */
static int stands(struct proof *p, int64_t row, unsigned depth, enum answer *out, struct error *e)
{
    struct support s;
    *out = UNKNOWN;
    if (p->left == 0 || is_on_way(p, depth, row))
        return 0;
    p->left--;
    size_t known = row_index_find(&p->met, row);
    if (known != ROW_NONE) {
        *out = (enum answer)p->answer[known];
        return 0;
    }
    int opened = open_row(p, row, &s, e);
    if (opened <= 0)
        return opened;
    *out = STATUS_LIVES(s.status) ? YES : NO;
    if (*out == YES && s.groups > 0) {
        *out = UNKNOWN;
        if (depth == p->depth)
            return 0;
        p->way[depth + 1] = row;
        if (is_supported(p, &s, depth + 1, out, e))
            return -1;
    }
    if (*out != UNKNOWN)
        note_answer(p, row, *out);
    return 0;
}

static bool is_repeated(const int64_t *row, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (row[i] == row[at])
            return true;
    return false;
}

/* Each of `any` is a justification of its own, once however often it is named; `all` are one. */
static int count_group(struct proof *p, const struct support *s, const struct link_group *group,
                       struct row_label *out, bool *known, struct error *e)
{
    enum answer one;
    bool each = !is_all(group) && group->count > 0;
    if (!each) {
        if (group_holds(p, s, group, true, 0, &one, e))
            return -1;
        out->justs++;
        out->holds += one == YES;
        *known = one != UNKNOWN;
    }
    for (size_t i = 0; each && i < group->count && *known; i++) {
        if (is_repeated(&s->row[group->first], i))
            continue;
        if (stands(p, s->row[group->first + i], 0, &one, e))
            return -1;
        out->justs++;
        out->holds += one == YES;
        *known = one != UNKNOWN;
    }
    return 0;
}

static enum label label_of(const struct support *s, const struct row_label *counted)
{
    if (!STATUS_LIVES(s->status))
        return LABEL_ENDED;
    if (counted->justs == 0)
        return kind_spec(s->kind)->is_source ? LABEL_SUPPORTED : LABEL_UNSOURCED;
    return counted->holds < counted->justs ? LABEL_WEAKENED : LABEL_SUPPORTED;
}

/* 1 where a few ways tell it. What does not stand may be on a circle, which they do not tell. */
static int prove(struct proof *p, int64_t row, struct row_label *out, struct error *e)
{
    struct support s;
    bool known = true;
    int opened = open_row(p, row, &s, e);
    *out = (struct row_label){LABEL_ENDED, 0, 0};
    p->way[0] = row;
    if (opened <= 0)
        return opened;
    for (size_t i = 0; i < s.groups && known; i++)
        if (count_group(p, &s, &s.group[i], out, &known, e))
            return -1;
    out->label = label_of(&s, out);
    return known && (out->label == LABEL_ENDED || out->justs == 0 || out->holds > 0);
}

static int prove_row(struct proof *p, int64_t row, struct row_label *out, struct error *e)
{
    int known = 0;
    for (size_t i = 0; i < REACHES && known == 0; i++) {
        p->depth = reach[i].depth;
        p->left = reach[i].rows;
        known = prove(p, row, out, e);
        if (known >= 0 && reader_charge(p->reader, (int64_t)(reach[i].rows - p->left + 1), e))
            return -1;
    }
    return known;
}

/* ---- by what is near ---- */

/* Rows that are opened around those asked about; beyond that the whole graph is read. */
static const size_t opened_around[] = {128, 2048};
#define NEAR_MAX 50000 /* rows that these may name */

/* What is near, labelled twice. Nodes from `edge` on were not opened. */
struct nearby {
    struct around around;
    struct graph graph;
    struct labels high, low;
    size_t edge;
};

static void release_nearby(struct nearby *n)
{
    labels_release(&n->high);
    labels_release(&n->low);
    graph_release(&n->graph);
    around_release(&n->around);
}

/* With the edge standing, then with it dead. */
static void label_both(struct nearby *n)
{
    labels_compute(&n->high, &n->graph);
    for (size_t node = n->edge; node < n->graph.nodes; node++)
        n->graph.status[node] = STATUS_MISSING;
    labels_compute(&n->low, &n->graph);
}

static struct row_label label_at(const struct graph *g, const struct labels *l, size_t node)
{
    return (struct row_label){(enum label)l->label[node], l->holds[node],
                              g->just_first[node + 1] - g->just_first[node]};
}

/* The rows asked for are the first nodes: 1 where all are exact. */
static int take_labels(const struct nearby *n, size_t count, struct row_label *out)
{
    for (size_t i = 0; i < count; i++) {
        if (n->low.label[i] != n->high.label[i] || n->low.holds[i] != n->high.holds[i])
            return 0;
        out[i] = label_at(&n->graph, &n->high, i);
    }
    return 1;
}

/* Of different rows: 1 where `out` is exact, 0 where more must be opened around them. */
static int label_near(struct reader *r, const int64_t *rows, size_t count, size_t opened,
                      struct row_label *out, struct error *e)
{
    struct nearby n = {.around = AROUND_INIT(r)};
    n.edge = n.around.opened = count + opened;
    graph_init(&n.graph);
    n.around.max = count + NEAR_MAX;
    around_roots(&n.around, rows, count);
    int result = around_ascend(&n.around, &n.graph, e);
    if (result == 0 && around_is_whole(&n.around)) {
        label_both(&n);
        result = take_labels(&n, count, out);
    }
    release_nearby(&n);
    return result;
}

/* ---- all of it ---- */

static int label_whole(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                       struct error *e)
{
    const struct loaded *l = loaded_get(r, e);
    for (size_t i = 0; i < count && l; i++)
        out[i] = label_at(&l->graph, &l->labels, (size_t)rows[i] - 1);
    loaded_release(l);
    return l ? 0 : -1;
}

/* Those that no short way tells. */
static int label_others(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        struct error *e)
{
    int known = 0;
    for (size_t i = 0; i < sizeof(opened_around) / sizeof(*opened_around) && known == 0; i++)
        known = label_near(r, rows, count, opened_around[i], out, e);
    return known ? known < 0 ? -1 : 0 : label_whole(r, rows, count, out, e);
}

int labels_cold(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                struct error *e)
{
    struct proof p = {.reader = r, .met = ROW_INDEX_INIT};
    struct row_index left = ROW_INDEX_INIT;
    struct row_label *found = NULL;
    size_t *place = xmalloc((count + 1) * sizeof(*place));
    int known = 0;
    for (size_t i = 0; i < count && known >= 0; i++) {
        known = prove_row(&p, rows[i], &out[i], e);
        place[i] = known ? ROW_NONE : row_index_add(&left, rows[i]);
    }
    if (known >= 0 && left.count) {
        found = xmalloc(left.count * sizeof(*found));
        known = label_others(r, left.row, left.count, found, e);
        for (size_t i = 0; i < count && known == 0; i++)
            if (place[i] != ROW_NONE)
                out[i] = found[place[i]];
    }
    row_index_release(&p.met);
    row_index_release(&left);
    links_release(&p.links);
    free(p.answer);
    free(place);
    free(found);
    return known < 0 ? -1 : 0;
}

/* By all that they are based on, less what is hidden from the caller; from the whole graph where that is much. */
#define SEEN_MAX 50000

static int labels_seen(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                       struct error *e)
{
    struct graph g;
    struct labels l = {.label = NULL};
    struct row_index different = ROW_INDEX_INIT;
    bool whole;
    for (size_t i = 0; i < count; i++)
        row_index_add(&different, rows[i]);
    int result =
        graph_load_around(r, &g, different.row, different.count, ANCESTORS, SEEN_MAX, &whole, e);
    if (result == 0 && whole)
        result = label_whole(r, rows, count, out, e);
    else if (result == 0)
        result = guard_graph(r, &g, e);
    if (result == 0 && !whole)
        labels_compute(&l, &g);
    for (size_t i = 0; i < count && result == 0 && !whole; i++)
        out[i] = label_at(&g, &l, row_index_find(&different, rows[i]));
    row_index_release(&different);
    labels_release(&l);
    graph_release(&g);
    return result;
}

static int label_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                      struct error *e)
{
    if (guard_hides_linked_entries(r))
        return labels_seen(r, rows, count, out, e);
    const struct loaded *l = loaded_labels_find(r);
    if (!l)
        return labels_cold(r, rows, count, out, e);
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        if (!loaded_label(l, rows[i], &out[i]))
            result = error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                               (long long)rows[i]);
    loaded_release(l);
    return result;
}

int labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                   struct error *e)
{
    if (count == 0)
        return 0;
    return reader_begin(r, e) ? -1 : reader_done(r, label_rows(r, rows, count, out, e));
}
