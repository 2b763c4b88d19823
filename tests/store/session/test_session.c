/* Sessions: their rows, the process that serves them, and the decisions of a person. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "store/session/session.h"
#include "store/session/session_state.h"
#include "tests/support/agents.h"
#include "tests/support/findings.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static const struct session_start started = {
    .client = "claude-code",
    .client_version = "2.1",
    .era = "2025-11-25",
    .transport = "stdio",
    .actor = "ash",
    .task = "tidy up",
    .peer_uid = 1000,
    .peer_pid = 4711,
};

static void note(struct session *s, const char *tool, int64_t subject, int64_t at,
                 enum error_code outcome)
{
    session_note(
        s, &(struct call_note){
               .tool = tool, .subject = subject, .at = at, .took_us = 100, .outcome = outcome});
}

struct seen {
    struct reader *reader;
    struct arena arena;
    struct session_row *rows;
    size_t count;
};

static void see(struct seen *seen, struct store *s, bool living)
{
    struct error e;
    seen->arena = (struct arena)ARENA_INIT;
    seen->reader = reader_open(s, &e);
    assert_non_null(seen->reader);
    if (session_list(seen->reader, &seen->arena, living ? SESSIONS_LIVING : SESSIONS_ALL, 0, 0,
                     &seen->rows, &seen->count, &e))
        fail_msg("%s", e.what);
}

static void unsee(struct seen *seen)
{
    arena_release(&seen->arena);
    reader_close(seen->reader);
}

/* ---- admission ---- */

struct write {
    struct session *session;
    const char *line; /* NULL: only asks */
    int64_t row;
    bool fails;
};

static int admit(struct txn *t, void *arg, struct error *e)
{
    struct write *w = arg;
    if (session_admit(t, w->session, &w->row, e))
        return -1;
    return w->fails ? error_set(e, ERROR_INVALID, "", "it fails") : 0;
}

TEST(a_row_is_made_with_the_first_write)
{
    AUTO_FREE char *path = scratch_path("session.db");
    struct store *s = scratch_store(path);
    struct call_log *l = agents_open(s);
    struct write w = {.session = session_begin(l, &started), .fails = true};
    struct error e;
    struct seen seen;
    /* A rolled-back savepoint removes the row. The next write creates it again. */
    assert_int_equal(store_run(s, admit, &w, &e), -1);
    see(&seen, s, false);
    assert_int_equal(seen.count, 0);
    unsee(&seen);
    w.fails = false;
    assert_int_equal(store_run(s, admit, &w, &e), 0);
    see(&seen, s, false);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.rows->id, w.row);
    unsee(&seen);
    agents_flush(s, l);
    see(&seen, s, false);
    assert_int_equal(seen.count, 1);
    unsee(&seen);
    call_log_close(l);
    store_close(s);
    assert_int_equal(findings_of(path).total, 0);
}

/* ---- the process that serves ---- */

TEST(a_read_only_store_keeps_calls_in_memory)
{
    AUTO_FREE char *path = scratch_path("session.db");
    store_close(scratch_store(path));
    size_t before_len, after_len;
    AUTO_FREE char *before = scratch_read(path, &before_len);
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct call_log *l = agents_open(s);
    struct session *one = session_begin(l, &started), *two = session_begin(l, &started);
    note(one, "memory_get", 0, SCRATCH_NOW, ERROR_NONE);
    session_end(two, ENDED_BY_CLIENT);
    call_log_flush(l);
    assert_int_equal(call_log_due(l), -1);
    assert_false(session_is_ended(one));
    call_log_close(l);
    store_close(s);
    AUTO_FREE char *after = scratch_read(path, &after_len);
    assert_int_equal(before_len, after_len);
    assert_memory_equal(before, after, before_len);
}

/* ---- clients that are known only by what they say ---- */

static const struct session_start bob = {
    .client = "host",
    .client_version = "1",
    .era = "2026-07-28",
    .transport = "http",
    .actor = "bob",
    .task = "T8",
    .peer_uid = -1,
    .peer_pid = -1,
};

