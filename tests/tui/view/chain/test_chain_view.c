/* The view of a chain of thought: golden frames at three sizes (GENERATE=1 writes them again), and its keys. */
#include "model/base/alloc.h"
#include "store/guard/guard.h"
#include "store/open.h"
#include "store/query/list.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/cite.h"
#include "store/record/get.h"
#include "tests/support/agents.h"
#include "tests/support/chains.h"
#include "tests/support/frame.h"
#include "tests/support/golden.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

static int made;
static void count_id(char out[37])
{
    snprintf(out, 37, "%08x-2222-4222-8222-222222222222",
             0xc0000000u + (unsigned)made++ * 0x10101u);
}

struct state {
    struct script script; /* must be first: at_shot gets a pointer to it */
    struct store *store;
    struct reader *reader;
    struct call_log *log;
    struct session *session;
    int64_t deploy, running, large;
    char keys[2000];
};

static const struct made_source found[] = {
    {"runbook", "Runbook of the payments queue", "Restart workers one at a time.", .88, NULL, 2},
    {"status-page", "Status page", "Payments are slow.", .52, NULL, -1},
};
static const struct made_step first_step = {
    1,   "What does the runbook say?", "Restart the workers one at a time.", NULL, .9, .7, found, 2,
    NULL};
static const struct made_step second_step = {
    2, "Has anybody done so yet?", NULL, NULL, .6, .2, NULL, 0, NULL};

static void put_running(struct state *s)
{
    s->running =
        chains_begin(s->store, s->session, "ash", "How is the payments queue restarted?", NULL);
    chains_step(s->store, s->session, "ash", s->running, &first_step);
    chains_step(s->store, s->session, "ash", s->running, &second_step);
}

static int set_up(void **state)
{
    struct state *s = xcalloc(1, sizeof(*s));
    struct error e;
    made = 0;
    s->store = scratch_store_with_clock("chain-view.db", count_id);
    s->reader = reader_open(s->store, &e);
    s->log = agents_open(s->store);
    s->session = agents_join(s->log, "claude-code", "ash");
    s->deploy = chains_deploy(s->store, s->session);
    scratch_clock += 3600 * 1000;
    chains_around_deploy(s->store, s->session, s->deploy);
    scratch_clock += 3600 * 1000;
    script_open(&s->script, s->store);
    s->script.person = "sean";
    setenv("TERM", "xterm-256color", 1);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    call_log_close(s->log);
    reader_close(s->reader);
    store_close(s->store);
    script_close(&s->script);
    free(s);
    return 0;
}

/* ":chain:c0010101-…<Enter>" and then those keys. */
static const char *on(struct state *s, int64_t node, const char *keys)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    if (memory_row_read(s->reader, &arena, node, &row, &e))
        fail_msg("%s", e.what);
    snprintf(s->keys, sizeof(s->keys), ":%s:%s<Enter>%s", kind_name(row.ref.kind), row.ref.id,
             keys);
    arena_release(&arena);
    return s->keys;
}

static const char *shows(struct state *s, const char *keys, const char *text)
{
    const char *frame = script_run(&s->script, on(s, s->deploy, keys));
    if (!strstr(frame, text))
        fail_msg("after %s there is no \"%s\" in:\n%s", keys, text, frame);
    return frame;
}

static char *shot(struct state *s, const char *name)
{
    char *frame = script_shot(&s->script, name);
    assert_non_null(frame);
    return frame;
}

/* The value of a step's flag, in the arena; NULL if it has none. */
static const char *mark_of(struct state *s, struct arena *arena, int64_t step, const char *name)
{
    struct memory m;
    struct error e;
    if (memory_read(s->reader, arena, step, &m, &e))
        fail_msg("%s", e.what);
    for (size_t i = m.flag_count; i-- > 0;)
        if (!strcmp(m.flags[i].name, name))
            return m.flags[i].value;
    return NULL;
}

static int64_t step_row(struct state *s, int number)
{
    struct arena arena = ARENA_INIT;
    struct chain chain;
    struct error e;
    if (chain_read(s->reader, &arena, s->deploy, &chain, &e))
        fail_msg("%s", e.what);
    int64_t row = chain.step[number - 1].node;
    arena_release(&arena);
    return row;
}

/* ---- golden frames ---- */

static void check_views(struct state *s, int64_t node, const struct golden_view *views,
                        size_t count)
{
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(&s->script, size);
        for (size_t i = 0; i < count; i++) {
            const char *frame = script_run(&s->script, on(s, node, views[i].keys));
            if (golden_is_kept(&s->script, views[i].name))
                golden_check(&s->script, views[i].name, frame);
        }
    }
}

