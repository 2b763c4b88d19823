/*
 * The columns of a list of memories: which fit, where they stand, and a row drawn in them. Each kind has
 * those that tell most of it.
 */
#ifndef STEMMA_COLUMNS_H
#define STEMMA_COLUMNS_H

#include <stdbool.h>
#include "tui/term/paint.h"
#include "store/db/store.h"

struct app;
struct view;

enum column {
    COLUMN_STATE = 0, /* of a chain */
    COLUMN_NUMBER,    /* of a step */
    COLUMN_CHAIN,     /* that a step is part of */
    COLUMN_SCORE,     /* of a citation */
    COLUMN_USES,      /* of a document */
    COLUMN_ORIGIN,    /* an attribution's type, URI and time */
    COLUMN_RETRIEVED,
    COLUMN_URI,
    COLUMN_PLACE, /* what a citation cites */
    COLUMN_CONFIDENCE,
    COLUMN_HISTORY,
    COLUMN_HOLDS,
    COLUMN_KIND,
    COLUMN_SUBTYPE, /* an episode's outcome, a note's type, a chain's strategy */
    COLUMN_STEPS,
    COLUMN_SOURCES,
    COLUMN_TIME,
    COLUMN_SOURCE, /* what type of source it is of */
    COLUMN_AGENT,
    COLUMN_AGE,
    COLUMN_COUNT
};

struct columns {
    int label;
    int at[COLUMN_COUNT]; /* where each begins; 0: it is not shown */
    int text;             /* where that begins, */
    int answer;           /* where what was answered does; 0: it is not shown */
    int age_width;
    int width; /* where the text or the answer ends */
};

/* `root`: a kind, or ROOT_ALL. The text keeps at least 40 columns; what does not fit next to it is left
 * out, the least telling first. */
struct columns columns_fit(const struct app *x, int width, int root);
void columns_draw_header(const struct app *x, const struct columns *c, const struct pane *p,
                         int root);
/* `pattern`: what to highlight in the text, or NULL. */
void columns_draw_row(struct view *v, const struct columns *c, const struct pane *row, int64_t node,
                      const char *pattern);

#endif
