/*
 * The live view and the one of sessions: what happened, who did it, and what a person decides about
 * it. Golden frames of a fixed story at three sizes (GENERATE=1 makes them again), and what moves.
 */
#include <unistd.h>
#include "store/open.h"
#include "tests/support/agents.h"
#include "tests/support/frame.h"
#include "tests/support/golden.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"

static void count_id(char out[37])
{
    static int made;
    snprintf(out, 37, "%08x-1111-4111-8111-111111111111", 0xa0000000u + (unsigned)made++);
}

struct state {
    struct script script;
    struct store *store;
    struct call_log *log;
    struct session *claude, *codex;
    int64_t raw;
};

static void later(int64_t ms)
{
    scratch_clock += ms;
}

/* Two agents: what they captured, concluded, looked up, and were refused. */
static void play(struct state *s)
{
    s->claude = agents_join(s->log, "claude-code", "ash");
    s->codex = agents_join(s->log, "codex", "claire");
    s->raw = agents_write(s->store, s->claude, "ash",
                          "{\"ref\":\"raw:54c5507f-0000-4000-8000-000000000001\",\"text\":\"The "
                          "migration held a lock while old workers still wrote\"}");
    later(2000);
    agents_write(
        s->store, s->claude, "ash",
        "{\"ref\":\"belief:7d10e6a2-0000-4000-8000-000000000002\",\"text\":\"Canary first, "
        "then the fleet\",\"derived_from\":[\"raw:54c5507f-0000-4000-8000-000000000001\"]}");
    later(3000);
    for (int i = 0; i < 12; i++)
        agents_ask(s->codex, "memory_search", 0, scratch_clock + i, ERROR_NONE);
    agents_ask(s->codex, "memory_get", s->raw, scratch_clock + 20, ERROR_NONE);
    agents_ask(s->codex, "memory_get", s->raw, scratch_clock + 21, ERROR_NONE);
    later(4000);
    agents_ask(s->codex, "memory_supersede", s->raw, scratch_clock, ERROR_CONFLICT);
    agents_flush(s->store, s->log);
    later(1000);
    agents_write(
        s->store, s->codex, "claire",
        "{\"ref\":\"note:99c64f62-0000-4000-8000-000000000003\",\"text\":\"デプロイの前に必"
        "ずステージングで確認する\",\"derived_from\":[\"belief:7d10e6a2-0000-4000-8000-"
        "000000000002\",\"raw:54c5507f-0000-4000-8000-000000000001\"]}");
    later(40000);
    agents_flush(s->store, s->log);
}

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    s->store = scratch_store_standing("live-view.db", count_id);
    s->log = agents_open(s->store);
    play(s);
    script_open(&s->script, s->store);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    call_log_close(s->log);
    store_close(s->store);
    script_close(&s->script);
    free(s);
    return 0;
}

/* ---- golden frames ---- */

static const struct golden_view views[] = {
    {"live", "9"},
    {"live-moved", "9jj"},
    {"live-filter", "9\\refused<Enter>"},
    {"live-exact", "9T"},
    {"sessions", "9<Tab>"},
    {"sessions-end", "9<Tab>jK"},
    {"live-session", "9<Tab>j<Enter>"},
};
/* What differs from run to run: the process that serves, by its number and how long that is. */
static char *without_process(const char *frame)
{
    struct strbuf out = STRBUF_INIT;
    char own[24];
    size_t len = (size_t)snprintf(own, sizeof(own), "by process %ld", (long)getpid());
    for (const char *at; (at = strstr(frame, own));) {
        size_t blanks = strspn(at + len, " ");
        strbuf_add(&out, frame, (size_t)(at - frame));
        strbuf_addf(&out, "by process N%*s", (int)(blanks + len - 12), "");
        frame = at + len + blanks;
    }
    strbuf_addstr(&out, frame);
    return strbuf_detach(&out, NULL);
}

static void check_frame(struct state *s, const char *name, const char *frame)
{
    char *shown = without_process(frame);
    golden_check(&s->script, name, shown);
    free(shown);
}

static void check_frames(struct state *s, const struct golden_view *frames, size_t count)
{
    for (size_t size = 0; size < 3; size++) {
        frame_resize(&s->script, size);
        for (size_t i = 0; i < count; i++) {
            const char *frame = script_run(&s->script, frames[i].keys);
            if (golden_is_kept(&s->script, frames[i].name))
                check_frame(s, frames[i].name, frame);
        }
    }
}

static void test_frames(void **state)
{
    check_frames(*state, views, sizeof(views) / sizeof(views[0]));
}

static void note(struct state *s, struct session *session, struct call_note n)
{
    n.at = scratch_clock;
    n.took_us = 900;
    n.is_tool = true;
    session_note(session, &n);
    later(500);
    agents_flush(s->store, s->log);
}

/* Of calls to shared memory: the namespace, what was masked, and why not. */
static void play_shared(struct state *s)
{
    static const char rollout[] = "session.rollout";
    for (int i = 0; i < 4; i++)
        note(
            s, s->codex,
            (struct call_note){.tool = "getMemory", .namespace_ = "agent.oncall", .redactions = 2});
    note(s, s->codex, (struct call_note){.tool = "listMemory", .namespace_ = rollout});
    note(s, s->codex,
         (struct call_note){
             .tool = "getMemory", .namespace_ = "vault.payments", .outcome = ERROR_REFUSED});
    note(s, s->claude,
         (struct call_note){
             .tool = "putMemory", .namespace_ = "public.runbook", .outcome = ERROR_REFUSED});
    note(s, s->claude,
         (struct call_note){.tool = "putMemory", .namespace_ = rollout, .outcome = ERROR_PII});
    note(s, s->claude,
         (struct call_note){.tool = "putMemory", .namespace_ = rollout, .outcome = ERROR_QUOTA});
    for (int i = 0; i < 3; i++)
        note(
            s, s->claude,
            (struct call_note){.tool = "listMemory", .namespace_ = rollout, .outcome = ERROR_RATE});
    note(s, s->claude,
         (struct call_note){.tool = "memory_get", .subject = s->raw, .redactions = 1});
    later(20000);
}

