#include "tests/support/plan.h"

#include <assert.h>

static void add_group(struct plan *p, struct random *r, uint32_t node, bool forward)
{
    struct plan_group *group = &p->group[p->groups++];
    *group = (struct plan_group){.node = node};
    group->reading = random_chance(r, 50) ? READING_ANY : READING_ALL;
    group->count = random_chance(r, 5) ? 0 : 1 + random_below(r, PLAN_MOST);
    for (uint32_t i = 0; i < group->count; i++) {
        group->antecedent[i] = random_below(r, forward || node == 0 ? p->nodes : node);
        p->rests[node][group->antecedent[i]] = true;
    }
}

void plan_make(struct plan *p, struct random *r)
{
    static const enum kind kinds[] = {KIND_RAW, KIND_BELIEF, KIND_NOTE, KIND_EPISODE, KIND_ENTRY};
    *p = (struct plan){.nodes = 1 + random_below(r, PLAN_NODES)};
    bool forward =
        random_chance(r, 70); /* otherwise links go to earlier nodes, so cycles are rare */
    uint32_t bare = random_below(r, 80);
    for (uint32_t v = 0; v < p->nodes; v++) {
        p->kind[v] = kinds[random_below(r, 5)];
        p->status[v] =
            random_chance(r, 20) ? (enum status)random_below(r, STATUS_COUNT) : STATUS_ACTIVE;
        p->ended[v] = !STATUS_LIVES(p->status[v]);
        if (random_chance(r, bare))
            continue;
        for (uint32_t n = 1 + random_below(r, 2); n > 0; n--)
            add_group(p, r, v, forward);
    }
}

void plan_build(const struct plan *p, struct graph *g)
{
    uint32_t next = 0;
    graph_init(g);
    for (uint32_t v = 0; v < p->nodes; v++) {
        graph_add_node(g, p->kind[v], p->status[v]);
        for (uint32_t number = 0; next < p->groups && p->group[next].node == v; next++, number++)
            graph_add_group(g, GRAPH_SHAPE(ROLE_EVIDENCE, p->group[next].reading, RECORDED), number,
                            p->group[next].antecedent, p->group[next].count);
    }
    graph_finish(g);
}

void plan_renumber(struct plan *out, const struct plan *p, const uint32_t *to)
{
    *out = (struct plan){.nodes = p->nodes};
    for (uint32_t v = 0; v < p->nodes; v++) {
        out->kind[to[v]] = p->kind[v];
        out->status[to[v]] = p->status[v];
        out->ended[to[v]] = p->ended[v];
    }
    for (uint32_t i = 0; i < p->groups; i++) {
        struct plan_group group = p->group[i];
        for (uint32_t k = 0; k < group.count; k++)
            group.antecedent[k] = to[group.antecedent[k]];
        plan_put(out, to[group.node], group.reading, group.count, group.antecedent);
    }
}

void plan_shuffle(const struct plan *p, struct random *r, uint32_t *to)
{
    for (uint32_t v = 0; v < p->nodes; v++) {
        uint32_t other = random_below(r, v + 1);
        to[v] = to[other];
        to[other] = v;
    }
}

void plan_put(struct plan *p, uint32_t node, enum reading reading, uint32_t count,
              const uint32_t *antecedent)
{
    uint32_t at = p->groups;
    assert(p->groups < PLAN_GROUPS && count <= PLAN_MOST);
    for (; at > 0 && p->group[at - 1].node > node; at--)
        p->group[at] = p->group[at - 1];
    p->group[at] = (struct plan_group){.node = node, .reading = reading, .count = count};
    p->groups++;
    for (uint32_t i = 0; i < count; i++) {
        p->group[at].antecedent[i] = antecedent[i];
        p->rests[node][antecedent[i]] = true;
    }
}

/* The number of different antecedents that stand, or of all if `stands` is NULL. */
static uint32_t different(const struct plan_group *group, const bool *stands)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        bool before = false;
        for (uint32_t k = 0; k < i; k++)
            before |= group->antecedent[k] == group->antecedent[i];
        count += !before && (!stands || stands[group->antecedent[i]]);
    }
    return count;
}

uint32_t plan_given(const struct plan *p, uint32_t node)
{
    uint32_t given = 0;
    for (uint32_t i = 0; i < p->groups; i++) {
        const struct plan_group *group = &p->group[i];
        if (group->node == node)
            given +=
                group->reading == READING_ALL || group->count == 0 ? 1 : different(group, NULL);
    }
    return given;
}

uint32_t plan_valid(const struct plan *p, uint32_t node, const bool *stands)
{
    uint32_t valid = 0;
    for (uint32_t i = 0; i < p->groups; i++) {
        const struct plan_group *group = &p->group[i];
        if (group->node != node)
            continue;
        uint32_t standing = different(group, stands);
        if (group->reading == READING_ALL || group->count == 0)
            valid += standing == different(group, NULL);
        else
            valid += standing;
    }
    return valid;
}

static void apply(const struct plan *p, bool *stands)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < p->nodes; v++) {
            bool now = !p->ended[v] && (plan_given(p, v) == 0 || plan_valid(p, v, stands) > 0);
            changed |= now != stands[v];
            stands[v] = now;
        }
    }
}

void plan_least(const struct plan *p, bool *stands)
{
    for (uint32_t v = 0; v < p->nodes; v++)
        stands[v] = false;
    apply(p, stands);
}

void plan_greatest(const struct plan *p, bool *stands)
{
    for (uint32_t v = 0; v < p->nodes; v++)
        stands[v] = true;
    apply(p, stands);
}

enum label plan_label(const struct plan *p, uint32_t node, const bool *least, const bool *greatest)
{
    if (p->ended[node])
        return LABEL_ENDED;
    uint32_t given = plan_given(p, node), valid = plan_valid(p, node, least);
    if (given == 0)
        return p->kind[node] == KIND_RAW || p->kind[node] == KIND_ENTRY ? LABEL_SUPPORTED
                                                                        : LABEL_UNSOURCED;
    if (least[node])
        return valid < given ? LABEL_WEAKENED : LABEL_SUPPORTED;
    return greatest[node] ? LABEL_CIRCULAR : LABEL_UNSUPPORTED;
}

bool plan_is_based_on(const struct plan *p, uint32_t node, uint32_t on)
{
    return p->rests[node][on];
}

/* Relaxes every link once for each node (Bellman and Ford). */
void plan_distances(const struct plan *p, uint32_t root, enum direction direction,
                    uint32_t *distance)
{
    for (uint32_t v = 0; v < p->nodes; v++)
        distance[v] = v == root ? 0 : UINT32_MAX;
    for (uint32_t round = 0; round < p->nodes; round++)
        for (uint32_t v = 0; v < p->nodes; v++)
            for (uint32_t w = 0; w < p->nodes; w++) {
                bool step =
                    direction == ANCESTORS ? plan_is_based_on(p, v, w) : plan_is_based_on(p, w, v);
                if (step && distance[v] != UINT32_MAX && distance[v] + 1 < distance[w])
                    distance[w] = distance[v] + 1;
            }
}

uint32_t plan_cycle(const struct plan *p, uint32_t node)
{
    uint32_t distance[PLAN_NODES], least = UINT32_MAX;
    plan_distances(p, node, ANCESTORS, distance);
    for (uint32_t v = 0; v < p->nodes; v++)
        if (v != node && distance[v] != UINT32_MAX && plan_is_based_on(p, v, node) &&
            distance[v] + 1 < least)
            least = distance[v] + 1;
    return least;
}
