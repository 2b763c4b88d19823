/* All operations on entries: after each of them the index tables match the memories. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <unistd.h>
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "store/record/load.h"
#include "store/import/import.h"
#include "store/fsck/fsck.h"
#include "store/record/put.h"
#include "store/txn/checkpoint.h"
#include "store/txn/txn.h"
#include "tests/support/entries.h"
#include "tests/support/findings.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

static void expect(const char *name, const char *key, const char *value)
{
    const char *found = entries_value(name, key);
    if (value)
        assert_string_equal(found ? found : "nothing", value);
    else
        assert_null(found);
    entries_check();
}

/* ---- undo ---- */

FIXTURE(entries_set_up, entries_tear_down);

TEST(a_deletion_is_undone)
{
    struct entry_done first, second;
    entries_put("n", "key", "1", -1, NULL, &first);
    entries_delete("n", "key");
    int64_t deletion = entries_last();
    entries_now += 1000;
    entries_put("n", "key", "2", -1, NULL, &second);
    /* A key has one living entry, so the other one must be deleted first. */
    assert_int_equal(entries_undo(deletion), ERROR_CONFLICT);
    expect("n", "key", "2");
    assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
    assert_int_equal(entries_undo(deletion), ERROR_NONE);
    expect("n", "key", "1");
    assert_int_equal(entries_total("n", NULL), 1);
}

