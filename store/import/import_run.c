/* The pipeline of an import: fills slices, skips unchanged memories, begins and ends bulk loads, and
 * closes the run. */
#include "store/import/import_run.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "store/ops/add.h"
#include "store/record/put.h"
#include "store/record/entry_row.h"
#include "store/import/import_merge.h"
#include "store/db/store_file.h"
#include "store/db/thread.h"

/* About 0.3 s of writing. Each commit rewrites most index pages: slices of 2,000 were half as slow
 * again (measured: 18,000 against 26,000 memories a second). */
#define SLICE_ITEMS 8000
#define SLICE_BYTES (16u << 20)

/* import_run_take asks after so many memories whether to go on. */
#define ASK_ITEMS 500

/*
 * In a bulk load, which is committed as a whole, a slice only has to keep reader and writer busy.
 */
#define LOAD_ITEMS 2000

/*
 * An import into an empty store that is longer than a slice begins with a bulk load (measured:
 * three times as fast). It ends at the first of these two limits. Other writers wait meanwhile, and
 * fail after 30 s because another process holds the store.
 */
#define BULK_ITEMS 8000000 /* memories and links, which are kept in memory, some 60 bytes each */
#define BULK_MS    60000   /* even if the source is slow */

struct import_run {
    struct store *store;
    const struct import_format *format;
    const struct import_options *options;
    struct import_summary *summary;
    struct import_origin origin;
    bool identified; /* it is known whether the source was imported before */
    bool known;      /* the source was imported before */
    struct actor actor;
    char channel[64]; /* "import kernle" */
    char correlation[13];
    struct reader *reader;
    bool reading;  /* a read transaction is open */
    bool is_empty; /* the store is empty */
    struct bulk bulk;
    int64_t due; /* deadline for the commit of what was read: ms, monotonic */
    struct import_names other_names;
    struct seen seen;
    /* names of the source's living entries, "NAMESPACE KEY" in place of an id */
    struct seen names;
    int64_t first;        /* last event before the import */
    int64_t added_before; /* memories that are passed again (import_run_again) */
    int64_t done, total;  /* of the last progress */
    int64_t taken;        /* by import_run_take */
    struct missing missing;
    struct unlisted unlisted;
    size_t noted; /* of these */
    struct slice slices[2];
    size_t filling;
};

void import_run_report(struct import_run *run, const char *line)
{
    if (run->options->report)
        run->options->report(run->options->arg, line);
}

static void report_line(void *arg, const char *line)
{
    import_run_report(arg, line);
}

void import_run_report_record(struct import_run *run, const struct import_item *item,
                              const char *what, ...)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct slice *s = &run->slices[run->filling];
    STRBUF_VADD(&text, what);
    slice_report(s, item, "%s", text.buf);
    slice_send_reports(s);
}

/* ---- opening ---- */

static int read_store_state(struct import_run *run, struct error *e)
{
    struct db *db = reader_db(run->reader);
    int64_t any;
    if (db_int(db, &any, 0, e, "SELECT 1 FROM memory LIMIT 1", "") ||
        db_int(db, &run->first, 0, e, "SELECT max(seq) FROM event", ""))
        return -1;
    run->is_empty = any == 0 && !run->format->write; /* a bulk load takes memories only */
    return failed_if(import_names_load(&run->other_names, db, e) ||
                     import_origin_find(&run->origin, db, e));
}

struct import_run *import_run_open(struct store *s, const struct import_format *format,
                                   const char *path, const struct import_options *options,
                                   struct import_summary *summary, struct error *e)
{
    if (store_is_read_only(s) && !options->dry_run) {
        store_cannot_write(s, "Open it without --read-only, or add --dry-run.", e);
        return NULL;
    }
    struct import_run *run = xcalloc(1, sizeof(*run));
    run->store = s;
    run->format = format;
    run->options = options;
    run->summary = summary;
    snprintf(run->channel, sizeof(run->channel), "import %s", format->name);
    run->actor = import_actor(s, options, run->channel, run->correlation);
    bulk_init(&run->bulk);
    for (size_t i = 0; i < 2; i++)
        slice_init(&run->slices[i], s, options, &run->actor,
                   format->write ? format->write : slice_write_memory, &run->bulk);
    run->reader = reader_open(s, e);
    if (!run->reader || import_origin_init(&run->origin, format, path, e) ||
        read_store_state(run, e)) {
        import_run_close(run, true, e);
        return NULL;
    }
    run->identified = run->known = run->origin.row != 0;
    run->due = monotonic_ms() + BULK_MS;
    return run;
}

