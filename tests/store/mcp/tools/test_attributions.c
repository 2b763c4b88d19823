/* The log of attributions, sentence by sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/fsck/fsck.h"
#include "store/journal/journal.h"
#include "tests/support/tool_call.h"

#define LOG "log_source_attribution"
#define GET "get_source_attributions"

/* ---- logging ---- */

static void the_example_calls_work_unchanged(void **state)
{
    struct fixture *f = *state;
    const char *logged = tool_answer(
        f, LOG,
        "{\n  \"agent_id\": \"my-ai-agent-001\",\n  \"source_type\": \"tavily_search\",\n"
        "  \"source_uri\": \"latest advancements in large language models\",\n"
        "  \"retrieval_timestamp\": 1678886400000,\n  \"content_summary\": \"Summary of search "
        "results on LLM advancements from various research papers and articles.\"\n}");
    const char *id = answer_text(f, logged, "attribution_id");
    assert_int_equal(strlen(id), 36);
    const char *got = tool_answer(f, GET,
                                  "{\n  \"agent_id\": \"my-ai-agent-001\",\n"
                                  "  \"source_type\": \"tavily_search\",\n  \"limit\": 10\n}");
    assert_int_equal(answer_number(got, "total"), 1);
    assert_string_equal(answer_text(f, got, "attributions.0.attribution_id"), id);
    assert_string_equal(answer_text(f, got, "attributions.0.agent_id"), "my-ai-agent-001");
    assert_string_equal(answer_text(f, got, "attributions.0.source_type"), "tavily_search");
    assert_string_equal(answer_text(f, got, "attributions.0.source_uri"),
                        "latest advancements in large language models");
    assert_int_equal(answer_number(got, "attributions.0.retrieval_timestamp"), 1678886400000);
    assert_string_equal(
        answer_text(f, got, "attributions.0.content_summary"),
        "Summary of search results on LLM advancements from various research papers "
        "and articles.");
    assert_true(answer_is_null(got, "attributions.0.full_content_hash"));
    assert_true(answer_is_null(got, "attributions.0.full_content_json"));
}

static void every_column_is_as_given(void **state)
{
    struct fixture *f = *state;
    tool_answer(f, LOG,
                "{\"agent_id\":\" A \",\"source_type\":\"we\\\"b\\u00e9\",\"source_uri\":\"\","
                "\"retrieval_timestamp\":-5,\"content_summary\":\"\",\"full_content_hash\":"
                "\"ABCDEFabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123\","
                "\"full_content_json\":{\"b\":[1.50,null],\"retrieval_timestamp\":7}}");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\" A \"}");
    assert_string_equal(answer_text(f, got, "attributions.0.source_type"), "we\"bé");
    assert_string_equal(answer_text(f, got, "attributions.0.source_uri"), "");
    assert_string_equal(answer_text(f, got, "attributions.0.content_summary"), "");
    assert_int_equal(answer_number(got, "attributions.0.retrieval_timestamp"), -5);
    assert_string_equal(answer_text(f, got, "attributions.0.full_content_hash"),
                        "ABCDEFabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123");
    struct json_slice json = answer_at(got, "attributions.0.full_content_json");
    assert_int_equal(json.len, strlen("{\"b\":[1.50,null],\"retrieval_timestamp\":7}"));
}

/* Whether it was logged with a summary or without, what it is corrected to is its summary. */
static void a_corrected_text_is_the_summary(void **state)
{
    struct fixture *f = *state;
    static const char *const summaries[] = {
        "", ",\"content_summary\":null", ",\"content_summary\":\"\"",
        ",\"content_summary\":\" \\n\"", ",\"content_summary\":\"as it was\""};
    struct strbuf line = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(summaries) / sizeof(*summaries); i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"agent_id\":\"a%zu\",\"source_type\":\"web\",\"retrieval_timestamp\":1,"
                    "\"source_uri\":\"http://u\"%s}",
                    i, summaries[i]);
        const char *ref = answer_text(f, tool_answer(f, LOG, line.buf), "ref");
        strbuf_clear(&line);
        strbuf_addf(&line, "{\"ref\":\"%s\",\"text\":\"corrected\"}", ref);
        tool_answer(f, "memory_update", line.buf);
        strbuf_clear(&line);
        strbuf_addf(&line, "{\"agent_id\":\"a%zu\"}", i);
        const char *got = tool_answer(f, GET, line.buf);
        assert_string_equal(answer_text(f, got, "attributions.0.content_summary"), "corrected");
        assert_string_equal(answer_text(f, got, "attributions.0.source_uri"), "http://u");
    }
    strbuf_release(&line);
}

