/*
 * Writes decisions back into a Kernle store, by Kernle's own rules (kernle/storage/memory_ops.py): forgetting sets the
 * strength to 0, verifying raises it by 0.1 and counts, a replaced belief is inactive and names its successor, and
 * each of these is a row of memory_audit. All rows are written in one transaction, and only if each value is still the
 * one that was read.
 */
#include <math.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/digest.h"
#include "store/import/import_run.h"
#include "store/import/kernle/kernle_map.h"
#include "store/import/write_back.h"

#define RECOVERED 0.2 /* the strength of a memory that was recovered */
#define VERIFIED  0.1 /* what verifying adds to the strength */

struct write_cell {
    const char *column;
    struct cell old, fresh;
};

/* A row to update, or to insert. */
struct write_row {
    const char *table;
    struct cell id;
    bool insert;
    struct write_cell *cell;
    size_t count, alloc;
};

struct kernle_write {
    struct write_back *w;
    struct db *db;
    struct kernle_table tables[KERNLE_TABLES];
    bool present[KERNLE_TABLES];
    const char *now;
    struct kernle_report
        unread; /* values that were not understood were told when they were imported */
    /* the row of the decision */
    struct decision *d;
    const struct kernle_table *table;
    struct cell *cells;
    struct write_row row;
};

/* ---- cells ---- */

static struct cell text_cell(const char *text)
{
    return text ? (struct cell){.type = CELL_TEXT, .bytes = text, .len = strlen(text)}
                : (struct cell){.type = CELL_NULL};
}

static struct cell int_cell(int64_t value)
{
    return (struct cell){.type = CELL_INTEGER, .integer = value};
}

static struct cell real_cell(double value)
{
    return (struct cell){.type = CELL_REAL, .real = value};
}

static double number_of(const struct cell *cell, double otherwise)
{
    return cell->type == CELL_REAL      ? cell->real
           : cell->type == CELL_INTEGER ? (double)cell->integer
                                        : otherwise;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    bool bytes = cell_is_bytes(a) && cell_is_bytes(b);
    if (bytes || a->type == CELL_NULL || b->type == CELL_NULL)
        return bytes ? a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0
                     : a->type == b->type;
    return !cell_is_bytes(a) && !cell_is_bytes(b) && number_of(a, 0) == number_of(b, 0);
}

/* As it is shown; NULL for NULL. */
static const char *shown(struct arena *arena, const struct cell *cell)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (cell_is_bytes(cell))
        return arena_strndup(arena, cell->bytes, cell->len);
    if (cell->type == CELL_NULL)
        return NULL;
    if (cell->type == CELL_INTEGER)
        json_add_int(&text, cell->integer);
    else
        json_add_double(&text, cell->real);
    return arena_strdup(arena, text.buf);
}

/* As Python writes it, for its older versions read no "Z". */
static const char *time_text(struct arena *arena, int64_t ms)
{
    char text[40];
    clock_format_iso(text, sizeof(text), ms);
    text[strcspn(text, "Z")] = '\0';
    return arena_format(arena, "%s+00:00", text);
}

static int bind_cell(sqlite3_stmt *stmt, int at, const struct cell *c)
{
    switch (c->type) {
    case CELL_INTEGER:
        return sqlite3_bind_int64(stmt, at, c->integer);
    case CELL_REAL:
        return sqlite3_bind_double(stmt, at, c->real);
    case CELL_TEXT:
        return sqlite3_bind_text(stmt, at, c->bytes, (int)c->len, SQLITE_TRANSIENT);
    case CELL_BLOB:
        return sqlite3_bind_blob(stmt, at, c->bytes, (int)c->len, SQLITE_TRANSIENT);
    case CELL_NULL:
        break;
    }
    return sqlite3_bind_null(stmt, at);
}

static struct cell kept_cell(struct arena *arena, sqlite3_stmt *stmt, int column)
{
    struct cell cell = kernle_read_cell(stmt, column);
    if (cell_is_bytes(&cell))
        cell.bytes = arena_memdup(arena, cell.bytes, cell.len + 1);
    return cell;
}

