/*
 * Changes made in the real program, in a pseudo-terminal: with a store that another process has locked, and with an
 * editor that has the terminal. The tests wait for output, never for time.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/platform/platform.h"
#include "tests/support/agents.h"
#include "tests/support/scratch.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"
#include "tui/explorer/app.h"

struct state {
    char *path;
    int64_t row;
    struct store_file *lock;
};

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    s->path = scratch_path("held.db");
    struct store *store = scratch_store(s->path);
    /* A list begins with the last recorded memory. */
    scratch_put(store,
                "{\"ref\":\"belief:two-of-two\",\"created_at\":1000,\"text\":\"The other\"}");
    s->row = scratch_put(store, "{\"ref\":\"belief:one-of-two\",\"created_at\":2000,"
                                "\"text\":\"The first of two\",\"confidence\":0.5}");
    store_close(store);
    s->lock = NULL;
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    AUTO_FREE struct state *s = *state;
    free(s->path);
    return 0;
}

/* Acts as another process that never stops writing. */
static void hold(struct state *s)
{
    if (!platform_has_locks()) /* without fair locks, SQLite's busy handler gives up after seconds */
        skip();
    s->lock = scratch_lock(s->path);
    assert_non_null(s->lock);
}

static void let_go(struct state *s)
{
    scratch_unlock(s->lock);
    s->lock = NULL;
}

static void assert_says(struct state *s, const char *text)
{
    struct store *store = scratch_store(s->path);
    AUTO_FREE char *line = scratch_line(store, s->row);
    if (!strstr(line, text))
        fail_msg("%s does not say %s", line, text);
    store_close(store);
}

static int64_t events(struct state *s)
{
    struct error e;
    struct store *store = scratch_store(s->path);
    struct reader *r = reader_open(store, &e);
    assert_non_null(r);
    int64_t last = journal_last(r, &e);
    reader_close(r);
    store_close(store);
    return last;
}

static void start_wide(struct state *s, struct terminal *t, int columns)
{
    terminal_start(t, s->path, 24, columns);
    terminal_wait_shows(t, "? help");
    terminal_wait_shows(t, "2 · recorded");
}

static void start(struct state *s, struct terminal *t)
{
    start_wide(s, t, 80);
}

FIXTURE(set_up, tear_down);

/* Keys that were typed before the question was on the screen are no answer to it, and without ; nothing is asked. */
TEST(test_keys_typed_ahead_are_no_reason)
{
    struct state *s = *state;
    struct terminal t;
    start(s, &t);
    terminal_see(&t, ";ajd", "why?");
    assert_false(terminal_shows(&t, "jd"));
    terminal_see(&t, "\r", "approved");
    terminal_leave(&t);
    assert_says(s, "\"approved\"");
}

/* The explorer begins with the inbox if something waits. A decision there asks for no reason, and after ; what was
 * typed before the question is no reason either. */
TEST(test_keys_typed_ahead_are_no_reason_in_the_inbox)
{
    struct state *s = *state;
    struct terminal t;
    struct store *store = scratch_store(s->path);
    s->row = scratch_put(store, "{\"ref\":\"belief:asked\",\"created_at\":3000,\"text\":\"Asked\","
                                "\"marks\":[{\"mark\":\"for_review\",\"at\":3000}]}");
    store_close(store);
    terminal_start(&t, s->path, 24, 80);
    terminal_wait_shows(&t, "0 of 1");
    terminal_see(&t, ";ajd", "why?");
    assert_false(terminal_shows(&t, "jd"));
    terminal_see(&t, "\r", "1 of 1");
    terminal_leave(&t);
    assert_says(s, "\"approved\"");
}

/* The same for each prompt, form, menu and preview that can change the store: what a burst of keys leaves is the
 * question, unanswered. */
