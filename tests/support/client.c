#include "model/base/alloc.h"
#include "tests/support/client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>
#include "store/mcp/server/server.h"
#include "store/open.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define ARGUMENTS_MAX 32
#define TRY_MS        10 /* between two attempts to connect */

extern char **environ;

/* ---- starting ---- */

static void exec_program(const char *const *arguments, char *const *env, const int fds[3])
{
    const char *path = getenv("STEMMA");
    char *argv[ARGUMENTS_MAX + 2];
    size_t count = 0;
    argv[count++] = (char *)(uintptr_t)(path ? path : "./stemma");
    while (*arguments && count <= ARGUMENTS_MAX)
        argv[count++] = (char *)(uintptr_t)*arguments++;
    argv[count] = NULL;
    for (int i = 0; i < 3; i++)
        dup2(fds[i], i);
    signal(SIGPIPE, SIG_DFL);
    execve(argv[0], argv, env ? env : environ);
    _exit(127);
}

void client_start(struct client *c, const char *const *arguments, char *const *env)
{
    int pipes[3][2];
    signal(SIGPIPE, SIG_IGN);
    *c = (struct client){.got = STRBUF_INIT};
    for (int i = 0; i < 3; i++)
        assert_int_equal(pipe2(pipes[i], O_CLOEXEC), 0);
    c->pid = fork();
    assert_true(c->pid >= 0);
    if (c->pid == 0)
        exec_program(arguments, env, (const int[]){pipes[0][0], pipes[1][1], pipes[2][1]});
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    c->in = pipes[0][1];
    c->out = pipes[1][0];
    c->err = pipes[2][0];
}

static bool can_run_as(const char *user, const char *program)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        execl("/usr/bin/setpriv", "setpriv", user, "--clear-groups", program, "--version",
              (char *)NULL);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

bool client_start_as(struct client *c, unsigned uid, const char *home, const char *const *arguments)
{
    char user[32], set_home[256], *env[] = {home ? set_home : NULL, NULL};
    const char *set = getenv("STEMMA");
    AUTO_FREE char *own = strdup(set ? set : "./stemma");
    const char *all[ARGUMENTS_MAX + 1] = {user, "--clear-groups", own};
    bool root = geteuid() == 0, can;
    snprintf(user, sizeof(user), "--reuid=%u", uid);
    snprintf(set_home, sizeof(set_home), "HOME=%s", home ? home : "");
    for (size_t n = 3; *arguments && n < ARGUMENTS_MAX; n++)
        all[n] = *arguments++;
    can = !root || can_run_as(user, own);
    if (root)
        setenv("STEMMA", "/usr/bin/setpriv", 1);
    if (can)
        client_start(c, root ? all : all + 3, env);
    setenv("STEMMA", own, 1);
    return can;
}

bool client_try(struct client *c, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    signal(SIGPIPE, SIG_IGN);
    *c = (struct client){.err = -1, .got = STRBUF_INIT};
    assert_true(strlen(path) < sizeof(address.sun_path));
    memcpy(address.sun_path, path, strlen(path));
    c->in = c->out = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(c->in >= 0);
    if (connect(c->in, (const struct sockaddr *)&address, sizeof(address)) == 0)
        return true;
    client_close(c);
    return false;
}

void client_connect(struct client *c, const char *path)
{
    if (!client_try(c, path))
        fail_msg("nobody listens at %s: %s", path, strerror(errno));
}

void client_join(struct client *c, const char *store)
{
    struct endpoint where = ENDPOINT_INIT;
    struct error e;
    struct store *s = scratch_store_with(store, &(struct store_options){.read_only = true});
    assert_int_equal(endpoint_find(&where, s, true, &e), 0);
    store_close(s);
    for (int waited = 0; !client_try(c, where.path); waited += TRY_MS) {
        assert_true(waited < CLIENT_WAIT_MS);
        poll(NULL, 0, TRY_MS);
    }
    client_initialize(c, "2025-11-25");
}

/* ---- sending and receiving ---- */

void client_send_bytes(struct client *c, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len > 0) {
        ssize_t n = write(c->in, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            fail_msg("the server does not listen any more: %s", strerror(errno));
        at += n;
        len -= (size_t)n;
    }
}

