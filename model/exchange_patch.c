#include "exchange.h"

#include "alloc.h"
#include "exchange_parts.h"
#include "json.h"

/*
 * A patch is stored with every change, so that it holds no more than what changed: a belief that was
 * reinforced a thousand times keeps a thousand entries of its history, not a thousand histories.
 */

/* ---- fields ---- */

/* `start` is where the object begins: a comma stands before every key but the first. */
static void key(struct strbuf *out, size_t start, const char *name)
{
    if (out->len > start + 1)
        strbuf_addch(out, ',');
    json_add_string(out, name);
    strbuf_addch(out, ':');
}

static void patch_text(struct strbuf *out, size_t start, const char *name, const char *before,
                       const char *after)
{
    if (before == after || (before && after && strcmp(before, after) == 0))
        return;
    key(out, start, name);
    json_add_string(out, before);
}

static void patch_int(struct strbuf *out, size_t start, const char *name, int64_t before,
                      int64_t after)
{
    if (before == after)
        return;
    key(out, start, name);
    json_add_int(out, before);
}

static void patch_fields(struct strbuf *out, size_t start, const struct memory *before,
                         const struct memory *after)
{
    patch_text(out, start, "agent_id", before->agent_id, after->agent_id);
    patch_text(out, start, "text", before->text, after->text);
    patch_int(out, start, "created_at", before->created_at, after->created_at);
    patch_int(out, start, "updated_at", before->updated_at, after->updated_at);
    if (before->confidence != after->confidence) {
        key(out, start, "confidence");
        json_add_double(out, before->confidence);
    }
    patch_text(out, start, "source_type", before->source_type, after->source_type);
    patch_text(out, start, "source", before->source, after->source);
    patch_text(out, start, "source_entity", before->source_entity, after->source_entity);
    patch_text(out, start, "status", status_name(before->status), status_name(after->status));
    if (before->is_protected != after->is_protected) {
        key(out, start, "protected");
        strbuf_addstr(out, before->is_protected ? "true" : "false");
    }
    patch_text(out, start, "context", before->context, after->context);
    patch_int(out, start, "version", before->version, after->version);
}

/* ---- lists ---- */

/* The elements of a list as they are written, one after the other. */
struct elements {
    struct strbuf text;
    size_t *end; /* [count] where each ends in `text` */
    size_t count, alloc;
};

static struct json_slice element(const struct elements *list, size_t i)
{
    size_t from = i ? list->end[i - 1] : 0;
    return (struct json_slice){list->text.buf + from, list->end[i] - from};
}

static int compare_slices(struct json_slice a, struct json_slice b)
{
    size_t least = a.len < b.len ? a.len : b.len;
    int order = memcmp(a.ptr, b.ptr, least);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static bool same(const struct elements *a, size_t i, const struct elements *b, size_t k)
{
    return compare_slices(element(a, i), element(b, k)) == 0;
}

static int compare_places(const void *a, const void *b, void *list)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = compare_slices(element(list, x), element(list, y));
    return order ? order : (x > y) - (x < y);
}

/* The first place among `order` (sorted by content, then by place) of that content from `least` on; or
 * SIZE_MAX. */
static size_t find_from(const struct elements *list, const size_t *order, size_t count,
                        struct json_slice wanted, size_t least)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int cmp = compare_slices(element(list, order[middle]), wanted);
        if (cmp < 0 || (cmp == 0 && order[middle] < least))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && compare_slices(element(list, order[low]), wanted) == 0 ? order[low]
                                                                                 : SIZE_MAX;
}

/* Which elements have no partner on the other side, where partners stand in the same order. */
struct difference {
    bool *removed, *added; /* [before->count], [after->count] */
};

/*
 * What both have at the beginning and at the end are partners; in between, each element of `before` takes
 * the next equal one of `after`. O(n log n). -1 where memory ran out.
 */
static int find_difference(struct difference *d, const struct elements *before,
                           struct elements *after)
{
    size_t head = 0, b = before->count, a = after->count;
    while (head < b && head < a && same(before, head, after, head))
        head++;
    while (b > head && a > head && same(before, b - 1, after, a - 1))
        b--, a--;
    size_t middle = a - head;
    size_t *order = calloc(middle + 1, sizeof(*order));
    if (!order)
        return -1;
    for (size_t i = 0; i < middle; i++)
        order[i] = head + i;
    qsort_r(order, middle, sizeof(*order), compare_places, after);
    size_t next = head;
    for (size_t i = head; i < b; i++) {
        size_t partner = find_from(after, order, middle, element(before, i), next);
        d->removed[i] = partner == SIZE_MAX;
        for (; partner != SIZE_MAX && next < partner; next++)
            d->added[next] = true;
        next += partner != SIZE_MAX;
    }
    for (; next < a; next++)
        d->added[next] = true;
    free(order);
    return 0;
}

