/*
 * The history of one memory: its revisions, the chain of its versions, and what undo and redo would
 * revert.
 */
#ifndef STEMMA_HISTORY_H
#define STEMMA_HISTORY_H

#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"

/* A change of a memory. `before` is NULL if it was added, `after` if its addition was reverted. */
struct revision {
    struct event event;
    const struct memory *before, *after;
    int64_t undone_by; /* the event that reverted it, if that still holds; 0 if none */
    /* the purge that erased `before`, and also `after` if the purge came later: then neither is
     * known, nor their difference; 0 if none */
    int64_t purged_by;
    /* the damaged event, this one or a later one, that does not say what was before it: then of `before`, and of
     * `after` if it is a later one, only versions, times and what has its own time are known; 0 if none */
    int64_t damaged_by;
};
/*
 * Calls `each` for every event on the memory, newest first; non-zero stops it. The arguments are
 * valid during the call. O(events).
 *
 * The states are computed from patches. The newest has all fields of memory_read; older ones have
 * event 0, and some antecedents have no row. States before a purge are purged ones: only versions
 * and times are known, from the events. A patch that does not fit its memory is told in damaged_by, and the walk goes
 * on.
 */
int history_walk(struct reader *r, int64_t node,
                 int (*each)(void *arg, const struct revision *revision), void *arg,
                 struct error *e);
/*
 * The same, from the newest event down to `least`; all arguments stay valid in the arena. *now is
 * the current memory, NULL if it is only a stub or does not exist. ERROR_STORE if a patch does not fit its memory.
 */
int history_walk_down(struct reader *r, struct arena *arena, int64_t node, int64_t least,
                      int (*each)(void *arg, const struct revision *revision), void *arg,
                      const struct memory **now, struct error *e);

/* Who made a change that still holds. */
struct author {
    int64_t seq, at; /* seq 0 if it was done elsewhere, before an import */
    const char *who,
        *reason;        /* in the arena; who: NULL if nobody is known, reason: if none was given */
    const char *origin; /* in the arena: where it was done if not here ("kernle"), else NULL */
    bool person;
    bool again; /* an undo brought the change back: the change itself says who and why */
};
struct author author_of(struct arena *arena, const struct event *event);
/* Sets *author to who made the change, unless it was reverted or *author is known already, other than from an undo. */
void author_take(struct arena *arena, struct author *author, const struct revision *revision);
/* Did the change end the memory, with that status? */
bool revision_ends(const struct revision *revision, enum status status);
/*
 * Sets *author to who made the last imported change whose operation contains `word` ("protect"), unless
 * *author is known already. Imported histories name operations in the words of their origin.
 */
int author_take_imported(struct reader *r, struct arena *arena, int64_t node, const char *word,
                         struct author *author, struct error *e);
/*
 * Finds who gave a memory its present status, if it does not live: in the journal, else in its
 * imported history. O(events on it since).
 */
int history_ended_by(struct reader *r, struct arena *arena, int64_t node, enum status status,
                     struct author *out, struct error *e);
/* The newest memory that supersedes it, of those that the caller may know of, and when it did; 0 if there is none. */
int history_successor(struct reader *r, int64_t node, int64_t *out, int64_t *at, struct error *e);
/* The same for one that was superseded, from the journal alone. */
int history_superseded_by(struct reader *r, struct arena *arena, int64_t node, struct author *out,
                          struct error *e);

/*
 * Returns one event with the memory before and after it, and as it is now (NULL for a stub). After
 * undo failed with ERROR_CONFLICT, `after` is what the event left and `before` what undo would
 * restore. In the arena. O(events on that memory since). ERROR_NOT_FOUND if there is no such event,
 * or it is not about a memory.
 */
int history_at(struct reader *r, struct arena *arena, int64_t seq, struct revision *out,
               const struct memory **now, struct error *e);

/* The number of a memory's events up to and with `seq`. -1 on error. */
int64_t history_count(struct reader *r, int64_t node, int64_t seq, struct error *e);

