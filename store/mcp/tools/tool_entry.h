/* What the tools of shared memory have in common: who may, and how often. */
#ifndef STEMMA_MCP_TOOL_ENTRY_H
#define STEMMA_MCP_TOOL_ENTRY_H

#include "store/entries/entry.h"
#include "store/mcp/tools/tools.h"

/* The rules of the call; NULL: nothing is guarded. */
const struct permissions *call_permissions(const struct mcp_call *call);
/* Is it the turn of this call? ERROR_RATE with the details {retry_after_ms}. `name` "": of no namespace. */
int call_pace(struct mcp_call *call, enum memory_tool tool, const char *name, struct error *e);

#endif
