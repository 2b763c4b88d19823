/*
 * Sources from search results, bare contexts and recorded attributions.
 * tests/oracle/test_reasoning.py has a second implementation of the rules and compares random
 * input.
 */
#include "model/base/digest.h"
#include "model/reasoning/source.h"
#include "model/reasoning/source_reader.h"
#include "model/base/utf8.h"
#include "tests/support/test.h"

static struct arena arena = ARENA_INIT;
static struct source_list list;

static int teardown(void **state)
{
    arena_release(&arena);
    return 0;
}

static struct json_slice slice(const char *json)
{
    struct error e;
    assert_int_equal(json_check_lax(json, strlen(json), JSON_DEPTH_MAX, &e), 0);
    return json_trim(json, strlen(json));
}

static void results(const char *json)
{
    sources_from_results(&list, &arena, slice(json), "item");
}

static void attributions(const char *json)
{
    sources_from_attributions(&list, &arena, slice(json), "item");
}

static void contexts(const char *const *text, size_t count)
{
    sources_from_contexts(&list, &arena, text, count);
    assert_int_equal(list.refused_count, 0);
}

/* The only source, as the object of the specification. */
static void expect_written(const char *expected)
{
    AUTO_STRBUF out = STRBUF_INIT;
    assert_int_equal(list.count, 1);
    source_write(&out, &list.source[0]);
    assert_string_equal(out.buf, expected);
}

static void expect_refused(const char *reason)
{
    assert_int_equal(list.count, 0);
    assert_int_equal(list.refused_count, 1);
    assert_int_equal(list.refused[0].index, 0);
    assert_string_equal(list.refused[0].reason, reason);
}

/* ---- search results ---- */

GROUP(NULL, teardown);

TEST(the_example_of_the_specification_is_read)
{
    results("[{\"document_id\":\"doc_123\",\"title\":\"Introduction to AI\",\"score\":0.92,"
            "\"content\":\"Artificial intelligence involves...\",\"chunk_index\":0}]");
    expect_written("{\"document_id\":\"doc_123\",\"document_title\":\"Introduction to AI\","
                   "\"relevance_score\":0.92,\"excerpt\":\"Artificial intelligence involves...\","
                   "\"chunk_index\":0,\"retrieval_rank\":1,\"score_origin\":\"measured\"}");
    assert_false(list.source[0].invented);
    assert_string_equal(list.source[0].content, "Artificial intelligence involves...");
}

TEST(absent_ids_are_made_up)
{
    static const char *const absent[] = {"{}", "{\"document_id\":null}", "{\"document_id\":\"\"}"};
    for (size_t i = 0; i < 3; i++) {
        char json[80];
        snprintf(json, sizeof(json), "[{\"document_id\":\"doc_1\"},%s]", absent[i]);
        results(json);
        assert_int_equal(list.count, 2);
        assert_string_equal(list.source[1].document_id, "doc_1");
        assert_false(list.source[0].invented);
        assert_true(list.source[1].invented);
    }
}

TEST(a_number_becomes_its_text)
{
    results("[{\"document_id\":12345,\"title\":1.50,\"content\":-7e3}]");
    assert_string_equal(list.source[0].document_id, "12345");
    assert_string_equal(list.source[0].title, "1.50");
    assert_string_equal(list.source[0].excerpt, "-7e3");
    assert_int_equal(list.source[0].content_len, 4);
}

TEST(a_null_member_is_present)
{
    results("[{\"title\":null,\"document_title\":\"T\",\"score\":null,\"relevance_score\":0.9,"
            "\"content\":null,\"text\":\"passage\"}]");
    expect_written("{\"document_id\":\"doc_0\",\"document_title\":null,\"relevance_score\":0.5,"
                   "\"excerpt\":\"\",\"chunk_index\":null,\"retrieval_rank\":1,"
                   "\"score_origin\":\"default\"}");
    assert_null(list.source[0].content);
    assert_null(list.source[0].version_hash);
    results("[{\"document_title\":\"T\",\"relevance_score\":0.9,\"text\":\"passage\"}]");
    expect_written("{\"document_id\":\"doc_0\",\"document_title\":\"T\",\"relevance_score\":0.9,"
                   "\"excerpt\":\"passage\",\"chunk_index\":null,\"retrieval_rank\":1,"
                   "\"score_origin\":\"measured\"}");
    results("[{\"title\":\"\",\"document_title\":\"T\",\"content\":\"\",\"text\":\"passage\"}]");
    assert_string_equal(list.source[0].title, "");
    assert_string_equal(list.source[0].excerpt, "");
}

