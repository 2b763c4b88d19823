/* What the writer asks of a replica: sending, catching up, and what becomes of jobs that run again. */
#include "store/team/team_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/error.h"
#include "model/team/merge.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"

#define CHUNK    1000  /* events of one append, and of one fetch */
#define RETRY_MS 10000 /* until a team that could not be reached is asked again */

static struct team_link *link_of(struct txn *t)
{
    if (!t->store->team_link)
        t->store->team_link = xcalloc(1, sizeof(*t->store->team_link));
    return t->store->team_link;
}

/* ---- the connection ---- */

static void note_problem(struct txn *t, const struct error *why)
{
    struct error ignored, joined;
    if (why) {
        joined = *why;
        error_join(&joined);
    }
    db_run(t->db, &ignored, "UPDATE team SET problem = ? WHERE problem IS NOT ?1", "s",
           why ? joined.what : NULL);
}

/* Nothing of the writer's waits for a team that cannot be reached: what it does is kept. */
static void lose(struct txn *t, const struct error *why)
{
    struct team_link *link = link_of(t);
    transport_close(link->transport);
    link->transport = NULL;
    link->locked = false;
    link->retry_at = monotonic_ms() + RETRY_MS;
    note_problem(t, why);
}

/* The transport, connected; NULL if the team cannot be reached now. */
static struct transport *reach(struct txn *t)
{
    struct error e;
    struct team_link *link = link_of(t);
    if (link->transport || monotonic_ms() < link->retry_at)
        return link->transport;
    struct query row = db_query(t->db, &e, "SELECT address, store FROM team", "");
    if (db_next(&row))
        link->transport = transport_open((const char *)sqlite3_column_text(row.stmt, 0),
                                         (const char *)sqlite3_column_text(row.stmt, 1), &e);
    sqlite3_reset(row.stmt);
    if (link->transport)
        note_problem(t, NULL);
    else
        lose(t, &e);
    return link->transport;
}

void team_explain(struct transport *transport, int machine, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct team_machine *list;
    struct error other;
    size_t count;
    if ((e->code != ERROR_REFUSED && e->code != ERROR_NOT_FOUND) ||
        transport_machines(transport, &arena, &list, &count, &other))
        return;
    for (size_t i = 0; i < count; i++)
        if (list[i].number == machine)
            return;
    error_set(e, ERROR_REFUSED,
              "stemma team join URL registers it again, and sends what waits here.",
              "this machine was removed from the team");
}

int team_confirm(struct txn *t, const struct chain_end *end, struct error *e)
{
    if (db_run(t->db, e, "UPDATE team SET confirmed = ?, hash = ?, seen_at = ?", "ibi", end->count,
               end->count ? end->hash.bytes : NULL, (size_t)DIGEST_SIZE, store_now(t->store)) ||
        db_run(t->db, e, "DELETE FROM outbox WHERE seq <= ?", "i", end->count))
        return -1;
    t->team.confirmed = end->count;
    if (atomic_load(&t->store->team_head) < end->count)
        atomic_store(&t->store->team_head, end->count);
    if (end->count)
        t->team.hash = end->hash;
    return 0;
}

/* ---- receiving ---- */

struct fetch {
    struct transport *transport;
    int64_t until;
    struct arena arena;
    struct team_event *events;
    size_t count, at;     /* events[at] is the next */
    int64_t last;         /* no event after this one is applied */
    int64_t bad;          /* the event that could not be applied; 0: none */
    struct error problem; /* why what follows the applied events could not be fetched */
};

static int fetch(struct fetch *f, int64_t after, struct error *e)
{
    arena_clear(&f->arena);
    f->at = 0;
    return transport_fetch(f->transport, after, CHUNK, &f->arena, &f->events, &f->count, e);
}

/* Applies what was fetched, and what follows as far as `until` and can be fetched. */
static int receive_all(struct txn *t, void *arg, struct error *e)
{
    struct fetch *f = arg;
    do {
        for (; f->at < f->count && f->events[f->at].seq <= f->last; f->at++)
            if (team_receive(t, &f->events[f->at], e)) {
                f->bad = f->events[f->at].seq;
                return -1;
            }
        struct chain_end end = {t->last_seq, t->last_hash};
        if (team_confirm(t, &end, e) || txn_end_job(t, e))
            return -1;
        if (t->last_seq >= f->until)
            return 0;
    } while (f->at == f->count && fetch(f, t->last_seq, &f->problem) == 0 && f->count > 0);
    return 0;
}

