#include "tui/widget/popup.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/text/text.h"
#include "tui/widget/ui.h"

void popup_close(struct popup *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->items[i].text);
        free(p->items[i].shown);
        free(p->items[i].help);
    }
    p->count = 0;
    modal_close(p->ui, &p->modal);
    p->any_key = false;
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
    array_grow((void **)&p->items, &p->alloc, p->count, sizeof(*p->items));
    struct popup_item *item = &p->items[p->count++];
    *item = (struct popup_item){.key = key, .text = xstrdup(text), .help = xstrdup(help)};
    return item;
}

/* The popup is closed before what was chosen runs, for that may open another. */
static void choose(struct ui *ui, size_t index)
{
    struct popup *p = &ui->popup;
    struct popup_item item = p->items[index];
    if (item.blocked) {
        ui_say(ui, "%s: %s", item.text, item.blocked);
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
    else if (p->any_key && key > ' ' && key < KEY_NAMED)
        choose_letter(ui, key);
    else
        ui_say(ui, "choose one of these, or Esc");
}

static const char *shown_text(const struct popup_item *item)
{
    return item->shown ? item->shown : item->text;
}

/* What is masked is shown so, and still means what it is. */
static void mask_items(const struct ui *ui, struct popup *p)
{
    for (size_t i = 0; ui->data->mask && i < p->count; i++) {
        if (p->items[i].shown)
            continue;
        struct strbuf text = STRBUF_INIT;
        strbuf_addstr(&text, p->items[i].text);
        ui_mask(ui, &text);
        p->items[i].shown = xstrdup(text.buf ? text.buf : "");
        strbuf_release(&text);
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

/* Where there is no room for both, the texts give way to what is said of them, down to half of it. */
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
    struct strbuf name = STRBUF_INIT;
    text_add(&name, shown_text(item), TEXT_EXACT); /* one name is not taken for another */
    paint_bytes(&line, 0, 6, (int)text, style, name.buf, name.len);
    strbuf_release(&name);
    paint_text(&line, 0, 8 + (int)text, line.width - 9 - (int)text, STYLE_DIM,
               item->blocked ? item->blocked : item->help);
    if (index == p->selected) {
        ui->screen.cursor_y = line.y;
        ui->screen.cursor_x = line.x + (line.width > 1);
    }
}

/* The frame's rows: a title and a count above, a plain one below. */
static void draw_frame(struct ui *ui, const struct pane *box)
{
    struct popup *p = &ui->popup;
    const char *bar = glyph_text(&ui->screen, GLYPH_SIDE);
    char count[48] = "";
    if (p->count + 2 > (size_t)box->height)
        snprintf(count, sizeof(count), "%zu of %zu", p->selected + 1, p->count);
    paint_rule(box, 0, p->title, count);
    paint_rule(box, box->height - 1, "", "");
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

/* Scrolls as little as brings the chosen line among so many, with none left empty below the last. */
static void reveal(struct popup *p, int rows)
{
    size_t shown = rows > 0 ? (size_t)rows : 0, last = p->count > shown ? p->count - shown : 0;
    p->top = p->top < last ? p->top : last;
    if (p->selected < p->top)
        p->top = p->selected;
    if (rows > 0 && p->selected >= p->top + (size_t)rows)
        p->top = p->selected - (size_t)rows + 1;
}

/* Where there is no room for a frame around a line, the lines have it all; the status line has the title. */
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
    width = width > body->width - 2 ? body->width - 2 : width;
    text = fit_text(text, wanted, width);
    reveal(p, height - 2 * p->framed);
    /* A column of the view on each side is cleared with it. */
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
    if (ui->popup.count > 0)
        words[count++] = (struct bar_word){"Enter", "choose"};
    words[count++] = (struct bar_word){"Esc", "leave it"};
    if (ui->popup.count > 0)
        words[count++] = (struct bar_word){"Up Down", "move"};
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
