/* Merges imported memories: the origin of a source, the decision about each memory, and the job that
 * writes a slice. */
#include "store/import/import_merge.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/format/memory_json.h"
#include "store/db/store.h"
#include "store/import/import_run.h"
#include "store/ops/fix.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/txn/txn.h"

/* ---- one memory against the stored one ---- */

/* The hash covers the form with version 1. */
static void write_form(struct strbuf *form, const struct memory *m, struct digest *out)
{
    struct memory plain = *m;
    plain.version = 1;
    memory_json_write(form, &plain, NULL);
    digest_bytes(out, form->buf, form->len);
}

static void import_hash(const struct memory *m, struct digest *out)
{
    AUTO_STRBUF form = STRBUF_INIT;
    write_form(&form, m, out);
}

void import_hash_form(struct memory *m, struct arena *arena, struct digest *out)
{
    AUTO_STRBUF form = STRBUF_INIT;
    write_form(&form, m, out);
    if (m->version == 1)
        m->form = arena_strndup(arena, form.buf, form.len);
}

void import_derive_id(const struct import_options *options, const struct digest *content,
                      char out[37])
{
    const char *agent = options->agent   ? options->agent
                        : options->actor ? options->actor
                                         : "unknown";
    AUTO_STRBUF hashed = STRBUF_INIT;
    struct digest d;
    strbuf_addstr(&hashed, agent);
    strbuf_addch(&hashed, '\0');
    strbuf_add(&hashed, content->bytes, DIGEST_SIZE);
    digest_bytes(&d, hashed.buf, hashed.len);
    digest_uuid(out, &d);
}

int import_read_stored(struct db *db, struct ref ref, struct stored_state *out, struct error *e)
{
    *out = (struct stored_state){.node = 0};
    struct query one =
        db_query(db, e,
                 "SELECT m.id, m.status, m.event, i.origin, i.event, i.hash FROM memory m"
                 " LEFT JOIN imported i ON i.memory = m.id WHERE m.kind = ? AND m.name = ?",
                 "is", (int64_t)ref.kind, ref.id);
    if (!db_next(&one))
        return db_end(&one);
    out->node = sqlite3_column_int64(one.stmt, 0);
    out->status = (enum status)sqlite3_column_int(one.stmt, 1);
    out->event = sqlite3_column_int64(one.stmt, 2);
    out->origin = sqlite3_column_int64(one.stmt, 3);
    out->imported_event = sqlite3_column_int64(one.stmt, 4);
    if (sqlite3_column_bytes(one.stmt, 5) == DIGEST_SIZE)
        memcpy(out->hash.bytes, sqlite3_column_blob(one.stmt, 5), DIGEST_SIZE);
    db_end(&one);
    return 0;
}

/* An import wrote it and now it is a stub: its addition was undone. */
bool import_taken_back(const struct stored_state *known, int64_t origin)
{
    return known->status == STATUS_MISSING && known->origin && known->origin == origin;
}

/* The flags of a memory without the one that says that its source no longer has it. */
static struct memory without_removal(const struct memory *m, struct arena *arena)
{
    struct memory kept = *m;
    struct flag *flags = arena_array(arena, m->flag_count + 1, sizeof(*flags));
    kept.flag_count = 0;
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, FLAG_REMOVED) != 0)
            flags[kept.flag_count++] = m->flags[i];
    kept.flags = flags;
    kept.form = kept.flag_count == m->flag_count ? m->form : NULL;
    return kept;
}

/* The memory without the conflicts with its source, of which the source knows nothing. */
static struct memory without_conflicts(const struct memory *m, struct arena *arena)
{
    struct memory kept = *m;
    kept.history = arena_array(arena, m->history_count + 1, sizeof(*kept.history));
    kept.history_count = 0;
    for (size_t i = 0; i < m->history_count; i++)
        if (!same_text(m->history[i].operation, CONFLICT_OPERATION))
            kept.history[kept.history_count++] = m->history[i];
    return kept;
}

/* Returns true if the source says what the store has. If the source has no creation time, ours is
 * used. */
static bool equals_stored(const struct import_item *item, const struct memory *ours)
{
    struct memory given = item->memory;
    struct digest here, there;
    if (item->undated) {
        given.updated_at =
            given.updated_at == given.created_at ? ours->updated_at : given.updated_at;
        given.created_at = ours->created_at;
    }
    import_hash(ours, &here);
    import_hash(&given, &there);
    return digest_equal(&here, &there);
}

