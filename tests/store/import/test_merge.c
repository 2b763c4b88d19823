/* Importing again: what the source said last time, what it says now, and what we have. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/scratch.h"
#include "tests/support/kernle_fixture.h"
#include "store/db/db.h"
#include "store/fsck/fsck.h"

struct merge {
    char *source, *path;
    struct store *store;
    struct imported import;
};

static void again(struct merge *m, bool replace)
{
    struct import_options options = {.replace = replace, .actor = "tester"};
    imported_release(&m->import);
    import_kernle_from(&m->import, m->store, m->source, &options);
}

static void begin(struct merge *m)
{
    *m = (struct merge){.source = scratch_path("memories.db"), .path = scratch_path("store.db")};
    kernle_make(m->source, 26,
                "INSERT INTO raw_entries(id, stack_id, blob, captured_at, local_updated_at) VALUES"
                " ('r1', 'ash', 'one', '2026-01-01', '2026-01-01'),"
                " ('r2', 'ash', 'two', '2026-01-02', '2026-01-02'),"
                " ('r3', 'ash', 'three', '2026-01-03', '2026-01-03');"
                "INSERT INTO beliefs(id, stack_id, statement, created_at, local_updated_at,"
                " derived_from) VALUES ('b', 'ash', 'first', '2026-01-04', '2026-01-04',"
                " '[\"raw:r1\"]')");
    m->store = kernle_target(m->path);
    strbuf_init(&m->import.lines);
    again(m, false);
    assert_int_equal(m->import.summary.added, 4);
}

static void end(struct merge *m)
{
    struct fsck_summary summary;
    struct error e = {0};
    struct reader *r = reader_open(m->store, &e);
    assert_int_equal(store_fsck(r, NULL, NULL, NULL, &summary, &e), 0);
    assert_int_equal(summary.findings, 0);
    reader_close(r);
    imported_release(&m->import);
    store_close(m->store);
    free(m->source);
    free(m->path);
}

static int64_t ours(struct merge *m, const char *sql)
{
    int64_t value;
    struct error e = {0};
    struct reader *r = reader_open(m->store, &e);
    if (db_int(reader_db(r), &value, 0, &e, sql, ""))
        fail_msg("%s", e.what);
    reader_close(r);
    return value;
}

static void assert_has(struct merge *m, const char *ref, const char *part)
{
    char *line = exported_line(m->store, ref);
    if (!line || !strstr(line, part))
        fail_msg("%s\nhas not %s", line, part);
    free(line);
}

static void assert_summary(const struct merge *m, int added, int updated, int unchanged,
                           int conflicts, int refused)
{
    const struct import_summary *s = &m->import.summary;
    if (s->added != added || s->updated != updated || s->unchanged != unchanged ||
        s->conflicts != conflicts || s->refused != refused)
        fail_msg("%lld added, %lld updated, %lld unchanged, %lld conflicts, %lld refused\n%s",
                 (long long)s->added, (long long)s->updated, (long long)s->unchanged,
                 (long long)s->conflicts, (long long)s->refused, m->import.lines.buf);
}

/* Our belief with another text, as a person would change it. */
static void edit_ours(struct merge *m, const char *text)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line,
                "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"%s\",\"created_at\":"
                "1767484800000,\"detail\":{\"belief_type\":\"fact\"},\"derived_from\":[\"raw:r1\"],"
                "\"marks\":[{\"mark\":\"reviewed\",\"at\":1,\"actor\":\"me\"}]}",
                text);
    scratch_replace(m->store, line.buf, "mine");
    strbuf_release(&line);
}

static void edit_theirs(struct merge *m, const char *text)
{
    struct strbuf sql = STRBUF_INIT;
    strbuf_addf(&sql, "UPDATE beliefs SET statement = '%s', version = version + 1", text);
    kernle_sql(m->source, sql.buf);
    strbuf_release(&sql);
}

/* ---- three ways ---- */

