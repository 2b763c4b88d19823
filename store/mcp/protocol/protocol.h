/*
 * The methods: a table of names, the eras each exists in, what the service must offer for it, and what
 * serves it. protocol.c has the table and decides; the others serve.
 */
#ifndef STEMMA_MCP_PROTOCOL_H
#define STEMMA_MCP_PROTOCOL_H

#include "store/mcp/protocol/reply.h"

enum method_flag {
    METHOD_LEGACY = 1,
    METHOD_MODERN = 2,
    METHOD_CACHED = 4,   /* modern results say how long they hold */
    METHOD_RESOURCE = 8, /* not found is an error of its own */
};

struct method {
    const char *name;
    unsigned flags;
    bool (*offered)(const struct mcp_service *service); /* NULL: always */
    void (*serve)(const struct exchange *x);
};

/* Serves a request, in whatever era it is of. */
void protocol_request(struct exchange *x);
/* The method that a message is counted as which was answered with an error. */
const struct method *protocol_method_meant(const struct exchange *x);
/* Is that the name under which requests are counted that are no calls of tools? */
bool protocol_is_method(const char *name);
/* Answers that there is no such tool, or what `what` says, of that name, which is masked. */
void refuse_name(const struct exchange *x, enum rpc_code code, const char *what, const char *name);
/* Appends the text as those rules (NULL: none) let it leave. */
void protocol_mask(const struct guard_rules *rules, const char *text, struct strbuf *out);
/* Answers what is wrong with what was given, masked. */
void refuse_given(const struct exchange *x, enum rpc_code code, struct json_slice given,
                  struct error *e);
/* Answers that `wanted` is no version of ours. */
void protocol_refuse_version(const struct exchange *x, const char *wanted);
/* What is wrong with what is ours in _meta, for whom a request is is not to be mistaken; NULL: nothing. */
const char *protocol_check_own_meta(const struct message *m);
/* Heeds a notification, or not. */
void protocol_notification(struct mcp_connection *c, const struct message *m);
/* Is params.cursor absent or ""? Our lists have one page. Answers where it is anything else. */
bool protocol_is_first_page(const struct exchange *x);

/* What a person decided about its session: ERROR_REFUSED. The writer asks again, in the write's own
 * transaction. */
int protocol_admit(struct mcp_call *call, struct error *e);
/* Says so of a call that was denied for that, by whomever. */
int protocol_deny(const struct mcp_call *call, struct error *e);
/* Was its session ended? Answers so then. */
bool protocol_is_over(const struct exchange *x);
/* Has `read` write the members of the result, from the request's params. */
void protocol_start_read(const struct exchange *x, call_read read);
/* The result of a call that came back, or its error. */
void protocol_answer(struct reply r, struct mcp_call *call);

/* protocol_refused.c */

/* Counts and logs a message that was answered with an error before it was any call's. */
void protocol_count_refused(const struct exchange *x);

/* protocol_begin.c */

void protocol_initialize(const struct exchange *x);
void protocol_discover(const struct exchange *x);
/* The revision of that name among those with a handshake, a constant; NULL: there is none. */
const char *protocol_legacy_revision(const char *name);
/* What the service offers, as the object `capabilities`. */
void protocol_add_capabilities(struct strbuf *out, const struct mcp_service *service);

/* protocol_tools.c */
bool protocol_has_tools(const struct mcp_service *service);
void protocol_tools_list(const struct exchange *x);
void protocol_tools_call(const struct exchange *x);
/* The tool that a call is counted as. */
const struct mcp_tool *protocol_tool_meant(const struct exchange *x);

/* protocol_resources.c */
bool protocol_has_resources(const struct mcp_service *service);
bool protocol_has_subscriptions(const struct mcp_service *service);
void protocol_resources_list(const struct exchange *x);
void protocol_templates_list(const struct exchange *x);
void protocol_resources_read(const struct exchange *x);

/* protocol_prompts.c */
bool protocol_has_prompts(const struct mcp_service *service);
bool protocol_has_completion(const struct mcp_service *service);
void protocol_prompts_list(const struct exchange *x);
void protocol_prompts_get(const struct exchange *x);
void protocol_complete(const struct exchange *x);

/* subscriptions.c */
void protocol_subscribe(const struct exchange *x);
void protocol_unsubscribe(const struct exchange *x);

/* listen.c */
void protocol_listen(const struct exchange *x);

#endif
