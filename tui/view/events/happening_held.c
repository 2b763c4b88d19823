#include "tui/view/events/happening_held.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "tui/explorer/app.h"
#include "tui/view/events/happening_list.h"

#define SLOT     2 /* those before it are the list's */
#define SLICE_MS 20

struct held_job {
    struct job job;
    struct happening_list *list;
    struct happening_walk walk;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    int more = happening_walk_on(&((struct held_job *)job)->walk, r, SLICE_MS, e);
    return more < 0 ? JOB_FAILED : more ? JOB_AGAIN : JOB_DONE;
}

/* They are counted and read again when they are shown: however many came, none is kept. */
static bool part(struct job *job)
{
    struct held_job *j = (struct held_job *)job;
    struct happening_held *held = &j->list->held;
    struct happening_walk *w = &j->walk;
    bool any = w->count > 0;
    held->count += w->count;
    held->seq = w->seq;
    held->call = w->call;
    while (w->count > 0)
        free(w->found[--w->count]);
    return any;
}

static void done(struct job *job, const struct error *e)
{
    if (e->code == ERROR_NONE)
        part(job);
    else if (e->code != ERROR_INTERRUPTED)
        app_fail(((struct held_job *)job)->list->view.app, e);
}

static void release(struct job *job)
{
    happening_walk_release(&((struct held_job *)job)->walk);
    free(job);
}

static const struct job_ops ops = {.name = "counting what is held back",
                                   .run = run,
                                   .part = part,
                                   .done = done,
                                   .release = release,
                                   .quiet = true};

void happening_held_count(struct happening_list *l)
{
    struct app *x = l->view.app;
    struct happening_held *held = &l->held;
    held->wanted = true;
    if (!l->begun || l->asked || worker_has(&x->data.worker, l, SLOT))
        return;
    if (!held->begun)
        *held =
            (struct happening_held){.begun = true, .seq = l->newest_seq, .call = l->newest_call};
    held->wanted = false;
    struct held_job *j = xcalloc(1, sizeof(*j));
    j->list = l;
    j->walk.filter = happening_list_wanted(l);
    j->walk.begun = true;
    j->walk.seq = held->seq;
    j->walk.call = held->call;
    worker_submit(&x->data.worker, &j->job, &ops, l, SLOT);
}

void happening_held_go_on(struct happening_list *l)
{
    if (l->held.wanted && l->view.app->remote.paused)
        happening_held_count(l);
}

void happening_held_clear(struct happening_list *l)
{
    worker_cancel(&l->view.app->data.worker, l, SLOT);
    l->held = (struct happening_held){.wanted = true};
}

size_t happening_held_from(const struct view *v)
{
    return ((const struct happening_list *)v)->held.count;
}
