/* A reader that disbelieves memories answers as from a store in which they were retracted, and nothing is written. */

#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/lineage/loaded.h"
#include "store/lineage/trust.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define MEMORIES 120
#define DOUBTED  6

/* Circles, `all` groups and memories without a source. */
static char *make_line(struct random *r, unsigned i, bool retracted)
{
    struct strbuf line = STRBUF_INIT;
    unsigned sources = random_below(r, 3);
    strbuf_addf(&line, "{\"ref\":\"%s:n%u\",\"text\":\"t\",\"source_type\":\"observation\"%s",
                sources ? "note" : "raw", i, retracted ? ",\"status\":\"retracted\"" : "");
    if (sources)
        strbuf_addf(&line, ",\"derivation\":\"%s\",\"derived_from\":[",
                    random_below(r, 3) ? "any" : "all");
    for (unsigned n = 0; n < sources; n++) {
        unsigned to = random_below(r, MEMORIES);
        strbuf_addf(&line, "%s\"note:n%u\",\"raw:n%u\"", n ? "," : "", to, to);
    }
    strbuf_addstr(&line, sources ? "]}" : "}");
    return strbuf_detach(&line, NULL);
}

/* The same memories for the same seed; of them `doubted` are retracted, if it is not NULL. */
static void fill(struct fixture *f, uint64_t seed, const bool *doubted)
{
    char *lines[MEMORIES];
    struct random r = {seed};
    for (unsigned i = 0; i < MEMORIES; i++)
        lines[i] = make_line(&r, i, doubted && doubted[i]);
    fixture_put_lines(f, (const char *const *)lines, MEMORIES);
    for (unsigned i = 0; i < MEMORIES; i++)
        free(lines[i]);
}

static void read_labels(struct fixture *f, size_t count, struct row_label *out)
{
    struct error e = {0};
    int64_t row[2 * MEMORIES];
    memset(out, 0, count * sizeof(*out));
    for (size_t i = 0; i < count; i++)
        row[i] = (int64_t)i + 1;
    assert_int_equal(labels_of_rows(f->reader, row, count, out, &e), 0);
    assert_int_equal(trust_fill(f->reader, row, count, out, &e), 0);
    assert_int_equal(loses_fill(f->reader, row, count, out, &e), 0);
}

static void assert_same(const struct row_label *a, const struct row_label *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(a[i].label, b[i].label);
        assert_int_equal(a[i].valid, b[i].valid);
        assert_int_equal(a[i].justs, b[i].justs);
        assert_true(a[i].trust == b[i].trust);
        assert_int_equal(a[i].loses, b[i].loses);
    }
}

static size_t rows_of(struct fixture *f)
{
    struct error e = {0};
    int64_t rows = 0;
    assert_int_equal(db_int(reader_db(f->reader), &rows, 0, &e, "SELECT max(id) FROM memory", ""),
                     0);
    assert_true(rows <= 2 * MEMORIES);
    return (size_t)rows;
}

TEST(it_is_as_if_they_were_retracted)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct fixture f, retracted;
        struct random r = {seed * 31};
        struct row_label before[2 * MEMORIES], without[2 * MEMORIES], near[2 * MEMORIES];
        bool doubted[MEMORIES] = {false};
        int64_t row[DOUBTED];
        char ref[32];
        fixture_open(&f);
        fixture_open(&retracted);
        fill(&f, seed, NULL);
        size_t count = rows_of(&f), differ = 0;
        read_labels(&f, count, before);
        for (int i = 0; i < DOUBTED; i++) {
            unsigned n = random_below(&r, MEMORIES);
            struct error e = {0};
            doubted[n] = true;
            snprintf(ref, sizeof(ref), "n%u", n);
            assert_int_equal(db_int(reader_db(f.reader), &row[i], 0, &e,
                                    "SELECT id FROM memory WHERE name = ? AND status < 7", "s",
                                    ref),
                             0);
        }
        fill(&retracted, seed, doubted);
        read_labels(&retracted, count, without);
        struct disbelief *d = disbelief_new(row, DOUBTED);
        reader_disbelieve(f.reader, d);
        read_labels(&f, count, near); /* the first labels are read without the graph */
        assert_same(near, without, count);
        read_labels(&f, count, near);
        assert_same(near, without, count);
        reader_disbelieve(f.reader, NULL);
        read_labels(&f, count, near);
        assert_same(near, before, count);
        for (size_t i = 0; i < count; i++)
            differ += before[i].label != without[i].label;
        assert_true(differ >= 1);
        disbelief_release(d);
        fixture_close(&retracted);
        fixture_close(&f);
    }
}

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(what_is_written_meanwhile_is_labelled_without_them_too)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct row_label label;
    fixture_put(f, "{\"ref\":\"raw:a\",\"text\":\"t\"}",
                "{\"ref\":\"note:b\",\"text\":\"t\",\"derived_from\":[\"raw:a\"]}", NULL);
    int64_t a = fixture_row(f, "raw:a");
    struct disbelief *d = disbelief_new(&a, 1);
    reader_disbelieve(f->reader, d);
    assert_int_equal(loses_fill(f->reader, &a, 1, &label, &e), 0); /* loads the graph */
    fixture_put(f, "{\"ref\":\"note:c\",\"text\":\"t\",\"derived_from\":[\"note:b\"]}", NULL);
    int64_t c = fixture_row(f, "note:c");
    assert_int_equal(labels_of_rows(f->reader, &c, 1, &label, &e), 0);
    assert_int_equal(label.label, LABEL_UNSUPPORTED);
    reader_disbelieve(f->reader, NULL);
    assert_int_equal(labels_of_rows(f->reader, &c, 1, &label, &e), 0);
    assert_int_equal(label.label, LABEL_SUPPORTED);
    disbelief_release(d);
}
