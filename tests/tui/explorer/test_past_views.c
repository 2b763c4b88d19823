/*
 * The explorer as of an event shows what it showed then: the test keeps a copy of the store for each event and
 * compares both with the same keys. Only the first and last lines differ. Also the difference between two states.
 */
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/frame.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define MOMENTS 8
/* 2023-11-14 22:13:20, and every hour from then on. */
#define EVENT_1    INT64_C(1700000000000)
#define EVENT_EACH 3600000
#define NOW        INT64_C(1700100000000)

static int64_t clock_at;

static int64_t stands(void)
{
    return clock_at;
}

static const struct {
    const char *line, *reason;
} history[MOMENTS] = {
    {"{\"ref\":\"raw:11111111\",\"agent_id\":\"ash\",\"text\":\"The deploy failed at noon\","
     "\"created_at\":1700000000000}",
     NULL},
    {"{\"ref\":\"belief:22222222\",\"agent_id\":\"ash\",\"text\":\"Never deploy at noon\","
     "\"created_at\":1700000001000,\"tags\":[\"deploy\"],\"derived_from\":[\"raw:11111111\"]}",
     NULL},
    {"{\"ref\":\"belief:33333333\",\"agent_id\":\"ash\",\"text\":\"Noon is a bad time\","
     "\"created_at\":1700000002000,\"derived_from\":[\"belief:22222222\",\"raw:99999999\"]}",
     NULL},
    {"{\"ref\":\"belief:22222222\",\"agent_id\":\"ash\",\"text\":\"Deploy after staging\","
     "\"created_at\":1700000001000,\"confidence\":0.9,\"derived_from\":[\"raw:11111111\"],"
     "\"history\":[{\"at\":1700000003000,\"old\":0.8,\"new\":0.9}]}",
     "said better"},
    {"{\"ref\":\"raw:11111111\",\"agent_id\":\"ash\",\"text\":\"The deploy failed at noon\","
     "\"created_at\":1700000000000,\"status\":\"retracted\"}",
     "it did not"},
    {"{\"ref\":\"raw:99999999\",\"agent_id\":\"ash\",\"text\":\"Noon again\","
     "\"created_at\":1700000004000}",
     NULL},
    {"{\"ref\":\"belief:33333333\",\"agent_id\":\"ash\",\"text\":\"Noon is a bad time\","
     "\"created_at\":1700000002000,\"status\":\"forgotten\",\"derived_from\":"
     "[\"belief:22222222\",\"raw:99999999\"]}",
     "enough"},
    {"{\"ref\":\"belief:44444444\",\"agent_id\":\"ash\",\"text\":\"Something else\","
     "\"created_at\":1700000005000}",
     NULL},
};

struct state {
    struct script now, then[MOMENTS + 1];
};

static struct store *reopen(const char *path)
{
    return scratch_store_with(path, &(struct store_options){.now = stands});
}

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    AUTO_FREE char *path = scratch_path("now.db");
    for (int i = 0; i < MOMENTS; i++) {
        char name[32];
        clock_at = EVENT_1 + i * EVENT_EACH;
        struct store *store =
            scratch_store_with(path, &(struct store_options){.now = stands, .create = true});
        if (history[i].reason)
            scratch_replace(store, history[i].line, history[i].reason);
        else
            scratch_put(store, history[i].line);
        store_close(store);
        snprintf(name, sizeof(name), "then-%d.db", i + 1);
        AUTO_FREE char *copy = scratch_path(name);
        scratch_copy(path, copy);
        script_open(&s->then[i + 1], reopen(copy));
    }
    script_open(&s->now, reopen(path));
    clock_at = NOW;
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    for (int i = 1; i <= MOMENTS; i++) {
        store_close(s->then[i].store);
        script_close(&s->then[i]);
    }
    store_close(s->now.store);
    script_close(&s->now);
    free(s);
    return 0;
}

/* ---- past views ---- */

/* The frame without the parts that differ: breadcrumb, status line, the rule over the sessions (which are always
 * current), and the key bar (which lacks actions that change something). */
static char *body_of(const char *frame, int rows)
{
    struct strbuf out = STRBUF_INIT;
    for (int row = 0; *frame; row++) {
        size_t len = strcspn(frame, "\n");
        bool of_now = strncmp(frame, "── sessions ", strlen("── sessions ")) == 0;
        if (row != 0 && row < rows - 2 && !of_now)
            strbuf_addf(&out, "%.*s\n", (int)len, frame);
        frame += len + (frame[len] == '\n');
    }
    return strbuf_detach(&out, NULL);
}

