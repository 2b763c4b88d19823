#include "store/lineage/around.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/db/column.h"
#include "store/db/reader.h"
#include "store/lineage/loaded.h"

void links_release(struct links *l)
{
    free(l->group);
    free(l->row);
    *l = (struct links){0};
}

static void clear(struct links *l)
{
    l->groups = l->rows = 0;
}

/* A group without antecedents has one row, which names nothing. */
static int take_link(struct links *l, sqlite3_stmt *stmt, int64_t memory, int64_t *number,
                     struct error *e)
{
    int64_t target = sqlite3_column_int64(stmt, 1), of = sqlite3_column_int64(stmt, 0);
    if (sqlite3_column_type(stmt, 1) != SQLITE_NULL && target < 1)
        return reader_damaged(e, "a link", memory);
    if (l->groups == 0 || of != *number)
        *ARRAY_ADD(l->group, l->groups, l->group_alloc) =
            (struct link_group){(unsigned)sqlite3_column_int(stmt, 2) & 255, l->rows, 0};
    *number = of;
    if (target) {
        *ARRAY_ADD(l->row, l->rows, l->row_alloc) = target;
        l->group[l->groups - 1].count++;
    }
    return 0;
}

int links_of(struct links *l, struct reader *r, int64_t row, struct error *e)
{
    int64_t number = 0;
    struct db *db = reader_db(r);
    struct query rows = db_query(db, e,
                                 "SELECT number, target, shape, position FROM link WHERE memory = ?"
                                 " AND shape & 31 < 6 ORDER BY number, position",
                                 "i", row);
    clear(l);
    while (db_next(&rows))
        if (take_link(l, rows.stmt, row, &number, e))
            return db_fail(&rows);
    return db_end(&rows);
}

int links_users(struct links *l, struct reader *r, int64_t row, size_t most, struct error *e)
{
    struct query rows = db_query(reader_db(r), e,
                                 "SELECT memory FROM link"
                                 " WHERE target = ? AND shape & 31 < 6 ORDER BY memory",
                                 "i", row);
    clear(l);
    while (l->rows <= most && db_next(&rows)) {
        int64_t user = sqlite3_column_int64(rows.stmt, 0);
        if (user < 1) {
            db_end(&rows);
            return reader_damaged(e, "a link", row);
        }
        if (l->rows == 0 || l->row[l->rows - 1] != user)
            *ARRAY_ADD(l->row, l->rows, l->row_alloc) = user;
    }
    return db_end(&rows);
}

int links_nature(struct reader *r, int64_t row, enum kind *kind, enum status *status,
                 struct error *e)
{
    struct query q =
        db_query(reader_db(r), e, "SELECT kind, status FROM memory WHERE id = ?", "i", row);
    if (!db_next(&q))
        return db_end(&q) ? -1
                          : error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                                      (long long)row);
    int k = column_enum(q.stmt, 0, KIND_COUNT), s = column_enum(q.stmt, 1, STATUS_COUNT);
    db_end(&q);
    if (k < 0 || s < 0)
        return reader_damaged(e, "the kind or status", row);
    *kind = (enum kind)k;
    *status = (enum status)s;
    return 0;
}

/*
 * What surrounds a few memories, by the two indexes of links: the same graph as that of the whole store, for the rows that
 * matter to an answer.
 */

/* What a memory with its links takes, in steps of SQLite's. */
#define NODE_STEPS 6

void around_release(struct around *f)
{
    row_index_release(&f->rows);
    links_release(&f->links);
    free(f->antecedent);
}

/* The graph takes the rows over. */
static void around_give(struct around *f, struct graph *g)
{
    g->row = f->rows.row;
    f->rows.row = NULL;
}

void around_roots(struct around *f, const int64_t *roots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        row_index_add(&f->rows, roots[i]);
}

/* ---- what is based on them ---- */

static int add_users(struct around *f, int64_t row, struct error *e)
{
    if (links_users(&f->links, f->reader, row, f->max, e))
        return -1;
    for (size_t i = 0; i < f->links.rows && around_is_whole(f); i++)
        row_index_add(&f->rows, f->links.row[i]);
    return 0;
}

/* All that is based on what was found. */
static int around_descend(struct around *f, struct error *e)
{
    for (size_t i = 0; i < f->rows.count && around_is_whole(f); i++) {
        if (reader_spend(f->reader, NODE_STEPS, e) || add_users(f, f->rows.row[i], e))
            return -1;
        if (i && READER_TELLS(i) == 0)
            reader_progress(f->reader, (int64_t)i, 0);
    }
    return 0;
}

/* ---- the nodes and what they are based on ---- */

static void add_group(struct around *f, struct graph *g, size_t number)
{
    const struct link_group *group = &f->links.group[number];
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        *ARRAY_ADD(f->antecedent, count, f->antecedent_alloc) =
            (uint32_t)row_index_add(&f->rows, f->links.row[group->first + i]);
    graph_add_group(g, group->shape, (unsigned)number, f->antecedent, count);
}

/* The next node of the graph: with its links, or only itself, at the edge. */
static int add_node(struct around *f, struct graph *g, int64_t row, bool open, struct error *e)
{
    enum kind kind;
    enum status status;
    if (links_nature(f->reader, row, &kind, &status, e) ||
        (open && links_of(&f->links, f->reader, row, e)))
        return -1;
    graph_add_node(g, kind, status);
    for (size_t i = 0; open && i < f->links.groups; i++)
        add_group(f, g, i);
    return 0;
}

