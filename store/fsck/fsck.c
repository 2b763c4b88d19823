/* Runs the passes of fsck, with the second thread, and checks the schema. Also rebuilds the search
 * index and says what a file is that could not be opened. */
#include "store/fsck/fsck.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/db/schema.h"
#include "store/db/store_file.h"
#include "store/db/text_index.h"
#include "store/db/thread.h"
#include "store/fsck/fsck_internal.h"
#include "store/query/search_words.h"
#include "store/txn/txn.h"

static const struct ref no_ref = {KIND_RAW, NULL};

#define WAIT_NS 100000000 /* interval of progress reports */

/* Default advice for each fault. */
static const char *const advice[FSCK_FAULT_COUNT] = {
    [FSCK_DATABASE] = "Restore a backup.",
    [FSCK_LOG] = "Look in a backup for it, or do it again.",
    [FSCK_EVENT_ALTERED] = "Compare it with a backup.",
    [FSCK_CHAIN_BROKEN] = "Look in a backup for what it said.",
    [FSCK_TAIL_CUT] = "Look in a backup for what came after.",
    [FSCK_ROW_ALTERED] = "Compare what stemma show says of it with a backup.",
    [FSCK_ROW_UNRECORDED] = "The journal does not confirm it: compare it with a backup.",
    [FSCK_LINK_BROKEN] = "Restore that row from a backup.",
    [FSCK_HEAD] = "The next change to the store rewrites it.",
    [FSCK_IMPORT] = "If its source changes, import it with stemma import --replace.",
    [FSCK_SEARCH] = "stemma fsck --rebuild-search rebuilds it.",
    [FSCK_CALL_ALTERED] = "Compare it with a backup.",
    [FSCK_CALLS_BROKEN] = "Look in a backup for what it said.",
    [FSCK_SESSION] = "Compare what stemma sessions --all says of it with a backup.",
};

void fsck_report(struct fsck *f, enum fsck_fault fault, int64_t seq, struct ref ref,
                 const char *hint, const char *what, ...)
{
    AUTO_STRBUF text = STRBUF_INIT;
    STRBUF_VADD(&text, what);
    f->summary->findings++;
    f->each(f->arg, &(struct fsck_finding){fault, seq, ref, text.buf, hint ? hint : advice[fault]});
}

int fsck_query(struct fsck *f, enum fsck_fault fault, const char *sql, struct error *e)
{
    struct query rows = db_query(f->db, e, sql, "");
    while (db_next(&rows))
        fsck_report(f, fault, sqlite3_column_int64(rows.stmt, 0), no_ref, NULL, "%s",
                    (const char *)sqlite3_column_text(rows.stmt, 1));
    return db_end(&rows);
}

int fsck_pause(struct fsck *f, struct error *e)
{
    /* `total` is estimated, since other writers may add rows meanwhile. */
    int64_t done = f->done < f->total ? f->done : f->total;
    if (f->progress && f->progress(f->arg, done, f->total))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    return reader_check(f->reader, e);
}

int fsck_step(struct fsck *f, struct error *e)
{
    return f->done++ % 1024 ? 0 : fsck_pause(f, e);
}

int fsck_background_pause(struct fsck_background *a, struct error *e)
{
    return a->threaded ? reader_check(a->f->reader, e) : fsck_pause(a->f, e);
}

int fsck_background_go_on(void *arg)
{
    struct error ignored;
    return fsck_background_pause(arg, &ignored) != 0;
}

bool fsck_ref(struct fsck *f, sqlite3_stmt *stmt, int column, struct ref *out)
{
    int kind = column_enum(stmt, column, KIND_COUNT);
    const char *id = column_utf8(&f->arena, stmt, column + 1);
    *out = (struct ref){kind < 0 ? KIND_RAW : (enum kind)kind, kind < 0 ? NULL : id};
    return out->id != NULL;
}

static bool is_text(sqlite3_stmt *stmt, int column, const char *text)
{
    if (!text)
        return sqlite3_column_type(stmt, column) == SQLITE_NULL;
    size_t len = strlen(text);
    return sqlite3_column_type(stmt, column) == SQLITE_TEXT &&
           (size_t)sqlite3_column_bytes(stmt, column) == len &&
           memcmp(sqlite3_column_text(stmt, column), text, len) == 0;
}

static bool is_integer(sqlite3_stmt *stmt, int column, int64_t value)
{
    return sqlite3_column_type(stmt, column) == SQLITE_INTEGER &&
           sqlite3_column_int64(stmt, column) == value;
}

