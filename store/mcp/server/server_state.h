/*
 * Shared by the files of the server: server.c (the loop, changes by others), server_peer.c (descriptors and bytes),
 * server_calls.c (carrying calls out), endpoint.c (the socket). The loop's thread owns all of it except members that
 * are marked as under `lock`.
 */
#ifndef STEMMA_MCP_SERVER_STATE_H
#define STEMMA_MCP_SERVER_STATE_H

#include <pthread.h>
#include <sys/queue.h>
#include "store/mcp/protocol/service.h"
#include "model/policy/permission.h"
#include "store/journal/feed.h"
#include "store/entries/entry.h"
#include "store/team/team.h"
#include "store/mcp/protocol/connection.h"
#include "store/mcp/metrics/metrics.h"
#include "store/mcp/server/server.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"

/* A descriptor that the loop watches. */
struct watch {
    int fd;          /* -1 if none */
    uint32_t events; /* events requested from the poller */
    bool watched;    /* it is registered with the poller */
    bool always;     /* always ready: a file, or its other end is closed */
    bool socket; /* a socket: use MSG_DONTWAIT, because other processes may share the open file */
    void (*on)(struct watch *w, uint32_t events);
    void *owner; /* the peer or the server */
};

/* The execution of one call, from its start to its answer. */
struct call_job {
    struct mcp_call *call;
    struct peer *peer;
    uint64_t ticket;             /* number of earlier writes of its peer */
    struct store_job write_job;  /* for a write; reports errors in call->error */
    atomic_bool has_progress;    /* it has unsent progress */
    pthread_t thread;            /* for a long read */
    bool threaded;               /* `thread` was started */
    struct reader *reader;       /* reader of the thread, under `lock`; NULL if it has none now */
    STAILQ_ENTRY(call_job) next; /* link of the list that it is in */
};

STAILQ_HEAD(call_job_list, call_job);
STAILQ_HEAD(peer_list, peer);

struct peer {
    struct mcp_host host; /* must be first: the host of a connection is cast to its peer */
    struct mcp_server *server;
    struct mcp_peer who;
    struct mcp_connection *connection; /* NULL after peer_drop, while calls have not come back */
    struct watch in, out;              /* a socket uses only `in` */
    bool stdio;
    bool http;                      /* no descriptors: it belongs to an HTTP request or client */
    struct http_exchange *exchange; /* the request that gets its output; NULL if none */
    struct http_client *client;     /* the client it belongs to; NULL if it belongs to a request */
    bool unknown;                   /* on the socket, before the first byte tells HTTP from lines */
    bool readable, writable;        /* may be out of date */
    bool lines;                     /* there may be complete lines in the buffer */
    bool ended;                     /* no more input is read */
    bool output_closed;             /* output is discarded */
    bool streams_ended;             /* its streams were ended */
    bool dismissed;                 /* the server ends it, not the client */
    bool expelled;                  /* a person ended its session */
    size_t sent;                    /* bytes of the connection's output that were sent */
    int64_t stuck_at; /* ms: since when it has read nothing; 0 if it reads or need not */
    uint64_t writes_begun, writes_done;
    size_t calls;                    /* calls that have not come back */
    struct call_job_list reads;      /* reads to run in the loop, in order */
    struct call_job_list long_reads; /* reads that need a thread */
    struct call_job *long_read;      /* its one long read that is in v->longs or on a thread */
    bool active;                     /* in the list of peers to serve */
    STAILQ_ENTRY(peer) next_active;
    LIST_ENTRY(peer) link;
};

struct http;
struct http_exchange;
struct http_client;

/*
 * Functions of the HTTP transport (store/mcp/http), a room above this one. HTTP reads and writes by itself; its peers
 * have no descriptors.
 */
struct transport {
    /* Serves a connected descriptor, whose socket granted that name (NULL: none), and takes ownership of it. */
    void (*take)(struct mcp_server *v, int fd, const char *agent);
    /* Runs one turn: accepts, reads, starts calls, writes, and ends slow connections. */
    void (*turn)(struct mcp_server *v);
    int (*timeout)(const struct mcp_server *v); /* ms; -1 for no limit */
    void (*settle)(struct peer *p);             /* called at the end of a turn for a peer of HTTP */
    void (*lose)(struct peer *p);               /* called when its peer is dropped */
    /* Called when a person ended the session of a client's peer. A client with a session id can start a new session;
     * others are refused for a time. */
    void (*expel)(struct peer *p);
    /* Stops accepting and ends idle clients. */
    void (*finish)(struct mcp_server *v);
    bool (*is_busy)(const struct mcp_server *v); /* true while answers are being sent */
    void (*close)(struct mcp_server *v);         /* frees everything at once */
};

/* The state of the loop itself. */
struct loop {
    struct poller *poller;
    struct wakeup wakeup;
    struct watch wake; /* watches `wakeup` */
    bool worked;       /* an event arrived since the last pause */
    /* the attached client has ended, or the server stops: the loop ends when no peer is left */
    bool finishing;
    atomic_bool stop;
    bool stopping;
    int64_t deadline;  /* ms: when the stop gives up waiting */
    char bytes[65536]; /* read buffer */
};

struct clients {
    LIST_HEAD(, peer) all; /* newest first */
    size_t count, most;
    struct peer_list active; /* peers to serve in the next turn */
    size_t stuck;            /* number of peers that do not read their output */
    /* why output to the attached client failed; ERROR_NONE if it did not */
    struct error output_error;
};

