/* Writing JSON: strings, numbers, objects under construction; minifying; JSON as the text of a string. */
#include "model/json/json.h"

#include <math.h>
#include <string.h>
#include "model/json/json_scan.h"
#include "model/base/utf8.h"

static void add_unit(struct strbuf *out, unsigned unit)
{
    static const char digits[] = "0123456789abcdef";
    char escape[6] = {'\\',
                      'u',
                      digits[unit >> 12 & 15],
                      digits[unit >> 8 & 15],
                      digits[unit >> 4 & 15],
                      digits[unit & 15]};
    strbuf_add(out, escape, sizeof(escape));
}

/* Appends a code point as \\u escapes: two beyond U+FFFF. */
static void add_escaped(struct strbuf *out, uint32_t c)
{
    if (c >= 0x10000) {
        add_unit(out, 0xd800 + ((c - 0x10000) >> 10));
        c = 0xdc00 + ((c - 0x10000) & 0x3ff);
    }
    add_unit(out, c);
}

/* Writes an ASCII character that must be escaped in a string. */
static void add_special(struct strbuf *out, char c)
{
    static const char means[] = "\"\\\b\f\n\r\t", codes[] = "\"\\bfnrt";
    const char *short_form = memchr(means, c, sizeof(means) - 1);
    if (!short_form) {
        add_unit(out, (unsigned char)c);
        return;
    }
    strbuf_addch(out, '\\');
    strbuf_addch(out, codes[short_form - means]);
}

/* How many bytes from `s` on are non-ASCII text that needs no escape; with `shown` all of it shows. */
static size_t harmless_run(const char *s, size_t len, bool shown)
{
    size_t i = 0;
    while (i < len && (unsigned char)s[i] >= 0x80) {
        uint32_t c;
        int n = utf8_decode(s + i, len - i, &c);
        if (n == 0 || utf8_is_control(c) || utf8_is_bidi(c) || (shown && utf8_is_invisible(c)))
            break;
        i += (size_t)n;
    }
    return i;
}

/* Escapes the code point at `s`. Returns its length in `s`. */
static size_t add_not_plain(struct strbuf *out, const char *s, size_t len)
{
    if ((unsigned char)*s < 0x80) {
        add_special(out, *s);
        return 1;
    }
    uint32_t c;
    int n = utf8_decode(s, len, &c);
    add_escaped(out, n ? c : 0xfffd);
    return n ? (size_t)n : 1;
}

static void add_inside(struct strbuf *out, const char *s, size_t len, bool ascii)
{
    for (size_t i = 0; i < len;) {
        size_t run = 0, more;
        do {
            more = json_plain_run(s + i + run, len - i - run);
            if (!ascii)
                more += harmless_run(s + i + run + more, len - i - run - more, false);
            run += more;
        } while (more > 0);
        strbuf_add(out, s + i, run);
        i += run;
        if (i < len)
            i += add_not_plain(out, s + i, len - i);
    }
}

/* Most strings are plain, so they are copied at once. */
static void add_string(struct strbuf *out, const char *s, size_t len, bool ascii)
{
    if (json_plain_run(s, len) == len) {
        strbuf_grow(out, len + 2);
        char *at = out->buf + out->len;
        *at++ = '"';
        memcpy(at, s, len);
        at[len] = '"';
        at[len + 1] = '\0';
        out->len += len + 2;
        return;
    }
    strbuf_addch(out, '"');
    add_inside(out, s, len, ascii);
    strbuf_addch(out, '"');
}

void json_add_inside(struct strbuf *out, const char *s)
{
    add_inside(out, s, strlen(s), false);
}

void json_add_string_len(struct strbuf *out, const char *s, size_t len)
{
    add_string(out, s, len, false);
}

void json_add_string(struct strbuf *out, const char *s)
{
    if (s)
        add_string(out, s, strlen(s), false);
    else
        strbuf_add(out, "null", 4);
}

void json_add_ascii(struct strbuf *out, const char *s)
{
    if (s)
        add_string(out, s, strlen(s), true);
    else
        strbuf_add(out, "null", 4);
}

static void add_value(struct strbuf *out, const char *text, size_t len, bool shown)
{
    size_t from = 0;
    for (size_t i = 0; i < len;) {
        unsigned char byte = (unsigned char)text[i];
        if (byte < 0x7f) {
            i++;
            continue;
        }
        size_t run = harmless_run(text + i, len - i, shown);
        i += run;
        if (run > 0)
            continue;
        strbuf_add(out, text + from, i - from);
        i += add_not_plain(out, text + i, len - i);
        from = i;
    }
    strbuf_add(out, text + from, len - from);
}

void json_add_value(struct strbuf *out, const char *text, size_t len)
{
    add_value(out, text, len, false);
}

