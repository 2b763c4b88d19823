/* Makes an undo patch from two states of a memory, and applies one. */
#include <stddef.h>
#include "model/base/alloc.h"
#include "model/format/memory_json_internal.h"

/*
 * A patch is stored with every change, so it must have the size of the change: a belief that was
 * reinforced a thousand times stores a thousand entries of its history, not a thousand histories.
 */

/* ---- writing ---- */

/* `start` is where the object begins. Every key except the first needs a comma. */
static void key(struct strbuf *out, size_t start, const struct field *f)
{
    strbuf_addstr(out, f->key + (out->len == start + 1));
}

/* For an added member of the detail the name is enough to undo it. */
static void add_added(struct strbuf *out, struct json_slice value, bool members)
{
    struct json_slice name = member_key(value);
    if (members && name.ptr)
        strbuf_add(out, name.ptr - 1, name.len + 2);
    else
        strbuf_add(out, value.ptr, value.len);
}

static void add_removed(struct strbuf *out, const struct elements *before, size_t i)
{
    struct json_slice value = elements_at(before, i);
    strbuf_addstr(out, "{\"index\":");
    json_add_int(out, (int64_t)i);
    strbuf_addstr(out, ",\"value\":");
    strbuf_add(out, value.ptr, value.len);
    strbuf_addch(out, '}');
}

/*
 * Does the reader's rule (the last of equal elements) find the added elements? The rule goes from
 * the end and takes the next equal one for each.
 */
static bool matched_by_rule(const struct unmatched *u, const struct elements *after)
{
    size_t wanted = after->count;
    while (wanted > 0 && !u->added[wanted - 1])
        wanted--;
    for (size_t i = after->count; i > 0 && wanted > 0; i--) {
        if (slice_compare(elements_at(after, i - 1), elements_at(after, wanted - 1)))
            continue;
        if (!u->added[i - 1])
            return false;
        do
            wanted--;
        while (wanted > 0 && !u->added[wanted - 1]);
    }
    return true;
}

static void add_places(struct strbuf *out, const struct unmatched *u, const struct elements *after)
{
    const char *next = ",\"at\":[";
    for (size_t i = 0; i < after->count; i++) {
        if (!u->added[i])
            continue;
        strbuf_addstr(out, next);
        json_add_int(out, (int64_t)i);
        next = ",";
    }
    strbuf_addch(out, ']');
}

static void write_difference(struct strbuf *out, const struct unmatched *u,
                             const struct elements *before, const struct elements *after,
                             bool members)
{
    const char *next = "{\"added\":[", *then = "{\"removed\":[";
    for (size_t i = 0; i < after->count; i++) {
        if (!u->added[i])
            continue;
        strbuf_addstr(out, next);
        add_added(out, elements_at(after, i), members);
        next = ",";
        then = ",\"removed\":[";
    }
    if (*next == ',')
        strbuf_addch(out, ']');
    if (!members && !matched_by_rule(u, after))
        add_places(out, u, after);
    next = "";
    for (size_t i = 0; i < before->count; i++) {
        if (!u->removed[i])
            continue;
        strbuf_addstr(out, then);
        add_removed(out, before, i);
        next = "]";
        then = ",";
    }
    strbuf_addstr(out, next);
    strbuf_addch(out, '}');
}

static void patch_list(struct strbuf *out, size_t start, const struct field *list,
                       const struct memory *before, const struct memory *after)
{
    struct elements b, a;
    elements_write(&b, list, before);
    elements_write(&a, list, after);
    if (!elements_equal(&b, &a)) {
        struct unmatched u;
        elements_match(&u, &b, &a);
        key(out, start, list);
        write_difference(out, &u, &b, &a, list->type == FIELD_DETAIL);
        unmatched_release(&u);
    }
    elements_release(&b);
    elements_release(&a);
}

void memory_json_patch(struct strbuf *out, const struct memory *before, const struct memory *after)
{
    if (!before)
        return;
    if (!after) {
        memory_json_write(out, before, NULL);
        return;
    }
    size_t start = out->len;
    strbuf_addch(out, '{');
    for (const struct field *f = memory_json_fields; f < memory_json_fields + MEMBER_WRITTEN; f++) {
        if (!FIELD_IS_SCALAR(f->type) || field_equal(f, before, after))
            continue;
        key(out, start, f);
        field_write_value(out, f, before);
    }
    for (const struct field *f = memory_json_fields; f < memory_json_fields + MEMBER_WRITTEN; f++)
        if (f->type >= FIELD_DETAIL)
            patch_list(out, start, f, before, after);
    strbuf_addch(out, '}');
}

/* ---- applying ---- */

struct unpatch {
    struct memory_json_reader r; /* fills the new memory */
    struct strbuf scratch;
};

/* The patch of one list. */
struct change {
    struct json_slice *added, *removed; /* [added_count], [removed_count] values */
    size_t *at;    /* [added_count] their places in `after`; NULL if the rule finds them */
    size_t *index; /* [removed_count] their places in `before` */
    size_t added_count, removed_count, at_count;
};

