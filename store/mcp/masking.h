/* Personal data is masked here before an answer is sent: the one place that all of them pass. */
#ifndef STEMMA_MCP_MASKING_H
#define STEMMA_MCP_MASKING_H

#include "service.h"

/*
 * Masks what the call is about to be answered with: its result, its error and details, its warning and its
 * events. Once done, nothing is looked at again until call_clear. In whichever thread carried it out, for a large
 * result takes time. `r` is the reader that still is the call's caller's; or NULL.
 */
void call_mask(struct mcp_call *call, struct reader *r);
/* Appends `text`, masked for the call's caller. */
void call_mask_text(const struct mcp_call *call, const char *text, struct strbuf *out);
/* The same of a URI, in which what is masked may be percent-encoded: then it is told decoded. */
void call_mask_uri(const struct mcp_call *call, const char *uri, struct strbuf *out);
/* By that matcher; NULL: as it is. */
void mask_uri(const struct pii *p, const char *uri, struct strbuf *out);
/*
 * Masks what an error says, whose arguments were `given`: what the configuration adds in what it quotes alone, for stemma's
 * own words are nobody's data and tell what is wrong. `seen` may be NULL.
 */
void mask_error(const struct pii *p, struct json_slice given, struct error *e,
                struct pii_seen *seen);
/* Masks the event of its failure, an object. */
void call_mask_event(const struct mcp_call *call, struct strbuf *event);

#endif