/* Our version was written to the source (store/apply): whatever the source makes of it is the same memory. */
static bool is_agreed(const struct stored_state *known, int64_t origin)
{
    return known->origin == origin && known->event > 0 && known->imported_event == -known->event;
}

/* Decides when the hash alone does not. */
static enum verdict decide_by_content(int64_t origin, bool replace,
                                      const struct stored_state *known, bool same)
{
    bool is_own = known->origin && known->origin == origin;
    if (same)
        return is_own ? VERDICT_ALREADY : VERDICT_SAME;
    if (replace || (is_own && known->event == known->imported_event))
        return VERDICT_UPDATE;
    return is_own ? VERDICT_CONFLICT : VERDICT_REFUSED;
}

int import_decide(struct db *db, struct arena *arena, int64_t origin, bool replace,
                  const struct import_item *item, const struct stored_state *known,
                  enum verdict *verdict, struct memory *ours, struct error *e)
{
    ours->node = 0;
    if (known->node == 0 || known->status == STATUS_MISSING) {
        *verdict = known->node && import_taken_back(known, origin) && !replace
                       ? (digest_equal(&known->hash, &item->hash) ? VERDICT_SAME : VERDICT_CONFLICT)
                       : VERDICT_ADD;
        return 0;
    }
    /* A purged memory does not return by itself, and no hash of its content is kept. */
    if (known->status == STATUS_PURGED && known->origin == origin && !replace) {
        *verdict = VERDICT_SAME;
        return 0;
    }
    /* The source is unchanged. Ours may have changed: that is no conflict, and --replace reverts
     * it. */
    if (known->origin && digest_equal(&known->hash, &item->hash) &&
        !(replace && known->event != known->imported_event)) {
        *verdict = VERDICT_SAME;
        return 0;
    }
    if (memory_read_db(db, arena, known->node, ours, e))
        return -1;
    struct memory listed = without_removal(ours, arena), kept = without_conflicts(&listed, arena);
    bool same = is_agreed(known, origin) || equals_stored(item, &kept);
    *verdict = decide_by_content(origin, replace, known, same);
    return 0;
}

/* ---- identifying the source ---- */

int import_origin_init(struct import_origin *o, const struct import_format *format,
                       const char *path, struct error *e)
{
    *o = (struct import_origin){.format = format};
    if (!path)
        return 0;
    o->path = realpath(path, NULL);
    if (!o->path)
        return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", path,
                         strerror(errno));
    struct strbuf identity = STRBUF_INIT;
    strbuf_addf(&identity, "%s %s", format->name, o->path);
    o->identity = strbuf_detach(&identity, NULL);
    return 0;
}

void import_origin_release(struct import_origin *o)
{
    FREE_ALL(o->path, o->identity, o->was);
    *o = (struct import_origin){.row = 0};
}

int import_origin_find(struct import_origin *o, struct db *db, struct error *e)
{
    if (!o->path)
        return 0;
    return db_int(db, &o->row, 0, e,
                  "SELECT id FROM origin WHERE kind = ? AND path = ?"
                  " ORDER BY last_at DESC, id LIMIT 1",
                  "ss", o->format->name, o->path);
}

/* How many memories of the sample an origin imported, and how many of these are unchanged. */
struct origin_count {
    int64_t origin;
    size_t same, unchanged;
};
struct origin_counts {
    struct origin_count list[ORIGIN_SAMPLE];
    size_t count;
    size_t here; /* memories of the sample in the store, from any origin */
};

static struct origin_count *count_of(struct origin_counts *t, int64_t origin)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->list[i].origin == origin)
            return &t->list[i];
    t->list[t->count] = (struct origin_count){.origin = origin};
    return &t->list[t->count++];
}

/* If the store has the item's memory, counts it, and for the origin that it came from whether it is
 * unchanged, or at least has the same creation time. */
