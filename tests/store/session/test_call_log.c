/* The call log: which calls share a row, when rows are written, how much room they take, and what remains. */
#include "tests/support/scratch.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/journal/call_chain.h"
#include "store/db/db.h"
#include "store/open.h"
#include "store/session/session.h"
#include "tests/support/agents.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

static const struct session_start start = {
    .client = "c", .transport = "stdio", .peer_uid = -1, .peer_pid = -1};

static void flush(struct place *p)
{
    agents_flush(p->store, p->log);
}

static void read_calls(struct place *p)
{
    struct error e;
    arena_clear(&p->arena);
    if (call_list(p->reader, &p->arena, 0, SIZE_MAX, &p->rows, &p->count, &e))
        fail_msg("%s", e.what);
}

static void note(struct session *s, const char *tool, int64_t subject, int64_t at,
                 enum error_code outcome)
{
    session_note(
        s, &(struct call_note){
               .tool = tool, .subject = subject, .at = at, .took_us = 100, .outcome = outcome});
}

static int64_t ask(struct place *p, const char *sql)
{
    int64_t value;
    struct error e;
    assert_int_equal(db_int(reader_db(p->reader), &value, -1, &e, sql, ""), 0);
    return value;
}

/* ---- times ---- */

TEST(times_are_runs)
{
    struct call_times t;
    call_times_init(&t);
    for (int i = 0; i < 20; i++)
        call_times_add(&t, 1700000000000, ERROR_NONE);
    for (int i = 0; i < 21; i++)
        call_times_add(&t, 1700000000001, ERROR_NONE);
    call_times_add(&t, 1700000000004, ERROR_REFUSED);
    call_times_add(&t, 1700000000002, ERROR_NONE);
    call_times_close(&t);
    assert_string_equal(t.text.buf, "1700000000000,0x20,1x21,3r,-2");
    assert_int_equal(t.count, 43);
    call_times_release(&t);
}

TEST(times_are_read_back)
{
    struct random r = {3};
    for (int round = 0; round < 200; round++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct call_times t;
        size_t many = 1 + random_below(&r, 400), count;
        int64_t *at, said[400], now = (int64_t)(random_next(&r) >> 3) - (INT64_C(1) << 59);
        enum error_code *outcome, came[400];
        call_times_init(&t);
        for (size_t i = 0; i < many; i++) {
            now += random_chance(&r, 60) ? 0 : (int64_t)random_below(&r, 1000) - 100;
            came[i] = random_chance(&r, 80) ? ERROR_NONE : (enum error_code)random_below(&r, 10);
            said[i] = now;
            call_times_add(&t, now, came[i]);
        }
        call_times_close(&t);
        assert_int_equal(call_times_read(t.text.buf, &arena, &at, &outcome, &count), 0);
        assert_int_equal(count, many);
        assert_memory_equal(at, said, many * sizeof(*at));
        assert_memory_equal(outcome, came, many * sizeof(*outcome));
        call_times_release(&t);
    }
}

TEST(other_times_are_refused)
{
    static const char *const broken[] = {
        "",
        "x",
        "5",
        "5,",
        ",0",
        "5,0,",
        "5,x2",
        "5,0x",
        "5,0x1",
        "5,0x0",
        "5,0xx2",
        "5,00",
        "05,0",
        "5,-0",
        "5, 0",
        "5,0z",
        "5,0rr",
        "5,0x-2",
        "5 ,0",
        "5,0 ",
        "5;0",
        "5,0x99999999999999999999",
        "5,0x262145",
        "5,0x262144,0",
        "9999999999999999999999,0",
        "4611686018427387000,4611686018427387000,4611686018427387000",
    };
    AUTO_ARENA arena = ARENA_INIT;
    int64_t *at;
    enum error_code *outcome;
    size_t count = 9;
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
        if (call_times_read(broken[i], &arena, &at, &outcome, &count) != -1 || count)
            fail_msg("%s was accepted", broken[i]);
    assert_int_equal(call_times_read(NULL, &arena, &at, &outcome, &count), -1);
    assert_int_equal(call_times_read("5,0m,1s", &arena, &at, &outcome, &count), 0);
    assert_int_equal(count, 2);
    assert_int_equal(outcome[0], ERROR_STORE); /* of an older version: memory ran out */
    assert_int_equal(call_times_read("5,0x262144", &arena, &at, &outcome, &count), 0);
    assert_int_equal(count, CALL_TIMES_MAX);
}

