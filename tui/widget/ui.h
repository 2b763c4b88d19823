/*
 * The state that all widgets and views share: screen, status line, panes, modals, readers and worker, and the
 * person's preferences. A run of the explorer has one `struct ui`.
 */
#ifndef STEMMA_UI_H
#define STEMMA_UI_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/db/thread.h"
#include "store/journal/feed.h"
#include "store/query/list.h"
#include "tui/render/facts.h"
#include "tui/term/input.h"
#include "tui/term/paint.h"
#include "tui/term/screen.h"
#include "tui/widget/headers.h"
#include "tui/widget/modal.h"
#include "tui/widget/worker.h"

/*
 * Ages on the screen: "41s", "5m". A view registers each age that it shows. The next frame is drawn when the first of
 * them changes, so ages in minutes cost one frame a minute.
 */

/* The layout options of this frame. Ages that are laid out with them are registered. */
struct page_options ages_options(struct ui *ui);
/* A number that changes when ages have to be written again: a layout made under another number is outdated. */
unsigned ages_shown(const struct ui *ui);
/* Call before a frame (with ui->now set) and after it. */
void ages_begin(struct ui *ui);
void ages_end(struct ui *ui);

/* Quota usage and time to live, in lines of entries. */

/* Draws a bar of `width` columns, in a warning style from four fifths on. Draws nothing without a quota. */
void gauge_draw(const struct pane *row, int column, int width, int64_t used, int64_t most);
/* The style of a number next to the bar. */
enum style gauge_style(int64_t used, int64_t most);

/*
 * Writes "45s", "59m", "3h", "expired", or "" if it never expires. Schedules a frame for the moment when the text
 * changes.
 */
void countdown_text(struct ui *ui, char *out, size_t size, int64_t expires_at);

/* Selected memories: a set of row ids, common to all views. */
struct selection {
    uint64_t *bits;
    size_t words;      /* of `bits`, 64 rows each */
    size_t count;      /* selected rows */
    int64_t range;     /* the row where `v` began a range; 0 for none */
    size_t range_line; /* the line where it was last seen */
};
void selection_release(struct selection *m);
bool selection_has(const struct selection *m, int64_t node);
void selection_set(struct selection *m, int64_t node, bool selected);
void selection_clear(struct selection *m);
/* The lowest selected row above `after`; 0 if there is none. */
int64_t selection_next(const struct selection *m, int64_t after);

#define BAR_HITS   32 /* words of the key bar */
#define BAR_WORD   24 /* bytes of a word */
#define BAR_STATE  5
#define CRUMBS_MAX 7 /* most views in the breadcrumb below the one shown */

/* The store and how it is read. */
struct data {
    struct store *store;
    bool read_only;        /* the store was opened read-only */
    struct reader *reader; /* reads the displayed state; main thread only */
    unsigned epoch;        /* changes when another state of the store or other masks are shown */
    struct worker worker;
    struct feed *feed;           /* NULL if changes cannot be followed */
    struct guard_rules *mask;    /* masks for everything shown, with a reference; NULL for none */
    struct disbelief *disbelief; /* what its readers disbelieve, held; NULL for nothing */
};

/* Display preferences. */
struct prefs {
    char *agent;          /* lists show only this agent's memories; NULL for all */
    size_t agents;        /* agents in the store: 1, or 2 for several; 0 if unknown */
    bool has_transcripts; /* lists show what memory files cost, and when they were last opened */
    enum list_order order;
    /* 1 + the column that sorts the lists with it in place of the order (tui/view/columns.h), negative if reversed;
     * 0 for none */
    int by_column;
    bool reverse;
    unsigned char extent;          /* which ended memories lists show: an index in view_list.c */
    bool only_new;                 /* views show only changes since the last visit */
    bool exact_times;              /* "2026-11-20 10:42" in place of "3w" */
    int graph_style;               /* enum chart_style for newly opened lineage views */
    int preview;                   /* enum preview_place */
    int preview_size;              /* percent of the body; 0: as its place needs */
    struct column_choice *columns; /* [column_count] */
    size_t column_count, column_alloc;
};