static void test_large_frames(void **state)
{
    static const struct golden_view views[] = {
        {"chain-large", ""},
        {"chain-large-moved", "LLjjjjjjjjjjjjjjjjjjjjjjjj"},
        {"chain-large-end", "G:last-column<Enter>"},
    };
    struct state *s = *state;
    s->large = chains_large(s->store, s->session, 40, 200);
    scratch_clock += 60000;
    check_views(s, s->large, views, sizeof(views) / sizeof(views[0]));
    s->script.columns = 80;
    s->script.rows = 24;
    /* The best sources are visible first, wherever those of the first step are. */
    assert_non_null(strstr(script_run(&s->script, on(s, s->large, "")), "step 1 of 40 · A of "));
}

static void test_running_frames(void **state)
{
    static const struct golden_view views[] = {{"chain-running", ""}, {"chain-running-none", "j"}};
    struct state *s = *state;
    put_running(s);
    scratch_clock += 12000;
    check_views(s, s->running, views, 2);
}

static void test_rated_frames(void **state)
{
    struct state *s = *state;
    script_run(&s->script,
               on(s, s->deploy, "jjllll;J+I looked: it says so<Enter>l;J-hearsay<Enter>Jsy"));
    static const struct golden_view views[] = {{"chain-rated", "jjllll"},
                                               {"step-rated", "jjllll<Enter>"}};
    check_views(s, s->deploy, views, 2);
}

/* ---- the cursor ---- */

static void test_mouse_selects_and_opens(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    s->script.rows = 36;
    const char *frame = script_run(&s->script, on(s, s->deploy, "jjllll"));
    const char *cell = strstr(frame, "[.83]");
    assert_non_null(cell);
    char keys[200];
    int row = 1, column = 1;
    for (const char *at = frame; at < cell; at++) {
        column = *at == '\n' ? 1 : column + (((unsigned char)*at & 0xc0) != 0x80);
        row += *at == '\n';
    }
    snprintf(keys, sizeof(keys), "<click:%d,%d>", column + 2, row);
    shows(s, keys, "step 3 of 4 · E of 9");
    snprintf(keys, sizeof(keys), "<click:%d,%d><click:%d,%d>", column + 2, row, column + 2, row);
    shows(s, keys, "› step 3"); /* a click on the cursor opens */
    shows(s, "<click:30,17>", "step 1 of 4 · C of 9");
    shows(s, "<wheeldown:20,8>", "step 4 of 4");           /* over the matrix: the steps */
    shows(s, "<wheeldown:20,18>", "step 1 of 4 · D of 9"); /* over the sources */
}

/* ---- ratings ---- */

static void test_a_rating_applies_to_one_source(void **state)
{
    struct state *s = *state;
    struct arena arena = ARENA_INIT;
    int64_t step = step_row(s, 3);
    s->script.columns = 120;
    s->script.rows = 36;
    s->script.columns = 60;
    shows(s, "jjllll;J+", "E relevant to step 3: why?");
    s->script.columns = 120;
    shows(s, "jjllll;J+", "E relevant to step 3: why?");
    shows(s, "jjllll;J+read it<Enter>", "[.83+]");
    assert_string_equal(mark_of(s, &arena, step, "rating"), "document:supervisor.c relevant");
    shows(s, "jjllll", "relevant, sean: read it");
    shows(s, "jjlll", ".77"); /* a rating of one source does not affect another */
    shows(s, "jjlllllJ-", "F judged irrelevant in step 3");
    shows(s, "jjlllll", "[~.60-]");
    shows(s, "jjllll", "[.83+]"); /* the other one stays */
    shows(s, "u", "C-r redoes it");
    shows(s, "jjlllll", "[~.60]");
    shows(s, "jjllll<Enter>;J-not of the drain<Enter>",
          "rated irrelevant by sean: not of the drain");
    shows(s, "jjllll", "[.83-]"); /* replaces the earlier rating of the same person */
    arena_release(&arena);
}

static void test_support_of_a_step(void **state)
{
    struct state *s = *state;
    struct arena arena = ARENA_INIT;
    s->script.columns = 120;
    s->script.rows = 36;
    shows(s, "j;Js<Enter>", "faithful yes: why?"); /* the default */
    shows(s, "j;Jsn", "faithful no: why?");
    shows(s, "j;Jsnthe manual says more<Enter>", "2- Which lock");
    assert_string_equal(mark_of(s, &arena, step_row(s, 2), "faithful"), "no");
    shows(s, "jh<Enter>", "not supported by its sources, sean: the manual says more");
    shows(s, "jh<Enter>Jsy", "supported by its sources, sean");
    shows(s, "j", "2+ Which lock");
    shows(s, "jjllll;Jsnnot at all<Enter>", "not supported by its sources, sean: not at all");
    shows(s, ":supported maybe<Enter>", "there is no \"maybe\": yes, no");
    arena_release(&arena);
}

