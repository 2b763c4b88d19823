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

/* Of what happens, or of sessions. False where a value is none, or a column is named that sessions do not have: `why` is
 * a sentence about it. Refs and sessions are looked up in x->reader. */
bool audit_filter_read(struct app *x, const char *text, bool sessions, struct happening_filter *f,
                       char *why, size_t size);
/* The same line with that name's value taken away, and this one put at its end. */
void audit_filter_put(struct strbuf *out, const char *text, const char *name, const char *value);

/*
 * Opens the field in which the filter is typed, the same in every view that has this filter: each word takes effect
 * when it is complete, and completions are offered. For view_ops.ask_filter; the view is the top.
 */
void filter_field_ask(struct view *v);

#endif
