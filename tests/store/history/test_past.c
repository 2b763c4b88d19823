/*
 * A reader of the past gives the answers that a reader of the present gave at that time. After
 * each of many events the test records every answer: memories, lists in every order, counts,
 * searches, labels, problems, lineages, the journal. Then it asks readers of the past.
 */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <sqlite3.h>
#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "store/json/answer.h"
#include "store/db/db.h"
#include "store/history/history.h"
#include "store/export/export.h"
#include "store/import/import.h"
#include "store/journal/journal.h"
#include "store/query/known_names.h"
#include "store/query/list.h"
#include "store/lineage/neighbours.h"
#include "store/ops/operation.h"
#include "store/lineage/orphans.h"
#include "store/history/past.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/search/search.h"
#include "store/session/session.h"
#include "store/lineage/subgraph.h"
#include "store/open.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "tests/support/random_memory.h"
#include "tests/support/store_fixture.h"
#include "tests/support/listed.h"
#include "tests/support/past.h"
#include "tests/support/test.h"

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

/* The fixture's store with a clock that advances. */
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

/* ---- all answers of a reader, as text ---- */

static int add_line(void *arg, const char *line, size_t len)
{
    strbuf_add(arg, line, len);
    return 0;
}

static void add_list(struct strbuf *out, struct reader *r, const struct list_query *q)
{
    struct error e = {0};
    AUTO_STRBUF cursor = STRBUF_INIT;
    int64_t node, count;
    int more = 1;
    strbuf_addf(out, "list %d %d:", (int)q->order, q->reverse);
    while (more > 0) { /* pages of three, so that cursors point to every place */
        struct list *l = list_open(r, q, cursor.len ? cursor.buf : NULL, &e);
        check(l ? 0 : -1, &e);
        for (int i = 0; i < 3 && (more = list_next(l, &node, &e)) > 0; i++)
            strbuf_addf(out, " %lld", (long long)node);
        check(more, &e);
        strbuf_clear(&cursor);
        list_cursor(l, &cursor);
        list_close(l);
    }
    check(listed_count(r, q, &count, &e), &e);
    strbuf_addf(out, " = %lld\n", (long long)count);
}

static void add_lists(struct strbuf *out, struct reader *r)
{
    struct error e = {0};
    int64_t count;
    for (int order = 0; order < ORDER_COUNT; order++) {
        add_list(out, r, &(struct list_query){.order = (enum list_order)order});
        add_list(out, r,
                 &(struct list_query){.order = (enum list_order)order,
                                      .statuses = STATUSES_ALL,
                                      .agent = "ash",
                                      .reverse = true});
    }
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        check(listed_count(r, &(struct list_query){.kinds = KIND_BIT(kind)}, &count, &e), &e);
        strbuf_addf(out, " %lld", (long long)count);
    }
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
        uint32_t node = (uint32_t)(rows[i] - 1); /* the graph is complete */
        check(dependants_find(r, rows[i], 0, &d, &e), &e);
        strbuf_addf(out, "row %lld %d %u/%u %d %d %u:", (long long)rows[i], (int)label[i].label,
                    label[i].valid, label[i].justs, (int)g.kind[node], (int)g.status[node],
                    g.just_first[node + 1] - g.just_first[node]);
        for (size_t k = 0; k < d.count; k++)
            strbuf_addf(out, " %lld", (long long)d.row[k]);
        strbuf_addch(out, '\n');
        free(d.row);
    }
    graph_release(&g);
    test_free(label);
    check(orphans_find(r, &(struct orphan_query){0}, add_orphan, out, &e), &e);
}

static void add_journal(struct strbuf *out, struct reader *r)
{
    struct error e = {0};
    AUTO_ARENA a = ARENA_INIT;
    struct event *events;
    size_t count;
    check(journal_read(r, &a, 0, SIZE_MAX, &events, &count, &e), &e);
    strbuf_addf(out, "%zu events, last %lld\n", count, (long long)journal_last(r, &e));
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, " %lld", (long long)events[i].seq);
}

