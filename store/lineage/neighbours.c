/*
 * Reads the links of a memory on either side, closures of memories, and the graph around a few
 * memories.
 */
#include "store/lineage/neighbours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/graph/graph.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/lineage/loaded.h"

/* ---- the neighbours of a memory on one side ---- */

/*
 * Neighbours in the order they were read: antecedents start with the last written link, dependants
 * with the greatest row.
 */
struct ends {
    struct row_index rows;
    uint8_t *strokes; /* [rows.count] */
    size_t alloc;
    bool bounded; /* there are more than requested */
    bool loop;
};
#define ENDS_INIT                                                                                  \
    {                                                                                              \
        .rows = ROW_INDEX_INIT                                                                     \
    }

static void release_ends(struct ends *x)
{
    row_index_release(&x->rows);
    free(x->strokes);
}

/* Whether the group names several memories. */
static int is_several(struct db *db, int64_t memory, int64_t number, bool *several, struct error *e)
{
    int64_t found;
    if (db_int(db, &found, 0, e,
               "SELECT 1 FROM link WHERE memory = ? AND number = ? AND position = 1", "ii", memory,
               number))
        return -1;
    *several = found;
    return 0;
}

/* The stroke of a link. Columns: the other end, group number, position, shape. */
static int stroke_of(struct db *db, sqlite3_stmt *stmt, int64_t memory, struct error *e)
{
    static const enum stroke of_role[ROLE_SUPPORT_COUNT] = {
        [ROLE_DERIVED_FROM] = STROKE_DERIVED,
        [ROLE_EVIDENCE] = STROKE_EVIDENCE,
        [ROLE_REINFORCEMENT] = STROKE_REINFORCED,
        [ROLE_SOURCE] = STROKE_DERIVED,
        [ROLE_STEP] = STROKE_DERIVED,
        [ROLE_CITATION] = STROKE_DERIVED,
    };
    unsigned shape = (unsigned)sqlite3_column_int(stmt, 3) & 255;
    bool several = sqlite3_column_int64(stmt, 2) > 0;
    enum role role = SHAPE_ROLE(shape);
    if (role == RELATION_SUPERSEDES)
        return STROKE_SUPERSEDES;
    if (SHAPE_RECORDED(shape) != RECORDED)
        return STROKE_GUESSED;
    if (SHAPE_READING(shape) == READING_ALL && !several &&
        is_several(db, memory, sqlite3_column_int64(stmt, 1), &several, e))
        return -1;
    return SHAPE_READING(shape) == READING_ALL && several ? STROKE_ALL : of_role[role];
}

static bool is_drawn(unsigned shape)
{
    return ROLE_IS_SUPPORT(shape & 31) || (shape & 31) == RELATION_SUPERSEDES;
}

/* Adds a neighbour, or more strokes to one that was found before. */
static void add_neighbour(struct ends *x, int64_t row, unsigned strokes)
{
    size_t before = x->rows.count, number = row_index_add(&x->rows, row);
    ARRAY_ROOM(x->strokes, number, x->alloc, 1);
    x->strokes[number] = (uint8_t)(number < before ? x->strokes[number] | strokes : strokes);
}

/* True if there are `most` neighbours and `other` is not one of them. */
static bool is_beyond(const struct ends *x, int64_t other, size_t most)
{
    return x->rows.count >= most && row_index_find(&x->rows, other) == ROW_NONE;
}

static const char *const link_sql[] = {
    [ANCESTORS] = "SELECT target, number, position, shape FROM link"
                  " WHERE memory = ? AND target IS NOT NULL ORDER BY number DESC, position DESC",
    [DESCENDANTS] = "SELECT memory, number, position, shape FROM link"
                    " WHERE target = ? ORDER BY memory DESC",
};

static int read_end(struct ends *x, struct db *db, sqlite3_stmt *stmt, int64_t row,
                    enum direction side, size_t most, struct error *e)
{
    int64_t other = sqlite3_column_int64(stmt, 0);
    if (other < 1)
        return reader_damaged(e, "a link", row);
    if (!is_drawn((unsigned)sqlite3_column_int(stmt, 3)))
        return 0;
    x->loop |= other == row;
    x->bounded = other != row && is_beyond(x, other, most);
    if (other == row || x->bounded)
        return 0;
    int stroke = stroke_of(db, stmt, side == ANCESTORS ? row : other, e);
    if (stroke < 0)
        return -1;
    add_neighbour(x, other, 1u << stroke);
    return 0;
}

