/* The drawing of a lineage: its view_ops, and reading a drawing on the worker. */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/view/graph/graph_view.h"

/* ---- nodes and lines ---- */

const struct layout *graph_view_layout(const struct graph_view *g)
{
    return g->dots ? &g->drawing->small : &g->drawing->chart.layout;
}

static uint32_t drawn_at(const struct graph_view *g, size_t line)
{
    if (!drawing_is_drawn(g->drawing) || line >= g->drawing->chart.picture.nodes)
        return PICTURE_NONE;
    return g->drawing->chart.layout.layer_node[line];
}

uint32_t graph_view_cursor(const struct graph_view *g)
{
    return drawn_at(g, g->view.cursor);
}

void graph_view_select(struct graph_view *g, uint32_t node)
{
    view_select(&g->view, moves_line(&g->drawing->moves, node));
}

static void moved(struct view *v)
{
    graph_view_light(graph_of(v));
    graph_view_reveal(graph_of(v));
}

/* ---- header texts ---- */

static void title(struct view *v, struct strbuf *out)
{
    static const char *const words[] = {
        [SHOW_ANCESTORS] = "based on", [SHOW_DESCENDANTS] = "used by", [SHOW_BOTH] = "lineage"};
    strbuf_addf(out, "%s %s", details_name(v->app, &graph_of(v)->name), words[graph_of(v)->show]);
}

uint32_t graph_view_on_screen(const struct graph_view *g, uint8_t *seen)
{
    const struct layout *layout = graph_view_layout(g);
    uint32_t count = 0;
    for (uint32_t i = 0; i < layout->picture->nodes; i++) {
        const struct layout_node *n = &layout->node[i];
        int row = n->label_row - g->row, column = n->label_column - g->column;
        bool on = row + n->label_rows > 0 && row < g->rows && column < g->columns &&
                  column + n->label_columns > 0;
        count += on;
        if (seen)
            seen[i] = on;
    }
    return count;
}

/* If some are outside of the screen, that comes first, since the last part is dropped first. */
static void counts(struct view *v, struct strbuf *out)
{
    struct graph_view *g = graph_of(v);
    const char *dot = glyph_text(&v->ui->screen, GLYPH_DOT);
    if (!drawing_is_drawn(g->drawing))
        return;
    const struct chart *c = &g->drawing->chart;
    static const char *const words[] = {"based on", "used by"};
    uint32_t all = c->picture.nodes, seen = graph_view_on_screen(g, NULL);
    if (seen < all)
        strbuf_addf(out, "%u of %u on screen %s ", seen, all, dot);
    for (int side = 0; side < 2; side++)
        strbuf_addf(out, "%s%s%s%s %zu%s", side ? " " : "", side ? dot : "", side ? " " : "",
                    words[side], c->total[side], c->total_bounded[side] ? "+" : "");
    if (seen == all)
        strbuf_addf(out, " %s %u in view", dot, all);
    if (c->subgraph.circles)
        strbuf_addf(out, " %s %zu circle%s", dot, c->subgraph.circles,
                    c->subgraph.circles == 1 ? "" : "s");
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct graph_view *g = graph_of(v);
    if (!drawing_is_drawn(g->drawing))
        return;
    if (g->changes)
        strbuf_addf(out, "%zu%s new, press R", g->changes, g->stale ? "+" : "");
    else if (g->stale)
        strbuf_addstr(out, "changed, press R");
}

/* Numbers of nodes mean nothing to a person. */
static void position(struct view *v, struct strbuf *out)
{
    (void)v;
    (void)out;
}

static struct line_subject subject_at(struct view *v, size_t line)
{
    struct line_subject s = {0};
    uint32_t node = drawn_at(graph_of(v), line);
    if (node == PICTURE_NONE)
        return s;
    const struct subgraph_node *n = drawing_subgraph(graph_of(v)->drawing, node);
    s.node = subgraph_is_single(n) ? n->row : 0;
    return s;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    uint32_t node = drawn_at(graph_of(v), line);
    if (node == PICTURE_NONE)
        return;
    const struct drawing *d = graph_of(v)->drawing;
    const struct subgraph_node *n = drawing_subgraph(d, node);
    if (subgraph_is_single(n))
        strbuf_addf(out, "%s %s", n->id, drawing_chart(d, node)->text);
    else
        strbuf_addstr(out, drawing_chart(d, node)->label);
}

