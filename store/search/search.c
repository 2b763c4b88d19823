/*
 * Runs a search: the index gives candidate rows, and the text of each is checked as the caller sees
 * it.
 */
#include "store/search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/query/matcher.h"
#include "store/query/order.h"
#include "store/query/search_words.h"

/* A bitmap of rows. */
struct row_bits {
    uint64_t *bit;
    size_t words;
};

/*
 * How the index narrows the candidates.
 *
 * Words of three or more characters are looked up by their trigrams, all in one MATCH. The index
 * has no positions, so each trigram is a term of its own.
 *
 * A shorter word is the beginning of a trigram wherever it occurs, because a search text ends with
 * an empty line: the range of terms with that prefix gives the rows (fts5vocab). If that range has
 * more entries than the store has texts, all texts are searched instead.
 */

/* The most trigrams in a query: more do not narrow it further. */
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

/* Appends a MATCH expression of trigrams that cover each word. Empty if all words are shorter. */
static void index_match(struct strbuf *match, const struct words *w)
{
    size_t left = TRIGRAMS_MAX;
    for (size_t i = 0; i < w->count; i++) {
        const struct word *word = &w->word[i];
        const char *at = word->text;
        for (size_t done = 0; done + 3 <= word->count && left > 0; left--) {
            add_trigram(match, at, at + utf8_prefix(at, 3));
            /* The last trigram ends with the word. */
            size_t step = word->count - done - 3 < 3 ? word->count - done - 3 : 3;
            at += utf8_prefix(at, step);
            done += step ? step : word->count;
        }
    }
}

/* ---- one and two characters ---- */

/* Creates a temporary view of the index's terms. It does not write to the store's file. */
static int create_terms_view(struct db *db, struct error *e)
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
    /* An interrupt may hit this statement, so it is retried. */
    struct error ignored;
    for (int tries = 0; tries < 100 && db_exec(db, "PRAGMA query_only = ON", &ignored); tries++)
        ;
    return result;
}

/* Limit of terms read, for each row of the store. */
#define TERMS_EACH 2

/*
 * The range of terms with a prefix ends at the prefix with its last byte incremented: UTF-8 has no
 * byte 0xff.
 */
#define TERM_MAX (2 * 4 + 1)
static void make_range(const char *at, size_t len, char begin[TERM_MAX], char end[TERM_MAX])
{
    snprintf(begin, TERM_MAX, "%.*s", (int)len, at);
    memcpy(end, begin, TERM_MAX);
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
}

/* Returns 0 if there are too many terms. */
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

/*
 * For words that are all shorter: the rows that may have the longest one. Returns 1, or 0 if there
 * are too many. The caller frees `bit`, also after an error.
 */
static int index_find_short(struct row_bits *rows, struct db *db, const struct words *w,
                            struct error *e)
{
    int64_t last;
    const struct word *longest = &w->word[0];
    for (size_t i = 1; i < w->count; i++)
        longest = w->word[i].count > longest->count ? &w->word[i] : longest;
    if (create_terms_view(db, e) || db_int(db, &last, 0, e, "SELECT max(id) FROM main.memory", ""))
        return -1;
    rows->words = (size_t)last / 64 + 1;
    rows->bit = xcalloc(rows->words, sizeof(*rows->bit));
    return scan_terms(rows, db, longest, e);
}

/* ---- whole words ---- */

/* True if a word whose last character is `before` can end before `rest`. */
static bool may_end(const char *rest, uint32_t before)
{
    uint32_t after;
    if (utf8_decode(rest, strlen(rest), &after) == 0)
        return true;
    enum fold_class class = fold_class(after), last = fold_class(before);
    return class == FOLD_OTHER || (class != FOLD_EXTENDS && (class != last || last == FOLD_OTHER));
}

/*
 * The beginning of the word's last two characters (or its only one); *last is the last character.
 */
static const char *tail_of(const struct word *w, uint32_t *last)
{
    size_t skip = utf8_prefix(w->text, w->count > 2 ? w->count - 2 : 0);
    size_t end = utf8_prefix(w->text, w->count - 1);
    utf8_decode(w->text + end, w->len - end, last);
    return w->text + skip;
}

/* Limit of terms read for the end of a word. */
#define ENDS_MAX 48

/* The first term in a range; "" if there is none. */
static int next_term(struct db *db, const char *from, const char *end, char *out, size_t size,
                     struct error *e)
{
    struct query row =
        db_query(db, e, "SELECT term FROM temp.memory_terms WHERE term >= ? AND term < ? LIMIT 1",
                 "ss", from, end);
    snprintf(out, size, "%s", db_next(&row) ? (const char *)sqlite3_column_text(row.stmt, 0) : "");
    return db_end(&row);
}

