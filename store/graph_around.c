/*
 * What surrounds a few memories, by the two indexes of links: the same graph as that of the whole
 * store, for the rows that matter to an answer.
 */
#include "subgraph.h"

#include <string.h>
#include "../model/alloc.h"
#include "reader.h"

/* The rows found so far: their order is that of the nodes. `slot` finds a row's node: open
 * addressing over node + 1, a power of two, at most half full. */
struct found {
    struct db *db;
    int64_t *row;
    size_t count, alloc;
    uint32_t *slot;
    size_t slots;
    size_t max;    /* of rows; SIZE_MAX: none */
    size_t opened; /* so many have their links read, the others stand at the edge; SIZE_MAX: all */
    uint32_t *antecedent;
    size_t antecedent_alloc;
};

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading the lineage");
}

static size_t home(const struct found *f, int64_t row)
{
    return (size_t)((uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (f->slots - 1);
}

/* The slot of the row, or the free one where it belongs. */
static uint32_t *find_slot(const struct found *f, int64_t row)
{
    size_t at = home(f, row);
    while (f->slot[at] && f->row[f->slot[at] - 1] != row)
        at = (at + 1) & (f->slots - 1);
    return &f->slot[at];
}

static int grow_slots(struct found *f)
{
    uint32_t *old = f->slot;
    size_t old_slots = f->slots;
    f->slots = old_slots ? 2 * old_slots : 64;
    f->slot = calloc(f->slots, sizeof(*f->slot));
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
static int find_node(struct found *f, int64_t row, uint32_t *node, struct error *e)
{
    if (2 * (f->count + 1) > f->slots && grow_slots(f))
        return out_of_memory(e);
    uint32_t *slot = find_slot(f, row);
    if (!*slot) {
        if (f->count >= NODE_NONE - 1 ||
            !array_grow((void **)&f->row, &f->alloc, f->count, sizeof(*f->row)))
            return out_of_memory(e);
        f->row[f->count++] = row;
        *slot = (uint32_t)f->count;
    }
    *node = *slot - 1;
    return 0;
}

static int add_roots(struct found *f, const int64_t *roots, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t node;
        if (find_node(f, roots[i], &node, e))
            return -1;
        if (f->count > i)
            continue;
        if (!array_grow((void **)&f->row, &f->alloc, f->count, sizeof(*f->row)))
            return out_of_memory(e);
        f->row[f->count++] = roots[i]; /* the same row again, as a node of its own */
    }
    return 0;
}

/* ---- what rests on them ---- */

static int add_users(struct found *f, int64_t row, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(
        f->db,
        "SELECT memory FROM link INDEXED BY link_target WHERE target = ? AND shape & 31 < 6"
        " ORDER BY memory",
        e);
    int more = stmt ? db_bind(f->db, stmt, e, "i", row) : -1;
    for (uint32_t node; more > 0 && f->count <= f->max; more = db_step(f->db, stmt, e))
        if (find_node(f, sqlite3_column_int64(stmt, 0), &node, e)) {
            sqlite3_reset(stmt);
            return -1;
        }
    if (more > 0)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

static int add_descendants(struct found *f, struct reader *r, struct error *e)
{
    for (size_t i = 0; i < f->count && f->count <= f->max; i++)
        if (reader_check(r, e) || add_users(f, f->row[i], e))
            return -1;
        else if (i && READER_TELLS(i) == 0)
            reader_progress(r, (int64_t)i, 0);
    return 0;
}

/* ---- the nodes and what they rest on ---- */

/* From the first columns of its statement; NULL: there is no such row. */
static int take_node(struct graph *g, sqlite3_stmt *stmt, int64_t row, struct error *e)
{
    if (!stmt)
        return error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)row);
    int kind = sqlite3_column_int(stmt, 0), status = sqlite3_column_int(stmt, 1);
    if (kind < 0 || kind >= KIND_COUNT || status < 0 || status >= STATUS_COUNT)
        return reader_damaged(e, "the kind or status", row);
    return graph_add_node(g, (enum kind)kind, (enum status)status) ? out_of_memory(e) : 0;
}

/* A node without its links. */
static int add_node(struct found *f, struct graph *g, int64_t row, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(f->db, "SELECT kind, status FROM memory WHERE id = ?", e);
    int more = stmt ? db_bind(f->db, stmt, e, "i", row) : -1;
    int result = more < 0 ? -1 : take_node(g, more ? stmt : NULL, row, e);
    sqlite3_reset(stmt);
    return result;
}

/* The group whose rows are being read: it is added when the next one begins. */
struct group {
    int64_t number; /* as stored; -1: none yet */
    unsigned shape;
    unsigned order; /* among the groups of support */
    size_t count;
};

static int end_group(struct found *f, struct graph *g, struct group *group, struct error *e)
{
    if (group->number < 0)
        return 0;
    if (graph_add_group(g, group->shape, group->order++, f->antecedent, group->count))
        return out_of_memory(e);
    return 0;
}

static int add_link(struct found *f, struct graph *g, struct group *group, sqlite3_stmt *stmt,
                    struct error *e)
{
    int64_t number = sqlite3_column_int64(stmt, 2), shape = sqlite3_column_int64(stmt, 4);
    if (sqlite3_column_type(stmt, 2) == SQLITE_NULL || !ROLE_IS_SUPPORT(shape & 31))
        return 0;
    if (number != group->number) {
        if (end_group(f, g, group, e))
            return -1;
        group->number = number;
        group->shape = (unsigned)(shape & 255);
        group->count = 0;
    }
    if (sqlite3_column_type(stmt, 3) == SQLITE_NULL)
        return 0;
    if (!array_grow((void **)&f->antecedent, &f->antecedent_alloc, group->count,
                    sizeof(*f->antecedent)))
        return out_of_memory(e);
    return find_node(f, sqlite3_column_int64(stmt, 3), &f->antecedent[group->count++], e);
}

/* A node with its links: one row for each link, or one without any. */
static int open_node(struct found *f, struct graph *g, int64_t row, struct error *e)
{
    struct group group = {.number = -1};
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT m.kind, m.status, l.number, l.target, l.shape"
                                    " FROM memory m LEFT JOIN link l ON l.memory = m.id"
                                    " WHERE m.id = ? ORDER BY l.number, l.position",
                                    e);
    int more = stmt ? db_bind(f->db, stmt, e, "i", row) : -1;
    if (more >= 0 && take_node(g, more ? stmt : NULL, row, e))
        more = -1;
    while (more > 0)
        more = add_link(f, g, &group, stmt, e) ? -1 : db_step(f->db, stmt, e);
    sqlite3_reset(stmt);
    return more < 0 ? -1 : end_group(f, g, &group, e);
}