static void null_is_as_absent(void **state)
{
    struct fixture *f = *state;
    static const char *const columns[] = {"source_uri", "content_summary", "full_content_hash",
                                          "full_content_json"};
    tool_answer(
        f, LOG,
        "{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":2,\"source_uri\":"
        "null,\"content_summary\":null,\"full_content_hash\":null,\"full_content_json\":null,"
        "\"supports\":null,\"citation\":null}");
    tool_answer(f, LOG, "{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1}");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\"a\"}");
    for (int row = 0; row < 2; row++)
        for (size_t i = 0; i < 4; i++) {
            char path[64];
            snprintf(path, sizeof(path), "attributions.%d.%s", row, columns[i]);
            assert_true(answer_is_null(got, path));
        }
}

static void what_is_wrong_is_refused_and_stores_nothing(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *arguments, *what;
    } cases[] = {
        {"{}", "agent_id is missing"},
        {"{\"source_type\":\"t\",\"retrieval_timestamp\":1}", "agent_id is missing"},
        {"{\"agent_id\":\"a\",\"retrieval_timestamp\":1}", "source_type is missing"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\"}", "retrieval_timestamp is missing"},
        {"{\"agent_id\":\"\",\"source_type\":\"t\",\"retrieval_timestamp\":1}",
         "agent_id is empty"},
        {"{\"agent_id\":\"a\",\"source_type\":\"\",\"retrieval_timestamp\":1}",
         "source_type is empty"},
        {"{\"agent_id\":null,\"source_type\":\"t\",\"retrieval_timestamp\":1}", "agent_id is null"},
        {"{\"agent_id\":1,\"source_type\":\"t\",\"retrieval_timestamp\":1}",
         "agent_id is a number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":\"1\"}",
         "retrieval_timestamp is a string"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1.5}",
         "retrieval_timestamp is no whole number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1678886400000."
         "00000000001}",
         "retrieval_timestamp is no whole number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":9007199254740991.4}",
         "retrieval_timestamp is no whole number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1e-400}",
         "retrieval_timestamp is no whole number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1e300}",
         "retrieval_timestamp is no whole number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":9007199254740993}",
         "retrieval_timestamp is out of range"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":null}",
         "retrieval_timestamp is null"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,\"source_url\":"
         "\"x\"}",
         "there is no argument 'source_url'"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,\"source_uri\":7}",
         "source_uri is a number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,"
         "\"full_content_hash\":\"abc\"}",
         "full_content_hash is not 64 hex digits"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,\"full_content_"
         "hash\":"
         "\"zbcdefabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123\"}",
         "full_content_hash is not 64 hex digits"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,\"citation\":"
         "{\"relevance\":2}}",
         "citation.relevance is out of range"},
        {"{\"agent_id\":\"a\\u0000b\",\"source_type\":\"t\",\"retrieval_timestamp\":1}",
         "agent_id holds a NUL"},
        {"{\"agent_id\":\"a\",\"source_type\":\"\\ud800\",\"retrieval_timestamp\":1}",
         "source_type holds a NUL or half"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,\"supports\":[1]}",
         "supports[0] is a number"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,\"supports\":"
         "\"raw:a\"}",
         "supports is a string"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,\"supports\":[\"\"]}",
         "supports[0] is empty"},
        {"{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,"
         "\"full_content_json\":{\"a\":\"\\ud800\"}}",
         "full_content_json cannot be kept: "},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        tool_refuses(f, LOG, cases[i].arguments, ERROR_INVALID, cases[i].what);
    assert_int_equal(event_count(f), 0);
}

/* It is kept within the detail, which is one level. */
static void content_is_as_deep_as_can_be_kept(void **state)
{
    struct fixture *f = *state;
    for (int depth = 63; depth <= 64; depth++) {
        struct strbuf line = STRBUF_INIT;
        strbuf_addstr(&line, "{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,"
                             "\"full_content_json\":");
        strbuf_addchars(&line, '[', (size_t)depth);
        strbuf_addchars(&line, ']', (size_t)depth);
        strbuf_addch(&line, '}');
        if (depth == 63)
            tool_answer(f, LOG, line.buf);
        else
            tool_refuses(f, LOG, line.buf, ERROR_INVALID, "full_content_json cannot be kept: ");
        strbuf_release(&line);
    }
}

