/* What walks over kept links find is what the whole graph says, whatever was written since and by whichever
 * reader it is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include "model/base/strbuf.h"
#include "store/json/answer.h"
#include "store/lineage/closure.h"
#include "store/lineage/kept_links.h"
#include "store/lineage/tracing.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

#define ROWS_AT_FIRST 40
#define STEPS         120

/* How a store is woven: how many memories it names, and what share (of 100) is what. */
struct weave {
    unsigned names, sources, dead, all, many;
};

static void add_refs(struct strbuf *line, struct random *random, const struct weave *w,
                     const char *field, unsigned count)
{
    strbuf_addf(line, ",\"%s\":[", field);
    for (unsigned i = 0; i < count; i++)
        strbuf_addf(line, "%s\"note:n%u\"", i ? "," : "", (unsigned)random_below(random, w->names));
    strbuf_addstr(line, "]");
}

/* A new memory, or one that was there with other links or another status. */
static void put_random(struct fixture *f, struct random *random, const struct weave *w)
{
    struct strbuf line = STRBUF_INIT;
    bool dead = random_below(random, 100) < w->dead;
    strbuf_addf(&line, "{\"ref\":\"note:n%u\",\"text\":\"t%u\",\"status\":\"%s\"",
                (unsigned)random_below(random, w->names), (unsigned)random_below(random, 1000),
                dead ? "retracted" : "active");
    if (random_below(random, 100) >= w->sources) {
        if (random_below(random, 100) < w->all)
            strbuf_addstr(&line, ",\"derivation\":\"all\"");
        unsigned most = random_below(random, 100) < w->many ? 90 : 3;
        add_refs(&line, random, w, "derived_from", 1 + (unsigned)random_below(random, most));
        if (random_below(random, 2))
            add_refs(&line, random, w, "relates_to", 1 + (unsigned)random_below(random, 2));
    }
    strbuf_addstr(&line, "}");
    fixture_put(f, line.buf, NULL);
    strbuf_release(&line);
}

/* ---- beside the whole graph ---- */

struct whole {
    struct graph graph;
    struct labels labels;
};

static void load_whole(struct reader *r, struct whole *w)
{
    struct error e;
    assert_int_equal(graph_load(r, &w->graph, &e), 0);
    assert_int_equal(labels_compute(&w->labels, &w->graph), 0);
}

static void release_whole(struct whole *w)
{
    labels_release(&w->labels);
    graph_release(&w->graph);
}

static void check_labels(struct reader *r, const struct whole *w)
{
    struct error e;
    for (uint32_t node = 0; node < w->graph.nodes; node++) {
        int64_t row = (int64_t)node + 1;
        struct row_label label;
        assert_int_equal(labels_of_rows(r, &row, 1, &label, &e), 0);
        assert_int_equal(label.label, w->labels.label[node]);
        assert_int_equal(label.holds, w->labels.holds[node]);
        assert_int_equal(label.justs, w->graph.just_first[node + 1] - w->graph.just_first[node]);
    }
}

/* Those that name it, each once. */
static void check_users(struct reader *r, const struct whole *w)
{
    struct error e;
    struct users users;
    struct links_walk walk;
    const struct graph *g = &w->graph;
    assert_int_equal(links_begin(&walk, r, &e), 0);
    for (uint32_t node = 0; node < g->nodes; node++) {
        uint32_t last = NODE_NONE;
        assert_int_equal(links_users(&walk, (int64_t)node + 1, &users, &e), 0);
        for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
            uint32_t user = g->just_node[g->use_just[i]];
            if (user != last)
                assert_int_equal(links_user(&users), (int64_t)user + 1);
            last = user;
        }
        assert_int_equal(links_user(&users), 0);
    }
    links_end(&walk);
}

static size_t told, untold;

