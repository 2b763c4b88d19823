#include "tui/chart/chart.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/layout/raster.h"
#include "tui/render/trace.h"
#include "tui/text/output.h"
#include "tui/text/text.h"

#define NAME_COLUMNS  28 /* width of a memory's name in a cycle */
#define FOCUS_COLUMNS 60 /* width of the focus's text */

/* An outline draws at most LEVELS_DRAWN levels, and one level per COLUMNS_FOR_LEVEL columns. */
#define LEVELS_DRAWN      40
#define COLUMNS_FOR_LEVEL 6

/* Dims nodes that stand for several memories, and inactive or missing memories. */
static enum style style_of_node(const struct chart *c, uint32_t i)
{
    if (i == 0)
        return STYLE_STRONG;
    return c->subgraph.node[i].type != SUBGRAPH_MEMORY || c->node[i].ended ? STYLE_DIM : STYLE_TEXT;
}

/* ---- the drawing ---- */

#define CELLS_AT_ONCE (1 << 18) /* a wide drawing is read at least one row at a time */

struct printing {
    struct output *out;
    const struct chart *chart;
    enum style style; /* the current style */
    size_t blanks;    /* blanks that are still to be written */
};

/* Writes a code only if the style changes. */
static void set_style(struct printing *p, enum style style)
{
    strbuf_addchars(&p->out->text, ' ', p->blanks);
    p->blanks = 0;
    if (style == p->style)
        return;
    if (p->style != STYLE_TEXT)
        output_style(p->out, STYLE_TEXT);
    if (style != STYLE_TEXT)
        output_style(p->out, style);
    p->style = style;
}

/* A line of the label, with the sign of its support in the label's style. */
static void print_label(struct printing *p, uint32_t i, int line)
{
    const struct chart_node *n = &p->chart->node[i];
    const char *rest;
    size_t len = chart_label_line(n, line, &rest);
    int columns = (int)text_width(rest, len, SIZE_MAX - 1, p->out->flags);
    set_style(p, style_of_node(p->chart, i));
    if (n->mark_length && line == 0) {
        strbuf_add(&p->out->text, rest, (size_t)n->mark);
        set_style(p, STYLE_OF_LABEL(n->support));
        strbuf_add(&p->out->text, rest + n->mark, (size_t)n->mark_length);
        set_style(p, style_of_node(p->chart, i));
        rest += n->mark + n->mark_length;
        len -= (size_t)(n->mark + n->mark_length);
    }
    strbuf_add(&p->out->text, rest, len);
    p->blanks = (size_t)(n->columns - columns);
}

static enum style tone_of_stroke(uint8_t stroke)
{
    if (stroke == STROKE_SUPERSEDES)
        return STYLE_STRONG;
    return stroke == STROKE_GUESSED || stroke == STROKE_EVIDENCE ? STYLE_DIM : STYLE_TEXT;
}

static void print_row(struct printing *p, const struct raster *r, int32_t row)
{
    const struct raster_cell *cells = &r->cell[(size_t)row * (size_t)r->columns];
    for (int32_t column = 0; column < r->columns; column++) {
        const struct raster_cell *cell = &cells[column];
        const struct layout_node *n =
            cell->type == RASTER_INSIDE ? &p->chart->layout.node[cell->node] : NULL;
        int32_t line = n ? r->row + row - n->label_row : -1;
        if (line >= 0 && line < n->label_rows && n->label_column == column) {
            print_label(p, chart_of_drawn(p->chart, cell->node), line);
            column += n->label_columns > 0 ? n->label_columns - 1 : 0;
        } else if (cell->type == RASTER_LINE || cell->type == RASTER_BORDER) {
            set_style(p, cell->type == RASTER_LINE ? tone_of_stroke(cell->stroke) : STYLE_DIM);
            strbuf_addstr(&p->out->text, raster_glyph(cell, p->out->ascii));
        } else {
            p->blanks++;
        }
    }
    p->blanks = 0;
    set_style(p, STYLE_TEXT);
    strbuf_addch(&p->out->text, '\n');
}

