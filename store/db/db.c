/* A connection to an SQLite file: its statements, binding, rows, columns and error texts. */
#include "store/db/db.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/db_open.h"

#define RECENT 64

struct db {
    sqlite3 *handle;
    char *path;
    char *private_copy; /* directory to remove on close, or NULL */
    bool keep_log, shared;
    char *(*rewrite)(const char *sql);
    /*
     * Prepared statements by their SQL. Their number is bounded by the program's queries, not by
     * the store.
     */
    struct key_index cached;
    sqlite3_stmt **stmt; /* [cached.count] */
    size_t stmt_alloc;
    size_t recent[RECENT]; /* index into `stmt`, by the address of the SQL text */
};

struct db *db_wrap(sqlite3 *handle, const char *path, char *private_copy)
{
    struct db *db = xcalloc(1, sizeof(*db));
    db->handle = handle;
    db->path = xstrdup(path);
    db->private_copy = private_copy;
    return db;
}

void db_keep_log(struct db *db, bool keep)
{
    db->keep_log = keep;
}

void db_share(struct db *db, bool share)
{
    db->shared = share;
}

bool db_become_shared(struct db *db)
{
    if (db->private_copy || sqlite3_db_readonly(db->handle, "main"))
        return false;
    db->keep_log = false;
    db->shared = true;
    return true;
}

/*
 * The last connection to close checkpoints the log and removes it. A read-only connection only
 * removes an empty log that itself created.
 */
