#include "store/ops/shown.h"

#include <string.h>
#include "model/format/exchange.h"
#include "store/db/same.h"

/* ---- the same change ---- */

/* Room for the lists of one memory. */
struct timeless {
    struct memory m;
    struct arena arena;
    int64_t now;
};

static void *copy_list(struct timeless *t, const void *list, size_t count, size_t size)
{
    void *copy = arena_array(&t->arena, count + 1, size);
    if (copy && count)
        memcpy(copy, list, count * size);
    return copy;
}

static void drop_time(const struct timeless *t, int64_t *at)
{
    if (*at == t->now)
        *at = 0;
}

/* The memory without the times that the plan gave it: they are those of its making. */
static int make_timeless(struct timeless *t, const struct memory *m)
{
    struct memory *to = &t->m;
    *to = *m;
    to->form = NULL;
    to->justifications =
        copy_list(t, m->justifications, m->justification_count, sizeof(*m->justifications));
    to->history = copy_list(t, m->history, m->history_count, sizeof(*m->history));
    to->relations = copy_list(t, m->relations, m->relation_count, sizeof(*m->relations));
    to->marks = copy_list(t, m->marks, m->mark_count, sizeof(*m->marks));
    if (!to->justifications || !to->history || !to->relations || !to->marks)
        return -1;
    drop_time(t, &to->created_at);
    drop_time(t, &to->updated_at);
    for (size_t i = 0; i < to->justification_count; i++)
        drop_time(t, &to->justifications[i].at);
    for (size_t i = 0; i < to->history_count; i++)
        drop_time(t, &to->history[i].at);
    for (size_t i = 0; i < to->relation_count; i++)
        drop_time(t, &to->relations[i].at);
    for (size_t i = 0; i < to->mark_count; i++)
        drop_time(t, &to->marks[i].at);
    return 0;
}

/* Appends what the plan makes of it. */
static void add_form(struct strbuf *out, const struct plan *p, const struct planned *c)
{
    struct timeless t = {.arena = ARENA_INIT, .now = p->now};
    if (!c->after)
        return;
    if (make_timeless(&t, c->after)) {
        out->failed = true;
    } else {
        if (!c->before)
            t.m.ref.id = "";
        exchange_write(out, &t.m, NULL);
    }
    arena_release(&t.arena);
}

static bool same_start(const struct planned *a, const struct planned *b)
{
    if (!a->before != !b->before || !a->after != !b->after)
        return false;
    if (strcmp(a->operation, b->operation) != 0 || !same_text(a->reason, b->reason) ||
        a->undoes != b->undoes || a->erases != b->erases)
        return false;
    return !a->before ||
           (a->before->node == b->before->node && a->before->version == b->before->version);
}

static void same_change(const struct plan *p, const struct planned *a, const struct plan *q,
                        const struct planned *b, bool *same)
{
    struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;
    *same = same_start(a, b);
    if (!*same)
        return;
    add_form(&one, p, a);
    add_form(&other, q, b);
    *same = one.len == other.len && (one.len == 0 || memcmp(one.buf, other.buf, one.len) == 0);
    strbuf_release(&one);
    strbuf_release(&other);
}

/* ---- the same consequences ---- */

static bool same_consequences(const struct consequence *a, const struct consequence *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i].node != b[i].node || a[i].holds != b[i].holds || a[i].remain != b[i].remain)
            return false;
    return true;
}

static bool same_words(const char **a, const char **b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(a[i], b[i]) != 0)
            return false;
    return true;
}

static bool same_rest(const struct plan *a, const struct plan *b)
{
    return a->count == b->count && a->fall_count == b->fall_count &&
           a->weakened_count == b->weakened_count && a->descends == b->descends &&
           a->left_count == b->left_count && a->remark_count == b->remark_count &&
           same_consequences(a->falls, b->falls, a->fall_count) &&
           same_consequences(a->weakened, b->weakened, a->weakened_count) &&
           same_words(a->left, b->left, a->left_count) &&
           same_words(a->remarks, b->remarks, a->remark_count);
}

void plan_same(const struct plan *a, const struct plan *b, bool *same)
{
    *same = same_rest(a, b);
    for (size_t i = 0; *same && i < a->count; i++)
        same_change(a, &a->change[i], b, &b->change[i], same);
}

/* ---- carrying it out ---- */

struct running {
    const struct actor *actor;
    enum operation op;
    const struct request *request;
    struct arena *arena;
    const struct plan *shown;
    struct plan *plan;
    bool differs;
};

/* It is made and carried out as any other, and taken back where it is not what was shown. */
static int run(struct txn *t, void *arg, struct error *e)
{
    struct running *o = arg;
    bool same;
    if (operation_in(t, o->actor, o->op, o->request, o->arena, o->plan, e))
        return -1;
    plan_same(o->shown, o->plan, &same);
    o->differs = !same;
    return same
               ? 0
               : error_set(e, ERROR_CONFLICT, "Look at what it would change now, and decide again.",
                           "the memory changed meanwhile: it is not what was shown any more");
}

int operation_run_shown(struct store *s, const struct actor *actor, enum operation op,
                        const struct request *q, struct arena *arena, const struct plan *shown,
                        struct plan *p, struct error *e)
{
    struct running o = {actor, op, q, arena, shown, p, false};
    int result = store_run(s, run, &o, e);
    if (result && !o.differs)
        *p = (struct plan){.actor = actor};
    return result;
}
