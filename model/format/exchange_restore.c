/* Taking a change back from a memory that may have been changed since: three ways, as a merge does. */
#include <stddef.h>
#include "model/base/alloc.h"
#include "model/format/exchange_internal.h"

struct restore {
    struct memory *out;
    const struct memory *now, *before, *after;
    struct arena *arena;
    struct error *e;
};

static int conflict(struct restore *r, const char *field)
{
    return error_set(r->e, ERROR_CONFLICT, "Compare both, then edit it by hand.",
                     "%s:%s: %s was changed again since then", kind_name(r->now->ref.kind),
                     r->now->ref.id, field);
}

/* ---- fields ---- */

enum way {
    WAY_KEEP, /* the change did not touch it, or it is as before already */
    WAY_BACK,
    WAY_CONFLICT
};

static enum way way_of(bool untouched, bool as_after, bool as_before)
{
    return untouched || (as_before && !as_after) ? WAY_KEEP : as_after ? WAY_BACK : WAY_CONFLICT;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const struct {
    const char *name;
    size_t offset;
} texts[] = {
    {"agent_id", offsetof(struct memory, agent_id)},
    {"text", offsetof(struct memory, text)},
    {"source_type", offsetof(struct memory, source_type)},
    {"source", offsetof(struct memory, source)},
    {"source_entity", offsetof(struct memory, source_entity)},
    {"context", offsetof(struct memory, context)},
};

static const char *text_at(const struct memory *m, size_t offset)
{
    const char *text;
    memcpy(&text, (const char *)m + offset, sizeof(text));
    return text;
}

static int restore_texts(struct restore *r)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        size_t at = texts[i].offset;
        const char *was = text_at(r->before, at), *left = text_at(r->after, at);
        const char *is = text_at(r->now, at);
        enum way way = way_of(same_text(was, left), same_text(is, left), same_text(is, was));
        if (way == WAY_CONFLICT)
            return conflict(r, texts[i].name);
        if (way == WAY_BACK)
            memcpy((char *)r->out + at, &was, sizeof(was));
    }
    return 0;
}

static int restore_fields(struct restore *r)
{
    const struct memory *b = r->before, *a = r->after, *n = r->now;
    enum way created = way_of(b->created_at == a->created_at, n->created_at == a->created_at,
                              n->created_at == b->created_at);
    enum way confidence = way_of(b->confidence == a->confidence, n->confidence == a->confidence,
                                 n->confidence == b->confidence);
    enum way status =
        way_of(b->status == a->status, n->status == a->status, n->status == b->status);
    if (created == WAY_CONFLICT || confidence == WAY_CONFLICT || status == WAY_CONFLICT)
        return conflict(r, created == WAY_CONFLICT      ? "created_at"
                           : confidence == WAY_CONFLICT ? "confidence"
                                                        : "status");
    if (created == WAY_BACK)
        r->out->created_at = b->created_at;
    if (confidence == WAY_BACK)
        r->out->confidence = b->confidence;
    if (status == WAY_BACK)
        r->out->status = b->status;
    if (b->is_protected != a->is_protected)
        r->out->is_protected = b->is_protected;
    return 0;
}

/* ---- lists ---- */

/* Elements by content, of which each place is handed out once. */
struct places {
    const struct elements *list;
    size_t *order; /* [count] places, sorted by content, then by place */
    size_t *taken; /* [count] at the first of equal ones: how many of them were handed out */
    size_t count;
};

static int compare_places(const void *a, const void *b, void *list)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = elements_compare_slices(elements_at(list, x), elements_at(list, y));
    return order ? order : (x > y) - (x < y);
}

/* Those that are in `some` (NULL: all). */
static void places_make(struct places *p, const struct elements *list, const bool *some)
{
    *p = (struct places){.list = list};
    p->order = xcalloc(list->count + 1, sizeof(*p->order));
    p->taken = xcalloc(list->count + 1, sizeof(*p->taken));
    for (size_t i = 0; i < list->count; i++)
        if (!some || some[i])
            p->order[p->count++] = i;
    qsort_r(p->order, p->count, sizeof(*p->order), compare_places, (void *)list);
}

static void places_release(struct places *p)
{
    free(p->order);
    free(p->taken);
}

