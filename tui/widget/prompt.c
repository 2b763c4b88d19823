#include "tui/widget/prompt.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/text/text.h"

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
    *p = (struct prompt){0};
}

static void changed(struct app *x)
{
    struct prompt *p = &x->ui.prompt;
    if (p->ops && p->ops->changed)
        p->ops->changed(x, p->line.text);
}

void prompt_open(struct app *x, const struct prompt_ops *ops, const char *text)
{
    x->ui.prompt.ops = ops;
    x->ui.prompt.recalled = 0;
    text_edit_open(&x->ui.prompt.line, PROMPT_MAX - 1);
    text_edit_set(&x->ui.prompt.line, text);
    if (x->ui.prompt.line.len > 0)
        changed(x);
}

void prompt_close(struct app *x)
{
    x->ui.prompt.ops = NULL;
}

void prompt_set(struct app *x, const char *text)
{
    text_edit_set(&x->ui.prompt.line, text);
    changed(x);
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

bool prompt_recall(struct app *x, int direction)
{
    struct prompt *p = &x->ui.prompt;
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
    prompt_set(x, line);
    return true;
}

void prompt_paste(struct app *x, const char *text, size_t len)
{
    size_t dropped = text_edit_paste(&x->ui.prompt.line, text, len);
    if (dropped)
        app_say(x, "%zu character%s of the paste %s left out", dropped, dropped == 1 ? "" : "s",
                dropped == 1 ? "was" : "were");
    changed(x);
}

static bool move_key(struct app *x, uint32_t key)
{
    struct view *v = x->nav.top;
    if (!x->ui.prompt.ops->moves_view)
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
    const struct prompt_ops *ops = x->ui.prompt.ops;
    char text[PROMPT_MAX];
    snprintf(text, sizeof(text), "%s", x->ui.prompt.line.text);
    remember(&x->ui.prompt);
    prompt_close(x);
    ops->accepted(x, text);
}

static void abandon(struct app *x)
{
    const struct prompt_ops *ops = x->ui.prompt.ops;
    prompt_close(x);
    ops->abandoned(x);
}

static void type_key(struct app *x, uint32_t key)
{
    char name[16];
    switch (text_edit_key(&x->ui.prompt.line, key)) {
    case EDIT_CHANGED:
        changed(x);
        break;
    case EDIT_FULL:
        app_say(x, "the field is full");
        break;
    case EDIT_NOTHING:
        key_text(key, name, sizeof(name));
        app_say(x, "%s does nothing in a text field; Esc leaves it", name);
        break;
    case EDIT_MOVED:
        break;
    }
}

void prompt_key(struct app *x, const struct input_event *event)
{
    uint32_t key = event->key;
    const struct prompt_ops *ops = x->ui.prompt.ops;
    if (ops->key && ops->key(x, event))
        return;
    if (key == KEY_RETURN)
        accept(x);
    else if (key == KEY_ESCAPE || key == CONTROL('c'))
        abandon(x);
    else if (key == KEY_RUBOUT && x->ui.prompt.line.len == 0)
        abandon(x);
    else if (key == CONTROL('p') || key == CONTROL('n'))
        prompt_recall(x, key == CONTROL('p') ? -1 : 1);
    else if (!move_key(x, key))
        type_key(x, key);
}

/*
 * What is said at the right of the field: what just happened, or what was found. It has the columns that what is typed
 * leaves, so that this stays where it is; what a key was answered has a third of the row in any case. Returns the
 * columns it took from `from` on.
 */
static int draw_note(struct app *x, const struct pane *row, int from)
{
    struct strbuf note = STRBUF_INIT;
    const struct text_edit *line = &x->ui.prompt.line;
    if (x->ui.status.text[0])
        strbuf_addstr(&note, x->ui.status.text);
    else if (x->ui.prompt.ops->note && line->len > 0)
        x->ui.prompt.ops->note(x, &note);
    int typed = (int)text_width(line->text, line->len, (size_t)row->width, 0);
    int most = row->width - from - typed - NOTE_APART;
    if (x->ui.status.text[0] && x->ui.status.fresh && most < row->width / 3)
        most = row->width / 3;
    int width = most > 0 ? (int)text_width(note.buf, note.len, (size_t)most, 0) : 0;
    width = width < most ? width : most;
    if (width > 0)
        paint_bytes(row, 0, row->width - width - 1, width,
                    x->ui.status.text[0] ? x->ui.status.style : STYLE_COUNTS, note.buf, note.len);
    strbuf_release(&note);
    return width > 0 ? width + 2 : 0;
}

/* Returns the columns it took. */
static int draw_prefix(struct app *x, const struct pane *row)
{
    struct strbuf asks = STRBUF_INIT;
    if (x->ui.prompt.ops->asks)
        x->ui.prompt.ops->asks(x, &asks);
    size_t most = row->width > 0 ? (size_t)row->width * 2 / 3 : 0;
    bool fits = asks.len > 0 && text_width(asks.buf, asks.len, most + 1, 0) <= most;
    int taken =
        paint_text(row, 0, 1, row->width, STYLE_PROMPT, fits ? asks.buf : x->ui.prompt.ops->prefix);
    strbuf_release(&asks);
    return taken;
}

void prompt_draw(struct app *x, const struct pane *row)
{
    struct prompt *p = &x->ui.prompt;
    int at = draw_prefix(x, row) + 1;
    int room = row->width - at - 1 - draw_note(x, row, at);
    text_edit_draw(&p->line, row, at, room + 1, STYLE_TEXT, true);
    if (p->line.len == 0)
        paint_text(row, 0, at + 1, room, STYLE_DIM, p->ops->hint);
}
