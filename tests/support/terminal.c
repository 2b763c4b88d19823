#include "tests/support/terminal.h"

#include <errno.h>
#include <glob.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>
#include "model/base/utf8.h"
#include "store/db/thread.h"
#include "tests/support/scratch.h"

#define ESCAPE_QUIET 100   /* ms */
#define FRAME_QUIET  1000  /* ms without output: the keys changed nothing */
#define PATIENCE     60000 /* ms without output until the test fails */
#define LONGEST      300000 /* ms to wait if there is output, as there is once a minute for the ages */

static void take(struct terminal *t)
{
    char bytes[65536];
    ssize_t n = read(t->fd, bytes, sizeof(bytes));
    if (n <= 0) {
        t->ended = n == 0 || errno != EINTR;
        return;
    }
    strbuf_add(&t->bytes, bytes, (size_t)n);
    vterm_input_write(t->vterm, bytes, (size_t)n);
}

static void set_environment(void)
{
    static const char *const without[] = {"NO_COLOR",
                                          "TMUX",
                                          "DISPLAY",
                                          "WAYLAND_DISPLAY",
                                          "COLORTERM",
                                          "COLORFGBG",
                                          "VTE_VERSION",
                                          "KONSOLE_VERSION",
                                          "KITTY_WINDOW_ID",
                                          "WT_SESSION",
                                          "DOMTERM",
                                          "TERM_PROGRAM",
                                          "STY",
                                          "ALACRITTY_WINDOW_ID"};
    const char *locale = getenv("TERMINAL_LOCALE"), *name = getenv("TERMINAL_NAME");
    const char *colours = getenv("TERMINAL_COLOURS");
    setenv("TERM", name ? name : "xterm-256color", 1);
    setenv("LC_ALL", locale ? locale : "C.UTF-8", 1);
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
        unsetenv(without[i]);
    if (colours)
        setenv("COLORTERM", colours, 1);
}

/* Each start begins anew, not where the last one on that store ended. */
static void forget_places(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char pattern[600];
    glob_t found;
    snprintf(pattern, sizeof(pattern), "%s%s/stemma/places/*",
             state  ? state
             : home ? home
                    : "",
             state ? "" : "/.local/state");
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            unlink(found.gl_pathv[i]);
    globfree(&found);
}

static void run(const char *store)
{
    const char *program = getenv("STEMMA");
    forget_places();
    program = program ? program : "./stemma";
    execl(program, program, "--store", store, (char *)NULL);
    _exit(127);
}

/* Returns 0 in the child, whose structure must not be used. Reads the terminal modes before the
 * fork, since the child changes them. */
static pid_t open_terminal(struct terminal *t, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    int theirs;
    *t = (struct terminal){.bytes = STRBUF_INIT, .rows = rows, .columns = columns, .shell = -1};
    assert_int_equal(openpty(&t->fd, &theirs, NULL, NULL, &size), 0);
    assert_int_equal(tcgetattr(t->fd, &t->before), 0);
    t->pid = fork();
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        close(t->fd);
        if (login_tty(theirs))
            _exit(127);
        set_environment();
        return 0;
    }
    close(theirs);
    t->vterm = vterm_new(rows, columns);
    vterm_set_utf8(t->vterm, 1);
    t->screen = vterm_obtain_screen(t->vterm);
    vterm_screen_reset(t->screen, 1);
    vterm_screen_enable_altscreen(t->screen, 1);
    return t->pid;
}

void terminal_start(struct terminal *t, const char *store, int rows, int columns)
{
    if (open_terminal(t, rows, columns) == 0)
        run(store);
}

void terminal_resize(struct terminal *t, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &size), 0);
    t->rows = rows;
    t->columns = columns;
    vterm_set_size(t->vterm, rows, columns);
}

/* ---- a job of a shell ---- */

