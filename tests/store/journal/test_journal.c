/* The journal: its canonical text, its hash chain, what it records and what it never contains. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/digest.h"
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/journal/canonical.h"
#include "store/db/db.h"
#include "store/db/head.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "tests/support/test.h"

/* ---- the canonical text ---- */

TEST(the_text_is_canonical)
{
    AUTO_STRBUF out = STRBUF_INIT;
    canonical_write(&out, &(struct canonical){.seq = 7,
                                              .at = 1700000000000,
                                              .session = 3,
                                              .actor = "Zo\xc3\xab \xf0\x9f\x8e\x89/\"\\\n\x7f",
                                              .class_name = "person",
                                              .operation = "add",
                                              .origin = "command",
                                              .ref = "raw:a/b",
                                              .patch = "00"});
    assert_string_equal(
        out.buf, "{\"actor\":\"Zo\\u00eb \\ud83c\\udf89/\\\"\\\\\\n\\u007f\",\"at\":1700000000000,"
                 "\"class\":\"person\",\"operation\":\"add\",\"origin\":\"command\","
                 "\"patch\":\"00\",\"ref\":\"raw:a/b\",\"seq\":7,\"session\":3}");
    AUTO_ARENA arena = ARENA_INIT;
    struct canonical back;
    assert_int_equal(canonical_read(&back, &arena, out.buf, out.len), 0);
    assert_string_equal(back.actor, "Zo\xc3\xab \xf0\x9f\x8e\x89/\"\\\n\x7f");
    assert_string_equal(back.ref, "raw:a/b");
    assert_int_equal(back.seq, 7);
    assert_int_equal(back.session, 3);
    assert_null(back.before);
    static const char *const broken[] = {"",
                                         "{}",
                                         "[]",
                                         "{\"actor\":1,\"operation\":\"o\",\"seq\":1}",
                                         "null",
                                         "{\"actor\":\"a\",\"operation\":\"o\",\"seq\":\"1\"}",
                                         "{\"actor\":\"a\",\"operation\":\"o\",\"seq\":1,\"x\":1}",
                                         "{\"actor\":\"a\",\"operation\":\"o\",\"seq\":1}x"};
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
        assert_int_equal(canonical_read(&back, &arena, broken[i], strlen(broken[i])), -1);
}

/* ---- the rows of a store, recomputed ---- */

struct row {
    int64_t seq;
    char *canonical, *patch;
    unsigned char salt[SALT_SIZE];
    struct digest hash, hmac;
    bool has_hmac;
};

static size_t read_rows(const char *path, struct row *rows, size_t most)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    size_t count = 0;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT seq, canonical, patch, salt, hash, hmac FROM event"
                                        " ORDER BY seq",
                                        -1, &stmt, NULL),
                     SQLITE_OK);
    for (; sqlite3_step(stmt) == SQLITE_ROW; count++) {
        struct row *r = &rows[count];
        assert_true(count < most);
        const char *patch = (const char *)sqlite3_column_text(stmt, 2);
        r->seq = sqlite3_column_int64(stmt, 0);
        r->canonical = strdup((const char *)sqlite3_column_text(stmt, 1));
        r->patch = patch ? strdup(patch) : NULL;
        assert_int_equal(sqlite3_column_bytes(stmt, 3), SALT_SIZE);
        memcpy(r->salt, sqlite3_column_blob(stmt, 3), SALT_SIZE);
        memcpy(r->hash.bytes, sqlite3_column_blob(stmt, 4), DIGEST_SIZE);
        r->has_hmac = sqlite3_column_bytes(stmt, 5) == DIGEST_SIZE;
        if (r->has_hmac)
            memcpy(r->hmac.bytes, sqlite3_column_blob(stmt, 5), DIGEST_SIZE);
    }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return count;
}

static void release_rows(struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(rows[i].canonical);
        free(rows[i].patch);
    }
}

