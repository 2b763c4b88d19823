/* Files of exchange lines, well formed and not. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/support/scratch.h"
#include "tests/support/kernle_fixture.h"

struct fresh {
    char *path;
    struct store *store;
    struct imported import;
};

static void open_fresh(struct fresh *f)
{
    f->path = scratch_path("store.db");
    f->store = kernle_target(f->path);
}

static void take(struct fresh *f, const char *lines)
{
    open_fresh(f);
    import_lines(&f->import, f->store, lines, &(struct import_options){.agent = "ash"});
}

static void leave(struct fresh *f)
{
    imported_release(&f->import);
    store_close(f->store);
    free(f->path);
}

static size_t count_lines(struct store *s)
{
    char *all = exported(s);
    size_t count = 0;
    for (const char *at = all; (at = strchr(at, '\n')); at++)
        count++;
    free(all);
    return count;
}

#define RAW(id, text) "{\"ref\":\"raw:" id "\",\"text\":\"" text "\",\"created_at\":1767225600000}"

/* ---- line ends ---- */

static void test_line_ends(void **state)
{
    (void)state;
    static const char *const forms[] = {
        RAW("1", "a") "\n" RAW("2", "b") "\n",
        RAW("1", "a") "\n" RAW("2", "b"),
        RAW("1", "a") "\r\n" RAW("2", "b") "\r\n",
        "\xef\xbb\xbf" RAW("1", "a") "\n" RAW("2", "b") "\n",
        "\n\n  \t\n" RAW("1", "a") "\n\r\n\n" RAW("2", "b") "\n\n",
        "  " RAW("1", "a") "  \n\t" RAW("2", "b") "\t",
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        struct fresh f;
        take(&f, forms[i]);
        assert_string_equal(f.import.lines.buf, "");
        assert_int_equal(f.import.summary.added, 2);
        assert_int_equal(f.import.summary.by_kind[KIND_RAW], 2);
        leave(&f);
    }
    struct fresh f;
    take(&f, "");
    assert_int_equal(f.import.summary.read, 0);
    assert_string_equal(f.import.lines.buf, "");
    leave(&f);
}

/* ---- bad lines ---- */

static void test_bad_lines_stand_alone(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "not json",
        "[]",
        "{}",
        "{\"ref\":\"raw\"}",
        "{\"ref\":\"nokind:1\",\"text\":\"a\"}",
        "{\"ref\":\"raw:1\",\"confidence\":2}",
        "{\"ref\":\"raw:1\"",
        "\"raw:1\"",
        "null",
        "\x01",
        "{\"ref\":\"raw:1\",\"ref\":\"raw:2\"}",
        "{\"next\":\"abc\"}",
        "{\"ref\":\"raw:1\",\"status\":\"missing\"}",
    };
    struct strbuf lines = STRBUF_INIT;
    struct fresh f;
    size_t count = sizeof(bad) / sizeof(*bad);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&lines, "%s\n{\"ref\":\"note:%zu\",\"text\":\"good\"}\n", bad[i], i);
    take(&f, lines.buf);
    assert_int_equal(f.import.summary.not_understood, count);
    assert_int_equal(f.import.summary.added, count);
    for (size_t i = 0; i < count; i++) {
        char start[32];
        snprintf(start, sizeof(start), "line %zu: ", 2 * i + 1);
        assert_int_equal(imported_said(&f.import, start), 1);
    }
    assert_int_equal(count_lines(f.store), count);
    leave(&f);
    strbuf_release(&lines);
}

static void test_binary_lines(void **state)
{
    (void)state;
    static const char bytes[] =
        RAW("1", "a") "\n\0\xff\xfe\0\n" RAW("2", "\xff") "\n" RAW("3", "c");
    struct fresh f;
    char *file = scratch_path("lines.jsonl");
    scratch_write(file, bytes, sizeof(bytes) - 1);
    open_fresh(&f);
    import_lines_from(&f.import, f.store, file, &(struct import_options){.agent = "ash"});
    assert_int_equal(f.import.summary.added, 3);
    assert_int_equal(f.import.summary.not_understood, 1);
    char *line = exported_line(f.store, "raw:2");
    assert_non_null(strstr(line, "\"detail\":{\"original\":\"/w==\"}"));
    free(line);
    free(file);
    leave(&f);
}

