/* The live view and the audit of what agents asked: each way that calls came out has a line, and what is held back, by
 * whom it was and what follows is told as it is. */
#include "store/open.h"
#include "tests/support/agents.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"

struct state {
    struct script script;
    struct store *store;
    struct call_log *log;
    struct session *ash;
    int64_t belief;
};

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    s->store = scratch_store_standing("live-calls.db", NULL);
    s->log = agents_open(s->store);
    s->ash = agents_join(s->log, "claude-code", "ash");
    s->belief = agents_write(s->store, s->ash, "ash",
                             "{\"ref\":\"belief:canary-1\",\"text\":\"Canary first\"}");
    agents_flush(s->store, s->log);
    script_open(&s->script, s->store);
    s->script.rows = 30;
    s->script.columns = 138;
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

static void ask(struct state *s, const char *tool, enum error_code outcome)
{
    agents_ask(s->ash, tool, s->belief, ++scratch_clock, outcome);
}

static size_t times(const char *frame, const char *text)
{
    size_t count = 0;
    for (const char *at = frame; (at = strstr(at, text)); at += strlen(text))
        count++;
    return count;
}

/* The frame's line that says it. */
static void line_of(const char *frame, const char *text, char *line, size_t size)
{
    const char *at = strstr(frame, text);
    if (!at)
        fail_msg("\"%s\" is not in: %s", text, frame);
    while (at > frame && at[-1] != '\n')
        at--;
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* ---- outcomes ---- */

static char line_read[600];

/* However narrow it is, why a call was refused is read whole, and its tool begins to be. */
static void test_why_is_read_whole(void **state)
{
    struct state *s = *state;
    ask(s, "memory_revise_from_episode", ERROR_REFUSED);
    ask(s, "memory_update", ERROR_INVALID);
    agents_ask(s->ash, "memory_process_raw", 0, ++scratch_clock, ERROR_NOT_FOUND);
    agents_flush(s->store, s->log);
    s->script.rows = 40;
    for (s->script.columns = 40; s->script.columns < 200; s->script.columns += 5) {
        const char *frame = script_run(&s->script, "9");
        assert_non_null(strstr(frame, "PERMISSION_DENIED"));
        assert_non_null(strstr(frame, "INVALID_REQUEST"));
        assert_non_null(strstr(frame, "NOT_FOUND"));
        assert_int_equal(times(frame, "mem") >= 3, true);
    }
    s->script.rows = 10;
    s->script.columns = 40;
    line_of(script_run(&s->script, "9"), "NOT_FOUND", line_read, sizeof(line_read));
    assert_non_null(strstr(line_read, "NOT_FOUND memory_"));
}

/* Within a second one tool was refused for three reasons, given up, and answered. */
static void play_outcomes(struct state *s)
{
    ask(s, "memory_update", ERROR_REFUSED);
    ask(s, "memory_update", ERROR_CONFLICT);
    ask(s, "memory_update", ERROR_INVALID);
    ask(s, "memory_update", ERROR_CONFLICT);
    ask(s, "memory_update", ERROR_INTERRUPTED);
    ask(s, "memory_update", ERROR_NONE);
    agents_flush(s->store, s->log);
}

static void test_each_outcome_has_a_line(void **state)
{
    static const char *const keys[] = {"9", "@"};
    struct state *s = *state;
    play_outcomes(s);
    for (size_t i = 0; i < 2; i++) {
        const char *frame = script_run(&s->script, keys[i]);
        assert_int_equal(times(frame, " refused "), 3);
        assert_int_equal(times(frame, "memory_update PERMISSION"), 1);
        assert_int_equal(times(frame, "memory_update CONFLICT ×2"), 1);
        assert_int_equal(times(frame, "memory_update INVALID"), 1);
        assert_int_equal(times(frame, " read  "), 1);
    }
    assert_non_null(strstr(script_run(&s->script, "9\\PERMISSION<Enter>"), " 1 event"));
}

/* Nobody refused what its client gave up. */
static void test_a_cancelled_call(void **state)
{
    static const char *const keys[] = {"9\\cancelled<Enter>", ":audit only:cancellations<Enter>"};
    struct state *s = *state;
    char line[600];
    play_outcomes(s);
    for (size_t i = 0; i < 2; i++) {
        const char *frame = script_run(&s->script, keys[i]);
        line_of(frame, "memory_update", line, sizeof(line));
        assert_non_null(strstr(line, " cancelled "));
        assert_null(strstr(line, "⊘"));
        assert_int_equal(times(frame, "INTERNAL_ERROR"), 0);
        assert_int_equal(times(frame, "refused"), 0);
    }
    line_of(script_run(&s->script, "9"), "CONFLICT", line, sizeof(line));
    assert_non_null(strstr(line, "⊘"));
}

/* ---- the filter ---- */

/* The words of the audit's filter are the live view's, too; of one session's they stay that one's. */
static void test_filters_as_the_audit_does(void **state)
{
    static const struct {
        const char *filter, *count, *title;
    } cases[] = {
        {"actor:ash", " 6 events", " › live › actor:ash "},
        {"only:changes", " 1 event ", " › live › only:changes "},
        {"only:refusals PERMISSION", " 1 event ", " › live › only:refusals PERMISSION "},
        {"session:1", " 6 events", " › live › session:1 "},
        {"operation:memory_update", " 5 events", " › live › operation:memory_update "},
        {"memory:belief:canary only:reads", " 1 event ",
         " › live › memory:belief:canary only:reads "},
        {"PERMISSION", " 1 event", " › live › \"PERMISSION\" "},
    };
    struct state *s = *state;
    char keys[200];
    play_outcomes(s);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(keys, sizeof(keys), "9\\%s<Enter>", cases[i].filter);
        const char *frame = script_run(&s->script, keys);
        assert_has(frame, cases[i].count);
        assert_has(frame, cases[i].title);
        snprintf(keys, sizeof(keys), "9\\%s<Enter><Esc>", cases[i].filter);
        assert_has(script_run(&s->script, keys), " 6 events");
    }
    assert_has(script_run(&s->script, "9\\kind:nothing<Enter>"), "there is no such kind");
    agents_join(s->log, "codex", "willow");
    agents_flush(s->store, s->log);
    assert_has(script_run(&s->script, "9<Tab>G<Enter>\\only:changes<Enter>"), " 1 event ");
    assert_has(script_run(&s->script, "9<Tab>G<Enter>\\session:2<Enter>"),
               "here stands one session alone; 9 shows all");
}

