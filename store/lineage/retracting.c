/*
 * What falls with a few memories, by what they carry: only who loses something is looked at.
 *
 * Losing is counted: who has no justification left falls, and takes from those that rest on it. Where there is no
 * circle that is the whole truth. A circle could hold itself up in this count, but only one on which
 * somebody lost something and stands still: what is unfounded now was founded before, so the first of it to
 * have been founded has lost that justification, and among what it rests on without leaving it is a circle that
 * the same is true of. So where one that is weakened lies on a circle the whole is derived again (whatif.c).
 */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/lineage/around.h"
#include "store/lineage/closure.h"
#include "store/db/reader.h"
#include "store/lineage/tracing.h"

/* Who rests on more is for the graph, which counts what is lost and not what is left. */
#define ANTECEDENTS_MAX 64

enum state {
    UNTOUCHED = 0,
    RETRACTED,
    FALLEN,
    TOUCHED /* lost a justification or more, and stands */
};

/* Nodes are the retracted, then what rests on them, the nearest first. */
struct losing {
    struct reader *reader;
    struct around around;
    uint8_t *state, *label;   /* [count]; labels of those that were touched, and of the retracted */
    uint32_t *before, *after; /* [count] justifications that hold, of those that were touched */
    uint32_t *lost;           /* [count] a queue: who stands no more */
    size_t lost_count;
    size_t falls, weakened;
    int64_t *user; /* of the one whose users are looked at */
    size_t user_alloc, user_count;
    int64_t antecedent[ANTECEDENTS_MAX];
};

static void release(struct losing *l)
{
    around_release(&l->around);
    free(l->state);
    free(l->label);
    free(l->before);
    free(l->after);
    free(l->lost);
    free(l->user);
}

static int make_room(struct losing *l, struct error *e)
{
    size_t count = l->around.count + 1;
    l->state = xcalloc(count, sizeof(*l->state));
    l->label = xcalloc(count, sizeof(*l->label));
    l->before = xmalloc(count * sizeof(*l->before));
    l->after = xmalloc(count * sizeof(*l->after));
    l->lost = xcalloc(count, sizeof(*l->lost));
    return l->state && l->label && l->before && l->after && l->lost ? 0 : around_no_memory(e);
}

/* Kept, or found, for which the walk lets go of what is kept. */
static int find_label(struct losing *l, int64_t row, enum label *label, struct error *e)
{
    struct row_label found;
    struct links_walk *walk = &l->around.walk;
    int known;
    if (links_label(walk, row, &known, e))
        return -1;
    if (known >= 0) {
        *label = (enum label)known;
        return 0;
    }
    links_end(walk);
    int result = labels_of_rows(l->reader, &row, 1, &found, e);
    *label = found.label;
    return result || links_begin(walk, l->reader, e) ? -1 : 0;
}

static bool is_lost(const struct losing *l, int64_t row)
{
    uint32_t node = around_find(&l->around, row);
    return node != NODE_NONE && (l->state[node] == RETRACTED || l->state[node] == FALLEN);
}

/* ---- what is left of one ---- */

/* A group that was taken out of its memory's links. */
struct group {
    const int64_t *row;
    size_t count;
    bool all;
};

/* Each of `any` is a justification, once however often it is named; `all` are one. */
static int count_group(struct losing *l, const struct group *g, uint32_t *before, uint32_t *after,
                       struct error *e)
{
    size_t standing = 0, left = 0, different = 0;
    for (size_t i = 0; i < g->count; i++) {
        enum label label;
        size_t k = 0;
        while (k < i && g->row[k] != g->row[i])
            k++;
        if (k < i)
            continue;
        if (find_label(l, g->row[i], &label, e))
            return -1;
        different++;
        standing += label_stands(label);
        left += label_stands(label) && !is_lost(l, g->row[i]);
    }
    bool one = g->all || g->count == 0;
    *before += one ? standing == different : (uint32_t)standing;
    *after += one ? left == different : (uint32_t)left;
    return 0;
}

/* 0 where it rests on more than is counted here. */
static int take_groups(struct losing *l, int64_t row, struct group *groups, size_t *count,
                       struct error *e)
{
    struct links links;
    unsigned shape;
    size_t taken = 0, each;
    *count = 0;
    if (links_of(&l->around.walk, row, &links, e))
        return -1;
    while (links_group(&links, &shape, &each)) {
        if (*count == ANTECEDENTS_MAX || each > ANTECEDENTS_MAX - taken)
            return 0;
        groups[(*count)++] =
            (struct group){&l->antecedent[taken], each, SHAPE_READING(shape) == READING_ALL};
        while (each-- > 0)
            l->antecedent[taken++] = links_next(&links);
    }
    return 1;
}