/* Reads up to `most` neighbours. */
static int find_ends(struct ends *x, struct reader *r, int64_t row, enum direction side,
                     size_t most, struct error *e)
{
    struct db *db = reader_db(r);
    struct query rows = db_query(db, e, link_sql[side], "i", row);
    while (!x->bounded && db_next(&rows))
        if (read_end(x, db, rows.stmt, row, side, most, e))
            return db_fail(&rows);
    return db_end(&rows);
}

/* The strokes of all links between two memories; 0 if there are none. */
static int find_pair(struct reader *r, int64_t memory, int64_t target, unsigned *strokes,
                     struct error *e)
{
    struct db *db = reader_db(r);
    struct query rows = db_query(db, e,
                                 "SELECT memory, number, position, shape FROM link"
                                 " WHERE target = ? AND memory = ?",
                                 "ii", target, memory);
    *strokes = 0;
    while (db_next(&rows)) {
        int stroke = is_drawn((unsigned)sqlite3_column_int(rows.stmt, 3))
                         ? stroke_of(db, rows.stmt, memory, e)
                         : STROKE_COUNT;
        if (stroke < 0)
            return db_fail(&rows);
        *strokes |= stroke < STROKE_COUNT ? 1u << stroke : 0;
    }
    return db_end(&rows);
}

/* ---- memories ---- */

static int read_memory_row(struct arena *arena, sqlite3_stmt *stmt, int64_t row,
                           struct subgraph_memory *out, struct error *e)
{
    int kind = sqlite3_column_int(stmt, 0), status = sqlite3_column_int(stmt, 2);
    if (kind < 0 || kind >= KIND_COUNT || status < 0 || status >= STATUS_COUNT)
        return reader_damaged(e, "the kind or status", row);
    const char *scheme = kind_name((enum kind)kind);
    const char *name = (const char *)sqlite3_column_text(stmt, 1);
    size_t size = strlen(scheme) + (name ? strlen(name) : 0) + 2;
    char *id = arena_alloc(arena, size);
    snprintf(id, size, "%s:%s", scheme, name ? name : "");
    *out = (struct subgraph_memory){.id = id,
                                    .kind = (enum kind)kind,
                                    .status = (enum status)status,
                                    .at = sqlite3_column_int64(stmt, 3)};
    return 0;
}

/* Returns 1, 0 if there is no such row, -1 on error. */
static int find_memory(struct reader *r, struct arena *arena, int64_t row,
                       struct subgraph_memory *out, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT kind, name, status, created_at FROM memory WHERE id = ?", e);
    int more = stmt ? db_bind(db, stmt, e, "i", row) : -1;
    if (more > 0 && read_memory_row(arena, stmt, row, out, e))
        more = -1;
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

static int read_memory(void *of, struct arena *arena, int64_t row, struct subgraph_memory *out,
                       struct error *e)
{
    int found = find_memory(of, arena, row, out, e);
    if (found == 0)
        return error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)row);
    return found < 0 ? -1 : 0;
}

/* ---- links with their memories ---- */

static int by_order(const void *a, const void *b)
{
    return subgraph_link_order(a, b);
}

/*
 * Sorts each block of NEIGHBOURS_COUNTED by itself, so that reading more does not reorder earlier
 * blocks.
 */
static void sort_blocks(struct subgraph_link *link, size_t count)
{
    for (size_t i = 0; i < count; i += NEIGHBOURS_COUNTED) {
        size_t left = count - i;
        qsort(link + i, left < NEIGHBOURS_COUNTED ? left : NEIGHBOURS_COUNTED, sizeof(*link),
              by_order);
    }
}

static int read_memories(struct reader *r, struct arena *arena, const struct ends *x,
                         struct subgraph_links *out, struct error *e)
{
    size_t count = x->rows.count;
    out->link = arena_array(arena, count, sizeof(*out->link));
    for (size_t i = 0; i < count; i++) {
        struct subgraph_link *link = &out->link[i];
        link->row = x->rows.row[i];
        link->strokes = x->strokes[i];
        if (reader_check(r, e))
            return -1;
        int found = find_memory(r, arena, link->row, &link->memory, e);
        if (found <= 0)
            return found < 0 ? -1 : reader_damaged(e, "a link", link->row);
        out->total[link->memory.kind]++;
    }
    sort_blocks(out->link, count);
    return 0;
}

