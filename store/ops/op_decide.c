/*
 * Decisions about memories: protect (lock), retract, restore and forget. Each function plans the
 * change of one memory; operation.c calls it for each memory named.
 */
#include <string.h>
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/journal/journal.h"
#include "store/ops/operation_internal.h"
#include "store/ops/policy.h"
#include "store/record/entry_row.h"

/* ---- taking away and bringing back ---- */

static int leave_as_is(struct plan *p, const struct memory *m)
{
    return plan_leave(p, "%s:%s is %s already", REF_ARGS(m->ref), status_word(m->status));
}

static int set_status(struct plan *p, int64_t node, const char *operation, enum status status,
                      const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, node, operation, q->reason, e);
    if (!m)
        return -1;
    m->status = status;
    return 0;
}

/* Marks a memory as wrong. Its text and its lineage stay; memories based only on it lose all
 * support. A pending one is rejected: no other agent has seen it, and none ever does. */
int op_retract(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A stronger status stays: forgotten and deleted memories are not living anyway. But a person
     * may repeat the retraction of an agent, because agents may take back only what agents did. */
    if (now->status == STATUS_PENDING)
        return set_status(p, node, "retract", STATUS_REJECTED, q, e);
    int repeated = p->actor->class == ACTOR_PERSON && now->status == STATUS_RETRACTED
                       ? policy_person_retracted(p->reader, node, e)
                       : 1;
    if (repeated < 0)
        return -1;
    return !STATUS_LIVES(now->status) && now->status != STATUS_QUARANTINED && repeated
               ? leave_as_is(p, now)
               : set_status(p, node, "retract", STATUS_RETRACTED, q, e);
}

/* The value of an expired entry was erased, so the entry cannot live again without a new value. */
static bool has_expired(struct plan *p, const struct memory *m)
{
    struct json_slice value;
    if (m->ref.kind != KIND_ENTRY || m->status == STATUS_PURGED)
        return false;
    entry_value_of(m, &value);
    return entry_is_over(m, p->now) && !value.ptr;
}

/* Restores from every status except purged. A superseded belief becomes superseded again, whatever
 * its status is now; a rejected memory waits for approval again. */
int operation_bring_back(struct plan *p, int64_t node, const char *operation,
                         const struct request *q, struct error *e)
{
    int64_t superseding;
    const struct memory *now = plan_read(p, node, e);
    if (!now || operation_superseding(p, now->node, &superseding, e))
        return -1;
    bool expired = has_expired(p, now);
    if (now->status == STATUS_EXPIRED && expired)
        return plan_leave(p, "entry:%s has expired and its value is erased: put a new one",
                          now->ref.id);
    if (now->status == STATUS_ACTIVE || now->status == STATUS_PENDING ||
        (superseding && now->status == STATUS_SUPERSEDED))
        return leave_as_is(p, now);
    return set_status(p, node, operation,
                      now->status == STATUS_REJECTED ? STATUS_PENDING
                      : superseding                  ? STATUS_SUPERSEDED
                      : expired                      ? STATUS_EXPIRED
                                                     : STATUS_ACTIVE,
                      q, e);
}

int op_restore(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    return operation_bring_back(p, node, "restore", q, e);
}

/* ---- forgetting ---- */

/* Hides a memory from lists. Text, links and history stay. */
int op_forget(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A forgotten memory is shown to agents by its ref. */
    if (now->status == STATUS_PENDING || now->status == STATUS_REJECTED)
        return plan_leave(p, "%s:%s is %s: no other agent sees it", REF_ARGS(now->ref),
                          status_word(now->status));
    /* A retracted or quarantined memory may still be forgotten; stronger statuses stay. */
    if (!STATUS_LISTED(now->status))
        return leave_as_is(p, now);
    return operation_check_unprotected(now, e)
               ? -1
               : set_status(p, node, "forget", STATUS_FORGOTTEN, q, e);
}

/* ---- what follows from taking away ---- */

/*
 * A consequence is a change of the same batch whose reason names the memory that was taken away: "based
 * on raw:a, which was retracted". By that reason a restore finds what to take back.
 */
#define BASED_ON  "based on "
#define WHICH_WAS ", which was "
#define THAT_WERE " that were "