/* ---- rows ---- */

TEST(equal_calls_share_a_row)
{
    struct place p;
    place_open(&p, "calls.db");
    int64_t a = scratch_put(p.store, "{\"ref\":\"note:a\",\"text\":\"a\"}");
    int64_t b = scratch_put(p.store, "{\"ref\":\"note:b\",\"text\":\"b\"}");
    struct session *one = session_begin(p.log, &start), *two = session_begin(p.log, &start);
    note(one, "memory_get", a, 100, ERROR_NONE);
    note(two, "memory_get", a, 101, ERROR_NONE);
    note(one, "memory_get", b, 102, ERROR_NONE);
    note(one, "memory_lineage", a, 103, ERROR_NONE);
    note(one, "memory_get", a, 104, ERROR_REFUSED);
    note(one, "tools/list", 0, 105, ERROR_NONE);
    flush(&p);
    note(one, "memory_get", a, 106, ERROR_NONE);
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 6);
    assert_int_equal(p.rows[0].count, 2);
    assert_int_equal(p.rows[0].at[0], 100);
    assert_int_equal(p.rows[0].at[1], 104);
    assert_int_equal(p.rows[0].outcome[0], ERROR_NONE);
    assert_int_equal(p.rows[0].outcome[1], ERROR_REFUSED);
    assert_string_equal(p.rows[0].tool, "memory_get");
    assert_string_equal(p.rows[0].ref.id, "a");
    assert_int_equal(p.rows[0].subject, a);
    assert_true(p.rows[0].session != p.rows[1].session);
    assert_string_equal(p.rows[2].ref.id, "b");
    assert_string_equal(p.rows[3].tool, "memory_lineage");
    assert_null(p.rows[4].ref.id);
    assert_int_equal(p.rows[5].at[0], 106);
    struct error e;
    struct call_row *rows;
    size_t count;
    assert_int_equal(call_last(p.reader, &e), p.rows[5].id);
    assert_int_equal(call_list(p.reader, &p.arena, p.rows[3].id, 1, &rows, &count, &e), 0);
    assert_int_equal(count, 1);
    assert_int_equal(rows->id, p.rows[4].id);
    place_close(&p);
}

TEST(only_reads_and_refusals_are_logged)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    session_note(s, &(struct call_note){.tool = "memory_raw",
                                        .subject = 0,
                                        .at = 1,
                                        .took_us = 5,
                                        .outcome = ERROR_NONE,
                                        .wrote = true});
    session_note(s, &(struct call_note){.tool = "memory_raw",
                                        .subject = 0,
                                        .at = 2,
                                        .took_us = 5,
                                        .outcome = ERROR_REFUSED,
                                        .wrote = true});
    session_note(s, &(struct call_note){.tool = "memory_raw",
                                        .subject = 0,
                                        .at = 3,
                                        .took_us = 5,
                                        .outcome = ERROR_REFUSED,
                                        .wrote = false});
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 1);
    assert_int_equal(p.rows->count, 2);
    assert_int_equal(p.rows->at[0], 2);
    place_close(&p);
}

/* ---- what was sent ---- */

static void send(struct session *s, const char *tool, bool wrote, int64_t bytes, int64_t full,
                 enum error_code outcome)
{
    session_note(s, &(struct call_note){.tool = tool,
                                        .at = SCRATCH_NOW,
                                        .outcome = outcome,
                                        .wrote = wrote,
                                        .bytes = bytes,
                                        .full_bytes = full});
}

static void expect_usage(const struct usage *u, const char *tool, int64_t answers, int64_t failures,
                         int64_t bytes, int64_t full)
{
    assert_string_equal(u->tool, tool);
    assert_int_equal(u->answers, answers);
    assert_int_equal(u->failures, failures);
    assert_int_equal(u->bytes, bytes);
    assert_int_equal(u->full_bytes, full);
}

