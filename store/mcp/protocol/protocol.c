/* The methods of the protocol: their table, the two eras, the handshake, and errors. */
#include <string.h>
#include "store/db/thread.h"
#include "store/mcp/protocol/connection_internal.h"
#include "model/base/utf8.h"
#include "store/ops/add.h"
#include "store/mcp/protocol/masking.h"

static const char *const legacy_revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18",
                                               MCP_LEGACY_NEWEST};

static const struct method *protocol_method_meant(const struct exchange *x);

static const char offered[] =
    "{\"tools\":{},\"resources\":{\"subscribe\":true},\"prompts\":{},\"completions\":{},"
    "\"logging\":{}}";

#define OWN_NAME       "You are %.*s%s here; another agent_id is only a claim."
#define NO_NAME        "No name is granted to you here: an agent_id is kept as a claim."
#define NAME_MAX_SHOWN (MCP_OWN_NAME_MAX - (sizeof(OWN_NAME) - sizeof("%.*s%s")))

/* Tells the client whose memories its session writes. The name is not masked: it is the client's own. A longer name is
 * cut; getContext returns it whole. */
static void add_own_name(const struct mcp_connection *c, struct strbuf *out)
{
    static const char more[] = "… (the rest: getContext)";
    size_t len = c->agent ? strlen(c->agent) : 0;
    bool cut = len > NAME_MAX_SHOWN;
    if (cut)
        len = utf8_fit(c->agent, len, NAME_MAX_SHOWN - (sizeof(more) - 1));
    if (c->agent)
        strbuf_addf(out, OWN_NAME, (int)len, c->agent, cut ? more : "");
    else
        strbuf_addstr(out, NO_NAME);
}

static void add_instructions(const struct exchange *x, struct reply *r)
{
    AUTO_STRBUF all = STRBUF_INIT;
    if (!x->c->service->instructions)
        return;
    x->c->service->instructions(&x->c->offer, &all);
    if (all.len && all.buf[all.len - 1] != '\n')
        strbuf_addch(&all, '\n');
    add_own_name(x->c, &all);
    json_key(&r->result, "instructions");
    json_add_string_len(r->out, all.buf, all.len);
}

const char *protocol_legacy_revision(const char *name)
{
    for (size_t i = 0; i < sizeof(legacy_revisions) / sizeof(*legacy_revisions); i++)
        if (strcmp(legacy_revisions[i], name) == 0)
            return legacy_revisions[i];
    return NULL;
}

static bool is_absent_or_object(struct json_slice value)
{
    return !value.ptr || message_is_object(value);
}

static void protocol_initialize(const struct exchange *x)
{
    struct mcp_connection *c = x->c;
    struct json_slice version = message_member(x->m->params, "protocolVersion");
    struct json_slice client = message_member(x->m->params, "clientInfo");
    struct json_slice capabilities = message_member(x->m->params, "capabilities");
    char wanted[32];
    struct reply r = reply_to(x);
    if (!message_is_string(version)) {
        refuse_params(x, "params.protocolVersion must be a string");
        return;
    }
    if (!is_absent_or_object(client) || !is_absent_or_object(capabilities)) {
        refuse_params(x, "params.clientInfo and params.capabilities must be objects");
        return;
    }
    message_copy_string(version, wanted, sizeof(wanted));
    const char *ours = protocol_legacy_revision(wanted);
    c->revision = ours ? ours : MCP_LEGACY_NEWEST;
    free(c->client);
    c->client = client_name(client);
    c->claims_noted = false;
    c->elicits = elicit_declared(capabilities);
    client_session_begin(c, c->revision, x->m, client);
    reply_open(&r);
    json_pair(&r.result, "protocolVersion", c->revision);
    json_pair_raw(&r.result, "capabilities", offered);
    json_key(&r.result, "serverInfo");
    reply_add_server(r.out, c->service);
    add_instructions(x, &r);
    reply_close(&r);
}