static void test_unchanged_writes_nothing(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    int64_t events = ours(&m, "SELECT count(*) FROM event");
    int64_t at = ours(&m, "SELECT last_at FROM origin");
    int64_t version = ours(&m, "PRAGMA data_version");
    struct strbuf log = STRBUF_INIT;
    size_t before_len, after_len;
    strbuf_addf(&log, "%s-wal", m.path);
    char *before = scratch_read(log.buf, &before_len);
    again(&m, false);
    assert_summary(&m, 0, 0, 4, 0, 0);
    char *after = scratch_read(log.buf, &after_len);
    assert_int_equal(before_len, after_len);
    assert_memory_equal(before, after, before_len);
    assert_int_equal(ours(&m, "SELECT count(*) FROM event"), events);
    assert_int_equal(ours(&m, "SELECT last_at FROM origin"), at);
    assert_int_equal(ours(&m, "PRAGMA data_version"), version);
    free(before);
    free(after);
    strbuf_release(&log);
    end(&m);
}

static void test_only_theirs_changed(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    edit_theirs(&m, "second");
    kernle_sql(m.source, "UPDATE raw_entries SET deleted = 1 WHERE id = 'r2';"
                         "INSERT INTO notes(id, stack_id, content, created_at, local_updated_at)"
                         " VALUES ('n', 'ash', 'new', '2026-01-05', '2026-01-05')");
    again(&m, false);
    assert_summary(&m, 1, 2, 2, 0, 0);
    assert_has(&m, "belief:b", "\"text\":\"second\"");
    assert_has(&m, "belief:b", "\"version\":2");
    assert_has(&m, "raw:r2", "\"status\":\"deleted\"");
    assert_int_equal(ours(&m, "SELECT count(*) FROM event WHERE operation = 'import'"), 7);
    assert_int_equal(ours(&m, "SELECT count(DISTINCT correlation) FROM event"), 2);
    assert_int_equal(ours(&m, "SELECT count(*) FROM event WHERE actor <> 'tester'"), 0);
    again(&m, false);
    assert_summary(&m, 0, 0, 5, 0, 0);
    end(&m);
}

static void test_only_ours_changed(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    edit_ours(&m, "mine");
    again(&m, false);
    assert_summary(&m, 0, 0, 4, 0, 0);
    assert_has(&m, "belief:b", "\"text\":\"mine\"");
    end(&m);
}

static void test_both_changed(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    edit_ours(&m, "mine");
    edit_theirs(&m, "theirs");
    again(&m, false);
    assert_summary(&m, 0, 0, 3, 1, 0);
    assert_int_equal(imported_said(&m.import, "belief:b: changed here and in the source"), 1);
    assert_has(&m, "belief:b", "\"text\":\"mine\"");
    /* It was told: only another change of the source is news. */
    again(&m, false);
    assert_summary(&m, 0, 0, 4, 0, 0);
    edit_theirs(&m, "theirs again");
    again(&m, false);
    assert_summary(&m, 0, 0, 3, 1, 0);
    assert_has(&m, "belief:b", "\"text\":\"mine\"");
    end(&m);
}

static void test_both_changed_alike(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    scratch_replace(m.store,
                    "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"agreed\",\"created_at\":"
                    "1767484800000,\"source_type\":\"direct_experience\",\"detail\":{"
                    "\"belief_type\":\"fact\"},\"justifications\":[{\"role\":\"derived_from\","
                    "\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":1767484800000,"
                    "\"antecedents\":[{\"ref\":\"raw:r1\"}]}]}",
                    "mine");
    edit_theirs(&m, "agreed");
    again(&m, false);
    assert_summary(&m, 0, 0, 4, 0, 0);
    edit_theirs(&m, "later");
    again(&m, false);
    assert_summary(&m, 0, 1, 3, 0, 0);
    end(&m);
}

static void test_replace(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    edit_ours(&m, "mine");
    again(&m, true);
    assert_summary(&m, 0, 1, 3, 0, 0);
    assert_has(&m, "belief:b", "\"text\":\"first\"");
    assert_has(&m, "belief:b", "\"marks\":[{\"mark\":\"reviewed\"");
    edit_ours(&m, "mine");
    edit_theirs(&m, "theirs");
    again(&m, true);
    assert_summary(&m, 0, 1, 3, 0, 0);
    assert_has(&m, "belief:b", "\"text\":\"theirs\"");
    end(&m);
}

