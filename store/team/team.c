/* The state of a replica, and the thread that follows the team. */
#include "store/team/team.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"
#include "store/session/session.h"
#include "store/team/team_internal.h"
#include "store/txn/checkpoint.h"

/* ---- state ---- */

#define DAMAGED (-1) /* in the table, what a machine has applied that cannot be read */

static int read_members(struct db *db, struct arena *arena, struct team_status *out,
                        struct error *e)
{
    size_t alloc = 0;
    struct query rows =
        db_query(db, e, "SELECT number, name, applied, seen_at FROM machine ORDER BY number", "");
    while (db_next(&rows))
        *ARENA_ADD(arena, out->members, out->member_count, alloc) =
            (struct team_member){.number = sqlite3_column_int(rows.stmt, 0),
                                 .name = column_utf8(arena, rows.stmt, 1),
                                 .applied = sqlite3_column_int64(rows.stmt, 2),
                                 .damaged = sqlite3_column_int64(rows.stmt, 2) == DAMAGED,
                                 .seen_at = sqlite3_column_int64(rows.stmt, 3)};
    return db_end(&rows);
}

static int read_purges(struct db *db, struct arena *arena, struct team_status *out, struct error *e)
{
    size_t alloc = 0;
    int64_t all = INT64_MAX;
    for (size_t i = 0; i < out->member_count; i++)
        if (!out->members[i].damaged && out->members[i].applied < all)
            all = out->members[i].applied;
    if (all == INT64_MAX || all >= out->confirmed)
        return 0;
    struct query rows = db_query(db, e,
                                 "SELECT seq, canonical FROM event WHERE seq > ? AND operation ="
                                 " 'purge' ORDER BY seq",
                                 "i", all);
    while (db_next(&rows)) {
        struct canonical c;
        const char *text = db_text(arena, rows.stmt, 1);
        struct team_purge *p = ARENA_ADD(arena, out->purges, out->purge_count, alloc);
        *p = (struct team_purge){0};
        if (text && canonical_read(&c, arena, text, strlen(text)) == 0)
            p->ref = c.ref;
        for (size_t i = 0; i < out->member_count; i++) {
            p->known += !out->members[i].damaged;
            p->done += out->members[i].applied >= sqlite3_column_int64(rows.stmt, 0);
        }
    }
    return db_end(&rows);
}

int team_status(struct reader *r, struct arena *arena, struct team_status *out, struct error *e)
{
    struct db *db = reader_db(r);
    *out = (struct team_status){0};
    struct query row =
        db_query(db, e,
                 "SELECT store, address, machine, name, confirmed, seen_at, problem,"
                 " (SELECT count(*) FROM outbox), (SELECT count(*) FROM disputed) FROM team",
                 "");
    if (db_next(&row))
        *out = (struct team_status){.member = true,
                                    .store = column_utf8(arena, row.stmt, 0),
                                    .address = column_utf8(arena, row.stmt, 1),
                                    .machine = sqlite3_column_int(row.stmt, 2),
                                    .name = column_utf8(arena, row.stmt, 3),
                                    .confirmed = sqlite3_column_int64(row.stmt, 4),
                                    .seen_at = sqlite3_column_int64(row.stmt, 5),
                                    .problem = column_utf8(arena, row.stmt, 6),
                                    .pending = sqlite3_column_int64(row.stmt, 7),
                                    .disputed = sqlite3_column_int64(row.stmt, 8)};
    if (db_end(&row))
        return -1;
    int64_t head = atomic_load(&reader_store(r)->team_head);
    out->behind = head > out->confirmed ? head - out->confirmed : 0;
    return out->member && (read_members(db, arena, out, e) || read_purges(db, arena, out, e)) ? -1
                                                                                              : 0;
}

void team_add_summary(struct strbuf *out, const struct team_status *s, int64_t took)
{
    if (s->problem) {
        strbuf_addf(out, "offline, %lld to send", (long long)s->pending);
        return;
    }
    if (took)
        strbuf_addf(out, "%lld ms, ", (long long)(took + 999) / 1000);
    if (s->pending)
        strbuf_addf(out, "%lld to send, ", (long long)s->pending);
    strbuf_addf(out, "%lld behind", (long long)s->behind);
}

