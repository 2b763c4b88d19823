/* Messages that were answered with an error before they were any call's: counted and logged all the same. */
#include "store/mcp/protocol/protocol.h"
#include "store/mcp/protocol/request.h"

static enum error_code outcome_of(const struct mcp_connection *c)
{
    if (c->refused != RPC_INTERNAL_ERROR)
        return ERROR_INVALID;
    return c->sitting && session_is_ended(c->sitting->session) ? ERROR_REFUSED : ERROR_MEMORY;
}

/* What is to be counted of a message that may be wrong in all else: who it says that it is from. */
static struct message who_says(const struct message *m)
{
    struct message agent = {.agent = m->agent}, task = {.task = m->task};
    struct message out = {.class = m->class, .id = {"null", 4}, .modern = m->modern};
    out.client = m->client;
    if (!protocol_check_own_meta(&agent))
        out.agent = m->agent;
    if (!protocol_check_own_meta(&task))
        out.task = m->task;
    return out;
}

/* Does it say by itself who sends it, and of which revision that is? */
static bool says_who(const struct message *m)
{
    char version[sizeof(MCP_MODERN)];
    return m->modern && message_word(m->version, version, sizeof(version)) >= 0 &&
           strcmp(version, MCP_MODERN) == 0;
}

/* An agent that has the name of a tool or a method wrong, or its form, is to be seen, too. Who did not begin a session
 * begins none by that, unless a message that is one called a tool or says who it is from. */
void protocol_count_refused(const struct exchange *x)
{
    struct message said = who_says(x->m);
    struct exchange counted = {.c = x->c, .m = &said, .method = protocol_method_meant(x)};
    bool calls = counted.method->serve == protocol_tools_call;
    bool is_request = x->m->class == MESSAGE_REQUEST;
    if (!x->c->sitting && is_request && (x->m->modern ? says_who(x->m) : calls))
        sitting_meet(x->c, &said);
    struct mcp_call *call =
        (is_request && calls) || x->c->sitting ? request_refused(&counted) : NULL;
    if (!call)
        return;
    call->tool = calls ? protocol_tool_meant(x) : NULL;
    call->error.code = outcome_of(x->c);
    call->denied = call->error.code == ERROR_REFUSED ? DENIAL_SESSION : DENIAL_NONE;
    request_count(call);
}
