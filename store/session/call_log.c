/* The call log: buffers calls in the loop's thread and flushes them in the writer's. */
#include "store/session/session.h"

#include <stdlib.h>
#include <time.h>
#include "model/base/array.h"
#include "model/policy/permission.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/journal/call_chain.h"
#include "store/journal/canonical.h"
#include "store/session/session_state.h"
#include "store/txn/txn.h"

#define CALL_UNLOGGED "(not logged)" /* calls that did not fit into the buffer: only their number */

static void add(struct call_outcome *o, int64_t at)
{
    o->first = o->count && o->first < at ? o->first : at;
    o->last = o->count && o->last > at ? o->last : at;
    o->count++;
}

size_t call_outcomes(const struct call_row *row, int64_t since, int64_t until,
                     struct call_outcome out[ERROR_CODES])
{
    struct call_outcome of[ERROR_CODES] = {{.count = 0}};
    size_t count = 0;
    for (size_t i = 0; i < row->count; i++)
        if (row->at[i] >= since && row->at[i] <= until)
            add(&of[row->outcome[i]], row->at[i]);
    for (int code = 0; code < ERROR_CODES; code++) {
        of[code].code = (enum error_code)code;
        if (of[code].count > 0)
            out[count++] = of[code];
    }
    return count;
}

/* True if the call failed. A canceled call did not. */
static bool is_failure(enum error_code code)
{
    return code != ERROR_NONE && code != ERROR_INTERRUPTED;
}

bool call_outcome_is_event(const char *tool, enum error_code code)
{
    int named = memory_tool_from_name(tool);
    return code == ERROR_NONE && (named == MEMORY_TOOL_PUT || named == MEMORY_TOOL_DELETE);
}

const char *call_outcome_name(enum error_code code)
{
    return code == ERROR_NONE ? "OK" : code == ERROR_INTERRUPTED ? "CANCELLED" : error_name(code);
}

#define FLUSH_MS 1000 /* ms between two flushes */
#define FIRST_MS 50   /* ms from the first change after an idle time to its flush */
#define WAIT_MS  1000 /* ms that a flush, and all writes queued after it, wait for other programs */
#define RETRY_MS 20   /* ms until a full buffer checks again for the previous flush */

struct call_log *call_log_open(struct store *s)
{
    struct call_log *l = xcalloc(1, sizeof(*l));
    l->store = s;
    atomic_init(&l->state, FLUSH_WAITING);
    atomic_init(&l->until, 0);
    l->until_most = INT64_MAX;
    l->failed.code = ERROR_NONE;
    return l;
}

bool call_log_writes(const struct call_log *l)
{
    return !store_is_read_only(l->store);
}

/* ---- buffering ---- */

static void free_batch(struct call_batch *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->keys.count; i++)
        call_times_release(&g->calls[i].times);
    free(g->calls);
    key_index_release(&g->keys);
    arena_release(&g->texts);
    strbuf_release(&g->key);
    free(g);
}

static struct call_guard guard_of(const struct call_note *note)
{
    return (struct call_guard){.namespace_ = note->namespace_,
                               .agent = note->agent,
                               .task = note->task,
                               .traceparent = note->traceparent,
                               .redactions = note->redactions,
                               .spans = note->spans};
}

/*
 * Writes the key of a call; calls with equal keys share a row. The outcome is part of it if there
 * is a guard, so that its sums cover one outcome. So are the arguments and the error if they are
 * kept.
 */
static void write_key(struct call_batch *g, const struct session *s, const struct call_note *note,
                      const struct call_guard *guard)
{
    const char *kept[] = {note->arguments, note->error};
    struct call_guard names = *guard;
    struct strbuf *key = &g->key;
    strbuf_clear(key);
    strbuf_add(key, (const char *)&g->full, sizeof(g->full));
    strbuf_add(key, (const char *)&s, sizeof(s));
    strbuf_add(key, (const char *)&note->tool, sizeof(note->tool));
    strbuf_add(key, (const char *)&note->subject, sizeof(note->subject));
    for (size_t i = 0; i < 2; i++) {
        size_t len = kept[i] ? strlen(kept[i]) + 1 : 0;
        strbuf_add(key, (const char *)&len, sizeof(len));
        strbuf_add(key, kept[i] ? kept[i] : "", len);
    }
    if (call_guard_is_empty(guard))
        return;
    names.redactions = 0;
    names.spans = (struct call_spans){0};
    strbuf_addf(key, "%d", (int)note->outcome);
    canonical_guard_write(key, &names);
}

