#include "tui/widget/modal.h"

#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/text/text.h"
#include "tui/widget/ui.h"

#define CONTROL(letter) ((uint32_t)(letter)&31)

void popup_close(struct popup *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->items[i].text);
        free(p->items[i].shown);
        free(p->items[i].help);
        free(p->items[i].command);
    }
    p->count = 0;
    modal_close(p->ui, &p->modal);
    p->any_key = false;
    p->copied = NULL;
    p->key = NULL;
    p->keys = NULL;
}

void popup_release(struct popup *p)
{
    popup_close(p);
    free(p->items);
    p->items = NULL;
    p->alloc = 0;
}

struct popup_item *popup_add(struct popup *p, uint32_t key, const char *text, const char *help)
{
    struct popup_item *item = ARRAY_ADD(p->items, p->count, p->alloc);
    *item = (struct popup_item){.key = key, .text = xstrdup(text), .help = xstrdup(help)};
    return item;
}

/* Closes the popup before the choice runs, since that may open another popup. */
static void choose(struct ui *ui, size_t index)
{
    struct popup *p = &ui->popup;
    struct popup_item item = p->items[index];
    if (item.blocked) {
        ui_message(ui, "%s: %s", item.text, item.blocked);
        return;
    }
    p->items[index].text = p->items[index].help = p->items[index].shown = NULL;
    popup_close(p);
    p->chosen(ui->app, &item);
    free(item.text);
    free(item.help);
    free(item.shown);
}

static void step(struct popup *p, long by)
{
    long to = (long)p->selected + by;
    p->selected = to < 0 ? 0 : to >= (long)p->count ? (p->count ? p->count - 1 : 0) : (size_t)to;
}

static void choose_letter(struct ui *ui, uint32_t key)
{
    struct popup *p = &ui->popup;
    p->letter = key;
    popup_close(p);
    p->chosen(ui->app, NULL);
}

static void click(struct ui *ui, const struct input_event *event)
{
    struct popup *p = &ui->popup;
    long row = event->y - p->pane.y;
    bool inside = event->x >= p->pane.x && event->x < p->pane.x + p->pane.width && row >= 0 &&
                  row < p->pane.height && p->top + (size_t)row < p->count;
    if (event->button == 1 && inside)
        choose(ui, p->top + (size_t)row);
    else if (event->button == 1)
        popup_close(p);
    else
        step(p, event->button == 4 ? -1 : 1);
}

static void take_key(struct ui *ui, const struct input_event *event)
{
    struct popup *p = &ui->popup;
    uint32_t key = event->key;
    if (key == KEY_POINTER) {
        click(ui, event);
        return;
    }
    if (p->key && p->count > 0 && p->key(ui->app, &p->items[p->selected], key))
        return;
    for (size_t i = 0; i < p->count; i++) {
        if (key != KEY_NONE && (p->items[i].key == key || p->items[i].also == key)) {
            choose(ui, i);
            return;
        }
    }
    if (key == KEY_ESCAPE || key == 3 || (key == 'q' && !p->any_key))
        popup_close(p);
    else if (key == KEY_RETURN && p->count > 0)
        choose(ui, p->selected);
    else if (key == KEY_ARROW_DOWN || key == KEY_TABULATOR || (key == 'j' && !p->any_key))
        step(p, 1);
    else if (key == KEY_ARROW_UP || key == KEY_BACK_TAB || (key == 'k' && !p->any_key))
        step(p, -1);
    else if (key == KEY_PAGE_DOWN || key == KEY_LAST)
        step(p, key == KEY_LAST ? (long)p->count : 10);
    else if (key == KEY_PAGE_UP || key == KEY_FIRST)
        step(p, key == KEY_FIRST ? -(long)p->count : -10);
    else if (key == CONTROL('y') && p->copied && p->items[p->selected].command)
        p->copied(ui->app, p->items[p->selected].command);
    else if (p->any_key && key > ' ' && key < KEY_NAMED)
        choose_letter(ui, key);
    else
        ui_message(ui, "choose one of these, or Esc");
}

static const char *shown_text(const struct popup_item *item)
{
    return item->shown ? item->shown : item->text;
}

/* Masks the text that is shown; the item keeps its meaning. */
static void mask_items(const struct ui *ui, struct popup *p)
{
    for (size_t i = 0; ui->data->mask && i < p->count; i++) {
        if (p->items[i].shown)
            continue;
        AUTO_STRBUF text = STRBUF_INIT;
        strbuf_addstr(&text, p->items[i].text);
        ui_mask(ui, &text);
        p->items[i].shown = xstrdup(text.buf);
    }
}

