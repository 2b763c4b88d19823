/*
 * A store that Kernle opens, schema 26: the way back of store/import/kernle, whose table of columns says here, too,
 * which field of a memory a column has. What no field has comes from the memory's detail, where an import kept it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/base/digest.h"
#include "store/db/db.h"
#include "store/export/export_internal.h"
#include "store/guard/guard.h"

/* ---- the tables: those with memories, and the audit ---- */

/*
 * Kernle makes the others, the indexes and the search tables itself when it opens the store. The columns stand in
 * Kernle's order, since an import lists those of a detail in the order of the table. A column that Kernle requires has
 * "" where we know nothing. The last three of GONE are those of stores that older versions made, the last one of the
 * audit is that of schema 27; Kernle keeps both.
 */

/* clang-format off */
#define REQUIRED " TEXT NOT NULL DEFAULT ''"
#define OWNER    "(id TEXT PRIMARY KEY, stack_id TEXT NOT NULL, "
#define META(confidence)                                                                           \
    "created_at TEXT NOT NULL, confidence REAL DEFAULT " confidence ", "                           \
    "source_type TEXT DEFAULT 'direct_experience', source_episodes TEXT, derived_from TEXT, "      \
    "last_verified TEXT, verification_count INTEGER DEFAULT 0, confidence_history TEXT, "
#define FADING(is_protected)                                                                       \
    "times_accessed INTEGER DEFAULT 0, last_accessed TEXT, "                                       \
    "is_protected INTEGER DEFAULT " is_protected ", strength REAL DEFAULT 1.0, "
#define PRIVACY  "subject_ids TEXT, access_grants TEXT, consent_grants TEXT, "
#define SCOPE    "context TEXT, context_tags TEXT, source_entity TEXT, " PRIVACY "epoch_id TEXT, "
#define SYNC                                                                                       \
    "local_updated_at TEXT NOT NULL, cloud_synced_at TEXT, version INTEGER DEFAULT 1, "            \
    "deleted INTEGER DEFAULT 0"
#define GONE     SYNC ", is_forgotten INTEGER DEFAULT 0, forgotten_at TEXT, forgotten_reason TEXT"

