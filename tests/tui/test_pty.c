/*
 * The real program in a real pseudo-terminal: what reaches the terminal, and that the terminal comes
 * back whatever ends the program. Nothing here is timed: it waits for what must come.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <vterm.h>
#include "../../model/strbuf.h"
#include "../../model/utf8.h"
#include "../support/scratch.h"
#include "../support/script.h"

#define PATIENCE 60000 /* ms until what does not come is a failure */

struct terminal {
    pid_t pid;
    int fd;
    struct termios before;
    struct strbuf bytes; /* all that came */
    VTerm *vterm;
    VTermScreen *screen;
    int rows, columns;
    bool ended;
};

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

static void run_as_job(int tell, const char *program, const char *store);

/* `tell`: the program is a job of its own, and says there when it stopped; -1: it is not. */
static void start_job(struct terminal *t, const char *store, int rows, int columns, int tell)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    const char *program = getenv("STEMMA");
    *t = (struct terminal){.bytes = STRBUF_INIT, .rows = rows, .columns = columns};
    if (!program)
        program = "./stemma";
    t->pid = forkpty(&t->fd, NULL, NULL, &size);
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        unsetenv("NO_COLOR");
        unsetenv("TMUX");
        unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
        if (tell >= 0)
            run_as_job(tell, program, store);
        execl(program, program, "--store", store, (char *)NULL);
        _exit(127);
    }
    tcgetattr(t->fd, &t->before);
    t->vterm = vterm_new(rows, columns);
    vterm_set_utf8(t->vterm, 1);
    t->screen = vterm_obtain_screen(t->vterm);
    vterm_screen_reset(t->screen, 1);
    vterm_screen_enable_altscreen(t->screen, 1);
}

static void start(struct terminal *t, const char *store, int rows, int columns)
{
    start_job(t, store, rows, columns, -1);
}

/*
 * The program as a job of a session that has another process, as under a shell: a job that no one
 * could continue is not stopped by the system. Says on `stopped` when it stopped, and `job` gets its
 * number; ends as it ended.
 */
