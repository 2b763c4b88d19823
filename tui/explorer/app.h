/*
 * The explorer's own state, shared by its parts: one for a run, on the stack of explorer_run.
 */
#ifndef STEMMA_APP_H
#define STEMMA_APP_H

#include <signal.h>
#include "store/journal/feed.h"
#include "store/query/list.h"
#include "store/db/monotonic.h"
#include "tui/explorer/acting.h"
#include "tui/action/action.h"
#include "tui/explorer/actors.h"
#include "tui/widget/ages.h"
#include "tui/explorer/asof.h"
#include "tui/explorer/details.h"
#include "tui/loop/explorer.h"
#include "tui/widget/form.h"
#include "tui/term/input.h"
#include "tui/explorer/live.h"
#include "tui/widget/marks.h"
#include "tui/explorer/mending.h"
#include "tui/action/palette.h"
#include "tui/widget/popup.h"
#include "tui/explorer/preview.h"
#include "tui/widget/prompt.h"
#include "tui/term/screen.h"
#include "tui/explorer/trail.h"
#include "tui/explorer/worker.h"

/* One kept list for each kind, one for all, the live view and the review queue: where `1` to `9` and `0` go back to. */
#define ROOT_ALL    KIND_COUNT
#define ROOT_LIVE   (KIND_COUNT + 1)
#define ROOT_REVIEW (KIND_COUNT + 2)
#define ROOT_COUNT  (KIND_COUNT + 3)

#define BAR_HITS 32 /* words of the key bar */

struct app {
    struct store *store;
    struct reader *reader; /* the main thread's, of the moment that is shown */
    struct asof asof;
    const struct config *config;
    const struct explorer_options *options;
    struct screen screen;
    struct input input;
    struct worker worker;
    struct live live;
    struct actors actors;
    struct mcp_listener *listener; /* NULL: this process does not listen */
    struct config_rules *rules;    /* that agents are held to; NULL: not asked for yet */
    struct guard_rules
        *rules_shown;         /* held; what they were when the file was looked at last, or NULL */
    int rules_fd;             /* tells that the file changed, or -1 */
    int64_t rules_look_at;    /* monotonic: it is looked at again then; 0: it is not */
    struct guard_rules *mask; /* held; what is shown is masked by them; NULL: it is not */
    struct error listen_error;
    struct feed *feed;     /* NULL: changes cannot be followed here */
    uint64_t changes_told; /* feed_changes that the views have heard of */
    uint64_t changes_held; /* and that the one on top has counted during a pause */
    struct follow *follow;
    struct keymap keymap;
    sigset_t wait_mask;

    struct view *top;              /* held */
    struct view *root[ROOT_COUNT]; /* held, or NULL */
    struct trail trail;
    struct details details;
    struct marks marks;
    struct preview preview;
    struct prompt prompt;
    struct popup popup;
    struct palette palette;
    struct mending_menu mending_menu;
    struct acting acting;
    struct form *form; /* owned, or NULL: every key goes to it */

    char *agent; /* lists show only this one's; NULL: all */
    enum list_order order;
    bool reverse;
    int graph_style;            /* enum chart_style of lineage that is opened */
    bool gone;                  /* lists show forgotten and deleted memories too */
    bool exact_times;           /* "2026-11-20 10:42" in place of "3w" */
    bool paused;                /* changes by others are counted and not shown */
    const struct view *follows; /* the list whose cursor goes to what is new; NULL: none */
    size_t held_back;           /* changes that came while it is paused; see news_held_from */
    int64_t visited;            /* the journal's last event when the store was left last */
    int64_t visited_at;         /* its time */
    int64_t visited_call;       /* and the last row of the log of calls then */
    int64_t left_at;            /* when that was */
    bool visited_before;        /* else they are of the start */
    bool only_new;              /* views show what is new since alone (since.h) */
    int64_t touched; /* the line under the cursor (view_line_id) that another changed; 0: none */
    int64_t asked_session; /* which one the popup asks about */
    size_t agents;         /* 1, or 2 where there are more; 0: not known yet */

    size_t told; /* changes by others since the last key */

    struct error lost; /* why nothing is heard of the store any more; ERROR_NONE */
    char status[1024];
    enum style status_style;
    bool status_fresh; /* set while the last key was handled */
    int64_t said_at;   /* monotonic ms */
    bool quit;
    int ended_by;
    const char *doing;  /* the name of the last action, for a crash report */
    int64_t now;        /* of this frame */
    struct ages ages;   /* that it shows */
    bool undrawn;       /* something may look different, and waits for its turn */
    int64_t calm_until; /* monotonic: news waits so long, keys never */
    int64_t wake_at;    /* monotonic: a frame is wanted then; 0: none is */
    /* Where things were drawn, for the mouse. */
    struct pane list_pane, preview_pane, bar_pane;
    struct bar_hit {
        int from, to; /* columns */
        uint32_t key;
    } bar_hit[BAR_HITS];
    size_t bar_hits;
    bool preview_focus; /* the keys that move scroll the preview */
    bool zoom;          /* the focused pane has the body to itself */
};

/* The status line. Text may be hostile. */
void app_say(struct app *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
void app_fail(struct app *x, const struct error *e);
/* Before anything else is said: nothing, or what is so all the time. */
void app_rest(struct app *x);

/* ---- the stack of views ---- */

/* Puts the view on top; takes over the caller's reference. */
void app_push(struct app *x, struct view *v);
/* Takes the top off; false where it is the last. */
bool app_pop(struct app *x);
/* Makes the view the whole stack, or with what is below it. Takes over the reference. */
void app_show(struct app *x, struct view *v);
/* Puts the view in the place of the top, also on the trail, with what is below that unless it has its own. Takes over
 * the reference. */
void app_exchange(struct app *x, struct view *v);

/* Opens it, on top: a chain as its matrix, a step with its sources, a document with its uses; any other, and one of
 * which there is nothing of that, in full. */
void app_open_memory(struct app *x, int64_t node);
/* The list of a kind (ROOT_ALL: every kind), as it was left. */
void app_open_root(struct app *x, int root);
/* Every list starts anew: another agent, order or set of statuses. */
void app_lists_changed(struct app *x);

/* ---- the loop ---- */

/* A frame is wanted in so many ms, whatever happens. */
void app_wake(struct app *x, int64_t ms);
/* Did a signal ask to end? Then it quits, and ends by that. */
bool app_is_ended(struct app *x);

void app_key(struct app *x, const struct input_event *pressed);
void app_draw(struct app *x);
/* How much room such a view would have, its preview apart. */
void app_room(const struct app *x, const struct view_ops *ops, int *rows, int *columns);
/* Reads what the feed has; tells the views (news.h). */
void app_news(struct app *x);
/* Until the person leaves. */
int app_loop(struct app *x, struct error *e);
/* The same for a script. */
int app_script(struct app *x, struct error *e);

#endif
