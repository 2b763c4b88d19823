/* Which rows belong to a chain, and whether somebody goes on with it. */
#include "store/reasoning/chain_rows.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/record/index_tables.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/db/reader.h"
#include "store/reasoning/reasoning_given.h"
#include "model/base/hints.h"
#include "store/session/session.h"

/* ---- rows ---- */

struct rows {
    int64_t *row;
    size_t count, alloc;
};

static void add_row(struct rows *rows, int64_t row)
{
    *ARRAY_ADD(rows->row, rows->count, rows->alloc) = row;
}

static int compare_rows(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort_rows(struct rows *rows)
{
    size_t kept = 0;
    if (rows->count)
        qsort(rows->row, rows->count, sizeof(*rows->row), compare_rows);
    for (size_t i = 0; i < rows->count; i++)
        if (kept == 0 || rows->row[kept - 1] != rows->row[i])
            rows->row[kept++] = rows->row[i];
    rows->count = kept;
}

/* The first column of what the statement gives for a row. */
static int read_rows(struct db *db, const char *sql, int64_t of, struct rows *rows, struct error *e)
{
    struct query found = db_query(db, e, sql, "i", of);
    while (db_next(&found)) {
        add_row(rows, sqlite3_column_int64(found.stmt, 0));
    }
    return db_end(&found);
}

static int kind_of(struct db *db, int64_t row, int64_t *kind, struct error *e)
{
    return db_int(db, kind, -1, e, "SELECT kind FROM memory WHERE id = ?", "i", row);
}

/* Those of them that are steps: anything may be part of a chain. */
static int keep_steps(struct db *db, struct rows *rows, struct error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        int64_t kind;
        if (kind_of(db, rows->row[i], &kind, e))
            return -1;
        if (kind == KIND_STEP)
            rows->row[kept++] = rows->row[i];
    }
    rows->count = kept;
    return 0;
}

/* Roles and relations by their numbers in shapes: 4 is step, 21 part_of. */
static int find_steps(struct db *db, int64_t chain, struct rows *rows, struct error *e)
{
    static const char parts[] = "SELECT memory FROM link INDEXED BY link_target WHERE target = ?"
                                " AND shape & 31 = 21";
    static const char rested_on[] = "SELECT target FROM link WHERE memory = ?"
                                    " AND shape & 31 = 4 AND target IS NOT NULL";
    if (read_rows(db, parts, chain, rows, e) || read_rows(db, rested_on, chain, rows, e))
        return -1;
    sort_rows(rows);
    return keep_steps(db, rows, e);
}

int chain_step_rows(struct reader *r, struct arena *arena, int64_t chain, int64_t **out,
                    size_t *count, struct error *e)
{
    struct rows rows = {.row = NULL};
    int result = find_steps(reader_db(r), chain, &rows, e);
    *out = NULL;
    *count = 0;
    if (result == 0) {
        *out = arena_array(arena, rows.count + 1, sizeof(**out));
        result = 0;
    }
    if (*out && rows.count)
        memcpy(*out, rows.row, rows.count * sizeof(**out));
    *count = result == 0 ? rows.count : 0;
    free(rows.row);
    return result;
}

/* ---- the chain of a step ---- */

static int64_t first_chain(struct db *db, const char *sql, int64_t step, struct error *e)
{
    struct rows rows = {.row = NULL};
    int64_t found = read_rows(db, sql, step, &rows, e) ? -1 : 0, kind;
    for (size_t i = 0; i < rows.count && found == 0; i++)
        if (kind_of(db, rows.row[i], &kind, e))
            found = -1;
        else if (kind == KIND_CHAIN)
            found = rows.row[i];
    free(rows.row);
    return found;
}

int64_t chain_of_step(struct reader *r, int64_t step, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t found = first_chain(db,
                                "SELECT target FROM link WHERE memory = ? AND shape & 31 = 21"
                                " ORDER BY number",
                                step, e);
    if (found)
        return found;
    return first_chain(db,
                       "SELECT memory FROM link INDEXED BY link_target WHERE target = ?"
                       " AND shape & 31 = 4 ORDER BY memory",
                       step, e);
}

int64_t chain_row(struct reader *r, int64_t node, struct error *e)
{
    int64_t kind, chain = node;
    if (kind_of(reader_db(r), node, &kind, e))
        return -1;
    if (kind == KIND_STEP)
        chain = chain_of_step(r, node, e);
    else if (kind != KIND_CHAIN)
        chain = 0;
    return chain ? chain
                 : error_set(e, ERROR_NOT_FOUND, REMEDY_CHAINS,
                             kind == KIND_STEP ? "the step is part of no chain"
                                               : "it is no chain of thought, and no step of one");
}

/* ---- its state ---- */

/* The session that wrote of it last: of what was added last, the first event. 0: none. */
static int find_session(struct db *db, int64_t last, int64_t *session, struct error *e)
{
    return db_int(db, session, 0, e,
                  "SELECT coalesce(session, 0) FROM event WHERE subject = ? ORDER BY seq LIMIT 1",
                  "i", last);
}

/* Is it there? As of a moment: was it then? */
static int session_lives(struct reader *r, int64_t session, bool *lives, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct session_row row;
    int64_t moment = reader_past(r), then = 0;
    int result = session_read(r, &arena, session, &row, e);
    if (result && e->code == ERROR_NOT_FOUND)
        result = 0, *lives = false;
    else if (result == 0)
        *lives = row.lives;
    if (result == 0 && moment > 0 && !*lives && row.ended_at) {
        result = past_moment_time(r, moment, &then, e);
        *lives = result == 0 && row.ended_at > then;
    }
    arena_release(&arena);
    return result;
}

