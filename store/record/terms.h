/*
 * The terms that the search index has of a text: its trigrams, each once, as FTS5's own tokenizer gives
 * them, so that nothing has to agree with it. For store/ alone.
 *
 * A set of terms is told by how many they are and by the sum of their hashes, in any order. That finds
 * damage and neglect, not forgery.
 */
#ifndef STEMMA_TERMS_H
#define STEMMA_TERMS_H

#include "store/db/db.h"

struct term_slot {
    uint64_t hash;
    uint32_t round; /* of the text that it was met in */
};
struct terms {
    fts5_tokenizer api;
    Fts5Tokenizer *tokenizer;
    struct term_slot *slot; /* open addressing; older rounds are as good as free */
    size_t size;            /* a power of two, or 0 */
    uint32_t round;
    /* of the text that was taken last */
    uint32_t count;
    uint64_t sum;
    uint32_t met; /* with repetitions */
};

/* The tokenizer lives no longer than the connection. */
int terms_open(struct terms *t, struct db *db, struct error *e);
void terms_close(struct terms *t);

/* Fills `count` and `sum`. O(length). */
int terms_take(struct terms *t, const char *text, size_t len, struct error *e);

/* Makes a function that statements may call for a row of the index that matches (https://sqlite.org/fts5.html#custom_auxiliary_functions). */
int terms_function(struct db *db, const char *name, fts5_extension_function function, void *arg,
                   struct error *e);

uint64_t term_hash(const char *term, size_t len);

#endif
