/* A line of a transcript of Claude Code. Its versions differ: what says who wrote a "user" line came with 2.1.20x. */
#include <string.h>
#include "model/base/arena.h"
#include "model/base/array.h"
#include "store/import/transcripts/scan.h"

/* Texts that the program puts where a person's would stand. */
static const char *const made[] = {
    "<local-command", "<command-", "<bash-",   "<system-reminder",    "<task-notification",
    "<user-memory-",  "<ide_",     "Caveat: ", "[Request interrupted"};

static bool is_made(struct json_slice text)
{
    for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
        size_t len = strlen(made[i]);
        if (text.len > len && memcmp(text.ptr + 1, made[i], len) == 0)
            return true;
    }
    return false;
}

/* What is between the tags <NAME> and </NAME> of a JSON string, which has no escapes in them. */
static struct json_slice tag_of(struct json_slice text, const char *open, const char *close)
{
    const char *at = memmem(text.ptr, text.len, open, strlen(open)), *end = NULL;
    if (at) {
        at += strlen(open);
        end = memmem(at, (size_t)(text.ptr + text.len - at), close, strlen(close));
    }
    return end ? (struct json_slice){at, (size_t)(end - at)} : (struct json_slice){NULL, 0};
}

/* What a person typed behind a slash command; empty if there is nothing. */
static struct json_slice command_words(struct json_slice text)
{
    struct json_slice args = {NULL, 0};
    if (text.len > 9 && memcmp(text.ptr + 1, "<command-", 9) == 0)
        args = tag_of(text, "<command-args>", "</command-args>");
    return strspn(args.ptr ? args.ptr : "", " ") < args.len ? args : (struct json_slice){NULL, 0};
}

/* What the lines of a message say about who wrote it. */
struct about {
    struct json_slice kind, prompt, text; /* origin.kind, promptSource, the first text */
    bool is_meta, has_result;
    bool is_queued; /* typed while the agent worked */
};

static bool is_file_tool(struct json_slice key)
{
    return scan_key_is(key, "file_path") || scan_key_is(key, "path") ||
           scan_key_is(key, "notebook_path");
}

static void scan_input(struct scan *s, struct scan_call *call)
{
    struct json_slice key;
    if (!scan_open(s, '{'))
        return;
    while (scan_member(s, &key)) {
        struct json_slice value = scan_value(s);
        if (is_file_tool(key) && !call->path.ptr)
            call->path = value;
    }
}

static void scan_block(struct scan *s, struct scanned *out, struct about *about)
{
    struct scan_call call = {.is_result = false};
    struct json_slice key, type = {NULL, 0}, text = {NULL, 0};
    if (!scan_open(s, '{'))
        return;
    while (scan_member(s, &key)) {
        if (scan_key_is(key, "input")) {
            scan_input(s, &call);
            continue;
        }
        struct json_slice value = scan_value(s);
        if (scan_key_is(key, "type"))
            type = value;
        else if (scan_key_is(key, "id") || scan_key_is(key, "tool_use_id"))
            call.id = value;
        else if (scan_key_is(key, "name"))
            call.name = value;
        else if (scan_key_is(key, "text"))
            text = value;
        else if (scan_key_is(key, "is_error"))
            call.failed = value.len == 4;
    }
    call.is_result = scan_is(type, "tool_result");
    about->has_result |= call.is_result;
    if (scan_is(type, "text") && !about->text.ptr)
        about->text = text;
    out->has_text |= (scan_is(type, "text") && text.len > 2) || scan_is(type, "tool_use");
    out->has_thought |= scan_is(type, "thinking");
    if (call.is_result || scan_is(type, "tool_use"))
        *ARRAY_ADD(out->call, out->call_count, out->call_alloc) = call;
}

/* A string, or a list of blocks. */
static void scan_content(struct scan *s, struct scanned *out, struct about *about)
{
    if (s->at < s->end && *s->at == '[') {
        for (scan_open(s, '['); scan_element(s);)
            scan_block(s, out, about);
        return;
    }
    about->text = scan_value(s);
    out->has_text = about->text.len > 2 && *about->text.ptr == '"';
}

static void scan_message(struct scan *s, struct scanned *out, struct about *about)
{
    struct json_slice key;
    if (!scan_open(s, '{'))
        return;
    while (scan_member(s, &key)) {
        if (scan_key_is(key, "content")) {
            scan_content(s, out, about);
            continue;
        }
        struct json_slice value = scan_value(s);
        if (scan_key_is(key, "id"))
            out->message = value;
        else if (scan_key_is(key, "model"))
            out->model = value;
        else if (scan_key_is(key, "usage"))
            out->usage = value;
    }
}

/* {"type":"queued_command","prompt":"…","commandMode":"prompt"}; the program queues notices in another mode. */
static void scan_attachment(struct scan *s, struct scanned *out, struct about *about)
{
    struct json_slice key, type = {NULL, 0}, mode = {NULL, 0};
    if (!scan_open(s, '{'))
        return;
    while (scan_member(s, &key)) {
        if (scan_key_is(key, "prompt")) {
            scan_content(s, out, about);
            continue;
        }
        if (scan_key_is(key, "origin")) {
            about->kind = scan_find(s, "kind");
            continue;
        }
        struct json_slice value = scan_value(s);
        if (scan_key_is(key, "type"))
            type = value;
        else if (scan_key_is(key, "commandMode"))
            mode = value;
    }
    about->is_queued = scan_is(type, "queued_command") && (!mode.ptr || scan_is(mode, "prompt"));
    out->has_text &= about->is_queued;
}

