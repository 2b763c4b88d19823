/*
 * Reinforce: evidence came that bears it out. Consolidate: the same by what was looked over together. The
 * formula is Kernle's; n counts the reinforcement itself.
 */
#include "store/ops/op_reinforce.h"

#include <string.h>
#include "model/json/json.h"
#include "store/ops/remedy.h"

#define STEP    0.05
#define SLOWER  0.1
#define CEILING 0.99

double reinforced(double confidence, int64_t n)
{
    double more = STEP / (1 + SLOWER * (double)n) * (CEILING - confidence);
    return confidence + (more > 0 ? more : 0);
}

static int64_t times_reinforced(const struct memory *m)
{
    int64_t times = 0;
    struct json_slice value = {NULL, 0};
    if (m->detail)
        value = json_member(m->detail, strlen(m->detail), "times_reinforced");
    return value.ptr && json_integer(value, &times) == 0 && times > 0 ? times : 0;
}

/* Is it among what the memory rests on? An episode counts where it is evidence. */
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

int evidence_find(struct plan *p, const char *text, struct ref *ref, const char **whole,
                  struct error *e)
{
    bool known = false;
    enum ref_class class = plan_ref(p, text, KIND_COUNT, ref, &known, e);
    if (class == REF_BAD)
        return -1;
    if (class == REF_ANNOTATION) {
        *ref = (struct ref){KIND_COUNT, NULL};
        *whole = text;
        return 0;
    }
    struct strbuf name = STRBUF_INIT;
    ref_add(&name, *ref);
    *whole = arena_strndup(p->arena, name.buf, name.len);
    strbuf_release(&name);
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
                                                      : "Restore it, or name evidence that stands.",
                           "%s is %s", *whole, status_name(m->status));
}

int evidence_add(struct plan *p, struct memory *m, struct ref by, const char *reason,
                 struct error *e)
{
    if (by.kind == KIND_COUNT || supports(m, by))
        return 0;
    if (ref_equal(by, m->ref))
        return error_set(e, ERROR_INVALID, "Name what bears it out.",
                         "%s:%s is no evidence for itself", kind_name(by.kind), by.id);
    plan_add_support(p, m, by.kind == KIND_EPISODE ? ROLE_EVIDENCE : ROLE_REINFORCEMENT, by, NULL,
                     reason);
    return 0;
}

struct memory *reinforce_one(struct plan *p, int64_t node, const char *operation,
                             const char *reason, const char *evidence_source, struct error *e)
{
    char count[64];
    struct memory *m = plan_change(p, node, operation, reason, e);
    if (!m)
        return NULL;
    if (!STATUS_LIVES(m->status)) {
        error_set(e, ERROR_REFUSED, REMEDY_RESTORE, "%s:%s is %s", kind_name(m->ref.kind),
                  m->ref.id, status_name(m->status));
        return NULL;
    }
    int64_t n = times_reinforced(m) + 1;
    snprintf(count, sizeof(count), "Reinforced (count: %lld)", (long long)n);
    if (plan_confidence(p, m, reinforced(m->confidence, n), reason ? reason : count,
                        evidence_source, e))
        return NULL;
    snprintf(count, sizeof(count), "%lld", (long long)n);
    plan_set_detail(p, m, "times_reinforced", count);
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
        if (!m || evidence_add(p, m, by, NULL, e))
            return -1;
    }
    p->named = p->count;
    return 0;
}
