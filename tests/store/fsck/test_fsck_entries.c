/* fsck must notice every difference between the entry tables and the memories. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include "store/journal/journal.h"
#include "tests/support/entries.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static void fill(void)
{
    char key[64];
    for (int i = 0; i < 40; i++) {
        snprintf(key, sizeof(key), i % 4 ? "user/%02d" : "user/%02d/jane@example.com", i);
        entries_put(i % 2 ? "a" : "b", key, "{\"v\":1}", i == 7 ? 1 : -1, NULL, NULL);
    }
    entries_put("a", "expired", "1", -1, NULL, NULL);
    entries_delete("a", "expired");
    entries_put("a", "expired", "2", -1, NULL, NULL);
    entries_now += 5000;
    entries_sweep();
    entries_check();
}

static int setup(void **state)
{
    entries_open();
    fill();
    original = scratch_path("original.db");
    entries_end(); /* a sweep is followed by a checkpoint, which could run between copying the file and its log */
    scratch_copy(entries_path(), original);
    entries_begin();
    return 0;
}

static int teardown(void **state)
{
    free(original);
    entries_close();
    return 0;
}

GROUP(setup, teardown);

TEST(each_fault_is_reported)
{
    static const struct {
        const char *sql, *says;
    } faults[] = {
        {"DELETE FROM entry WHERE key = 'user/01'", "its row among the entries"},
        {"UPDATE entry SET key = 'user/0x' WHERE key = 'user/01'", "its row among the entries"},
        {"UPDATE entry SET namespace = 3 - namespace WHERE key = 'user/01'",
         "its row among the entries"},
        {"UPDATE entry SET namespace = 77 WHERE key = 'user/01'", "its row among the entries"},
        {"UPDATE entry SET shown = shown + 1 WHERE key = 'user/01'", "its row among the entries"},
        {"UPDATE entry SET state = 0 WHERE key = 'user/07'", "its row among the entries"},
        {"UPDATE entry SET expires = 99 WHERE key = 'user/01'", "its row among the entries"},
        {"UPDATE entry SET bytes = 1 WHERE key = 'user/01'", "its row among the entries"},
        {"UPDATE entry SET open = 99 WHERE key = 'user/04/jane@example.com'",
         "its row among the entries"},
        {"INSERT INTO entry VALUES(9999, 1, 'k', 1, 0, 0, 1, 1, 1, NULL, 1, 1)",
         "a row of an entry belongs to row 9999"},
        {"UPDATE entry SET hidden = 1 WHERE key = 'user/01'", "shows another than the last"},
        {"UPDATE entry SET hidden = 1 WHERE state = 2", "shows another than the last"},
        {"UPDATE namespace SET items = items + 1 WHERE name = 'a'", "a wrong count of its entries"},
        {"UPDATE namespace SET bytes = 0 WHERE name = 'a'", "a wrong count of its entries"},
        {"UPDATE namespace SET expired = 0 WHERE name = 'a'", "a wrong count of its entries"},
        {"DELETE FROM secret", "the secret of the store is missing"},
        {"UPDATE secret SET bytes = x'00'", "the secret of the store is missing"},
    };
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        AUTO_FREE char *copy = altered_copy(original, faults[i].sql);
        struct findings found = findings_of(copy);
        if (!strstr(found.text, faults[i].says))
            fail_msg("%s: fsck says %s", faults[i].sql, found.text);
    }
}

TEST(an_unaltered_copy_is_sound)
{
    AUTO_FREE char *copy = altered_copy(original, "SELECT 1");
    struct findings found = findings_of(copy);
    assert_int_equal(found.total, 0);
}
