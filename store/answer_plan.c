/* What an operation would do, or did, as the object of its JSON form. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>
#include "../model/exchange.h"
#include "../model/json.h"
#include "operation.h"

/* ---- what differs between two exchange forms ---- */

/* Of a list: an element, and where it stands. */
struct element {
    struct json_slice value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    const struct element *x = a, *y = b;
    size_t least = x->value.len < y->value.len ? x->value.len : y->value.len;
    int order = memcmp(x->value.ptr, y->value.ptr, least);
    if (order == 0)
        order = (x->value.len > y->value.len) - (x->value.len < y->value.len);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool same_slice(struct json_slice a, struct json_slice b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static struct element *take_elements(struct arena *arena, struct json_slice list, size_t *count)
{
    size_t n = 0;
    for (struct json_each it = json_each(list); json_next(&it);)
        n++;
    struct element *all = arena_array(arena, n + 1, sizeof(*all));
    *count = n;
    n = 0;
    for (struct json_each it = json_each(list); all && json_next(&it); n++)
        all[n] = (struct element){it.value, n};
    if (all)
        qsort(all, *count, sizeof(*all), by_value);
    return all;
}

/* Which elements of `one` has `other` not? As flags by their places. */
static bool *find_own(struct arena *arena, struct json_slice one, struct json_slice other)
{
    size_t n, m, j = 0;
    struct element *mine = take_elements(arena, one, &n), *theirs = take_elements(arena, other, &m);
    bool *own = arena_array(arena, n + 1, sizeof(*own));
    if (!mine || !theirs || !own)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        struct element least = {mine[i].value, 0};
        while (j < m && by_value(&theirs[j], &least) < 0 &&
               !same_slice(theirs[j].value, mine[i].value))
            j++;
        bool found = j < m && same_slice(theirs[j].value, mine[i].value);
        own[mine[i].at] = !found;
        j += found;
    }
    return own;
}

/* Returns whether there are any. */
static bool add_own_elements(struct strbuf *out, struct arena *arena, struct json_slice one,
                             struct json_slice other)
{
    const bool *own = find_own(arena, one, other);
    size_t i = 0;
    struct json_object list = json_begin(out, '[');
    out->failed |= !own;
    for (struct json_each it = json_each(one); own && json_next(&it); i++) {
        if (!own[i])
            continue;
        json_item(&list);
        strbuf_add(out, it.value.ptr, it.value.len);
    }
    json_end(&list);
    return list.any;
}

static struct json_slice member_of(struct json_slice object, struct json_slice key)
{
    for (struct json_each it = json_each(object); json_next(&it);)
        if (same_slice(it.key, key))
            return it.value;
    return (struct json_slice){NULL, 0};
}

/* Those change with every change. */
static bool always_differs(struct json_slice key)
{
    return json_key_is(key, "version") || json_key_is(key, "updated_at");
}

static bool add_own_members(struct strbuf *out, struct json_slice one, struct json_slice other)
{
    struct json_object o = json_begin(out, '{');
    for (struct json_each it = json_each(one); json_next(&it);) {
        struct json_slice there = member_of(other, it.key);
        if (there.ptr && same_slice(it.value, there))
            continue;
        json_item(&o);
        strbuf_addf(out, "\"%.*s\":", (int)it.key.len, it.key.ptr);
        strbuf_add(out, it.value.ptr, it.value.len);
    }
    json_end(&o);
    return o.any;
}

/* What `one` has and `other` has otherwise or not; of a list its elements, of the detail its members. */
static void add_own(struct strbuf *out, struct arena *arena, struct json_slice one,
                    struct json_slice other)
{
    struct json_object o = json_begin(out, '{');
    for (struct json_each it = json_each(one); json_next(&it);) {
        struct json_slice there = member_of(other, it.key);
        if (always_differs(it.key) || (there.ptr && same_slice(it.value, there)))
            continue;
        size_t start = out->len;
        struct json_object empty = o;
        bool any = true;
        json_item(&o);
        strbuf_addf(out, "\"%.*s\":", (int)it.key.len, it.key.ptr);
        if (there.ptr && it.value.ptr[0] == '[')
            any = add_own_elements(out, arena, it.value, there);
        else if (there.ptr && it.value.ptr[0] == '{')
            any = add_own_members(out, it.value, there);
        else
            strbuf_add(out, it.value.ptr, it.value.len);
        if (!any) { /* all that it has the other has, too */
            strbuf_cut(out, start);
            o = empty;
        }
    }
    json_end(&o);
}

/* ---- changes ---- */

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct arena arena;
};