static bool is_null(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

bool fsck_row_is(sqlite3_stmt *stmt, const char *format, ...)
{
    bool same = true;
    va_list args;
    va_start(args, format);
    for (int i = 0; format[i] && same; i++) {
        int64_t number, none = format[i] == 'm' ? -1 : format[i] == 'c' ? CHUNK_NONE : 0;
        switch (format[i]) {
        case 's':
            same = is_text(stmt, i, va_arg(args, const char *));
            break;
        case 'd':
            same = same_number(db_double(stmt, i), va_arg(args, double));
            break;
        case 'n':
            same = is_null(stmt, i);
            break;
        default:
            number = va_arg(args, int64_t);
            same =
                format[i] != 'i' && number == none ? is_null(stmt, i) : is_integer(stmt, i, number);
        }
    }
    va_end(args);
    return same;
}

const unsigned char *fsck_varint(const unsigned char *at, const unsigned char *end, uint64_t *out)
{
    *out = 0;
    for (int i = 0; i < 8 && at < end; i++) {
        *out = *out << 7 | (*at & 0x7f);
        if (!(*at++ & 0x80))
            return at;
    }
    return NULL;
}

void fsck_mark_faulty(struct fsck *f, int64_t node)
{
    if (node >= 1 && node <= f->last_node)
        row_set_add(&f->faulty, node);
}

/* ---- the database ---- */

#define OBJECT_SQL "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?"
#define ALL_SQL                                                                                    \
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'"         \
    " AND name NOT LIKE '~_litestream~_%' ESCAPE '~'" /* of a program that copies the log */

/* Returns true if the writer recreates the object when it is missing. It recreates indexes, except
 * the index of refs. */
static bool is_recreated(const char *type, const char *name)
{
    return strcmp(type, "index") == 0 && strcmp(name, "memory_ref") != 0;
}

/*
 * Advice for an object that is missing or that does not belong here. NULL for the default advice.
 */
static const char *advice_for(const char *type, const char *name, bool is_missing)
{
    if (!is_missing)
        return "Find out who put it there; sqlite3 can drop it.";
    if (strncmp(name, "memory_fts", strlen("memory_fts")) == 0)
        return advice[FSCK_SEARCH];
    return is_recreated(type, name) ? "The next change to the store recreates it." : NULL;
}

/* Reports objects of `one` that `other` lacks or, if `compare`, defines differently. */
static int compare_schemas(struct fsck *f, struct db *one, struct db *other, bool compare,
                           const char *how, struct error *e)
{
    struct query rows = db_query(one, e, ALL_SQL, "");
    while (db_next(&rows)) {
        const char *type = (const char *)sqlite3_column_text(rows.stmt, 0);
        const char *name = (const char *)sqlite3_column_text(rows.stmt, 1);
        sqlite3_stmt *same = db_prepare(other, OBJECT_SQL, e);
        int found = same ? db_bind(other, same, e, "ss", type, name) : -1;
        if (found < 0)
            return db_fail(&rows);
        if (!found)
            fsck_report(f, FSCK_DATABASE, 0, no_ref, advice_for(type, name, compare),
                        "the %s %s %s", type, name, how);
        else if (compare && !same_text((const char *)sqlite3_column_text(rows.stmt, 2),
                                       (const char *)sqlite3_column_text(same, 0)))
            fsck_report(f, FSCK_DATABASE, 0, no_ref,
                        is_recreated(type, name)
                            ? "Drop it with sqlite3: the next change to the store recreates it."
                            : NULL,
                        "the %s %s is not as stemma makes it", type, name);
        sqlite3_reset(same);
    }
    return db_end(&rows);
}

/* Compares the schema with that of a new store. The passes rely on the indexes of a new store. */
static int fsck_schema(struct fsck *f, struct error *e)
{
    struct db *fresh = db_open(":memory:", DB_WRITE, e);
    int result = fresh ? schema_migrate(fresh, NULL, e) : -1;
    if (result == 0)
        result = compare_schemas(f, fresh, f->db, true, "is missing", e);
    if (result == 0)
        result = compare_schemas(f, f->db, fresh, false, "is not stemma's", e);
    db_close(fresh);
    return result;
}

/* ---- the second thread ---- */

static const char end_check[] = "COMMIT; PRAGMA cache_size = " DB_READER_CACHE;

struct second {
    struct fsck_background background;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool ended; /* protected by `lock` */
};

/* May take long, so a progress handler asks regularly whether to go on. */
static int check_integrity(struct fsck_background *a, struct error *e)
{
    sqlite3_progress_handler(db_handle(a->db), 100000, fsck_background_go_on, a);
    if (a->schema_matches && fsck_is_sound(a->db))
        return 0;
    struct query rows = db_query(a->db, e, "PRAGMA integrity_check(100)", "");
    while (db_next(&rows)) {
        const char *line = (const char *)sqlite3_column_text(rows.stmt, 0);
        if (line && strcmp(line, "ok") != 0)
            strbuf_add(&a->output, line, strlen(line) + 1);
    }
    return db_end(&rows);
}

static void run_background(struct fsck_background *a)
{
    a->integrity = check_integrity(a, &a->integrity_error);
    a->index = fsck_search_read(a, &a->index_error);
}

static void *run_second(void *arg)
{
    struct second *s = arg;
    run_background(&s->background);
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static int last_event(struct db *db, int64_t *seq, struct error *e)
{
    return db_int(db, seq, 0, e, "SELECT max(seq) FROM event", "");
}

/* The connections see the same snapshot if they see the same last event. */
static bool same_snapshot(struct fsck *f, struct db *other)
{
    struct error ignored;
    int64_t here, there;
    return last_event(f->db, &here, &ignored) == 0 && last_event(other, &there, &ignored) == 0 &&
           here == there;
}

static void init_second(struct second *s, struct fsck *f)
{
    *s = (struct second){.background = {.f = f, .output = STRBUF_INIT}};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
}

static void start_second(struct second *s, struct fsck *f)
{
    struct error ignored;
    struct fsck_background *a = &s->background;
    fsck_search_open(a);
    a->db = reader_second(f->reader, &ignored);
    a->threaded = true;
    if (a->db && db_enlarge_cache(a->db, &ignored) == 0 && db_exec(a->db, "BEGIN", &ignored) == 0) {
        if (same_snapshot(f, a->db) && thread_start(&s->thread, "fsck", run_second, s) == 0)
            return;
        db_exec(a->db, end_check, &ignored);
    }
    a->threaded = false;
    a->db = f->db;
    run_background(a);
    reader_limit(f->reader, 0); /* restore the reader's own handler */
}

/* Waits for the second thread and reports progress meanwhile. */
static int join_second(struct second *s, int result, struct error *e)
{
    struct error ignored;
    struct timespec until;
    if (!s->background.threaded)
        return result;
    if (result)
        reader_interrupt(s->background.f->reader);
    pthread_mutex_lock(&s->lock);
    while (!s->ended) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&s->wake, &s->lock, &until);
        if (result == 0 && (result = fsck_pause(s->background.f, e)))
            reader_interrupt(s->background.f->reader);
    }
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    db_exec(s->background.db, end_check, &ignored);
    return result;
}

