/* Makes each write of each operation fail in turn. The operation must either report the error and
 * change nothing, or succeed completely. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/entries/entry.h"
#include "store/reasoning/attributions.h"
#include "store/reasoning/cite.h"
#include "store/reasoning/reasoning.h"
#include "store/export/export.h"
#include "store/import/import.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/ops/operation.h"
#include "store/txn/checkpoint.h"
#include "tests/support/faults.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static struct store *s;
static char *path;
static struct request request;
static struct reader *watching;
static bool opening; /* faults happen while the writer opens the store, not while it runs the job */

static void open_store(void)
{
    struct error e;
    s = scratch_store(path);
    watching = reader_open(s, &e);
    assert_non_null(watching);
}

static void close_store(void)
{
    reader_close(watching);
    store_close(s);
}

static int setup(void **state)
{
    path = scratch_path("faults.db");
    open_store();
    scratch_put(s, "{\"ref\":\"raw:r\",\"text\":\"as it came\",\"agent_id\":\"ash\"}");
    scratch_put(s, "{\"ref\":\"episode:e\",\"text\":\"met\",\"agent_id\":\"ash\"}");
    scratch_put(s,
                "{\"ref\":\"belief:b\",\"text\":\"holds\",\"agent_id\":\"ash\",\"confidence\":0.7,"
                "\"derived_from\":[\"raw:r\"],\"source_episodes\":[\"e\"],\"tags\":[\"t\"]}");
    scratch_put(s, "{\"ref\":\"note:n\",\"text\":\"rests on it\",\"derived_from\":[\"belief:b\"]}");
    scratch_put(s, "{\"ref\":\"raw:old\",\"text\":\"x\",\"processed_into\":[\"note:m\"]}");
    scratch_put(s, "{\"ref\":\"note:m\",\"text\":\"y\",\"context\":\"kernle_seed\"}");
    request = (struct request)REQUEST_INIT;
    opening = false;
    return 0;
}

static int teardown(void **state)
{
    close_store();
    free(path);
    return 0;
}

/* ---- contents of the store ---- */

static int add_line(void *arg, const char *line, size_t len)
{
    struct strbuf *all = arg;
    strbuf_add(all, line, len);
    return 0;
}

static char *everything(int64_t *events)
{
    struct error e;
    struct strbuf all = STRBUF_INIT;
    if (export_jsonl(watching, add_line, &all, NULL, &e))
        fail_msg("%s", e.what);
    *events = journal_last(watching, &e);
    return strbuf_detach(&all, NULL);
}

static int64_t events_now(void)
{
    struct error e;
    int64_t seq = journal_last(watching, &e);
    assert_true(seq >= 0);
    return seq;
}

/* ---- running with faults ---- */

static int (*instead)(struct error *e); /* runs instead of an operation; may be NULL */

static int attempt(enum operation op, struct error *e)
{
    static const struct actor actor = {ACTOR_PERSON, "sean", NULL, "explorer", NULL, 0, NULL};
    if (instead)
        return instead(e);
    AUTO_ARENA arena = ARENA_INIT;
    struct plan plan;
    memset(e, 0, sizeof(*e));
    return operation_run_now(s, &actor, op, &request, &arena, &plan, e);
}

static void check_unchanged(const char *before, int64_t events)
{
    int64_t now;
    AUTO_FREE char *after = everything(&now);
    assert_int_equal(now, events);
    assert_string_equal(after, before);
}

static void check_sound(void)
{
    close_store();
    expect_sound_file(path);
    open_store();
}

/* Makes each place fail in turn until a run completes without a fault. After a fault in fsync the
 * change may exist when the store is reopened, complete; within the process it does not. */
static void try_everywhere(enum operation op, enum fault fault, bool all, const char *kept)
{
    int64_t events, now;
    struct error e;
    AUTO_FREE char *before = everything(&events);
    for (long nth = 0;; nth += all ? 7 : 1) {
        assert_true(nth < 20000);
        if (!opening)
            faults_open_first(s);
        fault_begin(fault, nth, all);
        int result = attempt(op, &e);
        long failed = faulty_disk_repair();
        if (result) {
            assert_true(e.code != ERROR_NONE && e.what[0]);
            if (failed == 0)
                fail_msg("%s: %s %s", op_spec(op)->name, e.what, e.hint);
            if (nth % 5 == 0 || failed > 1)
                check_unchanged(before, events);
            else
                assert_int_equal(events_now(), events);
            continue;
        }
        if (failed == 0)
            break;
        char *after = everything(&now); /* it recovered from the fault */
        free(after);
        assert_true(now > events);
        close_store();
        scratch_copy(kept, path);
        open_store();
    }
    check_sound();
}

