/* What the tools of shared memory have in common: who may, how often, and how a refusal is said. */
#ifndef STEMMA_MCP_TOOL_ENTRY_H
#define STEMMA_MCP_TOOL_ENTRY_H

#include "../entry.h"
#include "tools.h"

/* The rules of the call; NULL: nothing is guarded. */
const struct permissions *call_permissions(const struct mcp_call *call);
/* The policy of the namespace that the call is about. Never NULL. */
const struct namespace_policy *call_policy(const struct mcp_call *call);

/* mcp_tool.permit of a tool that takes a namespace: has the caller the grant? ERROR_REFUSED with the details
 * {namespace, operation}. A namespace that is not given as text is for the check of the arguments. */
int entry_permit(struct mcp_call *call, struct error *e);

/* Are namespace and key what they may be? The second only where `key` is not NULL. ERROR_INVALID. */
int entry_check_names(const char *name, const char *key, struct error *e);
/* Is it the turn of this call? ERROR_RATE with the details {retry_after_ms}. `name` "": of no namespace. */
int call_pace(struct mcp_call *call, enum memory_tool tool, const char *name, struct error *e);

#endif
