/* What agents see of each other's memories, and what they may change of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/db/db.h"
#include "store/entries/entry.h"
#include "store/mcp/protocol/changes.h"
#include "tests/support/entry_calls.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"

static void fill(struct guarded *g)
{
    guarded_open(g);
    fixture_put(
        &g->f,
        "{\"ref\":\"raw:own1\",\"agent_id\":\"ash\",\"text\":\"heard of "
        "deploy\",\"created_at\":1000}",
        "{\"ref\":\"raw:other1\",\"agent_id\":\"bo\",\"text\":\"secretly "
        "deploy\",\"created_at\":1500}",
        "{\"ref\":\"belief:other2\",\"agent_id\":\"bo\",\"text\":\"others "
        "deploy\",\"created_at\":2000,"
        "\"derived_from\":[\"raw:other1\",\"raw:own1\"],\"tags\":[\"hush\"]}",
        "{\"ref\":\"belief:own2\",\"agent_id\":\"ash\",\"text\":\"we deploy\",\"created_at\":3000,"
        "\"derived_from\":[\"belief:other2\",\"raw:own1\"],\"derivation\":\"all\"}",
        "{\"ref\":\"belief:own3\",\"agent_id\":\"ash\",\"text\":\"then "
        "deploy\",\"created_at\":3500,"
        "\"derived_from\":[\"belief:own2\"]}",
        NULL);
}

/* Of what an answer may not say. */
static void says_nothing(const char *answer)
{
    static const char *const words[] = {"secretly", "others deploy", "hush", "raw:other1"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strstr(answer, words[i]))
            fail_msg("\"%s\" is in %s", words[i], answer);
}

static void begin(struct guarded *g, bool share, const char *agent)
{
    struct permissions p;
    fill(g);
    permissions_init(&p);
    p.share = share;
    guarded_begin(g, &p, agent);
}

static void of_another_agent_its_ref_and_owner_are_told(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    assert_string_equal(guarded_tool(&g, "memory_get", "{'ref':'belief:other2'}"),
                        "{\"ref\":\"belief:other2\",\"agent_id\":\"bo\",\"withheld\":true}");
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'belief:othe'}"), "\"NOT_FOUND\"");
    const char *form = guarded_tool(&g, "memory_get", "{'ref':'belief:own2'}");
    assert_has(form, "\"belief:other2\"");
    assert_has(form, "\"label\":\"grounded\"");
    says_nothing(form);
    const char *lineage = guarded_tool(&g, "memory_lineage", "{'ref':'belief:own3'}");
    assert_has(lineage,
               "{\"ref\":\"belief:other2\",\"depth\":2,\"agent_id\":\"bo\",\"withheld\":true}");
    assert_has(lineage, "\"raw:own1\"");
    says_nothing(lineage);
    lineage = guarded_tool(&g, "memory_lineage", "{'ref':'raw:own1','direction':'descendants'}");
    assert_lacks(lineage, "other2");
    assert_has(lineage, "belief:own3");
    lineage = guarded_tool(&g, "memory_lineage", "{'ref':'belief:other2'}");
    assert_has(lineage, "\"links\":[],\"cut\":0");
    says_nothing(lineage);
    guarded_close(&g);
}

static void lists_and_counts_leave_others_out(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (int i = 0; i < 2; i++) {
        const char *list = guarded_tool(&g, "memory_list", "{}");
        assert_times(list, "\"agent_id\":", 3);
        assert_lacks(list, "\"ref\":\"belief:other2\",\"agent_id\"");
        says_nothing(list);
        const char *found = guarded_tool(&g, "memory_search", "{'query':'deploy'}");
        assert_has(found, "raw:own1");
        says_nothing(found);
        assert_has(guarded_tool(&g, "memory_search", "{'query':'secretly'}"), "{\"memories\":[]");
        assert_times(guarded_tool(&g, "memory_list", "{'agent_id':'bo'}"), "\"agent_id\":", 0);
        assert_times(guarded_tool(&g, "memory_list", "{'label':'grounded'}"), "\"agent_id\":", 3);
        struct permissions p;
        permissions_init(&p);
        p.share = true;
        guarded_rules(&g, &p);
        assert_times(guarded_tool(&g, "memory_list", "{}"), "\"agent_id\":", 5);
        assert_has(guarded_tool(&g, "memory_search", "{'query':'secretly'}"), "raw:other1");
        permissions_init(&p);
        guarded_rules(&g, &p);
    }
    guarded_close(&g);
}

