/* stemma serve: access, both eras on one connection, and one process taking over from another. */
#include "tests/support/has.h"
#include "tests/support/notes.h"
#include "tests/support/program.h"
#include "store/record/get.h"
#include "store/query/list.h"
#include "tests/support/scratch.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/mcp/server/server.h"
#include "store/open.h"
#include "store/session/session.h"
#include "store/platform/platform.h"
#include "tests/support/test.h"

#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static struct client join(const struct served *s)
{
    struct client c;
    client_connect(&c, s->path);
    client_initialize(&c, "2025-11-25");
    return c;
}

FIXTURE(scratch_set_up_path, scratch_tear_down_path);

TEST(both_eras_take_turns_on_a_connection)
{
    struct served served;
    served_start(&served, *state);
    struct client c = join(&served);
    for (int i = 0; i < 20; i++) {
        const char *line = client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
        assert_string_equal(line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        line = client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":\"m\",\"method\":\"server/discover\","
                              "\"params\":{" META "}}");
        assert_has(line, "\"resultType\":\"complete\"");
        assert_has(line, "\"id\":\"m\"");
        line = client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{" META
                              "}}");
        assert_has(line, "-32601");
        char content[32];
        snprintf(content, sizeof(content), "turn %d", i);
        note_send(&c, 3, content);
        line = client_read(&c);
        assert_int_equal(note_answered(line), 3);
        assert_null(strstr(line, "resultType"));
        line = client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{"
                              "\"name\":\"memory_list\",\"arguments\":{}," META "}}");
        assert_has(line, content);
        assert_has(line, "resultType");
    }
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
}