static const char *const kernle_schema[] = {
    "CREATE TABLE schema_version(version INTEGER PRIMARY KEY)",
    "INSERT INTO schema_version VALUES (26)",
    "CREATE TABLE raw_entries" OWNER "blob TEXT NOT NULL, captured_at TEXT NOT NULL, "
        "source TEXT DEFAULT 'unknown', processed INTEGER DEFAULT 0, processed_into TEXT, "
        "content TEXT, timestamp TEXT, tags TEXT, confidence REAL DEFAULT 1.0, "
        "source_type TEXT DEFAULT 'direct_experience', " PRIVACY SYNC ")",
    "CREATE TABLE episodes" OWNER "objective TEXT NOT NULL, outcome" REQUIRED ", "
        "outcome_type TEXT, lessons TEXT, tags TEXT, emotional_valence REAL DEFAULT 0.0, "
        "emotional_arousal REAL DEFAULT 0.0, emotional_tags TEXT, " META("0.8") FADING("0")
        "processed INTEGER DEFAULT 0, " SCOPE "repeat TEXT, avoid TEXT, " GONE ")",
    "CREATE TABLE beliefs" OWNER "statement TEXT NOT NULL, belief_type TEXT DEFAULT 'fact', "
        META("0.8") "supersedes TEXT, superseded_by TEXT, times_reinforced INTEGER DEFAULT 0, "
        "is_active INTEGER DEFAULT 1, " FADING("0") SCOPE "processed INTEGER DEFAULT 0, "
        "belief_scope TEXT DEFAULT 'world', source_domain TEXT, cross_domain_applications TEXT, "
        "abstraction_level TEXT DEFAULT 'specific', " GONE ")",
    "CREATE TABLE notes" OWNER "content TEXT NOT NULL, note_type TEXT DEFAULT 'note', "
        "speaker TEXT, reason TEXT, tags TEXT, " META("0.8") FADING("0")
        "processed INTEGER DEFAULT 0, " SCOPE GONE ")",
    "CREATE TABLE agent_values" OWNER "name" REQUIRED ", statement TEXT NOT NULL, "
        "priority INTEGER DEFAULT 50, " META("0.9") FADING("1") SCOPE GONE ")",
    "CREATE TABLE goals" OWNER "title TEXT NOT NULL, description TEXT, "
        "goal_type TEXT DEFAULT 'task', priority TEXT DEFAULT 'medium', "
        "status TEXT DEFAULT 'active', " META("0.8") FADING("0") SCOPE GONE ")",
    "CREATE TABLE drives" OWNER "drive_type TEXT NOT NULL, intensity REAL DEFAULT 0.5, "
        "focus_areas TEXT, updated_at TEXT NOT NULL, " META("0.8") FADING("1") SCOPE GONE ", "
        "UNIQUE(stack_id, drive_type))",
    "CREATE TABLE relationships" OWNER "entity_name TEXT NOT NULL, entity_type" REQUIRED ", "
        "relationship_type" REQUIRED ", notes TEXT, sentiment REAL DEFAULT 0.0, "
        "interaction_count INTEGER DEFAULT 0, last_interaction TEXT, " META("0.8") FADING("0")
        SCOPE GONE ", UNIQUE(stack_id, entity_name))",
    "CREATE TABLE memory_suggestions" OWNER "memory_type TEXT NOT NULL DEFAULT 'note', "
        "content TEXT NOT NULL, confidence REAL DEFAULT 0.5, source_raw_ids TEXT NOT NULL, "
        "status TEXT DEFAULT 'pending', created_at TEXT NOT NULL, resolved_at TEXT, "
        "resolution_reason TEXT, promoted_to TEXT, " SYNC ")",
    "CREATE TABLE memory_audit(id TEXT PRIMARY KEY, memory_type TEXT NOT NULL, "
        "memory_id TEXT NOT NULL, operation TEXT NOT NULL, details TEXT, actor TEXT NOT NULL, "
        "created_at TEXT NOT NULL, correlation_id TEXT)",
    NULL,
};

struct kernle {
    struct db *db;
    struct kernle_table tables[KERNLE_TABLES];
    char *insert[KERNLE_TABLES]; /* in x->kept */
    int64_t unnamed;             /* memories of agents that Kernle cannot open */
};

/* ---- what has no column ---- */

/* Links to what Kernle has no table for, and of memories whose table has no column for them. */
static void count_links(const struct row *row)
{
    const struct memory *m = row->m;
    const int *place = row->table->place;
    int64_t lost = 0, reasons = 0, guessed = 0;
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        bool told = false;
        for (size_t k = 0; k < j->count; k++) {
            enum kernle_field field = kernle_field_of_link(row, j, j->antecedents[k].ref);
            lost += !kernle_has_kind(j->antecedents[k].ref.kind) || place[field] < 0;
            told |= field == FIELD_HISTORY;
        }
        reasons += j->reason && !told;
        guessed += j->recorded == RECORDED_HEURISTIC;
    }
    export_leave_out(row->x, PART_LINK, lost);
    export_leave_out(row->x, PART_REASON, reasons);
    export_leave_out(row->x, PART_RECORDED, guessed);
    if (place[FIELD_DERIVED_FROM] < 0 && m->annotation_count &&
        !memory_is_annotated(m, SYNTHETIC_RAW))
        export_leave_out(row->x, PART_ANNOTATION, (int64_t)m->annotation_count);
}

