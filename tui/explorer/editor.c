#include "tui/explorer/editor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tui/explorer/app.h"
#include "tui/term/signals.h"

#define TEXT_MOST (64u * 1024 * 1024) /* more than that is no text that was typed */

extern char **environ;

/* ---- the file ---- */

struct edited_file {
    char directory[300], path[400];
};

static const char *base_directory(void)
{
    static const char *const names[] = {"XDG_RUNTIME_DIR", "TMPDIR"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *base = getenv(names[i]);
        if (base && *base == '/' && strlen(base) < 200 && access(base, W_OK | X_OK) == 0)
            return base;
    }
    return "/tmp";
}

static int make_place(struct edited_file *p, const char *name, struct error *e)
{
    snprintf(p->directory, sizeof(p->directory), "%s/stemma-edit-XXXXXX", base_directory());
    if (!mkdtemp(p->directory))
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory that can be written.",
                         "no directory can be made for what is edited: %s", strerror(errno));
    snprintf(p->path, sizeof(p->path), "%s/%s", p->directory, name);
    return 0;
}

/* Editors leave copies beside the file. */
static void remove_place(const struct edited_file *p)
{
    DIR *dir = opendir(p->directory);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(p->directory);
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return true;
}

static bool ends_with_line(const struct strbuf *text)
{
    return text->len > 0 && text->buf[text->len - 1] == '\n';
}

static int write_text(const struct edited_file *p, const struct strbuf *text, struct error *e)
{
    int fd = open(p->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool failed = fd < 0 || !write_all(fd, text->buf, text->len) ||
                  (!ends_with_line(text) && !write_all(fd, "\n", 1));
    int why = errno;
    if (fd >= 0 && close(fd) && !failed) {
        failed = true;
        why = errno;
    }
    if (failed)
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory with room.",
                         "the text cannot be written for the editor: %s", strerror(why));
    return 0;
}

/* The text stays where there is no file to read. */
static int read_text(const struct edited_file *p, struct strbuf *text, struct error *e)
{
    struct strbuf got = STRBUF_INIT;
    char block[16384];
    ssize_t n = 0;
    bool line = ends_with_line(text);
    int fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (fd >= 0 && got.len <= TEXT_MOST &&
           ((n = read(fd, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0)
            strbuf_add(&got, block, (size_t)n);
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0 || n < 0 || got.len > TEXT_MOST) {
        strbuf_release(&got);
        return error_set(e, ERROR_STORE, "", "what the editor left cannot be read: %s",
                         fd < 0 || n < 0 ? strerror(why) : "it is too long");
    }
    if (!line && ends_with_line(&got))
        strbuf_cut(&got, got.len - 1);
    strbuf_release(text);
    *text = got;
    return 0;
}

/* ---- the editor ---- */

static const char *editor_name(void)
{
    static const char *const names[] = {"VISUAL", "EDITOR"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *editor = getenv(names[i]);
        if (editor && *editor)
            return editor;
    }
    return "vi";
}

/* The name may hold arguments, so a shell takes it apart; the path is never seen by it. */
static int spawn(struct app *x, const char *path, pid_t *pid)
{
    struct strbuf command = STRBUF_INIT;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    strbuf_addf(&command, "%s \"$1\"", editor_name());
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"},          command.buf,
                    (char[]){"sh"}, (char *)(uintptr_t)path, NULL};
    posix_spawn_file_actions_init(&actions);
    if (x->ui.screen.fd < 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &x->ui.wait_mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    strbuf_release(&command);
    return failed;
}

/* What asks the explorer to end asks the editor too; the rest is the editor's business. */
static void pass_signals(struct app *x, pid_t pid)
{
    struct pollfd ready = {.fd = signals_fd(), .events = POLLIN};
    ppoll(&ready, 1, NULL, &x->ui.wait_mask);
    if (signals_take() & SIGNAL_BIT_END && app_is_ended(x))
        kill(pid, x->ui.ended_by);
}

/*
 * The editor is stopped, by its person's C-z, and the explorer with it. False: the explorer is to end, and waits no
 * more for the editor, which would be stopped again as it gives back a terminal that is another's by now.
 */
static bool stop_with(struct app *x, pid_t pid)
{
    if (!app_is_ended(x))
        suspend_now(SIGSTOP);
    bool ended = app_is_ended(x);
    if (ended)
        kill(pid, x->ui.ended_by);
    kill(pid, SIGCONT);
    return !ended;
}

static int wait_for(struct app *x, pid_t pid)
{
    int status = 0;
    for (;;) {
        bool seen = x->ui.screen.fd >= 0;
        pid_t got = waitpid(pid, &status, seen ? WNOHANG | WUNTRACED : 0);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == pid && (!WIFSTOPPED(status) || !stop_with(x, pid)))
            return status;
        if (got != pid && seen)
            pass_signals(x, pid);
    }
}

static int judge(int status, struct error *e)
{
    static const char todo[] = "Set EDITOR to the one that you use.";
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (WIFSIGNALED(status) || code > 128)
        return error_set(e, ERROR_STORE, "", "the editor was ended by signal %d",
                         WIFSIGNALED(status) ? WTERMSIG(status) : code - 128);
    if (code == 127)
        return error_set(e, ERROR_STORE, todo, "there is no editor `%.100s`", editor_name());
    if (code)
        return error_set(e, ERROR_STORE, "", "the editor failed (exit status %d)", code);
    return 0;
}

static int edit(struct app *x, const struct edited_file *p, struct error *e)
{
    pid_t pid;
    screen_leave(&x->ui.screen);
    int failed = spawn(x, p->path, &pid);
    int status = failed ? -1 : wait_for(x, pid);
    screen_repaint(&x->ui.screen);
    if (failed)
        return error_set(e, ERROR_STORE, "", "no editor can be started: %s", strerror(failed));
    return judge(status, e);
}

/* An editor that failed changes nothing. What it left may be half of a text: it stays where it is, and that is said. */
static bool keeps_what_it_left(const struct edited_file *p, const struct strbuf *text,
                               struct error *e)
{
    struct strbuf left = STRBUF_INIT;
    struct error ignored;
    strbuf_add(&left, text->buf, text->len);
    bool other = !read_text(p, &left, &ignored) && strcmp(left.buf, text->buf) != 0;
    if (other) {
        snprintf(e->todo, sizeof(e->todo), "What it left is in %.200s.", p->path);
        e->todo_quotes = true;
    }
    strbuf_release(&left);
    return other;
}

int editor_run(struct app *x, const char *name, struct strbuf *text, struct error *e)
{
    struct edited_file file = {"", ""};
    bool kept = false;
    if (make_place(&file, name, e))
        return -1;
    int result = write_text(&file, text, e);
    if (!result && edit(x, &file, e)) {
        kept = keeps_what_it_left(&file, text, e);
        result = -1;
    } else if (!result) {
        result = read_text(&file, text, e);
    }
    if (!kept)
        remove_place(&file);
    return result;
}
