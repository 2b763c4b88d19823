/*
 * Writes decisions back into a Kernle store, by Kernle's own rules (kernle/storage/memory_ops.py): forgetting sets the
 * strength to 0, verifying raises it by 0.1 and counts, a replaced belief is inactive and names its successor, and
 * each of these is a row of memory_audit. All rows are written in one transaction, and only if each value is still the
 * one that was read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "store/import/import_run.h"
#include "store/import/kernle/kernle_map.h"
#include "store/import/write_back.h"

struct write_cell {
    const char *column;
    struct cell old, fresh;
};

/* A row to update, to insert or to delete. */
struct write_row {
    const char *table;
    struct cell id;
    bool insert, remove;
    struct write_cell *cell;
    size_t count, alloc;
};

/* ---- cells ---- */

static struct cell cell_of_text(const char *text)
{
    return text ? (struct cell){.type = CELL_TEXT, .bytes = text, .len = strlen(text)}
                : (struct cell){.type = CELL_NULL};
}
static double cell_number_or(const struct cell *cell, double otherwise)
{
    return cell->type == CELL_REAL      ? cell->real
           : cell->type == CELL_INTEGER ? (double)cell->integer
                                        : otherwise;
}
/* As it is shown, in the arena; NULL for NULL. */
static const char *cell_shown(struct arena *arena, const struct cell *cell)
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
/* A column of the statement's row, in the arena. */
static struct cell cell_kept(struct arena *arena, sqlite3_stmt *stmt, int column)
{
    struct cell cell = kernle_read_cell(stmt, column);
    if (cell_is_bytes(&cell))
        cell.bytes = arena_memdup(arena, cell.bytes, cell.len + 1);
    return cell;
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
    strbuf_addstr(sql, row->insert ? "INSERT INTO " : row->remove ? "DELETE FROM " : "UPDATE ");
    kernle_quote(sql, row->table);
    for (size_t i = 0; i < row->count && !row->remove; i++)
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
    for (size_t i = 0; i < row->count && !row->remove; i++)
        bind_cell(stmt, ++at, &row->cell[i].fresh);
    if (!row->insert)
        bind_cell(stmt, ++at, &row->id);
    for (size_t i = 0; i < row->count && !row->insert; i++)
        bind_cell(stmt, ++at, &row->cell[i].old);
    int stepped = db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return stepped < 0 ? -1 : sqlite3_changes(db_handle(db)) == 1 ? 0 : conflict(db_path(db), e);
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

/* The functions of kernle_write_back: see write_back.h. */
static int kernle_write_rows(struct write_back *w, const char *backup, struct error *e)
{
    struct db *db = db_open(w->path, DB_APPLY, e);
    if (!db || begin(db, e)) {
        db_close(db);
        return -1;
    }
    /* The state before, as a store of Kernle. This transaction keeps others from writing meanwhile. */
    int result = backup ? db_copy(w->path, DB_FOREIGN, backup, e) : 0;
    for (size_t i = 0; i < w->row_count && result == 0; i++)
        result = write_row(db, &w->row[i], e);
    return finish(db, result, e);
}

/* ---- undo ---- */

/* When Kernle last changed the row; a row of the audit never changes. It sets this time with each change of content,
 * so no hash of the content is needed, which would outlive a purge. NULL if the row has no such column. */
static const struct cell *time_of(const struct write_row *row, bool old)
{
    static const char *const columns[] = {"local_updated_at", "created_at"};
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < row->count; i++)
            if (strcmp(row->cell[i].column, columns[n]) == 0)
                return old ? &row->cell[i].old : &row->cell[i].fresh;
    return NULL;
}

