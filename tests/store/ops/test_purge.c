/*
 * Purge: no byte of the content is left in the files of the store, lineage and hash chain stay
 * intact, and remaining copies are reported.
 *
 * The secrets are written in scripts that nothing else here uses, so that any three of their bytes
 * can be searched for in all files.
 */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <dirent.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/import/import.h"
#include "store/journal/journal.h"
#include "store/txn/checkpoint.h"
#include "tests/support/agents.h"
#include "tests/support/findings.h"
#include "tests/support/operated.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

static struct random dice;
static uint8_t *secret; /* [1 << 21] one bit for each three bytes of secrets */

static int setup(void **state)
{
    dice = (struct random){20260201};
    secret = calloc(1, 1 << 21);
    assert_non_null(secret);
    operated_open("purged.db");
    return 0;
}

static int teardown(void **state)
{
    free(secret);
    return operated_close(state);
}

/* ---- secrets ---- */

static void note_secret(const unsigned char *text, size_t len)
{
    for (size_t i = 0; i + 3 <= len; i++) {
        uint32_t bits = (uint32_t)text[i] << 16 | (uint32_t)text[i + 1] << 8 | text[i + 2];
        secret[bits / 8] |= (uint8_t)(1u << bits % 8);
    }
}

/* Returns `count` letters of Indic scripts (U+0900 to U+0DFF), three bytes each; no number in the
 * store has such bytes. In the arena. */