int64_t team_provisional(struct reader *r, int64_t seq)
{
    struct error ignored;
    int64_t confirmed;
    if (db_int(reader_db(r), &confirmed, INT64_MAX, &ignored, "SELECT confirmed FROM team", ""))
        return 0;
    return seq > confirmed ? seq - confirmed : 0;
}

int64_t team_answered_us(const struct store *s)
{
    return atomic_load(&s->team_answered_us);
}

/* ---- keeping up ---- */

#define SESSION_COLUMNS                                                                            \
    "uuid, class, actor, agent, task, client, client_version, era, transport, started_at,"         \
    " seen_at, ended_at, ended_by, read_only, calls, errors"

/* The last event that this machine has applied, with the bytes that it erased. */
static int applied(struct txn *t, int64_t *out, struct error *e)
{
    return db_int(t->db, out, t->team.confirmed, e,
                  "SELECT seq - 1 FROM event WHERE seq > (SELECT swept FROM team) AND seq <= ? AND"
                  " operation = 'purge' ORDER BY seq LIMIT 1",
                  "i", t->team.confirmed);
}

static int read_sessions(struct txn *t, struct arena *arena, struct team_session **out,
                         size_t *count, struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    struct query rows = db_query(
        t->db, e,
        "SELECT id, json_object('uuid', uuid, 'class', class, 'actor', actor, 'agent', agent,"
        " 'task', task, 'client', client, 'client_version', client_version, 'era', era,"
        " 'transport', transport, 'started_at', started_at, 'seen_at', seen_at, 'ended_at',"
        " ended_at, 'ended_by', ended_by, 'read_only', read_only, 'calls', calls, 'errors',"
        " errors) FROM session WHERE id > ? AND id < ? AND (ended_at IS NULL OR ended_at > ?)",
        "iii", SESSION_FIRST(t->team.machine), SESSION_FIRST(t->team.machine + 1),
        t->now - 3600000);
    while (db_next(&rows))
        *ARENA_ADD(arena, *out, *count, alloc) = (struct team_session){
            .id = sqlite3_column_int64(rows.stmt, 0), .row = db_text(arena, rows.stmt, 1)};
    return db_end(&rows);
}

static int put_session(struct txn *t, const struct team_session *s, struct error *e)
{
    if (SESSION_MACHINE(s->id) == t->team.machine || !json_is_formed(s->row, strlen(s->row)))
        return 0;
    return db_run(t->db, e,
                  "INSERT OR REPLACE INTO session(id, " SESSION_COLUMNS
                  ") SELECT ?1, coalesce(?2 ->> 'uuid', ''), coalesce(?2 ->> 'class', 1),"
                  " coalesce(?2 ->> 'actor', ''), ?2 ->> 'agent', ?2 ->> 'task', ?2 ->> 'client',"
                  " ?2 ->> 'client_version', ?2 ->> 'era', coalesce(?2 ->> 'transport', ''),"
                  " coalesce(?2 ->> 'started_at', 0), coalesce(?2 ->> 'seen_at', 0), ?2 ->>"
                  " 'ended_at', ?2 ->> 'ended_by', coalesce(?2 ->> 'read_only', 0), coalesce(?2 ->>"
                  " 'calls', 0), coalesce(?2 ->> 'errors', 0)",
                  "is", s->id, s->row);
}

static int put_machines(struct txn *t, const struct team_machine *list, size_t count,
                        struct error *e)
{
    if (db_run(t->db, e, "DELETE FROM machine", ""))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (db_run(t->db, e,
                   "INSERT INTO machine(number, name, applied, seen_at) VALUES (?, ?, ?, ?)",
                   "isii", (int64_t)list[i].number, list[i].name,
                   list[i].damaged ? DAMAGED : list[i].applied, list[i].seen_at))
            return -1;
    return 0;
}

static int report(struct txn *t, struct transport *transport, int64_t done,
                  const struct team_session *sessions, size_t count, struct error *e)
{
    if (transport_report(transport, t->team.machine, done, sessions, count, e) == 0)
        return 0;
    team_explain(transport, t->team.machine, e);
    return -1;
}

