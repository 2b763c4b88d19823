#include "model/memory/memory.h"

#include "model/json/json.h"
#include "model/base/strbuf.h"

static void add_line(struct strbuf *out, const char *text)
{
    if (!text || !*text)
        return;
    strbuf_addstr(out, text);
    strbuf_addch(out, '\n');
}

static bool ends_with(const char *key, size_t len, const char *end)
{
    size_t end_len = strlen(end);
    return len >= end_len && memcmp(key + len - end_len, end, end_len) == 0;
}

/* The bytes of an original in base64 and digests are nothing that anyone looks for. */
static bool is_opaque(const char *key, size_t len)
{
    if (len == 4 ? ends_with(key, len, "hash") : ends_with(key, len, "_hash"))
        return true;
    while (len > 0 && key[len - 1] >= '0' && key[len - 1] <= '9')
        len--;
    len -= len > 0 && key[len - 1] == '_'; /* memory_set_text: original, original_2, … */
    return len == 8 ? ends_with(key, len, "original") : ends_with(key, len, "_original");
}

static const char *skip_string(const char *at)
{
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at;
}

/* What stands between a string's quotes; a NUL that was escaped there becomes a space. */
static void add_string(struct strbuf *out, const char *s, size_t len)
{
    if (len == 0 || !strbuf_grow(out, len + 1))
        return;
    char *line = out->buf + out->len;
    size_t line_len = json_unescape(line, s, len);
    for (char *nul; (nul = memchr(line, '\0', line_len));)
        *nul = ' ';
    line[line_len] = '\n';
    line[line_len + 1] = '\0';
    out->len += line_len + 1;
}

/* All string values at any depth in one pass, since within a string no bracket counts. A string with a
 * colon after it is a key. */
static void add_strings(struct strbuf *out, const char *json)
{
    bool skip = false;
    for (const char *at = json; *at; at++) {
        skip &= *at != '}';
        if (*at != '"')
            continue;
        const char *s = at + 1;
        at = skip_string(s);
        size_t len = (size_t)(at - s);
        if (!*at)
            return;
        if (at[1] == ':')
            skip = is_opaque(s, len);
        else if (!skip)
            add_string(out, s, len);
    }
}

void memory_search_text(const struct memory *m, struct strbuf *out)
{
    size_t begin = out->len;
    add_line(out, m->text);
    for (size_t i = 0; i < m->tag_count; i++)
        add_line(out, m->tags[i]);
    add_line(out, m->context);
    add_line(out, m->source);
    add_line(out, m->source_entity);
    if (m->detail)
        add_strings(out, m->detail);
    if (out->len > begin)
        strbuf_addch(out, '\n');
}
