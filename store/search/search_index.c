/*
 * Words of three characters and more are looked up by their trigrams: those of all words in one MATCH. The index keeps no
 * positions, so a trigram is a term of its own in it.
 *
 * A shorter word begins a trigram wherever it stands, since a search text ends with an empty line: it is found by the
 * range of terms that begin with it, which fts5vocab gives row by row. One that is in most of the store has more of them
 * than there are texts, and is looked for in every text.
 */
#include "store/search/search_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"

/* More trigrams than this narrow nothing further, and the query stays short whatever is typed. */
#define TRIGRAMS_MAX 64

/* ---- three characters and more ---- */

static void add_quoted(struct strbuf *match, const char *at, const char *end)
{
    strbuf_addch(match, '"');
    for (; at < end; at++) {
        if (*at == '"')
            strbuf_addch(match, '"');
        strbuf_addch(match, *at);
    }
    strbuf_addch(match, '"');
}

static void add_trigram(struct strbuf *match, const char *at, const char *end)
{
    strbuf_addstr(match, match->len ? " AND " : "");
    add_quoted(match, at, end);
}

void index_match(struct strbuf *match, const struct words *w)
{
    size_t left = TRIGRAMS_MAX;
    for (size_t i = 0; i < w->count; i++) {
        const struct word *word = &w->word[i];
        const char *at = word->text;
        for (size_t done = 0; done + 3 <= word->count && left > 0; left--) {
            add_trigram(match, at, at + utf8_prefix(at, 3));
            /* The last one ends where the word does. */
            size_t step = word->count - done - 3 < 3 ? word->count - done - 3 : 3;
            at += utf8_prefix(at, step);
            done += step ? step : word->count;
        }
    }
}

/* ---- one and two characters ---- */

/* A temporary view of the index's terms; it touches no file of the store. */
static int make_terms(struct db *db, struct error *e)
{
    int64_t there;
    if (db_int(db, &there, 0, e,
               "SELECT count(*) FROM sqlite_temp_schema WHERE name = 'memory_terms'", ""))
        return -1;
    if (there)
        return 0;
    if (db_exec(db, "PRAGMA query_only = OFF", e))
        return -1;
    int result = db_exec(db,
                         "CREATE VIRTUAL TABLE temp.memory_terms"
                         " USING fts5vocab(main, memory_fts, instance)",
                         e);
    /* An interrupt may meet this statement, too. */
    struct error ignored;
    for (int tries = 0; tries < 100 && db_exec(db, "PRAGMA query_only = ON", &ignored); tries++)
        ;
    return result;
}

/* Rows of terms that are looked at, for each row of the store, before the index is given up. */
#define TERMS_EACH 2

/* The range of terms that begin so ends at its beginning with the last byte raised: no byte of UTF-8 is 0xff. */
#define TERM_MAX (2 * 4 + 1)
static void make_range(const char *at, size_t len, char begin[TERM_MAX], char end[TERM_MAX])
{
    snprintf(begin, TERM_MAX, "%.*s", (int)len, at);
    memcpy(end, begin, TERM_MAX);
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
}

/* 0: they are too many. */
static int scan_terms(struct row_bits *rows, struct db *db, const struct word *word,
                      struct error *e)
{
    char begin[TERM_MAX], end[TERM_MAX];
    make_range(word->text, word->len, begin, end);
    struct query found =
        db_query(db, e, "SELECT doc, term FROM temp.memory_terms WHERE term >= ? AND term < ?",
                 "ss", begin, end);
    size_t left = TERMS_EACH * 64 * rows->words + 4096;
    for (; left > 0 && db_next(&found); left--) {
        int64_t row = sqlite3_column_int64(found.stmt, 0);
        if (row > 0 && (size_t)row / 64 < rows->words)
            rows->bit[row / 64] |= UINT64_C(1) << (row % 64);
    }
    bool all = found.more == 0;
    return db_end(&found) ? -1 : all;
}

