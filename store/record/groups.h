/*
 * The groups of a memory's links as the link table numbers them: its justifications in their order
 * from 0, then its relations, each a group of one.
 */
#ifndef STEMMA_GROUPS_H
#define STEMMA_GROUPS_H

#include "model/memory/memory.h"

struct group {
    unsigned shape; /* GRAPH_SHAPE(role, reading, recorded) */
    int64_t at;
    const char *reason;
    const struct antecedent *members; /* of the memory's; NULL for a relation */
    size_t count;
    struct antecedent target; /* of a relation */
};

static inline size_t groups_count(const struct memory *m)
{
    return m->justification_count + m->relation_count;
}
struct group groups_at(const struct memory *m, size_t number);
static inline const struct antecedent *group_member(const struct group *g, size_t position)
{
    return g->members ? &g->members[position] : &g->target;
}
/* How many of the first groups of both say the same. */
size_t groups_shared(const struct memory *a, const struct memory *b);
/* Does it say anything at all? One that does not is no row. */
bool use_is_empty(const struct use *u);

#endif