/* How many of the names stand in the frame. */
static size_t count_names(const char *frame, const char *const *names, size_t count)
{
    size_t shown = 0;
    for (size_t i = 0; i < count; i++)
        shown += strstr(frame, names[i]) != NULL;
    return shown;
}

/* The preview stands beside what happens where every column has its place, and below it until then. */
static void test_wider_shows_no_less(void **state)
{
    struct state *s = *state;
    static const char *const names[] = {
        " from ", " client ", " agent ",    " calls ",     " errors ",       " p50 ",
        " p99 ",  " idle ",   " protocol ", " transport ", " peer uid:pid ", " task",
    };
    enum {
        NAMES = sizeof(names) / sizeof(names[0])
    };
    static const int widths[] = {80, 100, 112, 120, 140, 160, 180, 200, 209, 210, 240};
    size_t live = 0, sessions = 0;
    s->script.rows = 36;
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        s->script.columns = widths[i];
        size_t now = count_names(script_run(&s->script, "9"), names, NAMES);
        assert_true(now >= live);
        live = now;
        now = count_names(script_run(&s->script, "9<Tab>"), names + 1, NAMES - 1);
        assert_true(now >= sessions);
        sessions = now;
    }
    assert_int_equal(live, NAMES);
    assert_int_equal(sessions, NAMES - 1);
    s->script.columns = 112;
    assert_has(script_run(&s->script, "9"), " from ");
    s->script.columns = 210;
    assert_has(script_run(&s->script, "9"), "│── note:99c64f62 ──");
    assert_has(script_run(&s->script, "9"), " 2: belief:7d10e6a2, raw:54c5507f ");
}

/* At 80 columns a namespace is read whole, and why it was refused. */
static void test_a_long_namespace(void **state)
{
    struct state *s = *state;
    static const char long_one[] = "session.production.europe";
    note(
        s, s->codex,
        (struct call_note){.tool = "listMemory", .namespace_ = long_one, .outcome = ERROR_REFUSED});
    note(s, s->codex,
         (struct call_note){
             .tool = "listMemory", .namespace_ = "session.rollout", .outcome = ERROR_REFUSED});
    agents_flush(s->store, s->log);
    s->script.at_shot = NULL;
    const char *frame = script_run(&s->script, "9");
    assert_non_null(strstr(frame, "PERMISSION_DENIED listM… in session.production.europe\n"));
    assert_non_null(strstr(frame, "listMemory in session.rollout PERMISSION_DENIED\n"));
    note(s, s->claude,
         (struct call_note){
             .tool = "putMemory", .namespace_ = "agent.claire", .outcome = ERROR_QUOTA});
    assert_has(script_run(&s->script, "9"),
               "refused      putMemory in agent.claire QUOTA_EXCEEDED\n");
}

static void test_shared_memory(void **state)
{
    static const struct golden_view shared[] = {
        {"live-shared", "9"},
        {"live-shared-filter", "9\\rollout<Enter>jj"},
        {"audit-shared", "@jjjj"},
    };
    struct state *s = *state;
    play_shared(s);
    check_frames(s, shared, sizeof(shared) / sizeof(shared[0]));
}

/* ---- what moves ---- */

