/*
 * Keys while others write: bench_live [STORE]. Opens the explorer in a pseudo-terminal, commits a
 * thousand memories a second beside it, presses keys meanwhile and
 * says how long each took until a whole frame showed what it did. Without a store it makes one of
 * 10,000 memories; one that is given is written to.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vterm.h>
#include "model/base/alloc.h"
#include "model/format/exchange.h"
#include "model/base/strbuf.h"
#include "store/txn/writer.h"
#include "tests/bench/report.h"

#define RATE    1000
#define KEYS    300
#define ROWS    40
#define COLUMNS 120

/* ---- who writes ---- */

struct writing {
    struct store *store;
    atomic_bool stop;
    atomic_long committed;
    long begun;
};

static const struct actor agent = {
    .class = ACTOR_AGENT, .name = "bench", .agent = "bench", .origin = "mcp"};

struct one {
    struct writing *w;
    long number;
};

static int put_one(struct txn *t, void *arg, struct error *e)
{
    struct one *o = arg;
    struct arena arena = ARENA_INIT;
    struct memory m;
    char line[300];
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:live-%ld-%ld\",\"agent_id\":\"bench\",\"text\":\"belief %ld that "
             "an agent wrote while a person was looking\"}",
             (long)getpid(), o->number, o->number);
    int failed = exchange_read(&m, &arena, line, strlen(line), "bench", txn_now(t), NULL, e) ||
                 txn_put(t, &agent, "add", NULL, &m, NULL, e);
    arena_release(&arena);
    return failed ? -1 : 0;
}

static void committed(void *arg, const struct error *e)
{
    struct one *o = arg;
    if (e->code == ERROR_NONE)
        atomic_fetch_add(&o->w->committed, 1);
    else
        fprintf(stderr, "%s\n", e->what);
    free(o);
}

static void sleep_ms(double ms)
{
    struct timespec t = {(time_t)(ms / 1000), (long)(ms * 1e6) % 1000000000};
    nanosleep(&t, NULL);
}

/* A hundred times a second what is due. */
static void *write_steadily(void *arg)
{
    struct writing *w = arg;
    double from = bench_clock_ms(CLOCK_MONOTONIC);
    struct error e;
    while (!atomic_load(&w->stop)) {
        long due = (long)((bench_clock_ms(CLOCK_MONOTONIC) - from) * RATE / 1000);
        for (; w->begun < due; w->begun++) {
            struct one *o = xmalloc(sizeof(*o));
            *o = (struct one){w, w->begun};
            if (store_submit(w->store, put_one, committed, o, &e)) {
                fprintf(stderr, "%s\n", e.what);
                free(o);
                return NULL;
            }
        }
        sleep_ms(2);
    }
    return NULL;
}

/* ---- the explorer ---- */

struct terminal {
    pid_t pid;
    int fd;
    VTerm *vterm;
    char tail[16]; /* the last bytes, for a mark that is cut in two */
    size_t tail_len;
    long frames;
};

static void start(struct terminal *t, const char *store)
{
    struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
    const char *program = getenv("STEMMA");
    *t = (struct terminal){0};
    t->pid = forkpty(&t->fd, NULL, NULL, &size);
    if (t->pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        execl(program ? program : "./stemma", "stemma", "--store", store, (char *)NULL);
        _exit(127);
    }
    t->vterm = vterm_new(ROWS, COLUMNS);
    vterm_set_utf8(t->vterm, 1);
    vterm_screen_reset(vterm_obtain_screen(t->vterm), 1);
}

/* Takes what comes within that time; true once a frame is whole. */
static bool take(struct terminal *t, int ms)
{
    static char bytes[1 << 16];
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    if (poll(&ready, 1, ms) <= 0)
        return false;
    memcpy(bytes, t->tail, t->tail_len);
    ssize_t n = read(t->fd, bytes + t->tail_len, sizeof(bytes) - t->tail_len);
    if (n <= 0)
        return false;
    vterm_input_write(t->vterm, bytes + t->tail_len, (size_t)n);
    size_t len = t->tail_len + (size_t)n;
    bool whole = len >= 8 && memmem(bytes, len, "\033[?2026l", 8) != NULL;
    t->frames += whole;
    t->tail_len = whole ? 0 : len < 7 ? len : 7;
    memcpy(t->tail, bytes + len - t->tail_len, t->tail_len);
    return whole;
}

static int cursor_row(const struct terminal *t)
{
    VTermPos at;
    vterm_state_get_cursorpos(vterm_obtain_state(t->vterm), &at);
    return at.row;
}

/* Until nothing came for so long. */
static void settle(struct terminal *t, int quiet)
{
    double from = bench_clock_ms(CLOCK_MONOTONIC);
    while (bench_clock_ms(CLOCK_MONOTONIC) - from < quiet)
        if (take(t, quiet))
            from = bench_clock_ms(CLOCK_MONOTONIC);
}

/* Takes what comes of itself, for so long. */
static void watch(struct terminal *t, double ms)
{
    double until = bench_clock_ms(CLOCK_MONOTONIC) + ms, left;
    while ((left = until - bench_clock_ms(CLOCK_MONOTONIC)) > 0)
        take(t, (int)left + 1);
}

