/* Making, joining and leaving a team, its state, and the thread that follows it. */
#include "store/team/team.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/db/db_open.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"
#include "store/record/get.h"
#include "store/record/waiting.h"
#include "store/session/session.h"
#include "store/team/team_internal.h"
#include "store/txn/checkpoint.h"

/* ---- state ---- */

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
                                 .seen_at = sqlite3_column_int64(rows.stmt, 3)};
    return db_end(&rows);
}

static int read_purges(struct db *db, struct arena *arena, struct team_status *out, struct error *e)
{
    size_t alloc = 0;
    int64_t all = INT64_MAX;
    for (size_t i = 0; i < out->member_count; i++)
        all = out->members[i].applied < all ? out->members[i].applied : all;
    if (out->member_count == 0 || all >= out->confirmed)
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
        for (size_t i = 0; i < out->member_count; i++)
            p->done += out->members[i].applied >= sqlite3_column_int64(rows.stmt, 0);
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
    return s->team_link ? atomic_load(&s->team_link->answered_us) : 0;
}

/* ---- making a team ---- */

/* `begun`: the journal there has the events after this one. */
static int set_member(struct db *db, const char *store, const char *address, int machine,
                      const char *name, const struct chain_end *at, int64_t begun, struct error *e)
{
    return db_run(db, e,
                  "INSERT INTO team(id, store, address, machine, name, confirmed, hash, begun,"
                  " seen_at) VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0)",
                  "ssisibi", store, address, (int64_t)machine, name, at->count,
                  at->count ? at->hash.bytes : NULL, (size_t)DIGEST_SIZE, begun);
}

/* What is about this machine alone: other programs' files, its calls, where it imported from. */
static int strip(const char *path, struct error *e)
{
    struct db *db = db_open(path, DB_WRITE, e);
    int result = !db || db_exec(db,
                                "PRAGMA synchronous = OFF; DELETE FROM source_file; DELETE FROM"
                                " source_line; DELETE FROM source_touch; DELETE FROM call; DELETE"
                                " FROM usage; DELETE FROM failure; DELETE FROM latency; DELETE "
                                "FROM minute; DELETE FROM origin; DELETE FROM"
                                " imported; DELETE FROM head_place; DELETE FROM outbox; DELETE FROM"
                                " disputed; DELETE FROM machine; DELETE FROM team;"
                                " UPDATE session SET process = NULL, peer_pid = NULL, peer_uid ="
                                " NULL; UPDATE event SET hmac = NULL; VACUUM;"
                                " PRAGMA wal_checkpoint(TRUNCATE)",
                                e);
    db_close(db);
    return result ? -1 : 0;
}

/*
 * Leaves the store as of its last commit at the transport. Nobody else writes here meanwhile. A
 * store that has more than the team, or less than this transaction, leaves none.
 */
static int put_snapshot(struct txn *t, struct transport *transport, struct error *e)
{
    AUTO_STRBUF snapshot = STRBUF_INIT;
    struct head head = {0};
    int64_t last = t->team.member ? t->team.confirmed : t->last_seq;
    char *directory = db_make_copy(t->store->path, &snapshot, e);
    struct db *db = directory ? db_open(snapshot.buf, DB_READ, e) : NULL;
    int result = !db || head_of(db, &head, e) ? -1 : 0;
    db_close(db);
    if (result == 0 && head.events.count == last)
        result =
            strip(snapshot.buf, e) || transport_put_snapshot(transport, last, snapshot.buf, e) < 0
                ? -1
                : 0;
    if (directory)
        db_remove_copy(directory);
    free(directory);
    return result;
}

/* A machine is known by its name, so another one gets another, "vm-2": *chosen, in the arena. */
static int join_anew(struct transport *t, const char *name, struct arena *arena,
                     const char **chosen, int *number, struct error *e)
{
    struct team_machine *list;
    size_t count, next = 2, i = 0;
    *chosen = name;
    if (transport_machines(t, arena, &list, &count, e))
        return -1;
    while (i < count)
        if (strcmp(list[i++].name, *chosen) == 0) {
            *chosen = arena_format(arena, "%s-%zu", name, next++);
            i = 0; /* look again from the first */
        }
    return transport_join(t, *chosen, number, e);
}

struct creation {
    const char *address, *name;
    struct transport *transport;
};

static int create(struct txn *t, void *arg, struct error *e)
{
    struct creation *c = arg;
    AUTO_ARENA arena = ARENA_INIT;
    char id[37];
    const char *name;
    int number;
    struct chain_end at = {t->last_seq, t->last_hash};
    if (t->team.member)
        return error_set(e, ERROR_CONFLICT, "stemma team status says which.",
                         "this store belongs to a team already");
    store_make_id(t->store, id);
    if (transport_create(c->transport, id, &at, e) ||
        join_anew(c->transport, c->name, &arena, &name, &number, e) ||
        put_snapshot(t, c->transport, e) ||
        set_member(t->db, id, c->address, number, name, &at, at.count, e))
        return -1;
    t->data_version = -1; /* read the new row */
    return 0;
}

