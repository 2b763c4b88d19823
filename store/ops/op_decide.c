/*
 * Decisions about memories: verify (approve), protect (lock), retract, restore, forget and mark
 * (flag), and their opposites. Each function plans the change of one memory; operation.c calls it
 * for each memory named.
 */
#include <string.h>
#include "model/base/hints.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/memory/memory.h"
#include "store/db/reader.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
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
 * support. */
int op_retract(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A stronger status stays: forgotten and deleted memories are not living anyway. But a person
     * may repeat the retraction of an agent, because agents may take back only what agents did. */
    int repeated = p->actor->class == ACTOR_PERSON && now->status == STATUS_RETRACTED
                       ? policy_person_retracted(p->reader, node, e)
                       : 1;
    if (repeated < 0)
        return -1;
    return !STATUS_LIVES(now->status) && repeated
               ? leave_as_is(p, now)
               : set_status(p, node, "retract", STATUS_RETRACTED, q, e);
}

/* The value of an expired entry is gone, so the entry cannot live again without a new value. */
static bool has_expired(struct plan *p, const struct memory *m)
{
    struct json_slice value;
    if (m->ref.kind != KIND_ENTRY || m->status == STATUS_PURGED)
        return false;
    entry_value_of(m, &value);
    return entry_is_over(m, p->now) && !value.ptr;
}

/* Restores from every status except purged. A superseded belief becomes superseded again, whatever
 * its status is now. */
int op_restore(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    int64_t superseding;
    const struct memory *now = plan_read(p, node, e);
    if (!now || operation_superseding(p, now->node, &superseding, e))
        return -1;
    bool expired = has_expired(p, now);
    if (now->status == STATUS_EXPIRED && expired)
        return plan_leave(p, "entry:%s has expired and its value is erased: put a new one",
                          now->ref.id);
    if (now->status == STATUS_ACTIVE || (superseding && now->status == STATUS_SUPERSEDED))
        return leave_as_is(p, now);
    return set_status(p, node, "restore",
                      superseding ? STATUS_SUPERSEDED
                      : expired   ? STATUS_EXPIRED
                                  : STATUS_ACTIVE,
                      q, e);
}

/* ---- forgetting ---- */

/* Hides a memory from lists. Text, links and history stay. */
int op_forget(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A retracted memory may still be forgotten; stronger statuses stay. */
    if (now->status >= STATUS_FORGOTTEN)
        return leave_as_is(p, now);
    return operation_check_unprotected(now, e)
               ? -1
               : set_status(p, node, "forget", STATUS_FORGOTTEN, q, e);
}

#define AND_OTHERS " and others that were forgotten"

static bool is_marked(const struct memory *m, const char *reason)
{
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, "for_review") == 0 && m->flags[i].reason &&
            strcmp(m->flags[i].reason, reason) == 0)
            return true;
    return false;
}

static void write_reason(struct strbuf *out, struct ref because, bool several)
{
    strbuf_clear(out);
    strbuf_addstr(out, "based on ");
    ref_add(out, because);
    strbuf_addstr(out, several ? AND_OTHERS : ", which was forgotten");
}

static int flag_for_review(struct plan *p, const struct consequence *c, struct strbuf *reason,
                           struct error *e)
{
    const struct memory *now = plan_read(p, c->node, e);
    if (!now)
        return -1;
    write_reason(reason, c->because, c->several);
    if (is_marked(now, reason->buf))
        return 0;
    struct memory *m = plan_follow(p, c->node, "mark", reason->buf, e);
    if (!m)
        return -1;
    plan_add_flag(p, m, "for_review", NULL, reason->buf);
    return 0;
}

/* Flags memories for review that lose support, all of it or a part. */
int op_forget_then(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct strbuf reason = STRBUF_INIT;
    int result = 0;
    (void)rows, (void)count;
    for (size_t i = 0; i < p->unsupported_count && result == 0; i++)
        result = flag_for_review(p, &p->unsupported[i], &reason, e);
    for (size_t i = 0; i < p->weakened_count && result == 0; i++)
        result = flag_for_review(p, &p->weakened[i], &reason, e);
    strbuf_release(&reason);
    return result;
}

/* ---- taking back the flags of a forget ---- */

