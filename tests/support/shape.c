/*
 * The form of messages that clients accept, by measurement: one line of JSON with few levels, an
 * envelope without further members, integers where required, no null for an optional member, arrays
 * only of envelopes.
 */
#include "model/base/alloc.h"
#include "tests/support/fake_service.h"
#include "tests/support/test.h"

/* Some clients reject deeper lines. */
#define LEVELS_MAX 100

static const char *const envelope_keys[] = {"jsonrpc", "id",    "method", "params",
                                            "result",  "error", NULL};

static bool is_among(struct json_slice key, const char *const *names)
{
    while (*names && !json_key_is(key, *names))
        names++;
    return *names != NULL;
}

static bool says(struct json_slice value, const char *text)
{
    return value.ptr && value.len == strlen(text) + 2 && *value.ptr == '"' &&
           memcmp(value.ptr + 1, text, value.len - 2) == 0;
}

static struct json_slice member(struct json_slice object, const char *name)
{
    return json_member(object.ptr, object.len, name);
}

static bool is_kind(struct json_slice value, char first)
{
    return value.ptr && value.len > 0 && *value.ptr == first;
}

static bool is_whole(struct json_slice value)
{
    int64_t number;
    return value.ptr && !memchr(value.ptr, '.', value.len) && !memchr(value.ptr, 'e', value.len) &&
           json_integer(value, &number) == 0;
}

/* Members that clients expect to be absent must not be null. These are all that we send. */
static void check_no_null(struct json_slice object)
{
    static const char *const optional[] = {
        "title",        "description", "annotations",  "nextCursor",        "instructions",
        "isError",      "_meta",       "icons",        "structuredContent", "data",
        "mimeType",     "total",       "tools",        "resources",         "prompts",
        "logging",      "completions", "outputSchema", "hasMore",           "message",
        "capabilities", "serverInfo",  "inputSchema",  "content",           "contents",
        "messages",     NULL};
    for (struct json_each it = json_each(object); it.is_object && json_next(&it);)
        if (is_among(it.key, optional))
            assert_false(is_kind(it.value, 'n'));
}

static void check_error(struct json_slice error)
{
    static const char *const keys[] = {"code", "message", "data", NULL};
    assert_true(is_kind(error, '{'));
    assert_true(is_whole(member(error, "code")));
    assert_true(is_kind(member(error, "message"), '"'));
    for (struct json_each it = json_each(error); json_next(&it);)
        assert_true(is_among(it.key, keys));
    check_no_null(error);
}

static void check_content(struct json_slice content)
{
    assert_true(is_kind(content, '['));
    for (struct json_each it = json_each(content); json_next(&it);) {
        struct json_slice type = member(it.value, "type");
        assert_true(says(type, "text") || says(type, "image") || says(type, "resource_link") ||
                    says(type, "audio") || says(type, "resource"));
        if (says(type, "text"))
            assert_true(is_kind(member(it.value, "text"), '"'));
        check_no_null(it.value);
    }
}

static void check_schema(struct json_slice schema)
{
    static const char *const refused[] = {"oneOf", "anyOf", "allOf", NULL};
    assert_true(is_kind(schema, '{'));
    assert_true(says(member(schema, "type"), "object"));
    for (struct json_each it = json_each(schema); json_next(&it);)
        assert_false(is_among(it.key, refused));
}

static void check_tools(struct json_slice tools)
{
    static const char *const hints[] = {"readOnlyHint", "destructiveHint", "idempotentHint",
                                        "openWorldHint"};
    for (struct json_each it = json_each(tools); json_next(&it);) {
        struct json_slice name = member(it.value, "name");
        assert_true(is_kind(name, '"') && name.len > 2 && name.len <= 2 + 64);
        check_schema(member(it.value, "inputSchema"));
        if (member(it.value, "outputSchema").ptr)
            check_schema(member(it.value, "outputSchema"));
        for (size_t i = 0; i < 4; i++)
            assert_true(is_kind(member(member(it.value, "annotations"), hints[i]), 't') ||
                        is_kind(member(member(it.value, "annotations"), hints[i]), 'f'));
        check_no_null(it.value);
    }
}

