/* Citing and looking citations up through the tools: the specification's own cases, and what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/clock.h"
#include "store/journal/journal.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/tool_call.h"

#define CITE "cite_sources"
#define GET  "get_citations"
#define OF   "\"conversation_id\":\"c\",\"message_id\":\"m\""

/* The answer of citing these; `sources` is the inside of the list, with ' for ". */
static const char *cite_of(struct fixture *f, const char *message, const char *sources)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{\"conversation_id\":\"c\",\"message_id\":\"%s\",\"sources\":[", message);
    for (const char *at = sources; *at; at++)
        strbuf_addch(&line, (char)(*at == '\'' ? '"' : *at));
    strbuf_addstr(&line, "]}");
    const char *answer = tool_answer(f, CITE, line.buf);
    strbuf_release(&line);
    return answer;
}

static const char *cite(struct fixture *f, const char *sources)
{
    return cite_of(f, "m", sources);
}

/* "doc-1 .8, doc-2 .6": what is emitted, in its order. */
static void expect_emitted(struct fixture *f, const char *answer, const char *list,
                           const char *expected)
{
    struct strbuf got = STRBUF_INIT;
    for (size_t i = 0; i < answer_count(answer, list); i++) {
        char path[80];
        snprintf(path, sizeof(path), "%s.%zu.documentId", list, i);
        strbuf_addf(&got, "%s%s ", i ? ", " : "", answer_text(f, answer, path));
        snprintf(path, sizeof(path), "%s.%zu.relevanceScore", list, i);
        struct json_slice score = answer_at(answer, path);
        strbuf_add(&got, score.ptr, score.len);
    }
    if (strcmp(got.buf, expected) != 0)
        fail_msg("%s: %s, not %s", list, got.buf, expected);
    strbuf_release(&got);
}

/* ---- the specification's cases ---- */

#define SOURCE(id, location, score)                                                                \
    "{'documentId':'" id "','documentName':'" id ".pdf'," location "'snippet':'of " id             \
    "','relevanceScore':" score ",'retrievedAt':'2026-01-11T09:30:00.000Z'}"

#define PAGE(n) "'location':{'page':" n "},"

static void citations_are_formatted(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *source, *formatted;
    } cases[] = {
        {"{'documentName':'Management Presentation','location':{'page':12}}",
         "(Management Presentation, page 12)"},
        {"{'documentName':'CIM Draft','location':{'section':'Executive Summary'}}",
         "(CIM Draft, Executive Summary)"},
        {"{'documentName':'Report','location':{'page':5,'section':'Chapter 1'}}",
         "(Report, page 5, Chapter 1)"},
        {"{'documentName':'Report'}", "(Report, document)"},
        {"{'documentName':'Report','location':{'page':0,'section':''}}", "(Report, document)"},
        {"{'documentName':'Report','location':null}", "(Report, document)"},
        {"{'documentName':'Report','location':{'page':null,'section':null,'paragraph':7}}",
         "(Report, document)"},
        {"{}", "(Unknown source, document)"},
        {"{'documentName':null,'location':{'page':3}}", "(Unknown source, page 3)"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *answer = cite(f, cases[i].source);
        answer_says(f, answer, "citations.0.formatted", cases[i].formatted);
        assert_int_equal(answer_count(answer, "citations"), 1);
    }
}

