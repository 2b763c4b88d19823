/*
 * A write transaction: what the writer thread keeps between jobs, and what txn_put and the journal
 * share. For store/ alone; only the writer's thread touches it.
 */
#ifndef STEMMA_TXN_H
#define STEMMA_TXN_H

#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/db/head.h"
#include "model/base/map.h"
#include "store/db/text_index.h"
#include "store/txn/writer.h"

/* The state when it was made. */
struct savepoint {
    int64_t last_seq, last_at, last_node;
    struct digest last_hash;
    size_t links, waiting, texts; /* that a bulk load keeps back */
    int64_t changes;              /* rows that were written by then */
};

/* What a bulk load keeps back (store/record/load.h) goes along with the savepoints of the transaction. */
struct load;
struct load_ops {
    void (*save)(const struct load *l, struct savepoint *saved);
    void (*undo)(struct load *l, const struct savepoint *saved);
    int (*texts)(struct load *l, struct text_index *x, struct error *e);
};

/*
 * A map from a ref or a name to its row, for what a writer meets again and again. It is a cache: beyond INTERN_MAX
 * entries it forgets everything and begins anew.
 */
#define INTERN_MAX  (1u << 18)
#define INTERN_NONE (-1)

struct intern {
    struct key_index keys; /* a byte for the tag, and the key */
    int64_t *row;          /* [keys.count] */
    size_t alloc;
    struct strbuf sought;
};
#define INTERN_INIT                                                                                \
    {                                                                                              \
        .keys = KEY_INDEX_INIT, .sought = STRBUF_INIT                                              \
    }

/* The row of that key under that tag (a kind, or 0), or INTERN_NONE. */
int64_t intern_find(struct intern *t, unsigned tag, const char *key);
/* True where all that was added before was forgotten to make room. */
bool intern_add(struct intern *t, unsigned tag, const char *key, int64_t row);
void intern_clear(struct intern *t);
void intern_release(struct intern *t);

struct txn {
    struct store *store;
    struct db *db;
    /* Asked again and again while it waits for others: true where nobody wants to any longer. NULL: nobody is asked. */
    bool (*gives_up)(void *arg);
    void *give_up_arg;
    int64_t busy_since; /* ms, monotonic: another program holds the file */
    int64_t now;
    /* Another number once what was looked up in the transaction may hold no more: each begins one, and
     * going back to a savepoint does. Never 0. */
    uint64_t moment;

    /* The head of the journal, and the greatest row: read when the transaction begins. */
    int64_t last_seq;
    int64_t last_at; /* its time: no later event has an earlier one */
    struct digest last_hash;
    int64_t last_node;
    /* The last row of the log of calls, of that moment; see call_chain.h. */
    struct chain_end calls;
    uint64_t calls_moment;

    /* Rows of refs and names that were met; only rows that are there. */
    struct intern refs, agents, source_types;
    /* `refs` has every ref of the store: what it lacks need not be looked for. */
    bool refs_complete;

    /*
     * Changes of the index of texts that are still to be made. FTS5 writes out all it holds at every savepoint, so they
     * are made together before the commit (measured: a third of what a small job takes).
     */
    struct text_index index;

    struct load *load; /* NULL: this is no bulk load */
    const struct load_ops *load_ops;

    int64_t data_version; /* as it was after our last commit */
    bool indexes_checked; /* that nobody dropped one */
    bool holds_log;       /* see store_file.h */
    bool has_turn;        /* to write: until it commits or is rolled back */
    bool log_saved;       /* it was removed, and all that it held is in the file */
    bool failed;          /* a write failed half-way: this job's savepoint must go */
    bool erased;          /* something that it said must go from the log of writes as well */
    struct strbuf bytes;  /* of the exchange form being committed to */
    struct strbuf text, words, canonical, patch, tags, annotations;
    unsigned char random[256]; /* in stock */
    size_t random_left;

    struct reader *reader; /* over this connection, for plans; NULL until it is asked for */

    struct savepoint saved;
};

/* A reader of what the transaction has written so far: its transaction is this one. NULL on error. */
struct reader *txn_reader(struct txn *t, struct error *e);

/* Opens the connection. NULL with `e`. */
struct txn *txn_open(struct store *s, struct error *e);
void txn_close(struct txn *t); /* NULL is allowed */

/* As gives_up. */
void txn_ask(struct txn *t, bool (*gives_up)(void *arg), void *arg);
/* Is it to wait where another program holds the file? A new one is. */
void txn_wait_for_others(struct txn *t, bool wait);
/* Takes the write lock and begins. After -1 nothing is held. */
int txn_begin(struct txn *t, struct error *e);
/* Commits and releases the write lock; after -1 nothing of the transaction remains. */
int txn_commit(struct txn *t, struct error *e);
void txn_rollback(struct txn *t);
/* SQLite has rolled back by itself: the disk is full, memory ran out. */
bool txn_is_lost(struct txn *t);

/*
 * A job without a savepoint, which costs a copy of each page that it changes (measured: a fifth of what a
 * small job takes): it begins, and is kept; or, where it changed nothing, dropped. What changed something
 * and failed leaves only txn_rollback.
 */
void txn_trust(struct txn *t);
int txn_keep(struct txn *t, struct error *e);
bool txn_is_as_before(struct txn *t);

int txn_save(struct txn *t, struct error *e);
int txn_release(struct txn *t, struct error *e);
int txn_undo(struct txn *t, struct error *e); /* back to the savepoint */

/* Randomness from a stock, for a system call for each salt would cost more than all the hashing. `len` is
 * of the stock's size at most; what was taken is no longer kept. */
int txn_random(struct txn *t, void *out, size_t len, struct error *e);
/* store_make_id from it. */
int txn_make_id(struct txn *t, char out[37], struct error *e);

/* The row of an agent's or a source type's name, made where there is none. -1 on error. */
int64_t txn_agent(struct txn *t, const char *name, struct error *e);
int64_t txn_source_type(struct txn *t, const char *name, struct error *e);
/* The row of a ref: `make` makes a stub where it was never named, else 0. -1 on error. */
int64_t txn_ref(struct txn *t, struct ref ref, bool make, struct error *e);

#endif