static const char *make_secret(size_t count)
{
    unsigned char *text = arena_alloc(&operated.arena, 3 * count + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) {
        uint32_t c = 0x900 + random_below(&dice, 0x500);
        text[3 * i] = (unsigned char)(0xe0 | c >> 12);
        text[3 * i + 1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        text[3 * i + 2] = (unsigned char)(0x80 | (c & 0x3f));
    }
    text[3 * count] = '\0';
    note_secret(text, 3 * count);
    return (char *)text;
}

/* Blanks random data of the store, hashes and salts, which may contain such bytes by chance. */
static void blank(char *bytes, size_t len, const void *blob, size_t blob_len)
{
    char *end = bytes + len;
    for (char *at = bytes; blob_len && (at = memmem(at, (size_t)(end - at), blob, blob_len));
         at += blob_len)
        memset(at, 0, blob_len);
}

static void blank_blobs(char *bytes, size_t len)
{
    static const char sql[] = "SELECT hash FROM event UNION ALL SELECT salt FROM event UNION ALL"
                              " SELECT hash FROM call UNION ALL SELECT hash FROM imported"
                              " UNION ALL SELECT bytes FROM secret";
    struct error e;
    struct db *db = reader_db(operated.reader);
    sqlite3_stmt *stmt = db_prepare(db, sql, &e);
    assert_non_null(stmt);
    while (db_step(db, stmt, &e) > 0)
        blank(bytes, len, sqlite3_column_blob(stmt, 0), (size_t)sqlite3_column_bytes(stmt, 0));
    sqlite3_reset(stmt);
}

static void blank_at(char *bytes, size_t len, size_t from, size_t count)
{
    if (from + count <= len)
        memset(bytes + from, 0, count);
}

static bool ends(const char *name, const char *end)
{
    size_t len = strlen(name), end_len = strlen(end);
    return len >= end_len && strcmp(name + len - end_len, end) == 0;
}

/* Blanks salts and checksums of SQLite's log and its index: the two headers of the index, the
 * header of the log, and each frame. */
static void blank_checksums(const char *name, char *bytes, size_t len)
{
    if (ends(name, "-shm")) {
        blank_at(bytes, len, 24, 24);
        blank_at(bytes, len, 72, 24);
    } else if (ends(name, "-wal") && len >= 32) {
        const unsigned char *size = (const unsigned char *)bytes + 8;
        size_t page =
            (size_t)size[0] << 24 | (size_t)size[1] << 16 | (size_t)size[2] << 8 | size[3];
        blank_at(bytes, len, 16, 16);
        for (size_t frame = 32; frame < len; frame += 24 + page)
            blank_at(bytes, len, frame + 8, 16);
    }
}

static size_t count_secrets(const char *name)
{
    size_t len, found = 0;
    AUTO_FREE char *bytes = scratch_read(name, &len);
    if (!bytes && access(name, F_OK)) /* head file: replaced by rename */
        return 0;
    assert_non_null(bytes);
    blank_blobs(bytes, len);
    blank_checksums(name, bytes, len);
    for (size_t i = 0; i + 3 <= len; i++) {
        const unsigned char *at = (const unsigned char *)bytes + i;
        uint32_t bits = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
        found += secret[bits / 8] >> bits % 8 & 1;
    }
    return found;
}

/* Searches all files whose names begin with that of the store. */
static size_t secrets_left(void)
{
    size_t found = 0, files = 0;
    char *directory = strdup(operated.path), *slash = strrchr(directory, '/');
    *slash = '\0';
    DIR *all = opendir(directory);
    assert_non_null(all);
    for (struct dirent *one; (one = readdir(all));) {
        AUTO_STRBUF name = STRBUF_INIT;
        if (strncmp(one->d_name, slash + 1, strlen(slash + 1)) != 0)
            continue;
        strbuf_addf(&name, "%s/%s", directory, one->d_name);
        found += count_secrets(name.buf);
        files++;
    }
    closedir(all);
    free(directory);
    assert_true(files >= 3);
    return found;
}

/* ---- the store ---- */

static void check_sound(void)
{
    operated_end();
    expect_sound_file(operated.path);
    operated_begin();
}

static struct request about(const char *ref)
{
    const char **refs = arena_array(&operated.arena, 1, sizeof(*refs));
    struct request q = REQUEST_INIT;
    refs[0] = ref;
    q.refs = refs;
    q.ref_count = 1;
    return q;
}

static void must(enum operation op, const struct request *q)
{
    operated_must(&scratch_actor, op, q);
}

static void purge(const char *ref)
{
    struct request q = about(ref);
    q.reason = "asked for";
    must(OPERATION_PURGE, &q);
}

static void vacuum(void)
{
    struct error e;
    if (store_vacuum(operated.store, NULL, NULL, &e))
        fail_msg("%s %s", e.what, e.hint);
}

/* Adds other memories, so that pages split and the index has segments on several levels. */
static void fill(size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_addf(&line, "{\"ref\":\"note:n%zu\",\"text\":\"number %zu of what stays", i,
                    i * 7919);
        for (uint32_t k = random_below(&dice, 60); k > 0; k--)
            strbuf_addf(&line, " %u", random_below(&dice, 100000));
        strbuf_addstr(&line, "\"}");
        operated_put(line.buf);
    }
}

static void edit(const char *ref, const char *text, const char *reason)
{
    struct request q = about(ref);
    q.text = text;
    q.text_len = strlen(text);
    q.reason = reason;
    must(OPERATION_EDIT, &q);
}

