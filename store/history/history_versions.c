/* The memories that superseded each other, oldest first, and a memory at one of its versions. */
#include "store/history/history.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/format/memory_json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"

/*
 * Finds all memories that the relation supersedes connects, breadth-first in both directions, and
 * sorts them topologically (Kahn 1962), the oldest first among those that are free. Memories that
 * the reader's caller does not see whole do not connect.
 */

struct version {
    int64_t row, made;     /* made is INT64_MIN for a stub */
    uint32_t first, count; /* range of `later`: the versions that supersede it */
    uint32_t before;       /* number of versions it supersedes that are not placed yet */
    bool placed;
};

struct versions {
    struct reader *reader;
    struct error *e;
    struct version *list; /* in the order of discovery */
    size_t count, alloc;
    struct row_index rows; /* index of each row in `list` */
    uint32_t *later;       /* indexes of versions, grouped by the version they supersede */
    size_t later_count, later_alloc;
};

/* ---- finding the members ---- */

static uint32_t add_version(struct versions *v, int64_t row)
{
    size_t at = row_index_add(&v->rows, row);
    if (at == v->count) {
        *ARRAY_ADD(v->list, v->count, v->alloc) = (struct version){.row = row};
    }
    return (uint32_t)at;
}

/* Adds a row if it is visible. `later`: it supersedes version `at`. */
static int add_visible(struct versions *v, int64_t row, uint32_t at, bool later)
{
    uint32_t other = 0;
    enum visibility visibility;
    if (guard_visibility(v->reader, row, &visibility, v->e))
        return -1;
    if (visibility != VISIBLE_WHOLE)
        return 0;
    other = add_version(v, row);
    if (!later)
        return 0;
    *ARRAY_ADD(v->later, v->later_count, v->later_alloc) = other;
    v->list[at].count++;
    return 0;
}

/* Adds the rows of a statement. `later`: they supersede version `at`. */
static int add_rows(struct versions *v, const char *sql, uint32_t at, bool later)
{
    struct db *db = reader_db(v->reader);
    struct query rows =
        db_query(db, v->e, sql, "ii", v->list[at].row, (int64_t)RELATION_SUPERSEDES);
    while (db_next(&rows))
        if (add_visible(v, sqlite3_column_int64(rows.stmt, 0), at, later))
            return db_fail(&rows);
    return db_end(&rows);
}

static int find_members(struct versions *v, int64_t node)
{
    uint32_t at;
    add_version(v, node);
    for (at = 0; at < v->count; at++) {
        if (at % 1024 == 0 && reader_check(v->reader, v->e))
            return -1;
        if (db_int(reader_db(v->reader), &v->list[at].made, INT64_MIN, v->e,
                   "SELECT coalesce(created_at, -9223372036854775807 - 1) FROM memory WHERE id = ?",
                   "i", v->list[at].row) ||
            add_rows(v,
                     "SELECT DISTINCT target FROM link WHERE memory = ?1 AND shape & 31 = ?2"
                     " AND target <> ?1",
                     at, false))
            return -1;
        v->list[at].first = (uint32_t)v->later_count;
        if (add_rows(v,
                     "SELECT DISTINCT memory FROM link WHERE target = ?1 AND shape & 31 = ?2"
                     " AND memory <> ?1",
                     at, true))
            return -1;
    }
    return 0;
}

/* ---- sorting ---- */

static bool is_older(const struct version *a, const struct version *b)
{
    return a->made != b->made ? a->made < b->made : a->row < b->row;
}

static int compare_age(const void *a, const void *b)
{
    const struct version *x = *(struct version *const *)a, *y = *(struct version *const *)b;
    return is_older(y, x) - is_older(x, y);
}

/*
 * Returns the oldest version that is free. All before by_age[*first] are placed. If only cycles are
 * left, the oldest version breaks one.
 */
static struct version *choose(struct version *const *by_age, size_t count, size_t *first)
{
    while (by_age[*first]->placed)
        ++*first;
    for (size_t i = *first; i < count; i++)
        if (!by_age[i]->placed && by_age[i]->before == 0)
            return by_age[i];
    return by_age[*first];
}

/* O(versions) if each was made after those it supersedes, as is usual. */
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
    int result = reader_begin(r, e) ? -1 : reader_done(r, find_members(&v, node));
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

struct search {
    struct reader *reader;
    struct arena states; /* states of the current revision */
    int64_t version;
    struct strbuf *out;
    struct error *e;
    bool found;
};

static int match_version(void *arg, const struct revision *revision)
{
    struct search *l = arg;
    struct revision shown = *revision;
    bool visible;
    arena_clear(&l->states);
    if (guard_revision(l->reader, &l->states, &shown, &visible, l->e) || !visible)
        return 1;
    const struct memory *m = shown.after;
    if (!m || m->version > l->version)
        return 0;
    l->found = m->version == l->version && m->status != STATUS_PURGED;
    if (l->found)
        memory_json_write(l->out, m, NULL);
    return 1;
}

int version_form(struct reader *r, int64_t node, int64_t version, struct strbuf *out,
                 struct error *e)
{
    struct search l = {.reader = r, .states = ARENA_INIT, .version = version, .out = out, .e = e};
    e->code = ERROR_NONE;
    int result = history_walk(r, node, match_version, &l, e);
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
    memory_json_write(out, &m, NULL);
    return 0;
}

#define SUCCESSORS 16 /* to look at */

int history_successor(struct reader *r, int64_t node, int64_t *out, int64_t *at, struct error *e)
{
    enum visibility visibility = VISIBLE_NONE;
    int64_t newer[SUCCESSORS], made[SUCCESSORS];
    size_t count = 0;
    struct query rows = db_query(reader_db(r), e,
                                 "SELECT memory, coalesce(at, 0) FROM link WHERE target = ?1"
                                 " AND shape & 31 = ?2 AND memory <> ?1 ORDER BY 2 DESC LIMIT ?3",
                                 "iii", node, (int64_t)RELATION_SUPERSEDES, (int64_t)SUCCESSORS);
    *out = *at = 0;
    while (db_next(&rows)) {
        newer[count] = sqlite3_column_int64(rows.stmt, 0);
        made[count++] = sqlite3_column_int64(rows.stmt, 1);
    }
    if (db_end(&rows))
        return -1;
    for (size_t i = 0; i < count && visibility == VISIBLE_NONE; i++) {
        if (guard_visibility(r, newer[i], &visibility, e))
            return -1;
        *out = visibility == VISIBLE_NONE ? 0 : newer[i];
        *at = made[i];
    }
    return 0;
}
