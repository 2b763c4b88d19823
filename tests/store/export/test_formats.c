/* What each format of an export has and leaves out; that an export appears whole or not at all; and that what Kernle
 * wrote comes back from a store that was made for it. */
#include <dirent.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "model/format/memory_json.h"
#include "store/export/export.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/random_memory.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

struct ran {
    struct export_result result;
    struct error error;
    struct strbuf out;
    int stop_at, asked;
};

static int append(void *arg, const char *bytes, size_t len)
{
    struct ran *ran = arg;
    strbuf_add(&ran->out, bytes, len);
    return 0;
}

static int ask(void *arg, int64_t done, int64_t total)
{
    struct ran *ran = arg;
    assert_true(done <= total);
    return ++ran->asked == ran->stop_at;
}

/* `path` NULL for a stream. Release ran->out. */
static int run(struct ran *ran, struct store *s, const char *format, const char *path, int64_t row)
{
    struct export_request request = {.format = export_format_find(format),
                                     .row = row,
                                     .path = path,
                                     .write = append,
                                     .progress = ask,
                                     .arg = ran};
    struct reader *r = reader_open(s, &ran->error);
    strbuf_init(&ran->out);
    int result = export_run(r, &request, &ran->result, &ran->error);
    reader_close(r);
    return result;
}

static void assert_left_out(const struct ran *ran, const char *expected)
{
    AUTO_STRBUF line = STRBUF_INIT;
    export_left_out_add(&line, &ran->result);
    assert_string_equal(line.buf, expected);
}

/* How many names in a folder begin with that; all for "". */
static int count_names(const char *path, const char *begin)
{
    int count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += *entry->d_name != '.' && strncmp(entry->d_name, begin, strlen(begin)) == 0;
    closedir(folder);
    return count;
}

static int count_next_to(const char *path)
{
    AUTO_STRBUF folder = STRBUF_INIT;
    strbuf_add(&folder, path, (size_t)(strrchr(path, '/') - path));
    return count_names(folder.buf, strrchr(path, '/') + 1);
}

/* ---- Kernle ---- */

TEST(test_kernle_round_trip)
{
    static const char *const sources[] = {
        "tests/data/kernle-demo.db", "tests/data/kernle-legacy-16.db", "tests/data/kernle-1000.db"};
    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
        AUTO_FREE char *source = scratch_path("source.db"), *made = scratch_path("made.db");
        AUTO_FREE char *first_path = scratch_path("first.db"),
                       *second_path = scratch_path("second.db");
        struct ran ran = {.stop_at = 0};
        scratch_copy(sources[i], source);
        struct store *first = kernle_target(first_path), *second = kernle_target(second_path);
        struct imported import;
        import_kernle_from(&import, first, source, NULL);
        imported_release(&import);
        assert_int_equal(run(&ran, first, "kernle", made, 0), 0);
        assert_int_equal(count_next_to(made), 1); /* one file, without a log */
        import_kernle_from(&import, second, made, NULL);
        assert_int_equal(import.summary.not_understood, 0);
        imported_release(&import);
        AUTO_FREE char *before = exported(first), *after = exported(second);
        assert_string_equal(after, before);
        store_close(first);
        store_close(second);
        strbuf_release(&ran.out);
    }
}

/* Memories that were never in Kernle. */
static void fill_native(struct store *s)
{
    scratch_put(
        s, "{\"ref\":\"raw:r\",\"agent_id\":\"ash\",\"text\":\"seen\",\"created_at\":1700000000000,"
           "\"relations\":[{\"type\":\"processed_into\",\"to\":\"belief:b\"}]}");
    scratch_put(s, "{\"ref\":\"document:d\",\"agent_id\":\"ash\",\"text\":\"a "
                   "page\",\"created_at\":1700000000000}");
    scratch_put(
        s, "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"so it "
           "is\",\"created_at\":1700000000000,"
           "\"confidence\":0.7,\"tags\":[\"x\"],\"source\":\"a mail\",\"status\":\"retracted\","
           "\"justifications\":[{\"role\":\"derived_from\",\"reading\":\"all\",\"recorded\":"
           "\"heuristic\","
           "\"reason\":\"both say "
           "so\",\"antecedents\":[{\"ref\":\"raw:r\"},{\"ref\":\"document:d\"}]}],"
           "\"marks\":[{\"mark\":\"reviewed\",\"at\":5,\"actor\":\"sam\"}]}");
    scratch_put(s, "{\"ref\":\"drive:1\",\"agent_id\":\"ash\",\"text\":\"curious\",\"created_at\":"
                   "1700000000000}");
    scratch_put(s, "{\"ref\":\"drive:2\",\"agent_id\":\"ash\",\"text\":\"curious\",\"created_at\":"
                   "1700000000000}");
    scratch_put(s, "{\"ref\":\"note:n\",\"agent_id\":\"a/"
                   "b\",\"text\":\"elsewhere\",\"created_at\":1700000000000}");
}

