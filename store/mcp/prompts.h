/* What the prompts share, and those of prompts_review.c. */
#ifndef STEMMA_MCP_PROMPTS_H
#define STEMMA_MCP_PROMPTS_H

#include "tools.h"

#define PROMPT_DEPTH 20 /* of an outline */
#define PROMPT_LINES 500

/* The arguments of a prompt: of the call's params they are a member. */
struct taking prompt_arguments(struct mcp_call *call);
/* Writes the result, a message of the person's, and releases `text`. */
void prompt_answer(struct mcp_call *call, const char *description, struct strbuf *text);
/* Appends a line about a memory that the caller sees whole: ref, label, status, confidence, and what it says. */
int prompt_line(struct mcp_call *call, struct reader *r, int64_t node, enum label label,
                struct strbuf *text, struct error *e);

extern const struct field review_belief_arguments[], what_changed_arguments[];
int prompt_review_belief(struct mcp_call *call, struct reader *r, struct error *e);
int prompt_what_changed(struct mcp_call *call, struct reader *r, struct error *e);

#endif
