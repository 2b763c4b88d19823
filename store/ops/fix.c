/* The fixes for each problem of the lineage. Also expires entries for other operations. */
#include "store/ops/fix.h"

#include <stdlib.h>
#include "model/base/clock.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/lineage/subgraph.h"
#include "store/ops/operation_internal.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/entry_row.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"
#include "store/txn/txn.h"

struct fixes {
    struct reader *r;
    struct arena *arena;
    const struct orphan *orphan;
    struct fix *fixes;
    size_t count;
    struct error *e;
};

/* Adds a fix for the memory with the problem. */
static struct request *add(struct fixes *g, enum operation op, const char *about)
{
    struct fix *one = &g->fixes[g->count++];
    *one = (struct fix){.operation = op, .about = about, .request = REQUEST_INIT};
    one->request.nodes = arena_memdup(g->arena, &g->orphan->node, sizeof(g->orphan->node));
    one->request.node_count = 1;
    return &one->request;
}

static void add_needing(struct fixes *g, enum operation op, const char *about, enum fix_need need)
{
    add(g, op, about);
    g->fixes[g->count - 1].need = need;
}

static void by_evidence(struct fixes *g)
{
    add_needing(g, OPERATION_REINFORCE, "adds other evidence for it", FIX_NEEDS_EVIDENCE);
}

/* ---- missing sources ---- */

/* A source that was added and then undone can be restored by undoing that undo. */
static int fix_missing(struct fixes *g)
{
    struct ref ref;
    struct event *events;
    size_t count;
    if (!g->orphan->target || ref_parse(g->orphan->target, &ref) != REF_MEMORY)
        return 0;
    int64_t node = ref_find(reader_db(g->r), ref, g->e);
    if (node <= 0)
        return (int)node;
    if (journal_of(g->r, g->arena, node, &events, &count, g->e))
        return -1;
    if (count == 0 || events[count - 1].after)
        return 0;
    int64_t *seq = arena_memdup(g->arena, &events[count - 1].seq, sizeof(*seq));
    struct request *q = add(g, OPERATION_UNDO, "restores the undone addition");
    q->nodes = NULL;
    q->node_count = 0;
    q->seqs = seq;
    q->seq_count = 1;
    return 0;
}

/* ---- lost support ---- */

/* The ended antecedents of the memory that can be restored. Returns NULL on error. */
static int64_t *find_ended(struct fixes *g, size_t *count)
{
    struct memory m;
    size_t most = 0;
    *count = 0;
    if (memory_read(g->r, g->arena, g->orphan->node, &m, g->e))
        return NULL;
    for (size_t i = 0; i < m.justification_count; i++)
        most += m.justifications[i].count;
    int64_t *rows = arena_array(g->arena, most + 1, sizeof(*rows));
    for (size_t i = 0; i < m.justification_count; i++)
        for (size_t k = 0; k < m.justifications[i].count; k++) {
            const struct antecedent *a = &m.justifications[i].antecedents[k];
            if (!STATUS_LIVES(a->status) && STATUS_KEPT(a->status))
                rows[(*count)++] = a->node;
        }
    return rows;
}

/* A list of problems asks for each of them. */
#define NEAR_MAX    100 /* memories that are looked through for the cause of a lost support */
#define CAUSES_MOST 4   /* ended ones that are tried */

/* Does the memory, node 0, stand once the node is active? */
static bool is_healed_by(struct graph *g, uint32_t node)
{
    AUTO(labels) labels = {0};
    uint8_t status = g->status[node];
    g->status[node] = STATUS_ACTIVE;
    labels_compute(&labels, g);
    bool heals = label_stands((enum label)labels.label[0]);
    g->status[node] = status;
    return heals;
}

/* The nearest ended memory down its sources that supports it again once it is restored. Its own sources were looked
 * at. */