/* ---- other origins ---- */

static void test_other_origin(void **state)
{
    (void)state;
    struct merge m;
    struct imported lines;
    struct import_options replace = {.replace = true};
    begin(&m);
    char *same = exported_line(m.store, "belief:b");
    import_lines(&lines, m.store, same, NULL);
    assert_int_equal(lines.summary.unchanged, 1);
    imported_release(&lines);
    const char *other = "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"other\","
                        "\"created_at\":1767484800000}";
    import_lines(&lines, m.store, other, NULL);
    assert_int_equal(lines.summary.refused, 1);
    assert_int_equal(imported_said(&lines, "line 1: belief:b: is here from elsewhere"), 1);
    imported_release(&lines);
    assert_has(&m, "belief:b", "\"text\":\"first\"");
    import_lines(&lines, m.store, other, &replace);
    assert_int_equal(lines.summary.updated, 1);
    imported_release(&lines);
    assert_has(&m, "belief:b", "\"text\":\"other\"");
    again(&m, false); /* now it is the file's */
    assert_summary(&m, 0, 0, 3, 0, 1);
    free(same);
    end(&m);
}

static void test_made_here(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    scratch_put(m.store, "{\"ref\":\"note:mine\",\"agent_id\":\"ash\",\"text\":\"here\"}");
    kernle_sql(m.source, "INSERT INTO notes(id, stack_id, content, created_at, local_updated_at)"
                         " VALUES ('mine', 'ash', 'there', '2026-01-05', '2026-01-05')");
    again(&m, false);
    assert_summary(&m, 0, 0, 4, 0, 1);
    assert_has(&m, "note:mine", "\"text\":\"here\"");
    end(&m);
}

/* ---- which source it is ---- */

static void move_source(struct merge *m)
{
    char *moved = scratch_path("moved.db");
    scratch_copy(m->source, moved);
    assert_int_equal(unlink(m->source), 0);
    free(m->source);
    m->source = moved;
}

#define GROWN                                                                                      \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"                \
    " INSERT INTO notes(id, stack_id, content, created_at, local_updated_at)"                      \
    " SELECT 'n' || i, 'ash', 'note', '2026-02-01', '2026-02-01' FROM n"

static void test_moved_and_grown(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    char *before = strdup(m.source);
    move_source(&m);
    edit_theirs(&m, "second");
    kernle_sql(m.source, GROWN);
    again(&m, false);
    assert_summary(&m, 500, 1, 3, 0, 0);
    assert_int_equal(ours(&m, "SELECT count(*) FROM origin"), 1);
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "taken for %s, moved", before);
    assert_int_equal(imported_said(&m.import, line.buf), 1);
    /* It is known by its new path from now on. */
    again(&m, false);
    assert_int_equal(imported_said(&m.import, "moved"), 0);
    strbuf_release(&line);
    free(before);
    end(&m);
}

/* The original goes on beside it: what the two say differently is not merged. */
static void test_copied_and_grown(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    char *before = m.source;
    m.source = scratch_path("copy.db");
    scratch_copy(before, m.source);
    edit_theirs(&m, "second");
    kernle_sql(m.source, GROWN);
    again(&m, false);
    assert_summary(&m, 500, 0, 3, 0, 1);
    assert_int_equal(imported_said(&m.import, "belief:b: is here from elsewhere"), 1);
    assert_int_equal(imported_said(&m.import, "moved"), 0);
    assert_int_equal(ours(&m, "SELECT count(*) FROM origin"), 2);
    free(m.source);
    m.source = before;
    again(&m, false);
    assert_summary(&m, 0, 0, 4, 0, 0);
    assert_has(&m, "belief:b", "\"text\":\"first\"");
    end(&m);
}

