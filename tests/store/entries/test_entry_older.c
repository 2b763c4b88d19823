/*
 * Entries in stores written by earlier versions. One had no entry tables: entries are found after
 * migration. The other did not record when values in patches expire: they are swept after
 * migration.
 */
#include "tests/support/scratch.h"

#include "store/db/schema.h"
#include "tests/support/entries.h"
#include "tests/support/past.h"
#include "tests/support/test.h"

#define LATER INT64_C(1796000000000) /* later than all times in the store */

static int setup(void **state)
{
    entries_open_dump("tests/data/version-4.sql");
    entries_now = LATER;
    entries_begin();
    return 0;
}

FIXTURE(setup, entries_tear_down);

TEST(migrated_entries_are_found)
{
    assert_int_equal(entries_counted("SELECT user_version FROM pragma_user_version"),
                     SCHEMA_VERSION);
    entries_check();
    /* Of two entries with one key, the one that a person forgot is ignored. */
    assert_string_equal(entries_value("plant", "pump/limit"), "{\"bar\":4}");
    assert_string_equal(entries_keys("plant", NULL), "mail/jane@example.com pump/limit");
    /* An entry without a namespace is an ordinary memory. */
    assert_int_equal(entries_counted("SELECT count(*) FROM memory WHERE kind = 14"), 6);
    assert_int_equal(entries_counted("SELECT count(*) FROM entry"), 4);
    assert_int_equal(entries_counted("SELECT count(*) FROM namespace"), 1);
    assert_int_equal(entries_counted("SELECT count(*) FROM call WHERE guard IS NULL"), 2);
}

TEST(a_migrated_store_accepts_puts)
{
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

TEST(expired_entries_are_swept_after_migration)
{
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

/* A person's earlier decision still stands against an agent. */
TEST(only_a_person_restores_what_a_person_forgot)
{
    int64_t node = entries_counted("SELECT id FROM memory WHERE name = 'k2'");
    assert_int_equal(entries_delete("plant", "pump/limit"), ERROR_NONE);
    assert_null(entries_value("plant", "pump/limit"));
    assert_int_equal(entries_operate(OPERATION_RESTORE, node), ERROR_NONE);
    assert_string_equal(entries_value("plant", "pump/limit"), "{\"bar\":5}");
    entries_check();
}

static int setup_5(void **state)
{
    entries_open_dump("tests/data/version-5.sql");
    entries_begin();
    return 0;
}

static int64_t kept_until(int64_t seq)
{
    char sql[100];
    snprintf(sql, sizeof(sql), "SELECT coalesce(expires, 0) FROM event WHERE seq = %lld",
             (long long)seq);
    return entries_counted(sql);
}

FIXTURE(setup_5, entries_tear_down);

TEST(overwritten_values_are_swept_after_migration)
{
    static const struct {
        int64_t seq, expires;
    } left[] = {{2, 60000}, {4, 60000}, {7, 60000}, {11, 1000000000}};
    struct error e;
    assert_int_equal(entries_counted("SELECT user_version FROM pragma_user_version"),
                     SCHEMA_VERSION);
    assert_int_equal(entries_counted("SELECT count(*) FROM event WHERE expires NOT NULL"), 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(kept_until(left[i].seq), SCRATCH_NOW + left[i].expires);
    entries_check();
    assert_int_equal(entry_next_expiry(entries_reader, &e), SCRATCH_NOW + 60000);
    assert_int_equal(entries_rows_with("persimmon"), 3);
    entries_now = SCRATCH_NOW + 60000;
    entries_sweep();
    assert_int_equal(entries_rows_with("persimmon"), 0);
    assert_string_equal(entries_value("plant", "shift"), "\"quince\"");
    assert_string_equal(entries_value("plant", "pump"), "\"medlar\"");
    assert_null(entries_value("plant", "valve"));
    assert_int_equal(kept_until(11), SCRATCH_NOW + 1000000000);
    entries_check();
}
