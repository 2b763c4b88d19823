/* Builds a plan, carries it out, and computes its consequences. */
#include "store/ops/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "store/lineage/orphans.h"
#include "store/ops/add.h"
#include "store/ops/fix.h"
#include "store/ops/policy.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"
#include "store/txn/txn.h"

/* ---- the last change of each memory ---- */

/* Long plans have a map from row to last change; short ones are searched. */
static struct planned *last_change(const struct plan *p, int64_t node)
{
    if (p->last) {
        const int64_t *at = map_find(p->last, node);
        return at ? &p->change[*at] : NULL;
    }
    for (size_t i = p->count; i-- > 0;) {
        const struct memory *m = p->change[i].before ? p->change[i].before : p->change[i].after;
        if (m->node == node)
            return &p->change[i];
    }
    return NULL;
}

bool plan_changes(const struct plan *p, int64_t node, const struct memory **after)
{
    const struct planned *last = last_change(p, node);
    *after = last ? last->after : NULL;
    return last != NULL;
}

/* ---- reading ---- */

const struct memory *plan_read(struct plan *p, int64_t node, struct error *e)
{
    const struct planned *last = last_change(p, node);
    if (last && last->after)
        return last->after;
    if (!p->reader) /* plan_in failed and has set the error */
        return NULL;
    struct memory *m = arena_alloc(p->arena, sizeof(*m));
    if (!last && (memory_read(p->reader, p->arena, node, m, e) ||
                  policy_find_judges(p->reader, node, m->flags, m->flag_count, e)))
        return NULL;
    if (last || m->status == STATUS_MISSING) {
        struct ref ref = last ? last->before->ref : m->ref;
        if (last || m->event)
            error_set(e, ERROR_NOT_FOUND, HINT_UNDO, "%s:%s was undone: only its ref is left",
                      REF_ARGS(ref));
        else
            error_set(e, ERROR_NOT_FOUND, "It is only named by others: there is nothing to change.",
                      "%s:%s was never written here", REF_ARGS(ref));
        return NULL;
    }
    return m;
}

/* ---- appending ---- */

void plan_append(struct plan *p, const struct planned *change)
{
    const struct memory *m = change->before ? change->before : change->after;
    if (p->last && m->node)
        *map_at(p->last, m->node) = (int64_t)p->count;
    /*
     * The array has room for `alloc` elements. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
     */
    *ARENA_ADD(p->arena, p->change, p->count, p->alloc) = *change;
}

struct memory *plan_follow(struct plan *p, int64_t node, const char *operation, const char *reason,
                           struct error *e)
{
    const struct memory *before = plan_read(p, node, e);
    if (!before)
        return NULL;
    struct memory *after = arena_memdup(p->arena, before, sizeof(*before));
    const char *why = arena_strdup(p->arena, reason);
    after->version = before->version + 1;
    after->updated_at = p->now;
    after->form = NULL;
    struct planned change = {
        .operation = operation, .before = before, .after = after, .reason = why};
    plan_append(p, &change);
    return after;
}

/* Agents change entries only with putMemory and deleteMemory, which check the permissions of
 * namespaces. */
int plan_refuse_entry(const struct plan *p, const struct memory *m, struct error *e)
{
    if (m->ref.kind != KIND_ENTRY || !p->refuses_entries)
        return 0;
    return error_set(e, ERROR_REFUSED, HINT_ENTRY, "%s:%s is an entry, which no other tool changes",
                     REF_ARGS(m->ref));
}

struct memory *plan_change(struct plan *p, int64_t node, const char *operation, const char *reason,
                           struct error *e)
{
    const struct memory *before = plan_read(p, node, e);
    if (!before || plan_refuse_entry(p, before, e) ||
        policy_may_change(p->reader, p->actor, before, e))
        return NULL;
    if (before->status == STATUS_PURGED) {
        error_set(e, ERROR_REFUSED, "Nothing of it is kept.", "%s:%s was purged",
                  REF_ARGS(before->ref));
        return NULL;
    }
    return plan_follow(p, node, operation, reason, e);
}

static bool is_blank(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!text[i] || !strchr(" \t\r\n", text[i]))
            return false;
    return true;
}

