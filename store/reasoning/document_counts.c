/* How many rest on a document, and which beliefs. */
#include "store/reasoning/document.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "store/reasoning/chain.h"
#include "store/lineage/links.h"
#include "store/db/reader.h"

static int by_row(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* ---- how many ---- */

struct counting {
    struct reader *reader;
    struct row_index met; /* in the order in which they were met, the document first */
    int64_t *steps;       /* [out->steps] that use it themselves */
    size_t alloc;
    size_t most;
    struct document_counts *out;
    struct error *e;
};

static void count_step(struct counting *c, int64_t row)
{
    void *list = c->steps;
    array_grow(&list, &c->alloc, (size_t)c->out->steps, sizeof(*c->steps));
    c->steps = list;
    c->steps[c->out->steps++] = row;
}

static int count_one(struct counting *c, int64_t row, enum kind kind, bool direct)
{
    size_t before = c->met.count;
    if (before > c->most) {
        c->out->bounded = true;
        return 0;
    }
    row_index_add(&c->met, row);
    if (c->met.count == before)
        return 0;
    if (kind == KIND_BELIEF)
        c->out->beliefs++;
    else if (direct && kind == KIND_STEP) {
        count_step(c, row);
        return 0;
    } else if (direct && kind == KIND_CITATION)
        c->out->citations++;
    else if (direct)
        c->out->others++;
    return 0;
}

/* Those that rest on it themselves; no more of them are read than are counted. */
static int count_users(struct counting *c, int64_t row, bool direct)
{
    static const char sql[] =
        "SELECT l.memory, m.kind FROM link l INDEXED BY link_target CROSS JOIN memory m"
        " ON m.id = l.memory WHERE l.target = ? AND l.shape & 31 < ? ORDER BY l.memory LIMIT ?";
    struct db *db = reader_db(c->reader);
    sqlite3_stmt *stmt = db_prepare(db, sql, c->e);
    int more = db_bind(db, stmt, c->e, "iii", row, (int64_t)ROLE_SUPPORT_COUNT,
                       c->most < INT64_MAX - 2 ? (int64_t)c->most + 2 : INT64_MAX);
    for (; more > 0; more = db_step(db, stmt, c->e))
        if (count_one(c, sqlite3_column_int64(stmt, 0), (enum kind)sqlite3_column_int(stmt, 1),
                      direct)) {
            more = -1;
            break;
        }
    sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

/* The chains of the steps: those that are not finished rest on none of them yet. */
static int count_chains(struct counting *c)
{
    size_t count = (size_t)c->out->steps;
    for (size_t i = 0; i < count; i++)
        if ((c->steps[i] = chain_of_step(c->reader, c->steps[i], c->e)) < 0)
            return -1;
    if (count)
        qsort(c->steps, count, sizeof(*c->steps), by_row);
    for (size_t i = 0; i < count; i++)
        c->out->chains += c->steps[i] > 0 && (i == 0 || c->steps[i] != c->steps[i - 1]);
    return 0;
}

static int count_all(struct counting *c, int64_t document)
{
    row_index_add(&c->met, document);
    for (size_t i = 0; i < c->met.count && !c->out->bounded; i++)
        if (reader_check(c->reader, c->e) || count_users(c, c->met.row[i], i == 0))
            return -1;
    return count_chains(c);
}

int document_count(struct reader *r, int64_t document, size_t most, struct document_counts *out,
                   struct error *e)
{
    struct counting c = {.reader = r, .met = ROW_INDEX_INIT, .most = most, .out = out, .e = e};
    *out = (struct document_counts){0};
    if (reader_begin(r, e))
        return -1;
    int result = count_all(&c, document);
    reader_end(r);
    row_index_release(&c.met);
    free(c.steps);
    return result;
}

/* ---- beliefs ---- */

#define ROW_STEPS 4 /* of SQLite's machine, that a row of a walk counts as */

struct descent {
    struct reader *reader;
    struct links links;
    struct row_index met; /* in the order in which they were met, the document first */
    int64_t *beliefs;
    size_t count, alloc;
    struct error *e;
};

static void add_belief(struct descent *d, int64_t row)
{
    void *list = d->beliefs;
    array_grow(&list, &d->alloc, d->count, sizeof(*d->beliefs));
    d->beliefs = list;
    d->beliefs[d->count++] = row;
}

/* What rests on a dead one alone does not rest on the document now. */
static int meet(struct descent *d, int64_t row)
{
    enum kind kind;
    enum status status;
    size_t before = d->met.count;
    if (links_nature(d->reader, row, &kind, &status, d->e))
        return -1;
    if (!STATUS_LIVES(status))
        return 0;
    row_index_add(&d->met, row);
    if (d->met.count > before && kind == KIND_BELIEF)
        add_belief(d, row);
    return 0;
}

static int descend(struct descent *d, int64_t document)
{
    row_index_add(&d->met, document);
    for (size_t i = 0; i < d->met.count; i++) {
        if (reader_spend(d->reader, ROW_STEPS, d->e) ||
            links_users(&d->links, d->reader, d->met.row[i], SIZE_MAX, d->e))
            return -1;
        for (size_t k = 0; k < d->links.rows; k++)
            if (meet(d, d->links.row[k]))
                return -1;
    }
    return 0;
}

static void keep_newest(struct descent *d, struct arena *arena, size_t limit, int64_t **out,
                        size_t *count, bool *more)
{
    if (d->count)
        qsort(d->beliefs, d->count, sizeof(*d->beliefs), by_row);
    *count = d->count < limit ? d->count : limit;
    *more = d->count > limit;
    *out = arena_array(arena, *count + 1, sizeof(**out));
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = d->beliefs[d->count - 1 - i];
}

int document_beliefs(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                     int64_t **out, size_t *count, bool *more, struct error *e)
{
    struct descent d = {.reader = r, .met = ROW_INDEX_INIT, .e = e};
    *out = NULL;
    *count = 0;
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int result = descend(&d, document);
    links_release(&d.links);
    reader_end(r);
    if (!result)
        keep_newest(&d, arena, limit, out, count, more);
    row_index_release(&d.met);
    free(d.beliefs);
    return result;
}
