/* The strict check of JSON, in one pass without recursion: UTF-8, escapes, duplicate keys,
 * depth, numbers. */
#include "model/json/json.h"

#include <limits.h>
#include <math.h>
#include "model/base/array.h"
#include "model/json/json_scan.h"
#include "model/base/utf8.h"

/* The keys of an object with more keys than this are sorted when it closes. With fewer keys each
 * new one is compared with all before it. */
#define FEW_KEYS 16

/* A key of an open object. Its bytes are in the text or, if it has escapes, in `unescaped`. */
struct key {
    size_t at, len;
    size_t place; /* position in the text, for the error */
    bool is_unescaped;
    const char *bytes; /* set before sorting; the buffer of `unescaped` may move earlier */
};

/* One pass over the text. `at` is the current position, and the one that an error names. */
struct checker {
    const char *text, *at, *end;
    struct error *e;
    bool lax;         /* broken UTF-8, lone surrogates and numbers of any size pass */
    bool form;        /* check the syntax only, not duplicate keys or the size of numbers */
    int level, depth; /* open containers, and the most that are allowed */
    size_t first
        [JSON_DEPTH_LIMIT]; /* index of the first key of each open container; unused if `form` is set */
    char *close;            /* [depth] the closing bracket of each open container */
    struct key *keys;       /* the keys of all open objects */
    size_t key_count, key_alloc;
    struct strbuf unescaped;
};

static size_t place_of(const struct checker *c, const char *at)
{
    return (size_t)(at - c->text) + 1;
}

static int fail_at(struct checker *c, const char *at, const char *what)
{
    return error_set(c->e, ERROR_INVALID, "Fix the text there and try again.",
                     "not JSON: %s at byte %zu", what, place_of(c, at));
}

/* The syntax is right, but the value is not acceptable. */
static int fail_with(struct checker *c, const char *at, const char *what)
{
    return error_set(c->e, ERROR_INVALID, "Fix the text there and try again.",
                     "JSON with %s at byte %zu", what, place_of(c, at));
}

static int fail(struct checker *c, const char *what)
{
    return fail_at(c, c->at, c->at < c->end ? what : "unexpected end");
}

static void skip_space(struct checker *c)
{
    while (c->at < c->end && json_is_space(*c->at))
        c->at++;
}

static bool is_escaped(char code)
{
    switch (code) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return true;
    default:
        return false;
    }
}

static int check_escape(struct checker *c)
{
    size_t left = (size_t)(c->end - c->at);
    if (left < 2)
        return fail_at(c, c->end, "unexpected end");
    if (c->at[1] != 'u') {
        if (!is_escaped(c->at[1]))
            return fail(c, "an unknown escape");
        c->at += 2;
        return 0;
    }
    size_t used;
    int32_t unit = json_escaped(c->at + 2, left - 2, &used);
    if (unit < 0)
        return fail(c, "a \\u without four hex digits");
    if (!c->lax && (IS_HIGH_SURROGATE(unit) || IS_LOW_SURROGATE(unit)))
        return fail(c, "a lone surrogate");
    c->at += 2 + used;
    return 0;
}

static int check_string_byte(struct checker *c)
{
    unsigned char byte = (unsigned char)*c->at;
    if (byte == '\\')
        return check_escape(c);
    if (byte < 0x20)
        return fail(c, "a raw control character in a string");
    uint32_t code_point;
    int n = utf8_decode(c->at, (size_t)(c->end - c->at), &code_point);
    if (n == 0 && !c->lax)
        return fail(c, "invalid UTF-8");
    c->at += n ? n : 1;
    return 0;
}

/* Moves from the opening quote to after the closing one. *escapes tells whether there is an
 * escape. */
