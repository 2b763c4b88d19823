/*
 * Problems of the store while the explorer is open, in the real program in a pseudo-terminal. The
 * header shows them in every view as long as they last.
 */
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

struct state {
    char *path;
    struct terminal t;
};

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    s->path = scratch_path("trouble.db");
    struct store *store = scratch_store(s->path);
    scratch_put(store,
                "{\"ref\":\"belief:one-of-two\",\"created_at\":2000,\"text\":\"The first\"}");
    scratch_put(store, "{\"ref\":\"belief:two-of-two\",\"created_at\":1000,\"text\":\"Another\"}");
    store_close(store);
    signal(SIGXFSZ, SIG_IGN); /* also in the program: a write without room fails */
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    AUTO_FREE struct state *s = *state;
    free(s->path);
    return 0;
}

static void start(struct state *s, int rows, int columns)
{
    terminal_start(&s->t, s->path, rows, columns);
    terminal_wait_shows(&s->t, "recorded");
}

static bool header_has(struct terminal *t, const char *text)
{
    AUTO_STRBUF row = STRBUF_INIT;
    terminal_row(t, 0, &row);
    return strstr(row.buf, text) != NULL;
}

static void wait_header(struct terminal *t, const char *text, bool there)
{
    while (!terminal_is_whole(t) || header_has(t, text) != there)
        if (!terminal_read(t))
            fail_msg("the header %s: %s", there ? "never says" : "goes on saying", text);
}

/* Returns whether that part of the header has the style of errors, bold and red. */
static bool header_warns(struct terminal *t, const char *text)
{
    AUTO_STRBUF row = STRBUF_INIT;
    VTermScreenCell cell;
    VTermPos pos = {.row = 0};
    terminal_row(t, 0, &row);
    const char *at = strstr(row.buf, text);
    for (const char *p = row.buf; at && p < at; p++)
        pos.col += (*p & 0xc0) != 0x80;
    bool there = at && vterm_screen_get_cell(t->screen, pos, &cell);
    bool red = there && VTERM_COLOR_IS_INDEXED(&cell.fg) && cell.fg.indexed.idx == 1;
    return red && cell.attrs.bold;
}

/* ---- the call log ---- */

#define LIST_MEMORIES                                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\","                                     \
    "\"params\":{\"name\":\"memory_list\",\"arguments\":{}}}"

/* As on a full disk, no file can grow. */
static struct rlimit fill_disk(pid_t pid)
{
    struct rlimit before, full;
    assert_int_equal(prlimit(pid, RLIMIT_FSIZE, NULL, &before), 0);
    full = before;
    full.rlim_cur = 0;
    assert_int_equal(prlimit(pid, RLIMIT_FSIZE, &full, NULL), 0);
    return before;
}

static void free_disk(pid_t pid, const struct rlimit *before)
{
    assert_int_equal(prlimit(pid, RLIMIT_FSIZE, before, NULL), 0);
}

FIXTURE(set_up, tear_down);

/* The agent still gets answers, and its session appears behind the list. */
TEST(test_calls_that_cannot_be_logged_are_reported)
{
    struct state *s = *state;
    struct client c;
    start(s, 24, 80);
    terminal_type(&s->t, "9");
    terminal_wait_shows(&s->t, "no agent is connected");
    struct rlimit before = fill_disk(s->t.pid);
    client_join(&c, s->path);
    client_ask(&c, LIST_MEMORIES);
    wait_header(&s->t, "calls are not logged, the disk ", true);
    assert_true(header_warns(&s->t, "calls are not"));
    assert_false(header_warns(&s->t, "live"));
    terminal_wait_shows(&s->t, "calls are not logged: cannot write");
    terminal_type(&s->t, "1");
    terminal_wait_shows(&s->t, "The first");
    terminal_type_and_see(&s->t, "j"); /* any key shows it */
    wait_header(&s->t, "calls are not logged, the disk ", true);
    free_disk(s->t.pid, &before);
    wait_header(&s->t, "not logged", false);
    terminal_type(&s->t, "9");
    terminal_wait_shows(&s->t, "memory_list");
    assert_false(terminal_shows(&s->t, "not logged"));
    client_close(&c);
    terminal_leave(&s->t);
}

