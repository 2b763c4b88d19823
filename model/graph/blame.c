/* Whom to blame: the answer, from a copy of what the target is based on. */
#include "model/graph/blame_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/assignment.h"
#include "model/graph/fold.h"

#define ENOUGH 3 /* sets up to this size are searched with the whole budget */

/* Memories, justifications and links that a search looks at; 3 to 8 ns each. */
#define DEFAULT_BUDGET 20000000

static void part_make(struct part *p, const struct graph *g, const struct labels *labels,
                      uint32_t target)
{
    AUTO_FREE uint32_t *antecedent = NULL;
    size_t alloc = 0;
    *p = (struct part){.reached = ROW_INDEX_INIT};
    graph_init(&p->g);
    row_index_add(&p->reached, target);
    for (size_t at = 0; at < p->reached.count; at++) {
        uint32_t v = reached_node(&p->reached, at);
        graph_add_node(&p->g, (enum kind)g->kind[v], STATUS_ACTIVE);
        if (fold_is_leaf(g, labels, v))
            continue;
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
            size_t count = 0;
            if (labels->broken[j] > 0)
                continue;
            ARRAY_ROOM(antecedent, 0, alloc, g->link_first[j + 1] - g->link_first[j]);
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
                antecedent[count++] = (uint32_t)row_index_add(&p->reached, g->link_to[i]);
            graph_add_group(&p->g, GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED), 0,
                            antecedent, count);
        }
    }
    graph_finish(&p->g);
    labels_compute(&p->labels, &p->g);
}

static void part_release(struct part *p)
{
    graph_release(&p->g);
    labels_release(&p->labels);
    row_index_release(&p->reached);
}

static int compare_nodes(const void *a, const void *b)
{
    return COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* A set of the answer, to be ordered. */
struct range {
    const uint32_t *member;
    size_t count;
};

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->count != y->count)
        return COMPARE(x->count, y->count);
    for (size_t i = 0; i < x->count; i++)
        if (x->member[i] != y->member[i])
            return COMPARE(x->member[i], y->member[i]);
    return 0;
}

/* Puts the sets of nodes in order, each with the `forced` nodes. Releases `sets`. */
static void put_sets(struct blame *out, struct blame_sets *sets, const uint32_t *forced,
                     size_t forced_count)
{
    size_t total = sets->members + sets->ends * forced_count, at = 0, begin = 0;
    AUTO_FREE uint32_t *member = xmalloc((total + 1) * sizeof(*member));
    AUTO_FREE struct range *range = xmalloc((sets->ends + 1) * sizeof(*range));
    for (size_t i = 0; i < sets->ends; begin = sets->end[i++]) {
        size_t own = sets->end[i] - begin;
        range[i] = (struct range){member + at, forced_count + own};
        for (size_t k = 0; k < forced_count; k++)
            member[at++] = forced[k];
        for (size_t k = 0; k < own; k++)
            member[at++] = sets->member[begin + k];
        qsort(member + at - range[i].count, range[i].count, sizeof(*member), compare_nodes);
    }
    qsort(range, sets->ends, sizeof(*range), compare_ranges);
    out->member = xmalloc((total + 1) * sizeof(*out->member));
    out->first = xcalloc(sets->ends + 1, sizeof(*out->first));
    out->set_count = sets->ends;
    for (size_t i = 0; i < sets->ends; i++) {
        memcpy(out->member + out->first[i], range[i].member, range[i].count * sizeof(*member));
        out->first[i + 1] = out->first[i] + range[i].count;
    }
    free(sets->member);
    free(sets->end);
}

/* Ends the forced sources in the part. Returns whether the target still stands. */
static bool stands_without(struct part *p, const uint32_t *forced, size_t count)
{
    for (size_t i = 0; i < count; i++)
        p->g.status[forced[i]] = STATUS_RETRACTED;
    labels_release(&p->labels);
    labels_compute(&p->labels, &p->g);
    return p->labels.stands[0];
}

/*
 * Finds the sets. Every set has the forced sources. What the target is based on without these is often
 * much less, and all that is searched. `possible` [nodes of the part] is set for each source that may
 * be in a set. Ends the forced sources in the part.
 */
