#include "store/import/import_slice.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/ops/entry_expire.h"
#include "store/record/entry_row.h"
#include "store/txn/txn.h"

void slice_say(struct slice *s, const struct import_item *item, const char *what)
{
    if (item->line)
        strbuf_addf(&s->lines, "line %lld: ", (long long)item->line);
    ref_add(&s->lines, item->memory.ref);
    strbuf_addf(&s->lines, ": %s", what);
    strbuf_addch(&s->lines, '\0');
}

void slice_say_error(struct slice *s, const struct import_item *item, const struct error *wrong)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, wrong->what);
    if (wrong->todo[0])
        strbuf_addf(&text, ". %s", wrong->todo);
    slice_say(s, item, text.buf);
    strbuf_release(&text);
}

void slice_tell(struct slice *s)
{
    const char *end = s->lines.buf + s->lines.len;
    for (const char *line = s->lines.buf; line < end; line += strlen(line) + 1)
        if (s->options->report)
            s->options->report(s->options->arg, line);
    strbuf_clear(&s->lines);
}

/* ---- the job, in the writer's thread ---- */

/* Notes what the source said and which event has it. */
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

/* Another one may leave its name to it later in the slice: that is seen when it is tried again. */
static int check_name(struct slice *s, struct txn *t, struct slice_entry *entry,
                      const struct memory *before, struct error *e)
{
    struct error taken;
    if (t->load || entry_claim_take(t, before, &entry->item.memory, &taken) == 0)
        return 0;
    if (taken.code != ERROR_CONFLICT) {
        *e = taken;
        return -1;
    }
    if (s->again)
        slice_say_error(s, &entry->item, &taken);
    entry->verdict = VERDICT_TAKEN;
    return 1;
}

/*
 * Puts the memory. The marks of ours are people's words, which another source does not take back: they
 * stay where it brings none.
 */
static int put(struct slice *s, struct txn *t, struct slice_entry *entry,
               const struct memory *before, struct error *e)
{
    struct memory *after = &entry->item.memory;
    if (before && entry->item.undated)
        after->created_at = before->created_at;
    if (before && after->mark_count == 0) {
        after->marks = before->marks;
        after->mark_count = before->mark_count;
    }
    int taken = check_name(s, t, entry, before, e);
    if (taken)
        return taken < 0 ? -1 : 0;
    if (txn_put(t, s->actor, "import", before, after, NULL, e) == 0)
        return note_imported(s, txn_db(t), entry, after->node, after->event, e);
    if (t->failed || (e->code != ERROR_INVALID && (!before || e->code != ERROR_CONFLICT)))
        return -1;
    entry->cannot = true; /* nothing of it was written */
    slice_say(s, &entry->item, e->what);
    e->code = ERROR_NONE;
    return 0;
}

static int act(struct slice *s, struct txn *t, struct slice_entry *entry,
               const struct standing *known, const struct memory *ours, struct error *e)
{
    switch (entry->verdict) {
    case VERDICT_UPDATE:
        return put(s, t, entry, ours, e);
    case VERDICT_ALREADY:
        return note_imported(s, txn_db(t), entry, known->node, known->event, e);
    case VERDICT_CONFLICT:
        slice_say(s, &entry->item, "changed here and in the source; ours stays");
        return note_imported(s, txn_db(t), entry, known->node, known->imported_event, e);
    case VERDICT_REFUSED:
        slice_say(s, &entry->item, "is here from elsewhere with other content; refused");
        return 0;
    case VERDICT_ADD: /* it was there a moment ago, or was gone then */
        return known->node == 0 || known->status == STATUS_MISSING ? put(s, t, entry, NULL, e) : 0;
    case VERDICT_SAME:
    case VERDICT_TAKEN:
        return 0;
    }
    return 0;
}

/*
 * Most of what is written is new, so that is tried first: a ref that is taken is found as it is
 * written, and only then is looked at. An entry may be there already under the name that it brings, so
 * that is looked at first.
 */
static int write_entry(struct slice *s, struct txn *t, struct slice_entry *entry, struct error *e)
{
    struct error taken = {
        .code = ERROR_NONE}; /* not `e`, which must say nothing where the job is done */
    bool tries = !entry->item.is_gone && (t->load || entry->item.memory.ref.kind != KIND_ENTRY);
    entry->verdict = VERDICT_ADD;
    if (tries && put(s, t, entry, NULL, &taken) == 0)
        return 0;
    if (tries && (t->failed || taken.code != ERROR_CONFLICT)) {
        *e = taken;
        return -1;
    }
    struct memory ours;
    struct standing known = {.node = 0};
    if (import_standing(txn_db(t), entry->item.memory.ref, &known, e) ||
        import_decide(txn_db(t), &s->arena, s->origin.row, s->options->replace, &entry->item,
                      &known, &entry->verdict, &ours, e))
        return -1;
    entry->item.memory.node = known.node;
    return act(s, t, entry, &known, &ours, e);
}

/* Those whose name was taken, for it may have been left since. */
static int try_again(struct slice *s, struct txn *t, struct error *e)
{
    s->again = true;
    for (s->at = 0; s->at < s->count; s->at++)
        if (!s->entries[s->at].cannot && s->entries[s->at].verdict == VERDICT_TAKEN &&
            write_entry(s, t, &s->entries[s->at], e))
            return -1;
    return 0;
}

static int write_entries(struct slice *s, struct txn *t, struct error *e)
{
    if (import_origin_insert(&s->origin, txn_db(t), txn_now(t), e))
        return -1;
    for (s->at = 0; s->at < s->count; s->at++)
        if (!s->entries[s->at].cannot && write_entry(s, t, &s->entries[s->at], e))
            return -1;
    return try_again(s, t, e);
}

/* The origin's row goes with all else where the job is undone. */
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
    s->at = s->count; /* of a job that is not come to, no entry is to blame */
    s->answered = false;
    s->loaded = bulk_is_open(s->bulk);
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

/* What the store did not take in the middle of writing it (it is too large) took the others with it:
 * they are written again without it. */
static bool set_aside(struct slice *s)
{
    if (s->error.code != ERROR_INVALID || s->at >= s->count)
        return false;
    struct slice_entry *entry = &s->entries[s->at];
    strbuf_clear(&s->lines);
    slice_say(s, &entry->item, s->error.what);
    slice_tell(s);
    entry->cannot = true;
    return true;
}

int slice_wait(struct slice *s, struct error *e)
{
    if (!s->queued)
        return 0;
    wait_for_answer(s);
    while (s->error.code != ERROR_NONE && set_aside(s)) {
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
                const struct actor *actor, struct bulk *bulk)
{
    *s = (struct slice){
        .store = store, .options = options, .actor = actor, .bulk = bulk, .lines = STRBUF_INIT};
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

void slice_add(struct slice *s, const struct import_item *item)
{
    *ARRAY_ADD(s->entries, s->count, s->alloc) = (struct slice_entry){.item = *item};
}