/* ---- documents ---- */

static int run_cite(struct txn *t, void *arg, struct error *e)
{
    static const struct actor ash = {
        .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
    static const char sources[] =
        "[{\"documentId\":\"supervisor.c\",\"documentName\":\"Worker supervisor\","
        "\"snippet\":\"drain() returns once the queue is empty\",\"relevanceScore\":0.9}]";
    const struct cited_response given = {"c", "m", NULL, {sources, sizeof(sources) - 1}, NULL};
    struct cite_result result;
    return cite_sources(t, &ash, &given, arg, &result, e);
}

/* A response that cites again replaces its earlier citations; both are shown apart. */
static void test_superseded_citations(void **state)
{
    struct state *s = *state;
    struct arena arena = ARENA_INIT;
    struct error e;
    s->script.columns = 120;
    s->script.rows = 50;
    for (int i = 0; i < 2; i++)
        if (store_run(s->store, run_cite, &arena, &e))
            fail_msg("%s", e.what);
    shows(s, "jjllll<Tab><Tab>", "quoted as");
    shows(s, "jjllll<Tab><Tab>", ", replaced");
    arena_release(&arena);
}

/* ---- opening from other views ---- */

static void test_reasoning_and_sources_open_it(void **state)
{
    struct state *s = *state;
    char line[400];
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    s->script.columns = 120;
    s->script.rows = 36;
    assert_int_equal(memory_row_read(s->reader, &arena, step_row(s, 3), &row, &e), 0);
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:concluded-1\",\"text\":\"Detached workers are not drained\","
             "\"derived_from\":[\"step:%s\"]}",
             row.ref.id);
    scratch_put(s->store, line);
    scratch_put(s->store, "{\"ref\":\"belief:of-itself\",\"text\":\"Care before speed\"}");
    arena_release(&arena);
    const char *frame = script_run(&s->script, ":belief:concluded-1<Enter>c");
    assert_non_null(strstr(frame, "Why did the deploy of 3 February"));
    frame = script_run(&s->script, ":belief:concluded-1<Enter>s");
    assert_non_null(strstr(frame, "goes back to"));
    assert_non_null(strstr(frame, "Worker supervisor"));
    frame = script_run(&s->script, ":belief:of-itself<Enter>c");
    assert_non_null(strstr(frame, "no chain of thought led to it or used it"));
    frame = script_run(&s->script, ":belief:of-itself<Enter>s");
    assert_non_null(strstr(frame, "nothing that it is based on is a source"));
    frame = script_run(&s->script, ":document:supervisor.c<Enter>c");
    assert_non_null(strstr(frame, "document:supervisor.c in reasoning"));
    assert_non_null(strstr(frame, "How does the supervisor drain?"));
    assert_non_null(strstr(frame, "Is the drain fixed?"));
    shows(s, "jjh<Enter>c", "step 3 of 4"); /* a step's chain, on that step */
    shows(s, ".", "── based on ──");
}

/* ---- a growing chain ---- */

static const struct made_source third[] = {
    {"runbook", "Runbook of the payments queue", "Then look at the lag.", .74, NULL, 5},
    {"dashboard", "Dashboard of the queue", "The lag falls.", .95, NULL, -1},
};

/* The agent continues at these shots. */
static void at_shot(struct script *script, const char *name)
{
    struct state *s = (struct state *)script;
    static const struct made_step steps[] = {
        {3, "Does the lag fall?", "It does.", NULL, .8, .5, third, 2, NULL},
        {4, "Is anything left?", NULL, NULL, .7, .1, NULL, 0, NULL},
    };
    if (!strcmp(name, "third"))
        chains_step(s->store, s->session, "ash", s->running, &steps[0]);
    if (!strcmp(name, "fourth"))
        chains_step(s->store, s->session, "ash", s->running, &steps[1]);
    if (!strcmp(name, "end"))
        return;
    if (!strcmp(name, "finish"))
        chains_finish(s->store, s->session, "ash", s->running, "One worker at a time.");
}

