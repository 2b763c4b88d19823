/*
 * The explorer as a job of a shell. While it is stopped or in the background, the terminal belongs to the shell, and
 * the explorer leaves it alone, even if it is ended then. The tests wait for output, never for time.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/open.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

#define GIVEN_BACK "\033[?1l\033>" /* the last bytes written when it leaves the terminal */
#define ROUNDS     5               /* the thread that gets a signal first is random */

static int set_up(void **state)
{
    struct script script;
    script_open_demo(&script);
    *state = strdup(store_path(script.store));
    store_close(script.store);
    script_close(&script);
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static void start(struct terminal *t, const char *store)
{
    terminal_start_job(t, store, 24, 80, JOB_FG);
    terminal_wait_shows(t, "? help");
}

static void stop(struct terminal *t)
{
    size_t before = t->bytes.len;
    terminal_type(t, "\032");
    terminal_wait_stopped(t);
    terminal_wait_got(t, before, GIVEN_BACK);
    terminal_assert_restored(t);
}

/* Modes as a shell sets them for line editing, unlike those at the start of the job. */
static struct termios edit_line(struct terminal *t)
{
    struct termios modes;
    assert_int_equal(tcgetattr(t->fd, &modes), 0);
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    modes.c_iflag &= ~(tcflag_t)ICRNL;
    assert_int_equal(tcsetattr(t->fd, TCSANOW, &modes), 0);
    return modes;
}

static void assert_modes(struct terminal *t, const struct termios *modes)
{
    struct termios now;
    assert_int_equal(tcgetattr(t->fd, &now), 0);
    assert_int_equal(now.c_lflag, modes->c_lflag);
    assert_int_equal(now.c_iflag, modes->c_iflag);
    assert_int_equal(now.c_oflag, modes->c_oflag);
}

static void assert_is_killed(struct terminal *t)
{
    terminal_order(t, JOB_KILL);
    int status = terminal_finish(t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM);
}

/* The explorer writes nothing more, and the modes stay. */
static void assert_is_killed_in_silence(struct terminal *t)
{
    struct termios modes = edit_line(t);
    size_t before = t->bytes.len;
    assert_is_killed(t);
    assert_modes(t, &modes);
    assert_int_equal(t->bytes.len, before);
    terminal_release(t);
}

GROUP(set_up, tear_down);

TEST(it_continues_in_the_foreground)
{
    struct terminal t;
    start(&t, *state);
    stop(&t);
    size_t before = t.bytes.len;
    terminal_order(&t, JOB_FG);
    terminal_wait_got(&t, before, "\033[?2026l");
    terminal_see(&t, "1", " 1/21");
    terminal_see(&t, "?", "what is based on this");
    terminal_type_and_see(&t, "\033");
    terminal_wait_shows(&t, "? help");
    terminal_leave(&t);
}

TEST(it_waits_in_the_background)
{
    struct terminal t;
    start(&t, *state);
    stop(&t);
    struct termios modes = edit_line(&t);
    size_t before = t.bytes.len;
    terminal_order(&t, JOB_BG);
    terminal_wait_stopped(&t);
    assert_modes(&t, &modes);
    assert_int_equal(t.bytes.len, before);
    tcsetattr(t.fd, TCSANOW,
              &t.before); /* as the shell does when it gives the terminal to the job */
    terminal_order(&t, JOB_FG);
    terminal_wait_got(&t, before, "\033[?2026l");
    terminal_leave(&t);
}

TEST(it_ends_while_stopped)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct terminal t;
        start(&t, *state);
        stop(&t);
        assert_is_killed_in_silence(&t);
    }
}

TEST(it_ends_in_the_background)
{
    struct terminal t;
    start(&t, *state);
    stop(&t);
    terminal_order(&t, JOB_BG);
    terminal_wait_stopped(&t);
    assert_is_killed_in_silence(&t);
}

TEST(started_in_the_background_it_waits)
{
    struct terminal t;
    terminal_start_job(&t, *state, 24, 80, JOB_BG);
    terminal_wait_stopped(&t);
    assert_int_equal(t.bytes.len, 0);
    terminal_order(&t, JOB_FG);
    terminal_wait_shows(&t, "? help");
    terminal_leave(&t);

    terminal_start_job(&t, *state, 24, 80, JOB_BG);
    terminal_wait_stopped(&t);
    assert_is_killed_in_silence(&t);
}

/* The screen is cleared, but the modes already belong to the shell. */
TEST(it_ends_while_stopped_during_a_frame)
{
    struct terminal t;
    start(&t, *state);
    pid_t job = tcgetpgrp(t.fd);
    assert_true(job > 1);
    kill(-job, SIGSTOP);
    terminal_wait_stopped(&t);
    struct termios modes = edit_line(&t);
    assert_is_killed(&t);
    assert_modes(&t, &modes);
    tcsetattr(t.fd, TCSANOW, &t.before);
    terminal_assert_restored(&t);
    terminal_release(&t);
}
