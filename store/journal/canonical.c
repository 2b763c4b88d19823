/* Tables of the members of canonical texts, and one writer and one reader for them. */
#include "store/journal/canonical.h"

#include "model/json/json.h"

struct member {
    const char *name; /* NULL ends the table */
    size_t offset;
    bool is_text;
};

#define TEXT(key, field)                                                                           \
    {                                                                                              \
        key, offsetof(struct STRUCTURE, field), true                                               \
    }
#define NUMBER(key, field)                                                                         \
    {                                                                                              \
        key, offsetof(struct STRUCTURE, field), false                                              \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, 0, false                                                                             \
    }

/* The members of each text, in code point order. */
#define STRUCTURE canonical
static const struct member of_event[] = {
    TEXT("actor", actor),
    TEXT("after", after),
    TEXT("agent", agent),
    NUMBER("at", at),
    TEXT("before", before),
    TEXT("claimed", claimed),
    TEXT("class", class_name),
    TEXT("correlation", correlation),
    NUMBER("erases", erases),
    TEXT("operation", operation),
    TEXT("origin", origin),
    TEXT("patch", patch),
    TEXT("ref", ref),
    NUMBER("seq", seq),
    NUMBER("session", session),
    NUMBER("undoes", undoes),
    END,
};
#undef STRUCTURE
#define STRUCTURE canonical_call
static const struct member of_call[] = {
    TEXT("about", about),       NUMBER("at", at),
    NUMBER("count", count),     TEXT("guard", guard),
    NUMBER("id", id),           TEXT("ref", ref),
    NUMBER("session", session), TEXT("times", times),
    TEXT("tool", tool),         END,
};
#undef STRUCTURE
#define STRUCTURE call_guard
static const struct member of_guard[] = {
    TEXT("agent", agent),
    TEXT("namespace", namespace_),
    NUMBER("permission_us", spans.permission_us),
    NUMBER("pii_us", spans.pii_us),
    NUMBER("redactions", redactions),
    NUMBER("store_us", spans.store_us),
    TEXT("task", task),
    TEXT("traceparent", traceparent),
    END,
};

static void write_members(struct strbuf *out, const struct member *members, const void *from)
{
    struct json_object o = json_begin(out, '{');
    for (const struct member *m = members; m->name; m++) {
        const void *field = (const char *)from + m->offset;
        if (m->is_text ? !*(const char *const *)field : !*(const int64_t *)field)
            continue;
        json_key(&o, m->name);
        if (m->is_text)
            json_add_ascii(out, *(const char *const *)field);
        else
            json_add_int(out, *(const int64_t *)field);
    }
    json_end(&o);
}

void canonical_write(struct strbuf *out, const struct canonical *c)
{
    write_members(out, of_event, c);
}

void canonical_call_write(struct strbuf *out, const struct canonical_call *c)
{
    write_members(out, of_call, c);
}

void canonical_guard_write(struct strbuf *out, const struct call_guard *g)
{
    write_members(out, of_guard, g);
}

static int read_member(void *field, bool is_text, struct arena *arena, struct json_slice value)
{
    if (!is_text)
        return json_integer(value, field);
    *(const char **)field = json_text(arena, value, NULL);
    return *(const char **)field ? 0 : -1;
}

static int read_members(void *out, const struct member *members, struct arena *arena,
                        const char *text, size_t len)
{
    struct error ignored;
    if (!text || !len || text[0] != '{' || json_check(text, len, 1, &ignored))
        return -1;
    for (struct json_each it = json_each((struct json_slice){text, len}); json_next(&it);) {
        const struct member *m = members;
        while (m->name && !json_key_is(it.key, m->name))
            m++;
        if (!m->name || read_member((char *)out + m->offset, m->is_text, arena, it.value))
            return -1;
    }
    return 0;
}

int64_t canonical_erases(const struct canonical *c)
{
    if (c->ref && c->erases > 0)
        return c->erases < c->seq ? c->erases : c->seq;
    bool purge = same_text(c->operation, "purge") && same_text(c->class_name, "person");
    bool expiry = same_text(c->operation, "expire") || same_text(c->operation, "evict");
    return c->ref && (purge || (expiry && strncmp(c->ref, "entry:", 6) == 0)) ? c->seq - 1 : 0;
}

int canonical_read(struct canonical *out, struct arena *arena, const char *text, size_t len)
{
    *out = (struct canonical){0};
    if (read_members(out, of_event, arena, text, len))
        return -1;
    return out->actor && out->operation && out->seq ? 0 : -1;
}

int canonical_call_read(struct canonical_call *out, struct arena *arena, const char *text,
                        size_t len)
{
    *out = (struct canonical_call){0};
    if (read_members(out, of_call, arena, text, len))
        return -1;
    return out->tool && out->times && out->id ? 0 : -1;
}

int canonical_guard_read(struct call_guard *out, struct arena *arena, const char *text, size_t len)
{
    *out = (struct call_guard){.redactions = 0};
    if (read_members(out, of_guard, arena, text, len) == 0)
        return 0;
    *out = (struct call_guard){.redactions = 0};
    return -1;
}
