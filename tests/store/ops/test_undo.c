/*
 * Undo and redo: what comes back, in which order, what is refused and by which words; that a store
 * bears an addition that was taken back; and what a history tells.
 */
#include "tests/support/scratch.h"

#include "model/format/exchange.h"
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/json/answer.h"
#include "store/db/db.h"
#include "store/lineage/subgraph.h"
#include "store/history/history.h"
#include "tests/support/agents.h"
#include "tests/support/findings.h"
#include "tests/support/operated.h"

static const struct actor agent = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0};
static const struct actor ann = {ACTOR_PERSON, "ann", NULL, "command", NULL, 0};
static const struct actor bob = {ACTOR_PERSON, "bob", NULL, "command", NULL, 0};

static int setup(void **state)
{
    (void)state;
    operated_open("undone.db");
    operated_put("{\"ref\":\"raw:one\",\"text\":\"as it came\",\"agent_id\":\"ash\"}");
    operated_put("{\"ref\":\"episode:met\",\"text\":\"met Claire\",\"agent_id\":\"ash\"}");
    operated_put("{\"ref\":\"belief:b\",\"text\":\"holds\",\"agent_id\":\"ash\",\"confidence\":0.7,"
                 "\"derived_from\":[\"raw:one\"],\"tags\":[\"t\"],"
                 "\"detail\":{\"belief_type\":\"rule\"}}");
    operated_put("{\"ref\":\"belief:on\",\"text\":\"rests\",\"agent_id\":\"ash\","
                 "\"derived_from\":[\"belief:b\"]}");
    return 0;
}

static void expect_sound(void)
{
    struct findings found = {.total = 0};
    struct fsck_summary summary;
    struct error e;
    assert_int_equal(store_fsck(operated.reader, findings_note, NULL, &found, &summary, &e), 0);
    assert_string_equal(found.text, "");
}

static int teardown(void **state)
{
    expect_sound();
    return operated_close(state);
}

static const struct request none = REQUEST_INIT;

static void undo(const struct actor *actor)
{
    operated_must(actor, OPERATION_UNDO, &none);
}

static void redo(const struct actor *actor)
{
    operated_must(actor, OPERATION_REDO, &none);
}

static void refused(const struct actor *actor, enum operation op, const struct request *q,
                    enum error_code code, const char *words)
{
    struct error e;
    int64_t before = journal_last(operated.reader, &e);
    assert_int_equal(operated_try(actor, op, q, &e), -1);
    assert_int_equal(e.code, code);
    if (!strstr(e.what, words))
        fail_msg("“%s” does not say “%s”", e.what, words);
    assert_int_equal(journal_last(operated.reader, &e), before);
}

static void undo_event(const struct actor *actor, int64_t seq)
{
    struct request q = REQUEST_INIT;
    q.seqs = &seq;
    q.seq_count = 1;
    operated_must(actor, OPERATION_UNDO, &q);
}

/* Its exchange line with version and updated_at set aside. */
static const char *plain(struct memory m)
{
    struct strbuf line = STRBUF_INIT;
    if (m.status == STATUS_MISSING)
        return "missing";
    m.version = 1;
    m.updated_at = 0;
    exchange_write(&line, &m, NULL);
    const char *kept = arena_strdup(&operated.arena, line.buf);
    strbuf_release(&line);
    return kept;
}

static void edit_text(const struct actor *actor, const char *ref, const char *text)
{
    struct request q = ABOUT(ref);
    q.text = text;
    q.text_len = strlen(text);
    operated_must(actor, OPERATION_EDIT, &q);
}

/* ---- as in an editor ---- */

static void undo_walks_back_and_redo_forward(void **state)
{
    (void)state;
    edit_text(&ann, "belief:b", "first");
    edit_text(&ann, "belief:b", "second");
    edit_text(&ann, "belief:b", "third");
    undo(&ann);
    assert_string_equal(operated_read("belief:b").text, "second");
    undo(&ann);
    assert_string_equal(operated_read("belief:b").text, "first");
    redo(&ann);
    assert_string_equal(operated_read("belief:b").text, "second");
    redo(&ann);
    assert_string_equal(operated_read("belief:b").text, "third");
    refused(&ann, OPERATION_REDO, &none, ERROR_NOT_FOUND, "nothing to redo");
    for (int i = 0; i < 3; i++)
        undo(&ann);
    assert_string_equal(operated_read("belief:b").text, "holds");
    refused(&ann, OPERATION_UNDO, &none, ERROR_NOT_FOUND, "nothing to undo for ann");
    assert_int_equal(operated_read("belief:b").version, 11); /* each change is one more */
}

