/*
 * A page beside a list, about what the cursor is on. The worker reads it when that is another thing, or when it may
 * have changed; until the answer comes what was shown before is kept. What it says is one struct, replaced as a whole.
 */
#ifndef STEMMA_PREVIEW_H
#define STEMMA_PREVIEW_H

#include "model/base/error.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"

struct facts_look;
struct preview;
struct reader;

/* What it is about, and what else makes another page of it; id 0: nothing. */
struct preview_key {
    int64_t id, other, how;
};

struct preview_ops {
    const char *job;  /* what its reading is called */
    bool shows_error; /* the caller does, by preview->error; else the status line says it */
    /* In the worker's thread; NULL with `e`. */
    void *(*read)(struct preview_key key, struct reader *r, struct error *e);
    void (*free)(void *facts);
    /* From an empty sheet of look->width. */
    void (*lay)(struct preview *p, const struct facts_look *look);
};

struct preview {
    const struct preview_ops *ops;
    struct ui *ui;
    struct preview_key key;   /* what it is about */
    struct preview_key known; /* what the facts are about */
    void *facts;              /* owned; NULL: none were read yet */
    struct error error;       /* why they could not be read */
    bool stale;               /* something was written since they were asked for */
    struct sheet sheet;
    int width, lines; /* it is laid out for; width 0: it must be again */
    unsigned times;   /* as ages_shown said */
    size_t top;       /* the first line that is shown */
};

void preview_init(struct preview *p, const struct preview_ops *ops, struct ui *ui);
void preview_release(struct preview *p);
/* It is about that now. */
void preview_follow(struct preview *p, struct preview_key key);
/* What was read is of another moment. */
void preview_forget(struct preview *p);
/* Are the facts about what it is about? */
bool preview_is_known(const struct preview *p);
/* The sheet, below the first row of the pane. Of one text so many lines are laid out at most; 0: all. */
void preview_draw(struct preview *p, const struct pane *pane, int lines);
void preview_scroll(struct preview *p, long lines);

#endif
