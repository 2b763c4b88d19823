/* Imports a Kernle store: reads its tables row by row and passes memories to import_run. First collects
 * what other rows say about a memory: the audit, and which beliefs it replaced. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "store/db/db.h"
#include "store/import/import_run.h"
#include "store/import/other_tables.h"
#include "store/import/kernle/kernle_map.h"

/* Notes from other rows about a memory, sorted by its ref. */
struct mention_row {
    struct ref about;
    size_t place;   /* position in reading order */
    int64_t row;    /* row of memory_audit */
    const char *id; /* id of a belief that it replaced */
};
struct mention_list {
    struct mention_row *mention;
    size_t count, alloc;
};

struct kernle_links {
    struct db *db;
    struct arena arena;
    struct mention_list audit, replaced;
    size_t audit_others; /* audit entries about none of our memories */
    size_t audit_used;   /* audit entries that were used */
    char audit_sql[256];
};

/* `about` and `id` must outlive the list. */
static void note(struct mention_list *list, struct ref about, int64_t row, const char *id)
{
    *ARRAY_ADD(list->mention, list->count, list->alloc) =
        (struct mention_row){about, list->count - 1, row, id};
}

static int compare_mentions(const void *a, const void *b)
{
    const struct mention_row *x = a, *y = b;
    int order = ref_compare(x->about, y->about);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static void sort_mentions(struct mention_list *list)
{
    SORT(list->mention, list->count, compare_mentions);
}

/* Returns the elements about that ref in reading order, *count of them. O(log n). */
static const struct mention_row *mentions_of(const struct mention_list *list, struct ref about,
                                             size_t *count)
{
    size_t low = 0, high = list->count, end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ref_compare(list->mention[middle].about, about) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < list->count && ref_equal(list->mention[end].about, about); end++)
        ;
    *count = end - low;
    return list->mention + low;
}

/* ---- collecting ---- */

/* Sets *ref to the subject of an audit entry; false if it is none of our memories. */
static bool audit_subject(struct arena *a, sqlite3_stmt *stmt, int type, int id, struct ref *ref)
{
    const char *name = column_utf8(a, stmt, type);
    int kind = name ? kernle_kind(name) : -1;
    *ref = (struct ref){KIND_RAW, column_utf8(a, stmt, id)};
    if (kind < 0 || !ref->id)
        return false;
    ref->kind = (enum kind)kind;
    return true;
}

static int gather_audit(struct kernle_links *links, struct error *e)
{
    struct ref ref;
    struct query rows = db_query(links->db, e,
                                 "SELECT rowid, memory_type, memory_id FROM memory_audit"
                                 " ORDER BY rowid",
                                 "");
    while (db_next(&rows)) {
        if (audit_subject(&links->arena, rows.stmt, 1, 2, &ref))
            note(&links->audit, ref, sqlite3_column_int64(rows.stmt, 0), NULL);
        else
            links->audit_others++;
    }
    sort_mentions(&links->audit);
    return db_end(&rows);
}

/* The columns of memory_audit vary; missing ones are NULL. */
static int write_audit_sql(struct kernle_links *links, struct error *e)
{
    static const char *const columns[] = {"operation", "actor", "details", "created_at",
                                          "correlation_id"};
    size_t len = (size_t)snprintf(links->audit_sql, sizeof(links->audit_sql), "SELECT ");
    for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
        int has = kernle_has_column(links->db, "memory_audit", columns[i], e);
        if (has < 0)
            return -1;
        len += (size_t)snprintf(links->audit_sql + len, sizeof(links->audit_sql) - len, "%s%s",
                                i ? ", " : "", has ? columns[i] : "NULL");
    }
    snprintf(links->audit_sql + len, sizeof(links->audit_sql) - len,
             " FROM memory_audit WHERE rowid = ?");
    return 0;
}

static int has_audit(struct db *db, struct error *e)
{
    static const char *const needed[] = {"memory_type", "memory_id"};
    int has = kernle_has_table(db, "memory_audit", e);
    for (size_t i = 0; has > 0 && i < 2; i++)
        has = kernle_has_column(db, "memory_audit", needed[i], e);
    return has;
}

