#include "store/ops/operation.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/utf8.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/txn/txn.h"

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
    if (reader_begin(p->reader, e))
        return -1;
    int result = entry->plan(p, q, e) || plan_check_claims(p, e) || find_outcome(p, entry, e) ||
                         hide_left(p, e)
                     ? -1
                     : 0;
    reader_end(p->reader);
    return result;
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
    *p = (struct plan){
        .reader = txn_reader(t, e), .actor = actor, .arena = arena, .now = txn_now(t)};
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