static int fail_mismatch(struct unpatch *u, const char *list)
{
    return memory_json_wrong(&u->r, list, "does not match the patch");
}

/* Reads a list of ascending numbers, or of objects with an `index`, each below `end`. */
static int read_places(struct unpatch *u, struct json_slice list, const char *name, size_t end,
                       size_t **out, size_t *count)
{
    size_t i = 0, least = 0;
    if (memory_json_count(&u->r, list, name, count))
        return -1;
    *out = arena_array(u->r.arena, *count, sizeof(**out));
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++) {
        int64_t place = -1;
        bool is_object = *it.value.ptr == '{';
        struct json_slice number =
            is_object ? json_member(it.value.ptr, it.value.len, "index") : it.value;
        if (!number.ptr || json_integer(number, &place) || place < 0 || (uint64_t)place < least ||
            (uint64_t)place >= end)
            return fail_mismatch(u, name);
        (*out)[i] = (size_t)place;
        least = (size_t)place + 1;
    }
    return 0;
}

static int read_values(struct unpatch *u, struct json_slice list, const char *name, bool within,
                       struct json_slice **out, size_t *count)
{
    size_t i = 0;
    *out = NULL;
    if (memory_json_count(&u->r, list, name, count))
        return -1;
    *out = arena_array(u->r.arena, *count, sizeof(**out));
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++) {
        (*out)[i] = it.value;
        if (within)
            (*out)[i] = *it.value.ptr == '{' ? json_member(it.value.ptr, it.value.len, "value")
                                             : (struct json_slice){NULL, 0};
        if (!(*out)[i].ptr)
            return fail_mismatch(u, name);
    }
    return 0;
}

/* The list has `count` elements now. */
static int read_change(struct unpatch *u, struct json_slice value, const char *name, size_t count,
                       struct change *c)
{
    *c = (struct change){.added = NULL};
    if (!value.ptr || *value.ptr != '{')
        return fail_mismatch(u, name);
    struct json_slice added = json_member(value.ptr, value.len, "added");
    struct json_slice at = json_member(value.ptr, value.len, "at");
    struct json_slice removed = json_member(value.ptr, value.len, "removed");
    if (read_values(u, added, name, false, &c->added, &c->added_count) ||
        read_values(u, removed, name, true, &c->removed, &c->removed_count))
        return -1;
    if (c->added_count > count)
        return fail_mismatch(u, name);
    size_t total = count - c->added_count + c->removed_count;
    if (read_places(u, removed, name, total, &c->index, &c->removed_count) ||
        (at.ptr && read_places(u, at, name, count, &c->at, &c->at_count)))
        return -1;
    return at.ptr && c->at_count != c->added_count ? fail_mismatch(u, name) : 0;
}

/* Does element i have this value? */
static bool is_item(struct unpatch *u, const struct field *list, size_t i, struct json_slice value)
{
    strbuf_clear(&u->scratch);
    item_write(list, items_at(list, u->r.m, i), &u->scratch);
    return slice_compare((struct json_slice){u->scratch.buf, u->scratch.len}, value) == 0;
}

/*
 * Finds which of the first `count` elements were added: by their places, or else from the end the
 * next equal one for each.
 */
static int find_added(struct unpatch *u, const struct field *list, const struct change *c,
                      size_t count, bool *added)
{
    size_t left = c->added_count;
    for (size_t i = count; i > 0 && left > 0; i--) {
        if (c->at && c->at[left - 1] != i - 1)
            continue;
        if (is_item(u, list, i - 1, c->added[left - 1])) {
            added[i - 1] = true;
            left--;
        }
    }
    return left ? fail_mismatch(u, list->name) : 0;
}

/* Makes the list without the added elements and with the removed ones at their places. */
static int make_list(struct unpatch *u, const struct field *list, const struct change *c,
                     size_t count, const bool *added)
{
    size_t size = list->item->size, total = count - c->added_count + c->removed_count;
    char *items = arena_array(u->r.arena, total, size);
    size_t next = 0, back = 0;
    for (size_t i = 0; i < total; i++) {
        if (back < c->removed_count && c->index[back] == i) {
            if (item_read(list, &u->r, c->removed[back++], items + i * size))
                return -1;
            continue;
        }
        while (added[next])
            next++;
        memcpy(items + i * size, items_at(list, u->r.m, next++), size);
    }
    items_set(list, u->r.m, items, total);
    return 0;
}

