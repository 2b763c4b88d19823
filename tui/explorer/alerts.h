/*
 * Alerts: queries that a person watches. After each notification of changes the worker lists what matches now; a
 * memory that did not match before is an alert, whatever changed it: an edit, or a source that lost its support. What
 * the person at this explorer changed is none, nor what follows from it.
 */
#ifndef STEMMA_ALERTS_H
#define STEMMA_ALERTS_H

#include "model/base/map.h"
#include "tui/widget/view.h"

struct app;

/* A watched query, and what matched it at the last look. */
struct watch {
    char *query; /* owned */
    struct row_set matches;
    bool looked; /* without an earlier look nothing is new */
};

struct alerts {
    struct watch *watch;
    size_t count, alloc;
    struct row_set fresh; /* new matches that were not opened yet */
    size_t count_new;     /* how many they are */
    char *untold; /* what the status line says once no error stands there; NULL for nothing */
    struct throttle throttle;
    int64_t seq;    /* the journal's last event at the last look */
    unsigned epoch; /* of the last look; in another one labels differ, and nothing is new */
};

/* Reads the file of watches. Shows an error. */
void alerts_open(struct app *x);
void alerts_release(struct alerts *a);
/* Adds a query, or removes it, here and in the file. Shows what it did. */
void alerts_watch(struct app *x, const char *query);
void alerts_unwatch(struct app *x, const char *query);
/* Memories changed: looks again, at most as often as the throttle allows. */
void alerts_changed(struct app *x);
/* Says in the status line what is untold, but not in place of an error. */
void alerts_tell(struct app *x);
/* A time requested with ui_wake came. Returns false: it draws nothing. */
bool alerts_due(struct app *x);
/* Forgets the alerts, which the person has seen. */
void alerts_seen(struct alerts *a);

#endif
