/* Node labels: the text gives way, what stands around it never. */
#include "tui/chart/chart_label.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/output.h"

#define TEXT_LEAST 4 /* columns that the text keeps, however much stands around it */

/* Signs with their likeness in ASCII. */
enum sign {
    SIGN_CARRIES = 0, /* before how many neighbours are hidden, from left to right */
    SIGN_RESTS_ON,    /* behind it */
    SIGN_ABOVE,       /* the same from top to bottom */
    SIGN_BELOW,
    SIGN_MORE,
    SIGN_CHAIN,
    SIGN_LOOP,
};

static const char *sign(const struct chart *c, enum sign which)
{
    static const char *const signs[][2] = {
        [SIGN_CARRIES] = {"‹", "<"}, [SIGN_RESTS_ON] = {"›", ">"}, [SIGN_ABOVE] = {"↑", "^"},
        [SIGN_BELOW] = {"↓", "v"},   [SIGN_MORE] = {"⋯", "..."},   [SIGN_CHAIN] = {"⋮", ":"},
        [SIGN_LOOP] = {"↺", "@"},
    };
    return signs[which][c->ascii];
}

/* "3", "999+" */
static void add_number(struct strbuf *out, size_t count, bool bounded)
{
    strbuf_addf(out, "%zu%s", count, bounded ? "+" : "");
}

/* "‹3 " */
static void add_carries(struct strbuf *out, const struct chart *c, const struct scene_node *n,
                        bool down)
{
    if (!n->hidden[DESCENDANTS])
        return;
    strbuf_addstr(out, sign(c, down ? SIGN_ABOVE : SIGN_CARRIES));
    add_number(out, n->hidden[DESCENDANTS], n->hidden_bounded[DESCENDANTS]);
    strbuf_addch(out, ' ');
}

/* " 5›", " ↓5" */
static void add_rests_on(struct strbuf *out, const struct chart *c, const struct scene_node *n,
                         bool down)
{
    if (!n->hidden[ANCESTORS])
        return;
    strbuf_addch(out, ' ');
    if (down)
        strbuf_addstr(out, sign(c, SIGN_BELOW));
    add_number(out, n->hidden[ANCESTORS], n->hidden_bounded[ANCESTORS]);
    if (!down)
        strbuf_addstr(out, sign(c, SIGN_RESTS_ON));
}

/* What else stands before the text: "b ● ", "b ?"; `start`: where the label begins. */
static void add_kind(struct strbuf *out, const struct chart *c, uint32_t i, size_t start,
                     struct chart_node *about)
{
    const struct scene_node *n = &c->scene.node[i];
    enum label support = c->node[i].support;
    if (n->sort == SCENE_MORE)
        return;
    if (n->sort == SCENE_CHAIN)
        strbuf_addf(out, "%s ", sign(c, SIGN_CHAIN));
    else if (n->sort != SCENE_TWINS)
        strbuf_addf(out, "%c ", kind_spec(n->kind)->letter);
    if (n->sort == SCENE_GHOST) {
        strbuf_addch(out, '?');
    } else if (support != LABEL_COUNT) {
        const char *mark = mark_of_label(support, c->ascii);
        about->mark = (int)(out->len - start);
        about->mark_length = (int)strlen(mark);
        strbuf_addf(out, "%s ", mark);
    }
}

/* "⋯ +37 raw", "⋯ 999+ raw", "12 raw", "9 superseded" */
static void add_several(struct strbuf *out, const struct chart *c, const struct scene_node *n)
{
    const struct kind_spec *kind = kind_spec(n->kind);
    if (n->sort == SCENE_MORE)
        strbuf_addf(out, "%s %s", sign(c, SIGN_MORE), n->total_bounded ? "" : "+");
    add_number(out, n->total, n->total_bounded);
    if (n->sort == SCENE_CHAIN && n->status == STATUS_SUPERSEDED)
        strbuf_addstr(out, " superseded");
    else
        strbuf_addf(out, " %s", n->total == 1 ? kind->name : kind->plural);
}

static size_t columns_from(const struct strbuf *s, size_t start, unsigned flags)
{
    return text_width(s->buf + start, s->len - start, SIZE_MAX - 1, flags);
}

/* What stands before the text and behind it. */
struct around {
    size_t start; /* where the label begins */
    size_t head;  /* columns */
    struct strbuf tail;
};

static void add_around(struct strbuf *out, struct around *a, const struct chart *c, uint32_t node,
                       bool down, bool hidden, struct chart_node *about)
{
    const struct scene_node *n = &c->scene.node[node];
    strbuf_cut(out, a->start);
    strbuf_clear(&a->tail);
    about->mark = about->mark_length = 0;
    if (hidden)
        add_carries(out, c, n, down);
    add_kind(out, c, node, a->start, about);
    if (n->loop)
        strbuf_addf(&a->tail, " %s", sign(c, SIGN_LOOP));
    if (hidden)
        add_rests_on(&a->tail, c, n, down);
    a->head = columns_from(out, a->start, 0);
}

void chart_label_add(struct strbuf *out, const struct chart *c, uint32_t node, int most, bool down,
                     struct chart_node *about)
{
    const struct scene_node *n = &c->scene.node[node];
    const char *text = c->node[node].text;
    unsigned flags = c->ascii ? TEXT_ASCII : 0;
    struct around a = {.start = out->len, .tail = STRBUF_INIT};
    size_t bound = most > 0 ? (size_t)most : SIZE_MAX - 1;
    add_around(out, &a, c, node, down, true, about);
    size_t last = columns_from(&a.tail, 0, 0);
    if (bound < a.head + last + TEXT_LEAST) {
        add_around(out, &a, c, node, down, false, about);
        last = columns_from(&a.tail, 0, 0);
    }
    bool room = bound >= a.head + last + TEXT_LEAST;
    size_t start = out->len;
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST)
        text_fit(out, text, strlen(text), room ? bound - a.head - last : TEXT_LEAST, flags);
    else
        add_several(out, c, n);
    about->head_columns = (int)a.head;
    about->tail_columns = (int)last;
    about->columns = (int)(a.head + columns_from(out, start, flags) + last);
    strbuf_addstr(out, a.tail.buf);
    out->failed |= a.tail.failed;
    strbuf_release(&a.tail);
}

int chart_label_all(struct chart *c, int most, bool down)
{
    struct strbuf out = STRBUF_INIT;
    arena_clear(&c->writing);
    for (uint32_t i = 0; i < c->scene.nodes && !out.failed; i++) {
        strbuf_clear(&out);
        chart_label_add(&out, c, i, most, down, &c->node[i]);
        c->node[i].label = out.failed ? NULL : arena_strdup(&c->writing, out.buf);
        out.failed |= !c->node[i].label;
    }
    bool failed = out.failed;
    strbuf_release(&out);
    return failed ? -1 : 0;
}
