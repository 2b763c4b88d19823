#include "store/history/past.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/format/exchange.h"
#include "store/db/reader.h"
#include "store/history/rewind.h"
#include "store/guard/guard.h"

/* ---- a moment ---- */

/* The first event at `seq` or after it; its number and time. 1, or 0: there is none. */
static int event_from(struct db *db, int64_t seq, int64_t *found, int64_t *at, struct error *e)
{
    struct query row =
        db_query(db, e, "SELECT seq, at FROM event WHERE seq >= ? ORDER BY seq LIMIT 1", "i", seq);
    bool any = db_next(&row);
    if (any) {
        *found = sqlite3_column_int64(row.stmt, 0);
        *at = sqlite3_column_int64(row.stmt, 1);
    }
    return db_end(&row) ? -1 : any;
}

/*
 * `low` is an event at `time` or before it (0: none), the next event after `high` - 1 is later: so
 * they close in on a place where the times pass over it, which is the only one where they never run
 * backwards.
 */
static int search_moment(struct db *db, int64_t time, int64_t high, int64_t *low, struct error *e)
{
    while (high - *low > 1) {
        int64_t middle = *low + (high - *low) / 2, seq, at;
        int found = event_from(db, middle, &seq, &at, e);
        if (found < 0)
            return -1;
        if (found == 0 || seq >= high || at > time)
            high = middle;
        else
            *low = seq;
    }
    return 0;
}

static int find_moment(struct db *db, int64_t time, int64_t *seq, struct error *e)
{
    int64_t last, found, at = 0;
    if (db_int(db, &last, 0, e, "SELECT max(seq) FROM event", ""))
        return -1;
    *seq = 0;
    if (last == 0)
        return 0;
    if (event_from(db, last, &found, &at, e) < 0)
        return -1;
    if (at > time)
        return search_moment(db, time, last, seq, e);
    *seq = last;
    return 0;
}

int past_moment(struct reader *r, int64_t time, int64_t *seq, struct error *e)
{
    return reader_begin(r, e) ? -1 : reader_done(r, find_moment(reader_db(r), time, seq, e));
}

int past_moment_time(struct reader *r, int64_t seq, int64_t *at, struct error *e)
{
    int64_t found;
    int more =
        reader_begin(r, e) ? -1 : reader_done(r, event_from(reader_db(r), seq, &found, at, e));
    if (more < 0)
        return -1;
    return more && found == seq ? 0
                                : error_set(e, ERROR_NOT_FOUND, "stemma log shows them.",
                                            "there is no event %lld", (long long)seq);
}

/* ---- one memory ---- */

int memory_read_past(struct reader *r, struct arena *arena, int64_t node, int64_t seq,
                     struct memory *out, struct error *e)
{
    struct db *db = reader_begin_present(r, e);
    int64_t past = reader_past(r);
    if (!db)
        return -1;
    if (past >= 0 && seq > past)
        seq = past;
    int result =
        rewind_memory(db, arena, node, seq, out, e) || rewind_links(db, out, seq, e) ? -1 : 0;
    reader_end_present(r);
    if (result == 0)
        result = entry_hide(r, arena, out, e);
    return result;
}

/* ---- comparing two moments ---- */

/* What differs between two moments: the memories of the events between them, each made as it was at
 * both. */

struct met {
    int64_t row, seq;
};

/* A memory's events: a range of all of them, once they are sorted by row. */
struct group {
    size_t first, count;
    int64_t last; /* its last event */
};

struct comparison {
    struct reader *r;
    struct db *db;
    int64_t from, to;
    struct met *met;
    size_t met_count, met_alloc;
    struct group *group;
    size_t group_count, group_alloc;
    int (*each)(void *arg, const struct changed *c);
    void *arg;
    struct arena arena;
    bool stopped;
};

/* ---- who may differ ---- */

static int keep_met(struct comparison *c, struct met one, struct error *e)
{
    *ARRAY_ADD(c->met, c->met_count, c->met_alloc) = one;
    return READER_TELLS(c->met_count) == 0 ? reader_check(c->r, e) : 0;
}

