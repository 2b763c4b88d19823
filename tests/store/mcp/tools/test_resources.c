/* Memories as resources, the completion of names, and prompts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "store/mcp/tools/service.h"
#include "store/query/known_names.h"
#include "tests/support/tool_call.h"

static const char *ask(struct fixture *f, call_read read, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *ask(struct fixture *f, call_read read, const char *format, ...)
{
    struct strbuf params = STRBUF_INIT;
    struct error e;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&params, format, args);
    va_end(args);
    const char *answer = service_answer(f, read, params.buf, &e);
    if (!answer)
        fail_msg("%s: %s", params.buf, e.what);
    strbuf_release(&params);
    return answer;
}

static const char *read_uri(struct fixture *f, const char *uri)
{
    const char *answer = ask(f, stemma_service(true)->read_resource, "{\"uri\":\"%s\"}", uri);
    assert_int_equal(answer_count(answer, "contents"), 1);
    assert_string_equal(answer_text(f, answer, "contents.0.uri"), uri);
    return answer_text(f, answer, "contents.0.text");
}

static void fill(struct fixture *f)
{
    fixture_put(
        f, "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"heard\",\"created_at\":1000}",
        "{\"ref\":\"episode:e1\",\"agent_id\":\"ash\",\"text\":\"tried\",\"created_at\":2000,"
        "\"derived_from\":[\"raw:r1\"]}",
        "{\"ref\":\"belief:b1\",\"agent_id\":\"ash\",\"text\":\"so\\nit\\u001b[31m \\u202eis\","
        "\"created_at\":3000,\"derived_from\":[\"episode:e1\"],\"source_episodes\":[\"never\"]}",
        "{\"ref\":\"belief:b2\",\"agent_id\":\"bee\",\"text\":\"then\",\"created_at\":4000,"
        "\"derived_from\":[\"belief:b1\",\"episode:e1\"],\"derivation\":\"all\"}",
        "{\"ref\":\"document:a/b %c\",\"agent_id\":\"b/ee "
        "\\u00e9\",\"text\":\"d\",\"created_at\":5000}",
        NULL);
}

static void a_memory_is_read_by_its_uri(void **state)
{
    struct fixture *f = *state;
    fill(f);
    const char *m = read_uri(f, "stemma://belief/b1");
    assert_string_equal(answer_text(f, m, "ref"), "belief:b1");
    assert_string_equal(answer_text(f, m, "label"), "weakened");
    m = read_uri(f, "stemma://document/a%2Fb%20%25c");
    assert_string_equal(answer_text(f, m, "ref"), "document:a/b %c");
    m = read_uri(f, "stemma://document/a%2fb%20%25c");
    assert_string_equal(answer_text(f, m, "text"), "d");
}

static void a_lineage_is_text_and_data(void **state)
{
    struct fixture *f = *state;
    fill(f);
    const char *text = read_uri(f, "stemma://belief/b2/lineage");
    assert_string_equal(
        text,
        "belief:b2 [grounded, confidence 0.8] then\n"
        "  derived_from (all needed): belief:b1 [weakened, confidence 0.8, of ash] so it [31m "
        "\xef\xbf\xbdis\n"
        "    derived_from: episode:e1 [grounded, confidence 0.8, of ash] tried\n"
        "      derived_from: raw:r1 [grounded, confidence 1, of ash] heard\n"
        "    evidence: episode:never [missing: named, never written]\n"
        "  derived_from (all needed): episode:e1 (shown elsewhere)\n");
    const char *json = read_uri(f, "stemma://belief/b2/lineage.json");
    assert_int_equal(answer_count(json, "nodes"), 5);
    assert_int_equal(answer_number(json, "cut"), 0);
}

/* Long lines of descent are cut where the outline says so. */
static void a_deep_lineage_says_what_it_leaves_out(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 40; i++) {
        char line[160];
        snprintf(line, sizeof(line),
                 "{\"ref\":\"belief:d%d\",\"text\":\"t\",\"derived_from\":[\"belief:d%d\"]}", i,
                 i ? i - 1 : 0);
        fixture_put(f, line, NULL);
    }
    const char *text = read_uri(f, "stemma://belief/d39/lineage");
    assert_non_null(strstr(text, "(+19 deeper)\n"));
    text = read_uri(f, "stemma://belief/d2/lineage");
    assert_non_null(strstr(text, "belief:d0 (a circle: it is on this path already)\n"));
}