static void configure_close(struct db *db)
{
    if (db->keep_log || (!db->shared && db_has_companion(db->path, "-wal", NULL)))
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

void db_close(struct db *db)
{
    if (!db)
        return;
    for (size_t i = 0; i < db->cached.count; i++)
        sqlite3_finalize(db->stmt[i]);
    key_index_release(&db->cached);
    free(db->stmt);
    configure_close(db);
    sqlite3_close(db->handle);
    if (db->private_copy)
        db_remove_copy(db->private_copy);
    FREE_ALL(db->private_copy, db->path, db);
}

sqlite3 *db_handle(struct db *db)
{
    return db->handle;
}

const char *db_path(const struct db *db)
{
    return db->path;
}

bool db_has_log_of(struct db *db, const char *path)
{
    sqlite3_file *log = NULL;
    const char *own = sqlite3_db_filename(db->handle, "main");
    int code = sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    return code == SQLITE_OK && log && log->pMethods && own && strcmp(own, path) == 0;
}

void db_interrupt(struct db *db)
{
    sqlite3_interrupt(db->handle);
}

/*
 * What SQLite's result codes mean to a person. The first entry is for unlisted codes; an extended
 * code comes after its primary code.
 *
 * SQLITE_IOERR_SHORT_READ is about the log: SQLite reads zeros beyond the end of the store file,
 * but a log shorter than its index says is an error. SQLite rebuilds the index if no other process
 * has the store open.
 */
static const struct {
    int code;
    enum error_code error;
    const char *what;
    const char *hint;
} meanings[] = {
    {SQLITE_ERROR, ERROR_STORE, NULL, "Run stemma fsck on the store."},
    {SQLITE_BUSY, ERROR_BUSY, "another process holds the store locked",
     "Wait for it to finish, then try again."},
    {SQLITE_LOCKED, ERROR_BUSY, "the store is locked", "Try again."},
    {SQLITE_TOOBIG, ERROR_INVALID, "a text is too long for the store", "Shorten it."},
    {SQLITE_READONLY, ERROR_REFUSED, "the store is read-only",
     "Check the permissions of the file and its directory."},
    {SQLITE_INTERRUPT, ERROR_INTERRUPTED, "interrupted", ""},
    {SQLITE_IOERR, ERROR_STORE, "the disk did not read or write", "Check the disk."},
    {SQLITE_IOERR_SHORT_READ, ERROR_STORE,
     "the -wal next to it was removed, replaced or cut while a program had it open",
     "End every program that has it open, then try again."},
    {SQLITE_CORRUPT, ERROR_STORE, "the file is damaged",
     "Restore a backup, or run stemma fsck to see what is affected."},
    {SQLITE_NOTADB, ERROR_STORE, "it is not a database", "Check the path."},
    {SQLITE_FULL, ERROR_STORE, "the disk is full", "Free some room, then try again."},
    {SQLITE_CANTOPEN, ERROR_STORE, "it cannot be opened", "Check the path and its permissions."},
    {SQLITE_PERM, ERROR_STORE, "permission denied", "Check the permissions of the file."},
    {SQLITE_AUTH, ERROR_REFUSED, "not permitted", ""},
};

int db_error_code(int code, const char *message, const char *path, struct error *e,
                  const char *doing)
{
    size_t i = 0;
    if ((code & 0xff) == SQLITE_NOMEM)
        alloc_fail();
    for (size_t k = 1; k < sizeof(meanings) / sizeof(meanings[0]); k++)
        if (meanings[k].code == code || meanings[k].code == (code & 0xff))
            i = k;
    if (meanings[i].error == ERROR_INTERRUPTED)
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    return error_set(e, meanings[i].error, meanings[i].hint, "cannot %s %s: %s", doing, path,
                     meanings[i].what ? meanings[i].what : message);
}

/* sqlite3_stmt_readonly is true for COMMIT, and a query may write temporary files. */
static bool is_write_error(int code)
{
    switch (code) {
    case SQLITE_IOERR_WRITE:
    case SQLITE_IOERR_FSYNC:
    case SQLITE_IOERR_DIR_FSYNC:
    case SQLITE_IOERR_TRUNCATE:
    case SQLITE_IOERR_SHMSIZE:
        return true;
    default:
        return (code & 0xff) == SQLITE_FULL;
    }
}

int db_error(struct db *db, struct error *e, const char *doing)
{
    if (is_write_error(sqlite3_extended_errcode(db->handle)))
        doing = "write";
    return db_error_code(sqlite3_extended_errcode(db->handle), sqlite3_errmsg(db->handle), db->path,
                         e, doing);
}

int db_exec(struct db *db, const char *sql, struct error *e)
{
    if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return db_error(db, e, "use");
    return 0;
}

/*
 * Returns the statement without its INDEXED BY clauses, or NULL if it has none, so that a store
 * whose index was dropped stays readable. The caller frees it.
 */
static char *without_indexes(const char *sql)
{
    static const char clause[] = " INDEXED BY ";
    const char *found = strstr(sql, clause);
    if (!found)
        return NULL;
    struct strbuf plain = STRBUF_INIT;
    for (; found; found = strstr(sql, clause)) {
        strbuf_add(&plain, sql, (size_t)(found - sql));
        sql = found + strlen(clause);
        sql += strcspn(sql, " ,)");
    }
    strbuf_addstr(&plain, sql);
    return strbuf_detach(&plain, NULL);
}

void db_set_rewrite(struct db *db, char *(*rewrite)(const char *sql))
{
    db->rewrite = rewrite;
}

/* Prepares `other` (owned; NULL if there is none) in place of `sql`. */
static int prepare_as(struct db *db, const char *sql, char *other, sqlite3_stmt **stmt)
{
    int failed = sqlite3_prepare_v3(db->handle, other ? other : sql, -1, SQLITE_PREPARE_PERSISTENT,
                                    stmt, NULL);
    free(other);
    return failed ? -1 : 0;
}

static int prepare(struct db *db, const char *sql, sqlite3_stmt **stmt)
{
    if (prepare_as(db, sql, db->rewrite ? db->rewrite(sql) : NULL, stmt) == 0)
        return 0;
    if (strncmp(sqlite3_errmsg(db->handle), "no such index", 13) != 0)
        return -1;
    char *plain = without_indexes(sql);
    return plain ? prepare_as(db, sql, plain, stmt) : -1;
}

/* Returns the index of the statement, prepared on first use. ROW_NONE with `e` on error. */
static size_t find_statement(struct db *db, const char *sql, struct error *e)
{
    size_t len = strlen(sql), at = key_index_find(&db->cached, sql, len);
    if (at != ROW_NONE)
        return at;
    sqlite3_stmt *stmt;
    if (prepare(db, sql, &stmt)) {
        db_error(db, e, "read");
        return ROW_NONE;
    }
    at = key_index_add(&db->cached, sql, len);
    ARRAY_ROOM(db->stmt, at, db->stmt_alloc, 1);
    db->stmt[at] = stmt;
    return at;
}

/*
 * Most queries are literals: the same address usually means the same text, which then need not be
 * hashed.
 */
sqlite3_stmt *db_prepare(struct db *db, const char *sql, struct error *e)
{
    size_t *recent = &db->recent[(uintptr_t)sql / sizeof(void *) % RECENT], at = *recent;
    if (at >= db->cached.count || strcmp(db->cached.key[at].text, sql) != 0)
        at = find_statement(db, sql, e);
    if (at == ROW_NONE)
        return NULL;
    *recent = at;
    sqlite3_reset(db->stmt[at]);
    sqlite3_clear_bindings(db->stmt[at]);
    return db->stmt[at];
}

static int bind_one(sqlite3_stmt *stmt, int at, char type, va_list *args)
{
    switch (type) {
    case 'i':
        return sqlite3_bind_int64(stmt, at, va_arg(*args, int64_t));
    case 'r': {
        int64_t row = va_arg(*args, int64_t);
        return row ? sqlite3_bind_int64(stmt, at, row) : sqlite3_bind_null(stmt, at);
    }
    case 'd': {
        double value = va_arg(*args, double);
        return isnan(value) ? sqlite3_bind_null(stmt, at) : sqlite3_bind_double(stmt, at, value);
    }
    case 's': {
        const char *text = va_arg(*args, const char *);
        return sqlite3_bind_text64(stmt, at, text, text ? strlen(text) : 0, SQLITE_STATIC,
                                   SQLITE_UTF8);
    }
    case 'b': {
        const void *bytes = va_arg(*args, const void *);
        size_t len = va_arg(*args, size_t);
        return sqlite3_bind_blob64(stmt, at, bytes, len, SQLITE_STATIC);
    }
    case 'n':
        return sqlite3_bind_null(stmt, at);
    }
    return SQLITE_MISUSE;
}

static int bind_all(struct db *db, sqlite3_stmt *stmt, struct error *e, const char *format,
                    va_list *args)
{
    int count = 0;
    for (; format[count]; count++)
        if (bind_one(stmt, count + 1, format[count], args) != SQLITE_OK)
            return db_error(db, e, "use");
    if (count != sqlite3_bind_parameter_count(stmt))
        return error_set(e, ERROR_STORE, "Report it.", "wrong number of parameters: %s",
                         sqlite3_sql(stmt));
    return 0;
}

int db_step(struct db *db, sqlite3_stmt *stmt, struct error *e)
{
    if (!stmt)
        return -1;
    int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        return 1;
    if (code == SQLITE_DONE) {
        sqlite3_reset(stmt);
        return 0;
    }
    db_error(db, e, sqlite3_stmt_readonly(stmt) ? "read" : "write");
    sqlite3_reset(stmt);
    return -1;
}

int db_bind(struct db *db, sqlite3_stmt *stmt, struct error *e, const char *format, ...)
{
    va_list args;
    if (!stmt)
        return -1;
    va_start(args, format);
    int bound = bind_all(db, stmt, e, format, &args);
    va_end(args);
    return bound ? -1 : db_step(db, stmt, e);
}

static struct query query(struct db *db, struct error *e, const char *sql, const char *format,
                          va_list *args)
{
    struct query q = {.db = db, .stmt = db_prepare(db, sql, e), .e = e, .more = -1};
    if (q.stmt && bind_all(db, q.stmt, e, format, args) == 0)
        q.more = db_step(db, q.stmt, e);
    return q;
}

struct query db_query(struct db *db, struct error *e, const char *sql, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct query q = query(db, e, sql, format, &args);
    va_end(args);
    return q;
}

/* A pragma may return a row; it is ignored. */
int db_run(struct db *db, struct error *e, const char *sql, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct query q = query(db, e, sql, format, &args);
    va_end(args);
    return db_end(&q);
}

int db_int(struct db *db, int64_t *out, int64_t none, struct error *e, const char *sql,
           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct query q = query(db, e, sql, format, &args);
    va_end(args);
    if (q.more >= 0)
        *out = q.more ? sqlite3_column_int64(q.stmt, 0) : none;
    return db_end(&q);
}

bool db_next(struct query *q)
{
    if (q->begun && q->more > 0)
        q->more = db_step(q->db, q->stmt, q->e);
    q->begun = true;
    return q->more > 0;
}

bool db_next_row(struct query *q, size_t rows, size_t *index)
{
    while (db_next(q)) {
        int64_t row = sqlite3_column_int64(q->stmt, 0);
        *index = (size_t)row - 1;
        if (row >= 1 && (uint64_t)row <= rows)
            return true;
    }
    return false;
}

int db_end(struct query *q)
{
    if (q->more > 0)
        sqlite3_reset(q->stmt);
    return q->more < 0 ? -1 : 0;
}

int db_fail(struct query *q)
{
    sqlite3_reset(q->stmt);
    return -1;
}

const char *db_text(struct arena *a, sqlite3_stmt *stmt, int column)
{
    const unsigned char *text = sqlite3_column_text(stmt, column);
    if (!text)
        return NULL;
    return arena_strndup(a, (const char *)text, (size_t)sqlite3_column_bytes(stmt, column));
}

double db_double(sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return NAN;
    return sqlite3_column_double(stmt, column);
}

const char *column_utf8(struct arena *a, sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return NULL;
    const char *bytes = (const char *)sqlite3_column_text(stmt, column);
    size_t len = (size_t)sqlite3_column_bytes(stmt, column);
    return bytes ? utf8_repaired(a, bytes, len) : NULL;
}

int column_texts(struct arena *a, struct query rows, const char ***out, size_t *count)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    while (db_next(&rows)) {
        const char *text = column_utf8(a, rows.stmt, 0);
        if (text)
            *ARENA_ADD(a, *out, *count, alloc) = text;
    }
    return db_end(&rows);
}