/* Seconds given for milliseconds are kept, and shown as suspect. */
static void seconds_are_kept_and_suspect(void **state)
{
    struct fixture *f = *state;
    tool_answer(f, LOG,
                "{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1678886400}");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\"a\"}");
    assert_int_equal(answer_number(got, "attributions.0.retrieval_timestamp"), 1678886400);
    const char *found = tool_answer(f, "memory_orphans", "{\"problem\":\"suspect-time\"}");
    assert_int_equal(answer_count(found, "problems"), 1);
    assert_string_equal(answer_text(f, found, "problems.0.field"), "retrieval_timestamp");
}

/* A summary that cannot be kept as it is stays readable; its bytes are beside it. */
static void a_broken_summary_is_repaired(void **state)
{
    struct fixture *f = *state;
    const char *logged =
        tool_answer(f, LOG,
                    "{\"agent_id\":\"a\",\"source_type\":\"t\",\"retrieval_timestamp\":1,"
                    "\"content_summary\":\"be\\u0000fore\"}");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\"a\"}");
    assert_string_equal(answer_text(f, got, "attributions.0.content_summary"), "be\xef\xbf\xbd"
                                                                               "fore");
    struct strbuf ask = STRBUF_INIT;
    strbuf_addf(&ask, "{\"ref\":\"%s\"}", answer_text(f, logged, "ref"));
    const char *memory = tool_answer(f, "memory_get", ask.buf);
    assert_string_equal(answer_text(f, memory, "detail.original"), "YmUAZm9yZQ==");
    strbuf_release(&ask);
}

/* ---- the memory that it is ---- */

static void it_is_an_observation_of_that_agent(void **state)
{
    struct fixture *f = *state;
    tool_answer(f, LOG,
                "{\"agent_id\":\"ash\",\"source_type\":\"web\",\"source_uri\":\"https://x\","
                "\"retrieval_timestamp\":1}");
    const char *list = tool_answer(f, "memory_list", "{\"kind\":\"attribution\"}");
    assert_int_equal(answer_count(list, "memories"), 1);
    assert_string_equal(answer_text(f, list, "memories.0.source_type"), "observation");
    assert_string_equal(answer_text(f, list, "memories.0.agent_id"), "ash");
    assert_string_equal(answer_text(f, list, "memories.0.detail.source_type"), "web");
    assert_string_equal(answer_text(f, list, "memories.0.text"), "https://x");
    assert_string_equal(answer_text(f, list, "memories.0.label"), "grounded");
    struct event *event;
    size_t count;
    struct error e;
    assert_int_equal(journal_read(f->reader, &f->arena, 0, 10, &event, &count, &e), 0);
    assert_int_equal(count, 1);
    assert_string_equal(event[0].actor, "ash");
    assert_string_equal(event[0].class_name, "agent");
}

static void what_it_supports_gets_a_justification(void **state)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"belief:one\",\"text\":\"t\"}", "{\"ref\":\"raw:r\",\"text\":\"t\"}",
                "{\"ref\":\"belief:two\",\"text\":\"t\",\"derived_from\":[\"raw:r\"]}", NULL);
    tool_answer(
        f, LOG,
        "{\"agent_id\":\"a\",\"source_type\":\"web\",\"retrieval_timestamp\":1,\"supports\":"
        "[\"belief:one\",\"belief:two\",\"belief:two\"],\"citation\":{\"page\":12,"
        "\"excerpt\":\"so\",\"relevance\":0.9}}");
    /* Where there was none, an empty one is added with it: nothing is easier to fall than before. */
    const char *one = tool_answer(f, "memory_get", "{\"ref\":\"belief:one\"}");
    assert_int_equal(answer_count(one, "justifications"), 2);
    assert_int_equal(answer_count(one, "justifications.0.antecedents"), 0);
    assert_string_equal(answer_text(f, one, "justifications.1.role"), "evidence");
    assert_int_equal(answer_number(one, "justifications.1.antecedents.0.page"), 12);
    assert_string_equal(answer_text(f, one, "justifications.1.antecedents.0.excerpt"), "so");
    assert_int_equal(answer_number(one, "version"), 2);
    const char *two = tool_answer(f, "memory_get", "{\"ref\":\"belief:two\"}");
    assert_int_equal(answer_count(two, "justifications"), 2);
    assert_string_equal(answer_text(f, two, "label"), "grounded");
}