static int find_cause(struct fixes *g, int64_t *row, size_t *count)
{
    AUTO(graph) near = {0};
    AUTO(lineage) walk = {0};
    bool bounded;
    size_t tried = 0;
    if (graph_load_surroundings(g->r, &near, &g->orphan->node, 1, ANCESTORS, NEAR_MAX, &bounded,
                                g->e))
        return -1;
    if (bounded)
        return 0;
    lineage_walk(&walk, &near, 0, ANCESTORS, DEPTH_UNLIMITED);
    for (size_t i = 1; i < walk.count && *count == 0 && tried < CAUSES_MOST; i++) {
        uint32_t node = walk.node[i];
        if (graph_lives(&near, node) || near.status[node] >= STATUS_PURGED)
            continue;
        tried++;
        if (is_healed_by(&near, node))
            row[(*count)++] = graph_row(&near, node);
    }
    return 0;
}

static int fix_unsupported(struct fixes *g)
{
    size_t count;
    int64_t *rows = find_ended(g, &count);
    if (!rows || (count == 0 && find_cause(g, rows, &count)))
        return -1;
    if (count) {
        struct request *q = add(g, OPERATION_RESTORE, "restores what it is based on");
        q->nodes = rows; /* repeated rows count once */
        q->node_count = count;
    }
    by_evidence(g);
    add(g, OPERATION_RETRACT, "marks it as wrong as well");
    return 0;
}

static int fix_circular(struct fixes *g)
{
    by_evidence(g);
    add(g, OPERATION_RETRACT, "marks it as wrong");
    return 0;
}

/* ---- provenance ---- */

static int fix_unrecorded(struct fixes *g)
{
    struct memory m;
    if (memory_read(g->r, g->arena, g->orphan->node, &m, g->e))
        return -1;
    if (m.ref.kind == KIND_BELIEF && operation_marked_as_seed(&m))
        add(g, OPERATION_REPAIR_ORIGINS, "records that it is a seed");
    by_evidence(g);
    return 0;
}

static int fix_disagreeing(struct fixes *g)
{
    add(g, OPERATION_REPAIR_ORIGINS, "records that those memories were promoted from it");
    return 0;
}

/* ---- times ---- */

/* Returns the value in ms if it looks like seconds, else 0. */
static int64_t as_seconds(const struct fixes *g, const char *value)
{
    int64_t seconds = value ? strtoll(value, NULL, 10) : 0;
    if (seconds <= 0 || seconds > INT64_MAX / 1000 ||
        clock_is_suspect(seconds * 1000, store_now(reader_store(g->r))))
        return 0;
    return seconds * 1000;
}

static int fix_time(struct fixes *g)
{
    static const char as_given[] = "reads its time as seconds";
    int64_t ms = as_seconds(g, g->orphan->target);
    if (strcmp(g->orphan->field, "created_at") == 0) {
        if (ms)
            add(g, OPERATION_EDIT, as_given)->created_at = ms;
        else
            add_needing(g, OPERATION_EDIT, "sets when it was made", FIX_NEEDS_TIME);
    } else if (strcmp(g->orphan->field, "retrieval_timestamp") == 0) {
        if (ms)
            add(g, OPERATION_EDIT, as_given)->fields =
                arena_format(g->arena, "{\"retrieval_timestamp\":%lld}", (long long)ms);
        else
            add_needing(g, OPERATION_EDIT, "sets when it was retrieved", FIX_NEEDS_VALUE);
    } else {
        add(g, OPERATION_FLAG, "flags it reviewed: its last change is then now")->flag = "reviewed";
    }
    return 0;
}

/* ---- confidence ---- */

static int fix_unexplained(struct fixes *g)
{
    double confidence = g->orphan->target ? strtod(g->orphan->target, NULL) : NAN;
    if (confidence >= 0 && confidence <= 1)
        add(g, OPERATION_EDIT, "sets the recorded confidence")->confidence = confidence;
    return 0;
}

/* ---- the table of problems ---- */