/* A batch of events that forgot memories, and the reasons of its flags that no longer hold. */
struct forgotten {
    struct event *event;
    size_t count;
    struct key_index over; /* reasons about one memory that lives again */
    bool all_live;
};

static int read_forgotten(struct plan *p, const char *correlation, struct forgotten *f,
                          struct error *e)
{
    struct event_filter filter = EVENT_FILTER_ALL;
    struct strbuf reason = STRBUF_INIT;
    int result;
    filter.correlation = correlation;
    *f = (struct forgotten){.over = KEY_INDEX_INIT, .all_live = true};
    result = journal_select(p->reader, p->arena, &filter, 0, SIZE_MAX, &f->event, &f->count, e);
    for (size_t i = 0; result == 0 && i < f->count; i++) {
        if (strcmp(f->event[i].operation, "forget") != 0)
            continue;
        const struct memory *m = plan_read(p, f->event[i].subject, e);
        bool lives = m && STATUS_LIVES(m->status);
        f->all_live &= lives;
        write_reason(&reason, f->event[i].ref, false);
        if (lives)
            key_index_add(&f->over, reason.buf, reason.len);
        result = m || e->code == ERROR_NOT_FOUND ? 0 : -1;
    }
    strbuf_release(&reason);
    return result;
}

/* A reason that names several memories holds until all of them live again. */
static bool is_over(const struct forgotten *f, const char *reason)
{
    static const size_t tail = sizeof(AND_OTHERS) - 1;
    size_t len = strlen(reason);
    if (len > tail && strcmp(reason + len - tail, AND_OTHERS) == 0)
        return f->all_live;
    return key_index_find(&f->over, reason, len) != ROW_NONE;
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

static int take_back_reviews(struct plan *p, const char *correlation, struct error *e)
{
    struct forgotten f;
    int result = read_forgotten(p, correlation, &f, e);
    for (size_t i = 0; i < f.count && result == 0; i++)
        if (strcmp(f.event[i].operation, "mark") == 0 && f.event[i].reason &&
            is_over(&f, f.event[i].reason))
            result = drop_review(p, &f.event[i], e);
    key_index_release(&f.over);
    return result;
}

/* Sets *arg to the correlation of the newest forget. */
static int find_forget(void *arg, const struct event *event, struct error *e)
{
    (void)e;
    if (strcmp(event->operation, "forget") != 0)
        return 0;
    *(const char **)arg = event->correlation;
    return 1;
}

/* Takes back the flags for review that forgetting the restored memories had set. */
int op_restore_then(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct key_index done = KEY_INDEX_INIT;
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        const struct memory *after;
        const char *batch = NULL;
        if (!plan_changes(p, rows[i], &after))
            continue;
        result = journal_walk_back(reader_db(p->reader), p->arena, rows[i], 0, find_forget, &batch,
                                   e) < 0
                     ? -1
                     : 0;
        if (result == 0 && batch && key_index_find(&done, batch, strlen(batch)) == ROW_NONE) {
            key_index_add(&done, batch, strlen(batch));
            result = take_back_reviews(p, batch, e);
        }
    }
    key_index_release(&done);
    return result;
}

/*
 * Flag (mark) and unflag. Flags never change the status of a memory. The same flag by the same
 * actor with another value replaces the former one. A person who flags a memory as reviewed ends
 * all of its reviews.
 *
 * A rating may be about one source of a step (memory.h). Each actor has one rating per source.
 */

#define FLAG_MAX 60 /* characters; a flag is shown in a column */

#define APPROVED "approved" /* set by approving alone, which the journal proves */

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return true;
    return false;
}

int op_flag_check(struct plan *p, const struct request *q, size_t count, struct error *e)
{
    const char *flag = q->flag;
    (void)p, (void)count;
    if (!flag || !*flag)
        return error_set(e, ERROR_INVALID,
                         "Say which: reviewed, for_review, poisoned, quarantined, rating, faithful,"
                         " or a word of your own.",
                         "there is no flag to set");
    if (strcmp(flag, APPROVED) == 0)
        return error_set(e, ERROR_INVALID, "Approve it, or unlock it to end an approval.",
                         "approved is no flag to set or to remove by hand");
    if (!utf8_valid(flag, strlen(flag)) || utf8_count(flag) > FLAG_MAX || has_control(flag))
        return error_set(e, ERROR_INVALID, "Write the rest as its reason or its value.",
                         "a flag is one word of at most %d characters", FLAG_MAX);
    return 0;
}

