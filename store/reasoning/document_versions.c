/*
 * Which versions of a document's passages there were. The uses of a passage stand together in two indexes: by
 * version, so that versions are passed from one to the next whatever the number of uses, and by when
 * they came.
 */
#include "store/reasoning/document.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/db/column.h"
#include "store/db/reader.h"

/* ---- changed since ---- */

#define LATEST 64 /* uses that are looked at one by one; then version by version */

/* 1: one of the latest uses after `by` has another hash; 0: none of all after it has; -1 on error; 2: none of
 * the latest has. */
static int look_at_latest(struct db *db, int64_t document, int64_t chunk, int64_t by,
                          const char *hash, struct error *e)
{
    static const char sql[] =
        "SELECT version_hash <> ?4 FROM use INDEXED BY use_passage WHERE target = ?1 AND"
        " chunk IS nullif(?2, -1) AND memory > ?3 AND version_hash IS NOT NULL"
        " ORDER BY memory DESC LIMIT ?5";
    size_t seen = 0;
    bool other = false;
    struct query rows = db_query(db, e, sql, "iiisi", document, chunk, by, hash, (int64_t)LATEST);
    for (; !other && db_next(&rows); seen++)
        other = sqlite3_column_int(rows.stmt, 0) != 0;
    return db_end(&rows) ? -1 : other ? 1 : seen < LATEST ? 0 : 2;
}

/* The next version of that passage in the order of hashes; *next NULL: there is none. */
static int next_version(struct db *db, struct arena *arena, int64_t document, int64_t chunk,
                        const char *after, const char **next, struct error *e)
{
    static const char sql[] =
        "SELECT version_hash FROM use INDEXED BY use_version WHERE target = ? AND"
        " chunk IS nullif(?, -1) AND version_hash > ? ORDER BY version_hash LIMIT 1";
    *next = NULL;
    struct query row = db_query(db, e, sql, "iis", document, chunk, after);
    if (db_next(&row))
        *next = column_utf8(arena, row.stmt, 0);
    return db_end(&row);
}

static int look_at_versions(struct db *db, struct arena *arena, int64_t document, int64_t chunk,
                            int64_t by, const char *hash, bool *changed, struct error *e)
{
    static const char sql[] = "SELECT 1 FROM use INDEXED BY use_version WHERE target = ? AND"
                              " chunk IS nullif(?, -1) AND version_hash = ? AND memory > ? LIMIT 1";
    const char *version = "";
    int64_t later = 0;
    while (!later) {
        if (next_version(db, arena, document, chunk, version, &version, e))
            return -1;
        if (!version)
            break;
        if (strcmp(version, hash) != 0 &&
            db_int(db, &later, 0, e, sql, "iisi", document, chunk, version, by))
            return -1;
    }
    *changed = later != 0;
    return 0;
}

int document_changed_since(struct reader *r, int64_t document, int64_t chunk, int64_t by,
                           const char *hash, bool *changed, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct db *db = reader_db(r);
    *changed = false;
    if (!hash)
        return 0;
    if (reader_begin(r, e))
        return -1;
    int found = look_at_latest(db, document, chunk, by, hash, e);
    int result = found < 0 ? -1 : 0;
    if (found == 2)
        result = look_at_versions(db, &arena, document, chunk, by, hash, changed, e);
    else
        *changed = found == 1;
    reader_end(r);
    arena_release(&arena);
    return result;
}

/* ---- all of them ---- */

/* The next chunk of which a version is known; -1: there is none. */
static int next_chunk(struct db *db, int64_t document, int64_t *chunk, struct error *e)
{
    return db_int(db, chunk, -1, e,
                  "SELECT chunk FROM use INDEXED BY use_version WHERE target = ? AND chunk > ? AND"
                  " version_hash IS NOT NULL ORDER BY chunk LIMIT 1",
                  "ii", document, *chunk);
}

struct versions {
    struct db *db;
    struct arena *arena;
    int64_t document;
    struct document_version *list;
    size_t count, alloc;
    size_t limit;
    bool more;
    struct error *e;
};