static const struct {
    const char *json;
    double relevance;
    enum score origin;
} scores[] = {
    {"[{\"score\":1}]", 1, SCORE_MEASURED},
    {"[{\"score\":0}]", 0, SCORE_MEASURED},
    {"[{\"score\":1.0e0}]", 1, SCORE_MEASURED},
    {"[{\"score\":5e-324}]", 5e-324, SCORE_MEASURED},
    {"[{\"score\":0.1,\"relevance_score\":0.2}]", 0.1, SCORE_MEASURED},
    {"[{\"score\":0."
     "333333333333333333333333333333333333333333333333333333333333333333333333333333333}]",
     1.0 / 3, SCORE_MEASURED},
    {"[{\"score\":true,\"relevance_score\":0.2}]", 0.5, SCORE_DEFAULT},
    {"[{\"score\":\"0.9\"}]", 0.5, SCORE_DEFAULT},
    {"[{\"score\":\"NaN\"}]", 0.5, SCORE_DEFAULT},
    {"[{\"score\":[0.9]}]", 0.5, SCORE_DEFAULT},
    {"[{\"score\":{}}]", 0.5, SCORE_DEFAULT},
    {"[{}]", 0.5, SCORE_DEFAULT},
};

TEST(scores_have_an_origin)
{
    for (size_t i = 0; i < sizeof(scores) / sizeof(*scores); i++) {
        results(scores[i].json);
        assert_int_equal(list.count, 1);
        assert_true(list.source[0].relevance == scores[i].relevance);
        assert_int_equal(list.source[0].origin, scores[i].origin);
    }
    results("[{\"score\":-0}]"); /* and is written without sign */
    assert_true(1 / list.source[0].relevance > 0);
}

TEST(a_score_out_of_range_rejects_its_item)
{
    results("[{\"document_id\":\"a\",\"score\":1.0000001},{\"score\":-0.1},{\"score\":1e300},"
            "{\"document_id\":\"b\",\"score\":0.3}]");
    assert_int_equal(list.count, 1);
    assert_string_equal(list.source[0].document_id, "b");
    assert_int_equal(list.source[0].rank, 4);
    assert_int_equal(list.refused_count, 3);
    assert_string_equal(list.refused[0].reason,
                        "item[0] (“a”): score is 1.0000001, which is not between 0 and 1");
    assert_string_equal(list.refused[1].reason,
                        "item[1]: score is -0.1, which is not between 0 and 1");
    assert_int_equal(list.refused[2].index, 2);
}

