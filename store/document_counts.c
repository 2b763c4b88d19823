/* How many rest on a document, and which beliefs. */
#include "document.h"

#include <stdlib.h>
#include "chain.h"
#include "reader.h"
#include "subgraph.h"

static int nature(struct reader *r, int64_t row, int64_t *kind, int64_t *status, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, "SELECT kind, status FROM memory WHERE id = ?", e);
    int found = stmt ? db_bind(db, stmt, e, "i", row) : -1;
    if (found < 0)
        return -1;
    *kind = found ? sqlite3_column_int64(stmt, 0) : -1;
    *status = found ? sqlite3_column_int64(stmt, 1) : STATUS_MISSING;
    sqlite3_reset(stmt);
    return 0;
}

static int by_row(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The chains of the steps: those that are not finished rest on none of them yet. */
static int count_chains(struct reader *r, int64_t *steps, size_t count, int64_t *chains,
                        struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if ((steps[i] = chain_of_step(r, steps[i], e)) < 0)
            return -1;
    if (count)
        qsort(steps, count, sizeof(*steps), by_row);
    for (size_t i = 0; i < count; i++)
        *chains += steps[i] > 0 && (i == 0 || steps[i] != steps[i - 1]);
    return 0;
}

static int count_kinds(struct reader *r, const struct dependants *d, int64_t *steps,
                       struct document_counts *out, struct error *e)
{
    int64_t kind, status;
    size_t step_count = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (nature(r, d->row[i], &kind, &status, e))
            return -1;
        if (kind == KIND_BELIEF)
            out->beliefs++;
        else if (i >= d->direct)
            continue;
        else if (kind == KIND_STEP)
            steps[step_count++] = d->row[i];
        else if (kind == KIND_CITATION)
            out->citations++;
        else
            out->others++;
    }
    out->steps = (int64_t)step_count;
    return count_chains(r, steps, step_count, &out->chains, e);
}

static int count(struct reader *r, int64_t document, size_t most, struct document_counts *out,
                 struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct dependants d;
    if (dependants_find(r, document, most, &d, e))
        return -1;
    int64_t *steps = arena_array(&arena, d.direct + 1, sizeof(*steps));
    out->bounded = d.more;
    int result = steps ? count_kinds(r, &d, steps, out, e)
                       : error_set(e, ERROR_MEMORY, "", "memory ran out while counting");
    free(d.row);
    arena_release(&arena);
    return result;
}

int document_count(struct reader *r, int64_t document, size_t most, struct document_counts *out,
                   struct error *e)
{
    *out = (struct document_counts){0};
    if (reader_begin(r, e))
        return -1;
    int result = count(r, document, most, out, e);
    reader_end(r);
    return result;
}

/* ---- beliefs ---- */

static int find_beliefs(struct reader *r, struct dependants *d, struct error *e)
{
    int64_t kind, status;
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (nature(r, d->row[i], &kind, &status, e))
            return -1;
        if (kind == KIND_BELIEF && STATUS_LIVES(status))
            d->row[kept++] = d->row[i];
    }
    d->count = kept;
    if (kept)
        qsort(d->row, kept, sizeof(*d->row), by_row);
    return 0;
}

static int keep_newest(struct arena *arena, const struct dependants *d, size_t limit, int64_t **out,
                       size_t *count, bool *more, struct error *e)
{
    *count = d->count < limit ? d->count : limit;
    *more = d->count > limit;
    *out = arena_array(arena, *count + 1, sizeof(**out));
    if (!*out)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = d->row[d->count - 1 - i];
    return 0;
}

int document_beliefs(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                     int64_t **out, size_t *count, bool *more, struct error *e)
{
    struct dependants d;
    *out = NULL;
    *count = 0;
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int result = dependants_find(r, document, 0, &d, e);
    if (!result) {
        result = find_beliefs(r, &d, e) || keep_newest(arena, &d, limit, out, count, more, e);
        free(d.row);
    }
    reader_end(r);
    return result ? -1 : 0;
}