/* A flag to set. `of` is the rated_source source; its id is NULL unless this is the rating of a source. */
struct new_flag {
    const char *name, *value;
    struct ref of;
};

static const struct ref whole = {KIND_COUNT, NULL};

static bool is_rating(const char *flag)
{
    return strcmp(flag, "rating") == 0;
}

static bool may_have_sources(const struct memory *m)
{
    static const unsigned with_sources =
        KIND_BIT(KIND_STEP) | KIND_BIT(KIND_CHAIN) | KIND_BIT(KIND_CITATION);
    return KIND_BIT(m->ref.kind) & with_sources;
}

/* Returns the source that a mark rates; its id is NULL if it rates none. */
static struct ref rated_source(struct plan *p, const struct memory *m, const struct flag *flag)
{
    struct ref of;
    const char *word;
    bool is = is_rating(flag->name) && may_have_sources(m) &&
              rating_parse(flag->value, p->arena, &of, &word);
    return is ? of : whole;
}

static bool same_source(struct ref a, struct ref b)
{
    return a.id && b.id ? ref_equal(a, b) : a.id == b.id;
}

/* Returns true if the flag is the actor's own and about the same source. A person and an agent may have
 * one name. */
static bool is_own(struct plan *p, const struct memory *m, const struct flag *flag,
                   const struct new_flag *w)
{
    return strcmp(flag->name, w->name) == 0 && same_text(flag->actor, p->actor->name) &&
           flag->by_agent == (p->actor->class == ACTOR_AGENT) &&
           same_source(rated_source(p, m, flag), w->of);
}

/* ---- finding the rated_source source ---- */

/* Ids with personal data are shown encrypted (guard_opaque_id): returns the real ref of such an id, and
 * any other one as it is. */
static struct ref unmask_ref(struct plan *p, struct ref given)
{
    struct error ignored;
    struct ref ref;
    const struct guard_rules *rules = guard_rules_of(p->reader);
    int is =
        guard_resolve_opaque_id(reader_db(p->reader), rules, p->arena, given.id, &ref, &ignored);
    return is > 0 && (given.kind == KIND_COUNT || given.kind == ref.kind) ? ref : given;
}

/* Returns the source that a ref or an id names: an exact match, or else the only source whose id
 * has that prefix. */
static const struct antecedent *find_source(struct plan *p, const struct memory *m,
                                            const char *name)
{
    const struct antecedent *begun = NULL;
    struct ref ref = {KIND_COUNT, name};
    bool several = false;
    ref = unmask_ref(p, ref_parse(name, &ref) == REF_MEMORY ? ref : (struct ref){KIND_COUNT, name});
    size_t len = strlen(ref.id);
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        bool sources = j->role == ROLE_SOURCE || j->role == ROLE_CITATION;
        for (const struct antecedent *a = j->antecedents; sources && a < j->antecedents + j->count;
             a++) {
            if (ref.kind != KIND_COUNT && ref.kind != a->ref.kind)
                continue;
            if (strcmp(a->ref.id, ref.id) == 0)
                return a;
            if (len < REF_PREFIX_MIN || strncmp(a->ref.id, ref.id, len) != 0)
                continue;
            several |= begun && !ref_equal(begun->ref, a->ref);
            begun = a;
        }
    }
    return several ? NULL : begun;
}

/* Returns the full ref or none of it: a truncated id may hold a part of personal data that no rule
 * recognises. */
#define NAMED_MAX 120
static const char *name_of(const struct memory *m, char room[NAMED_MAX])
{
    int len = snprintf(room, NAMED_MAX, "%s:%s", REF_ARGS(m->ref));
    return len < NAMED_MAX ? room : "that memory";
}

