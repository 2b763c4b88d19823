/* The state of the explorer. explorer_run has one on its stack; each part belongs to one file. */
#ifndef STEMMA_APP_H
#define STEMMA_APP_H

#include "model/base/map.h"
#include "tui/explorer/shown_state.h"
#include "tui/explorer/details.h"
#include "tui/explorer/live.h"
#include "tui/explorer/form.h"
#include "tui/explorer/rules.h"
#include "tui/explorer/pending.h"
#include "tui/explorer/script.h"
#include "tui/explorer/stores.h"
#include "tui/config/config.h"
#include "tui/widget/panel.h"
#include "tui/widget/ui.h"
#include "tui/widget/view.h"

struct app;

/* Navigation history: the views of `[` and `]`, and the bookmarks. */

#define BACK_LIST_LENGTH 24
#define BOOKMARKS        52

struct back_list {
    struct view *visited[BACK_LIST_LENGTH]; /* referenced, oldest first */
    size_t count, at;
    struct bookmark {
        uint32_t letter; /* 0 if unused */
        struct view *view;
        int64_t node;
        size_t line;
    } bookmark[BOOKMARKS];
};

void back_list_release(struct back_list *t);
/* Call when another view became the top. */
void back_list_visit(struct back_list *t, struct view *v);
/* The previous (-1) or next (1) view, without a new reference; NULL if there is none. */
struct view *back_list_step(struct back_list *t, int direction);
void bookmark_set(struct app *x, uint32_t letter);
/* Goes to a bookmark, or reports that it does not exist. */
void bookmark_jump(struct app *x, uint32_t letter);

/*
 * Alerts: queries that a person watches. After each notification of changes the worker lists what matches now; a
 * memory that did not match before is an alert, whatever changed it: an edit, or a source that lost its support. What
 * the person at this explorer changed is none, nor what follows from it.
 */

/* A watched query, and what matched it at the last look. */
struct watch {
    char *query; /* owned */
    struct row_set matches;
    bool looked; /* without an earlier look nothing is new */
};

struct alerts {
    struct watch *watch;
    size_t count, alloc;
    struct row_set fresh; /* new matches that were not opened yet */
    size_t count_new;     /* how many they are */
    char *untold; /* what the status line says once no error stands there; NULL for nothing */
    struct throttle throttle;
    int64_t seq;    /* the journal's last event at the last look */
    unsigned epoch; /* of the last look; in another one labels differ, and nothing is new */
};

/* Reads the file of watches. Shows an error. */
void alerts_open(struct app *x);
void alerts_release(struct alerts *a);
/* Adds a query, or removes it, here and in the file. Shows what it did. */
void alerts_watch(struct app *x, const char *query);
void alerts_unwatch(struct app *x, const char *query);
/* Memories changed: looks again, at most as often as the throttle allows. */
void alerts_changed(struct app *x);
/* Says in the status line what is untold, but not in place of an error. */
void alerts_tell(struct app *x);
/* A time requested with ui_wake came. Returns false: it draws nothing. */
bool alerts_due(struct app *x);
/* Forgets the alerts, which the person has seen. */
void alerts_seen(struct alerts *a);

/* Root views, which `1` to `9` and `0` open as they were left: a list for each kind, a list of all memories, the live
 * view and the review queue. */
#define ROOT_ALL    KIND_COUNT
#define ROOT_LIVE   (KIND_COUNT + 1)
#define ROOT_REVIEW (KIND_COUNT + 2)
#define ROOT_HEALTH (KIND_COUNT + 3)
#define ROOT_COUNT  (KIND_COUNT + 4)

struct nav {
    struct view *top;              /* referenced */
    struct view *root[ROOT_COUNT]; /* referenced, or NULL */
    int first;                     /* the root that was opened first */
    struct back_list back_list;
};

/* The end of the last visit. Everything after it counts as new. */
struct unread {
    int64_t seq;     /* the journal's last event at that time */
    int64_t at;      /* the time of that event */
    int64_t call;    /* the last row of the call log at that time */
    int64_t left_at; /* when the last visit ended */
    bool before;     /* there was a last visit; else the members describe the start of this one */
};

/* Changes by others while the explorer runs. */
struct remote {
    uint64_t changes_notified;  /* value of feed_changes at the last check */
    bool stir_held;             /* the top view was not yet notified of the last changes */
    bool paused;                /* changes by others are only counted */
    size_t held_back;           /* number of changes during the pause; see changes_held_from */
    const struct view *follows; /* the list whose cursor follows new lines; NULL if none */
    int64_t touched;   /* view_line_id of the line under the cursor if another changed it; else 0 */
    size_t reported;   /* changes by others since the last key */
    struct error lost; /* why the store cannot be followed any more; ERROR_NONE if it can */
};

/* The team of which the store is a replica, for the header. */
struct team_part {
    struct team_follower *follower; /* NULL: not followed */
    bool offline;
    char text[64], disputed[32]; /* empty: nothing to say */
    int64_t read_at;             /* monotonic ms; 0: not yet */
    uint64_t changes;            /* value of feed_changes then */
};

#define WAITING_MAX 1000

struct neighbour_list;

