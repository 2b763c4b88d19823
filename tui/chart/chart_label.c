/* Node labels: only the text of a memory is shortened. Also the legend. */
#include "tui/chart/chart.h"

#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/output.h"

#define TEXT_MIN 4 /* columns that the text keeps at least */

/* Signs with their ASCII substitutes. */
enum sign {
    SIGN_LEFT = 0, /* before the number of hidden sources, left to right */
    SIGN_RIGHT,    /* after the number of hidden users */
    SIGN_ABOVE,    /* the same in top-down styles */
    SIGN_BELOW,
    SIGN_MORE,
    SIGN_CHAIN,
    SIGN_LOOP,
};

static const char *sign(const struct chart *c, enum sign which)
{
    static const char *const signs[][2] = {
        [SIGN_LEFT] = {"‹", "<"},  [SIGN_RIGHT] = {"›", ">"},  [SIGN_ABOVE] = {"↑", "^"},
        [SIGN_BELOW] = {"↓", "v"}, [SIGN_MORE] = {"⋯", "..."}, [SIGN_CHAIN] = {"⋮", ":"},
        [SIGN_LOOP] = {"↺", "@"},
    };
    return signs[which][c->ascii];
}

/* "3", "999+" */
static void add_number(struct strbuf *out, size_t count, bool bounded)
{
    strbuf_addf(out, "%zu%s", count, bounded ? "+" : "");
}

/* "‹5 ", "↑5 " */
static void add_hidden_sources(struct strbuf *out, const struct chart *c,
                               const struct subgraph_node *n, bool down)
{
    if (!n->hidden[ANCESTORS])
        return;
    strbuf_addstr(out, sign(c, down ? SIGN_ABOVE : SIGN_LEFT));
    add_number(out, n->hidden[ANCESTORS], n->hidden_bounded[ANCESTORS]);
    strbuf_addch(out, ' ');
}

/* " 3›", " ↓3" */
static void add_hidden_users(struct strbuf *out, const struct chart *c,
                             const struct subgraph_node *n, bool down)
{
    if (!n->hidden[DESCENDANTS])
        return;
    strbuf_addch(out, ' ');
    if (down)
        strbuf_addstr(out, sign(c, SIGN_BELOW));
    add_number(out, n->hidden[DESCENDANTS], n->hidden_bounded[DESCENDANTS]);
    if (!down)
        strbuf_addstr(out, sign(c, SIGN_RIGHT));
}

/* Appends kind and support: "b ● ", "b ?". `start` is the start of the label. */
static void add_kind(struct strbuf *out, const struct chart *c, uint32_t i, size_t start,
                     struct chart_node *about)
{
    const struct subgraph_node *n = &c->subgraph.node[i];
    enum label support = c->node[i].support;
    if (n->type == SUBGRAPH_MORE)
        return;
    if (n->type == SUBGRAPH_CHAIN)
        strbuf_addf(out, "%s ", sign(c, SIGN_CHAIN));
    else if (n->type != SUBGRAPH_EQUIVALENT)
        strbuf_addf(out, "%c ", kind_spec(n->kind)->letter);
    if (n->type == SUBGRAPH_MISSING) {
        strbuf_addch(out, '?');
    } else if (support != LABEL_COUNT) {
        const char *mark = mark_of_label(support, c->ascii);
        about->mark = (int)(out->len - start);
        about->mark_length = (int)strlen(mark);
        strbuf_addf(out, "%s ", mark);
    }
}

/* "⋯ +37 raw entries", "⋯ 999+ beliefs", "12 notes", "9 replaced" */
static void add_several(struct strbuf *out, const struct chart *c, const struct subgraph_node *n)
{
    if (n->type == SUBGRAPH_MORE)
        strbuf_addf(out, "%s %s", sign(c, SIGN_MORE), n->total_bounded ? "" : "+");
    add_number(out, n->total, n->total_bounded);
    if (n->type == SUBGRAPH_CHAIN && n->status == STATUS_SUPERSEDED)
        strbuf_addstr(out, " replaced");
    else
        strbuf_addf(out, " %s", kind_words(n->kind, n->total == 1));
}

