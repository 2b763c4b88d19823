/* Chains of thought over the life of a store: sessions that end, a killed process, a store of an
 * older version, altered rows, exports and purges. */
#include "model/base/alloc.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/reasoned.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/record/index_tables.h"
#include "store/ops/operation.h"
#include "store/history/past.h"
#include "store/txn/checkpoint.h"
#include "store/db/schema.h"
#include "store/guard/guard.h"
#include "store/open.h"
#include "store/session/session.h"
#include "tests/support/test.h"

static int64_t last_event(void)
{
    struct error e;
    return journal_last(reasoned.reader, &e);
}

static struct memory memory_of(int64_t node)
{
    struct error e;
    struct memory m;
    if (memory_read(reasoned.reader, &reasoned.arena, node, &m, &e))
        fail_msg("%s", e.what);
    return m;
}

/* ---- sessions ---- */

struct written {
    struct session *session;
    int64_t chain; /* 0 to begin a chain */
    struct step_given step;
};

/* Runs as a tool call in that session. */
static int write_in_session(struct txn *t, void *arg, struct error *e)
{
    struct written *w = arg;
    struct actor actor = reasoned_agent;
    struct chain_start start = {.question = "why?", .question_len = 4};
    struct added added;
    struct step_added step;
    if (session_admit(t, w->session, &actor.session, e))
        return -1;
    if (w->chain)
        return chain_add_step(t, &actor, w->chain, &w->step, &reasoned.arena, &step, e);
    if (chain_begin(t, &actor, &start, &reasoned.arena, &added, e))
        return -1;
    w->chain = added.node;
    return 0;
}

static void write_within(struct written *w)
{
    struct error e;
    if (store_run(reasoned.store, write_in_session, w, &e))
        fail_msg("%s %s", e.what, e.hint);
}

static struct session *begin_session(struct call_log *l)
{
    return session_begin(
        l,
        &(struct session_start){
            .client = "c", .actor = "ash", .transport = "socket", .peer_uid = -1, .peer_pid = -1});
}

static enum chain_state state_as_of(int64_t seq, int64_t chain)
{
    struct error e;
    struct chain c;
    struct reader *past = reader_open_past(reasoned.store, seq, NULL, NULL, &e);
    assert_non_null(past);
    assert_int_equal(chain_read(past, &reasoned.arena, chain, &c, &e), 0);
    reader_close(past);
    return c.state;
}

FIXTURE(reasoned_open, reasoned_close);

TEST(a_chain_runs_while_its_session_lives)
{
    struct error e;
    struct chain_summary b;
    struct call_log *l = call_log_open(reasoned.store);
    assert_non_null(l);
    struct written w = {.session = begin_session(l), .step = reasoned_given(1, "a", "x")};
    write_within(&w);
    assert_int_equal(reasoned_read(w.chain).state, CHAIN_RUNNING);
    int64_t begun = last_event();
    /* Another session continues the chain, and the first one ends. */
    struct written other = {begin_session(l), w.chain, reasoned_given(1, "a", "x")};
    write_within(&other);
    session_end(w.session, ENDED_BY_CLIENT);
    call_log_flush(l);
    assert_int_equal(store_run(reasoned.store, write_in_session, &other, &e), -1);
    assert_int_equal(reasoned_read(w.chain).state, CHAIN_RUNNING);
    assert_int_equal(chain_summary_read(reasoned.reader, &reasoned.arena, w.chain, &b, &e), 0);
    assert_int_equal(b.state, CHAIN_RUNNING);
    assert_int_equal(b.steps, 1);
    session_end(other.session, ENDED_BY_CLIENT);
    call_log_close(l);
    assert_int_equal(reasoned_read(w.chain).state, CHAIN_ABANDONED);
    assert_int_equal(chain_summary_read(reasoned.reader, &reasoned.arena, w.chain, &b, &e), 0);
    assert_int_equal(b.state, CHAIN_ABANDONED);
    /* The state at an earlier event: it was running then. */
    assert_int_equal(state_as_of(begun, w.chain), CHAIN_RUNNING);
    /* Any session may finish it. */
    assert_int_equal(reasoned_finish(w.chain, "so", NAN, NAN, &e), 0);
    assert_int_equal(reasoned_read(w.chain).state, CHAIN_FINISHED);
    assert_int_equal(reasoned_faults(), 0);
}