/* The frame's line with the cursor's mark. */
static void cursor_line(const char *frame, char *line, size_t size)
{
    const char *at = strstr(frame, "\n > ");
    if (!at)
        fail_msg("there is no cursor in: %s", frame);
    snprintf(line, size, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
}

static void write_more(struct state *s, int count, const char *words)
{
    static int written;
    char line[200];
    for (int i = 0; i < count; i++) {
        later(1);
        snprintf(line, sizeof(line), "{\"ref\":\"belief:more-%d\",\"text\":\"%s %d\"}", written++,
                 words, i);
        agents_write(s->store, s->claude, "ash", line);
    }
}

/* At these shots something comes from elsewhere. */
static void at_shot(struct script *script, const char *name)
{
    struct state *s = (struct state *)script;
    if (!strcmp(name, "five"))
        write_more(s, 5, "landed");
    if (!strcmp(name, "many"))
        write_more(s, 700, "one of many");
    if (!strcmp(name, "quiet"))
        later(6000);
    if (!strcmp(name, "call")) {
        agents_ask(s->claude, "memory_lineage", s->raw, scratch_clock, ERROR_NONE);
        agents_flush(s->store, s->log);
    }
    if (!strcmp(name, "late")) { /* logged after what happened later */
        agents_ask(s->claude, "memory_orphans", 0, scratch_clock - 500, ERROR_NONE);
        agents_flush(s->store, s->log);
    }
}

static void test_nothing_moves(void **state)
{
    struct state *s = *state;
    char before_line[600], after_line[600];
    s->script.at_shot = at_shot;
    s->script.rows = 20;
    script_run(&s->script, "9jj<shot:five><C-g><shot:after>g<shot:top>");
    char *before = script_shot(&s->script, "five"), *after = script_shot(&s->script, "after");
    char *top = script_shot(&s->script, "top");
    cursor_line(before, before_line, sizeof(before_line));
    cursor_line(after, after_line, sizeof(after_line));
    assert_string_equal(before_line, after_line);
    assert_non_null(strstr(after, "5 new ↑ · 11 events"));
    assert_null(strstr(top, " new "));
    cursor_line(top, before_line, sizeof(before_line));
    assert_non_null(strstr(before_line, "landed 4"));
    free(before);
    free(after);
    free(top);
}

/* The row of the screen that the cursor is in. */
static int cursor_row(const char *frame)
{
    const char *at = strstr(frame, "\n > ");
    int row = 0;
    if (!at)
        fail_msg("there is no cursor in: %s", frame);
    for (; at >= frame; at--)
        row += *at == '\n';
    return row;
}

/* Three come, and two of them go: the part with the sessions grows and shrinks. */
static void meet_at_shot(struct script *script, const char *name)
{
    static struct session *met[3];
    struct state *s = (struct state *)script;
    if (strncmp(name, "met", 3) != 0)
        return;
    if (name[3] < '3')
        met[name[3] - '0'] = agents_join(s->log, "goose", "moss");
    else
        session_end(met[name[3] - '3'], ENDED_BY_CLIENT);
    agents_flush(s->store, s->log);
}

/* Nothing moves either while others come and go. */
static void test_nothing_moves_for_sessions(void **state)
{
    static const char *const shots[] = {"met1", "met2", "met3", "met4", "gone"};
    struct state *s = *state;
    write_more(s, 100, "landed");
    s->script.at_shot = meet_at_shot;
    s->script.rows = 36;
    s->script.columns = 120;
    script_run(&s->script, "9jjjj<C-g><shot:met0><C-g><shot:met1><C-g><shot:met2><C-g><shot:met3>"
                           "<C-g><shot:met4><C-g><shot:gone>");
    char *before = script_shot(&s->script, "met0");
    char before_line[600], line[600];
    cursor_line(before, before_line, sizeof(before_line));
    for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
        char *after = script_shot(&s->script, shots[i]);
        cursor_line(after, line, sizeof(line));
        assert_string_equal(before_line, line);
        assert_int_equal(cursor_row(before), cursor_row(after));
        assert_has(after, "goose");
        free(after);
    }
    free(before);
}

static void test_follows(void **state)
{
    struct state *s = *state;
    char line[600];
    s->script.at_shot = at_shot;
    script_run(&s->script, "9<shot:many><C-g><shot:after>j<shot:moved>");
    char *after = script_shot(&s->script, "after"), *moved = script_shot(&s->script, "moved");
    cursor_line(after, line, sizeof(line));
    assert_non_null(strstr(line, "one of many 699"));
    assert_non_null(strstr(after, "following · 706 events"));
    assert_null(strstr(moved, "following"));
    free(after);
    free(moved);
}

static void test_calls_land(void **state)
{
    struct state *s = *state;
    s->script.at_shot = at_shot;
    s->script.rows = 50;
    script_run(&s->script, "9<shot:call><C-g><shot:five><C-g><shot:late><C-g><shot:after>");
    char *after = script_shot(&s->script, "after");
    const char *call = strstr(after, "memory_lineage"), *late = strstr(after, "memory_orphans");
    assert_non_null(call);
    assert_non_null(late);
    assert_true(late > call); /* it was before */
    free(after);
}

static void test_paused(void **state)
{
    struct state *s = *state;
    s->script.at_shot = at_shot;
    script_run(&s->script, "9p<shot:five><C-g><shot:held>p<shot:after>");
    char *held = script_shot(&s->script, "held"), *after = script_shot(&s->script, "after");
    assert_non_null(strstr(held, "6 events"));
    assert_non_null(strstr(held, "paused, 5 held back"));
    assert_non_null(strstr(after, "11 events"));
    free(held);
    free(after);
}

/* How many calls the row of the session of ash says. */
static long calls_of_ash(const char *frame)
{
    const char *at = strstr(frame, " ash ");
    if (!at)
        fail_msg("ash is not in: %s", frame);
    return strtol(at + strlen(" ash "), NULL, 10);
}

/* A pause and the past are of what was written: sessions are shown as they are now, and say so. */
static void test_sessions_are_of_now(void **state)
{
    static const struct {
        const char *keys, *says;
    } cases[] = {
        {"9<Tab>p<shot:call><C-g><shot:see>", "events paused"},
        {"9p<shot:call><C-g><shot:see>", "paused, 1 held back"},
        {"9<Tab>:asof @1<Enter><shot:call><C-g><shot:see>", "as they are now"},
        {"9:asof @1<Enter><shot:call><C-g><shot:see>", "sessions as they are now"},
    };
    struct state *s = *state;
    s->script.at_shot = at_shot;
    s->script.rows = 36;
    s->script.columns = 120;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        script_run(&s->script, cases[i].keys);
        char *before = script_shot(&s->script, "call"), *after = script_shot(&s->script, "see");
        assert_int_equal(calls_of_ash(after), calls_of_ash(before) + 1);
        assert_non_null(strstr(after, cases[i].says));
        free(before);
        free(after);
    }
    const char *frame = script_run(&s->script, "9<Tab>p<shot:call><C-g>p");
    assert_non_null(strstr(frame, "going on: what others wrote comes"));
    assert_null(strstr(frame, "held back"));
}

static void test_opened_while_paused(void **state)
{
    struct state *s = *state;
    s->script.at_shot = at_shot;
    script_run(&s->script, "p<shot:five><C-g>9<shot:held>p<shot:after>");
    char *held = script_shot(&s->script, "held"), *after = script_shot(&s->script, "after");
    assert_non_null(strstr(held, "11 events"));
    assert_non_null(strstr(held, "paused, 0 held back"));
    assert_non_null(strstr(after, "11 events"));
    free(held);
    free(after);
}