/* A line with a secret in every field that can have one. */
static void add_line(struct strbuf *line, const char *ref, size_t length)
{
    strbuf_addf(line,
                "{\"ref\":\"%s\",\"agent_id\":\"ash\",\"text\":\"%s\",\"created_at\":1690000000000,"
                "\"source\":\"%s\",\"source_entity\":\"human:%s\",\"context\":\"%s\","
                "\"tags\":[\"%s\",\"%s\"],\"annotations\":[\"context:%s\"],",
                ref, make_secret(length), make_secret(9), make_secret(5), make_secret(20),
                make_secret(4), make_secret(6), make_secret(8));
    strbuf_addf(line,
                "\"detail\":{\"source_type\":\"%s\",\"source_uri\":\"%s\",\"%s\":[{\"x\":\"%s\"}],"
                "\"retrieval_timestamp\":1690000000001},",
                make_secret(5), make_secret(30), make_secret(3), make_secret(900));
    strbuf_addf(line,
                "\"justifications\":[{\"role\":\"derived_from\",\"at\":5,\"reason\":\"%s\","
                "\"antecedents\":[{\"ref\":\"raw:from\",\"relevance\":0.5,\"score\":\"measured\","
                "\"excerpt\":\"%s\",\"section\":\"%s\",\"version_hash\":\"%s\",\"label\":\"%s\","
                "\"title\":\"%s\",\"chunk\":7},{\"ref\":\"raw:gone\",\"label\":\"%s\"}]}],",
                make_secret(12), make_secret(70), make_secret(9), make_secret(9), make_secret(9),
                make_secret(14), make_secret(4));
    strbuf_addf(line,
                "\"history\":[{\"at\":6,\"old\":0.5,\"new\":0.6,\"reason\":\"%s\","
                "\"evidence_source\":\"context:%s\"},{\"at\":7,\"old\":0.6,\"new\":0.8,"
                "\"evidence_source\":\"raw:from\"},{\"at\":8,\"old\":0.8,\"new\":0.8,"
                "\"evidence_source\":\"raw:%s\"}],"
                "\"relations\":[{\"type\":\"contradicts\",\"to\":\"note:n1\",\"at\":9,"
                "\"reason\":\"%s\"}],\"marks\":[{\"mark\":\"rating\",\"at\":10,\"actor\":\"sean\","
                "\"value\":\"%s\",\"reason\":\"%s\"}]}",
                make_secret(7), make_secret(7), make_secret(7), make_secret(11), make_secret(3),
                make_secret(11));
}

static void put_secret(const char *ref, size_t length)
{
    AUTO_STRBUF line = STRBUF_INIT;
    add_line(&line, ref, length);
    operated_put(line.buf);
}

/* ---- what remains ---- */

static void expect_skeleton(const char *ref)
{
    struct memory m = operated_read(ref);
    assert_int_equal(m.status, STATUS_PURGED);
    assert_string_equal(m.text, "");
    assert_null(m.source);
    assert_null(m.source_entity);
    assert_null(m.context);
    assert_null(m.detail);
    assert_int_equal(m.tag_count + m.annotation_count, 0);
    assert_string_equal(m.agent_id, "ash");
    assert_int_equal(m.created_at, INT64_C(1690000000000));
    assert_int_equal(m.justification_count, 1);
    assert_int_equal(m.justifications[0].at, 5);
    assert_null(m.justifications[0].reason);
    assert_int_equal(m.justifications[0].count, 2);
    assert_true(m.justifications[0].antecedents[0].use->relevance == 0.5);
    assert_int_equal(m.justifications[0].antecedents[0].use->chunk, 7);
    assert_null(m.justifications[0].antecedents[0].use->excerpt);
    assert_null(m.justifications[0].antecedents[1].use);
    assert_int_equal(m.history_count, 3);
    assert_null(m.history[0].reason);
    assert_null(m.history[0].evidence_source);
    assert_string_equal(m.history[1].evidence_source, "raw:from");
    assert_null(m.history[2].evidence_source);
    assert_int_equal(m.relation_count, 1);
    assert_null(m.relations[0].reason);
    assert_int_equal(m.flag_count, 1);
    assert_string_equal(m.flags[0].actor, "sean");
    assert_null(m.flags[0].value);
}

static void expect_events(const char *ref, size_t count)
{
    struct event *events;
    struct error e;
    size_t found;
    assert_int_equal(
        journal_of(operated.reader, &operated.arena, operated_row(ref), &events, &found, &e), 0);
    assert_int_equal(found, count);
    for (size_t i = 0; i < found; i++) {
        assert_null(events[i].patch);
        if (i + 1 < found)
            assert_null(events[i].reason);
    }
    assert_string_equal(events[found - 1].operation, "purge");
    assert_string_equal(events[found - 1].reason, "asked for");
}

static void expect_skeleton_of_stub(const char *ref)
{
    struct memory m = operated_read(ref);
    assert_int_equal(m.status, STATUS_PURGED);
    assert_string_equal(m.text, "");
    assert_string_equal(m.agent_id, "ash");
    assert_int_equal(m.created_at, INT64_C(1690000000000));
}