static void count(struct import_run *run, const struct slice_entry *entry)
{
    static const size_t counters[] = {
        [VERDICT_ADD] = offsetof(struct import_summary, added),
        [VERDICT_UPDATE] = offsetof(struct import_summary, updated),
        [VERDICT_SAME] = offsetof(struct import_summary, unchanged),
        [VERDICT_ALREADY] = offsetof(struct import_summary, unchanged),
        [VERDICT_CONFLICT] = offsetof(struct import_summary, conflicts),
        [VERDICT_REFUSED] = offsetof(struct import_summary, refused),
        [VERDICT_TAKEN] = offsetof(struct import_summary, taken),
    };
    struct import_summary *sum = run->summary;
    if (entry->cannot) {
        sum->not_understood++;
        return;
    }
    sum->not_understood += (int64_t)entry->refused;
    if (entry->item.memory.node > 0)
        row_set_add(&run->missing.here, entry->item.memory.node);
    *(int64_t *)(void *)((char *)sum + counters[entry->verdict]) += 1 + (int64_t)entry->item.steps;
}

/* Waits for the slice, reports its results, and clears it. */
static int collect(struct import_run *run, struct slice *s, struct error *e)
{
    if (!s->queued)
        return 0;
    if (slice_wait(s, e))
        return -1;
    run->origin.row = s->origin.row;
    slice_send_reports(s);
    for (size_t i = 0; i < s->count; i++)
        count(run, &s->entries[i]);
    slice_clear(s);
    return 0;
}

/* ---- a bulk load ---- */

/* Begins a bulk load. Call before the first slice if more will follow. */
static int begin_bulk(struct import_run *run, struct error *e)
{
    run->due = monotonic_ms() + BULK_MS;
    return bulk_begin(&run->bulk, run->store, e);
}

/* On error nothing of the load is in the store. */
static int end_bulk(struct import_run *run, struct error *e)
{
    if (!bulk_is_open(&run->bulk))
        return 0;
    if (bulk_end(&run->bulk, e) == 0)
        return 0;
    run->summary->added = run->summary->updated = 0;
    return -1;
}

/* Ends the load at its limits. Call after each slice. */
static int limit_bulk(struct import_run *run, struct error *e)
{
    bool goes_on =
        run->summary->read + run->summary->links < BULK_ITEMS && monotonic_ms() < run->due;
    return goes_on ? 0 : end_bulk(run, e);
}

/* ---- submitting slices ---- */

/*
 * Looking up unchanged memories shares a read transaction, because beginning one costs as much as a
 * look-up. It ends with the slice and with each progress report, so that it does not keep the log
 * from being checkpointed.
 */
static int start_reading(struct import_run *run, struct error *e)
{
    if (!run->reading && reader_begin(run->reader, e))
        return -1;
    run->reading = true;
    return 0;
}

static void stop_reading(struct import_run *run)
{
    if (run->reading)
        reader_end(run->reader);
    run->reading = false;
}

/* Submits the filled slice when the other one is done. */
static int flush(struct import_run *run, bool more, struct error *e)
{
    struct slice *s = &run->slices[run->filling], *other = &run->slices[!run->filling];
    stop_reading(run);
    if (s->count == 0)
        return 0;
    if (collect(run, other, e))
        return -1;
    if (more && run->is_empty && begin_bulk(run, e))
        return -1;
    run->is_empty = false;
    if (slice_submit(s, &run->origin, e))
        return -1;
    run->filling = !run->filling;
    return limit_bulk(run, e);
}

/* ---- unchanged memories ---- */

