/* What was before, from what came after and the patch between them. */
#include "model/base/alloc.h"
#include "model/format/exchange.h"

#include "model/format/exchange_elements.h"

struct unpatch {
    struct exchange_reader r; /* of the memory that is made */
    struct strbuf scratch;
};

/* ---- fields ---- */

static int read_agent(struct exchange_reader *r, struct json_slice value, const char *name)
{
    return exchange_text(r, value, name, &r->m->agent_id);
}

static int read_text(struct exchange_reader *r, struct json_slice value, const char *name)
{
    r->m->text = "";
    return exchange_text(r, value, name, &r->m->text);
}

static int read_created(struct exchange_reader *r, struct json_slice value, const char *name)
{
    return exchange_whole(r, value, name, INT64_MIN, &r->m->created_at);
}

static int read_updated(struct exchange_reader *r, struct json_slice value, const char *name)
{
    return exchange_whole(r, value, name, INT64_MIN, &r->m->updated_at);
}

static int read_confidence(struct exchange_reader *r, struct json_slice value, const char *name)
{
    return exchange_share(r, value, name, &r->m->confidence);
}

static int read_source_type(struct exchange_reader *r, struct json_slice value, const char *name)
{
    return exchange_text(r, value, name, &r->m->source_type);
}

static int read_source(struct exchange_reader *r, struct json_slice value, const char *name)
{
    r->m->source = NULL;
    return exchange_text(r, value, name, &r->m->source);
}

static int read_entity(struct exchange_reader *r, struct json_slice value, const char *name)
{
    r->m->source_entity = NULL;
    return exchange_text(r, value, name, &r->m->source_entity);
}

static int read_status(struct exchange_reader *r, struct json_slice value, const char *name)
{
    int status = (int)r->m->status;
    if (exchange_word(r, value, name, status_from_name, &status))
        return -1;
    if (status == STATUS_MISSING)
        return exchange_wrong(r, name, "is none that a memory can have");
    r->m->status = (enum status)status;
    return 0;
}

static int read_protected(struct exchange_reader *r, struct json_slice value, const char *name)
{
    if (value.ptr && *value.ptr != 't' && *value.ptr != 'f')
        return exchange_wrong(r, name, "is neither true nor false");
    r->m->is_protected = value.ptr && *value.ptr == 't';
    return 0;
}

static int read_context(struct exchange_reader *r, struct json_slice value, const char *name)
{
    r->m->context = NULL;
    return exchange_text(r, value, name, &r->m->context);
}

static int read_version(struct exchange_reader *r, struct json_slice value, const char *name)
{
    return exchange_whole(r, value, name, 1, &r->m->version);
}

/* Each reads a value into the memory; an absent one (ptr NULL) makes it absent there, if it can be. */
static const struct {
    const char *name;
    bool absent; /* can be null */
    int (*read)(struct exchange_reader *r, struct json_slice value, const char *name);
} fields[] = {
    {"updated_at", false, read_updated},
    {"version", false, read_version},
    {"confidence", false, read_confidence},
    {"status", false, read_status},
    {"text", true, read_text},
    {"protected", false, read_protected},
    {"source", true, read_source},
    {"source_entity", true, read_entity},
    {"source_type", false, read_source_type},
    {"context", true, read_context},
    {"agent_id", false, read_agent},
    {"created_at", false, read_created},
};

/* ---- lists ---- */

/* What the patch says of one list. */
struct change {
    struct json_slice *added, *removed; /* [added_count], [removed_count]: values */
    size_t *at;                         /* [added_count] where they stand; NULL: by the rule */
    size_t *index;                      /* [removed_count] where they stood */
    size_t added_count, removed_count, at_count;
};

static int misfit(struct unpatch *u, const char *list)
{
    return exchange_wrong(&u->r, list, "is not as the patch says");
}

/* A list of ascending numbers, or of objects with one; each below `end`. */
static int read_places(struct unpatch *u, struct json_slice list, const char *name, size_t end,
                       size_t **out, size_t *count)
{
    size_t i = 0, least = 0;
    if (exchange_count(&u->r, list, name, count) ||
        !(*out = arena_array(u->r.arena, *count, sizeof(**out))))
        return *out ? -1 : exchange_no_memory(&u->r);
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++) {
        int64_t place = -1;
        bool is_object = *it.value.ptr == '{';
        struct json_slice number =
            is_object ? json_member(it.value.ptr, it.value.len, "index") : it.value;
        if (!number.ptr || json_integer(number, &place) || place < 0 || (uint64_t)place < least ||
            (uint64_t)place >= end)
            return misfit(u, name);
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
    if (exchange_count(&u->r, list, name, count))
        return -1;
    if (!(*out = arena_array(u->r.arena, *count, sizeof(**out))))
        return exchange_no_memory(&u->r);
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++) {
        (*out)[i] = it.value;
        if (within)
            (*out)[i] = *it.value.ptr == '{' ? json_member(it.value.ptr, it.value.len, "value")
                                             : (struct json_slice){NULL, 0};
        if (!(*out)[i].ptr)
            return misfit(u, name);
    }
    return 0;
}

