#include "model/memory/ref.h"

#include "model/base/strbuf.h"
#include "model/base/utf8.h"

static bool is_id(const char *id)
{
    size_t len = strlen(id);
    return len > 0 && len <= REF_ID_MAX && utf8_valid(id, len);
}

enum ref_class ref_parse(const char *text, struct ref *out)
{
    const char *colon = strchr(text, ':');
    if (!colon)
        return is_id(text) ? REF_BARE : REF_BAD;
    if (colon == text)
        return REF_BAD;
    int kind = kind_from_name(text, (size_t)(colon - text));
    if (kind < 0)
        return REF_ANNOTATION;
    if (!is_id(colon + 1))
        return REF_BAD;
    out->kind = (enum kind)kind;
    out->id = colon + 1;
    return REF_MEMORY;
}

void ref_add(struct strbuf *sb, struct ref ref)
{
    strbuf_addstr(sb, kind_name(ref.kind));
    strbuf_addch(sb, ':');
    strbuf_addstr(sb, ref.id);
}

bool ref_equal(struct ref a, struct ref b)
{
    return a.kind == b.kind && strcmp(a.id, b.id) == 0;
}

/* No kind's name begins another's, so the names decide before the colon is reached. */
int ref_compare(struct ref a, struct ref b)
{
    if (a.kind != b.kind)
        return strcmp(kind_name(a.kind), kind_name(b.kind));
    return strcmp(a.id, b.id);
}

/* Not isxdigit, which asks the locale. */
static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool ref_is_uuid_prefix(const char *id, size_t min)
{
    size_t len = 0;
    for (; id[len]; len++) {
        if (len == 36)
            return false;
        bool dash = len == 8 || len == 13 || len == 18 || len == 23;
        if (dash ? id[len] != '-' : !is_hex(id[len]))
            return false;
    }
    return len >= min;
}