/*
 * Skips the events that are here already: they were sent, and the answer was lost. Returns 1 if
 * another event follows, 0 if not.
 */
static int skip_own(struct txn *t, struct fetch *f, struct error *e)
{
    struct chain_end end = {t->team.confirmed, t->team.hash};
    for (; f->at < f->count && f->events[f->at].seq <= t->last_seq; f->at++) {
        struct query row =
            db_query(t->db, e, "SELECT hash FROM event WHERE seq = ?", "i", f->events[f->at].seq);
        bool same =
            db_next(&row) && sqlite3_column_bytes(row.stmt, 0) == DIGEST_SIZE &&
            memcmp(sqlite3_column_blob(row.stmt, 0), f->events[f->at].hash.bytes, DIGEST_SIZE) == 0;
        if (db_end(&row))
            return -1;
        if (!same)
            break;
        end = (struct chain_end){f->events[f->at].seq, f->events[f->at].hash};
    }
    if (end.count > t->team.confirmed && team_confirm(t, &end, e))
        return -1;
    return f->at < f->count && f->events[f->at].seq <= f->last;
}

static int receive(struct txn *t, struct fetch *f, struct error *e)
{
    for (;;) {
        int64_t had = t->team.confirmed;
        int more = skip_own(t, f, e);
        if (more < 0)
            return -1;
        if (more)
            return t->last_seq > t->team.confirmed ? team_rebase(t, receive_all, f, e)
                                                   : receive_all(t, f, e);
        if (t->team.confirmed == had || fetch(f, t->team.confirmed, &f->problem) || f->count == 0)
            return 0;
    }
}

/*
 * Nothing was fetched. A journal that ends before what this replica has from it is not the one that
 * it followed, and one that goes on has the next event.
 */
static int check_end(struct txn *t, struct fetch *f, struct error *e)
{
    struct chain_end head;
    if (transport_head(f->transport, &head, e))
        return -1;
    if (head.count == t->team.confirmed && (!head.count || digest_equal(&head.hash, &t->team.hash)))
        return 0;
    if (head.count > t->team.confirmed) /* appended since, or lost there */
        return fetch(f, t->team.confirmed, e) ? -1
               : f->count                     ? 0
                          : error_set(e, ERROR_STORE, "stemma fsck compares the journals.",
                                      "the team's journal ends at event %lld, but lacks event %lld",
                                      (long long)head.count, (long long)t->team.confirmed + 1);
    return error_set(
        e, ERROR_STORE, "Was a backup restored there? Run stemma fsck.",
        head.count < t->team.confirmed
            ? "the team's journal ends at event %lld, and this store has event %lld of it"
            : "event %lld of the team's journal is not the event %lld of this store",
        (long long)head.count, (long long)t->team.confirmed);
}

static int ask(struct txn *t, struct fetch *f, struct error *e)
{
    int64_t began = monotonic_us();
    int result = fetch(f, t->team.confirmed, e);
    if (result == 0 && f->count == 0)
        result = check_end(t, f, e);
    atomic_store(&t->store->team_answered_us, monotonic_us() - began);
    return result;
}

/* Back to the savepoint of team_catch_up. */
static int take_back(struct txn *t, const struct savepoint *saved, struct error *e)
{
    if (txn_undo(t, e))
        return -1;
    t->saved = *saved;
    t->failed = false;
    return 0;
}

/*
 * What comes before an event that cannot be fetched or applied is applied; the rest leaves the
 * replica as it was, with the problem noted: it goes on as if the team could not be reached.
 */
int team_catch_up_until(struct txn *t, bool lock, int64_t until, struct error *e)
{
    struct error lost;
    struct team_link *link = link_of(t);
    struct fetch f = {.transport = reach(t), .until = until, .last = INT64_MAX};
    struct savepoint saved = t->saved;
    int64_t had = t->team.confirmed;
    if (!f.transport)
        return 0;
    if (lock && !link->locked)
        link->locked = transport_lock(f.transport, &lost) == 0;
    /* What is applied below may be flushed, and is then rolled back alone. */
    if (text_index_flush(&t->index, t->db, e) || txn_save(t, e))
        return -1;
    int result = ask(t, &f, &lost) || receive(t, &f, &lost) ? -1 : 0;
    if (result && f.bad > had + 1 && !txn_is_lost(t)) { /* again, up to the bad one */
        f.problem = lost;
        f.last = f.bad - 1;
        if (take_back(t, &saved, e) || txn_save(t, e))
            return -1;
        result = ask(t, &f, &lost) || receive(t, &f, &lost) ? -1 : 0;
    }
    arena_release(&f.arena);
    if (txn_is_lost(t)) {
        *e = lost;
        return -1;
    }
    if (result ? take_back(t, &saved, e) : txn_release(t, e))
        return -1;
    t->saved = saved;
    if (result || f.problem.code)
        lose(t, result ? &lost : &f.problem);
    else
        note_problem(t, NULL);
    return 0;
}