/* `count` elements are there now. */
static int read_change(struct unpatch *u, struct json_slice value, const char *name, size_t count,
                       struct change *c)
{
    *c = (struct change){.added = NULL};
    if (!value.ptr || *value.ptr != '{')
        return misfit(u, name);
    struct json_slice added = json_member(value.ptr, value.len, "added");
    struct json_slice at = json_member(value.ptr, value.len, "at");
    struct json_slice removed = json_member(value.ptr, value.len, "removed");
    if (read_values(u, added, name, false, &c->added, &c->added_count) ||
        read_values(u, removed, name, true, &c->removed, &c->removed_count))
        return -1;
    if (c->added_count > count)
        return misfit(u, name);
    size_t total = count - c->added_count + c->removed_count;
    if (read_places(u, removed, name, total, &c->index, &c->removed_count) ||
        (at.ptr && read_places(u, at, name, count, &c->at, &c->at_count)))
        return -1;
    return at.ptr && c->at_count != c->added_count ? misfit(u, name) : 0;
}

static bool same_text(const struct strbuf *text, struct json_slice value)
{
    return text->len == value.len && memcmp(text->buf, value.ptr, value.len) == 0;
}

/* Is the i-th element that one? -1 where memory ran out. */
static int is_item(struct unpatch *u, enum exchange_list list, size_t i, struct json_slice value)
{
    strbuf_clear(&u->scratch);
    exchange_list_write_item(list, exchange_list_item(list, u->r.m, i), &u->scratch);
    if (u->scratch.failed)
        return exchange_no_memory(&u->r);
    return same_text(&u->scratch, value);
}

/* Takes the added ones that end the list, which is how most are added. */
static int cut_tail(struct unpatch *u, enum exchange_list list, struct change *c, size_t *count)
{
    while (!c->at && c->added_count > 0) {
        int is = is_item(u, list, *count - 1, c->added[c->added_count - 1]);
        if (is <= 0)
            return is;
        c->added_count--;
        --*count;
    }
    return 0;
}

/*
 * Which of the first `count` were added: by their places, or from the end on the next equal one
 * each.
 */
static int find_added(struct unpatch *u, enum exchange_list list, const struct change *c,
                      size_t count, bool *added)
{
    size_t left = c->added_count;
    for (size_t i = count; i > 0 && left > 0; i--) {
        if (c->at && c->at[left - 1] != i - 1)
            continue;
        int is = is_item(u, list, i - 1, c->added[left - 1]);
        if (is < 0)
            return -1;
        if (is) {
            added[i - 1] = true;
            left--;
        }
    }
    return left ? misfit(u, exchange_list_name(list)) : 0;
}

/* The list without the added ones and with the removed ones in their places. */
static int make_list(struct unpatch *u, enum exchange_list list, const struct change *c,
                     size_t count, const bool *added)
{
    size_t size = exchange_list_item_size(list), total = count - c->added_count + c->removed_count;
    char *items = arena_array(u->r.arena, total, size);
    if (!items)
        return exchange_no_memory(&u->r);
    size_t next = 0, back = 0;
    for (size_t i = 0; i < total; i++) {
        if (back < c->removed_count && c->index[back] == i) {
            if (exchange_list_read_item(list, &u->r, c->removed[back++], items + i * size))
                return -1;
            continue;
        }
        while (added[next])
            next++;
        memcpy(items + i * size, exchange_list_item(list, u->r.m, next++), size);
    }
    exchange_list_set(list, u->r.m, items, total);
    return 0;
}

static int restore_list(struct unpatch *u, enum exchange_list list, struct json_slice value)
{
    struct change c;
    struct memory *m = u->r.m;
    size_t count = exchange_list_count(list, m);
    if (read_change(u, value, exchange_list_name(list), count, &c) || cut_tail(u, list, &c, &count))
        return -1;
    if (c.added_count == 0 && c.removed_count == 0) {
        exchange_list_set(list, m, (void *)exchange_list_item(list, m, 0), count);
        return 0;
    }
    bool *added = xcalloc(count ? count : 1, sizeof(*added)); /* make_list reads no further */
    if (!added)
        return exchange_no_memory(&u->r);
    int result = find_added(u, list, &c, count, added) || make_list(u, list, &c, count, added);
    free(added);
    return result ? -1 : 0;
}

