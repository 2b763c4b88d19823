/* The JSON of a memory: round trips, defaults, and errors. */
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/base/utf8.h"
#include "tests/support/random_memory.h"
#include "tests/support/test.h"

static struct arena arena = ARENA_INIT;
static struct strbuf unknown = STRBUF_INIT;
static struct error error;

/* Reads a line. Unknown members are in `unknown`. */
static int read_line(struct memory *m, const char *line, size_t len)
{
    strbuf_clear(&unknown);
    return memory_json_read(m, &arena, line, len, "ash", 5000, &unknown, &error);
}

static struct memory good(const char *line)
{
    struct memory m;
    arena_clear(&arena);
    if (read_line(&m, line, strlen(line)))
        fail_msg("%s: %s", line, error.what);
    return m;
}

static void expect_written(const struct memory *m, const char *line)
{
    AUTO_STRBUF out = STRBUF_INIT;
    memory_json_write(&out, m, NULL);
    assert_string_equal(out.buf, line);
}

static int teardown(void **state)
{
    arena_release(&arena);
    strbuf_release(&unknown);
    return 0;
}

GROUP(NULL, teardown);

TEST(absent_members_have_their_defaults)
{
    struct memory m = good("{\"ref\":\"belief:b1\"}");
    expect_written(&m,
                   "{\"ref\":\"belief:b1\",\"agent_id\":\"ash\",\"text\":\"\",\"created_at\":5000,"
                   "\"updated_at\":5000,\"confidence\":0.8,\"source_type\":\"direct_experience\","
                   "\"status\":\"active\",\"version\":1}");
    m = good("{\"ref\":\"value:v\",\"created_at\":7,\"source\":\"told by Claire\","
             "\"source_entity\":\"human:Claire\"}");
    assert_true(m.updated_at == 7 && m.confidence == 0.9);
    assert_string_equal(m.source_type, "told_by_human");
    m = good("{\"ref\":\"attribution:a\",\"source\":\"told\"}");
    assert_string_equal(m.source_type, "observation");
    m = good("{\"ref\":\"raw:r\",\"source_type\":\"dreamt\",\"label\":\"supported\"}");
    assert_string_equal(m.source_type, "dreamt");
    assert_true(m.confidence == 1);
    assert_int_equal(unknown.len, 0);
}

TEST(null_is_the_same_as_absent)
{
    struct memory m =
        good("{\"ref\":\"note:n\",\"text\":null,\"source\":null,\"tags\":null,\"detail\":null,"
             "\"confidence\":null,\"justifications\":null,\"derived_from\":null,"
             "\"created_at\":null,\"protected\":null,\"marks\":null,\"label\":null}");
    assert_null(m.source);
    assert_int_equal(m.created_at, 5000);
    assert_true(m.confidence == 0.8);
}

TEST(a_full_line_survives)
{
    static const char line[] =
        "{\"ref\":\"belief:ID\",\"agent_id\":\"ash\",\"text\":\"…\",\"created_at\":1,\"updated_"
        "at\":2,"
        "\"confidence\":0.8,\"source_type\":\"inference\",\"source\":\"…\",\"source_entity\":"
        "\"human:x\","
        "\"status\":\"superseded\",\"protected\":true,\"tags\":[\"a\",\"\"],\"context\":\"c\","
        "\"annotations\":[\"context:a:b\",\"kernle:x\"],\"version\":3,"
        "\"detail\":{\"a\":1.500,\"b\":[1e5,\"\\u0000\"],\"c\":123456789012345678901234567890},"
        "\"justifications\":[{\"role\":\"derived_from\",\"reading\":\"all\",\"recorded\":\"auto-"
        "linked\","
        "\"at\":4,\"reason\":\"r\",\"antecedents\":[{\"ref\":\"raw:ID\"},{\"ref\":\"document:D\","
        "\"relevance\":0.9,\"score\":\"measured\",\"excerpt\":\"e\",\"chunk\":0,\"rank\":1,"
        "\"page\":12,"
        "\"section\":\"s\",\"version_hash\":\"h\",\"label\":\"context_doc_0\",\"title\":\"t\"}]},"
        "{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":4,"
        "\"antecedents\":[]}],"
        "\"history\":[{\"at\":5,\"old\":0.7,\"new\":0.713,\"reason\":\"r\",\"evidence_source\":"
        "\"episode:e\","
        "\"operation\":\"o\",\"actor\":\"a\",\"origin\":\"kernle\"},{\"at\":6}],"
        "\"relations\":[{\"type\":\"supersedes\",\"to\":\"belief:OLD\",\"at\":7,\"reason\":\"r\"}],"
        "\"marks\":[{\"mark\":\"reviewed\",\"at\":8,\"actor\":\"a\",\"value\":\"v\",\"reason\":"
        "\"r\"}]}";
    struct memory m = good(line);
    expect_written(&m, line);
    assert_int_equal(m.justification_count, 2);
    assert_int_equal(unknown.len, 0);
    AUTO_STRBUF out = STRBUF_INIT;
    memory_json_write(&out, &m, "weakened");
    assert_non_null(strstr(out.buf, "\"}],\"label\":\"weakened\"}"));
}

