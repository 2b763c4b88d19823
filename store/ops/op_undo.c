/*
 * Undo and redo by compensating events. Events are taken back newest first: the fields that an
 * event changed are restored if they still have the values that it left. If any of them does not,
 * nothing is changed at all.
 *
 * The fields restored are those of the original event. The new event is appended to its chain
 * (history.h): undoing an event that was undone and redone undoes the redo; undoing an undo is a
 * redo.
 */
#include "store/ops/operation_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/format/difference.h"
#include "model/format/memory_json.h"
#include "store/record/entry_row.h"
#include "store/history/history.h"
#include "model/base/map.h"
#include "store/query/list.h"
#include "store/record/get.h"

/* Limits of one undo; an event of an import takes some 2 KB. The number of events is checked first,
 * the memory used while reading. */
#define EVENTS_MAX 100000
#define BYTES_MAX  ((size_t)1 << 30)

/* An event to take back. */
struct target {
    int64_t seq, node;
    int64_t undoes;        /* the last event of its chain */
    const char *operation; /* "undo" or "redo" */
    /* the states around the original event; either may be NULL */
    const struct memory *before, *after;
    const struct memory *now; /* the current state; NULL for a stub */
    struct memory *out;       /* the restored state; NULL for a stub */
    bool erased;              /* the state before the event is no longer stored */
};

struct undo {
    struct plan *p;
    struct error *e;
    struct target *target;
    size_t count;
    size_t at; /* position of the walk */
};

static int too_many(int64_t count, struct error *e)
{
    return error_set(e, ERROR_REFUSED,
                     "Restore a copy of the store, or undo the events of single memories.",
                     "%lld events belong together, but at most %d can be undone at once",
                     (long long)count, EVENTS_MAX);
}

/* ---- selecting events ---- */

/* An import may have millions of events: count them before reading them. */
static int check_size(struct plan *p, int64_t seq, struct error *e)
{
    int64_t count;
    if (db_int(reader_db(p->reader), &count, 0, e,
               "SELECT count(*) FROM (SELECT 1 FROM event a JOIN event b"
               " ON b.correlation = a.correlation WHERE a.seq = ? LIMIT 10000000)",
               "i", seq))
        return -1;
    return count > EVENTS_MAX ? too_many(count, e) : 0;
}