/*
 * Keeps at most `most` of each kind. If not all links were read, strokes of a pair may be missing
 * and are read again.
 */
static int keep_most(struct reader *r, int64_t row, enum direction side, size_t most, size_t count,
                     struct subgraph_links *out, struct error *e)
{
    size_t of_kind[KIND_COUNT] = {0};
    for (size_t i = 0; i < count; i++) {
        struct subgraph_link *link = &out->link[i];
        if (of_kind[link->memory.kind]++ >= most)
            continue;
        if (out->bounded && find_pair(r, side == ANCESTORS ? row : link->row,
                                      side == ANCESTORS ? link->row : row, &link->strokes, e))
            return -1;
        out->link[out->count++] = *link;
    }
    return 0;
}

/* The number to count if `most` are shown: a multiple of NEIGHBOURS_COUNTED, or all. */
static size_t counted(size_t most)
{
    size_t times = most / NEIGHBOURS_COUNTED + (most % NEIGHBOURS_COUNTED > 0);
    if (times > SIZE_MAX / NEIGHBOURS_COUNTED)
        return SIZE_MAX;
    return times ? times * NEIGHBOURS_COUNTED : NEIGHBOURS_COUNTED;
}

static int read_links(void *of, struct arena *arena, int64_t row, enum direction side, size_t most,
                      struct subgraph_links *out, struct error *e)
{
    struct ends x = ENDS_INIT;
    *out = (struct subgraph_links){.count = 0};
    int result = find_ends(&x, of, row, side, counted(most), e);
    if (result == 0)
        result = read_memories(of, arena, &x, out, e);
    out->bounded = x.bounded;
    if (result == 0)
        result = keep_most(of, row, side, most, x.rows.count, out, e);
    release_ends(&x);
    return result;
}

/* ---- links among some rows ---- */

static void add_tie(struct subgraph_ties *out, int64_t row, unsigned strokes)
{
    if (strokes)
        out->tie[out->count++] = (struct subgraph_tie){row, strokes};
}

/* Too many links to read all: query each pair. */
static int query_ties(struct reader *r, int64_t row, enum direction side,
                      const struct row_index *rows, size_t count, struct subgraph_ties *out,
                      struct error *e)
{
    unsigned strokes;
    for (size_t i = 0; i < count; i++) {
        int64_t other = rows->row[i];
        if (reader_check(r, e) || find_pair(r, side == ANCESTORS ? row : other,
                                            side == ANCESTORS ? other : row, &strokes, e))
            return -1;
        if (other != row)
            add_tie(out, other, strokes);
    }
    if (find_pair(r, row, row, &strokes, e))
        return -1;
    out->loop = strokes;
    return 0;
}

static int find_ties(struct reader *r, int64_t row, enum direction side, const struct ends *x,
                     const struct row_index *rows, size_t count, struct subgraph_ties *out,
                     struct error *e)
{
    if (x->bounded)
        return query_ties(r, row, side, rows, count, out, e);
    for (size_t i = 0; i < x->rows.count && out->count < count; i++)
        if (row_index_find(rows, x->rows.row[i]) < count)
            add_tie(out, x->rows.row[i], x->strokes[i]);
    return 0;
}

static int read_among(void *of, struct arena *arena, int64_t row, enum direction side,
                      const struct row_index *rows, size_t count, struct subgraph_ties *out,
                      struct error *e)
{
    struct ends x = ENDS_INIT;
    *out = (struct subgraph_ties){.tie = arena_array(arena, count, sizeof(*out->tie))};
    int result = find_ends(&x, of, row, side, NEIGHBOURS_COUNTED, e);
    out->total = x.rows.count;
    out->bounded = x.bounded;
    out->loop = x.loop;
    if (result == 0)
        result = find_ties(of, row, side, &x, rows, count, out, e);
    release_ends(&x);
    return result;
}

struct subgraph_source neighbours_of(struct reader *r)
{
    return (struct subgraph_source){
        .of = r, .links = read_links, .among = read_among, .memory = read_memory};
}