TEST(agents_do_not_continue_locked_chains)
{
    struct error e;
    struct plan done;
    struct request q = REQUEST_INIT;
    static const struct actor sean = {ACTOR_PERSON, "sean", NULL, "command", NULL, 0, NULL};
    int64_t chain = reasoned_chain("q");
    const char *ref = reasoned_ref(chain);
    q.refs = &ref;
    q.ref_count = 1;
    if (operation_run_now(reasoned.store, &sean, OPERATION_LOCK, &q, &reasoned.arena, &done, &e))
        fail_msg("%s", e.what);
    assert_int_equal(reasoned_finish(chain, "so", NAN, NAN, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    struct step_given step = reasoned_given(1, "a", "x");
    struct step_added added;
    assert_int_equal(reasoned_step(chain, &step, &added, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
}

/* ---- kill -9 ---- */

#define ROUNDS 12

/* Writes chains until it is killed, and prints each acknowledged number of steps. */
static void write_until_killed(int out)
{
    static const char results[] = "[{\"document_id\":\"a\",\"title\":\"T\",\"content\":\"c\"},"
                                  "{\"document_id\":\"b\",\"content\":\"d\"},{\"content\":\"e\"}]";
    for (;;) {
        struct error e;
        int64_t said[2] = {reasoned_chain("killed"), 0};
        struct step_given s = reasoned_given(1, "a", "x");
        s.results = reasoned_slice(results);
        for (; s.number <= 6; s.number++) {
            struct step_added added;
            if (reasoned_step(said[0], &s, &added, &e))
                _exit(1);
            said[1] = s.number;
            if (write(out, said, sizeof(said)) != sizeof(said))
                _exit(1);
        }
        if (reasoned_finish(said[0], "so", NAN, NAN, &e))
            _exit(1);
        arena_clear(&reasoned.arena);
    }
}

static void kill_one(int round)
{
    int out[2], status;
    int64_t said[2], chain = 0, steps = 0;
    assert_int_equal(pipe(out), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(out[0]);
        reasoned.store = scratch_store(reasoned.path);
        write_until_killed(out[1]);
    }
    close(out[1]);
    for (int i = 0; i <= 3 * round && read(out[0], said, sizeof(said)) == sizeof(said); i++)
        chain = said[0], steps = said[1];
    usleep((useconds_t)round * 300);
    kill(pid, SIGKILL);
    while (read(out[0], said, sizeof(said)) == sizeof(said))
        chain = said[0], steps = said[1];
    close(out[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    struct error e;
    reasoned.store = scratch_store(reasoned.path);
    reasoned.reader = reader_open(reasoned.store, &e);
    struct chain c = reasoned_read(chain);
    assert_true((int64_t)c.step_count >= steps);
    for (size_t i = 0; i < c.step_count; i++) {
        assert_int_equal(c.step[i].number, (int64_t)i + 1);
        assert_int_equal(c.step[i].source_count, 3); /* complete or missing */
    }
    if (c.answer)
        assert_int_equal(memory_of(chain).justifications[0].count, c.step_count);
    assert_int_equal(reasoned_faults(), 0);
    /* Another process continues the chain. */
    if (!c.answer) {
        struct step_given s = reasoned_given((int64_t)c.step_count + 1, "and", NULL);
        reasoned_must(chain, &s);
        assert_int_equal(reasoned_finish(chain, "so", NAN, NAN, &e), 0);
    }
    reader_close(reasoned.reader);
    store_close(reasoned.store);
}

TEST(acknowledged_steps_survive_a_kill)
{
    struct error e;
    reader_close(reasoned.reader);
    store_close(reasoned.store);
    for (int round = 0; round < ROUNDS; round++)
        kill_one(round);
    reasoned.store = scratch_store(reasoned.path);
    reasoned.reader = reader_open(reasoned.store, &e);
}

/* ---- an older store ---- */

static void run_sql(const char *sql)
{
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(reasoned.path, &db), SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &why);
    if (why)
        fail_msg("%s", why);
    sqlite3_close(db);
}

static void close_store(void)
{
    reader_close(reasoned.reader);
    store_close(reasoned.store);
}

static void open_again(void)
{
    struct error e;
    reasoned.store = scratch_store(reasoned.path);
    reasoned.reader = reader_open(reasoned.store, &e);
    assert_non_null(reasoned.reader);
}

static void make_older(void)
{
    AUTO_FREE char *copy = reasoned.path;
    close_store();
    reasoned.path = scratch_path("older.db");
    scratch_dump(reasoned.path, "tests/data/version-3.sql");
}

TEST(a_store_of_version_3_is_migrated)
{
    struct error e;
    int64_t *rows;
    size_t count;
    make_older();
    open_again();
    assert_int_equal(reasoned_count("SELECT user_version FROM pragma_user_version"),
                     SCHEMA_VERSION);
    assert_int_equal(reasoned_faults(), 0);
    /* The migrated uses have links. */
    assert_int_equal(
        reasoned_count("SELECT count(*) FROM use u JOIN link l ON l.memory = u.memory AND"
                       " l.number = u.number AND l.position = u.position"
                       " WHERE u.target = l.target"),
        5);
    assert_int_equal(reasoned_count("SELECT count(*) FROM use"), 5);
    static const struct {
        enum lookup_field field;
        const char *value, *ref;
    } found[] = {
        {LOOKUP_CONVERSATION, "conv-1", "citation:x1"},
        {LOOKUP_MESSAGE, "m-1", "citation:x1"},
        {LOOKUP_CITED, "manual", "citation:x1"},
        {LOOKUP_URI, "https://h.example/manual", "attribution:a1"},
        {LOOKUP_CONTENT_HASH, "ab00000000000000000000000000000000000000000000000000000000000000",
         "attribution:a1"},
        {LOOKUP_QUESTION, "why did the PUMP fail? ", "chain:c1"},
    };
    for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++) {
        assert_int_equal(lookup_rows(reader_db(reasoned.reader), &reasoned.arena, found[i].field,
                                     found[i].value, "ash", 9, &rows, &count, &e),
                         0);
        assert_int_equal(count, 1);
        assert_string_equal(reasoned_ref(rows[0]), found[i].ref);
        assert_int_equal(lookup_rows(reader_db(reasoned.reader), &reasoned.arena, found[i].field,
                                     found[i].value, "bo", 9, &rows, &count, &e),
                         0);
        assert_int_equal(count, 0);
    }
    struct chain c = reasoned_read(reasoned_count("SELECT id FROM memory WHERE name = 'c1'"));
    assert_int_equal(c.step_count, 2);
    assert_true(c.step[0].source[0].changed); /* the second step used a second version */
    assert_true(c.step[0].confidence == 0.85);
    /* At an event before the edit. */
    struct reader *past = reader_open_past(reasoned.store, 8, NULL, NULL, &e);
    assert_non_null(past);
    struct chain then;
    assert_int_equal(chain_read(past, &reasoned.arena, c.node, &then, &e), 0);
    assert_true(then.step[0].confidence == 0.9);
    reader_close(past);
    /* New chains can be recorded. */
    reasoned_must_record(
        "{\"original_question\":\"Why did the pump fail?\",\"final_answer\":\"so\"}");
    bool more;
    assert_int_equal(
        chains_on_question(reasoned.reader, &reasoned.arena, c.node, 9, &rows, &count, &more, &e),
        0);
    assert_int_equal(count, 2);
    assert_int_equal(reasoned_faults(), 0);
}

/* ---- rows altered by another program ---- */

TEST(fsck_checks_repeated_columns)
{
    static const char *const alterations[] = {
        "UPDATE use SET target = target + 1",
        "UPDATE use SET title = 'other'",
        "DELETE FROM lookup WHERE field = 5",
        "UPDATE lookup SET key = zeroblob(16) WHERE field = 5",
        "UPDATE lookup SET agent = agent + 1 WHERE field = 5",
        "INSERT INTO lookup(memory, field, key, agent) SELECT id, 3, zeroblob(16), 1 FROM memory"
        " WHERE kind = 10 LIMIT 1",
        "INSERT INTO lookup(memory, field, key, agent) SELECT id, 3, zeroblob(16), 1 FROM memory"
        " WHERE kind = 11 LIMIT 1",
    };
    for (size_t i = 0; i < sizeof(alterations) / sizeof(*alterations); i++) {
        if (i)
            reasoned_open(state);
        reasoned_must_record(
            "{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"step_"
            "number\":1,\"question\":\"a\",\"retrieved_documents\":[{\"document_id\":\"d\","
            "\"title\":\"T\",\"content\":\"c\"}]}]}");
        assert_int_equal(reasoned_faults(), 0);
        close_store();
        run_sql(alterations[i]);
        open_again();
        if (reasoned_faults() == 0)
            fail_msg("nothing is found: %s", alterations[i]);
        if (i + 1 < sizeof(alterations) / sizeof(*alterations))
            reasoned_close(state);
    }
}

/* ---- exports ---- */

TEST(exports_are_complete)
{
    struct error e;
    struct imported import;
    struct step_given s = reasoned_given(1, "a", "x");
    const char *contexts[] = {"id:c y", "bare"};
    s.results =
        reasoned_slice("[{\"document_id\":\"d\",\"title\":\"A title, \\\"quoted\\\"\",\"content\":"
                       "\"c\",\"chunk_index\":3},{\"title\":\"\",\"content\":\"e\"}]");
    int64_t chain = reasoned_chain("q");
    reasoned_must(chain, &s);
    s = reasoned_given(2, "b", NULL);
    s.contexts = contexts;
    s.context_count = 2;
    reasoned_must(chain, &s);
    assert_int_equal(reasoned_finish(chain, "so", NAN, NAN, &e), 0);
    AUTO_FREE char *lines = exported(reasoned.store), *path = scratch_path("into.db");
    assert_non_null(strstr(lines, "\"title\":\"A title, \\\"quoted\\\"\""));
    struct store *into = kernle_target(path);
    import_lines(&import, into, lines, &(struct import_options){.agent = "ash"});
    AUTO_FREE char *again = exported(into);
    assert_string_equal(lines, again);
    store_close(into);
    imported_release(&import);
}

/* ---- purging ---- */

static bool file_has(const char *suffix, const char *text)
{
    char path[400];
    size_t len;
    snprintf(path, sizeof(path), "%s%s", reasoned.path, suffix);
    AUTO_FREE char *bytes = scratch_read(path, &len);
    return bytes && memmem(bytes, len, text, strlen(text));
}

TEST(a_purge_erases_excerpts_and_titles)
{
    struct error e;
    struct plan done;
    struct request q = REQUEST_INIT;
    static const struct actor sean = {ACTOR_PERSON, "sean", NULL, "command", NULL, 0, NULL};
    int64_t chain = reasoned_chain("q");
    struct step_given s = reasoned_given(1, "zqasked", "zqanswered");
    const char *context = "zqcontext of it";
    s.results =
        reasoned_slice("[{\"document_id\":\"d\",\"title\":\"zqtitle\",\"content\":\"zqexcerpt\"}]");
    s.contexts = &context;
    s.context_count = 1;
    int64_t step = reasoned_must(chain, &s).step.node;
    int64_t document = memory_of(step).justifications[0].antecedents[0].node;
    const char *refs[] = {reasoned_ref(step), reasoned_ref(document)};
    q.refs = refs;
    q.ref_count = 2;
    if (operation_run_now(reasoned.store, &sean, OPERATION_PURGE, &q, &reasoned.arena, &done, &e))
        fail_msg("%s %s", e.what, e.hint);
    struct chain c = reasoned_read(chain);
    assert_int_equal(c.step_count, 1);
    assert_int_equal(c.step[0].status, STATUS_PURGED);
    assert_int_equal(c.step[0].source_count, 1);
    assert_true(c.step[0].source[0].source.relevance == 0.5); /* numbers stay */
    assert_null(c.step[0].source[0].source.excerpt);
    assert_null(c.step[0].source[0].source.title);
    assert_int_equal(reasoned_faults(), 0);
    reader_close(reasoned.reader);
    if (store_vacuum(reasoned.store, NULL, NULL, &e))
        fail_msg("%s", e.what);
    store_close(reasoned.store);
    static const char *const secrets[] = {"zqasked", "zqanswered", "zqcontext", "zqtitle",
                                          "zqexcerpt"};
    for (size_t i = 0; i < 5; i++)
        if (file_has("", secrets[i]) || file_has("-wal", secrets[i]))
            fail_msg("%s is still there", secrets[i]);
    open_again();
}
