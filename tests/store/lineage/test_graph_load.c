/* The graph of a store, loaded whole or around a few rows, gives the same answers. */
#include "model/base/alloc.h"
#include "store/lineage/subgraph.h"

#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/open.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static uint32_t seed = 1;
static unsigned any(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* A store of `count` memories that are based on each other at random, with circles and missing
 * memories. Some names are never written. */
static void fill(struct fixture *f, unsigned count)
{
    static const char *const kinds[] = {"raw", "belief", "note", "episode"};
    static const char *const statuses[] = {"active", "superseded", "retracted", "deleted",
                                           "purged"};
    static const char *const roles[] = {"derived_from", "evidence", "source", "step"};
    AUTO_STRBUF line = STRBUF_INIT;
    char **lines = calloc(count, sizeof(*lines));
    size_t line_count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (any(12) == 0)
            continue; /* a stub if a memory names it */
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"%s:m%u\",\"text\":\"t\",\"status\":\"%s\",\"justifications\":[",
                    kinds[i % 4], i, statuses[any(4) ? 0 : any(5)]);
        unsigned groups = any(4);
        for (unsigned g = 0; g < groups; g++) {
            strbuf_addf(&line, "%s{\"role\":\"%s\",\"reading\":\"%s\",\"antecedents\":[",
                        g ? "," : "", roles[any(4)], any(2) ? "any" : "all");
            unsigned size = any(5), last = 0;
            for (unsigned k = 0; k < size; k++) {
                unsigned to = last + 1 + any(count / 5 + 1);
                if (to >= count)
                    break;
                strbuf_addf(&line, "%s\"%s:m%u\"", k ? "," : "", kinds[to % 4], to);
                last = to;
            }
            strbuf_addstr(&line, "]}");
        }
        strbuf_addf(&line, "],\"relations\":[{\"type\":\"contradicts\",\"to\":\"%s:m%u\"}]}",
                    kinds[(i + 1) % count % 4], (i + 1) % count);
        lines[line_count++] = strdup(line.buf);
    }
    fixture_put_lines(f, (const char *const *)lines, line_count);
    for (size_t i = 0; i < line_count; i++)
        free(lines[i]);
    free(lines);
}

static void load(struct fixture *f, struct graph *g, struct labels *l)
{
    struct error e = {0};
    if (graph_load(f->reader, g, &e))
        fail_msg("%s", e.what);
    labels_compute(l, g);
}

static void load_around(struct fixture *f, struct graph *g, struct labels *l, const int64_t *rows,
                        size_t count, enum direction direction)
{
    struct error e = {0};
    bool bounded = true;
    if (graph_load_surroundings(f->reader, g, rows, count, direction, 0, &bounded, &e))
        fail_msg("%s", e.what);
    assert_false(bounded);
    labels_compute(l, g);
}

/* The groups of a node as text, antecedents by row. */
static void describe(const struct graph *g, uint32_t node, struct strbuf *out)
{
    strbuf_clear(out);
    strbuf_addf(out, "%d %d:", g->kind[node], g->status[node]);
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++) {
        strbuf_addf(out, " [%u %u", g->just_group[j], g->just_shape[j]);
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            strbuf_addf(out, " %lld", (long long)graph_row(g, g->link_to[i]));
        strbuf_addstr(out, "]");
    }
}

/* The same groups, from the stored text. */
static void describe_group(const struct justification *j, size_t number, struct strbuf *out)
{
    unsigned shape = GRAPH_SHAPE(j->role, j->reading, j->recorded);
    for (size_t k = 0; k < j->count || k == 0; k++) {
        if (k == 0 || j->reading == READING_ANY)
            strbuf_addf(out, "%s [%zu %u", k ? "]" : "", number, shape);
        if (j->count)
            strbuf_addf(out, " %lld", (long long)j->antecedents[k].node);
    }
    strbuf_addstr(out, "]");
}