static void flush_return(struct place *p)
{
    agents_flush(p->store, p->log);
}

static struct session *come(struct place *p, const struct session_start *start)
{
    struct session *s = session_return(p->log, p->reader, start);
    session_note(s, &(struct call_note){.tool = "memory_list", .at = store_now(p->store)});
    return s;
}

static struct session_row row_of(struct place *p, const char *uuid)
{
    struct error e;
    struct session_row row;
    if (session_find(p->reader, &p->arena, uuid, &row, &e))
        fail_msg("%s", e.what);
    return row;
}

static void decide(struct place *p, const char *uuid, bool read_only)
{
    struct error e;
    if (store_session_read_only(p->store, &scratch_actor, row_of(p, uuid).id, read_only, &e))
        fail_msg("%s", e.what);
}

static void end(struct place *p, const char *uuid)
{
    struct error e;
    if (store_session_end(p->store, &scratch_actor, row_of(p, uuid).id, &e))
        fail_msg("%s", e.what);
}

static int admit_return(struct txn *t, void *arg, struct error *e)
{
    int64_t row;
    return session_admit(t, arg, &row, e);
}

static bool may_write(struct place *p, struct session *s)
{
    struct error e;
    return store_run(p->store, admit_return, s, &e) == 0;
}

static void name_of(const struct session *s, char uuid[37])
{
    snprintf(uuid, 37, "%s", session_uuid(s));
}

/* ---- read-only ---- */

TEST(read_only_outlives_the_process)
{
    struct place p;
    char uuid[37];
    place_open(&p, "return.db");
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush_return(&p);
    decide(&p, uuid, true);
    place_stop(&p);
    place_serve(&p);
    struct session_row row = row_of(&p, uuid);
    assert_false(row.lives);
    assert_true(row.away);
    assert_string_equal(row.ended_by, "server");
    struct session_start later = bob;
    later.task = "T9";
    s = come(&p, &later);
    assert_string_equal(session_uuid(s), uuid);
    assert_true(session_is_read_only(s));
    assert_false(session_is_ended(s));
    assert_false(may_write(&p, s));
    flush_return(&p);
    row = row_of(&p, uuid);
    assert_true(row.lives);
    assert_true(row.read_only);
    assert_false(row.away);
    assert_null(row.ended_by);
    assert_int_equal(row.ended_at, 0);
    assert_int_equal(row.calls, 2);
    assert_int_equal(row.latency.count, 2);
    assert_string_equal(row.task, "T9");
    decide(&p, uuid, false);
    assert_true(may_write(&p, s));
    place_close(&p);
}

TEST(other_clients_do_not_return)
{
    static const struct session_start others[] = {
        {"host", "1", "2026-07-28", "http", "ash", NULL, -1, -1, NULL},
        {"host", "1", "2026-07-28", "http", NULL, NULL, -1, -1, NULL},
        {"host", "2", "2026-07-28", "http", "bob", NULL, -1, -1, NULL},
        {"host", NULL, "2026-07-28", "http", "bob", NULL, -1, -1, NULL},
        {NULL, NULL, "2026-07-28", "http", "bob", NULL, -1, -1, NULL},
        {"host", "1", "2026-07-28", "http", "bob", NULL, 1000, -1, NULL},
        {"host", "1", "2026-07-28", "http", "bob", NULL, -1, 4711, NULL},
        {"host", "1", "2025-11-25", "http", "bob", NULL, -1, -1, NULL},
        {"host", "1", "2026-07-28", "stdio", "bob", NULL, -1, -1, NULL},
    };
    struct place p;
    place_open(&p, "return.db");
    struct session *s = come(&p, &bob);
    flush_return(&p);
    decide(&p, session_uuid(s), true);
    session_end(s, ENDED_BY_SERVER);
    flush_return(&p);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(session_is_read_only(come(&p, &others[i])));
    assert_true(session_is_read_only(come(&p, &bob)));
    place_close(&p);
}