static void release_second(struct second *s)
{
    fsck_search_close(s->background.search);
    strbuf_release(&s->background.output);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
}

static int report_integrity(struct fsck *f, const struct fsck_background *a, struct error *e)
{
    const char *end = a->output.buf + a->output.len;
    for (const char *line = a->output.buf; line < end; line += strlen(line) + 1)
        fsck_report(f, FSCK_DATABASE, 0, no_ref, NULL, "SQLite says: %s", line);
    if (a->integrity)
        *e = a->integrity_error;
    return a->integrity;
}

/* ---- the whole check ---- */

static int count(struct fsck *f, struct error *e)
{
    struct fsck_summary *s = f->summary;
    if (db_int(f->db, &s->events, 0, e, "SELECT count(*) FROM event", "") ||
        db_int(f->db, &s->memories, 0, e, "SELECT count(*) FROM memory WHERE status <> 7", "") ||
        db_int(f->db, &s->links, 0, e, "SELECT count(*) FROM link", "") ||
        db_int(f->db, &s->calls, 0, e, "SELECT count(*) FROM call", "") ||
        db_int(f->db, &s->ahead, 0, e, "SELECT count(*) FROM event WHERE at > ?", "i",
               store_now(reader_store(f->reader))) ||
        db_int(f->db, &f->last_node, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    /* Memories are read twice: the second time for the search index. */
    f->total = s->events + s->calls + 2 * s->memories;
    /* Rows are never removed and ids are dense, so a far greater id is damage and must not set the
     * size of the arrays. */
    int64_t rows;
    if (db_int(f->db, &rows, 0, e, "SELECT count(*) FROM memory", ""))
        return -1;
    if (f->last_node > 2 * rows + 1024)
        f->last_node = 2 * rows + 1024;
    f->last = xcalloc((size_t)f->last_node + 1, sizeof(*f->last));
    f->imported = xcalloc((size_t)f->last_node + 1, sizeof(*f->imported));
    return 0;
}

const char *fsck_accept(struct fsck *f)
{
    char hex[2 * DIGEST_SIZE + 1];
    digest_hex(hex, &f->summary->hash);
    return arena_format(
        &f->words, "Compare it with a backup. To accept it as it is: stemma fsck --expect %s", hex);
}

/* The note is read first: a writer writes the head before it. */
static const struct head *read_head(struct fsck *f, struct head *head)
{
    struct error why, ignored;
    const char *path = reader_store(f->reader)->head;
    bool noted = path && head_is_noted(f->db, path, &ignored) == 1;
    int found = path ? head_read(head, path, &why) : 0;
    f->summary->head_found = found == 1;
    f->summary->first_seen = !found && !noted;
    if (found < 0)
        fsck_report(f, FSCK_HEAD, 0, no_ref,
                    why.code == ERROR_STORE ? why.hint
                    : noted                 ? fsck_accept(f)
                                            : NULL,
                    "%s, so a truncated journal would not be noticed", why.what);
    else if (!found && noted)
        fsck_report(f, FSCK_HEAD, 0, no_ref, fsck_accept(f),
                    "the head file %s is missing, and the store has a note that it was written",
                    path);
    return found == 1 ? head : NULL;
}

int store_expect_head(struct reader *r, const struct digest *expected, bool accept, int64_t *seq,
                      struct error *e)
{
    struct head head;
    const struct store *s = reader_store(r);
    if (head_of(reader_db(r), &head, e) ||
        db_int(reader_db(r), seq, 0, e, "SELECT max(seq) FROM event WHERE hash = ?", "b",
               expected->bytes, (size_t)DIGEST_SIZE))
        return -1;
    if (head.events.count && digest_equal(&head.events.hash, expected))
        return !accept || s->read_only || !s->head || head_replace(&head, s->head, e) == 0 ? 1 : -1;
    if (*seq == 0)
        error_set(e, ERROR_CONFLICT, "Compare it with a backup.",
                  "no event has the expected hash: the journal was cut or written anew");
    return 0;
}

/* If damage stops a pass, that is a finding and the other passes still run. */
static int part(struct fsck *f, int result, struct error *e)
{
    if (result == 0 || e->code != ERROR_STORE)
        return result;
    fsck_report(f, FSCK_DATABASE, 0, no_ref, NULL, "%s", e->what);
    return 0;
}

static const struct {
    int (*run)(struct fsck *f, struct error *e);
    bool of_rows; /* needs the arrays by row */
} passes[] = {
    {fsck_log, false},      {fsck_chain, false}, {fsck_calls, false},
    {fsck_sessions, false}, {fsck_rows, true},   {fsck_imports, true},
};

int store_fsck(struct reader *r, void (*each)(void *arg, const struct fsck_finding *finding),
               int (*progress)(void *arg, int64_t done, int64_t total), void *arg,
               struct fsck_summary *summary, struct error *e)
{
    struct fsck f = {.reader = r,
                     .db = reader_db(r),
                     .each = each,
                     .progress = progress,
                     .arg = arg,
                     .summary = summary};
    struct head head;
    *summary = (struct fsck_summary){.hmacs_checked = reader_store(r)->key != NULL};
    struct error ignored;
    struct head end = {.events = {.count = 0}};
    head_of(f.db, &end, &ignored);
    summary->hash = end.events.hash;
    /* The head file may be behind the journal but never ahead, so it is read first. */
    f.head = read_head(&f, &head);
    int64_t before = summary->findings;
    if (reader_begin(r, e)) {
        arena_release(&f.words);
        return -1;
    }
    struct second second;
    db_enlarge_cache(f.db, &ignored);
    init_second(&second, &f);
    int result = part(&f, count(&f, e), e);
    if (result == 0)
        result = part(&f, fsck_schema(&f, e), e);
    second.background.schema_matches = summary->findings == before;
    if (result == 0)
        start_second(&second, &f);
    for (size_t i = 0; result == 0 && i < sizeof(passes) / sizeof(*passes); i++)
        if (f.last || !passes[i].of_rows)
            result = part(&f, passes[i].run(&f, e), e);
    if (result == 0 && f.last)
        result = part(&f, fsck_search_words(&f, &second.background, e), e);
    result = join_second(&second, result, e);
    if (result == 0)
        result = part(&f, report_integrity(&f, &second.background, e), e);
    if (result == 0 && f.last)
        result = part(&f, fsck_search(&f, &second.background, e), e);
    release_second(&second);
    db_exec(f.db, "PRAGMA cache_size = " DB_READER_CACHE, &ignored);
    reader_end(r);
    FREE_ALL(f.last, f.imported, f.purged);
    row_set_release(&f.faulty);
    arena_release(&f.arena);
    arena_release(&f.words);
    const struct store *s = reader_store(r);
    if (result == 0 && summary->first_seen && !summary->findings && !s->read_only && s->head)
        head_write(&end, NULL, s->head, &ignored);
    return result;
}

/* ---- naming a file that could not be opened ---- */

/* https://www.sqlite.org/fileformat.html#the_database_header */
static const char magic[] = "SQLite format 3"; /* with its NUL */
#define APPLICATION_AT 68
#define HEADER_SIZE    100

void store_explain_unopenable(const char *path, struct error *e)
{
    unsigned char header[HEADER_SIZE];
    int fd = store_file_peek(path);
    ssize_t got = fd < 0 ? -1 : pread(fd, header, sizeof(header), 0);
    const unsigned char *at = header + APPLICATION_AT;
    if (fd >= 0)
        store_file_end_peek(fd);
    if (got == 0)
        error_set(e, ERROR_INVALID, "Check the path.", "%s is empty: there is no store in it",
                  path);
    else if (got > 0 && (got < HEADER_SIZE || memcmp(header, magic, sizeof(magic)) != 0))
        error_set(e, ERROR_INVALID, "Check the path, or restore a backup.",
                  "%s is no database, or its start was overwritten", path);
    else if (got > 0 && ((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
                         at[3]) == SCHEMA_APPLICATION)
        error_set(e, ERROR_STORE, "Restore a backup.",
                  "%s is a store of stemma, so damaged that it cannot be checked", path);
    else if (got > 0)
        error_set(e, ERROR_STORE, "Check the path.",
                  "%s is a damaged database, and not one of stemma's", path);
}

#define PAUSE 1024 /* memories between two checks for interruption */

struct rebuild {
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t done, total;
    struct arena arena;
    struct strbuf text;
};

/* FTS5 can empty its tables only if it can read them. So replace them by those of a new store
 * first. */
static int empty_index(struct db *db, struct error *e)
{
    struct db *fresh = db_open(":memory:", DB_WRITE, e);
    int result = failed_if(!fresh || schema_make_search(fresh, e) ||
                           fts_tables_make(fresh, db, e) || fts_tables_copy(fresh, db, e));
    db_close(fresh);
    return result ? -1
                  : db_run(db, e, "INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')", "");
}

static int add_row(struct rebuild *b, struct db *db, sqlite3_stmt *stmt, struct error *e)
{
    arena_clear(&b->arena);
    strbuf_clear(&b->text);
    search_text_of(&b->text, &b->arena, stmt, 1);
    if (b->progress && b->done % PAUSE == 0 && b->progress(b->arg, b->done, b->total))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted: the search index is as it was");
    b->done++;
    return db_run(db, e, "INSERT INTO memory_fts(rowid, text) VALUES (?, ?)", "is",
                  sqlite3_column_int64(stmt, 0), b->text.buf);
}

/* In the order of rows, which is fastest for FTS5 (text_index.h). */
static int rebuild(struct txn *t, void *arg, struct error *e)
{
    struct rebuild *b = arg;
    struct db *db = txn_db(t);
    if (db_int(db, &b->total, 0, e, "SELECT count(*) FROM memory WHERE status <> 7", "") ||
        empty_index(db, e))
        return -1;
    struct query rows = db_query(
        db, e, "SELECT id, " SEARCH_TEXT_COLUMNS " FROM memory WHERE status <> 7 ORDER BY id", "");
    while (db_next(&rows))
        if (add_row(b, db, rows.stmt, e))
            return db_fail(&rows);
    return db_end(&rows);
}

int store_rebuild_search(struct store *s, int (*progress)(void *arg, int64_t done, int64_t total),
                         void *arg, int64_t *count, struct error *e)
{
    struct rebuild b = {.progress = progress, .arg = arg, .text = STRBUF_INIT};
    int result = store_run_alone(s, rebuild, &b, e);
    *count = b.done;
    arena_release(&b.arena);
    strbuf_release(&b.text);
    return result;
}
