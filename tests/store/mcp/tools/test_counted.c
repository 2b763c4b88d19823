/*
 * What was masked in an answer is counted: each mark that stands in it once, wherever and whenever it was put there, and
 * no mark of an answer in which nothing was masked. What is kept of an answer gives the same count.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "store/mcp/server/server_state.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"

#define TIMES 4
#define CARD  "************1111"

static int64_t count_of(const char *text, const char *word)
{
    int64_t count = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        count++;
    return count;
}

static int64_t marks_in(const char *text)
{
    return count_of(text, "[redacted") + count_of(text, "[REDACTED]_") + count_of(text, CARD);
}

/* Since the server began. It is idle: the answer came. */
static int64_t counted(const struct guarded *g)
{
    const struct metrics *m = g->server->metrics;
    int64_t all = 0;
    for (size_t i = 0; i < m->call_count; i++)
        all += (int64_t)m->calls[i]->redactions;
    return all;
}

/* The text of a tool's answer, which is told twice, is left out. */
static const char *ask(struct guarded *g, const char *method, const char *params)
{
    const char *answer = guarded_ask(g, method, params);
    struct json_slice result = json_member(answer, strlen(answer), "result");
    struct json_slice content = result.ptr
                                    ? json_member(result.ptr, result.len, "structuredContent")
                                    : (struct json_slice){NULL, 0};
    if (!content.ptr)
        content = result.ptr ? json_member(result.ptr, result.len, "content") : content;
    strbuf_clear(&g->said);
    strbuf_add(&g->said, content.ptr ? content.ptr : answer,
               content.ptr ? content.len : strlen(answer));
    return g->said.buf;
}

/* Again and again, each time with that many marks, of which as many are counted. */
static void expect(struct guarded *g, const char *method, const char *params, int64_t least)
{
    int64_t first = -1;
    for (size_t i = 0; i < TIMES; i++) {
        int64_t before = counted(g);
        const char *answer = ask(g, method, params);
        int64_t marks = marks_in(answer), more = counted(g) - before;
        first = first < 0 ? marks : first;
        if (marks < least || marks != first || more != marks || strchr(answer, '@'))
            fail_msg("%s %s: %lld marks, %lld counted, at least %lld: %s", method, params,
                     (long long)marks, (long long)more, (long long)least, answer);
    }
}

static const struct {
    const char *method, *params;
    int64_t least;
} doors[] = {
    {"tools/call", "{'name':'memory_get','arguments':{'ref':'raw:low'}}", 2},
    {"tools/call", "{'name':'memory_get','arguments':{'ref':'belief:card'}}", 2},
    {"tools/call", "{'name':'memory_get','arguments':{'ref':'belief:top','part':'detail'}}", 1},
    {"tools/call", "{'name':'memory_get','arguments':{'ref':'raw:low','part':'text','length':30}}",
     1},
    {"tools/call", "{'name':'memory_get','arguments':{'ref':'document:tim@example.com'}}", 1},
    {"tools/call", "{'name':'memory_get','arguments':{'ref':'raw:nobody@example.com'}}", 1},
    {"tools/call", "{'name':'memory_search','arguments':{'query':'deploy'}}", 4},
    {"tools/call", "{'name':'memory_search','arguments':{'query':'says'}}", 4},
    {"tools/call", "{'name':'memory_list','arguments':{}}", 4},
    {"tools/call", "{'name':'memory_list','arguments':{'kind':'entry'}}", 2},
    {"tools/call", "{'name':'memory_lineage','arguments':{'ref':'belief:top'}}", 3},
    {"tools/call",
     "{'name':'memory_lineage','arguments':{'ref':'raw:low','direction':'descendants'}}", 3},
    {"tools/call", "{'name':'memory_whatif','arguments':{'ref':'raw:low'}}", 0},
    {"tools/call", "{'name':'memory_history','arguments':{'ref':'belief:top'}}", 1},
    {"tools/call", "{'name':'memory_orphans','arguments':{}}", 0},
    {"tools/call", "{'name':'listMemory','arguments':{'namespace':'session.a'}}", 1},
    {"tools/call", "{'name':'getMemory','arguments':{'namespace':'session.a','key':'email_z'}}", 1},
    {"resources/list", "{}", 4},
    {"resources/read", "{'uri':'stemma://raw/low'}", 1},
    {"resources/read", "{'uri':'stemma://belief/top/lineage'}", 2},
    {"resources/read", "{'uri':'stemma://document/tim%40example.com'}", 1},
    {"resources/read", "{'uri':'stemma://raw/nobody%40example.com'}", 1},
    {"prompts/get", "{'name':'why_believed','arguments':{'ref':'belief:top'}}", 2},
    {"prompts/get", "{'name':'review_belief','arguments':{'ref':'belief:top'}}", 2},
    {"prompts/get", "{'name':'review_agent','arguments':{'agent':'ash'}}", 2},
    {"prompts/get", "{'name':'what_changed','arguments':{'since':'2000-01-01'}}", 2},
    {"completion/complete",
     "{'ref':{'type':'ref/prompt','name':'why_believed'},'argument':{'name':'ref','value':'d'}}",
     0},
};

