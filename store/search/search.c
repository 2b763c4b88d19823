/*
 * A search reads what the index leaves, newest first, and checks each memory's text. Those that have
 * all words whole come before the others.
 *
 * "Newest first" is not the order of the rows. A few candidates are sorted by when they were created,
 * and checked once: what matches in part waits until all have been. Many are met in order on walks along
 * the list, which costs less than looking each of them up: for whole words first, then for the rest.
 * Where whole words are rare among many, the index is asked once more, for those in which they may be,
 * so that the first page does not wait until all texts have been read.
 */
#include "store/search/search.h"

#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/db/reader.h"
#include "store/search/search_state.h"
#include "store/search/search_text.h"

/* Of words that are in many rows so many of the newest are read first. */
#define NEWEST 1000

static void release(struct search *s)
{
    candidates_release(&s->candidates);
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
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?", e);
    int found = stmt ? db_bind(db, stmt, e, "i", node) : -1;
    if (found <= 0)
        return found;
    int result = search_parts_of(&m, arena, stmt, 0) || search_parts_of(&matched, arena, stmt, 0);
    sqlite3_reset(stmt);
    if (result)
        return search_out_of_memory(e);
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
    if (reader_begin(r, e))
        return -1;
    int result = read_text(r, arena, node, &text, &searched, e);
    reader_end(r);
    out->failed |= text.failed || searched.failed;
    if (result == 0 && !text.failed && !searched.failed)
        words_snippet(&text, &searched, words, width, out);
    strbuf_release(&text);
    strbuf_release(&searched);
    return result;
}

/* How the memory matches in what is told of it. */
static int match_parts(struct search *s, const struct memory *m, enum match *match, struct error *e)
{
    strbuf_clear(&s->text);
    strbuf_clear(&s->folded);
    memory_search_text(m, &s->text);
    fold_text(&s->folded, s->text.buf, s->text.len);
    if (s->text.failed || s->folded.failed)
        return search_out_of_memory(e);
    *match = words_match(&s->words, s->folded.buf, s->folded.len);
    return 0;
}

/* A match counts only in what the caller may see: the text as it would be shown, its marks left out. */
static int match_seen(struct search *s, struct memory *m, enum match *match, struct error *e)
{
    bool same;
    enum match seen;
    if (search_parts_matched(m, s->r, &s->arena, s->node, &same, e))
        return -1;
    if (same)
        return 0;
    if (match_parts(s, m, &seen, e))
        return -1;
    *match = seen < *match ? seen : *match;
    return 0;
}

int search_match_text(struct search *s, int64_t node, sqlite3_stmt *stmt, int column,
                      enum match *match, struct error *e)
{
    struct memory m;
    s->node = node;
    if (++s->checked && READER_TELLS(s->checked) == 0)
        reader_progress(s->r, s->checked, s->checked < s->to_check ? s->to_check : 0);
    arena_clear(&s->arena);
    if (search_parts_of(&m, &s->arena, stmt, column))
        return search_out_of_memory(e);
    if (match_parts(s, &m, match, e))
        return -1;
    return *match == MATCH_NONE ? 0 : match_seen(s, &m, match, e);
}