/* An entry is not named: agents that may not know of it read the reason. */
static void write_reason(struct strbuf *out, struct ref because, bool several, enum status status)
{
    strbuf_clear(out);
    if (because.kind == KIND_ENTRY)
        strbuf_addf(out, BASED_ON "entries" THAT_WERE "%s", status_word(status));
    else
        strbuf_addf(out, BASED_ON "%s:%s%s%s", REF_ARGS(because),
                    several ? " and others" THAT_WERE : WHICH_WAS, status_word(status));
}

static bool is_marked(const struct memory *m, const char *reason)
{
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, "for_review") == 0 && m->flags[i].reason &&
            strcmp(m->flags[i].reason, reason) == 0)
            return true;
    return false;
}

static int flag_for_review(struct plan *p, const struct consequence *c, enum status status,
                           struct strbuf *reason, struct error *e)
{
    const struct memory *now = plan_read(p, c->node, e);
    if (!now)
        return -1;
    write_reason(reason, c->because, c->several, status);
    if (is_marked(now, reason->buf))
        return 0;
    struct memory *m = plan_follow(p, c->node, "mark", reason->buf, e);
    if (!m)
        return -1;
    plan_add_flag(p, m, "for_review", NULL, reason->buf);
    return 0;
}

/* Flags memories for review that lose support, all of it or a part. */
int op_forget_then(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                   struct error *e)
{
    AUTO_STRBUF reason = STRBUF_INIT;
    int result = 0;
    (void)q, (void)rows, (void)count;
    for (size_t i = 0; i < p->unsupported_count && result == 0; i++)
        result = flag_for_review(p, &p->unsupported[i], STATUS_FORGOTTEN, &reason, e);
    for (size_t i = 0; i < p->weakened_count && result == 0; i++)
        result = flag_for_review(p, &p->weakened[i], STATUS_FORGOTTEN, &reason, e);
    return result;
}

/* ---- dependants of a retraction ---- */

int op_retract_check(struct plan *p, const struct request *q, size_t count, struct error *e)
{
    (void)p, (void)count;
    if (!q->dependants || same_text(q->dependants, DEPENDANTS_LEAVE) ||
        same_text(q->dependants, DEPENDANTS_REVIEW) || same_text(q->dependants, DEPENDANTS_RETRACT))
        return 0;
    return error_set(e, ERROR_INVALID,
                     "Say " DEPENDANTS_LEAVE ", " DEPENDANTS_REVIEW " or " DEPENDANTS_RETRACT ".",
                     "dependants cannot be treated by '%.40s'", q->dependants);
}

/* The rows that a plan retracts, quarantines or purges. */
struct retracting {
    struct plan *plan;
    enum status status; /* what they become */
    struct row_index rows;
    struct strbuf reason;
    size_t deeper; /* memories whose label changes, and that are based only indirectly on them */
};

static int retract_too(struct retracting *r, const struct consequence *c, struct error *e)
{
    const char *operation = r->status == STATUS_QUARANTINED ? "quarantine" : "retract";
    write_reason(&r->reason, c->because, c->several, r->status);
    struct memory *m = plan_change(r->plan, c->node, operation, r->reason.buf, e);
    if (!m)
        return -1;
    m->status = r->status;
    row_index_add(&r->rows, c->node);
    return 0;
}

/* Flags a memory that is based directly on one of them, and counts the others. */
static int review(struct retracting *r, const struct consequence *c, struct error *e)
{
    bool direct = false;
    struct query links = db_query(reader_db(r->plan->reader), e,
                                  "SELECT target FROM link WHERE memory = ? AND shape & 31 < ?",
                                  "ii", c->node, (int64_t)ROLE_SUPPORT_COUNT);
    while (!direct && db_next(&links))
        direct = row_index_find(&r->rows, sqlite3_column_int64(links.stmt, 0)) != ROW_NONE;
    if (db_end(&links))
        return -1;
    r->deeper += !direct;
    return direct ? flag_for_review(r->plan, c, r->status, &r->reason, e) : 0;
}

static int treat(struct retracting *r, struct error *e)
{
    struct plan *p = r->plan;
    bool retracts = same_text(p->dependants, DEPENDANTS_RETRACT) ||
                    same_text(p->dependants, DEPENDANTS_QUARANTINE);
    for (size_t i = 0; i < p->unsupported_count && retracts; i++)
        if (retract_too(r, &p->unsupported[i], e))
            return -1;
    for (size_t i = 0; i < p->unsupported_count && !retracts; i++)
        if (review(r, &p->unsupported[i], e))
            return -1;
    for (size_t i = 0; i < p->weakened_count; i++)
        if (p->weakened[i].before != LABEL_WEAKENED && review(r, &p->weakened[i], e))
            return -1;
    if (r->deeper)
        plan_remark(p, "not flagged, because only indirectly affected: %zu more", r->deeper);
    return 0;
}

