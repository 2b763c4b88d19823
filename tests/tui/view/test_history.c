/*
 * The history of a memory in the explorer: changes with differences, the state after each, and the versions of a
 * memory, however many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/ops/operation.h"
#include "tests/support/golden.h"
#include "tests/support/viewed.h"

#define CHAIN 5000

static void operate(struct viewed *s, enum operation op, const char *ref, const char *text,
                    const char *reason)
{
    struct actor sean = {.class = ACTOR_PERSON, .name = "sean", .origin = "command"};
    struct request q = REQUEST_INIT;
    struct arena arena = ARENA_INIT;
    struct plan plan;
    struct error e = {0};
    q.refs = &ref;
    q.ref_count = ref != NULL;
    q.text = text;
    q.text_len = text ? strlen(text) : 0;
    q.reason = reason;
    if (operation_run_now(s->fixture.store, &sean, op, &q, &arena, &plan, &e))
        fail_msg("%s: %s %s", op_spec(op)->name, e.what, e.hint);
    arena_release(&arena);
}

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    fixture_put(
        &s->fixture,
        "{\"ref\":\"raw:54c5507f-0000-4000-8000-000000000001\",\"agent_id\":\"ash\",\"text\":"
        "\"The migration held a lock\",\"created_at\":1794990000000}",
        "{\"ref\":\"belief:7d10e6a2-0000-4000-8000-000000000002\",\"agent_id\":\"ash\","
        "\"confidence\":0.7,\"text\":\"Never skip staging before a deploy. It cost 40 minutes "
        "of downtime, and the rollback failed because the migration had already run.\","
        "\"created_at\":1794990000000,\"tags\":[\"deploy\"],\"derived_from\":[\"raw:54c5507f-"
        "0000-4000-8000-000000000001\"]}",
        NULL);
    *state = s;
    return 0;
}

static void change(struct viewed *s)
{
    operate(s, OPERATION_EDIT, "belief:7d10e6a2",
            "Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback "
            "failed because the migration had already run.",
            "measured");
    operate(s, OPERATION_REINFORCE, "belief:7d10e6a2", NULL, "outage");
    operate(s, OPERATION_REINFORCE, "belief:7d10e6a2", NULL, "read the report");
    operate(s, OPERATION_UNDO, NULL, NULL, NULL);
}

/* Memories that a test makes have random ids. */
static void test_frames_match(void **state)
{
    static const struct golden_view views[] = {
        {"history", ":history belief:7d10<Enter>"},
        {"history-edit", ":history belief:7d10<Enter>jjj"},
        {"history-state", ":history belief:7d10<Enter>jj<Enter>"},
        {"history-memory", ":belief:7d10<Enter>I"},
    };
    struct viewed *s = *state;
    change(s);
    golden_check_views(&s->script, views, sizeof(views) / sizeof(views[0]));
}

static void test_a_change_opens_its_state(void **state)
{
    struct viewed *s = *state;
    change(s);
    s->script.columns = 120;
    viewed_shows(s, ":history belief:7d10<Enter>", " 5 changes");
    viewed_shows(s, ":history belief:7d10<Enter>", "event 5 · conf");
    viewed_shows(s, ":history belief:7d10<Enter>G<Enter>", "It cost 40 minutes");
    viewed_shows(s, ":history belief:7d10<Enter>G<Enter>", "4 fields have changed since");
    viewed_shows(s, ":history belief:7d10<Enter><Enter>", "it has not changed since");
    viewed_shows(s, ":history belief:7d10<Enter><Enter><Enter>", "based on");
    /* Changes are possible only in the present. */
    viewed_shows(s, ":history belief:7d10<Enter><Enter>d",
                 "retract works in lists and pages of memories");
}

/* An event can be undone in the history, but not twice. */
static void test_a_change_is_undone_once(void **state)
{
    struct viewed *s = *state;
    change(s);
    s->script.columns = 120;
    viewed_shows(s, ":history belief:7d10<Enter>jjju<Enter><C-g><shot:x>", "undone ·");
    viewed_shows(s, ":history belief:7d10<Enter>", "40 minutes");
    viewed_shows(s, ":history belief:7d10<Enter>jjjju", "it is already undone");
}

/* An undone addition has a history as well. */
static void test_an_undone_addition_has_a_history(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    operate(s, OPERATION_REPLACE, "belief:7d10e6a2", "A better one", "clearer");
    viewed_shows(s, ":history belief:7d10<Enter><Tab>", "2 wordings");
    operate(s, OPERATION_UNDO, NULL, NULL, NULL);
    viewed_shows(s, ":history belief:7d10<Enter>", " 3 changes");
    viewed_shows(s, ":audit operation:undo<Enter>", "the addition");
}

/* ---- a long chain ---- */

