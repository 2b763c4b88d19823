/*
 * Rows in columns, for people. A column is as wide as what stands in it; where the line is too narrow columns are left
 * out or cut, and what stands behind the last column, the rest, has what is left of the line.
 */
#ifndef STEMMA_TABLE_H
#define STEMMA_TABLE_H

#include "model/base/arena.h"
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
    int rest_keeps;        /* it is left out before what keeps more, once columns are cut */
    size_t indent;         /* blanks before each line */
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
/* Takes the widths of all that was put, and forgets the rows: those that are put and printed from then on stand below
 * each other, whatever is written between them. */
void table_fit(struct table *t);
/* Prints the rows and forgets them (`e` NULL: flushes nothing); before the first of all, the names. Columns keep the widths that they have then. */
int table_print(struct table *t, struct error *e);

#endif
