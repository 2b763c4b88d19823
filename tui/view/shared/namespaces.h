/* Shared memory: its namespaces, each with what it is held to and how full it is. */
#ifndef STEMMA_SHARED_NAMESPACES_H
#define STEMMA_SHARED_NAMESPACES_H

#include "store/entries/entry.h"
#include "tui/widget/view.h"
#include "tui/widget/worker.h"

struct view *namespaces_view_new(struct app *x);
/* Another order of them, by its name; "": asks which. */
void namespaces_view_order(struct view *v, const char *name);

/* The namespaces of the store and what is in them, as the worker reads them for a view. */

struct namespaces_job {
    struct job job;
    struct view *view;
    struct arena arena; /* of the rows; a `done` that keeps them leaves an empty one */
    struct namespace_row *row;
    size_t count;
};

/* `ops` have the two below, and a `done` of the view's own. */
void namespaces_job_submit(struct view *v, const struct job_ops *ops);
enum job_result namespaces_job_run(struct job *job, struct reader *r, struct error *e);
void namespaces_job_release(struct job *job);

#endif
