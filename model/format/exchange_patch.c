#include "model/format/exchange.h"

#include "model/format/exchange_elements.h"

/*
 * A patch is stored with every change, so that it holds no more than what changed: a belief that
 * was reinforced a thousand times keeps a thousand entries of its history, not a thousand
 * histories.
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

/* Of a member of the detail only its name is written where it was added: undoing needs no more. */
static void add_added(struct strbuf *out, struct json_slice value, bool members)
{
    struct json_slice name = elements_key(value);
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
 * Does the rule by which a reader finds the added ones, the last of equal ones, find these? From
 * the end on each takes the next that is equal to it.
 */
static bool found_by_rule(const struct unmatched *u, const struct elements *after)
{
    size_t wanted = after->count;
    while (wanted > 0 && !u->added[wanted - 1])
        wanted--;
    for (size_t i = after->count; i > 0 && wanted > 0; i--) {
        if (elements_compare_slices(elements_at(after, i - 1), elements_at(after, wanted - 1)))
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
    if (!members && !found_by_rule(u, after))
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

static int patch_elements(struct strbuf *out, size_t start, enum exchange_list list,
                          const struct elements *before, const struct elements *after)
{
    struct unmatched u;
    if (before->text.failed || after->text.failed)
        return -1;
    if (elements_equal(before, after))
        return 0;
    if (elements_match(&u, before, after))
        return -1;
    key(out, start, exchange_list_name(list));
    write_difference(out, &u, before, after, list == LIST_DETAIL);
    unmatched_release(&u);
    return 0;
}

static void patch_list(struct strbuf *out, size_t start, enum exchange_list list,
                       const struct memory *before, const struct memory *after)
{
    struct elements b, a;
    elements_write(&b, list, before);
    elements_write(&a, list, after);
    if (patch_elements(out, start, list, &b, &a))
        out->failed = true;
    elements_release(&b);
    elements_release(&a);
}

void exchange_patch(struct strbuf *out, const struct memory *before, const struct memory *after)
{
    if (!before)
        return;
    if (!after) {
        exchange_write(out, before, NULL);
        return;
    }
    size_t start = out->len;
    strbuf_addch(out, '{');
    patch_fields(out, start, before, after);
    for (int i = 0; i < LIST_COUNT; i++)
        patch_list(out, start, (enum exchange_list)i, before, after);
    strbuf_addch(out, '}');
}