static void the_same_place_counts_once(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *sources, *emitted;
        int64_t left_out;
    } cases[] = {
        {SOURCE("doc-1", PAGE("1"), "0.8") "," SOURCE("doc-1", PAGE("1"),
                                                      "0.7") "," SOURCE("doc-2", PAGE("1"), "0.6"),
         "doc-1 0.8, doc-2 0.6", 1},
        {SOURCE("a", "", "0.5") "," SOURCE("a", "", "0.9") "," SOURCE("a", "", "0.7"), "a 0.9", 2},
        {SOURCE("a", PAGE("1"), "0.8") "," SOURCE("b", PAGE("1"), "0.9") "," SOURCE("a", PAGE("1"),
                                                                                    "0.9"),
         "a 0.9, b 0.9", 1},
        {SOURCE("a", "", "0.5") "," SOURCE("b", "", "0.9") "," SOURCE("c", "", "0.5") "," SOURCE(
             "d", "", "0.9"),
         "b 0.9, d 0.9, a 0.5, c 0.5", 0},
        {SOURCE("a", "", "0.5") "," SOURCE("a", PAGE("0"), "0.4") "," SOURCE(
             "a", "'location':{'section':''},", "0.6"),
         "a 0.6", 2},
        {SOURCE("a", PAGE("1"), "0.5") "," SOURCE("a", PAGE("2"), "0.5"), "a 0.5, a 0.5", 0},
        /* Fields are compared, not a joined text. */
        {SOURCE("a:1", "", "0.5") "," SOURCE("a", PAGE("1"), "0.5"), "a:1 0.5, a 0.5", 0},
        {SOURCE("1", "", "0.9") "," SOURCE("2", "", "0.8") "," SOURCE("3", "", "0.7") "," SOURCE(
             "4", "", "0.6") "," SOURCE("5", "", "0.5") "," SOURCE("6", "",
                                                                   "0.4") "," SOURCE("7", "",
                                                                                     "0.3"),
         "1 0.9, 2 0.8, 3 0.7, 4 0.6, 5 0.5", 2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *answer = cite(f, cases[i].sources);
        char last[40];
        size_t count = answer_count(answer, "sources");
        expect_emitted(f, answer, "sources", cases[i].emitted);
        assert_int_equal(answer_number(answer, "left_out"), cases[i].left_out);
        assert_int_equal(answer_count(answer, "events"), count + 1);
        snprintf(last, sizeof(last), "events.%zu.sources", count);
        expect_emitted(f, answer, last, cases[i].emitted);
    }
}

/* The higher score brings its own passage. */
static void the_better_one_replaces_in_the_place_of_the_first(void **state)
{
    struct fixture *f = *state;
    const char *answer = cite(f, "{'documentId':'a','snippet':'first','relevanceScore':0.8},"
                                 "{'documentId':'b','snippet':'b','relevanceScore':0.9},"
                                 "{'documentId':'a','snippet':'third','relevanceScore':0.9}");
    expect_emitted(f, answer, "sources", "a 0.9, b 0.9");
    answer_says(f, answer, "sources.0.snippet", "third");
}

static void events_are_in_their_order(void **state)
{
    struct fixture *f = *state;
    const char *answer = cite(f, SOURCE("low", "", "0.4") "," SOURCE("high", PAGE("12"), "0.9"));
    int64_t at;
    assert_int_equal(answer_count(answer, "events"), 3);
    const char *when = answer_text(f, answer, "events.0.timestamp");
    assert_int_equal(strlen(when), strlen("2026-01-11T09:30:00.000Z"));
    assert_int_equal(when[23], 'Z');
    assert_int_equal(clock_parse_iso(when, &at), 0);
    struct strbuf expected = STRBUF_INIT;
    static const char high[] = "{'documentId':'high','documentName':'high.pdf','location':{'page':"
                               "12},'snippet':'of high','relevanceScore':0.9,"
                               "'retrievedAt':'2026-01-11T09:30:00.000Z'}";
    static const char low[] = "{'documentId':'low','documentName':'low.pdf','snippet':'of low',"
                              "'relevanceScore':0.4,'retrievedAt':'2026-01-11T09:30:00.000Z'}";
    strbuf_addf(&expected,
                "[{'type':'source_added','source':%s,'conversationId':'c','timestamp':'%s'},"
                "{'type':'source_added','source':%s,'conversationId':'c','timestamp':'%s'},"
                "{'type':'done','messageId':'m','sources':[%s,%s],'conversationId':'c',"
                "'timestamp':'%s'}]",
                high, when, low, when, high, low, when);
    answer_is(answer, "events", expected.buf);
    strbuf_release(&expected);
}

static void no_sources_is_done_alone(void **state)
{
    struct fixture *f = *state;
    const char *answer = cite(f, "");
    answer_is(answer, "sources", "[]");
    answer_is(answer, "citations", "[]");
    assert_int_equal(answer_count(answer, "events"), 1);
    answer_says(f, answer, "events.0.type", "done");
    answer_is(answer, "events.0.sources", "[]");
    answer_says(f, answer, "uncertainty", "complete");
}

