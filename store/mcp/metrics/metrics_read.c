/* What another process counted, from the JSON that it writes of it. */
#include <string.h>
#include "store/mcp/metrics/metrics.h"
#include "model/json/json.h"
#include "store/mcp/protocol/message.h"
#include "store/mcp/protocol/connection.h"

#define NAME_ROOM 200

static int64_t number(struct json_slice object, const char *key)
{
    int64_t value;
    struct json_slice s = message_member(object, key);
    return s.ptr && json_integer(s, &value) == 0 && value > 0 ? value : 0;
}

/* A short string; "" where it is none. */
static void text(struct json_slice object, const char *key, char out[NAME_ROOM])
{
    struct json_slice s = message_member(object, key);
    out[0] = '\0';
    if (s.ptr && message_is_string(s) && s.len < NAME_ROOM)
        out[json_unescape(out, s.ptr + 1, s.len - 2)] = '\0';
}

static void read_ended(struct json_slice object, uint64_t ended[ERROR_CODES])
{
    struct json_slice list = message_member(object, "ended");
    for (int i = ERROR_CODES - 1; list.ptr && i >= 0; i--) {
        const char *name = metrics_status((enum error_code)i);
        bool first = true;
        for (int k = 0; k < i; k++)
            first &= strcmp(metrics_status((enum error_code)k), name) != 0;
        if (first)
            ended[i] += (uint64_t)number(list, name);
    }
}

static void read_latency(struct json_slice object, struct call_counts *c)
{
    struct json_slice l = message_member(object, "latency");
    struct json_slice buckets = l.ptr ? message_member(l, "buckets") : l;
    struct strbuf plain = STRBUF_INIT;
    if (!buckets.ptr || !message_is_string(buckets))
        return;
    strbuf_add(&plain, buckets.ptr + 1, buckets.len - 2);
    if (latency_read(&c->took, plain.buf) == 0)
        c->took_us = (uint64_t)number(l, "sum_us");
    strbuf_release(&plain);
}

static void read_call(struct metrics *m, struct json_slice object)
{
    char name[NAME_ROOM];
    bool is_tool = message_member(object, "tool_name").ptr != NULL;
    text(object, is_tool ? "tool_name" : "method", name);
    if (!name[0])
        return;
    struct call_counts *c = metrics_row(m, name, is_tool);
    struct json_slice denied = message_member(object, "denied");
    read_ended(object, c->ended);
    read_latency(object, c);
    c->redactions += (uint64_t)number(object, "redactions");
    for (int i = 0; denied.ptr && i < DENIAL_COUNT; i++)
        c->denied[i] += (uint64_t)number(denied, metrics_reason((enum denial)i));
}

static void read_name(struct metrics *m, struct json_slice object)
{
    char name[NAME_ROOM], tool_name[NAME_ROOM];
    text(object, "namespace", name);
    text(object, "tool_name", tool_name);
    int tool = memory_tool_from_name(tool_name);
    if (tool >= 0)
        read_ended(object, metrics_name(m, name, true, NULL)->ended[tool]);
}

static void read_http(struct metrics *m, struct json_slice object)
{
    for (unsigned i = 0; object.ptr && i < HTTP_CODES; i++) {
        char code[8];
        snprintf(code, sizeof(code), "%u", 100 + i);
        m->http[i] = (uint64_t)number(object, code);
    }
}

struct metrics *metrics_read_json(const char *bytes, size_t len, struct error *e)
{
    struct json_slice whole = json_trim(bytes, len);
    if (json_check(bytes, len, JSON_DEPTH_MAX, e))
        return NULL;
    struct json_slice calls = message_is_object(whole) ? message_member(whole, "calls") : whole;
    if (!message_is_object(whole) || !calls.ptr) {
        error_set(e, ERROR_INVALID, "", "these are no metrics");
        return NULL;
    }
    struct metrics *m = metrics_new(number(whole, "process"), number(whole, "started_at"));
    struct json_slice names = message_member(whole, "namespaces");
    m->sessions = number(whole, "sessions");
    m->connections = number(whole, "connections");
    for (struct json_each it = json_each(calls); json_next(&it);)
        if (message_is_object(it.value))
            read_call(m, it.value);
    if (names.ptr)
        for (struct json_each it = json_each(names); json_next(&it);)
            if (message_is_object(it.value))
                read_name(m, it.value);
    read_http(m, message_member(whole, "http"));
    return m;
}

/* ---- log ---- */

#define PAGE 512 /* rows that are read at once */

/* As the process that answered counts it: by how far the call came. */
static enum denial denial_of(int tool, const struct call_guard *g)
{
    if (tool < 0)
        return DENIAL_NONE;
    if (g->spans.store_us > 0)
        return DENIAL_MEMORY;
    return tool == MEMORY_TOOL_CONTEXT ? DENIAL_CONTEXT : DENIAL_NAMESPACE;
}

static void add_row(struct metrics *m, const struct call_row *row)
{
    bool is_tool = row->tool && row->tool[0] != '(' && !protocol_is_method(row->tool);
    int tool = is_tool ? memory_tool_from_name(row->tool) : -1;
    for (size_t i = 0; i < row->count; i++) {
        bool refused = row->outcome[i] == ERROR_REFUSED;
        struct metrics_call call = {
            .name = row->tool ? row->tool : "",
            .is_tool = is_tool,
            .outcome = row->outcome[i],
            .namespace_ = row->guard.namespace_,
            .denied = refused ? denial_of(tool, &row->guard) : DENIAL_NONE,
            .redactions = i == 0 ? row->guard.redactions : 0, /* of all of them */
            .took_us = -1,
            .times = 1,
        };
        metrics_add(m, &call);
    }
}

static int add_rows(struct metrics *m, struct reader *r, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct call_row *rows;
    size_t count = PAGE;
    int64_t after = 0;
    int result = 0;
    while (result == 0 && count == PAGE) {
        result = call_list(r, &arena, after, PAGE, &rows, &count, e);
        for (size_t i = 0; result == 0 && i < count; i++)
            add_row(m, &rows[i]);
        if (result == 0 && count)
            after = rows[count - 1].id;
        arena_release(&arena);
    }
    return result;
}

static int add_sessions(struct metrics_totals *totals, struct reader *r, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct session_row *rows;
    size_t count = PAGE;
    int64_t before = INT64_MAX;
    int result = 0;
    while (result == 0 && count == PAGE) {
        result = session_list(r, &arena, SESSIONS_BY_ROW, before, PAGE, &rows, &count, e);
        for (size_t i = 0; result == 0 && i < count; i++) {
            totals->sessions++;
            totals->living += rows[i].lives;
            totals->calls += rows[i].calls;
            totals->failures += rows[i].errors;
            latency_merge(&totals->latency, &rows[i].latency);
        }
        if (result == 0 && count)
            before = rows[count - 1].id;
        arena_release(&arena);
    }
    return result;
}

struct metrics *metrics_of_log(struct reader *r, struct metrics_totals *totals, struct error *e)
{
    struct metrics *m = metrics_new(0, 0);
    *totals = (struct metrics_totals){.sessions = 0};
    if (add_sessions(totals, r, e) || add_rows(m, r, e)) {
        metrics_free(m);
        return NULL;
    }
    m->sessions = totals->living;
    return m;
}
