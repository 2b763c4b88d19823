/* What is new since the last visit: its sign, its filter, and the file of the visit. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "store/open.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/test.h"
#include "tui/explorer/changes.h"

struct state {
    struct script script;
    char *visit;
};

static void put(struct store *s, const char *id, int number)
{
    char line[200];
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:%s\",\"text\":\"belief %s\",\"created_at\":%d000000}", id, id,
             number);
    scratch_put(s, line);
}

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    char *path = scratch_path("visit.db");
    struct store *store = scratch_store(path);
    put(store, "one", 1001);
    put(store, "two", 1002);
    put(store, "three", 1003);
    script_open(&s->script, store);
    s->visit = scratch_path("state/visits/visit");
    s->script.visit = s->visit;
    free(path);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    store_close(s->script.store);
    script_close(&s->script);
    free(s->visit);
    free(s);
    return 0;
}

/* Expects the row with that text to start with `begins`. */
static void assert_row(const char *frame, const char *text, const char *begins)
{
    const char *at = strstr(frame, text);
    if (!at)
        fail_msg("\"%s\" is not in %s", text, frame);
    while (at > frame && at[-1] != '\n')
        at--;
    if (strncmp(at, begins, strlen(begins)))
        fail_msg("the row begins otherwise: %.60s", at);
}

FIXTURE(set_up, tear_down);

TEST(test_on_the_first_visit_nothing_is_new)
{
    struct state *s = *state;
    const char *frame = script_run(&s->script, "<C-g><shot:first>:new<Enter>");
    char *first = script_shot(&s->script, "first");
    assert_row(first, "belief two", "   –  0.80");
    assert_non_null(strstr(frame, "this is your first visit"));
    assert_non_null(
        strstr(frame, "nothing has changed since you opened the store; Esc shows everything"));
    assert_null(strstr(frame, "last visit"));
    free(first);
}

TEST(test_new_and_changed_memories_are_marked)
{
    struct state *s = *state;
    script_run(&s->script, "j");
    put(s->script.store, "four", 1004);
    scratch_replace(
        s->script.store,
        "{\"ref\":\"belief:one\",\"text\":\"belief one, revised\",\"created_at\":1001000000}",
        "it was wrong");
    const char *frame = script_run(&s->script, "j:new<Enter><shot:new><Esc>");
    char *new = script_shot(&s->script, "new");
    assert_row(new, "belief four", "   –+ ");
    assert_row(new, "belief one, revised", " > –~ ");
    assert_null(strstr(new, "belief two"));
    assert_non_null(strstr(new, "beliefs › new"));
    assert_row(frame, "belief two", "   –  ");
    assert_non_null(strstr(frame, "all memories"));
    free(new);
    /* The first look was a visit, too. */
    assert_row(script_run(&s->script, "<C-g>"), "belief four", " > –  ");
    assert_non_null(strstr(script_run(&s->script, ":new<Enter><shot:x>"), "nothing is new"));
}

/* A memory that was added since is new, however often it was changed and whatever version it has. */
TEST(test_a_new_memory_stays_new_when_changed)
{
    struct state *s = *state;
    script_run(&s->script, "j");
    put(s->script.store, "four", 1004);
    scratch_replace(s->script.store, "{\"ref\":\"belief:four\",\"text\":\"belief four, revised\"}",
                    "it was wrong");
    scratch_put(s->script.store, "{\"ref\":\"belief:far\",\"text\":\"belief far\",\"version\":3}");
    /* A memory that was only referenced before gets its own first event. */
    scratch_put(s->script.store, "{\"ref\":\"belief:five\",\"text\":\"belief five\","
                                 "\"derived_from\":[\"belief:six\"]}");
    const char *frame = script_run(&s->script, "<C-g>");
    assert_row(frame, "belief four, revised", "   –+ ");
    assert_row(frame, "belief far", "   –+ ");
    put(s->script.store, "six", 1006);
    assert_row(script_run(&s->script, "<C-g>"), "belief six", " > –+ ");
}

static void write_at_shot(struct script *script, const char *name)
{
    if (!strcmp(name, "write"))
        put(script->store, "five", 1005);
}

TEST(test_changes_while_watching_are_new)
{
    struct state *s = *state;
    script_run(&s->script, "j");
    s->script.at_shot = write_at_shot;
    const char *frame = script_run(&s->script, ":new<Enter><shot:write><C-g>");
    assert_row(frame, "belief five", " > –+ ");
    assert_null(strstr(frame, "belief two"));
    s->script.at_shot = NULL;
}

TEST(test_paused_changes_stay_new)
{
    struct state *s = *state;
    script_run(&s->script, "j");
    s->script.at_shot = write_at_shot;
    script_run(&s->script, "p<shot:write><C-g>");
    s->script.at_shot = NULL;
    assert_row(script_run(&s->script, "<C-g>"), "belief five", " > –+ ");
}

