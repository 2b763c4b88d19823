/*
 * Supersede: a better statement in its place. The new belief is an inference from the old one, inherits
 * its source episodes and starts its own history; the old one stays what it was, superseded.
 */
#include <string.h>
#include "store/ops/operation.h"
#include "store/ops/policy.h"
#include "store/ops/remedy.h"

static int check(struct plan *p, const struct memory *old, struct error *e)
{
    int64_t by;
    struct memory_row row;
    if (plan_refuse_entry(p, old, e))
        return -1;
    if (old->ref.kind != KIND_BELIEF)
        return error_set(e, ERROR_INVALID, "Edit it instead.",
                         "%s:%s is no belief, and only a belief is superseded",
                         kind_name(old->ref.kind), old->ref.id);
    if (operation_superseding(p, old->node, &by, e))
        return -1;
    if (by) {
        char todo[REF_ID_MAX + 64];
        if (memory_row_read(p->reader, p->arena, by, &row, e))
            return -1;
        snprintf(todo, sizeof(todo), "Supersede %s:%s.", kind_name(row.ref.kind), row.ref.id);
        error_set(e, ERROR_CONFLICT, todo, "belief:%s is superseded already", old->ref.id);
        e->todo_quotes = true;
        return -1;
    }
    if (policy_may_change(p->reader, p->actor, old, e))
        return -1;
    if (!STATUS_LIVES(old->status))
        return error_set(e, ERROR_REFUSED, REMEDY_RESTORE, "belief:%s is %s", old->ref.id,
                         status_name(old->status));
    return 0;
}

static bool is_source_episode(const struct justification *j)
{
    return j->role == ROLE_EVIDENCE && j->count == 1 && j->antecedents[0].ref.kind == KIND_EPISODE;
}

static void inherit(struct plan *p, struct memory *m, const struct memory *old)
{
    struct justification *all = arena_array(p->arena, old->justification_count + 1, sizeof(*all));
    struct antecedent *a = arena_alloc(p->arena, sizeof(*a));
    a->ref = old->ref;
    all[0] = (struct justification){ROLE_DERIVED_FROM, READING_ANY, RECORDED, p->now, NULL, a, 1};
    m->justification_count = 1;
    for (size_t i = 0; i < old->justification_count; i++)
        if (is_source_episode(&old->justifications[i]))
            all[m->justification_count++] = old->justifications[i];
    m->justifications = all;
}

/* What describes the statement goes with it; how often the old one was reinforced does not. */
static int describe(struct plan *p, struct memory *m, const struct memory *old,
                    const struct request *q, struct error *e)
{
    m->tags = old->tags;
    m->tag_count = old->tag_count;
    m->context = old->context;
    m->source_type = source_type_name(SOURCE_INFERENCE);
    m->detail = old->detail;
    plan_set_detail(p, m, "times_reinforced", NULL);
    if (memory_text_was_repaired(old))
        plan_set_detail(p, m, "original", NULL);
    return plan_set_text(p, m, q->text, q->text_len, e); /* which may add its own original */
}

int op_supersede(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    const struct memory *old = rows ? plan_read(p, rows[0], e) : NULL;
    if (!old || check(p, old, e))
        return -1;
    if (count > 1)
        return error_set(e, ERROR_INVALID, "Supersede one at a time.",
                         "one statement cannot take the place of %zu", count);
    struct memory *after = plan_change(p, rows[0], "supersede", q->reason, e);
    if (!after)
        return -1;
    after->status = STATUS_SUPERSEDED;
    struct memory *m = plan_add(p, KIND_BELIEF, q->agent ? q->agent : old->agent_id, q->text,
                                q->text_len, "supersede", q->reason, e);
    if (!m)
        return -1;
    inherit(p, m, old);
    if (describe(p, m, old, q, e) ||
        plan_add_relation(p, m, RELATION_SUPERSEDES, old->ref, q->reason))
        return -1;
    m->confidence = isnan(q->confidence) ? old->confidence : q->confidence;
    p->named = p->count;
    return operation_check_confidence(q, e);
}
