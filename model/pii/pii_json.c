/* Masks personal data in JSON: strings, values of secret keys, JSON in strings. */
#include "model/pii/pii_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "model/json/json_scan.h"

/* How many levels of JSON within strings are read as JSON; deeper levels are read as text. */
#define NESTED_MAX 6

struct json_masking {
    const struct pii *p;
    const struct pii_names *names; /* may be NULL */
    struct strbuf *out;            /* NULL to scan only */
    struct pii_seen *seen;
    const char *json, *copied, *end; /* all before `copied` is written to `out` */
    int nested;
    bool any;
    int level;                         /* open containers */
    unsigned masked[JSON_DEPTH_LIMIT]; /* number of masked keys of each, to make them unique */
    struct json_slice name[JSON_DEPTH_LIMIT]; /* the current member of each */
};

static bool mask_level(const struct pii *p, const struct pii_names *names, const char *json,
                       size_t len, struct strbuf *out, struct pii_seen *seen, int nested);

/* Replaces the text from `start` to `end` by `with`. */
static void replace(struct json_masking *m, const char *start, const char *end, const char *with,
                    size_t len)
{
    m->any = true;
    if (!m->out)
        return;
    strbuf_add(m->out, m->copied, (size_t)(start - m->copied));
    strbuf_add(m->out, with, len);
    m->copied = end;
}

static void mask_value(struct json_masking *m, const char *start, const char *end)
{
    pii_note(m->seen, PII_SECRET);
    replace(m, start, end, "\"" PII_SECRET_MASK "\"", strlen(PII_SECRET_MASK) + 2);
}

/* Is the text itself JSON: an object, an array or a string? */
static bool is_json(const char *text, size_t len)
{
    struct error e;
    struct json_slice inner = json_trim(text, len);
    bool looks = inner.len > 1 && strchr("{[\"", *inner.ptr) && *inner.ptr;
    return looks && json_check_lax(text, len, JSON_DEPTH_LIMIT, &e) == 0;
}

/* The content of a JSON string if that is JSON itself, otherwise NULL. The caller frees it. */
static char *nested_json(const char *s, size_t len, size_t *nested_len)
{
    char *text = xmalloc(len + 1);
    *nested_len = json_unescape(text, s, len);
    if (is_json(text, *nested_len))
        return text;
    free(text);
    return NULL;
}

/* A quick test whether the string may be JSON, by its first byte or an escape of it. */
static bool may_be_json(const char *s, const char *end)
{
    while (s < end && (json_is_space(*s) || (*s == '\\' && end - s > 1 && strchr("nrt", s[1]))))
        s += *s == '\\' ? 2 : 1;
    return end - s > 1 && (*s == '{' || *s == '[' || *s == '\\');
}

/* Masks the string from its opening quote to past its closing one, if its content is JSON.
 * Returns false if it is not. */
static bool mask_nested(struct json_masking *m, const char *start, const char *end)
{
    size_t len;
    if (m->nested == NESTED_MAX || !may_be_json(start + 1, end - 1))
        return false;
    char *text = nested_json(start + 1, (size_t)(end - start) - 2, &len);
    if (!text)
        return false;
    AUTO_STRBUF inner = STRBUF_INIT, string = STRBUF_INIT;
    if (mask_level(m->p, m->names, text, len, m->out ? &inner : NULL, m->seen, m->nested + 1)) {
        json_add_string_len(&string, inner.buf, inner.len);
        replace(m, start, end, string.buf, string.len);
    }
    free(text);
    return true;
}

/* Adds a number to the second and later masked keys of an object. */
static void count_key(struct json_masking *m, struct strbuf *masked)
{
    unsigned *count = &m->masked[m->level < JSON_DEPTH_LIMIT ? m->level : JSON_DEPTH_LIMIT - 1];
    if (++*count > 1)
        strbuf_addf(masked, " %u", *count);
}

/* Appends what `names` shows in place of the string between these quotes. Returns false to mask
 * it. */
static bool add_name(const struct json_masking *m, const char *start, const char *end,
                     struct strbuf *out)
{
    size_t len = (size_t)(end - start) - 2;
    struct pii_place place = {m->name, m->level + 1};
    bool is_placed = m->nested == 0 && m->level < JSON_DEPTH_LIMIT;
    AUTO_FREE char *text = m->names && m->out ? xmalloc(len + 1) : NULL;
    return text && m->names->show(m->names->arg, is_placed ? &place : NULL, text,
                                  json_unescape(text, start + 1, len), out);
}