static void try_all(enum operation op)
{
    AUTO_FREE char *kept = scratch_path("faults-before.db");
    close_store();
    scratch_copy(path, kept);
    for (enum fault fault = 0; fault < FAULTS; fault++)
        for (int all = 0; all < 2; all++) {
            scratch_copy(kept, path);
            open_store();
            try_everywhere(op, fault, all != 0, kept);
            close_store();
        }
    open_store();
}

/* ---- operations ---- */

static const char *refs[3], *evidence[2];

static void about(const char *ref)
{
    refs[0] = ref;
    request.refs = refs;
    request.ref_count = 1;
}

static void by(const char *ref)
{
    evidence[0] = ref;
    request.evidence = evidence;
    request.evidence_count = 1;
}

#define TRY(name, op, prepare)                                                                     \
    TEST(name)                                                                                     \
    {                                                                                              \
        about("belief:b");                                                                         \
        prepare;                                                                                   \
        try_all(op);                                                                               \
    }

static void several(void)
{
    refs[1] = "note:n";
    refs[2] = "episode:e";
    request.ref_count = 3;
}

static void say(const char *text)
{
    request.text = text;
    request.text_len = strlen(text);
}

static void do_first(enum operation op)
{
    struct error e;
    assert_int_equal(attempt(op, &e), 0);
}

static const struct seed seeds[] = {{"one", 3, 0.5, NULL, 0}, {"two", 3, NAN, NULL, 0}};
static void plant(void)
{
    request.seeds = seeds;
    request.seed_count = 2;
}

FIXTURE(setup, teardown);

TRY(opening_the_store, OPERATION_EDIT, (say("otherwise"), opening = true))
TRY(editing, OPERATION_EDIT, (say("otherwise"), request.confidence = 0.2, request.reason = "why"))
TRY(processing, OPERATION_PROMOTE, (about("raw:r"), request.as = KIND_BELIEF))
TRY(reinforcing, OPERATION_REINFORCE, by("raw:old"))
TRY(superseding, OPERATION_REPLACE, say("better"))
TRY(resolving, OPERATION_RESOLVE, (refs[1] = "note:n", request.ref_count = 2))
TRY(revising, OPERATION_REVISE, (about("episode:e"), by("belief:b")))
TRY(consolidating, OPERATION_CONSOLIDATE, by("raw:old"))
TRY(seeding, OPERATION_SEED, plant())
TRY(verifying, OPERATION_APPROVE, several())
TRY(protecting, OPERATION_LOCK, several())
TRY(unprotecting, OPERATION_UNLOCK, do_first(OPERATION_LOCK))
TRY(retracting, OPERATION_RETRACT, several())
TRY(restoring, OPERATION_RESTORE, do_first(OPERATION_RETRACT))
TRY(quarantining, OPERATION_QUARANTINE, several())
TRY(releasing, OPERATION_RELEASE, do_first(OPERATION_QUARANTINE))
TRY(marking, OPERATION_FLAG, (several(), request.flag = "poisoned"))
TRY(forgetting, OPERATION_FORGET, several())
TRY(purging, OPERATION_PURGE, (about("episode:e"), request.reason = "asked for"))
TRY(fixing_provenance, OPERATION_REPAIR_ORIGINS, (request.ref_count = 0))
TRY(propagating, OPERATION_CAP_CONFIDENCE, request.reason = "hearsay")
TRY(unmarking, OPERATION_UNFLAG, (request.flag = "rating", do_first(OPERATION_FLAG)))

/* By event number, because two events belong together. */
static int64_t event;
static void take_back(int64_t seq)
{
    event = seq;
    request = (struct request)REQUEST_INIT;
    request.seqs = &event;
    request.seq_count = 1;
}