/* A call that failed with a secret in its arguments and in its error. */
static void fail_with_secret(struct session *s)
{
    session_note(s, &(struct call_note){.tool = "memory_update",
                                        .at = SCRATCH_NOW,
                                        .outcome = ERROR_CONFLICT,
                                        .arguments = make_secret(300),
                                        .error = make_secret(40)});
}

static int64_t count_failures(void)
{
    struct error e;
    int64_t count;
    assert_int_equal(
        db_int(reader_db(operated.reader), &count, -1, &e, "SELECT count(*) FROM failure", ""), 0);
    return count;
}

FIXTURE(setup, teardown);

/* Also not in what failed calls were given, nor in those that are logged after the purge. */
TEST(no_secret_is_left)
{
    struct call_log *log = agents_open(operated.store);
    struct session *s = agents_join(log, "c", "ash");
    fail_with_secret(s);
    agents_flush(operated.store, log);
    assert_int_equal(count_failures(), 1);
    fail_with_secret(s);
    fill(0, 150);
    put_secret("belief:secret", 30000); /* six times the size of a page */
    put_secret("attribution:secret", 400);
    fill(150, 50);
    for (int i = 0; i < 40; i++) { /* long and short texts in turn, so that pages are freed */
        edit("belief:secret", make_secret(i % 2 ? 60 : 9000), make_secret(15));
        edit("attribution:secret", make_secret(90), make_secret(5));
        fill(200 + 5 * (size_t)i, 5);
    }
    assert_true(secrets_left() > 1000);
    purge("belief:secret");
    purge("attribution:secret");
    agents_flush(operated.store, log);
    call_log_close(log);
    assert_int_equal(count_failures(), 0);
    vacuum();
    assert_int_equal(secrets_left(), 0);
    expect_skeleton("belief:secret");
    expect_skeleton("attribution:secret");
    expect_events("belief:secret", 42);
    check_sound();
    assert_int_equal(secrets_left(), 0);
}

/* Broken bytes are kept in base64, which looks like other ASCII text. */
TEST(broken_bytes_are_erased_too)
{
    static const char base64[] = "c2VjcmV0/3NlY3JldP8K";
    size_t len;
    operated_put("{\"ref\":\"raw:b\",\"text\":\"x\",\"detail\":{\"original\":\"c2VjcmV0/"
                 "3NlY3JldP8K\"}}");
    purge("raw:b");
    vacuum();
    AUTO_FREE char *bytes = scratch_read(operated.path, &len);
    assert_null(memmem(bytes, len, base64, 8));
}

TEST(purging_an_imported_memory)
{
    struct error e;
    AUTO_STRBUF line = STRBUF_INIT;
    struct import_options options = {.actor = "sean"};
    struct import_summary summary;
    AUTO_FREE char *lines =
        scratch_path("elsewhere.jsonl"); /* its name does not begin like the store's */
    add_line(&line, "belief:secret", 500);
    strbuf_addch(&line, '\n');
    scratch_write(lines, line.buf, line.len);
    assert_int_equal(
        import_source_run(&jsonl_format, operated.store, lines, &options, &summary, &e), 0);
    assert_int_equal(summary.added, 1);
    purge("belief:secret");
    assert_true(operated.done.remark_count == 2);
    assert_non_null(strstr(operated.done.remarks[0], "the imported source is unchanged: "));
    assert_non_null(strstr(operated.done.remarks[0], "elsewhere.jsonl"));
    assert_string_equal(operated.done.remarks[1],
                        "backups, exports and other copies stay as they are");
    vacuum();
    assert_int_equal(secrets_left(), 0);
    for (int i = 0; i < 2;
         i++) { /* the next import does not bring it back, nor does the store have its hash */
        assert_int_equal(
            import_source_run(&jsonl_format, operated.store, lines, &options, &summary, &e), 0);
        assert_int_equal(summary.updated + summary.added + summary.conflicts, 0);
        expect_skeleton("belief:secret");
    }
    int64_t known;
    assert_int_equal(db_int(reader_db(operated.reader), &known, -1, &e,
                            "SELECT count(*) FROM imported WHERE hash <> zeroblob(32)", ""),
                     0);
    assert_int_equal(known, 0);
    check_sound();
    options.replace = true; /* unless a person asks for it */
    assert_int_equal(
        import_source_run(&jsonl_format, operated.store, lines, &options, &summary, &e), 0);
    assert_int_equal(operated_read("belief:secret").status, STATUS_ACTIVE);
    check_sound(); /* events that were erased earlier are still valid */
}

