/*
 * Drawings beside those of Graphviz' `dot`: crossings of segments, as both count them in their layerings, and the time of the
 * processor. The graphs are made here. Where there is no `dot`, what it would find is missing from the lines.
 */
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>
#include "model/layout/layout.h"
#include "model/layout/ordering.h"
#include "model/layout/raster.h"
#include "tests/support/families.h"
#include "tests/bench/report.h"

static int missed;

static double now_ms(void)
{
    return bench_clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- dot ---- */

static void write_graph(FILE *out, const struct family_graph *f)
{
    fprintf(out, "digraph {\n");
    for (uint32_t i = 0; i < f->nodes; i++)
        fprintf(out, "n%u;\n", i);
    for (uint32_t e = 0; e < f->edges; e++)
        fprintf(out, "n%u -> n%u;\n", f->from[e], f->to[e]);
    fprintf(out, "}\n");
}

static double children_ms(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

struct verdict {
    bool known;
    double crossings, ms;
};

/* Of all graphs in the file together. */
static struct verdict ask_dot(const char *path)
{
    struct verdict v = {.known = false};
    char command[256], line[512];
    double before = children_ms();
    snprintf(command, sizeof(command), "dot -v -Tplain '%s' 2>&1 >/dev/null", path);
    FILE *said = popen(command, "r");
    if (!said)
        return v;
    while (fgets(line, sizeof(line), said)) {
        const char *count = strstr(line, ": ");
        unsigned long crossings;
        if (strncmp(line, "mincross", 8) == 0 && count && strstr(line, " crossings, ") &&
            sscanf(count + 2, "%lu", &crossings) == 1)
            v.crossings += (double)crossings;
    }
    v.known = pclose(said) == 0;
    v.ms = children_ms() - before;
    return v;
}

/* ---- what is compared ---- */

struct ours {
    double crossings[2], layers_ms, order_ms, layout_ms[2]; /* with nets and without */
    double window_ms;
    uint32_t graphs;
};

#define WINDOWS 10

/* Windows of a small terminal all over the drawing, with a third of its edges lit. */
static double show(const struct layout *l)
{
    uint8_t *lit = calloc(l->picture->edges + (size_t)1, 1);
    for (uint32_t e = 0; lit && e < l->picture->edges; e++)
        lit[e] = e % 3 == 0;
    double start = now_ms();
    for (int i = 0; i < WINDOWS; i++) {
        struct raster r;
        if (raster_make(&r, l, l->width / WINDOWS * i, l->height / WINDOWS * i, 80, 24, lit))
            exit(1);
        raster_release(&r);
    }
    double ms = now_ms() - start;
    free(lit);
    return ms / WINDOWS;
}

static void lay_out(struct ours *sum, const struct picture *p, bool bundle)
{
    struct layout l;
    struct layered g;
    struct layout_options options = {.flow = FLOW_RIGHT, .bundle = bundle};
    double start = now_ms();
    if (layout_make(&l, p, &options))
        exit(1);
    double made = now_ms();
    sum->layout_ms[bundle] += made - start;
    sum->window_ms += bundle ? show(&l) : 0;
    layout_release(&l);
    start = now_ms();
    if (layered_make(&g, p, bundle))
        exit(1);
    double layered = now_ms();
    if (ordering_find(&g))
        exit(1);
    sum->order_ms += bundle ? now_ms() - layered : 0;
    sum->layers_ms += bundle ? layered - start : 0;
    sum->crossings[bundle] += (double)ordering_crossings(&g);
    layered_release(&g);
}

static void compare(struct ours *sum, enum family family, uint32_t number, uint32_t nodes,
                    FILE *out)
{
    struct family_graph f;
    struct picture p;
    family_make(&f, family, number, nodes);
    family_picture(&f, &p);
    write_graph(out, &f);
    lay_out(sum, &p, true);
    lay_out(sum, &p, false);
    sum->graphs++;
    picture_release(&p);
    family_release(&f);
}

static void add(struct ours *sum, const struct ours *part)
{
    for (int bundle = 0; bundle < 2; bundle++) {
        sum->crossings[bundle] += part->crossings[bundle];
        sum->layout_ms[bundle] += part->layout_ms[bundle];
    }
    sum->layers_ms += part->layers_ms;
    sum->order_ms += part->order_ms;
    sum->window_ms += part->window_ms;
    sum->graphs += part->graphs;
}

static void report(const char *what, const struct ours *o, const struct verdict *dot, double ms)
{
    char name[128];
    double graphs = o->graphs, bar = dot->known ? dot->crossings / graphs : 0;
    snprintf(name, sizeof(name), "%s (%u)", what, (unsigned)o->graphs);
    printf("%s%s\n", name, dot->known ? "; the bar of crossings is dot's" : "");
    missed |= bench_report("  crossings a drawing, an edge a line", bar,
                           o->crossings[false] / graphs, "");
    missed |= bench_report("  crossings a drawing, bundled", bar, o->crossings[true] / graphs, "");
    missed |= bench_report("  a drawing, an edge a line", ms, o->layout_ms[false] / graphs, "ms");
    missed |= bench_report("  a drawing, bundled", ms, o->layout_ms[true] / graphs, "ms");
    bench_report("  of that its layers", 0, o->layers_ms / graphs, "ms");
    bench_report("  of that their order", 0, o->order_ms / graphs, "ms");
    missed |= bench_report("  a window of 80x24", 0.5, o->window_ms / graphs, "ms");
    if (dot->known)
        bench_report("  dot -Tplain, a drawing", 0, dot->ms / graphs, "ms");
}

/* ---- rounds ---- */

static FILE *graphs_file(char *path)
{
    int fd = mkstemp(path);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out)
        exit(1);
    return out;
}

/* `nodes` 0: graphs of the 500. */
static struct verdict round_of(struct ours *o, enum family family, uint32_t graphs, uint32_t nodes)
{
    char path[] = "/tmp/stemma-bench-layout-XXXXXX";
    FILE *out = graphs_file(path);
    for (uint32_t i = 0; i < graphs; i++)
        compare(o, family, i, nodes, out);
    fclose(out);
    struct verdict v = ask_dot(path);
    unlink(path);
    return v;
}

static void bench_500(void)
{
    struct ours all = {.graphs = 0};
    struct verdict dot_all = {.known = true};
    for (int family = 0; family < FAMILY_COUNT; family++) {
        struct ours o = {.graphs = 0};
        struct verdict dot = round_of(&o, family, family_graphs(family), 0);
        report(family_name[family], &o, &dot, 0);
        add(&all, &o);
        dot_all.known = dot_all.known && dot.known;
        dot_all.crossings += dot.crossings;
        dot_all.ms += dot.ms;
    }
    if (!dot_all.known)
        printf("dot is not installed: nothing to compare crossings with\n");
    report("all of these", &all, &dot_all, 1);
}

static void bench_lineage(uint32_t nodes, double ms)
{
    char name[64];
    struct ours o = {.graphs = 0};
    struct verdict dot = round_of(&o, FAMILY_LINEAGE, 3, nodes);
    snprintf(name, sizeof(name), "lineages of %u", (unsigned)nodes);
    report(name, &o, &dot, ms);
}

int main(void)
{
    bench_500();
    bench_lineage(200, 10);
    bench_lineage(1000, 100);
    return missed;
}
