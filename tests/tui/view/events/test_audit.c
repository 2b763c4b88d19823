/*
 * The audit: what was done and asked, filtered by its columns, with what each event changed, and taken
 * back from there. Golden frames of a fixed story, and what moves.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/history/history.h"
#include "store/ops/operation.h"
#include "tui/explorer/app.h"
#include "tui/view/events/audit_filter.h"
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
        fail_msg("%s: %s %s", op_spec(op)->name, e.what, e.todo);
    arena_release(&arena);
}

static void on(struct state *s, enum operation op, const int64_t *nodes, size_t count,
               const char *reason)
{
    struct request q = REQUEST_INIT;
    q.nodes = nodes;
    q.node_count = count;
    q.reason = reason;
    q.mark = op == OPERATION_MARK ? "for_review" : NULL;
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

/* An agent writes and asks; a person mends, undoes and forgets. */
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
    on(s, OPERATION_MARK, (const int64_t[]){s->raw, s->belief, s->note}, 3, "after the incident");
    operate(s, OPERATION_UNDO, &nothing);
    on(s, OPERATION_FORGET, &s->note, 1, "it was told in confidence");
    later(60000);
}

static int set_up(void **state)
{
    struct state *s = xcalloc(1, sizeof(*s));
    made = 0;
    s->store = scratch_store_standing("audit.db", count_id);
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

static void test_frames(void **state)
{
    static const struct golden_view views[] = {
        {"audit", "@"},
        {"audit-undone", "@jjjjj"},
        {"audit-edit", ":audit operation:edit<Enter>"},
        {"audit-added", ":audit actor:ash operation:import<Enter>G"},
        {"audit-call", ":audit only:refusals<Enter>"},
        {"audit-filter", "@\\op"},
        {"audit-same", "@jj="},
        {"audit-undo", ":audit operation:edit<Enter>u"},
    };
    struct state *s = *state;
    golden_check_views(&s->script, views, sizeof(views) / sizeof(views[0]));
}

/* ---- filters ---- */

static void check_count(struct state *s, const char *filter, const char *count)
{
    char keys[400];
    snprintf(keys, sizeof(keys), "@\\%s<Enter>", filter);
    const char *frame = script_run(&s->script, keys);
    if (!strstr(frame, count))
        fail_msg("%s does not leave %s:\n%s", filter, count, frame);
}

static void test_filters(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    check_count(s, "", " 14 events");
    check_count(s, "actor:ash", " 5 events"); /* what it asked as well */
    check_count(s, "actor:ash only:changes", " 3 events");
    check_count(s, "only:reads", " 1 event ");
    check_count(s, "only:refusals", " 1 event ");
    check_count(s, "actor:sean", " 9 events");
    check_count(s, "operation:undo", " 3 events");
    check_count(s, "operation:memory_search", " 1 event ");
    check_count(s, "kind:note", " 5 events");
    check_count(s, "memory:raw:54c5 operation:mark", " 1 event ");
    check_count(s, "ref:belief:7d10e6a2", " 5 events");
    check_count(s, "session:1", " 5 events");
    check_count(s, "since:65s", " 11 events");
    check_count(s, "until:65s", " 4 events");
    check_count(s, "since:3000-01-01", " 0 events");
    check_count(s, "outage", " 1 event ");
    check_count(s, "actor:\"sean\" secret", " 3 events");
    check_count(s, "actor:nobody", " 0 events");
}

static void test_wrong_filters(void **state)
{
    struct state *s = *state;
    static const char *const wrong[][2] = {
        {"kind:nothing", "there is no such kind: \"nothing\""},
        {"since:whenever", "give a date, yesterday"},
        {"memory:belief:ffff", "there is no such memory"},
        {"session:99", "there is no such session"},
        {"only:some", "only changes, reads, refusals or cancellations"},
    };
    s->script.columns = 120;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char keys[200];
        snprintf(keys, sizeof(keys), "@\\%s<Enter>", wrong[i][0]);
        const char *frame = script_run(&s->script, keys);
        assert_non_null(strstr(frame, wrong[i][1]));
        assert_non_null(strstr(frame, " 14 events")); /* as it was */
    }
}

