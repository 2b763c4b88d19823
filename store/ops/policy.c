/* Decides from the journal and the guard whether an actor may change a memory. */
#include "store/ops/policy.h"

#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/txn/txn.h"

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
