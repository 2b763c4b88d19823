#include "store/mcp/protocol/changes.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/reasoning/chain.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/lineage/subgraph.h"

#define AROUND_MOST 16384 /* memories that are walked for all that are subscribed to together */
#define SEEN_MOST   (8 * AROUND_MOST) /* and for all callers from whom some are hidden */
#define EACH_LEAST  64 /* for one of them at least, where all together rest on more */

static void add(struct changes *c, int64_t row)
{
    *ARRAY_ADD(c->row, c->count, c->alloc) = row;
}

/* A chain that is not finished does not rest on its steps, and changes with each. */
static void add_chain(struct changes *c, int64_t step, struct reader *r)
{
    struct error ignored;
    int64_t chain = chain_of_step(r, step, &ignored);
    if (chain < 0)
        c->any = true;
    else if (chain > 0)
        add(c, chain);
}

static bool is_rested_on(int64_t row, struct reader *r)
{
    struct error ignored;
    struct dependants d;
    if (dependants_find(r, row, 1, &d, &ignored))
        return true; /* as far as is known */
    free(d.row);
    return d.count > 0;
}

void changes_add(struct changes *c, const struct event *events, size_t count, struct reader *r)
{
    for (size_t i = 0; i < count; i++) {
        int64_t row = events[i].subject;
        if (row <= 0)
            continue;
        add(c, row);
        if (events[i].ref.id && events[i].ref.kind == KIND_STEP)
            add_chain(c, row, r);
        c->reach = c->reach || is_rested_on(row, r);
    }
}

static int by_row(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* How many are left. */
static size_t sort(int64_t *rows, size_t count)
{
    size_t kept = 0;
    if (count > 0)
        qsort(rows, count, sizeof(*rows), by_row);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || rows[kept - 1] != rows[i])
            rows[kept++] = rows[i];
    return kept;
}

/* ---- what rests on them ---- */

/* Marks in `met` what rests on the changed rows; `queue` has room for all nodes. */
static void spread(const struct graph *g, const int64_t *changed, size_t count, uint8_t *met,
                   uint32_t *queue)
{
    uint32_t last = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        if (bsearch(&g->row[node], changed, count, sizeof(*changed), by_row)) {
            met[node] = 1;
            queue[last++] = node;
        }
    for (uint32_t next = 0; next < last; next++)
        for (uint32_t u = g->use_first[queue[next]]; u < g->use_first[queue[next] + 1]; u++) {
            uint32_t user = g->just_node[g->use_just[u]];
            if (!met[user])
                queue[last++] = user;
            met[user] = 1;
        }
}

/* Which nodes rest on those rows, the changed ones themselves among them. */
static uint8_t *find_met(const struct graph *g, const int64_t *changed, size_t count)
{
    uint8_t *met = xcalloc((size_t)g->nodes + 1, sizeof(*met));
    uint32_t *queue = xcalloc((size_t)g->nodes + 1, sizeof(*queue));
    spread(g, changed, count, met, queue);
    free(queue);
    return met;
}

/* The roots are the first nodes. What is added stands after the changed rows, which stay in order. */
static void add_met(struct changes *c, size_t changed, const struct graph *g, size_t roots)
{
    uint8_t *met = find_met(g, c->row, changed);
    for (size_t i = 0; i < roots; i++)
        if (met[i])
            add(c, g->row[i]);
    free(met);
}

/* False where these rest on more than `most`. */
static bool reach_within(struct changes *c, size_t changed, const int64_t *rows, size_t count,
                         size_t most, struct reader *r)
{
    struct error ignored;
    struct graph g;
    bool bounded = false;
    if (graph_load_around(r, &g, rows, count, ANCESTORS, most, &bounded, &ignored)) {
        c->any = true;
        return true;
    }
    if (bounded)
        return false;
    add_met(c, changed, &g, count);
    graph_release(&g);
    return true;
}

/* Those first rows are what events were of; the others are reached. */
static void keep_direct(struct changes *c, size_t changed)
{
    size_t bytes = changed * sizeof(*c->direct);
    c->direct = xmalloc(bytes + 1);
    c->direct_count = changed;
    if (changed > 0)
        memcpy(c->direct, c->row, bytes);
}

