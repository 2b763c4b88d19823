/* Refs whose ids hold personal data: what an agent is shown of one is that one's alone, and is taken wherever a ref is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/db/db.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"

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

static void begin(struct mails *m)
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
    begin(&m);
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
    begin(&m);
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
    begin(&m);
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
    begin(&m);
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
    begin(&m);
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
    begin(&m);
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
    begin(&m);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_shown_as_another_and_always_the_same),
        cmocka_unit_test(it_is_taken_in_place_of_the_ref),
        cmocka_unit_test(resources_prompts_and_completion_have_it),
        cmocka_unit_test(one_that_was_never_written_is_shown_so_too),
        cmocka_unit_test(what_is_masked_and_names_nothing_is_refused),
        cmocka_unit_test(a_pattern_that_finds_all_leaves_refs_of_use),
        cmocka_unit_test(a_rating_names_its_source_by_it),
        cmocka_unit_test(no_error_cuts_what_it_stands_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
