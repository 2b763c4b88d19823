/*
 * A view: lines with a cursor, on a stack. `struct view` is the first member of each kind of view.
 *
 * Each kind of view is one file with one `struct view_ops`. A view says how many lines it has and draws one when
 * asked, so a million lines cost what is on the screen. view.c does what is the same for all: moving, paging,
 * searching, scrolling and the place of the cursor.
 *
 * Views are counted: the stack, the history of `[` and `]`, and bookmarks hold them. A view holds the one below it.
 */
#ifndef STEMMA_WIDGET_VIEW_H
#define STEMMA_WIDGET_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tui/term/paint.h"

struct view;
struct event;
struct activity;

/*
 * Throttles re-reads of a view that others change often: after a read it waits at least as long as that read took. All
 * zero at first.
 */
struct throttle {
    bool wanted;   /* something was written since it was read */
    int64_t until; /* monotonic ms: not before */
};

/* It was read, from that monotonic time on. */
void throttle_rest(struct throttle *c, int64_t begun);

#define LINE_NONE  SIZE_MAX
#define FILTER_MAX 1024 /* bytes */

/* What a line is about. All 0: a heading, or a text. */
struct line_subject {
    int64_t node;    /* a memory's row */
    int64_t id;      /* tells a line from the others: view_name_id of what it names */
    int64_t event;   /* the last event of the journal that it tells of */
    int64_t session; /* an agent's */
    const struct activity *activity; /* a row of the activity log; NULL: something else */
    int section;                     /* lines of one section are together */
};

/* What a view has, or can do. An action names what it is for. */
enum capability {
    HAS_MEMORIES = 1 << 0, /* lines that are memories */
    HAS_TEXT = 1 << 1,     /* a text runs along each line: it pans */
    HAS_FILTER = 1 << 2,   /* lines that a filter hides */
    HAS_NEW = 1 << 3,      /* lines that are new since the last visit, or not */
    HAS_ORDER = 1 << 4,
    HAS_LIST = 1 << 5,     /* the list of memories */
    HAS_EVENTS = 1 << 6,   /* lines that happened */
    HAS_JOURNAL = 1 << 7,  /* and are copied as the journal has them */
    HAS_UNDO = 1 << 8,     /* what its lines tell of can be taken back */
    HAS_SESSIONS = 1 << 9, /* of agents */
    HAS_FORMER = 1 << 10,  /* what memories were before: it is never masked */
    HAS_LINEAGE = 1 << 11, /* of one memory: drawn, or as an outline */
    HAS_DRAWING = 1 << 12,
    HAS_FOLDS = 1 << 13,
    HAS_GROUPS = 1 << 14, /* of retrievals, or can be grouped so */
    HAS_PAGE = 1 << 15,   /* all that is stored of one memory */
    HAS_MATRIX = 1 << 16, /* of a chain's steps and sources */
    HAS_USES = 1 << 17,   /* of sources by steps */
    HAS_CHAINS = 1 << 18, /* on one question, side by side */
    HAS_PROBLEMS = 1 << 19,
    HAS_SHARED = 1 << 20,    /* entries that agents share */
    HAS_EVERYONE = 1 << 21,  /* lines of every agent, whichever one the lists show */
    HAS_QUESTION = 1 << 22,  /* it asks whether it is to be done */
    HAS_CONFLICT = 1 << 23,  /* it asks which of two states it is to be */
    HAS_NO_PLACE = 1 << 24,  /* it is answered, and not come back to */
    HAS_FOLLOWING = 1 << 25, /* its cursor can go to what is new */
};

/* What a person asks of a view; one that does not know it answers false. */
enum view_request {
    REQUEST_OPEN,
    REQUEST_FOLD,
    REQUEST_UNFOLD,
    REQUEST_NEXT_SECTION,
    REQUEST_PREVIOUS_SECTION,
    REQUEST_REFRESH,
    REQUEST_CLEAR, /* takes away what is laid over it, one thing at a time: Esc */
    /* Of a view that draws all of itself: what moves its cursor, and what moves it under the cursor. */
    REQUEST_UP,
    REQUEST_DOWN,
    REQUEST_LEFT,
    REQUEST_RIGHT,
    REQUEST_FIRST,
    REQUEST_LAST,
    REQUEST_HALF_UP,
    REQUEST_HALF_DOWN,
    REQUEST_PAGE_UP,
    REQUEST_PAGE_DOWN,
    REQUEST_PAN_LEFT,
    REQUEST_PAN_RIGHT,
};

struct view_ops {
    const char *name; /* "list" */
    unsigned has;     /* enum capability */
    /* Actions that stand first in its key bar, in their order: "open,next-section=versions,!undo". One has its own word
     * behind "=", and none at all where "!" stands before it. NULL: as they do everywhere. */
    const char *bar;
    bool preview;     /* the memory under the cursor is shown next to or below */
    bool zooms;       /* with ui->zoom it gives the whole body to one of its own panes */
    bool own_preview; /* the preview is always what draw_preview draws */
    bool of_now; /* it shows what is so now, also while what others write waits, and in the past */
    bool at_large; /* the cursor may stand on no line: then what all lines are about is acted on */

