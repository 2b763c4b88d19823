#include "tests/support/svg.h"

#include <curses.h>
#include <string.h>
#include <wchar.h>
#include "tests/support/scratch.h"

/* In pixels, for a font of 15 pixels. */
#define CELL_WIDTH  9
#define CELL_HEIGHT 17
#define BASELINE    13
#define MARGIN      8
#define X(column)   (MARGIN + CELL_WIDTH * (column))
#define Y(row)      (MARGIN + CELL_HEIGHT * (row))

#define MOST_COLUMNS 200

static const char foreground[] = "#d4d4d4", background[] = "#16181d";

/* A colour that is readable on GitHub's dark and light pages. */
static const char *colour(short number, const char *otherwise)
{
    static const char *const colours[] = {"#16181d", "#f14c4c", "#0dbc79", "#c5a500",
                                          "#4a8fe7", "#bc5fbc", "#11a8cd", "#d4d4d4"};
    if (number < 0)
        return otherwise;
    return number < 8 ? colours[number] : "#808080"; /* COLOUR_GREY */
}

struct cell {
    char text[64];
    const char *fg, *bg;
    attr_t attributes;
    int width; /* in cells */
    enum {
        FONT_ASCII,
        FONT_LINES,
        FONT_WIDE,
        FONT_OTHER
    } font; /* the browser may use a different font for each */
};

static struct cell read_cell(int y, int x)
{
    struct cell c = {.font = FONT_ASCII};
    wchar_t text[CCHARW_MAX + 1] = {0};
    cchar_t drawn;
    short pair, fg = -1, bg = -1;
    assert_int_not_equal(mvin_wch(y, x, &drawn), ERR);
    assert_int_not_equal(getcchar(&drawn, text, &c.attributes, &pair, NULL), ERR);
    assert_true(wcstombs(c.text, text, sizeof(c.text)) < sizeof(c.text));
    pair_content(pair, &fg, &bg);
    c.fg = colour(fg, foreground);
    c.bg = colour(bg, background);
    if (c.attributes & A_REVERSE) {
        const char *swapped = c.bg;
        c.bg = c.fg;
        c.fg = swapped;
    }
    c.width = wcwidth(text[0]) > 1 ? 2 : 1;
    if (text[0] >= 0x80)
        c.font = c.width > 1                             ? FONT_WIDE
                 : text[0] >= 0x2500 && text[0] < 0x25a0 ? FONT_LINES
                                                         : FONT_OTHER;
    return c;
}

static void add_escaped(struct strbuf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '&' || *text == '<')
            strbuf_addstr(out, *text == '&' ? "&amp;" : "&lt;");
        else
            strbuf_addch(out, *text);
}

/* Adds cells of the same background as one rectangle. Returns its end. */
static int add_background(struct strbuf *out, const struct cell *row, int columns, int y, int x)
{
    int end = x;
    while (end < columns && row[end].bg == row[x].bg)
        end += row[end].width;
    if (row[x].bg != background)
        strbuf_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", X(x),
                    Y(y), (end - x) * CELL_WIDTH, CELL_HEIGHT, row[x].bg);
    return end;
}

static bool is_alike(const struct cell *a, const struct cell *b)
{
    return a->fg == b->fg && a->attributes == b->attributes && a->font == b->font;
}

/* Adds words with the same attributes as one text with the width of its cells, whatever font the
 * browser uses. Returns its end. */
static int add_words(struct strbuf *out, const struct cell *row, int columns, int y, int x)
{
    const struct cell *c = &row[x];
    AUTO_STRBUF words = STRBUF_INIT;
    int end = x;
    while (end < columns && *row[end].text != ' ' && is_alike(c, &row[end])) {
        add_escaped(&words, row[end].text);
        end += row[end].width;
        if (end + 1 < columns && *row[end].text == ' ' && *row[end + 1].text != ' ' &&
            is_alike(c, &row[end]) && is_alike(c, &row[end + 1])) {
            strbuf_addch(&words, ' ');
            end++;
        }
    }
    strbuf_addf(out,
                "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" "
                "fill=\"%s\"%s%s%s>%s</text>\n",
                X(x), Y(y) + BASELINE, (end - x) * CELL_WIDTH, c->fg,
                c->attributes & A_BOLD ? " font-weight=\"bold\"" : "",
                c->attributes & A_ITALIC ? " font-style=\"italic\"" : "",
                c->attributes & A_UNDERLINE ? " text-decoration=\"underline\"" : "", words.buf);
    return end;
}

static void add_row(struct strbuf *out, int y, int columns)
{
    struct cell row[MOST_COLUMNS];
    for (int x = 0; x < columns; x += row[x].width)
        row[x] = read_cell(y, x);
    for (int x = 0; x < columns;)
        x = add_background(out, row, columns, y, x);
    for (int x = 0; x < columns;)
        x = *row[x].text == ' ' ? x + 1 : add_words(out, row, columns, y, x);
}

void svg_add_screen(struct strbuf *out, const char *title, int rows, int columns)
{
    int width = X(columns) + MARGIN, height = Y(rows) + MARGIN;
    strbuf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" font-size=\"15\" "
                "font-family=\"Menlo, Consolas, 'DejaVu Sans Mono', monospace\">\n<title>",
                width, height, width, height);
    add_escaped(out, title);
    strbuf_addf(out, "</title>\n<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\"/>\n", width,
                height, background);
    for (int y = 0; y < rows; y++)
        add_row(out, y, columns);
    strbuf_addstr(out, "</svg>\n");
}