static void an_agent_is_read_by_its_name(void **state)
{
    struct fixture *f = *state;
    fill(f);
    const char *ash = read_uri(f, "stemma://agent/ash");
    assert_int_equal(answer_count(ash, "memories"), 3);
    assert_memory_equal(answer_at(ash, "more").ptr, "false", 5);
    assert_string_equal(answer_text(f, ash, "memories.0.ref"), "belief:b1");
    assert_int_equal(answer_count(read_uri(f, "stemma://agent/b%2Fee%20%C3%A9"), "memories"), 1);
    for (int i = 0; i < 60; i++) {
        char line[128];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:m%d\",\"agent_id\":\"cat\",\"text\":\"t\"}",
                 i);
        fixture_put(f, line, NULL);
    }
    const char *cat = read_uri(f, "stemma://agent/cat");
    assert_int_equal(answer_count(cat, "memories"), 50);
    assert_memory_equal(answer_at(cat, "more").ptr, "true", 4);
}

static void what_is_no_resource_is_not_found(void **state)
{
    struct fixture *f = *state;
    static const char *const wrong[] = {
        "",
        "stemma://",
        "stemma://belief",
        "stemma://belief/",
        "stemma://belief/nothing",
        "stemma://belief/b1/",
        "stemma://belief/b1/lineages",
        "stemma://belief/b1/lineage/x",
        "stemma://belief/b1?x=1",
        "stemma://belief/b1#x",
        "stemma://belief/b%",
        "stemma://belief/b%1",
        "stemma://belief/b%zz",
        "stemma://belief/%00b1",
        "stemma://belief/%FF",
        "stemma://belief/a/b",
        "stemma://Belief/b1",
        "stemma://beliefs/b1",
        "stemma:/belief/b1",
        "http://belief/b1",
        "stemma://agent/",
        "stemma://agent/nobody",
        "stemma://agent/ash/lineage",
        "stemma://episode/never",
        " stemma://belief/b1",
    };
    struct error e;
    fill(f);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct strbuf params = STRBUF_INIT;
        strbuf_addf(&params, "{\"uri\":\"%s\"}", wrong[i]);
        if (service_answer(f, stemma_service(true)->read_resource, params.buf, &e))
            fail_msg("there is a resource %s", wrong[i]);
        if (e.code != ERROR_NOT_FOUND)
            fail_msg("%s: %s", wrong[i], e.what);
        strbuf_release(&params);
    }
    assert_null(service_answer(f, stemma_service(true)->read_resource, "{}", &e));
    assert_int_equal(e.code, ERROR_INVALID);
}

static void a_subscription_is_of_a_row(void **state)
{
    struct fixture *f = *state;
    struct error e;
    const struct mcp_service *s = stemma_service(true);
    static const char *const uris[][2] = {
        {"stemma://belief/b1", "belief:b1"},
        {"stemma://belief/b1/lineage", "belief:b1"},
        {"stemma://belief/b1/lineage.json", "belief:b1"},
        {"stemma://episode/never", "episode:never"}, /* only named, it may be written later */
    };
    static const char *const none[] = {"stemma://belief/nothing", "stemma://agent/nobody",
                                       "nonsense"};
    struct mcp_subject subject;
    fill(f);
    for (size_t i = 0; i < sizeof(uris) / sizeof(*uris); i++) {
        assert_int_equal(s->subscribed(f->reader, uris[i][0], &subject, &e), 0);
        assert_int_equal(subject.node, fixture_row(f, uris[i][1]));
        assert_int_equal(subject.agent, 0);
    }
    assert_int_equal(s->subscribed(f->reader, "stemma://agent/ash", &subject, &e), 0);
    assert_true(subject.node == 0 && subject.agent > 0);
    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        e.code = ERROR_NONE;
        assert_int_equal(s->subscribed(f->reader, none[i], &subject, &e), -1);
        assert_int_equal(e.code, ERROR_NOT_FOUND);
    }
}

