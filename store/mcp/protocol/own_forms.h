/*
 * What stemma itself writes as strings in the answers of tools: cursors, times, the shown keys of entries, the words of a
 * choice, and the caller's own name to the caller. Told by the place, which the table of the tool's answer says to be one
 * of those, and by the exact form: what an agent or a document gave stands at no such place, whatever it looks like.
 */
#ifndef STEMMA_MCP_OWN_FORMS_H
#define STEMMA_MCP_OWN_FORMS_H

#include "model/pii/pii.h"
#include "store/mcp/protocol/field.h"

/* `fields` are the answer's, NULL: none; `self` is what the caller is called, NULL: nothing that it knows. */
bool own_form_at(const struct field *fields, const struct pii_place *place, const char *self,
                 const char *text);

#endif
