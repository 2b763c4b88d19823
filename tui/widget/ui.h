/*
 * What every widget and view draws on and reads through: the screen, the status line, the panes, the fields that are
 * open over a view, the readers and the worker, and the person's preferences. A run of the explorer has one `struct
 * ui`.
 */
#ifndef STEMMA_UI_H
#define STEMMA_UI_H

#include <signal.h>
#include <stdarg.h>
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
#include "tui/widget/modal.h"
#include "tui/widget/worker.h"

/*
 * Ages on the screen: "41s", "5m". A view that shows one notes it here. The next frame is drawn when the first of them
 * reads otherwise, so ages in minutes cost one frame a minute.
 */

/* As times are shown in this frame, noting the ages. */
struct facts_look ages_look(struct ui *ui);
/* Another number where times were shown otherwise: what was laid out then must be again. */
unsigned ages_shown(const struct ui *ui);
/* Before a frame, at ui->now, and after it. */
void ages_begin(struct ui *ui);
void ages_end(struct ui *ui);

/* How full a quota is, and how long something still lives: as lines of entries show it. */

/* A bar of `width` columns; nothing where there is no quota. From four fifths on it warns. */
void gauge_draw(const struct pane *row, int column, int width, int64_t used, int64_t most);
/* The style of a number next to it. */
enum style gauge_style(int64_t used, int64_t most);

/*
 * "45s", "59m", "3h"; "" for what never expires, and "expired". Where it is drawn a frame is wanted when it would
 * read otherwise, and not before: nothing ticks that does not change.
 */
void countdown_say(struct ui *ui, char *out, size_t size, int64_t expires_at);

/* Selected memories: a set of row ids, the same in every view. */
struct marks {
    uint64_t *bits;
    size_t words, count;
    int64_t range; /* where `v` began; 0: nowhere */
};
void marks_release(struct marks *m);
bool marks_has(const struct marks *m, int64_t node);
void marks_set(struct marks *m, int64_t node, bool marked);
void marks_clear(struct marks *m);
/* The least marked row above `after`; 0: none. */
int64_t marks_next(const struct marks *m, int64_t after);

#define BAR_HITS  32 /* words of the key bar */
#define BAR_WORD  24 /* bytes of one */
#define BAR_STATE 5

/* What is read, and through what. */
struct data {
    struct store *store;
    bool read_only;        /* the store is */
    struct reader *reader; /* the main thread's, of the moment that is shown */
    unsigned epoch;        /* another number: what was read shows another moment, or other masks */
    struct worker worker;
    struct feed *feed;        /* NULL: changes cannot be followed here */
    struct guard_rules *mask; /* held; what is shown is masked by them; NULL: it is not */
};

/* How a person wants lists and drawings shown. */
struct prefs {
    char *agent;   /* lists show only this one's; NULL: all */
    size_t agents; /* that wrote in the store: 1, or 2 where there are more; 0: not known yet */
    enum list_order order;
    bool reverse;
    bool gone;        /* lists show forgotten and deleted memories too */
    bool only_new;    /* views show only what is new since the last visit */
    bool exact_times; /* "2026-11-20 10:42" in place of "3w" */
    int graph_style;  /* enum chart_style of lineage that is opened */
};

struct status_line {
    char text[1024];
    enum style style;
    bool fresh;      /* set while the last key was handled */
    int64_t said_at; /* monotonic ms */
};

struct ui {
    struct app *app; /* whom prompts, popups and forms answer to */
    struct data *data;
    struct prefs *prefs;
    struct screen screen;
    struct input input;
    sigset_t wait_mask;
    struct status_line status;

    int64_t now;             /* of this frame */
    struct ages ages;        /* that it shows */
    bool undrawn;            /* something may look different, and waits for its turn */
    int64_t throttled_until; /* monotonic: news waits so long, keys never */
    int64_t wake_at;         /* monotonic: a frame is wanted then; 0: none is */

    /* Where things were drawn, for the mouse. */
    struct pane list_pane, preview_pane, bar_pane;
    struct page *previewed; /* the page in the preview; NULL: something else is */
    struct bar_hit {
        int from, to; /* columns */
        char key[16], word[BAR_WORD];
    } bar_hit[BAR_HITS];
    size_t bar_hits;
    int64_t
        bar_state[BAR_STATE]; /* that these words are of (frame.c); all 0: of none that is shown */
    bool preview_focus;       /* the keys that move scroll the preview */
    bool zoom;                /* the focused pane has the body to itself */

    struct marks marks;
    struct modal *modal; /* what is open over the view, the topmost first: every key goes to it */
    struct prompt prompt;
    struct popup popup;

    const char *nothing_new; /* what a view says that shows what is new alone, where nothing is */
    bool script;             /* keys come from a script: nothing waits for a clock */
    bool quit;
    int ended_by;
    const char *doing; /* the name of the last action, for a crash report */
};

/* The status line. Text may be hostile. */
void ui_say(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ui_vsay(struct ui *ui, const char *format, va_list args);
void ui_fail(struct ui *ui, const struct error *e);
/* A frame is wanted in so many ms, whatever happens. */
void ui_wake(struct ui *ui, int64_t ms);
/* Masks a text as it is about to be shown, where what is shown is masked. */
void ui_mask(const struct ui *ui, struct strbuf *text);
/* The text is that name then, masked. */
void ui_mask_name(const struct ui *ui, const char *name, struct strbuf *text);

/* Puts it on top of what is open; it may be open already. */
void modal_open(struct ui *ui, struct modal *m, const struct modal_ops *ops);
/* Takes it away, wherever it stands. */
void modal_close(struct ui *ui, struct modal *m);

#endif