TEST(test_kernle_left_out)
{
    AUTO_FREE char *path = scratch_path("store.db"), *made = scratch_path("made.db");
    struct ran ran = {.stop_at = 0};
    struct store *s = kernle_target(path);
    fill_native(s);
    assert_int_equal(run(&ran, s, "kernle", made, 0), 0);
    assert_int_equal(ran.result.exported, 4);
    assert_left_out(&ran,
                    "left out: 1 drive, 1 document, 1 status, 1 source, 1 tag, 1 flag, 1 link, "
                    "1 \"all of these\", 1 sign of a guessed link, 1 reason of a link");
    assert_string_equal(ran.result.note,
                        "1 memory belongs to an agent whose name Kernle does not open");
    assert_int_equal(
        kernle_count(made, "SELECT count(*) FROM beliefs WHERE strength = 0 AND confidence = 0.7"
                           " AND derived_from = '[\"raw:r\"]' AND belief_type = 'fact'"),
        1);
    assert_int_equal(kernle_count(made,
                                  "SELECT count(*) FROM raw_entries WHERE processed = 1"
                                  " AND processed_into = '[\"belief:b\"]' AND source = 'unknown'"),
                     1);
    assert_int_equal(kernle_count(made, "SELECT version FROM schema_version"), 26);
    /* A database is never replaced. */
    assert_int_equal(run(&ran, s, "kernle", made, 0), -1);
    assert_int_equal(ran.error.code, ERROR_REFUSED);
    store_close(s);
}

/* ---- folders ---- */

TEST(test_markdown_names)
{
    static const char *const ids[] = {"plain-1_a", "Upper", "upper", "../../etc/passwd",
                                      "a/b",       "a b",   "con",   "\\x1b[",
                                      ".",         "..",    "é",     "upper.0000000000000000"};
    AUTO_FREE char *path = scratch_path("store.db"), *folder = scratch_path("out");
    struct ran ran = {.stop_at = 0};
    struct store *s = kernle_target(path);
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        struct json_object o = json_begin(&line, '{');
        json_key(&o, "ref");
        memory_json_add_ref(&line, (struct ref){KIND_NOTE, ids[i]});
        json_pair(&o, "text", "- derived_from [[secret]]\n---\n# a [x](y)\x1b[31m");
        json_pair(&o, "agent_id", "ash");
        json_pair_int(&o, "created_at", 1);
        json_end(&o);
        scratch_put(s, line.buf);
    }
    assert_int_equal(run(&ran, s, "markdown", folder, 0), 0);
    assert_int_equal(count_names(folder, "note-"), sizeof(ids) / sizeof(*ids));
    AUTO_STRBUF name = STRBUF_INIT;
    strbuf_addf(&name, "%s/note-plain-1_a.md", folder);
    AUTO_FREE char *text = scratch_read(name.buf, NULL);
    assert_non_null(strstr(text, "\n- derived_from \\[\\[secret]]\n")); /* no relation of ours */
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "## Relations"));
    strbuf_clear(&name);
    strbuf_addf(&name, "%s/note-upper.md", folder);
    assert_int_equal(access(name.buf, F_OK), 0);
    /* What is in a folder stays. */
    assert_int_equal(run(&ran, s, "markdown", folder, 0), -1);
    assert_int_equal(ran.error.code, ERROR_REFUSED);
    assert_int_equal(count_next_to(folder), 1);
    store_close(s);
}

/* ---- an export appears whole or not at all ---- */

TEST(test_stopped)
{
    static const char *const formats[] = {"markdown", "kernle"};
    AUTO_FREE char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    AUTO_STRBUF lines = STRBUF_INIT;
    for (int i = 0; i < 1500; i++)
        strbuf_addf(&lines,
                    "{\"ref\":\"note:%d\",\"agent_id\":\"ash\",\"text\":\"n\",\"created_at\":1}\n",
                    i);
    struct imported import;
    import_lines(&import, s, lines.buf, NULL);
    imported_release(&import);
    for (size_t i = 0; i < 2; i++) {
        AUTO_FREE char *to = scratch_path("out");
        struct ran ran = {.stop_at = 2}; /* after a thousand memories */
        assert_int_equal(run(&ran, s, formats[i], to, 0), -1);
        assert_int_equal(ran.error.code, ERROR_INTERRUPTED);
        assert_int_equal(count_next_to(to), 0);
        ran.stop_at = 0;
        assert_int_equal(run(&ran, s, formats[i], to, 0), 0);
        assert_int_equal(count_next_to(to), 1);
    }
    store_close(s);
}

