/* Takes a change back from a memory that may have been changed since, by a three-way merge. */
#include <stddef.h>
#include "model/base/alloc.h"
#include "model/format/memory_json_internal.h"

struct restore {
    struct memory *out;
    const struct memory *now, *before, *after;
    struct arena *arena;
    struct error *e;
};

static int conflict(struct restore *r, const char *field)
{
    return error_set(r->e, ERROR_CONFLICT, "See its history, then edit it by hand.",
                     "%s:%s: %s was changed again since then", kind_name(r->now->ref.kind),
                     r->now->ref.id, field);
}

/* ---- fields ---- */

/*
 * What becomes of one value. The first rule that fits decides:
 *
 *   before = after   the change did not touch it            KEEP_NOW
 *   now = after      not changed since                      TAKE_BEFORE
 *   now = before     already taken back                     KEEP_NOW
 *   all differ       it was changed again                   CONFLICT
 */
enum merge_way {
    KEEP_NOW,
    TAKE_BEFORE,
    CONFLICT
};

static enum merge_way merge_value(bool before_is_after, bool now_is_after, bool now_is_before)
{
    if (before_is_after)
        return KEEP_NOW;
    if (now_is_after)
        return TAKE_BEFORE;
    return now_is_before ? KEEP_NOW : CONFLICT;
}

/* Keeps version and updated_at of `now`. */
static int restore_fields(struct restore *r)
{
    for (int i = 0; i < MEMBER_WRITTEN; i++) {
        const struct field *f = &memory_json_fields[i];
        if (!FIELD_IS_SCALAR(f->type) || i == MEMBER_VERSION || i == MEMBER_UPDATED_AT)
            continue;
        enum merge_way way =
            merge_value(field_equal(f, r->before, r->after), field_equal(f, r->now, r->after),
                        field_equal(f, r->now, r->before));
        if (way == CONFLICT)
            return conflict(r, f->name);
        if (way == TAKE_BEFORE)
            field_copy(f, r->out, r->before);
    }
    return 0;
}

/* ---- lists ---- */

/* Finds elements by content and returns the place of each only once. */
struct places {
    struct sorted sorted;
    size_t *returned; /* at the first of equal elements: how many of them were returned */
};

/* Uses the elements with `some` set, or all if it is NULL. */
static void places_make(struct places *p, const struct elements *list, const bool *some)
{
    p->sorted = elements_sort(list, some, false);
    p->returned = xcalloc(list->count + 1, sizeof(*p->returned));
}

static void places_release(struct places *p)
{
    free(p->sorted.place);
    free(p->returned);
}

/* The last place with this content that was not returned yet, or SIZE_MAX. */
static size_t places_next(struct places *p, struct json_slice wanted)
{
    size_t first = sorted_find(&p->sorted, wanted, 0),
           end = sorted_find(&p->sorted, wanted, SIZE_MAX);
    if (first == end || p->returned[first] == end - first)
        return SIZE_MAX;
    return p->sorted.place[end - ++p->returned[first]];
}

/* The merge of a list. Each element of the result is from `now` or from `before`. */
struct merge {
    const struct field *list;
    struct elements before, after, now;
    struct unmatched changed; /* `before` compared with `after` */
    bool *drop;               /* [now.count] added by the change */
    bool *put_back;           /* [before.count] removed by the change, and not in `now` */
    size_t missing;           /* added elements that are not in `now` */
    size_t lost;              /* removed elements that are not in `now` */
};

/* Finds the elements that the change added, wherever they are now. */
static void find_added(struct merge *m)
{
    struct places p;
    places_make(&p, &m->now, NULL);
    for (size_t i = m->after.count; i > 0; i--) {
        if (!m->changed.added[i - 1])
            continue;
        size_t place = places_next(&p, elements_at(&m->after, i - 1));
        if (place == SIZE_MAX)
            m->missing++;
        else
            m->drop[place] = true;
    }
    places_release(&p);
}

