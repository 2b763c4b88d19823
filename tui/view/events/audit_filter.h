/*
 * The filter of activity as a person types it: words, and values for columns.
 *
 * actor:ash operation:edit since:yesterday memory:belief:54c5 "any words"
 *
 * The sessions view uses the same form with its own columns.
 *
 * A value with spaces is in quotes, where \" and \\ are escapes. Words without a known name before a colon must occur
 * in the line, as in other filters.
 */
#ifndef STEMMA_AUDIT_FILTER_H
#define STEMMA_AUDIT_FILTER_H

#include <stdbool.h>
#include "tui/render/activity.h"
#include "tui/widget/view.h"

/* view_ops->filter_field */
struct filter_field audit_filter_field(int i);
/* Parses a filter of activity or of sessions. If a value is wrong, or a column does not exist for sessions, shows a
 * message, returns false and leaves *f unchanged. */
bool audit_filter_read(struct view *v, const char *text, bool sessions, struct activity_filter *f);
/* Copies the filter text, but replaces the value of that name. */
void audit_filter_put(struct strbuf *out, const char *text, const char *name, const char *value);

/* Opens the prompt for the filter of the top view. Each word takes effect when it is complete, with completions. */
void filter_field_ask(struct view *v);

#endif