/* The first in the order that is not less than `wanted`, or (beyond) greater than it. */
static size_t bound(const struct places *p, struct json_slice wanted, bool beyond)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int cmp = elements_compare_slices(elements_at(p->list, p->order[middle]), wanted);
        if (cmp < 0 || (beyond && cmp == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last place of that content that was not handed out yet; SIZE_MAX: there is none. */
static size_t places_take(struct places *p, struct json_slice wanted)
{
    size_t first = bound(p, wanted, false), end = bound(p, wanted, true);
    if (first == end || p->taken[first] == end - first)
        return SIZE_MAX;
    return p->order[end - ++p->taken[first]];
}

/* A list as it is put together: each element is one of now or of before. */
struct merge {
    enum exchange_list list;
    struct elements before, after, now;
    struct unmatched changed; /* before against after */
    bool *drop;               /* [now.count] the change added it */
    bool *put_back;           /* [before.count] the change took it away */
    size_t missing, lost;     /* added ones that are gone; removed ones that are not there */
};

/* What the change added, wherever it stands now. */
static void find_added(struct merge *m)
{
    struct places p;
    places_make(&p, &m->now, NULL);
    for (size_t i = m->after.count; i > 0; i--) {
        if (!m->changed.added[i - 1])
            continue;
        size_t place = places_take(&p, elements_at(&m->after, i - 1));
        if (place == SIZE_MAX)
            m->missing++;
        else
            m->drop[place] = true;
    }
    places_release(&p);
}

/*
 * An empty justification was added with the first of others, so that it would not be easier to fall
 * than before. It stays for those that came since.
 */
static void keep_empty(struct restore *r, struct merge *m)
{
    bool others = false;
    if (m->list != LIST_JUSTIFICATIONS || m->before.count > 0)
        return;
    for (size_t i = 0; i < m->now.count; i++)
        others |= !m->drop[i];
    for (size_t i = 0; i < m->now.count && others; i++)
        if (r->now->justifications[i].count == 0)
            m->drop[i] = false;
}

/* The elements of now that stay. */
static void take_rest(const struct merge *m, struct elements *rest, size_t *place)
{
    size_t count = 0;
    for (size_t i = 0; i < m->now.count; i++) {
        if (m->drop[i])
            continue;
        elements_add(rest, elements_at(&m->now, i));
        place[count++] = i;
    }
}

/* What the change removed and nobody put in again. `fit` tells which have a partner. */
static void find_removed(struct merge *m, const struct elements *rest, const struct unmatched *fit)
{
    struct places p;
    places_make(&p, rest, fit->added);
    for (size_t i = m->before.count; i > 0; i--) {
        if (!m->changed.removed[i - 1] || !fit->removed[i - 1])
            continue;
        m->put_back[i - 1] = places_take(&p, elements_at(&m->before, i - 1)) == SIZE_MAX;
        m->lost += m->put_back[i - 1];
    }
    places_release(&p);
}

struct output {
    char *items;
    size_t size, count;
};

static void emit(struct output *o, const void *item)
{
    memcpy(o->items + o->size * o->count++, item, o->size);
}

/* Where both agree they go together; what was removed comes back behind what stood before it. */
static void put_together(struct restore *r, const struct merge *m, const struct elements *rest,
                         const size_t *place, const struct unmatched *fit)
{
    struct output o = {.size = exchange_list_item_size(m->list)};
    size_t k = 0;
    o.items = arena_array(r->arena, rest->count + m->lost, o.size);
    for (size_t i = 0; i < m->before.count; i++) {
        if (m->put_back[i])
            emit(&o, exchange_list_item(m->list, r->before, i));
        if (fit->removed[i])
            continue;
        while (fit->added[k])
            emit(&o, exchange_list_item(m->list, r->now, place[k++]));
        emit(&o, exchange_list_item(m->list, r->now, place[k++]));
    }
    while (k < rest->count)
        emit(&o, exchange_list_item(m->list, r->now, place[k++]));
    exchange_list_set(m->list, r->out, o.items, o.count);
}

/*
 * Tags and annotations come and go one by one; of the others one that takes the place of another is
 * a change of it, which was changed again where neither is there.
 */
static bool is_replaced(const struct merge *m)
{
    return m->list != LIST_TAGS && m->list != LIST_ANNOTATIONS && m->missing > 0 && m->lost > 0;
}

static int merge_rest(struct restore *r, struct merge *m, struct elements *rest, size_t *place)
{
    struct unmatched fit;
    int result = 0;
    take_rest(m, rest, place);
    elements_match(&fit, &m->before, rest);
    find_removed(m, rest, &fit);
    if (is_replaced(m))
        result = conflict(r, exchange_list_name(m->list));
    else
        put_together(r, m, rest, place, &fit);
    unmatched_release(&fit);
    return result;
}

static int merge_changed(struct restore *r, struct merge *m)
{
    struct elements rest = ELEMENTS_INIT;
    size_t *place = xcalloc(m->now.count + 1, sizeof(*place));
    m->drop = xcalloc(m->now.count + 1, sizeof(bool));
    m->put_back = xcalloc(m->before.count + 1, sizeof(bool));
    find_added(m);
    keep_empty(r, m);
    int result = merge_rest(r, m, &rest, place);
    elements_release(&rest);
    free(place);
    free(m->drop);
    free(m->put_back);
    return result;
}

static void take_list(struct restore *r, enum exchange_list list)
{
    exchange_list_set(list, r->out, (void *)exchange_list_item(list, r->before, 0),
                      exchange_list_count(list, r->before));
}

static int merge_list(struct restore *r, struct merge *m)
{
    if (elements_equal(&m->before, &m->after) || elements_equal(&m->now, &m->before))
        return 0;
    if (elements_equal(&m->now, &m->after)) {
        take_list(r, m->list);
        return 0;
    }
    elements_match(&m->changed, &m->before, &m->after);
    int result = merge_changed(r, m);
    unmatched_release(&m->changed);
    return result;
}

static bool is_shared(enum exchange_list list, const struct memory *a, const struct memory *b)
{
    return exchange_list_item(list, a, 0) == exchange_list_item(list, b, 0) &&
           exchange_list_count(list, a) == exchange_list_count(list, b);
}

static int restore_list(struct restore *r, enum exchange_list list)
{
    if (is_shared(list, r->before, r->after))
        return 0;
    if (is_shared(list, r->now, r->after)) { /* states of one history share what did not change */
        take_list(r, list);
        return 0;
    }
    struct merge m = {.list = list};
    elements_write(&m.before, list, r->before);
    elements_write(&m.after, list, r->after);
    elements_write(&m.now, list, r->now);
    int result = merge_list(r, &m);
    elements_release(&m.before);
    elements_release(&m.after);
    elements_release(&m.now);
    return result;
}

/* ---- the detail: by member ---- */

/* Its members by name. */
struct members {
    struct elements list;
    size_t *order;
};

static int compare_keys(const void *a, const void *b, void *list)
{
    return elements_compare_slices(elements_key(elements_at(list, *(const size_t *)a)),
                                   elements_key(elements_at(list, *(const size_t *)b)));
}

static void members_make(struct members *m, const struct memory *of)
{
    elements_write(&m->list, LIST_DETAIL, of);
    m->order = xcalloc(m->list.count + 1, sizeof(*m->order));
    for (size_t i = 0; i < m->list.count; i++)
        m->order[i] = i;
    qsort_r(m->order, m->list.count, sizeof(*m->order), compare_keys, &m->list);
}

static void members_release(struct members *m)
{
    elements_release(&m->list);
    free(m->order);
}

/* The member of that name; ptr NULL: there is none. */
static struct json_slice member(const struct members *m, struct json_slice key)
{
    size_t low = 0, high = m->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct json_slice one = elements_at(&m->list, m->order[middle]);
        int cmp = elements_compare_slices(elements_key(one), key);
        if (cmp == 0)
            return one;
        if (cmp < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (struct json_slice){NULL, 0};
}

static bool same_member(struct json_slice a, struct json_slice b)
{
    return a.ptr && b.ptr ? elements_compare_slices(a, b) == 0 : a.ptr == b.ptr;
}

struct detail {
    struct members before, after, now;
    struct strbuf out;
};

static void add_member(struct strbuf *out, struct json_slice one)
{
    if (!one.ptr)
        return;
    if (out->len > 1)
        strbuf_addch(out, ',');
    strbuf_add(out, one.ptr + 1, one.len - 2);
}

/* `is` stands there, or nothing does. */
static int restore_member(struct restore *r, struct detail *d, struct json_slice key,
                          struct json_slice is)
{
    struct json_slice was = member(&d->before, key), left = member(&d->after, key);
    enum way way = way_of(same_member(was, left), same_member(is, left), same_member(is, was));
    char name[128];
    if (way == WAY_CONFLICT) {
        int len = key.len > 64 ? 64 : (int)key.len;
        snprintf(name, sizeof(name), "detail.%.*s", len, key.ptr);
        return conflict(r, name);
    }
    add_member(&d->out, way == WAY_BACK ? was : is);
    return 0;
}

static int merge_detail(struct restore *r, struct detail *d)
{
    strbuf_addch(&d->out, '{');
    for (size_t i = 0; i < d->now.list.count; i++) {
        struct json_slice is = elements_at(&d->now.list, i);
        if (restore_member(r, d, elements_key(is), is))
            return -1;
    }
    for (size_t i = 0; i < d->before.list.count; i++) {
        struct json_slice key = elements_key(elements_at(&d->before.list, i));
        if (!member(&d->now, key).ptr && restore_member(r, d, key, (struct json_slice){NULL, 0}))
            return -1;
    }
    strbuf_addch(&d->out, '}');
    r->out->detail = arena_strndup(r->arena, d->out.buf, d->out.len);
    return 0;
}

static int restore_detail(struct restore *r)
{
    if (same_text(r->before->detail, r->after->detail))
        return 0;
    if (same_text(r->now->detail, r->after->detail)) {
        r->out->detail = r->before->detail;
        return 0;
    }
    struct detail d = {.out = STRBUF_INIT};
    members_make(&d.before, r->before);
    members_make(&d.after, r->after);
    members_make(&d.now, r->now);
    int result = merge_detail(r, &d);
    members_release(&d.before);
    members_release(&d.after);
    members_release(&d.now);
    strbuf_release(&d.out);
    return result;
}

int exchange_restore(struct memory *out, const struct memory *now, const struct memory *before,
                     const struct memory *after, struct arena *arena, struct error *e)
{
    struct restore r = {out, now, before, after, arena, e};
    *out = *now;
    out->form = NULL;
    if (restore_texts(&r) || restore_fields(&r) || restore_detail(&r))
        return -1;
    for (int i = 0; i < LIST_COUNT; i++)
        if (i != LIST_DETAIL && restore_list(&r, (enum exchange_list)i))
            return -1;
    return 0;
}