int team_catch_up(struct txn *t, bool lock, struct error *e)
{
    return team_catch_up_until(t, lock, INT64_MAX, e);
}

/* Before a batch, and after others were faster: who is far behind comes again. */
static int catch_up_some(struct txn *t, bool lock, struct error *e)
{
    return team_catch_up_until(t, lock, lock ? INT64_MAX : t->team.confirmed + SYNC_EVENTS, e);
}

/* ---- sending ---- */

/* Reads the next events of the outbox. */
static int read_outbox(struct txn *t, struct arena *arena, struct team_event **out, size_t *count,
                       struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    struct query rows =
        db_query(t->db, e,
                 "SELECT e.seq, e.canonical, e.salt, e.patch, e.hash, o.after FROM event e LEFT"
                 " JOIN outbox o ON o.seq = e.seq WHERE e.seq > ? ORDER BY e.seq LIMIT ?",
                 "ii", t->team.confirmed, (int64_t)CHUNK);
    while (db_next(&rows)) {
        struct team_event *v = ARENA_ADD(arena, *out, *count, alloc);
        *v = (struct team_event){.seq = sqlite3_column_int64(rows.stmt, 0),
                                 .canonical = db_text(arena, rows.stmt, 1),
                                 .patch = db_text(arena, rows.stmt, 3),
                                 .line = db_text(arena, rows.stmt, 5)};
        if (sqlite3_column_bytes(rows.stmt, 2) == SALT_SIZE)
            v->salt = arena_memdup(arena, sqlite3_column_blob(rows.stmt, 2), SALT_SIZE);
        if (sqlite3_column_bytes(rows.stmt, 4) == DIGEST_SIZE)
            memcpy(v->hash.bytes, sqlite3_column_blob(rows.stmt, 4), DIGEST_SIZE);
    }
    return db_end(&rows);
}

static int erases(struct txn *t, int64_t first, struct error *e)
{
    int64_t found;
    return db_int(t->db, &found, 0, e,
                  "SELECT EXISTS (SELECT 1 FROM event WHERE seq >= ? AND operation IN ('purge',"
                  " 'expire', 'evict', 'sweep'))",
                  "i", first)
               ? -1
               : found != 0;
}

/* Keeps the events in the outbox. What erases must reach all machines, so it does not wait there. */
static int keep(struct txn *t, enum team_outcome *out, struct error *e)
{
    int erasing = erases(t, t->team.confirmed + 1, e);
    *out = TEAM_KEPT;
    return erasing <= 0
               ? erasing
               : error_set(e, ERROR_BUSY, "Try again when it can; stemma team status says.",
                           "the team cannot be reached, and this erases on every machine");
}

/* Appends one chunk. 1: done; 0: others were faster; -1: the team cannot be reached, or `e`. */
static int append_chunk(struct txn *t, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct team_event *events;
    size_t count;
    struct team_link *link = link_of(t);
    struct chain_end base = {t->team.confirmed, t->team.hash};
    if (read_outbox(t, &arena, &events, &count, e))
        return -1;
    int64_t began = monotonic_us();
    int done = transport_append(link->transport, t->team.machine, &base, events, count, e);
    atomic_store(&t->store->team_answered_us, monotonic_us() - began);
    if (done < 0) {
        team_explain(link->transport, t->team.machine, e);
        lose(t, e);
    }
    link->locked = false;
    if (done <= 0)
        return done;
    return team_confirm(t, &(struct chain_end){events[count - 1].seq, events[count - 1].hash}, e)
               ? -1
               : 1;
}

static int send_all(struct txn *t, bool merge, enum team_outcome *out, struct error *e)
{
    struct team_link *link = link_of(t);
    for (int tries = 0; t->last_seq > t->team.confirmed; tries++) {
        if (!reach(t))
            return keep(t, out, e);
        int done = append_chunk(t, e);
        if (done < 0)
            return link->transport ? -1 : keep(t, out, e);
        if (done == 0 && !merge) {
            *out = TEAM_BEHIND;
            return 0;
        }
        if (done == 0 && team_catch_up(t, tries > 1, e))
            return -1;
    }
    *out = TEAM_SENT;
    return 0;
}