TEST(test_keys_typed_ahead_change_nothing)
{
    static const struct {
        const char *keys, *question, *typed, *cancel;
    } bursts[] = {
        {"Bxyz\r", "by what?", "xyz", "\033"},
        {"Bepisode:x\r", "by what?", "episode:x", "\033"},
        {"Jpoisoned\r", "which flag?", "flagged", "\033"},
        {"Joverbose\r", "which flag?", "verbose", "\033"},
        {"e\177\177Z\r", "edit belief:one-of-two", "The first of tZ", "\033"},
        {"inew statement\r", "add what?", "ew statement", "\033"},
        {":reinforce\rxyz\r", "by what?", "xyz", "\033"},
        {"d\r\r\r", "nothing has changed yet", "u undoes", "q"},
    };
    struct state *s = *state;
    struct terminal t;
    int64_t before = events(s);
    start(s, &t);
    for (size_t i = 0; i < sizeof(bursts) / sizeof(bursts[0]); i++) {
        terminal_see(&t, bursts[i].keys, bursts[i].question);
        if (terminal_shows(&t, bursts[i].typed))
            fail_msg("%s: was typed ahead and is there", bursts[i].typed);
        terminal_type_and_see(&t, bursts[i].cancel);
        terminal_see(&t, "1", "2 · recorded");
    }
    /* A search changes nothing, so it takes what was typed before it was drawn. */
    terminal_see(&t, "/other\r", "2/2");
    terminal_leave(&t);
    assert_int_equal(events(s), before);
}

/* Keys that move wait for the list that they are meant for. What decides is refused: nobody has seen the lines. */
TEST(test_keys_typed_ahead_wait_for_their_list)
{
    struct state *s = *state;
    struct terminal t;
    int64_t before = events(s);
    start(s, &t);
    terminal_see(&t, "@j\r", "audit › belief:two-of-two");
    terminal_see(&t, "1", "2 · recorded");
    terminal_see(&t, "!*1jd", "`retract` was typed before the lines were shown");
    assert_true(terminal_shows(&t, "2/2"));
    terminal_see(&t, "*d", "`retract` was typed before the lines were shown");
    terminal_see(&t, "1", "2 · recorded");
    terminal_leave(&t);
    assert_int_equal(events(s), before);
}

/* So many wait and no more: what comes after them does not overtake them. */
TEST(test_too_many_keys_typed_ahead_are_dropped)
{
    struct state *s = *state;
    struct terminal t;
    AUTO_STRBUF keys = STRBUF_INIT;
    int64_t before = events(s);
    strbuf_addstr(&keys, "!*1");
    strbuf_addchars(&keys, 'j', HELD_MAX);
    strbuf_addstr(&keys, "kd");
    start(s, &t);
    terminal_see(&t, keys.buf, "what was typed after the first 256 keys");
    terminal_wait_shows(&t, "2/2");
    terminal_leave(&t);
    assert_int_equal(events(s), before);
}

TEST(test_keys_work_while_it_waits)
{
    struct state *s = *state;
    struct terminal t;
    hold(s);
    start(s, &t);
    terminal_see(&t, ";a", "why?"); /* keys before the question are no answer */
    terminal_see(&t, "looked into\r", "saving");
    terminal_see(&t, "j", "2/2");
    terminal_see(&t, "?", "what is based on this");
    terminal_type_and_see(&t, "\033");
    terminal_see(&t, "e", "edit belief:two-of-two");
    let_go(s);
    terminal_wait_shows(&t, "approved");
    terminal_type_and_see(&t, "\033");
    terminal_leave(&t);
    assert_says(s, "\"approved\"");
    assert_says(s, "looked into");
}

TEST(test_a_waiting_operation_is_cancelled)
{
    struct state *s = *state;
    struct terminal t;
    hold(s);
    start(s, &t);
    terminal_see(&t, "e", "edit belief:one-of-two");
    terminal_see(&t, ", and typed\r", "saving");
    terminal_see(&t, "\003", "not saved: edit belief:one-of-two");
    terminal_wait_shows(&t, "try again");
    let_go(s);
    terminal_see(&t, "t", "edited");
    terminal_leave(&t);
    assert_says(s, "The first of two, and typed");
}