/* One that is not there matches as an empty text. */
static int match_row(struct search *s, int64_t node, enum match *match, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(s->db, "SELECT " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?", e);
    int found = stmt ? db_bind(s->db, stmt, e, "i", node) : -1;
    *match = s->words.count ? MATCH_NONE : MATCH_EXACT;
    if (found <= 0)
        return found;
    int result = search_match_text(s, node, stmt, 0, match, e);
    sqlite3_reset(stmt);
    return result;
}

int search_matches_row(struct reader *r, int64_t node, const char *words, struct error *e)
{
    struct search s = {.r = r,
                       .db = reader_db(r),
                       .arena = ARENA_INIT,
                       .text = STRBUF_INIT,
                       .folded = STRBUF_INIT};
    enum match match = MATCH_NONE;
    if (words_parse(&s.words, words))
        return search_out_of_memory(e);
    int result = reader_begin(r, e);
    if (result == 0) {
        result = match_row(&s, node, &match, e);
        reader_end(r);
    }
    release(&s);
    return result ? -1 : match != MATCH_NONE;
}

void search_give(struct search *s, int64_t node, bool exact)
{
    size_t *given = exact ? &s->given : &s->given_parts;
    if (*given)
        --*given;
    else
        s->stopped = s->each(s->arg, node, exact) != 0;
}

/* ---- few: sorted ---- */

int dated_newest_first(const void *a, const void *b)
{
    const struct dated *x = a, *y = b;
    if (x->created_at != y->created_at)
        return x->created_at > y->created_at ? -1 : 1;
    return (x->node < y->node) - (x->node > y->node);
}

/* 1 and its time where the row is one of those that are searched. */
static int date_row(struct search *s, const struct filter *f, int64_t row, int64_t *created_at,
                    struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(s->db, "SELECT created_at, " FILTER_COLUMNS " FROM memory WHERE id = ?", e);
    int found = stmt ? db_bind(s->db, stmt, e, "i", row) : -1;
    if (found <= 0)
        return found;
    *created_at = sqlite3_column_int64(stmt, 0);
    bool passes = filter_passes(f, stmt, 1);
    sqlite3_reset(stmt);
    return passes;
}

static int date_candidates(struct search *s, const struct candidates *c, struct dated *dated,
                           size_t *count, struct error *e)
{
    struct filter f;
    struct list_query query = search_list(s->query);
    *count = 0;
    if (filter_make(&f, s->r, &query, e))
        return -1;
    for (size_t word = 0; word <= c->rows / 64; word++)
        for (uint64_t bits = c->bit[word]; bits; bits &= bits - 1) {
            struct dated *d = &dated[*count];
            d->node = (int64_t)(word * 64 + (size_t)__builtin_ctzll(bits));
            int found = date_row(s, &f, d->node, &d->created_at, e);
            if (found < 0 || reader_check(s->r, e))
                return -1;
            *count += (size_t)found;
        }
    return 0;
}

/* What matches in part waits in `later`, where there is one. */
static int check_dated(struct search *s, const struct dated *dated, size_t count, int64_t *later,
                       struct error *e)
{
    size_t waiting = 0;
    for (size_t i = 0; i < count && !s->stopped; i++) {
        enum match match = MATCH_NONE;
        if (reader_check(s->r, e) || match_row(s, dated[i].node, &match, e))
            return -1;
        if (match == MATCH_EXACT)
            search_give(s, dated[i].node, true);
        else if (match == MATCH_PART && later)
            later[waiting++] = dated[i].node;
    }
    for (size_t i = 0; i < waiting && !s->stopped; i++)
        search_give(s, later[i], false);
    return 0;
}

static int walk_sorted(struct search *s, const struct candidates *c, bool parts, struct error *e)
{
    size_t count = c->count + 1;
    struct dated *dated = xmalloc(count * sizeof(*dated));
    int64_t *later = parts ? xmalloc(count * sizeof(*later)) : NULL;
    int result = -1;
    if (!dated || (parts && !later)) {
        search_out_of_memory(e);
    } else if ((result = date_candidates(s, c, dated, &count, e)) == 0) {
        qsort(dated, count, sizeof(*dated), dated_newest_first);
        result = check_dated(s, dated, count, later, e);
    }
    free(dated);
    free(later);
    return result;
}

/* A walk costs a step for each row; looking one up costs as much as some sixteen of them. */
static bool are_few(const struct candidates *c)
{
    return !c->all && c->count < c->rows / 16 + 64;
}

/* ---- many: along the list ---- */

/* So many texts are read before the index is asked where whole words may be. */
#define WHOLE_AFTER 1000

/* Those candidates that match as wanted. With `checked` it stops when it has checked WHOLE_AFTER, and
 * keeps which. */
static int walk_candidates(struct search *s, struct list *l, const struct candidates *c,
                           enum match wanted, int64_t *checked, size_t *count, struct error *e)
{
    int64_t node;
    int more = 0;
    while (!s->stopped && !(checked && *count == WHOLE_AFTER) &&
           (more = list_next(l, &node, e)) > 0) {
        enum match match = MATCH_NONE;
        if (!candidates_has(c, node))
            continue;
        if (reader_check(s->r, e) || match_row(s, node, &match, e))
            return -1;
        if (match == wanted)
            search_give(s, node, wanted == MATCH_EXACT);
        if (checked)
            checked[(*count)++] = node;
    }
    return more < 0 ? -1 : 0;
}

static int walk_list(struct search *s, const struct candidates *c, enum match wanted,
                     int64_t *checked, size_t *count, struct error *e)
{
    struct list_query query = search_list(s->query);
    struct list *l = list_open(s->r, &query, NULL, e);
    if (!l)
        return -1;
    int result = walk_candidates(s, l, c, wanted, checked, count, e);
    list_close(l);
    return result;
}

/* Whole words, after the newest candidates have been checked for them. */
static int walk_whole(struct search *s, const int64_t *checked, size_t count, struct error *e)
{
    struct candidates whole;
    if (candidates_whole(&whole, &s->candidates, s->r, &s->words, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        candidates_drop(&whole, checked[i]);
    int result = are_few(&whole) ? walk_sorted(s, &whole, false, e)
                                 : walk_list(s, &whole, MATCH_EXACT, NULL, NULL, e);
    candidates_release(&whole);
    return result;
}

static int walk_twice(struct search *s, struct error *e)
{
    int64_t checked[WHOLE_AFTER];
    size_t count = 0;
    if (walk_list(s, &s->candidates, MATCH_EXACT, checked, &count, e) ||
        (!s->stopped && count == WHOLE_AFTER && walk_whole(s, checked, count, e)))
        return -1;
    if (s->stopped || s->words.count == 0)
        return 0;
    return walk_list(s, &s->candidates, MATCH_PART, NULL, NULL, e);
}

/* ---- the newest ---- */

static int check_newest(struct search *s, struct list *l, struct error *e)
{
    int64_t node;
    size_t given = 0, before = s->given;
    int more = 0;
    for (int i = 0; i < NEWEST && !s->stopped && (more = list_next(l, &node, e)) > 0; i++) {
        enum match match = MATCH_NONE;
        if (reader_check(s->r, e) || match_row(s, node, &match, e))
            return -1;
        if (match != MATCH_EXACT)
            continue;
        search_give(s, node, true);
        given++;
    }
    s->given = given > before ? given : before;
    return more < 0 ? -1 : 0;
}

static int walk_newest(struct search *s, struct error *e)
{
    struct list_query query = search_list(s->query);
    struct list *l = list_open(s->r, &query, NULL, e);
    if (!l)
        return -1;
    int result = check_newest(s, l, e);
    list_close(l);
    return result;
}

/* ---- all of it ---- */

static int run(struct search *s, struct error *e)
{
    bool many, all = false;
    if (reader_keeps(s->r) && search_latest(s, &all, e))
        return -1;
    if (all || s->stopped)
        return 0;
    if (candidates_find(&s->candidates, s->r, &s->words, true, &many, e))
        return -1;
    if (many) {
        candidates_release(&s->candidates);
        if (walk_newest(s, e))
            return -1;
        if (s->stopped)
            return 0;
        if (candidates_find(&s->candidates, s->r, &s->words, false, &many, e))
            return -1;
    }
    s->to_check =
        s->checked + (int64_t)(s->candidates.all ? s->candidates.rows : s->candidates.count);
    return are_few(&s->candidates) ? walk_sorted(s, &s->candidates, true, e) : walk_twice(s, e);
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
    if (words_parse(&s.words, query->words))
        return search_out_of_memory(e);
    int result = reader_begin(r, e);
    if (result == 0) {
        result = run(&s, e);
        if (result == 0)
            reader_progress(r, s.checked, s.checked);
        reader_end(r);
    }
    release(&s);
    return result;
}
