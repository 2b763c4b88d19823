/* The prompt for the filter of a view that takes a query: candidates as it is typed, and a mistake shown where it
 * is. */
#ifndef STEMMA_QUERY_PROMPT_H
#define STEMMA_QUERY_PROMPT_H

#include <stdbool.h>

struct app;
struct input_event;
struct view;

/* Opens the prompt for the filter of the top view. Each term takes effect when it is complete. */
void query_prompt_open(struct view *v);
/* For the prompt of a query on all memories (HISTORY_SEARCH): prompt_ops.changed, and prompt_ops.key. */
void query_search_changed(struct app *x, const char *text);
bool query_search_key(struct app *x, const struct input_event *event);

#endif
