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
static void add_head(struct strbuf *out, const struct chart *c, uint32_t i, bool down)
{
    const struct scene_node *n = &c->scene.node[i];
    enum label support = c->node[i].support;
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
    if (n->sort == SCENE_GHOST)
        strbuf_addch(out, '?');
    else if (support != LABEL_COUNT)
        strbuf_addf(out, "%s ", mark_of_label(support, c->ascii));
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

static size_t columns_of(const struct strbuf *s, unsigned flags)
{
    return text_width(s->buf, s->len, SIZE_MAX - 1, flags);
}

static int write_label(struct chart *c, uint32_t i, int most, bool down, struct strbuf *out,
                       struct strbuf *tail)
{
    struct chart_node *node = &c->node[i];
    const struct scene_node *n = &c->scene.node[i];
    unsigned flags = c->ascii ? TEXT_ASCII : 0;
    strbuf_clear(out);
    strbuf_clear(tail);
    add_head(out, c, i, down);
    add_tail(tail, c, n, down);
    size_t head = columns_of(out, flags), around = head + columns_of(tail, flags);
    size_t room = most <= 0                            ? SIZE_MAX - 1
                  : (size_t)most > around + TEXT_LEAST ? (size_t)most - around
                                                       : TEXT_LEAST;
    node->head_columns = (int)head;
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST) {
        head += text_fit(out, node->text, strlen(node->text), room, flags);
    } else {
        size_t before = out->len;
        add_several(out, c, n);
        head += text_width(out->buf + before, out->len - before, SIZE_MAX - 1, flags);
    }
    strbuf_addstr(out, tail->buf);
    node->columns = (int)(head + columns_of(tail, flags));
    node->label = out->failed || tail->failed ? NULL : arena_strdup(&c->writing, out->buf);
    return node->label ? 0 : -1;
}

int chart_label_all(struct chart *c, int most, bool down)
{
    struct strbuf out = STRBUF_INIT, tail = STRBUF_INIT;
    int result = 0;
    arena_clear(&c->writing);
    for (uint32_t i = 0; i < c->scene.nodes && !result; i++)
        result = write_label(c, i, most, down, &out, &tail);
    strbuf_release(&out);
    strbuf_release(&tail);
    return result;
}
