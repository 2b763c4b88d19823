/* Times that cannot be right, of memories and of what attributions log. */
#include "store/lineage/orphans_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/json/json.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while looking for orphans");
}

struct suspect {
    int64_t row, ms;
    const char *field;
};

struct suspects {
    struct suspect *suspect;
    size_t count, alloc;
};

static int keep_suspect(struct suspects *s, int64_t row, const char *field, int64_t ms,
                        struct error *e)
{
    if (!array_grow((void **)&s->suspect, &s->alloc, s->count, sizeof(*s->suspect)))
        return out_of_memory(e);
    s->suspect[s->count++] = (struct suspect){row, ms, field};
    return 0;
}

/* `sql` gives rows and times of living memories of a kind, beyond a bound. */
static int scan_times(struct finder *f, struct suspects *s, const char *sql, enum kind kind,
                      int64_t bound, const char *field, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(f->db, sql, e);
    int more = stmt ? db_bind(f->db, stmt, e, "ii", (int64_t)kind, bound) : -1;
    while (more > 0) {
        int64_t row = sqlite3_column_int64(stmt, 0), ms = sqlite3_column_int64(stmt, 1);
        bool suspect = clock_is_suspect(ms, f->now);
        more = suspect && keep_suspect(s, row, field, ms, e) ? -1 : db_step(f->db, stmt, e);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

/* An attribution's own time, where its detail is an object that has a number there. */
static int keep_retrieval(struct finder *f, struct suspects *s, int64_t row, const char *detail,
                          struct error *e)
{
    static const char field[] = "retrieval_timestamp";
    struct error ignored;
    size_t len = strlen(detail);
    if (detail[0] != '{' || json_check(detail, len, JSON_DEPTH_MAX, &ignored))
        return 0;
    struct json_slice value = json_member(detail, len, field);
    if (!value.ptr || !strchr("-0123456789", value.ptr[0]))
        return 0;
    double given = strtod(value.ptr, NULL);
    int64_t ms = fabs(given) < 1e18 ? (int64_t)given : INT64_MAX / 2;
    return clock_retrieval_is_suspect(ms, f->now) ? keep_suspect(s, row, field, ms, e) : 0;
}

static int scan_retrievals(struct finder *f, struct suspects *s, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT id, detail FROM memory INDEXED BY memory_created"
                                    " WHERE status < 7 AND status < 3 AND kind = ?"
                                    " AND detail IS NOT NULL",
                                    e);
    int more = stmt ? db_bind(f->db, stmt, e, "i", (int64_t)KIND_ATTRIBUTION) : -1;
    while (more > 0) {
        const char *detail = (const char *)sqlite3_column_text(stmt, 1);
        more = reader_check(f->r, e) ||
                       (detail && keep_retrieval(f, s, sqlite3_column_int64(stmt, 0), detail, e))
                   ? -1
                   : db_step(f->db, stmt, e);
    }
    sqlite3_reset(stmt);
    return more;
}

static int by_row(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return strcmp(x->field, y->field);
}

static int give_suspects(struct finder *f, struct suspects *s, struct error *e)
{
    if (s->count)
        qsort(s->suspect, s->count, sizeof(*s->suspect), by_row);
    for (size_t i = 0; i < s->count && !f->stopped; i++) {
        char value[24];
        snprintf(value, sizeof(value), "%lld", (long long)s->suspect[i].ms);
        if (finder_give(f, PROBLEM_SUSPECT_TIME, s->suspect[i].row, s->suspect[i].field, value, e))
            return -1;
    }
    return 0;
}

/* By the indexes that lists are ordered by, so that only what is suspect is looked at. */
static int scan_kind(struct finder *f, struct suspects *s, enum kind kind, struct error *e)
{
#define BEYOND(column, how)                                                                        \
    "SELECT id, " column "_at FROM memory INDEXED BY memory_" column                               \
    " WHERE status < 7 AND status < 3 AND kind = ? AND " column "_at " how " ?"
    int64_t latest = f->now + CLOCK_DAY;
    return scan_times(f, s, BEYOND("created", "<"), kind, CLOCK_EARLIEST, "created_at", e) ||
                   scan_times(f, s, BEYOND("created", ">"), kind, latest, "created_at", e) ||
                   scan_times(f, s, BEYOND("updated", "<"), kind, CLOCK_EARLIEST, "updated_at",
                              e) ||
                   scan_times(f, s, BEYOND("updated", ">"), kind, latest, "updated_at", e)
               ? -1
               : 0;
#undef BEYOND
}

int find_suspect_times(struct finder *f, struct error *e)
{
    struct suspects s = {0};
    int result = 0;
    for (int kind = 0; kind < KIND_COUNT && result == 0; kind++)
        result = reader_check(f->r, e) || scan_kind(f, &s, (enum kind)kind, e) ? -1 : 0;
    if (result == 0)
        result = scan_retrievals(f, &s, e) || give_suspects(f, &s, e) ? -1 : 0;
    free(s.suspect);
    return result;
}
