/*
 * The store as it was. A moment is the number of an event: what was true when that event had been
 * made, and none after it. The present state and the patches of the later events give it; whole
 * images are not kept.
 *
 * The times of events never run backwards, so that a time means one moment.
 */
#ifndef STEMMA_PAST_H
#define STEMMA_PAST_H

#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store.h"

/*
 * The last event at `time` (ms) or before it; 0: there was none yet. O(log events).
 *
 * Older versions of the program wrote the times of events as the clock gave them, be it set back.
 * In such a store there may be several events at `time` or before it that are followed by a later
 * one: it is one of them, always the same. `time` at the last event's time or after it is always
 * the last of all.
 */
int past_moment(struct reader *r, int64_t time, int64_t *seq, struct error *e);
/* When that event was; ERROR_NOT_FOUND: there is none. */
int past_moment_time(struct reader *r, int64_t seq, int64_t *at, struct error *e);

/*
 * A reader whose every answer is as of that moment: lists, traces, labels, searches, events. For
 * one thread; may be made in one and handed to another. `told` (may be NULL) hears how far it is
 * (a total of 0: not known yet) and stops it with non-zero (ERROR_INTERRUPTED). Costs by what changed since; later events by
 * others are followed, each time it begins to read. NULL on error.
 */
struct reader *reader_open_past(struct store *s, int64_t seq,
                                int (*told)(void *arg, int64_t done, int64_t total), void *arg,
                                struct error *e);

/* ---- comparing two moments ---- */

/* A memory that differs between two moments. */
struct changed {
    int64_t node;
    struct ref ref;
    const int64_t *events; /* [event_count] on it between them, ascending */
    size_t event_count;
    /* The one of them that made it so: its addition where only the later moment has it, else the last. */
    int64_t made;
    const struct memory *before, *after; /* NULL: it is not there */
};
/*
 * Calls `each` for every memory that differs, in the order of their last events; `arena` is cleared
 * between. `each` may stop it with non-zero. The moments may be given in either order: it tells how
 * to come from the first to the second. The value of an entry that has expired by now is in neither.
 */
int past_compare(struct reader *r, int64_t from, int64_t to,
                 int (*each)(void *arg, const struct changed *c), void *arg, struct error *e);

/* ---- a memory as it was, from what it is and the patches of the events since; only store/ calls these ---- */

/*
 * The memory of that row when the event `seq` had been made, in the arena; a stub where it was not
 * there. Through a connection that reads the present, in a transaction. Of an antecedent that was
 * taken away since, the row is not known (0), and every status is that of the present: rewind_links
 * fills both. ERROR_STORE: a patch does not fit. O(events on it since).
 */
int rewind_memory(struct db *db, struct arena *arena, int64_t node, int64_t seq, struct memory *out,
                  struct error *e);

/* A memory on its way back, event by event, the newest first. */
struct rewind {
    struct db *db;
    struct arena *arena;
    int64_t node;
    struct ref ref;
    struct memory *state;       /* after the next event; NULL: not there */
    const struct memory *known; /* the last state that there was; NULL: none */
    int64_t version;            /* that of the state before it */
    int64_t until;              /* when the event was that was taken back last */
    bool erased;                /* no patch says what `state` was, which is but the last known */
    bool swept;                 /* what an entry was had expired, and was erased */
    bool retimed;               /* it may have had another time until then */
};
/*
 * Takes one event back, of which seq, at, operation, before, after and patch are asked. Of what was purged, and of an
 * entry before it expired or before what it had been expired, no patch is kept: rewind_erased says what is known.
 */
struct event;
int rewind_back(struct rewind *w, const struct event *event, struct error *e);
/*
 * Makes an erased state what is known of it as the event `seq` left it: that it was there, in which version, and what
 * its parts say of their own times; of a swept entry no value, its status by the operations until then, and no time
 * where one since may have given it another. Shares what did not change.
 */
int rewind_erased(struct rewind *w, int64_t seq, struct error *e);
/* Does what it had been go by that event, and it itself stay? */
bool rewind_keeps(const char *operation);

/* Fills the rows that its links lead to, and with `seq` above 0 what status they had then. */
int rewind_links(struct db *db, struct memory *m, int64_t seq, struct error *e);

#endif