/* A belief that was replaced says by which one if it came from Kernle; then the other needs no column for it. */
static int is_said_there(const struct row *row, const struct relation *r, bool *said,
                         struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory old;
    *said = r->type == RELATION_SUPERSEDES && kernle_in_audit(row->m, r->to);
    if (*said || r->type != RELATION_SUPERSEDES || r->to_status == STATUS_MISSING)
        return 0;
    if (memory_read(row->x->reader, &arena, r->to_node, &old, e))
        return -1;
    const char *by =
        old.detail
            ? json_text(&arena, json_member(old.detail, strlen(old.detail), "superseded_by"), NULL)
            : NULL;
    struct ref ref;
    *said = by && (strcmp(by, row->m->ref.id) == 0 ||
                   (ref_parse(by, &ref) == REF_MEMORY && ref_equal(ref, row->m->ref)));
    return 0;
}

/* A column has one relation, processed_into a list of them. */
static int count_relations(const struct row *row, struct error *e)
{
    bool replaced = false, promoted = false, said;
    for (size_t i = 0; i < row->m->relation_count; i++) {
        const struct relation *r = &row->m->relations[i];
        bool into = r->type == RELATION_PROCESSED_INTO,
             old = r->type == RELATION_SUPERSEDES && kernle_has_kind(r->to.kind);
        bool fits = (into && row->table->place[FIELD_PROCESSED_INTO] >= 0) ||
                    (into && row->table->place[FIELD_PROMOTED_TO] >= 0 && !promoted) ||
                    (old && row->table->place[FIELD_SUPERSEDES] >= 0 && !replaced);
        replaced |= old;
        promoted |= into;
        if (!fits && is_said_there(row, r, &said, e))
            return -1;
        if (!fits && !said)
            export_leave_out(row->x, PART_RELATION, 1);
    }
    return 0;
}

/* Members of a detail that have no column. */
static void count_detail(const struct row *row, const char *original)
{
    bool other = false;
    AUTO_ARENA arena = ARENA_INIT;
    for (struct json_each it = json_each(row->detail); json_next(&it);) {
        const char *name = arena_strndup(&arena, it.key.ptr, it.key.len);
        other |= !kernle_has_name(row->table, name) && !(original && strcmp(name, original) == 0);
    }
    export_leave_out(row->x, PART_DETAIL, other);
}

static int count_rest(const struct row *row, const char *original, struct error *e)
{
    const struct memory *m = row->m;
    const int *place = row->table->place;
    export_leave_out(row->x, PART_SOURCE, m->source != NULL);
    export_leave_out(row->x, PART_STATUS,
                     m->status == STATUS_RETRACTED || m->status == STATUS_QUARANTINED);
    export_leave_out(row->x, PART_LOCK, m->is_protected && place[FIELD_PROTECTED] < 0);
    export_leave_out(row->x, PART_CONTEXT, m->context && place[FIELD_CONTEXT] < 0);
    export_leave_out(row->x, PART_TAGS, place[FIELD_TAGS] < 0 ? (int64_t)m->tag_count : 0);
    bool changes = false;
    for (size_t i = 0; i < m->history_count; i++)
        changes |= !m->history[i].origin;
    export_leave_out(row->x, PART_HISTORY, changes && place[FIELD_HISTORY] < 0);
    count_links(row);
    count_detail(row, original);
    return count_relations(row, e);
}

/* ---- the audit ---- */

/* An import adds "correlation ID" to the end of the reason. Returns the id and cuts it off; NULL if there is none. */
static const char *take_correlation(const struct row *row, const char **reason)
{
    static const char word[] = "correlation ";
    const char *found = NULL;
    for (const char *at = *reason; at && (at = strstr(at, word)); at++)
        if (at == *reason || at[-1] == ' ')
            found = at;
    if (!found || !found[strlen(word)] || strchr(found + strlen(word), ' '))
        return NULL;
    size_t len = (size_t)(found - *reason);
    *reason = len ? arena_strndup(&row->x->arena, *reason, len - 1) : NULL;
    return found + strlen(word);
}

