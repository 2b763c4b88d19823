/*
 * What surrounds a few memories, by the two indexes of links: the same graph as that of the whole
 * store, for the rows that matter to an answer.
 */
#include "store/lineage/around.h"

#include <string.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"

/* What a memory with its links takes, in steps of SQLite's. */
#define NODE_STEPS 6

void around_release(struct around *f)
{
    links_end(&f->walk);
    free(f->row);
    free(f->slot);
    free(f->fence);
    free(f->antecedent);
}

/* The graph takes the rows over. */
void around_give(struct around *f, struct graph *g)
{
    g->row = f->row;
    f->row = NULL;
}

static size_t home(const struct around *f, int64_t row)
{
    return (size_t)((uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (f->slots - 1);
}

/* The slot of the row, or the free one where it belongs. */
static uint32_t *find_slot(const struct around *f, int64_t row)
{
    size_t at = home(f, row);
    while (f->slot[at] && f->row[f->slot[at] - 1] != row)
        at = (at + 1) & (f->slots - 1);
    return &f->slot[at];
}

static int grow_slots(struct around *f)
{
    uint32_t *old = f->slot;
    size_t old_slots = f->slots;
    f->slots = old_slots ? 2 * old_slots : 64;
    f->slot = xcalloc(f->slots, sizeof(*f->slot));
    if (!f->slot) {
        f->slot = old;
        f->slots = old_slots;
        return -1;
    }
    for (size_t i = 0; i < old_slots; i++)
        if (old[i])
            *find_slot(f, f->row[old[i] - 1]) = old[i];
    free(old);
    return 0;
}

/* The node of a row, new or not. The first node of a row that was asked for twice keeps it. */
static int node_of_row(struct around *f, int64_t row, uint32_t *node, struct error *e)
{
    if (2 * (f->count + 1) > f->slots && grow_slots(f))
        return around_no_memory(e);
    uint32_t *slot = find_slot(f, row);
    if (!*slot) {
        if (f->count >= NODE_NONE - 1 ||
            !array_grow((void **)&f->row, &f->alloc, f->count, sizeof(*f->row)))
            return around_no_memory(e);
        f->row[f->count++] = row;
        *slot = (uint32_t)f->count;
    }
    *node = *slot - 1;
    return 0;
}

uint32_t around_find(const struct around *f, int64_t row)
{
    uint32_t number = f->slots ? *find_slot(f, row) : 0;
    return number ? number - 1 : NODE_NONE;
}

int around_roots(struct around *f, const int64_t *roots, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t node;
        if (node_of_row(f, roots[i], &node, e))
            return -1;
        if (f->count > i)
            continue;
        if (!array_grow((void **)&f->row, &f->alloc, f->count, sizeof(*f->row)))
            return around_no_memory(e);
        f->row[f->count++] = roots[i]; /* the same row again, as a node of its own */
    }
    return 0;
}

/* ---- what rests on them ---- */

static int add_users(struct around *f, int64_t row, struct error *e)
{
    struct users users;
    if (links_users(&f->walk, row, &users, e))
        return -1;
    for (int64_t user; f->count <= f->max && (user = links_user(&users));) {
        uint32_t node;
        if (node_of_row(f, user, &node, e))
            return -1;
    }
    return 0;
}

int around_descend(struct around *f, struct reader *r, struct error *e)
{
    for (size_t i = 0; i < f->count && f->count <= f->max; i++)
        if (reader_spend(r, NODE_STEPS, e) || add_users(f, f->row[i], e))
            return -1;
        else if (i && READER_TELLS(i) == 0)
            reader_progress(r, (int64_t)i, 0);
    return 0;
}

/* ---- the nodes and what they rest on ---- */

/* Its links as well, or only itself, at the edge. */
static int add_node(struct around *f, struct graph *g, struct links *l, bool open, struct error *e)
{
    unsigned shape, order = 0;
    size_t count;
    enum kind kind;
    enum status status;
    if (links_nature(&f->walk, l->row, &kind, &status, e))
        return -1;
    if (graph_add_node(g, kind, status))
        return around_no_memory(e);
    for (; open && links_group(l, &shape, &count); order++) {
        for (size_t i = 0; i < count; i++)
            if (!array_grow((void **)&f->antecedent, &f->antecedent_alloc, i,
                            sizeof(*f->antecedent)))
                return around_no_memory(e);
            else if (node_of_row(f, links_next(l), &f->antecedent[i], e))
                return -1;
        if (graph_add_group(g, shape, order, f->antecedent, count))
            return around_no_memory(e);
    }
    return 0;
}

/* The next node of the graph with its links. */
static int open_next(struct around *f, struct graph *g, int64_t row, struct error *e)
{
    struct links l;
    return links_of(&f->walk, row, &l, e) || add_node(f, g, &l, true, e) ? -1 : 0;
}

/*
 * In its place a node of whose support nothing but the label is told: whatever rests on it is labelled as it
 * would be with all that it rests on. One that stands has no justification, one that is lost is dead, one
 * in a circle rests on itself.
 */
static int add_fence(struct graph *g, enum label label, struct error *e)
{
    uint32_t self = g->nodes;
    bool dead = label == LABEL_GONE || label == LABEL_UNGROUNDED;
    if (graph_add_node(g, KIND_RAW, dead ? STATUS_MISSING : STATUS_ACTIVE) ||
        (label == LABEL_CIRCULAR &&
         graph_add_group(g, GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED), 0, &self, 1)))
        return around_no_memory(e);
    return 0;
}

