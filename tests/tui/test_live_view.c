/*
 * The live view and the one of sessions: what happened, who did it, and what a person decides about
 * it. Golden frames of a fixed story at three sizes (GENERATE=1 makes them again), and what moves.
 */
#include <unistd.h>
#include "../support/agents.h"
#include "../support/scratch.h"
#include "../support/script.h"

static int64_t now_is;
static int64_t stands(void)
{
    return now_is;
}

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
    bool generate;
};

static void later(int64_t ms)
{
    now_is += ms;
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
        agents_ask(s->codex, "memory_search", 0, now_is + i, ERROR_NONE);
    agents_ask(s->codex, "memory_get", s->raw, now_is + 20, ERROR_NONE);
    agents_ask(s->codex, "memory_get", s->raw, now_is + 21, ERROR_NONE);
    later(4000);
    agents_ask(s->codex, "memory_supersede", s->raw, now_is, ERROR_CONFLICT);
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
    char *path = scratch_path("live-view.db");
    struct store_options options = {.create = true, .now = stands, .make_id = count_id};
    now_is = SCRATCH_NOW;
    s->store = scratch_store_with(path, &options);
    s->log = agents_open(s->store);
    play(s);
    script_open(&s->script, s->store);
    s->generate = getenv("GENERATE") != NULL;
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

/* ---- golden frames ---- */

static const struct {
    const char *name, *keys;
} views[] = {
    {"live", "9"},
    {"live-moved", "9jj"},
    {"live-filter", "9\\refused<Enter>"},
    {"live-exact", "9T"},
    {"sessions", "9<Tab>"},
    {"sessions-end", "9<Tab>jK"},
    {"live-session", "9<Tab>j<Enter>"},
};
static const struct {
    int rows, columns;
} sizes[] = {{24, 80}, {36, 120}, {50, 200}};

/* What differs from run to run: the process that serves. */
static char *without_process(const char *frame)
{
    char *copy = strdup(frame), own[24];
    snprintf(own, sizeof(own), "%ld", (long)getpid());
    for (char *at = copy; (at = strstr(at, own));)
        memset(at, '9', strlen(own));
    return copy;
}

static void check_frame(struct state *s, const char *name, const char *frame)
{
    char path[256];
    char *shown = without_process(frame);
    size_t len;
    snprintf(path, sizeof(path), "tests/tui/golden/%s-%dx%d.txt", name, s->script.columns,
             s->script.rows);
    if (s->generate)
        scratch_write(path, shown, strlen(shown));
    char *golden = scratch_read(path, &len);
    if (!golden)
        fail_msg("there is no %s; GENERATE=1 makes it", path);
    if (strcmp(golden, shown) != 0)
        fail_msg("%s is otherwise now:\n%s", path, shown);
    free(golden);
    free(shown);
}

static void test_frames(void **state)
{
    struct state *s = *state;
    for (size_t size = 0; size < 3; size++) {
        s->script.rows = sizes[size].rows;
        s->script.columns = sizes[size].columns;
        for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
            check_frame(s, views[i].name, script_run(&s->script, views[i].keys));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
