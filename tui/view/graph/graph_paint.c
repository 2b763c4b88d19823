/* Paints the window of a drawing (lines, borders, labels, cursor) and the legend. */

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/chart/chart.h"
#include "tui/text/text.h"
#include "tui/view/graph/graph_view.h"

/* State while a window is painted. */
struct painting {
    struct graph_view *g;
    const struct layout *layout;
    struct pane pane;
    struct raster raster, picked; /* `picked` highlights only the edge chosen with Tab */
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
    if (c->type == RASTER_BORDER)
        return border_style(p, c);
    if (c->type != RASTER_LINE)
        return STYLE_TEXT;
    return c->lit ? STYLE_OF_LIT_STROKE(c->stroke) : STYLE_OF_STROKE(c->stroke);
}

/* Adjacent cells of one style. */
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
        bool empty = c->type == RASTER_EMPTY || c->type == RASTER_INSIDE;
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

int graph_view_badge_columns(const struct graph_view *g, uint32_t node)
{
    return g->dots ? 0 : drawing_chart(g->drawing, node)->badge_columns;
}

/* State while a label is painted. */
struct label_paint {
    const struct painting *painting;
    struct pane pane; /* with its overlay style */
    const char *text; /* of one line */
    size_t len;
    int row, column; /* position of its first cell in the pane; may be outside */
};

static int line_columns(const struct label_paint *l)
{
    return (int)text_width(l->text, l->len, SIZE_MAX - 1, 0);
}

/* Paints columns `from` to `to` of the label, clipped to the window. */
static void paint_part(const struct label_paint *l, int from, int to, enum style style,
                       const char *pattern)
{
    const struct pane *p = &l->pane;
    size_t len = l->len;
    if (l->row < 0 || l->row >= p->height)
        return;
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
    if (l->column + at >= 0 && l->row >= 0 && l->row < l->pane.height)
        paint_text(&l->pane, l->row, l->column + at, 1, style, sign);
}

/* A label that goes on beyond the window ends, or begins, with an ellipsis. */
static void paint_cut(const struct label_paint *l, int columns)
{
    const struct pane *p = &l->pane;
    const char *cut = glyph_text(p->screen, GLYPH_ELLIPSIS);
    int width = p->screen->utf8 ? 1 : (int)strlen(cut);
    if (l->row < 0 || l->row >= p->height)
        return;
    if (l->column < 0)
        paint_text(p, l->row, 0, width, STYLE_DIM, cut);
    if (l->column + columns > p->width)
        paint_text(p, l->row, p->width - width, width, STYLE_DIM, cut);
}

/* The label that a memory would have with this shading. */
static enum label label_after(enum effect effect, enum label label)
{
    return effect == EFFECT_ROOT          ? LABEL_ENDED
           : effect == EFFECT_UNSUPPORTED ? LABEL_UNSUPPORTED
           : effect == EFFECT_WEAKENED    ? LABEL_WEAKENED
                                          : label;
}

static enum style text_style(const struct subgraph_node *n, const struct chart_node *c,
                             enum effect effect)
{
    if (effect == EFFECT_UNSUPPORTED || effect == EFFECT_ROOT)
        return STYLE_LOSES_SUPPORT;
    if (n->type == SUBGRAPH_MISSING)
        return STYLE_GHOST;
    if (n->type != SUBGRAPH_MEMORY)
        return STYLE_GROUP;
    return c->ended ? STYLE_DIM : STYLE_TEXT;
}

/* The column after its first word. */
static int first_blank(const struct label_paint *l)
{
    return (int)text_width(l->text, strcspn(l->text, " "), l->len, 0);
}

