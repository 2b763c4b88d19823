/*
 * A sheet: text laid out for a width, as lines of styled spans. Views draw it and let the cursor move in it; commands
 * print it with output_sheet.
 */
#ifndef STEMMA_SHEET_H
#define STEMMA_SHEET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "tui/text/style.h"

/* The relative times ("3w") that are shown somewhere. */
struct ages {
    int64_t next;      /* when the first of them changes (ms since the epoch); 0 if none is shown */
    int64_t unit;      /* ms: the finest unit in use */
    int64_t turned_at; /* when all of them were last written */
    unsigned turn;     /* incremented at that time */
};

/* How and for whom something is laid out. */
struct facts_look {
    bool ascii; /* signs are ASCII */
    int width;
    int text_lines; /* the most lines of the memory's own text; 0 for all */
    int64_t now;
    bool exact_times;
    bool command; /* for a command: text has a bar in front of each line, and hints name options */
    /* an outline of the lineage follows, so signs and details that it shows are left out */
    bool traced;
    struct ages *ages; /* registers each age that is written; may be NULL */
    int ref_width;     /* set by the layout */
};

struct span {
    const char *text;  /* in the sheet's arena, or a constant */
    int column, width; /* width 0: up to the end of the line */
    enum style style;
    bool right; /* right-aligned: ends at column + width; column < 0 counts from the right edge */
};

enum sheet_line_kind {
    SHEET_TEXT = 0,
    SHEET_RULE,
};

struct sheet_line {
    struct span *span;
    uint32_t span_count;
    uint8_t kind;
    bool opens; /* the cursor may stop here */
    int32_t section;
    int64_t node;  /* what Enter opens; 0 for nothing */
    int64_t value; /* for the owner of the sheet */
};

struct sheet {
    struct arena arena;
    struct sheet_line *line;
    size_t count, alloc;
    struct facts_look look;
    int width;
    int indent; /* blanks before each line that a command prints; not part of `width` */
    int32_t section;
    size_t half;         /* `count` after a fact that may get a second one in its line */
    struct strbuf words; /* for sheet_buffer */
};

void sheet_init(struct sheet *s);
void sheet_clear(struct sheet *s, int width); /* empties it for another layout */
/* As sheet_clear, with the look's width. */
void sheet_begin(struct sheet *s, const struct facts_look *look);
void sheet_release(struct sheet *s);

/* Returns an empty buffer for building a text. Valid until the next call. */
struct strbuf *sheet_buffer(struct sheet *s);
/* Formats a text in the sheet's arena. */
const char *sheet_printf(struct sheet *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds an empty line. Spans are added to the last line. */
struct sheet_line *sheet_line(struct sheet *s);
/* As sheet_line; Enter opens that memory (0 for none). */
struct sheet_line *sheet_opens(struct sheet *s, int64_t node);
/* Adds a rule with a title and a right-aligned text, and begins a section. */
void sheet_rule(struct sheet *s, const char *title, const char *right);
/* As sheet_rule, below an empty line. */
void sheet_section(struct sheet *s, const char *title, const char *right);
/* Adds a span to the last line; the text is copied. */
void sheet_put(struct sheet *s, int column, int width, enum style style, const char *text);
/* Adds a span that was laid out elsewhere to an existing line. */
void sheet_put_at(struct sheet *s, size_t line, const struct span *span);
void sheet_put_right(struct sheet *s, int column, int width, enum style style, const char *text);
void sheet_format(struct sheet *s, int column, int width, enum style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Wraps text from `column` in at most `max_lines` lines; the first continues the last line if `here`. Returns how
 * many bytes are shown. */
size_t sheet_wrap(struct sheet *s, int column, int width, enum style style, const char *text,
                  size_t max_lines, bool here);

void sheet_text(const struct sheet *s, size_t line, struct strbuf *out);

/* Adds a line that comments on the others. */
void sheet_note(struct sheet *s, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a relevance in the form of score_add; nothing for NAN. */
void sheet_score(struct sheet *s, int column, double relevance, enum score origin);

#define SHEET_FIELD 14  /* where values begin, behind the names of facts */
#define SHEET_PROSE 120 /* columns of a text at most: longer lines are hard to follow */
/* The width for prose that begins at `column`. */
int sheet_prose(const struct sheet *s, int column);
/* Adds a fact in its own lines, at most `most` (1: cut at the end of the line). Adds nothing if the text is empty or
 * NULL. */
void sheet_field(struct sheet *s, const char *name, enum style style, const char *text,
                 size_t most);
/* As sheet_field, but puts two facts in a line if a view is wide enough. */
void sheet_fact(struct sheet *s, const char *name, const char *text);
/* As sheet_fact, for a name: invisible characters are shown. */
void sheet_fact_name(struct sheet *s, const char *name, const char *text);

/* The width at which no line is cut. Nothing is right-aligned then. */
#define SHEET_UNLIMITED (INT_MAX / 2)
struct output;
/* Initializes a sheet for the output's width and character set. */
void sheet_for_output(struct sheet *s, const struct output *out);
/* Prints the lines from `from` on. */
void output_sheet(struct output *out, const struct sheet *s, size_t from);
/* Prints the page of a memory, with its ref as the first line. Releases the sheet. */
void output_page(struct output *out, struct sheet *s, struct ref ref);

#endif
