/* Making, joining and leaving a team. */
#include "store/team/team.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/db.h"
#include "store/db/db_open.h"
#include "store/db/store_state.h"
#include "store/record/waiting.h"
#include "store/team/team_internal.h"

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
    int result = !db || waiting_drop_disputes(db, e) ||
                 db_exec(db,
                         "PRAGMA synchronous = OFF; DELETE FROM source_file; DELETE FROM"
                         " source_line; DELETE FROM source_touch; DELETE FROM call; DELETE"
                         " FROM usage; DELETE FROM failure; DELETE FROM latency; DELETE "
                         "FROM minute; DELETE FROM origin; DELETE FROM"
                         " imported; DELETE FROM head_place; DELETE FROM outbox;"
                         " DELETE FROM machine; DELETE FROM team;"
                         " UPDATE session SET process = NULL, peer_pid = NULL, peer_uid ="
                         " NULL; UPDATE event SET hmac = NULL; VACUUM;"
                         " PRAGMA wal_checkpoint(TRUNCATE)",
                         e);
    db_close(db);
    return result ? -1 : 0;
}

int team_put_snapshot(struct txn *t, struct transport *transport, struct error *e)
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
    bool another;
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
    if ((c->another ? transport_create : transport_create_first)(c->transport, id, &at, e) ||
        join_anew(c->transport, c->name, &arena, &name, &number, e) ||
        set_member(t->db, c->transport->store, c->address, number, name, &at, at.count, e))
        return -1;
    t->data_version = -1; /* read the new row */
    return 0;
}

static int begin(struct store *s, const char *address, const char *name, bool another,
                 struct error *e)
{
    struct creation c = {.name = name, .another = another};
    char *kept = transport_address(address, e);
    c.address = kept;
    int result = -1;
    if (kept && (c.transport = transport_open(kept, NULL, e)))
        result = store_run_alone(s, create, &c, e);
    transport_close(c.transport);
    free(kept);
    return result ? result : team_sync(s, e); /* which leaves a snapshot, since there is none */
}

int team_create(struct store *s, const char *address, const char *name, struct error *e)
{
    return begin(s, address, name, false, e);
}

int team_create_another(struct store *s, const char *address, const char *name, struct error *e)
{
    return begin(s, address, name, true, e);
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
           : id && count
               ? error_set(e, ERROR_NOT_FOUND, "Leave out --id to see how many there are.",
                           "none of the %zu teams at %s has an id that begins with %.40s", count,
                           address, id)
               : error_set(
                     e, ERROR_NOT_FOUND,
                     "stemma team create begins one. On a server, who began it admits other roles"
                     " to it.",
                     "there is no team at %s", address);
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
    if (transport_head(t, &head.events, e)) /* a newer format is left alone */
        return -1;
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
        return error_set(
            e, ERROR_CONFLICT,
            "Give a new path with --store; stemma export here, stemma import jsonl there.",
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
                            "Join with a new store (--store); stemma export here, stemma import "
                            "jsonl there.",
                            "the journal of this store is not the team's");
}

/* A member that the team has removed is registered again; what waits here is then sent. */
static int rejoin(struct txn *t, const struct returning *r, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct team_machine *list;
    size_t count;
    const char *name = r->name;
    bool same = false, listed = false;
    int number;
    struct query row = db_query(t->db, e, "SELECT store, name FROM team", "");
    if (db_next(&row)) {
        same = same_text(db_text(&arena, row.stmt, 0), r->store);
        name = db_text(&arena, row.stmt, 1);
    }
    if (db_end(&row) || transport_machines(r->transport, &arena, &list, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        listed = listed || (list[i].number == t->team.machine && !list[i].damaged);
    if (!same || listed)
        return error_set(e, ERROR_CONFLICT, "stemma team status says which.",
                         "this store belongs to a team already");
    t->data_version = -1; /* read the changed row */
    return join_anew(r->transport, name, &arena, &name, &number, e) ||
                   db_run(t->db, e, "UPDATE team SET machine = ?, name = ?, address = ?", "iss",
                          (int64_t)number, name, r->address)
               ? -1
               : 0;
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
        return rejoin(t, r, e);
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
    bool anyway = *(bool *)arg;
    if (!t->team.member)
        return error_set(e, ERROR_NOT_FOUND, "", "this store belongs to no team");
    if (t->last_seq > t->team.confirmed && !anyway)
        return error_set(e, ERROR_CONFLICT,
                         "Run stemma team status where the team can be reached; with --yes the "
                         "store leaves, and keeps them for itself.",
                         "the team does not have %lld event%s of this store yet",
                         (long long)(t->last_seq - t->team.confirmed),
                         t->last_seq - t->team.confirmed == 1 ? "" : "s");
    t->data_version = -1;
    return note_imports(t, e) || db_run(t->db, e, "DELETE FROM team", "") ||
                   db_run(t->db, e, "DELETE FROM outbox", "") ||
                   db_run(t->db, e, "DELETE FROM machine", "")
               ? -1
               : 0;
}

int team_leave(struct store *s, bool anyway, struct error *e)
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
    if (store_run_alone(s, leave, &anyway, e))
        return -1;
    struct transport *t = transport_open(now.address, now.store, &ignored);
    if (t)
        transport_leave(t, now.machine, &ignored);
    transport_close(t);
    return 0;
}

int team_remove(struct store *s, const struct team_status *now, int machine, struct error *e)
{
    struct transport *t = transport_open(now->address, now->store, e);
    int result = t ? transport_leave(t, machine, e) : -1;
    if (result && t && e->code == ERROR_REFUSED)
        snprintf(e->hint, sizeof(e->hint),
                 "Who began the team, or owns the schema, does: SELECT stemma.leave('%s', %d).",
                 now->store, machine);
    transport_close(t);
    return result ? result : team_sync(s, e);
}
