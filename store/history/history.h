/* What became of one memory: its revisions, and the chain of its versions; what was taken back. */
#ifndef STEMMA_HISTORY_H
#define STEMMA_HISTORY_H

#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"

/* A change of a memory, whole. before NULL: it was added; after NULL: an addition was taken back. */
struct revision {
    struct event event;
    const struct memory *before, *after;
    int64_t undone_by; /* the event that took it back, where that stands; 0: none */
    int64_t
        purged_by; /* the purge that erased what was before it, and after it where it came before:
                          that is not known, and no difference either; 0: none */
};
/*
 * Calls `each` for every event on it, newest first, and may be stopped with non-zero. What is
 * handed over lives for the call alone. O(events); the states are made from the patches: the newest
 * has all that memory_read fills, the older ones know no event of their own (0) and not of every
 * antecedent its row. Of one that was purged the states before are purged ones, with no more than what
 * is known of them: their versions and times, by the events. ERROR_STORE where an event does not fit
 * its memory.
 */
int history_walk(struct reader *r, int64_t node,
                 int (*each)(void *arg, const struct revision *revision), void *arg,
                 struct error *e);
/*
 * The same, from the newest down to the event `least`; all that is handed over stays in the arena.
 * *now: the memory as it is; NULL: there is only a stub, or nothing.
 */
int history_walk_down(struct reader *r, struct arena *arena, int64_t node, int64_t least,
                      int (*each)(void *arg, const struct revision *revision), void *arg,
                      const struct memory **now, struct error *e);

/*
 * One event by its number, with the memory before and after it, and as it is now (NULL: a stub):
 * for showing them side by side, where undo answered ERROR_CONFLICT: `after` is what it left,
 * `before` what undo would bring back. All in the arena. O(events on that memory since).
 * ERROR_NOT_FOUND: there is no such event, or it is about no memory.
 */
int history_at(struct reader *r, struct arena *arena, int64_t seq, struct revision *out,
               const struct memory **now, struct error *e);

/*
 * The chain of versions that a memory belongs to, by the relation supersedes, oldest first: the
 * same from each member. Where several supersede one, or one several, all are in it: none before
 * what it supersedes, else by when they were made. One that the reader's caller does not see whole is
 * not in it, nor what it alone leads to. In the arena. O(members log members), no
 * recursion; a circle is broken at the one that was made first. Members that are missing (stubs)
 * are in it.
 */
int history_versions(struct reader *r, struct arena *arena, int64_t node, int64_t **rows,
                     size_t *count, struct error *e);

/* ---- what was taken back ---- */

/*
 * Each event that takes one back says which (`undoes`), and is itself taken back by the next: an
 * event, its undo, the redo of that, and so on are one chain, in which none is taken back by two.
 * What stands is said by its end alone.
 */

/*
 * Has that event been taken back, and not brought again? The event that did; 0: no. -1 on error.
 * O(its chain).
 */
int64_t history_undone_by(struct reader *r, int64_t seq, struct error *e);
/* The end of its chain, itself where nothing takes it back. *undone: history_undone_by is not 0. */
int history_end(struct reader *r, int64_t seq, int64_t *end, bool *undone, struct error *e);

/* What an undo passes over on its way: events of purges, and of what was purged since; and what it does not
 * pass: a decision about a session, which cannot be taken back. */
struct passed {
    size_t purges; /* the person's own */
    size_t others; /* what else the person did to what was purged since, by whomever */
    int64_t seq;   /* the newest of the purges; of the others, where there is none */
    struct ref ref;
    const char *decision;     /* its operation, "end-session"; NULL: none stops it */
    int64_t decided, session; /* its event, and what it is about */
    int64_t before;           /* the event that would be next, were it not for that; 0: none */
};
/*
 * The events that undo (redo) would take back now, for the person of that name: newest first; none
 * where there is nothing. As in an editor: several undos walk back over what the person did by
 * hand, redo walks forward, and after a new edit there is nothing to redo. What was purged since is
 * passed over, a decision about a session is not, and *passed (may be NULL) says so. In the arena.
 */
int history_to_undo(struct reader *r, struct arena *arena, const char *actor, bool redo,
                    int64_t **seqs, size_t *count, struct passed *passed, struct error *e);
/* Of an import that is the last thing that was done in that name, and still stands: its last event and how many
 * it has; *seq 0: it was something else. Which undo passes over, for nobody did it by hand. */
int history_last_import(struct reader *r, const char *actor, int64_t *seq, int64_t *count,
                        struct error *e);
/* That event and all that share its correlation, newest first. *count 0: there is no such event. */
int history_batch(struct reader *r, struct arena *arena, int64_t seq, int64_t **seqs, size_t *count,
                  struct error *e);

/* A memory as it was at one of its versions, for who meets another than the one that was read; as the reader's
 * caller sees it. */

/*
 * Appends the exchange form of the memory at that version. 1; 0: no event left it so, or nothing of it is
 * kept; -1. O(events on it since).
 */
int version_form(struct reader *r, int64_t node, int64_t version, struct strbuf *out,
                 struct error *e);
/*
 * The two versions of a stale change, as members of an object: "expected":{…} (null: it is not known) and
 * "present":{…}, in the exchange form.
 */
int version_both(struct reader *r, struct arena *arena, int64_t node, int64_t expected,
                 struct strbuf *out, struct error *e);

/*
 * What a memory was, as the guard's caller may see it: by the namespace or the agent that it had then, whatever it has
 * now. For who tells former states.
 */

/* That state, which may be NULL, thinned: itself, or in the arena. *seen NULL: it is not seen whole. */
int guard_state(struct reader *r, struct arena *arena, const struct memory *m,
                const struct memory **seen, struct error *e);
/*
 * One that history_walk hands over, as it is told: its states thinned, in the arena, and of a hidden one before it
 * nothing, nor why it was left. *told: it is told at all. A history begins where the memory was last made visible:
 * what is not told, and all before it, is none of the caller's, so the walk ends there.
 */
int guard_revision(struct reader *r, struct arena *arena, struct revision *v, bool *told,
                   struct error *e);

#endif