/* Equal calls share a row of the log and writes have none; each counts in the usage of its tool. */
TEST(usage_is_counted_for_each_tool)
{
    struct place p;
    struct error e;
    struct usage *usage;
    struct session_row *rows;
    size_t count;
    place_open(&p, "calls.db");
    struct session *one = session_begin(p.log, &start), *two = session_begin(p.log, &start);
    for (int round = 0; round < 2; round++) {
        session_answered(one, "tools/list", 6000);
        for (int i = 0; i < 10; i++)
            send(one, "memory_list", false, 100, 400, ERROR_NONE);
        send(one, "memory_get", false, 70, 0, ERROR_NOT_FOUND);
        send(one, "memory_add", true, 30, 0, ERROR_NONE);
        flush(&p);
    }
    send(two, "memory_list", false, 5, 6, ERROR_NONE);
    session_begin(p.log, &start);
    flush(&p);
    assert_int_equal(session_usage(p.reader, &p.arena, 1, 1, &usage, &count, &e), 0);
    assert_int_equal(count, 4);
    expect_usage(&usage[0], "tools/list", 2, 0, 12000, 12000);
    expect_usage(&usage[1], "memory_list", 20, 0, 2000, 8000);
    expect_usage(&usage[2], "memory_get", 2, 2, 140, 140);
    expect_usage(&usage[3], "memory_add", 2, 0, 60, 60);
    assert_int_equal(session_usage_of_all(p.reader, &p.arena, &usage, &count, &e), 0);
    assert_int_equal(count, 4);
    expect_usage(&usage[1], "memory_list", 21, 0, 2005, 8006);
    assert_int_equal(usage[0].latency.count, 0); /* answers to no call */
    assert_int_equal(usage[1].latency.count, 21);
    assert_int_equal(session_list(p.reader, &p.arena, SESSIONS_ALL, 0, 0, &rows, &count, &e), 0);
    assert_int_equal(count, 3);
    assert_int_equal(rows[0].bytes, -1);
    assert_int_equal(rows[1].bytes, 5);
    assert_int_equal(rows[2].bytes, 14200);
    assert_int_equal(rows[2].full_bytes, 20200);
    place_close(&p);
}

static void note_at(struct session *s, int64_t at, int64_t took_us, enum error_code outcome)
{
    session_note(s, &(struct call_note){
                        .tool = "memory_get", .at = at, .took_us = took_us, .outcome = outcome});
}

/* Each call counts in the minute in which it came; a minute that is a day old goes. */
TEST(calls_are_counted_for_each_minute)
{
    struct place p;
    struct error e;
    struct call_minute *m;
    place_open(&p, "calls.db");
    int64_t now = store_now(p.store), start_of = now - now % MINUTE_MS;
    struct session *one = session_begin(p.log, &start), *two = session_begin(p.log, &start);
    note_at(one, start_of - 2 * MINUTE_MS, 10, ERROR_NONE);
    note_at(one, start_of - 1, 20, ERROR_NOT_FOUND);
    note_at(one, start_of, 30, ERROR_NONE);
    note_at(one, start_of - MINUTE_MS, 40, ERROR_NONE); /* not in order */
    note_at(two, start_of, 5000, ERROR_NONE);
    note_at(two, start_of - (MINUTES_KEPT + 2) * (int64_t)MINUTE_MS, 1, ERROR_NONE);
    flush(&p);
    note_at(one, start_of + 1, 50, ERROR_NONE);
    flush(&p);
    assert_int_equal(
        session_minutes(p.reader, &p.arena, 0, start_of - 2 * MINUTE_MS + 7, 3, &m, &e), 0);
    static const int calls[] = {1, 2, 3}, failures[] = {0, 1, 0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(m[i].at, start_of - (2 - i) * (int64_t)MINUTE_MS);
        assert_int_equal(m[i].calls, calls[i]);
        assert_int_equal(m[i].failures, failures[i]);
        assert_int_equal(m[i].latency.count, calls[i]);
    }
    assert_in_range(latency_percentile(&m[2].latency, 99), 5000, 5700);
    assert_int_equal(session_minutes(p.reader, &p.arena, 2, start_of, 1, &m, &e), 0);
    assert_int_equal(m[0].calls, 1);
    assert_int_equal(session_minutes(p.reader, &p.arena, 0,
                                     start_of - (MINUTES_KEPT + 2) * (int64_t)MINUTE_MS, 1, &m, &e),
                     0);
    assert_int_equal(m[0].calls, 0);
    place_close(&p);
}

