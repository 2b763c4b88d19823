#include "tui/widget/prompt.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/text/text.h"
#include "tui/widget/ui.h"

#define NOTE_APART      4 /* columns of the row beside what is typed and its note */
#define CONTROL(letter) ((uint32_t)(letter)&31)

const char *const prompt_keys[] = {
    "Enter",
    "take what is typed",
    "Esc C-c",
    "leave it",
    "Left Right Home End",
    "move in it",
    "BS Del",
    "delete a character",
    "C-u C-k",
    "delete to the beginning, to the end",
    "C-w",
    "delete a word",
    "C-p C-n",
    "earlier and later ones",
    "Tab",
    "complete a command",
    NULL,
};

void prompt_release(struct prompt *p)
{
    for (size_t h = 0; h < HISTORY_COUNT; h++)
        for (size_t i = 0; i < p->history[h].count; i++)
            free(p->history[h].line[i]);
    text_edit_release(&p->line);
    arena_release(&p->offers.arena);
    *p = (struct prompt){0};
}

static void changed(struct ui *ui)
{
    struct prompt *p = &ui->prompt;
    if (p->ops && p->ops->changed)
        p->ops->changed(ui->app, p->line.text);
}

void prompt_close(struct ui *ui)
{
    modal_close(ui, &ui->prompt.modal);
    ui->prompt.ops = NULL;
}

void prompt_set(struct ui *ui, const char *text)
{
    text_edit_set(&ui->prompt.line, text);
    changed(ui);
}

static void remember(struct prompt *p)
{
    if (p->ops->history < 0 || p->line.len == 0)
        return;
    struct prompt_history *h = &p->history[p->ops->history];
    if (h->count > 0 && !strcmp(h->line[h->count - 1], p->line.text))
        return;
    if (h->count == PROMPT_HISTORY) {
        free(h->line[0]);
        memmove(h->line, h->line + 1, (PROMPT_HISTORY - 1) * sizeof(h->line[0]));
        h->count--;
    }
    h->line[h->count++] = xstrdup(p->line.text);
}

bool prompt_recall(struct ui *ui, int direction)
{
    struct prompt *p = &ui->prompt;
    if (!p->ops || p->ops->history < 0)
        return false;
    struct prompt_history *h = &p->history[p->ops->history];
    if (direction < 0 ? p->recalled >= h->count : p->recalled == 0)
        return false;
    if (p->recalled == 0)
        snprintf(p->draft, sizeof(p->draft), "%s", p->line.text);
    p->recalled += direction < 0 ? 1 : (size_t)-1;
    char line[PROMPT_MAX];
    snprintf(line, sizeof(line), "%s", p->recalled ? h->line[h->count - p->recalled] : p->draft);
    prompt_set(ui, line);
    return true;
}

static void paste(struct ui *ui)
{
    size_t dropped = text_edit_paste(&ui->prompt.line, ui->input.paste, ui->input.paste_len);
    if (dropped)
        ui_say(ui, "%zu character%s of the paste %s left out", dropped, dropped == 1 ? "" : "s",
               dropped == 1 ? "was" : "were");
    changed(ui);
}

static void accept(struct ui *ui)
{
    const struct prompt_ops *ops = ui->prompt.ops;
    char text[PROMPT_MAX];
    snprintf(text, sizeof(text), "%s", ui->prompt.line.text);
    remember(&ui->prompt);
    prompt_close(ui);
    ops->accepted(ui->app, text);
}

static void abandon(struct ui *ui)
{
    const struct prompt_ops *ops = ui->prompt.ops;
    prompt_close(ui);
    if (ops->abandoned)
        ops->abandoned(ui->app);
}

static void type_key(struct ui *ui, uint32_t key)
{
    char name[16];
    switch (text_edit_key(&ui->prompt.line, key)) {
    case EDIT_CHANGED:
        changed(ui);
        break;
    case EDIT_FULL:
        ui_say(ui, "the field is full");
        break;
    case EDIT_NOTHING:
        key_text(key, name, sizeof(name));
        ui_say(ui, "%s does nothing in a text field; Esc leaves it", name);
        break;
    case EDIT_MOVED:
        break;
    }
}

/* ---- what is offered ---- */

void prompt_offer_none(struct ui *ui)
{
    struct offers *o = &ui->prompt.offers;
    o->count = o->selected = o->top = 0;
    o->moved = false;
    arena_clear(&o->arena);
}

