#include "store/guard/guard_support.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/lineage/subgraph.h"

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                     "there is no memory for the graph");
}

/* ---- empty justifications ---- */

/*
 * Evidence that comes where nothing backs a memory up brings an empty justification with it. So where the first group
 * that is seen came later than others that are hidden, an empty one stands before it; and one that came with what is
 * hidden goes with it, where nothing else is left. What is given together has the same time.
 */

/* Is it evidence that came after a group of that time? What a memory is made from brings nothing with it. */
static bool came_later(enum role role, int64_t at, int64_t before)
{
    return role == ROLE_REINFORCEMENT || (role == ROLE_EVIDENCE && at > before);
}

/* ---- of a memory ---- */

int guard_sees_end(struct reader *r, struct ref ref, int64_t node, bool *seen, struct error *e)
{
    enum sight sight = SIGHT_NONE;
    *seen = true;
    if (ref.kind != KIND_ENTRY)
        return 0;
    if (node == 0)
        node = ref_find(reader_db(r), ref, e);
    if (node < 0 || (node > 0 && guard_sight(r, node, &sight, e)))
        return -1;
    *seen = sight != SIGHT_NONE;
    return 0;
}

/* Of its antecedents those that are seen are left. */
static int thin_group(struct reader *r, struct arena *arena, struct justification *j,
                      struct error *e)
{
    struct antecedent *kept = arena_array(arena, j->count + 1, sizeof(*kept));
    size_t count = 0;
    if (!kept)
        return no_memory(e);
    for (size_t i = 0; i < j->count; i++) {
        bool seen;
        if (guard_sees_end(r, j->antecedents[i].ref, j->antecedents[i].node, &seen, e))
            return -1;
        if (seen)
            kept[count++] = j->antecedents[i];
    }
    j->antecedents = kept;
    j->count = count;
    return 0;
}

static struct justification empty_at(int64_t at)
{
    return (struct justification){ROLE_DERIVED_FROM, READING_ALL, RECORDED, at, NULL, NULL, 0};
}

/* A group of which nothing is left is as if it had never been given. */
int guard_groups(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    const struct justification *all = m->justifications;
    struct justification *kept = arena_array(arena, m->justification_count + 1, sizeof(*kept));
    bool came_with = false; /* the empty one with what is hidden */
    size_t count = 0, lost = 0;
    if (!kept)
        return no_memory(e);
    for (size_t i = 0; i < m->justification_count; i++) {
        struct justification j = all[i];
        if (thin_group(r, arena, &j, e))
            return -1;
        if (all[i].count > 0 && j.count == 0) {
            came_with |= i == 1 && all[0].count == 0 && all[0].at == all[1].at;
            lost++;
            continue;
        }
        if (count == 0 && lost > 0 && j.count > 0 && came_later(j.role, j.at, all[0].at))
            kept[count++] = empty_at(j.at);
        kept[count++] = j;
    }
    if (came_with && count == 1)
        count = 0;
    else if (came_with)
        kept[0].at = kept[1].at;
    m->justifications = kept;
    m->justification_count = count;
    return 0;
}

/* ---- of a graph ---- */

static bool is_empty(const struct graph *g, uint32_t just)
{
    return g->link_first[just] == g->link_first[just + 1];
}

/* Is nothing left of it? */
static bool is_lost(const struct graph *g, uint32_t just, const uint8_t *view)
{
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++)
        if (view[g->link_to[i]] != VIEW_NONE)
            return false;
    return !is_empty(g, just);
}

/* When the group of a justification was given. */
static int time_of(struct reader *r, const struct graph *g, uint32_t just, int64_t *at,
                   struct error *e)
{
    return db_int(reader_db(r), at, 0, e,
                  "SELECT at FROM link WHERE memory = ? AND number = ? AND position = 0", "ii",
                  graph_row(g, g->just_node[just]), (int64_t)g->just_group[just]);
}

/* All but the first of them are lost, and that is an empty one: it goes where it came with the next. */
static int view_empty(struct reader *r, const struct graph *g, uint32_t first, uint8_t *view,
                      struct error *e)
{
    int64_t at, next;
    if (time_of(r, g, first, &at, e) || time_of(r, g, first + 1, &next, e))
        return -1;
    if (at == next)
        *view = VIEW_REF;
    return 0;
}

/* All before `seen` are lost. */
static int view_later(struct reader *r, const struct graph *g, uint32_t first, uint32_t seen,
                      uint8_t *view, struct error *e)
{
    int64_t at, before;
    if (is_empty(g, seen) || g->just_group[seen] == g->just_group[first])
        return 0;
    if (time_of(r, g, first, &before, e) || time_of(r, g, seen, &at, e))
        return -1;
    if (came_later(SHAPE_ROLE(g->just_shape[seen]), at, before))
        *view = VIEW_STOOD;
    return 0;
}

/* Of a node with an antecedent that is hidden. */
static int view_user(struct reader *r, const struct graph *g, uint32_t node, uint8_t *view,
                     struct error *e)
{
    uint32_t first = g->just_first[node], end = g->just_first[node + 1], seen = first;
    if (view[node] != VIEW_WHOLE)
        return 0;
    while (seen < end && is_lost(g, seen, view))
        seen++;
    if (seen == end)
        return 0;
    if (seen > first)
        return view_later(r, g, first, seen, &view[node], e);
    if (!is_empty(g, first))
        return 0;
    for (seen = first + 1; seen < end && is_lost(g, seen, view);)
        seen++;
    return seen == end ? view_empty(r, g, first, &view[node], e) : 0;
}

static int view_users(struct reader *r, const struct graph *g, uint8_t *view, struct error *e)
{
    for (uint32_t node = 0; node < g->nodes; node++) {
        uint32_t end = view[node] == VIEW_NONE ? g->use_first[node + 1] : 0;
        for (uint32_t i = g->use_first[node]; i < end; i++)
            if (view_user(r, g, g->just_node[g->use_just[i]], view, e))
                return -1;
    }
    return 0;
}

static bool has_links(const struct graph *g, uint32_t node)
{
    return g->use_first[node] < g->use_first[node + 1] ||
           g->just_first[node] < g->just_first[node + 1];
}

int guard_graph(struct reader *r, struct graph *g, struct error *e)
{
    bool hides = false;
    int result = 0;
    if (!guard_hides_linked_entries(r))
        return 0;
    uint8_t *view = xmalloc((size_t)g->nodes + 1);
    if (!view)
        return no_memory(e);
    for (uint32_t node = 0; node < g->nodes && result == 0; node++) {
        enum sight sight = SIGHT_WHOLE;
        if (g->kind[node] == KIND_ENTRY && has_links(g, node))
            result = guard_sight(r, graph_row(g, node), &sight, e) || reader_check(r, e) ? -1 : 0;
        view[node] = sight == SIGHT_NONE ? VIEW_NONE : VIEW_WHOLE;
        hides |= sight == SIGHT_NONE;
    }
    if (result == 0 && hides) {
        result = view_users(r, g, view, e);
        if (result == 0 && graph_thin(g, view))
            result = no_memory(e);
    }
    free(view);
    return result;
}