static int add_ancestors(struct found *f, struct graph *g, struct reader *r, struct error *e)
{
    for (size_t i = 0; i < f->count && f->count <= f->max; i++)
        if (reader_check(r, e) ||
            (i < f->opened ? open_node(f, g, f->row[i], e) : add_node(f, g, f->row[i], e)))
            return -1;
    return 0;
}

static int walk(struct found *f, struct reader *r, struct graph *g, const int64_t *roots,
                size_t root_count, enum direction direction, struct error *e)
{
    if (add_roots(f, roots, root_count, e) ||
        (direction == DESCENDANTS && add_descendants(f, r, e)) || add_ancestors(f, g, r, e))
        return -1;
    if (f->count > f->max)
        return 0;
    reader_progress(r, (int64_t)f->count, (int64_t)f->count);
    return graph_finish(g) ? out_of_memory(e) : 0;
}

int graph_load_around(struct reader *r, struct graph *g, const int64_t *roots, size_t root_count,
                      enum direction direction, size_t max_nodes, bool *bounded, struct error *e)
{
    struct found f = {
        .db = reader_db(r), .max = max_nodes ? max_nodes : SIZE_MAX, .opened = SIZE_MAX};
    graph_init(g);
    *bounded = false;
    if (reader_begin(r, e))
        return -1;
    int result = walk(&f, r, g, roots, root_count, direction, e);
    reader_end(r);
    *bounded = result == 0 && f.count > f.max;
    if (result == 0 && !*bounded) {
        g->row = f.row;
        f.row = NULL;
    } else {
        graph_release(g);
    }
    free(f.row);
    free(f.slot);
    free(f.antecedent);
    return result;
}

/* ---- to a depth ---- */

/* Level by level; 0 where all that is within is read. */
static int walk_within(struct found *f, struct reader *r, struct graph *g, uint32_t depth,
                       size_t *within, struct error *e)
{
    size_t i = 0, end = f->count;
    for (uint32_t level = 0; i < end; level++) {
        for (; i < end; i++)
            if (reader_check(r, e) || open_node(f, g, f->row[i], e))
                return -1;
            else if (i && READER_TELLS(i) == 0)
                reader_progress(r, (int64_t)i, 0);
        end = level < depth ? f->count : i;
    }
    *within = i;
    reader_progress(r, (int64_t)i, (int64_t)i);
    for (; i < f->count; i++)
        if (graph_add_node(g, KIND_RAW, STATUS_MISSING))
            return out_of_memory(e);
    return graph_finish(g) ? out_of_memory(e) : 0;
}

