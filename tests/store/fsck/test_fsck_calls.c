/* fsck on the call log and the sessions after another program changed the file. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/open.h"
#include "store/session/session.h"
#include "tests/support/agents.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static void note(struct session *s, const char *tool, int64_t subject, enum error_code outcome)
{
    session_note(s, &(struct call_note){.tool = tool,
                                        .subject = subject,
                                        .at = SCRATCH_NOW,
                                        .took_us = 100,
                                        .outcome = outcome});
}

static const struct session_start starts[] = {
    {"one", "1.0", "2025-11-25", "stdio", "ash", "t", 1000, 4711, NULL},
    {"two", "2.0", "2026-07-28", "socket", NULL, NULL, -1, -1, NULL},
};

/* Two sessions; a person decided about the first one, then it ended. Six rows in the log. */
static void fill(struct store *s)
{
    struct error e;
    scratch_put(s, "{\"ref\":\"note:a\",\"text\":\"a\"}");
    scratch_put(s, "{\"ref\":\"note:b\",\"text\":\"b\"}");
    struct call_log *l = call_log_open(s);
    assert_non_null(l);
    struct session *one = session_begin(l, &starts[0]);
    note(one, "memory_get", 1, ERROR_NONE);
    note(one, "memory_get", 1, ERROR_NOT_FOUND);
    note(one, "memory_get", 2, ERROR_NONE);
    agents_flush(s, l);
    struct session *two = session_begin(l, &starts[1]);
    note(two, "tools/list", 0, ERROR_NONE);
    agents_flush(s, l);
    session_note(two, &(struct call_note){.tool = "memory_get",
                                          .subject = 2,
                                          .at = SCRATCH_NOW,
                                          .outcome = ERROR_REFUSED,
                                          .namespace_ = "team.ops",
                                          .agent = "ash",
                                          .redactions = 2});
    agents_flush(s, l);
    assert_int_equal(store_session_read_only(s, &scratch_actor, 1, true, &e), 0);
    assert_int_equal(store_session_end(s, &scratch_actor, 1, &e), 0);
    call_log_close(l);
}

static int set_up(void **state)
{
    return original_set_up(fill);
}

GROUP(set_up, original_tear_down);

TEST(an_unaltered_log_is_sound)
{
    struct findings found = findings_after("SELECT 1");
    if (found.total)
        fail_msg("%s", found.text);
    /* The whole log is removed. */
    found = findings_after("DELETE FROM call");
    assert_int_equal(found.count[FSCK_CALLS_CUT], 1);
    assert_non_null(strstr(found.text, "6 rows"));
}

TEST(every_altered_column_of_a_call_is_reported)
{
    static const char *const changes[] = {
        "session = session + 1",
        "session = 0",
        "at = at - 1",
        "tool = tool || 'x'",
        "tool = ''",
        "subject = ifnull(subject, 0) + 1",
        "count = count + 1",
        "count = -1",
        "times = times || ',0'",
        "times = ''",
        "times = ' ' || times",
        "canonical = canonical || ' '",
        "canonical = ''",
        "canonical = replace(canonical, 'm', 'n')",
        "hash = zeroblob(32)",
        "hash = x''",
        "hmac = x'00'",
        "hash = (SELECT hash FROM event)",
        "guard = ifnull(guard, '{}') || ' '",
        "guard = iif(guard IS NULL, '{\"redactions\":1}', NULL)",
        "guard = ''",
        "guard = replace(ifnull(guard, 'team'), 'team', 'teem')",
    };
    for (int id = 2; id <= 6; id += 4)
        for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
            char sql[200];
            snprintf(sql, sizeof(sql), "UPDATE call SET %s WHERE id = %d", changes[i], id);
            struct findings found = findings_after(sql);
            if (found.count[FSCK_CALL_ALTERED] != 1 || found.seq != id)
                fail_msg("%s:\n%s", sql, found.text);
            assert_int_equal(found.count[FSCK_CALLS_BROKEN], 0);
            assert_int_equal(found.count[FSCK_CALLS_CUT], 0);
            assert_int_equal(found.count[FSCK_EVENT_ALTERED], 0);
        }
}

