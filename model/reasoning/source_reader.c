#include "model/reasoning/source_reader.h"

#include "model/base/alloc.h"
#include "model/base/utf8.h"

#define QUOTED 40 /* bytes of a number that a reason quotes */

int source_no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Give them in smaller parts.",
                     "not enough memory for that many sources");
}

int source_wrong(struct source_reader *r, const char *name, const char *how)
{
    return error_set(r->e, ERROR_INVALID, "", "%s %s", name, how);
}

void source_members(struct json_slice object, const char *const *names, size_t count,
                    struct json_slice *out)
{
    for (struct json_each it = json_each(object); json_next(&it);)
        for (size_t i = 0; i < count; i++)
            if (json_key_is(it.key, names[i])) {
                out[i] = it.value;
                break;
            }
}

bool source_is_none(struct json_slice value)
{
    return !value.ptr || value.len == 0 || *value.ptr == 'n';
}

bool source_is_number(struct json_slice value)
{
    return value.ptr && value.len > 0 &&
           (*value.ptr == '-' || (*value.ptr >= '0' && *value.ptr <= '9'));
}

int source_bytes(struct source_reader *r, struct json_slice value, const char *name,
                 const char **out, size_t *len)
{
    if (source_is_none(value))
        return 0;
    bool is_string = *value.ptr == '"' && value.len >= 2;
    if (!is_string && !source_is_number(value))
        return source_wrong(r, name, "is neither text nor a number");
    char *text = arena_strndup(r->arena, value.ptr + is_string, value.len - 2 * (size_t)is_string);
    if (!text)
        return source_no_memory(r->e);
    *len = value.len;
    if (is_string)
        *len = json_unescape(text, value.ptr + 1, value.len - 2);
    text[*len] = '\0';
    *out = text;
    return 0;
}

const char *source_mended(struct source_reader *r, const char *bytes, size_t len)
{
    if (utf8_valid(bytes, len))
        return arena_strndup(r->arena, bytes, len);
    struct strbuf text = STRBUF_INIT;
    utf8_repair(&text, bytes, len);
    const char *mended = text.failed ? NULL : arena_strndup(r->arena, text.buf, text.len);
    strbuf_release(&text);
    return mended;
}

int source_text(struct source_reader *r, struct json_slice value, const char *name,
                const char **out)
{
    const char *bytes = NULL;
    size_t len = 0;
    if (source_bytes(r, value, name, &bytes, &len))
        return -1;
    if (bytes && !utf8_valid(bytes, len) && !(bytes = source_mended(r, bytes, len)))
        return source_no_memory(r->e);
    if (bytes)
        *out = bytes;
    return 0;
}

/* Digits with a sign or without, and white space around them. */
static bool parse_whole(const char *text, int64_t *out)
{
    const char *end = text + strlen(text);
    text += utf8_space(text, (size_t)(end - text));
    bool negative = *text == '-';
    text += negative || *text == '+';
    const char *digits = text;
    int64_t total = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        int64_t digit = negative ? '0' - *text : *text - '0';
        if (__builtin_mul_overflow(total, 10, &total) ||
            __builtin_add_overflow(total, digit, &total))
            return false;
    }
    bool any = text > digits;
    text += utf8_space(text, (size_t)(end - text));
    *out = total;
    return any && text == end;
}

int source_whole(struct source_reader *r, struct json_slice value, int64_t *out)
{
    if (source_is_number(value))
        return json_integer(value, out) == 0;
    if (source_is_none(value) || *value.ptr != '"')
        return 0;
    const char *text = "";
    if (source_text(r, value, "it", &text))
        return -1;
    return parse_whole(text, out);
}

int source_share(struct source_reader *r, struct json_slice value, const char *name, double *out)
{
    double number;
    int len = value.len < QUOTED ? (int)value.len : QUOTED;
    if (json_double(value, &number)) /* a checked number is one, so this is a long one */
        return source_no_memory(r->e);
    if (!(number >= 0 && number <= 1))
        return error_set(r->e, ERROR_INVALID, "", "%s is %.*s%s, which is not between 0 and 1",
                         name, len, value.ptr, (size_t)len < value.len ? "…" : "");
    *out = number + 0.0;
    return 0;
}

int source_origin(struct source_reader *r, struct json_slice value, enum score *out)
{
    const char *word = NULL;
    if (source_text(r, value, "score_origin", &word))
        return -1;
    if (!word)
        return 0;
    int found = score_from_name(word);
    if (found <= SCORE_NONE)
        return source_wrong(r, "score_origin",
                            "is none of measured, heuristic, default and asserted");
    *out = (enum score)found;
    return 0;
}

int source_refuse(struct source_refusals *list, struct source_reader *r, size_t index)
{
    if (r->e->code == ERROR_MEMORY)
        return -1;
    const char *reason = arena_strdup(r->arena, r->e->what);
    if (!reason ||
        !array_grow((void **)&list->item, &list->alloc, list->count, sizeof(*list->item)))
        return source_no_memory(r->e);
    list->item[list->count++] = (struct source_refusal){index, reason};
    return 0;
}

int source_refusals_keep(const struct source_refusals *list, struct source_reader *r,
                         struct source_refusal **out, size_t *count)
{
    *count = list->count;
    *out = NULL;
    if (list->count == 0)
        return 0;
    *out = arena_memdup(r->arena, list->item, list->count * sizeof(*list->item));
    return *out ? 0 : source_no_memory(r->e);
}
