/* The lists of a memory as element texts: in order, sorted, and matched against another list. */
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "model/format/memory_json_internal.h"

static void end_element(struct elements *list)
{
    size_t end = list->text.len;
    *ARRAY_ADD(list->end, list->count, list->alloc) = end;
}

void elements_add(struct elements *list, struct json_slice element)
{
    strbuf_add(&list->text, element.ptr, element.len);
    end_element(list);
}

static void write_detail(struct elements *list, const struct memory *m)
{
    if (!m->detail)
        return;
    struct json_slice detail = {m->detail, strlen(m->detail)};
    for (struct json_each it = json_each(detail); json_next(&it);) {
        strbuf_addstr(&list->text, "{\"");
        json_add_value(&list->text, it.key.ptr, it.key.len);
        strbuf_addstr(&list->text, "\":");
        json_add_value(&list->text, it.value.ptr, it.value.len);
        strbuf_addch(&list->text, '}');
        end_element(list);
    }
}

void elements_write(struct elements *out, const struct field *list, const struct memory *m)
{
    *out = (struct elements)ELEMENTS_INIT;
    if (list->type == FIELD_DETAIL) {
        write_detail(out, m);
        return;
    }
    for (size_t i = 0; i < items_count(list, m); i++) {
        item_write(list, items_at(list, m, i), &out->text);
        end_element(out);
    }
}

void elements_release(struct elements *list)
{
    strbuf_release(&list->text);
    free(list->end);
    *list = (struct elements)ELEMENTS_INIT;
}

struct json_slice elements_at(const struct elements *list, size_t i)
{
    size_t from = i ? list->end[i - 1] : 0;
    return (struct json_slice){list->text.buf + from, list->end[i] - from};
}

bool elements_equal(const struct elements *a, const struct elements *b)
{
    if (a->count != b->count || a->text.len != b->text.len ||
        memcmp(a->text.buf, b->text.buf, a->text.len) != 0)
        return false;
    return a->count == 0 || memcmp(a->end, b->end, a->count * sizeof(*a->end)) == 0;
}

int slice_compare(struct json_slice a, struct json_slice b)
{
    size_t least = a.len < b.len ? a.len : b.len;
    int order = least ? memcmp(a.ptr, b.ptr, least) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

struct json_slice member_key(struct json_slice member)
{
    struct json_each it = json_each(member);
    return json_next(&it) ? it.key : (struct json_slice){NULL, 0};
}

void member_add(struct strbuf *out, struct json_slice member)
{
    if (!member.ptr)
        return;
    if (out->len > 1)
        strbuf_addch(out, ',');
    strbuf_add(out, member.ptr + 1, member.len - 2);
}

/* ---- sorting and matching ---- */

static bool same(const struct elements *a, size_t i, const struct elements *b, size_t k)
{
    return slice_compare(elements_at(a, i), elements_at(b, k)) == 0;
}

static int compare(const struct sorted *s, size_t place, struct json_slice wanted, size_t least)
{
    struct json_slice one = elements_at(s->list, place);
    int order = slice_compare(s->by_key ? member_key(one) : one, wanted);
    return order ? order : (place > least) - (place < least);
}

/* The sort key of an element, and its place. */
struct entry {
    struct json_slice text;
    size_t place;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = slice_compare(x->text, y->text);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

struct sorted elements_sort(const struct elements *list, const bool *some, bool by_key)
{
    struct sorted s = {list, xcalloc(list->count + 1, sizeof(*s.place)), 0, by_key};
    AUTO_FREE struct entry *entry = xcalloc(list->count + 1, sizeof(*entry));
    for (size_t i = 0; i < list->count; i++) {
        struct json_slice one = elements_at(list, i);
        if (!some || some[i])
            entry[s.count++] = (struct entry){by_key ? member_key(one) : one, i};
    }
    SORT(entry, s.count, compare_entries);
    for (size_t i = 0; i < s.count; i++)
        s.place[i] = entry[i].place;
    return s;
}

size_t sorted_find(const struct sorted *s, struct json_slice wanted, size_t least)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(s, s->place[middle], wanted, least) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void elements_match(struct unmatched *u, const struct elements *before,
                    const struct elements *after)
{
    u->removed = xcalloc(before->count + 1, sizeof(bool));
    u->added = xcalloc(after->count + 1, sizeof(bool));
    size_t head = 0, b = before->count, a = after->count;
    while (head < b && head < a && same(before, head, after, head))
        head++;
    while (b > head && a > head && same(before, b - 1, after, a - 1))
        b--, a--;
    for (size_t i = head; i < a; i++)
        u->added[i] = true;
    struct sorted s = elements_sort(after, u->added, false);
    size_t next = head;
    for (size_t i = head; i < b; i++) {
        size_t at = sorted_find(&s, elements_at(before, i), next);
        u->removed[i] = at == s.count || !same(before, i, after, s.place[at]);
        if (u->removed[i])
            continue;
        next = s.place[at];
        u->added[next++] = false;
    }
    free(s.place);
}

void unmatched_release(struct unmatched *u)
{
    free(u->removed);
    free(u->added);
    *u = (struct unmatched){NULL, NULL};
}
