/* The loaded graph must equal a newly loaded one after any write, whichever reader asks. Its
 * answers must equal those from the neighbourhood alone. */
#include "store/lineage/loaded.h"

#include <pthread.h>
#include <stdatomic.h>
#include "model/base/strbuf.h"
#include "store/lineage/orphans.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define NAMES    60 /* memories that are written again and again */
#define ROWS_MAX 400
#define STEPS    250

/* Puts a memory, new or not, with links to others that exist or not. It fills stubs, closes
 * circles, ends or restores memories. */
static void put_random(struct fixture *f, struct random *random)
{
    static const char *const readings[] = {"any", "all"};
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "{\"ref\":\"belief:n%u\",\"text\":\"t%u\",\"status\":\"%s\"",
                (unsigned)random_below(random, NAMES), (unsigned)random_below(random, 1000),
                random_chance(random, 15) ? "retracted" : "active");
    if (!random_chance(random, 20))
        strbuf_addf(&line, ",\"derived_from\":[\"belief:n%u\",\"raw:s%u\"],\"derivation\":\"%s\"",
                    (unsigned)random_below(random, NAMES), (unsigned)random_below(random, 8),
                    readings[random_below(random, 2)]);
    strbuf_addstr(&line, "}");
    fixture_put(f, line.buf, NULL);
}

/* A memory that no other names. */
static void put_new(struct fixture *f, unsigned number)
{
    char line[160];
    snprintf(line, sizeof(line),
             "{\"ref\":\"note:new%u\",\"text\":\"t\",\"derived_from\":[\"belief:n%u\"]}", number,
             number % NAMES);
    fixture_put(f, line, NULL);
}

static void put_sources(struct fixture *f)
{
    for (unsigned i = 0; i < 6; i++) { /* two of eight are never written */
        char line[80];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:s%u\",\"text\":\"t\"}", i);
        fixture_put(f, line, NULL);
    }
}

/* Compares the loaded labels, and those of some rows, with a graph that the reader loads itself.
 * Only the first thread may assert. */
static bool are_exact(struct reader *r, bool load)
{
    struct error e;
    struct graph g;
    struct labels l = {.label = NULL};
    struct row_label label[ROWS_MAX], known;
    int64_t rows[ROWS_MAX];
    if (reader_begin(r, &e))
        return false;
    bool exact = graph_load(r, &g, &e) == 0;
    if (exact)
        labels_compute(&l, &g);
    exact = exact && g.nodes <= ROWS_MAX;
    const struct loaded *k = load ? loaded_labels_get(r, &e) : loaded_labels_find(r);
    exact = exact && (!load || k) && (!k || k->rows == g.nodes);
    for (uint32_t i = 0; exact && i < g.nodes; i++)
        rows[i] = (int64_t)i + 1;
    exact = exact && labels_of_rows(r, rows, g.nodes, label, &e) == 0;
    for (uint32_t i = 0; exact && i < g.nodes; i++)
        exact = label[i].label == l.label[i] && label[i].valid == l.valid[i] &&
                label[i].justs == g.just_first[i + 1] - g.just_first[i] &&
                (!k || (loaded_label(k, rows[i], &known) && known.label == l.label[i]));
    loaded_release(k);
    labels_release(&l);
    graph_release(&g);
    reader_end(r);
    return exact;
}

/* ---- labels ---- */

TEST(labels_are_updated)
{
    struct fixture f;
    struct random random = {61};
    size_t found = 0;
    fixture_open(&f);
    put_sources(&f);
    assert_true(are_exact(f.reader, true));
    for (unsigned step = 0; step < STEPS; step++) {
        struct error e;
        if (random_chance(&random, 30))
            put_new(&f, step);
        else
            put_random(&f, &random);
        if (random_chance(&random, 30))
            continue;
        assert_int_equal(reader_begin(f.reader, &e), 0);
        const struct loaded *k = loaded_labels_find(f.reader);
        found += k != NULL;
        loaded_release(k);
        reader_end(f.reader);
        assert_true(are_exact(f.reader, false));
    }
    assert_true(found > STEPS / 2);
    fixture_close(&f);
}

/* A reader of an older snapshot has its own labels, and they do not change. */
TEST(each_snapshot_has_its_own)
{
    struct fixture f;
    struct error e;
    fixture_open(&f);
    put_sources(&f);
    put_new(&f, 1);
    struct reader *older = reader_open(f.store, &e);
    assert_int_equal(reader_begin(older, &e), 0);
    const struct loaded *held = loaded_labels_get(older, &e);
    const struct loaded *graph = loaded_get(older, &e);
    size_t rows = held->rows;
    fixture_put(&f, "{\"ref\":\"belief:n1\",\"text\":\"t\",\"derived_from\":[\"raw:s7\"]}", NULL);
    assert_true(are_exact(f.reader, true));
    assert_true(are_exact(older, true));
    assert_int_equal(held->rows, rows);
    assert_int_equal(graph->graph.nodes, rows);
    loaded_release(held);
    loaded_release(graph);
    reader_end(older);
    assert_true(are_exact(older, false));
    reader_close(older);
    fixture_close(&f);
}