TEST(other_names_of_links_are_read)
{
    struct memory m = good("{\"ref\":\"belief:b\",\"created_at\":9,\"derived_from\":[\"raw:1\","
                           "\"context:a:b\",\"raw:1\","
                           "\"episode:2\"],\"derivation\":\"all\",\"source_episodes\":[\"e1\","
                           "\"episode:e1\",\"note:n\"],"
                           "\"supersedes\":\"old\",\"processed_into\":[\"note:x\",\"kernle:y\"],"
                           "\"annotations\":[\"k:z\"]}");
    assert_int_equal(m.justification_count, 3);
    assert_int_equal(m.justifications[0].reading, READING_ALL);
    assert_int_equal(m.justifications[0].count, 2);
    assert_int_equal(m.justifications[0].at, 9);
    assert_string_equal(m.justifications[0].antecedents[1].ref.id, "2");
    for (int i = 1; i < 3; i++) {
        assert_int_equal(m.justifications[i].role, ROLE_EVIDENCE);
        assert_int_equal(m.justifications[i].count, 1);
    }
    assert_int_equal(m.justifications[1].antecedents[0].ref.kind, KIND_EPISODE);
    assert_int_equal(m.justifications[2].antecedents[0].ref.kind, KIND_NOTE);
    assert_int_equal(m.relation_count, 2);
    assert_int_equal(m.relations[0].type, RELATION_SUPERSEDES);
    assert_int_equal(m.relations[0].to.kind, KIND_BELIEF);
    assert_string_equal(m.relations[0].to.id, "old");
    assert_int_equal(m.relations[1].type, RELATION_PROCESSED_INTO);
    assert_int_equal(m.annotation_count, 3);
    assert_string_equal(m.annotations[0], "k:z");
    assert_string_equal(m.annotations[1], "context:a:b");
    m = good("{\"ref\":\"belief:b\",\"derived_from\":[\"context:x\"]}");
    assert_int_equal(m.justification_count, 0);
    m = good("{\"ref\":\"belief:b\",\"derived_from\":[]}");
    assert_int_equal(m.justification_count, 0);
}

TEST(duplicate_refs_of_a_group_are_dropped)
{
    AUTO_STRBUF line = STRBUF_INIT;
    for (int count = 3; count < 60; count += 14) {
        strbuf_clear(&line);
        strbuf_addstr(&line, "{\"ref\":\"belief:b\",\"justifications\":[{\"antecedents\":[");
        for (int i = 0; i < count; i++)
            strbuf_addf(&line, "%s\"raw:%d\"", i ? "," : "", (i * 7) % (count / 2 + 1));
        strbuf_addstr(&line, "]}]}");
        struct memory m = good(line.buf);
        assert_int_equal(m.justifications[0].count, count / 2 + 1);
        for (int i = 0; i < 2; i++) { /* the first of each, in order */
            char expected[16];
            snprintf(expected, sizeof(expected), "%d", (i * 7) % (count / 2 + 1));
            assert_string_equal(m.justifications[0].antecedents[i].ref.id, expected);
        }
    }
}

TEST(unknown_members_are_named)
{
    struct memory m =
        good("{\"ref\":\"note:n\",\"zork\":1,\"Text\":\"x\",\"marks\":[{\"mark\":\"m\",\"who\":1},"
             "{\"mark\":\"m\",\"who\":1}],\"justifications\":[{\"antecedents\":[{\"ref\":\"raw:1\","
             "\"score_origin\":1}]}]}");
    assert_string_equal(unknown.buf,
                        "zork, Text, justifications.antecedents.score_origin, marks.who");
    assert_string_equal(m.text, "");
}

