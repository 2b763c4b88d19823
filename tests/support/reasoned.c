#include "tests/support/reasoned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/db/db.h"
#include "store/open.h"
#include "store/query/list.h"
#include "store/record/get.h"

struct reasoned reasoned;
const struct actor reasoned_agent = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0, NULL};

int reasoned_open(void **state)
{
    struct error e;
    reasoned.path = scratch_path("reasoned.db");
    reasoned.store = scratch_store(reasoned.path);
    reasoned.reader = reader_open(reasoned.store, &e);
    assert_non_null(reasoned.reader);
    return 0;
}

int reasoned_close(void **state)
{
    reader_close(reasoned.reader);
    store_close(reasoned.store);
    arena_release(&reasoned.arena);
    free(reasoned.path);
    reasoned = (struct reasoned){.path = NULL};
    return 0;
}

/* ---- writing ---- */

struct job {
    struct chain_start start;
    int64_t chain;
    const struct step_given *step;
    const char *answer;
    double confidence, time;
    struct json_slice whole;
    struct added *added;
    struct step_added *step_added;
    struct chain_recorded *recorded;
};

static int run_begin(struct txn *t, void *arg, struct error *e)
{
    struct job *j = arg;
    return chain_begin(t, &reasoned_agent, &j->start, &reasoned.arena, j->added, e);
}

static int run_step(struct txn *t, void *arg, struct error *e)
{
    struct job *j = arg;
    return chain_add_step(t, &reasoned_agent, j->chain, j->step, &reasoned.arena, j->step_added, e);
}

static int run_finish(struct txn *t, void *arg, struct error *e)
{
    struct job *j = arg;
    return chain_finish(t, &reasoned_agent, j->chain, j->answer, strlen(j->answer), j->confidence,
                        j->time, &reasoned.arena, e);
}

static int run_record(struct txn *t, void *arg, struct error *e)
{
    struct job *j = arg;
    return chain_record(t, &reasoned_agent, "add", j->whole, NULL, &reasoned.arena, j->recorded, e);
}

int reasoned_begin(const char *question, const char *strategy, struct added *out, struct error *e)
{
    struct job j = {.start = {question, strlen(question), NULL, strategy}, .added = out};
    return store_run(reasoned.store, run_begin, &j, e);
}

int reasoned_step(int64_t chain, const struct step_given *step, struct step_added *out,
                  struct error *e)
{
    struct job j = {.chain = chain, .step = step, .step_added = out};
    return store_run(reasoned.store, run_step, &j, e);
}

int reasoned_finish(int64_t chain, const char *answer, double confidence, double time,
                    struct error *e)
{
    struct job j = {.chain = chain, .answer = answer, .confidence = confidence, .time = time};
    return store_run(reasoned.store, run_finish, &j, e);
}

int reasoned_record(const char *json, struct chain_recorded *out, struct error *e)
{
    struct job j = {.whole = {json, strlen(json)}, .recorded = out};
    if (json_check(json, strlen(json), JSON_DEPTH_LIMIT, e))
        return -1;
    return store_run(reasoned.store, run_record, &j, e);
}

/* ---- writing, or failing the test ---- */

int64_t reasoned_chain(const char *question)
{
    struct error e;
    struct added added;
    if (reasoned_begin(question, NULL, &added, &e))
        fail_msg("%s %s", e.what, e.hint);
    return added.node;
}

struct step_added reasoned_must(int64_t chain, const struct step_given *step)
{
    struct error e;
    struct step_added added;
    if (reasoned_step(chain, step, &added, &e))
        fail_msg("%s %s", e.what, e.hint);
    return added;
}

struct chain_recorded reasoned_must_record(const char *json)
{
    struct error e;
    struct chain_recorded recorded;
    if (reasoned_record(json, &recorded, &e))
        fail_msg("%s %s", e.what, e.hint);
    return recorded;
}

struct step_given reasoned_given(int64_t number, const char *question, const char *answer)
{
    return (struct step_given){.number = number,
                               .question = question,
                               .question_len = strlen(question),
                               .answer = answer,
                               .answer_len = answer ? strlen(answer) : 0,
                               .confidence = NAN,
                               .execution_time = NAN};
}

struct json_slice reasoned_slice(const char *json)
{
    return (struct json_slice){json, strlen(json)};
}

/* ---- reading ---- */

struct chain reasoned_read(int64_t node)
{
    struct error e;
    struct chain c;
    if (chain_read(reasoned.reader, &reasoned.arena, node, &c, &e))
        fail_msg("%s %s", e.what, e.hint);
    return c;
}

static void tell(void *arg, const struct fsck_finding *finding)
{
    printf("fsck: %s\n", finding->what);
}

int reasoned_faults(void)
{
    struct fsck_summary summary;
    struct error e;
    if (store_fsck(reasoned.reader, tell, NULL, NULL, &summary, &e))
        fail_msg("%s", e.what);
    return (int)summary.findings;
}

int64_t reasoned_count(const char *sql)
{
    struct error e;
    int64_t count;
    if (db_int(reader_db(reasoned.reader), &count, 0, &e, sql, ""))
        fail_msg("%s", e.what);
    return count;
}

const char *reasoned_ref(int64_t node)
{
    struct error e;
    struct memory_row row;
    AUTO_STRBUF text = STRBUF_INIT;
    if (memory_row_read(reasoned.reader, &reasoned.arena, node, &row, &e))
        fail_msg("%s", e.what);
    ref_add(&text, row.ref);
    return arena_strndup(&reasoned.arena, text.buf, text.len);
}