int plan_set_text(struct plan *p, struct memory *m, const char *text, size_t len, struct error *e)
{
    if (!text || is_blank(text, len))
        return error_set(e, ERROR_INVALID, "Give a text.", "the text is empty");
    AUTO_STRBUF bytes = STRBUF_INIT;
    const char *original = memory_original(m, p->arena, &bytes);
    if (original)
        detail_set(&m->detail, p->arena, original, NULL);
    memory_set_text(m, p->arena, text, len);
    return 0;
}

const char *plan_agent(const struct actor *actor, const char *agent)
{
    if (!utf8_is_blank(agent) && actor->class != ACTOR_AGENT)
        return agent;
    return utf8_is_blank(actor->agent) ? actor->name : actor->agent;
}

struct memory *plan_add(struct plan *p, enum kind kind, const char *agent, const char *text,
                        size_t text_len, const char *operation, const char *reason, struct error *e)
{
    char id[37];
    struct memory *m = arena_alloc(p->arena, sizeof(*m));
    if (!p->txn)
        store_make_id(reader_store(p->reader), id);
    else if (txn_make_id(p->txn, id, e))
        return NULL;
    const char *copy = arena_strdup(p->arena, id);
    const char *why = arena_strdup(p->arena, reason);
    memory_init(m, (struct ref){kind, copy});
    m->created_at = m->updated_at = p->now;
    m->agent_id = arena_strdup(p->arena, plan_agent(p->actor, agent));
    if (!utf8_valid(m->agent_id, strlen(m->agent_id)) || utf8_count(m->agent_id) > AGENT_NAME_MAX) {
        error_set(e, ERROR_INVALID, "Call the agent by a shorter name, in UTF-8.",
                  "the agent's name is not valid UTF-8 or has more than %d characters",
                  AGENT_NAME_MAX);
        return NULL;
    }
    if (plan_set_text(p, m, text, text_len, e))
        return NULL;
    struct planned change = {.operation = operation, .after = m, .reason = why};
    plan_append(p, &change);
    return m;
}

int plan_leave(struct plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *ARENA_ADD(p->arena, p->left, p->left_count, p->left_alloc) =
        arena_vformat(p->arena, format, args);
    va_end(args);
    return 0;
}

void plan_remark(struct plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *ARENA_ADD(p->arena, p->remarks, p->remark_count, p->remark_alloc) =
        arena_vformat(p->arena, format, args);
    va_end(args);
}

void plan_unresolved(struct plan *p, const char *ref)
{
    for (size_t i = 0; i < p->unresolved_count; i++)
        if (strcmp(p->unresolved[i], ref) == 0)
            return;
    *ARENA_ADD(p->arena, p->unresolved, p->unresolved_count, p->unresolved_alloc) =
        arena_strdup(p->arena, ref);
}

/* ---- carrying it out ---- */

struct plan plan_in(struct txn *t, const struct actor *actor, struct arena *arena, struct error *e)
{
    return (struct plan){
        .txn = t, .reader = txn_reader(t, e), .actor = actor, .arena = arena, .now = txn_now(t)};
}

int plan_carry_out(struct plan *p, struct txn *t, struct error *e)
{
    struct actor actor = *p->actor;
    char id[37];
    if (p->count > 1 && !actor.correlation) {
        if (txn_make_id(t, id, e))
            return -1;
        actor.correlation = id + 24; /* 48 random bits are enough */
    }
    for (size_t i = 0; i < p->count; i++) {
        struct planned *c = &p->change[i];
        struct put how = {.operation = c->operation,
                          .reason = c->reason,
                          .undoes = c->undoes,
                          .erases = c->erases};
        if (c->after && !c->before)
            memory_claim(c->after, &actor, p->arena);
        if ((c->after && entry_claim_take(t, c->before, c->after, e)) ||
            txn_put_as(t, &actor, &how, c->before, c->after, e))
            return -1;
        c->event = t->last_seq;
    }
    return 0;
}

/* ---- parts of a change. Lists are copied, never changed in place: the state before shares them
 * ---- */

static void *copy_list(struct plan *p, const void *list, size_t count, size_t more, size_t size)
{
    char *larger = arena_array(p->arena, count + more, size);
    if (count)
        memcpy(larger, list, count * size);
    return larger;
}

/* Appends an element to a copy of the list and points to it. */
#define LONGER(p, list, count)                                                                     \
    ((list) = copy_list(p, list, count, 1, sizeof(*(list))), &(list)[(count)++])

/* Rounds to three decimals, as Kernle does in its history. */
static double rounded(double confidence)
{
    char digits[32];
    snprintf(digits, sizeof(digits), "%.3f", confidence);
    return strtod(digits, NULL);
}

