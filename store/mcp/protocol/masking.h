/* Masks personal data before an answer is sent. Every answer passes through call_mask. */
#ifndef STEMMA_MCP_MASKING_H
#define STEMMA_MCP_MASKING_H

#include "store/mcp/protocol/service.h"
#include "store/mcp/protocol/field.h"

/*
 * Masks everything that the call answers with: result, error, details, warning and events. Only the first call has an
 * effect. Counts the masks in the answer in call->redactions. Call it in the thread that carried the call out,
 * because a large result takes time. `r` is the reader of that thread if it still has the caller's guard, otherwise
 * NULL.
 */
void call_mask(struct mcp_call *call, struct reader *r);
/* Records in the call what its reader met and masked. Call it before the reader serves others. */
void call_note_guard(struct mcp_call *call, const struct reader *r);
/* Appends `text`, masked for the call's caller. Returns true if anything was masked. */
bool call_mask_text(const struct mcp_call *call, const char *text, struct strbuf *out);
/*
 * Masks an error; `given` are the arguments that it may quote. Patterns from the configuration apply only to quoted
 * text, because stemma's own words are not personal data and explain the problem. Returns true if anything was
 * masked.
 */
bool mask_error(const struct pii *p, struct json_slice given, struct error *e);
/* Masks a failed call's arguments, a JSON object. */
void call_mask_arguments(const struct mcp_call *call, struct strbuf *arguments);
/* Masks the event that reports the call's failure, a JSON object. */
void call_mask_event(const struct mcp_call *call, struct strbuf *event);

#endif