TEST(errors_name_the_member)
{
    static const struct {
        const char *line, *what;
    } bad[] = {
        {"[]", "the line is not an object"},
        {"{}", "ref is missing"},
        {"{\"ref\":1}", "ref is not a string"},
        {"{\"ref\":\"belief:\"}", "ref is “belief:”, which is no kind:id"},
        {"{\"ref\":\"context:x\"}", "ref is “context:x”, which is no kind:id"},
        {"{\"ref\":\"bare\"}", "ref is “bare”, which is no kind:id"},
        {"{\"ref\":\"raw:a\\u0000b\"}", "ref holds a NUL"},
        {"{\"ref\":\"raw:a\",\"text\":1}", "text is not a string"},
        {"{\"ref\":\"raw:a\",\"created_at\":1.5}", "created_at is not a whole number of 64 bits"},
        {"{\"ref\":\"raw:a\",\"updated_at\":\"1\"}", "updated_at is not a whole number of 64 bits"},
        {"{\"ref\":\"raw:a\",\"confidence\":1.01}", "confidence is not between 0 and 1"},
        {"{\"ref\":\"raw:a\",\"confidence\":-1e-9}", "confidence is not between 0 and 1"},
        {"{\"ref\":\"raw:a\",\"confidence\":\"1\"}", "confidence is not a number"},
        {"{\"ref\":\"raw:a\",\"status\":\"gone\"}",
         "status is “gone”, which is not one of its values"},
        {"{\"ref\":\"raw:a\",\"status\":\"missing\"}",
         "status is “missing”, which is not one of its values"},
        {"{\"ref\":\"raw:a\",\"protected\":1}", "protected is neither true nor false"},
        {"{\"ref\":\"raw:a\",\"tags\":\"x\"}", "tags is not a list"},
        {"{\"ref\":\"raw:a\",\"tags\":[\"x\",null]}", "tags[1]: the element is not a string"},
        {"{\"ref\":\"raw:a\",\"version\":0}", "version is less than it can be"},
        {"{\"ref\":\"raw:a\",\"detail\":[]}", "detail is not an object"},
        {"{\"ref\":\"raw:a\",\"source_type\":\"\"}", "source_type is empty"},
        {"{\"ref\":\"raw:a\",\"agent_id\":\"\"}", "agent_id is missing"},
        {"{\"ref\":\"raw:a\",\"source\":\"\\u0000\"}", "source holds a NUL"},
        {"{\"ref\":\"raw:a\",\"source\":\"\xff\"}", "source is not valid UTF-8"},
        {"{\"ref\":\"raw:a\",\"source\":\"\\ud800\"}", "source is not valid UTF-8"},
        {"{\"ref\":\"raw:a\",\"detail\":{\"a\":\"\xff\"}}",
         "detail: not JSON: invalid UTF-8 at byte 7"},
        {"{\"ref\":\"raw:a\",\"justifications\":{}}", "justifications is not a list"},
        {"{\"ref\":\"raw:a\",\"justifications\":[1]}", "justifications[0]: it is not an object"},
        {"{\"ref\":\"raw:a\",\"justifications\":[{\"role\":\"supersedes\"}]}",
         "justifications[0]: role is “supersedes”, which is not one of its values"},
        {"{\"ref\":\"raw:a\",\"justifications\":[{},{\"antecedents\":[\"raw:1\",\"x\"]}]}",
         "justifications[1]: antecedents[1]: “x” is not a ref"},
        {"{\"ref\":\"raw:a\",\"justifications\":[{\"antecedents\":[\"context:x\"]}]}",
         "justifications[0]: antecedents[0]: “context:x” names no kind of memory"},
        {"{\"ref\":\"raw:a\",\"justifications\":[{\"antecedents\":[{}]}]}",
         "justifications[0]: antecedents[0]: ref is missing"},
        {"{\"ref\":\"raw:a\",\"justifications\":[{\"antecedents\":[{\"ref\":\"raw:1\","
         "\"relevance\":2}]}]}",
         "justifications[0]: antecedents[0]: relevance is not between 0 and 1"},
        {"{\"ref\":\"raw:a\",\"justifications\":[{\"antecedents\":[{\"ref\":\"raw:1\",\"rank\":-1}"
         "]}]}",
         "justifications[0]: antecedents[0]: rank is less than it can be"},
        {"{\"ref\":\"raw:a\",\"derived_from\":[\"bare\"]}", "derived_from[0]: “bare” is not a ref"},
        {"{\"ref\":\"raw:a\",\"derived_from\":7}", "derived_from is not a list"},
        {"{\"ref\":\"raw:a\",\"derivation\":\"some\"}",
         "derivation is “some”, which is not one of its values"},
        {"{\"ref\":\"raw:a\",\"relations\":[{\"to\":\"raw:b\"}]}", "relations[0]: type is missing"},
        {"{\"ref\":\"raw:a\",\"relations\":[{\"type\":\"copy_of\"}]}",
         "relations[0]: to is missing"},
        {"{\"ref\":\"raw:a\",\"relations\":[{\"type\":\"evidence\",\"to\":\"raw:b\"}]}",
         "relations[0]: type is “evidence”, which is not one of its values"},
        {"{\"ref\":\"raw:a\",\"history\":[{\"old\":\"x\"}]}", "history[0]: old is not a number"},
        {"{\"ref\":\"raw:a\",\"marks\":[{}]}", "marks[0]: mark is missing"},
        {"{\"ref\":\"raw:a\"", "not JSON: unexpected end at byte 15"},
        {"{\"ref\":\"raw:a\"} x", "not JSON: text after the value at byte 17"},
        {"", "not JSON: unexpected end at byte 1"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct memory m;
        arena_clear(&arena);
        assert_int_equal(read_line(&m, bad[i].line, strlen(bad[i].line)), -1);
        assert_int_equal(error.code, ERROR_INVALID);
        assert_string_equal(error.what, bad[i].what);
    }
}

TEST(a_detail_may_be_as_deep_as_any_value)
{
    AUTO_STRBUF line = STRBUF_INIT;
    for (int depth = JSON_DEPTH_MAX; depth <= JSON_DEPTH_MAX + 1; depth++) {
        struct memory m;
        strbuf_clear(&line);
        strbuf_addstr(&line, "{\"ref\":\"entry:e\",\"detail\":{\"value\":");
        strbuf_addchars(&line, '[', (size_t)depth - 1);
        strbuf_addchars(&line, ']', (size_t)depth - 1);
        strbuf_addstr(&line, "}}");
        arena_clear(&arena);
        assert_int_equal(read_line(&m, line.buf, line.len), depth > JSON_DEPTH_MAX ? -1 : 0);
    }
}

TEST(broken_text_is_repaired_and_its_bytes_kept)
{
    static const struct {
        const char *text, *repaired, *detail;
    } cases[] = {
        {"a\\u0000b",
         "a\xef\xbf\xbd"
         "b",
         "{\"original\":\"YQBi\"}"},
        {"\xff", "\xef\xbf\xbd", "{\"original\":\"/w==\"}"},
        {"\\ud800", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "{\"original\":\"7aCA\"}"},
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd", "{\"original\":\"4oI=\"}"},
    };
    AUTO_STRBUF line = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "{\"ref\":\"raw:a\",\"text\":\"%s\"}", cases[i].text);
        struct memory m = good(line.buf);
        assert_string_equal(m.text, cases[i].repaired);
        assert_string_equal(m.detail, cases[i].detail);
        assert_int_equal(error.code, ERROR_NONE);
    }
    struct memory m =
        good("{\"ref\":\"raw:a\",\"text\":\"\xff\",\"detail\":{\"original\":1,\"original_2\":2}}");
    assert_string_equal(m.detail, "{\"original\":1,\"original_2\":2,\"original_3\":\"/w==\"}");
    strbuf_clear(&line);
    assert_string_equal(memory_original(&m, &arena, &line), "original_3");
    assert_string_equal(line.buf, "\xff");
}