static void begin(struct guarded *g)
{
    struct permissions p;
    guarded_open(g);
    fixture_put(&g->f,
                "{\"ref\":\"raw:low\",\"agent_id\":\"ash\",\"text\":\"deploy says ann@example.com "
                "and bob@example.com\"}",
                "{\"ref\":\"belief:top\",\"agent_id\":\"ash\",\"text\":\"deploy, call "
                "555-123-4567\",\"detail\":{\"password\":\"x\"},\"derived_from\":[\"raw:low\","
                "\"document:tim@example.com\"]}",
                "{\"ref\":\"document:tim@example.com\",\"text\":\"a deploy letter\"}",
                "{\"ref\":\"belief:card\",\"text\":\"4111 1111 1111 1111, as "
                "ann@example.com says\"}",
                "{\"ref\":\"belief:clean\",\"text\":\"it was [redacted-email] already: clean\"}",
                NULL);
    guarded_put(g, "ash", "session.a", "email_z", "{\"to\":\"x@example.com\"}");
    permissions_init(&p);
    guarded_begin(g, &p, NULL);
}

static void each_mark_counts_once(void **state)
{
    struct guarded g;
    (void)state;
    begin(&g);
    for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++)
        expect(&g, doors[i].method, doors[i].params, doors[i].least);
    guarded_close(&g);
}

/* What a memory was written with is no personal data of this answer. */
static void a_mark_of_old_counts_nothing_alone(void **state)
{
    struct guarded g;
    (void)state;
    begin(&g);
    for (size_t i = 0; i < TIMES; i++) {
        assert_has(guarded_tool(&g, "memory_search", "{'query':'clean'}"), "[redacted-email]");
        assert_has(guarded_tool(&g, "memory_get", "{'ref':'belief:clean'}"), "[redacted-email]");
    }
    assert_int_equal(counted(&g), 0);
    guarded_close(&g);
}

static void a_mark_is_told_from_what_begins_like_one(void **state)
{
    static const struct {
        const char *text;
        int64_t marks;
    } texts[] = {
        {"", 0},
        {"*********1111", 1},
        {"********1111", 0},
        {"*********111 *********11112222", 1},
        {"*********111*********1111*********1111", 2},
        {"************* *********1111", 1},
        {"[redacted[redacted-email] [REDACTED]_A[[redacte", 3},
        {"***[redacted]***********[REDACTED]_*********1111", 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_int_equal(guard_count_marks(texts[i].text, strlen(texts[i].text)), texts[i].marks);
}

/* Were the run looked at again from each of its stars, the client's wait would be over long before. */
static void a_long_run_of_stars_is_looked_at_once(void **state)
{
    enum {
        STARS = 1000000
    };
    struct guarded g;
    struct strbuf line = STRBUF_INIT;
    (void)state;
    guarded_open(&g);
    strbuf_addstr(&line, "{\"ref\":\"raw:stars\",\"text\":\"deploy says ann@example.com ");
    for (size_t i = 0; i < STARS; i++)
        strbuf_addch(&line, '*');
    strbuf_addstr(&line, " and bob@example.com\"}");
    assert_false(line.failed);
    fixture_put(&g.f, line.buf, NULL);
    strbuf_release(&line);
    struct permissions p;
    permissions_init(&p);
    guarded_begin(&g, &p, NULL);
    expect(&g, "tools/call", "{'name':'memory_get','arguments':{'ref':'raw:stars'}}", 2);
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mark_counts_once),
        cmocka_unit_test(a_mark_of_old_counts_nothing_alone),
        cmocka_unit_test(a_mark_is_told_from_what_begins_like_one),
        cmocka_unit_test(a_long_run_of_stars_is_looked_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
