/* What an operation would do, or did, as the object of its JSON form. */
#include "store/json/answer.h"

#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/history/history.h"
#include "store/ops/operation.h"

/* ---- changes ---- */

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader; /* for whose caller it is; NULL: a person */
    struct arena *arena;
};

static int flush(const struct writing *w, struct error *e)
{
    return w->to->flush ? w->to->flush(w->to->arg, e) : 0;
}

/* Others' memories are in no list. */
static int is_seen(const struct writing *w, int64_t node, bool *seen, struct error *e)
{
    enum sight sight = SIGHT_WHOLE;
    int result = w->reader && node ? guard_sight(w->reader, node, &sight, e) : 0;
    *seen = sight == SIGHT_WHOLE;
    return result;
}

static void add_status(struct strbuf *out, const struct memory *m)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "status", status_name(m->status));
    json_end(&o);
}

/* Every change has another time and version. One that is added is whole on one side, and null on the other. */
static void add_difference(struct strbuf *before, struct strbuf *after, const struct memory *was,
                           const struct memory *is)
{
    struct memory alike;
    if (was && is) {
        alike = *was;
        alike.updated_at = is->updated_at;
        alike.version = is->version;
        alike.form = NULL;
        was = &alike;
    }
    exchange_diff(before, after, was, is);
}

static int add_sides(struct writing *w, struct json_object *o, const struct planned *c,
                     struct error *e)
{
    struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
    const struct memory *was = c->before, *is = c->after;
    if (w->reader && (guard_state(w->reader, w->arena, c->before, &was, e) ||
                      guard_state(w->reader, w->arena, c->after, &is, e)))
        return -1;
    if (c->erases && was && is) { /* what is to be gone is not handed on */
        add_status(&before, was);
        add_status(&after, is);
    } else {
        add_difference(&before, &after, was, is);
    }
    json_key(o, "before");
    strbuf_add(w->out, before.buf, before.len);
    json_key(o, "after");
    strbuf_add(w->out, after.buf, after.len);
    strbuf_release(&before);
    strbuf_release(&after);
    return 0;
}

static int add_change(struct writing *w, const struct planned *c, bool done, struct error *e)
{
    const struct memory *m = c->after ? c->after : c->before;
    struct json_object o = json_begin(w->out, '{');
    json_key(&o, "ref");
    if (m && (done || c->before || c->undoes))
        exchange_add_ref(w->out, m->ref);
    else
        json_add_string(w->out, NULL); /* its id is not known before */
    json_pair(&o, "operation", c->operation);
    if (done)
        json_pair_int(&o, "event", c->event);
    if (c->undoes)
        json_pair_int(&o, "undoes", c->undoes);
    if (c->after)
        json_pair_int(&o, "version", c->after->version);
    json_pair(&o, "reason", c->reason);
    if (add_sides(w, &o, c, e))
        return -1;
    json_end(&o);
    return flush(w, e);
}

/* ---- consequences ---- */

static int add_falls(struct writing *w, const struct plan *p, struct error *e)
{
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = 0; i < p->fall_count; i++) {
        bool seen;
        if (is_seen(w, p->falls[i].node, &seen, e))
            return -1;
        if (!seen)
            continue;
        json_item(&list);
        exchange_add_ref(w->out, p->falls[i].ref);
        if (flush(w, e))
            return -1;
    }
    json_end(&list);
    return 0;
}

static int add_weakened(struct writing *w, const struct plan *p, struct error *e)
{
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = 0; i < p->weakened_count; i++) {
        bool seen;
        if (is_seen(w, p->weakened[i].node, &seen, e))
            return -1;
        if (!seen)
            continue;
        struct json_object o = json_item_open(&list, '{');
        exchange_pair_ref(&o, "ref", p->weakened[i].ref);
        json_pair_int(&o, "before", p->weakened[i].holds);
        json_pair_int(&o, "after", p->weakened[i].remain);
        json_end(&o);
        if (flush(w, e))
            return -1;
    }
    json_end(&list);
    return 0;
}

static int add_words(struct writing *w, struct json_object *o, const char *name, const char **words,
                     size_t count, struct error *e)
{
    struct json_object list = json_open(o, name, '[');
    for (size_t i = 0; i < count; i++) {
        bool hidden = false;
        if (w->reader && guard_begins_hidden(w->reader, words[i], &hidden, e))
            return -1;
        if (hidden)
            continue;
        json_item(&list);
        json_add_string(o->out, words[i]);
    }
    json_end(&list);
    return 0;
}

static int add_plan(struct writing *w, const char *operation, const struct plan *p, bool done,
                    struct error *e)
{
    struct json_object o = json_begin(w->out, '{');
    json_pair(&o, "operation", operation);
    json_pair_bool(&o, "done", done);
    struct json_object changes = json_open(&o, "changes", '[');
    for (size_t i = 0; i < p->count; i++) {
        bool seen;
        if (is_seen(w, p->change[i].before ? p->change[i].before->node : 0, &seen, e))
            return -1;
        if (!seen)
            continue;
        json_item(&changes);
        if (add_change(w, &p->change[i], done, e))
            return -1;
    }
    json_end(&changes);
    json_key(&o, "falls");
    if (add_falls(w, p, e))
        return -1;
    json_key(&o, "weakened");
    if (add_weakened(w, p, e))
        return -1;
    json_pair_int(&o, "descends", p->descends);
    if (add_words(w, &o, "left", p->left, p->left_count, e) ||
        add_words(w, &o, "remarks", p->remarks, p->remark_count, e) ||
        (p->unresolved_count &&
         add_words(w, &o, "unresolved", p->unresolved, p->unresolved_count, e)))
        return -1;
    json_end(&o);
    return flush(w, e);
}

int answer_plan(const struct answer *to, const char *operation, const struct plan *p, bool done,
                struct error *e)
{
    struct writing w = {to, to->out, to->reader, p->arena};
    return add_plan(&w, operation, p, done, e);
}
