/*
 * The neighbours of a memory, compared with each memory read whole: in random stores, at past
 * states, for memories that are dead, purged or missing. Of thousands of neighbours it returns a
 * few, always the same.
 */
#include "store/lineage/neighbours.h"

#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/history/past.h"
#include "store/guard/guard.h"
#include "store/open.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define NAMES 30
#define ROWS  64 /* more than the test makes */

static void check(int result, const struct error *e)
{
    if (result < 0)
        fail_msg("%s", e->what);
}

/* ---- random stores ---- */

static const char *const kinds[] = {"raw", "belief", "note", "episode"};

static void add_links(struct strbuf *line, struct random *r)
{
    static const char *const roles[] = {"derived_from", "evidence", "reinforcement",
                                        "source",       "step",     "citation"};
    static const char *const recorded[] = {"recorded", "auto-linked", "migrated", "heuristic"};
    strbuf_addstr(line, ",\"justifications\":[");
    for (uint32_t g = 0, groups = random_below(r, 4); g < groups; g++) {
        strbuf_addf(line,
                    "%s{\"role\":\"%s\",\"reading\":\"%s\",\"recorded\":\"%s\",\"antecedents\":[",
                    g ? "," : "", roles[random_below(r, 6)], random_below(r, 2) ? "any" : "all",
                    recorded[random_chance(r, 70) ? 0 : random_below(r, 4)]);
        uint32_t to = random_below(r, 6);
        for (uint32_t k = 0, count = random_below(r, 5); k < count && to < NAMES; k++) {
            strbuf_addf(line, "%s\"%s:m%u\"", k ? "," : "", kinds[to % 4], to);
            to += 1 + random_below(r, 9);
        }
        strbuf_addstr(line, "]}");
    }
    strbuf_addstr(line, "],\"relations\":[");
    for (uint32_t k = 0, count = random_below(r, 3); k < count; k++) {
        static const char *const types[] = {"supersedes", "contradicts", "processed_into"};
        uint32_t to = random_below(r, NAMES);
        strbuf_addf(line, "%s{\"type\":\"%s\",\"to\":\"%s:m%u\"}", k ? "," : "",
                    types[random_below(r, 3)], kinds[to % 4], to);
    }
    strbuf_addstr(line, "]}");
}

static void put_any(struct fixture *f, struct random *r)
{
    static const char *const statuses[] = {"superseded", "retracted", "forgotten", "deleted",
                                           "purged"};
    AUTO_STRBUF line = STRBUF_INIT;
    uint32_t i = random_below(r, NAMES);
    strbuf_addf(&line, "{\"ref\":\"%s:m%u\",\"text\":\"t\",\"created_at\":%u,\"status\":\"%s\"",
                kinds[i % 4], i, random_below(r, 5),
                random_chance(r, 70) ? "active" : statuses[random_below(r, 5)]);
    add_links(&line, r);
    fixture_put(f, line.buf, NULL);
}

/* ---- from the memories ---- */

struct truth {
    int64_t rows;
    struct memory memory[ROWS];
    unsigned strokes[ROWS][ROWS]; /* [memory][on] */
};

static unsigned stroke_of(const struct justification *j)
{
    static const enum stroke strokes[] = {STROKE_DERIVED, STROKE_EVIDENCE, STROKE_REINFORCED,
                                          STROKE_DERIVED, STROKE_DERIVED,  STROKE_DERIVED};
    if (j->recorded != RECORDED)
        return 1u << STROKE_GUESSED;
    return 1u << (j->reading == READING_ALL && j->count > 1 ? STROKE_ALL : strokes[j->role]);
}

