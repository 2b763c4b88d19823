#include "tui/term/clipboard.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/base64.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/platform/platform.h"

extern char **environ;

static void add_base64(struct strbuf *out, const char *bytes, size_t len)
{
    size_t room = BASE64_ENCODE_RAW_LENGTH(len);
    if (!strbuf_grow(out, room))
        return;
    char *at = out->buf + out->len;
    base64_encode_raw(at, len, (const uint8_t *)bytes);
    out->len += room;
    out->buf[out->len] = '\0';
}

void clipboard_sequence(struct strbuf *out, const char *bytes, size_t len, int tmux)
{
    /* tmux takes it for its own buffer, and hands it on to the terminal it runs in. */
    strbuf_addstr(out, "\033]52;c;");
    add_base64(out, bytes, len);
    strbuf_addstr(out, "\a");
    if (!tmux)
        return;
    strbuf_addstr(out, "\033Ptmux;\033\033]52;c;");
    add_base64(out, bytes, len);
    strbuf_addstr(out, "\a\033\\");
}

static bool in_path(const char *program)
{
    const char *path = getenv("PATH");
    char full[4096];
    while (path && *path) {
        size_t len = strcspn(path, ":");
        snprintf(full, sizeof(full), "%.*s/%s", (int)len, path, program);
        if (access(full, X_OK) == 0)
            return true;
        path += len + (path[len] == ':');
    }
    return false;
}

/* The program that sets the clipboard of the screen that this runs on; NULL: none. */
static const char *const *find_program(void)
{
    static const char *const wl_copy[] = {"wl-copy", NULL};
    static const char *const xclip[] = {"xclip", "-selection", "clipboard", NULL};
    static const char *const pbcopy[] = {"pbcopy", NULL};
    if (getenv("SSH_CONNECTION") || getenv("SSH_TTY"))
        return NULL;
    if (getenv("WAYLAND_DISPLAY") && in_path("wl-copy"))
        return wl_copy;
    if (getenv("DISPLAY") && in_path("xclip"))
        return xclip;
    return in_path("pbcopy") ? pbcopy : NULL;
}

/* Feeds it for a second at most: a program that does not read must not hold up the explorer. */
static bool feed(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        if (poll(&ready, 1, 1000) <= 0 || !(ready.revents & POLLOUT))
            return false;
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return true;
}

static bool run_program(const char *const *program, const char *bytes, size_t len)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int pipes[2], status = -1;
    char *argv[4] = {NULL};
    if (platform_pipe(pipes, false))
        return false;
    for (int i = 0; i < 3 && program[i]; i++)
        argv[i] = (char *)(uintptr_t)program[i];
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[0]);
    fcntl(pipes[1], F_SETFL, O_NONBLOCK);
    bool fed = !failed && feed(pipes[1], bytes, len);
    close(pipes[1]);
    if (failed)
        return false;
    if (!fed)
        kill(pid, SIGTERM);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return fed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *clipboard_set(struct screen *s, bool programs, const char *bytes, size_t len)
{
    static char by[64];
    struct strbuf sequence = STRBUF_INIT;
    const char *const *program = programs && s->fd >= 0 ? find_program() : NULL;
    if (program && run_program(program, bytes, len)) {
        snprintf(by, sizeof(by), "by %s", program[0]);
        return by;
    }
    if (len > CLIPBOARD_MOST)
        return NULL;
    clipboard_sequence(&sequence, bytes, len, getenv("TMUX") != NULL);
    screen_send(s, sequence.buf, sequence.len);
    strbuf_release(&sequence);
    return getenv("TMUX") ? "through tmux and the terminal" : "through the terminal";
}
