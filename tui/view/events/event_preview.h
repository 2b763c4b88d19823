/* The preview of views whose lines are what happened: the event under the cursor, in full. */
#ifndef STEMMA_EVENT_PREVIEW_H
#define STEMMA_EVENT_PREVIEW_H

#include "tui/view/events/event_facts.h"

struct event_preview {
    struct app *app;
    struct event_facts *facts; /* of the last one that was read; NULL: none yet */
    int64_t id;                /* which one is shown, or read; 0: none */
    bool call, stale, masked;  /* masked: as it was read */
    struct error error;        /* why it could not be read */
    struct sheet sheet;
    int width; /* it is laid out for; 0: it must be */
    bool exact_times;
    size_t top;
};
void event_preview_open(struct event_preview *p, struct app *x);
void event_preview_release(struct event_preview *p);
/* The store changed: what became of the event may be another thing. */
void event_preview_changed(struct event_preview *p);
/* `h` NULL: nothing is under the cursor. */
void event_preview_draw(struct event_preview *p, const struct pane *pane,
                        const struct happening *h);
void event_preview_scroll(struct event_preview *p, long lines);

#endif
