/*
 * The real program in a pseudo-terminal: what reaches the terminal, and that the terminal is restored whatever ends
 * the program. The tests wait for output, never for time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <vterm.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/open.h"
#include "store/platform/platform.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

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
    AUTO_FREE struct state *s = *state;
    free(s->demo);
    free(s->hostile);
    free(s->wide);
    return 0;
}

GROUP(set_up, tear_down);

TEST(test_first_frame_and_quit)
{
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_wait_shows(&t, "A migration must leave");
    terminal_wait_shows(&t, "  ? help");
    terminal_see(&t, "q", "Never skip staging"); /* from the inbox to the first list */
    terminal_type(&t, "q");
    int status = terminal_finish(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    terminal_assert_restored(&t);
    assert_true(terminal_check(&t).updates > 0);
    terminal_release(&t);
}

/* If the store was empty then, it must not open the present, which could be changed. */
TEST(test_before_the_first_event)
{
    struct state *s = *state;
    AUTO_STRBUF said = STRBUF_INIT;
    const char *program = getenv("STEMMA") ? getenv("STEMMA") : "./stemma";
    char bytes[512];
    ssize_t got;
    int fd, status;
    pid_t pid = forkpty(&fd, NULL, NULL, NULL);
    assert_true(pid >= 0);
    if (pid == 0) {
        execl(program, program, "--as-of", "1999-01-01", s->demo, (char *)NULL);
        _exit(127);
    }
    while ((got = read(fd, bytes, sizeof(bytes))) > 0)
        strbuf_add(&said, bytes, (size_t)got);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_non_null(strstr(said.buf, "the store was empty at 1999-01-01: its first event is at"));
    close(fd);
}

TEST(test_signals_restore_the_terminal)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT};
    struct state *s = *state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct terminal t;
        terminal_start(&t, s->demo, 24, 80);
        terminal_wait_shows(&t, "? help");
        kill(t.pid, signals[i]);
        int status = terminal_finish(&t);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        terminal_assert_restored(&t);
        terminal_release(&t);
    }
}

/* Waits until the program blocks in a write to the terminal. Does nothing if the system does not tell. */
static void wait_held_back(struct terminal *t)
{
    char path[40];
    long call = -1;
    snprintf(path, sizeof(path), "/proc/%d/syscall", (int)t->pid);
    while (call != SYS_write) {
        FILE *f = fopen(path, "r");
        if (!f)
            return;
        if (fscanf(f, "%ld", &call) != 1) /* "running" */
            call = -1;
        bool told = !ferror(f); /* needs the permission to trace it */
        fclose(f);
        if (!told)
            return;
        sched_yield();
    }
}

/* Output stopped by Ctrl-S continues, and the terminal is restored. */
TEST(test_a_signal_ends_held_output)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT};
    struct state *s = *state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct terminal t;
        terminal_start(&t, s->demo, 24, 80);
        terminal_wait_shows(&t, "? help");
        terminal_type(&t, "\023j");
        wait_held_back(&t);
        kill(t.pid, signals[i]);
        int status = terminal_finish(&t);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        terminal_assert_restored(&t);
        terminal_release(&t);
    }
}

TEST(test_a_crash_restores_the_terminal)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct state *s = *state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct terminal t;
        terminal_start(&t, s->demo, 24, 80);
        terminal_wait_shows(&t, "? help");
        kill(t.pid, signals[i]);
        int status = terminal_finish(&t);
        /* A sanitizer reports and exits with a status. */
        assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
        const char *report = memmem(t.bytes.buf, t.bytes.len, "stemma ", 7);
        assert_non_null(strstr(t.bytes.buf, "crashed"));
        assert_non_null(report);
        terminal_assert_restored_after(&t, true);
        terminal_release(&t);
    }
}