static int flush(const struct writing *w, struct error *e)
{
    if (w->out->failed)
        return error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
    return w->to->flush ? w->to->flush(w->to->arg, e) : 0;
}

static void add_status(struct strbuf *out, const struct memory *m)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "status", status_name(m->status));
    json_end(&o);
}

/* One that is added is whole on one side, and null on the other. */
static void add_sides(struct writing *w, struct json_object *o, const struct planned *c)
{
    struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
    if (c->before)
        exchange_write(&before, c->before, NULL);
    if (c->after)
        exchange_write(&after, c->after, NULL);
    struct json_slice one = {before.buf, before.len}, other = {after.buf, after.len};
    bool both = c->before && c->after;
    json_key(o, "before");
    if (both && c->erases) /* what is to be gone is not handed on */
        add_status(w->out, c->before);
    else if (both)
        add_own(w->out, &w->arena, one, other);
    else
        strbuf_addstr(w->out, c->before ? before.buf : "null");
    json_key(o, "after");
    if (both && c->erases)
        add_status(w->out, c->after);
    else if (both)
        add_own(w->out, &w->arena, other, one);
    else
        strbuf_addstr(w->out, c->after ? after.buf : "null");
    w->out->failed |= before.failed | after.failed;
    strbuf_release(&before);
    strbuf_release(&after);
}

static void add_number_or_null(struct json_object *o, const char *name, int64_t number)
{
    if (number)
        json_pair_int(o, name, number);
    else
        json_pair(o, name, NULL);
}

static int add_change(struct writing *w, const struct planned *c, bool done, struct error *e)
{
    const struct memory *m = c->after ? c->after : c->before;
    struct json_object o = json_begin(w->out, '{');
    arena_clear(&w->arena);
    json_key(&o, "ref");
    if (done || c->before)
        exchange_add_ref(w->out, m->ref);
    else
        json_add_string(w->out, NULL); /* its id is not known before */
    json_pair(&o, "operation", c->operation);
    if (done)
        add_number_or_null(&o, "event", c->after ? c->after->event : 0);
    if (c->undoes)
        json_pair_int(&o, "undoes", c->undoes);
    if (c->after)
        json_pair_int(&o, "version", c->after->version);
    json_pair(&o, "reason", c->reason);
    add_sides(w, &o, c);
    json_end(&o);
    return flush(w, e);
}

/* ---- consequences ---- */

static int add_falls(struct writing *w, const struct plan *p, struct error *e)
{
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = 0; i < p->fall_count; i++) {
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
        json_item(&list);
        struct json_object o = json_begin(w->out, '{');
        json_key(&o, "ref");
        exchange_add_ref(w->out, p->weakened[i].ref);
        json_pair_int(&o, "before", p->weakened[i].holds);
        json_pair_int(&o, "after", p->weakened[i].remain);
        json_end(&o);
        if (flush(w, e))
            return -1;
    }
    json_end(&list);
    return 0;
}

static void add_words(struct json_object *o, const char *name, const char **words, size_t count)
{
    json_key(o, name);
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&list);
        json_add_string(o->out, words[i]);
    }
    json_end(&list);
}

static int add_plan(struct writing *w, const char *operation, const struct plan *p, bool done,
                    struct error *e)
{
    struct json_object o = json_begin(w->out, '{');
    json_pair(&o, "operation", operation);
    json_pair_bool(&o, "done", done);
    json_key(&o, "changes");
    struct json_object changes = json_begin(w->out, '[');
    for (size_t i = 0; i < p->count; i++) {
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
    add_words(&o, "left", p->left, p->left_count);
    add_words(&o, "remarks", p->remarks, p->remark_count);
    if (p->unresolved_count)
        add_words(&o, "unresolved", p->unresolved, p->unresolved_count);
    json_end(&o);
    return flush(w, e);
}

int answer_plan(const struct answer *to, const char *operation, const struct plan *p, bool done,
                struct error *e)
{
    struct writing w = {.to = to, .out = to->out, .arena = ARENA_INIT};
    int result = add_plan(&w, operation, p, done, e);
    arena_release(&w.arena);
    return result;
}