static size_t columns_from(const struct strbuf *s, size_t start, unsigned flags)
{
    return text_width(s->buf + start, s->len - start, SIZE_MAX - 1, flags);
}

/* The parts of a label label_parts its text. */
struct label_parts {
    size_t start; /* the byte where the label begins */
    size_t head;  /* columns */
    struct strbuf tail;
};

static void add_parts(struct strbuf *out, struct label_parts *a, const struct chart *c,
                      uint32_t node, bool down, bool hidden, struct chart_node *about)
{
    const struct subgraph_node *n = &c->subgraph.node[node];
    strbuf_cut(out, a->start);
    strbuf_clear(&a->tail);
    about->mark = about->mark_length = 0;
    if (hidden)
        add_hidden_sources(out, c, n, down);
    about->badge_columns = (int)columns_from(out, a->start, 0);
    add_kind(out, c, node, a->start, about);
    if (n->loop)
        strbuf_addf(&a->tail, " %s", sign(c, SIGN_LOOP));
    if (hidden)
        add_hidden_users(&a->tail, c, n, down);
    a->head = columns_from(out, a->start, 0);
}

/* Appends the text in lines of at most `room` columns, of the last one without the tail, and each but the first after
 * blanks for the head. Returns the columns of the longest, without the head; the tail follows the last one. */
static size_t add_text(struct strbuf *out, const char *text, size_t room, int lines, size_t head,
                       size_t tail, unsigned flags, struct chart_node *about)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *line = NULL;
    size_t len = strlen(text), longest = 0, count = 0, least = room - tail;
    if (lines > 1) {
        count = text_wrap(&arena, text, len, room, (size_t)lines, flags, &line);
        if (count && count < (size_t)lines && line[count - 1].width > least)
            count = text_wrap(&arena, text, len, least, (size_t)lines, flags, &line);
    }
    for (size_t i = 0; i + 1 < count; i++) {
        strbuf_add(out, line[i].text, line[i].len);
        strbuf_addch(out, '\n');
        strbuf_addchars(out, ' ', head);
        longest = line[i].width > longest ? line[i].width : longest;
    }
    size_t from = count ? line[count - 1].from : 0;
    size_t last = text_fit(out, text + from, len - from, least, flags);
    about->lines = count ? (int)count : 1;
    about->cut = text_width(text + from, len - from, least + 1, flags) > least;
    return last + tail > longest ? last + tail : longest;
}

void chart_label_add(struct strbuf *out, const struct chart *c, uint32_t node, int most, int lines,
                     bool down, struct chart_node *about)
{
    const struct subgraph_node *n = &c->subgraph.node[node];
    unsigned flags = c->ascii ? TEXT_ASCII : 0;
    struct label_parts a = {.start = out->len, .tail = STRBUF_INIT};
    size_t bound = most > 0 ? (size_t)most : SIZE_MAX - 1;
    add_parts(out, &a, c, node, down, true, about);
    size_t tail = columns_from(&a.tail, 0, 0);
    if (bound < a.head + tail + TEXT_MIN) {
        add_parts(out, &a, c, node, down, false, about);
        tail = columns_from(&a.tail, 0, 0);
    }
    bool room = bound >= a.head + tail + TEXT_MIN;
    size_t start = out->len, columns;
    about->lines = 1;
    about->cut = false;
    if (subgraph_is_single(n)) {
        columns = add_text(out, c->node[node].text, room ? bound - a.head : TEXT_MIN + tail, lines,
                           a.head, tail, flags, about);
    } else {
        add_several(out, c, n);
        columns = columns_from(out, start, flags) + tail;
    }
    about->head_columns = (int)a.head;
    about->tail_columns = (int)tail;
    about->columns = (int)(a.head + columns);
    strbuf_addstr(out, a.tail.buf);
    strbuf_release(&a.tail);
}