/* The id of the thread with that name; 0 if there is none yet. */
static pid_t find_thread(pid_t pid, const char *name)
{
    char path[300], comm[32];
    pid_t found = 0;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    assert_non_null(tasks);
    for (struct dirent *task; !found && (task = readdir(tasks));) {
        snprintf(path, sizeof(path), "/proc/%d/task/%s/comm", (int)pid, task->d_name);
        FILE *f = fopen(path, "r");
        if (f && fgets(comm, sizeof(comm), f) && !strncmp(comm, name, strlen(name)))
            found = (pid_t)strtol(task->d_name, NULL, 10);
        if (f)
            fclose(f);
    }
    closedir(tasks);
    return found;
}

/* Any thread may crash. */
TEST(test_a_crash_of_any_thread_restores_it)
{
    static const char *const threads[] = {"listener", "worker"};
    struct state *s = *state;
    if (!platform_has_locks()) /* such a system does not name threads either */
        skip();
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        struct terminal t;
        pid_t thread;
        terminal_start(&t, s->demo, 24, 80);
        terminal_wait_shows(&t, "? help");
        while (!(thread = find_thread(t.pid, threads[i])))
            sched_yield();
        syscall(SYS_tgkill, t.pid, thread, SIGSEGV);
        terminal_finish(&t);
        assert_non_null(strstr(t.bytes.buf, "crashed (SIGSEGV)"));
        terminal_assert_restored_after(&t, true);
        terminal_release(&t);
    }
}

/* The window is closed, or the connection is lost. */
TEST(test_a_hangup_ends_it)
{
    struct state *s = *state;
    struct terminal t;
    int status;
    terminal_start(&t, s->demo, 24, 80);
    terminal_wait_shows(&t, "? help");
    close(t.fd);
    assert_int_equal(waitpid(t.pid, &status, 0), t.pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
    t.fd = open("/dev/null", O_RDONLY);
    terminal_release(&t);
}

TEST(test_the_mouse_works)
{
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_see(&t, "1", "21 · recorded");
    terminal_see(&t, "\033[<0;10;6M\033[<0;10;6m", "4/21");
    terminal_see(&t, "\033[<0;10;6M\033[<0;10;6m", "4 of 21");
    terminal_see(&t, "q", "4/21");
    for (int i = 0; i < 4; i++)
        terminal_type(&t, "\033[<65;10;6M");
    terminal_wait_shows(&t, "Mistakes are information");
    /* The border of the preview, in row 14, follows the mouse while its button is down. */
    terminal_type(&t, "\033[<0;10;14M\033[<32;10;10M\033[<32;10;8M\033[<0;10;8m");
    terminal_see(&t, ":preview +\r", "preview: auto, 81 %");
    terminal_type(&t, "\033[<0;78;24M\033[<0;78;24m"); /* "help" in the key bar */
    terminal_wait_shows(&t, "what is based on this");
    terminal_see(&t, "q", "q quit");
    terminal_see(&t, "M", "the terminal has the mouse");
    terminal_leave(&t);
}

/* The colour of a cell, as the terminal was told. */
static VTermColor colour_at(struct terminal *t, int row, int column)
{
    VTermScreenCell cell;
    assert_true(vterm_screen_get_cell(t->screen, (VTermPos){row, column}, &cell));
    return cell.fg;
}

/* The answer may come late and between keys, or never. */
TEST(test_the_background_chooses_the_theme)
{
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_wait_got(&t, 0, "\033]11;?\a");
    terminal_see(&t, "1", " 1/21");
    VTermColor key = colour_at(&t, 23, 1);
    assert_true(VTERM_COLOR_IS_INDEXED(&key) && key.indexed.idx == 6);
    terminal_see(&t, "jj\033]11;rgb:fdfd/f6f6/e3e3\033\\j", " 4/21");
    key = colour_at(&t, 23, 1);
    assert_true(VTERM_COLOR_IS_INDEXED(&key) && key.indexed.idx == 4);
    terminal_see(&t, "k\033]11;rgb:00/2b/36\ak", " 2/21");
    key = colour_at(&t, 23, 1);
    assert_true(VTERM_COLOR_IS_INDEXED(&key) && key.indexed.idx == 6);
    terminal_leave(&t);
}

/* A theme is shown while the cursor is on it, in as many colours as the terminal has. */
TEST(test_a_theme_is_tried)
{
    struct state *s = *state;
    static const struct {
        const char *name, *colours;
        uint8_t red, green, blue; /* red is an index if the terminal has no true colour */
    } as[] = {{"xterm-16color", NULL, 6, 0, 0},
              {"xterm-256color", NULL, 36, 0, 0},
              {"xterm-256color", "truecolor", 0x2a, 0xa1, 0x98}};
    for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
        struct terminal t;
        setenv("TERMINAL_NAME", as[i].name, 1);
        if (as[i].colours)
            setenv("TERMINAL_COLOURS", as[i].colours, 1);
        terminal_start(&t, s->demo, 24, 80);
        terminal_see(&t, "1", " 1/21");
        terminal_see(&t, ":theme\r", "Enter takes it");
        terminal_see(&t, "solarized", "theme solarized");
        VTermColor key = colour_at(&t, 23, 1);
        if (as[i].colours)
            assert_true(VTERM_COLOR_IS_RGB(&key) && key.rgb.red == as[i].red &&
                        key.rgb.green == as[i].green && key.rgb.blue == as[i].blue);
        else
            assert_true(VTERM_COLOR_IS_INDEXED(&key) && key.indexed.idx == as[i].red);
        terminal_see(&t, "\033", " 1/21");
        key = colour_at(&t, 23, 1);
        assert_true(VTERM_COLOR_IS_INDEXED(&key) && key.indexed.idx == 6);
        terminal_leave(&t);
    }
    unsetenv("TERMINAL_NAME");
    unsetenv("TERMINAL_COLOURS");
}

