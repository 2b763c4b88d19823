/*
 * Runs commands, calls of an agent and the explorer in a child process in which one allocation
 * fails, of ours or of SQLite: first each in turn, then at growing distances. The child must end
 * with EXIT_OUT_OF_MEMORY and one line, or succeed another way. The terminal must be restored,
 * fsck must find nothing, and acknowledged changes must exist.
 */
#include "tests/support/scratch.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>
#include "model/base/alloc.h"
#include "store/db/store.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"
#include "tui/action/action.h"
#include "tui/cli/opening.h"
#include "tui/commands/commands.h"
#include "tui/term/signals.h"

#define LINE       "stemma: out of memory\n"
#define UNCONFINED "stemma: this process is not confined"
#define WORDS      12

/* Shared with the child. */
static struct countdown {
    atomic_long left; /* allocations until one fails; negative: never */
    atomic_bool failed;
} * countdown;

static bool refused(void)
{
    if (atomic_fetch_sub(&countdown->left, 1) != 0)
        return false;
    atomic_store(&countdown->failed, true);
    return true;
}

static sqlite3_mem_methods sqlite_memory; /* the original */

static void *sqlite_malloc(int size)
{
    return alloc_should_fail && refused() ? NULL : sqlite_memory.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size)
{
    return alloc_should_fail && refused() ? NULL : sqlite_memory.xRealloc(old, size);
}

/* Before any store is opened. */
static void install(void)
{
    sqlite3_mem_methods failing;
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory);
    failing = sqlite_memory;
    failing.xMalloc = sqlite_malloc;
    failing.xRealloc = sqlite_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
    countdown =
        mmap(NULL, sizeof(*countdown), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* ---- the attempts ---- */

#define CALL(id, name, arguments)                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name    \
    "\",\"arguments\":" arguments "}}\n"
#define HELLO                                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"     \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"

static char *path, *kept, *lines;

/* PATH and LINES stand for the store and a file to import. */
static const struct attempt {
    const char *words[WORDS];
    const char *input;
    bool terminal;
} attempts[] = {
    {{"add", "note", "new", "--from", "raw:r", "--tag", "t"}, NULL, false},
    {{"edit", "belief:b", "--text", "otherwise"}, NULL, false},
    {{"forget", "raw:r", "--yes"}, NULL, false},
    {{"retract", "raw:r", "--yes"}, NULL, false},
    {{"undo", "2"}, NULL, false},
    {{"import", "jsonl", "LINES"}, NULL, false},
    {{"export"}, NULL, false},
    {{"show", "belief:b"}, NULL, false},
    {{"graph", "belief:b"}, NULL, false},
    {{"whatif", "raw:r"}, NULL, false},
    {{"search", "holds"}, NULL, false},
    {{"list", "all", "--json"}, NULL, false},
    {{"orphans"}, NULL, false},
    {{"fsck"}, NULL, false},
    {{"mcp"}, HELLO CALL("1", "memory_search", "{\"query\":\"holds\"}"), false},
    {{"mcp"}, HELLO CALL("1", "memory_note", "{\"content\":\"of an agent\"}"), false},
    {{""}, "jj\r\tqqqqQ", true},
};

static void put(const char *line)
{
    struct store *s = scratch_store(path);
    scratch_put(s, line);
    store_close(s);
}

static int setup(void **state)
{
    static const char import[] = "{\"ref\":\"note:i1\",\"text\":\"one\",\"agent_id\":\"ash\"}\n"
                                 "{\"ref\":\"note:i2\",\"text\":\"two\",\"agent_id\":\"ash\"}\n";
    scratch_home();
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    path = scratch_path("m.db");
    kept = scratch_path("kept.db");
    lines = scratch_path("lines.jsonl");
    scratch_write(lines, import, sizeof(import) - 1);
    put("{\"ref\":\"raw:r\",\"text\":\"as it came\",\"agent_id\":\"ash\"}");
    put("{\"ref\":\"belief:b\",\"text\":\"holds\",\"agent_id\":\"ash\",\"derived_from\":[\"raw:"
        "r\"]}");
    scratch_copy(path, kept);
    return 0;
}

static int teardown(void **state)
{
    free(path);
    free(kept);
    free(lines);
    return 0;
}

/* ---- the child ---- */

/* Starts as main() does. */
static int run_command(int argc, char **argv)
{
    struct invocation i;
    struct error e = {0};
    signal(SIGPIPE, SIG_IGN);
    alloc_should_fail = refused;
    if (command_parse(&i, &command_table, argc, argv, &e) || config_load(&i.config, NULL, &e) ||
        config_check(&i.config, &e)) {
        output_error(&e);
        return 99;
    }
    output_init(&i.out, 0, i.config.ascii, option_given(&i, "json"), SCRATCH_NOW);
    int result = opening_run(&i, &e);
    output_flush(&i.out, &e);
    command_release(&i);
    if (result < 0)
        output_error(&e);
    return result < 0 ? 100 + error_exit_status(&e) : result;
}

static _Noreturn void run_child(const struct attempt *a)
{
    char *argv[WORDS + 4];
    int argc = 0;
    argv[argc++] = xstrdup("stemma");
    for (int i = 0; i < WORDS && a->words[i]; i++)
        if (*a->words[i])
            argv[argc++] = xstrdup(strcmp(a->words[i], "LINES") ? a->words[i] : lines);
    argv[argc++] = xstrdup("--store");
    argv[argc++] = xstrdup(path);
    argv[argc] = NULL;
    alloc_on_failure = restore_out_of_memory; /* as main does */
    _exit(run_command(argc, argv));
}

/* The result. */
struct outcome {
    int status; /* from waitpid() */
    struct strbuf out, err;
    bool restored;
};

static void read_all(int fd, struct strbuf *out)
{
    char bytes[4096];
    for (ssize_t n; (n = read(fd, bytes, sizeof(bytes))) > 0;)
        strbuf_add(out, bytes, (size_t)n);
    close(fd);
}

static void run_in_files(const struct attempt *a, struct outcome *o)
{
    char *files[3] = {scratch_path("in"), scratch_path("out"), scratch_path("err")};
    scratch_write(files[0], a->input ? a->input : "", a->input ? strlen(a->input) : 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        for (int fd = 0; fd < 3; fd++)
            dup2(open(files[fd], fd ? O_CREAT | O_TRUNC | O_WRONLY : O_RDONLY, 0600), fd);
        run_child(a);
    }
    assert_int_equal(waitpid(pid, &o->status, 0), pid);
    read_all(open(files[1], O_RDONLY), &o->out);
    read_all(open(files[2], O_RDONLY), &o->err);
    for (int i = 0; i < 3; i++)
        free(files[i]);
}

static bool holds(const struct strbuf *text, const char *what)
{
    return strstr(text->buf, what) != NULL;
}

/* The terminal has its former modes, and the explorer left its screen. */
static void run_in_terminal(const struct attempt *a, struct outcome *o)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    struct termios before, after;
    int fd, slave;
    assert_int_equal(openpty(&fd, &slave, NULL, NULL, &size), 0);
    assert_int_equal(tcgetattr(slave, &before), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(fd);
        login_tty(slave);
        run_child(a);
    }
    assert_true(write(fd, a->input, strlen(a->input)) > 0);
    for (int ended = 0; ended == 0;) {
        char bytes[4096];
        fcntl(fd, F_SETFL, O_NONBLOCK);
        ended = waitpid(pid, &o->status, WNOHANG);
        for (ssize_t n; (n = read(fd, bytes, sizeof(bytes))) > 0;)
            strbuf_add(&o->out, bytes, (size_t)n);
        usleep(1000);
    }
    assert_int_equal(tcgetattr(slave, &after), 0);
    o->restored = before.c_lflag == after.c_lflag && before.c_iflag == after.c_iflag &&
                  before.c_oflag == after.c_oflag &&
                  holds(&o->out, "\033[?1049h") == holds(&o->out, "\033[?1049l");
    const char *line = strstr(o->out.buf, "stemma: ");
    strbuf_addstr(&o->err, line && strstr(line, "out of memory\r\n") ? LINE : "");
    close(fd);
    close(slave);
}

