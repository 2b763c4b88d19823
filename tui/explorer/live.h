/*
 * Connected sessions, as the worker read them last, with their call rates. The breadcrumb of every view counts them;
 * the live view and the sessions view show them. The live view also shows the quotas.
 */
#ifndef STEMMA_LIVE_H
#define STEMMA_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/mcp/listener.h"
#include "store/session/session.h"

struct app;

/* What a namespace uses of its limits; a limit of 0 is none. */
struct quota_use {
    const char *name;
    int64_t items, max_items, bytes, max_bytes;
};

struct live {
    /* Why this process cannot write the call log, which other explorers need to see its sessions; ERROR_NONE if it
     * can. */
    struct error unlogged;
    struct arena arena;
    struct session_row *session; /* [count] newest first */
    size_t count;
    struct session_row *away; /* [away_count] */
    size_t away_count;
    size_t agents; /* number of different agents */
    bool known;
    struct quota_use *quota; /* [quotas] of namespaces with a limit, the fullest first */
    size_t quotas;
    struct call_rate *rate; /* [count], in the order of `session` */
    int64_t minutes_of;     /* the session that the minutes are of; 0 for all */
    struct call_minute
        *minute; /* [LIVE_MINUTES] the last one is the current one; NULL if not known */
    int64_t looked_at, look_at; /* monotonic ms of the last and next read; 0 if not planned */
    bool store_changed;         /* the store changed since the last read */
};

#define LIVE_MINUTES 120 /* for which calls are counted: a chart of as many columns */

void live_open(struct app *x);
void live_release(struct live *live);
/* The store changed in any way. */
void live_store_changed(struct app *x);
/* Handles messages of the listener's thread. Returns true if there was one. */
bool live_take_messages(struct app *x);
/* Reads the sessions again if it is time. */
bool live_due(struct app *x);
/* Calls per second over the last CALL_RATE_SECONDS of a connected session; 0 if unknown. */
double live_rate(const struct app *x, int64_t session);
/* From now on counts the calls in each minute of that session; 0 for all. */
void live_count_minutes(struct app *x, int64_t session);
/* Whether the session is connected. */
bool live_knows(const struct live *live, int64_t session);
/* Appends a line for a process that is suspended: "stemma: 2 agents wait until it goes on (fg)"; nothing if it serves
 * none. */
void live_add_waiting(const struct live *live, struct strbuf *out);
/* Appends who serves agents at this store's socket: "listens at /run/…", or why nobody does. If calls cannot be
 * logged, the reason comes first. */
void live_add_listener(struct app *x, struct strbuf *out);

/* Starts the listener of the home if configuration and store allow it and it does not listen yet. */
void live_listen(struct app *x);

/* The recent call rate of a session, from its call counts in the last CALL_RATE_SECONDS. */
#define CALL_RATE_SECONDS  5
#define CALL_RATE_READINGS 16 /* more readings than fit into those seconds */

/* All times are ms since the epoch. */
struct call_rate {
    struct call_rate_reading {
        int64_t at, calls;
    } reading[CALL_RATE_READINGS]; /* the oldest is replaced */
    unsigned count;
};

/* Adds a reading of the call count. */
void call_rate_add(struct call_rate *p, int64_t at, int64_t calls);
/* Calls per second; 0 if there were none or it is unknown. */
double call_rate_at(const struct call_rate *p, int64_t now);

#endif