/* A socket at which the configuration grants an agent's name (`agents`: `socket`). */
struct tied_socket {
    struct mcp_server *server;
    struct watch watch;
    char path[SOCKET_PATH];
    char *agent;
    int64_t uid; /* the user that may connect */
    dev_t device;
    ino_t inode;
};

/* The store's socket: this process listens, or waits to take over. */
struct listening {
    struct endpoint endpoint;
    struct watch socket;
    struct tied_socket *tied; /* open while this process listens */
    size_t tied_count;
    struct watch holder; /* an idle connection to the process that listens */
    /* ms: when to check the socket, to listen again or to accept again; 0 if not needed */
    int64_t at;
    /* the paths at which it listened, each written once; there are at most two (endpoint.c) */
    char paths[2][SOCKET_PATH];
    _Atomic(const char *) path; /* points into `paths` */
    /* under `lock`: why it cannot listen; ERROR_NONE if it listens or waits */
    struct error listen_error;
};

/* Watches the store for changes by other processes, and notifies subscribers. */
struct notifier {
    struct feed *feed;
    struct watch feed_watch;
    bool feed_ready;
    bool decisions_unread; /* reading the decisions failed */
    bool changed;          /* there are new events since the subscribed resources were read */
    bool reading;          /* reading the subscribed resources is not finished */
    int64_t check_from;    /* ms: the earliest time to open or check the feed */
    int64_t check_at;      /* ms: when to check it even without a signal; -1 if not needed */
    /* under `lock`: why the log of calls cannot be written; ERROR_NONE if it can */
    struct error log_error;
};

/* The writes of this turn, not yet submitted. */
struct write_queue {
    struct call_job_list list;
    _Atomic int64_t until; /* ms: when they stop waiting for other programs */
};

/* Results from other threads, under `lock`. */
struct returned {
    pthread_mutex_t lock;
    struct call_job_list done; /* calls that are done */
    atomic_bool has_progress;  /* some calls have unsent progress; not under `lock` */
};

struct mcp_server {
    struct store *store;
    struct http *http; /* NULL until HTTP is used */
    struct mcp_service service;
    struct mcp_server_options options;
    char *agent, *task;
    struct reader *reader;
    struct call_log *log;
    struct sweeper *sweeper;
    struct team_follower *follower; /* NULL unless the store is a team's */
    struct metrics *metrics;
    struct rates *rates;       /* shared by all peers */
    struct guard_rules *rules; /* the rules of this turn; NULL if not asked for yet, or none */
    struct call_job_list long_reads; /* reads waiting for a thread */
    size_t long_threads;             /* reads on a thread */
    struct loop loop;
    struct clients clients;
    struct listening listening;
    struct notifier notifier;
    struct write_queue queue;
    struct returned back;
};

/* Time for one connection in one turn. */
#define SHARE_US 1000

/* ---- server.c ---- */

/*
 * Watches the descriptor for `events`; 0 only for a hangup. A descriptor that cannot be polled becomes `always`
 * ready.
 */
void server_watch(struct mcp_server *v, struct watch *w, uint32_t events);
/* Stops watching. Does not close the descriptor. */
void server_unwatch(struct mcp_server *v, struct watch *w);
/* may be called from any thread and from a signal handler */
void server_wake(struct mcp_server *v);

/* ---- server_peer.c ---- */

/* Makes a peer, first in v->clients.all, and takes ownership of the descriptors, which may be the same. `in` is -1
 * for a peer of HTTP. */
void peer_new(struct mcp_server *v, int in, int out, const struct mcp_peer *who);
/* Serves the peer in the next turn. */
void peer_touch(struct peer *p);
/* Reads and handles lines, within its share of the turn. */
void peer_take(struct peer *p);
/* Sends what can be sent and sets what to wait for. Ends the peer when it is done, and may free it. */
void peer_settle(struct peer *p);
/* Closes the peer at once. It is freed when its last call has come back. */
void peer_drop(struct peer *p);
/* The same, but the session is recorded as ended by the server. */
void peer_dismiss(struct peer *p);
/* Takes no more input; the peer ends when all requests are answered. */
void peer_finish(struct peer *p);
/* True if so much output is queued that no more work is done for it. */
bool peer_is_full(const struct peer *p);
/* Drops peers that have not read their output for too long. */
void peers_check_stuck(struct mcp_server *v);

/* ---- server_calls.c ---- */

void calls_host(struct peer *p);         /* sets the callbacks in p->host */
void calls_submit(struct mcp_server *v); /* submits the writes of this turn */
void calls_read(struct peer *p);         /* runs one read, and more within the share of the turn */
bool calls_can_read(const struct peer *p); /* true if a read can run now */
void calls_cancel_reads(struct peer *p);   /* cancels the reads, because nobody gets the answers */
void calls_take_done(struct mcp_server *v);
/* The next call fetches the rules again. */
void calls_forget_rules(struct mcp_server *v);

/* ---- endpoint.c ---- */

/* Checks the socket or tries to listen, when it is time. */
void listen_try(struct mcp_server *v);
void listen_close(struct mcp_server *v);
/* Accepts again, because there is room for a peer. */
void listen_resume(struct mcp_server *v);

#endif
