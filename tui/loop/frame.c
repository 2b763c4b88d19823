/* A frame: the header, the view with its preview, the status line and the key bar. */
#include "tui/loop/loop.h"

#include "model/base/strbuf.h"
#include "tui/loop/header.h"
#include "tui/view/graph/lineage_view.h"
#include "tui/explorer/rules.h"
#include "tui/text/text.h"
#include "tui/view/memory/memory_views.h"

#define STATUS_MOST 4 /* rows of the status line */

/* ---- the body ---- */

/* What a memory was before is read from the journal, where nothing is masked. */
static bool is_hidden(const struct app *x)
{
    return rules_mask_is_on(x) &&
           (x->nav.top->ops->place & (IN_HISTORY | IN_DIFF | IN_VERSUS | IN_STATE | IN_VERSIONS));
}

static void draw_hidden(struct app *x, const struct pane *body)
{
    x->ui.list_pane = *body;
    x->ui.preview_pane = pane_part(body, 0, 0, 0, 0);
    paint_text(body, 1, 3, body->width - 4, STYLE_DIM,
               "former versions are not shown while the explorer is masked: :mask shows them");
}

static void draw_body(struct app *x, const struct pane *body)
{
    if (is_hidden(x)) {
        draw_hidden(x, body);
        return;
    }
    app_place_panes(x, body);
    if (x->ui.preview_focus && x->ui.preview_pane.height < 2)
        x->ui.preview_focus = false;
    if (x->ui.list_pane.height > 0)
        view_draw(x->nav.top, &x->ui.list_pane);
    bool shows_memory = x->nav.top->ops->preview && !x->nav.top->ops->own_preview;
    int64_t node = shows_memory ? view_node(x->nav.top) : 0;
    bool own = node <= 0 && x->nav.top->ops->draw_preview;
    preview_follow(x, node);
    if (x->ui.preview_pane.height > 0 && own)
        x->nav.top->ops->draw_preview(x->nav.top, &x->ui.preview_pane);
    else if (x->ui.preview_pane.height > 0)
        preview_draw(x, &x->ui.preview_pane);
}

/* ---- the status line ---- */

static void draw_moment(struct app *x, const struct pane *row, int at, int width)
{
    struct strbuf text = STRBUF_INIT;
    if (!asof_is_past(x) && !x->asof.going)
        return;
    asof_add_status(x, &text);
    paint_text(row, 0, at, width, STYLE_CHIP, text.buf);
    strbuf_release(&text);
}

/* Where the cursor stands, which is said at the right; the columns it takes. */
static int add_position(struct app *x, int width, struct strbuf *right)
{
    struct view *v = x->nav.top;
    if (v->selected != LINE_NONE && v->count > 0 && v->ops->position)
        v->ops->position(v, right);
    else if (v->selected != LINE_NONE && v->count > 0)
        strbuf_addf(right, "%zu/%zu", v->selected + 1, v->count);
    int taken = (int)text_width(right->buf, right->len, 4096, TEXT_EXACT);
    return taken < width / 2 ? taken : width / 2;
}

/* What went wrong, with what to do about it at its end, gets the rows it needs, until the next key. The lines
 * are in the arena; 0 where one row is enough. */
static int wrap_status(struct app *x, const struct pane *whole, struct arena *arena,
                       struct text_line **lines)
{
    struct strbuf right = STRBUF_INIT;
    if (x->ui.prompt.ops || x->ui.status.style != STYLE_ERROR || whole->height < 10)
        return 0;
    int room = whole->width - add_position(x, whole->width, &right) - 3;
    unsigned flags = x->ui.screen.utf8 ? 0 : TEXT_ASCII;
    strbuf_release(&right);
    if (room < 10 || text_width(x->ui.status.text, strlen(x->ui.status.text), (size_t)room + 1,
                                flags) <= (size_t)room)
        return 0;
    long count = text_wrap(arena, x->ui.status.text, strlen(x->ui.status.text), (size_t)room,
                           STATUS_MOST, flags, lines);
    return count > 1 ? (int)count : 0;
}

static void draw_status(struct app *x, const struct pane *row, const char *status)
{
    struct strbuf right = STRBUF_INIT;
    int at = 1;
    if (x->ui.prompt.ops) {
        prompt_draw(&x->ui, row);
        return;
    }
    int taken = add_position(x, row->width, &right);
    int room = row->width - taken - 3;
    if (x->ui.marks.count > 0 && !x->ui.status.fresh)
        at += paint_format(row, 0, at, room, STYLE_MARK, "%zu marked%s", x->ui.marks.count,
                           status[0] ? (x->ui.screen.utf8 ? " · " : " . ") : "");
    if (status[0])
        paint_text(row, 0, at, room - at + 1, x->ui.status.style, status);
    else if (x->ui.popup.modal.ops && !x->ui.popup.framed)
        paint_text(row, 0, at, room - at + 1, STYLE_STATUS, x->ui.popup.title);
    else
        draw_moment(x, row, at, room - at + 1);
    paint_right(row, 0, row->width - taken - 1, taken, STYLE_COUNTS, right.buf);
    strbuf_release(&right);
}

/* ---- the key bar ---- */

struct bar_item {
    const struct action *action;
    const char *word;
    int rank;
};

static int add_key_words(struct app *x, const struct action *a, struct strbuf *out)
{
    keymap_keys(x->keymap, a, 1, out);
    if (out->len == 0)
        return 0;
    return (int)text_width(out->buf, out->len, 64, 0);
}