static void protocol_discover(const struct exchange *x)
{
    struct reply r = reply_to(x);
    reply_open(&r);
    json_pair_raw(&r.result, "supportedVersions", "[\"" MCP_MODERN "\"]");
    json_pair_raw(&r.result, "capabilities", offered);
    add_instructions(x, &r);
    reply_close(&r);
}

/* ---- messages refused before there is a call: they are counted and logged, too ---- */

static enum error_code outcome_of(const struct mcp_connection *c)
{
    if (c->refused != RPC_INTERNAL_ERROR)
        return ERROR_INVALID;
    return c->client_session && session_is_ended(c->client_session->session) ? ERROR_REFUSED
                                                                             : ERROR_STORE;
}

/* True for a string of 1 to `most` characters with at least one visible character. */
static bool is_name(struct json_slice value, size_t most)
{
    char name[4 * TASK_NAME_MAX + 1];
    int len = message_copy_string(value, name, sizeof(name));
    return len > 0 && utf8_valid(name, (size_t)len) && !utf8_is_blank(name) &&
           utf8_count(name) <= most;
}

/* Checks stemma's members of _meta, so that a request is never attributed to the wrong agent or task. Returns a
 * message, or NULL if they are valid. */
static const char *protocol_check_own_meta(const struct message *m)
{
    double spent;
    if (m->agent.ptr && !is_name(m->agent, AGENT_NAME_MAX))
        return MCP_META_OWN("agent_id") " must be a string of 1 to 200 characters, not all blank";
    if (m->task.ptr && !is_name(m->task, TASK_NAME_MAX))
        return MCP_META_OWN("task_id") " must be a string of 1 to 1000 characters, not all blank";
    if (m->spent.ptr && (json_double(m->spent, &spent) || spent < 0))
        return MCP_META_OWN("usd_spent") " must be a number from 0 on";
    return NULL;
}

/* True for a valid modern request: it states its sender and revision. */
static bool states_sender(const struct message *m)
{
    char version[sizeof(MCP_MODERN)];
    return m->class == MESSAGE_REQUEST && m->modern &&
           message_copy_string(m->version, version, sizeof(version)) >= 0 &&
           strcmp(version, MCP_MODERN) == 0 && !protocol_check_own_meta(m);
}

/* Wrong tool or method names and invalid messages are logged too, if the client has a session or states who it is. */
void protocol_count_refused(const struct exchange *x)
{
    const struct method *method = protocol_method_meant(x);
    if (!x->c->client_session && states_sender(x->m))
        client_session_ensure(x->c, x->m);
    struct client_session *client_session = x->c->client_session;
    if (!client_session)
        return;
    struct mcp_request r = {.method = method, .host = x->c->host};
    r.call.request = &r;
    r.call.session = client_session->session;
    r.call.arguments = (struct json_slice){"{}", 2};
    r.call.actor.claimed = session_claim(client_session->session);
    r.call.began_us = monotonic_us();
    r.call.tool = method->serve == protocol_tools_call ? protocol_tool_meant(x) : NULL;
    r.call.error.code = outcome_of(x->c);
    r.call.denied = r.call.error.code == ERROR_REFUSED ? DENIAL_SESSION : DENIAL_NONE;
    r.call.guard = connection_guard(x->c);
    request_take_answer(&r.call, x->c, x->batch);
    r.call.arguments = method->serve == protocol_tools_call ? x->m->arguments : x->m->params;
    request_note(&r.call, false);
    guard_rules_release(r.call.guard.rules);
    arena_release(&r.call.arena);
}

/* ---- protocol ---- */

#define BOTH (METHOD_LEGACY | METHOD_MODERN)

bool protocol_is_first_page(const struct exchange *x)
{
    struct json_slice cursor = message_member(x->m->params, "cursor");
    if (!cursor.ptr || (message_is_string(cursor) && cursor.len == 2))
        return true;
    refuse_params(x, "there is no page for this cursor");
    return false;
}

static void set_level(const struct exchange *x)
{
    char name[16];
    struct json_slice level = message_member(x->m->params, "level");
    int number = message_copy_string(level, name, sizeof(name)) < 0 ? -1 : log_level_named(name);
    if (number < 0) {
        refuse_params(
            x, "params.level must be debug, info, notice, warning, error, critical, alert or "
               "emergency");
        return;
    }
    x->c->log_level = number;
    reply_empty(x);
}

