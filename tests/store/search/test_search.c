/* Search: any run of characters in any script. Whole words come first, then the last recorded. */
#include "model/base/alloc.h"
#include "store/search/search.h"

#include <sqlite3.h>
#include <utf8proc.h>
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/db.h"
#include "store/open.h"
#include "store/query/search_words.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static bool matches(const char *text, const char *query, bool *exact)
{
    struct words w;
    AUTO_STRBUF folded = STRBUF_INIT;
    words_parse(&w, query);
    fold_text(&folded, text, strlen(text));
    enum match found = words_match(&w, folded.buf, folded.len);
    words_release(&w);
    *exact = found == MATCH_EXACT;
    return found != MATCH_NONE;
}

struct hits {
    struct fixture *f;
    struct strbuf refs; /* "one* two ": * marks whole words */
    size_t count, stop_at;
    int64_t last;
    bool last_exact;
};

static int collect(void *arg, int64_t node, bool exact)
{
    struct hits *h = arg;
    const char *ref = fixture_ref(h->f, node);
    strbuf_addf(&h->refs, "%s%s%s", h->count++ ? " " : "", strchr(ref, ':') + 1, exact ? "*" : "");
    h->last = node;
    h->last_exact = exact;
    return h->stop_at && h->count >= h->stop_at;
}

/* The ids that the search finds; "" for none. */
static const char *find(struct fixture *f, const struct search_query *q)
{
    struct error e = {0};
    struct hits h = {.f = f, .refs = STRBUF_INIT};
    if (search_run(f->reader, q, collect, &h, &e))
        fail_msg("%s", e.what);
    const char *refs = arena_strdup(&f->arena, h.refs.buf);
    strbuf_release(&h.refs);
    return refs;
}

/* The same, in pages: each begins after the last match of the one before. */
static const char *find_in_pages(struct fixture *f, const char *words, size_t page)
{
    struct error e = {0};
    struct hits h = {.f = f, .refs = STRBUF_INIT};
    do {
        h.stop_at = h.count + page;
        struct search_query q = {.words = words, .after = h.last, .after_exact = h.last_exact};
        if (search_run(f->reader, &q, collect, &h, &e))
            fail_msg("%s", e.what);
    } while (h.count == h.stop_at);
    const char *refs = arena_strdup(&f->arena, h.refs.buf);
    strbuf_release(&h.refs);
    return refs;
}

static void check(struct fixture *f, const char *words, const char *wanted)
{
    assert_string_equal(find(f, &(struct search_query){.words = words}), wanted);
}

/* Puts a belief with that id, text and time. */
static void put(struct fixture *f, const char *id, int64_t at, const char *text)
{
    char line[4000];
    snprintf(line, sizeof(line), "{\"ref\":\"belief:%s\",\"text\":\"%s\",\"created_at\":%lld}", id,
             text, (long long)at);
    fixture_put(f, line, NULL);
}

static void digest_file(const char *path, char hex[2 * DIGEST_SIZE + 1])
{
    AUTO_STRBUF bytes = STRBUF_INIT;
    struct digest d;
    char block[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t n; (n = fread(block, 1, sizeof(block), file)) > 0;)
        strbuf_add(&bytes, block, n);
    fclose(file);
    digest_bytes(&d, bytes.buf, bytes.len);
    digest_hex(hex, &d);
}

FIXTURE(fixture_set_up, fixture_tear_down);

/* The creation times do not matter. */
TEST(test_the_last_recorded_comes_first)
{
    struct fixture *f = *state;
    AUTO_STRBUF wanted = STRBUF_INIT;
    for (int i = 0; i < 300; i++) {
        char id[20];
        snprintf(id, sizeof(id), "m%03d", i);
        put(f, id, (i * 7919) % 300, "common word");
    }
    for (int i = 299; i >= 0; i--)
        strbuf_addf(&wanted, "%sm%03d*", wanted.len ? " " : "", i);
    check(f, "common", wanted.buf); /* the matches are in everything */
    for (int i = 0; i < 2000; i += 1000) {
        char id[20];
        snprintf(id, sizeof(id), "tie-%d", i);
        put(f, id, 5000, "tied rareword");
    }
    put(f, "between", 4000, "rareword");
    check(f, "rareword", "between* tie-1000* tie-0*");
    put(f, "part", 4000, "rarewords");
    assert_string_equal(find_in_pages(f, "rareword", 1), "between* tie-1000* tie-0* part");
    assert_string_equal(find_in_pages(f, "", 1), find(f, &(struct search_query){.words = ""}));
}

/* With many candidates and few whole words, search asks the index for the whole words. The answer
 * must be that of reading all candidates. */