/* Looks up whether the source said the same last time and the store still has it. */
static int find_memory(struct db *db, const struct import_options *options, int64_t origin,
                       struct slice_entry *entry, struct error *e)
{
    struct stored_state known;
    if (import_read_stored(db, entry->item.memory.ref, &known, e))
        return -1;
    entry->item.memory.node = known.node;
    entry->item.is_undone = import_taken_back(&known, origin) && !options->replace;
    bool same = known.origin == origin && digest_equal(&known.hash, &entry->item.hash) &&
                !(options->replace && known.event != known.imported_event);
    entry->verdict = same ? VERDICT_SAME : VERDICT_ADD;
    return 0;
}

/* Counts a memory that needs no writing. Returns 1 if it was one. */
static int pass_over(struct import_run *run, struct import_item *item, struct error *e)
{
    struct slice_entry entry = {.item = *item};
    if (!run->known && !run->format->find)
        return 0;
    if (start_reading(run, e) ||
        (run->format->find ? run->format->find : find_memory)(reader_db(run->reader), run->options,
                                                              run->origin.row, &entry, e))
        return -1;
    item->is_undone = entry.item.is_undone;
    if (entry.verdict != VERDICT_SAME)
        return 0;
    count(run, &entry);
    return 1;
}

/* The first memories are held back until it is known whether the source was imported before. */
static int identify_source(struct import_run *run, struct error *e)
{
    struct slice *s = &run->slices[run->filling];
    if (run->identified)
        return 0;
    run->identified = true;
    if (import_origin_recognise(&run->origin, reader_db(run->reader), s->entries, s->count, e))
        return -1;
    run->known = run->origin.row != 0;
    if (run->origin.was)
        import_run_report_record(run, &(struct import_item){0}, "recognised as %s, moved",
                                 run->origin.was);
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        int passed = pass_over(run, &s->entries[i].item, e);
        if (passed < 0)
            return -1;
        if (!passed)
            s->entries[kept++] = s->entries[i];
    }
    s->count = kept;
    return 0;
}

/* ---- a dry run ---- */

/* Reports an entry whose name another one has, or a step whose number. */
static int dry_run_name(struct import_run *run, struct slice_entry *entry,
                        const struct memory *ours, struct error *e)
{
    struct error taken;
    bool would_put = entry->verdict == VERDICT_ADD || entry->verdict == VERDICT_UPDATE;
    if (!would_put ||
        (entry_claim_check(reader_db(run->reader), ours->node ? ours : NULL, &entry->item.memory,
                           store_now(run->store), NULL, &taken) == 0 &&
         (ours->node ||
          step_return_check(reader_db(run->reader), &entry->item.memory, &taken) == 0)))
        return 0;
    if (taken.code != ERROR_CONFLICT) {
        *e = taken;
        return -1;
    }
    slice_report_error(&run->slices[run->filling], &entry->item, &taken);
    entry->verdict = VERDICT_TAKEN;
    return 0;
}

/* Decides like a job, by the present state of the store, and writes nothing. */
static int dry_run_slice(struct import_run *run, struct error *e)
{
    struct slice *s = &run->slices[run->filling];
    struct db *db = reader_db(run->reader);
    strbuf_clear(&s->lines);
    for (size_t i = 0; i < s->count; i++) {
        struct slice_entry *entry = &s->entries[i];
        struct stored_state known;
        struct memory ours;
        if (import_read_stored(db, entry->item.memory.ref, &known, e) ||
            import_decide(db, &s->arena, run->origin.row, run->options->replace, &entry->item,
                          &known, &entry->verdict, &ours, e))
            return -1;
        if (entry->verdict == VERDICT_CONFLICT)
            slice_report(s, &entry->item, "changed here and in the source; ours would stay");
        if (entry->verdict == VERDICT_REFUSED)
            slice_report(s, &entry->item,
                         "is here from another origin with other content; would be refused");
        if (dry_run_name(run, entry, &ours, e))
            return -1;
        bool would_put = entry->verdict == VERDICT_ADD || entry->verdict == VERDICT_UPDATE;
        entry->item.memory.node = would_put ? 0 : known.node;
        count(run, entry);
        if (would_put && missing_note_dry(&run->missing, db, &entry->item.memory, e))
            return -1;
    }
    slice_send_reports(s);
    slice_clear(s);
    return 0;
}

