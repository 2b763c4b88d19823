/* getContext: what a session, its agent and its task are. */
#include <assert.h>
#include <string.h>
#include "model/base/clock.h"
#include "store/mcp/protocol/message.h"
#include "store/mcp/tools/tool_entry.h"

#define BYTES_A_TOKEN 4 /* an estimate, and said to be one */

static const char *one_part(int i)
{
    static const char *const names[] = {"session", "agent", "task", "all"};
    return i >= 0 && i < 4 ? names[i] : NULL;
}
enum {
    ALL_PARTS = 3
};

static const struct field arguments[] = {
    {.name = "context_type",
     .type = FIELD_STRING,
     .choice = one_part,
     .fallback = "\"all\"",
     .about = "Which part; all: those that you may have."},
    {.name = "include_history",
     .type = FIELD_BOOLEAN,
     .fallback = "false",
     .about = "With the session: its calls of tools, the last 1,000, the oldest first."},
    FIELD_END,
};

static const struct field usage_fields[] = {
    {.name = "tokens_used",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "An estimate: the bytes that passed through this session, by 4."},
    {.name = "tokens_estimated", .type = FIELD_BOOLEAN, .flags = FIELD_REQUIRED, .about = "true."},
    {.name = "usd_spent",
     .type = FIELD_NUMBER,
     .flags = FIELD_REQUIRED,
     .about = "As the client said last, by dev.stemma/usd_spent in _meta; else 0."},
    FIELD_END,
};

static const struct field past_fields[] = {
    {.name = "tool_name", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "timestamp",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_TIME,
     .about = "ISO 8601, UTC."},
    {.name = "success", .type = FIELD_BOOLEAN, .flags = FIELD_REQUIRED},
    FIELD_END,
};

static const struct field answer[] = {
    {.name = "session_id", .type = FIELD_STRING},
    {.name = "start_time",
     .type = FIELD_STRING,
     .flags = FIELD_TIME,
     .about = "Of the session: ISO 8601, UTC."},
    {.name = "agent_id",
     .type = FIELD_STRING,
     .flags = FIELD_SELF,
     .about = "As you said: `stemma mcp --agent`, or dev.stemma/agent_id in _meta."},
    {.name = "task_id",
     .type = FIELD_STRING,
     .about = "As you said: `stemma mcp --task`, or dev.stemma/task_id in _meta."},
    {.name = "memory_usage", .type = FIELD_OBJECT, .fields = usage_fields},
    {.name = "tool_history", .type = FIELD_ARRAY, .of = FIELD_OBJECT, .fields = past_fields},
    {.name = "history_omitted",
     .type = FIELD_INTEGER,
     .about = "How many older calls tool_history leaves out."},
    FIELD_END,
};

static unsigned allowed(const struct mcp_call *call)
{
    const struct permissions *p = call_permissions(call);
    return p ? permission_contexts(p, call->guard.agent)
             : CONTEXT_SESSION | CONTEXT_AGENT | CONTEXT_TASK;
}

static int deny(struct mcp_call *call, const char *part, struct error *e)
{
    static const char format[] = "\"context_type\":\"%s\",\"operation\":\"read\"";
    struct strbuf details = STRBUF_INIT;
    call->denied = DENIAL_CONTEXT;
    error_set(e, ERROR_REFUSED, "Ask for another part, or for all that you may have.",
              "Access denied to the context of the %s", part);
    strbuf_addf(&details, format, part);
    call->details = details.failed ? NULL : arena_strndup(&call->arena, details.buf, details.len);
    strbuf_release(&details);
    return -1;
}

/* A part that is none of them is for the check of the arguments to refuse. */
static int permit(struct mcp_call *call, struct error *e)
{
    struct json_slice said = message_member(call->arguments, "context_type");
    unsigned parts = allowed(call);
    char name[16] = "all";
    if (said.ptr && message_word(said, name, sizeof(name)) < 0)
        return 0;
    for (int i = 0; i < ALL_PARTS; i++)
        if (strcmp(name, one_part(i)) == 0 && !(parts >> i & 1))
            return deny(call, name, e);
    return parts || strcmp(name, one_part(ALL_PARTS)) != 0 ? 0 : deny(call, one_part(0), e);
}

static int begin(struct mcp_call *call, struct error *e)
{
    return call_pace(call, MEMORY_TOOL_CONTEXT, "", e);
}

static void pair_time(struct json_object *o, const char *name, int64_t ms)
{
    char when[32];
    clock_format_iso(when, sizeof(when), ms);
    json_pair(o, name, when);
}

static_assert(SESSION_PAST_MAX == 1000, "the description says so");

static void add_history(struct json_object *o, const struct session *s,
                        const struct session_use *used)
{
    json_key(o, "tool_history");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < used->kept; i++) {
        struct past_call past = session_past(s, i);
        json_item(&list);
        struct json_object one = json_begin(o->out, '{');
        json_pair(&one, "tool_name", past.tool);
        pair_time(&one, "timestamp", past.at);
        json_key(&one, "success");
        strbuf_addstr(o->out, past.outcome == ERROR_NONE ? "true" : "false");
        json_end(&one);
    }
    json_end(&list);
    if (used->calls > (int64_t)used->kept)
        json_pair_int(o, "history_omitted", used->calls - (int64_t)used->kept);
}

static void add_session(struct json_object *o, const struct session *s, bool history)
{
    if (!s)
        return;
    struct session_use used = session_used(s);
    json_pair(o, "session_id", session_uuid(s));
    pair_time(o, "start_time", used.started_at);
    json_key(o, "memory_usage");
    struct json_object usage = json_begin(o->out, '{');
    json_pair_int(&usage, "tokens_used", used.bytes / BYTES_A_TOKEN);
    json_key(&usage, "tokens_estimated");
    strbuf_addstr(o->out, "true");
    json_key(&usage, "usd_spent");
    json_add_double(o->out, used.usd);
    json_end(&usage);
    if (history)
        add_history(o, s, &used);
}

/* In the loop's thread, where sessions are: nothing of the store is read, so that it is never long. */
static int read_context(struct mcp_call *call, struct reader *r, struct error *e)
{
    (void)r;
    struct taking t = take_from(call);
    int part = take_choice(&t, "context_type", one_part, ALL_PARTS);
    if (take_end(&t, e))
        return -1;
    unsigned parts = part == ALL_PARTS ? allowed(call) : 1u << part;
    struct json_object o = json_begin(&call->result, '{');
    if (parts & CONTEXT_SESSION)
        add_session(&o, call->session, arg_bool(call->arguments, "include_history", false));
    if (parts & CONTEXT_AGENT && call->guard.bound)
        json_pair(&o, "agent_id", call->guard.agent);
    if (parts & CONTEXT_TASK && call->task)
        json_pair(&o, "task_id", call->task);
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_get_context = {
    .name = "getContext",
    .title = "Where am I?",
    .description =
        "Tells what this session is: its id and when it began, for which agent and task, and about "
        "how much passed through it. With include_history every call of a tool in it, with its "
        "time and whether it succeeded: use that to pick up where you left off. Of more than 1,000 "
        "calls the last are given, and history_omitted says how many came before.\n"
        "Example: {\"context_type\": \"session\", \"include_history\": true}. A part that you may "
        "not have is PERMISSION_DENIED; all gives those that you may.",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .permit = permit,
    .begin = begin,
    .read = read_context,
};
