/* Where a document was retrieved: what it is tied to, and what has its uri or its hash. */
#include "store/reasoning/document.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/record/detail_member.h"
#include "store/record/found_by.h"
#include "store/guard/guard_mask.h"
#include "store/db/reader.h"

struct found {
    struct document_retrieval *list;
    size_t count, alloc;
    bool more; /* not all were looked for */
};

static void add(struct found *f, int64_t attribution, bool recorded)
{
    array_grow((void **)&f->list, &f->alloc, f->count, sizeof(*f->list));
    f->list[f->count++] =
        (struct document_retrieval){.attribution = attribution, .recorded = recorded};
}

/* What it rests on. */
static int find_tied(struct db *db, int64_t document, struct found *f, struct error *e)
{
    static const char sql[] =
        "SELECT l.target, l.shape >> 6 & 3 FROM link l CROSS JOIN memory m ON m.id = l.target"
        " WHERE l.memory = ? AND l.shape & 31 < ? AND m.kind = ?";
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more = db_bind(db, stmt, e, "iii", document, (int64_t)ROLE_SUPPORT_COUNT,
                       (int64_t)KIND_ATTRIBUTION);
    for (; more > 0; more = db_step(db, stmt, e))
        add(f, sqlite3_column_int64(stmt, 0), sqlite3_column_int(stmt, 1) == RECORDED);
    sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

static int find_by(struct db *db, struct arena *arena, enum found_by field, const char *value,
                   size_t limit, struct found *f, struct error *e)
{
    int64_t *rows;
    size_t count = 0;
    if (!value || !*value)
        return 0;
    if (found_by_rows(db, arena, field, value, NULL, INT64_MAX, limit + 1, &rows, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        add(f, rows[i], field == FOUND_BY_COPY_OF);
    return 0;
}

/* Those that say themselves that they are copies of it: they were named when it was tied already. */
static int find_copies(struct db *db, struct arena *arena, struct ref document, size_t limit,
                       struct found *f, struct error *e)
{
    struct strbuf ref = STRBUF_INIT;
    ref_add(&ref, document);
    int result = find_by(db, arena, FOUND_BY_COPY_OF, ref.buf, limit, f, e);
    strbuf_release(&ref);
    return result;
}

#define VERSIONS_LOOKED 256 /* of its content, of which retrievals are looked for */

static int find_by_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                            struct found *f, struct error *e)
{
    const char **hash;
    size_t count;
    if (document_hashes(r, arena, document, VERSIONS_LOOKED, &hash, &count, &f->more, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (find_by(reader_db(r), arena, FOUND_BY_CONTENT_HASH, hash[i], limit, f, e))
            return -1;
    return 0;
}

/* When each was; one that is no longer listed has only when it was logged. */
static int find_times(struct db *db, struct found *f, struct error *e)
{
    static const char sql[] = "SELECT ifnull((SELECT at FROM attribution WHERE memory = ?1),"
                              " (SELECT created_at FROM memory WHERE id = ?1))";
    for (size_t i = 0; i < f->count; i++)
        if (db_int(db, &f->list[i].at, 0, e, sql, "i", f->list[i].attribution))
            return -1;
    return 0;
}

static int find_all(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                    struct found *f, struct error *e)
{
    struct db *db = reader_db(r);
    struct memory m;
    const char *uri, *id, *hash;
    if (guard_read_bare(r, arena, document, &m, e))
        return -1;
    detail_text(&m, "uri", arena, &uri);
    detail_text(&m, "document_id", arena, &id);
    detail_text(&m, "version_hash", arena, &hash);
    return find_tied(db, document, f, e) || find_copies(db, arena, m.ref, limit, f, e) ||
                   find_by(db, arena, FOUND_BY_URI, uri, limit, f, e) ||
                   find_by(db, arena, FOUND_BY_URI, id, limit, f, e) ||
                   find_by(db, arena, FOUND_BY_CONTENT_HASH, hash, limit, f, e) ||
                   find_by_versions(r, arena, document, limit, f, e)
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

static void drop_repeated(struct found *f)
{
    size_t kept = 0;
    if (f->count)
        qsort(f->list, f->count, sizeof(*f->list), by_attribution);
    for (size_t i = 0; i < f->count; i++)
        if (!kept || f->list[kept - 1].attribution != f->list[i].attribution)
            f->list[kept++] = f->list[i];
    f->count = kept;
}

static int find(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                struct found *f, struct error *e)
{
    if (find_all(r, arena, document, limit, f, e))
        return -1;
    drop_repeated(f);
    if (find_times(reader_db(r), f, e))
        return -1;
    if (f->count)
        qsort(f->list, f->count, sizeof(*f->list), by_time);
    return 0;
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
    int result = find(r, arena, document, limit, &f, e);
    reader_end(r);
    if (!result) {
        *more = f.more || f.count > limit;
        *count = f.count > limit ? limit : f.count;
        *out = arena_memdup(arena, f.list, *count * sizeof(*f.list));
    }
    free(f.list);
    return result;
}