static const char *audit_details(const struct row *row, const char *reason, const char *trigger)
{
    struct strbuf text = STRBUF_INIT;
    if (!reason && !trigger)
        return NULL;
    struct json_object o = json_begin(&text, '{');
    json_pair_if(&o, "reason", reason);
    json_pair_if(&o, "trigger_id", trigger);
    json_end(&o);
    return arena_take(&row->x->arena, &text);
}

static int write_audit_row(const struct row *row, size_t number, const struct history_entry *h,
                           struct error *e)
{
    const struct kernle *k = row->x->state;
    const struct memory *m = row->m;
    const char *reason = h->reason, *correlation = take_correlation(row, &reason);
    const char *key = arena_format(&row->x->arena, "%s:%s audit %zu", REF_ARGS(m->ref), number);
    char time[32], id[37];
    struct digest hash;
    digest_bytes(&hash, key, strlen(key));
    digest_uuid(id, &hash);
    clock_format_iso(time, sizeof(time), h->at);
    return db_run(k->db, e, "INSERT INTO memory_audit VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "ssssssss",
                  id, kind_name(m->ref.kind), m->ref.id, h->operation ? h->operation : "",
                  audit_details(row, reason, h->evidence_source), h->actor ? h->actor : "", time,
                  correlation);
}

/* What Kernle's audit said of a memory goes back there. What another system recorded has no place. */
static int write_audit(const struct row *row, struct error *e)
{
    const struct memory *m = row->m;
    for (size_t i = 0; i < m->history_count; i++) {
        bool kernles = m->history[i].origin && strcmp(m->history[i].origin, "kernle") == 0;
        if (kernles && write_audit_row(row, i, &m->history[i], e))
            return -1;
        if (!kernles)
            export_leave_out(row->x, PART_HISTORY, m->history[i].origin != NULL);
    }
    return 0;
}

/* ---- a row ---- */

