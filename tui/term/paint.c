#include "tui/term/paint.h"

#include <math.h>
#include <string.h>
#include <wchar.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "tui/term/screen.h"
#include "tui/text/match.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

struct pane pane_whole(struct screen *s)
{
    return (struct pane){s, 0, 0, s->rows, s->columns, STYLE_NONE};
}

struct pane pane_part(const struct pane *p, int y, int x, int height, int width)
{
    struct pane part = *p;
    y = y < 0 ? 0 : y > p->height ? p->height : y;
    x = x < 0 ? 0 : x > p->width ? p->width : x;
    part.y = p->y + y;
    part.x = p->x + x;
    part.height = height > p->height - y ? p->height - y : height < 0 ? 0 : height;
    part.width = width > p->width - x ? p->width - x : width < 0 ? 0 : width;
    return part;
}

struct pane pane_row(const struct pane *p, int row)
{
    return pane_part(p, row, 0, row < p->height ? 1 : 0, p->width);
}

static void set_style(const struct pane *p, enum style style)
{
    short pair;
    attr_t attributes = screen_attributes(p->screen, style, p->over, &pair);
    attr_set(attributes, pair, NULL);
}

/* Blanks the remaining half of a wide character that is about to be half overwritten. Curses would leave it. */
static void clear_half(struct screen *s, int y, int x, uint8_t half)
{
    uint8_t *at = x >= 0 && x < s->columns ? &s->half[y * s->columns + x] : NULL;
    if (!at || *at != half)
        return;
    *at = CELL_WHOLE;
    mvaddch(y, x, ' ');
}

/* Call before columns x to x + width of the row are drawn. */
static void clear_cells(struct screen *s, int y, int x, int width)
{
    if (s->half[y * s->columns + x] == CELL_RIGHT_HALF)
        clear_half(s, y, x - 1, CELL_LEFT_HALF);
    if (s->half[y * s->columns + x + width - 1] == CELL_LEFT_HALF)
        clear_half(s, y, x + width, CELL_RIGHT_HALF);
    memset(&s->half[y * s->columns + x], CELL_WHOLE, (size_t)width);
    if (s->speaks)
        speech_forget(s, y, x, width);
    for (int i = 0; i < width; i++)
        s->link[y * s->columns + x + i] = s->link_now;
}

/* Draws one clean cell, which must lie within the screen. A character that curses rejects becomes a question mark, so
 * that the columns stay aligned. */
static void put_cell(struct screen *s, int y, int x, const char *bytes, int width)
{
    wchar_t wide[16];
    cchar_t cell;
    attr_t attributes;
    short pair;
    size_t n = mbstowcs(wide, bytes, 15);
    clear_cells(s, y, x, width);
    attr_get(&attributes, &pair, NULL);
    wide[n < 15 ? n : 15] = L'\0';
    if (n == (size_t)-1 || n == 0) {
        for (int i = 0; i < width; i++)
            mvaddch(y, x + i, '?');
    } else if (wide[0] < 0x80 && width > 1) { /* several ASCII characters that stand for one */
        for (int i = 0; i < width && wide[i]; i++)
            mvaddch(y, x + i, (chtype)(unsigned char)wide[i]);
    } else if (setcchar(&cell, wide, attributes, pair, NULL) == OK) {
        mvadd_wch(y, x, &cell);
        if (width == 2) {
            s->half[y * s->columns + x] = CELL_LEFT_HALF;
            s->half[y * s->columns + x + 1] = CELL_RIGHT_HALF;
        }
    }
}

/* The drawing position within a row of a pane. */
struct pen {
    const struct pane *pane;
    int row, column, end;
    enum style style, now;
};

static bool pen_start(struct pen *pen, const struct pane *p, int row, int column, int width,
                      enum style style)
{
    *pen = (struct pen){p, row, column, column + width, style, style};
    if (pen->end > p->width)
        pen->end = p->width;
    if (row < 0 || row >= p->height || column < 0 || column >= pen->end)
        return false;
    set_style(p, style);
    return p->y + row < p->screen->rows && p->x + pen->end <= p->screen->columns;
}

