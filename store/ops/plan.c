#include "store/ops/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/arena.h"
#include "model/base/hints.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "store/lineage/orphans.h"
#include "store/ops/add.h"
#include "store/ops/mend.h"
#include "store/ops/policy.h"
#include "store/query/list.h"
#include "store/record/entry_row.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/txn/txn.h"

/* ---- the last change of each memory ---- */

static size_t place_of(const struct plan_place *place, size_t alloc, int64_t node)
{
    size_t at = (size_t)((uint64_t)node * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (alloc - 1);
    while (place[at].node && place[at].node != node)
        at = (at + 1) & (alloc - 1);
    return at;
}

static void make_places(struct plan *p)
{
    size_t alloc = p->place_alloc ? 2 * p->place_alloc : 64;
    struct plan_place *place = arena_array(p->arena, alloc, sizeof(*place));
    for (size_t i = 0; i < p->place_alloc; i++)
        if (p->place[i].node)
            place[place_of(place, alloc, p->place[i].node)] = p->place[i];
    p->place = place;
    p->place_alloc = alloc;
}

static void note_change(struct plan *p, int64_t node, size_t change)
{
    if (2 * (p->place_count + 1) > p->place_alloc)
        make_places(p);
    struct plan_place *place = &p->place[place_of(p->place, p->place_alloc, node)];
    p->place_count += place->node == 0;
    *place = (struct plan_place){node, change};
}

static struct planned *last_change(const struct plan *p, int64_t node)
{
    if (!p->place_alloc)
        return NULL;
    const struct plan_place *place = &p->place[place_of(p->place, p->place_alloc, node)];
    return place->node ? &p->change[place->change] : NULL;
}

bool plan_changes(const struct plan *p, int64_t node, const struct memory **after)
{
    const struct planned *last = last_change(p, node);
    *after = last ? last->after : NULL;
    return last != NULL;
}

/* ---- reading ---- */

static int taken_back(struct ref ref, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, REMEDY_UNDO, "%s:%s was taken back: only its ref is left",
                     kind_name(ref.kind), ref.id);
}

const struct memory *plan_read(struct plan *p, int64_t node, struct error *e)
{
    const struct planned *last = last_change(p, node);
    if (last && last->after)
        return last->after;
    if (!p->reader) /* plan_in found none, and said so */
        return NULL;
    struct memory *m = arena_alloc(p->arena, sizeof(*m));
    if (!last && memory_read(p->reader, p->arena, node, m, e))
        return NULL;
    if (last || m->status == STATUS_MISSING) {
        struct ref ref = last ? last->before->ref : m->ref;
        if (last || m->event)
            return taken_back(ref, e), NULL;
        error_set(e, ERROR_NOT_FOUND, "It is only named by others: there is nothing to change.",
                  "%s:%s was never written here", kind_name(ref.kind), ref.id);
        return NULL;
    }
    return m;
}

/* ---- appending ---- */

void plan_append(struct plan *p, const struct planned *change)
{
    const struct memory *m = change->before ? change->before : change->after;
    if (m->node)
        note_change(p, m->node, p->count);
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

/* What an agent may do with entries, putMemory and deleteMemory ask; nothing else does. */
int plan_refuse_entry(const struct plan *p, const struct memory *m, struct error *e)
{
    if (m->ref.kind != KIND_ENTRY || !p->spares_entries)
        return 0;
    return error_set(e, ERROR_REFUSED, "Use putMemory or deleteMemory.",
                     "%s:%s is an entry, which no other tool changes", kind_name(m->ref.kind),
                     m->ref.id);
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
                  kind_name(before->ref.kind), before->ref.id);
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
        return error_set(e, ERROR_INVALID, "Say what it is to remember.", "the text is empty");
    memory_set_text(m, p->arena, text, len);
    return 0;
}

const char *plan_agent(const struct actor *actor, const char *agent)
{
    if (!utf8_is_blank(agent))
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

static const char *format_text(struct plan *p, const char *format, va_list args)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_vaddf(&text, format, args);
    const char *copy = arena_strndup(p->arena, text.buf, text.len);
    strbuf_release(&text);
    return copy;
}

int plan_leave(struct plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *ARENA_ADD(p->arena, p->left, p->left_count, p->left_alloc) = format_text(p, format, args);
    va_end(args);
    return 0;
}

void plan_remark(struct plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *ARENA_ADD(p->arena, p->remarks, p->remark_count, p->remark_alloc) =
        format_text(p, format, args);
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
        actor.correlation = id + 24; /* 48 bits of chance will do */
    }
    for (size_t i = 0; i < p->count; i++) {
        struct planned *c = &p->change[i];
        struct put how = {.operation = c->operation,
                          .reason = c->reason,
                          .undoes = c->undoes,
                          .erases = c->erases};
        if (txn_put_as(t, &actor, &how, c->before, c->after, e))
            return -1;
        c->event = t->last_seq;
    }
    return 0;
}

/* ---- the parts of a change: a list is never changed in place, since the memory as it was shares it ---- */

