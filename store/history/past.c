/*
 * A memory as of an event, computed by reverting later events, and the comparison of the store as
 * of two events.
 */
#include "store/history/past.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/format/memory_json.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"

static int rewind_addition(struct db *db, int64_t node, int64_t low, int64_t high, int64_t *event,
                           struct error *e);

/* ---- the event of a time ---- */

/* Finds the first event from `seq` on. Returns 1, 0 if there is none, -1 on error. */
static int event_from(struct db *db, int64_t seq, int64_t *found, int64_t *at, struct error *e)
{
    struct query row =
        db_query(db, e, "SELECT seq, at FROM event WHERE seq >= ? ORDER BY seq LIMIT 1", "i", seq);
    bool any = db_next(&row);
    if (any) {
        *found = sqlite3_column_int64(row.stmt, 0);
        *at = sqlite3_column_int64(row.stmt, 1);
    }
    return db_end(&row) ? -1 : any;
}

int past_event_at(struct reader *r, int64_t time, int64_t *seq, struct error *e)
{
    /* Backwards from the end, since the clock may have been set back in between. */
    static const char sql[] = "SELECT seq FROM event WHERE at <= ? ORDER BY seq DESC LIMIT 1";
    if (reader_begin(r, e))
        return -1;
    return reader_done(r, db_int(reader_db(r), seq, 0, e, sql, "i", time));
}

int past_event_time(struct reader *r, int64_t seq, int64_t *at, struct error *e)
{
    int64_t found;
    int more =
        reader_begin(r, e) ? -1 : reader_done(r, event_from(reader_db(r), seq, &found, at, e));
    if (more < 0)
        return -1;
    return more && found == seq ? 0
                                : error_set(e, ERROR_NOT_FOUND, "stemma log shows them.",
                                            "there is no event %lld", (long long)seq);
}

/* ---- comparing two events ---- */

/* Rewinds each memory that has events between the two, to both, and compares. */

/* A memory with events between the two. */
struct candidate {
    int64_t row, last; /* the last of them */
    int64_t made;      /* the one that is shown */
};

struct comparison {
    struct reader *r;
    struct db *db;
    int64_t from, to;
    struct candidate *candidates;
    size_t count, alloc;
    int (*each)(void *arg, const struct changed *c);
    void *arg;
    struct arena arena;
    bool stopped;
};

static int64_t low_of(const struct comparison *c)
{
    return c->from < c->to ? c->from : c->to;
}

static int find_candidates(struct comparison *c, struct error *e)
{
    struct query rows = db_query(c->db, e,
                                 "SELECT subject, last, iif(added > removed, added, last) FROM ("
                                 "SELECT subject, max(seq) AS last,"
                                 " max(iif(instr(canonical, '\"before\":'), 0, seq)) AS added,"
                                 " max(iif(instr(canonical, '\"after\":'), 0, seq)) AS removed"
                                 " FROM event WHERE seq > ? AND seq <= ? AND +subject > 0"
                                 " GROUP BY +subject) ORDER BY 3",
                                 "ii", low_of(c), c->from < c->to ? c->to : c->from);
    while (db_next(&rows))
        *ARRAY_ADD(c->candidates, c->count, c->alloc) =
            (struct candidate){.row = sqlite3_column_int64(rows.stmt, 0),
                               .last = sqlite3_column_int64(rows.stmt, 1),
                               .made = sqlite3_column_int64(rows.stmt, 2)};
    return db_end(&rows);
}

static bool same_form(const struct memory *a, const struct memory *b)
{
    AUTO_STRBUF x = STRBUF_INIT, y = STRBUF_INIT;
    memory_json_write(&x, a, NULL);
    memory_json_write(&y, b, NULL);
    return x.len == y.len && memcmp(x.buf, y.buf, x.len) == 0;
}

static int read_at(struct comparison *c, int64_t row, int64_t seq, struct memory *m,
                   struct error *e)
{
    if (rewind_memory(c->db, &c->arena, row, seq, m, e) || rewind_links(c->db, m, seq, e))
        return -1;
    return 0;
}

/* Hides expired values, after the comparison. */
static int hide(struct comparison *c, struct memory *before, struct memory *after, struct error *e)
{
    return entry_hide(c->r, &c->arena, before, e) || entry_hide(c->r, &c->arena, after, e) ? -1 : 0;
}

static int find_events(struct comparison *c, const struct candidate *candidate, struct changed *out,
                       struct error *e)
{
    int64_t *events = NULL;
    size_t alloc = 0;
    struct query rows = db_query(c->db, e,
                                 "SELECT seq FROM event WHERE subject = ? AND seq > ? AND seq <= ?"
                                 " ORDER BY seq",
                                 "iii", candidate->row, low_of(c), candidate->last);
    while (db_next(&rows))
        *ARENA_ADD(&c->arena, events, out->event_count, alloc) = sqlite3_column_int64(rows.stmt, 0);
    out->events = events;
    return db_end(&rows);
}