int operation_treat_dependants(struct plan *p, enum status status, const int64_t *rows,
                               size_t count, struct error *e)
{
    struct retracting r = {
        .plan = p, .status = status, .rows = ROW_INDEX_INIT, .reason = STRBUF_INIT};
    for (size_t i = 0; i < count; i++)
        row_index_add(&r.rows, rows[i]);
    int result = treat(&r, e);
    row_index_release(&r.rows);
    strbuf_release(&r.reason);
    return result;
}

/* What becomes of memories that lose support: they are left, flagged for review, or retracted too. */
int op_retract_then(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                    struct error *e)
{
    p->dependants = q->dependants ? q->dependants : DEPENDANTS_REVIEW;
    return same_text(p->dependants, DEPENDANTS_LEAVE)
               ? 0
               : operation_treat_dependants(p, STATUS_RETRACTED, rows, count, e);
}

/* ---- taking consequences back ---- */

/* A batch of events that took memories away, and the reasons of its consequences that no longer hold. */
struct taken_away {
    struct event *event;
    size_t count;
    struct key_index over; /* reasons about one memory that lives again */
    bool all_live;
};

/* The status that an operation gives; STATUS_ACTIVE if it takes nothing away. */
static enum status status_given(const char *operation)
{
    return same_text(operation, "forget")       ? STATUS_FORGOTTEN
           : same_text(operation, "retract")    ? STATUS_RETRACTED
           : same_text(operation, "quarantine") ? STATUS_QUARANTINED
                                                : STATUS_ACTIVE;
}

static bool is_consequence(const struct event *event)
{
    return event->reason && strncmp(event->reason, BASED_ON, sizeof(BASED_ON) - 1) == 0 &&
           (strstr(event->reason, WHICH_WAS) || strstr(event->reason, THAT_WERE));
}

static int read_taken_away(struct plan *p, const char *correlation, struct taken_away *f,
                           struct error *e)
{
    struct event_filter filter = EVENT_FILTER_ALL;
    AUTO_STRBUF reason = STRBUF_INIT;
    int result;
    filter.correlation = correlation;
    *f = (struct taken_away){.over = KEY_INDEX_INIT, .all_live = true};
    result = journal_select(p->reader, p->arena, &filter, 0, SIZE_MAX, &f->event, &f->count, e);
    for (size_t i = 0; result == 0 && i < f->count; i++) {
        enum status status = status_given(f->event[i].operation);
        if (status == STATUS_ACTIVE || is_consequence(&f->event[i]))
            continue;
        const struct memory *m = plan_read(p, f->event[i].subject, e);
        bool lives = m && STATUS_LIVES(m->status);
        f->all_live &= lives;
        write_reason(&reason, f->event[i].ref, false, status);
        if (lives)
            key_index_add(&f->over, reason.buf, reason.len);
        result = m || e->code == ERROR_NOT_FOUND ? 0 : -1;
    }
    return result;
}

/* A reason that names several memories holds until all of them live again. */
static bool is_over(const struct taken_away *f, const char *reason)
{
    return strstr(reason, WHICH_WAS) ? key_index_find(&f->over, reason, strlen(reason)) != ROW_NONE
                                     : f->all_live;
}

static int drop_review(struct plan *p, const struct event *set, struct error *e)
{
    const struct memory *now = plan_read(p, set->subject, e);
    if (!now)
        return e->code == ERROR_NOT_FOUND ? 0 : -1;
    if (!is_marked(now, set->reason))
        return 0;
    struct memory *m = plan_follow(p, set->subject, "unmark", NULL, e);
    if (!m)
        return -1;
    struct flag *kept = arena_array(p->arena, m->flag_count + 1, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, "for_review") != 0 ||
            !same_text(m->flags[i].reason, set->reason))
            kept[count++] = m->flags[i];
    m->flags = kept;
    m->flag_count = count;
    return 0;
}

/* Sets *arg to the correlation of the newest event that took the memory away. */
static int find_taken_away(void *arg, const struct event *event, struct error *e)
{
    (void)e;
    if (status_given(event->operation) == STATUS_ACTIVE)
        return 0;
    *(const char **)arg = event->correlation;
    return 1;
}