/* ---- resources/list ---- */

static void all_are_listed_in_pages(void **state)
{
    struct fixture *f = *state;
    struct error e;
    call_read list = stemma_service(true)->list_resources;
    fill(f);
    const char *page = ask(f, list, "{}");
    assert_int_equal(answer_count(page, "resources"), 5);
    assert_null(answer_at(page, "nextCursor").ptr);
    assert_string_equal(answer_text(f, page, "resources.0.uri"), "stemma://document/a%2Fb%20%25c");
    assert_string_equal(answer_text(f, page, "resources.0.name"), "document:a/b %c");
    assert_string_equal(answer_text(f, page, "resources.2.title"),
                        "belief: so it [31m \xef\xbf\xbdis");
    assert_string_equal(answer_text(f, page, "resources.2.mimeType"), "application/json");
    assert_string_equal(answer_text(f, page, "resources.2.annotations.lastModified"),
                        "1970-01-01T00:00:03.000Z");
    /* What is listed can be read. */
    for (int i = 0; i < 5; i++) {
        char path[64];
        snprintf(path, sizeof(path), "resources.%d.uri", i);
        read_uri(f, answer_text(f, page, path));
    }
    for (int i = 0; i < 195; i++) {
        char line[128];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:m%d\",\"text\":\"t\"}", i);
        fixture_put(f, line, NULL);
    }
    page = ask(f, list, "{\"cursor\":\"\"}");
    assert_int_equal(answer_count(page, "resources"), 100);
    page = ask(f, list, "{\"cursor\":\"%s\"}", answer_text(f, page, "nextCursor"));
    assert_int_equal(answer_count(page, "resources"), 100);
    assert_null(answer_at(page, "nextCursor").ptr);
    static const char *const bad[] = {"bad", "\\u0000", "\\u0000junk"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char cursor[64];
        snprintf(cursor, sizeof(cursor), "{\"cursor\":\"%s\"}", bad[i]);
        assert_null(service_answer(f, list, cursor, &e));
        assert_int_equal(e.code, ERROR_INVALID);
    }
}

/* ---- completion ---- */

static const char *complete(struct fixture *f, const char *ref, const char *name, const char *value,
                            const char *kind)
{
    return ask(f, stemma_service(true)->complete,
               "{\"ref\":%s,\"argument\":{\"name\":\"%s\",\"value\":\"%s\"},\"context\":"
               "{\"arguments\":{\"kind\":\"%s\"}}}",
               ref, name, value, kind);
}

#define TEMPLATE "{\"type\":\"ref/resource\",\"uri\":\"stemma://{kind}/{id}\"}"
#define AGENTS   "{\"type\":\"ref/resource\",\"uri\":\"stemma://agent/{agent}\"}"
#define PROMPT   "{\"type\":\"ref/prompt\",\"name\":\"why_believed\"}"

static void names_are_completed(void **state)
{
    struct fixture *f = *state;
    fill(f);
    const char *c = complete(f, TEMPLATE, "kind", "", "");
    assert_int_equal(answer_number(c, "completion.total"), KIND_COUNT);
    c = complete(f, TEMPLATE, "kind", "be", "");
    assert_int_equal(answer_count(c, "completion.values"), 1);
    assert_string_equal(answer_text(f, c, "completion.values.0"), "belief");
    c = complete(f, TEMPLATE, "id", "b", "belief");
    assert_int_equal(answer_count(c, "completion.values"), 2);
    assert_string_equal(answer_text(f, c, "completion.values.0"), "b2");
    c = complete(f, TEMPLATE, "id", "", "belief");
    assert_int_equal(answer_number(c, "completion.total"), 2);
    c = complete(f, TEMPLATE, "id", "nev", "episode"); /* a stub is no resource */
    assert_int_equal(answer_number(c, "completion.total"), 0);
    c = complete(f, TEMPLATE, "id", "b", "raw");
    assert_int_equal(answer_number(c, "completion.total"), 0);
    c = complete(f, TEMPLATE, "id", "b", "");
    assert_int_equal(answer_number(c, "completion.total"), 2);
    c = complete(f, TEMPLATE, "id", "b", "nope");
    assert_int_equal(answer_number(c, "completion.total"), 0);
    c = complete(f, AGENTS, "agent", "b", "");
    assert_int_equal(answer_count(c, "completion.values"), 2);
    assert_string_equal(answer_text(f, c, "completion.values.0"), "b/ee é");
    c = complete(f, PROMPT, "ref", "belief:b", "");
    assert_string_equal(answer_text(f, c, "completion.values.0"), "belief:b2");
    c = complete(f, PROMPT, "ref", "b", "");
    assert_string_equal(answer_text(f, c, "completion.values.0"), "belief:");
    assert_int_equal(answer_number(c, "completion.total"), 3);
}

