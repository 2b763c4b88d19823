/* What the files entry*.c share. For store/ alone. */
#ifndef STEMMA_ENTRY_FIND_H
#define STEMMA_ENTRY_FIND_H

#include "store/db/db.h"
#include "store/entries/entry.h"

struct plan;

/* The memory of that key, or shown key, that counts, expired or not; 0: none lives. */
int entry_find(struct db *db, const char *name, const char *key, int64_t *memory, struct error *e);
/* ERROR_NOT_FOUND that does not repeat the key. */
int entry_not_there(const char *name, struct error *e);

/* Appends to a plan that it expires: its value goes, here and in the journal. `operation` is a constant. */
int entry_expire(struct plan *p, int64_t node, const char *operation, struct error *e);
/* The same of any memory that is an entry which has expired and was not swept; else nothing. */
int entry_sweep_first(struct plan *p, int64_t node, struct error *e);
/* The same as a change of its own, in a transaction of others. */
int entry_expire_now(struct txn *t, const struct actor *actor, int64_t node, const char *operation,
                     struct error *e);

#endif