void chart_label_all(struct chart *c, int most, int lines, bool down)
{
    AUTO_STRBUF out = STRBUF_INIT;
    arena_clear(&c->writing);
    for (uint32_t i = 0; i < c->subgraph.nodes; i++) {
        strbuf_clear(&out);
        int own =
            c->node[i].most_lines && c->node[i].most_lines < lines ? c->node[i].most_lines : lines;
        chart_label_add(&out, c, i, most, own, down, &c->node[i]);
        c->node[i].label = arena_strdup(&c->writing, out.buf);
    }
}

size_t chart_label_line(const struct chart_node *n, int number, const char **line)
{
    for (*line = n->label; number > 0; number--)
        *line += strcspn(*line, "\n") + 1;
    return strcspn(*line, "\n");
}

struct legend {
    const struct chart *chart;
    const uint8_t *seen; /* by node of the picture; NULL: all */
    struct legend_entry *entry;
    size_t count;
};

static void add(struct legend *l, enum legend_type type, int of, const char *sign,
                const char *words)
{
    struct legend_entry *entry = &l->entry[l->count++];
    *entry = (struct legend_entry){.type = type, .of = of};
    snprintf(entry->sign, sizeof(entry->sign), "%s", sign);
    snprintf(entry->words, sizeof(entry->words), "%s", words);
}

static void add_counted(struct legend *l, enum legend_type type, int of, const char *sign,
                        size_t count, const char *words)
{
    char counted[48];
    snprintf(counted, sizeof(counted), "%zu %s", count, words);
    add(l, type, of, sign, counted);
}

static bool is_seen(const struct legend *l, uint32_t subgraph_node)
{
    return !l->seen || l->seen[chart_drawn(l->chart, subgraph_node)];
}

static bool edge_is_seen(const struct legend *l, uint32_t edge)
{
    const struct picture_edge *e = &l->chart->picture.edge[edge];
    return !l->seen || l->seen[e->from] || l->seen[e->to];
}

static bool is_drawn(const struct chart *c)
{
    return c->style != CHART_OUTLINE;
}

static bool flows_down(const struct chart *c)
{
    return is_drawn(c) && c->layout.options.flow == FLOW_DOWN;
}

/* ---- legend: lines ---- */

static void add_strokes(struct legend *l)
{
    static const struct {
        const char *sign, *words;
    } strokes[STROKE_COUNT] = {
        [STROKE_GUESSED] = {"╌", "guessed"},       [STROKE_EVIDENCE] = {"┈", "evidence"},
        [STROKE_REINFORCED] = {"┄", "reinforced"}, [STROKE_DERIVED] = {"─", "derived"},
        [STROKE_ALL] = {"╢", "needs all of them"}, [STROKE_SUPERSEDES] = {"━", "replaces"},
    };
    const struct chart *c = l->chart;
    size_t count[STROKE_COUNT] = {0}, edges = 0;
    for (uint32_t e = 0; e < c->picture.edges; e++) {
        count[c->picture.edge[e].stroke] += edge_is_seen(l, e);
        edges += edge_is_seen(l, e);
    }
    if (c->ascii && edges && is_drawn(c))
        add(l, LEGEND_STROKE, -1, "-", "based on, in any way");
    for (int stroke = STROKE_COUNT - 1; stroke >= 0; stroke--) {
        if (!count[stroke] || c->ascii)
            continue;
        if (stroke == STROKE_ALL)
            add(l, LEGEND_ALL, stroke, flows_down(c) ? "╧" : "╢", strokes[stroke].words);
        else
            add_counted(l, LEGEND_STROKE, stroke, strokes[stroke].sign, count[stroke],
                        strokes[stroke].words);
    }
}

static void add_against(struct legend *l)
{
    const struct chart *c = l->chart;
    bool down = flows_down(c), any = false;
    for (uint32_t e = 0; e < c->picture.edges && !any; e++)
        any = c->layout.edge_reversed[e] && edge_is_seen(l, e);
    if (!any)
        return;
    if (down)
        add(l, LEGEND_REVERSED, 0, c->ascii ? "^" : "▲", "below supports above");
    else
        add(l, LEGEND_REVERSED, 0, c->ascii ? "<" : "◄", "right supports left");
}