struct status_line {
    char text[1024];
    enum style style;
    bool fresh;          /* set while the current key was handled */
    int64_t shown_since; /* monotonic ms */
};

struct ui {
    struct app *app; /* passed to callbacks of prompts, popups and forms */
    struct data *data;
    struct prefs *prefs;
    const struct permissions *permissions; /* of agents, for pages of entries */
    struct screen screen;
    struct input input;
    sigset_t wait_mask;
    struct status_line status;

    int64_t now;       /* time of this frame */
    int64_t ages_from; /* ages count back from this time: now, or that of the past state shown */
    struct ages ages;  /* registered by this frame */
    bool undrawn;      /* a redraw is pending */
    bool drop_typed;   /* keys that come before the next frame are dropped */
    bool rows_moved;   /* other lines than were drawn: until the next frame no key decides */
    int64_t throttled_until; /* monotonic ms: change notifications wait until then, keys do not */
    int64_t wake_at;         /* monotonic ms of the next requested frame; 0 for none */

    /* Positions of drawn elements, for the mouse. */
    struct pane list_pane, preview_pane, bar_pane;
    struct panel *previewed; /* the page in the preview; NULL if it is something else */
    bool dragging;           /* the mouse moves the border of the preview */
    struct bar_hit {
        int from, to; /* columns */
        char key[16], word[BAR_WORD];
    } bar_hit[BAR_HITS];
    size_t bar_hits;
    struct {
        int from, to;        /* columns of the first row */
    } crumb_hit[CRUMBS_MAX]; /* names of the views below, the nearest first */
    size_t crumb_hits;
    struct headers headers;
    int crumbs_at;                /* the column where the breadcrumb begins */
    int64_t bar_state[BAR_STATE]; /* key of the cached words (frame.c); all 0 if none */
    bool preview_focus;           /* movement keys scroll the preview */
    bool zoom;                    /* the focused pane fills the body */

    struct selection selection;
    struct selection disbelieved; /* for the moment (tui/explorer/shown_state.h) */
    struct selection unsupported; /* lost all support by that */
    struct modal *modal;          /* stack of open modals, topmost first; gets every key */
    struct prompt prompt;
    struct popup popup;

    const char *nothing_new; /* text of an empty view that shows only new lines */
    bool script;             /* keys come from a script, so do not wait for time to pass */
    bool quit;
    int ended_by;
    const char *doing; /* name of the last action, for a crash report */
};

/* The mark of a memory that is disbelieved, or lost all support by that, or is selected; NULL for none. */
const char *ui_mark(const struct ui *ui, int64_t node);
/* Draws it, if there is one. */
void ui_draw_mark(const struct ui *ui, const struct pane *p, int row, int column, int64_t node);

/* The status line. The text is cleaned when it is drawn. */
void ui_message(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ui_error(struct ui *ui, const struct error *e);
/* Whether an error answers the last key. It stays until the next one: what else there is to say waits. */
bool ui_shows_error(const struct ui *ui);
/* Whether a signal asked to end. If so, sets quit and the signal to end with. */
bool ui_is_ended(struct ui *ui);
/* Requests a frame in `ms`. */
void ui_wake(struct ui *ui, int64_t ms);
/* Masks a text for display if masks are on. */
void ui_mask(const struct ui *ui, struct strbuf *text);
/* As ui_mask, for a name: replaces `text` with the masked name. */
void ui_mask_name(const struct ui *ui, const char *name, struct strbuf *text);

/* Moves a modal to the top; it may be open already. */
void modal_open(struct ui *ui, struct modal *m, const struct modal_ops *ops);
/* Closes a modal at any position of the stack. */
void modal_close(struct ui *ui, struct modal *m);

#endif
