/* Undo with other parts of the store: a store of an older version, imports, fsck on invalid undo
 * events, large batches. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <sqlite3.h>
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/guard/guard.h"
#include "store/import/import.h"
#include "store/open.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static struct store *s;
static struct arena arena;
static char *path, *source;
static struct reader *reader;
static struct plan done;
static const struct actor ann = {ACTOR_PERSON, "ann", NULL, "command", NULL, 0, NULL};

static void begin(void)
{
    struct error e;
    s = scratch_store(path);
    reader = reader_open(s, &e);
    assert_non_null(reader);
}

static int setup(void **state)
{
    path = scratch_path("stored.db");
    source = scratch_path("lines.jsonl");
    return 0;
}

static struct findings findings(void)
{
    struct findings found = {.total = 0};
    struct fsck_summary summary;
    struct error e;
    assert_int_equal(store_fsck(reader, findings_note, NULL, &found, &summary, &e), 0);
    return found;
}

static int teardown(void **state)
{
    reader_close(reader);
    arena_release(&arena);
    store_close(s);
    free(path);
    free(source);
    return 0;
}

static int try(enum operation op, const struct request *q, struct error *e)
{
    memset(e, 0, sizeof(*e));
    return operation_run_now(s, &ann, op, q, &arena, &done, e);
}

static void undo_event(int64_t seq)
{
    struct error e;
    struct request q = REQUEST_INIT;
    q.seqs = &seq;
    q.seq_count = seq > 0;
    if (try(OPERATION_UNDO, &q, &e))
        fail_msg("%s %s", e.what, e.hint);
}

static struct memory of(const char *ref)
{
    struct error e;
    struct memory m;
    int64_t node = ref_resolve(reader, ref, &e);
    assert_true(node > 0);
    assert_int_equal(memory_read(reader, &arena, node, &m, &e), 0);
    return m;
}

static int64_t last(void)
{
    struct error e;
    return journal_last(reader, &e);
}

/* ---- an older store ---- */

/* The file as written by an earlier version of stemma. */
static void make_older(void)
{
    scratch_dump(path, "tests/data/version-2.sql");
}

FIXTURE(setup, teardown);

TEST(an_older_store_is_migrated)
{
    make_older();
    begin();
    expect_sound(reader);
    struct memory note = of("note:n1");
    assert_string_equal(note.text, "oil the pump weekly");
    /* Undo restores memories that an import changed, and removes those that it added. */
    undo_event(last());
    assert_string_equal(of("note:n1").text, "oil the pump");
    assert_string_equal(of("note:n1").tags[0], "a");
    undo_event(4);
    assert_int_equal(of("note:n1").status, STATUS_MISSING);
    assert_int_equal(of("attribution:a1").status, STATUS_MISSING);
    expect_sound(reader);
    /* Ann's earlier edit by hand can be undone now. */
    undo_event(0);
    assert_int_equal(of("belief:e76b").status, STATUS_MISSING);
    expect_sound(reader);
}

/* ---- imports ---- */

static void take_from_source(const char *text, bool replace, struct import_summary *summary)
{
    struct error e;
    AUTO_STRBUF lines = STRBUF_INIT;
    struct import_options options = {.agent = "ash", .actor = "ann", .replace = replace};
    strbuf_addf(&lines,
                "{\"ref\":\"note:a\",\"agent_id\":\"ash\",\"created_at\":5,\"text\":\"%s\"}\n"
                "{\"ref\":\"note:b\",\"agent_id\":\"ash\",\"created_at\":5,\"text\":\"same\","
                "\"derived_from\":[\"note:a\"]}\n",
                text);
    scratch_write(source, lines.buf, lines.len);
    *summary = (struct import_summary){0};
    if (import_source_run(&jsonl_format, s, source, &options, summary, &e))
        fail_msg("%s", e.what);
}

TEST(an_undone_import_is_not_repeated)
{
    struct import_summary sum;
    begin();
    take_from_source("first", false, &sum);
    assert_int_equal(sum.added, 2);
    undo_event(last()); /* both, since one import made them */
    assert_int_equal(of("note:a").status, STATUS_MISSING);
    expect_sound(reader);
    int64_t seq = last();
    take_from_source("first", false, &sum);
    assert_int_equal(sum.added, 0);
    assert_int_equal(sum.unchanged, 2);
    assert_int_equal(last(), seq);
    take_from_source("second", false,
                     &sum); /* changed in the source and here: the change here stays */
    assert_int_equal(sum.conflicts, 1);
    assert_int_equal(sum.unchanged, 1);
    assert_int_equal(last(), seq);
    expect_sound(reader);
    take_from_source("second", true, &sum);
    assert_int_equal(sum.added, 2);
    assert_string_equal(of("note:a").text, "second");
    expect_sound(reader);
    take_from_source("third", false, &sum);
    assert_int_equal(sum.updated, 1);
    expect_sound(reader);
}