void links_release(struct links *l)
{
    free(l->group);
    free(l->row);
    *l = (struct links){0};
}

/* A group without antecedents has one row without a target. */
static int add_support_link(struct links *l, sqlite3_stmt *stmt, int64_t memory, int64_t *number,
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
    l->groups = l->rows = 0;
    while (db_next(&rows))
        if (add_support_link(l, rows.stmt, row, &number, e))
            return db_fail(&rows);
    return db_end(&rows);
}

bool links_read_nature(struct reader *r, struct query *q, int64_t row, enum kind *kind,
                       enum status *status)
{
    if (!db_next(q)) {
        if (db_end(q) == 0)
            error_set(q->e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)row);
        return false;
    }
    int k = column_enum(q->stmt, 0, KIND_COUNT), s = column_enum(q->stmt, 1, STATUS_COUNT);
    if (k < 0 || s < 0) {
        db_end(q);
        reader_damaged(q->e, "the kind or status", row);
        return false;
    }
    *kind = (enum kind)k;
    *status = disbelief_status(r, row, (enum status)s);
    return true;
}

int links_nature(struct reader *r, int64_t row, enum kind *kind, enum status *status,
                 struct error *e)
{
    struct query q =
        db_query(reader_db(r), e, "SELECT kind, status FROM memory WHERE id = ?", "i", row);
    return links_read_nature(r, &q, row, kind, status) ? db_end(&q) : -1;
}

/*
 * The graph around a few memories, by the two indexes of links. It has the rows that matter for the
 * answer, like the whole graph.
 */

/* VM steps to read a memory with its links. */
#define NODE_STEPS 6

void surroundings_release(struct surroundings *f)
{
    row_index_release(&f->rows);
    links_release(&f->links);
    free(f->antecedent);
}

/* The graph takes ownership of the rows. */
static void hand_over_rows(struct surroundings *f, struct graph *g)
{
    g->row = f->rows.row;
    f->rows.row = NULL;
}

void surroundings_add_roots(struct surroundings *f, const int64_t *roots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        row_index_add(&f->rows, roots[i]);
}

/* ---- closures ---- */

/*
 * Adds the neighbours of a row; `drawn`: also by relations between versions. Stops beyond `most`
 * rows.
 */
static int reach(struct row_index *reached, struct reader *r, int64_t row, enum direction side,
                 bool drawn, size_t most, struct error *e)
{
    static const char users[] = "SELECT memory, shape FROM link WHERE target = ? ORDER BY memory",
                      used[] =
                          "SELECT target, shape FROM link WHERE memory = ? AND target IS NOT NULL";
    struct query rows = db_query(reader_db(r), e, side == DESCENDANTS ? users : used, "i", row);
    while (reached->count <= most && db_next(&rows)) {
        int64_t other = sqlite3_column_int64(rows.stmt, 0);
        unsigned shape = (unsigned)sqlite3_column_int(rows.stmt, 1);
        if (other < 1 && reader_damaged(e, "a link", row))
            return db_fail(&rows);
        if (drawn ? is_drawn(shape) : ROLE_IS_SUPPORT(SHAPE_ROLE(shape)))
            row_index_add(reached, other);
    }
    return db_end(&rows);
}

/* The same for all rows from index `from` on, breadth first. */
static int reach_all(struct row_index *reached, struct reader *r, enum direction side, bool drawn,
                     size_t from, size_t most, struct error *e)
{
    for (size_t i = from; i < reached->count && reached->count <= most; i++) {
        if (reader_charge(r, NODE_STEPS, e) ||
            reach(reached, r, reached->row[i], side, drawn, most, e))
            return -1;
        if (i && READER_REPORTS(i))
            reader_progress(r, (int64_t)i, 0);
    }
    return 0;
}

int neighbours_total(struct reader *r, int64_t row, enum direction side, size_t most, size_t *total,
                     bool *more, struct error *e)
{
    AUTO(row_index) reached = ROW_INDEX_INIT;
    size_t bound = most < SIZE_MAX ? most + 1 : most; /* including the row itself */
    row_index_add(&reached, row);
    int result = reach_all(&reached, r, side, true, 0, bound, e);
    *more = reached.count > bound;
    *total = *more ? most : reached.count - 1;
    return result;
}