/* Copies the string under that key of the text to `out`. */
static void member(char *out, size_t size, const char *canonical, const char *key)
{
    struct json_slice value = json_member(canonical, strlen(canonical), key);
    assert_non_null(value.ptr);
    assert_true(value.len - 2 < size);
    memcpy(out, value.ptr + 1, value.len - 2);
    out[value.len - 2] = '\0';
}

static void check_commitment(const struct row *row, const char *key, const char *bytes)
{
    char said[128], is[2 * DIGEST_SIZE + 1];
    struct digest d;
    member(said, sizeof(said), row->canonical, key);
    digest_commit(&d, row->salt, bytes, strlen(bytes));
    digest_hex(is, &d);
    assert_string_equal(said, is);
}

#define NOTE(text) "{\"ref\":\"note:n\",\"text\":\"" text "\",\"created_at\":5,\"updated_at\":5"

TEST(an_event_commits_and_chains)
{
    AUTO_FREE char *path = scratch_path("journal.db");
    struct store *s = scratch_store(path);
    int64_t node = scratch_put(s, NOTE("the secret of the sea") "}");
    AUTO_FREE char *first = scratch_line(s, node);
    scratch_replace(s, NOTE("the secret of the land") ",\"tags\":[\"t\"],\"version\":2}",
                    "it dried");
    AUTO_FREE char *second = scratch_line(s, node);
    scratch_put(s, "{\"ref\":\"raw:r\",\"text\":\"other\"}");
    store_close(s);

    struct row rows[4];
    assert_int_equal(read_rows(path, rows, 4), 3);
    for (size_t i = 0; i < 3; i++) {
        struct digest hash;
        digest_chain(&hash, i ? &rows[i - 1].hash : NULL, rows[i].canonical,
                     strlen(rows[i].canonical));
        assert_memory_equal(hash.bytes, rows[i].hash.bytes, DIGEST_SIZE);
        assert_false(rows[i].has_hmac);
        assert_null(strstr(rows[i].canonical, "secret"));
        assert_null(strstr(rows[i].canonical, "dried"));
    }
    check_commitment(&rows[0], "after", first);
    check_commitment(&rows[0], "patch", "");
    assert_null(rows[0].patch);
    check_commitment(&rows[1], "after", second);
    check_commitment(&rows[1], "patch", rows[1].patch);
    assert_null(json_member(rows[0].canonical, strlen(rows[0].canonical), "before").ptr);
    char before[128], after[128];
    member(after, sizeof(after), rows[0].canonical, "after");
    member(before, sizeof(before), rows[1].canonical, "before");
    assert_string_equal(before, after);
    assert_memory_not_equal(rows[0].salt, rows[1].salt, SALT_SIZE);
    release_rows(rows, 3);
}

TEST(events_are_read_back)
{
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events;
    size_t count;
    AUTO_FREE char *path = scratch_path("journal.db");
    struct store *s = scratch_store(path);
    struct reader *r = reader_open(s, &e);
    assert_int_equal(journal_last(r, &e), 0);
    assert_int_equal(journal_read(r, &arena, 0, 10, &events, &count, &e), 0);
    assert_int_equal(count, 0);
    int64_t node = scratch_put(s, NOTE("one") "}");
    for (int i = 0; i < 20; i++) {
        char line[100];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:%d\",\"text\":\"t\"}", i);
        scratch_put(s, line);
    }
    scratch_replace(s, NOTE("two") "}", "a \"reason\"\nof two lines");

    assert_int_equal(journal_last(r, &e), 22);
    assert_int_equal(journal_read(r, &arena, 0, SIZE_MAX, &events, &count, &e), 0);
    assert_int_equal(count, 22);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(events[i].seq, i + 1);
    assert_int_equal(journal_read(r, &arena, 5, 3, &events, &count, &e), 0);
    assert_int_equal(count, 3);
    assert_int_equal(events[0].seq, 6);
    assert_int_equal(journal_of(r, &arena, node, &events, &count, &e), 0);
    assert_int_equal(count, 2);
    assert_string_equal(events[0].operation, "add");
    assert_string_equal(events[0].actor, "tester");
    assert_string_equal(events[0].origin, "command");
    assert_string_equal(events[0].class_name, "person");
    assert_null(events[0].agent);
    assert_null(events[0].patch);
    assert_null(events[0].reason);
    assert_null(events[0].before);
    assert_string_equal(events[1].reason, "a \"reason\"\nof two lines");
    assert_string_equal(events[1].before, events[0].after);
    assert_non_null(strstr(events[1].patch, "\"text\":\"one\""));
    assert_int_equal(events[1].ref.kind, KIND_NOTE);
    assert_string_equal(events[1].ref.id, "n");
    assert_int_equal(events[1].subject, node);
    assert_true(events[1].at > events[0].at);
    reader_close(r);
    store_close(s);
}