/* Of those words the ones that a session has are the sessions', too; what another says is of its events. */
static void test_filters_sessions(void **state)
{
    static const struct {
        const char *filter, *count, *title;
    } cases[] = {
        {"actor:willow", " 1 of 3 sessions", " › sessions › actor:willow "},
        {"actor:codex", " 1 of 3 sessions", " › sessions › actor:codex "},
        {"actor:wil", " 0 of 3 sessions", " › sessions › actor:wil "},
        {"session:2 claude", " 1 of 3 sessions", " › sessions › session:2 claude "},
        {"since:2001-01-01", " 3 of 3 sessions", " › sessions › since:2001-01-01 "},
        {"until:2001-01-01", " 0 of 3 sessions", " › sessions › until:2001-01-01 "},
        {"since:2100-01-01 willow", " 0 of 3 sessions", " › since:2100-01-01 willow "},
        {"willow", " 1 of 3 sessions", " › sessions › \"willow\" "},
    };
    static const char *const others[] = {"operation:edit", "kind:note", "memory:belief:canary",
                                         "correlation:x", "only:reads"};
    struct state *s = *state;
    char keys[200];
    session_end(agents_join(s->log, "claude-code", "willow"), ENDED_BY_CLIENT);
    agents_join(s->log, "codex", NULL);
    agents_flush(s->store, s->log);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(keys, sizeof(keys), "9<Tab>\\%s<Enter>", cases[i].filter);
        const char *frame = script_run(&s->script, keys);
        assert_has(frame, cases[i].count);
        assert_has(frame, cases[i].title);
        snprintf(keys, sizeof(keys), "9<Tab>\\%s<Enter><Esc>", cases[i].filter);
        assert_has(script_run(&s->script, keys), " 3 sessions");
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        snprintf(keys, sizeof(keys), "9<Tab>\\%s<Enter>", others[i]);
        const char *frame = script_run(&s->script, keys);
        assert_has(frame, "that is of what happens in a session, which Tab shows: \"");
        assert_has(frame, " 3 sessions");
    }
    script_run(&s->script, "9<Tab>\\<C-g><shot:columns>actor:<C-g><shot:actors>");
    char *columns = script_shot(&s->script, "columns"), *actors = script_shot(&s->script, "actors");
    assert_has(columns, "actor:");
    assert_has(columns, "it had begun by then");
    assert_lacks(columns, "operation:");
    assert_has(actors, "actor:willow");
    free(columns);
    free(actors);
}

