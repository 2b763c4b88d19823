#include "model/format/exchange_reader.h"

#include "model/base/utf8.h"

int exchange_wrong(struct exchange_reader *r, const char *name, const char *how)
{
    return error_set(r->e, ERROR_INVALID, "Mend that member and read the line again.", "%s %s",
                     name, how);
}

int exchange_no_memory(struct exchange_reader *r)
{
    return error_set(r->e, ERROR_MEMORY, "Give it in smaller parts.",
                     "not enough memory to read a memory of that size");
}

/* The escapes are resolved in the copy: what they mean is never longer than how they are written. */
int exchange_text(struct exchange_reader *r, struct json_slice value, const char *name,
                  const char **out)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != '"')
        return exchange_wrong(r, name, "is not a string");
    char *text = arena_strndup(r->arena, value.ptr + 1, value.len - 2);
    if (!text)
        return exchange_no_memory(r);
    size_t len = json_unescape(text, value.ptr + 1, value.len - 2);
    text[len] = '\0';
    if (!utf8_valid(text, len))
        return exchange_wrong(r, name,
                              memchr(text, '\0', len) ? "holds a NUL" : "is not valid UTF-8");
    *out = text;
    return 0;
}

int exchange_whole(struct exchange_reader *r, struct json_slice value, const char *name,
                   int64_t least, int64_t *out)
{
    int64_t number;
    if (!value.ptr)
        return 0;
    if (json_integer(value, &number))
        return exchange_wrong(r, name, "is not a whole number of 64 bits");
    if (number < least)
        return exchange_wrong(r, name, "is less than it can be");
    *out = number;
    return 0;
}

int exchange_number(struct exchange_reader *r, struct json_slice value, const char *name,
                    double *out)
{
    if (!value.ptr)
        return 0;
    if (json_double(value, out))
        return exchange_wrong(r, name, "is not a number");
    return 0;
}

int exchange_share(struct exchange_reader *r, struct json_slice value, const char *name,
                   double *out)
{
    if (exchange_number(r, value, name, out))
        return -1;
    if (value.ptr && (*out < 0 || *out > 1))
        return exchange_wrong(r, name, "is not between 0 and 1");
    return 0;
}

int exchange_word(struct exchange_reader *r, struct json_slice value, const char *name,
                  int (*from_name)(const char *), int *out)
{
    const char *word = NULL;
    if (exchange_text(r, value, name, &word))
        return -1;
    if (!word)
        return 0;
    int found = from_name(word);
    if (found < 0)
        return error_set(r->e, ERROR_INVALID, "Give one of the words that the format has for it.",
                         "%s is “%s”, which is none of its words", name, word);
    *out = found;
    return 0;
}

/* Adds a name to the list of those that were not understood, once: a list of a thousand marks may repeat
 * the same one a thousand times. */
static void add_unknown(struct exchange_reader *r, const char *within, struct json_slice key)
{
    if (!r->unknown)
        return;
    struct strbuf name = STRBUF_INIT;
    strbuf_addf(&name, "%s%s", within, *within ? "." : "");
    r->unknown->failed |= !strbuf_grow(&name, key.len);
    if (!r->unknown->failed) {
        size_t len = json_unescape(name.buf + name.len, key.ptr, key.len);
        name.len += len;
        name.buf[name.len] = '\0';
    }
    size_t len = strlen(name.buf); /* one that holds a NUL is cut there */
    for (const char *at = r->unknown->buf; *at && (at = strstr(at, name.buf)); at++)
        if ((at == r->unknown->buf || at[-1] == ' ') && (at[len] == ',' || !at[len]))
            goto out;
    if (r->unknown->len)
        strbuf_addstr(r->unknown, ", ");
    strbuf_add(r->unknown, name.buf, len);
out:
    strbuf_release(&name);
}

int exchange_members(struct exchange_reader *r, struct json_slice object, const char *within,
                     const char *const *names, size_t count, struct json_slice *out)
{
    if (*object.ptr != '{')
        return exchange_wrong(r, *within ? "it" : "the line", "is not an object");
    size_t guess = 0; /* members mostly come in the order of their names */
    for (struct json_each it = json_each(object); json_next(&it);) {
        size_t tried = 0;
        while (tried < count && !json_key_is(it.key, names[guess])) {
            guess = guess + 1 == count ? 0 : guess + 1;
            tried++;
        }
        if (tried == count)
            add_unknown(r, within, it.key);
        else if (*it.value.ptr != 'n')
            out[guess] = it.value;
    }
    return 0;
}

int exchange_count(struct exchange_reader *r, struct json_slice list, const char *name,
                   size_t *count)
{
    *count = 0;
    if (!list.ptr)
        return 0;
    if (*list.ptr != '[')
        return exchange_wrong(r, name, "is not a list");
    for (struct json_each it = json_each(list); json_next(&it);)
        ++*count;
    return 0;
}

int exchange_texts(struct exchange_reader *r, struct json_slice list, const char *name,
                   const char ***out, size_t *count)
{
    size_t total, i = 0;
    if (exchange_count(r, list, name, &total))
        return -1;
    *count = total;
    if (total == 0)
        return 0;
    *out = arena_array(r->arena, total, sizeof(**out));
    if (!*out)
        return exchange_no_memory(r);
    for (struct json_each it = json_each(list); json_next(&it); i++) {
        if (exchange_text(r, it.value, "the element", &(*out)[i]))
            return error_prefix(r->e, "%s[%zu]", name, i);
    }
    return 0;
}
