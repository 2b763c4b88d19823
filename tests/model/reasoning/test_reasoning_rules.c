/* The summary of a chain and the ranks of citations against their rules, told the long way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/reasoning/citation.h"
#include "model/reasoning/reasoning.h"
#include "tests/support/random.h"

static struct arena arena = ARENA_INIT;

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static const char *const ids[] = {"a", "b", "ab", "", "a:1", "\xc3\xa9", "doc_1", "doc_10"};
static const char *const texts[] = {NULL, "", "t", "other"};

/* Few different ones, so that many are equal. */
static double random_score(struct random *r)
{
    static const double scores[] = {0, .3, .5, .7, .71, .9, 1, NAN};
    return random_chance(r, 90) ? scores[random_below(r, 8)] : random_below(r, 1000) / 1000.0;
}

static bool better(double a, double b)
{
    return (isnan(b) && !isnan(a)) || a > b;
}

/* Moves each up past those that are worse: stable. */
#define SORT_BY_RELEVANCE(type, list, count)                                                       \
    for (size_t i_ = 1; i_ < (count); i_++)                                                        \
        for (size_t k_ = i_; k_ > 0 && better((list)[k_].relevance, (list)[k_ - 1].relevance);     \
             k_--) {                                                                               \
            type swapped_ = (list)[k_];                                                            \
            (list)[k_] = (list)[k_ - 1];                                                           \
            (list)[k_ - 1] = swapped_;                                                             \
        }

/* ---- the summary ---- */

#define STEPS_MAX   6
#define SOURCES_MAX 12

static const char *filled(const char *text, const char *other)
{
    return (!text || !*text) && other && *other ? other : text;
}

/* Into `all`; how many. */
static size_t documents_of(struct source *all, const struct step_sources *steps, size_t count)
{
    size_t documents = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < steps[i].count; k++) {
            const struct source *s = &steps[i].source[k];
            size_t at = 0;
            while (at < documents && strcmp(all[at].document_id, s->document_id) != 0)
                at++;
            if (at == documents) {
                all[documents++] = *s;
                continue;
            }
            struct source loser = *s;
            if (better(s->relevance, all[at].relevance)) {
                loser = all[at];
                all[at] = *s;
            }
            all[at].title = filled(all[at].title, loser.title);
            all[at].excerpt = filled(all[at].excerpt, loser.excerpt);
        }
    return documents;
}

static void expect_same(const struct source *s, const struct source *expected)
{
    assert_string_equal(s->document_id, expected->document_id);
    assert_memory_equal(&s->relevance, &expected->relevance, sizeof(double));
    assert_ptr_equal(s->title, expected->title);
    assert_ptr_equal(s->excerpt, expected->excerpt);
    assert_int_equal(s->chunk, expected->chunk);
    assert_int_equal(s->rank, expected->rank);
}

static void expect_summary(const struct source_summary *s, struct source *all, size_t count)
{
    struct source primary[PRIMARY_MAX];
    size_t chosen = 0;
    SORT_BY_RELEVANCE(struct source, all, count)
    assert_int_equal(s->count, count);
    for (size_t i = 0; i < count; i++)
        expect_same(&s->all[i], &all[i]);
    for (size_t i = 0; i < count && chosen < 3; i++)
        if (all[i].relevance > 0.7)
            primary[chosen++] = all[i];
    if (chosen == 0)
        for (; chosen < count && chosen < 3; chosen++)
            primary[chosen] = all[chosen];
    assert_int_equal(s->primary_count, chosen);
    for (size_t i = 0; i < chosen; i++)
        expect_same(&s->primary[i], &primary[i]);
}

/* Steps in their order, the later ones of a number after the sources of the first. */
static void expect_usage(const struct source_summary *s, const struct step_sources *steps,
                         size_t count)
{
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        size_t before = 0, place = 0;
        while (before < i && steps[before].number != steps[i].number)
            before++;
        if (before < i)
            continue;
        assert_true(seen < s->step_count);
        assert_int_equal(s->step[seen].number, steps[i].number);
        for (size_t k = i; k < count; k++)
            for (size_t n = 0; steps[k].number == steps[i].number && n < steps[k].count; n++)
                assert_string_equal(s->step[seen].source[place++].document_id,
                                    steps[k].source[n].document_id);
        assert_int_equal(s->step[seen++].count, place);
    }
    assert_int_equal(s->step_count, seen);
}

static void expect_as_written(const struct source_summary *s)
{
    struct strbuf out = STRBUF_INIT;
    struct error e;
    const char **said;
    size_t count;
    source_summary_display(&out, s, true);
    assert_int_equal(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e), 0);
    strbuf_clear(&out);
    source_summary_write(&out, s);
    assert_int_equal(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e), 0);
    struct json_slice slice = {out.buf, out.len};
    source_summary_compare(s, slice, &arena, &said, &count);
    for (size_t i = 0; i < count; i++) /* what nobody scored cannot be compared */
        assert_non_null(strstr(said[i], "no relevance"));
    strbuf_release(&out);
}

