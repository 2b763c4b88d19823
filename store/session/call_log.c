/* Gathers calls in the loop's thread and writes them in the writer's; the calls of a row by how they ended. */
#include "store/session/session.h"

#include <stdlib.h>
#include <time.h>
#include "model/base/array.h"
#include "model/policy/permission.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/journal/call_chain.h"
#include "store/journal/canonical.h"
#include "store/session/session_state.h"
#include "store/txn/txn.h"

#define CALL_UNLOGGED "(not logged)" /* calls for which there was no room: only how many */

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

bool call_outcome_is_error(enum error_code code)
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

#define FLUSH_MS 1000 /* between two flushes */
#define FIRST_MS 50   /* from what happens after a rest to its flush */
#define WAIT_MS                                                                                    \
    1000 /* that a flush waits for other programs, and with it all that is written after it */
#define RETRY_MS 20 /* a full one looks again whether the flush before it arrived */

struct call_log *call_log_open(struct store *s)
{
    struct call_log *l = xcalloc(1, sizeof(*l));
    l->store = s;
    atomic_init(&l->state, FLIGHT_WAITING);
    atomic_init(&l->until, 0);
    l->until_most = INT64_MAX;
    l->failed.code = ERROR_NONE;
    return l;
}

bool call_log_writes(const struct call_log *l)
{
    return !store_is_read_only(l->store);
}

/* ---- gathering ---- */

static void free_gather(struct gather *g)
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

/* What makes two calls equal. What is summed is summed over one outcome: what an answer had masked is not said of a
 * refusal. */
static void write_key(struct gather *g, const struct session *s, const struct call_note *note,
                      const struct call_guard *guard)
{
    struct call_guard names = *guard;
    struct strbuf *key = &g->key;
    strbuf_clear(key);
    strbuf_add(key, (const char *)&g->full, sizeof(g->full));
    strbuf_add(key, (const char *)&s, sizeof(s));
    strbuf_add(key, (const char *)&note->tool, sizeof(note->tool));
    strbuf_add(key, (const char *)&note->subject, sizeof(note->subject));
    if (call_guard_is_empty(guard))
        return;
    names.redactions = 0;
    names.spans = (struct call_spans){0};
    strbuf_addf(key, "%d", (int)note->outcome);
    canonical_guard_write(key, &names);
}

/* The row that the call shares, made where there is none; NULL: there is no room. */
static struct gathered *row_of(struct gather *g, struct session *s, const struct call_note *note)
{
    struct call_guard guard = guard_of(note);
    write_key(g, s, note, &guard);
    size_t at = key_index_find(&g->keys, g->key.buf, g->key.len);
    if (at != ROW_NONE && g->calls[at].times.count == CALL_TIMES_MAX) {
        g->full++;
        write_key(g, s, note, &guard);
        at = ROW_NONE;
    }
    if (at == ROW_NONE) {
        if (g->keys.count == GATHER_MOST)
            return NULL;
        ARRAY_ROOM(g->calls, g->keys.count, g->alloc, 1);
        at = key_index_add(&g->keys, g->key.buf, g->key.len);
        g->calls[at] =
            (struct gathered){.session = s,
                              .tool = note->tool,
                              .subject = note->subject,
                              .guard = {.namespace_ = arena_strdup(&g->texts, guard.namespace_),
                                        .agent = arena_strdup(&g->texts, guard.agent),
                                        .task = arena_strdup(&g->texts, guard.task),
                                        .traceparent = arena_strdup(&g->texts, guard.traceparent)}};
        call_times_init(&g->calls[at].times);
    }
    call_guard_sum(&g->calls[at].guard, &guard);
    return &g->calls[at];
}

static size_t bytes_of(const struct gather *g)
{
    return g->bytes + g->texts.used;
}

static void gather(struct call_log *l, struct session *s, const struct call_note *note)
{
    if (!l->gather) {
        l->gather = xcalloc(1, sizeof(*l->gather));
        strbuf_init(&l->gather->key);
    }
    struct gather *g = l->gather;
    struct gathered *row = bytes_of(g) < TIMES_MOST ? row_of(g, s, note) : NULL;
    if (!row) {
        s->unlogged++;
        return;
    }
    g->bytes -= row->times.text.alloc;
    call_times_add(&row->times, note->at, note->outcome);
    g->bytes += row->times.text.alloc;
}

static bool is_full(const struct gather *g)
{
    return g && (g->keys.count >= GATHER_SOON || bytes_of(g) >= TIMES_SOON);
}

