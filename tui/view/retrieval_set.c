#include "tui/view/retrieval_set.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "tui/explorer/app.h"

/* Those without a name are a group as well. */
static bool same_name(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* The group of that name; SIZE_MAX: there is none. Those without a name are a group as well. */
static size_t retrieval_set_find(const struct retrieval_set *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (same_name(s->group[i].name, name))
            return i;
    return SIZE_MAX;
}

enum slot {
    SLOT_ROWS = 0,
    SLOT_CHART
};
#define BATCH 16 /* groups of one job: the first rows need not wait for the last */

struct times_job {
    struct job job;
    struct group_times *times;
    uint32_t generation;
    enum retrieval_group by;
    char *agent;
    size_t buckets, count;
    size_t found, taken; /* of them */
    int64_t first[BATCH], last[BATCH];
    size_t group[BATCH];
    char *name[BATCH];
    int64_t *counts[BATCH];
};

static bool can_ask(const struct group_times *t)
{
    return t->set && t->group && !t->given_up;
}

/* ---- the job ---- */

/* A group at a time, so that shorter questions get their turn. */
static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct times_job *j = (struct times_job *)job;
    size_t i = j->found;
    if (i == j->count)
        return JOB_DONE;
    j->counts[i] = xcalloc(j->buckets, sizeof(*j->counts[i]));
    if (retrievals_timeline(r, j->by, j->name[i], j->agent, j->first[i], j->last[i], j->buckets,
                            j->counts[i], e))
        return JOB_FAILED;
    return ++j->found < j->count ? JOB_AGAIN : JOB_DONE;
}

static void take_row(struct group_times *t, struct times_job *j, size_t i)
{
    struct group_time *g = &t->group[j->group[i]];
    free(g->counts);
    *g = (struct group_time){j->counts[i], false};
    j->counts[i] = NULL;
}

/* Those that are found so far; false where there is none that is not shown yet. */
static bool take_rows(struct times_job *j)
{
    struct group_times *t = j->times;
    size_t before = j->taken;
    if (j->generation != t->generation || j->buckets != t->buckets)
        return false;
    for (; j->taken < j->found; j->taken++)
        take_row(t, j, j->taken);
    return j->taken > before;
}

static bool rows_part(struct job *job)
{
    return take_rows((struct times_job *)job);
}

/* An error is told once, and not asked for again. */
static bool gives_up(struct group_times *t, const struct error *e)
{
    if (e->code != ERROR_NONE && !t->given_up)
        app_fail(t->app, e);
    t->given_up = t->given_up || e->code != ERROR_NONE;
    return t->given_up;
}

static void rows_done(struct job *job, const struct error *e)
{
    struct times_job *j = (struct times_job *)job;
    take_rows(j);
    if (j->generation == j->times->generation)
        gives_up(j->times, e);
}

static void chart_done(struct job *job, const struct error *e)
{
    struct times_job *j = (struct times_job *)job;
    struct group_times *t = j->times;
    if (j->generation != t->generation || gives_up(t, e))
        return;
    free(t->chart);
    t->chart = j->counts[0];
    t->chart_group = j->group[0];
    t->chart_buckets = j->buckets;
    j->counts[0] = NULL;
}

static void release(struct job *job)
{
    struct times_job *j = (struct times_job *)job;
    for (size_t i = 0; i < j->count; i++) {
        free(j->name[i]);
        free(j->counts[i]);
    }
    free(j->agent);
    free(j);
}

static const struct job_ops rows_ops = {.name = "timelines",
                                        .run = run,
                                        .part = rows_part,
                                        .done = rows_done,
                                        .release = release,
                                        .quiet = true};
static const struct job_ops chart_ops = {
    .name = "a timeline", .run = run, .done = chart_done, .release = release, .quiet = true};