void client_send(struct client *c, const char *line)
{
    AUTO_STRBUF sb = STRBUF_INIT;
    strbuf_addstr(&sb, line);
    strbuf_addch(&sb, '\n');
    client_send_bytes(c, sb.buf, sb.len);
}

void client_sendf(struct client *c, const char *format, ...)
{
    AUTO_STRBUF sb = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&sb, format, args);
    va_end(args);
    client_send(c, sb.buf);
}

/* Takes a complete line from `got`, or returns NULL. */
static const char *take_line(struct client *c)
{
    char *line = c->got.buf + c->at;
    char *end = memchr(line, '\n', c->got.len - c->at);
    if (!end)
        return NULL;
    *end = '\0';
    c->at = (size_t)(end + 1 - c->got.buf);
    return line;
}

/* Reads output within `ms`. Returns 1 for some, 0 for none, -1 at the end. */
static int receive(struct client *c, int ms)
{
    char bytes[65536];
    struct pollfd ready = {c->out, POLLIN, 0};
    int result = poll(&ready, 1, ms);
    if (result <= 0)
        return 0;
    ssize_t n = read(c->out, bytes, sizeof(bytes));
    if (n <= 0)
        return -1;
    if (c->at > 0) {
        memmove(c->got.buf, c->got.buf + c->at, c->got.len - c->at);
        strbuf_cut(&c->got, c->got.len - c->at);
        c->at = 0;
    }
    strbuf_add(&c->got, bytes, (size_t)n);
    return 1;
}

const char *client_read_within(struct client *c, int ms)
{
    const char *line;
    while (!(line = take_line(c)))
        if (receive(c, ms) <= 0)
            return NULL;
    return line;
}

const char *client_read(struct client *c)
{
    const char *line;
    while (!(line = take_line(c))) {
        int heard = receive(c, CLIENT_WAIT_MS);
        if (heard == 0)
            fail_msg("no answer came");
        if (heard < 0)
            return NULL;
    }
    return line;
}

const char *client_ask(struct client *c, const char *line)
{
    const char *answer;
    client_send(c, line);
    do
        answer = client_read(c);
    while (answer && !strstr(answer, "\"id\":"));
    if (!answer)
        fail_msg("the server closed instead of answering %.200s", line);
    return answer;
}

void client_initialize(struct client *c, const char *version)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line,
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                "\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":"
                "\"tester\",\"version\":\"1\"}}}",
                version);
    const char *answer = client_ask(c, line.buf);
    if (!strstr(answer, "\"protocolVersion\""))
        fail_msg("initialize was answered with %.400s", answer);
    client_send(c, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

/* ---- ending ---- */

void client_end(struct client *c)
{
    if (c->in >= 0 && c->in == c->out)
        shutdown(c->in, SHUT_WR);
    else if (c->in >= 0)
        close(c->in);
    if (c->in != c->out)
        c->in = -1;
}

int client_wait(struct client *c)
{
    int status;
    while (waitpid(c->pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    c->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void client_close(struct client *c)
{
    if (c->pid > 0) {
        kill(c->pid, SIGKILL);
        client_wait(c);
    }
    if (c->in >= 0 && c->in != c->out)
        close(c->in);
    if (c->out >= 0)
        close(c->out);
    if (c->err >= 0)
        close(c->err);
    strbuf_release(&c->got);
    *c = (struct client){.in = -1, .out = -1, .err = -1, .got = STRBUF_INIT};
}

/* ---- a server ---- */

void served_start(struct served *s, const char *store)
{
    CLIENT_START(&s->program, "serve", "--store", store);
    const char *path = client_read(&s->program);
    if (!path)
        fail_msg("stemma serve did not start");
    snprintf(s->path, sizeof(s->path), "%s", path);
}

int served_stop(struct served *s)
{
    kill(s->program.pid, SIGTERM);
    int status = client_wait(&s->program);
    client_close(&s->program);
    return status;
}

void served_kill(struct served *s)
{
    client_close(&s->program);
}

size_t resident_bytes(pid_t pid)
{
    char path[64];
    unsigned long whole, resident = 0;
    snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &whole, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}
