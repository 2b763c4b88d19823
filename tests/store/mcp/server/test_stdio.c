/* stemma mcp as clients start it: in any environment, over any kind of stream, and every way to end. */
#include "tests/support/has.h"
#include "tests/support/notes.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "store/session/session.h"
#include "tests/support/test.h"

#define INITIALIZE                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

#define UNCONFINED "stemma: this process is not confined"

/* What it wrote to standard error until it ended, without what kernels without Landlock add. */
static char *told(struct client *c)
{
    struct strbuf sb = STRBUF_INIT;
    char bytes[4096];
    ssize_t n;
    while ((n = read(c->err, bytes, sizeof(bytes))) > 0)
        strbuf_add(&sb, bytes, (size_t)n);
    strbuf_grow(&sb, 1);
    char *text = strbuf_detach(&sb, NULL), *line = strstr(text, UNCONFINED);
    if (line)
        memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n')));
    return text;
}

#define MADE "stemma: there was no store at "

/* With `said` NULL, expects only the note that the store was created. */
static void assert_ends(struct client *c, int status, const char *said)
{
    AUTO_FREE char *text = told(c);
    assert_int_equal(client_wait(c), status);
    if (said)
        assert_has(text, said);
    else
        assert_string_equal(strncmp(text, MADE, strlen(MADE)) ? text : strchr(text, '\n') + 1, "");
    client_close(c);
}

/* ---- environment ---- */

FIXTURE(scratch_set_up_path, scratch_tear_down_path);

TEST(an_empty_environment_is_enough)
{
    struct client c;
    char *env[] = {NULL};
    char before[4096];
    assert_non_null(getcwd(before, sizeof(before)));
    if (getenv("STEMMA") && *getenv("STEMMA") == '/')
        assert_int_equal(chdir("/"), 0);
    client_start(&c, (const char *const[]){"mcp", "--store", *state, NULL}, env);
    assert_int_equal(chdir(before), 0);
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "kept");
    assert_int_equal(note_answered(client_read(&c)), 1);
    client_end(&c);
    assert_null(client_read(&c));
    assert_ends(&c, 0, NULL);
    assert_int_equal(notes_check(*state), 1);
}

TEST(without_home_a_store_must_be_named)
{
    struct client c;
    char *env[] = {NULL};
    client_start(&c, (const char *const[]){"mcp", NULL}, env);
    assert_null(client_read(&c));
    assert_ends(&c, 3, "HOME");
}

TEST(the_default_store_is_created_at_home)
{
    struct client c;
    char *home = scratch_path("home"), variable[512], store[512];
    snprintf(variable, sizeof(variable), "HOME=%s", home);
    snprintf(store, sizeof(store), "%s/.local/share/stemma/memory.db", home);
    char *env[] = {variable, NULL};
    client_start(&c, (const char *const[]){"mcp", NULL}, env);
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "kept");
    assert_int_equal(note_answered(client_read(&c)), 1);
    client_end(&c);
    assert_ends(&c, 0, NULL);
    assert_int_equal(notes_check(store), 1);
    free(home);
}

/* `serve` reports where it listens and is stopped; `mcp` ends with its input. */
static void serve_for_a_while(struct client *c, const char *command, const char *path)
{
    CLIENT_START(c, command, "--store", path);
    if (strcmp(command, "serve") == 0) {
        assert_non_null(client_read(c));
        kill(c->pid, SIGTERM);
    } else {
        client_initialize(c, "2025-11-25");
        client_end(c);
    }
}

/* Otherwise a mistyped path would silently be an empty store. */
TEST(new_store_is_reported_once)
{
    static const char *const commands[] = {"mcp", "serve"};
    for (int i = 0; i < 4; i++) {
        struct client c;
        AUTO_FREE char *path = xformat("%s.d/%s/x.db", (char *)*state, commands[i / 2]);
        AUTO_FREE char *made = xformat(MADE "%s: a new one was created\n", path);
        serve_for_a_while(&c, commands[i / 2], path);
        AUTO_FREE char *text = told(&c);
        assert_int_equal(client_wait(&c), 0);
        assert_string_equal(text, i % 2 ? "" : made);
        client_close(&c);
    }
}