/* Finds or adds the row for a call. NULL if the buffer is full. */
static struct pending_row *row_of(struct call_batch *g, struct session *s,
                                  const struct call_note *note)
{
    struct call_guard guard = guard_of(note);
    struct call_note bare = *note;
    bool keeps = note->arguments || note->error;
    write_key(g, s, note, &guard);
    size_t at = key_index_find(&g->keys, g->key.buf, g->key.len);
    if (at == ROW_NONE && keeps && g->failures == FAILURES_PER_FLUSH) {
        bare.arguments = bare.error = NULL;
        note = &bare;
        keeps = false;
        write_key(g, s, note, &guard);
        at = key_index_find(&g->keys, g->key.buf, g->key.len);
    }
    if (at != ROW_NONE && g->calls[at].times.count == CALL_TIMES_MAX) {
        g->full++;
        write_key(g, s, note, &guard);
        at = ROW_NONE;
    }
    if (at == ROW_NONE) {
        if (g->keys.count == ROWS_MAX)
            return NULL;
        ARRAY_ROOM(g->calls, g->keys.count, g->alloc, 1);
        at = key_index_add(&g->keys, g->key.buf, g->key.len);
        g->calls[at] = (struct pending_row){
            .session = s,
            .tool = note->tool,
            .subject = note->subject,
            .arguments = arena_strdup(&g->texts, note->arguments),
            .error = arena_strdup(&g->texts, note->error),
            .guard = {.namespace_ = arena_strdup(&g->texts, guard.namespace_),
                      .agent = arena_strdup(&g->texts, guard.agent),
                      .task = arena_strdup(&g->texts, guard.task),
                      .traceparent = arena_strdup(&g->texts, guard.traceparent)}};
        call_times_init(&g->calls[at].times);
        g->failures += keeps;
    }
    call_guard_sum(&g->calls[at].guard, &guard);
    return &g->calls[at];
}

static size_t bytes_of(const struct call_batch *g)
{
    return g->bytes + g->texts.used;
}

static void add_call(struct call_log *l, struct session *s, const struct call_note *note)
{
    if (!l->batch) {
        l->batch = xcalloc(1, sizeof(*l->batch));
        strbuf_init(&l->batch->key);
    }
    struct call_batch *g = l->batch;
    struct pending_row *row = bytes_of(g) < TIMES_MAX ? row_of(g, s, note) : NULL;
    if (!row) {
        s->unlogged++;
        return;
    }
    g->bytes -= row->times.text.alloc;
    call_times_add(&row->times, note->at, note->outcome);
    g->bytes += row->times.text.alloc;
}

static bool is_full(const struct call_batch *g)
{
    return g && (g->keys.count >= ROWS_EARLY || bytes_of(g) >= TIMES_EARLY);
}

/*
 * After an idle time the first change is written soon, so that watchers see it; later ones are
 * batched.
 */
void session_touch(struct session *s)
{
    struct call_log *l = s->log;
    s->changed = true;
    if (l->changed)
        return;
    int64_t soon = monotonic_ms() + FIRST_MS;
    l->changed = true;
    l->due = soon > l->next_flush ? soon : l->next_flush;
}

void session_note(struct session *s, const struct call_note *note)
{
    struct call_log *l = s->log;
    s->calls++;
    s->errors += is_failure(note->outcome);
    if (note->at > s->seen_at)
        s->seen_at = note->at;
    struct latency took = {.count = 0};
    latency_add(&took, note->took_us);
    latency_merge(&s->latency, &took);
    session_use(s, &(struct usage){.tool = note->tool,
                                   .answers = 1,
                                   .failures = is_failure(note->outcome),
                                   .bytes = note->bytes,
                                   .full_bytes = note->full_bytes ? note->full_bytes : note->bytes,
                                   .latency = took});
    session_count_minute(s, &(struct call_minute){.at = note->at - note->at % MINUTE_MS,
                                                  .calls = 1,
                                                  .failures = is_failure(note->outcome),
                                                  .latency = took});
    if (note->is_tool)
        session_remember(s, note);
    session_touch(s);
    if (call_log_writes(l) && (note->namespace_ || !note->wrote || note->outcome != ERROR_NONE))
        add_call(l, s, note);
}

