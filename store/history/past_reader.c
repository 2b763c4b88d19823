#include "store/history/past.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/history/past_overlay.h"
#include "store/history/past_state.h"
#include "store/history/rewind.h"

/* ---- which memories differ ---- */

#define TELLS(i) (((i)&8191) == 0)

static void past_rows_release(struct past_rows *p)
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

/* A row became another thing, or came. */
static void past_rows_add(struct past_rows *p, int64_t row, bool was_there)
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
    struct query rows =
        db_query(f->db, e, "SELECT subject FROM event WHERE seq > ? AND subject IS NOT NULL", "i",
                 f->p->seq);
    while (db_next(&rows))
        if (tell(f, e) || take_later(f, sqlite3_column_int64(rows.stmt, 0), e))
            return db_fail(&rows);
    return db_end(&rows);
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
    struct query rows = db_query(f->db, e,
                                 "SELECT subject, seq FROM event INDEXED BY event_subject"
                                 " WHERE subject > 0 ORDER BY subject, seq",
                                 "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0), seq = sqlite3_column_int64(rows.stmt, 1);
        if (row != one.row) {
            end_row(f, &one);
            if (tell(f, e))
                return db_fail(&rows);
            one = (struct row_events){row, seq, seq};
        }
        one.last = seq;
    }
    end_row(f, &one);
    return db_end(&rows);
}

/* An event is met in its own row, with all it says, the index is read in passing: the one costs
 * some four times what the other does. */
#define INDEX_COSTS 4

/*
 * Finds them for p->seq, from the events that follow it where those are few, else from the index of
 * all events by their subject. `told` (may be NULL) stops it with non-zero: ERROR_INTERRUPTED. In a
 * transaction. O(events since), at most O(events).
 */
static int past_rows_find(struct past_rows *p, struct db *db,
                          int (*told)(void *arg, int64_t done, int64_t total), void *arg,
                          struct error *e)
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

/* ---- the reader ---- */

/*
 * A reader of the past has two connections: its own, before whose tables the views of the moment
 * stand, and a second one, which reads the present, from which what was is made. The second may see
 * events that the first does not see yet: they are taken back like all the others.
 */

#define PAST_READER_TELLS(i) (((i)&255) == 0)
#define MANY                 100000 /* memories: some 100 MB */

struct past {
    struct reader *r;
    struct past_rows rows;
    struct arena arena; /* of the memory that is made */
};

int64_t past_seq(const struct past *p)
{
    return p->rows.seq;
}

void past_free(struct past *p)
{
    if (!p)
        return;
    past_rows_release(&p->rows);
    arena_release(&p->arena);
    free(p);
}

/* ---- memories as they were ---- */

/* Puts the memory of that row as it was. *there false: it was a stub, and is in no table. */
static int put_memory(struct past *p, struct db *db, struct db *present, int64_t row, bool *there,
                      struct error *e)
{
    struct memory m;
    arena_clear(&p->arena);
    if (rewind_memory(present, &p->arena, row, p->rows.seq, &m, e) ||
        rewind_links(present, &m, 0, e))
        return -1;
    *there = m.status != STATUS_MISSING;
    return *there ? overlay_put(db, &m, e) : 0;
}

struct building {
    struct past *past;
    struct db *db, *present;
    int (*told)(void *arg, int64_t done, int64_t total);
    void *arg;
    size_t done;
};

/* One memory more. */
static int past_reader_tell(struct building *b, struct error *e)
{
    if (PAST_READER_TELLS(b->done) && b->told &&
        b->told(b->arg, (int64_t)b->done, (int64_t)b->past->rows.changed_count))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    b->done++;
    return 0;
}

static int build_row(struct building *b, int64_t row, struct error *e)
{
    bool there;
    if (past_reader_tell(b, e) || put_memory(b->past, b->db, b->present, row, &there, e))
        return -1;
    if (!there)
        past_rows_add(&b->past->rows, row, false);
    return 0;
}

static int build_rows(struct building *b, struct error *e)
{
    const struct past_rows *rows = &b->past->rows;
    for (size_t word = 0; word < rows->words; word++)
        for (uint64_t bits = rows->changed[word]; bits; bits &= bits - 1)
            if (build_row(b, (int64_t)(word * 64 + (size_t)__builtin_ctzll(bits)), e))
                return -1;
    return overlay_index(b->db, e);
}