/* Expects the text in the next line on standard error, except the one of a system that confines nothing. */
static void assert_notes(struct served *served, const char *text)
{
    char line[400] = "";
    struct pollfd ready = {.fd = served->program.err, .events = POLLIN};
    for (size_t len = 0; len < sizeof(line) - 1 && !strchr(line, '\n'); len++)
        if (poll(&ready, 1, CLIENT_WAIT_MS) != 1 || read(served->program.err, line + len, 1) != 1)
            fail_msg("it says no more than \"%s\"", line);
    if (strstr(line, "is not confined")) {
        assert_notes(served, text);
        return;
    }
    if (!strstr(line, text))
        fail_msg("%s does not say %s", line, text);
}

TEST(test_serve_reports_it)
{
    struct state *s = *state;
    struct served served;
    struct client c;
    served_start(&served, s->path);
    client_connect(&c, served.path);
    struct rlimit before = fill_disk(served.program.pid);
    client_initialize(&c, "2025-06-18");
    client_ask(&c, LIST_MEMORIES);
    assert_notes(&served, "calls are not logged: cannot write");
    free_disk(served.program.pid, &before);
    assert_notes(&served, "calls are logged again");
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
}

/* ---- the store ---- */

TEST(test_a_store_that_is_moved_away_is_reported)
{
    struct state *s = *state;
    char away[400];
    snprintf(away, sizeof(away), "%s.away", s->path);
    start(s, 24, 80);
    assert_int_equal(rename(s->path, away), 0);
    wait_header(&s->t, "cut off from the store", true);
    assert_true(header_warns(&s->t, "cut off"));
    terminal_type(&s->t, "M");
    terminal_wait_shows(&s->t, "has the mouse"); /* which the status line says now */
    wait_header(&s->t, "cut off from the store", true);
    terminal_type(&s->t, "9");
    terminal_wait_shows(&s->t, "no agent is connected");
    wait_header(&s->t, "cut off from the store", true);
    assert_int_equal(rename(away, s->path), 0);
    wait_header(&s->t, "cut off", false);
    terminal_wait_shows(&s->t, "the store is available again");
    terminal_leave(&s->t);
}

/* With the files next to it. */
static void move_store(const char *from, const char *to)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    char old[440], new[440];
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        snprintf(old, sizeof(old), "%s%s", from, suffixes[i]);
        snprintf(new, sizeof(new), "%s%s", to, suffixes[i]);
        assert_int_equal(rename(old, new), 0);
    }
}

/* The agents are still connected. */
TEST(test_agents_see_that_the_store_is_gone)
{
    struct state *s = *state;
    struct client c;
    char away[400];
    snprintf(away, sizeof(away), "%s.away", s->path);
    start(s, 24, 120);
    client_join(&c, s->path);
    client_ask(&c, LIST_MEMORIES);
    wait_header(&s->t, "1 agent live", true);
    terminal_type(&s->t, "9");
    terminal_wait_shows(&s->t, "memory_list");
    move_store(s->path, away);
    wait_header(&s->t, "cut off from the store", true);
    terminal_type_and_see(&s->t, "R");
    terminal_type(&s->t, "\t");
    terminal_wait_shows(&s->t, "1 session ");
    assert_true(header_has(&s->t, "1 agent live"));
    assert_true(terminal_shows(&s->t, "\xe2\x97\x8f  1 "));
    terminal_type(&s->t, "\t");
    terminal_wait_shows(&s->t, "memory_list");
    assert_false(terminal_shows(&s->t, "no agent is connected"));
    move_store(away, s->path);
    wait_header(&s->t, "cut off", false);
    assert_true(header_has(&s->t, "1 agent live"));
    client_close(&c);
    terminal_leave(&s->t);
}
