/* Both eras on one connection: what each method answers in each, and what it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/support/dialogue.h"

#define ROWS(rows) rows, sizeof(rows) / sizeof(*rows)
#define OFFERS                                                                                     \
    "'capabilities':{'tools':{},'resources':{'subscribe':true},'prompts':{},'completions':{},"     \
    "'logging':{}}"
#define WELCOME(id, revision)                                                                      \
    RESULT(id, "'protocolVersion':'" revision "'," OFFERS                                          \
               ",'serverInfo':{'name':'fake','title':'A fake','version':'1.2.3'},"                 \
               "'instructions':'Use it.'")
#define ASK(revision) SAY("0", "initialize", "'protocolVersion':'" revision "'")

static void a_revision_is_agreed_on(void **state)
{
    (void)state;
    static const struct dialogue rows[] = {
        {HANDSHAKE("2024-11-05"), WELCOME("0", "2024-11-05")},
        {HANDSHAKE("2025-03-26"), WELCOME("0", "2025-03-26")},
        {HANDSHAKE("2025-06-18"), WELCOME("0", "2025-06-18")},
        {HANDSHAKE("2025-11-25"), WELCOME("0", "2025-11-25")},
        {ASK("2026-07-28"), WELCOME("0", "2025-11-25")}, /* it has no handshake */
        {ASK("2031-01-01"), WELCOME("0", "2025-11-25")},
        {ASK(""), WELCOME("0", "2025-11-25")},
        {ASK("a version that is far too long to be one of ours, whatever year it is"),
         WELCOME("0", "2025-11-25")},
        {SAY("0", "initialize", "'protocolVersion':20251125"),
         ERROR("0", "-32602", "params.protocolVersion must be a string")},
        {SAY("0", "initialize", ""),
         ERROR("0", "-32602", "params.protocolVersion must be a string")},
        {"{'jsonrpc':'2.0','id':0,'method':'initialize'}\n",
         ERROR("0", "-32602", "params.protocolVersion must be a string")},
        {SAY("0", "initialize", "'protocolVersion':'2025-11-25','clientInfo':null"),
         ERROR("0", "-32602", "params.clientInfo and params.capabilities must be objects")},
        {SAY("0", "initialize", "'protocolVersion':'2025-11-25','capabilities':[]"),
         ERROR("0", "-32602", "params.clientInfo and params.capabilities must be objects")},
    };
    dialogues_run(ROWS(rows), NULL);
}

#define SAID(text)  "{'said':'" text "','agent':'agent'}"
#define SAID_INSIDE "{\\'said\\':\\'hi\\',\\'agent\\':\\'agent\\'}"

static void each_request_has_its_own_era(void **state)
{
    struct fake *f = *state;
    static const char legacy[] =
        "'content':[{'type':'text','text':'" SAID_INSIDE "'}],'structuredContent':" SAID("hi");
    dialogue_expect(f, SAY("1", "server/discover", META),
                    RESULT("1", "'resultType':'complete','supportedVersions':['2026-07-28']," OFFERS
                                ",'instructions':'Use it.'" FRESH));
    /* Some clients shake hands all the same. */
    dialogue_expect(f, ASK("2025-11-25"), WELCOME("0", "2025-11-25"));
    dialogue_expect(f, NOTE("notifications/initialized", ""), "");
    char *text = NULL;
    assert_true(asprintf(&text, RESULT("2", "%s"), legacy) > 0);
    dialogue_expect(f, CALL("2", "say", "'text':'hi'"), text);
    free(text);
    assert_true(asprintf(&text, RESULT("3", "'resultType':'complete',%s," STAMP), legacy) > 0);
    dialogue_expect(f, SAY("3", "tools/call", META ",'name':'say','arguments':{'text':'hi'}"),
                    text);
    free(text);
    dialogue_expect(f, SAY("4", "ping", ""), RESULT("4", ""));
    dialogue_expect(f, SAY("5", "ping", META), ERROR("5", "-32601", "no method \\'ping\\'"));
}

static void the_modern_era_has_no(void **state, const char *method)
{
    (void)state;
    char said[512], heard[512];
    struct fake f;
    fake_open(&f, fake_service());
    snprintf(said, sizeof(said),
             SAY("7", "%s",
                 META ",'protocolVersion':'2025-11-25','uri':"
                      "'fake://thing/1','level':'info'"),
             method);
    snprintf(heard, sizeof(heard), ERROR("7", "-32601", "no method \\'%s\\'"), method);
    dialogue_expect(&f, said, heard);
    fake_close(&f);
}

