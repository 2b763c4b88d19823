/*
 * Mark and unmark: somebody's word on a memory, never its status. Who says the same again says nothing new; who
 * says it with another value takes the former back. What a person marks reviewed waits for no review any more.
 */
#include <string.h>
#include "../model/utf8.h"
#include "operation.h"
#include "same.h"

#define MARK_MAX 60 /* characters; it stands in a column */

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return true;
    return false;
}

static int check_mark(const char *mark, struct error *e)
{
    if (!mark || !*mark)
        return error_set(e, ERROR_INVALID,
                         "Say which: reviewed, for_review, poisoned, quarantined, rating, faithful,"
                         " or a word of your own.",
                         "there is no mark to set");
    if (!utf8_valid(mark, strlen(mark)) || utf8_count(mark) > MARK_MAX || has_control(mark))
        return error_set(e, ERROR_INVALID, "Write the rest as its reason or its value.",
                         "a mark is one word of at most %d characters", MARK_MAX);
    return 0;
}

static bool says(const struct mark *m, const struct request *q, const char *actor)
{
    return strcmp(m->mark, q->mark) == 0 && same_text(m->actor, actor);
}

static bool has(const struct memory *m, const char *mark)
{
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, mark) == 0)
            return true;
    return false;
}

/* Does it answer whoever marked it for a review? */
static bool ends_review(const struct plan *p, const struct request *q)
{
    return p->actor->class == ACTOR_PERSON && strcmp(q->mark, "reviewed") == 0;
}

/* What this actor said before by this mark. */
static void drop_own(struct plan *p, struct memory *m, const struct request *q, struct mark *room)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->mark_count; i++)
        if (!says(&m->marks[i], q, p->actor->name))
            room[kept++] = m->marks[i];
    m->marks = room;
    m->mark_count = kept;
}

static int mark(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    bool waits = ends_review(p, q) && has(now, "for_review"), found;
    for (size_t i = 0; i < now->mark_count; i++)
        if (says(&now->marks[i], q, p->actor->name) && same_text(now->marks[i].value, q->value) &&
            (!q->reason || same_text(now->marks[i].reason, q->reason)) && !waits)
            return plan_leave(p, e, "%s:%s is marked %s already", kind_name(now->ref.kind),
                              now->ref.id, q->mark);
    struct memory *m = plan_change(p, node, "mark", q->reason, e);
    struct mark *room = arena_array(p->arena, now->mark_count + 1, sizeof(*room));
    if (!m)
        return -1;
    if (!room)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    drop_own(p, m, q, room);
    if (waits && plan_drop_mark(p, m, "for_review", &found, e))
        return -1;
    return plan_add_mark(p, m, q->mark, q->value, q->reason, e);
}

static int unmark(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    bool found = false;
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (!has(now, q->mark))
        return plan_leave(p, e, "%s:%s is not marked %s", kind_name(now->ref.kind), now->ref.id,
                          q->mark);
    struct memory *m = plan_change(p, node, "unmark", q->reason, e);
    return m ? plan_drop_mark(p, m, q->mark, &found, e) : -1;
}

static int each(struct plan *p, const struct request *q,
                int (*one)(struct plan *, int64_t, const struct request *, struct error *),
                struct error *e)
{
    size_t count;
    if (check_mark(q->mark, e))
        return -1;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (one(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    return 0;
}

int op_mark(struct plan *p, const struct request *q, struct error *e)
{
    return each(p, q, mark, e);
}

int op_unmark(struct plan *p, const struct request *q, struct error *e)
{
    return each(p, q, unmark, e);
}
