/*
 * The whole graph of a store. The nodes come from the index of a list, which covers kind and status;
 * the links from their table, which is clustered by the memory that rests. Both scans cost more in
 * stepping than in reading, so two threads on two connections share the links: each takes the next
 * slice of rows until none is left. Measured at a million: one thread 0.42 s, two 0.30 s.
 */
#include "subgraph.h"

#include <pthread.h>
#include <stdatomic.h>
#include "../model/alloc.h"
#include "reader.h"

#define SLICE_ROWS 16384
#define ALONE_BELOW                                                                                \
    (4 * SLICE_ROWS) /* rows for which a second thread is not worth its connection */

struct raw_link {
    uint32_t memory, target; /* rows; target 0: an empty justification */
    uint8_t shape;
    bool first; /* of its group */
};

struct slice {
    struct raw_link *link;
    size_t count, alloc;
};

struct load {
    struct reader *r;
    uint32_t rows;          /* the greatest row */
    uint8_t *kind, *status; /* [rows], by row - 1 */
    struct slice *slice;
    size_t slice_count;
    atomic_size_t next; /* the slice that no thread has taken yet */
    atomic_bool stop;   /* one of the threads failed */
};

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Close something else, then try again.",
                     "memory ran out while loading the graph");
}

/* ---- nodes ---- */

static const char nodes_sql[] =
    "SELECT id, kind, status FROM memory INDEXED BY memory_created WHERE status < 7";

static int load_written(struct load *ld, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, nodes_sql, e);
    int more = stmt ? db_step(db, stmt, e) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        int kind = sqlite3_column_int(stmt, 1), status = sqlite3_column_int(stmt, 2);
        if (row < 1 || row > ld->rows || kind < 0 || kind >= KIND_COUNT || status < 0) {
            sqlite3_reset(stmt);
            return reader_damaged(e, "the kind or status", row);
        }
        ld->kind[row - 1] = (uint8_t)kind;
        ld->status[row - 1] = (uint8_t)status;
    }
    return more;
}

/* Stubs are in no index of a list: what the scan left out is one, and is asked for its kind. */
static int load_stubs(struct load *ld, struct db *db, struct error *e)
{
    for (uint32_t i = 0; i < ld->rows; i++) {
        int64_t kind;
        if (ld->status[i] != STATUS_MISSING)
            continue;
        if (reader_check(ld->r, e) ||
            db_int(db, &kind, 0, e, "SELECT kind FROM memory WHERE id = ?", "i", (int64_t)i + 1))
            return -1;
        if (kind < 0 || kind >= KIND_COUNT)
            return reader_damaged(e, "the kind", (int64_t)i + 1);
        ld->kind[i] = (uint8_t)kind;
    }
    return 0;
}

static int load_nodes(struct load *ld, struct db *db, struct error *e)
{
    memset(ld->status, STATUS_MISSING, ld->rows);
    return load_written(ld, db, e) || load_stubs(ld, db, e) ? -1 : 0;
}

/* ---- links ---- */

static const char links_sql[] =
    "SELECT memory, number, target, shape FROM link"
    " WHERE memory >= ? AND memory < ? ORDER BY memory, number, position";

static int keep_link(struct load *ld, struct slice *s, sqlite3_stmt *stmt, int64_t *number,
                     struct error *e)
{
    int64_t shape = sqlite3_column_int64(stmt, 3), target = sqlite3_column_int64(stmt, 2);
    int64_t row = sqlite3_column_int64(stmt, 0);
    if (!ROLE_IS_SUPPORT(shape & 31))
        return 0;
    if (shape < 0 || shape > 255 || target < 0 || target > ld->rows || row > ld->rows)
        return reader_damaged(e, "a link", row);
    if (!array_grow((void **)&s->link, &s->alloc, s->count, sizeof(*s->link)))
        return out_of_memory(e);
    const struct raw_link *last = s->count ? &s->link[s->count - 1] : NULL;
    int64_t group = sqlite3_column_int64(stmt, 1);
    s->link[s->count] =
        (struct raw_link){.memory = (uint32_t)row,
                          .target = (uint32_t)target,
                          .shape = (uint8_t)shape,
                          .first = !last || last->memory != row || *number != group};
    *number = group;
    s->count++;
    return 0;
}

static int load_slice(struct load *ld, struct db *db, size_t at, struct error *e)
{
    struct slice *s = &ld->slice[at];
    int64_t begin = (int64_t)at * SLICE_ROWS + 1, number = -1;
    sqlite3_stmt *stmt = db_prepare(db, links_sql, e);
    int more = stmt ? db_bind(db, stmt, e, "ii", begin, begin + SLICE_ROWS) : -1;
    for (; more > 0; more = db_step(db, stmt, e))
        if (keep_link(ld, s, stmt, &number, e)) {
            sqlite3_reset(stmt);
            return -1;
        }
    return more;
}

/* What both threads do: slices, until all are taken. */
static int load_slices(struct load *ld, struct db *db, struct error *e)
{
    for (;;) {
        size_t at = atomic_fetch_add(&ld->next, 1);
        if (at >= ld->slice_count || atomic_load(&ld->stop))
            return 0;
        if (reader_check(ld->r, e) || load_slice(ld, db, at, e)) {
            atomic_store(&ld->stop, true);
            return -1;
        }
    }
}

/* ---- the second thread ---- */