static void what_cannot_be_supported_is_refused_whole(void **state)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"belief:held\",\"text\":\"t\",\"protected\":true}",
                "{\"ref\":\"belief:gone\",\"text\":\"t\",\"status\":\"forgotten\"}",
                "{\"ref\":\"note:n\",\"text\":\"t\",\"derived_from\":[\"raw:never\"]}", NULL);
    static const char before[] = "{\"agent_id\":\"a\",\"source_type\":\"web\","
                                 "\"retrieval_timestamp\":1,\"supports\":[\"%s\"]}";
    static const struct {
        const char *ref;
        enum error_code code;
    } cases[] = {{"belief:held", ERROR_REFUSED},
                 {"belief:gone", ERROR_NOT_FOUND},
                 {"belief:nothing", ERROR_NOT_FOUND},
                 {"raw:never", ERROR_NOT_FOUND},
                 {"context:words", ERROR_NOT_FOUND}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct strbuf arguments = STRBUF_INIT;
        strbuf_addf(&arguments, before, cases[i].ref);
        tool_refuses(f, LOG, arguments.buf, cases[i].code, "supports");
        strbuf_release(&arguments);
    }
    assert_int_equal(answer_number(tool_answer(f, GET, "{\"agent_id\":\"a\"}"), "total"), 0);
}

/* What a person retracted would stand again by it, and what a person verified would no more fall with its source. */
static void what_a_person_decided_about_gets_no_support(void **state)
{
    struct fixture *f = *state;
    static const char logs[] = "{'agent_id':'a','source_type':'web','retrieval_timestamp':1,"
                               "'supports':['belief:free','belief:b']}";
    static const struct {
        enum operation op, back;
        const char *mark, *why;
    } words[] = {
        {OPERATION_PROTECT, OPERATION_UNPROTECT, NULL, "supports: belief:b is protected"},
        {OPERATION_MARK, OPERATION_UNMARK, "quarantined", "b was quarantined by a person"},
        {OPERATION_RETRACT, OPERATION_RESTORE, NULL, "b was retracted by a person"},
        {OPERATION_VERIFY, OPERATION_UNPROTECT, NULL, "b was verified by a person"},
    };
    fixture_put(f, "{\"ref\":\"belief:free\",\"text\":\"t\"}",
                "{\"ref\":\"belief:b\",\"text\":\"t\"}", NULL);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        person_does(f, words[i].op, "belief:b", words[i].mark);
        tool_objects(f, LOG, logs, ERROR_REFUSED, words[i].why);
        person_does(f, words[i].back, "belief:b", words[i].mark);
    }
    tool_ask(f, LOG, logs);
    const char *b = tool_answer(f, "memory_get", "{\"ref\":\"belief:b\"}");
    assert_int_equal(answer_count(b, "justifications"), 2);
}

/* ---- reading ---- */

static void log_at(struct fixture *f, const char *agent, const char *type, int64_t at,
                   const char *uri)
{
    struct strbuf arguments = STRBUF_INIT;
    strbuf_addf(&arguments,
                "{\"agent_id\":\"%s\",\"source_type\":\"%s\",\"retrieval_timestamp\":%lld,"
                "\"source_uri\":\"%s\"}",
                agent, type, (long long)at, uri);
    tool_answer(f, LOG, arguments.buf);
    strbuf_release(&arguments);
}

/* The URIs of an answer, one after the other. */
static const char *order_of(struct fixture *f, const char *arguments)
{
    const char *got = tool_answer(f, GET, arguments);
    struct strbuf uris = STRBUF_INIT;
    for (size_t i = 0; i < answer_count(got, "attributions"); i++) {
        char path[64];
        snprintf(path, sizeof(path), "attributions.%zu.source_uri", i);
        strbuf_addstr(&uris, answer_text(f, got, path));
    }
    const char *order = arena_strdup(&f->arena, uris.buf);
    strbuf_release(&uris);
    return order;
}

