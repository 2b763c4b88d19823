/* What a memory was, from what it is and the patches of the events since. For store/ alone. */
#ifndef STEMMA_REWIND_H
#define STEMMA_REWIND_H

#include "store/db/db.h"
#include "store/db/store.h"

/*
 * The memory of that row when the event `seq` had been made, in the arena; a stub where it was not
 * there. Through a connection that reads the present, in a transaction. Of an antecedent that was
 * taken away since, the row is not known (0), and every status is that of the present: rewind_links
 * fills both. ERROR_STORE: a patch does not fit. O(events on it since).
 */
int rewind_memory(struct db *db, struct arena *arena, int64_t node, int64_t seq, struct memory *out,
                  struct error *e);

/*
 * What is known of a purged memory as the event at `at` left it: that it was there, in which version,
 * and what its parts say of their own times. `known` is
 * the same memory later, `until` the time of its next event. In the arena, sharing what did not
 * change; NULL where memory ran out.
 */
struct memory *rewind_purged(struct arena *arena, const struct memory *known, int64_t version,
                             int64_t at, int64_t until);

/*
 * Of an entry no patch is kept of what it was before it expired, or before what it had been expired; unless it was
 * purged (rewind_is_swept, of what is known). rewind_purged says what is known, and rewind_swept the rest: no value,
 * its status as the event `seq` left it, by the operations until then, and no time where one since may have given it
 * another (`retimed`, by rewind_retimes). A sweep of what it had been keeps what it is (rewind_keeps).
 */
bool rewind_is_swept(const struct memory *known);
bool rewind_retimes(const char *operation);
bool rewind_keeps(const char *operation);
int rewind_swept(struct db *db, struct arena *arena, int64_t node, int64_t seq, bool retimed,
                 struct memory *m, struct error *e);
/* What is known of one whose addition the event `seq` took back, and which was swept then: that it was there. */
int rewind_taken_back(struct db *db, struct arena *arena, struct ref ref, int64_t node, int64_t seq,
                      struct memory **out, struct error *e);

/* Fills the rows that its links lead to, and with `seq` above 0 what status they had then. */
int rewind_links(struct db *db, struct memory *m, int64_t seq, struct error *e);

/* The last event on that row at `seq` or before it; 0: it was not there. */
int rewind_event(struct db *db, int64_t node, int64_t seq, int64_t *event, struct error *e);
/* When that was; 0 where there is none. */
int rewind_time(struct db *db, int64_t node, int64_t seq, int64_t *at, struct error *e);
/* The last event in (low, high] that added it; 0: none did. O(events on it there). */
int rewind_addition(struct db *db, int64_t node, int64_t low, int64_t high, int64_t *event,
                    struct error *e);

#endif
