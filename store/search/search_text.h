/* The text of a memory that is searched, straight from its row, and as a caller sees it. For store/ alone. */
#ifndef STEMMA_SEARCH_TEXT_H
#define STEMMA_SEARCH_TEXT_H

#include "model/memory/memory.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"

#define SEARCH_TEXT_COLUMNS "text, tags, context, source, source_entity, detail"

/* Appends what memory_search_text gives of the row whose SEARCH_TEXT_COLUMNS begin at `column`. */
void search_text_of(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column);

/* Its parts in the arena, which memory_search_text makes it of; the others of `out` are none. */
void search_parts_of(struct memory *out, struct arena *a, sqlite3_stmt *stmt, int column);
/*
 * The parts of the memory of that row as the reader's caller sees them: without the value of an entry that has expired,
 * an entry's key as it is shown, and each masked by itself as it is where it leaves, so that what is masked there is
 * not found here.
 */
struct reader;
int search_parts_seen(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                      struct error *e);
/*
 * The same as it is searched: what stands in the place of something that is hidden is blank, byte for byte, for its letters
 * tell nothing of the memory, and who finds it by them would learn that they stand in what is hidden. It is not shown by
 * that. *same: nothing was changed.
 */
int search_parts_matched(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                         bool *same, struct error *e);

#endif