/* Two edits fail at once: the choice applies to the one that the popup names, the other is kept. */
TEST(test_two_failed_edits_are_cancelled_one_by_one)
{
    struct state *s = *state;
    struct terminal t;
    hold(s);
    start(s, &t);
    terminal_see(&t, "e", "edit belief:one-of-two");
    terminal_see(&t, ", and typed\r", "saving");
    terminal_see(&t, "je", "edit belief:two-of-two");
    terminal_see(&t, ", as well\r", "and 1 more");
    terminal_see(&t, "\003", "not saved: edit belief:one-of-two");
    /* otherwise the second may find the store free and be saved */
    terminal_wait_shows(&t, "2 not saved");
    let_go(s);
    terminal_see(&t, "t", "edited");
    terminal_wait_shows(&t, "1 not saved");
    terminal_see(&t, ":unsaved\r", "not saved: edit belief:two-of-two");
    terminal_type_and_see(&t, "x");
    terminal_leave(&t);
    assert_says(s, "The first of two, and typed");
}

/* More operations than the pipe has room for, all answered at once. */
TEST(test_very_many_operations_wait)
{
    struct state *s = *state;
    struct terminal t;
    char keys[9000 + 1] = "";
    memset(keys, 'u', sizeof(keys) - 1);
    hold(s);
    start(s, &t);
    terminal_see(&t, keys, "too many changes already wait for the store");
    let_go(s);
    terminal_wait_shows(&t, "has no change to undo");
    terminal_see(&t, "a", "approved");
    terminal_leave(&t);
    assert_says(s, "\"approved\"");
}

/* An operation without typed text that the status line showed as waiting: after it is cancelled, it is not done
 * later. */
TEST(test_an_operation_shown_as_waiting_is_cancelled)
{
    struct state *s = *state;
    struct terminal t;
    hold(s);
    start_wide(s, &t, 200);
    terminal_see(&t, "a", "approve of belief:one-of-two waits for the store; C-c gives it up");
    terminal_see(&t, "\003", "approve of belief:one-of-two not done: ");
    terminal_wait_shows(&t, "and this one had to go on"); /* it did not cancel by itself */
    let_go(s);
    terminal_type_and_see(&t, "j");
    assert_false(terminal_shows(&t, "waits for the store"));
    terminal_see(&t, "a", "approved"); /* cancelled by this key; nothing waited behind it */
    terminal_leave(&t);
    assert_says(s, "\"confidence\":0.5");
}

/* A decision about an agent waits for the store, too. Reads do not wait. */
TEST(test_reads_go_on_while_a_decision_waits)
{
    struct state *s = *state;
    struct terminal t;
    struct store *store = scratch_store(s->path);
    struct call_log *log = agents_open(store);
    agents_join(log, "cursor", "ash");
    agents_flush(store, log);
    hold(s);
    start_wide(s, &t, 200);
    terminal_see(&t, "9\t", "K end");
    terminal_see(&t, "K", "decide about this session");
    terminal_see(&t, "r",
                 "read-only for session 1 (cursor 2.1) waits for the store; C-c gives it up");
    terminal_see(&t, "1\r", "nothing was recorded");
    terminal_see(&t, "j", /* any key shows it */
                 "read-only for session 1 (cursor 2.1) waits for the store");
    terminal_see(&t, "\003", "read-only for session 1 (cursor 2.1) not done: ");
    terminal_see(&t, "9\t", "K end");
    terminal_see(&t, "K", "decide about this session");
    terminal_see(&t, "r", "saving");
    let_go(s);
    terminal_wait_shows(&t, "session 1 (cursor 2.1) is read-only now");
    terminal_leave(&t);
    call_log_close(log);
    store_close(store);
}

/* Adds so much that reading takes longer than the next key. */
static void put_many(struct state *s)
{
    struct store *store = scratch_store(s->path);
    char line[200];
    for (int i = 0; i < 2000; i++) {
        snprintf(line, sizeof(line),
                 "{\"ref\":\"note:%d\",\"created_at\":1,\"text\":\"first %d\",\"derived_from\":"
                 "[\"belief:one-of-two\"]}",
                 i, i);
        scratch_put(store, line);
    }
    store_close(store);
}

