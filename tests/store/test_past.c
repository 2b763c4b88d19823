/*
 * A reader of the past answers what a reader of the present answered then. What was true after each of
 * many events is written down when it is: every memory, lists in every order, counts, searches, labels,
 * problems, lineages, the journal. Then the past is asked the same.
 */
#include "../support/scratch.h"

#include <sqlite3.h>
#include "../../model/exchange.h"
#include "../../model/strbuf.h"
#include "../../store/db.h"
#include "../../store/import.h"
#include "../../store/journal.h"
#include "../../store/list.h"
#include "../../store/orphans.h"
#include "../../store/past.h"
#include "../../store/reader.h"
#include "../../store/search.h"
#include "../../store/subgraph.h"
#include "../../store/tally.h"
#include "../support/random_memory.h"
#include "../support/store_fixture.h"

static int64_t now = FIXTURE_NOW;
static int64_t clock_now(void)
{
    return now;
}

static void check(int result, const struct error *e)
{
    if (result < 0)
        fail_msg("%s", e->what);
}

/* The fixture's store with a clock that goes on. */
static void open_ticking(struct fixture *f)
{
    struct error e = {0};
    fixture_open(f);
    reader_close(f->reader);
    store_close(f->store);
    f->store = store_open(f->path, &(struct store_options){.now = clock_now}, NULL, &e);
    check(f->store ? 0 : -1, &e);
    f->reader = reader_open(f->store, &e);
    check(f->reader ? 0 : -1, &e);
}

static struct reader *open_past(struct fixture *f, int64_t seq)
{
    struct error e = {0};
    struct reader *r = reader_open_past(f->store, seq, NULL, NULL, &e);
    check(r ? 0 : -1, &e);
    return r;
}

/* ---- all that a reader answers, as text ---- */

static int add_line(void *arg, const char *line, size_t len)
{
    strbuf_add(arg, line, len);
    return 0;
}

static void add_list(struct strbuf *out, struct reader *r, const struct list_query *q)
{
    struct error e = {0};
    struct strbuf cursor = STRBUF_INIT;
    int64_t node, count, tally = 0;
    int more = 1;
    strbuf_addf(out, "list %d %d:", (int)q->order, q->reverse);
    while (more > 0) { /* in pages of three, so that cursors are met in every place */
        struct list *l = list_open(r, q, cursor.len ? cursor.buf : NULL, &e);
        check(l ? 0 : -1, &e);
        for (int i = 0; i < 3 && (more = list_next(l, &node, &e)) > 0; i++)
            strbuf_addf(out, " %lld", (long long)node);
        check(more, &e);
        strbuf_clear(&cursor);
        list_cursor(l, &cursor);
        list_close(l);
    }
    strbuf_release(&cursor);
    check(list_count(r, q, &count, &e), &e);
    check(reader_begin(r, &e), &e);
    check(tally_list(r, q, &tally, &e), &e);
    reader_end(r);
    strbuf_addf(out, " = %lld %lld\n", (long long)count, (long long)tally);
}

static void add_lists(struct strbuf *out, struct reader *r)
{
    struct error e = {0};
    int64_t kinds[KIND_COUNT];
    for (int order = 0; order < ORDER_COUNT; order++) {
        add_list(out, r, &(struct list_query){.order = (enum list_order)order});
        add_list(out, r,
                 &(struct list_query){.order = (enum list_order)order,
                                      .statuses = STATUSES_ALL,
                                      .agent = "ash",
                                      .reverse = true});
    }
    check(list_kinds(r, NULL, kinds, &e), &e);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        strbuf_addf(out, " %lld", (long long)kinds[kind]);
    strbuf_addch(out, '\n');
}

static int add_match(void *arg, int64_t node, bool exact)
{
    strbuf_addf(arg, " %lld%s", (long long)node, exact ? "!" : "");
    return 0;
}

static void add_searches(struct strbuf *out, struct reader *r)
{
    static const char *const words[] = {"",        "a",          "de",       "the",
                                        "staging", "deploy was", "\xc3\xa9", "\xe3\x83\x87"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        struct error e = {0};
        strbuf_addf(out, "search %s:", words[i]);
        check(search_run(r, &(struct search_query){.words = words[i]}, add_match, out, &e), &e);
        strbuf_addch(out, '\n');
    }
}

static int add_orphan(void *arg, const struct orphan *o)
{
    strbuf_addf(arg, "%s %lld %s %s\n", problem_name(o->problem), (long long)o->node,
                o->field ? o->field : "", o->target ? o->target : "");
    return 0;
}

