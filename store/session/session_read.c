/* Lists sessions, reads the call log, and executes a person's decisions about a session. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/policy/permission.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/journal/call_chain.h"
#include "store/journal/canonical.h"
#include "store/journal/journal.h"
#include "store/session/session_state.h"

/* A read-only session whose client may return. */
#define SESSION_AWAY "(read_only = 1 AND " SESSION_RETURNS " AND NOT " SESSION_BY_PERSON ")"

#define UUID_PREFIX_MIN 4

#define COLUMNS                                                                                    \
    "SELECT id, uuid, actor, agent, task, client, client_version, era, transport,"                 \
    " ifnull(peer_uid, -1), ifnull(peer_pid, -1), ifnull(process, -1), started_at, seen_at,"       \
    " ended_at, ended_by, read_only, calls, errors, latency, " SESSION_AWAY ","                    \
    " ifnull((SELECT sum(u.bytes) FROM usage u WHERE u.session = session.id), -1),"                \
    " ifnull((SELECT sum(u.full_bytes) FROM usage u WHERE u.session = session.id), -1),"           \
    " (SELECT m.name FROM machine m, team t WHERE m.number = session.id >> 32"                     \
    " AND m.number <> t.machine),"                                                                 \
    " (SELECT m.seen_at FROM machine m WHERE m.number = session.id >> 32) FROM session "

/* A machine of the team that was heard of within this time still serves its sessions. */
#define MACHINE_LIVES_MS 30000

/* If the system has no such locks, checks whether the process exists. */
bool session_is_served(struct store *s, const char *uuid, int64_t process)
{
    int held = store_file_is_locked(&s->file, store_file_session_byte(uuid));
    if (held >= 0)
        return held;
    return process > 0 && (kill((pid_t)process, 0) == 0 || errno == EPERM);
}

const char *session_claimed(const struct session_row *s)
{
    if (s->agent && !same_text(s->agent, s->actor))
        return s->agent;
    return same_text(s->actor, AGENT_UNNAMED) ? s->client : NULL;
}

static struct session_row read_row(struct arena *a, sqlite3_stmt *stmt, struct store *s)
{
    struct session_row out = {
        .id = sqlite3_column_int64(stmt, 0),
        .uuid = column_utf8(a, stmt, 1),
        .actor = column_utf8(a, stmt, 2),
        .agent = column_utf8(a, stmt, 3),
        .task = column_utf8(a, stmt, 4),
        .client = column_utf8(a, stmt, 5),
        .client_version = column_utf8(a, stmt, 6),
        .era = column_utf8(a, stmt, 7),
        .transport = column_utf8(a, stmt, 8),
        .peer_uid = sqlite3_column_int64(stmt, 9),
        .peer_pid = sqlite3_column_int64(stmt, 10),
        .process = sqlite3_column_int64(stmt, 11),
        .started_at = sqlite3_column_int64(stmt, 12),
        .seen_at = sqlite3_column_int64(stmt, 13),
        .ended_at = sqlite3_column_int64(stmt, 14),
        .ended_by = column_utf8(a, stmt, 15),
        .read_only = sqlite3_column_int(stmt, 16) != 0,
        .calls = sqlite3_column_int64(stmt, 17),
        .errors = sqlite3_column_int64(stmt, 18),
        .bytes = sqlite3_column_int64(stmt, 21),
        .full_bytes = sqlite3_column_int64(stmt, 22),
    };
    out.label = agent_label(a, out.actor, session_claimed(&out));
    /* An altered latency is shown as far as it can be read. */
    latency_read(&out.latency, (const char *)sqlite3_column_text(stmt, 19));
    bool ended = sqlite3_column_type(stmt, 14) != SQLITE_NULL;
    out.machine = column_utf8(a, stmt, 23);
    if (out.machine)
        out.lives = !ended && store_now(s) - sqlite3_column_int64(stmt, 24) < MACHINE_LIVES_MS;
    else
        out.lives = !ended && out.uuid && session_is_served(s, out.uuid, out.process);
    out.away = !out.lives && sqlite3_column_int(stmt, 20) != 0;
    if (!out.lives && !out.ended_by)
        out.ended_by = "lost";
    if (!out.lives && !ended)
        out.ended_at = out.seen_at;
    return out;
}