void session_end(struct session *s, enum session_ender by)
{
    s->ended_at = store_now(s->log->store);
    s->ended_by = by == ENDED_BY_CLIENT ? "client" : "server";
    session_touch(s);
}

/* ---- a flush, in the writer's thread ---- */

/* Logs the number of calls that did not fit, with the time of the flush. */
static int write_unlogged(struct txn *t, struct session *s, size_t count, struct error *e)
{
    struct call_times times;
    int result = 0;
    while (count && result == 0) {
        call_times_init(&times);
        size_t some = count < CALL_TIMES_MAX ? count : CALL_TIMES_MAX;
        call_times_add_many(&times, t->now, ERROR_NONE, some);
        call_times_close(&times);
        struct call_entry entry = {.session = s->row,
                                   .at = t->now,
                                   .tool = CALL_UNLOGGED,
                                   .count = some,
                                   .times = times.text.buf};
        result = call_append(t, &entry, e);
        call_times_release(&times);
        count -= some;
    }
    return result;
}

/* ---- sessions ---- */

/* Adds `more` to a histogram in the store. */
static int add_histogram(struct query found, const struct latency *more, struct strbuf *out)
{
    struct latency sum = {.count = 0};
    if (db_next(&found))
        latency_read(&sum, (const char *)sqlite3_column_text(found.stmt, 0));
    latency_merge(&sum, more);
    strbuf_clear(out);
    latency_write(out, &sum);
    return db_end(&found);
}

static int write_latency(struct txn *t, int64_t session, const struct usage *u, struct error *e)
{
    AUTO_STRBUF sum = STRBUF_INIT;
    if (u->latency.count == 0)
        return 0;
    return failed_if(
        add_histogram(db_query(t->db, e,
                               "SELECT histogram FROM latency WHERE session = ? AND tool = ?", "is",
                               session, u->tool),
                      &u->latency, &sum) ||
        db_run(t->db, e,
               "INSERT OR REPLACE INTO latency(session, tool, histogram)"
               " VALUES (?, ?, ?)",
               "iss", session, u->tool, sum.buf));
}

static int write_minute(struct txn *t, int64_t session, const struct call_minute *m,
                        struct error *e)
{
    AUTO_STRBUF sum = STRBUF_INIT;
    return failed_if(
        add_histogram(db_query(t->db, e,
                               "SELECT histogram FROM minute WHERE at = ? AND session = ?", "ii",
                               m->at, session),
                      &m->latency, &sum) ||
        db_run(t->db, e,
               "INSERT INTO minute(at, session, calls, failures, histogram)"
               " VALUES (?, ?, ?, ?, ?) ON CONFLICT(at, session) DO UPDATE SET"
               " calls = calls + excluded.calls, failures = failures + excluded.failures,"
               " histogram = excluded.histogram",
               "iiiis", m->at, session, m->calls, m->failures, sum.buf));
}

static int write_minutes(struct txn *t, const struct snapshot *s, struct error *e)
{
    for (size_t i = 0; i < s->minute_count; i++)
        if (write_minute(t, s->session->row, &s->minute[i], e))
            return -1;
    return s->minute_count ? db_run(t->db, e, "DELETE FROM minute WHERE at < ?", "i",
                                    t->now - (int64_t)MINUTES_KEPT * MINUTE_MS)
                           : 0;
}