static void what_was_removed_is_unknown(void **state)
{
    static const char *const removed[] = {"initialize", "ping", "logging/setLevel",
                                          "resources/subscribe", "resources/unsubscribe"};
    for (size_t i = 0; i < sizeof(removed) / sizeof(*removed); i++)
        the_modern_era_has_no(state, removed[i]);
}

static void what_is_modern_needs_its_meta(void **state)
{
    (void)state;
    static const struct dialogue rows[] = {
        {SAY("1", "server/discover", ""),
         ERROR(
             "1", "-32602",
             "server/discover needs params._meta with io.modelcontextprotocol/protocolVersion and "
             "io.modelcontextprotocol/clientCapabilities")},
        {SAY("1", "subscriptions/listen", "'notifications':{}"),
         ERROR("1", "-32602",
               "subscriptions/listen needs params._meta with "
               "io.modelcontextprotocol/protocolVersion and "
               "io.modelcontextprotocol/clientCapabilities")},
        {SAY("1", "tools/list", "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}"),
         ERROR("1", "-32602",
               "params._meta must have io.modelcontextprotocol/clientCapabilities, an object")},
        {SAY("1", "tools/list",
             "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
             "'io.modelcontextprotocol/clientCapabilities':null}"),
         ERROR("1", "-32602",
               "params._meta must have io.modelcontextprotocol/clientCapabilities, an object")},
        {SAY("1", "tools/list", "'_meta':{'io.modelcontextprotocol/clientCapabilities':{}}"),
         ERROR("1", "-32602",
               "params._meta must have io.modelcontextprotocol/protocolVersion, a string")},
        {SAY("1", "tools/list",
             "'_meta':{'io.modelcontextprotocol/protocolVersion':20260728,"
             "'io.modelcontextprotocol/clientCapabilities':{}}"),
         ERROR("1", "-32602",
               "params._meta must have io.modelcontextprotocol/protocolVersion, a string")},
        {SAY("'a'", "tools/list",
             "'_meta':{'io.modelcontextprotocol/protocolVersion':'2027-01-01',"
             "'io.modelcontextprotocol/clientCapabilities':{}}"),
         ERROR_WITH("'a'", "-32022", "this protocol version is not supported",
                    "'supported':['2026-07-28'],'requested':'2027-01-01'")},
        {SAY("1", "ping",
             "'_meta':{'io.modelcontextprotocol/protocolVersion':'2025-11-25',"
             "'io.modelcontextprotocol/clientCapabilities':{}}"),
         ERROR_WITH("1", "-32022", "this protocol version is not supported",
                    "'supported':['2026-07-28'],'requested':'2025-11-25'")},
        {SAY("1", "tools/list", META_OPEN ",'io.modelcontextprotocol/logLevel':'loud'}"),
         ERROR("1", "-32602", "no log level is called that")},
        {SAY("1", "tools/list", META_OPEN ",'dev.stemma/agent_id':'\\u200b '}"),
         ERROR("1", "-32602",
               "params._meta: dev.stemma/agent_id must be a string of 1 to 200 characters, not all "
               "blank")},
        {SAY("1", "tools/list", META_OPEN ",'dev.stemma/task_id':'\\u2003'}"),
         ERROR("1", "-32602",
               "params._meta: dev.stemma/task_id must be a string of 1 to 1000 characters, not all "
               "blank")},
        {SAY("1", "nothing/here", META), ERROR("1", "-32601", "no method \\'nothing/here\\'")},
        {SAY("1", "nothing/here", ""), ERROR("1", "-32601", "no method \\'nothing/here\\'")},
        {SAY("1", "notifications/initialized", ""),
         ERROR("1", "-32601", "no method \\'notifications/initialized\\'")},
        {SAY("1", "tools/call", "'_meta':{'progressToken':1.5},'name':'say'"),
         ERROR("1", "-32602", "params._meta.progressToken must be a string or an integer")},
        {SAY("1", "ping", "'_meta':{'progressToken':null}"), RESULT("1", "")},
    };
    dialogues_run(ROWS(rows), NULL);
}

