/*
 * What an import has met, in little room: refs with what was said of them (16 bytes each), and rows
 * of the store (one bit each). For store/ alone.
 */
#ifndef STEMMA_IMPORT_SEEN_H
#define STEMMA_IMPORT_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/digest.h"
#include "model/memory/memory.h"

/* Open addressing by the first 64 bits of SHA-256, which never agree by accident. */
struct seen_slot {
    uint64_t ref; /* 0: free */
    uint64_t content;
};
struct seen {
    struct seen_slot *slot;
    size_t size; /* a power of two, or 0 */
    size_t count;
};

/* What a ref is known by here; never 0. */
uint64_t seen_bits(struct ref ref);

enum seen_before {
    SEEN_NEVER,
    SEEN_SAME, /* with the same content */
    SEEN_OTHER /* with other content */
};
/* Notes that `ref` was met with that content, if it is for the first time. */
enum seen_before seen_note(struct seen *s, struct ref ref, const struct digest *content);
bool seen_has(const struct seen *s, struct ref ref);
void seen_release(struct seen *s);

/* A set of rows, which are dense from 1. */
struct row_set {
    uint8_t *bits;
    size_t size;
};
/* Returns 0. */
int row_set_add(struct row_set *set, int64_t row);
bool row_set_has(const struct row_set *set, int64_t row);
/* The least row above `after` that is in `set` and not in `without`; 0: none. */
int64_t row_set_next(const struct row_set *set, const struct row_set *without, int64_t after);
void row_set_release(struct row_set *set);

#endif
