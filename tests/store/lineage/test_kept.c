/* What is kept between reads is what would be read anew, whatever was written since and by whichever
 * reader it is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "model/json/json.h"
#include "store/json/answer.h"
#include "store/guard/guard.h"
#include "store/json/kept_forms.h"
#include "store/json/kept_gists.h"
#include "store/search/kept_searches.h"
#include "store/search/search.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

#define STEPS 300
#define KEPT  40 /* rows that are compared */
#define LIMIT 5

static const char *const words[] = {"river", "stone river", "iv", "mark:7", "nothing"};

static void put_random(struct fixture *f, struct random *random, int step)
{
    static const char *const statuses[] = {"active", "active", "superseded", "retracted",
                                           "deleted"};
    static const char *const texts[] = {"a river", "stone and river", "Riverside", "a stone", "t"};
    char line[400];
    snprintf(
        line, sizeof(line),
        "{\"ref\":\"belief:n%u\",\"text\":\"%s mark:%d\",\"agent_id\":\"a%u\",\"status\":\"%s\","
        "\"created_at\":%u,\"derived_from\":[\"belief:n%u\",\"raw:s%u\",\"belief:n%u\"]}",
        (unsigned)random_below(random, 15 + (unsigned)step / 8), texts[random_below(random, 5)],
        step % 9, (unsigned)random_below(random, 2), statuses[random_below(random, 5)],
        1 + (unsigned)random_below(random, 100000), (unsigned)random_below(random, 40),
        (unsigned)random_below(random, 6), (unsigned)random_below(random, 60));
    if (random_below(random, 15))
        fixture_put(f, line, NULL);
    else
        fixture_put(f, "{\"ref\":\"raw:s1\",\"text\":\"river bed\"}", NULL);
}

static void check_forms(struct reader *r, struct arena *arena)
{
    struct strbuf kept = STRBUF_INIT, anew = STRBUF_INIT;
    struct error e = {0}, other = {0};
    for (int64_t row = 1; row <= KEPT; row++) {
        strbuf_clear(&kept);
        strbuf_clear(&anew);
        int result = kept_form_add(r, arena, row, LABEL_WEAKENED, &kept, &e);
        assert_int_equal(answer_labelled(r, arena, row, LABEL_WEAKENED, &anew, &other), result);
        assert_int_equal(e.code, other.code);
        if (result == 0)
            assert_string_equal(kept.buf, anew.buf);
    }
    strbuf_release(&kept);
    strbuf_release(&anew);
}

/* As the row says it itself. */
static void add_gist(struct reader *r, struct arena *arena, int64_t row, struct strbuf *out)
{
    struct memory_row m;
    struct error e;
    assert_int_equal(memory_row_read(r, arena, row, &m, &e), 0);
    exchange_add_ref(out, m.ref);
    json_add_string(out, m.text ? m.text : "");
    strbuf_addstr(out, status_name(m.status));
}

/* More than once, since what is asked for once is not kept. */
static void check_gists(struct reader *r, struct arena *arena)
{
    struct gist gist = {.json = STRBUF_INIT};
    struct strbuf anew = STRBUF_INIT;
    struct error e;
    for (int64_t i = 0; i < 3 * KEPT; i++) {
        assert_int_equal(gist_read(r, arena, 1 + i % KEPT, &gist, &e), 0);
        assert_null(gist.text);
        strbuf_addstr(&gist.json, status_name(gist.status));
        strbuf_clear(&anew);
        add_gist(r, arena, 1 + i % KEPT, &anew);
        assert_string_equal(gist.json.buf, anew.buf);
    }
    assert_int_equal(gist_read(r, arena, 1000000, &gist, &e), -1);
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    strbuf_release(&gist.json);
    strbuf_release(&anew);
}

struct found {
    int64_t row[LIMIT + 1];
    size_t count;
};

static int find(void *arg, int64_t node, bool exact)
{
    struct found *found = arg;
    (void)exact;
    found->row[found->count++] = node;
    return found->count > LIMIT;
}

static void add_snippets(struct reader *r, const char *query, const int64_t *rows, size_t count,
                         struct strbuf *out)
{
    struct arena arena = ARENA_INIT;
    struct error e;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(search_snippet_of_row(r, &arena, rows[i], query, 40, out, &e), 0);
        strbuf_addch(out, '\n');
    }
    arena_release(&arena);
}

/* What was said beside an answer is what would be said now, or nothing. */
static void check_said(struct reader *r, const struct search_query *q, const int64_t *rows,
                       size_t count, size_t *told_again)
{
    struct strbuf said = STRBUF_INIT, anew = STRBUF_INIT;
    add_snippets(r, q->words, rows, count, &anew);
    bool clean;
    kept_search_said(r, q, LIMIT, &said, &clean);
    assert_false(clean); /* without a caller nobody looks */
    if (said.len > 0) {
        assert_string_equal(said.buf, anew.buf);
        ++*told_again;
    }
    kept_search_say(r, q, LIMIT, &anew, false);
    strbuf_release(&said);
    strbuf_release(&anew);
}