static int check_string(struct checker *c, bool *escapes)
{
    *escapes = false;
    c->at++;
    for (;;) {
        c->at += json_plain_run(c->at, (size_t)(c->end - c->at));
        if (c->at == c->end)
            return fail(c, "");
        if (*c->at == '"') {
            c->at++;
            return 0;
        }
        /* Characters that are not plain usually come in runs. */
        do {
            *escapes |= *c->at == '\\';
            if (check_string_byte(c))
                return -1;
        } while (c->at < c->end && ((*c->at & 0x80) || *c->at == '\\'));
    }
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/*
 * Rejects a number out of the range of a double. Only a number with more than 300 digits before its
 * point or with an exponent can be; then strtod decides.
 */
static int check_finite(struct checker *c, const char *start, size_t whole, bool exponent)
{
    if (whole < 300 && !exponent)
        return 0;
    size_t len = (size_t)(c->at - start);
    char few[64];
    char *copy = len < sizeof(few) ? few : xmalloc(len + 1);
    memcpy(copy, start, len);
    copy[len] = '\0';
    bool finite = isfinite(strtod(copy, NULL));
    if (copy != few)
        free(copy);
    return finite ? 0 : fail_with(c, start, "a number that is too large");
}

static int check_number(struct checker *c)
{
    const char *start = c->at;
    c->at += *c->at == '-';
    const char *digits = c->at;
    c->at = skip_digits(c->at, c->end);
    size_t whole = (size_t)(c->at - digits);
    if (whole == 0)
        return fail(c, "a number without digits");
    if (whole > 1 && *digits == '0')
        return fail_at(c, start, "a number with a leading zero");
    if (c->at < c->end && *c->at == '.') {
        const char *fraction = ++c->at;
        c->at = skip_digits(c->at, c->end);
        if (c->at == fraction)
            return fail(c, "a number without digits after its point");
    }
    bool exponent = c->at < c->end && (*c->at == 'e' || *c->at == 'E');
    if (exponent) {
        c->at++;
        if (c->at < c->end && (*c->at == '+' || *c->at == '-'))
            c->at++;
        const char *power = c->at;
        c->at = skip_digits(c->at, c->end);
        if (c->at == power)
            return fail(c, "an exponent without digits");
    }
    return c->form || c->lax ? 0 : check_finite(c, start, whole, exponent);
}

static int check_word(struct checker *c)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t left = (size_t)(c->end - c->at);
    for (size_t i = 0; i < 3; i++) {
        size_t len = strlen(words[i]);
        if (left >= len && memcmp(c->at, words[i], len) == 0) {
            c->at += len;
            return 0;
        }
    }
    return fail(c, "an unexpected character");
}

static const char *key_bytes(const struct checker *c, const struct key *key)
{
    return (key->is_unescaped ? c->unescaped.buf : c->text) + key->at;
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    size_t least = x->len < y->len ? x->len : y->len;
    int order = memcmp(x->bytes, y->bytes, least);
    return order ? order : (x->len > y->len) - (x->len < y->len);
}

static int fail_duplicate(struct checker *c, const struct key *a, const struct key *b)
{
    size_t place = a->place > b->place ? a->place : b->place;
    return fail_with(c, c->text + place, "a duplicate key");
}

/* Compares the new key with the earlier ones while there are few. */
static int check_new_key(struct checker *c, const struct key *key)
{
    const struct key *first = c->keys + c->first[c->level - 1];
    if (key - first >= FEW_KEYS)
        return 0;
    for (const struct key *k = first; k < key; k++)
        if (k->len == key->len && memcmp(key_bytes(c, k), key_bytes(c, key), key->len) == 0)
            return fail_duplicate(c, k, key);
    return 0;
}

