#include "tui/widget/text_edit.h"

#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "tui/term/input.h"
#include "tui/text/text.h"

#define CONTROL(letter) ((uint32_t)(letter)&31)

void text_edit_open(struct text_edit *f, size_t most)
{
    if (!f->text) {
        f->alloc = 64;
        f->text = xmalloc(f->alloc);
    }
    f->text[0] = '\0';
    f->len = f->cursor = f->wrong_from = f->wrong_to = 0;
    f->most = most;
}

void text_edit_release(struct text_edit *f)
{
    free(f->text);
    *f = (struct text_edit){0};
}

static bool make_room(struct text_edit *f, size_t len)
{
    if (len > f->most)
        return false;
    if (len < f->alloc)
        return true;
    size_t alloc = 2 * (len + 1);
    f->text = xrealloc(f->text, alloc);
    f->alloc = alloc;
    return true;
}

void text_edit_set(struct text_edit *f, const char *text)
{
    size_t len = strlen(text);
    len = len > f->most ? f->most : len;
    if (!make_room(f, len))
        len = 0;
    memcpy(f->text, text, len);
    /* The cut may be inside a character. */
    for (f->len = len; f->len > 0 && !utf8_valid(f->text, f->len);)
        f->len--;
    f->text[f->len] = '\0';
    f->cursor = f->len;
}

/* The byte offset of the previous or next character; combining marks belong to their base. */
static size_t step(const struct text_edit *f, size_t at, int direction)
{
    struct text_scan scan;
    struct text_cell cell;
    size_t before = 0;
    text_scan_init(&scan, f->text, f->len, 0);
    while (text_next(&scan, &cell)) {
        if (direction > 0 && cell.from >= at)
            return cell.to;
        if (direction < 0 && cell.to >= at)
            return cell.from;
        before = cell.from;
    }
    return direction > 0 ? f->len : before;
}

static bool delete_range(struct text_edit *f, size_t from, size_t to)
{
    if (from >= to)
        return false;
    memmove(f->text + from, f->text + to, f->len - to + 1);
    f->len -= to - from;
    f->cursor = from;
    return true;
}

static bool text_edit_insert(struct text_edit *f, const char *bytes, size_t len)
{
    if (!make_room(f, f->len + len))
        return false;
    memmove(f->text + f->cursor + len, f->text + f->cursor, f->len - f->cursor + 1);
    memcpy(f->text + f->cursor, bytes, len);
    f->len += len;
    f->cursor += len;
    return true;
}

size_t text_edit_paste(struct text_edit *f, const char *text, size_t len)
{
    size_t dropped = 0;
    for (size_t i = 0; i < len;) {
        uint32_t c;
        int n = utf8_decode(text + i, len - i, &c);
        bool white = n == 1 && (c == '\n' || c == '\t' || c == '\r');
        if (n == 0 || c == 0 || (utf8_is_control(c) && !white))
            dropped++;
        else if (!text_edit_insert(f, white ? " " : text + i, white ? 1 : (size_t)n))
            dropped++;
        i += n > 0 ? (size_t)n : 1;
    }
    return dropped;
}

static size_t word_start(const struct text_edit *f)
{
    size_t at = f->cursor;
    while (at > 0 && f->text[at - 1] == ' ')
        at--;
    while (at > 0 && f->text[at - 1] != ' ')
        at--;
    return at;
}

/* The new cursor position after a key; SIZE_MAX if it does not move the cursor. */
static size_t destination(const struct text_edit *f, uint32_t key)
{
    if (key == KEY_ARROW_LEFT)
        return f->cursor ? step(f, f->cursor, -1) : 0;
    if (key == KEY_ARROW_RIGHT)
        return f->cursor < f->len ? step(f, f->cursor, 1) : f->len;
    if (key == KEY_FIRST || key == CONTROL('a'))
        return 0;
    return key == KEY_LAST || key == CONTROL('e') ? f->len : SIZE_MAX;
}

/* Sets the range of bytes that a key deletes. Returns false if it deletes nothing. */
static bool deletes(const struct text_edit *f, uint32_t key, size_t *from, size_t *to)
{
    *from = *to = f->cursor;
    if (key == KEY_RUBOUT)
        *from = f->cursor ? step(f, f->cursor, -1) : 0;
    else if (key == KEY_DELETE)
        *to = f->cursor < f->len ? step(f, f->cursor, 1) : f->len;
    else if (key == CONTROL('u'))
        *from = 0;
    else if (key == CONTROL('k'))
        *to = f->len;
    else if (key == CONTROL('w'))
        *from = word_start(f);
    else
        return false;
    return true;
}

enum text_edit_did text_edit_key(struct text_edit *f, uint32_t key)
{
    char bytes[4];
    size_t from, to, at = destination(f, key);
    if (at != SIZE_MAX) {
        f->cursor = at;
        return EDIT_MOVED;
    }
    if (deletes(f, key, &from, &to))
        return delete_range(f, from, to) ? EDIT_CHANGED : EDIT_MOVED;
    if (key < ' ' || key >= KEY_NAMED || utf8_is_control(key))
        return EDIT_NOTHING;
    return text_edit_insert(f, bytes, (size_t)utf8_encode(key, bytes)) ? EDIT_CHANGED : EDIT_FULL;
}

void text_edit_draw(const struct text_edit *f, const struct pane *row, int column, int width,
                    bool cursor)
{
    struct text_scan scan;
    struct text_cell cell;
    size_t room = width > 1 ? (size_t)width - 1 : 0, from = 0;
    size_t before = text_width(f->text, f->cursor, SIZE_MAX, 0), skipped = 0;
    /* Scroll so that the cursor is visible; without it the text is seen from its beginning. */
    text_scan_init(&scan, f->text, f->cursor, 0);
    while (cursor && before - skipped > room && text_next(&scan, &cell)) {
        skipped += cell.width;
        from = cell.to;
    }
    paint_bytes(row, 0, column, width, STYLE_TEXT, f->text + from, f->len - from);
    if (f->wrong_to > f->wrong_from && f->wrong_from >= from && f->wrong_to <= f->len) {
        int skip = (int)text_width(f->text + from, f->wrong_from - from, SIZE_MAX, 0);
        paint_bytes(row, 0, column + skip, width - skip, STYLE_ERROR, f->text + f->wrong_from,
                    f->wrong_to - f->wrong_from);
    }
    if (!cursor)
        return;
    row->screen->cursor_y = row->y;
    row->screen->cursor_x = row->x + column + (int)(before - skipped);
}
