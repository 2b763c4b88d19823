/*
 * Flag (mark), unflag, and verify (approve), which is a flag too. Flags never change the status of a memory. The same
 * flag by the same actor with another value replaces the former one. A person who flags a memory as reviewed ends
 * all of its reviews.
 *
 * A rating may be about one source of a step (memory.h). Each actor has one rating per source.
 */
#include <string.h>
#include "model/base/error.h"
#include "model/base/utf8.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/ops/operation_internal.h"

#define FLAG_MAX 60 /* characters; a flag is shown in a column */

#define APPROVED "approved" /* a person's; set by approving alone, which the journal proves */
#define VERIFIED "verified" /* an agent's: it checked the memory and found it right */

/* Words for what other operations do: a flag that says them would be taken for it. */
static const struct {
    const char *flag, *hint;
} no_flags[] = {
    {APPROVED, HINT_APPROVE},         {"locked", HINT_LOCK},        {"protected", HINT_LOCK},
    {"retracted", HINT_RETRACT},      {"forgotten", HINT_RETRACT},  {"deleted", HINT_RETRACT},
    {"purged", HINT_RETRACT},         {"superseded", HINT_REPLACE}, {"replaced", HINT_REPLACE},
    {"quarantined", HINT_QUARANTINE},
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
                         "Say which: reviewed, for_review, poisoned, rating, faithful,"
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

/* A flag to set. `of` is the rated source; its id is NULL unless this is the rating of a source. */
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

/* ---- finding the rated source ---- */

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

/* A source is rated with one of two words. Rewrites the value as "REF word" with the full ref. */
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

/* ---- flags ---- */

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
    static const char *const known[] = {"reviewed", "for_review", "poisoned",
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
                    "rating and faithful",
                    flag);
    return db_end(&row);
}

/* A person who flags a memory as reviewed, or approves it, answers every request for review. */
static bool answers_review(const struct plan *p, const struct memory *now, const char *flag)
{
    return p->actor->class == ACTOR_PERSON && has_flag(now, "for_review") &&
           (strcmp(flag, "reviewed") == 0 || strcmp(flag, APPROVED) == 0);
}

void operation_answer_review(struct plan *p, struct memory *m)
{
    if (p->actor->class == ACTOR_PERSON && has_flag(m, "for_review"))
        drop_flags(p, m, &(struct new_flag){.name = "for_review", .of = whole}, false);
}

static int set_flag(struct plan *p, const struct memory *now, const char *operation,
                    const struct new_flag *w, const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, now->node, operation, q->reason, e);
    if (!m)
        return -1;
    drop_flags(p, m, w, true);
    if (answers_review(p, now, w->name))
        operation_answer_review(p, m);
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

/* What a pending memory replaces, or was promoted from, learns of it only now: agents see that. */
static int take_effect(struct plan *p, const struct memory *m, struct error *e)
{
    for (size_t i = 0; i < m->relation_count; i++) {
        const struct relation *r = &m->relations[i];
        const struct memory *old =
            r->type == RELATION_SUPERSEDES && r->to_node ? plan_read(p, r->to_node, e) : NULL;
        if (!old || !STATUS_LIVES(old->status) || old->status == STATUS_SUPERSEDED)
            continue;
        struct memory *after = plan_follow(p, old->node, "supersede", r->reason, e);
        if (!after)
            return -1;
        after->status = STATUS_SUPERSEDED;
    }
    bool promoted = same_text(m->source, PROMOTED_SOURCE) && m->justification_count > 0;
    const struct justification *j = m->justifications;
    for (size_t i = 0; promoted && i < j->count; i++) {
        const struct antecedent *a = &j->antecedents[i];
        struct memory *raw = a->ref.kind == KIND_RAW && a->node && a->status != STATUS_MISSING
                                 ? plan_follow(p, a->node, "process", NULL, e)
                                 : NULL;
        if (raw)
            plan_add_relation(p, raw, RELATION_PROCESSED_INTO, m->ref, NULL);
    }
    return 0;
}

static int approve_pending(struct plan *p, const struct memory *now, const struct new_flag *w,
                           const struct request *q, struct error *e)
{
    if (set_flag(p, now, "verify", w, q, e))
        return -1;
    p->change[p->count - 1].after->status = STATUS_ACTIVE;
    return take_effect(p, now, e);
}

/*
 * A person's approval makes a pending memory active. An approval is a flag, one for each person who gives it; an agent
 * that checked a memory verifies it. Neither changes the confidence: raising that is an edit with a reason.
 */
int op_approve(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct new_flag w = {.name = p->actor->class == ACTOR_PERSON ? APPROVED : VERIFIED,
                         .of = whole};
    const struct memory *now = plan_read(p, node, e);
    if (now && now->status == STATUS_PENDING && p->actor->class == ACTOR_PERSON)
        return approve_pending(p, now, &w, q, e);
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
