/*
 * A view: a list of lines with a cursor, on a stack. `struct view` is the first member of each kind of view.
 *
 * Each kind of view is one file with one `struct view_ops`. A view tells how many lines it has and draws single lines
 * on request, so a million lines cost only what is visible. view.c has the common part: moving, paging, searching,
 * scrolling and the cursor.
 *
 * Views are reference-counted. The stack, the history of `[` and `]`, and bookmarks hold references. A view holds the
 * one below it.
 */
#ifndef STEMMA_WIDGET_VIEW_H
#define STEMMA_WIDGET_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/query/query.h"
#include "tui/term/paint.h"

struct view;
struct event;
struct activity;

/*
 * Limits how often a view is read again while others write: after a read it waits four times as long as the read
 * took, and at least 250 ms. Initialize with zeros.
 */
struct throttle {
    bool wanted;   /* the store changed since the last read */
    int64_t until; /* monotonic ms of the next allowed read */
};

/* Call after a read that began at that monotonic time. */
void throttle_read_done(struct throttle *c, int64_t begun);

#define LINE_NONE  SIZE_MAX
#define FILTER_MAX 1024 /* bytes */

/* What a line is about. All 0 for a heading or plain text. */
struct line_subject {
    int64_t node;                    /* a memory's row, or 0 */
    int64_t id;                      /* identifies the line, e.g. view_name_id of its name */
    int64_t event;                   /* the last journal event that it describes */
    int64_t session;                 /* an agent's session */
    const struct activity *activity; /* a row of the activity log, or NULL */
    int section;                     /* number of its section */
};

/* Features of a view. An action lists those that it needs. */
enum capability {
    HAS_MEMORIES = 1 << 0, /* lines that are memories */
    HAS_TEXT = 1 << 1,     /* lines of text that can be scrolled sideways */
    HAS_FILTER = 1 << 2,   /* lines that a filter can hide */
    HAS_NEW = 1 << 3,      /* lines may be new since the last visit */
    HAS_ORDER = 1 << 4,
    HAS_MEMORY_LIST = 1 << 5, /* the list of memories (view_list.c): what it shows can be chosen */
    HAS_EVENTS = 1 << 6,      /* lines about activity */
    HAS_JOURNAL = 1 << 7,     /* lines that are copied as journal events */
    HAS_UNDO = 1 << 8,        /* lines whose event can be undone */
    HAS_SESSIONS = 1 << 9,    /* lines about sessions */
    HAS_FORMER = 1 << 10,     /* former states of memories; never masked */
    HAS_LINEAGE = 1 << 11,    /* lineage of one memory, drawn or as an outline */
    HAS_DRAWING = 1 << 12,
    HAS_FOLDS = 1 << 13,
    HAS_GROUPS = 1 << 14, /* retrieval groups */
    HAS_PAGE = 1 << 15,   /* everything stored about one memory */
    HAS_MATRIX = 1 << 16, /* matrix of a chain's steps and sources */
    HAS_USES = 1 << 17,   /* use of sources by steps */
    HAS_CHAINS = 1 << 18, /* chains on one question, side by side */
    HAS_PROBLEMS = 1 << 19,
    HAS_SHARED = 1 << 20,    /* shared entries */
    HAS_EVERYONE = 1 << 21,  /* lines of all agents, whatever agent lists show */
    HAS_QUESTION = 1 << 22,  /* asks for confirmation */
    HAS_COMMANDS = 1 << 23,  /* lines that are actions, with the command that does the same */
    HAS_NO_PLACE = 1 << 24,  /* not kept in the navigation history */
    HAS_FOLLOWING = 1 << 25, /* the cursor can follow new lines */
    HAS_WRITING = 1 << 28,   /* asks to write to a file outside the store */
    HAS_INBOX = 1 << 30,     /* lines wait for a decision: one key decides, and they leave */
    HAS_AGENT = 1 << 26,     /* lines of prefs.agent only; `shown` reads them again for another */
};

/* What became of an operation on memories. */
enum commit_state {
    COMMIT_BEGINS, /* it is on its way to the store */
    COMMIT_DONE,
    COMMIT_FAILED,
    COMMIT_UNDONE, /* an undo of one is done */
};

