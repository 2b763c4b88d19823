/*
 * Who is connected: the sessions that live, as the worker read them last, with how fast each calls.
 * Every view's breadcrumb counts them; the live view and the one of sessions show them.
 */
#ifndef STEMMA_LIVE_H
#define STEMMA_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/mcp/listener.h"
#include "store/session/session.h"

struct app;

struct live {
    struct mcp_listener *listener; /* NULL: this process does not listen */
    struct error listen_error;     /* why not */
    /* Why this process cannot write the log of calls, by which every explorer sees whom it answers; ERROR_NONE. */
    struct error unlogged;
    struct arena arena;
    struct session_row *session; /* [count] newest first */
    size_t count;
    struct session_row *away; /* [away_count] */
    size_t away_count;
    size_t agents; /* of how many agents they are */
    bool known;
    struct pace *pace;          /* [count], as `session` */
    int64_t looked_at, look_at; /* monotonic ms; 0: not planned */
    atomic_bool told;           /* the listener's thread has news of itself */
    bool stirred;               /* the store changed since it was looked at */
};

void live_open(struct app *x);
void live_release(struct app *x);
/* The store changed, by whatever. */
void live_stir(struct app *x);
/* Hears what the listener's thread told; true where that had news. */
bool live_hear(struct app *x);
/* Looks again, where its time has come. */
bool live_due(struct app *x);
/* Calls a second over the last PACE_SECONDS, of one that lives; 0 where it is not known. */
double live_rate(const struct app *x, int64_t session);
/* Is it one of those that live? */
bool live_knows(const struct app *x, int64_t session);
/* A line for a process that stops: "stemma: 2 agents wait until it goes on (fg)"; nothing where it answers none. */
void live_add_waiting(const struct app *x, struct strbuf *out);
/* Who answers agents at this store's socket: "listens at /run/…", or why not; and before it why their calls are not
 * logged, while they are not. */
void live_add_listener(struct app *x, struct strbuf *out);

/* Begins to listen for agents, where the configuration and the store allow it. */
void live_listen(struct app *x);

/* How many calls a session makes in a second of late: from what its row said in the last PACE_SECONDS. */
#define PACE_SECONDS  5
#define PACE_READINGS 16 /* as many looks as those seconds have, and more */

/* All times are ms since the epoch. */
struct pace {
    struct pace_reading {
        int64_t at, calls;
    } reading[PACE_READINGS]; /* the oldest gives way */
    unsigned count;
};

/* Its row said so at that time. */
void pace_add(struct pace *p, int64_t at, int64_t calls);
/* Calls a second; 0 where there were none, or where it is not known yet. */
double pace_at(const struct pace *p, int64_t now);

#endif
