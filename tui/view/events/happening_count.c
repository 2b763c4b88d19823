#include "tui/view/events/happening_count.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "tui/explorer/app.h"
#include "tui/view/events/happening_list.h"

#define SLOT 3 /* those before it are the list's, and of what is held back */

struct count_job {
    struct job job;
    struct happening_list *list;
    int64_t seq, call, there;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct count_job *j = (struct count_job *)job;
    int64_t lines = call_count(r, j->call, e);
    j->there = j->seq + lines;
    return lines < 0 ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct count_job *j = (struct count_job *)job;
    struct happening_count *c = &j->list->count;
    if (e->code == ERROR_NONE && !c->whole) {
        c->there = (size_t)j->there + c->since;
        c->known = true;
    } else if (e->code != ERROR_NONE && e->code != ERROR_INTERRUPTED) {
        app_fail(j->list->view.app, e);
    }
}

static void release(struct job *job)
{
    free(job);
}

static const struct job_ops ops = {
    .name = "counting what happened", .run = run, .done = done, .release = release, .quiet = true};

void happening_count_begin(struct happening_list *l, int64_t seq, int64_t call)
{
    struct happening_count *c = &l->count;
    struct happening_filter wanted = happening_list_wanted(l);
    bool part = happening_filter_narrows(&wanted);
    /* What was counted before is told until it is counted anew. */
    c->known = c->known && !part && !c->part;
    c->part = part;
    c->since = c->looked = 0;
    c->whole = false;
    if (part)
        return;
    struct count_job *j = xcalloc(1, sizeof(*j));
    j->list = l;
    j->seq = seq;
    j->call = call;
    worker_submit(&l->view.app->data.worker, &j->job, &ops, l, SLOT);
}

void happening_count_looked(struct happening_count *c, size_t seen, bool back, bool ended)
{
    if (!back) {
        c->since += seen;
        c->there += seen;
    }
    if (c->whole)
        return;
    c->looked += seen;
    c->whole = back && ended;
    if (c->whole || (c->known && c->looked > c->there))
        c->there = c->looked;
    c->known |= c->whole;
}
