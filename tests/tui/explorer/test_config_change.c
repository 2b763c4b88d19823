/* The explorer reports the result when its configuration file changes. */
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/story.h"
#include "tests/support/terminal.h"

#include <sys/stat.h>
#include <unistd.h>
#include "tests/support/test.h"

static char *path;

static void write_config(const char *text)
{
    char next[320];
    snprintf(next, sizeof(next), "%s.next", path);
    scratch_write(next, text, strlen(text));
    assert_int_equal(rename(next, path), 0);
}

/* ---- messages ---- */

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    struct error e;
    script_open_demo(s);
    path = scratch_path("config.yaml");
    write_config("listen: no\n");
    config_release(&s->config);
    if (config_load(&s->config, path, &e))
        fail_msg("%s", e.what);
    s->rows = 36;
    s->columns = 160;
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    AUTO_FREE struct script *s = *state;
    store_close(s->store);
    script_close(s);
    remove(path);
    free(path);
    return 0;
}

static void change_at_shot(struct script *s, const char *name)
{
    static const char *const texts[][2] = {
        {"wrong", "share: perhaps\n"},
        {"right", "listen: no\n"},
        {"theme", "listen: no\ntheme: mono\n"},
        {"pattern", "listen: no\npii: {patterns: {gateway: 'gateway'}}\n"},
        {"grants", "listen: no\ntool_permissions: {}\n"},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (!strcmp(name, texts[i][0]))
            write_config(texts[i][1]);
}

FIXTURE(set_up, tear_down);

TEST(it_reports_the_result_of_a_change)
{
    struct script *s = *state;
    s->at_shot = change_at_shot;
    script_run(s, "<shot:wrong><shot:is-wrong>9<shot:live><shot:right><shot:is-right><shot:theme>"
                  "<shot:is-theme>");
    AUTO_FREE char *wrong = script_shot(s, "is-wrong"), *live = script_shot(s, "live");
    AUTO_FREE char *right = script_shot(s, "is-right"), *theme = script_shot(s, "is-theme");
    assert_has(wrong, "config.yaml line 1: 'share' takes ");
    assert_has(wrong, "stays in force");
    assert_has(live, "config.yaml line 1 is wrong; the previous rules stay in force");
    assert_null(strstr(live, "stays in force")); /* shown only once */
    assert_has(right, "config.yaml is valid again and now in force");
    assert_has(theme, "reloaded: theme");
}

/* Typing is not interrupted; the message comes afterwards. */
TEST(typing_is_not_interrupted)
{
    struct script *s = *state;
    s->at_shot = change_at_shot;
    const char *typed = script_run(s, "\\can<shot:wrong>a<shot:typing>ry<Enter>");
    AUTO_FREE char *typing = script_shot(s, "typing");
    assert_null(strstr(typing, "the previous configuration stays"));
    assert_has(typing, "\\cana");
    assert_has(typed, "the previous configuration stays");
}

TEST(shown_views_follow_the_change)
{
    struct script *s = *state;
    s->at_shot = change_at_shot;
    const char *after = script_run(
        s, ":namespaces<Enter>G<shot:grants><shot:denied>:mask<Enter><Enter><shot:pattern>j");
    AUTO_FREE char *before = script_shot(s, "grants"), *denied = script_shot(s, "denied");
    assert_null(strstr(before, "no agent has a grant for it"));
    assert_has(denied, "no agent has a grant for it");
    assert_has(after, "[REDACTED]_"); /* masked by the new rules */
}

/* ---- in a terminal ---- */

FIXTURE(story_open, story_close);

TEST(the_report_appears_by_itself)
{
    struct terminal t;
    char folder[300];
    story_path(folder, sizeof(folder), ".config");
    mkdir(folder, 0700);
    /* The message has the path of the file, which may be long. */
    terminal_start(&t, story.store, 30, 240);
    terminal_wait_shows(&t, "0 of 1");
    path = folder;
    story_path(folder, sizeof(folder), ".config/stemma");
    mkdir(folder, 0700);
    story_path(folder, sizeof(folder), ".config/stemma/config.yaml");
    write_config("share: perhaps\n");
    terminal_wait_shows(&t, "stays in force");
    write_config("share: yes\n");
    terminal_wait_shows(&t, "reloaded: share");
    story_write(folder, "share: 7\n"); /* edits the file in place */
    terminal_wait_shows(&t, "not '7'");
    story_write(folder, "share: no\n");
    terminal_wait_shows(&t, "reloaded: share");
    terminal_leave(&t);
}
