/* Loads the whole graph, and keeps the shared snapshot of it current. */
#include "store/lineage/loaded.h"
#include "store/lineage/loaded_texts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/guard/guard.h"

/*
 * Loads the whole graph. Nodes are read from a list's index, which covers kind and status; links
 * from their table, which is clustered by memory. Most of the cost of a scan is passing rows out of
 * SQLite, so aggregate functions take each row inside (measured: saves 0.17 s of 0.27 s for three
 * million links). Two threads with two connections share the links: each takes the next slice of
 * rows until none is left.
 */

#define SLICE_ROWS      16384
#define ONE_THREAD_ROWS (4 * SLICE_ROWS) /* below so many rows a second thread does not pay */

struct raw_link {
    uint32_t memory, target; /* rows; target is 0 for an empty justification */
    uint8_t shape;
    bool first; /* first of its group */
};

struct slice {
    struct raw_link *link;
    size_t count, alloc;
    struct processed_list processed;
};

struct load {
    struct reader *r;
    uint32_t rows;          /* the greatest row */
    uint8_t *kind, *status; /* [rows], by row - 1 */
    struct slice *slice;
    size_t slice_count;
    atomic_size_t next; /* the next slice to take */
    atomic_bool stop;   /* a thread failed */
};

/* ---- collecting rows inside SQLite ---- */

/* State of the aggregate functions during one scan of a thread. */
struct scan {
    struct load *load;
    struct slice *slice; /* for links */
    int64_t end;         /* the links of this row and later ones are not of the slice */
    int64_t number;      /* group of the last link */
    struct error *e;
    bool ended, failed;
};

/* The scan that this thread runs: a parameter of the statement would be copied for each row. */
static _Thread_local struct scan *running;

static int64_t value(sqlite3_value **values, int i)
{
    return sqlite3_value_int64(values[i]);
}

static void stop(sqlite3_context *context, bool *why)
{
    *why = true;
    sqlite3_result_error(context, "stopped", -1);
}

/* gather_node(id, kind, status) */
static void gather_node(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct scan *g = running;
    int64_t row = value(values, 0), kind = value(values, 1), status = value(values, 2);
    if (row < 1 || row > g->load->rows || kind < 0 || kind >= KIND_COUNT || status < 0) {
        reader_damaged(g->e, "the kind or status", row);
        stop(context, &g->failed);
        return;
    }
    g->load->kind[row - 1] = (uint8_t)kind;
    g->load->status[row - 1] = (uint8_t)status;
}

static int add_link(struct scan *g, int64_t row, int64_t group, int64_t target, int64_t shape)
{
    struct slice *s = g->slice;
    const struct raw_link *last = s->count ? &s->link[s->count - 1] : NULL;
    if (shape < 0 || shape > 255 || target < 0 || target > g->load->rows || row > g->load->rows ||
        (last && row < last->memory))
        return reader_damaged(g->e, "a link", row);
    ARRAY_ROOM(s->link, s->count, s->alloc, 1);
    last = s->count ? &s->link[s->count - 1] : NULL;
    s->link[s->count++] = (struct raw_link){
        .memory = (uint32_t)row,
        .target = (uint32_t)target,
        .shape = (uint8_t)shape,
        .first = !last || last->memory != row || g->number != group,
    };
    g->number = group;
    return 0;
}

static void add_processed(struct scan *g, int64_t row, int64_t target)
{
    struct processed_list *p = &g->slice->processed;
    if (row >= 1 && row <= g->load->rows && target >= 1 && target <= g->load->rows)
        *ARRAY_ADD(p->pair, p->count, p->alloc) =
            (struct processed){(uint32_t)(row - 1), (uint32_t)(target - 1)};
}

/* gather_link(memory, number, target, shape). Ends the scan after the slice: it takes longer if SQLite compares each
 * row with the end of a range. */
static void gather_link(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct scan *g = running;
    int64_t row = value(values, 0), shape = value(values, 3);
    if (row >= g->end)
        stop(context, &g->ended);
    else if (SHAPE_ROLE(shape) == RELATION_PROCESSED_INTO)
        add_processed(g, row, value(values, 2));
    else if (ROLE_IS_SUPPORT(SHAPE_ROLE(shape)) &&
             add_link(g, row, value(values, 1), value(values, 2), shape))
        stop(context, &g->failed);
}

