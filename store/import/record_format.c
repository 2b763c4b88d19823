/* Imports a source of records: checks it beforehand, then reads it to the end. */
#include "store/import/import_run.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/store_file.h"

/*
 * The reader of records. A record is a slice of the read buffer, which grows until the record is complete; nothing is
 * copied. A record beyond the limit is skipped, not cut.
 *
 * JSON values are the elements of a list, or stand on lines, or follow each other. The end of a value is found by its
 * brackets; json_check must validate it.
 */

/* ---- bytes ---- */

#define CHUNK   (1u << 20)
#define IDLE_MS 500

#define RECORD_IDLE 2 /* nothing came for IDLE_MS */

/* "-" means standard input. */
static int record_reader_open(struct record_reader *r, const char *path,
                              const struct record_format *format, struct error *e)
{
    struct stat file;
    *r = (struct record_reader){.path = "standard input",
                                .by_lines = format->by_lines,
                                .most = format->record_max ? format->record_max : RECORD_MAX_BYTES,
                                .shape = format->by_lines ? VALUES_LINES : VALUES_UNKNOWN,
                                .line = 1};
    if (strcmp(path, "-") != 0) {
        r->path = path;
        r->fd = store_file_open_other(path, e);
        if (r->fd < 0)
            return -1;
    }
    r->is_file = fstat(r->fd, &file) == 0 && S_ISREG(file.st_mode);
    if (r->is_file)
        r->size = file.st_size;
    return 0;
}

/* Stops reading: what was read so far is all. */
static void record_reader_stop(struct record_reader *r)
{
    r->stopped = true;
}

static void record_reader_close(struct record_reader *r)
{
    if (r->fd > 0)
        close(r->fd);
    free(r->buf);
    r->buf = NULL;
}

/* Returns true for standard input and pipes, which can be read only once and have no name that identifies them. */
static bool record_path_is_stream(const char *path)
{
    struct stat file;
    return strcmp(path, "-") == 0 ||
           (stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode));
}

/* Moves unread data to the front and makes room for another chunk. */
static void make_room(struct record_reader *r)
{
    if (r->start > 0) {
        memmove(r->buf, r->buf + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->alloc - r->end >= CHUNK)
        return;
    size_t alloc = 2 * r->alloc + CHUNK;
    r->buf = xrealloc(r->buf, alloc);
    r->alloc = alloc;
}

static int interrupted(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "Run it again to go on.", "the import was interrupted");
}

/* An interrupted wait also ends the reading: a terminal may never send more. */
static int stop_asked(struct record_reader *r, struct error *e)
{
    record_reader_stop(r);
    return r->is_file ? interrupted(e) : 0;
}

/* A signal may interrupt the wait without asking to stop, for example SIGCONT. */
static bool asks_to_go_on(const struct record_reader *r)
{
    return r->asked && !r->asked(r->arg, r->offset, r->size);
}

/* Call when all records were processed: returns 0, or -1 with ERROR_INTERRUPTED if reading was stopped. */
static int record_reader_ended(const struct record_reader *r, struct error *e)
{
    return r->stopped ? interrupted(e) : 0;
}

static int fill(struct record_reader *r, struct error *e)
{
    struct pollfd ready = {.fd = r->fd, .events = POLLIN};
    if (r->at_end || r->stopped)
        return 0;
    if (r->asked && r->asked(r->arg, r->offset, r->size))
        return stop_asked(r, e);
    make_room(r);
    int some = r->is_file ? 1 : poll(&ready, 1, IDLE_MS);
    if (some == 0)
        return RECORD_IDLE;
    if (some < 0 && errno == EINTR)
        return asks_to_go_on(r) ? RECORD_IDLE : stop_asked(r, e);
    ssize_t got = read(r->fd, r->buf + r->end, CHUNK);
    if (got < 0 && errno == EINTR)
        return stop_asked(r, e);
    if (got < 0)
        return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", r->path,
                         strerror(errno));
    r->end += (size_t)got;
    r->offset += got;
    r->at_end = got == 0;
    return got > 0;
}

/* ---- unread data ---- */

static const char *unread(const struct record_reader *r)
{
    return r->buf + r->start;
}

static size_t unread_length(const struct record_reader *r)
{
    return r->end - r->start;
}