static int last_taken_away(struct plan *p, int64_t node, const char **batch, struct error *e)
{
    *batch = NULL;
    return failed_if(
        journal_walk_back(reader_db(p->reader), p->arena, node, 0, find_taken_away, batch, e) < 0);
}

/* Restores a memory that was retracted or quarantined with another, unless it was by itself since. */
static int restore_too(struct plan *p, const struct event *retracted, struct error *e)
{
    struct request none = REQUEST_INIT;
    const char *batch;
    const struct memory *now = plan_read(p, retracted->subject, e);
    if (!now)
        return e->code == ERROR_NOT_FOUND ? 0 : -1;
    if (last_taken_away(p, retracted->subject, &batch, e))
        return -1;
    return now->status == status_given(retracted->operation) &&
                   same_text(batch, retracted->correlation)
               ? op_restore(p, retracted->subject, &none, e)
               : 0;
}

/* What a quarantine brought back is replaced again once that lives which had replaced it. */
static int replace_again(struct plan *p, const struct event *brought_back, struct error *e)
{
    struct request none = REQUEST_INIT;
    int64_t by;
    const struct memory *now = plan_read(p, brought_back->subject, e);
    if (!now)
        return e->code == ERROR_NOT_FOUND ? 0 : -1;
    if (operation_superseding(p, now->node, &by, e))
        return -1;
    return by && now->status == STATUS_ACTIVE
               ? set_status(p, now->node, "release", STATUS_SUPERSEDED, &none, e)
               : 0;
}

static int take_back(struct plan *p, const char *correlation, struct error *e)
{
    struct taken_away f;
    int result = read_taken_away(p, correlation, &f, e);
    for (size_t i = 0; i < f.count && result == 0; i++) {
        const struct event *event = &f.event[i];
        if (same_text(event->operation, "restore"))
            result = replace_again(p, event, e);
        else if (!is_consequence(event) || !is_over(&f, event->reason))
            continue;
        else if (same_text(event->operation, "mark"))
            result = drop_review(p, event, e);
        else if (same_text(event->operation, "retract") ||
                 same_text(event->operation, "quarantine"))
            result = restore_too(p, event, e);
    }
    key_index_release(&f.over);
    return result;
}

/* One may have been restored before another that replaces it. */
static int settle_replaced(struct plan *p, struct error *e)
{
    for (size_t i = 0; i < p->count; i++) {
        struct memory *m = p->change[i].after;
        int64_t by;
        if (p->change[i].before->status == m->status || m->status != STATUS_ACTIVE)
            continue;
        if (operation_superseding(p, m->node, &by, e))
            return -1;
        m->status = by ? STATUS_SUPERSEDED : m->status;
    }
    return 0;
}

/* Takes back what followed when the restored memories were retracted, quarantined or forgotten. */
int op_restore_followed(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                        struct error *e)
{
    AUTO(key_index) done = KEY_INDEX_INIT;
    int result = 0;
    (void)q;
    for (size_t i = 0; i < count && result == 0; i++) {
        const struct memory *after;
        const char *batch;
        if (!plan_changes(p, rows[i], &after))
            continue;
        result = last_taken_away(p, rows[i], &batch, e);
        if (result == 0 && batch && key_index_find(&done, batch, strlen(batch)) == ROW_NONE) {
            key_index_add(&done, batch, strlen(batch));
            result = take_back(p, batch, e);
        }
    }
    return result ? result : settle_replaced(p, e);
}

/* ---- locking ---- */

static int set_protected(struct plan *p, int64_t node, const struct request *q, bool wanted,
                         struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* Unlocking also ends an approval, which keeps agents out as well. */
    int verified = wanted ? 0 : policy_person_verified(p->reader, node, e);
    if (verified < 0)
        return -1;
    if (now->is_protected == wanted && !verified)
        return plan_leave(p, "%s:%s is %s already", REF_ARGS(now->ref),
                          wanted ? "locked" : "unlocked");
    struct memory *m = plan_change(p, node, wanted ? "protect" : "unprotect", q->reason, e);
    if (!m)
        return -1;
    m->is_protected = wanted;
    operation_answer_review(p, m);
    if (!wanted)
        operation_end_approval(p, m);
    return 0;
}

int op_lock(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    return set_protected(p, node, q, true, e);
}

int op_unlock(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    return set_protected(p, node, q, false, e);
}