/* Wherever a piece begins and ends, it shows nothing of what is masked in the whole. */
static void pieces_are_cut_from_what_is_masked(void **state)
{
    static const char masked[] = "write to [redacted-email] or not";
    static const char in_detail[] = "{\"captured_by\":\"[redacted-email]\"}";
    (void)state;
    struct guarded g;
    struct permissions p;
    char arguments[128], expected[64];
    guarded_open(&g);
    fixture_put(&g.f,
                "{\"ref\":\"raw:mail\",\"text\":\"write to jane.doe@example.com or not\","
                "\"detail\":{\"captured_by\":\"jane.doe@example.com\"}}",
                NULL);
    permissions_init(&p);
    p.mask = true;
    guarded_begin(&g, &p, "ash");
    for (int offset = 0; offset < (int)sizeof(masked) - 1; offset += 3) {
        snprintf(arguments, sizeof(arguments), "{'ref':'raw:mail','offset':%d,'length':3}", offset);
        snprintf(expected, sizeof(expected), "\"text\":\"%.3s\"", masked + offset);
        assert_has(guarded_tool(&g, "memory_get", arguments), expected);
    }
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'raw:mail','part':'detail','length':26}"),
               "[redacted");
    for (int offset = 0; offset < (int)sizeof(in_detail) - 1; offset++) {
        snprintf(arguments, sizeof(arguments),
                 "{'ref':'raw:mail','part':'detail','offset':%d,'length':9}", offset);
        assert_lacks(guarded_tool(&g, "memory_get", arguments), "ane");
    }
    for (int offset = 0; offset < (int)sizeof(masked) - 1; offset += 3) {
        snprintf(arguments, sizeof(arguments),
                 "{'ref':'raw:mail','seq':1,'part':'after','change':1,'offset':%d,'length':3}",
                 offset);
        snprintf(expected, sizeof(expected), "\"text\":\"%.3s\"", masked + offset);
        assert_has(guarded_tool(&g, "memory_history", arguments), expected);
    }
    for (int offset = 0; offset < 300; offset++) {
        snprintf(arguments, sizeof(arguments), "{'ref':'raw:mail','seq':1,'offset':%d,'length':9}",
                 offset);
        assert_lacks(guarded_tool(&g, "memory_history", arguments), "ane");
    }
    guarded_close(&g);
}

/* So is a long answer of a chain, of which only the beginning is told. */
static void the_beginning_of_a_chain_is_cut_from_what_is_masked(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    struct strbuf line = STRBUF_INIT;
    guarded_open(&g);
    strbuf_addstr(&line, "{\"ref\":\"chain:c\",\"agent_id\":\"ash\",\"text\":\"q\",\"detail\":"
                         "{\"question\":\"q\",\"final_answer\":\"");
    strbuf_addchars(&line, 'a', 1989);
    strbuf_addstr(&line, " jane.doe@example.com ");
    strbuf_addchars(&line, 'a', 2000000);
    strbuf_addstr(&line, "\"}}");
    fixture_put(&g.f, line.buf, NULL);
    strbuf_release(&line);
    permissions_init(&p);
    p.mask = true;
    guarded_begin(&g, &p, "ash");
    const char *got = guarded_tool(&g, "cot_get", "{'chain':'chain:c'}");
    assert_has(got, "\"texts_cut\":true");
    assert_has(got, "aaaa [redacted-");
    assert_lacks(got, "jane");
    guarded_close(&g);
}

static void a_piece_of_anothers_tells_nothing(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    const char *piece = guarded_tool(&g, "memory_get", "{'ref':'belief:other2','offset':0}");
    assert_has(piece, "\"withheld\":true");
    assert_has(piece, "\"text\":\"\"");
    says_nothing(piece);
    guarded_close(&g);
}

static void other_doors_tell_nothing_of_others(void **state)
{
    static const char *const refused[] = {"memory_history", "memory_propagate_confidence"};
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (size_t i = 0; i < 2; i++) {
        const char *answer = guarded_tool(&g, refused[i], "{'ref':'belief:other2'}");
        assert_has(answer, "\"PERMISSION_DENIED\"");
        says_nothing(answer);
    }
    const char *whatif = guarded_tool(&g, "memory_whatif", "{'refs':['raw:own1']}");
    assert_lacks(whatif, "other2");
    assert_has(whatif, "belief:own2");
    assert_has(guarded_tool(&g, "memory_whatif", "{'refs':['belief:other2']}"),
               "PERMISSION_DENIED");
    assert_lacks(guarded_tool(&g, "memory_propagate_confidence", "{'ref':'raw:own1'}"), "other2");
    assert_lacks(guarded_tool(&g, "memory_orphans", "{}"), "other");
    const char *list = guarded_ask(&g, "resources/list", "{}");
    assert_has(list, "belief:own2");
    assert_lacks(list, "other2");
    assert_has(guarded_ask(&g, "resources/read", "{'uri':'stemma://belief/other2'}"), "withheld");
    says_nothing(guarded_ask(&g, "resources/read", "{'uri':'stemma://belief/own3/lineage'}"));
    assert_has(guarded_ask(&g, "prompts/get",
                           "{'name':'why_believed','arguments':{'ref':'belief:other2'}}"),
               "\"code\":-32602,"); /* no fault of the server's */
    assert_has(guarded_ask(&g, "resources/read", "{'uri':'stemma://agent/bo'}"), "no memory is of");
    assert_has(guarded_ask(&g, "prompts/get", "{'name':'review_agent','arguments':{'agent':'bo'}}"),
               "no memory is of");
    static const char complete[] = "{'ref':{'type':'ref/prompt','name':'why_believed'},"
                                   "'argument':{'name':'ref','value':'%s'}}";
    char params[200];
    snprintf(params, sizeof(params), complete, "belief:");
    assert_lacks(guarded_ask(&g, "completion/complete", params), "other2");
    snprintf(params, sizeof(params), complete, "belief:oth");
    assert_has(guarded_ask(&g, "completion/complete", params), "\"values\":[],\"total\":0");
    assert_has(guarded_ask(&g, "completion/complete",
                           "{'ref':{'type':'ref/prompt','name':'review_agent'},"
                           "'argument':{'name':'agent','value':''}}"),
               "\"values\":[\"ash\"],\"total\":1");
    guarded_close(&g);
}

