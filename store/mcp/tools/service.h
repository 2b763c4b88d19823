/* What stemma serves over MCP, for whoever starts a server or makes its rules. */
#ifndef STEMMA_TOOLS_SERVICE_H
#define STEMMA_TOOLS_SERVICE_H

#include "model/base/error.h"
#include "store/guard/guard.h"

/* The names of members that stemma itself writes over MCP. */

/* Rules for what stemma serves: guard_rules_new, by which those names are never masked. */
struct guard_rules *service_rules_new(struct permissions *p, struct error *e);

/* What to do next, as an agent can do it. */

#endif