static int weigh(struct import_origin *o, struct db *db, const struct import_item *item,
                 struct origin_counts *t, struct error *e)
{
    static const char sql[] =
        "SELECT o.id, i.hash, m.created_at FROM memory m LEFT JOIN imported i ON i.memory = m.id"
        " LEFT JOIN origin o ON o.id = i.origin AND o.kind = ?3"
        " WHERE m.kind = ?1 AND m.name = ?2 AND m.status <> 7";
    struct query one = db_query(db, e, sql, "iss", (int64_t)item->memory.ref.kind,
                                item->memory.ref.id, o->format->name);
    if (!db_next(&one))
        return db_end(&one);
    t->here++;
    int64_t origin = sqlite3_column_int64(one.stmt, 0);
    if (origin) {
        struct origin_count *one_origin = count_of(t, origin);
        bool unchanged =
            sqlite3_column_bytes(one.stmt, 1) == DIGEST_SIZE &&
            memcmp(sqlite3_column_blob(one.stmt, 1), item->hash.bytes, DIGEST_SIZE) == 0;
        one_origin->unchanged += unchanged;
        one_origin->same +=
            unchanged || sqlite3_column_int64(one.stmt, 2) == item->memory.created_at;
    }
    db_end(&one);
    return 0;
}

/* Standard input has no name; its first refs identify it. */
static void identify_stream(struct import_origin *o, const struct slice_entry *entries,
                            size_t count)
{
    struct strbuf refs = STRBUF_INIT, identity = STRBUF_INIT;
    struct digest digest;
    char hex[2 * DIGEST_SIZE + 1];
    for (size_t i = 0; i < count; i++) {
        ref_add(&refs, entries[i].item.memory.ref);
        strbuf_addch(&refs, '\n');
    }
    digest_bytes(&digest, refs.buf, refs.len);
    digest_hex(hex, &digest);
    strbuf_addf(&identity, "%s stream %s", o->format->name, hex);
    strbuf_release(&refs);
    o->identity = strbuf_detach(&identity, NULL);
}

/* Returns true if another file exists at the origin's former path: then this one is a copy. */
static bool original_exists(const struct import_origin *o, const char *was)
{
    struct stat there, here;
    return o->path && stat(was, &there) == 0 &&
           (stat(o->path, &here) || here.st_dev != there.st_dev || here.st_ino != there.st_ino);
}

/*
 * Takes that origin unless the source is a copy of a file that still exists. Returns -1 on error.
 */
static int take_origin(struct import_origin *o, struct db *db, int64_t row, struct error *e)
{
    struct query one = db_query(db, e, "SELECT path FROM origin WHERE id = ?", "i", row);
    if (!db_next(&one))
        return db_end(&one);
    const char *was = (const char *)sqlite3_column_text(one.stmt, 0);
    if (!was || !original_exists(o, was)) {
        free(o->was);
        o->was = was ? xstrdup(was) : NULL;
        o->row = row;
        o->moved = true;
    }
    db_end(&one);
    return 0;
}

int import_origin_recognise(struct import_origin *o, struct db *db,
                            const struct slice_entry *entries, size_t count, struct error *e)
{
    struct origin_counts t = {.count = 0};
    size_t sample = count < ORIGIN_SAMPLE ? count : ORIGIN_SAMPLE;
    if (!o->identity)
        identify_stream(o, entries, sample);
    for (size_t i = 0; i < sample; i++)
        if (weigh(o, db, &entries[i].item, &t, e))
            return -1;
    for (size_t i = 0; i < t.count; i++) {
        bool known = o->format->known_by_ref ? 2 * t.list[i].same > t.here
                                             : 2 * t.list[i].unchanged > sample;
        if (known && t.list[i].unchanged > 0 && take_origin(o, db, t.list[i].origin, e))
            return -1;
    }
    return 0;
}

/* Inserts the origin's row if it is new. Another process may have inserted it meanwhile. If another origin has the same
 * identity because its source was moved away, appends a number. */
static int insert_origin(struct import_origin *o, struct db *db, int64_t now, struct error *e)
{
    if (o->row == 0 && import_origin_find(o, db, e))
        return -1;
    for (int64_t number = 1; o->row == 0; number++) {
        if (db_run(db, e,
                   "INSERT INTO origin(kind, identity, path, first_at, last_at)"
                   " VALUES (?1, CASE ?2 WHEN 1 THEN ?3 ELSE ?3 || ' ' || ?2 END, ?4, ?5, ?5)"
                   " ON CONFLICT DO NOTHING",
                   "sissi", o->format->name, number, o->identity, o->path, now))
            return -1;
        if (sqlite3_changes(db_handle(db)))
            o->row = sqlite3_last_insert_rowid(db_handle(db));
    }
    return 0;
}