TEST(test_rare_whole_words_come_first)
{
    static const char *const whole[] = {"x ab🚀 z",  "ab",   "café ab, z",
                                        "z-x\\nab", "(ab)", "x-ab 猫"};
    static const char *const queries[] = {"ab",        "AB",        "z",    "b", "x", "ab z",
                                          "e\xcc\x81", "é",         "猫",   "🚀", "a", "\xcc\x81",
                                          "zab",       "b\xcc\x81", "ab猫", "-"};
    enum {
        COUNT = 3000
    };
    struct fixture *f = *state;
    static char lines[COUNT][100];
    const char *line[COUNT], *text[COUNT];
    for (int i = 0; i < COUNT; i++) {
        text[i] = i < 1400 && i % 100 == 7 ? whole[i / 100 % 6] : "abz zab ab\\u0301 猫猫";
        snprintf(lines[i], sizeof(lines[i]),
                 "{\"ref\":\"note:n%d\",\"text\":\"%s\",\"created_at\":%d}", i, text[i], i);
        line[i] = lines[i];
        if (text[i][0] == 'a' && text[i][2] == 'z')
            text[i] = "abz zab ab\xcc\x81 猫猫";
        else if (text[i][0] == 'z')
            text[i] = "z-x\nab";
    }
    fixture_put_lines(f, line, COUNT);
    for (size_t q = 0; q < sizeof(queries) / sizeof(*queries); q++) {
        AUTO_STRBUF wanted = STRBUF_INIT;
        for (int exact = 1; exact >= 0; exact--)
            for (int i = COUNT - 1; i >= 0; i--) {
                bool is_exact;
                if (matches(text[i], queries[q], &is_exact) && is_exact == exact)
                    strbuf_addf(&wanted, "%sn%d%s", wanted.len ? " " : "", i, exact ? "*" : "");
            }
        check(f, queries[q], wanted.buf);
        assert_string_equal(find_in_pages(f, queries[q], 700), wanted.buf ? wanted.buf : "");
    }
}

/* Stemma and the index must fold alike. Otherwise a match of the index would fail the check. */
TEST(test_folding_agrees_with_the_index)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "CREATE VIRTUAL TABLE t USING fts5(x, content='', detail=none, columnsize=0,"
                     " tokenize='trigram'); CREATE VIRTUAL TABLE v USING fts5vocab(t, instance);"
                     "BEGIN",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_prepare_v2(db, "INSERT INTO t(rowid, x) VALUES (?, ?)", -1, &stmt, NULL);
    for (uint32_t c = 1; c <= 0x1ffff; c++) {
        char text[12];
        if (c >= 0xd800 && c <= 0xdfff)
            continue;
        int n = utf8_encode(c, text);
        memcpy(text + n, text, (size_t)n);
        memcpy(text + 2 * n, text, (size_t)n);
        sqlite3_bind_int64(stmt, 1, c);
        sqlite3_bind_text(stmt, 2, text, 3 * n, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    sqlite3_prepare_v2(db, "SELECT doc, term FROM v", -1, &stmt, NULL);
    size_t seen = 0;
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        uint32_t c = (uint32_t)sqlite3_column_int64(stmt, 0), folded = 0;
        const char *term = (const char *)sqlite3_column_text(stmt, 1);
        utf8_decode(term, strlen(term), &folded);
        seen++;
        if (c != 0xfffe && c != 0xffff && fold_code_point(c) != folded)
            fail_msg("U+%04X: %04X here, %04X in the index", c, fold_code_point(c), folded);
    }
    assert_int_equal(seen, 0x1ffff - 0x800);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

TEST(test_matches_in_shown_text)
{
    bool exact;
    assert_true(matches("Never skip staging", "skip", &exact) && exact);
    assert_true(matches("Never skip staging", "ski stag", &exact) && !exact);
    assert_false(matches("Never skip staging", "skipped", &exact));
    assert_true(matches("anything", "", &exact));
    assert_true(matches("a🚀b", "🚀", &exact) && exact);
    assert_true(matches("a🚀🚀b", "🚀", &exact) && !exact);
    assert_true(matches("👍🏽", "👍", &exact) && !exact);
    assert_true(matches("日本語", "日本", &exact) && !exact);
    assert_true(matches("日本、語", "日本", &exact) && exact);
    assert_true(matches("e\xcc\x81", "e", &exact) && !exact);
    /* A later whole word counts, though the same letters occur before as part of a word. */
    assert_true(matches("aaab aab ab", "ab", &exact) && exact);
    assert_true(matches("c++ and c", "C++", &exact) && exact);
}

/* Texts that make a naive search slow: long runs that almost match. */
TEST(test_long_texts_take_little_time)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct snippet_match match;
    bool exact;
    size_t len = 1 << 20;
    AUTO_FREE char *text = malloc(len + 1);
    memset(text, 'a', len);
    text[len] = '\0';
    assert_true(matches(text, "aa", &exact) && !exact);
    for (size_t i = 1; i < len; i += 2)
        text[i] = ' ';
    assert_false(matches(text, "aa", &exact));
    memcpy(text + len - 8, "needle", 6);
    assert_true(matches(text, "needle", &exact));
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "{\"ref\":\"raw:long\",\"text\":\"%s\"}", text);
    fixture_put(f, line.buf, NULL);
    check(f, "needle", "long");
    check(f, "needlea", "long*");
    strbuf_clear(&line);
    assert_int_equal(search_snippet_of_row(f->reader, &f->arena, fixture_row(f, "raw:long"),
                                           "NEEDLE", 40, &line, &match, &e),
                     0);
    assert_non_null(strstr(line.buf, "needle"));
    assert_true(utf8_count(line.buf) <= 40);
}

