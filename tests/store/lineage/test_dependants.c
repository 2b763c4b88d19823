/* The memories based on a memory, directly and in all, and where the count stops. */
#include "store/lineage/subgraph.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static struct fixture f;

static int open_store(void **state)
{
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"raw:top\",\"text\":\"t\"}",
                "{\"ref\":\"note:a\",\"text\":\"t\",\"derived_from\":[\"raw:top\"],"
                "\"source_episodes\":[\"episode:e\"]}",
                "{\"ref\":\"note:b\",\"text\":\"t\",\"derived_from\":[\"raw:top\",\"note:c\"]}",
                "{\"ref\":\"note:c\",\"text\":\"t\",\"derived_from\":[\"note:a\",\"note:b\"]}",
                "{\"ref\":\"belief:self\",\"text\":\"t\",\"derived_from\":[\"belief:self\"]}",
                "{\"ref\":\"note:later\",\"text\":\"t\",\"supersedes\":\"note:c\"}", NULL);
    return 0;
}

static int close_store(void **state)
{
    fixture_close(&f);
    return 0;
}

static struct dependants find(const char *ref, size_t most)
{
    struct dependants found;
    struct error e = {0};
    assert_int_equal(dependants_find(f.reader, fixture_row(&f, ref), most, &found, &e), 0);
    return found;
}

GROUP(open_store, close_store);

TEST(direct_dependants_come_first_and_once)
{
    struct dependants d = find("raw:top", 0);
    assert_int_equal(d.direct, 2);
    assert_int_equal(d.count, 3);
    assert_false(d.more);
    assert_int_equal(d.row[0], fixture_row(&f, "note:a"));
    assert_int_equal(d.row[1], fixture_row(&f, "note:b"));
    assert_int_equal(d.row[2], fixture_row(&f, "note:c"));
    free(d.row);
}

/* Relations do not count, cycles end, and the memory itself is left out. */
TEST(only_support_counts)
{
    struct dependants d = find("note:c", 0);
    assert_int_equal(d.count, 1); /* note:b, which is based on note:c and the reverse */
    free(d.row);
    d = find("belief:self", 0);
    assert_int_equal(d.count, 0);
    assert_int_equal(d.direct, 0);
    free(d.row);
    d = find("note:later", 0);
    assert_int_equal(d.count, 0);
    free(d.row);
}

TEST(a_limit_is_reported)
{
    struct dependants d = find("raw:top", 3);
    assert_false(d.more);
    assert_int_equal(d.count, 3);
    free(d.row);
    d = find("raw:top", 2);
    assert_true(d.more);
    assert_int_equal(d.count, 2);
    assert_int_equal(d.direct, 2);
    free(d.row);
    d = find("raw:top", 1);
    assert_true(d.more);
    assert_int_equal(d.count, 1);
    assert_int_equal(d.direct, 1);
    free(d.row);
}