static pid_t begin_job(const char *store, enum job_order begun)
{
    pid_t job = fork();
    if (job != 0)
        return job;
    setpgid(0, 0);
    if (begun == JOB_FG)
        tcsetpgrp(STDIN_FILENO, getpid());
    signal(SIGTTOU, SIG_DFL);
    run(store);
    return 0;
}

static void follow_order(pid_t job, enum job_order order)
{
    if (order == JOB_FG)
        tcsetpgrp(STDIN_FILENO, job);
    if (order == JOB_KILL)
        kill(-job, SIGTERM);
    kill(-job, SIGCONT);
}

/* The shell of a job, in a session with another process than the job: the system does not stop
 * an orphaned process group. */
static void be_shell(int wire, const char *store, enum job_order begun)
{
    enum job_order order;
    int status;
    signal(SIGTTOU, SIG_IGN);
    pid_t job = begin_job(store, begun);
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
        tcsetpgrp(STDIN_FILENO, getpgrp());
        if (write(wire, "", 1) != 1 || read(wire, &order, sizeof(order)) != sizeof(order))
            _exit(1);
        follow_order(job, order);
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void terminal_start_job(struct terminal *t, const char *store, int rows, int columns,
                        enum job_order begun)
{
    int wire[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wire), 0);
    if (open_terminal(t, rows, columns) == 0) {
        close(wire[0]);
        be_shell(wire[1], store, begun);
    }
    close(wire[1]);
    t->shell = wire[0];
}

/* Reads the output of the job meanwhile. */
void terminal_wait_stopped(struct terminal *t)
{
    char told;
    struct pollfd ready[] = {{t->shell, POLLIN, 0}, {t->fd, POLLIN, 0}};
    do {
        assert_true(poll(ready, 2, PATIENCE) > 0);
        if (ready[1].revents)
            terminal_read(t);
    } while (!ready[0].revents);
    assert_int_equal(read(t->shell, &told, 1), 1);
}

void terminal_order(struct terminal *t, enum job_order order)
{
    assert_int_equal(write(t->shell, &order, sizeof(order)), sizeof(order));
}

/* ---- the screen ---- */

void terminal_row(struct terminal *t, int row, struct strbuf *out)
{
    for (int column = 0; column < t->columns; column++) {
        VTermScreenCell cell;
        char bytes[4];
        VTermPos at = {.row = row, .col = column};
        vterm_screen_get_cell(t->screen, at, &cell);
        if (cell.chars[0] == (uint32_t)-1) /* the right half of a wide character */
            continue;
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
            strbuf_add(out, bytes, (size_t)utf8_encode(cell.chars[i], bytes));
        if (!cell.chars[0])
            strbuf_addch(out, ' ');
    }
    strbuf_addch(out, '\n');
}

void terminal_row_trimmed(struct terminal *t, int row, struct strbuf *out)
{
    terminal_row(t, row, out);
    while (out->len > 1 && out->buf[out->len - 2] == ' ') {
        strbuf_cut(out, out->len - 2);
        strbuf_addch(out, '\n');
    }
}

bool terminal_shows(struct terminal *t, const char *text)
{
    AUTO_STRBUF all = STRBUF_INIT;
    for (int row = 0; row < t->rows; row++)
        terminal_row(t, row, &all);
    return strstr(all.buf, text) != NULL;
}

bool terminal_is_whole(const struct terminal *t)
{
    const char *begun = NULL, *ended = NULL, *at = t->bytes.buf;
    while ((at = strstr(at, "\033[?2026"))) {
        *(at[7] == 'h' ? &begun : &ended) = at;
        at++;
    }
    return !begun || (ended && ended > begun);
}

bool terminal_read(struct terminal *t)
{
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    if (t->ended || poll(&ready, 1, PATIENCE) <= 0)
        return false;
    take(t);
    return true;
}

/* Ends the program, which would keep the store and its socket from the next test. */
static void give_up(struct terminal *t, const char *text)
{
    struct strbuf screen = STRBUF_INIT;
    for (int row = 0; row < t->rows; row++)
        terminal_row_trimmed(t, row, &screen);
    kill(t->pid, SIGKILL);
    fail_msg("the terminal never had \"%s\"; it has:\n%s", text, screen.buf);
}