/*
 * Reads the elements of a JSON array; an element that is not a string is kept as JSON. False if
 * `text` is not an array, or a string has a NUL, which no memory can hold.
 */
static bool read_array(struct arena *a, const char *text, const char ***out, size_t *count)
{
    struct error e;
    size_t len = strlen(text), alloc = 0;
    struct json_slice array = json_trim(text, len);
    if (json_check(text, len, JSON_DEPTH_LIMIT, &e) || array.ptr[0] != '[')
        return false;
    for (struct json_each it = json_each(array); json_next(&it);) {
        size_t element_len = it.value.len;
        const char *element = json_text(a, it.value, &element_len);
        if (element && strlen(element) != element_len)
            return false;
        *ARENA_ADD(a, *out, *count, alloc) =
            element ? element : arena_strndup(a, it.value.ptr, it.value.len);
    }
    return true;
}

const char **column_strings(struct arena *a, sqlite3_stmt *stmt, int column, size_t *count)
{
    const char **strings = NULL, *text = column_utf8(a, stmt, column);
    *count = 0;
    if (text && !read_array(a, text, &strings, count)) {
        strings = arena_array(a, 1, sizeof(*strings));
        strings[0] = arena_format(a, "damaged: %s", text);
        *count = 1;
    }
    return *count ? strings : NULL;
}

