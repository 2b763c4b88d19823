#include "model/format/difference.h"

#include <stddef.h>
#include "model/base/array.h"
#include "model/format/exchange_internal.h"

struct report {
    const struct memory *before, *after;
    struct arena *arena;
    struct difference *list;
    size_t count, alloc;
    struct strbuf text;
    difference_see *see; /* NULL: texts are put in words as they are */
    void *arg;
};

/* Both in the arena already, or constants. */
static void add(struct report *r, const char *field, const char *before, const char *after)
{
    *ARRAY_ADD(r->list, r->count, r->alloc) = (struct difference){field, before, after};
}

static const char *keep(struct report *r, const char *text, size_t len)
{
    return arena_strndup(r->arena, text, len);
}

/* What was put into r->text. */
static const char *keep_text(struct report *r)
{
    const char *copy = keep(r, r->text.buf, r->text.len);
    strbuf_clear(&r->text);
    return copy;
}

/* ---- fields ---- */

static void compare_texts(struct report *r, const char *field, const char *before,
                          const char *after)
{
    if (before == after || (before && after && strcmp(before, after) == 0))
        return;
    add(r, field, before ? keep(r, before, strlen(before)) : NULL,
        after ? keep(r, after, strlen(after)) : NULL);
}

#define TEXT_OF(m, member) ((m) ? (m)->member : NULL)

static const char *number(struct report *r, const struct memory *m, int64_t value)
{
    if (!m)
        return NULL;
    json_add_int(&r->text, value);
    return keep_text(r);
}

static const char *share(struct report *r, const struct memory *m)
{
    if (!m)
        return NULL;
    json_add_double(&r->text, m->confidence);
    return keep_text(r);
}

static const char *status_of(const struct memory *m)
{
    return m ? status_name(m->status) : NULL;
}

/* Not protected is how a memory is unless it is said. */
static const char *protection(const struct memory *m)
{
    return m && m->is_protected ? "true" : NULL;
}

static const char *text_of(const struct memory *m)
{
    return m && !m->text ? "" : TEXT_OF(m, text);
}

static void compare_fields(struct report *r)
{
    const struct memory *b = r->before, *a = r->after;
    if (!b && !a)
        return;
    compare_texts(r, "agent_id", TEXT_OF(b, agent_id), TEXT_OF(a, agent_id));
    compare_texts(r, "text", text_of(b), text_of(a));
    if (!b || !a || b->created_at != a->created_at)
        add(r, "created_at", number(r, b, b ? b->created_at : 0),
            number(r, a, a ? a->created_at : 0));
    if (!b || !a || b->confidence != a->confidence)
        add(r, "confidence", share(r, b), share(r, a));
    compare_texts(r, "source_type", TEXT_OF(b, source_type), TEXT_OF(a, source_type));
    compare_texts(r, "source", TEXT_OF(b, source), TEXT_OF(a, source));
    compare_texts(r, "source_entity", TEXT_OF(b, source_entity), TEXT_OF(a, source_entity));
    compare_texts(r, "status", status_of(b), status_of(a));
    if (b && a && b->is_protected != a->is_protected)
        add(r, "protected", b->is_protected ? "true" : "false", a->is_protected ? "true" : "false");
    else
        compare_texts(r, "protected", protection(b), protection(a));
}

/* ---- elements, in words ---- */

/* A text before it is set among others. */
static const char *seen(struct report *r, const char *text)
{
    return r->see && text ? r->see(r->arg, text) : text;
}

static void say_reason(struct report *r, const char *reason)
{
    if (reason && *reason)
        strbuf_addf(&r->text, ": %s", seen(r, reason));
}

static void say_text(struct report *r, const void *item)
{
    strbuf_addstr(&r->text, *(const char *const *)item);
}