/* Ages count from the moment, those of a view with sessions from now. */
static void same_frame(struct state *s, int past_seq, const char *keys)
{
    char all[200];
    struct script *then = &s->then[past_seq];
    clock_at = strchr(keys, '9') ? NOW : EVENT_1 + (past_seq - 1) * EVENT_EACH;
    AUTO_FREE char *was = body_of(script_run(then, keys), then->rows);
    clock_at = NOW;
    snprintf(all, sizeof(all), ":asof @%d<Enter>%s", past_seq, keys);
    const char *frame = script_run(&s->now, all);
    AUTO_FREE char *is = body_of(frame, s->now.rows);
    if (strcmp(was, is) != 0)
        fail_msg("as of %d, %s: then\n%s\nnow\n%s", past_seq, keys, was, is);
    assert_non_null(strstr(frame, "as of 2023-11-1"));
}

GROUP(set_up, tear_down);

TEST(test_every_view_shows_the_past_state)
{
    static const char *const keys[] = {
        "0",         "0G",
        "0<Enter>",  "0G<Enter>",
        "1",         "3",
        "0of",       "0Gf",
        "0Gr",       "0Gw",
        "!",         "Snoon<Enter>",
        "0XG",       "0f",
        "0r<Enter>", "0\\deploy<Enter>",
        "@",         "0/noon<Enter>",
        "@G",        "9",
        "T0<Enter>", "@j<Enter>",
        "9<Tab>",
    };
    struct state *s = *state;
    for (int past_seq = 1; past_seq <= MOMENTS; past_seq++)
        for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
            same_frame(s, past_seq, keys[i]);
}

/* All views change to that state: the top, those below it, and those in the history. */
TEST(test_open_views_change_to_the_state)
{
    static const struct {
        const char *before, *after;
    } keys[] = {
        {"0G<Enter>", ""}, {"0Gr", ""},  {"!", ""},           {"0G<Enter>", "q"},
        {"0Gw", ""},       {"0Gf", "q"}, {"0!<Enter>", "qq"}, {"0G<Enter>q", "]"},
    };
    struct state *s = *state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        char all[100];
        snprintf(all, sizeof(all), "%s%s", keys[i].before, keys[i].after);
        AUTO_FREE char *was = body_of(script_run(&s->now, all), s->now.rows);
        snprintf(all, sizeof(all), "%s:asof @4<Enter>:asof now<Enter>%s", keys[i].before,
                 keys[i].after);
        AUTO_FREE char *is = body_of(script_run(&s->now, all), s->now.rows);
        assert_string_equal(was, is); /* to the past and back */
    }
    const char *frame = script_run(&s->now, "0G<Enter>:asof @4<Enter>");
    assert_non_null(strstr(frame, "as of 2023"));
    if (strstr(frame, "retracted"))
        fail_msg("%s", frame);
    frame = script_run(&s->now, "3G<Enter>:asof @5<Enter>");
    assert_non_null(strstr(frame, "retracted"));
    frame = script_run(&s->now, "3f:asof @5<Enter>q");
    assert_non_null(strstr(frame, "as of 2023"));
}

TEST(test_the_header_marks_the_past)
{
    struct state *s = *state;
    frame_after(&s->now, ":asof @4<Enter>", "stemma \xe2\x80\xba as of 2023-11-15 01:13");
    frame_after(&s->now, ":as-of @4<Enter>", "stemma \xe2\x80\xba as of 2023-11-15 01:13");
    frame_after(&s->now, ":asof @4<Enter>j", "as of 2023-11-15 01:13:20Z (event 4)");
    s->now.columns = 110;
    frame_after(&s->now, ":asof @4<Enter>j", "read-only \xc2\xb7 :asof now returns");
    s->now.columns = 80;
    frame_after(&s->now, ":asof<Enter>", "give a time, such as 2 days ago");
    frame_after(&s->now, ":asof 1999-01-01<Enter>", "the store was empty at 1999-01-01");
    frame_after(&s->now, ":asof bogus<Enter>", "'bogus' is not a time");
    frame_after(&s->now, ":asof @9<Enter>", "there is no event 9: the last one is 8");
    frame_after(&s->now, ":asof now<Enter>", "this is the present");
    frame_after(&s->now, ":asof @4<Enter>:asof now<Enter>", "back in the present");
    s->now.columns = 40;
    frame_after(&s->now, ":asof @4<Enter>", "as of 2023-11-15 01:13");
    s->now.columns = 80;
    assert_null(strstr(script_run(&s->now, ":asof @4<Enter>:asof now<Enter>j"), "as of"));
    s->now.as_of = "@4"; /* as on the command line */
    frame_after(&s->now, "j", "stemma \xe2\x80\xba as of 2023-11-15 01:13");
    s->now.as_of = "soon";
    frame_after(&s->now, "", "'soon' is not a time");
    s->now.as_of = NULL;
}