static void pen_put(struct pen *pen, const char *bytes, int width)
{
    const struct pane *p = pen->pane;
    put_cell(p->screen, p->y + pen->row, p->x + pen->column, bytes, width);
    pen->column += width;
}

static void pen_style(struct pen *pen, enum style style)
{
    if (style == pen->now)
        return;
    pen->now = style;
    set_style(pen->pane, style);
}

/* Without UTF-8 only ASCII may be sent: on an 8-bit terminal the byte 0x9b begins a command. */
static unsigned text_mode(const struct pane *p)
{
    return p->screen->utf8 ? 0 : TEXT_ASCII;
}

/* Names and ids are shown exactly: a line break in one must be visible, since another name may differ only by it. */
static unsigned mode_of(const struct pane *p, enum style style)
{
    bool name = style == STYLE_REF || style == STYLE_CRUMB || style == STYLE_TITLE ||
                style == STYLE_SOURCE || style == STYLE_RULE_TITLE;
    return text_mode(p) | (name ? TEXT_EXACT : 0);
}

/* The number of columns that the text may fill: all columns up to the pen's end, or one less to leave room for the
 * ellipsis if the text is cut. */
static int room_for(const struct pen *pen, const char *s, size_t len, bool *cut)
{
    int room = pen->end - pen->column;
    *cut = text_width(s, len, (size_t)room, mode_of(pen->pane, pen->style)) > (size_t)room;
    return *cut ? room - 1 : room;
}

/* The links of a text that is being drawn. */
struct linked {
    const char *whole;
    size_t len, at; /* where the drawn bytes begin in it */
    struct link next;
    bool more;
};

static void find_link(struct screen *s, struct linked *l, size_t from)
{
    AUTO_STRBUF target = STRBUF_INIT;
    l->more = link_find(l->whole, l->len, from, &l->next);
    if (l->more)
        link_add_target(&target, l->whole, &l->next);
    l->next.from = l->next.from > l->at ? l->next.from - l->at : 0;
    l->next.to = l->more ? l->next.to - l->at : 0;
    s->link_found = l->more && target.len ? screen_add_link(s, target.buf) : 0;
}

static void draw_cells(struct pen *pen, const char *s, size_t len, int room, const char *pattern,
                       struct linked *links)
{
    struct text_scan scan;
    struct text_cell cell;
    struct match_place found = {0, 0};
    struct screen *screen = pen->pane->screen;
    int left = room;
    bool more = match_find(s, len, 0, pattern, &found);
    if (links)
        find_link(screen, links, links->at);
    text_scan_init(&scan, s, len, mode_of(pen->pane, pen->style));
    while (text_next(&scan, &cell) && (int)cell.width <= left) {
        while (more && cell.from >= found.to)
            more = match_find(s, len, found.to, pattern, &found);
        while (links && links->more && cell.from >= links->next.to)
            find_link(screen, links, links->at + cell.from);
        bool inside = more && cell.to > found.from && cell.from < found.to;
        bool linked = links && links->more && cell.from >= links->next.from;
        pen_style(pen, inside                       ? STYLE_MATCH
                       : cell.kind == CELL_STAND_IN ? STYLE_STAND_IN
                                                    : pen->style);
        screen->link_now = linked ? screen->link_found : 0;
        pen_put(pen, cell.bytes, (int)cell.width);
        left -= (int)cell.width;
    }
    screen->link_now = 0;
}

/* For a screen reader: a text in place of these columns, whatever its width. */
static int paint_spoken(struct pen *pen, const char *s, size_t len)
{
    const struct pane *p = pen->pane;
    AUTO_STRBUF clean = STRBUF_INIT;
    int at = pen->column, y = p->y + pen->row, x = p->x + at;
    text_fit(&clean, s, len, 40, mode_of(p, pen->style));
    if (!clean.len)
        return 0;
    while (pen->column < pen->end)
        pen_put(pen, " ", 1);
    speech_add(p->screen, y, x, clean.buf, clean.len);
    return pen->column - at;
}

