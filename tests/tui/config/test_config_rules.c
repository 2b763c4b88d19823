/* The rules of a serving process while its configuration file changes. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tests/support/test.h"
#include "tui/config/config_rules.h"
#include "tests/support/scratch.h"
#include "tui/action/action.h"

#define SHARE    "share: yes\n"
#define NO_SHARE "share: no\n"

static char *path;
static struct config config;
static struct config_rules *rules;

static void write_text(const char *text)
{
    scratch_write(path, text, strlen(text));
}

/* Writes the file as an editor that keeps the old one as a backup. */
static void replace_text(const char *text)
{
    char next[300];
    snprintf(next, sizeof(next), "%s.next", path);
    scratch_write(next, text, strlen(text));
    assert_int_equal(rename(next, path), 0);
}

static void load(const char *at)
{
    struct error e = {0};
    if (config_load(&config, at, &e))
        fail_msg("%s", e.what);
    rules = config_rules_open(&config, &e);
    assert_non_null(rules);
    config_rules_whole(rules, config_check_patterns);
}

static int setup(void **state)
{
    path = scratch_path("config.yaml");
    write_text(SHARE);
    load(path);
    return 0;
}

static int teardown(void **state)
{
    config_rules_close(rules);
    config_release(&config);
    remove(path);
    free(path);
    return 0;
}

static bool shares(void)
{
    struct guard_rules *now = config_rules_now(rules);
    bool share = guard_permissions(now)->share;
    guard_rules_release(now);
    return share;
}

/* The file is refused for that reason, and the previous rules apply. */
static void assert_wrong(const char *why)
{
    struct error e;
    assert_true(shares());
    assert_true(config_rules_wrong(rules, &e));
    if (!strstr(e.what, why))
        fail_msg("%s", e.what);
}

static void assert_right(void)
{
    struct error e;
    assert_false(shares());
    assert_false(config_rules_wrong(rules, &e));
}

FIXTURE(setup, teardown);

TEST(a_change_applies_at_once)
{
    assert_true(shares());
    for (int round = 0; round < 20; round++) {
        write_text(NO_SHARE);
        assert_false(shares());
        replace_text(SHARE);
        assert_true(shares());
        write_text("share: on\n"); /* as long as NO_SHARE, perhaps at the same instant */
        assert_true(shares());
    }
}

TEST(without_a_change_the_rules_stay)
{
    usleep(30000); /* long enough for a different modification time */
    guard_rules_release(config_rules_now(rules));
    struct guard_rules *a = config_rules_now(rules), *b = config_rules_now(rules);
    assert_ptr_equal(a, b);
    replace_text(NO_SHARE);
    struct guard_rules *c = config_rules_now(rules);
    assert_ptr_not_equal(a, c);
    assert_true(guard_permissions(a)->share); /* a caller keeps its rules */
    assert_false(guard_permissions(c)->share);
    guard_rules_release(a);
    guard_rules_release(b);
    guard_rules_release(c);
}

TEST(an_invalid_file_is_not_applied)
{
    write_text("tool_permissions: {}\nshare: perhaps\n");
    assert_wrong("config.yaml line 2: 'share' takes ");
    write_text("share: no\npii: {patterns:\n  {a: 'x(',\n  b: y}}\n");
    assert_wrong("config.yaml line 3: ");
    write_text("share: \"");
    assert_wrong("config.yaml line 1: this is not YAML");
    write_text(NO_SHARE);
    assert_right();
}

TEST(a_removed_file_still_applies)
{
    remove(path);
    assert_wrong("there is no file ");
    write_text(NO_SHARE);
    assert_right();
}

/* Otherwise the defaults would apply for the moment in which an editor writes. */
TEST(a_just_emptied_file_still_applies)
{
    write_text("");
    assert_true(shares());
    write_text(NO_SHARE);
    assert_right();
    write_text(SHARE);
    assert_true(shares());
    write_text("");
    assert_true(shares());
    struct timespec before[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000}};
    assert_int_equal(utimensat(AT_FDCWD, path, before, 0), 0);
    assert_false(shares()); /* empty for a long time */
}

