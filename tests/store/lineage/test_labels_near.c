/*
 * Labels and trust of a few rows, computed from their neighbourhood, compared with those of the whole
 * graph.
 */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/lineage/subgraph.h"
#include "store/lineage/trust.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define MEMORIES 5000 /* more than it opens at first, for any row */

/* The shape of a store: how far links reach, and the percentage of its memories in each state. */
struct weave {
    unsigned reach, sources, dead, all, back;
};

static void add_antecedents(struct strbuf *line, struct random *r, const struct weave *w,
                            unsigned i)
{
    unsigned count = 1 + random_below(r, 3);
    for (unsigned n = 0; n < count; n++) {
        unsigned step = 1 + random_below(r, w->reach);
        bool back = random_below(r, 100) < w->back && step <= i;
        unsigned to = back ? i - step : i + step < MEMORIES ? i + step : MEMORIES - 1;
        strbuf_addf(line, "%s\"note:n%u\"", n ? "," : "", to);
    }
}

static char *make_line(struct random *r, const struct weave *w, unsigned i)
{
    struct strbuf line = STRBUF_INIT;
    bool source = random_below(r, 100) < w->sources;
    static const char *const types[] = {"observation", "inference", "observation", "told_by_agent",
                                        "external"};
    strbuf_addf(&line, "{\"ref\":\"note:n%u\",\"text\":\"t\",\"source_type\":\"%s\"%s", i,
                types[i * 7 % 11 % 5],
                random_below(r, 100) < w->dead ? ",\"status\":\"retracted\"" : "");
    if (!source) {
        bool all = random_below(r, 100) < w->all;
        strbuf_addf(&line, ",\"derivation\":\"%s\",\"derived_from\":[", all ? "all" : "any");
        add_antecedents(&line, r, w, i);
        strbuf_addstr(&line, "]");
    }
    strbuf_addstr(&line, "}");
    return strbuf_detach(&line, NULL);
}

static void fill(struct fixture *f, const struct weave *w, uint64_t seed)
{
    char **lines = calloc(MEMORIES, sizeof(*lines));
    struct random r = {seed};
    for (unsigned i = 0; i < MEMORIES; i++)
        lines[i] = make_line(&r, w, i);
    fixture_put_lines(f, (const char *const *)lines, MEMORIES);
    for (unsigned i = 0; i < MEMORIES; i++)
        free(lines[i]);
    free(lines);
}

/* Asks for a few rows, sometimes one of them twice. Each label must be that of the whole graph. */
static void compare(struct fixture *f, const struct graph *g, const struct labels *l,
                    const double *trust, struct random *r, size_t seen[LABEL_COUNT])
{
    int64_t rows[8];
    struct row_label out[8];
    struct error e = {0};
    size_t count = 1 + random_below(r, 8);
    for (size_t i = 0; i < count; i++)
        rows[i] =
            i && random_below(r, 8) == 0 ? rows[i - 1] : 1 + (int64_t)random_below(r, g->nodes);
    assert_int_equal(labels_of_rows(f->reader, rows, count, out, &e), 0);
    assert_int_equal(trust_fill(f->reader, rows, count, out, &e), 0);
    for (size_t i = 0; i < count; i++) {
        size_t node = (size_t)rows[i] - 1;
        assert_int_equal(out[i].label, l->label[node]);
        assert_int_equal(out[i].valid, l->valid[node]);
        assert_int_equal(out[i].justs, g->just_first[node + 1] - g->just_first[node]);
        assert_true(out[i].trust == trust[node]);
        seen[out[i].label]++;
    }
}

TEST(labels_and_trust_near_match_the_whole_graph)
{
    static const struct weave weaves[] = {
        {4000, 30, 5, 30, 50}, /* short paths to sources */
        {20, 1, 1, 20, 20},    /* long paths, with circles */
        {6, 0, 2, 60, 50},     /* few sources */
        {MEMORIES, 2, 20, 50, 50},
    };
    size_t seen[LABEL_COUNT] = {0};
    for (size_t i = 0; i < sizeof(weaves) / sizeof(weaves[0]); i++) {
        struct fixture f;
        struct graph g;
        struct labels l;
        struct random r = {99 + i};
        struct error e = {0};
        fixture_open(&f);
        fill(&f, &weaves[i], 7 + i);
        graph_init(&g);
        assert_int_equal(graph_load(f.reader, &g, &e), 0);
        labels_compute(&l, &g);
        AUTO_FREE double *trust = calloc(g.nodes + 1, sizeof(*trust));
        assert_int_equal(reader_begin(f.reader, &e), 0);
        assert_int_equal(trust_of_all(f.reader, g.nodes, trust, &e), 0);
        reader_end(f.reader);
        for (int n = 0; n < 120; n++)
            compare(&f, &g, &l, trust, &r, seen);
        labels_release(&l);
        graph_release(&g);
        fixture_close(&f);
    }
    for (int label = 0; label < LABEL_COUNT; label++)
        assert_true(seen[label] > 0);
}