static int widest(const struct ui *ui, size_t *text_width_out)
{
    const struct popup *p = &ui->popup;
    size_t text = 0, help = 0;
    for (size_t i = 0; i < p->count; i++) {
        const char *shown = shown_text(&p->items[i]);
        size_t t = text_width(shown, strlen(shown), 60, TEXT_EXACT);
        size_t h = text_width(p->items[i].help, strlen(p->items[i].help), 60, 0);
        text = t > text ? t : text;
        help = h > help ? h : help;
    }
    *text_width_out = text;
    return (int)(10 + text + help);
}

/* If both do not fit, the texts shrink first, down to half of the width. */
static size_t fit_text(size_t text, int wanted, int width)
{
    size_t least = (size_t)width / 2, over = wanted > width ? (size_t)(wanted - width) : 0;
    if (over == 0 || text <= least)
        return text;
    return text > least + over ? text - over : least;
}

static void draw_item(struct ui *ui, const struct pane *box, int row, size_t index, size_t text)
{
    const struct popup *p = &ui->popup;
    const struct popup_item *item = &p->items[index];
    struct pane line = pane_row(box, row);
    char key[16] = "";
    line.over = index == p->selected ? STYLE_SELECTION : STYLE_POPUP;
    paint_clear(&line);
    if (item->key != KEY_NONE)
        key_text(item->key, key, sizeof(key));
    if (index == p->selected)
        paint_text(&line, 0, 1, 1, STYLE_CURSOR, ">");
    paint_text(&line, 0, 3, 3, STYLE_KEY, key);
    enum style style = item->blocked ? STYLE_DIM : STYLE_TEXT;
    AUTO_STRBUF name = STRBUF_INIT;
    text_add(&name, shown_text(item), TEXT_EXACT); /* different names must look different */
    paint_bytes(&line, 0, 6, (int)text, style, name.buf, name.len);
    paint_text(&line, 0, 8 + (int)text, line.width - 9 - (int)text, STYLE_DIM,
               item->blocked ? item->blocked : item->help);
    if (index == p->selected) {
        ui->screen.cursor_y = line.y;
        ui->screen.cursor_x = line.x + (line.width > 1);
    }
}

/* The rows of the frame: title and count at the top, a plain line at the bottom. */
static void draw_frame(struct ui *ui, const struct pane *box)
{
    struct popup *p = &ui->popup;
    const char *bar = glyph_text(&ui->screen, GLYPH_SIDE);
    char count[48] = "", below[48] = "";
    size_t end = p->top + (size_t)box->height - 2;
    if (p->count + 2 > (size_t)box->height)
        snprintf(count, sizeof(count), "%zu of %zu", p->selected + 1, p->count);
    if (p->count > end)
        snprintf(below, sizeof(below), "%zu more %s", p->count - end,
                 glyph_text(&ui->screen, GLYPH_DOWN));
    paint_rule(box, 0, p->title, count);
    const char *command = p->count ? p->items[p->selected].command : NULL;
    paint_rule(box, box->height - 1, command ? command : "", below);
    for (int row = 0; row < box->height; row++) {
        bool top = row == 0, bottom = row == box->height - 1;
        const char *left = top      ? glyph_text(&ui->screen, GLYPH_TOP_LEFT)
                           : bottom ? glyph_text(&ui->screen, GLYPH_BOTTOM_LEFT)
                                    : bar;
        const char *right = top      ? glyph_text(&ui->screen, GLYPH_TOP_RIGHT)
                            : bottom ? glyph_text(&ui->screen, GLYPH_BOTTOM_RIGHT)
                                     : bar;
        paint_text(box, row, 0, 1, STYLE_RULE, left);
        paint_text(box, row, box->width - 1, 1, STYLE_RULE, right);
    }
}

/* Scrolls just enough to show the selected line, without empty rows at the end. */
static void reveal(struct popup *p, int rows)
{
    size_t shown = rows > 0 ? (size_t)rows : 0, last = p->count > shown ? p->count - shown : 0;
    p->top = p->top < last ? p->top : last;
    if (p->selected < p->top)
        p->top = p->selected;
    if (rows > 0 && p->selected >= p->top + (size_t)rows)
        p->top = p->selected - (size_t)rows + 1;
}

/* Without room for a frame, the lines fill the body and the status line shows the title. */
static void draw(struct ui *ui, const struct pane *body)
{
    struct popup *p = &ui->popup;
    size_t text;
    mask_items(ui, p);
    p->framed = body->height >= 3;
    int wanted = widest(ui, &text) + 2, width = wanted, title = (int)strlen(p->title) + 10;
    int height = (int)p->count + 2 * p->framed;
    width = width < title ? title : width;
    height = height > body->height ? body->height : height;
    width = width > body->width - 2 || ui->screen.speaks ? body->width - 2 : width;
    text = fit_text(text, wanted, width);
    reveal(p, height - 2 * p->framed);
    /* Also clear a column on each side. */
    struct pane around = pane_part(body, body->height - height, 0, height, width + 2);
    paint_clear(&around);
    struct pane box = pane_part(&around, 0, 1, height, width);
    box.over = STYLE_POPUP;
    paint_clear(&box);
    if (p->framed)
        draw_frame(ui, &box);
    p->pane = pane_part(&box, p->framed, 1, height - 2 * p->framed, width - 2);
    for (int row = 0; row < p->pane.height && p->top + (size_t)row < p->count; row++)
        draw_item(ui, &p->pane, row, p->top + (size_t)row, text);
}

