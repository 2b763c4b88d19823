/* Decides which of an agent's writes wait for a person, by the rules of one table. */
#include "store/ops/gate.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/policy/permission.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"
#include "store/query/ref.h"

#define SMALL 1000 /* characters */

/* Kinds that claim something. The others tell what the agent saw, did or noted. */
#define CLAIMS                                                                                     \
    (KIND_BIT(KIND_BELIEF) | KIND_BIT(KIND_VALUE) | KIND_BIT(KIND_GOAL) | KIND_BIT(KIND_DRIVE) |   \
     KIND_BIT(KIND_RELATIONSHIP) | KIND_BIT(KIND_SUGGESTION))

/* A memory, and what it is based on. */
struct judged {
    const struct memory *m;
    size_t sources;
    double support; /* confidence of its strongest valid justification; -1 if none is valid */
    enum trust_class class; /* least of its own and that of any source that stands */
};

static bool claims(const struct judged *j)
{
    return KIND_BIT(j->m->ref.kind) & CLAIMS;
}

static bool has_no_source(const struct judged *j)
{
    return claims(j) && j->sources == 0;
}

static bool has_no_support(const struct judged *j)
{
    return j->sources > 0 && j->support < 0;
}

static bool is_too_sure(const struct judged *j)
{
    return claims(j) && j->support >= 0 && j->m->confidence > j->support + 1e-6;
}

static bool replaces(const struct judged *j)
{
    for (size_t i = 0; i < j->m->relation_count; i++)
        if (j->m->relations[i].type == RELATION_SUPERSEDES)
            return true;
    return false;
}

static bool is_from_outside(const struct judged *j)
{
    return j->class == CLASS_WEB || j->class == CLASS_EXTERNAL;
}

static bool is_of_unknown_origin(const struct judged *j)
{
    return claims(j) && j->class == CLASS_UNKNOWN;
}

static bool is_long(const struct judged *j)
{
    return utf8_count(j->m->text) > SMALL;
}

/* What the tier `risky` stops. The names follow "it waits: "; docs/permissions.md explains them. */
static const struct {
    const char *name;
    bool (*holds)(const struct judged *j);
} rules[] = {
    {"no source", has_no_source},
    {"none of its sources stands", has_no_support},
    {"more confident than its sources", is_too_sure},
    {"replaces another", replaces},
    {"from the web or from outside", is_from_outside},
    {"of unknown origin", is_of_unknown_origin},
    {"long", is_long},
};

/* ---- what it is based on ---- */

static void take_source(struct judged *j, const struct row_label *source)
{
    if (source->class != CLASS_NONE && source->class < j->class)
        j->class = source->class;
}

static double confidence_of(const struct row_label *source)
{
    return !label_stands(source->label) ? -1
           : source->unstated           ? source->stored
                                        : source->effective;
}

static int judge_group(struct reader *r, const struct justification *group, struct judged *j,
                       struct error *e)
{
    struct row_label source;
    double least = 1;
    for (size_t i = 0; i < group->count; i++) {
        const struct antecedent *a = &group->antecedents[i];
        enum status status = STATUS_MISSING;
        int64_t row = ref_find_status(reader_db(r), a->ref, &status, e);
        bool known = row > 0 && status != STATUS_MISSING;
        if (row < 0 || (known && (effective_of_rows(r, &row, 1, &source, e) ||
                                  trust_class_fill(r, &row, 1, &source, e))))
            return -1;
        double confidence = known ? confidence_of(&source) : -1;
        if (known)
            take_source(j, &source);
        least = confidence < least ? confidence : least;
        if (group->reading == READING_ANY && confidence > j->support)
            j->support = confidence;
    }
    if (group->reading == READING_ALL && group->count > 0 && least > j->support)
        j->support = least;
    j->sources += group->count;
    return 0;
}

static int judge(struct plan *p, const struct memory *m, enum gate_tier tier, const char **waits,
                 struct error *e)
{
    AUTO_STRBUF why = STRBUF_INIT;
    int type = source_type_from_name(m->source_type ? m->source_type : "");
    struct judged j = {m, 0, -1,
                       trust_class_of(&(struct trust_source){type < 0 ? SOURCE_UNKNOWN : type,
                                                             m->source_entity, NULL})};
    for (size_t i = 0; i < m->justification_count; i++)
        if (judge_group(p->reader, &m->justifications[i], &j, e))
            return -1;
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (rules[i].holds(&j))
            strbuf_addf(&why, "%s%s", why.len ? ", " : "", rules[i].name);
    *waits = why.len ? arena_strndup(p->arena, why.buf, why.len)
             : tier == GATE_YES
                 ? arena_format(p->arena, "every %s does", kind_words(m->ref.kind, true))
                 : NULL;
    return 0;
}

/* ---- the plan ---- */

/* Only these operations change what a memory says or how sure it is. */
static bool rewrites(const struct planned *c)
{
    return same_text(c->operation, "edit") || same_text(c->operation, "reinforce") ||
           same_text(c->operation, "consolidate");
}

static int refuse(const struct planned *c, const char *waits, struct error *e)
{
    return error_set(
        e, ERROR_REFUSED,
        c->after->ref.kind == KIND_BELIEF
            ? "memory_supersede it: the new statement waits for a person's approval."
            : "Add what you learned as a new memory, which waits for a person's approval.",
        "%s:%s is active, and such a change needs a person (%s)", REF_ARGS(c->after->ref), waits);
}

static int judge_change(struct plan *p, const struct gate *gate, struct planned *c, struct error *e)
{
    const char *waits;
    enum gate_tier tier = c->after ? gate_tier(gate, c->after->ref.kind) : GATE_NO;
    bool judged = !c->before || (rewrites(c) && STATUS_LIVES(c->before->status));
    if (tier == GATE_NO || c->after->ref.kind >= KIND_ATTRIBUTION || !judged)
        return 0;
    if (judge(p, c->after, tier, &waits, e))
        return -1;
    if (!waits)
        return 0;
    if (c->before)
        return refuse(c, waits, e);
    c->after->status = STATUS_PENDING;
    c->reason =
        arena_format(p->arena, c->reason ? "pending: %s; %s" : "pending: %s", waits, c->reason);
    p->waits = waits;
    return 0;
}

int gate_plan(struct plan *p, struct error *e)
{
    const struct guard *g = p->actor->class == ACTOR_AGENT ? reader_guarded(p->reader) : NULL;
    const struct gate *gate = g ? permission_gate(guard_permissions(g->rules), g->agent) : NULL;
    size_t kept = 0;
    for (size_t i = 0; gate && i < p->count; i++)
        if (judge_change(p, gate, &p->change[i], e))
            return -1;
    if (!p->waits)
        return 0;
    for (size_t i = 0; i < p->count; i++)
        if (!p->change[i].before)
            p->change[kept++] = p->change[i];
    p->count = kept;
    return 0;
}

bool gate_asks(const struct guard *g)
{
    const struct gate *gate =
        g && g->rules ? permission_gate(guard_permissions(g->rules), g->agent) : NULL;
    return gate && gate->ask;
}

const char *gate_reason(struct reader *r, struct arena *arena, int64_t node)
{
    struct event *event;
    size_t count;
    struct error ignored;
    bool known =
        !journal_of(r, arena, node, &event, &count, &ignored) && count > 0 && event->reason;
    return known ? event->reason : status_name(STATUS_PENDING);
}

const char *gate_message(struct arena *arena, const char *waits)
{
    return arena_format(arena,
                        "It waits for a person's approval: %s. Until then it supports nothing, and "
                        "no other agent sees it.",
                        waits);
}