/* ---- the file ---- */

TEST(test_the_visit_file_is_private)
{
    struct state *s = *state;
    struct stat st;
    size_t len;
    script_run(&s->script, "j");
    assert_int_equal(stat(s->visit, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    char *text = scratch_read(s->visit, &len);
    assert_int_equal(strncmp(text, "3 ", 2), 0);
    free(text);
}

/* Writes a visit and reads it back. */
static void assert_visit(struct reader *r, const char *path, int64_t seq, int64_t call,
                         int64_t read_seq, int64_t read_call)
{
    struct visit visit;
    visit_write(r, path, seq, call);
    assert_true(visit_read(r, path, &visit));
    assert_int_equal(visit.seq, read_seq);
    assert_int_equal(visit.call, read_call);
}

TEST(test_a_broken_file_is_ignored)
{
    static const char *const broken[] = {
        "",
        "\n",
        "3",
        "3 ",
        "3 x\n",
        "x 3\n",
        "-1 5\n",
        "1 1\n",
        "99999999999999999999 1\n",
        "3 1 1\n",
        "2 1700000000000 \n",
        "4 1700000000000\n",
        "3 1700000000000 x\n",
        "3 1700000000000 -1\n",
        "3 1700000000000 1 \n",
    };
    struct state *s = *state;
    struct visit visit;
    struct error e;
    script_run(&s->script, "j"); /* creates the directory */
    struct reader *r = reader_open(s->script.store, &e);
    assert_non_null(r);
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        scratch_write(s->visit, broken[i], strlen(broken[i]));
        assert_false(visit_read(r, s->visit, &visit));
    }
    char longest[5000];
    memset(longest, '1', sizeof(longest));
    scratch_write(s->visit, longest, sizeof(longest));
    assert_false(visit_read(r, s->visit, &visit));
    assert_false(visit_read(r, "/", &visit));
    assert_false(visit_read(r, "/nowhere/at/all", &visit));
    assert_false(visit_read(r, NULL, &visit));
    /* A broken file is replaced; a later visit is never overwritten. */
    assert_visit(r, s->visit, 2, 5, 2, 5);
    assert_visit(r, s->visit, 3, 4, 3, 5);
    assert_visit(r, s->visit, 1, 7, 3, 7);
    assert_visit(r, s->visit, 77, 8, 3, 7); /* there is no such event */
    visit_write(r, "/proc/nowhere/visit", 3, 0);
    reader_close(r);
}

static void leave_at(const char *file, int64_t ms)
{
    struct timespec at = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    assert_int_equal(utimensat(AT_FDCWD, file, (struct timespec[]){at, at}, 0), 0);
}

/* The visit ends when the person leaves, whenever the last event was, even without new events. */
TEST(test_the_visit_ends_when_the_person_leaves)
{
    struct state *s = *state;
    struct stat st;
    script_run(&s->script, "j");
    leave_at(s->visit, store_now(s->script.store) - 5 * 60000);
    assert_non_null(strstr(script_run(&s->script, ":new<Enter>"), "since your last visit, 5m ago"));
    leave_at(s->visit, 0);
    script_run(&s->script, "j");
    assert_int_equal(stat(s->visit, &st), 0);
    assert_true(st.st_mtime > 0);
}

/* Another store at the same path has no visit. */
TEST(test_another_store_has_no_visit)
{
    struct state *s = *state;
    struct visit visit;
    struct error e;
    script_run(&s->script, "j");
    char *path = scratch_path("other.db");
    struct store *other = scratch_store(path);
    for (int i = 0; i < 5; i++)
        put(other, (const char *[]){"a", "b", "c", "d", "e"}[i], i + 1);
    struct reader *r = reader_open(other, &e);
    assert_false(visit_read(r, s->visit, &visit));
    reader_close(r);
    store_close(other);
    free(path);
}

TEST(test_the_file_is_in_the_state_directory)
{
    struct state *s = *state;
    const char *store = store_path(s->script.store);
    setenv("XDG_STATE_HOME", "/state", 1);
    char *one = visit_path("visits", store);
    assert_int_equal(strncmp(one, "/state/stemma/visits/", 21), 0);
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/home/claire", 1);
    char *two = visit_path("visits", store);
    assert_int_equal(strncmp(two, "/home/claire/.local/state/stemma/visits/", 40), 0);
    assert_string_equal(strrchr(one, '/'), strrchr(two, '/'));
    unsetenv("HOME");
    assert_null(visit_path("visits", store));
    setenv("HOME", "/home/claire", 1);
    assert_null(visit_path("visits", "/nowhere/at/all.db"));
    free(one);
    free(two);
}
