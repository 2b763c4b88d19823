/* Duplicates and conflicts of a store: of one memory as of all; what the past had; which sources are independent. */
#include "store/similar/similar.h"

#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "store/open.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static struct arena arena = ARENA_INIT;

static struct similar_sets find(struct fixture *f, enum similar_question question, int64_t row)
{
    struct similar_sets sets;
    struct error e;
    assert_int_equal(similar_find(f->reader, &arena, question, &row, row ? 1 : 0, &sets, &e), 0);
    return sets;
}

static bool has(const struct similar_set *set, int64_t row)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->row[i] == row)
            return true;
    return false;
}

/* Texts of 8 to 14 words; of three in a row the second has an article more than the first, and the third
 * another number. */
static void put_texts(struct fixture *f, int count)
{
    static const char *const words[] = {"deployment", "staging", "cluster",  "billing",  "customer",
                                        "incident",   "backup",  "database", "pipeline", "review",
                                        "kubernetes", "invoice", "the",      "of",       "with"};
    uint32_t dice = 7;
    AUTO_STRBUF text = STRBUF_INIT;
    for (int i = 0; i < count; i++) {
        char line[600];
        if (i % 3 == 0) {
            strbuf_clear(&text);
            for (int n = 8 + i % 7; n; n--) {
                dice = dice * 1664525 + 1013904223;
                strbuf_addf(&text, "%s ", words[(dice >> 8) % 15]);
            }
            strbuf_addf(&text, "%d", i);
        }
        snprintf(line, sizeof(line), "{\"ref\":\"note:%d\",\"text\":\"%s%s%s\"}", i,
                 i % 3 == 1 ? "a " : "", text.buf, i % 3 == 2 ? "1" : "");
        fixture_put(f, line, NULL);
    }
}

static int teardown(void **state)
{
    arena_release(&arena);
    return fixture_tear_down(state);
}

FIXTURE(fixture_set_up, teardown);

TEST(of_one_is_as_of_all)
{
    struct fixture *f = *state;
    put_texts(f, 240);
    for (int question = 0; question < 2; question++) {
        struct similar_sets all = find(f, (enum similar_question)question, 0);
        size_t missed = 0, found = 0;
        assert_true(all.count >= 60);
        for (size_t i = 0; i < all.count; i++) {
            const struct similar_set *set = &all.set[i];
            struct similar_sets one = find(f, (enum similar_question)question, set->row[0]);
            bool same = false;
            for (size_t k = 0; k < one.count && !same; k++)
                same = has(&one.set[k], set->row[1]) ||
                       (question == SIMILAR_DUPLICATES && one.set[k].count >= 2);
            found += same;
            missed += !same;
        }
        assert_true(missed * 20 <= found);
    }
}

/* Among the newest half are the groups that a store of this half alone has. */
TEST(among_rows)
{
    struct fixture *f = *state;
    struct similar_sets among, all;
    struct error e;
    int64_t rows[121] = {0};
    put_texts(f, 240);
    all = find(f, SIMILAR_DUPLICATES, 0);
    for (size_t i = 0; i < 120; i++)
        rows[i] = fixture_row(f, "note:239") - (int64_t)i;
    rows[120] = rows[0];
    assert_int_equal(similar_among(f->reader, &arena, rows, 121, &among, &e), 0);
    size_t expected = 0, found = 0;
    for (size_t i = 0; i < all.count; i++)
        expected += all.set[i].count == 2 && all.set[i].row[0] >= rows[119];
    for (size_t i = 0; i < among.count; i++) {
        for (size_t k = 0; k < among.set[i].count; k++)
            assert_true(among.set[i].row[k] >= rows[119]);
        found += among.set[i].count == 2;
    }
    assert_true(expected >= 30);
    assert_int_equal(found, expected);
}

/* Another program that opened the store just now: it has kept nothing. */
static struct similar_sets find_anew(struct fixture *f, int64_t row)
{
    struct error e;
    struct fixture other = *f;
    other.store = store_open(f->path, &(struct store_options){.read_only = true}, NULL, &e);
    assert_non_null(other.store);
    other.reader = reader_open(other.store, &e);
    assert_non_null(other.reader);
    struct similar_sets sets = find(&other, SIMILAR_DUPLICATES, row);
    reader_close(other.reader);
    store_close(other.store);
    return sets;
}