static void add_graph(struct strbuf *out, struct reader *r, const int64_t *rows, size_t count)
{
    struct error e = {0};
    struct graph g;
    struct row_label *label = test_calloc(count + 1, sizeof(*label));
    check(labels_of_rows(r, rows, count, label, &e), &e);
    check(graph_load(r, &g, &e), &e);
    for (size_t i = 0; i < count; i++) {
        struct dependants d;
        uint32_t node = graph_node(&g, rows[i]);
        check(dependants_find(r, rows[i], 0, &d, &e), &e);
        strbuf_addf(out, "row %lld %d %u/%u %d %d %u:", (long long)rows[i], (int)label[i].label,
                    label[i].holds, label[i].justs, (int)g.kind[node], (int)g.status[node],
                    g.just_first[node + 1] - g.just_first[node]);
        for (size_t k = 0; k < d.count; k++)
            strbuf_addf(out, " %lld", (long long)d.row[k]);
        strbuf_addch(out, '\n');
        free(d.row);
    }
    graph_release(&g);
    test_free(label);
    check(orphans_find(r, NULL, add_orphan, out, &e), &e);
}

static void add_journal(struct strbuf *out, struct reader *r)
{
    struct error e = {0};
    struct arena a = ARENA_INIT;
    struct event *events;
    size_t count;
    check(journal_read(r, &a, 0, SIZE_MAX, &events, &count, &e), &e);
    strbuf_addf(out, "%zu events, last %lld\n", count, (long long)journal_last(r, &e));
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, " %lld", (long long)events[i].seq);
    arena_release(&a);
}

struct rows {
    int64_t row[256];
    size_t count;
};

static int gather(void *arg, const int64_t *nodes, size_t count)
{
    struct rows *rows = arg;
    for (size_t i = 0; i < count && rows->count < 256; i++)
        rows->row[rows->count++] = nodes[i];
    return 0;
}

static void add_rows(struct strbuf *out, struct reader *r, const struct rows *rows)
{
    struct error e = {0};
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < rows->count; i++) {
        struct memory_row m;
        check(memory_row_read(r, &a, rows->row[i], &m, &e), &e);
        strbuf_addf(out, "%s:%s %s %lld %lld %d %d\n", kind_name(m.ref.kind), m.ref.id, m.agent_id,
                    (long long)m.version, (long long)m.event, (int)m.status,
                    (int)(ref_resolve(r, m.ref.id, &e) == rows->row[i]));
    }
    arena_release(&a);
}

/* Antecedents have the status of then, which the exchange form does not say. */
static void add_targets(struct strbuf *out, struct reader *r, const struct rows *rows)
{
    struct error e = {0};
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < rows->count; i++) {
        struct memory m;
        check(memory_read(r, &a, rows->row[i], &m, &e), &e);
        for (size_t j = 0; j < m.justification_count; j++)
            for (size_t k = 0; k < m.justifications[j].count; k++)
                strbuf_addf(out, " %lld=%d", (long long)m.justifications[j].antecedents[k].node,
                            (int)m.justifications[j].antecedents[k].status);
    }
    strbuf_addch(out, '\n');
    arena_release(&a);
}

static char *all_of(struct reader *r)
{
    struct error e = {0};
    struct strbuf out = STRBUF_INIT;
    struct rows rows = {.count = 0};
    check(export_jsonl(r, add_line, &out, NULL, &e), &e);
    add_lists(&out, r);
    add_searches(&out, r);
    check(list_ids(r, &(struct list_query){.statuses = STATUSES_ALL}, gather, &rows, &e), &e);
    add_rows(&out, r, &rows);
    add_targets(&out, r, &rows);
    add_graph(&out, r, rows.row, rows.count);
    add_journal(&out, r);
    return strbuf_detach(&out, NULL);
}

static void assert_same(const char *then, struct reader *r, int64_t seq)
{
    char *past = all_of(r);
    if (strcmp(then, past) != 0) {
        size_t at = 0, line = 0;
        for (; then[at] == past[at]; at++)
            line = then[at] == '\n' ? at + 1 : line;
        fail_msg("as of %lld:\n  then %.300s\n  past %.300s", (long long)seq, then + line,
                 past + line);
    }
    free(past);
}

/* ---- histories ---- */

#define EVENTS 160

struct step {
    struct random *random;
    struct arena *arena;
    const char *id;
};

