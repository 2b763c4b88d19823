/* Reading a memory returns what was put, byte for byte, and reports damaged rows. */
#include "store/db/store.h"

#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static const char *read_back(struct fixture *f, const char *ref)
{
    struct error e = {0};
    struct memory m;
    AUTO_STRBUF out = STRBUF_INIT;
    if (memory_read(f->reader, &f->arena, fixture_row(f, ref), &m, &e))
        fail_msg("%s", e.what);
    memory_json_write(&out, &m, NULL);
    return arena_strdup(&f->arena, out.buf);
}

/* A line in the normal form reads back unchanged. */
static void returns(struct fixture *f, const char *ref, const char *line)
{
    fixture_put(f, line, NULL);
    assert_string_equal(read_back(f, ref), line);
}

#define PLAIN                                                                                      \
    "\"agent_id\":\"ash\",\"text\":\"t\",\"created_at\":1,\"updated_at\":2,\"confidence\":0.8,"    \
    "\"source_type\":\"inference\""
#define REST "\"status\":\"active\",\"version\":1"

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(test_a_plain_memory_reads_back)
{
    returns(*state, "belief:plain", "{\"ref\":\"belief:plain\"," PLAIN "," REST "}");
    returns(*state, "raw:other",
            "{\"ref\":\"raw:other\",\"agent_id\":\"クレア\",\"text\":\"two\\nlines \\u001b[0m\","
            "\"created_at\":-5,\"updated_at\":9007199254740993,\"confidence\":0.1234567890123,"
            "\"source_type\":\"a type of theirs\",\"status\":\"purged\",\"version\":12}");
}

TEST(test_every_field_reads_back)
{
    returns(*state, "citation:all",
            "{\"ref\":\"citation:all\"," PLAIN ",\"source\":\"s\",\"source_entity\":\"human:sean\","
            "\"status\":\"superseded\",\"protected\":true,\"tags\":[\"b\",\"a\",\"b c\",\"\\\"\"],"
            "\"context\":\"c\",\"annotations\":[\"context:x:y\",\"kernle:z\"],\"version\":3,"
            "\"detail\":{\"page\":1.50,\"nested\":{\"deep\":[1,2.0e5,null]},\"section\":\"ü\"},"
            "\"justifications\":["
            "{\"role\":\"derived_from\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":7,"
            "\"reason\":\"why\",\"antecedents\":[{\"ref\":\"raw:z\"},{\"ref\":\"document:d\","
            "\"relevance\":0.9,\"score\":\"measured\",\"excerpt\":\"x\",\"chunk\":2,\"rank\":1,"
            "\"page\":0,\"section\":\"4.1\",\"version_hash\":\"ff\",\"label\":\"source-2\"},"
            "{\"ref\":\"raw:a\"}]},"
            "{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":\"auto-linked\",\"at\":8,"
            "\"antecedents\":[]},"
            "{\"role\":\"step\",\"reading\":\"all\",\"recorded\":\"heuristic\",\"at\":9,"
            "\"antecedents\":[{\"ref\":\"raw:z\"},{\"ref\":\"citation:all\"}]}],"
            "\"history\":[{\"at\":3,\"old\":0.7,\"new\":0.8,\"reason\":\"r\","
            "\"evidence_source\":\"episode:e\"},{\"at\":1,\"operation\":\"forget\",\"actor\":\"x\","
            "\"origin\":\"kernle\"},{\"at\":2,\"operation\":\"Edit\",\"before\":\"a\",\"after\":"
            "\"b\"}],"
            "\"relations\":[{\"type\":\"supersedes\",\"to\":\"belief:b\",\"at\":1,"
            "\"reason\":\"r\"},{\"type\":\"copy_of\",\"to\":\"belief:b\",\"at\":0},"
            "{\"type\":\"part_of\",\"to\":\"chain:c\",\"at\":0}],"
            "\"marks\":[{\"mark\":\"reviewed\",\"at\":5,\"actor\":\"sean\",\"value\":\"v\","
            "\"reason\":\"r\"},{\"mark\":\"for_review\",\"at\":4}]}");
}

TEST(test_missing_memories_are_reported)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct memory m;
    struct memory_row row;
    static const int64_t rows[] = {0, -1, 1, INT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(memory_read(f->reader, &f->arena, rows[i], &m, &e), -1);
        assert_int_equal(e.code, ERROR_NOT_FOUND);
        assert_int_equal(memory_row_read(f->reader, &f->arena, rows[i], &row, &e), -1);
        assert_int_equal(e.code, ERROR_NOT_FOUND);
    }
}