/* Sorts the keys so that equal ones are neighbours: O(k log k) even for hostile input. */
static int check_many_keys(struct checker *c)
{
    size_t count = c->key_count - c->first[c->level - 1];
    if (count <= FEW_KEYS)
        return 0;
    struct key *first = c->keys + c->first[c->level - 1];
    for (size_t i = 0; i < count; i++)
        first[i].bytes = key_bytes(c, &first[i]);
    SORT(first, count, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (compare_keys(&first[i - 1], &first[i]) == 0)
            return fail_duplicate(c, &first[i - 1], &first[i]);
    return 0;
}

static int remember_key(struct checker *c, const char *text, size_t len, bool escapes)
{
    struct key *key = ARRAY_ADD(c->keys, c->key_count, c->key_alloc);
    size_t place = (size_t)(text - c->text);
    *key = (struct key){.at = place, .len = len, .place = place - 1};
    if (escapes) {
        strbuf_grow(&c->unescaped, len);
        key->is_unescaped = true;
        key->at = c->unescaped.len;
        key->len = json_unescape(c->unescaped.buf + key->at, text, len);
        c->unescaped.len += key->len;
    }
    return check_new_key(c, key);
}

static int check_key(struct checker *c)
{
    skip_space(c);
    if (c->at == c->end || *c->at != '"')
        return fail(c, "a missing key");
    const char *key = c->at + 1;
    bool escapes;
    if (check_string(c, &escapes) ||
        (!c->form && remember_key(c, key, (size_t)(c->at - key) - 1, escapes)))
        return -1;
    skip_space(c);
    if (c->at == c->end || *c->at != ':')
        return fail(c, "no colon after a key");
    c->at++;
    return 0;
}

static int open_container(struct checker *c)
{
    if (c->level >= c->depth)
        return error_set(c->e, ERROR_INVALID, "Nest it less, or give it as a string.",
                         "JSON nested deeper than %d levels at byte %zu", c->depth,
                         place_of(c, c->at));
    c->close[c->level] = *c->at == '{' ? '}' : ']';
    if (!c->form)
        c->first[c->level] = c->key_count;
    c->level++;
    c->at++;
    return 0;
}

static int forget_keys(struct checker *c)
{
    if (check_many_keys(c))
        return -1;
    c->key_count = c->first[c->level - 1];
    if (c->key_count == 0)
        strbuf_cut(&c->unescaped, 0);
    return 0;
}

static int close_container(struct checker *c)
{
    if (!c->form && forget_keys(c))
        return -1;
    c->level--;
    c->at++;
    return 0;
}

/* Closes the containers that end here. Returns 0 if another value follows, 1 if the outermost is
 * closed. */
static int after_value(struct checker *c)
{
    while (c->level > 0) {
        skip_space(c);
        char close = c->close[c->level - 1];
        if (c->at < c->end && *c->at == ',') {
            c->at++;
            return close == '}' ? check_key(c) : 0;
        }
        if (c->at == c->end || *c->at != close)
            return fail(c, "a missing comma or closing bracket");
        if (close_container(c))
            return -1;
    }
    return 1;
}

/* Opens a container. Returns 0 if its first value follows, 1 if it is empty and still to be
 * closed. */
static int enter(struct checker *c)
{
    if (open_container(c))
        return -1;
    skip_space(c);
    char close = c->close[c->level - 1];
    if (c->at < c->end && *c->at == close)
        return 1;
    return close == '}' ? check_key(c) : 0;
}

/* Returns 1 once a value is complete, 0 if another follows, -1 on error. */
static int check_value(struct checker *c)
{
    bool escapes;
    skip_space(c);
    if (c->at == c->end)
        return fail(c, "");
    char first = *c->at;
    if (first == '{' || first == '[')
        return enter(c);
    int bad;
    if (first == '"')
        bad = check_string(c, &escapes);
    else if (first == '-' || (first >= '0' && first <= '9'))
        bad = check_number(c);
    else
        bad = check_word(c);
    return bad ? -1 : 1;
}

/* A loop in place of recursion: the open containers are in `close`, not on the stack of the
 * program. */
static int check_all(struct checker *c)
{
    int state;
    do {
        state = check_value(c);
        if (state == 1)
            state = after_value(c);
    } while (state == 0);
    if (state < 0)
        return -1;
    skip_space(c);
    return c->at == c->end ? 0 : fail(c, "text after the value");
}

static int check(const char *text, size_t len, int depth, bool lax, struct error *e)
{
    struct checker c = {.text = text, .at = text, .end = text + len, .e = e, .lax = lax};
    char close[JSON_DEPTH_LIMIT];
    c.close = close;
    c.depth = depth < JSON_DEPTH_LIMIT ? depth : JSON_DEPTH_LIMIT;
    strbuf_init(&c.unescaped);
    int bad = check_all(&c);
    free(c.keys);
    strbuf_release(&c.unescaped);
    return bad;
}

int json_check(const char *text, size_t len, int depth, struct error *e)
{
    return check(text, len, depth, false, e);
}

int json_check_lax(const char *text, size_t len, int depth, struct error *e)
{
    return check(text, len, depth, true, e);
}

bool json_is_formed(const char *text, size_t len)
{
    struct error ignored;
    struct checker c = {.text = text, .at = text, .end = text + len, .e = &ignored};
    c.lax = c.form = true;
    c.depth = len < INT_MAX ? (int)len : INT_MAX;
    c.close = xcalloc(len + 1, 1);
    bool formed = check_all(&c) == 0;
    free(c.close);
    return formed;
}