/* All of it can be reached, page after page. */
static void test_to_the_beginning(void **state)
{
    struct state *s = *state;
    char line[600];
    write_more(s, 1500, "one of many");
    s->script.at_shot = NULL;
    const char *frame = script_run(&s->script, "9");
    assert_non_null(strstr(frame, "… events"));
    assert_non_null(strstr(frame, "1/4"));
    frame = script_run(&s->script, "9G");
    cursor_line(frame, line, sizeof(line));
    assert_non_null(strstr(line, "The migration held"));
    assert_non_null(strstr(frame, "1506 events"));
    assert_non_null(strstr(frame, "1506/1506"));
    frame = script_run(&s->script, "9\\migration<Enter>");
    assert_non_null(strstr(frame, "3 events"));
}

/* What is not read yet is found too, and no line is the last one until it is known to be. */
static void test_beyond_what_is_read(void **state)
{
    struct state *s = *state;
    char line[600];
    write_more(s, 1500, "one of many");
    s->script.at_shot = NULL;
    const char *frame = script_run(&s->script, "9/held a lock<Enter>");
    cursor_line(frame, line, sizeof(line));
    assert_non_null(strstr(line, "CONFLICT"));
    assert_non_null(strstr(frame, "1502/"));
    assert_null(strstr(frame, "following"));
    frame = script_run(&s->script, "9/held a lock<Enter>nn");
    assert_non_null(strstr(frame, "1506/1506"));
    frame = script_run(&s->script, "9/held a lock<Enter>nnn");
    assert_non_null(strstr(frame, "from the top again"));
    frame = script_run(&s->script, "9/nowhere at all<Enter>");
    assert_non_null(strstr(frame, "nothing here matches \"nowhere at all\""));
    frame = script_run(&s->script, "9/nowhere at all");
    assert_non_null(strstr(frame, "no match"));
    frame = script_run(&s->script, "9:1200<Enter>");
    assert_non_null(strstr(frame, "1200/"));
    assert_null(strstr(frame, "reading on"));
    frame = script_run(&s->script, "9:5000<Enter>");
    assert_non_null(strstr(frame, "1506/1506"));
    assert_non_null(strstr(frame, "there is no line 5000"));
}

/* G ends following at once: what lands meanwhile does not take the cursor back. */
static void test_the_end_ends_following(void **state)
{
    struct state *s = *state;
    write_more(s, 1500, "one of many");
    s->script.at_shot = at_shot;
    const char *frame = script_run(&s->script, "9G<shot:five><C-g>k<shot:after>");
    assert_null(strstr(frame, "following"));
    assert_null(strstr(frame, "reading on"));
    assert_non_null(strstr(frame, "1510/1511"));
}

static void test_filter_and_search(void **state)
{
    struct state *s = *state;
    s->script.at_shot = at_shot;
    script_run(&s->script, "9\\landed 3<Enter><shot:five><C-g><shot:after><Esc><shot:all>");
    char *after = script_shot(&s->script, "after"), *all = script_shot(&s->script, "all");
    assert_non_null(strstr(after, " 1 event"));
    assert_non_null(strstr(after, "landed 3"));
    assert_null(strstr(after, "landed 4"));
    assert_non_null(strstr(all, "11 events"));
    free(after);
    free(all);
    const char *frame = script_run(&s->script, "9jjj/migration<Enter><shot:five><C-g>n");
    assert_non_null(strstr(frame, "match 2 of 3"));
}

/* A filter that is gone leaves the cursor on what it found, where that was looked at; else where it was. Who
 * follows does so through every filter, until that. */
static void test_escape_from_a_filter(void **state)
{
    struct state *s = *state;
    char line[600];
    write_more(s, 1500, "one of many");
    s->script.at_shot = NULL;
    static const struct {
        const char *keys, *cursor;
        bool follows, ended; /* is it told that it follows no more? */
    } cases[] = {
        {"9\\refused<Enter><Esc>", "CONFLICT", false, true},
        {"9\\one of many 0<Enter><Esc>", "one of many 0", false, true},
        {"9\\refused<Enter>\\<C-u>goose<Enter><Esc>", "one of many 1499", true, false},
        {"9\\refused<Enter>\\<C-u>nowhere at all<Enter><Esc>", "one of many 1499", true, false},
        {"9\\refused<Enter>\\<C-u><Enter>", "one of many 1499", true, false},
        {"9\\migration<Enter>j\\<C-u>many 14<Enter><Esc>", "one of many 1499", false, false},
        {"9\\many 1499<Enter><Esc>", "one of many 1499", true, false},
        {"9\\refused<Esc>", "one of many 1499", true, false},
        {"9\\nowhere at all<Enter><Esc>", "one of many 1499", true, false},
        {"9jj\\refused<Esc>", "one of many 1497", false, false},
        {"9jj\\nowhere at all<Enter><Esc>", "one of many 1497", false, false},
        {"9jj\\many 14<Down><Esc>", "one of many 1498", false, false},
        {"9jj\\many 14<Enter>jjj<Esc>", "one of many 1496", false, false},
        {"9:filter refused<Enter><Esc>", "CONFLICT", false, true},
        {"@\\refused<Enter><Esc>", "CONFLICT", false, false},
        {"@\\many 14<Enter>j<Esc>", "one of many 1498", false, false},
        {"@jj\\many 13<Esc>", "one of many 1497", false, false},
        {"@:audit operation:add<Enter>jj<Esc>", "one of many 1497", false, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *frame = script_run(&s->script, cases[i].keys);
        cursor_line(frame, line, sizeof(line));
        if (!strstr(line, cases[i].cursor))
            fail_msg("after %s the cursor is on %s", cases[i].keys, line);
        if (cases[i].follows != (strstr(frame, "following") != NULL))
            fail_msg("after %s:\n%.300s", cases[i].keys, frame);
        if (cases[i].ended != (strstr(frame, "and follows no more") != NULL))
            fail_msg("after %s:\n%s", cases[i].keys, frame);
    }
}

/* Another filter, also one that finds nothing yet or something newer, leaves it following: what lands comes under the
 * cursor. */
static void test_filters_leave_it_following(void **state)
{
    static const char *const filters[] = {
        "refused<Enter>\\<C-u>landed 3",
        "actor:ash<Enter>\\<C-u>actor:gamma<Enter>\\<C-u>kind:belief",
        "migration<Enter>\\<C-u>only:changes",
    };
    struct state *s = *state;
    char keys[200], line[600];
    s->script.at_shot = at_shot;
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        snprintf(keys, sizeof(keys), "9\\%s<Enter><shot:filtered><shot:five><C-g><shot:after>",
                 filters[i]);
        script_run(&s->script, keys);
        char *filtered = script_shot(&s->script, "filtered");
        char *after = script_shot(&s->script, "after");
        cursor_line(after, line, sizeof(line));
        assert_has(filtered, "following");
        assert_has(after, "following");
        assert_has(line, "landed");
        free(filtered);
        free(after);
    }
}