static void bind(sqlite3_stmt *stmt, int at, const struct cell *cell)
{
    if (cell->type == CELL_TEXT)
        sqlite3_bind_text64(stmt, at, cell->bytes, cell->len, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (cell->type == CELL_INTEGER)
        sqlite3_bind_int64(stmt, at, cell->integer);
    else if (cell->type == CELL_REAL)
        sqlite3_bind_double(stmt, at, cell->real);
}

static int find_origin(struct row *row, struct error *e)
{
    int64_t count;
    if (db_int(reader_db(row->x->reader), &count, 0, e,
               "SELECT count(*) FROM imported i JOIN origin o ON o.id = i.origin"
               " WHERE i.memory = ? AND o.kind = 'kernle'",
               "i", row->m->node))
        return -1;
    row->native = count == 0;
    return 0;
}

/* Returns 1, or 0 if Kernle has such a row already: it has one drive of a type and one relationship of a name. */
static int insert(const struct row *row, const char *sql, struct error *e)
{
    struct kernle *k = row->x->state;
    sqlite3_stmt *stmt = db_prepare(k->db, sql, e);
    if (!stmt)
        return -1;
    for (size_t i = 0; i < row->table->count; i++) {
        struct cell cell = kernle_column_cell(row, &row->table->columns[i]);
        bind(stmt, (int)i + 1, &cell);
    }
    int result = db_step(k->db, stmt, e);
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return result < 0 ? -1 : sqlite3_changes(db_handle(k->db)) > 0;
}

/* Kernle opens the memories of an agent by its name, which it does not take as a path. */
static bool is_name(const char *agent)
{
    return !strchr(agent, '/') && !strchr(agent, '\\') && agent[strspn(agent, " \t\n.")];
}

static int write_row(struct export *x, const struct memory *m, struct error *e)
{
    struct kernle *k = x->state;
    struct row row = {.x = x, .m = m, .bytes = STRBUF_INIT};
    int done = -1;
    for (size_t i = 0; i < KERNLE_TABLES; i++)
        if (k->tables[i].kind == m->ref.kind) {
            row.table = &k->tables[i];
            row.detail = json_trim(m->detail ? m->detail : "{}", m->detail ? strlen(m->detail) : 2);
            const char *original = memory_original(m, &x->arena, &row.bytes);
            done = find_origin(&row, e) || count_rest(&row, original, e)
                       ? -1
                       : insert(&row, k->insert[i], e);
        }
    if (done == 0) {
        x->result->exported--;
        x->result->kind[m->ref.kind]++;
    }
    k->unnamed += done > 0 && !is_name(m->agent_id);
    int result = done < 0 || (done > 0 && write_audit(&row, e)) ? -1 : 0;
    strbuf_release(&row.bytes);
    return result;
}

/* ---- the store ---- */

static char *insert_sql(struct export *x, const struct kernle_table *table)
{
    struct strbuf sql = STRBUF_INIT;
    strbuf_addf(&sql, "INSERT OR IGNORE INTO %s(", table->name);
    for (size_t i = 0; i < table->count; i++) {
        strbuf_addstr(&sql, i ? ", " : "");
        kernle_quote(&sql, table->columns[i].name);
    }
    strbuf_addstr(&sql, ") VALUES (");
    for (size_t i = 0; i < table->count; i++)
        strbuf_addstr(&sql, i ? ", ?" : "?");
    strbuf_addch(&sql, ')');
    return arena_take(&x->kept, &sql);
}

static int open_store(struct export *x, struct error *e)
{
    struct kernle *k = x->state = arena_alloc(&x->kept, sizeof(*k));
    k->db = db_open(x->path, DB_WRITE, e);
    if (!k->db || db_exec(k->db, "BEGIN", e))
        return -1;
    for (size_t i = 0; kernle_schema[i]; i++)
        if (db_exec(k->db, kernle_schema[i], e))
            return -1;
    for (size_t i = 0; i < KERNLE_TABLES; i++) {
        if (kernle_open_table(k->db, &x->kept, i, &k->tables[i], e) < 0)
            return -1;
        k->insert[i] = insert_sql(x, &k->tables[i]);
    }
    return 0;
}

/* The store becomes one file: without it, the last changes would stand in a log next to it. */
static int finish_store(struct export *x, struct error *e)
{
    struct kernle *k = x->state;
    if (k->unnamed)
        snprintf(x->result->note, sizeof(x->result->note),
                 k->unnamed == 1
                     ? "%lld memory belongs to an agent whose name Kernle does not open"
                     : "%lld memories belong to agents whose names Kernle does not open",
                 (long long)k->unnamed);
    return failed_if(db_exec(k->db, "COMMIT", e) || db_exec(k->db, "PRAGMA journal_mode = DELETE", e));
}

static void close_store(struct export *x)
{
    struct kernle *k = x->state;
    if (k)
        db_close(k->db);
}

const struct export_format export_as_kernle = {
    .name = "kernle",
    .about = "a store that Kernle opens (schema 26); the kinds that Kernle has",
    .target = EXPORT_STORE,
    .parts = PARTS_ALL & ~(1u << PART_FLAG | 1u << PART_ALL | 1u << PART_USE),
    .kinds = KIND_BIT(KIND_RAW) | KIND_BIT(KIND_EPISODE) | KIND_BIT(KIND_BELIEF) |
             KIND_BIT(KIND_NOTE) | KIND_BIT(KIND_VALUE) | KIND_BIT(KIND_GOAL) |
             KIND_BIT(KIND_DRIVE) | KIND_BIT(KIND_RELATIONSHIP) | KIND_BIT(KIND_SUGGESTION),
    .statuses = STATUSES_ALL & ~(STATUS_BIT(STATUS_PURGED) | STATUS_BIT(STATUS_PENDING) |
                                 STATUS_BIT(STATUS_REJECTED)),
    .begin = open_store,
    .memory = write_row,
    .end = finish_store,
    .close = close_store,
};
