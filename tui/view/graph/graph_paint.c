/* A window of a drawing on the screen: lines and borders, the labels over them, the cursor. */
#include "model/base/alloc.h"
#include "tui/view/graph/graph_view.h"

#include "model/base/strbuf.h"
#include "tui/text/text.h"

/* What is looked at while a window is painted. */
struct painting {
    struct graph_view *g;
    const struct layout *layout;
    struct pane pane;
    struct raster raster, picked; /* the second with nothing lit but the edge that Tab chose */
    uint32_t cursor;
};

/* ---- lines ---- */

static enum style border_style(const struct painting *p, const struct raster_cell *c)
{
    if (c->node == p->cursor)
        return STYLE_BORDER_SELECTED;
    return c->dashed ? STYLE_GHOST : STYLE_BORDER;
}

static enum style style_of(const struct painting *p, const struct raster_cell *c)
{
    if (c->sort == RASTER_BORDER)
        return border_style(p, c);
    if (c->sort != RASTER_LINE)
        return STYLE_TEXT;
    return c->lit ? STYLE_OF_LIT_STROKE(c->stroke) : STYLE_OF_STROKE(c->stroke);
}

/* Cells of one style that follow each other. */
struct run {
    struct strbuf text;
    int column, columns;
    enum style style, over;
};

static void paint_run(const struct painting *p, int row, struct run *run)
{
    struct pane pane = p->pane;
    pane.over = run->over;
    if (run->text.len > 0)
        paint_bytes(&pane, row, run->column, run->columns, run->style, run->text.buf,
                    run->text.len);
    strbuf_clear(&run->text);
    run->columns = 0;
}

static void paint_row(const struct painting *p, int row)
{
    bool ascii = !p->pane.screen->utf8;
    struct run run = {.text = STRBUF_INIT};
    for (int column = 0; column < p->raster.columns; column++) {
        size_t at = (size_t)row * (size_t)p->raster.columns + (size_t)column;
        const struct raster_cell *c = &p->raster.cell[at];
        enum style over = STYLE_NONE, style = style_of(p, c);
        if (p->picked.cell && p->picked.cell[at].lit) {
            c = &p->picked.cell[at];
            over = STYLE_PICKED;
        }
        bool empty = c->sort == RASTER_EMPTY || c->sort == RASTER_INSIDE;
        if (empty || (run.columns > 0 && (run.style != style || run.over != over)))
            paint_run(p, row, &run);
        if (empty)
            continue;
        if (run.columns == 0)
            run = (struct run){run.text, column, 0, style, over};
        strbuf_addstr(&run.text, raster_glyph(c, ascii));
        run.columns++;
    }
    paint_run(p, row, &run);
    strbuf_release(&run.text);
}

/* ---- labels ---- */

/* The columns of "b ● " before a memory's text; of what stands for several those of its mark. */
static int core_columns(const struct scene_node *n, const struct chart_node *c)
{
    int mark = c->support != LABEL_COUNT ? 2 : 0;
    switch (n->sort) {
    case SCENE_MEMORY:
        return 2 + mark;
    case SCENE_GHOST:
        return 3; /* "b ?" */
    case SCENE_CHAIN:
        return 2 + mark;
    case SCENE_TWINS:
        return mark;
    case SCENE_MORE:
        break;
    }
    return 0;
}

int graph_view_badge_columns(const struct graph_view *g, uint32_t node)
{
    const struct chart_node *c = drawing_chart(g->drawing, node);
    return g->dots ? 0 : c->head_columns - core_columns(drawing_scene(g->drawing, node), c);
}

/* A node's label while it is painted. */
struct label_paint {
    const struct painting *painting;
    struct pane pane; /* with what lies over it */
    const char *text;
    int row, column; /* of its first cell, in the pane; may lie before it */
};

/* Columns `from` to `to` of the label, as far as the window shows them. */
static void paint_part(const struct label_paint *l, int from, int to, enum style style,
                       const char *pattern)
{
    const struct pane *p = &l->pane;
    size_t len = strlen(l->text);
    if (l->column + from < 0)
        from = -l->column;
    if (to > p->width - l->column)
        to = p->width - l->column;
    if (from >= to)
        return;
    size_t begin = paint_skip(p, l->text, len, from), end = paint_skip(p, l->text, len, to);
    int at = from > 0 ? (int)text_width(l->text, begin, len, p->screen->utf8 ? 0 : TEXT_ASCII) : 0;
    if (at < to)
        paint_matched(p, l->row, l->column + at, to - at, style, l->text + begin, end - begin,
                      pattern);
}

static void paint_sign(const struct label_paint *l, int at, enum style style, const char *sign)
{
    if (l->column + at >= 0)
        paint_text(&l->pane, l->row, l->column + at, 1, style, sign);
}

/* As it would be, where that is asked. */
static enum label shaded_label(enum shading shading, enum label label)
{
    return shading == SHADING_ROOT       ? LABEL_GONE
           : shading == SHADING_FALLS    ? LABEL_UNGROUNDED
           : shading == SHADING_WEAKENED ? LABEL_WEAKENED
                                         : label;
}

static enum style text_style(const struct scene_node *n, const struct chart_node *c,
                             enum shading shading)
{
    if (shading == SHADING_FALLS || shading == SHADING_ROOT)
        return STYLE_FALLS;
    if (n->sort == SCENE_GHOST)
        return STYLE_GHOST;
    if (n->sort != SCENE_MEMORY)
        return STYLE_GROUP;
    return c->dead ? STYLE_DIM : STYLE_TEXT;
}