/* ---- the row of a decision ---- */

static const struct cell *cell_named(const struct kernle_write *k, const char *column)
{
    for (size_t i = 0; i < k->table->count; i++)
        if (strcmp(k->table->columns[i].name, column) == 0)
            return &k->cells[i];
    return NULL;
}

/* Sets a column, if the table has it and it differs. `tell` adds it to what people read. */
static bool set(struct kernle_write *k, const char *column, struct cell fresh, bool tell)
{
    const struct cell *old = cell_named(k, column);
    struct arena *arena = k->w->arena;
    if (!old || same_cell(old, &fresh))
        return old != NULL;
    *ARENA_ADD(arena, k->row.cell, k->row.count, k->row.alloc) =
        (struct write_cell){column, *old, fresh};
    if (tell)
        write_back_change(k->w, k->d, arena_format(arena, "%s.%s", k->table->name, column),
                          shown(arena, old), shown(arena, &fresh));
    return true;
}

static const char *column_of(const struct kernle_write *k, enum kernle_field field)
{
    int at = k->table->place[field];
    return at < 0 ? NULL : k->table->columns[at].name;
}

static void add_row(struct kernle_write *k, const struct write_row *row)
{
    *ARENA_ADD(k->w->arena, k->w->row, k->w->row_count, k->w->row_alloc) = *row;
}

static void put(struct kernle_write *k, struct write_row *row, const char *column,
                struct cell fresh)
{
    *ARENA_ADD(k->w->arena, row->cell, row->count, row->alloc) =
        (struct write_cell){.column = column, .fresh = fresh};
}

/* A row of memory_audit, as Kernle keeps it. */
static int audit(struct kernle_write *k, const char *operation, const char *details,
                 struct error *e)
{
    static const char *const columns[] = {"id",      "memory_type", "memory_id", "operation",
                                          "details", "actor",       "created_at"};
    const struct memory *m = &k->d->now;
    struct arena *arena = k->w->arena;
    const char *id = import_make_id(arena, "kernle audit", kind_name(m->ref.kind), m->ref.id,
                                    operation, k->now, NULL);
    const char *values[] = {
        id,        kind_name(m->ref.kind),
        m->ref.id, operation,
        details,   arena_format(arena, "stemma:%s", k->d->who ? k->d->who : "unknown"),
        k->now};
    struct write_row row = {.table = "memory_audit", .id = text_cell(id), .insert = true};
    for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
        int has = kernle_has_column(k->db, row.table, columns[i], e);
        if (has <= 0)
            return has; /* another version keeps another audit */
        put(k, &row, columns[i], text_cell(values[i]));
    }
    add_row(k, &row);
    return 0;
}

static const char *reason_json(struct kernle_write *k)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (!k->d->why)
        return NULL;
    struct json_object o = json_begin(&text, '{');
    json_pair(&o, "reason", k->d->why);
    json_end(&o);
    return arena_strdup(k->w->arena, text.buf);
}

/* ---- rules ---- */

/* Kernle forgets by a strength of 0, older versions by a flag; it deletes by another. */
static int end(struct kernle_write *k, struct error *e)
{
    bool forgets = k->d->now.status < STATUS_DELETED &&
                   (cell_named(k, "strength") || cell_named(k, "is_forgotten"));
    if (!forgets) {
        if (!set(k, "deleted", int_cell(1), true))
            write_back_cannot(k->w, k->d, "%s; this table has no column for it", k->d->verb);
        return 0;
    }
    set(k, "is_protected", int_cell(k->d->now.is_protected), true);
    set(k, "strength", real_cell(0), true);
    set(k, "is_forgotten", int_cell(1), !cell_named(k, "strength"));
    set(k, "forgotten_at", text_cell(k->now), false);
    set(k, "forgotten_reason", text_cell(k->d->why), false);
    return audit(k, "forget", reason_json(k), e);
}