static void check_closure_to(struct reader *r, const struct whole *w, uint32_t node,
                             enum direction direction)
{
    struct error e;
    struct beyond beyond;
    struct lineage walk;
    int result = closure_of(r, (int64_t)node + 1, direction, &beyond, &e);
    assert_true(result >= 0);
    assert_int_equal(lineage_walk(&walk, &w->graph, node, direction, DEPTH_UNLIMITED), 0);
    size_t nodes = walk.cycle_count ? walk.cycle_first[walk.cycle_count] : 0;
    bool fits = walk.cycle_count <= BEYOND_CYCLES && nodes <= BEYOND_ROWS;
    if (direction == ANCESTORS)
        assert_int_equal(result, fits);
    else
        assert_true(fits || !result); /* where links lead forth and back it leaves it at that */
    if (result)
        assert_int_equal(beyond.cut, walk.count);
    if (result) {
        assert_int_equal(beyond.cycle_count, walk.cycle_count);
        for (size_t i = 0; walk.cycle_count && i <= walk.cycle_count; i++)
            assert_int_equal(beyond.cycle_first[i], walk.cycle_first[i]);
        for (size_t i = 0; i < nodes; i++)
            assert_int_equal(beyond.cycle[i], (int64_t)walk.cycle[i] + 1);
    }
    told += result && walk.cycle_count > 0;
    untold += !result;
    lineage_release(&walk);
}

static void check_closure(struct reader *r, const struct whole *w, uint32_t node)
{
    check_closure_to(r, w, node, ANCESTORS);
    check_closure_to(r, w, node, DESCENDANTS);
}

/* ---- retractions ---- */

static void describe(const struct retraction *q, struct strbuf *out)
{
    const struct whatif *what = &q->outcome;
    for (size_t i = 0; i < q->count; i++)
        strbuf_addf(out, "%lld %u ", (long long)graph_row(&q->graph, q->nodes[i]),
                    q->labels.label[q->nodes[i]]);
    strbuf_addstr(out, "falls");
    for (size_t i = 0; i < what->fall_count; i++)
        strbuf_addf(out, " %lld %u %u", (long long)graph_row(&q->graph, what->falls[i]),
                    q->labels.label[what->falls[i]], q->labels.holds[what->falls[i]]);
    strbuf_addstr(out, " weakened");
    for (size_t i = 0; i < what->weakened_count; i++) {
        const struct whatif_weakened *one = &what->weakened[i];
        strbuf_addf(out, " %lld %u %u %u", (long long)graph_row(&q->graph, one->node),
                    q->labels.label[one->node], one->before, one->after);
    }
    strbuf_addf(out, " descends %zu", what->descends);
}

/* As retraction_load, from all that is around. */
static void retract_anew(struct reader *r, const int64_t *rows, size_t count, struct retraction *q)
{
    struct error e;
    bool bounded;
    *q = (struct retraction){.count = count, .nodes = calloc(count, sizeof(*q->nodes))};
    assert_int_equal(graph_load_around(r, &q->graph, rows, count, DESCENDANTS, 0, &bounded, &e), 0);
    for (size_t i = 0; i < count; i++)
        q->nodes[i] = (uint32_t)i;
    assert_int_equal(labels_compute(&q->labels, &q->graph), 0);
    assert_int_equal(whatif_retract(&q->outcome, &q->graph, &q->labels, q->nodes, count), 0);
}

static size_t near, fallen;

static void check_retraction(struct reader *r, const int64_t *rows, size_t count)
{
    struct error e;
    struct retraction q, wanted;
    struct strbuf got = STRBUF_INIT, anew = STRBUF_INIT;
    retract_anew(r, rows, count, &wanted);
    assert_int_equal(retraction_load(&q, r, rows, count, &e), 0);
    describe(&q, &got);
    describe(&wanted, &anew);
    assert_string_equal(got.buf, anew.buf);
    near += q.graph.just_first == NULL;
    fallen += q.outcome.fall_count;
    strbuf_release(&got);
    strbuf_release(&anew);
    retraction_release(&q);
    retraction_release(&wanted);
}

static void check_retractions(struct reader *r, struct random *random, uint32_t nodes)
{
    for (int i = 0; i < 12; i++) {
        int64_t rows[3];
        size_t count = 0, most = 1 + random_below(random, 3);
        while (count < most) {
            int64_t row = 1 + (int64_t)random_below(random, nodes);
            bool again = (count > 0 && rows[0] == row) || (count > 1 && rows[1] == row);
            if (again)
                break;
            rows[count++] = row;
        }
        check_retraction(r, rows, count);
    }
}

