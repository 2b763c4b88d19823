/*
 * Makes the store that bench_chains reads: bench_generate_chains COUNT PATH.
 *
 * First a chain of 200 steps that used 2,000 sources, then COUNT chains of four steps with two to
 * three sources each, written as cot_record writes them. A document `handbook` that says the same in
 * every chain, and a document `frontpage` that says something else in each, so that COUNT steps use
 * either. A hundred chains share a question; from every tenth chain a belief is concluded. The same
 * COUNT gives the same chains.
 */
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/reasoning/reasoning.h"

#define SLICE       500 /* chains in a transaction */
#define STEPS       4
#define LARGE_STEPS 200
#define LARGE_EACH  10 /* sources of each of its steps */

static uint64_t hash(uint64_t a, uint64_t b)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xbf58476d1ce4e5b9) + 7;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void add_words(struct strbuf *out, uint64_t of, unsigned count)
{
    static const char *const words[] = {"the",   "deploy",  "queue",  "lease", "never", "worker",
                                        "lock",  "staging", "failed", "when",  "drain", "before",
                                        "after", "table",   "wrote",  "agent"};
    for (unsigned i = 0; i < count; i++)
        strbuf_addf(out, "%s%s", i ? " " : "", words[hash(of, i) % 16]);
}

static void add_source(struct strbuf *out, const char *id, uint64_t number, uint64_t content,
                       unsigned chunk)
{
    strbuf_addf(out, "{\"document_id\":\"%s%llu\",\"title\":\"Document %llu\",\"score\":0.%02u,",
                id, (unsigned long long)number, (unsigned long long)number,
                (unsigned)(10 + hash(content, number) % 90));
    strbuf_addf(out, "\"chunk_index\":%u,\"content\":\"", chunk);
    add_words(out, content, 20);
    strbuf_addf(out, " %llu\"}", (unsigned long long)content);
}

static void begin_step(struct strbuf *out, uint64_t chain, unsigned number)
{
    strbuf_addf(out, "%s{\"step_number\":%u,\"question\":\"", number > 1 ? "," : "", number);
    add_words(out, hash(chain, number), 9);
    strbuf_addstr(out, "?\",\"intermediate_answer\":\"");
    add_words(out, hash(chain, number) + 1, 12);
    strbuf_addstr(out, "\",\"reasoning_trace\":\"");
    add_words(out, hash(chain, number) + 2, 12);
    strbuf_addf(out, "\",\"confidence_score\":0.%02u,\"execution_time\":0.%u,",
                (unsigned)(50 + hash(chain, number) % 50), (unsigned)(1 + hash(chain, number) % 9));
    strbuf_addstr(out, "\"retrieved_documents\":[");
}

/* ---- chains ---- */

static void make_large(struct strbuf *out)
{
    strbuf_addstr(out, "{\"original_question\":\"the large chain\",\"final_answer\":\"so\","
                       "\"reasoning_steps\":[");
    for (unsigned n = 1; n <= LARGE_STEPS; n++) {
        begin_step(out, UINT64_MAX, n);
        for (unsigned k = 0; k + 1 < LARGE_EACH; k++) {
            add_source(out, "large-", n * LARGE_EACH + k, n * LARGE_EACH + k, k);
            strbuf_addch(out, ',');
        }
        add_source(out, n % 2 ? "handbook" : "frontpage", 0, n % 2 ? 0 : UINT64_MAX - n, 0);
        strbuf_addstr(out, "]}");
    }
    strbuf_addstr(out, "]}");
}

static void make_chain(struct strbuf *out, uint64_t i, uint64_t documents)
{
    strbuf_addstr(out, "{\"original_question\":\"");
    add_words(out, i / 100, 12);
    strbuf_addf(out, " %llu?\",\"final_answer\":\"", (unsigned long long)(i / 100));
    add_words(out, i + 5, 15);
    strbuf_addf(out, "\",\"reasoning_strategy\":\"%s\",\"reasoning_steps\":[",
                i % 2 ? "decomposition" : "iterative");
    for (unsigned n = 1; n <= STEPS; n++) {
        uint64_t first = hash(i, n) % documents, second = hash(i, n + 100) % documents;
        begin_step(out, i, n);
        add_source(out, "doc-", first, first, (unsigned)(i % 5));
        strbuf_addch(out, ',');
        add_source(out, "doc-", second, second + (i % 50 == 0), 0);
        if (n <= 2) {
            strbuf_addch(out, ',');
            add_source(out, n == 1 ? "handbook" : "frontpage", 0, n == 1 ? 0 : i + 1000, 0);
        }
        strbuf_addstr(out, "]}");
    }
    strbuf_addstr(out, "]}");
}