/* What is offered can be taken, and goes on. */
static void test_completion(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    assert_non_null(strstr(script_run(&s->script, "@\\op<Tab>"), "\\operation:"));
    assert_non_null(strstr(script_run(&s->script, "@\\op<Tab>rei<Tab>"), "\\operation:reinforce"));
    assert_non_null(strstr(script_run(&s->script, "@\\op<Tab>rei<Tab><Enter>"), " 1 event "));
    assert_non_null(strstr(script_run(&s->script, "@\\actor:<Down><Enter>"), "\\actor:ash"));
    /* A column without its value hides nothing yet. */
    assert_non_null(strstr(script_run(&s->script, "@\\actor:as"), " 14 events"));
    assert_non_null(strstr(script_run(&s->script, "@\\actor:ash<Enter><Esc>"), " 14 events"));
}

/* Whoever did something, and who only asked; whose memories there are is another question. */
static void test_actors(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    struct session *asks = agents_join(s->log, "codex", "gamma");
    agents_ask(asks, "memory_search", 0, scratch_clock, ERROR_NONE);
    agents_write(s->store, s->claude, "ash",
                 "{\"ref\":\"note:of-another\",\"text\":\"x\",\"agent_id\":\"willow\"}");
    agents_flush(s->store, s->log);
    s->script.person = "ann"; /* another one than did most of it */
    script_run(&s->script, "@\\<C-g><shot:open>actor:<shot:offered>");
    char *offered = script_shot(&s->script, "offered");
    static const char *const names[] = {"actor:ann ", "actor:ash ", "actor:gamma ", "actor:sean "};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strstr(offered, names[i]))
            fail_msg("%s is not in %s", names[i], offered);
    assert_null(strstr(offered, "actor:willow"));
    free(offered);
    assert_non_null(strstr(script_run(&s->script, "@\\actor:g<Tab>"), "\\actor:gamma"));
    assert_non_null(strstr(script_run(&s->script, "9\\actor:g<Tab><Enter>"), " 1 event "));
}

/* A name as long as a client may have is offered, and found. */
static void test_long_actor(void **state)
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

/* Those that ended are what one looks up; who lives comes first. */
static void test_sessions_offered(void **state)
{
    struct state *s = *state;
    char typed[40], whole[40];
    s->script.columns = 120;
    session_end(agents_join(s->log, "codex", "claire"), ENDED_BY_CLIENT);
    agents_flush(s->store, s->log);
    session_end(agents_join(s->log, "cursor", "claire"), ENDED_BY_CLIENT);
    agents_flush(s->store, s->log);
    static const char *const keys[] = {"9\\<C-g><shot:x>session:<shot:offered>",
                                       "@\\<C-g><shot:x>session:<shot:offered>"};
    for (size_t i = 0; i < 2; i++) {
        script_run(&s->script, keys[i]);
        char *offered = script_shot(&s->script, "offered");
        const char *live = strstr(offered, "session:1 "), *newer = strstr(offered, "session:3 "),
                   *older = strstr(offered, "session:2 ");
        if (!live || !newer || !older || live > newer || newer > older)
            fail_msg("%s: %s", keys[i], offered);
        assert_non_null(strstr(live, "claude-code 2.1, live"));
        assert_non_null(strstr(newer, "cursor 2.1, ended"));
        free(offered);
    }
    assert_non_null(strstr(script_run(&s->script, "@\\session:2<Tab>"), "\\session:2"));
    snprintf(typed, sizeof(typed), "@\\session:%.6s<Tab>", session_uuid(s->claude));
    snprintf(whole, sizeof(whole), "\\session:%.8s", session_uuid(s->claude));
    assert_non_null(strstr(script_run(&s->script, typed), whole));
}

static void test_same(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    const char *frame = script_run(&s->script, ":audit operation:mark<Enter>=c");
    assert_non_null(strstr(frame, "operation:mark correlation:"));
    assert_non_null(strstr(frame, " 3 events"));
    assert_non_null(strstr(script_run(&s->script, "@=m"), " 5 events"));
    /* From the live view it leads to the audit. */
    frame = script_run(&s->script, "9=a");
    assert_non_null(strstr(frame, "audit › actor:sean"));
}

