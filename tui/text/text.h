/*
 * Hostile text becomes cells: the one place where what a store holds is made fit for a terminal.
 *
 * Input is any bytes. Output is valid UTF-8 (or ASCII) that holds no C0, C1, DEL, bidi control or
 * anything else that can drive a terminal or hide, and whose width is known. A cell is a character
 * that takes up columns together with the marks that combine with it. Rules:
 *
 *   control, bidi control, broken byte, unprintable   U+FFFD ('?' in ASCII), one cell
 *   line break, tab                                   a space in one line; see the flags
 *   joiner, variation selector, skin tone, invisible  nothing, counted; in a name a stand-in, but
 *                                                     where it belongs to an emoji
 *   a name of spaces alone                            in quotes
 *   combining mark                                    kept, at most TEXT_MARKS to a cell
 *   mark without a base                               on a dotted circle
 *
 * Widths are wcwidth()'s alone, so LC_CTYPE must be a UTF-8 locale. Every call costs what it shows
 * and not what it is given: a megabyte cut to 80 columns is read as far as column 80.
 */
#ifndef STEMMA_TEXT_H
#define STEMMA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/strbuf.h"

enum text_flags {
    TEXT_ASCII = 1, /* only ASCII comes out; what has no substitute is '?' */
    TEXT_LINES = 2, /* a line feed (or CR LF) stays, tabs reach the next multiple of 8 */
    TEXT_EXACT = 4, /* for ids and names: a line break, a tab, what is invisible has a stand-in */
    TEXT_RIGHT = 8, /* text_fit: pad on the left */
    TEXT_PAD = 16,  /* text_fit: pad on the right to exactly that many columns */
};

#define TEXT_MARKS  4  /* curses holds a base and four in a cell */
#define TEXT_UNSEEN 32 /* characters in a row that show nothing; the next is a stand-in */

enum text_kind {
    CELL_TEXT = 0,
    CELL_SPACE,    /* a space, a tab, a line break that became a space */
    CELL_BREAK,    /* a line feed, with TEXT_LINES */
    CELL_STAND_IN, /* for something that is not shown as it is */
};

struct text_cell {
    char bytes[32]; /* ends with a NUL */
    size_t len;
    size_t width; /* columns; 0 for a CELL_BREAK */
    enum text_kind kind;
    uint32_t code;   /* the base's code point, in the input */
    size_t from, to; /* the bytes of the input that it stands for */
};

/* What was not shown as it is. */
struct text_removed {
    size_t controls, bidi, broken, unprintable; /* shown by a stand-in */
    size_t invisible;                           /* joiners, selectors, modifiers, zero-width */
    size_t marks;                               /* combining marks beyond TEXT_MARKS */
};

/* Reads text cell by cell. The text must outlive it. */
struct text_scan {
    const char *text;
    size_t len, pos;
    size_t column; /* in the current line; for tabs */
    unsigned flags;
    struct text_removed removed; /* so far */
};
void text_scan_init(struct text_scan *t, const char *s, size_t len, unsigned flags);
/* The next cell; false at the end. */
bool text_next(struct text_scan *t, struct text_cell *cell);

/* Appends all of it, clean. Returns how many characters are not shown as they are. */
size_t text_clean(struct strbuf *out, const char *s, size_t len, unsigned flags);
/* The same for a string; NULL appends nothing. */
size_t text_add(struct strbuf *out, const char *s, unsigned flags);

/* Its columns, counted no further than just beyond `limit` (SIZE_MAX: all of it). */
size_t text_width(const char *s, size_t len, size_t limit, unsigned flags);

/*
 * Appends it clean in at most `columns`, with an ellipsis where it was cut; with TEXT_PAD or
 * TEXT_RIGHT in exactly so many. Returns the columns taken up.
 */
size_t text_fit(struct strbuf *out, const char *s, size_t len, size_t columns, unsigned flags);

struct text_line {
    const char *text; /* clean, ends with a NUL; in the arena */
    size_t len, width;
    size_t from, to; /* its bytes of the input; the next line begins at `to` */
};

/*
 * Breaks it into lines of at most `columns` (at least 1), at spaces, or anywhere next to a wide
 * character, or within a word that is longer than a line. Line feeds break as well: TEXT_LINES is
 * implied. At most `max_lines` are made: *lines in the arena, how many is returned, and whether
 * all of the text stands there can be seen from the last one's `to`.
 */
size_t text_wrap(struct arena *arena, const char *s, size_t len, size_t columns, size_t max_lines,
                 unsigned flags, struct text_line **lines);

/* How much is not shown as it is, of all the text. */
void text_examine(struct text_removed *removed, const char *s, size_t len);
size_t text_removed_total(const struct text_removed *removed);
/* Appends "2 control characters, 1 bidi control"; nothing where nothing was removed. */
void text_removed_describe(struct strbuf *out, const struct text_removed *removed);

#endif