static void paint_label_parts(const struct label_paint *l, uint32_t node)
{
    const struct graph_view *g = l->painting->g;
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    const struct chart_node *c = drawing_chart(g->drawing, node);
    enum effect effect = graph_view_shading(g, node);
    enum label label = label_after(effect, c->support);
    enum style text = text_style(n, c, effect);
    size_t number = graph_view_highlighted(g, node);
    if (g->highlight.known && g->highlight.kind != HIGHLIGHT_LOSS)
        text = number ? STYLE_STRONG : STYLE_DIM;
    int badge = graph_view_badge_columns(g, node), first = badge;
    bool memory = subgraph_is_single(n);
    const char *pattern = g->view.search.pattern,
               *mark = memory ? ui_mark(g->view.ui, n->row) : NULL;
    paint_part(l, 0, badge, STYLE_BADGE, NULL);
    if (memory || n->type == SUBGRAPH_CHAIN)
        paint_part(l, badge, badge + 2, memory ? STYLE_KIND : text, NULL);
    first += memory || n->type == SUBGRAPH_CHAIN ? 2 : 0;
    if (c->support != LABEL_COUNT && n->type != SUBGRAPH_MISSING)
        paint_sign(l, first, STYLE_OF_LABEL(label), label_glyph(l->pane.screen, label));
    for (int i = 0; i < c->lines; i++) {
        struct label_paint line = *l;
        line.len = chart_label_line(c, i, &line.text);
        line.row += i;
        int end = line_columns(&line), tail = i + 1 < c->lines ? 0 : c->tail_columns;
        paint_part(&line, n->type == SUBGRAPH_MISSING ? first : c->head_columns, end - tail, text,
                   pattern);
        paint_part(&line, end - tail, end, STYLE_BADGE, NULL);
        paint_cut(&line, end);
    }
    if (node == l->painting->cursor)
        paint_sign(l, memory ? badge + 1 : first_blank(l), STYLE_CURSOR, ">");
    const char *const digits[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "+"};
    if (c->support != LABEL_COUNT && mark)
        paint_sign(l, badge + 3, STYLE_MARK, mark);
    else if (c->support != LABEL_COUNT && number)
        paint_sign(l, first + 1, STYLE_LOSES_SUPPORT, digits[number < 10 ? number - 1 : 9]);
}

/* Puts the cursor on the kind letter. */
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
    const struct subgraph_node *n = drawing_subgraph(p->g->drawing, node);
    const struct chart_node *c = drawing_chart(p->g->drawing, node);
    enum effect effect = graph_view_shading(p->g, node);
    enum label label = label_after(effect, c->support);
    *style = label == LABEL_COUNT ? STYLE_GROUP : STYLE_OF_LABEL(label);
    if (n->type == SUBGRAPH_MISSING)
        return "?";
    if (n->type != SUBGRAPH_MEMORY || label == LABEL_COUNT)
        return p->pane.screen->utf8 ? "⋯" : ":";
    if (label == LABEL_UNSOURCED) /* its sign looks like the end of a line */
        return p->pane.screen->utf8 ? "◌" : "u";
    return label_glyph(p->pane.screen, label);
}

static void paint_label_of(const struct painting *p, uint32_t node)
{
    const struct graph_view *g = p->g;
    const struct layout_node *n = &p->layout->node[node];
    struct label_paint l = {.painting = p,
                            .pane = p->pane,
                            .row = n->label_row - g->row,
                            .column = n->label_column - g->column};
    l.len = chart_label_line(drawing_chart(g->drawing, node), 0, &l.text);
    if (l.row + n->label_rows <= 0 || l.row >= p->pane.height || l.column >= p->pane.width ||
        l.column + n->label_columns <= 0)
        return;
    if (node == p->cursor) {
        int from = l.column < 0 ? 0 : l.column;
        int top = l.row < 0 ? 0 : l.row;
        struct pane own = pane_part(&p->pane, top, from, l.row + n->label_rows - top,
                                    l.column + n->label_columns - from);
        own.over = STYLE_SELECTION;
        paint_clear(&own);
        l.pane.over = STYLE_SELECTION;
        put_cursor(p, &l);
    }
    if (g->dots) {
        enum style style;
        l.text = dot_of(p, node, &style);
        l.len = strlen(l.text);
        paint_sign(&l, 0, style, l.text);
    } else {
        paint_label_parts(&l, node);
    }
}

