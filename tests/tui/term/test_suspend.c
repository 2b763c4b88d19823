/*
 * C-z: a stopped process has no open transaction, so that others can write. The real program runs as a job, as under
 * a shell, since an orphaned process group is not stopped. Processes are stopped repeatedly while they write, since
 * only some stops hit a transaction.
 */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/open.h"
#include "store/platform/platform.h"
#include "tests/support/test.h"
#include "tui/term/signals.h"
#include "tui/term/screen.h"
#include "store/db/thread.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/terminal.h"

#define ROUNDS 12
#define CALLS  60 /* most calls in flight of a client */

struct job {
    pid_t pid;
    int in, out;
};

static void start_job(struct job *j, const char *const *arguments)
{
    const char *program = getenv("STEMMA");
    const char *argv[8] = {program ? program : "./stemma"};
    int in[2], out[2];
    for (size_t n = 0; n < 6 && arguments[n]; n++)
        argv[n + 1] = arguments[n];
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    j->pid = fork();
    assert_true(j->pid >= 0);
    if (j->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* in case the test fails */
        setpgid(0, 0);
        signal(SIGTSTP, SIG_DFL); /* the test runner may ignore it */
        signal(SIGTTOU, SIG_DFL);
        signal(SIGTTIN, SIG_DFL);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    j->in = in[1];
    j->out = out[0];
}
#define START_JOB(j, ...) start_job((j), (const char *const[]){__VA_ARGS__, NULL})

static void wait_until_stopped(pid_t pid, int signal)
{
    int status;
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == signal);
}

static void assert_others_can_write(const char *store)
{
    struct store_file *f = scratch_lock(store);
    assert_non_null(f);
    scratch_unlock(f);
}

static void write_much(struct client *c)
{
    for (int i = 0; i < CALLS; i++)
        client_sendf(
            c,
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
            "\"memory_raw\",\"arguments\":{\"blob\":\"%020000d\"}}}",
            i + 1, i);
}

/* Requests sent before the stop are answered after it continues. */
static void read_answers(struct client *c, int count)
{
    for (int i = 0; i < count; i++) {
        const char *line = client_read(c);
        assert_non_null(line);
        if (!strstr(line, "\"structuredContent\"") || strstr(line, "\"isError\":true"))
            fail_msg("answered with %.400s", line);
    }
}

FIXTURE(scratch_set_up_path, scratch_tear_down_path);