static void uncertainty_is_of_the_mean(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *sources, *uncertainty;
    } cases[] = {
        {SOURCE("a", "", "0.71"), "none"},
        {SOURCE("a", "", "0.7"), "low"},
        {SOURCE("a", "", "0.51"), "low"},
        {SOURCE("a", "", "0.5"), "medium"},
        {SOURCE("a", "", "0.31"), "medium"},
        {SOURCE("a", "", "0.3"), "high"},
        {SOURCE("a", "", "0"), "high"},
        {SOURCE("a", "", "1") "," SOURCE("b", "", "0"), "medium"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        answer_says(f, cite(f, cases[i].sources), "uncertainty", cases[i].uncertainty);
}

/* ---- items ---- */

static void a_bad_source_is_refused_by_itself(void **state)
{
    struct fixture *f = *state;
    static const char *const bad[] = {
        "7",
        "null",
        "'text'",
        "[]",
        "{'relevanceScore':1.5}",
        "{'relevanceScore':-0.1}",
        "{'relevanceScore':'high'}",
        "{'retrievedAt':'yesterday'}",
        "{'location':'page 3'}",
        "{'location':{'page':-1}}",
        "{'documentId':{}}",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct strbuf sources = STRBUF_INIT;
        strbuf_addf(&sources, "%s,%s", SOURCE("good", "", "0.5"), bad[i]);
        const char *answer = cite(f, sources.buf);
        expect_emitted(f, answer, "sources", "good 0.5");
        assert_int_equal(answer_count(answer, "refused"), 1);
        assert_int_equal(answer_number(answer, "refused.0.index"), 1);
        assert_non_null(strstr(answer_text(f, answer, "refused.0.reason"), "sources[1]"));
        assert_int_equal(answer_number(answer, "left_out"), 0);
        strbuf_release(&sources);
    }
}

static void null_is_as_absent_and_more_is_passed_over(void **state)
{
    struct fixture *f = *state;
    const char *answer =
        cite(f, "{'documentId':null,'documentName':null,'location':null,'snippet':null,"
                "'relevanceScore':null,'retrievedAt':null,'score_origin':null,'extra':{'a':[1]}},"
                "{'documentId':'','documentName':''},{'documentId':12345,'more':null}");
    assert_null(answer_at(answer, "refused").ptr);
    expect_emitted(f, answer, "sources", "source-1 0.5, source-2 0.5, 12345 0.5");
    answer_says(f, answer, "sources.1.documentName", "Unknown source");
    assert_null(strstr(answer, "null")); /* an absent field is left out */
    tool_allows(f, "cite_sources",
                "{'conversation_id':'c','message_id':'m','sources':[{'documentId':12345,"
                "'documentName':7,'location':{'page':'5','section':null,'paragraph':1},"
                "'relevanceScore':null,'score_origin':null,'more':null}]}");
    tool_allows(f, "cot_record",
                "{'original_question':'q','final_answer':'a','reasoning_steps':[{'step_number':1,"
                "'question':'q','intermediate_answer':'a','confidence_score':1,"
                "'source_attributions':[{'document_id':12345,'document_title':7,"
                "'relevance_score':'high','chunk_index':'5','retrieval_rank':' 2 '}]}]}");
}

static void what_is_odd_comes_back_as_text(void **state)
{
    struct fixture *f = *state;
    const char *answer = cite(
        f, "{'documentId':'dóc 🎉','documentName':'a \\u202e b\\n','snippet':'half \\ud800 pair "
           "and \\u0000 nul','relevanceScore':0.9,'retrievedAt':'2026-01-11T10:30:00+01:00'}");
    answer_says(f, answer, "sources.0.documentId", "dóc 🎉");
    answer_says(f, answer, "sources.0.documentName", "a \u202e b\n");
    answer_says(f, answer, "sources.0.snippet", "half \ufffd\ufffd\ufffd pair and \ufffd nul");
    answer_says(f, answer, "sources.0.retrievedAt", "2026-01-11T09:30:00.000Z");
}

/* ---- the call as a whole ---- */

static void what_is_wrong_stores_nothing(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *arguments, *what;
    } cases[] = {
        {"{}", "conversation_id is missing"},
        {"{\"conversation_id\":\"c\",\"sources\":[]}", "message_id is missing"},
        {"{" OF "}", "sources is missing"},
        {"{" OF ",\"sources\":null}", "sources is null"},
        {"{" OF ",\"sources\":{}}", "sources is an object"},
        {"{\"conversation_id\":\"\",\"message_id\":\"m\",\"sources\":[]}",
         "conversation_id is empty"},
        {"{\"conversation_id\":\"c\\u0000\",\"message_id\":\"m\",\"sources\":[]}",
         "conversation_id holds a NUL"},
        {"{" OF ",\"sources\":[],\"source\":[]}", "there is no argument 'source'"},
        {"{" OF ",\"sources\":[],\"agent_id\":\"\"}", "agent_id is empty"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        tool_refuses(f, CITE, cases[i].arguments, ERROR_INVALID, cases[i].what);
    assert_int_equal(event_count(f), 0);
}

static void the_journal_has_the_events_in_their_order(void **state)
{
    struct fixture *f = *state;
    const char *answer = cite(f, SOURCE("low", "", "0.4") "," SOURCE("high", "", "0.9"));
    struct event *events;
    struct error e;
    size_t count, added = 0;
    assert_int_equal(journal_read(f->reader, &f->arena, 0, 100, &events, &count, &e), 0);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(events[i].operation, "source_added") != 0)
            continue;
        char path[40];
        snprintf(path, sizeof(path), "citations.%zu.ref", added++);
        assert_string_equal(fixture_ref(f, events[i].subject), answer_text(f, answer, path));
        assert_string_equal(events[i].correlation, events[count - 1].correlation);
    }
    assert_int_equal(added, 2);
    assert_string_equal(events[count - 1].operation, "done");
}

