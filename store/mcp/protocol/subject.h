/* Which memory a call is about that was refused before anybody looked for it. */
#ifndef STEMMA_MCP_SUBJECT_H
#define STEMMA_MCP_SUBJECT_H

#include "store/mcp/protocol/service.h"

/*
 * Finds, for the log of calls alone, what the arguments name (FIELD_SUBJECT; they need not be checked) and the caller
 * may find: nothing where it names no memory. `r` is nobody's just now.
 */
void subject_find(struct mcp_call *call, struct reader *r);

#endif
