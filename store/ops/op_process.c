/*
 * Process (promote): an episode, a belief or a note is made of a raw. The new memory is derived from it, and
 * the raw says what it became, added to what it became before.
 */
#include <string.h>
#include "store/ops/operation.h"
#include "store/ops/remedy.h"
#include "store/db/same.h"

#define PROMOTED 0.7 /* the confidence of what was made so */

/* Who made it by hand at the command line is told apart, as Kernle does. */
static bool is_typed(const struct actor *actor)
{
    return same_text(actor->origin, "command");
}

static void set_type(struct plan *p, struct memory *m)
{
    if (m->ref.kind == KIND_BELIEF)
        plan_set_detail(p, m, "belief_type", "\"fact\"");
    else if (m->ref.kind == KIND_NOTE)
        plan_set_detail(p, m, "note_type", "\"note\"");
}

static int check(const struct plan *p, const struct memory *raw, enum kind as, struct error *e)
{
    if (plan_refuse_entry(p, raw, e))
        return -1;
    if (raw->ref.kind != KIND_RAW)
        return error_set(e, ERROR_INVALID, "Only a raw is processed; supersede or edit this one.",
                         "%s:%s is no raw", kind_name(raw->ref.kind), raw->ref.id);
    if (as != KIND_EPISODE && as != KIND_BELIEF && as != KIND_NOTE)
        return error_set(e, ERROR_INVALID, "Say episode, belief or note.",
                         "it is not said what to make of %s:%s", kind_name(raw->ref.kind),
                         raw->ref.id);
    if (!STATUS_LIVES(raw->status))
        return error_set(e, ERROR_REFUSED, REMEDY_RESTORE, "raw:%s is %s", raw->ref.id,
                         status_name(raw->status));
    return 0;
}

static void derive(struct plan *p, struct memory *m, const struct memory *raw)
{
    struct justification *j = arena_alloc(p->arena, sizeof(*j));
    struct antecedent *a = arena_alloc(p->arena, sizeof(*a));
    a->ref = raw->ref;
    *j = (struct justification){ROLE_DERIVED_FROM, READING_ANY, RECORDED, p->now, NULL, a, 1};
    m->justifications = j;
    m->justification_count = 1;
}

static int process(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *raw = plan_read(p, node, e);
    if (!raw || check(p, raw, q->as, e))
        return -1;
    const char *text = q->text ? q->text : raw->text;
    struct memory *m = plan_add(p, q->as, q->agent ? q->agent : raw->agent_id, text,
                                q->text ? q->text_len : strlen(text), "process", q->reason, e);
    if (!m)
        return -1;
    derive(p, m, raw);
    set_type(p, m);
    m->confidence = PROMOTED;
    m->source = is_typed(p->actor) ? "cli-promote" : "raw-processing";
    m->source_type = source_type_name(source_type_infer(m->source, NULL));
    if (is_typed(p->actor))
        plan_add_tag(p, m, "promoted");
    if (q->provenance && plan_provenance(p, m, q->provenance, e))
        return -1;
    struct memory *after = plan_change(p, node, "process", q->reason, e);
    return after ? plan_add_relation(p, after, RELATION_PROCESSED_INTO, m->ref, NULL) : -1;
}

int op_process(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    if (q->text && count > 1)
        return error_set(e, ERROR_INVALID, "Process them one by one, or leave the text out.",
                         "one text cannot be what %zu raws say", count);
    for (size_t i = 0; i < count; i++)
        if (process(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    return 0;
}