/* Calls that do not fit into the log count all the same. */
TEST(usage_has_calls_that_are_not_logged)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    for (int i = 0; i < 10000; i++)
        session_note(s, &(struct call_note){
                            .tool = "memory_get", .subject = i + 1000000, .at = 1, .bytes = 3});
    flush(&p);
    assert_int_equal(ask(&p, "SELECT bytes FROM usage"), 30000);
    assert_int_equal(ask(&p, "SELECT answers FROM usage"), 10000);
    place_close(&p);
}

/* ---- failed calls ---- */

static void fail_with(struct session *s, int64_t at, const char *arguments, const char *error)
{
    session_note(s, &(struct call_note){.tool = "memory_get",
                                        .at = at,
                                        .outcome = ERROR_INVALID,
                                        .arguments = arguments,
                                        .error = error});
}

TEST(failed_calls_keep_their_arguments)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    fail_with(s, 1, "{\"a\":1}", "one");
    fail_with(s, 2, "{\"a\":1}", "one");
    fail_with(s, 3, "{\"a\":1}", "other");
    fail_with(s, 4, "{\"a\":2}", "one");
    fail_with(s, 5, NULL, "one");
    fail_with(s, 6, NULL, NULL);
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 5);
    assert_int_equal(p.rows[0].count, 2);
    assert_string_equal(p.rows[0].arguments, "{\"a\":1}");
    assert_string_equal(p.rows[1].error, "other");
    assert_string_equal(p.rows[2].arguments, "{\"a\":2}");
    assert_null(p.rows[3].arguments);
    assert_string_equal(p.rows[3].error, "one");
    assert_null(p.rows[4].error);
    place_close(&p); /* fsck: the chain is sound */
}

/* An agent that fails without end fills neither the log nor the table. */
TEST(kept_failures_are_bounded)
{
    struct place p;
    char text[32];
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 100; i++) {
            snprintf(text, sizeof(text), "%d", 100 * round + i);
            fail_with(s, SCRATCH_NOW, text, "no");
        }
        flush(&p);
    }
    assert_int_equal(ask(&p, "SELECT count(*) FROM failure"), FAILURES_KEPT);
    assert_int_equal(ask(&p, "SELECT count(*) FROM call WHERE tool = 'memory_get'"),
                     20 * (FAILURES_PER_FLUSH + 1));
    assert_int_equal(ask(&p, "SELECT sum(count) FROM call WHERE tool = 'memory_get'"), 2000);
    read_calls(&p);
    assert_null(p.rows[0].arguments);
    assert_string_equal(p.rows[p.count - 2].arguments, "1931");
    assert_null(p.rows[p.count - 1].arguments);
    place_close(&p);
}

/* Internal rows of the log are neither listed nor counted. */
TEST(a_renamed_session_makes_no_call)
{
    struct place p;
    struct error e;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    note(s, "memory_get", 0, 1, ERROR_NONE);
    flush(&p);
    for (int i = 0; i < 3; i++) {
        session_update_client(s,
                              &(struct session_start){.era = i % 2 ? "2025-11-25" : "2026-07-28"});
        flush(&p);
    }
    note(s, "memory_get", 0, 2, ERROR_NONE);
    flush(&p);
    assert_int_equal(ask(&p, "SELECT count(*) FROM call WHERE tool = '(named anew)'"), 3);
    read_calls(&p);
    assert_int_equal(p.count, 2);
    for (size_t i = 0; i < p.count; i++)
        assert_string_equal(p.rows[i].tool, "memory_get");
    assert_true(call_last(p.reader, &e) == p.rows[1].id);
    place_close(&p);
}