/* ---- jobs that run again ---- */

static int note_jobs(struct txn *t, const struct store_job *jobs, const struct store_job *end,
                     struct error *e)
{
    struct team_link *link = link_of(t);
    arena_clear(&link->arena);
    link->noted = NULL;
    link->noted_after = t->team.confirmed;
    link->noted_count = link->noted_alloc = 0;
    for (const struct store_job *job = jobs; job != end; job = job->next) {
        struct query rows = db_query(t->db, e,
                                     "SELECT m.kind, m.name, o.before, o.after, e.person FROM"
                                     " outbox o JOIN event e ON e.seq = o.seq JOIN memory m ON m.id"
                                     " = e.subject WHERE o.seq >= ? AND o.seq < ? AND o.before IS"
                                     " NOT NULL",
                                     "ii", job->first, job->end);
        while (db_next(&rows))
            *ARENA_ADD(&link->arena, link->noted, link->noted_count, link->noted_alloc) =
                (struct noted){
                    .job = job,
                    .ref = arena_format(&link->arena, "%s:%s",
                                        kind_name((enum kind)sqlite3_column_int(rows.stmt, 0)),
                                        (const char *)sqlite3_column_text(rows.stmt, 1)),
                    .before = db_text(&link->arena, rows.stmt, 2),
                    .after = db_text(&link->arena, rows.stmt, 3),
                    .by_person = sqlite3_column_int(rows.stmt, 4) != 0};
        if (db_end(&rows))
            return -1;
    }
    return 0;
}

/* Whether what the job changed at first still holds after what others did to the memory. */
static int check_noted(struct txn *t, const struct noted *n, const struct store_job *job,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error why;
    struct merge m = {.by_person = n->by_person};
    const struct memory *merged;
    const char *theirs = NULL;
    struct ref ref;
    int64_t by_person = 0,
            node = ref_parse(n->ref, &ref) == REF_MEMORY ? txn_ref(t, ref, false, e) : 0;
    struct query row =
        db_query(t->db, e,
                 "SELECT o.before FROM outbox o JOIN event e ON e.seq = o.seq WHERE"
                 " o.seq >= ? AND o.seq < ? AND e.subject = ? ORDER BY o.seq LIMIT 1",
                 "iii", job->first, job->end, node);
    if (db_next(&row))
        theirs = db_text(&arena, row.stmt, 0);
    if (db_end(&row))
        return -1;
    if (!theirs || strcmp(theirs, n->before) == 0)
        return 0;
    if (db_int(t->db, &by_person, 0, e,
               "SELECT EXISTS (SELECT 1 FROM event WHERE subject = ? AND seq > ? AND seq < ? AND"
               " person)",
               "iii", node, link_of(t)->noted_after, job->first) ||
        team_read_line(&m.was, n->before, &arena, e) ||
        team_read_line(&m.mine, n->after, &arena, e) ||
        team_read_line(&m.theirs, theirs, &arena, e))
        return -1;
    m.theirs_by_person = by_person != 0;
    int holds = merge_change(&merged, &m, &arena, &why, e);
    if (holds)
        return holds < 0 ? -1 : 0;
    *e = why;
    return e->what[0] && strncmp(e->what, n->ref, strlen(n->ref)) != 0
               ? error_prefix(e, "%s", n->ref)
               : -1;
}

static int check_job(struct txn *t, const struct store_job *job, struct error *e)
{
    struct team_link *link = link_of(t);
    enum team_outcome ignored;
    if (job->end == job->first)
        return 0;
    if (!link->transport && monotonic_ms() < link->retry_at) {
        int erasing = erases(t, job->first, e);
        if (erasing)
            return erasing < 0 ? -1 : keep(t, &ignored, e);
    }
    for (size_t i = 0; i < link->noted_count; i++)
        if (link->noted[i].job == job && check_noted(t, &link->noted[i], job, e))
            return -1;
    return 0;
}

static void done_jobs(struct team_link *link)
{
    if (!link)
        return;
    link->noted_count = 0;
    if (link->locked && link->transport)
        transport_unlock(link->transport);
    link->locked = false;
}

static void close_link(struct team_link *link)
{
    if (!link)
        return;
    transport_close(link->transport);
    arena_release(&link->arena);
    free(link);
}

const struct team_ops team_ops = {
    .send = send_all,
    .note = note_jobs,
    .catch_up = catch_up_some,
    .check = check_job,
    .done = done_jobs,
    .close = close_link,
};