TEST(forgotten_and_retracted_entries_are_restored)
{
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

TEST(an_edit_renames_an_entry)
{
    struct entry_done done;
    entries_put("n", "key", "1", -1, NULL, &done);
    entries_put("m", "other", "2", -1, NULL, NULL);
    assert_int_equal(entries_edit(done.node, "{\"namespace\":\"m\",\"key\":\"moved\"}"),
                     ERROR_NONE);
    expect("n", "key", NULL);
    expect("m", "moved", "1");
    assert_string_equal(entries_keys("m", NULL), "moved other");
    assert_int_equal(entries_operate(OPERATION_UNDO, 0), ERROR_NONE);
    expect("n", "key", "1");
    assert_string_equal(entries_keys("m", NULL), "other");
}

/* ---- two entries with one key ---- */

static struct strbuf told = STRBUF_INIT;

static void tell(void *arg, const char *line)
{
    strbuf_addf(&told, "%s\n", line);
}

static struct import_summary import_as(const char *lines, bool dry_run)
{
    struct error e;
    struct import_options options = {
        .agent = "ash", .actor = "ann", .report = tell, .dry_run = dry_run};
    struct import_summary summary = {0};
    AUTO_STRBUF source = STRBUF_INIT;
    strbuf_clear(&told);
    strbuf_addf(&source, "%s.jsonl", entries_path());
    scratch_write(source.buf, lines, strlen(lines));
    if (import_source_run(&jsonl_format, entries_store, source.buf, &options, &summary, &e))
        fail_msg("%s", e.what);
    return summary;
}

static void import(const char *lines, int64_t refused)
{
    assert_int_equal(import_as(lines, false).not_understood, refused);
}

/* Checks what the import reports, and that a dry run reports the same. */
static void expect_taken(const char *lines, int64_t taken, const char *what)
{
    assert_int_equal(import_as(lines, true).taken, taken);
    assert_string_equal(told.buf, what);
    assert_int_equal(import_as(lines, false).taken, taken);
    assert_string_equal(told.buf, what);
}

/* Makes a store of a version that allowed several living entries with one key. */
static int put_lines(struct txn *t, void *arg, struct error *e)
{
    const char *end, *line = arg;
    for (; *line; line = end + 1) {
        struct memory m;
        end = strchr(line, '\n');
        if (memory_json_read(&m, &entries_arena, line, (size_t)(end - line), "ash", 1, NULL, e) ||
            txn_put(t, &entries_person, "add", NULL, &m, NULL, e))
            return -1;
    }
    return 0;
}

static void expect_done(void *arg, const struct error *e)
{
    if (e->code != ERROR_NONE)
        fail_msg("%s", e->what);
}

static void load(char *lines)
{
    struct bulk b;
    struct error e;
    bulk_init(&b);
    if (bulk_begin(&b, entries_store, &e) || !bulk_is_open(&b) ||
        bulk_submit(&b, put_lines, expect_done, lines, &e) || bulk_end(&b, &e))
        fail_msg("%s", e.what);
    bulk_release(&b);
}

#define LINE(id, at, value)                                                                        \
    "{\"ref\":\"entry:" id "\",\"agent_id\":\"bo\",\"created_at\":" at ",\"text\":\"key\","        \
    "\"detail\":{\"namespace\":\"n\",\"key\":\"key\",\"value\":" value "}}\n"

TEST(an_older_store_may_have_two_entries_with_a_key)
{
    char lines[] = LINE("one", "5", "1") LINE("two", "7", "2") LINE("three", "6", "3");
    load(lines);
    expect("n", "key", "2");
    assert_int_equal(entries_total("n", NULL), 1);
    int64_t node = entries_counted("SELECT id FROM memory WHERE name = 'two'");
    assert_int_equal(entries_operate(OPERATION_FORGET, node), ERROR_NONE);
    expect("n", "key", "3");
    assert_int_equal(entries_operate(OPERATION_PURGE, node), ERROR_NONE);
    expect("n", "key", "3");
    /* A put changes the visible entry and leaves the hidden one alone. */
    struct entry_done done;
    assert_int_equal(entries_put("n", "key", "4", -1, NULL, &done), ERROR_NONE);
    assert_int_equal(done.node, entries_counted("SELECT id FROM memory WHERE name = 'three'"));
    expect("n", "key", "4");
    assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
    expect("n", "key", "1");
    assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
    expect("n", "key", NULL);
}

#define HERE(id)                                                                                   \
    "the namespace n has a key key already: entry:" id ". Retract that one, or give one of them "  \
    "another key.\n"
#define EARLIER                                                                                    \
    "an earlier line has the key key in the namespace n too. Leave one of them out, or give it "   \
    "another key.\n"

/* An import of two entries with one key takes the first, and none if the key exists. */
TEST(an_import_adds_no_second_entry_with_a_key)
{
    expect_taken(
        LINE("one", "5", "1")
            LINE("two", "7", "2") "{\"ref\":\"note:n\",\"text\":\"t\"}\n" LINE("three", "6", "3"),
        2, "line 2: entry:two: " EARLIER "line 4: entry:three: " EARLIER);
    expect("n", "key", "1");
    assert_int_equal(entries_counted("SELECT count(*) FROM memory WHERE status <> 7"), 2);
    assert_int_equal(import_as(LINE("four", "8", "4"), true).taken, 1);
    assert_non_null(strstr(told.buf, "line 1: entry:four: " HERE("one")));
    assert_int_equal(import_as(LINE("four", "8", "4"), false).taken, 1);
    assert_non_null(strstr(told.buf, "line 1: entry:four: " HERE("one")));
    expect("n", "key", "1");
    assert_int_equal(entries_operate(OPERATION_RETRACT,
                                     entries_counted("SELECT id FROM memory WHERE name = 'one'")),
                     ERROR_NONE);
    assert_int_equal(import_as(LINE("four", "8", "4"), false).taken, 0);
    expect("n", "key", "4");
}

TEST(imported_entries_are_listed_with_others)
{
    entries_put("n", "key", "0", 1, NULL, NULL);
    assert_int_equal(import_as(LINE("new", "1900000000000", "2"), false).taken, 1);
    expect("n", "key", "0");
    entries_now += 1000; /* expired, not swept yet */
    assert_int_equal(import_as(LINE("old", "5", "1"), false).taken, 0);
    expect("n", "key", "1");
    assert_int_equal(entries_put("n", "key", "3", -1, NULL, NULL), ERROR_NONE);
    expect("n", "key", "3");
    assert_int_equal(entries_counted("SELECT count(*) FROM entry WHERE state = 0"), 1);
}

/* ---- restoring ---- */

static int operate_on_two(enum operation op, int64_t first, int64_t second)
{
    const int64_t nodes[] = {first, second};
    struct request q = REQUEST_INIT;
    q.nodes = nodes;
    q.node_count = 2;
    return entries_run(op, &q);
}

TEST(no_second_entry_with_a_key_is_restored)
{
    struct entry_done first, second;
    entries_put("n", "key", "1", -1, NULL, &first);
    assert_int_equal(entries_operate(OPERATION_RETRACT, first.node), ERROR_NONE);
    int64_t retraction = entries_last();
    entries_put_as(&entries_person, "n", "key", "2", -1, NULL, &second);
    assert_int_equal(entries_operate(OPERATION_RESTORE, first.node), ERROR_CONFLICT);
    assert_int_equal(entries_undo(retraction), ERROR_CONFLICT);
    expect("n", "key", "2");
    assert_int_equal(entries_operate(OPERATION_RETRACT, second.node), ERROR_NONE);
    assert_int_equal(operate_on_two(OPERATION_RESTORE, first.node, second.node), ERROR_CONFLICT);
    expect("n", "key", NULL);
    assert_int_equal(entries_edit(first.node, "{\"key\":\"other\"}"), ERROR_NONE);
    assert_int_equal(operate_on_two(OPERATION_RESTORE, first.node, second.node), ERROR_NONE);
    expect("n", "key", "2");
    expect("n", "other", "1");
    /* Two entries of a batch that swapped keys swap them back. */
    assert_int_equal(entries_operate(OPERATION_UNDO, 0), ERROR_NONE);
    expect("n", "key", NULL);
    expect("n", "other", NULL);
}

static void expect_unlisted(int64_t nameless, int64_t hidden)
{
    struct fsck_summary summary = expect_sound(entries_reader);
    assert_int_equal(summary.nameless, nameless);
    assert_int_equal(summary.hidden, hidden);
}

TEST(fsck_counts_unlisted_entries)
{
    char lines[] = LINE("one", "5", "1") LINE("two", "7", "2")
        LINE("three", "6", "3") "{\"ref\":\"entry:f\",\"text\":\"f\"}\n";
    struct entry_done done;
    load(lines);
    entries_put("n", "expired", "1", 1, NULL, &done);
    entries_now += 2000;
    entries_sweep();
    expect_unlisted(1, 2);
    int64_t node = entries_counted("SELECT id FROM memory WHERE name = 'f'");
    assert_int_equal(entries_edit(node, "{\"namespace\":\"n\",\"value\":1}"), ERROR_NONE);
    assert_int_equal(entries_edit(entries_counted("SELECT id FROM memory WHERE name = 'one'"),
                                  "{\"key\":\"other\"}"),
                     ERROR_NONE);
    expect_unlisted(0, 1);
}

TEST(a_long_value_is_not_imported)
{
    AUTO_STRBUF line = STRBUF_INIT;
    for (int more = 0; more < 2; more++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"entry:%d\",\"text\":\"k%d\",\"detail\":{\"namespace\":\"n\","
                    "\"value\":\"",
                    more, more);
        for (int i = 0; i < ENTRY_VALUE_MAX - 2 + more; i++)
            strbuf_addch(&line, 'x');
        strbuf_addstr(&line, "\"}}\n");
        import(line.buf, more);
    }
    assert_string_equal(entries_keys("n", NULL), "k0");
}

