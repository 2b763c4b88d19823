/*
 * What an entry must be that agents are to find, read and overwrite: asked at every door by which people bring
 * one in or change it, so that none takes what putMemory would not. For store/ alone.
 */
#ifndef STEMMA_CHECK_H
#define STEMMA_CHECK_H

#include "model/base/error.h"
#include "model/memory/memory.h"

/*
 * Is what it says of itself right: namespace, key, value, expires_at? What it does not say is not asked for. Of
 * other kinds always. ERROR_INVALID names it, and what to give.
 */
int entry_check_given(const struct memory *m, struct error *e);
/*
 * The same, and it says all of it: a namespace, a value, and as its text its key. Where it expires, that is to
 * come: a past time would take its value for good, which no undo brings back.
 */
int entry_check(const struct memory *m, int64_t now, struct error *e);
/* The same of what an exchange line says, which may be past: one that lives says all of it, but for the value where
 * that has expired, and may have a text next to its key; of another what it says is right. The error names it. */
int entry_check_line(const struct memory *m, int64_t now, struct error *e);

#endif
