/* What the signs of a drawing mean, and the way round a circle. */
#include "graph_view.h"

#include "../model/strbuf.h"
#include "chart_legend.h"
#include "text.h"

#define HIGH_ENOUGH 9 /* rows of which one is given to the legend */
#define WAY_MOST    8 /* memories of a circle that are named */

const char *graph_view_stroke_word(enum stroke stroke)
{
    static const char *const words[STROKE_COUNT] = {
        [STROKE_GUESSED] = "guessed",       [STROKE_EVIDENCE] = "as evidence",
        [STROKE_REINFORCED] = "reinforced", [STROKE_DERIVED] = "derived",
        [STROKE_ALL] = "all are needed",    [STROKE_SUPERSEDES] = "supersedes",
    };
    return words[stroke];
}

int graph_view_legend_rows(const struct graph_view *g, int height)
{
    bool needed = g->dots || g->legend == LEGEND_LINE;
    return needed && height >= HIGH_ENOUGH ? 1 : 0;
}

/* ---- circles ---- */

/* The circle that the node is on, as its number; -1: none. */
static long circle_of(const struct scene *s, uint32_t scene_node)
{
    for (size_t c = 0; c < s->circles; c++)
        for (size_t i = s->circle_first[c]; i < s->circle_first[c + 1]; i++)
            if (s->circle[i] == scene_node)
                return (long)c;
    return -1;
}

static void add_node(struct graph_view *g, uint32_t scene_node, struct strbuf *out)
{
    const struct scene_node *n = &g->drawing->chart.scene.node[scene_node];
    bool single = n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST;
    const struct memory_row *row = single ? details_row(g->view.app, n->row) : NULL;
    if (row)
        details_ref(g->view.app, row, out);
    else
        strbuf_addstr(out, g->drawing->chart.node[scene_node].label);
}

/* From the node on, so that the way is read from where one stands. */
bool graph_view_add_circle(struct graph_view *g, uint32_t node, struct strbuf *out)
{
    const struct scene *s = &g->drawing->chart.scene;
    const char *arrow = glyph_text(&g->view.app->screen, GLYPH_ARROW);
    uint32_t own = chart_of_drawn(&g->drawing->chart, node);
    long circle = s->node[own].on_circle ? circle_of(s, own) : -1;
    if (circle < 0)
        return false;
    const uint32_t *way = s->circle + s->circle_first[circle];
    size_t count = s->circle_first[circle + 1] - s->circle_first[circle], begin = 0;
    while (way[begin] != own)
        begin++;
    for (size_t i = 0; i < count && i < WAY_MOST; i++) {
        add_node(g, way[(begin + i) % count], out);
        strbuf_addf(out, " %s ", arrow);
    }
    if (count > WAY_MOST)
        strbuf_addf(out, "%zu more %s ", count - WAY_MOST, arrow);
    strbuf_addstr(out, "itself");
    return true;
}

/* ---- the line ---- */

/* A stroke is told better by two cells of it. */
static void sign_of(const struct legend_entry *entry, char out[16])
{
    bool twice = entry->sort == LEGEND_STROKE && *entry->sign;
    snprintf(out, 16, "%s%s", entry->sign, twice ? entry->sign : "");
}

static enum style style_of(const struct legend_entry *entry)
{
    switch (entry->sort) {
    case LEGEND_STROKE:
    case LEGEND_ALL:
        return entry->of < 0 ? STYLE_TEXT : STYLE_OF_STROKE(entry->of);
    case LEGEND_KIND:
        return STYLE_KIND;
    case LEGEND_MARK:
        return STYLE_OF_LABEL(entry->of);
    case LEGEND_HIDDEN:
        return STYLE_BADGE;
    case LEGEND_SEVERAL:
        return STYLE_GROUP;
    case LEGEND_GHOST:
        return STYLE_GHOST;
    default:
        return STYLE_TEXT;
    }
}

static int columns_of(const char *text)
{
    return (int)text_width(text, strlen(text), 4096, 0);
}

/* Lines first, for they are what only a drawing has. */
static bool in_line(const struct legend_entry *entry)
{
    return entry->sort != LEGEND_KIND && entry->sort != LEGEND_MARK;
}

static void draw_entries(const struct graph_view *g, const struct pane *row)
{
    struct legend_entry entry[LEGEND_MOST];
    size_t count = chart_legend(&g->drawing->chart, entry);
    int at = 1;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            char sign[16];
            sign_of(&entry[i], sign);
            int width = columns_of(sign), words = columns_of(entry[i].words);
            if (in_line(&entry[i]) != (pass == 0) || at + width + 1 + words >= row->width)
                continue;
            paint_text(row, 0, at, width, style_of(&entry[i]), sign);
            at += width + (width > 0);
            at += paint_text(row, 0, at, words, STYLE_DIM, entry[i].words) + 2;
        }
    }
}

/* What the dot under the cursor stands for. */
static void draw_named(struct graph_view *g, const struct pane *row)
{
    const char *label = drawing_chart(g->drawing, graph_view_cursor(g))->label;
    paint_text(row, 0, 1, row->width - 2, STYLE_TEXT, label);
}

void graph_view_legend_draw(struct graph_view *g, const struct pane *row)
{
    struct strbuf circle = STRBUF_INIT;
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    if (g->dots) {
        draw_named(g, row);
    } else if (graph_view_add_circle(g, node, &circle)) {
        int at = 1 + paint_text(row, 0, 1, 8, STYLE_CIRCULAR, "circle: ");
        paint_bytes(row, 0, at, row->width - at - 1, STYLE_CIRCULAR, circle.buf, circle.len);
    } else {
        draw_entries(g, row);
    }
    strbuf_release(&circle);
}

/* ---- all of it, over the drawing ---- */

static const char *title_of(enum legend_sort sort)
{
    return sort <= LEGEND_ALL    ? "lines"
           : sort == LEGEND_KIND ? "kinds"
           : sort == LEGEND_MARK ? "support"
                                 : "signs";
}

/* Rows of a legend that is so wide: an entry each, and a heading before each group. */
static int rows_of(const struct legend_entry *entry, size_t count, int *width)
{
    int rows = 0;
    const char *title = "";
    for (size_t i = 0; i < count; i++) {
        int columns = 8 + columns_of(entry[i].words);
        rows += 1 + (title != title_of(entry[i].sort));
        title = title_of(entry[i].sort);
        *width = columns > *width ? columns : *width;
    }
    return rows;
}

void graph_view_legend_draw_whole(struct graph_view *g, const struct pane *p)
{
    struct legend_entry entry[LEGEND_MOST];
    size_t count = chart_legend(&g->drawing->chart, entry);
    const char *title = "";
    int width = 0, rows = rows_of(entry, count, &width), row = 0;
    struct pane box = pane_part(p, p->height - rows - 1, p->width - width - 2, rows + 1, width + 2);
    if (rows + 1 > p->height)
        box = pane_part(p, 0, p->width - width - 2, p->height, width + 2);
    paint_clear(&box);
    paint_divider(&box, 0);
    for (size_t i = 0; i < count; i++) {
        char sign[16];
        if (title != title_of(entry[i].sort))
            paint_text(&box, row++, 2, width - 2, STYLE_RULE_TITLE, title_of(entry[i].sort));
        title = title_of(entry[i].sort);
        sign_of(&entry[i], sign);
        paint_text(&box, row, 3, 4, style_of(&entry[i]), sign);
        paint_text(&box, row++, 8, width - 6, STYLE_TEXT, entry[i].words);
    }
}
