#include "tests/bench/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/bench/report.h"

static void give_up(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof(address.sun_path))
        give_up(path);
    memcpy(address.sun_path, path, strlen(path));
    return address;
}

int wire_connect(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)))
        give_up(path);
    return fd;
}

static void write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            give_up("the server does not listen any more");
        bytes += n;
        len -= (size_t)n;
    }
}

void wire_read_line(int fd, struct strbuf *line)
{
    char byte = 0;
    ssize_t n = 0;
    strbuf_clear(line);
    while ((n = read(fd, &byte, 1)) == 1 && byte != '\n')
        strbuf_addch(line, byte);
    if (n != 1)
        give_up("the server said nothing");
}

void wire_ask(int fd, const char *line, struct strbuf *answer)
{
    write_all(fd, line, strlen(line));
    write_all(fd, "\n", 1);
    wire_read_line(fd, answer);
}

/* ---- many requests ---- */

struct pump {
    int fd;
    struct strbuf out, in;
    size_t sent, looked; /* `looked`: bytes of `in` that were searched for an end */
    struct wire_run run;
};

bool wire_is_failure(const char *line, size_t len)
{
    static const char failed[] = "\"isError\":true", error[] = "\"error\":{\"code\"";
    return memmem(line, len, failed, sizeof(failed) - 1) ||
           memmem(line, len < 100 ? len : 100, error, sizeof(error) - 1);
}

/* How many answers are whole in what has come; they are taken off it. */
static size_t take_answers(struct pump *p)
{
    size_t answers = 0, from = 0;
    const char *end;
    while ((end = memchr(p->in.buf + p->looked, '\n', p->in.len - p->looked))) {
        size_t stop = (size_t)(end - p->in.buf);
        bool failed = wire_is_failure(p->in.buf + from, stop - from);
        if (failed && p->run.failures++ == 0)
            fprintf(stderr, "the first failure: %.*s\n",
                    (int)(stop - from < 400 ? stop - from : 400), p->in.buf + from);
        answers++;
        from = p->looked = stop + 1;
    }
    memmove(p->in.buf, p->in.buf + from, p->in.len - from);
    strbuf_cut(&p->in, p->in.len - from);
    p->looked = p->in.len;
    p->run.answers += answers;
    return answers;
}

static size_t wait_answers(struct pump *p)
{
    size_t answers = 0;
    while (answers == 0) {
        if (!strbuf_grow(&p->in, 1 << 16))
            give_up("memory");
        ssize_t n = read(p->fd, p->in.buf + p->in.len, 1 << 16);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            give_up("the server closed");
        p->in.len += (size_t)n;
        p->run.bytes += (size_t)n;
        answers = take_answers(p);
    }
    return answers;
}

struct wire_run wire_pump(int fd, wire_make make, const void *arg, size_t in_flight, size_t count,
                          double ms)
{
    struct pump p = {.fd = fd, .out = STRBUF_INIT, .in = STRBUF_INIT};
    double start = bench_clock_ms(CLOCK_MONOTONIC);
    size_t free_places = in_flight;
    bool more = true;
    while (more || p.run.answers < p.sent) {
        strbuf_clear(&p.out);
        more = count ? p.sent < count : bench_clock_ms(CLOCK_MONOTONIC) - start < ms;
        for (; more && free_places > 0 && (count == 0 || p.sent < count); free_places--) {
            make(&p.out, p.sent++, arg);
            strbuf_addch(&p.out, '\n');
        }
        write_all(fd, p.out.buf, p.out.len);
        if (p.run.answers < p.sent)
            free_places += wait_answers(&p);
    }
    p.run.ms = bench_clock_ms(CLOCK_MONOTONIC) - start;
    strbuf_release(&p.out);
    strbuf_release(&p.in);
    return p.run;
}

void wire_each(int fd, wire_make make, const void *arg, size_t count, wire_hear hear, void *heard)
{
    struct pump p = {.fd = fd, .out = STRBUF_INIT, .in = STRBUF_INIT};
    for (size_t i = 0; i < count; i++) {
        const char *end = NULL;
        strbuf_clear(&p.out);
        make(&p.out, i, arg);
        strbuf_addch(&p.out, '\n');
        write_all(fd, p.out.buf, p.out.len);
        for (p.in.len = 0; !end; end = p.in.buf[p.in.len - 1] == '\n' ? p.in.buf : NULL) {
            ssize_t n = strbuf_grow(&p.in, 1 << 16) ? read(fd, p.in.buf + p.in.len, 1 << 16) : -1;
            if (n <= 0)
                give_up("the server closed");
            p.in.len += (size_t)n;
        }
        hear(heard, i, p.in.buf, p.in.len - 1);
    }
    strbuf_release(&p.out);
    strbuf_release(&p.in);
}

/* ---- processes ---- */

static void echo(int fd)
{
    static char bytes[1 << 16];
    ssize_t n;
    while ((n = read(fd, bytes, sizeof(bytes))) > 0)
        write_all(fd, bytes, (size_t)n);
}

/* Whoever asks waits for the answer, so that a read gives a line. */
static void answer_lines(int fd)
{
    char asked[64] = "";
    struct strbuf line = STRBUF_INIT;
    while (read(fd, asked, sizeof(asked) - 1) > 0) {
        size_t len = strtoull(asked, NULL, 10);
        if (line.len <= len)
            strbuf_addchars(&line, 'x', len + 1 - line.len);
        if (line.failed)
            give_up("memory");
        line.buf[len] = '\n';
        write_all(fd, line.buf, len + 1);
        line.buf[len] = 'x';
    }
    strbuf_release(&line);
}

static void serve_each(int listener, void (*serve)(int fd))
{
    int fd;
    while ((fd = accept(listener, NULL, NULL)) >= 0) {
        serve(fd);
        close(fd);
    }
    _exit(0);
}

static pid_t start_peer(const char *path, void (*serve)(int fd))
{
    struct sockaddr_un address = address_of(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(path);
    if (listener < 0 || bind(listener, (const struct sockaddr *)&address, sizeof(address)) ||
        listen(listener, 4))
        give_up(path);
    pid_t pid = fork();
    if (pid == 0)
        serve_each(listener, serve);
    close(listener);
    return pid;
}

pid_t wire_echo_start(const char *path)
{
    return start_peer(path, echo);
}

pid_t wire_lines_start(const char *path)
{
    return start_peer(path, answer_lines);
}

pid_t wire_start(const char *const *argv, int *in, int *out)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
        give_up("pipe");
    pid_t pid = fork();
    if (pid == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    *in = to[1];
    *out = from[0];
    return pid;
}

void wire_stop(pid_t pid)
{
    kill(pid, SIGTERM);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
