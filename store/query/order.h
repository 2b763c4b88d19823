/* Filters, orders and cursors of lists. Only for store/. */
#ifndef STEMMA_ORDER_H
#define STEMMA_ORDER_H

#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/record/index_tables.h"

/* The conditions for a row, with names resolved to rows. */
struct filter {
    unsigned kinds;
    unsigned statuses;
    bool by_agent, by_source_type, by_claim;
    bool guarded;               /* leave out what the caller does not see whole */
    int64_t agent, source_type; /* rows; -1 if there is no such name: no row passes */
    uint8_t claim[LOOKUP_KEY_SIZE];
    const char *told; /* of the query, without "agent:"; NULL: by anyone */
    struct list_range created, updated;
    struct db *db;
};

/*
 * Makes a filter from a query, with its defaults, and without kinds that the caller may not list.
 */
int filter_make(struct filter *f, struct reader *r, const struct list_query *query,
                struct error *e);

/*
 * The first columns of the statement that filter_passes reads. The fifth
 * tells whether the caller may see the row.
 */
#define FILTER_COLUMNS                                                                             \
    "kind, " STATUS_SQL ", agent, source_type, guard_sees(kind, agent, status, id), id, "          \
    "created_at, updated_at"
#define FILTER_COLUMN_COUNT 8
bool filter_passes(const struct filter *f, sqlite3_stmt *stmt);

/*
 * Appends conditions on `memory`: " AND (:statuses >> status) & 1 AND …", without the kinds, which
 * choose the index range. filter_bind binds the parameters.
 */
void filter_add_sql(const struct filter *f, struct strbuf *sql);
void filter_bind(const struct filter *f, sqlite3_stmt *stmt);

/* An order: its index, and the key of a row in it. */
struct order_spec {
    const char *name;
    const char *index;
    const char *key; /* the indexed expression */
    bool descending; /* unless the query reverses it */
    char type;       /* type of the key: i, d or s */
};
const struct order_spec *order_spec(enum list_order order);
/* The same, with the index and key for memories of that kind. */
const struct order_spec *order_of_kind(enum list_order order, enum kind kind);

#define ORDER_TEXT_KEY   48 /* code points of a text in the index; then the row decides */
#define ORDER_TEXT_BYTES (4 * ORDER_TEXT_KEY)

/*
 * In the order by text, the key of partly masked texts, which come last: no valid text begins with
 * it.
 */
#define ORDER_TEXT_APART "\xff"

struct order_key {
    int64_t integer;
    double real;
    char text[ORDER_TEXT_BYTES]; /* only the beginning of longer (invalid) text */
    size_t len;
    int64_t node;
    bool sorted; /* order by confidence: all rows were sorted, or are from the next page on */
};

/* Reads the key from a column. */
void order_key_read(struct order_key *key, enum list_order order, sqlite3_stmt *stmt, int column,
                    int64_t node);
/* True if the key is ORDER_TEXT_APART. */
bool order_is_apart(const struct order_key *key);

/* ---- cursors ---- */

/*
 * A cursor is URL-safe text of the key with a digest of the query. cursor_read returns
 * ERROR_INVALID if it is damaged or of another query.
 */
void cursor_write(struct strbuf *out, const struct list_query *query, const struct order_key *key);
int cursor_read(const char *cursor, const struct list_query *query, struct order_key *key,
                struct error *e);

/*
 * Rows in the order of their effective confidence, which no index has. Rows are read in the order of
 * the stored confidence, an upper bound of the effective one. A row waits in a heap until no later
 * row can come before it; if no confidence was lowered, none waits.
 *
 * Three orders cannot be had in this way: lowest first, one where all confidences decay, and a page
 * after one with a lowered row. For those a few rows are read whole and sorted (ranking_sort); of
 * many rows the ranks are walked (store/lineage/loaded.h). Only for store/query.
 */
struct loaded;

/* For more rows than this, loading all labels costs less than reading the surroundings of each. */
#define RANKING_FEW 500

struct ranked {
    double value;
    int64_t row;
};

struct ranking {
    struct reader *reader;
    bool down;              /* highest first */
    struct ranked *waiting; /* a heap of rows that were read; the next one is the first */
    size_t count, alloc;
    bool lowered;               /* some row had less than its stored confidence */
    size_t looked;              /* rows whose confidence was computed */
    const struct loaded *known; /* labels of all rows, held from the RANKING_FEWth on */
};

/* Can the order be had without reading all rows first? */
bool ranking_is_lazy(struct reader *r, bool down);
/* Takes the next row of the index, whose key has the stored confidence. */
int ranking_take(struct ranking *k, const struct order_key *row, struct error *e);
/*
 * Stores the next row in *out and returns true if none from `row` on (NULL: the end) can precede it.
 * If `lowered` is set, the page after *out cannot continue by the index: use ranking_sort.
 */
bool ranking_next(struct ranking *k, const struct order_key *row, struct order_key *out);
void ranking_release(struct ranking *k);

/* Sets the effective confidence (or ORDER_TRUST: the trust) of at most RANKING_FEW rows, and sorts
 * them. */
int ranking_sort(struct reader *r, struct ranked *rows, size_t count, enum list_order order,
                 bool down, struct error *e);
/* Does `a` come before `b`? */
bool ranked_before(struct ranked a, struct ranked b, bool down);

#endif
