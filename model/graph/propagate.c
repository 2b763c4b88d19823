#include "model/graph/propagate.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "model/graph/walk.h"

/* Arrays are indexed by a node's number among the descendants; the root is number 0. */
struct propagating {
    const struct graph *g;
    const struct labels *labels;
    const double *own;
    struct propagation *out;
    struct row_index reached;
    double *confidence; /* the new confidence */
    size_t unchanged_alloc;
};

/* ---- one node ---- */

static double confidence_of(const struct propagating *p, uint32_t node)
{
    size_t number = row_index_find(&p->reached, node);
    return number == ROW_NONE ? p->own[node] : p->confidence[number];
}

/* The least confidence among the antecedents of a justification, and whose it is. INFINITY if
 * there are none. */
static double least_of(const struct propagating *p, uint32_t just, uint32_t *limited_by)
{
    const struct graph *g = p->g;
    double least = INFINITY;
    *limited_by = NODE_NONE;
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++) {
        double one = confidence_of(p, g->link_to[i]);
        if (one < least) {
            least = one;
            *limited_by = g->link_to[i];
        }
    }
    return least;
}

/* The greatest confidence that the node's justifications allow. -INFINITY if none is valid. */
static double greatest_of(const struct propagating *p, uint32_t node, uint32_t *limited_by)
{
    const struct graph *g = p->g;
    double most = -INFINITY;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++) {
        uint32_t by;
        if (p->labels->broken[j])
            continue;
        double least = least_of(p, j, &by);
        if (least > most) {
            most = least;
            *limited_by = by;
        }
    }
    return most;
}

static void add_unchanged(struct propagating *p, uint32_t node, enum unchanged why)
{
    *ARRAY_ADD(p->out->unchanged, p->out->unchanged_count, p->unchanged_alloc) =
        (struct unchanged_node){node, why};
}

/* All its antecedents are settled. */
static void settle(struct propagating *p, uint32_t number, bool on_circle)
{
    uint32_t node = reached_node(&p->reached, number), limited_by = NODE_NONE;
    if (number == 0)
        return;
    if (!graph_lives(p->g, node)) {
        add_unchanged(p, node, UNCHANGED_ENDED);
        return;
    }
    if (on_circle) {
        add_unchanged(p, node, UNCHANGED_CYCLE);
        return;
    }
    double most = greatest_of(p, node, &limited_by);
    if (most == -INFINITY) {
        add_unchanged(p, node, UNCHANGED_UNSUPPORTED);
        return;
    }
    if (most < p->own[node]) {
        p->confidence[number] = most;
        p->out->lowered[p->out->lowered_count++] =
            (struct propagated){node, p->own[node], most, limited_by};
    }
}

static void settle_all(void *arg, const uint32_t *number, size_t count, bool circle)
{
    for (size_t i = 0; i < count; i++)
        settle(arg, number[i], circle);
}

/* ---- all of it ---- */

static void prepare(struct propagating *p, uint32_t root)
{
    row_index_add(&p->reached, root);
    reached_walk(&p->reached, p->g, DESCENDANTS, 0, NULL);
    size_t count = p->reached.count;
    p->confidence = xcalloc(count, sizeof(*p->confidence));
    p->out->lowered = xcalloc(count, sizeof(*p->out->lowered));
    for (size_t i = 0; i < count; i++)
        p->confidence[i] = p->own[reached_node(&p->reached, i)];
    p->out->reached = count - 1;
}

void propagate_confidence(struct propagation *out, const struct graph *g,
                          const struct labels *labels, uint32_t root, const double *own)
{
    struct propagating p = {
        .g = g, .labels = labels, .own = own, .out = out, .reached = ROW_INDEX_INIT};
    *out = (struct propagation){.lowered = NULL};
    prepare(&p, root);
    reached_components(&p.reached, g, settle_all, &p);
    row_index_release(&p.reached);
    free(p.confidence);
}

void propagation_release(struct propagation *p)
{
    free(p->lowered);
    free(p->unchanged);
    *p = (struct propagation){.lowered = NULL};
}
