/* What the signs of a drawing mean, and the way round a circle. */
#include "tui/view/graph/graph_view.h"

#include "model/base/strbuf.h"
#include "tui/chart/chart_legend.h"
#include "tui/text/text.h"

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
    const char *arrow = glyph_text(&g->view.app->ui.screen, GLYPH_ARROW);
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
        return entry->of < 0 ? STYLE_TEXT : STYLE_OF_LIT_STROKE(entry->of);
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

/* Lines first, for only a drawing has them; then the rest. */
static int group_of(const struct legend_entry *entry)
{
    return entry->sort == LEGEND_FLOW                                 ? 0
           : entry->sort == LEGEND_KIND || entry->sort == LEGEND_MARK ? 2
                                                                      : 1;
}

static int width_of(const struct legend_entry *entry, char sign[16])
{
    sign_of(entry, sign);
    int width = columns_of(sign);
    return width + (width > 0) + columns_of(entry->words);
}

/* Returns where the next one begins; beyond the row where it does not fit. */
static int draw_entry(const struct pane *row, int at, const struct legend_entry *entry)
{
    char sign[16];
    int whole = width_of(entry, sign), width = columns_of(sign);
    if (at + whole >= row->width)
        return row->width;
    paint_text(row, 0, at, width, style_of(entry), sign);
    paint_text(row, 0, at + whole - columns_of(entry->words), row->width - at, STYLE_DIM,
               entry->words);
    return at + whole + 2;
}

/* Which way it is read gives way to what the lines are. */
static void draw_entries(const struct graph_view *g, const struct pane *row)
{
    struct legend_entry entry[LEGEND_MOST];
    size_t count = chart_legend(&g->drawing->chart, entry);
    int needed = 1, at = 1;
    char sign[16];
    for (size_t i = 0; i < count; i++)
        needed += entry[i].sort <= LEGEND_ALL ? width_of(&entry[i], sign) + 2 : 0;
    for (int group = needed - 2 < row->width ? 0 : 1; group <= 2; group++)
        for (size_t i = 0; i < count; i++)
            if (group_of(&entry[i]) == group)
                at = draw_entry(row, at, &entry[i]);
}

/* What the dot under the cursor stands for. */
static void draw_named(struct graph_view *g, const struct pane *row)
{
    const char *label = drawing_chart(g->drawing, graph_view_cursor(g))->label;
    paint_text(row, 0, 1, row->width - 2, STYLE_TEXT, label);
}

/* Where not all of so many are in the drawing, how many are. */
static int draw_in_view(const struct pane *row, int at, size_t all, size_t seen)
{
    int width = row->width - at;
    return seen == all ? 0
           : seen == 0 ? paint_text(row, 0, at, width, STYLE_TEXT, ", none in view")
                       : paint_format(row, 0, at, width, STYLE_TEXT, ", %zu in view", seen);
}

/* What the shades say, for as long as there are any. */
static void draw_shade(struct graph_view *g, const struct pane *row)
{
    struct app *x = g->view.app;
    const struct memory_row *memory = details_row(x, g->shade.row);
    struct strbuf ref = STRBUF_INIT;
    size_t seen[SHADING_ROOT + 1];
    int at = 1;
    graph_view_count_shaded(g, seen);
    strbuf_addstr(&ref, "without ");
    if (memory)
        details_ref(x, memory, &ref);
    strbuf_addch(&ref, ':');
    at += paint_bytes(row, 0, at, row->width - at, STYLE_FALLS, ref.buf, ref.len) + 1;
    paint_label(row, 0, at, LABEL_UNGROUNDED);
    at += 2 + paint_format(row, 0, at + 2, row->width - at - 2, STYLE_TEXT, "%zu fall%s",
                           g->shade.fall_count, g->shade.fall_count == 1 ? "s" : "");
    at += draw_in_view(row, at, g->shade.fall_count, seen[SHADING_FALLS]);
    paint_label(row, 0, at + 2, LABEL_WEAKENED);
    at += 4 + paint_format(row, 0, at + 4, row->width - at - 4, STYLE_TEXT, "%zu weakened",
                           g->shade.weakened_count);
    at += draw_in_view(row, at, g->shade.weakened_count, seen[SHADING_WEAKENED]);
    paint_text(row, 0, at + 2, row->width - at - 3, STYLE_DIM, "Esc ends it");
    strbuf_release(&ref);
}

void graph_view_legend_draw(struct graph_view *g, const struct pane *row)
{
    struct strbuf circle = STRBUF_INIT;
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    if (g->dots) {
        draw_named(g, row);
    } else if (g->shade.known) {
        draw_shade(g, row);
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

struct legend_line {
    const struct legend_entry *entry; /* NULL: a heading */
    const char *title;
};

static size_t legend_lines(const struct legend_entry *entry, size_t count, struct legend_line *line,
                           int *width)
{
    size_t lines = 0;
    const char *title = "";
    for (size_t i = 0; i < count; i++) {
        int columns = 8 + columns_of(entry[i].words);
        if (title != title_of(entry[i].sort))
            line[lines++] = (struct legend_line){NULL, title_of(entry[i].sort)};
        title = title_of(entry[i].sort);
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
    paint_text(box, row, column + 1, 4, style_of(line->entry), sign);
    paint_text(box, row, column + (*sign ? 6 : 1), width - (*sign ? 6 : 1), STYLE_TEXT,
               line->entry->words);
}

/* At the right, below each other, in as many columns as that needs. */
void graph_view_legend_draw_whole(struct graph_view *g, const struct pane *p)
{
    struct legend_entry entry[LEGEND_MOST];
    struct legend_line line[LEGEND_MOST + 4];
    int width = 0, height = p->height > 0 ? p->height : 1;
    int lines = (int)legend_lines(entry, chart_legend(&g->drawing->chart, entry), line, &width);
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