/* ---- get_citations ---- */

static void citations_are_found_again(void **state)
{
    struct fixture *f = *state;
    cite_of(f, "m1", SOURCE("a", "", "0.4") "," SOURCE("b", PAGE("2"), "0.9"));
    cite_of(f, "m2", SOURCE("a", "", "0.7"));
    const char *got = tool_answer(f, GET, "{\"conversation_id\":\"c\"}");
    expect_emitted(f, got, "citations", "b 0.9, a 0.4, a 0.7");
    assert_int_equal(answer_number(got, "total"), 3);
    answer_says(f, got, "citations.0.formatted", "(b.pdf, page 2)");
    answer_says(f, got, "citations.0.messageId", "m1");
    answer_says(f, got, "citations.0.conversationId", "c");
    answer_says(f, got, "citations.0.document", "document:b");
    answer_says(f, got, "uncertainty", "low");
    got = tool_answer(f, GET, "{\"document_id\":\"a\",\"conversation_id\":null}");
    expect_emitted(f, got, "citations", "a 0.4, a 0.7");
    got = tool_answer(f, GET, "{\"message_id\":\"m2\",\"document_id\":\"a\"}");
    expect_emitted(f, got, "citations", "a 0.7");
    got = tool_answer(f, GET, "{\"message_id\":\"m2\",\"document_id\":\"b\"}");
    answer_is(got, "citations", "[]");
    answer_says(f, got, "uncertainty", "complete");
    got = tool_answer(f, GET, "{\"conversation_id\":\"C\"}");
    assert_int_equal(answer_number(got, "total"), 0);
    tool_refuses(f, GET, "{}", ERROR_INVALID, "which citations");
    tool_refuses(f, GET, "{\"document_id\":null}", ERROR_INVALID, "which citations");
}

static void citing_a_message_again_takes_the_place(void **state)
{
    struct fixture *f = *state;
    const char *first = cite(f, SOURCE("a", "", "0.4"));
    cite(f, SOURCE("b", "", "0.5"));
    expect_emitted(f, tool_answer(f, GET, "{\"message_id\":\"m\"}"), "citations", "b 0.5");
    char arguments[100];
    snprintf(arguments, sizeof(arguments), "{\"ref\":\"%s\"}",
             answer_text(f, first, "citations.0.ref"));
    answer_says(f, tool_answer(f, "memory_get", arguments), "status", "superseded");
    cite(f, "");
    assert_int_equal(answer_number(tool_answer(f, GET, "{\"message_id\":\"m\"}"), "total"), 0);
}

static void a_page_says_how_many_there_are(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 4; i++) {
        char message[16];
        snprintf(message, sizeof(message), "m%d", i);
        cite_of(f, message,
                SOURCE("a", "", "0.9") "," SOURCE("b", "", "0.8") "," SOURCE("c", "", "0.7"));
    }
    const char *got = tool_answer(f, GET, "{\"conversation_id\":\"c\",\"limit\":5}");
    assert_int_equal(answer_count(got, "citations"), 5);
    assert_int_equal(answer_number(got, "total"), 12);
    got = tool_answer(f, GET, "{\"conversation_id\":\"c\",\"limit\":5,\"offset\":10}");
    expect_emitted(f, got, "citations", "b 0.8, c 0.7");
    assert_int_equal(answer_number(got, "total"), 12);
    got = tool_answer(f, GET, "{\"conversation_id\":\"c\",\"offset\":100}");
    assert_int_equal(answer_count(got, "citations"), 0);
}