static int add_revision(void *arg, const struct revision *v)
{
    struct strbuf *out = arg;
    strbuf_addf(out, " %lld/%lld:", (long long)v->event.seq, (long long)v->undone_by);
    for (int side = 0; side < 2; side++)
        if (side ? v->after : v->before)
            memory_json_write(out, side ? v->after : v->before, NULL);
    strbuf_addch(out, '\n');
    return 0;
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
    AUTO_ARENA a = ARENA_INIT;
    for (size_t i = 0; i < rows->count; i++) {
        struct memory_row m;
        check(memory_row_read(r, &a, rows->row[i], &m, &e), &e);
        strbuf_addf(out, "%s:%s %s %lld %lld %d %d\n", kind_name(m.ref.kind), m.ref.id, m.agent_id,
                    (long long)m.version, (long long)m.event, (int)m.status,
                    (int)(ref_resolve(r, m.ref.id, &e) == rows->row[i]));
    }
}

static void add_histories(struct strbuf *out, struct reader *r, const struct rows *rows)
{
    struct error e = {0};
    AUTO_ARENA a = ARENA_INIT;
    for (size_t i = 0; i < rows->count; i++) {
        int64_t *versions;
        size_t count;
        check(history_walk(r, rows->row[i], add_revision, out, &e), &e);
        check(history_versions(r, &a, rows->row[i], &versions, &count, &e), &e);
        for (size_t k = 0; k < count; k++)
            strbuf_addf(out, " %lld", (long long)versions[k]);
        strbuf_addch(out, '\n');
    }
}

/* Antecedents have their status of that time, which is not in the JSON of a memory. */
static void add_targets(struct strbuf *out, struct reader *r, const struct rows *rows)
{
    struct error e = {0};
    AUTO_ARENA a = ARENA_INIT;
    for (size_t i = 0; i < rows->count; i++) {
        struct memory m;
        check(memory_read(r, &a, rows->row[i], &m, &e), &e);
        for (size_t j = 0; j < m.justification_count; j++)
            for (size_t k = 0; k < m.justifications[j].count; k++)
                strbuf_addf(out, " %lld=%d", (long long)m.justifications[j].antecedents[k].node,
                            (int)m.justifications[j].antecedents[k].status);
    }
    strbuf_addch(out, '\n');
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
    add_histories(&out, r, &rows);
    add_graph(&out, r, rows.row, rows.count);
    add_journal(&out, r);
    return strbuf_detach(&out, NULL);
}

static void assert_same(const char *then, struct reader *r, int64_t seq)
{
    AUTO_FREE char *past = all_of(r);
    if (strcmp(then, past) != 0) {
        size_t at = 0, line = 0;
        for (; then[at] == past[at]; at++)
            line = then[at] == '\n' ? at + 1 : line;
        fail_msg("as of %lld:\n  then %.300s\n  past %.300s", (long long)seq, then + line,
                 past + line);
    }
}

/* ---- histories ---- */

#define EVENTS 120

struct step {
    struct random *random;
    struct arena *arena;
    const char *id;
};

/* Adds or changes a memory that is based on others, some of which do not exist yet. */
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
    if (there && random_chance(s->random, 8))
        return txn_put_as(t, &actor, &(struct put){.operation = "undo"}, &before, NULL, e);
    return txn_put(t, &actor, there ? "edit" : "add", there ? &before : NULL, &after, NULL, e);
}

static const char *const ids[] = {"alpha", "bravo",    "charlie", "delta", "echo",   "foxtrot",
                                  "golf",  "hotel",    "india",   "julia", "kilo",   "lima",
                                  "mike",  "november", "oscar",   "papa",  "quebec", "romeo"};

static void step(struct fixture *f, struct random *random)
{
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    struct step s = {random, &arena, ids[random_below(random, sizeof(ids) / sizeof(*ids))]};
    now += random_below(random, 3);
    check(store_run(f->store, take_step, &s, &e), &e);
}