static void add_replaced(struct kernle_links *links, const char *by, const char *id)
{
    struct ref ref;
    if (ref_parse(by, &ref) == REF_BARE)
        ref = (struct ref){KIND_BELIEF, by};
    else if (ref_parse(by, &ref) != REF_MEMORY || ref.kind != KIND_BELIEF)
        return;
    note(&links->replaced, ref, 0, id);
}

static int gather_replaced(struct kernle_links *links, const struct kernle_table *beliefs,
                           struct error *e)
{
    if (beliefs->place[FIELD_SUPERSEDED_BY] < 0)
        return 0;
    struct query rows = db_query(links->db, e,
                                 "SELECT superseded_by, id FROM beliefs WHERE superseded_by"
                                 " IS NOT NULL AND superseded_by <> ''",
                                 "");
    while (db_next(&rows)) {
        const char *by = db_text(&links->arena, rows.stmt, 0),
                   *id = db_text(&links->arena, rows.stmt, 1);
        struct cell cell = {.type = CELL_TEXT, .bytes = id, .len = id ? strlen(id) : 0};
        if (by && kernle_id(&cell, &links->arena))
            add_replaced(links, by, id);
    }
    sort_mentions(&links->replaced);
    return db_end(&rows);
}

/*
 * Collects what other rows say about memories. `beliefs` is NULL if there is no such table. Call
 * kernle_links_release even after -1.
 */
static int kernle_links_open(struct kernle_links *links, struct db *db,
                             const struct kernle_table *beliefs, struct error *e)
{
    *links = (struct kernle_links){.db = db};
    int has = has_audit(db, e);
    if (has < 0 || (has && (write_audit_sql(links, e) || gather_audit(links, e))))
        return -1;
    return beliefs ? gather_replaced(links, beliefs, e) : 0;
}

static void kernle_links_release(struct kernle_links *links)
{
    free(links->audit.mention);
    free(links->replaced.mention);
    arena_release(&links->arena);
}

/* ---- looking up ---- */

static int read_entry(struct kernle_links *links, int64_t row, struct arena *arena,
                      struct kernle_audit_row *out, struct error *e)
{
    *out = (struct kernle_audit_row){NULL};
    struct query one = db_query(links->db, e, links->audit_sql, "i", row);
    if (db_next(&one))
        *out = (struct kernle_audit_row){
            .operation = column_utf8(arena, one.stmt, 0),
            .actor = column_utf8(arena, one.stmt, 1),
            .details = column_utf8(arena, one.stmt, 2),
            .created_at = column_utf8(arena, one.stmt, 3),
            .correlation = column_utf8(arena, one.stmt, 4),
        };
    return db_end(&one);
}

/* Fills row->audit and row->replaced for the memory of that ref, in `arena`. */
static int kernle_links_of(struct kernle_links *links, struct ref ref, struct arena *arena,
                           struct kernle_row *row, struct error *e)
{
    const struct mention_row *mention = mentions_of(&links->audit, ref, &row->audit_count);
    struct kernle_audit_row *audit = arena_array(arena, row->audit_count, sizeof(*audit));
    for (size_t i = 0; i < row->audit_count; i++)
        if (read_entry(links, mention[i].row, arena, &audit[i], e))
            return -1;
    row->audit = audit;
    links->audit_used += row->audit_count;
    mention = mentions_of(&links->replaced, ref, &row->replaced_count);
    row->replaced = arena_array(arena, row->replaced_count, sizeof(*row->replaced));
    for (size_t i = 0; i < row->replaced_count; i++)
        row->replaced[i] = arena_strdup(arena, mention[i].id); /* must outlive the links */
    return 0;
}

#define PROGRESS_EVERY 256 /* rows */

