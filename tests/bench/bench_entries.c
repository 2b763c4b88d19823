/*
 * Entries: bench_entries COUNT NAMESPACES PATH makes a store of so many, bench_entries PATH COUNT NAMESPACES measures
 * what reading them takes, and what is put into it: it is given a copy.
 *
 * What getMemory and listMemory ask the store for is measured by the clock, less the time for which this thread waited
 * for a processor. Every list is asked with its total, and what it tells is checked against what was made. Exit status
 * 1 where a bar is missed.
 */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/record/bulk.h"
#include "store/entries/entry.h"
#include "tests/bench/report.h"

#define SLICE    5000 /* entries in a transaction */
#define ROUNDS   500  /* calls of each question */
#define PAGE     50
#define BAR      1.0 /* ms */
#define FIRST_MS INT64_C(1770000000000)
#define LATER_MS INT64_C(4000000000000) /* far behind any day on which this runs */
#define MASKED   50                     /* of so many keys one has personal data */

static struct error error;
static int missed;
static uint64_t count, namespaces;

static void check(bool well, const char *what)
{
    if (well)
        return;
    fprintf(stderr, "bench_entries: %s: %s\n", what, error.what);
    exit(2);
}

static double now_ms(void)
{
    return bench_clock_ms(CLOCK_MONOTONIC) - bench_waited_ms();
}

static uint32_t next_random(void)
{
    static uint64_t state = 20261121;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

/* ---- what is made ---- */

static void name_of(char out[32], uint64_t i)
{
    snprintf(out, 32, "team.n%04llu", (unsigned long long)(i % namespaces));
}

/* The keys of a namespace are numbered from 0. */
static void key_of(char out[64], uint64_t number)
{
    bool masked = number % MASKED == 7;
    snprintf(out, 64, masked ? "user/%07llu/jane@example.com" : "user/%07llu/profile",
             (unsigned long long)number);
}

static int put_one(struct txn *t, struct arena *arena, uint64_t i, struct error *e)
{
    static const struct actor actor = {
        .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "bench"};
    char id[37], name[32], key[64];
    struct strbuf detail = STRBUF_INIT;
    struct memory m;
    snprintf(id, sizeof(id), "%08llx-0000-4000-a000-000000000000", (unsigned long long)i);
    name_of(name, i);
    key_of(key, i / namespaces);
    strbuf_addf(&detail,
                "{\"namespace\":\"%s\",\"key\":\"%s\",\"value\":{\"seen\":%llu,\"prefers\":\"short"
                " answers, with their sources\",\"tags\":[\"a\",\"b\"]}",
                name, key, (unsigned long long)i);
    if (i % 10 == 3)
        strbuf_addf(&detail, ",\"expires_at\":%lld", (long long)(LATER_MS + (int64_t)i));
    strbuf_addch(&detail, '}');
    memory_init(&m, (struct ref){KIND_ENTRY, arena_strdup(arena, id)});
    m.agent_id = "ash";
    m.text = key;
    m.detail = detail.buf;
    m.source_type = "observation";
    m.created_at = m.updated_at = FIRST_MS + (int64_t)i;
    int result = txn_put(t, &actor, "put", NULL, &m, NULL, e);
    strbuf_release(&detail);
    return result;
}

struct slice {
    uint64_t first, end;
};

static int put_slice(struct txn *t, void *arg, struct error *e)
{
    const struct slice *s = arg;
    struct arena arena = ARENA_INIT;
    int result = 0;
    for (uint64_t i = s->first; i < s->end && result == 0; i++) {
        arena_clear(&arena);
        result = put_one(t, &arena, i, e);
    }
    arena_release(&arena);
    return result;
}

static void slice_is_put(void *arg, const struct error *e)
{
    (void)arg;
    if (e->code == ERROR_NONE)
        return;
    error = *e;
    check(false, "an entry was not taken");
}

static int generate(const char *path)
{
    struct bulk bulk;
    struct slice *slices = xcalloc((size_t)(count / SLICE + 1), sizeof(*slices));
    struct store *s = store_open(path, &(struct store_options){.create = true}, NULL, &error);
    check(s, path);
    bulk_init(&bulk);
    check(bulk_begin(&bulk, s, &error) == 0 && bulk_is_open(&bulk), "no bulk load begins");
    for (uint64_t i = 0; i * SLICE < count; i++) {
        slices[i] = (struct slice){i * SLICE, (i + 1) * SLICE < count ? (i + 1) * SLICE : count};
        check(bulk_submit(&bulk, put_slice, slice_is_put, &slices[i], &error) == 0, "it is lost");
    }
    check(bulk_end(&bulk, &error) == 0, "the bulk load does not end");
    bulk_release(&bulk);
    store_close(s);
    free(slices);
    return 0;
}

/* ---- reading ---- */

static struct reader *reader;
static struct pii *pii;

static void report(const char *name, double *took, size_t calls)
{
    char line[120];
    snprintf(line, sizeof(line), "%s, median", name);
    bench_report(line, 0, bench_percentile(took, calls, 50), "ms");
    snprintf(line, sizeof(line), "%s, p99", name);
    missed |= bench_report(line, BAR, bench_percentile(took, calls, 99), "ms");
}

static void bench_get(void)
{
    static double took[ROUNDS];
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < ROUNDS; i++) {
        char name[32], key[64];
        struct entry entry;
        uint64_t at = next_random() % count;
        name_of(name, at);
        key_of(key, at / namespaces);
        arena_clear(&a);
        double start = now_ms();
        check(entry_get(reader, &a, name, key, &entry, &error) == 0, key);
        took[i] = now_ms() - start;
        check(strcmp(entry.key, key) == 0 && entry.bytes > 40, "another entry was read");
    }
    report("getMemory: the store's call", took, ROUNDS);
    arena_release(&a);
}

