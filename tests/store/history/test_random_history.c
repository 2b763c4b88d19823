/*
 * A long random history of all operations except purge, by two persons and an agent. The history
 * must show the memories as they were read after each event, and undoing all events in reverse
 * order must restore the first state.
 */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <unistd.h>
#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "store/ops/add.h"
#include "store/history/history.h"
#include "store/export/export.h"
#include "store/import/import.h"
#include "store/open.h"
#include "store/ops/operation.h"
#include "store/record/get.h"
#include "store/txn/txn.h"
#include "tests/support/findings.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define EVENTS    5000
#define MEMORIES  40
#define OF_A_JOB  60 /* operations that share a commit */
#define BATCH_MAX 400

static const struct actor actors[] = {{ACTOR_PERSON, "ann", NULL, "explorer", NULL, 0, NULL},
                                      {ACTOR_PERSON, "bob", NULL, "command", NULL, 0, NULL},
                                      {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0, NULL}};

struct world {
    struct store *s;
    struct reader *reader;
    char *import_path;
    struct random random;
    int64_t nodes; /* rows of memories to choose from: 1 to this */
    char **left;   /* [seq] the line of the memory after that event; NULL: a stub */
    size_t left_alloc;
    int64_t last; /* the last event in `left` */
    size_t done[OPERATION_COUNT], added, imported;
    struct arena arena; /* cleared before each operation */
};

static struct world w;

/* ---- memories after each event ---- */

static char *line_of(const struct memory *m)
{
    struct strbuf line = STRBUF_INIT;
    memory_json_write(&line, m, NULL);
    return strbuf_detach(&line, NULL);
}

static void keep(int64_t seq, char *line)
{
    if ((size_t)seq >= w.left_alloc) {
        size_t more = (size_t)seq * 2 + 64;
        w.left = realloc(w.left, more * sizeof(*w.left));
        assert_non_null(w.left);
        memset(w.left + w.left_alloc, 0, (more - w.left_alloc) * sizeof(*w.left));
        w.left_alloc = more;
    }
    assert_null(w.left[seq]);
    w.left[seq] = line;
    w.last = seq > w.last ? seq : w.last;
}

/* The line of a memory in the store. */
static char *stored_line(struct db *db, int64_t node)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct error e;
    assert_int_equal(memory_read_db(db, &arena, node, &m, &e), 0);
    return m.status == STATUS_MISSING ? NULL : line_of(&m);
}

/* The store has the state after the last change of a plan. Earlier states come from the plan. */
static void keep_plan(struct txn *t, const struct plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct planned *c = &p->change[i];
        int64_t node = c->after ? c->after->node : c->before->node;
        bool again = false;
        for (size_t k = i + 1; k < p->count && !again; k++)
            again = (p->change[k].before ? p->change[k].before->node : p->change[k].after->node) ==
                    node;
        char *line = again ? (c->after ? line_of(c->after) : NULL) : stored_line(txn_db(t), node);
        assert_int_equal(!line, !c->after);
        keep(w.last + 1, line);
        w.nodes = node > w.nodes ? node : w.nodes;
    }
    assert_int_equal(w.last, t->last_seq);
}

/* ---- random requests ---- */

struct asked {
    struct request q;
    const char *refs[4], *evidence[3], *contradicts[2];
    int64_t nodes[4];
    const char *tags[3];
    struct seed seeds[2];
};

static int64_t any_node(void)
{
    return 1 + (int64_t)random_below(&w.random, (uint32_t)w.nodes);
}

static const char *any_ref(struct txn *t)
{
    struct memory m;
    struct error e;
    AUTO_STRBUF ref = STRBUF_INIT;
    assert_int_equal(memory_read_db(txn_db(t), &w.arena, any_node(), &m, &e), 0);
    ref_add(&ref, m.ref);
    return arena_strdup(&w.arena, ref.buf);
}

static const char *any_text(void)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addf(&text, "said %s", random_text(&w.random, &w.arena, 6));
    return arena_strdup(&w.arena, text.buf);
}

static double any_share(void)
{
    return (double)random_below(&w.random, 1001) / 1000;
}

static void ask_edit(struct asked *a)
{
    static const char *const fields[] = {"{\"x\":1}", "{\"x\":null,\"y\":[2]}", "{\"z\":\"s\"}"};
    struct request *q = &a->q;
    q->node_count = 1;
    if (random_chance(&w.random, 60))
        q->text = any_text();
    if (random_chance(&w.random, 40))
        q->confidence = any_share();
    if (random_chance(&w.random, 30)) {
        q->tags = a->tags;
        q->tags_given = true;
        q->tag_count = random_below(&w.random, 3);
        for (size_t i = 0; i < q->tag_count; i++)
            a->tags[i] = i ? "tag" : any_text();
    }
    if (random_chance(&w.random, 20))
        q->fields = fields[random_below(&w.random, 3)];
    if (random_chance(&w.random, 20))
        q->source = any_text();
    if (!q->text && isnan(q->confidence) && !q->tags_given)
        q->text = any_text();
    q->text_len = q->text ? strlen(q->text) : 0;
}