static void say_justification(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct justification *j = item;
    strbuf_addf(out, "%s ", role_name(j->role));
    if (j->count > 1)
        strbuf_addf(out, "%s of ", reading_name(j->reading));
    if (j->count == 0)
        strbuf_addstr(out, "nothing");
    for (size_t i = 0; i < j->count; i++) {
        strbuf_addstr(out, i ? ", " : "");
        ref_add(out, j->antecedents[i].ref);
    }
    if (j->recorded != RECORDED)
        strbuf_addf(out, " (%s)", recorded_name(j->recorded));
    say_reason(r, j->reason);
}

static void say_relation(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct relation *relation = item;
    strbuf_addf(out, "%s ", role_name(relation->type));
    ref_add(out, relation->to);
    say_reason(r, relation->reason);
}

static void say_number(struct strbuf *out, double value)
{
    if (isnan(value))
        strbuf_addch(out, '?');
    else
        strbuf_addf(out, "%.3f", value);
}

static void say_history(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct history_entry *h = item;
    if (h->operation)
        strbuf_addf(out, "%s ", h->operation);
    if (!isnan(h->old) || !isnan(h->new_) || !h->operation) {
        say_number(out, h->old);
        strbuf_addstr(out, " \xe2\x86\x92 ");
        say_number(out, h->new_);
    } else {
        strbuf_cut(out, out->len - 1);
    }
    if (h->reason && *h->reason)
        strbuf_addf(out, " (%s)", seen(r, h->reason));
    if (h->evidence_source)
        strbuf_addf(out, ", by %s", seen(r, h->evidence_source));
    if (h->actor)
        strbuf_addf(out, ", %s", seen(r, h->actor));
}

static void say_mark(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct mark *m = item;
    strbuf_addstr(out, m->mark);
    if (m->value)
        strbuf_addf(out, " = %s", seen(r, m->value));
    if (m->actor)
        strbuf_addf(out, " by %s", seen(r, m->actor));
    say_reason(r, m->reason);
}

static void (*const say[LIST_COUNT])(struct report *, const void *) = {
    [LIST_TAGS] = say_text,
    [LIST_ANNOTATIONS] = say_text,
    [LIST_JUSTIFICATIONS] = say_justification,
    [LIST_HISTORY] = say_history,
    [LIST_RELATIONS] = say_relation,
    [LIST_MARKS] = say_mark,
};

static const char *item_in_words(struct report *r, enum exchange_list list, const struct memory *m,
                                 size_t i)
{
    say[list](r, exchange_list_item(list, m, i));
    return keep_text(r);
}

/* ---- the detail ---- */

static int compare_names(const void *a, const void *b, void *list)
{
    return elements_compare_slices(elements_key(elements_at(list, *(const size_t *)a)),
                                   elements_key(elements_at(list, *(const size_t *)b)));
}

static const char *member_value(struct report *r, struct json_slice member)
{
    struct json_each it = json_each(member);
    if (!json_next(&it))
        return NULL;
    if (it.value.len < 2 || *it.value.ptr != '"')
        return keep(r, it.value.ptr, it.value.len);
    char *text = arena_strndup(r->arena, it.value.ptr + 1, it.value.len - 2);
    size_t len = json_unescape(text, it.value.ptr + 1, it.value.len - 2);
    text[len] = '\0';
    /* A NUL would end it: then it is shown as it is written. */
    return strlen(text) == len ? text : keep(r, it.value.ptr, it.value.len);
}

static const char *member_field(struct report *r, struct json_slice member)
{
    struct json_slice key = elements_key(member);
    strbuf_addstr(&r->text, "detail.");
    strbuf_add(&r->text, key.ptr, key.len);
    return keep_text(r);
}

static size_t *sorted_by_name(const struct elements *list, const bool *some, size_t *count)
{
    size_t *order = xcalloc(list->count + 1, sizeof(*order));
    *count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (some[i])
            order[(*count)++] = i;
    qsort_r(order, *count, sizeof(*order), compare_names, (void *)list);
    return order;
}

