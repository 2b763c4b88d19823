/* Writing the exchange form, and the members in which two states of a memory differ. */
#include "model/format/exchange.h"
#include "model/format/exchange_parts.h"
#include "model/json/json.h"

/* A commitment hashes these bytes: an order or a spelling that changes here breaks every one there is. */
#define ADD(out, literal) strbuf_add(out, literal, sizeof(literal) - 1)

/* `key` with its comma and colon, then the value; nothing where it is absent. */
static void add_text(struct strbuf *out, const char *key, const char *value)
{
    if (!value)
        return;
    strbuf_addstr(out, key);
    json_add_string(out, value);
}

static void add_place(struct strbuf *out, const char *key, int64_t value)
{
    if (value < 0)
        return;
    strbuf_addstr(out, key);
    json_add_int(out, value);
}

/* A zero below zero is a zero: a store keeps no other, and what is committed to must be what is kept. */
static void add_double(struct strbuf *out, double value)
{
    json_add_double(out, value == 0 ? 0 : value);
}

static void add_number(struct strbuf *out, const char *key, double value)
{
    if (isnan(value))
        return;
    strbuf_addstr(out, key);
    add_double(out, value);
}

void exchange_add_ref(struct strbuf *out, struct ref ref)
{
    strbuf_addch(out, '"');
    strbuf_addstr(out, kind_name(ref.kind));
    strbuf_addch(out, ':');
    json_add_inside(out, ref.id);
    strbuf_addch(out, '"');
}

void exchange_pair_ref(struct json_object *o, const char *key, struct ref ref)
{
    json_key(o, key);
    exchange_add_ref(o->out, ref);
}

static void add_antecedent(struct strbuf *out, const struct antecedent *a)
{
    ADD(out, "{\"ref\":");
    exchange_add_ref(out, a->ref);
    const struct use *use = a->use;
    if (use) {
        add_number(out, ",\"relevance\":", use->relevance);
        add_text(out, ",\"score\":", use->score == SCORE_NONE ? NULL : score_name(use->score));
        add_text(out, ",\"excerpt\":", use->excerpt);
        add_place(out, ",\"chunk\":", use->chunk);
        add_place(out, ",\"rank\":", use->rank);
        add_place(out, ",\"page\":", use->page);
        add_text(out, ",\"section\":", use->section);
        add_text(out, ",\"version_hash\":", use->version_hash);
        add_text(out, ",\"label\":", use->label);
        add_text(out, ",\"title\":", use->title);
    }
    strbuf_addch(out, '}');
}

void exchange_add_justification(struct strbuf *out, const struct justification *j)
{
    ADD(out, "{\"role\":\"");
    strbuf_addstr(out, role_name(j->role));
    ADD(out, "\",\"reading\":\"");
    strbuf_addstr(out, reading_name(j->reading));
    ADD(out, "\",\"recorded\":\"");
    strbuf_addstr(out, recorded_name(j->recorded));
    ADD(out, "\",\"at\":");
    json_add_int(out, j->at);
    add_text(out, ",\"reason\":", j->reason);
    ADD(out, ",\"antecedents\":[");
    for (size_t i = 0; i < j->count; i++) {
        if (i)
            strbuf_addch(out, ',');
        add_antecedent(out, &j->antecedents[i]);
    }
    ADD(out, "]}");
}

void exchange_add_history(struct strbuf *out, const struct history_entry *h)
{
    ADD(out, "{\"at\":");
    json_add_int(out, h->at);
    add_number(out, ",\"old\":", h->old);
    add_number(out, ",\"new\":", h->new_);
    add_text(out, ",\"reason\":", h->reason);
    add_text(out, ",\"evidence_source\":", h->evidence_source);
    add_text(out, ",\"operation\":", h->operation);
    add_text(out, ",\"actor\":", h->actor);
    add_text(out, ",\"origin\":", h->origin);
    strbuf_addch(out, '}');
}

