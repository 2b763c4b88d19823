/* Node labels: the text gives way, what stands around it never. */
#include "chart_label.h"

#include <string.h>
#include "../model/strbuf.h"
#include "output.h"

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

/* "3", "1000+" */
static void add_number(struct strbuf *out, size_t count, bool bounded)
{
    strbuf_addf(out, "%zu%s", count, bounded ? "+" : "");
}

/* What stands before the text: "‹3 b ● ", "‹3 b ?". */
static void add_head(struct strbuf *out, const struct chart *c, uint32_t i, bool down,
                     struct chart_node *about)
{
    const struct scene_node *n = &c->scene.node[i];
    enum label support = c->node[i].support;
    size_t start = out->len;
    about->mark = about->mark_length = 0;
    if (n->hidden[DESCENDANTS]) {
        strbuf_addstr(out, sign(c, down ? SIGN_ABOVE : SIGN_CARRIES));
        add_number(out, n->hidden[DESCENDANTS], n->hidden_bounded[DESCENDANTS]);
        strbuf_addch(out, ' ');
    }
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

/* What stands behind it: " ↺", " 5›", " ↓5". */
static void add_tail(struct strbuf *out, const struct chart *c, const struct scene_node *n,
                     bool down)
{
    if (n->loop)
        strbuf_addf(out, " %s", sign(c, SIGN_LOOP));
    if (!n->hidden[ANCESTORS])
        return;
    strbuf_addch(out, ' ');
    if (down)
        strbuf_addstr(out, sign(c, SIGN_BELOW));
    add_number(out, n->hidden[ANCESTORS], n->hidden_bounded[ANCESTORS]);
    if (!down)
        strbuf_addstr(out, sign(c, SIGN_RESTS_ON));
}

/* "⋯ +37 raw", "12 raw", "9 superseded" */
static void add_several(struct strbuf *out, const struct chart *c, const struct scene_node *n)
{
    const struct kind_spec *kind = kind_spec(n->kind);
    if (n->sort == SCENE_MORE)
        strbuf_addf(out, "%s +", sign(c, SIGN_MORE));
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

void chart_label_add(struct strbuf *out, const struct chart *c, uint32_t node, int most, bool down,
                     struct chart_node *about)
{
    const struct scene_node *n = &c->scene.node[node];
    const char *text = c->node[node].text;
    unsigned flags = c->ascii ? TEXT_ASCII : 0;
    struct strbuf tail = STRBUF_INIT;
    size_t start = out->len;
    add_head(out, c, node, down, about);
    add_tail(&tail, c, n, down);
    size_t head = columns_from(out, start, flags), last = columns_from(&tail, 0, flags);
    size_t room = most <= 0                                 ? SIZE_MAX - 1
                  : (size_t)most > head + last + TEXT_LEAST ? (size_t)most - head - last
                                                            : TEXT_LEAST;
    start = out->len;
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST)
        text_fit(out, text, strlen(text), room, flags);
    else
        add_several(out, c, n);
    about->head_columns = (int)head;
    about->tail_columns = (int)last;
    about->columns = (int)(head + columns_from(out, start, flags) + last);
    strbuf_addstr(out, tail.buf);
    out->failed |= tail.failed;
    strbuf_release(&tail);
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