/* The graph must match the memories, read one by one. */
static void check_against_memories(struct fixture *f, const struct graph *g)
{
    struct error e = {0};
    AUTO_STRBUF got = STRBUF_INIT, wanted = STRBUF_INIT;
    for (uint32_t node = 0; node < g->nodes; node++) {
        struct memory m;
        assert_int_equal(memory_read(f->reader, &f->arena, graph_row(g, node), &m, &e), 0);
        describe(g, node, &got);
        strbuf_clear(&wanted);
        strbuf_addf(&wanted, "%d %d:", (int)m.ref.kind, (int)m.status);
        for (size_t i = 0; i < m.justification_count; i++)
            describe_group(&m.justifications[i], i, &wanted);
        if (strcmp(got.buf, wanted.buf))
            fail_msg("%s: %s, not %s", m.ref.id, got.buf, wanted.buf);
    }
}

static void check_labels_around(struct fixture *f, const struct graph *whole,
                                const struct labels *labels)
{
    struct graph g;
    struct labels l;
    AUTO_STRBUF a = STRBUF_INIT, b = STRBUF_INIT;
    for (uint32_t node = 0; node < whole->nodes; node += 1 + any(4)) {
        int64_t rows[2] = {(int64_t)node + 1,
                           (int64_t)((node + 1 + any(whole->nodes - 1)) % whole->nodes) + 1};
        enum direction direction = any(2) ? ANCESTORS : DESCENDANTS;
        load_around(f, &g, &l, rows, 2, direction);
        for (uint32_t i = 0; i < g.nodes; i++) {
            uint32_t there = (uint32_t)(graph_row(&g, i) - 1);
            assert_int_equal(l.label[i], labels->label[there]);
            assert_int_equal(l.valid[i], labels->valid[there]);
            assert_int_equal(l.stands[i], labels->stands[there]);
            describe(&g, i, &a);
            describe(whole, there, &b);
            assert_string_equal(a.buf, b.buf);
        }
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(graph_row(&g, (uint32_t)i), rows[i]);
        labels_release(&l);
        graph_release(&g);
    }
}

/* The reachable rows, in ascending order. */
static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static size_t reached(const struct graph *g, uint32_t root, enum direction direction,
                      uint32_t depth, int64_t *rows)
{
    struct lineage l;
    lineage_walk(&l, g, root, direction, depth);
    size_t count = l.count;
    for (size_t i = 0; i < count; i++)
        rows[i] = graph_row(g, l.node[i]) * 100000 + l.depth[i];
    qsort(rows, count, sizeof(*rows), by_number);
    lineage_release(&l);
    return count;
}

static void check_walks_and_whatif(struct fixture *f, const struct graph *whole,
                                   const struct labels *labels)
{
    AUTO_FREE int64_t *a = calloc(whole->nodes, sizeof(*a)), *b = calloc(whole->nodes, sizeof(*b));
    for (uint32_t node = 0; node < whole->nodes; node += 3)
        for (int d = ANCESTORS; d <= DESCENDANTS; d++) {
            struct graph g;
            struct labels l;
            int64_t row = (int64_t)node + 1;
            load_around(f, &g, &l, &row, 1, (enum direction)d);
            size_t count = reached(whole, node, (enum direction)d, DEPTH_UNLIMITED, a);
            assert_int_equal(reached(&g, 0, (enum direction)d, DEPTH_UNLIMITED, b), count);
            assert_memory_equal(a, b, count * sizeof(*a));
            struct whatif x, y;
            uint32_t zero = 0;
            whatif_retract(&x, whole, labels, &node, 1);
            whatif_retract(&y, &g, &l, &zero, 1);
            if (d == DESCENDANTS) {
                assert_int_equal(x.unsupported_count, y.unsupported_count);
                assert_int_equal(x.weakened_count, y.weakened_count);
                assert_int_equal(x.descending_count, y.descending_count);
            }
            whatif_release(&x);
            whatif_release(&y);
            labels_release(&l);
            graph_release(&g);
        }
}

/* What lies at most so many steps away, and the next step. */
static void check_near(struct fixture *f, const struct graph *whole)
{
    static const uint32_t depths[] = {0, 1, 2, DEPTH_UNLIMITED - 1, DEPTH_UNLIMITED};
    struct error e = {0};
    AUTO_FREE int64_t *a = calloc(whole->nodes, sizeof(*a)), *b = calloc(whole->nodes, sizeof(*b));
    for (uint32_t node = 0; node < whole->nodes; node += 3)
        for (unsigned i = 0; i < 2 * sizeof(depths) / sizeof(*depths); i++) {
            struct graph g;
            bool bounded;
            uint32_t depth = depths[i / 2];
            enum direction side = i % 2 ? DESCENDANTS : ANCESTORS;
            if (graph_load_near(f->reader, &g, (int64_t)node + 1, side, depth, SIZE_MAX, &bounded,
                                &e))
                fail_msg("%s", e.what);
            assert_false(bounded);
            for (uint32_t more = 0; more < 2; more++) {
                uint32_t to = depth < DEPTH_UNLIMITED ? depth + more : depth;
                size_t count = reached(whole, node, side, to, a);
                assert_int_equal(reached(&g, 0, side, to, b), count);
                assert_memory_equal(a, b, count * sizeof(*a));
            }
            graph_release(&g);
        }
}