static void check_descendants(struct reader *r, int64_t row, uint32_t depth)
{
    struct error e;
    struct trace t;
    struct strbuf got = STRBUF_INIT, anew = STRBUF_INIT;
    assert_int_equal(answer_lineage(r, row, DESCENDANTS, depth, 0, &got, &e), 0);
    assert_int_equal(trace_load(&t, r, row, DESCENDANTS, depth, &e), 0);
    assert_int_equal(answer_trace(&(struct answer){.out = &anew, .brief = true}, r, &t, &e), 0);
    assert_string_equal(got.buf, anew.buf);
    trace_release(&t);
    strbuf_release(&got);
    strbuf_release(&anew);
}

/* ---- tests ---- */

static void check_all(struct reader *r, struct random *random)
{
    struct error e;
    struct whole w;
    assert_int_equal(reader_begin(r, &e), 0);
    load_whole(r, &w);
    for (int i = 0; i < 12; i++) {
        uint32_t node = (uint32_t)random_below(random, w.graph.nodes);
        check_closure(r, &w, node);
        check_descendants(r, (int64_t)node + 1, (uint32_t)i % 4);
    }
    check_retractions(r, random, w.graph.nodes);
    check_users(r, &w);
    check_labels(r, &w);
    release_whole(&w);
    reader_end(r);
}

static const struct weave weaves[] = {
    {60, 30, 10, 20, 0},  /* circles and short ways to sources */
    {300, 10, 3, 30, 0},  /* long ways */
    {80, 5, 2, 60, 10},   /* hardly any source, and some that rest on many */
    {2000, 40, 5, 20, 0}, /* mostly what was never written */
};

static void walks_are_those_of_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(weaves) / sizeof(weaves[0]); i++) {
        struct fixture f;
        struct random random = {31 + i};
        fixture_open(&f);
        for (int step = 0; step < ROWS_AT_FIRST; step++)
            put_random(&f, &random, &weaves[i]);
        for (int step = 0; step < STEPS; step++) {
            put_random(&f, &random, &weaves[i]);
            if (step % 5 == 0)
                check_all(f.reader, &random);
        }
        fixture_close(&f);
    }
    assert_true(told > 0);
    assert_true(near > 0);
    assert_true(fallen > 0);
}

static void more_circles_than_are_told(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    struct whole w;
    struct random random = {41};
    struct strbuf line = STRBUF_INIT;
    fixture_open(&f);
    for (unsigned i = 0; i < 24; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"note:c%u\",\"text\":\"t\",\"derived_from\":[\"note:c%u\"%s%s]}", i,
                    i ^ 1, i > 1 ? ",\"note:c0\"" : "", i > 20 ? ",\"note:c21\",\"note:c5\"" : "");
        fixture_put(&f, line.buf, NULL);
    }
    fixture_put(&f,
                "{\"ref\":\"note:all\",\"text\":\"t\",\"derived_from\":[\"note:c2\",\"note:c4\","
                "\"note:c6\",\"note:c8\",\"note:c10\",\"note:c12\",\"note:c14\",\"note:c16\","
                "\"note:c18\",\"note:c20\"]}",
                NULL);
    untold = 0;
    assert_int_equal(reader_begin(f.reader, &e), 0);
    load_whole(f.reader, &w);
    check_closure(f.reader, &w, w.graph.nodes - 1);
    release_whole(&w);
    reader_end(f.reader);
    assert_true(untold > 0);
    check_all(f.reader, &random);
    strbuf_release(&line);
    fixture_close(&f);
}

/* What is kept belongs to the newest moment that was asked about; who is behind reads by itself. */
static void an_older_moment_walks_its_own(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    struct random random = {47};
    fixture_open(&f);
    for (int step = 0; step < ROWS_AT_FIRST; step++)
        put_random(&f, &random, &weaves[0]);
    struct reader *older = reader_open(f.store, &e);
    assert_non_null(older);
    for (int round = 0; round < 6; round++) {
        assert_int_equal(reader_begin(older, &e), 0);
        check_all(older, &random);
        for (int step = 0; step < 8; step++)
            put_random(&f, &random, &weaves[0]);
        check_all(f.reader, &random);
        check_all(older, &random);
        reader_end(older);
    }
    reader_close(older);
    fixture_close(&f);
}

enum {
    DAYS = 3000 /* far more than what is passed before what a row reaches is kept */
};