/* Requests of the person to a view. A view returns false for those it does not support. */
enum view_request {
    REQUEST_OPEN,
    REQUEST_LEFT, /* folds, or moves the cursor */
    REQUEST_RIGHT,
    REQUEST_PAN_LEFT,
    REQUEST_PAN_RIGHT,
    REQUEST_MORE,
    REQUEST_LESS,
    REQUEST_NEXT_SECTION,
    REQUEST_PREVIOUS_SECTION,
    REQUEST_REFRESH,
    REQUEST_CLEAR, /* Esc: removes overlays one at a time */
    /* The following go only to views with ops->draw: move the cursor, or scroll. */
    REQUEST_UP,
    REQUEST_DOWN,
    REQUEST_FIRST,
    REQUEST_LAST,
    REQUEST_HALF_UP,
    REQUEST_HALF_DOWN,
    REQUEST_PAGE_UP,
    REQUEST_PAGE_DOWN,
};

struct view_ops {
    const char *name; /* "list" */
    unsigned has;     /* enum capability */
    /* Actions that come first in the key bar: "open,next-section=versions,!undo". "=word" replaces the action's word,
     * "!" removes the action. May be NULL. */
    const char *bar;
    unsigned
        legend; /* SIGN_BITs that the status line explains; 0: those of labels, if it has memories */
    bool preview; /* shows the memory under the cursor in a preview */
    bool wide;  /* its lines need the whole width: the preview is below unless there is much room */
    bool zooms; /* ui->zoom makes one of its own panes fill the body */
    bool own_preview; /* the preview is always drawn by draw_preview */
    bool of_now;      /* shows the present state even if the explorer shows the past or waits */
    /* the cursor may be on no line; then actions apply to the subject of all lines */
    bool at_large;

    /* the last word of the breadcrumb; NULL to show `name` */
    void (*title)(struct view *v, struct strbuf *out);
    /* Texts at the right of the breadcrumb, in this order: how to read the lines (kept longest), counts, and the
     * order of lines (dropped first). Any may be NULL. */
    void (*notice)(struct view *v, struct strbuf *out);
    void (*counts)(struct view *v, struct strbuf *out);
    void (*order)(struct view *v, struct strbuf *out);
    /* The name of the list for what is chosen for its columns (headers.h); NULL for `name`. */
    const char *(*columns)(struct view *v);
    /* Sorts the lines by the column; the same again reverses. Returns NULL, or why it cannot. NULL if the
     * view has no columns. */
    const char *(*sort)(struct view *v, const char *column);
    /* The column that sorts the lines, and whether its least is first; NULL for none. */
    const char *(*sorted)(struct view *v, bool *up);
    /* Before each frame, and when the size may have changed. May be NULL. */
    void (*layout)(struct view *v, int height, int width);
    int header_rows;               /* rows above the lines that do not scroll */
    int (*header)(struct view *v); /* if the number varies; NULL for header_rows */
    void (*draw_header)(struct view *v, const struct pane *p);
    void (*draw_line)(struct view *v, const struct pane *row, size_t line);
    /* Draws the whole view at once, including the screen's cursor, if its lines are not rows. Then requests move the
     * cursor, and line_at and wheel are set, too. NULL for header and lines. */
    void (*draw)(struct view *v, const struct pane *p);
    size_t (*line_at)(struct view *v, int row, int column); /* position in the pane; or LINE_NONE */
    void (*wheel)(struct view *v, long rows);               /* the mouse's wheel */
    /* A mouse button in a cell of the pane, if a view needs more than line_at and wheel. `button` as in input_event.
     * May be NULL. */
    void (*point)(struct view *v, int row, int column, int button);
    bool (*selectable)(struct view *v, size_t line); /* NULL if every line is */
    /* NULL if lines have no subject. LINE_NONE asks for the common subject of all lines. */
    struct line_subject (*subject)(struct view *v, size_t line);
    /* Whether an event changes the line under the cursor although it is not about its memory. NULL for never. */
    bool (*touched)(struct view *v, const struct event *event);
    /* Appends the line's text for a search. NULL if searching reads memories by their rows. */
    void (*text)(struct view *v, size_t line, struct strbuf *out);
    /* Whether more lines follow the last one. They are read when view_wants_more. NULL for never. */
    bool (*partial)(struct view *v);
    /* Whether a read is about to replace lines that nobody can have read yet. NULL for never. */
    bool (*unsettled)(struct view *v);
    /* The reason why there are no lines. */
    const char *(*empty)(struct view *v);
    bool (*request)(struct view *v, enum view_request request);
    /* Appends the text at the right of the status line. NULL for "3/41" or "3/400…". */
    void (*position)(struct view *v, struct strbuf *out);
    void (*moved)(struct view *v); /* the cursor moved to another line; may be NULL */
    void (*shown)(struct view *v); /* the view became the top again; may be NULL */
    unsigned query;                /* enum query_on of its filter; 0: the filter is a plain text */
    /* v->filter or v->only_new changed. NULL without HAS_FILTER and HAS_NEW. */
    void (*narrow)(struct view *v);
    /* Takes a filter that was parsed. Returns -1 and sets *e, and where in the query, if it cannot. May be NULL. */
    int (*read_filter)(struct view *v, struct query_terms *terms, struct error *e);
    /* Memories were written by anyone. `whole`: more changed than `events` lists. Called only for the top view;
     * others get one call with `whole` when they become the top. May be NULL. */
    void (*notify)(struct view *v, const struct event *events, size_t count, bool whole);
    /* Reads the view again by a job of the worker. The view owns the job; its `done` calls throttle_read_done.
     * Called for REQUEST_REFRESH and for changes (if `notify` is NULL or sets throttle.wanted) as often as the
     * throttle allows. NULL if the view is not read this way. */
    void (*load)(struct view *v);
    /* Anything in the store changed, not only memories. Only for the top view. May be NULL. */
    void (*store_changed)(struct view *v);
    /* How many lines came during a pause; store_changed is then called, too. NULL: changes of memories are counted. */
    size_t (*held)(const struct view *v);
    /* Appends a line that stands below the preview. May be NULL. */
    void (*preview_note)(struct view *v, struct strbuf *out);
    /* The person decided about memories, here or elsewhere. May be NULL. */
    void (*decided)(struct view *v, const int64_t *nodes, size_t count, enum commit_state state);
    /* Draws the preview if the cursor is on no memory. NULL for an empty one. */
    void (*draw_preview)(struct view *v, const struct pane *p);
    void (*release)(struct view *v); /* releases what the view owns besides itself */
};