int import_origin_record(struct import_origin *o, struct db *db, int64_t now, const char *summary,
                         struct error *e)
{
    if (insert_origin(o, db, now, e))
        return -1;
    return db_run(db, e,
                  "UPDATE origin SET path = coalesce(?, path), last_at = ?, summary = ?"
                  " WHERE id = ?",
                  "sisi", o->path, now, summary, o->row);
}

struct actor import_actor(struct store *s, const struct import_options *options,
                          const char *channel, char correlation[13])
{
    char id[37];
    store_make_id(s, id);
    memcpy(correlation, id + 24, 13);
    return (struct actor){.class = ACTOR_PERSON,
                          .name = options->actor ? options->actor : "unknown",
                          .origin = channel,
                          .correlation = correlation};
}

struct actor import_author(const struct actor *importer, const struct memory *m)
{
    struct actor author = *importer;
    if (m->is_protected || utf8_is_blank(m->agent_id) || same_text(m->agent_id, importer->name))
        return author;
    author.class = ACTOR_AGENT;
    author.name = author.agent = m->agent_id;
    return author;
}

void slice_report(struct slice *s, const struct import_item *item, const char *what, ...)
{
    if (item->number)
        strbuf_addf(&s->lines, "chain %lld (line %lld): ", (long long)item->number,
                    (long long)item->line);
    else if (item->line)
        strbuf_addf(&s->lines, "line %lld: ", (long long)item->line);
    if (!item->number && item->memory.ref.id) {
        ref_add(&s->lines, item->memory.ref);
        strbuf_addstr(&s->lines, ": ");
    }
    STRBUF_VADD(&s->lines, what);
    strbuf_addch(&s->lines, '\0');
}

void slice_report_error(struct slice *s, const struct import_item *item, const struct error *wrong)
{
    slice_report(s, item, "%s%s%s", wrong->what, wrong->hint[0] ? ". " : "", wrong->hint);
}

void slice_send_reports(struct slice *s)
{
    const char *end = s->lines.buf + s->lines.len;
    for (const char *line = s->lines.buf; line < end; line += strlen(line) + 1)
        if (s->options->report)
            s->options->report(s->options->arg, line);
    strbuf_clear(&s->lines);
}

/* ---- the job; runs in the writer thread ---- */

/* Records the source's hash and the event of the import. */
static int note_imported(struct slice *s, struct db *db, const struct slice_entry *entry,
                         int64_t node, int64_t event, struct error *e)
{
    return db_run(db, e,
                  "INSERT INTO imported(memory, origin, hash, event) VALUES (?, ?, ?, ?)"
                  " ON CONFLICT(memory) DO UPDATE SET origin = excluded.origin,"
                  " hash = excluded.hash, event = excluded.event",
                  "iibi", node, s->origin.row, (const void *)entry->item.hash.bytes,
                  (size_t)DIGEST_SIZE, event);
}

/* An entry with that name may give it up later in the slice, so this one is retried (retry_taken). So is a step that
 * was undone and whose number another one has. */
static int check_name(struct slice *s, struct txn *t, struct slice_entry *entry,
                      const struct memory *before, struct error *e)
{
    struct error taken;
    if (t->load || (entry_claim_take(t, before, &entry->item.memory, &taken) == 0 &&
                    (before || step_return_check(txn_db(t), &entry->item.memory, &taken) == 0)))
        return 0;
    if (taken.code != ERROR_CONFLICT) {
        *e = taken;
        return -1;
    }
    if (s->again)
        slice_report_error(s, &entry->item, &taken);
    entry->verdict = VERDICT_TAKEN;
    return 1;
}

/* Stores the memory. If the source has no marks, ours stay: they are the decisions of persons. */
static int put(struct slice *s, struct txn *t, struct slice_entry *entry,
               const struct memory *before, struct error *e)
{
    struct memory *after = &entry->item.memory;
    if (before && entry->item.undated)
        after->created_at = before->created_at;
    if (before && after->flag_count == 0) {
        struct memory kept = without_removal(before, &s->arena);
        after->flags = kept.flags;
        after->flag_count = kept.flag_count;
    }
    int taken = check_name(s, t, entry, before, e);
    if (taken)
        return taken < 0 ? -1 : 0;
    const struct actor author = s->options->replace ? *s->actor : import_author(s->actor, after);
    if (txn_put(t, &author, "import", before, after, NULL, e) == 0)
        return note_imported(s, txn_db(t), entry, after->node, after->event, e);
    if (t->failed || (e->code != ERROR_INVALID && (!before || e->code != ERROR_CONFLICT)))
        return -1;
    entry->cannot = true; /* nothing of it was written */
    slice_report(s, &entry->item, "%s", e->what);
    e->code = ERROR_NONE;
    return 0;
}

