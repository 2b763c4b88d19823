/*
 * Chains of thought that were read, and are written by one job.
 *
 * A chain in the specification's shape has no id. Its own is made of what it says and whose it is,
 * and its steps' of that and their number: so it is known again wherever it is read, and a chain
 * that says something else is another chain.
 */
#include "store/import/import.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/json/json.h"
#include "model/reasoning/reasoning.h"
#include "store/import/byte_reader.h"
#include "store/import/import_run.h"
#include "store/import/import_seen.h"
#include "store/reasoning/reasoning.h"
#include "store/reasoning/reasoning_given.h"
#include "store/txn/txn.h"

/* What an entry of the slice has besides its item, of which `memory` is the chain's ref alone. */
struct chain_entry {
    struct chain_given given;
    size_t refused; /* sources that only writing it refused */
};

/* ---- reading one ---- */

static void uuid_of(const struct digest *d, char out[37])
{
    uint8_t b[16];
    memcpy(b, d->bytes, sizeof(b));
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x80); /* RFC 9562: version 8, of one's own making */
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
    snprintf(out, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
             b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
             b[14], b[15]);
}

/* White space apart, which says nothing. */
static void minify(struct slice *s, struct json_slice *text)
{
    struct strbuf compact = STRBUF_INIT;
    json_minify(&compact, text->ptr, text->len);
    const char *copy = arena_strndup(&s->arena, compact.buf, compact.len);
    *text = (struct json_slice){copy, compact.len};
    strbuf_release(&compact);
}

static void name_chain(struct slice *s, struct json_slice text, struct import_item *out)
{
    const char *agent = s->options->agent ? s->options->agent : s->actor->name;
    struct strbuf said = STRBUF_INIT;
    struct digest d;
    char id[37];
    digest_bytes(&out->hash, text.ptr, text.len);
    strbuf_addstr(&said, agent);
    strbuf_addch(&said, '\0');
    strbuf_add(&said, out->hash.bytes, DIGEST_SIZE);
    digest_bytes(&d, said.buf, said.len);
    strbuf_release(&said);
    uuid_of(&d, id);
    out->memory.ref = (struct ref){KIND_CHAIN, arena_strdup(&s->arena, id)};
}

/* Is it here, or was it taken back? */
static int find_chain_here(struct slice *s, struct db *db, struct slice_entry *entry,
                           struct error *e)
{
    struct standing known;
    if (import_standing(db, entry->item.memory.ref, &known, e))
        return -1;
    bool taken_back = known.status == STATUS_MISSING && known.origin;
    bool same =
        known.node && (known.status != STATUS_MISSING || (taken_back && !s->options->replace));
    entry->verdict = same ? VERDICT_SAME : VERDICT_ADD;
    return 0;
}

/* ---- the job, in the writer's thread ---- */

static bool step_id(void *arg, int64_t number, char out[37])
{
    const struct slice_entry *entry = arg;
    char text[128];
    struct digest d;
    int len =
        snprintf(text, sizeof(text), "%s step %lld", entry->item.memory.ref.id, (long long)number);
    digest_bytes(&d, text, (size_t)len);
    uuid_of(&d, out);
    return true;
}

/* What the source said and which events have it. Documents may be others' already. */
static int note_imported(struct slice *s, struct txn *t, const struct slice_entry *entry,
                         int64_t after, struct error *e)
{
    static const char own[] =
        "INSERT INTO imported(memory, origin, hash, event) SELECT subject, ?1, ?2, max(seq)"
        " FROM event WHERE seq > ?3 AND operation = 'import' GROUP BY subject"
        " ON CONFLICT(memory) DO UPDATE SET origin = excluded.origin, hash = excluded.hash,"
        " event = excluded.event";
    static const char named[] =
        "INSERT INTO imported(memory, origin, hash, event) SELECT subject, ?1, ?2, max(seq)"
        " FROM event WHERE seq > ?3 AND operation = 'add' GROUP BY subject"
        " ON CONFLICT(memory) DO NOTHING";
    const char *const sql[] = {own, named};
    for (size_t i = 0; i < 2; i++)
        if (db_run(txn_db(t), e, sql[i], "ibi", s->origin.row, (const void *)entry->item.hash.bytes,
                   (size_t)DIGEST_SIZE, after))
            return -1;
    return 0;
}