static void draw_instead(struct graph_view *g, const struct pane *p)
{
    const char *more = g->view.ui->screen.utf8 ? "…" : "...";
    g->view.ui->screen.cursor_y = p->y;
    g->view.ui->screen.cursor_x = p->x;
    if (g->failed[0])
        paint_text(p, p->height > 2 ? 1 : 0, 3, p->width - 3, STYLE_DIM, g->failed);
    else
        paint_format(p, p->height > 2 ? 1 : 0, 3, p->width - 3, STYLE_DIM,
                     "following the lineage%s", more);
}

static void draw(struct view *v, const struct pane *p)
{
    struct graph_view *g = graph_of(v);
    int legend = graph_view_legend_rows(g, p->height);
    struct pane body = pane_part(p, 0, 0, p->height - legend, p->width);
    v->width = p->width;
    graph_view_resize(g, body.width, body.height);
    if (!drawing_is_drawn(g->drawing)) {
        draw_instead(g, p);
        return;
    }
    graph_view_paint(g, &body);
    if (g->legend == LEGEND_WHOLE)
        graph_view_legend_draw_whole(g, &body);
    if (legend) {
        struct pane row = pane_row(p, p->height - 1);
        graph_view_legend_draw(g, &row);
    }
}

static size_t line_at(struct view *v, int row, int column)
{
    struct graph_view *g = graph_of(v);
    uint32_t node = graph_view_node_in(g, row, column);
    return node == PICTURE_NONE ? LINE_NONE : moves_line(&g->drawing->moves, node);
}

static void wheel(struct view *v, long rows)
{
    graph_view_pan(graph_of(v), 0, (int)rows);
}

static void draw_preview(struct view *v, const struct pane *p)
{
    graph_view_group_preview(graph_of(v), p);
}

/* ---- requests ---- */

static void open_node(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    if (subgraph_is_single(n))
        app_open_memory(g->view.app, n->row);
    else
        graph_view_expand(&g->view);
}

/* Removes the last overlay. */
static bool clear_last(struct graph_view *g)
{
    if (g->legend == LEGEND_WHOLE)
        g->legend = LEGEND_LINE;
    else if (g->highlight.row)
        graph_view_ask_highlight(g, 0, 0);
    else if (g->dots)
        graph_view_set_dots(g, false);
    else
        return false;
    return true;
}

static bool request(struct view *v, enum view_request request)
{
    struct graph_view *g = graph_of(v);
    switch (request) {
    case REQUEST_OPEN:
        open_node(g);
        break;
    case REQUEST_NEXT_SECTION:
    case REQUEST_PREVIOUS_SECTION:
        graph_view_pick(g, request == REQUEST_NEXT_SECTION ? 1 : -1);
        break;
    case REQUEST_REFRESH:
        graph_view_load(g, ARRIVE_IN_PLACE, g->drawing);
        break;
    case REQUEST_UP:
    case REQUEST_DOWN:
        graph_view_walk(g, request == REQUEST_UP ? MOVE_UP : MOVE_DOWN);
        break;
    case REQUEST_LEFT:
    case REQUEST_RIGHT:
        graph_view_walk(g, request == REQUEST_LEFT ? MOVE_LEFT : MOVE_RIGHT);
        break;
    case REQUEST_FIRST:
        if (drawing_is_drawn(g->drawing))
            graph_view_select(g, chart_drawn(&g->drawing->chart, 0));
        break;
    case REQUEST_LAST:
        graph_view_go_last(g);
        break;
    case REQUEST_HALF_UP:
    case REQUEST_HALF_DOWN:
        graph_view_pan(g, 0, request == REQUEST_HALF_UP ? -g->rows / 2 : g->rows / 2);
        break;
    case REQUEST_PAGE_UP:
    case REQUEST_PAGE_DOWN:
        graph_view_pan(g, 0, request == REQUEST_PAGE_UP ? -g->rows : g->rows);
        break;
    case REQUEST_PAN_LEFT:
    case REQUEST_PAN_RIGHT:
        graph_view_pan(g, request == REQUEST_PAN_LEFT ? -g->columns / 2 : g->columns / 2, 0);
        break;
    case REQUEST_MORE:
        graph_view_expand(&g->view);
        break;
    case REQUEST_LESS:
        graph_view_collapse(&g->view);
        break;
    case REQUEST_CLEAR:
        return clear_last(g);
    default:
        return false;
    }
    return true;
}

