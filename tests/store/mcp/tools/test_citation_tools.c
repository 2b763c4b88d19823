/* Citing and looking up citations with the tools: the specification's cases, and errors. */
#include "store/journal/journal.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

/* ---- the specification's cases ---- */

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

/* Reads lines until the answer; `events` are the expected types of events before it, in order. */
static void expect_told(struct listening *l, const char *meta, const char *sources,
                        const char *events)
{
    AUTO_STRBUF heard = STRBUF_INIT;
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
}

TEST(legacy_client_gets_each_event)
{
    struct listening l;
    listen_to(&l, "2025-11-25");
    expect_told(&l, "", TWO, "source_added source_added done ");
    /* Only of this response. */
    expect_told(&l, "", "[{\"documentId\":\"z\"}]", "source_added done ");
    expect_told(&l, "", "[]", "done ");
    /* A failed call has no done event. */
    expect_told(&l, "", "7", "error ");
    client_send(&l.client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\","
                           "\"params\":{\"level\":\"warning\"}}");
    assert_non_null(client_read(&l.client));
    expect_told(&l, "", TWO, "");
    expect_told(&l, "", "7", "error ");
    leave(&l);
}

TEST(modern_client_gets_events_on_request)
{
    struct listening l;
    listen_to(&l, NULL);
    expect_told(&l, MODERN(""), TWO, "");
    expect_told(&l, MODERN(ASKED), TWO, "source_added source_added done ");
    expect_told(&l, MODERN(""), "7", "");
    leave(&l);
}

/* ---- sources of a retrieval ---- */

#define EXTRACT "extract_sources"

/* ---- extract_sources ---- */

FIXTURE(fixture_set_up, fixture_tear_down);

/* More sources than an answer has room for. */
TEST(omitted_items_are_counted)
{
    struct fixture *f = *state;
    AUTO_STRBUF line = STRBUF_INIT;
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
}

/* The schema allows odd values that are accepted. */
TEST(schema_allows_accepted_values)
{
    struct fixture *f = *state;
    tool_allows(f, "cite_sources",
                "{'conversation_id':'c','message_id':'m','sources':[{'documentId':12345,"
                "'documentName':7,'location':{'page':'5','section':null,'paragraph':1},"
                "'relevanceScore':null,'score_origin':null,'more':null}]}");
    tool_allows(f, "cot_record",
                "{'original_question':'q','final_answer':'a','reasoning_steps':[{'step_number':1,"
                "'question':'q','intermediate_answer':'a','confidence_score':1,"
                "'source_attributions':[{'document_id':12345,'document_title':7,"
                "'relevance_score':'high','chunk_index':'5','retrieval_rank':' 2 '}]}]}");
    tool_allows(f, "extract_sources",
                "{'context_documents':[],'search_results':[{'document_id':null,'title':null,"
                "'score':null,'content':null,'chunk_index':null}]}");
}
