/*
 * The audit view: filter by columns, the changes of each event, and undo. Golden frames of a fixed story, and
 * changing lists.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/history/history.h"
#include "store/open.h"
#include "store/ops/operation.h"
#include "tui/explorer/app.h"
#include "tests/support/agents.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"

static int made;

static void count_id(char out[37])
{
    snprintf(out, 37, "%08x-1111-4111-8111-1111%08x", 0xa0000000u + (unsigned)made, (unsigned)made);
    made++;
}

struct state {
    struct script script;
    struct store *store;
    struct call_log *log;
    struct session *claude;
    int64_t raw, belief, note;
};

static void later(int64_t ms)
{
    scratch_clock += ms;
}

static void operate(struct state *s, enum operation op, const struct request *q)
{
    struct actor sean = {.class = ACTOR_PERSON, .name = "sean", .origin = "command"};
    struct arena arena = ARENA_INIT;
    struct plan plan;
    struct error e = {0};
    later(1000);
    if (operation_run_now(s->store, &sean, op, q, &arena, &plan, &e))
        fail_msg("%s: %s %s", op_spec(op)->name, e.what, e.hint);
    arena_release(&arena);
}

static void on(struct state *s, enum operation op, const int64_t *nodes, size_t count,
               const char *reason)
{
    struct request q = REQUEST_INIT;
    q.nodes = nodes;
    q.node_count = count;
    q.reason = reason;
    q.flag = op == OPERATION_FLAG ? "for_review" : NULL;
    operate(s, op, &q);
}

static void edit(struct state *s, int64_t node, const char *text, const char *reason)
{
    struct request q = REQUEST_INIT;
    q.nodes = &node;
    q.node_count = 1;
    q.text = text;
    q.text_len = strlen(text);
    q.reason = reason;
    operate(s, OPERATION_EDIT, &q);
}

/* An agent writes and reads; a person fixes, undoes and forgets. */
static void play(struct state *s)
{
    struct request nothing = REQUEST_INIT;
    s->claude = agents_join(s->log, "claude-code", "ash");
    s->raw = agents_write(s->store, s->claude, "ash",
                          "{\"ref\":\"raw:54c5507f-0000-4000-8000-000000000001\",\"text\":\"The "
                          "migration held a lock while old workers still wrote\"}");
    later(2000);
    s->belief = agents_write(
        s->store, s->claude, "ash",
        "{\"ref\":\"belief:7d10e6a2-0000-4000-8000-000000000002\",\"confidence\":0.7,\"text\":"
        "\"Never "
        "skip staging before a deploy. It cost 40 minutes of downtime, and the rollback failed "
        "because "
        "the migration had already run.\",\"derived_from\":[\"raw:54c5507f-0000-4000-8000-"
        "000000000001\"]}");
    s->note =
        agents_write(s->store, s->claude, "ash",
                     "{\"ref\":\"note:99c64f62-0000-4000-8000-000000000003\",\"text\":\"A secret "
                     "that must go\"}");
    later(3000);
    agents_ask(s->claude, "memory_search", 0, scratch_clock, ERROR_NONE);
    agents_ask(s->claude, "memory_purge", s->note, scratch_clock + 20, ERROR_REFUSED);
    agents_flush(s->store, s->log);
    edit(s, s->belief,
         "Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback "
         "failed "
         "because the migration had already run.",
         "measured");
    on(s, OPERATION_REINFORCE, &s->belief, 1, "outage");
    on(s, OPERATION_FLAG, (const int64_t[]){s->raw, s->belief, s->note}, 3, "after the incident");
    operate(s, OPERATION_UNDO, &nothing);
    on(s, OPERATION_FORGET, &s->note, 1, "it was told in confidence");
    later(60000);
}