static void ask_evidence(struct asked *a, struct txn *t, size_t count)
{
    a->q.evidence = a->evidence;
    a->q.evidence_count = count;
    for (size_t i = 0; i < count; i++)
        a->evidence[i] = random_chance(&w.random, 80) ? any_ref(t) : "context:heard it";
}

static void ask_seed(struct asked *a)
{
    a->q.node_count = 0;
    a->q.seeds = a->seeds;
    a->q.seed_count = 1 + random_below(&w.random, 2);
    for (size_t i = 0; i < a->q.seed_count; i++) {
        const char *text = any_text();
        a->seeds[i] = (struct seed){.text = text, .len = strlen(text), .confidence = any_share()};
    }
}

static void ask_mark(struct asked *a)
{
    static const char *const flags[] = {"reviewed", "for_review", "poisoned", "planted"};
    a->q.flag = flags[random_below(&w.random, 4)];
}

/* Any event, sometimes one of an agent, of an import, or an undone one. */
static void ask_undo(struct asked *a, bool redo)
{
    a->q.node_count = 0;
    if (redo || random_chance(&w.random, 70))
        return;
    a->nodes[0] = 1 + (int64_t)random_below(&w.random, (uint32_t)w.last);
    a->q.seqs = a->nodes;
    a->q.seq_count = 1;
}

static void ask(struct asked *a, enum operation op, struct txn *t)
{
    *a = (struct asked){.q = REQUEST_INIT};
    a->q.nodes = a->nodes;
    a->q.node_count = 1;
    if (op_spec(op)->many && random_chance(&w.random, 20))
        a->q.node_count = 1 + random_below(&w.random, 4);
    for (size_t i = 0; i < 4; i++)
        a->nodes[i] = any_node();
    if (random_chance(&w.random, 50))
        a->q.reason = any_text();
    if (op == OPERATION_EDIT)
        ask_edit(a);
    if (op == OPERATION_PROMOTE)
        a->q.as = random_chance(&w.random, 50) ? KIND_BELIEF : KIND_NOTE;
    if (op == OPERATION_REPLACE)
        a->q.text = any_text(), a->q.text_len = strlen(a->q.text);
    if (op == OPERATION_RESOLVE)
        a->q.node_count = 2;
    if (op == OPERATION_MERGE)
        a->q.into = any_ref(t);
    if (op == OPERATION_REINFORCE)
        ask_evidence(a, t, random_below(&w.random, 2));
    if (op == OPERATION_REVISE || op == OPERATION_CONSOLIDATE)
        ask_evidence(a, t, 1 + random_below(&w.random, 2));
    if (op == OPERATION_REVISE && random_chance(&w.random, 50)) {
        a->contradicts[0] = any_ref(t);
        a->q.contradicts = a->contradicts;
        a->q.contradict_count = 1;
    }
    if (op == OPERATION_SEED)
        ask_seed(a);
    if (op == OPERATION_REPAIR_ORIGINS)
        a->q.node_count = 0; /* the whole store */
    if (op == OPERATION_FLAG || op == OPERATION_UNFLAG)
        ask_mark(a);
    if (op == OPERATION_UNDO || op == OPERATION_REDO)
        ask_undo(a, op == OPERATION_REDO);
}

/* ---- running operations ---- */

static void add_one(struct txn *t)
{
    static const enum kind kinds[] = {KIND_RAW, KIND_EPISODE, KIND_BELIEF, KIND_NOTE};
    struct error e;
    struct added added;
    const char *from[] = {any_ref(t)};
    struct add_request request = {.kind = kinds[random_below(&w.random, 4)],
                                  .text = any_text(),
                                  .agent_id = "ash",
                                  .confidence = NAN,
                                  .context = random_chance(&w.random, 30) ? "kernle_seed" : NULL,
                                  .derived_from = from,
                                  .derived_count = random_below(&w.random, 2)};
    const struct actor *actor = &actors[random_below(&w.random, 3)];
    if (add_memory(t, actor, &request, strlen(request.text), &w.arena, &added, &e))
        fail_msg("%s", e.what);
    keep(t->last_seq, stored_line(txn_db(t), added.node));
    w.nodes = added.node > w.nodes ? added.node : w.nodes;
    w.added++;
}