/* The first of them after a rest is written soon, so that whoever watches sees it; then they gather. */
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
    s->errors += call_outcome_is_error(note->outcome);
    if (note->at > s->seen_at)
        s->seen_at = note->at;
    latency_add(&s->latency, note->took_us);
    if (note->is_tool)
        session_remember(s, note);
    session_touch(s);
    if (call_log_writes(l) && (note->namespace_ || !note->wrote || note->outcome != ERROR_NONE))
        gather(l, s, note);
}

void session_end(struct session *s, enum session_ender by)
{
    s->ended_at = store_now(s->log->store);
    s->ended_by = by == ENDED_BY_CLIENT ? "client" : "server";
    session_touch(s);
}

/* ---- a flush, in the writer's thread ---- */

/* What there was no room for is told by how many calls there were, at the time of the flush. */
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

#define PASSED "ended_by IS NULL OR (NOT " SESSION_BY_PERSON " AND ?8)"
/* What a person decided stands; that somebody took a session for gone does not, for it is here, and nor does the
 * end that it came back from. */
static int write_snapshot(struct txn *t, const struct snapshot *s, struct error *e)
{
    struct strbuf latency = STRBUF_INIT;
    if (session_find_row(t, s->session, e))
        return -1;
    latency_write(&latency, &s->latency);
    int result = db_run(t->db, e,
                        "UPDATE session SET seen_at = ?2, calls = ?3, errors = ?4, latency = ?5,"
                        " ended_at = iif(" PASSED ", ?6, ended_at),"
                        " ended_by = iif(" PASSED ", ?7, ended_by)"
                        " WHERE id = ?1",
                        "iiiisrsi", s->session->row, s->seen_at, s->calls, s->errors, latency.buf,
                        s->ended_at, s->ended_by, (int64_t)atomic_load(&s->session->returned));
    strbuf_release(&latency);
    if (result == 0 && s->unlogged)
        result = write_unlogged(t, s->session, s->unlogged, e);
    return result;
}

/* The rows of sessions whose process is gone, in `lost`. */
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

/* Ends the sessions that a process left behind when it was killed; nobody said that they ended. */
static int end_lost(struct txn *t, struct error *e)
{
    struct strbuf lost = STRBUF_INIT;
    int result = find_lost(t, &lost, e);
    for (size_t i = 0; result == 0 && i < lost.len; i += sizeof(int64_t)) {
        int64_t id;
        memcpy(&id, lost.buf + i, sizeof(id));
        result = db_run(t->db, e, "UPDATE session SET ended_at = seen_at WHERE id = ?", "i", id);
    }
    strbuf_release(&lost);
    return result;
}

/* ---- calls ---- */

/* So many refs may be read before their pages are given back, each of which holds one of them: writes need none. */
#define REFS_READ 128

static int write_gathered(struct txn *t, const struct gathered *g, struct error *e)
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
    return call_append(t, &entry, e);
}

static int call_log_write(struct txn *t, void *arg, struct error *e)
{
    const struct flight *f = arg;
    if (f->first && end_lost(t, e))
        return -1;
    for (size_t i = 0; i < f->snapshot_count; i++)
        if (write_snapshot(t, &f->snapshots[i], e))
            return -1;
    for (size_t i = 0; f->gather && i < f->gather->keys.count; i++)
        if (write_gathered(t, &f->gather->calls[i], e))
            return -1;
        else if (i % REFS_READ == REFS_READ - 1)
            sqlite3_db_release_memory(db_handle(t->db));
    return 0;
}

/* ---- flights ---- */

static void free_session(struct session *s)
{
    if (s->held)
        store_file_unlock_byte(&s->log->store->file, store_file_session_byte(s->uuid));
    session_free(s);
}

/* Forgets the sessions whose end is recorded: the writer takes jobs in their order, so it has none of
 * theirs left. */
static void forget_ended(struct call_log *l)
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

static void free_flight(struct flight *f)
{
    free_gather(f->gather);
    free(f->snapshots);
    free(f);
}

/* Is its end written down? Not that of one which came back since. */
static void note_recorded(const struct snapshot *s)
{
    s->session->recorded = s->ended_at && s->ended_at == s->session->ended_at;
}

/* Takes back a flight that arrived. */
static void land(struct call_log *l)
{
    if (!l->flight || atomic_load_explicit(&l->state, memory_order_acquire) != FLIGHT_DONE)
        return;
    for (size_t i = 0; i < l->flight->snapshot_count; i++)
        note_recorded(&l->flight->snapshots[i]);
    free_flight(l->flight);
    l->flight = NULL;
    l->flew = true;
    l->failed.code = ERROR_NONE;
    forget_ended(l);
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
    *out = (struct snapshot){s,           s->seen_at,  s->calls,    s->errors,
                             s->ended_at, s->ended_by, s->unlogged, s->latency};
    s->unlogged = 0;
    s->changed = false;
    session_hold(s);
}

