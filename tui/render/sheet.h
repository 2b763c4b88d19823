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
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "tui/text/style.h"

/* The ages that stand somewhere. */
struct ages {
    int64_t
        next; /* when the first of them reads otherwise (ms since the epoch); 0: none is shown */
    int64_t unit;      /* ms: what the finest of them counts in */
    int64_t turned_at; /* when they were all said last */
    unsigned turn;     /* another number since */
};

/* How something is laid out, and for whom. */
struct facts_look {
    bool ascii; /* marks are letters */
    int width;
    int text_lines; /* of the memory's own text at most; 0: all */
    int64_t now;
    bool exact_times;
    bool
        command; /* for a command: a bar stands before each line of the text, and hints name options */
    bool
        traced; /* an outline of its lineage follows: what that tells, marks and details are left out */
    struct ages *ages; /* are told of each age that is said; NULL: nobody is */
    int ref_width;     /* filled when it is laid out */
};

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
    struct facts_look look;
    int width;
    int indent; /* blanks before each line that a command writes; the width is without them */
    int32_t section;
    size_t half;         /* lines when a fact was put that may get a neighbour */
    struct strbuf words; /* of sheet_words */
};

void sheet_init(struct sheet *s);
void sheet_clear(struct sheet *s, int width);                     /* empty, for another layout */
void sheet_begin(struct sheet *s, const struct facts_look *look); /* the same, of that width */
void sheet_release(struct sheet *s);

/* A text in the making, empty; until the next call. */
struct strbuf *sheet_words(struct sheet *s);
/* A text in the sheet's arena. */
const char *sheet_say(struct sheet *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A new last line; spans go there. */
struct sheet_line *sheet_line(struct sheet *s);
/* The same; it opens that memory, where there is one (0: none). */
struct sheet_line *sheet_opens(struct sheet *s, int64_t node);
/* A rule with a title and what stands at its right; begins a section. */
void sheet_rule(struct sheet *s, const char *title, const char *right);
/* The same below an empty line. */
void sheet_section(struct sheet *s, const char *title, const char *right);
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

void sheet_text(const struct sheet *s, size_t line, struct strbuf *out);

/* A new line that says something about the others. */
void sheet_note(struct sheet *s, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A relevance, as score_add has it; nothing where there is none. */
void sheet_score(struct sheet *s, int column, double relevance, enum score origin);

#define SHEET_FIELD 14  /* where values begin, behind the names of facts */
#define SHEET_PROSE 120 /* columns of a text at most: longer lines are hard to follow */
/* The columns for a text that begins there. */
int sheet_prose(const struct sheet *s, int column);
/* A fact in lines of its own, at most so many (1: cut where the line ends); nothing where the text is empty or NULL. */
void sheet_field(struct sheet *s, const char *name, enum style style, const char *text,
                 size_t most);
/* The same, two in a line where a view has room for that. */
void sheet_fact(struct sheet *s, const char *name, const char *text);
/* Of somebody's name, which shows what it hides. */
void sheet_fact_name(struct sheet *s, const char *name, const char *text);

/* The width where no line is cut: nothing stands at its right edge then. */
#define SHEET_UNLIMITED (INT_MAX / 2)
struct output;
/* An empty sheet for the output: as wide as that is, in its character set. */
void sheet_for_output(struct sheet *s, const struct output *out);
/* Writes the lines of the sheet from `from` on. */
void output_sheet(struct output *out, const struct sheet *s, size_t from);
/* The page of a memory: its ref in the place of the first line. Releases the sheet. */
void output_page(struct output *out, struct sheet *s, struct ref ref);

#endif