TEST(test_list_rows_agree_with_the_memory)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct memory_row row;
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addstr(&line, "{\"ref\":\"note:long\",\"agent_id\":\"ash\",\"created_at\":1,"
                         "\"updated_at\":2,\"confidence\":0.25,\"tags\":[\"a\"],\"text\":\"x");
    for (int i = 0; i < 300; i++)
        strbuf_addstr(&line, "語");
    strbuf_addstr(&line,
                  "\",\"source\":\"said\",\"protected\":true,\"annotations\":[\"context:c\"]}");
    fixture_put(f, line.buf, NULL);
    int64_t node = fixture_row(f, "note:long");
    assert_int_equal(memory_row_read(f->reader, &f->arena, node, &row, &e), 0);
    assert_true(row.text_cut);
    assert_int_equal(strlen(row.text), 598); /* 600 bytes would cut a character */
    assert_true(utf8_valid(row.text, strlen(row.text)));
    assert_string_equal(row.tags, "[\"a\"]");
    assert_string_equal(row.annotations, "[\"context:c\"]");
    assert_string_equal(row.source, "said");
    assert_string_equal(row.agent_id, "ash");
    assert_true(row.is_protected);
    assert_int_equal(row.created_at, 1);
    assert_int_equal(row.node, node);
}

/* ---- damage: an error or a different memory, never a crash, never the same memory ---- */

static void damage(struct fixture *f, const char *sql)
{
    struct error e = {0};
    struct memory m;
    struct memory_row row;
    AUTO_STRBUF out = STRBUF_INIT;
    const char *before = read_back(f, "citation:c");
    int64_t node = fixture_row(f, "citation:c");
    fixture_sql(f, sql);
    if (memory_read(f->reader, &f->arena, node, &m, &e) == 0) {
        memory_json_write(&out, &m, NULL);
        assert_string_not_equal(out.buf, before);
    } else {
        assert_int_equal(e.code, ERROR_STORE);
    }
    memory_row_read(f->reader, &f->arena, node, &row, &e);
}

FIXTURE(NULL, NULL);

TEST(test_damaged_rows_are_noticed)
{
    static const char *const ways[] = {
        "UPDATE memory SET kind = 99 WHERE name = 'c'",
        "UPDATE memory SET kind = -1 WHERE name = 'c'",
        "UPDATE memory SET status = 99 WHERE name = 'c'",
        "UPDATE memory SET status = 7 WHERE name = 'c'",
        "UPDATE memory SET agent = 999 WHERE name = 'c'",
        "UPDATE memory SET source_type = NULL WHERE name = 'c'",
        "UPDATE memory SET text = 't' || char(0) || 'x' WHERE name = 'c'",
        "UPDATE memory SET text = CAST(x'74ff' AS TEXT) WHERE name = 'c'",
        "UPDATE memory SET text = NULL WHERE name = 'c'",
        "UPDATE memory SET confidence = NULL WHERE name = 'c'",
        "UPDATE memory SET confidence = 9e999 WHERE name = 'c'",
        "UPDATE memory SET tags = 'garbage' WHERE name = 'c'",
        "UPDATE memory SET tags = '[\"a\\u0000b\"]' WHERE name = 'c'",
        "UPDATE memory SET tags = '[1,{\"a\":2}]' WHERE name = 'c'",
        "UPDATE memory SET tags = '[\"a\"' WHERE name = 'c'",
        "UPDATE memory SET annotations = '{}' WHERE name = 'c'",
        "UPDATE link SET shape = 31 WHERE number = 0 AND position = 0",
        "UPDATE link SET shape = 9 WHERE number = 0 AND position = 0",
        "UPDATE link SET shape = -1 WHERE number = 0 AND position = 0",
        "UPDATE link SET shape = 16 WHERE number = 0 AND position = 0",
        "UPDATE link SET shape = 1 WHERE number = 1 AND position = 0",
        "UPDATE link SET target = 99999 WHERE number = 0 AND position = 0",
        "UPDATE link SET target = NULL WHERE number = 1",
        "UPDATE link SET number = 0, position = 5 WHERE number = 1",
        "UPDATE link SET at = 5 WHERE number = 0 AND position = 0",
        "DELETE FROM link WHERE number = 0 AND position = 0",
        "DELETE FROM use",
        "UPDATE use SET score = 77",
        "UPDATE use SET relevance = NULL, excerpt = CAST(x'ff' AS TEXT)",
        "UPDATE link SET shape = 0 WHERE number = 0 AND position = 1",
        "UPDATE link SET position = 3 WHERE number = 0 AND position = 1",
        "UPDATE link SET number = 3 WHERE number = 1",
        "UPDATE link SET at = 1 WHERE number = 0 AND position = 1",
        "UPDATE history SET new = 0.9",
        "UPDATE history SET position = 1",
        "UPDATE mark SET mark = ''",
        "DELETE FROM mark",
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        struct fixture f;
        fixture_open(&f);
        fixture_put(&f,
                    "{\"ref\":\"citation:c\"," PLAIN ",\"tags\":[\"a\"],\"justifications\":["
                    "{\"role\":\"citation\",\"antecedents\":[{\"ref\":\"document:d\","
                    "\"relevance\":0.5,\"score\":\"measured\"},{\"ref\":\"document:e\"}]}],"
                    "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:of\",\"at\":4}],"
                    "\"history\":[{\"at\":1,\"old\":0.7,\"new\":0.8}],"
                    "\"marks\":[{\"mark\":\"reviewed\",\"at\":5}]}",
                    NULL);
        damage(&f, ways[i]);
        fixture_close(&f);
    }
}
