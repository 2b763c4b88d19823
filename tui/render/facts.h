/*
 * All that is shown of one memory: itself, what it rests on with each antecedent's row and label, what
 * it carries, and what would fall with it. Gathered by the worker, owned by whoever asked.
 */
#ifndef STEMMA_FACTS_H
#define STEMMA_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"
#include "store/db/store.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/render/sheet.h"

/* One change of the confidence that an event made. */
struct fact_step {
    int64_t seq;
    const char *operation, *who; /* in the arena */
    bool person;
    double before, after; /* not rounded */
    int64_t n;            /* how often it was reinforced by then; 0: not known */
    int64_t at;           /* of the entry of the history that came with it */
    double new_;
};

/* Who did something to it that stands. */
struct fact_author {
    int64_t seq, at; /* 0: nobody */
    const char *who;
    bool person;
};

struct facts_past {
    bool known;
    struct fact_step *step; /* [history_count] of its entries; seq 0: no event tells of that one */
    struct fact_author created, protected_by, verified_by, ended_by;
    double first; /* the confidence that it was added with; NAN: an import brought its history */
};

/* Another memory as a line shows it. */
struct fact_row {
    struct memory_row row; /* status STATUS_MISSING: a stub, without text */
    struct row_label label;
    size_t short_length;
};

struct fact_group { /* one stored justification, in the memory's order */
    const struct justification *justification;
    struct fact_row *row; /* [justification->count] */
    size_t shown;         /* of them; the rest are beyond FACTS_ROWS */
    bool holds;           /* one of an `any` group stands; all of an `all` group do */
};

#define FACTS_ROWS 512 /* rows of one list that are read; how many there are is always said */

struct facts {
    struct arena arena;
    int64_t node;
    struct memory memory;
    int64_t value_bytes; /* of an entry's value as it is stored, also where it is masked */
    struct row_label label;
    size_t short_length;
    struct fact_group *group;  /* [memory.justification_count] */
    struct fact_row *relation; /* [memory.relation_count] at most FACTS_ROWS */
    size_t relation_shown;
    struct related *related;      /* what names it in a relation, at most FACTS_ROWS */
    struct fact_row *related_row; /* [related_count] */
    size_t related_count;
    bool related_more;
    struct facts_past past;    /* where it is asked for in full */
    struct fact_row *evidence; /* of the last FACTS_ROWS of the history, by its index from the end;
                                  row.node 0: the entry names none, or none that is known */
    struct fact_row *carried;  /* what rests on it directly */
    size_t carried_count, carried_shown;
    size_t descends; /* memories that rest on it at any depth */
    size_t falls;    /* of those, how many would fall without it; 0 where `bound` was exceeded */
    bool bounded;    /* there are more than `descends` */
};

/*
 * `bound`: how many nodes around it may be walked; past it, what it carries is only counted, and to as
 * many (0: to the end). `past`: its events are read as well. NULL with `e` set; ERROR_NOT_FOUND where there is no such
 * row. O(what is around it).
 */
struct facts *facts_read(struct reader *r, int64_t node, size_t bound, bool past, struct error *e);
void facts_free(struct facts *f); /* NULL is allowed */

/* Rows, labels and short ids of these memories, in their order; [count] in the arena. NULL with `e` set. */
struct fact_row *facts_rows_read(struct reader *r, struct arena *arena, const int64_t *nodes,
                                 size_t count, struct error *e);

/* "belief:54c5507f" appended. */
struct strbuf;
void facts_ref(const struct memory_row *row, size_t short_length, struct strbuf *out);

/*
 * The sum that leads from `before` to `after`, where the operation has one: "0.05/(1+0.1·2)·(0.99−0.813)"; in
 * ASCII with * and -, as bc reads it. False: there is none.
 */
bool fact_step_sum(const struct fact_step *s, bool ascii, struct strbuf *out);

/* ---- laid out, in full and in brief for a preview: facts_sheet.c ---- */

/* Lays it out, as the look says. */
void facts_sheet_full(struct sheet *s, const struct facts *f, const struct facts_look *look);
void facts_sheet_brief(struct sheet *s, const struct facts *f, const struct facts_look *look);
/* Begins a preview with the memory's text, at most look->text_lines of it, and an empty line. */
void facts_brief_begin(struct sheet *s, const struct facts *f, const struct facts_look *look);

/* Adds another memory to the last line: its label (LABEL_COUNT: none) from column `glyph` on, ref (look.ref_width),
 * text, how it is linked, confidence and age; of one that is gone, what became of it. */
void facts_put_row(struct sheet *s, const struct fact_row *r, const char *how, bool guessed,
                   int glyph);
/* Parts of such a line. */
void facts_put_label(struct sheet *s, int column, enum label label);
void facts_put_ref(struct sheet *s, int column, int width, const struct fact_row *r);
/* The columns that their refs take up, `width` at least. */
int facts_ref_width(const struct fact_row *rows, size_t count, int width);

/* A text as a paragraph, at most so many lines of it; for a command a bar stands before each: none of them can pass for
 * a line of the page. */
void facts_put_text(struct sheet *s, const char *text, size_t most);
/* Facts: a time in full (0: nothing), the state, and how much it carries. */
void facts_put_time(struct sheet *s, const char *name, int64_t at);
void facts_put_state(struct sheet *s, const struct facts *f);
void facts_put_carried(struct sheet *s, const struct facts *f);
/* "3 of 4 hold" */
const char *facts_holds(struct sheet *s, const struct row_label *label);
/* A time as facts_when has it. */
const char *facts_age(struct sheet *s, int64_t at);

/* How a link came about, for people: what guessed it where it was guessed, else its role. */
const char *facts_how(enum role role, enum recorded recorded);

/* "◐ weakened · protected · version 4" appended. */
void facts_state(const struct facts *f, bool ascii, struct strbuf *out);
/* A time for a person: "3w", or "2026-11-20 10:42:16" where times are exact. `size` at least 32. */
void facts_when(char *out, size_t size, int64_t at, const struct facts_look *look);
/* "2026-11-20 10:42:16", however times are shown. */
void facts_exact(char *out, size_t size, int64_t at);
/* The same of when something was retrieved; of a time that somebody got wrong (then true): "suspect", or "suspect
 * 1970-01-21". */
bool facts_when_retrieved(char *out, size_t size, int64_t at, const struct facts_look *look);
/* "9 memories · 2 rest on nothing else"; nothing where it carries none. */
void facts_carry(const struct facts *f, bool ascii, struct strbuf *out);

/* JSON that was checked and has no white space around its parts, a member or element on each line. Not deeper to
 * the right than twenty levels. */
void json_indent(struct strbuf *out, const char *json, size_t len);

#endif