#define TRACE "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

/* Calls with different names are in different rows, and so are outcomes with sums. */
TEST(what_the_guard_did_is_logged)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    struct call_note n = {.tool = "getMemory",
                          .at = 1,
                          .took_us = 9,
                          .is_tool = true,
                          .namespace_ = "team.ops",
                          .agent = "ash\x01\"\xc3\xa9",
                          .task = "",
                          .traceparent = TRACE,
                          .spans = {10, 20, 30},
                          .redactions = 2};
    session_note(s, &n);
    n.spans = (struct call_spans){1, 2, 3};
    n.redactions = 5;
    session_note(s, &n);
    n.outcome = ERROR_REFUSED;
    n.redactions = 0;
    session_note(s, &n);
    n.outcome = ERROR_NONE;
    const char **names[] = {&n.namespace_, &n.agent, &n.task, &n.traceparent};
    for (size_t i = 0; i < 4; i++) {
        const char *was = *names[i];
        *names[i] = i % 2 ? NULL : "other";
        session_note(s, &n);
        *names[i] = was;
    }
    note(s, "getMemory", 0, 1, ERROR_NONE);
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 7);
    const struct call_guard *g = &p.rows[0].guard;
    assert_int_equal(p.rows[0].count, 2);
    assert_string_equal(g->namespace_, "team.ops");
    assert_string_equal(g->agent, "ash\x01\"\xc3\xa9");
    assert_string_equal(g->task, "");
    assert_string_equal(g->traceparent, TRACE);
    assert_int_equal(g->redactions, 7);
    assert_int_equal(g->spans.permission_us, 11);
    assert_int_equal(g->spans.pii_us, 22);
    assert_int_equal(g->spans.store_us, 33);
    assert_int_equal(p.rows[1].outcome[0], ERROR_REFUSED);
    assert_int_equal(p.rows[1].guard.redactions, 0);
    assert_string_equal(p.rows[2].guard.namespace_, "other");
    assert_null(p.rows[3].guard.agent);
    assert_string_equal(p.rows[4].guard.task, "other");
    assert_null(p.rows[5].guard.traceparent);
    assert_true(call_guard_is_empty(&p.rows[6].guard));
    place_close(&p);
}

/* Only the journal records the writes of other tools. */
TEST(writes_of_entries_are_logged)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    struct call_note n = {.tool = "putMemory", .at = 1, .is_tool = true, .wrote = true};
    session_note(s, &n);
    n.namespace_ = "a";
    session_note(s, &n);
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 1);
    assert_int_equal(p.rows->count, 1);
    assert_string_equal(p.rows->guard.namespace_, "a");
    place_close(&p);
}

/* Each call has its own trace. Waiting rows are limited in bytes and number; the log counts the rest. */
TEST(the_room_of_names_is_bounded)
{
    struct place p;
    static char task[4001];
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    memset(task, 't', sizeof(task) - 1);
    for (int i = 0; i < 10000; i++) {
        char trace[56];
        snprintf(trace, sizeof(trace), "00-%032x-%016x-01", i + 1, i + 1);
        session_note(s, &(struct call_note){
                            .tool = "getMemory", .at = 1, .task = task, .traceparent = trace});
    }
    flush(&p);
    read_calls(&p);
    size_t logged = 0, unlogged = 0;
    for (size_t i = 0; i < p.count; i++)
        *(strcmp(p.rows[i].tool, "(not logged)") ? &logged : &unlogged) += p.rows[i].count;
    assert_true(logged > 1000 && logged < 5000);
    assert_int_equal(logged + unlogged, 10000);
    place_close(&p);
}

TEST(twenty_thousand_equal_calls_stay_small)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    for (int i = 0; i < 20000; i++)
        note(s, "memory_get", 0, SCRATCH_NOW + i / 20, ERROR_NONE);
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 1);
    assert_int_equal(p.rows->count, 20000);
    for (int i = 0; i < 20000; i++)
        assert_int_equal(p.rows->at[i], SCRATCH_NOW + i / 20);
    assert_true(ask(&p, "SELECT length(times) + length(canonical) FROM call WHERE id = 2") < 6000);
    place_close(&p);
}