/* Prints the whole drawing, uncut, without trailing blanks. */
static void print_drawing(struct output *out, const struct chart *c)
{
    const struct layout *l = &c->layout;
    struct printing p = {.out = out, .chart = c};
    int32_t most = l->width < CELLS_AT_ONCE ? CELLS_AT_ONCE / (l->width + 1) + 1 : 1;
    for (int32_t top = 0; top < l->height; top += most) {
        struct raster r;
        int32_t rows = l->height - top < most ? l->height - top : most;
        raster_make(&r, l, 0, top, l->width, rows, NULL);
        for (int32_t row = 0; row < rows; row++)
            print_row(&p, &r, row);
        raster_release(&r);
    }
}

/* ---- the outline ---- */

struct listing {
    struct output *out;
    const struct chart *chart;
};

/* Appends a label with its styles. `to` is the text of the output, to which output_style writes too. */
static size_t add_label(void *of, uint32_t node, size_t columns, struct strbuf *to)
{
    const struct listing *l = of;
    uint32_t i = chart_of_drawn(l->chart, node);
    enum style style = style_of_node(l->chart, i);
    struct chart_node about;
    AUTO_STRBUF label = STRBUF_INIT;
    int most = columns < 100000 ? (int)columns : 0;
    chart_label_add(&label, l->chart, i, most, 1, false, &about);
    const char *rest = label.buf;
    if (style != STYLE_TEXT)
        output_style(l->out, style);
    if (about.mark_length) {
        strbuf_add(to, rest, (size_t)about.mark);
        rest += about.mark;
        output_printf(l->out, STYLE_OF_LABEL(l->chart->node[i].support), "%.*s", about.mark_length,
                      rest);
        rest += about.mark_length;
        if (style != STYLE_TEXT)
            output_style(l->out, style);
    }
    strbuf_addstr(to, rest);
    if (style != STYLE_TEXT)
        output_style(l->out, STYLE_TEXT);
    return (size_t)about.columns;
}

static uint32_t levels_drawn(const struct output *out)
{
    size_t fit = out->columns / COLUMNS_FOR_LEVEL;
    return fit < 2 ? 2 : fit < LEVELS_DRAWN ? (uint32_t)fit : LEVELS_DRAWN;
}

static void print_outline(struct output *out, const struct chart *c, enum subgraph_show show)
{
    struct picture_outline outline;
    struct listing listing = {out, c};
    struct outline_text text = {.picture = &c->picture,
                                .outline = &outline,
                                .down = show != SHOW_DESCENDANTS,
                                .ascii = out->ascii,
                                .levels = levels_drawn(out),
                                .columns = out->columns == SIZE_MAX ? 0 : out->columns,
                                .label = add_label,
                                .of = &listing};
    uint32_t root = show == SHOW_BOTH || !c->picture.nodes ? PICTURE_NONE : chart_drawn(c, 0);
    picture_outline_make(&outline, &c->picture, root, text.down);
    for (size_t i = 0; i < outline.count; i++) {
        outline_text_add(&out->text, &text, i, NULL);
        strbuf_addch(&out->text, '\n');
    }
    picture_outline_release(&outline);
}

/* ---- summary below the drawing ---- */

/* "12 memories", "999+ memories", "nothing" */
static void add_count(struct strbuf *line, size_t count, bool bounded)
{
    if (count == 0)
        strbuf_addstr(line, "nothing");
    else
        strbuf_addf(line, "%zu%s memor%s", count, bounded ? "+" : "",
                    count == 1 && !bounded ? "y" : "ies");
}

/* How many memories the visible nodes on that side stand for. */
static size_t count_visible(const struct chart *c, enum direction side)
{
    AUTO_FREE uint32_t *depth = xmalloc(((size_t)c->subgraph.nodes + 1) * sizeof(*depth));
    chart_depths(c, side, depth);
    return chart_reached(c, depth);
}

