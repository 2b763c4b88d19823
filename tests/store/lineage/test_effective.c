/* The effective confidence of rows and of all rows, compared with a naive sum over their histories. */
#include "model/base/alloc.h"
#include "store/lineage/effective.h"

#include "model/base/strbuf.h"
#include "store/db/store_state.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define MEMORIES 600
#define ENTRIES  3

/* A belief with reinforcements, each by another belief, which it may be based on, or by a date. */
struct made {
    int by[ENTRIES]; /* the belief; -1: a date; MEMORIES: one that was never written */
    size_t count;
};

static struct made made[MEMORIES];
static int64_t rows[MEMORIES];

#define AMOUNT 0.01

static void add_history(struct strbuf *line, struct random *r, struct made *m, bool linked)
{
    strbuf_addstr(line, ",\"history\":[");
    for (size_t n = 0; n < m->count; n++) {
        char by[40] = "consolidation:2026-02-01";
        m->by[n] = random_chance(r, 20) ? -1 : (int)random_below(r, MEMORIES + 1);
        if (m->by[n] >= 0)
            snprintf(by, sizeof(by), "belief:n%d", m->by[n]);
        strbuf_addf(line,
                    "%s{\"at\":1790000000000,\"old\":%.2f,\"new\":%.2f,\"evidence_source\":\"%s\"}",
                    n ? "," : "", 0.5 + AMOUNT * (double)n, 0.51 + AMOUNT * (double)n, by);
    }
    strbuf_addstr(line, "],\"justifications\":[{\"role\":\"derived_from\"},");
    for (size_t n = 0; n < m->count && linked; n++)
        if (m->by[n] >= 0)
            strbuf_addf(line, "{\"role\":\"reinforcement\",\"antecedents\":[\"belief:n%d\"]},",
                        m->by[n]);
    strbuf_cut(line, line->len - 1);
    strbuf_addstr(line, "]");
}

static void put(struct fixture *f, struct random *r, int i)
{
    AUTO_STRBUF line = STRBUF_INIT;
    struct made *m = &made[i];
    m->count = random_below(r, ENTRIES + 1);
    strbuf_addf(&line,
                "{\"ref\":\"belief:n%d\",\"text\":\"t\",\"created_at\":1780000000000,"
                "\"confidence\":%.2f,\"status\":\"%s\"",
                i, 0.5 + AMOUNT * (double)m->count, random_chance(r, 25) ? "retracted" : "active");
    if (m->count)
        add_history(&line, r, m, random_chance(r, 70));
    else if (random_chance(r, 50)) /* falls with it, or is on a circle */
        strbuf_addf(&line, ",\"derived_from\":[\"belief:n%u\"]", random_below(r, MEMORIES));
    strbuf_addstr(&line, "}");
    fixture_put(f, line.buf, NULL);
}

static double expected(int i, const struct row_label *label)
{
    double value = 0.5;
    for (size_t n = 0; n < made[i].count; n++) {
        int by = made[i].by[n];
        bool fell = by == MEMORIES || (by >= 0 && !label_stands(label[by].label));
        value += fell ? 0 : AMOUNT;
    }
    return label_stands(label[i].label) ? value : 0;
}

/* What was added without a source type is direct experience. */
static const struct trust_rules capping = {.cap = true,
                                           .source_type = {[SOURCE_DIRECT_EXPERIENCE] = 0.505}};

static void compare(struct fixture *f, bool decay, bool cap)
{
    struct error e = {0};
    AUTO_FREE struct row_label *label = calloc(MEMORIES, sizeof(*label));
    f->store->confidence =
        (struct confidence_rules){.decay = decay, .trust = cap ? &capping : NULL};
    assert_int_equal(reader_begin(f->reader, &e), 0);
    assert_int_equal(effective_of_rows(f->reader, rows, MEMORIES, label, &e), 0);
    const struct loaded *l = loaded_labels_get(f->reader, &e);
    assert_non_null(l);
    AUTO_FREE double *all = calloc(l->rows + 1, sizeof(*all));
    assert_int_equal(effective_of_all(f->reader, l, all, &e), 0);
    size_t fallen = 0;
    for (int i = 0; i < MEMORIES; i++) {
        assert_true(all[rows[i] - 1] == label[i].effective);
        if (cap && fabs(label[i].effective - fmin(expected(i, label), 0.505)) > 1e-9)
            fail_msg("belief:n%d: %g is not capped", i, label[i].effective);
        if (!decay && !cap && fabs(label[i].effective - expected(i, label)) > 1e-9)
            fail_msg("belief:n%d: %g, not %g", i, label[i].effective, expected(i, label));
        fallen += label_stands(label[i].label) &&
                  label[i].effective < 0.5 + AMOUNT * (double)made[i].count - 1e-9;
    }
    assert_true(fallen > MEMORIES / 20);
    loaded_release(l);
    reader_end(f->reader);
}

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(rows_and_all_rows_agree)
{
    struct fixture *f = *state;
    struct random r = {7};
    for (int i = 0; i < MEMORIES; i++)
        put(f, &r, i);
    for (int i = 0; i < MEMORIES; i++) {
        char ref[40];
        snprintf(ref, sizeof(ref), "belief:n%d", i);
        rows[i] = fixture_row(f, ref);
    }
    compare(f, false, false);
    compare(f, true, false);
    compare(f, false, true);
}