struct import_kernle {
    struct db *db;
    struct import_run *run;
    const struct import_options *options;
    struct import_summary *summary;
    struct kernle_report report;
    struct kernle_table tables[KERNLE_TABLES];
    bool present[KERNLE_TABLES];
    struct arena arena; /* columns of the tables */
    struct kernle_links links;
    struct cell *cells; /* of the current row */
    int64_t now, done, total;
};

static void report_line(void *arg, const char *line)
{
    struct import_kernle *k = arg;
    if (k->run)
        import_run_report(k->run, line);
}

static void report(struct import_kernle *k, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void report(struct import_kernle *k, const char *format, ...)
{
    AUTO_STRBUF line = STRBUF_INIT;
    STRBUF_VADD(&line, format);
    k->report.lines++;
    report_line(k, line.buf);
}

/* ---- tables ---- */

static int read_version(struct import_kernle *k, struct error *e)
{
    int64_t version;
    if (kernle_version(k->db, &version, e))
        return -1;
    snprintf(k->summary->source_version, sizeof(k->summary->source_version), "%" PRId64, version);
    if (version == 0) {
        k->summary->source_version[0] = '\0';
        report(k, "the store does not state its version; the known parts are read");
    } else if (version > KERNLE_NEWEST) {
        report(k, "the store is of version %" PRId64 ", newer than %d; the known parts are read",
               version, KERNLE_NEWEST);
    }
    return 0;
}

/* Reports a view of that name, or a table without ids, and skips it. */
static int report_absent(struct import_kernle *k, const char *table, struct error *e)
{
    int64_t count;
    if (db_int(k->db, &count, 0, e,
               "SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'view')"
               " AND name = ? COLLATE NOCASE",
               "s", table))
        return -1;
    if (count > 0)
        report(k, "%s is not a table with ids; skipped", table);
    return 0;
}

static int open_tables(struct import_kernle *k, struct error *e)
{
    size_t most = 1, found = 0;
    for (size_t i = 0; i < KERNLE_TABLES; i++) {
        int64_t rows = 0;
        int has = kernle_open_table(k->db, &k->arena, i, &k->tables[i], e);
        if (has < 0 || (has ? kernle_count_rows(k->db, k->tables[i].name, &rows, e)
                            : report_absent(k, kernle_table_name(i), e)))
            return -1;
        k->total += rows;
        k->present[i] = has > 0;
        if (has && k->tables[i].count > most)
            most = k->tables[i].count;
        found += has > 0;
    }
    if (found == 0)
        return error_set(e, ERROR_INVALID, "Check the path.", "%s is no store of Kernle",
                         db_path(k->db));
    k->cells = arena_array(&k->arena, most, sizeof(*k->cells));
    return 0;
}

/* ---- rows ---- */

static bool is_agents(const struct import_kernle *k, const struct kernle_table *table)
{
    const char *agent = k->options->agent;
    int at = table->place[FIELD_AGENT];
    if (!agent)
        return true;
    const struct cell *cell = at < 0 ? NULL : &k->cells[at];
    return cell && (cell->type == CELL_TEXT || cell->type == CELL_BLOB) &&
           cell->len == strlen(agent) && memcmp(cell->bytes, agent, cell->len) == 0;
}

static int import_row(struct import_kernle *k, const struct kernle_table *table, int64_t number,
                      struct error *e)
{
    struct arena *arena = import_run_arena(k->run, e);
    struct kernle_row row = {.table = table, .cells = k->cells, .number = number};
    struct import_item item = {.line = 0};
    if (!arena)
        return -1;
    const char *id = kernle_id(&k->cells[table->place[FIELD_ID]], arena);
    if (id && kernle_links_of(&k->links, (struct ref){table->kind, id}, arena, &row, e))
        return -1;
    int mapped = kernle_map(&row, k->now, arena, &item.memory, &k->report);
    if (mapped <= 0)
        return mapped;
    import_hash_form(&item.memory, arena, &item.hash);
    return import_run_add(k->run, &item, e);
}

/* SELECT rowid, "column", … FROM table; with a rowid, only rows after the parameter, in order. */
static void write_sql(struct strbuf *sql, const struct kernle_table *table, const char *rowid)
{
    strbuf_addf(sql, "SELECT %s", rowid ? rowid : "0");
    for (size_t i = 0; i < table->count; i++) {
        strbuf_addstr(sql, ", ");
        kernle_quote(sql, table->columns[i].name);
    }
    strbuf_addf(sql, " FROM %s", table->name);
    if (rowid)
        strbuf_addf(sql, " WHERE %s > ?1 ORDER BY %s", rowid, rowid);
}

struct cursor {
    const struct kernle_table *table;
    const char *rowid; /* NULL if the table has no rowid */
    char *sql;
    int64_t last; /* rowid of the last row read */
    int64_t number;
};

static int read_on(struct import_kernle *k, struct cursor *at, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(k->db, at->sql, e);
    int row = stmt ? db_bind(k->db, stmt, e, at->rowid ? "i" : "", at->last) : -1;
    for (; row > 0; row = db_step(k->db, stmt, e)) {
        at->last = sqlite3_column_int64(stmt, 0);
        at->number++;
        for (size_t i = 0; i < at->table->count; i++)
            k->cells[i] = kernle_read_cell(stmt, (int)i + 1);
        if ((is_agents(k, at->table) && import_row(k, at->table, at->number, e)) ||
            (++k->done % PROGRESS_EVERY == 0 &&
             import_run_progress(k->run, k->done, k->total, e))) {
            sqlite3_reset(stmt);
            return -2;
        }
    }
    return row;
}

/* Reports and skips a row beyond the size limit for foreign files. */
static int pass_over(struct import_kernle *k, struct cursor *at, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addf(&sql, "SELECT min(%s) FROM %s WHERE %s > ?", at->rowid, at->table->name, at->rowid);
    int result = db_int(k->db, &at->last, 0, e, sql.buf, "i", at->last);
    at->number++;
    report(k, "%s, row %" PRId64 ": it is larger than 64 MiB; not imported", at->table->name,
           at->number);
    return result;
}

static int read_table(struct import_kernle *k, const struct kernle_table *table, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    struct cursor at = {.table = table, .rowid = kernle_rowid(k->db, table), .last = INT64_MIN};
    write_sql(&sql, table, at.rowid);
    at.sql = sql.buf;
    int result;
    for (;;) {
        result = read_on(k, &at, e);
        bool too_large = result == -1 && at.rowid && e->code == ERROR_INVALID &&
                         (sqlite3_errcode(db_handle(k->db)) & 0xff) == SQLITE_TOOBIG;
        if (!too_large || pass_over(k, &at, e))
            break;
    }
    return result;
}

/* ---- the import ---- */

static int read_all(struct import_kernle *k, struct error *e)
{
    if (open_tables(k, e) || read_version(k, e))
        return -1;
    const struct kernle_table *beliefs = NULL;
    for (size_t i = 0; i < KERNLE_TABLES; i++)
        if (k->present[i] && k->tables[i].kind == KIND_BELIEF)
            beliefs = &k->tables[i];
    if (kernle_links_open(&k->links, k->db, beliefs, e) ||
        kernle_other_tables(k->db, k->summary->other_tables, sizeof(k->summary->other_tables), e) ||
        import_run_progress(k->run, 0, k->total, e))
        return -1;
    for (size_t i = 0; i < KERNLE_TABLES; i++)
        if (k->present[i] && read_table(k, &k->tables[i], e))
            return -1;
    return import_run_progress(k->run, k->total, k->total, e);
}

/* Reports audit entries whose memory is in no table or of an unknown kind. */
static void report_unused_audit(struct import_kernle *k)
{
    size_t unused = k->links.audit.count + k->links.audit_others - k->links.audit_used;
    char line[96];
    if (unused == 0 || k->options->agent)
        return;
    snprintf(line, sizeof(line), "memory_audit has %zu %s about memories that are not in the store",
             unused, unused == 1 ? "entry" : "entries");
    report_line(k, line);
}

/* One read transaction, so that all tables are of one snapshot. */
static int import_moment(struct import_kernle *k, struct error *e)
{
    struct error ignored;
    if (db_exec(k->db, "BEGIN", e))
        return -1;
    int result = read_all(k, e);
    if (result == 0)
        report_unused_audit(k);
    db_exec(k->db, "COMMIT", &ignored);
    return result;
}

/* ---- the check before an import ---- */

static int read_agents(struct import_kernle *k, struct key_index *agents, struct error *e)
{
    for (size_t i = 0; i < KERNLE_TABLES; i++) {
        const struct kernle_table *table = &k->tables[i];
        int at = k->present[i] ? table->place[FIELD_AGENT] : -1;
        AUTO_STRBUF sql = STRBUF_INIT;
        if (at < 0)
            continue;
        strbuf_addstr(&sql, "SELECT DISTINCT ");
        kernle_quote(&sql, table->columns[at].name);
        strbuf_addf(&sql, " FROM %s ORDER BY 1", table->name);
        struct query rows = db_query(k->db, e, sql.buf, "");
        while (db_next(&rows)) {
            struct cell cell = kernle_read_cell(rows.stmt, 0);
            if (cell.type == CELL_TEXT || cell.type == CELL_BLOB)
                key_index_add(agents, cell.bytes, cell.len);
        }
        if (db_end(&rows))
            return -1;
    }
    return 0;
}

/* A misspelt agent would leave an empty store. */
static int check_agent(struct import_kernle *k, const char *agent, struct error *e)
{
    AUTO(key_index) agents = KEY_INDEX_INIT;
    int result = agent ? read_agents(k, &agents, e) : 0;
    if (result == 0 && agent && key_index_find(&agents, agent, strlen(agent)) == ROW_NONE)
        result = import_unknown_agent(db_path(k->db), agent, &agents, e);
    return result;
}

/* Reads what an import reads before the first row and counts all rows; reports nothing. */
static int check_kernle(const struct import_format *format, const char *path, const char *agent,
                        struct import_summary *found, struct error *e)
{
    struct import_kernle k = {.summary = found};
    if (import_check_kind(path, format->name, e))
        return -1;
    k.db = db_open(path, DB_FOREIGN, e);
    int result = k.db && open_tables(&k, e) == 0 && read_version(&k, e) == 0 &&
                         check_agent(&k, agent, e) == 0
                     ? 1
                     : -1;
    arena_release(&k.arena);
    db_close(k.db);
    return result;
}

/* Schemas 12 to 27. The source is never changed. */
static int import_kernle(const struct import_format *format, struct store *s, const char *path,
                         const struct import_options *options, struct import_summary *summary,
                         struct error *e)
{
    struct import_kernle k = {.options = options, .summary = summary, .now = store_now(s)};
    *summary = (struct import_summary){.read = 0};
    k.report = (struct kernle_report){.line = report_line, .arg = &k};
    if (import_check_kind(path, format->name, e) ||
        !(k.run = import_run_open(s, format, path, options, summary, e)))
        return -1;
    k.db = db_open(path, DB_FOREIGN, e);
    int result = k.db ? import_moment(&k, e) : -1;
    summary->not_understood += k.report.lines;
    kernle_links_release(&k.links);
    arena_release(&k.arena);
    db_close(k.db);
    return import_run_close(k.run, result != 0, e);
}

const struct import_format kernle_format = {
    .name = "kernle",
    .title = "a Kernle store",
    .agent = "only this agent's",
    .agent_is_filter = true,
    .file = "table:raw_entries|table:beliefs",
    .counted = "beliefs:belief:beliefs|episodes:episode:episodes|notes:note:notes|raw_entries:raw "
               "entry:raw entries",
    .places = "$KERNLE_DATA_DIR/|~/.kernle/",
    .counts_memories = true,
    /* A store has no name of its own; its rows identify it. Ids are never reused and creation times never change, but
     * confidences, strengths and access times do. */
    .known_by_ref = true,
    .check = check_kernle,
    .run = import_kernle,
    .write_back = &kernle_write_back,
};
