/* Entries in a store that an earlier stemma wrote, which had no tables of them: found once it is brought forward. */
#include "../support/scratch.h"

#include <stdlib.h>
#include <string.h>
#include "../../store/past.h"
#include "../support/entries.h"

#define LATER INT64_C(1796000000000) /* than all that it says */

static int setup(void **state)
{
    (void)state;
    entries_open_dump("tests/data/version-4.sql");
    entries_now = LATER;
    entries_begin();
    return 0;
}

static void its_entries_are_found(void **state)
{
    (void)state;
    assert_int_equal(entries_counted("SELECT user_version FROM pragma_user_version"), 5);
    entries_check();
    /* Of the two of one key the one that a person forgot does not count. */
    assert_string_equal(entries_value("plant", "pump/limit"), "{\"bar\":4}");
    assert_string_equal(entries_keys("plant", NULL), "mail/jane@example.com pump/limit");
    /* What names no namespace is a memory like any other. */
    assert_int_equal(entries_counted("SELECT count(*) FROM memory WHERE kind = 14"), 6);
    assert_int_equal(entries_counted("SELECT count(*) FROM entry"), 4);
    assert_int_equal(entries_counted("SELECT count(*) FROM namespace"), 1);
    assert_int_equal(entries_counted("SELECT count(*) FROM call WHERE guard IS NULL"), 2);
}

static void it_is_put_into(void **state)
{
    (void)state;
    struct entry_done done;
    assert_int_equal(entries_put("plant", "pump/limit", "{\"bar\":6}", -1, NULL, &done), 0);
    assert_int_equal(done.version, 2);
    assert_int_equal(entries_put("other", "k", "1", -1, NULL, NULL), 0);
    assert_string_equal(entries_value("plant", "pump/limit"), "{\"bar\":6}");
    entries_check();
    entries_reopen();
    assert_string_equal(entries_value("other", "k"), "1");
    entries_check();
}

static void what_had_expired_is_swept(void **state)
{
    (void)state;
    struct error e;
    struct memory m;
    assert_null(entries_value("plant", "shift"));
    assert_int_equal(entries_counted("SELECT count(*) FROM memory WHERE detail LIKE '%persimmon%'"),
                     1);
    entries_sweep();
    assert_int_equal(entries_counted("SELECT count(*) FROM memory WHERE detail LIKE '%persimmon%'"),
                     0);
    assert_int_equal(entries_counted("SELECT count(*) FROM event WHERE patch LIKE '%persimmon%'"),
                     0);
    int64_t node = entries_counted("SELECT id FROM memory WHERE name = 'k4'");
    assert_int_equal(memory_read_past(entries_reader, &entries_arena, node, 17, &m, &e), 0);
    assert_int_equal(m.status, STATUS_ACTIVE);
    assert_null(strstr(m.detail, "persimmon"));
    entries_check();
}

/* The person's word of then still stands against an agent's. */
static void what_a_person_forgot_comes_back_by_a_person(void **state)
{
    (void)state;
    int64_t node = entries_counted("SELECT id FROM memory WHERE name = 'k2'");
    assert_int_equal(entries_delete("plant", "pump/limit"), ERROR_NONE);
    assert_null(entries_value("plant", "pump/limit"));
    assert_int_equal(entries_operate(OPERATION_RESTORE, node), ERROR_NONE);
    assert_string_equal(entries_value("plant", "pump/limit"), "{\"bar\":5}");
    entries_check();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, entries_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(its_entries_are_found),
        TEST(it_is_put_into),
        TEST(what_had_expired_is_swept),
        TEST(what_a_person_forgot_comes_back_by_a_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