/* ---- what is held back ---- */

/* Three refusals of one tool, another call and a change: three lines, and one event of the journal. */
static void act_at_shot(struct script *script, const char *name)
{
    static int written;
    struct state *s = (struct state *)script;
    char line[100];
    if (strncmp(name, "act", 3) != 0)
        return;
    for (int i = 0; i < 3; i++)
        ask(s, "memory_get", ERROR_NOT_FOUND);
    ask(s, "memory_list", ERROR_NONE);
    scratch_clock++;
    snprintf(line, sizeof(line), "{\"ref\":\"note:n-%d\",\"text\":\"held one\"}", written++);
    agents_write(s->store, s->ash, "ash", line);
    agents_flush(s->store, s->log);
}

static void check_held(struct state *s, const char *keys, const char *const wanted[3])
{
    static const char *const names[] = {"held", "again", "after"};
    s->script.at_shot = act_at_shot;
    script_run(&s->script, keys);
    for (size_t i = 0; i < 3; i++) {
        char *shot = script_shot(&s->script, names[i]);
        if (!strstr(shot, wanted[i]))
            fail_msg("%s: \"%s\" is not in %s", names[i], wanted[i], shot);
        free(shot);
    }
}

/* What will be shown is counted: calls too, and what the filter leaves. */
static void test_held_back(void **state)
{
    static const char *const all[] = {"paused, 3 held back", "paused, 6 held back", "7 events"};
    static const char *const refused[] = {"paused, 1 held back", "paused, 2 held back",
                                          "4 events"};
    static const char *const audit[] = {"paused, 1 held back", "paused, 2 held back", "7 events"};
    static const char shots[] = "p<shot:act><C-g><shot:held><shot:act-again><C-g><shot:again>p";
    static const struct {
        const char *before;
        const char *const *wanted;
    } rows[] = {{"9", all}, {"9\\refused<Enter>", refused}, {"@\\only:changes<Enter>", audit}};
    struct state *s = *state;
    for (size_t i = 0; i < 3; i++) {
        char keys[200];
        snprintf(keys, sizeof(keys), "%s%s<shot:after>", rows[i].before, shots);
        check_held(s, keys, rows[i].wanted);
    }
}

/* What a list was read with during the pause it has. */
static void test_held_since_it_was_read(void **state)
{
    static const char *const wanted[] = {"paused, 0 held back", "paused, 3 held back", "7 events"};
    check_held(*state,
               "9p<shot:act><C-g>R<shot:held><shot:act-again><C-g><shot:again>p<shot:after>",
               wanted);
}

/* ---- whose it is ---- */

/* Lists are narrowed to one agent; what happened is not, nor what is shared, and does not say so. */
static void test_one_agent(void **state)
{
    static const char *const places[][2] = {
        {"9", "here all agents stand, and \\ filters"},
        {"9<Tab>", "here all agents stand, and \\ filters"},
        {"@", "here all agents stand, and \\ filters"},
        {":diff @0 now<Enter>", "here all agents stand "},
        {"O", "a namespace holds what every agent put"},
        {"O<Enter>", "a namespace holds what every agent put"},
    };
    struct state *s = *state;
    char all[100];
    s->script.columns = 120;
    scratch_put(s->store, "{\"ref\":\"entry:one\",\"agent_id\":\"claire\",\"text\":\"k\","
                          "\"detail\":{\"namespace\":\"team\",\"key\":\"k\",\"value\":1}}");
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(all, sizeof(all), "%s:agent lat<Enter>", places[i][0]);
        const char *frame = script_run(&s->script, all);
        assert_has(frame, " stemma › all agents › ");
        assert_has(frame, "lists show only what lat holds; ");
        assert_has(frame, places[i][1]);
    }
    assert_non_null(strstr(script_run(&s->script, "9:agent lat<Enter>0"), " stemma › lat › "));
    assert_non_null(
        strstr(script_run(&s->script, "9:agent lat<Enter>:agent all<Enter>"), "every agent"));
}

