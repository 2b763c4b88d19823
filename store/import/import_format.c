/* Imports a source of records: checks it beforehand, then reads it to the end. */
#include "store/import/import_run.h"

static bool is_whole(const struct record *record)
{
    return !record->too_long && !record->unclosed;
}

/* Returns 1 if any record is of the format, or if the source is empty in a way that is allowed. */
static int find_one(const struct import_format *format, struct record_reader *in, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct record record;
    bool found = false, any = false;
    int more = 0;
    while (!found && (more = record_reader_next(in, &record, e)) > 0) {
        any = true;
        found = is_whole(&record) && format->is_one(&record, &arena);
        arena_clear(&arena);
    }
    arena_release(&arena);
    return more < 0 ? -1 : found || (!any && (format->by_lines || in->any));
}

int import_format_check(const struct import_format *format, const char *path, struct error *e)
{
    struct record_reader in;
    if (record_path_is_stream(path))
        return 1;
    if (import_check_kind(path, format->source.name, e) ||
        record_reader_open(&in, path, format->by_lines, e))
        return -1;
    int result = find_one(format, &in, e);
    record_reader_close(&in);
    return result;
}

void import_fault(struct record_import *r, const struct import_item *item,
                  const struct error *wrong)
{
    r->summary->not_understood++;
    if (++r->faults <= r->format->faults_shown || !r->format->faults_shown)
        import_run_report_record(r->run, item, "%s%s%s", wrong->what, wrong->hint[0] ? ". " : "",
                                 wrong->hint);
}

static void report_more_faults(struct record_import *r)
{
    if (r->format->faults_shown && r->faults > r->format->faults_shown)
        import_run_report_record(r->run, &(struct import_item){0}, "%lld more %s",
                                 (long long)(r->faults - r->format->faults_shown),
                                 r->format->more_faults);
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
    struct import_item item = {.line = record->line,
                               .number = r->format->by_lines ? 0 : record->number};
    struct error wrong;
    if (is_whole(record))
        return r->format->take(r, record, &item, e);
    error_set(&wrong, ERROR_INVALID, "", "%s",
              record->unclosed ? "the file ends within the list"
                               : "is longer than 64 MiB; skipped");
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

int import_format_run(const struct import_format *format, struct store *s, const char *path,
                      const struct import_options *options, struct import_summary *summary,
                      struct error *e)
{
    struct record_import r = {.format = format,
                              .options = options,
                              .summary = summary,
                              .now = store_now(s),
                              .scratch = STRBUF_INIT};
    bool stream = record_path_is_stream(path);
    int result = -1;
    *summary = (struct import_summary){.read = 0};
    if ((!stream && import_check_kind(path, format->source.name, e)) ||
        record_reader_open(&r.in, path, format->by_lines, e))
        return -1;
    r.in.asked = options->progress;
    r.in.arg = options->arg;
    r.run = import_run_open(s, &format->source, stream ? NULL : path, options, summary, e);
    if (r.run) {
        result = read_all(&r, e);
        if (format->end)
            format->end(&r);
        report_more_faults(&r);
        result = import_run_close(r.run, result != 0, e);
    }
    summary->empty = !format->by_lines && !r.in.any;
    record_reader_close(&r.in);
    strbuf_release(&r.scratch);
    return result;
}