/* ---- the store ---- */

struct slice {
    uint64_t first, end, count;
};

static const struct actor actor = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0};

static int record(struct txn *t, struct arena *arena, struct strbuf *json, int64_t *step,
                  struct error *e)
{
    struct chain_recorded r;
    struct json_slice whole = {json->buf, json->len};
    if (json->failed)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    if (chain_record(t, &actor, "add", whole, "ash", arena, &r, e))
        return -1;
    /* Its steps' rows come before the chain's last one, the last of them just before. */
    return db_int(txn_db(t), step, 0, e,
                  "SELECT max(memory) FROM link WHERE target = ? AND shape & 31 = 21", "i",
                  r.chain.node);
}

static int conclude(struct txn *t, struct arena *arena, int64_t step, uint64_t i, struct error *e)
{
    struct strbuf text = STRBUF_INIT, ref = STRBUF_INIT;
    struct memory m;
    struct added added;
    if (memory_read_db(txn_db(t), arena, step, &m, e))
        return -1;
    ref_add(&ref, m.ref);
    add_words(&text, i + 9, 10);
    const char *from = ref.buf;
    struct add_request request = {.kind = KIND_BELIEF,
                                  .text = text.buf,
                                  .agent_id = "ash",
                                  .confidence = NAN,
                                  .derived_from = &from,
                                  .derived_count = 1};
    int result = add_memory(t, &actor, &request, text.len, arena, &added, e);
    strbuf_release(&text);
    strbuf_release(&ref);
    return result;
}

static int put_slice(struct txn *t, void *arg, struct error *e)
{
    struct slice *s = arg;
    struct arena arena = ARENA_INIT;
    struct strbuf json = STRBUF_INIT;
    int result = 0;
    int64_t step;
    for (uint64_t i = s->first; i < s->end && result == 0; i++) {
        arena_clear(&arena);
        strbuf_clear(&json);
        make_chain(&json, i, s->count / 5 + 1);
        result = record(t, &arena, &json, &step, e);
        if (result == 0 && i % 10 == 0)
            result = conclude(t, &arena, step, i, e);
    }
    arena_release(&arena);
    strbuf_release(&json);
    return result;
}

static int put_large(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    struct arena arena = ARENA_INIT;
    struct strbuf json = STRBUF_INIT;
    int64_t step;
    make_large(&json);
    int result = record(t, &arena, &json, &step, e);
    arena_release(&arena);
    strbuf_release(&json);
    return result;
}

static int fill(struct store *s, uint64_t count, struct error *e)
{
    struct slice slice = {.count = count};
    if (store_run(s, put_large, NULL, e))
        return -1;
    for (; slice.first < count; slice.first = slice.end) {
        slice.end = slice.first + SLICE < count ? slice.first + SLICE : count;
        if (store_run(s, put_slice, &slice, e))
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    uint64_t count = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    if (count == 0) {
        fprintf(stderr, "usage: bench_generate_chains COUNT PATH\n");
        return 2;
    }
    struct store *s = store_open(argv[2], &(struct store_options){.create = true}, NULL, &e);
    if (!s || fill(s, count, &e)) {
        fprintf(stderr, "%s: %s\n", argv[2], e.what);
        return 1;
    }
    store_close(s);
    /* As bench_generate. */
    struct db *db = db_open(argv[2], DB_WRITE, &e);
    if (!db || db_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", &e)) {
        fprintf(stderr, "%s: %s\n", argv[2], e.what);
        return 1;
    }
    db_close(db);
    printf("%s: %llu chains\n", argv[2], (unsigned long long)count);
    return 0;
}
