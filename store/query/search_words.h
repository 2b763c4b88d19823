/*
 * The search text of a memory, read from its row and masked for the caller; and the words of a
 * query. Only for store/.
 */
#ifndef STEMMA_SEARCH_WORDS_H
#define STEMMA_SEARCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/db/db.h"

struct reader;

#define SEARCH_TEXT_COLUMNS "text, tags, context, source, source_entity, detail"

/* Appends the search text of a row whose SEARCH_TEXT_COLUMNS begin at `column`. */
void search_text_of(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column);

/* Reads the fields that memory_search_text uses, in the arena; other fields of `out` are empty. */
void search_parts_of(struct memory *out, struct arena *a, sqlite3_stmt *stmt, int column);
/*
 * Replaces the fields by what the reader's caller may see: without the value of an expired entry,
 * with its key as shown, and each field masked by itself, so that masked text cannot be found.
 */
int search_parts_visible(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                         struct error *e);
/*
 * The same for matching: masks are replaced by blanks of the same length, because finding letters
 * of a mask would reveal its place. Not counted as shown. *same: nothing was changed.
 */
int search_parts_matchable(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                           bool *same, struct error *e);

/* ---- the words of a query, and whether a text has them ---- */

/* A word. Words are separated by white space; quotes and operators are ordinary characters. */
struct word {
    const char *text; /* folded */
    size_t len;       /* in bytes */
    size_t count;     /* in code points */
};
struct words {
    struct strbuf folded; /* the query; the words point into it */
    struct word *word;
    size_t count, alloc;
};

/* Invalid UTF-8 is read as U+FFFD. Call words_release afterwards. */
void words_parse(struct words *w, const char *query);
void words_release(struct words *w);
/* Whether a query has a word. Without one it matches everything. */
bool search_has_words(const char *words);

enum match {
    MATCH_NONE = 0,
    MATCH_PART,
    MATCH_EXACT
};

/* Whether all words are in the folded text, and all as whole words. */
enum match words_match(const struct words *w, const char *folded, size_t len);

/* Where the word that a snippet shows lies in it, in bytes. `len` is 0 if no word is in it. */
struct snippet_match {
    size_t at, len;
};

/*
 * As search_snippet_of_row, for a search text; removes its trailing newlines. Words are searched in
 * `searched`, which has the same length or is the same.
 */
void words_snippet(struct strbuf *text, const struct strbuf *searched, const char *words,
                   size_t width, struct strbuf *out, struct snippet_match *match);

#endif