#define CAPTURE "raw:47d1fa63-0000-4000-8000-000000000001"

/* To name by its beginning what one does not see tells nothing, and takes nothing away from those who see it. */
static void a_short_ref_stays_whose_it_is(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p[2];
    struct error e;
    guarded_open(&g);
    fixture_put(&g.f, "{\"ref\":\"" CAPTURE "\",\"agent_id\":\"ash\",\"text\":\"captured\"}",
                "{\"ref\":\"belief:bos\",\"agent_id\":\"bo\",\"text\":\"t\"}", NULL);
    for (size_t i = 0; i < 2; i++)
        permissions_init(&p[i]);
    guarded_begin(&g, &p[0], "bo");
    static const char *const named[] = {"raw:47d1fa63", "raw:47d1fa63-0000",
                                        "raw:47d1fa63-0000-4000-8000-000000000002"};
    for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
        char arguments[200];
        snprintf(arguments, sizeof(arguments), "{'statement':'s','derived_from':['%s']}", named[i]);
        const char *made = guarded_tool(&g, "memory_belief", arguments);
        assert_has(made, "\"unresolved\":[\"raw:47d1fa63");
        assert_lacks(made, CAPTURE);
        snprintf(arguments, sizeof(arguments), "{'ref':'belief:bos','evidence_source':'%s'}",
                 named[i]);
        guarded_tool(&g, "memory_reinforce", arguments);
    }
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'raw:47d1fa63'}"), "\"NOT_FOUND\"");
    guarded_end(&g);
    guarded_begin(&g, &p[1], "ash");
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'raw:47d1fa63'}"), "\"captured\"");
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'47d1'}"), "\"captured\"");
    assert_lacks(guarded_tool(&g, "memory_note",
                              "{'content':'mine','derived_from':['raw:47d1fa63','47d1fa63-0000']}"),
                 "unresolved");
    const char *whatif = guarded_tool(&g, "memory_whatif", "{'ref':'raw:47d1fa63'}");
    assert_has(whatif, "\"falls\":[\"note:");
    guarded_end(&g);
    assert_int_equal(ref_resolve(g.f.reader, "raw:47d1fa63", &e), fixture_row(&g.f, CAPTURE));
    assert_int_equal(ref_short_length(g.f.reader, (struct ref){KIND_RAW, strchr(CAPTURE, ':') + 1}),
                     8);
    guarded_close(&g);
}

static void what_is_anothers_is_not_changed(void **state)
{
    static const char *const calls[][2] = {
        {"memory_update", "{'ref':'belief:other2','text':'mine now'}"},
        {"memory_update", "{'ref':'belief:other2','text':'mine','expected_version':7}"},
        {"memory_mark", "{'ref':'belief:other2','mark':'reviewed'}"},
        {"memory_reinforce", "{'ref':'belief:other2'}"},
        {"memory_supersede", "{'ref':'belief:other2','statement':'mine'}"},
        {"memory_process_raw", "{'ref':'raw:other1','as':'note'}"},
        {"memory_consolidate", "{'ref':'belief:other2','evidence':['raw:own1']}"},
        {"memory_retract", "{'ref':'belief:other2'}"},
        {"memory_forget", "{'ref':'belief:other2'}"},
        {"memory_verify", "{'ref':'belief:other2'}"},
        {"memory_protect", "{'ref':'belief:other2'}"},
        {"memory_revise_from_episode",
         "{'episode':'raw:own1','confirms':['belief:other2'],'contradicts':[]}"},
        {"log_source_attribution", "{'agent_id':'ash','source_type':'web','retrieval_timestamp':"
                                   "1700000000000,'supports':['belief:other2']}"},
    };
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        const char *answer = guarded_tool(&g, calls[i][0], calls[i][1]);
        if (!strstr(answer, "\"error\""))
            fail_msg("%s: %s", calls[i][0], answer);
        says_nothing(answer);
    }
    struct permissions p;
    permissions_init(&p);
    p.share = true;
    guarded_rules(&g, &p);
    assert_has(guarded_tool(&g, "memory_reinforce", "{'ref':'belief:other2'}"), "\"version\":2");
    guarded_close(&g);
}

