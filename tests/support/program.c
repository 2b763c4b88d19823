#include "tests/support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "tests/support/test.h"

#define ARGUMENTS_MAX 32

static void become(const char *const *arguments, int in, int out, int err)
{
    const char *path = getenv("STEMMA");
    char *argv[ARGUMENTS_MAX + 2];
    size_t count = 0;
    argv[count++] = (char *)(uintptr_t)(path ? path : "./stemma");
    while (*arguments && count <= ARGUMENTS_MAX)
        argv[count++] = (char *)(uintptr_t)*arguments++;
    argv[count] = NULL;
    dup2(in, STDIN_FILENO);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    else
        close(STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execv(argv[0], argv);
    _exit(127);
}

/* Reads what is available. Returns 0 at the end. */
static int take(struct pollfd *fd, struct strbuf *out)
{
    char block[65536];
    if (!(fd->revents & (POLLIN | POLLHUP | POLLERR)))
        return 1;
    ssize_t n = read(fd->fd, block, sizeof(block));
    if (n > 0) {
        strbuf_add(out, block, (size_t)n);
        return 1;
    }
    close(fd->fd);
    fd->fd = -1;
    return 0;
}

static void feed(struct pollfd *fd, const char **input, size_t *left)
{
    if (fd->fd < 0 || !(fd->revents & (POLLOUT | POLLERR | POLLHUP)))
        return;
    ssize_t n = *left ? write(fd->fd, *input, *left) : 0;
    if (n > 0) {
        *input += n;
        *left -= (size_t)n;
    }
    if (*left == 0 || (n < 0 && errno != EAGAIN)) {
        close(fd->fd);
        fd->fd = -1;
    }
}

/* Writes the input and reads until both outputs are closed. */
static void converse(int in, int out, int err, const char *input, struct strbuf *output,
                     struct strbuf *errors)
{
    struct pollfd fds[3] = {{in, POLLOUT, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
    size_t left = input ? strlen(input) : 0;
    fcntl(in, F_SETFL, O_NONBLOCK);
    while (fds[1].fd >= 0 || fds[2].fd >= 0) {
        if (poll(fds, 3, -1) < 0)
            continue;
        feed(&fds[0], &input, &left);
        take(&fds[1], output);
        take(&fds[2], errors);
    }
    if (fds[0].fd >= 0)
        close(fds[0].fd);
}

static void keep(struct program *p, int status, struct strbuf *output, struct strbuf *errors)
{
    strbuf_grow(output, 1);
    strbuf_grow(errors, 1);
    p->out = strbuf_detach(output, &p->out_len);
    p->err = strbuf_detach(errors, &p->err_len);
    p->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* With `out` -2, uses a pipe. */
static void run(struct program *p, const char *input, int out, const char *const *arguments)
{
    int in_pipe[2], out_pipe[2] = {-1, -1}, err_pipe[2], status;
    struct strbuf output = STRBUF_INIT, errors = STRBUF_INIT;
    program_release(p);
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe2(in_pipe, O_CLOEXEC), 0);
    assert_int_equal(pipe2(err_pipe, O_CLOEXEC), 0);
    if (out == -2)
        assert_int_equal(pipe2(out_pipe, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become(arguments, in_pipe[0], out == -2 ? out_pipe[1] : out, err_pipe[1]);
    close(in_pipe[0]);
    close(err_pipe[1]);
    if (out == -2)
        close(out_pipe[1]);
    else if (out >= 0)
        close(out);
    converse(in_pipe[1], out_pipe[0], err_pipe[0], input, &output, &errors);
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    keep(p, status, &output, &errors);
    assert_int_not_equal(p->status, 127); /* the program was not found */
}

int program_start(int *out, const char *const *arguments)
{
    int ends[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    assert_true(null >= 0);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become(arguments, null, ends[1], null);
    close(ends[1]);
    close(null);
    *out = ends[0];
    return child;
}

void program_run(struct program *p, const char *input, const char *const *arguments)
{
    run(p, input, -2, arguments);
}

void program_run_to(struct program *p, int output, const char *const *arguments)
{
    run(p, NULL, output, arguments);
}

void program_release(struct program *p)
{
    free(p->out);
    free(p->err);
    *p = (struct program){0};
}