/*
 * In its place a node of whose support nothing but the label is told: whatever is based on it is labelled as it would be
 * with all that it is based on. One that stands has no justification, one that is lost is dead, one in a circle is based
 * on itself.
 */
static void add_fence(struct graph *g, enum label label)
{
    uint32_t self = g->nodes;
    bool dead = label == LABEL_GONE || label == LABEL_UNGROUNDED;
    graph_add_node(g, KIND_RAW, dead ? STATUS_MISSING : STATUS_ACTIVE);
    if (label == LABEL_CIRCULAR)
        graph_add_group(g, GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED), 0, &self, 1);
}

int around_ascend(struct around *f, struct graph *g, struct error *e)
{
    for (size_t i = 0; i < f->rows.count && around_is_whole(f); i++)
        if (reader_spend(f->reader, NODE_STEPS, e) ||
            add_node(f, g, f->rows.row[i], i < f->opened, e))
            return -1;
    if (!around_is_whole(f))
        return 0;
    reader_progress(f->reader, (int64_t)f->rows.count, (int64_t)f->rows.count);
    graph_finish(g);
    return 0;
}

/* Hands over what was built, or lets go of it. */
static int end_load(struct around *f, struct graph *g, int result)
{
    if (result == 0 && around_is_whole(f))
        around_give(f, g);
    else
        graph_release(g);
    around_release(f);
    reader_end(f->reader);
    return result;
}

int graph_load_around(struct reader *r, struct graph *g, const int64_t *roots, size_t root_count,
                      enum direction direction, size_t max_nodes, bool *bounded, struct error *e)
{
    struct around f = AROUND_INIT(r);
    f.max = max_nodes ? max_nodes : SIZE_MAX;
    graph_init(g);
    *bounded = false;
    if (reader_begin(r, e))
        return -1;
    around_roots(&f, roots, root_count);
    int result =
        (direction == DESCENDANTS && around_descend(&f, e)) || around_ascend(&f, g, e) ? -1 : 0;
    *bounded = result == 0 && !around_is_whole(&f);
    return end_load(&f, g, result);
}

/* ---- what is based on them, fenced ---- */

/* The labels of the nodes from `inside` on, which were not opened. */
static int add_fences(struct around *f, struct graph *g, const struct known_labels *known,
                      size_t inside, struct error *e)
{
    size_t count = f->rows.count - inside, unknown = 0;
    int64_t *asked = xmalloc((count + 1) * sizeof(*asked));
    struct row_label *found = xmalloc((count + 1) * sizeof(*found));
    for (size_t i = inside; i < f->rows.count; i++)
        if (known_label(known, f->rows.row[i]) < 0)
            asked[unknown++] = f->rows.row[i];
    int result = labels_cold(f->reader, asked, unknown, found, e);
    for (size_t i = inside, next = 0; i < f->rows.count && result == 0; i++) {
        int label = known_label(known, f->rows.row[i]);
        add_fence(g, label < 0 ? found[next++].label : (enum label)label);
    }
    free(asked);
    free(found);
    return result;
}

int graph_load_carried(struct reader *r, struct graph *g, const struct known_labels *known,
                       const int64_t *roots, size_t root_count, size_t max_nodes, size_t *inside,
                       bool *bounded, struct error *e)
{
    struct around f = AROUND_INIT(r);
    f.max = max_nodes;
    graph_init(g);
    around_roots(&f, roots, root_count);
    if (reader_begin(r, e))
        return -1;
    int result = around_descend(&f, e);
    *inside = f.rows.count;
    for (size_t i = 0; i < *inside && around_is_whole(&f) && result == 0; i++)
        result = reader_spend(r, NODE_STEPS, e) || add_node(&f, g, f.rows.row[i], true, e) ? -1 : 0;
    *bounded = result == 0 && !around_is_whole(&f);
    if (result == 0 && !*bounded)
        result = add_fences(&f, g, known, *inside, e);
    if (result == 0 && !*bounded)
        graph_finish(g);
    return end_load(&f, g, result);
}

/* ---- dependants alone ---- */

int dependants_find(struct reader *r, int64_t row, size_t most, struct dependants *out,
                    struct error *e)
{
    struct around f = AROUND_INIT(r);
    f.max = most ? most + 1 : SIZE_MAX;
    *out = (struct dependants){0};
    if (reader_begin(r, e))
        return -1;
    around_roots(&f, &row, 1);
    int result = add_users(&f, row, e);
    size_t direct = f.rows.count - 1;
    for (size_t i = 1; i < f.rows.count && around_is_whole(&f) && result == 0; i++)
        result = reader_spend(r, NODE_STEPS, e) || add_users(&f, f.rows.row[i], e) ? -1 : 0;
    if (result == 0) {
        /* The row itself stands first among what is found. */
        out->more = !around_is_whole(&f);
        out->count = (out->more ? f.max : f.rows.count) - 1;
        out->direct = direct < out->count ? direct : out->count;
        out->row = f.rows.row;
        f.rows.row = NULL;
        memmove(out->row, out->row + 1, out->count * sizeof(*out->row));
    }
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
