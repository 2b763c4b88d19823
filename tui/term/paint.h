/*
 * Drawing: panes of the screen, and text in them.
 *
 * Everything drawn goes through text.h, whatever its origin, so no caller can tear a column or reach
 * the terminal. Rows and columns count from 0 within the pane; what lies outside it is not drawn.
 */
#ifndef STEMMA_PAINT_H
#define STEMMA_PAINT_H

#include <stddef.h>
#include <stdint.h>
#include "tui/term/screen.h"

struct pane {
    struct screen *screen;
    int y, x, height, width;
    enum style over; /* laid over everything drawn in it: the selection; STYLE_NONE */
};

struct pane pane_whole(struct screen *s);
/* A part of a pane, cut to it. */
struct pane pane_part(const struct pane *p, int y, int x, int height, int width);
struct pane pane_row(const struct pane *p, int row);

/* Blanks the rectangle in the pane's style. */
void paint_clear(const struct pane *p);
/* Draws `s` from `column` in at most `width` columns, with an ellipsis where it is cut. Returns how
 * many it took. */
int paint_text(const struct pane *p, int row, int column, int width, enum style style,
               const char *s);
int paint_bytes(const struct pane *p, int row, int column, int width, enum style style,
                const char *s, size_t len);
/* The same with its end at `column + width`. */
void paint_right(const struct pane *p, int row, int column, int width, enum style style,
                 const char *s);
/* As paint_text, with what matches `pattern` (match.h; "" or NULL: nothing) in STYLE_MATCH. */
int paint_matched(const struct pane *p, int row, int column, int width, enum style style,
                  const char *s, size_t len, const char *pattern);
/* As paint_matched, for a name from outside: a line break in it is no space. */
int paint_name(const struct pane *p, int row, int column, int width, enum style style,
               const char *name, const char *pattern);
/* The bytes of `s` that take up its first `columns`; where a wide character would be cut, one more. */
size_t paint_skip(const struct pane *p, const char *s, size_t len, int columns);
int paint_format(const struct pane *p, int row, int column, int width, enum style style,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));

/* "── title ──────── right ──" across the row. Either may be ""; where both have no room the right one is cut. */
void paint_rule(const struct pane *p, int row, const char *title, const char *right);
/* Is there room for both, whole? */
bool paint_rule_holds(const struct pane *p, const char *title, const char *right);
/* A vertical line. */
void paint_divider(const struct pane *p, int column);

/* As glyph_of, mark_of_label and level_mark, for what the screen can show. */
const char *glyph_text(const struct screen *s, enum glyph glyph);
const char *label_glyph(const struct screen *s, enum label label);
void paint_label(const struct pane *p, int row, int column, enum label label);
const char *level_glyph(const struct screen *s, double level);

/* When things happened, as a row of block characters or a small chart; digits and # without UTF-8. */

/* Equal parts of first..last, ms, and how many fell into each. */
struct timeline {
    int64_t first, last;
    const int64_t *counts;
    size_t buckets;
};

/* A row of `buckets` columns: a dot where nothing fell, else a level of the fullest part. */
void timeline_draw(const struct pane *p, int row, int column, const struct timeline *t);
/* The same over all of the pane, its last row an axis with both ends of the range. */
void timeline_draw_chart(const struct pane *p, const struct timeline *t);
/* Appends the range in at most `width` columns, as exactly as there is room: "2026-02-03 – 2026-11-18". */
void timeline_add_range(const struct screen *screen, int64_t first, int64_t last, int width,
                        struct strbuf *out);

#endif
