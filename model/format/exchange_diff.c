#include "model/format/exchange_diff.h"

#include <string.h>
#include "model/format/exchange.h"
#include "model/json/json.h"

static void add_key(struct json_object *o, struct json_slice key)
{
    json_item(o);
    strbuf_addf(o->out, "\"%.*s\":", (int)key.len, key.ptr);
}

static void add_value(struct json_object *o, struct json_slice value)
{
    if (value.ptr)
        strbuf_add(o->out, value.ptr, value.len);
    else
        strbuf_addstr(o->out, "null");
}

static bool same(struct json_slice a, struct json_slice b)
{
    return a.ptr && b.ptr && a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* The members of a written form are plain names, so that a key is found by its own text. */
static struct json_slice member(const struct strbuf *form, struct json_slice key)
{
    char name[32];
    snprintf(name, sizeof(name), "%.*s", (int)key.len, key.ptr);
    return json_member(form->buf, form->len, name);
}

struct pair {
    struct json_slice key, before, after;
};

static void add_pair(struct json_object *before, struct json_object *after, const struct pair *p)
{
    if (same(p->before, p->after))
        return;
    add_key(before, p->key);
    add_value(before, p->before);
    add_key(after, p->key);
    add_value(after, p->after);
}

/* Two forms have their members in one order, and each is at one of its own. */
struct cursor {
    const struct strbuf *form;
    struct json_each it;
    bool more;
};

static struct cursor begin(const struct strbuf *form)
{
    struct cursor c = {.form = form, .it = json_each((struct json_slice){form->buf, form->len})};
    c.more = json_next(&c.it);
    return c;
}

static void step(struct cursor *c)
{
    c->more = json_next(&c->it);
}

static bool by_name(struct json_slice a, struct json_slice b)
{
    int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
    return order ? order < 0 : a.len < b.len;
}

/* Does what `x` is at come first? What it has alone goes before what both have; where each has one
 * alone, the names decide, so that it is the same whichever of the two is `x`. */
static bool is_first(const struct cursor *x, const struct cursor *y)
{
    if (!x->more || !y->more)
        return x->more;
    bool x_alone = !member(y->form, x->it.key).ptr, y_alone = !member(x->form, y->it.key).ptr;
    return x_alone && y_alone ? by_name(x->it.key, y->it.key) : x_alone;
}

static void compare(struct json_object *before, struct json_object *after, const struct strbuf *a,
                    const struct strbuf *b)
{
    const struct json_slice none = {NULL, 0};
    struct cursor x = begin(a), y = begin(b);
    while (x.more || y.more) {
        if (is_first(&x, &y)) {
            add_pair(before, after, &(struct pair){x.it.key, x.it.value, none});
            step(&x);
        } else if (is_first(&y, &x)) {
            add_pair(before, after, &(struct pair){y.it.key, none, y.it.value});
            step(&y);
        } else {
            add_pair(before, after, &(struct pair){x.it.key, x.it.value, y.it.value});
            step(&x);
            step(&y);
        }
    }
}

void exchange_diff(struct strbuf *before, struct strbuf *after, const struct memory *a,
                   const struct memory *b)
{
    struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
    if (a)
        exchange_write(&x, a, NULL);
    if (b)
        exchange_write(&y, b, NULL);
    before->failed |= x.failed;
    after->failed |= y.failed;
    if (x.failed || y.failed) {
        ;
    } else if (a && b) {
        struct json_object was = json_begin(before, '{'), is = json_begin(after, '{');
        compare(&was, &is, &x, &y);
        json_end(&was);
        json_end(&is);
    } else {
        strbuf_addstr(before, a ? x.buf : "null");
        strbuf_addstr(after, b ? y.buf : "null");
    }
    strbuf_release(&x);
    strbuf_release(&y);
}