/* A new memory that rests on others, some of which are not there yet; or a change of one. */
static int take_step(struct txn *t, void *arg, struct error *e)
{
    static const struct actor actor = {.class = ACTOR_PERSON, .name = "tester", .origin = "test"};
    struct step *s = arg;
    struct memory before, after;
    enum kind kind = (enum kind)(s->id[0] % 4);
    int64_t row = ref_find(txn_db(t), (struct ref){kind, s->id}, e);
    check(row > 0 ? memory_read_db(txn_db(t), s->arena, row, &before, e) : 0, e);
    bool there = row > 0 && before.status != STATUS_MISSING;
    if (there)
        after = before;
    else
        random_memory(s->random, s->arena, &after);
    after.ref = (struct ref){kind, s->id};
    if (there)
        random_edit(s->random, s->arena, &after);
    if (random_chance(s->random, 20))
        after.status = (enum status)random_below(s->random, STATUS_PURGED);
    after.event = 0;
    after.node = 0;
    after.form = NULL;
    return txn_put(t, &actor, there ? "edit" : "add", there ? &before : NULL, &after, NULL, e);
}

static const char *const ids[] = {"alpha", "bravo",    "charlie", "delta", "echo",   "foxtrot",
                                  "golf",  "hotel",    "india",   "julia", "kilo",   "lima",
                                  "mike",  "november", "oscar",   "papa",  "quebec", "romeo"};

static void step(struct fixture *f, struct random *random)
{
    struct error e = {0};
    struct arena arena = ARENA_INIT;
    struct step s = {random, &arena, ids[random_below(random, sizeof(ids) / sizeof(*ids))]};
    now += random_below(random, 3);
    check(store_run(f->store, take_step, &s, &e), &e);
    arena_release(&arena);
}

static void check_memories(struct fixture *f, struct reader *past, int64_t seq)
{
    struct arena a = ARENA_INIT;
    struct error e = {0};
    struct rows rows = {.count = 0};
    check(list_ids(f->reader, &(struct list_query){.statuses = STATUSES_ALL}, gather, &rows, &e),
          &e);
    for (size_t i = 0; i < rows.count; i++) {
        struct memory one, other;
        struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
        check(memory_read_past(f->reader, &a, rows.row[i], seq, &one, &e), &e);
        check(memory_read(past, &a, rows.row[i], &other, &e), &e);
        assert_int_equal(one.status, other.status);
        assert_true(one.event <= seq && one.event == other.event);
        if (one.status != STATUS_MISSING) {
            exchange_write(&x, &one, NULL);
            exchange_write(&y, &other, NULL);
            assert_string_equal(x.buf, y.buf);
        }
        for (size_t j = 0; j < one.justification_count; j++)
            for (size_t k = 0; k < one.justifications[j].count; k++) {
                assert_int_equal(one.justifications[j].antecedents[k].node,
                                 other.justifications[j].antecedents[k].node);
                assert_int_equal(one.justifications[j].antecedents[k].status,
                                 other.justifications[j].antecedents[k].status);
            }
        strbuf_release(&x);
        strbuf_release(&y);
    }
    arena_release(&a);
}

static void test_every_moment_is_as_it_was(void **state)
{
    struct fixture f;
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct random random = {seed};
        char *then[EVENTS + 1];
        open_ticking(&f);
        then[0] = all_of(f.reader);
        for (int64_t seq = 1; seq <= EVENTS; seq++) {
            step(&f, &random);
            then[seq] = all_of(f.reader);
        }
        for (int64_t seq = 0; seq <= EVENTS; seq += 1 + random_below(&random, 4)) {
            struct reader *past = open_past(&f, seq);
            assert_int_equal(reader_past(past), seq);
            assert_same(then[seq], past, seq);
            check_memories(&f, past, seq);
            reader_close(past);
        }
        assert_same(then[EVENTS], f.reader, EVENTS);
        for (int64_t seq = 0; seq <= EVENTS; seq++)
            free(then[seq]);
        fixture_close(&f);
    }
}

/* What others do meanwhile is not seen. */
static void test_it_stays_as_it_was(void **state)
{
    struct fixture f;
    struct random random = {7};
    (void)state;
    open_ticking(&f);
    for (int i = 0; i < 40; i++)
        step(&f, &random);
    char *then = all_of(f.reader);
    struct reader *past = open_past(&f, 40);
    assert_same(then, past, 40);
    for (int i = 0; i < 60; i++) {
        step(&f, &random);
        if (i % 7 == 0)
            assert_same(then, past, 40);
    }
    assert_same(then, past, 40);
    reader_close(past);
    free(then);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_moment_is_as_it_was),
        cmocka_unit_test(test_it_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
