/*
 * What fsck asks of a link of any chain, the journal's or that of the log of calls: does its hash
 * follow, and is its signature of our key? For store/ alone.
 */
#ifndef STEMMA_FSCK_LINK_H
#define STEMMA_FSCK_LINK_H

#include "store/fsck/fsck_internal.h"

/* A link as it is looked at. */
struct link_hash {
    struct digest stored, computed; /* `computed` is filled by fsck_check_hash */
    bool has_hash;                  /* `stored` is one */
};

/* What is known of the chain so far. */
struct chain_walk {
    int64_t number; /* of the last link */
    struct link_hash last;
    bool sound; /* its text gives its hash */
    bool keyed; /* a link with an HMAC has come */
    struct row_set
        undone; /* the links that one was met of that takes them back; the walker's to release */
};
#define CHAIN_WALK_INIT                                                                            \
    {                                                                                              \
        .sound = true                                                                              \
    }

bool fsck_take_digest(struct digest *out, sqlite3_stmt *stmt, int column);
bool fsck_same_digest(const struct digest *a, const struct digest *b);
/* Takes the hash of a link from its column. */
void fsck_take_hash(struct link_hash *l, sqlite3_stmt *stmt, int column);

/*
 * Does it follow? Where its text and the hash before it do not give its hash, the text may have
 * been altered, or either hash; the next link tells which: it was made with the true one. NULL:
 * sound.
 */
const char *fsck_check_hash(const struct chain_walk *w, struct link_hash *l, const void *text,
                            size_t len);
/*
 * Once there are HMACs there is one on each link; without the key none can be checked. *count grows
 * by one where it has one. NULL: sound.
 */
const char *fsck_check_hmac(struct fsck *f, struct chain_walk *w, const struct link_hash *l,
                            sqlite3_stmt *stmt, int column, int64_t *count);
/* On to the next link. */
void fsck_walk_on(struct chain_walk *w, const struct link_hash *l, int64_t number);

#endif