int team_create(struct store *s, const char *address, const char *name, struct error *e)
{
    struct creation c = {.name = name};
    char *kept = transport_address(address, e);
    c.address = kept;
    int result = -1;
    if (kept && (c.transport = transport_open(kept, NULL, e)))
        result = store_run_alone(s, create, &c, e);
    transport_close(c.transport);
    free(kept);
    return result ? result : team_sync(s, e);
}

/* ---- joining ---- */

static int choose_store(const char *address, const char *id, struct arena *arena, const char **out,
                        struct error *e)
{
    const char **stores;
    size_t count, found = 0;
    struct transport *t = transport_open(address, NULL, e);
    if (!t)
        return -1;
    int result = transport_stores(t, arena, &stores, &count, e);
    transport_close(t);
    for (size_t i = 0; i < count && result == 0; i++)
        if (!id || strncmp(stores[i], id, strlen(id)) == 0) {
            *out = stores[i];
            found++;
        }
    if (result || found == 1)
        return result;
    return found ? error_set(e, ERROR_INVALID, "Say which one with --id.",
                             "there are %zu stores of teams that fit", found)
                 : error_set(e, ERROR_NOT_FOUND, "stemma team create makes one.",
                             "there is no store of a team");
}

static int make_replica(struct transport *t, const char *path, const char *store,
                        const char *address, const char *name, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct team_event *first;
    size_t count;
    int64_t seq;
    int number;
    struct head head;
    int found = transport_get_snapshot(t, path, &seq, e);
    if (found <= 0)
        return found < 0 ? -1
                         : error_set(e, ERROR_NOT_FOUND,
                                     "Run stemma team status on a machine that has it.",
                                     "the team has no snapshot to begin from");
    if (join_anew(t, name, &arena, &name, &number, e) ||
        transport_fetch(t, 0, 1, &arena, &first, &count, e))
        return -1;
    struct db *db = db_open(path, DB_WRITE, e);
    int result = !db || head_of(db, &head, e) ? -1 : 0;
    if (result == 0 && head.events.count != seq)
        result = error_set(e, ERROR_STORE, "stemma fsck on another machine says more.",
                           "the team's snapshot is not as of event %lld", (long long)seq);
    if (result == 0)
        result = set_member(db, store, address, number, name, &head.events,
                            count ? first->seq - 1 : seq, e);
    db_close(db);
    return result;
}

int team_join(const char *path, const char *address, const char *id, const char *name,
              struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *store = NULL;
    struct transport *t = NULL;
    if (access(path, F_OK) == 0)
        return error_set(e, ERROR_CONFLICT,
                         "Give a new path with --store; then import what the old one has.",
                         "%s exists", path);
    char *kept = transport_address(address, e), *temporary = xformat("%s-joining", path);
    int result = !kept || store_make_folders(path, e) ||
                         choose_store(kept, id, &arena, &store, e) ||
                         !(t = transport_open(kept, store, e))
                     ? -1
                     : 0;
    unlink(temporary);
    if (result == 0)
        result = make_replica(t, temporary, store, kept, name, e);
    if (result == 0 && rename(temporary, path))
        result = error_set(e, ERROR_STORE, "", "cannot make %s: %s", path, strerror(errno));
    if (result)
        unlink(temporary);
    transport_close(t);
    free(temporary);
    free(kept);
    return result;
}

struct returning {
    struct transport *transport;
    const char *store, *address, *name;
};

/* Does the journal there go on where the one here ends? *begun is where it begins there. */
static int follows(struct txn *t, struct transport *transport, int64_t *begun, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct team_event *events;
    struct chain_end head;
    struct digest next;
    size_t count;
    if (transport_head(transport, &head, e) ||
        transport_fetch(transport, 0, 1, &arena, &events, &count, e))
        return -1;
    *begun = count ? events[0].seq - 1 : head.count;
    bool same =
        t->last_seq == head.count && (!head.count || digest_equal(&t->last_hash, &head.hash));
    if (t->last_seq < head.count && t->last_seq >= *begun) {
        if (transport_fetch(transport, t->last_seq, 1, &arena, &events, &count, e))
            return -1;
        if (count) {
            digest_chain(&next, t->last_seq ? &t->last_hash : NULL, events[0].canonical,
                         strlen(events[0].canonical));
            same = events[0].seq == t->last_seq + 1 && digest_equal(&next, &events[0].hash);
        }
    }
    return same ? 0
                : error_set(e, ERROR_CONFLICT,
                            "Join with a new store (--store), then import what this one has.",
                            "the journal of this store is not the team's");
}

