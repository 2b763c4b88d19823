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

/* A text as it is, a word without its quotes, anything else as the exchange form has it. */
static const char *value_of(struct report *r, const struct field *f, const struct memory *m)
{
    if (f->type == FIELD_FLAG)
        return m->is_protected ? "true" : "false";
    if (f->type == FIELD_STATUS)
        return status_name(m->status);
    if (f->type == FIELD_TEXT) {
        const char *text = field_text(f, m);
        return text ? keep(r, text, strlen(text)) : NULL;
    }
    field_write_value(&r->text, f, m);
    return keep_text(r);
}

/* Not protected is how a memory is unless it is said. */
static void compare_field(struct report *r, const struct field *f)
{
    const struct memory *b = r->before, *a = r->after;
    if (b && a && field_equal(f, b, a))
        return;
    bool has_both = b && a;
    const char *was = b && (has_both || !field_is_absent(f, b)) ? value_of(r, f, b) : NULL;
    const char *is = a && (has_both || !field_is_absent(f, a)) ? value_of(r, f, a) : NULL;
    if (was || is)
        add(r, f->name, was, is);
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

static void (*const say[MEMBER_WRITTEN])(struct report *, const void *) = {
    [MEMBER_TAGS] = say_text,
    [MEMBER_ANNOTATIONS] = say_text,
    [MEMBER_JUSTIFICATIONS] = say_justification,
    [MEMBER_HISTORY] = say_history,
    [MEMBER_RELATIONS] = say_relation,
    [MEMBER_MARKS] = say_mark,
};

static const char *item_in_words(struct report *r, const struct field *list, const struct memory *m,
                                 size_t i)
{
    say[list - exchange_fields](r, items_at(list, m, i));
    return keep_text(r);
}

/* ---- the detail ---- */

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
    struct json_slice key = member_key(member);
    strbuf_addstr(&r->text, "detail.");
    strbuf_add(&r->text, key.ptr, key.len);
    return keep_text(r);
}

/* A member that only stands elsewhere is no difference; one of the same name is a change. */
static void pair_members(struct report *r, const struct sorted *was, const struct sorted *is)
{
    size_t i = 0, k = 0;
    while (i < was->count || k < is->count) {
        struct json_slice none = {NULL, 0};
        struct json_slice old = i < was->count ? elements_at(was->list, was->place[i]) : none;
        struct json_slice new = k < is->count ? elements_at(is->list, is->place[k]) : none;
        int order = !old.ptr ? 1 : !new.ptr ? -1 : slice_compare(member_key(old), member_key(new));
        i += order <= 0;
        k += order >= 0;
        if (order == 0 && slice_compare(old, new) == 0)
            continue;
        add(r, member_field(r, order <= 0 ? old : new), order <= 0 ? member_value(r, old) : NULL,
            order >= 0 ? member_value(r, new) : NULL);
    }
}

static void compare_members(struct report *r, const struct elements *b, const struct elements *a,
                            const struct unmatched *u)
{
    struct sorted was = elements_sort(b, u->removed, true), is = elements_sort(a, u->added, true);
    pair_members(r, &was, &is);
    free(was.place);
    free(is.place);
}

/* ---- lists ---- */

static void compare_items(struct report *r, const struct field *list, const struct unmatched *u,
                          size_t before, size_t after)
{
    for (size_t i = 0; i < before; i++)
        if (u->removed[i])
            add(r, list->name, item_in_words(r, list, r->before, i), NULL);
    for (size_t i = 0; i < after; i++)
        if (u->added[i])
            add(r, list->name, NULL, item_in_words(r, list, r->after, i));
}

/* States of one history share what did not change: then they differ in how far they go. */
static bool compare_ends(struct report *r, const struct field *list)
{
    if (list->type == FIELD_DETAIL || !r->before || !r->after ||
        items_at(list, r->before, 0) != items_at(list, r->after, 0))
        return false;
    size_t b = items_count(list, r->before), a = items_count(list, r->after);
    for (size_t i = a; i < b; i++)
        add(r, list->name, item_in_words(r, list, r->before, i), NULL);
    for (size_t i = b; i < a; i++)
        add(r, list->name, NULL, item_in_words(r, list, r->after, i));
    return true;
}

static void compare_list(struct report *r, const struct field *list)
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
    if (list->type == FIELD_DETAIL)
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
    for (int i = MEMBER_AGENT_ID; i < MEMBER_WRITTEN && (before || after); i++) {
        const struct field *f = &exchange_fields[i];
        if (f->type >= FIELD_DETAIL)
            compare_list(&r, f);
        else if (i != MEMBER_UPDATED_AT && i != MEMBER_VERSION)
            compare_field(&r, f);
    }
    *out = arena_memdup(arena, r.list, r.count * sizeof(*r.list));
    *count = r.count;
    free(r.list);
    strbuf_release(&r.text);
}