static const struct {
    int (*find)(struct fixes *g);
    const char *advice;
} problems[PROBLEM_COUNT] = {
    [PROBLEM_MISSING] =
        {fix_missing,
         "A ref that it names is not in this store: import that memory, or add one with this ref."},
    [PROBLEM_UNSUPPORTED] = {fix_unsupported,
                             "Add evidence for it, restore its sources, or retract it."},
    [PROBLEM_CIRCULAR] = {fix_circular, "Add evidence from outside the circle, or retract it."},
    [PROBLEM_UNRECORDED] = {fix_unrecorded, "Add evidence for it."},
    [PROBLEM_DISAGREEING] =
        {fix_disagreeing,
         "`stemma repair-origins` records that it was promoted from that raw entry."},
    [PROBLEM_SUSPECT_TIME] = {fix_time, "Give the time."},
    [PROBLEM_UNEXPLAINED] = {fix_unexplained, "Give it the confidence that was recorded."},
};

int fix_find(struct reader *r, struct arena *arena, const struct orphan *orphan,
             struct fix fixes[FIX_MAX], size_t *count, struct error *e)
{
    struct fixes g = {.r = r, .arena = arena, .orphan = orphan, .fixes = fixes, .e = e};
    int result = reader_begin(r, e);
    if (result == 0) {
        result = problems[orphan->problem].find(&g);
        reader_end(r);
    }
    *count = result ? 0 : g.count;
    return result;
}

bool fix_together(const struct fix *one, const int64_t *nodes, size_t count, struct request *out)
{
    static const enum operation common[] = {OPERATION_REINFORCE, OPERATION_RETRACT,
                                            OPERATION_REPAIR_ORIGINS, OPERATION_FLAG};
    for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
        if (one->operation == common[i]) {
            *out = one->request;
            out->nodes = nodes;
            out->node_count = count;
            return true;
        }
    return false;
}

/* The written memory that a missing ref is short for; 0 if there is none. Its author could not see
 * that memory, so the ref was stored as given. */
static int64_t find_meant(struct reader *r, const char *target)
{
    struct ref ref;
    struct error ignored;
    if (!target || ref_parse(target, &ref) != REF_MEMORY)
        return 0;
    int64_t named = ref_find(reader_db(r), ref, &ignored);
    int64_t meant = ref_resolve(r, target, &ignored);
    return meant > 0 && meant != named ? meant : 0;
}

const char *fix_advice(struct reader *r, struct arena *arena, const struct orphan *orphan)
{
    struct memory_row row;
    struct error ignored;
    int64_t meant = orphan->problem == PROBLEM_MISSING ? find_meant(r, orphan->target) : 0;
    if (meant > 0 && memory_row_read(r, arena, meant, &row, &ignored) == 0)
        return arena_format(arena,
                            "It is short for %s:%s, which its author could not see. Add that one "
                            "as evidence, if it is meant.",
                            kind_name(row.ref.kind), row.ref.id);
    return problems[orphan->problem].advice;
}

const struct actor sweeper_actor = {
    .class = ACTOR_AGENT, .name = "stemma", .origin = EXPIRY_ORIGIN};

/* Appends the expiry of an entry: its value is erased, here and in the journal. `operation` is a
 * constant. */
static int entry_expire(struct plan *p, int64_t node, const char *operation, struct error *e)
{
    struct memory *m = plan_follow(p, node, operation, NULL, e);
    if (!m)
        return -1;
    detail_set(&m->detail, p->arena, "value", NULL);
    if (STATUS_LIVES(m->status)) /* retracted or deleted entries keep their status */
        m->status = STATUS_EXPIRED;
    p->change[p->count - 1].erases = true;
    return 0;
}

int entry_sweep_first(struct plan *p, int64_t node, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (!STATUS_LIVES(now->status) || now->status == STATUS_EXPIRED)
        return 0;
    return entry_is_over(now, p->now) ? entry_expire(p, node, "expire", e) : 0;
}

int entry_expire_now(struct txn *t, const struct actor *actor, int64_t node, const char *operation,
                     struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct plan p = plan_in(t, actor, &arena, e);
    return entry_expire(&p, node, operation, e) == 0 ? plan_carry_out(&p, t, e) : -1;
}

int entry_claim_take(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e)
{
    int64_t over;
    if (entry_claim_check(txn_db(t), before, after, txn_now(t), &over, e))
        return -1;
    return over ? entry_expire_now(t, &sweeper_actor, over, "expire", e) : 0;
}
