/*
 * Everything here is built on one scanner that splits text into cells. So cleaning, measuring, fitting and wrapping
 * always agree on what a character is and how wide it is.
 */
#include "tui/text/text.h"

#include <stdio.h>
#include <stdint.h>
#include <utf8proc.h>
#include <wchar.h>
#include "model/base/utf8.h"

#define STAND_IN      "\xef\xbf\xbd" /* U+FFFD */
#define DOTTED_CIRCLE "\xe2\x97\x8c" /* U+25CC */
#define ELLIPSIS      "\xe2\x80\xa6" /* U+2026 */
#define TAB_STOP      8

#define JOINER         0x200d
#define TEXT_SELECTOR  0xfe0e
#define EMOJI_SELECTOR 0xfe0f
#define KEYCAP         0x20e3
#define BRAILLE_BLANK  0x2800 /* drawn as nothing, although it is no white space */

enum glyph_type {
    GLYPH_PLAIN = 0,
    GLYPH_MARK,
    GLYPH_INVISIBLE,
    GLYPH_LINE_FEED,
    GLYPH_TAB,
    GLYPH_CONTROL,
    GLYPH_BIDI,
    GLYPH_BROKEN,
    GLYPH_UNPRINTABLE,
};

struct glyph {
    enum glyph_type type;
    uint32_t code;
    size_t len;
    size_t width;
};

struct range {
    uint32_t first, last;
};

/* Characters that draw nothing, although neither wcwidth nor their category says so: the soft hyphen, the grapheme
 * joiner, variation selectors, skin tones. */
static const struct range unseen[] = {
    {0x00ad, 0x00ad}, {0x034f, 0x034f},   {0x180b, 0x180f},
    {0xfe00, 0xfe0f}, {0x1f3fb, 0x1f3ff}, {0xe0080, 0xe0fff},
};

static const struct range skin_tones[] = {{0x1f3fb, 0x1f3ff}};

/* Punctuation that must not begin a line of CJK text. */
static const struct range closing[] = {
    {0x3001, 0x3002}, {0x3009, 0x3009}, {0x300b, 0x300b}, {0x300d, 0x300d}, {0x300f, 0x300f},
    {0x3011, 0x3011}, {0x30fc, 0x30fc}, {0xff01, 0xff01}, {0xff09, 0xff09}, {0xff0c, 0xff0c},
    {0xff0e, 0xff0e}, {0xff1a, 0xff1b}, {0xff1f, 0xff1f},
};