/* ---- the window ---- */

static void make_rasters(struct painting *p)
{
    const struct graph_view *g = p->g;
    size_t edges = g->drawing->chart.picture.edges;
    raster_make(&p->raster, p->layout, g->column, g->row, p->pane.width, p->pane.height, g->lit);
    if (g->picked == PICTURE_NONE)
        return;
    AUTO_FREE uint8_t *lit = xcalloc(edges, 1);
    lit[g->picked] = 1;
    raster_make(&p->picked, p->layout, g->column, g->row, p->pane.width, p->pane.height, lit);
}

void graph_view_paint(struct graph_view *g, const struct pane *pane)
{
    struct painting p = {
        .g = g, .layout = graph_view_layout(g), .pane = *pane, .cursor = graph_view_cursor(g)};
    if (pane->width <= 0 || pane->height <= 0)
        return;
    make_rasters(&p);
    for (int row = 0; row < pane->height; row++)
        paint_row(&p, row);
    for (uint32_t i = 0; i < p.layout->picture->nodes; i++)
        paint_label_of(&p, i);
    raster_release(&p.picked);
    raster_release(&p.raster);
}

#define HIGH_ENOUGH 9 /* with so many rows, one is used for the legend */
#define WAY_MAX     8 /* memories of a cycle that are named */

const char *graph_view_stroke_word(enum stroke stroke)
{
    static const char *const words[STROKE_COUNT] = {
        [STROKE_GUESSED] = "guessed",
        [STROKE_EVIDENCE] = "as evidence",
        [STROKE_REINFORCED] = "reinforced",
        [STROKE_DERIVED] = "derived",
        [STROKE_ALL] = "all of them are needed",
        [STROKE_SUPERSEDES] = "replaces",
    };
    return words[stroke];
}

int graph_view_legend_rows(const struct graph_view *g, int height)
{
    bool needed = g->dots || g->legend == LEGEND_LINE;
    return needed && height >= HIGH_ENOUGH ? 1 : 0;
}

/* ---- cycles ---- */

/* The number of the cycle that contains the node; -1 if none. */
static long circle_of(const struct subgraph *s, uint32_t subgraph_node)
{
    for (size_t c = 0; c < s->circles; c++)
        for (size_t i = s->circle_first[c]; i < s->circle_first[c + 1]; i++)
            if (s->circle[i] == subgraph_node)
                return (long)c;
    return -1;
}

static void add_node(struct graph_view *g, uint32_t subgraph_node, struct strbuf *out)
{
    const struct subgraph_node *n = &g->drawing->chart.subgraph.node[subgraph_node];
    const struct memory_row *row = subgraph_is_single(n) ? details_row(g->view.app, n->row) : NULL;
    if (row)
        details_ref(g->view.app, row, out);
    else
        strbuf_addstr(out, g->drawing->chart.node[subgraph_node].label);
}

/* Starts at the node under the cursor. */
bool graph_view_add_circle(struct graph_view *g, uint32_t node, struct strbuf *out)
{
    const struct subgraph *s = &g->drawing->chart.subgraph;
    const char *arrow = glyph_text(&g->view.ui->screen, GLYPH_ARROW);
    uint32_t own = chart_of_drawn(&g->drawing->chart, node);
    long circle = s->node[own].on_circle ? circle_of(s, own) : -1;
    if (circle < 0)
        return false;
    const uint32_t *way = s->circle + s->circle_first[circle];
    size_t count = s->circle_first[circle + 1] - s->circle_first[circle], begin = 0;
    while (way[begin] != own)
        begin++;
    for (size_t i = 0; i < count && i < WAY_MAX; i++) {
        add_node(g, way[(begin + i) % count], out);
        strbuf_addf(out, " %s ", arrow);
    }
    if (count > WAY_MAX)
        strbuf_addf(out, "%zu more %s ", count - WAY_MAX, arrow);
    strbuf_addstr(out, "itself");
    return true;
}