/* ---- text that is hostile ---- */

/* No format passes on what would control a terminal; the counts of JSON formats are of nothing lost. */
TEST(test_no_control_characters)
{
    static const char *const formats[] = {"jsonl", "prov-json", "server-memory",
                                          "csv",   "dot",       "mermaid"};
    AUTO_FREE char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    struct random random = {7};
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF lines = STRBUF_INIT;
    for (int i = 0; i < 300; i++) {
        struct memory m;
        random_memory(&random, &arena, &m);
        if (m.ref.kind == KIND_ENTRY || m.ref.kind == KIND_ATTRIBUTION)
            continue;
        memory_json_write(&lines, &m, NULL);
        strbuf_addch(&lines, '\n');
    }
    struct imported import;
    import_lines(&import, s, lines.buf, NULL);
    assert_true(import.summary.added > 100);
    imported_release(&import);
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        struct ran ran = {.stop_at = 0};
        uint32_t c;
        assert_int_equal(run(&ran, s, formats[i], NULL, 0), 0);
        assert_true(ran.out.len > 1000);
        for (size_t at = 0; at < ran.out.len;) {
            int bytes = utf8_decode(ran.out.buf + at, ran.out.len - at, &c);
            assert_true(bytes > 0);
            assert_true(c == '\n' || c == '\t' || (c == '\r' && ran.out.buf[at + 1] == '\n') ||
                        (!utf8_is_control(c) && !utf8_is_bidi(c)));
            at += (size_t)bytes;
        }
        if (i != 2) /* server-memory: only where a name has one */
            assert_int_equal(ran.result.part[PART_CHARACTER] > 0, i > 2);
        strbuf_release(&ran.out);
    }
    store_close(s);
}

/* ---- a part of a store ---- */

TEST(test_lineage_of_one)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    struct ran ran = {.stop_at = 0};
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"source\",\"agent_id\":\"ash\",\"created_at\":1}");
    scratch_put(s,
                "{\"ref\":\"raw:z\",\"text\":\"not asked\",\"agent_id\":\"ash\",\"created_at\":1}");
    int64_t row = scratch_put(
        s, "{\"ref\":\"belief:b\",\"text\":\"asked\",\"agent_id\":\"ash\",\"created_at\":1,"
           "\"derived_from\":[\"raw:a\"]}");
    scratch_put(s, "{\"ref\":\"belief:c\",\"text\":\"on it\",\"agent_id\":\"ash\",\"created_at\":1,"
                   "\"derived_from\":[\"belief:b\",\"raw:z\"]}");
    assert_int_equal(run(&ran, s, "mermaid", NULL, row), 0);
    assert_int_equal(ran.result.exported, 3);
    assert_int_equal(ran.result.part[PART_LINK], 1); /* from raw:z */
    assert_non_null(strstr(ran.out.buf, "source\"]"));
    assert_null(strstr(ran.out.buf, "not asked"));
    strbuf_release(&ran.out);
    store_close(s);
}

/* What Mermaid draws by itself is said, and nothing is cut. */
TEST(test_mermaid_limit)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    struct ran ran = {.stop_at = 0};
    AUTO_STRBUF lines = STRBUF_INIT;
    for (int i = 0; i <= 501; i++)
        strbuf_addf(&lines,
                    "{\"ref\":\"note:%d\",\"agent_id\":\"ash\",\"text\":\"n\",\"created_at\":1,"
                    "\"derived_from\":[\"raw:a\"]}\n",
                    i);
    struct imported import;
    import_lines(&import, s, lines.buf, NULL);
    imported_release(&import);
    assert_int_equal(run(&ran, s, "mermaid", NULL, 0), 0);
    assert_non_null(strstr(ran.result.note, "it has 502 links"));
    int arrows = 0;
    for (const char *at = ran.out.buf; (at = strstr(at, " --> ")); at++)
        arrows++;
    assert_int_equal(arrows, 502);
    assert_non_null(strstr(ran.out.buf, "raw:a<br/>(missing)"));
    strbuf_release(&ran.out);
    store_close(s);
}