TEST(test_an_interrupt_ends_nothing)
{
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_wait_shows(&t, "0 of 1"); /* all risks are known */
    terminal_see(&t, "\003", "nothing is running");
    kill(t.pid, SIGINT);
    terminal_leave(&t);
}

TEST(test_a_resize_is_drawn)
{
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_see(&t, "1", " 1/21");
    for (int n = 1; n < 40; n += 3) {
        struct winsize size = {.ws_row = (unsigned short)n, .ws_col = (unsigned short)(n * 2)};
        ioctl(t.fd, TIOCSWINSZ, &size);
        terminal_type(&t, "j");
    }
    terminal_resize(&t, 30, 100);
    terminal_see(&t, "\f", "w what if  d retract  a approve");
    terminal_leave(&t);
}

/* A paste is never read as keys; a text field takes it as text. */
TEST(test_a_paste_is_no_command)
{
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_see(&t, "\033[200~QQQ\r\033[201~", "you can paste only into a text field");
    terminal_see(&t, "/\033[200~staging\nQ\033[201~", "/staging Q");
    terminal_type_and_see(&t, "\033");
    terminal_wait_shows(&t, "? help");
    terminal_leave(&t);
}

/* Late answers of the terminal and unknown keys are never commands. Arrows work in either form. A click with its
 * release is one click. */
TEST(test_answers_and_unknown_keys_are_no_commands)
{
    static const char *const none[] = {
        "\033[?1;2c",       "\033[5;5R",     "\033]11;rgb:0000/QQQ/q\a",
        "\033P1$rQq\033\\", "\033[I",        "\033_GQ\033\\",
        "\033[27;5;9~",     "\033[99~",      "\033[<0;9;9M",
        "\033[<0;9;9m",     "\033[<65;9;9M",
    };
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_see(&t, "1", " 1/21");
    terminal_see(&t, "M", "the terminal has the mouse");
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        terminal_type(&t, none[i]);
    terminal_see(&t, "\033[B\033OB\033[1;5B\033[1;2B", " 5/21");
    terminal_see(&t, "\033[F", " 21/21");
    terminal_see(&t, "\033[H", " 1/21");
    terminal_see(&t, "M", "the mouse works here");
    terminal_see(&t, "\033[<0;9;5M\033[<0;9;5m", " 3/21");
    terminal_type(&t, "\033[<0;3;24M\033[<0;3;24m"); /* the key bar's first word */
    terminal_wait_shows(&t, "used by 0");            /* its lineage */
    terminal_leave(&t);
}