TEST(test_surroundings_equal_the_whole)
{
    for (unsigned i = 0; i < 12; i++) {
        struct fixture f;
        struct graph g;
        struct labels l;
        seed = i + 1;
        fixture_open(&f);
        fill(&f, 20 + 20 * i);
        load(&f, &g, &l);
        check_against_memories(&f, &g);
        check_labels_around(&f, &g, &l);
        check_walks_and_whatif(&f, &g, &l);
        check_near(&f, &g);
        struct error e = {0};
        int64_t rows[40];
        struct row_label labelled[40];
        for (size_t k = 0; k < 40; k++)
            rows[k] = (int64_t)any(g.nodes) + 1;
        assert_int_equal(labels_of_rows(f.reader, rows, 40, labelled, &e), 0);
        for (size_t k = 0; k < 40; k++) {
            size_t node = (size_t)rows[k] - 1;
            assert_int_equal(labelled[k].label, l.label[node]);
            assert_int_equal(labelled[k].valid, l.valid[node]);
            assert_int_equal(labelled[k].justs, g.just_first[node + 1] - g.just_first[node]);
        }
        labels_release(&l);
        graph_release(&g);
        fixture_close(&f);
    }
}

/* A write without an event is invisible to an open store. */
static void open_anew(struct fixture *f)
{
    struct error e = {0};
    reader_close(f->reader);
    store_close(f->store);
    f->store = store_open(f->path, &(struct store_options){.create = false}, NULL, &e);
    f->reader = f->store ? reader_open(f->store, &e) : NULL;
    assert_non_null(f->reader);
}

/* A memory with more sources than a walk by index allows gets its label from the whole graph. */
static void check_labels_beyond_the_bound(struct fixture *f)
{
    struct error e = {0};
    struct row_label labels[3];
    static const int64_t rows[] = {200000, 9, 200000};
    fixture_sql(f, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"
                   " INSERT INTO link(memory, number, position, target, shape, at)"
                   " SELECT 200000, 1, i - 1, i, 32, 1 FROM n;"
                   "UPDATE memory SET status = 3 WHERE id = 4000");
    open_anew(f);
    assert_int_equal(labels_of_rows(f->reader, rows, 3, labels, &e), 0);
    assert_int_equal(labels[0].label, LABEL_WEAKENED);
    assert_int_equal(labels[0].valid, 1);
    assert_int_equal(labels[0].justs, 2);
    assert_int_equal(labels[1].label, LABEL_SUPPORTED);
    assert_int_equal(labels[2].label, LABEL_WEAKENED);
}

/* Both connections must read the same snapshot, whatever is written meanwhile. */
static void check_one_moment(struct fixture *f)
{
    struct error e = {0};
    struct graph g;
    assert_int_equal(reader_begin(f->reader, &e), 0);
    assert_int_equal(graph_load(f->reader, &g, &e), 0);
    assert_int_equal(g.nodes, 200000);
    graph_release(&g);
    fixture_put(f, "{\"ref\":\"belief:new\",\"text\":\"t\",\"derived_from\":[\"raw:0\"]}", NULL);
    assert_int_equal(graph_load(f->reader, &g, &e), 0);
    assert_int_equal(g.nodes, 200000);
    graph_release(&g);
    reader_end(f->reader);
    assert_int_equal(graph_load(f->reader, &g, &e), 0);
    assert_int_equal(g.nodes, 200001);
    graph_release(&g);
}