static int recover(struct kernle_write *k, struct error *e)
{
    set(k, "deleted", int_cell(0), true);
    set(k, "strength", real_cell(RECOVERED), true);
    set(k, "is_forgotten", int_cell(0), !cell_named(k, "strength"));
    set(k, "forgotten_at", text_cell(NULL), false);
    set(k, "forgotten_reason", text_cell(NULL), false);
    return audit(k, "recover", NULL, e);
}

static int verify(struct kernle_write *k, struct error *e)
{
    const struct flag *approval = k->d->approval;
    const struct cell *last = cell_named(k, "last_verified"),
                      *count = cell_named(k, "verification_count"),
                      *strength = cell_named(k, "strength");
    int64_t before = 0;
    if (!approval)
        return 0;
    if (!last || !count) {
        write_back_cannot(k->w, k->d, "approved by %s; this table has no column for it",
                          approval->actor ? approval->actor : "a person");
        return 0;
    }
    if (kernle_cell_time(last, &before) > 0 && before >= approval->at)
        return 0;
    set(k, "last_verified", text_cell(time_text(k->w->arena, approval->at)), true);
    set(k, "verification_count", int_cell((int64_t)number_of(count, 0) + 1), true);
    if (strength)
        set(k, "strength", real_cell(fmin(1, number_of(strength, 1) + VERIFIED)), true);
    return audit(k, "verify", reason_json(k), e);
}

static const char *list_json(struct arena *arena, const char **items, size_t count)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct json_object list = json_begin(&text, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&list);
        json_add_string(&text, items[i]);
    }
    json_end(&list);
    return arena_strdup(arena, text.buf);
}

/* Kernle keeps the text of some kinds in several columns, and indexes that of raw entries itself. */
static void edit_text(struct kernle_write *k, const struct memory *was)
{
    const struct memory *m = &k->d->now;
    static const unsigned whole = KIND_BIT(KIND_EPISODE) | KIND_BIT(KIND_BELIEF) |
                                  KIND_BIT(KIND_NOTE) | KIND_BIT(KIND_VALUE) | KIND_BIT(KIND_GOAL);
    if (strcmp(m->text, was->text) == 0)
        return;
    if (!(whole & KIND_BIT(m->ref.kind)) || !column_of(k, FIELD_TEXT))
        write_back_cannot(k->w, k->d, "its new text: Kernle makes it of several columns");
    else
        set(k, column_of(k, FIELD_TEXT), text_cell(m->text), true);
}

static bool same_tags(const struct memory *a, const struct memory *b)
{
    for (size_t i = 0; i < a->tag_count && i < b->tag_count; i++)
        if (strcmp(a->tags[i], b->tags[i]) != 0)
            return false;
    return a->tag_count == b->tag_count;
}

static void edit(struct kernle_write *k, const struct memory *was)
{
    const struct memory *m = &k->d->now;
    size_t before = k->row.count;
    edit_text(k, was);
    if (fabs(m->confidence - was->confidence) >= 0.0005 &&
        !set(k, "confidence", real_cell(m->confidence), true))
        write_back_cannot(k->w, k->d, "its confidence; this table has no column for it");
    if (!same_tags(m, was) &&
        !set(k, "tags", text_cell(list_json(k->w->arena, m->tags, m->tag_count)), true))
        write_back_cannot(k->w, k->d, "its tags; this table has no column for them");
    if (m->is_protected != was->is_protected &&
        !set(k, "is_protected", int_cell(m->is_protected), true))
        write_back_cannot(k->w, k->d, "%s; this table has no column for it",
                          m->is_protected ? "locked" : "unlocked");
    const struct cell *version = cell_named(k, "version");
    if (k->row.count > before && version)
        set(k, "version", int_cell((int64_t)number_of(version, 1) + 1), false);
}