TEST(a_member_that_is_called_original_is_not_the_original)
{
    static const char *const lines[] = {
        "{\"ref\":\"raw:a\",\"text\":\"x\"}",
        "{\"ref\":\"raw:a\",\"text\":\"x\",\"detail\":{\"original\":\"aGk=\"}}",
        "{\"ref\":\"raw:a\",\"text\":\"x\",\"detail\":{\"original\":\"eA==\",\"original_2\":\"/"
        "w==\"}}",
        "{\"ref\":\"raw:a\",\"text\":\"x\",\"detail\":{\"original\":[],\"original_3\":\"/w==\"}}",
    };
    AUTO_STRBUF bytes = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        struct memory m = good(lines[i]);
        assert_null(memory_original(&m, &arena, &bytes));
        assert_int_equal(bytes.len, 0);
    }
}

TEST(a_byte_order_mark_is_skipped)
{
    struct memory m = good("\xef\xbb\xbf {\"ref\":\"raw:a\",\"text\":\"x\"} \r\n");
    assert_string_equal(m.text, "x");
}

TEST(random_memories_survive_a_round_trip)
{
    struct random r = {77};
    AUTO_ARENA made = ARENA_INIT;
    AUTO_STRBUF first = STRBUF_INIT, second = STRBUF_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(5000); round++) {
        struct memory before, after;
        arena_clear(&made);
        arena_clear(&arena);
        strbuf_clear(&first);
        strbuf_clear(&second);
        random_memory(&r, &made, &before);
        memory_json_write(&first, &before, NULL);
        if (read_line(&after, first.buf, first.len))
            fail_msg("%s\n%s", first.buf, error.what);
        memory_json_write(&second, &after, NULL);
        assert_string_equal(second.buf, first.buf);
        assert_int_equal(unknown.len, 0);
        assert_string_equal(after.text, before.text);
        assert_true(ref_equal(after.ref, before.ref));
        assert_true(after.confidence == before.confidence);
        assert_int_equal(after.justification_count, before.justification_count);
        for (const char *at = first.buf; *at; at++)
            assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
    }
}