TRY(undoing, OPERATION_UNDO,
    (refs[1] = "note:n", request.ref_count = 2, do_first(OPERATION_RETRACT),
     take_back(events_now())))
TRY(undoing_an_addition, OPERATION_UNDO, take_back(3))
TRY(redoing, OPERATION_REDO, (say("otherwise"), do_first(OPERATION_EDIT), do_first(OPERATION_UNDO)))
TRY(redoing_an_addition, OPERATION_REDO, (take_back(3), do_first(OPERATION_UNDO)))

/* ---- changes without a plan ---- */

static const struct actor agent = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0, NULL};

/* Two sources, an existing document, and earlier citations of the message. */
static int run_cite(struct txn *t, void *arg, struct error *e)
{
    static const char sources[] =
        "[{\"documentId\":\"d\",\"documentName\":\"D\",\"snippet\":\"s\",\"relevanceScore\":0.9},"
        "{\"snippet\":\"t\",\"relevanceScore\":0.5},{\"relevanceScore\":7}]";
    const struct cited_response given = {"c", "m", "ash", {sources, sizeof(sources) - 1}, NULL};
    struct cite_result result;
    return cite_sources(t, &agent, &given, arg, &result, e);
}

/* A retrieval logged after its use: it is linked to the document. */
static int run_log(struct txn *t, void *arg, struct error *e)
{
    static const char hash[] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    static const char *supports[] = {"note:n"};
    const struct attribution a = {.agent_id = "ash",
                                  .source_type = "web",
                                  .source_uri = "d",
                                  .retrieval_timestamp = 5,
                                  .full_content_hash = hash,
                                  .supports = supports,
                                  .support_count = 1};
    struct added added;
    return attribution_add(t, &agent, &a, arg, &added, e);
}

static int in_a_job(int (*run)(struct txn *, void *, struct error *), struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    memset(e, 0, sizeof(*e));
    return store_run(s, run, &arena, e);
}

static int cite(struct error *e)
{
    return in_a_job(run_cite, e);
}

static int log_late(struct error *e)
{
    return in_a_job(run_log, e);
}

static void try_instead(int (*tried)(struct error *))
{
    instead = tried;
    try_all(OPERATION_COUNT - 1);
    instead = NULL;
}

/* ---- chains ---- */

#define STEPS                                                                                      \
    "\"reasoning_steps\":[{\"step_number\":1,\"question\":\"a\",\"intermediate_answer\":\"x\","    \
    "\"retrieved_documents\":[{\"document_id\":\"d\",\"title\":\"T\",\"content\":\"c\","           \
    "\"uri\":\"u\"},{\"content\":\"e\"},{\"document_id\":\"r\",\"score\":7}]},{\"step_number\":2," \
    "\"question\":\"b\",\"context_used\":[\"x\",\"id:d again\"],\"model\":\"m\"}]"
#define WHOLE                                                                                      \
    "{\"original_question\":\"q\",\"final_answer\":\"a\",\"total_confidence\":0.5,"                \
    "\"source_summary\":{\"all_sources\":[]}," STEPS "}"

static struct json_slice slice(const char *json)
{
    return (struct json_slice){json, strlen(json)};
}

static int run_record(struct txn *t, void *arg, struct error *e)
{
    struct chain_recorded recorded;
    return chain_record(t, &agent, "add", slice(WHOLE), "ash", arg, &recorded, e);
}

static int64_t chain;

static int run_begin(struct txn *t, void *arg, struct error *e)
{
    struct added added;
    struct chain_start start = {.question = "grows", .question_len = 5};
    if (chain_begin(t, &agent, &start, arg, &added, e))
        return -1;
    chain = added.node;
    return 0;
}

static int run_step(struct txn *t, void *arg, struct error *e)
{
    struct step_added added;
    struct step_given given = {
        .number = 1,
        .question = "q",
        .question_len = 1,
        .confidence = NAN,
        .execution_time = NAN,
        .results = slice("[{\"document_id\":\"d\",\"content\":\"is\",\"title\":\"T\"},"
                         "{\"document_id\":\"d\",\"chunk_index\":1},{\"content\":\"e\"}]")};
    return chain_add_step(t, &agent, chain, &given, arg, &added, e);
}