    void (*title)(struct view *v,
                  struct strbuf *out); /* the last word of the breadcrumb; NULL: the name */
    /* At its right, in that order: how the lines have to be read, kept longest; what is counted; the order of
     * the lines, which goes first. Any may be NULL */
    void (*notice)(struct view *v, struct strbuf *out);
    void (*counts)(struct view *v, struct strbuf *out);
    void (*order)(struct view *v, struct strbuf *out);
    /* Before each frame, and whenever the size may have changed. May be NULL. */
    void (*layout)(struct view *v, int height, int width);
    int header_rows;               /* above the lines, that do not scroll */
    int (*header)(struct view *v); /* where they are not always as many; NULL: header_rows */
    void (*draw_header)(struct view *v, const struct pane *p);
    void (*draw_line)(struct view *v, const struct pane *row, size_t line);
    /* All of it at once, where what is a line to others stands anywhere; it puts the screen's cursor as well. Then
     * requests move it, and the two below are there too. NULL: header and lines. */
    void (*draw)(struct view *v, const struct pane *p);
    size_t (*line_at)(struct view *v, int row, int column); /* in the pane; LINE_NONE */
    void (*wheel)(struct view *v, long rows);               /* the mouse's wheel */
    /* A button of the mouse in that cell of the pane, as in an input_event, where more than a line is pointed at.
     * NULL: the two above */
    void (*point)(struct view *v, int row, int column, int button);
    bool (*selectable)(struct view *v, size_t line); /* NULL: every line */
    /* NULL: its lines are about nothing. LINE_NONE is a line about what all of them are about. */
    struct line_subject (*subject)(struct view *v, size_t line);
    /* Does it change what the line under the cursor says, though it is not about the memory there? NULL: never */
    bool (*touched)(struct view *v, const struct event *event);
    /* The line's text for a search; NULL where searching reads memories by their rows. */
    void (*text)(struct view *v, size_t line, struct strbuf *out);
    /* Are lines still to come after the last one? They are read where view_wants_more. NULL: never */
    bool (*partial)(struct view *v);
    /* Where there are no lines: why. */
    const char *(*empty)(struct view *v);
    bool (*request)(struct view *v, enum view_request request);
    /* What stands at the right of the status line. NULL: the line and how many there are, "3/41", "3/400…" */
    void (*position)(struct view *v, struct strbuf *out);
    void (*selected)(struct view *v); /* the cursor stands on another line. May be NULL */
    void (*shown)(struct view *v);    /* it is the top again. May be NULL */
    /* v->filter or v->only_new is another: shows its lines by them. NULL: it has no HAS_FILTER and no HAS_NEW. */
    void (*narrow)(struct view *v);
    /* Takes a filter as it was typed; false where it is wrong, which it says. NULL: what a line must contain */
    bool (*read_filter)(struct view *v, const char *text);
    /* Memories were written, by whomever. `whole`: more than are listed. Called for the top alone;
     * another view hears of it as a whole when it becomes the top. May be NULL */
    void (*news)(struct view *v, const struct event *events, size_t count, bool whole);
    /* Reads it anew, by a job of the worker whose owner is the view and whose `done` calls throttle_rest. It is called on
     * news where `news` is NULL, or sets throttle.wanted, as often as that lets, and for REQUEST_REFRESH. NULL: it is not
     * read so */
    void (*load)(struct view *v);
    /* The store changed, by whatever: also where it is none of its memories. For the top alone. NULL */
    void (*stirred)(struct view *v);
    /* What the preview shows where the cursor is on no memory; NULL: nothing. */
    void (*draw_preview)(struct view *v, const struct pane *p);
    void (*release)(struct view *v); /* what it holds next to itself */
};

/* The table of a kind of view begins with what its family has in common, as ROWS_VIEW_OPS; what stands behind that wins. */
#pragma GCC diagnostic ignored "-Woverride-init"

struct search {
    char pattern[256]; /* "": none */
    size_t *line;      /* [count] matching lines, ascending */
    size_t count, alloc;
    size_t seen; /* lines that were looked through, where they are here */
    bool complete;
    size_t origin; /* where the cursor was when it began */
    bool wanted;   /* jump to the first one once it is known */
    size_t
        shown; /* the match that was gone to, while `top` is where it was then and the cursor on no line */
    size_t top;
};

