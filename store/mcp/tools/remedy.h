/* What to do next, as an agent can do it. */
#ifndef STEMMA_MCP_REMEDY_H
#define STEMMA_MCP_REMEDY_H

#include "model/base/error.h"

/* The store words its errors for a person: says in an agent's means what a person does by a command or in the
 * explorer, or that a person is to be asked. `leave`: agents may do here what else is a person's. */
void remedy_for_agent(struct error *e, bool leave);

#endif