/* A citation rests on its document: one that turns out wrong takes it along. */
static void a_citation_rests_on_its_document(void **state)
{
    struct fixture *f = *state;
    const char *answer = cite(f, SOURCE("a", "", "0.4"));
    char arguments[100];
    const char *ref = answer_text(f, answer, "citations.0.ref");
    const char *whatif = tool_answer(f, "memory_whatif", "{\"refs\":[\"document:a\"]}");
    answer_says(f, whatif, "falls.0", ref);
    snprintf(arguments, sizeof(arguments), "{\"ref\":\"%s\"}", ref);
    answer_says(f, tool_answer(f, "memory_get", arguments), "label", "grounded");
}

/* ---- over the socket ---- */

#define CALL                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{%s\"name\":\"cite_"       \
    "sources\",\"arguments\":{\"conversation_id\":\"c\",\"message_id\":\"m\",\"sources\":%s}}}"

#define TWO                                                                                        \
    "[{\"documentId\":\"a\",\"relevanceScore\":0.9},{\"documentId\":\"b\",\"relevanceScore\":0.8}" \
    "]"

#define MODERN(more)                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}" more "},"

#define ASKED ",\"io.modelcontextprotocol/logLevel\":\"info\""

struct listening {
    struct served served;
    struct client client;
    char *path;
};

static void listen_to(struct listening *l, const char *revision)
{
    l->path = scratch_path("cite.db");
    served_start(&l->served, l->path);
    client_connect(&l->client, l->served.path);
    if (revision)
        client_initialize(&l->client, revision);
}

static void leave(struct listening *l)
{
    client_close(&l->client);
    assert_int_equal(served_stop(&l->served), 0);
    free(l->path);
}

/* Each line until the answer; `events` are the types that come before it, in their order. */
static void expect_told(struct listening *l, const char *meta, const char *sources,
                        const char *events)
{
    struct strbuf heard = STRBUF_INIT;
    const char *line;
    client_sendf(&l->client, CALL, meta, sources);
    while ((line = client_read(&l->client)) && !strstr(line, "\"id\":7")) {
        struct json_slice data = answer_at(line, "params.data");
        struct json_slice type = answer_at(line, "params.data.type");
        assert_non_null(strstr(line, "\"method\":\"notifications/message\""));
        assert_non_null(strstr(line, "\"logger\":\"stemma.citations\""));
        assert_non_null(strstr(line, strstr(line, "\"type\":\"error\"") ? "\"level\":\"error\""
                                                                        : "\"level\":\"info\""));
        assert_true(data.ptr && type.ptr);
        strbuf_addf(&heard, "%.*s ", (int)type.len - 2, type.ptr + 1);
    }
    assert_non_null(line);
    if (strcmp(heard.buf, events) != 0)
        fail_msg("heard %s, not %s", heard.buf, events);
    strbuf_release(&heard);
}

static void who_shook_hands_hears_each_event(void **state)
{
    (void)state;
    struct listening l;
    listen_to(&l, "2025-11-25");
    expect_told(&l, "", TWO, "source_added source_added done ");
    /* Of this response alone. */
    expect_told(&l, "", "[{\"documentId\":\"z\"}]", "source_added done ");
    expect_told(&l, "", "[]", "done ");
    /* What went wrong has no end. */
    expect_told(&l, "", "7", "error ");
    client_send(&l.client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\","
                           "\"params\":{\"level\":\"warning\"}}");
    assert_non_null(client_read(&l.client));
    expect_told(&l, "", TWO, "");
    expect_told(&l, "", "7", "error ");
    leave(&l);
}

static void without_a_handshake_only_who_asks_hears_them(void **state)
{
    (void)state;
    struct listening l;
    listen_to(&l, NULL);
    expect_told(&l, MODERN(""), TWO, "");
    expect_told(&l, MODERN(ASKED), TWO, "source_added source_added done ");
    expect_told(&l, MODERN(""), "7", "");
    leave(&l);
}

/* ---- What sources a retrieval gives ---- */

#define EXTRACT "extract_sources"