static void scan_final(sqlite3_context *context)
{
    sqlite3_result_null(context);
}

int graph_load_prepare(struct db *db, struct error *e)
{
    const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
    sqlite3 *handle = db_handle(db);
    if (sqlite3_create_function(handle, "gather_node", 3, flags, NULL, NULL, gather_node,
                                scan_final) ||
        sqlite3_create_function(handle, "gather_link", 4, flags, NULL, NULL, gather_link,
                                scan_final))
        return db_error(db, e, "use");
    return 0;
}

/* Runs one scan. `format` is "i" if it begins at a row, else "". */
static int run_scan(struct scan *g, struct db *db, const char *sql, const char *format,
                    int64_t begin)
{
    struct error stepped;
    running = g;
    int failed = db_run(db, &stepped, sql, format, begin) != 0 && !g->ended;
    running = NULL;
    if (failed && !g->failed)
        *g->e = stepped;
    return failed ? -1 : 0;
}

/* ---- nodes ---- */

static int load_memories(struct load *ld, struct db *db, struct error *e)
{
    struct scan g = {.load = ld, .e = e};
    return run_scan(&g, db,
                    "SELECT gather_node(id, kind, status) FROM memory INDEXED BY memory_recorded"
                    " WHERE status <> 7",
                    "", 0);
}

/* Stubs are in no list index: rows that the scan left out are stubs. Reads their kinds. */
static int load_stubs(struct load *ld, struct db *db, struct error *e)
{
    for (uint32_t i = 0; i < ld->rows; i++) {
        int64_t kind;
        if (ld->status[i] != STATUS_MISSING)
            continue;
        if (reader_check(ld->r, e) ||
            db_int(db, &kind, 0, e, "SELECT kind FROM main.memory WHERE id = ?", "i",
                   (int64_t)i + 1))
            return -1;
        if (kind < 0 || kind >= KIND_COUNT)
            return reader_damaged(e, "the kind", (int64_t)i + 1);
        ld->kind[i] = (uint8_t)kind;
    }
    return 0;
}

static int load_nodes(struct load *ld, struct db *db, struct error *e)
{
    reader_progress(ld->r, 0, (int64_t)ld->rows);
    int result = load_memories(ld, db, e) || load_stubs(ld, db, e) ? -1 : 0;
    for (uint32_t i = 0; reader_disbelief(ld->r) && i < ld->rows; i++)
        ld->status[i] = (uint8_t)disbelief_status(ld->r, (int64_t)i + 1, ld->status[i]);
    return result;
}

/* ---- links ---- */

/* Ordered as the table: by memory, number and position. A reader of the past knows the statement and the size of a
 * slice (history/past_reader.c). */
_Static_assert(SLICE_ROWS == 16384, "the number stands in the statement");
static int load_slice(struct load *ld, struct db *db, size_t at, struct error *e)
{
    int64_t begin = (int64_t)at * SLICE_ROWS + 1;
    struct scan g = {.load = ld, .slice = &ld->slice[at], .end = begin + SLICE_ROWS, .e = e};
    return run_scan(&g, db,
                    "SELECT gather_link(memory, number, target, shape) FROM link"
                    " WHERE memory >= ? /* 16384 rows */",
                    "i", begin);
}

static int64_t rows_before(const struct load *ld, size_t slice)
{
    int64_t rows = (int64_t)slice * SLICE_ROWS;
    return rows < (int64_t)ld->rows ? rows : (int64_t)ld->rows;
}

/* Run by both threads: takes slices until none is left. */
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
        if (db == reader_db(ld->r)) /* only the reader's own thread reports */
            reader_progress(ld->r, rows_before(ld, at + 1), (int64_t)ld->rows);
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

/*
 * Two connections have the same snapshot if they see the same last event. If they do not, or there
 * is no second one, one thread does all.
 */
