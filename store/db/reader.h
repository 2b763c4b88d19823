/*
 * What the reading parts of the store share of a reader: its connections and whether it was
 * interrupted. For store/ alone; callers see store.h.
 */
#ifndef STEMMA_READER_H
#define STEMMA_READER_H

#include "store/db/db.h"
#include "store/db/store.h"

struct guard;
struct guard_rules;
struct past;

/*
 * 0, or -1 with ERROR_INTERRUPTED where reader_interrupt was called since the outermost reader_begin,
 * or where it went beyond its limit. Loops that do not stay inside SQLite ask now and then.
 */
int reader_check(struct reader *r, struct error *e);

/*
 * From here on it may take about `vm_steps` steps of SQLite's machine (a few of them for each row that
 * is looked at); what goes beyond ends with ERROR_INTERRUPTED, and so does all that it is asked until
 * the next call. 0: no limit. So a caller whose time is others' as well can give up a question that
 * turns out long and have it asked again elsewhere.
 */
void reader_limit(struct reader *r, int64_t vm_steps);
/* Did something end for the limit since then? Whatever it was answered with, it is not whole. */
bool reader_is_spent(const struct reader *r);
/* What is done without SQLite counts as well, as so many of its steps; then as reader_check. */
int reader_spend(struct reader *r, int64_t vm_steps, struct error *e);
/* Asked before what reads a whole store, partly outside of this connection: under a limit that is too
 * much, and ERROR_INTERRUPTED at once. */
int reader_begin_long(struct reader *r, struct error *e);

/*
 * How far a long read has come, in rows, for reader_on_progress. A question of several passes says which
 * of them it is in: a pass over `total` rows is one of `parts` alike.
 */
void reader_part(struct reader *r, int part, int parts);
/* `total` 0: not known. */
void reader_progress(struct reader *r, int64_t done, int64_t total);
/* Loops tell it when this is 0. */
#define READER_TELLS(i) ((i)&1023)

/* The last event of the reader's transaction: what it reads is as of then. Outside of one, the last of
 * all. 0: there is none. */
int reader_moment(struct reader *r, int64_t *seq, struct error *e);

/*
 * A second connection to the same file, for a scan that two threads share; opened when it is first
 * asked for, owned by the reader and interrupted with it. NULL on error.
 */
struct db *reader_second(struct reader *r, struct error *e);
/* What runs there ends where `asked`, now and then, answers non-zero; NULL: only by an interrupt, as at first. */
void reader_ask_second(struct reader *r, int (*asked)(void *arg), void *arg);

/*
 * A connection that shows the present, in a transaction: the reader's own, and of a reader of the past
 * the second one. Not nested. NULL on error.
 */
struct db *reader_begin_present(struct reader *r, struct error *e);
void reader_end_present(struct reader *r);

/*
 * A number that no other open list of this reader has. Lists put it into their SQL, so that two that
 * are open at once do not take each other's statements. -1 where 32 are open.
 */
int reader_take_slot(struct reader *r);
void reader_give_slot(struct reader *r, int slot);

/*
 * A reader of what a transaction of the writer's has written so far, over its connection, which stays the
 * caller's: its transaction never ends, it has no limit and no second connection, and what others keep of
 * answers is not for it, for the transaction may still be rolled back. NULL on error.
 */
struct reader *reader_over(struct store *s, struct db *db, struct error *e);
/* The transaction is another, or wrote something. */
void reader_renew(struct reader *r);
/* May what was found before by any reader of the store be taken for an answer, and what it finds be kept? */
bool reader_keeps(const struct reader *r);

/* The event as of which it reads the past; -1: it reads the present. */
int64_t reader_past(const struct reader *r);

/* Is its connection the writer's, so that what it reads may be written again? */
bool reader_is_writers(const struct reader *r);

/* Gives back what was freed, where it is much: the next question finds the file as warm as it was. */
void reader_pause(struct reader *r);

/*
 * The caller whom it reads for, which store/guard sets and asks, with what was looked up for him.
 */
struct guard_known {
    const struct guard *guard;      /* NULL: it reads for a person */
    const struct guard_rules *mask; /* by which a person wants to see it masked; NULL: as it is */
    int hides;                      /* -1: not asked yet in this transaction */
    int hides_linked;               /* the same of entries that have links */
    int64_t mine;      /* the row of the caller's agent; -1: it has none; 0: not asked */
    int lists_entries; /* any entry may be listed; -1: not asked yet in this transaction */
    bool met;          /* an entry whose personal data is masked was looked at for the caller */
    size_t masked;     /* texts that were masked for the caller, to be shown: see guard_masked */
};
struct guard_known *reader_guard_known(const struct reader *r);
/* The caller is another, or the transaction: what was looked up in it holds no more. */
void reader_forget_caller(struct reader *r);

/* What makes it a reader of the past, which store/history has. */
struct past_ops {
    int64_t seq; /* the event as of which it reads */
    /* In a transaction that has just begun: what other events came meanwhile is no more seen than the others. */
    int (*follow)(struct past *p, struct error *e);
    void (*free)(struct past *p); /* once the connection is closed */
};
/* From here on it reads the past; `p` becomes its own. */
void reader_turn(struct reader *r, struct past *p, const struct past_ops *ops);

/* "the store is damaged: …"; returns -1. */
int reader_damaged(struct error *e, const char *what, int64_t node);

#endif
