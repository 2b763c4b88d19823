#include "tui/view/graph/graph_view.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"

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
    return drawn_at(g, g->view.selected);
}

void graph_view_select(struct graph_view *g, uint32_t node)
{
    view_select(&g->view, g->drawing->line[node]);
}

static void selected(struct view *v)
{
    graph_view_light(graph_of(v));
    graph_view_reveal(graph_of(v));
}

/* ---- what the view says of itself ---- */

static void title(struct view *v, struct strbuf *out)
{
    static const char *const words[] = {
        [SCENE_RESTS_ON] = "rests on", [SCENE_CARRIES] = "carries", [SCENE_BOTH] = "lineage"};
    strbuf_addf(out, "%s %s", details_name(v->app, &graph_of(v)->name), words[graph_of(v)->show]);
}

static void counts(struct view *v, struct strbuf *out)
{
    struct graph_view *g = graph_of(v);
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    if (!drawing_is_drawn(g->drawing))
        return;
    const struct chart *c = &g->drawing->chart;
    static const char *const words[] = {"rests on", "carries"};
    for (int side = 0; side < 2; side++)
        strbuf_addf(out, "%s %zu%s %s ", words[side], c->total[side],
                    c->total_bounded[side] ? "+" : "", dot);
    strbuf_addf(out, "%u in view", c->picture.nodes);
    if (c->scene.circles)
        strbuf_addf(out, " %s %zu circle%s", dot, c->scene.circles,
                    c->scene.circles == 1 ? "" : "s");
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct graph_view *g = graph_of(v);
    if (!drawing_is_drawn(g->drawing))
        return;
    if (g->news)
        strbuf_addf(out, "%zu%s new, press R", g->news, g->stale ? "+" : "");
    else if (g->stale)
        strbuf_addstr(out, "changed, press R");
}

/* Nodes have no number that says anything. */
static void position(struct view *v, struct strbuf *out)
{
    (void)v;
    (void)out;
}

static int64_t node_at(struct view *v, size_t line)
{
    uint32_t node = drawn_at(graph_of(v), line);
    if (node == PICTURE_NONE)
        return 0;
    const struct scene_node *n = drawing_scene(graph_of(v)->drawing, node);
    return n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST ? n->row : 0;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    uint32_t node = drawn_at(graph_of(v), line);
    if (node == PICTURE_NONE)
        return;
    const struct drawing *d = graph_of(v)->drawing;
    const struct scene_node *n = drawing_scene(d, node);
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST)
        strbuf_addf(out, "%s %s", n->id, drawing_chart(d, node)->text);
    else
        strbuf_addstr(out, drawing_chart(d, node)->label);
}

static void draw_instead(struct graph_view *g, const struct pane *p)
{
    const char *more = g->view.app->ui.screen.utf8 ? "…" : "...";
    g->view.app->ui.screen.cursor_y = p->y;
    g->view.app->ui.screen.cursor_x = p->x;
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
    return node == PICTURE_NONE ? LINE_NONE : g->drawing->line[node];
}

static void wheel(struct view *v, long rows)
{
    graph_view_pan(graph_of(v), 0, (int)rows);
}

static void draw_preview(struct view *v, const struct pane *p)
{
    graph_view_group_preview(graph_of(v), p);
}

/* ---- what is asked ---- */

static void open_node(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct scene_node *n = drawing_scene(g->drawing, node);
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST)
        app_open_memory(g->view.app, n->row);
    else
        graph_view_expand(g);
}

/* What lies over the drawing, the last first. */
static bool clear_last(struct graph_view *g)
{
    if (g->legend == LEGEND_WHOLE)
        g->legend = LEGEND_LINE;
    else if (g->shade.row)
        graph_view_shade_ask(g, 0);
    else if (g->dots)
        graph_view_set_dots(g, false);
    else
        return false;
    return true;
}

static void ask_open(struct graph_view *g, int argument)
{
    (void)argument;
    open_node(g);
}

static void ask_refresh(struct graph_view *g, int argument)
{
    (void)argument;
    graph_view_load(g, ARRIVE_IN_PLACE, g->drawing);
}