/* One more day of a long history: it rests on the day before, on others, and a few on what is to come. */
static char *make_day(struct random *random, unsigned day)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{\"ref\":\"note:d%u\",\"text\":\"t\",\"derived_from\":[\"note:d%u\"", day,
                day ? day - 1 : DAYS);
    if (random_chance(random, 30))
        strbuf_addf(&line, ",\"note:e%u\"", (unsigned)random_below(random, DAYS));
    if (day % 1000 == 700)
        strbuf_addf(&line, ",\"note:d%u\"", day + 3);
    strbuf_addstr(&line, "]}");
    return strbuf_detach(&line, NULL);
}

static void put_day(struct fixture *f, struct random *random, unsigned day)
{
    char *line = make_day(random, day);
    fixture_put(f, line, NULL);
    free(line);
}

static void put_on_day(struct fixture *f, unsigned number, unsigned day)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{\"ref\":\"note:x%u\",\"text\":\"t\",\"derived_from\":[\"note:d%u\"]}",
                number, day);
    fixture_put(f, line.buf, NULL);
    strbuf_release(&line);
}

static void check_days(struct fixture *f, struct random *random)
{
    struct error e;
    struct whole w;
    assert_int_equal(reader_begin(f->reader, &e), 0);
    load_whole(f->reader, &w);
    for (int i = 0; i < 40; i++)
        check_closure(f->reader, &w, (uint32_t)random_below(random, w.graph.nodes));
    release_whole(&w);
    reader_end(f->reader);
}

/* What is reached is taken from what was found before, until something of it changes. */
static void long_histories_are_walked_from_where_they_were(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {59};
    char *lines[DAYS];
    fixture_open(&f);
    for (unsigned day = 0; day < DAYS; day++)
        lines[day] = make_day(&random, day);
    fixture_put_lines(&f, (const char *const *)lines, DAYS);
    for (unsigned round = 0; round < 8; round++) {
        check_days(&f, &random);
        check_days(&f, &random);
        if (round % 2)
            put_on_day(&f, round, DAYS / 3 + 100 * round); /* nothing that was there changes */
        else
            put_day(&f, &random, DAYS / 8 * round);
        check_days(&f, &random);
        if (round ==
            4) /* what the first day rests on was never written, and comes to rest on another */
            fixture_put(
                &f, "{\"ref\":\"note:d3000\",\"text\":\"t\",\"derived_from\":[\"note:e1\"]}", NULL);
        if (round == 5) /* the history ends in the middle */
            fixture_put(&f, "{\"ref\":\"note:d1500\",\"text\":\"t\"}", NULL);
    }
    for (unsigned day = 0; day < DAYS; day++)
        free(lines[day]);
    fixture_close(&f);
}

/* More links than a page takes, and more pages than are kept. */
static void much_is_read_by_itself(void **state)
{
    (void)state;
    enum {
        MANY = 20000,
        SHARED = 40
    };
    struct fixture f;
    struct strbuf line = STRBUF_INIT;
    struct random random = {53};
    char **lines = calloc(MANY, sizeof(*lines));
    fixture_open(&f);
    for (unsigned i = 0; i < MANY; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "{\"ref\":\"note:m%u\",\"text\":\"t\",\"derived_from\":[\"note:m%u\"", i,
                    i / 2);
        for (unsigned k = 0; k < 6; k++)
            strbuf_addf(&line, ",\"note:m%u\"", (unsigned)random_below(&random, i % SHARED + 1));
        strbuf_addstr(&line, "]}");
        lines[i] = strbuf_detach(&line, NULL);
    }
    fixture_put_lines(&f, (const char *const *)lines, MANY);
    check_all(f.reader, &random);
    struct error e;
    struct whole w;
    assert_int_equal(reader_begin(f.reader, &e), 0);
    load_whole(f.reader, &w);
    check_closure(f.reader, &w, MANY - 1);
    check_closure(f.reader, &w, MANY / 2);
    release_whole(&w);
    reader_end(f.reader);
    for (unsigned i = 0; i < MANY; i++)
        free(lines[i]);
    free(lines);
    strbuf_release(&line);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_those_of_the_whole),
        cmocka_unit_test(more_circles_than_are_told),
        cmocka_unit_test(an_older_moment_walks_its_own),
        cmocka_unit_test(long_histories_are_walked_from_where_they_were),
        cmocka_unit_test(much_is_read_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
