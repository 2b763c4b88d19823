/*
 * Whether a memory matches a text, for filters of lists and for the search in a view (view.h). A memory matches by its
 * text, tags, source, context, agent, the start of its ref, and what lists of its kind show: a type, an answer, a
 * document's id, a location, a URI, a status other than active. "agent:NAME", "told:NAME", "flag:NAME", "roots:N" and
 * "status:NAME" in front limit it to memories of an agent, told by somebody, with a flag and with a status.
 */
#ifndef STEMMA_WIDGET_SCAN_H
#define STEMMA_WIDGET_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct reader;
/* Takes "NAME:VALUE" from the fields in front of a filter. Returns the value and sets *filter to the rest, both in the
 * arena; NULL without that field. */
const char *scan_take_field(struct arena *arena, const char *name, const char **filter);
/* The status of that name ("replaced", "superseded"); STATUS_COUNT for "all"; -1 if there is none. */
int scan_status(const char *name);
bool scan_matches(struct reader *r, struct arena *arena, int64_t node, const char *pattern);

#endif