static void ask_first(struct graph_view *g, int argument)
{
    (void)argument;
    if (drawing_is_drawn(g->drawing))
        graph_view_select(g, chart_drawn(&g->drawing->chart, 0));
}

static void ask_last(struct graph_view *g, int argument)
{
    (void)argument;
    graph_view_go_last(g);
}

static void ask_walk(struct graph_view *g, int argument)
{
    graph_view_walk(g, (enum move)argument);
}

/* By so many quarters of the window. */
static void ask_pan_rows(struct graph_view *g, int argument)
{
    graph_view_pan(g, 0, g->rows * argument / 4);
}

static void ask_pan_columns(struct graph_view *g, int argument)
{
    graph_view_pan(g, g->columns * argument / 4, 0);
}

static bool request(struct view *v, enum view_request request)
{
    static const struct {
        void (*run)(struct graph_view *g, int argument);
        int argument;
    } asked[] = {
        [REQUEST_OPEN] = {ask_open, 0},
        [REQUEST_NEXT_SECTION] = {graph_view_pick, 1},
        [REQUEST_PREVIOUS_SECTION] = {graph_view_pick, -1},
        [REQUEST_REFRESH] = {ask_refresh, 0},
        [REQUEST_UP] = {ask_walk, MOVE_UP},
        [REQUEST_DOWN] = {ask_walk, MOVE_DOWN},
        [REQUEST_LEFT] = {ask_walk, MOVE_LEFT},
        [REQUEST_RIGHT] = {ask_walk, MOVE_RIGHT},
        [REQUEST_FIRST] = {ask_first, 0},
        [REQUEST_LAST] = {ask_last, 0},
        [REQUEST_HALF_UP] = {ask_pan_rows, -2},
        [REQUEST_HALF_DOWN] = {ask_pan_rows, 2},
        [REQUEST_PAGE_UP] = {ask_pan_rows, -4},
        [REQUEST_PAGE_DOWN] = {ask_pan_rows, 4},
        [REQUEST_PAN_LEFT] = {ask_pan_columns, -2},
        [REQUEST_PAN_RIGHT] = {ask_pan_columns, 2},
    };
    if (request == REQUEST_CLEAR)
        return clear_last(graph_of(v));
    if ((size_t)request >= sizeof(asked) / sizeof(asked[0]) || !asked[request].run)
        return false;
    asked[request].run(graph_of(v), asked[request].argument);
    return true;
}

/* What was on the stack of another while the moment changed. */
static void shown(struct view *v)
{
    struct graph_view *g = graph_of(v);
    if (g->drawing && g->moment != v->app->asof.moment.seq)
        v->moved = true;
}

static void release(struct view *v)
{
    struct graph_view *g = graph_of(v);
    scene_wishes_release(&g->wishes);
    shade_release(&g->shade);
    drawing_drop(g->drawing);
    graph_view_release_openings(g);
    free(g->lit);
}

static const struct view_ops graph_ops = {
    .name = "lineage",
    .place = IN_GRAPH,
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .draw = draw,
    .line_at = line_at,
    .wheel = wheel,
    .node = node_at,
    .text = text,
    .request = request,
    .position = position,
    .selected = selected,
    .shown = shown,
    .news = graph_view_news,
    .draw_preview = draw_preview,
    .release = release,
};

bool view_is_graph(const struct view *v)
{
    return v->ops == &graph_ops;
}

struct view *graph_view_new(struct app *x, int64_t node, enum scene_show show,
                            enum chart_style style)
{
    struct graph_view *g = xcalloc(1, sizeof(*g));
    view_init(&g->view, &graph_ops, &x->ui);
    g->focus = node;
    g->show = show;
    g->style = style;
    g->wishes = (struct scene_wishes)SCENE_WISHES_INIT;
    g->wishes.focus = node;
    g->wishes.show = show;
    g->picked = PICTURE_NONE;
    details_name_open(x, &g->name, node);
    app_room(x, &graph_ops, &g->rows, &g->columns);
    g->rows -= graph_view_legend_rows(g, g->rows);
    chart_wish_room(&g->wishes, g->columns, g->rows);
    graph_view_load(g, ARRIVE_AT_FOCUS, NULL);
    return &g->view;
}