/* The new belief: what Kernle copies comes from the row of the old one. */
static void insert_successor(struct kernle_write *k, const struct memory *m)
{
    static const char *const copied[] = {
        "stack_id",      "agent_id",       "belief_type",   "source_episodes",   "context",
        "context_tags",  "belief_scope",   "source_domain", "abstraction_level", "subject_ids",
        "access_grants", "consent_grants", "epoch_id"};
    struct arena *arena = k->w->arena;
    const char *old = arena_format(arena, "belief:%s", k->d->now.ref.id);
    struct write_row row = {.table = k->table->name, .id = text_cell(m->ref.id), .insert = true};
    const struct {
        const char *column;
        struct cell value;
    } own[] = {{column_of(k, FIELD_ID), row.id},
               {column_of(k, FIELD_TEXT), text_cell(m->text)},
               {"confidence", real_cell(m->confidence)},
               {"created_at", text_cell(k->now)},
               {"local_updated_at", text_cell(k->now)},
               {"source_type", text_cell(m->source_type)},
               {"derived_from", text_cell(list_json(arena, &old, 1))},
               {"supersedes", text_cell(k->d->now.ref.id)},
               {"is_active", int_cell(1)}};
    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
        if (own[i].column && cell_named(k, own[i].column))
            put(k, &row, own[i].column, own[i].value);
    for (size_t i = 0; i < sizeof(copied) / sizeof(*copied); i++)
        if (cell_named(k, copied[i]))
            put(k, &row, copied[i], *cell_named(k, copied[i]));
    add_row(k, &row);
    write_back_agree(k->w, m);
    write_back_change(
        k->w, k->d, arena_format(arena, "a new row of %s: %s", row.table, column_of(k, FIELD_TEXT)),
        NULL, m->text);
}

static int has_row(struct kernle_write *k, const char *id, struct error *e)
{
    int64_t count;
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addf(&sql, "SELECT count(*) FROM %s WHERE ", k->table->name);
    kernle_quote(&sql, column_of(k, FIELD_ID));
    strbuf_addstr(&sql, " = ?");
    return db_int(k->db, &count, 0, e, sql.buf, "s", id) ? -1 : count > 0;
}

static int replace(struct kernle_write *k, struct error *e)
{
    const struct memory *by = k->d->successor;
    if (!column_of(k, FIELD_SUPERSEDED_BY) || !column_of(k, FIELD_TEXT)) {
        write_back_cannot(k->w, k->d, "replaced; this table has no column for it");
        return 0;
    }
    set(k, "is_active", int_cell(0), true);
    set(k, column_of(k, FIELD_SUPERSEDED_BY), text_cell(by->ref.id), true);
    int has = has_row(k, by->ref.id, e);
    if (has == 0)
        insert_successor(k, by);
    return has < 0 ? -1 : 0;
}

/* What differs between the row and the memory here. */
static int compare(struct kernle_write *k, const struct memory *was, struct error *e)
{
    const struct decision *d = k->d;
    bool ended = !STATUS_LIVES(was->status);
    if (!STATUS_LIVES(d->now.status))
        return ended ? 0 : end(k, e);
    if (ended && recover(k, e))
        return -1;
    if (d->now.status == STATUS_SUPERSEDED)
        return was->status == STATUS_SUPERSEDED || !d->successor ? 0 : replace(k, e);
    if (was->status == STATUS_SUPERSEDED) {
        set(k, "is_active", int_cell(1), true);
        set(k, "superseded_by", text_cell(NULL), true);
    }
    edit(k, was);
    return verify(k, e);
}

/* ---- the plan ---- */