int plan_confidence(struct plan *p, struct memory *m, double confidence, const char *reason,
                    const char *evidence_source, struct error *e)
{
    if (!(confidence >= 0 && confidence <= 1))
        return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                         "a confidence of %g is out of range", confidence);
    *LONGER(p, m->history, m->history_count) =
        (struct history_entry){.at = p->now,
                               .old = rounded(m->confidence),
                               .new_ = rounded(confidence),
                               .reason = arena_strdup(p->arena, reason),
                               .evidence_source = arena_strdup(p->arena, evidence_source)};
    m->confidence = confidence;
    return 0;
}

enum judge judge_of(const struct actor *actor)
{
    return actor->class == ACTOR_AGENT ? JUDGE_AGENT : JUDGE_PERSON;
}

void plan_add_flag(struct plan *p, struct memory *m, const char *flag, const char *value,
                   const char *reason)
{
    *LONGER(p, m->flags, m->flag_count) =
        (struct flag){.name = arena_strdup(p->arena, flag),
                      .at = p->now,
                      .actor = arena_strdup(p->arena, p->actor->name),
                      .by_agent = p->actor->class == ACTOR_AGENT,
                      .judge = judge_of(p->actor),
                      .value = arena_strdup(p->arena, value),
                      .reason = arena_strdup(p->arena, reason)};
}

void plan_add_relation(struct plan *p, struct memory *m, enum role type, struct ref to,
                       const char *reason)
{
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == type && ref_equal(m->relations[i].to, to))
            return;
    *LONGER(p, m->relations, m->relation_count) =
        (struct relation){.type = type,
                          .to = {to.kind, arena_strdup(p->arena, to.id)},
                          .at = p->now,
                          .reason = arena_strdup(p->arena, reason)};
}

void plan_add_group(struct plan *p, struct memory *m, struct justification group)
{
    *LONGER(p, m->justifications, m->justification_count) = group;
}

void plan_add_support(struct plan *p, struct memory *m, enum role role, struct ref by,
                      const struct use *use)
{
    struct antecedent *a = arena_alloc(p->arena, sizeof(*a));
    *a = (struct antecedent){.ref = {by.kind, arena_strdup(p->arena, by.id)}, .use = use};
    if (m->justification_count == 0)
        plan_add_group(p, m, (struct justification){.reading = READING_ALL, .at = p->now});
    plan_add_group(
        p, m, (struct justification){.role = role, .at = p->now, .antecedents = a, .count = 1});
}

static void add_string(struct plan *p, const char ***list, size_t *count, const char *text)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], text) == 0)
            return;
    *LONGER(p, *list, *count) = arena_strdup(p->arena, text);
}

void plan_add_tag(struct plan *p, struct memory *m, const char *tag)
{
    add_string(p, &m->tags, &m->tag_count, tag);
}

void plan_add_annotation(struct plan *p, struct memory *m, const char *annotation)
{
    add_string(p, &m->annotations, &m->annotation_count, annotation);
}

/* ---- consequences of removing support ---- */

int plan_name(struct plan *p, int64_t node, struct ref *out, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(p->reader, p->arena, node, &row, e))
        return -1;
    *out = row.ref;
    return 0;
}

struct caused {
    uint32_t node, cause;
};

/* For each node, up to two of the named memories that it descends from: indexes from 1, or 0. */
struct causes {
    const struct graph *g;
    uint32_t (*of)[2];
    uint32_t *ring;       /* [nodes]: steps from the nearest named memory */
    struct caused *queue; /* [2 * nodes]: each node has at most two causes */
    size_t first, end;
    struct ref *named; /* [count], in the arena */
};

/* Adds a cause to a node that has fewer than two, and queues the node. The first is one of the nearest. */
static void add_cause(struct causes *c, uint32_t node, uint32_t cause, uint32_t ring)
{
    uint32_t *of = c->of[node];
    if (of[0] == cause || of[1])
        return;
    if (!of[0])
        c->ring[node] = ring;
    of[of[0] ? 1 : 0] = cause;
    c->queue[c->end].node = node;
    c->queue[c->end].cause = cause;
    c->end++;
}

/* Breadth-first search from all named memories at once, along uses. */
static void spread(struct causes *c)
{
    const struct graph *g = c->g;
    while (c->first < c->end) {
        uint32_t node = c->queue[c->first].node, cause = c->queue[c->first].cause;
        c->first++;
        for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++)
            add_cause(c, g->just_node[g->use_just[i]], cause, c->ring[node] + 1);
    }
}