/* ", +4 not in view", if the total is known. */
static void add_hidden_count(struct strbuf *line, size_t total, size_t seen, bool bounded)
{
    if (total > seen)
        strbuf_addf(line, ", +%zu%s not in view", total - seen, bounded ? " or more" : "");
    else if (bounded)
        strbuf_addstr(line, ", and more not in view");
}

/* "belief:54c5… “Never skip staging”", so that the reader finds the focus in the drawing. */
static void print_focus(struct output *out, const struct chart *c)
{
    const struct subgraph_node *n = &c->subgraph.node[0];
    const char *text = c->node[0].text;
    AUTO_STRBUF name = STRBUF_INIT, text_note = STRBUF_INIT;
    text_add(&name, c->node[0].name, out->flags | TEXT_EXACT);
    if (n->type == SUBGRAPH_MEMORY && c->node[0].textless) {
        strbuf_addf(&text_note, " (%s)", c->node[0].ended ? status_word(n->status) : "no text");
    } else if (n->type == SUBGRAPH_MEMORY) {
        strbuf_addstr(&text_note, out->ascii ? " \"" : " “");
        text_fit(&text_note, text, strlen(text), FOCUS_COLUMNS, out->flags);
        strbuf_addstr(&text_note, out->ascii ? "\"" : "”");
    }
    output_flow_after(out, STYLE_STRONG, name.buf, text_note.buf, 2);
}

/* "based on 12 memories, +4 not in view" */
static void print_side(struct output *out, const struct chart *c, enum direction side)
{
    AUTO_STRBUF line = STRBUF_INIT;
    size_t seen = count_visible(c, side), total = c->total[side];
    bool whole = !c->subgraph.partial, bounded = c->total_bounded[side] && !whole;
    strbuf_addstr(&line, side == ANCESTORS ? "based on " : "used by ");
    add_count(&line, whole || seen > total ? seen : total, bounded);
    if (!whole)
        add_hidden_count(&line, total, seen, bounded);
    output_flow(out, line.buf, 2);
}

static enum style tone_of_entry(const struct legend_entry *entry)
{
    if (entry->type == LEGEND_MARK)
        return STYLE_OF_LABEL((enum label)entry->of);
    return entry->type == LEGEND_KIND ? STYLE_STRONG : STYLE_TEXT;
}

/* Breaks lines only between entries. */
static void print_legend(struct output *out, const struct chart *c)
{
    struct legend_entry entry[LEGEND_MAX];
    size_t count = chart_legend(c, NULL, entry), used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct legend_entry *at = &entry[i];
        size_t sign = text_width(at->sign, strlen(at->sign), SIZE_MAX - 1, out->flags);
        size_t own = sign + (sign > 0) + strlen(at->words);
        if (used && out->columns < used + 3 + own) {
            strbuf_addch(&out->text, '\n');
            used = 0;
        }
        if (used)
            strbuf_addstr(&out->text, "   ");
        if (sign)
            output_printf(out, tone_of_entry(at), "%s", at->sign);
        output_printf(out, STYLE_DIM, "%s%s", sign ? " " : "", at->words);
        used += own + (used ? 3 : 0);
    }
    if (used)
        strbuf_addch(&out->text, '\n');
}

/* "b Canary first, then the fl…" */
static void add_name(struct strbuf *line, const struct chart *c, uint32_t i)
{
    const struct subgraph_node *n = &c->subgraph.node[i];
    const char *text = c->node[i].text;
    if (n->type != SUBGRAPH_MEMORY) {
        strbuf_addstr(line, c->node[i].label);
        return;
    }
    strbuf_addf(line, "%c ", kind_spec(n->kind)->letter);
    text_fit(line, text, strlen(text), NAME_COLUMNS, c->ascii ? TEXT_ASCII : 0);
}

