/*
 * Sources as lines of a command's output: how relevant each was, as a bar and as a number with the sign of
 * where it came from, whether it is a primary one, what it is called, and its id.
 */
#ifndef STEMMA_SOURCE_LINES_H
#define STEMMA_SOURCE_LINES_H

#include "model/memory/memory.h"
#include "tui/text/output.h"

struct source_line {
    double relevance; /* NAN: none */
    enum score origin;
    bool primary;
    int64_t rank;      /* in the retrieval; below 1: none */
    const char *title; /* NULL: none but the id */
    const char *id;
    const char *note;    /* in the program's own words; "" */
    const char *warning; /* what few of them have; the title makes room for it. "" */
};

/* How wide what stands in them is; where a terminal is too narrow for all, ids are left out first. */
struct source_columns {
    size_t indent;
    bool ranks; /* is there a column for them */
    size_t title, id, note;
};

/* So wide is the widest of each; at most SOURCE_WIDEST is of interest. */
#define SOURCE_WIDEST 60
struct source_widths {
    size_t title, id, note;
};
void source_widths_take(struct source_widths *w, const struct output *out,
                        const struct source_line *line);
void source_columns_fit(struct source_columns *c, const struct output *out,
                        const struct source_widths *widest);
void source_line_print(struct output *out, const struct source_columns *c,
                       const struct source_line *line);
/* What the signs mean. */
void source_legend_print(struct output *out);

#endif