/* `name` must be the caller's text: the source it resolves to may be masked for the caller. */
static int no_source(const struct memory *m, const char *name, bool is_ref, struct error *e)
{
    char memory[NAMED_MAX], hint[NAMED_MAX + 64] = "Give the ref of one that it is based on.";
    if (is_ref)
        snprintf(hint, sizeof(hint), HINT_SHOW "%s lists what it is based on.", name_of(m, memory));
    error_set(e, ERROR_INVALID, hint, "%.100s is not a source of %s", name, name_of(m, memory));
    e->hint_quotes = is_ref;
    return -1;
}

/*
 * Finds the source that a rating's value names. The value is a ref or an id, optionally followed by
 * "relevant" or "irrelevant"; ids may contain spaces. *word is that last word or NULL. Values with
 * one of these words always rate a source, never the whole memory. Returns 1, 0 if the value names
 * no source, -1 on error.
 */
static int find_rated_source(struct plan *p, const struct memory *m, const char *value,
                             struct ref *of, const char **word, struct error *e)
{
    struct ref ref;
    const char *space = strrchr(value, ' ');
    bool says =
        space && (!strcmp(space + 1, RATING_RELEVANT) || !strcmp(space + 1, RATING_IRRELEVANT));
    *of = whole;
    *word = says ? space + 1 : NULL;
    if (!may_have_sources(m))
        return 0;
    const char *name = space ? arena_strndup(p->arena, value, (size_t)(space - value)) : value;
    bool is_ref = ref_parse(name, &ref) == REF_MEMORY;
    const struct antecedent *source = says ? NULL : find_source(p, m, value);
    if (!source && (says || is_ref)) /* other values, such as "a lie", rate the whole memory */
        source = find_source(p, m, name);
    *of = source ? source->ref : is_ref ? ref : whole;
    return source ? 1 : is_ref || says ? no_source(m, name, is_ref, e) : 0;
}

/* A source is rated_source with one of two words. Rewrites the value as "REF word" with the full ref. */
static int check_rating(struct plan *p, const struct memory *m, struct new_flag *w, struct error *e)
{
    const char *word;
    int found = w->value ? find_rated_source(p, m, w->value, &w->of, &word, e) : 0;
    if (found <= 0)
        return found;
    if (!word)
        return error_set(e, ERROR_INVALID, "Write one of them after its ref.",
                         "a source is rated " RATING_RELEVANT " or " RATING_IRRELEVANT);
    w->value = arena_format(p->arena, "%s:%s %s", REF_ARGS(w->of), word);
    return 0;
}

static int check_flag_value(struct plan *p, const struct memory *m, struct new_flag *w,
                            struct error *e)
{
    if (is_rating(w->name))
        return check_rating(p, m, w, e);
    if (strcmp(w->name, "faithful") != 0 || same_text(w->value, "yes") || same_text(w->value, "no"))
        return 0;
    return error_set(e, ERROR_INVALID, "Give its value: yes or no.",
                     "no value says whether it is faithful to its sources");
}

/* ---- marking ---- */

static bool has_flag(const struct memory *m, const char *flag)
{
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, flag) == 0)
            return true;
    return false;
}

/* Removes matching flags and returns how many. `own`: only those of this actor about the same
 * source; otherwise those of all actors. */
static size_t drop_flags(struct plan *p, struct memory *m, const struct new_flag *w, bool own)
{
    struct flag *kept = arena_array(p->arena, m->flag_count + 1, sizeof(*kept));
    size_t count = 0, had = m->flag_count;
    for (size_t i = 0; i < had; i++) {
        const struct flag *flag = &m->flags[i];
        bool goes = own ? is_own(p, m, flag, w)
                        : strcmp(flag->name, w->name) == 0 &&
                              (p->actor->class == ACTOR_PERSON || flag->by_agent) &&
                              (!w->of.id || same_source(rated_source(p, m, flag), w->of));
        if (!goes)
            kept[count++] = *flag;
    }
    m->flags = kept;
    m->flag_count = count;
    return had - count;
}

static bool has_same_flag(struct plan *p, const struct memory *now, const struct new_flag *w,
                          const char *reason)
{
    for (size_t i = 0; i < now->flag_count; i++)
        if (is_own(p, now, &now->flags[i], w) && same_text(now->flags[i].value, w->value) &&
            (!reason || same_text(now->flags[i].reason, reason)))
            return true;
    return false;
}