/* Hostile text in every field, in every view. */
/* Types a key and reads until nothing comes for a while. Returns the bytes that came. */
static size_t bytes_of(struct terminal *t, const char *key)
{
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    size_t before = t->bytes.len;
    terminal_type_and_see(t, key);
    while (poll(&ready, 1, 300) > 0 && terminal_read(t))
        ;
    return t->bytes.len - before;
}

/* A slow link carries 50 kB a second. In the demo the preview of a belief with ten sources takes 2,150 bytes, all
 * others less than 2,000. */
TEST(test_a_movement_sends_little)
{
    static const struct {
        const char *config;
        size_t most;
    } as[] = {{"preview: off\n", 300}, {"preview: below\n", 2200}, {"preview: right\n", 2000}};
    struct state *s = *state;
    AUTO_FREE char *home = strdup(getenv("HOME"));
    for (size_t i = 0; i < sizeof(as) / sizeof(as[0]); i++) {
        struct terminal t;
        scratch_configure(as[i].config);
        terminal_start(&t, s->demo, 36, 120);
        terminal_see(&t, "1", " 1/21");
        bytes_of(&t, "\f");
        for (int n = 0; n < 15; n++) {
            size_t before = t.bytes.len, sent = bytes_of(&t, "j");
            if (sent > as[i].most)
                fail_msg("%s: %zu bytes for line %d", as[i].config, sent, n + 2);
            /* The cursor is in the first frame, before the preview is. */
            const char *first = strstr(t.bytes.buf + before, "\033[?2026l");
            AUTO_FREE char *row = xformat("\033[%d;2H", n + 4);
            assert_non_null(first);
            assert_true((size_t)(first - t.bytes.buf) - before < 700);
            assert_true(memmem(t.bytes.buf + before, (size_t)(first - t.bytes.buf) - before, row,
                               strlen(row)) != NULL);
        }
        terminal_leave(&t);
    }
    setenv("HOME", home, 1);
}

/* At rest nothing is sent. */
TEST(test_nothing_is_sent_for_nothing)
{
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->demo, 24, 80);
    terminal_see(&t, "1", " 1/21");
    bytes_of(&t, "\f");
    size_t before = t.bytes.len;
    terminal_type(&t, "k"); /* the cursor is on the first line already */
    terminal_see(&t, "j", " 2/21");
    bytes_of(&t, "k");
    assert_null(memmem(t.bytes.buf + before, t.bytes.len - before, "\033[?2026h\033[?2026l", 16));
    terminal_leave(&t);
}

TEST(test_hostile_text_never_reaches_the_terminal)
{
    static const char *const keys[] = {
        "G",    "g",    "0",    "\r",   "\t",   "\t",   "\033", "f",  "l",     "\r",   "\033",
        "r",    "\033", "3",    "jjjj", "\r",   "T",    "\033", "!",  "jjj",   "\r",   "\033",
        "\033", "w",    "\033", "A",    "\033", "/e\r", "n",    "n",  "\\e\r", "\033", "Sa\r",
        "\r",   "yi",   "yj",   "yy",   "Y",    "y",    "?",    "ma", "\033",
    };
    struct state *s = *state;
    struct terminal t;
    terminal_start(&t, s->hostile, 40, 130);
    terminal_wait_shows(&t, "? help");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        terminal_type_and_see(&t, keys[i]);
    }
    kill(t.pid, SIGTERM);
    int status = terminal_finish(&t);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    terminal_assert_restored(&t);
    terminal_release(&t);
}

