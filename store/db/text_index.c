#include "store/db/text_index.h"

#include <stdlib.h>
#include "model/base/array.h"

#define TEXT_INDEX_BYTES (16u << 20) /* as many as FTS5 holds itself */

static int compare_changes(const void *a, const void *b)
{
    const struct text_index_entry *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void add(struct text_index *x, int64_t node, const char *text, bool is_delete)
{
    const char *copy = arena_strdup(&x->texts, text);
    ARRAY_ROOM(x->change, x->count, x->alloc, 1);
    x->change[x->count] = (struct text_index_entry){node, x->count, is_delete, copy};
    x->count++;
}

void text_index_change(struct text_index *x, int64_t node, const char *before, const char *after)
{
    if (before)
        add(x, node, before, true);
    if (after)
        add(x, node, after, false);
}

bool text_index_is_full(const struct text_index *x)
{
    return x->texts.used >= TEXT_INDEX_BYTES;
}

void text_index_move(struct text_index *to, struct text_index *from)
{
    for (size_t i = 0; i < from->count; i++)
        add(to, from->change[i].node, from->change[i].text, from->change[i].is_delete);
    text_index_clear(from);
}

/* The index is unwound with the words it was made with. */
static int make(struct db *db, const struct text_index_entry *change, struct error *e)
{
    static const char delete[] =
        "INSERT INTO memory_fts(memory_fts, rowid, text) VALUES ('delete', ?, ?)";
    static const char insert[] = "INSERT INTO memory_fts(rowid, text) VALUES (?, ?)";
    return db_run(db, e, change->is_delete ? delete : insert, "is", change->node, change->text);
}

int text_index_make(struct text_index *x, struct db *db, struct error *e)
{
    int failed = 0;
    if (x->count)
        qsort(x->change, x->count, sizeof(*x->change), compare_changes);
    for (size_t i = 0; i < x->count && !failed; i++)
        failed = make(db, &x->change[i], e);
    return failed;
}

int text_index_flush(struct text_index *x, struct db *db, struct error *e)
{
    int failed = text_index_make(x, db, e);
    text_index_clear(x);
    return failed;
}

void text_index_clear(struct text_index *x)
{
    x->count = 0;
    arena_clear(&x->texts);
}

void text_index_cut(struct text_index *x, size_t count)
{
    if (count == 0)
        text_index_clear(x);
    x->count = count;
}

void text_index_release(struct text_index *x)
{
    free(x->change);
    arena_release(&x->texts);
    *x = (struct text_index){.change = NULL};
}