static size_t told_again;

/* Fewer questions than are kept, so that each is found again. */
static void check_searches(struct reader *r)
{
    struct error e;
    for (size_t i = 0; i < 3 * sizeof(words) / sizeof(*words); i++) {
        int64_t row[LIMIT + 1];
        size_t count;
        bool more;
        struct found found = {.count = 0};
        struct search_query q = {.words = words[i / 3],
                                 .agent = i % 3 == 1 ? "a1" : NULL,
                                 .kinds = i % 3 == 2 ? KIND_BIT(KIND_BELIEF) : 0};
        assert_int_equal(kept_search_run(r, &q, LIMIT, row, &count, &more, &e), 0);
        assert_int_equal(search_run(r, &q, find, &found, &e), 0);
        assert_int_equal(more, found.count > LIMIT);
        assert_int_equal(count, more ? LIMIT : found.count);
        assert_memory_equal(row, found.row, count * sizeof(*row));
        check_said(r, &q, row, count, &told_again);
    }
}

/* As answer_lineage, from all that there is. */
static void trace_anew(struct reader *r, int64_t row, uint32_t depth, struct strbuf *out)
{
    struct trace t;
    struct error e;
    assert_int_equal(trace_load(&t, r, row, ANCESTORS, depth, &e), 0);
    assert_int_equal(answer_trace(&(struct answer){.out = out}, r, &t, &e), 0);
    trace_release(&t);
}

/* Twice, so that the second time what lies deeper is known. */
static void check_lineages(struct reader *r)
{
    struct strbuf kept = STRBUF_INIT, anew = STRBUF_INIT;
    struct error e;
    for (int i = 0; i < 2 * KEPT; i++) {
        uint32_t depth = (uint32_t)i / 2 % 4;
        strbuf_clear(&kept);
        strbuf_clear(&anew);
        assert_int_equal(answer_lineage(r, 1 + i / 2, ANCESTORS, depth, 0, &kept, &e), 0);
        trace_anew(r, 1 + i / 2, depth, &anew);
        assert_string_equal(kept.buf, anew.buf);
    }
    strbuf_release(&kept);
    strbuf_release(&anew);
}

static void check_all(struct reader *r, struct arena *arena)
{
    struct error e;
    assert_int_equal(reader_begin(r, &e), 0);
    check_forms(r, arena);
    check_gists(r, arena);
    check_searches(r);
    check_lineages(r);
    reader_end(r);
    arena_clear(arena);
}

static void fill(struct fixture *f, struct random *random)
{
    for (int step = 0; step < KEPT; step++)
        put_random(f, random, step);
}

static void what_is_kept_is_exact(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {11};
    fixture_open(&f);
    fill(&f, &random);
    for (int step = 0; step < STEPS; step++) {
        put_random(&f, &random, step);
        if (step % 3 == 0)
            check_all(f.reader, &f.arena);
    }
    assert_true(told_again > STEPS / 3);
    fixture_close(&f);
}

/* A reader whose moment is older gets what was there then, and leaves the others theirs. */
static void an_older_moment_keeps_its_own(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {12};
    struct error e;
    fixture_open(&f);
    fill(&f, &random);
    struct reader *older = reader_open(f.store, &e);
    assert_non_null(older);
    for (int round = 0; round < 10; round++) {
        assert_int_equal(reader_begin(older, &e), 0);
        check_all(older, &f.arena);
        for (int step = 0; step < 10; step++)
            put_random(&f, &random, step);
        check_all(f.reader, &f.arena);
        check_all(older, &f.arena);
        reader_end(older);
    }
    reader_close(older);
    fixture_close(&f);
}

/* More events than are looked through, and more memories than are kept. */
static void much_is_given_up(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {13};
    char text[4000], line[4200];
    fixture_open(&f);
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    fill(&f, &random);
    check_all(f.reader, &f.arena);
    for (int i = 0; i < 400; i++) {
        snprintf(line, sizeof(line), "{\"ref\":\"note:long%d\",\"text\":\"%s\"}", i, text);
        fixture_put(&f, line, NULL);
    }
    struct strbuf out = STRBUF_INIT;
    struct error e;
    assert_int_equal(reader_begin(f.reader, &e), 0);
    for (int64_t i = 0; i < 3L * 380; i++)
        kept_form_add(f.reader, &f.arena, 60 + i % 380, LABEL_GROUNDED, &out, &e);
    reader_end(f.reader);
    strbuf_release(&out);
    check_all(f.reader, &f.arena);
    fixture_close(&f);
}

