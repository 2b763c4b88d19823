/* A frame: the view with its preview, the status line and the key bar. */
#include "model/base/strbuf.h"
#include "store/db/thread.h"
#include "tui/explorer/app.h"
#include "tui/explorer/shown_state.h"
#include "tui/loop/loop.h"
#include "tui/text/text.h"
#include "tui/view/events/event_views.h"
#include "tui/view/graph/lineage_view.h"
#include "tui/view/views.h"

#define STATUS_MAX 4 /* most rows of the status line */

/* ---- the body ---- */

/* Former states come from the journal, which is not masked, so they are hidden while masks are on. */
static bool is_hidden(const struct app *x)
{
    return rules_mask_is_on(&x->data) && x->nav.top->ops->has & HAS_FORMER;
}

static void draw_hidden(struct ui *ui, const struct pane *body)
{
    ui->list_pane = *body;
    ui->preview_pane = pane_part(body, 0, 0, 0, 0);
    paint_text(body, 1, 3, body->width - 4, STYLE_DIM,
               "earlier versions are hidden while personal data is masked: :mask shows them");
}

/* The view's note takes the last row. */
static void draw_preview(struct app *x, struct pane p)
{
    AUTO_STRBUF note = STRBUF_INIT;
    if (x->nav.top->ops->preview_note && p.height > 4)
        x->nav.top->ops->preview_note(x->nav.top, &note);
    p.height -= note.len > 0;
    memory_preview_draw(x, &p);
    p.height++;
    if (note.len)
        paint_text(&p, p.height - 1, 1, p.width - 1, STYLE_DIM, note.buf);
}

static void draw_body(struct app *x, const struct pane *body)
{
    if (is_hidden(x)) {
        draw_hidden(&x->ui, body);
        return;
    }
    app_place_panes(x, body);
    if (x->ui.preview_focus && x->ui.preview_pane.height < 2)
        x->ui.preview_focus = false;
    if (x->ui.list_pane.height > 0)
        view_draw(x->nav.top, &x->ui.list_pane);
    /* The preview of a call that failed is the call, even if it was about a memory. */
    bool shows_memory = x->nav.top->ops->preview && !x->nav.top->ops->own_preview &&
                        !is_failed_call(view_subject(x->nav.top).activity);
    int64_t node = shows_memory ? view_node(x->nav.top) : 0;
    bool own = node <= 0 && x->nav.top->ops->draw_preview;
    panel_set_subject(
        &x->preview, (struct panel_key){
                         .id = node, .how = node > 0 && node == question_view_subject(x->nav.top)});
    x->ui.previewed = NULL;
    if (x->ui.preview_pane.height > 0 && own)
        x->nav.top->ops->draw_preview(x->nav.top, &x->ui.preview_pane);
    else if (x->ui.preview_pane.height > 0)
        draw_preview(x, x->ui.preview_pane);
}

/* ---- the status line ---- */

/* Draws the lasting message: what is disbelieved, else which past state is shown. */
static void draw_state(struct app *x, const struct pane *row, int at, int width)
{
    AUTO_STRBUF text = STRBUF_INIT;
    disbelieve_add_status(x, &text);
    if (text.len == 0)
        asof_add_status(x, &text);
    paint_text(row, 0, at, width, STYLE_CHIP, text.buf);
}

/* Draws the signs of the view with their meaning: labels only if all fit, closer together if they must, and then as
 * many flags as fit; after other signs as many labels as fit. */
static void draw_legend(const struct pane *row, const struct view_ops *ops, bool utf8, int room)
{
    unsigned signs = ops->legend ? ops->legend : SIGNS_OF_LABELS;
    bool labels_first = !ops->legend || ops->legend & SIGNS_OF_FLAGS;
    int at = 1, width = 0, gap = 2;
    for (int i = 0; i < LABEL_COUNT && labels_first; i++)
        width += (i ? gap : 0) + 2 + (int)strlen(legend_word(i));
    if (width > room) {
        width -= LABEL_COUNT - 1;
        gap = 1;
    }
    int first = labels_first ? 0 : LABEL_COUNT;
    for (int i = first; i < first + SIGN_COUNT && width <= room; i++) {
        int sign = i % SIGN_COUNT; /* labels after other signs of a view, of them `ended` first */
        if (!labels_first && sign < LABEL_COUNT)
            sign = (sign + LABEL_ENDED) % LABEL_COUNT;
        int taken = (int)strlen(legend_word(sign)) + 2;
        if (!(signs & SIGN_BIT(sign)))
            continue;
        if (at + taken > room + 1)
            return;
        paint_text(row, 0, at, 1, style_of_sign(sign),
                   utf8 ? legend_rows[sign].sign : legend_rows[sign].ascii);
        paint_text(row, 0, at + 2, taken, STYLE_DIM, legend_word(sign));
        at += taken + gap;
    }
}