/* Takes back the flag of a memory that its source has again. Sets *event to the memory's last one. */
static int take_back_removal(struct slice *s, struct txn *t, const struct memory *ours,
                             int64_t *event, struct error *e)
{
    struct memory after = without_removal(ours, &s->arena);
    const struct actor author = import_author(s->actor, ours);
    *event = ours->event;
    if (after.flag_count == ours->flag_count)
        return 0;
    if (txn_put(t, &author, "mark", ours, &after, "in its source again", e))
        return -1;
    *event = after.event;
    return 0;
}

/* What the source said last is not known: an undo of apply wrote it back, which is no change of the agent's. */
static bool is_reset(const struct stored_state *known)
{
    return digest_equal(&known->hash, &(struct digest){{0}});
}

#define CONFLICT_REASON "changed here and in the source; ours stays"

/* Keeps what the source says now as a row of the history of ours, which stays. */
static int record_conflict(struct slice *s, struct txn *t, const struct slice_entry *entry,
                           const struct memory *ours, struct error *e)
{
    const struct memory *theirs = &entry->item.memory;
    const struct actor author = import_author(s->actor, theirs);
    struct memory after = without_removal(ours, &s->arena);
    bool reworded = !same_text(ours->text, theirs->text);
    after.history = arena_array(&s->arena, ours->history_count + 1, sizeof(*after.history));
    for (size_t i = 0; i < ours->history_count; i++)
        after.history[i] = ours->history[i];
    after.history[after.history_count++] =
        (struct history_entry){.at = txn_now(t),
                               .old = NAN,
                               .new_ = NAN,
                               .operation = CONFLICT_OPERATION,
                               .actor = author.name,
                               .origin = author.origin,
                               .before = reworded ? ours->text : NULL,
                               .after = reworded ? theirs->text : NULL};
    after.form = NULL;
    return txn_put(t, &author, CONFLICT_OPERATION, ours, &after, CONFLICT_REASON, e);
}

static int act(struct slice *s, struct txn *t, struct slice_entry *entry,
               const struct stored_state *known, const struct memory *ours, struct error *e)
{
    int64_t event;
    switch (entry->verdict) {
    case VERDICT_UPDATE:
        return put(s, t, entry, ours, e);
    case VERDICT_ALREADY:
        return failed_if(take_back_removal(s, t, ours, &event, e) ||
                         note_imported(s, txn_db(t), entry, known->node, event, e));
    case VERDICT_CONFLICT:
        slice_report(s, &entry->item, CONFLICT_REASON);
        if (ours->node && (is_reset(known) ? take_back_removal(s, t, ours, &event, e)
                                           : record_conflict(s, t, entry, ours, e)))
            return -1;
        return note_imported(s, txn_db(t), entry, known->node, known->imported_event, e);
    case VERDICT_REFUSED:
        slice_report(s, &entry->item, "is here from another origin with other content; refused");
        return 0;
    case VERDICT_ADD: /* it existed a moment ago, or was undone then */
        return known->node == 0 || known->status == STATUS_MISSING ? put(s, t, entry, NULL, e) : 0;
    case VERDICT_SAME:
    case VERDICT_TAKEN:
        return 0;
    }
    return 0;
}

/* Most memories are new, so first try to insert: an existing ref fails and is then looked up. For
 * entries look first, because an entry with that name may exist. */
int slice_write_memory(struct slice *s, struct txn *t, struct slice_entry *entry, struct error *e)
{
    /* not `e`, which must have no error if the job succeeds */
    struct error taken = {.code = ERROR_NONE};
    bool tries = !entry->item.is_undone && (t->load || entry->item.memory.ref.kind != KIND_ENTRY);
    entry->verdict = VERDICT_ADD;
    if (tries && put(s, t, entry, NULL, &taken) == 0)
        return 0;
    if (tries && (t->failed || taken.code != ERROR_CONFLICT)) {
        *e = taken;
        return -1;
    }
    struct memory ours;
    struct stored_state known = {.node = 0};
    if (import_read_stored(txn_db(t), entry->item.memory.ref, &known, e) ||
        import_decide(txn_db(t), &s->arena, s->origin.row, s->options->replace, &entry->item,
                      &known, &entry->verdict, &ours, e))
        return -1;
    entry->item.memory.node = known.node;
    return act(s, t, entry, &known, &ours, e);
}

