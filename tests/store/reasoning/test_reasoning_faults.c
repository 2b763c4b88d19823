/*
 * Writing chains of thought with each write made to fail in turn: it
 * says so and nothing of it is there, or it is done and whole.
 */
#include "tests/support/reasoned.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/import/import.h"
#include "tests/support/faults.h"
#include "tests/support/findings.h"

#define STEPS                                                                                      \
    "\"reasoning_steps\":[{\"step_number\":1,\"question\":\"a\",\"intermediate_answer\":\"x\","    \
    "\"retrieved_documents\":[{\"document_id\":\"d\",\"title\":\"T\",\"content\":\"c\","           \
    "\"uri\":\"u\"},{\"content\":\"e\"},{\"document_id\":\"r\",\"score\":7}]},{\"step_number\":2," \
    "\"question\":\"b\",\"context_used\":[\"x\",\"id:d again\"],\"model\":\"m\"}]"
#define WHOLE                                                                                      \
    "{\"original_question\":\"q\",\"final_answer\":\"a\",\"total_confidence\":0.5,"                \
    "\"source_summary\":{\"all_sources\":[]}," STEPS "}"

static int64_t chain; /* one that is not finished, with a step */

static int setup(void **state)
{
    reasoned_open(state);
    scratch_put(reasoned.store, "{\"ref\":\"attribution:w\",\"text\":\"t\",\"agent_id\":\"ash\","
                                "\"detail\":{\"source_uri\":\"u\"}}");
    chain = reasoned_chain("grows");
    struct step_given s = reasoned_given(1, "first", "x");
    s.results = reasoned_slice("[{\"document_id\":\"d\",\"content\":\"was\"}]");
    reasoned_must(chain, &s);
    return 0;
}

static void open_again(void)
{
    struct error e;
    reasoned.store = scratch_store(reasoned.path);
    reasoned.reader = reader_open(reasoned.store, &e);
    assert_non_null(reasoned.reader);
}

static void close_store(void)
{
    reader_close(reasoned.reader);
    store_close(reasoned.store);
}

/* ---- what is tried ---- */

static int try_record(struct error *e)
{
    struct chain_recorded r;
    return reasoned_record(WHOLE, &r, e);
}

static int try_step(struct error *e)
{
    const char *contexts[] = {"x", "id:n new"};
    struct step_added added;
    struct step_given s = reasoned_given(2, "second", "y");
    s.results = reasoned_slice("[{\"document_id\":\"d\",\"content\":\"is\",\"title\":\"T\"},"
                               "{\"document_id\":\"d\",\"chunk_index\":1},{\"content\":\"e\"}]");
    s.contexts = contexts;
    s.context_count = 2;
    return reasoned_step(chain, &s, &added, e);
}

static int try_finish(struct error *e)
{
    return reasoned_finish(chain, "so it is", NAN, NAN, e);
}

static char *import_path;

static void say_nothing(void *arg, const char *line)
{
    (void)arg, (void)line;
}

/* A disk that fails for one chain leaves that one out, and is said: it is whole or not there. */
static int try_import(struct error *e)
{
    struct import_options options = {.agent = "ash", .report = say_nothing};
    struct import_summary summary;
    int result = import_cot(reasoned.store, import_path, &options, &summary, e);
    if (result == 0 && summary.added == 0)
        result = error_set(e, ERROR_STORE, "", "it was left out");
    return result;
}

/* ---- trying ---- */

static int64_t events_now(void)
{
    struct error e;
    return journal_last(reasoned.reader, &e);
}

static void try_everywhere(int (*attempt)(struct error *e), enum fault fault, bool all,
                           const char *kept)
{
    int64_t events = events_now();
    for (long nth = 0;; nth += all ? 5 : 1) {
        struct error e = {.code = ERROR_NONE};
        assert_true(nth < 20000);
        faults_open_first(reasoned.store);
        fault_begin(fault, nth, all);
        int result = attempt(&e);
        long failed = faulty_disk_mend();
        if (result) {
            assert_true(e.code != ERROR_NONE && e.what[0]);
            if (failed == 0)
                fail_msg("%s %s", e.what, e.todo);
            if (events_now() == events)
                continue;
            assert_ptr_equal(attempt, try_import); /* which keeps what was committed */
        } else if (failed == 0) {
            break;
        }
        assert_true(events_now() > events); /* it found another way, and is there */
        assert_int_equal(reasoned_faults(), 0);
        close_store();
        scratch_copy(kept, reasoned.path);
        open_again();
    }
    assert_int_equal(reasoned_faults(), 0);
}

static void try_all(int (*attempt)(struct error *e))
{
    char *kept = scratch_path("before.db");
    close_store();
    scratch_copy(reasoned.path, kept);
    for (enum fault fault = 0; fault < FAULTS; fault++)
        for (int all = 0; all < 2; all++) {
            scratch_copy(kept, reasoned.path);
            open_again();
            try_everywhere(attempt, fault, all != 0, kept);
            close_store();
        }
    open_again();
    free(kept);
}

static void recording(void **state)
{
    (void)state;
    try_all(try_record);
}

static void adding_a_step(void **state)
{
    (void)state;
    try_all(try_step);
}

static void finishing(void **state)
{
    (void)state;
    try_all(try_finish);
}

static void importing(void **state)
{
    (void)state;
    import_path = scratch_path("faults.json");
    scratch_write(import_path, WHOLE, strlen(WHOLE));
    try_all(try_import);
    free(import_path);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, reasoned_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(recording),
        TEST(adding_a_step),
        TEST(finishing),
        TEST(importing),
    };
    faulty_disk_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
