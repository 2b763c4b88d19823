/* Accepted JSON stays valid and equal through every operation. */
#include <assert.h>
#include <stdint.h>
#include "model/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void walk(struct json_slice value, int levels)
{
    for (struct json_each it = json_each(value); levels > 0 && json_next(&it);)
        walk(it.value, levels - 1);
    int64_t whole;
    double number;
    json_integer(value, &whole);
    json_double(value, &number);
}

static void accepted(const char *text, size_t len)
{
    struct error e;
    struct strbuf small = STRBUF_INIT, again = STRBUF_INIT;
    json_minify(&small, text, len);
    assert(json_check(small.buf, small.len, JSON_DEPTH_MAX, &e) == 0);
    json_minify(&again, small.buf, small.len);
    assert(again.len == small.len && memcmp(again.buf, small.buf, small.len) == 0);
    strbuf_clear(&again);
    json_add_value(&again, small.buf, small.len);
    assert(json_check(again.buf, again.len, JSON_DEPTH_MAX, &e) == 0);
    strbuf_clear(&small);
    json_tidy(&small, text, len);
    assert(small.len <= len && json_check(small.buf, small.len, JSON_DEPTH_MAX, &e) == 0);
    strbuf_clear(&again);
    json_tidy(&again, small.buf, small.len);
    assert(again.len == small.len && memcmp(again.buf, small.buf, small.len) == 0);
    strbuf_release(&small);
    strbuf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct error e;
    const char *text = (const char *)bytes;
    struct strbuf string = STRBUF_INIT;
    if (json_check(text, len, JSON_DEPTH_MAX, &e) == 0)
        accepted(text, len);
    else
        assert(e.what[0]);
    if (json_check_lax(text, len, JSON_DEPTH_LIMIT, &e) == 0)
        assert(json_is_formed(text, len));
    walk(json_trim(text, len), 8); /* for any bytes */
    json_add_string_len(&string, text, len);
    assert(json_check(string.buf, string.len, 1, &e) == 0);
    strbuf_release(&string);
    return 0;
}