/* Whoever says that it is another, where agents are kept apart. */
static void nobody_writes_in_anothers_name(void **state)
{
    static const char *const calls[][2] = {
        {"memory_raw", "{'blob':'b'%s}"},
        {"memory_belief", "{'statement':'s'%s}"},
        {"memory_add", "{'kind':'note','text':'n'%s}"},
        {"cot_begin", "{'question':'q'%s}"},
        {"cot_record", "{'original_question':'q','final_answer':'a','reasoning_steps':[],"
                       "'total_confidence':0.5%s}"},
        {"cite_sources", "{'response_text':'It is so.','passages':[{'document_id':'d',"
                         "'content':'It is so.'}]%s}"},
        {"log_source_attribution", "{'source_type':'web','retrieval_timestamp':1700000000000%s}"},
        {"log_search_attribution",
         "{'query':'q','results_summary':'r','retrieval_timestamp':1700000000000%s}"},
        {"get_source_attributions", "{'limit':1%s}"},
    };
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        static const char *const others[] = {"bo", "nobody"}; /* one is refused as the other */
        bool is_required = strstr(calls[i][0], "_attribution") != NULL;
        for (size_t k = 0; k < 2; k++) {
            char params[300], agent[40];
            snprintf(agent, sizeof(agent), ",'agent_id':'%s'", others[k]);
            snprintf(params, sizeof(params), calls[i][1], agent);
            const char *answer = guarded_tool(&g, calls[i][0], params);
            assert_has(answer, "\"PERMISSION_DENIED\"");
            assert_has(answer, "\"agent_id names another agent, and you are ash here\"");
            assert_has(answer, is_required ? "\"Give agent_id \\\"ash\\\".\""
                                           : "\"Leave agent_id out, or give \\\"ash\\\".\"");
        }
    }
    assert_has(guarded_tool(&g, "get_source_attributions", "{'agent_id':'ash'}"), "\"total\":");
    assert_has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':'ash'}"), "\"version\":1");
    assert_has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':''}"), "agent_id");
    const char *told = guarded_ask(&g, "tools/call",
                                   "{'name':'memory_raw','arguments':{'blob':'b','agent_id':'bo'},"
                                   "'_meta':{'dev.stemma/agent_id':'ash'}}");
    assert_has(told, "PERMISSION_DENIED");
    struct permissions p;
    permissions_init(&p);
    p.share = true;
    guarded_rules(&g, &p);
    assert_has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':'bo'}"), "\"version\":1");
    guarded_close(&g);
    begin(&g, false, NULL);
    assert_has(guarded_tool(&g, "memory_raw", "{'blob':'b','agent_id':'bo'}"), "\"version\":1");
    guarded_close(&g);
}

/* Before its first call an agent is told by which name it goes; one that is not bound goes by any. */
static void who_is_bound_is_told_its_name(void **state)
{
    static const char began[] = "{'protocolVersion':'2025-11-25','capabilities':{},"
                                "'clientInfo':{'name':'c','version':'1'}}";
    static const char line[] = "\"instructions\":\"You are %s here: an agent_id that you give is "
                               "that.\\nstemma is your";
    static const char *const meta =
        "{'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
        "'io.modelcontextprotocol/clientCapabilities':{}%s}}";
    char params[300], told[200];
    (void)state;
    struct guarded g;
    begin(&g, false, "ash");
    snprintf(told, sizeof(told), line, "ash");
    assert_has(guarded_ask(&g, "initialize", began), told);
    snprintf(params, sizeof(params), meta, "");
    assert_has(guarded_ask(&g, "server/discover", params), told);
    guarded_close(&g);
    begin(&g, false, NULL);
    assert_has(guarded_ask(&g, "initialize", began), "\"instructions\":\"stemma is your");
    assert_has(guarded_ask(&g, "server/discover", params), "\"instructions\":\"stemma is your");
    snprintf(params, sizeof(params), meta, ",'dev.stemma/agent_id':'x@example.com'");
    snprintf(told, sizeof(told), line, "x@example.com");
    assert_has(guarded_ask(&g, "server/discover", params), told);
    guarded_close(&g);
}

/* However long it is: as far as hosts leave room for it, to a character. */
static void a_long_name_is_told(void **state)
{
    static const char began[] = "{'protocolVersion':'2025-11-25','capabilities':{},"
                                "'clientInfo':{'name':'c','version':'1'}}";
    static const char line[] =
        "\"instructions\":\"You are %.*s%s here: an agent_id that you give is "
        "that.\\nstemma is your";
    static const struct {
        const char *letter;
        size_t count, shown; /* letters */
    } names[] = {{"n", 150, 150}, {"\xc3\xa9", 60, 60}, {"n", 200, 200}, {"\xc3\xa9", 200, 87}};
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct strbuf name = STRBUF_INIT, told = STRBUF_INIT;
        struct guarded g;
        size_t len = strlen(names[i].letter);
        for (size_t k = 0; k < names[i].count; k++)
            strbuf_addstr(&name, names[i].letter);
        strbuf_addf(&told, line, (int)(names[i].shown * len), name.buf,
                    names[i].shown < names[i].count ? "… (the rest: getContext)" : "");
        begin(&g, false, name.buf);
        const char *answer = guarded_ask(&g, "initialize", began);
        assert_has(answer, told.buf);
        struct json_slice result = json_member(answer, strlen(answer), "result");
        assert_true(json_member(result.ptr, result.len, "instructions").len <=
                    2048 + 60); /* escapes */
        guarded_close(&g);
        strbuf_release(&name);
        strbuf_release(&told);
    }
}