/* ---- the methods ---- */

/* The most frequent first. */
static const struct method methods[] = {
    {"tools/call", BOTH, protocol_tools_call},
    {"tools/list", BOTH | METHOD_CACHED, protocol_tools_list},
    {"ping", METHOD_LEGACY, reply_empty},
    {"resources/read", BOTH | METHOD_CACHED | METHOD_RESOURCE, protocol_resources_read},
    {"resources/list", BOTH | METHOD_CACHED, protocol_resources_list},
    {"resources/templates/list", BOTH | METHOD_CACHED, protocol_templates_list},
    {"resources/subscribe", METHOD_LEGACY, protocol_subscribe},
    {"resources/unsubscribe", METHOD_LEGACY, protocol_unsubscribe},
    {"completion/complete", BOTH, protocol_complete},
    {"prompts/list", BOTH | METHOD_CACHED, protocol_prompts_list},
    {"prompts/get", BOTH, protocol_prompts_get},
    {"subscriptions/listen", METHOD_MODERN, protocol_listen},
    {"server/discover", METHOD_MODERN | METHOD_CACHED, protocol_discover},
    {"initialize", METHOD_LEGACY, protocol_initialize},
    {"logging/setLevel", METHOD_LEGACY, set_level},
};

/* Names under which other messages are counted: those with an unknown method, and those without one. */
static const struct method unknown_method = {.name = "unknown_method"};
static const struct method invalid_message = {.name = "invalid_message"};

bool protocol_is_method(const char *name)
{
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
        if (strcmp(methods[i].name, name) == 0)
            return true;
    return strcmp(name, unknown_method.name) == 0 || strcmp(name, invalid_message.name) == 0;
}

static const struct method *find_method(const struct exchange *x)
{
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
        if (strcmp(methods[i].name, x->m->method) == 0)
            return &methods[i];
    return NULL;
}

/* The method under which a refused message is counted. */
static const struct method *protocol_method_meant(const struct exchange *x)
{
    const struct method *found = find_method(x);
    bool named = x->m->method[0] || x->c->refused == RPC_METHOD_NOT_FOUND;
    return found ? found : named ? &unknown_method : &invalid_message;
}

struct guard_rules *connection_rules(const struct mcp_connection *c)
{
    return c->host->rules ? c->host->rules(c->host) : NULL;
}

void protocol_mask(const struct guard_rules *rules, const char *text, struct strbuf *out)
{
    if (rules)
        pii_mask_string(guard_pii(rules), text, strlen(text), out, NULL);
    else
        strbuf_addstr(out, text);
}

void refuse_name(const struct exchange *x, enum rpc_code code, const char *what, const char *name,
                 const char *instead)
{
    AUTO_STRBUF masked = STRBUF_INIT;
    struct guard_rules *rules = connection_rules(x->c);
    protocol_mask(rules, name, &masked);
    guard_rules_release(rules);
    reply_error(reply_to(x), code, "no %s \"%s\"%s", what, masked.buf, instead);
}

void refuse_given(const struct exchange *x, enum rpc_code code, struct json_slice given,
                  struct error *e)
{
    struct guard_rules *rules = connection_rules(x->c);
    if (rules)
        mask_error(guard_pii(rules), given, e);
    guard_rules_release(rules);
    reply_error(reply_to(x), code, "%s. %s", e->what, e->hint);
}

/* Validates _meta. Answers with an error and returns false if it is invalid. */
static bool check_meta(const struct exchange *x)
{
    const char *wrong = protocol_check_own_meta(x->m);
    if (wrong) {
        refuse_params(x, "params._meta: %s", wrong);
        return false;
    }
    struct json_slice token = x->m->token, level = x->m->log_level;
    char name[16];
    bool is_null = token.len == 4 && *token.ptr == 'n';
    if (token.ptr && !is_null && !message_is_id(token)) {
        refuse_params(x, "params._meta.progressToken must be a string or an integer");
        return false;
    }
    if (!x->m->modern || !level.ptr)
        return true;
    if (message_copy_string(level, name, sizeof(name)) >= 0 && log_level_named(name) >= 0)
        return true;
    refuse_params(x, "unknown log level");
    return false;
}