static int find_causes(struct plan *p, const struct retraction *q, struct causes *c,
                       struct error *e)
{
    *c = (struct causes){.g = &q->graph};
    c->named = arena_array(p->arena, q->count + 1, sizeof(*c->named));
    c->of = xcalloc((size_t)q->graph.nodes + 1, sizeof(*c->of));
    c->ring = xcalloc((size_t)q->graph.nodes + 1, sizeof(*c->ring));
    c->queue = xcalloc(2 * (size_t)q->graph.nodes + 1, sizeof(*c->queue));
    for (size_t i = 0; i < q->count; i++) {
        if (plan_name(p, graph_row(&q->graph, q->nodes[i]), &c->named[i], e))
            return -1;
        if (graph_lives(&q->graph, q->nodes[i]))
            add_cause(c, q->nodes[i], (uint32_t)i + 1, 0);
    }
    spread(c);
    return 0;
}

static void release_causes(struct causes *c)
{
    FREE_ALL(c->of, c->ring, c->queue);
}

static void take_cause(const struct causes *c, uint32_t node, struct consequence *out)
{
    const uint32_t *of = c->of[node];
    if (of[0])
        out->because = c->named[of[0] - 1];
    out->several = of[1] != 0;
    out->ring = c->ring[node];
}

/* ---- filling the plan ---- */

static int take_one(struct plan *p, const struct retraction *q, const struct causes *causes,
                    uint32_t node, uint32_t valid_after, struct consequence *c, struct error *e)
{
    *c = (struct consequence){.node = graph_row(&q->graph, node),
                              .before = (enum label)q->labels.label[node],
                              .valid = q->labels.valid[node],
                              .valid_after = valid_after};
    take_cause(causes, node, c);
    return plan_name(p, c->node, &c->ref, e);
}

static int take_lists(struct plan *p, const struct retraction *q, const struct causes *causes,
                      struct error *e)
{
    const struct whatif *w = &q->outcome;
    p->unsupported = arena_array(p->arena, w->unsupported_count + 1, sizeof(*p->unsupported));
    p->weakened = arena_array(p->arena, w->weakened_count + 1, sizeof(*p->weakened));
    for (size_t i = 0; i < w->unsupported_count; i++)
        if (take_one(p, q, causes, w->unsupported[i], 0, &p->unsupported[p->unsupported_count++],
                     e))
            return -1;
    for (size_t i = 0; i < w->weakened_count; i++)
        if (take_one(p, q, causes, w->weakened[i].node, w->weakened[i].after,
                     &p->weakened[p->weakened_count++], e))
            return -1;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return COMPARE(*x, *y);
}

/* Nodes of a partial graph are not in row order, so sort all of them before truncating. */
static void take_descending(struct plan *p, const struct retraction *q)
{
    const struct whatif *w = &q->outcome;
    AUTO_FREE int64_t *rows = xcalloc(w->descending_count + 1, sizeof(*rows));
    p->descending_total = (int64_t)w->descending_count;
    p->descending_count =
        w->descending_count < PLAN_DESCENDING ? w->descending_count : PLAN_DESCENDING;
    for (size_t i = 0; i < w->descending_count; i++)
        rows[i] = graph_row(&q->graph, w->descending[i]);
    SORT(rows, w->descending_count, by_number);
    p->descending = arena_memdup(p->arena, rows, (p->descending_count + 1) * sizeof(*rows));
}

static int by_row(const void *a, const void *b)
{
    const struct consequence *x = a, *y = b;
    return COMPARE(x->node, y->node);
}

/* The order must not depend on which part of the graph was loaded. */
static void sort(struct plan *p)
{
    SORT(p->unsupported, p->unsupported_count, by_row);
    SORT(p->weakened, p->weakened_count, by_row);
}

int plan_consequences(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct retraction q;
    struct causes causes = {.g = NULL};
    p->unsupported_count = p->weakened_count = p->descending_count = 0;
    int result = retraction_load(&q, p->reader, rows, count, e);
    if (result == 0) {
        result = find_causes(p, &q, &causes, e) || take_lists(p, &q, &causes, e) ? -1 : 0;
        take_descending(p, &q);
        sort(p);
    }
    release_causes(&causes);
    retraction_release(&q);
    return result;
}