/* The failure of a tool has its envelope as text and as an object, with the same content. */
static void check_failure(struct json_slice result)
{
    static const char *const codes[] = {"PERMISSION_DENIED", "PII_DETECTED",   "INVALID_REQUEST",
                                        "NOT_FOUND",         "RATE_LIMITED",   "QUOTA_EXCEEDED",
                                        "CONFLICT",          "INTERNAL_ERROR", NULL};
    struct json_slice envelope = member(result, "structuredContent");
    struct json_slice error = member(envelope, "error");
    struct json_slice code = member(error, "code");
    assert_true(says(member(envelope, "type"), "error"));
    assert_true(is_kind(code, '"'));
    assert_true(is_among((struct json_slice){code.ptr + 1, code.len - 2}, codes));
    assert_true(is_kind(member(error, "message"), '"'));
    assert_true(is_kind(member(error, "details"), '{'));
}

/* The text of a tool's result equals its structuredContent byte for byte. */
static void check_both_forms(struct json_slice result)
{
    struct json_slice structured = member(result, "structuredContent");
    struct json_each it = json_each(member(result, "content"));
    assert_true(is_kind(structured, '{'));
    assert_true(json_next(&it));
    struct json_slice text = member(it.value, "text");
    AUTO_FREE char *said = malloc(text.len);
    assert_non_null(said);
    size_t len = json_unescape(said, text.ptr + 1, text.len - 2);
    assert_int_equal(len, structured.len);
    assert_memory_equal(said, structured.ptr, len);
}

static void check_modern(struct json_slice result)
{
    static const char *const cached[] = {"supportedVersions", "tools",    "prompts", "resources",
                                         "resourceTemplates", "contents", NULL};
    bool is_cached = false;
    for (struct json_each it = json_each(result); json_next(&it);)
        is_cached |= is_among(it.key, cached);
    assert_true(says(member(result, "resultType"), "complete"));
    assert_int_equal(is_whole(member(result, "ttlMs")), is_cached);
    assert_int_equal(says(member(result, "cacheScope"), "private"), is_cached);
    assert_true(is_kind(member(result, "_meta"), '{'));
}

static void check_legacy(struct json_slice result)
{
    static const char *const modern[] = {"resultType", "ttlMs", "cacheScope", "_meta", NULL};
    for (struct json_each it = json_each(result); json_next(&it);)
        assert_false(is_among(it.key, modern));
}

static void check_result(struct json_slice result)
{
    assert_true(is_kind(result, '{'));
    check_no_null(result);
    if (member(result, "resultType").ptr)
        check_modern(result);
    else
        check_legacy(result);
    if (member(result, "tools").ptr)
        check_tools(member(result, "tools"));
    if (member(result, "content").ptr)
        check_content(member(result, "content"));
    if (member(result, "structuredContent").ptr)
        check_both_forms(result);
    if (member(result, "isError").ptr)
        check_failure(result);
}

static void check_envelope(struct json_slice message)
{
    assert_true(is_kind(message, '{'));
    for (struct json_each it = json_each(message); json_next(&it);)
        assert_true(is_among(it.key, envelope_keys));
    assert_true(says(member(message, "jsonrpc"), "2.0"));
    struct json_slice id = member(message, "id"), method = member(message, "method");
    struct json_slice result = member(message, "result"), error = member(message, "error");
    assert_int_equal((method.ptr != NULL) + (result.ptr != NULL) + (error.ptr != NULL), 1);
    assert_true(!id.ptr || is_kind(id, '"') || !strpbrk(".eE", (char[]){id.ptr[0], 0}));
    if (method.ptr) {
        assert_null(id.ptr); /* a server sends no requests */
        assert_true(is_kind(member(message, "params"), '{'));
        check_no_null(member(message, "params"));
    } else if (result.ptr) {
        assert_non_null(id.ptr);
        check_result(result);
    } else {
        check_error(error);
    }
}

void shape_check(const char *line, size_t len)
{
    struct error e;
    assert_true(len + 1 <= 10u << 20);
    assert_null(memchr(line, '\r', len));
    if (json_check(line, len, LEVELS_MAX, &e))
        fail_msg("%s: %.200s", e.what, line);
    struct json_slice value = {line, len};
    if (*line != '[') {
        check_envelope(value);
        return;
    }
    size_t count = 0;
    for (struct json_each it = json_each(value); json_next(&it); count++)
        check_envelope(it.value);
    assert_true(count > 0);
}