static void bar(struct ui *ui, struct bar_word words[BAR_WORDS])
{
    size_t count = 0;
    for (const struct bar_word *w = ui->popup.keys; w && w->key; w++)
        words[count++] = *w;
    if (ui->popup.count > 0)
        words[count++] = (struct bar_word){"Enter", ui->popup.keys ? "done" : "choose"};
    if (!ui->popup.keys)
        words[count++] = (struct bar_word){"Esc", "cancel"};
    if (ui->popup.count > 0)
        words[count++] = (struct bar_word){"Up Down", "move"};
    if (ui->popup.copied)
        words[count++] = (struct bar_word){"C-y", "copy the command"};
}

static const struct modal_ops modal_ops = {.key = take_key, .draw = draw, .bar = bar};

void popup_open(struct popup *p, const char *title,
                void (*chosen)(struct app *x, const struct popup_item *item))
{
    popup_close(p);
    modal_open(p->ui, &p->modal, &modal_ops);
    p->title = title;
    p->chosen = chosen;
    p->selected = p->top = 0;
}

void popup_offer(struct popup *p, const struct choice *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        popup_add(p, list[i].key, list[i].text, list[i].help)->value = list[i].value;
}

void popup_choose(struct popup *p, const char *title, const struct choice *list, size_t count,
                  void (*chosen)(struct app *x, const struct popup_item *item))
{
    popup_open(p, title, chosen);
    popup_offer(p, list, count);
}

/* Selects the item with that value. */
static void select_value(struct popup *p, int64_t value)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].value == value)
            p->selected = i;
}

void popup_by_name(struct popup *p, const char *word, const char *title, const struct choice *list,
                   size_t count, int64_t value,
                   void (*chosen)(struct app *x, const struct popup_item *item))
{
    AUTO_STRBUF words = STRBUF_INIT;
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        strbuf_addf(&words, "%s%s", i ? ", " : "", list[i].text);
        found = !strcmp(word, list[i].text);
        if (found)
            chosen(p->ui->app, &(struct popup_item){.key = list[i].key, .value = list[i].value});
    }
    if (!found && *word) {
        bool noun = !strchr(title, ' '); /* a title with spaces is a question */
        ui_message(p->ui, "there is no %s%s\"%s\": %s", noun ? title : "", noun ? " " : "", word,
                   words.buf);
    } else if (!found) {
        popup_choose(p, title, list, count, chosen);
        select_value(p, value);
    }
}

#define NOTE_APART 4 /* columns between the typed text and its note */

const struct bar_word prompt_keys[] = {
    {"Enter", "accept"},
    {"Esc C-c", "cancel"},
    {"Left Right Home End", "move"},
    {"BS Del", "delete a character"},
    {"C-u C-k", "delete to the beginning, to the end"},
    {"C-w", "delete a word"},
    {"C-p C-n", "previous and next in the history"},
    {"Tab", "complete a command"},
    {NULL, NULL},
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

void prompt_wrong(struct ui *ui, const char *what, size_t from, size_t to)
{
    struct prompt *p = &ui->prompt;
    snprintf(p->wrong, sizeof(p->wrong), "%s", what ? what : "");
    p->line.wrong_from = from;
    p->line.wrong_to = to;
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
        ui_message(ui, "%zu character%s of the paste %s left out", dropped, dropped == 1 ? "" : "s",
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
        ui_message(ui, "the field is full");
        break;
    case EDIT_NOTHING:
        key_text(key, name, sizeof(name));
        ui_message(ui, "%s does nothing in a text field; Esc cancels it", name);
        break;
    case EDIT_MOVED:
        break;
    }
}

/* ---- suggestions ---- */

void prompt_offer_none(struct ui *ui)
{
    struct offers *o = &ui->prompt.offers;
    o->count = o->selected = o->top = 0;
    o->moved = o->named = false;
    arena_clear(&o->arena);
}

/* A word that does not fit would be cut when it is chosen. */
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
        o->selected += o->moved || o->named ? o->selected + 1 < o->count : 0;
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
    bool selected = index == o->selected && (o->moved || o->named);
    line.over = selected ? STYLE_SELECTION : STYLE_POPUP;
    paint_clear(&line);
    if (selected)
        paint_text(&line, 0, 1, 1, STYLE_CURSOR, ">");
    if (offer->tag && ui->prompt.ops->draw_offer) {
        ui->prompt.ops->draw_offer(ui->app, &line, offer);
        return;
    }
    int taken = paint_name(&line, 3, line.width - 4, STYLE_TEXT, offer->word, NULL);
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

static void prompt_take_key(struct ui *ui, const struct input_event *event);

/* A click chooses a suggestion; the wheel moves the selection. */
static void prompt_click(struct ui *ui, const struct input_event *event)
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
        prompt_take_key(ui, &key);
    }
}

