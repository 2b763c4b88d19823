/*
 * Tools must not change a memory that a person locked, approved, retracted or quarantined: each tool that writes,
 * against each kind of memory and each such decision. The same call does change a memory without a decision, which
 * shows that the decision is the reason.
 */
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

static struct fixture f;

#define B(kind) KIND_BIT(KIND_##kind)
#define ALL     (~0u)

/* ---- the calls ---- */

#define LOG(rest)                                                                                  \
    "{'agent_id':'client','source_type':'web','retrieval_timestamp':1700000000000," rest "}"
#define STEP(documents)                                                                            \
    "{'chain':'chain:going','step_number':%n,'question':'q','retrieved_documents':[" documents "]" \
    "}"

/* `%r` is the target's ref, `%i` its id, `%n` a number that is different each time. */
static const struct {
    const char *tool, *arguments;
    unsigned kinds; /* kinds that it changes if there is no decision */
    bool goes_on;   /* it works in spite of a decision, without changing the memory */
} calls[] = {
    {"memory_update", "{'ref':'%r','tags':['%n']}", ALL, false},
    {"memory_update", "{'ref':'%r','text':'in other words'}", ~(B(ENTRY) | B(ATTRIBUTION)), false},
    {"memory_update", "{'ref':'%r','derived_from':['raw:seen-%n']}", ~B(ATTRIBUTION), false},
    {"memory_mark", "{'ref':'%r','mark':'for_review'}", ALL, false},
    {"memory_mark", "{'ref':'%r','mark':'planted','remove':true}", 0, true},
    {"memory_mark", "{'ref':'%r','mark':'planted'}", ALL, false},
    {"memory_reinforce", "{'ref':'%r'}", ALL, false},
    {"memory_reinforce", "{'ref':'%r','evidence_source':'episode:met'}", ALL, false},
    {"memory_reinforce", "{'ref':'belief:other','evidence_source':'%r'}", 0, false},
    {"memory_consolidate", "{'ref':'%r','evidence':['raw:seen']}", ALL, false},
    {"memory_consolidate", "{'ref':'belief:other','evidence':['%r']}", 0, false},
    {"memory_supersede", "{'ref':'%r','statement':'better'}", B(BELIEF), false},
    {"memory_process_raw", "{'ref':'%r','as':'note'}", B(RAW), false},
    {"memory_process_raw", "{'ref':'raw:seen','as':'note','derived_from':['%r']}", 0, true},
    {"memory_revise_from_episode", "{'episode':'episode:met','confirms':['%r']}", ALL, false},
    {"memory_revise_from_episode", "{'episode':'episode:met','contradicts':['%r']}", ALL, false},
    {"memory_revise_from_episode", "{'episode':'%r','contradicts':['belief:other']}", B(EPISODE),
     false},
    {"memory_verify", "{'ref':'%r'}", ALL, false},
    {"memory_retract", "{'ref':'%r'}", ALL, false},
    {"memory_restore", "{'ref':'%r'}", 0, false},
    {"memory_forget", "{'ref':'%r'}", ALL, false},
    {"memory_protect", "{'ref':'%r'}", ALL, false},
    {"memory_belief", "{'statement':'on it','derived_from':['%r'],'relates_to':['%r']}", 0, true},
    {"memory_note", "{'content':'on it','relates_to':['%r']}", 0, true},
    {"memory_episode", "{'objective':'o','outcome':'x','derived_from':['%r']}", 0, true},
    {"memory_raw", "{'blob':'from it','derived_from':['%r']}", 0, true},
    {"memory_add", "{'kind':'goal','text':'of it','derived_from':['%r']}", 0, true},
    {"log_source_attribution", LOG("'supports':['%r']"), ALL, false},
    {"log_source_attribution", LOG("'supports':['belief:free','%r']"), ALL, false},
    {"log_source_attribution", LOG("'source_uri':'%i'"), B(DOCUMENT), true},
    {"log_source_attribution", LOG("'source_uri':'https://%i'"), 0, true},
    {"log_search_attribution",
     "{'agent_id':'client','query':'%i','retrieval_timestamp':1700000000000}", B(DOCUMENT), true},
    {"cot_step", STEP("{'document_id':'%i','title':'A title'}"), B(DOCUMENT), true},
    {"cot_step", STEP("{'document_id':'%i','uri':'https://other.example'}"), B(DOCUMENT), true},
    {"cot_step", STEP("{'document_id':'%i','attribution':'attribution:logged'}"), B(DOCUMENT),
     true},
    {"cot_step", STEP("{'document_id':'kept','attribution':'attribution:%i'}"), B(ATTRIBUTION),
     true},
    {"cot_step", "{'chain':'chain:%i','step_number':%n,'question':'q','context_used':['so']}", 0,
     false},
    {"cot_step", "{'chain':'chain:of-%i','step_number':%n,'question':'q','context_used':['so']}", 0,
     false},
    {"cot_finish", "{'chain':'%r','final_answer':'a'}", B(CHAIN), false},
    {"cot_record",
     "{'original_question':'q','final_answer':'a','reasoning_steps':[{'step_number':1,'question':"
     "'q','source_attributions':[{'document_id':'%i','document_title':'A title','relevance_score'"
     ":0.5,'excerpt':'e'}]}]}",
     B(DOCUMENT), true},
    {"cite_sources",
     "{'conversation_id':'other','message_id':'m','sources':[{'documentId':'%i',"
     "'documentName':'A title','relevanceScore':0.5}]}",
     B(DOCUMENT), true},
    {"cite_sources",
     "{'conversation_id':'c','message_id':'%i','sources':[{'documentId':'d','documentName':'D',"
     "'relevanceScore':0.5}]}",
     B(CITATION), true},
    {"putMemory", "{'namespace':'session.t','key':'%i','value':%n}", B(ENTRY), false},
    {"deleteMemory", "{'namespace':'session.t','key':'%i'}", B(ENTRY), false},
};
#define CALLS (sizeof(calls) / sizeof(*calls))

