/* Imports JSONL: lines of the JSON of a memory. */
#include <stdarg.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "model/memory/memory.h"
#include "store/import/import.h"
#include "store/import/import_run.h"

#define UNKNOWN_SHOWN 20 /* lines with unknown members that are reported one by one */

/* Warns about a value that is imported although it looks wrong. */
static void warn(struct record_import *r, const struct import_item *item, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
static void warn(struct record_import *r, const struct import_item *item, const char *what, ...)
{
    AUTO_STRBUF text = STRBUF_INIT;
    STRBUF_VADD(&text, what);
    import_run_report_record(r->run, item, "%s; kept as it is", text.buf);
    r->summary->not_understood++;
}

static bool is_no_share(double value)
{
    return value < 0 || value > 1; /* false for NAN, which means absent */
}

static void report_doubts(struct record_import *r, const struct import_item *item)
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
}

/* The memory is imported without the unknown members. */
static void report_unknown(struct record_import *r, int64_t line)
{
    if (r->scratch.len == 0)
        return;
    r->summary->not_understood++;
    if (++r->unknown_lines <= UNKNOWN_SHOWN)
        import_run_report_record(
            r->run, &(struct import_item){.line = line}, "%s not known; left out: %s",
            strchr(r->scratch.buf, ',') ? "members that are" : "a member that is", r->scratch.buf);
}

static int report_more_unknown(struct record_import *r, struct error *e)
{
    (void)e;
    int64_t rest = r->unknown_lines - UNKNOWN_SHOWN;
    if (rest > 0)
        import_run_report_record(r->run, &(struct import_item){0},
                                 "%lld more %s members that are not known; left out",
                                 (long long)rest, rest == 1 ? "line has" : "lines have");
    return 0;
}

/* The hash is of what the source says. If the line has no time, the hash must not include the time
 * of the import, or the same line would differ tomorrow. */
static int hash_line(struct record_import *r, struct import_item *item, struct arena *arena,
                     const struct record *line, struct error *e)
{
    struct memory undated;
    struct memory *given = &item->memory;
    if (given->created_at == r->now) {
        if (memory_json_read(&undated, arena, line->ptr, line->len, r->options->agent, 0, NULL, e))
            return -1;
        item->undated = undated.created_at == 0;
        given = &undated;
    }
    import_hash_form(given, arena, &item->hash);
    return 0;
}

/* Unknown members are collected in r->scratch. */
static int take_line(struct record_import *r, const struct record *line, struct import_item *item,
                     struct error *e)
{
    struct arena *arena = import_run_arena(r->run, e);
    struct error wrong;
    if (!arena)
        return -1;
    strbuf_clear(&r->scratch);
    if (memory_json_read(&item->memory, arena, line->ptr, line->len, r->options->agent, r->now,
                         &r->scratch, &wrong) ||
        import_check(&item->memory, r->now, &wrong) || hash_line(r, item, arena, line, &wrong)) {
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
    return memory_json_read(&m, arena, line->ptr, line->len, "nobody", 0, NULL, &wrong) == 0;
}

static const struct record_format format = {
    .by_lines = true,
    .take = take_line,
    .end = report_more_unknown,
    .is_one = is_memory,
};

const struct import_format jsonl_format = {
    .name = "jsonl",
    .title = "JSON lines, as `stemma export` writes them",
    .about = "PATH - is standard input",
    .agent = "the agent of memories that name none",
    .owner_is_person = true,
    .file = "json:ref json:text|json:ref json:agent_id",
    .may_be_part = true,
    .records = &format,
};