TEST(a_server_stops_between_its_writes)
{
    static const int signals[] = {SIGTSTP, SIGTTOU, SIGTTIN};
    const char *store = *state;
    struct job j;
    struct client c;
    char path[200] = "";
    START_JOB(&j, "serve", "--store", store);
    for (size_t n = 0; !strchr(path, '\n'); n++)
        assert_int_equal(read(j.out, path + n, 1), 1);
    *strchr(path, '\n') = '\0';
    client_connect(&c, path);
    client_initialize(&c, "2025-11-25");
    for (int round = 0; round < ROUNDS; round++) {
        write_much(&c);
        read_answers(&c, 1 + round % 3); /* it is at work */
        int signal = signals[round % 3];
        kill(j.pid, signal);
        wait_until_stopped(j.pid, signal);
        assert_others_can_write(store);
        kill(j.pid, SIGCONT);
        read_answers(&c, CALLS - 1 - round % 3);
    }
    client_close(&c);
    kill(j.pid, SIGTERM);
    int status;
    assert_int_equal(waitpid(j.pid, &status, 0), j.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(j.in);
    close(j.out);
}

TEST(the_explorer_stops_between_its_writes)
{
    const char *store = *state;
    struct terminal t;
    struct client c;
    store_close(scratch_store(store));
    terminal_start_job(&t, store, 24, 80, JOB_FG);
    terminal_wait_shows(&t, "? help");
    client_join(&c, store);
    for (int round = 0; round < ROUNDS; round++) {
        write_much(&c);
        read_answers(&c, 1 + round % 3);
        terminal_type(&t, "\032");
        terminal_wait_stopped(&t);
        assert_others_can_write(store);
        size_t before = t.bytes.len;
        terminal_order(&t, JOB_FG);
        read_answers(&c, CALLS - 1 - round % 3);
        terminal_wait_got(&t, before, "\033[?2026l");
    }
    client_close(&c);
    terminal_leave(&t);
}

/* The clients of a stopped process wait, and a message in the terminal tells how many. */
TEST(the_explorer_says_how_many_clients_wait)
{
    const char *store = *state, *left = "\033[?1049l",
               *said = "stemma: 1 agent waits until you continue it (fg)";
    struct terminal t;
    struct client c;
    store_close(scratch_store(store));
    terminal_start_job(&t, store, 24, 80, JOB_FG);
    terminal_wait_shows(&t, "? help");
    terminal_type(&t, "\032");
    terminal_wait_stopped(&t);
    assert_false(terminal_holds(&t, 0, "until it goes on"));
    terminal_order(&t, JOB_FG);
    client_join(&c, store);
    terminal_wait_shows(&t, "1 agent live");
    size_t before = t.bytes.len;
    terminal_type(&t, "\032");
    terminal_wait_stopped(&t);
    terminal_wait_got(&t, before, said);
    assert_true(strstr(t.bytes.buf + before, left) < strstr(t.bytes.buf + before, said));
    terminal_order(&t, JOB_FG);
    terminal_wait_shows(&t, "1 agent live");
    client_close(&c);
    terminal_leave(&t);
}

static bool is_held(const char *store)
{
    struct store_file *f = access(store, F_OK) ? NULL : scratch_lock(store);
    if (!f)
        return access(store, F_OK) == 0;
    scratch_unlock(f);
    return false;
}

#define LOADED    20000 /* lines: more than the import reads before its load begins and a pipe holds */
#define LINES_MS  2500 /* for which it must not stop, since lines come */
#define IDLE_MS   400  /* a pause after which the import may commit (it does after 500 ms) */
#define ATTEMPTS  10
#define PIPE_SIZE (1 << 20) /* holds all lines of a test whose import has stopped */

/* Returns the time since the last line, in ms. */
static int64_t write_line(struct job *j, int number)
{
    static int64_t last;
    int64_t before = last;
    dprintf(j->in, "{\"ref\":\"raw:%d\",\"text\":\"line %d\"}\n", number, number);
    last = monotonic_ms();
    return last - before;
}

/* Whether the import goes on while lines come. Returns false if this machine paused the lines, which proves nothing. */
static bool loads_on(struct job *j, const char *store, int *count)
{
    int64_t pause = 0;
    int status;
    while (*count < LOADED)
        write_line(j, (*count)++);
    bool held = is_held(store);
    fcntl(j->in, F_SETPIPE_SZ,
          PIPE_SIZE); /* a small one until then, so that most lines have been read */
    kill(j->pid, SIGTSTP);
    for (int ms = 0; ms < LINES_MS && pause < IDLE_MS; ms++) {
        int64_t since = write_line(j, (*count)++);
        pause = since > pause ? since : pause;
        usleep(1000);
    }
    if (pause >= IDLE_MS)
        return false;
    assert_true(held);
    assert_int_equal(waitpid(j->pid, &status, WUNTRACED | WNOHANG), 0);
    assert_true(is_held(store));
    return true;
}

/* A load into an empty store is one batch. It needs the thread that reads, so that thread goes on after the signal. */
TEST(an_import_stops_after_its_load)
{
    const char *store = *state;
    struct job j;
    char said[4096] = "", all[16];
    int status, count = 0, attempt = 0;
    if (!platform_has_locks()) /* without locks the test cannot see it */
        skip();
    for (;; count = 0) {
        START_JOB(&j, "import", "jsonl", "-", "--store", store);
        if (loads_on(&j, store, &count))
            break;
        kill(j.pid, SIGKILL);
        assert_int_equal(waitpid(j.pid, &status, 0), j.pid);
        close(j.in);
        close(j.out);
        unlink(store);
        if (++attempt == ATTEMPTS)
            skip();
    }
    wait_until_stopped(j.pid, SIGTSTP); /* no input comes, so it commits */
    assert_others_can_write(store);
    kill(j.pid, SIGCONT);
    write_line(&j, count++);
    close(j.in);
    for (ssize_t n = 0, got; (got = read(j.out, said + n, sizeof(said) - 1 - (size_t)n)) > 0;)
        n += got;
    assert_int_equal(waitpid(j.pid, &status, 0), j.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    snprintf(all, sizeof(all), "%d", count);
    assert_non_null(strstr(said, all));
    close(j.out);
}

static void *write_for_long(void *arg)
{
    usleep(2500000);
    scratch_unlock(arg);
    return NULL;
}

TEST(the_explorer_waits_for_a_long_write)
{
    const char *store = *state;
    char said[100] = "";
    int err[2], status;
    store_close(scratch_store(store));
    if (!platform_has_locks())
        skip();
    assert_int_equal(pipe(err), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        pthread_t writes;
        setpgid(0, 0);
        signal(SIGTSTP, SIG_DFL);
        dup2(err[1], STDERR_FILENO);
        suspend_watch();
        if (pthread_create(&writes, NULL, write_for_long, scratch_lock(store)) == 0)
            suspend_now(SIGTSTP);
        _exit(0);
    }
    close(err[1]);
    wait_until_stopped(pid, SIGTSTP);
    assert_others_can_write(store);
    assert_true(read(err[0], said, sizeof(said) - 1) > 0);
    assert_string_equal(said, "stemma: waiting for the store\n");
    kill(pid, SIGCONT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(err[0]);
}

/* A background job on a terminal with TOSTOP, each time it is continued there. */
static void write_in_the_background(void)
{
    setpgid(0, 0);
    signal(SIGTTOU, SIG_DFL);
    alarm(CLIENT_WAIT_MS / 1000);
    suspend_watch();
    ssize_t n = write(STDERR_FILENO, ".", 1);
    n += write(STDERR_FILENO, ".", 1);
    _exit(n == 2 ? 0 : 1);
}

static const char *held; /* path of a store */

/* The thread that writes to the terminal is the one that feeds the write in hand, as in an import. */
static void write_while_it_holds_the_store(void)
{
    struct store_file *f = scratch_lock(held);
    setpgid(0, 0);
    signal(SIGTTOU, SIG_DFL);
    alarm(CLIENT_WAIT_MS / 1000);
    suspend_watch();
    ssize_t n = write(STDERR_FILENO, ".", 1);
    scratch_unlock(f);
    _exit(n == 1 ? 0 : 1);
}

/* A job that has to end and writes to the terminal. */
static void end_in_the_background(void)
{
    setpgid(0, 0);
    signal(SIGTTOU, SIG_DFL);
    signal(SIGTSTP, SIG_DFL);
    suspend_watch();
    suspend_disable();
    _exit(write(STDERR_FILENO, ".", 1) == 1 ? 0 : 1);
}

/* The explorer has a message while another job has the terminal. */
static void suspend_in_the_background(void)
{
    struct screen s = {.fd = STDERR_FILENO};
    setpgid(0, 0);
    signal(SIGTTOU, SIG_DFL);
    signal(SIGTSTP, SIG_DFL);
    restore_remember(s.fd);
    screen_suspend(&s, "1 agent waits");
    _exit(1);
}

/* Starts the shell of the terminal. */
static pid_t begin(void (*job)(void))
{
    struct termios modes;
    signal(SIGTTOU, SIG_IGN);
    tcgetattr(STDERR_FILENO, &modes);
    modes.c_lflag |= TOSTOP;
    tcsetattr(STDERR_FILENO, TCSANOW, &modes);
    pid_t pid = fork();
    if (pid == 0)
        job();
    return pid;
}

static int see_it_end(pid_t job)
{
    int status;
    return waitpid(job, &status, WUNTRACED) == job && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int see_it_stop_twice(void)
{
    int status;
    pid_t job = begin(write_in_the_background);
    for (int i = 0; i < 2; i++) {
        if (waitpid(job, &status, WUNTRACED) != job || !WIFSTOPPED(status) ||
            WSTOPSIG(status) != SIGTTOU)
            return 1;
        if (i > 0)
            tcsetpgrp(STDERR_FILENO, job);
        kill(job, SIGCONT);
    }
    return see_it_end(job);
}

/* Waiting for the write in hand has a limit: the write waits for the job. */
static int see_it_stop_in_a_write(void)
{
    int status;
    pid_t job = begin(write_while_it_holds_the_store);
    bool stopped = waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status);
    tcsetpgrp(STDERR_FILENO, job);
    kill(job, SIGCONT);
    return see_it_end(job) || !stopped;
}

static int see_it_never_stop(void)
{
    return see_it_end(begin(end_in_the_background));
}

/* A write would have stopped it by SIGTTOU. */
static int see_it_stop_silently(void)
{
    int status;
    pid_t job = begin(suspend_in_the_background);
    bool stopped = waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status);
    bool silent = stopped && WSTOPSIG(status) == SIGTSTP;
    kill(job, SIGKILL);
    return waitpid(job, &status, 0) == job && silent ? 0 : 1;
}

static void assert_sees(int (*shell)(void))
{
    int terminal, status;
    pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(shell());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(terminal);
}

FIXTURE(NULL, NULL);

TEST(a_job_in_the_background_stops_when_it_writes)
{
    assert_sees(see_it_stop_twice);
}

FIXTURE(scratch_set_up_path, scratch_tear_down_path);

TEST(a_job_that_its_write_waits_for_stops_too)
{
    held = *state;
    store_close(scratch_store(held));
    if (!platform_has_locks())
        skip();
    assert_sees(see_it_stop_in_a_write);
}

FIXTURE(NULL, NULL);

TEST(an_ending_job_is_not_stopped)
{
    assert_sees(see_it_never_stop);
}

TEST(no_message_while_another_job_has_the_terminal)
{
    assert_sees(see_it_stop_silently);
}