/* Reads the row of a memory. Returns 1, or 0 if the store no longer has it. */
static int read_row(struct kernle_write *k, const char *id, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addstr(&sql, "SELECT ");
    for (size_t i = 0; i < k->table->count; i++) {
        strbuf_addstr(&sql, i ? ", " : "");
        kernle_quote(&sql, k->table->columns[i].name);
    }
    strbuf_addf(&sql, " FROM %s WHERE ", k->table->name);
    kernle_quote(&sql, column_of(k, FIELD_ID));
    strbuf_addstr(&sql, " = ?");
    struct query row = db_query(k->db, e, sql.buf, "s", id);
    bool any = db_next(&row);
    k->cells = arena_array(k->w->arena, k->table->count, sizeof(*k->cells));
    for (size_t i = 0; any && i < k->table->count; i++)
        k->cells[i] = kept_cell(k->w->arena, row.stmt, (int)i);
    return db_end(&row) ? -1 : any;
}

static int plan_one(struct kernle_write *k, struct error *e)
{
    struct memory was;
    struct kernle_row row = {.table = k->table, .number = 1};
    int has = read_row(k, k->d->now.ref.id, e);
    row.cells = k->cells;
    if (has <= 0 || !kernle_map(&row, k->w->now, k->w->arena, &was, &k->unread))
        return has < 0 ? -1 : 0;
    k->row = (struct write_row){.table = k->table->name, .id = k->cells[k->table->place[FIELD_ID]]};
    if (compare(k, &was, e))
        return -1;
    if (k->row.count) {
        write_back_agree(k->w, &k->d->now);
        set(k, "local_updated_at", text_cell(k->now), false);
        add_row(k, &k->row);
    }
    return 0;
}

static int plan_all(struct kernle_write *k, struct error *e)
{
    for (size_t i = 0; i < KERNLE_TABLES; i++) {
        int has = kernle_open_table(k->db, k->w->arena, i, &k->tables[i], e);
        if (has < 0)
            return -1;
        k->present[i] = has > 0;
    }
    for (size_t n = 0; n < k->w->count; n++) {
        k->d = &k->w->decision[n];
        for (size_t i = 0; i < KERNLE_TABLES; i++) {
            k->table = &k->tables[i];
            if (k->present[i] && k->table->kind == k->d->now.ref.kind && plan_one(k, e))
                return -1;
        }
    }
    return 0;
}

static int plan(struct write_back *w, struct error *e)
{
    struct kernle_write k = {.w = w, .now = time_text(w->arena, w->now)};
    if (import_check_kind(w->path, "kernle", e) || !(k.db = db_open(w->path, DB_FOREIGN, e)))
        return -1;
    int result = plan_all(&k, e);
    db_close(k.db);
    return result;
}

/* ---- writing ---- */

static int conflict(const char *path, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Run it again to see what would be written now.",
                     "%s changed since it was read", path);
}

/* `column` with a comma or another word before it, and what follows. */
static void add_column(struct strbuf *sql, const char *before, const char *column,
                       const char *after)
{
    strbuf_addstr(sql, before);
    kernle_quote(sql, column);
    strbuf_addstr(sql, after);
}

static void write_sql(struct strbuf *sql, const struct write_row *row)
{
    strbuf_addstr(sql, row->insert ? "INSERT INTO " : "UPDATE ");
    kernle_quote(sql, row->table);
    for (size_t i = 0; i < row->count; i++)
        add_column(sql,
                   row->insert ? (i ? ", " : "(")
                   : i         ? ", "
                               : " SET ",
                   row->cell[i].column, row->insert ? "" : " = ?");
    if (row->insert) {
        for (size_t i = 0; i < row->count; i++)
            strbuf_addstr(sql, i ? ", ?" : ") VALUES (?");
        strbuf_addch(sql, ')');
        return;
    }
    strbuf_addstr(sql, " WHERE id = ?");
    for (size_t i = 0; i < row->count; i++)
        add_column(sql, " AND ", row->cell[i].column, " IS ?");
}

