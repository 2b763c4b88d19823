/* The facts of a memory laid out: in full, and in brief for a preview. */
#ifndef STEMMA_FACTS_SHEET_H
#define STEMMA_FACTS_SHEET_H

#include "tui/render/facts.h"
#include "tui/render/sheet.h"

/* The ages that stand somewhere: when the first of them reads otherwise. */
struct ages {
    int64_t
        next; /* when the first of them reads otherwise (ms since the epoch); 0: none is shown */
    int64_t unit;      /* ms: what the finest of them counts in */
    int64_t turned_at; /* when they were all said last */
    unsigned turn;     /* another number since */
};

struct facts_look {
    bool ascii; /* marks are letters */
    int width;
    int text_lines; /* of the memory's own text at most; 0: all */
    int64_t now;
    bool exact_times;
    bool
        command; /* for a command: a bar stands before each line of the text, and hints name options */
    struct ages *ages; /* are told of each age that is said; NULL: nobody is */
    int ref_width;     /* filled when it is laid out */
};

/* Lays it out from an empty sheet of look->width. */
void facts_sheet_full(struct sheet *s, const struct facts *f, const struct facts_look *look);
void facts_sheet_brief(struct sheet *s, const struct facts *f, const struct facts_look *look);

/* Adds another memory to the last line: its label from column `glyph` on, ref (look->ref_width), text, how it is
 * linked, confidence and age; of one that is gone, what became of it. */
void facts_put_row(struct sheet *s, const struct fact_row *r, const char *how, bool guessed,
                   int glyph, const struct facts_look *look);
/* The columns that their refs take up, `least` at least. */
int facts_ref_width(const struct fact_row *rows, size_t count, int least);

/* A text as a paragraph, at most so many lines of it; for a command a bar stands before each: none of them can pass for
 * a line of the page. */
void facts_put_text(struct sheet *s, const char *text, size_t most, const struct facts_look *look);
/* The text of a memory, at most look->text_lines of it. */
void facts_brief_text(struct sheet *s, const struct memory *m, const struct facts_look *look);
/* A fact with its name: two on a line where there is room. *place: how many halves of lines stand there already, 0 at
 * first. Nothing for an empty value. */
void facts_put_fact(struct sheet *s, int *place, const struct facts_look *look, const char *name,
                    const char *value);
/* The same of an id or a name: what it hides, and a line break in it, shows. */
void facts_put_name(struct sheet *s, int *place, const struct facts_look *look, const char *field,
                    const char *name);

/* How a link came about, for people: what guessed it where it was guessed, else its role. */
const char *facts_how(enum role role, enum recorded recorded);

/* "◐ weakened · protected · version 4" appended. */
void facts_state(const struct facts *f, bool ascii, struct strbuf *out);
/* A time for a person: "3w", or "2026-11-20 10:42:16" where times are exact. `size` at least 32. */
void facts_when(char *out, size_t size, int64_t at, const struct facts_look *look);
/* The same of when something was retrieved; of a time that somebody got wrong (then true): "suspect", or "suspect
 * 1970-01-21". */
bool facts_when_retrieved(char *out, size_t size, int64_t at, const struct facts_look *look);
/* "9 memories · 2 rest on nothing else". */
void facts_carry(const struct facts *f, bool ascii, struct strbuf *out);

/* An entry of shared memory, laid out: where it stands, how long it lives, and its value as JSON over lines. */

/* JSON that was checked and has no white space around its parts, a member or element on each line. Not deeper to
 * the right than twenty levels. */
void json_indent(struct strbuf *out, const char *json, size_t len);

#endif