/* A request that states its version in `_meta` can use only the stateless era, so legacy revisions are not offered to
 * it. */
void protocol_refuse_version(const struct exchange *x, const char *wanted)
{
    AUTO_STRBUF data = STRBUF_INIT;
    size_t legacy = x->m->modern ? 0 : sizeof(legacy_revisions) / sizeof(*legacy_revisions);
    struct json_object o = json_begin(&data, '{');
    struct json_object list = json_open(&o, "supported", '[');
    json_item_string(&list, MCP_MODERN);
    while (legacy-- > 0)
        json_item_string(&list, legacy_revisions[legacy]);
    json_end(&list);
    json_pair(&o, "requested", wanted);
    json_end(&o);
    reply_error_with(reply_to(x), RPC_UNSUPPORTED_VERSION, &data,
                     "this protocol version is not supported");
}

static void serve_modern(struct exchange *x)
{
    const struct message *m = x->m;
    char version[256];
    if (message_copy_string(m->version, version, sizeof(version)) < 0)
        snprintf(version, sizeof(version), "(not a version)");
    if (!message_is_string(m->version))
        refuse_params(x, "params._meta must have " MCP_META("protocolVersion") ", a string");
    else if (strcmp(version, MCP_MODERN) != 0)
        protocol_refuse_version(x, version);
    else if (!x->method || !(x->method->flags & METHOD_MODERN))
        refuse_name(x, RPC_METHOD_NOT_FOUND, "method", x->m->method, "");
    else if (!message_is_object(m->capabilities))
        refuse_params(x, "params._meta must have " MCP_META("clientCapabilities") ", an object");
    else if (check_meta(x)) {
        client_session_ensure(x->c, m);
        x->method->serve(x);
    }
}

static void serve_legacy(struct exchange *x)
{
    if (!x->method)
        refuse_name(x, RPC_METHOD_NOT_FOUND, "method", x->m->method, "");
    else if (!(x->method->flags & METHOD_LEGACY))
        refuse_params(x,
                      "%s needs params._meta with " MCP_META("protocolVersion") " and " MCP_META(
                          "clientCapabilities"),
                      x->m->method);
    else if (check_meta(x))
        x->method->serve(x);
}

void protocol_request(struct exchange *x)
{
    if (request_find(x->c, x->m->id) || stream_find(x->c, x->m->id)) {
        reply_error(reply_to(x), RPC_INVALID_REQUEST, "a request with this id is in flight");
        return;
    }
    x->method = find_method(x);
    if (x->m->modern)
        serve_modern(x);
    else
        serve_legacy(x);
    if (x->c->client_session)
        session_add_bytes(x->c->client_session->session, x->m->whole.len);
}

void protocol_notification(struct mcp_connection *c, const struct message *m)
{
    if (strcmp(m->method, "notifications/cancelled") != 0)
        return;
    struct json_slice id = message_member(m->params, "requestId");
    if (!id.ptr || !message_is_id(id))
        return;
    struct subscription *stream = stream_find(c, id);
    struct mcp_request *r = request_find(c, id);
    if (stream)
        stream_end(c, stream);
    else if (r)
        request_cancel(r);
}

/* ---- answers of calls ---- */

static enum rpc_code code_of(const struct mcp_call *call)
{
    switch (call->error.code) {
    case ERROR_NOT_FOUND:
        if (call->era == ERA_LEGACY && call->request->method->flags & METHOD_RESOURCE)
            return RPC_RESOURCE_NOT_FOUND;
        return RPC_INVALID_PARAMS;
    case ERROR_USAGE:
    case ERROR_INVALID:
        return RPC_INVALID_PARAMS;
    case ERROR_REFUSED: /* the caller may not have what it asked for */
        return call->denied == DENIAL_SESSION ? RPC_INTERNAL_ERROR : RPC_INVALID_PARAMS;
    default:
        return RPC_INTERNAL_ERROR;
    }
}