static void start_second(struct second *s, struct load *ld)
{
    int64_t here, there;
    s->load = ld;
    s->db = reader_second(ld->r, &s->error);
    if (!s->db || db_run(s->db, &s->error, "BEGIN", ""))
        return;
    if (last_event(reader_db(ld->r), &here, &s->error) || last_event(s->db, &there, &s->error) ||
        here != there || thread_start(&s->thread, "second", run_second, s)) {
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
    sqlite3_db_release_memory(db_handle(s->db));
    if (s->result)
        *e = s->error;
    return s->result;
}

static int read_all(struct load *ld, struct error *e)
{
    struct second second = {0};
    struct db *db = reader_db(ld->r);
    if (ld->rows >= ONE_THREAD_ROWS && reader_may_cache(ld->r))
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

/* The links of a slice that were not used yet. */
struct cursor {
    const struct raw_link *at, *end;
    uint32_t *antecedent; /* the nodes of one group */
    size_t alloc;
};

/* A slice has all links of its rows. */
static void build_groups(struct graph *g, struct cursor *c, uint32_t memory)
{
    for (unsigned group = 0; c->at < c->end && c->at->memory == memory; group++) {
        unsigned shape = c->at->shape;
        size_t count = 0;
        do {
            if (c->at->target)
                *ARRAY_ADD(c->antecedent, count, c->alloc) = c->at->target - 1;
            c->at++;
        } while (c->at < c->end && c->at->memory == memory && !c->at->first);
        graph_add_group(g, shape, group, c->antecedent, count);
    }
}

/* Reserves an upper bound: each link of an `any` group is a justification. */
static void reserve(const struct load *ld, struct graph *g)
{
    size_t links = 0;
    for (size_t i = 0; i < ld->slice_count; i++)
        links += ld->slice[i].count;
    graph_reserve(g, ld->rows, links, links);
}

static void join_processed(const struct load *ld, struct processed_list *all)
{
    for (size_t i = 0; i < ld->slice_count; i++)
        for (size_t k = 0; k < ld->slice[i].processed.count; k++)
            *ARRAY_ADD(all->pair, all->count, all->alloc) = ld->slice[i].processed.pair[k];
}

static int build(struct load *ld, struct graph *g, struct error *e)
{
    struct cursor c = {0};
    int result = 0;
    reserve(ld, g);
    for (uint32_t i = 0; i < ld->rows && result == 0; i++) {
        struct slice *s = &ld->slice[i / SLICE_ROWS];
        if (i % SLICE_ROWS == 0) {
            result = reader_check(ld->r, e);
            c.at = s->link;
            c.end = s->link + s->count;
        }
        graph_add_node(g, (enum kind)ld->kind[i], (enum status)ld->status[i]);
        build_groups(g, &c, i + 1);
        if (i % SLICE_ROWS == SLICE_ROWS - 1) {
            free(s->link);
            s->link = NULL;
        }
    }
    free(c.antecedent);
    if (result == 0)
        graph_finish(g);
    return result;
}

static int prepare_load(struct load *ld, struct error *e)
{
    int64_t rows;
    if (db_int(reader_db(ld->r), &rows, 0, e, "SELECT max(id) FROM main.memory", ""))
        return -1;
    if (rows < 0 || rows >= NODE_NONE)
        return reader_damaged(e, "the number", rows);
    ld->rows = (uint32_t)rows;
    ld->slice_count = ((size_t)rows + SLICE_ROWS - 1) / SLICE_ROWS;
    ld->kind = xcalloc((size_t)rows + 1, 1);
    ld->status = xcalloc((size_t)rows + 1, 1);
    ld->slice = xcalloc(ld->slice_count + 1, sizeof(*ld->slice));
    memset(ld->status, STATUS_MISSING, ld->rows);
    return 0;
}

static void release_load(struct load *ld)
{
    for (size_t i = 0; ld->slice && i < ld->slice_count; i++) {
        free(ld->slice[i].link);
        free(ld->slice[i].processed.pair);
    }
    FREE_ALL(ld->slice, ld->kind, ld->status);
}

/* Releases the pages of the scan, which later queries do not need. */
static int load_all(struct reader *r, struct graph *g, struct processed_list *processed,
                    struct error *e)
{
    struct load ld = {.r = r};
    graph_init(g);
    int result =
        reader_begin(r, e)
            ? -1
            : reader_done(
                  r, reader_begin_long(r, e) || prepare_load(&ld, e) || read_all(&ld, e) ? -1 : 0);
    if (ld.rows >= ONE_THREAD_ROWS)
        sqlite3_db_release_memory(db_handle(reader_db(r)));
    if (result == 0 && processed)
        join_processed(&ld, processed);
    if (result == 0)
        result = build(&ld, g, e);
    release_load(&ld);
    if (result)
        graph_release(g);
    return result;
}

int graph_load(struct reader *r, struct graph *g, struct error *e)
{
    return load_all(r, g, NULL, e);
}

/* If more than about a hundredth of the rows changed, loading everything costs less. */
#define CHANGED_LEAST 256
#define CHANGED_PART  100

struct graph_cache {
    pthread_mutex_t lock;    /* for `last` */
    pthread_mutex_t loading; /* held while loading or updating; taken before `lock` */
    struct loaded *last;     /* NULL if none */
    pthread_mutex_t texts_lock;
    struct loaded_texts texts;
};

struct graph_cache *graph_cache_new(void)
{
    struct graph_cache *c = xcalloc(1, sizeof(*c));
    pthread_mutex_init(&c->lock, NULL);
    pthread_mutex_init(&c->loading, NULL);
    pthread_mutex_init(&c->texts_lock, NULL);
    return c;
}

void graph_cache_free(struct graph_cache *c)
{
    if (!c)
        return;
    loaded_release(c->last);
    pthread_mutex_destroy(&c->lock);
    pthread_mutex_destroy(&c->loading);
    pthread_mutex_destroy(&c->texts_lock);
    texts_release(&c->texts.texts);
    free(c);
}

/* Frees the graph and keeps the labels. */
static void drop_graph(struct loaded *l)
{
    struct keystones *k = atomic_exchange(&l->keystones, NULL);
    l->has_graph = false;
    ranks_drop(l);
    if (k)
        keystones_release(k);
    free(k);
    graph_release(&l->graph);
    FREE_ALL(l->processed.pair, l->labels.stands, l->labels.broken);
    l->processed = (struct processed_list){0};
    l->labels.stands = NULL;
    l->labels.broken = NULL;
}

void loaded_release(const struct loaded *l)
{
    struct loaded *mine = (struct loaded *)l;
    if (!mine || atomic_fetch_sub(&mine->holders, 1) > 1)
        return;
    drop_graph(mine);
    labels_release(&mine->labels);
    free(mine->justs);
    free(mine);
}

const struct keystones *loaded_keystones(const struct loaded *l, struct reader *r, struct error *e)
{
    struct loaded *mine = (struct loaded *)l;
    struct keystones *known = atomic_load(&mine->keystones), *none = NULL;
    if (known)
        return known;
    struct keystones *k = xmalloc(sizeof(*k));
    struct graph g = l->graph; /* which other readers share */
    g.patience = reader_patience(r);
    keystones_compute(k, &g, &l->labels, KEYSTONES_BUDGET);
    bool whole = reader_check(r, e) == 0;
    if (whole && atomic_compare_exchange_strong(&mine->keystones, &none, k))
        return k;
    keystones_release(k);
    free(k);
    return whole ? none : NULL; /* another thread was first */
}

/* True if this reader may use and fill the shared snapshot. */
static bool may_share(struct reader *r)
{
    return reader_may_cache(r) && !guard_hides_linked_entries(r);
}

static struct graph_cache *cache_of(struct reader *r)
{
    const struct disbelief *d = reader_disbelief(r);
    return d ? d->graph : reader_store(r)->graph;
}

/* Texts are the same for those who disbelieve something, but not for those who see only a part, or masked. */
struct loaded_texts *loaded_texts_take(struct reader *r)
{
    struct graph_cache *c = reader_store(r)->graph;
    if (!may_share(r) || guard_hides(r) || guard_rules_of(r) ||
        pthread_mutex_trylock(&c->texts_lock))
        return NULL;
    return &c->texts;
}

void loaded_texts_give(struct reader *r)
{
    pthread_mutex_unlock(&reader_store(r)->graph->texts_lock);
}

/* ---- loading ---- */

static struct loaded *loaded_new(void)
{
    struct loaded *l = xcalloc(1, sizeof(*l));
    atomic_init(&l->holders, 1);
    graph_init(&l->graph);
    return l;
}

static struct loaded *loaded_load(struct reader *r, struct error *e)
{
    struct loaded *l = loaded_new();
    const struct graph *g = &l->graph;
    if (reader_snapshot_seq(r, &l->seq, e) || load_all(r, &l->graph, &l->processed, e) ||
        guard_graph(r, &l->graph, e)) {
        loaded_release(l);
        return NULL;
    }
    labels_compute(&l->labels, g);
    l->has_graph = true;
    l->rows = g->nodes;
    l->justs = xmalloc((l->rows + 1) * sizeof(*l->justs));
    for (size_t i = 0; i < l->rows; i++)
        l->justs[i] = g->just_first[i + 1] - g->just_first[i];
    return l;
}

/* Puts a snapshot into the cache, unless it has a later one, or the same with a graph. */
static void cache_put(struct graph_cache *c, struct loaded *l)
{
    struct loaded *old = NULL;
    pthread_mutex_lock(&c->lock);
    if (!c->last || c->last->seq < l->seq || (c->last->seq == l->seq && !c->last->has_graph)) {
        old = c->last;
        c->last = l;
        atomic_fetch_add(&l->holders, 1);
    }
    pthread_mutex_unlock(&c->lock);
    loaded_release(old);
}

/* Returns the cached snapshot, held; NULL if none. */
static struct loaded *cache_hold(struct graph_cache *c)
{
    pthread_mutex_lock(&c->lock);
    struct loaded *l = c->last;
    if (l)
        atomic_fetch_add(&l->holders, 1);
    pthread_mutex_unlock(&c->lock);
    return l;
}

const struct loaded *loaded_find(struct reader *r)
{
    struct error ignored;
    int64_t seq;
    if (!may_share(r) || reader_snapshot_seq(r, &seq, &ignored))
        return NULL;
    struct loaded *l = cache_hold(cache_of(r));
    if (l && l->seq == seq && l->has_graph)
        return l;
    loaded_release(l);
    return NULL;
}

/*
 * A thread that waits for another one's load finds the result. A reader with a limit does not wait.
 */
const struct loaded *loaded_get(struct reader *r, struct error *e)
{
    struct graph_cache *c = cache_of(r);
    if (!may_share(r))
        return loaded_load(r, e);
    const struct loaded *found = loaded_find(r);
    if (found || reader_begin_long(r, e))
        return found;
    pthread_mutex_lock(&c->loading);
    struct loaded *l = (struct loaded *)loaded_find(r);
    if (!l && (l = loaded_load(r, e)))
        cache_put(c, l);
    pthread_mutex_unlock(&c->loading);
    return l;
}

/* ---- updating labels ---- */

bool loaded_changed(struct reader *r, int64_t seq, int64_t last, size_t most, int64_t *row,
                    size_t *count)
{
    struct error ignored;
    int64_t now;
    *count = 0;
    if (reader_snapshot_seq(r, &now, &ignored) || now - seq > (int64_t)(8 * most))
        return false;
    /* NOT INDEXED: an index by subject would be read whole. */
    struct query rows = db_query(reader_db(r), &ignored,
                                 "SELECT DISTINCT subject FROM event NOT INDEXED WHERE seq > ?1"
                                 " AND subject <= ?2 UNION ALL"
                                 " SELECT id FROM memory WHERE id > ?2",
                                 "ii", seq % SNAPSHOT_REWRITE, last);
    while (*count < most && db_next(&rows))
        row[(*count)++] = sqlite3_column_int64(rows.stmt, 0);
    return db_end(&rows) == 0 && *count < most;
}

static void resize(struct loaded *l, size_t rows)
{
    if (rows <= l->rows)
        return;
    l->labels.label = xrealloc(l->labels.label, rows + 1);
    l->labels.valid = xrealloc(l->labels.valid, (rows + 1) * sizeof(*l->labels.valid));
    l->justs = xrealloc(l->justs, (rows + 1) * sizeof(*l->justs));
    l->rows = rows;
}

/* Copies the labels, because another thread holds the snapshot. */
static struct loaded *copy_of(const struct loaded *l)
{
    struct loaded *copy = loaded_new();
    resize(copy, l->rows);
    memcpy(copy->labels.label, l->labels.label, l->rows);
    memcpy(copy->labels.valid, l->labels.valid, l->rows * sizeof(*l->labels.valid));
    memcpy(copy->justs, l->justs, l->rows * sizeof(*l->justs));
    return copy;
}

static void store_labels(struct loaded *l, const struct graph *g, const struct labels *found,
                         size_t count)
{
    int64_t last = (int64_t)l->rows;
    for (size_t i = 0; i < count; i++)
        last = g->row[i] > last ? g->row[i] : last;
    resize(l, (size_t)last);
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)(g->row[i] - 1);
        l->labels.label[at] = found->label[i];
        l->labels.valid[at] = found->valid[i];
        l->justs[at] = g->just_first[i + 1] - g->just_first[i];
    }
}

