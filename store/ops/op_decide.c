/*
 * Decisions about memories: verify (approve), protect (lock), retract, restore, forget and mark
 * (flag), and their opposites. Each function plans the change of one memory; operation.c calls it
 * for each memory named.
 */
#include <string.h>
#include "model/base/hints.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/base/suggest.h"
#include "model/base/utf8.h"
#include "model/memory/memory.h"
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

/* The rows that a plan retracts. */
struct retracting {
    struct plan *plan;
    struct row_index rows;
    struct strbuf reason;
    size_t deeper; /* memories whose label changes, and that are based only indirectly on them */
};

static int retract_too(struct retracting *r, const struct consequence *c, struct error *e)
{
    write_reason(&r->reason, c->because, c->several, STATUS_RETRACTED);
    struct memory *m = plan_change(r->plan, c->node, "retract", r->reason.buf, e);
    if (!m)
        return -1;
    m->status = STATUS_RETRACTED;
    row_index_add(&r->rows, c->node);
    return 0;
}

/* Flags a memory that is based directly on a retracted one, and counts the others. */
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
    return direct ? flag_for_review(r->plan, c, STATUS_RETRACTED, &r->reason, e) : 0;
}

static int treat(struct retracting *r, struct error *e)
{
    struct plan *p = r->plan;
    bool retracts = same_text(p->dependants, DEPENDANTS_RETRACT);
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

/* What becomes of memories that lose support: they are left, flagged for review, or retracted too. */
int op_retract_then(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                    struct error *e)
{
    struct retracting r = {.plan = p, .rows = ROW_INDEX_INIT, .reason = STRBUF_INIT};
    p->dependants = q->dependants ? q->dependants : DEPENDANTS_REVIEW;
    if (same_text(p->dependants, DEPENDANTS_LEAVE))
        return 0;
    for (size_t i = 0; i < count; i++)
        row_index_add(&r.rows, rows[i]);
    int result = treat(&r, e);
    row_index_release(&r.rows);
    strbuf_release(&r.reason);
    return result;
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
    return same_text(operation, "forget")    ? STATUS_FORGOTTEN
           : same_text(operation, "retract") ? STATUS_RETRACTED
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
    return journal_walk_back(reader_db(p->reader), p->arena, node, 0, find_taken_away, batch, e) < 0
               ? -1
               : 0;
}

/* Restores a memory that was retracted with another, unless it was retracted by itself since. */
static int restore_too(struct plan *p, const struct event *retracted, struct error *e)
{
    struct request none = REQUEST_INIT;
    const char *batch;
    const struct memory *now = plan_read(p, retracted->subject, e);
    if (!now)
        return e->code == ERROR_NOT_FOUND ? 0 : -1;
    if (last_taken_away(p, retracted->subject, &batch, e))
        return -1;
    return now->status == STATUS_RETRACTED && same_text(batch, retracted->correlation)
               ? op_restore(p, retracted->subject, &none, e)
               : 0;
}

static int take_back(struct plan *p, const char *correlation, struct error *e)
{
    struct taken_away f;
    int result = read_taken_away(p, correlation, &f, e);
    for (size_t i = 0; i < f.count && result == 0; i++) {
        const struct event *event = &f.event[i];
        if (!is_consequence(event) || !is_over(&f, event->reason))
            continue;
        result = same_text(event->operation, "mark")      ? drop_review(p, event, e)
                 : same_text(event->operation, "retract") ? restore_too(p, event, e)
                                                          : 0;
    }
    key_index_release(&f.over);
    return result;
}

/* Takes back what followed when the restored memories were retracted or forgotten. */
int op_restore_followed(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                        struct error *e)
{
    struct key_index done = KEY_INDEX_INIT;
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

#define APPROVED "approved" /* a person's; set by approving alone, which the journal proves */
#define VERIFIED "verified" /* an agent's: it checked the memory and found it right */

/* Words for what other operations do: a flag that says them would be taken for it. */
static const struct {
    const char *flag, *hint;
} no_flags[] = {
    {APPROVED, HINT_APPROVE},    {"locked", HINT_LOCK},        {"protected", HINT_LOCK},
    {"retracted", HINT_RETRACT}, {"forgotten", HINT_RETRACT},  {"deleted", HINT_RETRACT},
    {"purged", HINT_RETRACT},    {"superseded", HINT_REPLACE}, {"replaced", HINT_REPLACE},
};

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return true;
    return false;
}

/* Refuses the first `count` words of no_flags. */
static int check_word(const char *flag, size_t count, struct error *e)
{
    if (!flag || !*flag)
        return error_set(e, ERROR_INVALID,
                         "Say which: reviewed, for_review, poisoned, quarantined, rating, faithful,"
                         " or a word of your own.",
                         "there is no flag to set");
    for (size_t i = 0; i < count; i++)
        if (strcmp(flag, no_flags[i].flag) == 0)
            return error_set(e, ERROR_INVALID, no_flags[i].hint, "%s is no flag to set%s", flag,
                             i == 0 ? " or to remove by hand" : " by hand");
    if (!utf8_valid(flag, strlen(flag)) || utf8_count(flag) > FLAG_MAX || has_control(flag))
        return error_set(e, ERROR_INVALID, "Write the rest as its reason or its value.",
                         "a flag is one word of at most %d characters", FLAG_MAX);
    return 0;
}

int op_flag_check(struct plan *p, const struct request *q, size_t count, struct error *e)
{
    (void)p, (void)count;
    return check_word(q->flag, sizeof(no_flags) / sizeof(*no_flags), e);
}

/* A store may have the other words from before they were refused. */
int op_unflag_check(struct plan *p, const struct request *q, size_t count, struct error *e)
{
    (void)p, (void)count;
    return check_word(q->flag, 1, e);
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
           flag->judge == judge_of(p->actor) && same_source(rated_source(p, m, flag), w->of);
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

/* A person takes away any flag, an agent those that it set. */
static bool may_drop(const struct plan *p, const struct flag *flag)
{
    return p->actor->class == ACTOR_PERSON ||
           (flag->judge == JUDGE_AGENT && same_text(flag->actor, p->actor->name));
}

/* Removes matching flags and returns how many. `own`: only those of this actor about the same
 * source; otherwise all that it may remove. */
static size_t drop_flags(struct plan *p, struct memory *m, const struct new_flag *w, bool own)
{
    struct flag *kept = arena_array(p->arena, m->flag_count + 1, sizeof(*kept));
    size_t count = 0, had = m->flag_count;
    for (size_t i = 0; i < had; i++) {
        const struct flag *flag = &m->flags[i];
        bool goes = own ? is_own(p, m, flag, w)
                        : strcmp(flag->name, w->name) == 0 && may_drop(p, flag) &&
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
    static const char *const known[] = {"reviewed", "for_review", "poisoned", "quarantined",
                                        "rating",   "faithful",   VERIFIED};
    struct suggestion near = SUGGESTION_INIT(flag);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(flag, known[i]) == 0)
            return 0;
        suggest_consider(&near, known[i]);
    }
    if (p->actor->class != ACTOR_PERSON || p->remark_count > 0)
        return 0;
    struct query row =
        db_query(reader_db(p->reader), e, "SELECT 1 FROM mark WHERE mark = ? LIMIT 1", "s", flag);
    bool is_new = !db_next(&row);
    if (is_new && near.name)
        plan_remark(p, "%s is a new flag: did you mean %s?", flag, near.name);
    else if (is_new)
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
    if (!now || check_flag_value(p, now, &w, e) || remark_new_flag(p, q->flag, e))
        return -1;
    if (!answers_review(p, now, w.name) && has_same_flag(p, now, &w, q->reason))
        return plan_leave(p, "%s:%s is flagged %s already", REF_ARGS(now->ref), q->flag);
    return set_flag(p, now, "mark", &w, q, e);
}

void operation_end_approval(struct plan *p, struct memory *m)
{
    struct flag *kept = arena_array(p->arena, m->flag_count + 1, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, APPROVED) != 0 && strcmp(m->flags[i].name, VERIFIED) != 0)
            kept[count++] = m->flags[i];
    m->flags = kept;
    m->flag_count = count;
}

/*
 * An approval is a flag, one for each person who gives it; an agent that checked a memory verifies it. Neither changes
 * the confidence: raising that is an edit with a reason.
 */
int op_approve(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct new_flag w = {.name = p->actor->class == ACTOR_PERSON ? APPROVED : VERIFIED,
                         .of = whole};
    const struct memory *now = plan_read(p, node, e);
    if (!now || operation_check_living(now, e))
        return -1;
    if (!answers_review(p, now, w.name) && has_same_flag(p, now, &w, q->reason))
        return plan_leave(p, "%s:%s is %s by %s already", REF_ARGS(now->ref), w.name,
                          p->actor->name);
    return set_flag(p, now, "verify", &w, q, e);
}

/* A rating's value may name a source, even one that the memory no longer has. Removes the actor's
 * own rating of it, or else all that it may remove. */
int op_unflag(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct new_flag w = {.name = q->flag, .of = whole};
    const char *word;
    const struct memory *now = plan_read(p, node, e);
    if (!now)
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
                       : plan_leave(p, "%s:%s is not flagged %s%s", REF_ARGS(now->ref), q->flag,
                                    p->actor->class == ACTOR_PERSON ? "" : " by you");
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