/* The next node in the order of the rows. */
static int add_next(struct around *f, struct graph *g, size_t i, struct error *e)
{
    struct links l;
    int label = -1;
    if (i >= f->fence_from && links_label(&f->walk, f->row[i], &label, e))
        return -1;
    bool fence = label >= 0;
    if (f->fence_from < SIZE_MAX) {
        if (!array_grow((void **)&f->fence, &f->fence_alloc, i, sizeof(*f->fence)))
            return around_no_memory(e);
        f->fence[i] = fence;
    }
    if (fence)
        return add_fence(g, (enum label)label, e);
    return links_of(&f->walk, f->row[i], &l, e) || add_node(f, g, &l, i < f->opened, e) ? -1 : 0;
}

int around_ascend(struct around *f, struct reader *r, struct graph *g, struct error *e)
{
    for (size_t i = 0; i < f->count && f->count <= f->max; i++)
        if (reader_spend(r, NODE_STEPS, e) || add_next(f, g, i, e))
            return -1;
    if (f->count > f->max)
        return 0;
    reader_progress(r, (int64_t)f->count, (int64_t)f->count);
    return graph_finish(g) ? around_no_memory(e) : 0;
}

/* Hands over what was built, or lets go of it. */
static int end_load(struct around *f, struct reader *r, struct graph *g, int result)
{
    if (result == 0 && f->count <= f->max)
        around_give(f, g);
    else
        graph_release(g);
    around_release(f);
    reader_end(r);
    return result;
}

int graph_load_around(struct reader *r, struct graph *g, const int64_t *roots, size_t root_count,
                      enum direction direction, size_t max_nodes, bool *bounded, struct error *e)
{
    struct around f = AROUND_INIT;
    f.max = max_nodes ? max_nodes : SIZE_MAX;
    graph_init(g);
    *bounded = false;
    if (reader_begin(r, e))
        return -1;
    int result = links_begin(&f.walk, r, e) || around_roots(&f, roots, root_count, e) ||
                         (direction == DESCENDANTS && around_descend(&f, r, e)) ||
                         around_ascend(&f, r, g, e)
                     ? -1
                     : 0;
    *bounded = result == 0 && f.count > f.max;
    return end_load(&f, r, g, result);
}

/* ---- what they carry, fenced ---- */

/* Those of the rows from `inside` on that are known; the places of the others into `unknown`. */
static int find_labels(struct around *f, size_t inside, struct row_label *label, int64_t *unknown,
                       size_t *unknown_count, struct error *e)
{
    *unknown_count = 0;
    for (size_t i = inside; i < f->count; i++) {
        int known;
        if (links_label(&f->walk, f->row[i], &known, e))
            return -1;
        label[i - inside].label = (enum label)known;
        if (known < 0)
            unknown[(*unknown_count)++] = f->row[i];
    }
    return 0;
}

/* `unknown` are those without a label, in their order. */
static int add_fences(struct reader *r, struct graph *g, struct row_label *label, size_t count,
                      const int64_t *unknown, size_t unknown_count, struct error *e)
{
    struct row_label *found = xmalloc((unknown_count + 1) * sizeof(*found));
    int result = !found ? around_no_memory(e) : labels_of_rows(r, unknown, unknown_count, found, e);
    for (size_t i = 0, next = 0; i < count && result == 0; i++)
        result = add_fence(g, (int)label[i].label < 0 ? found[next++].label : label[i].label, e);
    free(found);
    return result;
}

/* The walk lets go of what is kept before labels are found, which takes it again. */
static int fence(struct around *f, struct reader *r, struct graph *g, size_t inside,
                 struct error *e)
{
    size_t count = f->count - inside, unknown_count = 0;
    struct row_label *label = xcalloc(count + 1, sizeof(*label));
    int64_t *unknown = xmalloc((count + 1) * sizeof(*unknown));
    int result = label && unknown ? 0 : around_no_memory(e);
    if (result == 0)
        result = find_labels(f, inside, label, unknown, &unknown_count, e);
    links_end(&f->walk);
    if (result == 0)
        result = add_fences(r, g, label, count, unknown, unknown_count, e);
    free(label);
    free(unknown);
    return result;
}

static int walk_carried(struct around *f, struct reader *r, struct graph *g, size_t *inside,
                        struct error *e)
{
    if (around_descend(f, r, e))
        return -1;
    *inside = f->count;
    for (size_t i = 0; i < *inside && f->count <= f->max; i++)
        if (reader_spend(r, NODE_STEPS, e) || open_next(f, g, f->row[i], e))
            return -1;
    if (f->count > f->max)
        return 0;
    if (fence(f, r, g, *inside, e))
        return -1;
    reader_progress(r, (int64_t)f->count, (int64_t)f->count);
    return graph_finish(g) ? around_no_memory(e) : 0;
}