struct second {
    struct load *load;
    struct db *db;
    pthread_t thread;
    bool running;
    int result;
    struct error error;
};

static void *run_second(void *arg)
{
    struct second *s = arg;
    s->result = load_slices(s->load, s->db, &s->error);
    return NULL;
}

static int last_event(struct db *db, int64_t *seq, struct error *e)
{
    return db_int(db, seq, 0, e, "SELECT max(seq) FROM event", "");
}

/* Two connections see the same moment if they see the same last event. Where they do not, or the
 * second cannot be had, one thread does it all. */
static void start_second(struct second *s, struct load *ld)
{
    int64_t here, there;
    s->load = ld;
    s->db = reader_second(ld->r, &s->error);
    if (!s->db || db_run(s->db, &s->error, "BEGIN", ""))
        return;
    if (last_event(reader_db(ld->r), &here, &s->error) || last_event(s->db, &there, &s->error) ||
        here != there || pthread_create(&s->thread, NULL, run_second, s)) {
        db_run(s->db, &s->error, "COMMIT", "");
        return;
    }
    s->running = true;
}

static int join_second(struct second *s, struct error *e)
{
    struct error ignored;
    if (!s->running)
        return 0;
    pthread_join(s->thread, NULL);
    db_run(s->db, &ignored, "COMMIT", "");
    if (s->result)
        *e = s->error;
    return s->result;
}

static int read_all(struct load *ld, struct error *e)
{
    struct second second = {0};
    struct db *db = reader_db(ld->r);
    if (ld->rows >= ALONE_BELOW)
        start_second(&second, ld);
    int result = load_nodes(ld, db, e) || load_slices(ld, db, e) ? -1 : 0;
    if (result)
        atomic_store(&ld->stop, true);
    struct error other = {0};
    if (join_second(&second, &other) && result == 0) {
        *e = other;
        return -1;
    }
    return result;
}

/* ---- building ---- */

struct cursor {
    size_t slice, link;
    uint32_t *antecedent; /* of one group, by node */
    size_t alloc;
};

/* The next link of `memory`; NULL where it has no more. A slice that is used up is freed. */
static const struct raw_link *next_link(struct load *ld, struct cursor *c, uint32_t memory)
{
    while (c->slice < ld->slice_count && c->link == ld->slice[c->slice].count) {
        free(ld->slice[c->slice].link);
        ld->slice[c->slice].link = NULL;
        c->slice++;
        c->link = 0;
    }
    if (c->slice == ld->slice_count)
        return NULL;
    const struct raw_link *link = &ld->slice[c->slice].link[c->link];
    return link->memory == memory ? link : NULL;
}

static int build_groups(struct load *ld, struct graph *g, struct cursor *c, uint32_t memory,
                        struct error *e)
{
    const struct raw_link *link = next_link(ld, c, memory);
    for (unsigned group = 0; link; group++) {
        unsigned shape = link->shape;
        size_t count = 0;
        do {
            if (!array_grow((void **)&c->antecedent, &c->alloc, count, sizeof(*c->antecedent)))
                return out_of_memory(e);
            if (link->target)
                c->antecedent[count++] = link->target - 1;
            c->link++;
            link = next_link(ld, c, memory);
        } while (link && !link->first);
        if (graph_add_group(g, shape, group, c->antecedent, count))
            return out_of_memory(e);
    }
    return 0;
}

static int build(struct load *ld, struct graph *g, struct error *e)
{
    struct cursor c = {0};
    int result = 0;
    for (uint32_t i = 0; i < ld->rows && result == 0; i++) {
        if (graph_add_node(g, (enum kind)ld->kind[i], (enum status)ld->status[i]))
            result = out_of_memory(e);
        else
            result = build_groups(ld, g, &c, i + 1, e);
        if (i % SLICE_ROWS == 0 && result == 0)
            result = reader_check(ld->r, e);
    }
    free(c.antecedent);
    if (result == 0 && graph_finish(g))
        result = out_of_memory(e);
    return result;
}

static int prepare_load(struct load *ld, struct error *e)
{
    int64_t rows;
    if (db_int(reader_db(ld->r), &rows, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    if (rows < 0 || rows >= NODE_NONE)
        return reader_damaged(e, "the number", rows);
    ld->rows = (uint32_t)rows;
    ld->slice_count = ((size_t)rows + SLICE_ROWS - 1) / SLICE_ROWS;
    ld->kind = calloc((size_t)rows + 1, 1);
    ld->status = calloc((size_t)rows + 1, 1);
    ld->slice = calloc(ld->slice_count + 1, sizeof(*ld->slice));
    return ld->kind && ld->status && ld->slice ? 0 : out_of_memory(e);
}

static void release_load(struct load *ld)
{
    for (size_t i = 0; ld->slice && i < ld->slice_count; i++)
        free(ld->slice[i].link);
    free(ld->slice);
    free(ld->kind);
    free(ld->status);
}

int graph_load(struct reader *r, struct graph *g, struct error *e)
{
    struct load ld = {.r = r};
    graph_init(g);
    if (reader_begin(r, e))
        return -1;
    int result = prepare_load(&ld, e) || read_all(&ld, e) ? -1 : 0;
    reader_end(r);
    if (result == 0)
        result = build(&ld, g, e);
    release_load(&ld);
    if (result)
        graph_release(g);
    return result;
}