/* Of a member of the detail only its name is written where it was added: undoing needs no more. */
static void add_added(struct strbuf *out, struct json_slice value, bool members)
{
    struct json_each it = json_each(value);
    if (members && json_next(&it))
        strbuf_add(out, it.key.ptr - 1, it.key.len + 2);
    else
        strbuf_add(out, value.ptr, value.len);
}

static void write_difference(struct strbuf *out, const struct difference *d,
                             const struct elements *before, const struct elements *after,
                             bool members)
{
    const char *next = "{\"added\":[", *then = "{\"removed\":[";
    for (size_t i = 0; i < after->count; i++) {
        if (!d->added[i])
            continue;
        strbuf_addstr(out, next);
        add_added(out, element(after, i), members);
        next = ",";
        then = "],\"removed\":[";
    }
    for (size_t i = 0; i < before->count; i++) {
        if (!d->removed[i])
            continue;
        struct json_slice value = element(before, i);
        strbuf_addstr(out, then);
        strbuf_addstr(out, "{\"index\":");
        json_add_int(out, (int64_t)i);
        strbuf_addstr(out, ",\"value\":");
        strbuf_add(out, value.ptr, value.len);
        strbuf_addch(out, '}');
        then = ",";
    }
    strbuf_addstr(out, "]}");
}

static bool equal(const struct elements *before, const struct elements *after)
{
    if (before->count != after->count || before->text.len != after->text.len ||
        memcmp(before->text.buf, after->text.buf, before->text.len) != 0)
        return false;
    return before->count == 0 ||
           memcmp(before->end, after->end, before->count * sizeof(*before->end)) == 0;
}

static int patch_elements(struct strbuf *out, size_t start, const char *name,
                          const struct elements *before, struct elements *after, bool members)
{
    if (before->text.failed || after->text.failed)
        return -1;
    if (equal(before, after))
        return 0;
    struct difference d;
    d.removed = calloc(before->count + 1, sizeof(bool));
    d.added = calloc(after->count + 1, sizeof(bool));
    int bad = !d.removed || !d.added || find_difference(&d, before, after);
    if (!bad) {
        key(out, start, name);
        write_difference(out, &d, before, after, members);
    }
    free(d.removed);
    free(d.added);
    return bad ? -1 : 0;
}

/* ---- which lists there are ---- */

static void end_element(struct elements *list)
{
    void *end = list->end;
    if (!array_grow(&end, &list->alloc, list->count, sizeof(*list->end))) {
        list->text.failed = true;
        return;
    }
    list->end = end;
    list->end[list->count++] = list->text.len;
}

static void write_tags(struct elements *list, const struct memory *m)
{
    for (size_t i = 0; i < m->tag_count; i++) {
        json_add_string(&list->text, m->tags[i]);
        end_element(list);
    }
}

static void write_annotations(struct elements *list, const struct memory *m)
{
    for (size_t i = 0; i < m->annotation_count; i++) {
        json_add_string(&list->text, m->annotations[i]);
        end_element(list);
    }
}

/* A member of the detail is an object of that member alone. */
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

static void write_justifications(struct elements *list, const struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        exchange_add_justification(&list->text, &m->justifications[i]);
        end_element(list);
    }
}

static void write_history(struct elements *list, const struct memory *m)
{
    for (size_t i = 0; i < m->history_count; i++) {
        exchange_add_history(&list->text, &m->history[i]);
        end_element(list);
    }
}

static void write_relations(struct elements *list, const struct memory *m)
{
    for (size_t i = 0; i < m->relation_count; i++) {
        exchange_add_relation(&list->text, &m->relations[i]);
        end_element(list);
    }
}

static void write_marks(struct elements *list, const struct memory *m)
{
    for (size_t i = 0; i < m->mark_count; i++) {
        exchange_add_mark(&list->text, &m->marks[i]);
        end_element(list);
    }
}

static const struct {
    const char *name;
    void (*write)(struct elements *list, const struct memory *m);
    bool members;
} lists[] = {
    {"tags", write_tags, false},       {"annotations", write_annotations, false},
    {"detail", write_detail, true},    {"justifications", write_justifications, false},
    {"history", write_history, false}, {"relations", write_relations, false},
    {"marks", write_marks, false},
};

static void patch_list(struct strbuf *out, size_t start, size_t which, const struct memory *before,
                       const struct memory *after)
{
    struct elements b = {.text = STRBUF_INIT}, a = {.text = STRBUF_INIT};
    lists[which].write(&b, before);
    lists[which].write(&a, after);
    if (patch_elements(out, start, lists[which].name, &b, &a, lists[which].members))
        out->failed = true;
    strbuf_release(&b.text);
    strbuf_release(&a.text);
    free(b.end);
    free(a.end);
}

void exchange_patch(struct strbuf *out, const struct memory *before, const struct memory *after)
{
    if (!before)
        return;
    size_t start = out->len;
    strbuf_addch(out, '{');
    patch_fields(out, start, before, after);
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        patch_list(out, start, i, before, after);
    strbuf_addch(out, '}');
}