static void assert_same(const struct similar_sets *a, const struct similar_sets *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->set[i].count, b->set[i].count);
        assert_memory_equal(a->set[i].row, b->set[i].row, a->set[i].count * sizeof(int64_t));
    }
}

/* What was computed over all follows what is written: memories are added, changed and retracted. */
TEST(all_duplicates_stay_current)
{
    struct fixture *f = *state;
    put_texts(f, 60);
    find(f, SIMILAR_DUPLICATES, 0);
    for (int i = 0; i < 30; i++) {
        char line[200];
        int64_t row;
        snprintf(line, sizeof(line),
                 "{\"ref\":\"note:%d\",\"status\":\"%s\",\"text\":\"%s of cluster number %d\"}",
                 i * 7 % 80, i % 5 == 4 ? "retracted" : "active",
                 i % 2 ? "The nightly deployment" : "The nightly deployments", i / 8);
        fixture_put(f, line, NULL);
        row = fixture_row(f, i % 3 ? "note:0" : "note:7");
        struct similar_sets kept = find(f, SIMILAR_DUPLICATES, row), anew = find_anew(f, row);
        assert_same(&kept, &anew);
        kept = find(f, SIMILAR_DUPLICATES, 0);
        anew = find_anew(f, 0);
        assert_same(&kept, &anew);
    }
}

TEST(the_past_had_others)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"note:a\",\"text\":\"The limit of requests is 30 a minute\"}", NULL);
    fixture_put(f, "{\"ref\":\"note:b\",\"text\":\"The limit of requests is 60 a minute\"}", NULL);
    struct similar_sets sets = find(f, SIMILAR_CONFLICTS, fixture_row(f, "note:a"));
    assert_int_equal(sets.count, 1);
    assert_string_equal(sets.set[0].reason, "number: 60 / 30");
    fixture_put(f, "{\"ref\":\"note:b\",\"text\":\"Nothing of that kind\"}", NULL);
    assert_int_equal(find(f, SIMILAR_CONFLICTS, 0).count, 0);
    assert_int_equal(find(f, SIMILAR_CONFLICTS, fixture_row(f, "note:a")).count, 0);
}

static enum similar_origins origins(struct fixture *f, const char *a, const char *b)
{
    struct error e;
    enum similar_origins out;
    int64_t rows[] = {fixture_row(f, a), fixture_row(f, b)};
    assert_int_equal(
        similar_independent(f->reader, &(struct similar_set){.row = rows, .count = 2}, &out, &e),
        0);
    return out;
}

TEST(echoes_are_not_independent)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"raw:r\",\"text\":\"r\"}", "{\"ref\":\"raw:s\",\"text\":\"s\"}",
                "{\"ref\":\"note:a\",\"text\":\"t\",\"derived_from\":[\"raw:r\"]}",
                "{\"ref\":\"note:b\",\"text\":\"t\",\"derived_from\":[\"raw:s\"]}",
                "{\"ref\":\"note:c\",\"text\":\"t\",\"derived_from\":[\"note:a\"]}",
                "{\"ref\":\"note:d\",\"text\":\"t\",\"derived_from\":[\"raw:r\",\"raw:s\"]}",
                "{\"ref\":\"note:e\",\"text\":\"t\"}", NULL);
    assert_int_equal(origins(f, "note:a", "note:e"), ORIGINS_UNKNOWN);
    assert_int_equal(origins(f, "note:a", "note:b"), ORIGINS_INDEPENDENT);
    assert_int_equal(origins(f, "raw:r", "raw:s"), ORIGINS_INDEPENDENT);
    assert_int_equal(origins(f, "note:a", "note:c"),
                     ORIGINS_SHARED); /* one is based on the other */
    assert_int_equal(origins(f, "note:c", "note:a"), ORIGINS_SHARED);
    assert_int_equal(origins(f, "note:b", "note:d"), ORIGINS_SHARED); /* a common source */
    assert_int_equal(origins(f, "note:c", "note:b"), ORIGINS_INDEPENDENT);
}