void terminal_wait_shows(struct terminal *t, const char *text)
{
    int64_t end = monotonic_ms() + LONGEST;
    while (!terminal_is_whole(t) || !terminal_shows(t, text))
        if (monotonic_ms() > end || !terminal_read(t))
            give_up(t, text);
}

bool terminal_holds(const struct terminal *t, size_t from, const char *bytes)
{
    return from <= t->bytes.len &&
           memmem(t->bytes.buf + from, t->bytes.len - from, bytes, strlen(bytes)) != NULL;
}

void terminal_wait_got(struct terminal *t, size_t from, const char *bytes)
{
    int64_t end = monotonic_ms() + LONGEST;
    while (!terminal_holds(t, from, bytes))
        if (monotonic_ms() > end || !terminal_read(t))
            give_up(t, bytes[0] == '\033' ? bytes + 1 : bytes);
}

void terminal_type(struct terminal *t, const char *keys)
{
    assert_int_equal(write(t->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Waits until there is no more output: the last frame may come from a notification or an answer.
 * An Esc right before the next key would be read as Alt with that key. */
static void wait_quiet(struct terminal *t)
{
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    while (!t->ended && poll(&ready, 1, ESCAPE_QUIET) > 0)
        take(t);
}

void terminal_see(struct terminal *t, const char *keys, const char *text)
{
    terminal_type(t, keys);
    terminal_wait_shows(t, text);
}

void terminal_type_and_see(struct terminal *t, const char *keys)
{
    size_t before = t->bytes.len;
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    terminal_type(t, keys);
    /* A key that changes nothing sends no frame. */
    while (!terminal_holds(t, before, "\033[?2026l") && !t->ended &&
           poll(&ready, 1, FRAME_QUIET) > 0)
        take(t);
    if (keys[strlen(keys) - 1] == '\033')
        wait_quiet(t);
}

int terminal_finish(struct terminal *t)
{
    int status = 0;
    while (terminal_read(t))
        ;
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    return status;
}

void terminal_release(struct terminal *t)
{
    vterm_free(t->vterm);
    strbuf_release(&t->bytes);
    close(t->fd);
    if (t->shell >= 0)
        close(t->shell);
}

/* ---- the output ---- */

static void set_mode(struct terminal_modes *m, const char *numbers, bool on)
{
    if (!strcmp(numbers, "?2026")) {
        if (on && m->updating)
            fail_msg("a synchronized update begins within one");
        m->ended_twice += !on && !m->updating;
        m->updating = on;
        m->updates += on;
    } else if (!strcmp(numbers, "?1049")) {
        m->alternate = on;
    } else if (!strcmp(numbers, "?25") || !strcmp(numbers, "?12;25")) {
        m->hidden = !on;
    } else if (!strcmp(numbers, "?2004")) {
        m->paste = on;
    } else if (!strcmp(numbers, "?1000") || !strcmp(numbers, "?1002") ||
               !strcmp(numbers, "?1006") || !strcmp(numbers, "?1006;1000")) {
        m->mouse = on;
    } else if (!strcmp(numbers, "?1")) {
        m->keypad = on;
    } else if (strcmp(numbers, "4") != 0 && strcmp(numbers, "?7") != 0 &&
               strcmp(numbers, "?12") != 0) {
        fail_msg("the mode %s was set", numbers);
    }
}

/* Checks a control sequence. Returns its length. */
static size_t check_csi(struct terminal_modes *m, const char *s, size_t len)
{
    char numbers[64];
    size_t n = 0;
    while (n < len && ((s[n] >= '0' && s[n] <= '?')))
        n++;
    assert_true(n < len && n < sizeof(numbers));
    snprintf(numbers, sizeof(numbers), "%.*s", (int)n, s);
    if (s[n] == 'h' || s[n] == 'l')
        set_mode(m, numbers, s[n] == 'h');
    else if (s[n] == 't')
        assert_true(!strcmp(numbers, "22;0;0") || !strcmp(numbers, "23;0;0"));
    else if (!strchr("HABCDGdJKmrLMP@X", s[n]))
        fail_msg("the sequence CSI %s %c reached the terminal", numbers, s[n]);
    return n + 1;
}

/* "]8;PARAMETERS;URI", which ESC \ ends. The URI is empty, or of visible ASCII with a scheme that may be opened. */
static size_t check_link(const char *s, size_t len)
{
    const char *uri = memchr(s + 3, ';', len - 3), *end = uri;
    assert_non_null(uri);
    for (uri++, end = uri; end<s + len && * end> ' ' && *end < 0x7f; end++)
        ;
    assert_true(end + 1 < s + len && end[0] == '\033' && end[1] == '\\');
    if (end > uri && strncasecmp(uri, "http://", 7) && strncasecmp(uri, "https://", 8) &&
        strncasecmp(uri, "file://", 7))
        fail_msg("a link to %.40s reached the terminal", uri);
    return (size_t)(end + 2 - s);
}

static size_t check_escape(struct terminal_modes *m, const char *s, size_t len)
{
    assert_true(len > 0);
    if (*s == '[')
        return 1 + check_csi(m, s + 1, len - 1);
    if (*s == '(' && len > 1 && (s[1] == 'B' || s[1] == '0'))
        return 2;
    if (*s == '=' || *s == '>' || *s == '7' || *s == '8' || *s == 'M')
        return 1;
    if (len >= 5 && !memcmp(s, "]104\a", 5))
        return 5;
    if (len >= 6 && !memcmp(s, "]11;?\a", 6))
        return 6;
    if (len >= 6 && !memcmp(s, "]8;", 3))
        return check_link(s, len);
    if (len >= 7 && !memcmp(s, "]52;c;", 6)) {
        const char *end = memchr(s, '\a', len);
        assert_non_null(end);
        for (const char *c = s + 6; c < end; c++)
            assert_true((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
                        (*c >= 'a' && *c <= 'z') || strchr("+/=", *c));
        return (size_t)(end - s) + 1;
    }
    fail_msg("an escape sequence ESC %.10s reached the terminal", s);
    return 1;
}

struct terminal_modes terminal_check(const struct terminal *t)
{
    struct terminal_modes m = {0};
    const char *s = t->bytes.buf;
    for (size_t i = 0; i < t->bytes.len;) {
        uint32_t c;
        int n = utf8_decode(s + i, t->bytes.len - i, &c);
        if (n == 0)
            fail_msg("broken UTF-8 reached the terminal at byte %zu: %02x", i, s[i] & 0xff);
        i += (size_t)n;
        if (c == 033)
            i += check_escape(&m, s + i, t->bytes.len - i);
        else if (utf8_is_bidi(c) || (utf8_is_control(c) && c != '\r' && c != '\n' && c != '\b'))
            fail_msg("U+%04X reached the terminal", c);
    }
    return m;
}

void terminal_assert_restored_after(struct terminal *t, bool crashed)
{
    struct terminal_modes m = terminal_check(t);
    struct termios now;
    assert_true(m.ended_twice <= (crashed ? 1 : 0)); /* it may crash right after an end */
    assert_false(m.alternate || m.hidden || m.paste || m.mouse || m.keypad || m.updating);
    assert_int_equal(tcgetattr(t->fd, &now), 0);
    assert_int_equal(now.c_lflag, t->before.c_lflag);
    assert_int_equal(now.c_iflag, t->before.c_iflag);
    assert_int_equal(now.c_oflag, t->before.c_oflag);
}

void terminal_assert_restored(struct terminal *t)
{
    terminal_assert_restored_after(t, false);
}

void terminal_leave(struct terminal *t)
{
    terminal_type(t, "Q");
    int status = terminal_finish(t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    terminal_assert_restored(t);
    terminal_release(t);
}
