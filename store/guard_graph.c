/* The graph of support as the guard's caller sees it. */
#include "guard.h"

#include <stdlib.h>
#include "reader.h"
#include "subgraph.h"

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                     "there is no memory for the graph");
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
    uint8_t *view = malloc((size_t)g->nodes + 1);
    if (!view)
        return no_memory(e);
    for (uint32_t node = 0; node < g->nodes && result == 0; node++) {
        enum sight sight = SIGHT_WHOLE;
        if (g->kind[node] == KIND_ENTRY && has_links(g, node))
            result = guard_sight(r, graph_row(g, node), &sight, e) || reader_check(r, e) ? -1 : 0;
        view[node] = sight == SIGHT_NONE ? SIGHT_NONE : SIGHT_WHOLE;
        hides |= sight == SIGHT_NONE;
    }
    if (result == 0 && hides && graph_thin(g, view))
        result = no_memory(e);
    free(view);
    return result;
}
