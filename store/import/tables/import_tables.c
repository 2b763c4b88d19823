/* The reader of all formats that are tables: prepares the SELECTs of a map, and passes each row to import_run. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "store/db/db.h"
#include "store/import/import_run.h"
#include "store/import/other_tables.h"
#include "store/import/tables/tables_internal.h"

#define PROGRESS_EVERY  256    /* rows */
#define INTERRUPT_EVERY 100000 /* steps of SQLite's machine */
#define FAULTS_SHOWN    20     /* of a SELECT; the others are counted */
#define TOO_LARGE_MAX   100    /* rows of a SELECT that are stepped over */
#define PARTS_MAX       64     /* optional parts of a SELECT */
#define MAP_TODO        "Correct it; docs/formats/map.md says what a SELECT gives."

void table_report(struct table_reading *r, const char *format, ...)
{
    AUTO_STRBUF line = STRBUF_INIT;
    if (!r->run)
        return;
    STRBUF_VADD(&line, format);
    r->summary->not_understood++;
    if (r->faults++ < FAULTS_SHOWN)
        import_run_report(r->run, line.buf);
}

/* ---- the connection: nothing but SELECTs ---- */

static int authorize(void *arg, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    struct table_reading *r = arg;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_READ:
        key_index_add(&r->read, first, strlen(first));
        return SQLITE_OK;
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

/* A SELECT over a foreign file may take any time before its first row. */
static int interrupts(void *arg)
{
    struct table_reading *r = arg;
    return r->options && r->options->progress &&
           r->options->progress(r->options->arg, r->rows, 0) != 0;
}

/* Begins a read transaction, so that all SELECTs see the same state. */
static int reading_open(struct table_reading *r, const char *path, struct error *e)
{
    r->db = db_open(path, DB_FOREIGN, e);
    /* SQLite makes the tables of json_each and json_tree at their first use, which the authorizer would deny */
    if (!r->db || table_functions_register(db_handle(r->db), path, e) ||
        db_run(r->db, e, "SELECT 1 FROM json_each('[]'), json_tree('[]')", "") ||
        db_exec(r->db, "BEGIN", e))
        return -1;
    sqlite3_set_authorizer(db_handle(r->db), authorize, r);
    sqlite3_progress_handler(db_handle(r->db), INTERRUPT_EVERY, interrupts, r);
    return 0;
}

static void reading_close(struct table_reading *r)
{
    struct error ignored;
    if (r->db) {
        sqlite3_progress_handler(db_handle(r->db), 0, NULL, NULL);
        sqlite3_set_authorizer(db_handle(r->db), NULL, NULL);
        db_exec(r->db, "COMMIT", &ignored);
    }
    db_close(r->db);
    key_index_release(&r->read);
    arena_release(&r->arena);
    strbuf_release(&r->json);
}

/* ---- preparing ---- */

/* The end of the quoted text that begins here; `sql` itself if none does. */
static const char *skip_quoted(const char *sql)
{
    char quote = *sql == '\'' || *sql == '"' ? *sql : '\0';
    if (!quote)
        return sql;
    for (sql++; *sql && (*sql != quote || sql[1] == quote); sql++)
        if (*sql == quote)
            sql++;
    return *sql ? sql + 1 : sql;
}

/* Writes the SELECT without braces: of an optional part either what is in it or NULL. Rows before `skip` are left
 * out. */
static void write_sql(struct strbuf *out, const char *sql, uint64_t parts, int64_t skip)
{
    int part = 0;
    bool shown = true;
    strbuf_clear(out);
    strbuf_addstr(out, skip ? "SELECT * FROM (" : "");
    while (*sql) {
        const char *end = skip_quoted(sql);
        if (*sql == '{') {
            shown = parts >> (part++ % PARTS_MAX) & 1;
            strbuf_addstr(out, shown ? "" : "NULL");
        } else if (*sql == '}') {
            shown = true;
        } else {
            end += end == sql;
            strbuf_add(out, sql, shown ? (size_t)(end - sql) : 0);
        }
        sql = end > sql ? end : sql + 1;
    }
    if (skip)
        strbuf_addf(out, ") LIMIT -1 OFFSET %" PRId64, skip);
}

static int count_parts(const char *sql)
{
    int parts = 0;
    while (*sql) {
        const char *end = skip_quoted(sql);
        parts += *sql == '{';
        sql = end > sql ? end : sql + 1;
    }
    return parts < PARTS_MAX ? parts : PARTS_MAX;
}

static int prepare_as(struct table_reading *r, const char *sql, uint64_t parts, int64_t skip,
                      sqlite3_stmt **stmt, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    const char *rest = "";
    write_sql(&text, sql, parts, skip);
    sqlite3 *handle = db_handle(r->db);
    int code = sqlite3_prepare_v2(handle, text.buf, -1, stmt, &rest);
    if (code == SQLITE_AUTH)
        return error_set(e, ERROR_INVALID, MAP_TODO, "it is no SELECT");
    if (code != SQLITE_OK)
        return error_set(e, ERROR_INVALID, MAP_TODO, "%s", sqlite3_errmsg(handle));
    if (*stmt && !rest[strspn(rest, " \t\r\n;")] && sqlite3_column_count(*stmt) > 0 &&
        sqlite3_bind_parameter_count(*stmt) == 0 && sqlite3_stmt_readonly(*stmt))
        return 0;
    sqlite3_finalize(*stmt);
    *stmt = NULL;
    return error_set(e, ERROR_INVALID, MAP_TODO, "it is not one SELECT without parameters");
}

/* Prepares the SELECT with as many of its optional parts as the database has. */
static int prepare(struct table_reading *r, const char *sql, int64_t skip, sqlite3_stmt **stmt,
                   struct error *e)
{
    uint64_t all = ~UINT64_C(0), parts = 0;
    struct error ignored;
    *stmt = NULL;
    if (prepare_as(r, sql, all, skip, stmt, e) == 0)
        return 0;
    if (count_parts(sql) == 0 || prepare_as(r, sql, 0, skip, stmt, e))
        return -1;
    for (int i = 0; i < count_parts(sql); i++) {
        sqlite3_stmt *more = NULL;
        if (prepare_as(r, sql, parts | UINT64_C(1) << i, skip, &more, &ignored))
            continue;
        parts |= UINT64_C(1) << i;
        sqlite3_finalize(*stmt);
        *stmt = more;
    }
    return 0;
}

/* The first column of the first row, as text in the arena. NULL if there is none, or the SELECT fails. */
static const char *select_text(struct table_reading *r, const char *sql)
{
    sqlite3_stmt *stmt;
    struct error ignored;
    const char *text = NULL;
    if (!sql || prepare(r, sql, 0, &stmt, &ignored))
        return NULL;
    if (sqlite3_step(stmt) == SQLITE_ROW)
        text = column_utf8(&r->arena, stmt, 0);
    sqlite3_finalize(stmt);
    return text;
}

static int has_table(struct table_reading *r, const char *name, struct error *e)
{
    int64_t found;
    return db_int(r->db, &found, 0, e,
                  "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE "
                  "NOCASE",
                  "s", name)
               ? -1
               : found > 0;
}

/* ---- rows ---- */

static bool is_agents(struct table_reading *r, const struct columns *c, sqlite3_stmt *stmt)
{
    const char *name = c->agent < 0 ? NULL : (const char *)sqlite3_column_text(stmt, c->agent);
    if (!name)
        name = r->format->name;
    if (r->agents)
        key_index_add(r->agents, name, strlen(name));
    return !r->agents && (!r->options->agent || strcmp(name, r->options->agent) == 0);
}

static int take_row(struct table_reading *r, const struct table_select *s, const struct columns *c,
                    sqlite3_stmt *stmt, int64_t number, struct error *e)
{
    struct ref ref;
    if (!is_agents(r, c, stmt))
        return 0;
    const char *text = (const char *)sqlite3_column_text(stmt, c->ref);
    if (!text || ref_parse(text, &ref) != REF_MEMORY) {
        table_report(r, "%s, row %" PRId64 ": “%.80s” is no ref of a memory; not imported",
                     s->table, number, text ? text : "");
        return 0;
    }
    row_write(r, c, stmt, &r->json);
    return import_run_take(r->run, &r->json, 0, e);
}

/* Returns 1 if the next row is too large, 0 at the end, -1 if the import cannot go on. */
static int read_rows(struct table_reading *r, const struct table_select *s, sqlite3_stmt *stmt,
                     const struct columns *c, int64_t *number, struct error *e)
{
    int code;
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        ++*number;
        if (take_row(r, s, c, stmt, *number, e) || (++r->rows % PROGRESS_EVERY == 0 && r->run &&
                                                    import_run_progress(r->run, r->rows, 0, e)))
            return -1;
    }
    switch (code & 0xff) {
    case SQLITE_DONE:
        return 0;
    case SQLITE_TOOBIG:
        return 1;
    case SQLITE_ERROR:
    case SQLITE_MISMATCH:
        table_report(r, "%s, row %" PRId64 ": %s; the rows from there on are not imported",
                     s->table, *number + 1, sqlite3_errmsg(db_handle(r->db)));
        return 0;
    default:
        return db_error(r->db, e, "read");
    }
}

