/* Operations that develop beliefs: process (promote), reinforce, consolidate, supersede (replace),
 * resolve, merge, revise, seed. */
#include "store/ops/operation_internal.h"

#include <string.h>
#include "model/base/clock.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/ops/policy.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"

/* ---- processing ---- */

/* Process makes an episode, a belief or a note from a raw entry. The new memory is derived from the
 * raw entry, which records a link to it. A raw entry can be processed several times. */

#define PROMOTED 0.7 /* confidence of the new memory */

/* Memories made by hand at the command line get another source type, as in Kernle. */
static bool is_typed(const struct actor *actor)
{
    return same_text(actor->origin, "command");
}

static int check(const struct plan *p, const struct memory *raw, enum kind as, struct error *e)
{
    if (plan_refuse_entry(p, raw, e))
        return -1;
    if (raw->ref.kind != KIND_RAW)
        return error_set(e, ERROR_INVALID,
                         "Only a raw entry is promoted; replace or edit this one.",
                         "%s:%s is not a raw entry", REF_ARGS(raw->ref));
    if (as != KIND_EPISODE && as != KIND_BELIEF && as != KIND_NOTE)
        return error_set(e, ERROR_INVALID, "Give episode, belief or note.",
                         "no kind is given for %s:%s", REF_ARGS(raw->ref));
    return operation_check_living(raw, e);
}

/* Records that `m` was made from `from`. */
static void derive(struct plan *p, struct memory *m, struct ref from)
{
    struct antecedent *a = arena_alloc(p->arena, sizeof(*a));
    a->ref = from;
    plan_add_group(p, m,
                   (struct justification){
                       .role = ROLE_DERIVED_FROM, .at = p->now, .antecedents = a, .count = 1});
}

int op_promote(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *raw = plan_read(p, node, e);
    if (!raw || check(p, raw, q->as, e))
        return -1;
    const char *text = q->text ? q->text : raw->text;
    struct memory *m = plan_add(p, q->as, q->agent ? q->agent : raw->agent_id, text,
                                q->text ? q->text_len : strlen(text), "process", q->reason, e);
    if (!m)
        return -1;
    derive(p, m, raw->ref);
    plan_add_type(p, m);
    m->confidence = PROMOTED;
    m->source = is_typed(p->actor) ? "cli-promote" : PROMOTED_SOURCE;
    m->source_type = source_type_name(source_type_infer(m->source, NULL));
    if (is_typed(p->actor))
        plan_add_tag(p, m, "promoted");
    if (q->provenance && plan_provenance(p, m, q->provenance, e))
        return -1;
    struct memory *after = plan_change(p, node, "process", q->reason, e);
    if (!after)
        return -1;
    plan_add_relation(p, after, RELATION_PROCESSED_INTO, m->ref, NULL);
    return 0;
}

int op_promote_check(struct plan *p, const struct request *q, size_t count, struct error *e)
{
    (void)p;
    return q->text && count > 1
               ? error_set(e, ERROR_INVALID, "Promote them one by one, or leave the text out.",
                           "%zu raw entries cannot have the same text", count)
               : 0;
}

/* ---- reinforcing ---- */

/* Reinforce raises the confidence of a memory that new evidence supports. Consolidate does so for
 * memories that were reviewed together. The formula is Kernle's; n includes this reinforcement. */

#define STEP    0.05
#define SLOWER  0.1
#define CEILING 0.99

static double reinforced(double confidence, int64_t n)
{
    double more = STEP / (1 + SLOWER * (double)n) * (CEILING - confidence);
    return confidence + (more > 0 ? more : 0);
}

static int64_t times_reinforced(const struct memory *m)
{
    int64_t times = detail_int(m, "times_reinforced", 0);
    return times > 0 ? times : 0;
}

