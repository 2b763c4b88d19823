/* Undo stops at a decision about a session. What undo and redo restore and refuse is in tests/cli/harm.t. */
#include "tests/support/scratch.h"

#include "store/db/db.h"
#include "tests/support/agents.h"
#include "tests/support/findings.h"
#include "tests/support/operated.h"
#include "tests/support/test.h"

static const struct actor ann = {ACTOR_PERSON, "ann", NULL, "command", NULL, 0, NULL};
static const struct actor bob = {ACTOR_PERSON, "bob", NULL, "command", NULL, 0, NULL};

static int setup(void **state)
{
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

static int teardown(void **state)
{
    expect_sound(operated.reader);
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

static void edit_text(const struct actor *actor, const char *ref, const char *text)
{
    struct request q = ABOUT(ref);
    q.text = text;
    q.text_len = strlen(text);
    operated_must(actor, OPERATION_EDIT, &q);
}

/* ---- an addition ---- */

static int64_t count_of(const char *sql)
{
    struct error e;
    int64_t count;
    assert_int_equal(db_int(reader_db(operated.reader), &count, -1, &e, sql, ""), 0);
    return count;
}

/* ---- what was decided about a session ---- */

static int64_t only_session(void)
{
    return count_of("SELECT id FROM session");
}

FIXTURE(setup, teardown);

TEST(undo_stops_at_a_decision_about_a_session)
{
    struct error e;
    char words[64];
    struct call_log *log = agents_open(operated.store);
    agents_ask(agents_join(log, "claude-code", "ash"), "memory_get", 0, SCRATCH_NOW, ERROR_NONE);
    agents_flush(operated.store, log);
    int64_t session = only_session();
    edit_text(&ann, "belief:b", "first");
    int64_t edit = operated_last();
    assert_int_equal(store_session_read_only(operated.store, &ann, session, true, &e), 0);
    refused(&ann, OPERATION_UNDO, &none, ERROR_REFUSED, "read-only, which cannot be undone");
    assert_int_equal(operated_try(&ann, OPERATION_UNDO, &none, &e), -1);
    snprintf(words, sizeof(words), "Let it write again; stemma undo %lld undoes", (long long)edit);
    assert_non_null(strstr(e.hint, words));
    assert_int_equal(store_session_end(operated.store, &ann, session, &e), 0);
    snprintf(words, sizeof(words), "event %lld ended session %lld, which",
             (long long)operated_last(), (long long)session);
    refused(&ann, OPERATION_UNDO, &none, ERROR_REFUSED, words);
    /* Later changes can be undone as usual, and each person undoes only their own. */
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
