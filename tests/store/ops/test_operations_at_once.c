/* Two processes run random operations on the same few memories. No acknowledged change may be lost,
 * and no change based on an old version may be accepted. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/ops/operation.h"
#include "store/query/ref.h"
#include "tests/support/findings.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define MEMORIES    3
#define OPERATIONS  150 /* per process */
#define CHANGES_MAX (4 * OPERATIONS)

static const char *program;

/* A change that was acknowledged to a process. */
struct done {
    int64_t node, version, event, expected; /* expected 0: any version */
    int op;
    char flag[24];
};

/* ---- in the child ---- */

struct hand {
    struct store *s;
    struct reader *reader;
    struct arena arena;
    struct actor actor;
    struct random random;
    bool undoes;
    int number;
};

static int failed(const char *what, const struct error *e)
{
    fprintf(stderr, "%s: %s\n", what, e->what);
    return -1;
}

static int tell(const struct plan *p, enum operation op, const struct request *q)
{
    for (size_t i = 0; i < p->count; i++) {
        struct done d = {.node = p->change[i].after->node,
                         .version = p->change[i].after->version,
                         .event = p->change[i].event,
                         .expected = q->expected_version,
                         .op = (int)op};
        snprintf(d.flag, sizeof(d.flag), "%s", q->flag ? q->flag : "");
        if (fwrite(&d, sizeof(d), 1, stdout) != 1)
            return -1;
    }
    return 0;
}

/* A change that is not made must fail with the right error. */
static int do_it(struct hand *h, enum operation op, const struct request *q, bool stale)
{
    struct plan p;
    struct error e = {0};
    int result = operation_run_now(h->s, &h->actor, op, q, &h->arena, &p, &e);
    if (result == 0 && stale)
        return failed("a stale edit was taken", &e);
    if (result == 0)
        return tell(&p, op, q);
    if (e.code != ERROR_CONFLICT &&
        (stale || (e.code != ERROR_REFUSED && e.code != ERROR_NOT_FOUND)))
        return failed(op_spec(op)->name, &e);
    return 0;
}

static const enum operation deeds[] = {
    OPERATION_EDIT,    OPERATION_EDIT,        OPERATION_REINFORCE, OPERATION_FLAG,
    OPERATION_APPROVE, OPERATION_CONSOLIDATE, OPERATION_RETRACT,   OPERATION_RESTORE,
    OPERATION_RESTORE, OPERATION_LOCK,        OPERATION_UNLOCK,    OPERATION_UNDO,
};

static int one_deed(struct hand *h)
{
    static const char *const refs[MEMORIES] = {"belief:a", "belief:b", "belief:c"};
    static const char *evidence[] = {"consolidation:2026-02-01"};
    char text[64], flag[24];
    struct memory m;
    struct error e = {0};
    struct request q = REQUEST_INIT;
    const char *ref = refs[random_below(&h->random, MEMORIES)];
    uint32_t count = sizeof(deeds) / sizeof(deeds[0]) - !h->undoes;
    enum operation op = deeds[random_below(&h->random, count)];
    bool stale = false;
    snprintf(text, sizeof(text), "%s %d", h->actor.name, h->number);
    snprintf(flag, sizeof(flag), "%s%d", h->actor.name, h->number);
    q.refs = &ref;
    q.ref_count = op != OPERATION_UNDO;
    q.evidence = evidence;
    q.evidence_count = op == OPERATION_REINFORCE || op == OPERATION_CONSOLIDATE;
    q.flag = op == OPERATION_FLAG ? flag : NULL;
    if (op == OPERATION_EDIT) {
        int64_t row = ref_resolve(h->reader, ref, &e);
        if (row < 0 || memory_read(h->reader, &h->arena, row, &m, &e))
            return failed("read", &e);
        stale = m.version > 1 && random_chance(&h->random, 20);
        q.text = text;
        q.text_len = strlen(text);
        q.expected_version = m.version - stale;
    }
    return do_it(h, op, &q, stale);
}