/* Only a stub is left, but its event still has the content. */
TEST(purging_an_undone_addition)
{
    struct error e;
    operated_put("{\"ref\":\"note:rests\",\"text\":\"t\",\"derived_from\":[\"belief:secret\"]}");
    put_secret("belief:secret", 700);
    int64_t seq = journal_last(operated.reader, &e);
    struct request q = REQUEST_INIT, again = REQUEST_INIT;
    q.seqs = &seq;
    q.seq_count = 1;
    must(OPERATION_UNDO, &q);
    must(OPERATION_REDO, &again);
    edit("belief:secret", make_secret(30), make_secret(9));
    q.seqs = (int64_t[]){journal_last(operated.reader, &e)};
    must(OPERATION_UNDO, &q);
    q.seqs = &seq;
    must(OPERATION_UNDO, &q);
    assert_int_equal(operated_read("belief:secret").status, STATUS_MISSING);
    assert_true(secrets_left() > 100);
    purge("belief:secret");
    vacuum();
    assert_int_equal(secrets_left(), 0);
    expect_skeleton_of_stub("belief:secret");
    check_sound();
    q.seqs = (int64_t[]){seq + 1};
    assert_int_equal(operation_run_now(operated.store, &scratch_actor, OPERATION_UNDO, &q,
                                       &operated.arena, &operated.done, &e),
                     -1);
    check_sound();
}

/* ---- reports ---- */

TEST(remaining_copies_are_reported)
{
    operated_put("{\"ref\":\"document:d\",\"text\":\"what it says\"}");
    operated_put(
        "{\"ref\":\"citation:c\",\"text\":\"x\",\"justifications\":[{\"role\":\"citation\","
        "\"antecedents\":[{\"ref\":\"document:d\",\"excerpt\":\"what it\"}]}]}");
    operated_put("{\"ref\":\"belief:b\",\"text\":\"x\",\"derived_from\":[\"document:d\"],"
                 "\"history\":[{\"at\":1,\"old\":0.1,\"new\":0.2,\"reason\":\"see document:d\"}]}");
    operated_put("{\"ref\":\"belief:far\",\"text\":\"x\",\"derived_from\":[\"belief:b\"]}");
    purge("document:d");
    assert_int_equal(operated.done.remark_count, 5);
    assert_string_equal(operated.done.remarks[0],
                        "not flagged, because only indirectly affected: 1 more");
    assert_string_equal(operated.done.remarks[1],
                        "excerpts and titles quoted from it stay: citation:c");
    assert_string_equal(operated.done.remarks[2],
                        "memories made from it may repeat it: citation:c and belief:b");
    assert_string_equal(operated.done.remarks[3], "reasons that name it stay: belief:b");
    assert_int_equal(operated.done.unsupported_count, 3);
    assert_int_equal(operated_read("belief:b").flag_count, 1);
    assert_string_equal(operated_read("belief:b").flags[0].reason,
                        "based on document:d, which was purged");
    assert_int_equal(operated_read("belief:far").flag_count, 0);
}

/* ---- refusals ---- */

static void refused(const struct actor *actor, const char *ref, enum error_code code)
{
    struct error e = {0};
    struct request q = about(ref);
    int64_t before = journal_last(operated.reader, &e);
    assert_int_equal(operation_run_now(operated.store, actor, OPERATION_PURGE, &q, &operated.arena,
                                       &operated.done, &e),
                     -1);
    assert_int_equal(e.code, code);
    assert_int_equal(journal_last(operated.reader, &e), before);
}

