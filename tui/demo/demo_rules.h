/* What the demo's agents are held to, where the configuration holds nobody to anything of its own. */
#ifndef STEMMA_DEMO_RULES_H
#define STEMMA_DEMO_RULES_H

#include "model/base/error.h"
#include "model/policy/permission.h"

/* Limits of a few namespaces of the story, and that Claire writes nothing for sessions. -1: no memory */
int demo_rules_add(struct permissions *p, struct error *e);

#endif