bool is_detail(const char *text, size_t len)
{
    struct error ignored;
    return len > 0 && text[0] == '{' && strcspn(text, "\t\n\r") >= len &&
           json_check(text, len, JSON_DEPTH_MAX, &ignored) == 0;
}

const char *column_detail(struct arena *a, sqlite3_stmt *stmt, int column)
{
    const char *text = column_utf8(a, stmt, column);
    size_t len = text ? strlen(text) : 0;
    if (len == 0 || is_detail(text, len))
        return len ? text : NULL;
    AUTO_STRBUF out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_pair(&o, "damaged", text);
    json_end(&o);
    text = arena_strndup(a, out.buf, out.len);
    return text;
}

int column_enum(sqlite3_stmt *stmt, int column, int count)
{
    int64_t value = sqlite3_column_int64(stmt, column);
    return value >= 0 && value < count ? (int)value : -1;
}

#define ENLARGED_KIB 131072

int db_enlarge_cache(struct db *db, struct error *e)
{
    struct rlimit space;
    rlim_t kib = ENLARGED_KIB;
    char sql[64];
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur / 1024 / 32 < kib)
        kib = space.rlim_cur / 1024 / 32;
    snprintf(sql, sizeof(sql), "PRAGMA cache_size = -%llu", (unsigned long long)kib);
    return db_exec(db, sql, e);
}

static int cannot_copy(int code, const char *to, struct error *e)
{
    return error_set(e, ERROR_STORE, "Free some space.", "cannot write the copy %s: %s", to,
                     sqlite3_errstr(code));
}

int db_copy(const char *path, enum db_mode mode, const char *to, struct error *e)
{
    sqlite3 *copy = NULL;
    struct db *from = db_open(path, mode, e);
    if (!from)
        return -1;
    int code = sqlite3_open_v2(to, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL);
    sqlite3_backup *run =
        code == SQLITE_OK ? sqlite3_backup_init(copy, "main", db_handle(from), "main") : NULL;
    if (run) {
        sqlite3_backup_step(run, -1);
        code = sqlite3_backup_finish(run);
    } else if (code == SQLITE_OK) {
        code = sqlite3_errcode(copy);
    }
    sqlite3_close(copy);
    db_close(from);
    return code == SQLITE_OK ? 0 : cannot_copy(code, to, e);
}