void changes_reach(struct changes *c, int64_t *subscribed, size_t count, struct reader *r)
{
    size_t changed = c->count = sort(c->row, c->count);
    count = sort(subscribed, count);
    if (!c->reach || c->any || count == 0)
        return;
    bool all = reach_within(c, changed, subscribed, count, AROUND_MOST, r);
    size_t share = AROUND_MOST / count > EACH_LEAST ? AROUND_MOST / count : EACH_LEAST;
    for (size_t i = 0; !all && i < count && !c->any; i++)
        if (!reach_within(c, changed, subscribed + i, 1, share, r))
            add(c, subscribed[i]);
    if (c->count > changed)
        keep_direct(c, changed);
    c->count = sort(c->row, c->count);
}

/* ---- as a caller sees it ---- */

bool changes_is_direct(const struct changes *c, int64_t row)
{
    const int64_t *rows = c->direct ? c->direct : c->row;
    size_t count = c->direct ? c->direct_count : c->count;
    return count > 0 && bsearch(&row, rows, count, sizeof(*rows), by_row);
}

/* 0: nobody's; -1: as far as is known anybody's. */
static void find_agents(struct changes *c, struct reader *r)
{
    struct error ignored;
    c->agent = xcalloc(c->count + 1, sizeof(*c->agent));
    for (size_t i = 0; i < c->count; i++)
        if (list_agent_of(r, c->row[i], &c->agent[i], &ignored))
            c->agent[i] = -1;
}

bool changes_is_of(struct changes *c, struct reader *r, size_t place, int64_t agent)
{
    if (agent == 0)
        return true;
    if (!c->agent)
        find_agents(c, r);
    return c->agent[place] < 0 || c->agent[place] == agent;
}

static bool is_there(struct reader *r, int64_t row)
{
    struct error ignored;
    enum sight sight = SIGHT_NONE;
    return guard_sight(r, row, &sight, &ignored) == 0 && sight != SIGHT_NONE;
}

/* Is anything that changed not hidden? */
static bool any_seen(const struct changes *c, struct reader *r)
{
    bool seen = false;
    for (size_t i = 0; !seen && i < c->direct_count; i++)
        seen = is_there(r, c->direct[i]);
    return seen;
}

/* What changed in the graph and is not hidden, in order; how much it is. Only entries are hidden so. */
static size_t find_seen(const struct changes *c, struct reader *r, const struct graph *g,
                        int64_t *seen)
{
    size_t count = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        if (changes_is_direct(c, g->row[node]) &&
            (g->kind[node] != KIND_ENTRY || is_there(r, g->row[node])))
            seen[count++] = g->row[node];
    return sort(seen, count);
}

/* In the graph as it was loaded: is one of its first `roots` nodes met without what is hidden? */
static bool meets(const struct changes *c, struct reader *r, struct graph *g, size_t roots)
{
    struct error ignored;
    int64_t *seen = xcalloc((size_t)g->nodes + 1, sizeof(*seen));
    size_t count = find_seen(c, r, g, seen);
    bool thinned = count > 0 && guard_graph(r, g, &ignored) == 0;
    uint8_t *met = thinned ? find_met(g, seen, count) : NULL;
    bool found = met && memchr(met, 1, roots);
    free(met);
    free(seen);
    return found;
}

bool changes_reach_seen(struct changes *c, struct reader *r, const int64_t *rows, size_t count)
{
    struct error ignored;
    struct graph g;
    size_t left = c->walked < SEEN_MOST ? SEEN_MOST - c->walked : 0;
    size_t most = left < EACH_LEAST ? EACH_LEAST : left < AROUND_MOST ? left : AROUND_MOST;
    bool bounded = false;
    if (count == 0 || !c->direct)
        return false;
    if (!guard_hides_linked_entries(r))
        return true;
    if (graph_load_around(r, &g, rows, count, ANCESTORS, most, &bounded, &ignored))
        return any_seen(c, r);
    c->walked += bounded ? most : g.nodes;
    bool found = bounded ? any_seen(c, r) : meets(c, r, &g, count);
    graph_release(&g);
    return found;
}

void changes_clear(struct changes *c)
{
    free(c->row);
    free(c->direct);
    free(c->agent);
    *c = (struct changes){0};
}
