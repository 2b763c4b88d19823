#include "tui/chart/graph_text.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "tui/chart/chart_label.h"
#include "tui/chart/chart_legend.h"
#include "tui/chart/chart_reach.h"
#include "tui/chart/drawing_text.h"
#include "tui/render/outline_text.h"

#define NAME_COLUMNS  28 /* of a memory on a circle */
#define FOCUS_COLUMNS 60 /* of what the memory says that it is all about */

/* Levels of an outline that are drawn, at most, and for so many columns one. */
#define LEVELS_DRAWN      40
#define COLUMNS_FOR_LEVEL 6

static int no_memory(struct error *e)
{
    error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
              "there is no memory for the drawing");
    return -1;
}

/* What stands for several, or is gone or missing, is not what one looks for first. */
static enum style tone_of_node(const struct chart *c, uint32_t i)
{
    if (i == 0)
        return STYLE_STRONG;
    return c->scene.node[i].sort != SCENE_MEMORY || c->node[i].dead ? STYLE_DIM : STYLE_TEXT;
}

/* ---- the drawing ---- */

static int print_drawing(struct output *out, const struct chart *c, struct error *e)
{
    uint32_t nodes = c->picture.nodes;
    struct drawing_label *label = xcalloc((size_t)nodes + 1, sizeof(*label));
    if (!label)
        return no_memory(e);
    for (uint32_t i = 0; i < nodes; i++) {
        const struct chart_node *n = &c->node[i];
        label[chart_drawn(c, i)] = (struct drawing_label){
            .text = n->label,
            .style = tone_of_node(c, i),
            .mark = (size_t)n->mark,
            .mark_length = (size_t)n->mark_length,
            .mark_tone = n->support < LABEL_COUNT ? STYLE_OF_LABEL(n->support) : STYLE_TEXT};
    }
    int result = drawing_print(out, &c->layout, label, e);
    free(label);
    return result;
}

/* ---- the outline ---- */

struct listing {
    struct output *out;
    const struct chart *chart;
};

