/* What the configuration says of agents, for whoever serves: read again when its file changed. */
#ifndef STEMMA_CONFIG_RULES_H
#define STEMMA_CONFIG_RULES_H

#include "../store/guard.h"
#include "config.h"

struct config_rules;
/* From a configuration that was loaded, whose path is remembered and whose permissions are copied. NULL with `e`
 * where a pattern is wrong. */
struct config_rules *config_rules_open(const struct config *c, struct error *e);
void config_rules_close(struct config_rules *rules); /* NULL is allowed */

/*
 * The rules that hold by now, held for the caller: mcp_server_options.rules. One look at the file's time and size.
 * Where it is wrong by now, what it said before goes on to hold, and a note on standard error says why, once.
 */
struct guard_rules *config_rules_now(void *rules);

#endif
