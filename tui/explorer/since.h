/*
 * What is new since the last visit: in every view whose lines are memories, sessions, or what happened, such a line
 * has a mark, and `+` leaves those alone. Between the views the choice is the explorer's (app.h, only_new); each shows
 * by what its own only_new says, and is told where that changes.
 */
#ifndef STEMMA_SINCE_H
#define STEMMA_SINCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "tui/widget/marks.h"

struct app;
struct error;
struct reader;
struct view;

/* Why there are no lines, where only what is new is shown. */
const char *since_empty(const struct view *v);

/* ---- memories, in the worker's thread ---- */

struct since {
    bool only;            /* else all are wanted */
    int64_t after;        /* the event after which one is new or changed */
    struct marks written; /* those that are */
};
/* As the view shows its lines. */
struct since since_of(const struct view *v);
/* Finds them, until *cancelled. O(memories written since). */
int since_read(struct since *s, struct reader *r, const atomic_bool *cancelled, struct error *e);
bool since_wants(const struct since *s, int64_t node);
void since_release(struct since *s);

#endif