static int add_dependants(struct surroundings *f, struct error *e)
{
    return reach_all(&f->rows, f->reader, DESCENDANTS, false, 0, f->max, e);
}

/* ---- nodes and their antecedents ---- */

static void add_group(struct surroundings *f, struct graph *g, size_t number)
{
    const struct link_group *group = &f->links.group[number];
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        *ARRAY_ADD(f->antecedent, count, f->antecedent_alloc) =
            (uint32_t)row_index_add(&f->rows, f->links.row[group->first + i]);
    graph_add_group(g, group->shape, (unsigned)number, f->antecedent, count);
}

/* Adds the next node to the graph: with its links, or alone at the edge. */
static int add_node(struct surroundings *f, struct graph *g, int64_t row, bool open,
                    struct error *e)
{
    enum kind kind = KIND_BELIEF;
    enum status status = STATUS_ACTIVE;
    if (links_nature(f->reader, row, &kind, &status, e) ||
        (open && links_of(&f->links, f->reader, row, e)))
        return -1;
    graph_add_node(g, kind, status);
    for (size_t i = 0; open && i < f->links.groups; i++)
        add_group(f, g, i);
    return 0;
}

/*
 * Adds a node that only represents a label (a fence), so that nodes based on it get the labels that
 * they would get with its whole support. A supported one has no justification, an unsupported or
 * ended one is missing, a circular one is based on itself.
 */
static void add_fence(struct graph *g, enum label label)
{
    uint32_t self = g->nodes;
    bool missing = label == LABEL_ENDED || label == LABEL_UNSUPPORTED;
    graph_add_node(g, KIND_RAW, missing ? STATUS_MISSING : STATUS_ACTIVE);
    if (label == LABEL_CIRCULAR)
        graph_add_group(g, GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED), 0, &self, 1);
}

int surroundings_build(struct surroundings *f, struct graph *g, struct error *e)
{
    for (size_t i = 0; i < f->rows.count && surroundings_in_limit(f); i++)
        if (reader_charge(f->reader, NODE_STEPS, e) ||
            add_node(f, g, f->rows.row[i], i < f->opened, e))
            return -1;
    if (!surroundings_in_limit(f))
        return 0;
    reader_progress(f->reader, (int64_t)f->rows.count, (int64_t)f->rows.count);
    graph_finish(g);
    return 0;
}

/* Hands the rows to the graph, or frees it. */
static int end_load(struct surroundings *f, struct graph *g, int result)
{
    if (result == 0 && surroundings_in_limit(f))
        hand_over_rows(f, g);
    else
        graph_release(g);
    surroundings_release(f);
    reader_end(f->reader);
    return result;
}

int graph_load_surroundings(struct reader *r, struct graph *g, const int64_t *roots,
                            size_t root_count, enum direction direction, size_t max_nodes,
                            bool *bounded, struct error *e)
{
    struct surroundings f = SURROUNDINGS_INIT(r);
    f.max = max_nodes ? max_nodes : SIZE_MAX;
    graph_init(g);
    *bounded = false;
    if (reader_begin(r, e))
        return -1;
    surroundings_add_roots(&f, roots, root_count);
    int result = failed_if((direction == DESCENDANTS && add_dependants(&f, e)) ||
                           surroundings_build(&f, g, e));
    *bounded = result == 0 && !surroundings_in_limit(&f);
    return end_load(&f, g, result);
}

/*
 * Adds what is based on the row, at most `steps` steps away. All of these are opened, because a link is read with the
 * memory that is based on another.
 */
static int add_near_dependants(struct surroundings *f, uint32_t steps, struct error *e)
{
    size_t i = 0;
    for (size_t end = f->rows.count; steps > 0 && i < end; steps--, end = f->rows.count)
        for (; i < end && surroundings_in_limit(f); i++)
            if (reader_charge(f->reader, NODE_STEPS, e) ||
                reach(&f->rows, f->reader, f->rows.row[i], DESCENDANTS, false, f->max, e))
                return -1;
    f->opened = f->rows.count;
    return 0;
}

