/* Writing back: what changes between the plan and the write, and what an event may name. */
#include "model/base/alloc.h"
#include "store/apply/apply.h"

#include <unistd.h>
#include "store/formats/formats.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

struct copy {
    struct store *store;
    struct reader *reader;
    char *path, *source;
    struct actor person;
};

static void import(struct copy *c, const struct import_format *format)
{
    struct import_summary summary;
    struct import_options options = {.actor = "sean"};
    struct error e = {0};
    assert_int_equal(import_source_run(format, c->store, c->source, &options, &summary, &e), 0);
}

static void begin(struct copy *c, const struct import_format *format, const char *name)
{
    struct error e = {0};
    c->path = scratch_path("store.db");
    if (!c->source)
        c->source = scratch_path(name);
    c->store = kernle_target(c->path);
    c->person = (struct actor){.class = ACTOR_PERSON, .name = "sean", .origin = "command"};
    import(c, format);
    c->reader = reader_open(c->store, &e);
    assert_non_null(c->reader);
}

static void begin_graph(struct copy *c)
{
    static const char line[] = "{\"type\":\"entity\",\"name\":\"John\",\"entityType\":\"p\","
                               "\"observations\":[\"Sings\"]}\n";
    *c = (struct copy){.source = scratch_path("memory.jsonl")};
    scratch_write(c->source, line, sizeof(line) - 1);
    begin(c, &server_memory_format, NULL);
}

static void begin_kernle(struct copy *c)
{
    *c = (struct copy){.source = scratch_path("memories.db")};
    kernle_sql(
        c->source,
        "CREATE TABLE beliefs(id TEXT PRIMARY KEY, stack_id TEXT, statement TEXT,"
        " confidence REAL, created_at TEXT, local_updated_at TEXT, strength REAL);"
        "INSERT INTO beliefs VALUES ('b', 'ash', 'was', 0.8, '2026-01-01', '2026-01-01', 1)");
    struct error e;
    begin(c, format_find("kernle", &e), NULL);
}

static void end(struct copy *c)
{
    reader_close(c->reader);
    store_close(c->store);
    free(c->path);
    free(c->source);
}

static void retract(struct copy *c, const char *text)
{
    struct request q = REQUEST_INIT;
    struct plan plan;
    AUTO_ARENA arena = ARENA_INIT;
    struct error e = {0};
    int64_t node;
    assert_int_equal(db_int(reader_db(c->reader), &node, 0, &e,
                            "SELECT id FROM memory WHERE text = ?", "s", text),
                     0);
    q.nodes = &node;
    q.node_count = 1;
    assert_int_equal(
        operation_run_now(c->store, &c->person, OPERATION_RETRACT, &q, &arena, &plan, &e), 0);
}

static int64_t events(struct copy *c)
{
    struct error e;
    return journal_last(c->reader, &e);
}

