/*
 * The explorer at another moment: every view and answer is of the store as it was then, until the
 * present is asked for again. Nothing can be changed there, and what others write does not disturb
 * it.
 *
 * The worker makes the two readers of the past, its own and the main thread's, which it may be told
 * to stop. Only when both are there they take the place of those of the present.
 */
#ifndef STEMMA_ASOF_H
#define STEMMA_ASOF_H

#include "tui/text/moment.h"

struct app;

struct asof {
    struct reader *present; /* the main thread's of now; app.reader is it, or one of the past */
    struct moment moment;   /* that is shown; seq 0: the present */
    bool going;             /* to another one, whose readers the worker makes */
    _Atomic int percent;    /* how far that is: the worker's */
};

/* Opens the reader of the present. */
int asof_open(struct app *x, struct error *e);
void asof_close(struct app *x);

/* Goes to that moment once the worker has made its readers, and says how far that is. */
void asof_go(struct app *x, const struct moment *m);
/* Back to the present. */
void asof_return(struct app *x);

/* Every view is of something else by now: what it read is read again, at once on top, else when it is shown. */
void asof_read_again(struct app *x);

/* "2026-11-13 09:00" appended, for the breadcrumb; nothing in the present. */
void asof_add_crumb(const struct app *x, struct strbuf *out);
/* What the status line says where nothing else does: how far the way there is, or which moment it
 * is and how to come back; "" in the present. */
void asof_add_status(struct app *x, struct strbuf *out);
/* Why nothing can be changed here, or NULL. */
const char *asof_blocked(const struct app *x);

#endif