/* ---- legend: nodes ---- */

static void add_kinds(struct legend *l)
{
    const struct subgraph *s = &l->chart->subgraph;
    size_t count[KIND_COUNT] = {0};
    for (uint32_t i = 0; i < s->nodes; i++)
        count[s->node[i].kind] += subgraph_is_single(&s->node[i]) && is_seen(l, i);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        char letter[2] = {kind_spec((enum kind)kind)->letter, '\0'};
        if (count[kind])
            add_counted(l, LEGEND_KIND, kind, letter, count[kind],
                        kind_words((enum kind)kind, count[kind] == 1));
    }
}

static void add_marks(struct legend *l)
{
    const struct chart *c = l->chart;
    size_t count[LABEL_COUNT + 1] = {0};
    for (uint32_t i = 0; i < c->subgraph.nodes; i++)
        count[c->node[i].support] += is_seen(l, i) ? c->subgraph.node[i].total : 0;
    for (int label = 0; label < LABEL_COUNT; label++)
        if (count[label])
            add_counted(l, LEGEND_MARK, label, mark_of_label((enum label)label, c->ascii),
                        count[label], label_name((enum label)label));
}

/* Adds the other signs that occur in labels. */
static void add_signs(struct legend *l)
{
    const struct chart *c = l->chart;
    bool loop = false, hidden[2] = {false, false}, down = flows_down(c);
    unsigned types = 0;
    size_t missing = 0;
    for (uint32_t i = 0; i < c->subgraph.nodes; i++) {
        const struct subgraph_node *n = &c->subgraph.node[i];
        if (!is_seen(l, i))
            continue;
        types |= 1u << n->type;
        missing += n->type == SUBGRAPH_MISSING;
        loop |= n->loop;
        hidden[ANCESTORS] |= n->hidden[ANCESTORS] > 0;
        hidden[DESCENDANTS] |= n->hidden[DESCENDANTS] > 0;
    }
    if (missing)
        add_counted(l, LEGEND_GHOST, 0, "?", missing, "not in this store");
    if (loop)
        add(l, LEGEND_LOOP, 0, c->ascii ? "@" : "↺", "based on itself");
    if (hidden[ANCESTORS])
        add(l, LEGEND_HIDDEN, ANCESTORS, c->ascii ? (down ? "^N" : "<N") : (down ? "↑N" : "‹N"),
            "based on N more");
    if (hidden[DESCENDANTS])
        add(l, LEGEND_HIDDEN, DESCENDANTS, c->ascii ? (down ? "vN" : "N>") : (down ? "↓N" : "N›"),
            "used by N more");
    if (types >> SUBGRAPH_MORE & 1)
        add(l, LEGEND_SEVERAL, SUBGRAPH_MORE, c->ascii ? "..." : "⋯", "the rest of a kind");
    if (types >> SUBGRAPH_CHAIN & 1)
        add(l, LEGEND_SEVERAL, SUBGRAPH_CHAIN, c->ascii ? ":" : "⋮",
            "a row, each based on the next");
    if (types >> SUBGRAPH_EQUIVALENT & 1)
        add(l, LEGEND_SEVERAL, SUBGRAPH_EQUIVALENT, "N", "a group of N with the same neighbours");
}

size_t chart_legend(const struct chart *c, const uint8_t *seen, struct legend_entry out[LEGEND_MAX])
{
    struct legend l = {.chart = c, .seen = seen, .entry = out};
    if (is_drawn(c) && c->picture.edges) {
        add(&l, LEGEND_FLOW, 0, "", flows_down(c) ? "above supports below" : "left supports right");
        add_strokes(&l);
        add_against(&l);
    }
    add_kinds(&l);
    add_marks(&l);
    add_signs(&l);
    return l.count;
}
