/*
 * Labels of a few rows, by what is near them where that settles it.
 *
 * Most memories are known to stand by a short way to their sources, however much lies around, which is looked for first
 * (labels_proof.c). Of the others the nearest are opened first, and those at the edge taken as dead once and as standing once: labels only
 * grow with what stands (justifications know no "not"), so the true ones lie between, and what is the
 * same in both is exact. What was found exact is kept, and is a fence to the next who asks.
 */
#include "model/base/alloc.h"
#include "store/lineage/around.h"

#include <stdlib.h>
#include "store/guard/guard.h"
#include "store/lineage/labels_proof.h"
#include "store/db/reader.h"

/* Beyond so many nodes the whole graph costs less than walking what is kept. */
#define LABELS_AROUND_MAX 50000

static const size_t opened_at_first[] = {128, 2048, SIZE_MAX};

/* What is near, labelled twice. Nodes from `edge` on that are no fence were not opened. */
struct nearby {
    struct around around;
    struct graph graph;
    struct labels high, low;
    size_t edge;
};

static void release(struct nearby *n)
{
    labels_release(&n->high);
    labels_release(&n->low);
    graph_release(&n->graph);
    around_release(&n->around);
}

static bool is_edge(const struct nearby *n, size_t node)
{
    return node >= n->edge && !n->around.fence[node];
}

static bool has_edge(const struct nearby *n)
{
    for (size_t node = n->edge; node < n->graph.nodes; node++)
        if (is_edge(n, node))
            return true;
    return false;
}

/* With the edge standing, then with it dead. */
static int label_both(struct nearby *n, struct error *e)
{
    if (labels_compute(&n->high, &n->graph))
        return around_no_memory(e);
    if (!has_edge(n))
        return 0;
    for (size_t node = n->edge; node < n->graph.nodes; node++)
        if (is_edge(n, node))
            n->graph.status[node] = STATUS_MISSING;
    return labels_compute(&n->low, &n->graph) ? around_no_memory(e) : 0;
}

static bool is_exact(const struct nearby *n, size_t node)
{
    return !n->low.label || (!is_edge(n, node) && n->low.label[node] == n->high.label[node]);
}

static struct row_label label_at(const struct graph *g, const struct labels *l, size_t node)
{
    return (struct row_label){(enum label)l->label[node], l->holds[node],
                              g->just_first[node + 1] - g->just_first[node]};
}

/* The rows asked for are the first nodes: 1 where all are exact. */
static int take_labels(const struct nearby *n, size_t count, struct row_label *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_exact(n, i) || (n->low.label && n->low.holds[i] != n->high.holds[i]))
            return 0;
        out[i] = label_at(&n->graph, &n->high, i);
    }
    return 1;
}

static int keep_labels(struct nearby *n, struct reader *r, struct error *e)
{
    struct links_walk *w = &n->around.walk;
    if (links_begin(w, r, e))
        return -1;
    for (size_t node = 0; node < n->graph.nodes; node++)
        if (!n->around.fence[node] && is_exact(n, node))
            links_keep_label(w, n->graph.row[node], (enum label)n->high.label[node]);
    links_end(w);
    return 0;
}

static int load(struct nearby *n, struct reader *r, const int64_t *rows, size_t count,
                struct error *e)
{
    struct around *f = &n->around;
    int result = links_begin(&f->walk, r, e) || around_roots(f, rows, count, e) ||
                         around_ascend(f, r, &n->graph, e)
                     ? -1
                     : 0;
    links_end(&f->walk);
    return result;
}

/* 1 where `out` is exact, 0 where more must be opened than `opened` around the rows; -1 with an error. */
static int label_near(struct reader *r, const int64_t *rows, size_t count, size_t opened,
                      struct row_label *out, struct error *e)
{
    struct nearby n = {.around = AROUND_INIT};
    n.edge = n.around.opened = opened == SIZE_MAX ? opened : count + opened;
    n.around.max = LABELS_AROUND_MAX + count;
    n.around.fence_from = count;
    graph_init(&n.graph);
    int result = load(&n, r, rows, count, e);
    if (result == 0 && n.around.count <= n.around.max) {
        around_give(&n.around, &n.graph);
        result = label_both(&n, e) || keep_labels(&n, r, e) ? -1 : take_labels(&n, count, out);
    }
    release(&n);
    return result;
}