static enum scan_type type_of(struct json_slice value)
{
    return scan_is(value, "user")        ? SCAN_USER
           : scan_is(value, "assistant") ? SCAN_ASSISTANT
           : scan_is(value, "system")    ? SCAN_SYSTEM
           : scan_is(value, "summary")   ? SCAN_SUMMARY
                                         : SCAN_OTHER;
}

static void take_member(struct scanned *out, struct about *about, struct json_slice key,
                        struct json_slice value)
{
    const struct {
        const char *name;
        struct json_slice *to;
    } texts[] = {{"uuid", &out->id},           {"parentUuid", &out->parent},
                 {"sessionId", &out->session}, {"timestamp", &out->time},
                 {"cwd", &out->cwd},           {"gitBranch", &out->branch},
                 {"version", &out->version},   {"promptSource", &about->prompt}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (scan_key_is(key, texts[i].name) && string_or_none(value).ptr)
            *texts[i].to = value;
    /* A compaction begins a new root, which names the line before it. */
    if (scan_key_is(key, "logicalParentUuid") && string_or_none(value).ptr && !out->parent.ptr)
        out->parent = value;
    if (scan_key_is(key, "type"))
        out->type = type_of(value);
    bool is_true = value.len == 4 && memcmp(value.ptr, "true", 4) == 0;
    if (scan_key_is(key, "isSidechain"))
        out->is_sidechain = is_true;
    if (scan_key_is(key, "isMeta") || scan_key_is(key, "isCompactSummary"))
        about->is_meta |= is_true;
}

static bool is_person(const struct scanned *line, const struct about *about)
{
    if ((line->type != SCAN_USER && !about->is_queued) || line->is_sidechain || about->is_meta ||
        about->has_result || !about->text.ptr)
        return false;
    if (about->kind.ptr)
        return scan_is(about->kind, "human");
    if (about->prompt.ptr && !scan_is(about->prompt, "typed"))
        return false;
    return line->has_text && (!is_made(about->text) || command_words(about->text).ptr);
}

void scan_claude_line(const char *line, size_t len, struct scanned *out)
{
    struct scan s = scan_of((struct json_slice){line, len});
    struct about about = {.is_meta = false};
    struct json_slice key;
    scan_reset(out, SCAN_OTHER);
    if (scan_open(&s, '{')) {
        while (scan_member(&s, &key)) {
            if (scan_key_is(key, "message"))
                scan_message(&s, out, &about);
            else if (scan_key_is(key, "toolUseResult"))
                out->agent =
                    string_or_none(scan_find(&s, "agentId")); /* of the tool that starts one */
            else if (scan_key_is(key, "attachment"))
                scan_attachment(&s, out, &about);
            else if (scan_key_is(key, "origin"))
                about.kind = scan_find(&s, "kind");
            else
                take_member(out, &about, key, scan_value(&s));
        }
    } else {
        s.bad = true;
    }
    while (s.at < s.end && strchr(" \t\r", *s.at) && *s.at)
        s.at++;
    if (s.bad || s.at < s.end) {
        out->type = SCAN_FAULT;
        return;
    }
    out->is_person = is_person(out, &about);
}

/* ---- the parts of a line ---- */

static bool read_block(struct json_slice block, struct part *part)
{
    static const struct {
        const char *type, *value;
        enum part_kind kind;
    } kinds[] = {{"text", "text", PART_TEXT},
                 {"thinking", "thinking", PART_THINKING},
                 {"tool_use", "input", PART_CALL},
                 {"tool_result", "content", PART_RESULT}};
    struct json_slice type = json_member(block.ptr, block.len, "type");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (!scan_is(type, kinds[i].type))
            continue;
        bool is_result = kinds[i].kind == PART_RESULT;
        struct json_slice failed = json_member(block.ptr, block.len, "is_error");
        *part = (struct part){
            .kind = kinds[i].kind,
            .id = json_member(block.ptr, block.len, is_result ? "tool_use_id" : "id"),
            .name = json_member(block.ptr, block.len, "name"),
            .value = json_member(block.ptr, block.len, kinds[i].value),
            .failed = failed.len == 4,
        };
        return part->value.ptr || is_result;
    }
    return false;
}

/* A slash command as it was typed: "/name words". */
static struct json_slice as_typed(struct json_slice text, struct arena *arena)
{
    struct json_slice words = command_words(text);
    struct json_slice name = tag_of(text, "<command-name>", "</command-name>");
    if (!words.ptr)
        return text;
    const char *typed = arena_format(arena, "\"%.*s %.*s\"", (int)name.len,
                                     name.ptr ? name.ptr : "", (int)words.len, words.ptr);
    return (struct json_slice){typed, strlen(typed)};
}

size_t claude_parts(struct json_slice line, struct arena *arena, struct part **out)
{
    struct json_slice message = json_member(line.ptr, line.len, "message");
    struct json_slice queued = json_member(line.ptr, line.len, "attachment");
    struct json_slice content = message.ptr  ? json_member(message.ptr, message.len, "content")
                                : queued.ptr ? json_member(queued.ptr, queued.len, "prompt")
                                             : message;
    size_t count = 0;
    *out = arena_array(arena, json_count(content) + 1, sizeof(**out));
    if (content.ptr && *content.ptr == '"')
        (*out)[count++] = (struct part){.kind = PART_TEXT, .value = as_typed(content, arena)};
    for (struct json_each it = json_each(content); json_next(&it);)
        count += read_block(it.value, &(*out)[count]);
    return count;
}
