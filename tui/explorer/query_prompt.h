/* The prompt for the filter of a view that takes a query: candidates as it is typed, and a mistake shown where it is. */
#ifndef STEMMA_QUERY_PROMPT_H
#define STEMMA_QUERY_PROMPT_H

struct view;

/* Opens the prompt for the filter of the top view. Each term takes effect when it is complete. */
void query_prompt_open(struct view *v);

#endif