/* Equal calls that do not fit in one row begin another. */
TEST(a_full_row_is_followed_by_another)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    for (unsigned i = 0; i < 2 * CALL_TIMES_MAX + 5; i++)
        note(s, "memory_get", 0, SCRATCH_NOW, ERROR_NONE);
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(p.rows[i].tool, "memory_get");
        assert_int_equal(p.rows[i].count, i < 2 ? CALL_TIMES_MAX : 5);
    }
    place_close(&p);
}

/* The log counts the calls that come faster than it can store them. */
TEST(calls_that_do_not_fit_are_counted)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    for (int i = 0; i < 10000; i++)
        note(s, "memory_get", i + 1000000, SCRATCH_NOW, ERROR_NONE);
    assert_int_equal(call_log_due(p.log), 0);
    flush(&p);
    read_calls(&p);
    size_t logged = 0, unlogged = 0;
    for (size_t i = 0; i < p.count; i++)
        if (strcmp(p.rows[i].tool, "(not logged)") == 0)
            unlogged += p.rows[i].count;
        else
            logged += p.rows[i].count;
    assert_true(logged > 4000 && unlogged > 0);
    assert_int_equal(logged + unlogged, 10000);
    assert_int_equal(ask(&p, "SELECT calls FROM session"), 10000);
    place_close(&p);
}

/* Alternating outcomes in one row make the longest text. */
TEST(the_room_of_times_is_bounded)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    for (int i = 0; i < 8000000; i++)
        note(s, "memory_get", 0, SCRATCH_NOW + i, i % 2 ? ERROR_REFUSED : ERROR_NONE);
    flush(&p);
    assert_true(ask(&p, "SELECT sum(length(times)) FROM call") < 34 << 20);
    assert_int_equal(ask(&p, "SELECT sum(count) FROM call WHERE tool <> '(session)'"), 8000000);
    assert_true(ask(&p, "SELECT sum(count) FROM call WHERE tool = '(not logged)'") > 0);
    place_close(&p);
}

TEST(nothing_is_due_without_calls)
{
    struct place p;
    place_open(&p, "calls.db");
    assert_int_equal(call_log_due(p.log), -1);
    struct session *s = session_begin(p.log, &start);
    int due = call_log_due(p.log);
    assert_true(due >= 0 && due <= 1000);
    flush(&p);
    assert_int_equal(call_log_due(p.log), -1);
    note(s, "memory_get", 0, 5, ERROR_NONE);
    due = call_log_due(p.log);
    assert_true(due > 0 && due <= 1000);
    flush(&p);
    assert_int_equal(call_log_due(p.log), -1);
    assert_int_equal(ask(&p, "SELECT max(id) FROM call"), 2);
    call_log_flush(p.log);
    assert_int_equal(call_log_due(p.log), -1);
    place_close(&p);
}

/* However often the loop asks, the due time comes nearer. */
TEST(the_due_time_approaches)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    int due, asked = 0;
    for (; (due = call_log_due(p.log)) > 0; asked++) {
        note(s, "memory_get", 0, 5, ERROR_NONE);
        usleep(1000);
        assert_true(due <= 1000 && asked < 20000);
    }
    assert_int_equal(due, 0);
    place_close(&p);
}

/* ---- sessions that end ---- */

struct write {
    struct session *session;
    int64_t row;
    int result;
};

static int admit(struct txn *t, void *arg, struct error *e)
{
    struct write *w = arg;
    return w->result = session_admit(t, w->session, &w->row, e);
}

TEST(a_queued_job_finds_its_session)
{
    struct place p;
    place_open(&p, "calls.db");
    struct error e;
    static struct write w[64];
    for (int i = 0; i < 64; i++) {
        w[i] = (struct write){.session = session_begin(p.log, &start), .result = -1};
        assert_int_equal(store_submit(p.store, admit, NULL, &w[i], &e), 0);
        session_end(w[i].session, ENDED_BY_CLIENT);
        call_log_flush(p.log);
    }
    flush(&p);
    flush(&p);
    for (int i = 0; i < 64; i++)
        assert_int_equal(w[i].result, 0);
    assert_int_equal(ask(&p, "SELECT count(*) FROM session WHERE ended_by = 'client'"), 64);
    place_close(&p);
}