/* Agents are counted, whatever sessions they have. */
static void test_agents_that_live(void **state)
{
    struct state *s = *state;
    assert_non_null(strstr(script_run(&s->script, "9"), " 1 agent live"));
    agents_join(s->log, "codex", "ash");
    agents_join(s->log, "claude-code", "ash");
    agents_flush(s->store, s->log);
    assert_non_null(strstr(script_run(&s->script, "9"), " 1 agent live"));
    agents_join(s->log, "codex", "willow");
    agents_flush(s->store, s->log);
    assert_non_null(strstr(script_run(&s->script, "9"), " 2 agents live"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab>"), " 4 sessions"));
}

#define ZWSP    "\xe2\x80\x8b"
#define SHOWN   "\xef\xbf\xbd"
#define HIDDEN  "z" ZWSP "qx"
#define VISIBLE "z" SHOWN "qx"

/* A name that hides something is told from one that does not, wherever one stands. */
static void test_what_a_name_hides_is_seen(void **state)
{
    static const char *const keys[] = {
        "9",        "9<Tab>", "9<Tab><Enter>", "1",          "1<Enter>", "1<Enter>.", "@",
        "@<Enter>", "1A",     "1Azqx<Enter>",  "9\\actor:z", "9<Tab>Wy",
    };
    struct state *s = *state;
    struct session *hidden = agents_join(s->log, HIDDEN, HIDDEN);
    agents_write(s->store, hidden, HIDDEN,
                 "{\"ref\":\"belief:hidden-1\",\"text\":\"One\",\"agent_id\":\"" HIDDEN
                 "\",\"source_entity\":\"" HIDDEN "\"}");
    agents_flush(s->store, s->log);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const char *frame = script_run(&s->script, keys[i]);
        if (!strstr(frame, VISIBLE) || strstr(frame, " zqx"))
            fail_msg("after %s: %s", keys[i], frame);
    }
}

/* Nor does one of which nothing is seen, from before that was refused, leave its place empty. */
static void test_a_name_of_blanks_is_quoted(void **state)
{
    struct state *s = *state;
    struct session *blank = agents_join(s->log, "\xe2\x80\x83", "willow");
    agents_write(s->store, blank, " ",
                 "{\"ref\":\"belief:blank-1\",\"text\":\"One\",\"agent_id\":\" \"}");
    agents_flush(s->store, s->log);
    const char *frame = script_run(&s->script, "9");
    assert_non_null(strstr(frame, " \" \" "));
    assert_non_null(strstr(frame, " unnamed clie"));
    assert_non_null(strstr(script_run(&s->script, "9<Tab>"), "unnamed client 2.1"));
    assert_non_null(
        strstr(script_run(&s->script, ":belief:blank-1<Enter>."), "agent        \" \""));
}

/* What a person decided was about a session: there one goes. */
static void test_opens_the_session_of_a_decision(void **state)
{
    struct state *s = *state;
    agents_join(s->log, "", "willow");
    agents_flush(s->store, s->log);
    script_run(&s->script, "9<Tab>Wy<C-g><shot:decided>");
    static const char *const keys[] = {"9<Enter>", "@<Enter>"};
    for (size_t i = 0; i < 2; i++) {
        const char *frame = script_run(&s->script, keys[i]);
        assert_non_null(strstr(frame, "(unnamed client 2.1)  "));
        assert_non_null(strstr(frame, " made read-only "));
        assert_null(strstr(frame, "no one memory"));
    }
    assert_non_null(strstr(script_run(&s->script, "9<Enter><Enter>"),
                           "\"made read-only\" was about this session"));
}

/* ---- what follows ---- */

/* Where the cursor is to go to what is new it goes there, and waits for nothing more. */
static void test_follows_at_once(void **state)
{
    static const char *const keys[] = {"9j<shot:act><C-g>F", "@j<shot:act><C-g>F",
                                       "0j<shot:act><C-g>F"};
    struct state *s = *state;
    act_at_shot(&s->script, "act");
    s->script.at_shot = act_at_shot;
    for (size_t i = 0; i < 3; i++) {
        const char *frame = script_run(&s->script, keys[i]);
        assert_non_null(strstr(frame, " following"));
        assert_non_null(strstr(frame, "the cursor goes to what is new"));
        assert_non_null(strstr(frame, " 1/"));
        assert_null(strstr(frame, " new ↑"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_why_is_read_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_outcome_has_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cancelled_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_filters_as_the_audit_does, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_filters_sessions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_held_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_held_since_it_was_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_agent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_agents_that_live, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_a_name_hides_is_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_name_of_blanks_is_quoted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_opens_the_session_of_a_decision, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_follows_at_once, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