static void who_is_not_bound_sees_all_memories(void **state)
{
    (void)state;
    struct guarded g;
    begin(&g, false, NULL);
    assert_times(guarded_tool(&g, "memory_list", "{}"), "\"agent_id\":", 5);
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'raw:other1'}"), "secretly");
    const char *bound = guarded_ask(&g, "tools/call",
                                    "{'name':'memory_get','arguments':{'ref':'raw:other1'},"
                                    "'_meta':{'dev.stemma/agent_id':'ash'}}");
    assert_has(bound, "withheld");
    assert_lacks(bound, "secretly");
    guarded_close(&g);
}

/* ---- Refs whose ids hold personal data ---- */

#define FIRST   "<CAF1@mail.gmail.com>"
#define SECOND  "<CAF2@mail.gmail.com>"
#define SHOWN   "[REDACTED]_"
#define REF_MAX 64

struct mails {
    struct guarded g;
    char first[REF_MAX], second[REF_MAX]; /* as the agent is shown them */
};

static void no_mail_in(const char *answer)
{
    assert_lacks(answer, "CAF");
    assert_lacks(answer, "gmail");
    assert_lacks(answer, "[redacted-email]>");
}

/* The first ref of a document in the answer. */
static void take_ref(const char *answer, char out[REF_MAX])
{
    const char *ref = answer ? strstr(answer, "document:" SHOWN) : NULL;
    if (!ref)
        fail_msg("no such ref is in %s", answer);
    size_t len = strcspn(ref, "\" \\");
    assert_true(len < REF_MAX);
    memcpy(out, ref, len);
    out[len] = '\0';
}

static const char *ask(struct mails *m, const char *tool, const char *format, ...)
{
    char arguments[400];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof(arguments), format, args);
    va_end(args);
    return guarded_tool(&m->g, tool, arguments);
}

static void serve(struct mails *m, struct pii_pattern *pattern)
{
    struct permissions p;
    permissions_init(&p);
    p.mask = true;
    p.patterns = pattern;
    p.pattern_count = pattern ? 1 : 0;
    guarded_begin(&m->g, &p, "ash");
}

static void begin_refs(struct mails *m)
{
    guarded_open(&m->g);
    fixture_put(&m->g.f, "{\"ref\":\"document:" FIRST "\",\"text\":\"mail A\",\"created_at\":1000}",
                "{\"ref\":\"document:" SECOND "\",\"text\":\"mail B\",\"created_at\":2000}",
                "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"it is so\","
                "\"derived_from\":[\"document:" FIRST "\"],\"created_at\":3000}",
                NULL);
    serve(m, NULL);
    take_ref(ask(m, "memory_search", "{'query':'mail A'}"), m->first);
    take_ref(ask(m, "memory_search", "{'query':'mail B'}"), m->second);
}

static void each_is_shown_as_another_and_always_the_same(void **state)
{
    (void)state;
    struct mails m;
    char again[REF_MAX];
    begin_refs(&m);
    assert_string_not_equal(m.first, m.second);
    assert_int_equal(strlen(m.first), strlen(m.second));
    const char *list = ask(&m, "memory_list", "{'kind':'document'}");
    assert_has(list, m.first);
    assert_has(list, m.second);
    no_mail_in(list);
    guarded_end(&m.g); /* other rules, another server */
    serve(&m, NULL);
    take_ref(ask(&m, "memory_search", "{'query':'mail A'}"), again);
    assert_string_equal(again, m.first);
    guarded_close(&m.g);
}

static void it_is_taken_in_place_of_the_ref(void **state)
{
    (void)state;
    struct mails m;
    begin_refs(&m);
    const char *id = strchr(m.first, ':') + 1;
    const char *got = ask(&m, "memory_get", "{'ref':'%s'}", m.first);
    assert_has(got, "\"text\":\"mail A\"");
    assert_has(got, m.first);
    assert_has(ask(&m, "memory_get", "{'ref':'%s'}", id), "\"text\":\"mail A\"");
    assert_has(ask(&m, "memory_get", "{'ref':'document:" FIRST "'}"), m.first);
    assert_has(ask(&m, "memory_lineage", "{'ref':'belief:b'}"), m.first);
    assert_has(ask(&m, "memory_lineage", "{'ref':'%s','direction':'descendants'}", m.first),
               "belief:b");
    assert_has(ask(&m, "memory_whatif", "{'refs':['%s']}", m.first), "belief:b");
    const char *made =
        ask(&m, "memory_belief", "{'statement':'rests on it','derived_from':['%s']}", m.second);
    assert_lacks(made, "unresolved");
    char belief[REF_MAX] = "";
    sscanf(strstr(made, "belief:"), "%63[a-z0-9:-]", belief);
    const char *why = ask(&m, "memory_get", "{'ref':'%s'}", belief);
    assert_has(why, m.second);
    assert_has(why, "\"label\":\"grounded\"");
    no_mail_in(why);
    assert_has(ask(&m, "memory_reinforce", "{'ref':'%s','evidence_source':'%s'}", belief, m.first),
               "\"version\":2");
    assert_has(ask(&m, "memory_get", "{'ref':'%s'}", belief), m.first);
    guarded_close(&m.g);
}

