/* Opening a Kernle store: its tables and columns in each version, and the tables that are not
 * imported. */
#include "store/import/kernle/kernle_map.h"
#include "store/import/other_tables.h"

#include <strings.h>

/* ---- names of tables and columns ---- */

static const struct {
    const char *name;
    enum kind kind;
} tables[KERNLE_TABLES] = {
    {"raw_entries", KIND_RAW},
    {"episodes", KIND_EPISODE},
    {"beliefs", KIND_BELIEF},
    {"notes", KIND_NOTE},
    {"agent_values", KIND_VALUE},
    {"goals", KIND_GOAL},
    {"drives", KIND_DRIVE},
    {"relationships", KIND_RELATIONSHIP},
    {"memory_suggestions", KIND_SUGGESTION},
};

enum {
    IN_DETAIL = 1, /* in addition to its field */
    ALWAYS = 2,
    LIST = 4,
    JSON = 8
};

/* The meaning of a column's name. The first match counts, so the entries of single kinds precede
 * `ALL`. */
struct meaning {
    unsigned kinds;
    const char *name;
    enum kernle_field field;
    unsigned flags;
};

#define ALL    KINDS_ALL
#define IS(k)  KIND_BIT(KIND_##k)
#define DETAIL FIELD_NONE

static const struct meaning meanings[] = {
    {IS(RAW), "blob", FIELD_TEXT, 0},
    {IS(RAW), "content", FIELD_TEXT_BEFORE, 0},
    {IS(RAW), "captured_at", FIELD_CREATED, 0},
    {IS(RAW), "timestamp", FIELD_CREATED_BEFORE, 0},
    {IS(RAW), "created_at", FIELD_CREATED_BEFORE, 0},
    {IS(RAW), "processed_into", FIELD_PROCESSED_INTO, LIST},
    {IS(RAW), "source", DETAIL, ALWAYS},
    {IS(EPISODE), "objective", FIELD_TEXT, 0},
    {IS(EPISODE), "outcome", DETAIL, ALWAYS},
    {IS(EPISODE), "outcome_type", DETAIL, ALWAYS},
    {IS(EPISODE), "lessons", DETAIL, LIST},
    {IS(EPISODE), "repeat", DETAIL, LIST},
    {IS(EPISODE), "avoid", DETAIL, LIST},
    {IS(EPISODE), "emotional_tags", DETAIL, LIST},
    {IS(BELIEF), "statement", FIELD_TEXT, 0},
    {IS(BELIEF), "belief_type", DETAIL, ALWAYS},
    {IS(BELIEF), "supersedes", FIELD_SUPERSEDES, 0},
    {IS(BELIEF), "superseded_by", FIELD_SUPERSEDED_BY, IN_DETAIL},
    {IS(BELIEF), "is_active", FIELD_IS_ACTIVE, 0},
    {IS(BELIEF), "cross_domain_applications", DETAIL, LIST},
    {IS(NOTE), "content", FIELD_TEXT, 0},
    {IS(NOTE), "note_type", DETAIL, ALWAYS},
    {IS(VALUE), "statement", FIELD_TEXT, 0},
    {IS(VALUE), "priority", DETAIL, ALWAYS},
    {IS(GOAL), "title", FIELD_TEXT, 0},
    {IS(GOAL), "goal_type", DETAIL, ALWAYS},
    {IS(GOAL), "priority", DETAIL, ALWAYS},
    {IS(GOAL), "status", DETAIL, ALWAYS},
    {IS(DRIVE), "drive_type", FIELD_TEXT, IN_DETAIL | ALWAYS},
    {IS(DRIVE), "intensity", DETAIL, ALWAYS},
    {IS(DRIVE), "focus_areas", FIELD_WORDS, IN_DETAIL | LIST},
    {IS(RELATIONSHIP), "entity_name", FIELD_TEXT, IN_DETAIL | ALWAYS},
    {IS(RELATIONSHIP), "notes", FIELD_WORDS, IN_DETAIL},
    {IS(RELATIONSHIP), "relationship_type", FIELD_WORDS_ELSE, IN_DETAIL | ALWAYS},
    {IS(RELATIONSHIP), "sentiment", DETAIL, ALWAYS},
    {IS(SUGGESTION), "content", FIELD_TEXT, IN_DETAIL | JSON},
    {IS(SUGGESTION), "status", DETAIL, ALWAYS},
    {IS(SUGGESTION), "source_raw_ids", FIELD_SOURCE_RAWS, LIST},
    {IS(SUGGESTION), "promoted_to", FIELD_PROMOTED_TO, 0},
    {ALL, "id", FIELD_ID, 0},
    {ALL, "stack_id", FIELD_AGENT, 0},
    {ALL, "agent_id", FIELD_AGENT, 0},
    {ALL, "created_at", FIELD_CREATED, 0},
    {ALL, "local_updated_at", FIELD_UPDATED, 0},
    {ALL, "updated_at", FIELD_UPDATED_BEFORE, 0},
    {ALL, "version", FIELD_VERSION, 0},
    {ALL, "confidence", FIELD_CONFIDENCE, 0},
    {ALL, "source_type", FIELD_SOURCE_TYPE, 0},
    {ALL, "source_entity", FIELD_SOURCE_ENTITY, 0},
    {ALL, "context", FIELD_CONTEXT, 0},
    {ALL, "tags", FIELD_TAGS, LIST},
    {ALL, "context_tags", DETAIL, LIST},
    {ALL, "is_protected", FIELD_PROTECTED, 0},
    {ALL, "strength", FIELD_STRENGTH, IN_DETAIL},
    {ALL, "is_forgotten", FIELD_FORGOTTEN, IN_DETAIL},
    {ALL, "deleted", FIELD_DELETED, 0},
    {ALL, "derived_from", FIELD_DERIVED_FROM, LIST},
    {ALL, "source_episodes", FIELD_SOURCE_EPISODES, LIST},
    {ALL, "confidence_history", FIELD_HISTORY, LIST},
    {ALL, "subject_ids", DETAIL, LIST},
    {ALL, "access_grants", DETAIL, LIST},
    {ALL, "consent_grants", DETAIL, LIST},
};

