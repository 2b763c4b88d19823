/*
 * What the files of the server share: server.c (the loop and its turns, changes by others), server_peer.c (descriptors,
 * bytes and lines), server_calls.c (carrying calls out), endpoint.c (the socket). The loop's
 * thread owns all of it except what stands under `lock`.
 */
#ifndef STEMMA_MCP_SERVER_STATE_H
#define STEMMA_MCP_SERVER_STATE_H

#include <pthread.h>
#include <sys/queue.h>
#include "store/mcp/protocol/service.h"
#include "model/policy/rate.h"
#include "store/journal/feed.h"
#include "store/entries/sweeper.h"
#include "store/mcp/protocol/connection.h"
#include "store/mcp/server/endpoint.h"
#include "store/mcp/metrics/metrics.h"
#include "store/mcp/server/server.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"

/* A descriptor that the loop watches. */
struct watch {
    int fd;          /* -1: none */
    uint32_t events; /* what the poller was asked for */
    bool watched;    /* the poller knows it */
    bool always;     /* it is always ready: a file, or one whose other end is gone */
    bool socket;     /* asked with MSG_DONTWAIT: its open file may be another's as well */
    void (*on)(struct watch *w, uint32_t events);
    void *owner; /* a peer, or the server */
};

/* What is done for one call, from start to answer. */
struct errand {
    struct mcp_call *call;
    struct peer *peer;
    uint64_t ticket;           /* how many writes of its peer came before it */
    struct store_job job;      /* of a write; its error is the call's */
    atomic_bool told;          /* it has progress to tell */
    pthread_t thread;          /* of a long read */
    bool threaded;             /* it has that */
    struct reader *reader;     /* of that, under `lock`; NULL: none by now */
    STAILQ_ENTRY(errand) next; /* of a list it is in */
};

STAILQ_HEAD(errand_list, errand);
STAILQ_HEAD(peer_list, peer);

struct peer {
    struct mcp_host host; /* first: the connection's host is its peer */
    struct mcp_server *server;
    struct mcp_peer who;
    struct mcp_connection *connection; /* NULL: dropped, and calls are still to come back */
    struct watch in, out;              /* a socket's is `in` alone */
    bool stdio;
    bool http;                      /* without descriptors: of a request, or of a client of HTTP */
    struct http_exchange *exchange; /* that hears it; NULL: nobody */
    struct http_client *client;     /* that it keeps; NULL: it is a request's */
    bool unknown;                   /* of the socket, before the first byte says what it speaks */
    bool readable, writable;        /* as far as is known */
    bool lines;                     /* there may be whole lines that were not taken */
    bool ended;                     /* nothing more is read */
    bool deaf;                      /* what is sent goes nowhere */
    bool parted;                    /* it was told goodbye */
    bool dismissed;                 /* it is we who end it, and not its client */
    bool expelled;                  /* a person ended its session */
    size_t sent;                    /* of what the connection has to send */
    int64_t stuck_at;               /* ms: since when it takes nothing; 0: it does, or need not */
    uint64_t writes_begun, writes_done;
    size_t calls;             /* that have not come back */
    struct errand_list reads; /* to be carried out in the loop, in their order */
    struct errand_list longs; /* that turned out long */
    struct errand *pooled;    /* the first of them: in v->longs, or in a thread of its own */
    bool active;              /* in the list of those that this turn serves */
    STAILQ_ENTRY(peer) next_active;
    LIST_ENTRY(peer) link;
};

struct http;
struct http_exchange;
struct http_client;

/*
 * What the loop asks of HTTP, which stands above it (store/mcp/http): it reads and writes by itself, and its peers
 * have no descriptors.
 */
struct transport {
    /* Serves a connected descriptor, which it takes over, whoever it is of. */
    void (*take)(struct mcp_server *v, int fd);
    /* A turn: accepts, reads, calls, writes, ends what is too slow. */
    void (*turn)(struct mcp_server *v);
    int (*timeout)(const struct mcp_server *v); /* ms, -1: for ever */
    void (*settle)(struct peer *p);             /* the end of a turn of a peer of its own */
    void (*lose)(struct peer *p);               /* its peer goes at once */
    /* A person ended the session of a peer that keeps a client: one with a label begins anew, another is refused for
     * its time. */
    void (*expel)(struct peer *p);
    /* Accepts no more, and lets clients go who ask for nothing. */
    void (*finish)(struct mcp_server *v);
    bool (*is_busy)(const struct mcp_server *v); /* are answers still being sent? */
    void (*close)(struct mcp_server *v);         /* everything of it, at once */
};

/* What the loop waits for, and how it ends. */
struct loop {
    struct poller *poller;
    struct wakeup wakeup;
    struct watch wake; /* of `wakeup` */
    bool worked;       /* there was an event since it last paused */
    bool finishing;    /* the one at stdio went, or a serving stopped: it ends when all have gone */
    atomic_bool stop;
    bool stopping;
    int64_t deadline;  /* ms, of the stopping */
    char bytes[65536]; /* for reading */
};