static int find_met(struct comparison *c, struct error *e)
{
    int64_t low = c->from < c->to ? c->from : c->to, high = c->from < c->to ? c->to : c->from;
    struct query rows = db_query(
        c->db, e, "SELECT subject, seq FROM event WHERE seq > ? AND seq <= ?", "ii", low, high);
    while (db_next(&rows)) {
        struct met one = {sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int64(rows.stmt, 1)};
        if (one.row > 0 && keep_met(c, one, e))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

static int by_row(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->seq > y->seq) - (x->seq < y->seq);
}

static int by_last(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return (x->last > y->last) - (x->last < y->last);
}

static void make_groups(struct comparison *c)
{
    if (c->met_count)
        qsort(c->met, c->met_count, sizeof(*c->met), by_row);
    for (size_t i = 0, end; i < c->met_count; i = end) {
        for (end = i; end < c->met_count && c->met[end].row == c->met[i].row;)
            end++;
        *ARRAY_ADD(c->group, c->group_count, c->group_alloc) =
            (struct group){i, end - i, c->met[end - 1].seq};
    }
    if (c->group_count)
        qsort(c->group, c->group_count, sizeof(*c->group), by_last);
}

/* ---- does it? ---- */

static void same(const struct memory *a, const struct memory *b, bool *is)
{
    struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
    exchange_write(&x, a, NULL);
    exchange_write(&y, b, NULL);
    *is = x.len == y.len && memcmp(x.buf, y.buf, x.len) == 0;
    strbuf_release(&x);
    strbuf_release(&y);
}

static int read_at(struct comparison *c, int64_t row, int64_t seq, struct memory *m,
                   struct error *e)
{
    return rewind_memory(c->db, &c->arena, row, seq, m, e) || rewind_links(c->db, m, seq, e) ? -1
                                                                                             : 0;
}

/* What is told of both sides; whether they differ is known by the whole of them. */
static int hide(struct comparison *c, struct memory *before, struct memory *after, struct error *e)
{
    return entry_hide(c->r, &c->arena, before, e) || entry_hide(c->r, &c->arena, after, e) ? -1 : 0;
}

/* Damaged events aside, what came has an addition among them. */
static int find_made(struct comparison *c, const struct group *g, bool came, int64_t *made,
                     struct error *e)
{
    const struct met *met = c->met + g->first;
    *made = 0;
    if (came && g->count > 1 && rewind_addition(c->db, met->row, met->seq - 1, g->last, made, e))
        return -1;
    if (*made == 0)
        *made = g->last;
    return 0;
}

static int compare_one(struct comparison *c, const struct group *g, struct error *e)
{
    const struct met *met = c->met + g->first;
    struct memory before, after;
    bool is_same = false;
    arena_clear(&c->arena);
    int64_t *events = arena_array(&c->arena, g->count, sizeof(*events));
    for (size_t i = 0; i < g->count; i++)
        events[i] = met[i].seq;
    if (read_at(c, met->row, c->from, &before, e) || read_at(c, met->row, c->to, &after, e))
        return -1;
    bool was = before.status != STATUS_MISSING, is = after.status != STATUS_MISSING;
    if (was && is)
        same(&before, &after, &is_same);
    if (is_same || (!was && !is))
        return 0;
    int64_t made;
    if (find_made(c, g, c->from < c->to ? !was : !is, &made, e) || hide(c, &before, &after, e))
        return -1;
    struct changed changed = {.node = met->row,
                              .ref = after.ref,
                              .events = events,
                              .event_count = g->count,
                              .made = made,
                              .before = was ? &before : NULL,
                              .after = is ? &after : NULL};
    c->stopped = c->each(c->arg, &changed) != 0;
    return 0;
}

static int compare_all(struct comparison *c, struct error *e)
{
    if (find_met(c, e))
        return -1;
    make_groups(c);
    for (size_t i = 0; i < c->group_count && !c->stopped; i++) {
        if (READER_TELLS(i) == 0)
            reader_progress(c->r, (int64_t)i, (int64_t)c->group_count);
        if (reader_check(c->r, e) || compare_one(c, &c->group[i], e))
            return -1;
    }
    return 0;
}

static int64_t no_later(int64_t seq, int64_t past)
{
    return past >= 0 && seq > past ? past : seq;
}

int past_compare(struct reader *r, int64_t from, int64_t to,
                 int (*each)(void *arg, const struct changed *c), void *arg, struct error *e)
{
    struct comparison c = {.r = r,
                           .from = no_later(from, reader_past(r)),
                           .to = no_later(to, reader_past(r)),
                           .each = each,
                           .arg = arg,
                           .arena = ARENA_INIT};
    c.db = reader_begin_present(r, e);
    if (!c.db)
        return -1;
    int result = compare_all(&c, e);
    reader_end_present(r);
    arena_release(&c.arena);
    free(c.met);
    free(c.group);
    return result;
}