static int write_usage(struct txn *t, const struct snapshot *s, struct error *e)
{
    for (size_t i = 0; i < s->usage_count; i++) {
        const struct usage *u = &s->usage[i];
        if (db_run(t->db, e,
                   "INSERT INTO usage(session, tool, answers, failures, bytes, full_bytes)"
                   " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT(session, tool) DO UPDATE SET"
                   " answers = answers + excluded.answers, failures = failures + excluded.failures,"
                   " bytes = bytes + excluded.bytes, full_bytes = full_bytes + excluded.full_bytes",
                   "isiiii", s->session->row, u->tool, u->answers, u->failures, u->bytes,
                   u->full_bytes) ||
            write_latency(t, s->session->row, u, e))
            return -1;
    }
    return 0;
}

#define MAY_END "ended_by IS NULL OR (NOT " SESSION_BY_PERSON " AND ?8)"
/* A person's decision stays. Other ends in the row are overwritten if the session returned. */
static int write_snapshot(struct txn *t, const struct snapshot *s, struct error *e)
{
    AUTO_STRBUF latency = STRBUF_INIT;
    if (session_find_row(t, s->session, e))
        return -1;
    latency_write(&latency, &s->latency);
    int result = db_run(t->db, e,
                        "UPDATE session SET seen_at = ?2, calls = ?3, errors = ?4, latency = ?5,"
                        " ended_at = iif(" MAY_END ", ?6, ended_at),"
                        " ended_by = iif(" MAY_END ", ?7, ended_by)"
                        " WHERE id = ?1",
                        "iiiisrsi", s->session->row, s->seen_at, s->calls, s->errors, latency.buf,
                        s->ended_at, s->ended_by, (int64_t)atomic_load(&s->session->returned));
    if (result == 0)
        result = write_usage(t, s, e) || write_minutes(t, s, e) ? -1 : 0;
    if (result == 0 && s->unlogged)
        result = write_unlogged(t, s->session, s->unlogged, e);
    return result;
}

/* Collects the rows of sessions whose process ended in `lost`. */
static int find_lost(struct txn *t, struct strbuf *lost, struct error *e)
{
    struct query rows =
        db_query(t->db, e, "SELECT id, uuid, process FROM session WHERE ended_at IS NULL", "");
    while (db_next(&rows)) {
        int64_t id = sqlite3_column_int64(rows.stmt, 0);
        const char *uuid = (const char *)sqlite3_column_text(rows.stmt, 1);
        if (uuid && !session_is_served(t->store, uuid, sqlite3_column_int64(rows.stmt, 2)))
            strbuf_add(lost, &id, sizeof(id));
    }
    return db_end(&rows);
}

/* Ends the sessions of killed processes. */
static int end_lost(struct txn *t, struct error *e)
{
    AUTO_STRBUF lost = STRBUF_INIT;
    int result = find_lost(t, &lost, e);
    for (size_t i = 0; result == 0 && i < lost.len; i += sizeof(int64_t)) {
        int64_t id;
        memcpy(&id, lost.buf + i, sizeof(id));
        result = db_run(t->db, e, "UPDATE session SET ended_at = seen_at WHERE id = ?", "i", id);
    }
    return result;
}

/* ---- calls ---- */

/*
 * Release SQLite's page cache after this many rows: each ref may have read another page, and the
 * writes do not need it.
 */
#define REFS_READ 128

static int write_pending(struct txn *t, const struct pending_row *g, int64_t purged_at,
                         struct error *e)
{
    if (session_find_row(t, g->session, e))
        return -1;
    const struct call_times *times = &g->times;
    struct call_entry entry = {.session = g->session->row,
                               .at = times->first,
                               .tool = g->tool,
                               .subject = g->subject,
                               .count = times->count,
                               .times = times->text.buf,
                               .guard = call_guard_is_empty(&g->guard) ? NULL : &g->guard};
    if (call_append(t, &entry, e))
        return -1;
    if ((!g->arguments && !g->error) || times->first <= purged_at)
        return 0;
    return db_run(t->db, e, "INSERT INTO failure(call, arguments, error) VALUES (?, ?, ?)", "iss",
                  t->calls.count, g->arguments, g->error);
}

#define PURGE_EVENTS 10000 /* more than are written between a call and its flush */

