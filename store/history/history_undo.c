/* What was taken back, and what a person would take back next. */
#include "store/history/history.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/column.h"
#include "store/db/reader.h"
#include "store/session/session.h"

/* The event that takes that one back, last: there is one at most, unless the journal was altered. */
static int taken_by(struct reader *r, int64_t seq, int64_t *by, struct error *e)
{
    return db_int(reader_db(r), by, 0, e,
                  "SELECT seq FROM event WHERE undoes = ?1 AND seq > ?1 ORDER BY seq DESC LIMIT 1",
                  "i", seq);
}

int history_end(struct reader *r, int64_t seq, int64_t *end, bool *undone, struct error *e)
{
    int64_t next = seq;
    *undone = false;
    do {
        *end = next;
        if (taken_by(r, *end, &next, e))
            return -1;
        *undone ^= next != 0;
    } while (next);
    return 0;
}

int64_t history_undone_by(struct reader *r, int64_t seq, struct error *e)
{
    int64_t end;
    bool undone;
    if (history_end(r, seq, &end, &undone, e))
        return -1;
    return undone ? end : 0;
}

/* ---- a batch ---- */

struct seqs {
    int64_t *list;
    size_t count, alloc;
};

static void add_seq(struct seqs *s, int64_t seq)
{
    void *list = s->list;
    array_grow(&list, &s->alloc, s->count, sizeof(*s->list));
    s->list = list;
    s->list[s->count++] = seq;
}

static void keep_seqs(struct seqs *s, struct arena *arena, int64_t **seqs, size_t *count)
{
    *seqs = arena_memdup(arena, s->list, s->count * sizeof(*s->list));
    *count = s->count;
    free(s->list);
}

int history_batch(struct reader *r, struct arena *arena, int64_t seq, int64_t **seqs, size_t *count,
                  struct error *e)
{
    struct db *db = reader_db(r);
    struct seqs found = {.list = NULL};
    sqlite3_stmt *stmt = db_prepare(db,
                                    "SELECT seq FROM event WHERE seq = ?1 UNION"
                                    " SELECT b.seq FROM event a JOIN event b"
                                    " ON b.correlation = a.correlation WHERE a.seq = ?1"
                                    " ORDER BY 1 DESC",
                                    e);
    int more = db_bind(db, stmt, e, "i", seq);
    while (more > 0) {
        add_seq(&found, sqlite3_column_int64(stmt, 0));
        more = db_step(db, stmt, e);
    }
    sqlite3_reset(stmt);
    if (more == 0) {
        keep_seqs(&found, arena, seqs, count);
        return 0;
    }
    free(found.list);
    return -1;
}

/* ---- as in an editor ---- */

/* What a person did by hand, newest first; `kept`: of what it changed something is. */
static const char by_hand[] =
    "SELECT e.seq, e.undoes, e.operation,"
    " e.operation <> 'purge' AND coalesce(m.status, 7) <> 6, m.kind, m.name, e.subject, e.session"
    " FROM event e LEFT JOIN memory m ON m.id = e.subject"
    " WHERE e.actor = ? AND e.person ORDER BY e.seq DESC";

struct next {
    struct reader *r;
    struct arena *arena;
    bool redo, ended;
    int64_t seq; /* 0: not found yet */
    struct passed passed;
};

/* The newest is named; a purge before what it made of older events. */
static int pass_over(struct next *n, sqlite3_stmt *stmt, struct error *e)
{
    struct passed *p = &n->passed;
    const char *operation = (const char *)sqlite3_column_text(stmt, 2);
    bool purge = operation && strcmp(operation, "purge") == 0;
    bool named = purge ? p->purges > 0 : p->purges + p->others > 0;
    p->purges += purge;
    p->others += !purge;
    if (named)
        return 0;
    int kind = column_enum(stmt, 4, KIND_COUNT);
    const char *id = db_text(n->arena, stmt, 5);
    if (kind < 0 || !id)
        return reader_damaged(e, "the ref", sqlite3_column_int64(stmt, 6));
    p->seq = sqlite3_column_int64(stmt, 0);
    p->ref = (struct ref){(enum kind)kind, id};
    return 0;
}