/* Consumes bytes and counts their lines. */
static void consume(struct record_reader *r, size_t len)
{
    const char *at = unread(r), *end = at + len;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        r->line++;
        at++;
    }
    r->start += len;
}

/* ---- between values ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Skips a byte order mark, which some editors write. */
static void skip_mark(struct record_reader *r)
{
    if (!r->begun && unread_length(r) >= 3 && memcmp(unread(r), "\xef\xbb\xbf", 3) == 0)
        r->start += 3;
    r->begun = true;
}

/* Skips white space and the brackets and commas of a list. Returns 1 at a value, 0 at the end,
 * RECORD_IDLE, or -1. */
static int find_value(struct record_reader *r, struct error *e)
{
    for (;;) {
        size_t skip = 0, len = unread_length(r);
        if (len >= 3 || r->at_end)
            skip_mark(r), len = unread_length(r);
        const char *text = unread(r);
        while (r->begun && skip < len &&
               (is_space(text[skip]) || (r->shape == VALUES_LIST && text[skip] == ',')))
            skip++;
        char c = skip < len ? text[skip] : '\0';
        bool opens = r->begun && !r->by_lines && r->shape != VALUES_LIST && c == '[';
        bool closes = r->begun && r->shape == VALUES_LIST && c == ']';
        consume(r, skip + (opens || closes));
        r->any |= opens || (r->begun && skip < len);
        if (opens || closes) {
            r->shape = opens ? VALUES_LIST : VALUES_UNKNOWN;
            continue;
        }
        if (r->begun && skip < len)
            return 1;
        int more = fill(r, e);
        if (more == 1 || (more == 0 && !r->begun && unread_length(r) > 0)) {
            r->begun |= more == 0;
            continue;
        }
        return more;
    }
}

/* ---- a value ---- */

/* The search for the end of a value. */
struct value_end {
    size_t at;
    size_t depth;
    bool in_string, escaped;
    size_t line_end; /* the first line end inside the value; 0 if none */
    size_t skipped;  /* bytes dropped of a value that is too long */
};

static bool ends_scalar(char c)
{
    return is_space(c) || c == ',' || c == ']' || c == '}' || c == '[' || c == '{' || c == '"';
}

/* Scans on; returns true if the value ends at s->at. */
static bool scan_on(struct value_end *s, const char *text, size_t len)
{
    for (; s->at < len; s->at++) {
        char c = text[s->at];
        if (c == '\n' && !s->line_end && s->at)
            s->line_end = s->at;
        if (s->in_string) {
            s->in_string = s->escaped || c != '"';
            s->escaped = !s->escaped && c == '\\';
            if (!s->in_string && s->depth == 0) {
                s->at++;
                return true;
            }
        } else if (s->depth == 0 && s->at && ends_scalar(c)) {
            return true;
        } else if (c == '"') {
            s->in_string = true;
        } else if (c == '{' || c == '[') {
            s->depth++;
        } else if (c == '}' || c == ']') {
            if (s->depth <= 1) {
                s->at++;
                return true;
            }
            s->depth--;
        }
    }
    return false;
}

/* Returns true if the next line begins with another object: then the value is a broken line. */
static bool is_broken_line(const char *text, size_t len, size_t line_end)
{
    return line_end && line_end + 1 < len && text[line_end + 1] == '{';
}

/* Returns true if the rest of the line is white space. */
static bool ends_line(const char *text, size_t len, size_t at)
{
    while (at < len && is_space(text[at]) && text[at] != '\n')
        at++;
    return at == len || text[at] == '\n';
}

static void settle_shape(struct record_reader *r, const struct value_end *s)
{
    if (r->shape != VALUES_UNKNOWN)
        return;
    bool line = (!s->line_end && ends_line(unread(r), unread_length(r), s->at)) ||
                is_broken_line(unread(r), unread_length(r), s->line_end);
    r->shape = line ? VALUES_LINES : VALUES_FOLLOW;
}

/* If values stand on lines, the value is the whole line, whatever its brackets. */
static bool find_line_end(const struct record_reader *r, struct value_end *s)
{
    const char *end =
        unread_length(r) > s->at ? memchr(unread(r) + s->at, '\n', unread_length(r) - s->at) : NULL;
    s->at = end ? (size_t)(end - unread(r)) : unread_length(r);
    return end != NULL;
}

