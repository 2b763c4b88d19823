/* The file of the last visit. tests/tui/visit.t has what it shows. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
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
    AUTO_FREE char *path = scratch_path("visit.db");
    struct store *store = scratch_store(path);
    put(store, "one", 1001);
    put(store, "two", 1002);
    put(store, "three", 1003);
    script_open(&s->script, store);
    s->visit = scratch_path("state/visits/visit");
    s->script.visit = s->visit;
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

FIXTURE(set_up, tear_down);

TEST(test_the_visit_file_is_private)
{
    struct state *s = *state;
    struct stat st;
    size_t len;
    script_run(&s->script, "j");
    assert_int_equal(stat(s->visit, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    AUTO_FREE char *text = scratch_read(s->visit, &len);
    assert_int_equal(strncmp(text, "3 ", 2), 0);
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
    AUTO_FREE char *path = scratch_path("other.db");
    struct store *other = scratch_store(path);
    for (int i = 0; i < 5; i++)
        put(other, (const char *[]){"a", "b", "c", "d", "e"}[i], i + 1);
    struct reader *r = reader_open(other, &e);
    assert_false(visit_read(r, s->visit, &visit));
    reader_close(r);
    store_close(other);
}

TEST(test_the_file_is_in_the_state_directory)
{
    struct state *s = *state;
    const char *store = store_path(s->script.store);
    setenv("XDG_STATE_HOME", "/state", 1);
    AUTO_FREE char *one = visit_path("visits", store);
    assert_int_equal(strncmp(one, "/state/stemma/visits/", 21), 0);
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/home/claire", 1);
    AUTO_FREE char *two = visit_path("visits", store);
    assert_int_equal(strncmp(two, "/home/claire/.local/state/stemma/visits/", 40), 0);
    assert_string_equal(strrchr(one, '/'), strrchr(two, '/'));
    unsetenv("HOME");
    assert_null(visit_path("visits", store));
    setenv("HOME", "/home/claire", 1);
    assert_null(visit_path("visits", "/nowhere/at/all.db"));
}
