#include "tui/term/screen.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "model/base/alloc.h"
#include "tui/text/text.h"

#define WORD_MAX 48 /* bytes */

struct spoken {
    uint16_t *at; /* [rows * columns] the word of a cell, from 1; 0 for none */
    size_t cells;
    struct spoken_word {
        char text[WORD_MAX];
    } * word;
    size_t count, room;
};

void speech_begin(struct screen *s)
{
    size_t cells = (size_t)s->rows * (size_t)s->columns;
    struct spoken *all = s->spoken ? s->spoken : xcalloc(1, sizeof(*all));
    if (all->cells != cells)
        all->at = xrealloc(all->at, (cells ? cells : 1) * sizeof(*all->at));
    all->cells = cells;
    all->count = 0;
    memset(all->at, 0, cells * sizeof(*all->at));
    s->spoken = all;
}

void speech_release(struct screen *s)
{
    if (!s->spoken)
        return;
    free(s->spoken->at);
    free(s->spoken->word);
    free(s->spoken);
    s->spoken = NULL;
}

void speech_add(struct screen *s, int y, int x, const char *text, size_t len)
{
    struct spoken *all = s->spoken;
    if (all->count == UINT16_MAX)
        return;
    if (all->count == all->room) {
        all->room = all->room ? all->room * 2 : 64;
        all->word = xrealloc(all->word, all->room * sizeof(*all->word));
    }
    snprintf(all->word[all->count].text, WORD_MAX, "%.*s", (int)len, text);
    all->at[y * s->columns + x] = (uint16_t)++all->count;
}

void speech_forget(struct screen *s, int y, int x, int width)
{
    memset(&s->spoken->at[y * s->columns + x], 0, (size_t)width * sizeof(*s->spoken->at));
}

/* A row as it will be: its cells from the left. */
struct arranged {
    cchar_t *cell;
    int *width;
    int count, columns, most; /* cells, their columns, and the columns of the screen */
    int blanks;               /* to be added before the next cell */
    bool cut;                 /* more cells came than there is room for */
};

static void add_cell(struct arranged *a, const cchar_t *cell, int width)
{
    a->cut |= a->columns + width > a->most;
    if (a->cut)
        return;
    a->cell[a->count] = *cell;
    a->width[a->count++] = width;
    a->columns += width;
}

/* One blank within a text stays; more were a gap between two columns, which is two. A row begins with one. */
static int gap(const struct arranged *a, int blanks)
{
    int most = a->count ? 2 : 1;
    return blanks < most ? blanks : most;
}

static void add_blanks(struct arranged *a, const cchar_t *blank)
{
    for (int i = gap(a, a->blanks); i > 0; i--)
        add_cell(a, blank, 1);
    a->blanks = 0;
}

static void add_word(struct arranged *a, const char *text, attr_t attributes, short pair)
{
    wchar_t wide[WORD_MAX];
    size_t n = mbstowcs(wide, text, WORD_MAX - 1);
    for (size_t i = 0; n != (size_t)-1 && i < n; i++) {
        wchar_t one[2] = {wide[i], 0};
        cchar_t cell;
        int width = wcwidth(wide[i]);
        if (width > 0 && setcchar(&cell, one, attributes, pair, NULL) == OK)
            add_cell(a, &cell, width);
    }
}

/* Reads a row of the frame into `a`. Returns the column where the cell at `cursor` is now. */
static int read_row(const struct screen *s, int y, struct arranged *a, const cchar_t *blank,
                    int cursor)
{
    int moved = -1;
    for (int x = 0; x < s->columns;) {
        wchar_t text[CCHARW_MAX + 1] = {0};
        attr_t attributes;
        short pair;
        cchar_t cell;
        const uint16_t word = s->spoken->at[y * s->columns + x];
        if (mvin_wch(y, x, &cell) == ERR || getcchar(&cell, text, &attributes, &pair, NULL) == ERR)
            break;
        int width = wcwidth(text[0]) > 1 ? wcwidth(text[0]) : 1;
        bool is_blank = !word && (text[0] == L' ' || text[0] == 0);
        a->blanks += is_blank;
        if (!is_blank)
            add_blanks(a, blank);
        if (moved < 0 && x + width > cursor)
            moved = a->columns + (is_blank ? gap(a, a->blanks - 1) : 0);
        if (word) {
            add_word(a, s->spoken->word[word - 1].text, attributes, pair);
            a->blanks = 1;
        } else if (!is_blank) {
            add_cell(a, &cell, width);
        }
        x += width;
    }
    return moved < 0 ? a->columns : moved < a->most ? moved : a->most - 1;
}

static void add_ellipsis(const struct screen *s, struct arranged *a)
{
    while (a->count > 0 && a->columns >= a->most)
        a->columns -= a->width[--a->count];
    a->cut = false;
    add_word(a, s->utf8 ? "…" : "~", A_NORMAL, 0);
}

void speech_arrange(struct screen *s)
{
    AUTO_FREE cchar_t *cells = xcalloc((size_t)s->columns + 1, sizeof(*cells));
    AUTO_FREE int *widths = xcalloc((size_t)s->columns + 1, sizeof(*widths));
    cchar_t blank;
    short pair;
    screen_attributes(s, STYLE_TEXT, STYLE_NONE, &pair);
    if (setcchar(&blank, L" ", A_NORMAL, pair, NULL) != OK)
        return;
    for (int y = 0; y < s->rows; y++) {
        struct arranged a = {.cell = cells, .width = widths, .most = s->columns};
        int cursor = read_row(s, y, &a, &blank, y == s->cursor_y ? s->cursor_x : 0);
        if (a.cut)
            add_ellipsis(s, &a);
        move(y, 0);
        clrtoeol();
        for (int i = 0, x = 0; i < a.count; x += a.width[i++])
            mvadd_wch(y, x, &a.cell[i]);
        if (y == s->cursor_y)
            s->cursor_x = cursor;
    }
}
