#include "store/ops/operation_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/utf8.h"
#include "model/format/exchange.h"
#include "store/db/reader.h"
#include "store/db/same.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "model/base/hints.h"
#include "store/txn/txn.h"

/* One memory after the other, and what follows from them. */
static int plan_each(struct plan *p, const struct op_spec *spec, const struct request *q,
                     struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows || (spec->check && spec->check(p, q, count, e)) ||
        (spec->falls && plan_consequences(p, rows, count, e)))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (spec->each(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    return spec->then ? spec->then(p, rows, count, e) : 0;
}

static int find_outcome(struct plan *p, const struct op_spec *spec, struct error *e)
{
    for (size_t i = 0; spec->adds && i < p->count && !p->outcome; i++)
        p->outcome = p->change[i].before ? NULL : p->change[i].after;
    if (p->outcome || !p->about || plan_changes(p, p->about, &p->outcome))
        return 0;
    p->outcome = plan_read(p, p->about, e);
    return p->outcome || e->code == ERROR_NOT_FOUND ? 0 : -1;
}

/* Others' memories are not named to an agent, though something may have been left as it was for them. */
static int hide_left(struct plan *p, struct error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->left_count; i++) {
        bool hidden = false;
        if (reader_guarded(p->reader) && guard_begins_hidden(p->reader, p->left[i], &hidden, e))
            return -1;
        if (!hidden)
            p->left[kept++] = p->left[i];
    }
    p->left_count = kept;
    return 0;
}

static int make_plan(struct plan *p, enum operation op, const struct request *q, struct error *e)
{
    const struct op_spec *entry = op_spec(op);
    if (entry->person && p->actor->class != ACTOR_PERSON)
        return error_set(e, ERROR_REFUSED, "Ask the person who reviews this memory.",
                         "%s is a person's to do", entry->name);
    if (q->reason && !utf8_valid(q->reason, strlen(q->reason)))
        return error_set(e, ERROR_INVALID, "Write it in UTF-8.", "the reason is not valid UTF-8");
    return reader_begin(p->reader, e)
               ? -1
               : reader_done(p->reader,
                             (entry->plan ? entry->plan(p, q, e) : plan_each(p, entry, q, e)) ||
                                     plan_check_claims(p, e) || find_outcome(p, entry, e) ||
                                     hide_left(p, e)
                                 ? -1
                                 : 0);
}

int operation_preview(struct reader *r, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p, struct error *e)
{
    *p = (struct plan){.reader = r,
                       .actor = actor,
                       .arena = arena,
                       .now = store_now(reader_store(r)),
                       .preview = true};
    return make_plan(p, op, q, e);
}

int operation_in(struct txn *t, const struct actor *actor, enum operation op,
                 const struct request *q, struct arena *arena, struct plan *p, struct error *e)
{
    *p = plan_in(t, actor, arena, e);
    p->spares_entries = p->reader && reader_guarded(p->reader);
    return p->reader && make_plan(p, op, q, e) == 0 && plan_sweep(p, t, e) == 0
               ? plan_carry_out(p, t, e)
               : -1;
}

struct running {
    const struct actor *actor;
    enum operation op;
    const struct request *request;
    struct arena *arena;
    struct plan *plan;
};

static int run(struct txn *t, void *arg, struct error *e)
{
    struct running *o = arg;
    return operation_in(t, o->actor, o->op, o->request, o->arena, o->plan, e);
}

int operation_run_now(struct store *s, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p, struct error *e)
{
    struct running o = {actor, op, q, arena, p};
    return store_run(s, run, &o, e);
}

int operation_check_confidence(const struct request *q, struct error *e)
{
    if (isnan(q->confidence) || (q->confidence >= 0 && q->confidence <= 1))
        return 0;
    return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                     "a confidence of %g is out of range", q->confidence);
}

int operation_check_living(const struct memory *m, struct error *e)
{
    return STATUS_LIVES(m->status)
               ? 0
               : error_set(e, ERROR_REFUSED, REMEDY_RESTORE, "%s:%s is %s", kind_name(m->ref.kind),
                           m->ref.id, status_name(m->status));
}

int operation_check_unprotected(const struct memory *m, struct error *e)
{
    return m->is_protected ? error_set(e, ERROR_REFUSED, REMEDY_UNPROTECT, "%s:%s is protected",
                                       kind_name(m->ref.kind), m->ref.id)
                           : 0;
}