/* What can be done here and now, the most wanted first. */
static size_t bar_items(struct app *x, struct bar_item *items, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        int rank;
        const char *word = action_bar(a, x->nav.top->ops->place, &rank);
        if (!word || !(a->where & x->nav.top->ops->place) || count == most)
            continue;
        size_t at = count++;
        for (; at > 0 && items[at - 1].rank > rank; at--)
            items[at] = items[at - 1];
        items[at] = (struct bar_item){a, word, rank};
    }
    return count;
}

/* What a click there does is what the key does. */
static void remember_hit(struct app *x, int from, int to, uint32_t key)
{
    if (x->ui.bar_hits < BAR_HITS)
        x->ui.bar_hit[x->ui.bar_hits++] = (struct bar_hit){from, to, key};
}

/* Returns how many columns it took; 0: it does not fit. */
static int draw_key(struct app *x, const struct pane *row, int at, int end, const char *name,
                    const char *word)
{
    int key_width = (int)text_width(name, strlen(name), 64, 0);
    int width = key_width + 1 + (int)strlen(word);
    if (at < 0 || at + width > end)
        return 0;
    paint_text(row, 0, at, key_width, STYLE_KEY, name);
    paint_text(row, 0, at + key_width + 1, width - key_width - 1, STYLE_KEY_HELP, word);
    remember_hit(x, row->x + at, row->x + at + width, key_from_name(name, strlen(name)));
    return width;
}

/* The last words, from the right; returns where they begin. */
static int draw_bar_end(struct app *x, const struct pane *row)
{
    static const char *const names[] = {"help", "back"};
    int end = row->width - 1;
    for (size_t i = 0; i < 2; i++) {
        struct strbuf key = STRBUF_INIT;
        int width = add_key_words(x, action_find(names[i], 4), &key);
        if (width > 0 && draw_key(x, row, end - width - 5, end, key.buf, names[i]))
            end -= width + 5 + 2;
        strbuf_release(&key);
    }
    return end;
}

static void draw_words(struct app *x, const struct pane *row, const struct bar_word *words)
{
    int at = 1, width = 1;
    for (; words->key && width > 0; words++) {
        width = draw_key(x, row, at, row->width, words->key, words->word);
        at += width + 3;
    }
}

static void draw_bar(struct app *x, const struct pane *row)
{
    struct bar_item items[ACTIONS_MAX];
    int at = 1, width = 1;
    x->ui.bar_pane = *row;
    x->ui.bar_hits = 0;
    if (x->ui.modal) {
        struct bar_word words[BAR_WORDS + 1] = {0};
        x->ui.modal->ops->bar(&x->ui, words);
        draw_words(x, row, words);
        return;
    }
    int end = draw_bar_end(x, row) - 1;
    size_t count = bar_items(x, items, sizeof(items) / sizeof(items[0]));
    /* Whether it can be done is asked only of those that find room. */
    for (size_t i = 0; i < count && width > 0; i++) {
        struct strbuf key = STRBUF_INIT;
        const struct action *a = items[i].action;
        if (add_key_words(x, a, &key) && !action_missing(x, a, "")) {
            width = draw_key(x, row, at, end, key.buf, action_word(a, x, items[i].word));
            at += width + 2;
        }
        strbuf_release(&key);
    }
}

/* ---- all of it ---- */

/* The topmost last. */
static void draw_modals(struct app *x, struct modal *m, const struct pane *body)
{
    if (!m)
        return;
    draw_modals(x, m->below, body);
    m->ops->draw(&x->ui, body);
}

static void draw_parts(struct app *x, const struct pane *whole)
{
    int rows = whole->height;
    bool crumbs = rows >= 3, bar = rows >= 4, status = rows >= 2 || x->ui.prompt.ops;
    bool rule = rows >= RULE_HEIGHT;
    struct arena arena = ARENA_INIT;
    struct text_line *lines = NULL;
    int wrapped = wrap_status(x, whole, &arena, &lines);
    int below = bar + status + rule + (wrapped ? wrapped - 1 : 0);
    struct pane body = pane_part(whole, crumbs, 0, rows - crumbs - below, whole->width);
    int at = crumbs + body.height;
    if (crumbs) {
        struct pane row = pane_row(whole, 0);
        header_draw(x, &row);
    }
    draw_body(x, &body);
    draw_modals(x, x->ui.modal, &body);
    int cursor_y = x->ui.screen.cursor_y, cursor_x = x->ui.screen.cursor_x;
    if (rule)
        paint_rule(whole, at++, "", "");
    for (int i = 0; i + 1 < wrapped; i++)
        paint_text(whole, at++, 1, whole->width - 2, x->ui.status.style, lines[i].text);
    if (status) {
        struct pane row = pane_row(whole, at++);
        draw_status(x, &row, x->ui.status.text + (wrapped ? lines[wrapped - 1].from : 0));
    }
    arena_release(&arena);
    if (bar) {
        struct pane row = pane_row(whole, at);
        draw_bar(x, &row);
    }
    if (!x->ui.prompt.ops) {
        x->ui.screen.cursor_y = cursor_y;
        x->ui.screen.cursor_x = cursor_x;
    }
}

void app_draw(struct app *x)
{
    struct pane whole = pane_whole(&x->ui.screen);
    struct error e;
    x->ui.now = store_now(x->data.store);
    ages_begin(&x->ui);
    if (x->nav.top->ops->place & (IN_GRAPH | IN_OUTLINE))
        lineage_fit(x);
    details_frame_begin(x);
    screen_erase(&x->ui.screen);
    bool reading = reader_begin(x->data.reader, &e) == 0;
    draw_parts(x, &whole);
    if (reading)
        reader_end(x->data.reader);
    details_frame_end(x);
    ages_end(&x->ui);
    screen_flush(&x->ui.screen);
}