/* The end may not be stored yet, or be in the queue. The client continues the same session. */
TEST(a_returning_client_continues_its_session)
{
    struct place p;
    char uuid[37];
    place_open(&p, "return.db");
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush_return(&p);
    decide(&p, uuid, true);
    for (int i = 0; i < 4; i++) {
        session_end(s, ENDED_BY_SERVER);
        if (i % 2)
            call_log_flush(p.log);
        assert_ptr_equal(come(&p, &bob), s);
        assert_true(session_is_read_only(s));
        if (i > 1)
            flush_return(&p);
        assert_false(may_write(&p, s));
        assert_false(session_is_ended(s));
    }
    flush_return(&p);
    assert_true(row_of(&p, uuid).lives);
    assert_int_equal(row_of(&p, uuid).calls, 5);
    end(&p, uuid);
    assert_false(may_write(&p, s));
    assert_true(session_is_ended(s));
    place_close(&p);
}

TEST(an_absent_session_can_be_allowed_to_write)
{
    struct place p;
    struct error e;
    char uuid[37];
    place_open(&p, "return.db");
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush_return(&p);
    decide(&p, uuid, true);
    session_end(s, ENDED_BY_SERVER);
    flush_return(&p);
    int64_t id = row_of(&p, uuid).id;
    assert_int_equal(store_session_end(p.store, &scratch_actor, id, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    decide(&p, uuid, false);
    assert_false(row_of(&p, uuid).away);
    assert_int_equal(store_session_read_only(p.store, &scratch_actor, id, true, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    s = come(&p, &bob);
    assert_string_not_equal(session_uuid(s), uuid);
    assert_true(may_write(&p, s));
    place_close(&p);
}

/* The other process may listen at another port, or be about to end. */
TEST(another_process_may_still_serve_the_session)
{
    struct place first, second;
    char uuid[37];
    place_open(&first, "return.db");
    struct session *s = come(&first, &bob);
    name_of(s, uuid);
    flush_return(&first);
    decide(&first, uuid, true);
    second = (struct place){.path = first.path};
    place_serve(&second);
    s = come(&second, &bob);
    assert_string_equal(session_uuid(s), uuid);
    assert_false(may_write(&second, s));
    flush_return(&second);
    place_stop(&first);
    assert_false(may_write(&second, s));
    assert_true(session_is_read_only(s));
    assert_false(session_is_ended(s));
    session_note(s, &(struct call_note){.tool = "memory_list", .at = store_now(second.store)});
    flush_return(&second);
    assert_true(row_of(&second, uuid).lives);
    decide(&second, uuid, false);
    assert_true(may_write(&second, s));
    end(&second, uuid);
    assert_false(may_write(&second, s));
    assert_true(session_is_ended(s));
    place_close(&second);
    arena_release(&first.arena);
}

/* ---- ended ---- */

TEST(an_ended_session_stays_ended_for_its_time)
{
    struct place p;
    char uuid[37];
    place_open(&p, "return.db");
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush_return(&p);
    end(&p, uuid);
    session_end(s, ENDED_BY_SERVER);
    assert_ptr_equal(come(&p, &bob), s);
    assert_true(session_is_ended(s));
    place_stop(&p);
    place_serve(&p);
    s = come(&p, &bob);
    assert_string_equal(session_uuid(s), uuid);
    assert_true(session_is_ended(s));
    flush_return(&p);
    assert_string_equal(row_of(&p, uuid).ended_by, scratch_actor.name);
    session_end(s, ENDED_BY_SERVER);
    flush_return(&p);
    for (int64_t from = store_now(p.store); store_now(p.store) - from < SESSION_REFUSED_MS;)
        ;
    s = come(&p, &bob);
    assert_string_not_equal(session_uuid(s), uuid);
    assert_true(may_write(&p, s));
    place_close(&p);
}

/* ---- cost ---- */