TEST(unusable_store_is_reported_on_stderr)
{
    struct client c;
    scratch_write(*state, "no database, but long enough to be taken for one", 48);
    CLIENT_START(&c, "mcp", "--store", *state);
    assert_null(client_read(&c));
    assert_ends(&c, 3, "stemma: ");
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "");
    assert_null(client_read(&c));
    assert_ends(&c, 2, "agent");
    static const char *const blank[] = {" ", "\xe2\x80\x83", "\xe2\x80\x8b", "\xe3\x85\xa4"};
    for (size_t i = 0; i < sizeof(blank) / sizeof(*blank); i++) {
        CLIENT_START(&c, "mcp", "--store", *state, "--agent", blank[i]);
        assert_null(client_read(&c));
        assert_ends(&c, 2, "the name of the agent is blank. Write --agent NAME.");
    }
    char name[202];
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", name);
    assert_null(client_read(&c));
    assert_ends(&c, 2, "more than 200 characters");
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "\xff");
    assert_null(client_read(&c));
    assert_ends(&c, 2, "not valid UTF-8");
}

TEST(read_only_store_refuses_writes)
{
    struct client c;
    CLIENT_START(&c, "mcp", "--store", *state, "--read-only");
    assert_null(client_read(&c));
    assert_ends(&c, 3, "there is no store");
    store_close(scratch_store(*state));
    CLIENT_START(&c, "mcp", "--store", *state, "--read-only");
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "not kept");
    const char *line = client_read(&c);
    assert_has(line, "\"level\":\"notice\"");
    line = client_read(&c);
    assert_has(line, "\"isError\":true");
    assert_has(line, "\"code\":\"PERMISSION_DENIED\"");
    line = client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
    assert_has(line, "\"memory_search\"");
    assert_null(strstr(line, "\"memory_add\""));
    client_end(&c);
    assert_ends(&c, 0, NULL);
    assert_int_equal(notes_check(*state), 0);
}

/* A process that may not change the store: another user if the test runs as root. */
#define START_OTHER(c, ...)                                                                        \
    client_start_as((c), 65534, NULL, (const char *const[]){__VA_ARGS__, NULL})

/* The bytes of the file and its log. */
static char *bytes_of(const char *path, size_t *len)
{
    size_t more;
    struct strbuf name = STRBUF_INIT, all = STRBUF_INIT;
    strbuf_addf(&name, "%s-wal", path);
    AUTO_FREE char *file = scratch_read(path, len), *log = scratch_read(name.buf, &more);
    strbuf_add(&all, file, *len);
    if (log)
        strbuf_add(&all, log, more);
    strbuf_release(&name);
    *len = all.len;
    return strbuf_detach(&all, NULL);
}

TEST(unwritable_store_is_served_read_only)
{
    struct client c;
    AUTO_FREE char *directory = strdup(*state);
    *strrchr(directory, '/') = '\0';
    struct store *s = scratch_store(*state);
    scratch_put(s, "{\"ref\":\"note:a\",\"text\":\"to be read\"}");
    scratch_put(s,
                "{\"ref\":\"entry:over\",\"text\":\"over\",\"detail\":{\"namespace\":\"public.x\","
                "\"key\":\"over\",\"value\":\"medlar\",\"expires_at\":1000}}");
    store_close(s);
    size_t before_len, after_len;
    AUTO_FREE char *before = bytes_of(*state, &before_len);
    assert_int_equal(chmod(*state, 0444), 0);
    assert_int_equal(chmod(directory, 0555), 0);
    if (!START_OTHER(&c, "mcp", "--agent", "ash", "--store", *state))
        skip();
    client_initialize(&c, "2025-11-25");
    assert_has(client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
                              "\"name\":\"memory_list\",\"arguments\":{}}}"),
               "to be read");
    /* Expired entries are neither shown nor swept. */
    const char *got =
        client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
                       "\"name\":\"getMemory\",\"arguments\":{\"namespace\":\"public.x\","
                       "\"key\":\"over\"}}}");
    assert_has(got, "NOT_FOUND");
    assert_null(strstr(got, "medlar"));
    note_send(&c, 1, "not kept");
    assert_has(client_read(&c), "is open for reading only");
    client_end(&c);
    assert_ends(&c, 0, "cannot write");
    assert_true(START_OTHER(&c, "serve", "--store", *state));
    assert_has(client_read(&c), ".sock");
    kill(c.pid, SIGTERM);
    assert_ends(&c, 0, "cannot write");
    assert_int_equal(chmod(directory, 0755), 0);
    AUTO_FREE char *after = bytes_of(*state, &after_len);
    assert_int_equal(after_len, before_len);
    assert_memory_equal(after, before, before_len);
    assert_non_null(memmem(after, after_len, "medlar", strlen("medlar")));
}