static void check_memories(struct fixture *f, struct reader *past, int64_t seq)
{
    AUTO_ARENA a = ARENA_INIT;
    struct error e = {0};
    struct rows rows = {.count = 0};
    check(list_ids(f->reader, &(struct list_query){.statuses = STATUSES_ALL}, gather, &rows, &e),
          &e);
    for (size_t i = 0; i < rows.count; i++) {
        struct memory one, other;
        AUTO_STRBUF x = STRBUF_INIT, y = STRBUF_INIT;
        check(memory_read_past(f->reader, &a, rows.row[i], seq, &one, &e), &e);
        check(memory_read(past, &a, rows.row[i], &other, &e), &e);
        assert_int_equal(one.status, other.status);
        assert_true(one.event <= seq && one.event == other.event);
        if (one.status != STATUS_MISSING) {
            memory_json_write(&x, &one, NULL);
            memory_json_write(&y, &other, NULL);
            assert_string_equal(x.buf, y.buf);
        }
        for (size_t j = 0; j < one.justification_count; j++)
            for (size_t k = 0; k < one.justifications[j].count; k++) {
                assert_int_equal(one.justifications[j].antecedents[k].node,
                                 other.justifications[j].antecedents[k].node);
                assert_int_equal(one.justifications[j].antecedents[k].status,
                                 other.justifications[j].antecedents[k].status);
            }
    }
}

