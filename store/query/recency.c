#include "store/query/recency.h"

#include <pthread.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

#define LEVELS     128
#define EVENTS_MAX 4096 /* after more than that all is found anew */

/* A row is a stray where no other of its time is within so many rows behind it. */
#define STRAYS_FAR 1024

/* What was created after `time` stands in `least` or a later row, but for strays. */
struct level {
    int64_t time, least;
};

struct recency {
    pthread_mutex_t lock;
    int64_t seq;  /* the event up to which it holds */
    int64_t last; /* the greatest row at that event */
    struct level level[LEVELS];
    size_t count; /* the newest first */
    struct strays strays;
};

struct recency *recency_new(void)
{
    struct recency *k = xcalloc(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

void recency_free(struct recency *k)
{
    if (!k)
        return;
    pthread_mutex_destroy(&k->lock);
    free(k);
}

/* ---- what changed ---- */

static void forget(struct recency *k)
{
    k->count = 0;
    k->strays.count = 0;
}

/* A row that was there may be of another time now: then it is a stray. */
static void move(struct recency *k, int64_t row, int64_t created_at)
{
    bool moves = false;
    for (size_t i = 0; i < k->count; i++)
        moves |= k->level[i].time < created_at && row < k->level[i].least;
    if (!moves || strays_have(&k->strays, row))
        return;
    if (k->strays.count == RECENCY_STRAYS)
        forget(k);
    else
        k->strays.row[k->strays.count++] = row;
}

static int move_changed(struct recency *k, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "SELECT m.id, m.created_at FROM event e JOIN memory m ON m.id = e.subject"
                   " WHERE e.seq > ? AND e.subject <= ? AND m.created_at IS NOT NULL",
                   e);
    int more = stmt ? db_bind(db, stmt, e, "ii", k->seq, k->last) : -1;
    for (; more > 0; more = db_step(db, stmt, e))
        move(k, sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1));
    return more;
}

/* Brings it to the reader's moment: 1; 0: it is ahead of it. */
static int bring_to(struct recency *k, struct db *db, int64_t seq, struct error *e)
{
    int64_t last;
    if (k->seq >= seq)
        return k->seq == seq;
    if (db_int(db, &last, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    if (seq - k->seq > EVENTS_MAX)
        forget(k);
    if (k->count && move_changed(k, db, e))
        return -1;
    k->seq = seq;
    k->last = last;
    return 1;
}

/* ---- levels ---- */

/* The least row from `from` on of what was created after one time and not after the other; `none` where nothing was. */
static int least_between(struct db *db, int64_t after, int64_t until, int64_t from, int64_t none,
                         int64_t *least, struct error *e)
{
    *least = none;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        int64_t row;
        if (db_int(db, &row, 0, e,
                   "SELECT coalesce(min(id), 0) FROM memory INDEXED BY memory_created"
                   " WHERE status < 7 AND kind = ? AND created_at > ? AND created_at <= ?"
                   " AND id >= ?",
                   "iiii", (int64_t)kind, after, until, from))
            return -1;
        if (row && row < *least)
            *least = row;
    }
    return 0;
}

/* The same without strays, old and new. */
static int least_but_strays(struct recency *k, struct db *db, int64_t after, int64_t until,
                            int64_t none, int64_t *least, struct error *e)
{
    int result = least_between(db, after, until, 1, none, least, e);
    while (result == 0 && *least < none) {
        int64_t next;
        bool known = strays_have(&k->strays, *least);
        if (!known && k->strays.count == RECENCY_STRAYS)
            break;
        result = least_between(db, after, until, *least + 1, none, &next, e);
        if (!known && next - *least < STRAYS_FAR)
            break;
        if (!known)
            k->strays.row[k->strays.count++] = *least;
        *least = next;
    }
    return result;
}

/* Every second one goes where there is no room. */
static void make_room(struct recency *k)
{
    if (k->count < LEVELS)
        return;
    for (size_t i = 0; i < LEVELS / 2; i++)
        k->level[i] = k->level[2 * i + 1];
    k->count = LEVELS / 2;
}

/* The first level that is not of a later time. */
static size_t find_level(const struct recency *k, int64_t time)
{
    size_t i = 0;
    while (i < k->count && k->level[i].time > time)
        i++;
    return i;
}

/* From the level before on. */
static int find_least(struct recency *k, struct db *db, int64_t time, int64_t *least,
                      struct error *e)
{
    size_t i = find_level(k, time);
    struct level before = i > 0 ? k->level[i - 1] : (struct level){INT64_MAX, k->last + 1};
    return least_but_strays(k, db, time, before.time, before.least, least, e);
}

static void keep(struct recency *k, int64_t time, int64_t least)
{
    make_room(k);
    size_t i = find_level(k, time);
    memmove(&k->level[i + 1], &k->level[i], (k->count - i) * sizeof(*k->level));
    k->level[i] = (struct level){time, least};
    k->count++;
}

/* 1 where a level that was found before does. */
static int look_up(const struct recency *k, int64_t time, int64_t row, int64_t *least)
{
    size_t i = find_level(k, time);
    if (i == k->count)
        return 0;
    *least = k->level[i].least;
    return k->level[i].time == time || *least >= row - (k->last - row) / 4 - 256;
}

int recency_least(struct reader *r, int64_t created_at, int64_t row, int64_t *least,
                  struct strays *strays, struct error *e)
{
    struct recency *k = reader_store(r)->recency;
    struct db *db = reader_db(r);
    int64_t seq;
    if (reader_moment(r, &seq, e))
        return -1;
    strays->count = 0;
    pthread_mutex_lock(&k->lock);
    int current = bring_to(k, db, seq, e);
    int found = current > 0 ? look_up(k, created_at, row, least) : current;
    if (found == 0) {
        found = current ? find_least(k, db, created_at, least, e)
                        : least_between(db, created_at, INT64_MAX, 1, INT64_MAX, least, e);
        if (current && found == 0)
            keep(k, created_at, *least);
        found = found < 0 ? -1 : 1;
    }
    if (current > 0 && found > 0)
        *strays = k->strays;
    pthread_mutex_unlock(&k->lock);
    return found < 0 ? -1 : 0;
}