/* Of what is about no memory only what a person decided about a session concerns an undo. */
static void stop_at(struct passed *p, sqlite3_stmt *stmt)
{
    const char *operation = (const char *)sqlite3_column_text(stmt, 2);
    if (p->decision || !(p->decision = session_decision(operation)))
        return;
    p->decided = sqlite3_column_int64(stmt, 0);
    p->session = sqlite3_column_int64(stmt, 7);
}

/*
 * Undo passes over all that takes something back, and over what was taken back; what is left is the
 * next. Redo looks for an undo that stands, and an edit made since ends the search.
 */
static int look(struct next *n, sqlite3_stmt *stmt, struct error *e)
{
    int64_t one = sqlite3_column_int64(stmt, 0);
    bool takes_back = sqlite3_column_type(stmt, 1) != SQLITE_NULL;
    const char *operation = (const char *)sqlite3_column_text(stmt, 2);
    bool is_undo = takes_back && operation && strcmp(operation, "undo") == 0;
    if (sqlite3_column_type(stmt, 6) == SQLITE_NULL) {
        stop_at(&n->passed, stmt);
        return 0;
    }
    if (!sqlite3_column_int(stmt, 3))
        return pass_over(n, stmt, e);
    n->ended = n->redo && !takes_back;
    if (n->ended || (n->redo ? !is_undo : takes_back))
        return 0;
    int64_t undone = history_undone_by(n->r, one, e);
    if (undone == 0)
        n->seq = one;
    return undone < 0 ? -1 : 0;
}

static int find_next(struct next *n, const char *actor, struct error *e)
{
    struct db *db = reader_db(n->r);
    sqlite3_stmt *stmt = db_prepare(db, by_hand, e);
    int more = db_bind(db, stmt, e, "s", actor);
    while (more > 0 && n->seq == 0 && !n->ended)
        more = look(n, stmt, e) ? -1 : db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

/* The last thing where it is an import; *batch its correlation, in the arena. */
static int last_import(struct reader *r, struct arena *arena, const char *actor, int64_t *seq,
                       const char **batch, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(reader_db(r),
                                    "SELECT seq, operation, correlation FROM event WHERE actor = ?"
                                    " ORDER BY seq DESC LIMIT 1",
                                    e);
    int found = db_bind(reader_db(r), stmt, e, "s", actor);
    const char *operation = found > 0 ? (const char *)sqlite3_column_text(stmt, 1) : NULL;
    if (operation && strcmp(operation, "import") == 0) {
        *seq = sqlite3_column_int64(stmt, 0);
        *batch = db_text(arena, stmt, 2);
    }
    sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}

int history_last_import(struct reader *r, const char *actor, int64_t *seq, int64_t *count,
                        struct error *e)
{
    struct arena arena = ARENA_INIT;
    const char *batch = NULL;
    *seq = 0;
    *count = 1;
    if (reader_begin(r, e))
        return -1;
    int result = last_import(r, &arena, actor, seq, &batch, e);
    int64_t undone = result == 0 && *seq ? history_undone_by(r, *seq, e) : 0;
    if (undone < 0)
        result = -1;
    else if (undone > 0)
        *seq = 0;
    if (result == 0 && *seq && batch)
        result = db_int(reader_db(r), count, 1, e,
                        "SELECT count(*) FROM event WHERE correlation = ?", "s", batch);
    reader_end(r);
    arena_release(&arena);
    return result;
}

int history_to_undo(struct reader *r, struct arena *arena, const char *actor, bool redo,
                    int64_t **seqs, size_t *count, struct passed *passed, struct error *e)
{
    struct next n = {.r = r, .arena = arena, .redo = redo};
    *seqs = NULL;
    *count = 0;
    if (reader_begin(r, e))
        return -1;
    int result = find_next(&n, actor, e);
    if (!redo && n.passed.decision)
        n.passed.before = n.seq;
    else if (result == 0 && n.seq)
        result = history_batch(r, arena, n.seq, seqs, count, e);
    reader_end(r);
    if (passed)
        *passed = n.passed;
    return result;
}