TEST(missing_and_inserted_calls_break_the_chain)
{
    static const char *const sql[] = {
        "DELETE FROM call WHERE id = 1",
        "DELETE FROM call WHERE id = 3",
        "DELETE FROM call WHERE id IN (2, 3)",
        "INSERT INTO call SELECT 0, session, at, tool, subject, count, times, canonical, hash, "
        "hmac,"
        " guard FROM call WHERE id = 2",
        "INSERT INTO call SELECT 9, session, at, tool, subject, count, times, canonical, hash, "
        "hmac,"
        " guard FROM call WHERE id = 6",
        "DELETE FROM call WHERE id = 3; UPDATE call SET id = id - 1 WHERE id > 3",
        "INSERT INTO call SELECT 7, session, at, tool, subject, count, times, canonical, hash, "
        "hmac,"
        " guard FROM call WHERE id = 5",
    };
    for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
        struct findings found = findings_after(sql[i]);
        if (!found.count[i < 5 ? FSCK_CALLS_BROKEN : FSCK_CALL_ALTERED])
            fail_msg("%s:\n%s", sql[i], found.text);
    }
}

TEST(a_truncated_journal_shows_by_the_head)
{
    for (int from = 2; from <= 6; from++) {
        char sql[64], head[4096];
        snprintf(sql, sizeof(sql), "DELETE FROM call WHERE id >= %d", from);
        AUTO_FREE char *path = altered_copy(original, sql);
        struct findings found = findings_of(path);
        if (found.count[FSCK_CALLS_CUT] != 1)
            fail_msg("%s:\n%s", sql, found.text);
        scratch_head(head, sizeof(head), path);
        unlink(head);
        assert_int_equal(findings_of(path).count[FSCK_CALLS_CUT], 0);
    }
}

TEST(a_rewritten_end_shows_by_the_head)
{
    char *path = altered_copy(original, "DELETE FROM call WHERE id = 6"), head[4096], other[4096];
    /* The log is truncated and stemma writes on, with the head file removed meanwhile. */
    scratch_head(head, sizeof(head), path);
    snprintf(other, sizeof(other), "%s-kept", path);
    assert_int_equal(rename(head, other), 0);
    struct store *s = scratch_store(path);
    struct call_log *l = call_log_open(s);
    struct session *one = session_begin(l, &starts[0]);
    note(one, "memory_get", 1, ERROR_NONE);
    call_log_close(l);
    store_close(s);
    assert_int_equal(findings_of(path).total, 0);
    assert_int_equal(rename(other, head), 0);
    struct findings found = findings_of(path);
    assert_int_equal(found.count[FSCK_CALLS_CUT], 1);
    assert_int_equal(found.total, 1);
    free(path);
}

TEST(altered_names_of_sessions_are_reported)
{
    static const char *const changes[] = {
        "uuid = 'x' || uuid",
        "class = 0",
        "actor = 'x'",
        "agent = 'y'",
        "task = NULL",
        "client = 'three'",
        "era = ''",
        "transport = 'x'",
        "client_version = client_version || char(0)",
        "peer_uid = 0",
        "peer_pid = NULL",
        "process = process + 1",
        "read_only = 0",
        "ended_by = NULL",
        "ended_by = 'another'",
        "ended_at = NULL",
        "latency = 'x'",
        "started_at = started_at + 1",
        "ended_by = 'client'",
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        char sql[200];
        snprintf(sql, sizeof(sql), "UPDATE session SET %s WHERE id = 1", changes[i]);
        struct findings found = findings_after(sql);
        if (found.count[FSCK_SESSION] != 1 || found.total != 1)
            fail_msg("%s:\n%s", sql, found.text);
    }
    struct findings found = findings_after("UPDATE session SET read_only = 1 WHERE id = 2");
    assert_int_equal(found.count[FSCK_SESSION], 1);
}

static void name_twice(struct store *s)
{
    struct call_log *l = call_log_open(s);
    assert_non_null(l);
    struct session *one = session_begin(l, &(struct session_start){.transport = "stdio"});
    note(one, "memory_get", 1, ERROR_NONE);
    agents_flush(s, l);
    session_update_client(one, &(struct session_start){.client = "claude-code",
                                                       .client_version = "2",
                                                       .era = "2025-11-25"});
    agents_flush(s, l);
    /* Neither of these two changes the name. */
    session_update_client(one, &(struct session_start){.era = "2025-11-25"});
    session_update_client(one, &(struct session_start){.client = "codex", .era = "2025-11-25"});
    session_update_client(one, &(struct session_start){.client = "claude-code",
                                                       .client_version = "3",
                                                       .era = "2026-07-28",
                                                       .task = "tidy up"});
    call_log_close(l);
}

