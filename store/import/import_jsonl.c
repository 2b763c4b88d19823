/* Import and export of JSONL: lines of the exchange form. Also watches a source for --follow. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/import/import.h"
#include "store/import/import_run.h"
#include "store/ops/add.h"
#include "store/platform/platform.h"
#include "store/record/check.h"

/* ---- lines ---- */

#define UNKNOWN_SHOWN 20 /* lines with unknown members that are reported one by one */

/* Warns about a value that is imported although it looks wrong. */
static void warn(struct import_reading *r, const struct import_item *item, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
static void warn(struct import_reading *r, const struct import_item *item, const char *what, ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list args;
    va_start(args, what);
    strbuf_vaddf(&text, what, args);
    va_end(args);
    import_run_report_record(r->run, item, "%s; kept as it is", text.buf);
    r->summary->not_understood++;
    strbuf_release(&text);
}

static bool is_no_share(double value)
{
    return value < 0 || value > 1; /* false for NAN, which means absent */
}

static bool has_broken_hash(const struct memory *m)
{
    if (m->ref.kind != KIND_ATTRIBUTION || !m->detail)
        return false;
    struct json_slice hash = json_member(m->detail, strlen(m->detail), "full_content_hash");
    return hash.ptr && *hash.ptr != 'n' &&
           (hash.len != 2 * DIGEST_SIZE + 2 || *hash.ptr != '"' ||
            strspn(hash.ptr + 1, "0123456789abcdefABCDEF") != 2 * DIGEST_SIZE);
}

static void report_doubts(struct import_reading *r, const struct import_item *item)
{
    const struct memory *m = &item->memory;
    struct ref ref;
    if (m->status == STATUS_PURGED && *m->text)
        warn(r, item, "is purged, and has a text all the same");
    for (size_t i = 0; i < m->history_count; i++) {
        if (is_no_share(m->history[i].old))
            warn(r, item, "history[%zu]: old is not between 0 and 1", i);
        if (is_no_share(m->history[i].new_))
            warn(r, item, "history[%zu]: new is not between 0 and 1", i);
    }
    for (size_t i = 0; i < m->annotation_count; i++) /* annotations are shown but never followed */
        if (ref_parse(m->annotations[i], &ref) == REF_MEMORY)
            warn(r, item, "the annotation %s is a ref, which links nothing there",
                 m->annotations[i]);
    if (has_broken_hash(m))
        warn(r, item, "full_content_hash is not 64 hex digits");
}

/* The memory is imported without the unknown members. */
static void report_unknown(struct import_reading *r, int64_t line)
{
    if (r->scratch.len == 0)
        return;
    r->summary->not_understood++;
    if (++r->unknown_lines <= UNKNOWN_SHOWN)
        import_run_report_record(
            r->run, &(struct import_item){.line = line}, "%s not known; left out: %s",
            strchr(r->scratch.buf, ',') ? "members that are" : "a member that is", r->scratch.buf);
}

static void report_more_unknown(struct import_reading *r)
{
    int64_t rest = r->unknown_lines - UNKNOWN_SHOWN;
    if (rest > 0)
        import_run_report_record(r->run, &(struct import_item){0},
                                 "%lld more %s members that are not known; left out",
                                 (long long)rest, rest == 1 ? "line has" : "lines have");
}

/* The hash is of what the source says. If the line has no time, the hash must not include the time
 * of the import, or the same line would differ tomorrow. */
static int hash_line(struct import_reading *r, struct import_item *item, struct arena *arena,
                     const struct record *line, struct error *e)
{
    struct memory undated;
    struct memory *said = &item->memory;
    if (said->created_at == r->now) {
        if (exchange_read(&undated, arena, line->ptr, line->len, r->options->agent, 0, NULL, e))
            return -1;
        item->undated = undated.created_at == 0;
        said = &undated;
    }
    import_hash_form(said, arena, &item->hash);
    return 0;
}

/* Unknown members are collected in r->scratch. */
static int take_line(struct import_reading *r, const struct record *line, struct import_item *item,
                     struct error *e)
{
    struct arena *arena = import_run_arena(r->run, e);
    struct error wrong;
    if (!arena)
        return -1;
    strbuf_clear(&r->scratch);
    if (exchange_read(&item->memory, arena, line->ptr, line->len, r->options->agent, r->now,
                      &r->scratch, &wrong) ||
        add_detail_check_place(item->memory.ref.kind, item->memory.detail, &wrong) ||
        entry_check_line(&item->memory, r->now, &wrong) ||
        hash_line(r, item, arena, line, &wrong)) {
        import_fault(r, &(struct import_item){.line = line->line}, &wrong);
        return 0;
    }
    report_unknown(r, line->line);
    report_doubts(r, item);
    return import_run_add(r->run, item, e);
}

static bool is_memory(const struct record *line, struct arena *arena)
{
    struct memory m;
    struct error wrong;
    return exchange_read(&m, arena, line->ptr, line->len, "nobody", 0, NULL, &wrong) == 0;
}

static const struct import_format format = {
    .source = {.name = "jsonl", .actor = "import jsonl"},
    .by_lines = true,
    .take = take_line,
    .end = report_more_unknown,
    .is_one = is_memory,
};

int import_jsonl_check(const char *path, struct error *e)
{
    return import_format_check(&format, path, e);
}

int import_jsonl(struct store *s, const char *path, const struct import_options *options,
                 struct import_summary *summary, struct error *e)
{
    return import_format_run(&format, s, path, options, summary, e);
}

/* ---- export ---- */

#define PROGRESS_EVERY 1000 /* memories */

struct export
{
    struct reader *reader;
    int (*write)(void *arg, const char *line, size_t len);
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t done, total;
    struct arena arena;
    struct strbuf line;
};

static int interrupted(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "", "the export was interrupted");
}

