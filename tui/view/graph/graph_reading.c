/* The worker reads and draws; where the drawing then stands in the window. */
#include "tui/view/graph/graph_view.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"

/* What stood under the cursor, and where, so that it stands there again. */
struct anchor {
    char *id;       /* NULL: nothing was drawn */
    int64_t member; /* of those that it stood for, the first; of a memory its own row */
    int64_t row;    /* of what it hangs on, or its own */
    int32_t column, line;
};

struct drawing_job {
    struct job job;
    struct graph_view *view;
    struct scene_wishes wishes;
    struct chart_options options;
    struct drawing *before; /* held while it is laid out over */
    struct drawing *made;
    enum graph_arrival arrival;
    bool dots;
    int64_t moment, seen;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct drawing_job *j = (struct drawing_job *)job;
    j->made = drawing_make(r, &j->wishes, &j->options, j->dots, e);
    return j->made ? JOB_DONE : JOB_FAILED;
}

static struct anchor anchor_of(const struct graph_view *g)
{
    struct anchor a = {0};
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return a;
    const struct scene_node *n = drawing_scene(g->drawing, node);
    const struct layout_node *at = &graph_view_layout(g)->node[node];
    a.id = xstrdup(n->id);
    a.row = n->row;
    a.member = n->members ? n->member[0] : n->row;
    a.column = at->label_column + graph_view_badge_columns(g, node) - g->column;
    a.line = at->label_row - g->row;
    return a;
}

/* The same node, else the first of those that it stood for, else what it hung on, else the focus. */
static uint32_t find_anchor(const struct drawing *d, const struct anchor *a)
{
    uint32_t found = a->id ? drawing_find(d, a->id) : PICTURE_NONE;
    if (found == PICTURE_NONE && a->member)
        found = drawing_find_row(d, a->member);
    if (found == PICTURE_NONE && a->row)
        found = drawing_find_row(d, a->row);
    return found == PICTURE_NONE ? chart_drawn(&d->chart, 0) : found;
}

static void suggest_tidying(const struct graph_view *g)
{
    const struct drawing *d = g->drawing;
    uint64_t now = d->chart.layout.stats.segment_crossings;
    if (d->seeded && 2 * now > 3 * d->fresh + 6)
        app_say(g->view.app, "%llu lines cross; t lays it out afresh with %llu",
                (unsigned long long)now, (unsigned long long)d->fresh);
}

/* Alone, it says where there is more. */
static void say_alone(const struct graph_view *g)
{
    const struct chart *c = &g->drawing->chart;
    if (c->scene.nodes > 1)
        return;
    if (g->show == SCENE_RESTS_ON && c->total[ANCESTORS] == 0)
        app_say(g->view.app, "it rests on nothing; r shows what it carries");
    else if (g->show == SCENE_CARRIES && c->total[DESCENDANTS] == 0)
        app_say(g->view.app, "it carries nothing; f shows what it rests on");
}

/* A circle is said once, wherever the cursor is; on it the legend says it. */
static void say_circle(struct graph_view *g)
{
    const struct chart *c = &g->drawing->chart;
    struct strbuf way = STRBUF_INIT;
    if (c->scene.circles && !drawing_scene(g->drawing, graph_view_cursor(g))->on_circle) {
        strbuf_addstr(&way, "circle: ");
        graph_view_add_circle(g, chart_drawn(c, c->scene.circle[0]), &way);
        app_say(g->view.app, "%s", way.buf);
    }
    strbuf_release(&way);
}

/* One that is shown again may have been drawn before there were dots; a few are drawn at once. */
static bool has_dots(struct drawing *d)
{
    struct error e;
    if (!drawing_is_drawn(d) || d->has_small || d->chart.picture.nodes > CHART_LARGE)
        return d->has_small;
    d->has_small = drawing_make_small(d, &d->small_picture, &d->small, &e) == 0;
    if (!d->has_small) {
        layout_release(&d->small);
        picture_release(&d->small_picture);
    }
    return d->has_small;
}

/* The new drawing takes the place of the one of before. */
static void show(struct graph_view *g, struct drawing *d, enum graph_arrival arrival)
{
    struct anchor anchor = anchor_of(g);
    struct drawing *before = g->drawing;
    if (!anchor.id)
        anchor.member = g->wanted;
    if (drawing_is_drawn(before) && drawing_is_drawn(d))
        drawing_keep_way(d, before);
    g->drawing = d;
    g->dots = g->dots && has_dots(d);
    g->placed = false;
    free(g->lit);
    g->lit = NULL;
    g->picked = PICTURE_NONE;
    g->wants_outline = !drawing_is_drawn(d);
    g->view.selected = LINE_NONE;
    view_set_count(&g->view, drawing_is_drawn(d) ? d->chart.picture.nodes : 0);
    if (drawing_is_drawn(d)) {
        uint32_t node = find_anchor(d, &anchor);
        graph_view_select(g, node);
        graph_view_light(g);
        if (arrival == ARRIVE_IN_PLACE && anchor.id)
            graph_view_put_at(g, node, anchor.column, anchor.line);
        suggest_tidying(g);
        say_alone(g);
        if (arrival == ARRIVE_AT_FOCUS)
            say_circle(g);
    }
    g->wanted = drawing_is_drawn(d) ? 0 : anchor.member;
    graph_view_arrived(g, before);
    view_search_again(&g->view);
    free(anchor.id);
    drawing_drop(before);
}