static int return_job(struct txn *t, void *arg, struct error *e)
{
    struct returning *r = arg;
    AUTO_ARENA arena = ARENA_INIT;
    const char *name;
    int number;
    int64_t begun;
    struct chain_end at = {t->last_seq, t->last_hash};
    if (t->team.member)
        return error_set(e, ERROR_CONFLICT, "stemma team status says which.",
                         "this store belongs to a team already");
    if (follows(t, r->transport, &begun, e) ||
        join_anew(r->transport, r->name, &arena, &name, &number, e) ||
        set_member(t->db, r->store, r->address, number, name, &at, begun, e))
        return -1;
    t->data_version = -1; /* read the new row */
    return 0;
}

int team_return(struct store *s, const char *address, const char *id, const char *name,
                struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct returning r = {.name = name};
    char *kept = transport_address(address, e);
    r.address = kept;
    int result = -1;
    if (kept && choose_store(kept, id, &arena, &r.store, e) == 0 &&
        (r.transport = transport_open(kept, r.store, e)))
        result = store_run_alone(s, return_job, &r, e);
    transport_close(r.transport);
    free(kept);
    return result ? result : team_sync(s, e);
}

/* ---- leaving ---- */

/* What others imported counts as imported from the team. Their sources are not known here. */
static int note_imports(struct txn *t, struct error *e)
{
    return db_run(t->db, e,
                  "INSERT OR IGNORE INTO origin(kind, identity, first_at, last_at)"
                  " SELECT 'team', 'team ' || store, ?1, ?1 FROM team",
                  "i", t->now) ||
                   db_run(t->db, e,
                          "INSERT OR REPLACE INTO imported(memory, origin, hash, event)"
                          " SELECT v.subject, o.id, zeroblob(32), max(v.seq) FROM event v, team,"
                          " origin o WHERE o.identity = 'team ' || team.store AND v.operation ="
                          " 'import' AND v.subject IS NOT NULL AND v.canonical ->> 'origin' LIKE"
                          " 'import %' GROUP BY v.subject HAVING max(v.seq) > coalesce((SELECT"
                          " i.event FROM imported i WHERE i.memory = v.subject), 0)",
                          "")
               ? -1
               : 0;
}

static int leave(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    if (!t->team.member)
        return error_set(e, ERROR_NOT_FOUND, "", "this store belongs to no team");
    if (t->last_seq > t->team.confirmed)
        return error_set(e, ERROR_CONFLICT, "Run stemma team status where the team can be reached.",
                         "the team does not have %lld event%s of this store yet",
                         (long long)(t->last_seq - t->team.confirmed),
                         t->last_seq - t->team.confirmed == 1 ? "" : "s");
    t->data_version = -1;
    return note_imports(t, e) || db_run(t->db, e, "DELETE FROM team", "") ||
                   db_run(t->db, e, "DELETE FROM machine", "")
               ? -1
               : 0;
}

int team_leave(struct store *s, struct error *e)
{
    struct error ignored;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_status now;
    struct reader *r = reader_open(s, e);
    if (!r || team_status(r, &arena, &now, e)) {
        reader_close(r);
        return -1;
    }
    reader_close(r);
    if (store_run_alone(s, leave, NULL, e))
        return -1;
    struct transport *t = transport_open(now.address, now.store, &ignored);
    if (t)
        transport_leave(t, now.machine, &ignored);
    transport_close(t);
    return 0;
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
                   "isii", (int64_t)list[i].number, list[i].name, list[i].applied, list[i].seen_at))
            return -1;
    return 0;
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
        transport_report(transport, t->team.machine, done, sessions, count, e) ||
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

/* So many events after the last snapshot the next one is made. */
#define SNAPSHOT_EVENTS 100000