static void test_it_grows_with_the_chain(void **state)
{
    struct state *s = *state;
    put_running(s);
    s->script.columns = 120;
    s->script.rows = 36;
    s->script.at_shot = at_shot;
    script_run(&s->script,
               on(s, s->running,
                  "l<shot:third><C-g><shot:landed><shot:fourth><C-g><shot:two>G<shot:last>"
                  "<shot:finish><C-g><shot:after>"));
    char *before = shot(s, "third"), *landed = shot(s, "landed"), *two = shot(s, "two");
    char *last = shot(s, "last"), *after = shot(s, "after");
    assert_non_null(strstr(before, "running · 2 steps · 2 sources"));
    assert_non_null(strstr(before, "step 1 of 2 · B of 2"));
    /* The third document is between the two; the cursor is where it was. */
    assert_non_null(strstr(landed, "1 new step · running · 3 steps · 3 sources"));
    assert_non_null(strstr(landed, "step 1 of 3 · C of 3"));
    assert_non_null(strstr(landed, "Does the lag fall?"));
    assert_non_null(strstr(two, "2 new steps"));
    assert_non_null(strstr(last, "step 4 of 4"));
    assert_null(strstr(last, "new step"));
    assert_non_null(strstr(after, "finished · 4 steps"));
    assert_non_null(strstr(after, "One worker at a time."));
    free(before);
    free(landed);
    free(two);
    free(last);
    free(after);
}

static void test_it_follows_new_steps(void **state)
{
    struct state *s = *state;
    put_running(s);
    s->script.columns = 120;
    s->script.rows = 36;
    s->script.at_shot = at_shot;
    script_run(&s->script, on(s, s->running,
                              "<C-f><shot:third><C-g><shot:landed>k<shot:moved>"
                              "<shot:fourth><C-g><shot:after>"));
    char *landed = shot(s, "landed"), *moved = shot(s, "moved"), *after = shot(s, "after");
    assert_non_null(strstr(landed, "step 3 of 3"));
    assert_non_null(strstr(landed, "following"));
    assert_non_null(strstr(landed, "[.95]")); /* on the best source of the step */
    assert_null(strstr(landed, "new step"));
    assert_null(strstr(moved, "following")); /* a cursor movement ends following */
    assert_non_null(strstr(after, "step 2 of 4"));
    free(landed);
    free(moved);
    free(after);
}

/* A number that differs from the step's place, and a step long after the start of the chain. */
static void test_numbers_and_times(void **state)
{
    struct state *s = *state;
    put_running(s);
    scratch_clock += 2 * 3600 * 1000;
    chains_step(s->store, s->session, "ash", s->running,
                &(struct made_step){7, "And then?", NULL, NULL, .5, .1, NULL, 0, NULL});
    scratch_clock += 5000;
    s->script.columns = 120;
    s->script.rows = 36;
    const char *frame = script_run(&s->script, on(s, s->running, "jj"));
    assert_non_null(strstr(frame, "by ash, 2h ago"));
    assert_non_null(strstr(frame, "last written 5s ago"));
    assert_non_null(strstr(frame, "step 7, 3rd of 3"));
    assert_non_null(
        strstr(script_run(&s->script, on(s, s->running, "jjh<Enter>")), "step 7, 3rd of 3"));
    assert_non_null(strstr(script_run(&s->script, on(s, s->running, "j")), "step 2 of 3"));
}

/* The page of a step is notified, too; here of a person's rating made elsewhere. */
static void test_a_paused_view_stays(void **state)
{
    struct state *s = *state;
    put_running(s);
    s->script.columns = 120;
    s->script.rows = 36;
    s->script.at_shot = at_shot;
    script_run(&s->script, on(s, s->running, "p<shot:third><C-g><shot:held>p<shot:on>"));
    char *held = shot(s, "held"), *on_again = shot(s, "on");
    assert_non_null(strstr(held, "2 steps"));
    assert_non_null(strstr(on_again, "3 steps"));
    free(held);
    free(on_again);
}

static void test_past(void **state)
{
    struct state *s = *state;
    char keys[200];
    struct error e;
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    put_running(s);
    assert_int_equal(memory_row_read(s->reader, &arena, s->running, &row, &e), 0);
    int64_t begun = row.event;
    scratch_clock += 1000;
    chains_step(s->store, s->session, "ash", s->running,
                &(struct made_step){3, "And then?", NULL, NULL, .5, .1, NULL, 0, NULL});
    arena_release(&arena);
    s->script.columns = 120;
    s->script.rows = 36;
    snprintf(keys, sizeof(keys), ":asof @%lld<Enter>", (long long)begun);
    const char *frame = script_run(&s->script, on(s, s->running, keys));
    assert_null(strstr(frame, "And then?"));
    frame = script_run(&s->script, on(s, s->running, ""));
    assert_non_null(strstr(frame, "And then?"));
}

