/* Where a document was retrieved: what it is tied to, and what has its uri or its hash. */
#include "document.h"

#include <stdlib.h>
#include <string.h>
#include "../model/alloc.h"
#include "detail_member.h"
#include "detail_sql.h"
#include "reader.h"

struct found {
    struct document_retrieval *list;
    size_t count, alloc;
};

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading a document");
}

/* The rows of a statement that is bound: a retrieval, when it was, and whether it was recorded. */
static int add_all(struct db *db, sqlite3_stmt *stmt, int more, struct found *f, struct error *e)
{
    for (; more > 0; more = db_step(db, stmt, e)) {
        if (!array_grow((void **)&f->list, &f->alloc, f->count, sizeof(*f->list))) {
            more = out_of_memory(e);
            break;
        }
        f->list[f->count++] = (struct document_retrieval){.attribution = sqlite3_column_int64(stmt, 0),
                                                          .at = sqlite3_column_int64(stmt, 1),
                                                          .recorded = sqlite3_column_int(stmt, 2) != 0};
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

#define TIME "ifnull((SELECT at FROM attribution a WHERE a.memory = m.id), m.created_at)"

static const char tied_sql[] =
    "SELECT m.id, " TIME ", l.shape >> 6 & 3 = 0 FROM link l CROSS JOIN memory m ON m.id = l.target"
    " WHERE l.memory = ?1 AND l.shape & 31 < 16 AND m.kind = 9";
static const char uri_sql[] = "SELECT m.id, " TIME ", 0 FROM memory m WHERE kind = 9 AND "
    ATTRIBUTION_URI " = ?1 AND status < 4 ORDER BY id DESC LIMIT ?2";
static const char hash_sql[] = "SELECT m.id, " TIME ", 0 FROM memory m WHERE kind = 9 AND "
    ATTRIBUTION_HASH " = ?1 AND status < 4 ORDER BY id DESC LIMIT ?2";
static const char hashes_sql[] =
    "SELECT DISTINCT lower(version_hash) FROM use WHERE target = ?1 AND version_hash IS NOT NULL"
    " LIMIT ?2";

static int find_by(struct db *db, const char *sql, const char *key, size_t limit, struct found *f,
                   struct error *e)
{
    if (!key || !*key)
        return 0;
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more = stmt ? db_bind(db, stmt, e, "si", key, (int64_t)limit + 1) : -1;
    return add_all(db, stmt, more, f, e);
}

static int find_by_hashes(struct db *db, struct arena *arena, int64_t document, size_t limit,
                          struct found *f, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, hashes_sql, e);
    int more = stmt ? db_bind(db, stmt, e, "ii", document, (int64_t)limit + 1) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        const char *hash = db_text(arena, stmt, 0);
        if (!hash || find_by(db, hash_sql, hash, limit, f, e)) {
            more = hash ? -1 : out_of_memory(e);
            break;
        }
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

static int find_all(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                    struct found *f, struct error *e)
{
    struct db *db = reader_db(r);
    struct memory m;
    const char *uri, *id, *hash;
    if (memory_read(r, arena, document, &m, e))
        return -1;
    if (detail_text(&m, "uri", arena, &uri) || detail_text(&m, "document_id", arena, &id) ||
        detail_text(&m, "version_hash", arena, &hash))
        return out_of_memory(e);
    sqlite3_stmt *stmt = db_prepare(db, tied_sql, e);
    int more = stmt ? db_bind(db, stmt, e, "i", document) : -1;
    return add_all(db, stmt, more, f, e) || find_by(db, uri_sql, uri, limit, f, e) ||
                   find_by(db, uri_sql, id, limit, f, e) ||
                   find_by(db, hash_sql, hash, limit, f, e) ||
                   find_by_hashes(db, arena, document, limit, f, e)
               ? -1
               : 0;
}

static int by_attribution(const void *a, const void *b)
{
    const struct document_retrieval *x = a, *y = b;
    if (x->attribution != y->attribution)
        return (x->attribution > y->attribution) - (x->attribution < y->attribution);
    return y->recorded - x->recorded;
}

static int by_time(const void *a, const void *b)
{
    const struct document_retrieval *x = a, *y = b;
    if (x->at != y->at)
        return (x->at < y->at) - (x->at > y->at);
    return (x->attribution < y->attribution) - (x->attribution > y->attribution);
}

static void settle(struct found *f)
{
    size_t kept = 0;
    if (f->count)
        qsort(f->list, f->count, sizeof(*f->list), by_attribution);
    for (size_t i = 0; i < f->count; i++)
        if (!kept || f->list[kept - 1].attribution != f->list[i].attribution)
            f->list[kept++] = f->list[i];
    f->count = kept;
    if (kept)
        qsort(f->list, kept, sizeof(*f->list), by_time);
}

int document_retrievals(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                        struct document_retrieval **out, size_t *count, bool *more, struct error *e)
{
    struct found f = {.count = 0};
    *out = NULL;
    *count = 0;
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int result = find_all(r, arena, document, limit, &f, e);
    reader_end(r);
    if (!result) {
        settle(&f);
        *more = f.count > limit;
        *count = *more ? limit : f.count;
        *out = arena_memdup(arena, f.list, *count * sizeof(*f.list));
        if (!*out)
            result = out_of_memory(e);
    }
    free(f.list);
    return result;
}
