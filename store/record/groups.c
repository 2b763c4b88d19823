#include "store/record/groups.h"

#include <string.h>
#include "model/graph/graph.h"
#include "store/db/same.h"

struct group groups_at(const struct memory *m, size_t number)
{
    if (number < m->justification_count) {
        const struct justification *j = &m->justifications[number];
        return (struct group){GRAPH_SHAPE(j->role, j->reading, j->recorded),
                              j->at,
                              j->reason,
                              j->antecedents,
                              j->count,
                              {{KIND_RAW, NULL}, 0, STATUS_ACTIVE, NULL}};
    }
    const struct relation *r = &m->relations[number - m->justification_count];
    return (struct group){r->type, r->at, r->reason,
                          NULL,    1,     {r->to, r->to_node, r->to_status, NULL}};
}

bool use_is_empty(const struct use *u)
{
    return !u || (isnan(u->relevance) && u->score == SCORE_NONE && !u->excerpt && u->chunk < 0 &&
                  u->rank < 0 && u->page < 0 && !u->section && !u->version_hash && !u->label &&
                  !u->title);
}

static bool same_use(const struct use *a, const struct use *b)
{
    bool empty = use_is_empty(a);
    if (empty || use_is_empty(b) || !a || !b)
        return empty && use_is_empty(b);
    return same_number(a->relevance, b->relevance) && a->score == b->score &&
           a->chunk == b->chunk && a->rank == b->rank && a->page == b->page &&
           same_text(a->excerpt, b->excerpt) && same_text(a->section, b->section) &&
           same_text(a->version_hash, b->version_hash) && same_text(a->label, b->label) &&
           same_text(a->title, b->title);
}

static bool same_group(const struct group *a, const struct group *b)
{
    if (a->shape != b->shape || a->at != b->at || !same_text(a->reason, b->reason) ||
        a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct antecedent *x = group_member(a, i), *y = group_member(b, i);
        if (!ref_equal(x->ref, y->ref) || !same_use(x->use, y->use))
            return false;
    }
    return true;
}

size_t groups_shared(const struct memory *a, const struct memory *b)
{
    size_t count = groups_count(a), other = groups_count(b), i = 0;
    for (; i < count && i < other; i++) {
        struct group x = groups_at(a, i), y = groups_at(b, i);
        if (!same_group(&x, &y))
            break;
    }
    return i;
}
