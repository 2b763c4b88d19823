/* A line of a rollout of Codex: {"timestamp":…,"type":T,"payload":{…}}. A person's words are in an event; what the
 * model is given in the role of a user has more than those. */
#include <string.h>
#include "model/base/arena.h"
#include "model/base/array.h"
#include "store/import/transcripts/scan.h"

/* What of a payload matters. */
struct payload {
    struct json_slice type, role, call, name, session, cwd, version, model, info;
    struct json_slice content, message, summary, input, output;
};

static struct payload read_payload(struct json_slice value, bool *bad)
{
    struct payload p = {.type = {NULL, 0}};
    const struct {
        const char *name;
        struct json_slice *to;
    } members[] = {{"type", &p.type},       {"role", &p.role},       {"call_id", &p.call},
                   {"name", &p.name},       {"id", &p.session},      {"cwd", &p.cwd},
                   {"model", &p.model},     {"info", &p.info},       {"cli_version", &p.version},
                   {"content", &p.content}, {"message", &p.message}, {"summary", &p.summary},
                   {"arguments", &p.input}, {"input", &p.input},     {"action", &p.input},
                   {"output", &p.output}};
    struct scan s = scan_of(value);
    struct json_slice key;
    if (!value.ptr || !scan_open(&s, '{'))
        return p;
    while (scan_member(&s, &key)) {
        struct json_slice member = scan_value(&s);
        for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
            if (scan_key_is(key, members[i].name) && !members[i].to->ptr)
                *members[i].to = member;
    }
    *bad |= s.bad;
    return p;
}

static bool ends_with(struct json_slice value, const char *end)
{
    size_t len = strlen(end);
    return value.ptr && value.len > len + 1 &&
           memcmp(value.ptr + value.len - 1 - len, end, len) == 0;
}

static void take_item(struct scanned *out, const struct payload *p)
{
    bool is_result = ends_with(p->type, "_output"), is_call = ends_with(p->type, "_call");
    bool said = scan_is(p->type, "message") && scan_is(p->role, "assistant");
    out->type = said || is_call || scan_is(p->type, "reasoning") ? SCAN_ASSISTANT
                : is_result                                      ? SCAN_USER
                                                                 : SCAN_OTHER;
    out->has_text = said || is_call;
    out->has_thought = scan_is(p->type, "reasoning");
    if (is_call || is_result)
        *ARRAY_ADD(out->call, out->call_count, out->call_alloc) = (struct scan_call){
            .id = string_or_none(p->call), .name = string_or_none(p->name), .is_result = is_result};
}

static void take_event(struct scanned *out, const struct payload *p)
{
    if (scan_is(p->type, "user_message")) {
        out->type = SCAN_USER;
        out->is_person = p->message.ptr && p->message.len > 2;
    }
    if (scan_is(p->type, "token_count")) {
        struct scan info = scan_of(p->info);
        out->usage = scan_find(&info, "total_token_usage");
        out->usage_is_total = true;
    }
}

void scan_codex_line(const char *line, size_t len, struct scanned *out)
{
    struct scan s = scan_of((struct json_slice){line, len});
    struct json_slice key, type = {NULL, 0}, payload = {NULL, 0};
    scan_reset(out, SCAN_OTHER);
    if (!scan_open(&s, '{'))
        s.bad = true;
    while (scan_member(&s, &key)) {
        struct json_slice value = scan_value(&s);
        if (scan_key_is(key, "timestamp"))
            out->time = string_or_none(value);
        else if (scan_key_is(key, "type"))
            type = value;
        else if (scan_key_is(key, "payload"))
            payload = value;
    }
    while (s.at < s.end && strchr(" \t\r", *s.at) && *s.at)
        s.at++;
    bool bad = s.bad || s.at < s.end;
    struct payload p = read_payload(bad ? (struct json_slice){NULL, 0} : payload, &bad);
    if (bad) {
        out->type = SCAN_FAULT;
        return;
    }
    if (scan_is(type, "response_item"))
        take_item(out, &p);
    else if (scan_is(type, "event_msg"))
        take_event(out, &p);
    if (scan_is(type, "session_meta") || scan_is(type, "turn_context")) {
        out->cwd = string_or_none(p.cwd);
        out->version = string_or_none(p.version);
        out->model = string_or_none(p.model);
    }
}

/* ---- the parts of a line ---- */

static size_t add_texts(struct part *out, enum part_kind kind, struct json_slice list)
{
    size_t count = 0;
    for (struct json_each it = json_each(list); json_next(&it);) {
        struct json_slice text = json_member(it.value.ptr, it.value.len, "text");
        if (string_or_none(text).ptr)
            out[count++] = (struct part){.kind = kind, .value = text};
    }
    return count;
}

/* The arguments of a function are JSON in a string. */
static struct json_slice arguments(struct json_slice value, struct arena *arena)
{
    size_t len = 0;
    const char *text = string_or_none(value).ptr ? json_text(arena, value, &len) : NULL;
    if (text && len && *text == '{' && json_is_formed(text, len))
        return (struct json_slice){text, len};
    return value;
}

/* An output is a string, a list of blocks, or an object with one of them as its content. */
static struct json_slice content_of(struct json_slice output)
{
    return output.ptr && *output.ptr == '{' ? json_member(output.ptr, output.len, "content")
                                            : output;
}

size_t codex_parts(struct json_slice line, struct arena *arena, struct part **out)
{
    bool bad = false;
    struct payload p = read_payload(json_member(line.ptr, line.len, "payload"), &bad);
    *out = arena_array(arena, json_count(p.content) + json_count(p.summary) + 1, sizeof(**out));
    if (ends_with(p.type, "_output")) {
        **out = (struct part){.kind = PART_RESULT, .id = p.call, .value = content_of(p.output)};
        return 1;
    }
    if (ends_with(p.type, "_call") && p.input.ptr) {
        **out = (struct part){.kind = PART_CALL,
                              .id = string_or_none(p.call),
                              .name = string_or_none(p.name).ptr ? p.name : p.type,
                              .value = arguments(p.input, arena)};
        return 1;
    }
    if (string_or_none(p.message).ptr) {
        **out = (struct part){.kind = PART_TEXT, .value = p.message};
        return 1;
    }
    if (scan_is(p.type, "reasoning"))
        return add_texts(*out, PART_THINKING, p.summary);
    return add_texts(*out, PART_TEXT, p.content);
}
