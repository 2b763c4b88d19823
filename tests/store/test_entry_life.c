/* Entries through all that is done to memories: what finds them says the same as they do after each of it. */
#include "../support/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../model/strbuf.h"
#include "../../store/db.h"
#include "../../store/import.h"
#include "../../store/journal.h"
#include "../../store/reader.h"
#include "../../store/scrub.h"
#include "../support/entries.h"
#include "../support/random.h"

static int setup(void **state)
{
    (void)state;
    entries_open();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    entries_close();
    return 0;
}

static int run(enum operation op, const struct request *q)
{
    struct plan p;
    struct error e = {.code = ERROR_NONE};
    return operation_run_now(entries_store, &entries_person, op, q, &entries_arena, &p, &e)
               ? (int)e.code
               : ERROR_NONE;
}

static int undo_event(int64_t seq)
{
    struct request q = REQUEST_INIT;
    q.seqs = &seq;
    q.seq_count = 1;
    return run(OPERATION_UNDO, &q);
}

static int edit(int64_t node, const char *fields)
{
    struct request q = REQUEST_INIT;
    q.nodes = &node;
    q.node_count = 1;
    q.fields = fields;
    return run(OPERATION_EDIT, &q);
}

static int64_t last(void)
{
    struct error e;
    return journal_last(entries_reader, &e);
}

static int64_t counted(const char *sql)
{
    int64_t found;
    struct error e;
    if (db_int(reader_db(entries_reader), &found, -1, &e, sql, ""))
        fail_msg("%s", e.what);
    return found;
}

static void expect(const char *name, const char *key, const char *value)
{
    const char *found = entries_value(name, key);
    if (value)
        assert_string_equal(found ? found : "nothing", value);
    else
        assert_null(found);
    entries_check();
}

/* ---- taking back ---- */

static void a_put_is_undone_and_redone(void **state)
{
    (void)state;
    const struct request none = REQUEST_INIT;
    struct entry_done done;
    entries_put("n", "key", "1", -1, NULL, &done);
    entries_put("n", "key", "[2,2]", -1, NULL, NULL);
    assert_int_equal(undo_event(last()), ERROR_NONE);
    expect("n", "key", "1");
    assert_int_equal(run(OPERATION_REDO, &none), ERROR_NONE);
    expect("n", "key", "[2,2]");
    assert_int_equal(undo_event(2), ERROR_NONE);
    expect("n", "key", "1");
    assert_int_equal(undo_event(1), ERROR_NONE); /* its addition: now it is a stub */
    expect("n", "key", NULL);
    assert_string_equal(entries_keys("n", NULL), "");
    assert_int_equal(counted("SELECT count(*) FROM entry"), 0);
    assert_int_equal(run(OPERATION_REDO, &none), ERROR_NONE);
    expect("n", "key", "1");
}

static void a_deletion_is_undone(void **state)
{
    (void)state;
    struct entry_done first, second;
    entries_put("n", "key", "1", -1, NULL, &first);
    entries_delete("n", "key");
    int64_t deletion = last();
    entries_now += 1000;
    entries_put("n", "key", "2", -1, NULL, &second);
    /* Both live then: the one that was made last counts. */
    assert_int_equal(undo_event(deletion), ERROR_NONE);
    expect("n", "key", "2");
    assert_int_equal(entries_total("n", NULL), 1);
    assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
    expect("n", "key", "1");
    assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
    expect("n", "key", NULL);
}

static void what_is_forgotten_and_retracted_is_restored(void **state)
{
    (void)state;
    static const enum operation ways[] = {OPERATION_FORGET, OPERATION_RETRACT};
    struct entry_done done;
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        entries_put("n", i ? "a" : "b", "1", -1, NULL, &done);
        assert_int_equal(entries_operate(ways[i], done.node), ERROR_NONE);
        expect("n", i ? "a" : "b", NULL);
        assert_int_equal(entries_put("n", i ? "a" : "b", "2", -1, NULL, NULL), ERROR_REFUSED);
        assert_int_equal(entries_operate(OPERATION_RESTORE, done.node), ERROR_NONE);
        expect("n", i ? "a" : "b", "1");
        assert_int_equal(entries_put("n", i ? "a" : "b", "2", -1, NULL, NULL), ERROR_NONE);
    }
    assert_string_equal(entries_keys("n", NULL), "a b");
}

