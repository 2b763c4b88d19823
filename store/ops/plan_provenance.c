/* Provenance that comes with a request, given to a memory that a plan adds. */
#include "store/ops/plan.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/ops/add.h"

static int keep(struct plan *p, const char **to, const char *name, const char *text,
                struct error *e)
{
    if (!text || !*text)
        return 0;
    if (!utf8_valid(text, strlen(text)))
        return error_set(e, ERROR_INVALID, "Write it in UTF-8.", "the %s is not valid UTF-8", name);
    *to = arena_strdup(p->arena, text);
    return 0;
}

static int keep_fields(struct plan *p, struct memory *m, const struct add_request *r,
                       struct error *e)
{
    if (keep(p, &m->source, "source", r->source, e) ||
        keep(p, &m->source_entity, "source entity", r->source_entity, e) ||
        keep(p, &m->context, "context", r->context, e))
        return -1;
    m->source_type = source_type_name(source_type_infer(m->source, m->source_entity));
    if (keep(p, &m->source_type, "source type", r->source_type, e))
        return -1;
    for (size_t i = 0; i < r->tag_count; i++)
        if (*r->tags[i])
            plan_add_tag(p, m, r->tags[i]);
    return 0;
}

/* 1: an antecedent; 0: an annotation, which it has now; -1. */
static int find(struct plan *p, struct memory *m, const char *text, enum kind bare, struct ref *ref,
                struct error *e)
{
    bool known = false;
    enum ref_class class = plan_ref(p, text, bare, ref, &known, e);
    struct strbuf name = STRBUF_INIT;
    if (class == REF_ANNOTATION) {
        plan_add_annotation(p, m, text);
        return 0;
    }
    if (class != REF_MEMORY)
        return -1;
    ref_add(&name, *ref);
    if (!known)
        plan_unresolved(p, name.buf);
    strbuf_release(&name);
    return 1;
}

/* Joins the group that it has already: what it was made from, with what else it was made from. */
static int derive(struct plan *p, struct memory *m, const struct add_request *r, struct error *e)
{
    const struct justification *had = m->justification_count ? m->justifications : NULL;
    size_t count = had ? had->count : 0;
    struct justification *all = arena_array(p->arena, m->justification_count + 1, sizeof(*all));
    struct antecedent *room = arena_array(p->arena, count + r->derived_count + 1, sizeof(*room));
    if (count && had->antecedents)
        memcpy(room, had->antecedents, count * sizeof(*room));
    for (size_t i = 0; i < r->derived_count; i++) {
        int found = find(p, m, r->derived_from[i], KIND_COUNT, &room[count].ref, e);
        bool again = false;
        for (size_t k = 0; found > 0 && k < count; k++)
            again |= ref_equal(room[k].ref, room[count].ref);
        if (found < 0)
            return -1;
        count += found > 0 && !again;
    }
    if (count == 0)
        return 0;
    if (m->justification_count > 1 && m->justifications)
        memcpy(all + 1, m->justifications + 1, (m->justification_count - 1) * sizeof(*all));
    all[0] = (struct justification){
        ROLE_DERIVED_FROM, r->derivation, RECORDED, p->now, NULL, room, count};
    m->justifications = all;
    m->justification_count += !had;
    return 0;
}

static bool is_backed_by(const struct memory *m, struct ref ref)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_EVIDENCE && m->justifications[i].count == 1 &&
            ref_equal(m->justifications[i].antecedents[0].ref, ref))
            return true;
    return false;
}

int plan_provenance(struct plan *p, struct memory *m, const struct add_request *r, struct error *e)
{
    if (keep_fields(p, m, r, e) || derive(p, m, r, e))
        return -1;
    for (size_t i = 0; i < r->relates_count; i++) {
        struct ref ref;
        int found = find(p, m, r->relates_to[i], KIND_EPISODE, &ref, e);
        if (found < 0)
            return -1;
        if (found == 0 || is_backed_by(m, ref))
            continue;
        size_t before = m->justification_count;
        plan_add_support(p, m, ROLE_EVIDENCE, ref, NULL, NULL);
        if (before == 0) { /* given together with it, it is no later evidence */
            m->justifications[0] = m->justifications[1];
            m->justification_count = 1;
        }
    }
    return 0;
}