/* Adds the URI that the client asked for, masked, as data of the error. */
static void add_uri(struct strbuf *data, struct mcp_call *call)
{
    char uri[MCP_URI_MAX];
    message_copy_string(message_member(call->arguments, "uri"), uri, sizeof(uri));
    AUTO_STRBUF shown = STRBUF_INIT;
    if (call_mask_text(call, uri, &shown))
        call->redactions += guard_count_placeholders(shown.buf, shown.len);
    strbuf_addstr(data, "{\"uri\":");
    json_add_string_len(data, shown.buf, shown.len);
    strbuf_addch(data, '}');
}

static void answer_error(struct reply r, struct mcp_call *call)
{
    const struct error *e = &call->error;
    AUTO_STRBUF data = STRBUF_INIT;
    if (e->code == ERROR_NOT_FOUND && call->request->method->flags & METHOD_RESOURCE)
        add_uri(&data, call);
    reply_error_with(r, code_of(call), &data, "%s%s%s", e->what, e->hint[0] ? ". " : "", e->hint);
}

void protocol_answer(struct reply r, struct mcp_call *call)
{
    if (call->tool && call->error.code != ERROR_NONE)
        reply_tool_error(r, &call->error, call->details);
    else if (call->tool && call->tool->whole)
        reply_tool_whole(r, &call->result);
    else if (call->tool)
        reply_tool(r, &call->result, false);
    else if (call->error.code != ERROR_NONE)
        answer_error(r, call);
    else
        reply_members(r, &call->result);
}

/* ---- calls ---- */

/* A client that is identified by its own claims keeps its session when it reconnects, so reconnecting does not help
 * it. */
static int set_ended_error(const struct mcp_connection *c, struct error *e)
{
    _Static_assert(SESSION_REFUSED_MS == 600000, "the hint says ten minutes");
    return error_set(e, ERROR_REFUSED,
                     c->self_identified
                         ? "Ask the person who reviews this store. A new session can "
                           "begin ten minutes after the end."
                         : "Reconnect if you are meant to continue.",
                     "a person ended this session");
}

bool protocol_refuse_ended(const struct exchange *x)
{
    struct error e;
    if (!x->c->client_session || !session_is_ended(x->c->client_session->session))
        return false;
    set_ended_error(x->c, &e);
    reply_error(reply_to(x), RPC_INTERNAL_ERROR, "%s. %s", e.what, e.hint);
    return true;
}

int protocol_deny(const struct mcp_call *call, struct error *e)
{
    if (session_is_ended(call->session))
        return set_ended_error(call->connection, e);
    return error_set(e, ERROR_REFUSED, "Read, or ask the person who reviews this store.",
                     "a person made this session read-only");
}

/* Reads the session's row again if the session is known as read-only: a person may just have allowed writes. If
 * reading fails, the known state applies. */
static bool is_read_only(const struct mcp_call *call)
{
    struct error ignored;
    struct reader *r = call->request->host->reader;
    if (session_is_read_only(call->session) && r)
        session_apply_decision(call->session, r, &ignored);
    return session_is_read_only(call->session);
}

int protocol_admit(struct mcp_call *call, struct error *e)
{
    struct reader *r = call->request->host->reader;
    if (r && store_file_result(reader_store(r), e))
        return -1;
    bool ended = call->session && session_is_ended(call->session);
    if (!ended && !(call->session && call->work == WORK_WRITE && is_read_only(call)))
        return 0;
    call->denied = DENIAL_SESSION;
    return protocol_deny(call, e);
}

void protocol_start_read(const struct exchange *x, call_read read)
{
    protocol_start(request_new(x, (struct json_slice){NULL, 0}), read);
}

void protocol_start(struct mcp_call *call, call_read read)
{
    call->read = read;
    call->work = WORK_READ;
    if (protocol_admit(call, &call->error))
        request_fail(call);
    else
        request_start(call);
}