static int set_up(void **state)
{
    struct state *s = xcalloc(1, sizeof(*s));
    made = 0;
    s->store = scratch_store_with_clock("audit.db", count_id);
    s->log = agents_open(s->store);
    play(s);
    script_open(&s->script, s->store);
    s->script.person = "sean";
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    call_log_close(s->log);
    store_close(s->store);
    script_close(&s->script);
    free(s);
    return 0;
}

/* ---- filters ---- */

/* A name of maximal length is suggested and found. */
static void test_a_long_actor_is_found(void **state)
{
    struct state *s = *state;
    char name[3 * 200 + 1] = "";
    for (int i = 0; i < 200; i++)
        memcpy(name + 3 * i, "\xe7\x8c\xab", 4);
    s->script.columns = 120;
    struct session *cat = agents_join(s->log, name, name);
    agents_write(s->store, cat, name, "{\"ref\":\"note:cat\",\"text\":\"meow\"}");
    agents_flush(s->store, s->log);
    const char *frame = script_run(&s->script, "@\\actor:\xe7\x8c\xab<Tab><Enter>");
    if (!strstr(frame, " 1 event\n") || !strstr(frame, "meow"))
        fail_msg("it is not found: %s", frame);
}

/* ---- undo ---- */

static int64_t undone(struct state *s, int64_t seq)
{
    struct error e;
    struct reader *r = reader_open(s->store, &e);
    int64_t by = history_undone_by(r, seq, &e);
    reader_close(r);
    return by;
}

static void test_undo(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    s->script.at_shot = NULL;
    /* An agent's event, after its plan was shown. */
    script_run(&s->script, ":audit actor:ash memory:belief:7d10<Enter>");
    const char *frame = script_run(&s->script, ":audit operation:edit<Enter>u");
    assert_non_null(strstr(frame, "undo event 4, by sean"));
    assert_true(undone(s, 4) == 0);
    script_run(&s->script, ":audit operation:edit<Enter>u<Esc>");
    assert_true(undone(s, 4) == 0);
    frame = script_run(&s->script, ":audit operation:edit<Enter>u<Enter><C-g><shot:x>");
    assert_true(undone(s, 4) > 0);
    assert_non_null(strstr(frame, "undone ·"));
    frame = script_run(&s->script, ":audit operation:edit<Enter>u");
    assert_non_null(strstr(frame, "it is already undone"));
    frame = script_run(&s->script, ":audit operation:redo<Enter>");
    assert_non_null(strstr(frame, " 0 events"));
}

/* ---- hostile text ---- */

static void test_hostile_text_is_safe(void **state)
{
    struct state *s = *state;
    static const char keys[] =
        "<size:1x1><size:80x24><size:20x5><size:3x2><size:200x50>jjjj"
        "<Tab>jjj<Esc>=<Esc>u<Enter><Esc>\\actor:<Tab><Tab><Enter>G<size:1x1>k";
    s->script.at_shot = NULL;
    script_put_hostile(s->store, 5);
    script_put_wide(s->store);
    struct session *evil = agents_join(s->log, "cl\x1b[31mient\xff\n", "a\xe2\x80\xae\"b\\ c\x07");
    agents_write(s->store, evil, "a\xe2\x80\xae\"b\\ c",
                 "{\"ref\":\"belief:evil\\nid\",\"text\":\"\\u001b]52;c;x\\u0007 and\\nmore\"}");
    int64_t row = agents_write(s->store, evil, "x", "{\"ref\":\"note:evil\",\"text\":\"one\"}");
    edit(s, row, "\x1b[2Jtwo \xe2\x80\xaethree\nfour\r\tfive \xcc\x81", "why\x1b[H\n\xe2\x80\xae");
    char all[300];
    snprintf(all, sizeof(all), "@%s", keys);
    script_run(&s->script, all);
    for (const char *at = s->script.frames.buf; *at; at++)
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    assert_null(strstr(s->script.frames.buf, "\xe2\x80\xae"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_long_actor_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_undo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_text_is_safe, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
