/* What became of one memory: its revisions, and the chain of its versions. */
#ifndef STEMMA_HISTORY_H
#define STEMMA_HISTORY_H

#include "journal.h"

/* A change of a memory, whole. before NULL: it was added; after NULL: an addition was taken back. */
struct revision {
    struct event event;
    const struct memory *before, *after;
    int64_t undone_by; /* the event that took it back, where that stands; 0: none */
};
/*
 * Calls `each` for every event on it, newest first, and may be stopped with non-zero. What is handed over lives for the
 * call alone. O(events); the states are made from the patches. Of one that was purged the states before
 * are purged ones.
 */
int history_walk(struct reader *r, int64_t node,
                 int (*each)(void *arg, const struct revision *revision), void *arg,
                 struct error *e);

/*
 * The chain of versions that a memory belongs to, by the relation supersedes, oldest first: the same from
 * each member. Where several supersede one, or one several, all are in it, ordered by when they were
 * made. In the arena. O(members log members), no recursion; a circle ends it.
 */
int history_versions(struct reader *r, struct arena *arena, int64_t node, int64_t **rows,
                     size_t *count, struct error *e);

/* The events that undo (redo) would take back now, for the person of that name: newest first; none where
 * there is nothing. In the arena. */
int history_to_undo(struct reader *r, struct arena *arena, const char *actor, bool redo,
                    int64_t **seqs, size_t *count, struct error *e);
/* Has that event been taken back, and not brought again? The event that did; 0: no. -1 on error. */
int64_t history_undone_by(struct reader *r, int64_t seq, struct error *e);

#endif