/* The preview fails first, so that a refused plan changes nothing. */
static bool operate(struct txn *t, const struct actor *actor, enum operation op,
                    const struct request *q)
{
    struct plan plan;
    struct error e = {0};
    if (operation_preview(txn_reader(t, &e), actor, op, q, &w.arena, &plan, &e)) {
        assert_true(e.what[0] && e.code != ERROR_STORE);
        return false;
    }
    if (plan.count > BATCH_MAX)
        return false;
    if (operation_in(t, actor, op, q, &w.arena, &plan, &e))
        fail_msg("%s: %s", op_spec(op)->name, e.what);
    keep_plan(t, &plan);
    w.done[op] += plan.count > 0;
    return plan.count > 0;
}

static int some_operations(struct txn *t, void *arg, struct error *e)
{
    (void)arg, (void)e;
    for (int i = 0; i < OF_A_JOB; i++) {
        struct asked a;
        arena_clear(&w.arena);
        if (random_chance(&w.random, 8)) {
            add_one(t);
            continue;
        }
        /* Half of them add or change; most of the others remove something. */
        enum operation op = (enum operation)random_below(
            &w.random, random_chance(&w.random, 50) ? OPERATION_RETRACT : OPERATION_COUNT);
        if (op == OPERATION_PURGE)
            continue;
        ask(&a, op, t);
        const struct actor *actor =
            &actors[random_below(&w.random, random_chance(&w.random, 60) ? 2 : 3)];
        enum operation next = op == OPERATION_UNDO   ? OPERATION_REDO
                              : op == OPERATION_FLAG ? OPERATION_UNFLAG
                                                     : OPERATION_COUNT;
        if (operate(t, actor, op, &a.q) && next < OPERATION_COUNT && random_chance(&w.random, 50)) {
            a.q.seq_count = 0;
            operate(t, actor, next, &a.q);
        }
    }
    return 0;
}

static void ignore_line(void *arg, const char *line)
{
    (void)arg, (void)line;
}

/* An import is read once it is done. */
static void keep_imported(int64_t after)
{
    struct event *events;
    size_t count;
    struct error e;
    assert_int_equal(journal_read(w.reader, &w.arena, after, SIZE_MAX, &events, &count, &e), 0);
    for (size_t i = 0; i < count; i++) {
        keep(events[i].seq, stored_line(reader_db(w.reader), events[i].subject));
        w.nodes = events[i].subject > w.nodes ? events[i].subject : w.nodes;
        w.imported++;
    }
}

/* A file of a few lines; some of them differ from the last time. */
static void import_some(void)
{
    AUTO_STRBUF lines = STRBUF_INIT;
    struct error e;
    struct import_summary summary = {0};
    struct import_options options = {.agent = "ash", .actor = "ann", .report = ignore_line};
    for (int i = 0; i < 6; i++)
        strbuf_addf(&lines,
                    "{\"ref\":\"note:imported-%d\",\"agent_id\":\"ash\",\"created_at\":5,"
                    "\"text\":\"said %u\",\"derived_from\":[\"raw:imported-%d\"]}\n",
                    i * (int)random_below(&w.random, 50), random_below(&w.random, 3), i);
    scratch_write(w.import_path, lines.buf, lines.len);
    if (import_source_run(&jsonl_format, w.s, w.import_path, &options, &summary, &e))
        fail_msg("%s", e.what);
    keep_imported(w.last);
}

/* ---- the first state ---- */

static void fill(void)
{
    static const char *const kinds[] = {"raw", "episode", "belief", "note"};
    AUTO_STRBUF line = STRBUF_INIT;
    for (int i = 0; i < MEMORIES; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"%s:m%d\",\"agent_id\":\"ash\",\"text\":\"memory %d\","
                    "\"created_at\":%d,\"derived_from\":[%s\"%s:m%d\"]%s}",
                    kinds[i % 4], i, i, i, i > 3 ? "\"episode:m1\"," : "",
                    kinds[i > 3 ? (i - 3) % 4 : 1], i > 3 ? i - 3 : 1,
                    i % 5 == 0 ? ",\"detail\":{\"x\":0},\"tags\":[\"t\"]" : "");
        w.nodes = scratch_put(w.s, line.buf);
    }
    scratch_put(w.s, "{\"ref\":\"attribution:a\",\"agent_id\":\"ash\",\"text\":\"found\","
                     "\"detail\":{\"source_type\":\"web\"}}");
}

static int add_line(void *arg, const char *line, size_t len)
{
    struct strbuf *all = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct error e;
    assert_int_equal(memory_json_read(&m, &arena, line, len, NULL, 0, NULL, &e), 0);
    m.version = 1;
    m.updated_at = 0;
    memory_json_write(all, &m, NULL);
    strbuf_addch(all, '\n');
    return 0;
}

/* All memories, without their versions and change times. */
static char *everything(void)
{
    struct strbuf all = STRBUF_INIT;
    struct error e;
    assert_int_equal(export_jsonl(w.reader, add_line, &all, NULL, &e), 0);
    return strbuf_detach(&all, NULL);
}