/* The column behind its first word. */
static int first_blank(const struct label_paint *l)
{
    return (int)text_width(l->text, strcspn(l->text, " "), strlen(l->text), 0);
}

static void paint_label_parts(const struct label_paint *l, uint32_t node)
{
    const struct graph_view *g = l->painting->g;
    const struct scene_node *n = drawing_scene(g->drawing, node);
    const struct chart_node *c = drawing_chart(g->drawing, node);
    enum shading shading = graph_view_shading(g, node);
    enum label label = shaded_label(shading, c->support);
    enum style text = text_style(n, c, shading);
    int badge = graph_view_badge_columns(g, node), first = badge;
    bool memory = n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST;
    const char *pattern = g->view.search.pattern;
    paint_part(l, 0, badge, STYLE_BADGE, NULL);
    if (memory || n->sort == SCENE_CHAIN)
        paint_part(l, badge, badge + 2, memory ? STYLE_KIND : text, NULL);
    first += memory || n->sort == SCENE_CHAIN ? 2 : 0;
    if (c->support != LABEL_COUNT && n->sort != SCENE_GHOST)
        paint_sign(l, first, STYLE_OF_LABEL(label), label_glyph(l->pane.screen, label));
    paint_part(l, n->sort == SCENE_GHOST ? first : c->head_columns, c->columns - c->tail_columns,
               text, pattern);
    paint_part(l, c->columns - c->tail_columns, c->columns, STYLE_BADGE, NULL);
    if (node == l->painting->cursor)
        paint_sign(l, memory ? badge + 1 : first_blank(l), STYLE_CURSOR, ">");
    if (memory && c->support != LABEL_COUNT && marks_has(&g->view.app->ui.marks, n->row))
        paint_sign(l, badge + 3, STYLE_MARK, "*");
}

/* On the letter of its kind. */
static void put_cursor(const struct painting *p, const struct label_paint *l)
{
    struct screen *s = p->pane.screen;
    int column = l->column + graph_view_badge_columns(p->g, p->cursor);
    column = column < 0 ? 0 : column >= p->pane.width ? p->pane.width - 1 : column;
    int row = l->row < 0 ? 0 : l->row >= p->pane.height ? p->pane.height - 1 : l->row;
    s->cursor_y = p->pane.y + row;
    s->cursor_x = p->pane.x + column;
}

static const char *dot_of(const struct painting *p, uint32_t node, enum style *style)
{
    const struct scene_node *n = drawing_scene(p->g->drawing, node);
    const struct chart_node *c = drawing_chart(p->g->drawing, node);
    enum shading shading = graph_view_shading(p->g, node);
    enum label label = shaded_label(shading, c->support);
    *style = label == LABEL_COUNT ? STYLE_GROUP : STYLE_OF_LABEL(label);
    if (n->sort == SCENE_GHOST)
        return "?";
    if (n->sort != SCENE_MEMORY || label == LABEL_COUNT)
        return p->pane.screen->utf8 ? "⋯" : ":";
    if (label == LABEL_UNSOURCED) /* its dash would look like the end of a line */
        return p->pane.screen->utf8 ? "◌" : "u";
    return label_glyph(p->pane.screen, label);
}

static void paint_label_of(const struct painting *p, uint32_t node)
{
    const struct graph_view *g = p->g;
    const struct layout_node *n = &p->layout->node[node];
    struct label_paint l = {p, p->pane, drawing_chart(g->drawing, node)->label,
                            n->label_row - g->row, n->label_column - g->column};
    if (l.row < 0 || l.row >= p->pane.height || l.column >= p->pane.width ||
        l.column + n->label_columns <= 0)
        return;
    if (node == p->cursor) {
        int from = l.column < 0 ? 0 : l.column;
        struct pane own = pane_part(&p->pane, l.row, from, 1, l.column + n->label_columns - from);
        own.over = STYLE_SELECTION;
        paint_clear(&own);
        l.pane.over = STYLE_SELECTION;
        put_cursor(p, &l);
    }
    if (g->dots) {
        enum style style;
        l.text = dot_of(p, node, &style);
        paint_sign(&l, 0, style, l.text);
    } else {
        paint_label_parts(&l, node);
    }
}

/* ---- all of it ---- */

static int make_rasters(struct painting *p)
{
    const struct graph_view *g = p->g;
    size_t edges = g->drawing->chart.picture.edges;
    if (raster_make(&p->raster, p->layout, g->column, g->row, p->pane.width, p->pane.height,
                    g->lit))
        return -1;
    if (g->picked == PICTURE_NONE)
        return 0;
    uint8_t *lit = xcalloc(edges, 1);
    if (lit)
        lit[g->picked] = 1;
    int result = lit ? raster_make(&p->picked, p->layout, g->column, g->row, p->pane.width,
                                   p->pane.height, lit)
                     : -1;
    free(lit);
    return result;
}

void graph_view_paint(struct graph_view *g, const struct pane *pane)
{
    struct painting p = {
        .g = g, .layout = graph_view_layout(g), .pane = *pane, .cursor = graph_view_cursor(g)};
    if (pane->width <= 0 || pane->height <= 0)
        return;
    if (make_rasters(&p))
        app_say(g->view.app, "there is no memory left to draw the lines");
    for (int row = 0; p.raster.cell && row < pane->height; row++)
        paint_row(&p, row);
    for (uint32_t i = 0; i < p.layout->picture->nodes; i++)
        paint_label_of(&p, i);
    raster_release(&p.picked);
    raster_release(&p.raster);
}