static void read_line(struct script *s, struct happening_filter *f, const char *line, bool good)
{
    struct app *x = xcalloc(1, sizeof(*x));
    struct error e;
    char why[160];
    x->data.store = s->store;
    x->data.reader = reader_open(s->store, &e);
    assert_int_equal(audit_filter_read(x, line, f, why, sizeof(why)), good);
    reader_close(x->data.reader);
    free(x);
}

/* The line as it is typed: quotes, words, what is given twice. */
static void test_line(void **state)
{
    struct state *s = *state;
    struct happening_filter f;
    struct strbuf line = STRBUF_INIT;
    char long_line[2000];
    read_line(&s->script, &f, "  actor:\"a b \\\"c\\\"\"  two words  http://x ", true);
    assert_string_equal(f.actor, "a b \"c\"");
    assert_string_equal(f.pattern, "two words http://x");
    read_line(&s->script, &f, "actor:one actor:two \"actor:three\" operation:", true);
    assert_string_equal(f.actor, "two");
    assert_string_equal(f.pattern, "actor:three");
    assert_string_equal(f.operation, "");
    read_line(&s->script, &f, "actor:\"never ends", true);
    assert_string_equal(f.actor, "never ends");
    memset(long_line, 'x', sizeof(long_line) - 1);
    long_line[sizeof(long_line) - 1] = '\0';
    read_line(&s->script, &f, long_line, false);
    audit_filter_put(&line, "actor:ash words \"in quotes\"", "actor", "b\\ \"c");
    assert_string_equal(line.buf, "words \"in quotes\" actor:\"b\\\\ \\\"c\"");
    read_line(&s->script, &f, line.buf, true);
    assert_string_equal(f.actor, "b\\ \"c");
    strbuf_release(&line);
}

/* ---- what moves ---- */

static void cursor_line(const char *frame, char *line, size_t size)
{
    const char *at = strstr(frame, "\n > ");
    if (!at)
        fail_msg("there is no cursor in: %s", frame);
    snprintf(line, size, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
}

static void write_more(struct state *s, int count)
{
    char line[200];
    for (int i = 0; i < count; i++) {
        snprintf(line, sizeof(line), "{\"ref\":\"note:more-%d\",\"text\":\"landed %d\"}", i, i);
        agents_write(s->store, s->claude, i % 2 ? "ash" : "claire", line);
    }
}

static void at_shot(struct script *script, const char *name)
{
    if (!strcmp(name, "five"))
        write_more((struct state *)script, 5);
    if (!strcmp(name, "many"))
        write_more((struct state *)script, 900);
}

/* News lands above, and the cursor stays on its event; where a filter is, only what passes it. */
static void test_news(void **state)
{
    struct state *s = *state;
    char before_line[600], after_line[600];
    s->script.columns = 120;
    s->script.at_shot = at_shot;
    script_run(&s->script, "@jj<shot:five><C-g><shot:after>");
    char *before = script_shot(&s->script, "five"), *after = script_shot(&s->script, "after");
    cursor_line(before, before_line, sizeof(before_line));
    cursor_line(after, after_line, sizeof(after_line));
    assert_string_equal(before_line, after_line);
    assert_non_null(strstr(after, " 5 new ↑ · 19 events"));
    free(before);
    free(after);
}

static void test_news_through_a_filter(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    s->script.at_shot = at_shot;
    script_run(&s->script, ":audit actor:claire<Enter><shot:five><C-g><shot:after>");
    char *after = script_shot(&s->script, "after");
    assert_non_null(strstr(after, " 3 events"));
    free(after);
}

/* Pages are read as far as it goes back, and those that a filter leaves are found among many. */
static void test_pages(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    s->script.at_shot = NULL;
    write_more(s, 900);
    assert_non_null(strstr(script_run(&s->script, "@G"), "914/914"));
    assert_non_null(strstr(script_run(&s->script, ":audit actor:claire<Enter>G"), "450/450"));
    assert_non_null(strstr(script_run(&s->script, ":audit operation:edit<Enter>"), " 1 event "));
    assert_non_null(strstr(script_run(&s->script, "@/held a lock<Enter>"), "raw:54c5507f"));
}

/* ---- taking back ---- */

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
    /* An agent's, after it was shown what that does. */
    script_run(&s->script, ":audit actor:ash memory:belief:7d10<Enter>");
    const char *frame = script_run(&s->script, ":audit operation:edit<Enter>u");
    assert_non_null(strstr(frame, "undo event 4, by sean"));
    assert_true(undone(s, 4) == 0);
    script_run(&s->script, ":audit operation:edit<Enter>u<Esc>");
    assert_true(undone(s, 4) == 0);
    frame = script_run(&s->script, ":audit operation:edit<Enter>uy<C-g><shot:x>");
    assert_true(undone(s, 4) > 0);
    assert_non_null(strstr(frame, "undone ·"));
    frame = script_run(&s->script, ":audit operation:edit<Enter>u");
    assert_non_null(strstr(frame, "it was taken back already"));
    frame = script_run(&s->script, ":audit operation:redo<Enter>");
    assert_non_null(strstr(frame, " 0 events"));
}