/* Damaged lines are read or rejected; the sanitizers check memory accesses. */
TEST(damaged_lines_do_no_harm)
{
    struct random r = {78};
    AUTO_ARENA made = ARENA_INIT;
    AUTO_STRBUF line = STRBUF_INIT, out = STRBUF_INIT;
    size_t readable = 0;
    for (int round = 0; round < RANDOM_ROUNDS(20000); round++) {
        struct memory m;
        arena_clear(&made);
        arena_clear(&arena);
        strbuf_clear(&line);
        random_memory(&r, &made, &m);
        memory_json_write(&line, &m, NULL);
        for (uint32_t n = random_below(&r, 3); n > 0; n--)
            line.buf[random_below(&r, (uint32_t)line.len)] = (char)random_below(&r, 256);
        char *copy = malloc(line.len); /* without a NUL, so that the sanitizer notices an overrun */
        assert_non_null(copy);
        memcpy(copy, line.buf, line.len);
        if (read_line(&m, copy, line.len) == 0) {
            readable++;
            strbuf_clear(&out);
            memory_json_write(&out, &m, NULL);
            assert_int_equal(json_check(out.buf, out.len, JSON_DEPTH_LIMIT, &error), 0);
            assert_true(utf8_valid(m.text, strlen(m.text)));
        }
        free(copy);
    }
    assert_true(readable > RANDOM_ROUNDS(3000));
}

TEST(the_search_text_has_all_fields)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct memory m = good(
        "{\"ref\":\"attribution:a\",\"text\":\"the text\",\"tags\":[\"one\",\"two\"],"
        "\"context\":\"c\",\"source\":\"s\",\"source_entity\":\"human:x\",\"annotations\":[\"k:v\"]"
        ","
        "\"detail\":{\"a\":\"first\",\"full_content_hash\":\"0f0f\",\"hash\":[\"no\",\"no\"],"
        "\"rehash\":\"yes\",\"list\":[\"x\\ny\",{\"deep\":\"\\u00e9\\u0000\\\"\"},7,true],"
        "\"original\":\"AAAA\",\"original_2\":\"AAAA\",\"original_question\":\"why\",\"e\":\"\"}}");
    memory_search_text(&m, &out);
    assert_string_equal(
        out.buf, "the text\none\ntwo\nc\ns\nhuman:x\nfirst\nyes\nx\ny\n\xc3\xa9 \"\nwhy\n\n");
}
