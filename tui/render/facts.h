/*
 * Everything that is shown of one memory: the memory, its sources with their rows and labels, its users, and what
 * would lose support without it. The worker reads it; the view that requested it owns it.
 */
#ifndef STEMMA_FACTS_H
#define STEMMA_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"
#include "store/history/history.h"
#include "store/import/transcripts/transcript_text.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "store/team/team.h"
#include "tui/render/page.h"

struct strbuf;

/* One change of the confidence, made by an event. */
struct fact_step {
    int64_t seq;
    const char *operation, *who; /* in the arena */
    bool person;
    double before, after; /* not rounded */
    int64_t n;            /* reinforcements up to then; 0 if unknown */
    int64_t at;           /* time of the matching history entry */
    double new_;
};

struct facts_past {
    bool known;
    struct fact_step *step; /* [history_count]; seq 0 if no event belongs to that entry */
    struct author created, protected_by, verified_by, ended_by;
    double first; /* the original confidence; NAN if the history was imported */
};

/* A row for another memory. */
struct fact_row {
    struct memory_row row; /* a stub has STATUS_MISSING and no text */
    struct row_label label;
    size_t short_length;
    struct author ended_by; /* only of a source or evidence that does not live */
};

struct fact_group { /* one stored justification, in the memory's order */
    const struct justification *justification;
    struct fact_row *row; /* [justification->count] */
    size_t shown;         /* rows that are shown, at most FACTS_ROWS */
    /* an `any` group with a supported source, or an `all` group with supported sources only */
    bool valid;
};

#define FACTS_ROWS 512 /* rows of one list that are read; the total is always shown */

struct facts {
    struct arena arena;
    int64_t node;
    struct memory memory;
    int64_t value_bytes; /* stored size of an entry's value, even if it is masked */
    struct row_label label;
    struct effective effective;
    struct trust trust;
    struct memory weakest; /* the memory that limits the trust, if it is another one */
    size_t weakest_length; /* of its short ref */
    bool *fallen; /* [memory.history_count]: reinforcements whose evidence does not stand */
    size_t short_length;
    /* the whole text, if the store keeps its beginning only; path NULL if it is not from a transcript. Read with
     * `past` */
    struct transcript_text transcript;
    bool not_yet;                   /* missing in a past state: it may have been written since */
    struct independent independent; /* of several valid justifications */
    struct fact_group *group;       /* [memory.justification_count] */
    struct fact_row *relation;      /* [memory.relation_count], at most FACTS_ROWS */
    size_t relation_shown;
    struct related *related;      /* memories with a relation to this one, at most FACTS_ROWS */
    struct fact_row *related_row; /* [related_count] */
    size_t related_count;
    bool related_more;
    struct disputed *disputed; /* changes that did not hold (store/team/team.h) */
    size_t disputed_count;
    struct facts_past past; /* only if facts_read was called with `past` */
    /* sources of the last FACTS_ROWS history entries, by index from the end; row.node 0 if unknown */
    struct fact_row *evidence;
    struct fact_row *used_by; /* direct users */
    size_t used_by_count, used_by_shown;
    size_t descendant_count; /* memories based on it at any depth */
    /* how many of those would lose all support without it; 0 if `bound` was exceeded */
    size_t would_lose_support;
    bool bounded; /* there are more than `descendant_count` */
};

/*
 * Reads one memory. `bound` limits the nodes that are traversed. Beyond it users are only counted, up to `bound` (0
 * for no limit). `past` also reads its events. `trust` is its trust where it is known, else NULL. Returns NULL and sets
 * *e on failure; ERROR_NOT_FOUND if no such row exists. O(neighbourhood).
 */
struct facts *facts_read(struct reader *r, int64_t node, size_t bound, bool past,
                         const struct trust *trust, struct error *e);
void facts_free(struct facts *f); /* accepts NULL */

/* Reads rows, labels and short refs of `nodes`, in their order, into the arena: [count]. Returns NULL and sets *e on
 * failure. */
struct fact_row *facts_rows_read(struct reader *r, struct arena *arena, const int64_t *nodes,
                                 size_t count, struct error *e);

/* Appends "2026-11-20 10:42:16 by sean: the log says otherwise". */
void facts_add_author(struct strbuf *out, const struct author *author,
                      const struct page_options *options);

/* Appends "belief:54c5507f". */
void facts_ref(const struct memory_row *row, size_t short_length, struct strbuf *out);

/*
 * Appends the formula that leads from `before` to `after`: "0.05/(1+0.1·2)·(0.99−0.813)"; in ASCII with * and -, in
 * the syntax of bc. Returns false if the operation has none.
 */
bool fact_step_sum(const struct fact_step *s, bool ascii, struct strbuf *out);

/* ---- a memory in full and as a preview: facts_page.c ---- */