static void kernle_note_rows(const struct write_back *w, struct json_object *list)
{
    for (size_t i = 0; i < w->row_count; i++) {
        const struct write_row *row = &w->row[i];
        struct json_object o = json_item_open(list, '{');
        const struct cell *at = time_of(row, false);
        json_pair(&o, "table", row->table);
        json_pair(&o, "id", cell_shown(w->arena, &row->id));
        struct json_object columns = json_open(&o, "columns", '[');
        for (size_t n = 0; n < row->count; n++)
            json_item_string(&columns, row->cell[n].column);
        json_end(&columns);
        json_pair_if(&o, "at", at ? cell_shown(w->arena, at) : NULL);
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
        *(old ? &row->cell[i].old : &row->cell[i].fresh) = cell_kept(arena, stmt, (int)i);
    sqlite3_reset(stmt);
    return stepped < 0 ? -1 : 0;
}

static void add_changes(struct write_back *w, const struct write_row *row)
{
    if (row->remove)
        write_back_change(w, NULL, arena_format(w->arena, "a row of %s", row->table),
                          cell_shown(w->arena, &row->id), NULL);
    for (size_t i = 0; i < row->count && !row->remove; i++) {
        const char *old = cell_shown(w->arena, &row->cell[i].old),
                   *fresh = cell_shown(w->arena, &row->cell[i].fresh);
        if (!same_text(old, fresh))
            write_back_change(w, NULL,
                              arena_format(w->arena, "%s.%s of %.8s", row->table,
                                           row->cell[i].column, cell_shown(w->arena, &row->id)),
                              old, fresh);
    }
}

/* Reads what the row has and what it had. One that was inserted is deleted. */
static int undo_one(struct write_back *w, struct db *db, struct db *copy, struct json_slice noted,
                    struct error *e)
{
    struct arena *arena = w->arena;
    struct json_slice columns = json_member(noted.ptr, noted.len, "columns");
    struct write_row row = {
        .table = json_text_repaired(arena, json_member(noted.ptr, noted.len, "table")),
        .id = cell_of_text(json_text_repaired(arena, json_member(noted.ptr, noted.len, "id"))),
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
    const char *noted_at = json_text_repaired(arena, json_member(noted.ptr, noted.len, "at"));
    const struct cell *at = there ? time_of(&row, true) : NULL;
    if (!at || !noted_at || !same_text(cell_shown(arena, at), noted_at))
        return error_set(e, ERROR_CONFLICT, "Compare it with the copy, and change it there.",
                         "%s %.40s in %s changed since it was written", row.table,
                         row.id.bytes ? row.id.bytes : "", db_path(db));
    row.remove = !had;
    add_changes(w, &row);
    *ARENA_ADD(arena, w->row, w->row_count, w->row_alloc) = row;
    return 0;
}

static int kernle_undo_rows(struct write_back *w, const char *backup, struct json_slice noted,
                            struct error *e)
{
    struct db *copy = db_open(backup, DB_FOREIGN, e),
              *db = copy ? db_open(w->path, DB_FOREIGN, e) : NULL;
    int result = db ? 0 : -1;
    for (struct json_each it = json_each(noted); result == 0 && json_next(&it);)
        result = undo_one(w, db, copy, it.value, e);
    db_close(db);
    db_close(copy);
    return result;
}

/* ---- decisions ---- */

#define RECOVERED 0.2 /* the strength of a memory that was recovered */
#define VERIFIED  0.1 /* what verifying adds to the strength */

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
    bool differs; /* in what was not changed here: Kernle changed that since it was imported */
};

/* ---- cells ---- */

static struct cell int_cell(int64_t value)
{
    return (struct cell){.type = CELL_INTEGER, .integer = value};
}

static struct cell real_cell(double value)
{
    return (struct cell){.type = CELL_REAL, .real = value};
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    bool bytes = cell_is_bytes(a) && cell_is_bytes(b);
    if (bytes || a->type == CELL_NULL || b->type == CELL_NULL)
        return bytes ? a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0
                     : a->type == b->type;
    return !cell_is_bytes(a) && !cell_is_bytes(b) && cell_number_or(a, 0) == cell_number_or(b, 0);
}

/* As Python writes it, for its older versions read no "Z". */
static const char *time_text(struct arena *arena, int64_t ms)
{
    char text[40];
    clock_format_iso(text, sizeof(text), ms);
    text[strcspn(text, "Z")] = '\0';
    return arena_format(arena, "%s+00:00", text);
}

/* ---- the row of a decision ---- */

static const struct cell *cell_named(const struct kernle_write *k, const char *column)
{
    for (size_t i = 0; i < k->table->count; i++)
        if (strcmp(k->table->columns[i].name, column) == 0)
            return &k->cells[i];
    return NULL;
}

static const char *place_of(const struct kernle_write *k, const char *column)
{
    return arena_format(k->w->arena, "%s.%s", k->table->name, column ? column : "text");
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
        write_back_change(k->w, k->d, place_of(k, column), cell_shown(arena, old),
                          cell_shown(arena, &fresh));
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
    const struct memory *m = k->d->now;
    struct arena *arena = k->w->arena;
    const char *id = import_make_id(arena, "kernle audit", kind_name(m->ref.kind), m->ref.id,
                                    operation, k->now, NULL);
    const char *values[] = {
        id,        kind_name(m->ref.kind),
        m->ref.id, operation,
        details,   arena_format(arena, "stemma:%s", k->d->who ? k->d->who : "unknown"),
        k->now};
    struct write_row row = {.table = "memory_audit", .id = cell_of_text(id), .insert = true};
    for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
        int has = kernle_has_column(k->db, row.table, columns[i], e);
        if (has <= 0)
            return has; /* another version keeps another audit */
        put(k, &row, columns[i], cell_of_text(values[i]));
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

/* Kernle keeps the text of other kinds in several columns, and indexes that of raw entries itself. */
static const char *text_column(const struct kernle_write *k)
{
    static const unsigned whole = KIND_BIT(KIND_EPISODE) | KIND_BIT(KIND_BELIEF) |
                                  KIND_BIT(KIND_NOTE) | KIND_BIT(KIND_VALUE) | KIND_BIT(KIND_GOAL);
    return whole & KIND_BIT(k->d->now->ref.kind) ? column_of(k, FIELD_TEXT) : NULL;
}

/* Did Kernle change the text since, so that it must neither go nor be replaced? */
static bool text_conflicts(struct kernle_write *k, const struct memory *was)
{
    const struct memory *base = k->d->base, *will = k->d->will;
    return write_back_conflicts(k->w, k->d, place_of(k, text_column(k)), was->updated_at,
                                base ? base->text : NULL, was->text, will ? will->text : NULL);
}

/* Kernle forgets by a strength of 0, older versions by a flag; it deletes by another. */
static int end(struct kernle_write *k, struct error *e)
{
    bool forgets = k->d->now->status != STATUS_DELETED && STATUS_KEPT(k->d->now->status) &&
                   (cell_named(k, "strength") || cell_named(k, "is_forgotten"));
    if (!forgets) {
        if (!set(k, "deleted", int_cell(1), true))
            write_back_cannot(k->w, k->d, "%s; this table has no column for it", k->d->verb);
        return 0;
    }
    set(k, "is_protected", int_cell(k->d->now->is_protected), true);
    set(k, "strength", real_cell(0), true);
    set(k, "is_forgotten", int_cell(1), !cell_named(k, "strength"));
    set(k, "forgotten_at", cell_of_text(k->now), false);
    set(k, "forgotten_reason", cell_of_text(k->d->why), false);
    return audit(k, "forget", reason_json(k), e);
}

static int recover(struct kernle_write *k, struct error *e)
{
    set(k, "deleted", int_cell(0), true);
    set(k, "strength", real_cell(RECOVERED), true);
    set(k, "is_forgotten", int_cell(0), !cell_named(k, "strength"));
    set(k, "forgotten_at", cell_of_text(NULL), false);
    set(k, "forgotten_reason", cell_of_text(NULL), false);
    return audit(k, "recover", NULL, e);
}

/* Not a text that the person did not see. */
static int verify(struct kernle_write *k, const struct memory *was, struct error *e)
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
    if (text_conflicts(k, was))
        return 0;
    set(k, "last_verified", cell_of_text(time_text(k->w->arena, approval->at)), true);
    set(k, "verification_count", int_cell((int64_t)cell_number_or(count, 0) + 1), true);
    if (strength)
        set(k, "strength", real_cell(fmin(1, cell_number_or(strength, 1) + VERIFIED)), true);
    return audit(k, "verify", reason_json(k), e);
}

static const char *list_json(struct arena *arena, const char **items, size_t count)
{
    AUTO_STRBUF text = STRBUF_INIT;
    json_add_strings(&text, items, count);
    return arena_strdup(arena, text.buf);
}

/* ---- editing ---- */

enum edited {
    EDITED_TEXT,
    EDITED_CONFIDENCE,
    EDITED_TAGS,
    EDITED_LOCK
};

static struct cell edited_cell(struct arena *arena, const struct memory *m, enum edited what)
{
    switch (what) {
    case EDITED_TEXT:
        return cell_of_text(m->text);
    case EDITED_CONFIDENCE:
        return real_cell(round(m->confidence * 1000) / 1000);
    case EDITED_TAGS:
        return cell_of_text(list_json(arena, m->tags, m->tag_count));
    case EDITED_LOCK:
        break;
    }
    return int_cell(m->is_protected);
}

static void edit_field(struct kernle_write *k, const struct memory *was, enum edited what,
                       const char *column, const char *lacks)
{
    struct arena *arena = k->w->arena;
    const struct memory *base = k->d->base ? k->d->base : was;
    struct cell ours = edited_cell(arena, k->d->now, what), theirs = edited_cell(arena, was, what),
                before = edited_cell(arena, base, what);
    k->differs |= same_cell(&ours, &before) && !same_cell(&theirs, &before);
    if (write_back_decides(k->w, k->d, place_of(k, column), was->updated_at,
                           cell_shown(arena, &before), cell_shown(arena, &theirs),
                           cell_shown(arena, &ours)) &&
        (!column || !set(k, column, ours, true)))
        write_back_cannot(k->w, k->d, "%s", lacks);
}

static void edit(struct kernle_write *k, const struct memory *was)
{
    size_t before = k->row.count;
    edit_field(k, was, EDITED_TEXT, text_column(k),
               "its new text: Kernle makes it of several columns");
    edit_field(k, was, EDITED_CONFIDENCE, "confidence",
               "its confidence; this table has no column for it");
    edit_field(k, was, EDITED_TAGS, "tags", "its tags; this table has no column for them");
    edit_field(k, was, EDITED_LOCK, "is_protected",
               k->d->now->is_protected ? "locked; this table has no column for it"
                                       : "unlocked; this table has no column for it");
    const struct cell *version = cell_named(k, "version");
    if (k->row.count > before && version)
        set(k, "version", int_cell((int64_t)cell_number_or(version, 1) + 1), false);
}

/* ---- replacing ---- */

/* The new belief: what Kernle copies comes from the row of the old one. */
static void insert_successor(struct kernle_write *k, const struct memory *m)
{
    static const char *const copied[] = {
        "stack_id",      "agent_id",       "belief_type",   "source_episodes",   "context",
        "context_tags",  "belief_scope",   "source_domain", "abstraction_level", "subject_ids",
        "access_grants", "consent_grants", "epoch_id"};
    struct arena *arena = k->w->arena;
    const char *old = arena_format(arena, "belief:%s", k->d->now->ref.id);
    struct write_row row = {.table = k->table->name, .id = cell_of_text(m->ref.id), .insert = true};
    const struct {
        const char *column;
        struct cell value;
    } own[] = {{column_of(k, FIELD_ID), row.id},
               {column_of(k, FIELD_TEXT), cell_of_text(m->text)},
               {"confidence", real_cell(m->confidence)},
               {"created_at", cell_of_text(k->now)},
               {"local_updated_at", cell_of_text(k->now)},
               {"source_type", cell_of_text(m->source_type)},
               {"derived_from", cell_of_text(list_json(arena, &old, 1))},
               {"supersedes", cell_of_text(k->d->now->ref.id)},
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
    const struct memory *by = k->d->will;
    if (!column_of(k, FIELD_SUPERSEDED_BY) || !column_of(k, FIELD_TEXT)) {
        write_back_cannot(k->w, k->d, "replaced; this table has no column for it");
        return 0;
    }
    set(k, "is_active", int_cell(0), true);
    set(k, column_of(k, FIELD_SUPERSEDED_BY), cell_of_text(by->ref.id), true);
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
    if (!STATUS_LIVES(d->now->status))
        return ended || text_conflicts(k, was) ? 0 : end(k, e);
    if (ended && recover(k, e))
        return -1;
    if (d->now->status == STATUS_SUPERSEDED) {
        bool stays = was->status == STATUS_SUPERSEDED || !d->will || text_conflicts(k, was);
        return stays ? 0 : replace(k, e);
    }
    if (was->status == STATUS_SUPERSEDED) {
        set(k, "is_active", int_cell(1), true);
        set(k, "superseded_by", cell_of_text(NULL), true);
    }
    edit(k, was);
    return verify(k, was, e);
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
        k->cells[i] = cell_kept(k->w->arena, row.stmt, (int)i);
    return db_end(&row) ? -1 : any;
}

/* A row that Kernle changed, too, stays as it is. */
static int plan_one(struct kernle_write *k, struct error *e)
{
    struct write_back *w = k->w;
    struct memory was;
    struct kernle_row row = {.table = k->table, .number = 1};
    size_t changes = w->change_count, rows = w->row_count, conflicts = w->conflict_count;
    int has = read_row(k, k->d->now->ref.id, e);
    row.cells = k->cells;
    k->d->met |= has > 0;
    if (has <= 0 || !kernle_map(&row, w->now, w->arena, &was, &k->unread))
        return has < 0 ? -1 : 0;
    k->row = (struct write_row){.table = k->table->name, .id = k->cells[k->table->place[FIELD_ID]]};
    k->differs = false;
    if (compare(k, &was, e))
        return -1;
    if (w->conflict_count > conflicts) {
        w->change_count = changes;
        w->row_count = rows;
    } else if (k->row.count) {
        if (!k->differs)
            write_back_agree(w, k->d->now);
        set(k, "local_updated_at", cell_of_text(k->now), false);
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
            if (k->present[i] && k->table->kind == k->d->now->ref.kind && plan_one(k, e))
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

const struct write_back_rules kernle_write_back = {
    .plan = plan, .write = kernle_write_rows, .note = kernle_note_rows, .undo = kernle_undo_rows};
