/*
 * Imports chains of thought (ChainOfThoughtOutput). One job writes several chains, each whole or not at all. A refused
 * source is reported, and its step is imported without it. One whose import was undone here returns only with
 * options->replace. The summary counts chains and steps; `links` counts what they are based on.
 *
 * A chain in the specification's shape has no id. Its id is made from its content and its agent,
 * and those of its steps from that id and their numbers. So a chain is recognised wherever it is
 * read, and a chain with other content is another chain.
 */
#include "store/import/import.h"

#include "model/json/json.h"
#include "model/reasoning/reasoning.h"
#include "store/import/import_run.h"
#include "store/reasoning/reasoning.h"
#include "store/reasoning/reasoning_given.h"
#include "store/txn/txn.h"

/* ---- reading a chain ---- */

/* White space does not count as content. */
static struct json_slice minify(struct arena *arena, const struct record *record)
{
    AUTO_STRBUF compact = STRBUF_INIT;
    json_minify(&compact, record->ptr, record->len);
    struct json_slice text = {arena_strndup(arena, compact.buf, compact.len), compact.len};
    return text;
}

static void name_chain(const struct import_options *options, struct json_slice text,
                       struct arena *arena, struct import_item *out)
{
    char id[37];
    digest_bytes(&out->hash, text.ptr, text.len);
    import_derive_id(options, &out->hash, id);
    out->memory.ref = (struct ref){KIND_CHAIN, arena_strdup(arena, id)};
}

/* The same id means the same content, so a chain in the store is skipped, whatever its source. One
 * that was imported and undone here is skipped too, unless --replace is given. */
static int find_chain(struct db *db, const struct import_options *options, int64_t origin,
                      struct slice_entry *entry, struct error *e)
{
    (void)origin;
    struct stored_state known;
    if (import_read_stored(db, entry->item.memory.ref, &known, e))
        return -1;
    bool taken_back = known.status == STATUS_MISSING && known.origin;
    bool same = known.node && (known.status != STATUS_MISSING || (taken_back && !options->replace));
    entry->verdict = same ? VERDICT_SAME : VERDICT_ADD;
    return 0;
}

/* ---- the job; runs in the writer thread ---- */

static bool step_id(void *arg, int64_t number, char out[37])
{
    const struct slice_entry *entry = arg;
    char text[128];
    struct digest d;
    int len =
        snprintf(text, sizeof(text), "%s step %lld", entry->item.memory.ref.id, (long long)number);
    digest_bytes(&d, text, (size_t)len);
    digest_uuid(out, &d);
    return true;
}

/*
 * Records the source's hash and the events of the import. Documents may belong to others already.
 * NOT INDEXED: an index by subject would be read whole for each chain.
 */
static int note_imported(struct slice *s, struct txn *t, const struct slice_entry *entry,
                         int64_t after, struct error *e)
{
    static const char own[] =
        "INSERT INTO imported(memory, origin, hash, event) SELECT subject, ?1, ?2, max(seq)"
        " FROM event NOT INDEXED WHERE seq > ?3 AND operation = 'import' GROUP BY subject"
        " ON CONFLICT(memory) DO UPDATE SET origin = excluded.origin, hash = excluded.hash,"
        " event = excluded.event";
    static const char named[] =
        "INSERT INTO imported(memory, origin, hash, event) SELECT subject, ?1, ?2, max(seq)"
        " FROM event NOT INDEXED WHERE seq > ?3 AND operation = 'add' GROUP BY subject"
        " ON CONFLICT(memory) DO NOTHING";
    const char *const sql[] = {own, named};
    for (size_t i = 0; i < 2; i++)
        if (db_run(txn_db(t), e, sql[i], "ibi", s->origin.row, (const void *)entry->item.hash.bytes,
                   (size_t)DIGEST_SIZE, after))
            return -1;
    return 0;
}

/* Reports names of retrievals that cannot be stored. What could not be read was reported when
 * reading. */
static void report_refused(struct slice *s, struct slice_entry *entry,
                           const struct chain_recorded *recorded)
{
    for (size_t i = 0; i < recorded->refused_count; i++) {
        const struct recorded_refusal *r = &recorded->refused[i];
        if (r->unread)
            continue;
        slice_report(s, &entry->item, "step %lld: %s", (long long)r->step_number,
                     r->refusal.reason);
        entry->refused++;
    }
}

