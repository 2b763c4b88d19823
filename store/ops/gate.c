/* Decides which of an agent's writes wait for a person, by the rules of one table. */
#include "store/ops/policy.h"

#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/policy/permission.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"
#include "store/history/history.h"
#include "store/txn/txn.h"

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

/* ---- who may change a memory ---- */

/* Returns the last event in which a person did `operation` to the memory, not undone since. Returns 0 if there is none,
 * -1 on error. */
static int64_t last_by_person(struct reader *r, int64_t node, const char *operation,
                              struct error *e)
{
    static const char sql[] = "SELECT seq FROM event WHERE subject = ? AND operation = ? AND person"
                              " ORDER BY seq DESC";
    int64_t last = 0;
    struct query rows = db_query(reader_db(r), e, sql, "is", node, operation);
    while (last == 0 && db_next(&rows)) {
        int64_t seq = sqlite3_column_int64(rows.stmt, 0);
        int64_t undone = history_undone_by(r, seq, e);
        if (undone < 0)
            return db_fail(&rows);
        last = undone ? 0 : seq;
    }
    return db_end(&rows) ? -1 : last;
}

/* A person's decision stands until a person does the opposite operation. Returns 1, 0, or -1 on
 * error. */
static int stands(struct reader *r, int64_t node, const char *decided, const char *lifted,
                  struct error *e)
{
    int64_t done = last_by_person(r, node, decided, e);
    int64_t since = done > 0 ? last_by_person(r, node, lifted, e) : 0;
    return done < 0 || since < 0 ? -1 : done > since;
}

int policy_person_retracted(struct reader *r, int64_t node, struct error *e)
{
    return stands(r, node, "retract", "restore", e);
}

int policy_person_verified(struct reader *r, int64_t node, struct error *e)
{
    return stands(r, node, "verify", "unprotect", e);
}

int policy_find_judge(struct reader *r, int64_t node, struct flag *flag, struct error *e)
{
    /* If both had the same name at that time, it was the agent. */
    static const char sql[] = "SELECT CASE min(person IS 1) WHEN 1 THEN ? WHEN 0 THEN ? ELSE ? END"
                              " FROM event WHERE subject = ? AND at = ? AND actor IS ?"
                              " AND operation IN ('mark', 'verify')";
    int64_t judge = JUDGE_AGENT;
    if (!flag->by_agent &&
        db_int(reader_db(r), &judge, 0, e, sql, "iiiiis", (int64_t)JUDGE_PERSON,
               (int64_t)JUDGE_AGENT, (int64_t)JUDGE_IMPORT, node, flag->at, flag->actor))
        return -1;
    flag->judge = (enum judge)judge;
    return 0;
}

int policy_find_judges(struct reader *r, int64_t node, struct flag *flags, size_t count,
                       struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (policy_find_judge(r, node, &flags[i], e))
            return -1;
    return 0;
}

int policy_set_by_agent(struct reader *r, struct memory *m, struct error *e)
{
    if (policy_find_judges(r, m->node, m->flags, m->flag_count, e))
        return -1;
    for (size_t i = 0; i < m->flag_count; i++)
        m->flags[i].by_agent = m->flags[i].judge == JUDGE_AGENT;
    m->form = NULL;
    return 0;
}

bool policy_is_foreign(const struct txn *t, const struct memory *m)
{
    return t->reader && reader_guarded(t->reader) &&
           (m->ref.kind == KIND_ENTRY || guard_hides_agent(t->reader, m->agent_id));
}

int policy_objection(struct reader *r, const struct actor *actor, const struct memory *m,
                     const char **why, struct error *e)
{
    *why = NULL;
    if (actor->class == ACTOR_PERSON || m->node == 0)
        return 0;
    if (m->is_protected || m->status == STATUS_QUARANTINED) {
        *why = m->is_protected ? "is locked" : "is quarantined";
        return 0;
    }
    int verified = policy_person_verified(r, m->node, e);
    int retracted = verified ? 0 : policy_person_retracted(r, m->node, e);
    if (verified < 0 || retracted < 0)
        return -1;
    *why = verified ? "was approved by a person" : retracted ? "was retracted by a person" : NULL;
    return 0;
}

int policy_keeps_unchanged(struct txn *t, const struct actor *actor, const struct memory *m,
                           struct error *e)
{
    const char *why;
    if (!STATUS_LIVES(m->status) || m->is_protected || policy_is_foreign(t, m))
        return 1;
    struct reader *r = txn_reader(t, e);
    return !r || policy_objection(r, actor, m, &why, e) ? -1 : why != NULL;
}

int policy_may_change(struct reader *r, const struct actor *actor, const struct memory *m,
                      struct error *e)
{
    const char *why;
    if (actor->class != ACTOR_PERSON && m->node && m->ref.kind != KIND_ENTRY &&
        guard_hides_agent(r, m->agent_id))
        return error_set(e, ERROR_REFUSED, "Ask the person who reviews this memory.",
                         "%s:%s is another agent's", REF_ARGS(m->ref));
    if (policy_objection(r, actor, m, &why, e))
        return -1;
    return why ? error_set(e, ERROR_REFUSED, POLICY_HINT, "%s:%s %s", REF_ARGS(m->ref), why) : 0;
}