void json_show(struct strbuf *out)
{
    AUTO_STRBUF shown = STRBUF_INIT;
    size_t at = 0;
    while (at < out->len) {
        size_t run = harmless_run(out->buf + at, out->len - at, true);
        if (run == 0 && (unsigned char)out->buf[at] >= 0x7f)
            break;
        at += run ? run : 1;
    }
    if (at == out->len)
        return;
    add_value(&shown, out->buf + at, out->len - at, true);
    strbuf_cut(out, at);
    strbuf_add(out, shown.buf, shown.len);
}

/* Replaces a \u escape by its character if the character needs no escape. Returns how many bytes
 * of `s` it takes. */
static size_t add_resolved_unit(struct strbuf *out, const char *s, size_t len)
{
    size_t used;
    int32_t c = json_escaped(s + 2, len - 2, &used);
    char bytes[4];
    if (c < 0) { /* not an escape: the text was not checked */
        strbuf_add(out, s, 2);
        return 2;
    }
    if (c < 0x80 && json_is_plain((char)c))
        strbuf_addch(out, (char)c);
    else if (c < 0x80)
        add_special(out, (char)c);
    else if (IS_HIGH_SURROGATE(c) || IS_LOW_SURROGATE(c) || utf8_is_control((uint32_t)c))
        add_unit(out, (unsigned)c);
    else
        strbuf_add(out, bytes, (size_t)utf8_encode((uint32_t)c, bytes));
    return used + 2;
}

static size_t add_resolved(struct strbuf *out, const char *s, size_t len)
{
    if (len > 1 && s[1] == 'u')
        return add_resolved_unit(out, s, len);
    size_t used = len > 1 ? 2 : 1, slash = used == 2 && s[1] == '/';
    strbuf_add(out, s + slash, used - slash);
    return used;
}

/* Drops white space outside strings and, with `resolve`, escapes that are not needed. */
static void add_compact(struct strbuf *out, const char *text, size_t len, bool resolve)
{
    bool in_string = false;
    size_t from = 0;
    for (size_t i = 0; i < len;) {
        if (in_string)
            i += json_plain_run(text + i, len - i);
        if (i == len)
            break;
        if (in_string && text[i] == '\\' && resolve) {
            strbuf_add(out, text + from, i - from);
            from = i += add_resolved(out, text + i, len - i);
        } else if (in_string && text[i] == '\\') {
            i += len - i > 1 ? 2 : 1;
        } else if (!in_string && json_is_space(text[i])) {
            strbuf_add(out, text + from, i - from);
            from = ++i;
        } else {
            in_string ^= text[i++] == '"';
        }
    }
    strbuf_add(out, text + from, len - from);
}

void json_minify(struct strbuf *out, const char *text, size_t len)
{
    add_compact(out, text, len, false);
}

void json_tidy(struct strbuf *out, const char *text, size_t len)
{
    add_compact(out, text, len, true);
}

void json_add_int(struct strbuf *out, int64_t value)
{
    char digits[24];
    size_t at = sizeof(digits);
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (value < 0)
        digits[--at] = '-';
    strbuf_add(out, digits + at, sizeof(digits) - at);
}

/* Writes digits / 10^places, with at least one digit before the point. */
static void add_places(struct strbuf *out, uint64_t digits, int places, bool negative)
{
    char text[48];
    size_t at = sizeof(text);
    for (int i = 0; digits > 0 || i <= places; i++) {
        if (i == places && places > 0)
            text[--at] = '.';
        text[--at] = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (negative)
        text[--at] = '-';
    strbuf_add(out, text + at, sizeof(text) - at);
}

/*
 * Writes a decimal with few digits, as nearly all numbers here are. Finds the least k for which
 * value * 10^k rounds to a whole number of at most 15 digits whose quotient by 10^k is `value`
 * again. Both are exact in a double, so the quotient is what reading the text gives (Clinger 1990),
 * and no two decimals of 15 digits read as the same double. Returns false if there is no such k.
 */
static bool add_decimal(struct strbuf *out, double value)
{
    double magnitude = fabs(value);
    double power = 1;
    if (magnitude < 1e-5 && magnitude > 0)
        return false;
    for (int places = 0; places <= 20; places++, power *= 10) {
        double scaled = nearbyint(magnitude * power);
        if (scaled > (places ? 1e15 : 0x1p53))
            return false;
        if (scaled / power == magnitude) {
            add_places(out, (uint64_t)scaled, places, signbit(value));
            return true;
        }
    }
    return false;
}

/* "1e+300" → "1e300", "4e-07" → "4e-7". */
static void add_tidy_exponent(struct strbuf *out, const char *text)
{
    size_t mantissa = strcspn(text, "e");
    strbuf_add(out, text, mantissa);
    if (!text[mantissa])
        return;
    const char *exponent = text + mantissa + 1;
    strbuf_addch(out, 'e');
    if (*exponent == '-')
        strbuf_addch(out, '-');
    exponent += strspn(exponent, "+-0");
    strbuf_addstr(out, exponent);
}

static bool reads_back(char *text, size_t size, int digits, double value)
{
    snprintf(text, size, "%.*g", digits, value);
    return strtod(text, NULL) == value;
}

void json_add_double(struct strbuf *out, double value)
{
    if (!isfinite(value)) {
        strbuf_add(out, "null", 4);
        return;
    }
    if (add_decimal(out, value))
        return;
    /* Most remaining values need 16 or 17 digits, so shorter texts are tried only if 15 digits
     * are enough. */
    char text[40];
    int digits = reads_back(text, sizeof(text), 15, value) ? 1 : 16;
    while (digits < 17 && !reads_back(text, sizeof(text), digits, value))
        digits++;
    if (digits == 17)
        reads_back(text, sizeof(text), 17, value);
    add_tidy_exponent(out, text);
}

struct json_object json_begin(struct strbuf *out, char open)
{
    strbuf_addch(out, open);
    return (struct json_object){out, open == '{' ? '}' : ']', false};
}

void json_item(struct json_object *o)
{
    if (o->any)
        strbuf_addch(o->out, ',');
    o->any = true;
}

void json_item_string(struct json_object *list, const char *text)
{
    json_item(list);
    json_add_string(list->out, text);
}

void json_item_int(struct json_object *list, int64_t value)
{
    json_item(list);
    json_add_int(list->out, value);
}

void json_key(struct json_object *o, const char *key)
{
    json_item(o);
    json_add_string(o->out, key);
    strbuf_addch(o->out, ':');
}

void json_end(struct json_object *o)
{
    strbuf_addch(o->out, o->close);
}

void json_end_line(struct json_object *o)
{
    json_end(o);
    strbuf_addch(o->out, '\n');
}

void json_pair(struct json_object *o, const char *key, const char *text)
{
    json_key(o, key);
    json_add_string(o->out, text);
}

void json_add_strings(struct strbuf *out, const char *const *text, size_t count)
{
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < count; i++)
        json_item_string(&list, text[i]);
    json_end(&list);
}