static void random_source(struct random *r, struct source *s)
{
    *s = (struct source){
        .document_id = ids[random_below(r, 8)],
        .relevance = random_score(r),
        .title = texts[random_below(r, 4)],
        .excerpt = texts[random_below(r, 4)],
        .chunk = (int64_t)random_below(r, 4) - 1,
        .rank = random_chance(r, 50) ? -1 : (int64_t)random_below(r, 9) + 1,
        .origin = (enum score)(1 + random_below(r, 4)),
    };
}

static void a_summary_is_as_the_rules_say(void **state)
{
    static struct source sources[STEPS_MAX][SOURCES_MAX], all[STEPS_MAX * SOURCES_MAX];
    struct step_sources steps[STEPS_MAX];
    struct random r = {31};
    (void)state;
    for (int round = 0; round < 5000; round++) {
        struct source_summary s;
        size_t count = random_below(&r, STEPS_MAX + 1);
        for (size_t i = 0; i < count; i++) {
            bool again = i > 0 && random_chance(&r, 10);
            steps[i] = (struct step_sources){again ? 2 : (int64_t)i * 2 + 1, sources[i],
                                             random_below(&r, SOURCES_MAX + 1)};
            for (size_t k = 0; k < steps[i].count; k++)
                random_source(&r, &sources[i][k]);
        }
        source_summarise(&s, &arena, steps, count);
        expect_summary(&s, all, documents_of(all, steps, count));
        expect_usage(&s, steps, count);
        expect_as_written(&s);
        arena_clear(&arena);
    }
}

/* ---- citations ---- */

static bool same_section(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_passage(const struct citation *a, const struct citation *b)
{
    int64_t page = a->page > 0 ? a->page : 0, other = b->page > 0 ? b->page : 0;
    return strcmp(a->document_id, b->document_id) == 0 && a->invented == b->invented &&
           page == other && same_section(a->section, b->section);
}

static void random_citation(struct random *r, struct citation *c, size_t place)
{
    static const int64_t pages[] = {0, -1, 1, 12, INT64_MAX};
    *c = (struct citation){
        .document_id = ids[random_below(r, 8)],
        .invented = random_chance(r, 10),
        .page = pages[random_below(r, 5)],
        .section = texts[random_below(r, 4)],
        .relevance = random_score(r),
        .paragraph = (int64_t)place,
        .name = "n",
    };
}

static void expect_citations(const struct citation *c, size_t count,
                             const struct citation *expected, size_t expected_count)
{
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(c[i].paragraph, expected[i].paragraph);
}

#define CITATIONS 40

static void citations_are_as_the_rules_say(void **state)
{
    static struct citation in[CITATIONS], kept[CITATIONS], out[CITATIONS], ranked[CITATIONS];
    struct random r = {32};
    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t count = random_below(&r, CITATIONS + 1), kept_count = 0;
        for (size_t i = 0; i < count; i++) {
            size_t at = 0;
            random_citation(&r, &in[i], i);
            while (at < kept_count && !same_passage(&kept[at], &in[i]))
                at++;
            if (at == kept_count)
                kept[kept_count++] = in[i];
            else if (better(in[i].relevance, kept[at].relevance))
                kept[at] = in[i];
        }
        expect_citations(out, citations_deduplicate(out, in, count), kept, kept_count);
        size_t limit = random_chance(&r, 20) ? SIZE_MAX : random_below(&r, CITATIONS);
        size_t ranks = citations_rank(ranked, out, kept_count, limit);
        expect_citations(out, kept_count, kept, kept_count); /* the input stands as it was */
        SORT_BY_RELEVANCE(struct citation, kept, kept_count)
        expect_citations(ranked, ranks, kept, kept_count < limit ? kept_count : limit);
    }
}

/* ---- many ---- */

/* A hundred thousand of two documents, then of as many. */
static void many_take_no_longer_than_sorting(void **state)
{
    const size_t count = 100000;
    struct source *list = arena_array(&arena, count, sizeof(*list));
    struct citation *cited = arena_array(&arena, count, sizeof(*cited));
    struct citation *out = arena_array(&arena, count, sizeof(*out));
    struct source_summary s;
    (void)state;
    for (int few = 0; few < 2; few++) {
        for (size_t i = 0; i < count; i++) {
            char id[24];
            snprintf(id, sizeof(id), "%zu", few ? i % 2 : i);
            list[i] = (struct source){.document_id = arena_strdup(&arena, id), .relevance = .5};
            cited[i] = (struct citation){.document_id = list[i].document_id, .relevance = .5};
        }
        struct step_sources step = {1, list, count};
        source_summarise(&s, &arena, &step, 1);
        assert_int_equal(s.count, few ? 2 : count);
        assert_int_equal(citations_deduplicate(out, cited, count), few ? 2 : count);
        assert_int_equal(citations_rank(out, cited, count, SIZE_MAX), count);
        assert_ptr_equal(out[count - 1].document_id, cited[count - 1].document_id);
        expect_as_written(&s);
    }
    arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_is_as_the_rules_say),
        cmocka_unit_test(citations_are_as_the_rules_say),
        cmocka_unit_test(many_take_no_longer_than_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