static void read_truth(struct truth *t, struct reader *r, struct arena *a)
{
    struct error e = {0};
    *t = (struct truth){0};
    check(db_int(reader_db(r), &t->rows, 0, &e, "SELECT max(id) FROM memory", ""), &e);
    assert_in_range(t->rows, 1, ROWS - 1);
    for (int64_t row = 1; row <= t->rows; row++) {
        struct memory *m = &t->memory[row];
        check(memory_read(r, a, row, m, &e), &e);
        for (size_t i = 0; i < m->justification_count; i++)
            for (size_t k = 0; k < m->justifications[i].count; k++)
                t->strokes[row][m->justifications[i].antecedents[k].node] |=
                    stroke_of(&m->justifications[i]);
        for (size_t i = 0; i < m->relation_count; i++)
            if (m->relations[i].type == RELATION_SUPERSEDES)
                t->strokes[row][m->relations[i].to_node] |= 1u << STROKE_SUPERSEDES;
    }
}

static unsigned between(const struct truth *t, int64_t row, enum direction side, int64_t other)
{
    return side == ANCESTORS ? t->strokes[row][other] : t->strokes[other][row];
}

static void check_memory(const struct truth *t, int64_t row, const struct subgraph_memory *m)
{
    AUTO_STRBUF id = STRBUF_INIT;
    ref_add(&id, t->memory[row].ref);
    assert_string_equal(m->id, id.buf);
    assert_int_equal(m->kind, t->memory[row].ref.kind);
    assert_int_equal(m->status, t->memory[row].status);
    assert_int_equal(m->at, t->memory[row].created_at);
}

/* ---- from the source ---- */

static void check_links(const struct truth *t, const struct subgraph_source *source, int64_t row,
                        enum direction side, size_t most)
{
    AUTO_ARENA a = ARENA_INIT;
    struct subgraph_links links;
    struct error e = {0};
    size_t total[KIND_COUNT] = {0}, of_kind[KIND_COUNT] = {0};
    check(source->links(source->of, &a, row, side, most, &links, &e), &e);
    for (int64_t other = 1; other <= t->rows; other++)
        total[t->memory[other].ref.kind] += other != row && between(t, row, side, other);
    for (size_t i = 0; i < links.count; i++) {
        const struct subgraph_link *link = &links.link[i];
        check_memory(t, link->row, &link->memory);
        assert_int_not_equal(link->row, row);
        assert_int_equal(link->strokes, between(t, row, side, link->row));
        assert_true(i == 0 || subgraph_link_order(&links.link[i - 1], link) < 0);
        of_kind[link->memory.kind]++;
    }
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        assert_int_equal(links.total[kind], total[kind]);
        assert_int_equal(of_kind[kind], total[kind] < most ? total[kind] : most);
    }
    assert_false(links.bounded);
}

static void check_among(const struct truth *t, const struct subgraph_source *source, int64_t row,
                        enum direction side, struct random *r)
{
    AUTO_ARENA a = ARENA_INIT;
    struct row_index rows = ROW_INDEX_INIT;
    struct subgraph_ties ties;
    struct error e = {0};
    size_t total = 0, wanted = 0;
    for (int64_t i = 0; i < t->rows; i++)
        row_index_add(&rows, 1 + (int64_t)random_below(r, (uint32_t)t->rows));
    size_t count = random_below(r, (uint32_t)rows.count + 1);
    check(source->among(source->of, &a, row, side, &rows, count, &ties, &e), &e);
    for (int64_t other = 1; other <= t->rows; other++) {
        bool linked = other != row && between(t, row, side, other);
        total += linked;
        wanted += linked && row_index_find(&rows, other) < count;
    }
    assert_int_equal(ties.total, total);
    assert_int_equal(ties.count, wanted);
    assert_false(ties.bounded);
    assert_int_equal(ties.loop, t->strokes[row][row] != 0);
    for (size_t i = 0; i < ties.count; i++) {
        assert_int_equal(ties.tie[i].strokes, between(t, row, side, ties.tie[i].row));
        assert_true(row_index_find(&rows, ties.tie[i].row) < count);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(ties.tie[i].row, ties.tie[k].row);
    }
    row_index_release(&rows);
}