/* Functions of higher rooms that this room calls: views, and the registry of actions. */
struct explorer_above {
    struct view *(*list)(struct ui *ui, int root);
    /* a list of neighbours of a memory */
    struct view *(*neighbours)(struct ui *ui, const struct neighbour_list *b);
    struct view *(*live)(struct app *x);
    struct view *(*review)(struct ui *ui);
    struct view *(*health)(struct ui *ui);
    struct view *(*memory)(struct app *x, int64_t node);
    struct view *(*chain)(struct ui *ui, int64_t node);
    struct view *(*step)(struct app *x, int64_t node);
    struct view *(*document)(struct app *x, int64_t node);
    struct view *(*confirm)(struct pending *p); /* takes ownership */
    /* Appends the first key of an action, or ":name". */
    void (*add_key)(const struct app *x, const char *action, struct strbuf *out);
    /* Checks a configuration; takes the keys of x->config, which was checked. */
    int (*check)(const struct config *c, struct error *e);
    void (*take_keys)(struct app *x);
};

#define HELD_MAX 256

/* Keys that wait for the lines of the view on top. */
struct held_keys {
    struct input_event key[HELD_MAX];
    size_t count;
    bool dropped; /* more came */
};

/* Each part belongs to one file. A function takes only the parts that it needs. */
struct app {
    const struct config *config;
    const struct explorer_options *options;
    struct ui ui;
    struct data data;
    struct prefs prefs;
    struct nav nav;
    struct asof asof;
    struct live live;
    struct alerts alerts;
    struct rules rules;
    struct remote remote;
    struct unread unread;
    struct team_part team;
    int64_t waiting;       /* memories that wait for a decision, counted up to WAITING_MAX */
    struct follow *follow; /* repeated import of another store; NULL if none */
    struct details details;
    struct panel preview, session_preview;
    struct pending_list pending;
    struct recording recording;
    struct held_keys held;
    char *export_argument; /* of an export that waits for the end of its list; owned, or NULL */
    int tour;              /* step of the tour of the demo, from 1; 0 without (tui/loop/loop.c) */
    struct form *form;     /* the open form, owned; NULL if none */
    const struct explorer_above *above;
    struct keymap *keymap; /* tui/action */
    struct home *home;     /* what stays when another store is shown (stores.h) */
    struct stores stores;
};

/* Whether a past state is shown. */
static inline bool asof_is_past(const struct asof *asof)
{
    return asof->point.seq > 0;
}

/* Whether personal data is masked on the screen and in copies. */
static inline bool rules_mask_is_on(const struct data *data)
{
    return data->mask != NULL;
}

/* ---- the stack of views ---- */

/* Pushes a view. Takes ownership of the reference. */
void app_push(struct app *x, struct view *v);
/* Pops the top view. Returns false if it is the last. */
bool app_pop(struct app *x);
/* Replaces the stack by the view and the views below it. Takes ownership of the reference. */
void app_show(struct app *x, struct view *v);
/* Replaces the top view, also in the back list. The view gets the views below the top unless it has its own. Takes
 * ownership of the reference. */
void app_exchange(struct app *x, struct view *v);

/* Pushes the best view of a memory: a chain's matrix, a step with its sources, a document with its users, or else the
 * full page. */
void app_open_memory(struct app *x, int64_t node);
/* Enter: the view handles it, or the memory under the cursor is opened. */
void app_open_line(struct app *x);
/* Shows a root view as it was left: a kind or one of those above. Other views are pushed (app_push). */
void app_open_root(struct app *x, int root);
/* Memories changed: reads the details on the screen again. */
void app_changed(struct app *x);

/* The prompt for the filter of a view that takes a query: candidates as it is typed, and a mistake shown where it
 * is. */

/* Opens the prompt for the filter of the top view. Each term takes effect when it is complete. */
void query_prompt_open(struct view *v);
/* For the prompt of a query on all memories (HISTORY_SEARCH): prompt_ops.changed, and prompt_ops.key. */
void query_search_changed(struct app *x, const char *text);
bool query_search_key(struct app *x, const struct input_event *event);

/* ---- the loop ---- */

/* Moves the view's cursor by an arrow or page key, or by Home or End while nothing is typed. Returns false for other
 * keys. */
bool app_move_key(struct app *x, uint32_t key);
#define RULE_HEIGHT 30 /* a screen this high has a rule above the status line */

/* Divides the body between the view on top and its preview. */
void app_place_panes(struct app *x, const struct pane *body);
#define PREVIEW_SIZE_MIN 10 /* percent */
#define PREVIEW_SIZE_MAX 90
/* The part of the body that the preview has, in percent; if none is shown, the chosen one. */
int app_preview_size(const struct app *x);
/* Whether the border between the two is at this place of the screen. */
bool app_preview_border(const struct app *x, int column, int row);
/* Moves it there. */
void app_preview_drag(struct app *x, int column, int row);
/* The room that a view with these view_ops would have, without its preview. */
void app_room(const struct app *x, const struct view_ops *ops, int *rows, int *columns);
/* Reads the change feed and notifies the views (changes.h). */
void app_notify_changes(struct app *x);

#endif