TEST(test_every_past_state_is_exact)
{
    struct fixture f;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct random random = {seed};
        char *then[EVENTS + 1] = {NULL}; /* of the moments that are looked at */
        open_ticking(&f);
        for (int64_t seq = 0, next = 0; seq <= EVENTS; seq++) {
            if (seq == next || seq == EVENTS) {
                then[seq] = all_of(f.reader);
                next += 1 + random_below(&random, 4);
            }
            if (seq < EVENTS)
                step(&f, &random);
        }
        for (int64_t seq = 0; seq <= EVENTS; seq++) {
            if (!then[seq])
                continue;
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

/* The reader must not see later changes. */
TEST(test_later_changes_are_not_seen)
{
    struct fixture f;
    struct random random = {7};
    open_ticking(&f);
    for (int i = 0; i < 40; i++)
        step(&f, &random);
    AUTO_FREE char *then = all_of(f.reader);
    struct reader *past = open_past(&f, 40);
    assert_same(then, past, 40);
    for (int i = 0; i < 60; i++) {
        step(&f, &random);
        if (i % 7 == 0)
            assert_same(then, past, 40);
    }
    assert_same(then, past, 40);
    reader_close(past);
    fixture_close(&f);
}

static int interrupt_a_write(unsigned type, void *arg, void *stmt, void *sql)
{
    int *left = arg;
    (void)type, (void)sql;
    if (!sqlite3_stmt_readonly(stmt) && (*left)-- == 0)
        sqlite3_interrupt(sqlite3_db_handle(stmt));
    return 0;
}

/* The interrupt stops the reader while it takes in the changes of others. It must then have taken in none of them. */
TEST(test_an_interrupt_loses_nothing)
{
    struct fixture f;
    struct random random = {11};
    struct error e = {0};
    open_ticking(&f);
    for (int i = 0; i < 40; i++)
        step(&f, &random);
    for (int writes = 0, left = -1; left < 0; writes += 7) { /* until a run has fewer writes */
        int64_t seq = journal_last(f.reader, &e);
        AUTO_FREE char *then = all_of(f.reader);
        struct reader *past = open_past(&f, seq);
        for (int i = 0; i < 6; i++)
            step(&f, &random);
        left = writes;
        sqlite3_trace_v2(db_handle(reader_db(past)), SQLITE_TRACE_STMT, interrupt_a_write, &left);
        int result = reader_begin(past, &e);
        sqlite3_trace_v2(db_handle(reader_db(past)), 0, NULL, NULL);
        assert_int_equal(result, left < 0 ? -1 : 0);
        if (result == 0)
            reader_end(past);
        assert_same(then, past, seq);
        reader_close(past);
    }
    fixture_close(&f);
}

/* ---- searching ---- */

static int64_t count_matches(struct reader *r, const char *words)
{
    struct error e = {0};
    AUTO_STRBUF out = STRBUF_INIT;
    check(search_run(r, &(struct search_query){.words = words}, add_match, &out, &e), &e);
    int64_t count = 0;
    for (const char *at = out.buf; (at = strchr(at, ' ')); at++)
        count++;
    return count;
}

/* ---- purged memories ---- */

static void purge(struct fixture *f, const char *ref)
{
    static const struct actor person = {.class = ACTOR_PERSON, .name = "tester", .origin = "test"};
    struct error e = {0};
    struct plan p;
    check(operation_run_now(f->store, &person, OPERATION_PURGE,
                            &(struct request){.refs = &ref, .ref_count = 1}, &f->arena, &p, &e),
          &e);
}

static void assert_purged(struct fixture *f, struct reader *r, int64_t row)
{
    struct error e = {0};
    struct memory m;
    check(memory_read(r, &f->arena, row, &m, &e), &e);
    assert_int_equal(m.status, STATUS_PURGED);
    assert_string_equal(m.text, "");
    assert_int_equal(m.tag_count, 0);
    assert_int_equal(count_matches(r, "secret"), 0);
    assert_int_equal(count_matches(r, "kept"), 1);
}

/* Purged content is gone from every past state, even one that was read before. */
TEST(test_purged_memories_stay_purged)
{
    struct fixture f;
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"note:other\",\"text\":\"kept\"}", NULL);
    fixture_put(&f, "{\"ref\":\"note:one\",\"text\":\"secret one\",\"tags\":[\"secret\"]}",
                "{\"ref\":\"note:two\",\"text\":\"secret two\"}", NULL);
    fixture_put(&f, "{\"ref\":\"note:one\",\"text\":\"secret still\"}", NULL);
    int64_t one = fixture_row(&f, "note:one"), two = fixture_row(&f, "note:two");
    struct reader *open = open_past(&f, 3);
    assert_int_equal(count_matches(open, "secret"), 2);
    purge(&f, "note:one");
    purge(&f, "note:two");
    for (int64_t seq = 3; seq <= 6; seq++) {
        struct reader *past = open_past(&f, seq);
        struct memory m;
        struct error e = {0};
        check(memory_read_past(f.reader, &f.arena, one, seq, &m, &e), &e);
        assert_int_equal(m.status, STATUS_PURGED);
        assert_purged(&f, past, one);
        if (seq == 6)
            assert_purged(&f, past, two);
        reader_close(past);
    }
    assert_purged(&f, open, one);
    assert_purged(&f, open, two);
    reader_close(open);
    struct reader *before = open_past(&f, 1);
    struct memory m;
    struct error e = {0};
    check(memory_read(before, &f.arena, one, &m, &e), &e);
    assert_int_equal(m.status, STATUS_MISSING);
    reader_close(before);
    fixture_close(&f);
}

/* ---- interrupts ---- */

struct readers_patience {
    int left;
    int64_t total; /* the total reported last */
};

static int lose_patience(void *arg, int64_t done, int64_t total)
{
    struct readers_patience *p = arg;
    assert_true(done <= total);
    p->total = total;
    return p->left-- == 0;
}

TEST(test_opening_can_be_interrupted)
{
    struct fixture f;
    struct random random = {19};
    struct error e = {0};
    open_ticking(&f);
    for (int i = 0; i < 60; i++)
        step(&f, &random);
    for (int left = 0;; left++) {
        struct readers_patience p = {.left = left};
        struct reader *r = reader_open_past(f.store, 30, lose_patience, &p, &e);
        if (r) {
            assert_true(left > 1);
            reader_close(r);
            break;
        }
        assert_int_equal(e.code, ERROR_INTERRUPTED);
    }
    /* Also while it looks for differences. */
    static char line[2000][40];
    const char *lines[2000];
    for (size_t i = 0; i < 2000; i++) {
        snprintf(line[i], sizeof(line[i]), "{\"ref\":\"note:later-%zu\",\"text\":\"\"}", i);
        lines[i] = line[i];
    }
    fixture_put_lines(&f, lines, 2000);
    struct readers_patience none = {.total = -1};
    assert_null(reader_open_past(f.store, 30, lose_patience, &none, &e));
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    assert_int_equal(none.total, 0);
    fixture_close(&f);
}

/* ---- query plans ---- */

struct plan_seen {
    bool whole;   /* SQLite builds a table before it reads it */
    bool routine; /* a view is walked whole */
    bool scan;    /* a whole table is read */
};

static void see(struct plan_seen *p, const char *detail)
{
    const char *routine = strstr(detail, "CO-ROUTINE ");
    p->whole |= strstr(detail, "MATERIALIZE") || strstr(detail, "AUTOMATIC");
    p->routine |= routine && routine[strlen("CO-ROUTINE ")] != '(';
    p->scan |= strstr(detail, "SCAN main.") != NULL;
}

/* Each statement uses an index or makes one pass. None builds a whole view. */
static void check_plans(struct reader *r)
{
    sqlite3 *db = db_handle(reader_db(r));
    for (sqlite3_stmt *stmt = NULL; (stmt = sqlite3_next_stmt(db, stmt));) {
        AUTO_STRBUF sql = STRBUF_INIT;
        struct plan_seen seen = {0};
        sqlite3_stmt *plan;
        strbuf_addf(&sql, "EXPLAIN QUERY PLAN %s", sqlite3_sql(stmt));
        if (sqlite3_prepare_v2(db, sql.buf, -1, &plan, NULL) != SQLITE_OK)
            plan = NULL; /* PRAGMA, BEGIN */
        while (plan && sqlite3_step(plan) == SQLITE_ROW)
            see(&seen, (const char *)sqlite3_column_text(plan, 3));
        sqlite3_finalize(plan);
        if (seen.whole || (seen.routine && seen.scan))
            fail_msg("a view is made whole by %s", sqlite3_sql(stmt));
    }
}

static void ask_neighbours(struct reader *r, int64_t row)
{
    struct error e = {0};
    struct subgraph_request w = SUBGRAPH_REQUEST_INIT;
    struct subgraph_source source = neighbours_of(r);
    struct subgraph subgraph;
    size_t total;
    bool more;
    w.focus = row;
    w.show = SHOW_BOTH;
    check(reader_begin(r, &e), &e);
    check(subgraph_make(&subgraph, &w, &source, &e), &e);
    for (int side = 0; side < 2; side++)
        check(neighbours_total(r, row, (enum direction)side, 100, &total, &more, &e), &e);
    reader_end(r);
    subgraph_release(&subgraph);
}

/* The questions that all_of does not ask. */
static void ask_the_rest(struct reader *r, int64_t row)
{
    static const struct event_filter filters[] = {
        EVENT_FILTER_ALL,
        {.kinds = KIND_BIT(KIND_EPISODE), .since = 0, .until = INT64_MAX, .last = INT64_MAX},
        {.actor = "tester", .until = INT64_MAX, .last = INT64_MAX, .subject = 1},
        {.correlation = "x", .until = INT64_MAX, .last = INT64_MAX},
    };
    struct error e = {0};
    AUTO_ARENA a = ARENA_INIT;
    struct agent_count *agents;
    struct event *events;
    AUTO_STRBUF out = STRBUF_INIT;
    struct ref refs[KNOWN_NAMES_MAX];
    struct retraction q;
    struct call_row *calls;
    bool several;
    size_t count;
    int64_t total;
    check(list_agents(r, &a, &agents, &count, &e), &e);
    check(list_several_agents(r, &several, &e), &e);
    for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
        check(journal_select(r, &a, &filters[i], 0, 10, &events, &count, &e), &e);
    check(known_ids(r, KINDS_ALL, "a", &a, refs, &count, &total, &e), &e);
    check(known_ids(r, KINDS_ALL, "", &a, refs, &count, &total, &e), &e);
    const struct lineage_part part = {
        .direction = ANCESTORS, .depth = 3, .lines = 20, .most = 8000};
    const struct lineage_part below = {.direction = DESCENDANTS, .depth = 3};
    check(answer_lineage(r, row, &part, &out, NULL, &e), &e);
    check(answer_lineage(r, row, &below, &out, NULL, &e), &e);
    check(retraction_load(&q, r, &row, 1, &e), &e);
    check(answer_retraction(&(struct answer){.out = &out}, r, &q, NULL, &e), &e);
    retraction_release(&q);
    ask_neighbours(r, row);
    check(answer_outline(r, row, &part, &out, NULL, &e), &e);
    check(search_snippet_of_row(r, &a, row, "the", 40, &out, &(struct snippet_match){0}, &e), &e);
    check(call_list(r, &a, 0, 10, &calls, &count, &e), &e);
}

TEST(test_questions_use_indexes)
{
    struct fixture f;
    struct random random = {23};
    open_ticking(&f);
    for (int i = 0; i < 60; i++)
        step(&f, &random);
    struct reader *past = open_past(&f, 30);
    struct rows rows = {.count = 0};
    struct error e = {0};
    check(list_ids(past, &(struct list_query){0}, gather, &rows, &e), &e);
    assert_true(rows.count > 0);
    free(all_of(past));
    ask_the_rest(past, rows.row[0]);
    check_plans(past);
    reader_close(past);
    fixture_close(&f);
}