TEST(many_sessions_come_and_go)
{
    struct place p;
    place_open(&p, "calls.db");
    for (int round = 0; round < 20; round++) {
        struct session *s[50];
        for (int i = 0; i < 50; i++) {
            s[i] = session_begin(p.log, &start);
            note(s[i], "tools/list", 0, round, ERROR_NONE);
        }
        if (round % 3)
            call_log_flush(p.log);
        for (int i = 0; i < 50; i++)
            session_end(s[i], ENDED_BY_CLIENT);
        call_log_flush(p.log);
    }
    flush(&p);
    flush(&p);
    assert_int_equal(ask(&p, "SELECT count(*) FROM session WHERE ended_at NOT NULL"), 1000);
    assert_int_equal(ask(&p, "SELECT count(*) FROM call"), 2000);
    place_close(&p);
}

/* ---- other processes ---- */

/* Logs reads until it is killed, and prints how many it flushed. */
static pid_t serve_elsewhere(const char *path, int *line)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct error e;
        struct store *s = store_open(path, &(struct store_options){0}, NULL, &e);
        struct call_log *l = s ? call_log_open(s) : NULL;
        struct session *one = l ? session_begin(l, &start) : NULL;
        if (!one)
            _exit(1);
        for (int64_t i = 0;; i++) {
            note(one, "memory_get", 0, i, ERROR_NONE);
            call_log_flush(l);
            int64_t flushed = i + 1;
            if (store_run(s, empty_job, NULL, &e) ||
                write(ends[1], &flushed, sizeof(flushed)) != (ssize_t)sizeof(flushed))
                _exit(1);
        }
    }
    close(ends[1]);
    *line = ends[0];
    return pid;
}

/* Returns the last number that the killed process printed; `flushed` is the number before. */
static int64_t flushed_at_last(int line, int64_t flushed)
{
    int64_t next;
    while (read(line, &next, sizeof(next)) == (ssize_t)sizeof(next))
        flushed = next;
    close(line);
    return flushed;
}

TEST(flushed_calls_survive_the_process)
{
    for (int round = 0; round < 10; round++) {
        struct place p;
        int line[2];
        pid_t pid[2];
        place_open(&p, "calls.db");
        for (int i = 0; i < 2; i++)
            pid[i] = serve_elsewhere(p.path, &line[i]);
        int64_t flushed[2], total = 0;
        for (int i = 0; i < 5 + round; i++)
            for (int k = 0; k < 2; k++)
                assert_int_equal(read(line[k], &flushed[k], sizeof(flushed[k])), sizeof(int64_t));
        for (int i = 0; i < 2; i++) {
            kill(pid[i], SIGKILL);
            waitpid(pid[i], NULL, 0);
            total += flushed_at_last(line[i], flushed[i]);
        }
        read_calls(&p);
        int64_t logged = 0;
        for (size_t i = 0; i < p.count; i++)
            logged += (int64_t)p.rows[i].count;
        assert_true(total >= 10 && logged >= total && logged <= total + 2);
        place_close(&p);
    }
}

/* With a full disk the log keeps waiting rows, retries, and stays limited in memory. */
TEST(a_failed_flush_is_retried)
{
    struct place p;
    place_open(&p, "calls.db");
    struct session *s = session_begin(p.log, &start);
    flush(&p);
    struct rlimit before, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    struct error e;
    note(s, "memory_get", 0, 1, ERROR_NONE);
    for (int i = 0; i < 3; i++) {
        call_log_flush(p.log);
        store_run(p.store, empty_job, NULL, &e);
        assert_true(call_log_due(p.log) > 0);
    }
    note(s, "memory_get", 0, 2, ERROR_NONE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    flush(&p);
    flush(&p);
    read_calls(&p);
    assert_int_equal(p.count, 2);
    assert_int_equal(p.rows[0].at[0], 1);
    assert_int_equal(p.rows[1].at[0], 2);
    place_close(&p);
}