/* ---- adding ---- */

static int submit_slice(struct import_run *run, bool more, struct error *e)
{
    if (identify_source(run, e))
        return -1;
    return run->options->dry_run ? dry_run_slice(run, e) : flush(run, more, e);
}

static size_t link_count(const struct memory *m)
{
    size_t links = m->relation_count;
    for (size_t i = 0; i < m->justification_count; i++)
        links += m->justifications[i].count;
    return links;
}

static size_t slice_items(struct import_run *run)
{
    if (run->format->slice_items)
        return run->format->slice_items;
    return run->is_empty || bulk_is_open(&run->bulk) ? LOAD_ITEMS : SLICE_ITEMS;
}

/* Of repeated refs in a source the first one counts. */
static int met_before(struct import_run *run, const struct import_item *item)
{
    switch (seen_note(&run->seen, item->memory.ref, &item->hash)) {
    case SEEN_NEVER:
        return 0;
    case SEEN_SAME:
        count(run, &(struct slice_entry){.item = *item, .verdict = VERDICT_SAME});
        return 1;
    case SEEN_OTHER:
        import_run_report_record(run, item,
                                 "occurs twice with different content; the first one counts");
        run->summary->repeated++;
        return 1;
    }
    return 0;
}

/* Of living entries with the same name in a source the first one counts. */
static bool is_repeated_name(struct import_run *run, const struct import_item *item)
{
    struct entry_claim claim;
    AUTO_STRBUF name = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    bool repeated = entry_claim_of(&item->memory, store_now(run->store), &arena, &claim);
    if (repeated) {
        strbuf_addf(&name, "%s %s", claim.namespace_, claim.key);
        repeated =
            seen_note(&run->names, (struct ref){KIND_ENTRY, name.buf}, &item->hash) != SEEN_NEVER;
    }
    if (repeated) {
        import_run_report_record(
            run, item,
            "an earlier line has the key %s in the namespace %s too. Leave one of them"
            " out, or give it another key.",
            claim.key, claim.namespace_);
        run->summary->taken++;
    }
    return repeated;
}

int import_run_add(struct import_run *run, struct import_item *item, struct error *e)
{
    struct slice *s = &run->slices[run->filling];
    run->summary->read += 1 + (int64_t)item->steps;
    run->summary->by_kind[item->memory.ref.kind]++;
    run->summary->by_kind[KIND_STEP] += (int64_t)item->steps;
    run->summary->links += (int64_t)link_count(&item->memory);
    int passed = met_before(run, item);
    if (passed == 0)
        passed = is_repeated_name(run, item);
    if (passed == 0 && run->identified)
        passed = pass_over(run, item, e);
    if (passed)
        return passed < 0 ? -1 : 0;
    slice_add(s, item);
    if (!run->identified && s->count == ORIGIN_SAMPLE && identify_source(run, e))
        return -1;
    return s->count < slice_items(run) ? 0 : submit_slice(run, true, e);
}

/* Skipped memories leave garbage in the arena until the slice is submitted. */
struct arena *import_run_arena(struct import_run *run, struct error *e)
{
    struct slice *s = &run->slices[run->filling];
    if (s->count == 0)
        arena_clear(&s->arena);
    if (s->arena.used >= SLICE_BYTES && submit_slice(run, true, e))
        return NULL;
    return &run->slices[run->filling].arena;
}

const char *import_make_id(struct arena *arena, const char *text, ...)
{
    struct digest_run run;
    struct digest hash;
    char id[37];
    va_list texts;
    digest_run_begin(&run);
    va_start(texts, text);
    for (; text; text = va_arg(texts, const char *))
        digest_run_add(&run, text, strlen(text) + 1);
    va_end(texts);
    digest_run_end(&run, &hash);
    digest_uuid(id, &hash);
    return arena_strdup(arena, id);
}

int import_check(const struct memory *m, int64_t now, struct error *e)
{
    if (entry_check_line(m, now, e))
        return -1;
    /* what is no longer listed may have lost its detail */
    if (add_detail_check_imported(m->ref.kind, m->detail, e) ||
        (STATUS_LISTED(m->status) && attribution_check(m, e)))
        return error_prefix(e, "%s:%.100s", REF_ARGS(m->ref));
    return 0;
}