/* Takes the cached snapshot if nobody else holds it, else a copy of its labels. */
static struct loaded *cache_take(struct graph_cache *c)
{
    pthread_mutex_lock(&c->lock);
    struct loaded *l = c->last;
    if (atomic_load(&l->holders) == 1) {
        c->last = NULL;
        drop_graph(l);
    } else {
        l = copy_of(l);
    }
    pthread_mutex_unlock(&c->lock);
    return l;
}

/*
 * Computes the labels of changed rows and of everything based on them; no other label can have
 * changed. Releases `known`.
 */
static struct loaded *relabel(struct graph_cache *c, const struct loaded *known, struct reader *r,
                              int64_t seq)
{
    struct error ignored;
    struct graph g;
    AUTO(labels) found = {.label = NULL};
    struct loaded *next = NULL;
    size_t most = known->rows / CHANGED_PART + CHANGED_LEAST, count, inside;
    AUTO_FREE int64_t *row = xmalloc(most * sizeof(*row));
    bool bounded, done = loaded_changed(r, known->seq, (int64_t)known->rows, most, row, &count);
    graph_init(&g);
    done =
        done &&
        graph_load_dependants(r, &g, known, row, count, most, &inside, &bounded, &ignored) == 0 &&
        !bounded;
    loaded_release(known);
    if (done) {
        labels_compute(&found, &g);
        next = cache_take(c);
        store_labels(next, &g, &found, inside);
        next->seq = seq;
        cache_put(c, next);
    }
    graph_release(&g);
    return next;
}