static void put_chain(struct viewed *s)
{
    char **lines = xmalloc(CHAIN * sizeof(*lines));
    for (int i = 0; i < CHAIN; i++) {
        char line[300], before[100] = "";
        if (i > 0)
            snprintf(before, sizeof(before),
                     ",\"relations\":[{\"type\":\"supersedes\",\"to\":\"belief:v-%04d\"}]", i - 1);
        snprintf(line, sizeof(line),
                 "{\"ref\":\"belief:v-%04d\",\"agent_id\":\"ash\",\"text\":\"It takes %d minutes\","
                 "\"created_at\":%lld,\"status\":\"%s\"%s}",
                 i, i, 1790000000000LL + i, i + 1 < CHAIN ? "superseded" : "active", before);
        lines[i] = xstrdup(line);
    }
    fixture_put_lines(&s->fixture, (const char *const *)lines, CHAIN);
    for (int i = 0; i < CHAIN; i++)
        free(lines[i]);
    free(lines);
}

/* The versions are the same from each member; only those on the screen are read. */
static void test_a_long_chain_of_versions(void **state)
{
    struct viewed *s = *state;
    put_chain(s);
    s->script.columns = 120;
    viewed_shows(s, ":history belief:v-2500<Enter>", "wording 2,501 of 5,000");
    viewed_shows(s, ":history belief:v-2500<Enter><Tab>", "2,500/5,000");
    viewed_shows(s, ":history belief:v-2500<Enter><Tab>", "from wording 2500 to 2501");
    viewed_shows(s, ":history belief:v-2500<Enter><Tab>", "It takes 2499 minutes");
    viewed_shows(s, ":history belief:v-0000<Enter><Tab>", "5,000/5,000");
    viewed_shows(s, ":history belief:v-0000<Enter><Tab>g", "It takes 4999 minutes");
    viewed_shows(s, ":history belief:v-4999<Enter><Tab>G", "the first wording");
    viewed_shows(s, ":history belief:v-4999<Enter><Tab>G<Enter>", "It takes 0 minutes");
    viewed_shows(s, ":history belief:v-4999<Enter><Tab>/takes 77 <Enter>", "4,923/5,000");
    viewed_shows(s, ":history belief:v-4999<Enter><Tab><size:1x1><size:20x6>jj<size:120x24>",
                 "3/5,000");
}

/* Many changes of one memory are read page by page. */
static void test_many_changes_are_read_by_page(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 120;
    for (int i = 0; i < 450; i++) {
        char text[40];
        snprintf(text, sizeof(text), "It takes %d minutes", i);
        operate(s, OPERATION_EDIT, "raw:54c5507f", text, NULL);
    }
    viewed_shows(s, ":history raw:54c5<Enter>G", "451/451");
    viewed_shows(s, ":history raw:54c5<Enter>Gk", "The migration held a lock");
    viewed_shows(s, ":history raw:54c5<Enter>:200<Enter>", "200/4");
}

static void test_hostile_text_is_safe(void **state)
{
    struct viewed *s = *state;
    char keys[300];
    script_put_hostile(s->fixture.store, 9);
    fixture_put(
        &s->fixture,
        "{\"ref\":\"belief:evil\\nid\",\"agent_id\":\"x\\u001b[31m\",\"text\":\"\\u001b]52;c;x"
        "\\u0007 a\\nb\\r\\tc \\u202ed \\u0301\",\"created_at\":1794990000000}",
        NULL);
    operate(s, OPERATION_EDIT, "belief:evil\nid",
            "\x1b[2Jtwo \xe2\x80\xaethree\nfour\r\tfive \xcc\x81 \xe3\x81\x82\xcc\x81",
            "why\x1b[H\n");
    operate(s, OPERATION_REPLACE, "belief:evil\nid", "\x1b[31mmore\xe2\x80\xae", "\x1b[H");
    snprintf(keys, sizeof(keys),
             "1jjjjI<size:1x1><size:80x24>jj<Enter>jj<size:30x9>q<Tab>jjk<Enter>qq<size:3x2><size:"
             "200x50>jG<Tab><Tab>jj<Enter>");
    for (int down = 0; down < 6; down++) {
        char all[400];
        snprintf(all, sizeof(all), "1%.*s%s", down, "jjjjjjjj", keys + 5);
        script_run(&s->script, all);
        for (const char *at = s->script.frames.buf; *at; at++)
            assert_true((unsigned char)*at >= ' ' || *at == '\n');
        assert_null(strstr(s->script.frames.buf, "\xe2\x80\xae"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames_match, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_a_change_opens_its_state, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_a_change_is_undone_once, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_an_undone_addition_has_a_history, set_up,
                                        viewed_close),
        cmocka_unit_test_setup_teardown(test_a_long_chain_of_versions, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_many_changes_are_read_by_page, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_hostile_text_is_safe, set_up, viewed_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
