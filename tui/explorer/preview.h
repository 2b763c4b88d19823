/* The preview: the memory under the cursor, in brief, beside or below the list. */
#ifndef STEMMA_PREVIEW_H
#define STEMMA_PREVIEW_H

#include <stdbool.h>
#include <stdint.h>
#include "tui/render/facts.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"

struct app;

struct preview {
    int64_t node;             /* what it is about; 0: nothing */
    struct facts *facts;      /* of `node`, or of what was shown before until the answer comes */
    struct kind_brief *brief; /* of the same, where its kind has one; NULL */
    struct sheet sheet;
    int sheet_width, sheet_lines; /* it was laid out for; 0: it must be again */
    unsigned times;               /* as ages_shown said */
    size_t top;
    bool stale; /* something was written since it was read */
};

void preview_open(struct preview *p);
void preview_release(struct preview *p);
/* Follows the cursor: asks the worker when it stands on another memory, or when it is stale. */
void preview_follow(struct app *x, int64_t node);
/* What it shows is of another moment. */
void preview_forget(struct app *x);
void preview_scroll(struct app *x, long lines);
/* A rule with the ref and the state, then the sheet. */
void preview_draw(struct app *x, const struct pane *p);

#endif