int index_find_short(struct row_bits *rows, struct db *db, const struct words *w, struct error *e)
{
    int64_t last;
    const struct word *longest = &w->word[0];
    for (size_t i = 1; i < w->count; i++)
        longest = w->word[i].count > longest->count ? &w->word[i] : longest;
    if (make_terms(db, e) || db_int(db, &last, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    rows->words = (size_t)last / 64 + 1;
    rows->bit = xcalloc(rows->words, sizeof(*rows->bit));
    return scan_terms(rows, db, longest, e);
}

/* ---- words that stand whole ---- */

/* May a word that ends with `before` end where `rest` goes on? */
static bool may_end(const char *rest, uint32_t before)
{
    uint32_t after;
    if (utf8_decode(rest, strlen(rest), &after) == 0)
        return true;
    enum fold_class class = fold_class(after), last = fold_class(before);
    return class == FOLD_OTHER || (class != FOLD_EXTENDS && (class != last || last == FOLD_OTHER));
}

/* Where the word's last two characters begin, or its only one, and the last of them. */
static const char *tail_of(const struct word *w, uint32_t *last)
{
    size_t skip = utf8_prefix(w->text, w->count > 2 ? w->count - 2 : 0);
    size_t end = utf8_prefix(w->text, w->count - 1);
    utf8_decode(w->text + end, w->len - end, last);
    return w->text + skip;
}

/* Terms that are looked for behind a word's end, before it is given up. */
#define ENDS_MAX 48

/* The first term from `from` on and before `end`; "" where there is none. */
static int next_term(struct db *db, const char *from, const char *end, char *out, size_t size,
                     struct error *e)
{
    struct query row =
        db_query(db, e, "SELECT term FROM temp.memory_terms WHERE term >= ? AND term < ? LIMIT 1",
                 "ss", from, end);
    snprintf(out, size, "%s", db_next(&row) ? (const char *)sqlite3_column_text(row.stmt, 0) : "");
    return db_end(&row);
}

/* From which term on the next is looked for: past all letters or all digits of ASCII, or past this one. */
static void pass_term(char *term, size_t size, size_t tail)
{
    char after = term[tail];
    if (after >= '0' && after <= '9')
        snprintf(term + tail, size - tail, ":");
    else if (after >= 'a' && after <= 'z')
        snprintf(term + tail, size - tail, "{");
    else
        snprintf(term + strlen(term), size - strlen(term), "\x01");
}

/* Adds the terms that begin with a word's last two characters and end it. 0: they are too many. */
static int add_ends(struct strbuf *match, struct db *db, const char *tail, size_t len,
                    uint32_t last, struct error *e)
{
    char end[TERM_MAX], term[4 * 4 + 2];
    size_t added = 0, asked = 0;
    snprintf(term, sizeof(term), "%.*s", (int)len, tail);
    memcpy(end, term, sizeof(end));
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
    for (; asked < ENDS_MAX; asked++, pass_term(term, sizeof(term), len)) {
        if (next_term(db, term, end, term, sizeof(term), e))
            return -1;
        if (!*term)
            break;
        if (strlen(term) <= len || !may_end(term + len, last))
            continue;
        strbuf_addstr(match, added++ ? " OR " : " AND (");
        add_quoted(match, term, term + strlen(term));
    }
    if (added)
        strbuf_addch(match, ')');
    else /* nowhere: no row is one */
        strbuf_addstr(match, " AND \"\x01\x01\x01\"");
    return asked < ENDS_MAX;
}

int index_match_whole(struct strbuf *match, struct db *db, const struct words *w, struct error *e)
{
    int told = make_terms(db, e) ? -1 : 1;
    for (size_t i = 0; i < w->count && told > 0; i++) {
        const struct word *word = &w->word[i];
        uint32_t last = 0;
        if (word->count < 2)
            continue;
        const char *tail = tail_of(word, &last);
        if (fold_class(last) != FOLD_EXTENDS)
            told = add_ends(match, db, tail, word->len - (size_t)(tail - word->text), last, e);
    }
    return told;
}
