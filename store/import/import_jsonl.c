/* Import and export of JSONL: lines of the exchange form. */
#include <errno.h>
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
#include "store/import/byte_reader.h"
#include "store/import/import.h"
#include "store/import/import_run.h"
#include "store/ops/add.h"
#include "store/platform/platform.h"
#include "store/record/check.h"

/* ---- lines ---- */

#define UNKNOWN_SHOWN 20 /* lines with members that are not known, which are told one by one */

static const struct import_source source = {.name = "jsonl", .actor = "import jsonl"};

struct import_lines {
    struct import_run *run;
    struct line_reader reader;
    const struct import_options *options;
    struct import_summary *summary;
    int64_t now;
    struct strbuf unknown; /* names of members of the line that are not known */
    int64_t unknown_lines; /* that had such */
};

static void report(struct import_lines *lines, const char *what)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text, "line %lld: %s", (long long)lines->reader.number, what);
    import_run_report(lines->run, text.buf);
    strbuf_release(&text);
}

/* "line 3: what is wrong. What to do." */
static void report_wrong(struct import_lines *lines, const struct error *wrong)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, wrong->what);
    if (wrong->todo[0])
        strbuf_addf(&text, ". %s", wrong->todo);
    report(lines, text.buf);
    strbuf_release(&text);
}

