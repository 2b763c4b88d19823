/* Reads a memory as of an event, as history does for a reader of the past. */
#ifndef STEMMA_TESTS_PAST_H
#define STEMMA_TESTS_PAST_H

#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/past.h"

static inline int memory_read_past(struct reader *r, struct arena *arena, int64_t node, int64_t seq,
                                   struct memory *out, struct error *e)
{
    struct db *db = reader_begin_present(r, e);
    int result = !db || rewind_memory(db, arena, node, seq, out, e) || rewind_links(db, out, seq, e)
                     ? -1
                     : 0;
    if (db)
        reader_end_present(r);
    return result ? -1 : entry_hide(r, arena, out, e);
}

#endif