static void newest_first_ties_by_insertion(void **state)
{
    struct fixture *f = *state;
    log_at(f, "a", "web", 300, "1");
    log_at(f, "a", "db", 100, "2");
    log_at(f, "a", "web", 200, "3");
    log_at(f, "a", "db", 200, "4");
    log_at(f, "b", "web", 400, "x");
    log_at(f, "a", "web", 200, "5");
    log_at(f, "a", "Web", 250, "6");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\"}"), "165432");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\",\"source_type\":\"web\"}"), "153");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\",\"source_type\":\"Web\"}"), "6");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\",\"source_type\":\"WEB\"}"), "");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\",\"source_type\":\"we\"}"), "");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\",\"source_type\":null}"), "165432");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\",\"source_type\":\"\"}"), "165432");
    assert_string_equal(order_of(f, "{\"agent_id\":\"A\"}"), "");
    assert_string_equal(order_of(f, "{\"agent_id\":\"b\"}"), "x");
}

static void pages_are_of_the_same_order(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 130; i++)
        log_at(f, "a", i % 2 ? "web" : "db", 1000 + i / 10, "u");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\"a\"}");
    assert_int_equal(answer_count(got, "attributions"), 100);
    assert_int_equal(answer_number(got, "total"), 130);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"limit\":0}");
    assert_int_equal(answer_count(got, "attributions"), 0);
    assert_int_equal(answer_number(got, "total"), 130);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"limit\":1000,\"offset\":120}");
    assert_int_equal(answer_count(got, "attributions"), 10);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"offset\":130}");
    assert_int_equal(answer_count(got, "attributions"), 0);
    assert_int_equal(answer_number(got, "total"), 130);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"source_type\":\"web\",\"limit\":7.0}");
    assert_int_equal(answer_count(got, "attributions"), 7);
    assert_int_equal(answer_number(got, "total"), 65);
    /* One by one they are the same as at once. */
    const char *all = tool_answer(f, GET, "{\"agent_id\":\"a\",\"limit\":130}");
    for (int i = 0; i < 130; i += 13) {
        char arguments[96], path[64];
        snprintf(arguments, sizeof(arguments), "{\"agent_id\":\"a\",\"limit\":1,\"offset\":%d}", i);
        snprintf(path, sizeof(path), "attributions.%d.attribution_id", i);
        assert_string_equal(
            answer_text(f, tool_answer(f, GET, arguments), "attributions.0.attribution_id"),
            answer_text(f, all, path));
    }
}

static void limits_are_kept(void **state)
{
    struct fixture *f = *state;
    static const char *const cases[][2] = {
        {"{\"agent_id\":\"a\",\"limit\":1001}", "limit is out of range"},
        {"{\"agent_id\":\"a\",\"limit\":-1}", "limit is out of range"},
        {"{\"agent_id\":\"a\",\"limit\":1.5}", "limit is no whole number"},
        {"{\"agent_id\":\"a\",\"limit\":\"5\"}", "limit is a string"},
        {"{\"agent_id\":\"a\",\"offset\":-1}", "offset is out of range"},
        {"{\"agent_id\":\"a\",\"page\":2}", "there is no argument 'page'"},
        {"{\"agent_id\":\"\"}", "agent_id is empty"},
        {"{\"source_type\":\"t\"}", "agent_id is missing"},
        {"{\"agent_id\":\"a\",\"source_type\":5}", "source_type is a number"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        tool_refuses(f, GET, cases[i][0], ERROR_INVALID, cases[i][1]);
}

static void a_search_is_logged_as_one(void **state)
{
    struct fixture *f = *state;
    tool_answer(f, "log_search_attribution",
                "{\"agent_id\":\"a\",\"query\":\"wal mode\",\"results_summary\":\"found\","
                "\"retrieval_timestamp\":1678886400000}");
    tool_answer(f, "log_search_attribution",
                "{\"agent_id\":\"a\",\"query\":\"q\",\"retrieval_timestamp\":1}");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"source_type\":\"tavily_search\"}");
    assert_int_equal(answer_number(got, "total"), 2);
    assert_string_equal(answer_text(f, got, "attributions.0.source_uri"), "wal mode");
    assert_string_equal(answer_text(f, got, "attributions.0.content_summary"), "found");
    assert_true(answer_is_null(got, "attributions.1.content_summary"));
    tool_refuses(f, "log_search_attribution", "{\"agent_id\":\"a\",\"retrieval_timestamp\":1}",
                 ERROR_INVALID, "query is missing");
}

/* What others wrote, and what is forgotten, is heeded; and so are counts that were asked for before. */
static void the_log_follows_the_memories(void **state)
{
    struct fixture *f = *state;
    log_at(f, "a", "web", 300, "1");
    assert_int_equal(answer_number(tool_answer(f, GET, "{\"agent_id\":\"a\"}"), "total"), 1);
    fixture_put(f,
                "{\"ref\":\"attribution:x\",\"agent_id\":\"a\",\"text\":\"s\",\"created_at\":400,"
                "\"detail\":{\"source_type\":\"web\",\"source_uri\":\"2\"}}",
                "{\"ref\":\"attribution:y\",\"agent_id\":\"a\",\"text\":\"s\",\"detail\":"
                "{\"source_uri\":\"3\",\"source_type\":7,\"retrieval_timestamp\":\"x\"},"
                "\"created_at\":200}",
                NULL);
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\"}"), "213");
    assert_string_equal(order_of(f, "{\"agent_id\":\"a\",\"source_type\":\"web\"}"), "21");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\"a\"}");
    assert_int_equal(answer_number(got, "total"), 3);
    assert_true(answer_is_null(got, "attributions.0.retrieval_timestamp"));
    assert_true(answer_is_null(got, "attributions.2.source_type"));
    fixture_put(f,
                "{\"ref\":\"attribution:x\",\"agent_id\":\"a\",\"text\":\"s\",\"created_at\":400,"
                "\"status\":\"forgotten\"}",
                "{\"ref\":\"attribution:y\",\"agent_id\":\"b\",\"text\":\"s\",\"created_at\":200}",
                NULL);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\"}");
    assert_int_equal(answer_number(got, "total"), 1);
    assert_int_equal(answer_count(got, "attributions"), 1);
    assert_int_equal(answer_number(tool_answer(f, GET, "{\"agent_id\":\"b\"}"), "total"), 1);
}

