/* What stemma serves over MCP, for whoever starts a server or makes its rules. */
#ifndef STEMMA_TOOLS_SERVICE_H
#define STEMMA_TOOLS_SERVICE_H

#include "model/base/error.h"
#include "store/guard/guard.h"
#include "store/mcp/protocol/service.h"

/* Its tools, resources and prompts. `leave`: with the tools that only a configuration gives to agents. */
const struct mcp_service *stemma_service(bool leave);

/* Rules for what stemma serves: guard_rules_new, by which the names of members that it writes itself are never masked. */
struct guard_rules *service_rules_new(struct permissions *p, struct error *e);

#endif