static bool find_value_end(struct record_reader *r, struct value_end *s)
{
    if (r->shape == VALUES_LINES)
        return find_line_end(r, s);
    bool there = scan_on(s, unread(r), unread_length(r));
    /* What follows the first value shows the shape; it may not have arrived yet. */
    if (there && r->shape == VALUES_UNKNOWN)
        settle_shape(r, s);
    if (!there && r->shape == VALUES_UNKNOWN &&
        is_broken_line(unread(r), unread_length(r), s->line_end)) {
        r->shape = VALUES_LINES;
        s->at = s->line_end;
        return true;
    }
    return there;
}

/* Drops the bytes of a value that is too long. */
static void drop_long_value(struct record_reader *r, struct value_end *s)
{
    if (s->at <= r->most && !s->skipped)
        return;
    s->skipped += s->at;
    consume(r, s->at);
    s->at = 0;
    s->line_end = 0;
}

/* ---- records ---- */

static size_t without_space_after(const char *text, size_t len)
{
    while (len && is_space(text[len - 1]))
        len--;
    return len;
}

static int set_record(struct record_reader *r, const struct value_end *s, struct record *out)
{
    const char *text = unread(r);
    bool too_long = s->skipped || s->at > r->most;
    out->number = ++r->number;
    out->too_long = too_long;
    out->ptr = too_long ? NULL : text;
    out->len = too_long ? 0 : without_space_after(text, s->at);
    consume(r, s->at);
    return 1;
}

static int unclosed(struct record_reader *r, struct record *out)
{
    *out = (struct record){.number = r->number + 1, .line = r->line, .unclosed = true};
    r->shape = VALUES_UNKNOWN;
    return 1;
}

/*
 * Returns 1 with a record, 0 at the end, -1 on error, RECORD_IDLE if nothing arrived for half a second but more may
 * come. The last line needs no line end. If `asked` or a signal stops a file, that is an error at once, because the
 * file can be read again. Of a stream, the complete records read so far are still returned. O(bytes).
 */
static int record_reader_next(struct record_reader *r, struct record *out, struct error *e)
{
    struct value_end s = {.at = 0};
    *out = (struct record){.ptr = NULL};
    int found = find_value(r, e);
    if (found == 0 && r->shape == VALUES_LIST && !r->stopped)
        return unclosed(r, out);
    if (found != 1)
        return found;
    out->line = r->line;
    while (!find_value_end(r, &s)) {
        drop_long_value(r, &s);
        int more = fill(r, e);
        if (more < 0)
            return -1;
        if (more == 0 && (r->stopped || s.at + s.skipped == 0))
            return 0;
        if (more == 0)
            break;
        if (more == RECORD_IDLE && !s.skipped)
            return RECORD_IDLE; /* scan again when more has arrived */
    }
    return set_record(r, &s, out);
}

/* ---- the import ---- */

static bool is_whole(const struct record *record)
{
    return !record->too_long && !record->unclosed;
}

static bool is_checked(const struct record_format *format, const struct record *record,
                       struct error *wrong)
{
    return !format->check || format->check(record->ptr, record->len, format->depth, wrong) == 0;
}

/* Returns 1 if any record is of the format, or if the source is empty in a way that is allowed. */
static int find_one(const struct record_format *format, struct record_reader *in, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct record record;
    struct error wrong;
    bool found = false, any = false;
    int more = 0;
    while (!found && (more = record_reader_next(in, &record, e)) > 0) {
        any = true;
        found = is_whole(&record) && is_checked(format, &record, &wrong) &&
                format->is_one(&record, &arena);
        arena_clear(&arena);
    }
    return more < 0 ? -1 : found || (!any && (format->by_lines || in->any));
}

static int check_records(const struct import_format *format, const char *path, struct error *e)
{
    struct record_reader in;
    if (record_path_is_stream(path))
        return 1;
    if (import_check_kind(path, format->name, e) ||
        record_reader_open(&in, path, format->records, e))
        return -1;
    int result = find_one(format->records, &in, e);
    record_reader_close(&in);
    return result;
}

void import_fault(struct record_import *r, const struct import_item *item,
                  const struct error *wrong)
{
    r->summary->not_understood++;
    if (++r->faults <= r->format->records->faults_shown || !r->format->records->faults_shown)
        import_run_report_record(r->run, item, "%s%s%s", wrong->what, wrong->hint[0] ? ". " : "",
                                 wrong->hint);
}