TEST(items_of_other_types_are_rejected)
{
    static const struct {
        const char *json, *reason;
    } bad[] = {
        {"[5]", "item[0]: it is not an object"},
        {"[null]", "item[0]: it is not an object"},
        {"[[]]", "item[0]: it is not an object"},
        {"[\"id: x\"]", "item[0]: it is not an object"},
        {"[{\"document_id\":{}}]", "item[0]: document_id is neither text nor a number"},
        {"[{\"document_id\":true}]", "item[0]: document_id is neither text nor a number"},
        {"[{\"title\":[]}]", "item[0]: title is neither text nor a number"},
        {"[{\"text\":false}]", "item[0]: text is neither text nor a number"},
        {"[{\"version_hash\":\"abc\"}]", "item[0]: version_hash is not 64 hex digits"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        results(bad[i].json);
        expect_refused(bad[i].reason);
    }
}

static const struct {
    const char *json;
    int64_t chunk;
} chunks[] = {
    {"3", 3},
    {"2.0", 2},
    {"0", 0},
    {"-0", 0},
    {"2e2", 200},
    {"\"5\"", 5},
    {"\" 7 \"", 7},
    {"\"\\u3000\\u00a08\\t\"", 8},
    {"\"+9\"", 9},
    {"\"007\"", 7},
    {"\"-0\"", 0},
    {"9223372036854775807", INT64_MAX},
    {"\"x\"", CHUNK_NONE},
    {"\"\"", CHUNK_NONE},
    {"\" \"", CHUNK_NONE},
    {"\"5 6\"", CHUNK_NONE},
    {"\"5.0\"", CHUNK_NONE},
    {"\"5\\u0000\"", CHUNK_NONE},
    {"2.5", CHUNK_NONE},
    {"1e30", CHUNK_NONE},
    {"-3", -3},
    {"\"-3\"", -3},
    {"true", CHUNK_NONE},
    {"null", CHUNK_NONE},
    {"[5]", CHUNK_NONE},
    {"9223372036854775808", CHUNK_NONE},
    {"\"9223372036854775808\"", CHUNK_NONE},
    {"\"\\u200b5\"", CHUNK_NONE},
};

TEST(a_chunk_is_a_whole_number_or_a_string_of_one)
{
    for (size_t i = 0; i < sizeof(chunks) / sizeof(*chunks); i++) {
        char json[80];
        snprintf(json, sizeof(json), "[{\"chunk_index\":%s}]", chunks[i].json);
        results(json);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.source[0].chunk, chunks[i].chunk);
    }
}

