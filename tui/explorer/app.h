/*
 * The explorer's own state, shared by its parts: one for a run, on the stack of explorer_run.
 */
#ifndef STEMMA_APP_H
#define STEMMA_APP_H

#include "tui/explorer/asof.h"
#include "tui/explorer/details.h"
#include "tui/explorer/live.h"
#include "tui/explorer/form.h"
#include "tui/explorer/options.h"
#include "tui/explorer/rules.h"
#include "tui/explorer/navigation.h"
#include "tui/explorer/pending.h"
#include "tui/config/config.h"
#include "tui/widget/page.h"
#include "tui/widget/ui.h"
#include "tui/widget/view.h"

/* One kept list for each kind, one for all, the live view and the review queue: where `1` to `9` and `0` go back to. */
#define ROOT_ALL    KIND_COUNT
#define ROOT_LIVE   (KIND_COUNT + 1)
#define ROOT_REVIEW (KIND_COUNT + 2)
#define ROOT_COUNT  (KIND_COUNT + 3)

struct nav {
    struct view *top;              /* held */
    struct view *root[ROOT_COUNT]; /* held, or NULL */
    struct back_list back_list;
};

/* The end of the last visit: what is new since then. */
struct unread {
    int64_t seq;     /* the journal's last event when the store was left last */
    int64_t at;      /* its time */
    int64_t call;    /* and the last row of the log of calls then */
    int64_t left_at; /* when that was */
    bool before;     /* else they are of the start */
};

/* What others change while this is open. */
struct remote {
    uint64_t changes_told;      /* feed_changes that were heard of */
    bool stir_held;             /* the view on top has not heard of the last ones yet */
    bool paused;                /* changes by others are counted and not shown */
    size_t held_back;           /* changes that came while it is paused; see news_held_from */
    const struct view *follows; /* the list whose cursor goes to what is new; NULL: none */
    int64_t touched;   /* the line under the cursor (view_line_id) that another changed; 0: none */
    size_t told;       /* changes by others since the last key */
    struct error lost; /* why nothing is heard of the store any more; ERROR_NONE */
};

struct neighbour_list;

/* What stands above this room and is called from it: the views, and the registry of actions. */
struct explorer_above {
    struct view *(*list)(struct app *x, int root);
    struct view *(*neighbours)(struct app *x,
                               const struct neighbour_list *b); /* the list of those next to one */
    struct view *(*live)(struct app *x);
    struct view *(*review)(struct app *x);
    struct view *(*memory)(struct app *x, int64_t node);
    struct view *(*chain)(struct app *x, int64_t node);
    struct view *(*step)(struct app *x, int64_t node);
    struct view *(*document)(struct app *x, int64_t node);
    struct view *(*confirm)(struct pending *p); /* takes it over */
    /* Appends the keys of an action: "j Down", `most` of them; nothing where it has none. */
    void (*add_keys)(const struct app *x, const char *action, size_t most, struct strbuf *out);
};

/* The parts, each of its own file; a function takes the one it needs. */
struct app {
    const struct config *config;
    const struct explorer_options *options;
    struct ui ui;
    struct data data;
    struct prefs prefs;
    struct nav nav;
    struct asof asof;
    struct live live;
    struct rules rules;
    struct remote remote;
    struct unread unread;
    struct follow *follow; /* of another store that is imported again and again; NULL: none */
    struct details details;
    struct page preview;
    struct pending_list pending;
    struct form *form; /* owned, or NULL: the open one */
    const struct explorer_above *above;
    struct keymap *keymap; /* tui/action */
};

/* Is another moment than the present shown? */
static inline bool asof_is_past(const struct app *x)
{
    return x->asof.moment.seq > 0;
}

/* Is personal data masked in what is shown and copied? */
static inline bool rules_mask_is_on(const struct app *x)
{
    return x->data.mask != NULL;
}

/* The status line. Text may be hostile. */
void app_message(struct app *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
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
/* Puts the view in the place of the top, also in the back list, with what is below that unless it has its own. Takes over
 * the reference. */
void app_exchange(struct app *x, struct view *v);

/* The memory under the cursor, else the one that the view is about; 0: none. */
int64_t app_here(const struct app *x);
/* Opens it, on top: a chain as its matrix, a step with its sources, a document with its uses; any other, and one of
 * which there is nothing of that, in full. */
void app_open_memory(struct app *x, int64_t node);
/* What Enter does: what the view makes of it, else the memory under the cursor is opened. */
void app_open_line(struct app *x);
/* The list of a kind (ROOT_ALL: every kind), as it was left. */
void app_open_root(struct app *x, int root);
/* Memories were written: what is known of those on the screen is asked for again. */
void app_changed(struct app *x);
/* Every list starts anew: another agent, order or set of statuses. */
void app_lists_changed(struct app *x);

/* ---- the loop ---- */

/* A frame is wanted in so many ms, whatever happens. */
void app_wake(struct app *x, int64_t ms);
/* Did a signal ask to end? Then it quits, and ends by that. */
bool app_is_ended(struct app *x);

/* Moves the view's cursor by an arrow or a page key; false where it is no such key. */
bool app_move_key(struct app *x, uint32_t key);
#define RULE_HEIGHT 30 /* a screen this high has a rule above the status line */

/* Divides the body between the view on top and its preview. */
void app_place_panes(struct app *x, const struct pane *body);
/* How much room such a view would have, its preview apart. */
void app_room(const struct app *x, const struct view_ops *ops, int *rows, int *columns);
/* Reads what the feed has; tells the views (news.h). */
void app_news(struct app *x);

#endif
