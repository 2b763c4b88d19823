/* The review queue: who put a memory there and why, the newest first, and what takes it out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store/query/list.h"
#include "store/ops/operation.h"
#include "tests/support/golden.h"
#include "tests/support/viewed.h"

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    fixture_put(
        &s->fixture,
        "{\"ref\":\"raw:54c5507f-1\",\"agent_id\":\"ash\",\"text\":\"The migration held a "
        "lock\",\"created_at\":1794990000000}",
        "{\"ref\":\"belief:7d10e6a2-2\",\"agent_id\":\"ash\",\"text\":\"Never skip staging "
        "before a deploy\",\"created_at\":1794990000000,\"derived_from\":[\"raw:54c5507f-1\"],"
        "\"marks\":[{\"mark\":\"for_review\",\"at\":1794995000000,\"actor\":\"sean\",\"reason\":"
        "\"after the incident\"}]}",
        "{\"ref\":\"note:99c64f62-3\",\"agent_id\":\"claire\",\"text\":\"Canary first\","
        "\"created_at\":1794990000000,\"marks\":[{\"mark\":\"for_review\",\"at\":1794999000000,"
        "\"actor\":\"ash\",\"value\":\"contradicted\"},{\"mark\":\"rating\",\"at\":1794999000000,"
        "\"value\":\"2\"}]}",
        "{\"ref\":\"goal:aaaa1111-4\",\"agent_id\":\"ash\",\"text\":\"Ship\",\"created_at\":"
        "1794990000000,\"marks\":[{\"mark\":\"for_review\",\"at\":1794991000000,\"actor\":"
        "\"ash\"},{\"mark\":\"for_review\",\"at\":1794997000000,\"actor\":\"claire\",\"reason\":"
        "\"twice\"}]}",
        "{\"ref\":\"note:gone-5\",\"agent_id\":\"ash\",\"text\":\"gone\",\"status\":\"forgotten\","
        "\"created_at\":1794990000000,\"marks\":[{\"mark\":\"for_review\",\"at\":1794999900000}]}",
        NULL);
    *state = s;
    return 0;
}

static void test_frames(void **state)
{
    static const struct golden_view views[] = {
        {"review", "8"},
        {"review-reviewed", "8jx"},
    };
    struct viewed *s = *state;
    golden_check_views(&s->script, views, sizeof(views) / sizeof(views[0]));
}

/* The newest mark counts, whatever was said before; what is gone is not asked for. */
static void test_order(void **state)
{
    struct viewed *s = *state;
    struct marked *queue;
    struct error e;
    size_t count;
    assert_int_equal(marked_list(s->fixture.reader, "for_review", NULL, &queue, &count, &e), 0);
    assert_int_equal(count, 3);
    assert_int_equal(queue[0].node, fixture_row(&s->fixture, "note:99c64f62-3"));
    assert_int_equal(queue[1].node, fixture_row(&s->fixture, "goal:aaaa1111-4"));
    assert_int_equal(queue[1].at, 1794997000000);
    assert_int_equal(queue[2].node, fixture_row(&s->fixture, "belief:7d10e6a2-2"));
    free(queue);
    assert_int_equal(marked_list(s->fixture.reader, "for_review", "claire", &queue, &count, &e), 0);
    assert_int_equal(count, 1);
    free(queue);
    assert_int_equal(marked_list(s->fixture.reader, "for_review", "nobody", &queue, &count, &e), 0);
    assert_int_equal(count, 0);
    free(queue);
}

/* One, or all that are marked, as one change that is undone as one. */
static void test_reviewed(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    viewed_shows(s, "8", "3 to review");
    viewed_shows(s, "8jxfine<Enter><C-g><shot:x>", "2 to review");
    viewed_shows(s, "8", "2 to review");
    viewed_shows(s, ":audit operation:mark<Enter>", "+reviewed, -for_review, -for_review \"fine\"");
    viewed_shows(s, "u<C-g><shot:x>8", "3 to review");
    viewed_shows(s, "8  xok<Enter><C-g><shot:x>", "1 to review");
    viewed_shows(s, "8u<C-g><shot:x>", "3 to review");
    viewed_shows(s, "A1<Esc>8", "to review");
    viewed_shows(s, ":agent claire<Enter>8", "1 to review");
    viewed_shows(s, "8:agent claire<Enter>", "1 to review");
    viewed_shows(s, "8x<Esc>", "3 to review");
    /* Reviewed already, and marked for another one since. */
    viewed_shows(s, "8xone<Enter><C-g><shot:x>:mark for_review<Enter>again<Enter><C-g><shot:y>",
                 "to review");
}

static void at_shot(struct script *script, const char *name)
{
    struct viewed *s = (struct viewed *)script;
    struct actor claire = {
        .class = ACTOR_AGENT, .name = "claire", .agent = "claire", .origin = "mcp"};
    struct request q = REQUEST_INIT;
    struct arena arena = ARENA_INIT;
    struct plan plan;
    struct error e = {0};
    if (strcmp(name, "news") != 0)
        return;
    q.refs = &(const char *){"raw:54c5507f-1"};
    q.ref_count = 1;
    q.mark = "for_review";
    q.reason = "it is old";
    assert_int_equal(
        operation_run_now(s->fixture.store, &claire, OPERATION_MARK, &q, &arena, &plan, &e), 0);
    arena_release(&arena);
}

/* What an agent puts there lands, and the cursor stays on its memory. */
static void test_news(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    s->script.at_shot = at_shot;
    script_run(&s->script, "8jj<shot:news><C-g><shot:after>");
    char *after = script_shot(&s->script, "after");
    assert_non_null(strstr(after, "4 to review"));
    assert_non_null(strstr(after, "it is old"));
    const char *cursor = strstr(after, "\n > ");
    assert_non_null(cursor);
    assert_non_null(strstr(cursor, "Never skip staging"));
    assert_true(strcspn(cursor + 1, "\n") > (size_t)(strstr(cursor, "Never skip") - cursor));
    free(after);
}

/* An agent's word that it reviewed something answers no person's question. */
static void test_agents_word(void **state)
{
    struct viewed *s = *state;
    struct actor ash = {.class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
    struct request q = REQUEST_INIT;
    struct plan plan;
    struct error e = {0};
    q.refs = &(const char *){"note:99c64f62-3"};
    q.ref_count = 1;
    q.mark = "reviewed";
    assert_int_equal(
        operation_run_now(s->fixture.store, &ash, OPERATION_MARK, &q, &s->fixture.arena, &plan, &e),
        0);
    viewed_shows(s, "8", "3 to review");
}

static void test_hostile(void **state)
{
    struct viewed *s = *state;
    fixture_put(
        &s->fixture,
        "{\"ref\":\"belief:evil\\nid\",\"agent_id\":\"x\\u001b[31m\",\"text\":\"\\u001b]52;c;x"
        "\\u0007 a\\nb\\r\\tc \\u202ed \\u0301\",\"created_at\":1794990000000,\"marks\":[{"
        "\"mark\":\"for_review\",\"at\":9999999999999,\"actor\":\"\\u001b[2J\\u202e\\n\","
        "\"reason\":\"\\u0007\\n\\u202ewhy\"}]}",
        NULL);
    script_run(&s->script, "8<size:1x1>j<size:20x5>jk<size:200x50>T<size:60x12>x<Esc><Enter>");
    for (const char *at = s->script.frames.buf; *at; at++)
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    assert_null(strstr(s->script.frames.buf, "\xe2\x80\xae"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_order, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_reviewed, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_news, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_agents_word, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_hostile, set_up, viewed_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
