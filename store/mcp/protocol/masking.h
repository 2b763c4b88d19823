/* Personal data is masked here before an answer is sent: the one place that every answer passes. */
#ifndef STEMMA_MCP_MASKING_H
#define STEMMA_MCP_MASKING_H

#include "store/mcp/protocol/service.h"
#include "model/pii/pii.h"
#include "store/mcp/protocol/field.h"

/*
 * Masks, once, what the call is about to be answered with: result, error, details, warning, events. Marks that stand in
 * the answer are counted in call->redactions. Call it in the thread that carried the call out, since a large result takes
 * time. `r` is the reader that still is the caller's; or NULL.
 */
void call_mask(struct mcp_call *call, struct reader *r);
/* What the call's reader met and masked for it, before it reads for others. */
void call_note_guard(struct mcp_call *call, const struct reader *r);
/* Appends `text`, masked for the call's caller. Is anything? */
bool call_mask_text(const struct mcp_call *call, const char *text, struct strbuf *out);
/*
 * Masks what an error says, whose arguments were `given`: what the configuration adds in what it quotes alone, for
 * stemma's own words are nobody's data and tell what is wrong. Is anything masked?
 */
bool mask_error(const struct pii *p, struct json_slice given, struct error *e);
/* Masks the event of its failure, an object. */
void call_mask_event(const struct mcp_call *call, struct strbuf *event);

#endif
