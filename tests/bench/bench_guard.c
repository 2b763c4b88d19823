/*
 * What the guard costs a read: bench_guard STORE.
 *
 * STORE is served in this process over a pair of sockets, in one round without a guard and in the next with the rules of
 * the configuration as it comes: grants, nothing shared, personal data masked. It is one server for both, since of two the
 * same answers differ by some percent with where each of them has its memory. What its threads took of the processor is
 * set side by side, and the best of the rounds counts, since what else the machine does makes an answer dearer, never
 * cheaper. Exit status 1 where the bar is missed.
 */
#include "tests/bench/asking.h"
#include "tests/bench/report.h"
#include "tests/bench/wire.h"

#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>
#include "model/json/json.h"
#include "store/mcp/tools/service.h"
#include "store/mcp/server/server.h"
#include "tui/config/config.h"
#include "tests/bench/serving.h"

#define ROUNDS    60
#define ROUND_MS  15.0 /* that a round takes without the guard, about */
#define IN_FLIGHT 16
#define BAR       5.0

struct served {
    struct store *store;
    struct mcp_server *server;
    struct guard_rules *_Atomic rules; /* of this round; NULL: nothing is guarded */
    pthread_t thread;
    int fd;
};

static void give_up(const char *what)
{
    fprintf(stderr, "bench_guard: %s\n", what);
    exit(2);
}

static struct guard_rules *rules_now(void *served)
{
    return guard_rules_hold(((struct served *)served)->rules);
}

/*
 * The client on one processor, the server on another: what an answer takes depends on who shares a core with whom,
 * by half and more, and the system would leave each thread where it happens to be.
 */
static void keep_to(int which)
{
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) || CPU_COUNT(&allowed) < 2)
        return;
    CPU_ZERO(&one);
    for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && seen++ == which)
            CPU_SET(cpu, &one);
    pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
}

static void *run(void *server)
{
    struct error ignored;
    keep_to(1);
    mcp_server_run(server, &ignored);
    return NULL;
}

static void begin(struct served *s, const char *path)
{
    int pair[2];
    struct error e;
    struct strbuf answer = STRBUF_INIT;
    const struct mcp_server_options options = {.rules = rules_now, .rules_arg = s};
    s->rules = NULL;
    s->store = store_open(path, &(struct store_options){0}, NULL, &e);
    if (!s->store)
        give_up(e.what);
    s->server = mcp_server_new(s->store, stemma_service(false), &options, &e);
    if (!s->server || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        give_up("it cannot be served");
    mcp_server_attach(s->server, pair[0], pair[0]);
    if (pthread_create(&s->thread, NULL, run, s->server))
        give_up("it cannot be served");
    s->fd = pair[1];
    wire_ask(s->fd, serving_hello, &answer);
    strbuf_release(&answer);
}

static void end(struct served *s)
{
    close(s->fd);
    pthread_join(s->thread, NULL);
    mcp_server_free(s->server);
    store_close(s->store);
}

/* The rules of a configuration that says nothing. */
static struct guard_rules *default_rules(void)
{
    struct config config;
    struct error e;
    config_init(&config);
    struct guard_rules *rules = service_rules_new(&config.permissions, &e); /* takes them over */
    if (!rules)
        give_up(e.what);
    return rules;
}

/* What all threads but this one, the client's, have taken of the processor. */
static double served_ms(void)
{
    return bench_clock_ms(CLOCK_PROCESS_CPUTIME_ID) - bench_clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

/* Microseconds for each answer, by those rules. */
static double ask(struct served *s, struct guard_rules *rules, const struct request *q,
                  size_t in_flight, size_t count)
{
    s->rules = rules;
    double before = served_ms();
    struct wire_run run_of = wire_pump(s->fd, asking_make, q, in_flight, count, 0);
    return (served_ms() - before) * 1e3 / (double)run_of.answers;
}

static size_t calls_of_a_round(struct served *s, struct guard_rules *rules, const struct request *q,
                               size_t in_flight)
{
    size_t all = asking_count(q) < 20 ? 20 : asking_count(q);
    double us = ask(s, rules, q, in_flight, all); /* what is kept of answers is kept from here on */
    double calls = ROUND_MS * 1e3 / (us > 1 ? us : 1);
    return calls < 20 ? 20 : (size_t)calls;
}

static double best_of(const double rounds[ROUNDS])
{
    double best = rounds[0];
    for (int i = 1; i < ROUNDS; i++)
        best = rounds[i] < best ? rounds[i] : best;
    return best;
}

static int measure(struct served *s, struct guard_rules *rules, const struct request *q,
                   size_t in_flight, double bar)
{
    double without[ROUNDS], with[ROUNDS];
    char name[120];
    size_t count = calls_of_a_round(s, NULL, q, in_flight);
    calls_of_a_round(s, rules, q, in_flight);
    for (int i = 0; i < ROUNDS; i++) {
        bool first = i % 2;
        if (first)
            without[i] = ask(s, NULL, q, in_flight, count);
        with[i] = ask(s, rules, q, in_flight, count);
        if (!first)
            without[i] = ask(s, NULL, q, in_flight, count);
    }
    double plain = best_of(without);
    double kept = best_of(with);
    snprintf(name, sizeof(name), "%s, %zu in flight, without the guard", q->name, in_flight);
    bench_report(name, 0, plain, "us");
    bench_report("  with it", 0, kept, "us");
    return bench_report("  the guard's cost", bar, (kept / plain - 1) * 100, "%");
}

int main(int argc, char **argv)
{
    struct served s;
    int missed = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_guard STORE [NAME]\n");
        return 2;
    }
    asking_choose(argv[1]);
    struct guard_rules *rules = default_rules();
    keep_to(
        0); /* before: a server that has one processor does not linger, which would count as its work */
    begin(&s, argv[1]);
    for (size_t i = 0; i < asking_read_count; i++)
        if (asking_reads[i].bar != BAR_LONG && /* some of whose answers would be too long */
            (argc == 2 || strncmp(asking_reads[i].name, argv[2], strlen(argv[2])) == 0))
            missed |= measure(&s, rules, &asking_reads[i], 1, BAR) |
                      measure(&s, rules, &asking_reads[i], IN_FLIGHT, 0);
    end(&s);
    guard_rules_release(rules);
    return missed;
}