#define NEWEST_FIRST "ORDER BY started_at DESC, id DESC"
#define BEGAN_BEFORE                                                                               \
    "(?1 = 0 OR (started_at, id) < (SELECT started_at, id FROM session WHERE id = ?1)) "

static bool is_wanted(const struct session_row *row, enum session_which which)
{
    return which == SESSIONS_LIVING ? row->lives : which != SESSIONS_AWAY || row->away;
}

int session_list(struct reader *r, struct arena *arena, enum session_which which, int64_t before,
                 size_t limit, struct session_row **out, size_t *count, struct error *e)
{
    static const char *const statements[] = {
        [SESSIONS_BY_ROW] = COLUMNS "WHERE id < ? ORDER BY id DESC",
        [SESSIONS_ALL] = COLUMNS "WHERE " BEGAN_BEFORE NEWEST_FIRST,
        [SESSIONS_LIVING] = COLUMNS "WHERE " BEGAN_BEFORE "AND ended_at IS NULL " NEWEST_FIRST,
        [SESSIONS_AWAY] = COLUMNS "INDEXED BY session_decided WHERE " BEGAN_BEFORE
                                  "AND (" SESSION_HELD ") AND " SESSION_AWAY " " NEWEST_FIRST,
    };
    AUTO_FREE struct session_row *rows = NULL;
    size_t alloc = 0;
    struct query found = db_query(reader_db(r), e, statements[which], "i", before);
    *count = 0;
    while ((!limit || *count < limit) && db_next(&found)) {
        ARRAY_ROOM(rows, *count, alloc, 1);
        rows[*count] = read_row(arena, found.stmt, reader_store(r));
        *count += is_wanted(&rows[*count], which);
    }
    *out = arena_memdup(arena, rows, *count * sizeof(*rows));
    return db_end(&found);
}

int session_agents(struct reader *r, struct arena *arena, const char ***out, size_t *count,
                   struct error *e)
{
    static const char names[] = "SELECT DISTINCT actor FROM session ORDER BY 1";
    return column_texts(arena, db_query(reader_db(r), e, names, ""), out, count);
}

/* ---- one session ---- */

static bool is_number(const char *text, int64_t *out)
{
    *out = 0;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || *out > (INT64_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (*p - '0');
    }
    return *text != '\0';
}

/* True if it can be the beginning of a uuid; `prefix` gets it in lower case. */
static bool is_prefix(const char *text, char prefix[37])
{
    size_t len = strlen(text);
    if (len < UUID_PREFIX_MIN || len > 36)
        return false;
    for (size_t i = 0; i <= len; i++)
        prefix[i] = (char)tolower((unsigned char)text[i]);
    return strspn(prefix, "0123456789abcdef-") == len;
}

/* Returns the row of the session, or -1 with `e`. */
static int64_t resolve(struct db *db, const char *text, struct error *e)
{
    int64_t id, found = 0, last = 0;
    char prefix[37];
    if (!*text)
        return error_set(e, ERROR_INVALID, "Give its number, or the beginning of its uuid.",
                         "no session is named");
    if (is_number(text, &id) &&
        db_int(db, &found, 0, e, "SELECT id FROM session WHERE id = ?", "i", id))
        return -1;
    if (found)
        return found;
    if (is_prefix(text, prefix)) {
        /* 'g' sorts after every hexadecimal digit. */
        if (db_int(db, &found, 0, e,
                   "SELECT min(id) FROM session WHERE uuid >= ?1 AND uuid < ?1 || 'g'", "s",
                   prefix) ||
            db_int(db, &last, 0, e,
                   "SELECT max(id) FROM session WHERE uuid >= ?1 AND uuid < ?1 || 'g'", "s",
                   prefix))
            return -1;
        if (found != last)
            return error_set(e, ERROR_INVALID, "Give more of it, or its number.",
                             "more than one session begins with %s", text);
    }
    if (!found)
        return error_set(e, ERROR_NOT_FOUND, "stemma sessions --all lists them.",
                         "there is no session %s", text);
    return found;
}

int session_read(struct reader *r, struct arena *arena, int64_t id, struct session_row *out,
                 struct error *e)
{
    struct query found = db_query(reader_db(r), e, COLUMNS "WHERE id = ?", "i", id);
    if (db_next(&found)) {
        *out = read_row(arena, found.stmt, reader_store(r));
        return db_end(&found);
    }
    return db_end(&found) ? -1
                          : error_set(e, ERROR_NOT_FOUND, "stemma sessions --all lists them.",
                                      "there is no session %lld", (long long)id);
}

