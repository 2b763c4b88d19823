/*
 * The orders of a list: the index that gives each, the key that a row has in it, and the cursor that
 * says where a page ended. For store/ alone.
 */
#ifndef STEMMA_ORDER_H
#define STEMMA_ORDER_H

#include "db.h"
#include "list.h"

struct order_spec {
    const char *name;
    const char *index;
    const char *key;    /* the indexed expression */
    const char *column; /* the column that it begins: the whole key of a row */
    bool descending;    /* unless the query reverses it */
    char type;          /* of the key: i, d or s */
};
const struct order_spec *order_spec(enum list_order order);

/* The order by text keeps so many code points in its index; where two keys are that long, the whole
 * texts decide. */
#define ORDER_TEXT_KEY 48

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
/* Is the key's text cut, so that the whole one must decide? */
bool order_is_cut(const struct order_key *key);

/* ---- cursors ---- */

/* A text in a cursor is cut at so many code points; `cut` says that it was. */
#define CURSOR_TEXT_MAX 512

/*
 * URL-safe text of the key, bound to the query by a digest. Reading gives a key whose text is
 * allocated: the caller frees it. ERROR_INVALID for what is damaged or of another query.
 */
void cursor_write(struct strbuf *out, const struct list_query *query, const struct order_key *key,
                  bool cut);
int cursor_read(const char *cursor, const struct list_query *query, struct order_key *key,
                bool *cut, struct error *e);

#endif