static void resources_prompts_and_completion_have_it(void **state)
{
    (void)state;
    struct mails m;
    char params[400];
    begin_refs(&m);
    const char *id = strchr(m.first, ':') + 1;
    snprintf(params, sizeof(params), "stemma://document/%%5BREDACTED%%5D%s", strchr(id, '_'));
    const char *list = guarded_ask(&m.g, "resources/list", "{}");
    assert_has(list, params);
    assert_has(list, m.first);
    no_mail_in(list);
    snprintf(params, sizeof(params), "{'uri':'stemma://document/%%5BREDACTED%%5D%s'}",
             strchr(id, '_'));
    const char *read = guarded_ask(&m.g, "resources/read", params);
    assert_has(read, "mail A");
    assert_has(read, m.first);
    no_mail_in(read);
    const char *outline =
        guarded_ask(&m.g, "resources/read", "{'uri':'stemma://belief/b/lineage'}");
    assert_has(outline, m.first);
    no_mail_in(outline);
    const char *why =
        guarded_ask(&m.g, "prompts/get", "{'name':'why_believed','arguments':{'ref':'belief:b'}}");
    assert_has(why, m.first);
    static const char ids[] = "{'ref':{'type':'ref/resource','uri':'stemma://{kind}/{id}'},"
                              "'argument':{'name':'id','value':'%s'},"
                              "'context':{'arguments':{'kind':'document'}}}";
    snprintf(params, sizeof(params), ids, "");
    const char *values = guarded_ask(&m.g, "completion/complete", params);
    assert_has(values, id);
    no_mail_in(values);
    snprintf(params, sizeof(params), ids, id);
    assert_has(guarded_ask(&m.g, "completion/complete", params), id);
    guarded_close(&m.g);
}

/* What has only been named has a ref as well. */
static void one_that_was_never_written_is_shown_so_too(void **state)
{
    static const char made[] = "{'content':'n','derived_from':['%s']}";
    (void)state;
    struct mails m;
    char shown[REF_MAX];
    begin_refs(&m);
    const char *answer = ask(&m, "memory_note", made, "document:jane@example.com");
    assert_has(answer, "\"unresolved\":[\"document:" SHOWN);
    take_ref(answer, shown);
    answer = ask(&m, "memory_note", made, shown);
    assert_has(answer, "\"unresolved\":[\"document:" SHOWN);
    assert_has(answer, shown);
    guarded_close(&m.g);
}

static int64_t count_memories(struct mails *m)
{
    struct error e;
    int64_t count;
    assert_int_equal(
        db_int(reader_db(m->g.f.reader), &count, 0, &e, "SELECT count(*) FROM memory", ""), 0);
    return count;
}

static void what_is_masked_and_names_nothing_is_refused(void **state)
{
    (void)state;
    struct mails m;
    begin_refs(&m);
    char made_up[REF_MAX], of_another_kind[REF_MAX];
    snprintf(made_up, sizeof(made_up), "%s", m.first);
    char *digit = made_up + strlen(made_up) - 2;
    *digit = *digit == 'A' ? 'B' : 'A';
    snprintf(of_another_kind, sizeof(of_another_kind), "note:%s", strchr(m.first, ':') + 1);
    const char *const refs[] = {made_up, of_another_kind, "document:<[redacted-email]>",
                                "document:************1111",
                                "document:https://x.example/u/[redacted-phone]"};
    int64_t before = count_memories(&m);
    for (size_t i = 0; i < sizeof(refs) / sizeof(*refs); i++) {
        assert_has(ask(&m, "memory_get", "{'ref':'%s'}", refs[i]), "\"NOT_FOUND\"");
        assert_has(ask(&m, "memory_note", "{'content':'n','derived_from':['%s']}", refs[i]),
                   "\"NOT_FOUND\"");
        assert_has(ask(&m, "memory_note", "{'content':'n','relates_to':['%s']}", refs[i]),
                   "\"NOT_FOUND\"");
        assert_has(
            ask(&m, "memory_reinforce", "{'ref':'belief:b','evidence_source':'%s'}", refs[i]),
            "\"NOT_FOUND\"");
    }
    assert_int_equal(count_memories(&m), before);
    /* As once it could be: a link to what is only called so is no link to a memory. */
    fixture_put(&m.g.f,
                "{\"ref\":\"note:old\",\"text\":\"o\",\"derived_from\":[\"document:"
                "[redacted-email]\"]}",
                NULL);
    assert_has(
        ask(&m, "memory_note", "{'content':'n','derived_from':['document:[redacted-email]']}"),
        "\"NOT_FOUND\"");
    guarded_close(&m.g);
}

/* A pattern of the configuration may find anything, what is shown in its place as well. */
static void a_pattern_that_finds_all_leaves_refs_of_use(void **state)
{
    static struct pii_pattern all = {"all", ".+"};
    (void)state;
    struct mails m;
    begin_refs(&m);
    guarded_end(&m.g);
    serve(&m, &all);
    const char *answer = ask(&m, "memory_get", "{'ref':'%s'}", m.first);
    assert_has(answer, m.first);
    assert_lacks(answer, "mail A");
    guarded_close(&m.g);
}

