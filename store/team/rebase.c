/*
 * Makes the events again that the team does not have, after those that it has instead. The former
 * are at the end of the journal, with the lines of their memories in the outbox.
 */
#include "store/team/team_internal.h"

#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/team/merge.h"
#include "store/db/db.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/record/waiting.h"

/* An event that is made again. */
struct pending {
    int64_t seq, again; /* its place before and after; `again` is 0 while it has none */
    const char *text;   /* canonical */
    struct canonical c;
    struct ref ref; /* id is NULL if it is not about a memory */
    int64_t node;
    const char *reason, *before, *after; /* lines; NULL if there was no memory */
    bool first;                          /* of its memory */
};

struct rebase {
    struct txn *t;
    struct arena arena;
    struct pending *list;
    size_t count, alloc;
    int64_t base, received; /* the events of others are from base + 1 to `received` */
};

int team_read_line(const struct memory **out, const char *line, struct arena *arena,
                   struct error *e)
{
    struct memory *m = arena_alloc(arena, sizeof(*m));
    *out = line ? m : NULL;
    return line ? memory_json_read(m, arena, line, strlen(line), "", 0, NULL, e) : 0;
}

/* ---- taking back ---- */

static int damaged(int64_t seq, struct error *e)
{
    return error_set(e, ERROR_STORE, "Run stemma fsck on the store.", "event %lld cannot be read",
                     (long long)seq);
}

static int read_pending(struct rebase *r, sqlite3_stmt *stmt, struct pending *p, struct error *e)
{
    struct arena *a = &r->arena;
    const char *patch = db_text(a, stmt, 3);
    *p = (struct pending){.seq = sqlite3_column_int64(stmt, 0),
                          .node = sqlite3_column_int64(stmt, 1),
                          .text = db_text(a, stmt, 2),
                          .before = db_text(a, stmt, 4),
                          .after = db_text(a, stmt, 5)};
    if (!p->text || canonical_read(&p->c, a, p->text, strlen(p->text)) ||
        (p->c.ref && ref_parse(p->c.ref, &p->ref) != REF_MEMORY))
        return damaged(p->seq, e);
    if (patch) {
        struct json_slice reason = json_member(patch, strlen(patch), "reason");
        p->reason = reason.ptr ? json_text(a, reason, NULL) : NULL;
    }
    return 0;
}

static int read_list(struct rebase *r, struct error *e)
{
    struct key_index seen = KEY_INDEX_INIT;
    struct query rows =
        db_query(r->t->db, e,
                 "SELECT e.seq, e.subject, e.canonical, e.patch, o.before, o.after FROM event e"
                 " LEFT JOIN outbox o ON o.seq = e.seq WHERE e.seq > ? ORDER BY e.seq",
                 "i", r->base);
    while (db_next(&rows)) {
        struct pending *p = ARENA_ADD(&r->arena, r->list, r->count, r->alloc);
        if (read_pending(r, rows.stmt, p, e)) {
            key_index_release(&seen);
            return db_fail(&rows);
        }
        size_t had = seen.count;
        if (p->c.ref)
            key_index_add(&seen, p->c.ref, strlen(p->c.ref));
        p->first = seen.count > had;
    }
    key_index_release(&seen);
    return db_end(&rows);
}

/* Puts a memory back as the team has it. */
static int put_back(struct rebase *r, const struct pending *p, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct txn *t = r->t;
    struct memory now;
    const struct memory *was;
    struct put how = {.operation = p->c.operation, .taken_back = true};
    struct actor nobody = {.name = p->c.actor};
    if (db_int(t->db, &how.event, 0, e,
               "SELECT coalesce(max(seq), 0) FROM event WHERE subject = ? AND seq <= ?", "ii",
               p->node, r->base) ||
        memory_read_db(t->db, &arena, p->node, &now, e) ||
        team_read_line(&was, p->before, &arena, e))
        return -1;
    bool exists = now.status != STATUS_MISSING;
    if (exists || was) {
        struct memory after;
        if (was)
            after = *was;
        if (txn_put_as(t, &nobody, &how, exists ? &now : NULL, was ? &after : NULL, e))
            return -1;
        return 0;
    }
    return db_run(t->db, e, "UPDATE memory SET event = ? WHERE id = ? AND status = 7", "ri",
                  how.event, p->node);
}

