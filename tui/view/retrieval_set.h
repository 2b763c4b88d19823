/*
 * The timelines of groups of retrievals, each from its own first to its last: the worker finds those of
 * the groups that are on the screen, and the chart of the one under the cursor.
 */
#ifndef STEMMA_VIEW_RETRIEVAL_SET_H
#define STEMMA_VIEW_RETRIEVAL_SET_H

#include "store/reasoning/retrievals.h"
#include "tui/term/paint.h"

struct app;

/* The groups of the log, as they were read. */
struct retrieval_set {
    enum retrieval_group by;
    struct retrievals *group;
    size_t count;
    int64_t total, suspect;
};

#define TIMES_BUCKETS 60  /* of a row's timeline at most */
#define CHART_BUCKETS 400 /* of the chart */

struct group_times {
    struct app *app;
    uint32_t generation;             /* of the set: what was asked of another one is dropped */
    const struct retrieval_set *set; /* NULL: none yet */
    char *agent;                     /* NULL: all */
    size_t buckets;
    struct group_time {
        int64_t *counts; /* [buckets]; NULL: not known */
        bool stale;      /* of an older set: shown until the answer comes */
    } * group;           /* [set->count] */
    bool given_up;       /* they cannot be read: this set is not asked again */
    size_t chart_group, chart_buckets;
    int64_t *chart; /* NULL: not known */
};

void group_times_open(struct group_times *t, struct app *x);
/* Also cancels what is asked. */
void group_times_release(struct group_times *t);
/* Another set takes the place of the one before, which may be freed then. */
void group_times_take(struct group_times *t, const struct retrieval_set *set, const char *agent);
/* Rows are that wide from now on. */
void group_times_width(struct group_times *t, size_t buckets);
/* Asks for those of these groups that are not known, in their order. */
void group_times_want(struct group_times *t, const size_t *groups, size_t count);
void group_times_want_chart(struct group_times *t, size_t group, size_t buckets);
/* False where it is not known yet. */
bool group_times_row(const struct group_times *t, size_t group, struct timeline *out);
bool group_times_chart(const struct group_times *t, size_t group, struct timeline *out);

#endif