TEST(socket_is_private)
{
    struct served served;
    struct stat st;
    served_start(&served, *state);
    assert_int_equal(lstat(served.path, &st), 0);
    assert_true(S_ISSOCK(st.st_mode));
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(st.st_uid, geteuid());
    *strrchr(served.path, '/') = '\0';
    assert_int_equal(lstat(served.path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    served_kill(&served);
}

/* A link to the store leads to the same socket; another store has its own. */
/* True if the system reports the process at the other end of a socket. */
static bool knows_pids(void)
{
    int fds[2];
    int64_t uid, pid;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    platform_peer(fds[0], &uid, &pid);
    close(fds[0]);
    close(fds[1]);
    return pid >= 0;
}

TEST(each_store_has_one_socket)
{
    struct served served;
    struct endpoint here, there, other;
    struct error e = {0};
    AUTO_FREE char *link = scratch_path("link.db"), *elsewhere = scratch_path("store.db");
    served_start(&served, *state);
    assert_int_equal(symlink(*state, link), 0);
    struct store *s = scratch_store(*state), *t = scratch_store(link),
                 *u = scratch_store(elsewhere);
    assert_int_equal(endpoint_find(&here, s, false, &e), 0);
    assert_int_equal(endpoint_find(&there, t, false, &e), 0);
    assert_int_equal(endpoint_find(&other, u, false, &e), 0);
    assert_string_equal(here.path, served.path);
    assert_string_equal(there.path, served.path);
    assert_string_not_equal(other.path, served.path);
    int fd = endpoint_connect(&here, &e);
    int64_t uid, pid;
    assert_true(fd >= 0);
    platform_peer(fd, &uid, &pid);
    assert_int_equal(pid, knows_pids() ? served.program.pid : -1);
    assert_int_equal(uid, geteuid());
    close(fd);
    assert_int_equal(endpoint_connect(&other, &e), -1);
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    assert_int_equal(endpoint_listen(&here, &e), 0);
    store_close(s);
    store_close(t);
    store_close(u);
    assert_int_equal(served_stop(&served), 0);
}

TEST(peer_is_recorded_as_the_system_reports_it)
{
    struct served served;
    struct session_row *rows;
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    size_t count;
    served_start(&served, *state);
    struct client c = join(&served);
    note_send(&c, 1, "kept");
    assert_int_equal(note_answered(client_read(&c)), 1);
    struct store *s = scratch_store(*state);
    struct reader *r = reader_open(s, &e);
    assert_int_equal(session_list(r, &arena, SESSIONS_LIVING, 0, 0, &rows, &count, &e), 0);
    assert_int_equal(count, 1);
    assert_int_equal(rows[0].peer_pid, knows_pids() ? getpid() : -1);
    assert_int_equal(rows[0].peer_uid, getuid());
    assert_int_equal(rows[0].process, served.program.pid);
    assert_string_equal(rows[0].transport, "socket");
    assert_string_equal(rows[0].era, "2025-11-25");
    reader_close(r);
    store_close(s);
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
}

/* Changes by any process are reported. */
TEST(subscriber_is_notified_of_changes)
{
    struct served served;
    char ref[64], line[256], uri[128];
    served_start(&served, *state);
    struct client c = join(&served);
    struct store *s = scratch_store(*state);
    note_send(&c, 1, "as it was");
    const char *answer = client_read(&c);
    assert_int_equal(sscanf(strstr(answer, "note:"), "note:%36[0-9a-f-]", ref), 1);
    snprintf(line, sizeof(line),
             "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":"
             "\"memory_get\",\"arguments\":{\"ref\":\"note:%s\",\"detail\":\"full\"}}}",
             ref);
    answer = client_ask(&c, line); /* the whole id */
    assert_int_equal(sscanf(strstr(answer, "note:"), "note:%36[0-9a-f-]", ref), 1);
    snprintf(uri, sizeof(uri), "stemma://note/%s", ref);
    snprintf(line, sizeof(line),
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":{"
             "\"uri\":\"%s\"}}",
             uri);
    assert_string_equal(client_ask(&c, line), "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
    scratch_put(s, "{\"ref\":\"note:other\",\"text\":\"of no concern\"}");
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof(line), "{\"ref\":\"note:%s\",\"text\":\"as it is %d\"}", ref, i);
        scratch_replace(s, line, NULL);
        answer = client_read(&c);
        assert_has(answer, "notifications/resources/updated");
        assert_has(answer, uri);
    }
    store_close(s);
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
}

static void subscribe(struct client *c, const char *uri)
{
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":{"
                 "\"uri\":\"%s\"}}",
                 uri);
    assert_string_equal(client_read(c), "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
}

/* Expects notifications of all these URIs, in any order. */
static void expect_changes(struct client *c, const char *const *uris, size_t count)
{
    unsigned told = 0;
    for (size_t n = 0; n < count; n++) {
        const char *line = client_read(c);
        assert_has(line, "notifications/resources/updated");
        for (size_t i = 0; i < count; i++)
            told |= (unsigned)(strstr(line, uris[i]) != NULL) << i;
    }
    assert_int_equal(told, (1u << count) - 1);
}

#define RESTS(name, text, on)                                                                      \
    "{\"ref\":\"belief:" name "\",\"text\":\"" text "\",\"derived_from\":[\"" on "\"]}"

TEST(subscriber_is_notified_of_changed_sources)
{
    static const char *const uris[] = {"stemma://belief/b1\"", "stemma://belief/b2/lineage\"",
                                       "stemma://belief/b3/lineage.json\""};
    struct served served;
    struct store *s = scratch_store(*state);
    scratch_put(s, "{\"ref\":\"raw:r\",\"text\":\"seen\"}");
    scratch_put(s, "{\"ref\":\"raw:other\",\"text\":\"seen as well\"}");
    scratch_put(s, RESTS("b1", "one", "raw:r"));
    scratch_put(s, RESTS("b2", "two", "belief:b1"));
    scratch_put(s, RESTS("b3", "three", "belief:b2"));
    served_start(&served, *state);
    struct client c = join(&served);
    client_sendf(&c,
                 "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"subscriptions/listen\","
                 "\"params\":{" META ",\"notifications\":{\"resourceSubscriptions\":["
                 "\"%s,\"%s]}}}",
                 uris[1], uris[2]);
    assert_has(client_read(&c), "acknowledged");
    subscribe(&c, "stemma://belief/b1");
    subscribe(&c, "stemma://raw/other");
    scratch_replace(s, "{\"ref\":\"raw:r\",\"text\":\"seen\",\"status\":\"retracted\"}", "no");
    expect_changes(&c, uris, 3);
    scratch_replace(s, RESTS("b2", "two again", "belief:b1"), NULL);
    expect_changes(&c, uris + 1, 2);
    store_close(s);
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
}

#define OF(agent, ref, text)                                                                       \
    "{\"ref\":\"" ref "\",\"agent_id\":\"" agent "\",\"text\":\"" text "\"}"
#define RESTS_OF(agent, ref, text, on)                                                             \
    "{\"ref\":\"" ref "\",\"agent_id\":\"" agent "\",\"text\":\"" text                             \
    "\",\"derived_from\":[\"" on "\"]}"

/* An agent's resource shows its memories and their labels. */
TEST(subscriber_of_an_agent_is_notified_of_its_memories)
{
    static const char *const ash[] = {"stemma://agent/ash\""};
    static const char *const other[] = {"stemma://raw/other\""};
    static const char unknown[] = "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/%s\","
                                  "\"params\":{\"uri\":\"stemma://agent/nobody\"}}";
    struct served served;
    struct store *s = scratch_store(*state);
    scratch_put(s, OF("bo", "raw:r", "seen"));
    scratch_put(s, OF("bo", "raw:other", "seen"));
    scratch_put(s, RESTS_OF("bo", "belief:bo", "his", "raw:other"));
    scratch_put(s, RESTS_OF("ash", "belief:b", "one", "raw:r"));
    served_start(&served, *state);
    struct client c = join(&served);
    subscribe(&c, "stemma://agent/ash");
    subscribe(&c, "stemma://raw/other"); /* notified alone, without the agent's resource */
    scratch_replace(s, OF("bo", "raw:other", "again"), NULL);
    expect_changes(&c, other, 1);
    scratch_replace(s, RESTS_OF("ash", "belief:b", "two", "raw:r"), NULL);
    expect_changes(&c, ash, 1);
    scratch_put(s, OF("bo", "raw:new", "new"));
    scratch_replace(s, OF("bo", "raw:other", "once more"), NULL);
    expect_changes(&c, other, 1);
    scratch_put(s, OF("ash", "raw:hers", "new"));
    expect_changes(&c, ash, 1);
    scratch_replace(s,
                    "{\"ref\":\"raw:r\",\"agent_id\":\"bo\",\"text\":\"seen\","
                    "\"status\":\"retracted\"}",
                    "no");
    expect_changes(&c, ash, 1);
    client_sendf(&c, unknown, "subscribe");
    assert_has(client_read(&c), "-32002");
    client_sendf(&c, unknown, "read");
    assert_has(client_read(&c), "-32002");
    store_close(s);
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
}

/* If a widely used memory changes, only subscribers of its dependents are notified. */
TEST(change_of_a_widely_used_memory_notifies_its_dependents)
{
    static const char *const uris[] = {"stemma://belief/last\"", "stemma://raw/r\""};
    static const char *const others[] = {"stemma://raw/other\""};
    struct served served;
    char line[160];
    struct store *s = scratch_store(*state);
    scratch_put(s, "{\"ref\":\"raw:r\",\"text\":\"seen\"}");
    scratch_put(s, "{\"ref\":\"raw:other\",\"text\":\"seen\"}");
    for (int i = 0; i < 1030; i++) {
        snprintf(line, sizeof(line),
                 "{\"ref\":\"belief:b%d\",\"text\":\"%d\",\"derived_from\":[\"raw:r\"]}", i, i);
        scratch_put(s, line);
    }
    scratch_put(s, RESTS("last", "last", "belief:b7"));
    served_start(&served, *state);
    struct client c = join(&served), unrelated = join(&served);
    subscribe(&c, "stemma://belief/last");
    subscribe(&c, "stemma://raw/r");
    subscribe(&unrelated, "stemma://raw/other");
    subscribe(&unrelated, "stemma://belief/b8");
    scratch_replace(s, "{\"ref\":\"raw:r\",\"text\":\"seen\",\"status\":\"retracted\"}", "no");
    expect_changes(&c, uris, 2);
    expect_changes(&unrelated, (const char *const[]){"stemma://belief/b8\""}, 1);
    client_send(&unrelated, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
    assert_has(client_read(&unrelated), "\"id\":9"); /* and no other notification was sent */
    scratch_replace(s, "{\"ref\":\"raw:other\",\"text\":\"seen again\"}", NULL);
    expect_changes(&unrelated, others, 1);
    store_close(s);
    client_close(&c);
    client_close(&unrelated);
    assert_int_equal(served_stop(&served), 0);
}

/* Imports a chain of `count` memories, each based on the one before, in one commit of another process. */
static void import_chain(const char *store, int count)
{
    struct program p = {0};
    AUTO_STRBUF lines = STRBUF_INIT;
    AUTO_FREE char *path = scratch_path("chain.jsonl");
    strbuf_addstr(&lines, "{\"ref\":\"belief:m0\",\"text\":\"the first\"}\n");
    for (int i = 1; i < count; i++)
        strbuf_addf(&lines,
                    "{\"ref\":\"belief:m%d\",\"text\":\"m\",\"derived_from\":[\"belief:m%d\"]}\n",
                    i, i - 1);
    scratch_write(path, lines.buf, lines.len);
    PROGRAM(&p, "import", "jsonl", path, "--store", store);
    assert_int_equal(p.status, 0);
    program_release(&p);
}

/* The memory based on all others is notified few times, and the other one with its own change. */
TEST(many_changes_are_sent_once)
{
    struct served served;
    const char *line;
    int told = 0;
    struct store *s = scratch_store(*state);
    scratch_put(s, "{\"ref\":\"raw:other\",\"text\":\"seen\"}");
    scratch_put(s, RESTS("top", "is based on all", "belief:m7999"));
    served_start(&served, *state);
    struct client c = join(&served), unrelated = join(&served);
    subscribe(&c, "stemma://belief/top");
    subscribe(&unrelated, "stemma://raw/other");
    import_chain(*state, 8000);
    scratch_replace(s, "{\"ref\":\"raw:other\",\"text\":\"seen again\"}", NULL);
    expect_changes(&unrelated, (const char *const[]){"stemma://raw/other\""}, 1);
    assert_null(client_read_within(&unrelated, 1500));
    while ((line = client_read_within(&c, 100))) {
        assert_has(line, "stemma://belief/top\"");
        told++;
    }
    assert_in_range(told, 1, 12);
    store_close(s);
    client_close(&c);
    client_close(&unrelated);
    assert_int_equal(served_stop(&served), 0);
}

/* ---- taking over ---- */

/* Starts a second server; returns when it has reported that another one listens. */
static void start_second(struct client *second, const char *store, const struct served *first)
{
    char bytes[512], pid[32];
    CLIENT_START(second, "serve", "--store", store);
    ssize_t n = read(second->err, bytes, sizeof(bytes) - 1);
    assert_true(n > 0);
    bytes[n] = '\0';
    if (knows_pids())
        snprintf(pid, sizeof(pid), "process %d listens", (int)first->program.pid);
    else
        snprintf(pid, sizeof(pid), "another process listens");
    assert_has(bytes, pid);
}

static void take_over(const char *store, void (*end)(struct served *s))
{
    struct served first;
    struct client second, c;
    char path[104];
    served_start(&first, store);
    memcpy(path, first.path, sizeof(path));
    c = join(&first);
    start_second(&second, store, &first);
    note_send(&c, 1, "to the first");
    assert_int_equal(note_answered(client_read(&c)), 1);
    end(&first);
    assert_null(client_read(&c));
    client_close(&c);
    assert_string_equal(client_read(&second), path);
    client_connect(&c, path);
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "to the second");
    assert_int_equal(note_answered(client_read(&c)), 1);
    client_close(&c);
    kill(second.pid, SIGTERM);
    assert_int_equal(client_wait(&second), 0);
    client_close(&second);
    assert_int_equal(access(path, F_OK), -1); /* the last one removes the socket */
    assert_int_equal(notes_check(store), 2);
}

static void kill_it(struct served *s)
{
    kill(s->program.pid, SIGKILL);
    served_kill(s);
}

static void stop_it(struct served *s)
{
    assert_int_equal(served_stop(s), 0);
}

TEST(next_process_takes_over_after_kill)
{
    take_over(*state, kill_it);
}

TEST(next_process_takes_over_after_exit)
{
    take_over(*state, stop_it);
}

TEST(stale_socket_is_replaced)
{
    struct served served;
    struct stat before, after;
    served_start(&served, *state);
    char path[104];
    memcpy(path, served.path, sizeof(path));
    kill_it(&served);
    assert_int_equal(lstat(path, &before), 0);
    served_start(&served, *state);
    assert_string_equal(served.path, path);
    assert_int_equal(lstat(path, &after), 0);
    assert_true(before.st_ino != after.st_ino);
    struct client c = join(&served);
    client_close(&c);
    stop_it(&served);
}

/* Accepted requests are answered before it ends, though more are sent meanwhile. */
TEST(stop_answers_accepted_requests)
{
    struct served served;
    int answered = 0;
    const char *line;
    served_start(&served, *state);
    struct client c = join(&served);
    for (int i = 0; i < 100; i++) {
        char content[32];
        snprintf(content, sizeof(content), "note %d", i);
        note_send(&c, i, content);
    }
    assert_int_equal(note_answered(client_read(&c)), answered++);
    kill(served.program.pid, SIGTERM);
    while ((line = client_read(&c)))
        assert_int_equal(note_answered(line), answered++);
    assert_int_equal(client_wait(&served.program), 0);
    client_close(&served.program);
    client_close(&c);
    assert_int_equal(notes_check(*state), answered);
}

/* ---- a socket removed by another program ---- */

/* Waits until a server listens there again; the test fails if none does. */
static void wait_for_socket(const char *path)
{
    struct client c;
    for (int tries = 0; !client_try(&c, path); tries++) {
        assert_true(tries < 6000);
        usleep(10000);
    }
    client_close(&c);
}

TEST(a_removed_socket_is_created_again)
{
    struct served served;
    struct stat st;
    served_start(&served, *state);
    struct client before = join(&served);
    for (int turn = 0; turn < 4; turn++) {
        unlink(served.path);
        wait_for_socket(served.path);
        assert_int_equal(lstat(served.path, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0600);
        struct client c = join(&served);
        char content[32];
        snprintf(content, sizeof(content), "after turn %d", turn);
        note_send(&c, 1, content);
        assert_int_equal(note_answered(client_read(&c)), 1);
        client_close(&c);
    }
    note_send(&before, 2, "who was there is served on");
    assert_int_equal(note_answered(client_read(&before)), 2);
    client_close(&before);
    assert_int_equal(served_stop(&served), 0);
    assert_int_equal(access(served.path, F_OK), -1);
    assert_int_equal(notes_check(*state), 5);
}

/* ---- a directory that is not private ---- */

/* Removes the directory, which may contain a lock. */
static void remove_directory(const char *place)
{
    glob_t left;
    char all[80];
    snprintf(all, sizeof(all), "%s/*", place);
    if (unlink(place) == 0 || glob(all, 0, NULL, &left) == GLOB_NOSPACE)
        return;
    for (size_t i = 0; i < left.gl_pathc; i++)
        unlink(left.gl_pathv[i]);
    globfree(&left);
    rmdir(place);
}

/* A user id that nobody has, so the directory belongs to this test. */
struct stranger {
    unsigned uid;
    char place[64];
    char *store, *home;
};

static void be_stranger(struct stranger *s)
{
    s->uid = geteuid() ? geteuid() : 70000 + (unsigned)getpid() % 20000;
    snprintf(s->place, sizeof(s->place), "/tmp/stemma-%u", s->uid);
    s->store = scratch_path("store.db");
    s->home = strdup(s->store);
    *strrchr(s->home, '/') = '\0';
    assert_int_equal(chown(s->home, s->uid, (gid_t)-1), 0);
}

static void forget_stranger(struct stranger *s)
{
    remove_directory(s->place);
    free(s->store);
    free(s->home);
}

static void assert_refused(const struct stranger *s)
{
    struct client c;
    char bytes[512];
    assert_true(client_start_as(&c, s->uid, NULL,
                                (const char *const[]){"serve", "--store", s->store, NULL}));
    assert_null(client_read(&c));
    ssize_t n = read(c.err, bytes, sizeof(bytes) - 1);
    bytes[n > 0 ? n : 0] = '\0';
    assert_has(bytes, "is not a private directory");
    assert_int_equal(client_wait(&c), 4);
    client_close(&c);
}

TEST(directory_of_others_is_not_used)
{
    struct stranger s;
    struct client c;
    if (geteuid() != 0)
        skip(); /* its own place may be in use */
    be_stranger(&s);
    remove_directory(s.place);
    if (!client_start_as(&c, s.uid, NULL, (const char *const[]){"--version", NULL}))
        skip();
    client_close(&c);
    assert_int_equal(symlink(s.home, s.place), 0); /* to a directory of the same user */
    assert_refused(&s);
    remove_directory(s.place);
    assert_int_equal(mkdir(s.place, 0700), 0); /* owned by root */
    assert_refused(&s);
    assert_int_equal(chown(s.place, s.uid, (gid_t)-1), 0);
    assert_int_equal(chmod(s.place, 0710), 0);
    assert_refused(&s);
    assert_int_equal(chmod(s.place, 0777), 0);
    assert_refused(&s);
    remove_directory(s.place);
    scratch_write(s.place, "", 0);
    assert_refused(&s);
    remove_directory(s.place);
    assert_true(
        client_start_as(&c, s.uid, NULL, (const char *const[]){"serve", "--store", s.store, NULL}));
    assert_has(client_read(&c), s.place);
    kill(c.pid, SIGTERM);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    forget_stranger(&s);
}

/* Returns where `serve` listens, with the given home and configuration. */
static char *place_of(const struct stranger *s, const char *config)
{
    struct client c;
    const char *given[] = {"serve", "--store", s->store, config ? "--config" : NULL, config, NULL};
    if (!client_start_as(&c, s->uid, s->home, given))
        skip();
    char *place = strdup(client_read(&c));
    kill(c.pid, SIGTERM);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    return place;
}

/* Another user who makes /tmp/stemma-UID first stops nobody from listening. */
TEST(a_directory_of_others_is_passed_over)
{
    struct stranger s;
    if (geteuid() != 0)
        skip(); /* its own place may be in use */
    be_stranger(&s);
    remove_directory(s.place);
    assert_int_equal(mkdir(s.place, 0700), 0); /* owned by root */
    AUTO_FREE char *place = place_of(&s, NULL);
    assert_has(place, s.home);
    assert_has(place, "/.local/state/stemma/run/");
    forget_stranger(&s);
}

TEST(the_configured_directory_comes_first)
{
    struct stranger s;
    if (geteuid() != 0)
        skip();
    be_stranger(&s);
    AUTO_FREE char *config = xformat("%s/config.yaml", s.home);
    AUTO_FREE char *text = xformat("runtime_dir: %s/sockets\n", s.home);
    scratch_write(config, text, strlen(text));
    assert_int_equal(chmod(config, 0644), 0);
    AUTO_FREE char *place = place_of(&s, config);
    assert_has(place, "/sockets/");
    forget_stranger(&s);
}

/* Replaces the directory by a link. The server may create it again first. */
static void replace_directory(const char *place, const char *target)
{
    int failed;
    do {
        remove_directory(place);
        failed = symlink(target, place);
    } while (failed && errno == EEXIST);
    assert_int_equal(failed, 0);
}

/* The directory is removed too; only this test uses it. The server retries until it can create it. */
TEST(a_removed_directory_is_created_again)
{
    struct stranger s;
    struct client c, served;
    struct stat st;
    char path[120];
    if (geteuid() != 0)
        skip(); /* its own place may be in use */
    be_stranger(&s);
    remove_directory(s.place);
    if (!client_start_as(&served, s.uid, NULL,
                         (const char *const[]){"serve", "--store", s.store, NULL}))
        skip();
    snprintf(path, sizeof(path), "%s", client_read(&served));
    assert_has(path, s.place);
    remove_directory(s.place);
    wait_for_socket(path);
    assert_int_equal(lstat(s.place, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(st.st_uid, s.uid);
    replace_directory(s.place, s.home);
    AUTO_STRBUF told = STRBUF_INIT;
    while (!strstr(told.buf, "is not a private directory")) {
        char bytes[512];
        ssize_t n = read(served.err, bytes, sizeof(bytes));
        assert_true(n > 0);
        strbuf_add(&told, bytes, (size_t)n);
    }
    remove_directory(s.place);
    wait_for_socket(path);
    client_connect(&c, path);
    client_initialize(&c, "2025-11-25");
    client_close(&c);
    kill(served.pid, SIGTERM);
    assert_int_equal(client_wait(&served), 0);
    client_close(&served);
    forget_stranger(&s);
}

/* ---- sockets and users that grant a name ---- */

static char *label_of_note(const char *store, int64_t id)
{
    struct error e;
    struct memory_row row;
    AUTO_ARENA arena = ARENA_INIT;
    struct store *s = scratch_store(store);
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    assert_int_equal(memory_row_read(r, &arena, id, &row, &e), 0);
    char *label = strdup(row.agent);
    reader_close(r);
    store_close(s);
    return label;
}

/* Adds a note at that socket; its author must be `label`. */
static void expect_author(const char *store, const char *path, int64_t id, const char *label)
{
    struct client c;
    client_connect(&c, path);
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "n");
    assert_int_equal(note_answered(client_read(&c)), 1);
    client_close(&c);
    AUTO_FREE char *found = label_of_note(store, id);
    assert_string_equal(found, label);
}

TEST(a_socket_grants_the_name_that_it_is_tied_to)
{
    struct served served;
    struct stat st;
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_FREE char *own = scratch_path("ash.sock");
    strbuf_addf(&text, "agents: {ash: {socket: '%s'}}\n", own);
    scratch_configure(text.buf);
    served_start(&served, *state);
    expect_author(*state, own, 1, "ash");
    expect_author(*state, served.path, 2, "?tester");
    assert_int_equal(lstat(own, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(served_stop(&served), 0);
    assert_int_equal(lstat(own, &st), -1); /* it goes with the server */
    scratch_configure("share: yes\n");
}

TEST(a_user_is_granted_the_name_that_it_is_tied_to)
{
    struct served served;
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addf(&text, "agents: {ash: {uid: %lu}, bo: {uid: 4000000000}}\n",
                (unsigned long)geteuid());
    scratch_configure(text.buf);
    served_start(&served, *state);
    expect_author(*state, served.path, 1, "ash");
    assert_int_equal(served_stop(&served), 0);
    scratch_configure("agents: {bo: {uid: 4000000000}}\n"); /* another user's */
    served_start(&served, *state);
    expect_author(*state, served.path, 2, "?tester");
    assert_int_equal(served_stop(&served), 0);
    scratch_configure("share: yes\n");
}

/* A tied socket is for its user alone, be it the server's own. */
TEST(a_tied_socket_takes_only_its_user)
{
    struct served served;
    struct client c;
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_FREE char *own = scratch_path("bo.sock");
    strbuf_addf(&text, "agents: {bo: {uid: 4000000000, socket: '%s'}}\n", own);
    scratch_configure(text.buf);
    served_start(&served, *state);
    client_connect(&c, own);
    assert_null(client_read(&c));
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
    scratch_configure("share: yes\n");
}

/* What is there is not replaced; the server says why it does not start. */
TEST(a_tied_socket_replaces_no_file)
{
    struct client c;
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_FREE char *own = scratch_path("ash.sock");
    scratch_write(own, "kept", 4);
    strbuf_addf(&text, "agents: {ash: {socket: '%s'}}\n", own);
    scratch_configure(text.buf);
    CLIENT_START(&c, "serve", "--store", *state);
    char said[1000] = "";
    size_t len;
    assert_int_not_equal(client_wait(&c), 0);
    assert_true(read(c.err, said, sizeof(said) - 1) > 0);
    assert_has(said, "is no socket");
    client_close(&c);
    AUTO_FREE char *left = scratch_read(own, &len);
    assert_int_equal(len, 4);
    scratch_configure("share: yes\n");
}

int main(void)
{
    scratch_configure("share: yes\n"); /* its clients have no names */
    return tests_run();
}
