/* Ranks belong to the loaded graph: they are computed once for it. Trust needs no lineage where a short path decides
 * it. */
#include "store/lineage/loaded.h"

#include "model/base/strbuf.h"
#include "store/db/store_state.h"
#include "store/lineage/trust.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static const struct ranks *get(struct fixture *f, enum ranked_by by)
{
    struct error e = {0};
    assert_int_equal(reader_begin(f->reader, &e), 0);
    const struct ranks *k = ranks_get(f->reader, by, &e);
    assert_non_null(k);
    reader_end(f->reader);
    for (size_t i = 1; i < k->rows; i++) {
        uint32_t a = k->order[i - 1], b = k->order[i];
        assert_true(k->value[a - 1] < k->value[b - 1] ||
                    (k->value[a - 1] == k->value[b - 1] && a < b));
        assert_int_equal(ranks_place(k, k->value[b - 1], b), i);
    }
    return k;
}

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(ranks_last_as_long_as_the_graph)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"note:a\",\"text\":\"t\",\"source_type\":\"external\"}",
                "{\"ref\":\"note:b\",\"text\":\"t\",\"derived_from\":[\"note:a\"]}",
                "{\"ref\":\"note:c\",\"text\":\"t\",\"confidence\":0.3}", NULL);
    static const char *const first[RANKED_BY_COUNT] = {"note:c", "note:a", "note:b"};
    for (int by = 0; by < RANKED_BY_COUNT; by++) {
        const struct ranks *k = get(f, (enum ranked_by)by), *again = get(f, (enum ranked_by)by);
        assert_ptr_equal(k, again);
        assert_int_equal(k->order[0], fixture_row(f, first[by]));
        ranks_release(again);
        ranks_release(k);
    }
    fixture_put(f, "{\"ref\":\"note:d\",\"text\":\"t\",\"confidence\":0.2}", NULL);
    const struct ranks *later = get(f, RANKED_BY_EFFECTIVE);
    assert_int_equal(later->order[0], fixture_row(f, "note:d"));
    ranks_release(later);
}

TEST(decayed_confidences_are_not_kept)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"note:a\",\"text\":\"t\"}", NULL);
    f->store->confidence.decay = true;
    const struct ranks *k = get(f, RANKED_BY_EFFECTIVE);
    assert_null(k->of);
    ranks_release(k);
}

#define DEEP 3000

/* A chain of beliefs, each based on the one before and on an observation. */
TEST(trust_at_the_end_of_a_long_chain_needs_a_short_path)
{
    struct fixture *f = *state;
    struct strbuf line = STRBUF_INIT;
    struct error e = {0};
    struct trust trust;
    char *lines[DEEP];
    fixture_put(f, "{\"ref\":\"raw:seen\",\"text\":\"t\",\"source_type\":\"observation\"}", NULL);
    for (int i = 0; i < DEEP; i++) {
        strbuf_addf(&line,
                    "{\"ref\":\"belief:n%d\",\"text\":\"t\",\"source_type\":\"inference\","
                    "\"derived_from\":[\"belief:n%d\",\"raw:seen\"]}",
                    i, i - 1);
        lines[i] = strbuf_detach(&line, NULL);
    }
    fixture_put_lines(f, (const char *const *)lines, DEEP);
    for (int i = 0; i < DEEP; i++)
        free(lines[i]);
    int64_t row = fixture_row(f, "belief:n2999");
    assert_int_equal(reader_begin(f->reader, &e), 0);
    assert_int_equal(trust_by_paths(f->reader, &trust_defaults, row, &trust, &e), 1);
    reader_end(f->reader);
    assert_true(trust.value == 0.9);
    assert_int_equal(trust.weakest, row);
}
