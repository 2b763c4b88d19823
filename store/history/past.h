/*
 * The store as of an event: after that event and before the next one. It is computed from the
 * present state and the patches of later events; there are no old images.
 *
 * Events are ordered by sequence. Their times are those of the wall clock, which may have been set.
 */
#ifndef STEMMA_PAST_H
#define STEMMA_PAST_H

#include "store/db/reader.h"

struct event;

/*
 * The last event by sequence whose time is at or before `time` (ms); 0 if there is none. O(events
 * after it).
 */
int past_event_at(struct reader *r, int64_t time, int64_t *seq, struct error *e);
/* Stores the time of an event. ERROR_NOT_FOUND if there is none. */
int past_event_time(struct reader *r, int64_t seq, int64_t *at, struct error *e);

/*
 * Opens a reader that reads everything as of an event: lists, traces, labels, searches, events. One
 * thread may open it and another one use it. `report` (may be NULL) gets the progress (total 0
 * while unknown); non-zero stops it with ERROR_INTERRUPTED. The cost grows with the changes since
 * the event; later changes by others are followed at each transaction. NULL on error.
 */
struct reader *reader_open_past(struct store *s, int64_t seq,
                                int (*report)(void *arg, int64_t done, int64_t total), void *arg,
                                struct error *e);

/* ---- comparing the store as of two events ---- */

/* A memory that differs between two events. */
struct changed {
    int64_t node;
    struct ref ref;
    const int64_t *events; /* [event_count] events on it between them, ascending */
    size_t event_count;
    /*
     * The event that made the difference: its addition if that is among `events`, else the last.
     */
    int64_t made;
    const struct memory *before, *after; /* NULL if it does not exist */
};
/*
 * Calls `each` for every memory that differs, in the order of `made`. The arguments are
 * valid during the call; non-zero stops it. `from` may be after `to`; `before` is always the state
 * as of `from`. Expired values of entries are left out of both.
 */
int past_compare(struct reader *r, int64_t from, int64_t to,
                 int (*each)(void *arg, const struct changed *c), void *arg, struct error *e);

/* ---- a memory as of an event; only for store/ ---- */

/*
 * The memory of a row as of event `seq`, in the arena; a stub if it did not exist. `db` must show
 * the present, in a transaction. Antecedents that were removed since have row 0, and their statuses
 * are the present ones: rewind_links fills both. ERROR_STORE if a patch does not fit. O(events on
 * it since).
 */
int rewind_memory(struct db *db, struct arena *arena, int64_t node, int64_t seq, struct memory *out,
                  struct error *e);

/* A memory that is rewound event by event, newest first. */
struct rewind {
    struct db *db;
    struct arena *arena;
    int64_t node;
    struct ref ref;
    struct memory *state;       /* after the next event; NULL if it does not exist */
    const struct memory *known; /* the last known state; NULL if none */
    int64_t version;            /* version of the state before it */
    int64_t until;              /* time of the last reverted event */
    bool erased;                /* there was no patch: `state` is only a copy of `known` */
    bool swept;                 /* it is an entry whose earlier values expired and were erased */
    bool retimed;               /* its expiry may have been different before */
};
/*
 * Reverts one event. Uses its seq, at, operation, before, after and patch. There is no patch for a
 * purged memory, nor for an expired value of an entry: call rewind_erased.
 */
int rewind_back(struct rewind *w, const struct event *event, struct error *e);
/*
 * Sets an erased state to what is known as of event `seq`: that it existed, its version, and those
 * parts that have their own times. An entry with an expired value has no value, a status derived
 * from its operations, and no expiry if a later event may have set it. Shares unchanged parts.
 */
int rewind_erased(struct rewind *w, int64_t seq, struct error *e);
/*
 * True for the operation that erases expired former values of an entry: it changes neither the
 * memory nor its version.
 */
bool rewind_is_sweep(const char *operation);

/* Fills the rows of its links' targets; if `seq` > 0, also their statuses as of that event. */
int rewind_links(struct db *db, struct memory *m, int64_t seq, struct error *e);

#endif
