/* The text of a memory that is searched, straight from its row. For store/ alone. */
#ifndef STEMMA_SEARCH_TEXT_H
#define STEMMA_SEARCH_TEXT_H

#include "../model/strbuf.h"
#include "db.h"

#define SEARCH_TEXT_COLUMNS "text, tags, context, source, source_entity, detail"

/* Appends what memory_search_text gives of the row whose SEARCH_TEXT_COLUMNS begin at `column`.
 * -1: memory ran out. */
int search_text_of(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column);
/* The same of a detail without the value of an entry that has expired, and in which the values of secret keys are
 * masked, as the reader's caller sees it; what is masked without knowing of keys is not looked for. *same: it is the
 * row's own, and nothing was appended. */
struct reader;
int search_text_seen(struct strbuf *out, struct reader *r, struct arena *a, int64_t node,
                     sqlite3_stmt *stmt, int column, bool *same);

#endif
