/* What stemma serves over MCP: for programs that start a server, and for the rules of masking. */
#ifndef STEMMA_TOOLS_SERVICE_H
#define STEMMA_TOOLS_SERVICE_H

#include "model/base/error.h"
#include "store/guard/guard.h"
#include "store/mcp/protocol/service.h"

/* The tools, resources and prompts. `opt_in` includes the tools that agents may use only if the configuration allows
 * it. A constant. */
const struct mcp_service *stemma_service(bool opt_in);

/* Makes guard rules (guard_rules_new) that never mask the names of JSON members that stemma itself writes. */
struct guard_rules *service_rules_new(struct permissions *p, struct error *e);

#endif