void exchange_add_relation(struct strbuf *out, const struct relation *r)
{
    ADD(out, "{\"type\":\"");
    strbuf_addstr(out, role_name(r->type));
    ADD(out, "\",\"to\":");
    exchange_add_ref(out, r->to);
    ADD(out, ",\"at\":");
    json_add_int(out, r->at);
    add_text(out, ",\"reason\":", r->reason);
    strbuf_addch(out, '}');
}

void exchange_add_mark(struct strbuf *out, const struct mark *mark)
{
    ADD(out, "{\"mark\":");
    json_add_string(out, mark->mark);
    ADD(out, ",\"at\":");
    json_add_int(out, mark->at);
    add_text(out, ",\"actor\":", mark->actor);
    add_text(out, ",\"value\":", mark->value);
    add_text(out, ",\"reason\":", mark->reason);
    strbuf_addch(out, '}');
}

static void add_texts(struct strbuf *out, const char *key, const char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_addstr(out, i ? "," : key);
        json_add_string(out, texts[i]);
    }
    if (count)
        strbuf_addch(out, ']');
}

/* Who, what and when: everything but the lists. */
static void add_fields(struct strbuf *out, const struct memory *m)
{
    ADD(out, "{\"ref\":");
    exchange_add_ref(out, m->ref);
    ADD(out, ",\"agent_id\":");
    json_add_string(out, m->agent_id);
    ADD(out, ",\"text\":");
    json_add_string(out, m->text ? m->text : "");
    ADD(out, ",\"created_at\":");
    json_add_int(out, m->created_at);
    ADD(out, ",\"updated_at\":");
    json_add_int(out, m->updated_at);
    ADD(out, ",\"confidence\":");
    add_double(out, m->confidence);
    ADD(out, ",\"source_type\":");
    json_add_string(out, m->source_type);
    add_text(out, ",\"source\":", m->source);
    add_text(out, ",\"source_entity\":", m->source_entity);
    ADD(out, ",\"status\":\"");
    strbuf_addstr(out, status_name(m->status));
    strbuf_addch(out, '"');
    if (m->is_protected)
        ADD(out, ",\"protected\":true");
    add_texts(out, ",\"tags\":[", m->tags, m->tag_count);
    add_text(out, ",\"context\":", m->context);
    add_texts(out, ",\"annotations\":[", m->annotations, m->annotation_count);
    ADD(out, ",\"version\":");
    json_add_int(out, m->version);
    if (m->detail && strcmp(m->detail, "{}") != 0) {
        ADD(out, ",\"detail\":");
        json_add_value(out, m->detail, strlen(m->detail));
    }
}

void exchange_write(struct strbuf *out, const struct memory *m, const char *label)
{
    add_fields(out, m);
    for (size_t i = 0; i < m->justification_count; i++) {
        strbuf_addstr(out, i ? "," : ",\"justifications\":[");
        exchange_add_justification(out, &m->justifications[i]);
    }
    strbuf_addstr(out, m->justification_count ? "]" : "");
    for (size_t i = 0; i < m->history_count; i++) {
        strbuf_addstr(out, i ? "," : ",\"history\":[");
        exchange_add_history(out, &m->history[i]);
    }
    strbuf_addstr(out, m->history_count ? "]" : "");
    for (size_t i = 0; i < m->relation_count; i++) {
        strbuf_addstr(out, i ? "," : ",\"relations\":[");
        exchange_add_relation(out, &m->relations[i]);
    }
    strbuf_addstr(out, m->relation_count ? "]" : "");
    for (size_t i = 0; i < m->mark_count; i++) {
        strbuf_addstr(out, i ? "," : ",\"marks\":[");
        exchange_add_mark(out, &m->marks[i]);
    }
    strbuf_addstr(out, m->mark_count ? "]" : "");
    add_text(out, ",\"label\":", label);
    strbuf_addch(out, '}');
}

/* ---- what differs ---- */

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
    if (a && b) {
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