/* Reads the rows of a prepared SELECT. A row beyond the size limit for foreign files ends it; then it is begun again
 * behind that row. */
static int read_all_rows(struct table_reading *r, const struct table_select *s, sqlite3_stmt *stmt,
                         const struct columns *c, struct error *e)
{
    int64_t number = 0;
    int result = read_rows(r, s, stmt, c, &number, e);
    sqlite3_finalize(stmt);
    for (int skipped = 0; result > 0; skipped++) {
        bool goes_on = skipped < TOO_LARGE_MAX;
        table_report(r, "%s, row %" PRId64 ": it is larger than 64 MiB; %s", s->table, ++number,
                     goes_on ? "not imported" : "the rows from there on are not imported");
        if (!goes_on)
            return 0;
        if (prepare(r, s->sql, number, &stmt, e))
            return -1;
        result = read_rows(r, s, stmt, c, &number, e);
        sqlite3_finalize(stmt);
    }
    return result;
}

/* A SELECT of a user's file that is wrong is an error with its line; one of ours that does not fit the database is
 * reported. */
static int open_select(struct table_reading *r, const struct table_select *s, sqlite3_stmt **stmt,
                       struct columns *c, struct error *e)
{
    struct error wrong;
    if (prepare(r, s->sql, 0, stmt, &wrong) == 0 && columns_read(c, *stmt, &r->arena, &wrong) == 0)
        return 1;
    sqlite3_finalize(*stmt);
    *stmt = NULL;
    if (r->map->path) {
        *e = wrong;
        return error_prefix(e, "%s line %zu", r->map->path, r->map->lines[s - r->map->selects]);
    }
    table_report(r, "%s: %s; not imported", s->table, wrong.what);
    return 0;
}