/* An edit of what was read names the version that it read. */
static int check_version(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                         struct error *e)
{
    for (size_t i = 0; i < count && q->expected_version; i++) {
        const struct memory *m = plan_read(p, rows[i], e);
        if (!m)
            return -1;
        if (m->version != q->expected_version)
            return error_set(e, ERROR_CONFLICT, "Read it again, then repeat the change.",
                             "%s:%s is at version %lld, not %lld", kind_name(m->ref.kind),
                             m->ref.id, (long long)m->version, (long long)q->expected_version);
    }
    return 0;
}

int operation_superseding(struct plan *p, int64_t node, int64_t *by, struct error *e)
{
    return db_int(reader_db(p->reader), by, 0, e,
                  "SELECT l.memory FROM link l JOIN memory m ON m.id = l.memory WHERE l.target = ?"
                  " AND l.shape & 31 = ? AND m.status <= ? LIMIT 1",
                  "iii", node, (int64_t)RELATION_SUPERSEDES, (int64_t)STATUS_EXPIRED);
}

struct place {
    int64_t row;
    size_t at;
};

static int by_row(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                            : (x->at > y->at) - (x->at < y->at);
}

/* Leaves the first of each, in their order. -1 where memory ran out. */
static void each_once(struct plan *p, int64_t *rows, size_t *count)
{
    size_t n = *count, kept = 0;
    struct place *place = arena_array(p->arena, n + 1, sizeof(*place));
    for (size_t i = 0; i < n; i++)
        place[i] = (struct place){rows[i], i};
    qsort(place, n, sizeof(*place), by_row);
    for (size_t i = 1; i < n; i++)
        if (place[i].row == place[i - 1].row)
            rows[place[i].at] = 0;
    for (size_t i = 0; i < n; i++)
        if (rows[i])
            rows[kept++] = rows[i];
    *count = kept;
}

int64_t *operation_rows(struct plan *p, const struct request *q, size_t needs, size_t *count,
                        struct error *e)
{
    int64_t *rows = arena_array(p->arena, q->ref_count + q->node_count + 1, sizeof(*rows));
    size_t n = 0;
    for (size_t i = 0; i < q->node_count; i++)
        rows[n++] = q->nodes[i];
    for (size_t i = 0; i < q->ref_count; i++)
        if ((rows[n++] = ref_resolve(p->reader, q->refs[i], e)) < 0)
            return NULL;
    *count = n;
    each_once(p, rows, count);
    if (*count < needs) {
        error_set(e, ERROR_INVALID, "Name it by its ref.", "it is not said which memory is meant");
        return NULL;
    }
    if (!p->about)
        p->about = rows[0];
    return check_version(p, q, rows, *count, e) ? NULL : rows;
}

/* ---- what was shown ---- */

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
static void make_timeless(struct timeless *t, const struct memory *m)
{
    struct memory *to = &t->m;
    *to = *m;
    to->form = NULL;
    to->justifications =
        copy_list(t, m->justifications, m->justification_count, sizeof(*m->justifications));
    to->history = copy_list(t, m->history, m->history_count, sizeof(*m->history));
    to->relations = copy_list(t, m->relations, m->relation_count, sizeof(*m->relations));
    to->marks = copy_list(t, m->marks, m->mark_count, sizeof(*m->marks));
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
}

/* Appends what the plan makes of it. */
static void add_form(struct strbuf *out, const struct plan *p, const struct planned *c)
{
    struct timeless t = {.arena = ARENA_INIT, .now = p->now};
    if (!c->after)
        return;
    make_timeless(&t, c->after);
    if (!c->before)
        t.m.ref.id = "";
    exchange_write(out, &t.m, NULL);
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

struct shown_running {
    const struct actor *actor;
    enum operation op;
    const struct request *request;
    struct arena *arena;
    const struct plan *shown;
    struct plan *plan;
    bool differs;
};

/* It is made and carried out as any other, and taken back where it is not what was shown. */
static int shown_run(struct txn *t, void *arg, struct error *e)
{
    struct shown_running *o = arg;
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
    struct shown_running o = {actor, op, q, arena, shown, p, false};
    int result = store_run(s, shown_run, &o, e);
    if (result && !o.differs)
        *p = (struct plan){.actor = actor};
    return result;
}