/* Whoever asks for what another template or prompt has gets nothing. */
static void what_a_template_does_not_have_is_not_completed(void **state)
{
    struct fixture *f = *state;
    static const char *const asked[][2] = {
        {AGENTS, "kind"}, {AGENTS, "id"},    {AGENTS, "agent}"}, {TEMPLATE, "agent"},
        {TEMPLATE, ""},   {PROMPT, "other"}, {PROMPT, "agent"},
    };
    fill(f);
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        const char *c = complete(f, asked[i][0], asked[i][1], "b", "");
        assert_int_equal(answer_count(c, "completion.values"), 0);
        assert_int_equal(answer_number(c, "completion.total"), 0);
    }
}

static void many_names_are_counted(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 130; i++) {
        char line[160];
        snprintf(line, sizeof(line),
                 "{\"ref\":\"raw:m%03d\",\"agent_id\":\"a%03d\",\"text\":\"t\",\"created_at\":%d}",
                 i, i, i);
        fixture_put(f, line, NULL);
    }
    for (int i = 0; i < 2; i++) {
        const char *c = complete(f, TEMPLATE, "id", i ? "m" : "", "raw");
        assert_int_equal(answer_count(c, "completion.values"), 100);
        if (i)
            assert_int_equal(answer_number(c, "completion.total"), 130);
        else
            assert_null(answer_at(c, "completion.total").ptr);
        assert_memory_equal(answer_at(c, "completion.hasMore").ptr, "true", 4);
        assert_string_equal(answer_text(f, c, "completion.values.0"), "m129");
        assert_string_equal(answer_text(f, c, "completion.values.99"), "m030");
    }
    const char *c = complete(f, AGENTS, "agent", "", "");
    assert_int_equal(answer_count(c, "completion.values"), 100);
    assert_int_equal(answer_number(c, "completion.total"), 130);
}

static void what_cannot_be_completed_is_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const wrong[] = {
        "{}",
        "{\"ref\":{\"type\":\"ref/"
        "tool\",\"name\":\"x\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}",
        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"x\"},\"argument\":{\"name\":\"a\",\"value\":"
        "\"\"}}",
        "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"stemma://x\"},\"argument\":{\"name\":\"a\","
        "\"value\":\"\"}}",
        "{\"ref\":" PROMPT "}",
        "{\"ref\":" PROMPT ",\"argument\":{\"name\":\"ref\"}}",
    };
    struct error e;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        assert_null(service_answer(f, stemma_service(true)->complete, wrong[i], &e));
        assert_int_equal(e.code, ERROR_INVALID);
    }
}

/* ---- prompts ---- */

static const char *prompt(struct fixture *f, size_t which, const char *arguments)
{
    const char *answer = ask(f, stemma_service(true)->prompts[which].get,
                             "{\"name\":\"x\",\"arguments\":%s}", arguments);
    assert_int_equal(answer_count(answer, "messages"), 1);
    assert_string_equal(answer_text(f, answer, "messages.0.role"), "user");
    assert_true(strlen(answer_text(f, answer, "description")) > 0);
    return answer_text(f, answer, "messages.0.content.text");
}