/* What is taken although it looks wrong. */
static void doubt(struct import_lines *lines, const struct memory *m, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
static void doubt(struct import_lines *lines, const struct memory *m, const char *what, ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list args;
    ref_add(&text, m->ref);
    strbuf_addstr(&text, ": ");
    va_start(args, what);
    strbuf_vaddf(&text, what, args);
    va_end(args);
    strbuf_addstr(&text, "; kept as it is");
    report(lines, text.buf);
    lines->summary->not_understood++;
    strbuf_release(&text);
}

static bool is_no_share(double value)
{
    return value < 0 || value > 1; /* NAN, which says nothing, is neither */
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

static void report_doubts(struct import_lines *lines, const struct memory *m)
{
    struct ref ref;
    if (m->status == STATUS_PURGED && *m->text)
        doubt(lines, m, "is purged, and has a text all the same");
    for (size_t i = 0; i < m->history_count; i++) {
        if (is_no_share(m->history[i].old))
            doubt(lines, m, "history[%zu]: old is not between 0 and 1", i);
        if (is_no_share(m->history[i].new_))
            doubt(lines, m, "history[%zu]: new is not between 0 and 1", i);
    }
    for (size_t i = 0; i < m->annotation_count; i++) /* which are shown and never walked */
        if (ref_parse(m->annotations[i], &ref) == REF_MEMORY)
            doubt(lines, m, "the annotation %s is a ref, which links nothing there",
                  m->annotations[i]);
    if (has_broken_hash(m))
        doubt(lines, m, "full_content_hash is not 64 hex digits");
}

/* The memory stands without them. */
static void report_unknown(struct import_lines *lines)
{
    struct strbuf text = STRBUF_INIT;
    if (lines->unknown.len == 0)
        return;
    lines->summary->not_understood++;
    if (++lines->unknown_lines <= UNKNOWN_SHOWN) {
        strbuf_addf(&text, "%s not known; left out: %s",
                    strchr(lines->unknown.buf, ',') ? "members that are" : "a member that is",
                    lines->unknown.buf);
        report(lines, text.buf);
    }
    strbuf_release(&text);
}

static void report_more_unknown(struct import_lines *lines)
{
    int64_t rest = lines->unknown_lines - UNKNOWN_SHOWN;
    char text[96];
    if (rest <= 0)
        return;
    snprintf(text, sizeof(text), "%lld more %s members that are not known; left out",
             (long long)rest, rest == 1 ? "line has" : "lines have");
    import_run_report(lines->run, text);
}

static bool is_blank(const struct line *line)
{
    for (size_t i = 0; i < line->len; i++)
        if (line->ptr[i] != ' ' && line->ptr[i] != '\t' && line->ptr[i] != '\r')
            return false;
    return !line->too_long;
}

/*
 * The hash is of what the source says. Where that is no time, the import's own must not be in it, or
 * the same line would be another one tomorrow.
 */
static int hash_line(struct import_lines *lines, struct import_item *item, struct arena *arena,
                     const struct line *line, struct error *e)
{
    struct memory undated;
    struct memory *said = &item->memory;
    if (said->created_at == lines->now) {
        if (exchange_read(&undated, arena, line->ptr, line->len, lines->options->agent, 0, NULL, e))
            return -1;
        item->undated = undated.created_at == 0;
        said = &undated;
    }
    import_hash_form(said, arena, &item->hash);
    return 0;
}

static int add_line(struct import_lines *lines, const struct line *line, struct error *e)
{
    struct import_item item = {.line = lines->reader.number};
    struct arena *arena = import_run_arena(lines->run, e);
    struct error wrong;
    if (!arena)
        return -1;
    strbuf_clear(&lines->unknown);
    if (exchange_read(&item.memory, arena, line->ptr, line->len, lines->options->agent, lines->now,
                      &lines->unknown, &wrong) ||
        add_detail_check_place(item.memory.ref.kind, item.memory.detail, &wrong) ||
        entry_check_line(&item.memory, lines->now, &wrong) ||
        hash_line(lines, &item, arena, line, &wrong)) {
        lines->summary->not_understood++;
        report_wrong(lines, &wrong);
        return 0;
    }
    report_unknown(lines);
    report_doubts(lines, &item.memory);
    return import_run_add(lines->run, &item, e);
}

/*
 * Tells the progress. What is asked to stop ends at once, for it can be read again; of a stream what
 * was received is taken over first.
 */
static int tick(struct import_lines *lines, struct error *e)
{
    struct byte_reader *r = &lines->reader.in;
    if (r->stopped || import_run_progress(lines->run, r->offset, r->size, e) == 0)
        return 0;
    if (r->is_file || e->code != ERROR_INTERRUPTED)
        return -1;
    byte_reader_stop(r);
    return 0;
}

static int take_line(struct import_lines *lines, const struct line *line, struct error *e)
{
    if (is_blank(line))
        return 0;
    if (!line->too_long)
        return add_line(lines, line, e);
    lines->summary->not_understood++;
    report(lines, "is longer than 64 MiB; passed over");
    return 0;
}

static int add_lines(struct import_lines *lines, struct error *e)
{
    struct line line;
    int more = 0;
    int64_t told = -1; /* progress, in bytes */
    while ((more = line_reader_next(&lines->reader, &line, e)) > 0) {
        if (more == LINE_IDLE || lines->reader.in.offset != told) {
            told = lines->reader.in.offset;
            if (tick(lines, e))
                return -1;
        }
        if (more == LINE_IDLE ? import_run_rest(lines->run, e) : take_line(lines, &line, e))
            return -1;
    }
    return more == 0 ? byte_reader_ended(&lines->reader.in, e) : more;
}

/* 1: one of the lines says a memory, or there is none at all. */
static int find_memory(struct line_reader *reader, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct memory m;
    struct error wrong;
    struct line line;
    bool found = false, any = false;
    int more = 0;
    while (!found && (more = line_reader_next(reader, &line, e)) > 0) {
        if (more == LINE_IDLE || is_blank(&line))
            continue;
        any = true;
        found = !line.too_long &&
                exchange_read(&m, &arena, line.ptr, line.len, "nobody", 0, NULL, &wrong) == 0;
        arena_clear(&arena);
    }
    arena_release(&arena);
    return more < 0 ? -1 : found || !any;
}

int import_jsonl_check(const char *path, struct error *e)
{
    struct line_reader reader;
    if (byte_reader_is_stream(path))
        return 1;
    if (import_check_kind(path, source.name, e) || line_reader_open(&reader, path, e))
        return -1;
    int result = find_memory(&reader, e);
    line_reader_close(&reader);
    return result;
}

int import_jsonl(struct store *s, const char *path, const struct import_options *options,
                 struct import_summary *summary, struct error *e)
{
    struct import_lines lines = {
        .options = options, .summary = summary, .now = store_now(s), .unknown = STRBUF_INIT};
    bool stream = byte_reader_is_stream(path);
    *summary = (struct import_summary){.read = 0};
    if ((!stream && import_check_kind(path, source.name, e)) ||
        line_reader_open(&lines.reader, path, e))
        return -1;
    lines.reader.in.asked = options->progress;
    lines.reader.in.arg = options->arg;
    lines.run = import_run_open(s, &source, stream ? NULL : path, options, summary, e);
    int result = -1;
    if (lines.run) {
        result = add_lines(&lines, e);
        report_more_unknown(&lines);
        result = import_run_close(lines.run, result != 0, e);
    }
    line_reader_close(&lines.reader);
    strbuf_release(&lines.unknown);
    return result;
}

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

/* The order of the index of refs within a kind is that of the bytes of the id. */
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
 * Reading a store may create an empty log and remove it again, but writes to neither, so an import does not set itself
 * off: only what was written counts at once, other news is looked at.
 */

/* What of a file changes whenever it is written. */
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
    struct trace file_trace, log_trace;
};

static struct trace take_trace(const char *path)
{
    struct stat file;
    if (stat(path, &file))
        return (struct trace){.there = false};
    return (struct trace){true, file.st_dev, file.st_ino, file.st_size, file.st_mtim};
}

/* An empty log is as good as none. */
static struct trace take_log_trace(const char *path)
{
    struct trace log = take_trace(path);
    return log.size ? log : (struct trace){.there = false};
}

static bool same_trace(const struct trace *a, const struct trace *b)
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
    w->file_trace = take_trace(w->path);
    w->log_trace = take_log_trace(w->log);
    return w;
}

int import_watch_fd(const struct import_watch *w)
{
    return watcher_fd(w->watcher);
}

/* The traces are taken before the caller reads, so that what is written meanwhile counts next time. */
int import_watch_changed(struct import_watch *w)
{
    bool written = (watcher_take(w->watcher) & WATCHED_WRITTEN) != 0;
    struct trace file = take_trace(w->path), log = take_log_trace(w->log);
    bool changed = !same_trace(&file, &w->file_trace) || !same_trace(&log, &w->log_trace);
    w->file_trace = file;
    w->log_trace = log;
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
