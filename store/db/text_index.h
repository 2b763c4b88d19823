/*
 * Buffers changes of the full-text index, and applies them in the order of rows. Only for store/.
 *
 * FTS5 flushes its buffer whenever a row is smaller than the previous one. A memory that was named
 * before it was written has a smaller row than its neighbours: an import with forward refs wrote
 * 12,000 memories a second unsorted, and four times as many sorted.
 */
#ifndef STEMMA_TEXT_INDEX_H
#define STEMMA_TEXT_INDEX_H

#include "model/base/arena.h"
#include "store/db/db.h"

struct text_index_entry {
    int64_t node;
    size_t order;
    bool is_delete;
    const char *text; /* in `texts` */
};
struct text_index {
    struct text_index_entry *change;
    size_t count, alloc;
    struct arena texts;
};

/*
 * Records that the text of the row changes from `before` to `after` (each NULL if none). Copies
 * both.
 */
void text_index_change(struct text_index *x, int64_t node, const char *before, const char *after);
/* True if the buffer is as large as FTS5's own: call text_index_flush. */
bool text_index_is_full(const struct text_index *x);
/* Applies all changes and clears the buffer. Returns 0 or -1. */
int text_index_flush(struct text_index *x, struct db *db, struct error *e);
/* Drops all changes, or those from index `count` on. */
void text_index_clear(struct text_index *x);
void text_index_cut(struct text_index *x, size_t count);
void text_index_release(struct text_index *x);

/* The tables in which FTS5 stores the search index. */

/*
 * Copies the tables from `from` to `to`, in the open transaction of `to`. FTS5 caches what it read
 * of them: `to` must not have used its index yet, or must drop that cache.
 */
int fts_tables_copy(struct db *from, struct db *to, struct error *e);

/* Creates the index and those of its tables that `to` lacks, with the SQL of `from`. */
int fts_tables_make(struct db *from, struct db *to, struct error *e);

#endif