static int compare_one(struct comparison *c, const struct candidate *candidate, struct error *e)
{
    struct memory before, after;
    arena_clear(&c->arena);
    if (read_at(c, candidate->row, c->from, &before, e) ||
        read_at(c, candidate->row, c->to, &after, e))
        return -1;
    bool was = before.status != STATUS_MISSING, is = after.status != STATUS_MISSING;
    if (was == is && (!was || same_form(&before, &after)))
        return 0;
    struct changed changed = {.node = candidate->row,
                              .ref = after.ref,
                              .made = candidate->made,
                              .before = was ? &before : NULL,
                              .after = is ? &after : NULL};
    if (find_events(c, candidate, &changed, e) || hide(c, &before, &after, e))
        return -1;
    c->stopped = c->each(c->arg, &changed) != 0;
    return 0;
}

static int compare_all(struct comparison *c, struct error *e)
{
    if (find_candidates(c, e))
        return -1;
    for (size_t i = 0; i < c->count && !c->stopped; i++) {
        if (READER_REPORTS(i))
            reader_progress(c->r, (int64_t)i, (int64_t)c->count);
        if (reader_check(c->r, e) || compare_one(c, &c->candidates[i], e))
            return -1;
    }
    return 0;
}

static int64_t at_most(int64_t seq, int64_t past)
{
    return past >= 0 && seq > past ? past : seq;
}

int past_compare(struct reader *r, int64_t from, int64_t to,
                 int (*each)(void *arg, const struct changed *c), void *arg, struct error *e)
{
    struct comparison c = {.r = r,
                           .from = at_most(from, reader_past(r)),
                           .to = at_most(to, reader_past(r)),
                           .each = each,
                           .arg = arg,
                           .arena = ARENA_INIT};
    c.db = reader_begin_present(r, e);
    if (!c.db)
        return -1;
    int result = compare_all(&c, e);
    reader_end_present(r);
    arena_release(&c.arena);
    free(c.candidates);
    return result;
}

/* ---- memories without patches: purged, or with expired values ---- */

/*
 * The elements of a list with a time up to `limit`, copied into the arena. `offset` is that of
 * their time.
 */
static void *elements_up_to(struct arena *arena, const void *list, size_t *count, size_t size,
                            size_t offset, int64_t limit)
{
    char *kept = arena_array(arena, *count + 1, size);
    size_t n = 0;
    for (size_t i = 0; i < *count; i++) {
        const char *one = (const char *)list + i * size;
        if (*(const int64_t *)(one + offset) <= limit)
            memcpy(kept + n++ * size, one, size);
    }
    *count = n;
    return n ? kept : NULL;
}

#define UP_TO(arena, type, list, count, limit)                                                     \
    ((list) = elements_up_to(arena, list, &(count), sizeof(type), offsetof(type, at), limit))

/*
 * The state of a purged memory after an event at time `at`, with the next event at `until`. If both
 * are of the same millisecond, it is unknown which of them made a change of confidence or a mark:
 * these are left out. Links of that time are kept, because it is unknown that they did not exist.
 */
static struct memory *purged_state(struct arena *arena, const struct memory *known, int64_t version,
                                   int64_t at, int64_t until)
{
    struct memory *m = arena_memdup(arena, known, sizeof(*m));
    int64_t own = at < until ? at : until - 1, linked = at > m->created_at ? at : m->created_at;
    m->version = version > 1 ? version : 1;
    m->updated_at = at;
    m->event = 0;
    m->form = NULL;
    /* The old value of the first later change of confidence. */
    for (size_t i = m->history_count; i-- > 0;)
        if (m->history[i].at > own && !m->history[i].origin)
            m->confidence = m->history[i].old;
    UP_TO(arena, struct history_entry, m->history, m->history_count, own);
    UP_TO(arena, struct flag, m->flags, m->flag_count, own);
    UP_TO(arena, struct justification, m->justifications, m->justification_count, linked);
    UP_TO(arena, struct relation, m->relations, m->relation_count, linked);
    return m;
}

/* ---- expired and erased values of entries ---- */

static enum status status_after(const char *operation)
{
    static const struct {
        const char *operation;
        enum status status;
    } all[] = {
        {"delete", STATUS_DELETED},    {"forget", STATUS_FORGOTTEN},
        {"retract", STATUS_RETRACTED}, {"expire", STATUS_EXPIRED},
        {"evict", STATUS_EXPIRED},     {"quarantine", STATUS_QUARANTINED},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(operation, all[i].operation) == 0)
            return all[i].status;
    return STATUS_ACTIVE;
}

