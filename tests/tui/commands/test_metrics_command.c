/* stemma metrics prints what the listening process counted, or the store's log if no process listens. */
#include "model/base/alloc.h"
#include "tests/support/client.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/story.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/json/json.h"
#include "tests/support/test.h"

#define CALL(id, name, arguments)                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name   \
    "\",\"arguments\":" arguments "}}"

/* The output of the program: one line of JSON. */
static struct json_slice said_answer(void)
{
    struct error e;
    struct json_slice line = {story.p.out, story.p.out_len - 1};
    if (json_check(line.ptr, line.len, JSON_DEPTH_MAX, &e))
        fail_msg("%s", e.what);
    return line;
}

static struct json_slice said_member(struct json_slice of, const char *name)
{
    struct json_slice value = json_member(of.ptr, of.len, name);
    if (!value.ptr)
        fail_msg("there is no %s in %.*s", name, (int)of.len, of.ptr);
    return value;
}

static void said_is(struct json_slice value, const char *text)
{
    if (value.len != strlen(text) || memcmp(value.ptr, text, value.len) != 0)
        fail_msg("it is %.*s and not %s", (int)value.len, value.ptr, text);
}

static void ask_all(struct client *c)
{
    client_initialize(c, "2025-11-25");
    client_ask(c, CALL(1, "memory_note", "{\"content\":\"a note\"}"));
    client_ask(c, CALL(2, "memory_list", "{}"));
    client_ask(c, CALL(3, "memory_get", "{\"ref\":\"raw:none\"}"));
    client_ask(c, CALL(4, "memory_retract", "{\"ref\":\"raw:none\"}"));
    client_ask(c, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/list\"}");
}

/* The element of a list in which that member is the string. */
static struct json_slice named(struct json_slice list, const char *key, const char *name)
{
    for (struct json_each it = json_each(list); json_next(&it);) {
        struct json_slice s = json_member(it.value.ptr, it.value.len, key);
        if (s.ptr && s.len == strlen(name) + 2 && !strncmp(s.ptr + 1, name, s.len - 2))
            return it.value;
    }
    fail_msg("no %s %s in %.*s", key, name, (int)list.len, list.ptr);
    return list;
}

GROUP(story_open, story_close);

TEST(it_prints_what_the_listening_process_counted)
{
    AUTO_FREE char *path = scratch_path("metrics.db");
    struct served served;
    struct client c;
    served_start(&served, path);
    client_connect(&c, served.path);
    ask_all(&c);
    PROGRAM(&story.p, "metrics", "--json", "--store", path);
    assert_int_equal(story.p.status, 0);
    struct json_slice listening = said_member(said_answer(), "listening");
    struct json_slice calls = said_member(listening, "calls");
    said_is(said_member(listening, "sessions"), "1");
    said_is(said_member(listening, "connections"), "2"); /* including its own */
    said_is(said_member(said_member(named(calls, "tool_name", "memory_note"), "ended"), "success"),
            "1");
    struct json_slice get = named(calls, "tool_name", "memory_get");
    said_is(said_member(said_member(get, "ended"), "NOT_FOUND"), "1");
    said_is(said_member(said_member(get, "latency"), "count"), "1");
    struct json_slice denied = named(calls, "tool_name", "memory_retract");
    said_is(said_member(said_member(denied, "denied"), "tool"), "1");
    said_is(said_member(named(calls, "method", "resources/list"), "calls"), "1");
    PROGRAM(&story.p, "metrics", "--store", path);
    STORY_OUT_HAS(", which listens, since it began");
    STORY_OUT_HAS("memory_retract");
    STORY_OUT_HAS("All processes that have served the store: ");
    STORY_OUT_LACKS("a note");
    PROGRAM(&story.p, "metrics", "--prometheus", "--store", path);
    STORY_OUT_HAS(
        "\nmemory_tool_permission_denies_total{tool_name=\"memory_retract\",reason=\"tool\"} 1\n");
    client_close(&c);
    assert_int_equal(served_stop(&served), 0);
    PROGRAM(&story.p, "metrics", "--json", "--store", path); /* all is written when it has ended */
    calls = said_member(said_member(said_answer(), "log"), "calls");
    said_is(said_member(said_member(named(calls, "tool_name", "memory_list"), "ended"), "success"),
            "1");
    said_is(said_member(said_member(named(calls, "tool_name", "memory_retract"), "ended"),
                        "PERMISSION_DENIED"),
            "1");
    struct json_slice totals = said_member(said_answer(), "totals");
    said_is(said_member(totals, "sessions"), "1");
    said_is(said_member(totals, "living"), "0");
    said_is(said_member(totals, "calls"), "5");
    said_is(said_member(totals, "failures"), "2");
    PROGRAM(&story.p, "metrics", "--store", path);
    STORY_OUT_LACKS("which listens");
}