/* Retries entries whose name was taken. */
static int retry_taken(struct slice *s, struct txn *t, struct error *e)
{
    s->again = true;
    for (s->at = 0; s->at < s->count; s->at++)
        if (!s->entries[s->at].cannot && s->entries[s->at].verdict == VERDICT_TAKEN &&
            s->write(s, t, &s->entries[s->at], e))
            return -1;
    return 0;
}

static int write_entries(struct slice *s, struct txn *t, struct error *e)
{
    if (insert_origin(&s->origin, txn_db(t), txn_now(t), e))
        return -1;
    for (s->at = 0; s->at < s->count; s->at++)
        if (!s->entries[s->at].cannot && s->write(s, t, &s->entries[s->at], e))
            return -1;
    return retry_taken(s, t, e);
}

/* If the job is rolled back, so is the origin's row. */
static int write_slice(struct txn *t, void *arg, struct error *e)
{
    struct slice *s = arg;
    int64_t row = s->origin.row;
    strbuf_clear(&s->lines);
    s->at = s->count;
    s->again = false;
    if (write_entries(s, t, e) == 0)
        return 0;
    s->origin.row = row;
    return -1;
}

static void answer(void *arg, const struct error *e)
{
    struct slice *s = arg;
    pthread_mutex_lock(&s->lock);
    s->error = *e;
    s->answered = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

/* ---- in the caller's thread ---- */

int slice_submit(struct slice *s, const struct import_origin *origin, struct error *e)
{
    s->origin = *origin;
    s->at = s->count; /* if the job never runs, no entry is to blame */
    s->answered = false;
    s->loaded = s->bulk && bulk_is_open(s->bulk);
    int failed = s->loaded ? bulk_submit(s->bulk, write_slice, answer, s, e)
                           : store_submit(s->store, write_slice, answer, s, e);
    s->queued = !failed;
    return failed;
}

static void wait_for_answer(struct slice *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->queued && !s->answered)
        pthread_cond_wait(&s->wake, &s->lock);
    s->queued = false;
    pthread_mutex_unlock(&s->lock);
}

/* If the store cannot write a memory (it is too large), the whole job is rolled back. Marks that
 * memory as refused, so that the job can run again without it. Returns false for another error. */
static bool refuse_entry(struct slice *s)
{
    bool own = s->error.code == ERROR_INVALID || s->error.code == ERROR_CONFLICT;
    if (!own || s->at >= s->count)
        return false;
    struct slice_entry *entry = &s->entries[s->at];
    strbuf_clear(&s->lines);
    slice_report(s, &entry->item, "%s", s->error.what);
    slice_send_reports(s);
    entry->cannot = true;
    return true;
}

int slice_wait(struct slice *s, struct error *e)
{
    if (!s->queued)
        return 0;
    wait_for_answer(s);
    while (s->error.code != ERROR_NONE && refuse_entry(s)) {
        const struct import_origin origin = s->origin;
        if (slice_submit(s, &origin, e))
            return -1;
        wait_for_answer(s);
    }
    if (s->error.code == ERROR_NONE)
        return 0;
    *e = s->error;
    return -1;
}

void slice_init(struct slice *s, struct store *store, const struct import_options *options,
                const struct actor *actor, slice_write *write, struct bulk *bulk)
{
    *s = (struct slice){.store = store,
                        .options = options,
                        .actor = actor,
                        .write = write,
                        .bulk = bulk,
                        .lines = STRBUF_INIT};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
}

void slice_release(struct slice *s)
{
    wait_for_answer(s);
    arena_release(&s->arena);
    strbuf_release(&s->lines);
    free(s->entries);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
}

void slice_clear(struct slice *s)
{
    s->count = 0;
    arena_clear(&s->arena);
}

struct slice_entry *slice_add(struct slice *s, const struct import_item *item)
{
    struct slice_entry *entry = ARRAY_ADD(s->entries, s->count, s->alloc);
    *entry = (struct slice_entry){.item = *item};
    return entry;
}