/* Returns true if `m` is based on `by`. An episode counts only as evidence. */
static bool supports(const struct memory *m, struct ref by)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        if (by.kind == KIND_EPISODE && j->role != ROLE_EVIDENCE)
            continue;
        for (size_t k = 0; k < j->count; k++)
            if (ref_equal(j->antecedents[k].ref, by))
                return true;
    }
    return false;
}

static int evidence_find(struct plan *p, const char *text, struct ref *ref, const char **whole,
                         struct error *e)
{
    bool known = false;
    enum ref_class class = ref_link(p->reader, p->arena, text, KIND_COUNT, ref, &known, e);
    if (class == REF_BAD)
        return -1;
    if (class == REF_ANNOTATION) {
        *ref = (struct ref){KIND_COUNT, NULL};
        *whole = text;
        return 0;
    }
    *whole = arena_format(p->arena, "%s:%s", REF_ARGS(*ref));
    if (!known) {
        plan_unresolved(p, *whole);
        return 0;
    }
    int64_t row = ref_find(reader_db(p->reader), *ref, e);
    const struct memory *m = row > 0 ? plan_read(p, row, e) : NULL;
    if (!m)
        return -1;
    return STATUS_LIVES(m->status)
               ? 0
               : error_set(e, ERROR_REFUSED,
                           m->status == STATUS_PURGED ? "Name evidence that stands."
                           : m->status == STATUS_PENDING
                               ? HINT_PENDING
                               : "Restore it, or name evidence that stands.",
                           "%s is %s", *whole, status_word(m->status));
}

static int evidence_add(struct plan *p, struct memory *m, struct ref by, struct error *e)
{
    if (by.kind == KIND_COUNT || supports(m, by))
        return 0;
    if (ref_equal(by, m->ref))
        return error_set(e, ERROR_INVALID, "Name what confirms it.",
                         "%s:%s is no evidence for itself", REF_ARGS(by));
    plan_add_support(p, m, by.kind == KIND_EPISODE ? ROLE_EVIDENCE : ROLE_REINFORCEMENT, by, NULL);
    return 0;
}

static struct memory *reinforce_one(struct plan *p, int64_t node, const char *operation,
                                    const char *reason, const char *evidence_source,
                                    struct error *e)
{
    struct memory *m = plan_change(p, node, operation, reason, e);
    if (!m || operation_check_living(m, e))
        return NULL;
    long long n = (long long)times_reinforced(m) + 1;
    if (!reason)
        reason = arena_format(p->arena, "Reinforced (count: %lld)", n);
    if (plan_confidence(p, m, reinforced(m->confidence, n), reason, evidence_source, e))
        return NULL;
    detail_set(&m->detail, p->arena, "times_reinforced", arena_format(p->arena, "%lld", n));
    return m;
}

int op_reinforce(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    struct ref by = {KIND_COUNT, NULL};
    const char *source = NULL;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows || (q->evidence_count && evidence_find(p, q->evidence[0], &by, &source, e)))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct memory *m = reinforce_one(p, rows[i], "reinforce", q->reason, source, e);
        if (!m || evidence_add(p, m, by, e))
            return -1;
    }
    p->named = p->count;
    return 0;
}

/* ---- consolidating: reinforcing by memories that were reviewed together on a day ---- */

#define DATE_LENGTH 10

/* "consolidation:2026-02-01". */
static int name_source(struct plan *p, const char *date, const char **source, struct error *e)
{
    char today[64];
    int64_t ms;
    clock_format_iso(today, sizeof(today), p->now);
    if (date && (strlen(date) != DATE_LENGTH || clock_parse_iso(date, &ms)))
        return error_set(e, ERROR_INVALID, "Write it as 2026-02-01.", "%.40s is no date", date);
    *source = arena_format(p->arena, "consolidation:%.*s", DATE_LENGTH, date ? date : today);
    return 0;
}

/* "Consolidated from raw:…, raw:…" */
static const char *name_reason(struct plan *p, const char **whole, size_t count)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&text, "%s%s", i ? ", " : "", whole[i]);
    return arena_format(p->arena, "Consolidated from %s", text.buf);
}