static void run_as_job(int tell, const char *program, const char *store)
{
    int status;
    signal(SIGTTOU, SIG_IGN);
    pid_t job = fork();
    if (job == 0) {
        setpgid(0, 0);
        tcsetpgrp(0, getpid());
        signal(SIGTTOU, SIG_DFL);
        execl(program, program, "--store", store, (char *)NULL);
        _exit(127);
    }
    ssize_t n = write(tell, &job, sizeof(job));
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status))
        n += write(tell, &job, sizeof(job));
    _exit(n > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static void row_text(struct terminal *t, int row, struct strbuf *out)
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

static void trimmed_row(struct terminal *t, int row, struct strbuf *out)
{
    row_text(t, row, out);
    while (out->len > 1 && out->buf[out->len - 2] == ' ') {
        strbuf_cut(out, out->len - 2);
        strbuf_addch(out, '\n');
    }
}

static bool shows(struct terminal *t, const char *text)
{
    struct strbuf all = STRBUF_INIT;
    for (int row = 0; row < t->rows; row++)
        row_text(t, row, &all);
    bool found = strstr(all.buf, text) != NULL;
    strbuf_release(&all);
    return found;
}

/* Within a synchronized update what the terminal holds is neither the old frame nor the new one. */
static bool is_whole(const struct terminal *t)
{
    const char *begun = NULL, *ended = NULL, *at = t->bytes.buf;
    while ((at = strstr(at, "\033[?2026"))) {
        *(at[7] == 'h' ? &begun : &ended) = at;
        at++;
    }
    return !begun || (ended && ended > begun);
}

static bool read_some(struct terminal *t)
{
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    if (t->ended || poll(&ready, 1, PATIENCE) <= 0)
        return false;
    take(t);
    return true;
}

static void wait_until_shows(struct terminal *t, const char *text)
{
    while (!is_whole(t) || !shows(t, text))
        if (!read_some(t))
            fail_msg("the screen never showed \"%s\"; it got: %.2000s", text, t->bytes.buf);
}

static bool holds(const struct terminal *t, size_t from, const char *bytes)
{
    return from <= t->bytes.len &&
           memmem(t->bytes.buf + from, t->bytes.len - from, bytes, strlen(bytes)) != NULL;
}

static void wait_until_got(struct terminal *t, size_t from, const char *bytes)
{
    while (!holds(t, from, bytes))
        if (!read_some(t))
            fail_msg("the terminal never got %s", bytes + 1);
}

static void type(struct terminal *t, const char *keys)
{
    assert_int_equal(write(t->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Types, and waits for the frame that follows. */
static void type_and_see(struct terminal *t, const char *keys)
{
    size_t before = t->bytes.len;
    type(t, keys);
    wait_until_got(t, before, "\033[?2026l");
}

/* Reads to the end, and how it ended. */
static int finish(struct terminal *t)
{
    int status = 0;
    while (read_some(t))
        ;
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    return status;
}

static void release(struct terminal *t)
{
    vterm_free(t->vterm);
    strbuf_release(&t->bytes);
    close(t->fd);
}

/* ---- what reached the terminal ---- */

struct modes {
    bool alternate, hidden, paste, mouse, keypad, updating;
    size_t updates, ended_twice;
};

static void set_mode(struct modes *m, const char *numbers, bool on)
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

/* A control sequence; returns its length. */
static size_t check_csi(struct modes *m, const char *s, size_t len)
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

static size_t check_escape(struct modes *m, const char *s, size_t len)
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

/* Fails where anything reached the terminal that must not. */
static struct modes check_bytes(const struct terminal *t)
{
    struct modes m = {0};
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

static void assert_restored_after(struct terminal *t, bool crashed)
{
    struct modes m = check_bytes(t);
    struct termios now;
    assert_true(m.ended_twice <= (crashed ? 1 : 0)); /* it may crash right behind an end */
    assert_false(m.alternate || m.hidden || m.paste || m.mouse || m.keypad || m.updating);
    assert_int_equal(tcgetattr(t->fd, &now), 0);
    assert_int_equal(now.c_lflag, t->before.c_lflag);
    assert_int_equal(now.c_iflag, t->before.c_iflag);
    assert_int_equal(now.c_oflag, t->before.c_oflag);
}

static void assert_restored(struct terminal *t)
{
    assert_restored_after(t, false);
}

/* ---- the tests ---- */

struct state {
    char *demo, *hostile, *wide;
};

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    struct script script;
    script_open_demo(&script);
    s->demo = strdup(store_path(script.store));
    store_close(script.store);
    script_close(&script);
    s->hostile = scratch_path("hostile.db");
    struct store *hostile = scratch_store(s->hostile);
    script_put_hostile(hostile, 3);
    store_close(hostile);
    s->wide = scratch_path("wide.db");
    struct store *wide = scratch_store(s->wide);
    script_put_wide(wide);
    store_close(wide);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    free(s->demo);
    free(s->hostile);
    free(s->wide);
    free(s);
    return 0;
}

static void test_first_frame_and_quit(void **state)
{
    struct state *s = *state;
    struct terminal t;
    start(&t, s->demo, 24, 80);
    wait_until_shows(&t, "Never skip staging");
    wait_until_shows(&t, "q back  ? help");
    type(&t, "q");
    int status = finish(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_restored(&t);
    assert_true(check_bytes(&t).updates > 0);
    release(&t);
}

static void test_signals_that_end(void **state)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT};
    struct state *s = *state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct terminal t;
        start(&t, s->demo, 24, 80);
        wait_until_shows(&t, "? help");
        type(&t, "M"); /* the mouse too must be given back */
        wait_until_shows(&t, "the mouse selects");
        kill(t.pid, signals[i]);
        int status = finish(&t);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        assert_restored(&t);
        release(&t);
    }
}

static void test_crashes(void **state)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct state *s = *state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct terminal t;
        start(&t, s->demo, 24, 80);
        wait_until_shows(&t, "? help");
        kill(t.pid, signals[i]);
        int status = finish(&t);
        /* A sanitizer's own report ends it with a status. */
        assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
        const char *report = memmem(t.bytes.buf, t.bytes.len, "stemma ", 7);
        assert_non_null(strstr(t.bytes.buf, "crashed"));
        assert_non_null(report);
        assert_restored_after(&t, true);
        release(&t);
    }
}

static void test_stop_and_continue(void **state)
{
    struct state *s = *state;
    struct terminal t;
    int tell[2];
    pid_t job, stopped;
    assert_int_equal(pipe(tell), 0);
    start_job(&t, s->demo, 24, 80, tell[1]);
    assert_int_equal(read(tell[0], &job, sizeof(job)), sizeof(job));
    wait_until_shows(&t, "? help");
    size_t before = t.bytes.len;
    type(&t, "\032");
    assert_int_equal(read(tell[0], &stopped, sizeof(stopped)), sizeof(stopped));
    wait_until_got(&t, before, "\033[?1l\033>");
    assert_restored(&t);
    before = t.bytes.len;
    kill(job, SIGCONT);
    wait_until_got(&t, before, "\033[?2026l");
    type(&t, "?");
    wait_until_shows(&t, "to the next line");
    type_and_see(&t, "\033");
    wait_until_shows(&t, "q back");
    type(&t, "Q");
    finish(&t);
    assert_restored(&t);
    release(&t);
    close(tell[0]);
    close(tell[1]);
}

