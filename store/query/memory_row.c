/* What a list shows of a memory. */
#include "store/db/store.h"

#include <string.h>
#include "model/base/utf8.h"
#include "store/db/column.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/db/reader.h"

#define ROW_TEXT_MAX 600

static const char list_row_sql[] =
    "SELECT m.kind, m.name, m.status, m.version, a.name, s.name, m.created_at, m.updated_at,"
    " m.confidence, m.protected, m.text, m.source, m.tags, m.annotations, m.event"
    " FROM memory m LEFT JOIN agent a ON a.id = m.agent"
    " LEFT JOIN source_type s ON s.id = m.source_type WHERE m.id = ?";

/* The first bytes of the text, cut at a code point. */
static const char *row_text(struct reader *r, struct arena *a, sqlite3_stmt *stmt, bool *cut)
{
    const char *bytes = (const char *)sqlite3_column_text(stmt, 10);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 10);
    const char *seen = bytes ? guard_text(r, a, bytes, len) : NULL;
    *cut = false;
    if (seen != bytes) {
        bytes = seen;
        len = strlen(seen);
        if (len <= ROW_TEXT_MAX)
            return seen;
    }
    *cut = bytes && len > ROW_TEXT_MAX;
    if (*cut && utf8_valid(bytes, len))
        return arena_strndup(a, bytes, utf8_fit(bytes, len, ROW_TEXT_MAX));
    const char *text = column_utf8(a, stmt, 10);
    if (*cut)
        text = guard_text(r, a, text, strlen(text));
    *cut = false;
    return text;
}

static void fill_list_row(struct reader *r, struct arena *a, sqlite3_stmt *stmt,
                          struct memory_row *out)
{
    out->version = sqlite3_column_int64(stmt, 3);
    out->agent_id = column_utf8(a, stmt, 4);
    out->source_type = column_utf8(a, stmt, 5);
    out->created_at = sqlite3_column_int64(stmt, 6);
    out->updated_at = sqlite3_column_int64(stmt, 7);
    out->confidence = db_double(stmt, 8);
    out->is_protected = sqlite3_column_int(stmt, 9) != 0;
    out->text =
        guard_memory_text(r, a, out->node, out->ref.kind, row_text(r, a, stmt, &out->text_cut));
    out->source = column_utf8(a, stmt, 11);
    out->tags = column_utf8(a, stmt, 12);
    out->annotations = column_utf8(a, stmt, 13);
    out->event = sqlite3_column_int64(stmt, 14);
}

static int read_row(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e)
{
    struct query row = db_query(reader_db(r), e, list_row_sql, "i", node);
    if (!db_next(&row))
        return db_end(&row) ? -1
                            : error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                                        (long long)node);
    int kind = column_enum(row.stmt, 0, KIND_COUNT),
        status = column_enum(row.stmt, 2, STATUS_COUNT);
    *out = (struct memory_row){.node = node, .ref.id = column_utf8(arena, row.stmt, 1)};
    if (kind >= 0 && status >= 0 && out->ref.id) {
        out->ref.kind = (enum kind)kind;
        out->status = (enum status)status;
        fill_list_row(r, arena, row.stmt, out);
    }
    db_end(&row);
    if (kind < 0 || status < 0)
        return reader_damaged(e, "the kind or status", node);
    if (reader_masked(r))
        guard_mask_row(r, arena, out);
    return 0;
}

/* One statement sees one moment by itself, unless that moment is past: then the reader must have heard
 * of what came meanwhile. */
int memory_row_read(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e)
{
    if (reader_past(r) < 0)
        return read_row(r, arena, node, out, e);
    return reader_begin(r, e) ? -1 : reader_done(r, read_row(r, arena, node, out, e));
}
