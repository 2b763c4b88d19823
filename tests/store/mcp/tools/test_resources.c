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

/* ---- completion ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_subscription_is_of_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