/* ---- the legend line ---- */

/* Shows two cells of a stroke, which are easier to recognize. */
static void sign_of(const struct legend_entry *entry, char out[16])
{
    bool twice = entry->type == LEGEND_STROKE && *entry->sign;
    snprintf(out, 16, "%s%s", entry->sign, twice ? entry->sign : "");
}

/* The order of signs in the line. Strokes come first, since only drawings have them. */
static const struct {
    int group;
    const char *title;
    enum style style;
} legend_looks[] = {
    [LEGEND_FLOW] = {0, "lines", STYLE_TEXT},     [LEGEND_STROKE] = {1, "lines", STYLE_TEXT},
    [LEGEND_REVERSED] = {1, "lines", STYLE_TEXT}, [LEGEND_ALL] = {1, "lines", STYLE_TEXT},
    [LEGEND_KIND] = {3, "kinds", STYLE_KIND},     [LEGEND_MARK] = {2, "support", STYLE_TEXT},
    [LEGEND_GHOST] = {1, "signs", STYLE_GHOST},   [LEGEND_LOOP] = {1, "signs", STYLE_TEXT},
    [LEGEND_HIDDEN] = {1, "signs", STYLE_BADGE},  [LEGEND_SEVERAL] = {1, "signs", STYLE_GROUP},
};

static enum style style_of_entry(const struct legend_entry *entry)
{
    bool stroke = entry->type == LEGEND_STROKE || entry->type == LEGEND_ALL;
    if (stroke && entry->of >= 0)
        return STYLE_OF_LIT_STROKE(entry->of);
    return entry->type == LEGEND_MARK ? STYLE_OF_LABEL(entry->of) : legend_looks[entry->type].style;
}

static int columns_of(const char *text)
{
    return (int)text_width(text, strlen(text), 4096, 0);
}

static int width_of(const struct legend_entry *entry, char sign[16])
{
    sign_of(entry, sign);
    int width = columns_of(sign);
    return width + (width > 0) + columns_of(entry->words);
}

/* Returns the column of the next entry; a column beyond the row if this one does not fit. */
static int draw_entry(const struct pane *row, int at, const struct legend_entry *entry)
{
    char sign[16];
    int whole = width_of(entry, sign), width = columns_of(sign);
    if (at + whole >= row->width)
        return row->width;
    paint_text(row, 0, at, width, style_of_entry(entry), sign);
    paint_text(row, 0, at + whole - columns_of(entry->words), row->width - at, STYLE_DIM,
               entry->words);
    return at + whole + 2;
}

/* The columns that the entries of these groups need. */
static int needed_by(int first, int last, const struct legend_entry *entry, size_t count)
{
    int needed = -1;
    char sign[16];
    for (size_t i = 0; i < count; i++)
        if (legend_looks[entry[i].type].group >= first && legend_looks[entry[i].type].group <= last)
            needed += width_of(&entry[i], sign) + 2;
    return needed;
}

/* "… K": the rest of the legend. Returns its columns. */
static int draw_rest(const struct graph_view *g, const struct pane *row)
{
    struct app *x = g->view.app;
    AUTO_STRBUF rest = STRBUF_INIT;
    strbuf_addf(&rest, "%s ", glyph_text(row->screen, GLYPH_ELLIPSIS));
    x->above->add_key(x, "legend", &rest);
    int width = columns_of(rest.buf) + 1;
    paint_right(row, 0, 0, row->width - 1, STYLE_DIM, rest.buf);
    return width;
}