static int consolidate(struct plan *p, int64_t node, const struct request *q, const char *source,
                       const struct ref *by, const char *reason, struct error *e)
{
    struct memory *m = reinforce_one(p, node, "consolidate", reason, source, e);
    if (!m)
        return -1;
    plan_add_annotation(p, m, source);
    for (size_t i = 0; i < q->evidence_count; i++)
        if (evidence_add(p, m, by[i], e))
            return -1;
    return 0;
}

int op_consolidate(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    const char *source = NULL;
    struct ref *by = arena_array(p->arena, q->evidence_count + 1, sizeof(*by));
    const char **whole = arena_array(p->arena, q->evidence_count + 1, sizeof(*whole));
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows || name_source(p, q->date, &source, e))
        return -1;
    if (!q->evidence_count)
        return error_set(e, ERROR_INVALID,
                         "Name the raw entries or episodes that were looked over.",
                         "no sources of the consolidation are named");
    for (size_t i = 0; i < q->evidence_count; i++)
        if (evidence_find(p, q->evidence[i], &by[i], &whole[i], e))
            return -1;
    const char *reason = q->reason ? q->reason : name_reason(p, whole, q->evidence_count);
    for (size_t i = 0; i < count; i++)
        if (consolidate(p, rows[i], q, source, by, reason, e))
            return -1;
    p->named = p->count;
    return 0;
}

/* ---- superseding ---- */

/*
 * Supersede replaces a belief by a better statement. The new belief is an inference from the old
 * one, inherits its source episodes and starts a history of its own. The old belief gets the status
 * superseded.
 */

static int check_superseded(struct plan *p, const struct memory *old, struct error *e)
{
    int64_t by;
    struct memory_row row;
    if (operation_superseding(p, old->node, &by, e))
        return -1;
    if (by) {
        if (memory_row_read(p->reader, p->arena, by, &row, e))
            return -1;
        error_set(e, ERROR_CONFLICT, arena_format(p->arena, "Replace %s:%s.", REF_ARGS(row.ref)),
                  "%s:%s is replaced already", REF_ARGS(old->ref));
        e->hint_quotes = true;
        return -1;
    }
    if (policy_may_change(p->reader, p->actor, old, e) || operation_check_living(old, e))
        return -1;
    return 0;
}

static bool is_source_episode(const struct justification *j)
{
    return j->role == ROLE_EVIDENCE && j->count == 1 && j->antecedents[0].ref.kind == KIND_EPISODE;
}

static void inherit(struct plan *p, struct memory *m, const struct memory *old)
{
    derive(p, m, old->ref);
    for (size_t i = 0; i < old->justification_count; i++)
        if (is_source_episode(&old->justifications[i]))
            plan_add_group(p, m, old->justifications[i]);
}

/* Tags, context and detail are copied. The count of reinforcements is not. */
static int describe(struct plan *p, struct memory *m, const struct memory *old,
                    const struct request *q, struct error *e)
{
    m->tags = old->tags;
    m->tag_count = old->tag_count;
    m->context = old->context;
    m->source_type = source_type_name(SOURCE_INFERENCE);
    m->detail = old->detail;
    detail_set(&m->detail, p->arena, "times_reinforced", NULL);
    m->text = old->text; /* for plan_set_text, which removes its original from the detail */
    return plan_set_text(p, m, q->text, q->text_len, e);
}

/* Its history begins with what it replaces and the value of that. */
static int begin_history(struct plan *p, struct memory *m, const struct memory *old,
                         const struct request *q, struct error *e)
{
    bool why = q->reason && *q->reason;
    m->confidence = old->confidence;
    return plan_confidence(p, m, isnan(q->confidence) ? old->confidence : q->confidence,
                           arena_format(p->arena, "replaces %s:%s%s%s", REF_ARGS(old->ref),
                                        why ? "; " : "", why ? q->reason : ""),
                           NULL, e);
}