TEST(the_passage_keeps_its_bytes)
{
    char hex[2 * DIGEST_SIZE + 1];
    struct digest hash;
    results("[{\"document_id\":\"a\\u0000b\xff\",\"content\":\"x\\u0000\xff\\ud800y\"}]");
    const struct source *s = &list.source[0];
    static const char bytes[] = "x\0\xff\xed\xa0\x80y";
    assert_int_equal(s->content_len, sizeof(bytes) - 1);
    assert_memory_equal(s->content, bytes, sizeof(bytes));
    assert_string_equal(s->document_id, "a\xef\xbf\xbd"
                                        "b\xef\xbf\xbd");
    assert_string_equal(s->excerpt, "x\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                    "y");
    digest_bytes(&hash, bytes, sizeof(bytes) - 1);
    digest_hex(hex, &hash);
    assert_string_equal(s->version_hash, hex);
}

TEST(a_given_hash_is_kept)
{
    results("[{\"content\":\"abc\"},{\"content\":\"abc\",\"version_hash\":"
            "\"ABCDEF0000000000000000000000000000000000000000000000000000000001\"},"
            "{\"content\":\"abc\",\"version_hash\":\"\",\"uri\":\"file:a\",\"attribution\":\"at\"},"
            "{\"uri\":\"\",\"attribution\":null}]");
    assert_string_equal(list.source[0].version_hash,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(list.source[1].version_hash,
                        "abcdef0000000000000000000000000000000000000000000000000000000001");
    assert_string_equal(list.source[2].version_hash, list.source[0].version_hash);
    assert_string_equal(list.source[2].uri, "file:a");
    assert_string_equal(list.source[2].attribution, "at");
    assert_null(list.source[3].uri);
    assert_null(list.source[3].attribution);
}

TEST(an_excerpt_is_cut_at_code_points)
{
    AUTO_STRBUF json = STRBUF_INIT;
    strbuf_addstr(&json, "[{\"content\":\"");
    for (int i = 0; i < 201; i++)
        strbuf_addstr(&json, "\xf0\x9f\x8c\x8d");
    strbuf_addstr(&json, "\"}]");
    results(json.buf);
    assert_int_equal(utf8_count(list.source[0].excerpt), 200);
    assert_int_equal(strlen(list.source[0].excerpt), 800);
    assert_int_equal(list.source[0].content_len, 804);
}

TEST(empty_input_gives_no_sources)
{
    static const char *const none[] = {"[]", "null", "{}", "5", "\"[{}]\""};
    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        results(none[i]);
        assert_int_equal(list.count + list.refused_count, 0);
    }
    sources_from_results(&list, &arena, (struct json_slice){NULL, 0}, "item");
    assert_int_equal(list.count, 0);
    contexts(NULL, 0);
    assert_int_equal(list.count, 0);
}

/* ---- contexts ---- */

static const struct {
    const char *text, *id; /* NULL if made up */
} marks[] = {
    {"id: doc_abc123 Some content here", "doc_abc123"},
    {"id:doc_123 Machine learning content...", "doc_123"},
    {"id: doc_unicode \xc3\xa9mojis \xf0\x9f\x8e\x89", "doc_unicode"},
    {"Deep learning overview...", NULL},
    {"id:", NULL},
    {"id:id:x", NULL},
    {"id: \t id:x", NULL},
    {"id:a id:b rest", "a"},
    {"id:aid:b rest", "aid:b"},
    {"id:uuid:1234 rest", "uuid:1234"},
    {"id:abcid:d", "abcid:d"},
    {"id:paid:500", "paid:500"},
    {"ID:doc_1 upper", NULL},
    {"The valid: answer", NULL},
    {"paid:500 now", NULL},
    {"paid:500 id:b", "b"},
    {"text first id: later", "later"},
    {"text first\nid:\nlater\n", "later"},
    {"text at the end id:", NULL},
    {"text at the end id: ", NULL},
    {"valid:x id:y", "y"},
    {"x\xc2\xa0id:y", "y"},                    /* NO-BREAK SPACE before it */
    {"id:x\xc2\xa0y", "x"},                    /* and after */
    {"id:\xe3\x80\x80x\xe3\x80\x80y", "x"},    /* IDEOGRAPHIC SPACE */
    {"id:x\xe2\x80\x8by z", "x\xe2\x80\x8by"}, /* ZERO WIDTH SPACE is not white space */
    {"x\xe2\x80\x8bid:y", NULL},
    {"\xe2\x80\x8bid:y", NULL},
    {"x\x1f"
     "id:y",
     NULL},                              /* neither is UNIT SEPARATOR */
    {"x\xc2\x85id:y\xe2\x80\xa8z", "y"}, /* NEXT LINE and LINE SEPARATOR are */
    {"id:x\xffy z", "x\xef\xbf\xbdy"},
    {"\xffid:y", NULL},
};

TEST(the_first_word_after_the_mark_is_the_id)
{
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        contexts(&marks[i].text, 1);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.source[0].invented, marks[i].id == NULL);
        assert_string_equal(list.source[0].document_id,
                            marks[i].id ? marks[i].id : "context_doc_0");
        assert_string_equal(list.source[0].content, marks[i].text);
    }
}

TEST(blank_contexts_count_for_the_index)
{
    static const char *const text[] = {
        "Valid content", "", "   ", "More valid content", "\xe3\x80\x80\xc2\xa0\n", "\xe2\x80\x8b"};
    contexts(text, 6);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.source[0].document_id, "context_doc_0");
    assert_true(list.source[0].relevance == 1.0);
    assert_string_equal(list.source[1].document_id, "context_doc_3");
    assert_true(list.source[1].relevance == 1.0 - 3 * 0.1);
    assert_int_equal(list.source[1].rank, 4);
    assert_string_equal(list.source[2].document_id,
                        "context_doc_5"); /* U+200B is not white space */
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(list.source[i].origin, SCORE_HEURISTIC);
        assert_int_equal(list.source[i].chunk, CHUNK_NONE);
        assert_null(list.source[i].title);
        assert_non_null(list.source[i].version_hash);
    }
}