/* The signs of the nodes on the screen and their lines. */
static size_t list_entries(const struct graph_view *g, struct legend_entry entry[LEGEND_MAX])
{
    uint32_t nodes = g->drawing->chart.picture.nodes;
    AUTO_FREE uint8_t *seen = xcalloc(nodes + (size_t)1, 1);
    graph_view_on_screen(g, seen);
    return chart_legend(&g->drawing->chart, seen, entry);
}

/* The reading direction is dropped first if there is no room. */
static void draw_entries(const struct graph_view *g, const struct pane *row)
{
    struct legend_entry entry[LEGEND_MAX];
    size_t count = list_entries(g, entry);
    struct pane room = *row;
    int at = 1, first = needed_by(0, 1, entry, count) < row->width ? 0 : 1;
    if (needed_by(first, 3, entry, count) >= row->width)
        room.width -= draw_rest(g, row);
    for (int group = first; group <= 3; group++)
        for (size_t i = 0; i < count; i++)
            if (legend_looks[entry[i].type].group == group)
                at = draw_entry(&room, at, &entry[i]);
}

/* The label of the dot under the cursor. */
static void draw_named(struct graph_view *g, const struct pane *row)
{
    const struct chart *c = &g->drawing->chart;
    struct chart_node about;
    AUTO_STRBUF label = STRBUF_INIT;
    chart_label_add(&label, c, chart_of_drawn(c, graph_view_cursor(g)), row->width - 2, 1, false,
                    &about);
    paint_text(row, 0, 1, row->width - 2, STYLE_TEXT, label.buf);
}

/* Shows how many of them are visible if not all are. */
static int draw_in_view(const struct pane *row, int at, size_t all, size_t seen)
{
    int width = row->width - at;
    return seen == all ? 0
           : seen == 0 ? paint_text(row, 0, at, width, STYLE_TEXT, ", none in view")
                       : paint_format(row, 0, at, width, STYLE_TEXT, ", %zu in view", seen);
}

/* Explains the numbers of derivations or keystones. */
static void draw_numbers(struct graph_view *g, const struct pane *row)
{
    const struct graph_highlight *s = &g->highlight;
    const struct memory_row *memory = details_row(g->view.app, s->row);
    AUTO_STRBUF line = STRBUF_INIT;
    size_t seen = 0;
    for (uint32_t i = 0; i < g->drawing->chart.picture.nodes; i++)
        seen += graph_view_highlighted(g, i) > 0;
    if (s->kind == HIGHLIGHT_KEYSTONES) {
        strbuf_addf(&line, "%zu keystone%s in view: without one so many others lose all support",
                    seen, seen == 1 ? "" : "s");
    } else {
        if (memory)
            details_ref(g->view.app, memory, &line);
        strbuf_addf(&line, ": %s%zu independent derivation%s, %zu root%s",
                    s->proven ? "" : "at least ", s->derivations, s->derivations == 1 ? "" : "s",
                    s->roots, s->roots == 1 ? "" : "s");
    }
    int at = 1 + paint_bytes(row, 0, 1, row->width - 2, STYLE_LOSES_SUPPORT, line.buf, line.len);
    paint_text(row, 0, at + 2, row->width - at - 3, STYLE_DIM, "Esc ends it");
}

