/* The effect of a retraction, by delete and re-derive (Gupta, Mumick, Subrahmanian 1993). */
#include "model/base/array.h"
#include "model/graph/lineage.h"

#include "model/base/alloc.h"
#include "model/graph/walk.h"

void whatif_release(struct whatif *w)
{
    FREE_ALL(w->unsupported, w->weakened, w->descending);
    *w = (struct whatif){.unsupported = NULL};
}

/*
 * The nodes that a retraction may affect, by their numbers in `reached`: first the retracted, then
 * all that can be reached from them through valid justifications. All these are assumed to lose
 * support. Then those with support from outside are re-derived, and what they support.
 */
struct retraction {
    const struct graph *g;
    const struct labels *labels;
    struct row_index reached;
    size_t retracted;  /* number of retracted nodes, the first ones of `reached` */
    size_t touched;    /* number of affected nodes; those after them are other descendants */
    size_t *just;      /* [touched + 1] where the justifications of each node begin in `missing` */
    uint32_t *missing; /* antecedents that do not stand; UINT32_MAX if it was not valid before */
    uint8_t *stands;   /* [touched] */
    uint32_t *valid;   /* [touched] */
    uint32_t *stack;   /* [touched] */
    size_t stack_count;
};

static void add_retracted(struct retraction *r, const uint32_t *retracted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        row_index_add(&r->reached, retracted[i]);
    r->retracted = r->reached.count;
}

static void over_delete(struct retraction *r)
{
    const struct graph *g = r->g;
    for (size_t at = 0; at < r->reached.count; at++) {
        uint32_t v = reached_node(&r->reached, at);
        if (graph_gives_up(g, 1 + g->use_first[v + 1] - g->use_first[v]))
            break;
        if (!r->labels->stands[v])
            continue;
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i];
            uint32_t w = g->just_node[j];
            if (r->labels->broken[j] == 0 && r->labels->stands[w])
                row_index_add(&r->reached, w);
        }
    }
    r->touched = r->reached.count;
}

/* The number of an over-deleted node, or NODE_NONE. */
static uint32_t touched(const struct retraction *r, uint32_t node)
{
    size_t number = row_index_find(&r->reached, node);
    return number < r->touched ? (uint32_t)number : NODE_NONE;
}

static void make_room(struct retraction *r)
{
    const struct graph *g = r->g;
    size_t total = 0;
    r->just = xmalloc((r->touched + 1) * sizeof(*r->just));
    for (size_t at = 0; at < r->touched; at++) {
        uint32_t v = reached_node(&r->reached, at);
        r->just[at] = total;
        total += g->just_first[v + 1] - g->just_first[v];
    }
    r->just[r->touched] = total;
    r->missing = xmalloc((total + 1) * sizeof(*r->missing));
    r->stands = xcalloc(r->touched + 1, sizeof(*r->stands));
    r->valid = xcalloc(r->touched + 1, sizeof(*r->valid));
    r->stack = xmalloc((r->touched + 1) * sizeof(*r->stack));
}

/* Records that a justification of a touched node is valid. With the first the node stands, unless
 * it is retracted. */
static void gain(struct retraction *r, uint32_t number)
{
    r->valid[number]++;
    if (number < r->retracted || r->stands[number])
        return;
    r->stands[number] = 1;
    r->stack[r->stack_count++] = number;
}

/* Counts, for each valid justification of a touched node, its antecedents that are touched too: they do
 * not stand until they are derived again. */
static void count_missing(struct retraction *r)
{
    const struct graph *g = r->g;
    for (uint32_t number = 0; number < r->touched; number++) {
        uint32_t v = reached_node(&r->reached, number);
        uint32_t *missing = r->missing + r->just[number];
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++, missing++) {
            *missing = UINT32_MAX;
            if (r->labels->broken[j] > 0)
                continue;
            *missing = 0;
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
                *missing += touched(r, g->link_to[i]) != NODE_NONE;
            if (*missing == 0)
                gain(r, number);
        }
    }
}

static void re_derive(struct retraction *r)
{
    const struct graph *g = r->g;
    while (r->stack_count > 0) {
        uint32_t v = reached_node(&r->reached, r->stack[--r->stack_count]);
        if (graph_gives_up(g, 1 + g->use_first[v + 1] - g->use_first[v]))
            return;
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i];
            uint32_t number = touched(r, g->just_node[j]);
            if (number == NODE_NONE)
                continue;
            uint32_t *missing = &r->missing[r->just[number] + (j - g->just_first[g->just_node[j]])];
            if (*missing != UINT32_MAX && --*missing == 0)
                gain(r, number);
        }
    }
}

static int compare_nodes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_weakened(const void *a, const void *b)
{
    const struct whatif_weakened *x = a, *y = b;
    return compare_nodes(&x->node, &y->node);
}

static void gather_affected(struct whatif *out, const struct retraction *r)
{
    size_t room = r->touched - r->retracted + 1;
    out->unsupported = xmalloc(room * sizeof(*out->unsupported));
    out->weakened = xmalloc(room * sizeof(*out->weakened));
    out->descending = xmalloc((r->reached.count + 1) * sizeof(*out->descending));
    for (size_t at = r->retracted; at < r->reached.count; at++) {
        uint32_t v = reached_node(&r->reached, at);
        uint32_t before = r->labels->valid[v];
        if (at >= r->touched)
            out->descending[out->descending_count++] = v;
        else if (!r->stands[at])
            out->unsupported[out->unsupported_count++] = v;
        else if (r->valid[at] < before)
            out->weakened[out->weakened_count++] =
                (struct whatif_weakened){v, before, r->valid[at]};
        else
            out->descending[out->descending_count++] = v;
    }
    SORT(out->unsupported, out->unsupported_count, compare_nodes);
    SORT(out->weakened, out->weakened_count, compare_weakened);
    SORT(out->descending, out->descending_count, compare_nodes);
}

static void retract(struct whatif *out, struct retraction *r, const uint32_t *retracted,
                    size_t count)
{
    add_retracted(r, retracted, count);
    over_delete(r);
    make_room(r);
    count_missing(r);
    re_derive(r);
    reached_walk(&r->reached, r->g, DESCENDANTS, 0, NULL);
    gather_affected(out, r);
}

void whatif_retract(struct whatif *out, const struct graph *g, const struct labels *labels,
                    const uint32_t *retracted, size_t count)
{
    struct retraction r = {.g = g, .labels = labels, .reached = ROW_INDEX_INIT};
    *out = (struct whatif){.unsupported = NULL};
    retract(out, &r, retracted, count);
    row_index_release(&r.reached);
    FREE_ALL(r.just, r.missing, r.stands, r.valid, r.stack);
}