TEST(only_a_person_purges_and_for_good)
{
    static const struct actor agent = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0, NULL};
    operated_put("{\"ref\":\"raw:r\",\"text\":\"t\"}");
    operated_put("{\"ref\":\"raw:kept\",\"text\":\"t\",\"protected\":true}");
    operated_put("{\"ref\":\"note:n\",\"text\":\"t\",\"derived_from\":[\"raw:never\"]}");
    refused(&agent, "raw:r", ERROR_REFUSED);
    refused(&scratch_actor, "raw:kept", ERROR_REFUSED);
    refused(&scratch_actor, "raw:never", ERROR_NOT_FOUND);
    refused(&scratch_actor, "raw:nobody", ERROR_NOT_FOUND);
    purge("raw:r");
    struct request q = about("raw:r");
    struct error e;
    assert_int_equal(operation_run_now(operated.store, &scratch_actor, OPERATION_RESTORE, &q,
                                       &operated.arena, &operated.done, &e),
                     -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    purge("raw:r");
    assert_int_equal(operated.done.count, 0);
    assert_string_equal(operated.done.left[0], "raw:r is purged already");
}

/* ---- a vacuum that cannot finish ---- */

struct heard {
    int stages[VACUUM_STAGE_COUNT];
    enum vacuum_stage stop_in;
    int after;
};

static int hear(void *arg, enum vacuum_stage stage, int64_t done, int64_t total)
{
    struct heard *h = arg;
    assert_true(done >= 0 && (total == 0 || done <= total));
    h->stages[stage]++;
    return stage == h->stop_in && h->stages[stage] > h->after;
}

TEST(an_open_snapshot_keeps_the_log)
{
    struct error e;
    fill(0, 50);
    put_secret("belief:secret", 2000);
    assert_int_equal(reader_begin(operated.reader, &e), 0);
    operated_read("belief:secret"); /* a reader that keeps this snapshot open */
    purge("belief:secret");
    struct heard h = {.stop_in = VACUUM_LOG, .after = 3};
    assert_int_equal(store_vacuum(operated.store, hear, &h, &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    assert_non_null(strstr(e.what, "may still stand in the store's files"));
    assert_non_null(strstr(e.hint, "stemma purge"));
    assert_true(h.stages[VACUUM_LOG] > 3);
    reader_end(operated.reader);
    purge("belief:secret"); /* purged already: only the vacuum remains */
    h = (struct heard){.stop_in = VACUUM_STAGE_COUNT};
    assert_int_equal(store_vacuum(operated.store, hear, &h, &e), 0);
    assert_int_equal(secrets_left(), 0);
    check_sound();
}

TEST(vacuum_can_be_interrupted_anywhere)
{
    fill(0, 300);
    put_secret("belief:secret", 3000);
    purge("belief:secret");
    for (enum vacuum_stage stage = VACUUM_INDEX; stage < VACUUM_STAGE_COUNT; stage++) {
        struct error e;
        struct heard h = {.stop_in = stage};
        assert_int_equal(store_vacuum(operated.store, hear, &h, &e), -1);
        assert_int_equal(e.code, ERROR_INTERRUPTED);
        check_sound();
    }
    vacuum();
    assert_int_equal(secrets_left(), 0);
    operated_put("{\"ref\":\"raw:after\",\"text\":\"all goes on\"}");
    check_sound();
}

TEST(only_erased_events_may_lack_their_salt)
{
    struct error e;
    fill(0, 3);
    purge("note:n0");
    operated_end();
    struct db *db = db_open(operated.path, DB_WRITE, &e);
    assert_non_null(db);
    assert_int_equal(db_exec(db, "UPDATE event SET salt = NULL WHERE seq = 2", &e), 0);
    db_close(db);
    struct findings found = findings_of(operated.path);
    assert_int_equal(found.total, 2); /* the event, and the memory that no event confirms now */
    db = db_open(operated.path, DB_WRITE, &e);
    assert_int_equal(db_exec(db, "UPDATE event SET salt = NULL WHERE operation = 'purge'", &e), 0);
    db_close(db);
    found = findings_of(operated.path);
    assert_int_equal(found.total, 4);
    operated_begin();
}
