/*
 * Personal data with each allocation made to fail in turn: what was masked is masked, what could not be looked at
 * counts as found, and nothing that was not looked at leaves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "model/pii/pii.h"
#include "tests/support/no_memory.h"

static const char text[] =
    "\xef\xbc\x95\xef\xbc\x95\xef\xbc\x95-123-4567 and jane@example.com, B-1234";
static const char json[] =
    "{\"a\":\"jane\\u0040example.com\",\"password\":[1],\"b\":\"{\\\"token\\\":\\\"x\\\"}\","
    "\"4111\\u0020 1111 1111 1111\":\"B-1234 \xef\xbc\x95\xef\xbc\x95\xef\xbc\x95-123-4567\"}";
static const char *const personal[] = {"jane", "123-4567", "[1]", "\\\"x", "1111 1111", "B-1234"};

static const struct pii_pattern badge[] = {{"badge", "B-\\d{4}"}};
static struct pii *matcher;

static void holds_none(const struct strbuf *out)
{
    for (size_t i = 0; i < sizeof(personal) / sizeof(*personal); i++)
        assert_null(strstr(out->buf, personal[i]));
}

static int masking_text(void)
{
    struct strbuf out = STRBUF_INIT;
    assert_true(pii_mask_text(matcher, text, strlen(text), &out, NULL));
    int failed = out.failed ? -1 : 0;
    holds_none(&out);
    if (!failed && !memory_failures)
        assert_string_equal(out.buf, "[redacted-phone] and [redacted-email], [redacted-badge]");
    strbuf_release(&out);
    return failed;
}

static int masking_json(void)
{
    struct strbuf out = STRBUF_INIT;
    assert_true(pii_mask_json(matcher, json, strlen(json), &out, NULL));
    int failed = out.failed ? -1 : 0;
    if (!failed)
        holds_none(&out);
    strbuf_release(&out);
    return failed;
}

static int looking(void)
{
    struct pii_seen seen = {0, 0};
    struct pii_span found;
    assert_true(pii_in_json(matcher, json, strlen(json), &seen));
    assert_true(seen.kinds & 1u << PII_SECRET);
    assert_true(pii_find(matcher, text, strlen(text), 0, &found));
    assert_true(found.start == 0 && found.end > 0);
    assert_int_equal(pii_key_open(matcher, "a/B-1234", 8) <= 2, 1);
    return 0;
}

static int making(void)
{
    struct error e;
    struct pii *p = pii_new(badge, 1, &e);
    if (!p)
        assert_int_equal(e.code, ERROR_MEMORY);
    int failed = p ? 0 : -1;
    pii_free(p);
    return failed;
}

static void each_allocation(void **state)
{
    struct error e;
    (void)state;
    matcher = pii_new(badge, 1, &e);
    assert_non_null(matcher);
    fail_each_allocation(masking_text);
    fail_each_allocation(masking_json);
    fail_each_allocation(looking);
    fail_each_allocation(making);
    pii_free(matcher);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