/* A terminal with another character set gets only ASCII: 0x9b may begin a command there. LC_ALL=C names no character
 * set. */
TEST(test_another_character_set_gets_ascii)
{
    static const char *const keys[] = {"0", "G", "\r", "f", "\033", "3", "?", "\033", "9", "\t"};
    struct state *s = *state;
    for (int set = 0; set < 2; set++) {
        struct terminal t;
        size_t beyond = 0;
        setenv("TERMINAL_LOCALE", set ? "C" : "de_DE.ISO-8859-1", 1);
        terminal_start(&t, s->hostile, 40, 130);
        unsetenv("TERMINAL_LOCALE");
        terminal_wait_shows(&t, "? help");
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
            terminal_type_and_see(&t, keys[i]);
        kill(t.pid, SIGTERM); /* the last keys may have opened any view */
        terminal_finish(&t);
        for (size_t i = 0; i < t.bytes.len; i++)
            beyond += (unsigned char)t.bytes.buf[i] >= 0x80;
        assert_true(set ? beyond > 0 : beyond == 0);
        terminal_release(&t);
    }
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

/* The terminal shows what the program intends, cell by cell: partly overwritten wide characters leave nothing
 * behind. */
TEST(test_wide_characters_are_not_torn)
{
    static const char *const keys[] = {"T",    "j", "j", "o", "\033", "j", ":",
                                       "\033", "l", "l", "j", "\r",   "T", "G"};
    struct state *s = *state;
    struct store *store = scratch_store(s->wide);
    struct script script;
    script_open(&script, store);
    script.name = "wide";
    for (int columns = 60; columns < 66; columns++) {
        struct terminal t;
        AUTO_STRBUF typed = STRBUF_INIT, got = STRBUF_INIT;
        terminal_start(&t, s->wide, 24, columns);
        terminal_wait_shows(&t, "12 · recorded");
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
            strbuf_addstr(&typed, *keys[i] == 033    ? "<Esc>"
                                  : *keys[i] == '\r' ? "<Enter>"
                                                     : keys[i]);
            terminal_type(&t, keys[i]);
            script.columns = columns;
            const char *wanted = script_run(&script, typed.buf);
            size_t len = (size_t)(strstr(wanted, "-- cursor") - wanted);
            /* Other frames may come first; the last one must be this. */
            for (;;) {
                strbuf_clear(&got);
                for (int row = 0; row < t.rows; row++)
                    terminal_row_trimmed(&t, row, &got);
                if (terminal_is_whole(&t) && got.len == len && !memcmp(got.buf, wanted, len))
                    break;
                if (!terminal_read(&t))
                    fail_difference(typed.buf, wanted, got.buf);
            }
        }
        kill(t.pid, SIGTERM);
        terminal_finish(&t);
        terminal_release(&t);
    }
    script_close(&script);
    store_close(store);
}

/* On an unusable terminal it prints an error and writes nothing else. */
static void expect_no_terminal(const char *demo, const char *name, const char *why)
{
    struct terminal t;
    setenv("TERMINAL_NAME", name, 1);
    terminal_start(&t, demo, 24, 80);
    int status = terminal_finish(&t);
    unsetenv("TERMINAL_NAME");
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_true(terminal_shows(&t, why));
    terminal_release(&t);
}

TEST(test_without_a_terminal_it_prints_an_error)
{
    struct state *s = *state;
    const char *before = getenv("ASAN_OPTIONS");
    AUTO_FREE char *options = strdup(before ? before : "");
    expect_no_terminal(s->demo, "dumb", "the terminal `dumb` cannot move its cursor");
    /* curses leaks memory if it does not know the terminal. */
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    expect_no_terminal(s->demo, "none-such", "curses knows no terminal called `none-such`");
    expect_no_terminal(s->demo, "", "TERM is not set");
    setenv("ASAN_OPTIONS", options, 1);
}