/* No shell expands it in a client's configuration. */
TEST(path_may_begin_with_tilde)
{
    struct client c;
    char *home = scratch_path("home"), variable[512], store[512];
    snprintf(variable, sizeof(variable), "HOME=%s", home);
    snprintf(store, sizeof(store), "%s/deep/memory.db", home);
    char *env[] = {variable, NULL};
    client_start(&c, (const char *const[]){"mcp", "--store", "~/deep/memory.db", NULL}, env);
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "kept");
    assert_int_equal(note_answered(client_read(&c)), 1);
    client_end(&c);
    assert_ends(&c, 0, NULL);
    assert_int_equal(notes_check(store), 1);
    assert_int_equal(access("~", F_OK), -1);
    free(home);
}

/* ---- streams ---- */

/* Appends initialize and `count` notes. */
static void add_lines(struct strbuf *lines, int count)
{
    strbuf_addstr(lines, INITIALIZE "\n");
    for (int i = 1; i <= count; i++)
        strbuf_addf(lines,
                    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                    "\"memory_note\",\"arguments\":{\"content\":\"note %d\"}}}\n",
                    i, i);
}

/* One stream for both directions. */
static void start_on(struct client *c, int theirs, int ours, const char *store)
{
    const char *program = getenv("STEMMA");
    *c = (struct client){.in = ours, .out = ours, .err = -1, .got = STRBUF_INIT};
    c->pid = fork();
    assert_true(c->pid >= 0);
    if (c->pid == 0) {
        dup2(theirs, STDIN_FILENO);
        dup2(theirs, STDOUT_FILENO);
        execl(program ? program : "./stemma", "stemma", "mcp", "--store", store, (char *)NULL);
        _exit(127);
    }
    close(theirs);
}

TEST(socket_pair_works_as_stream)
{
    int ends[2];
    struct client c;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    start_on(&c, ends[0], ends[1], *state);
    client_initialize(&c, "2025-11-25");
    for (int i = 1; i <= 100; i++)
        note_send(&c, i, "the same");
    client_end(&c);
    for (int i = 1; i <= 100; i++)
        assert_int_equal(note_answered(client_read(&c)), i);
    assert_null(client_read(&c));
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
}

TEST(terminal_works_as_stream)
{
    int ours, theirs;
    struct client c;
    struct termios plain;
    assert_int_equal(openpty(&ours, &theirs, NULL, NULL, NULL), 0);
    fcntl(ours, F_SETFD, FD_CLOEXEC);
    tcgetattr(theirs, &plain);
    plain.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(theirs, TCSANOW, &plain);
    start_on(&c, theirs, ours, *state);
    const char *line;
    client_send(&c, INITIALIZE);
    do /* its standard error goes to the test's terminal, or here */
        line = client_read(&c);
    while (line && !strstr(line, "\"protocolVersion\""));
    assert_non_null(line);
    client_send_bytes(&c, "\x04", 1);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
}

/* ---- ending ---- */

TEST(all_requests_are_answered_at_end_of_input)
{
    struct client c;
    AUTO_STRBUF lines = STRBUF_INIT;
    add_lines(&lines, 300);
    CLIENT_START(&c, "mcp", "--store", *state);
    client_send_bytes(&c, lines.buf, lines.len);
    client_end(&c);
    assert_has(client_read(&c), "\"protocolVersion\"");
    for (int i = 1; i <= 300; i++)
        assert_int_equal(note_answered(client_read(&c)), i);
    assert_null(client_read(&c));
    assert_ends(&c, 0, NULL);
    assert_int_equal(notes_check(*state), 300);
}

/* Its input stays open, as when another process has inherited it. */
TEST(client_without_output_still_writes)
{
    struct client c;
    AUTO_STRBUF lines = STRBUF_INIT;
    add_lines(&lines, 100);
    CLIENT_START(&c, "mcp", "--store", *state);
    client_send_bytes(&c, lines.buf, lines.len);
    close(c.out);
    c.out = -1;
    assert_ends(&c, 0, NULL);
    assert_int_equal(notes_check(*state), 100);
}