static void an_edit_moves_it(void **state)
{
    (void)state;
    struct entry_done done;
    entries_put("n", "key", "1", -1, NULL, &done);
    entries_put("m", "other", "2", -1, NULL, NULL);
    assert_int_equal(edit(done.node, "{\"namespace\":\"m\",\"key\":\"moved\"}"), ERROR_NONE);
    expect("n", "key", NULL);
    expect("m", "moved", "1");
    assert_string_equal(entries_keys("m", NULL), "moved other");
    assert_int_equal(entries_operate(OPERATION_UNDO, 0), ERROR_NONE);
    expect("n", "key", "1");
    assert_string_equal(entries_keys("m", NULL), "other");
}

/* ---- two of one key ---- */

static void import(const char *lines, int64_t refused)
{
    struct error e;
    struct import_options options = {.agent = "ash", .actor = "ann"};
    struct import_summary summary = {0};
    char *source = scratch_path("lines.jsonl");
    scratch_write(source, lines, strlen(lines));
    if (import_jsonl(entries_store, source, &options, &summary, &e))
        fail_msg("%s", e.what);
    assert_int_equal(summary.not_understood, refused);
    free(source);
}

#define LINE(id, at, value)                                                                        \
    "{\"ref\":\"entry:" id "\",\"agent_id\":\"bo\",\"created_at\":" at ",\"text\":\"key\","        \
    "\"detail\":{\"namespace\":\"n\",\"key\":\"key\",\"value\":" value "}}\n"

static void an_import_brings_two_of_one_key(void **state)
{
    (void)state;
    import(LINE("one", "5", "1") LINE("two", "7", "2") LINE("three", "6", "3"), 0);
    expect("n", "key", "2");
    assert_int_equal(entries_total("n", NULL), 1);
    int64_t node = counted("SELECT id FROM memory WHERE name = 'two'");
    assert_int_equal(entries_operate(OPERATION_FORGET, node), ERROR_NONE);
    expect("n", "key", "3");
    assert_int_equal(entries_operate(OPERATION_PURGE, node), ERROR_NONE);
    expect("n", "key", "3");
    /* A put goes to the one that counts, and leaves the other as it is. */
    struct entry_done done;
    assert_int_equal(entries_put("n", "key", "4", -1, NULL, &done), ERROR_NONE);
    assert_int_equal(done.node, counted("SELECT id FROM memory WHERE name = 'three'"));
    expect("n", "key", "4");
    assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
    expect("n", "key", "1");
    assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
    expect("n", "key", NULL);
}

static void one_that_was_put_and_one_that_is_imported(void **state)
{
    (void)state;
    entries_put("n", "key", "0", -1, NULL, NULL);
    import(LINE("old", "5", "1"), 0);
    expect("n", "key", "0");
    import(LINE("new", "1900000000000", "2"), 0);
    expect("n", "key", "2");
    assert_int_equal(entries_total("n", NULL), 1);
    assert_int_equal(
        entries_operate(OPERATION_RETRACT, counted("SELECT id FROM memory WHERE name = 'new'")),
        ERROR_NONE);
    expect("n", "key", "0");
}

/* What an import says of them are values like any: broken ones are memories, and no entries. */
static void what_no_entry_can_be_is_a_memory(void **state)
{
    (void)state;
    import("{\"ref\":\"entry:a\",\"text\":\"a\",\"detail\":{\"namespace\":7,\"value\":1}}\n"
           "{\"ref\":\"entry:b\",\"text\":\"b\",\"detail\":{\"namespace\":\"x y\",\"value\":1}}\n"
           "{\"ref\":\"entry:c\",\"text\":\"\",\"detail\":{\"namespace\":\"n\",\"value\":1}}\n"
           "{\"ref\":\"entry:d\",\"text\":\"d\",\"detail\":{\"namespace\":\"n\",\"key\":[]}}\n"
           "{\"ref\":\"entry:e\",\"text\":\"e\",\"detail\":[\"namespace\"]}\n",
           1);
    entries_check();
    assert_string_equal(entries_keys("n", NULL), "d"); /* its text is its key */
    assert_int_equal(counted("SELECT count(*) FROM memory WHERE kind = 14 AND status < 7"), 4);
}

/* ---- purging ---- */

static size_t found_in(const char *end, const char *what)
{
    struct strbuf name = STRBUF_INIT;
    size_t len, found = 0;
    strbuf_addf(&name, "%s%s", entries_path(), end);
    char *bytes = scratch_read(name.buf, &len);
    for (char *at = bytes;
         bytes && (at = memmem(at, len - (size_t)(at - bytes), what, strlen(what))); at++)
        found++;
    free(bytes);
    strbuf_release(&name);
    return found;
}

static size_t left_in_files(const char *what)
{
    return found_in("", what) + found_in("-wal", what) + found_in("-head", what);
}

