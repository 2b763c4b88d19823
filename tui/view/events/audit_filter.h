/*
 * The filter of activity as a person types it: words, and what certain columns must be.
 *
 *   actor:ash operation:edit since:yesterday memory:belief:54c5 "any words"
 *
 * The view of sessions has the same with the columns that a session has.
 *
 * A value with spaces stands in quotes, in which \" and \\ stand for themselves. Words without a known name before a
 * colon are what a line must contain, as in other filters.
 */
#ifndef STEMMA_AUDIT_FILTER_H
#define STEMMA_AUDIT_FILTER_H

#include <stdbool.h>
#include "tui/render/activity.h"

struct app;
struct view;

/* Of activity, or of sessions. False where a value is wrong, or a column is named that sessions do not have: the status
 * line says so, and `f` is as it was. */
bool audit_filter_read(struct view *v, const char *text, bool sessions, struct activity_filter *f);
/* The same line with that name's value taken away, and this one put at its end. */
void audit_filter_put(struct strbuf *out, const char *text, const char *name, const char *value);

/*
 * Opens the field in which the filter is typed, the same in every view that has this filter: each word takes effect
 * when it is complete, and completions are offered. The view is the top.
 */
void filter_field_ask(struct view *v);

#endif