static int keep_found(struct reader *r, const int64_t *rows, size_t count,
                      const struct row_label *found, struct error *e)
{
    struct links_walk w;
    int result = links_begin(&w, r, e);
    for (size_t i = 0; i < count && result == 0; i++)
        links_keep_label(&w, rows[i], found[i].label);
    links_end(&w);
    return result;
}

static int label_all(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                     struct error *e)
{
    struct graph g;
    struct labels l = {.label = NULL};
    if (graph_load(r, &g, e))
        return -1;
    int result = labels_compute(&l, &g) ? around_no_memory(e) : 0;
    for (size_t i = 0; i < count && result == 0; i++)
        out[i] = label_at(&g, &l, (size_t)rows[i] - 1);
    if (result == 0)
        result = keep_found(r, rows, count, out, e);
    labels_release(&l);
    graph_release(&g);
    return result;
}

/* ---- as the caller sees it ---- */

/* All that they rest on, less what is hidden; from the whole graph where that is much. */
static int load_seen(struct reader *r, struct graph *g, const int64_t *rows, size_t count,
                     bool *whole, struct error *e)
{
    if (graph_load_around(r, g, rows, count, ANCESTORS, LABELS_AROUND_MAX, whole, e))
        return -1;
    if (*whole) {
        graph_release(g);
        if (graph_load(r, g, e))
            return -1;
    }
    return guard_graph(r, g, e);
}

static size_t seen_node(const struct graph *g, const int64_t *rows, size_t i, bool whole)
{
    if (whole)
        return (size_t)rows[i] - 1;
    return g->row[i] == rows[i] ? i : graph_node(g, rows[i]);
}

int labels_seen_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        struct error *e)
{
    struct graph g;
    struct labels l = {.label = NULL};
    bool whole = false;
    if (!guard_hides_linked_entries(r) || count == 0)
        return labels_of_rows(r, rows, count, out, e);
    graph_init(&g);
    int result = load_seen(r, &g, rows, count, &whole, e);
    if (result == 0 && labels_compute(&l, &g))
        result = around_no_memory(e);
    for (size_t i = 0; i < count && result == 0; i++)
        out[i] = label_at(&g, &l, seen_node(&g, rows, i, whole));
    labels_release(&l);
    graph_release(&g);
    return result;
}

int labels_keep(struct reader *r, const struct graph *g, const struct labels *l, size_t count,
                struct error *e)
{
    struct links_walk w;
    int result = links_begin(&w, r, e);
    for (size_t node = 0; node < count && result == 0; node++)
        links_keep_label(&w, graph_row(g, (uint32_t)node), (enum label)l->label[node]);
    links_end(&w);
    return result;
}

/* Those that no short proof tells. */
static int label_others(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        struct error *e)
{
    int known = 0;
    for (size_t i = 0; i < sizeof(opened_at_first) / sizeof(opened_at_first[0]) && !known; i++)
        known = label_near(r, rows, count, opened_at_first[i], out, e);
    if (!known)
        known = label_all(r, rows, count, out, e) ? -1 : 1;
    return known < 0 ? -1 : 0;
}

/* The places of the rows that are not known into `left`. */
static int prove_labels(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        size_t *left, size_t *left_count, struct error *e)
{
    struct links_walk w;
    int known = links_begin(&w, r, e);
    *left_count = 0;
    for (size_t i = 0; i < count && known >= 0; i++) {
        known = label_prove(&w, r, rows[i], &out[i], e);
        if (known == 0)
            left[(*left_count)++] = i;
    }
    links_end(&w);
    return known < 0 ? -1 : 0;
}

static int label_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                      size_t *left, struct error *e)
{
    size_t left_count;
    if (prove_labels(r, rows, count, out, left, &left_count, e))
        return -1;
    if (left_count == 0)
        return 0;
    int64_t *others = xmalloc(left_count * sizeof(*others));
    struct row_label *found = xmalloc(left_count * sizeof(*found));
    for (size_t i = 0; others && i < left_count; i++)
        others[i] = rows[left[i]];
    int result =
        others && found ? label_others(r, others, left_count, found, e) : around_no_memory(e);
    for (size_t i = 0; i < left_count && result == 0; i++)
        out[left[i]] = found[i];
    free(others);
    free(found);
    return result;
}

int labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                   struct error *e)
{
    if (count == 0)
        return 0;
    size_t *left = xmalloc(count * sizeof(*left));
    if (!left)
        return around_no_memory(e);
    int result = reader_begin(r, e);
    if (result == 0) {
        result = label_rows(r, rows, count, out, left, e);
        reader_end(r);
    }
    free(left);
    return result ? -1 : 0;
}