static void test_long_lines(void **state)
{
    (void)state;
    struct strbuf lines = STRBUF_INIT;
    struct fresh f;
    strbuf_addstr(&lines, "{\"ref\":\"raw:1\",\"text\":\"");
    strbuf_addchars(&lines, 'x', 1 << 20);
    strbuf_addstr(&lines, "\"}\n{\"ref\":\"raw:2\",\"text\":\"");
    strbuf_addchars(&lines, 'y', 65 << 20);
    strbuf_addstr(&lines, "\"}\n{\"ref\":\"raw:3\",\"text\":\"after\"}\n");
    strbuf_addchars(&lines, 'z', 65 << 20);
    take(&f, lines.buf);
    strbuf_release(&lines);
    assert_int_equal(f.import.summary.added, 2);
    assert_int_equal(f.import.summary.not_understood, 2);
    assert_int_equal(imported_said(&f.import, "line 2: is longer than 64 MiB"), 1);
    assert_int_equal(imported_said(&f.import, "line 4: is longer than 64 MiB"), 1);
    leave(&f);
}

static void test_unknown_members(void **state)
{
    (void)state;
    struct fresh f;
    take(&f, "{\"ref\":\"raw:1\",\"text\":\"a\",\"mood\":1}\n"
             "{\"ref\":\"raw:2\",\"text\":\"a\",\"mood\":2,\"colour\":\"red\",\"label\":\"gone\"}");
    assert_int_equal(f.import.summary.added, 2);
    assert_int_equal(imported_said(&f.import, "line 1: a member that is not known; left out: mood"),
                     1);
    assert_int_equal(
        imported_said(&f.import, "line 2: members that are not known; left out: mood, colour"), 1);
    assert_int_equal(imported_said(&f.import, ""), 2);
    assert_int_equal(f.import.summary.not_understood, 2);
    leave(&f);
}

static void test_many_unknown_members(void **state)
{
    (void)state;
    struct strbuf lines = STRBUF_INIT;
    struct fresh f;
    for (int i = 0; i < 30; i++)
        strbuf_addf(&lines, "{\"ref\":\"raw:%d\",\"text\":\"a\",\"mood\":1}\n", i);
    take(&f, lines.buf);
    assert_int_equal(f.import.summary.not_understood, 30);
    assert_int_equal(imported_said(&f.import, "left out: mood"), 20);
    assert_int_equal(imported_said(&f.import, "10 more lines have members"), 1);
    leave(&f);
    strbuf_release(&lines);
}

/* What can hardly be meant is kept and told. */
static void test_doubts(void **state)
{
    (void)state;
    static const char lines[] =
        "{\"ref\":\"belief:1\",\"text\":\"a\",\"history\":[{\"at\":1,\"old\":-0.5,\"new\":7}]}\n"
        "{\"ref\":\"belief:2\",\"text\":\"a\",\"history\":[{\"at\":1,\"old\":0,\"new\":1}]}\n"
        "{\"ref\":\"raw:3\",\"text\":\"secret\",\"status\":\"purged\"}\n"
        "{\"ref\":\"raw:4\",\"text\":\"\",\"status\":\"purged\"}\n"
        "{\"ref\":\"note:5\",\"text\":\"a\",\"annotations\":[\"raw:x\",\"context:raw:y\"]}\n"
        "{\"ref\":\"attribution:6\",\"text\":\"a\",\"detail\":{\"full_content_hash\":\"abc\"}}\n"
        "{\"ref\":\"attribution:7\",\"text\":\"a\",\"detail\":{\"full_content_hash\":"
        "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF\"}}\n"
        "{\"ref\":\"attribution:8\",\"text\":\"a\",\"detail\":{\"full_content_hash\":null}}\n";
    struct fresh f;
    take(&f, lines);
    assert_int_equal(f.import.summary.added, 8);
    assert_int_equal(f.import.summary.not_understood, 5);
    assert_int_equal(imported_said(&f.import, ""), 5);
    assert_int_equal(imported_said(&f.import, "line 1: belief:1: history[0]: old is not"), 1);
    assert_int_equal(imported_said(&f.import, "line 1: belief:1: history[0]: new is not"), 1);
    assert_int_equal(imported_said(&f.import, "line 3: raw:3: is purged, and has a text"), 1);
    assert_int_equal(imported_said(&f.import, "line 5: note:5: the annotation raw:x is a ref"), 1);
    assert_int_equal(imported_said(&f.import, "line 6: attribution:6: full_content_hash is"), 1);
    leave(&f);
}

