/*
 * The rules for an entry that agents can find, read and overwrite. Every way by which people add or
 * change one checks them, so that it accepts only what putMemory accepts. And the rule for the number of a step. Only
 * for store/.
 */
#ifndef STEMMA_CHECK_H
#define STEMMA_CHECK_H

#include "model/base/error.h"
#include "model/memory/memory.h"

struct db;

/*
 * Checks those of namespace, key, value and expires_at that are present. Other kinds always pass.
 * ERROR_INVALID names the member and what to give.
 */
int entry_check_given(const struct memory *m, struct error *e);
/*
 * The same, and requires a namespace, a value, and the key as text. expires_at must be in the
 * future: otherwise the value would be erased at once, which no undo reverts.
 */
int entry_check(const struct memory *m, int64_t now, struct error *e);
/*
 * The same for a JSONL line, whose expires_at may be past. A living entry must be complete, except
 * for the value of an expired one, and its text may differ from its key. For other entries only
 * present members are checked. The error names the memory.
 */
int entry_check_line(const struct memory *m, int64_t now, struct error *e);

/* Each step of a chain has a number of its own: ERROR_CONFLICT names another step that has the number of `m`. O(steps
 * of the chain). What is no step, or has no number, passes. */
int step_number_check(struct db *db, const struct memory *m, struct error *e);
/* The same for a step whose addition was undone, before it returns by a redo or an import. Any other memory passes. */
int step_return_check(struct db *db, const struct memory *m, struct error *e);

#endif