static int restore_list(struct unpatch *u, const struct field *list, struct json_slice value)
{
    struct change c;
    struct memory *m = u->r.m;
    size_t count = items_count(list, m);
    if (read_change(u, value, list->name, count, &c))
        return -1;
    /* Most elements are added at the end. Those are simply cut off. */
    while (!c.at && c.added_count > 0 && is_item(u, list, count - 1, c.added[c.added_count - 1])) {
        c.added_count--;
        count--;
    }
    if (c.added_count == 0 && c.removed_count == 0) {
        items_set(list, m, items_at(list, m, 0), count);
        return 0;
    }
    bool *added =
        xcalloc(count ? count : 1, sizeof(*added)); /* make_list reads only `count` of them */
    int result = find_added(u, list, &c, count, added) || make_list(u, list, &c, count, added);
    free(added);
    return result ? -1 : 0;
}

/* ---- the detail ---- */

/* Added members are named in their order. */
static bool is_added(const struct change *c, size_t next, struct json_slice member)
{
    struct json_slice key = member_key(member);
    struct json_slice name = {key.ptr - 1, key.len + 2};
    return next < c->added_count && slice_compare(c->added[next], name) == 0;
}

static int write_detail(struct unpatch *u, const struct change *c, const struct elements *now)
{
    struct strbuf *out = &u->scratch;
    size_t back = 0, place = 0, dropped = 0;
    strbuf_clear(out);
    strbuf_addch(out, '{');
    for (size_t i = 0; i <= now->count; i++) {
        for (; back < c->removed_count && c->index[back] == place; back++, place++) {
            struct json_slice member = c->removed[back];
            if (!member.ptr || *member.ptr != '{' || !member_key(member).ptr)
                return fail_mismatch(u, "detail");
            member_add(out, member);
        }
        if (i < now->count && is_added(c, dropped, elements_at(now, i))) {
            dropped++;
        } else if (i < now->count) {
            member_add(out, elements_at(now, i));
            place++;
        }
    }
    strbuf_addch(out, '}');
    return dropped == c->added_count && back == c->removed_count ? 0 : fail_mismatch(u, "detail");
}

static int restore_detail(struct unpatch *u, struct json_slice value)
{
    struct change c;
    struct elements now;
    struct error why;
    AUTO_STRBUF minified = STRBUF_INIT;
    elements_write(&now, &memory_json_fields[MEMBER_DETAIL], u->r.m);
    int result = read_change(u, value, "detail", now.count, &c) || write_detail(u, &c, &now);
    elements_release(&now);
    if (result)
        return -1;
    if (json_check(u->scratch.buf, u->scratch.len, JSON_DEPTH_MAX, &why))
        return fail_mismatch(u, "detail");
    json_minify(&minified, u->scratch.buf, u->scratch.len);
    u->r.m->detail = arena_strndup(u->r.arena, minified.buf, minified.len);
    return 0;
}

/* ---- a whole memory ---- */

static int restore_member(struct unpatch *u, struct json_slice key, struct json_slice value)
{
    struct json_slice given = *value.ptr == 'n' ? (struct json_slice){NULL, 0} : value;
    for (const struct field *f = memory_json_fields; f < memory_json_fields + MEMBER_WRITTEN; f++) {
        if (!json_key_is(key, f->name) || f->type == FIELD_REF)
            continue;
        if (f->type == FIELD_DETAIL)
            return restore_detail(u, given);
        if (f->type == FIELD_LIST)
            return restore_list(u, f, given);
        if (!given.ptr && f->flags & ALWAYS && !(f->flags & EMPTY))
            return memory_json_wrong(&u->r, f->name, "is absent");
        return field_read(&u->r, f, given, u->r.m);
    }
    return memory_json_wrong(&u->r, "a member", "is unknown");
}

static int restore_members(struct unpatch *u, const char *patch, size_t len)
{
    if (json_check(patch, len, JSON_DEPTH_LIMIT, u->r.e))
        return -1;
    struct json_slice object = json_trim(patch, len);
    if (*object.ptr != '{')
        return memory_json_wrong(&u->r, "it", "is not an object");
    for (struct json_each it = json_each(object); json_next(&it);)
        if (restore_member(u, it.key, it.value))
            return -1;
    return 0;
}

static int fail_unpatch(const struct memory *m, struct error *e)
{
    struct error why = *e;
    return error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                     "the earlier state of %s%s%s cannot be restored: %s",
                     m ? kind_name(m->ref.kind) : "a memory", m ? ":" : "", m ? m->ref.id : "",
                     why.what);
}

int memory_json_unpatch(struct memory *before, const struct memory *after, struct arena *arena,
                        const char *patch, struct error *e)
{
    size_t len = patch ? strlen(patch) : 0;
    if (!after)
        return memory_json_read(before, arena, patch ? patch : "", len, NULL, 0, NULL, e)
                   ? fail_unpatch(NULL, e)
                   : 0;
    *before = *after;
    before->event = 0;
    before->form = NULL;
    if (!patch)
        return 0;
    struct unpatch u = {.r = {.m = before, .arena = arena, .e = e}, .scratch = STRBUF_INIT};
    int result = restore_members(&u, patch, len);
    strbuf_release(&u.scratch);
    return result ? fail_unpatch(after, e) : 0;
}