/* A place that is none refuses its line, and says what is right. */
static void test_places(void **state)
{
    (void)state;
    struct fresh f;
    take(&f,
         "{\"ref\":\"step:1\",\"agent_id\":\"a\",\"text\":\"q\",\"detail\":{\"step_number\":-1}}\n"
         "{\"ref\":\"citation:2\",\"agent_id\":\"a\",\"text\":\"s\",\"detail\":{\"page\":\"x\"}}\n"
         "{\"ref\":\"citation:3\",\"agent_id\":\"a\",\"text\":\"s\",\"detail\":{\"page\":null}}\n"
         "{\"ref\":\"step:4\",\"agent_id\":\"a\",\"text\":\"q\",\"detail\":{\"step_number\":2,"
         "\"page\":\"x\"}}");
    assert_int_equal(f.import.summary.added, 2);
    assert_int_equal(f.import.summary.not_understood, 2);
    assert_int_equal(imported_said(&f.import, "line 1: detail: step_number is -1; give a whole"),
                     1);
    assert_int_equal(imported_said(&f.import, "line 2: detail: page is \"x\"; give a whole"), 1);
    leave(&f);
}

static void test_without_an_agent(void **state)
{
    (void)state;
    struct fresh f;
    open_fresh(&f);
    import_lines(&f.import, f.store, RAW("1", "a") "\n{\"ref\":\"raw:2\",\"agent_id\":\"claire\"}",
                 NULL);
    assert_int_equal(f.import.summary.added, 1);
    assert_int_equal(imported_said(&f.import, "line 1: agent_id is missing"), 1);
    leave(&f);
}

/* ---- refs ---- */

static void test_any_order(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"ref\":\"belief:b\",\"text\":\"b\",\"created_at\":1,\"derived_from\":[\"belief:c\"]}",
        ("{\"ref\":\"belief:c\",\"text\":\"c\",\"created_at\":1,\"derived_from\":[\"raw:r\"],"
         "\"supersedes\":\"belief:old\"}"),
        "{\"ref\":\"raw:r\",\"text\":\"r\",\"created_at\":1,\"processed_into\":[\"belief:c\"]}",
    };
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    char *first = NULL;
    for (size_t i = 0; i < 6; i++) {
        struct strbuf file = STRBUF_INIT;
        struct fresh f;
        for (size_t k = 0; k < 3; k++)
            strbuf_addf(&file, "%s\n", lines[orders[i][k]]);
        take(&f, file.buf);
        assert_int_equal(f.import.summary.added, 3);
        assert_int_equal(f.import.summary.unresolved, 1);
        assert_int_equal(f.import.summary.links, 4);
        assert_int_equal(imported_said(&f.import, "belief:c: names belief:old, which is not here"),
                         1);
        char *all = exported(f.store);
        if (first)
            assert_string_equal(all, first);
        else
            first = strdup(all);
        free(all);
        leave(&f);
        strbuf_release(&file);
    }
    free(first);
}

/* Every ref of an import is exact: a prefix names something else. */
static void test_refs_are_exact(void **state)
{
    (void)state;
    struct fresh f;
    take(&f, "{\"ref\":\"raw:abcdef01-2345-4789-8abc-def012345678\",\"text\":\"whole\"}\n"
             "{\"ref\":\"note:n\",\"text\":\"n\",\"derived_from\":[\"raw:abcdef01\"]}");
    assert_int_equal(f.import.summary.unresolved, 1);
    char *line = exported_line(f.store, "note:n");
    assert_non_null(strstr(line, "{\"ref\":\"raw:abcdef01\"}"));
    free(line);
    leave(&f);
}

