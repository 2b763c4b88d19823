/*
 * Drawing text in panes (rectangles) of the screen.
 *
 * All text is cleaned by text.h first, so no caller can break a column or send bytes to the terminal. Rows and columns
 * count from 0 within the pane. Anything outside the pane is clipped.
 */
#ifndef STEMMA_PAINT_H
#define STEMMA_PAINT_H

#include <stddef.h>
#include <stdint.h>
#include "tui/term/screen.h"
#include "tui/text/style.h"

struct pane {
    struct screen *screen;
    int y, x, height, width;
    /* added to the style of everything drawn here, e.g. the selection; or STYLE_NONE */
    enum style over;
};

struct pane pane_whole(struct screen *s);
/* A part of a pane, clipped to it. */
struct pane pane_part(const struct pane *p, int y, int x, int height, int width);
struct pane pane_row(const struct pane *p, int row);

/* Blanks the rectangle in the pane's style. */
void paint_clear(const struct pane *p);
/* Draws the cursor's sign in column 1; in column 0 if a letter is in its way. */
void paint_cursor(const struct pane *p, int row);
/* Draws `s` from `column` in at most `width` columns; an ellipsis shows that it was cut. Returns the columns used. */
int paint_text(const struct pane *p, int row, int column, int width, enum style style,
               const char *s);
/* For a screen reader: the text in place of these columns, whatever its width. Returns `width`, or 0 for "". */
int paint_spoken_as(const struct pane *p, int row, int column, int width, enum style style,
                    const char *s);
int paint_bytes(const struct pane *p, int row, int column, int width, enum style style,
                const char *s, size_t len);
/* As paint_text, right-aligned: the text ends at `column + width`. */
void paint_right(const struct pane *p, int row, int column, int width, enum style style,
                 const char *s);
/* As paint_text, with the matches of `pattern` (match.h) in STYLE_MATCH. The pattern may be "" or NULL. */
/* As paint_matched, with the links of `whole` (tui/text/match.h), in which `s` begins at byte `at`. */
int paint_linked(const struct pane *p, int row, int column, int width, enum style style,
                 const char *s, const char *pattern, const char *whole, size_t at);
int paint_matched(const struct pane *p, int row, int column, int width, enum style style,
                  const char *s, size_t len, const char *pattern);
/* As paint_matched in the first row, for a name: a line break is shown by a stand-in, not as a space. */
int paint_name(const struct pane *p, int column, int width, enum style style, const char *name,
               const char *pattern);
/* The number of bytes of `s` that fill its first `columns`, or columns + 1 if that would cut a wide character. */
size_t paint_skip(const struct pane *p, const char *s, size_t len, int columns);
int paint_format(const struct pane *p, int row, int column, int width, enum style style,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));

/* "── title ──────── right ──" across the row. Either may be "". If both do not fit, `right` is cut. */
void paint_rule(const struct pane *p, int row, const char *title, const char *right);
/* Whether both texts fit without being cut. */
bool paint_rule_fits(const struct pane *p, const char *title, const char *right);
void paint_divider(const struct pane *p, int column);

/* As glyph_of, mark_of_label and level_mark, in UTF-8 or ASCII as the screen can show. */
const char *glyph_text(const struct screen *s, enum glyph glyph);
const char *label_glyph(const struct screen *s, int sign);
void paint_label(const struct pane *p, int row, int column, int sign);
const char *level_glyph(const struct screen *s, double level);

/* Draws a chart with its axis at its left, as far as the pane goes. */
void paint_plot(const struct pane *p, int row, int column, const struct plot *plot);

/* A histogram over time, drawn in block characters; with digits and # without UTF-8. */
struct timeline {
    int64_t first, last;   /* Unix ms */
    const int64_t *counts; /* [buckets] events in each equal part of first..last */
    size_t buckets;
};

/* Draws one row of `buckets` columns: a dot for an empty bucket, else its level relative to the fullest. */
void timeline_draw(const struct pane *p, int row, int column, const struct timeline *t);
/* Draws a bar chart that fills the pane. Its last row is an axis with both ends of the range. */
void timeline_draw_chart(const struct pane *p, const struct timeline *t);
/* Appends the range, as exactly as `width` columns allow: "2026-02-03 – 2026-11-18". */
void timeline_add_range(const struct screen *screen, int64_t first, int64_t last, int width,
                        struct strbuf *out);

#endif
