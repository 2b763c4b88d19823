/* cognee (topoteretes/cognee): the ledger of provenance in its relational database. The graph itself is not in it. */
#include "store/import/tables/tables_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/db/db.h"

/* ---- the checksums ---- */

/*
 * Verifies the chain of checksums in the ledger of cognee (cognee/modules/provenance/integrity.py): the SHA-256
 * of the values of an entry, each as Python writes it as compact JSON with sorted keys, with 0x1f in between. The id
 * of an archived version is hashed without its suffix. An entry names the checksum of the one before.
 */

#define SEPARATOR 0x1f

enum {
    COLUMN_ID,
    COLUMN_CHECKSUM,
    COLUMN_SEQUENCE,
    COLUMN_PREVIOUS,
    COLUMN_UPDATED,
    COLUMN_HASHED
};

static const char entries[] =
    "SELECT entity_id, checksum, sequence_id, previous_checksum, last_updated,"
    " entity_type, activity_id, agent_id, agent_type, is_automated, role, source_document, "
    "source_location, source_quote,"
    " source_ref_key, timestamp, first_seen, last_updated, activity_started_at_time, "
    "activity_ended_at_time, valid_from,"
    " valid_until, confidence, credibility, sequence_id, previous_checksum, parent_entity_id, "
    "used_entities,"
    " previous_version_id, derived_from_id, acted_on_behalf_of, informed_by_activities, "
    "revision_type, supersedes, bundle_id,"
    " invalidated, invalidated_at_time, invalidated_by, invalidation_reason, start_index, "
    "end_index, metadata, version"
    " FROM provenance_entries WHERE sequence_id IS NOT NULL ORDER BY sequence_id";

/* How Python reads a column that is no text or number. */
static const struct {
    const char *column;
    const char *none; /* what NULL is read as */
    bool is_truth;
} python[] = {
    {"is_automated", "null", true}, {"invalidated", "null", true},
    {"used_entities", "[]", false}, {"informed_by_activities", "[]", false},
    {"metadata", "{}", false},
};

/* ---- as Python's json.dumps writes it ---- */

/* The shortest digits that read back, as repr() does: "1.0", "0.85", "1e-05", "1e+16". */
static void add_float(struct strbuf *out, double value)
{
    char text[40];
    int digits = 0, exponent;
    do
        snprintf(text, sizeof(text), "%.*e", digits, value);
    while (strtod(text, NULL) != value && ++digits < 17);
    exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    if (exponent >= -4 && exponent < 16) {
        int places = digits - exponent;
        strbuf_addf(out, "%.*f", places > 1 ? places : 1, value);
    } else {
        strbuf_addstr(out, text);
    }
}

struct key {
    const char *name;
    struct json_slice value;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void add_value(struct strbuf *out, struct json_slice value, struct arena *arena);

static void add_object(struct strbuf *out, struct json_slice object, struct arena *arena)
{
    size_t count = json_count(object), n = 0;
    struct key *keys = arena_array(arena, count + 1, sizeof(*keys));
    for (struct json_each it = json_each(object); json_next(&it) && n < count; n++) {
        struct json_slice quoted = {it.key.ptr - 1, it.key.len + 2};
        keys[n] = (struct key){json_text(arena, quoted, NULL), it.value};
    }
    SORT(keys, n, compare_keys);
    strbuf_addch(out, '{');
    for (size_t i = 0; i < n; i++) {
        strbuf_addstr(out, i ? "," : "");
        json_add_ascii(out, keys[i].name);
        strbuf_addch(out, ':');
        add_value(out, keys[i].value, arena);
    }
    strbuf_addch(out, '}');
}

/* The value has been checked, so the recursion is bounded. Numbers are already as Python wrote them. */
static void add_value(struct strbuf *out, struct json_slice value, struct arena *arena)
{
    const char *comma = "";
    switch (*value.ptr) {
    case '{':
        add_object(out, value, arena);
        break;
    case '[':
        strbuf_addch(out, '[');
        for (struct json_each it = json_each(value); json_next(&it); comma = ",") {
            strbuf_addstr(out, comma);
            add_value(out, it.value, arena);
        }
        strbuf_addch(out, ']');
        break;
    case '"':
        json_add_ascii(out, json_text(arena, value, NULL));
        break;
    default:
        strbuf_add(out, value.ptr, value.len);
    }
}

static void add_json(struct strbuf *out, const char *text, const char *none, struct arena *arena)
{
    struct error ignored;
    struct json_slice value = json_trim(text ? text : "", text ? strlen(text) : 0);
    if (!value.len || (value.len == 4 && memcmp(value.ptr, "null", 4) == 0))
        strbuf_addstr(out, none);
    else if (json_check(value.ptr, value.len, JSON_DEPTH_MAX, &ignored) == 0)
        add_value(out, value, arena);
}

static void add_column(struct strbuf *out, sqlite3_stmt *stmt, int column, struct arena *arena)
{
    const char *name = sqlite3_column_name(stmt, column);
    for (size_t i = 0; i < sizeof(python) / sizeof(python[0]); i++) {
        if (strcmp(python[i].column, name) != 0)
            continue;
        if (!python[i].is_truth)
            add_json(out, column_utf8(arena, stmt, column), python[i].none, arena);
        else
            strbuf_addstr(out, sqlite3_column_int(stmt, column) ? "true" : "false");
        return;
    }
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_INTEGER:
        json_add_int(out, sqlite3_column_int64(stmt, column));
        break;
    case SQLITE_FLOAT:
        add_float(out, sqlite3_column_double(stmt, column));
        break;
    default:
        json_add_ascii(out, column_utf8(arena, stmt, column));
    }
}