int import_run_take_dated(struct import_run *run, const struct strbuf *json, int64_t line,
                          int64_t at, struct error *e)
{
    /* A format may make many memories of one record. What came from a stream cannot be read again. */
    bool asks = ++run->taken % ASK_ITEMS == 0 && run->origin.path;
    if (asks && import_run_progress(run, run->done, run->total, e))
        return -1;
    struct arena *arena = import_run_arena(run, e);
    struct import_item item = {.line = line};
    struct memory *m = &item.memory;
    struct error wrong;
    if (!arena)
        return -1;
    const char *agent = run->options->agent ? run->options->agent : run->format->name;
    bool is_read = memory_json_read(m, arena, json->buf, json->len, agent, 0, NULL, &wrong) == 0;
    if (!is_read || import_check(m, store_now(run->store), &wrong)) {
        if (is_read)
            item.memory.ref.id = NULL; /* the error names it */
        run->summary->not_understood++;
        slice_report_error(&run->slices[run->filling], &item, &wrong);
        slice_send_reports(&run->slices[run->filling]);
        return 0;
    }
    item.undated = m->created_at == 0;
    const struct ref ref = m->ref = import_names_find(&run->other_names, m->ref);
    import_hash_form(m, arena, &item.hash);
    /* It was hashed without that time, or the same memory would differ tomorrow. */
    if (item.undated && memory_json_read(m, arena, json->buf, json->len, agent, at, NULL, e))
        return -1;
    m->ref = ref;
    return import_run_add(run, &item, e);
}

int import_run_take(struct import_run *run, const struct strbuf *json, int64_t line,
                    struct error *e)
{
    return import_run_take_dated(run, json, line, store_now(run->store), e);
}

/* ---- closing ---- */

static int record_origin(struct txn *t, void *arg, struct error *e)
{
    struct import_run *run = arg;
    const struct import_summary *sum = run->summary;
    char text[160];
    snprintf(text, sizeof(text), "{\"read\":%lld,\"added\":%lld,\"updated\":%lld}",
             (long long)sum->read, (long long)sum->added, (long long)sum->updated);
    return import_origin_record(&run->origin, txn_db(t), txn_now(t), text, e);
}

/* Notes the unlisted memories from number `noted` on, in one transaction as many as a slice has. */
static int note_unlisted(struct txn *t, void *arg, struct error *e)
{
    struct import_run *run = arg;
    bool flags = !run->format->may_be_part && run->summary->not_understood == 0;
    for (size_t i = run->noted; i < run->unlisted.new_count && i < run->noted + SLICE_ITEMS; i++)
        if (unlisted_note(t, run->unlisted.new_rows[i], run->origin.row, flags ? &run->actor : NULL,
                          run->origin.path, e))
            return -1;
    return 0;
}

static struct run_question question_of(struct import_run *run)
{
    return (struct run_question){
        .origin = run->origin.row,
        .first = run->first,
        .met = &run->seen,
        .dry_run = run->options->dry_run,
        .agent = run->format->agent_is_filter ? run->options->agent : NULL,
        .kinds = KINDS_ALL & ~run->format->unlisted_not,
        .partly_read = run->summary->not_understood > 0,
        .report = {.report = report_line, .arg = run},
    };
}

/* A stream may be a part of the former source, so missing memories say nothing. A changed chain is
 * another chain. */
static int find_unlisted(struct import_run *run, struct error *e)
{
    struct run_question q = question_of(run);
    if (!run->known || !run->origin.path || run->format->find)
        return 0;
    int result = unlisted_find(&run->unlisted, reader_db(run->reader), &q, e);
    run->summary->unlisted = run->unlisted.count;
    run->summary->newly_unlisted = (int64_t)run->unlisted.new_count;
    return result;
}

static int collect_both(struct import_run *run, struct error *e)
{
    return collect(run, &run->slices[0], e) || collect(run, &run->slices[1], e) ? -1 : 0;
}

/* Writes and commits everything read so far. */
static int complete(struct import_run *run, struct error *e)
{
    return submit_slice(run, false, e) || collect_both(run, e) || end_bulk(run, e) ? -1 : 0;
}

