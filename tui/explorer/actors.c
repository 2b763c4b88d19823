#include "tui/explorer/actors.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/journal/journal.h"
#include "tui/explorer/app.h"

#define PART 16384 /* events that are looked through before others have their turn */

struct actors_job {
    struct job job;
    struct app *app;
    struct arena arena;
    const char **name; /* [count] of the part that was read last */
    size_t count;
    int64_t seq;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct actors_job *j = (struct actors_job *)job;
    arena_clear(&j->arena);
    int more = journal_actors(r, &j->arena, &j->seq, PART, &j->name, &j->count, e);
    return more < 0 ? JOB_FAILED : more ? JOB_AGAIN : JOB_DONE;
}

/* Where it stands, or would. */
static size_t place_of(const struct actors *a, const char *name)
{
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(a->name[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(struct actors *a, const char *name)
{
    size_t at = place_of(a, name);
    if (at < a->count && !strcmp(a->name[at], name))
        return;
    array_grow((void **)&a->name, &a->alloc, a->count, sizeof(*a->name));
    memmove(a->name + at + 1, a->name + at, (a->count - at) * sizeof(*a->name));
    a->name[at] = arena_strdup(&a->arena, name);
    a->count++;
}

static bool take(struct job *job)
{
    struct actors_job *j = (struct actors_job *)job;
    struct actors *a = &j->app->actors;
    size_t before = a->count;
    for (size_t i = 0; i < j->count; i++)
        add(a, j->name[i]);
    a->seq = j->seq;
    if (a->count > before)
        a->more(j->app);
    return a->count > before;
}

static void done(struct job *job, const struct error *e)
{
    if (!e->code)
        take(job);
}

static void release(struct job *job)
{
    arena_release(&((struct actors_job *)job)->arena);
    free(job);
}

static const struct job_ops job_ops = {.name = "reading who did something",
                                       .run = run,
                                       .part = take,
                                       .done = done,
                                       .release = release,
                                       .quiet = true};

void actors_read(struct app *x, void (*more)(struct app *x))
{
    x->actors.more = more;
    if (worker_has(&x->data.worker, &x->actors, 0))
        return;
    struct actors_job *j = xcalloc(1, sizeof(*j));
    j->app = x;
    j->seq = x->actors.seq;
    worker_submit(&x->data.worker, &j->job, &job_ops, &x->actors, 0);
}

void actors_release(struct app *x)
{
    free(x->actors.name);
    arena_release(&x->actors.arena);
    x->actors = (struct actors){.arena = ARENA_INIT};
}