/* What happens while it is sought lands above it, and a key ends the search for it. */
static void test_news_while_one_is_sought(void **state)
{
    struct state *s = *state;
    char line[600];
    write_more(s, 1500, "one of many");
    s->script.at_shot = at_shot;
    script_run(&s->script, "9\\refused<Enter><Esc><shot:five><C-g><shot:after>");
    char *after = script_shot(&s->script, "after");
    cursor_line(after, line, sizeof(line));
    assert_non_null(strstr(line, "CONFLICT"));
    free(after);
}

/* A rate is of when it happened, not of when it is shown. */
static void test_a_rate_is_of_late(void **state)
{
    struct state *s = *state;
    s->script.at_shot = at_shot;
    script_run(&s->script, "9p<shot:five><C-g>p<shot:at-once>");
    char *now = script_shot(&s->script, "at-once");
    assert_non_null(strstr(now, "11 events · 2/s"));
    free(now);
    script_run(&s->script, "9p<shot:many><shot:quiet>p<shot:later>");
    char *then = script_shot(&s->script, "later");
    char *header = strndup(then, strcspn(then, "\n"));
    assert_has(header, "711 events");
    assert_lacks(header, "/s");
    free(header);
    free(then);
}

/* In a pause nothing that is shown tells it. */
static void test_no_rate_in_a_pause(void **state)
{
    struct state *s = *state;
    s->script.at_shot = at_shot;
    script_run(&s->script, "9<shot:five><shot:landed>p<shot:held>");
    char *landed = script_shot(&s->script, "landed"), *held = script_shot(&s->script, "held");
    held[strcspn(held, "\n")] = '\0';
    assert_has(landed, "11 events · 2/s");
    assert_has(held, "paused");
    assert_has(held, "11 events");
    assert_lacks(held, "/s");
    free(landed);
    free(held);
}

/* Of the calls of a session as well: also of those that were there when one came to look. */
static void test_the_pace_of_a_session(void **state)
{
    struct state *s = *state;
    char line[300];
    struct session *hasty = agents_join(s->log, "hasty", "ash");
    for (int i = 0; i < 200; i++)
        agents_ask(hasty, "memory_list", 0, scratch_clock, ERROR_NONE);
    agents_flush(s->store, s->log);
    s->script.at_shot = NULL;
    s->script.rows = 40;
    s->script.columns = 140;
    const char *frame = script_run(&s->script, "9<Tab>");
    cursor_line(frame, line, sizeof(line));
    assert_has(line, "hasty");
    assert_has(line, "   40 ");
    assert_has(frame, " a second in the mean, 40 in the last 5\n");
    later(5000);
    frame = script_run(&s->script, "9<Tab>");
    cursor_line(frame, line, sizeof(line));
    assert_has(line, "hasty");
    assert_lacks(line, "   40 ");
    assert_has(frame, " a second in the mean\n");
    frame = script_run(&s->script, "9<Tab>?/s");
    assert_has(frame, "calls a second, over the last 5 seconds");
}

static void test_opens(void **state)
{
    struct state *s = *state;
    s->script.at_shot = NULL;
    assert_non_null(strstr(script_run(&s->script, "9jj<Enter>"), "54c5507f"));
    assert_non_null(strstr(script_run(&s->script, "9jjj<Enter>"), "about no one memory"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab><Tab>"), "6 events"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab>\\claude<Enter>"), "1 of 2 sessions"));
}

/* ---- deciding ---- */

static int write_nothing(struct txn *t, void *arg, struct error *e)
{
    int64_t row;
    return session_admit(t, arg, &row, e);
}

static bool may_write(struct state *s, struct session *session)
{
    struct error e = {0};
    if (!store_run(s->store, write_nothing, session, &e))
        return true;
    assert_int_equal(e.code, ERROR_REFUSED);
    return false;
}