void import_fault_at(struct record_import *r, int64_t line, const char *what, ...)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct error wrong;
    STRBUF_VADD(&text, what);
    error_set(&wrong, ERROR_INVALID, "", "%s", text.buf);
    import_fault(r, &(struct import_item){.line = line}, &wrong);
}

static void report_more_faults(struct record_import *r)
{
    if (r->format->records->faults_shown && r->faults > r->format->records->faults_shown)
        import_run_report_record(r->run, &(struct import_item){0}, "%lld more %s",
                                 (long long)(r->faults - r->format->records->faults_shown),
                                 r->format->records->more_faults);
}

/* Reports progress. If the caller wants to stop, a file ends at once because it can be read again;
 * of a stream, what was received is imported first. */
static int tick(struct record_import *r, struct error *e)
{
    struct record_reader *in = &r->in;
    if (in->stopped || import_run_progress(r->run, in->offset, in->size, e) == 0)
        return 0;
    if (in->is_file || e->code != ERROR_INTERRUPTED)
        return -1;
    record_reader_stop(in);
    return 0;
}

static int take(struct record_import *r, const struct record *record, struct error *e)
{
    const struct record_format *format = r->format->records;
    struct import_item item = {.line = record->line,
                               .number = format->is_numbered ? record->number : 0};
    struct error wrong;
    if (record->unclosed) {
        error_set(&wrong, ERROR_INVALID, "", "the file ends within the list");
    } else if (record->too_long) {
        error_set(&wrong, ERROR_INVALID, "", "is longer than %zu MiB; skipped", r->in.most >> 20);
    } else if (is_checked(format, record, &wrong)) {
        int result = format->take(r, record, &item, e);
        if (result <= 0)
            return result;
        error_set(&wrong, ERROR_INVALID, "", "%s", format->not_one);
    }
    import_fault(r, &item, &wrong);
    return 0;
}

static int read_all(struct record_import *r, struct error *e)
{
    struct record record;
    int64_t reported = -1; /* bytes last reported */
    int more;
    while ((more = record_reader_next(&r->in, &record, e)) > 0) {
        if (more == RECORD_IDLE || r->in.offset != reported) {
            reported = r->in.offset;
            if (tick(r, e))
                return -1;
        }
        if (more == RECORD_IDLE ? import_run_commit(r->run, e) : take(r, &record, e))
            return -1;
    }
    return more == 0 ? record_reader_ended(&r->in, e) : -1;
}

static int run_records(const struct import_format *format, struct store *s, const char *path,
                       const struct import_options *options, struct import_summary *summary,
                       struct error *e)
{
    struct record_import r = {.format = format,
                              .options = options,
                              .summary = summary,
                              .now = store_now(s),
                              .scratch = STRBUF_INIT};
    const struct record_format *records = format->records;
    bool stream = record_path_is_stream(path);
    int result = -1;
    *summary = (struct import_summary){.read = 0};
    if ((!stream && import_check_kind(path, format->name, e)) ||
        record_reader_open(&r.in, path, records, e))
        return -1;
    r.state = records->state_size ? xcalloc(1, records->state_size) : NULL;
    r.in.asked = options->progress;
    r.in.arg = options->arg;
    r.run = import_run_open(s, format, stream ? NULL : path, options, summary, e);
    if (r.run) {
        result = read_all(&r, e);
        if (result == 0 && records->end)
            result = records->end(&r, e);
        report_more_faults(&r);
        result = import_run_close(r.run, result != 0, e);
    }
    summary->empty = !records->by_lines && !r.in.any;
    if (records->release)
        records->release(r.state);
    free(r.state);
    record_reader_close(&r.in);
    strbuf_release(&r.scratch);
    return result;
}

/* ---- any format ---- */

int import_source_check(const struct import_format *format, const char *path, const char *agent,
                        struct import_summary *found, struct error *e)
{
    *found = (struct import_summary){.read = 0};
    if (format->records)
        return check_records(format, path, e);
    return format->check ? format->check(format, path, agent, found, e) : 1;
}

int import_source_run(const struct import_format *format, struct store *s, const char *path,
                      const struct import_options *options, struct import_summary *summary,
                      struct error *e)
{
    return (format->records ? run_records : format->run)(format, s, path, options, summary, e);
}
