/* The filter of what happens. */
#ifndef STEMMA_AUDIT_FILTER_H
#define STEMMA_AUDIT_FILTER_H

#include <stdbool.h>
#include "tui/view/events/activity.h"

struct app;
struct view;

/*
 * The audit's filter, as a person types it: words, and what certain columns must be.
 *
 *   actor:ash operation:edit since:yesterday memory:belief:54c5 "any words"
 *
 * The view of sessions has the same: of the columns, those that a session has.
 *
 * A value with spaces stands in quotes, in which \" and \\ stand for themselves. Words without a known
 * name before a colon are what a line must have in it, as in other filters.
 */

/* False where a value is none: `why` is a sentence about it. Refs and sessions are looked up in x->reader. */
bool audit_filter_read(struct app *x, const char *text, struct happening_filter *f, char *why,
                       size_t size);
/* The same of sessions: false, too, where a column is named that they do not have. */
bool audit_filter_read_sessions(struct app *x, const char *text, struct happening_filter *f,
                                char *why, size_t size);
/* The same line with that name's value taken away, and this one put at its end. */
void audit_filter_put(struct strbuf *out, const char *text, const char *name, const char *value);

/*
 * The field in which the filter of audit_filter.h is typed, the same in every view whose lines it filters: what is typed
 * takes effect word by word, and what could go on is offered.
 */

/* For the view_ops of one that has a filter: ask_filter. The view is the top. */
void filter_field_ask(struct view *v);

#endif