/* ---- an entry ---- */

/* The id without ":v:LAST_UPDATED" and ":N", the suffix of an archived version. */
static const char *canonical_id(const char *id, const char *updated, struct arena *arena)
{
    AUTO_STRBUF marker = STRBUF_INIT;
    const char *at, *found = NULL;
    if (!updated || !*updated)
        return id;
    strbuf_addf(&marker, ":v:%s", updated);
    for (at = id; (at = strstr(at, marker.buf)); at++)
        found = at;
    const char *tail = found ? found + marker.len : NULL;
    bool is_archived =
        tail && (!*tail || (*tail == ':' && tail[1] && !tail[1 + strspn(tail + 1, "0123456789")]));
    return is_archived ? arena_strndup(arena, id, (size_t)(found - id)) : id;
}

static bool fits(sqlite3_stmt *stmt, const char *id, const char *checksum, struct arena *arena)
{
    AUTO_STRBUF all = STRBUF_INIT;
    struct digest hash;
    char hex[2 * DIGEST_SIZE + 1];
    json_add_ascii(&all, canonical_id(id, column_utf8(arena, stmt, COLUMN_UPDATED), arena));
    for (int i = COLUMN_HASHED; i < sqlite3_column_count(stmt); i++) {
        strbuf_addch(&all, SEPARATOR);
        add_column(&all, stmt, i, arena);
    }
    digest_bytes(&hash, all.buf, all.len);
    digest_hex(hex, &hash);
    return checksum && strcmp(hex, checksum) == 0;
}

/* Entries whose numbers are missing were removed. */
static void report_gap(struct table_reading *r, const char *id, int64_t first, int64_t last)
{
    static const char broken[] = "the chain of checksums is broken before it";
    if (first == last)
        table_report(r, "%.200s: %s: entry %" PRId64 " is missing", id, broken, first);
    else
        table_report(r, "%.200s: %s: entries %" PRId64 " to %" PRId64 " are missing", id, broken,
                     first, last);
}

/* Reports each entry of the ledger whose checksum does not fit its content, and each that does not follow the one
 * before. Returns -1 if the ledger cannot be read. O(n log n). */
static int cognee_chain_verify(struct table_reading *r, struct db *db, struct error *e)
{
    AUTO_STRBUF expected = STRBUF_INIT;
    bool any = false;
    int64_t before = 0;
    struct error wrong;
    struct query rows = db_query(db, &wrong, entries, "");
    for (; db_next(&rows); any = true) {
        AUTO_ARENA arena = ARENA_INIT;
        const char *id = column_utf8(&arena, rows.stmt, COLUMN_ID);
        const char *checksum = column_utf8(&arena, rows.stmt, COLUMN_CHECKSUM);
        const char *previous = column_utf8(&arena, rows.stmt, COLUMN_PREVIOUS);
        int64_t sequence = sqlite3_column_int64(rows.stmt, COLUMN_SEQUENCE);
        bool gap = any && sequence > before && (uint64_t)sequence - (uint64_t)before > 1;
        bool whole = fits(rows.stmt, id ? id : "", checksum, &arena);
        bool follows =
            !(any && sequence == before) && strcmp(previous ? previous : "", expected.buf) == 0;
        if (!whole)
            table_report(r, "%.200s: its checksum does not fit its content: it was changed",
                         id ? id : "");
        if (gap)
            report_gap(r, id ? id : "", before + 1, sequence - 1);
        else if (whole && !follows)
            table_report(r, "%.200s: the chain of checksums is broken before it", id ? id : "");
        strbuf_clear(&expected);
        strbuf_addstr(&expected, checksum ? checksum : "");
        before = sequence;
    }
    if (db_end(&rows) == 0)
        return 0;
    if (wrong.code == ERROR_INTERRUPTED) {
        *e = wrong;
        return -1;
    }
    table_report(r, "the chain of checksums cannot be verified: %s", wrong.what);
    return 0;
}

/* ---- the tables ---- */

/* clang-format off */

