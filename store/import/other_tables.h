/* What the readers of foreign databases share. Only for store/import. */
#ifndef STEMMA_OTHER_TABLES_H
#define STEMMA_OTHER_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/map.h"
#include "store/db/db.h"

/*
 * Writes "sync_queue 5, trust_assessments 2" to `out`: the real tables with rows that `is_read` says no to. Tables that
 * do not fit are counted. Shadow tables of virtual tables are left out, and a table that cannot be read is named as
 * such. Returns -1 with `e` if the schema cannot be read.
 */
int other_tables(struct db *db, bool (*is_read)(void *arg, const char *table), void *arg, char *out,
                 size_t size, struct error *e);

/* The error for an agent that the source at the path does not have. Returns -1. */
int import_unknown_agent(const char *path, const char *agent, const struct key_index *agents,
                         struct error *e);

#endif
