#include "model/graph/propagate.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "model/graph/walk.h"

/* Everything by a node's number among those reached; the root is number 0. */
struct propagating {
    const struct graph *g;
    const struct labels *labels;
    const double *own;
    struct propagation *out;
    struct row_index reached;
    double *confidence; /* the new one */
    size_t left_alloc;
};

/* ---- one node ---- */

static double confidence_of(const struct propagating *p, uint32_t node)
{
    size_t number = row_index_find(&p->reached, node);
    return number == ROW_NONE ? p->own[node] : p->confidence[number];
}

/* The least of what a justification names, and which that is. An empty one bears anything. */
static double least_of(const struct propagating *p, uint32_t just, uint32_t *bearer)
{
    const struct graph *g = p->g;
    double least = INFINITY;
    *bearer = NODE_NONE;
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++) {
        double one = confidence_of(p, g->link_to[i]);
        if (one < least) {
            least = one;
            *bearer = g->link_to[i];
        }
    }
    return least;
}

/* -INFINITY where no justification holds. */
static double borne(const struct propagating *p, uint32_t node, uint32_t *bearer)
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
            *bearer = by;
        }
    }
    return most;
}

static void leave(struct propagating *p, uint32_t node, enum unmoved why)
{
    *ARRAY_ADD(p->out->left, p->out->left_count, p->left_alloc) = (struct unmoved_node){node, why};
}

/* All that it rests on is settled by now. */
static void settle(struct propagating *p, uint32_t number, bool on_circle)
{
    uint32_t node = reached_node(&p->reached, number), bearer = NODE_NONE;
    if (number == 0)
        return;
    if (!graph_lives(p->g, node)) {
        leave(p, node, UNMOVED_DEAD);
        return;
    }
    if (on_circle) {
        leave(p, node, UNMOVED_CIRCLE);
        return;
    }
    double most = borne(p, node, &bearer);
    if (most == -INFINITY) {
        leave(p, node, UNMOVED_UNHELD);
        return;
    }
    if (most < p->own[node]) {
        p->confidence[number] = most;
        p->out->lowered[p->out->lowered_count++] =
            (struct propagated){node, p->own[node], most, bearer};
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
    free(p->left);
    *p = (struct propagation){.lowered = NULL};
}
