#include "store/ops/plan.h"

#include <stdarg.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/ops/add.h"
#include "store/guard/guard.h"
#include "store/ops/policy.h"
#include "store/db/reader.h"
#include "store/ops/remedy.h"
#include "store/db/store_state.h"
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

void plan_leave(struct plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_text(p, &p->left, &p->left_count, &p->left_alloc, format, args);
    va_end(args);
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
