/* The names that entries live under once a plan is carried out: so that its preview is refused as it is. */
#include "store/ops/plan.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/arena.h"
#include "store/record/entry_claim.h"
#include "store/record/entry_find.h"
#include "store/db/reader.h"
#include "store/entries/sweeper.h"

/* An entry that lives under a name that it had not. */
struct claimant {
    struct entry_claim claim;
    const struct memory *m;
};

/* Its last change alone says what is left. */
static bool is_last(const struct plan *p, const struct planned *c)
{
    const struct memory *after;
    return c->after && c->after->ref.kind == KIND_ENTRY &&
           (!c->after->node || (plan_changes(p, c->after->node, &after) && after == c->after));
}

/* What it was before all of this. */
static int held_before(struct plan *p, const struct claimant *c, bool *held, struct error *e)
{
    struct memory was;
    struct entry_claim had;
    *held = false;
    if (!c->m->node)
        return 0;
    if (memory_read(p->reader, p->arena, c->m->node, &was, e))
        return -1;
    *held = was.status != STATUS_MISSING && entry_claim_of(&was, p->now, p->arena, &had) &&
            entry_claim_equal(&had, &c->claim);
    return 0;
}

/* Does the plan leave the one that has its name there? */
static int stays(struct plan *p, const struct claimant *c, int64_t row, const struct memory **other,
                 struct error *e)
{
    struct entry_claim its;
    if (!plan_changes(p, row, other))
        return (*other = plan_read(p, row, e)) ? 1 : -1;
    return *other && entry_claim_of(*other, p->now, p->arena, &its) &&
           entry_claim_equal(&its, &c->claim);
}

static void note_over(struct plan *p, int64_t row)
{
    if (p->over_count == p->over_alloc) {
        size_t more = p->over_alloc ? 2 * p->over_alloc : 8;
        int64_t *larger = arena_array(p->arena, more, sizeof(*larger));
        if (p->over_count)
            memcpy(larger, p->over, p->over_count * sizeof(*larger));
        p->over = larger;
        p->over_alloc = more;
    }
    p->over[p->over_count++] = row;
}

static int check_stored(struct plan *p, const struct claimant *c, struct error *e)
{
    const struct memory *other;
    struct entry_holder holder;
    if (entry_claim_holder(reader_db(p->reader), &c->claim, c->m->ref, p->now, &holder, e))
        return -1;
    if (!holder.memory)
        return 0;
    if (holder.over) {
        if (!plan_changes(p, holder.memory, &other))
            note_over(p, holder.memory);
        return 0;
    }
    int there = stays(p, c, holder.memory, &other, e);
    return there <= 0 ? there : entry_claim_taken(&c->claim, other->ref.id, e);
}

static int by_claim(const void *a, const void *b)
{
    const struct claimant *x = a, *y = b;
    int order = strcmp(x->claim.namespace_, y->claim.namespace_);
    return order ? order : strcmp(x->claim.key, y->claim.key);
}

/* Two of the plan itself. */
static int check_each_other(struct claimant *list, size_t count, struct error *e)
{
    if (count)
        qsort(list, count, sizeof(*list), by_claim);
    for (size_t i = 1; i < count; i++)
        if (by_claim(&list[i - 1], &list[i]) == 0)
            return entry_claim_taken(&list[i].claim, list[i - 1].m->ref.id, e);
    return 0;
}

static int add_claimant(struct plan *p, const struct memory *m, struct claimant *list,
                        size_t *count, struct error *e)
{
    struct claimant *c = &list[*count];
    bool held;
    c->m = m;
    if (!entry_claim_of(m, p->now, p->arena, &c->claim))
        return 0;
    if (held_before(p, c, &held, e) || (!held && check_stored(p, c, e)))
        return -1;
    *count += !held;
    return 0;
}

int plan_check_claims(struct plan *p, struct error *e)
{
    struct claimant *list = NULL;
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (!is_last(p, &p->change[i]))
            continue;
        if (!list)
            list = arena_array(p->arena, p->count - i, sizeof(*list));
        if (add_claimant(p, p->change[i].after, list, &count, e))
            return -1;
    }
    return check_each_other(list, count, e);
}

int plan_sweep(struct plan *p, struct txn *t, struct error *e)
{
    for (size_t i = 0; i < p->over_count; i++)
        if (entry_expire_now(t, &sweeper_actor, p->over[i], "expire", e))
            return -1;
    return 0;
}