static void test_twice_in_one_file(void **state)
{
    (void)state;
    struct fresh f;
    take(&f, RAW("1", "first") "\n" RAW("1", "first") "\n" RAW("1", "second") "\n" RAW("2", "b"));
    assert_int_equal(f.import.summary.read, 4);
    assert_int_equal(f.import.summary.added, 2);
    assert_int_equal(f.import.summary.unchanged, 1);
    assert_int_equal(f.import.summary.repeated, 1);
    assert_int_equal(
        imported_said(&f.import, "line 3: raw:1: stands there twice, with other content"), 1);
    char *line = exported_line(f.store, "raw:1");
    assert_non_null(strstr(line, "\"text\":\"first\""));
    free(line);
    leave(&f);
}

/* ---- sources ---- */

static void test_no_such_file(void **state)
{
    (void)state;
    struct fresh f;
    struct import_options options = {.agent = "ash"};
    struct error e = {0};
    open_fresh(&f);
    char *path = scratch_path("none.jsonl");
    assert_int_equal(import_jsonl(f.store, path, &options, &f.import.summary, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    assert_int_equal(import_jsonl(f.store, "tests", &options, &f.import.summary, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    scratch_copy("tests/data/kernle-demo.db", path);
    assert_int_equal(import_jsonl(f.store, path, &options, &f.import.summary, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    assert_non_null(strstr(e.todo, "import kernle"));
    store_close(f.store);
    free(f.path);
    free(path);
}

static void import_stream(struct imported *out, struct store *s, const char *lines)
{
    int ends[2], saved = dup(0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], lines, strlen(lines)), strlen(lines));
    close(ends[1]);
    dup2(ends[0], 0);
    close(ends[0]);
    import_lines_from(out, s, "-", &(struct import_options){.agent = "ash"});
    dup2(saved, 0);
    close(saved);
}

static void test_standard_input(void **state)
{
    (void)state;
    struct fresh f;
    open_fresh(&f);
    import_stream(&f.import, f.store, RAW("1", "a") "\n" RAW("2", "b") "\n" RAW("3", "c"));
    assert_int_equal(f.import.summary.added, 3);
    imported_release(&f.import);
    /* Most of it is as it was: the same source again. */
    import_stream(&f.import, f.store, RAW("1", "a") "\n" RAW("2", "b") "\n" RAW("3", "changed"));
    assert_int_equal(f.import.summary.updated, 1);
    imported_release(&f.import);
    /* Another one, which says something else of what is here. */
    import_stream(&f.import, f.store, RAW("0", "new") "\n" RAW("1", "clash"));
    assert_int_equal(f.import.summary.added, 1);
    assert_int_equal(f.import.summary.refused, 1);
    leave(&f);
}

static void test_read_only_and_dry_run(void **state)
{
    (void)state;
    struct fresh f;
    struct imported dry;
    size_t before_len, after_len;
    char *file = scratch_path("lines.jsonl");
    const char *lines = RAW("1", "changed") "\n" RAW(
        "2", "new") "\n"
                    "{\"ref\":\"note:n\",\"text\":\"n\",\"derived_from\":[\"raw:2\",\"raw:9\"]}";
    take(&f, RAW("1", "a"));
    store_close(f.store);
    struct store_options read_only = {.read_only = true};
    f.store = scratch_store_with(f.path, &read_only);
    scratch_write(file, lines, strlen(lines));
    struct import_options options = {.agent = "ash"};
    struct error e = {0};
    assert_int_equal(import_jsonl(f.store, file, &options, &f.import.summary, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    char *before = scratch_read(f.path, &before_len);
    options.dry_run = true;
    import_lines_from(&dry, f.store, file, &options);
    assert_int_equal(dry.summary.read, 3);
    assert_int_equal(dry.summary.added, 2);
    assert_int_equal(dry.summary.refused, 1);
    assert_int_equal(dry.summary.unresolved, 1);
    assert_int_equal(imported_said(&dry, "raw:9"), 1);
    char *after = scratch_read(f.path, &after_len);
    assert_int_equal(before_len, after_len);
    assert_memory_equal(before, after, before_len);
    imported_release(&dry);
    free(before);
    free(after);
    free(file);
    leave(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_bad_lines_stand_alone),
        cmocka_unit_test(test_binary_lines),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_many_unknown_members),
        cmocka_unit_test(test_doubts),
        cmocka_unit_test(test_unknown_members),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_without_an_agent),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_refs_are_exact),
        cmocka_unit_test(test_twice_in_one_file),
        cmocka_unit_test(test_no_such_file),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_read_only_and_dry_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