/* The time of the last purge; calls before it may hold what it erased. */
static int find_purge(struct txn *t, int64_t *at, struct error *e)
{
    return db_int(t->db, at, 0, e,
                  "SELECT max(at) FROM event WHERE operation = 'purge' AND seq > ?", "i",
                  t->last_seq - PURGE_EVENTS);
}

static int drop_old_failures(struct txn *t, struct error *e)
{
    return db_run(t->db, e,
                  "DELETE FROM failure WHERE call <= (SELECT call FROM failure ORDER BY call DESC"
                  " LIMIT 1 OFFSET ?)",
                  "i", (int64_t)FAILURES_KEPT);
}

static int call_log_write(struct txn *t, void *arg, struct error *e)
{
    const struct flush *f = arg;
    int64_t purged_at = 0;
    if (f->first && end_lost(t, e))
        return -1;
    if (f->batch && f->batch->failures && find_purge(t, &purged_at, e))
        return -1;
    for (size_t i = 0; i < f->snapshot_count; i++)
        if (write_snapshot(t, &f->snapshots[i], e))
            return -1;
    for (size_t i = 0; f->batch && i < f->batch->keys.count; i++)
        if (write_pending(t, &f->batch->calls[i], purged_at, e))
            return -1;
        else if (i % REFS_READ == REFS_READ - 1)
            sqlite3_db_release_memory(db_handle(t->db));
    return f->batch && f->batch->failures ? drop_old_failures(t, e) : 0;
}

/* ---- flushes ---- */

static void free_session(struct session *s)
{
    if (s->held)
        store_file_unlock_byte(&s->log->store->file, store_file_session_byte(s->uuid));
    session_free(s);
}

/*
 * Frees the sessions whose end is written. The writer runs jobs in order, so none of their jobs is
 * left.
 */
static void free_ended(struct call_log *l)
{
    for (struct session **at = &l->first; *at;) {
        struct session *s = *at;
        if (!s->recorded) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free_session(s);
    }
}

static void free_flush(struct flush *f)
{
    free_batch(f->batch);
    for (size_t i = 0; i < f->snapshot_count; i++)
        free(f->snapshots[i].usage), free(f->snapshots[i].minute);
    free(f->snapshots);
    free(f);
}

/* The end is written, unless the session returned since. */
static void note_recorded(const struct snapshot *s)
{
    s->session->recorded = s->ended_at && s->ended_at == s->session->ended_at;
}

/* Frees a flush that was committed. */
static void finish_flush(struct call_log *l)
{
    if (!l->flush || atomic_load_explicit(&l->state, memory_order_acquire) != FLUSH_DONE)
        return;
    for (size_t i = 0; i < l->flush->snapshot_count; i++)
        note_recorded(&l->flush->snapshots[i]);
    free_flush(l->flush);
    l->flush = NULL;
    l->flushed = true;
    l->failed.code = ERROR_NONE;
    free_ended(l);
}

static size_t count_changed(const struct call_log *l)
{
    size_t count = 0;
    for (const struct session *s = l->first; s; s = s->next)
        count += s->changed;
    return count;
}

static void take_snapshot(struct snapshot *out, struct session *s)
{
    *out = (struct snapshot){s,           s->seen_at,     s->calls,    s->errors,
                             s->ended_at, s->ended_by,    s->unlogged, s->latency,
                             s->usage,    s->usage_count, s->minute,   s->minute_count};
    s->usage = NULL;
    s->usage_count = s->usage_alloc = 0;
    s->minute = NULL;
    s->minute_count = s->minute_alloc = 0;
    s->unlogged = 0;
    s->changed = false;
    session_hold(s);
}

/* Starts a flush with the buffered calls and the changed sessions. */
static void start_flush(struct call_log *l)
{
    struct flush *f = xcalloc(1, sizeof(*f));
    f->log = l;
    f->first = !l->flushed;
    size_t left = count_changed(l);
    f->snapshot_count = left;
    f->snapshots = xcalloc(left + 1, sizeof(*f->snapshots));
    /* The list has the newest first, but rows are numbered in the order of start times. */
    for (struct session *s = l->first; s; s = s->next)
        if (s->changed)
            take_snapshot(&f->snapshots[--left], s);
    f->batch = l->batch;
    for (size_t i = 0; f->batch && i < f->batch->keys.count; i++)
        call_times_close(&f->batch->calls[i].times);
    l->batch = NULL;
    l->changed = false;
    l->flush = f;
    atomic_store(&l->state, FLUSH_WAITING);
}