int paint_spoken_as(const struct pane *p, int row, int column, int width, enum style style,
                    const char *s)
{
    struct pen pen;
    return pen_start(&pen, p, row, column, width, style) ? paint_spoken(&pen, s, strlen(s)) : 0;
}

/* The word of a sign; NULL if the text is none. Signs of one letter have the style of a mark or a chip. */
static const char *spoken_sign(enum style style, const char *s, size_t len)
{
    if (len != 1)
        return len > 1 ? s : NULL;
    for (int sign = SIGN_SELECTED; sign <= SIGN_CHANGED_NOW; sign++)
        if (*legend_rows[sign].ascii == *s && (style == STYLE_CHIP || style == STYLE_MARK))
            return legend_word(sign);
    return NULL;
}

static int paint_cells(const struct pane *p, int row, int column, int width, enum style style,
                       const char *s, size_t len, const char *pattern, struct linked *links)
{
    struct pen pen;
    bool cut;
    if (!s || !pen_start(&pen, p, row, column, width, style))
        return 0;
    if (p->screen->speaks && style == STYLE_CURSOR) /* the terminal's is there */
        return 0;
    const char *word = p->screen->speaks && width == 1 ? spoken_sign(style, s, len) : NULL;
    if (word)
        return paint_spoken(&pen, word, strlen(word));
    int room = room_for(&pen, s, len, &cut);
    /* Do not search the part beyond the row for matches. */
    size_t seen = (size_t)(room + 1) * 32 + 256;
    draw_cells(&pen, s, cut && len > seen ? seen : len, room, pattern, links);
    if (cut && pen.column < pen.end) {
        pen_style(&pen, style);
        pen_put(&pen, p->screen->utf8 ? "…" : "~", 1);
    }
    return pen.column - column;
}

int paint_matched(const struct pane *p, int row, int column, int width, enum style style,
                  const char *s, size_t len, const char *pattern)
{
    return paint_cells(p, row, column, width, style, s, len, pattern, NULL);
}

int paint_linked(const struct pane *p, int row, int column, int width, enum style style,
                 const char *s, const char *pattern, const char *whole, size_t at)
{
    size_t len = strlen(s);
    /* No link of this line ends later, or it is too long. */
    struct linked links = {whole, at + strnlen(whole + at, len + LINK_BYTES), at, {0, 0}, false};
    return paint_cells(p, row, column, width, style, s, len, pattern,
                       p->screen->links ? &links : NULL);
}

int paint_name(const struct pane *p, int column, int width, enum style style, const char *name,
               const char *pattern)
{
    AUTO_STRBUF clean = STRBUF_INIT;
    text_fit(&clean, name, strlen(name), width > 0 ? (size_t)width : 0, TEXT_EXACT | text_mode(p));
    return paint_matched(p, 0, column, width, style, clean.buf, clean.len, pattern);
}

size_t paint_skip(const struct pane *p, const char *s, size_t len, int columns)
{
    struct text_scan scan;
    struct text_cell cell;
    text_scan_init(&scan, s, len, text_mode(p));
    while (columns > 0 && text_next(&scan, &cell))
        columns -= (int)cell.width;
    return scan.pos;
}

int paint_bytes(const struct pane *p, int row, int column, int width, enum style style,
                const char *s, size_t len)
{
    return paint_matched(p, row, column, width, style, s, len, NULL);
}

int paint_text(const struct pane *p, int row, int column, int width, enum style style,
               const char *s)
{
    return s ? paint_bytes(p, row, column, width, style, s, strlen(s)) : 0;
}