/* ---- the detail ---- */

/* The added ones are named in the order in which they stand. */
static bool is_added(const struct change *c, size_t next, struct json_slice member)
{
    struct json_slice key = elements_key(member);
    struct json_slice name = {key.ptr - 1, key.len + 2};
    return next < c->added_count && elements_compare_slices(c->added[next], name) == 0;
}

static void add_member(struct strbuf *out, struct json_slice member)
{
    if (out->len > 1)
        strbuf_addch(out, ',');
    strbuf_add(out, member.ptr + 1, member.len - 2);
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
            if (!member.ptr || *member.ptr != '{' || !elements_key(member).ptr)
                return misfit(u, "detail");
            add_member(out, member);
        }
        if (i < now->count && is_added(c, dropped, elements_at(now, i))) {
            dropped++;
        } else if (i < now->count) {
            add_member(out, elements_at(now, i));
            place++;
        }
    }
    strbuf_addch(out, '}');
    return dropped == c->added_count && back == c->removed_count ? 0 : misfit(u, "detail");
}

static int keep_detail(struct unpatch *u)
{
    struct error why;
    struct strbuf minified = STRBUF_INIT;
    if (u->scratch.failed)
        return exchange_no_memory(&u->r);
    if (json_check(u->scratch.buf, u->scratch.len, JSON_DEPTH_MAX, &why))
        return why.code == ERROR_MEMORY ? exchange_no_memory(&u->r) : misfit(u, "detail");
    json_minify(&minified, u->scratch.buf, u->scratch.len);
    u->r.m->detail = minified.failed ? NULL : arena_strndup(u->r.arena, minified.buf, minified.len);
    strbuf_release(&minified);
    return u->r.m->detail ? 0 : exchange_no_memory(&u->r);
}

static int restore_detail(struct unpatch *u, struct json_slice value)
{
    struct change c;
    struct elements now;
    elements_write(&now, LIST_DETAIL, u->r.m);
    int result = now.text.failed ? exchange_no_memory(&u->r)
                                 : read_change(u, value, "detail", now.count, &c) ||
                                       write_detail(u, &c, &now) || keep_detail(u);
    elements_release(&now);
    return result ? -1 : 0;
}

/* ---- all of it ---- */

static int restore_member(struct unpatch *u, struct json_slice key, struct json_slice value)
{
    struct json_slice given = *value.ptr == 'n' ? (struct json_slice){NULL, 0} : value;
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        if (!json_key_is(key, fields[i].name))
            continue;
        if (!given.ptr && !fields[i].absent)
            return exchange_wrong(&u->r, fields[i].name, "is absent");
        return fields[i].read(&u->r, given, fields[i].name);
    }
    int list = exchange_list_from_name(key);
    if (list < 0)
        return exchange_wrong(&u->r, "a member", "is unknown");
    return list == LIST_DETAIL ? restore_detail(u, given)
                               : restore_list(u, (enum exchange_list)list, given);
}

static int restore_members(struct unpatch *u, const char *patch, size_t len)
{
    if (json_check(patch, len, JSON_DEPTH_LIMIT, u->r.e))
        return -1;
    struct json_slice object = json_trim(patch, len);
    if (*object.ptr != '{')
        return exchange_wrong(&u->r, "it", "is not an object");
    for (struct json_each it = json_each(object); json_next(&it);)
        if (restore_member(u, it.key, it.value))
            return -1;
    return 0;
}

static int does_not_fit(const struct memory *m, struct error *e)
{
    struct error why = *e;
    if (why.code == ERROR_MEMORY)
        return -1;
    return error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                     "what %s%s%s was before cannot be told: %s",
                     m ? kind_name(m->ref.kind) : "a memory", m ? ":" : "", m ? m->ref.id : "",
                     why.what);
}

int exchange_unpatch(struct memory *before, const struct memory *after, struct arena *arena,
                     const char *patch, struct error *e)
{
    size_t len = patch ? strlen(patch) : 0;
    if (!after)
        return exchange_read(before, arena, patch ? patch : "", len, NULL, 0, NULL, e)
                   ? does_not_fit(NULL, e)
                   : 0;
    *before = *after;
    before->event = 0;
    before->form = NULL;
    if (!patch)
        return 0;
    struct unpatch u = {.r = {.m = before, .arena = arena, .e = e}, .scratch = STRBUF_INIT};
    int result = restore_members(&u, patch, len);
    strbuf_release(&u.scratch);
    return result ? does_not_fit(after, e) : 0;
}
