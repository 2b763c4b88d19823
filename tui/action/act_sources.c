/* Where an agent's information came from, and how chains of thought differ in it. */
#include "tui/action/actions.h"

#include "store/reasoning/chain.h"
#include "tui/explorer/app.h"
#include "tui/view/view_list.h"
#include "tui/view/memory/view_memory.h"
#include "tui/view/retrievals.h"
#include "tui/view/chain/strategies_view.h"

/* Under the cursor, else what the view is about. */
static int64_t here(struct app *x)
{
    int64_t node = view_node(x->nav.top);
    return node > 0 ? node : view_about(x->nav.top);
}

void act_facts(struct app *x, const char *argument)
{
    int64_t node = here(x);
    struct error e;
    if (*argument && (node = ref_resolve(x->data.reader, argument, &e)) <= 0)
        palette_goto(x, argument); /* says what is wrong, or asks which */
    if (node > 0)
        app_push(x, memory_view_new(x, node));
}

/* ---- retrievals ---- */

void act_retrievals(struct app *x, const char *argument)
{
    int by = RETRIEVALS_BY_TYPE;
    for (int i = 0; i < RETRIEVALS_GROUPS; i++)
        if (!strcasecmp(argument, retrieval_group_name((enum retrieval_group)i)))
            by = i;
    app_push(x, retrievals_view_new(x, (enum retrieval_group)by));
}

const char *blocked_group(struct app *x)
{
    bool grouped = x->nav.top->ops->place == IN_RETRIEVALS;
    bool log = view_is_list(x->nav.top) && list_view_root(x->nav.top) == KIND_ATTRIBUTION;
    return grouped || log ? NULL : "only logged retrievals have groups; :retrievals shows them";
}

void act_group(struct app *x, const char *argument)
{
    if (x->nav.top->ops->place == IN_RETRIEVALS)
        retrievals_view_regroup(x->nav.top);
    else
        act_retrievals(x, argument);
}

/* ---- strategies ---- */

static bool is_reasoning(struct app *x, int64_t node)
{
    const struct memory_row *row = details_row(x, node);
    return row && (row->ref.kind == KIND_CHAIN || row->ref.kind == KIND_STEP);
}

/* A chain or a step: under the cursor, else what the view is about; 0: neither. */
static int64_t reasoning_here(struct app *x)
{
    int64_t node = view_node(x->nav.top), about = view_about(x->nav.top);
    return is_reasoning(x, node) ? node : is_reasoning(x, about) ? about : 0;
}

const char *blocked_strategies(struct app *x)
{
    bool marked = x->ui.marks.count > 1 && is_reasoning(x, marks_next(&x->ui.marks, 0));
    if (marked || reasoning_here(x) > 0)
        return NULL;
    return "this is no chain: mark two or go to one";
}

/* The chains among what is marked; a step stands for its chain. In the arena. */
static int64_t *marked_chains(struct app *x, struct arena *arena, size_t *count)
{
    int64_t *nodes = arena_array(arena, x->ui.marks.count + 1, sizeof(*nodes));
    struct error e;
    *count = 0;
    for (int64_t n = marks_next(&x->ui.marks, 0); nodes && n > 0; n = marks_next(&x->ui.marks, n)) {
        const struct memory_row *row = details_row(x, n);
        int64_t chain = row && row->ref.kind == KIND_CHAIN  ? n
                        : row && row->ref.kind == KIND_STEP ? chain_of_step(x->data.reader, n, &e)
                                                            : 0;
        bool is_new = chain > 0;
        for (size_t i = 0; i < *count; i++)
            is_new = is_new && nodes[i] != chain;
        if (is_new)
            nodes[(*count)++] = chain;
    }
    return nodes;
}

/* The one that it is about, in the place of the last where there are more than are compared; the others as
 * they were. */
static void put_first(int64_t *nodes, size_t count, int64_t node)
{
    size_t at = 0;
    while (at + 1 < count && nodes[at] != node)
        at++;
    if (count == 0)
        return;
    memmove(nodes + 1, nodes, at * sizeof(*nodes));
    nodes[0] = node;
}

/* All that were asked the same as this one, that first. */
static int64_t *chains_here(struct app *x, struct arena *arena, size_t *count, bool *more)
{
    int64_t node = reasoning_here(x), *nodes;
    const struct memory_row *row = details_row(x, node);
    struct error e;
    if (row && row->ref.kind == KIND_STEP)
        node = chain_of_step(x->data.reader, node, &e);
    if (node <= 0)
        return NULL;
    if (chains_on_question(x->data.reader, arena, node, STRATEGIES_MOST, &nodes, count, more, &e)) {
        app_fail(x, &e);
        return NULL;
    }
    put_first(nodes, *count, node);
    return nodes;
}

void act_strategies(struct app *x, const char *argument)
{
    struct arena arena = ARENA_INIT;
    size_t count = 0;
    bool more = false, marked = x->ui.marks.count > 1;
    int64_t *nodes =
        marked ? marked_chains(x, &arena, &count) : chains_here(x, &arena, &count, &more);
    (void)argument;
    if (nodes && count > 1) {
        app_push(x, strategies_view_new(x, nodes, count));
        if (more)
            app_say(x, "the newest %d of those that were asked this", STRATEGIES_MOST);
    } else if (nodes) {
        app_say(x, marked ? "fewer than two of what is marked are chains"
                          : "no other chain was asked this; mark those to compare");
    }
    arena_release(&arena);
}
