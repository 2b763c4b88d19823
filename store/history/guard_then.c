#include "store/history/guard_then.h"

#include "store/record/detail_member.h"
#include "store/record/entry_row.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less.", "memory ran out");
}

/* Nothing is kept of it but that it was there. */
static bool says_nothing(const struct memory *m)
{
    return !m->detail && !(m->text && *m->text);
}

/* As entries that are there: one without the name of a namespace is nobody's to see. */
static int sight_of_name(struct reader *r, struct arena *arena, const struct memory *m,
                         enum sight *out)
{
    const struct guard *g = reader_guarded(r);
    const struct permissions *p = guard_permissions(g->rules);
    struct entry_claim name;
    *out = SIGHT_NONE;
    if (!entry_name_of(m, detail_json(m->detail), arena, &name) ||
        !permission_reads(p, g->agent, name.namespace_, MET_BY_REF))
        return 0;
    *out = SIGHT_WHOLE;
    reader_guard_known(r)->met |= permission_policy(p, name.namespace_)->pii != PII_OFF;
    return 0;
}

int guard_state(struct reader *r, struct arena *arena, const struct memory *m,
                const struct memory **seen, struct error *e)
{
    enum sight sight;
    *seen = m;
    if (!m || !guard_hides(r))
        return 0;
    bool by_name = m->ref.kind == KIND_ENTRY && !says_nothing(m);
    if (by_name ? sight_of_name(r, arena, m, &sight)
                : guard_sight_of(r, m->node, m->ref.kind, m->agent_id, &sight, e))
        return -1;
    *seen = NULL;
    if (sight != SIGHT_WHOLE)
        return 0;
    struct memory *thinned = arena_memdup(arena, m, sizeof(*m));
    if (!thinned)
        return no_memory(e);
    *seen = thinned;
    return guard_thin(r, arena, thinned, e);
}

int guard_revision(struct reader *r, struct arena *arena, struct revision *v, bool *told,
                   struct error *e)
{
    const struct memory *before, *after;
    *told = true;
    if (!guard_hides(r))
        return 0;
    if (guard_state(r, arena, v->before, &before, e) || guard_state(r, arena, v->after, &after, e))
        return -1;
    *told = v->after ? after != NULL : before != NULL;
    if (v->before && !before) {
        v->event.before = v->event.reason = NULL;
        v->event.undoes = 0;
    }
    v->before = before;
    v->after = after;
    return 0;
}
