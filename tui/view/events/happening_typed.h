/* The filter of a list of happenings as a person types it (audit_filter.h), the same in every view that begins with one. */
#ifndef STEMMA_HAPPENING_TYPED_H
#define STEMMA_HAPPENING_TYPED_H

struct happening_list;
struct view;

/* Before it is begun. A line that is wrong is said, and nothing is filtered. */
void happening_typed_begin(struct happening_list *l, const char *text);

/* For the view_ops. */
const char *happening_typed_filter(const struct view *v);
void happening_typed_set(struct view *v, const char *text);

#endif