/* The label in its tones. */
static size_t add_label(void *of, uint32_t node, size_t columns, struct strbuf *to)
{
    const struct listing *l = of;
    uint32_t i = chart_of_drawn(l->chart, node);
    enum style style = tone_of_node(l->chart, i);
    struct chart_node about;
    struct strbuf label = STRBUF_INIT;
    int most = columns < 100000 ? (int)columns : 0;
    chart_label_add(&label, l->chart, i, most, false, &about);
    const char *rest = label.buf;
    if (style != STYLE_TEXT)
        output_style(l->out, style);
    if (about.mark_length && !label.failed) {
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
    to->failed |= label.failed;
    strbuf_release(&label);
    return (size_t)about.columns;
}

static uint32_t levels_drawn(const struct output *out)
{
    size_t fit = out->columns / COLUMNS_FOR_LEVEL;
    return fit < 2 ? 2 : fit < LEVELS_DRAWN ? (uint32_t)fit : LEVELS_DRAWN;
}

static int print_outline(struct output *out, const struct chart *c, enum scene_show show,
                         struct error *e)
{
    struct picture_outline outline;
    struct listing listing = {out, c};
    struct outline_text text = {.picture = &c->picture,
                                .outline = &outline,
                                .down = show != SCENE_CARRIES,
                                .ascii = out->ascii,
                                .levels = levels_drawn(out),
                                .columns = out->columns == SIZE_MAX ? 0 : out->columns,
                                .label = add_label,
                                .of = &listing};
    uint32_t root = show == SCENE_BOTH || !c->picture.nodes ? PICTURE_NONE : chart_drawn(c, 0);
    int result = picture_outline_make(&outline, &c->picture, root, text.down) ? no_memory(e) : 0;
    for (size_t i = 0; i < outline.count && !result; i++) {
        outline_text_add(&out->text, &text, i, NULL);
        strbuf_addch(&out->text, '\n');
    }
    picture_outline_release(&outline);
    return result;
}

/* ---- below it ---- */

/* "12 memories", "999+ memories", "nothing" */
static void add_count(struct strbuf *line, size_t count, bool bounded)
{
    if (count == 0)
        strbuf_addstr(line, "nothing");
    else
        strbuf_addf(line, "%zu%s memor%s", count, bounded ? "+" : "",
                    count == 1 && !bounded ? "y" : "ies");
}

/* How much of that side nodes in view stand for. */
static int count_seen(const struct chart *c, enum direction side, size_t *seen, struct error *e)
{
    uint32_t *depth = xmalloc(((size_t)c->scene.nodes + 1) * sizeof(*depth));
    if (!depth || chart_depths(c, side, depth)) {
        free(depth);
        return no_memory(e);
    }
    *seen = chart_reached(c, depth);
    free(depth);
    return 0;
}

/* ", +4 not in view", where that is known. */
static void add_unseen(struct strbuf *line, size_t total, size_t seen, bool bounded)
{
    if (total > seen)
        strbuf_addf(line, ", +%zu%s not in view", total - seen, bounded ? " or more" : "");
    else if (bounded)
        strbuf_addstr(line, ", and more than is in view");
    if (total > seen || bounded)
        strbuf_addstr(line, ": --depth and --budget say how much is");
}

/* "belief:54c5… “Never skip staging”", by which it is found in the drawing. */
static void print_focus(struct output *out, const struct chart *c)
{
    const struct scene_node *n = &c->scene.node[0];
    const char *text = c->node[0].text;
    struct strbuf name = STRBUF_INIT, said = STRBUF_INIT;
    text_add(&name, c->node[0].name, out->flags | TEXT_EXACT);
    if (n->sort == SCENE_MEMORY && c->node[0].textless) {
        strbuf_addf(&said, " (%s)", c->node[0].dead ? status_name(n->status) : "no text");
    } else if (n->sort == SCENE_MEMORY) {
        strbuf_addstr(&said, out->ascii ? " \"" : " “");
        text_fit(&said, text, strlen(text), FOCUS_COLUMNS, out->flags);
        strbuf_addstr(&said, out->ascii ? "\"" : "”");
    }
    output_led(out, STYLE_STRONG, name.buf, said.buf, 2);
    out->text.failed |= name.failed || said.failed;
    strbuf_release(&name);
    strbuf_release(&said);
}

/* "rests on 12 memories, +4 not in view: --depth and --budget say how much is" */
static int print_side(struct output *out, const struct chart *c, enum direction side,
                      struct error *e)
{
    struct strbuf line = STRBUF_INIT;
    size_t seen = 0, total = c->total[side];
    if (count_seen(c, side, &seen, e))
        return -1;
    bool whole = !c->scene.partial, bounded = c->total_bounded[side] && !whole;
    strbuf_addstr(&line, side == ANCESTORS ? "rests on " : "carries ");
    add_count(&line, whole || seen > total ? seen : total, bounded);
    if (!whole)
        add_unseen(&line, total, seen, bounded);
    output_flow(out, line.buf, 2);
    out->text.failed |= line.failed;
    strbuf_release(&line);
    return 0;
}

static enum style tone_of_entry(const struct legend_entry *entry)
{
    if (entry->sort == LEGEND_MARK)
        return STYLE_OF_LABEL((enum label)entry->of);
    return entry->sort == LEGEND_KIND ? STYLE_STRONG : STYLE_TEXT;
}

/* One line, or as many as it takes; an entry is never broken. */
static void print_legend(struct output *out, const struct chart *c)
{
    struct legend_entry entry[LEGEND_MOST];
    size_t count = chart_legend(c, entry), used = 0;
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
    const struct scene_node *n = &c->scene.node[i];
    const char *text = c->node[i].text;
    if (n->sort != SCENE_MEMORY) {
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
    struct strbuf line = STRBUF_INIT;
    for (size_t i = 0; i <= count; i++) {
        strbuf_addstr(&line, i == 0 ? " " : out->ascii ? " -> " : " → ");
        add_name(&line, c, node[i < count ? i : 0]);
    }
    output_led(out, STYLE_CIRCULAR, "circle:", line.buf, 2);
    out->text.failed |= line.failed;
    strbuf_release(&line);
}

static void print_circles(struct output *out, const struct chart *c)
{
    const struct scene *s = &c->scene;
    for (size_t i = 0; i < s->circles; i++)
        print_circle(out, c, s->circle + s->circle_first[i],
                     s->circle_first[i + 1] - s->circle_first[i]);
    for (uint32_t i = 0; i < s->nodes; i++)
        if (s->node[i].loop)
            print_circle(out, c, &i, 1);
}

int graph_text_print(struct output *out, const struct chart *c, enum scene_show show,
                     struct error *e)
{
    bool outline = c->style == CHART_OUTLINE;
    if (outline ? print_outline(out, c, show, e) : print_drawing(out, c, e))
        return -1;
    strbuf_addch(&out->text, '\n');
    print_focus(out, c);
    if ((show & SCENE_RESTS_ON && print_side(out, c, ANCESTORS, e)) ||
        (show & SCENE_CARRIES && print_side(out, c, DESCENDANTS, e)))
        return -1;
    print_legend(out, c);
    print_circles(out, c);
    return 0;
}
