#include "store/mcp/protocol/changes.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/reasoning/chain.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/lineage/subgraph.h"

#define AROUND_MOST 16384 /* memories that are walked for all that are subscribed to together */
#define SEEN_MOST   (8 * AROUND_MOST) /* and for all callers from whom some are hidden */
#define EACH_LEAST  64 /* for one of them at least, where all together rest on more */

/* A chain that is not finished does not rest on its steps, and changes with each. */
static void add_chain(struct changes *c, int64_t step, struct reader *r)
{
    struct error ignored;
    int64_t chain = chain_of_step(r, step, &ignored);
    if (chain < 0)
        c->any = true;
    else if (chain > 0)
        row_index_add(&c->rows, chain);
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
        row_index_add(&c->rows, row);
        if (events[i].ref.id && events[i].ref.kind == KIND_STEP)
            add_chain(c, row, r);
        c->reach = c->reach || is_rested_on(row, r);
    }
}

/* ---- what rests on them ---- */

/* From the nodes that are marked in `met` on to all that rest on them. */
static void spread(const struct graph *g, uint8_t *met)
{
    uint32_t *queue = xcalloc((size_t)g->nodes + 1, sizeof(*queue)), last = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        if (met[node])
            queue[last++] = node;
    for (uint32_t next = 0; next < last; next++)
        for (uint32_t u = g->use_first[queue[next]]; u < g->use_first[queue[next] + 1]; u++) {
            uint32_t user = g->just_node[g->use_just[u]];
            if (!met[user])
                queue[last++] = user;
            met[user] = 1;
        }
    free(queue);
}

bool changes_is_direct(const struct changes *c, int64_t row)
{
    return row_index_find(&c->rows, row) < c->direct;
}

/* False where these rest on more than `most`. The roots are the first nodes. */
static bool reach_within(struct changes *c, const int64_t *rows, size_t count, size_t most,
                         struct reader *r)
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
    uint8_t *met = xcalloc((size_t)g.nodes + 1, sizeof(*met));
    for (uint32_t node = 0; node < g.nodes; node++)
        met[node] = changes_is_direct(c, g.row[node]);
    spread(&g, met);
    for (size_t i = 0; i < count; i++)
        if (met[i])
            row_index_add(&c->rows, g.row[i]);
    free(met);
    graph_release(&g);
    return true;
}

void changes_reach(struct changes *c, const int64_t *subscribed, size_t count, struct reader *r)
{
    struct row_index asked = ROW_INDEX_INIT; /* each once */
    c->direct = c->rows.count;
    if (!c->reach || c->any || count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        row_index_add(&asked, subscribed[i]);
    count = asked.count;
    bool all = reach_within(c, asked.row, count, AROUND_MOST, r);
    size_t share = AROUND_MOST / count > EACH_LEAST ? AROUND_MOST / count : EACH_LEAST;
    for (size_t i = 0; !all && i < count && !c->any; i++)
        if (!reach_within(c, &asked.row[i], 1, share, r))
            row_index_add(&c->rows, asked.row[i]);
    row_index_release(&asked);
}

/* ---- as a caller sees it ---- */

/* 0: nobody's; -1: as far as is known anybody's. */
static void find_agents(struct changes *c, struct reader *r)
{
    struct error ignored;
    c->agent = xcalloc(c->rows.count + 1, sizeof(*c->agent));
    for (size_t i = 0; i < c->rows.count; i++)
        if (list_agent_of(r, c->rows.row[i], &c->agent[i], &ignored))
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
    for (size_t i = 0; !seen && i < c->direct; i++)
        seen = is_there(r, c->rows.row[i]);
    return seen;
}

/* In the graph as it was loaded: is one of its first `roots` nodes met without what is hidden? Only entries are hidden
 * so. */
static bool meets(const struct changes *c, struct reader *r, struct graph *g, size_t roots)
{
    struct error ignored;
    uint8_t *met = xcalloc((size_t)g->nodes + 1, sizeof(*met));
    for (uint32_t node = 0; node < g->nodes; node++)
        met[node] = changes_is_direct(c, g->row[node]) &&
                    (g->kind[node] != KIND_ENTRY || is_there(r, g->row[node]));
    bool found = guard_graph(r, g, &ignored) == 0;
    if (found) {
        spread(g, met);
        found = memchr(met, 1, roots);
    }
    free(met);
    return found;
}

bool changes_reach_seen(struct changes *c, struct reader *r, const int64_t *rows, size_t count)
{
    struct error ignored;
    struct graph g;
    size_t left = c->walked < SEEN_MOST ? SEEN_MOST - c->walked : 0;
    size_t most = left < EACH_LEAST ? EACH_LEAST : left < AROUND_MOST ? left : AROUND_MOST;
    bool bounded = false;
    if (count == 0 || c->direct == c->rows.count)
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
    row_index_release(&c->rows);
    free(c->agent);
    *c = (struct changes){0};
}
