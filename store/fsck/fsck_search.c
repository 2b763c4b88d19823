/*
 * Compares the search index with the memories: for each memory it must hold the trigrams of the
 * search text, and nothing else.
 *
 * The index keeps neither texts nor positions. So it is read term by term with the rows of each
 * term, the way a search reads it, and a sum is kept for each row: 8 bytes a row, one pass over the
 * index and one over the texts. The check works on a copy of the index tables in memory. There FTS5
 * can run its integrity check, which counts as a write, without touching the store.
 */
#include "model/base/alloc.h"
#include "store/fsck/fsck_internal.h"

#include "model/base/strbuf.h"
#include "store/db/text_index.h"
#include "store/db/schema.h"
#include "store/query/search_words.h"
#include "store/record/index_tables.h"

#define LISTED     100   /* this many are named, the rest is counted */
#define SCAN_PAUSE 65536 /* index entries between two checks for interruption */

/*
 * A summary of the terms of a row: the sum of their hashes, with their count in the lowest bits. It
 * is a single number because the index of a million memories has a hundred million entries, each of
 * which adds to a random row.
 */
#define COUNT_BITS 20
static uint64_t term_sum(uint64_t hashes, uint64_t terms)
{
    return (hashes << COUNT_BITS) + terms;
}

static uint64_t term_count(uint64_t indexed)
{
    return indexed & ((UINT64_C(1) << COUNT_BITS) - 1);
}

struct search_check {
    struct fsck *f;
    struct fsck_background *background;
    struct db *copy;
    struct terms terms;
    uint64_t *in_index; /* [f->last_node + 1] sums from the index */
    uint64_t *in_texts; /* [f->last_node + 1] sums from the texts */
    bool has_words;     /* `words` is complete */
    uint64_t hash;      /* of the term being read */
    int64_t total;      /* entries of the index */
    bool strays, many_strays;
    int64_t stray;      /* an impossible row in the index */
    int64_t indexable;  /* memories that should be in the index */
    uint64_t rows, met; /* memories, and their terms with repetitions */
    int64_t wrong, unlisted;
    struct strbuf text;
    struct error *e;
};

static const struct ref no_ref = {KIND_RAW, NULL};

/* ---- the copy of the index ---- */

