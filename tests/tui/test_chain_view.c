/*
 * A chain of thought as the explorer shows it. Golden frames at three sizes (GENERATE=1 makes them again), and what its
 * keys do.
 */
#include "../support/agents.h"
#include "../support/chains.h"
#include "../support/golden.h"
#include "../support/scratch.h"

static int64_t now_is;
static int64_t stands(void)
{
    return now_is += 1000;
}

static int made;
static void count_id(char out[37])
{
    snprintf(out, 37, "%08x-2222-4222-8222-222222222222", 0xc0000000u + (unsigned)made++ * 0x01010101u);
}

struct state {
    struct script script; /* first: at_shot is handed it */
    struct store *store;
    struct call_log *log;
    struct session *session;
    int64_t deploy, running, large, next;
};

static const struct made_source found[] = {
    {"runbook", "Runbook of the payments queue", "Restart workers one at a time.", .88, NULL, 2},
    {"status-page", "Status page", "Payments are slow.", .52, NULL, -1},
};

static void put_running(struct state *s)
{
    static const struct made_step first = {
        1, "What does the runbook say?", "Restart the workers one at a time.", NULL, .9, .7, found,
        2, NULL};
    static const struct made_step second = {
        2, "Has anybody done so yet?", NULL, NULL, .6, .2, NULL, 0, NULL};
    s->running = chains_begin(s->store, s->session, "ash", "How is the payments queue restarted?", NULL);
    chains_step(s->store, s->session, "ash", s->running, &first);
    chains_step(s->store, s->session, "ash", s->running, &second);
}

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    char *path = scratch_path("chain-view.db");
    struct store_options options = {.create = true, .now = stands, .make_id = count_id};
    now_is = SCRATCH_NOW;
    s->store = scratch_store_with(path, &options);
    s->log = agents_open(s->store);
    s->session = agents_join(s->log, "claude-code", "ash");
    s->deploy = chains_deploy(s->store, s->session);
    chains_around_deploy(s->store, s->session, s->deploy);
    s->large = chains_large(s->store, s->session, 40, 200);
    put_running(s);
    script_open(&s->script, s->store);
    s->script.person = "sean";
    setenv("TERM", "xterm-256color", 1);
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

#define DEPLOY  "6G<Enter>"

static const struct golden_view views[] = {
    {"chain", DEPLOY},
    {"chain-cell", DEPLOY "jjlll"},
};

static void test_frames(void **state)
{
    struct state *s = *state;
    golden_check_views(&s->script, views, sizeof(views) / sizeof(views[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
