/* The lists of a memory as texts, and which elements of two of them are partners. */
#include "model/format/exchange_internal.h"

#include <stddef.h>
#include "model/base/array.h"
#include "model/format/exchange_parts.h"

/* ---- which lists there are ---- */

static void write_text(const void *item, struct strbuf *out)
{
    json_add_string(out, *(const char *const *)item);
}

static void write_justification(const void *item, struct strbuf *out)
{
    exchange_add_justification(out, item);
}

static void write_history(const void *item, struct strbuf *out)
{
    exchange_add_history(out, item);
}

static void write_relation(const void *item, struct strbuf *out)
{
    exchange_add_relation(out, item);
}

static void write_mark(const void *item, struct strbuf *out)
{
    exchange_add_mark(out, item);
}

static int read_text(struct exchange_reader *r, struct json_slice value, void *item)
{
    const char **text = item;
    *text = NULL;
    if (exchange_text(r, value, "the element", text))
        return -1;
    return *text ? 0 : exchange_wrong(r, "the element", "is not a string");
}

static int read_justification(struct exchange_reader *r, struct json_slice value, void *item)
{
    return exchange_read_justification(r, value, item);
}

static int read_history(struct exchange_reader *r, struct json_slice value, void *item)
{
    return exchange_read_entry(r, value, item);
}

static int read_relation(struct exchange_reader *r, struct json_slice value, void *item)
{
    return exchange_read_relation(r, value, item);
}

static int read_mark(struct exchange_reader *r, struct json_slice value, void *item)
{
    return exchange_read_mark(r, value, item);
}

static const struct {
    const char *name;
    size_t items, count,
        size; /* where in a memory the array and its length stand, and one's size */
    void (*write)(const void *item, struct strbuf *out);
    int (*read)(struct exchange_reader *r, struct json_slice value, void *item);
} lists[LIST_COUNT] = {
    [LIST_TAGS] = {"tags", offsetof(struct memory, tags), offsetof(struct memory, tag_count),
                   sizeof(const char *), write_text, read_text},
    [LIST_ANNOTATIONS] = {"annotations", offsetof(struct memory, annotations),
                          offsetof(struct memory, annotation_count), sizeof(const char *),
                          write_text, read_text},
    [LIST_DETAIL] = {"detail", 0, 0, 0, NULL, NULL},
    [LIST_JUSTIFICATIONS] = {"justifications", offsetof(struct memory, justifications),
                             offsetof(struct memory, justification_count),
                             sizeof(struct justification), write_justification, read_justification},
    [LIST_HISTORY] = {"history", offsetof(struct memory, history),
                      offsetof(struct memory, history_count), sizeof(struct history_entry),
                      write_history, read_history},
    [LIST_RELATIONS] = {"relations", offsetof(struct memory, relations),
                        offsetof(struct memory, relation_count), sizeof(struct relation),
                        write_relation, read_relation},
    [LIST_MARKS] = {"marks", offsetof(struct memory, marks), offsetof(struct memory, mark_count),
                    sizeof(struct mark), write_mark, read_mark},
};

const char *exchange_list_name(enum exchange_list list)
{
    return lists[list].name;
}

int exchange_list_from_name(struct json_slice name)
{
    for (int i = 0; i < LIST_COUNT; i++)
        if (json_key_is(name, lists[i].name))
            return i;
    return -1;
}

/* ---- as they are held ---- */

size_t exchange_list_count(enum exchange_list list, const struct memory *m)
{
    size_t count;
    memcpy(&count, (const char *)m + lists[list].count, sizeof(count));
    return count;
}

const void *exchange_list_item(enum exchange_list list, const struct memory *m, size_t i)
{
    const char *items;
    memcpy(&items, (const char *)m + lists[list].items, sizeof(items));
    return items + i * lists[list].size;
}

size_t exchange_list_item_size(enum exchange_list list)
{
    return lists[list].size;
}

void exchange_list_set(enum exchange_list list, struct memory *m, void *items, size_t count)
{
    memcpy((char *)m + lists[list].items, &items, sizeof(items));
    memcpy((char *)m + lists[list].count, &count, sizeof(count));
}

void exchange_list_write_item(enum exchange_list list, const void *item, struct strbuf *out)
{
    lists[list].write(item, out);
}

int exchange_list_read_item(enum exchange_list list, struct exchange_reader *r,
                            struct json_slice value, void *item)
{
    return lists[list].read(r, value, item);
}

/* ---- as texts ---- */

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

void elements_write(struct elements *out, enum exchange_list list, const struct memory *m)
{
    *out = (struct elements)ELEMENTS_INIT;
    if (list == LIST_DETAIL) {
        write_detail(out, m);
        return;
    }
    for (size_t i = 0; i < exchange_list_count(list, m); i++) {
        exchange_list_write_item(list, exchange_list_item(list, m, i), &out->text);
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

int elements_compare_slices(struct json_slice a, struct json_slice b)
{
    size_t least = a.len < b.len ? a.len : b.len;
    int order = memcmp(a.ptr, b.ptr, least);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

struct json_slice elements_key(struct json_slice member)
{
    struct json_each it = json_each(member);
    return json_next(&it) ? it.key : (struct json_slice){NULL, 0};
}

/* ---- partners ---- */

static bool same(const struct elements *a, size_t i, const struct elements *b, size_t k)
{
    return elements_compare_slices(elements_at(a, i), elements_at(b, k)) == 0;
}

static int compare_places(const void *a, const void *b, void *list)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = elements_compare_slices(elements_at(list, x), elements_at(list, y));
    return order ? order : (x > y) - (x < y);
}

/*
 * The first place among `order` (sorted by content, then by place) of that content from `least` on;
 * or SIZE_MAX.
 */
static size_t find_from(const struct elements *list, const size_t *order, size_t count,
                        struct json_slice wanted, size_t least)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int cmp = elements_compare_slices(elements_at(list, order[middle]), wanted);
        if (cmp < 0 || (cmp == 0 && order[middle] < least))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && elements_compare_slices(elements_at(list, order[low]), wanted) == 0
               ? order[low]
               : SIZE_MAX;
}

static void match(struct unmatched *u, const struct elements *before, const struct elements *after)
{
    size_t head = 0, b = before->count, a = after->count;
    while (head < b && head < a && same(before, head, after, head))
        head++;
    while (b > head && a > head && same(before, b - 1, after, a - 1))
        b--, a--;
    size_t middle = a - head;
    size_t *order = xcalloc(middle + 1, sizeof(*order));
    for (size_t i = 0; i < middle; i++)
        order[i] = head + i;
    qsort_r(order, middle, sizeof(*order), compare_places, (void *)after);
    size_t next = head;
    for (size_t i = head; i < b; i++) {
        size_t partner = find_from(after, order, middle, elements_at(before, i), next);
        u->removed[i] = partner == SIZE_MAX;
        for (; partner != SIZE_MAX && next < partner; next++)
            u->added[next] = true;
        next += partner != SIZE_MAX;
    }
    for (; next < a; next++)
        u->added[next] = true;
    free(order);
}

void elements_match(struct unmatched *u, const struct elements *before,
                    const struct elements *after)
{
    u->removed = xcalloc(before->count + 1, sizeof(bool));
    u->added = xcalloc(after->count + 1, sizeof(bool));
    match(u, before, after);
}

void unmatched_release(struct unmatched *u)
{
    free(u->removed);
    free(u->added);
    *u = (struct unmatched){NULL, NULL};
}