/* ---- what remains true ---- */

static int64_t events(void)
{
    struct error e;
    struct store *s = scratch_store(path);
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    int64_t seq = journal_last(r, &e);
    reader_close(r);
    store_close(s);
    return seq;
}

static void check(const struct attempt *a, long nth, const struct outcome *o, int64_t before)
{
    int status = WIFEXITED(o->status) ? WEXITSTATUS(o->status) : -WTERMSIG(o->status);
    bool ended = status == EXIT_OUT_OF_MEMORY;
    struct findings found = findings_of(path);
    bool acknowledged =
        strcmp(a->words[0], "add") == 0 ? o->out.len > 0 : holds(&o->out, "\\\"ref\\\":\\\"note:");
    int64_t now = events();
    if (!ended && status != 0)
        fail_msg("%s, allocation %ld: status %d: %s", a->words[0], nth, status, o->err.buf);
    const char *said = o->err.buf;
    if (strncmp(said, UNCONFINED, strlen(UNCONFINED)) == 0) /* it depends on the system */
        said = strchr(said, '\n') + 1;
    if (ended && !a->terminal)
        assert_string_equal(said, LINE);
    if (ended && a->terminal)
        assert_true(o->err.len > 0 && o->restored);
    if (found.total)
        fail_msg("%s, allocation %ld: %s", a->words[0], nth, found.text);
    if (now < before || (acknowledged && now == before))
        fail_msg("%s, allocation %ld: %lld events of %lld", a->words[0], nth, (long long)now,
                 (long long)before);
}

FIXTURE(setup, teardown);

TEST(each_allocation_may_fail)
{
    for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
        bool failed = true;
        scratch_copy(kept, path);
        int64_t before = events();
        for (long nth = 0; failed; nth += 1 + nth / 2) {
            struct outcome o = {.out = STRBUF_INIT, .err = STRBUF_INIT};
            scratch_copy(kept, path);
            atomic_store(&countdown->left, nth);
            atomic_store(&countdown->failed, false);
            if (attempts[i].terminal)
                run_in_terminal(&attempts[i], &o);
            else
                run_in_files(&attempts[i], &o);
            failed = atomic_load(&countdown->failed);
            check(&attempts[i], nth, &o, before);
            assert_true(nth > 0 || failed);
            strbuf_release(&o.out);
            strbuf_release(&o.err);
        }
    }
}

int main(void)
{
    install();
    return tests_run();
}