struct clients {
    LIST_HEAD(, peer) all; /* the latest first */
    size_t count, most;
    struct peer_list active; /* that the next turn serves */
    size_t stuck;            /* that are to take something, and do not */
    struct error unheard;    /* why the one at stdio could not be told; ERROR_NONE */
};

/* The store's socket: held, or waited for. */
struct listening {
    struct endpoint endpoint;
    struct watch socket;
    struct watch holder; /* an idle connection to whoever listens instead */
    int64_t at;          /* ms: when to look, to try again to listen, or to accept; 0: no need */
    char places
        [2][SOCKET_PATH]; /* where it listened, each written once: there are no more (endpoint.h) */
    _Atomic(const char *) path; /* one of them */
    struct error
        unlistened; /* under the lock: why it cannot listen; ERROR_NONE: it does, or waits */
};

/* What others changed, and who is to be told. */
struct notifier {
    struct feed *feed;
    struct watch news;
    bool stirred;
    bool decisions_unread; /* decisions could not be read */
    bool changed;          /* there are events since what is subscribed to was read */
    bool reading;          /* not all of that was read yet */
    int64_t look_from;     /* ms: the feed is not looked at before, nor opened */
    int64_t look_at;       /* ms: then it is, though nothing stirred; -1: no need */
    struct error unlogged; /* under the lock: why the log of calls cannot be written; ERROR_NONE */
};

/* The writes of this turn, not submitted yet. */
struct write_queue {
    struct errand_list list;
    _Atomic int64_t until; /* ms: when they give up waiting for other programs */
};

/* What came from other threads, under `lock`. */
struct returned {
    pthread_mutex_t lock;
    struct errand_list done; /* calls that came back */
    atomic_bool told;        /* some have progress to tell; without the lock */
};

struct mcp_server {
    struct store *store;
    struct http *http; /* NULL: nobody spoke it, nor was asked to */
    const struct mcp_service *service;
    struct mcp_server_options options;
    char *agent, *task;
    struct reader *reader;
    struct call_log *log;
    struct sweeper *sweeper;
    struct metrics *metrics;
    struct rates *rates; /* of all its peers together */
    struct guard_rules
        *rules; /* that hold in this turn; NULL: nobody asked yet, or there are none */
    struct errand_list longs; /* reads that wait for a thread */
    size_t long_count;        /* those that have one */
    struct loop loop;
    struct clients clients;
    struct listening listening;
    struct notifier notifier;
    struct write_queue queue;
    struct returned back;
};

/* How long a connection is served in one turn before it is the others' turn. */
#define SHARE_US 1000

/* ---- server.c ---- */

/*
 * Asks the poller for those events of it; 0: only that the other end goes. What cannot be waited for is
 * `always` ready.
 */
void server_watch(struct mcp_server *v, struct watch *w, uint32_t events);
/* Watches it no more; its descriptor stays. */
void server_unwatch(struct mcp_server *v, struct watch *w);
void server_wake(struct mcp_server *v); /* from any thread, and from a signal handler */

/* ---- server_peer.c ---- */

/* Takes the descriptors over, whatever it says: -1 where there are too many. `in` may be `out`; -1: it has none,
 * and is HTTP's. It is the first of v->clients.first then. */
void peer_new(struct mcp_server *v, int in, int out, const struct mcp_peer *who);
/* It is to be served in this turn. */
void peer_touch(struct peer *p);
/* Reads what it sent and takes lines, within its share of a turn. */
void peer_take(struct peer *p);
/* Sends what can be sent and sees what to wait for; ends it where it is time. It may be gone after. */
void peer_settle(struct peer *p);
/* At once, whatever waits. */
void peer_drop(struct peer *p);
/* The same, and not as its client asked. */
void peer_dismiss(struct peer *p);
/* Nothing more is taken from it; it goes when all is answered. */
void peer_finish(struct peer *p);
/* Is so much to be sent to it that nothing more is done for it? */
bool peer_is_full(const struct peer *p);
/* Drops those that took nothing for too long. */
void peers_check_stuck(struct mcp_server *v);

/* ---- server_calls.c ---- */

void calls_host(struct peer *p);           /* fills p->host */
void calls_submit(struct mcp_server *v);   /* the writes of this turn */
void calls_read(struct peer *p);           /* one, and more within its share of a turn */
bool calls_can_read(const struct peer *p); /* is there one that could be carried out? */
void calls_give_up_reads(struct peer *p);  /* nobody hears the answers */
void calls_take_done(struct mcp_server *v);
/* The next call asks for the rules anew. */
void calls_forget_rules(struct mcp_server *v);

/* ---- endpoint.c ---- */

/* Accepts, tries to take over, once it is time. */
void listen_try(struct mcp_server *v);
void listen_close(struct mcp_server *v);
/* There is room for a peer again. */
void listen_resume(struct mcp_server *v);

#endif
