/* A server sweeps expired entries: each loses its value once, completely, without a request. A process that only
 * reads shows nothing of them even if nobody has swept. */
#include "tests/support/scratch.h"

#include <time.h>
#include <unistd.h>
#include "tests/support/client.h"
#include "tests/support/entries.h"
#include "tests/support/program.h"
#include "tests/support/test.h"

#define SECRET "persimmon"
#define MANY   300 /* more than one transaction can sweep */

static int64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Puts `count` entries that expire at once and one that stays, and closes the store. */
static void fill(int count)
{
    char key[32];
    entries_now = clock_ms();
    entries_put("n", "stays", "\"quince\"", -1, NULL, NULL);
    for (int i = 0; i < count; i++) {
        snprintf(key, sizeof(key), "key-%d", i);
        entries_put("n", key, "\"" SECRET "\"", 0, NULL, NULL);
    }
    entries_end();
}

static int64_t sweeps(void)
{
    return entries_counted("SELECT count(*) FROM event WHERE operation = 'expire'");
}

/* Waits until `count` entries are swept; the test fails if that never happens. */
static void wait_for(int64_t count)
{
    for (int tries = 0; sweeps() < count; tries++) {
        assert_true(tries < 6000);
        usleep(10000);
    }
}

static void expect_swept(int count)
{
    assert_int_equal(entries_rows_with(SECRET), 0);
    assert_int_equal(sweeps(), count); /* each once */
    assert_int_equal(entries_counted("SELECT count(*) FROM entry WHERE state = 1"), count);
    assert_string_equal(entries_value("n", "stays"), "\"quince\"");
    entries_check();
}

FIXTURE(entries_set_up, entries_tear_down);

TEST(server_sweeps_expired_entries)
{
    struct served served;
    fill(3);
    served_start(&served, entries_path());
    entries_begin();
    wait_for(3);
    assert_int_equal(served_stop(&served), 0);
    expect_swept(3);
}

static void begin_client(struct client *c)
{
    CLIENT_START(c, "mcp", "--store", entries_path(), "--agent", "ash");
    client_initialize(c, "2025-06-18");
}

TEST(two_servers_sweep_each_entry_once)
{
    struct client one, other;
    fill(MANY);
    begin_client(&one);
    begin_client(&other);
    entries_begin();
    wait_for(MANY);
    client_end(&one);
    client_end(&other);
    assert_int_equal(client_wait(&one), 0);
    assert_int_equal(client_wait(&other), 0);
    client_close(&one);
    client_close(&other);
    expect_swept(MANY);
}

/* Another process sweeps an entry put by a client; it learns of it only from its feed. */
TEST(later_entries_are_swept_too)
{
    struct served served;
    fill(1);
    served_start(&served, entries_path());
    entries_begin();
    wait_for(1);
    entries_now = clock_ms();
    entries_put("n", "later", "\"" SECRET "\"", 0, NULL, NULL);
    wait_for(2);
    assert_int_equal(served_stop(&served), 0);
    expect_swept(2);
}

TEST(store_is_valid_after_stop)
{
    struct served served;
    fill(MANY);
    served_start(&served, entries_path());
    entries_begin();
    wait_for(1);
    assert_int_equal(served_stop(&served), 0);
    entries_check();
    entries_end();
    served_start(&served, entries_path());
    entries_begin();
    wait_for(MANY);
    assert_int_equal(served_stop(&served), 0);
    expect_swept(MANY);
}

TEST(store_is_valid_after_kill)
{
    struct served served;
    fill(MANY);
    served_start(&served, entries_path());
    entries_begin();
    wait_for(1);
    served_kill(&served);
    entries_reopen();
    entries_check();
    served_start(&served, entries_path());
    wait_for(MANY);
    assert_int_equal(served_stop(&served), 0);
    expect_swept(MANY);
}

static void run_and_expect_nothing(const char *const *arguments)
{
    struct program p = {0};
    program_run(&p, NULL, arguments);
    if (strstr(p.out, SECRET) || strstr(p.err, SECRET))
        fail_msg("stemma %s shows it: %s%s", arguments[0], p.out, p.err);
    program_release(&p);
}

TEST(reader_neither_shows_nor_sweeps_expired_entries)
{
    fill(2);
    const char *store = entries_path();
    const char *const commands[][8] = {
        {"list", "entries", "--store", store},
        {"list", "entries", "--json", "--store", store},
        {"list", "entries", "--json", "--as-of", "@3", "--store", store},
        {"namespaces", "n", "--store", store},
        {"namespaces", "n", "--json", "--store", store},
        {"namespaces", "n", "--json", "--as-of", "@3", "--store", store},
        {"search", "ersimmo", "--store", store},
        {"log", "--json", "--store", store},
        {"diff", "@0", "now", "--store", store},
        {"export", "--store", store},
        {"fsck", "--store", store},
    };
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        run_and_expect_nothing(commands[i]);
    entries_begin();
    assert_int_equal(sweeps(), 0);
    assert_true(entries_rows_with(SECRET) > 0);
    struct program p = {0};
    PROGRAM(&p, "namespaces", "n", "--as-of", "@1", "--store", store);
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "stays"));
    assert_null(strstr(p.out, "key-0"));
    program_release(&p);
    entries_check();
}