/* Ms for which the explorer's first thread and this one were ready and had no processor, so far: what
 * other programs cost. */
static double waited_ms(const struct terminal *t)
{
    char path[64];
    double ran = 0, waited = 0;
    snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", (int)t->pid, (int)t->pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%lf %lf", &ran, &waited) != 2)
        waited = 0;
    if (f)
        fclose(f);
    return waited / 1e6 + bench_waited_ms();
}

/* How long until the cursor has moved in a whole frame; -1: it did not within a second. */
static double press(struct terminal *t, const char *key)
{
    int before = cursor_row(t);
    double waited = waited_ms(t), from = bench_clock_ms(CLOCK_MONOTONIC), took = 0;
    if (write(t->fd, key, strlen(key)) < 0)
        return -1;
    while (took < 1000) {
        bool whole = take(t, 10);
        took = bench_clock_ms(CLOCK_MONOTONIC) - from;
        if (whole && cursor_row(t) != before) {
            took -= waited_ms(t) - waited;
            return took > 0 ? took : 0;
        }
    }
    return -1;
}

/* Ms of processor time that the explorer's threads took so far. */
static double processor_ms(const struct terminal *t)
{
    char path[64], text[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)t->pid);
    FILE *f = fopen(path, "r");
    if (f && fgets(text, sizeof(text), f) && strrchr(text, ')'))
        sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system);
    if (f)
        fclose(f);
    return (double)(user + system) * 1000 / (double)sysconf(_SC_CLK_TCK);
}

static int compare(const char *where, struct terminal *t, struct writing *w)
{
    double times[KEYS] = {0};
    char name[80];
    size_t count = 0, lost = 0;
    long frames = t->frames, written = atomic_load(&w->committed);
    double from = bench_clock_ms(CLOCK_MONOTONIC), processor = processor_ms(t);
    for (int i = 0; i < KEYS; i++) {
        double took = press(t, i % 8 < 4 ? "j" : "k");
        if (took < 0)
            lost++;
        else
            times[count++] = took;
        watch(t, 7 + i % 13);
    }
    double seconds = (bench_clock_ms(CLOCK_MONOTONIC) - from) / 1000;
    if (lost > 0 || count == 0)
        printf("%s: %zu keys of %d did not move the cursor\n", where, lost, KEYS);
    snprintf(name, sizeof(name), "%s: memories committed meanwhile, a second", where);
    bench_report(name, 0, (double)(atomic_load(&w->committed) - written) / seconds, "/s");
    snprintf(name, sizeof(name), "%s: frames a second", where);
    bench_report(name, 0, (double)(t->frames - frames) / seconds, "/s");
    snprintf(name, sizeof(name), "%s: processor time of the explorer, a second", where);
    bench_report(name, 0, (processor_ms(t) - processor) / seconds, "ms");
    snprintf(name, sizeof(name), "%s: a key while others write, median", where);
    bench_report(name, 0, count ? bench_percentile(times, count, 50) : 1e9, "ms");
    snprintf(name, sizeof(name), "%s: a key while others write, p99", where);
    return bench_report(name, 5, count ? bench_percentile(times, count, 99) : 1e9, "ms");
}

static void press_blind(struct terminal *t, const char *keys)
{
    ssize_t n = write(t->fd, keys, strlen(keys));
    (void)n;
    watch(t, 500);
}

int main(int argc, char **argv)
{
    char directory[] = "/tmp/stemma-live-XXXXXX", made[64] = "";
    const char *path = argc > 1 ? argv[1] : made;
    struct writing w = {0};
    struct terminal t;
    struct error e;
    pthread_t thread;
    int missed = 0;
    if (argc < 2 && mkdtemp(directory))
        snprintf(made, sizeof(made), "%s/live.db", directory);
    w.store = store_open(path, &(struct store_options){.create = true}, NULL, &e);
    if (!w.store) {
        fprintf(stderr, "%s\n", e.what);
        return 1;
    }
    if (argc < 2)
        for (w.begun = 0; w.begun < 10000; w.begun++) {
            struct one *o = xmalloc(sizeof(*o));
            *o = (struct one){&w, -w.begun - 1};
            if (store_submit(w.store, put_one, committed, o, &e))
                free(o);
        }
    while (argc < 2 && atomic_load(&w.committed) < 10000)
        sleep_ms(10);
    w.begun = 0;
    start(&t, path);
    settle(&t, 1500);
    pthread_create(&thread, NULL, write_steadily, &w);
    press_blind(&t, "jjjj");
    missed += compare("a list", &t, &w);
    press_blind(&t, "9jjjjjj");
    missed += compare("the live view", &t, &w);
    atomic_store(&w.stop, true);
    pthread_join(thread, NULL);
    kill(t.pid, SIGTERM);
    waitpid(t.pid, NULL, 0);
    vterm_free(t.vterm);
    store_close(w.store);
    if (argc < 2) {
        char command[128];
        snprintf(command, sizeof(command), "rm -rf %s", directory);
        missed += system(command) != 0;
    }
    return missed > 0;
}
