/*
 * Rows in columns, for people. A column is as wide as what stands in it; where the line is too narrow columns are left
 * out or cut, and what stands behind the last column, the rest, has what is left of the line.
 */
#ifndef STEMMA_LISTING_H
#define STEMMA_LISTING_H

#include "model/base/arena.h"
#include "store/db/store.h"
#include "store/lineage/loaded.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "tui/text/output.h"

struct table_column {
    const char *name; /* in the head; NULL: the table has none */
    size_t least,
        most; /* may be cut to so few columns (0: not at all); is no wider on a terminal (0: any) */
    unsigned flags; /* of text.h: TEXT_RIGHT, TEXT_EXACT */
    int keeps;      /* the lowest is left out first; 0: never */
};
/* What keeps less than this is left out before anything is cut, the others only after. */
#define TABLE_CUTS 10

#define TABLE_COLUMNS 16
struct table {
    struct output *out;
    const struct table_column *column;
    size_t count;
    const char *rest_name; /* in the head */
    size_t rest_least;     /* columns that the rest needs, where any row has one */
    /* After a row is printed, for what stands below it; NULL: nothing. */
    void (*below)(void *arg, size_t row);
    void *arg;

    struct arena arena; /* of the rows */
    struct table_row *row;
    size_t rows, alloc, next; /* `next`: the cell that is put next */
    size_t width[TABLE_COLUMNS];
    bool rest, fitted;
};

/* At most TABLE_COLUMNS columns. table_close releases it. */
struct table table_open(struct output *out, const struct table_column *columns, size_t count,
                        const char *rest_name, size_t rest_least);
void table_close(struct table *t);
/* The next cell of the row; the text is copied. */
void table_put(struct table *t, enum style style, const char *text);
void table_format(struct table *t, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the row with its rest, after `lead` (may be NULL), words of the program's own. */
void table_end(struct table *t, const char *lead, enum style style, const char *rest);
/* Prints the rows and forgets them (`e` NULL: flushes nothing); before the first of all, the names. Columns keep the
 * widths that they have then. */
int table_print(struct table *t, struct error *e);

/* Labels for what a command lists: of a few rows by their surroundings, of many from the labels of all. */

struct labelling {
    struct reader *reader;
    const struct loaded *all; /* NULL: they are not loaded */
};

/* `labelling` is of a listing that is open. */
int labelling_get(struct labelling *l, const int64_t *rows, size_t count, struct row_label *out,
                  struct error *e);

/* Some kinds have a column of their own in place of the origin: how far a chain is, where a passage
 * stands. Do all of these kinds (KIND_BIT()s) have one? Chains, steps, documents, citations, attributions. */
bool kinds_have_own_column(unsigned kinds);

/*
 * When nothing matched: 1 where this store knows the agent and the source type (NULL: any); 0 where it does not, and
 * that is told on standard error with the ones there are; -1 with an error.
 */
int nothing_known(struct reader *r, const char *agent, const char *source_type, struct error *e);

/* Where a page ends: how to go on. JSON as its last line, a person apart from the list. `more`: "more", "older
 * ones". */
void listing_more(struct output *out, const char *more, const char *cursor);

/*
 * Memories as rows for people, or a line of JSON each: what `list` and `search` print.
 *
 *   ●  belief:54c5507f  0.82  3/4  told by agent  3w  Never skip staging before a deploy…
 *
 * Columns take their widths from the first batch and keep them. Where a terminal is narrow they give
 * way to the text one after the other: source, what holds, agent, confidence, age.
 */

#define LISTING_BATCH 256

struct listing {
    struct output *out;
    struct reader *reader;
    struct labelling labelling;
    bool by_update;  /* ages count from the last change */
    bool own_column; /* rows show it in place of their origin; all are of one kind */
    enum listing_agents {
        AGENTS_HIDE,
        AGENTS_IF_MANY,
        AGENTS_SHOW
    } agents;
    struct table table;
    bool begun;
    struct arena arena; /* of a batch */
};

/*
 * `expected` rows will be asked for; SIZE_MAX: nobody knows. Whose a memory is, is shown where there is more than
 * one agent and none was asked for (`agent` NULL). listing_close releases it, also after an error.
 */
int listing_open(struct listing *l, struct output *out, struct reader *r, size_t expected,
                 const char *agent, struct error *e);
/* Prints that many rows (at most LISTING_BATCH), whose labels are known. */
int listing_print(struct listing *l, const int64_t *rows, const struct row_label *labels,
                  size_t count, struct error *e);
void listing_close(struct listing *l);

#endif