/*
 * The status of such an entry as of `seq`. A retracted, forgotten, deleted or quarantined entry
 * keeps that status when it expires.
 */
static int expired_status(struct db *db, int64_t node, int64_t seq, enum status *out,
                          struct error *e)
{
    static const char sql[] =
        "SELECT operation FROM event WHERE subject = ? AND seq <= ? AND operation IN ('add', 'put',"
        " 'import', 'restore', 'undo', 'redo', 'delete', 'forget', 'retract', 'expire', 'evict',"
        " 'quarantine', 'release')"
        " ORDER BY seq DESC";
    bool expired = false;
    struct query rows = db_query(db, e, sql, "ii", node, seq);
    *out = STATUS_EXPIRED;
    while (*out == STATUS_EXPIRED && db_next(&rows)) {
        *out = status_after((const char *)sqlite3_column_text(rows.stmt, 0));
        expired |= *out == STATUS_EXPIRED;
    }
    if (!expired && *out == STATUS_EXPIRED) /* there is no such event */
        *out = STATUS_ACTIVE;
    if (expired && STATUS_LIVES(*out))
        *out = STATUS_EXPIRED;
    return db_end(&rows);
}

/* True if the operation may have set another expiry. */
static bool retimes(const char *operation)
{
    static const char *const all[] = {"put", "edit", "import", "undo", "redo"};
    for (size_t i = 0; operation && i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(operation, all[i]) == 0)
            return true;
    return false;
}

bool rewind_is_sweep(const char *operation)
{
    return operation && strcmp(operation, "sweep") == 0;
}

/* The last event on a memory up to `seq` and its time; both 0 if there is none. */
static int event_before(struct db *db, int64_t node, int64_t seq, int64_t *event, int64_t *at,
                        struct error *e)
{
    struct query row = db_query(db, e,
                                "SELECT seq, at FROM event WHERE subject = ? AND seq <= ?"
                                " ORDER BY seq DESC LIMIT 1",
                                "ii", node, seq);
    bool any = db_next(&row);
    *event = any ? sqlite3_column_int64(row.stmt, 0) : 0;
    *at = any ? sqlite3_column_int64(row.stmt, 1) : 0;
    return db_end(&row);
}

/*
 * An entry whose addition event `seq` reverted, and whose value expired then: only its existence,
 * version and time are known.
 */
static int taken_back(struct db *db, struct arena *arena, struct ref ref, int64_t node, int64_t seq,
                      struct memory **out, struct error *e)
{
    static const char versions[] = "SELECT count(*) FROM event WHERE subject = ? AND seq < ? AND"
                                   " operation <> 'sweep' AND instr(canonical, '\"after\":') > 0";
    int64_t addition, ignored;
    struct memory *m = arena_alloc(arena, sizeof(*m));
    memory_init(m, ref);
    m->node = node;
    m->agent_id = m->text = "";
    m->source_type = source_type_name(SOURCE_UNKNOWN);
    *out = m;
    return failed_if(rewind_addition(db, node, 0, seq - 1, &addition, e) ||
                     event_before(db, node, addition, &ignored, &m->created_at, e) ||
                     db_int(db, &m->version, 1, e, versions, "ii", node, seq));
}

/* ---- one event back ---- */

/*
 * Prepares `known` when a patch is missing. For an entry whose addition was reverted before its
 * value expired, nothing else is known.
 */
static int prepare_erased(struct rewind *w, int64_t seq, struct error *e)
{
    struct memory *m;
    if (!w->known && w->ref.kind == KIND_ENTRY) {
        if (taken_back(w->db, w->arena, w->ref, w->node, seq, &m, e))
            return -1;
        w->known = m;
        w->version = m->version;
    }
    w->swept |= w->known && w->known->ref.kind == KIND_ENTRY && STATUS_KEPT(w->known->status);
    return 0;
}

/* Only a purged memory and an expired value of an entry have no patches back to the addition. */
int rewind_back(struct rewind *w, const struct event *event, struct error *e)
{
    w->version -= event->after && !rewind_is_sweep(event->operation);
    w->until = event->at;
    w->erased = false;
    if (!event->before) {
        w->state = NULL;
        return 0;
    }
    if (!event->patch) {
        if (prepare_erased(w, event->seq, e))
            return -1;
        w->erased = w->known && (w->swept || w->known->status == STATUS_PURGED);
        if (!w->erased)
            return error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                             "event %lld does not say what was before it", (long long)event->seq);
        w->retimed |= retimes(event->operation);
        w->state = arena_memdup(w->arena, w->known, sizeof(*w->known));
        return 0;
    }
    struct memory *before = arena_alloc(w->arena, sizeof(*before));
    if (memory_json_unpatch(before, w->state, w->arena, event->patch, e))
        return error_prefix(e, "event %lld", (long long)event->seq);
    before->node = w->node;
    w->known = w->state = before;
    w->version = before->version;
    return 0;
}