/* How many keys of a namespace, numbered up to `all`, begin with `prefix`, as far as they are shown. */
static int64_t expected(const char *prefix, uint64_t all, bool shown)
{
    int64_t total = 0;
    char key[64];
    for (uint64_t i = 0; i < all; i++) {
        key_of(key, i);
        if (shown && i % MASKED == 7)
            key[strlen("user/0000000/")] = '\0';
        total += strncmp(key, prefix, strlen(prefix)) == 0;
    }
    return total;
}

static void bench_list(const char *what, const char *prefix, const struct pii *shown)
{
    static double took[ROUNDS];
    char name[32], line[80];
    struct arena a = ARENA_INIT;
    struct entry_page page;
    name_of(name, 0);
    struct entry_query q = {.namespace_ = name, .prefix = prefix, .limit = PAGE, .pii = shown};
    int64_t total = expected(prefix ? prefix : "", count / namespaces, shown);
    struct strbuf cursor = STRBUF_INIT;
    for (size_t i = 0; i < ROUNDS; i++) { /* page after page, and from the beginning again */
        q.cursor = cursor.len ? cursor.buf : NULL;
        arena_clear(&a);
        double start = now_ms();
        check(entry_list(reader, &a, &q, &page, &error) == 0, what);
        took[i] = now_ms() - start;
        check(page.total == total, "the total is not what was made");
        strbuf_clear(&cursor);
        strbuf_addstr(&cursor, page.cursor ? page.cursor : "");
    }
    snprintf(line, sizeof(line), "listMemory%s: %s of %lld", shown ? " masked" : "", what,
             (long long)total);
    report(line, took, ROUNDS);
    strbuf_release(&cursor);
    arena_release(&a);
}

static void bench_lists(void)
{
    static const struct {
        const char *what, *prefix;
    } lists[] = {
        {"all", NULL},
        {"a prefix of all", "user/"},
        {"a wide prefix", "user/00"},
        {"a prefix", "user/0001"},
        {"one", "user/0000003/p"},
        {"what is none", "user/x"},
    };
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        bench_list(lists[i].what, lists[i].prefix, NULL);
        bench_list(lists[i].what, lists[i].prefix, pii);
    }
}

static void bench_namespaces(void)
{
    double took[20];
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < 20; i++) {
        struct namespace_row *rows;
        size_t found;
        arena_clear(&a);
        double start = now_ms();
        check(namespace_list(reader, &a, &rows, &found, &error) == 0, "the namespaces");
        took[i] = now_ms() - start;
        check(found == namespaces, "they are not all listed");
    }
    char line[80];
    snprintf(line, sizeof(line), "%llu namespaces listed, median", (unsigned long long)namespaces);
    bench_report(line, 0, bench_percentile(took, 20, 50), "ms");
    arena_release(&a);
}

/* ---- putting ---- */

struct putting {
    struct entry_put put;
    struct entry_done done;
};

static int put_as_agent(struct txn *t, void *arg, struct error *e)
{
    static const struct actor ash = {.class = ACTOR_AGENT, .name = "ash", .agent = "ash"};
    struct putting *p = arg;
    struct arena arena = ARENA_INIT;
    int result = entry_put(t, &ash, &p->put, &arena, &p->done, e);
    arena_release(&arena);
    return result;
}

static void bench_puts(struct store *s, const char *what, uint64_t from,
                       const struct namespace_policy *policy)
{
    static double took[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        char name[32], key[64];
        name_of(name, 0);
        key_of(key, from + i);
        struct putting p = {.put = {name, key, "{\"seen\":true}", 13, 3600, policy, NULL}};
        double start = now_ms();
        check(store_run(s, put_as_agent, &p, &error) == 0, what);
        took[i] = now_ms() - start;
    }
    char line[80];
    snprintf(line, sizeof(line), "%s, its own transaction, median", what);
    bench_report(line, 0, bench_percentile(took, ROUNDS, 50), "ms");
}

static int measure(const char *path)
{
    struct store *s = store_open(path, &(struct store_options){.create = true}, NULL, &error);
    check(s, path);
    reader = reader_open(s, &error);
    pii = pii_new(NULL, 0, &error);
    check(reader && pii, path);
    bench_get();
    bench_lists();
    bench_namespaces();
    const struct namespace_policy full = {.max_items = (int64_t)(count / namespaces),
                                          .evict_oldest = true};
    bench_puts(s, "putMemory: another version", 0, NULL);
    bench_puts(s, "putMemory: a new one", count, NULL);
    bench_puts(s, "putMemory: the oldest give way", 2 * count, &full);
    pii_free(pii);
    reader_close(reader);
    store_close(s);
    return missed;
}

int main(int argc, char **argv)
{
    bool makes = argc == 4 && strtoull(argv[1], NULL, 10) > 0;
    if (argc == 4) {
        count = strtoull(argv[makes ? 1 : 2], NULL, 10);
        namespaces = strtoull(argv[makes ? 2 : 3], NULL, 10);
    }
    if (count == 0 || namespaces == 0 || namespaces > count) {
        fprintf(stderr, "usage: bench_entries COUNT NAMESPACES PATH, or PATH COUNT NAMESPACES\n");
        return 2;
    }
    return makes ? generate(argv[3]) : measure(argv[1]);
}
