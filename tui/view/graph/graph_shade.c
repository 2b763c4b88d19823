/* What would lose its support without a memory, asked of the worker. */
#include "tui/view/graph/graph_view.h"

#include "model/base/alloc.h"
#include "model/graph/lineage.h"
#include "model/base/strbuf.h"
#include "store/lineage/tracing.h"

struct shade_job {
    struct job job;
    struct graph_view *view;
    struct shade shade;
    bool again; /* it was said before */
};

void shade_release(struct shade *s)
{
    free(s->falls);
    free(s->weakened);
    *s = (struct shade){0};
}

static int compare_rows(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t *rows_of(size_t count)
{
    return xmalloc((count ? count : 1) * sizeof(int64_t));
}

static int fill(struct shade *s, const struct graph *g, const struct whatif *what)
{
    s->falls = rows_of(what->fall_count);
    s->weakened = rows_of(what->weakened_count);
    if (!s->falls || !s->weakened)
        return -1;
    for (size_t i = 0; i < what->fall_count; i++)
        s->falls[s->fall_count++] = graph_row(g, what->falls[i]);
    for (size_t i = 0; i < what->weakened_count; i++)
        s->weakened[s->weakened_count++] = graph_row(g, what->weakened[i].node);
    if (s->fall_count)
        qsort(s->falls, s->fall_count, sizeof(*s->falls), compare_rows);
    if (s->weakened_count)
        qsort(s->weakened, s->weakened_count, sizeof(*s->weakened), compare_rows);
    return 0;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct shade *s = &((struct shade_job *)job)->shade;
    struct retraction q;
    if (reader_begin(r, e))
        return JOB_FAILED;
    int failed = retraction_load(&q, r, &s->row, 1, e);
    if (!failed)
        fill(s, &q.graph, &q.outcome);
    retraction_release(&q);
    reader_end(r);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void say(struct graph_view *g)
{
    const struct shade *s = &g->shade;
    const struct memory_row *row = details_row(g->view.app, s->row);
    struct strbuf said = STRBUF_INIT;
    strbuf_addstr(&said, "without ");
    if (row)
        details_ref(g->view.app, row, &said);
    else
        strbuf_addstr(&said, "it");
    if (s->fall_count + s->weakened_count == 0)
        strbuf_addstr(&said, " everything stands as it does");
    else
        strbuf_addf(&said, ", %zu would fall and %zu be weakened", s->fall_count,
                    s->weakened_count);
    app_say(g->view.app, "%s", said.buf);
    strbuf_release(&said);
}

static void done(struct job *job, const struct error *e)
{
    struct shade_job *j = (struct shade_job *)job;
    if (e->code != ERROR_NONE) {
        app_fail(j->view->view.app, e);
        return;
    }
    shade_release(&j->view->shade);
    j->view->shade = j->shade;
    j->view->shade.known = true;
    j->shade = (struct shade){0};
    if (!j->again)
        say(j->view);
}

static void release_job(struct job *job)
{
    shade_release(&((struct shade_job *)job)->shade);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "what if", .run = run, .done = done, .release = release_job};

void graph_view_shade_ask(struct graph_view *g, int64_t row)
{
    if (row == 0) {
        worker_cancel(&g->view.app->data.worker, g, SLOT_SHADE);
        shade_release(&g->shade);
        return;
    }
    struct shade_job *j = xcalloc(1, sizeof(*j));
    j->view = g;
    j->again = g->shade.row == row;
    j->shade.row = row;
    worker_submit(&g->view.app->data.worker, &j->job, &job_ops, g, SLOT_SHADE);
}

static bool has_row(const int64_t *rows, size_t count, int64_t row)
{
    return count && bsearch(&row, rows, count, sizeof(*rows), compare_rows);
}

static enum shading shading_of(const struct shade *s, int64_t row)
{
    return row == s->row                                  ? SHADING_ROOT
           : has_row(s->falls, s->fall_count, row)        ? SHADING_FALLS
           : has_row(s->weakened, s->weakened_count, row) ? SHADING_WEAKENED
                                                          : SHADING_NONE;
}

/* What stands for several is shaded as the worst of them. */
enum shading graph_view_shading(const struct graph_view *g, uint32_t node)
{
    const struct scene_node *n = drawing_scene(g->drawing, node);
    enum shading worst = SHADING_NONE;
    if (!g->shade.known)
        return SHADING_NONE;
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST)
        return shading_of(&g->shade, n->row);
    for (size_t i = 0; n->sort != SCENE_MORE && i < n->members; i++) {
        enum shading one = shading_of(&g->shade, n->member[i]);
        worst = one > worst ? one : worst;
    }
    return worst;
}

void graph_view_count_shaded(const struct graph_view *g, size_t count[SHADING_ROOT + 1])
{
    memset(count, 0, (SHADING_ROOT + 1) * sizeof(*count));
    for (uint32_t i = 0; i < g->drawing->chart.picture.nodes; i++) {
        const struct scene_node *n = drawing_scene(g->drawing, i);
        bool single = n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST;
        if (single)
            count[shading_of(&g->shade, n->row)]++;
        for (size_t k = 0; !single && n->sort != SCENE_MORE && k < n->members; k++)
            count[shading_of(&g->shade, n->member[k])]++;
    }
}