int op_replace(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    const struct memory *old = rows ? plan_read(p, rows[0], e) : NULL;
    if (!old || plan_refuse_entry(p, old, e))
        return -1;
    if (old->ref.kind != KIND_BELIEF)
        return error_set(e, ERROR_INVALID, "Edit it instead.",
                         "%s:%s is no belief, and only a belief is replaced", REF_ARGS(old->ref));
    if (check_superseded(p, old, e))
        return -1;
    if (count > 1)
        return error_set(e, ERROR_INVALID, "Supersede one at a time.",
                         "one statement cannot replace %zu", count);
    struct memory *after = plan_change(p, rows[0], "supersede", q->reason, e);
    if (!after)
        return -1;
    after->status = STATUS_SUPERSEDED;
    struct memory *m = plan_add(p, KIND_BELIEF, q->agent ? q->agent : old->agent_id, q->text,
                                q->text_len, "supersede", q->reason, e);
    if (!m)
        return -1;
    inherit(p, m, old);
    if (describe(p, m, old, q, e))
        return -1;
    plan_add_relation(p, m, RELATION_SUPERSEDES, old->ref, q->reason);
    p->named = p->count;
    return begin_history(p, m, old, q, e);
}

/* ---- resolving: the second memory replaces the first ---- */

int op_resolve(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (rows && count != 2)
        return error_set(e, ERROR_INVALID,
                         "Name the one that is replaced, then the one that stays.",
                         "two different memories are needed, and %zu is given", count);
    const struct memory *old = rows ? plan_read(p, rows[0], e) : NULL;
    const struct memory *by = old ? plan_read(p, rows[1], e) : NULL;
    if (!by || check_superseded(p, old, e) || check_superseded(p, by, e))
        return -1;
    if (old->ref.kind == KIND_ENTRY || by->ref.kind == KIND_ENTRY)
        return error_set(e, ERROR_INVALID, "Write the entry again.",
                         "an entry has one value, and replaces no memory");
    struct memory *after = plan_change(p, rows[0], "supersede", q->reason, e);
    struct memory *keep = after ? plan_follow(p, rows[1], "supersede", q->reason, e) : NULL;
    if (!keep)
        return -1;
    after->status = STATUS_SUPERSEDED;
    plan_add_relation(p, keep, RELATION_SUPERSEDES, after->ref, q->reason);
    p->named = 1;
    return 0;
}

/* ---- merging: one of several that say the same stays, with the sources of all ---- */

static bool names(const struct justification *group, struct ref ref)
{
    for (size_t i = 0; i < group->count; i++)
        if (ref_equal(group->antecedents[i].ref, ref))
            return true;
    return false;
}

/* Whether these sources together are a reason of the memory already, in whatever role and order. */
static bool has_reason(const struct memory *m, const struct antecedent *a, size_t count)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *group = &m->justifications[i];
        bool same = group->count == count || (group->reading == READING_ANY && count == 1);
        for (size_t k = 0; k < count && same; k++)
            same = names(group, a[k].ref);
        if (same && (group->reading == READING_ALL || count <= 1))
            return true;
    }
    return false;
}

/* Of sources of which each is enough, those that are new. */
static struct justification new_sources(struct plan *p, const struct memory *keep,
                                        struct justification group)
{
    struct antecedent *a = arena_alloc(p->arena, (group.count + 1) * sizeof(*a));
    size_t count = 0;
    for (size_t i = 0; i < group.count; i++)
        if (!has_reason(keep, &group.antecedents[i], 1) &&
            !ref_equal(group.antecedents[i].ref, keep->ref))
            a[count++] = group.antecedents[i];
    group.antecedents = a;
    group.count = count;
    return group;
}