static void test_read_only_and_end(void **state)
{
    struct state *s = *state;
    s->script.at_shot = NULL;
    s->script.rows = 36;
    s->script.columns = 120;
    script_run(&s->script, "9<Tab>W<Enter>");
    assert_true(may_write(s, s->codex)); /* Enter alone decides nothing */
    const char *frame = script_run(&s->script, "9<Tab>Wy<C-g><shot:x>");
    assert_false(may_write(s, s->codex));
    assert_true(may_write(s, s->claude));
    assert_non_null(strstr(frame, " ro "));
    script_run(&s->script, "9Wy");
    assert_true(may_write(s, s->codex));
    frame = script_run(&s->script, "9<Tab>jKy<C-g><shot:x>");
    assert_false(may_write(s, s->claude));
    assert_non_null(strstr(frame, "2 sessions · 1 agent live"));
    assert_non_null(strstr(script_run(&s->script, "9"), "session 1 (claude-code)"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab>GK"), "that session has ended"));
    assert_non_null(strstr(script_run(&s->script, "9\\ash<Enter>K"), "that session has ended"));
}

/* What its key does stands in the key bar, and which session it is wherever one is named. */
static void test_sessions_are_told_apart(void **state)
{
    static const int sizes[][2] = {{24, 80}, {36, 120}, {40, 140}};
    struct state *s = *state;
    struct session *other = agents_join(s->log, "claude-code", "ash");
    agents_write(s->store, other, "ash", "{\"ref\":\"note:other-1\",\"text\":\"by another\"}");
    agents_flush(s->store, s->log);
    s->script.at_shot = NULL;
    for (size_t i = 0; i < 3; i++) {
        s->script.rows = sizes[i][0];
        s->script.columns = sizes[i][1];
        const char *frame = script_run(&s->script, "9<Tab>");
        assert_non_null(strstr(frame, "  3  claude-code 2.1 "));
        assert_non_null(strstr(frame, "  1  claude-code 2.1 "));
        assert_non_null(strstr(frame, "look af"));
        assert_non_null(strstr(frame, "── session 3 "));
    }
    const char *frame = script_run(&s->script, "9<Tab>W<shot:asked>y");
    char *asked = script_shot(&s->script, "asked");
    assert_non_null(strstr(asked, "session 3 (claude-code 2.1), ash"));
    assert_non_null(strstr(frame, "session 3 (claude-code 2.1) can only read now"));
    free(asked);
    assert_non_null(strstr(script_run(&s->script, "9<Tab>"), "W let write"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab>j"), "W read-only"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab><Enter>"), "sessions › session 3 (cl"));
}

/* It was made by a person, and in no session: that is what it is about. */
static void test_whose_a_decision_is(void **state)
{
    struct state *s = *state;
    char line[1024];
    s->script.at_shot = NULL;
    s->script.rows = 50;
    s->script.columns = 200;
    s->script.person = "ann";
    cursor_line(script_run(&s->script, "9<Tab>Wy<C-g><shot:x><Tab>g"), line, sizeof(line));
    assert_non_null(strstr(line, "P you "));
    assert_non_null(strstr(line, "session 2 (codex)"));
    assert_ptr_equal(strstr(line, "codex"), strstr(line, "codex)")); /* in no column before */
    const char *frame = script_run(&s->script, ":audit operation:read-only-session<Enter>");
    assert_non_null(strstr(frame, "\n who       ann, a person, through explorer\n"));
    assert_non_null(strstr(frame, "\n session   2: codex 2.1, uid "));
}

/* Whoever may come again is let write before. */
static void test_one_that_is_away(void **state)
{
    struct state *s = *state;
    struct session *away = session_begin(
        s->log, &(struct session_start){
                    .client = "host", .era = "2026-07-28", .transport = "http", .agent = "bob"});
    agents_flush(s->store, s->log);
    s->script.at_shot = NULL;
    s->script.rows = 36;
    s->script.columns = 120;
    script_run(&s->script, "9<Tab>\\bob<Enter>Wy");
    assert_false(may_write(s, away));
    session_end(away, ENDED_BY_SERVER);
    agents_flush(s->store, s->log);
    const char *frame = script_run(&s->script, "9<Tab>\\bob<Enter>");
    assert_non_null(strstr(frame, "away; read only when it comes again"));
    assert_non_null(
        strstr(script_run(&s->script, "9<Tab>\\bob<Enter>K"), "that session has ended"));
    script_run(&s->script, "9<Tab>\\bob<Enter>W<shot:asked>y");
    char *asked = script_shot(&s->script, "asked");
    assert_non_null(strstr(asked, "its writes are taken when it comes again"));
    free(asked);
    frame = script_run(&s->script, "9<Tab>\\bob<Enter>");
    assert_null(strstr(frame, "away; read only"));
    assert_non_null(
        strstr(script_run(&s->script, "9<Tab>\\bob<Enter>W"), "that session has ended"));
}

/* What was done last is such a decision: what was done to a memory before it stays. */
static void test_undo_takes_no_decision_back(void **state)
{
    struct state *s = *state;
    s->script.at_shot = NULL;
    s->script.rows = 50;
    s->script.columns = 200;
    s->script.person = "ann";
    const char *frame = script_run(&s->script, ":protect belief:7d10e6a2<Enter><Enter><C-g>"
                                               "9<Tab>jKy<C-g><shot:ended>u");
    char *ended = script_shot(&s->script, "ended");
    assert_null(strstr(ended, "u undo"));
    assert_non_null(strstr(frame, "ended session 1, which cannot be undone"));
    frame = script_run(&s->script, "9");
    assert_non_null(strstr(frame, "protect"));
    assert_null(strstr(frame, "undid"));
    free(ended);
}

/* As in the audit it is the change under the cursor that is taken back, whoever made it, and that is asked. */
static void test_undo_of_the_one_under_the_cursor(void **state)
{
#define HERS "9\\actor:claire only:changes<Enter>"
    struct state *s = *state;
    s->script.at_shot = NULL;
    s->script.rows = 36;
    s->script.columns = 120;
    s->script.person = "ann";
    script_run(&s->script, ":protect belief:7d10e6a2<Enter><Enter><C-g><shot:done>");
    assert_non_null(strstr(script_run(&s->script, HERS), "u undo it"));
    assert_non_null(strstr(script_run(&s->script, HERS "u"), "undo event 3, by claire"));
    script_run(&s->script, HERS "uy<C-g><shot:done>");
    const char *frame = script_run(&s->script, "9");
    assert_non_null(strstr(frame, "undid "));
    assert_non_null(strstr(frame, "protected ")); /* what the person did last stands */
    frame = script_run(&s->script, "9\\only:reads<Enter>u");
    assert_non_null(strstr(frame, "it changed nothing that could be taken back"));
    assert_null(strstr(frame, "u undo"));
}

/* ---- who it was ---- */

/* An agent that signs with a person's name is told from that person. */
static void test_who(void **state)
{
    struct state *s = *state;
    struct session *evil = agents_join(s->log, "evilclient", "evil");
    agents_write(s->store, evil, "sean", "{\"ref\":\"belief:false-1\",\"text\":\"Skip staging\"}");
    s->script.at_shot = NULL;
    s->script.person = "sean";
    const char *frame = script_run(&s->script, "9");
    assert_non_null(strstr(frame, "  sean via …  added"));
    s->script.rows = 36;
    s->script.columns = 120;
    frame = script_run(&s->script, "9Wy<C-g><shot:x>");
    assert_non_null(strstr(frame, "P you                   made read-only"));
    assert_non_null(strstr(frame, "  sean via evilclient   added"));
    s->script.person = "claire";
    frame = script_run(&s->script, "9");
    assert_non_null(strstr(frame, "P sean                  made read-only"));
    assert_non_null(strstr(script_run(&s->script, "9\\person<Enter>"), " 1 event"));
}

static void impostor_at_shot(struct script *script, const char *name)
{
    struct state *s = (struct state *)script;
    if (!strcmp(name, "one"))
        agents_write(s->store, s->codex, "root", "{\"ref\":\"belief:r-1\",\"text\":\"one\"}");
    if (!strcmp(name, "two"))
        agents_write(s->store, s->codex, "claire", "{\"ref\":\"belief:r-2\",\"text\":\"two\"}");
}

/* The status line says it too, and counts from the last key on; lists get a column of agents. */
static void test_a_second_agent(void **state)
{
    struct state *s = *state;
    script_close(&s->script);
    call_log_close(s->log);
    store_close(s->store);
    s->store = scratch_store_standing("one-agent.db", count_id);
    s->log = agents_open(s->store);
    s->codex = agents_join(s->log, "codex", "claire");
    agents_write(s->store, s->codex, "claire", "{\"ref\":\"belief:r-0\",\"text\":\"zero\"}");
    script_open(&s->script, s->store);
    s->script.at_shot = impostor_at_shot;
    s->script.rows = 36;
    s->script.columns = 120;
    script_run(&s->script, "<shot:one><shot:then><shot:two><shot:last>");
    char *one = script_shot(&s->script, "one"), *then = script_shot(&s->script, "then");
    char *last = script_shot(&s->script, "last");
    assert_null(strstr(one, " agent  "));
    assert_non_null(strstr(then, " agent  "));
    assert_non_null(strstr(then, "root (agent, via codex) added belief:r-1"));
    assert_non_null(strstr(last, "2 changes, the last by claire (agent, via codex)"));
    free(one);
    free(then);
    free(last);
}

/* The text of a line is that of today: where the memory changed after it the line says so. */
static void test_changed_since(void **state)
{
    struct state *s = *state;
    char line[600];
    s->script.at_shot = NULL;
    scratch_replace(
        s->store,
        "{\"ref\":\"belief:7d10e6a2-0000-4000-8000-000000000002\",\"text\":\"The fleet, "
        "then the canary\"}",
        "it was wrong");
    cursor_line(script_run(&s->script, "9"), line, sizeof(line));
    assert_null(strchr(line, '~'));
    cursor_line(script_run(&s->script, "9jjjjj"), line, sizeof(line));
    assert_non_null(strstr(line, "~ "));
    assert_non_null(strstr(line, "The fleet"));
}

/* ---- room ---- */

/* However narrow it is there is some text; sessions have the room that events leave. */
static void test_room(void **state)
{
    struct state *s = *state;
    s->script.at_shot = NULL;
    s->script.rows = 12;
    s->script.columns = 40;
    assert_non_null(strstr(script_run(&s->script, "9"), "Canary first"));
    for (int i = 0; i < 8; i++)
        agents_join(s->log, "one of many", "ash");
    agents_flush(s->store, s->log);
    s->script.rows = 36;
    s->script.columns = 120;
    const char *frame = script_run(&s->script, "9");
    assert_null(strstr(frame, "Tab shows all"));
    assert_non_null(strstr(frame, "claude-code 2.1"));
    s->script.rows = 24;
    assert_non_null(strstr(script_run(&s->script, "9"), "Tab shows all"));
}

/* What no line shows is not found either. */
static void test_sessions_by_what_is_shown(void **state)
{
    struct state *s = *state;
    s->script.at_shot = NULL;
    assert_non_null(strstr(script_run(&s->script, "9<Tab>\\-4111-8111<Enter>"), "0 of 2 sessions"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab>\\codex<Enter>"), "1 of 2 sessions"));
}

/* Of a peer at a port the system says nothing, but where it is. */
static void test_peers(void **state)
{
    struct state *s = *state;
    session_begin(s->log,
                  &(struct session_start){
                      .client = "by-a-port", .transport = "http", .peer_uid = -1, .peer_pid = -1});
    agents_flush(s->store, s->log);
    s->script.at_shot = NULL;
    frame_resize(&s->script, 2);
    const char *frame = script_run(&s->script, "9<Tab>\\by-a-port<Enter>");
    assert_non_null(strstr(frame, "loopback"));
    frame = script_run(&s->script, "9<Tab>\\by-a-port<Enter><Enter>");
    assert_non_null(strstr(frame, "loopback"));
    assert_null(strstr(frame, "?:?"));
}

/* ---- what is hostile ---- */

static void test_hostile(void **state)
{
    static const char *const names[] = {
        "\033[2J\033]0;owned\a",
        "a\nb\tc",
        "\xff\xfe broken",
        "\xe2\x80\xae txt.exe",
        "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
        "\xe8\xaa\x9e\xe8\xaa\x9e\xe8\xaa\x9e",
        "%s%n%s%n",
        "",
    };
    static const char *const keys[] = {"9", "9<Tab>", "9<Tab>j<Enter>", "9<Tab>jjK", "9<Tab>jjjjj"};
    struct state *s = *state;
    s->script.at_shot = NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct session *one = agents_join(s->log, names[i], names[i]);
        agents_ask(one, names[i], 0, scratch_clock, i % 2 ? ERROR_NONE : ERROR_REFUSED);
        agents_ask(one, names[i], s->raw, scratch_clock, i % 2 ? ERROR_NONE : ERROR_INVALID);
    }
    agents_flush(s->store, s->log);
    for (size_t i = 0; i < 6 * sizeof(keys) / sizeof(keys[0]); i++) {
        bool ascii = i % 6 >= 3;
        s->script.config.ascii = ascii ? ASCII_YES : ASCII_AUTO;
        frame_resize(&s->script, i % 3);
        const char *frame = script_run(&s->script, keys[i / 6]);
        for (const char *c = frame; *c; c++)
            assert_true(*c == '\n' || ((unsigned char)*c >= ' ' && !(ascii && *c & 0x80)));
        assert_null(strstr(frame, "\xe2\x80\xae"));
        assert_null(strstr(frame, "\x7f"));
    }
}

/* Who holds no memory, and was refused, is one whose permissions may be asked for. */
static void test_permissions_of_who_was_refused(void **state)
{
    struct state *s = *state;
    s->script.at_shot = NULL;
    struct session *bob = agents_join(s->log, "cursor", "bob");
    agents_ask(bob, "getMemory", 0, scratch_clock, ERROR_REFUSED);
    agents_flush(s->store, s->log);
    frame_after(&s->script, "O#A", "bob         was connected");
    assert_non_null(strstr(script_run(&s->script, "O#A<Up><End><Enter>"), "what bob may do"));
    assert_null(strstr(script_run(&s->script, "A"), "bob")); /* whose memories are listed */
    agents_join(s->log, "cursor", "the-one-whose-name-takes-sixty-columns-and-more-than-there-are");
    agents_flush(s->store, s->log);
    frame_after(&s->script, "O#A", "the-one-whose-name");
    frame_after(&s->script, "O#A", "…  was connected  ");
}

/* Who is connected, and what each did, is told by masked names. */
static void test_masked(void **state)
{
    static const char *const keys[] = {"9",        "9<Tab>", "9<Tab>K", "9<Tab><Enter>",   "9j",
                                       "9<Enter>", "@",      "@jj",     ":sessions<Enter>"};
    struct state *s = *state;
    struct strbuf masked = STRBUF_INIT;
    struct session *session = agents_join(s->log, "zqj@corp.example", "zqk@corp.example");
    agents_write(s->store, session, "zqk@corp.example", "{\"ref\":\"note:a\",\"text\":\"b\"}");
    agents_ask(session, "memory_get", s->raw, scratch_clock, ERROR_NONE);
    agents_ask(session, "memory_list", 0, scratch_clock, ERROR_REFUSED);
    agents_flush(s->store, s->log);
    for (size_t i = 0; i < 3 * sizeof(keys) / sizeof(keys[0]); i++) {
        frame_resize(&s->script, i % 3);
        strbuf_clear(&masked);
        strbuf_addf(&masked, ":mask<Enter>%s", keys[i / 3]);
        const char *frame = script_run(&s->script, masked.buf);
        if (strstr(frame, "zqj") || strstr(frame, "zqk"))
            fail_msg("%s shows a name:\n%s", masked.buf, frame);
    }
    strbuf_release(&masked);
    assert_non_null(strstr(script_run(&s->script, "9"), "zqk"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shared_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_long_namespace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_moves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_moves_for_sessions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_follows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_calls_land, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sessions_are_of_now, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sessions_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whose_a_decision_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_opened_while_paused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_the_beginning, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_beyond_what_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_end_ends_following, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_filter_and_search, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_escape_from_a_filter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_filters_leave_it_following, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_news_while_one_is_sought, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_rate_is_of_late, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_rate_in_a_pause, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_pace_of_a_session, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_opens, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_read_only_and_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_that_is_away, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_undo_takes_no_decision_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_undo_of_the_one_under_the_cursor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_who, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_second_agent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changed_since, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sessions_by_what_is_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wider_shows_no_less, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_peers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_permissions_of_who_was_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_masked, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
