/* Begins and ends sessions, tracks what they use, and applies what a person decided about them. */
#include "store/session/session_state.h"

#include <stdlib.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "model/policy/permission.h"
#include "store/journal/call_chain.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/txn/txn.h"

/* Columns: when it ended (0 if not), whether a person ended it, whether it is read-only. */
#define SESSION_DECIDED                                                                            \
    "iif(ended_by IS NULL, 0, ifnull(ended_at, 1)), " SESSION_BY_PERSON ", read_only"

#define NAME_MAX_CHARACTERS 200

/*
 * Cleans a text from a client: valid UTF-8, at most `most` code points, with an ellipsis if it was
 * cut. NULL if it is blank.
 */
static char *clean_text(const char *text, size_t most)
{
    struct strbuf sb = STRBUF_INIT;
    if (utf8_is_blank(text))
        return NULL;
    /* Each invalid byte becomes one code point, and a code point has at most four bytes. */
    size_t len = strnlen(text, 4 * most + 4);
    utf8_repair(&sb, text, len);
    size_t len_kept = utf8_prefix(sb.buf, most);
    if (len_kept < sb.len || text[len]) {
        strbuf_cut(&sb, utf8_prefix(sb.buf, most - 1));
        strbuf_addstr(&sb, "…");
    }
    return strbuf_detach(&sb, NULL);
}

static struct session *session_new(struct call_log *l, const struct session_start *start)
{
    struct session *s = xcalloc(1, sizeof(*s));
    s->log = l;
    s->client = clean_text(start->client, NAME_MAX_CHARACTERS);
    s->client_version = clean_text(start->client_version, NAME_MAX_CHARACTERS);
    s->claimed = clean_text(start->claimed, NAME_MAX_CHARACTERS);
    s->task = clean_text(start->task, TASK_NAME_MAX);
    s->era = clean_text(start->era, NAME_MAX_CHARACTERS);
    s->transport = clean_text(start->transport, NAME_MAX_CHARACTERS);
    s->actor = xstrdup(start->actor ? start->actor : AGENT_UNNAMED);
    pthread_mutex_init(&s->lock, NULL);
    atomic_init(&s->named, 0);
    s->peer_uid = start->peer_uid;
    s->peer_pid = start->peer_pid;
    s->started_at = s->seen_at = store_now(l->store);
    atomic_init(&s->ended, 0);
    atomic_init(&s->read_only, false);
    atomic_init(&s->returned, false);
    store_make_id(l->store, s->uuid);
    return s;
}