void paint_right(const struct pane *p, int row, int column, int width, enum style style,
                 const char *s)
{
    size_t taken = text_width(s, strlen(s), (size_t)(width > 0 ? width : 0), text_mode(p));
    int shift = (int)taken < width ? width - (int)taken : 0;
    paint_text(p, row, column + shift, width - shift, style, s);
}

int paint_format(const struct pane *p, int row, int column, int width, enum style style,
                 const char *format, ...)
{
    AUTO_STRBUF sb = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&sb, format, args);
    va_end(args);
    return paint_bytes(p, row, column, width, style, sb.buf, sb.len);
}

void paint_clear(const struct pane *p)
{
    set_style(p, STYLE_TEXT);
    for (int row = 0; row < p->height && p->width > 0; row++) {
        clear_cells(p->screen, p->y + row, p->x, p->width);
        for (int i = 0; i < p->width; i++)
            mvaddch(p->y + row, p->x + i, ' ');
    }
}

void paint_cursor(const struct pane *p, int row)
{
    bool blank = (mvinch(p->y + row, p->x + 1) & A_CHARTEXT) == ' ';
    paint_text(p, row, blank, 1, STYLE_CURSOR, ">");
}

#define RULE_EDGE 10 /* columns that the line needs around its texts */
#define RIGHT_MIN 8  /* a narrower right text is useless and not drawn */

bool paint_rule_fits(const struct pane *p, const char *title, const char *right)
{
    size_t both = text_width(title, strlen(title), SIZE_MAX, text_mode(p)) +
                  text_width(right, strlen(right), SIZE_MAX, text_mode(p));
    return both + RULE_EDGE <= (size_t)(p->width > 0 ? p->width : 0);
}

void paint_rule(const struct pane *p, int row, const char *title, const char *right)
{
    const char *dash = glyph_text(p->screen, GLYPH_DASH);
    struct pen pen;
    if (!pen_start(&pen, p, row, 0, p->width, STYLE_RULE))
        return;
    for (int i = 0; i < p->width; i++)
        pen_put(&pen, p->screen->speaks ? " " : dash, 1);
    int used = 0;
    if (*title && p->width > 6) {
        used = paint_text(p, row, 3, p->width - 6, STYLE_RULE_TITLE, title);
        paint_text(p, row, 2, 1, STYLE_RULE, " ");
        paint_text(p, row, 3 + used, 1, STYLE_RULE, " ");
    }
    int room = p->width - used - RULE_EDGE;
    int wide = (int)text_width(right, strlen(right), (size_t)(room > 0 ? room : 0), text_mode(p));
    if (room < wide)
        wide = room >= RIGHT_MIN ? room : 0;
    if (*right && wide > 0) {
        int at = p->width - 3 - wide;
        paint_text(p, row, at - 1, 1, STYLE_RULE, " ");
        paint_text(p, row, at, wide, STYLE_RULE_TITLE, right);
        paint_text(p, row, at + wide, 1, STYLE_RULE, " ");
    }
}

void paint_divider(const struct pane *p, int column)
{
    for (int row = 0; row < p->height && !p->screen->speaks; row++)
        paint_text(p, row, column, 1, STYLE_RULE, glyph_text(p->screen, GLYPH_BAR));
}

const char *glyph_text(const struct screen *s, enum glyph glyph)
{
    return glyph_of(glyph, !s->utf8);
}

const char *label_glyph(const struct screen *s, int sign)
{
    return mark_of_label(sign, !s->utf8);
}

void paint_label(const struct pane *p, int row, int column, int sign)
{
    paint_text(p, row, column, 1, style_of_sign(sign), label_glyph(p->screen, sign));
}

const char *level_glyph(const struct screen *s, double level)
{
    return level_mark(level, !s->utf8);
}