/* Adds the nodes; of antecedents those at most `depth` steps away are opened. */
static int add_near(struct surroundings *f, struct graph *g, enum direction direction,
                    uint32_t depth, struct error *e)
{
    uint32_t level = 0;
    size_t end = 1;
    for (size_t i = 0; i < f->rows.count && surroundings_in_limit(f); i++) {
        if (i == end) {
            level++;
            end = f->rows.count;
        }
        if (reader_charge(f->reader, NODE_STEPS, e) ||
            add_node(f, g, f->rows.row[i],
                     direction == DESCENDANTS ? i < f->opened : level <= depth, e))
            return -1;
    }
    if (surroundings_in_limit(f))
        graph_finish(g);
    return 0;
}

int graph_load_near(struct reader *r, struct graph *g, int64_t row, enum direction direction,
                    uint32_t depth, size_t max_nodes, bool *bounded, struct error *e)
{
    struct surroundings f = SURROUNDINGS_INIT(r);
    uint32_t steps = depth < DEPTH_UNLIMITED ? depth + 1 : depth;
    f.max = max_nodes;
    graph_init(g);
    if (reader_begin(r, e))
        return -1;
    surroundings_add_roots(&f, &row, 1);
    int result = failed_if((direction == DESCENDANTS && add_near_dependants(&f, steps, e)) ||
                           add_near(&f, g, direction, depth, e));
    *bounded = result == 0 && !surroundings_in_limit(&f);
    return end_load(&f, g, result);
}

/* ---- dependants, with fences ---- */

/* Adds a fence for each node from `inside` on. */
static int add_fences(struct surroundings *f, struct graph *g, const struct loaded *known,
                      size_t inside, struct error *e)
{
    size_t count = f->rows.count - inside, unknown = 0;
    AUTO_FREE int64_t *asked = xmalloc((count + 1) * sizeof(*asked));
    AUTO_FREE struct row_label *found = xmalloc((count + 1) * sizeof(*found));
    struct row_label one;
    for (size_t i = inside; i < f->rows.count; i++)
        if (!loaded_label(known, f->rows.row[i], &one))
            asked[unknown++] = f->rows.row[i];
    int result = labels_uncached(f->reader, asked, unknown, found, e);
    for (size_t i = inside, next = 0; i < f->rows.count && result == 0; i++) {
        if (!loaded_label(known, f->rows.row[i], &one))
            one = found[next++];
        add_fence(g, one.label);
    }
    return result;
}

int graph_load_dependants(struct reader *r, struct graph *g, const struct loaded *known,
                          const int64_t *roots, size_t root_count, size_t max_nodes, size_t *inside,
                          bool *bounded, struct error *e)
{
    struct surroundings f = SURROUNDINGS_INIT(r);
    f.max = max_nodes;
    graph_init(g);
    surroundings_add_roots(&f, roots, root_count);
    if (reader_begin(r, e))
        return -1;
    int result = add_dependants(&f, e);
    *inside = f.rows.count;
    for (size_t i = 0; i < *inside && surroundings_in_limit(&f) && result == 0; i++)
        result =
            reader_charge(r, NODE_STEPS, e) || add_node(&f, g, f.rows.row[i], true, e) ? -1 : 0;
    *bounded = result == 0 && !surroundings_in_limit(&f);
    if (result == 0 && !*bounded)
        result = add_fences(&f, g, known, *inside, e);
    if (result == 0 && !*bounded)
        graph_finish(g);
    return end_load(&f, g, result);
}

/* ---- rows of dependants ---- */

int dependants_find(struct reader *r, int64_t row, size_t most, struct dependants *out,
                    struct error *e)
{
    AUTO(row_index) reached = ROW_INDEX_INIT;
    size_t bound = most ? most + 1 : SIZE_MAX; /* including the row itself, which is first */
    *out = (struct dependants){0};
    if (reader_begin(r, e))
        return -1;
    row_index_add(&reached, row);
    int result = reach(&reached, r, row, DESCENDANTS, false, bound, e);
    size_t direct = reached.count - 1;
    if (result == 0)
        result = reach_all(&reached, r, DESCENDANTS, false, 1, bound, e);
    if (result == 0) {
        out->more = reached.count > bound;
        out->count = (out->more ? bound : reached.count) - 1;
        out->direct = direct < out->count ? direct : out->count;
        out->row = reached.row;
        reached.row = NULL;
        memmove(out->row, out->row + 1, out->count * sizeof(*out->row));
    }
    reader_end(r);
    return result;
}