static void check_total(const struct truth *t, struct reader *r, int64_t row, enum direction side)
{
    bool reached[ROWS] = {false};
    size_t all = 0, got;
    reached[row] = true;
    for (bool more = true; more;) {
        more = false;
        for (int64_t a = 1; a <= t->rows; a++)
            for (int64_t b = 1; b <= t->rows; b++)
                if (reached[a] && !reached[b] && between(t, a, side, b)) {
                    more = reached[b] = true;
                    all++;
                }
    }
    for (size_t most = 0; most <= all + 1; most++) {
        struct error e = {0};
        bool more;
        check(neighbours_total(r, row, side, most, &got, &more, &e), &e);
        assert_int_equal(more, all > most);
        assert_int_equal(got, all > most ? most : all);
    }
}

static void check_all(struct reader *r, struct random *random)
{
    static struct truth t;
    AUTO_ARENA a = ARENA_INIT;
    struct error e = {0};
    check(reader_begin(r, &e), &e);
    struct subgraph_source source = neighbours_of(r);
    read_truth(&t, r, &a);
    for (int64_t row = 1; row <= t.rows; row++) {
        struct subgraph_memory m;
        check(source.memory(source.of, &a, row, &m, &e), &e);
        check_memory(&t, row, &m);
        for (int side = 0; side < 2; side++) {
            check_links(&t, &source, row, (enum direction)side, random_below(random, 4));
            check_links(&t, &source, row, (enum direction)side, SIZE_MAX);
            check_among(&t, &source, row, (enum direction)side, random);
            check_total(&t, r, row, (enum direction)side);
        }
    }
    reader_end(r);
}

TEST(test_neighbours_match_the_memories)
{
    struct random r = {11};
    for (int round = 0; round < 6; round++) {
        struct fixture f;
        fixture_open(&f);
        for (int i = 0; i < 40; i++)
            put_any(&f, &r);
        check_all(f.reader, &r);
        struct error e = {0};
        for (int64_t seq = 1; seq <= 40; seq += 3 + random_below(&r, 8)) {
            struct reader *past = reader_open_past(f.store, seq, NULL, NULL, &e);
            check(past ? 0 : -1, &e);
            check_all(past, &r);
            reader_close(past);
        }
        fixture_close(&f);
    }
}

TEST(test_a_read_only_store_answers)
{
    struct fixture f;
    struct random r = {12};
    struct error e = {0};
    fixture_open(&f);
    for (int i = 0; i < 40; i++)
        put_any(&f, &r);
    struct store *s = store_open(f.path, &(struct store_options){.read_only = true}, NULL, &e);
    check(s ? 0 : -1, &e);
    struct reader *reader = reader_open(s, &e);
    check(reader ? 0 : -1, &e);
    check_all(reader, &r);
    reader_close(reader);
    store_close(s);
    fixture_close(&f);
}

/* ---- failures ---- */

TEST(test_damage_is_an_error)
{
    static const char *const damage[] = {
        "INSERT INTO link(memory, number, position, target, shape) VALUES (1, 0, 0, 99, 0)",
        "INSERT INTO link(memory, number, position, target, shape) VALUES (1, 0, 0, -4, 0)",
        "INSERT INTO link(memory, number, position, target, shape) VALUES (-1, 0, 0, 1, 0)",
        "UPDATE memory SET kind = 77",
        "UPDATE memory SET status = -1",
    };
    for (size_t i = 0; i < sizeof(damage) / sizeof(*damage); i++) {
        struct fixture f;
        struct error e = {0};
        struct subgraph_request w = SUBGRAPH_REQUEST_INIT;
        struct subgraph s;
        fixture_open(&f);
        fixture_put(&f, "{\"ref\":\"belief:one\",\"text\":\"t\"}", NULL);
        fixture_sql(&f, damage[i]);
        check(reader_begin(f.reader, &e), &e);
        struct subgraph_source source = neighbours_of(f.reader);
        w.focus = 1;
        w.show = SHOW_BOTH;
        assert_int_equal(subgraph_make(&s, &w, &source, &e), -1);
        assert_int_equal(e.code, ERROR_STORE);
        subgraph_release(&s);
        reader_end(f.reader);
        fixture_close(&f);
    }
}