/* A table of view_ops begins with the common members of its family, such as ROWS_VIEW_OPS. Later initializers
 * override them. */
#pragma GCC diagnostic ignored "-Woverride-init"

struct search {
    char pattern[256]; /* "" for none */
    size_t *line;      /* [count] matching lines, ascending */
    size_t count, alloc;
    size_t seen; /* lines searched so far */
    bool complete;
    size_t origin; /* line of the cursor when the search began */
    bool wanted;   /* jump to the first match once it is known */
    /* the match that is shown while the cursor is on no line; valid while view.top is `top` */
    size_t shown;
    size_t top;
};

/* The first member of every kind of view. */
struct view {
    const struct view_ops *ops;
    struct app *app;
    struct ui *ui;
    struct view *below; /* referenced; NULL at the bottom */
    int references;
    size_t count;  /* lines */
    size_t cursor; /* its line: < count, or LINE_NONE for none */
    size_t top;    /* first visible line */
    int height;    /* rows for lines at the last layout */
    int header;    /* rows above the lines at the last layout */
    int width;
    int pan; /* columns scrolled to the right */
    /* new lines above and below the visible ones since the view was at its top */
    size_t above, under;
    bool end_wanted;                    /* G was pressed, and the last line is not known yet */
    size_t line_wanted;                 /* same for line number N, counted from 1; 0 for none */
    bool line_sought;                   /* same for the line with id `sought` */
    void (*when_whole)(struct view *v); /* same for all lines: is called once, when they are read */
    int64_t sought;          /* the id that the cursor goes to once it is read; 0 for none */
    char filter[FILTER_MAX]; /* as it was typed; "" for none */
    char filter_word[256];   /* the text of the filter that lines highlight; "" for none */
    bool filter_fields;      /* the filter is more than a text */
    bool filter_taken;       /* the person confirmed it with Enter */
    int64_t unfiltered;      /* id under the cursor before the filter was set */
    bool only_new;           /* shows only changes since the last visit (struct unread) */
    int64_t notified_to;     /* the last event that the view was notified of */
    bool asked;              /* the person asked for other lines, which are being read */
    bool changed;            /* the store changed; the person was told to refresh (view_changed) */
    unsigned epoch;          /* ui->data->epoch when its read began */
    /* the journal's last event when its read began; it includes all events up to that */
    int64_t read_to;
    struct throttle throttle; /* for ops->load */
    struct search search;
};

bool view_is(const struct view *v, const char *name); /* compares ops->name */
/* Sets up the common part of a zeroed view. The caller owns the reference. */
void view_init(struct view *v, const struct view_ops *ops, struct ui *ui);
struct view *view_hold(struct view *v);
void view_drop(struct view *v); /* accepts NULL */

/*
 * Notifies a view that memories were written: ops->notify. Events that the view has already read are skipped. Without
 * events, everything may have changed.
 */
