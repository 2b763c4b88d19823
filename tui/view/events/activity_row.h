/* What happened, as a line: its columns. */
#ifndef STEMMA_EVENTS_ACTIVITY_ROW_H
#define STEMMA_EVENTS_ACTIVITY_ROW_H

#include "tui/term/paint.h"
#include "tui/view/events/activity.h"

struct app;

enum happening_look {
    LOOK_LIVE = 0, /* which memory, and what it was made from */
    LOOK_AUDIT,    /* what an event changed and why, and whether it was taken back */
    LOOK_HISTORY,  /* the same of one memory, which is not named */
};

/* Where each begins; 0: it is not shown. The text ends at `width`. */
struct happening_columns {
    int label, age, class, who, client, said, ref, from, text;
    int age_width, who_width, said_width, from_width, width;
    bool clients; /* of several sessions */
    enum happening_look look;
};

/* `clients`: of several sessions. */
struct happening_columns happening_columns_fit(const struct app *x, int width, bool clients,
                                               enum happening_look look);
void happening_columns_header(const struct app *x, const struct happening_columns *c,
                              const struct pane *row);
/* `h` NULL draws nothing. */
void happening_columns_row(struct app *x, const struct happening_columns *c, const struct pane *row,
                           const struct happening *h, const char *pattern, int pan);

#endif
