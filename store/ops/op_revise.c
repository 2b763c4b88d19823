/*
 * Revise from an episode: the caller names what it confirms, which is reinforced with the episode as
 * evidence, and what it contradicts, which is marked for a review. Nothing is guessed; protection and history stay.
 */
#include <string.h>
#include "model/base/strbuf.h"
#include "store/ops/op_reinforce.h"
#include "store/ops/remedy.h"

struct revision_of {
    const struct memory *episode;
    const char *source, *confirmed, *contradicted; /* its ref; the reasons */
};

static const char *say(struct plan *p, const char *what, const char *source)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text, "%s by %s", what, source);
    const char *copy = arena_strndup(p->arena, text.buf, text.len);
    strbuf_release(&text);
    return copy;
}

static int64_t *rows_of(struct plan *p, const char **refs, size_t count, size_t *found,
                        struct error *e)
{
    struct request named = REQUEST_INIT;
    named.refs = refs;
    named.ref_count = count;
    return operation_rows(p, &named, 0, found, e);
}

static int confirm(struct plan *p, int64_t node, const struct revision_of *r,
                   const struct request *q, struct error *e)
{
    struct memory *m =
        reinforce_one(p, node, "reinforce", q->reason ? q->reason : r->confirmed, r->source, e);
    return m ? evidence_add(p, m, r->episode->ref, NULL, e) : -1;
}

static bool is_contradicted(const struct memory *m, const char *source)
{
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, "for_review") == 0 && m->marks[i].value && source &&
            strcmp(m->marks[i].value, source) == 0)
            return true;
    return false;
}

static int contradict(struct plan *p, int64_t node, const struct revision_of *r,
                      const struct request *q, struct error *e)
{
    const char *reason = q->reason ? q->reason : r->contradicted;
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (is_contradicted(now, r->source)) {
        plan_leave(p, "%s:%s is marked for a review by it already", kind_name(now->ref.kind),
                   now->ref.id);
        return 0;
    }
    struct memory *m = plan_change(p, node, "mark", reason, e);
    if (!m)
        return -1;
    if (ref_equal(m->ref, r->episode->ref))
        return error_set(e, ERROR_INVALID, "Name a belief.",
                         "an episode does not contradict itself");
    plan_add_mark(p, m, "for_review", r->source, reason);
    struct memory *episode = plan_change(p, r->episode->node, "contradict", q->reason, e);
    return episode ? plan_add_relation(p, episode, RELATION_CONTRADICTS, m->ref, q->reason) : -1;
}

static int check_both(const int64_t *a, size_t a_count, const int64_t *b, size_t b_count,
                      struct error *e)
{
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (a[i] == b[k])
                return error_set(e, ERROR_INVALID, "Say one of the two.",
                                 "a memory is named as confirmed and as contradicted");
    return a_count + b_count ? 0
                             : error_set(e, ERROR_INVALID, "Name what it confirms or contradicts.",
                                         "nothing is said to be confirmed or contradicted");
}

static void name_reasons(struct plan *p, struct revision_of *r)
{
    struct strbuf name = STRBUF_INIT;
    ref_add(&name, r->episode->ref);
    r->source = arena_strndup(p->arena, name.buf, name.len);
    strbuf_release(&name);
    r->confirmed = r->source ? say(p, "Confirmed", r->source) : NULL;
    r->contradicted = r->source ? say(p, "Contradicted", r->source) : NULL;
}

static int find_episode(struct plan *p, const struct request *q, struct revision_of *r,
                        struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    r->episode = rows ? plan_read(p, rows[0], e) : NULL;
    if (!r->episode)
        return -1;
    if (count > 1 || r->episode->ref.kind != KIND_EPISODE)
        return error_set(e, ERROR_INVALID, "Name one episode.",
                         "beliefs are revised from one episode");
    if (!STATUS_LIVES(r->episode->status))
        return error_set(e, ERROR_REFUSED, REMEDY_RESTORE, "episode:%s is %s", r->episode->ref.id,
                         status_name(r->episode->status));
    name_reasons(p, r);
    return 0;
}

int op_revise(struct plan *p, const struct request *q, struct error *e)
{
    struct revision_of r = {.episode = NULL};
    size_t confirmed, contradicted;
    if (find_episode(p, q, &r, e))
        return -1;
    int64_t *yes = rows_of(p, q->evidence, q->evidence_count, &confirmed, e);
    int64_t *no = yes ? rows_of(p, q->contradicts, q->contradict_count, &contradicted, e) : NULL;
    if (!no || check_both(yes, confirmed, no, contradicted, e))
        return -1;
    for (size_t i = 0; i < confirmed; i++)
        if (confirm(p, yes[i], &r, q, e))
            return -1;
    for (size_t i = 0; i < contradicted; i++)
        if (contradict(p, no[i], &r, q, e))
            return -1;
    p->named = p->count;
    return 0;
}
