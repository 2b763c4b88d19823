/*
 * Memories that repeat or contradict each other, as the reader's caller sees them. Only active memories of people and
 * agents are compared, and only within a kind: not sources, chains and entries. The README says what is left out.
 */
#ifndef STEMMA_SIMILAR_H
#define STEMMA_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"

struct reader;

enum similar_question {
    SIMILAR_DUPLICATES, /* near-duplicates, in groups */
    SIMILAR_CONFLICTS,  /* pairs: recorded contradictions, and candidates for one */
};

/* A group of duplicates, oldest first, or the newer and the older of a conflict. */
struct similar_set {
    int64_t *row; /* [count] */
    size_t count;
    double
        similarity; /* of duplicates: the least by which one joined the group; of a candidate: of the pair */
    bool recorded; /* a relation says that they contradict each other; else they are candidates */
    const char
        *reason; /* of a conflict: "number: 60 / 30", or the one recorded, which may be NULL */
};
struct similar_sets {
    struct similar_set *set; /* largest groups first; recorded conflicts first, then newest */
    size_t count, alloc;
    size_t templates; /* wordings that were left out as templates */
    bool cut;         /* of rows: others have the same words, and only the newest were compared */
};

/*
 * Of all memories, or of `rows`: then only what concerns these, and their own words are compared, not those of their
 * duplicates. The sets are in the arena. Of all: O(n log n), 150 bytes for each memory; fails at once under a limit
 * (reader_begin_long). Returns 0 or -1.
 */
int similar_find(struct reader *r, struct arena *arena, enum similar_question question,
                 const int64_t *rows, size_t count, struct similar_sets *out, struct error *e);

/*
 * The groups of near-duplicates among `rows` (some thousands) and no others: each row is read once, and once more for
 * each few that it may repeat. Repeated rows count once. Needs no index. Returns 0 or -1.
 */
int similar_among(struct reader *r, struct arena *arena, const int64_t *rows, size_t count,
                  struct similar_sets *out, struct error *e);

/* What people read about an answer that is not whole, in the arena; NULL if it is. */
const char *similar_left_out(struct arena *arena, const struct similar_sets *sets);

enum similar_origins {
    ORIGINS_SHARED,      /* two have an ancestor in common, or one is based on another: echoes */
    ORIGINS_INDEPENDENT, /* they confirm each other */
    ORIGINS_UNKNOWN,     /* none is known to be shared, but nobody said where one comes from */
};
/* Where the memories of the set come from. Costs what they are based on. */
int similar_independent(struct reader *r, const struct similar_set *set, enum similar_origins *out,
                        struct error *e);

#endif