/* What the source does not have any more is kept, told once, and counted each time. */
static void test_what_is_gone(void **state)
{
    (void)state;
    static const char gone[] = "belief:b is no longer in the source; kept here";
    struct merge m;
    begin(&m);
    kernle_sql(m.source, "CREATE TABLE kept AS SELECT * FROM beliefs; DELETE FROM beliefs");
    imported_release(&m.import);
    import_kernle_from(&m.import, m.store, m.source, &(struct import_options){.dry_run = true});
    assert_int_equal(imported_said(&m.import, gone), 1);
    again(&m, false);
    assert_int_equal(imported_said(&m.import, gone), 1);
    int64_t count = m.import.summary.gone;
    assert_true(count >= 1);
    assert_has(&m, "belief:b", "\"text\":\"first\"");
    again(&m, false);
    assert_int_equal(imported_said(&m.import, "no longer"), 0);
    assert_int_equal(m.import.summary.gone, count);
    /* It comes back as it was, and goes on as before. */
    kernle_sql(m.source, "INSERT INTO beliefs SELECT * FROM kept");
    again(&m, false);
    assert_summary(&m, 0, 0, 4, 0, 0);
    assert_int_equal(m.import.summary.gone, 0);
    edit_theirs(&m, "second");
    again(&m, false);
    assert_summary(&m, 0, 1, 3, 0, 0);
    end(&m);
}

/* The same ids, made at another time, by another store. */
static void test_another_store(void **state)
{
    (void)state;
    struct merge m;
    begin(&m);
    free(m.source);
    m.source = scratch_path("other.db");
    kernle_make(m.source, 26,
                "INSERT INTO beliefs(id, stack_id, statement, created_at, local_updated_at)"
                " VALUES ('b', 'ash', 'another', '2026-05-04', '2026-05-04'),"
                " ('c', 'ash', 'new', '2026-05-04', '2026-05-04')");
    again(&m, false);
    assert_summary(&m, 1, 0, 0, 0, 1);
    assert_has(&m, "belief:b", "\"text\":\"first\"");
    assert_int_equal(ours(&m, "SELECT count(*) FROM origin"), 2);
    end(&m);
}

#define LINE(id, text)                                                                             \
    "{\"ref\":\"raw:" id "\",\"agent_id\":\"ash\",\"text\":\"" text "\",\"created_at\":1}\n"

static void write_lines(const char *path, const char *lines)
{
    scratch_write(path, lines, strlen(lines));
}

static void import_file(struct imported *out, struct store *s, const char *path)
{
    imported_release(out);
    import_lines_from(out, s, path, NULL);
}

static void test_files(void **state)
{
    (void)state;
    char *path = scratch_path("store.db"), *file = scratch_path("a.jsonl");
    char *copy = scratch_path("b.jsonl"), *other = scratch_path("c.jsonl");
    struct store *s = kernle_target(path);
    struct imported import = {.lines = STRBUF_INIT};
    write_lines(file, LINE("1", "a") LINE("2", "b") LINE("3", "c"));
    import_file(&import, s, file);
    assert_int_equal(import.summary.added, 3);
    /* The same file, edited. */
    write_lines(file, LINE("1", "changed") LINE("2", "b") LINE("3", "c"));
    import_file(&import, s, file);
    assert_int_equal(import.summary.updated, 1);
    /* A copy of it, grown and edited elsewhere. */
    write_lines(copy, LINE("0", "new") LINE("1", "changed") LINE("2", "b") LINE("3", "edited"));
    import_file(&import, s, copy);
    assert_int_equal(import.summary.added, 1);
    assert_int_equal(import.summary.refused, 1); /* half are as they were: that is not enough */
    write_lines(copy, LINE("0", "new") LINE("1", "changed") LINE("2", "b") LINE("3", "c")
                          LINE("4", "newer"));
    import_file(&import, s, copy);
    assert_int_equal(import.summary.unchanged, 4);
    assert_int_equal(import.summary.added, 1);
    assert_int_equal(import.summary.refused, 0);
    /* Another file that happens to name one of them. */
    write_lines(other, LINE("1", "other") LINE("9", "its own"));
    import_file(&import, s, other);
    assert_int_equal(import.summary.added, 1);
    assert_int_equal(import.summary.refused, 1);
    imported_release(&import);
    store_close(s);
    free(path);
    free(file);
    free(copy);
    free(other);
}

