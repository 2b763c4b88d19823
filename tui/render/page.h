/*
 * A page: text laid out for a width, as lines of styled spans. Views draw it and let the cursor move in it; commands
 * print it with output_page.
 */
#ifndef STEMMA_PAGE_H
#define STEMMA_PAGE_H

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
struct page_options {
    bool ascii; /* signs are ASCII */
    int width;
    int text_lines; /* the most lines of the memory's own text; 0 for all */
    int64_t now;
    bool exact_times;
    bool command; /* for a command: text has a bar in front of each line, and hints name options */
    /* an outline of the lineage follows, so signs and details that it shows are left out */
    bool traced;
    struct ages *ages; /* registers each age that is written; may be NULL */
    const struct permissions
        *permissions; /* of agents, for the page of an entry; NULL: not shown */
    int ref_width;    /* set by the layout */
};

struct span {
    const char *text;  /* in the page's arena, or a constant */
    int column, width; /* width 0: up to the end of the line */
    enum style style;
    bool right; /* right-aligned: ends at column + width; column < 0 counts from the right edge */
    /* A line of wrapped text: the text, in which its links are found, and where the line begins. NULL: the span's own
     * text is whole. */
    const char *whole;
    size_t at;
};

enum page_line_kind {
    PAGE_TEXT = 0,
    PAGE_RULE,
};

struct page_line {
    struct span *span;
    uint32_t span_count;
    uint8_t kind;
    bool opens; /* the cursor may stop here */
    int32_t section;
    int64_t node;  /* what Enter opens; 0 for nothing */
    int64_t value; /* for the owner of the page */
};

struct page {
    struct arena arena;
    struct page_line *line;
    size_t count, alloc;
    struct page_options options;
    int width;
    int indent; /* blanks before each line that a command prints; not part of `width` */
    int32_t section;
    size_t half;         /* `count` after a fact that may get a second one in its line */
    struct strbuf words; /* for page_buffer */
};

void page_init(struct page *s);
void page_clear(struct page *s, int width); /* empties it for another layout */
/* As page_clear, with the width of the options. */
void page_begin(struct page *s, const struct page_options *options);
void page_release(struct page *s);

/* Returns an empty buffer for building a text. Valid until the next call. */
struct strbuf *page_buffer(struct page *s);
/* Formats a text in the page's arena. */
const char *page_printf(struct page *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A name with its invisible characters shown. Valid until the next page_buffer. */
const char *page_name(struct page *s, const char *name);

/* Adds an empty line. Spans are added to the last line. */
struct page_line *page_line(struct page *s);
/* As page_line; Enter opens that memory (0 for none). */
struct page_line *page_opens(struct page *s, int64_t node);
/* Adds a rule with a title and a right-aligned text, and begins a section. */
void page_rule(struct page *s, const char *title, const char *right);
/* As page_rule, below an empty line. */
void page_section(struct page *s, const char *title, const char *right);
/* Adds a span to the last line; the text is copied. */
void page_put(struct page *s, int column, int width, enum style style, const char *text);
/* Adds a span that was laid out elsewhere to an existing line. */
void page_put_at(struct page *s, size_t line, const struct span *span);
void page_put_right(struct page *s, int column, int width, enum style style, const char *text);
void page_format(struct page *s, int column, int width, enum style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Wraps text from `column` in at most `max_lines` lines; the first continues the last line if `here`. Returns how
 * many bytes are shown. */
size_t page_wrap(struct page *s, int column, int width, enum style style, const char *text,
                 size_t max_lines, bool here);

void page_text(const struct page *s, size_t line, struct strbuf *out);

/* Adds a line that comments on the others. */
void page_note(struct page *s, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a relevance in the form of score_add; nothing for NAN. */
void page_score(struct page *s, int column, double relevance, enum score origin);

/* Adds the lines of a chart. */
void page_plot(struct page *s, int column, const struct plot *plot);

#define PAGE_FIELD 14  /* where values begin, after the names of facts */
#define PAGE_PROSE 120 /* columns of a text at most: longer lines are hard to follow */
/* The width for prose that begins at `column`. */
int page_prose(const struct page *s, int column);
/* Adds a fact in its own lines, at most `most` (1: cut at the end of the line). Adds nothing if the text is empty or
 * NULL. */
void page_field(struct page *s, const char *name, enum style style, const char *text, size_t most);
/* As page_field, but puts two facts in a line if a view is wide enough. */
void page_fact(struct page *s, const char *name, const char *text);
/* As page_fact, for a name: invisible characters are shown. */
void page_fact_name(struct page *s, const char *name, const char *text);
/* The fact "agent"; `claimed` is the name that it gave itself, NULL if none. */
void page_fact_agent(struct page *s, const char *agent, const char *claimed);

/* The width at which no line is cut. Nothing is right-aligned then. */
#define PAGE_UNLIMITED (INT_MAX / 2)
struct output;
/* Initializes a page for the output's width and character set. */
void page_for_output(struct page *s, const struct output *out);
/* Prints the lines from `from` on, and releases the page. */
void output_page(struct output *out, struct page *s, size_t from);
/* Prints the page of a memory, with its ref as the first line. Releases the page. */
void output_memory_page(struct output *out, struct page *s, struct ref ref);

#endif
