/*
 * Replaces the worker's reader while it works. Later jobs use the new reader, the running job ends
 * with the old one, and no reader is used after it was closed, or closed twice. (For TSan and
 * ASan.)
 */
#include "tests/support/scratch.h"
#include "tests/support/listed.h"

#include "store/query/list.h"
#include "store/history/past.h"
#include "store/open.h"
#include "tests/support/test.h"
#include "tui/widget/worker.h"

#define MEMORIES 40
#define TURNS    200

struct counting {
    struct job job;
    int64_t expected; /* -1 for any */
    int64_t count;
    int *left;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct counting *c = (struct counting *)job;
    return listed_count(r, &(struct list_query){0}, &c->count, e) ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct counting *c = (struct counting *)job;
    if (e->code == ERROR_INTERRUPTED)
        return;
    assert_int_equal(e->code, ERROR_NONE);
    assert_true(c->count >= 1 && c->count <= MEMORIES);
    if (c->expected >= 0)
        assert_int_equal(c->count, c->expected);
}

static void release(struct job *job)
{
    --*((struct counting *)job)->left;
    free(job);
}

static const struct job_ops ops = {
    .name = "counting", .run = run, .done = done, .release = release};

static void ask(struct worker *w, int64_t expected, int slot, int *left)
{
    static const char owner;
    struct counting *c = calloc(1, sizeof(*c));
    assert_non_null(c);
    c->expected = expected;
    c->left = left;
    ++*left;
    worker_submit(w, &c->job, &ops, &owner, slot);
}

static struct reader *reader_of(struct store *s, int64_t past_seq)
{
    struct error e = {0};
    struct reader *r =
        past_seq ? reader_open_past(s, past_seq, NULL, NULL, &e) : reader_open(s, &e);
    if (!r)
        fail_msg("%s", e.what);
    return r;
}

TEST(test_a_new_reader_serves_later_jobs)
{
    struct worker w;
    struct error e = {0};
    char line[200], *path = scratch_path("turns.db");
    struct store *s = scratch_store(path);
    int left = 0;
    for (int i = 0; i < MEMORIES; i++) {
        snprintf(line, sizeof(line), "{\"ref\":\"note:n-%d\",\"text\":\"number %d\"}", i, i);
        scratch_put(s, line);
    }
    assert_int_equal(worker_open(&w, s, &e), 0);
    for (int i = 0; i < TURNS; i++) {
        int64_t past_seq = i % 3 ? 1 + i % MEMORIES : 0;
        ask(&w, -1, i % 4, &left);
        worker_set_reader(&w, reader_of(s, past_seq));
        if (i % 5 == 0) /* a reader that is never used */
            worker_set_reader(&w, reader_of(s, past_seq));
        ask(&w, past_seq ? past_seq : MEMORIES, 4, &left);
        if (i % 7 == 0)
            worker_cancel_all(&w);
        if (i % 2)
            worker_deliver(&w);
        if (i % 11 == 0)
            worker_wait(&w);
    }
    while (!worker_idle(&w)) {
        worker_wait(&w);
        worker_deliver(&w);
    }
    assert_int_equal(left, 0);
    worker_set_reader(&w, reader_of(s, 7));
    ask(&w, -1, 0, &left);
    worker_set_reader(&w, reader_of(s, 0)); /* end while it works */
    worker_close(&w);
    assert_int_equal(left, 0);
    store_close(s);
    free(path);
}