const char *kernle_table_name(size_t index)
{
    return tables[index].name;
}

int kernle_kind(const char *name)
{
    for (size_t i = 0; i < KERNLE_TABLES; i++) {
        const struct kind_spec *kind = kind_spec(tables[i].kind);
        if (strcasecmp(name, kind->name) == 0 || strcasecmp(name, kind->plural) == 0 ||
            strcasecmp(name, tables[i].name) == 0)
            return (int)tables[i].kind;
    }
    if (strcasecmp(name, "raw_entry") == 0)
        return KIND_RAW;
    return strcasecmp(name, "agent_value") == 0 ? KIND_VALUE : -1;
}

static const struct meaning *meaning_of(enum kind kind, const char *column)
{
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
        if ((meanings[i].kinds & KIND_BIT(kind)) && strcasecmp(meanings[i].name, column) == 0)
            return &meanings[i];
    return NULL;
}

static void resolve_column(struct kernle_table *t, size_t at)
{
    struct kernle_column *c = &t->columns[at];
    const struct meaning *m = meaning_of(t->kind, c->name);
    c->field = m ? m->field : FIELD_NONE;
    /* A second column for the same field is kept in the detail. */
    if (c->field != FIELD_NONE && t->place[c->field] >= 0)
        c->field = FIELD_NONE;
    if (c->field != FIELD_NONE)
        t->place[c->field] = (int)at;
    unsigned flags = m ? m->flags : 0;
    c->in_detail = c->field == FIELD_NONE || (flags & IN_DETAIL);
    c->always = flags & ALWAYS;
    c->list = flags & LIST;
    c->json = flags & (LIST | JSON);
}

void kernle_table_resolve(struct kernle_table *table, size_t index, struct kernle_column *columns,
                          size_t count)
{
    *table = (struct kernle_table){
        .kind = tables[index].kind, .name = tables[index].name, .columns = columns, .count = count};
    for (size_t f = 0; f < FIELD_COUNT; f++)
        table->place[f] = -1;
    for (size_t i = 0; i < count; i++)
        resolve_column(table, i);
}

/* ---- opening and reading ---- */

void kernle_quote(struct strbuf *sql, const char *name)
{
    strbuf_addch(sql, '"');
    for (; *name; name++) {
        if (*name == '"')
            strbuf_addch(sql, '"');
        strbuf_addch(sql, *name);
    }
    strbuf_addch(sql, '"');
}

