/*
 * Tables for people. A column is as wide as its widest cell. If the line is too narrow, columns are dropped or cut.
 * The text after the last column (the rest) gets the remaining width.
 */
#ifndef STEMMA_LISTING_H
#define STEMMA_LISTING_H

#include "model/base/arena.h"
#include "store/lineage/loaded.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "tui/text/output.h"

struct table_column {
    const char *name; /* in the header row; NULL for a table without one */
    size_t min;       /* columns when cut; 0: never cut */
    size_t max;       /* columns on a terminal; 0: no limit */
    unsigned flags;   /* of text.h: TEXT_RIGHT, TEXT_EXACT */
    int priority;     /* the lowest is dropped first; 0: never dropped */
};
/* Columns of lower priority are dropped before any column is cut, the others only after that. */
#define TABLE_CUTS 10

#define TABLE_COLUMNS 20
struct table {
    struct output *out;
    const struct table_column *column;
    size_t count;
    const char *rest_name; /* in the header row */
    size_t rest_min;       /* columns that the rest needs, if any row has one */
    /* Called after a row is printed, to add lines below it. May be NULL. */
    void (*below)(void *arg, size_t row);
    void *arg;

    struct arena arena; /* holds the rows */
    struct table_row *row;
    size_t rows, alloc, next; /* `next`: the cell that is put next */
    size_t width[TABLE_COLUMNS];
    bool rest, fitted;
};

/* At most TABLE_COLUMNS columns. The caller releases it with table_close. */
struct table table_open(struct output *out, const struct table_column *columns, size_t count,
                        const char *rest_name, size_t rest_min);
void table_close(struct table *t);
/* Adds the next cell of the row. The text is copied. */
void table_put(struct table *t, enum style style, const char *text);
void table_format(struct table *t, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the row with its rest. `lead` (may be NULL) is a word of the program before it. */
void table_end(struct table *t, const char *lead, enum style style, const char *rest);
/* Prints the collected rows and removes them; the first call prints the header row and fixes the widths. With `e`
 * NULL nothing is flushed. */
int table_print(struct table *t, struct error *e);

/* Labels for the memories that a command lists: a few are computed from their neighbourhoods, many are taken from the
 * labels of the whole graph. */
struct labelling {
    struct reader *reader;
    const struct loaded *all; /* NULL if the whole graph is not loaded */
    bool trusts;              /* trust is shown, too */
    double *trust;            /* of the rows of `all`; NULL until it is read */
};

/*
 * Explains an empty result. Returns 1 if the store has that agent and that source type (NULL for any). Else lists the
 * existing ones on stderr and returns 0. Returns -1 and sets *e on failure.
 */
int explain_empty_list(struct reader *r, const char *agent, const char *source_type,
                       struct error *e);

/* Prints that there is another page: JSON ends with its cursor, people get a line. `more` is "more" or "older
 * ones". */
void listing_more(struct output *out, const char *more, const char *cursor);

/*
 * Lists of memories, as rows for people or one line of JSON each; for `list` and `search`.
 *
 *   ●  belief:54c5507f  0.82  3/4  told by agent  3w  Never skip staging before a deploy…
 *
 * A terminal gets a header row, and →1 where all justifications end in one source. The first batch sets the widths of
 * columns. A narrow terminal drops columns in this order: source, support, agent, confidence, age.
 * Flags (enum row_flag) have a column if the first batch has any.
 */

#define LISTING_BATCH 256

struct listing {
    struct output *out;
    struct reader *reader;
    struct labelling labelling;
    enum list_order
        order; /* by update: ages count from that; by trust or keystones: see headings */
    struct table_column column[8];
    /* show the kind's own column instead of the origin; all rows are of one kind */
    bool own_column, flagged;
    enum listing_agents {
        AGENTS_HIDE,
        AGENTS_IF_MANY,
        AGENTS_SHOW
    } agents;
    struct table table;
    bool begun;
    struct arena arena; /* holds one batch */
    int64_t row[LISTING_BATCH];
    size_t count; /* rows that are not printed yet */
};

/*
 * `expected` is the number of rows, or SIZE_MAX if unknown. The agent column is shown if the store has more than one
 * agent and the query names none. Call listing_close also after an error.
 */
int listing_open(struct listing *l, struct output *out, struct reader *r, size_t expected,
                 const struct list_query *query, struct error *e);
/* Adds a row, whose label is read with those of its batch, and prints the batch when it is full. */
int listing_add(struct listing *l, int64_t row, struct error *e);
/* Prints what was added and is not printed yet. */
int listing_print(struct listing *l, struct error *e);
void listing_close(struct listing *l);

#endif