/* Lay out the page, or a preview of it. */
void facts_page(struct page *s, const struct facts *f, const struct page_options *options);
/* "── based on ─ 10 of 10 valid · 1 independent" */
void facts_put_based_on_heading(struct page *s, const struct facts *f);
/* Adds the memories that contradict it, or that it contradicts. */
void facts_put_contradictions(struct page *s, const struct facts *f);
void facts_preview(struct page *s, const struct facts *f, const struct page_options *options);
/* Begins a preview with at most options->text_lines lines of the memory's text and an empty line. */
void facts_preview_begin(struct page *s, const struct facts *f, const struct page_options *options);

/* Appends JSON with each member or element on its own line. `json` must be valid and without white space between its
 * parts. Indents at most twenty levels. */
void json_indent(struct strbuf *out, const char *json, size_t len);

/* ---- its confidence: facts_confidence.c ---- */

/* Whether the effective confidence differs from the stored one in the third decimal. */
bool facts_is_lower(const struct facts *f);
/* What the effective confidence is: "with age" if only age lowers it, else "effective". */
const char *facts_lowered(const struct facts *f);
/* Adds the section about confidence, or nothing if there is nothing to show. */
void facts_put_confidence(struct page *s, const struct facts *f);
/* Adds what an imported history says besides the confidence. */
void facts_put_imported(struct page *s, const struct facts *f);
/* "0.713 → 0.821 postmortem": a field for each of the latest changes, the newest first. */
void facts_put_changes(struct page *s, const struct facts *f);
/* Appends where the confidence comes from, for a trace: " · seed → 0.65", " · 0.85 → 0.87 (reinforced)". */
void facts_add_way(const struct page *s, const struct facts *f, struct strbuf *out);
/* "0.70, told by agent: claire", or "0.60 by note:1eb9a34f, external": whose source limits it. */
const char *facts_trust(struct page *s, const struct facts *f);

/* ---- parts of pages: facts_parts.c ---- */

/* Adds another memory to the last line: the sign of its label at column `glyph` (LABEL_COUNT for none), ref
 * (options.ref_width columns), text, kind of link, confidence and age. An inactive memory shows its status instead. */
void facts_put_row(struct page *s, const struct fact_row *r, const char *how, bool guessed,
                   int glyph);
/* Parts of such a line. */
void facts_put_label(struct page *s, int column, int sign);
void facts_put_ref(struct page *s, int column, int width, const struct fact_row *r);
/* The width of the ref column, at least `width`. */
int facts_ref_width(const struct fact_row *rows, size_t count, int width);

/* Adds text as a paragraph of at most `most` lines. For a command each line gets a bar in front, so that stored text
 * cannot imitate a line of the page. */
void facts_put_text(struct page *s, const char *text, size_t most);
/* Facts: a time (nothing for 0), the state, and the number of users. */
void facts_put_time(struct page *s, const char *name, int64_t at);
void facts_put_agent(struct page *s, const struct memory *m);
void facts_put_state(struct page *s, const struct facts *f);
void facts_put_users(struct page *s, const struct facts *f);
/* Appends "3/4", or "10/10→1" if fewer derivations are independent than justifications valid. */
void facts_add_support(struct strbuf *out, const struct row_label *label,
                       const struct independent *independent, bool ascii);
/* Whether several valid justifications are one derivation: echoes. */
bool facts_is_echo(const struct row_label *label, const struct independent *independent);
/* "3 of 4 valid" */
const char *facts_support(struct page *s, const struct row_label *label);
/* The time as facts_when writes it. */
const char *facts_age(struct page *s, int64_t at);

/* "replaces", "promoted to", …: the name of a relation, as people read it. */
const char *facts_relation(enum role type);
/* The same of one relation, which may have a type of its source's: "works_at". */
const char *facts_relation_title(const struct relation *r);
/* How a link was made, for people: the method if it was guessed, else its role. */
const char *facts_how(enum role role, enum recorded recorded);

/* The word for a memory whose label is `ended`: one that lives is disbelieved for the moment
 * (store/lineage/loaded.h). */
const char *facts_ended(enum status status);
/* Appends "◐ weakened · protected · version 4". */
void facts_state(const struct facts *f, bool ascii, struct strbuf *out);
/* Writes a time: "3w", or "2026-11-20 10:42:16" with exact times. `size` is at least 32. */
void facts_when(char *out, size_t size, int64_t at, const struct page_options *options);
/* Appends the time of a retrieval, and what is wrong with it. One that is plausible in seconds only is shown as that:
 * in milliseconds it would be a day of 1970. */
void facts_add_retrieved(struct strbuf *out, int64_t at, const struct page_options *options);
/* As facts_when, for the time of a retrieval. Returns true for an implausible time, written as "suspect". */
bool facts_when_retrieved(char *out, size_t size, int64_t at, const struct page_options *options);
/* Adds it as a column, in either mode. */
void facts_put_when(struct page *s, int64_t at);
/* Appends a time: for a command with its age, "2026-11-20 10:42:16Z (3d)". */
void facts_add_time(struct strbuf *out, int64_t at, const struct page_options *options);
/* Appends "9 memories · 2 with no other support", or nothing if it has no users. */
void facts_describe_users(const struct facts *f, bool ascii, struct strbuf *out);

#endif