/* Returns how many tables of the map the database has, -1 with `e`. */
static int read_selects(struct table_reading *r, bool rows, struct error *e)
{
    int found = 0;
    for (size_t i = 0; i < r->map->count; i++) {
        const struct table_select *s = &r->map->selects[i];
        sqlite3_stmt *stmt = NULL;
        struct columns c;
        int has = has_table(r, s->table, e), opens = 0;
        r->faults = 0;
        if (has == 0 && r->map->path)
            table_report(r, "there is no table %s", s->table);
        if (has < 0 || (has && (opens = open_select(r, s, &stmt, &c, e)) < 0))
            return -1;
        found += has;
        if (opens && !rows)
            sqlite3_finalize(stmt);
        else if (opens && read_all_rows(r, s, stmt, &c, e))
            return -1;
        if (r->run && r->faults > FAULTS_SHOWN) {
            char line[64];
            snprintf(line, sizeof(line), "%" PRId64 " more of these", r->faults - FAULTS_SHOWN);
            import_run_report(r->run, line);
        }
    }
    return found;
}

/* ---- the summary ---- */

static bool is_read(void *arg, const char *table)
{
    struct table_reading *r = arg;
    const char *at = r->map->ignored ? r->map->ignored : "";
    if (key_index_find(&r->read, table, strlen(table)) != ROW_NONE)
        return true;
    while (*at) {
        char pattern[64];
        size_t len = strcspn(at, " ");
        snprintf(pattern, sizeof(pattern), "%.*s", (int)len, at);
        if (sqlite3_strglob(pattern, table) == 0)
            return true;
        at += len + (at[len] == ' ');
    }
    return false;
}