static void find_sets(struct blame *out, struct part *p, uint64_t budget, bool *possible)
{
    AUTO_FREE uint32_t *forced = NULL;
    size_t count = blame_forced(&forced, p);
    struct blame_sets sets = {.member = NULL};
    out->exact_to = SIZE_MAX;
    if (stands_without(p, forced, count)) {
        struct part rest;
        part_make(&rest, &p->g, &p->labels, 0);
        size_t exact_to =
            blame_search(&sets, &rest, count < ENOUGH ? ENOUGH - count : 0, budget, &out->greedy);
        if (exact_to != SIZE_MAX)
            out->exact_to = exact_to + count;
        for (size_t i = 0; i < sets.members; i++)
            sets.member[i] = reached_node(&p->reached, reached_node(&rest.reached, sets.member[i]));
        for (uint32_t v = 0; v < rest.g.nodes; v++)
            possible[reached_node(&rest.reached, v)] = true;
        part_release(&rest);
    } else {
        *ARRAY_ADD(sets.end, sets.ends, sets.end_alloc) = 0;
    }
    for (size_t i = 0; i < count; i++) {
        possible[forced[i]] = true;
        forced[i] = reached_node(&p->reached, forced[i]);
    }
    put_sets(out, &sets, forced, count);
}

/*
 * `least` is the size of the smallest listed set with the source; SIZE_MAX if none has it. All sets up
 * to `exact_to` are listed, so none is smaller if that is one more at most.
 */
static void set_responsibility(struct blame_source *source, size_t least, size_t exact_to,
                               bool possible)
{
    source->at_most = possible && exact_to != SIZE_MAX && least > exact_to + 1;
    if (source->at_most)
        source->responsibility = 1 / (double)(exact_to + 1);
    else if (least != SIZE_MAX)
        source->responsibility = 1 / (double)least;
}

static int compare_sources(const void *a, const void *b)
{
    const struct blame_source *x = a, *y = b;
    if (x->responsibility != y->responsibility)
        return COMPARE(y->responsibility, x->responsibility);
    if (x->share != y->share)
        return COMPARE(y->share, x->share);
    return COMPARE(x->node, y->node);
}

/* Completes the rows of the sources, whose nodes are those of the part. */
static void put_sources(struct blame *out, const struct part *p, const bool *possible)
{
    struct map least = MAP_INIT; /* from node to size */
    for (size_t i = out->set_count; i-- > 0;)
        for (size_t k = out->first[i]; k < out->first[i + 1]; k++)
            *map_at(&least, out->member[k]) = (int64_t)(out->first[i + 1] - out->first[i]);
    for (size_t i = 0; i < out->source_count; i++) {
        struct blame_source *source = &out->source[i];
        uint32_t node = reached_node(&p->reached, source->node);
        const int64_t *size = map_find(&least, node);
        set_responsibility(source, size ? (size_t)*size : SIZE_MAX, out->exact_to,
                           possible[source->node]);
        source->node = node;
    }
    qsort(out->source, out->source_count, sizeof(*out->source), compare_sources);
    map_release(&least);
}

void blame_compute(struct blame *out, const struct graph *g, const struct labels *labels,
                   uint32_t target, uint64_t budget)
{
    struct part p;
    *out = (struct blame){.exact_to = SIZE_MAX};
    if (!labels->stands[target] || fold_is_leaf(g, labels, target)) {
        out->first = xcalloc(1, sizeof(*out->first));
        return;
    }
    part_make(&p, g, labels, target);
    out->source = xcalloc(p.g.nodes, sizeof(*out->source));
    for (uint32_t v = 0; v < p.g.nodes; v++)
        if (fold_is_leaf(&p.g, &p.labels, v))
            out->source[out->source_count++].node = v;
    out->sampled = blame_shares(out->source, &p);
    AUTO_FREE bool *possible = xcalloc(p.g.nodes, sizeof(*possible));
    find_sets(out, &p, budget ? budget : DEFAULT_BUDGET, possible);
    put_sources(out, &p, possible);
    part_release(&p);
}

void blame_release(struct blame *b)
{
    free(b->member);
    free(b->first);
    free(b->source);
    *b = (struct blame){.member = NULL};
}
