/* What a list shows of a document, read no further than it counts. */
#include "store/reasoning/document.h"

#include <string.h>
#include "store/db/reader.h"

static int count_uses(struct db *db, int64_t document, size_t most, struct document_brief *out,
                      struct error *e)
{
    int64_t uses;
    if (db_int(db, &uses, 0, e,
               "SELECT count(*) FROM (SELECT DISTINCT memory FROM link WHERE target = ?"
               " AND shape & 31 < ? LIMIT ?)",
               "iii", document, (int64_t)ROLE_SUPPORT_COUNT, (int64_t)most + 1))
        return -1;
    out->more = (size_t)uses > most;
    out->uses = out->more ? most : (size_t)uses;
    return 0;
}

/* Those of a passage stand one after the other. */
static int find_change(struct db *db, int64_t document, size_t most, struct document_brief *out,
                       struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "SELECT ifnull(chunk, -1), version_hash FROM use WHERE target = ?"
                   " AND version_hash IS NOT NULL ORDER BY target, chunk, version_hash LIMIT ?",
                   e);
    int step = db_bind(db, stmt, e, "ii", document, (int64_t)most);
    int64_t chunk = INT64_MIN;
    char hash[65] = "";
    for (; step > 0 && !out->changed; step = db_step(db, stmt, e)) {
        const char *text = (const char *)sqlite3_column_text(stmt, 1);
        size_t len = (size_t)sqlite3_column_bytes(stmt, 1);
        if (!text || len >= sizeof(hash))
            continue; /* no hash at all */
        out->changed = sqlite3_column_int64(stmt, 0) == chunk && strcmp(text, hash) != 0;
        chunk = sqlite3_column_int64(stmt, 0);
        memcpy(hash, text, len + 1);
    }
    sqlite3_reset(stmt);
    return step < 0 ? -1 : 0;
}

int document_brief_read(struct reader *r, int64_t document, size_t most, struct document_brief *out,
                        struct error *e)
{
    *out = (struct document_brief){0};
    if (reader_begin(r, e))
        return -1;
    struct db *db = reader_db(r);
    int failed = count_uses(db, document, most, out, e) || find_change(db, document, most, out, e);
    reader_end(r);
    return failed ? -1 : 0;
}