static const struct {
    enum operation op; /* OPERATION_COUNT for none */
    const char *flag, *name;
} words[] = {{OPERATION_COUNT, NULL, "left alone"},
             {OPERATION_LOCK, NULL, "protected"},
             {OPERATION_APPROVE, NULL, "verified"},
             {OPERATION_RETRACT, NULL, "retracted"},
             {OPERATION_QUARANTINE, NULL, "quarantined"}};
#define WORDS (sizeof(words) / sizeof(*words))

/* ---- the memories ---- */

/* What a kind needs besides its ref and text. */
static const struct {
    enum kind kind;
    const char *rest;
} kinds[] = {
    {KIND_BELIEF, ",'derived_from':['raw:seen']"},
    {KIND_EPISODE, ""},
    {KIND_RAW, ""},
    {KIND_ATTRIBUTION, ",'detail':{'source_type':'web','source_uri':'https://%i'}"},
    {KIND_DOCUMENT, ",'detail':{'untitled':true}"},
    {KIND_CHAIN, ""},
    {KIND_STEP, ",'detail':{'step_number':1,'intermediate_answer':'so'},'relations':[{'type':"
                "'part_of','to':'chain:of-%i','at':1}]"},
    {KIND_CITATION,
     ",'detail':{'document_id':'d','conversation_id':'c','message_id':'%i'},'justifications':[{"
     "'role':'citation','at':1,'antecedents':['document:d']}]"},
    {KIND_ENTRY, ",'detail':{'namespace':'session.t','key':'%i','value':0}"},
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* Fills a pattern in the fixture's arena; ' becomes ". */
static const char *written(const char *pattern, enum kind kind, const char *id)
{
    static int next = 10;
    AUTO_STRBUF out = STRBUF_INIT;
    for (const char *at = pattern; *at; at++)
        if (*at != '%')
            strbuf_addch(&out, *at == '\'' ? '"' : *at);
        else if (*++at == 'r')
            strbuf_addf(&out, "%s:%s", kind_name(kind), id);
        else if (*at == 'i')
            strbuf_addstr(&out, id);
        else
            strbuf_addf(&out, "%d", next++);
    return arena_strndup(&f.arena, out.buf, out.len);
}

/* Makes a memory of the kind. Returns its id. */
static const char *make(size_t kind)
{
    static const char line[] = "{'ref':'%r','text':'%i','agent_id':'client','confidence':0.5";
    const char *id = written("t%n", kinds[kind].kind, "");
    AUTO_STRBUF whole = STRBUF_INIT;
    strbuf_addf(&whole, "%s%s}", written(line, kinds[kind].kind, id),
                written(kinds[kind].rest, kinds[kind].kind, id));
    if (kinds[kind].kind == KIND_STEP)
        fixture_put(&f, written("{'ref':'chain:of-%i','text':'q','agent_id':'client'}", 0, id),
                    NULL);
    fixture_put(&f, whole.buf, NULL);
    return id;
}

static void person_says(size_t word, const char *ref)
{
    if (words[word].op != OPERATION_COUNT)
        operate_as_person(&f, words[word].op, ref, words[word].flag);
}

/* ---- trying ---- */

static const char *look(enum kind kind, const char *id)
{
    return tool_answer(&f, "memory_get", written("{'ref':'%r'}", kind, id));
}

static void try(size_t kind, size_t word, size_t call, const char *id)
{
    struct error e;
    const char *answer, *arguments = written(calls[call].arguments, kinds[kind].kind, id);
    const char *before = look(kinds[kind].kind, id);
    int result = tool_try(&f, calls[call].tool, arguments, &answer, &e);
    bool changed = strcmp(before, look(kinds[kind].kind, id)) != 0;
    bool free = words[word].op == OPERATION_COUNT;
    bool meant = calls[call].kinds & KIND_BIT(kinds[kind].kind);
    if (changed != (free && meant))
        fail_msg("%s %s (%s): %s", calls[call].tool, arguments, words[word].name,
                 changed ? "changed it" : e.what);
    if (result && (calls[call].goes_on || (free && meant)))
        fail_msg("%s %s (%s): %s", calls[call].tool, arguments, words[word].name, e.what);
}

static int setup(void **state)
{
    fixture_open(&f);
    fixture_put(&f, written("{'ref':'raw:seen','text':'r','agent_id':'client'}", 0, ""),
                written("{'ref':'episode:met','text':'e','agent_id':'client'}", 0, ""),
                written("{'ref':'belief:other','text':'b','agent_id':'client'}", 0, ""),
                written("{'ref':'belief:free','text':'b','agent_id':'client'}", 0, ""),
                written("{'ref':'chain:going','text':'q','agent_id':'client'}", 0, ""),
                written("{'ref':'document:kept','text':'d','protected':true}", 0, ""),
                written("{'ref':'attribution:logged','text':'a','agent_id':'client'}", 0, ""),
                NULL);
    return 0;
}

static int teardown(void **state)
{
    fixture_close(&f);
    return 0;
}

FIXTURE(setup, teardown);

TEST(tools_do_not_change_decided_memories)
{
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t word = 0; word < WORDS; word++) {
            const char *id = make(kind);
            person_says(word, written("%r", kinds[kind].kind, id));
            for (size_t call = 0; call < CALLS; call++) {
                try(kind, word, call, id);
                if (words[word].op == OPERATION_COUNT) /* it may have ended meanwhile */
                    id = make(kind);
            }
        }
}