/* One of each prompt by its name: they are found so by clients. */
static size_t named(const char *name)
{
    for (size_t i = 0; i < stemma_service(true)->prompt_count; i++)
        if (strcmp(stemma_service(true)->prompts[i].name, name) == 0)
            return i;
    fail_msg("no prompt %s", name);
    return 0;
}

static void prompts_show_what_they_ask_about(void **state)
{
    struct fixture *f = *state;
    struct error e;
    fill(f);
    assert_non_null(strstr(prompt(f, 0, "{\"ref\":\"belief:b2\"}"), "raw:r1 [grounded"));
    assert_null(service_answer(f, stemma_service(true)->prompts[0].get,
                               "{\"arguments\":{\"ref\":\"belief:nothing\"}}", &e));
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    const char *review = prompt(f, 1, "{\"agent\":\"ash\"}");
    assert_non_null(strstr(review, "- belief:b1 [weakened, active, confidence 0.8] so it"));
    assert_null(strchr(review, '\033'));
    assert_null(strstr(review, "belief:b2"));
    assert_null(service_answer(f, stemma_service(true)->prompts[1].get,
                               "{\"arguments\":{\"agent\":\"nobody\"}}", &e));
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    assert_non_null(
        strstr(prompt(f, named("record_with_provenance"), "{\"what\":\"the sky\"}"), "the sky"));
}

static void a_belief_is_reviewed_with_what_became_of_it(void **state)
{
    struct fixture *f = *state;
    struct error e;
    fill(f);
    const char *review = prompt(f, named("review_belief"), "{\"ref\":\"raw:r1\"}");
    assert_non_null(strstr(review, "raw:r1 [grounded"));
    assert_non_null(strstr(review, "belief:b2")); /* rests on it */
    assert_non_null(strstr(review, "How it changed, the newest first:\n- "));
    assert_non_null(strstr(review, " add by "));
    assert_null(service_answer(f, stemma_service(true)->prompts[named("review_belief")].get,
                               "{\"arguments\":{\"ref\":\"belief:nothing\"}}", &e));
    assert_int_equal(e.code, ERROR_NOT_FOUND);
}

static void what_changed_since_a_time_is_told(void **state)
{
    struct fixture *f = *state;
    struct error e;
    fill(f);
    size_t which = named("what_changed");
    const char *all = prompt(f, which, "{\"since\":\"1970-01-01\"}");
    assert_non_null(strstr(all, "- belief:b1 [weakened, active"));
    assert_non_null(strstr(all, "- belief:b2 ["));
    const char *of_one = prompt(f, which, "{\"since\":\"1970-01-01\",\"agent\":\"ash\"}");
    assert_non_null(strstr(of_one, "- belief:b1 ["));
    assert_null(strstr(of_one, "- belief:b2 ["));
    assert_non_null(strstr(prompt(f, which, "{\"since\":\"2999-01-01\"}"),
                           "Nothing that you may see changed."));
    assert_null(service_answer(f, stemma_service(true)->prompts[which].get,
                               "{\"arguments\":{\"since\":\"soon\"}}", &e));
    assert_int_equal(e.code, ERROR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_memory_is_read_by_its_uri),
        WITH_FIXTURE(a_lineage_is_text_and_data),
        WITH_FIXTURE(a_deep_lineage_says_what_it_leaves_out),
        WITH_FIXTURE(an_agent_is_read_by_its_name),
        WITH_FIXTURE(what_is_no_resource_is_not_found),
        WITH_FIXTURE(a_subscription_is_of_a_row),
        WITH_FIXTURE(all_are_listed_in_pages),
        WITH_FIXTURE(names_are_completed),
        WITH_FIXTURE(what_a_template_does_not_have_is_not_completed),
        WITH_FIXTURE(many_names_are_counted),
        WITH_FIXTURE(what_cannot_be_completed_is_refused),
        WITH_FIXTURE(prompts_show_what_they_ask_about),
        WITH_FIXTURE(a_belief_is_reviewed_with_what_became_of_it),
        WITH_FIXTURE(what_changed_since_a_time_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
