/*
 * The field in which the filter of audit_filter.h is typed, the same in every view whose lines it filters: what is typed
 * takes effect word by word, and what could go on is offered.
 */
#ifndef STEMMA_FILTER_FIELD_H
#define STEMMA_FILTER_FIELD_H

struct view;

/* For the view_ops of one that has a filter: ask_filter. The view is the top. */
void filter_field_ask(struct view *v);

#endif