int session_find(struct reader *r, struct arena *arena, const char *text, struct session_row *out,
                 struct error *e)
{
    int64_t id = resolve(reader_db(r), text, e);
    return id < 0 ? -1 : session_read(r, arena, id, out, e);
}

/* ---- the call log ---- */

static struct call_row read_call(struct arena *a, sqlite3_stmt *stmt)
{
    struct call_row out = {
        .id = sqlite3_column_int64(stmt, 0),
        .session = sqlite3_column_int64(stmt, 1),
        .tool = column_utf8(a, stmt, 2),
        .subject = sqlite3_column_int64(stmt, 3),
    };
    int kind = column_enum(stmt, 5, KIND_COUNT);
    const char *id = column_utf8(a, stmt, 6), *guard = column_utf8(a, stmt, 7);
    if (kind >= 0 && id)
        out.ref = (struct ref){(enum kind)kind, id};
    /* An altered row is shown without its times; fsck reports it. */
    if (call_times_read(column_utf8(a, stmt, 4), a, &out.at, &out.outcome, &out.count))
        out.count = 0;
    if (guard)
        canonical_guard_read(&out.guard, a, guard, strlen(guard));
    out.arguments = column_utf8(a, stmt, 8);
    out.error = column_utf8(a, stmt, 9);
    return out;
}

int call_list(struct reader *r, struct arena *arena, int64_t after, size_t limit,
              struct call_row **out, size_t *count, struct error *e)
{
    AUTO_FREE struct call_row *rows = NULL;
    size_t alloc = 0;
    struct query found =
        db_query(reader_db(r), e,
                 "SELECT c.id, c.session, c.tool, c.subject, c.times, m.kind, m.name, c.guard,"
                 " f.arguments, f.error FROM call c"
                 " LEFT JOIN main.memory m ON m.id = c.subject"
                 " LEFT JOIN failure f ON f.call = c.id WHERE c.id > ? AND " CALL_MADE
                 " ORDER BY c.id LIMIT ?",
                 "ii", after, limit > INT64_MAX ? INT64_MAX : (int64_t)limit);
    *count = 0;
    while (db_next(&found))
        *ARRAY_ADD(rows, *count, alloc) = read_call(arena, found.stmt);
    *out = arena_memdup(arena, rows, *count * sizeof(*rows));
    return db_end(&found);
}

int call_retries_read(struct reader *r, int64_t call, struct call_retries *out, struct error *e)
{
    struct query found = db_query(reader_db(r), e,
                                  "SELECT sum(c.count), min(c.at), max(c.at) FROM failure f"
                                  " JOIN call c ON c.id = f.call"
                                  " JOIN failure f1 ON f1.call = ?1 JOIN call c1 ON c1.id = ?1"
                                  " WHERE c.id <> ?1 AND f.arguments = f1.arguments"
                                  " AND c.session = c1.session AND c.tool = c1.tool",
                                  "i", call);
    *out = (struct call_retries){.count = 0};
    if (db_next(&found))
        *out = (struct call_retries){(size_t)sqlite3_column_int64(found.stmt, 0),
                                     sqlite3_column_int64(found.stmt, 1),
                                     sqlite3_column_int64(found.stmt, 2)};
    return db_end(&found);
}

int64_t call_before(struct reader *r, int64_t at, struct error *e)
{
    int64_t low = 0, high = call_last(r, e);
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2, then;
        if (db_int(reader_db(r), &then, 0, e, "SELECT at FROM call WHERE id = ?", "i", middle))
            return -1;
        if (then < at - CALL_LATE)
            low = middle;
        else
            high = middle - 1;
    }
    return high < 0 ? -1 : low;
}

int64_t call_last(struct reader *r, struct error *e)
{
    int64_t id;
    return db_int(reader_db(r), &id, 0, e, "SELECT max(id) FROM call", "") ? -1 : id;
}

/*
 * A row with `guard` has calls of one outcome, whose letter is in `times` (call_chain.h): `t` is a
 * canceled call, which is no error; `x` is not an outcome. Altered rows count if they are JSON.
 */
