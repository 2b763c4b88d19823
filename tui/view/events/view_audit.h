/*
 * The audit: all that was done to the store and asked of it, by whomever, newest first; filtered by a line
 * of what must be so (audit_filter.h), each with all that is known of it in the preview.
 */
#ifndef STEMMA_VIEW_AUDIT_H
#define STEMMA_VIEW_AUDIT_H

#include "tui/widget/view.h"

/* `filter`: the line, "" for all; one that is wrong is said, and nothing is filtered. */
struct view *audit_view_new(struct app *x, const char *filter);

#endif
