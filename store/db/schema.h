/*
 * The tables of a store, and their migrations. The SQL is in schema.c, and why it is so.
 */
#ifndef STEMMA_SCHEMA_H
#define STEMMA_SCHEMA_H

#include "store/db/db.h"

#define SCHEMA_VERSION     9
#define SCHEMA_APPLICATION 0x5374656d /* "Stem", in the header of the file */

enum schema_state {
    SCHEMA_EMPTY,   /* no table at all */
    SCHEMA_CURRENT, /* ours, this version */
    SCHEMA_OLDER,   /* ours: schema_migrate brings it forward */
    SCHEMA_NEWER,   /* ours, of a later program: read only */
    SCHEMA_KERNLE,  /* another program's store that `import kernle` reads */
    SCHEMA_FOREIGN, /* a database that is neither */
};
int schema_state(struct db *db, enum schema_state *state, struct error *e);

/*
 * Creates the tables or brings them forward, inside the caller's transaction. `fill` makes the rows of the tables that a
 * store of that older version lacked, once they are there: record_fill. A database without any table needs none.
 */
typedef int schema_fill(struct db *db, int64_t version, struct error *e);
int schema_migrate(struct db *db, schema_fill *fill, struct error *e);
/* Creates the search index alone, for a database that is to hold nothing else. */
int schema_make_search(struct db *db, struct error *e);

/*
 * The secondary indexes apart: a bulk load into an empty store (load.h) leaves them until its rows are
 * there, in the one transaction that drops them (measured: 61,000 rows a second against 20,000 to
 * 36,000). Making them is cheap where they are there, so that each writer looks once, in case somebody
 * dropped one.
 */
int schema_drop_indexes(struct db *db, struct error *e);
int schema_create_indexes(struct db *db, struct error *e);
/* The index of refs, without which nothing is found: for whoever knows by itself what is there. */
int schema_drop_refs(struct db *db, struct error *e);
int schema_create_refs(struct db *db, struct error *e);

/* Repeats in the uses which row their link leads to, where that is not known yet. O(uses). */
int schema_fill_targets(struct db *db, struct error *e);

/* ---- what an index says, and what is asked for in the same words ---- */

/* Rows of `call` that are no calls; see call_chain.h. */
#define CALL_SESSION "(session)" /* a tool's or a method's name has no parentheses */
#define CALL_NAMED   "(named anew)"
/* Sessions that a person decided about: as many as there were decisions. */
#define SESSION_HELD "read_only = 1 OR ended_by NOT IN ('client', 'server')"

#endif