static void levels_of_the_log_are_those_of_syslog(void **state)
{
    (void)state;
    static const char no_level[] = ERROR(
        "1", "-32602",
        "params.level must be debug, info, notice, warning, error, critical, alert or emergency");
    static const struct dialogue rows[] = {
        {SAY("1", "logging/setLevel", "'level':'debug'"), RESULT("1", "")},
        {SAY("1", "logging/setLevel", "'level':'emergency'"), RESULT("1", "")},
        {SAY("1", "logging/setLevel", "'level':'Debug'"), no_level},
        {SAY("1", "logging/setLevel", "'level':1"), no_level},
        {SAY("1", "logging/setLevel", ""), no_level},
    };
    dialogues_run(ROWS(rows), NULL);
}

#define PAGE(id, method, cursor) SAY(id, method, "'cursor':" cursor)
#define THING                    "'uri':'fake://thing/1'"

static void lists_have_one_page(void **state)
{
    (void)state;
    static const char templates[] =
        RESULT("1", "'resourceTemplates':[{'uriTemplate':'fake://thing/{n}','name':'thing',"
                    "'title':'A thing','description':'One of nine.','mimeType':'text/plain'}]");
    static const char things[] = RESULT("1", "'resources':[{'uri':'fake://thing/1','name':'one'}]");
    static const char prompts[] =
        RESULT("1", "'prompts':[{'name':'greet','title':'Greet','description':'Greets someone.',"
                    "'arguments':[{'name':'name','description':'Whom.','required':true}]}]");
    static const char no_page[] = ERROR("1", "-32602", "no list has a page of that cursor");
    static const struct dialogue rows[] = {
        {SAY("1", "resources/templates/list", ""), templates},
        {PAGE("1", "resources/templates/list", "''"), templates},
        {PAGE("1", "resources/templates/list", "'x'"), no_page},
        {PAGE("1", "resources/templates/list", "null"), no_page},
        {SAY("1", "resources/list", ""), things},
        {PAGE("1", "resources/list", "''"), things},
        {PAGE("1", "resources/list", "'x'"),
         ERROR("1", "-32602", "no page has that cursor. Begin anew.")},
        {PAGE("1", "resources/list", "7"), ERROR("1", "-32602", "params.cursor must be a string")},
        {SAY("1", "prompts/list", ""), prompts},
        {PAGE("1", "prompts/list", "'x'"), no_page},
        {PAGE("1", "tools/list", "'x'"), no_page},
        {PAGE("1", "tools/list", "0"), no_page},
        {SAY("1", "resources/list", META),
         RESULT("1", "'resultType':'complete','resources':[{'uri':'fake://thing/1','name':'one'}"
                     "]" FRESH)},
    };
    dialogues_run(ROWS(rows), NULL);
}

static void resources_are_read(void **state)
{
    (void)state;
    static const char contents[] = "'contents':[{'uri':'fake://thing/1','text':'a thing'}]";
    char legacy[256], modern[512];
    snprintf(legacy, sizeof(legacy), RESULT("1", "%s"), contents);
    snprintf(modern, sizeof(modern), RESULT("1", "'resultType':'complete',%s" FRESH), contents);
    const struct dialogue rows[] = {
        {SAY("1", "resources/read", THING), legacy},
        {SAY("1", "resources/read", META "," THING), modern},
        {SAY("1", "resources/read", "'uri':'fake://thing/0'"),
         ERROR_WITH("1", "-32002", "no such thing", "'uri':'fake://thing/0'")},
        {SAY("1", "resources/read", META ",'uri':'fake://\\u00fc'"),
         ERROR_WITH("1", "-32602", "no such thing", "'uri':'fake://\xc3\xbc'")},
        {SAY("1", "resources/read", ""),
         ERROR("1", "-32602", "params.uri must be a string of less than 2048 bytes")},
        {SAY("1", "resources/read", "'uri':['fake://thing/1']"),
         ERROR("1", "-32602", "params.uri must be a string of less than 2048 bytes")},
    };
    dialogues_run(ROWS(rows), NULL);
}