static void a_rating_names_its_source_by_it(void **state)
{
    (void)state;
    struct mails m;
    begin_refs(&m);
    fixture_put(&m.g.f,
                "{\"ref\":\"step:s\",\"agent_id\":\"ash\",\"text\":\"q\",\"justifications\":[{"
                "\"role\":\"source\",\"antecedents\":[{\"ref\":\"document:" FIRST "\"}]}]}",
                NULL);
    const char *answer =
        ask(&m, "memory_mark", "{'ref':'step:s','mark':'rating','value':'%s relevant'}", m.first);
    assert_has(answer, "\"version\":2");
    guarded_close(&m.g);
}

/* An error that quoted so much of what a ref means would cut the address, which is none then. */
static void no_error_cuts_what_it_stands_for(void **state)
{
    (void)state;
    struct mails m;
    char shown[REF_MAX], line[300];
    guarded_open(&m.g);
    snprintf(line, sizeof(line),
             "{\"ref\":\"document:%0*d-john.smith@example.com\",\"text\":\"far\"}", 80, 0);
    fixture_put(&m.g.f, line, "{\"ref\":\"document:near\",\"text\":\"near\"}",
                "{\"ref\":\"chain:c\",\"agent_id\":\"ash\",\"text\":\"why\"}",
                "{\"ref\":\"step:s\",\"agent_id\":\"ash\",\"text\":\"so\","
                "\"derived_from\":[\"document:near\"]}",
                NULL);
    serve(&m, NULL);
    take_ref(ask(&m, "memory_search", "{'query':'far'}"), shown);
    const char *answer =
        ask(&m, "memory_mark", "{'ref':'step:s','mark':'rating','value':'%s relevant'}", shown);
    assert_has(answer, "is not a source of step:s");
    assert_lacks(answer, "john");
    guarded_close(&m.g);
}

/* ---- Who is told of changes hears of nothing that is hidden from him, nor of what rea ---- */

#define QUIET_MS 400 /* in which nothing is told; longer than between two looks */

static const char *const resources[] = {
    "stemma://belief/b2",
    "stemma://belief/b2/lineage",
    "stemma://belief/b2/lineage.json",
    "stemma://agent/ash",
};

#define RESOURCES (sizeof(resources) / sizeof(*resources))

struct denied {
    struct guarded g;
    const char *ref; /* of the entry on which b2 rests, beside r1 */
};

static void rest_on(struct denied *d, const char *ref, const char *text, const char *from)
{
    char line[400];
    snprintf(line, sizeof(line),
             "{\"ref\":\"%s\",\"agent_id\":\"ash\",\"text\":\"%s\",\"created_at\":4000,"
             "\"derived_from\":[\"%s\",\"raw:r1\"]}",
             ref, text, from);
    fixture_put(&d->g.f, line, NULL);
}

static void subscribe(struct denied *d)
{
    for (size_t i = 0; i < RESOURCES; i++) {
        char params[200];
        snprintf(params, sizeof(params), "{'uri':'%s'}", resources[i]);
        const char *answer = guarded_ask(&d->g, "resources/subscribe", params);
        if (strstr(answer, "\"error\""))
            fail_msg("%s: %s", resources[i], answer);
    }
}

static void begin_news(struct denied *d, struct permissions *p)
{
    guarded_open(&d->g);
    fixture_put(&d->g.f,
                "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"deploy\",\"created_at\":1000}",
                NULL);
    d->ref = guarded_put(&d->g, "zoe", "vault.x", "z", "1");
    rest_on(d, "belief:b1", "one", d->ref);
    rest_on(d, "belief:b2", "two", "belief:b1");
    guarded_begin(&d->g, p, "ash");
    subscribe(d);
}

static int take_away(struct txn *t, void *arg, struct error *e)
{
    static const struct actor zoe = {
        .class = ACTOR_AGENT, .name = "zoe", .agent = "zoe", .origin = "mcp"};
    struct arena *arena = arg;
    return entry_delete(t, &zoe, "vault.x", "z", NULL, arena, e);
}

static void delete_it(struct denied *d)
{
    struct error e = {0};
    if (store_run(d->g.f.store, take_away, &d->g.f.arena, &e))
        fail_msg("%s", e.what);
}

static void hear_nothing(struct denied *d, const char *of)
{
    const char *line = client_read_within(&d->g.client, QUIET_MS);
    if (line)
        fail_msg("%s is told: %s", of, line);
}

/* Each of them once, in any order. */
static void hear_all(struct denied *d)
{
    unsigned told = 0;
    while (told != (1u << RESOURCES) - 1) {
        const char *line = client_read(&d->g.client);
        assert_non_null(line);
        for (size_t i = 0; i < RESOURCES; i++) {
            char uri[100];
            snprintf(uri, sizeof(uri), "\"uri\":\"%s\"}", resources[i]);
            told |= strstr(line, uri) ? 1u << i : 0;
        }
    }
}

