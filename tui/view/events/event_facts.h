/* One thing that happened, in full; and the preview of views whose lines are what happened. */
#ifndef STEMMA_EVENT_FACTS_H
#define STEMMA_EVENT_FACTS_H

#include "model/format/difference.h"
#include "store/history/history.h"
#include "store/record/get.h"
#include "store/session/session.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"
#include "tui/render/activity.h"
#include "tui/widget/page.h"

struct app;

/*
 * All that is shown of one thing that happened: the event or the calls, the session, the memory, what it changed,
 * what was done with it and what became of it. Gathered by the worker, owned by whoever asked.
 */

#define EVENT_OTHERS 3 /* of a batch that are named */

struct event_facts {
    struct arena arena;
    int64_t id;
    bool call;                    /* of the log of calls, else of the journal */
    const struct event *event;    /* NULL: calls */
    const struct call_row *calls; /* NULL: an event */
    struct memory_row row;        /* node 0: none */
    size_t short_length;
    struct session_row session; /* in which it was done; id 0: none */
    struct session_row about;   /* the one that a person decided about; id 0: none */
    int64_t together;           /* events of its batch; 0: it is alone */
    struct event *others;       /* [other_count] the newest of the others of them */
    size_t other_count;
    struct event *undone_by; /* NULL: it stands */
    int64_t purged_by;       /* the purge that erased what it was, be it this event; 0: none */
    struct difference *difference;
    size_t difference_count;
};

/* "event 1234 · edited", "calls · read": a rule's title. */
void event_title(struct app *x, const struct happening *h, struct strbuf *out);

/* The preview of views whose lines are what happened: the event under the cursor, in full. */

struct event_preview {
    struct page page;
    struct app *app;
    const struct happening *happening; /* of the frame that is drawn */
};
void event_preview_init(struct event_preview *p, struct app *x);
/* `h` NULL: nothing is under the cursor. */
void event_preview_draw(struct event_preview *p, const struct pane *pane,
                        const struct happening *h);

#endif