/* "circle: a → b → a" */
static void print_circle(struct output *out, const struct chart *c, const uint32_t *node,
                         size_t count)
{
    AUTO_STRBUF line = STRBUF_INIT;
    for (size_t i = 0; i <= count; i++) {
        strbuf_addstr(&line, i == 0 ? " " : out->ascii ? " -> " : " → ");
        add_name(&line, c, node[i < count ? i : 0]);
    }
    output_flow_after(out, STYLE_CIRCULAR, "circle:", line.buf, 2);
}

static void print_circles(struct output *out, const struct chart *c)
{
    const struct subgraph *s = &c->subgraph;
    for (size_t i = 0; i < s->circles; i++)
        print_circle(out, c, s->circle + s->circle_first[i],
                     s->circle_first[i + 1] - s->circle_first[i]);
    for (uint32_t i = 0; i < s->nodes; i++)
        if (s->node[i].loop)
            print_circle(out, c, &i, 1);
}

void graph_text_print(struct output *out, const struct chart *c, enum subgraph_show show)
{
    if (c->style == CHART_OUTLINE)
        print_outline(out, c, show);
    else
        print_drawing(out, c);
    strbuf_addch(&out->text, '\n');
    print_focus(out, c);
    if (show & SHOW_ANCESTORS)
        print_side(out, c, ANCESTORS);
    if (show & SHOW_DESCENDANTS)
        print_side(out, c, DESCENDANTS);
    print_legend(out, c);
    print_circles(out, c);
}

#define LABEL_COLUMNS 30
#define LABEL_LINES   4

/*
 * In labels and tooltips a backslash begins an escape and & an entity. In names only a quote is special, and a
 * backslash must not come before it.
 */
static void add_quoted(struct strbuf *out, const char *s, bool is_name)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            strbuf_addch(out, '\\');
        if (*s == '&' && !is_name)
            strbuf_addstr(out, "&amp;");
        else
            strbuf_addch(out, *s);
    }
}

static unsigned flags_of(const struct chart *c)
{
    return c->ascii ? TEXT_ASCII : 0;
}

static void add_name_graph_dot(struct strbuf *out, const struct chart *c, uint32_t i)
{
    const char *name = c->node[i].name;
    AUTO_STRBUF clean = STRBUF_INIT;
    text_add(&clean, name, flags_of(c) | TEXT_EXACT);
    strbuf_addch(out, '"');
    if (strcmp(clean.buf, name) != 0)
        strbuf_addf(out, "%u ", (unsigned)i);
    add_quoted(out, clean.buf, true);
    strbuf_addch(out, '"');
}

/* Appends the first lines of the text. */
static void add_wrapped(struct strbuf *out, const char *text, unsigned flags)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    size_t len = strlen(text);
    size_t count = text_wrap(&arena, text, len, LABEL_COLUMNS, LABEL_LINES, flags, &lines);
    for (size_t i = 0; i < count; i++) {
        add_quoted(out, lines[i].text, false);
        if (i + 1 < count)
            strbuf_addstr(out, "\\n");
        else if (lines[i].to < len)
            strbuf_addstr(out, flags & TEXT_ASCII ? "..." : "…");
    }
}

static void add_label_graph_dot(struct strbuf *out, const struct chart *c, uint32_t i)
{
    const struct subgraph_node *n = &c->subgraph.node[i];
    const struct chart_node *node = &c->node[i];
    strbuf_addstr(out, "label=\"");
    if (n->type == SUBGRAPH_MEMORY) {
        strbuf_addf(out, "%s %s\\n", mark_of_label(node->support, c->ascii), kind_name(n->kind));
        add_wrapped(out, node->text, flags_of(c));
    } else if (n->type == SUBGRAPH_MISSING) {
        strbuf_addf(out, "%s\\n?", kind_name(n->kind));
        add_quoted(out, node->text, false);
    } else {
        add_quoted(out, node->label, false);
    }
    strbuf_addch(out, '"');
}

