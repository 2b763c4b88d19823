/* Both eras on one connection: the answer of each method in each era, and methods that an era does not have. */
#include "model/base/alloc.h"
#include "tests/support/dialogue.h"
#include "tests/support/test.h"

#define OFFERS                                                                                     \
    "'capabilities':{'tools':{},'resources':{'subscribe':true},'prompts':{},'completions':{},"     \
    "'logging':{}}"
#define WELCOME(id, revision)                                                                      \
    RESULT(id,                                                                                     \
           "'protocolVersion':'" revision "'," OFFERS                                              \
           ",'serverInfo':{'name':'fake','title':'A fake','version':'1.2.3'},"                     \
           "'instructions':'Use it.\\nNo name is granted to you here: an agent_id is kept as a "   \
           "claim.'")
#define ASK(revision) REQUEST("0", "initialize", "'protocolVersion':'" revision "'")

#define SAID(text)  "{'said':'" text "','agent':'unnamed'}"
#define SAID_INSIDE "{\\'said\\':\\'hi\\',\\'agent\\':\\'unnamed\\'}"

FIXTURE(fake_set_up, fake_tear_down);

TEST(each_request_has_its_own_era)
{
    struct fake *f = *state;
    static const char legacy[] =
        "'content':[{'type':'text','text':'" SAID_INSIDE "'}],'structuredContent':" SAID("hi");
    dialogue_expect(f, REQUEST("1", "server/discover", META),
                    RESULT("1",
                           "'resultType':'complete','supportedVersions':['2026-07-28']," OFFERS
                           ",'instructions':'Use it.\\nNo name is granted to you here: an agent_id "
                           "is kept as a claim.'" FRESH));
    /* Some clients send initialize all the same. */
    dialogue_expect(f, ASK("2025-11-25"), WELCOME("0", "2025-11-25"));
    dialogue_expect(f, NOTE("notifications/initialized", ""), "");
    char *text = NULL;
    assert_true(asprintf(&text, RESULT("2", "%s"), legacy) > 0);
    dialogue_expect(f, CALL("2", "say", "'text':'hi'"), text);
    free(text);
    assert_true(asprintf(&text, RESULT("3", "'resultType':'complete',%s," STAMP), legacy) > 0);
    dialogue_expect(f, REQUEST("3", "tools/call", META ",'name':'say','arguments':{'text':'hi'}"),
                    text);
    free(text);
    dialogue_expect(f, REQUEST("4", "ping", ""), RESULT("4", ""));
    dialogue_expect(f, REQUEST("5", "ping", META), ERROR("5", "-32601", "no method \\'ping\\'"));
}

static void the_modern_era_has_no(void **state, const char *method)
{
    char said[512], heard[512];
    struct fake f;
    fake_open(&f, fake_service());
    snprintf(said, sizeof(said),
             REQUEST("7", "%s",
                     META ",'protocolVersion':'2025-11-25','uri':"
                          "'fake://thing/1','level':'info'"),
             method);
    snprintf(heard, sizeof(heard), ERROR("7", "-32601", "no method \\'%s\\'"), method);
    dialogue_expect(&f, said, heard);
    fake_close(&f);
}

TEST(removed_methods_are_unknown)
{
    static const char *const removed[] = {"initialize", "ping", "logging/setLevel",
                                          "resources/subscribe", "resources/unsubscribe"};
    for (size_t i = 0; i < sizeof(removed) / sizeof(*removed); i++)
        the_modern_era_has_no(state, removed[i]);
}

TEST(a_prompt_needs_its_arguments)
{
    struct fake *f = *state;
    AUTO_FREE char *line = dialogue_quoted(REQUEST("1", "prompts/get", "'name':'greet'"));
    fake_send(f, line);
    assert_non_null(strstr(fake_output(f), "\"code\":-32602"));
}
