/*
 * Counting a namespace's keys by their beginnings. The keys that are there stand in blocks of at most
 * ENTRY_BLOCK_MAX in their order, of which the table keeps how many they are; so that a count of what
 * begins with a prefix adds up blocks and looks at the keys of two of them. For store/ alone.
 *
 * Of a key with personal data only what is before that is compared. A block knows how many of its keys are
 * such ones, and bounds of how much of these is open.
 */
#ifndef STEMMA_ENTRY_BLOCK_H
#define STEMMA_ENTRY_BLOCK_H

#include "model/policy/permission.h"
#include "store/db/db.h"

#define ENTRY_BLOCK_MAX 1024

/* A key that is there now, and in its row already; one that was. O(log n), or O(ENTRY_BLOCK_MAX) where a block
 * is parted. */
int entry_block_add(struct db *db, int64_t name, const char *key, int64_t open, struct error *e);
int entry_block_drop(struct db *db, int64_t name, const char *key, int64_t open, struct error *e);
/* All of them anew. O(n). */
int entry_block_fill(struct db *db, struct error *e);

/*
 * How many keys of the namespace begin with `prefix`, as far as they are open; with `whole` as they are.
 * What has expired and was not swept counts. O(n / ENTRY_BLOCK_MAX + ENTRY_BLOCK_MAX), where the keys of a
 * block are open alike.
 */
int entry_block_count(struct db *db, int64_t name, const char *prefix, bool whole, int64_t *out,
                      struct error *e);

/* Behind every key that begins with that. */
#define ENTRY_KEY_END "\x7f"

#endif