/* The list with room for `more` elements. */
static void *with_room(struct plan *p, const void *list, size_t count, size_t more, size_t size)
{
    char *larger = arena_array(p->arena, count + more, size);
    if (count)
        memcpy(larger, list, count * size);
    return larger;
}

/* To three decimals, as Kernle keeps its history: the double nearest to that decimal. */
static double rounded(double confidence)
{
    char digits[32];
    snprintf(digits, sizeof(digits), "%.3f", confidence);
    return strtod(digits, NULL);
}

int plan_confidence(struct plan *p, struct memory *m, double confidence, const char *reason,
                    const char *evidence_source, struct error *e)
{
    struct history_entry entry = {.at = p->now, .old = rounded(m->confidence)};
    struct history_entry *all = with_room(p, m->history, m->history_count, 1, sizeof(*m->history));
    if (!(confidence >= 0 && confidence <= 1))
        return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                         "a confidence of %g is out of range", confidence);
    entry.reason = arena_strdup(p->arena, reason);
    entry.evidence_source = arena_strdup(p->arena, evidence_source);
    entry.new_ = rounded(confidence);
    all[m->history_count] = entry;
    m->history = all;
    m->history_count++;
    m->confidence = confidence;
    return 0;
}

void plan_add_mark(struct plan *p, struct memory *m, const char *mark, const char *value,
                   const char *reason)
{
    struct mark one = {.at = p->now};
    struct mark *all = with_room(p, m->marks, m->mark_count, 1, sizeof(*m->marks));
    one.mark = arena_strdup(p->arena, mark);
    one.actor = arena_strdup(p->arena, p->actor->name);
    one.value = arena_strdup(p->arena, value);
    one.reason = arena_strdup(p->arena, reason);
    all[m->mark_count] = one;
    m->marks = all;
    m->mark_count++;
}

void plan_drop_mark(struct plan *p, struct memory *m, const char *mark, bool *found)
{
    struct mark *kept = with_room(p, NULL, 0, m->mark_count + 1, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, mark) != 0)
            kept[count++] = m->marks[i];
    *found = count < m->mark_count;
    m->marks = kept;
    m->mark_count = count;
}

void plan_add_relation(struct plan *p, struct memory *m, enum role type, struct ref to,
                       const char *reason)
{
    struct relation one = {.type = type, .to.kind = to.kind, .at = p->now};
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == type && ref_equal(m->relations[i].to, to))
            return;
    struct relation *all = with_room(p, m->relations, m->relation_count, 1, sizeof(*m->relations));
    one.to.id = arena_strdup(p->arena, to.id);
    one.reason = arena_strdup(p->arena, reason);
    all[m->relation_count] = one;
    m->relations = all;
    m->relation_count++;
}

void plan_add_support(struct plan *p, struct memory *m, enum role role, struct ref by,
                      const struct use *use, const char *reason)
{
    size_t count = m->justification_count;
    struct justification *all = with_room(p, m->justifications, count, 2, sizeof(*all));
    struct antecedent *antecedent = with_room(p, NULL, 0, 1, sizeof(*antecedent));
    struct justification one = {role, READING_ANY, RECORDED, p->now, NULL, antecedent, 1};
    one.reason = arena_strdup(p->arena, reason);
    antecedent->ref = (struct ref){by.kind, arena_strdup(p->arena, by.id)};
    antecedent->use = use;
    if (count == 0)
        all[count++] =
            (struct justification){ROLE_DERIVED_FROM, READING_ALL, RECORDED, p->now, NULL, NULL, 0};
    all[count++] = one;
    m->justifications = all;
    m->justification_count = count;
}

static void add_string(struct plan *p, const char ***list, size_t *count, const char *text)
{
    const char *copy;
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], text) == 0)
            return;
    const char **all = with_room(p, *list, *count, 1, sizeof(*all));
    copy = arena_strdup(p->arena, text);
    all[(*count)++] = copy;
    *list = all;
}

void plan_add_tag(struct plan *p, struct memory *m, const char *tag)
{
    add_string(p, &m->tags, &m->tag_count, tag);
}

void plan_add_annotation(struct plan *p, struct memory *m, const char *annotation)
{
    add_string(p, &m->annotations, &m->annotation_count, annotation);
}

void plan_set_detail(struct plan *p, struct memory *m, const char *member, const char *json)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    bool found = false;
    const char *detail = m->detail ? m->detail : "{}";
    for (struct json_each it = json_each((struct json_slice){detail, strlen(detail)});
         json_next(&it);) {
        bool is_it = json_key_is(it.key, member);
        found |= is_it;
        if (is_it && !json)
            continue;
        if (o.any)
            strbuf_addch(&out, ',');
        o.any = true;
        strbuf_addch(&out, '"');
        strbuf_add(&out, it.key.ptr, it.key.len);
        strbuf_addstr(&out, "\":");
        if (is_it)
            strbuf_addstr(&out, json);
        else
            strbuf_add(&out, it.value.ptr, it.value.len);
    }
    if (!found && json) {
        json_key(&o, member);
        strbuf_addstr(&out, json);
    }
    json_end(&o);
    m->detail = arena_strndup(p->arena, out.buf, out.len);
    strbuf_release(&out);
}