static int edit_by_another(struct txn *t, void *arg, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct actor other = scratch_actor;
    struct memory before, after;
    other.name = "other";
    int result = memory_read_db(txn_db(t), &arena, *(int64_t *)arg, &before, e);
    after = before;
    after.text = "by another";
    if (result == 0)
        result = txn_put(t, &other, "edit", &before, &after, NULL, e);
    return result;
}

/* In parts of a page each. A part has each name once. After the last event there is no part. */
TEST(actors_are_read_in_pages)
{
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    const char **names;
    size_t count;
    int64_t after = 0;
    AUTO_FREE char *path = scratch_path("actors.db");
    struct store *s = scratch_store(path);
    struct reader *r = reader_open(s, &e);
    assert_int_equal(journal_actors(r, &arena, &after, 2, &names, &count, &e), 0);
    assert_int_equal(count, 0);
    int64_t node = scratch_put(s, NOTE("one") "}");
    scratch_put(s, "{\"ref\":\"raw:1\",\"text\":\"t\"}");
    assert_int_equal(store_run(s, edit_by_another, &node, &e), 0);
    assert_int_equal(journal_actors(r, &arena, &after, 2, &names, &count, &e), 1);
    assert_int_equal(after, 2);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "tester");
    assert_int_equal(journal_actors(r, &arena, &after, 2, &names, &count, &e), 0);
    assert_int_equal(after, 3);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "other");
    assert_int_equal(journal_actors(r, &arena, &after, 2, &names, &count, &e), 0);
    assert_int_equal(after, 3);
    assert_int_equal(count, 0);
    reader_close(r);
    store_close(s);
}

/* Of each time the first event; events are counted by their actor. */
TEST(events_are_found_by_their_time)
{
    struct error e = {0};
    struct store *s = scratch_store_with_clock("times.db", NULL);
    struct reader *r = reader_open(s, &e);
    struct event_filter filter = EVENT_FILTER_ALL;
    assert_int_equal(journal_first_at(r, 5000, &e), 1);
    assert_int_equal(journal_time(r, 1, &e), 0);
    for (int i = 0; i < 9; i++) {
        scratch_clock = 1000 * (1 + i / 3); /* three events at each time */
        char line[64];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:%d\",\"text\":\"t\"}", i);
        scratch_put(s, line);
    }
    static const struct {
        int64_t at, seq;
    } cases[] = {{0, 1}, {1000, 1}, {1001, 4}, {2000, 4}, {2001, 7}, {3000, 7}, {3001, 10}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(journal_first_at(r, cases[i].at, &e), cases[i].seq);
    assert_int_equal(journal_time(r, 4, &e), 2000);
    assert_int_equal(journal_count(r, &filter, 3, &e), 6);
    filter.last = 5;
    assert_int_equal(journal_count(r, &filter, 3, &e), 2);
    filter.actor = "tester";
    assert_int_equal(journal_count(r, &filter, 0, &e), 5);
    filter.actor = "nobody";
    assert_int_equal(journal_count(r, &filter, 0, &e), 0);
    reader_close(r);
    store_close(s);
}