/* Virtual tables have no pages of their own, and their modules are not trusted. */
int kernle_has_table(struct db *db, const char *name, struct error *e)
{
    int64_t count;
    if (db_int(db, &count, 0, e,
               "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
               " AND name = ? COLLATE NOCASE",
               "s", name))
        return -1;
    return count > 0;
}

int kernle_has_column(struct db *db, const char *table, const char *column, struct error *e)
{
    int64_t count;
    if (db_int(db, &count, 0, e,
               "SELECT count(*) FROM pragma_table_info(?) WHERE name = ? COLLATE NOCASE", "ss",
               table, column))
        return -1;
    return count > 0;
}

int kernle_version(struct db *db, int64_t *version, struct error *e)
{
    *version = 0;
    int has = kernle_has_table(db, "schema_version", e);
    if (has > 0)
        has = kernle_has_column(db, "schema_version", "version", e);
    if (has <= 0)
        return has;
    return db_int(db, version, 0, e, "SELECT max(CAST(version AS INTEGER)) FROM schema_version",
                  "");
}

int kernle_open_table(struct db *db, struct arena *arena, size_t index, struct kernle_table *table,
                      struct error *e)
{
    const char *name = kernle_table_name(index);
    struct kernle_column *columns = NULL;
    size_t count = 0, alloc = 0;
    int has = kernle_has_table(db, name, e);
    if (has <= 0)
        return has;
    struct query rows = db_query(
        db, e, "SELECT name, dflt_value FROM pragma_table_info(?) ORDER BY cid", "s", name);
    while (db_next(&rows))
        *ARENA_ADD(arena, columns, count, alloc) = (struct kernle_column){
            .name = db_text(arena, rows.stmt, 0), .fallback = db_text(arena, rows.stmt, 1)};
    if (db_end(&rows))
        return -1;
    kernle_table_resolve(table, index, columns, count);
    return table->place[FIELD_ID] >= 0;
}

bool kernle_has_name(const struct kernle_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(table->columns[i].name, name) == 0)
            return true;
    return false;
}

const char *kernle_rowid(struct db *db, const struct kernle_table *table)
{
    static const char *const names[] = {"rowid", "_rowid_", "oid"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (kernle_has_name(table, names[i]))
            continue;
        AUTO_STRBUF sql = STRBUF_INIT;
        struct error ignored;
        strbuf_addf(&sql, "SELECT %s FROM ", names[i]);
        kernle_quote(&sql, table->name);
        bool there = db_prepare(db, sql.buf, &ignored) != NULL;
        return there ? names[i] : NULL;
    }
    return NULL;
}

struct cell kernle_read_cell(sqlite3_stmt *stmt, int column)
{
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_INTEGER:
        return (struct cell){.type = CELL_INTEGER, .integer = sqlite3_column_int64(stmt, column)};
    case SQLITE_FLOAT:
        return (struct cell){.type = CELL_REAL, .real = sqlite3_column_double(stmt, column)};
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
        bool is_text = sqlite3_column_type(stmt, column) == SQLITE_TEXT;
        const void *bytes = is_text ? (const void *)sqlite3_column_text(stmt, column)
                                    : sqlite3_column_blob(stmt, column);
        int len = sqlite3_column_bytes(stmt, column);
        return (struct cell){.type = is_text ? CELL_TEXT : CELL_BLOB,
                             .bytes = bytes ? bytes : "",
                             .len = bytes ? (size_t)len : 0};
    }
    default:
        return (struct cell){.type = CELL_NULL};
    }
}

/* ---- other tables ---- */

static bool is_read(void *arg, const char *name)
{
    (void)arg;
    for (size_t i = 0; i < KERNLE_TABLES; i++)
        if (strcasecmp(name, kernle_table_name(i)) == 0)
            return true;
    return strcasecmp(name, "memory_audit") == 0 || strcasecmp(name, "schema_version") == 0;
}

int kernle_count_rows(struct db *db, const char *table, int64_t *count, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addstr(&sql, "SELECT count(*) FROM ");
    kernle_quote(&sql, table);
    return db_int(db, count, 0, e, sql.buf, "");
}

int kernle_other_tables(struct db *db, char *out, size_t size, struct error *e)
{
    return other_tables(db, is_read, NULL, out, size, e);
}