void paint_plot(const struct pane *p, int row, int column, const struct plot *plot)
{
    if (p->screen->speaks) {
        AUTO_STRBUF words = STRBUF_INIT;
        plot_add_words(plot, &words);
        paint_spoken_as(p, row, column, 1, STYLE_NUMBER, words.buf);
        return;
    }
    for (int i = 0; i < plot_height(plot); i++) {
        AUTO_STRBUF axis = STRBUF_INIT, text = STRBUF_INIT;
        plot_add_axis(plot, i, &axis);
        plot_add_row(plot, i, &text);
        paint_text(p, row + i, column, plot_axis_width(plot), STYLE_DIM, axis.buf);
        paint_text(p, row + i, column + plot_axis_width(plot), p->width,
                   i < plot->rows ? STYLE_NUMBER : STYLE_AGE, text.buf);
    }
}

static void draw_counts(const struct pane *p, int row, int column, int rows,
                        const struct timeline *t)
{
    AUTO_FREE double *value = xcalloc(t->buckets + 1, sizeof(*value));
    for (size_t i = 0; i < t->buckets; i++)
        value[i] = (double)t->counts[i];
    paint_plot(p, row, column,
               &(struct plot){
                   .value = value, .count = t->buckets, .rows = rows, .ascii = !p->screen->utf8});
}

/* What the bars show, in words. */
static void speak_timeline(const struct pane *p, int row, int column, const struct timeline *t)
{
    int64_t sum = 0;
    size_t busy = 0;
    char text[40];
    for (size_t i = 0; i < t->buckets; i++) {
        sum += t->counts[i];
        busy += t->counts[i] > 0;
    }
    snprintf(text, sizeof(text), "%lld in %zu of %zu parts", (long long)sum, busy, t->buckets);
    paint_spoken_as(p, row, column, 1, STYLE_NUMBER, text);
}

void timeline_draw(const struct pane *p, int row, int column, const struct timeline *t)
{
    if (p->screen->speaks)
        speak_timeline(p, row, column, t);
    else
        draw_counts(p, row, column, 1, t);
}

/* ---- the chart ---- */

static void draw_ends(const struct pane *p, int row, const struct timeline *t)
{
    AUTO_STRBUF range = STRBUF_INIT;
    const char *dash = p->screen->utf8 ? " – " : " - ";
    timeline_add_range(p->screen, t->first, t->last, p->width, &range);
    char *middle = range.len > 0 ? strstr(range.buf, dash) : NULL;
    if (middle) {
        int end = (int)strlen(middle + strlen(dash));
        paint_bytes(p, row, 0, p->width, STYLE_AGE, range.buf, (size_t)(middle - range.buf));
        paint_text(p, row, p->width - end, end, STYLE_AGE, middle + strlen(dash));
    } else {
        paint_bytes(p, row, 0, p->width, STYLE_AGE, range.buf, range.len);
    }
}

void timeline_draw_chart(const struct pane *p, const struct timeline *t)
{
    if (p->screen->speaks)
        speak_timeline(p, 0, 0, t);
    else if (p->height > 1)
        draw_counts(p, 0, 0, p->height - 1, t);
    draw_ends(p, p->height - 1, t);
}

/* ---- the range ---- */

void timeline_add_range(const struct screen *screen, int64_t first, int64_t last, int width,
                        struct strbuf *out)
{
    static const struct {
        int from, len; /* of "2026-11-20 10:42:16" */
        int64_t within;
    } forms[] = {{0, 16, 4 * CLOCK_DAY}, {11, 5, CLOCK_DAY}, {0, 10, INT64_MAX}, {0, 7, INT64_MAX}};
    char a[40], b[40];
    times_format(a, sizeof(a), first);
    times_format(b, sizeof(b), last);
    if (strlen(a) != 19 || strlen(b) != 19 || last < first)
        return; /* a year out of range has another length */
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        bool same_day = forms[i].from == 0 || !strncmp(a, b, 10);
        if (2 * forms[i].len + 3 > width || last - first > forms[i].within || !same_day)
            continue;
        strbuf_addf(out, "%.*s %s %.*s", forms[i].len, a + forms[i].from, screen->utf8 ? "–" : "-",
                    forms[i].len, b + forms[i].from);
        return;
    }
}
