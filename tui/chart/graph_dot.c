#include "tui/chart/graph_dot.h"

#include <string.h>
#include "tui/text/output.h"
#include "tui/text/text.h"

#define LABEL_COLUMNS 30
#define LABEL_LINES   4

/*
 * Within quotes a backslash begins an escape and & an entity, in labels and tooltips; in names only a quote counts,
 * and a backslash must not stand before it.
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

static void add_name(struct strbuf *out, const struct chart *c, uint32_t i)
{
    const char *name = c->node[i].name;
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, name, flags_of(c) | TEXT_EXACT);
    strbuf_addch(out, '"');
    if (strcmp(clean.buf, name) != 0)
        strbuf_addf(out, "%u ", (unsigned)i);
    add_quoted(out, clean.buf, true);
    strbuf_addch(out, '"');
    out->failed |= clean.failed;
    strbuf_release(&clean);
}

/* The text in a few lines, the rest of it cut. */
static void add_wrapped(struct strbuf *out, const char *text, unsigned flags)
{
    struct arena arena = ARENA_INIT;
    struct text_line *lines;
    size_t len = strlen(text);
    long count = text_wrap(&arena, text, len, LABEL_COLUMNS, LABEL_LINES, flags, &lines);
    for (long i = 0; i < count; i++) {
        add_quoted(out, lines[i].text, false);
        if (i + 1 < count)
            strbuf_addstr(out, "\\n");
        else if (lines[i].to < len)
            strbuf_addstr(out, flags & TEXT_ASCII ? "..." : "…");
    }
    out->failed |= count < 0;
    arena_release(&arena);
}

static void add_label(struct strbuf *out, const struct chart *c, uint32_t i)
{
    const struct scene_node *n = &c->scene.node[i];
    const struct chart_node *node = &c->node[i];
    strbuf_addstr(out, "label=\"");
    if (n->sort == SCENE_MEMORY) {
        strbuf_addf(out, "%s %s\\n", mark_of_label(node->support, c->ascii), kind_name(n->kind));
        add_wrapped(out, node->text, flags_of(c));
    } else if (n->sort == SCENE_GHOST) {
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
    const struct scene_node *n = &c->scene.node[i];
    bool single = n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST;
    strbuf_addstr(out, "  ");
    add_name(out, c, i);
    strbuf_addstr(out, " [");
    add_label(out, c, i);
    strbuf_addf(out, ", shape=%s", single ? shape_of(n->kind) : "box");
    if (n->sort != SCENE_MEMORY)
        strbuf_addstr(out, ", style=dashed");
    else if (n->kind == KIND_BELIEF)
        strbuf_addstr(out, ", style=rounded");
    if (c->node[i].dead || n->sort == SCENE_GHOST)
        strbuf_addstr(out, ", color=gray50, fontcolor=gray50");
    if (i == 0)
        strbuf_addstr(out, ", penwidth=2");
    if (single) {
        struct strbuf id = STRBUF_INIT;
        text_add(&id, c->node[i].name, flags_of(c) | TEXT_EXACT);
        strbuf_addstr(out, ", tooltip=\"");
        add_quoted(out, id.buf, false);
        strbuf_addch(out, '"');
        out->failed |= id.failed;
        strbuf_release(&id);
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
        [STROKE_ALL] = "dir=both, arrowtail=tee",
        [STROKE_SUPERSEDES] = "penwidth=3",
    };
    int drawn = STROKE_COUNT - 1;
    strbuf_addstr(out, "  ");
    add_name(out, c, from);
    strbuf_addstr(out, " -> ");
    add_name(out, c, to);
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
    const struct scene *s = &c->scene;
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