int import_run_commit(struct import_run *run, struct error *e)
{
    if (run->slices[run->filling].count > 0)
        return complete(run, e);
    return collect_both(run, e) || end_bulk(run, e) ? -1 : 0;
}

int import_run_again(struct import_run *run, struct error *e)
{
    struct import_summary *sum = run->summary;
    if (import_run_commit(run, e))
        return -1;
    run->added_before = sum->added;
    sum->read = sum->links = sum->unchanged = 0;
    memset(sum->by_kind, 0, sizeof(sum->by_kind));
    seen_release(&run->seen);
    seen_release(&run->names);
    run->seen = run->names = (struct seen){0};
    return 0;
}

static int64_t take_off(int64_t *from, int64_t most)
{
    int64_t taken = most < *from ? most : *from;
    *from -= taken;
    return taken;
}

int import_run_progress(struct import_run *run, int64_t done, int64_t total, struct error *e)
{
    int64_t now = monotonic_ms();
    run->done = done;
    run->total = total;
    stop_reading(run);
    if (now >= run->due) {
        run->due = now + BULK_MS;
        if (import_run_commit(run, e))
            return -1;
    }
    if (run->options->progress && run->options->progress(run->options->arg, done, total))
        return error_set(e, ERROR_INTERRUPTED, "Run it again to complete it.",
                         "the import was interrupted");
    return 0;
}

/* If nothing changed, writes nothing except a new path of the source. */
static int finish(struct import_run *run, struct error *e)
{
    if (complete(run, e) || find_unlisted(run, e))
        return -1;
    take_off(&run->summary->unchanged,
             run->added_before - take_off(&run->summary->updated, run->added_before));
    bool wrote = run->summary->added || run->summary->updated || run->origin.moved ||
                 run->unlisted.new_count;
    if (wrote && !run->options->dry_run && store_run(run->store, record_origin, run, e))
        return -1;
    for (run->noted = 0; !run->options->dry_run && run->noted < run->unlisted.new_count;
         run->noted += SLICE_ITEMS)
        if (store_run(run->store, note_unlisted, run, e))
            return -1;
    struct run_question q = question_of(run);
    return missing_count(&run->missing, reader_db(run->reader), &q, &run->summary->unresolved, e);
}

static void release(struct import_run *run)
{
    stop_reading(run);
    for (size_t i = 0; i < 2; i++)
        slice_release(&run->slices[i]);
    bulk_release(&run->bulk);
    import_origin_release(&run->origin);
    seen_release(&run->seen);
    seen_release(&run->names);
    import_names_release(&run->other_names);
    missing_release(&run->missing);
    free(run->unlisted.new_rows);
    reader_close(run->reader);
    free(run);
}

int import_run_close(struct import_run *run, bool failed, struct error *e)
{
    stop_reading(run);
    int result = failed ? -1 : finish(run, e);
    if (result) {
        /* Keep what was read if possible, and report the first error. */
        struct error ignored;
        if (!failed || e->code != ERROR_INTERRUPTED || complete(run, &ignored))
            collect_both(run, &ignored);
        end_bulk(run, &ignored);
    }
    release(run);
    return result;
}

/* ---- checking beforehand ---- */

int import_check_kind(const char *path, const char *kind, struct error *e)
{
    static const struct {
        const char *kind, *what, *hint;
    } kinds[] = {
        {"kernle", "a store of Kernle", "Run stemma import kernle on it."},
        {"jsonl", "a file of memories in JSON Lines", "Run stemma import jsonl on it."},
        {"stemma", "a store of stemma", "Run stemma export on it, then import what that gives."},
    };
    const char *found = store_recognise(path);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(found, kinds[i].kind) == 0 && strcmp(found, kind) != 0)
            return error_set(e, ERROR_INVALID, kinds[i].hint, "%s is %s", path, kinds[i].what);
    struct stat file;
    if (store_file_check_other(path, e))
        return -1;
    if (stat(path, &file) == 0 && S_ISDIR(file.st_mode))
        return error_set(e, ERROR_STORE, "Give the path of a file.", "%s is a directory", path);
    return 0;
}