/* ---- the history ---- */

struct walked {
    char *before; /* the state before the event shown last; NULL: a stub */
    size_t count;
    bool first;
};

static void expect_line(int64_t seq, const struct memory *m, const char *expected)
{
    AUTO_FREE char *line = m ? line_of(m) : NULL;
    if (!line != !expected || (line && strcmp(line, expected) != 0))
        fail_msg("event %lld: %s\nis not\n%s", (long long)seq, line ? line : "a stub",
                 expected ? expected : "a stub");
}

static int64_t undone_by(int64_t seq)
{
    struct error e;
    return history_undone_by(w.reader, seq, &e);
}

static int check_revision(void *arg, const struct revision *r)
{
    struct walked *t = arg;
    if (r->event.seq <= w.last)
        expect_line(r->event.seq, r->after, w.left[r->event.seq]);
    assert_int_equal(r->undone_by, undone_by(r->event.seq));
    /* The state after this event is the state before the event shown last. */
    AUTO_FREE char *left = r->after ? line_of(r->after) : NULL;
    if (!t->first)
        assert_true(t->before ? left && strcmp(left, t->before) == 0 : !left);
    free(t->before);
    t->before = r->before ? line_of(r->before) : NULL;
    t->first = false;
    t->count++;
    return 0;
}

static size_t expect_history(int64_t node)
{
    struct walked t = {.first = true};
    struct error e;
    if (history_walk(w.reader, node, check_revision, &t, &e))
        fail_msg("%s", e.what);
    assert_null(t.before); /* before the first event there was nothing */
    return t.count;
}

static void expect_histories(void)
{
    struct error e;
    size_t told = 0;
    assert_int_equal(reader_begin(w.reader, &e), 0);
    for (int64_t node = 1; node <= w.nodes; node++)
        told += expect_history(node);
    reader_end(w.reader);
    assert_true(told >= (size_t)w.last - 5);
}

/* ---- undoing everything ---- */

struct undoing {
    int64_t next, first; /* the newest event not yet undone, and the last one to undo */
};

static int undo_some(struct txn *t, void *arg, struct error *e)
{
    struct undoing *undoing = arg;
    for (int i = 0; i < OF_A_JOB && undoing->next >= undoing->first; i++) {
        struct plan plan;
        int64_t seq = undoing->next, *batch;
        size_t count;
        arena_clear(&w.arena);
        struct request q = REQUEST_INIT;
        q.seqs = &seq;
        q.seq_count = 1;
        assert_int_equal(history_batch(txn_reader(t, e), &w.arena, seq, &batch, &count, e), 0);
        assert_int_equal(batch[0], seq);
        assert_int_equal(batch[count - 1], seq - (int64_t)count + 1);
        if (operation_in(t, &actors[1], OPERATION_UNDO, &q, &w.arena, &plan, e))
            fail_msg("event %lld: %s", (long long)seq, e->what);
        assert_int_equal(plan.count, count);
        undoing->next -= (int64_t)count;
    }
    return 0;
}

static void expect_all_done(void)
{
    assert_true(w.added > 100 && w.imported > 50);
    for (int op = 0; op < OPERATION_COUNT;
         op++) /* a release needs a quarantine that was not undone */
        if (w.done[op] < (op == OPERATION_RELEASE ? 5 : 10) && op != OPERATION_PURGE)
            fail_msg("%s was done %zu times", op_spec((enum operation)op)->name, w.done[op]);
}

TEST(every_change_is_in_the_history_and_can_be_undone)
{
    struct error e;
    AUTO_FREE char *path = scratch_path("random.db");
    w = (struct world){.s = scratch_store(path), .random = {20261120}};
    w.import_path = scratch_path("some.jsonl");
    w.reader = reader_open(w.s, &e);
    fill();
    AUTO_FREE char *first = everything();
    int64_t begun = journal_last(w.reader, &e);
    keep_imported(0);
    w.imported = 0;
    while (w.last < begun + EVENTS) {
        if (store_run(w.s, some_operations, NULL, &e))
            fail_msg("%s", e.what);
        arena_clear(&w.arena);
        import_some();
    }
    expect_all_done();
    expect_sound(w.reader);
    expect_histories();
    struct undoing undoing = {w.last, begun + 1};
    while (undoing.next >= undoing.first)
        if (store_run(w.s, undo_some, &undoing, &e))
            fail_msg("%s", e.what);
    AUTO_FREE char *again = everything();
    assert_string_equal(again, first);
    expect_sound(w.reader);
    expect_histories();
    for (int64_t i = 0; i <= w.last; i++)
        free(w.left[i]);
    free(w.left);
    arena_release(&w.arena);
    reader_close(w.reader);
    store_close(w.s);
    free(w.import_path);
}