int chain_state_of(struct reader *r, int64_t chain, const int64_t *steps, size_t count,
                   bool answered, enum chain_state *out, struct error *e)
{
    int64_t last = chain, session = 0;
    bool lives = false;
    *out = answered ? CHAIN_FINISHED : CHAIN_ABANDONED;
    if (answered)
        return 0;
    for (size_t i = 0; i < count; i++)
        last = steps[i] > last ? steps[i] : last;
    if (find_session(reader_db(r), last, &session, e) ||
        (session > 0 && session_lives(r, session, &lives, e)))
        return -1;
    if (lives)
        *out = CHAIN_RUNNING;
    return 0;
}

/* ---- in brief ---- */

/* Documents that steps rest on, each once. ROLE_SOURCE is 3. */
static int count_documents(struct db *db, const int64_t *steps, size_t count, size_t *out,
                           struct error *e)
{
    static const char sql[] =
        "SELECT target FROM link WHERE memory = ? AND shape & 31 = 3 AND target IS NOT NULL";
    struct rows rows = {.row = NULL};
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result = read_rows(db, sql, steps[i], &rows, e);
    sort_rows(&rows);
    *out = rows.count;
    free(rows.row);
    return result;
}

static int read_detail(struct reader *r, struct arena *arena, int64_t node,
                       struct chain_detail *out, struct error *e)
{
    struct query row =
        db_query(reader_db(r), e, "SELECT detail FROM memory WHERE id = ?", "i", node);
    const char *detail = db_next(&row) ? db_text(arena, row.stmt, 0) : NULL;
    chain_detail_read(detail, arena, out);
    return db_end(&row);
}

/* Within a string its quotes would be escaped, so that it is found where it is a member alone. */
static int read_confidence(struct db *db, enum kind kind, int64_t row, double *confidence,
                           int64_t *status, struct error *e)
{
    struct query q = db_query(
        db, e,
        "SELECT confidence, status, coalesce(instr(detail, '\"confidence_unstated\":true'), 0) > 0"
        " FROM memory WHERE id = ?",
        "i", row);
    bool found = db_next(&q);
    *confidence =
        found ? reasoning_stated(kind, sqlite3_column_int(q.stmt, 2) != 0, db_double(q.stmt, 0))
              : NAN;
    *status = found ? sqlite3_column_int64(q.stmt, 1) : STATUS_MISSING;
    return db_end(&q);
}

/* The chain's own, or the mean of those steps that live. */
static int find_confidence(struct db *db, int64_t chain, const int64_t *steps, size_t count,
                           struct chain_brief *out, struct error *e)
{
    int64_t status;
    double sum = 0, one;
    size_t living = 0;
    if (out->state == CHAIN_FINISHED)
        return read_confidence(db, KIND_CHAIN, chain, &out->confidence, &status, e);
    for (size_t i = 0; i < count; i++) {
        if (read_confidence(db, KIND_STEP, steps[i], &one, &status, e))
            return -1;
        if (!STATUS_LIVES(status) || one != one)
            continue;
        sum += one;
        living++;
    }
    out->confidence = living ? sum / (double)living : NAN;
    return 0;
}

static int read_brief(struct reader *r, struct arena *arena, int64_t node, struct chain_brief *out,
                      struct error *e)
{
    struct chain_detail detail;
    int64_t *steps;
    size_t count;
    if (read_detail(r, arena, node, &detail, e) ||
        chain_step_rows(r, arena, node, &steps, &count, e) ||
        count_documents(reader_db(r), steps, count, &out->sources, e) ||
        chain_state_of(r, node, steps, count, detail.answer != NULL, &out->state, e) ||
        find_confidence(reader_db(r), node, steps, count, out, e))
        return -1;
    out->steps = count;
    out->total_time = detail.total_time;
    out->answer = detail.answer;
    out->strategy = detail.strategy;
    const char **const shown[] = {&out->answer, &out->strategy};
    guard_mask_texts(r, arena, shown, 2);
    return 0;
}

int chain_brief_read(struct reader *r, struct arena *arena, int64_t node, struct chain_brief *out,
                     struct error *e)
{
    *out = (struct chain_brief){.total_time = NAN, .confidence = NAN};
    if (reader_begin(r, e))
        return -1;
    int64_t chain = chain_row(r, node, e);
    int result = chain < 0 ? -1 : read_brief(r, arena, chain, out, e);
    reader_end(r);
    return result;
}

/* ---- on the same question ---- */

static int find_same(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                     int64_t **out, size_t *count, struct error *e)
{
    struct memory m;
    if (guard_read_bare(r, arena, node, &m, e))
        return -1;
    return found_by_rows(reader_db(r), arena, FOUND_BY_QUESTION, m.text ? m.text : "", NULL,
                         INT64_MAX, limit < SIZE_MAX ? limit + 1 : limit, out, count, e);
}

int chains_on_question(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                       int64_t **out, size_t *count, bool *more, struct error *e)
{
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int64_t chain = chain_row(r, node, e);
    int result = chain < 0 ? -1 : find_same(r, arena, chain, limit, out, count, e);
    reader_end(r);
    if (result == 0 && *count > limit) {
        *count = limit;
        *more = true;
    }
    return result;
}
