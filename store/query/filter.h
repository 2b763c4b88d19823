/* What a row must be to be shown: kinds, statuses, agent and source type, looked up once. For store/
 * alone. */
#ifndef STEMMA_FILTER_H
#define STEMMA_FILTER_H

#include "store/db/db.h"
#include "store/query/list.h"

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

#endif
