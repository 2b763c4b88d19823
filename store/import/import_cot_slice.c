#include "store/import/import_cot.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/json/json.h"
#include "store/reasoning/reasoning_record.h"
#include "store/txn/txn.h"

void cot_slice_init(struct cot_slice *s, struct store *store, const struct import_options *options,
                    struct import_origin *origin)
{
    char id[37];
    *s = (struct cot_slice){.store = store, .options = options, .origin = origin};
    strbuf_init(&s->lines);
    store_make_id(store, id);
    memcpy(s->correlation, id + 24, sizeof(s->correlation)); /* 48 bits of chance will do */
    s->actor = (struct actor){.class = ACTOR_PERSON,
                              .name = options->actor ? options->actor : "unknown",
                              .origin = "import cot",
                              .correlation = s->correlation};
}

void cot_slice_clear(struct cot_slice *s)
{
    arena_clear(&s->arena);
    s->count = s->bytes = 0;
}

void cot_slice_release(struct cot_slice *s)
{
    arena_release(&s->arena);
    strbuf_release(&s->lines);
    free(s->entry);
}

void cot_slice_say(struct cot_slice *s, const struct cot_entry *entry, const char *what)
{
    strbuf_addf(&s->lines, "chain %lld (line %lld): %s", (long long)entry->number,
                (long long)entry->item.line, what);
    strbuf_addch(&s->lines, '\0');
}

void cot_slice_tell(struct cot_slice *s)
{
    const char *end = s->lines.buf + s->lines.len;
    for (const char *line = s->lines.buf; line < end; line += strlen(line) + 1)
        if (s->options->report)
            s->options->report(s->options->arg, line);
    strbuf_clear(&s->lines);
}

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
static void minify(struct cot_slice *s, struct json_slice *text)
{
    struct strbuf compact = STRBUF_INIT;
    json_minify(&compact, text->ptr, text->len);
    const char *copy = arena_strndup(&s->arena, compact.buf, compact.len);
    *text = (struct json_slice){copy, compact.len};
    strbuf_release(&compact);
}

static void name_chain(struct cot_slice *s, struct json_slice text, struct cot_entry *out)
{
    const char *agent = s->options->agent ? s->options->agent : s->actor.name;
    struct strbuf said = STRBUF_INIT;
    struct digest d;
    char id[37];
    digest_bytes(&out->item.hash, text.ptr, text.len);
    strbuf_addstr(&said, agent);
    strbuf_addch(&said, '\0');
    strbuf_add(&said, out->item.hash.bytes, DIGEST_SIZE);
    digest_bytes(&d, said.buf, said.len);
    strbuf_release(&said);
    uuid_of(&d, id);
    out->item.memory.ref = (struct ref){KIND_CHAIN, arena_strdup(&s->arena, id)};
}

int cot_entry_read(struct cot_slice *s, struct json_slice text, struct cot_entry *out,
                   struct error *e)
{
    size_t len = text.len;
    minify(s, &text);
    if (chain_given_read(text, &s->arena, &out->given, e))
        return -1;
    name_chain(s, text, out);
    s->bytes += len;
    return 0;
}

void cot_slice_add(struct cot_slice *s, const struct cot_entry *entry)
{
    *ARRAY_ADD(s->entry, s->count, s->alloc) = *entry;
}

int cot_entry_find(struct cot_slice *s, struct db *db, struct cot_entry *entry, struct error *e)
{
    struct standing known;
    if (import_standing(db, entry->item.memory.ref, &known, e))
        return -1;
    bool taken_back = known.status == STATUS_MISSING && known.origin;
    entry->same =
        known.node && (known.status != STATUS_MISSING || (taken_back && !s->options->replace));
    return 0;
}

/* ---- the job, in the writer's thread ---- */

static bool step_id(void *arg, int64_t number, char out[37])
{
    const struct cot_entry *entry = arg;
    char text[128];
    struct digest d;
    int len =
        snprintf(text, sizeof(text), "%s step %lld", entry->item.memory.ref.id, (long long)number);
    digest_bytes(&d, text, (size_t)len);
    uuid_of(&d, out);
    return true;
}

/* What the source said and which events have it. Documents may be others' already. */
static int note_imported(struct cot_slice *s, struct txn *t, const struct cot_entry *entry,
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
        if (db_run(txn_db(t), e, sql[i], "ibi", s->origin->row,
                   (const void *)entry->item.hash.bytes, (size_t)DIGEST_SIZE, after))
            return -1;
    return 0;
}

/* Those that only writing it refuses, the names of retrievals: what reading refuses was told. */
static void say_refused(struct cot_slice *s, struct cot_entry *entry,
                        const struct chain_recorded *recorded)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < recorded->refused_count; i++) {
        const struct recorded_refusal *r = &recorded->refused[i];
        if (r->unread)
            continue;
        strbuf_clear(&text);
        strbuf_addf(&text, "step %lld: %s", (long long)r->step_number, r->refusal.reason);
        cot_slice_say(s, entry, text.buf);
        entry->refused++;
    }
    strbuf_release(&text);
}

static int write_entry(struct cot_slice *s, struct txn *t, struct cot_entry *entry, struct error *e)
{
    struct chain_recorded recorded;
    struct record_as as = {.operation = "import",
                           .agent_id = s->options->agent,
                           .id = entry->item.memory.ref.id,
                           .step_id = step_id,
                           .arg = entry};
    int64_t after = t->last_seq;
    entry->refused = 0;
    if (cot_entry_find(s, txn_db(t), entry, e))
        return -1;
    if (entry->same)
        return 0;
    if (chain_record_as(t, &s->actor, &entry->given, &as, &s->arena, &recorded, e))
        return -1;
    say_refused(s, entry, &recorded);
    return note_imported(s, t, entry, after, e);
}

static int write_entries(struct txn *t, void *arg, struct error *e)
{
    struct cot_slice *s = arg;
    int64_t row = s->origin->row;
    strbuf_clear(&s->lines);
    int failed = import_origin_insert(s->origin, txn_db(t), txn_now(t), e);
    s->at = s->count;
    for (size_t i = 0; i < s->count && !failed; i++) {
        s->at = i;
        failed = s->entry[i].cannot ? 0 : write_entry(s, t, &s->entry[i], e);
    }
    if (failed)
        s->origin->row = row; /* it goes with all else */
    return failed;
}

/* What the store does not take takes the others of its transaction with it: they are written again
 * without it. */
static bool set_aside(struct cot_slice *s, const struct error *e)
{
    bool own = e->code == ERROR_INVALID || e->code == ERROR_CONFLICT;
    if (!own || s->at >= s->count)
        return false;
    strbuf_clear(&s->lines);
    cot_slice_say(s, &s->entry[s->at], e->what);
    cot_slice_tell(s);
    s->entry[s->at].cannot = true;
    return true;
}

int cot_slice_write(struct cot_slice *s, struct error *e)
{
    for (;;) {
        s->at = s->count; /* of a job that is not come to, nothing is to blame */
        if (store_run(s->store, write_entries, s, e) == 0)
            break;
        if (!set_aside(s, e))
            return -1;
    }
    cot_slice_tell(s);
    return 0;
}
