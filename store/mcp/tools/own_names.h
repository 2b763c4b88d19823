/* The names of members that stemma itself writes over MCP. */
#ifndef STEMMA_MCP_OWN_NAMES_H
#define STEMMA_MCP_OWN_NAMES_H

#include "store/guard/guard.h"

/* Sorted by strcmp, each once: those that the tools' schemas give their answers, and those of the protocol. Made once,
 * for as long as the program runs. */
const char *const *own_names(size_t *count);
/* Rules for what stemma serves: guard_rules_new, by which those names are never masked. */
struct guard_rules *service_rules_new(struct permissions *p, struct error *e);

#endif