static const char *shape_of(enum kind kind)
{
    static const char *const shapes[KIND_COUNT] = {
        [KIND_RAW] = "note",           [KIND_EPISODE] = "ellipse",
        [KIND_BELIEF] = "box",         [KIND_NOTE] = "tab",
        [KIND_VALUE] = "hexagon",      [KIND_GOAL] = "house",
        [KIND_DRIVE] = "invhouse",     [KIND_RELATIONSHIP] = "octagon",
        [KIND_SUGGESTION] = "diamond", [KIND_ATTRIBUTION] = "component",
        [KIND_DOCUMENT] = "folder",    [KIND_CHAIN] = "box3d",
        [KIND_STEP] = "cds",           [KIND_CITATION] = "parallelogram",
        [KIND_ENTRY] = "cylinder",
    };
    return shapes[kind];
}

static void add_node(struct strbuf *out, const struct chart *c, uint32_t i)
{
    const struct subgraph_node *n = &c->subgraph.node[i];
    bool single = subgraph_is_single(n);
    strbuf_addstr(out, "  ");
    add_name_graph_dot(out, c, i);
    strbuf_addstr(out, " [");
    add_label_graph_dot(out, c, i);
    strbuf_addf(out, ", shape=%s", single ? shape_of(n->kind) : "box");
    if (n->type != SUBGRAPH_MEMORY)
        strbuf_addstr(out, ", style=dashed");
    else if (n->kind == KIND_BELIEF)
        strbuf_addstr(out, ", style=rounded");
    if (c->node[i].ended || n->type == SUBGRAPH_MISSING)
        strbuf_addstr(out, ", color=gray50, fontcolor=gray50");
    if (i == 0)
        strbuf_addstr(out, ", penwidth=2");
    if (single) {
        AUTO_STRBUF id = STRBUF_INIT;
        text_add(&id, c->node[i].name, flags_of(c) | TEXT_EXACT);
        strbuf_addstr(out, ", tooltip=\"");
        add_quoted(out, id.buf, false);
        strbuf_addch(out, '"');
    }
    strbuf_addstr(out, "];\n");
}

static void add_edge(struct strbuf *out, const struct chart *c, uint32_t from, uint32_t to,
                     uint8_t strokes)
{
    static const char *const styles[STROKE_COUNT] = {
        [STROKE_GUESSED] = "style=dashed, color=gray50, arrowhead=empty",
        [STROKE_EVIDENCE] = "style=dotted",
        [STROKE_REINFORCED] = "style=dashed",
        [STROKE_DERIVED] = "",
        [STROKE_ALL] = "arrowhead=teenormal",
        [STROKE_SUPERSEDES] = "penwidth=3",
    };
    int drawn = STROKE_COUNT - 1;
    strbuf_addstr(out, "  ");
    add_name_graph_dot(out, c, to);
    strbuf_addstr(out, " -> ");
    add_name_graph_dot(out, c, from);
    while (drawn > 0 && !(strokes >> drawn & 1))
        drawn--;
    strbuf_addstr(out, " [tooltip=\"");
    for (int stroke = STROKE_COUNT - 1, any = 0; stroke >= 0; stroke--)
        if (strokes >> stroke & 1)
            strbuf_addf(out, "%s%s", any++ ? ", " : "", stroke_name((enum stroke)stroke));
    strbuf_addf(out, "\"%s%s];\n", *styles[drawn] ? ", " : "", styles[drawn]);
}

void graph_dot_add(struct strbuf *out, const struct chart *c, bool down)
{
    const struct subgraph *s = &c->subgraph;
    strbuf_addf(out, "digraph stemma {\n  rankdir=%s;\n", down ? "TB" : "LR");
    strbuf_addstr(out, "  node [fontname=\"sans-serif\", fontsize=11];\n");
    for (uint32_t i = 0; i < s->nodes; i++)
        add_node(out, c, i);
    for (uint32_t e = 0; e < s->edges; e++)
        add_edge(out, c, s->edge[e].from, s->edge[e].to, s->edge[e].strokes);
    for (uint32_t i = 0; i < s->nodes; i++)
        if (s->node[i].loop)
            add_edge(out, c, i, i, 1u << STROKE_DERIVED);
    strbuf_addstr(out, "}\n");
}