static void test_file_moved(void **state)
{
    (void)state;
    char *path = scratch_path("store.db"), *file = scratch_path("a.jsonl");
    char *moved = scratch_path("b.jsonl");
    struct store *s = kernle_target(path);
    struct imported import = {.lines = STRBUF_INIT};
    write_lines(file, LINE("1", "a") LINE("2", "b") LINE("3", "c"));
    import_file(&import, s, file);
    assert_int_equal(rename(file, moved), 0);
    write_lines(moved, LINE("1", "a") LINE("2", "b") LINE("3", "edited"));
    import_file(&import, s, moved);
    assert_int_equal(imported_said(&import, "a.jsonl, moved"), 1);
    assert_int_equal(import.summary.updated, 1);
    assert_int_equal(import.summary.unchanged, 2);
    /* It is known by its new path from now on. */
    write_lines(moved, LINE("1", "x") LINE("2", "y") LINE("3", "z"));
    import_file(&import, s, moved);
    assert_int_equal(import.summary.updated, 3);
    imported_release(&import);
    store_close(s);
    free(path);
    free(file);
    free(moved);
}

/* A line that says no time is the same line tomorrow, and keeps the time it had. */
static void test_undated_lines(void **state)
{
    (void)state;
    char *path = scratch_path("store.db"), *file = scratch_path("a.jsonl");
    struct store *s = scratch_store(path); /* whose clock goes on */
    struct imported import = {.lines = STRBUF_INIT};
    write_lines(file, "{\"ref\":\"raw:1\",\"agent_id\":\"ash\",\"text\":\"a\"}");
    import_file(&import, s, file);
    char *first = exported_line(s, "raw:1");
    import_file(&import, s, file);
    assert_int_equal(import.summary.unchanged, 1);
    write_lines(file, "{\"ref\":\"raw:1\",\"agent_id\":\"ash\",\"text\":\"b\"}");
    import_file(&import, s, file);
    assert_int_equal(import.summary.updated, 1);
    char *second = exported_line(s, "raw:1");
    const char *created = strstr(first, "\"created_at\":");
    assert_non_null(created);
    assert_memory_equal(created, strstr(second, "\"created_at\":"), 26);
    free(first);
    free(second);
    imported_release(&import);
    store_close(s);
    free(path);
    free(file);
}

/* A memory that was only named is filled when it comes. */
static void test_stub_is_filled(void **state)
{
    (void)state;
    char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    struct imported import;
    import_lines(&import, s,
                 "{\"ref\":\"note:n\",\"agent_id\":\"ash\",\"derived_from\":[\"raw:1\"]}", NULL);
    assert_int_equal(import.summary.unresolved, 1);
    assert_int_equal(imported_said(&import, "note:n: names raw:1, which is not here"), 1);
    imported_release(&import);
    /* It is counted again, and told once. */
    import_lines(&import, s,
                 "{\"ref\":\"note:n\",\"agent_id\":\"ash\",\"derived_from\":[\"raw:1\"]}", NULL);
    assert_int_equal(import.summary.unchanged, 1);
    assert_int_equal(import.summary.unresolved, 1);
    assert_string_equal(import.lines.buf, "");
    imported_release(&import);
    import_lines(&import, s, LINE("1", "a"), NULL);
    assert_int_equal(import.summary.added, 1);
    assert_int_equal(import.summary.unresolved, 0);
    imported_release(&import);
    store_close(s);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unchanged_writes_nothing),
        cmocka_unit_test(test_only_theirs_changed),
        cmocka_unit_test(test_only_ours_changed),
        cmocka_unit_test(test_both_changed),
        cmocka_unit_test(test_both_changed_alike),
        cmocka_unit_test(test_replace),
        cmocka_unit_test(test_other_origin),
        cmocka_unit_test(test_made_here),
        cmocka_unit_test(test_moved_and_grown),
        cmocka_unit_test(test_copied_and_grown),
        cmocka_unit_test(test_what_is_gone),
        cmocka_unit_test(test_another_store),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_file_moved),
        cmocka_unit_test(test_undated_lines),
        cmocka_unit_test(test_stub_is_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
