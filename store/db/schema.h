/* The tables of a store and their migrations. schema.c has the SQL and the reasons for it. */
#ifndef STEMMA_SCHEMA_H
#define STEMMA_SCHEMA_H

#include "store/db/db.h"

#define SCHEMA_VERSION     17
#define SCHEMA_APPLICATION 0x5374656d /* "Stem", in the header of the file */

enum schema_state {
    SCHEMA_EMPTY,   /* no tables */
    SCHEMA_CURRENT, /* ours, this version */
    SCHEMA_OLDER,   /* ours, an older version: schema_migrate upgrades it */
    SCHEMA_NEWER,   /* ours, of a newer program: opened read-only */
    SCHEMA_KERNLE,  /* a store of Kernle, which `import kernle` reads */
    SCHEMA_FOREIGN, /* any other database */
};
/* Returns 0 or -1. */
int schema_state(struct db *db, enum schema_state *state, struct error *e);

/*
 * Creates the tables or upgrades them, in the caller's transaction. After an upgrade `fill`
 * (record_fill) makes the rows of tables that the older version did not have. A new store needs
 * none.
 */
typedef int schema_fill(struct db *db, int64_t version, struct error *e);
int schema_migrate(struct db *db, schema_fill *fill, struct error *e);
/* Creates only the search index, for a database that holds nothing else. */
int schema_make_search(struct db *db, struct error *e);

/*
 * A bulk load into an empty store (record/load.h) drops the secondary indexes and creates them
 * after its rows, in the same transaction (measured: 61,000 rows a second instead of 20,000 to
 * 36,000). Creating existing indexes is cheap, so each writer does it once, in case somebody
 * dropped one.
 */
int schema_drop_indexes(struct db *db, struct error *e);
int schema_create_indexes(struct db *db, struct error *e);
/*
 * The index of refs, needed to find a memory. Only a bulk load, which has all refs in memory, may
 * drop it.
 */
int schema_drop_refs(struct db *db, struct error *e);
int schema_create_refs(struct db *db, struct error *e);

/* Fills use.target from the link of each use, where it is NULL. O(uses). */
int schema_fill_targets(struct db *db, struct error *e);

/* ---- constants that an index and its queries share ---- */

/* Tools in table `call` for rows that are not calls; see journal/call_chain.h. */
#define CALL_SESSION "(session)" /* no name of a tool or method has parentheses */
#define CALL_NAMED   "(named anew)"
/* Sessions that a person made read-only or ended. */
#define SESSION_HELD "read_only = 1 OR ended_by NOT IN ('client', 'server')"

#endif