struct syncing {
    bool exchanges;
    bool reached;
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
        atomic_store(&t->store->team_link->retry_at, 0);
    if (team_catch_up(t, false, e))
        return -1;
    struct transport *transport = t->store->team_link->transport;
    int64_t at = 0;
    s->reached = transport != NULL;
    if (!s->reached || !s->exchanges)
        return 0;
    int found = transport_find_snapshot(transport, &at, e);
    s->old = !found || t->team.confirmed - at >= SNAPSHOT_EVENTS;
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

static int note_swept(struct txn *t, void *arg, struct error *e)
{
    return db_run(t->db, e, "UPDATE team SET swept = ?", "i", *(int64_t *)arg);
}

static int snapshot_job(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    struct team_link *link = t->store->team_link;
    return link && link->transport ? put_snapshot(t, link->transport, e) : 0;
}

static int sync_once(struct store *s, bool exchanges, struct error *e)
{
    struct syncing sync = {.exchanges = exchanges};
    if (store_run(s, sync_job, &sync, e))
        return -1;
    /* What was purged leaves the files; then this machine says so. */
    if (sync.reached && sync.purged &&
        (store_vacuum(s, NULL, NULL, e) || store_run_again(s, note_swept, &sync.purged, e) ||
         store_run(s, sync_job, &sync, e)))
        return -1;
    if (sync.reached && sync.old && store_run_alone(s, snapshot_job, NULL, e))
        return -1;
    if (sync.reached)
        return 0;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_status now;
    struct reader *r = reader_open(s, e);
    int result = r ? team_status(r, &arena, &now, e) : -1;
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
    if (pipe(f->wake) || thread_start(&f->thread, "team", follow, f)) {
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

/* ---- what did not hold ---- */

int team_disputed(struct reader *r, struct arena *arena, int64_t node, struct disputed **out,
                  size_t *count, struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    struct query rows =
        db_query(reader_db(r), e,
                 "SELECT id, at, ref, person, canonical, reason, base, mine, theirs FROM disputed"
                 " WHERE ?1 IS NULL OR memory = ?1 ORDER BY id",
                 "r", node);
    while (db_next(&rows)) {
        struct disputed *d = ARENA_ADD(arena, *out, *count, alloc);
        struct canonical c = {0};
        const char *text = db_text(arena, rows.stmt, 4), *reason = column_utf8(arena, rows.stmt, 5),
                   *ref = column_utf8(arena, rows.stmt, 2);
        size_t len = ref ? strlen(ref) : 0;
        if (len && reason && !strncmp(reason, ref, len) && !strncmp(reason + len, ": ", 2))
            reason += len + 2; /* it is shown next to the memory */
        if (text)
            canonical_read(&c, arena, text, strlen(text));
        *d = (struct disputed){.id = sqlite3_column_int64(rows.stmt, 0),
                               .at = sqlite3_column_int64(rows.stmt, 1),
                               .ref = ref,
                               .by_person = sqlite3_column_int(rows.stmt, 3) != 0,
                               .actor = c.actor,
                               .operation = c.operation,
                               .reason = reason,
                               .base = db_text(arena, rows.stmt, 6),
                               .mine = db_text(arena, rows.stmt, 7),
                               .theirs = db_text(arena, rows.stmt, 8)};
    }
    return db_end(&rows);
}

static const char *member_of(struct arena *arena, const struct strbuf *json, const char *name)
{
    struct json_slice value = json_member(json->buf, json->len, name);
    return value.ptr ? arena_strndup(arena, value.ptr, value.len) : NULL;
}

int team_disputed_fields(const struct disputed *d, struct arena *arena, struct disputed_field **out,
                         size_t *count, struct error *e)
{
    AUTO_STRBUF was = STRBUF_INIT, mine = STRBUF_INIT, now = STRBUF_INIT;
    const struct memory *base, *changed, *theirs;
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    if (team_read_line(&base, d->base, arena, e) || team_read_line(&changed, d->mine, arena, e) ||
        team_read_line(&theirs, d->theirs, arena, e))
        return -1;
    memory_json_diff(&was, &mine, base, changed);
    if (theirs)
        memory_json_write(&now, theirs, NULL);
    else
        strbuf_addstr(&now, "{}");
    struct json_slice all = {mine.buf, mine.len};
    for (struct json_each it = json_each(all); json_next(&it);) {
        const char *name = arena_strndup(arena, it.key.ptr, it.key.len);
        if (!strcmp(name, "version") || !strcmp(name, "updated_at"))
            continue;
        *ARENA_ADD(arena, *out, *count, alloc) =
            (struct disputed_field){name, base ? member_of(arena, &was, name) : NULL,
                                    member_of(arena, &mine, name), member_of(arena, &now, name)};
    }
    return 0;
}

/* A memory that waited only for this waits no more. */
static int settle(struct txn *t, void *arg, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory now;
    int64_t id = *(int64_t *)arg, node = -1;
    if (db_int(t->db, &node, -1, e, "SELECT coalesce(memory, 0) FROM disputed WHERE id = ?", "i",
               id))
        return -1;
    if (node < 0)
        return error_set(e, ERROR_NOT_FOUND, "stemma team disputed lists them.",
                         "no disputed change has the number %lld", (long long)id);
    if (db_run(t->db, e, "DELETE FROM disputed WHERE id = ?", "i", id))
        return -1;
    return node && (memory_read_db(t->db, &arena, node, &now, e) || waiting_renew(t, &now, e)) ? -1
                                                                                               : 0;
}

int team_settle(struct store *s, int64_t id, struct error *e)
{
    return store_run_again(s, settle, &id, e);
}
