/* The readers of what a configuration holds besides single values. */
#ifndef STEMMA_CONFIG_PARTS_H
#define STEMMA_CONFIG_PARTS_H

#include "tui/config/config_read.h"

int config_read_keys(struct config_reading *r);
int config_read_grants(struct config_reading *r);     /* tool_permissions */
int config_read_agents(struct config_reading *r);     /* what single ones are granted instead */
int config_read_namespaces(struct config_reading *r); /* policies */
int config_read_rates(struct config_reading *r);
int config_read_pii(struct config_reading *r);

/* A tool's name: a memory_tool; -1: there is none. The name is the event. */
int config_tool(struct config_reading *r, const char *name);
/* Is that a pattern that a namespace can match? -1: refused. */
int config_pattern(struct config_reading *r, const char *pattern);

#endif
