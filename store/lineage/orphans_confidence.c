/*
 * Confidence that changed without an entry in the history: it is not what the memory's own history ends with,
 * or, where there is none, not what the memory was made with, as the journal tells.
 */
#include "model/base/alloc.h"
#include "store/lineage/orphans_find.h"

#include <math.h>
#include <stdlib.h>
#include "model/json/json.h"
#include "store/journal/journal.h"

#define TOLERANCE 0.0005000001 /* a history is kept to three decimals */

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while looking for orphans");
}

/* What each confidence should be; NAN: nothing tells. */
struct expected {
    struct finder *f;
    double *of; /* [nodes] */
};

static bool differs(double a, double b)
{
    return fabs(a - b) > TOLERANCE;
}

/* ---- by its own history ---- */

static int expect_by_history(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT memory, new FROM history WHERE origin IS NULL"
                                    " AND new IS NOT NULL ORDER BY memory, position",
                                    e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        if (row >= 1 && row <= f->all->graph.nodes)
            x->of[row - 1] = db_double(stmt, 1);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

/* ---- by the journal ---- */

static bool patched(const struct event *event, double *confidence)
{
    struct json_slice value = {NULL, 0};
    if (event->patch && event->patch[0] == '{')
        value = json_member(event->patch, strlen(event->patch), "confidence");
    return value.ptr && json_double(value, confidence) == 0;
}

/* The state of before the oldest change of it since the memory was made; NAN: it is as it was made. */
static int made_with(struct finder *f, int64_t row, double *confidence, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct event *events;
    size_t count;
    *confidence = NAN;
    int result = journal_of(f->r, &arena, row, &events, &count, e);
    for (size_t i = count; result == 0 && i-- > 0;) {
        if (!events[i].before)
            break; /* it was added, perhaps again */
        double was;
        if (patched(&events[i], &was))
            *confidence = was;
    }
    arena_release(&arena);
    return result;
}

/* Those without a history whose events say that it changed. */
static int expect_by_journal(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT DISTINCT subject FROM event INDEXED BY event_confidence"
                                    " WHERE instr(patch, '\"confidence\":') > 0",
                                    e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    while (more > 0) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        if (row >= 1 && row <= f->all->graph.nodes && finder_lives(f, row) &&
            isnan(x->of[row - 1]) &&
            (reader_check(f->r, e) || made_with(f, row, &x->of[row - 1], e)))
            more = -1;
        else
            more = db_step(f->db, stmt, e);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

/* ---- beside what is stored ---- */

/* Leaves only what differs. */
static int compare(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT id, confidence FROM memory INDEXED BY memory_confidence"
                                    " WHERE status < 7",
                                    e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (int64_t seen = 0; more > 0; more = db_step(f->db, stmt, e)) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        if (READER_TELLS(++seen) == 0)
            reader_progress(f->r, seen, f->all->graph.nodes);
        if (row >= 1 && row <= f->all->graph.nodes && !isnan(x->of[row - 1]) &&
            !differs(db_double(stmt, 1), x->of[row - 1]))
            x->of[row - 1] = NAN;
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

static int give_all(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    for (uint32_t node = 0; node < f->all->graph.nodes && !f->stopped; node++) {
        char value[32];
        if (isnan(x->of[node]) || !graph_lives(&f->all->graph, node))
            continue;
        snprintf(value, sizeof(value), "%.12g", x->of[node]);
        if (reader_check(f->r, e) ||
            finder_give(f, PROBLEM_UNEXPLAINED, (int64_t)node + 1, "confidence", value, e))
            return -1;
    }
    return 0;
}

int find_unexplained(struct finder *f, struct error *e)
{
    struct expected x = {f, xcalloc((size_t)f->all->graph.nodes + 1, sizeof(double))};
    if (!x.of)
        return out_of_memory(e);
    for (uint32_t node = 0; node < f->all->graph.nodes; node++)
        x.of[node] = NAN;
    int result =
        expect_by_history(&x, e) || expect_by_journal(&x, e) || compare(&x, e) || give_all(&x, e)
            ? -1
            : 0;
    free(x.of);
    return result;
}