static int add_batch(struct plan *p, int64_t seq, struct row_index *all, struct error *e)
{
    int64_t *batch;
    size_t count;
    if (check_size(p, seq, e) || history_batch(p->reader, p->arena, seq, &batch, &count, e))
        return -1;
    if (count == 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma log` lists the events.",
                         "there is no event %lld", (long long)seq);
    for (size_t i = 0; i < count; i++)
        row_index_add(all, batch[i]);
    return all->count > EVENTS_MAX ? too_many((int64_t)all->count, e) : 0;
}

/* Adds the named events and all events of the same batches. */
static int add_named(struct plan *p, const struct request *q, struct row_index *all,
                     struct error *e)
{
    int64_t confirmed; /* -3 is the third event that the team does not have yet */
    if (db_int(reader_db(p->reader), &confirmed, 0, e, "SELECT confirmed FROM team", ""))
        return -1;
    for (size_t i = 0; i < q->seq_count; i++) {
        int64_t seq = q->seqs[i] < 0 && confirmed ? confirmed - q->seqs[i] : q->seqs[i];
        if ((seq < 1 || row_index_find(all, seq) == ROW_NONE) && add_batch(p, seq, all, e))
            return -1;
    }
    return 0;
}

/* ---- checking events ---- */

/* Sets *end to the last event of the chain, which the new event will name, or to 0 if the event was
 * taken back already. */
static int find_end(struct undo *u, int64_t seq, int64_t *end)
{
    bool undone;
    if (history_chain_end(u->p->reader, seq, end, &undone, u->e))
        return -1;
    if (undone)
        plan_leave(u->p, "event %lld is already undone, by event %lld", (long long)seq,
                   (long long)*end);
    *end = undone ? 0 : *end;
    return 0;
}

static int check_operation(int64_t seq, const char *operation, struct error *e)
{
    int op = operation_from_name(operation);
    if (strcmp(operation, "expire") == 0 || strcmp(operation, "evict") == 0 ||
        strcmp(operation, "sweep") == 0)
        return error_set(e, ERROR_REFUSED, "Put another value.",
                         "event %lld erased the value of an entry for good", (long long)seq);
    if (strcmp(operation, "apply") == 0)
        return error_set(e, ERROR_REFUSED, "`stemma apply --undo` writes back what was there.",
                         "event %lld wrote to a file outside the store", (long long)seq);
    if (op < 0 || op_spec((enum operation)op)->undoable)
        return 0;
    return error_set(e, ERROR_REFUSED, "The erased content is not stored anywhere.",
                     "event %lld is a %s, which cannot be undone", (long long)seq, operation);
}

static int read_target(struct undo *u, int64_t seq, struct target *out)
{
    struct query row = db_query(reader_db(u->p->reader), u->e,
                                "SELECT subject, operation FROM event WHERE seq = ?", "i", seq);
    *out = (struct target){.seq = seq, .operation = "undo"};
    if (!db_next(&row))
        return db_end(&row);
    const char *operation = (const char *)sqlite3_column_text(row.stmt, 1);
    out->node = sqlite3_column_int64(row.stmt, 0);
    out->operation = operation && strcmp(operation, "undo") == 0 ? "redo" : "undo";
    if (operation && check_operation(seq, operation, u->e))
        return db_fail(&row);
    return db_end(&row);
}

static int nothing_left(struct undo *u)
{
    if (u->p->left_count == 0)
        return error_set(u->e, ERROR_NOT_FOUND, "`stemma log` lists the events.",
                         "no event is named");
    return error_set(u->e, ERROR_REFUSED, "stemma history shows what happened to it.", "%s",
                     u->p->left[0]);
}

static int by_end(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    return x->undoes != y->undoes ? COMPARE(x->undoes, y->undoes) : COMPARE(y->seq, x->seq);
}

/* Keeps only the newest named event of each chain: taking it back takes back the older ones too. */
static void drop_others(struct undo *u)
{
    size_t kept = 0;
    SORT(u->target, u->count, by_end);
    for (size_t i = 0; i < u->count; i++)
        if (i == 0 || u->target[i].undoes != u->target[i - 1].undoes)
            u->target[kept++] = u->target[i];
    u->count = kept;
}

static int find_targets(struct undo *u, const int64_t *seqs, size_t count)
{
    int64_t about_none = 0; /* an event about no memory; skipped if the batch has others */
    u->target = arena_array(u->p->arena, count, sizeof(*u->target));
    for (size_t i = 0; i < count; i++) {
        int64_t end;
        if (find_end(u, seqs[i], &end))
            return -1;
        if (!end)
            continue;
        if (read_target(u, seqs[i], &u->target[u->count]))
            return -1;
        if (u->target[u->count].node <= 0)
            about_none = seqs[i];
        else
            u->target[u->count++].undoes = end;
    }
    if (about_none && u->count == 0 && u->p->left_count == 0)
        return error_set(u->e, ERROR_REFUSED, "", "event %lld is about no memory",
                         (long long)about_none);
    drop_others(u);
    return u->count ? 0 : nothing_left(u);
}

/* ---- restoring states ---- */

/* By memory; the events of one memory newest first, as read_states and take_back_of walk them. */
static int by_node(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    return x->node != y->node ? COMPARE(x->node, y->node) : COMPARE(y->seq, x->seq);
}

static int by_seq(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    return COMPARE(y->seq, x->seq);
}

static int read_states(void *arg, const struct revision *revision)
{
    struct undo *u = arg;
    struct target *t = &u->target[u->at];
    if (u->p->arena->used > BYTES_MAX)
        return 1;
    if (revision->event.seq != t->seq)
        return 0;
    t->before = revision->before;
    t->after = revision->after;
    t->erased = revision->event.before && !revision->event.patch;
    u->at++;
    return u->at == u->count || u->target[u->at].node != t->node;
}

static int changed_since(struct undo *u, const struct target *t, const char *how)
{
    const struct memory *m = t->after ? t->after : t->before;
    return error_set(u->e, ERROR_CONFLICT, "See its history, then edit it by hand.",
                     "event %lld: %s:%s %s", (long long)t->seq, REF_ARGS(m->ref), how);
}

/* An addition can be undone only if the memory was not changed since. */
static int check_unchanged(struct undo *u, const struct target *t)
{
    struct difference *list;
    size_t count;
    char how[128];
    memory_difference(t->after, t->now, u->p->arena, &list, &count);
    if (count == 0)
        return 0;
    snprintf(how, sizeof(how), "was changed since it was added: %.60s", list[0].field);
    return changed_since(u, t, how);
}

static struct memory *copy_of(struct undo *u, const struct memory *m)
{
    struct memory *copy = arena_memdup(u->p->arena, m, sizeof(*m));
    copy->updated_at = u->p->now;
    copy->version++;
    copy->form = NULL;
    return copy;
}

static int restore(struct undo *u, struct target *t)
{
    struct memory *out = copy_of(u, t->now);
    struct difference *list;
    /* An event may change nothing but record a person's decision: then `changes` is 0. */
    size_t count, changes;
    int64_t version = t->now->version + 1;
    if (!out)
        return -1;
    if (memory_json_restore(out, t->now, t->before, t->after, u->p->arena, u->e))
        return error_prefix(u->e, "event %lld", (long long)t->seq);
    out->updated_at = u->p->now;
    out->version = version;
    memory_difference(t->now, out, u->p->arena, &list, &count);
    memory_difference(t->before, t->after, u->p->arena, &list, &changes);
    if (count == 0 && changes)
        return changed_since(u, t, "already has the state before it: another change restored it");
    t->out = out;
    return 0;
}

static int take_back(struct undo *u, struct target *t)
{
    if (!t->after != !t->now)
        return changed_since(u, t, t->now ? "was added again later" : "was undone later");
    if (!t->before)
        return check_unchanged(u, t);
    if (t->now)
        return restore(u, t);
    return (t->out = copy_of(u, t->before)) ? 0 : -1;
}

/* A purged memory cannot come back; the other memories of the batch can. */
static void leave_purged(struct undo *u, const struct memory *now, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        u->target[i].seq = 0;
    plan_leave(u->p, "%s:%s was purged: none of its content is left", REF_ARGS(now->ref));
}

/* ---- documents that other memories use ---- */

static int compare_node(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = ((const struct target *)b)->node;
    return COMPARE(x, y);
}

static bool is_target(const struct undo *u, int64_t node)
{
    return bsearch(&node, u->target, u->count, sizeof(*u->target), compare_node) != NULL;
}

/* Sets *by to the first living memory that is based on the document and is not taken back too, or
 * to 0. */
static int find_other_user(struct undo *u, int64_t document, int64_t *by)
{
    static const char sql[] =
        "SELECT m.id FROM link l INDEXED BY link_target JOIN memory m ON m.id = l.memory"
        " WHERE l.target = ? AND l.shape & 31 < 16 AND m.status < 3 ORDER BY m.id";
    struct query rows = db_query(reader_db(u->p->reader), u->e, sql, "i", document);
    for (*by = 0; !*by && db_next(&rows);)
        if (!is_target(u, sqlite3_column_int64(rows.stmt, 0)))
            *by = sqlite3_column_int64(rows.stmt, 0);
    return db_end(&rows);
}

static int leave_document(struct undo *u, const struct memory *now, size_t first, size_t end,
                          int64_t by)
{
    struct memory_row user;
    for (size_t i = first; i < end; i++)
        u->target[i].seq = 0;
    if (!by)
        return plan_leave(u->p, "document:%s stays: it was changed since", now->ref.id);
    if (memory_row_read(u->p->reader, u->p->arena, by, &user, u->e))
        return -1;
    plan_leave(u->p, "document:%s stays: %s:%s is based on it", now->ref.id, REF_ARGS(user.ref));
    return 0;
}

/*
 * A document is added with the first chain or citation that uses it, but others may use it later.
 * Undoing that batch keeps the document if another memory uses it or if it was changed since.
 * Returns 1 if it stays, 0 if not, -1 on error.
 */
static int document_stays(struct undo *u, const struct memory *now, size_t first, size_t end)
{
    int64_t by = 0;
    struct difference *list;
    size_t changes = 0;
    bool added = now && now->ref.kind == KIND_DOCUMENT && !u->target[end - 1].before &&
                 u->count > end - first;
    if (!added)
        return 0;
    if (find_other_user(u, now->node, &by))
        return -1;
    if (u->target[first].after)
        memory_difference(u->target[first].after, now, u->p->arena, &list, &changes);
    return by == 0 && changes == 0 ? 0 : leave_document(u, now, first, end, by) ? -1 : 1;
}

static int erased(struct undo *u, const struct target *t)
{
    return error_set(u->e, ERROR_REFUSED, "Put another value.",
                     "event %lld is on an entry that has expired: its value is erased",
                     (long long)t->seq);
}

/* Refuses to restore a value whose expiry has passed: it would be erased at once, and no redo
 * brings it back. */
static int check_expiry(struct undo *u, const struct memory *was, const struct memory *out)
{
    if (!was || !out || out->ref.kind != KIND_ENTRY || out->status == STATUS_EXPIRED)
        return 0;
    if (!entry_is_over(out, u->p->now) || entry_is_over(was, u->p->now))
        return 0;
    return error_set(u->e, ERROR_REFUSED, "Edit it and give a later expiry.",
                     "entry:%s would expire at once and lose its value for good", out->ref.id);
}

/* Takes back all events of one memory, from the target `u->at` on. Advances `at` past them. */
static int take_back_of(struct undo *u)
{
    size_t first = u->at, end = first;
    int64_t node = u->target[first].node;
    const struct memory *now;
    while (end < u->count && u->target[end].node == node)
        end++;
    if (history_walk_down(u->p->reader, u->p->arena, node, u->target[end - 1].seq, read_states, u,
                          &now, u->e))
        return -1;
    if (u->p->arena->used > BYTES_MAX)
        return error_set(
            u->e, ERROR_REFUSED, "Restore a copy of the store, or undo fewer events at once.",
            "undoing these %zu events needs more than %zu MB of memory", u->count, BYTES_MAX >> 20);
    if (u->at < end)
        return error_set(
            u->e, ERROR_STORE,
            "Run stemma fsck on the store; if all is well there, it is a fault of stemma.",
            "event %lld was not met on the way back to event %lld", (long long)u->target[u->at].seq,
            (long long)u->target[end - 1].seq);
    if (now && now->status == STATUS_PURGED) {
        leave_purged(u, now, first, end);
        return 0;
    }
    const struct memory *was = now;
    int stays = document_stays(u, now, first, end);
    if (stays)
        return stays < 0 ? -1 : 0;
    for (size_t i = first; i < end; i++) {
        if (u->target[i].erased)
            return erased(u, &u->target[i]);
        u->target[i].now = now;
        if (take_back(u, &u->target[i]))
            return -1;
        now = u->target[i].out;
    }
    return check_expiry(u, was, now);
}

/* ---- building the plan ---- */

/* Computes the consequences for memories that live now and will not live afterwards. */
static int note_consequences(struct undo *u)
{
    size_t count = 0;
    int64_t *rows = arena_array(u->p->arena, u->count, sizeof(*rows));
    for (size_t i = 0, end; i < u->count; i = end) { /* sorted by node, newest first */
        for (end = i + 1; end < u->count && u->target[end].node == u->target[i].node;)
            end++;
        if (u->target[i].seq == 0)
            continue;
        const struct memory *now = u->target[i].now, *out = u->target[end - 1].out;
        if (now && STATUS_LIVES(now->status) && !(out && STATUS_LIVES(out->status)))
            rows[count++] = u->target[i].node;
    }
    return count ? plan_consequences(u->p, rows, count, u->e) : 0;
}

static int append_all(struct undo *u, const char *reason)
{
    const char *why = arena_strdup(u->p->arena, reason);
    SORT(u->target, u->count, by_seq);
    for (size_t i = 0; i < u->count; i++) {
        const struct target *t = &u->target[i];
        if (t->seq == 0)
            continue;
        struct planned change = {.operation = t->operation,
                                 .before = t->now,
                                 .after = t->out,
                                 .reason = why,
                                 .undoes = t->undoes};
        plan_append(u->p, &change);
    }
    u->p->named = u->p->count;
    return u->p->count ? 0 : nothing_left(u);
}

static int take_back_all(struct plan *p, const int64_t *seqs, size_t count, const struct request *q,
                         struct error *e)
{
    struct undo u = {.p = p, .e = e};
    if (find_targets(&u, seqs, count))
        return -1;
    SORT(u.target, u.count, by_node);
    while (u.at < u.count)
        if (take_back_of(&u))
            return -1;
    return note_consequences(&u) || append_all(&u, q->reason) ? -1 : 0;
}

/* "the purge of note:n (event 7) and 2 more, which cannot be undone" */
static void describe_passed(struct strbuf *out, const struct passed *s)
{
    size_t more = s->purges ? s->purges - 1 : s->others - 1;
    const char *kind = kind_name(s->ref.kind);
    if (s->purges)
        strbuf_addf(out, "the purge of %s:%s (event %lld)", kind, s->ref.id, (long long)s->seq);
    else
        strbuf_addf(out, "event %lld on %s:%s", (long long)s->seq, kind, s->ref.id);
    if (more)
        strbuf_addf(out, " and %zu more", more);
    strbuf_addstr(out, s->purges ? ", which cannot be undone" : ", which was purged since");
}

static int remark_passed(struct plan *p, const struct passed *s)
{
    AUTO_STRBUF what = STRBUF_INIT;
    if (s->purges + s->others == 0)
        return 0;
    describe_passed(&what, s);
    int result = 0;
    plan_remark(p, "skipped %s", what.buf);
    return result;
}

/* Undo without a number skips imports. If an import is the last thing, report its number: returns 1
 * with the error set, 0 if there is none, -1 on error. */
static int report_import(struct plan *p, struct error *e)
{
    int64_t seq, count;
    char hint[80];
    if (history_last_import(p->reader, p->actor->name, &seq, &count, e))
        return -1;
    if (seq == 0)
        return 0;
    snprintf(hint, sizeof(hint), "stemma undo %lld undoes it.", (long long)seq);
    error_set(e, ERROR_NOT_FOUND, hint, "the last change was an import of %lld %s",
              (long long)count, count == 1 ? "memory" : "memories");
    return 1;
}

/* Adds a remark that a later import is not undone. */
static int remark_import(struct plan *p, int64_t undone, struct error *e)
{
    int64_t seq, count;
    if (history_last_import(p->reader, p->actor->name, &seq, &count, e))
        return -1;
    if (seq <= undone)
        return 0;
    plan_remark(p, "a later import of %lld %s stays: stemma undo %lld undoes it", (long long)count,
                count == 1 ? "memory" : "memories", (long long)seq);
    return 0;
}

/* A decision about a session concerns no memory; only another decision changes it. */
static int refuse_session_decision(const struct passed *s, struct error *e)
{
    const struct session_decision *decision = session_decision(s->decision);
    const char *opposite = decision->opposite;
    char before[64] = "", hint[128];
    if (s->before)
        snprintf(before, sizeof(before), "stemma undo %lld undoes your change before it",
                 (long long)s->before);
    snprintf(hint, sizeof(hint), "%s%s%s%s", opposite, *opposite && *before ? "; " : "", before,
             *opposite || *before ? "." : "");
    return error_set(e, ERROR_REFUSED, hint, "event %lld %s session %lld%s, which cannot be undone",
                     (long long)s->decided, decision->verb, (long long)s->session,
                     decision->result);
}

static int nothing_by(struct plan *p, bool redo, const struct passed *s, struct error *e)
{
    AUTO_STRBUF what = STRBUF_INIT;
    if (!redo && report_import(p, e))
        return -1;
    if (!redo && s->purges + s->others) {
        strbuf_addstr(&what, ", only ");
        describe_passed(&what, s);
    }
    error_set(e, ERROR_NOT_FOUND,
              redo ? "Redo works only directly after an undo."
                   : "Undo an event by its number, which `stemma history REF` shows; in the "
                     "explorer u undoes the one under the cursor of I or @.",
              "%s has no change to %s%s", p->actor->name, redo ? "redo" : "undo",
              what.len ? what.buf : "");
    return -1;
}

static int take_back_last(struct plan *p, const struct request *q, bool redo, struct error *e)
{
    int64_t *seqs;
    size_t count;
    struct passed passed;
    if (history_to_undo(p->reader, p->arena, p->actor->name, redo, &seqs, &count, &passed, e))
        return -1;
    if (!redo && passed.decision)
        return refuse_session_decision(&passed, e);
    if (count == 0)
        return nothing_by(p, redo, &passed, e);
    if (count > EVENTS_MAX)
        return too_many((int64_t)count, e);
    if (!redo && (remark_passed(p, &passed) || remark_import(p, seqs[0], e)))
        return -1;
    return take_back_all(p, seqs, count, q, e);
}

int op_undo(struct plan *p, const struct request *q, struct error *e)
{
    AUTO(row_index) all = ROW_INDEX_INIT;
    if (q->seq_count == 0)
        return take_back_last(p, q, false, e);
    return add_named(p, q, &all, e) || take_back_all(p, all.row, all.count, q, e) ? -1 : 0;
}

int op_redo(struct plan *p, const struct request *q, struct error *e)
{
    return take_back_last(p, q, true, e);
}