/* ASCII substitutes of similar shape. */
static const struct {
    uint32_t code;
    const char *ascii;
} alike[] = {
    {0x00a0, " "}, {0x00b7, "."},   {0x00d7, "x"},  {0x2010, "-"},  {0x2011, "-"},  {0x2012, "-"},
    {0x2013, "-"}, {0x2014, "--"},  {0x2018, "'"},  {0x2019, "'"},  {0x201c, "\""}, {0x201d, "\""},
    {0x2022, "*"}, {0x2026, "..."}, {0x2190, "<-"}, {0x2192, "->"}, {0x3000, "  "},
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

#define IN_RANGES(ranges, code) in_ranges(ranges, sizeof(ranges) / sizeof((ranges)[0]), code)

/* A character of width 0 is a combining mark or a format character. Its category decides. */
static enum glyph_type classify(uint32_t code, int width)
{
    if (utf8_is_control(code))
        return GLYPH_CONTROL;
    if (utf8_is_bidi(code))
        return GLYPH_BIDI;
    if (IN_RANGES(unseen, code))
        return GLYPH_INVISIBLE;
    if (width < 0)
        return GLYPH_UNPRINTABLE;
    if (utf8_is_ignorable(code))
        return GLYPH_INVISIBLE;
    if (width == 0)
        return utf8proc_category((utf8proc_int32_t)code) == UTF8PROC_CATEGORY_CF ? GLYPH_INVISIBLE
                                                                                 : GLYPH_MARK;
    return GLYPH_PLAIN;
}

/* Decodes the glyph at `pos`, which must be before the end. */
static struct glyph read_glyph(const struct text_scan *t, size_t pos)
{
    unsigned char c = (unsigned char)t->text[pos];
    if (c >= 0x20 && c < 0x7f)
        return (struct glyph){GLYPH_PLAIN, c, 1, 1};
    if (c == '\n')
        return (struct glyph){GLYPH_LINE_FEED, c, 1, 0};
    if (c == '\r' && pos + 1 < t->len && t->text[pos + 1] == '\n')
        return (struct glyph){GLYPH_LINE_FEED, '\n', 2, 0};
    if (c == '\t')
        return (struct glyph){GLYPH_TAB, c, 1, 0};
    struct glyph g = {GLYPH_BROKEN, 0xfffd, 1, 1};
    uint32_t code;
    int len = utf8_decode(t->text + pos, t->len - pos, &code);
    if (len == 0)
        return g;
    int width = wcwidth((wchar_t)code);
    g.type = classify(code, width);
    g.code = code;
    g.len = (size_t)len;
    g.width = width > 0 ? (size_t)width : 0;
    return g;
}

void text_scan_init(struct text_scan *t, const char *s, size_t len, unsigned flags)
{
    *t = (struct text_scan){.text = s, .len = len, .flags = flags};
}

static void cell_add(struct text_cell *cell, const char *bytes, size_t len)
{
    memcpy(cell->bytes + cell->len, bytes, len);
    cell->len += len;
    cell->bytes[cell->len] = '\0';
}

/* Turns a cell into a stand-in. */
static void cell_stand_in(struct text_cell *cell, unsigned flags)
{
    cell->kind = CELL_STAND_IN;
    cell->width = 1;
    if (flags & TEXT_ASCII)
        cell_add(cell, "?", 1);
    else
        cell_add(cell, STAND_IN, sizeof(STAND_IN) - 1);
}

static void cell_spaces(struct text_cell *cell, size_t count)
{
    cell->kind = CELL_SPACE;
    cell->width = count;
    cell_add(cell, "        ", count);
}

/* Sets the ASCII substitute of a character, or a question mark: always one column. */
static void cell_ascii(struct text_cell *cell, uint32_t code)
{
    const char *ascii = "?";
    for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++)
        if (alike[i].code == code)
            ascii = alike[i].ascii;
    cell->width = strlen(ascii);
    cell_add(cell, ascii, cell->width);
}

static void cell_plain(struct text_cell *cell, const struct text_scan *t, const struct glyph *g)
{
    if ((t->flags & TEXT_ASCII) && g->code >= 0x80) {
        cell_ascii(cell, g->code);
        return;
    }
    cell->kind = g->code == ' ' ? CELL_SPACE : CELL_TEXT;
    cell->width = g->width;
    cell_add(cell, t->text + t->pos, g->len);
}