/* Moves `term` to the next candidate: past all ASCII letters or digits, or past this term. */
static void skip_term(char *term, size_t size, size_t tail)
{
    char after = term[tail];
    if (after >= '0' && after <= '9')
        snprintf(term + tail, size - tail, ":");
    else if (after >= 'a' && after <= 'z')
        snprintf(term + tail, size - tail, "{");
    else
        snprintf(term + strlen(term), size - strlen(term), "\x01");
}

/*
 * Adds the terms that begin with the last two characters of a word and end it. Returns 0 if there
 * are too many.
 */
static int add_ends(struct strbuf *match, struct db *db, const char *tail, size_t len,
                    uint32_t last, struct error *e)
{
    char end[TERM_MAX], term[4 * 4 + 2];
    size_t added = 0, asked = 0;
    snprintf(term, sizeof(term), "%.*s", (int)len, tail);
    memcpy(end, term, sizeof(end));
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
    for (; asked < ENDS_MAX; asked++, skip_term(term, sizeof(term), len)) {
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
    else /* no such term: no row can match */
        strbuf_addstr(match, " AND \"\x01\x01\x01\"");
    return asked < ENDS_MAX;
}

/*
 * Narrows the expression of index_match to rows with whole words. Returns 1, or 0 if the index
 * cannot tell.
 */
static int index_match_whole(struct strbuf *match, struct db *db, const struct words *w,
                             struct error *e)
{
    int usable = create_terms_view(db, e) ? -1 : 1;
    for (size_t i = 0; i < w->count && usable > 0; i++) {
        const struct word *word = &w->word[i];
        uint32_t last = 0;
        if (word->count < 2)
            continue;
        const char *tail = tail_of(word, &last);
        if (fold_class(last) != FOLD_EXTENDS)
            usable = add_ends(match, db, tail, word->len - (size_t)(tail - word->text), last, e);
    }
    return usable;
}

/*
 * A search walks the candidate rows, last recorded first, and checks the text of each: first for
 * whole words, then for parts. Candidates come from trigrams, for short words from term prefixes,
 * otherwise all rows are candidates.
 */

/* A running search. */
struct search {
    struct reader *r;
    struct db *db;
    const struct search_query *query;
    struct matcher matcher; /* of query.terms */
    struct filter filter;
    struct words words;
    int (*each)(void *arg, int64_t node, bool exact);
    void *arg;
    bool stopped; /* `each` stopped it */
    int64_t checked;
    /* the memory being checked */
    int64_t node;
    struct arena arena;
    struct strbuf text, folded;
};

static void release(struct search *s)
{
    words_release(&s->words);
    matcher_release(&s->matcher);
    arena_release(&s->arena);
    strbuf_release(&s->text);
    strbuf_release(&s->folded);
}

/* ---- one memory ---- */

/*
 * Reads the fields as the caller sees them, and `searched`, the fields that are searched, of the
 * same length.
 */
static int read_fields(struct reader *r, struct arena *arena, int64_t node, struct memory *shown,
                       struct memory *searched, struct error *e)
{
    bool same;
    *shown = *searched = (struct memory){.text = NULL};
    struct query row = db_query(
        reader_db(r), e, "SELECT " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?", "i", node);
    if (!db_next(&row))
        return db_end(&row);
    search_parts_of(shown, arena, row.stmt, 0);
    *searched = *shown;
    searched->tags = arena_array(arena, shown->tag_count + 1, sizeof(*searched->tags));
    for (size_t i = 0; i < shown->tag_count; i++)
        searched->tags[i] = shown->tags[i];
    db_end(&row);
    if (search_parts_matchable(searched, r, arena, node, &same, e) ||
        (!same && search_parts_visible(shown, r, arena, node, e)))
        return -1;
    return 0;
}

int search_fields_of_row(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                         struct error *e)
{
    struct memory searched;
    return reader_begin(r, e) ? -1 : reader_done(r, read_fields(r, arena, node, out, &searched, e));
}

/* ---- a snippet ---- */

#define SNIPPET_FIELDS 6
static const char between[] = " · "; /* of fields, and of the items of one */

/* The search text of one field alone: the text first. */
static void add_field(const struct memory *m, int field, struct strbuf *out)
{
    const struct memory one[SNIPPET_FIELDS] = {{.text = m->text},
                                               {.tags = m->tags, .tag_count = m->tag_count},
                                               {.context = m->context},
                                               {.source = m->source},
                                               {.source_entity = m->source_entity},
                                               {.detail = m->detail}};
    bool items = one[field].tags || one[field].detail;
    AUTO_STRBUF lines = STRBUF_INIT;
    memory_search_text(&one[field], &lines);
    while (lines.len && lines.buf[lines.len - 1] == '\n')
        strbuf_cut(&lines, lines.len - 1);
    const char *at = lines.buf, *end = at + lines.len, *stop;
    for (; items && (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
        strbuf_add(out, at, (size_t)(stop - at));
        strbuf_addstr(out, between);
    }
    strbuf_add(out, at, (size_t)(end - at));
}

/* Appends the excerpt of one field. */
static void snip_field(const struct memory *shown, const struct memory *searched, int field,
                       const char *words, size_t width, struct strbuf *out,
                       struct snippet_match *match)
{
    AUTO_STRBUF text = STRBUF_INIT, found = STRBUF_INIT;
    bool same = field == 0 && shown->text == searched->text;
    add_field(shown, field, &text);
    if (!same)
        add_field(searched, field, &found);
    words_snippet(&text, same ? &text : &found, words, width, out, match);
}

static void snip(const struct memory *shown, const struct memory *searched, const char *words,
                 size_t width, struct strbuf *out, struct snippet_match *match)
{
    const size_t least = 2 * (sizeof(between) - 1); /* of a width for two fields */
    int field = 0;
    *match = (struct snippet_match){0, 0};
    for (; field < SNIPPET_FIELDS && !match->len; field++) {
        strbuf_clear(out);
        snip_field(shown, searched, field, words, width, out, match);
    }
    if (match->len && (field == 1 || width < least))
        return;
    bool found = match->len > 0;
    strbuf_clear(out);
    snip_field(shown, searched, 0, "", found ? width / 2 : width, out, match);
    if (!found)
        return;
    strbuf_addstr(out, out->len ? between : "");
    snip_field(shown, searched, field - 1, words, width - utf8_count(out->buf), out, match);
}

int search_snippet_of_row(struct reader *r, struct arena *arena, int64_t node, const char *words,
                          size_t width, struct strbuf *out, struct snippet_match *match,
                          struct error *e)
{
    struct memory shown, searched;
    *match = (struct snippet_match){0, 0};
    int result =
        reader_begin(r, e) ? -1 : reader_done(r, read_fields(r, arena, node, &shown, &searched, e));
    if (result == 0)
        snip(&shown, &searched, words, width, out, match);
    return result;
}

/* How the text of the memory matches. */
static enum match match_parts(struct search *s, const struct memory *m)
{
    strbuf_clear(&s->text);
    strbuf_clear(&s->folded);
    memory_search_text(m, &s->text);
    fold_text(&s->folded, s->text.buf, s->text.len);
    return words_match(&s->words, s->folded.buf, s->folded.len);
}

/* A match must be in what the caller may see, without masks. */
static int match_visible(struct search *s, struct memory *m, enum match *match, struct error *e)
{
    bool same;
    if (search_parts_matchable(m, s->r, &s->arena, s->node, &same, e))
        return -1;
    enum match visible = same ? *match : match_parts(s, m);
    *match = visible < *match ? visible : *match;
    return 0;
}

/* Masking can only weaken a match, so a text that does not match unmasked needs no masking. */
static int match_text(struct search *s, int64_t node, sqlite3_stmt *stmt, enum match wanted,
                      enum match *match, struct error *e)
{
    struct memory m;
    s->node = node;
    if (++s->checked && READER_REPORTS(s->checked))
        reader_progress(s->r, s->checked, 0);
    arena_clear(&s->arena);
    search_parts_of(&m, &s->arena, stmt, FILTER_COLUMN_COUNT);
    *match = match_parts(s, &m);
    return *match < wanted ? 0 : match_visible(s, &m, match, e);
}

/* ---- the walk ---- */

/* Reports the row if it matches as `wanted`. */
static int check_row(struct search *s, int64_t node, enum match wanted, struct error *e)
{
    enum match match = s->words.count ? MATCH_NONE : MATCH_EXACT;
    struct query row = db_query(
        s->db, e, "SELECT " FILTER_COLUMNS ", " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?",
        "i", node);
    bool passes = db_next(&row) && filter_passes(&s->filter, row.stmt);
    if (passes && s->words.count && match_text(s, node, row.stmt, wanted, &match, e))
        return db_fail(&row);
    if (db_end(&row))
        return -1;
    int matches = passes && match == wanted;
    if (matches && s->query->terms)
        matches = matcher_passes(&s->matcher, s->r, node, e);
    if (matches < 0)
        return -1;
    if (matches)
        s->stopped = s->each(s->arg, node, wanted == MATCH_EXACT) != 0;
    return reader_check(s->r, e);
}

/* The matches of a pass lie below this row: those from it on were in the pages before. */
static int64_t end_of(const struct search *s, enum match wanted)
{
    const struct search_query *q = s->query;
    if (q->after && q->after_exact == (wanted == MATCH_EXACT))
        return q->after;
    return q->after && wanted == MATCH_EXACT ? 0 : INT64_MAX;
}

/* Walks the rows of a statement, `most` at most. *below is the last one; 0 if no row is left. */
static int walk(struct search *s, struct query rows, enum match wanted, size_t most, int64_t *below)
{
    for (; most > 0 && !s->stopped && db_next(&rows); most--) {
        *below = sqlite3_column_int64(rows.stmt, 0);
        if (check_row(s, *below, wanted, rows.e))
            return db_fail(&rows);
    }
    if (most > 0 && !s->stopped)
        *below = 0;
    return db_end(&rows);
}

static int walk_index(struct search *s, const char *match, enum match wanted, size_t most,
                      int64_t *below, struct error *e)
{
    if (s->stopped || *below == 0)
        return 0;
    return walk(s,
                db_query(s->db, e,
                         "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid < ?"
                         " ORDER BY rowid DESC",
                         "si", match, *below),
                wanted, most, below);
}

static int walk_all(struct search *s, enum match wanted, struct error *e)
{
    int64_t below = end_of(s, wanted);
    return walk(s,
                db_query(s->db, e,
                         "SELECT id FROM memory WHERE status <> 7 AND id < ?"
                         " ORDER BY id DESC /* search */",
                         "i", below),
                wanted, SIZE_MAX, &below);
}

static int walk_rows(struct search *s, const struct row_bits *rows, enum match wanted,
                     struct error *e)
{
    int64_t end = end_of(s, wanted);
    for (size_t word = rows->words; word-- > 0 && !s->stopped;)
        for (uint64_t left = rows->bit[word]; left && !s->stopped;) {
            int bit = 63 - __builtin_clzll(left);
            left &= ~(UINT64_C(1) << bit);
            int64_t row = (int64_t)word * 64 + bit;
            if (row < end && check_row(s, row, wanted, e))
                return -1;
        }
    return 0;
}

/*
 * Whole-word matches first. To narrow the candidates to them costs more than to read the first few,
 * which often fill a page.
 */
#define CANDIDATES_TRIED 32

static int search_long(struct search *s, struct strbuf *match, struct error *e)
{
    size_t len = match->len;
    int64_t exact = end_of(s, MATCH_EXACT), part = end_of(s, MATCH_PART);
    int usable = 1;
    if (walk_index(s, match->buf, MATCH_EXACT, CANDIDATES_TRIED, &exact, e))
        return -1;
    if (!s->stopped && exact)
        usable = index_match_whole(match, s->db, &s->words, e);
    if (usable == 0)
        strbuf_cut(match, len);
    if (usable < 0 || walk_index(s, match->buf, MATCH_EXACT, SIZE_MAX, &exact, e))
        return -1;
    strbuf_cut(match, len);
    return walk_index(s, match->buf, MATCH_PART, SIZE_MAX, &part, e);
}

static int search_short(struct search *s, struct error *e)
{
    struct row_bits rows = {.bit = NULL};
    int usable = s->words.count ? index_find_short(&rows, s->db, &s->words, e) : 0;
    int result = usable < 0 ? -1 : 0;
    for (enum match wanted = MATCH_EXACT; wanted > MATCH_NONE && result == 0; wanted--)
        result = usable ? walk_rows(s, &rows, wanted, e) : walk_all(s, wanted, e);
    free(rows.bit);
    return result;
}

static int run(struct search *s, struct error *e)
{
    AUTO_STRBUF match = STRBUF_INIT;
    const struct search_query *q = s->query;
    struct list_query query = {
        .kinds = q->kinds, .agent = q->agent, .claimed = q->claimed, .statuses = q->statuses};
    if (q->terms && matcher_make(&s->matcher, s->r, q->terms, &query, e))
        return -1;
    if (q->terms)
        matcher_words_found(&s->matcher);
    if (filter_make(&s->filter, s->r, &query, e))
        return -1;
    index_match(&match, &s->words);
    return match.len ? search_long(s, &match, e) : search_short(s, e);
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