static int summarise(struct table_reading *r, struct error *e)
{
    struct import_summary *sum = r->summary;
    const char *version = select_text(r, r->map->version);
    size_t len = 0;
    snprintf(sum->source_version, sizeof(sum->source_version), "%s", version ? version : "");
    for (size_t i = 0; r->map->remarks && r->map->remarks[i]; i++) {
        const char *remark = select_text(r, r->map->remarks[i]);
        if (remark && len < sizeof(sum->remarks))
            len += (size_t)snprintf(sum->remarks + len, sizeof(sum->remarks) - len, "%s%s",
                                    len ? "; " : "", remark);
    }
    return other_tables(r->db, is_read, r, sum->other_tables, sizeof(sum->other_tables), e);
}

/* ---- the two functions of a format ---- */

/* The SELECTs are checked where they are opened. */
static int check_version(struct table_reading *r, struct error *e)
{
    sqlite3_stmt *stmt = NULL;
    if (!r->map->path || !r->map->version)
        return 0;
    int result = prepare(r, r->map->version, 0, &stmt, e);
    sqlite3_finalize(stmt);
    return result ? error_prefix(e, "%s: version", r->map->path) : 0;
}

/* A misspelt agent would leave an empty store. */
static int check_source(struct table_reading *r, const char *path, const char *agent,
                        struct error *e)
{
    int found = check_version(r, e) ? -1 : read_selects(r, agent != NULL, e);
    if (found < 0)
        return -1;
    if (found == 0)
        return error_set(e, ERROR_INVALID, "Check the path.", "%s is not %s", path,
                         r->format->title);
    if (agent && key_index_find(r->agents, agent, strlen(agent)) == ROW_NONE)
        return import_unknown_agent(path, agent, r->agents, e);
    return summarise(r, e) ? -1 : 1;
}

int import_tables_check(const struct import_format *format, const char *path, const char *agent,
                        struct import_summary *found, struct error *e)
{
    AUTO(key_index) agents = KEY_INDEX_INIT;
    struct table_reading r = {.format = format,
                              .map = format->tables,
                              .summary = found,
                              .read = KEY_INDEX_INIT,
                              .agents = &agents,
                              .json = STRBUF_INIT};
    int result = import_check_kind(path, format->name, e) || reading_open(&r, path, e)
                     ? -1
                     : check_source(&r, path, agent, e);
    reading_close(&r);
    return result;
}

static int import_all(struct table_reading *r, const char *path, struct error *e)
{
    if (reading_open(r, path, e) || read_selects(r, true, e) < 0 ||
        (r->map->verify && r->map->verify(r, r->db, e)))
        return -1;
    return summarise(r, e);
}

int import_tables(const struct import_format *format, struct store *s, const char *path,
                  const struct import_options *options, struct import_summary *summary,
                  struct error *e)
{
    struct table_reading r = {.format = format,
                              .map = format->tables,
                              .options = options,
                              .summary = summary,
                              .read = KEY_INDEX_INIT,
                              .json = STRBUF_INIT};
    *summary = (struct import_summary){.read = 0};
    if (import_check_kind(path, format->name, e) ||
        !(r.run = import_run_open(s, format, path, options, summary, e)))
        return -1;
    int result = import_all(&r, path, e);
    reading_close(&r);
    return import_run_close(r.run, result != 0, e);
}