static int export_memory(struct export *x, int64_t node, struct error *e)
{
    struct memory m;
    arena_clear(&x->arena);
    strbuf_clear(&x->line);
    if (memory_read(x->reader, &x->arena, node, &m, e))
        return -1;
    exchange_write(&x->line, &m, NULL);
    strbuf_addch(&x->line, '\n');
    if (x->write(x->arg, x->line.buf, x->line.len))
        return error_set(e, ERROR_STORE, "Check the disk and the permissions.",
                         "cannot write the export");
    x->done++;
    if (x->progress && x->done % PROGRESS_EVERY == 0 && x->progress(x->arg, x->done, x->total))
        return interrupted(e);
    return 0;
}

/* Within a kind, the index of refs sorts by the bytes of the id. */
static int export_kind(struct export *x, enum kind kind, struct error *e)
{
    struct db *db = reader_db(x->reader);
    struct query rows =
        db_query(db, e, "SELECT id, name FROM memory WHERE kind = ? AND status < 7 ORDER BY name",
                 "i", (int64_t)kind);
    while (db_next(&rows))
        if (export_memory(x, sqlite3_column_int64(rows.stmt, 0), e))
            return db_fail(&rows);
    return db_end(&rows);
}

static int compare_kinds(const void *a, const void *b)
{
    return strcmp(kind_name(*(const enum kind *)a), kind_name(*(const enum kind *)b));
}

static int export_all(struct export *x, struct error *e)
{
    enum kind kinds[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++)
        kinds[i] = (enum kind)i;
    qsort(kinds, KIND_COUNT, sizeof(*kinds), compare_kinds);
    if (db_int(reader_db(x->reader), &x->total, 0, e,
               "SELECT count(*) FROM memory WHERE status < 7", ""))
        return -1;
    if (x->progress && x->progress(x->arg, 0, x->total))
        return interrupted(e);
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (export_kind(x, kinds[i], e))
            return -1;
    return 0;
}

int export_jsonl(struct reader *r, int (*write)(void *arg, const char *line, size_t len), void *arg,
                 int (*progress)(void *arg, int64_t done, int64_t total), struct error *e)
{
    struct export x = {.reader = r,
                       .write = write,
                       .progress = progress,
                       .arg = arg,
                       .arena = ARENA_INIT,
                       .line = STRBUF_INIT};
    if (reader_begin(r, e))
        return -1;
    int result = export_all(&x, e);
    reader_end(r);
    arena_release(&x.arena);
    strbuf_release(&x.line);
    return result;
}

/*
 * ---- watching a source ----
 *
 * Reading a store may create and remove an empty log. Only writes count, so that an import does not
 * trigger itself.
 */

/* State of a file that changes with each write. */
struct trace {
    bool there;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct import_watch {
    char *path, *log; /* log: path-wal */
    struct watcher *watcher;
    struct trace file_state, log_state;
};

static struct trace read_file_state(const char *path)
{
    struct stat file;
    if (stat(path, &file))
        return (struct trace){.there = false};
    return (struct trace){true, file.st_dev, file.st_ino, file.st_size, file.st_mtim};
}

/* Treats an empty log as absent. */
static struct trace read_log_state(const char *path)
{
    struct trace log = read_file_state(path);
    return log.size ? log : (struct trace){.there = false};
}

static bool same_file_state(const struct trace *a, const struct trace *b)
{
    return a->there == b->there && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

struct import_watch *import_watch_open(const char *path, struct error *e)
{
    char *real = realpath(path, NULL);
    if (!real) {
        error_set(e, ERROR_STORE, "Check the path.", "cannot follow %s: %s", path, strerror(errno));
        return NULL;
    }
    struct import_watch *w = xcalloc(1, sizeof(*w));
    w->path = real;
    w->log = xformat("%s-wal", real);
    w->watcher = watcher_new((const char *const[]){w->path, w->log}, 2);
    w->file_state = read_file_state(w->path);
    w->log_state = read_log_state(w->log);
    return w;
}

int import_watch_fd(const struct import_watch *w)
{
    return watcher_fd(w->watcher);
}

/* The states are taken before the caller reads, so writes during the read count next time. */
int import_watch_changed(struct import_watch *w)
{
    bool written = (watcher_take(w->watcher) & WATCHED_WRITTEN) != 0;
    struct trace file = read_file_state(w->path), log = read_log_state(w->log);
    bool changed = !same_file_state(&file, &w->file_state) || !same_file_state(&log, &w->log_state);
    w->file_state = file;
    w->log_state = log;
    if (!file.there)
        return -1;
    return written || changed;
}

void import_watch_close(struct import_watch *w)
{
    if (!w)
        return;
    watcher_free(w->watcher);
    free(w->path);
    free(w->log);
    free(w);
}
