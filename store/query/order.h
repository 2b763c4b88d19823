/*
 * Filters and orders of a list: `struct filter` says which rows are shown, `struct order_spec` in which order, and a
 * cursor where a page ended. Only store/ includes it.
 */
#ifndef STEMMA_ORDER_H
#define STEMMA_ORDER_H

#include "store/db/db.h"
#include "store/query/list.h"

/* What a row must be to be shown: kinds, statuses, agent and source type, looked up once. */
struct filter {
    unsigned kinds;
    unsigned statuses;
    bool by_agent, by_source_type;
    bool guarded;               /* what the reader's caller does not see whole is left out */
    int64_t agent, source_type; /* rows; -1: nothing is called so, and no row passes */
};

/* With the defaults of `struct list_query` filled in, without kinds of which the reader's caller is listed none. */
int filter_make(struct filter *f, struct reader *r, const struct list_query *query,
                struct error *e);

/* The columns that filter_passes reads, in its order, and does the row pass, whose first one of them
 * is `column`? Whether the caller sees it is the last of them. */
#define FILTER_COLUMNS      "kind, status, agent, source_type, guard_sees(kind, agent, id)"
#define FILTER_COLUMN_COUNT 5
bool filter_passes(const struct filter *f, sqlite3_stmt *stmt, int column);

/*
 * As a condition on `memory`, to follow another one: " AND (:statuses >> status) & 1 AND …", without
 * the kinds, which choose the index's range. filter_bind binds what it names.
 */
void filter_add_sql(const struct filter *f, struct strbuf *sql);
void filter_bind(const struct filter *f, sqlite3_stmt *stmt);

/* An order of a list: the index that gives it, and the key that a row has in it. */
struct order_spec {
    const char *name;
    const char *index;
    const char *key;   /* the indexed expression */
    const char *whole; /* what it is the beginning of, which decides where two keys are equal */
    bool descending;   /* unless the query reverses it */
    char type;         /* of the key: i, d or s */
};
const struct order_spec *order_spec(enum list_order order);

/*
 * The order by text: the index keeps the first code points; where two rows have the same, more of
 * them decide, and where those are the same too, the row. (Sorting such rows by all of their texts
 * would take as much memory as the texts do.)
 */
#define ORDER_TEXT_KEY   48
#define ORDER_TEXT_WHOLE 256

/* The key, in the order by text, of what comes after all others whatever it says: no text begins so. */
#define ORDER_TEXT_APART "\xff"

struct order_key {
    int64_t integer;
    double real;
    const char *text; /* not NULL in the order by text */
    size_t len;
    int64_t node;
};

/* The key in that column. Its text belongs to the statement until it steps. */
void order_key_read(struct order_key *key, enum list_order order, sqlite3_stmt *stmt, int column,
                    int64_t node);
/* As the index sorts, least first; ties by the row. */
int order_compare(enum list_order order, const struct order_key *a, const struct order_key *b);
/* Is the key's text as long as the index keeps, so that more of it must decide? */
bool order_is_cut(const struct order_key *key);
/* Is it ORDER_TEXT_APART? */
bool order_is_apart(const struct order_key *key);

/* ---- cursors ---- */

/*
 * URL-safe text of the whole key, bound to the query by a digest. Reading gives a key whose text is
 * allocated: the caller frees it. ERROR_INVALID for what is damaged or of another query.
 */
void cursor_write(struct strbuf *out, const struct list_query *query, const struct order_key *key);
int cursor_read(const char *cursor, const struct list_query *query, struct order_key *key,
                struct error *e);

#endif
