/* The members of an open store. Only for store/. */
#ifndef STEMMA_STORE_STATE_H
#define STEMMA_STORE_STATE_H

#include <stdatomic.h>
#include "model/memory/confidence.h"
#include "store/db/store.h"
#include "store/db/store_file.h"

struct log_damage;
struct team_ops;  /* store/txn/txn.h */
struct team_link; /* store/team/team_internal.h */
struct writer;
struct graph_cache;

/*
 * Constant after store_open, except for members with locks or atomics, so any thread may read it.
 */
struct store {
    char *path; /* absolute */
    /* A private copy that is read instead, and its directory; NULL if there is none. */
    char *read, *copy;
    bool read_only;
    bool shared; /* a store of stemma that can be written: the last close checkpoints the log */
    bool newer;  /* written by a newer stemma: read_only as well */
    int64_t (*now)(void);
    void (*make_id)(char out[37]); /* NULL: random */
    unsigned char *key;            /* the journal's HMAC key, or NULL */
    size_t key_len;
    struct store_file file;
    char *runtime_dir; /* the directory for its socket; NULL for the usual ones */
    char *head;        /* path of the head file; NULL if there is none */
    /* What the log had lost before SQLite opened it; NULL if nothing. See store/fsck/fsck_log.h. */
    struct log_damage *log_damage;
    /* Adds the SQL functions of the guard and of the lineage to a reader's new connection. */
    int (*prepare)(struct reader *r, struct db *db, struct error *e);
    struct writer *writer; /* NULL if read-only */
    /* The connection that opened the store: the first reader takes it over, with the schema that it
     * has read. NULL if it was taken, or if readers of this store need another. */
    _Atomic(struct db *) first;
    /* For the replica of a team: set when the store is opened. */
    const struct team_ops *team;
    struct team_link *team_link; /* only used by the writer's thread; NULL before its first use */
    atomic_bool followed;        /* by a thread that keeps the replica up to date */
    _Atomic int64_t team_head; /* the last event that the team had when it was asked; 0: unknown */
    _Atomic int64_t team_answered_us; /* how long its last answer took; 0: unknown */
    struct graph_cache *graph;
    struct confidence_rules confidence; /* of the configuration */
    /*
     * Up to this event no link comes from an entry or leads to one. 0 if not known, -1 if there is
     * such a link, or may be.
     */
    _Atomic int64_t unlinked_until;
};

/* Writes a UUIDv4 (RFC 9562) from 122 of the random bits. */
#define ID_RANDOM 16
void store_write_id(char out[37], const unsigned char random[ID_RANDOM]);

#endif