/* A plan that was cancelled before it was read can be requested again, with the reason that was typed. */
TEST(test_a_requested_plan_is_cancelled)
{
    struct state *s = *state;
    struct terminal t;
    put_many(s);
    start(s, &t);
    terminal_see(&t, ";d", "why?");
    terminal_type(&t, "mistaken\r\003");
    while (!terminal_shows(&t, "R computes it again") && !terminal_shows(&t, "would be retracted"))
        assert_true(terminal_read(&t)); /* unless the worker was faster */
    if (terminal_shows(&t, "R computes it again"))
        terminal_type(&t, "R");
    terminal_wait_shows(&t, "would be retracted");
    terminal_wait_shows(&t, "mistaken");
    terminal_see(&t, "\r", "u undoes it"); /* its first line does it */
    terminal_leave(&t);
    assert_says(s, "\"status\":\"retracted\"");
}

/* The terminal is restored at once; the operation is still done. */
TEST(test_leaving_while_it_waits)
{
    struct state *s = *state;
    struct terminal t;
    hold(s);
    start(s, &t);
    terminal_see(&t, "a", "saving");
    size_t before = t.bytes.len;
    terminal_type(&t, "Q");
    terminal_wait_got(&t, before, "saving your last changes");
    let_go(s);
    int status = terminal_finish(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    terminal_release(&t);
    assert_says(s, "\"approved\"");
}

/* What is cancelled then is reported, with a failure status. */
TEST(test_unsaved_work_is_reported_at_the_end)
{
    struct state *s = *state;
    struct terminal t;
    hold(s);
    start(s, &t);
    terminal_see(&t, "a", "saving");
    terminal_type_and_see(&t, "j");
    terminal_wait_shows(&t, "saving"); /* any key shows it */
    size_t before = t.bytes.len;
    terminal_type(&t, "Q");
    terminal_wait_got(&t, before, "saving your last changes");
    kill(t.pid, SIGINT);
    terminal_wait_got(&t, before, "pprove of belief:one-of-two was not saved: ");
    terminal_wait_got(&t, before, "and this one had to go on");
    int status = terminal_finish(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    terminal_release(&t);
    let_go(s);
    assert_says(s, "\"confidence\":0.5");
}

static void start_job(struct state *s, struct terminal *t)
{
    terminal_start_job(t, s->path, 24, 80, JOB_FG);
    terminal_wait_shows(t, "2 · recorded");
}

/* C-z suspends again; the operation waits until the process continues. */
TEST(test_leaving_can_be_suspended)
{
    struct state *s = *state;
    struct terminal t;
    start_job(s, &t);
    hold(s); /* lock only now, since the shell inherits the test's state at its start */
    terminal_see(&t, "a", "saving");
    size_t before = t.bytes.len;
    terminal_type(&t, "Q");
    terminal_wait_got(&t, before, "saving your last changes");
    terminal_type(&t, "\032");
    terminal_wait_stopped(&t);
    let_go(s);
    terminal_order(&t, JOB_FG);
    int status = terminal_finish(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    terminal_release(&t);
    assert_says(s, "\"approved\"");
}

TEST(test_the_editor_has_the_terminal)
{
    struct state *s = *state;
    struct terminal t;
    scratch_editor("echo THE EDITOR; read line; echo \"$line\" >\"$1\"");
    start(s, &t);
    size_t before = t.bytes.len;
    terminal_type(&t, "E");
    terminal_wait_got(&t, before, "THE EDITOR");
    terminal_assert_restored(&t);
    before = t.bytes.len;
    terminal_type(&t, "typed in the editor\n");
    terminal_wait_got(&t, before, "\033[?2026h");
    terminal_wait_shows(&t, "Enter saves it");
    terminal_see(&t, "\r", "edited");
    terminal_leave(&t);
    assert_says(s, "\"text\":\"typed in the editor\"");
}

/* A killed editor leaves the terminal as it was at that time. */
TEST(test_a_killed_editor_leaves_the_terminal)
{
    struct state *s = *state;
    struct terminal t;
    scratch_editor(
        "stty raw -echo; printf '\\033[?1049h\\033[2Jnot much'; echo half >\"$1\"; kill -9 $$");
    start(s, &t);
    terminal_see(&t, "E", "the editor was ended by signal 9");
    terminal_wait_shows(&t, "The edited text is in ");
    terminal_leave(&t);
}

/* C-z in the editor suspends the explorer as well; both continue together. */
TEST(test_a_stopped_editor_stops_the_explorer)
{
    struct state *s = *state;
    struct terminal t;
    scratch_editor("echo EDITING; kill -TSTP 0; echo after all >\"$1\"");
    start_job(s, &t);
    terminal_type(&t, "E");
    terminal_wait_stopped(&t);
    terminal_order(&t, JOB_FG);
    terminal_wait_shows(&t, "Enter saves it");
    terminal_see(&t, "\r", "edited");
    terminal_leave(&t);
    assert_says(s, "\"text\":\"after all\"");
}

/* Replaces the shell that starts the editor, so that the explorer waits for the editor itself. */
static void use_editor_itself(const char *body)
{
    char command[400];
    scratch_editor(body);
    snprintf(command, sizeof(command), "exec %s", getenv("EDITOR"));
    setenv("EDITOR", command, 1);
}

/* An editor that is stopped when it restores the terminal is not waited for. */
TEST(test_an_editor_stopped_at_the_end_is_not_waited_for)
{
    struct state *s = *state;
    struct terminal t;
    /* It may end after the explorer, so it restores exactly what it found. */
    use_editor_itself("was=$(stty -g); trap 'stty $was; exit' TERM; echo EDITING; kill -TSTP 0;"
                      " sleep 1000");
    start_job(s, &t);
    terminal_type(&t, "E");
    terminal_wait_stopped(&t);
    terminal_order(&t, JOB_KILL);
    int status = terminal_finish(&t);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM);
    terminal_assert_restored(&t);
    terminal_release(&t);
}

/* A signal that ends the explorer ends the editor, too, and the terminal is restored. */
TEST(test_a_signal_ends_the_editor_too)
{
    struct state *s = *state;
    struct terminal t;
    scratch_editor("echo EDITING; exec sleep 1000");
    start(s, &t);
    size_t before = t.bytes.len;
    terminal_type(&t, "E");
    terminal_wait_got(&t, before, "EDITING");
    kill(t.pid, SIGTERM);
    int status = terminal_finish(&t);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    terminal_assert_restored(&t);
    terminal_release(&t);
}

/* Fails unless the text is on the screen. Returns the cell where it begins. */
static VTermScreenCell cell_of(struct terminal *t, const char *text)
{
    VTermScreenCell cell = {.width = 0};
    for (int row = 0; row < 24; row++) {
        AUTO_STRBUF line = STRBUF_INIT;
        VTermPos pos = {.row = row};
        terminal_row(t, row, &line);
        const char *at = line.len ? strstr(line.buf, text) : NULL;
        for (const char *p = line.buf; at && p < at; p++)
            pos.col += (*p & 0xc0) != 0x80;
        if (at)
            vterm_screen_get_cell(t->screen, pos, &cell);
        if (at)
            return cell;
    }
    fail_msg("%s is not on the screen", text);
    return cell;
}

static bool looks_like(struct terminal *t, const char *text, const char *other)
{
    VTermScreenCell a = cell_of(t, text), b = cell_of(t, other);
    return vterm_color_is_equal(&a.fg, &b.fg) && a.attrs.bold == b.attrs.bold;
}

TEST(test_the_numbers_of_a_row_that_does_not_stand_are_dim)
{
    struct state *s = *state;
    struct terminal t;
    struct store *store = scratch_store(s->path);
    scratch_put(store, "{\"ref\":\"raw:dead\",\"text\":\"d\",\"status\":\"retracted\"}");
    scratch_put(store, "{\"ref\":\"belief:lost\",\"created_at\":500,\"text\":\"Lost all support\","
                       "\"confidence\":0.7,\"derived_from\":[\"raw:dead\"]}");
    store_close(store);
    terminal_start(&t, s->path, 24, 120);
    terminal_wait_shows(&t, "0.00");
    terminal_see(&t, "G", "3/3"); /* the cursor's row has another style */
    assert_true(looks_like(&t, "0.00", "Lost all support"));
    assert_false(looks_like(&t, "0.00", "0.50"));
    terminal_leave(&t);
}
