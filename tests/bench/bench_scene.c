/*
 * What opening a lineage costs that is too large to be drawn: bench_scene PATH. Adds to that store, which is a copy, a
 * belief on which 60,000 memories rest, one on which as many rest over many levels, one that rests on 60,000, and 60,000 versions of
 * one; then opens each with a connection of its own, by the clock, less the time for which this thread
 * waited for a processor. Exit status 1 where a bar is missed.
 */
#include "store/journal/journal.h"
#include "store/lineage/neighbours.h"
#include "store/history/past.h"
#include "store/txn/writer.h"
#include "tests/bench/report.h"

#define MANY   60000
#define SLICE  5000 /* additions in a transaction */
#define BRANCH 8
#define ROUNDS 9
#define BAR    50.0 /* ms */

static struct store *store;
static struct error error;
static int missed;

static void check(int result)
{
    if (result >= 0)
        return;
    fprintf(stderr, "%s\n", error.what);
    exit(2);
}

static double now_ms(void)
{
    return bench_clock_ms(CLOCK_MONOTONIC) - bench_waited_ms();
}

/* ---- what is added ---- */

enum shape {
    HUB, /* all rest on the first */
    TREE,
    WIDE, /* the last rests on all others */
    VERSIONS
};
static const char *const shapes[] = {"hub", "tree", "wide", "versions"};

struct slice {
    enum shape shape;
    uint32_t from, to;
};

static struct antecedent on(struct arena *a, enum shape shape, uint32_t i)
{
    char id[40];
    snprintf(id, sizeof(id), "%s-%u", shapes[shape], i);
    return (struct antecedent){.ref = {KIND_BELIEF, arena_strdup(a, id)}};
}

/* What the memory of that number rests on. */
static void rest(struct memory *m, struct arena *a, enum shape shape, uint32_t i)
{
    bool wide = shape == WIDE && i == MANY;
    size_t count = wide ? MANY : shape == WIDE || i == 0 ? 0 : 1;
    struct antecedent *antecedents = arena_array(a, count, sizeof(*antecedents));
    uint32_t before = shape == HUB ? 0 : shape == TREE ? (i - 1) / BRANCH : i - 1;
    for (size_t k = 0; k < count; k++)
        antecedents[k] = on(a, shape, wide ? (uint32_t)k : before);
    m->justifications = arena_array(a, 1, sizeof(*m->justifications));
    m->justifications[0] = (struct justification){.antecedents = antecedents, .count = count};
    m->justification_count = count > 0;
    m->relations = arena_array(a, 1, sizeof(*m->relations));
    if (shape == VERSIONS && i > 0)
        m->relations[m->relation_count++] =
            (struct relation){.type = RELATION_SUPERSEDES, .to = antecedents[0].ref};
}

static int add_slice(struct txn *t, void *arg, struct error *e)
{
    static const struct actor actor = {.class = ACTOR_PERSON, .name = "bench", .origin = "command"};
    const struct slice *s = arg;
    struct arena a = ARENA_INIT;
    int result = 0;
    for (uint32_t i = s->from; i < s->to && result == 0; i++) {
        struct memory m;
        arena_clear(&a);
        memory_init(&m, on(&a, s->shape, i).ref);
        m.agent_id = "ash";
        m.text = "Something that was said";
        m.source_type = "inference";
        m.created_at = m.updated_at = txn_now(t) + i;
        m.status = s->shape == VERSIONS && i < MANY ? STATUS_SUPERSEDED : STATUS_ACTIVE;
        rest(&m, &a, s->shape, i);
        result = txn_put(t, &actor, "add", NULL, &m, NULL, e);
    }
    arena_release(&a);
    return result;
}

static void add(enum shape shape)
{
    for (uint32_t i = 0; i <= MANY; i += SLICE) {
        uint32_t to = i + SLICE <= MANY ? i + SLICE : MANY + 1;
        check(store_run(store, add_slice, &(struct slice){shape, i, to}, &error));
    }
}

/* ---- opening ---- */

static size_t open_once(const char *ref, enum scene_show show, size_t budget, int64_t moment,
                        double *took)
{
    double start = now_ms();
    struct scene_wishes w = SCENE_WISHES_INIT;
    struct scene scene;
    size_t total, nodes;
    bool more;
    struct reader *r =
        moment ? reader_open_past(store, moment, NULL, NULL, &error) : reader_open(store, &error);
    double opened = now_ms();
    check(r ? reader_begin(r, &error) : -1);
    w.focus = ref_resolve(r, ref, &error);
    check((int)w.focus);
    w.show = show;
    w.budget = budget;
    struct scene_source source = neighbours_of(r);
    check(scene_make(&scene, &w, &source, &error));
    for (int side = 0; side < 2; side++)
        check(neighbours_total(r, w.focus, (enum direction)side, NEIGHBOURS_COUNTED, &total, &more,
                               &error));
    *took = now_ms() - (moment ? opened : start);
    nodes = scene.nodes;
    scene_release(&scene);
    reader_end(r);
    reader_close(r);
    return nodes;
}

static void bench(const char *what, const char *ref, enum scene_show show, int64_t moment)
{
    static const size_t budgets[] = {60, 200};
    for (size_t b = 0; b < sizeof(budgets) / sizeof(*budgets); b++) {
        double took[ROUNDS];
        char name[120];
        size_t nodes = 0;
        for (int i = 0; i < ROUNDS; i++)
            nodes = open_once(ref, show, budgets[b], moment, &took[i]);
        snprintf(name, sizeof(name), "%s: of %zu nodes %zu, median", what, budgets[b], nodes);
        missed |= bench_report(name, BAR, bench_percentile(took, ROUNDS, 50), "ms");
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    store = store_open(argv[1], &(struct store_options){0}, NULL, &error);
    check(store ? 0 : -1);
    for (int shape = HUB; shape <= VERSIONS; shape++)
        add((enum shape)shape);
    struct reader *r = reader_open(store, &error);
    int64_t last = r ? journal_last(r, &error) : -1;
    check((int)last);
    reader_close(r);
    bench("60,000 rest on it", "belief:hub-0", SCENE_CARRIES, 0);
    bench("60,000 over many levels", "belief:tree-0", SCENE_CARRIES, 0);
    bench("it rests on 60,000", "belief:wide-60000", SCENE_RESTS_ON, 0);
    bench("60,000 versions, from the last", "belief:versions-60000", SCENE_RESTS_ON, 0);
    bench("both, from the middle one", "belief:versions-30000", SCENE_BOTH, 0);
    bench("60,000 rest on it, as of before", "belief:hub-0", SCENE_CARRIES, last - 100);
    store_close(store);
    return missed;
}