TEST(an_undone_import_is_redone)
{
    struct error e;
    struct import_summary sum;
    const struct request none = REQUEST_INIT;
    begin();
    take_from_source("first", false, &sum);
    assert_int_equal(try(OPERATION_UNDO, &none, &e), -1); /* ann made no edit */
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    undo_event(1);
    assert_int_equal(try(OPERATION_REDO, &none, &e), 0);
    assert_string_equal(of("note:a").text, "first");
    take_from_source("first", false, &sum);
    assert_int_equal(sum.unchanged, 2);
    expect_sound(reader);
}

/* ---- invalid undo events ---- */

struct wrong {
    int64_t undoes;
    const char *ref;
};

static int put_wrong(struct txn *t, void *arg, struct error *e)
{
    const struct wrong *w = arg;
    AUTO_ARENA a = ARENA_INIT;
    struct memory before, after;
    struct ref ref;
    assert_int_equal(ref_parse(w->ref, &ref), REF_MEMORY);
    int64_t node = ref_find(txn_db(t), ref, e);
    assert_int_equal(memory_read_db(txn_db(t), &a, node, &before, e), 0);
    after = before;
    after.version++;
    return txn_put_as(t, &ann, &(struct put){.operation = "undo", .undoes = w->undoes}, &before,
                      &after, e);
}

TEST(invalid_undo_events_are_reported)
{
    static const struct {
        struct wrong wrong;
        const char *words;
    } cases[] = {
        {{1, "note:a"}, ""},
        {{1, "note:a"}, "undoes an event that another one undid"},
        {{99, "note:a"}, "undoes an event that is not before it"},
        {{2, "note:a"}, "undoes an event on another memory"},
    };
    struct error e;
    struct import_summary sum;
    begin();
    take_from_source("first", false, &sum);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(store_run(s, put_wrong, (void *)&cases[i].wrong, &e), 0);
        struct findings found = findings();
        assert_int_equal(found.total, i);
        assert_non_null(strstr(found.text, cases[i].words));
    }
}

/* An undone addition and its stub: changes made without the journal are noticed. */
TEST(an_altered_stub_is_reported)
{
    static const char *const sql[] = {
        "UPDATE event SET undoes = NULL WHERE undoes IS NOT NULL",
        "UPDATE event SET undoes = 0 WHERE undoes IS NULL",
        "UPDATE event SET undoes = 1 WHERE undoes = 2",
        "UPDATE event SET person = NULL WHERE person",
        "UPDATE event SET person = 2 WHERE person",
        "UPDATE event SET person = 1 WHERE person IS NULL",
        "UPDATE event SET patch = NULL WHERE undoes = 2",
        "UPDATE event SET salt = NULL WHERE undoes = 2",
        "UPDATE memory SET text = 'x' WHERE id = 2",
        "UPDATE memory SET agent = 1 WHERE id = 2",
        "UPDATE memory SET version = 1 WHERE id = 2",
        "UPDATE memory SET event = 2 WHERE id = 2",
        "UPDATE memory SET event = NULL WHERE id = 2",
        "UPDATE memory SET status = 0, agent = 1, source_type = 0, created_at = 5, updated_at = 5,"
        " confidence = 0.8, text = 'same', version = 1 WHERE id = 2",
        "UPDATE memory SET status = 7, agent = NULL, source_type = NULL, created_at = NULL,"
        " updated_at = NULL, confidence = NULL, version = 0, text = NULL WHERE id = 3",
        "INSERT INTO link VALUES (2, 0, 0, 1, 0, 5, NULL)",
        "INSERT INTO history VALUES (2, 0, 5, 0.1, 0.2, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        "INSERT INTO mark VALUES (2, 0, 'poisoned', 5, NULL, NULL, NULL, NULL)",
        "INSERT INTO memory_fts(rowid, text) VALUES (2, 'same')",
    };
    struct import_summary sum;
    begin();
    take_from_source("first", false, &sum);
    scratch_put(s, "{\"ref\":\"belief:c\",\"text\":\"rests\",\"derived_from\":[\"note:b\"]}");
    undo_event(2);
    expect_sound(reader);
    for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++) {
        AUTO_FREE char *copy = altered_copy(path, sql[i]);
        struct findings found = findings_of(copy);
        if (!found.total)
            fail_msg("%s was not reported", sql[i]);
    }
}

/* ---- large batches ---- */
