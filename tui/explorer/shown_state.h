/* Which state of the store the views show: as it is, as of a time, or as if memories were wrong. */
#ifndef STEMMA_SHOWN_STATE_H
#define STEMMA_SHOWN_STATE_H

#include <stddef.h>
#include <stdint.h>
#include "tui/text/times.h"

/*
 * Showing a past state of the store in all views. Nothing can be changed meanwhile, and changes by others are not
 * shown.
 *
 * The worker builds two readers of the past, one for itself and one for the main thread; C-c cancels this. They
 * replace the readers of the present when both are ready.
 */

struct app;

struct asof {
    /* the main thread's reader of the present; data.reader is this one or one of the past */
    struct reader *present;
    struct point_in_time point; /* the state that is shown; seq 0 for the present */
    bool going;                 /* the worker is building readers of another state */
    _Atomic int percent;        /* progress, set by the worker */
};

/* Opens the reader of the present. */
int asof_open(struct app *x, struct error *e);
void asof_close(struct app *x);

/* Shows a past state once the worker has built its readers. The status line shows the progress. */
void asof_go(struct app *x, const struct point_in_time *m);
/* Shows the present again. */
void asof_return(struct app *x);

/* Another state is shown: reads the top view again now, the others when they become the top. */
void asof_read_again(struct app *x);

/* Appends "2026-11-13 09:00" for the breadcrumb; nothing in the present. */
void asof_add_crumb(const struct asof *asof, struct strbuf *out);
/* Appends the lasting message: the progress, or which state is shown and how to return; nothing in the present. */
void asof_add_status(struct app *x, struct strbuf *out);
/* The reason why nothing can be changed, or NULL. */
const char *asof_blocked(const struct asof *asof);

/*
 * Disbelieving memories for the moment: all views show the store as it would be without them, and nothing is written.
 * So a person tries which combinations of sources a belief needs. Meanwhile nothing can be changed.
 *
 * The readers do the work (store/lineage/loaded.h). ui->disbelieved has the memories; ui->unsupported what lost all
 * support by that, which the worker finds.
 */

struct app;
struct reader;
struct strbuf;

/* Disbelieves these memories too, or if it does so already of all of them, believes them again. */
void disbelieve_toggle(struct app *x, const int64_t *nodes, size_t count);
/* Believes everything again. */
void disbelieve_end(struct app *x);
/* The store changed, or another state of it is shown: finds again what lost its support. */
void disbelieve_changed(struct app *x);
/* Call before the readers are closed. */
void disbelieve_release(struct app *x);

/* Appends the lasting message "2 disbelieved, 5 others lose all support · …"; nothing if all is believed. */
void disbelieve_add_status(struct app *x, struct strbuf *out);
/* The reason why nothing can be changed, or NULL. */
const char *disbelieve_blocked(const struct app *x);

#endif
