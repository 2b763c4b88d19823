/*
 * Details of the memories on the screen: label, support, shortest id, history of the confidence. The worker reads
 * them. Until then a line is drawn without them, and after a change with the old ones.
 */
#ifndef STEMMA_DETAILS_H
#define STEMMA_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/map.h"
#include "store/lineage/subgraph.h"
#include "store/record/get.h"
#include "tui/render/kind_preview.h"
#include "tui/term/paint.h"

struct app;
struct view;

#define DETAIL_LEVELS 6
#define DETAIL_FROM   47   /* columns */
#define DETAILS_MAX   4096 /* more than any screen has lines */
#define DETAILS_BATCH 256

struct detail {
    uint32_t epoch;
    struct row_label label;
    struct independent independent; /* of several valid justifications */
    uint16_t short_length;          /* bytes of its shortest unique id */
    uint8_t level_count;
    float level[DETAIL_LEVELS]; /* confidence over time; the last value is the current one */
    char subtype[96];           /* an episode's outcome, a note's or belief's type; clean */
    int64_t tokens, opened_at; /* of a memory file: its cost, and its last use (ms); 0 if unknown */
    struct kind_detail more;
    char from[160]; /* its sources: "2: raw:1a2b3c4d, note:…"; clean */
};

struct details {
    struct row_index known;
    struct detail *detail; /* [known.count] of DETAILS_MAX */
    uint32_t epoch;        /* incremented by a change; details of older epochs are read again */
    int64_t wanted[DETAILS_BATCH];
    size_t wanted_count;
    struct arena arena; /* holds the rows read since the last change */
    struct map rows;    /* pointer to each row; 0 if it cannot be read */
    bool rows_old;      /* a change happened: the next frame reads the rows again */
};

/* Reads the details of these memories; with `loses` also what would lose all support without them. For a worker. */
int details_read(struct reader *r, const int64_t *nodes, size_t count, bool loses,
                 struct detail *out, struct error *e);

void details_open(struct details *d);
void details_release(struct details *d);
/* Returns NULL and requests the details if they are not known. Valid until the next frame. */
const struct detail *details_of(struct details *details, int64_t node);
/* NULL until its label and its effective confidence are known. */
const struct row_label *details_label(const struct detail *d);
/* The style of a memory's text: dim if it does not stand. `d` may be NULL. */
enum style details_style(const struct memory_row *m, const struct detail *d);
/* The memory's row, or NULL if it cannot be read. Valid until the next frame. */
const struct memory_row *details_row(struct app *x, int64_t node);
/* Memories changed: details may be out of date. */
void details_changed(struct details *d);
/* Another state is shown: drops all details. */
void details_forget(struct details *d);
/* Call before and after a frame. The latter requests the missing details from the worker. */
void details_frame_begin(struct details *details);
void details_frame_end(struct app *x);

/* The name of a view of one memory. It stays as it was when the view was opened, except when masks are turned on or
 * off. */
struct memory_name {
    int64_t node;
    bool masked;
    char text[128]; /* "belief:54c5507f", or "" if it could not be read */
};
void details_name_open(struct app *x, struct memory_name *name, int64_t node);
const char *details_name(struct app *x, struct memory_name *name);
/* Appends "belief:54c5507f", shortened if it is known how short the id may be. */
void details_ref(struct app *x, const struct memory_row *row, struct strbuf *out);
/* Appends "on belief:7d10", the memory under the cursor. */
void details_position(struct view *v, struct strbuf *out);

/* The preview of the memory under the cursor: app->preview. */
void memory_preview_init(struct app *x);
/* Draws a rule with ref and state, then the page. */
void memory_preview_draw(struct app *x, const struct pane *p);

#endif
