/*
 * What the rooms of the store need of a reader: interruption, limits, progress, the caller's guard,
 * the past. Only for store/; callers see store.h.
 */
#ifndef STEMMA_READER_H
#define STEMMA_READER_H

#include "store/db/db.h"
#include "store/db/store.h"

struct guard;
struct guard_rules;
struct past;
struct patience;

/*
 * Returns 0, or -1 with ERROR_INTERRUPTED if reader_interrupt was called since the outermost
 * reader_begin or the limit is exceeded. Loops outside SQLite should call it now and then.
 */
int reader_check(struct reader *r, struct error *e);

/*
 * Limits the reader to about `vm_steps` steps of SQLite's virtual machine (a few for each row
 * read); 0 removes the limit. Beyond it every query fails with ERROR_INTERRUPTED until the next
 * call. So a thread that serves several clients can give up a long query and have it repeated on
 * another thread.
 */
void reader_limit(struct reader *r, int64_t vm_steps);
/* True if the limit was exceeded since reader_limit. The results since then may be incomplete. */
bool reader_limit_exceeded(const struct reader *r);
/* Counts work outside SQLite as `vm_steps`, then returns as reader_check. */
int reader_charge(struct reader *r, int64_t vm_steps, struct error *e);
/*
 * For a long computation of model/graph on behalf of the reader: over if reader_check would fail. Its steps count for
 * the limit. The computation says nothing of it, so call reader_check after it.
 */
struct patience *reader_patience(struct reader *r);
/* Call before reading a whole store. Under a limit it fails at once with ERROR_INTERRUPTED. */
int reader_begin_long(struct reader *r, struct error *e);

/*
 * Progress of a long read, in rows, for reader_on_progress. A read of several passes announces each
 * with reader_part: pass `part` of `parts`, each of `total` rows.
 */
void reader_part(struct reader *r, int part, int parts);
/* `total` is 0 if unknown. */
void reader_progress(struct reader *r, int64_t done, int64_t total);
/* True for every 1024th row, when loops should report progress. */
#define READER_REPORTS(i) (((i)&1023) == 0)

/*
 * Stores what identifies the snapshot that the reader sees: the number of its last event, 0 if there
 * is none, plus SNAPSHOT_REWRITE for each time that a replica made its last events again. Outside of
 * a transaction it is that of the present, for a reader of the past its event.
 */
#define SNAPSHOT_REWRITE (INT64_C(1) << 40)
int reader_snapshot_seq(struct reader *r, int64_t *seq, struct error *e);

/*
 * A second connection to the same file, for a scan that two threads share. It is opened on first
 * use, belongs to the reader and is interrupted with it. NULL on error.
 */
struct db *reader_second(struct reader *r, struct error *e);
/*
 * Statements on the second connection stop when `stop` returns non-zero. NULL restores the default:
 * only an interrupt stops them.
 */
void reader_second_stop_if(struct reader *r, int (*stop)(void *arg), void *arg);

/*
 * A connection in a transaction that shows the present: the reader's own, or the second one if it
 * reads the past. Do not nest. NULL on error.
 */
struct db *reader_begin_present(struct reader *r, struct error *e);
void reader_end_present(struct reader *r);

/*
 * Takes a number that no other open list of this reader has, or -1 if 32 lists are open. A list
 * puts its number into its SQL, so that two open lists never share a cached statement.
 */
int reader_take_slot(struct reader *r);
void reader_give_slot(struct reader *r, int slot);

/*
 * A reader over the writer's connection, which the caller keeps. It sees what the current
 * transaction has written so far. It has no limit and no second connection, and its results must
 * not be cached because the transaction may be rolled back. NULL on error.
 */
struct reader *reader_over(struct store *s, struct db *db, struct error *e);
/* Call after the writer's transaction changed, or wrote something. */
void reader_renew(struct reader *r);
/* True if this reader may use and fill caches that all readers of the store share. */
bool reader_may_cache(const struct reader *r);

/* The event as of which it reads; -1 if it reads the present. */
int64_t reader_past(const struct reader *r);

/* Which memories it disbelieves; NULL: none. */
const struct disbelief *reader_disbelief(const struct reader *r);

/* True if its connection is the writer's, so that rows may change between reads. */
bool reader_is_writers(const struct reader *r);

/* Returns freed memory to the system if it is much. Call it between questions. */
void reader_trim_memory(struct reader *r);

/* The caller that the reader serves, and what store/guard has looked up about it. */
struct guard_known {
    const struct guard *guard;      /* NULL if it reads for a person */
    const struct guard_rules *mask; /* rules for a person who wants masked text; NULL if none */
    int hides;                      /* some entry is hidden; -1: not known in this transaction */
    int hides_linked;               /* the same for entries with links */
    int64_t mine;      /* the row of the caller's agent; -1: it has none; 0: not known */
    int lists_entries; /* any entry may be listed; -1: not known in this transaction */
    int withholds;     /* any memory is hidden by its status; -1: not known in this transaction */
    bool read_masked;  /* the caller has read an entry whose personal data is masked */
    size_t masked;     /* texts masked for the caller so far: see guard_masked */
};
struct guard_known *reader_guard_known(const struct reader *r);
/* Forgets what was looked up: the caller or the transaction changed. */
void reader_forget_caller(struct reader *r);

/* The operations of a reader of the past, implemented by store/history. */
struct past_ops {
    int64_t seq; /* it reads as of this event */
    /* Called when a transaction begins: hides the events that came since the last one. */
    int (*follow)(struct past *p, struct error *e);
    void (*free)(struct past *p); /* called after the connection is closed */
};
/* Makes it a reader of the past. The reader owns `p` from now on. */
void reader_set_past(struct reader *r, struct past *p, const struct past_ops *ops);

/* Sets "the store is damaged: WHAT of row NODE" and returns -1. */
int reader_damaged(struct error *e, const char *what, int64_t node);

#endif
