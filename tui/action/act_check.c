/* Is what an attribution keeps, or a file, what the retrieval recorded? Hashed by the worker, however long. */
#include "tui/action/actions.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/reasoning/retrievals.h"
#include "tui/explorer/app.h"
#include "tui/render/file_hash.h"

static bool is_retrieval(struct app *x, int64_t node)
{
    const struct memory_row *row = node > 0 ? details_row(x, node) : NULL;
    return row && row->ref.kind == KIND_ATTRIBUTION;
}

/* The one under the cursor, where it is one, else what the view is about. */
static int64_t here(struct app *x)
{
    int64_t node = view_node(x->nav.top);
    return is_retrieval(x, node) ? node : view_about(x->nav.top);
}

const char *blocked_check(struct app *x)
{
    return is_retrieval(x, here(x)) ? NULL : "only a logged retrieval has a hash to check";
}

struct check_job {
    struct job job;
    struct app *app;
    int64_t node;
    char *path; /* NULL: what is stored */
    struct retrieval_checked checked;
};

static int tick(void *arg, int64_t bytes)
{
    struct check_job *j = arg;
    (void)bytes;
    return atomic_load(&j->job.cancelled);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct check_job *j = (struct check_job *)job;
    struct arena arena = ARENA_INIT;
    struct digest found;
    int result = j->path ? file_hash(j->path, tick, j, &found, e) : 0;
    if (!result)
        result = retrieval_compare(r, &arena, j->node, j->path ? &found : NULL, &j->checked, e);
    j->checked.ref.id = NULL; /* it is in the arena */
    arena_release(&arena);
    return result ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct check_job *j = (struct check_job *)job;
    const char *what = j->path ? j->path : "the stored content";
    if (e->code) {
        app_fail(j->app, e);
        return;
    }
    switch (j->checked.result) {
    case HASH_EQUAL:
        app_say(j->app, "equal: %s has the hash that was recorded", what);
        break;
    case HASH_DIFFERS:
        app_say(j->app, "differs: %s has another hash than was recorded", what);
        break;
    case HASH_ABSENT:
        app_say(j->app, "no hash was recorded, so %s cannot be checked", what);
        break;
    case HASH_NOTHING:
        app_say(j->app, "no content is kept, only its hash: :check FILE compares a file");
        break;
    }
}

static void release(struct job *job)
{
    struct check_job *j = (struct check_job *)job;
    free(j->path);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "checking a hash", .run = run, .done = done, .release = release};

void act_check(struct app *x, const char *argument)
{
    struct check_job *j = xcalloc(1, sizeof(*j));
    const char *home = getenv("HOME");
    j->app = x;
    j->node = here(x);
    if (strncmp(argument, "~/", 2) == 0 && home)
        j->path = xformat("%s%s", home, argument + 1);
    else if (*argument)
        j->path = xstrdup(argument);
    worker_submit(&x->data.worker, &j->job, &job_ops, &job_ops, 0);
}