static void snip(const char *text, const char *words, size_t width, const char *wanted)
{
    AUTO_STRBUF out = STRBUF_INIT;
    AUTO_STRBUF searched = STRBUF_INIT;
    struct snippet_match match;
    strbuf_addstr(&searched, text);
    words_snippet(&searched, &searched, words, width, &out, &match);
    assert_true(match.at + match.len <= out.len);
    assert_string_equal(out.buf, wanted);
    assert_true(utf8_count(out.buf) <= width);
}

/* The field that matched follows the text, apart from it, and where the match lies is told. */
TEST(test_a_snippet_shows_the_field_that_matched)
{
    struct fixture *f = *state;
    static const struct {
        const char *words, *snippet, *match;
    } cases[] = {{"DEPLOYS", "Staging deploys on Fridays", "deploys"},
                 {"project:x", "Staging deploys on Fridays · t1 · project:x", "project:x"},
                 {"office", "Staging deploys on Fridays · in the office", "office"},
                 {"针头", "Staging deploys on Fridays · 找到针头了", "针头"}};
    struct error e = {0};
    AUTO_STRBUF out = STRBUF_INIT;
    struct snippet_match match;
    fixture_put(f,
                "{\"ref\":\"note:tagged\",\"text\":\"Staging deploys on Fridays\",\"tags\":[\"t1\","
                "\"project:x\"],\"context\":\"in the office\",\"source\":\"找到针头了\"}",
                NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(search_snippet_of_row(f->reader, &f->arena, fixture_row(f, "note:tagged"),
                                               cases[i].words, 160, &out, &match, &e),
                         0);
        assert_string_equal(out.buf, cases[i].snippet);
        assert_int_equal(match.len, strlen(cases[i].match));
        assert_memory_equal(out.buf + match.at, cases[i].match, match.len);
    }
}

TEST(test_snippets_show_the_match)
{
    snip("short text", "text", 40, "short text");
    snip("two\nlines\tand", "and", 40, "two lines and");
    snip("0123456789 needle 0123456789", "Needle", 12, "…789 needle…");
    snip("0123456789 0123456789 needle", "needle", 12, "…6789 needle");
    snip("needle 0123456789 0123456789", "needle", 12, "needle 0123…");
    snip("日本語日本語日本語needle日本語", "needle", 10, "…本語needle…");
    snip("the end 0123456789 0123456789 needle", "the needle", 14, "…456789 needle");
    snip("0123456789 the needle 0123456789", "needle the", 30, "0123456789 the needle 0123456…");
    snip("nothing of the kind", "absent", 7, "nothin…");
    snip("abcdef", "f", 1, "…");
    snip("abcdef", "f", 0, "");
    snip("", "f", 5, "");
}

/* An interrupted search returns the error, and the next one works. */
static int interrupt_at_once(void *arg, int64_t node, bool exact)
{
    reader_interrupt(arg);
    return 0;
}

TEST(test_a_search_can_be_interrupted)
{
    struct fixture *f = *state;
    struct error e = {0};
    put(f, "one", 1, "word");
    put(f, "two", 2, "word");
    assert_int_equal(search_run(f->reader, &(struct search_query){.words = "word"},
                                interrupt_at_once, f->reader, &e),
                     -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    check(f, "word", "two* one*");
}

/* The terms of the index are read through a temporary table. The store must not have a trace of it. */
TEST(test_a_search_writes_nothing)
{
    struct fixture *f = *state;
    struct error e = {0};
    put(f, "one", 1, "ab 猫");
    reader_close(f->reader);
    store_close(f->store);
    f->store = store_open(f->path, &(struct store_options){.read_only = true}, NULL, &e);
    f->reader = reader_open(f->store, &e);
    char before[2 * DIGEST_SIZE + 1], after[2 * DIGEST_SIZE + 1];
    digest_file(f->path, before);
    check(f, "ab", "one*");
    check(f, "猫", "one*");
    assert_int_equal(db_exec(reader_db(f->reader), "DELETE FROM memory", &e), -1);
    reader_close(f->reader);
    digest_file(f->path, after);
    assert_string_equal(before, after);
    f->reader = reader_open(f->store, &e);
}
