/*
 * When a store was last looked at: the journal's last event that the explorer had shown when it was
 * left. Kept for each store in a file of the person's own, $XDG_STATE_HOME/stemma/visits/HASH or under
 * ~/.local/state, never in the store: looking changes nothing.
 *
 * The file is "SEQ AT": the event and its time, by which another store in the same place is told. One
 * that is missing, broken or of another store is no visit at all, and then nothing is new.
 */
#ifndef STEMMA_VISIT_H
#define STEMMA_VISIT_H

#include "../store/store.h"

/* The file of the store at that path; free() it. NULL where not even HOME is known. */
char *visit_path(const char *store);
/* The last event of the last visit; -1: there was none. *at (may be NULL): its time. */
int64_t visit_read(struct reader *r, const char *path, int64_t *at);
/* Notes that everything up to that event was shown; another explorer's later visit stays. Where it
 * cannot be written nothing happens: the next visit begins where this one did. */
void visit_write(struct reader *r, const char *path, int64_t seq);

#endif