TEST(a_path_that_is_no_file_is_not_read)
{
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_wrong("is no longer a file");
    remove(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_wrong("is no longer a file");
    remove(path);
    write_text(NO_SHARE);
    assert_right();
}

/* No path was given, and the default path has no file. */
TEST(a_file_created_later_applies)
{
    char *base = scratch_path("etc"), place[300];
    config_rules_close(rules);
    config_release(&config);
    setenv("XDG_CONFIG_HOME", base, 1);
    load(NULL);
    assert_null(config.path);
    assert_false(shares());
    assert_int_equal(mkdir(base, 0700), 0);
    snprintf(place, sizeof(place), "%s/stemma", base);
    assert_int_equal(mkdir(place, 0700), 0);
    assert_false(shares());
    snprintf(place, sizeof(place), "%s/stemma/config.yaml", base);
    scratch_write(place, SHARE, strlen(SHARE));
    assert_true(shares());
    unsetenv("XDG_CONFIG_HOME");
    free(base);
}

TEST(an_invalid_pattern_prevents_serving)
{
    struct config wrong;
    struct error e = {0};
    write_text("pii:\n  patterns:\n    fine: x\n    open: '('\n");
    assert_int_equal(config_load(&wrong, path, &e), 0);
    assert_null(config_rules_open(&wrong, &e));
    assert_int_equal(e.code, ERROR_INVALID);
    assert_non_null(strstr(e.what, "config.yaml line 4: "));
    assert_int_equal(config_check(&wrong, &e), -1);
    assert_non_null(strstr(e.what, "config.yaml line 4: "));
    config_release(&wrong);
}

/* Returns what is written to standard error after several checks of each text. */
static char *told(const char *const *texts, size_t count)
{
    AUTO_FREE char *notes = scratch_path("notes");
    int fd = open(notes, O_CREAT | O_TRUNC | O_RDWR, 0600), before = dup(STDERR_FILENO);
    assert_true(fd >= 0 && before >= 0);
    fflush(stderr);
    dup2(fd, STDERR_FILENO);
    for (size_t i = 0; i < count; i++) {
        replace_text(texts[i]);
        for (int n = 0; n < 5; n++)
            shares();
    }
    dup2(before, STDERR_FILENO);
    close(before);
    close(fd);
    return scratch_read(notes, NULL);
}

static size_t occurrences(const char *text, const char *of)
{
    size_t count = 0;
    for (const char *at = strstr(text, of); at; at = strstr(at + 1, of))
        count++;
    return count;
}

TEST(each_problem_is_reported_once)
{
    static const char *const texts[] = {"share: 1\n", "share: 1\n# again\n", "share: 2\n",
                                        NO_SHARE,     "share: no # right\n", "share: 1\n"};
    struct error e = {0};
    config_rules_close(rules);
    rules = config_rules_open(&config, &e);
    assert_non_null(rules);
    char *text = told(texts, sizeof(texts) / sizeof(texts[0]));
    assert_int_equal(occurrences(text, "not '1'; the previous configuration stays"), 2);
    assert_int_equal(occurrences(text, "not '2'"), 1);
    assert_int_equal(occurrences(text, "is valid again"), 1);
    assert_int_equal(occurrences(text, "\n"), 4);
    free(text);
    config_rules_whole(rules, config_check_patterns);
    text = told(texts, sizeof(texts) / sizeof(texts[0]));
    assert_string_equal(text, "");
    free(text);
}

/* A changed setting that is read only at the start is reported once. */
TEST(settings_for_the_next_start_are_reported)
{
    static const char *const texts[] = {
        "share: yes\ndestructive_tools: yes\n",
        "share: no\ndestructive_tools: yes\n",
        "destructive_tools: yes\ntheme: mono\nkeys: {quit: [x]}\nactor: zoe\n",
        "destructive_tools: no\npii: {mask: no}\n",
        "theme: mono\n",
        "share: 1\n",
        "theme: mono # fixed\n",
    };
    struct error e = {0};
    config_rules_close(rules);
    rules = config_rules_open(&config, &e);
    assert_non_null(rules);
    AUTO_FREE char *text = told(texts, sizeof(texts) / sizeof(texts[0]));
    assert_int_equal(occurrences(text, "\n"), 5);
    assert_int_equal(
        occurrences(text, "a change of destructive_tools takes effect at the next start"), 1);
    assert_int_equal(occurrences(text, "a change of actor, theme, destructive_tools, keys takes"),
                     1);
    assert_int_equal(occurrences(text, "a change of theme takes"), 1);
    assert_int_equal(occurrences(text, "is valid again"), 1);
}

TEST(a_note_is_returned_once)
{
    assert_null(config_rules_take_note(rules));
    write_text("share: 1\n");
    shares();
    char *note = config_rules_take_note(rules);
    assert_non_null(strstr(note, "not '1'; the previous configuration stays"));
    free(note);
    shares();
    assert_null(config_rules_take_note(rules));
    write_text("share: 2\n");
    shares();
    write_text(NO_SHARE); /* only the newest note remains */
    shares();
    note = config_rules_take_note(rules);
    assert_non_null(strstr(note, "reloaded: share"));
    free(note);
}

static atomic_bool ended;

static void *asks(void *unused)
{
    while (!atomic_load(&ended)) {
        struct guard_rules *now = config_rules_now(rules);
        const struct permissions *p = guard_permissions(now);
        assert_int_equal(p->share, p->namespace_count == 1); /* one version, complete */
        guard_rules_release(now);
    }
    return NULL;
}

TEST(any_thread_may_ask_for_the_rules)
{
    pthread_t threads[3];
    write_text("share: yes\nnamespaces: {a: {}}\n");
    atomic_store(&ended, false);
    assert_true(shares());
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, asks, NULL), 0);
    for (int round = 0; round < 100; round++)
        replace_text(round % 2 ? "share: yes\nnamespaces: {a: {}}\n" : NO_SHARE);
    atomic_store(&ended, true);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

TEST(no_file_is_no_error)
{
    struct error why;
    config_rules_close(rules);
    config_release(&config);
    scratch_home();
    load(NULL);
    config_rules_reload(rules);
    assert_false(config_rules_wrong(rules, &why));
}