void session_free(struct session *s)
{
    char *texts[] = {s->actor,          s->claimed, s->task,     s->client,
                     s->client_version, s->era,     s->transport};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        free(texts[i]);
    FREE_ALL(s->past, s->usage, s->minute);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void session_hold(struct session *s)
{
    if (call_log_writes(s->log) && !s->held)
        s->held = store_file_lock_byte(&s->log->store->file, store_file_session_byte(s->uuid));
}

static void enlist(struct session *s)
{
    struct call_log *l = s->log;
    session_touch(s);
    s->next = l->first;
    l->first = s;
    session_hold(s);
}

struct session *session_begin(struct call_log *l, const struct session_start *start)
{
    struct session *s = session_new(l, start);
    enlist(s);
    return s;
}

/* Frees the old text and takes ownership of `value`. */
static void replace(char **text, char *value)
{
    free(*text);
    *text = value;
}

/* A name is never replaced: the calls made under it must not be attributed to another name. */
static bool is_new(const struct session *s, const char *name, const char *version)
{
    if (!name)
        return false;
    return !s->client || (same_text(s->client, name) && !same_text(s->client_version, version));
}

void session_update_client(struct session *s, const struct session_start *now)
{
    AUTO_FREE char *name = clean_text(now->client, NAME_MAX_CHARACTERS);
    AUTO_FREE char *number = clean_text(now->client_version, NAME_MAX_CHARACTERS);
    AUTO_FREE char *revision = clean_text(now->era, NAME_MAX_CHARACTERS);
    AUTO_FREE char *task = clean_text(now->task, TASK_NAME_MAX);
    bool name_changed = is_new(s, name, number), task_changed = task && !same_text(s->task, task);
    if (name_changed || task_changed || !same_text(s->era, revision)) {
        pthread_mutex_lock(&s->lock);
        if (name_changed) {
            replace(&s->client, name);
            replace(&s->client_version, number);
            name = number = NULL;
        }
        if (task_changed) {
            replace(&s->task, task);
            task = NULL;
        }
        replace(&s->era, revision);
        revision = NULL;
        atomic_fetch_add(&s->named, 1);
        pthread_mutex_unlock(&s->lock);
        session_touch(s);
    }
}

bool session_is_ended(const struct session *s)
{
    return atomic_load_explicit(&s->ended, memory_order_relaxed) != 0;
}

static void apply_row(struct session *s, sqlite3_stmt *stmt, int first)
{
    int64_t ended = sqlite3_column_int64(stmt, first);
    bool by_person = sqlite3_column_int(stmt, first + 1) != 0;
    if (!by_person && atomic_load(&s->returned))
        ended = 0;
    atomic_store(&s->ended, ended);
    atomic_store(&s->read_only, sqlite3_column_int(stmt, first + 2) != 0);
}

bool session_is_read_only(const struct session *s)
{
    return atomic_load_explicit(&s->read_only, memory_order_relaxed);
}

const char *session_claim(const struct session *s)
{
    if (s->claimed || strcmp(s->actor, AGENT_UNNAMED) != 0)
        return s->claimed;
    return s->client;
}

const char *session_uuid(const struct session *s)
{
    return s->uuid;
}

/* ---- the writer's thread ---- */

static int insert_row(struct txn *t, struct session *s, struct error *e)
{
    int64_t id = 0; /* the next one */
    if (t->team.member &&
        db_int(t->db, &id, 0, e,
               "SELECT coalesce(max(id), ?1) + 1 FROM session WHERE id > ?1 AND id < ?2", "ii",
               SESSION_FIRST(t->team.machine), SESSION_FIRST(t->team.machine + 1)))
        return -1;
    pthread_mutex_lock(&s->lock);
    int result = db_run(
        t->db, e,
        "INSERT INTO session(id, uuid, class, actor, agent, task, client, client_version, era,"
        " transport, peer_uid, peer_pid, process, started_at, seen_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1), ?, ?, ?)",
        "rsisssssssiiiii", id, s->uuid, (int64_t)ACTOR_AGENT, s->actor, s->claimed, s->task,
        s->client, s->client_version, s->era, s->transport ? s->transport : "", s->peer_uid,
        s->peer_pid, (int64_t)getpid(), s->started_at, s->started_at);
    pthread_mutex_unlock(&s->lock);
    return result;
}

static int make_row(struct txn *t, struct session *s, struct error *e)
{
    if (insert_row(t, s, e))
        return -1;
    s->row = sqlite3_last_insert_rowid(db_handle(t->db));
    return call_append_session(t, CALL_SESSION, s->row, s->started_at, e);
}

static bool column_is(sqlite3_stmt *stmt, int column, const char *text)
{
    return same_text((const char *)sqlite3_column_text(stmt, column), text);
}

enum {
    ROW,
    DECIDED,
    ACTOR = DECIDED + 3,
    CLIENT,
    VERSION,
    ERA,
    TASK,
    PROCESS
};

/* True if the row has the current names of the client and this process. */
static bool is_named(sqlite3_stmt *stmt, struct session *s)
{
    pthread_mutex_lock(&s->lock);
    bool same = column_is(stmt, ACTOR, s->actor) && column_is(stmt, CLIENT, s->client) &&
                column_is(stmt, VERSION, s->client_version) && column_is(stmt, ERA, s->era) &&
                column_is(stmt, TASK, s->task) && sqlite3_column_int64(stmt, PROCESS) == getpid();
    pthread_mutex_unlock(&s->lock);
    return same;
}

static int update_names(struct txn *t, struct session *s, struct error *e)
{
    pthread_mutex_lock(&s->lock);
    int result = db_run(t->db, e,
                        "UPDATE session SET actor = ?2, client = ?3, client_version = ?4, era = ?5,"
                        " task = ?6, process = ?7 WHERE id = ?1",
                        "isssssi", s->row, s->actor, s->client, s->client_version, s->era, s->task,
                        (int64_t)getpid());
    pthread_mutex_unlock(&s->lock);
    return result ? -1 : call_append_session(t, CALL_NAMED, s->row, t->now, e);
}

int session_find_row(struct txn *t, struct session *s, struct error *e)
{
    unsigned named = atomic_load(&s->named);
    if (s->generation == t->generation && s->written == named)
        return 0;
    sqlite3_stmt *stmt = db_prepare(t->db,
                                    "SELECT id, " SESSION_DECIDED ", actor, client,"
                                    " client_version, era, task, process FROM session"
                                    " WHERE uuid = ?",
                                    e);
    int found = stmt ? db_bind(t->db, stmt, e, "s", s->uuid) : -1;
    if (found < 0 || (!found && make_row(t, s, e)))
        return -1;
    bool known = true;
    if (found) {
        s->row = sqlite3_column_int64(stmt, ROW);
        apply_row(s, stmt, DECIDED);
        known = is_named(stmt, s);
    }
    sqlite3_reset(stmt);
    if (!known && update_names(t, s, e))
        return -1;
    s->generation = t->generation;
    s->written = named;
    return 0;
}

int session_admit(struct txn *t, struct session *s, int64_t *row, struct error *e)
{
    if (session_find_row(t, s, e))
        return -1;
    *row = s->row;
    if (session_is_ended(s))
        return error_set(e, ERROR_REFUSED, "Begin another one.", "this session was ended");
    if (session_is_read_only(s))
        return error_set(e, ERROR_REFUSED, "Ask a person to allow it to write again.",
                         "this session may only read");
    return 0;
}

/* ---- what it has used, for its client ---- */

#define PAST_FIRST 16

void session_add_bytes(struct session *s, size_t bytes)
{
    s->bytes += (int64_t)bytes;
}

void usage_add(struct usage *sum, const struct usage *more)
{
    sum->answers += more->answers;
    sum->failures += more->failures;
    sum->bytes += more->bytes;
    sum->full_bytes += more->full_bytes;
    latency_merge(&sum->latency, &more->latency);
}

/* A server has a few dozen names, which are constants. */
void session_use(struct session *s, const struct usage *more)
{
    size_t i = 0;
    while (i < s->usage_count && strcmp(s->usage[i].tool, more->tool) != 0)
        i++;
    if (i == s->usage_count)
        *ARRAY_ADD(s->usage, s->usage_count, s->usage_alloc) = (struct usage){.tool = more->tool};
    usage_add(&s->usage[i], more);
}

/* Calls come in the order of time, but for those whose clock was set back: the last few are looked at. */
void session_count_minute(struct session *s, const struct call_minute *more)
{
    size_t i = s->minute_count;
    while (i > 0 && s->minute[i - 1].at != more->at)
        i--;
    if (i == 0)
        *ARRAY_ADD(s->minute, s->minute_count, s->minute_alloc) =
            (struct call_minute){.at = more->at};
    struct call_minute *m = &s->minute[i == 0 ? s->minute_count - 1 : i - 1];
    m->calls += more->calls;
    m->failures += more->failures;
    latency_merge(&m->latency, &more->latency);
}

void session_answered(struct session *s, const char *method, size_t bytes)
{
    struct usage one = {.tool = method, .answers = 1};
    one.bytes = one.full_bytes = (int64_t)bytes;
    session_use(s, &one);
    session_touch(s);
}

void session_set_cost(struct session *s, double usd)
{
    s->usd = usd;
}

static size_t past_count(const struct session *s)
{
    return s->tool_calls < (int64_t)s->past_alloc ? (size_t)s->tool_calls : s->past_alloc;
}

/* The ring grows to SESSION_PAST_MAX; then the newest call replaces the oldest. */
void session_remember(struct session *s, const struct call_note *note)
{
    if (s->tool_calls == (int64_t)s->past_alloc && s->past_alloc < SESSION_PAST_MAX) {
        size_t more = s->past_alloc ? 2 * s->past_alloc : PAST_FIRST;
        more = more < SESSION_PAST_MAX ? more : SESSION_PAST_MAX;
        s->past = xrealloc(s->past, more * sizeof(*s->past));
        s->past_alloc = more;
    }
    s->past[s->tool_calls % (int64_t)s->past_alloc] =
        (struct past_call){note->tool, note->at, note->outcome};
    s->tool_calls++;
}

struct session_use session_get_use(const struct session *s)
{
    return (struct session_use){.started_at = s->started_at,
                                .bytes = s->bytes,
                                .usd = s->usd,
                                .calls = s->tool_calls,
                                .kept = past_count(s)};
}

struct past_call session_past(const struct session *s, size_t i)
{
    size_t first = (size_t)(s->tool_calls - (int64_t)past_count(s));
    return s->past[(first + i) % s->past_alloc];
}

/* ---- decisions of a person, in the serving process ---- */

#define DECISIONS  "SELECT max(seq) FROM event WHERE subject IS NULL AND seq > ?"
#define DECIDED_OF "SELECT " SESSION_DECIDED " FROM session WHERE uuid = ?"

static int apply_decision(struct db *db, struct session *s, struct error *e)
{
    struct query found = db_query(db, e, DECIDED_OF, "s", s->uuid);
    if (db_next(&found))
        apply_row(s, found.stmt, 0);
    return db_end(&found);
}

int session_apply_decision(struct session *s, struct reader *r, struct error *e)
{
    return call_log_writes(s->log) ? apply_decision(reader_db(r), s, e) : 0;
}

/*
 * Decisions are events without a memory, which an index finds: without a new one the sessions are
 * not read.
 */
int call_log_apply_decisions(struct call_log *l, struct reader *r, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t last;
    if (!call_log_writes(l) || !l->first)
        return 0;
    if (db_int(db, &last, 0, e, DECISIONS, "i", l->last_decision))
        return -1;
    if (last <= l->last_decision)
        return 0;
    for (struct session *s = l->first; s; s = s->next)
        if (!s->ended_at && apply_decision(db, s, e))
            return -1;
    l->last_decision = last;
    return 0;
}

/* ---- returning sessions ---- */

/*
 * The last session of that client that a person decided about. The index contains only such
 * sessions.
 */
#define LAST_HELD                                                                                  \
    "SELECT uuid, started_at, seen_at, calls, errors, latency, task, " SESSION_DECIDED             \
    " FROM session INDEXED BY session_decided WHERE client IS ?1 AND agent IS ?2 AND actor = ?8"   \
    " AND client_version IS ?3 AND era IS ?4 AND transport = ?5 AND ifnull(peer_uid, -1) = ?6"     \
    " AND ifnull(peer_pid, -1) = ?7 AND (" SESSION_HELD ") ORDER BY id DESC LIMIT 1"

enum held_column {
    HELD_UUID,
    HELD_STARTED,
    HELD_SEEN,
    HELD_CALLS,
    HELD_ERRORS,
    HELD_LATENCY,
    HELD_TASK,
    HELD_ENDED,
    HELD_BY_PERSON
};

/*
 * An end holds for SESSION_REFUSED_MS, also if the clock was set back. Read-only holds until a
 * person lifts it.
 */
static bool still_holds(const struct call_log *l, sqlite3_stmt *stmt)
{
    int64_t ago = store_now(l->store) - sqlite3_column_int64(stmt, HELD_ENDED);
    if (sqlite3_column_int(stmt, HELD_BY_PERSON))
        return ago > -SESSION_REFUSED_MS && ago < SESSION_REFUSED_MS;
    return true;
}

static struct session *find_here(const struct call_log *l, const char *uuid)
{
    struct session *s = l->first;
    while (s && strcmp(s->uuid, uuid) != 0)
        s = s->next;
    return s;
}

/* Continues the session of the row. */
static void copy_earlier(struct session *s, sqlite3_stmt *stmt)
{
    snprintf(s->uuid, sizeof(s->uuid), "%s", (const char *)sqlite3_column_text(stmt, HELD_UUID));
    s->started_at = sqlite3_column_int64(stmt, HELD_STARTED);
    s->seen_at = sqlite3_column_int64(stmt, HELD_SEEN);
    s->calls = sqlite3_column_int64(stmt, HELD_CALLS);
    s->errors = sqlite3_column_int64(stmt, HELD_ERRORS);
    /* An altered latency is used as far as it can be read. */
    latency_read(&s->latency, (const char *)sqlite3_column_text(stmt, HELD_LATENCY));
    if (!s->task && sqlite3_column_type(stmt, HELD_TASK) != SQLITE_NULL)
        s->task = xstrdup((const char *)sqlite3_column_text(stmt, HELD_TASK));
}

/*
 * Returns the earlier session of the client of `s`, from its row; NULL if none can continue.
 * Another process may still serve it, for example one that is about to end or listens at another
 * port: then both update the row, and the last one determines the counts.
 */
static struct session *continue_earlier(struct session *s, sqlite3_stmt *stmt)
{
    const char *uuid = (const char *)sqlite3_column_text(stmt, HELD_UUID);
    struct session *had = uuid ? find_here(s->log, uuid) : NULL;
    if (!uuid || !still_holds(s->log, stmt) || (had && had->ended_at == 0))
        return NULL;
    if (!had) {
        copy_earlier(s, stmt);
        had = s;
    }
    atomic_store(&had->returned, true);
    apply_row(had, stmt, HELD_ENDED);
    return had;
}

struct session *session_return(struct call_log *l, struct reader *r,
                               const struct session_start *start)
{
    struct error ignored;
    struct session *s = session_new(l, start), *had = NULL;
    if (call_log_writes(l)) {
        struct query found = db_query(
            reader_db(r), &ignored, LAST_HELD, "sssssiis", s->client, s->claimed, s->client_version,
            s->era, s->transport ? s->transport : "", s->peer_uid, s->peer_pid, s->actor);
        if (db_next(&found))
            had = continue_earlier(s, found.stmt);
        db_end(&found);
    }
    if (!had || had == s) {
        enlist(s);
        return s;
    }
    session_free(s);
    had->ended_at = 0;
    had->ended_by = NULL;
    session_touch(had);
    return had;
}
