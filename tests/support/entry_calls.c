#include "tests/support/entry_calls.h"
#include "store/open.h"
#include "tests/support/test.h"

struct guarded calls_served;
static int64_t clock_ms; /* the current time of the store */

static int64_t now(void)
{
    return __atomic_load_n(&clock_ms, __ATOMIC_ACQUIRE);
}

void calls_advance(int64_t ms)
{
    __atomic_fetch_add(&clock_ms, ms, __ATOMIC_ACQ_REL);
}

void calls_begin(struct permissions *p, const char *agent)
{
    struct error e = {0};
    struct permissions usual;
    guarded_open(&calls_served);
    reader_close(calls_served.f.reader);
    store_close(calls_served.f.store);
    clock_ms = FIXTURE_NOW;
    calls_served.f.store =
        store_open(calls_served.f.path, &(struct store_options){.now = now}, NULL, &e);
    if (!calls_served.f.store || !(calls_served.f.reader = reader_open(calls_served.f.store, &e)))
        fail_msg("%s", e.what);
    permissions_init(&usual);
    guarded_begin(&calls_served, p ? p : &usual, agent);
}

static const char *const anywhere[] = {"*"};

void calls_grant_all(struct permissions *p)
{
    struct grant all = {.given = true,
                        .namespaces = anywhere,
                        .namespace_count = 1,
                        .operations = ACCESS_READ | ACCESS_WRITE,
                        .max_ttl_seconds = -1};
    permissions_init(p);
    p->grant[MEMORY_TOOL_LIST] = p->grant[MEMORY_TOOL_PUT] = all;
}

const char *calls_ask(const char *tool, const char *format, ...)
{
    va_list args;
    char *arguments = NULL;
    va_start(args, format);
    assert_true(vasprintf(&arguments, format, args) >= 0);
    va_end(args);
    const char *answer = guarded_tool(&calls_served, tool, arguments);
    free(arguments);
    return arena_strndup(&calls_served.f.arena, answer, strlen(answer));
}

const char *calls_code(const char *answer)
{
    return answer_at(answer, "error").ptr ? answer_text(&calls_served.f, answer, "error.code") : "";
}

void calls_expect(const char *code, const char *tool, const char *arguments)
{
    const char *answer = calls_ask(tool, "%s", arguments);
    if (strcmp(calls_code(answer), code) != 0)
        fail_msg("%s %.300s: %.600s, not %s", tool, arguments, answer, code);
}

void calls_put(const char *name, const char *key, const char *value)
{
    const char *answer =
        calls_ask("putMemory", "{'namespace':'%s','key':'%s','value':%s}", name, key, value);
    assert_string_equal(answer, "{\"success\":true}");
}

const char *calls_get(const char *name, const char *key)
{
    return calls_ask("getMemory", "{'namespace':'%s','key':'%s'}", name, key);
}

const char *calls_list(const char *name)
{
    return calls_ask("listMemory", "{'namespace':'%s'}", name);
}

const char *calls_keys(const char *name)
{
    AUTO_STRBUF keys = STRBUF_INIT;
    const char *answer = calls_list(name);
    for (size_t i = 0; i < answer_count(answer, "keys"); i++) {
        char path[32];
        snprintf(path, sizeof(path), "keys.%zu", i);
        strbuf_addf(&keys, "%s%s", i ? " " : "", answer_text(&calls_served.f, answer, path));
    }
    return arena_strndup(&calls_served.f.arena, keys.len ? keys.buf : "", keys.len);
}

const char *calls_chars(char c, size_t count)
{
    AUTO_STRBUF out = STRBUF_INIT;
    strbuf_addchars(&out, c, count);
    return arena_strndup(&calls_served.f.arena, out.buf, out.len);
}

void calls_end(void)
{
    guarded_close(&calls_served);
}