struct asking {
    struct store *store;
    atomic_bool *done;
    bool exact;
    pthread_t thread;
};

static void *ask(void *arg)
{
    struct asking *a = arg;
    struct error e;
    struct reader *r = reader_open(a->store, &e);
    a->exact = r != NULL;
    for (unsigned i = 0; a->exact && !atomic_load(a->done); i++)
        a->exact = are_exact(r, i % 8 == 0);
    reader_close(r);
    return NULL;
}

TEST(readers_at_once_find_the_same)
{
    struct fixture f;
    struct random random = {67};
    atomic_bool done = false;
    fixture_open(&f);
    put_sources(&f);
    struct asking asking[2] = {{.store = f.store, .done = &done},
                               {.store = f.store, .done = &done}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&asking[i].thread, NULL, ask, &asking[i]), 0);
    for (unsigned step = 0; step < STEPS; step++) {
        if (random_chance(&random, 50))
            put_new(&f, step);
        else
            put_random(&f, &random);
    }
    atomic_store(&done, true);
    for (int i = 0; i < 2; i++) {
        pthread_join(asking[i].thread, NULL);
        assert_true(asking[i].exact);
    }
    fixture_close(&f);
}

/* ---- traces and retractions ---- */

static void add_rows(struct strbuf *out, const struct graph *g, const uint32_t *nodes, size_t count)
{
    int64_t row[ROWS_MAX];
    for (size_t i = 0; i < count; i++)
        row[i] = graph_row(g, nodes[i]);
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && row[k] < row[k - 1]; k--) {
            int64_t swapped = row[k];
            row[k] = row[k - 1];
            row[k - 1] = swapped;
        }
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, " %lld", (long long)row[i]);
    strbuf_addch(out, '\n');
}

static void describe_trace(struct reader *r, int64_t row, enum direction direction, uint32_t depth,
                           struct strbuf *out)
{
    struct trace t;
    struct lineage walk;
    struct error e;
    assert_int_equal(trace_load(&t, r, row, direction, depth, &e), 0);
    lineage_walk(&walk, &t.graph, t.root, direction, depth);
    for (size_t i = 0; i < walk.count; i++)
        strbuf_addf(out, "%lld:%u:%d ", (long long)graph_row(&t.graph, walk.node[i]), walk.depth[i],
                    t.labels.label[walk.node[i]]);
    strbuf_addf(out, "cut %zu cycles %zu\n", walk.cut, walk.cycle_count);
    lineage_release(&walk);
    trace_release(&t);
}

static void describe_retraction(struct reader *r, const int64_t *rows, size_t count,
                                struct strbuf *out)
{
    struct retraction q;
    struct error e;
    assert_int_equal(retraction_load(&q, r, rows, count, &e), 0);
    const struct whatif *w = &q.outcome;
    uint32_t weakened[ROWS_MAX];
    for (size_t i = 0; i < w->weakened_count; i++)
        weakened[i] = w->weakened[i].node;
    add_rows(out, &q.graph, w->unsupported, w->unsupported_count);
    add_rows(out, &q.graph, weakened, w->weakened_count);
    add_rows(out, &q.graph, w->descending, w->descending_count);
    retraction_release(&q);
}

static void describe_all(struct reader *r, uint64_t seed, struct strbuf *out)
{
    struct random random = {seed};
    strbuf_clear(out);
    for (int i = 0; i < 12; i++) {
        int64_t rows[2] = {1 + (int64_t)random_below(&random, NAMES / 2)};
        rows[1] = rows[0] + 1 + (int64_t)random_below(&random, 9);
        describe_trace(r, rows[0], i % 2 ? ANCESTORS : DESCENDANTS, i % 3 ? 2 : DEPTH_UNLIMITED,
                       out);
        describe_retraction(r, rows, 1 + i % 2, out);
    }
}

/* From the neighbourhood, from it with the loaded labels, and from the whole graph. */
TEST(answers_do_not_depend_on_how_they_are_found)
{
    struct fixture f;
    struct random random = {71};
    AUTO_STRBUF near = STRBUF_INIT, other = STRBUF_INIT;
    fixture_open(&f);
    put_sources(&f);
    for (unsigned i = 0; i < NAMES; i++)
        put_random(&f, &random);
    for (unsigned step = 0; step < 20; step++) {
        struct error e;
        put_random(&f, &random);
        struct reader *r = f.reader;
        assert_int_equal(reader_begin(r, &e), 0);
        describe_all(r, step, &near);
        loaded_release(loaded_labels_find(r));
        describe_all(r, step, &other);
        assert_string_equal(other.buf, near.buf);
        loaded_release(loaded_get(r, &e));
        describe_all(r, step, &other);
        assert_string_equal(other.buf, near.buf);
        reader_end(r);
    }
    fixture_close(&f);
}
