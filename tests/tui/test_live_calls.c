/* The live view and the audit of what agents asked: each way that calls came out has a line, and what is held back, by
 * whom it was and what follows is told as it is. */
#include "../support/agents.h"
#include "../support/scratch.h"
#include "../support/script.h"

static int64_t now_is;
static int64_t stands(void)
{
    return now_is;
}

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
    char *path = scratch_path("live-calls.db");
    now_is = SCRATCH_NOW;
    s->store = scratch_store_with(path, &(struct store_options){.create = true, .now = stands});
    s->log = agents_open(s->store);
    s->ash = agents_join(s->log, "claude-code", "ash");
    s->belief = agents_write(s->store, s->ash, "ash",
                             "{\"ref\":\"belief:canary-1\",\"text\":\"Canary first\"}");
    agents_flush(s->store, s->log);
    script_open(&s->script, s->store);
    s->script.rows = 30;
    s->script.columns = 138;
    free(path);
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
    agents_ask(s->ash, tool, s->belief, ++now_is, outcome);
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
    assert_non_null(strstr(script_run(&s->script, "9\\PERMISSION<Enter>"), "1 of 6 events"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_outcome_has_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cancelled_call, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