int graph_load_carried(struct reader *r, struct graph *g, const int64_t *roots, size_t root_count,
                       size_t max_nodes, size_t *inside, bool *bounded, struct error *e)
{
    struct around f = AROUND_INIT;
    f.max = max_nodes ? max_nodes : SIZE_MAX;
    graph_init(g);
    *bounded = false;
    *inside = 0;
    if (reader_begin(r, e))
        return -1;
    int result = links_begin(&f.walk, r, e) || around_roots(&f, roots, root_count, e) ||
                         walk_carried(&f, r, g, inside, e)
                     ? -1
                     : 0;
    *bounded = result == 0 && f.count > f.max;
    return end_load(&f, r, g, result);
}

/* ---- to a depth ---- */

/* The next of those within: its links, or who rests on it. */
static int pass_next(struct around *f, struct reader *r, struct graph *g, size_t i,
                     enum direction direction, struct error *e)
{
    if (i && READER_TELLS(i) == 0)
        reader_progress(r, (int64_t)i, 0);
    if (reader_spend(r, NODE_STEPS, e))
        return -1;
    return direction == ANCESTORS ? open_next(f, g, f->row[i], e) : add_users(f, f->row[i], e);
}

/* Level by level. */
static int pass_levels(struct around *f, struct reader *r, struct graph *g,
                       enum direction direction, uint32_t depth, struct within *out,
                       struct error *e)
{
    size_t i = 0, end = f->count;
    bool open = direction == ANCESTORS; /* those of the last level, too */
    for (uint32_t level = 0; i < end && f->count <= f->max; level++) {
        for (; i < end && f->count <= f->max && (open || level < depth); i++)
            if (pass_next(f, r, g, i, direction, e))
                return -1;
        if (level >= depth)
            break;
        end = f->count;
    }
    out->nodes = end;
    out->whole = i == f->count;
    return 0;
}

static int walk_within(struct around *f, struct reader *r, struct graph *g,
                       enum direction direction, uint32_t depth, struct within *out,
                       struct error *e)
{
    if (pass_levels(f, r, g, direction, depth, out, e))
        return -1;
    for (size_t i = g->nodes; i < out->nodes && f->count <= f->max; i++)
        if (reader_spend(r, NODE_STEPS, e) || open_next(f, g, f->row[i], e))
            return -1;
    if (f->count > f->max)
        return 0;
    reader_progress(r, (int64_t)out->nodes, (int64_t)out->nodes);
    for (size_t i = out->nodes; i < f->count; i++)
        if (graph_add_node(g, KIND_RAW, STATUS_MISSING))
            return around_no_memory(e);
    return graph_finish(g) ? around_no_memory(e) : 0;
}

int graph_load_within(struct reader *r, struct graph *g, int64_t row, enum direction direction,
                      uint32_t depth, size_t max_nodes, struct within *out, struct error *e)
{
    struct around f = AROUND_INIT;
    f.max = max_nodes ? max_nodes : SIZE_MAX;
    graph_init(g);
    *out = (struct within){0};
    if (reader_begin(r, e))
        return -1;
    int result = links_begin(&f.walk, r, e) || around_roots(&f, &row, 1, e) ||
                         walk_within(&f, r, g, direction, depth, out, e)
                     ? -1
                     : 0;
    out->bounded = result == 0 && f.count > f.max;
    return end_load(&f, r, g, result);
}

/* ---- dependants alone ---- */

/* The row itself stands first among what is found, and is left out at the end. */
static int walk_down(struct around *f, struct reader *r, int64_t row, struct dependants *out,
                     struct error *e)
{
    if (around_roots(f, &row, 1, e) || add_users(f, row, e))
        return -1;
    out->direct = f->count - 1;
    for (size_t i = 1; i < f->count && f->count <= f->max; i++)
        if (reader_spend(r, NODE_STEPS, e) || add_users(f, f->row[i], e))
            return -1;
    out->more = f->count > f->max;
    out->count = (out->more ? f->max : f->count) - 1;
    out->direct = out->direct < out->count ? out->direct : out->count;
    memmove(f->row, f->row + 1, out->count * sizeof(*f->row));
    out->row = f->row;
    f->row = NULL;
    return 0;
}

int dependants_find(struct reader *r, int64_t row, size_t most, struct dependants *out,
                    struct error *e)
{
    struct around f = AROUND_INIT;
    f.max = most ? most + 1 : SIZE_MAX;
    *out = (struct dependants){0};
    if (reader_begin(r, e))
        return -1;
    int result = links_begin(&f.walk, r, e) || walk_down(&f, r, row, out, e) ? -1 : 0;
    around_release(&f);
    reader_end(r);
    return result;
}

uint32_t graph_node(const struct graph *g, int64_t row)
{
    if (!g->row)
        return row >= 1 && row <= g->nodes ? (uint32_t)(row - 1) : NODE_NONE;
    for (uint32_t node = 0; node < g->nodes; node++)
        if (g->row[node] == row)
            return node;
    return NODE_NONE;
}