static void a_new_edit_ends_redo(void **state)
{
    (void)state;
    edit_text(&ann, "belief:b", "first");
    undo(&ann);
    edit_text(&ann, "belief:on", "other");
    refused(&ann, OPERATION_REDO, &none, ERROR_NOT_FOUND, "nothing to redo");
    undo(&ann);
    assert_string_equal(operated_read("belief:on").text, "rests");
    /* What was undone before it is behind: undo goes on with what stands. */
    refused(&ann, OPERATION_UNDO, &none, ERROR_NOT_FOUND, "nothing to undo");
    redo(&ann);
    assert_string_equal(operated_read("belief:on").text, "other");
}

static void each_undoes_their_own(void **state)
{
    (void)state;
    edit_text(&ann, "belief:b", "by ann");
    edit_text(&bob, "belief:on", "by bob");
    struct request q = ABOUT("belief:on");
    operated_must(&agent, OPERATION_REINFORCE, &q);
    undo(&ann);
    assert_string_equal(operated_read("belief:b").text, "holds");
    assert_string_equal(operated_read("belief:on").text, "by bob");
    undo(&bob);
    assert_string_equal(operated_read("belief:on").text, "rests");
    refused(&bob, OPERATION_UNDO, &none, ERROR_NOT_FOUND, "nothing to undo for bob");
    refused(&agent, OPERATION_UNDO, &none, ERROR_REFUSED, "person");
    refused(&agent, OPERATION_REDO, &none, ERROR_REFUSED, "person");
}

/* ---- several at once ---- */

static void a_batch_is_undone_as_one(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b", "belief:on", "episode:met");
    operated_must(&ann, OPERATION_PROTECT, &q);
    int64_t seq = operated_last();
    undo(&ann);
    assert_int_equal(operated.done.count, 3);
    assert_int_equal(operated.done.change[0].undoes, seq); /* in reverse */
    assert_int_equal(operated.done.change[2].undoes, seq - 2);
    assert_false(operated_read("belief:b").is_protected);
    assert_false(operated_read("belief:on").is_protected);
    redo(&ann);
    assert_true(operated_read("episode:met").is_protected);
    undo_event(&ann, seq - 1); /* the one in the middle takes the others with it */
    assert_false(operated_read("belief:b").is_protected);
    assert_false(operated_read("episode:met").is_protected);
}

static void all_or_none(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b", "belief:on");
    q.mark = "rating";
    q.value = "good";
    operated_must(&ann, OPERATION_RETRACT, &q);
    int64_t seq = operated_last();
    struct request one = ABOUT("belief:on");
    operated_must(&bob, OPERATION_RESTORE, &one);
    edit_text(&bob, "belief:on", "else");
    operated_must(&bob, OPERATION_FORGET, &one);
    struct request by = REQUEST_INIT;
    by.seqs = &seq;
    by.seq_count = 1;
    refused(&ann, OPERATION_UNDO, &by, ERROR_CONFLICT, "belief:on: status");
    assert_int_equal(operated_read("belief:b").status, STATUS_RETRACTED);
}

/* ---- an addition ---- */

static int64_t count_of(const char *sql)
{
    struct error e;
    int64_t count;
    assert_int_equal(db_int(reader_db(operated.reader), &count, -1, &e, sql, ""), 0);
    return count;
}

