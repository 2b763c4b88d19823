/*
 * Changes of the full-text index, kept for a while and then made in the order of the rows.
 * For store/ alone.
 *
 * FTS5 writes out all it holds whenever a row is below the last one, and a memory that was named
 * before it came has a row below its neighbours': an import of lines whose refs point forward wrote
 * 12,000 memories a second row by row and four times as many in order.
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

/* The row had the words `before` (NULL: none) and has `after` (NULL: none). They are copied. */
void text_index_change(struct text_index *x, int64_t node, const char *before, const char *after);
/* As many as FTS5 holds itself: the changes should be made. */
bool text_index_is_full(const struct text_index *x);
/* Makes all changes, and forgets them. */
int text_index_flush(struct text_index *x, struct db *db, struct error *e);
/* Forgets all, or all from the place `count` on. */
void text_index_clear(struct text_index *x);
void text_index_cut(struct text_index *x, size_t count);
void text_index_release(struct text_index *x);

/* The tables that FTS5 keeps the search index in. For store/ alone. */

/*
 * Makes those of `to` the same as those of `from`, in the transaction that is open there. FTS5 keeps in
 * mind what it has read of them: `to` must not have used them yet, or must forget it.
 */
int fts_tables_copy(struct db *from, struct db *to, struct error *e);

/* Makes the index itself and its tables as `from` has them, where `to` has not all of them. */
int fts_tables_make(struct db *from, struct db *to, struct error *e);

#endif