/* ---- any size, any text ---- */

static void put_hostile(struct state *s, struct random *r, struct arena *arena, int64_t chain,
                        int i)
{
    struct made_source sources[4];
    for (size_t k = 0; k < 4; k++)
        sources[k] =
            (struct made_source){NULL, "title \\u202e\\u001b[31m", "\\u009b2J text", .5, NULL, -1};
    const char *text = random_text(r, arena, 60);
    struct made_step step = {i + 1,
                             *text ? text : "x",
                             random_text(r, arena, 60),
                             random_text(r, arena, 60),
                             .5,
                             1,
                             sources,
                             0,
                             NULL};
    chains_step(s->store, s->session, "ash", chain, &step);
}

/* Text of an agent never reaches the terminal uncleaned. Broken columns would change the width of the frame. */
static void test_hostile_text_is_safe(void **state)
{
    struct state *s = *state;
    struct random r = {7};
    struct arena arena = ARENA_INIT;
    const char *question = random_text(&r, &arena, 80);
    int64_t chain =
        chains_begin(s->store, s->session, "ash", *question ? question : "x", "strategy\x1b[31m");
    for (int i = 0; i < 12; i++)
        put_hostile(s, &r, &arena, chain, i);
    s->script.rows = 40;
    s->script.columns = 100;
    for (int i = 0; i < 3; i++) {
        static const char *const keys[] = {"jjj", "<Tab><Tab>", "jh<Enter>"};
        const char *frame = script_run(&s->script, on(s, chain, keys[i]));
        for (const char *at = frame; *at; at++)
            assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        assert_null(strstr(frame, "\u202e"));
    }
    arena_release(&arena);
}

/* So many steps that the worker reads them after the first frame. */
static void test_many_steps_are_read_by_the_worker(void **state)
{
    struct state *s = *state;
    int64_t chain = chains_large(s->store, NULL, 70, 30);
    s->script.columns = 120;
    s->script.rows = 36;
    const char *frame = script_run(&s->script, on(s, chain, "G"));
    assert_non_null(strstr(frame, "step 70 of 70"));
    frame = script_run(&s->script, on(s, chain, "Gh<Enter>"));
    assert_non_null(strstr(frame, "› step 70"));
    frame = script_run(&s->script, on(s, chain, "Gh<Enter>R."));
    assert_non_null(strstr(frame, "── based on ──"));
    frame = script_run(&s->script, "6G<Enter>Gh<Enter>c");
    assert_non_null(strstr(frame, "step 4 of 4"));
}

/* A chain without a step, a step without a source, ids without a title. */
static void test_a_chain_with_nothing_in_it(void **state)
{
    struct state *s = *state;
    int64_t chain = chains_begin(s->store, s->session, "ash", "What now?", NULL);
    s->script.columns = 120;
    s->script.rows = 36;
    const char *frame = script_run(&s->script, on(s, chain, "jjllGg^<Tab>j<Tab>j<Enter>"));
    assert_non_null(strstr(frame, "What now?"));
    frame = script_run(&s->script, on(s, chain, ""));
    assert_non_null(strstr(frame, "no step yet"));
    chains_step(s->store, s->session, "ash", chain, &second_step);
    frame = script_run(&s->script, on(s, chain, "lljj<Tab>j"));
    assert_non_null(strstr(frame, "no step used a source"));
    frame = script_run(&s->script, on(s, chain, "jh<Enter>"));
    assert_non_null(strstr(frame, "it used no sources"));
}

#define WRITES(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest readers[] = {
        cmocka_unit_test(test_mouse_selects_and_opens),
    };
    const struct CMUnitTest writers[] = {
        WRITES(test_large_frames),
        WRITES(test_running_frames),
        WRITES(test_rated_frames),
        WRITES(test_a_rating_applies_to_one_source),
        WRITES(test_support_of_a_step),
        WRITES(test_superseded_citations),
        WRITES(test_reasoning_and_sources_open_it),
        WRITES(test_it_grows_with_the_chain),
        WRITES(test_it_follows_new_steps),
        WRITES(test_numbers_and_times),
        WRITES(test_a_paused_view_stays),
        WRITES(test_past),
        WRITES(test_hostile_text_is_safe),
        WRITES(test_a_chain_with_nothing_in_it),
        WRITES(test_many_steps_are_read_by_the_worker),
    };
    int failed = cmocka_run_group_tests(readers, set_up, tear_down);
    return cmocka_run_group_tests(writers, NULL, NULL) || failed;
}