static int child(const char *path, const char *name, bool undoes)
{
    struct error e;
    char go;
    struct hand h = {.arena = ARENA_INIT,
                     .actor = {.class = ACTOR_PERSON, .name = name, .origin = "command"},
                     .random = {(uint64_t)(unsigned char)*name * 7919},
                     .undoes = undoes};
    h.s = store_open(path, &(struct store_options){0}, NULL, &e);
    h.reader = h.s ? reader_open(h.s, &e) : NULL;
    if (!h.reader)
        return failed("open", &e);
    /* Both start when the parent says so. */
    if (read(STDIN_FILENO, &go, 1) < 0)
        return 1;
    int result = 0;
    for (; h.number < OPERATIONS && result == 0; h.number++) {
        result = one_deed(&h);
        arena_clear(&h.arena);
    }
    arena_release(&h.arena);
    reader_close(h.reader);
    store_close(h.s);
    return fflush(stdout) || result ? 1 : 0;
}

/* ---- in the parent ---- */

struct process {
    pid_t pid;
    int in;
    FILE *out;
};

static struct process start(const char *path, const char *name, bool undoes)
{
    int in[2], out[2];
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execl(program, program, path, name, undoes ? "undo" : "", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (struct process){pid, in[1], fdopen(out[0], "r")};
}

static size_t finish(struct process *p, struct done *all, size_t count)
{
    int status;
    while (count < CHANGES_MAX && fread(&all[count], sizeof(*all), 1, p->out) == 1)
        count++;
    fclose(p->out);
    assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    return count;
}

/* Each change made one version, and there are no others, so none overwrote another. */
static void check_versions(const struct done *all, size_t count, const struct memory *m)
{
    bool seen[CHANGES_MAX + 2] = {false};
    int64_t changes = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].node != m->node)
            continue;
        assert_in_range(all[i].version, 2, CHANGES_MAX + 1);
        assert_false(seen[all[i].version]);
        seen[all[i].version] = true;
        changes++;
        if (all[i].expected)
            assert_int_equal(all[i].version, all[i].expected + 1);
    }
    assert_int_equal(m->version, 1 + changes);
}

/* Nothing that was added to the memory is missing. */
static void check_kept(const struct done *all, size_t count, const struct memory *m)
{
    int64_t reinforced = 0, times = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].node != m->node)
            continue;
        reinforced += all[i].op == OPERATION_REINFORCE || all[i].op == OPERATION_CONSOLIDATE;
        if (all[i].op != OPERATION_FLAG)
            continue;
        size_t found = 0;
        for (size_t k = 0; k < m->flag_count; k++)
            found += strcmp(m->flags[k].name, all[i].flag) == 0;
        assert_int_equal(found, 1);
    }
    struct json_slice said = json_member(m->detail ? m->detail : "{}",
                                         m->detail ? strlen(m->detail) : 2, "times_reinforced");
    if (said.ptr)
        assert_int_equal(json_integer(said, &times), 0);
    assert_int_equal(times, reinforced);
    assert_int_equal(m->history_count, reinforced);
}

static void check(const char *path, const struct done *all, size_t count, bool undoes)
{
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct store *s = store_open(path, &(struct store_options){0}, NULL, &e);
    struct reader *r = reader_open(s, &e);
    for (int64_t row = 1; row <= MEMORIES; row++) {
        assert_int_equal(memory_read(r, &arena, row, &m, &e), 0);
        check_versions(all, count, &m);
        if (!undoes)
            check_kept(all, count, &m);
    }
    assert_int_equal(journal_last(r, &e), MEMORIES + (int64_t)count);
    expect_sound(r);
    reader_close(r);
    store_close(s);
}

static void two_at_once(bool undoes)
{
    static struct done all[CHANGES_MAX];
    AUTO_FREE char *path = scratch_path(undoes ? "undone.db" : "done.db");
    struct store *s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"belief:a\",\"text\":\"a\",\"confidence\":0.1}");
    scratch_put(s, "{\"ref\":\"belief:b\",\"text\":\"b\",\"confidence\":0.1}");
    scratch_put(s, "{\"ref\":\"belief:c\",\"text\":\"c\",\"confidence\":0.1}");
    store_close(s);
    struct process one = start(path, "one", undoes), two = start(path, "two", undoes);
    close(one.in);
    close(two.in);
    size_t count = finish(&one, all, 0);
    size_t both = finish(&two, all, count);
    assert_true(count > OPERATIONS / 4 && both - count > OPERATIONS / 4);
    check(path, all, both, undoes);
}

TEST(nothing_acknowledged_is_lost)
{
    two_at_once(false);
}

TEST(nothing_acknowledged_is_lost_with_undo)
{
    two_at_once(true);
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc == 4)
        return child(argv[1], argv[2], *argv[3] != '\0');
    return tests_run();
}
