/* Entries: put, read, listed and deleted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/entries/entry.h"
#include "store/journal/journal.h"
#include "tests/support/entries.h"

static void what_is_put_is_read(void **state)
{
    (void)state;
    struct entry_done done;
    assert_int_equal(entries_put("session.a", "key", "{\"b\": [1, 2]}", -1, NULL, &done), 0);
    assert_int_equal(done.version, 1);
    assert_string_equal(entries_value("session.a", "key"), "{\"b\":[1,2]}");
    assert_int_equal(entries_put("session.a", "key", "7", 10, NULL, &done), 0);
    assert_int_equal(done.version, 2);
    assert_string_equal(entries_value("session.a", "key"), "7");
    assert_null(entries_value("session.a", "Key"));
    assert_null(entries_value("session", "key"));
    entries_check();
}

static void what_expired_is_as_not_there(void **state)
{
    (void)state;
    entries_put("n", "a", "1", 10, NULL, NULL);
    entries_put("n", "zero", "1", 0, NULL, NULL);
    assert_null(entries_value("n", "zero"));
    entries_now += 9999;
    assert_string_equal(entries_value("n", "a"), "1");
    assert_int_equal(entries_total("n", NULL), 1);
    entries_now += 1;
    assert_null(entries_value("n", "a"));
    assert_int_equal(entries_total("n", NULL), 0);
    assert_int_equal(entries_delete("n", "a"), ERROR_NOT_FOUND);
    entries_check();
    entries_sweep();
    assert_null(entries_value("n", "a"));
    entries_check();
    struct entry_done done;
    entries_put("n", "a", "2", -1, NULL, &done);
    assert_int_equal(done.version, 3);
    assert_string_equal(entries_value("n", "a"), "2");
    entries_check();
}

static void after_a_deletion_it_is_another(void **state)
{
    (void)state;
    struct entry_done first, second;
    entries_put("n", "a", "1", -1, NULL, &first);
    assert_int_equal(entries_delete("n", "a"), ERROR_NONE);
    assert_null(entries_value("n", "a"));
    assert_int_equal(entries_delete("n", "a"), ERROR_NOT_FOUND);
    entries_put("n", "a", "2", -1, NULL, &second);
    assert_int_not_equal(first.node, second.node);
    assert_int_equal(second.version, 1);
    entries_check();
}

static void pages_go_through_all(void **state)
{
    (void)state;
    char key[32];
    for (int i = 0; i < 100; i++) {
        snprintf(key, sizeof(key), "key-%02d", (i * 37) % 100);
        entries_put("n", key, "null", -1, NULL, NULL);
    }
    const char *cursor = NULL;
    int pages = 0, at = 0;
    do {
        struct entry_page page;
        assert_int_equal(entries_page("n", NULL, cursor, 5, &page), ERROR_NONE);
        assert_int_equal(page.total, 100);
        assert_int_equal(page.count, 5);
        for (size_t i = 0; i < page.count; i++, at++) {
            snprintf(key, sizeof(key), "key-%02d", at);
            assert_string_equal(page.keys[i], key);
        }
        cursor = page.cursor;
        pages++;
    } while (cursor);
    assert_int_equal(pages, 20);
    entries_check();
}

static const struct namespace_policy three = {.max_items = 3, .evict_oldest = true};

static void what_expired_makes_room_before_the_oldest_does(void **state)
{
    (void)state;
    struct entry_done done;
    entries_put("n", "a", "1", -1, &three, NULL);
    entries_now += 1;
    entries_put("n", "b", "1", 1, &three, NULL);
    entries_now += 1;
    entries_put("n", "c", "1", -1, &three, NULL);
    entries_now += 2000;
    assert_int_equal(entries_put("n", "d", "1", -1, &three, &done), ERROR_NONE);
    assert_int_equal(done.evicted, 0);
    assert_string_equal(entries_keys("n", NULL), "a c d");
    entries_now += 1;
    assert_int_equal(entries_put("n", "e", "1", -1, &three, &done), ERROR_NONE);
    assert_int_equal(done.evicted, 1);
    assert_string_equal(entries_keys("n", NULL), "c d e");
    entries_check();
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const struct namespace_policy items = {.max_items = 2};
    const struct namespace_policy bytes = {.max_bytes = 10};
    const struct namespace_policy evicts = {.max_bytes = 10, .evict_oldest = true};
    struct entry_done done;
    assert_int_equal(entries_put("i", "a", "1", -1, &items, NULL), ERROR_NONE);
    assert_int_equal(entries_put("i", "b", "1", -1, &items, NULL), ERROR_NONE);
    assert_int_equal(entries_put("i", "c", "1", -1, &items, NULL), ERROR_QUOTA);
    assert_int_equal(entries_put("i", "b", "2", -1, &items, NULL), ERROR_NONE);
    assert_int_equal(entries_put("b", "a", "1234567", -1, &bytes, NULL), ERROR_NONE);
    assert_int_equal(entries_put("b", "b", "1234", -1, &bytes, NULL), ERROR_QUOTA);
    assert_int_equal(entries_put("b", "a", "1234567890", -1, &bytes, NULL), ERROR_NONE);
    assert_int_equal(entries_put("b", "b", "12345678901", -1, &evicts, NULL), ERROR_QUOTA);
    assert_string_equal(entries_keys("b", NULL), "a");
    assert_int_equal(entries_put("b", "b", "1", -1, &evicts, &done), ERROR_NONE);
    assert_int_equal(done.evicted, 1);
    assert_string_equal(entries_keys("b", NULL), "b");
    entries_check();
}

static void what_a_person_protects_gives_way_to_nothing(void **state)
{
    (void)state;
    struct entry_done a;
    entries_put("n", "a", "1", -1, &three, &a);
    entries_put("n", "b", "1", -1, &three, NULL);
    entries_put("n", "c", "1", -1, &three, NULL);
    assert_int_equal(entries_operate(OPERATION_VERIFY, a.node), ERROR_NONE);
    assert_int_equal(entries_put("n", "a", "2", -1, &three, NULL), ERROR_REFUSED);
    assert_int_equal(entries_put("n", "d", "1", -1, &three, NULL), ERROR_NONE);
    assert_string_equal(entries_keys("n", NULL), "a c d");
    assert_int_equal(entries_delete("n", "a"), ERROR_REFUSED);
    assert_int_equal(entries_delete_as(&entries_person, "n", "a"), ERROR_NONE);
    assert_int_equal(entries_put("n", "a", "2", -1, NULL, NULL), ERROR_REFUSED);
    assert_int_equal(entries_put_as(&entries_person, "n", "a", "2", -1, NULL, NULL), ERROR_NONE);
    assert_int_equal(entries_put("n", "a", "3", -1, NULL, NULL), ERROR_NONE);
    entries_check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_put_is_read, entries_set_up, entries_tear_down),
        cmocka_unit_test_setup_teardown(what_expired_is_as_not_there, entries_set_up,
                                        entries_tear_down),
        cmocka_unit_test_setup_teardown(after_a_deletion_it_is_another, entries_set_up,
                                        entries_tear_down),
        cmocka_unit_test_setup_teardown(pages_go_through_all, entries_set_up, entries_tear_down),
        cmocka_unit_test_setup_teardown(what_expired_makes_room_before_the_oldest_does,
                                        entries_set_up, entries_tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused, entries_set_up,
                                        entries_tear_down),
        cmocka_unit_test_setup_teardown(what_a_person_protects_gives_way_to_nothing, entries_set_up,
                                        entries_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