/* A change after the plan: nothing is written, no copy stays, and the source is as the other left it. */
TEST(test_changed_after_the_plan)
{
    struct copy c;
    struct apply a;
    struct error e = {0};
    begin_graph(&c);
    retract(&c, "Sings");
    assert_int_equal(apply_plan(&a, c.reader, NULL, 0, &e), 0);
    assert_int_equal(a.w.change_count, 1);
    scratch_write(c.source, "other", 5);
    assert_int_equal(apply_write(&a, c.store, &c.person, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    assert_int_equal(a.backup_count, 0);
    size_t len;
    AUTO_FREE char *now = scratch_read(c.source, &len);
    assert_string_equal(now, "other");
    apply_release(&a);
    end(&c);
}

TEST(test_cell_changed_after_the_plan)
{
    struct copy c;
    struct apply a;
    struct error e = {0};
    begin_kernle(&c);
    retract(&c, "was");
    assert_int_equal(apply_plan(&a, c.reader, NULL, 0, &e), 0);
    kernle_sql(c.source, "UPDATE beliefs SET strength = 0.5");
    int64_t before = events(&c);
    assert_int_equal(apply_write(&a, c.store, &c.person, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    assert_int_equal(kernle_count(c.source, "SELECT strength * 10 FROM beliefs"), 5);
    /* The event was recorded and taken back, and what Kernle says next is not agreed to. */
    assert_int_equal(events(&c), before + 2);
    int64_t agreed;
    assert_int_equal(db_int(reader_db(c.reader), &agreed, 0, &e,
                            "SELECT count(*) FROM imported WHERE event < 0", ""),
                     0);
    assert_int_equal(agreed, 0);
    apply_release(&a);
    assert_int_equal(apply_plan(&a, c.reader, NULL, APPLY_UNDO, &e), -1);
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    apply_release(&a);
    end(&c);
}

/* The source follows: what an import by somebody else takes after the write is no conflict, and a later change of the
 * agent is taken. */
TEST(test_agreed)
{
    struct copy c;
    struct apply a;
    struct imported again = {.result = 0};
    struct error e = {0};
    begin_kernle(&c);
    retract(&c, "was");
    assert_int_equal(apply_plan(&a, c.reader, NULL, 0, &e), 0);
    assert_int_equal(apply_write(&a, c.store, &c.person, &e), 0);
    assert_int_equal(kernle_count(c.source, "SELECT strength = 0 FROM beliefs"), 1);
    import_kernle_from(&again, c.store, c.source, &(struct import_options){.actor = "sean"});
    assert_int_equal(again.summary.conflicts + again.summary.updated, 0);
    imported_release(&again);
    kernle_sql(c.source, "UPDATE beliefs SET strength = 0.9, statement = 'said anew'");
    import_kernle_from(&again, c.store, c.source, &(struct import_options){.actor = "sean"});
    assert_int_equal(again.summary.updated, 1);
    imported_release(&again);
    apply_release(&a);
    end(&c);
}

static void write_retraction(struct copy *c)
{
    struct apply a;
    struct error e = {0};
    retract(c, "Sings");
    assert_int_equal(apply_plan(&a, c->reader, NULL, 0, &e), 0);
    assert_int_equal(apply_write(&a, c->store, &c->person, &e), 0);
    apply_release(&a);
}

/* An undo writes what was shown, too. What is in between stays, and it can be planned again. */
TEST(test_changed_after_the_undo_was_planned)
{
    struct copy c;
    struct apply a;
    struct error e = {0};
    begin_graph(&c);
    write_retraction(&c);
    assert_int_equal(apply_plan(&a, c.reader, NULL, APPLY_UNDO, &e), 0);
    assert_int_equal(a.w.change_count, 1);
    size_t len;
    AUTO_FREE char *written = scratch_read(c.source, &len);
    scratch_write(c.source, "other", 5);
    int64_t before = events(&c);
    assert_int_equal(apply_write(&a, c.store, &c.person, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    apply_release(&a);
    assert_int_equal(apply_plan(&a, c.reader, NULL, APPLY_UNDO, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    apply_release(&a);
    assert_int_equal(events(&c), before);
    scratch_write(c.source, written, len);
    assert_int_equal(apply_plan(&a, c.reader, NULL, APPLY_UNDO, &e), 0);
    assert_int_equal(apply_write(&a, c.store, &c.person, &e), 0);
    apply_release(&a);
    AUTO_FREE char *now = scratch_read(c.source, &len);
    assert_non_null(strstr(now, "Sings"));
    end(&c);
}

/* A person put the copy back: there is nothing to write, and the event is undone all the same. */
TEST(test_undone_by_hand)
{
    struct copy c;
    struct apply a;
    struct error e = {0};
    size_t len;
    begin_graph(&c);
    AUTO_FREE char *was = scratch_read(c.source, &len);
    write_retraction(&c);
    scratch_write(c.source, was, len);
    assert_int_equal(apply_plan(&a, c.reader, NULL, APPLY_UNDO, &e), 0);
    assert_int_equal(a.w.change_count, 0);
    assert_true(apply_writes(&a));
    assert_int_equal(apply_write(&a, c.store, &c.person, &e), 0);
    apply_release(&a);
    assert_int_equal(apply_plan(&a, c.reader, NULL, APPLY_UNDO, &e), -1);
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    apply_release(&a);
    end(&c);
}

/* An event that names a file elsewhere, as in a store from a stranger, writes nothing. */
struct forged {
    struct copy *c;
    const char *file;
};

static int forge(struct txn *t, void *arg, struct error *e)
{
    struct forged *f = arg;
    AUTO_STRBUF patch = STRBUF_INIT;
    strbuf_addf(&patch,
                "{\"source\":\"%s\",\"files\":[{\"file\":\"%s\",\"backup\":\"%s.stemma-backup\","
                "\"before\":\"%064d\",\"after\":\"%064d\"}],\"imported\":[]}",
                f->c->source, f->file, f->file, 0, 0);
    return journal_append(t, &f->c->person,
                          &(struct change){.operation = APPLY_OPERATION, .patch = patch.buf}, e);
}

TEST(test_forged_event)
{
    struct copy c;
    struct apply a;
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    char *victim = scratch_path("victim"), *copy = arena_format(&arena, "%s.stemma-backup", victim);
    begin_graph(&c);
    scratch_write(victim, "mine", 4);
    scratch_write(copy, "evil", 4);
    struct forged forged = {&c, victim};
    assert_int_equal(store_run(c.store, forge, &forged, &e), 0);
    assert_int_equal(apply_plan(&a, c.reader, NULL, APPLY_UNDO, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    apply_release(&a);
    size_t len;
    AUTO_FREE char *now = scratch_read(victim, &len);
    assert_string_equal(now, "mine");
    free(victim);
    end(&c);
}