/* Explains the shading of losses. */
static void draw_losses(struct graph_view *g, const struct pane *row)
{
    struct app *x = g->view.app;
    const struct memory_row *memory = details_row(x, g->highlight.row);
    AUTO_STRBUF ref = STRBUF_INIT;
    size_t seen[EFFECTS];
    int at = 1;
    graph_view_count_effects(g, seen);
    strbuf_addstr(&ref, "without ");
    if (memory)
        details_ref(x, memory, &ref);
    strbuf_addch(&ref, ':');
    at += paint_bytes(row, 0, at, row->width - at, STYLE_LOSES_SUPPORT, ref.buf, ref.len) + 1;
    paint_label(row, 0, at, LABEL_UNSUPPORTED);
    at += 2 + paint_format(row, 0, at + 2, row->width - at - 2, STYLE_TEXT,
                           "%zu lose%s all support", g->highlight.count[EFFECT_UNSUPPORTED],
                           g->highlight.count[EFFECT_UNSUPPORTED] == 1 ? "s" : "");
    at += draw_in_view(row, at, g->highlight.count[EFFECT_UNSUPPORTED], seen[EFFECT_UNSUPPORTED]);
    paint_label(row, 0, at + 2, LABEL_WEAKENED);
    at += 4 + paint_format(row, 0, at + 4, row->width - at - 4, STYLE_TEXT, "%zu weakened",
                           g->highlight.count[EFFECT_WEAKENED]);
    at += draw_in_view(row, at, g->highlight.count[EFFECT_WEAKENED], seen[EFFECT_WEAKENED]);
    paint_text(row, 0, at + 2, row->width - at - 3, STYLE_DIM, "Esc ends it");
}

void graph_view_legend_draw(struct graph_view *g, const struct pane *row)
{
    AUTO_STRBUF circle = STRBUF_INIT;
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    if (g->dots) {
        draw_named(g, row);
    } else if (g->highlight.known && g->highlight.kind == HIGHLIGHT_LOSS) {
        draw_losses(g, row);
    } else if (g->highlight.known) {
        draw_numbers(g, row);
    } else if (graph_view_add_circle(g, node, &circle)) {
        int at = 1 + paint_text(row, 0, 1, 8, STYLE_CIRCULAR, "circle: ");
        paint_bytes(row, 0, at, row->width - at - 1, STYLE_CIRCULAR, circle.buf, circle.len);
    } else {
        draw_entries(g, row);
    }
}

/* ---- the whole legend ---- */

struct legend_line {
    const struct legend_entry *entry; /* NULL for a heading */
    const char *title;
};

static size_t legend_lines(const struct legend_entry *entry, size_t count, struct legend_line *line,
                           int *width)
{
    size_t lines = 0;
    const char *title = "";
    for (size_t i = 0; i < count; i++) {
        int columns = 8 + columns_of(entry[i].words);
        if (strcmp(title, legend_looks[entry[i].type].title) != 0)
            line[lines++] = (struct legend_line){NULL, legend_looks[entry[i].type].title};
        title = legend_looks[entry[i].type].title;
        line[lines++] = (struct legend_line){&entry[i], title};
        *width = columns > *width ? columns : *width;
    }
    return lines;
}

static void draw_legend_line(const struct pane *box, int row, int column, int width,
                             const struct legend_line *line)
{
    char sign[16];
    if (!line->entry) {
        paint_text(box, row, column, width, STYLE_RULE_TITLE, line->title);
        return;
    }
    sign_of(line->entry, sign);
    paint_text(box, row, column + 1, 4, style_of_entry(line->entry), sign);
    paint_text(box, row, column + (*sign ? 6 : 1), width - (*sign ? 6 : 1), STYLE_TEXT,
               line->entry->words);
}

/* Draws the entries in a column at the right edge. */
void graph_view_legend_draw_whole(struct graph_view *g, const struct pane *p)
{
    struct legend_entry entry[LEGEND_MAX];
    struct legend_line line[LEGEND_MAX + 4];
    int width = 0, height = p->height > 0 ? p->height : 1;
    int lines = (int)legend_lines(entry, list_entries(g, entry), line, &width);
    int columns = (lines + height - 1) / height;
    if (columns <= 0)
        return;
    int rows = (lines + columns - 1) / columns;
    struct pane box =
        pane_part(p, p->height - rows, p->width - columns * width - 2, rows, columns * width + 2);
    paint_clear(&box);
    paint_divider(&box, 0);
    for (int i = 0; i < lines; i++)
        draw_legend_line(&box, i % rows, 2 + i / rows * width, width, &line[i]);
}