#define META(t, member) "json_extract(json_map(" t ".metadata), '$." member "')"
#define REF(t) \
    "CASE " t ".entity_type WHEN 'document' THEN 'document:' WHEN 'chunk' THEN 'raw:' WHEN 'relationship'" \
    " THEN 'belief:' ELSE 'note:' END || " t ".entity_id"
/* An id that the ledger does not have is no ref, so it becomes an annotation. */
#define REF_OF(id) \
    "coalesce((SELECT " REF("x") " FROM provenance_entries x WHERE x.entity_id = " id "), 'cognee:' || " id ")"
#define USED(at) "json_extract(json_list(e.used_entities), '$[" at "]')"
#define NAME_OF(at) \
    "coalesce((SELECT " META("x", "name") " FROM provenance_entries x WHERE x.entity_id = " USED(at) "), " USED(at) ")"

static const struct table_select selects[] = {
    {"provenance_entries", "SELECT " REF("e") " AS ref, coalesce(nullif(e.agent_id, ''), 'cognee') AS agent_id,"
     " CASE e.entity_type WHEN 'document' THEN 'external' WHEN 'chunk' THEN 'observation'"
     " ELSE 'inference' END AS source_type,"
     " coalesce(CASE e.entity_type WHEN 'relationship'"
     " THEN " NAME_OF("0") " || ' ' || " META("e", "relationship_name") " || ' ' || " NAME_OF("1") " END,"
     " " META("e", "name") ","
     "  nullif(e.source_quote, ''), nullif(e.source_document, '') || coalesce(' #' || e.start_index, ''),"
     " e.entity_id) AS text,"
     " coalesce(e.first_seen, e.timestamp) AS created_at, coalesce(e.invalidated_at_time,"
     " e.last_updated) AS updated_at, e.confidence AS confidence,"
     " nullif(e.source_document, '') AS source, CASE WHEN e.invalidated THEN 'retracted'"
     " WHEN e.valid_until IS NOT NULL OR instr(e.entity_id, ':v:' || e.last_updated) THEN 'superseded' END AS status,"
     " CASE WHEN e.invalidated THEN json_array(json_object('at', ms(e.invalidated_at_time), 'operation',"
     " 'invalidate', 'actor', e.invalidated_by, 'reason', e.invalidation_reason,"
     "  'origin', 'cognee')) END AS history,"
     " CASE WHEN e.derived_from_id IS NOT NULL THEN json_array(json_object('ref', " REF_OF("e.derived_from_id") ","
     " 'excerpt', nullif(e.source_quote, ''),"
     "  'section', nullif(e.source_location, ''))) END AS derived_from,"
     " (SELECT json_group_array(" REF_OF("u.value") ") FROM json_each(json_list(e.used_entities)) u"
     " WHERE u.value <> coalesce(e.previous_version_id, '')"
     "  AND u.value <> coalesce(e.derived_from_id, '')) AS derived_from,"
     " CASE WHEN e.supersedes IS NOT NULL THEN " REF_OF("e.supersedes") " END AS supersedes,"
     " CASE WHEN e.previous_version_id IS NOT NULL THEN " REF_OF("e.previous_version_id") " END AS supersedes,"
     " CASE e.entity_type WHEN 'document' THEN e.entity_id END AS \"detail.document_id\", CASE e.entity_type"
     " WHEN 'document' THEN nullif(e.source_document, '') END AS \"detail.uri\","
     " e.entity_type AS \"detail.entity_type\", e.activity_id AS \"detail.activity_id\", e.role AS \"detail.role\","
     " e.source_ref_key AS \"detail.source_ref_key\", e.bundle_id AS \"detail.bundle_id\","
     " e.source_location AS \"detail.source_location\", e.source_quote AS \"detail.source_quote\","
     " e.credibility AS \"detail.credibility\", e.acted_on_behalf_of AS \"detail.acted_on_behalf_of\","
     " e.revision_type AS \"detail.revision_type\", e.valid_from AS \"detail.valid_from:time\","
     " e.valid_until AS \"detail.valid_until:time\", e.start_index AS \"detail.start_index\","
     " e.end_index AS \"detail.end_index\", e.sequence_id AS \"detail.sequence_id\","
     " e.checksum AS \"detail.checksum\", json_map(e.metadata) AS \"detail.metadata:json\""
     " FROM provenance_entries e"},
};

/* clang-format on */

static const struct table_map map = {
    .ignored = "alembic_version",
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
    .verify = cognee_chain_verify,
};

const struct import_format cognee_format = TABLE_FORMAT(
    &map, .name = "cognee", .title = "a database of cognee with its ledger of provenance",
    .about = "An entry of the ledger becomes a note, a belief, a raw entry or a document; "
             "its chain of checksums is verified",
    .counted = "provenance_entries:entry:entries", .file = "table:provenance_entries",
    .places = "$SYSTEM_ROOT_DIRECTORY/databases/cognee_db");