/* The sets first, for they say how much there will be: all in one transaction of each connection.
 * */
static int build(struct building *b, struct error *e)
{
    struct past_rows *rows = &b->past->rows;
    if (db_run(b->present, e, "BEGIN", ""))
        return -1;
    int result = past_rows_find(rows, b->present, b->told, b->arg, e);
    if (result == 0)
        result = overlay_make(b->db, rows, store_now(reader_store(b->past->r)),
                              rows->changed_count > MANY, e);
    if (result == 0 && (result = overlay_begin(b->db, e)) == 0) {
        result = build_rows(b, e);
        result = overlay_end(b->db, result == 0, e) || result ? -1 : 0;
    }
    struct error ignored;
    db_run(b->present, &ignored, "COMMIT", "");
    return result;
}

/* What was made is the reader's, or nobody's. */
static struct reader *finish(struct reader *r, struct past *p, int failed)
{
    if (!failed) {
        reader_turn(r, p);
        return r;
    }
    reader_close(r);
    past_free(p);
    return NULL;
}

struct reader *reader_open_past(struct store *s, int64_t seq,
                                int (*told)(void *arg, int64_t done, int64_t total), void *arg,
                                struct error *e)
{
    struct reader *r = reader_open(s, e);
    if (!r)
        return NULL;
    struct past *p = xcalloc(1, sizeof(*p));
    p->r = r;
    p->rows.seq = seq;
    struct building b = {
        .past = p, .db = reader_db(r), .present = reader_second(r, e), .told = told, .arg = arg};
    return finish(r, p, !b.present || build(&b, e));
}

/* ---- following ---- */

struct followed {
    int64_t row;
    bool was_there;
};

struct following {
    struct past *past;
    struct db *db, *present;
    struct followed *row; /* what is to be added to the sets, once the tables have it */
    size_t count, alloc;
};

/* What is in the sets already stays as it is; but what was purged is forgotten here as well. */
static bool is_known(const struct past_rows *rows, int64_t row, bool purged)
{
    return row < 1 || (row <= rows->rows && !past_is_same(rows, row) &&
                       !(purged && past_bit(rows->changed, row)));
}

static int follow_row(struct following *f, int64_t row, bool purged, struct error *e)
{
    struct followed one = {.row = row};
    const struct past_rows *rows = &f->past->rows;
    int64_t event = 0;
    if (is_known(rows, row, purged))
        return 0;
    /* One that was not even named before is new. */
    if ((row <= rows->rows && rewind_event(f->present, row, rows->seq, &event, e)) ||
        (event && (overlay_drop(f->db, row, e) ||
                   put_memory(f->past, f->db, f->present, row, &one.was_there, e))))
        return -1;
    *ARRAY_ADD(f->row, f->count, f->alloc) = one;
    return 0;
}

static int follow_events(struct following *f, struct error *e)
{
    struct query rows = db_query(f->db, e,
                                 "SELECT subject, operation = 'purge' FROM main.event"
                                 " WHERE seq > ? AND subject IS NOT NULL",
                                 "i", f->past->rows.last);
    while (db_next(&rows))
        if (follow_row(f, sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int(rows.stmt, 1), e))
            return db_fail(&rows);
    return db_end(&rows);
}

/* Where it fails, all is done again the next time. */
static int follow_all(struct following *f, struct error *e)
{
    if (overlay_begin(f->db, e))
        return -1;
    int result = follow_events(f, e);
    if (overlay_end(f->db, result == 0, e) || result)
        return -1;
    for (size_t i = 0; i < f->count; i++)
        past_rows_add(&f->past->rows, f->row[i].row, f->row[i].was_there);
    return 0;
}

static int follow(struct past *p, int64_t last, struct error *e)
{
    struct error ignored;
    struct following f = {.past = p, .db = reader_db(p->r), .present = reader_second(p->r, e)};
    if (!f.present || db_run(f.present, e, "BEGIN", ""))
        return -1;
    int result = follow_all(&f, e);
    free(f.row);
    db_run(f.present, &ignored, "COMMIT", "");
    if (result == 0)
        p->rows.last = last;
    return result;
}

int past_follow(struct past *p, struct error *e)
{
    int64_t last;
    if (db_int(reader_db(p->r), &last, 0, e, "SELECT max(seq) FROM main.event", ""))
        return -1;
    return last > p->rows.last ? follow(p, last, e) : 0;
}
