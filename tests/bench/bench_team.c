/*
 * Measures appends to a team's journal: CONNECTIONS threads, each a machine with a transport of its
 * own to ADDRESS, append BATCH events at a time for SECONDS to a new team; who was behind takes the
 * lock, reads the head and tries again. Then one of them fetches all. Prints a line: appended events, late tries, ms,
 * ms of the fetches.
 */
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/journal/canonical.h"
#include "store/team/transport.h"

struct machine {
    struct transport *transport;
    int number;
    size_t batch;
    double until;
    int64_t appended, late;
    pthread_t thread;
};

/* Ends the program if a call of a thread failed. */
static void check(int result, const struct error *e)
{
    if (result >= 0)
        return;
    fprintf(stderr, "bench: %s\n", e->what);
    exit(2);
}

/* Events as of an agent that notes something: 400 bytes of canonical text and 500 of body. */
static void make_events(struct arena *arena, const struct chain_end *at, struct team_event *events,
                        size_t count)
{
    struct digest hash = at->hash;
    for (size_t i = 0; i < count; i++) {
        AUTO_STRBUF text = STRBUF_INIT;
        char hex[2 * DIGEST_SIZE + 1], ref[64];
        digest_hex(hex, &hash);
        snprintf(ref, sizeof(ref), "note:%.32s", hex);
        canonical_write(&text, &(struct canonical){.seq = at->count + 1 + (int64_t)i,
                                                   .at = 1700000000000,
                                                   .session = 12,
                                                   .actor = "ash",
                                                   .agent = "ash",
                                                   .class_name = "agent",
                                                   .operation = "add",
                                                   .ref = ref,
                                                   .after = hex,
                                                   .patch = hex});
        digest_chain(&hash, at->count + (int64_t)i > 0 ? &hash : NULL, text.buf, text.len);
        events[i] = (struct team_event){
            .seq = at->count + 1 + (int64_t)i,
            .hash = hash,
            .canonical = arena_take(arena, &text),
            .salt = (const unsigned char *)"0123456789abcdef",
            .patch = "{}",
            .line = arena_format(arena, "{\"ref\":\"%s\",\"agent_id\":\"ash\",\"text\":\"%0400d\"}",
                                 ref, (int)i)};
    }
}

static void *run_machine(void *arg)
{
    struct machine *m = arg;
    struct team_event *events = xcalloc(m->batch, sizeof(*events));
    struct chain_end head = {0, {{0}}};
    struct arena arena = ARENA_INIT;
    struct error e;
    check(transport_head(m->transport, &head, &e), &e);
    while (bench_ms(CLOCK_MONOTONIC) < m->until) {
        arena_clear(&arena);
        make_events(&arena, &head, events, m->batch);
        int result = transport_append(m->transport, m->number, &head, events, m->batch, &e);
        check(result, &e);
        if (result) {
            head = (struct chain_end){head.count + (int64_t)m->batch, events[m->batch - 1].hash};
            m->appended += (int64_t)m->batch;
        } else {
            m->late++;
            check(transport_lock(m->transport, &e), &e);
            check(transport_head(m->transport, &head, &e), &e);
        }
    }
    transport_unlock(m->transport);
    arena_release(&arena);
    free(events);
    return NULL;
}

/* Returns the ms that it took. */
static double fetch_all(struct transport *t, int64_t expected)
{
    struct arena arena = ARENA_INIT;
    struct team_event *events;
    int64_t seen = 0;
    double start = bench_ms(CLOCK_MONOTONIC);
    for (size_t count = 1; count; seen += (int64_t)count) {
        arena_clear(&arena);
        bench_check(transport_fetch(t, seen, 5000, &arena, &events, &count, &bench_error));
    }
    arena_release(&arena);
    if (seen != expected) {
        fprintf(stderr, "bench: %" PRId64 " of %" PRId64 " events came\n", seen, expected);
        exit(2);
    }
    return bench_ms(CLOCK_MONOTONIC) - start;
}

void bench_team(char **argv)
{
    const char *address = argv[0];
    size_t connections = strtoul(argv[1], NULL, 10);
    struct machine *m = xcalloc(connections, sizeof(*m));
    struct digest id;
    char store[37];
    int64_t appended = 0, late = 0;
    double start = bench_ms(CLOCK_MONOTONIC);
    digest_bytes(&id, &start, sizeof(start));
    digest_uuid(store, &id);
    for (size_t i = 0; i < connections; i++) {
        m[i] = (struct machine){.batch = strtoul(argv[2], NULL, 10)};
        m[i].transport = bench_must(transport_open(address, i ? store : NULL, &bench_error));
        if (i == 0)
            bench_check(transport_create(m[0].transport, store, &(struct chain_end){0, {{0}}},
                                         &bench_error));
        AUTO_FREE char *name = xformat("machine %zu", i);
        bench_check(transport_join(m[i].transport, name, &m[i].number, &bench_error));
    }
    start = bench_ms(CLOCK_MONOTONIC);
    for (size_t i = 0; i < connections; i++) {
        m[i].until = start + strtod(argv[3], NULL) * 1e3;
        pthread_create(&m[i].thread, NULL, run_machine, &m[i]);
    }
    for (size_t i = 0; i < connections; i++) {
        pthread_join(m[i].thread, NULL);
        appended += m[i].appended;
        late += m[i].late;
    }
    double took = bench_ms(CLOCK_MONOTONIC) - start;
    printf("%" PRId64 " %" PRId64 " %g %g\n", appended, late, took,
           fetch_all(m[0].transport, appended));
    for (size_t i = 0; i < connections; i++)
        transport_close(m[i].transport);
    free(m);
}