static void submit(struct group_times *t, const struct job_ops *ops, int slot, const size_t *groups,
                   size_t count, size_t buckets)
{
    struct times_job *j = xcalloc(1, sizeof(*j));
    j->times = t;
    j->generation = t->generation;
    j->by = t->set->by;
    j->agent = t->agent ? xstrdup(t->agent) : NULL;
    j->buckets = buckets;
    for (size_t i = 0; i < count; i++) {
        const char *name = t->set->group[groups[i]].name;
        char *copy = name ? xstrdup(name) : NULL;
        j->group[j->count] = groups[i];
        j->first[j->count] = t->set->group[groups[i]].first;
        j->last[j->count] = t->set->group[groups[i]].last;
        j->name[j->count++] = copy;
    }
    worker_submit(&t->app->data.worker, &j->job, ops, t, slot);
}

/* ---- what is known ---- */

void group_times_open(struct group_times *t, struct app *x)
{
    *t = (struct group_times){.app = x};
}

static void forget(struct group_times *t)
{
    for (size_t i = 0; t->set && t->group && i < t->set->count; i++)
        free(t->group[i].counts);
    free(t->group);
    t->group = NULL;
    free(t->chart);
    t->chart = NULL;
}

void group_times_release(struct group_times *t)
{
    worker_cancel_owner(&t->app->data.worker, t);
    forget(t);
    free(t->agent);
    *t = (struct group_times){.app = t->app};
}

/* What is shown of a group goes on being shown until it is known anew. */
static void inherit(const struct group_times *t, const struct retrieval_set *set,
                    struct group_time *group)
{
    for (size_t i = 0; t->group && i < t->set->count; i++) {
        size_t at = t->group[i].counts ? retrieval_set_find(set, t->set->group[i].name) : SIZE_MAX;
        if (at == SIZE_MAX)
            continue;
        group[at] = (struct group_time){t->group[i].counts, true};
        t->group[i].counts = NULL;
    }
}

void group_times_take(struct group_times *t, const struct retrieval_set *set, const char *agent)
{
    struct group_time *group = xcalloc(set->count + 1, sizeof(*group));
    if (t->set && t->set->by == set->by)
        inherit(t, set, group);
    forget(t);
    t->generation++;
    t->given_up = false;
    t->set = set;
    t->group = group;
    free(t->agent);
    t->agent = agent ? xstrdup(agent) : NULL;
}

void group_times_width(struct group_times *t, size_t buckets)
{
    buckets = buckets < TIMES_BUCKETS ? buckets : TIMES_BUCKETS;
    if (buckets == t->buckets)
        return;
    for (size_t i = 0; t->group && i < t->set->count; i++) {
        free(t->group[i].counts);
        t->group[i].counts = NULL;
    }
    t->buckets = buckets;
}

void group_times_want(struct group_times *t, const size_t *groups, size_t count)
{
    size_t wanted[BATCH], found = 0;
    if (!can_ask(t) || t->buckets == 0 || worker_has(&t->app->data.worker, t, SLOT_ROWS))
        return;
    for (size_t i = 0; i < count && found < BATCH; i++)
        if (!t->group[groups[i]].counts || t->group[groups[i]].stale)
            wanted[found++] = groups[i];
    if (found > 0)
        submit(t, &rows_ops, SLOT_ROWS, wanted, found, t->buckets);
}

void group_times_want_chart(struct group_times *t, size_t group, size_t buckets)
{
    buckets = buckets < CHART_BUCKETS ? buckets : CHART_BUCKETS;
    bool known = t->chart && t->chart_group == group && t->chart_buckets == buckets;
    if (!can_ask(t) || known || group >= t->set->count || buckets == 0 ||
        worker_has(&t->app->data.worker, t, SLOT_CHART))
        return;
    submit(t, &chart_ops, SLOT_CHART, &group, 1, buckets);
}

bool group_times_row(const struct group_times *t, size_t group, struct timeline *out)
{
    if (!t->group || group >= t->set->count || !t->group[group].counts)
        return false;
    const struct retrievals *g = &t->set->group[group];
    *out = (struct timeline){g->first, g->last, t->group[group].counts, t->buckets};
    return true;
}

bool group_times_chart(const struct group_times *t, size_t group, struct timeline *out)
{
    if (!t->chart || t->chart_group != group || group >= t->set->count)
        return false;
    const struct retrievals *g = &t->set->group[group];
    *out = (struct timeline){g->first, g->last, t->chart, t->chart_buckets};
    return true;
}
