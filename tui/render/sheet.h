/*
 * A sheet: text laid out for a width, as lines of styled spans. A thing is laid out once: a view draws the sheet
 * and opens, searches and copies its lines; a command writes it with output_sheet.
 */
#ifndef STEMMA_SHEET_H
#define STEMMA_SHEET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "tui/text/style.h"

struct span {
    const char *text;  /* in the sheet's arena, or a constant */
    int column, width; /* width 0: as far as the line goes */
    enum style style;
    bool right; /* ends at column + width; column < 0 counts from the sheet's right edge */
};

enum sheet_line_kind {
    SHEET_TEXT = 0,
    SHEET_RULE,
};

struct sheet_line {
    struct span *span;
    uint32_t span_count;
    uint8_t kind;
    bool opens; /* the cursor may stand here */
    int32_t section;
    int64_t node;  /* what Enter opens; 0: nothing */
    int64_t value; /* the owner's */
};

struct sheet {
    struct arena arena;
    struct sheet_line *line;
    size_t count, alloc;
    int width;
    int indent; /* blanks before each line that a command writes; the width is without them */
    int32_t section;
    bool ascii; /* marks are letters */
};

void sheet_init(struct sheet *s);
void sheet_clear(struct sheet *s, int width); /* empty, for another layout */
void sheet_release(struct sheet *s);

/* A new last line; spans go there. */
struct sheet_line *sheet_line(struct sheet *s);
/* A rule with a title and what stands at its right; begins a section. */
void sheet_rule(struct sheet *s, const char *title, const char *right);
/* Adds a span to the last line; the text is copied. */
void sheet_put(struct sheet *s, int column, int width, enum style style, const char *text);
/* Adds a span that was laid out elsewhere to a line that is there. */
void sheet_put_at(struct sheet *s, size_t line, const struct span *span);
void sheet_put_right(struct sheet *s, int column, int width, enum style style, const char *text);
void sheet_format(struct sheet *s, int column, int width, enum style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Wraps text from `column`, at most `max_lines` lines; the first goes on the last line if `here`.
 * Returns how many bytes of it stand there. */
size_t sheet_wrap(struct sheet *s, int column, int width, enum style style, const char *text,
                  size_t max_lines, bool here);

struct strbuf;
void sheet_text(const struct sheet *s, size_t line, struct strbuf *out);

/* The width where no line is cut: nothing stands at its right edge then. */
#define SHEET_UNLIMITED (INT_MAX / 2)
struct output;
/* An empty sheet for the output: as wide as that is, in its character set. */
void sheet_for_output(struct sheet *s, const struct output *out);
/* Writes the lines of the sheet from `from` on. */
void output_sheet(struct output *out, const struct sheet *s, size_t from);

#endif
