/*
 * How a server ends: at once without clients, soon if another program holds the store or a client
 * does not read. The limits are far above the time that it takes, and below the time of an end
 * that waits for each in turn.
 */
#include "store/platform/platform.h"
#include "store/mcp/listener.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"
#include "tests/support/has.h"
#include "tests/support/loop_service.h"
#include "tests/support/notes.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "store/db/db.h"
#include "store/mcp/tools/service.h"
#include "store/open.h"

#define LONG_MS 30000

static int new_store(void **state)
{
    scratch_set_up_path(state);
    store_close(scratch_store(*state));
    return 0;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- without clients ---- */

FIXTURE(new_store, scratch_tear_down_path);

TEST(a_listener_without_clients_ends_at_once)
{
    struct error e = {0};
    struct store *s = scratch_store(*state);
    int64_t began = now_ms();
    for (int i = 0; i < 30; i++) {
        struct mcp_listener *first = mcp_listener_start(s, service_of_all(), NULL, 0, &e);
        struct mcp_listener *waits = mcp_listener_start(s, service_of_all(), NULL, 0, &e);
        assert_non_null(first);
        assert_non_null(waits);
        mcp_listener_stop(waits);
        mcp_listener_stop(first);
    }
    assert_true(now_ms() - began < 30 * 1000); /* each once took a second */
    store_close(s);
}

/* ---- while another program holds the store ---- */

static struct db *hold(const char *store)
{
    struct error e = {0};
    struct db *db = db_open(store, DB_WRITE, &e);
    assert_non_null(db);
    assert_int_equal(db_exec(db, "BEGIN IMMEDIATE", &e), 0);
    return db;
}

static void let_go(struct db *db)
{
    struct error e = {0};
    assert_int_equal(db_exec(db, "ROLLBACK", &e), 0);
    db_close(db);
}

static struct client begin(const char *store)
{
    struct client c;
    CLIENT_START(&c, "mcp", "--store", store);
    client_initialize(&c, "2025-11-25");
    return c;
}

static void assert_ends_before(struct client *c, int64_t began, int64_t ms)
{
    assert_int_equal(client_wait(c), 0);
    assert_true(now_ms() - began < ms);
    client_close(c);
}

/* The log of calls once waited 5 s three times. */
TEST(the_end_does_not_wait_for_the_log)
{
    struct db *other = hold(*state);
    struct client idle = begin(*state), reads = begin(*state), stopped = begin(*state);
    client_ask(&reads, CALL("1", "memory_list", "{}"));
    client_ask(&stopped, CALL("1", "memory_list", "{}"));
    int64_t began = now_ms();
    client_end(&idle);
    client_end(&reads);
    kill(stopped.pid, SIGTERM);
    assert_ends_before(&idle, began, 10000);
    assert_ends_before(&reads, began, 10000);
    assert_ends_before(&stopped, began, 10000);
    let_go(other);
}

TEST(blocked_write_is_refused_on_stop)
{
    struct db *other = hold(*state);
    struct client c = begin(*state);
    note_send(&c, 1, "not kept");
    client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    int64_t began = now_ms();
    kill(c.pid, SIGTERM);
    const char *line = client_read(&c);
    assert_has(line, "\"isError\":true");
    assert_has(line, "another process holds the store locked");
    assert_null(client_read(&c));
    assert_ends_before(&c, began, 10000);
    let_go(other);
    assert_int_equal(notes_check(*state), 0);
}

/* After the usual waiting time for other programs. */
TEST(blocked_write_is_refused_after_end_of_input)
{
    struct db *other = hold(*state);
    struct client c = begin(*state);
    int64_t began = now_ms();
    note_send(&c, 1, "not kept");
    client_end(&c);
    const char *line = client_read(&c);
    assert_has(line, "\"isError\":true");
    assert_has(line, "another process holds the store locked");
    assert_null(client_read(&c));
    assert_ends_before(&c, began, platform_has_locks() ? 15000 : 45000);
    let_go(other);
    assert_int_equal(notes_check(*state), 0);
}

/* At the socket nobody waits for the end of a connection. */
TEST(write_waits_for_its_turn_after_end_of_input)
{
    struct served served;
    struct client c;
    served_start(&served, *state);
    client_connect(&c, served.path);
    client_initialize(&c, "2025-11-25");
    struct db *other = hold(*state);
    note_send(&c, 1, "kept");
    client_end(&c);
    assert_null(client_read_within(&c, 1500));
    let_go(other);
    assert_int_equal(note_answered(client_read(&c)), 1);
    assert_null(client_read(&c));
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
    assert_int_equal(notes_check(*state), 1);
}

/* More writes than may be in flight: all are taken after the end of input. */
TEST(all_writes_finish_after_end_of_input)
{
    enum {
        NOTES = 3000
    };
    struct client c = begin(*state);
    int answered = 0;
    for (int i = 0; i < NOTES; i++)
        note_send(&c, i, "kept");
    client_end(&c);
    for (const char *line; (line = client_read(&c)); answered++)
        assert_int_equal(note_answered(line), answered);
    assert_int_equal(answered, NOTES);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
}

/* The read is answered after the failed write before it, not after the next write. */
TEST(read_continues_after_failed_write)
{
    struct db *other = hold(*state);
    struct client c = begin(*state);
    note_send(&c, 1, "not kept");
    client_send(&c, CALL("2", "memory_list", "{}"));
    assert_has(client_read(&c), "another process holds the store locked");
    int64_t failed = now_ms();
    assert_has(client_read(&c), "\"id\":2");
    assert_true(now_ms() - failed < 4000);
    client_close(&c);
    let_go(other);
}

/* ---- clients that do not read ---- */

static void wait_until_closed(struct client *c)
{
    struct pollfd end = {c->out, 0, 0};
    assert_int_equal(poll(&end, 1, LONG_MS), 1);
    assert_true(end.revents & POLLHUP);
}

TEST(peer_with_stuck_queue_is_dropped)
{
    struct running r;
    struct client c, other;
    struct mcp_server_options options = {.stuck_ms = 200};
    AUTO_STRBUF line = STRBUF_INIT;
    struct store *s = scratch_store(*state);
    running_start_with(&r, s, &options, true);
    client_connect(&c, running_path(&r));
    client_connect(&other, running_path(&r));
    client_initialize(&c, "2025-11-25");
    client_initialize(&other, "2025-11-25");
    strbuf_addstr(&line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                         "\"name\":\"echo\",\"arguments\":{\"text\":\"");
    for (int i = 0; i < 1000000; i++)
        strbuf_addch(&line, 'x');
    strbuf_addstr(&line, "\"}}}\n");
    /* Each answer has the text twice; after some the server stops reading, and then it closes. */
    for (bool hears = true; hears;)
        hears = write(c.in, line.buf, line.len) == (ssize_t)line.len;
    wait_until_closed(&c);
    client_ask(&other, CALL("1", "echo", "{}"));
    client_close(&c);
    client_close(&other);
    running_stop(&r);
    store_close(s);
}

/* ---- output that cannot be written ---- */

TEST(failing_output_is_an_error)
{
    struct program p = {0};
    AUTO_STRBUF command = STRBUF_INIT;
    program_run_to(&p, open("/dev/full", O_WRONLY | O_CLOEXEC),
                   (const char *const[]){"serve", "--store", *state, NULL});
    assert_int_equal(p.status, 3);
    assert_has(p.err, "cannot write to standard output");
    program_release(&p);
    const char *program = getenv("STEMMA");
    strbuf_addf(&command,
                "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' |"
                " '%s' mcp --store '%s' >/dev/full 2>/dev/null",
                program ? program : "./stemma", (const char *)*state);
    int status = system(command.buf);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

/* The last second of a killed server is in the journal, but not in its counters. */
TEST(counters_of_a_killed_session_are_lower_bounds)
{
    struct program p = {0};
    struct client c = begin(*state);
    note_send(&c, 1, "kept");
    assert_int_equal(note_answered(client_read(&c)), 1);
    kill(c.pid, SIGKILL);
    client_wait(&c);
    client_close(&c);
    PROGRAM(&p, "sessions", "1", "--store", *state);
    assert_has(p.out, "at least ");
    PROGRAM(&p, "sessions", "--all", "--store", *state);
    assert_has(p.out, "+ ");
    c = begin(*state);
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    PROGRAM(&p, "sessions", "2", "--store", *state);
    assert_null(strstr(p.out, "at least"));
    program_release(&p);
}