/* "doc_1 0.9 1, doc_2 0.75 2": the sources of a list with their score and rank. */
static void expect_sources(struct fixture *f, const char *answer, const char *list,
                           const char *expected)
{
    struct strbuf got = STRBUF_INIT;
    for (size_t i = 0; i < answer_count(answer, list); i++) {
        char path[120];
        snprintf(path, sizeof(path), "%s.%zu.document_id", list, i);
        strbuf_addf(&got, "%s%s", i ? ", " : "", answer_text(f, answer, path));
        snprintf(path, sizeof(path), "%s.%zu.relevance_score", list, i);
        struct json_slice score = answer_at(answer, path);
        strbuf_addf(&got, " %.*s", (int)score.len, score.ptr);
        snprintf(path, sizeof(path), "%s.%zu.retrieval_rank", list, i);
        struct json_slice rank = answer_at(answer, path);
        if (rank.ptr[0] != 'n')
            strbuf_addf(&got, " %.*s", (int)rank.len, rank.ptr);
    }
    if (strcmp(got.buf, expected) != 0)
        fail_msg("%s: %s, not %s", list, got.buf, expected);
    strbuf_release(&got);
}

/* ---- extract_sources ---- */

static void contexts_become_sources(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *contexts, *sources;
    } cases[] = {
        {"'one','two','three'", "context_doc_0 1 1, context_doc_1 0.9 2, context_doc_2 0.8 3"},
        {"'id: doc_abc123 Some content here','id: doc_xyz789 More content'",
         "doc_abc123 1 1, doc_xyz789 0.9 2"},
        {"'id:doc_123 Machine learning content...','Deep learning overview...'",
         "doc_123 1 1, context_doc_1 0.9 2"},
        {"'Valid content','','   ','More valid content'", "context_doc_0 1 1, context_doc_3 0.7 4"},
        {"'id:'", "context_doc_0 1 1"},
        {"'id: doc_unicode émojis 🎉'", "doc_unicode 1 1"},
        {"'id:a id:b rest'", "a 1 1"},
        {"'id:id:x'", "context_doc_0 1 1"},
        {"'ID:doc_1 upper'", "context_doc_0 1 1"},
        {"'The valid: answer','paid:500 now'", "context_doc_0 1 1, context_doc_1 0.9 2"},
        {"", ""},
        {"'a','b','c','d','e','f','g','h','i','j'",
         "context_doc_0 1 1, context_doc_1 0.9 2, context_doc_2 0.8 3, context_doc_3 0.7 4, "
         "context_doc_4 0.6 5, context_doc_5 0.5 6, context_doc_6 0.3999999999999999 7, "
         "context_doc_7 0.3 8, context_doc_8 0.3 9, context_doc_9 0.3 10"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char arguments[400];
        snprintf(arguments, sizeof(arguments), "{'context_documents':[%s]}", cases[i].contexts);
        expect_sources(f, tool_ask(f, EXTRACT, arguments), "sources", cases[i].sources);
    }
    assert_int_equal(event_count(f), 0);
}

static void results_are_preferred_to_contexts(void **state)
{
    struct fixture *f = *state;
    const char *answer =
        tool_ask(f, EXTRACT,
                 "{'context_documents':['id:ctx text'],'search_results':[{'document_id':'doc_123',"
                 "'title':'Introduction to AI','score':0.92,'content':'Artificial intelligence "
                 "involves...','chunk_index':0}]}");
    answer_is(answer, "sources",
              "[{'document_id':'doc_123','document_title':'Introduction to AI',"
              "'relevance_score':0.92,'excerpt':'Artificial intelligence involves...',"
              "'chunk_index':0,'retrieval_rank':1,'score_origin':'measured'}]");
    answer = tool_ask(f, EXTRACT, "{'context_documents':['id:ctx text'],'search_results':[]}");
    expect_sources(f, answer, "sources", "ctx 1 1");
    answer_says(f, answer, "sources.0.score_origin", "heuristic");
    answer = tool_ask(f, EXTRACT, "{'context_documents':null,'search_results':null}");
    answer_is(answer, "sources", "[]");
}

