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
    const char *key; /* the indexed expression */
    bool descending; /* unless the query reverses it */
    char type;       /* of the key: i, d or s */
};
const struct order_spec *order_spec(enum list_order order);

#define ORDER_TEXT_KEY   48 /* code points of a text that the index keeps; then the row decides */
#define ORDER_TEXT_BYTES (4 * ORDER_TEXT_KEY)

/* The key, in the order by text, of what comes after all others whatever it says: no text begins so. */
#define ORDER_TEXT_APART "\xff"

struct order_key {
    int64_t integer;
    double real;
    char text[ORDER_TEXT_BYTES]; /* the beginning, where a damaged text has more */
    size_t len;
    int64_t node;
};

/* The key in that column. */
void order_key_read(struct order_key *key, enum list_order order, sqlite3_stmt *stmt, int column,
                    int64_t node);
/* Is it ORDER_TEXT_APART? */
bool order_is_apart(const struct order_key *key);

/* ---- cursors ---- */

/* URL-safe text of the key, bound to the query by a digest. ERROR_INVALID for what is damaged or of another query. */
void cursor_write(struct strbuf *out, const struct list_query *query, const struct order_key *key);
int cursor_read(const char *cursor, const struct list_query *query, struct order_key *key,
                struct error *e);

#endif