static int run_finish(struct txn *t, void *arg, struct error *e)
{
    return chain_finish(t, &agent, chain, "so", 2, NAN, NAN, arg, e);
}

/* ---- entries ---- */

static int run_put(struct txn *t, void *arg, struct error *e)
{
    static const struct namespace_policy few = {.max_items = 1, .evict_oldest = true};
    const struct entry_put put = {.namespace_ = "n",
                                  .key = "b/jane@example.com",
                                  .value = "[5,6]",
                                  .value_len = 5,
                                  .ttl_seconds = 60,
                                  .policy = &few};
    struct entry_done done;
    return entry_put(t, &agent, &put, arg, &done, e);
}

static int run_put_first(struct txn *t, void *arg, struct error *e)
{
    const struct entry_put put = {
        .namespace_ = "n", .key = "a", .value = "1", .value_len = 1, .ttl_seconds = 0};
    struct entry_done done;
    return entry_put(t, &agent, &put, arg, &done, e);
}

static int run_delete(struct txn *t, void *arg, struct error *e)
{
    return entry_delete(t, &agent, "n", "b/jane@example.com", NULL, arg, e);
}

static int run_sweep(struct txn *t, void *arg, struct error *e)
{
    bool left;
    return entry_sweep(t, &agent, 3, &left, e);
}

#define JOB(name, run)                                                                             \
    static int name(struct error *e)                                                               \
    {                                                                                              \
        return in_a_job(run, e);                                                                   \
    }
JOB(record, run_record)
JOB(begin, run_begin)
JOB(step, run_step)
JOB(finish, run_finish)
JOB(put_first, run_put_first)
JOB(put, run_put)
JOB(delete, run_delete)
JOB(sweep, run_sweep)

/* `before` runs without faults. */
#define TRY_JOB(name, tried, ...)                                                                  \
    TEST(name)                                                                                     \
    {                                                                                              \
        int (*const before[])(struct error *) = {__VA_ARGS__};                                     \
        struct error e;                                                                            \
        for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)                              \
            if (before[i] && before[i](&e))                                                        \
                fail_msg("%s", e.what);                                                            \
        try_instead(tried);                                                                        \
    }
TRY_JOB(citing, cite, cite)
TRY_JOB(recording_a_chain, record, NULL)
TRY_JOB(adding_a_step, step, begin)
TRY_JOB(finishing_a_chain, finish, begin, step)
TRY_JOB(putting_an_entry, put, put_first)
TRY_JOB(deleting_an_entry, delete, put)
TRY_JOB(sweeping_entries, sweep, put_first)

#define HASH_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

TEST(logging_what_was_used)
{
    scratch_put(s, "{\"ref\":\"document:d\",\"text\":\"D\",\"agent_id\":\"ash\"}");
    scratch_put(s, "{\"ref\":\"step:s\",\"text\":\"q\",\"agent_id\":\"ash\",\"justifications\":[{"
                   "\"role\":\"source\",\"antecedents\":[{\"ref\":\"document:d\",\"version_hash\":"
                   "\"" HASH_A "\"}]}]}");
    try_instead(log_late);
}

TEST(rating_a_source)
{
    scratch_put(s, "{\"ref\":\"step:s\",\"text\":\"q\",\"justifications\":[{\"role\":\"source\","
                   "\"antecedents\":[\"document:d\"]}]}");
    about("step:s");
    request.flag = "rating";
    request.value = "document:d relevant";
    try_all(OPERATION_FLAG);
}

/* An interrupted vacuum must not change any stored data. */
TEST(vacuuming)
{
    int64_t events;
    about("episode:e");
    do_first(OPERATION_PURGE);
    AUTO_FREE char *before = everything(&events);
    for (enum fault fault = 0; fault < FAULTS; fault++)
        for (long nth = 0, failed = 1; failed > 0; nth += 2) {
            struct error e = {0};
            fault_begin(fault, nth, nth % 3 == 0);
            int result = store_vacuum(s, NULL, NULL, &e);
            failed = faulty_disk_repair();
            assert_true(nth < 20000 && (result == 0 || (failed > 0 && e.what[0] && e.hint[0])));
        }
    check_unchanged(before, events);
    check_sound();
}

int main(void)
{
    faulty_disk_install();
    return tests_run();
}
