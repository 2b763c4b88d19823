/* What an open store holds. For store/ alone. */
#ifndef STEMMA_STORE_STATE_H
#define STEMMA_STORE_STATE_H

#include <stdatomic.h>
#include "store/db/store.h"
#include "store/db/store_file.h"

struct writer;
struct graph_cache;

/* Nothing here changes after store_open but by itself, so that any thread may read it. */
struct store {
    char *path; /* absolute */
    /* A private copy that is read in its place, and the directory to remove with it; NULL: there is none. */
    char *read, *copy;
    bool read_only;
    bool shared; /* it is ours and can be written to: the last to close it leaves one file */
    bool newer;  /* of a version that is not known here: read_only as well */
    int64_t (*now)(void);
    void (*make_id)(char out[37]); /* NULL: of random bits */
    unsigned char *key;            /* the journal's HMAC key, or NULL */
    size_t key_len;
    struct store_file file;
    char *head; /* path of the journal's head; NULL: there is none to be had */
    /* Gives a new connection of a reader the SQL functions of the rooms that know more: the guard's, the lineage's. */
    int (*prepare)(struct reader *r, struct db *db, struct error *e);
    struct writer *writer; /* NULL where it is read-only */
    struct graph_cache *graph;
    /* The event up to which no link came from an entry or led to one; 0: nobody asked; -1: one does, or may. */
    _Atomic int64_t unlinked_until;
};

/* A UUIDv4 (RFC 9562): 122 of the random bits. */
#define ID_RANDOM 16
void store_write_id(char out[37], const unsigned char random[ID_RANDOM]);

#endif