TEST(the_relevance_of_contexts_falls_to_a_floor)
{
    static const double expected[] = {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.3, 0.3, 0.3, 0.3};
    const char *text[12];
    for (size_t i = 0; i < 12; i++)
        text[i] = "plain";
    contexts(text, 12);
    for (size_t i = 0; i < 12; i++) {
        assert_true(fabs(list.source[i].relevance - expected[i]) < 1e-12);
        assert_int_equal(list.source[i].rank, i + 1);
    }
    assert_true(list.source[11].relevance == 0.3);
    text[0] = "id:same", text[1] = "id:same"; /* sources are not deduplicated here */
    contexts(text, 2);
    assert_int_equal(list.count, 2);
}

/* The excerpt ends before an address that it would cut, since nobody recognizes half an address. */
TEST(an_excerpt_does_not_cut_personal_data)
{
    static const struct {
        const char *found;
        size_t least; /* the last bytes of the find, which may be missing */
    } finds[] = {{"zqj.wvkm@corp.example", 0},
                 {"555-867-5309", 0},
                 {"4111 1111 1111 1111", 0},
                 {"\"password\": \"hunter2hunter2\"", 13}};
    for (size_t k = 0; k < sizeof(finds) / sizeof(*finds); k++)
        for (size_t pad = 150; pad < 210; pad++) {
            char text[300];
            AUTO_ARENA own = ARENA_INIT;
            size_t len = strlen(finds[k].found), begin = pad + 1 + finds[k].least;
            memset(text, 'y', pad);
            snprintf(text + pad, sizeof(text) - pad, " %s tail", finds[k].found);
            const char *excerpt = source_cut_excerpt(&own, text, strlen(text));
            size_t all = pad + 1 + len - (finds[k].least > 0);
            size_t wanted = all <= 200 || begin >= 200 ? 200 : begin;
            wanted = wanted > strlen(text) ? strlen(text) : wanted;
            assert_int_equal(strlen(excerpt), wanted);
            assert_memory_equal(excerpt, text, wanted);
        }
}

TEST(the_excerpt_of_a_context_includes_its_mark)
{
    const char *text = "id: doc_unicode \xc3\xa9mojis \xf0\x9f\x8e\x89";
    contexts(&text, 1);
    expect_written("{\"document_id\":\"doc_unicode\",\"document_title\":null,\"relevance_score\":1,"
                   "\"excerpt\":\"id: doc_unicode \xc3\xa9mojis \xf0\x9f\x8e\x89\","
                   "\"chunk_index\":null,\"retrieval_rank\":1,\"score_origin\":\"heuristic\"}");
}

TEST(contexts_are_read_from_json)
{
    assert_string_equal(source_context(&arena, slice("\"a\\u0000b\\n\"")), "a\xef\xbf\xbd"
                                                                           "b\n");
    assert_string_equal(source_context(&arena, slice("null")), "");
    assert_string_equal(source_context(&arena, slice("7")), "7");
    assert_string_equal(source_context(&arena, slice("\"\"")), "");
    assert_null(source_context(&arena, slice("{}")));
}

TEST(results_replace_contexts)
{
    static const char *const text[] = {"id:context"};
    sources_extract(&list, &arena, slice("[{\"document_id\":\"r\"}]"), "item", text, 1);
    assert_string_equal(list.source[0].document_id, "r");
    sources_extract(&list, &arena, slice("[{\"score\":2}]"), "item", text, 1);
    assert_int_equal(list.count, 0); /* it is not empty, so the contexts are ignored */
    assert_int_equal(list.refused_count, 1);
    sources_extract(&list, &arena, slice("[ ]"), "item", text, 1);
    assert_string_equal(list.source[0].document_id, "context");
    sources_extract(&list, &arena, (struct json_slice){NULL, 0}, "item", text, 1);
    assert_string_equal(list.source[0].document_id, "context");
}

/* ---- recorded attributions ---- */

