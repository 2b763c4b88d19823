/*
 * A search walks the rows that the index leaves, last recorded first, and checks each memory's text: once for those that
 * have all words whole, then for those that have them in part.
 *
 * Words of three characters and more are looked up by their trigrams, which FTS5 gives in the order of the rows. Where no
 * word is that long the terms that begin with one tell the rows, unless they are too many: then every row is looked at.
 */
#include "store/search/search.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/utf8.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/query/filter.h"
#include "store/search/search_index.h"
#include "store/search/search_text.h"

/* A search under way. */
struct search {
    struct reader *r;
    struct db *db;
    const struct search_query *query;
    struct filter filter;
    struct words words;
    int (*each)(void *arg, int64_t node, bool exact);
    void *arg;
    bool stopped; /* `each` has enough */
    int64_t checked;
    /* of the memory that is checked */
    int64_t node;
    struct arena arena;
    struct strbuf text, folded;
};

static void release(struct search *s)
{
    words_release(&s->words);
    arena_release(&s->arena);
    strbuf_release(&s->text);
    strbuf_release(&s->folded);
}

/* ---- one memory ---- */

/* The text as the caller sees it, and in `searched` as it is searched: as long, byte for byte. */
static int read_text(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                     struct strbuf *searched, struct error *e)
{
    struct memory m, matched;
    bool same;
    struct query row = db_query(
        reader_db(r), e, "SELECT " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?", "i", node);
    if (!db_next(&row))
        return db_end(&row);
    search_parts_of(&m, arena, row.stmt, 0);
    search_parts_of(&matched, arena, row.stmt, 0);
    db_end(&row);
    if (search_parts_matched(&matched, r, arena, node, &same, e) ||
        (!same && search_parts_seen(&m, r, arena, node, e)))
        return -1;
    memory_search_text(&m, out);
    memory_search_text(same ? &m : &matched, searched);
    return 0;
}

int search_snippet_of_row(struct reader *r, struct arena *arena, int64_t node, const char *words,
                          size_t width, struct strbuf *out, struct error *e)
{
    struct strbuf text = STRBUF_INIT, searched = STRBUF_INIT;
    int result =
        reader_begin(r, e) ? -1 : reader_done(r, read_text(r, arena, node, &text, &searched, e));
    if (result == 0)
        words_snippet(&text, &searched, words, width, out);
    strbuf_release(&text);
    strbuf_release(&searched);
    return result;
}

/* How the memory matches in what is told of it. */
static enum match match_parts(struct search *s, const struct memory *m)
{
    strbuf_clear(&s->text);
    strbuf_clear(&s->folded);
    memory_search_text(m, &s->text);
    fold_text(&s->folded, s->text.buf, s->text.len);
    return words_match(&s->words, s->folded.buf, s->folded.len);
}

/* A match counts only in what the caller may see: the text as it would be shown, its marks left out. */
static int match_seen(struct search *s, struct memory *m, enum match *match, struct error *e)
{
    bool same;
    if (search_parts_matched(m, s->r, &s->arena, s->node, &same, e))
        return -1;
    enum match seen = same ? *match : match_parts(s, m);
    *match = seen < *match ? seen : *match;
    return 0;
}

static int match_text(struct search *s, int64_t node, sqlite3_stmt *stmt, int column,
                      enum match *match, struct error *e)
{
    struct memory m;
    s->node = node;
    if (++s->checked && READER_TELLS(s->checked) == 0)
        reader_progress(s->r, s->checked, 0);
    arena_clear(&s->arena);
    search_parts_of(&m, &s->arena, stmt, column);
    *match = match_parts(s, &m);
    return *match == MATCH_NONE ? 0 : match_seen(s, &m, match, e);
}

/* One that is not there matches as an empty text. */
static int match_row(struct search *s, int64_t node, enum match *match, struct error *e)
{
    struct query row =
        db_query(s->db, e, "SELECT " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?", "i", node);
    *match = s->words.count ? MATCH_NONE : MATCH_EXACT;
    if (db_next(&row) && match_text(s, node, row.stmt, 0, match, e))
        return db_fail(&row);
    return db_end(&row);
}

int search_matches_row(struct reader *r, int64_t node, const char *words, struct error *e)
{
    struct search s = {.r = r,
                       .db = reader_db(r),
                       .arena = ARENA_INIT,
                       .text = STRBUF_INIT,
                       .folded = STRBUF_INIT};
    enum match match = MATCH_NONE;
    words_parse(&s.words, words);
    int result = reader_begin(r, e);
    if (result == 0) {
        result = match_row(&s, node, &match, e);
        reader_end(r);
    }
    release(&s);
    return result ? -1 : match != MATCH_NONE;
}

/* ---- the walk ---- */

/* One of those that are searched, where it matches as wanted. */
static int check_row(struct search *s, int64_t node, enum match wanted, struct error *e)
{
    enum match match = s->words.count ? MATCH_NONE : MATCH_EXACT;
    struct query row = db_query(
        s->db, e, "SELECT " FILTER_COLUMNS ", " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?",
        "i", node);
    bool passes = db_next(&row) && filter_passes(&s->filter, row.stmt, 0);
    if (passes && s->words.count && match_text(s, node, row.stmt, FILTER_COLUMN_COUNT, &match, e))
        return db_fail(&row);
    if (db_end(&row))
        return -1;
    if (passes && match == wanted)
        s->stopped = s->each(s->arg, node, wanted == MATCH_EXACT) != 0;
    return reader_check(s->r, e);
}

/* Along the rows that a statement gives. */
static int walk(struct search *s, struct query rows, enum match wanted)
{
    while (!s->stopped && db_next(&rows))
        if (check_row(s, sqlite3_column_int64(rows.stmt, 0), wanted, rows.e))
            return db_fail(&rows);
    return db_end(&rows);
}

static int walk_index(struct search *s, const char *match, enum match wanted, struct error *e)
{
    return walk(
        s,
        db_query(s->db, e,
                 "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rowid DESC", "s",
                 match),
        wanted);
}

static int walk_all(struct search *s, enum match wanted, struct error *e)
{
    return walk(s,
                db_query(s->db, e,
                         "SELECT id FROM memory WHERE status < 7 ORDER BY id DESC /* search */",
                         ""),
                wanted);
}

static int walk_rows(struct search *s, const struct row_bits *rows, enum match wanted,
                     struct error *e)
{
    for (size_t word = rows->words; word-- > 0 && !s->stopped;)
        for (uint64_t left = rows->bit[word]; left && !s->stopped;) {
            int bit = 63 - __builtin_clzll(left);
            left &= ~(UINT64_C(1) << bit);
            if (check_row(s, (int64_t)word * 64 + bit, wanted, e))
                return -1;
        }
    return 0;
}

/* Those that have the words whole are told first: of those rows alone in which each may end, where the index tells. */
static int search_long(struct search *s, struct strbuf *match, struct error *e)
{
    size_t len = match->len;
    int told = index_match_whole(match, s->db, &s->words, e);
    if (told == 0)
        strbuf_cut(match, len);
    if (told < 0 || walk_index(s, match->buf, MATCH_EXACT, e))
        return -1;
    strbuf_cut(match, len);
    return walk_index(s, match->buf, MATCH_PART, e);
}

static int search_short(struct search *s, struct error *e)
{
    struct row_bits rows = {.bit = NULL};
    int told = s->words.count ? index_find_short(&rows, s->db, &s->words, e) : 0;
    int result = told < 0 ? -1 : 0;
    for (enum match wanted = MATCH_EXACT; wanted > MATCH_NONE && result == 0; wanted--)
        result = told ? walk_rows(s, &rows, wanted, e) : walk_all(s, wanted, e);
    free(rows.bit);
    return result;
}

static int run(struct search *s, struct error *e)
{
    struct strbuf match = STRBUF_INIT;
    const struct search_query *q = s->query;
    struct list_query query = {.kinds = q->kinds, .agent = q->agent, .statuses = q->statuses};
    if (filter_make(&s->filter, s->r, &query, e))
        return -1;
    index_match(&match, &s->words);
    int result = match.len ? search_long(s, &match, e) : search_short(s, e);
    strbuf_release(&match);
    return result;
}

int search_run(struct reader *r, const struct search_query *query,
               int (*each)(void *arg, int64_t node, bool exact), void *arg, struct error *e)
{
    struct search s = {.r = r,
                       .db = reader_db(r),
                       .query = query,
                       .each = each,
                       .arg = arg,
                       .arena = ARENA_INIT,
                       .text = STRBUF_INIT,
                       .folded = STRBUF_INIT};
    if (reader_begin(r, e))
        return -1;
    words_parse(&s.words, query->words);
    int result = run(&s, e);
    if (result == 0)
        reader_progress(r, s.checked, s.checked);
    reader_end(r);
    release(&s);
    return result;
}
