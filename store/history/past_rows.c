#include "store/history/past_rows.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

#define TELLS(i) (((i)&8191) == 0)

void past_rows_release(struct past_rows *p)
{
    free(p->changed);
    free(p->unborn);
    p->changed = p->unborn = NULL;
}

static void grow(uint64_t **bits, size_t had, size_t words)
{
    uint64_t *larger = xrealloc(*bits, words * sizeof(*larger));
    memset(larger + had, 0, (words - had) * sizeof(*larger));
    *bits = larger;
}

void past_rows_copy(struct past_rows *to, const struct past_rows *from)
{
    *to = *from;
    to->changed = xmalloc(from->words * sizeof(*to->changed));
    to->unborn = xmalloc(from->words * sizeof(*to->unborn));
    memcpy(to->changed, from->changed, from->words * sizeof(*to->changed));
    memcpy(to->unborn, from->unborn, from->words * sizeof(*to->unborn));
}

static void make_room(struct past_rows *p, int64_t row)
{
    size_t words = (size_t)row / 64 + 1;
    if (words > p->words) {
        words += words / 8;
        grow(&p->changed, p->words, words);
        grow(&p->unborn, p->words, words);
        p->words = words;
    }
    if (row > p->rows)
        p->rows = row;
}

void past_rows_add(struct past_rows *p, int64_t row, bool was_there)
{
    if (row < 1)
        return;
    if (row > p->rows)
        make_room(p, row);
    uint64_t bit = UINT64_C(1) << (row % 64), *word = &p->changed[(size_t)row / 64];
    if (!was_there) {
        p->unborn[(size_t)row / 64] |= bit;
        return;
    }
    p->changed_count += !(*word & bit);
    *word |= bit;
}

/* ---- from the events since ---- */

static int was_there(struct db *db, int64_t row, int64_t seq, bool *there, struct error *e)
{
    int64_t found;
    if (db_int(db, &found, 0, e, "SELECT 1 FROM event WHERE subject = ? AND seq <= ? LIMIT 1", "ii",
               row, seq))
        return -1;
    *there = found;
    return 0;
}

struct finding {
    struct past_rows *p;
    struct db *db;
    int (*told)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t done, total;
};

static int tell(struct finding *f, struct error *e)
{
    if (TELLS(f->done) && f->told && f->told(f->arg, f->done, f->total))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    f->done++;
    return 0;
}

static int take_later(struct finding *f, int64_t row, struct error *e)
{
    bool there = false;
    const struct past_rows *p = f->p;
    if (row < 1 || (row <= p->rows && !past_is_same(p, row)))
        return 0;
    if (was_there(f->db, row, p->seq, &there, e))
        return -1;
    past_rows_add(f->p, row, there);
    return 0;
}

static int find_in_events(struct finding *f, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(f->db, "SELECT subject FROM event WHERE seq > ? AND subject IS NOT NULL", e);
    int more = db_bind(f->db, stmt, e, "i", f->p->seq);
    while (more > 0)
        more = tell(f, e) || take_later(f, sqlite3_column_int64(stmt, 0), e)
                   ? -1
                   : db_step(f->db, stmt, e);
    sqlite3_reset(stmt);
    return more;
}

/* ---- from the index ---- */

/* The events of one row come together, ascending: what matters are the first and the last. */
struct row_events {
    int64_t row, first, last;
};

static void end_row(struct finding *f, const struct row_events *r)
{
    if (r->row > 0 && r->last > f->p->seq)
        past_rows_add(f->p, r->row, r->first <= f->p->seq);
}

static int find_in_index(struct finding *f, struct error *e)
{
    struct row_events one = {0};
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT subject, seq FROM event INDEXED BY event_subject"
                                    " WHERE subject > 0 ORDER BY subject, seq",
                                    e);
    int more = db_step(f->db, stmt, e);
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        int64_t row = sqlite3_column_int64(stmt, 0), seq = sqlite3_column_int64(stmt, 1);
        if (row != one.row) {
            end_row(f, &one);
            if (tell(f, e))
                break;
            one = (struct row_events){row, seq, seq};
        }
        one.last = seq;
    }
    sqlite3_reset(stmt);
    end_row(f, &one);
    return more ? -1 : 0;
}

/* An event is met in its own row, with all it says, the index is read in passing: the one costs
 * some four times what the other does. */
#define INDEX_COSTS 4

int past_rows_find(struct past_rows *p, struct db *db,
                   int (*told)(void *arg, int64_t done, int64_t total), void *arg, struct error *e)
{
    struct finding f = {.p = p, .db = db, .told = told, .arg = arg};
    if (db_int(db, &p->last, 0, e, "SELECT max(seq) FROM event", "") ||
        db_int(db, &p->rows, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    make_room(p, p->rows);
    int64_t later = p->last - p->seq;
    bool few = later < p->seq / INDEX_COSTS;
    f.total = few ? later : p->last;
    return few ? find_in_events(&f, e) : find_in_index(&f, e);
}