void view_notify(struct view *v, const struct event *events, size_t count, bool whole);
/* For ops->notify of a view that is too expensive to read each time: shows that it is out of date. */
void view_changed(struct view *v, const struct event *events, size_t count, bool whole);
/* Marks that everything up to now is being read, so that it is not reported as a change. */
void view_read_begin(struct view *v);
/* Undoes view_read_begin: the read was cancelled. */
void view_read_cancel(struct view *v);
/* Reads the view again. */
void view_load(struct view *v);
/* Sets the number of lines and keeps the cursor on an existing line. */
void view_set_count(struct view *v, size_t count);
/* Moves the cursor to the line or the nearest one that can be selected. */
void view_select(struct view *v, size_t line);
/* Scrolls just enough to make the cursor's line visible. */
void view_reveal(struct view *v);
void view_move(struct view *v, long lines);
/* Moves by half pages; negative is up. */
void view_page(struct view *v, int halves);
void view_scroll(struct view *v, long lines);
void view_first(struct view *v);
void view_last(struct view *v);
bool view_selectable(struct view *v, size_t line);
/* Calls `done` when all lines are read, at once if they are. Any key ends the wait. */
void view_read_whole(struct view *v, void (*done)(struct view *v));
/* Goes to line `number`, counted from 1; waits if it is not read yet. */
void view_go_to_line(struct view *v, size_t number);
/* Whether a key (G, a number, n) waits for lines that are not read yet. Any key ends the wait. */
bool view_waits_for_line(const struct view *v);
/* Whether the lines that the person asked for are still being read: keys that act on lines wait for them. */
bool view_awaits_lines(struct view *v);
/* Whether more lines follow the last one. */
bool view_is_partial(struct view *v);
/* The same, or the cursor waits for the line with id v->sought. */
bool view_wants_more(const struct view *v);
/* Ends these waits. */
void view_cancel_wait(struct view *v);
/* Call when lines were added at the end, or the end was reached: goes to the line that is waited for. */
void view_grown(struct view *v);
struct line_subject view_subject(struct view *v); /* of the line under the cursor */
int64_t view_node(struct view *v);                /* memory under the cursor; 0 for none */
int64_t view_node_at(struct view *v, size_t line);
/* The memory's row, or the id of another kind of line; 0 for none. */
int64_t view_line_id(struct view *v, size_t line);
/* An id below 0 for a line with a name. Accepts NULL. */
int64_t view_name_id(const char *name);
int64_t view_about(struct view *v); /* the memory that the whole view is about; 0 for none */
/* The memory under the cursor, else the one that the view is about; 0 for none. */
int64_t view_memory(struct view *v);
bool view_request(struct view *v, enum view_request request);
/* Bytes of a query. */
struct query_place {
    size_t from, to;
};
/* Parses a filter. Returns -1 and sets *e and the bytes that it is about if it is wrong. */
int view_read_filter(struct view *v, const char *text, struct query_place *bad, struct error *e);
/* Sets the filter. When a filter is removed, the cursor stays on its line. If the filter was never confirmed or matched
 * nothing, the cursor returns to its previous line. Errors as view_read_filter. */
int view_set_filter(struct view *v, const char *text, struct query_place *bad, struct error *e);
/* The same; shows the error. */
void view_filter(struct view *v, const char *text);
/* Takes over the explorer's setting for showing only what is new. */
void view_update_only_new(struct view *v);
/* Reads the view again if ui->data->epoch changed. */
void view_reload_if_outdated(struct view *v);
/* Appends "3/41": the cursor's number among the lines that can be selected. */
void view_add_position(struct view *v, struct strbuf *out);
/* Appends "12 more ↓" if lines of a page, or of a list with headings, are below the screen; else nothing. Lists of
 * rows alone have their position. */
void view_add_below(struct view *v, struct strbuf *out);
/* Draws header and lines, and sets the screen's cursor. */
void view_draw(struct view *v, const struct pane *p);
/* Incremental search from where it began. */
void view_search(struct view *v, const char *pattern);
void view_search_begin(struct view *v);
/* Returns to where the search began. */
void view_search_abandon(struct view *v);

/* Goes to the next match (-1: the previous one). Prints a message if it wraps. */
void view_search_next(struct view *v, int direction);
/* Lines changed: search again. */
void view_search_again(struct view *v);
/* `came` lines were added, all above line `end`. Searches only those. For views whose lines have a text. */
void view_search_above(struct view *v, size_t came, size_t end);
/* Continues a search where it stopped, when lines were added below. */
void view_search_here(struct view *v);
/* As view_select, but if the cursor may be on no line, a line that cannot be selected is only scrolled into view. */
void view_show_line(struct view *v, size_t line);

#endif
