/*
 * A page: data about one thing, read by the worker and laid out as a page for a width. It is either a view of its
 * own (page_view.h) or a preview next to a list. A preview keeps its old content until the new data arrives. The
 * data is one struct, which is replaced as a whole.
 */
#ifndef STEMMA_PANEL_H
#define STEMMA_PANEL_H

#include "model/base/error.h"
#include "tui/render/page.h"
#include "tui/term/paint.h"

struct page_options;
struct panel;
struct reader;
struct ui;
struct view;

/* Identifies a page: its subject and everything else that changes its content. id 0 for no subject. */
struct panel_key {
    int64_t id, other, how;
    void *more; /* panel_ops->more bytes, filled by `ask`; NULL in page->key and page->known */
};

struct panel_ops {
    const char *job;  /* description of the job: "reading the memory" */
    bool shows_error; /* the caller shows page->error; else it goes to the status line */
    size_t more;      /* size of extra input of `read` */
    void (*ask)(const struct panel *p, void *more); /* main thread; may be NULL */
    /* Worker thread. Returns NULL and sets *e on failure. */
    void *(*read)(const struct panel_key *key, struct reader *r, struct error *e);
    /* Main thread, after any read, before `taken`: the page takes back what `ask` gave away. May be NULL. */
    void (*back)(struct panel *p, void *more);
    void (*drop)(void *more);  /* releases `more` if the page was released; may be NULL */
    void (*free)(void *facts); /* NULL if the page does not own them */
    /* page->facts was replaced. May be NULL. */
    void (*taken)(struct panel *p);
    /* Lays out page->facts on an empty page of options->width. */
    void (*lay)(struct panel *p, const struct page_options *options);
};

struct panel {
    const struct panel_ops *ops;
    struct ui *ui;
    struct view *view;      /* the view whose lines it is; NULL for a preview */
    struct panel_key key;   /* the requested subject */
    struct panel_key known; /* the subject of `facts` */
    void *facts;            /* NULL before the first read */
    struct error error;     /* the error of the last read */
    bool stale;             /* the store changed after `facts` was requested */
    struct page page;
    int width, lines; /* of the layout; width 0 if it is outdated */
    unsigned times;   /* value of ages_shown at the last layout */
    size_t top;       /* first visible line of a preview */
};

void panel_init(struct panel *p, const struct panel_ops *ops, struct ui *ui);
void panel_release(struct panel *p);
/* Reads the data for page->key, even if it is known. */
void panel_load(struct panel *p);
/* Changes the subject; reads it if it is not known. */
void panel_set_subject(struct panel *p, struct panel_key key);
/* Drops the data, which is outdated or for another state of the store. */
void panel_forget(struct panel *p);
/* Whether the data belongs to the requested subject. */
bool panel_is_known(const struct panel *p);
/* Whether the layout fits that size. `lines` limits the memory's own text; 0 for no limit. */
bool panel_is_laid_out(const struct panel *p, int width, int lines);
/* Lays the page out for that size. */
void panel_lay_out(struct panel *p, int width, int lines);
/* Draws a preview: a rule with a title, `state` and how many lines do not fit, and the page below it. */
void panel_draw(struct panel *p, const struct pane *pane, int lines, const char *title,
                const char *state);
/* Scrolls the preview. */
void panel_scroll(struct ui *ui, long lines);

#endif
