/* How a session begins: who the server is, what it offers, and by which name its client goes here. */
#include "store/mcp/protocol/protocol.h"

#include <string.h>
#include "model/base/utf8.h"

static const char *const legacy_revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18",
                                               MCP_LEGACY_NEWEST};

void protocol_add_capabilities(struct strbuf *out, const struct mcp_service *service)
{
    struct json_object o = json_begin(out, '{');
    if (protocol_has_tools(service)) {
        json_key(&o, "tools");
        strbuf_addstr(out, "{}");
    }
    if (protocol_has_resources(service)) {
        json_key(&o, "resources");
        strbuf_addstr(out, protocol_has_subscriptions(service) ? "{\"subscribe\":true}" : "{}");
    }
    if (protocol_has_prompts(service)) {
        json_key(&o, "prompts");
        strbuf_addstr(out, "{}");
    }
    if (protocol_has_completion(service)) {
        json_key(&o, "completions");
        strbuf_addstr(out, "{}");
    }
    json_key(&o, "logging");
    strbuf_addstr(out, "{}");
    json_end(&o);
}

#define OWN_NAME       "You are %.*s%s here: an agent_id that you give is that.\n"
#define NAME_MAX_SHOWN (MCP_OWN_NAME_MAX - (sizeof(OWN_NAME) - sizeof("%.*s%s")))

/* Whom the session is bound to, where it is, so that no call names another: as it is taken, for one's own name is told to
 * nobody else. getContext tells one that is too long here. */
static void add_own_name(const struct exchange *x, struct strbuf *out)
{
    struct arena arena = ARENA_INIT;
    struct guard g = request_guard(x, &arena);
    if (g.bound && g.agent) {
        static const char more[] = "… (the rest: getContext)";
        size_t len = strlen(g.agent);
        bool cut = len > NAME_MAX_SHOWN;
        if (cut)
            len = utf8_fit(g.agent, len, NAME_MAX_SHOWN - (sizeof(more) - 1));
        strbuf_addf(out, OWN_NAME, (int)len, g.agent, cut ? more : "");
    }
    guard_rules_release(g.rules);
    arena_release(&arena);
}

/* The name comes first. */
static void add_instructions(const struct exchange *x, struct reply *r)
{
    const char *instructions = x->c->service->instructions;
    struct strbuf all = STRBUF_INIT;
    if (!instructions)
        return;
    add_own_name(x, &all);
    strbuf_addstr(&all, instructions);
    json_key(&r->result, "instructions");
    json_add_string_len(r->out, all.buf, all.len);
    r->out->failed |= all.failed;
    strbuf_release(&all);
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

void protocol_initialize(const struct exchange *x)
{
    struct mcp_connection *c = x->c;
    struct json_slice version = message_member(x->m->params, "protocolVersion");
    struct json_slice client = message_member(x->m->params, "clientInfo");
    struct json_slice capabilities = message_member(x->m->params, "capabilities");
    char wanted[32];
    struct reply r = reply_to(x);
    if (!message_is_string(version)) {
        reply_error(r, RPC_INVALID_PARAMS, "params.protocolVersion must be a string");
        return;
    }
    if (!is_absent_or_object(client) || !is_absent_or_object(capabilities)) {
        reply_error(r, RPC_INVALID_PARAMS,
                    "params.clientInfo and params.capabilities must be objects");
        return;
    }
    message_word(version, wanted, sizeof(wanted));
    const char *ours = protocol_legacy_revision(wanted);
    c->revision = ours ? ours : MCP_LEGACY_NEWEST;
    free(c->client);
    c->client = sitting_name(client);
    sitting_begin(c, c->revision, x->m, client);
    reply_open(&r);
    json_key(&r.result, "protocolVersion");
    json_add_string(r.out, c->revision);
    json_key(&r.result, "capabilities");
    protocol_add_capabilities(r.out, c->service);
    json_key(&r.result, "serverInfo");
    reply_add_server(r.out, c->service);
    add_instructions(x, &r);
    reply_close(&r);
}

void protocol_discover(const struct exchange *x)
{
    struct reply r = reply_to(x);
    reply_open(&r);
    json_key(&r.result, "supportedVersions");
    strbuf_addstr(r.out, "[\"" MCP_MODERN "\"]");
    json_key(&r.result, "capabilities");
    protocol_add_capabilities(r.out, x->c->service);
    add_instructions(x, &r);
    reply_close(&r);
}
