/*
 * A write transaction: state that the writer thread keeps between jobs, and that txn_put and the
 * journal share. Only for store/; only the writer's thread uses it.
 */
#ifndef STEMMA_TXN_H
#define STEMMA_TXN_H

#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/db/head.h"
#include "model/base/map.h"
#include "store/db/text_index.h"
#include "store/txn/writer.h"

struct load;
struct team_link;

/* Of a replica of a team's store (store/team/team.h): the journal up to `confirmed` is the team's. */
struct txn_team {
    bool member;
    int machine;
    int64_t confirmed;
    struct digest hash; /* of the event `confirmed`; unset if that is 0 */
};

/* The state at a savepoint. */
struct savepoint {
    int64_t last_seq, last_node;
    struct digest last_hash;
    struct txn_team team;
    size_t links, waiting, texts; /* sizes of the buffers of a bulk load */
    int64_t changes;              /* sqlite3_total_changes64 */
};

/*
 * Hooks of a bulk load (store/record/load.h): its buffers follow the savepoints of the transaction.
 */
struct load_ops {
    void (*save)(const struct load *l, struct savepoint *saved);
    void (*undo)(struct load *l, const struct savepoint *saved);
    int (*texts)(struct load *l, struct text_index *x, struct error *e);
};

/* A cache from a ref or a name to its row. Beyond INTERN_MAX entries it is cleared. */
#define INTERN_MAX  (1u << 18)
#define INTERN_NONE (-1)

struct intern {
    struct key_index keys; /* a byte for the tag, then the key */
    int64_t *row;          /* [keys.count] */
    size_t alloc;
    struct strbuf sought;
};
#define INTERN_INIT                                                                                \
    {                                                                                              \
        .keys = KEY_INDEX_INIT, .sought = STRBUF_INIT                                              \
    }

/* The row of a key under a tag (a kind, or 0), or INTERN_NONE. */
int64_t intern_find(struct intern *t, unsigned tag, const char *key);
/* Returns true if all earlier entries were dropped to make room. */
bool intern_add(struct intern *t, unsigned tag, const char *key, int64_t row);
void intern_clear(struct intern *t);
void intern_release(struct intern *t);

struct txn {
    struct store *store;
    struct db *db;
    /* Called repeatedly while it waits for others; true ends the wait. May be NULL. */
    bool (*gives_up)(void *arg);
    void *give_up_arg;
    int64_t busy_since; /* ms, monotonic: since when another program locks the file */
    int64_t now;
    /*
     * Changes when cached lookups may be invalid: at the start of a transaction and after a
     * rollback to a savepoint. Never 0.
     */
    uint64_t generation;

    /* The end of the journal and the greatest row of `memory`, read when the transaction begins. */
    int64_t last_seq;
    struct digest last_hash;
    int64_t last_node;
    /* The end of the log of calls, valid in calls_generation; see call_chain.h. */
    struct chain_end calls;
    uint64_t calls_generation;
    struct txn_team team;

    /* Known rows of refs and names; only rows that exist. */
    struct intern refs, agents, source_types;
    /* `refs` has every ref of the store: a missing one need not be queried. */
    bool refs_complete;

    /*
     * Pending changes of the text index. FTS5 writes its whole buffer at every savepoint, so they
     * are applied together before the commit (measured: saves a third of a small job).
     */
    struct text_index index;

    struct load *load; /* NULL unless this is a bulk load */
    const struct load_ops *load_ops;

    int64_t data_version; /* PRAGMA data_version after our last commit */
    bool indexes_checked; /* the indexes exist */
    bool holds_log;       /* see store_file.h */
    bool has_lock;        /* the write lock: until it commits or is rolled back */
    bool log_saved;       /* the log was removed, and its content is in the file */
    bool failed;          /* a write failed half-way: roll this job back */
    bool erased;          /* it erased content, which the log must not keep */
    struct strbuf bytes;  /* the JSONL form that an event commits to */
    struct strbuf text, words, canonical, patch, tags, annotations;
    unsigned char random[256]; /* unused random bytes */
    size_t random_left;

