#include "tui/view/shared/namespaces_job.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "tui/explorer/app.h"

void namespaces_job_submit(struct view *v, const struct job_ops *ops)
{
    struct namespaces_job *j = xcalloc(1, sizeof(*j));
    j->view = v;
    j->arena = (struct arena)ARENA_INIT;
    worker_submit(&v->app->data.worker, &j->job, ops, v, 0);
}

enum job_result namespaces_job_run(struct job *job, struct reader *r, struct error *e)
{
    struct namespaces_job *j = (struct namespaces_job *)job;
    return namespace_list(r, &j->arena, &j->row, &j->count, e) ? JOB_FAILED : JOB_DONE;
}

void namespaces_job_release(struct job *job)
{
    arena_release(&((struct namespaces_job *)job)->arena);
    free(job);
}