/* Adds the cursor position for the right edge. Returns its columns. */
static int add_position(struct app *x, int width, struct strbuf *right)
{
    struct view *v = x->nav.top;
    AUTO_STRBUF position = STRBUF_INIT;
    if (v->ops->at_large)
        details_position(v, &position);
    else if (v->cursor != LINE_NONE && v->count > 0 && v->ops->position)
        v->ops->position(v, &position);
    else if (v->cursor != LINE_NONE && v->count > 0)
        strbuf_addf(&position, "%zu/%zu%s", v->cursor + 1, v->count,
                    view_is_partial(v) ? glyph_text(&x->ui.screen, GLYPH_ELLIPSIS) : "");
    if (position.len > 0)
        header_add_grouped(right, position.buf);
    int taken = (int)text_width(right->buf, right->len, 4096, TEXT_EXACT);
    return taken < width / 2 ? taken : width / 2;
}

/* Wraps a message to the rows that it needs, until the next key. The lines are in the arena. Returns 0 if
 * one row is enough. */
static int wrap_status(struct app *x, const struct pane *whole, struct arena *arena,
                       struct text_line **lines)
{
    AUTO_STRBUF right = STRBUF_INIT;
    if (x->ui.prompt.ops || whole->height < 10 || x->ui.screen.speaks)
        return 0; /* a screen reader has one line for what is announced */
    int room = whole->width - add_position(x, whole->width, &right) - 3;
    unsigned flags = x->ui.screen.utf8 ? 0 : TEXT_ASCII;
    if (room < 10 || text_width(x->ui.status.text, strlen(x->ui.status.text), (size_t)room + 1,
                                flags) <= (size_t)room)
        return 0;
    size_t count = text_wrap(arena, x->ui.status.text, strlen(x->ui.status.text), (size_t)room,
                             STATUS_MAX, flags, lines);
    return count > 1 ? (int)count : 0;
}

/* Wraps the step of the tour to the rows that it needs; none on a low screen. */
static int wrap_tour(const struct app *x, const struct pane *whole, struct arena *arena,
                     struct text_line **lines)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (whole->height < 16 || whole->width < 40)
        return 0;
    tour_add_text(x, &text);
    unsigned flags = x->ui.screen.utf8 ? 0 : TEXT_ASCII;
    return text.len ? (int)text_wrap(arena, text.buf, text.len, (size_t)whole->width - 2, 6, flags,
                                     lines)
                    : 0;
}

static void draw_status(struct app *x, const struct pane *row, const char *status)
{
    AUTO_STRBUF right = STRBUF_INIT;
    int at = 1;
    if (x->ui.prompt.ops) {
        prompt_draw(&x->ui, row);
        return;
    }
    int taken = add_position(x, row->width, &right);
    int room = row->width - taken - 3;
    if (x->ui.selection.count > 0 && !x->ui.status.fresh)
        at += paint_format(row, 0, at, room, STYLE_MARK,
                           status[0] ? "%zu selected %s " : "%zu selected", x->ui.selection.count,
                           glyph_text(&x->ui.screen, GLYPH_DOT));
    if (status[0])
        paint_text(row, 0, at, room - at + 1, x->ui.status.style, status);
    else if (x->ui.popup.modal.ops && !x->ui.popup.framed)
        paint_text(row, 0, at, room - at + 1, STYLE_STATUS, x->ui.popup.title);
    else if (asof_is_past(&x->asof) || x->asof.going || x->ui.disbelieved.count)
        draw_state(x, row, at, room - at + 1);
    else if (x->nav.top->ops->has & HAS_MEMORIES && at == 1 && !x->ui.screen.speaks)
        draw_legend(row, x->nav.top->ops, x->ui.screen.utf8, room);
    paint_right(row, 0, row->width - taken - 1, taken, STYLE_COUNTS, right.buf);
}

/* ---- the key bar ---- */

struct bar_item {
    const struct action *action;
    char word[BAR_WORD];
    int rank;
    bool shown;
};

/* The word of an action: after `;` only changes go on, each with a word then. NULL for none. */
static const char *bar_word_of(const struct app *x, struct bar_item *item)
{
    const struct action *a = item->action;
    const char *word = action_bar(a, x->nav.top->ops->bar, item->word, &item->rank);
    if (!x->pending.with_reason)
        return word;
    if (!a->menu || !(a->where & HAS_MEMORIES))
        return NULL;
    if (!word)
        snprintf(item->word, sizeof(item->word), "%s", a->name);
    return item->word;
}