static void release(struct view *v)
{
    struct graph_view *g = graph_of(v);
    subgraph_request_release(&g->request);
    graph_highlight_release(&g->highlight);
    drawing_drop(g->drawing);
    graph_view_release_openings(g);
    free(g->lit);
}

static const struct view_ops graph_ops = {
    .name = "lineage",
    .has = HAS_MEMORIES | HAS_LINEAGE | HAS_DRAWING,
    .bar = "show,based-on,used-by,both=both,more=more,less=less,highlight",
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .draw = draw,
    .line_at = line_at,
    .wheel = wheel,
    .subject = subject_at,
    .text = text,
    .request = request,
    .position = position,
    .moved = moved,
    .notify = graph_view_notify,
    .draw_preview = draw_preview,
    .release = release,
};

bool view_is_graph(const struct view *v)
{
    return v->ops == &graph_ops;
}

struct view *graph_view_new(struct app *x, int64_t node, enum subgraph_show show,
                            enum chart_style style)
{
    struct graph_view *g = xcalloc(1, sizeof(*g));
    view_init(&g->view, &graph_ops, &x->ui);
    g->focus = node;
    g->show = show;
    g->style = style;
    g->request = (struct subgraph_request)SUBGRAPH_REQUEST_INIT;
    g->request.focus = node;
    g->request.show = show;
    g->picked = PICTURE_NONE;
    details_name_open(x, &g->name, node);
    app_room(x, &graph_ops, &g->rows, &g->columns);
    g->rows -= graph_view_legend_rows(g, g->rows);
    graph_view_load(g, ARRIVE_AT_FOCUS, NULL);
    return &g->view;
}

/* The node under the cursor and its position, to restore both. */
struct anchor {
    char *id;       /* NULL without a drawing */
    int64_t member; /* its first member; for a single memory its own row */
    int64_t row;    /* the memory that it is attached to, or its own row */
    int32_t column, line;
};

struct drawing_job {
    struct job job;
    struct graph_view *view;
    struct subgraph_request request;
    struct chart_options options;
    struct drawing *before; /* referenced while the new one is laid out over it */
    struct drawing *made;
    enum graph_arrival arrival;
    unsigned epoch;
    int64_t seen;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct drawing_job *j = (struct drawing_job *)job;
    j->made = drawing_make(r, &j->request, &j->options, e);
    return j->made ? JOB_DONE : JOB_FAILED;
}

static struct anchor anchor_of(const struct graph_view *g)
{
    struct anchor a = {0};
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return a;
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    const struct layout_node *at = &graph_view_layout(g)->node[node];
    a.id = xstrdup(n->id);
    a.row = n->row;
    a.member = n->members ? n->member[0] : n->row;
    a.column = at->label_column + graph_view_badge_columns(g, node) - g->column;
    a.line = at->label_row - g->row;
    return a;
}

/* The same node, else its first member, else the node it was attached to, else the focus. */
static uint32_t find_anchor(const struct drawing *d, const struct anchor *a)
{
    uint32_t found = a->id ? drawing_find(d, a->id) : PICTURE_NONE;
    if (found == PICTURE_NONE && a->member)
        found = drawing_find_row(d, a->member);
    if (found == PICTURE_NONE && a->row)
        found = drawing_find_row(d, a->row);
    return found == PICTURE_NONE ? chart_drawn(&d->chart, 0) : found;
}

/* Shows a hint if the focus is the only node. */
static void report_alone(const struct graph_view *g)
{
    const struct chart *c = &g->drawing->chart;
    if (c->subgraph.nodes > 1)
        return;
    if (g->show == SHOW_ANCESTORS && c->total[ANCESTORS] == 0)
        ui_message(g->view.ui, "it is based on nothing; r shows what is based on it");
    else if (g->show == SHOW_DESCENDANTS && c->total[DESCENDANTS] == 0)
        ui_message(g->view.ui, "nothing is based on it; f shows what it is based on");
}

/* Reports a cycle once. The legend shows it while the cursor is on it. */
static void report_cycle(struct graph_view *g)
{
    const struct chart *c = &g->drawing->chart;
    AUTO_STRBUF way = STRBUF_INIT;
    if (c->subgraph.circles && !drawing_subgraph(g->drawing, graph_view_cursor(g))->on_circle) {
        strbuf_addstr(&way, "circle: ");
        graph_view_add_circle(g, chart_drawn(c, c->subgraph.circle[0]), &way);
        ui_message(g->view.ui, "%s", way.buf);
    }
}

