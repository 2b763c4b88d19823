/*
 * What an entry must be that agents are to find, read and overwrite: asked at every door by which people bring
 * one in or change it, so that none takes what putMemory would not. For store/ alone.
 */
#ifndef STEMMA_ENTRY_CHECK_H
#define STEMMA_ENTRY_CHECK_H

#include "../model/memory.h"
#include "db.h"

/*
 * Is what it says of itself right: namespace, key, value, expires_at? What it does not say is not asked for, as
 * exchange lines leave things out. Of other kinds always. ERROR_INVALID names it, and what to give.
 */
int entry_check_given(const struct memory *m, struct error *e);
/*
 * The same, and it says all of it: a namespace, a value, and as its text its key. Where it expires, that is to
 * come: a past time would take its value for good, which no undo brings back.
 */
int entry_check(const struct memory *m, int64_t now, struct error *e);
/* ERROR_CONFLICT: another one is there under its name, which it would hide from everybody. */
int entry_check_free(struct db *db, const struct memory *m, int64_t now, struct error *e);

#endif