/* ---- the names of entries once a plan is carried out, so that its preview is refused as its commit would be ---- */

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
            *ARENA_ADD(p->arena, p->over, p->over_count, p->over_alloc) = holder.memory;
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

/* What follows from taking support away, for a plan: the what-if of what is stored. */

static int name_node(struct plan *p, int64_t node, struct ref *out, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(p->reader, p->arena, node, &row, e))
        return -1;
    *out = row.ref;
    return 0;
}

/* ---- because of which ---- */

/* For each node up to two of those named that it descends from: their places from 1, 0: none. */
struct causes {
    const struct graph *g;
    uint32_t (*of)[2];
    struct {
        uint32_t node, cause;
    } * queue; /* [2 * nodes]: each node gets a cause twice at most */
    size_t first, end;
    struct ref *named; /* [count], in the arena */
};

static void add_cause(struct causes *c, uint32_t node, uint32_t cause)
{
    uint32_t *of = c->of[node];
    if (of[0] == cause || of[1])
        return;
    of[of[0] != 0] = cause;
    c->queue[c->end].node = node;
    c->queue[c->end++].cause = cause;
}

/* Breadth first from all of them at once, over what rests on what. */
static void spread(struct causes *c)
{
    const struct graph *g = c->g;
    while (c->first < c->end) {
        uint32_t node = c->queue[c->first].node, cause = c->queue[c->first].cause;
        c->first++;
        for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++)
            add_cause(c, g->just_node[g->use_just[i]], cause);
    }
}

static int find_causes(struct plan *p, const struct retraction *q, struct causes *c,
                       struct error *e)
{
    *c = (struct causes){.g = &q->graph};
    c->named = arena_array(p->arena, q->count + 1, sizeof(*c->named));
    c->of = xcalloc((size_t)q->graph.nodes + 1, sizeof(*c->of));
    c->queue = xcalloc(2 * (size_t)q->graph.nodes + 1, sizeof(*c->queue));
    for (size_t i = 0; i < q->count; i++) {
        if (name_node(p, graph_row(&q->graph, q->nodes[i]), &c->named[i], e))
            return -1;
        if (graph_lives(&q->graph, q->nodes[i]))
            add_cause(c, q->nodes[i], (uint32_t)i + 1);
    }
    spread(c);
    return 0;
}

static void release_causes(struct causes *c)
{
    free(c->of);
    free(c->queue);
}

static void take_cause(const struct causes *c, uint32_t node, struct consequence *out)
{
    const uint32_t *of = c->of[node];
    if (of[0])
        out->because = c->named[of[0] - 1];
    out->several = of[1] != 0;
}

/* ---- the lists ---- */

static int take_one(struct plan *p, const struct retraction *q, const struct causes *causes,
                    uint32_t node, uint32_t remain, struct consequence *c, struct error *e)
{
    *c = (struct consequence){.node = graph_row(&q->graph, node),
                              .before = (enum label)q->labels.label[node],
                              .holds = q->labels.holds[node],
                              .remain = remain};
    take_cause(causes, node, c);
    return name_node(p, c->node, &c->ref, e);
}

static int take_lists(struct plan *p, const struct retraction *q, const struct causes *causes,
                      struct error *e)
{
    const struct whatif *w = &q->outcome;
    p->falls = arena_array(p->arena, w->fall_count + 1, sizeof(*p->falls));
    p->weakened = arena_array(p->arena, w->weakened_count + 1, sizeof(*p->weakened));
    for (size_t i = 0; i < w->fall_count; i++)
        if (take_one(p, q, causes, w->falls[i], 0, &p->falls[p->fall_count++], e))
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
    return (*x > *y) - (*x < *y);
}

/* The nodes of a part of the graph are in no order of rows: all of them are looked at. */
static void take_descending(struct plan *p, const struct retraction *q)
{
    const struct whatif *w = &q->outcome;
    int64_t *rows = xcalloc(w->descends + 1, sizeof(*rows));
    p->descends = (int64_t)w->descends;
    p->descending_count = w->descends < PLAN_DESCENDING ? w->descends : PLAN_DESCENDING;
    for (size_t i = 0; i < w->descends; i++)
        rows[i] = graph_row(&q->graph, w->descending[i]);
    if (w->descends)
        qsort(rows, w->descends, sizeof(*rows), by_number);
    p->descending = arena_memdup(p->arena, rows, (p->descending_count + 1) * sizeof(*rows));
    free(rows);
}

static int by_row(const void *a, const void *b)
{
    const struct consequence *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

/* Whichever part of the graph was loaded. */
static void sort(struct plan *p)
{
    if (p->fall_count)
        qsort(p->falls, p->fall_count, sizeof(*p->falls), by_row);
    if (p->weakened_count)
        qsort(p->weakened, p->weakened_count, sizeof(*p->weakened), by_row);
}

int plan_consequences(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct retraction q;
    struct causes causes = {.g = NULL};
    p->fall_count = p->weakened_count = p->descending_count = 0;
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