/* Replaces the drawing. */
static void show(struct graph_view *g, struct drawing *d, enum graph_arrival arrival)
{
    struct anchor anchor = anchor_of(g);
    struct drawing *before = g->drawing;
    if (!anchor.id)
        anchor.member = g->wanted;
    g->drawing = d;
    g->dots = g->dots && drawing_is_drawn(d);
    g->placed = false;
    free(g->lit);
    g->lit = NULL;
    g->picked = PICTURE_NONE;
    g->wants_outline = !drawing_is_drawn(d);
    g->view.cursor = LINE_NONE;
    view_set_count(&g->view, drawing_is_drawn(d) ? d->chart.picture.nodes : 0);
    if (drawing_is_drawn(d)) {
        uint32_t node = find_anchor(d, &anchor);
        graph_view_select(g, node);
        graph_view_light(g);
        if (arrival == ARRIVE_IN_PLACE && anchor.id)
            graph_view_put_at(g, node, anchor.column, anchor.line);
        report_alone(g);
        if (arrival == ARRIVE_AT_FOCUS)
            report_cycle(g);
    }
    g->wanted = drawing_is_drawn(d) ? 0 : anchor.member;
    graph_view_loaded(g);
    view_search_again(&g->view);
    free(anchor.id);
    drawing_drop(before);
}

void graph_view_restore(struct graph_view *g, struct drawing *before)
{
    worker_cancel(&g->view.ui->data->worker, g, SLOT_DRAWING);
    g->view.read_to = before->seen;
    g->view.epoch = before->epoch;
    show(g, drawing_hold(before), ARRIVE_IN_PLACE);
    g->changes = 0;
    g->stale = false;
    graph_view_notify(&g->view, NULL, 0, true); /* changes since the read */
}

static void done(struct job *job, const struct error *e)
{
    struct drawing_job *j = (struct drawing_job *)job;
    struct graph_view *g = j->view;
    if (e->code != ERROR_NONE) {
        snprintf(g->failed, sizeof(g->failed), "%s", e->what);
        graph_view_load_failed(g);
        ui_error(g->view.ui, e);
        return;
    }
    g->failed[0] = '\0';
    g->request.fan = j->request.fan;
    g->request.gather = j->request.gather;
    g->request.budget = j->request.budget;
    free(g->request.first);
    g->request.first = j->request.first;
    g->request.firsts = j->request.firsts;
    j->request.first = NULL;
    j->made->epoch = j->epoch;
    j->made->seen = j->seen;
    show(g, j->made, j->arrival);
    g->changes = 0;
    g->stale = false;
    j->made = NULL;
    if (g->highlight.row)
        graph_view_ask_highlight(g, g->highlight.kind, g->highlight.row);
}

static void release_job(struct job *job)
{
    struct drawing_job *j = (struct drawing_job *)job;
    subgraph_request_release(&j->request);
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
    view_read_begin(&g->view);
    j->epoch = g->view.epoch;
    j->seen = x->data.feed ? g->view.read_to : INT64_MAX;
    if (drawing_is_drawn(over))
        j->before = drawing_hold(over);
    else if (g->openings == 0)
        chart_request_room(&g->request, g->columns, g->rows);
    j->options = (struct chart_options){.style = g->style,
                                        .columns = g->columns,
                                        .rows = g->rows,
                                        .ascii = !x->ui.screen.utf8,
                                        .before = j->before ? &j->before->chart : NULL};
    subgraph_request_copy(&j->request, &g->request);
    worker_submit(&x->data.worker, &j->job, &job_ops, g, SLOT_DRAWING);
}

/* ---- dots ---- */

/* Going back from dots restores the window, unless the cursor moved. */
void graph_view_set_dots(struct graph_view *g, bool dots)
{
    if (!drawing_is_drawn(g->drawing) || dots == g->dots)
        return;
    g->dots = dots;
    if (dots) {
        g->full_column = g->column;
        g->full_row = g->row;
        g->full_cursor = g->view.cursor;
    }
    graph_view_place(g);
    if (!dots && g->full_cursor == g->view.cursor) {
        g->column = g->full_column;
        g->row = g->full_row;
    }
    graph_view_reveal(g);
}