#define NAMES                                                                                      \
    "SELECT session, json_extract(guard, '$.namespace'), sum(count),"                              \
    " sum(iif(times GLOB '*[a-su-wyz]*', count, 0)),"                                              \
    " CAST(total(json_extract(guard, '$.redactions')) AS INTEGER) FROM call"                       \
    " WHERE iif(guard IS NULL, 0, json_valid(guard)) AND session BETWEEN ? AND ?"                  \
    " GROUP BY 1, 2 ORDER BY 1, 2"

int session_namespaces(struct reader *r, struct arena *arena, int64_t first, int64_t last,
                       struct session_namespace **out, size_t *count, struct error *e)
{
    AUTO_FREE struct session_namespace *names = NULL;
    size_t alloc = 0;
    struct query found = db_query(reader_db(r), e, NAMES, "ii", first, last);
    *count = 0;
    while (db_next(&found))
        *ARRAY_ADD(names, *count, alloc) =
            (struct session_namespace){.session = sqlite3_column_int64(found.stmt, 0),
                                       .namespace_ = column_utf8(arena, found.stmt, 1),
                                       .calls = sqlite3_column_int64(found.stmt, 2),
                                       .errors = sqlite3_column_int64(found.stmt, 3),
                                       .redactions = sqlite3_column_int64(found.stmt, 4)};
    *out = arena_memdup(arena, names, *count * sizeof(*names));
    return db_end(&found);
}

/* An altered histogram is shown as far as it can be read. */
static int read_usage(struct query found, struct arena *arena, struct usage **out, size_t *count)
{
    AUTO_FREE struct usage *list = NULL;
    size_t alloc = 0;
    *count = 0;
    while (db_next(&found)) {
        struct usage *u = ARRAY_ADD(list, *count, alloc);
        *u = (struct usage){.session = sqlite3_column_int64(found.stmt, 0),
                            .tool = column_utf8(arena, found.stmt, 1),
                            .answers = sqlite3_column_int64(found.stmt, 2),
                            .failures = sqlite3_column_int64(found.stmt, 3),
                            .bytes = sqlite3_column_int64(found.stmt, 4),
                            .full_bytes = sqlite3_column_int64(found.stmt, 5)};
        latency_read(&u->latency, (const char *)sqlite3_column_text(found.stmt, 6));
    }
    *out = arena_memdup(arena, list, *count * sizeof(*list));
    return db_end(&found);
}

int session_usage(struct reader *r, struct arena *arena, int64_t first, int64_t last,
                  struct usage **out, size_t *count, struct error *e)
{
    struct query found = db_query(reader_db(r), e,
                                  "SELECT u.session, u.tool, answers, failures, bytes, full_bytes,"
                                  " l.histogram FROM usage u LEFT JOIN latency l"
                                  " ON l.session = u.session AND l.tool = u.tool"
                                  " WHERE u.session BETWEEN ? AND ?"
                                  " ORDER BY u.session, bytes DESC, u.tool",
                                  "ii", first, last);
    return read_usage(found, arena, out, count);
}

static int add_latencies(struct db *db, struct usage *list, size_t count, struct error *e)
{
    struct query found = db_query(db, e, "SELECT tool, histogram FROM latency", "");
    while (db_next(&found)) {
        const char *tool = (const char *)sqlite3_column_text(found.stmt, 0);
        struct latency one = {.count = 0};
        size_t i = 0;
        while (i < count && !same_text(list[i].tool, tool))
            i++;
        if (i < count && !latency_read(&one, (const char *)sqlite3_column_text(found.stmt, 1)))
            latency_merge(&list[i].latency, &one);
    }
    return db_end(&found);
}

int session_usage_of_all(struct reader *r, struct arena *arena, struct usage **out, size_t *count,
                         struct error *e)
{
    struct query found = db_query(reader_db(r), e,
                                  "SELECT 0, tool, sum(answers), sum(failures), sum(bytes),"
                                  " sum(full_bytes), NULL FROM usage GROUP BY tool"
                                  " ORDER BY 5 DESC, 2",
                                  "");
    return read_usage(found, arena, out, count) || add_latencies(reader_db(r), *out, *count, e) ? -1
                                                                                                : 0;
}

