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
/* What an error quotes, perhaps cut, of the JSON that was given, masked as it was given: in its place, in a text that has
 * so much room. What else there is in it stays. */
void mask_quotes(const struct pii *p, struct json_slice given, char *text, size_t size);
/* Masks the event of its failure, an object. */
void call_mask_event(const struct mcp_call *call, struct strbuf *event);

#endif