/* New sources never make it easier to lose support: a memory that had none keeps standing without them. */
static void join_sources(struct plan *p, struct memory *keep, const struct memory *other)
{
    for (size_t i = 0; i < other->justification_count; i++) {
        struct justification group = other->justifications[i];
        bool each = group.reading == READING_ANY && group.count > 0;
        if (each)
            group = new_sources(p, keep, group);
        if (each ? !group.count
                 : has_reason(keep, group.antecedents, group.count) || names(&group, keep->ref))
            continue;
        if (keep->justification_count == 0)
            plan_add_group(p, keep, (struct justification){.reading = READING_ALL, .at = p->now});
        plan_add_group(p, keep, group);
    }
    for (size_t i = 0; i < other->tag_count; i++)
        plan_add_tag(p, keep, other->tags[i]);
}

static int merge_one(struct plan *p, struct memory *keep, int64_t node, const char *reason,
                     struct error *e)
{
    const struct memory *other = plan_read(p, node, e);
    if (!other || check_superseded(p, other, e))
        return -1;
    if (other->ref.kind != keep->ref.kind)
        return error_set(e, ERROR_INVALID, "Name memories of one kind.",
                         "%s:%s and %s:%s are of different kinds", REF_ARGS(other->ref),
                         REF_ARGS(keep->ref));
    struct memory *after = plan_change(p, node, "merge", reason, e);
    if (!after)
        return -1;
    after->status = STATUS_SUPERSEDED;
    join_sources(p, keep, other);
    plan_add_relation(p, keep, RELATION_SUPERSEDES, after->ref, reason);
    return 0;
}

int op_merge(struct plan *p, const struct request *q, struct error *e)
{
    size_t count, merged = 0;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    int64_t into = rows ? ref_resolve(p->reader, q->into ? q->into : "", e) : -1;
    const struct memory *now = into > 0 ? plan_read(p, into, e) : NULL;
    if (!now || plan_refuse_entry(p, now, e) || check_superseded(p, now, e))
        return -1;
    if (now->ref.kind == KIND_ENTRY)
        return error_set(e, ERROR_INVALID, "Write the entry again.",
                         "an entry has one value, and is merged with no other");
    struct memory *keep = plan_change(p, into, "merge", q->reason, e);
    for (size_t i = 0; i < count && keep; i++) {
        if (rows[i] == into)
            continue;
        if (merge_one(p, keep, rows[i], q->reason, e))
            return -1;
        merged++;
    }
    if (keep && !merged)
        return error_set(e, ERROR_INVALID, "Name what is merged into it.",
                         "nothing but %s:%s itself is named", REF_ARGS(now->ref));
    p->named = p->count;
    return keep ? 0 : -1;
}

/* ---- revising ---- */

/*
 * Revise takes an episode and the beliefs that the caller says it confirms or contradicts.
 * Confirmed beliefs are reinforced with the episode as evidence; contradicted ones are flagged for
 * review. Nothing is inferred.
 */

struct revision_of {
    const struct memory *episode;
    const char *source, *confirmed, *contradicted; /* its ref; reasons for the changes */
};

static int64_t *rows_of(struct plan *p, const char **refs, size_t count, size_t *found,
                        struct error *e)
{
    struct request named = REQUEST_INIT;
    named.refs = refs;
    named.ref_count = count;
    return operation_rows(p, &named, 0, found, e);
}

static int confirm(struct plan *p, int64_t node, const struct revision_of *r,
                   const struct request *q, struct error *e)
{
    struct memory *m =
        reinforce_one(p, node, "reinforce", q->reason ? q->reason : r->confirmed, r->source, e);
    return m ? evidence_add(p, m, r->episode->ref, e) : -1;
}

static bool is_contradicted(const struct memory *m, const char *source)
{
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, "for_review") == 0 && same_text(m->flags[i].value, source))
            return true;
    return false;
}

