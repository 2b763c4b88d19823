#include "prompt.h"

#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "../model/utf8.h"
#include "app.h"
#include "text.h"

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
    *p = (struct prompt){0};
}

static void changed(struct app *x)
{
    struct prompt *p = &x->prompt;
    if (p->ops && p->ops->changed)
        p->ops->changed(x, p->text);
}

static void take_text(struct prompt *p, const char *text)
{
    snprintf(p->text, sizeof(p->text), "%s", text);
    p->len = strlen(p->text);
    /* A cut may have fallen within a character. */
    while (p->len > 0 && !utf8_valid(p->text, p->len))
        p->text[--p->len] = '\0';
    p->cursor = p->len;
}

void prompt_open(struct app *x, const struct prompt_ops *ops, const char *text)
{
    x->prompt.ops = ops;
    x->prompt.recalled = 0;
    take_text(&x->prompt, text);
    if (x->prompt.len > 0)
        changed(x);
}

void prompt_close(struct app *x)
{
    x->prompt.ops = NULL;
}

void prompt_set(struct app *x, const char *text)
{
    take_text(&x->prompt, text);
    changed(x);
}

static void remember(struct prompt *p)
{
    if (p->ops->history < 0 || p->len == 0)
        return;
    struct prompt_history *h = &p->history[p->ops->history];
    if (h->count > 0 && !strcmp(h->line[h->count - 1], p->text))
        return;
    if (h->count == PROMPT_HISTORY) {
        free(h->line[0]);
        memmove(h->line, h->line + 1, (PROMPT_HISTORY - 1) * sizeof(h->line[0]));
        h->count--;
    }
    h->line[h->count++] = xstrdup(p->text);
}

bool prompt_recall(struct app *x, int direction)
{
    struct prompt *p = &x->prompt;
    if (!p->ops || p->ops->history < 0)
        return false;
    struct prompt_history *h = &p->history[p->ops->history];
    if (direction < 0 ? p->recalled >= h->count : p->recalled == 0)
        return false;
    if (p->recalled == 0)
        memcpy(p->draft, p->text, sizeof(p->draft));
    p->recalled += direction < 0 ? 1 : (size_t)-1;
    char line[PROMPT_MAX];
    snprintf(line, sizeof(line), "%s", p->recalled ? h->line[h->count - p->recalled] : p->draft);
    prompt_set(x, line);
    return true;
}

/* The byte before or after the cursor's character, with what combines with it. */
static size_t step(const struct prompt *p, size_t at, int direction)
{
    struct text_scan scan;
    struct text_cell cell;
    size_t before = 0;
    text_scan_init(&scan, p->text, p->len, 0);
    while (text_next(&scan, &cell)) {
        if (direction > 0 && cell.from >= at)
            return cell.to;
        if (direction < 0 && cell.to >= at)
            return cell.from;
        before = cell.from;
    }
    return direction > 0 ? p->len : before;
}

static void delete_range(struct app *x, size_t from, size_t to)
{
    struct prompt *p = &x->prompt;
    if (from >= to)
        return;
    memmove(p->text + from, p->text + to, p->len - to + 1);
    p->len -= to - from;
    p->cursor = from;
    changed(x);
}

static bool insert(struct app *x, const char *bytes, size_t len)
{
    struct prompt *p = &x->prompt;
    if (p->len + len + 1 > sizeof(p->text))
        return false;
    memmove(p->text + p->cursor + len, p->text + p->cursor, p->len - p->cursor + 1);
    memcpy(p->text + p->cursor, bytes, len);
    p->len += len;
    p->cursor += len;
    return true;
}

/* A paste is text and never keys: line breaks become spaces, controls are dropped. */
void prompt_paste(struct app *x, const char *text, size_t len)
{
    size_t dropped = 0;
    for (size_t i = 0; i < len;) {
        uint32_t c;
        int n = utf8_decode(text + i, len - i, &c);
        bool white = n == 1 && (c == '\n' || c == '\t' || c == '\r');
        if (n == 0 || c == 0 || (utf8_is_control(c) && !white))
            dropped++;
        else if (!insert(x, white ? " " : text + i, white ? 1 : (size_t)n))
            dropped++;
        i += n > 0 ? (size_t)n : 1;
    }
    if (dropped)
        app_say(x, "%zu characters of the paste were left out", dropped);
    changed(x);
}

static size_t word_start(const struct prompt *p)
{
    size_t at = p->cursor;
    while (at > 0 && p->text[at - 1] == ' ')
        at--;
    while (at > 0 && p->text[at - 1] != ' ')
        at--;
    return at;
}