TEST(test_nothing_can_be_changed)
{
    static const char *const keys[] = {"d",
                                       "u",
                                       "<C-r>",
                                       "a",
                                       "D",
                                       ":protect<Enter>",
                                       "e",
                                       "E",
                                       ":retract raw:1111<Enter>",
                                       ":purge raw:1111<Enter>"};
    struct state *s = *state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        char all[100];
        snprintf(all, sizeof(all), "0:asof @4<Enter>%s", keys[i]);
        frame_after(&s->now, all, "the past cannot be changed");
    }
}

/* ---- writes of others ---- */

static void write_at_shot(struct script *s, const char *name)
{
    if (strcmp(name, "write") == 0) {
        scratch_put(s->store, "{\"ref\":\"belief:new\",\"agent_id\":\"ash\",\"text\":\"news\","
                              "\"created_at\":1700000009000}");
        scratch_replace(s->store,
                        "{\"ref\":\"raw:99999999\",\"agent_id\":\"ash\",\"text\":\"Not noon\","
                        "\"created_at\":1700000004000}",
                        NULL);
    }
}

TEST(test_later_writes_do_not_disturb)
{
    struct state *s = *state;
    s->now.at_shot = write_at_shot;
    script_run(&s->now, "0:asof @6<Enter>jT<shot:write>kj<shot:after>:asof now<Enter><shot:now>");
    AUTO_FREE char *before = script_shot(&s->now, "write"), *after = script_shot(&s->now, "after");
    AUTO_FREE char *present = script_shot(&s->now, "now");
    assert_string_equal(before, after);
    assert_null(strstr(after, "news"));
    assert_non_null(strstr(present, "news"));
    assert_non_null(strstr(present, "Not noon"));
}

/* ---- the difference ---- */

TEST(test_the_difference_of_two_states)
{
    struct state *s = *state;
    frame_after(&s->now, ":diff @3 @5<Enter>", " @3 → ");
    frame_after(&s->now, ":diff @3 @5<Enter>", "2 memories");
    frame_after(&s->now, ":diff @3 @5<Enter>",
                "Never deploy at noon \xe2\x86\x92 Deploy after staging");
    frame_after(&s->now, ":diff @3 @5<Enter>", "active \xe2\x86\x92 retracted");
    frame_after(&s->now, ":diff @3 @5<Enter><Enter>", "Deploy after staging");
    frame_after(&s->now, ":diff @0 @2<Enter>", " +   1d  tester    added");
    frame_after(&s->now, ":diff @2 @0<Enter>", " -   1d  tester    added");
    frame_after(&s->now, ":diff @5 @5<Enter>", "nothing differs");
    frame_after(&s->now, ":diff 1999-01-01 @1<Enter>", "diff the start → ");
    frame_after(&s->now, ":diff 30 years ago now<Enter>", "diff the start → ");
    frame_after(&s->now, ":diff @3<Enter>", " @3 → ");
    frame_after(&s->now, ":diff<Enter>", "give one time, or two");
    frame_after(&s->now, ":diff bogus<Enter>", "is not a time");
    /* The difference does not depend on the displayed state. */
    frame_after(&s->now, ":asof @1<Enter>:diff @3 @5<Enter>", "2 memories");
    frame_after(&s->now, ":diff @3 @5<Enter>:asof @1<Enter>", "2 memories");
    /* Undo applies to the line's event and shows its plan first. */
    frame_after(&s->now, ":diff @3 @5<Enter>u", "undo event ");
    frame_after(&s->now, ":diff @3 @5<Enter>u",
                "nothing has changed yet: Enter on the first line does it, q cancels");
    frame_after(&s->now, ":diff @3 @5<Enter>/retracted<Enter>", "1 match for");
}

/* ---- golden frames ---- */

TEST(test_frames_match)
{
    static const struct golden_view views[] = {
        {"as-of", ":asof @4<Enter>jj"},
        {"as-of-refused", ":asof @4<Enter>d"},
        {"diff", ":diff @3 @7<Enter>"},
    };
    struct state *s = *state;
    golden_check_views(&s->now, views, sizeof(views) / sizeof(*views));
    frame_after(&s->now, ":asof @4<Enter>j<Enter>j", "supported \xc2\xb7 version 2");
    frame_after(&s->now, ":diff @7 2023-11-14 23:30<Enter>jT",
                "2023-11-15 @7 \xe2\x86\x92 11-14 @2");
    s->now.rows = 24;
    s->now.columns = 80;
}