static int contradict(struct plan *p, int64_t node, const struct revision_of *r,
                      const struct request *q, struct error *e)
{
    const char *reason = q->reason ? q->reason : r->contradicted;
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (is_contradicted(now, r->source))
        return plan_leave(p, "%s:%s is flagged for a review by it already", REF_ARGS(now->ref));
    struct memory *m = plan_change(p, node, "mark", reason, e);
    if (!m)
        return -1;
    if (ref_equal(m->ref, r->episode->ref))
        return error_set(e, ERROR_INVALID, "Name a belief.",
                         "an episode does not contradict itself");
    plan_add_flag(p, m, "for_review", r->source, reason);
    struct memory *episode = plan_change(p, r->episode->node, "contradict", q->reason, e);
    if (!episode)
        return -1;
    plan_add_relation(p, episode, RELATION_CONTRADICTS, m->ref, q->reason);
    return 0;
}

static int check_both(const int64_t *a, size_t a_count, const int64_t *b, size_t b_count,
                      struct error *e)
{
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (a[i] == b[k])
                return error_set(e, ERROR_INVALID, "Name it once.",
                                 "a memory is named as confirmed and as contradicted");
    return a_count + b_count ? 0
                             : error_set(e, ERROR_INVALID, "Name what it confirms or contradicts.",
                                         "nothing to confirm or contradict is named");
}

static int find_episode(struct plan *p, const struct request *q, struct revision_of *r,
                        struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    r->episode = rows ? plan_read(p, rows[0], e) : NULL;
    if (!r->episode)
        return -1;
    if (count > 1 || r->episode->ref.kind != KIND_EPISODE)
        return error_set(e, ERROR_INVALID, "Name one episode.",
                         "beliefs are revised from one episode");
    r->source = arena_format(p->arena, "%s:%s", REF_ARGS(r->episode->ref));
    r->confirmed = arena_format(p->arena, "Confirmed by %s", r->source);
    r->contradicted = arena_format(p->arena, "Contradicted by %s", r->source);
    return operation_check_living(r->episode, e);
}

int op_revise(struct plan *p, const struct request *q, struct error *e)
{
    struct revision_of r = {.episode = NULL};
    size_t confirmed, contradicted;
    if (find_episode(p, q, &r, e))
        return -1;
    int64_t *yes = rows_of(p, q->evidence, q->evidence_count, &confirmed, e);
    int64_t *no = yes ? rows_of(p, q->contradicts, q->contradict_count, &contradicted, e) : NULL;
    if (!no || check_both(yes, confirmed, no, contradicted, e))
        return -1;
    for (size_t i = 0; i < confirmed; i++)
        if (confirm(p, yes[i], &r, q, e))
            return -1;
    for (size_t i = 0; i < contradicted; i++)
        if (contradict(p, no[i], &r, q, e))
            return -1;
    p->named = p->count;
    return 0;
}

/* ---- seeding: initial beliefs, marked as Kernle's roundtable marks them ---- */

static int seed(struct plan *p, const struct seed *s, const struct request *q, struct error *e)
{
    struct memory *m = plan_add(p, KIND_BELIEF, q->agent, s->text, s->len, "seed", q->reason, e);
    if (!m)
        return -1;
    if (operation_check_confidence(&(struct request){.confidence = s->confidence}, e))
        return -1;
    m->confidence = isnan(s->confidence) ? m->confidence : s->confidence;
    m->source = "seed-initialization";
    m->source_type = source_type_name(SOURCE_SEED);
    m->context = "kernle_seed";
    for (size_t i = 0; i < s->tag_count; i++)
        plan_add_tag(p, m, s->tags[i]);
    detail_set(&m->detail, p->arena, "belief_type", "\"foundational\"");
    detail_set(&m->detail, p->arena, "foundational", "true");
    plan_add_annotation(p, m, "kernle:seed-beliefs");
    return 0;
}

int op_seed(struct plan *p, const struct request *q, struct error *e)
{
    if (!q->seed_count)
        return error_set(e, ERROR_INVALID, "Give a statement.", "there is nothing to seed");
    for (size_t i = 0; i < q->seed_count; i++)
        if (seed(p, &q->seeds[i], q, e))
            return -1;
    p->named = p->count;
    return 0;
}