static int write_row(struct db *db, const struct write_row *row, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    int at = 0;
    write_sql(&sql, row);
    sqlite3_stmt *stmt = db_prepare(db, sql.buf, e);
    if (!stmt)
        return -1;
    for (size_t i = 0; i < row->count; i++)
        bind_cell(stmt, ++at, &row->cell[i].fresh);
    if (!row->insert)
        bind_cell(stmt, ++at, &row->id);
    for (size_t i = 0; i < row->count && !row->insert; i++)
        bind_cell(stmt, ++at, &row->cell[i].old);
    int stepped = db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return stepped < 0 ? -1 : sqlite3_changes(db_handle(db)) == 1 ? 0 : conflict(db_path(db), e);
}

static int cannot_copy(int code, const char *backup, struct error *e)
{
    return error_set(e, ERROR_STORE, "Free some space.", "cannot write the copy %s: %s", backup,
                     sqlite3_errstr(code));
}

/* The state before, as a store of Kernle. The caller's transaction keeps others from writing meanwhile. */
static int copy_to(const char *path, const char *backup, struct error *e)
{
    sqlite3 *to = NULL;
    struct db *from = db_open(path, DB_FOREIGN, e);
    if (!from)
        return -1;
    int code = sqlite3_open_v2(backup, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL);
    sqlite3_backup *run =
        code == SQLITE_OK ? sqlite3_backup_init(to, "main", db_handle(from), "main") : NULL;
    if (run) {
        sqlite3_backup_step(run, -1);
        code = sqlite3_backup_finish(run);
    } else if (code == SQLITE_OK) {
        code = sqlite3_errcode(to);
    }
    sqlite3_close(to);
    db_close(from);
    return code == SQLITE_OK ? 0 : cannot_copy(code, backup, e);
}

static int begin(struct db *db, struct error *e)
{
    if (db_exec(db, "BEGIN IMMEDIATE", e) == 0)
        return 0;
    if ((sqlite3_errcode(db_handle(db)) & 0xff) == SQLITE_BUSY)
        error_set(e, ERROR_BUSY, "Try again when it is done.", "another program is writing to %s",
                  db_path(db));
    if ((sqlite3_errcode(db_handle(db)) & 0xff) == SQLITE_READONLY)
        error_set(e, ERROR_REFUSED, "Check its permissions.", "%s cannot be written", db_path(db));
    return -1;
}

static int finish(struct db *db, int result, struct error *e)
{
    struct error ignored;
    if (result == 0)
        result = db_exec(db, "COMMIT", e);
    if (result)
        db_exec(db, "ROLLBACK", &ignored);
    db_close(db);
    return result;
}

static int write_all(struct write_back *w, const char *backup, struct error *e)
{
    struct db *db = db_open(w->path, DB_APPLY, e);
    if (!db || begin(db, e)) {
        db_close(db);
        return -1;
    }
    int result = copy_to(w->path, backup, e);
    for (size_t i = 0; i < w->row_count && result == 0; i++)
        result = write_row(db, &w->row[i], e);
    return finish(db, result, e);
}

/* ---- undo ---- */

static void digest_cell(struct digest_run *run, const struct cell *c)
{
    char number[40];
    if (cell_is_bytes(c)) {
        digest_run_add(run, c->bytes, c->len);
    } else if (c->type != CELL_NULL) {
        int len = snprintf(number, sizeof(number), "%.17g", number_of(c, 0));
        digest_run_add(run, number, (size_t)len);
    }
    digest_run_add(run, c->type == CELL_NULL ? "-" : "", 1);
}

static void note(const struct write_back *w, struct json_object *list)
{
    for (size_t i = 0; i < w->row_count; i++) {
        const struct write_row *row = &w->row[i];
        struct json_object o = json_item_open(list, '{');
        struct digest_run run;
        struct digest hash;
        char hex[2 * DIGEST_SIZE + 1];
        json_pair(&o, "table", row->table);
        json_pair(&o, "id", shown(w->arena, &row->id));
        struct json_object columns = json_open(&o, "columns", '[');
        digest_run_begin(&run);
        for (size_t n = 0; n < row->count; n++) {
            json_item(&columns);
            json_add_string(columns.out, row->cell[n].column);
            digest_cell(&run, &row->cell[n].fresh);
        }
        json_end(&columns);
        digest_run_end(&run, &hash);
        digest_hex(hex, &hash);
        json_pair(&o, "after", hex);
        json_end(&o);
    }
}

