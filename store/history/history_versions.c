/* The memories that replaced each other, oldest first, and a memory at one of its versions. */
#include "store/history/history.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/format/exchange.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"

/*
 * The chain of a memory's versions: all that the relation supersedes connects with it, found
 * breadth-first both ways and put in order by taking away, each time, the oldest of those whose
 * predecessors are all gone (Kahn 1962). What the reader's caller does not see whole connects nothing.
 */

struct version {
    int64_t row, made;     /* made: INT64_MIN of one that is missing */
    uint32_t first, count; /* of `later`: the versions that supersede it */
    uint32_t before;       /* how many that it supersedes are not in the order yet */
    bool placed;
};

struct versions {
    struct reader *reader;
    struct error *e;
    struct version *list; /* in the order in which they were met */
    size_t count, alloc;
    struct row_index rows; /* the place of each in the list */
    uint32_t *later;       /* versions, grouped by what they supersede */
    size_t later_count, later_alloc;
};

/* ---- who belongs to it ---- */

static uint32_t meet(struct versions *v, int64_t row)
{
    size_t at = row_index_add(&v->rows, row);
    if (at == v->count) {
        *ARRAY_ADD(v->list, v->count, v->alloc) = (struct version){.row = row};
    }
    return (uint32_t)at;
}

/* Meets that row as well, where it is seen; `later`: it supersedes the version `at`. */
static int meet_another(struct versions *v, int64_t row, uint32_t at, bool later)
{
    uint32_t other = 0;
    enum visibility visibility;
    if (guard_visibility(v->reader, row, &visibility, v->e))
        return -1;
    if (visibility != VISIBLE_WHOLE)
        return 0;
    other = meet(v, row);
    if (!later)
        return 0;
    *ARRAY_ADD(v->later, v->later_count, v->later_alloc) = other;
    v->list[at].count++;
    return 0;
}

/* Meets what the statement names; `later`: they supersede the version `at`. */
static int meet_rows(struct versions *v, const char *sql, uint32_t at, bool later)
{
    struct db *db = reader_db(v->reader);
    struct query rows =
        db_query(db, v->e, sql, "ii", v->list[at].row, (int64_t)RELATION_SUPERSEDES);
    while (db_next(&rows))
        if (meet_another(v, sqlite3_column_int64(rows.stmt, 0), at, later))
            return db_fail(&rows);
    return db_end(&rows);
}

static int read_made(struct versions *v, struct version *one)
{
    return db_int(reader_db(v->reader), &one->made, INT64_MIN, v->e,
                  "SELECT coalesce(created_at, -9223372036854775807 - 1) FROM memory WHERE id = ?",
                  "i", one->row);
}

static int meet_all(struct versions *v, int64_t node)
{
    uint32_t at;
    meet(v, node);
    for (at = 0; at < v->count; at++) {
        if (at % 1024 == 0 && reader_check(v->reader, v->e))
            return -1;
        if (read_made(v, &v->list[at]) ||
            meet_rows(v,
                      "SELECT DISTINCT target FROM link WHERE memory = ?1 AND shape & 31 = ?2"
                      " AND target <> ?1",
                      at, false))
            return -1;
        v->list[at].first = (uint32_t)v->later_count;
        if (meet_rows(v,
                      "SELECT DISTINCT memory FROM link WHERE target = ?1 AND shape & 31 = ?2"
                      " AND memory <> ?1",
                      at, true))
            return -1;
    }
    return 0;
}

/* ---- in which order ---- */

static bool is_older(const struct version *a, const struct version *b)
{
    return a->made != b->made ? a->made < b->made : a->row < b->row;
}

static int compare_age(const void *a, const void *b)
{
    const struct version *x = *(struct version *const *)a, *y = *(struct version *const *)b;
    return is_older(y, x) - is_older(x, y);
}

/* The oldest that may stand next: `first` is the place in `by_age` before which all are in the order. Where nothing is left
 * but circles the oldest of them begins. */
static struct version *choose(struct version *const *by_age, size_t count, size_t *first)
{
    while (by_age[*first]->placed)
        ++*first;
    for (size_t i = *first; i < count; i++)
        if (!by_age[i]->placed && by_age[i]->before == 0)
            return by_age[i];
    return by_age[*first];
}

/* O(versions) where each was made after those that it supersedes, as nearly all are. */
static void order(struct versions *v, struct arena *arena, int64_t **rows)
{
    struct version **by_age = xcalloc(v->count + 1, sizeof(*by_age));
    size_t first = 0;
    *rows = arena_array(arena, v->count, sizeof(**rows));
    for (size_t i = 0; i < v->count; i++)
        by_age[i] = &v->list[i];
    qsort(by_age, v->count, sizeof(struct version *), compare_age);
    for (size_t i = 0; i < v->later_count; i++)
        v->list[v->later[i]].before++;
    for (size_t count = 0; count < v->count; count++) {
        struct version *one = choose(by_age, v->count, &first);
        one->placed = true;
        (*rows)[count] = one->row;
        for (uint32_t i = one->first; i < one->first + one->count; i++)
            v->list[v->later[i]].before--;
    }
    free(by_age);
}

int history_versions(struct reader *r, struct arena *arena, int64_t node, int64_t **rows,
                     size_t *count, struct error *e)
{
    struct versions v = {.reader = r, .e = e};
    *rows = NULL;
    *count = 0;
    int result = reader_begin(r, e) ? -1 : reader_done(r, meet_all(&v, node));
    if (result == 0) {
        order(&v, arena, rows);
        *count = v.count;
    }
    free(v.list);
    row_index_release(&v.rows);
    free(v.later);
    return result;
}

/* ---- one of the versions ---- */

struct looking {
    struct reader *reader;
    struct arena states; /* of the change that is looked at */
    int64_t version;
    struct strbuf *out;
    struct error *e;
    bool found;
};

static int look(void *arg, const struct revision *revision)
{
    struct looking *l = arg;
    struct revision told = *revision;
    bool is_told;
    arena_clear(&l->states);
    if (guard_revision(l->reader, &l->states, &told, &is_told, l->e) || !is_told)
        return 1;
    const struct memory *m = told.after;
    if (!m || m->version > l->version)
        return 0;
    l->found = m->version == l->version && m->status != STATUS_PURGED;
    if (l->found)
        exchange_write(l->out, m, NULL);
    return 1;
}

int version_form(struct reader *r, int64_t node, int64_t version, struct strbuf *out,
                 struct error *e)
{
    struct looking l = {.reader = r, .states = ARENA_INIT, .version = version, .out = out, .e = e};
    e->code = ERROR_NONE;
    int result = history_walk(r, node, look, &l, e);
    arena_release(&l.states);
    if (result || e->code != ERROR_NONE)
        return -1;
    return l.found;
}

int version_both(struct reader *r, struct arena *arena, int64_t node, int64_t expected,
                 struct strbuf *out, struct error *e)
{
    struct memory m;
    strbuf_addstr(out, "\"expected\":");
    int found = version_form(r, node, expected, out, e);
    if (found < 0 || memory_read(r, arena, node, &m, e) || guard_memory(r, arena, &m, e))
        return -1;
    strbuf_addstr(out, found ? ",\"present\":" : "null,\"present\":");
    exchange_write(out, &m, NULL);
    return 0;
}