/* What was done together is taken back together, and that is said. */
static void test_undo_batch(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    s->script.at_shot = NULL;
    on(s, OPERATION_VERIFY, (const int64_t[]){s->raw, s->belief}, 2, NULL);
    const char *frame = script_run(&s->script, ":audit operation:verify<Enter>u");
    assert_non_null(strstr(frame, "undo 2 changes made together"));
    script_run(&s->script, ":audit operation:verify<Enter>uy<C-g><shot:x>");
    frame = script_run(&s->script, ":audit operation:verify<Enter>");
    assert_non_null(strstr(frame, "undone ·"));
    assert_non_null(strstr(strstr(frame, "undone ·") + 1, "undone ·"));
}

/* A purge cannot be undone, and what it erased is shown nowhere. */
static void test_purged(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    s->script.rows = 36;
    s->script.at_shot = NULL;
    assert_non_null(
        strstr(script_run(&s->script, ":audit memory:note:99c6 only:changes<Enter>G"), "A secret"));
    on(s, OPERATION_PURGE, &s->note, 1, NULL);
    assert_null(
        strstr(script_run(&s->script, ":audit memory:note:99c6 only:changes<Enter>G"), "secret"));
    assert_null(strstr(script_run(&s->script, ":audit memory:note:99c6<Enter>"), "secret"));
    assert_null(strstr(script_run(&s->script, ":history note:99c6<Enter>G<Enter>"), "secret"));
    const char *frame = script_run(&s->script, ":audit operation:purge<Enter>uy<C-g><shot:x>");
    assert_null(strstr(frame, "undone ·"));
    frame = script_run(&s->script, ":audit operation:purge<Enter>");
    assert_non_null(strstr(frame, " 1 event "));
}

static void test_copies(void **state)
{
    struct state *s = *state;
    s->script.columns = 120;
    assert_non_null(strstr(script_run(&s->script, "@yj"), "copied the event ("));
    assert_non_null(strstr(script_run(&s->script, "@yJ"), "copied 14 lines of JSON ("));
    assert_non_null(
        strstr(script_run(&s->script, ":audit only:reads<Enter>yj"), "copied the event ("));
    assert_non_null(strstr(script_run(&s->script, "@jjjjyi"), "copied the ref ("));
}

/* ---- whatever it holds ---- */

static void test_hostile(void **state)
{
    struct state *s = *state;
    static const char keys[] = "<size:1x1><size:80x24><size:20x5><size:3x2><size:200x50>jjjj"
                               "<Tab>jjj<Esc>=<Esc>uy<Esc>\\actor:<Tab><Tab><Enter>G<size:1x1>k";
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
        cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_filters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_filters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_completion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_actors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_actor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sessions_offered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_news, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_news_through_a_filter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_undo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_undo_batch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_purged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_copies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
