/* A line of `stemma log`, for people or as JSON. */
#ifndef STEMMA_LOG_PRINT_H
#define STEMMA_LOG_PRINT_H

#include "tui/render/log_lines.h"
#include "tui/text/output.h"

/* `arena` is cleared. What it wrote is flushed by the caller. */
int log_print(struct output *out, struct log_lines *l, const struct log_line *line,
              struct arena *arena, struct error *e);

#endif