/* The session's row changes with each name in the log, and fsck compares it with the last one. */
TEST(a_session_may_be_renamed)
{
    AUTO_FREE char *path = scratch_filled("named.db", name_twice);
    expect_sound_file(path);
    AUTO_FREE char *same = altered_copy(
        path, "DELETE FROM session WHERE client <> 'claude-code' OR client_version <> '3' OR"
              " actor <> 'unnamed' OR task <> 'tidy up' OR"
              " (SELECT count(*) FROM call WHERE tool = '(named anew)') <> 2");
    assert_int_equal(findings_of(same).total, 0);
    AUTO_FREE char *altered = altered_copy(path, "UPDATE session SET client = 'codex'");
    struct findings found = findings_of(altered);
    assert_int_equal(found.total, 1);
    assert_non_null(strstr(found.text, "not what it was when it was named last"));
}

TEST(missing_and_inserted_sessions_are_reported)
{
    struct findings found = findings_after("DELETE FROM session WHERE id = 2");
    assert_int_equal(found.count[FSCK_SESSION], 1);
    assert_non_null(strstr(found.text, "session 2 is missing"));
    found = findings_after("INSERT INTO session(uuid, class, actor, transport, started_at, seen_at)"
                           " VALUES ('u', 1, 'a', 't', 1, 1)");
    assert_int_equal(found.count[FSCK_SESSION], 1);
    assert_non_null(strstr(found.text, "session 3 was inserted"));
    found = findings_after("UPDATE session SET id = 1000000000000000000 WHERE id = 2");
    assert_int_equal(found.count[FSCK_SESSION], 2);
    found = findings_after("UPDATE session SET id = -5 WHERE id = 2");
    assert_int_equal(found.count[FSCK_SESSION], 2);
}

TEST(old_rows_have_no_guard)
{
    struct error e;
    struct store *s = store_open(original, &(struct store_options){.read_only = true}, NULL, &e);
    struct reader *r = reader_open(s, &e);
    AUTO_ARENA arena = ARENA_INIT;
    struct call_row *rows;
    size_t count;
    assert_int_equal(call_list(r, &arena, 0, SIZE_MAX, &rows, &count, &e), 0);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < 3; i++)
        assert_true(call_guard_is_empty(&rows[i].guard));
    assert_string_equal(rows[3].guard.namespace_, "team.ops");
    assert_int_equal(rows[3].guard.redactions, 2);
    reader_close(r);
    store_close(s);
}

/* ---- signatures ---- */

TEST(rows_are_signed_if_there_is_a_key)
{
    AUTO_FREE char *path = scratch_path("signed.db"), *key = scratch_path("key");
    scratch_write(key, "secret\n", 7);
    assert_int_equal(chmod(key, 0600), 0);
    struct store_options options = {.create = true, .hmac_key = key};
    struct store *s = scratch_store_with(path, &options);
    fill(s);
    store_close(s);
    /* With the key, fsck notices a chain that was rebuilt without it. */
    struct fsck_summary summary;
    struct error e;
    static const char *const sql[] = {
        "SELECT 1",
        "UPDATE call SET hmac = zeroblob(32) WHERE id = 4",
        "UPDATE call SET hmac = NULL WHERE id = 4",
    };
    for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
        AUTO_FREE char *copy = altered_copy(path, sql[i]);
        struct findings found = {.total = 0};
        struct store *again =
            scratch_store_with(copy, &(struct store_options){.read_only = true, .hmac_key = key});
        struct reader *r = reader_open(again, &e);
        assert_int_equal(store_fsck(r, findings_note, NULL, &found, &summary, &e), 0);
        assert_int_equal(found.count[FSCK_CALL_ALTERED], i > 0);
        assert_int_equal(found.total, i > 0);
        assert_int_equal(summary.calls, 6);
        reader_close(r);
        store_close(again);
    }
}
