#include "store/ops/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/arena.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "store/ops/add.h"
#include "store/ops/policy.h"
#include "model/base/hints.h"
#include "store/record/entry_row.h"
#include "store/ops/entry_expire.h"
#include "store/txn/txn.h"

/* Room for one more element of a list in the arena. */
static void grow(struct plan *p, void **list, size_t *alloc, size_t count, size_t size)
{
    if (count < *alloc)
        return;
    size_t more = *alloc ? 2 * *alloc : 16;
    void *larger = arena_array(p->arena, more, size);
    if (count && *list)
        memcpy(larger, *list, count * size);
    *list = larger;
    *alloc = more;
}

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
    void *list = p->change;
    const struct memory *m = change->before ? change->before : change->after;
    grow(p, &list, &p->alloc, p->count, sizeof(*p->change));
    if (m->node)
        note_change(p, m->node, p->count);
    p->change = list;
    p->change[p->count++] = *change;
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

static const char *agent_of(const struct plan *p, const char *agent)
{
    if (!utf8_is_blank(agent))
        return agent;
    return utf8_is_blank(p->actor->agent) ? p->actor->name : p->actor->agent;
}

struct memory *plan_add(struct plan *p, enum kind kind, const char *agent, const char *text,
                        size_t text_len, const char *operation, const char *reason, struct error *e)
{
    char id[37];
    struct memory *m = arena_alloc(p->arena, sizeof(*m));
    store_make_id(reader_store(p->reader), id);
    const char *copy = arena_strdup(p->arena, id);
    const char *why = arena_strdup(p->arena, reason);
    memory_init(m, (struct ref){kind, copy});
    m->created_at = m->updated_at = p->now;
    m->agent_id = arena_strdup(p->arena, agent_of(p, agent));
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

static void append_text(struct plan *p, const char ***list, size_t *count, size_t *alloc,
                        const char *format, va_list args)
{
    struct strbuf text = STRBUF_INIT;
    void *grown = *list;
    strbuf_vaddf(&text, format, args);
    const char *copy = arena_strndup(p->arena, text.buf, text.len);
    strbuf_release(&text);
    grow(p, &grown, alloc, *count, sizeof(**list));
    *list = grown;
    (*list)[(*count)++] = copy;
}

int plan_leave(struct plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_text(p, &p->left, &p->left_count, &p->left_alloc, format, args);
    va_end(args);
    return 0;
}

void plan_remark(struct plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_text(p, &p->remarks, &p->remark_count, &p->remark_alloc, format, args);
    va_end(args);
}

void plan_unresolved(struct plan *p, const char *ref)
{
    void *grown = p->unresolved;
    const char *copy = arena_strdup(p->arena, ref);
    for (size_t i = 0; i < p->unresolved_count; i++)
        if (strcmp(p->unresolved[i], ref) == 0)
            return;
    grow(p, &grown, &p->unresolved_alloc, p->unresolved_count, sizeof(*p->unresolved));
    p->unresolved = grown;
    p->unresolved[p->unresolved_count++] = copy;
}

/* ---- carrying it out ---- */

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

/* ---- what changes consist of ---- */

/* What changes consist of: lists are never changed where they stand, for the memory as it was shares them. */

/* The list with room for `more` elements. */
static void *with_room(struct plan *p, const void *list, size_t count, size_t more, size_t size)
{
    char *larger = arena_array(p->arena, count + more, size);
    if (count)
        memcpy(larger, list, count * size);
    return larger;
}

/* A copy in the arena; NULL stays NULL. */
static void keep(struct plan *p, const char **copy, const char *text)
{
    *copy = arena_strdup(p->arena, text);
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
    if (!all)
        return -1;
    keep(p, &entry.reason, reason);
    keep(p, &entry.evidence_source, evidence_source);
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
    keep(p, &one.mark, mark);
    keep(p, &one.actor, p->actor->name);
    keep(p, &one.value, value);
    keep(p, &one.reason, reason);
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

int plan_add_relation(struct plan *p, struct memory *m, enum role type, struct ref to,
                      const char *reason)
{
    struct relation one = {.type = type, .to.kind = to.kind, .at = p->now};
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == type && ref_equal(m->relations[i].to, to))
            return 0;
    struct relation *all = with_room(p, m->relations, m->relation_count, 1, sizeof(*m->relations));
    keep(p, &one.to.id, to.id);
    keep(p, &one.reason, reason);
    all[m->relation_count] = one;
    m->relations = all;
    m->relation_count++;
    return 0;
}

void plan_add_support(struct plan *p, struct memory *m, enum role role, struct ref by,
                      const struct use *use, const char *reason)
{
    size_t count = m->justification_count;
    struct justification *all = with_room(p, m->justifications, count, 2, sizeof(*all));
    struct antecedent *antecedent = with_room(p, NULL, 0, 1, sizeof(*antecedent));
    struct justification one = {role, READING_ANY, RECORDED, p->now, NULL, antecedent, 1};
    keep(p, &one.reason, reason);
    keep(p, &antecedent->ref.id, by.id);
    antecedent->ref.kind = by.kind;
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
    keep(p, &copy, text);
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

/* ---- where a memory that is added comes from ---- */

/* Provenance that comes with a request, given to a memory that a plan adds. */

static int origin_keep(struct plan *p, const char **to, const char *name, const char *text,
                       struct error *e)
{
    if (!text || !*text)
        return 0;
    if (!utf8_valid(text, strlen(text)))
        return error_set(e, ERROR_INVALID, "Write it in UTF-8.", "the %s is not valid UTF-8", name);
    *to = arena_strdup(p->arena, text);
    return 0;
}

static int keep_fields(struct plan *p, struct memory *m, const struct add_request *r,
                       struct error *e)
{
    if (origin_keep(p, &m->source, "source", r->source, e) ||
        origin_keep(p, &m->source_entity, "source entity", r->source_entity, e) ||
        origin_keep(p, &m->context, "context", r->context, e))
        return -1;
    m->source_type = source_type_name(source_type_infer(m->source, m->source_entity));
    if (origin_keep(p, &m->source_type, "source type", r->source_type, e))
        return -1;
    for (size_t i = 0; i < r->tag_count; i++)
        if (*r->tags[i])
            plan_add_tag(p, m, r->tags[i]);
    return 0;
}

/* 1: an antecedent; 0: an annotation, which it has now; -1. */
static int find(struct plan *p, struct memory *m, const char *text, enum kind bare, struct ref *ref,
                struct error *e)
{
    bool known = false;
    enum ref_class class = plan_ref(p, text, bare, ref, &known, e);
    struct strbuf name = STRBUF_INIT;
    if (class == REF_ANNOTATION) {
        plan_add_annotation(p, m, text);
        return 0;
    }
    if (class != REF_MEMORY)
        return -1;
    ref_add(&name, *ref);
    if (!known)
        plan_unresolved(p, name.buf);
    strbuf_release(&name);
    return 1;
}

/* Joins the group that it has already: what it was made from, with what else it was made from. */
static int derive(struct plan *p, struct memory *m, const struct add_request *r, struct error *e)
{
    const struct justification *had = m->justification_count ? m->justifications : NULL;
    size_t count = had ? had->count : 0;
    struct justification *all = arena_array(p->arena, m->justification_count + 1, sizeof(*all));
    struct antecedent *room = arena_array(p->arena, count + r->derived_count + 1, sizeof(*room));
    if (count && had->antecedents)
        memcpy(room, had->antecedents, count * sizeof(*room));
    for (size_t i = 0; i < r->derived_count; i++) {
        int found = find(p, m, r->derived_from[i], KIND_COUNT, &room[count].ref, e);
        bool again = false;
        for (size_t k = 0; found > 0 && k < count; k++)
            again |= ref_equal(room[k].ref, room[count].ref);
        if (found < 0)
            return -1;
        count += found > 0 && !again;
    }
    if (count == 0)
        return 0;
    if (m->justification_count > 1 && m->justifications)
        memcpy(all + 1, m->justifications + 1, (m->justification_count - 1) * sizeof(*all));
    all[0] = (struct justification){
        ROLE_DERIVED_FROM, r->derivation, RECORDED, p->now, NULL, room, count};
    m->justifications = all;
    m->justification_count += !had;
    return 0;
}

static bool is_backed_by(const struct memory *m, struct ref ref)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_EVIDENCE && m->justifications[i].count == 1 &&
            ref_equal(m->justifications[i].antecedents[0].ref, ref))
            return true;
    return false;
}

int plan_provenance(struct plan *p, struct memory *m, const struct add_request *r, struct error *e)
{
    if (keep_fields(p, m, r, e) || derive(p, m, r, e))
        return -1;
    for (size_t i = 0; i < r->relates_count; i++) {
        struct ref ref;
        int found = find(p, m, r->relates_to[i], KIND_EPISODE, &ref, e);
        if (found < 0)
            return -1;
        if (found == 0 || is_backed_by(m, ref))
            continue;
        size_t before = m->justification_count;
        plan_add_support(p, m, ROLE_EVIDENCE, ref, NULL, NULL);
        if (before == 0) { /* given together with it, it is no later evidence */
            m->justifications[0] = m->justifications[1];
            m->justification_count = 1;
        }
    }
    return 0;
}

/* ---- names of entries ---- */

/* The names that entries live under once a plan is carried out: so that its preview is refused as it is. */

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
