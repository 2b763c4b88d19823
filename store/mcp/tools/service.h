/* What stemma serves over MCP: for programs that start a server, and for the rules of masking. */
#ifndef STEMMA_TOOLS_SERVICE_H
#define STEMMA_TOOLS_SERVICE_H

#include "model/base/error.h"
#include "store/guard/guard.h"
#include "store/mcp/protocol/service.h"

/* Tools that are listed together. */
#define EACH_TOOLSET(SET)                                                                          \
    SET(MEMORY, "memory") /* what is listed unless other sets are asked for */                     \
    SET(KERNLE, "kernle")                                                                          \
    SET(ATTRIBUTIONS, "attributions")                                                              \
    SET(REASONING, "reasoning")                                                                    \
    SET(NAMESPACES, "namespaces")                                                                  \
    SET(REVIEW, "review")
#define TOOLSET_ENUM(set, name) TOOLSET_##set,
enum toolset {
    EACH_TOOLSET(TOOLSET_ENUM) TOOLSET_COUNT
};
#define TOOLSET_BIT(set)        (1u << (set))
#define TOOLSETS_ALL            (TOOLSET_BIT(TOOLSET_COUNT) - 1)
#define TOOLSET_LIST(set, name) name ", "
#define TOOLSET_NAMES           EACH_TOOLSET(TOOLSET_LIST) "all"
/* The names of the sets, then "all", then NULL. */
extern const char *const toolset_names[TOOLSET_COUNT + 2];
/* The sets that a list of these names means, with a bit for each name; none means memory. */
unsigned toolsets_of(unsigned names);
/* Reads "memory, kernle". Returns -1 and sets ERROR_USAGE for a name that is none. */
int toolsets_read(const char *names, unsigned *sets, struct error *e);

/* The tools, resources and prompts, with the tools that a client is offered. */
struct mcp_service stemma_service(struct mcp_offer offer);

/* Makes guard rules (guard_rules_new) that never mask the names of JSON members that stemma itself writes. */
struct guard_rules *service_rules_new(struct permissions *p, struct error *e);

#endif
