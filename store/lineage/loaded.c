#include "store/lineage/loaded.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "store/lineage/subgraph.h"

/* Where more rows than a hundredth have changed, a new pass over all costs less than going after each. */
#define CHANGED_LEAST 256
#define CHANGED_PART  100

struct graph_cache {
    pthread_mutex_t lock;    /* of the pointers */
    pthread_mutex_t loading; /* of whoever loads or brings forward; taken before `lock` */
    struct loaded *graph;    /* NULL: none */
    struct known_labels *labels;
};

struct graph_cache *graph_cache_new(void)
{
    struct graph_cache *c = xcalloc(1, sizeof(*c));
    pthread_mutex_init(&c->lock, NULL);
    pthread_mutex_init(&c->loading, NULL);
    return c;
}

void graph_cache_free(struct graph_cache *c)
{
    if (!c)
        return;
    loaded_release(c->graph);
    known_labels_release(c->labels);
    pthread_mutex_destroy(&c->lock);
    pthread_mutex_destroy(&c->loading);
    free(c);
}

void loaded_release(const struct loaded *l)
{
    struct loaded *mine = (struct loaded *)l;
    if (!mine || atomic_fetch_sub(&mine->holders, 1) > 1)
        return;
    labels_release(&mine->labels);
    graph_release(&mine->graph);
    free(mine);
}

void known_labels_release(const struct known_labels *k)
{
    struct known_labels *mine = (struct known_labels *)k;
    if (!mine || atomic_fetch_sub(&mine->holders, 1) > 1)
        return;
    free(mine->label);
    free(mine->holds);
    free(mine->justs);
    free(mine);
}

/* May what is shared be an answer to this reader's caller, and what is found be shared? */
static bool shares(struct reader *r)
{
    return reader_keeps(r) && !guard_hides_linked_entries(r);
}

static struct graph_cache *cache_of(struct reader *r)
{
    return reader_store(r)->graph;
}

/* ---- loading ---- */

static struct loaded *load(struct reader *r, struct error *e)
{
    struct loaded *l = xcalloc(1, sizeof(*l));
    atomic_init(&l->holders, 1);
    graph_init(&l->graph);
    if (reader_moment(r, &l->seq, e) || graph_load(r, &l->graph, e) ||
        guard_graph(r, &l->graph, e)) {
        loaded_release(l);
        return NULL;
    }
    labels_compute(&l->labels, &l->graph);
    return l;
}

static struct known_labels *labels_of(const struct loaded *l)
{
    const struct graph *g = &l->graph;
    struct known_labels *k = xcalloc(1, sizeof(*k));
    size_t rows = g->nodes;
    atomic_init(&k->holders, 1);
    k->rows = rows;
    k->seq = l->seq;
    k->label = xmalloc(rows + 1);
    k->holds = xmalloc((rows + 1) * sizeof(*k->holds));
    k->justs = xmalloc((rows + 1) * sizeof(*k->justs));
    memcpy(k->label, l->labels.label, rows);
    memcpy(k->holds, l->labels.holds, rows * sizeof(*k->holds));
    for (size_t i = 0; i < rows; i++)
        k->justs[i] = g->just_first[i + 1] - g->just_first[i];
    return k;
}

/* Those of a later moment stay. */
static void put_labels(struct graph_cache *c, struct known_labels *k)
{
    struct known_labels *old = k;
    pthread_mutex_lock(&c->lock);
    if (!c->labels || c->labels->seq < k->seq) {
        old = c->labels;
        c->labels = k;
    }
    pthread_mutex_unlock(&c->lock);
    known_labels_release(old);
}

static void put_graph(struct graph_cache *c, struct loaded *l)
{
    struct loaded *old = NULL;
    pthread_mutex_lock(&c->lock);
    if (!c->graph || c->graph->seq < l->seq) {
        old = c->graph;
        c->graph = l;
        atomic_fetch_add(&l->holders, 1);
    }
    pthread_mutex_unlock(&c->lock);
    loaded_release(old);
}

const struct loaded *loaded_find(struct reader *r)
{
    struct error ignored;
    struct graph_cache *c = cache_of(r);
    struct loaded *l = NULL;
    int64_t seq;
    if (!shares(r) || reader_moment(r, &seq, &ignored))
        return NULL;
    pthread_mutex_lock(&c->lock);
    if (c->graph && c->graph->seq == seq) {
        l = c->graph;
        atomic_fetch_add(&l->holders, 1);
    }
    pthread_mutex_unlock(&c->lock);
    return l;
}

/* Who waits for another's loading finds it done. Under a limit nobody waits. */
const struct loaded *loaded_get(struct reader *r, struct error *e)
{
    struct graph_cache *c = cache_of(r);
    if (!shares(r))
        return load(r, e);
    const struct loaded *found = loaded_find(r);
    if (found || reader_begin_long(r, e))
        return found;
    pthread_mutex_lock(&c->loading);
    struct loaded *l = (struct loaded *)loaded_find(r);
    if (!l && (l = load(r, e))) {
        put_graph(c, l);
        put_labels(c, labels_of(l));
    }
    pthread_mutex_unlock(&c->loading);
    return l;
}