static void after_a_purge_nothing_of_it_is_left(void **state)
{
    (void)state;
    struct entry_done done;
    struct error e;
    entries_put("n", "persimmon", "\"medlar\"", -1, NULL, &done);
    entries_put("n", "persimmon", "\"quince\"", 100, NULL, &done);
    entries_put("n", "apple", "\"pear\"", -1, NULL, NULL);
    assert_true(left_in_files("persimmon") && left_in_files("medlar") && left_in_files("quince"));
    assert_int_equal(entries_operate(OPERATION_PURGE, done.node), ERROR_NONE);
    expect("n", "persimmon", NULL);
    assert_int_equal(counted("SELECT count(*) FROM entry"), 1);
    assert_int_equal(store_scrub(entries_store, NULL, NULL, &e), 0);
    assert_int_equal(left_in_files("persimmon"), 0);
    assert_int_equal(left_in_files("medlar"), 0);
    assert_int_equal(left_in_files("quince"), 0);
    expect("n", "apple", "\"pear\"");
    /* A person took it away: an agent's is another one only after them. */
    entries_put_as(&entries_person, "n", "persimmon", "1", -1, NULL, &done);
    expect("n", "persimmon", "1");
}

static void what_was_evicted_is_nowhere(void **state)
{
    (void)state;
    static const struct namespace_policy one = {.max_items = 1, .evict_oldest = true};
    struct entry_done first, second;
    entries_put("n", "a", "\"medlar\"", -1, &one, &first);
    entries_now += 1;
    assert_int_equal(entries_put("n", "b", "1", -1, &one, &second), ERROR_NONE);
    assert_int_equal(second.evicted, 1);
    expect("n", "a", NULL);
    assert_int_equal(counted("SELECT count(*) FROM memory WHERE detail LIKE '%medlar%'"), 0);
    assert_int_equal(counted("SELECT count(*) FROM event WHERE patch LIKE '%medlar%'"), 0);
    assert_int_equal(undo_event(last()), ERROR_NONE); /* the put alone */
    expect("n", "b", NULL);
    expect("n", "a", NULL);
}

/* ---- anything after anything ---- */

#define STEPS 400
#define KEYS  5

static void step(struct random *dice)
{
    static const char *const keys[KEYS] = {"a", "b", "a/jane@example.com", "c", "a/b"};
    static const char *const names[] = {"n", "m.x"};
    static const char *const moves[] = {"{\"key\":\"b\"}", "{\"namespace\":\"m.x\"}",
                                        "{\"value\":[1,2,3]}", "{\"value\":null}"};
    static const enum operation ways[] = {OPERATION_FORGET,  OPERATION_RETRACT,  OPERATION_RESTORE,
                                          OPERATION_PURGE,   OPERATION_RETRACT,  OPERATION_RESTORE,
                                          OPERATION_PROTECT, OPERATION_UNPROTECT};
    static const struct namespace_policy few = {.max_items = 3, .evict_oldest = true};
    const char *name = names[random_below(dice, 2)], *key = keys[random_below(dice, KEYS)];
    int64_t node = 1 + random_below(dice, (uint32_t)counted("SELECT count(*) + 1 FROM memory"));
    const struct actor *actor = random_below(dice, 4) ? &entries_agent : &entries_person;
    switch (random_below(dice, 8)) {
    case 0:
        entries_delete_as(actor, name, key);
        break;
    case 1:
        entries_operate(ways[random_below(dice, 8)], node);
        break;
    case 2:
        undo_event(1 + random_below(dice, (uint32_t)last() + 1));
        break;
    case 3:
        edit(node, moves[random_below(dice, 4)]);
        break;
    case 4:
        entries_now += random_below(dice, 3000);
        entries_sweep();
        break;
    default:
        entries_put_as(actor, name, key, "{\"v\":1}", random_below(dice, 2) ? -1 : 2,
                       random_below(dice, 3) ? NULL : &few, NULL);
    }
}

static void anything_after_anything(void **state)
{
    (void)state;
    struct random dice = {20261121};
    for (int i = 0; i < STEPS; i++) {
        step(&dice);
        entries_now++;
        if (i % 10 == 0)
            entries_check();
        arena_clear(&entries_arena);
    }
    entries_check();
    assert_true(last() > STEPS / 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_put_is_undone_and_redone),
        TEST(a_deletion_is_undone),
        TEST(what_is_forgotten_and_retracted_is_restored),
        TEST(an_edit_moves_it),
        TEST(an_import_brings_two_of_one_key),
        TEST(one_that_was_put_and_one_that_is_imported),
        TEST(what_no_entry_can_be_is_a_memory),
        TEST(after_a_purge_nothing_of_it_is_left),
        TEST(what_was_evicted_is_nowhere),
        TEST(anything_after_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