/* Keys that edit; false where it is none of them. */
static bool edit_key(struct app *x, uint32_t key)
{
    struct prompt *p = &x->prompt;
    if (key == KEY_RUBOUT)
        delete_range(x, p->cursor ? step(p, p->cursor, -1) : 0, p->cursor);
    else if (key == KEY_DELETE)
        delete_range(x, p->cursor, p->cursor < p->len ? step(p, p->cursor, 1) : p->len);
    else if (key == CONTROL('u'))
        delete_range(x, 0, p->cursor);
    else if (key == CONTROL('k'))
        delete_range(x, p->cursor, p->len);
    else if (key == CONTROL('w'))
        delete_range(x, word_start(p), p->cursor);
    else if (key == KEY_ARROW_LEFT)
        p->cursor = p->cursor ? step(p, p->cursor, -1) : 0;
    else if (key == KEY_ARROW_RIGHT)
        p->cursor = p->cursor < p->len ? step(p, p->cursor, 1) : p->len;
    else if (key == KEY_FIRST || key == CONTROL('a'))
        p->cursor = 0;
    else if (key == KEY_LAST || key == CONTROL('e'))
        p->cursor = p->len;
    else
        return false;
    return true;
}

static bool move_key(struct app *x, uint32_t key)
{
    struct view *v = x->top;
    if (!x->prompt.ops->moves_view)
        return false;
    if (key == KEY_ARROW_DOWN || key == KEY_ARROW_UP)
        view_move(v, key == KEY_ARROW_DOWN ? 1 : -1);
    else if (key == KEY_PAGE_DOWN || key == KEY_PAGE_UP)
        view_page(v, key == KEY_PAGE_DOWN ? 2 : -2);
    else
        return false;
    return true;
}

static void accept(struct app *x)
{
    const struct prompt_ops *ops = x->prompt.ops;
    char text[PROMPT_MAX];
    memcpy(text, x->prompt.text, sizeof(text));
    remember(&x->prompt);
    prompt_close(x);
    ops->accepted(x, text);
}

static void abandon(struct app *x)
{
    const struct prompt_ops *ops = x->prompt.ops;
    prompt_close(x);
    ops->abandoned(x);
}

static void type_key(struct app *x, uint32_t key)
{
    char bytes[4];
    if (key < ' ' || key >= KEY_NAMED || utf8_is_control(key)) {
        char name[16];
        key_text(key, name, sizeof(name));
        app_say(x, "%s does nothing in a text field; Esc leaves it", name);
        return;
    }
    size_t len = (size_t)utf8_encode(key, bytes);
    if (insert(x, bytes, len))
        changed(x);
    else
        app_say(x, "the field is full");
}

void prompt_key(struct app *x, const struct input_event *event)
{
    uint32_t key = event->key;
    const struct prompt_ops *ops = x->prompt.ops;
    if (ops->key && ops->key(x, event))
        return;
    if (key == KEY_RETURN)
        accept(x);
    else if (key == KEY_ESCAPE || key == CONTROL('c'))
        abandon(x);
    else if (key == KEY_RUBOUT && x->prompt.len == 0)
        abandon(x);
    else if (key == CONTROL('p') || key == CONTROL('n'))
        prompt_recall(x, key == CONTROL('p') ? -1 : 1);
    else if (!edit_key(x, key) && !move_key(x, key))
        type_key(x, key);
}

/* What is said at the right of the field: what just happened, or what was found. */
static int draw_note(struct app *x, const struct pane *row)
{
    struct strbuf note = STRBUF_INIT;
    if (x->status[0])
        strbuf_addstr(&note, x->status);
    else if (x->prompt.ops->note && x->prompt.len > 0)
        x->prompt.ops->note(x, &note);
    int most = row->width * 2 / 3;
    int width = (int)text_width(note.buf, note.len, (size_t)(most > 0 ? most : 0), 0);
    width = width < most ? width : most;
    if (width > 0)
        paint_bytes(row, 0, row->width - width - 1, width,
                    x->status[0] ? x->status_style : STYLE_COUNTS, note.buf, note.len);
    strbuf_release(&note);
    return width > 0 ? width + 2 : 0;
}

/* Draws so that the cursor is always seen: what is before it is scrolled out where it must be. */
void prompt_draw(struct app *x, const struct pane *row)
{
    struct prompt *p = &x->prompt;
    int at = paint_text(row, 0, 1, row->width, STYLE_PROMPT, p->ops->prefix) + 1;
    int room = row->width - at - 1 - draw_note(x, row);
    size_t from = 0;
    while (from < p->cursor &&
           text_width(p->text + from, p->cursor - from, 4096, 0) > (size_t)(room > 0 ? room : 0))
        from = step(p, from, 1);
    if (p->len == 0)
        paint_text(row, 0, at + 1, room, STYLE_DIM, p->ops->hint);
    else
        paint_bytes(row, 0, at, room + 1, STYLE_TEXT, p->text + from, p->len - from);
    x->screen.cursor_y = row->y;
    x->screen.cursor_x = row->x + at + (int)text_width(p->text + from, p->cursor - from, 4096, 0);
}