/* Reads the columns of the row, as its old values or as its new ones. */
static int read_cells(struct db *db, struct arena *arena, const struct write_row *row, bool old,
                      bool *any, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    for (size_t i = 0; i < row->count; i++)
        add_column(&sql, i ? ", " : "SELECT ", row->cell[i].column, "");
    add_column(&sql, " FROM ", row->table, " WHERE id = ?");
    sqlite3_stmt *stmt = db_prepare(db, sql.buf, e);
    if (!stmt)
        return -1;
    bind_cell(stmt, 1, &row->id);
    int stepped = db_step(db, stmt, e);
    *any = stepped > 0;
    for (size_t i = 0; *any && i < row->count; i++)
        *(old ? &row->cell[i].old : &row->cell[i].fresh) = kept_cell(arena, stmt, (int)i);
    sqlite3_reset(stmt);
    return stepped < 0 ? -1 : 0;
}

static bool is_as_noted(const struct write_row *row, const char *after)
{
    struct digest_run run;
    struct digest hash, noted;
    digest_run_begin(&run);
    for (size_t i = 0; i < row->count; i++)
        digest_cell(&run, &row->cell[i].old);
    digest_run_end(&run, &hash);
    return after && digest_from_hex(&noted, after) == 0 && digest_equal(&hash, &noted);
}

static int delete_row(struct db *db, const struct write_row *row, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    add_column(&sql, "DELETE FROM ", row->table, " WHERE id = ?");
    sqlite3_stmt *stmt = db_prepare(db, sql.buf, e);
    if (!stmt)
        return -1;
    bind_cell(stmt, 1, &row->id);
    int stepped = db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return stepped < 0 ? -1 : 0;
}

static int undo_one(struct db *db, struct db *copy, struct arena *arena, struct json_slice noted,
                    struct error *e)
{
    struct json_slice columns = json_member(noted.ptr, noted.len, "columns");
    struct write_row row = {
        .table = json_text_repaired(arena, json_member(noted.ptr, noted.len, "table")),
        .id = text_cell(json_text_repaired(arena, json_member(noted.ptr, noted.len, "id"))),
        .cell = arena_array(arena, json_count(columns) + 1, sizeof(*row.cell))};
    bool there = false, had = false;
    for (struct json_each it = json_each(columns); json_next(&it);)
        if ((row.cell[row.count].column = json_text_repaired(arena, it.value)))
            row.count++;
    if (!row.table || row.count == 0)
        return 0;
    if (read_cells(db, arena, &row, true, &there, e) ||
        read_cells(copy, arena, &row, false, &had, e))
        return -1;
    const char *after = json_text_repaired(arena, json_member(noted.ptr, noted.len, "after"));
    if (!there || !is_as_noted(&row, after))
        return error_set(e, ERROR_CONFLICT, "Compare it with the copy, and change it there.",
                         "%s %.40s in %s changed since it was written", row.table,
                         row.id.bytes ? row.id.bytes : "", db_path(db));
    return had ? write_row(db, &row, e) : delete_row(db, &row, e);
}

static int undo(const char *path, const char *backup, struct json_slice noted, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct db *copy = db_open(backup, DB_FOREIGN, e),
              *db = copy ? db_open(path, DB_APPLY, e) : NULL;
    if (!db || begin(db, e)) {
        db_close(db);
        db_close(copy);
        return -1;
    }
    int result = 0;
    for (struct json_each it = json_each(noted); result == 0 && json_next(&it);)
        result = undo_one(db, copy, &arena, it.value, e);
    db_close(copy);
    return finish(db, result, e);
}

const struct write_back_rules kernle_write_back = {
    .plan = plan, .write = write_all, .note = note, .undo = undo};