int rewind_erased(struct rewind *w, int64_t seq, struct error *e)
{
    int64_t event, at;
    if (event_before(w->db, w->node, seq, &event, &at, e))
        return -1;
    struct memory *m = purged_state(w->arena, w->state, w->version, at, w->until);
    w->known = w->state = m;
    if (w->swept && m->detail)
        detail_set(&m->detail, w->arena, "value", NULL);
    if (w->swept && m->detail && w->retimed)
        detail_set(&m->detail, w->arena, "expires_at", NULL);
    return w->swept ? expired_status(w->db, w->node, seq, &m->status, e) : 0;
}

static int revert_event(void *arg, const struct event *event, struct error *e)
{
    if (!event->class_name)
        return error_set(e, ERROR_STORE, "Run stemma fsck on the store.", "event %lld is damaged",
                         (long long)event->seq);
    return rewind_back(arg, event, e);
}

static int revert_events(struct rewind *w, int64_t seq, struct error *e)
{
    if (journal_walk_back(w->db, w->arena, w->node, seq + 1, revert_event, w, e))
        return -1;
    return w->state && w->erased ? rewind_erased(w, seq, e) : 0;
}

int rewind_memory(struct db *db, struct arena *arena, int64_t node, int64_t seq, struct memory *out,
                  struct error *e)
{
    struct memory now;
    if (memory_read_db(db, arena, node, &now, e))
        return -1;
    struct rewind w = {.db = db, .arena = arena, .ref = now.ref, .node = node};
    w.known = w.state = now.status == STATUS_MISSING ? NULL : &now;
    w.version = now.version;
    int64_t event = now.event, at;
    if ((!w.state || event > seq) &&
        (revert_events(&w, seq, e) || event_before(db, node, seq, &event, &at, e)))
        return -1;
    struct ref ref = now.ref;
    if (w.state && event)
        *out = *w.state;
    else
        memory_init(out, ref);
    out->ref = ref;
    out->node = node;
    out->event = w.state ? event : 0;
    out->form = NULL;
    if (!w.state || !event)
        out->status = STATUS_MISSING;
    return 0;
}

/* The last event in (low, high] that added the memory; 0 if none. O(events on it in that range). */
static int rewind_addition(struct db *db, int64_t node, int64_t low, int64_t high, int64_t *event,
                           struct error *e)
{
    static const char sql[] = "SELECT seq FROM event WHERE subject = ? AND seq > ? AND seq <= ?"
                              " AND instr(canonical, '\"before\":') = 0 ORDER BY seq DESC LIMIT 1";
    return db_int(db, event, 0, e, sql, "iii", node, low, high);
}

/* ---- targets of links ---- */

static int past_status(struct db *db, int64_t node, int64_t seq, enum status *status,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int result = rewind_memory(db, &arena, node, seq, &m, e);
    if (result == 0)
        *status = m.status;
    return result;
}

/* Antecedents from a patch have no row and no status yet. */
static int find_target(struct db *db, struct ref ref, int64_t *node, enum status *status,
                       struct error *e)
{
    struct query row = db_query(db, e, "SELECT id, status FROM memory WHERE kind = ? AND name = ?",
                                "is", (int64_t)ref.kind, ref.id);
    if (!db_next(&row))
        return db_end(&row) ? -1
                            : error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                                        "the store is damaged: %s:%s is named and has no row",
                                        kind_name(ref.kind), ref.id);
    int now = column_enum(row.stmt, 1, STATUS_COUNT);
    *node = sqlite3_column_int64(row.stmt, 0);
    *status = now < 0 ? STATUS_MISSING : (enum status)now;
    return db_end(&row);
}

static int fill_target(struct db *db, struct ref ref, int64_t seq, int64_t *node,
                       enum status *status, struct error *e)
{
    int64_t changed = 0;
    if (*node == 0 && find_target(db, ref, node, status, e))
        return -1;
    if (seq == 0)
        return 0;
    if (db_int(db, &changed, 0, e, "SELECT seq FROM event WHERE subject = ? AND seq > ? LIMIT 1",
               "ii", *node, seq))
        return -1;
    return changed ? past_status(db, *node, seq, status, e) : 0;
}

int rewind_links(struct db *db, struct memory *m, int64_t seq, struct error *e)
{
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct antecedent *a = &m->justifications[i].antecedents[k];
            if (fill_target(db, a->ref, seq, &a->node, &a->status, e))
                return -1;
        }
    for (size_t i = 0; i < m->relation_count; i++) {
        struct relation *r = &m->relations[i];
        if (fill_target(db, r->to, seq, &r->to_node, &r->to_status, e))
            return -1;
    }
    return 0;
}
