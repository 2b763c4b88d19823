/* What the prompts share, and those of prompts_review.c. */
#ifndef STEMMA_MCP_PROMPTS_H
#define STEMMA_MCP_PROMPTS_H

#include "store/mcp/tools/tools.h"

#define PROMPT_DEPTH 20 /* of an outline */
#define PROMPT_LINES 500

/* The arguments of a prompt: of the call's params they are a member. */
struct taking prompt_arguments(struct mcp_call *call);
/* The row of the memory that its argument `ref` names, which the caller sees whole. -1 */
int64_t prompt_row(struct mcp_call *call, struct reader *r, struct error *e);
/* Appends the text of a prompt. */
typedef int (*prompt_add)(struct mcp_call *call, struct reader *r, struct strbuf *text,
                          struct error *e);
/* Answers with what `add` says, found in one transaction, as a message of the person's. */
int prompt_within(struct mcp_call *call, struct reader *r, const char *description, prompt_add add,
                  struct error *e);
/* Appends a line about a memory that the caller sees whole: ref, label, status, confidence, and what it says. */
int prompt_line(struct mcp_call *call, struct reader *r, int64_t node, enum label label,
                struct strbuf *text, struct error *e);

extern const struct field review_belief_arguments[], what_changed_arguments[];
int prompt_review_belief(struct mcp_call *call, struct reader *r, struct error *e);
int prompt_what_changed(struct mcp_call *call, struct reader *r, struct error *e);

#endif
