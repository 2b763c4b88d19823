#include "tui/chart/chart_legend.h"

#include <stdio.h>
#include "tui/text/output.h"

struct legend {
    const struct chart *chart;
    struct legend_entry *entry;
    size_t count;
};

static void add(struct legend *l, enum legend_sort sort, int of, const char *sign,
                const char *words)
{
    struct legend_entry *entry = &l->entry[l->count++];
    *entry = (struct legend_entry){.sort = sort, .of = of, .words = words};
    snprintf(entry->sign, sizeof(entry->sign), "%s", sign);
}

static bool is_drawn(const struct chart *c)
{
    return c->style != CHART_OUTLINE;
}

static bool flows_down(const struct chart *c)
{
    return is_drawn(c) && c->layout.options.flow == FLOW_DOWN;
}

/* ---- lines ---- */

static void add_strokes(struct legend *l)
{
    static const struct {
        const char *sign, *words;
    } strokes[STROKE_COUNT] = {
        [STROKE_GUESSED] = {"╌", "guessed"},       [STROKE_EVIDENCE] = {"┈", "evidence"},
        [STROKE_REINFORCED] = {"┄", "reinforced"}, [STROKE_DERIVED] = {"─", "derived"},
        [STROKE_ALL] = {"╟", "needs all of them"}, [STROKE_SUPERSEDES] = {"━", "supersedes"},
    };
    const struct chart *c = l->chart;
    unsigned seen = 0;
    for (uint32_t e = 0; e < c->picture.edges; e++)
        seen |= 1u << c->picture.edge[e].stroke;
    if (c->ascii && seen && is_drawn(c))
        add(l, LEGEND_STROKE, -1, "-", "rests on, in whichever way");
    for (int stroke = STROKE_COUNT - 1; stroke >= 0; stroke--) {
        if (!(seen >> stroke & 1) || c->ascii)
            continue;
        bool all = stroke == STROKE_ALL;
        const char *sign = all && flows_down(c) ? "╤" : strokes[stroke].sign;
        add(l, all ? LEGEND_ALL : LEGEND_STROKE, stroke, sign, strokes[stroke].words);
    }
}

static void add_against(struct legend *l)
{
    const struct chart *c = l->chart;
    bool down = flows_down(c), any = false;
    for (uint32_t e = 0; e < c->picture.edges && !any; e++)
        any = c->layout.edge_reversed[e];
    if (!any)
        return;
    if (down)
        add(l, LEGEND_AGAINST, 0, c->ascii ? "^" : "▲", "below rests on above");
    else
        add(l, LEGEND_AGAINST, 0, c->ascii ? "<" : "◄", "right rests on left");
}

/* ---- nodes ---- */

static bool is_single(const struct scene_node *n)
{
    return n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST;
}

static void add_kinds(struct legend *l)
{
    const struct scene *s = &l->chart->scene;
    unsigned seen = 0;
    for (uint32_t i = 0; i < s->nodes; i++)
        if (is_single(&s->node[i]))
            seen |= KIND_BIT(s->node[i].kind);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        char letter[2] = {kind_spec((enum kind)kind)->letter, '\0'};
        if (seen & KIND_BIT(kind))
            add(l, LEGEND_KIND, kind, letter, kind_name((enum kind)kind));
    }
}

static void add_marks(struct legend *l)
{
    const struct chart *c = l->chart;
    unsigned seen = 0;
    for (uint32_t i = 0; i < c->scene.nodes; i++)
        seen |= 1u << c->node[i].support;
    for (int label = 0; label < LABEL_COUNT; label++)
        if (seen >> label & 1)
            add(l, LEGEND_MARK, label, mark_of_label((enum label)label, c->ascii),
                label_name((enum label)label));
}

/* Which of the other signs stand in a label. */
static void add_signs(struct legend *l)
{
    const struct chart *c = l->chart;
    bool loop = false, hidden[2] = {false, false}, down = flows_down(c);
    unsigned sorts = 0;
    for (uint32_t i = 0; i < c->scene.nodes; i++) {
        const struct scene_node *n = &c->scene.node[i];
        sorts |= 1u << n->sort;
        loop |= n->loop;
        hidden[ANCESTORS] |= n->hidden[ANCESTORS] > 0;
        hidden[DESCENDANTS] |= n->hidden[DESCENDANTS] > 0;
    }
    if (sorts >> SCENE_GHOST & 1)
        add(l, LEGEND_GHOST, 0, "?", "not in this store");
    if (loop)
        add(l, LEGEND_LOOP, 0, c->ascii ? "@" : "↺", "at the end: rests on itself");
    if (hidden[DESCENDANTS])
        add(l, LEGEND_HIDDEN, DESCENDANTS, c->ascii ? (down ? "^3" : "<3") : (down ? "↑3" : "‹3"),
            "carries 3 more");
    if (hidden[ANCESTORS])
        add(l, LEGEND_HIDDEN, ANCESTORS, c->ascii ? (down ? "v3" : "3>") : (down ? "↓3" : "3›"),
            "rests on 3 more");
    if (sorts >> SCENE_MORE & 1)
        add(l, LEGEND_SEVERAL, SCENE_MORE, c->ascii ? "..." : "⋯", "the others of a kind");
    if (sorts >> SCENE_CHAIN & 1)
        add(l, LEGEND_SEVERAL, SCENE_CHAIN, c->ascii ? ":" : "⋮", "one resting on the other");
    if (sorts >> SCENE_TWINS & 1)
        add(l, LEGEND_SEVERAL, SCENE_TWINS, "12", "joined to the same memories");
}

size_t chart_legend(const struct chart *c, struct legend_entry out[LEGEND_MOST])
{
    struct legend l = {.chart = c, .entry = out};
    if (is_drawn(c) && c->picture.edges) {
        add(&l, LEGEND_FLOW, 0, "", flows_down(c) ? "above rests on below" : "left rests on right");
        add_strokes(&l);
        add_against(&l);
    }
    add_kinds(&l);
    add_marks(&l);
    add_signs(&l);
    return l.count;
}