/* The window is closed, or the connection is lost. */
static void test_hangup(void **state)
{
    struct state *s = *state;
    struct terminal t;
    int status;
    start(&t, s->demo, 24, 80);
    wait_until_shows(&t, "? help");
    close(t.fd);
    assert_int_equal(waitpid(t.pid, &status, 0), t.pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
    t.fd = open("/dev/null", O_RDONLY);
    release(&t);
}

static void test_pointer(void **state)
{
    struct state *s = *state;
    struct terminal t;
    start(&t, s->demo, 24, 80);
    wait_until_shows(&t, "17 · created");
    type(&t, "M");
    wait_until_shows(&t, "the mouse selects");
    type(&t, "\033[<0;10;6M\033[<0;10;6m");
    wait_until_shows(&t, "4/17");
    type(&t, "\033[<0;10;6M\033[<0;10;6m");
    wait_until_shows(&t, "4 of 17");
    type(&t, "q");
    wait_until_shows(&t, "4/17");
    for (int i = 0; i < 4; i++)
        type(&t, "\033[<65;10;6M");
    wait_until_shows(&t, "Mistakes are information");
    type(&t, "\033[<0;78;24M\033[<0;78;24m"); /* "help" in the key bar */
    wait_until_shows(&t, "to the next line");
    type(&t, "\033");
    wait_until_shows(&t, "q back");
    type(&t, "M");
    wait_until_shows(&t, "the mouse is the terminal's");
    type(&t, "Q");
    finish(&t);
    assert_restored(&t);
    release(&t);
}

static void test_interrupt_ends_nothing(void **state)
{
    struct state *s = *state;
    struct terminal t;
    start(&t, s->demo, 24, 80);
    wait_until_shows(&t, "17 · created");
    type(&t, "\003");
    wait_until_shows(&t, "nothing is running");
    kill(t.pid, SIGINT);
    type(&t, "Q");
    int status = finish(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    release(&t);
}

static void test_resize(void **state)
{
    struct state *s = *state;
    struct terminal t;
    start(&t, s->demo, 24, 80);
    wait_until_shows(&t, "? help");
    for (int n = 1; n < 40; n += 3) {
        struct winsize size = {.ws_row = (unsigned short)n, .ws_col = (unsigned short)(n * 2)};
        ioctl(t.fd, TIOCSWINSZ, &size);
        type(&t, "j");
    }
    struct winsize size = {.ws_row = 30, .ws_col = 100};
    ioctl(t.fd, TIOCSWINSZ, &size);
    t.rows = 30;
    t.columns = 100;
    vterm_set_size(t.vterm, 30, 100);
    type(&t, "\f");
    wait_until_shows(&t, "w what if  \\ filter  / search");
    type(&t, "Q");
    finish(&t);
    release(&t);
}

/* A paste never runs as keys, and goes into a text field as text. */
static void test_paste(void **state)
{
    struct state *s = *state;
    struct terminal t;
    start(&t, s->demo, 24, 80);
    wait_until_shows(&t, "? help");
    type(&t, "\033[200~QQQ\r\033[201~");
    wait_until_shows(&t, "a paste goes only into a text field");
    type(&t, "/\033[200~staging\nQ\033[201~");
    wait_until_shows(&t, "/staging Q");
    type_and_see(&t, "\033");
    wait_until_shows(&t, "q back");
    type(&t, "Q");
    finish(&t);
    check_bytes(&t);
    release(&t);
}

/* Late answers of the terminal and keys that no one knows are never commands; arrows are arrows in
 * either form, and a click is one though it comes with its release. */
static void test_sequences(void **state)
{
    static const char *const none[] = {
        "\033[?1;2c",       "\033[5;5R",     "\033]11;rgb:0000/QQQ/q\a",
        "\033P1$rQq\033\\", "\033[I",        "\033_GQ\033\\",
        "\033[27;5;9~",     "\033[99~",      "\033[<0;9;9M",
        "\033[<0;9;9m",     "\033[<65;9;9M",
    };
    struct state *s = *state;
    struct terminal t;
    start(&t, s->demo, 24, 80);
    wait_until_shows(&t, " 1/17");
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        type(&t, none[i]);
    type(&t, "\033[B\033OB\033[1;5B\033[1;2B");
    wait_until_shows(&t, " 5/17");
    type(&t, "\033[F");
    wait_until_shows(&t, " 17/17");
    type(&t, "\033[H");
    wait_until_shows(&t, " 1/17");
    type(&t, "M");
    wait_until_shows(&t, "the mouse selects");
    type(&t, "\033[<0;9;5M\033[<0;9;5m");
    wait_until_shows(&t, " 3/17");
    type(&t, "\033[<0;3;24M\033[<0;3;24m"); /* the key bar's first word */
    wait_until_shows(&t, "3 of 17");
    type(&t, "Q");
    finish(&t);
    check_bytes(&t);
    release(&t);
}

/* Every field of text is hostile; every view is looked at. */
static void test_hostile_text(void **state)
{
    static const char *const keys[] = {
        "G",    "g",    "0",    "\r",   "\t",   "\t",   "\033", "f",  "l",     "\r",   "\033",
        "r",    "\033", "3",    "jjjj", "\r",   "T",    "\033", "!",  "jjj",   "\r",   "\033",
        "\033", "w",    "\033", "A",    "\033", "/e\r", "n",    "n",  "\\e\r", "\033", "Sa\r",
        "\r",   "yi",   "yj",   "yy",   "Y",    "y",    "?",    "ma", "\033",
    };
    struct state *s = *state;
    struct terminal t;
    start(&t, s->hostile, 40, 130);
    wait_until_shows(&t, "? help");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        type_and_see(&t, keys[i]);
    }
    kill(t.pid, SIGTERM);
    int status = finish(&t);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_restored(&t);
    release(&t);
}

static void fail_difference(const char *typed, const char *wanted, const char *got)
{
    while (*wanted && *wanted == *got) {
        const char *end = strchr(wanted, '\n');
        size_t line = end ? (size_t)(end - wanted) + 1 : strlen(wanted);
        if (strncmp(wanted, got, line) != 0)
            break;
        wanted += line;
        got += line;
    }
    fail_msg("after %s the terminal shows\n%.*s\nand not\n%.*s", typed, (int)strcspn(got, "\n"),
             got, (int)strcspn(wanted, "\n"), wanted);
}

/*
 * What a terminal shows is what the program believes that it shows, cell by cell: wide characters
 * that are drawn over by halves leave nothing behind.
 */
static void test_wide_text_is_not_torn(void **state)
{
    static const char *const keys[] = {"T",    "j", "j", "o", "\033", "j", ":",
                                       "\033", "l", "l", "j", "\r",   "T", "G"};
    struct state *s = *state;
    struct store *store = scratch_store(s->wide);
    struct script script;
    script_open(&script, store);
    for (int columns = 60; columns < 66; columns++) {
        struct terminal t;
        struct strbuf typed = STRBUF_INIT, got = STRBUF_INIT;
        start(&t, s->wide, 24, columns);
        wait_until_shows(&t, "12 · created");
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
            strbuf_addstr(&typed, *keys[i] == 033    ? "<Esc>"
                                  : *keys[i] == '\r' ? "<Enter>"
                                                     : keys[i]);
            type(&t, keys[i]);
            script.columns = columns;
            const char *wanted = script_run(&script, typed.buf);
            size_t len = (size_t)(strstr(wanted, "-- cursor") - wanted);
            /* Frames may come on the way there; the last of them is this one. */
            for (;;) {
                strbuf_clear(&got);
                for (int row = 0; row < t.rows; row++)
                    trimmed_row(&t, row, &got);
                if (is_whole(&t) && got.len == len && !memcmp(got.buf, wanted, len))
                    break;
                if (!read_some(&t))
                    fail_difference(typed.buf, wanted, got.buf);
            }
        }
        kill(t.pid, SIGTERM);
        finish(&t);
        strbuf_release(&typed);
        strbuf_release(&got);
        release(&t);
    }
    script_close(&script);
    store_close(store);
}

static void test_no_terminal(void **state)
{
    struct state *s = *state;
    struct terminal t;
    setenv("TERM", "dumb", 1);
    start(&t, s->demo, 24, 80);
    type(&t, "Q");
    finish(&t);
    assert_restored(&t);
    release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_frame_and_quit),
        cmocka_unit_test(test_signals_that_end),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_stop_and_continue),
        cmocka_unit_test(test_hangup),
        cmocka_unit_test(test_pointer),
        cmocka_unit_test(test_interrupt_ends_nothing),
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_paste),
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_hostile_text),
        cmocka_unit_test(test_wide_text_is_not_torn),
        cmocka_unit_test(test_no_terminal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