/* Call with `loading` locked. */
static struct loaded *update_labels(struct graph_cache *c, struct reader *r, int64_t seq)
{
    struct loaded *l = cache_hold(c);
    if (l && l->seq < seq)
        return relabel(c, l, r, seq);
    if (!l || l->seq == seq)
        return l;
    loaded_release(l);
    return NULL;
}

const struct loaded *loaded_labels_find(struct reader *r)
{
    struct error ignored;
    struct graph_cache *c = cache_of(r);
    int64_t seq;
    if (!may_share(r) || reader_snapshot_seq(r, &seq, &ignored))
        return NULL;
    struct loaded *l = cache_hold(c);
    if (!l || l->seq == seq)
        return l;
    loaded_release(l);
    if (pthread_mutex_trylock(&c->loading)) /* another thread is updating them */
        return NULL;
    l = update_labels(c, r, seq);
    pthread_mutex_unlock(&c->loading);
    return l;
}

const struct loaded *loaded_labels_get(struct reader *r, struct error *e)
{
    const struct loaded *l = loaded_labels_find(r);
    return l ? l : loaded_get(r, e);
}

/* ---- what a reader disbelieves ---- */

struct disbelief *disbelief_new(const int64_t *rows, size_t count)
{
    struct disbelief *d = xcalloc(1, sizeof(*d));
    atomic_init(&d->holders, 1);
    d->graph = graph_cache_new();
    for (size_t i = 0; i < count; i++)
        row_set_add(&d->rows, rows[i]);
    return d;
}

struct disbelief *disbelief_hold(struct disbelief *d)
{
    if (d)
        atomic_fetch_add(&d->holders, 1);
    return d;
}

void disbelief_release(struct disbelief *d)
{
    if (!d || atomic_fetch_sub(&d->holders, 1) > 1)
        return;
    graph_cache_free(d->graph);
    row_set_release(&d->rows);
    free(d);
}

enum status disbelief_status(const struct reader *r, int64_t row, enum status stored)
{
    const struct disbelief *d = reader_disbelief(r);
    return d && STATUS_LIVES(stored) && row_set_has(&d->rows, row) ? STATUS_RETRACTED : stored;
}