static void prompts_are_got_and_arguments_completed(void **state)
{
    (void)state;
    static const char greeting[] =
        RESULT("1", "'description':'A greeting','messages':[{'role':'user','content':{"
                    "'type':'text','text':'Good morning'}}]");
    static const char values[] = "'completion':{'values':['ash'],'total':1,'hasMore':false}";
    static const char no_prompt[] =
        ERROR("1", "-32602", "params.name must be the name of a prompt");
    char completed[256], modern[512];
    snprintf(completed, sizeof(completed), RESULT("1", "%s"), values);
    snprintf(modern, sizeof(modern), RESULT("1", "'resultType':'complete',%s," STAMP), values);
#define ARGUMENT "'argument':{'name':'n','value':''}"
    const struct dialogue rows[] = {
        {SAY("1", "prompts/get", "'name':'greet','arguments':{'name':'Ash'}"), greeting},
        {SAY("1", "prompts/get", "'name':'Greet','arguments':{'name':'Ash'}"), no_prompt},
        {SAY("1", "prompts/get", ""), no_prompt},
        {SAY("1", "prompts/get", "'name':'greet','arguments':null"),
         ERROR("1", "-32602", "params.arguments must be an object or be left out")},
        {SAY("1", "completion/complete", "'ref':{'type':'ref/prompt','name':'greet'}," ARGUMENT),
         completed},
        {SAY("1", "completion/complete",
             META ",'ref':{'type':'ref/resource','uri':'fake://thing/{n}'}," ARGUMENT),
         modern},
        {SAY("1", "completion/complete", "'ref':{'type':'ref/prompt','name':'no'}," ARGUMENT),
         ERROR("1", "-32602", "params.ref.name must be the name of a prompt")},
        {SAY("1", "completion/complete", "'ref':{'type':'ref/tool','name':'say'}," ARGUMENT),
         ERROR("1", "-32602", "params.ref.type must be ref/prompt or ref/resource")},
        {SAY("1", "completion/complete", "'ref':{'type':'ref/resource'}," ARGUMENT),
         ERROR("1", "-32602", "params.ref.uri must be a string")},
        {SAY("1", "completion/complete", "'ref':{'type':'ref/prompt','name':'greet'}"),
         ERROR("1", "-32602", "params.ref and params.argument must be objects")},
        {SAY("1", "completion/complete",
             "'ref':{'type':'ref/prompt','name':'greet'},'argument':{'name':'n'}"),
         ERROR("1", "-32602", "params.argument must have a name and a value, both strings")},
        {SAY("1", "completion/complete",
             "'ref':{'type':'ref/prompt','name':'greet'}," ARGUMENT ",'context':7"),
         ERROR("1", "-32602", "params.context must be an object")},
    };
    dialogues_run(ROWS(rows), NULL);
}

static void a_prompt_needs_its_arguments(void **state)
{
    struct fake *f = *state;
    char *line = dialogue_quoted(SAY("1", "prompts/get", "'name':'greet'"));
    fake_say(f, line);
    assert_non_null(strstr(fake_hear(f), "\"code\":-32602"));
    free(line);
}

static void what_is_not_offered_is_unknown(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "tools/list",          "tools/call",          "resources/list", "resources/templates/list",
        "resources/read",      "resources/subscribe", "prompts/list",   "prompts/get",
        "completion/complete",
    };
    struct fake f;
    fake_open(&f, fake_empty_service());
    dialogue_expect(&f, ASK("2025-06-18"),
                    RESULT("0", "'protocolVersion':'2025-06-18','capabilities':{'logging':{}},"
                                "'serverInfo':{'name':'empty','version':'0'}"));
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
        char said[256], heard[256];
        snprintf(said, sizeof(said), SAY("1", "%s", ""), methods[i]);
        snprintf(heard, sizeof(heard), ERROR("1", "-32601", "no method \\'%s\\'"), methods[i]);
        dialogue_expect(&f, said, heard);
    }
    fake_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_revision_is_agreed_on),
        WITH_FAKE(each_request_has_its_own_era),
        cmocka_unit_test(what_was_removed_is_unknown),
        cmocka_unit_test(what_is_modern_needs_its_meta),
        cmocka_unit_test(levels_of_the_log_are_those_of_syslog),
        cmocka_unit_test(lists_have_one_page),
        cmocka_unit_test(resources_are_read),
        cmocka_unit_test(prompts_are_got_and_arguments_completed),
        WITH_FAKE(a_prompt_needs_its_arguments),
        cmocka_unit_test(what_is_not_offered_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