/* Tells the others what this machine has applied, and of its sessions; reads the same of theirs. */
static int exchange(struct txn *t, struct transport *transport, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct team_session *sessions;
    struct team_machine *machines;
    size_t count, machine_count;
    int64_t heard, done;
    if (db_int(t->db, &heard, 0, e, "SELECT heard FROM team", "") || applied(t, &done, e) ||
        read_sessions(t, &arena, &sessions, &count, e) ||
        report(t, transport, done, sessions, count, e) ||
        transport_machines(transport, &arena, &machines, &machine_count, e) ||
        put_machines(t, machines, machine_count, e) ||
        transport_sessions(transport, heard, &arena, &sessions, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (put_session(t, &sessions[i], e))
            return -1;
        heard = sessions[i].changed > heard ? sessions[i].changed : heard;
    }
    return db_run(t->db, e, "UPDATE team SET heard = ?", "i", heard);
}

/* So many events after the last snapshot, and a quarter of all, the next one is made. */
#define SNAPSHOT_EVENTS 100000
#define SYNC_CACHE      "-262144"
#define FIRST_SYNC      5 /* so many of these: a machine that has just joined leaves no snapshot yet */

struct syncing {
    bool exchanges;
    bool reached;
    bool more; /* events that were not fetched yet */
    int rounds;
    int64_t done;
    struct chain_end head;
    bool old;       /* the snapshot there, or there is none */
    int64_t purged; /* a purge whose bytes are still in the files; 0: none */
};

/*
 * The writer sends what waits when the job has ended. It counts as a job that cannot run again, so that it is never in
 * a transaction with an edit, which it would rebase where the edit must run again and be refused.
 */
static int sync_job(struct txn *t, void *arg, struct error *e)
{
    struct syncing *s = arg;
    if (!t->team.member)
        return error_set(e, ERROR_NOT_FOUND, "stemma team create makes one.",
                         "this store belongs to no team");
    if (t->store->team_link)
        t->store->team_link->retry_at = 0;
    /* What follows writes all over the indexes: pages that do not fit are written again and again. */
    if (s->rounds == 1 && db_exec(t->db, "PRAGMA cache_size = " SYNC_CACHE, e))
        return -1;
    int64_t at = t->team.confirmed, until = at + SYNC_EVENTS;
    if (team_catch_up_until(t, false, until, e))
        return -1;
    struct transport *transport = t->store->team_link->transport;
    s->reached = transport != NULL;
    s->more = s->reached && t->team.confirmed >= until;
    s->done = t->team.confirmed;
    if (s->more && transport_head(transport, &s->head, e))
        return -1;
    if (!s->reached || !s->exchanges || s->more)
        return 0;
    int found = transport_find_snapshot(transport, &at, e);
    int64_t since = t->team.confirmed - at;
    s->old = !found || (since >= SNAPSHOT_EVENTS && since >= t->team.confirmed / 4);
    return found < 0 ||
                   db_int(t->db, &s->purged, 0, e,
                          "SELECT max(seq) FROM event WHERE seq > (SELECT swept FROM team) AND "
                          "operation ="
                          " 'purge'",
                          "") ||
                   exchange(t, transport, e)
               ? -1
               : 0;
}

static int cache_as_before(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    return db_exec(t->db, "PRAGMA cache_size = " DB_WRITER_CACHE, e);
}

static int note_swept(struct txn *t, void *arg, struct error *e)
{
    return db_run(t->db, e, "UPDATE team SET swept = ?", "i", *(int64_t *)arg);
}

static int snapshot_job(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    struct team_link *link = t->store->team_link;
    return link && link->transport ? team_put_snapshot(t, link->transport, e) : 0;
}

static int sync_once(struct store *s, bool exchanges, struct error *e)
{
    struct syncing sync = {.exchanges = exchanges};
    struct error ignored;
    int result;
    do {
        result = store_run(s, sync_job, &sync, e);
        if (result == 0 && sync.more)
            result = transport_progress(sync.done, sync.head.count, e);
    } while (++sync.rounds, result == 0 && sync.more);
    if (sync.rounds > 1)
        store_run(s, cache_as_before, NULL, &ignored);
    if (result)
        return -1;
    /* What was purged leaves the files; then this machine says so. */
    if (sync.reached && sync.purged &&
        (store_vacuum(s, NULL, NULL, e) || store_run_again(s, note_swept, &sync.purged, e) ||
         store_run(s, sync_job, &sync, e)))
        return -1;
    /* It is for others, and the next sync tries again. */
    if (sync.reached && sync.old && sync.rounds < FIRST_SYNC &&
        store_run_alone(s, snapshot_job, NULL, e) && e->code != ERROR_BUSY)
        return -1;
    if (sync.reached)
        return 0;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_status now;
    struct reader *r = reader_open(s, e);
    result = r ? team_status(r, &arena, &now, e) : -1;
    reader_close(r);
    return result ? -1
                  : error_set(e, ERROR_BUSY, "What is written here waits until it can.",
                              "the team cannot be reached: %s",
                              now.problem ? now.problem : "no answer");
}

int team_snapshot(struct store *s, struct error *e)
{
    return sync_once(s, true, e) ? -1 : store_run_alone(s, snapshot_job, NULL, e);
}

int team_sync(struct store *s, struct error *e)
{
    return sync_once(s, true, e);
}

/* ---- following ---- */

#define POLL_MS     1000 /* where nobody wakes us */
#define LISTEN_MS   5000 /* where somebody does: in case a word was lost */
#define EXCHANGE_MS 5000

struct team_follower {
    struct store *store;
    char *address, *id;
    pthread_t thread;
    int wake[2]; /* closing the write end ends the thread */
};

/* Waits until somebody may have appended. False when it should end. */
static bool wait_for_news(struct team_follower *f, struct transport *t)
{
    int fd = t ? transport_fd(t) : -1;
    struct pollfd polled[2] = {{f->wake[0], POLLIN, 0}, {fd, POLLIN, 0}};
    poll(polled, fd < 0 ? 1 : 2, fd < 0 ? POLL_MS : LISTEN_MS);
    if (fd >= 0)
        transport_heard(t);
    return !polled[0].revents;
}

static void *follow(void *arg)
{
    struct team_follower *f = arg;
    struct error e;
    struct transport *t = NULL;
    int64_t exchanged = 0, applied = -1; /* -1: the next answer is a reason to sync */
    bool lost = false;                   /* noted in the replica */
    do {
        struct chain_end head;
        if (!t)
            t = transport_open(f->address, f->id, &e);
        if (t)
            transport_fd(
                t); /* before the head is read, so that no append is missed between the two */
        if (t && transport_head(t, &head, &e)) {
            transport_close(t);
            t = NULL;
        }
        if (t)
            atomic_store(&f->store->team_head, head.count);
        else if (!lost)
            sync_once(f->store, false, &e);
        lost = !t;
        applied = lost ? -1 : applied;
        bool due = monotonic_ms() - exchanged >= EXCHANGE_MS;
        if (!t || (head.count == applied && !due))
            continue;
        if (sync_once(f->store, due, &e) == 0)
            applied = head.count;
        if (due)
            exchanged = monotonic_ms();
    } while (wait_for_news(f, t));
    transport_close(t);
    return NULL;
}

struct team_follower *team_follow(struct store *s)
{
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_status now = {0};
    struct reader *r = s->writer ? reader_open(s, &e) : NULL;
    if (!r || atomic_load(&s->followed) || team_status(r, &arena, &now, &e) || !now.member) {
        reader_close(r);
        return NULL;
    }
    reader_close(r);
    struct team_follower *f = xcalloc(1, sizeof(*f));
    f->store = s;
    f->address = xstrdup(now.address);
    f->id = xstrdup(now.store);
    atomic_store(&s->followed, true);
    int made = platform_pipe(f->wake, false);
    if (made || thread_start(&f->thread, "team", follow, f)) {
        for (int i = 0; !made && i < 2; i++)
            close(f->wake[i]);
        atomic_store(&s->followed, false);
        free(f->address);
        free(f->id);
        free(f);
        return NULL;
    }
    return f;
}

void team_follow_end(struct team_follower *f)
{
    if (!f)
        return;
    close(f->wake[1]);
    pthread_join(f->thread, NULL);
    close(f->wake[0]);
    atomic_store(&f->store->followed, false);
    free(f->address);
    free(f->id);
    free(f);
}
