/* The page of one activity; the preview of activity views. */
#ifndef STEMMA_EVENT_FACTS_H
#define STEMMA_EVENT_FACTS_H

#include "tui/render/activity.h"
#include "tui/widget/panel.h"

/* The preview of activity views: the event under the cursor in full. */
struct event_preview {
    struct panel panel;
    const struct activity *activity; /* valid only while a frame is drawn */
};
void event_preview_init(struct event_preview *p, struct ui *ui);
/* `a` is NULL if nothing is under the cursor. */
void event_preview_draw(struct event_preview *p, const struct pane *pane, const struct activity *a);

#endif