int session_minutes(struct reader *r, struct arena *arena, int64_t session, int64_t since,
                    size_t count, struct call_minute **out, struct error *e)
{
    struct call_minute *list = arena_array(arena, count + 1, sizeof(*list));
    since -= since % MINUTE_MS;
    for (size_t i = 0; i < count; i++)
        list[i] = (struct call_minute){.at = since + (int64_t)i * MINUTE_MS};
    struct query found = db_query(reader_db(r), e,
                                  "SELECT at, calls, failures, histogram FROM minute"
                                  " WHERE at >= ?1 AND at < ?2 AND (?3 = 0 OR session = ?3)",
                                  "iii", since, since + (int64_t)count * MINUTE_MS, session);
    while (db_next(&found)) {
        size_t i = (size_t)((sqlite3_column_int64(found.stmt, 0) - since) / MINUTE_MS);
        struct latency one = {.count = 0};
        list[i].calls += sqlite3_column_int64(found.stmt, 1);
        list[i].failures += sqlite3_column_int64(found.stmt, 2);
        if (!latency_read(&one, (const char *)sqlite3_column_text(found.stmt, 3)))
            latency_merge(&list[i].latency, &one);
    }
    *out = list;
    return db_end(&found);
}

/* A person's decision about a session: a change of its row and an event, in one transaction. */

struct decide {
    const struct actor *actor;
    int64_t session;
    enum session_verdict verdict;
};

static int record(struct txn *t, const struct decide *d, struct error *e)
{
    struct actor actor = *d->actor;
    actor.session = d->session; /* the session decided about; a person has none */
    struct change change = {.operation = session_decisions[d->verdict].operation};
    /* Invalidate the session's cached row. */
    t->generation++;
    return journal_append(t, &actor, &change, e);
}

/* `away`: it may return, so that a person can allow it to write before that. */
static int carry_out(struct txn *t, const struct decide *d, bool ended, bool away, bool read_only,
                     struct error *e)
{
    if (ended && !(away && d->verdict == SESSION_WRITES))
        return error_set(e, ERROR_CONFLICT, "", "session %lld has ended already",
                         (long long)d->session);
    if (d->verdict == SESSION_ENDS)
        return failed_if(db_run(t->db, e,
                                "UPDATE session SET ended_at = ?, ended_by = ? WHERE id = ?", "isi",
                                t->now, d->actor->name, d->session) ||
                         record(t, d, e));
    bool wanted = d->verdict == SESSION_READS_ONLY;
    if (wanted == read_only)
        return 0; /* no change */
    return failed_if(db_run(t->db, e, "UPDATE session SET read_only = ? WHERE id = ?", "ii",
                            (int64_t)wanted, d->session) ||
                     record(t, d, e));
}

static int run_decision(struct txn *t, void *arg, struct error *e)
{
    const struct decide *d = arg;
    struct query row = db_query(t->db, e,
                                "SELECT ended_by IS NOT NULL, read_only, uuid, " SESSION_AWAY
                                ", process FROM session WHERE id = ?",
                                "i", d->session);
    if (!db_next(&row))
        return db_end(&row) ? -1
                            : error_set(e, ERROR_NOT_FOUND, "stemma sessions --all lists them.",
                                        "there is no session %lld", (long long)d->session);
    /* A session whose process was killed has ended, although its row does not say so yet. */
    const char *uuid = (const char *)sqlite3_column_text(row.stmt, 2);
    bool served = uuid && session_is_served(t->store, uuid, sqlite3_column_int64(row.stmt, 4));
    bool ended = sqlite3_column_int(row.stmt, 0) || !served;
    bool read_only = sqlite3_column_int(row.stmt, 1), away = sqlite3_column_int(row.stmt, 3);
    return db_end(&row) ? -1 : carry_out(t, d, ended, away, read_only, e);
}

int session_decide(struct txn *t, const struct actor *actor, int64_t session,
                   enum session_verdict verdict, struct error *e)
{
    struct decide d = {actor, session, verdict};
    return run_decision(t, &d, e);
}

int store_session_end(struct store *s, const struct actor *actor, int64_t session, struct error *e)
{
    struct decide d = {actor, session, SESSION_ENDS};
    return store_run(s, run_decision, &d, e);
}

int store_session_read_only(struct store *s, const struct actor *actor, int64_t session,
                            bool read_only, struct error *e)
{
    struct decide d = {actor, session, read_only ? SESSION_READS_ONLY : SESSION_WRITES};
    return store_run(s, run_decision, &d, e);
}