static int renew_waiting(struct rebase *r, const struct pending *p, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory now;
    return memory_read_db(r->t->db, &arena, p->node, &now, e) || waiting_renew(r->t, &now, e) ? -1
                                                                                              : 0;
}

static int take_back(struct rebase *r, struct error *e)
{
    struct txn *t = r->t;
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].first && put_back(r, &r->list[i], e))
            return -1;
    if (db_run(t->db, e, "DELETE FROM event WHERE seq > ?", "i", r->base) ||
        db_run(t->db, e, "DELETE FROM outbox", "") ||
        db_run(t->db, e, "UPDATE team SET rewrites = rewrites + 1", ""))
        return -1;
    t->last_seq = r->base;
    t->last_hash = t->team.hash;
    t->generation++;
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].first && renew_waiting(r, &r->list[i], e))
            return -1;
    return 0;
}

/* ---- making again ---- */

/* An event is undone once. 1: made; 0: refused, for the reason in `why`; -1: an error. */
static int undone_seq(const struct rebase *r, const struct pending *p, int64_t *out,
                      struct error *why, struct error *e)
{
    int64_t undone;
    *out = p->c.undoes > r->base ? r->list[p->c.undoes - r->base - 1].again : p->c.undoes;
    if (!p->c.undoes)
        return 1;
    if (!*out) {
        error_set(why, ERROR_CONFLICT, "", "what it takes back did not hold");
        return 0;
    }
    if (db_int(r->t->db, &undone, 0, e, "SELECT EXISTS (SELECT 1 FROM event WHERE undoes = ?)", "i",
               *out))
        return -1;
    if (undone)
        error_set(why, ERROR_CONFLICT, "", "others have undone event %lld", (long long)*out);
    return !undone;
}

static int is_by_person(const struct rebase *r, int64_t node, bool *out, struct error *e)
{
    int64_t found;
    int result = db_int(r->t->db, &found, 0, e,
                        "SELECT EXISTS (SELECT 1 FROM event WHERE subject = ? AND seq > ? AND seq"
                        " <= ? AND person)",
                        "iii", node, r->base, r->received);
    *out = found != 0;
    return result;
}

/* `theirs` is the memory as it is now; it is kept for a person if the change is refused. */
static int make_change(struct rebase *r, const struct pending *p, const struct actor *actor,
                       struct put *how, const struct memory **theirs, struct arena *arena,
                       struct error *why, struct error *e)
{
    struct txn *t = r->t;
    struct merge m = {.by_person = journal_is_by_hand(p->c.class_name, p->c.origin)};
    const struct memory *merged;
    struct memory *now = arena_alloc(arena, sizeof(*now)), after;
    int64_t node = txn_ref(t, p->ref, false, e);
    if (node < 0 || team_read_line(&m.was, p->before, arena, e) ||
        team_read_line(&m.mine, p->after, arena, e) ||
        (node && memory_read_db(t->db, arena, node, now, e)) ||
        is_by_person(r, node, &m.theirs_by_person, e))
        return -1;
    *theirs = m.theirs = node && now->status != STATUS_MISSING ? now : NULL;
    int holds = merge_change(&merged, &m, arena, why, e);
    if (holds <= 0 || merge_is_same(merged, m.theirs))
        return holds;
    if (merged)
        after = *merged;
    if (txn_put_as(t, actor, how, m.theirs, merged ? &after : NULL, e) == 0)
        return 1;
    if (e->code != ERROR_CONFLICT || t->failed)
        return -1;
    *why = *e;
    return 0;
}