static void say(struct slice *s, const struct slice_entry *entry, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
static void say(struct slice *s, const struct slice_entry *entry, const char *what, ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list args;
    va_start(args, what);
    strbuf_vaddf(&text, what, args);
    va_end(args);
    slice_say(s, &entry->item, text.buf);
    strbuf_release(&text);
}

/* Those that only writing it refuses, the names of retrievals: what reading refuses was told. */
static void tell_refused(struct slice *s, struct slice_entry *entry,
                         const struct chain_recorded *recorded)
{
    struct chain_entry *chain = entry->chain;
    for (size_t i = 0; i < recorded->refused_count; i++) {
        const struct recorded_refusal *r = &recorded->refused[i];
        if (r->unread)
            continue;
        say(s, entry, "step %lld: %s", (long long)r->step_number, r->refusal.reason);
        chain->refused++;
    }
}

static int write_chain(struct slice *s, struct txn *t, struct slice_entry *entry, struct error *e)
{
    struct chain_entry *chain = entry->chain;
    struct chain_recorded recorded;
    struct record_as as = {.operation = "import",
                           .agent_id = s->options->agent,
                           .id = entry->item.memory.ref.id,
                           .step_id = step_id,
                           .arg = entry};
    int64_t after = t->last_seq;
    chain->refused = 0;
    if (find_chain_here(s, txn_db(t), entry, e))
        return -1;
    if (entry->verdict == VERDICT_SAME)
        return 0;
    if (chain_record_as(t, s->actor, &chain->given, &as, &s->arena, &recorded, e))
        return -1;
    tell_refused(s, entry, &recorded);
    return note_imported(s, t, entry, after, e);
}

/* ---- the file ---- */

/* A tenth of a second of writing. */
#define SLICE_CHAINS ORIGIN_SAMPLE
#define SLICE_BYTES  (4u << 20)
#define FAULTS_SHOWN 100
#define DIFFERENCES  5 /* of a chain's summary, that are told one by one */

static const struct import_source source = {.name = "cot", .actor = "import cot"};

struct import_chains {
    struct value_reader in;
    const struct import_options *options;
    struct import_summary *summary;
    struct reader *reader;
    struct import_origin origin;
    bool settled; /* it was found out whether the origin is known */
    struct seen seen;
    struct slice slice;
    size_t bytes; /* of the chains in it */
    struct actor actor;
    char correlation[13];
    int64_t faults; /* values that are no chains */
};

/* ---- what is told ---- */

static void report(struct import_chains *c, const char *line)
{
    if (c->options->report)
        c->options->report(c->options->arg, line);
}

static void say_fault(struct import_chains *c, const struct json_value *value, const char *what)
{
    struct import_item item = {.number = value->number, .line = value->line};
    c->summary->not_understood++;
    if (++c->faults > FAULTS_SHOWN)
        return;
    slice_say(&c->slice, &item, what);
    slice_tell(&c->slice);
}

static void say_more_faults(struct import_chains *c)
{
    char line[64];
    if (c->faults <= FAULTS_SHOWN)
        return;
    snprintf(line, sizeof(line), "%lld more that are no chains",
             (long long)(c->faults - FAULTS_SHOWN));
    report(c, line);
}

static void say_refused(struct import_chains *c, struct slice_entry *entry, int64_t step,
                        const struct source_list *sources)
{
    for (size_t i = 0; i < sources->refused_count; i++)
        say(&c->slice, entry, "step %lld: %s", (long long)step, sources->refused[i].reason);
    c->summary->not_understood += (int64_t)sources->refused_count;
}

static void say_differences(struct import_chains *c, const struct slice_entry *entry,
                            const char *const *what, size_t count)
{
    for (size_t i = 0; i < count && i < DIFFERENCES; i++)
        say(&c->slice, entry, "its source_summary is not that of its steps: %s", what[i]);
    if (count > DIFFERENCES)
        say(&c->slice, entry, "its source_summary differs in %zu more", count - DIFFERENCES);
}

/* ---- what a chain rests on, as it will be written ---- */

static const struct chain_given *given_of(const struct slice_entry *entry)
{
    return &((const struct chain_entry *)entry->chain)->given;
}

static void compare(struct import_chains *c, struct slice_entry *entry,
                    const struct step_sources *steps)
{
    struct arena *arena = &c->slice.arena;
    struct source_summary ours;
    const char **differences;
    size_t count;
    const struct chain_given *given = given_of(entry);
    if (!given->summary.ptr)
        return;
    source_summarise(&ours, arena, steps, given->step_count);
    source_summary_compare(&ours, given->summary, arena, &differences, &count);
    say_differences(c, entry, differences, count);
}

static void look_at_step(struct import_chains *c, struct slice_entry *entry, size_t at,
                         struct earlier *earlier, struct step_sources *out)
{
    const struct step_given *step = &given_of(entry)->step[at];
    struct arena *arena = &c->slice.arena;
    struct step_read read;
    step_read_sources(earlier, at, step, arena, &read);
    say_refused(c, entry, step->number, &read.sources);
    *out = (struct step_sources){step->number, read.sources.source, read.sources.count};
    earlier[at] = (struct earlier){.number = step->number};
    if (step->answer)
        earlier[at].answer = arena_strndup(arena, step->answer, step->answer_len);
    /* It is part of the chain, which rests on it. */
    c->summary->links += (int64_t)(read.sources.count + read.from_count + 2);
}

/* Tells what of it will be refused, and counts it. */
static void look_at(struct import_chains *c, struct slice_entry *entry)
{
    size_t count = given_of(entry)->step_count;
    struct earlier *earlier = arena_array(&c->slice.arena, count + 1, sizeof(*earlier));
    struct step_sources *steps = arena_array(&c->slice.arena, count + 1, sizeof(*steps));
    for (size_t i = 0; i < count; i++)
        look_at_step(c, entry, i, earlier, &steps[i]);
    c->summary->read += 1 + (int64_t)count;
    c->summary->by_kind[KIND_CHAIN]++;
    c->summary->by_kind[KIND_STEP] += (int64_t)count;
    compare(c, entry, steps);
}

/* ---- slices ---- */

static int64_t memories_of(const struct slice_entry *entry)
{
    return 1 + (int64_t)given_of(entry)->step_count;
}

static const struct import_item *sample_item(void *arg, size_t at)
{
    return &((struct slice *)arg)->entries[at].item;
}

/* The first chains tell whether the source is known by another path. */
static int settle(struct import_chains *c, struct error *e)
{
    if (c->settled)
        return 0;
    c->settled = true;
    if (import_origin_recognise(&c->origin, reader_db(c->reader), sample_item, &c->slice,
                                c->slice.count, e))
        return -1;
    char line[PATH_MAX + 40];
    if (c->origin.was) {
        snprintf(line, sizeof(line), "taken for %s, moved", c->origin.was);
        report(c, line);
    }
    return 0;
}

/* Which of them are here. Where all are, the writer is not troubled. */
static int find_known(struct import_chains *c, bool *all, struct error *e)
{
    struct slice *s = &c->slice;
    *all = true;
    if (reader_begin(c->reader, e))
        return -1;
    int failed = 0;
    for (size_t i = 0; i < s->count && !failed; i++) {
        failed = find_chain_here(s, reader_db(c->reader), &s->entries[i], e);
        *all &= s->entries[i].verdict == VERDICT_SAME;
    }
    reader_end(c->reader);
    return failed;
}

static void count_slice(struct import_chains *c)
{
    for (size_t i = 0; i < c->slice.count; i++) {
        const struct slice_entry *entry = &c->slice.entries[i];
        if (entry->cannot)
            c->summary->not_understood++;
        else if (entry->verdict == VERDICT_SAME)
            c->summary->unchanged += memories_of(entry);
        else
            c->summary->added += memories_of(entry);
        c->summary->not_understood += (int64_t)((struct chain_entry *)entry->chain)->refused;
    }
}

static int write_slice(struct import_chains *c, struct error *e)
{
    if (slice_submit(&c->slice, &c->origin, e) || slice_wait(&c->slice, e))
        return -1;
    c->origin.row = c->slice.origin.row;
    slice_tell(&c->slice);
    return 0;
}

static int hand_over(struct import_chains *c, struct error *e)
{
    bool all;
    if (c->slice.count == 0)
        return 0;
    slice_tell(&c->slice);
    if (settle(c, e) || find_known(c, &all, e) ||
        (!all && !c->options->dry_run && write_slice(c, e)))
        return -1;
    count_slice(c);
    slice_clear(&c->slice);
    c->bytes = 0;
    return 0;
}

/* ---- reading ---- */

/* Two runs that said the very same in one source are one. */
static bool met_before(struct import_chains *c, const struct slice_entry *entry)
{
    if (seen_note(&c->seen, entry->item.memory.ref, &entry->item.hash) == SEEN_NEVER)
        return false;
    c->summary->unchanged += memories_of(entry);
    return true;
}

/* ERROR_INVALID: the checked JSON is no chain. */
static int read_chain(struct import_chains *c, struct json_slice text, struct slice_entry *out,
                      struct error *e)
{
    struct chain_entry *chain = arena_array(&c->slice.arena, 1, sizeof(*chain));
    minify(&c->slice, &text);
    if (chain_given_read(text, &c->slice.arena, &chain->given, e))
        return -1;
    name_chain(&c->slice, text, &out->item);
    out->chain = chain;
    return 0;
}

static int add(struct import_chains *c, struct slice_entry *entry, size_t len, struct error *e)
{
    look_at(c, entry);
    if (met_before(c, entry))
        return 0;
    slice_add(&c->slice, &entry->item)->chain = entry->chain;
    c->bytes += len;
    return c->slice.count < SLICE_CHAINS && c->bytes < SLICE_BYTES ? 0 : hand_over(c, e);
}

static int take_value(struct import_chains *c, const struct json_value *value, struct error *e)
{
    struct slice_entry entry = {.item = {.number = value->number, .line = value->line}};
    struct error wrong;
    struct json_slice text = {value->ptr, value->len};
    if (value->too_long || value->unclosed) {
        say_fault(c, value,
                  value->unclosed ? "the file ends within the list"
                                  : "is longer than 64 MiB; passed over");
        return 0;
    }
    if (json_check_lax(text.ptr, text.len, JSON_DEPTH_LIMIT, &wrong) == 0 &&
        read_chain(c, text, &entry, &wrong) == 0)
        return add(c, &entry, text.len, e);
    say_fault(c, value, wrong.what);
    return 0;
}

/* As an import of lines: what is asked to stop ends at once; of a stream what was received is taken
 * over first. */
static int tick(struct import_chains *c, struct error *e)
{
    struct byte_reader *in = &c->in.in;
    if (in->stopped || !c->options->progress ||
        c->options->progress(c->options->arg, in->offset, in->size) == 0)
        return 0;
    byte_reader_stop(in);
    return in->is_file ? byte_reader_ended(in, e) : 0;
}

static int take_values(struct import_chains *c, struct error *e)
{
    struct json_value value;
    int more;
    while ((more = value_reader_next(&c->in, &value, e)) > 0)
        if (tick(c, e) || (more == BYTES_IDLE ? hand_over(c, e) : take_value(c, &value, e)))
            return -1;
    if (more == 0 && hand_over(c, e))
        return -1;
    return more == 0 ? byte_reader_ended(&c->in.in, e) : more;
}

/* ---- the run ---- */

static int record_origin(struct txn *t, void *arg, struct error *e)
{
    struct import_chains *c = arg;
    char text[160];
    snprintf(text, sizeof(text), "{\"read\":%lld,\"added\":%lld,\"updated\":0}",
             (long long)c->summary->read, (long long)c->summary->added);
    return import_origin_record(&c->origin, txn_db(t), txn_now(t), text, e);
}

static int run(struct import_chains *c, struct store *s, bool stream, const char *path,
               struct error *e)
{
    c->reader = reader_open(s, e);
    if (!c->reader || import_origin_init(&c->origin, &source, stream ? NULL : path, e) ||
        import_origin_find(&c->origin, reader_db(c->reader), e))
        return -1;
    c->settled = c->origin.row != 0;
    if (take_values(c, e))
        return -1;
    c->summary->empty = !c->in.any;
    bool wrote = c->summary->added || c->origin.moved;
    return wrote && !c->options->dry_run ? store_run(s, record_origin, c, e) : 0;
}

int import_cot(struct store *s, const char *path, const struct import_options *options,
               struct import_summary *summary, struct error *e)
{
    struct import_chains c = {.options = options, .summary = summary};
    bool stream = byte_reader_is_stream(path);
    *summary = (struct import_summary){.read = 0};
    if (store_is_read_only(s) && !options->dry_run)
        return store_cannot_write(s, "Open it without --read-only, or add --dry-run.", e);
    if ((!stream && import_check_kind(path, source.name, e)) || value_reader_open(&c.in, path, e))
        return -1;
    c.in.in.asked = options->progress;
    c.in.in.arg = options->arg;
    c.actor = import_actor(s, options, source.actor, c.correlation);
    slice_init(&c.slice, s, options, &c.actor, write_chain, NULL);
    int result = run(&c, s, stream, path, e);
    say_more_faults(&c);
    value_reader_close(&c.in);
    slice_release(&c.slice);
    import_origin_release(&c.origin);
    seen_release(&c.seen);
    reader_close(c.reader);
    return result;
}

/* ---- looking beforehand ---- */

/* 1: one of the values is a chain, or there is an empty list. */
static int find_chain(struct value_reader *in, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct chain_given given;
    struct json_value value;
    struct error wrong;
    bool found = false, any = false;
    int more = 0;
    while (!found && (more = value_reader_next(in, &value, e)) > 0) {
        any = true;
        found = value.ptr && json_check_lax(value.ptr, value.len, JSON_DEPTH_LIMIT, &wrong) == 0 &&
                chain_given_read((struct json_slice){value.ptr, value.len}, &arena, &given,
                                 &wrong) == 0;
        arena_clear(&arena);
    }
    arena_release(&arena);
    return more < 0 ? -1 : found || (!any && in->any);
}

int import_cot_check(const char *path, struct error *e)
{
    struct value_reader in;
    if (byte_reader_is_stream(path))
        return 1;
    if (import_check_kind(path, source.name, e) || value_reader_open(&in, path, e))
        return -1;
    int result = find_chain(&in, e);
    value_reader_close(&in);
    return result;
}