/* Called in the writer's thread. A failed flush will be submitted again. */
static void on_flush_done(void *arg, const struct error *e)
{
    struct flush *f = arg;
    atomic_store_explicit(&f->log->state,
                          e->code == ERROR_NONE ? (int)FLUSH_DONE : (int)FLUSH_WAITING,
                          memory_order_release);
}

/* A read-only store: nothing is written, ended sessions are freed at once. */
static void drop_changes(struct call_log *l)
{
    for (struct session *s = l->first; s; s = s->next) {
        s->changed = false;
        s->recorded = s->ended_at != 0;
    }
    l->changed = false;
    free_ended(l);
}

size_t call_log_sessions(const struct call_log *l)
{
    size_t count = 0;
    for (const struct session *s = l->first; s; s = s->next)
        count += s->ended_at == 0;
    return count;
}

void call_log_set_deadline(struct call_log *l, int64_t until)
{
    if (until < l->until_most)
        l->until_most = until;
    if (until < atomic_load(&l->until))
        atomic_store(&l->until, until);
}

/* If it cannot be submitted, it is retried. */
static void submit(struct call_log *l)
{
    struct flush *f = l->flush;
    int64_t until = monotonic_ms() + WAIT_MS;
    atomic_store(&l->until, until < l->until_most ? until : l->until_most);
    atomic_store(&l->state, FLUSH_SUBMITTED);
    f->job = (struct store_job){.run = call_log_write,
                                .done = on_flush_done,
                                .arg = f,
                                .error = &f->error,
                                .until = &l->until};
    if (store_submit_list(l->store, &f->job, &f->error))
        atomic_store(&l->state, FLUSH_WAITING);
}

const struct error *call_log_failed(const struct call_log *l)
{
    return &l->failed;
}

void call_log_flush(struct call_log *l)
{
    if (!call_log_writes(l)) {
        drop_changes(l);
        return;
    }
    finish_flush(l);
    if (!l->flush && l->changed)
        start_flush(l);
    if (!l->flush || atomic_load(&l->state) != FLUSH_WAITING)
        return;
    if (l->flush->error.code != ERROR_NONE)
        l->failed = l->flush->error;
    l->next_flush = monotonic_ms() + FLUSH_MS;
    submit(l);
}

int call_log_due(const struct call_log *l)
{
    if (!l->flush && !l->changed)
        return -1;
    int state = l->flush ? atomic_load(&l->state) : (int)FLUSH_DONE;
    int64_t left = (l->flush ? l->next_flush : l->due) - monotonic_ms();
    if (left < 0 || (is_full(l->batch) && state != FLUSH_WAITING))
        left = 0;
    return state == FLUSH_SUBMITTED && left < RETRY_MS ? RETRY_MS : (int)left;
}

/* ---- closing ---- */

/* Ends at `until`. */
static void wait_for_flush(struct call_log *l)
{
    while (l->flush && atomic_load_explicit(&l->state, memory_order_acquire) == FLUSH_SUBMITTED)
        nanosleep(&(struct timespec){0, 200000}, NULL);
}

void call_log_close(struct call_log *l)
{
    if (!l)
        return;
    call_log_set_deadline(l, monotonic_ms() + WAIT_MS);
    for (struct session *s = l->first; s; s = s->next)
        if (!s->ended_at)
            session_end(s, ENDED_BY_SERVER);
    /* One flush may be running, one may wait for it, and a failed one is retried once. */
    for (int i = 0; call_log_writes(l) && i < 3; i++) {
        call_log_flush(l);
        wait_for_flush(l);
        finish_flush(l);
    }
    if (l->flush)
        free_flush(l->flush);
    free_batch(l->batch);
    while (l->first) {
        struct session *s = l->first;
        l->first = s->next;
        free_session(s);
    }
    free(l);
}
