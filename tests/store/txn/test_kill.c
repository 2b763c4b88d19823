/*
 * Kills a writing process with kill -9, again and again. Acknowledged changes must exist, no change may
 * exist in part, and the next writer must work. The processes write single jobs, slices, and bulk
 * loads with dropped indexes.
 */
#include "tests/support/scratch.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "store/ops/add.h"
#include "store/db/db.h"
#include "store/db/schema.h"
#include "store/open.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "tests/support/findings.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define ROUNDS       RANDOM_ROUNDS(100)
#define ROUNDS_EACH  5 /* rounds on one store; more would make fsck slow */
#define SLICE        40
#define ACKNOWLEDGED 64 /* size of one message: a pipe takes all of it or nothing */

/* ---- in the child ---- */

struct child {
    struct store *s;
    int out, round;
};

static void acknowledge(const struct child *c, const char *ref)
{
    char line[ACKNOWLEDGED] = {0};
    snprintf(line, sizeof(line), "%s", ref);
    if (write(c->out, line, sizeof(line)) != sizeof(line))
        _exit(1);
}

static void *write_singly(void *arg)
{
    const struct child *c = arg;
    struct arena arena = ARENA_INIT;
    struct added added;
    struct error e;
    char text[64], ref[ACKNOWLEDGED];
    const char *from[] = {"raw:never"};
    for (int i = 0;; i++) {
        snprintf(text, sizeof(text), "single %d %d", c->round, i);
        struct add_request request = {.kind = KIND_BELIEF,
                                      .text = text,
                                      .confidence = NAN,
                                      .derived_from = from,
                                      .derived_count = 1};
        if (store_add(c->s, &scratch_actor, &request, strlen(text), &arena, &added, &e))
            _exit(1);
        snprintf(ref, sizeof(ref), "belief:%s", added.ref.id);
        acknowledge(c, ref);
        arena_clear(&arena);
    }
}

struct slice {
    int round, number;
    bool bulk;
};

static int run_slice(struct txn *t, void *arg, struct error *e)
{
    const struct slice *s = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int result = s->bulk ? schema_drop_indexes(txn_db(t), e) : 0;
    for (int i = 0; i < SLICE && result == 0; i++) {
        char line[256];
        int len = snprintf(line, sizeof(line),
                           "{\"ref\":\"note:%d-%d-%d\",\"text\":\"slice\",\"derived_from\":"
                           "[\"note:%d-%d-%d\"]}",
                           s->round, s->number, i, s->round, s->number, (i + 7) % SLICE);
        arena_clear(&arena);
        result = memory_json_read(&m, &arena, line, (size_t)len, "ash", 0, NULL, e);
        if (result == 0)
            result = txn_put(t, &scratch_actor, "import", NULL, &m, NULL, e);
    }
    if (result == 0 && s->bulk)
        result = schema_create_indexes(txn_db(t), e);
    return result;
}

static void *write_slices(void *arg)
{
    const struct child *c = arg;
    struct error e;
    for (int i = 0;; i++) {
        struct slice slice = {c->round, i, i % 2 == 1};
        if ((slice.bulk ? store_run_alone : store_run)(c->s, run_slice, &slice, &e))
            _exit(1);
        for (int k = 0; k < SLICE; k++) {
            char ref[ACKNOWLEDGED];
            snprintf(ref, sizeof(ref), "note:%d-%d-%d", c->round, i, k);
            acknowledge(c, ref);
        }
    }
}

static void child(const char *path, int round, int out)
{
    struct child c = {scratch_store(path), out, round};
    pthread_t thread;
    pthread_create(&thread, NULL, write_slices, &c);
    write_singly(&c);
}

/* ---- in the parent ---- */

/* Reads the acknowledgements, kills the process `delay` ms after the first, and returns them all. */
static void run_and_kill(const char *path, int round, int delay, struct strbuf *acknowledged)
{
    int out[2];
    assert_int_equal(pipe(out), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(out[0]);
        child(path, round, out[1]);
    }
    close(out[1]);
    struct pollfd ready = {out[0], POLLIN, 0};
    assert_int_equal(poll(&ready, 1, 60000), 1);
    usleep((useconds_t)delay * 1000);
    assert_int_equal(kill(pid, SIGKILL), 0);
    char bytes[65536];
    ssize_t len;
    while ((len = read(out[0], bytes, sizeof(bytes))) > 0)
        strbuf_add(acknowledged, bytes, (size_t)len);
    close(out[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status)); /* killed while writing; it had not given up */
    assert_int_equal(acknowledged->len % ACKNOWLEDGED, 0);
}

static void check(const char *path, const struct strbuf *acknowledged)
{
    struct error e;
    int64_t half;
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    for (size_t i = 0; i < acknowledged->len; i += ACKNOWLEDGED) {
        struct ref ref;
        assert_int_equal(ref_parse(acknowledged->buf + i, &ref), REF_MEMORY);
        if (ref_find(reader_db(r), ref, &e) <= 0)
            fail_msg("%s was acknowledged and is lost", acknowledged->buf + i);
    }
    expect_sound(r);
    /* A slice exists completely or not at all. */
    assert_int_equal(db_int(reader_db(r), &half, 0, &e,
                            "SELECT count(*) % ? FROM memory WHERE kind = ? AND status <> 7", "ii",
                            (int64_t)SLICE, (int64_t)KIND_NOTE),
                     0);
    assert_int_equal(half, 0);
    reader_close(r);
    store_close(s);
}

TEST(nothing_acknowledged_is_lost)
{
    char *path = NULL;
    AUTO_STRBUF acknowledged = STRBUF_INIT;
    size_t all = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (round % ROUNDS_EACH == 0) {
            free(path);
            path = scratch_path("killed.db");
            strbuf_clear(&acknowledged);
        }
        size_t had = acknowledged.len;
        run_and_kill(path, round, round * 7 % 23, &acknowledged);
        all += acknowledged.len - had;
        check(path, &acknowledged);
    }
    assert_true(all / ACKNOWLEDGED > ROUNDS);
    free(path);
}