static void results_are_read_as_they_come(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *result, *source;
    } cases[] = {
        {"{}", "'doc_0','document_title':null,'relevance_score':0.5,'excerpt':'','chunk_index':"
               "null,'retrieval_rank':1,'score_origin':'default'"},
        {"{'document_id':null,'title':null,'document_title':'no','score':null,'relevance_score':1,"
         "'content':null,'text':'no','chunk_index':null}",
         "'doc_0','document_title':null,'relevance_score':0.5,'excerpt':'','chunk_index':null,"
         "'retrieval_rank':1,'score_origin':'default'"},
        {"{'document_id':12345,'title':7,'score':'high','chunk_index':2.0}",
         "'12345','document_title':'7','relevance_score':0.5,'excerpt':'','chunk_index':2,"
         "'retrieval_rank':1,'score_origin':'default'"},
        {"{'document_id':'','document_title':'T','relevance_score':0.25,'text':'t','chunk_index':"
         "' 7 ','more':{'a':[1]}}",
         "'doc_0','document_title':'T','relevance_score':0.25,'excerpt':'t','chunk_index':7,"
         "'retrieval_rank':1,'score_origin':'measured'"},
        {"{'document_id':'d','chunk_index':'seven','score':0}",
         "'d','document_title':null,'relevance_score':0,'excerpt':'','chunk_index':null,"
         "'retrieval_rank':1,'score_origin':'measured'"},
        {"{'document_id':'d','chunk_index':2.5,'score':1}",
         "'d','document_title':null,'relevance_score':1,'excerpt':'','chunk_index':null,"
         "'retrieval_rank':1,'score_origin':'measured'"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char arguments[400], source[400];
        snprintf(arguments, sizeof(arguments), "{'context_documents':[],'search_results':[%s]}",
                 cases[i].result);
        snprintf(source, sizeof(source), "[{'document_id':%s}]", cases[i].source);
        answer_is(tool_ask(f, EXTRACT, arguments), "sources", source);
        tool_allows(f, EXTRACT, arguments);
    }
}

static void an_excerpt_is_of_code_points(void **state)
{
    struct fixture *f = *state;
    struct strbuf line = STRBUF_INIT;
    for (int results = 0; results < 2; results++) {
        strbuf_clear(&line);
        strbuf_addstr(&line, results ? "{'context_documents':[],'search_results':[{'content':'"
                                     : "{'context_documents':['");
        for (int i = 0; i < 201; i++)
            strbuf_addstr(&line, "🌍");
        strbuf_addstr(&line, results ? "'}]}" : "']}");
        const char *answer = tool_ask(f, EXTRACT, line.buf);
        assert_int_equal(strlen(answer_text(f, answer, "sources.0.excerpt")), 200 * 4);
    }
    strbuf_release(&line);
}

static void a_bad_item_is_refused_by_itself(void **state)
{
    struct fixture *f = *state;
    static const char *const bad[] = {"{'score':1.5}",
                                      "{'score':-0.1}",
                                      "{'score':1e9}",
                                      "{'document_id':{'a':1}}",
                                      "{'title':[]}",
                                      "{'content':{}}",
                                      "7",
                                      "null",
                                      "'text'",
                                      "{'version_hash':'abc'}"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char arguments[300];
        snprintf(arguments, sizeof(arguments),
                 "{'context_documents':[],'search_results':[{'score':0.9},%s,{'score':0.2}]}",
                 bad[i]);
        const char *answer = tool_ask(f, EXTRACT, arguments);
        expect_sources(f, answer, "sources", "doc_0 0.9 1, doc_2 0.2 3");
        assert_int_equal(answer_count(answer, "refused"), 1);
        assert_int_equal(answer_number(answer, "refused.0.index"), 1);
        assert_true(strlen(answer_text(f, answer, "refused.0.reason")) > 8);
    }
    const char *answer = tool_ask(f, EXTRACT, "{'context_documents':['a',{},null,7,[1],'b']}");
    expect_sources(f, answer, "sources",
                   "context_doc_0 1 1, context_doc_3 0.7 4, "
                   "context_doc_5 0.5 6");
    assert_int_equal(answer_count(answer, "refused"), 2);
    assert_int_equal(answer_number(answer, "refused.1.index"), 4);
    answer_says(f, answer, "refused.0.reason", "context_documents[1] is no text");
}

static void wrong_arguments_are_refused(void **state)
{
    struct fixture *f = *state;
    tool_refuses(f, EXTRACT, "{}", ERROR_INVALID, "context_documents is missing");
    tool_refuses(f, EXTRACT, "{\"context_documents\":\"a\"}", ERROR_INVALID, "is a string");
    tool_refuses(f, EXTRACT, "{\"context_documents\":[],\"search_results\":{}}", ERROR_INVALID,
                 "search_results is an object");
}