static void an_addition_leaves_a_stub(void **state)
{
    (void)state;
    struct error e;
    const char *before = plain(operated_read("belief:b"));
    int64_t node = operated_row("belief:b"), version = operated_read("belief:b").version;
    undo_event(&ann, 3);
    assert_int_equal(operated.done.fall_count, 1); /* what rests on it */
    assert_string_equal(operated.done.falls[0].ref.id, "on");
    struct memory stub = operated_read("belief:b");
    assert_int_equal(stub.status, STATUS_MISSING);
    assert_int_equal(stub.event, operated_last());
    assert_null(stub.text);
    static const char *const gone[] = {
        "SELECT count(*) FROM link WHERE memory = 3", "SELECT count(*) FROM use WHERE memory = 3",
        "SELECT count(*) FROM history WHERE memory = 3",
        "SELECT count(*) FROM memory_fts WHERE memory_fts MATCH 'hol'",
        "SELECT count(*) FROM memory WHERE id = 3 AND (text IS NOT NULL OR agent IS NOT NULL)"};
    assert_int_equal(node, 3);
    for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++)
        assert_int_equal(count_of(gone[i]), 0);
    struct row_label label;
    int64_t on = operated_row("belief:on");
    assert_int_equal(labels_of_rows(operated.reader, &on, 1, &label, &e), 0);
    assert_int_equal(label.label, LABEL_UNGROUNDED);
    expect_sound();
    assert_int_equal(answer_read(operated.reader, &operated.arena, node, &stub, &e), -1);
    assert_non_null(strstr(e.what, "belief:b was taken back"));
    struct request q = ABOUT("belief:b");
    refused(&ann, OPERATION_VERIFY, &q, ERROR_NOT_FOUND, "belief:b was taken back");
    redo(&ann);
    assert_string_equal(plain(operated_read("belief:b")), before);
    assert_int_equal(operated_read("belief:b").version, version + 1);
    assert_int_equal(operated_row("belief:b"), node);
    assert_int_equal(count_of("SELECT count(*) FROM memory_fts WHERE memory_fts MATCH 'hol'"), 1);
}

static void an_addition_that_was_changed_since_stays(void **state)
{
    (void)state;
    int64_t seq = 3;
    struct request q = REQUEST_INIT, b = ABOUT("belief:b");
    q.seqs = &seq;
    q.seq_count = 1;
    operated_must(&agent, OPERATION_REINFORCE, &b);
    refused(&ann, OPERATION_UNDO, &q, ERROR_CONFLICT, "belief:b was changed since it was added");
    undo_event(&ann, operated_last());
    undo_event(&ann, seq); /* as it was again, if in another version */
    assert_int_equal(operated_read("belief:b").status, STATUS_MISSING);
    /* It may be written anew; then there is nothing to bring again. */
    operated_put("{\"ref\":\"belief:b\",\"text\":\"another\",\"agent_id\":\"ash\"}");
    refused(&ann, OPERATION_REDO, &none, ERROR_CONFLICT, "belief:b was added again since then");
}

/* ---- what was decided about a session ---- */

static int64_t only_session(void)
{
    return count_of("SELECT id FROM session");
}

static void undo_stops_at_a_decision_about_a_session(void **state)
{
    struct error e;
    char words[64];
    (void)state;
    struct call_log *log = agents_open(operated.store);
    agents_ask(agents_join(log, "claude-code", "ash"), "memory_get", 0, SCRATCH_NOW, ERROR_NONE);
    agents_flush(operated.store, log);
    int64_t session = only_session();
    edit_text(&ann, "belief:b", "first");
    int64_t edit = operated_last();
    assert_int_equal(store_session_read_only(operated.store, &ann, session, true, &e), 0);
    refused(&ann, OPERATION_UNDO, &none, ERROR_REFUSED, "read-only, which cannot be undone");
    assert_int_equal(operated_try(&ann, OPERATION_UNDO, &none, &e), -1);
    snprintf(words, sizeof(words), "Let it write again; stemma undo %lld takes", (long long)edit);
    assert_non_null(strstr(e.todo, words));
    assert_int_equal(store_session_end(operated.store, &ann, session, &e), 0);
    snprintf(words, sizeof(words), "event %lld ended session %lld, which",
             (long long)operated_last(), (long long)session);
    refused(&ann, OPERATION_UNDO, &none, ERROR_REFUSED, words);
    /* What came after it is undone as ever, and what others did is theirs. */
    edit_text(&ann, "belief:b", "second");
    edit_text(&bob, "belief:on", "bob's");
    undo(&ann);
    assert_string_equal(operated_read("belief:b").text, "first");
    refused(&ann, OPERATION_UNDO, &none, ERROR_REFUSED, words);
    redo(&ann);
    assert_string_equal(operated_read("belief:b").text, "second");
    undo(&bob);
    assert_string_equal(operated_read("belief:on").text, "rests");
    undo(&ann);
    undo_event(&ann, edit);
    assert_string_equal(operated_read("belief:b").text, "holds");
    refused(&ann, OPERATION_UNDO, &none, ERROR_REFUSED, words);
    call_log_close(log);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(undo_walks_back_and_redo_forward),
        TEST(a_new_edit_ends_redo),
        TEST(each_undoes_their_own),
        TEST(a_batch_is_undone_as_one),
        TEST(all_or_none),
        TEST(an_addition_leaves_a_stub),
        TEST(an_addition_that_was_changed_since_stays),
        TEST(undo_stops_at_a_decision_about_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