TEST(a_recorded_score_is_asserted)
{
    attributions("[{\"document_id\":\"ml_handbook_ch3\",\"document_title\":\"Handbook\","
                 "\"relevance_score\":0.85,\"excerpt\":\"Algorithms\",\"chunk_index\":2,"
                 "\"retrieval_rank\":1}]");
    expect_written("{\"document_id\":\"ml_handbook_ch3\",\"document_title\":\"Handbook\","
                   "\"relevance_score\":0.85,\"excerpt\":\"Algorithms\",\"chunk_index\":2,"
                   "\"retrieval_rank\":1,\"score_origin\":\"asserted\"}");
    attributions("[{\"relevance_score\":0.85,\"score_origin\":\"measured\"},"
                 "{\"relevance_score\":\"high\",\"score_origin\":\"measured\"},{},"
                 "{\"relevance_score\":0.85,\"score_origin\":null}]");
    assert_int_equal(list.source[0].origin, SCORE_MEASURED);
    assert_int_equal(list.source[1].origin, SCORE_DEFAULT);
    assert_int_equal(list.source[2].origin, SCORE_DEFAULT);
    assert_string_equal(list.source[2].document_id, "doc_2");
    assert_null(list.source[2].excerpt);
    assert_int_equal(list.source[2].rank, -1);
    assert_int_equal(list.source[3].origin, SCORE_ASSERTED);
    attributions("[{\"relevance_score\":0.85,\"score_origin\":\"guessed\"}]");
    expect_refused("item[0]: score_origin is none of measured, heuristic, default and asserted");
    attributions("[{\"relevance_score\":1.5}]");
    expect_refused("item[0]: relevance_score is 1.5, which is not between 0 and 1");
}

TEST(attributions_survive_a_round_trip)
{
    AUTO_STRBUF first = STRBUF_INIT, second = STRBUF_INIT;
    results("[{\"document_id\":\"d\",\"title\":\"T\",\"score\":0.92,\"content\":\"C\","
            "\"chunk_index\":4}]");
    strbuf_addch(&first, '[');
    source_write(&first, &list.source[0]);
    strbuf_addch(&first, ']');
    attributions(first.buf);
    strbuf_addch(&second, '[');
    source_write(&second, &list.source[0]);
    strbuf_addch(&second, ']');
    assert_string_equal(first.buf, second.buf);
}

TEST(long_ids_are_truncated_in_reasons)
{
    AUTO_STRBUF json = STRBUF_INIT;
    strbuf_addstr(&json, "[{\"score\":9,\"document_id\":\"");
    for (int i = 0; i < 5000; i++)
        strbuf_addstr(&json, "\xf0\x9f\x8c\x8d\\n");
    strbuf_addstr(&json, "\"}]");
    results(json.buf);
    assert_int_equal(list.refused_count, 1);
    const char *reason = list.refused[0].reason;
    assert_true(utf8_valid(reason, strlen(reason)));
    assert_non_null(strstr(reason, "score is 9, which is not between 0 and 1"));
    assert_null(strchr(reason, '\n'));
}

/* Would take days if the text were scanned repeatedly. */
TEST(hostile_contexts_take_linear_time)
{
    static const char *const pieces[] = {"id:", "aid:", " id: ", " ", "\xe3\x80\x80", "\xff", "id"};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
        for (int marked = 0; marked < 2; marked++) {
            AUTO_STRBUF text = STRBUF_INIT;
            strbuf_addstr(&text, marked ? "id: " : "");
            while (text.len < 1000000)
                strbuf_addstr(&text, pieces[i]);
            sources_from_contexts(&list, &arena, (const char *const *)&text.buf, 1);
            arena_clear(&arena);
        }
}

TEST(a_ref_by_hash_tells_a_made_up_id)
{
    static const struct {
        const char *json;
        bool invented;
    } rows[] = {
        {"[{\"document_id\":\"context_doc_0\",\"ref\":\"document:sha256-ab\"}]", true},
        {"[{\"document_id\":\"sha256-ab\",\"ref\":\"document:sha256-ab\"}]", false},
        {"[{\"document_id\":\"a\",\"ref\":\"document:a\"}]", false},
        {"[{\"document_id\":\"a\",\"ref\":7}]", false},
        {"[{\"document_id\":\"a\"}]", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        attributions(rows[i].json);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.source[0].invented, rows[i].invented);
    }
}
