/*
 * Makes hostile text safe to show: the only place where text from a store is prepared for a terminal.
 *
 * The input is any bytes. The output is valid UTF-8 (or ASCII) of known width. It has no C0 or C1 controls, no DEL, no
 * bidi controls, and nothing else that could control a terminal or hide. A cell is a character that takes up columns,
 * with its combining marks. Rules:
 *
 *   control, bidi control, broken byte, unprintable   U+FFFD ('?' in ASCII), one cell
 *   line break, tab                                   a space, unless a flag says otherwise
 *   joiner, variation selector, skin tone, invisible  dropped and counted; in a name a stand-in, unless
 *                                                     it is part of an emoji
 *   a name of spaces only                             in quotes
 *   combining mark                                    kept, at most TEXT_MARKS to a cell
 *   mark without a base                               on a dotted circle
 *
 * Widths come from wcwidth(), so LC_CTYPE must be a UTF-8 locale. The cost of a call depends on what is shown, not on
 * the length of the input: a megabyte cut to 80 columns is read up to column 80.
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
    TEXT_LINES = 2, /* keep line feeds (and CR LF); tabs go to the next multiple of 8 */
    TEXT_EXACT = 4, /* for names: line breaks, tabs and invisible characters get a stand-in */
    TEXT_RIGHT = 8, /* text_fit: pad on the left */
    TEXT_PAD = 16,  /* text_fit: pad on the right to exactly `columns` */
};

#define TEXT_MARKS  4  /* curses holds a base and four in a cell */
#define TEXT_UNSEEN 32 /* the longest run of invisible characters; the next one gets a stand-in */

enum text_kind {
    CELL_TEXT = 0,
    CELL_SPACE,    /* a space, a tab, a line break that became a space */
    CELL_BREAK,    /* a line feed, with TEXT_LINES */
    CELL_STAND_IN, /* replaces a character that is not shown as it is */
};

struct text_cell {
    char bytes[32]; /* ends with a NUL */
    size_t len;
    size_t width; /* columns; 0 for a CELL_BREAK */
    enum text_kind kind;
    uint32_t code;   /* the base's code point, in the input */
    size_t from, to; /* its bytes in the input */
};

/* Counts of the characters that are not shown as they are. */
struct text_removed {
    size_t controls, bidi, broken, unprintable; /* shown by a stand-in */
    size_t invisible;                           /* joiners, selectors, modifiers, zero-width */
    size_t marks;                               /* combining marks beyond TEXT_MARKS */
};

/* Reads text cell by cell. The text must stay valid meanwhile. */
struct text_scan {
    const char *text;
    size_t len, pos;
    size_t column; /* in the current line; for tabs */
    unsigned flags;
    struct text_removed removed; /* so far */
};
void text_scan_init(struct text_scan *t, const char *s, size_t len, unsigned flags);
/* Reads the next cell. Returns false at the end. */
bool text_next(struct text_scan *t, struct text_cell *cell);

/* Appends the whole text, cleaned. Returns how many characters are not shown as they are. */
size_t text_clean(struct strbuf *out, const char *s, size_t len, unsigned flags);
/* As text_clean, for a string. NULL appends nothing. */
size_t text_add(struct strbuf *out, const char *s, unsigned flags);

/* The width in columns. Stops counting soon after `limit` (SIZE_MAX to count everything). */
size_t text_width(const char *s, size_t len, size_t limit, unsigned flags);

/*
 * Appends the text, cleaned, in at most `columns`, with an ellipsis if it is cut. TEXT_PAD or TEXT_RIGHT pads it to
 * exactly `columns`. Returns the columns used.
 */
size_t text_fit(struct strbuf *out, const char *s, size_t len, size_t columns, unsigned flags);

struct text_line {
    const char *text; /* clean, ends with a NUL; in the arena */
    size_t len, width;
    size_t from, to; /* its bytes in the input; the next line begins at `to` */
};

/*
 * Breaks text into lines of at most `columns` (at least 1): at spaces, next to wide characters, or inside a word that
 * is longer than a line. Line feeds break, too (TEXT_LINES is implied). Makes at most `max_lines`; stores them in the
 * arena and returns their number. The `to` of the last line shows whether the text was cut.
 */
size_t text_wrap(struct arena *arena, const char *s, size_t len, size_t columns, size_t max_lines,
                 unsigned flags, struct text_line **lines);

/* A count in groups of three digits, "1,234", for %s; valid in its block. */
#define GROUPED(n) count_text((char[28]){0}, (long long)(n))
const char *count_text(char out[28], long long n);

/* Counts what is not shown as it is in the whole text. */
void text_examine(struct text_removed *removed, const char *s, size_t len);
size_t text_removed_total(const struct text_removed *removed);
/* Appends "2 control characters, 1 bidi control", or nothing if all counts are 0. */
void text_removed_describe(struct strbuf *out, const struct text_removed *removed);

#endif