static bool is_pictograph(uint32_t code)
{
    return utf8proc_get_property((utf8proc_int32_t)code)->boundclass ==
           UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/*
 * Whether the invisible glyph at t->pos, which follows `last` in the cell of `base`, is part of an emoji: a selector
 * directly after one, a skin tone, or a joiner before another emoji.
 */
static bool is_of_emoji(const struct text_scan *t, uint32_t base, uint32_t last,
                        const struct glyph *g)
{
    size_t pos = t->pos + g->len;
    uint32_t next = pos < t->len ? read_glyph(t, pos).code : 0; /* 0: the end */
    bool key = base < 0x80 && strchr("0123456789#*", (int)base) && next == KEYCAP;
    if (g->code == TEXT_SELECTOR || g->code == EMOJI_SELECTOR)
        return last == base && (is_pictograph(base) || key);
    if (g->code == JOINER)
        return is_pictograph(base) && is_pictograph(next);
    return IN_RANGES(skin_tones, g->code) && is_pictograph(base) &&
           (last == base || last == EMOJI_SELECTOR);
}

/* Reads the zero-width glyphs after a base: keeps those that combine, skips and counts the others. */
static void cell_combine(struct text_scan *t, struct text_cell *cell)
{
    size_t marks = 0, passed = 0;
    uint32_t last = cell->code;
    while (t->pos < t->len && passed < TEXT_UNSEEN) {
        struct glyph g = read_glyph(t, t->pos);
        if (g.type != GLYPH_MARK && g.type != GLYPH_INVISIBLE)
            break;
        if (g.type == GLYPH_INVISIBLE && (t->flags & TEXT_EXACT) &&
            !is_of_emoji(t, cell->code, last, &g))
            break;
        if (g.type == GLYPH_MARK && marks < TEXT_MARKS) {
            if (!(t->flags & TEXT_ASCII))
                cell_add(cell, t->text + t->pos, g.len);
            marks++;
        } else {
            *(g.type == GLYPH_MARK ? &t->removed.marks : &t->removed.invisible) += 1;
            passed++;
        }
        last = g.code;
        t->pos += g.len;
    }
}

static void count_stand_in(struct text_removed *removed, enum glyph_type type)
{
    if (type == GLYPH_BIDI)
        removed->bidi++;
    else if (type == GLYPH_BROKEN)
        removed->broken++;
    else if (type == GLYPH_UNPRINTABLE)
        removed->unprintable++;
    else if (type == GLYPH_INVISIBLE)
        removed->invisible++;
    else
        removed->controls++;
}

/* A line feed, a tab, or a character that must not be shown. */
static void cell_special(struct text_scan *t, struct text_cell *cell, enum glyph_type type)
{
    bool white = type == GLYPH_LINE_FEED || type == GLYPH_TAB;
    if (!white || (t->flags & TEXT_EXACT)) {
        count_stand_in(&t->removed, type);
        cell_stand_in(cell, t->flags);
    } else if (!(t->flags & TEXT_LINES)) {
        cell_spaces(cell, 1);
    } else if (type == GLYPH_TAB) {
        cell_spaces(cell, TAB_STOP - t->column % TAB_STOP);
    } else {
        cell->kind = CELL_BREAK;
        cell_add(cell, "\n", 1);
    }
}

/* Skips invisible glyphs before a base. Returns false if the run is too long: then the next one gets a stand-in. */
static bool pass_invisible(struct text_scan *t)
{
    for (size_t passed = 0; t->pos < t->len; passed++) {
        struct glyph g = read_glyph(t, t->pos);
        if (g.type != GLYPH_INVISIBLE)
            return true;
        if (passed == TEXT_UNSEEN)
            return false;
        t->removed.invisible++;
        t->pos += g.len;
    }
    return true;
}

bool text_next(struct text_scan *t, struct text_cell *cell)
{
    *cell = (struct text_cell){.from = t->pos};
    bool seen = t->flags & TEXT_EXACT || pass_invisible(t);
    if (t->pos >= t->len)
        return false;
    if (!seen) {
        cell_stand_in(cell, t->flags);
    } else {
        struct glyph g = read_glyph(t, t->pos);
        cell->code = g.code;
        if (g.type == GLYPH_PLAIN) {
            cell_plain(cell, t, &g);
            t->pos += g.len;
            cell_combine(t, cell);
        } else if (g.type == GLYPH_MARK) {
            cell_add(cell, t->flags & TEXT_ASCII ? "?" : DOTTED_CIRCLE,
                     t->flags & TEXT_ASCII ? 1 : sizeof(DOTTED_CIRCLE) - 1);
            cell->width = 1;
            cell_combine(t, cell);
        } else {
            cell_special(t, cell, g.type);
            t->pos += g.len;
        }
    }
    cell->to = t->pos;
    t->column = cell->kind == CELL_BREAK ? 0 : t->column + cell->width;
    return true;
}

/*
 * Most text is printable ASCII, which is its own cell, one column wide. Skips as much of it as nothing can combine
 * with, at most `most` bytes, and returns its length; 0 if text_next must read the next cell.
 */
static size_t text_plain_run(struct text_scan *t, size_t most)
{
    const char *s = t->text + t->pos;
    size_t len = t->len - t->pos < most ? t->len - t->pos : most, run = 0;
    while (run < len && s[run] >= 0x20 && s[run] < 0x7f)
        run++;
    if (run && t->pos + run < t->len && s[run] & 0x80)
        run--;
    t->pos += run;
    t->column += run;
    return run;
}

/* Whether it is a name of spaces only, which would be invisible without quotes. */
static bool is_unseen_name(const char *s, size_t len, unsigned flags)
{
    for (size_t i = 0; flags & TEXT_EXACT && i < len;) {
        uint32_t c;
        int n = utf8_decode(s + i, len - i, &c);
        bool space = n > 0 && (utf8_is_space(c) || c == BRAILLE_BLANK);
        if (!space || utf8_is_control(c) || utf8_is_bidi(c))
            return false;
        i += (size_t)n;
    }
    return flags & TEXT_EXACT && len > 0;
}

static struct strbuf quoted(const char *s, size_t len)
{
    struct strbuf name = STRBUF_INIT;
    strbuf_addch(&name, '"');
    strbuf_add(&name, s, len);
    strbuf_addch(&name, '"');
    return name;
}

size_t text_clean(struct strbuf *out, const char *s, size_t len, unsigned flags)
{
    struct text_scan t;
    struct text_cell cell;
    if (is_unseen_name(s, len, flags)) {
        AUTO_STRBUF name = quoted(s, len);
        return text_clean(out, name.buf, name.len, flags);
    }
    text_scan_init(&t, s, len, flags);
    for (size_t run;;) {
        if ((run = text_plain_run(&t, SIZE_MAX)))
            strbuf_add(out, s + t.pos - run, run);
        if (!text_next(&t, &cell))
            break;
        strbuf_add(out, cell.bytes, cell.len);
    }
    return text_removed_total(&t.removed);
}

size_t text_add(struct strbuf *out, const char *s, unsigned flags)
{
    return s ? text_clean(out, s, strlen(s), flags) : 0;
}

size_t text_width(const char *s, size_t len, size_t limit, unsigned flags)
{
    struct text_scan t;
    struct text_cell cell;
    size_t width = is_unseen_name(s, len, flags) ? 2 : 0; /* the width of the quotes */
    text_scan_init(&t, s, len, flags & ~(unsigned)TEXT_LINES);
    while (width <= limit) {
        width += text_plain_run(&t, limit - width);
        if (!text_next(&t, &cell))
            break;
        width += cell.width;
    }
    return width;
}

/* Inserts `count` spaces at byte `at`. */
static void pad_at(struct strbuf *out, size_t at, size_t count)
{
    size_t tail = out->len - at;
    strbuf_addchars(out, ' ', count);
    memmove(out->buf + at + count, out->buf + at, tail);
    memset(out->buf + at, ' ', count);
}

size_t text_fit(struct strbuf *out, const char *s, size_t len, size_t columns, unsigned flags)
{
    struct text_scan t;
    struct text_cell cell;
    size_t start = out->len, width = 0;
    size_t keep = start, keep_width = 0; /* the longest prefix that leaves room for an ellipsis */
    if (is_unseen_name(s, len, flags)) {
        AUTO_STRBUF name = quoted(s, len);
        return text_fit(out, name.buf, name.len, columns, flags);
    }
    text_scan_init(&t, s, len, flags & ~(unsigned)TEXT_LINES);
    while (columns > 0) {
        size_t run = columns > width ? text_plain_run(&t, columns - width - 1) : 0;
        if (run) {
            strbuf_add(out, s + t.pos - run, run);
            keep = out->len;
            keep_width = width += run;
        }
        if (!text_next(&t, &cell))
            break;
        if (cell.width > columns - width) {
            strbuf_cut(out, keep);
            strbuf_addstr(out, flags & TEXT_ASCII ? "~" : ELLIPSIS);
            width = keep_width + 1;
            break;
        }
        strbuf_add(out, cell.bytes, cell.len);
        width += cell.width;
        if (width < columns) {
            keep = out->len;
            keep_width = width;
        }
    }
    if (!(flags & (TEXT_PAD | TEXT_RIGHT)))
        return width;
    pad_at(out, flags & TEXT_RIGHT ? start : out->len, columns - width);
    return columns;
}

/* A line that is being built: the last position where it can be broken, and its length without trailing spaces. */
struct wrap {
    struct strbuf *out;
    size_t columns;
    size_t width;
    size_t ink_len, ink_width;               /* without the spaces at its end */
    size_t break_len, break_width, break_to; /* break_to 0: no break position yet */
    bool after_wide;
};

/* Records a break position: this line ends at its last visible character, the next one begins at byte `to`. */
static void wrap_break_here(struct wrap *w, size_t to)
{
    w->break_len = w->ink_len;
    w->break_width = w->ink_width;
    w->break_to = to;
}

/* Whether a line may break before this cell without a space. */
static bool wrap_breaks_before(const struct wrap *w, const struct text_cell *cell)
{
    if (cell->kind != CELL_TEXT || w->ink_len == 0 || w->ink_len != w->out->len)
        return false;
    if (IN_RANGES(closing, cell->code) ||
        (cell->code < 0x80 && strchr(",.!?:;)]}%", (int)cell->code)))
        return false;
    return cell->width > 1 || w->after_wide;
}

static void wrap_add(struct wrap *w, const struct text_cell *cell)
{
    if (wrap_breaks_before(w, cell))
        wrap_break_here(w, cell->from);
    w->after_wide = cell->kind == CELL_TEXT && cell->width > 1;
    strbuf_add(w->out, cell->bytes, cell->len);
    w->width += cell->width;
    if (cell->kind == CELL_SPACE) {
        if (w->ink_len > 0)
            wrap_break_here(w, cell->to);
    } else {
        w->ink_len = w->out->len;
        w->ink_width = w->width;
    }
}

/* After a line that ended at a space: skips the spaces and one line feed that follow. */
static void wrap_pass_spaces(struct text_scan *t)
{
    struct text_cell cell;
    while (t->pos < t->len) {
        struct text_scan ahead = *t;
        if (!text_next(&ahead, &cell) || cell.kind == CELL_TEXT || cell.kind == CELL_STAND_IN)
            return;
        *t = ahead;
        if (cell.kind == CELL_BREAK)
            return;
    }
}

/* `cell` does not fit: ends the line before it, or at the last break position. */
static void wrap_overflow(struct wrap *w, struct text_scan *t, const struct text_cell *cell)
{
    if (cell->kind == CELL_SPACE) {
        wrap_pass_spaces(t);
    } else if (w->break_to > 0 &&
               !(cell->width > 1 && w->ink_width == w->width && !IN_RANGES(closing, cell->code))) {
        w->ink_len = w->break_len;
        w->ink_width = w->break_width;
        t->pos = w->break_to;
    } else if (w->width > 0) {
        t->pos = cell->from;
    } else {
        /* A wide character in a line of one column. */
        strbuf_addstr(w->out, "?");
        w->ink_len = 1;
        w->ink_width = 1;
    }
}

/* Builds the line that begins at t->pos and moves t->pos to the start of the next. */
static size_t wrap_line(struct text_scan *t, struct strbuf *out, size_t columns)
{
    struct wrap w = {.out = out, .columns = columns};
    struct text_cell cell;
    t->column = 0;
    strbuf_clear(out);
    while (text_next(t, &cell)) {
        if (cell.kind == CELL_BREAK)
            break;
        if (cell.width > columns - w.width) {
            wrap_overflow(&w, t, &cell);
            break;
        }
        wrap_add(&w, &cell);
    }
    strbuf_cut(out, w.ink_len);
    return w.ink_width;
}

size_t text_wrap(struct arena *arena, const char *s, size_t len, size_t columns, size_t max_lines,
                 unsigned flags, struct text_line **lines)
{
    struct text_scan t;
    AUTO_STRBUF out = STRBUF_INIT;
    size_t count = 0, room = 0;
    text_scan_init(&t, s, len, (flags | TEXT_LINES) & ~(unsigned)TEXT_EXACT);
    *lines = NULL;
    while (t.pos < len && count < max_lines) {
        size_t from = t.pos;
        size_t width = wrap_line(&t, &out, columns ? columns : 1);
        *ARENA_ADD(arena, *lines, count, room) =
            (struct text_line){arena_strndup(arena, out.buf, out.len), out.len, width, from, t.pos};
    }
    return count;
}

void text_examine(struct text_removed *removed, const char *s, size_t len)
{
    struct text_scan t;
    struct text_cell cell;
    text_scan_init(&t, s, len, TEXT_LINES);
    while (text_next(&t, &cell))
        ;
    *removed = t.removed;
}

size_t text_removed_total(const struct text_removed *r)
{
    return r->controls + r->bidi + r->broken + r->unprintable + r->invisible + r->marks;
}

void text_removed_describe(struct strbuf *out, const struct text_removed *removed)
{
    const struct {
        size_t count;
        const char *one, *many;
    } parts[] = {
        {removed->controls, "control character", "control characters"},
        {removed->bidi, "bidi control", "bidi controls"},
        {removed->broken, "broken byte", "broken bytes"},
        {removed->unprintable, "unprintable character", "unprintable characters"},
        {removed->invisible, "invisible character", "invisible characters"},
        {removed->marks, "combining mark too many", "combining marks too many"},
    };
    const char *comma = "";
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].count == 0)
            continue;
        strbuf_addf(out, "%s%zu %s", comma, parts[i].count,
                    parts[i].count == 1 ? parts[i].one : parts[i].many);
        comma = ", ";
    }
}

const char *count_text(char out[28], long long n)
{
    char digits[24];
    int len = snprintf(digits, sizeof(digits), "%lld", n), at = 0;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0 && digits[i - 1] != '-')
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}