/* More is said than there is room for. */
static void much_that_is_said_is_given_up(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {15};
    struct strbuf said = STRBUF_INIT, long_ = STRBUF_INIT;
    struct error e;
    size_t kept = 0;
    fixture_open(&f);
    fill(&f, &random);
    while (long_.len < 20000)
        strbuf_addstr(&long_, "what is said\n");
    assert_int_equal(reader_begin(f.reader, &e), 0);
    for (size_t i = 0; i < 300; i++) {
        char word[20];
        int64_t row[LIMIT + 1];
        size_t count;
        bool more;
        snprintf(word, sizeof(word), "mark:%zu", i % 150);
        struct search_query q = {.words = word};
        assert_int_equal(kept_search_run(f.reader, &q, LIMIT, row, &count, &more, &e), 0);
        strbuf_clear(&said);
        bool clean;
        kept_search_said(f.reader, &q, LIMIT, &said, &clean);
        kept += said.len > 0;
        if (said.len > 0)
            assert_string_equal(said.buf, long_.buf);
        kept_search_say(f.reader, &q, LIMIT, &long_, false);
        kept_search_said(f.reader, &q, LIMIT, &said, &clean);
        assert_true(said.len > 0);
    }
    assert_true(kept < 150);
    reader_end(f.reader);
    strbuf_release(&said);
    strbuf_release(&long_);
    check_all(f.reader, &f.arena);
    fixture_close(&f);
}

static void put_note(struct fixture *f, int i, const char *text)
{
    char line[300];
    snprintf(line, sizeof(line), "{\"ref\":\"note:n%d\",\"text\":\"%s\"}", i, text);
    fixture_put(f, line, NULL);
}

/* An answer as tools write them, of forms and of what stands between them; sometimes a form is written over. */
static void add_answer(struct fixture *f, struct random *random, struct strbuf *out)
{
    static const char *const between[] = {"\"a\":1", "\"b\":\"ann@example.com\"", "\"c\":\"x\"",
                                          "\"d\":[]"};
    struct error e;
    strbuf_addstr(out, "{\"memories\":[");
    for (uint32_t i = 0, count = random_below(random, 6); i < count; i++) {
        size_t at = out->len + (i > 0);
        strbuf_addstr(out, i ? "," : "");
        assert_int_equal(kept_form_add(f->reader, &f->arena, 1 + random_below(random, 20),
                                       LABEL_GROUNDED, out, &e),
                         0);
        uint32_t turn = random_below(random, 8);
        if (turn < 3) {
            size_t from = out->len - 1;
            strbuf_cut(out, from);
            strbuf_addstr(out, turn ? ",\"snippet\":\"plain\"" : ",\"snippet\":\"di@example.com\"");
            if (turn)
                kept_forms_note_more(f->reader, from, out->len);
            strbuf_addch(out, '}');
        }
        if (turn == 3) {
            strbuf_cut(out, at);
            strbuf_addstr(out, random_below(random, 2) ? "{\"text\":\"bob@example.com\"}"
                                                       : "{\"text\":\"bob\"}");
        }
    }
    strbuf_addf(out, "],%s}", between[random_below(random, 9) ? 2 * random_below(random, 2) : 1]);
}

/* Whatever is left out, there is personal data in what is left just where there is in all of it. */
static void clean_forms_need_not_be_looked_through(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    struct random random = {14};
    struct permissions p = {.mask = true};
    struct guard_rules *rules = guard_rules_new(&p, &e);
    struct guard guard = {.rules = rules, .agent = "a"};
    size_t dirty = 0, shorter = 0;
    assert_non_null(rules);
    fixture_open(&f);
    for (int i = 0; i < 20; i++)
        put_note(&f, i, i % 10 == 9 ? "call 555-867-5309" : "plain");
    for (int round = 0; round < 600; round++) {
        struct strbuf answer = STRBUF_INIT, rest = STRBUF_INIT;
        struct pii_seen none = {0, 0};
        if (round % 7 == 0)
            put_note(&f, (int)random_below(&random, 20),
                     random_below(&random, 5) ? "new" : "cy@example.com");
        assert_int_equal(reader_begin(f.reader, &e), 0);
        reader_guard(f.reader, &guard);
        add_answer(&f, &random, &answer);
        reader_end(f.reader);
        kept_forms_leave_out(f.reader, rules, answer.buf, answer.len, &rest);
        if (rest.len == 0) /* nothing was */
            strbuf_add(&rest, answer.buf, answer.len);
        reader_guard(f.reader, NULL);
        assert_int_equal(json_check(rest.buf, rest.len, JSON_DEPTH_MAX, &e), 0);
        bool found = pii_in_json(guard_pii(rules), answer.buf, answer.len, &none);
        assert_int_equal(pii_in_json(guard_pii(rules), rest.buf, rest.len, &none), found);
        dirty += found;
        shorter += rest.len < answer.len;
        strbuf_release(&answer);
        strbuf_release(&rest);
    }
    assert_true(dirty > 100 && dirty < 500 && shorter > 300);
    guard_rules_release(rules);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_exact),
        cmocka_unit_test(an_older_moment_keeps_its_own),
        cmocka_unit_test(much_is_given_up),
        cmocka_unit_test(much_that_is_said_is_given_up),
        cmocka_unit_test(clean_forms_need_not_be_looked_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