static void a_denied_entry_tells_nothing(void **state)
{
    (void)state;
    struct denied d;
    struct permissions p;
    permissions_init(&p);
    begin_news(&d, &p);
    guarded_put(&d.g, "zoe", "vault.x", "z", "2");
    hear_nothing(&d, "what was overwritten");
    delete_it(&d);
    hear_nothing(&d, "what was deleted");
    fixture_put(&d.g.f,
                "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"again\",\"version\":2,"
                "\"created_at\":1000}",
                NULL);
    hear_all(&d);
    guarded_close(&d.g);
}

/* Who may read it is told of it. */
static void an_entry_that_is_seen_tells_all(void **state)
{
    (void)state;
    struct denied d;
    struct permissions p;
    calls_grant_all(&p);
    begin_news(&d, &p);
    guarded_put(&d.g, "zoe", "vault.x", "z", "2");
    hear_all(&d);
    delete_it(&d);
    hear_all(&d);
    guarded_close(&d.g);
}

/* ---- by which links ---- */

static int64_t row_of(struct fixture *f, const char *text)
{
    struct error e;
    struct ref ref;
    assert_int_equal(ref_parse(text, &ref), REF_MEMORY);
    int64_t row = ref_find(reader_db(f->reader), ref, &e);
    assert_true(row > 0);
    return row;
}

/* Does a change of `changed` reach `asked` for that caller? It does for a person. */
static bool reaches(struct denied *d, const char *agent, const char *changed, const char *asked)
{
    struct fixture *f = &d->g.f;
    int64_t row = row_of(f, asked), subscribed = row;
    struct event event = {.subject = row_of(f, changed), .ref = {KIND_RAW, "x"}};
    struct guard g = {.rules = d->g.rules, .agent = agent, .bound = true};
    struct changes c = {0};
    changes_add(&c, &event, 1, f->reader);
    changes_reach(&c, &subscribed, 1, f->reader);
    assert_true(c.direct != NULL && !c.any && !changes_is_direct(&c, row));
    assert_true(changes_reach_seen(&c, f->reader, &row, 1));
    reader_guard(f->reader, &g);
    bool reached = changes_reach_seen(&c, f->reader, &row, 1);
    reader_guard(f->reader, NULL);
    changes_clear(&c);
    return reached;
}

static void what_is_seen_does_not_reach_by_what_is_hidden(void **state)
{
    (void)state;
    struct denied d;
    struct permissions p;
    char line[400];
    permissions_init(&p);
    begin_news(&d, &p);
    fixture_put(&d.g.f,
                "{\"ref\":\"raw:r2\",\"agent_id\":\"ash\",\"text\":\"far\",\"created_at\":1000}",
                NULL);
    snprintf(line, sizeof(line),
             "{\"ref\":\"entry:e9\",\"text\":\"k\",\"created_at\":5000,\"detail\":{\"namespace\":"
             "\"vault.x\",\"key\":\"k\",\"value\":1},\"derived_from\":[\"raw:r2\"]}");
    fixture_put(&d.g.f, line, NULL);
    rest_on(&d, "belief:b3", "three", "entry:e9");
    assert_false(reaches(&d, "ash", "raw:r2", "belief:b3"));
    assert_false(reaches(&d, "ash", "entry:e9", "belief:b3"));
    assert_false(reaches(&d, "ash", d.ref, "belief:b2"));
    assert_true(reaches(&d, "ash", "raw:r1", "belief:b3"));
    assert_true(reaches(&d, "ash", "belief:b1", "belief:b2"));
    guarded_close(&d.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_another_agent_its_ref_and_owner_are_told),
        cmocka_unit_test(lists_and_counts_leave_others_out),
        cmocka_unit_test(pieces_are_cut_from_what_is_masked),
        cmocka_unit_test(the_beginning_of_a_chain_is_cut_from_what_is_masked),
        cmocka_unit_test(a_piece_of_anothers_tells_nothing),
        cmocka_unit_test(other_doors_tell_nothing_of_others),
        cmocka_unit_test(a_short_ref_stays_whose_it_is),
        cmocka_unit_test(what_is_anothers_is_not_changed),
        cmocka_unit_test(nobody_writes_in_anothers_name),
        cmocka_unit_test(who_is_bound_is_told_its_name),
        cmocka_unit_test(a_long_name_is_told),
        cmocka_unit_test(who_is_not_bound_sees_all_memories),
        cmocka_unit_test(each_is_shown_as_another_and_always_the_same),
        cmocka_unit_test(it_is_taken_in_place_of_the_ref),
        cmocka_unit_test(resources_prompts_and_completion_have_it),
        cmocka_unit_test(one_that_was_never_written_is_shown_so_too),
        cmocka_unit_test(what_is_masked_and_names_nothing_is_refused),
        cmocka_unit_test(a_pattern_that_finds_all_leaves_refs_of_use),
        cmocka_unit_test(a_rating_names_its_source_by_it),
        cmocka_unit_test(no_error_cuts_what_it_stands_for),
        cmocka_unit_test(a_denied_entry_tells_nothing),
        cmocka_unit_test(an_entry_that_is_seen_tells_all),
        cmocka_unit_test(what_is_seen_does_not_reach_by_what_is_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