/* ---- purging ---- */

static size_t found_in(const char *end, const char *what)
{
    AUTO_STRBUF name = STRBUF_INIT;
    size_t len, found = 0;
    strbuf_addf(&name, "%s%s", entries_path(), end);
    AUTO_FREE char *bytes = scratch_read(name.buf, &len);
    for (char *at = bytes;
         bytes && (at = memmem(at, len - (size_t)(at - bytes), what, strlen(what))); at++)
        found++;
    return found;
}

static size_t left_in_files(const char *what)
{
    return found_in("", what) + found_in("-wal", what) + found_in("-head", what);
}

TEST(a_purge_erases_the_entry)
{
    struct entry_done done;
    struct error e;
    entries_put("n", "persimmon", "\"medlar\"", -1, NULL, &done);
    entries_put("n", "persimmon", "\"quince\"", 100, NULL, &done);
    entries_put("n", "apple", "\"pear\"", -1, NULL, NULL);
    assert_true(left_in_files("persimmon") && left_in_files("medlar") && left_in_files("quince"));
    assert_int_equal(entries_operate(OPERATION_PURGE, done.node), ERROR_NONE);
    expect("n", "persimmon", NULL);
    assert_int_equal(entries_counted("SELECT count(*) FROM entry"), 1);
    assert_int_equal(store_vacuum(entries_store, NULL, NULL, &e), 0);
    assert_int_equal(left_in_files("persimmon"), 0);
    assert_int_equal(left_in_files("medlar"), 0);
    assert_int_equal(left_in_files("quince"), 0);
    expect("n", "apple", "\"pear\"");
    /*
     * After a person removed the entry, an agent's put works only once a person has put a new one.
     */
    entries_put_as(&entries_person, "n", "persimmon", "1", -1, NULL, &done);
    expect("n", "persimmon", "1");
}

/* ---- random operations ---- */

#define STEPS 400
#define KEYS  5

static void step(struct random *dice)
{
    static const char *const keys[KEYS] = {"a", "b", "a/jane@example.com", "c", "a/b"};
    static const char *const names[] = {"n", "m.x"};
    static const char *const moves[] = {"{\"key\":\"b\"}", "{\"namespace\":\"m.x\"}",
                                        "{\"value\":[1,2,3]}", "{\"value\":null}"};
    static const enum operation ways[] = {OPERATION_FORGET, OPERATION_RETRACT, OPERATION_RESTORE,
                                          OPERATION_PURGE,  OPERATION_RETRACT, OPERATION_RESTORE,
                                          OPERATION_LOCK,   OPERATION_UNLOCK};
    static const struct namespace_policy few = {.max_items = 3, .evict_oldest = true};
    const char *name = names[random_below(dice, 2)], *key = keys[random_below(dice, KEYS)];
    int64_t node =
        1 + random_below(dice, (uint32_t)entries_counted("SELECT count(*) + 1 FROM memory"));
    const struct actor *actor = random_below(dice, 4) ? &entries_agent : &entries_person;
    switch (random_below(dice, 8)) {
    case 0:
        entries_delete_as(actor, name, key);
        break;
    case 1:
        entries_operate(ways[random_below(dice, 8)], node);
        break;
    case 2:
        entries_undo(1 + random_below(dice, (uint32_t)entries_last() + 1));
        break;
    case 3:
        entries_edit(node, moves[random_below(dice, 4)]);
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

TEST(random_operations)
{
    struct random dice = {20261121};
    for (int i = 0; i < STEPS; i++) {
        step(&dice);
        entries_now++;
        if (i % 10 == 0)
            entries_check();
        assert_int_equal(
            entries_counted("SELECT count(*) FROM entry WHERE state = 0 AND hidden = 1"), 0);
        arena_clear(&entries_arena);
    }
    entries_check();
    assert_true(entries_last() > STEPS / 2);
}