void graph_view_restore(struct graph_view *g, const struct opening *o)
{
    worker_cancel(&g->view.app->data.worker, g, SLOT_DRAWING);
    g->serial = o->serial_before;
    g->seen = g->view.read_to = o->seen_before;
    g->news += o->news_missed;
    show(g, drawing_hold(o->before), ARRIVE_IN_PLACE);
}

static void done(struct job *job, const struct error *e)
{
    struct drawing_job *j = (struct drawing_job *)job;
    struct graph_view *g = j->view;
    if (e->code != ERROR_NONE) {
        snprintf(g->failed, sizeof(g->failed), "%s", e->what);
        graph_view_did_not_arrive(g);
        app_fail(g->view.app, e);
        return;
    }
    g->failed[0] = '\0';
    g->moment = j->moment;
    g->seen = j->seen;
    g->serial = ++g->last_serial;
    show(g, j->made, j->arrival);
    g->news = 0;
    g->stale = false;
    j->made = NULL;
    if (g->shade.row)
        graph_view_shade_ask(g, g->shade.row);
}

static void release_job(struct job *job)
{
    struct drawing_job *j = (struct drawing_job *)job;
    scene_wishes_release(&j->wishes);
    drawing_drop(j->before);
    drawing_drop(j->made);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "drawing the lineage", .run = run, .done = done, .release = release_job};

void graph_view_load(struct graph_view *g, enum graph_arrival arrival, struct drawing *over)
{
    struct app *x = g->view.app;
    struct drawing_job *j = xcalloc(1, sizeof(*j));
    j->view = g;
    j->arrival = arrival;
    j->dots = g->dots;
    j->moment = x->asof.moment.seq;
    view_reads(&g->view);
    j->seen = x->data.feed ? g->view.read_to : INT64_MAX;
    if (drawing_is_drawn(over))
        j->before = drawing_hold(over);
    j->options = (struct chart_options){.style = g->style,
                                        .columns = g->columns,
                                        .rows = g->rows,
                                        .ascii = !x->ui.screen.utf8,
                                        .before = j->before ? &j->before->chart : NULL};
    if (scene_wishes_copy(&j->wishes, &g->wishes)) {
        release_job(&j->job);
        app_say(x, "there is no memory left to draw it anew");
        return;
    }
    worker_submit(&x->data.worker, &j->job, &job_ops, g, SLOT_DRAWING);
}

/* ---- dots ---- */

struct dots_job {
    struct job job;
    struct graph_view *view;
    struct drawing *drawing; /* held */
    struct picture picture;
    struct layout layout;
};

static enum job_result run_dots(struct job *job, struct reader *r, struct error *e)
{
    struct dots_job *j = (struct dots_job *)job;
    (void)r;
    return drawing_make_small(j->drawing, &j->picture, &j->layout, e) ? JOB_FAILED : JOB_DONE;
}

/* In full again it stands where it stood, unless the cursor went elsewhere. */
static void show_dots(struct graph_view *g, bool dots)
{
    g->dots = dots;
    if (dots) {
        g->full_column = g->column;
        g->full_row = g->row;
        g->full_cursor = g->view.selected;
    }
    graph_view_place(g);
    if (!dots && g->full_cursor == g->view.selected) {
        g->column = g->full_column;
        g->row = g->full_row;
    }
    graph_view_reveal(g);
}

static void done_dots(struct job *job, const struct error *e)
{
    struct dots_job *j = (struct dots_job *)job;
    if (e->code != ERROR_NONE) {
        app_fail(j->view->view.app, e);
        return;
    }
    if (j->view->drawing != j->drawing || j->drawing->has_small)
        return;
    struct drawing *d = j->drawing;
    d->small_picture = j->picture;
    d->small = j->layout;
    d->small.picture = &d->small_picture;
    d->has_small = true;
    j->picture = (struct picture)PICTURE_INIT;
    j->layout = (struct layout){0};
    show_dots(j->view, true);
}

static void release_dots(struct job *job)
{
    struct dots_job *j = (struct dots_job *)job;
    layout_release(&j->layout);
    picture_release(&j->picture);
    drawing_drop(j->drawing);
    free(j);
}

static const struct job_ops dots_ops = {
    .name = "drawing it small", .run = run_dots, .done = done_dots, .release = release_dots};

void graph_view_set_dots(struct graph_view *g, bool dots)
{
    if (!drawing_is_drawn(g->drawing) || dots == g->dots)
        return;
    if (!dots || g->drawing->has_small) {
        show_dots(g, dots);
        return;
    }
    struct dots_job *j = xcalloc(1, sizeof(*j));
    j->view = g;
    j->drawing = drawing_hold(g->drawing);
    j->picture = (struct picture)PICTURE_INIT;
    worker_submit(&g->view.app->data.worker, &j->job, &dots_ops, g, SLOT_SMALL);
}