/* ---- labels, brought forward ---- */

/* The rows that events since then are about, and those that were added; false where they are too many. */
static bool find_changed(struct reader *r, const struct known_labels *k, int64_t seq, size_t most,
                         int64_t *row, size_t *count)
{
    struct error ignored;
    if (seq - k->seq > (int64_t)(8 * most))
        return false;
    struct query rows = db_query(reader_db(r), &ignored,
                                 "SELECT DISTINCT subject FROM event WHERE seq > ?1"
                                 " AND subject <= ?2 UNION ALL"
                                 " SELECT id FROM memory WHERE id > ?2",
                                 "ii", k->seq, (int64_t)k->rows);
    for (*count = 0; *count < most && db_next(&rows);)
        row[(*count)++] = sqlite3_column_int64(rows.stmt, 0);
    return db_end(&rows) == 0 && *count < most;
}

static void resize(struct known_labels *k, size_t rows)
{
    if (rows <= k->rows)
        return;
    k->label = xrealloc(k->label, rows + 1);
    k->holds = xrealloc(k->holds, (rows + 1) * sizeof(*k->holds));
    k->justs = xrealloc(k->justs, (rows + 1) * sizeof(*k->justs));
    k->rows = rows;
}

/* A copy of its own, for somebody reads the old one. */
static struct known_labels *copy_of(const struct known_labels *k)
{
    struct known_labels *copy = xcalloc(1, sizeof(*copy));
    atomic_init(&copy->holders, 1);
    resize(copy, k->rows);
    memcpy(copy->label, k->label, k->rows);
    memcpy(copy->holds, k->holds, k->rows * sizeof(*k->holds));
    memcpy(copy->justs, k->justs, k->rows * sizeof(*k->justs));
    return copy;
}

static void take_labels(struct known_labels *k, const struct graph *g, const struct labels *l,
                        size_t count)
{
    int64_t last = (int64_t)k->rows;
    for (size_t i = 0; i < count; i++)
        last = g->row[i] > last ? g->row[i] : last;
    resize(k, (size_t)last);
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)(g->row[i] - 1);
        k->label[at] = l->label[i];
        k->holds[at] = l->holds[i];
        k->justs[at] = g->just_first[i + 1] - g->just_first[i];
    }
}

/* Takes the cached labels out where nobody else holds them, else a copy. */
static struct known_labels *take_out(struct graph_cache *c)
{
    pthread_mutex_lock(&c->lock);
    struct known_labels *k = c->labels;
    if (atomic_load(&k->holders) == 1)
        c->labels = NULL;
    else
        k = copy_of(k);
    pthread_mutex_unlock(&c->lock);
    return k;
}

/* Labels again what changed and all that is based on it: nobody else's label can have changed. */
static bool relabel(struct graph_cache *c, const struct known_labels *k, struct reader *r,
                    int64_t seq)
{
    struct error ignored;
    struct graph g;
    struct labels l = {.label = NULL};
    size_t most = k->rows / CHANGED_PART + CHANGED_LEAST, count, inside;
    int64_t *row = xmalloc(most * sizeof(*row));
    bool bounded, done = find_changed(r, k, seq, most, row, &count);
    graph_init(&g);
    done = done &&
           graph_load_carried(r, &g, k, row, count, most, &inside, &bounded, &ignored) == 0 &&
           !bounded;
    free(row);
    if (done) {
        labels_compute(&l, &g);
        known_labels_release(k);
        struct known_labels *next = take_out(c);
        take_labels(next, &g, &l, inside);
        next->seq = seq;
        put_labels(c, next);
    } else {
        known_labels_release(k);
    }
    labels_release(&l);
    graph_release(&g);
    return done;
}

/* Those of the cache; NULL: none. */
static struct known_labels *hold_labels(struct graph_cache *c)
{
    pthread_mutex_lock(&c->lock);
    struct known_labels *k = c->labels;
    if (k)
        atomic_fetch_add(&k->holders, 1);
    pthread_mutex_unlock(&c->lock);
    return k;
}

const struct known_labels *known_labels_find(struct reader *r)
{
    struct error ignored;
    struct graph_cache *c = cache_of(r);
    int64_t seq;
    if (!shares(r) || reader_moment(r, &seq, &ignored))
        return NULL;
    struct known_labels *k = hold_labels(c);
    if (!k || k->seq == seq)
        return k;
    known_labels_release(k);
    if (pthread_mutex_trylock(&c->loading)) /* somebody brings them forward just now */
        return NULL;
    k = hold_labels(c);
    if (k && k->seq < seq)
        k = relabel(c, k, r, seq) ? hold_labels(c) : NULL;
    if (k && k->seq != seq) {
        known_labels_release(k);
        k = NULL;
    }
    pthread_mutex_unlock(&c->loading);
    return k;
}

const struct known_labels *known_labels_get(struct reader *r, struct error *e)
{
    const struct known_labels *k = known_labels_find(r);
    const struct loaded *l = k ? NULL : loaded_get(r, e);
    if (!l)
        return k;
    k = labels_of(l);
    loaded_release(l);
    return k;
}