/* One that does not fit would be cut when it is chosen. */
void prompt_offer(struct ui *ui, const char *word, const char *about, const void *tag, int score)
{
    struct offers *o = &ui->prompt.offers;
    if (o->count == OFFERS_MAX || strlen(word) >= PROMPT_MAX)
        return;
    size_t at = o->count++;
    for (; at > 0 && o->item[at - 1].score > score; at--)
        o->item[at] = o->item[at - 1];
    o->item[at] =
        (struct offered){arena_strdup(&o->arena, word), arena_strdup(&o->arena, about), tag, score};
}

bool prompt_choose(struct ui *ui, uint32_t key)
{
    struct offers *o = &ui->prompt.offers;
    size_t by = 10;
    if (key == KEY_ARROW_DOWN || key == KEY_BACK_TAB)
        o->selected += o->moved || ui->prompt.line.len > 0 ? o->selected + 1 < o->count : 0;
    else if (key == KEY_ARROW_UP)
        o->selected -= o->selected > 0;
    else if (key == KEY_PAGE_DOWN)
        o->selected = o->selected + by < o->count ? o->selected + by : o->count - (o->count > 0);
    else if (key == KEY_PAGE_UP)
        o->selected = o->selected > by ? o->selected - by : 0;
    else
        return false;
    o->moved = o->moved || key != KEY_ARROW_UP;
    return true;
}

static void draw_offer(struct ui *ui, const struct pane *box, int row, size_t index)
{
    struct offers *o = &ui->prompt.offers;
    const struct offered *offer = &o->item[index];
    struct pane line = pane_row(box, row);
    bool selected = index == o->selected && (o->moved || ui->prompt.line.len > 0);
    line.over = selected ? STYLE_SELECTION : STYLE_POPUP;
    paint_clear(&line);
    if (selected)
        paint_text(&line, 0, 1, 1, STYLE_CURSOR, ">");
    if (offer->tag && ui->prompt.ops->draw_offer) {
        ui->prompt.ops->draw_offer(ui->app, &line, offer);
        return;
    }
    int taken = paint_name(&line, 0, 3, line.width - 4, STYLE_TEXT, offer->word, NULL);
    int at = taken < 28 ? 33 : 3 + taken + 2;
    paint_text(&line, 0, at, line.width - at - 1, STYLE_DIM, offer->about);
}

static void draw_offers(struct ui *ui, const struct pane *body)
{
    struct offers *o = &ui->prompt.offers;
    int height = (int)o->count < 12 ? (int)o->count : 12;
    char right[48] = "";
    if (height + 1 > body->height)
        height = body->height - 1;
    if (!ui->prompt.ops->offers || height <= 0)
        return;
    if (o->selected < o->top)
        o->top = o->selected;
    if (o->selected >= o->top + (size_t)height)
        o->top = o->selected - (size_t)height + 1;
    struct pane box = pane_part(body, body->height - height - 1, 0, height + 1, body->width);
    if (o->count > (size_t)height)
        snprintf(right, sizeof(right), "%zu of %zu", o->selected + 1, o->count);
    o->pane = box;
    paint_clear(&box);
    paint_rule(&box, 0, o->item[0].tag ? "actions" : "choices", right);
    for (int row = 1; row <= height && o->top + (size_t)row - 1 < o->count; row++)
        draw_offer(ui, &box, row, o->top + (size_t)row - 1);
}

static void take_key(struct ui *ui, const struct input_event *event);

/* A click takes what it is on; the wheel moves. */
static void click(struct ui *ui, const struct input_event *event)
{
    struct offers *o = &ui->prompt.offers;
    const struct pane *box = &o->pane;
    long row = event->y - box->y - 1;
    struct input_event key = {.key = KEY_RETURN};
    if (!ui->prompt.ops->offers)
        return;
    if (event->button != 1) {
        key.key = event->button == 4 ? KEY_ARROW_UP : KEY_ARROW_DOWN;
        if (event->button == 5 || o->selected > 0)
            ui->prompt.ops->key(ui->app, &key);
    } else if (o->count > 0 && event->x >= box->x && event->x < box->x + box->width && row >= 0 &&
               row < box->height - 1 && o->top + (size_t)row < o->count) {
        o->selected = o->top + (size_t)row;
        o->moved = true;
        take_key(ui, &key);
    }
}

/* ---- keys ---- */