/* ---- keys ---- */

static void prompt_take_key(struct ui *ui, const struct input_event *event)
{
    uint32_t key = event->key;
    const struct prompt_ops *ops = ui->prompt.ops;
    if (key == KEY_POINTER)
        prompt_click(ui, event);
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
 * Draws the note at the right of the field: the last message, or the number of matches. It gets the columns that the
 * typed text leaves, so that the text does not move; the answer to a key gets at least a third of the row. Returns
 * the columns used from `from` on.
 */
static int draw_note(struct ui *ui, const struct pane *row, int from)
{
    AUTO_STRBUF note = STRBUF_INIT;
    const struct text_edit *line = &ui->prompt.line;
    if (ui->status.text[0])
        strbuf_addstr(&note, ui->status.text);
    else if (ui->prompt.wrong[0])
        strbuf_addstr(&note, ui->prompt.wrong);
    else if (ui->prompt.ops->note && line->len > 0)
        ui->prompt.ops->note(ui->app, &note);
    int typed = (int)text_width(line->text, line->len, (size_t)row->width, 0);
    int most = row->width - from - typed - NOTE_APART;
    bool answer = (ui->status.text[0] && ui->status.fresh) || ui->prompt.wrong[0];
    if (answer && most < row->width / 3)
        most = row->width / 3;
    int width = most > 0 ? (int)text_width(note.buf, note.len, (size_t)most, 0) : 0;
    width = width < most ? width : most;
    if (width > 0)
        paint_bytes(row, 0, row->width - width - 1, width,
                    ui->status.text[0]    ? ui->status.style
                    : ui->prompt.wrong[0] ? STYLE_ERROR
                                          : STYLE_COUNTS,
                    note.buf, note.len);
    return width > 0 ? width + 2 : 0;
}

/* Returns the columns used. */
static int draw_prefix(struct ui *ui, const struct pane *row)
{
    AUTO_STRBUF asks = STRBUF_INIT;
    if (ui->prompt.ops->asks)
        ui->prompt.ops->asks(ui->app, &asks);
    size_t most = row->width > 0 ? (size_t)row->width * 2 / 3 : 0;
    bool fits = asks.len > 0 && text_width(asks.buf, asks.len, most + 1, 0) <= most;
    return paint_text(row, 0, 1, row->width, STYLE_PROMPT,
                      fits ? asks.buf : ui->prompt.ops->prefix);
}

void prompt_draw(struct ui *ui, const struct pane *row)
{
    struct prompt *p = &ui->prompt;
    int at = draw_prefix(ui, row) + 1;
    int room = row->width - at - 1 - draw_note(ui, row, at);
    text_edit_draw(&p->line, row, at, room + 1, true);
    if (p->line.len == 0)
        paint_text(row, 0, at + 1, room, STYLE_DIM, p->ops->hint);
}

static void prompt_bar(struct ui *ui, struct bar_word words[BAR_WORDS])
{
    const struct prompt_ops *ops = ui->prompt.ops;
    bool completes =
        ops->offers && (ui->prompt.offers.count > 0 || (ops->completes && ops->completes(ui->app)));
    size_t count = 0;
    if (!ops->enters || ops->enters(ui->app))
        words[count++] = (struct bar_word){"Enter", ops->enter};
    words[count++] = (struct bar_word){"Esc", "cancel"};
    if (completes)
        words[count++] = (struct bar_word){"Tab", "complete"};
    else if (ops->moves)
        words[count++] = (struct bar_word){"Up Down", "move"};
    if (ops->copies)
        words[count] = (struct bar_word){"C-y", "copy the command"};
}

static const struct modal_ops prompt_modal_ops = {
    .key = prompt_take_key, .draw = draw_offers, .bar = prompt_bar};

void prompt_open(struct ui *ui, const struct prompt_ops *ops, const char *text)
{
    modal_open(ui, &ui->prompt.modal, &prompt_modal_ops);
    ui->drop_typed = !ops->type_ahead;
    ui->prompt.ops = ops;
    ui->prompt.recalled = 0;
    text_edit_open(&ui->prompt.line, PROMPT_MAX - 1);
    prompt_wrong(ui, NULL, 0, 0);
    text_edit_set(&ui->prompt.line, text);
    if (ui->prompt.line.len > 0)
        changed(ui);
}
