/* The tables of a foreign database that an import does not read, for its summary. Only for store/. */
#ifndef STEMMA_OTHER_TABLES_H
#define STEMMA_OTHER_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include "store/db/db.h"

/*
 * Writes "sync_queue 5, trust_assessments 2" to `out`: the real tables with rows that `is_read` says no to. Tables that
 * do not fit are counted. Shadow tables of virtual tables are left out, and a table that cannot be read is named as
 * such. Returns -1 with `e` if the schema cannot be read.
 */
int other_tables(struct db *db, bool (*is_read)(void *arg, const char *table), void *arg, char *out,
                 size_t size, struct error *e);

#endif