/* A misspelt flag would be set without a word. Persons only: an agent may not learn which flags others set. */
static int remark_new_flag(struct plan *p, const char *flag, struct error *e)
{
    static const char *const known[] = {"reviewed",    "for_review", "poisoned",
                                        "quarantined", "rating",     "faithful"};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(flag, known[i]) == 0)
            return 0;
    if (p->actor->class != ACTOR_PERSON || p->remark_count > 0)
        return 0;
    struct query row =
        db_query(reader_db(p->reader), e, "SELECT 1 FROM mark WHERE mark = ? LIMIT 1", "s", flag);
    if (!db_next(&row))
        plan_remark(p,
                    "%s is a new flag; the known ones are reviewed, for_review, poisoned, "
                    "quarantined, rating and faithful",
                    flag);
    return db_end(&row);
}

/* A person who flags a memory as reviewed, or approves it, answers every request for review. */
static bool answers_review(const struct plan *p, const struct memory *now, const char *flag)
{
    return p->actor->class == ACTOR_PERSON && has_flag(now, "for_review") &&
           (strcmp(flag, "reviewed") == 0 || strcmp(flag, APPROVED) == 0);
}

static int set_flag(struct plan *p, const struct memory *now, const char *operation,
                    const struct new_flag *w, const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, now->node, operation, q->reason, e);
    if (!m)
        return -1;
    drop_flags(p, m, w, true);
    if (answers_review(p, now, w->name))
        drop_flags(p, m, &(struct new_flag){.name = "for_review", .of = whole}, false);
    plan_add_flag(p, m, w->name, w->value, q->reason);
    return 0;
}

int op_flag(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct new_flag w = {.name = q->flag, .value = q->value, .of = whole};
    const struct memory *now = plan_read(p, node, e);
    if (!now || policy_note_agents(p->reader, node, now->flags, now->flag_count, e) ||
        check_flag_value(p, now, &w, e) || remark_new_flag(p, q->flag, e))
        return -1;
    if (!answers_review(p, now, w.name) && has_same_flag(p, now, &w, q->reason))
        return plan_leave(p, "%s:%s is flagged %s already", REF_ARGS(now->ref), q->flag);
    return set_flag(p, now, "mark", &w, q, e);
}

/* An approval is a flag, one for each who gives it. It changes no confidence: raising that is an edit with a reason. */
int op_approve(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct new_flag w = {.name = APPROVED, .of = whole};
    const struct memory *now = plan_read(p, node, e);
    if (!now || policy_note_agents(p->reader, node, now->flags, now->flag_count, e) ||
        operation_check_living(now, e))
        return -1;
    if (!answers_review(p, now, w.name) && has_same_flag(p, now, &w, q->reason))
        return plan_leave(p, "%s:%s is approved by %s already", REF_ARGS(now->ref), p->actor->name);
    return set_flag(p, now, "verify", &w, q, e);
}

/* A rating's value may name a source, even one that the memory no longer has. Removes the actor's
 * own rating of it, or else those of all actors. */
int op_unflag(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct new_flag w = {.name = q->flag, .of = whole};
    const char *word;
    const struct memory *now = plan_read(p, node, e);
    if (!now || policy_note_agents(p->reader, node, now->flags, now->flag_count, e))
        return -1;
    int found =
        is_rating(q->flag) && q->value ? find_rated_source(p, now, q->value, &w.of, &word, e) : 1;
    if (found <= 0 && !w.of.id)
        return found < 0 ? -1 : no_source(now, q->value, false, e);
    struct memory changed = *now;
    bool any = w.of.id && drop_flags(p, &changed, &w, true);
    if (!any && !drop_flags(p, &changed, &w, false))
        return w.of.id ? plan_leave(p, "%s:%s has no rating of %s:%s", REF_ARGS(now->ref),
                                    REF_ARGS(w.of))
                       : plan_leave(p, "%s:%s is not flagged %s", REF_ARGS(now->ref), q->flag);
    struct memory *m = plan_change(p, node, "unmark", q->reason, e);
    if (!m)
        return -1;
    m->flags = changed.flags;
    m->flag_count = changed.flag_count;
    return 0;
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
    if (!wanted)
        drop_flags(p, m, &(struct new_flag){.name = APPROVED, .of = whole}, false);
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