TEST(signal_ends_it_orderly)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < 3; i++) {
        struct client c;
        CLIENT_START(&c, "mcp", "--store", *state);
        client_initialize(&c, "2025-11-25");
        char content[32];
        snprintf(content, sizeof(content), "before signal %zu", i);
        note_send(&c, 1, content);
        assert_int_equal(note_answered(client_read(&c)), 1);
        kill(c.pid, signals[i]);
        assert_null(client_read(&c));
        assert_ends(&c, 0, NULL);
    }
    assert_int_equal(notes_check(*state), 3);
}

TEST(one_of_two_processes_is_killed)
{
    struct client one, two;
    CLIENT_START(&one, "mcp", "--store", *state);
    CLIENT_START(&two, "mcp", "--store", *state);
    client_initialize(&one, "2025-11-25");
    client_initialize(&two, "2024-11-05");
    note_send(&one, 1, "one");
    assert_int_equal(note_answered(client_read(&one)), 1);
    note_send(&one, 2, "maybe");
    kill(one.pid, SIGKILL);
    note_send(&two, 1, "two");
    assert_int_equal(note_answered(client_read(&two)), 1);
    client_end(&two);
    assert_ends(&two, 0, NULL);
    client_close(&one);
    int64_t count = notes_check(*state);
    assert_true(count == 2 || count == 3);
}

/* ---- decisions of a person ---- */

/* Finds the only session. */
static int64_t find_session(struct store *s, struct session_row *out, struct arena *arena)
{
    struct error e = {0};
    struct session_row *rows;
    size_t count = 0;
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    for (int i = 0; count == 0; i++) { /* its row is written a little later */
        assert_true(i < 60000);
        usleep(1000);
        assert_int_equal(session_list(r, arena, SESSIONS_LIVING, 0, 0, &rows, &count, &e), 0);
    }
    assert_int_equal(count, 1);
    *out = rows[0];
    reader_close(r);
    return out->id;
}

TEST(session_is_made_read_only_and_ended)
{
    struct client c;
    AUTO_ARENA arena = ARENA_INIT;
    struct session_row row;
    struct error e = {0};
    struct store *s = scratch_store(*state);
    const char *line;
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "ash", "--task", "tests");
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "kept");
    assert_int_equal(note_answered(client_read(&c)), 1);
    int64_t id = find_session(s, &row, &arena);
    assert_string_equal(row.client, "tester");
    assert_string_equal(row.transport, "stdio");
    assert_string_equal(row.actor, "ash");
    assert_string_equal(row.task, "tests");
    assert_int_equal(row.peer_pid, getpid());
    assert_int_equal(row.peer_uid, getuid());
    assert_int_equal(store_session_read_only(s, &scratch_actor, id, true, &e), 0);
    note_send(&c, 2, "not kept");
    assert_has(client_read(&c), "\"level\":\"notice\"");
    line = client_read(&c);
    assert_has(line, "\"isError\":true");
    assert_int_equal(store_session_end(s, &scratch_actor, id, &e), 0);
    assert_null(client_read(&c));
    assert_ends(&c, 0, "ended this session");
    store_close(s);
    assert_int_equal(notes_check(*state), 1);
}

/* Expects errors after the file was removed. */
static void read_no_more(const char *store, const char *file)
{
    static const char ask[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":"
                              "{\"name\":\"memory_list\",\"arguments\":{}}}";
    static const char read[] = "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"resources/read\","
                               "\"params\":{\"uri\":\"stemma://note/none\"}}";
    struct client c;
    const char *line;
    CLIENT_START(&c, "mcp", "--store", store);
    client_initialize(&c, "2025-11-25");
    note_send(&c, 1, "kept");
    assert_int_equal(note_answered(client_read(&c)), 1);
    assert_has(client_ask(&c, ask), "kept");
    assert_int_equal(unlink(file), 0);
    /* it checks a little later */
    for (int i = 0; strstr(line = client_ask(&c, ask), "kept"); i++) {
        assert_true(i < 60000);
        usleep(1000);
    }
    assert_has(line, "\"isError\":true");
    assert_has(line, "was removed or replaced while it was open");
    assert_has(client_ask(&c, read), "was removed or replaced while it was open");
    note_send(&c, 9, "not kept");
    assert_has(client_read(&c), "was removed or replaced while it was open");
    client_end(&c);
    assert_ends(&c, 0, NULL);
}

TEST(removed_store_is_no_longer_read)
{
    read_no_more(*state, *state);
}

TEST(content_of_a_removed_log_is_kept)
{
    AUTO_FREE char *log = xformat("%s-wal", (char *)*state);
    read_no_more(*state, log);
    assert_int_equal(notes_check(*state), 1);
}