/* The first member of every kind of view. */
struct view {
    const struct view_ops *ops;
    struct app *app;
    struct ui *ui;
    struct view *below; /* held; NULL at the bottom */
    int references;
    size_t count;    /* lines */
    size_t selected; /* < count, or LINE_NONE where nothing can be selected */
    size_t top;      /* the first line on the screen */
    int height;      /* rows for lines, when it was laid out last */
    int header;      /* rows above them then */
    int width;
    int pan;                 /* columns scrolled to the right */
    size_t above, under;     /* new lines that landed outside the screen since it was at its top */
    bool end_wanted;         /* G was the last key, and the last line is not known yet */
    size_t line_wanted;      /* so is this one, counted from 1; 0: none */
    bool line_sought;        /* so is the one of `sought` */
    int64_t sought;          /* the id that the cursor goes to once it is there; 0: it stays */
    char filter[FILTER_MAX]; /* as it was typed; "": none */
    bool filter_columns;     /* it says more than what a line must contain: ops->read_filter */
    bool filter_taken;       /* it was typed to its end */
    int64_t unfiltered;      /* the id that the cursor was on before there was a filter */
    bool only_new;           /* it shows only what is new since the last visit (struct unread) */
    int64_t heard;   /* the last event that it was told of, or that was told before it was made */
    bool changed;    /* something was written, and the person is told to ask again (view_changed) */
    unsigned epoch;  /* of ui->data, when its reading began */
    int64_t read_to; /* the journal's last event when its reading began: up to it, it has all */
    struct throttle throttle; /* of what ops->load reads */
    struct search search;
};

/* Makes the common part of a view that a kind has allocated (zeroed); the reference is the caller's. */
bool view_is(const struct view *v, const char *name); /* by ops->name */
void view_init(struct view *v, const struct view_ops *ops, struct ui *ui);
struct view *view_hold(struct view *v);
void view_drop(struct view *v); /* NULL is allowed */

/*
 * Tells it that memories were written: ops->news. Of `count` events, which ascend, those that it was read with are
 * left out; without any all that was written is meant.
 */
void view_news(struct view *v, const struct event *events, size_t count, bool whole);
/* For the view_ops: what costs too much to read anew each time says that it is not of now. */
void view_changed(struct view *v, const struct event *events, size_t count, bool whole);
/* All of it is read from now on: what was written until now is no news to it. */
void view_reads(struct view *v);
/* That is not so: what was to be read was given up. */
void view_reads_not(struct view *v);
/* It is read anew now. */
void view_load(struct view *v);
/* Another number of lines; the cursor stays on a line that exists. */
void view_set_count(struct view *v, size_t count);
/* Puts the cursor on the line, or on the nearest that can be selected. */
void view_select(struct view *v, size_t line);
/* Scrolls as little as brings the cursor's line onto the screen. */
void view_reveal(struct view *v);
void view_move(struct view *v, long lines);
/* Half a page is 1, a page 2, negative up. */
void view_page(struct view *v, int halves);
void view_scroll(struct view *v, long lines);
void view_first(struct view *v);
void view_last(struct view *v);
bool view_selectable(struct view *v, size_t line);
/* To that line, counted from 1; where it is still to come it is waited for. */
void view_go_to_line(struct view *v, size_t number);
/* Has a key asked for a line that is still to come? */
bool view_moves_on(const struct view *v);
/* Are lines still to come after the last one? */
bool view_is_partial(struct view *v);
/* Is something waited for that stands in a line still to come? Any key ends it. */
bool view_wants_more(const struct view *v);
void view_want_nothing(struct view *v);
/* More lines came at the end, or the last one is known: goes to what was waited for. */
void view_grown(struct view *v);
struct line_subject view_subject(struct view *v); /* of the line under the cursor */
int64_t view_node(struct view *v);                /* under the cursor; 0: none */
int64_t view_node_at(struct view *v, size_t line);
/* The same, or of a line that is no memory what else tells it apart; 0: nothing does. */
int64_t view_line_id(struct view *v, size_t line);
/* Of a line that has a name, NULL as well; below 0. */
int64_t view_name_id(const char *name);
int64_t view_about(struct view *v); /* what it is a view of; 0: of no one memory */
bool view_request(struct view *v, enum view_request request);
/* What its lines are filtered by from now on. Where no filter is left the cursor stays on the line that was found by it;
 * one that was only typed, or that left nothing, gives the cursor back. */
void view_filter(struct view *v, const char *text);
/* Shows what is new alone, or all, as the explorer does by now. */
void view_take_only_new(struct view *v);
/* Reads all of it again where it was read in another epoch. */
void view_read_moved(struct view *v);
/* Draws header and lines, and puts the screen's cursor on the selected line. */
void view_draw(struct view *v, const struct pane *p);
/* As the pattern is typed: finds it from where the search began. */
void view_search(struct view *v, const char *pattern);
void view_search_begin(struct view *v);
/* Back to where it began. */
void view_search_abandon(struct view *v);

/* The next match after the cursor (-1: before). Says in the status line where it wraps. */
void view_search_next(struct view *v, int direction);
/* Lines moved: what was found is asked for again. */
void view_search_again(struct view *v);
/* So many lines came, all of them above the line `end`; below it are those of before. Those
 * above it alone are looked through; for views that have the texts of their lines. */
void view_search_above(struct view *v, size_t came, size_t end);

#endif