/*
 * The memories that are connected with `node` by the relation supersedes, oldest first; the same
 * for each of them. None comes before what it supersedes; otherwise creation times decide, also
 * where one supersedes several or a cycle must be broken. Memories that the reader's caller does
 * not see whole are left out, and their connections ignored. Stubs are included. In the arena.
 * O(members log members), no recursion.
 */
int history_versions(struct reader *r, struct arena *arena, int64_t node, int64_t **rows,
                     size_t *count, struct error *e);

/* ---- undo and redo ---- */

/*
 * An event that reverts another one names it (`undoes`), and can itself be reverted. An event, its
 * undo, the redo of that and so on form a chain without branches. The end of the chain tells
 * whether the event holds.
 */

/*
 * Returns the event that reverted `seq`, 0 if none or if it was redone, -1 on error. O(its chain).
 */
int64_t history_undone_by(struct reader *r, int64_t seq, struct error *e);
/*
 * Stores the end of the chain of `seq`, which is `seq` itself if nothing reverts it. *undone tells
 * whether `seq` is reverted.
 */
int history_chain_end(struct reader *r, int64_t seq, int64_t *end, bool *undone, struct error *e);

/*
 * What history_to_undo skipped: purges and events on memories that were purged since. And what
 * stopped it: a decision about a session, which cannot be undone.
 */
struct passed {
    size_t purges; /* made by the person */
    size_t others; /* other events of the person on memories that were purged since, by anyone */
    int64_t seq;   /* the newest purge, or the newest of the others if there is none */
    struct ref ref;
    const char *decision; /* operation of the decision, "end-session"; NULL if none stopped it */
    int64_t decided, session; /* its event and session */
    int64_t before;           /* the event that undo would revert without the decision; 0 if none */
};
/*
 * The events that undo (or redo) would revert now for the person `actor`, newest first; none if
 * there is nothing to do. As in an editor: undo walks back over what the person did by hand, redo
 * walks forward, and after a new edit there is nothing to redo. *passed (may be NULL) tells what
 * was skipped or stopped it. In the arena.
 */
int history_to_undo(struct reader *r, struct arena *arena, const char *actor, bool redo,
                    int64_t **seqs, size_t *count, struct passed *passed, struct error *e);
/*
 * If there is an import after the last event of `actor`, and it still holds, stores its last event and the number
 * of its events; otherwise *seq is 0. Undo skips imports, because they are not done by hand.
 */
int history_last_import(struct reader *r, const char *actor, int64_t *seq, int64_t *count,
                        struct error *e);
/*
 * The event and all events with its correlation, newest first. *count is 0 if there is no such
 * event.
 */
int history_batch(struct reader *r, struct arena *arena, int64_t seq, int64_t **seqs, size_t *count,
                  struct error *e);

/* A memory at one of its versions, for reports of a conflict; as the reader's caller sees it. */

/*
 * Appends the JSONL form of the memory at that version. Returns 1; 0 if no event left that version
 * or its content is erased; -1 on error. O(events on it since).
 */
int version_form(struct reader *r, int64_t node, int64_t version, struct strbuf *out,
                 struct error *e);
/*
 * Appends the two versions of a stale change as JSON members: "expected":{…} (null if unknown) and
 * "present":{…}.
 */
int version_both(struct reader *r, struct arena *arena, int64_t node, int64_t expected,
                 struct strbuf *out, struct error *e);

/*
 * Former states of a memory, as the guard's caller may see them: the namespace or agent at that
 * time decides, not the present one.
 */

/*
 * Stores the visible part of state `m` (may be NULL): `m` itself or a copy in the arena; NULL if it
 * is not seen whole.
 */
int guard_state(struct reader *r, struct arena *arena, const struct memory *m,
                const struct memory **seen, struct error *e);
/*
 * Reduces a revision from history_walk to what the caller may see. If the state before is hidden,
 * it and the reason are removed. *visible is false if nothing may be shown: then the walk should
 * end, because a history begins where the memory was last made visible.
 */
int guard_revision(struct reader *r, struct arena *arena, struct revision *v, bool *visible,
                   struct error *e);

#endif
