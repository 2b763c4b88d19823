/*
 * What is known of memories beyond their row, for those on the screen: the label, how many
 * justifications hold, how short the id may be, how the confidence went. The worker finds it out;
 * until then a line is drawn without, and after a change with what was known before.
 */
#ifndef STEMMA_DETAILS_H
#define STEMMA_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/map.h"
#include "store/db/store.h"
#include "store/lineage/subgraph.h"
#include "store/record/get.h"
#include "tui/render/facts.h"
#include "tui/render/kind_brief.h"
#include "tui/term/paint.h"

struct app;
struct view;

#define DETAIL_LEVELS 6
#define DETAIL_FROM   47   /* columns */
#define DETAILS_MOST  4096 /* well above the lines of any screen */
#define DETAILS_BATCH 256

struct detail {
    uint32_t epoch;
    struct row_label label;
    uint16_t short_length; /* bytes of its id that tell it apart */
    uint8_t level_count;
    float level[DETAIL_LEVELS]; /* confidence over time, the last one now */
    char subtype[24];           /* an episode's outcome, a note's or belief's type; clean ASCII */
    struct kind_detail more;
    char from[160]; /* what it was made from: "2: raw:1a2b3c4d, note:…"; clean */
};

struct details {
    struct row_index known;
    struct detail *detail; /* [known.count] of DETAILS_MOST */
    uint32_t epoch;        /* raised by a change: older ones are asked for again */
    int64_t wanted[DETAILS_BATCH];
    size_t wanted_count;
    struct arena arena; /* of the rows that were read since the last change */
    struct map rows;    /* the address of each; 0: it cannot be read */
    bool rows_old;      /* there was a change: the next frame reads them again */
};

void details_open(struct details *d);
void details_release(struct details *d);
/* NULL where nothing is known yet; it is asked for then. Valid until the next frame. */
const struct detail *details_of(struct app *x, int64_t node);
/* The memory's row; NULL where it cannot be read. Valid until the next frame. */
const struct memory_row *details_row(struct app *x, int64_t node);
/* A change was written: what is known may be out of date. */
void details_changed(struct details *d);
/* It is of another moment: nothing is known any more. */
void details_forget(struct details *d);
/* Before and after a frame. The latter asks the worker for what was missing. */
void details_frame_begin(struct app *x);
void details_frame_end(struct app *x);

/* "belief:54c5507f" appended, short where it is known how short it may be. */
/* What a view of one memory is called, as it was when that was opened, or since what is shown is masked or no more. */
struct memory_name {
    int64_t node;
    bool masked;
    char text[128]; /* "belief:54c5507f"; "": it could not be read */
};
void details_name_open(struct app *x, struct memory_name *name, int64_t node);
const char *details_name(struct app *x, struct memory_name *name);
void details_ref(struct app *x, const struct memory_row *row, struct strbuf *out);
/* "on belief:7d10", the memory under the cursor. */
void details_position(struct view *v, struct strbuf *out);

/* The preview of the memory under the cursor, in brief: app->preview. */

void memory_preview_init(struct app *x);
/* A rule with the ref and the state, then the sheet. */
void memory_preview_draw(struct app *x, const struct pane *p);

#endif
