/* The texts of the live demo's agents: every template can be filled, is valid JSON, and varies. */
#include "tests/support/test.h"
#include "tui/demo/demo.h"

#include <cjson/cJSON.h>
#include "model/base/alloc.h"

static const cJSON *steps_of(const cJSON *scene)
{
    return cJSON_GetObjectItem(scene, "steps");
}

/* Stores the values that earlier steps of the scene would take from answers. */
static void keep_as_answered(struct demo_scene_state *t, const cJSON *scene, const cJSON *until)
{
    static const char ref[] = "belief:8a2770de-67d0-450f-a29b-b158f6e6f3da";
    for (const cJSON *s = steps_of(scene)->child; s != until; s = s->next) {
        const char *keep = demo_member(s, "keep"), *from = demo_member(s, "from");
        if (keep)
            demo_text_store(t, keep, ref);
        if (from && !strcmp(from, "source"))
            demo_text_store(t, "source", ref);
    }
}

static void fill_scene(struct demo_scene_state *t, const cJSON *scene)
{
    static const char froms[] = "ref attribution any source";
    struct error e;
    AUTO_STRBUF out = STRBUF_INIT;
    const cJSON *s;
    demo_text_begin(t);
    cJSON_ArrayForEach(s, steps_of(scene))
    {
        const char *call = demo_member(s, "call"), *from = demo_member(s, "from");
        bool method = strchr(call, '/') || strcmp(call, "ping") == 0;
        keep_as_answered(t, scene, s);
        strbuf_clear(&out);
        if (method)
            strbuf_addch(&out, '{');
        if (demo_text_fill_json(t, demo_member(s, "arguments"), &out))
            fail_msg("%s cannot be filled in the scene %s", call, demo_member(scene, "name"));
        if (method)
            strbuf_addch(&out, '}');
        if (json_check(out.buf, out.len, JSON_DEPTH_MAX, &e))
            fail_msg("%s: %s: %s", call, e.what, out.buf);
        assert_null(strchr(out.buf, '<'));
        assert_int_equal(demo_member(s, "keep") != NULL, from != NULL);
        assert_true(!from || strstr(froms, from));
        demo_text_begin(t);
    }
}

TEST(test_every_step_is_json)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct demo_scene_state t = {.seed = seed * 7919};
        const cJSON *s;
        cJSON_ArrayForEach(s, demo_list("scenes")) fill_scene(&t, s);
        demo_text_begin(&t);
    }
}

TEST(test_every_named_word_exists)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct demo_scene_state t = {.seed = 4711};
    const cJSON *w, *choice;
    cJSON_ArrayForEach(w, demo_list("words"))
    {
        cJSON_ArrayForEach(choice, cJSON_GetObjectItem(w, "choices"))
        {
            demo_text_begin(&t);
            if (demo_text_fill_json(&t, choice->valuestring, &out))
                fail_msg("%s: \"%s\" names a word that is not there", demo_member(w, "name"),
                         choice->valuestring);
        }
    }
    demo_text_begin(&t);
}

TEST(test_a_scene_keeps_its_subject)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct demo_scene_state t = {.seed = 99};
    assert_int_equal(demo_text_fill_json(&t, "<service>|<service>|<service>", &out), 0);
    size_t len = strcspn(out.buf, "|");
    assert_int_equal(out.len, 3 * len + 2);
    assert_memory_equal(out.buf, out.buf + len + 1, len);
    assert_memory_equal(out.buf, out.buf + 2 * (len + 1), len);
    demo_text_begin(&t);
}

TEST(test_a_missing_value_is_an_error)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct demo_scene_state t = {.seed = 3};
    assert_int_equal(demo_text_fill_json(&t, "<$belief>", &out), -1);
    assert_int_equal(demo_text_fill_json(&t, "<@belief>", &out), -1);
    assert_int_equal(demo_text_fill_json(&t, "<no such word>", &out), -1);
    demo_text_store(&t, "belief", "belief:1");
    strbuf_clear(&out);
    assert_int_equal(demo_text_fill_json(&t, "<$belief> <@belief>", &out), 0);
    assert_string_equal(out.buf, "belief:1 stemma://belief/1");
    demo_text_begin(&t);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* An hour has some hundred scenes of each kind; their conclusions seldom repeat. */
TEST(test_an_hour_seldom_repeats)
{
    enum {
        COUNT = 300
    };
    char *said[COUNT];
    size_t same = 0;
    struct demo_scene_state t = {.seed = 20261120};
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

/* A chain begins and grows within half a minute, for any random choices. */
TEST(test_a_chain_comes_soon)
{
    unsigned ms = 0, steps = 0;
    const cJSON *agent = cJSON_GetArrayItem(demo_list("agents"), 0);
    const char *first = cJSON_GetArrayItem(cJSON_GetObjectItem(agent, "scenes"), 0)->valuestring;
    const cJSON *s = steps_of(demo_named(demo_list("scenes"), first))->child;
    for (; s && steps < 2; s = s->next) {
        const cJSON *pause = cJSON_GetObjectItem(s, "pause");
        ms +=
            pause ? (unsigned)pause->valueint * 150 : 0; /* the longest pause of demo_scene_play */
        steps += !strcmp(demo_member(s, "call"), "cot_step") &&
                 !cJSON_IsTrue(cJSON_GetObjectItem(s, "fails"));
    }
    assert_int_equal(steps, 2);
    assert_true(ms < 30000);
}

TEST(test_each_scene_is_played)
{
    struct demo_scene_state t = {.seed = 7};
    for (int a = 0; a < DEMO_AGENTS; a++) {
        const cJSON *agent = cJSON_GetArrayItem(demo_list("agents"), a);
        const cJSON *names = cJSON_GetObjectItem(agent, "scenes");
        int last = 0, next, count = cJSON_GetArraySize(names);
        for (int i = 0; i < count; i++)
            assert_non_null(
                demo_named(demo_list("scenes"), cJSON_GetArrayItem(names, i)->valuestring));
        for (int played = 1; played < 500; played++, last = next) {
            next = demo_scene_next(agent, played, last, &t);
            assert_in_range(next, 0, count - 1);
            assert_string_not_equal(cJSON_GetArrayItem(names, next)->valuestring,
                                    cJSON_GetArrayItem(names, last)->valuestring);
            if (played < count)
                assert_int_equal(next, played);
        }
    }
}
