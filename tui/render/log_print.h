/* One line of `stemma log`: an event, or equal calls. */
#ifndef STEMMA_LOG_PRINT_H
#define STEMMA_LOG_PRINT_H

#include "tui/render/activity.h"
#include "tui/text/output.h"

/* Prints the line as text, or as JSON if out->json. The caller flushes. */
int activity_print(struct output *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a, struct error *e);
/* Appends one line of JSON. */
void activity_json(struct strbuf *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a);

#endif