static int write_chain(struct slice *s, struct txn *t, struct slice_entry *entry, struct error *e)
{
    struct chain_recorded recorded;
    struct record_as as = {.operation = "import",
                           .agent_id = s->options->agent,
                           .id = entry->item.memory.ref.id,
                           .step_id = step_id,
                           .arg = entry};
    const char *agent = s->options->agent ? s->options->agent : s->actor->name;
    const struct actor author = import_author(s->actor, &(struct memory){.agent_id = agent});
    int64_t after = t->last_seq;
    entry->refused = 0;
    if (find_chain(txn_db(t), s->options, s->origin.row, entry, e))
        return -1;
    if (entry->verdict == VERDICT_SAME)
        return 0;
    if (chain_record_as(t, &author, entry->item.chain, &as, &s->arena, &recorded, e))
        return -1;
    report_refused(s, entry, &recorded);
    return note_imported(s, t, entry, after, e);
}

/* ---- what a chain will be based on ---- */

#define DIFFERENCES 5 /* differences of a chain's summary that are reported one by one */

static void compare(struct record_import *r, const struct import_item *item, struct arena *arena,
                    const struct step_sources *steps)
{
    struct source_summary ours;
    const char **differences;
    size_t count;
    if (!item->chain->summary.ptr)
        return;
    source_summarise(&ours, arena, steps, item->chain->step_count);
    source_summary_compare(&ours, item->chain->summary, arena, &differences, &count);
    for (size_t i = 0; i < count && i < DIFFERENCES; i++)
        import_run_report_record(r->run, item, "its source_summary is not that of its steps: %s",
                                 differences[i]);
    if (count > DIFFERENCES)
        import_run_report_record(r->run, item, "its source_summary differs in %zu more",
                                 count - DIFFERENCES);
}

/* Reports what will be refused and counts what the step is based on. */
static void check_step(struct record_import *r, const struct import_item *item, size_t at,
                       struct arena *arena, struct earlier *earlier, struct step_sources *out)
{
    const struct step_given *step = &item->chain->step[at];
    struct step_read read;
    step_read_sources(earlier, at, step, arena, &read);
    for (size_t i = 0; i < read.sources.refused_count; i++)
        import_run_report_record(r->run, item, "step %lld: %s", (long long)step->number,
                                 read.sources.refused[i].reason);
    r->summary->not_understood += (int64_t)read.sources.refused_count;
    *out = (struct step_sources){step->number, read.sources.source, read.sources.count, NULL};
    earlier[at] = (struct earlier){.number = step->number};
    if (step->answer)
        earlier[at].answer = arena_strndup(arena, step->answer, step->answer_len);
    /* plus two: it is part of the chain, and the chain is based on it */
    r->summary->links += (int64_t)(read.sources.count + read.from_count + 2);
}

static void check_chain(struct record_import *r, const struct import_item *item,
                        struct arena *arena)
{
    struct earlier *earlier = arena_array(arena, item->steps + 1, sizeof(*earlier));
    struct step_sources *steps = arena_array(arena, item->steps + 1, sizeof(*steps));
    for (size_t i = 0; i < item->steps; i++)
        check_step(r, item, i, arena, earlier, &steps[i]);
    compare(r, item, arena, steps);
}

/* ---- reading ---- */

static int take_chain(struct record_import *r, const struct record *record,
                      struct import_item *item, struct error *e)
{
    struct arena *arena = import_run_arena(r->run, e);
    struct error wrong;
    if (!arena)
        return -1;
    struct json_slice text = minify(arena, record);
    struct chain_given *given = arena_array(arena, 1, sizeof(*given));
    if (chain_given_read(text, arena, given, &wrong)) {
        wrong.hint[0] = '\0'; /* identical for many records */
        import_fault(r, item, &wrong);
        return 0;
    }
    item->chain = given;
    item->steps = given->step_count;
    name_chain(r->options, text, arena, item);
    check_chain(r, item, arena);
    return import_run_add(r->run, item, e);
}

static bool is_chain(const struct record *record, struct arena *arena)
{
    struct chain_given given = {0};
    struct error wrong;
    return chain_given_read((struct json_slice){record->ptr, record->len}, arena, &given, &wrong) ==
           0;
}

static const struct record_format format = {
    .is_numbered = true,
    .check = json_check_lax,
    .depth = JSON_DEPTH_LIMIT,
    .faults_shown = 100,
    .more_faults = "that are no chains",
    .take = take_chain,
    .is_one = is_chain,
};

const struct import_format cot_format = {
    .name = "cot",
    .title = "chains of thought as JSON objects with original_question, final_answer and "
             "reasoning_steps",
    .about = "One, a list of them, or several one after the other. PATH - is standard input",
    .agent = "the agent of the chains (default: you)",
    .owner_is_person = true,
    .file = "json:original_question json:reasoning_steps",
    .write = write_chain,
    .find = find_chain,
    .slice_items = ORIGIN_SAMPLE, /* about 0.1 s of writing */
    .records = &format,
};