/* A chain 5,000 deep, and enough rows for a second thread. */
TEST(test_a_large_store_is_loaded_by_two_threads)
{
    struct fixture f;
    struct graph g;
    struct labels l;
    struct error e = {0};
    bool bounded;
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"raw:0\",\"text\":\"t\"}", NULL);
    fixture_sql(
        &f,
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
        " INSERT INTO memory(id, kind, name, status, agent, source_type, created_at,"
        " updated_at, confidence, version, event, text)"
        " SELECT i, 2, i, i % 50 = 0, 1, 0, i, i, 0.5, 1, 1, 't' FROM n;"
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
        " INSERT INTO link(memory, number, position, target, shape, at)"
        " SELECT i, 0, 0, CASE WHEN i % 5000 THEN i - 1 ELSE 1 END, 0, 1 FROM n;"
        "INSERT INTO link VALUES (10007, 1, 0, NULL, 32, 1, NULL), (10007, 2, 0, 3, 32, 1, NULL),"
        " (10007, 2, 1, 4, 32, NULL, NULL), (10007, 3, 0, 3, 17, 1, NULL)");
    load(&f, &g, &l);
    assert_int_equal(g.nodes, 200000);
    assert_int_equal(g.links, 199999 + 2);
    assert_int_equal(g.justs, 199999 + 2);
    for (uint32_t i = 1; i < g.nodes; i++) {
        assert_int_equal(l.label[i], LABEL_SUPPORTED);
        assert_int_equal(g.link_to[g.link_first[g.just_first[i]]], (i + 1) % 5000 ? i - 1 : 0);
        assert_int_equal(g.status[i], (i + 1) % 50 == 0);
    }
    assert_int_equal(g.just_group[g.just_first[10006] + 2], 2);
    struct lineage walk;
    lineage_walk(&walk, &g, 4998, ANCESTORS, DEPTH_UNLIMITED);
    assert_int_equal(walk.depth[walk.count - 1], 4998);
    lineage_release(&walk);
    labels_release(&l);
    graph_release(&g);

    int64_t root = 4999;
    assert_int_equal(graph_load_surroundings(f.reader, &g, &root, 1, ANCESTORS, 100, &bounded, &e),
                     0);
    assert_true(bounded);
    assert_int_equal(g.nodes, 0);
    graph_release(&g);
    assert_int_equal(graph_load_surroundings(f.reader, &g, &root, 1, ANCESTORS, 4999, &bounded, &e),
                     0);
    assert_false(bounded);
    assert_int_equal(g.nodes, 4999);
    graph_release(&g);
    root = 1;
    assert_int_equal(graph_load_surroundings(f.reader, &g, &root, 1, DESCENDANTS, 0, &bounded, &e),
                     0);
    assert_int_equal(g.nodes, 200000);
    graph_release(&g);
    check_labels_beyond_the_bound(&f);
    check_one_moment(&f);
    fixture_close(&f);
}

TEST(test_an_empty_store_and_a_missing_memory)
{
    struct fixture f;
    struct graph g;
    struct labels l;
    struct error e = {0};
    bool bounded;
    fixture_open(&f);
    load(&f, &g, &l);
    assert_int_equal(g.nodes, 0);
    labels_release(&l);
    graph_release(&g);
    int64_t row = 1;
    assert_int_equal(graph_load_surroundings(f.reader, &g, &row, 1, ANCESTORS, 0, &bounded, &e),
                     -1);
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    graph_release(&g);
    assert_int_equal(labels_of_rows(f.reader, NULL, 0, NULL, &e), 0);
    fixture_close(&f);
}

TEST(test_damage_is_reported)
{
    static const char *const ways[] = {
        "UPDATE link SET target = 99999 WHERE memory = 1",
        "UPDATE link SET target = -1",
        "UPDATE link SET shape = 256",
        "UPDATE memory SET kind = 77 WHERE id = 1",
        "UPDATE memory SET kind = 77 WHERE id = 2",
        "INSERT INTO link VALUES (99999, 0, 0, 1, 0, 1, NULL)",
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        struct fixture f;
        struct graph g;
        struct error e = {0};
        fixture_open(&f);
        fixture_put(&f, "{\"ref\":\"belief:b\",\"text\":\"t\",\"derived_from\":[\"raw:r\"]}", NULL);
        fixture_sql(&f, ways[i]);
        int result = graph_load(f.reader, &g, &e);
        if (i < 5)
            assert_int_equal(result, -1);
        graph_release(&g);
        fixture_close(&f);
    }
}
