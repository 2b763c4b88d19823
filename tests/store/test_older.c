/* An older store that may not or cannot be changed is read through a private copy. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <dirent.h>
#include <sqlite3.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/open.h"
#include "store/query/ref.h"
#include "tests/support/client.h"
#include "tests/support/findings.h"
#include "tests/support/has.h"
#include "tests/support/program.h"
#include "tests/support/test.h"

struct state {
    char *directory, *path, *copies;
    char *before; /* the file before */
    size_t len;
};

/* A file that an earlier version wrote, alone in its directory. */
static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    s->path = scratch_path("older.db");
    s->directory = strdup(s->path);
    *strrchr(s->directory, '/') = '\0';
    s->copies = scratch_path("copies");
    assert_int_equal(mkdir(s->copies, 0700), 0);
    scratch_dump(s->path, "tests/data/version-2.sql");
    s->before = scratch_read(s->path, &s->len);
    setenv("TMPDIR", s->copies, 1);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    AUTO_FREE struct state *s = *state;
    unsetenv("TMPDIR");
    free(s->directory);
    free(s->path);
    free(s->copies);
    free(s->before);
    return 0;
}

static size_t count_in(const char *directory)
{
    size_t count = 0;
    DIR *dir = opendir(directory);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* The file is unchanged, no file was created next to it, and no copy remains. */
static void assert_untouched(const struct state *s)
{
    size_t len;
    AUTO_FREE char *after = scratch_read(s->path, &len);
    assert_int_equal(len, s->len);
    assert_memory_equal(after, s->before, len);
    assert_int_equal(count_in(s->directory), 1);
    assert_int_equal(count_in(s->copies), 0);
}

FIXTURE(set_up, tear_down);

TEST(an_older_store_is_read_where_it_may_not_be_changed)
{
    struct state *s = *state;
    struct error e = {0};
    struct store *store = store_open(s->path, &(struct store_options){.read_only = true}, NULL, &e);
    if (!store)
        fail_msg("%s. %s", e.what, e.hint);
    assert_true(store_is_read_only(store));
    assert_string_equal(store_path(store), s->path);
    struct reader *one = reader_open(store, &e), *other = reader_open(store, &e);
    assert_non_null(one);
    assert_non_null(other);
    assert_int_equal(count_in(s->copies), 1);
    assert_true(ref_resolve(other, "note:n1", &e) > 0);
    expect_sound(one);
    assert_int_equal(scratch_try(store, "{\"ref\":\"raw:b\",\"text\":\"t\"}", &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_has(e.what, s->path);
    reader_close(one);
    reader_close(other);
    store_close(store);
    assert_untouched(s);
}

TEST(without_a_copy_opening_fails)
{
    struct state *s = *state;
    struct error e = {0};
    struct store_options options = {.read_only = true};
    struct rlimit before, small = {s->len / 2, s->len / 2};
    setenv("TMPDIR", "/nowhere", 1);
    assert_null(store_open(s->path, &options, NULL, &e));
    assert_int_equal(e.code, ERROR_STORE);
    assert_has(e.what, "of an older version");
    assert_has(e.what, s->path);
    assert_has(e.hint, "TMPDIR");
    setenv("TMPDIR", s->copies, 1);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 2; i++) { /* the migration of the copy makes it larger */
        small.rlim_cur = i == 0 ? s->len / 2 : s->len;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        struct store *store = store_open(s->path, &options, NULL, &e);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_null(store);
        assert_has(e.what, "of an older version");
        assert_has(e.hint, "TMPDIR");
        assert_untouched(s);
    }
}

TEST(commands_read_an_older_store)
{
    struct state *s = *state;
    struct program p = {0};
    PROGRAM(&p, "list", "note", "--read-only", "--store", s->path);
    assert_string_equal(p.err, "");
    assert_int_equal(p.status, 0);
    assert_has(p.out, "oil the pump weekly");
    assert_untouched(s);
    PROGRAM(&p, "list", "note", "--store", s->path);
    assert_int_equal(p.status, 0);
    assert_has(p.out, "oil the pump weekly");
    program_release(&p);
    size_t len;
    AUTO_FREE char *after = scratch_read(s->path, &len);
    assert_true(len != s->len || memcmp(after, s->before, len) != 0); /* now migrated */
}

/* Runs as another user with an empty environment. */
#define START_OTHER(c, ...)                                                                        \
    client_start_as((c), 65534, NULL, (const char *const[]){__VA_ARGS__, NULL})

TEST(a_user_who_may_not_write_can_read)
{
    struct state *s = *state;
    struct client c;
    assert_int_equal(chmod(s->path, 0444), 0);
    assert_int_equal(chmod(s->directory, 0555), 0);
    if (!START_OTHER(&c, "mcp", "--agent", "ash", "--store", s->path))
        skip();
    client_initialize(&c, "2025-11-25");
    assert_has(client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
                              "\"name\":\"memory_list\",\"arguments\":{}}}"),
               "oil the pump weekly");
    client_end(&c);
    assert_null(client_read(&c));
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    assert_true(START_OTHER(&c, "list", "note", "--store", s->path));
    assert_has(client_read(&c), "oil the pump weekly");
    while (client_read(&c))
        ;
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    assert_int_equal(chmod(s->directory, 0755), 0);
    assert_untouched(s);
}
