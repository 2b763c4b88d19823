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
struct strbuf;

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
    uint64_t
        came_and_went; /* another number once somebody did: what hangs on a session is another then */
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
/* "2 agents live" appended; nothing where there is none. */
void live_add_count(struct app *x, struct strbuf *out);
/* A line for a process that stops: "stemma: 2 agents wait until it goes on (fg)"; nothing where it answers none. */
void live_add_waiting(const struct app *x, struct strbuf *out);
/* Who answers agents at this store's socket: "listens at /run/…", or why not; and before it why their calls are not
 * logged, while they are not. */
void live_add_listener(struct app *x, struct strbuf *out);

/* Begins to listen for agents, where the configuration and the store allow it. */
void live_listen(struct app *x);

/*
 * How many calls a session makes in a second of late: those of the last PACE_SECONDS.
 *
 * Its row says how many there were, and when the last one was; it is written within a second of a call and looked at
 * half a second after that. Between two looks at such a row its calls are taken to be spread evenly over the second
 * before the last of them. Where the last call may not have been told yet the seconds end with the last that was, else
 * now: so a steady pace is told as a steady one, and who stopped has none PACE_SECONDS later.
 */
#define PACE_SECONDS 5
#define PACE_SPELLS  16 /* as many looks as those seconds have, and one that began before */

/* All times are ms since the epoch, by the clock of the rows. */
struct pace {
    int64_t calls, seen_at; /* as the row said last */
    int64_t since;          /* what was before is not known */
    struct spell {
        int64_t from, to, calls; /* so many after the one and up to the other */
    } spell[PACE_SPELLS];        /* the oldest gives way */
    unsigned next;
};

/* Of a session that is met: one that began within those seconds has made all its calls in them; when an older one made
 * them is not known. */
struct pace pace_begin(int64_t started_at, int64_t seen_at, int64_t calls, int64_t now);
/* Its row as it is by now. */
void pace_add(struct pace *p, int64_t seen_at, int64_t calls);
/* Calls a second; 0 where there were none, or where it is not known yet. */
double pace_at(const struct pace *p, int64_t now);

#endif