int graph_load_within(struct reader *r, struct graph *g, int64_t row, uint32_t depth,
                      size_t *within, struct error *e)
{
    struct found f = {.db = reader_db(r), .max = SIZE_MAX, .opened = SIZE_MAX};
    graph_init(g);
    if (reader_begin(r, e))
        return -1;
    int result = add_roots(&f, &row, 1, e) || walk_within(&f, r, g, depth, within, e) ? -1 : 0;
    reader_end(r);
    if (result == 0) {
        g->row = f.row;
        f.row = NULL;
    } else {
        graph_release(g);
    }
    free(f.row);
    free(f.slot);
    free(f.antecedent);
    return result;
}

/* ---- dependants alone ---- */

/* The row itself stands first among what is found, and is left out at the end. */
static int walk_down(struct found *f, struct reader *r, int64_t row, struct dependants *out,
                     struct error *e)
{
    if (add_roots(f, &row, 1, e) || add_users(f, row, e))
        return -1;
    out->direct = f->count - 1;
    for (size_t i = 1; i < f->count && f->count <= f->max; i++)
        if (reader_check(r, e) || add_users(f, f->row[i], e))
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
    struct found f = {.db = reader_db(r), .max = most ? most + 1 : SIZE_MAX};
    *out = (struct dependants){0};
    if (reader_begin(r, e))
        return -1;
    int result = walk_down(&f, r, row, out, e);
    reader_end(r);
    free(f.row);
    free(f.slot);
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

/* ---- labels of a few rows ---- */

/* Beyond so many nodes the whole graph costs less than walking the indexes. */
#define LABELS_AROUND_MAX 50000

static int label_in(const struct graph *g, const int64_t *rows, size_t count, struct row_label *out,
                    struct error *e)
{
    struct labels l;
    if (labels_compute(&l, g))
        return out_of_memory(e);
    for (size_t i = 0; i < count; i++) {
        uint32_t node = g->row ? (uint32_t)i : graph_node(g, rows[i]);
        out[i] = (struct row_label){(enum label)l.label[node], l.holds[node],
                                    g->just_first[node + 1] - g->just_first[node]};
    }
    labels_release(&l);
    return 0;
}

/*
 * Most memories are known to stand by a short way to their sources, however much lies around. So the
 * nearest are opened first, and those at the edge taken as dead once and as standing once: labels only
 * grow with what stands (justifications know no "not"), so the true ones lie between, and what is the
 * same in both is exact.
 */
static const size_t opened_at_first[] = {128, 2048};

/* Every node from `edge` on is dead. */
static void kill_edge(struct graph *g, size_t edge)
{
    for (size_t node = edge; node < g->nodes; node++)
        g->status[node] = STATUS_MISSING;
}

static bool same_labels(const struct row_label *a, const struct row_label *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].label != b[i].label || a[i].holds != b[i].holds)
            return false;
    return true;
}

/* 1 where `out` is exact, 0 where more must be opened; -1 with an error. */
static int label_between(struct graph *g, size_t edge, const int64_t *rows, size_t count,
                         struct row_label *out, struct error *e)
{
    if (label_in(g, rows, count, out, e))
        return -1;
    if (edge >= g->nodes)
        return 1;
    struct row_label *low = calloc(count, sizeof(*low));
    if (!low)
        return out_of_memory(e);
    kill_edge(g, edge);
    int result = label_in(g, rows, count, low, e) ? -1 : same_labels(low, out, count);
    free(low);
    return result;
}

/* The same with at most `opened` memories around the rows opened. */
static int label_near(struct reader *r, const int64_t *rows, size_t count, size_t opened,
                      struct row_label *out, struct error *e)
{
    struct found f = {.db = reader_db(r), .max = SIZE_MAX, .opened = count + opened};
    struct graph g;
    graph_init(&g);
    int result = walk(&f, r, &g, rows, count, ANCESTORS, e);
    if (!result) {
        g.row = f.row;
        f.row = NULL;
        result = label_between(&g, f.opened, rows, count, out, e);
    }
    graph_release(&g);
    free(f.row);
    free(f.slot);
    free(f.antecedent);
    return result;
}

static int label_all(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                     struct error *e)
{
    struct graph g;
    bool bounded;
    int result = graph_load_around(r, &g, rows, count, ANCESTORS, LABELS_AROUND_MAX, &bounded, e);
    if (result == 0 && bounded)
        result = graph_load(r, &g, e);
    if (result)
        return -1;
    result = label_in(&g, rows, count, out, e);
    graph_release(&g);
    return result;
}

int labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                   struct error *e)
{
    int known = 0;
    if (count == 0)
        return 0;
    if (reader_begin(r, e))
        return -1;
    for (size_t i = 0; i < sizeof(opened_at_first) / sizeof(opened_at_first[0]) && !known; i++)
        known = label_near(r, rows, count, opened_at_first[i], out, e);
    if (!known)
        known = label_all(r, rows, count, out, e) ? -1 : 1;
    reader_end(r);
    return known < 0 ? -1 : 0;
}