/* A member that only stands elsewhere is no difference; one of the same name is a change. */
static void pair_members(struct report *r, const struct elements *b, const size_t *was,
                         size_t was_count, const struct elements *a, const size_t *is,
                         size_t is_count)
{
    size_t i = 0, k = 0;
    while (i < was_count || k < is_count) {
        struct json_slice none = {NULL, 0};
        struct json_slice old = i < was_count ? elements_at(b, was[i]) : none;
        struct json_slice new = k < is_count ? elements_at(a, is[k]) : none;
        int order = !old.ptr   ? 1
                    : !new.ptr ? -1
                               : elements_compare_slices(elements_key(old), elements_key(new));
        i += order <= 0;
        k += order >= 0;
        if (order == 0 && elements_compare_slices(old, new) == 0)
            continue;
        add(r, member_field(r, order <= 0 ? old : new), order <= 0 ? member_value(r, old) : NULL,
            order >= 0 ? member_value(r, new) : NULL);
    }
}

static void compare_members(struct report *r, const struct elements *b, const struct elements *a,
                            const struct unmatched *u)
{
    size_t was_count, is_count;
    size_t *was = sorted_by_name(b, u->removed, &was_count);
    size_t *is = sorted_by_name(a, u->added, &is_count);
    pair_members(r, b, was, was_count, a, is, is_count);
    free(was);
    free(is);
}

/* ---- lists ---- */

static void compare_items(struct report *r, enum exchange_list list, const struct unmatched *u,
                          size_t before, size_t after)
{
    const char *field = exchange_list_name(list);
    for (size_t i = 0; i < before; i++)
        if (u->removed[i])
            add(r, field, item_in_words(r, list, r->before, i), NULL);
    for (size_t i = 0; i < after; i++)
        if (u->added[i])
            add(r, field, NULL, item_in_words(r, list, r->after, i));
}

/* States of one history share what did not change: then they differ in how far they go. */
static bool compare_ends(struct report *r, enum exchange_list list)
{
    if (list == LIST_DETAIL || !r->before || !r->after ||
        exchange_list_item(list, r->before, 0) != exchange_list_item(list, r->after, 0))
        return false;
    size_t b = exchange_list_count(list, r->before), a = exchange_list_count(list, r->after);
    for (size_t i = a; i < b; i++)
        add(r, exchange_list_name(list), item_in_words(r, list, r->before, i), NULL);
    for (size_t i = b; i < a; i++)
        add(r, exchange_list_name(list), NULL, item_in_words(r, list, r->after, i));
    return true;
}

static void compare_list(struct report *r, enum exchange_list list)
{
    if (compare_ends(r, list))
        return;
    struct elements b = ELEMENTS_INIT, a = ELEMENTS_INIT;
    struct unmatched u;
    if (r->before)
        elements_write(&b, list, r->before);
    if (r->after)
        elements_write(&a, list, r->after);
    elements_match(&u, &b, &a);
    if (list == LIST_DETAIL)
        compare_members(r, &b, &a, &u);
    else
        compare_items(r, list, &u, b.count, a.count);
    unmatched_release(&u);
    elements_release(&b);
    elements_release(&a);
}

void memory_difference(const struct memory *before, const struct memory *after, struct arena *arena,
                       struct difference **out, size_t *count)
{
    memory_difference_seen(before, after, arena, NULL, NULL, out, count);
}

void memory_difference_seen(const struct memory *before, const struct memory *after,
                            struct arena *arena, difference_see *see, void *arg,
                            struct difference **out, size_t *count)
{
    struct report r = {.before = before,
                       .after = after,
                       .arena = arena,
                       .text = STRBUF_INIT,
                       .see = see,
                       .arg = arg};
    compare_fields(&r);
    compare_list(&r, LIST_TAGS);
    compare_texts(&r, "context", TEXT_OF(before, context), TEXT_OF(after, context));
    for (int i = LIST_ANNOTATIONS; i < LIST_COUNT; i++)
        compare_list(&r, (enum exchange_list)i);
    *out = arena_memdup(arena, r.list, r.count * sizeof(*r.list));
    *count = r.count;
    free(r.list);
    strbuf_release(&r.text);
}