    struct reader *reader; /* over this connection, for plans; NULL before its first use */

    struct savepoint saved;
};

/*
 * Returns a reader over this connection, which sees what the transaction has written so far. NULL
 * on error.
 */
struct reader *txn_reader(struct txn *t, struct error *e);

/* Opens the writer's connection. NULL with `e`. */
struct txn *txn_open(struct store *s, struct error *e);
void txn_close(struct txn *t); /* NULL is allowed */

/* Sets gives_up. */
void txn_set_give_up(struct txn *t, bool (*gives_up)(void *arg), void *arg);
/* Whether it waits if another program locks the file. True at first. */
void txn_wait_for_others(struct txn *t, bool wait);
/* Takes the write lock and begins. After -1 it holds no lock. */
int txn_begin(struct txn *t, struct error *e);
/* Commits and releases the write lock. After -1 it was rolled back. */
int txn_commit(struct txn *t, struct error *e);
void txn_rollback(struct txn *t);
/* True if SQLite has rolled the transaction back: the disk is full. */
bool txn_is_lost(struct txn *t);

/*
 * For a job without a savepoint (a savepoint copies each page that it changes, a fifth of a small
 * job's time). txn_note_state records the state before it. After success call txn_end_job. After a
 * failure, if txn_is_unchanged the job left nothing; otherwise only txn_rollback helps.
 */
void txn_note_state(struct txn *t);
int txn_end_job(struct txn *t, struct error *e);
bool txn_is_unchanged(struct txn *t);

int txn_save(struct txn *t, struct error *e);
int txn_release(struct txn *t, struct error *e);
int txn_undo(struct txn *t, struct error *e); /* rolls back to the savepoint */

/*
 * Random bytes from a buffer: a system call for each salt would cost more than its hashing. `len`
 * is at most sizeof(t->random). Returned bytes are wiped from the buffer.
 */
int txn_random(struct txn *t, void *out, size_t len, struct error *e);
/* As store_make_id, with bytes from txn_random. */
int txn_make_id(struct txn *t, char out[37], struct error *e);

/*
 * What the writer asks of a team's replica (store/team). All are called on its thread, within a
 * transaction, if the store is a member; `struct team_link` is the replica's own.
 */
enum team_outcome {
    TEAM_SENT,   /* the team has the events of this transaction */
    TEAM_KEPT,   /* it cannot be reached: they wait in the outbox */
    TEAM_BEHIND, /* others were faster: nothing was sent */
};
struct team_ops {
    /*
     * Sends the events of this transaction. If others were faster and `merge` is set, applies
     * theirs and makes the changes of this transaction again after them.
     */
    int (*send)(struct txn *t, bool merge, enum team_outcome *out, struct error *e);
    /* Notes what the jobs up to `end` changed, before they are rolled back after TEAM_BEHIND. */
    int (*note)(struct txn *t, const struct store_job *jobs, const struct store_job *end,
                struct error *e);
    /* Applies what others appended; with `lock` nobody else appends before the next `send`. */
    int (*catch_up)(struct txn *t, bool lock, struct error *e);
    /* After a job that runs for the second time: does what it changed still hold? */
    int (*check)(struct txn *t, const struct store_job *job, struct error *e);
    void (*done)(struct team_link *link); /* after jobs that ran twice: lets the others append */
    void (*close)(struct team_link *link);
};

/* Returns the row of an agent or a source type, inserted if missing. -1 on error. */
int64_t txn_agent(struct txn *t, const char *name, struct error *e);
int64_t txn_source_type(struct txn *t, const char *name, struct error *e);
/*
 * Returns the row of a ref. If it was never named: inserts a stub if `make`, else returns 0. -1 on
 * error.
 */
int64_t txn_ref(struct txn *t, struct ref ref, bool make, struct error *e);

#endif
