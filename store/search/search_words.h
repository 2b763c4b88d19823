/* The text of a memory that is searched, straight from its row, and as a caller sees it. For store/ alone. */
#ifndef STEMMA_SEARCH_WORDS_H
#define STEMMA_SEARCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
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
 * The same as it is searched: what stands in the place of something that is hidden is blank, byte for byte, for its
 * letters tell nothing of the memory, and who finds it by them would learn that they stand in what is hidden. It is
 * not shown by that. *same: nothing was changed.
 */
int search_parts_matched(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                         bool *same, struct error *e);

/* The words of a query, and whether a text has them. For store/ alone; callers see search.h. */

/* What white space parts; quotes, operators and whatever else are characters like any other. */
struct word {
    const char *text; /* folded */
    size_t len;       /* in bytes */
    size_t count;     /* in code points */
};
struct words {
    struct strbuf folded; /* the query, which the words point into */
    struct word *word;
    size_t count, alloc;
};

/* Bytes that are not UTF-8 are read as U+FFFD. */
void words_parse(struct words *w, const char *query);
void words_release(struct words *w);

enum match {
    MATCH_NONE = 0,
    MATCH_PART,
    MATCH_EXACT
};

/* Are all words somewhere in the folded text, and all of them as whole words? */
enum match words_match(const struct words *w, const char *folded, size_t len);

/* As search_snippet_of_row, of a search text, whose last line ends are taken off; the words are looked for in
 * `searched`, which is as long, or the same. */
void words_snippet(struct strbuf *text, const struct strbuf *searched, const char *words,
                   size_t width, struct strbuf *out);

#endif
