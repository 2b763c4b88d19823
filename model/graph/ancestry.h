/*
 * What one memory is based on through valid justifications, numbered anew in the order of
 * dependence. Shared by assignment.c, blame.c, interval.c and roots.c.
 */
#ifndef STEMMA_ANCESTRY_H
#define STEMMA_ANCESTRY_H

#include "model/graph/fold.h"

/*
 * Members are numbered 0..count-1, each after what it is based on, members of a circle together; the
 * memory itself is the last. A source (a leaf that stands) has no justifications here: while it
 * is believed it needs none.
 */
struct ancestry {
    uint32_t count, justs, components;
    uint32_t *node;            /* [count] in the graph */
    uint32_t *just_first;      /* [count + 1] */
    uint32_t *just;            /* [justs] in the graph; NODE_NONE after ancestry_condense */
    uint32_t *link_first;      /* [justs + 1] */
    uint32_t *link;            /* members */
    uint32_t *component_first; /* [components + 1] ranges of members */
    uint32_t *source;          /* [source_count] nodes in the graph, ascending … */
    uint32_t *source_member;   /* … and their members */
    size_t source_count;
    struct patience *patience; /* of the graph */
};

/* O(ancestors and their links), whatever the size of the graph. Given up, it has the target alone. Release `a`. */
void ancestry_make(struct ancestry *a, const struct graph *g, const struct labels *labels,
                   uint32_t target);
void ancestry_release(struct ancestry *a);

/*
 * Leaves out what makes no difference to whether the target stands, whichever sources are believed: members that always
 * stand together become one, such as those of a chain, or of a circle in which one antecedent is enough; and
 * justifications go that have another one within them, or their own member. Sources that are left out make no
 * difference.
 * A few passes.
 */
void ancestry_condense(struct ancestry *a);

static inline bool ancestry_is_source(const struct ancestry *a, uint32_t member)
{
    return a->just_first[member] == a->just_first[member + 1];
}
static inline uint32_t ancestry_links(const struct ancestry *a)
{
    return a->link_first[a->justs];
}

#endif