/*
 * When a memory without justifications gets its first, an empty one is added with it, so that the
 * memory does not lose support more easily than before. Keep that one if later justifications
 * remain.
 */
static void keep_empty(struct restore *r, struct merge *m)
{
    bool others = false;
    if (m->list != &memory_json_fields[MEMBER_JUSTIFICATIONS] || m->before.count > 0)
        return;
    for (size_t i = 0; i < m->now.count; i++)
        others |= !m->drop[i];
    for (size_t i = 0; i < m->now.count && others; i++)
        if (r->now->justifications[i].count == 0)
            m->drop[i] = false;
}

/* The elements of `now` that stay. */
static void collect_rest(const struct merge *m, struct elements *rest, size_t *place)
{
    size_t count = 0;
    for (size_t i = 0; i < m->now.count; i++) {
        if (m->drop[i])
            continue;
        elements_add(rest, elements_at(&m->now, i));
        place[count++] = i;
    }
}

/* Finds the elements that the change removed and that were not added again. `fit` tells which
 * have a partner. */
static void find_removed(struct merge *m, const struct elements *rest, const struct unmatched *fit)
{
    struct places p;
    places_make(&p, rest, fit->added);
    for (size_t i = m->before.count; i > 0; i--) {
        if (!m->changed.removed[i - 1] || !fit->removed[i - 1])
            continue;
        m->put_back[i - 1] = places_next(&p, elements_at(&m->before, i - 1)) == SIZE_MAX;
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

/* Merges both lists. A removed element is inserted after the element that preceded it. */
static void put_together(struct restore *r, const struct merge *m, const struct elements *rest,
                         const size_t *place, const struct unmatched *fit)
{
    struct output o = {.size = m->list->item->size};
    size_t k = 0;
    o.items = arena_array(r->arena, rest->count + m->lost, o.size);
    for (size_t i = 0; i < m->before.count; i++) {
        if (m->put_back[i])
            emit(&o, items_at(m->list, r->before, i));
        if (fit->removed[i])
            continue;
        while (fit->added[k])
            emit(&o, items_at(m->list, r->now, place[k++]));
        emit(&o, items_at(m->list, r->now, place[k++]));
    }
    while (k < rest->count)
        emit(&o, items_at(m->list, r->now, place[k++]));
    items_set(m->list, r->out, o.items, o.count);
}

static int merge_rest(struct restore *r, struct merge *m, struct elements *rest, size_t *place)
{
    struct unmatched fit;
    int result = 0;
    collect_rest(m, rest, place);
    elements_match(&fit, &m->before, rest);
    find_removed(m, rest, &fit);
    /* For records, an added and a removed element count as a replacement. If neither is there
     * now, it was changed again. Tags and annotations are independent of each other. */
    if (m->list->item->fields && m->missing > 0 && m->lost > 0)
        result = conflict(r, m->list->name);
    else
        put_together(r, m, rest, place, &fit);
    unmatched_release(&fit);
    return result;
}

static int merge_changed(struct restore *r, struct merge *m)
{
    AUTO(elements) rest = ELEMENTS_INIT;
    AUTO_FREE size_t *place = xcalloc(m->now.count + 1, sizeof(*place));
    m->drop = xcalloc(m->now.count + 1, sizeof(bool));
    m->put_back = xcalloc(m->before.count + 1, sizeof(bool));
    find_added(m);
    keep_empty(r, m);
    int result = merge_rest(r, m, &rest, place);
    free(m->drop);
    free(m->put_back);
    return result;
}

static void copy_list(struct restore *r, const struct field *list)
{
    items_set(list, r->out, items_at(list, r->before, 0), items_count(list, r->before));
}

static int merge_list(struct restore *r, struct merge *m)
{
    if (elements_equal(&m->before, &m->after) || elements_equal(&m->now, &m->before))
        return 0;
    if (elements_equal(&m->now, &m->after)) {
        copy_list(r, m->list);
        return 0;
    }
    elements_match(&m->changed, &m->before, &m->after);
    int result = merge_changed(r, m);
    unmatched_release(&m->changed);
    return result;
}

static bool is_shared(const struct field *list, const struct memory *a, const struct memory *b)
{
    return items_at(list, a, 0) == items_at(list, b, 0) &&
           items_count(list, a) == items_count(list, b);
}

static int restore_list(struct restore *r, const struct field *list)
{
    if (is_shared(list, r->before, r->after))
        return 0;
    if (is_shared(list, r->now, r->after)) { /* states of one history share unchanged data */
        copy_list(r, list);
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

/* The members of a detail, in order and by name. */
struct members {
    struct elements list;
    struct sorted by_name;
};

static void members_make(struct members *m, const struct memory *of)
{
    elements_write(&m->list, &memory_json_fields[MEMBER_DETAIL], of);
    m->by_name = elements_sort(&m->list, NULL, true);
}

static void members_release(struct members *m)
{
    elements_release(&m->list);
    free(m->by_name.place);
}

/* The member of that name. ptr is NULL if there is none. */
static struct json_slice member(const struct members *m, struct json_slice key)
{
    const struct json_slice none = {NULL, 0};
    size_t at = sorted_find(&m->by_name, key, 0);
    struct json_slice one =
        at < m->by_name.count ? elements_at(&m->list, m->by_name.place[at]) : none;
    return one.ptr && slice_compare(member_key(one), key) == 0 ? one : none;
}

static bool same_member(struct json_slice a, struct json_slice b)
{
    return a.ptr && b.ptr ? slice_compare(a, b) == 0 : a.ptr == b.ptr;
}

struct detail {
    struct members before, after, now;
    struct strbuf out;
};

/* `is` is the member of `now`, or absent. */
static int restore_member(struct restore *r, struct detail *d, struct json_slice key,
                          struct json_slice is)
{
    struct json_slice was = member(&d->before, key), left = member(&d->after, key);
    enum merge_way way =
        merge_value(same_member(was, left), same_member(is, left), same_member(is, was));
    char name[128];
    if (way == CONFLICT) {
        int len = key.len > 64 ? 64 : (int)key.len;
        snprintf(name, sizeof(name), "detail.%.*s", len, key.ptr);
        return conflict(r, name);
    }
    member_add(&d->out, way == TAKE_BEFORE ? was : is);
    return 0;
}

static int merge_detail(struct restore *r, struct detail *d)
{
    strbuf_addch(&d->out, '{');
    for (size_t i = 0; i < d->now.list.count; i++) {
        struct json_slice is = elements_at(&d->now.list, i);
        if (restore_member(r, d, member_key(is), is))
            return -1;
    }
    for (size_t i = 0; i < d->before.list.count; i++) {
        struct json_slice key = member_key(elements_at(&d->before.list, i));
        if (!member(&d->now, key).ptr && restore_member(r, d, key, (struct json_slice){NULL, 0}))
            return -1;
    }
    strbuf_addch(&d->out, '}');
    r->out->detail = arena_strndup(r->arena, d->out.buf, d->out.len);
    return 0;
}

static int restore_detail(struct restore *r)
{
    const struct field *f = &memory_json_fields[MEMBER_DETAIL];
    if (field_equal(f, r->before, r->after))
        return 0;
    if (field_equal(f, r->now, r->after)) {
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

int memory_json_restore(struct memory *out, const struct memory *now, const struct memory *before,
                        const struct memory *after, struct arena *arena, struct error *e)
{
    struct restore r = {out, now, before, after, arena, e};
    *out = *now;
    out->form = NULL;
    if (restore_fields(&r) || restore_detail(&r))
        return -1;
    for (const struct field *f = memory_json_fields; f < memory_json_fields + MEMBER_WRITTEN; f++)
        if (f->type == FIELD_LIST && restore_list(&r, f))
            return -1;
    return 0;
}