/* ---- the table ---- */

static void count_finding(void *arg, const struct fsck_finding *finding)
{
    struct strbuf *all = arg;
    strbuf_addf(all, "%s\n", finding->what);
}

static const char *findings(struct fixture *f)
{
    struct strbuf all = STRBUF_INIT;
    struct fsck_summary summary;
    struct error e;
    assert_int_equal(store_fsck(f->reader, count_finding, NULL, &all, &summary, &e), 0);
    const char *text = arena_strdup(&f->arena, all.buf);
    strbuf_release(&all);
    return text;
}

static void fsck_looks_at_the_table(void **state)
{
    struct fixture *f = *state;
    log_at(f, "a", "web", 300, "1");
    fixture_put(f, "{\"ref\":\"raw:r\",\"text\":\"t\"}", NULL);
    assert_string_equal(findings(f), "");
    fixture_sql(f, "UPDATE attribution SET type = 'other'");
    assert_non_null(strstr(findings(f), "its place in the log of attributions"));
    fixture_sql(f, "UPDATE attribution SET type = 'web'; UPDATE attribution SET at = 1");
    assert_non_null(strstr(findings(f), "its place in the log of attributions"));
    fixture_sql(f, "UPDATE attribution SET at = 300;"
                   "INSERT INTO attribution VALUES (2, 1, NULL, 5)");
    assert_non_null(strstr(findings(f), "an entry of the log of attributions"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(the_example_calls_work_unchanged),
        WITH_FIXTURE(every_column_is_as_given),
        WITH_FIXTURE(null_is_as_absent),
        WITH_FIXTURE(a_corrected_text_is_the_summary),
        WITH_FIXTURE(what_is_wrong_is_refused_and_stores_nothing),
        WITH_FIXTURE(content_is_as_deep_as_can_be_kept),
        WITH_FIXTURE(seconds_are_kept_and_suspect),
        WITH_FIXTURE(a_broken_summary_is_repaired),
        WITH_FIXTURE(it_is_an_observation_of_that_agent),
        WITH_FIXTURE(what_it_supports_gets_a_justification),
        WITH_FIXTURE(what_a_person_decided_about_gets_no_support),
        WITH_FIXTURE(what_cannot_be_supported_is_refused_whole),
        WITH_FIXTURE(newest_first_ties_by_insertion),
        WITH_FIXTURE(pages_are_of_the_same_order),
        WITH_FIXTURE(limits_are_kept),
        WITH_FIXTURE(a_search_is_logged_as_one),
        WITH_FIXTURE(the_log_follows_the_memories),
        WITH_FIXTURE(fsck_looks_at_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
