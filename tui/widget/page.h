/*
 * A page: what the worker read about one thing, laid out as a sheet for a width. It is a view of its own (sheet_view.h),
 * or a preview next to a list, about what the cursor is on: until the answer comes what was shown before is kept. What
 * it says is one struct, which is replaced as a whole.
 */
#ifndef STEMMA_PAGE_H
#define STEMMA_PAGE_H

#include "model/base/error.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"

struct facts_look;
struct page;
struct reader;
struct ui;
struct view;

/* What it is about, and what else makes another page of it; id 0: nothing. */
struct page_key {
    int64_t id, other, how;
    void *more; /* page_ops->more bytes, as `ask` filled them; NULL in page->key and page->known */
};

struct page_ops {
    const char *job;  /* what its reading is called: "reading the memory" */
    bool shows_error; /* the caller does, by page->error; else the status line says it */
    size_t more;      /* bytes that `read` has to know next to the key */
    void (*ask)(const struct page *p, void *more); /* in the main thread; NULL: nothing more */
    /* In the worker's thread; NULL with `e`. */
    void *(*read)(const struct page_key *key, struct reader *r, struct error *e);
    /* In the main thread, however the reading ended, before `taken`: what `ask` gave away is the page's again. NULL:
     * nothing was. */
    void (*back)(struct page *p, void *more);
    void (*drop)(void *more);  /* of what did not go back, as the page is gone; NULL: nothing */
    void (*free)(void *facts); /* NULL: they are not the page's */
    /* page->facts are others. NULL: nothing more is to be done. */
    void (*taken)(struct page *p);
    /* From an empty sheet of look->width. */
    void (*lay)(struct page *p, const struct facts_look *look);
};

struct page {
    const struct page_ops *ops;
    struct ui *ui;
    struct view *view;     /* whose lines it is; NULL: a preview */
    struct page_key key;   /* what it is about */
    struct page_key known; /* what the facts are about */
    void *facts;           /* NULL: none were read yet */
    struct error error;    /* why they could not be read */
    bool stale;            /* something was written since they were asked for */
    struct sheet sheet;
    int width, lines; /* it is laid out for; width 0: it must be again */
    unsigned times;   /* as ages_shown said */
    size_t top;       /* the first line of a preview that is shown */
};

void page_init(struct page *p, const struct page_ops *ops, struct ui *ui);
void page_release(struct page *p);
/* Reads what page->key says, also where that is known. */
void page_load(struct page *p);
/* It is about that now. */
void page_follow(struct page *p, struct page_key key);
/* What was read is of another moment, or of no use. */
void page_forget(struct page *p);
/* Are the facts about what it is about? */
bool page_is_known(const struct page *p);
/* Is it laid out so, and does it lay it out so? Of one text so many lines at most; 0: all. */
bool page_is_laid(const struct page *p, int width, int lines);
void page_lay(struct page *p, int width, int lines);
/* A preview's sheet, below the first row of the pane. */
void page_draw(struct page *p, const struct pane *pane, int lines);
/* Scrolls the page in the preview. */
void page_scroll(struct ui *ui, long lines);

#endif