static void take_key(struct ui *ui, const struct input_event *event)
{
    uint32_t key = event->key;
    const struct prompt_ops *ops = ui->prompt.ops;
    if (key == KEY_POINTER)
        click(ui, event);
    else if (key == KEY_PASTED)
        paste(ui);
    if (key == KEY_POINTER || key == KEY_PASTED || (ops->key && ops->key(ui->app, event)))
        return;
    if (key == KEY_RETURN)
        accept(ui);
    else if (key == KEY_ESCAPE || key == CONTROL('c'))
        abandon(ui);
    else if (key == KEY_RUBOUT && ui->prompt.line.len == 0)
        abandon(ui);
    else if (key == CONTROL('p') || key == CONTROL('n'))
        prompt_recall(ui, key == CONTROL('p') ? -1 : 1);
    else if (!ops->moves || !ops->moves(ui->app, key))
        type_key(ui, key);
}

/*
 * What is said at the right of the field: what just happened, or what was found. It has the columns that what is typed
 * leaves, so that this stays where it is; what a key was answered has a third of the row in any case. Returns the
 * columns it took from `from` on.
 */
static int draw_note(struct ui *ui, const struct pane *row, int from)
{
    struct strbuf note = STRBUF_INIT;
    const struct text_edit *line = &ui->prompt.line;
    if (ui->status.text[0])
        strbuf_addstr(&note, ui->status.text);
    else if (ui->prompt.ops->note && line->len > 0)
        ui->prompt.ops->note(ui->app, &note);
    int typed = (int)text_width(line->text, line->len, (size_t)row->width, 0);
    int most = row->width - from - typed - NOTE_APART;
    if (ui->status.text[0] && ui->status.fresh && most < row->width / 3)
        most = row->width / 3;
    int width = most > 0 ? (int)text_width(note.buf, note.len, (size_t)most, 0) : 0;
    width = width < most ? width : most;
    if (width > 0)
        paint_bytes(row, 0, row->width - width - 1, width,
                    ui->status.text[0] ? ui->status.style : STYLE_COUNTS, note.buf, note.len);
    strbuf_release(&note);
    return width > 0 ? width + 2 : 0;
}

/* Returns the columns it took. */
static int draw_prefix(struct ui *ui, const struct pane *row)
{
    struct strbuf asks = STRBUF_INIT;
    if (ui->prompt.ops->asks)
        ui->prompt.ops->asks(ui->app, &asks);
    size_t most = row->width > 0 ? (size_t)row->width * 2 / 3 : 0;
    bool fits = asks.len > 0 && text_width(asks.buf, asks.len, most + 1, 0) <= most;
    int taken =
        paint_text(row, 0, 1, row->width, STYLE_PROMPT, fits ? asks.buf : ui->prompt.ops->prefix);
    strbuf_release(&asks);
    return taken;
}

void prompt_draw(struct ui *ui, const struct pane *row)
{
    struct prompt *p = &ui->prompt;
    int at = draw_prefix(ui, row) + 1;
    int room = row->width - at - 1 - draw_note(ui, row, at);
    text_edit_draw(&p->line, row, at, room + 1, STYLE_TEXT, true);
    if (p->line.len == 0)
        paint_text(row, 0, at + 1, room, STYLE_DIM, p->ops->hint);
}

static void bar(struct ui *ui, struct bar_word words[BAR_WORDS])
{
    const struct prompt_ops *ops = ui->prompt.ops;
    bool completes =
        ops->offers && (ui->prompt.offers.count > 0 || (ops->completes && ops->completes(ui->app)));
    words[0] = (struct bar_word){"Enter", "take it"};
    words[1] = (struct bar_word){"Esc", "leave it"};
    if (completes)
        words[2] = (struct bar_word){"Tab", "complete"};
    else if (ops->moves)
        words[2] = (struct bar_word){"Up Down", "move"};
}

static const struct modal_ops modal_ops = {.key = take_key, .draw = draw_offers, .bar = bar};

void prompt_open(struct ui *ui, const struct prompt_ops *ops, const char *text)
{
    modal_open(ui, &ui->prompt.modal, &modal_ops);
    ui->prompt.ops = ops;
    ui->prompt.recalled = 0;
    text_edit_open(&ui->prompt.line, PROMPT_MAX - 1);
    text_edit_set(&ui->prompt.line, text);
    if (ui->prompt.line.len > 0)
        changed(ui);
}