/* ---- altered memories ---- */

static int edit_altered(struct txn *t, void *arg, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory before, after;
    int result = memory_read_db(txn_db(t), &arena, *(int64_t *)arg, &before, e);
    after = before;
    after.text = "edited";
    if (result == 0)
        result = txn_put(t, &scratch_actor, "edit", &before, &after, NULL, e);
    return result;
}

static int edit_stale(struct txn *t, void *arg, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory before, after;
    int result = memory_read_db(txn_db(t), &arena, *(int64_t *)arg, &before, e);
    after = before;
    after.text = "first";
    if (result == 0)
        result = txn_put(t, &scratch_actor, "edit", &before, &after, NULL, e);
    if (result == 0 && after.version != before.version + 1)
        result = error_set(e, ERROR_INVALID, "", "the version did not grow");
    struct memory again = before;
    again.text = "second";
    if (result == 0)
        result = txn_put(t, &scratch_actor, "edit", &before, &again, NULL, e);
    return result;
}

TEST(altered_or_stale_memories_are_not_overwritten)
{
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("altered.db");
    struct store *s = scratch_store(path);
    int64_t node = scratch_put(s, NOTE("one") "}");
    assert_int_equal(store_run(s, edit_stale, &node, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    assert_int_equal(store_run(s, edit_altered, &node, &e), 0);

    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE memory SET text = 'forged'", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(store_run(s, edit_altered, &node, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    assert_non_null(strstr(e.hint, "fsck"));
    store_close(s);
}

/* ---- the key and the head ---- */

static void count(void *arg, const struct fsck_finding *finding)
{
    (void)arg, (void)finding;
}

static size_t findings_with(const char *path, const char *key)
{
    struct error e = {0};
    struct fsck_summary summary;
    struct store *s =
        scratch_store_with(path, &(struct store_options){.read_only = true, .hmac_key = key});
    struct reader *r = reader_open(s, &e);
    assert_int_equal(store_fsck(r, count, NULL, NULL, &summary, &e), 0);
    reader_close(r);
    store_close(s);
    return (size_t)summary.findings;
}

TEST(with_a_key_each_event_has_its_hmac)
{
    AUTO_FREE char *path = scratch_path("keyed.db"), *key = scratch_path("key"),
                   *other = scratch_path("other");
    scratch_write(key, "test-secret\n", 12);
    scratch_write(other, "another", 7);
    assert_int_equal(chmod(key, 0600) || chmod(other, 0600), 0);
    struct store *s = scratch_store(path); /* events from before there was a key */
    scratch_put(s, "{\"ref\":\"raw:0\",\"text\":\"t\"}");
    store_close(s);
    s = scratch_store_with(path, &(struct store_options){.hmac_key = key});
    scratch_put(s, "{\"ref\":\"raw:1\",\"text\":\"t\"}");
    scratch_put(s, "{\"ref\":\"raw:2\",\"text\":\"t\"}");
    store_close(s);

    struct row rows[3];
    assert_int_equal(read_rows(path, rows, 3), 3);
    assert_false(rows[0].has_hmac);
    for (int i = 1; i < 3; i++) {
        struct digest hmac;
        assert_true(rows[i].has_hmac);
        digest_hmac(&hmac, "test-secret", 11, &rows[i].hash);
        assert_memory_equal(hmac.bytes, rows[i].hmac.bytes, DIGEST_SIZE);
    }
    release_rows(rows, 3);
    assert_int_equal(findings_with(path, NULL), 0);
    assert_int_equal(findings_with(path, key), 0);
    assert_int_equal(findings_with(path, other), 2);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE event SET hmac = NULL WHERE seq = 3", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(findings_with(path, key), 1);
}

TEST(the_published_vectors_of_the_chain_match)
{
    static const char *const hashes[] = {
        "f15907a34465f05e9b410aa81afdf7b5762c5db33ddb0ca359414ada73c95e75",
        "455814c4c2e6bc42e39ee889384927f3464ce4c8b1b67df28219a7294e19250d",
        "cd5ab9c855f25ec7b6c10cd8a2322318d0e2ac5fd3d2a1910dc78fd1c9a53b1c",
    };
    struct digest hash, hmac;
    char hex[2 * DIGEST_SIZE + 1];
    for (int i = 0; i < 3; i++) {
        AUTO_STRBUF text = STRBUF_INIT;
        struct json_object o = json_begin(&text, '{');
        json_key(&o, "idx");
        json_add_int(&text, i);
        json_key(&o, "msg");
        char message[16];
        snprintf(message, sizeof(message), "event-%d", i);
        json_add_ascii(&text, message);
        json_end(&o);
        struct digest prev = hash;
        digest_chain(&hash, i ? &prev : NULL, text.buf, text.len);
        digest_hex(hex, &hash);
        assert_string_equal(hex, hashes[i]);
        if (i == 0) {
            digest_hmac(&hmac, "test-secret", 11, &hash);
            digest_hex(hex, &hmac);
            assert_string_equal(hex,
                                "c0e66d71b017a984b50548dda5eec422ece60250cef1c5e25442c082c80edaf5");
        }
    }
}

/* Returns the pid of a process that has ended. */
TEST(the_head_is_never_ahead_of_the_journal)
{
    struct error e;
    struct head head;
    char *path = scratch_path("headed.db"), at[4096];
    struct store *s = scratch_store(path);
    scratch_head(at, sizeof(at), path);
    assert_int_equal(head_read(&head, at, &e), 0);
    for (int i = 1; i <= 50; i++) {
        char line[64];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:%d\",\"text\":\"t\"}", i);
        scratch_put(s, line);
        if (head_read(&head, at, &e) == 1)
            assert_true(head.events.count <= i);
    }
    store_close(s);
    assert_int_equal(head_read(&head, at, &e), 1);
    assert_int_equal(head.events.count, 50);
    struct row rows[50];
    assert_int_equal(read_rows(path, rows, 50), 50);
    assert_memory_equal(rows[49].hash.bytes, head.events.hash.bytes, DIGEST_SIZE);
    release_rows(rows, 50);
    free(path);
}

static int64_t head_after(const struct head *next, struct db *db, const char *at)
{
    struct error e;
    struct head head = {.events = {.count = 0}};
    assert_int_equal(head_write(next, db, at, &e), 0);
    assert_int_equal(head_read(&head, at, &e), 1);
    return head.events.count;
}

TEST(only_a_head_of_the_same_journal_replaces_a_head)
{
    struct error e;
    struct head head, next;
    char *path = scratch_path("kept.db"), at[4096];
    struct store *s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"raw:1\",\"text\":\"t\"}");
    scratch_put(s, "{\"ref\":\"raw:2\",\"text\":\"t\"}");
    store_close(s);
    scratch_head(at, sizeof(at), path);
    assert_int_equal(head_read(&head, at, &e), 1);
    struct db *db = db_open(path, DB_READ, &e);
    /* A process with an older state does not overwrite the head of another. */
    next = (struct head){.events = {1, head.events.hash}};
    assert_int_equal(head_after(&next, db, at), 2);
    next = (struct head){.events = {3, head.events.hash}};
    assert_int_equal(head_after(&next, NULL, at), 2);
    assert_int_equal(head_after(&next, db, at), 3);
    /* The journal ends before event 3 and has another hash for event 2. */
    next.events.count = 9;
    assert_int_equal(head_after(&next, db, at), 3);
    head.events.hash.bytes[0] ^= 1;
    unlink(at);
    assert_int_equal(head_after(&head, NULL, at), 2);
    assert_int_equal(head_after(&next, db, at), 2);
    db_close(db);
    free(path);
}