/* Reopens the copy: FTS5 caches what it read from its tables before they were filled. */
static int copy_index(struct search_check *s)
{
    s->copy = db_open(":memory:", DB_WRITE, s->e);
    if (!s->copy || schema_make_search(s->copy, s->e))
        return -1;
    sqlite3_progress_handler(db_handle(s->copy), 10000, fsck_background_go_on, s->background);
    if (db_exec(s->copy, "BEGIN", s->e) || fts_tables_copy(s->background->db, s->copy, s->e) ||
        db_exec(s->copy, "COMMIT", s->e))
        return -1;
    sqlite3_db_config(db_handle(s->copy), SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    return db_exec(s->copy, "PRAGMA writable_schema = RESET", s->e);
}

/* ---- reading the index ---- */

static void add_entry(struct search_check *s, uint64_t hash, int64_t row)
{
    s->total++;
    if (row >= 1 && row <= s->f->last_node) {
        s->in_index[row] += term_sum(hash, 1);
    } else {
        s->many_strays |= s->strays && row != s->stray;
        s->strays = true;
        s->stray = row;
    }
}

/* FTS5 calls this for each row that matches a term, as a search would. (A SQL query per term would
 * take four times as long: the index has a hundred entries for each memory.) */
static int add_match(const Fts5ExtensionApi *api, Fts5Context *fts, void *arg)
{
    struct search_check *s = arg;
    add_entry(s, s->hash, api->xRowid(fts));
    return s->total % SCAN_PAUSE == 0 && fsck_background_pause(s->background, s->e)
               ? SQLITE_INTERRUPT
               : SQLITE_OK;
}

/* SQL function that runs add_match for all rows; `match_sql` calls it on the first one. */
static void add_matches(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context,
                        int count, sqlite3_value **values)
{
    (void)count, (void)values;
    int code = api->xQueryPhrase(fts, 0, api->xUserData(fts), add_match);
    if (code)
        sqlite3_result_error_code(context, code);
}

static const char match_sql[] =
    "SELECT add_matches(memory_fts) FROM memory_fts WHERE memory_fts MATCH ? LIMIT 1";

static int read_matches(struct search_check *s, const char *term)
{
    strbuf_clear(&s->text);
    strbuf_addch(&s->text, '"');
    for (const char *c = term; *c; c++)
        strbuf_addf(&s->text, *c == '"' ? "%c%c" : "%c", *c, *c);
    strbuf_addch(&s->text, '"');
    sqlite3_stmt *stmt = db_prepare(s->copy, match_sql, s->e);
    int more = stmt ? db_bind(s->copy, stmt, s->e, "s", s->text.buf) : -1;
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

/*
 * Reads the rows of a term that the tokenizer cannot produce. Only a damaged index has such terms.
 */
static int read_instances(struct search_check *s, const char *term)
{
    struct query rows =
        db_query(s->copy, s->e, "SELECT doc FROM temp.memory_terms WHERE term = ?", "s", term);
    while (db_next(&rows))
        add_entry(s, s->hash, sqlite3_column_int64(rows.stmt, 0));
    return db_end(&rows);
}

static int read_term(struct search_check *s, const char *term, size_t len)
{
    s->hash = term_hash(term, len);
    if (terms_compute(&s->terms, term, len, s->e))
        return -1;
    bool is_trigram = s->terms.met == 1 && s->terms.sum == s->hash && strlen(term) == len;
    return is_trigram ? read_matches(s, term) : read_instances(s, term);
}

static int read_terms(struct search_check *s)
{
    struct query rows = db_query(s->copy, s->e, "SELECT term FROM temp.memory_words", "");
    while (db_next(&rows)) {
        const char *term = (const char *)sqlite3_column_text(rows.stmt, 0);
        if (read_term(s, term ? term : "", (size_t)sqlite3_column_bytes(rows.stmt, 0)))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

static int read_index(struct search_check *s)
{
    if (copy_index(s) || terms_open(&s->terms, s->copy, s->e) ||
        terms_function(s->copy, "add_matches", add_matches, s, s->e) ||
        db_exec(s->copy, "INSERT INTO memory_fts(memory_fts) VALUES ('integrity-check')", s->e) ||
        db_exec(
            s->copy,
            "CREATE VIRTUAL TABLE temp.memory_words USING fts5vocab(main, memory_fts, row);"
            "CREATE VIRTUAL TABLE temp.memory_terms USING fts5vocab(main, memory_fts, instance)",
            s->e))
        return -1;
    return read_terms(s);
}

/* ---- reading the texts ---- */

/* Reports a memory by name, unless there are too many. */
static void report(struct search_check *s, struct ref ref, int64_t row, const char *how)
{
    if (s->wrong++ >= LISTED)
        s->unlisted++;
    else if (ref.id)
        fsck_report(s->f, FSCK_SEARCH, 0, ref, NULL, "the search index %s %s:%s", how,
                    kind_name(ref.kind), ref.id);
    else
        fsck_report(s->f, FSCK_SEARCH, 0, ref, NULL, "the search index %s row %lld", how,
                    (long long)row);
}

/* Adds the terms of a memory's text. Rows with an earlier finding are skipped. */
static int add_text_terms(struct search_check *s, struct terms *terms, sqlite3_stmt *stmt,
                          struct strbuf *text, struct error *e)
{
    int64_t node = sqlite3_column_int64(stmt, 0);
    if (node < 1 || node > s->f->last_node || row_set_has(&s->f->faulty, node) ||
        sqlite3_column_int64(stmt, 1) == STATUS_MISSING)
        return 0;
    arena_clear(&s->f->arena);
    strbuf_clear(text);
    search_text_of(text, &s->f->arena, stmt, 2);
    if (terms_compute(terms, text->buf, text->len, e))
        return -1;
    s->in_texts[node] = term_sum(terms->sum, terms->count);
    s->rows++;
    s->met += terms->met;
    s->indexable += terms->count > 0;
    return 0;
}

int fsck_search_words(struct fsck *f, struct fsck_background *a, struct error *e)
{
    struct terms terms;
    AUTO_STRBUF text = STRBUF_INIT;
    int more = terms_open(&terms, f->db, e);
    sqlite3_stmt *stmt =
        more ? NULL
             : db_prepare(f->db,
                          "SELECT id, status, " SEARCH_TEXT_COLUMNS " FROM memory ORDER BY id", e);
    for (more = stmt ? db_step(f->db, stmt, e) : -1; more > 0; more = db_step(f->db, stmt, e))
        if (fsck_step(f, e) || add_text_terms(a->search, &terms, stmt, &text, e)) {
            sqlite3_reset(stmt);
            more = -1;
            break;
        }
    terms_close(&terms);
    a->search->has_words = more == 0;
    return more;
}

/* Reports a row whose terms in the index differ from those of its text. */
static int report_row(struct search_check *s, int64_t row)
{
    struct ref ref;
    struct db *db = s->f->db;
    uint64_t indexed = term_count(s->in_index[row]), words = term_count(s->in_texts[row]);
    sqlite3_stmt *stmt = db_prepare(db, "SELECT kind, name, status FROM memory WHERE id = ?", s->e);
    int found = stmt ? db_bind(db, stmt, s->e, "i", row) : -1;
    if (found < 0)
        return -1;
    arena_clear(&s->f->arena);
    bool is_ref = found && fsck_ref(s->f, stmt, 0, &ref);
    bool is_missing = found && sqlite3_column_int64(stmt, 2) == STATUS_MISSING;
    sqlite3_reset(stmt);
    report(s, is_ref ? ref : no_ref, row,
           !found                  ? "has words without a memory,"
           : is_missing            ? "has words of a memory that was never written,"
           : s->in_index[row] == 0 ? "has nothing of"
           : indexed < words       ? "lacks words of"
           : indexed > words       ? "has words that are not there of"
                                   : "has other words of");
    return 0;
}

static int compare_texts(struct search_check *s)
{
    for (int64_t row = 1; row <= s->f->last_node; row++)
        if (s->in_index[row] != s->in_texts[row] && !row_set_has(&s->f->faulty, row) &&
            report_row(s, row))
            return -1;
    if (s->strays)
        fsck_report(s->f, FSCK_SEARCH, 0, no_ref, NULL,
                    "the search index has words without a memory, row %lld%s", (long long)s->stray,
                    s->many_strays ? " and others" : "");
    if (s->unlisted)
        fsck_report(s->f, FSCK_SEARCH, 0, no_ref, NULL, "the search index is wrong about %lld more",
                    (long long)s->unlisted);
    return 0;
}

/* FTS5 keeps a count of rows and terms (the averages record, as SQLite varints), and deleting more
 * text than counted fails. Skipped if memories could not be compared. */
static int check_counts(struct search_check *s)
{
    uint64_t rows = 0, terms = 0;
    sqlite3_stmt *stmt =
        db_prepare(s->copy, "SELECT block FROM memory_fts_data WHERE id = 1", s->e);
    int found = stmt ? db_step(s->copy, stmt, s->e) : -1;
    if (found < 0)
        return -1;
    const unsigned char *at = found ? sqlite3_column_blob(stmt, 0) : NULL;
    const unsigned char *end = at ? at + sqlite3_column_bytes(stmt, 0) : NULL;
    at = at ? fsck_varint(at, end, &rows) : NULL;
    at = at ? fsck_varint(at, end, &terms) : NULL;
    sqlite3_reset(stmt);
    /* A new store has an empty record. */
    if ((at || s->rows) && (!at || rows != s->rows || terms != s->met))
        fsck_report(s->f, FSCK_SEARCH, 0, no_ref, NULL,
                    "the search index has lost count of what is in it: changes may fail");
    return 0;
}

static int compare(struct search_check *s)
{
    const struct row_set none = {NULL, 0};
    int64_t before = s->f->summary->findings;
    if (s->total == 0 && s->indexable) /* one finding is enough */
        fsck_report(s->f, FSCK_SEARCH, 0, no_ref, NULL,
                    "the search index is empty: searches find little or nothing");
    else if (compare_texts(s))
        return -1;
    bool sound = s->f->summary->findings == before && row_set_next(&s->f->faulty, &none, 0) == 0;
    return sound ? check_counts(s) : 0;
}

void fsck_search_open(struct fsck_background *a)
{
    struct search_check *s = xcalloc(1, sizeof(*s));
    *s = (struct search_check){.f = a->f, .background = a, .text = STRBUF_INIT};
    s->in_index = xcalloc((size_t)a->f->last_node + 1, sizeof(*s->in_index));
    s->in_texts = xcalloc((size_t)a->f->last_node + 1, sizeof(*s->in_texts));
    a->search = s;
}

int fsck_search_read(struct fsck_background *a, struct error *e)
{
    a->search->e = e;
    return read_index(a->search);
}

/* A damaged index cannot be compared. */
static int index_failed(struct fsck *f, const struct error *why, struct error *e)
{
    if (why->code != ERROR_STORE) {
        *e = *why;
        return -1;
    }
    fsck_report(f, FSCK_SEARCH, 0, no_ref, NULL,
                "the search index is damaged: a search may fail or miss memories");
    return 0;
}

int fsck_search(struct fsck *f, struct fsck_background *a, struct error *e)
{
    a->search->e = e;
    if (a->index)
        return index_failed(f, &a->index_error, e);
    return a->search->has_words ? compare(a->search) : 0;
}

void fsck_search_close(struct search_check *s)
{
    if (!s)
        return;
    terms_close(&s->terms);
    strbuf_release(&s->text);
    db_close(s->copy);
    FREE_ALL(s->in_index, s->in_texts, s);
}