static void mask_string(struct json_masking *m, const char *start, const char *end, bool is_key,
                        const struct pii_view *v)
{
    AUTO_STRBUF masked = STRBUF_INIT, name = STRBUF_INIT;
    struct pii_seen seen = {0, 0};
    size_t len = (size_t)(end - start) - 2;
    if (pii_mask_view(m->p, v, m->out ? &masked : NULL, &seen)) {
        if (is_key)
            count_key(m, &masked);
        const struct strbuf *with = !is_key && add_name(m, start, end, &name) ? &name : &masked;
        if (with != &name || with->len != len || memcmp(with->buf, start + 1, len) != 0) {
            if (m->seen) {
                m->seen->kinds |= seen.kinds;
                m->seen->count += seen.count;
            }
            replace(m, start + 1, end - 1, with->buf, with->len);
        }
    }
}

static bool is_hidden(const char *value, const char *end)
{
    size_t len = strlen(PII_SECRET_MASK);
    return (size_t)(end - value) == len + 2 && memcmp(value + 1, PII_SECRET_MASK, len) == 0;
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && json_is_space(*at))
        at++;
    return at;
}

/* After a secret key, at its colon: masks the value and returns its end. */
static const char *mask_secret(struct json_masking *m, const char *colon)
{
    const char *value = skip_space(colon + 1, m->end);
    const char *end = json_skip_value(value, m->end);
    if (!is_hidden(value, end))
        mask_value(m, value, end);
    return end;
}

/* Masks a string, and the value after a secret key. Returns where to continue. */
static const char *mask_member(struct json_masking *m, const char *start)
{
    struct pii_view v;
    const char *end = json_skip_string(start, m->end);
    if (end - start < 2 || end[-1] != '"')
        return end;
    const char *after = skip_space(end, m->end);
    bool is_key = after < m->end && *after == ':';
    if (is_key && m->level < JSON_DEPTH_LIMIT)
        m->name[m->level] = (struct json_slice){start + 1, (size_t)(end - start) - 2};
    if (mask_nested(m, start, end))
        return end;
    const char *raw = start + 1;
    size_t len = (size_t)(end - start) - 2;
    if (!pii_needs_scan(m->p, raw, len, true))
        return is_key && pii_is_secret_name(raw, len) ? mask_secret(m, after) : end;
    pii_view_open(&v, raw, len, true);
    if (is_key && pii_is_secret_name(v.text, v.len))
        end = mask_secret(m, after);
    else if (!is_key || !pii_is_exempt_key(m->p, raw, len))
        mask_string(m, start, end, is_key, &v);
    pii_view_close(&v);
    return end;
}

static void step(struct json_masking *m, char c)
{
    if (c == '{' || c == '[') {
        m->level++;
        if (m->level < JSON_DEPTH_LIMIT) {
            m->masked[m->level] = 0;
            m->name[m->level] = (struct json_slice){NULL, 0};
        }
    } else if ((c == '}' || c == ']') && m->level > 0) {
        m->level--;
    }
}

/* Masks JSON. Recurses for JSON in strings, up to NESTED_MAX levels. */
static bool mask_level(const struct pii *p, const struct pii_names *names, const char *json,
                       size_t len, struct strbuf *out, struct pii_seen *seen, int nested)
{
    struct json_masking m = {.p = p, .names = names, .out = out, .seen = seen, .json = json};
    m.copied = json;
    m.end = json + len;
    m.nested = nested;
    for (const char *at = json; at < m.end;) {
        if (*at == '"') {
            at = mask_member(&m, at);
            continue;
        }
        step(&m, *at++);
    }
    if (out && m.any)
        strbuf_add(out, m.copied, (size_t)(m.end - m.copied));
    return m.any;
}

bool pii_mask_json_names(const struct pii *p, const struct pii_names *names, const char *json,
                         size_t len, struct strbuf *out, struct pii_seen *seen)
{
    return mask_level(p, names, json, len, out, seen, 0);
}

bool pii_mask_json(const struct pii *p, const char *json, size_t len, struct strbuf *out,
                   struct pii_seen *seen)
{
    bool any = mask_level(p, NULL, json, len, out, seen, 0);
    if (!any)
        strbuf_add(out, json, len);
    return any;
}

bool pii_in_json(const struct pii *p, const char *json, size_t len, struct pii_seen *seen)
{
    return mask_level(p, NULL, json, len, NULL, seen, 0);
}

bool pii_mask_string(const struct pii *p, const char *text, size_t len, struct strbuf *out,
                     struct pii_seen *seen)
{
    if (!is_json(text, len))
        return pii_mask_text(p, text, len, out, seen);
    bool any = mask_level(p, NULL, text, len, out, seen, 1);
    if (!any)
        strbuf_add(out, text, len);
    return any;
}

bool pii_in_string(const struct pii *p, const char *text, size_t len)
{
    struct pii_span found;
    if (is_json(text, len))
        return mask_level(p, NULL, text, len, NULL, NULL, 1);
    return pii_find(p, text, len, 0, &found);
}
