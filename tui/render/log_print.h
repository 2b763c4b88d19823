/* A line of `stemma log`: an event, or calls that came out alike. */
#ifndef STEMMA_LOG_PRINT_H
#define STEMMA_LOG_PRINT_H

#include "tui/render/activity.h"
#include "tui/text/output.h"

/* For people, or as JSON where `out` writes that. What it wrote is flushed by the caller. */
int activity_print(struct output *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a, struct error *e);
/* One line of JSON. */
void activity_json(struct strbuf *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a);

#endif