static int count_left(struct losing *l, uint32_t node, struct error *e)
{
    struct group group[ANTECEDENTS_MAX];
    size_t count;
    int told = take_groups(l, l->around.row[node], group, &count, e);
    l->before[node] = l->after[node] = 0;
    for (size_t i = 0; i < count && told > 0; i++)
        if (count_group(l, &group[i], &l->before[node], &l->after[node], e))
            told = -1;
    return told;
}

/* ---- losing ---- */

/* It rests on one that stands no more. 0 where this cannot be told here. */
static int lose(struct losing *l, uint32_t node, struct error *e)
{
    enum label label;
    if (l->state[node] == RETRACTED || l->state[node] == FALLEN)
        return 1;
    if (find_label(l, l->around.row[node], &label, e))
        return -1;
    if (!label_stands(label))
        return 1;
    int told = count_left(l, node, e);
    if (told <= 0 || l->after[node] == l->before[node])
        return told;
    l->label[node] = (uint8_t)label;
    l->weakened += l->state[node] == UNTOUCHED;
    l->state[node] = TOUCHED;
    if (l->after[node] == 0) {
        l->weakened--;
        l->falls++;
        l->state[node] = FALLEN;
        l->lost[l->lost_count++] = node;
    }
    return 1;
}

static int take_users(struct losing *l, int64_t row, struct error *e)
{
    struct users users;
    l->user_count = 0;
    if (links_users(&l->around.walk, row, &users, e))
        return -1;
    for (int64_t user; (user = links_user(&users)); l->user_count++) {
        if (!array_grow((void **)&l->user, &l->user_alloc, l->user_count, sizeof(*l->user)))
            return around_no_memory(e);
        l->user[l->user_count] = user;
    }
    return 0;
}

static int spread(struct losing *l, struct error *e)
{
    int told = 1;
    for (size_t at = 0; at < l->lost_count && told > 0; at++) {
        if (take_users(l, l->around.row[l->lost[at]], e))
            return -1;
        for (size_t i = 0; i < l->user_count && told > 0; i++)
            told = reader_spend(l->reader, 1, e) ? -1
                                                 : lose(l, around_find(&l->around, l->user[i]), e);
    }
    return told;
}

static int retract(struct losing *l, size_t count, struct error *e)
{
    for (uint32_t node = 0; node < count; node++) {
        enum label label;
        if (find_label(l, l->around.row[node], &label, e))
            return -1;
        l->state[node] = RETRACTED;
        l->label[node] = (uint8_t)label;
        l->before[node] = l->after[node] = 0;
        if (label_stands(label))
            l->lost[l->lost_count++] = node;
    }
    return spread(l, e);
}

/* ---- the outcome ---- */

/* 1 where nobody who is weakened lies on a circle. */
static int is_settled(struct losing *l, struct error *e)
{
    size_t count = 0;
    int64_t *row = xmalloc((l->weakened + 1) * sizeof(*row));
    for (size_t node = 0; row && node < l->around.count; node++)
        if (l->state[node] == TOUCHED)
            row[count++] = l->around.row[node];
    links_end(&l->around.walk);
    int circle =
        row ? closure_has_circle(l->reader, &l->around, row, count, e) : around_no_memory(e);
    free(row);
    return circle < 0 ? -1 : !circle;
}

/* The nodes are in the order that a graph loaded around them would have. */
static int give(struct losing *l, struct retraction *q, struct error *e)
{
    struct whatif *w = &q->outcome;
    w->falls = xmalloc((l->falls + 1) * sizeof(*w->falls));
    w->weakened = xmalloc((l->weakened + 1) * sizeof(*w->weakened));
    if (!w->falls || !w->weakened)
        return around_no_memory(e);
    for (uint32_t node = 0; node < l->around.count; node++)
        if (l->state[node] == FALLEN)
            w->falls[w->fall_count++] = node;
        else if (l->state[node] == TOUCHED)
            w->weakened[w->weakened_count++] =
                (struct whatif_weakened){node, l->before[node], l->after[node]};
    w->descends = l->around.count - q->count - l->falls - l->weakened;
    q->graph.nodes = (uint32_t)l->around.count;
    around_give(&l->around, &q->graph);
    q->labels.label = l->label;
    q->labels.holds = l->before;
    l->label = NULL;
    l->before = NULL;
    return 0;
}

int retraction_near(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e)
{
    struct losing l = {.reader = r, .around = AROUND_INIT};
    if (!reader_keeps(r))
        return 0;
    int told = links_begin(&l.around.walk, r, e) || around_roots(&l.around, rows, count, e) ||
                       around_descend(&l.around, r, e) || make_room(&l, e)
                   ? -1
                   : retract(&l, count, e);
    if (told > 0)
        told = is_settled(&l, e);
    if (told > 0 && give(&l, q, e))
        told = -1;
    release(&l);
    return told;
}
