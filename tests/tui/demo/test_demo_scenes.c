/* What the live demo's agents say: every template can be filled, is JSON, and is not always the same. */
#include "tui/demo/demo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/alloc.h"

/* What earlier steps of the scene keep, as if they had been answered. */
static void keep_as_answered(struct demo_telling *t, const struct demo_scene *scene,
                             const struct demo_step *until)
{
    static const char ref[] = "belief:8a2770de-67d0-450f-a29b-b158f6e6f3da";
    for (const struct demo_step *s = scene->steps; s != until; s++) {
        if (s->keep)
            demo_text_bind(t, s->keep, ref);
        if (s->from == KEEP_SOURCE)
            demo_text_bind(t, "source", ref);
    }
}

static void fill_scene(struct demo_telling *t, const struct demo_scene *scene)
{
    struct error e;
    struct strbuf out = STRBUF_INIT;
    demo_text_begin(t);
    for (const struct demo_step *s = scene->steps; s->call; s++) {
        bool method = strchr(s->call, '/') || strcmp(s->call, "ping") == 0;
        keep_as_answered(t, scene, s);
        strbuf_clear(&out);
        if (method)
            strbuf_addch(&out, '{');
        if (demo_text_fill_json(t, s->arguments, &out))
            fail_msg("%s cannot be filled in the scene %s", s->call, scene->name);
        if (method)
            strbuf_addch(&out, '}');
        if (json_check(out.buf, out.len, JSON_DEPTH_MAX, &e))
            fail_msg("%s: %s: %s", s->call, e.what, out.buf);
        assert_null(strchr(out.buf, '<'));
        assert_int_equal(s->keep != NULL, s->from != KEEP_NOTHING);
        demo_text_begin(t);
    }
    strbuf_release(&out);
}

static void test_every_step_is_json(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct demo_telling t = {.seed = seed * 7919};
        for (const struct demo_scene *s = demo_cast()->scenes; s->name; s++)
            fill_scene(&t, s);
        demo_text_begin(&t);
    }
}

static void test_every_word_can_be_drawn(void **state)
{
    (void)state;
    struct strbuf out = STRBUF_INIT;
    struct demo_telling t = {.seed = 4711};
    for (const struct demo_words *w = demo_cast()->words; w->name; w++)
        for (size_t i = 0; i < w->count; i++) {
            demo_text_begin(&t);
            if (demo_text_fill_json(&t, w->choices[i], &out))
                fail_msg("%s: \"%s\" names a word that is not there", w->name, w->choices[i]);
        }
    demo_text_begin(&t);
    strbuf_release(&out);
}

static void test_what_a_scene_is_about_stays(void **state)
{
    (void)state;
    struct strbuf out = STRBUF_INIT;
    struct demo_telling t = {.seed = 99};
    assert_int_equal(demo_text_fill_json(&t, "<service>|<service>|<service>", &out), 0);
    size_t len = strcspn(out.buf, "|");
    assert_int_equal(out.len, 3 * len + 2);
    assert_memory_equal(out.buf, out.buf + len + 1, len);
    assert_memory_equal(out.buf, out.buf + 2 * (len + 1), len);
    demo_text_begin(&t);
    strbuf_release(&out);
}

static void test_what_was_not_kept_is_missed(void **state)
{
    (void)state;
    struct strbuf out = STRBUF_INIT;
    struct demo_telling t = {.seed = 3};
    assert_int_equal(demo_text_fill_json(&t, "<$belief>", &out), -1);
    assert_int_equal(demo_text_fill_json(&t, "<@belief>", &out), -1);
    assert_int_equal(demo_text_fill_json(&t, "<no such word>", &out), -1);
    demo_text_bind(&t, "belief", "belief:1");
    strbuf_clear(&out);
    assert_int_equal(demo_text_fill_json(&t, "<$belief> <@belief>", &out), 0);
    assert_string_equal(out.buf, "belief:1 stemma://belief/1");
    demo_text_begin(&t);
    strbuf_release(&out);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* An hour is some hundred scenes of each kind: what they conclude seldom repeats. */
static void test_an_hour_is_no_loop(void **state)
{
    (void)state;
    enum {
        COUNT = 300
    };
    char *said[COUNT];
    size_t same = 0;
    struct demo_telling t = {.seed = 20261120};
    for (size_t i = 0; i < COUNT; i++) {
        struct strbuf out = STRBUF_INIT;
        demo_text_begin(&t);
        assert_int_equal(demo_text_fill_json(&t, "<finding> <outcome> <review>", &out), 0);
        said[i] = strbuf_detach(&out, NULL);
    }
    qsort(said, COUNT, sizeof(*said), compare_texts);
    for (size_t i = 1; i < COUNT; i++)
        same += strcmp(said[i], said[i - 1]) == 0;
    for (size_t i = 0; i < COUNT; i++)
        free(said[i]);
    demo_text_begin(&t);
    assert_in_range(same, 0, 3);
}

/* The most that a step waits, as demo_scene_play draws it. */
static unsigned longest_ms(const struct demo_step *step)
{
    return step->pause * 150;
}

/* A chain begins and grows within half a minute, whatever is drawn. */
static void test_a_chain_comes_first(void **state)
{
    unsigned ms = 0, steps = 0;
    (void)state;
    const struct demo_step *s = demo_cast()->agent[0].scenes[0].steps;
    for (; s->call && steps < 2; s++) {
        ms += longest_ms(s);
        steps += !strcmp(s->call, "cot_step") && !s->fails;
    }
    assert_int_equal(steps, 2);
    assert_true(ms < 30000);
}

static void test_each_scene_has_its_turn(void **state)
{
    (void)state;
    struct demo_telling t = {.seed = 7};
    for (size_t a = 0; a < DEMO_AGENTS; a++) {
        const struct demo_agent *agent = &demo_cast()->agent[a];
        size_t last = 0, next;
        for (size_t played = 1; played < 500; played++, last = next) {
            next = demo_scene_next(agent, played, last, &t);
            assert_in_range(next, 0, agent->count - 1);
            assert_ptr_not_equal(agent->scenes[next].steps, agent->scenes[last].steps);
            if (played < agent->count)
                assert_int_equal(next, played);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step_is_json),
        cmocka_unit_test(test_every_word_can_be_drawn),
        cmocka_unit_test(test_what_a_scene_is_about_stays),
        cmocka_unit_test(test_what_was_not_kept_is_missed),
        cmocka_unit_test(test_an_hour_is_no_loop),
        cmocka_unit_test(test_a_chain_comes_first),
        cmocka_unit_test(test_each_scene_has_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