/* So many sources that an answer has no room for all of them. */
static void what_is_left_out_is_counted(void **state)
{
    struct fixture *f = *state;
    struct strbuf line = STRBUF_INIT;
    strbuf_addstr(&line, "{'context_documents':[],'search_results':[");
    for (int i = 0; i < 1000; i++) {
        strbuf_addf(&line, "%s{'title':'", i ? "," : "");
        strbuf_addchars(&line, 't', 4000);
        strbuf_addstr(&line, "'}");
    }
    strbuf_addstr(&line, "]}");
    const char *answer = tool_ask(f, EXTRACT, line.buf);
    size_t told = answer_count(answer, "sources");
    assert_true(told > 100 && told < 1000);
    assert_int_equal(answer_number(answer, "left_out"), 1000 - (int64_t)told);
    strbuf_release(&line);
}

/* A logged retrieval that a source names is checked; one that is not here yet is told. */
static void an_attribution_names_a_logged_retrieval(void **state)
{
    struct fixture *f = *state;
    const char *chain = answer_text(f, tool_ask(f, "cot_begin", "{'question':'q'}"), "ref");
    const char *raw = answer_text(f, tool_ask(f, "memory_raw", "{'blob':'seen'}"), "ref");
    struct strbuf more = STRBUF_INIT;
    strbuf_addf(&more,
                "{'chain':'%s','step_number':1,'question':'s','retrieved_documents':["
                "{'document_id':'a','attribution':'%s'},"
                "{'document_id':'b','attribution':'attribution:never-logged'},"
                "{'document_id':'c','attribution':'attribution:never-logged'},"
                "{'document_id':'d','attribution':'belief:b'},{'document_id':'e'}]}",
                chain, raw);
    const char *step = tool_ask(f, "cot_step", more.buf);
    answer_is(step, "unresolved", "['attribution:never-logged']");
    assert_int_equal(answer_count(step, "sources"), 3);
    assert_int_equal(answer_count(step, "refused"), 2);
    const char *reason = answer_text(f, step, "refused.0.reason");
    assert_non_null(strstr(reason, "retrieved_documents[0] (“a”): attribution: raw:"));
    assert_non_null(strstr(reason, "is no logged retrieval"));
    answer_is(step, "refused.1.index", "3");
    strbuf_clear(&more);
    strbuf_addf(&more, "{'chain':'%s','step_number':2,'question':'s'}", chain);
    step = tool_ask(f, "cot_step", more.buf);
    assert_null(answer_at(step, "unresolved").ptr);
    strbuf_release(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(citations_are_formatted),
        WITH_FIXTURE(the_same_place_counts_once),
        WITH_FIXTURE(the_better_one_replaces_in_the_place_of_the_first),
        WITH_FIXTURE(events_are_in_their_order),
        WITH_FIXTURE(no_sources_is_done_alone),
        WITH_FIXTURE(uncertainty_is_of_the_mean),
        WITH_FIXTURE(a_bad_source_is_refused_by_itself),
        WITH_FIXTURE(null_is_as_absent_and_more_is_passed_over),
        WITH_FIXTURE(what_is_odd_comes_back_as_text),
        WITH_FIXTURE(what_is_wrong_stores_nothing),
        WITH_FIXTURE(the_journal_has_the_events_in_their_order),
        WITH_FIXTURE(citations_are_found_again),
        WITH_FIXTURE(citing_a_message_again_takes_the_place),
        WITH_FIXTURE(a_page_says_how_many_there_are),
        WITH_FIXTURE(a_citation_rests_on_its_document),
        cmocka_unit_test(who_shook_hands_hears_each_event),
        cmocka_unit_test(without_a_handshake_only_who_asks_hears_them),
        WITH_FIXTURE(an_attribution_names_a_logged_retrieval),
        WITH_FIXTURE(contexts_become_sources),
        WITH_FIXTURE(results_are_preferred_to_contexts),
        WITH_FIXTURE(results_are_read_as_they_come),
        WITH_FIXTURE(an_excerpt_is_of_code_points),
        WITH_FIXTURE(a_bad_item_is_refused_by_itself),
        WITH_FIXTURE(wrong_arguments_are_refused),
        WITH_FIXTURE(what_is_left_out_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