static int add_version(struct versions *v, int64_t chunk, const char *hash)
{
    static const char sql[] =
        "SELECT min(memory), max(memory), count(*) FROM use INDEXED BY use_version WHERE target = ?"
        " AND chunk IS nullif(?, -1) AND version_hash = ?";
    static const char time[] = "SELECT created_at FROM memory WHERE id = ?";
    struct document_version *one = ARENA_ADD(v->arena, v->list, v->count, v->alloc);
    *one = (struct document_version){.chunk = chunk, .hash = hash};
    struct query row = db_query(v->db, v->e, sql, "iis", v->document, chunk, hash);
    if (db_next(&row)) {
        one->first = sqlite3_column_int64(row.stmt, 0);
        one->last = sqlite3_column_int64(row.stmt, 1);
        one->uses = (size_t)sqlite3_column_int64(row.stmt, 2);
    }
    return db_end(&row) || db_int(v->db, &one->first_at, 0, v->e, time, "i", one->first) ||
                   db_int(v->db, &one->last_at, 0, v->e, time, "i", one->last)
               ? -1
               : 0;
}

static int by_coming(const void *a, const void *b)
{
    const struct document_version *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                                : strcmp(x->hash, y->hash);
}

static bool is_among(const char *hash, const char *const *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(hashes[i], hash) == 0)
            return true;
    return false;
}

/* The hashes that came last, `room` of them: the others are passed over, however many there are. */
static int find_newest(struct versions *v, int64_t chunk, const char **hashes, size_t room)
{
    static const char sql[] =
        "SELECT version_hash FROM use INDEXED BY use_passage WHERE target = ? AND"
        " chunk IS nullif(?, -1) AND version_hash IS NOT NULL ORDER BY memory DESC";
    size_t count = 0;
    struct query rows = db_query(v->db, v->e, sql, "ii", v->document, chunk);
    while (count < room && db_next(&rows)) {
        const char *hash = (const char *)sqlite3_column_text(rows.stmt, 0);
        if (hash && is_among(hash, hashes, count))
            continue;
        hashes[count++] = column_utf8(v->arena, rows.stmt, 0);
    }
    return db_end(&rows);
}

/* The hashes of a passage: all of them, or as many as there is room for. */
static int find_hashes(struct versions *v, int64_t chunk, const char ***out, size_t *count)
{
    size_t room = v->limit - v->count;
    const char **hashes = arena_array(v->arena, room + 1, sizeof(*hashes)), *version = "";
    *out = hashes;
    *count = 0;
    for (;;) {
        if (next_version(v->db, v->arena, v->document, chunk, version, &version, v->e))
            return -1;
        if (!version)
            return 0;
        if (*count == room)
            break;
        hashes[(*count)++] = version;
    }
    v->more = true;
    return find_newest(v, chunk, hashes, room);
}

/* Those of one passage, in the order in which they came. */
static int add_passage(struct versions *v, int64_t chunk)
{
    const char **hashes = NULL;
    size_t count = 0, from = v->count, latest = from;
    if (find_hashes(v, chunk, &hashes, &count))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (add_version(v, chunk, hashes[i]))
            return -1;
    if (v->count == from)
        return 0;
    qsort(v->list + from, v->count - from, sizeof(*v->list), by_coming);
    for (size_t i = from; i < v->count; i++)
        latest = v->list[i].last > v->list[latest].last ? i : latest;
    v->list[latest].latest = true;
    return 0;
}

/* The whole document first, then chunk by chunk. */
static int add_all(struct versions *v)
{
    int64_t chunk = -1;
    do {
        if (add_passage(v, chunk) || next_chunk(v->db, v->document, &chunk, v->e))
            return -1;
    } while (chunk >= 0 && !v->more);
    return 0;
}

int document_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                      struct document_version **out, size_t *count, bool *more, struct error *e)
{
    struct versions v = {
        .db = reader_db(r), .arena = arena, .document = document, .limit = limit, .e = e};
    int result = reader_begin(r, e) ? -1 : reader_done(r, add_all(&v));
    *more = v.more;
    *count = result ? 0 : v.count;
    *out = v.list;
    return result;
}

int document_hashes(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                    const char ***out, size_t *count, bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t chunk = -1;
    *count = 0;
    *more = false;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    do {
        const char *version = "";
        for (;;) {
            if (next_version(db, arena, document, chunk, version, &version, e))
                return -1;
            if (!version || *count == limit)
                break;
            (*out)[(*count)++] = version;
        }
        *more = version != NULL;
        if (next_chunk(db, document, &chunk, e))
            return -1;
    } while (!*more && chunk >= 0);
    return 0;
}