static int make_again(struct rebase *r, struct pending *p, const struct memory **theirs,
                      struct arena *arena, struct error *why, struct error *e)
{
    struct txn *t = r->t;
    int64_t now = t->now, last = t->last_seq, event = 0;
    struct actor actor = {.class = same_text(p->c.class_name, "agent") ? ACTOR_AGENT : ACTOR_PERSON,
                          .name = p->c.actor,
                          .agent = p->c.agent,
                          .origin = p->c.origin,
                          .correlation = p->c.correlation,
                          .session = p->c.session,
                          .claimed = p->c.claimed};
    struct put how = {.operation = p->c.operation, .reason = p->reason, .again = true};
    int holds = undone_seq(r, p, &how.undoes, why, e);
    if (holds <= 0)
        return holds;
    t->now = p->c.at; /* when it was done */
    if (p->c.ref)
        holds = make_change(r, p, &actor, &how, theirs, arena, why, e);
    else if (journal_append(t, &actor,
                            &(struct change){.operation = p->c.operation,
                                             .reason = p->reason,
                                             .undoes = how.undoes},
                            e))
        holds = -1;
    t->now = now;
    p->again =
        holds > 0 && t->last_seq > last ? t->last_seq : 0; /* others may have done the same */
    if (holds > 0 && p->node &&
        (db_int(t->db, &event, 0, e, "SELECT coalesce(event, 0) FROM memory WHERE id = ?", "i",
                p->node) ||
         db_run(t->db, e, "UPDATE imported SET event = ? WHERE memory = ? AND event = ?", "iii",
                event, p->node, p->seq)))
        return -1;
    return holds;
}

static int dispute(struct rebase *r, const struct pending *p, const struct memory *theirs,
                   const char *reason, struct error *e)
{
    AUTO_STRBUF line = STRBUF_INIT;
    int64_t purged; /* then nothing of it stays, here either */
    if (db_int(r->t->db, &purged, 0, e,
               "SELECT EXISTS (SELECT 1 FROM event WHERE subject = ? AND seq > ? AND operation ="
               " 'purge')",
               "ii", p->node, r->base))
        return -1;
    if (theirs && !purged)
        memory_json_write(&line, theirs, NULL);
    if (db_run(r->t->db, e,
               "INSERT INTO disputed(at, memory, ref, person, canonical, reason, base, mine,"
               " theirs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
               "irsisssss", r->t->now, p->node, p->c.ref,
               (int64_t)journal_is_by_hand(p->c.class_name, p->c.origin), p->text, reason,
               purged ? NULL : p->before, purged ? NULL : p->after, line.len ? line.buf : NULL))
        return -1;
    return p->node ? renew_waiting(r, p, e) : 0;
}

/* The changes of one batch hold together or not at all. Returns the number of them, or 0 on error. */
static size_t make_unit(struct rebase *r, size_t first, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error why;
    const struct memory *theirs = NULL;
    size_t end = first, i;
    int holds = 1;
    const char *batch = r->list[first].c.correlation;
    do
        end++;
    while (batch && end < r->count && same_text(batch, r->list[end].c.correlation));
    if (txn_save(r->t, e))
        return 0;
    for (i = first; i < end && holds > 0; i++) {
        theirs = NULL;
        holds = make_again(r, &r->list[i], &theirs, &arena, &why, e);
    }
    if (holds < 0 || (holds > 0 ? txn_release(r->t, e) : txn_undo(r->t, e)))
        return 0;
    for (size_t k = first; k < end && !holds; k++) {
        r->list[k].again = 0;
        if (dispute(r, &r->list[k], k == i - 1 ? theirs : NULL,
                    k == i - 1 ? why.what : "it is part of a change that did not hold", e))
            return 0;
    }
    return end - first;
}

int team_rebase(struct txn *t, int (*receive)(struct txn *t, void *arg, struct error *e), void *arg,
                struct error *e)
{
    struct rebase r = {.t = t, .base = t->team.confirmed};
    struct savepoint saved = t->saved;
    int result = read_list(&r, e) || take_back(&r, e) || receive(t, arg, e) ? -1 : 0;
    r.received = t->last_seq;
    for (size_t i = 0, made; i < r.count && result == 0; i += made)
        if (!(made = make_unit(&r, i, e)))
            result = -1;
    t->saved = saved; /* of a job that this is part of */
    arena_release(&r.arena);
    return result;
}