/* Collects the actions that are possible now, in the order of the bar. */
static size_t bar_items(struct app *x, struct bar_item *items, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < action_count(); i++) {
        struct bar_item item = {.action = action_at(i)};
        if (!action_applies(item.action, x->nav.top->ops->has) || count == most ||
            !bar_word_of(x, &item) || keymap_key(x->keymap, item.action) == KEY_NONE ||
            action_missing(x, item.action, ""))
            continue;
        size_t at = count++;
        for (; at > 0 && items[at - 1].rank > item.rank; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
    return count;
}

/* Records the position of a word, which starts (`end` 0) or ends at `at`. A click there acts as the key. Returns
 * false if it does not fit. */
static bool add_hit(struct ui *ui, int at, int end, int most, const char *key, const char *word)
{
    struct bar_hit *hit = &ui->bar_hit[ui->bar_hits];
    int width = (int)(text_width(key, strlen(key), 64, 0) + 1 + strlen(word));
    at = end ? end - width : at;
    if (!*key || at < 0 || at + width > most || ui->bar_hits == BAR_HITS)
        return false;
    *hit = (struct bar_hit){.from = at, .to = at + width};
    snprintf(hit->key, sizeof(hit->key), "%s", key);
    snprintf(hit->word, sizeof(hit->word), "%s", word);
    ui->bar_hits++;
    return true;
}

/* Adds an action with its first key, or "" without one. */
static bool add_action(struct app *x, const struct action *a, int at, int end, int most,
                       const char *word)
{
    AUTO_STRBUF key = STRBUF_INIT;
    keymap_keys(x->keymap, a, 1, &key);
    return key.len == 0 || add_hit(&x->ui, at, end, most, key.buf, word);
}

static int width_of_item(const struct app *x, const struct bar_item *item)
{
    AUTO_STRBUF key = STRBUF_INIT;
    keymap_keys(x->keymap, item->action, 1, &key);
    return (int)(text_width(key.buf, key.len, 64, 0) + 1 + strlen(item->word));
}

#define BAR_NARROW 100 /* below this width words are one blank apart */

/* Chooses what fits, the most useful first: in the order of the bar. In a narrow one a shorter word takes the place of
 * one that does not fit, and Enter, which everyone tries anyway, comes last, unless the view puts other keys before
 * it. */
static void choose_items(const struct app *x, struct bar_item *items, size_t count, int width,
                         int room)
{
    int used = 0, gap = width < BAR_NARROW ? 1 : 2;
    for (size_t i = 0; i < 2 * count; i++) {
        struct bar_item *item = &items[i % count];
        bool later = width < BAR_NARROW && i % count == 0 && !strcmp(item->word, "open");
        int more = width_of_item(x, item) + (used > 0 ? gap : 0);
        if (later != (i >= count))
            continue;
        if (used + more > room && width >= BAR_NARROW)
            return;
        if (used + more > room)
            continue;
        used += more;
        item->shown = true;
    }
}

/* Builds the key bar: `back` and `help` at the right, then actions from the left. */
static void build_key_bar(struct app *x, int width)
{
    struct bar_item items[ACTIONS_MAX];
    struct ui *ui = &x->ui;
    static const char *const last[] = {"help", "back"};
    int end = width - 1, at = 1, gap = width < BAR_NARROW ? 1 : 2;
    for (size_t i = 0; i < 2; i++) {
        size_t before = ui->bar_hits;
        const char *word = i == 1 && back_quits(x) ? "quit" : last[i];
        if (i == 1 && x->pending.with_reason)
            add_hit(ui, 0, end, end, "Esc", "cancel");
        else
            add_action(x, action_find(last[i], 4), 0, end, end, word);
        end = ui->bar_hits > before ? ui->bar_hit[before].from - 2 : end;
    }
    size_t count = bar_items(x, items, ACTIONS_MAX);
    end -= width >= BAR_NARROW;
    choose_items(x, items, count, width, end - at);
    for (size_t i = 0; i < count; i++)
        if (items[i].shown && add_action(x, items[i].action, at, 0, end, items[i].word))
            at = ui->bar_hit[ui->bar_hits - 1].to + gap;
}

static void make_modal_bar(struct ui *ui, int width)
{
    struct bar_word words[BAR_WORDS + 1] = {0};
    int at = 1;
    ui->modal->ops->bar(ui, words);
    for (size_t i = 0; words[i].key && add_hit(ui, at, 0, width, words[i].key, words[i].word); i++)
        at = ui->bar_hit[ui->bar_hits - 1].to + 3;
}

/* The state on which the key bar depends in the same view. If an action depends on the line, the bar is rebuilt for
 * each line. */
static void bar_state_of(struct app *x, int width, int64_t state[BAR_STATE])
{
    const struct view *v = x->nav.top;
    const struct view_ops *ops = v->ops;
    const struct memory_row *row = details_row(x, view_memory(x->nav.top));
    const bool flags[] = {v->count > 0,
                          v->cursor != LINE_NONE,
                          v->pan > 0,
                          *v->search.pattern != '\0',
                          x->nav.back_list.at > 0,
                          x->nav.back_list.at + 1 < x->nav.back_list.count,
                          x->pending.count[PENDING_UNSAVED] > 0,
                          x->data.read_only,
                          x->ui.disbelieved.count > 0,
                          asof_is_past(&x->asof),
                          rules_mask_is_on(&x->data),
                          v->only_new,
                          x->prefs.has_transcripts,
                          x->ui.selection.range != 0,
                          x->ui.selection.count > 0,
                          x->ui.selection.count > 1,
                          x->pending.with_reason};
    state[0] = row ? 1 + row->ref.kind * 1000 + row->status * 10 + row->is_protected : 0;
    state[1] = width;
    state[2] = 0;
    for (size_t i = 0; i < sizeof(flags); i++)
        state[2] |= (int64_t)flags[i] << i;
    state[3] = ops->selectable ? (int64_t)v->cursor : 0;
    const unsigned looked_at = HAS_EVENTS | HAS_SESSIONS | HAS_UNDO | HAS_QUESTION | HAS_WRITING;
    state[4] = ops->draw || ops->has & looked_at ? monotonic_us() : 0;
}

static void draw_bar(struct app *x, const struct pane *row)
{
    int64_t state[BAR_STATE] = {0};
    struct ui *ui = &x->ui;
    ui->bar_pane = *row;
    if (!ui->modal)
        bar_state_of(x, row->width, state);
    if (ui->modal || memcmp(state, ui->bar_state, sizeof(state)) != 0) {
        memcpy(ui->bar_state, state, sizeof(state));
        ui->bar_hits = 0;
        if (ui->modal)
            make_modal_bar(ui, row->width);
        else
            build_key_bar(x, row->width);
    }
    for (size_t i = 0; i < ui->bar_hits; i++) {
        const struct bar_hit *hit = &ui->bar_hit[i];
        int taken = paint_text(row, 0, hit->from, hit->to - hit->from, STYLE_KEY, hit->key);
        paint_text(row, 0, hit->from + taken + 1, hit->to - hit->from - taken - 1, STYLE_KEY_HELP,
                   hit->word);
    }
}

/* ---- the frame ---- */

/* Draws the topmost modal last. */
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
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines = NULL;
    int wrapped = wrap_status(x, whole, &arena, &lines);
    struct text_line *tour;
    int tour_rows = wrap_tour(x, whole, &arena, &tour);
    int below = bar + status + rule + tour_rows + (wrapped ? wrapped - 1 : 0);
    struct pane body = pane_part(whole, crumbs, 0, rows - crumbs - below, whole->width);
    int at = crumbs + body.height;
    draw_body(x, &body);
    if (crumbs) { /* after the body, whose size and position it shows */
        struct pane row = pane_row(whole, 0);
        header_draw(x, &row);
    }
    draw_modals(x, x->ui.modal, &body);
    int cursor_y = x->ui.screen.cursor_y, cursor_x = x->ui.screen.cursor_x;
    if (rule)
        paint_rule(whole, at++, "", "");
    for (int i = 0; i < tour_rows; i++)
        paint_text(whole, at++, 1, whole->width - 2, STYLE_CHIP, tour[i].text);
    for (int i = 0; i + 1 < wrapped; i++)
        paint_text(whole, at++, 1, whole->width - 2, x->ui.status.style, lines[i].text);
    if (status) {
        struct pane row = pane_row(whole, at++);
        draw_status(x, &row, x->ui.status.text + (wrapped ? lines[wrapped - 1].from : 0));
    }
    if (bar) {
        struct pane row = pane_row(whole, at);
        draw_bar(x, &row);
    }
    if (!x->ui.prompt.ops) {
        x->ui.screen.cursor_y = cursor_y;
        x->ui.screen.cursor_x = cursor_x;
    }
}

/* Sessions are shown as of now in any state of the store. */
static int64_t ages_from(const struct app *x)
{
    const struct view_ops *ops = x->nav.top->ops;
    bool of_now = ops->of_now || ops->has & HAS_SESSIONS;
    return asof_is_past(&x->asof) && !of_now ? x->asof.point.until : x->ui.now;
}

void app_draw(struct app *x)
{
    struct pane whole = pane_whole(&x->ui.screen);
    if (x->ui.screen.speaks)
        whole.width -= whole.width / 5; /* words are longer than signs */
    x->ui.now = store_now(x->data.store);
    x->ui.ages_from = ages_from(x);
    ages_begin(&x->ui);
    if (x->nav.top->ops->has & HAS_LINEAGE)
        lineage_fit(x);
    details_frame_begin(&x->details);
    screen_erase(&x->ui.screen);
    draw_parts(x, &whole);
    details_frame_end(x);
    ages_end(&x->ui);
    screen_flush(&x->ui.screen);
    x->ui.rows_moved = false;
}