/* Hands over what was gathered; from here on the next is. */
static void pack(struct call_log *l)
{
    struct flight *f = xcalloc(1, sizeof(*f));
    f->log = l;
    f->first = !l->flew;
    size_t left = count_changed(l);
    f->snapshot_count = left;
    f->snapshots = xcalloc(left + 1, sizeof(*f->snapshots));
    /* The newest stands first, and rows are to be numbered as the sessions began. */
    for (struct session *s = l->first; s; s = s->next)
        if (s->changed)
            take_snapshot(&f->snapshots[--left], s);
    f->gather = l->gather;
    for (size_t i = 0; f->gather && i < f->gather->keys.count; i++)
        call_times_close(&f->gather->calls[i].times);
    l->gather = NULL;
    l->changed = false;
    l->flight = f;
    atomic_store(&l->state, FLIGHT_WAITING);
}

/* In the writer's thread. One that failed waits to be submitted again. */
static void arrive(void *arg, const struct error *e)
{
    struct flight *f = arg;
    atomic_store_explicit(&f->log->state,
                          e->code == ERROR_NONE ? (int)FLIGHT_DONE : (int)FLIGHT_WAITING,
                          memory_order_release);
}

/* A store that is only read has nothing to write: what ended is forgotten at once. */
static void forget_unwritten(struct call_log *l)
{
    for (struct session *s = l->first; s; s = s->next) {
        s->changed = false;
        s->recorded = s->ended_at != 0;
    }
    l->changed = false;
    forget_ended(l);
}

size_t call_log_sessions(const struct call_log *l)
{
    size_t count = 0;
    for (const struct session *s = l->first; s; s = s->next)
        count += s->ended_at == 0;
    return count;
}

void call_log_hurry(struct call_log *l, int64_t until)
{
    if (until < l->until_most)
        l->until_most = until;
    if (until < atomic_load(&l->until))
        atomic_store(&l->until, until);
}

/* Where it cannot be submitted it is tried again. */
static void submit(struct call_log *l)
{
    struct flight *f = l->flight;
    int64_t until = monotonic_ms() + WAIT_MS;
    atomic_store(&l->until, until < l->until_most ? until : l->until_most);
    atomic_store(&l->state, FLIGHT_UP);
    f->job = (struct store_job){
        .run = call_log_write, .done = arrive, .arg = f, .error = &f->error, .until = &l->until};
    if (store_submit_list(l->store, &f->job, &f->error))
        atomic_store(&l->state, FLIGHT_WAITING);
}

const struct error *call_log_failed(const struct call_log *l)
{
    return &l->failed;
}

void call_log_flush(struct call_log *l)
{
    if (!call_log_writes(l)) {
        forget_unwritten(l);
        return;
    }
    land(l);
    if (!l->flight && l->changed)
        pack(l);
    if (!l->flight || atomic_load(&l->state) != FLIGHT_WAITING)
        return;
    if (l->flight->error.code != ERROR_NONE)
        l->failed = l->flight->error;
    l->next_flush = monotonic_ms() + FLUSH_MS;
    submit(l);
}

int call_log_due(const struct call_log *l)
{
    if (!l->flight && !l->changed)
        return -1;
    int state = l->flight ? atomic_load(&l->state) : (int)FLIGHT_DONE;
    int64_t left = (l->flight ? l->next_flush : l->due) - monotonic_ms();
    if (left < 0 || (is_full(l->gather) && state != FLIGHT_WAITING))
        left = 0;
    return state == FLIGHT_UP && left < RETRY_MS ? RETRY_MS : (int)left;
}

/* ---- closing ---- */

/* It gives up by itself where it cannot get on. */
static void wait_for_flight(struct call_log *l)
{
    while (l->flight && atomic_load_explicit(&l->state, memory_order_acquire) == FLIGHT_UP)
        nanosleep(&(struct timespec){0, 200000}, NULL);
}

void call_log_close(struct call_log *l)
{
    if (!l)
        return;
    call_log_hurry(l, monotonic_ms() + WAIT_MS);
    for (struct session *s = l->first; s; s = s->next)
        if (!s->ended_at)
            session_end(s, ENDED_BY_SERVER);
    /* One may be under way, and one has waited for it; one that fails is tried once more. */
    for (int i = 0; call_log_writes(l) && i < 3; i++) {
        call_log_flush(l);
        wait_for_flight(l);
        land(l);
    }
    if (l->flight)
        free_flight(l->flight);
    free_gather(l->gather);
    while (l->first) {
        struct session *s = l->first;
        l->first = s->next;
        free_session(s);
    }
    free(l);
}
