/*
 * A reader of the past has two connections: its own, before whose tables the views of the moment
 * stand, and a second one, which reads the present, from which what was is made. The second may see
 * events that the first does not see yet: they are taken back like all the others.
 */
#include "store/history/past.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/history/past_overlay.h"
#include "store/history/past_state.h"
#include "store/history/rewind.h"

#define TELLS(i) (((i)&255) == 0)
#define MANY     100000 /* memories: some 100 MB */

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
static int tell(void *arg, struct error *e)
{
    struct building *b = arg;
    if (TELLS(b->done) && b->told &&
        b->told(b->arg, (int64_t)b->done, (int64_t)b->past->rows.changed_count))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    b->done++;
    return 0;
}

static int build_row(struct building *b, int64_t row, struct error *e)
{
    bool there;
    if (tell(b, e) || put_memory(b->past, b->db, b->present, row, &there, e))
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

/* ---- the same again ---- */

static int copy(struct building *b, struct reader *from, struct error *e)
{
    struct past_rows *rows = &b->past->rows;
    past_rows_copy(rows, &reader_its_past(from)->rows);
    if (overlay_make(b->db, rows, store_now(reader_store(b->past->r)), rows->changed_count > MANY,
                     e) ||
        overlay_begin(b->db, e))
        return -1;
    int result = overlay_copy(b->db, reader_db(from), tell, b, e);
    return overlay_end(b->db, result == 0, e) || result ? -1 : 0;
}

/* It has heard of as much as the other one has, and hears of the rest by itself. */
struct reader *reader_copy_past(struct reader *from,
                                int (*told)(void *arg, int64_t done, int64_t total), void *arg,
                                struct error *e)
{
    struct reader *r = reader_open(reader_store(from), e);
    if (!r)
        return NULL;
    struct past *p = xcalloc(1, sizeof(*p));
    p->r = r;
    struct building b = {.past = p, .db = reader_db(r), .told = told, .arg = arg};
    return finish(r, p, copy(&b, from, e));
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
    array_grow((void **)&f->row, &f->alloc, f->count, sizeof(one));
    f->row[f->count++] = one;
    return 0;
}

static int follow_events(struct following *f, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT subject, operation = 'purge' FROM main.event"
                                    " WHERE seq > ? AND subject IS NOT NULL",
                                    e);
    int more = db_bind(f->db, stmt, e, "i", f->past->rows.last);
    while (more > 0)
        more = follow_row(f, sqlite3_column_int64(stmt, 0), sqlite3_column_int(stmt, 1), e)
                   ? -1
                   : db_step(f->db, stmt, e);
    sqlite3_reset(stmt);
    return more;
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