void json_pair_strings(struct json_object *o, const char *key, const char *const *text,
                       size_t count)
{
    json_key(o, key);
    json_add_strings(o->out, text, count);
}

void json_pair_if(struct json_object *o, const char *key, const char *text)
{
    if (text)
        json_pair(o, key, text);
}

void json_pair_value(struct json_object *o, const char *key, struct json_slice value)
{
    if (!value.ptr)
        return;
    json_key(o, key);
    json_add_value(o->out, value.ptr, value.len);
}

void json_pair_int(struct json_object *o, const char *key, int64_t value)
{
    json_key(o, key);
    json_add_int(o->out, value);
}

void json_pair_int_if(struct json_object *o, const char *key, int64_t value)
{
    if (value)
        json_pair_int(o, key, value);
}

void json_pair_true_if(struct json_object *o, const char *key, bool value)
{
    if (value)
        json_pair_bool(o, key, true);
}

void json_pair_bool(struct json_object *o, const char *key, bool value)
{
    json_key(o, key);
    strbuf_addstr(o->out, value ? "true" : "false");
}

void json_pair_double(struct json_object *o, const char *key, double value)
{
    json_key(o, key);
    json_add_double(o->out, value);
}

void json_pair_raw(struct json_object *o, const char *key, const char *json)
{
    json_key(o, key);
    strbuf_addstr(o->out, json);
}

void json_add_others(struct json_object *o, struct json_slice from, const char *const *but)
{
    for (struct json_each it = json_each(from); json_next(&it);) {
        if (json_key_is_any(it.key, but))
            continue;
        json_item(o);
        strbuf_addch(o->out, '"');
        strbuf_add(o->out, it.key.ptr, it.key.len);
        strbuf_addstr(o->out, "\":");
        json_minify(o->out, it.value.ptr, it.value.len);
    }
}

struct json_object json_open(struct json_object *o, const char *key, char open)
{
    json_key(o, key);
    return json_begin(o->out, open);
}

struct json_object json_item_open(struct json_object *list, char open)
{
    json_item(list);
    return json_begin(list->out, open);
}

/* ---- JSON as the text of a JSON string: the answer of a tool contains its JSON twice ---- */

/* Copies eight bytes at once if none is a quote or a backslash, otherwise one byte at a time. */
static char *add_text(char *to, const char *text, size_t len)
{
    size_t i = 0;
    while (i < len) {
        uint64_t w;
        while (len - i >= sizeof(w)) {
            memcpy(&w, text + i, sizeof(w));
            if (JSON_IS(w, '"') | JSON_IS(w, '\\'))
                break;
            memcpy(to, &w, sizeof(w));
            to += sizeof(w);
            i += sizeof(w);
        }
        size_t stop = len - i > sizeof(w) ? i + sizeof(w) : len;
        for (; i < stop; i++) {
            *to = '\\';
            to += text[i] == '"' || text[i] == '\\';
            *to++ = text[i];
        }
    }
    return to;
}

void json_add_text(struct strbuf *out, const char *json, size_t len)
{
    strbuf_grow(out, 2 * len + 8);
    char *end = add_text(out->buf + out->len, json, len);
    out->len = (size_t)(end - out->buf);
    out->buf[out->len] = '\0';
}
