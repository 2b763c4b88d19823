/*
 * The server: one thread that serves any number of connections, over the Unix socket of a store or
 * over two descriptors.
 *
 * A turn of its loop takes what every ready connection has sent. Reads are answered at once, or on a
 * thread of their own where they are long; writes of one turn go to the writer together and share a
 * commit, and are answered after it. A session's read waits for its own earlier write.
 */
#ifndef STEMMA_SERVER_H
#define STEMMA_SERVER_H

#include "store/mcp/protocol/service.h"

struct mcp_server;
struct transport;

/* What a server tells whoever started it, in the loop's thread. */
enum server_news {
    SERVER_LISTENS, /* at `path` */
    SERVER_WAITS, /* the process `pid` (-1: not known) listens there; this one will when it goes */
    SERVER_CANNOT_LISTEN, /* any more: mcp_server_unlistened says why; it tries again, and SERVER_LISTENS then */
    SERVER_UNLOGGED, /* the log of calls cannot be written, or it can again: mcp_server_unlogged says */
    SERVER_EXPELLED, /* a person ended the session of the one it serves over descriptors */
};

struct mcp_server_options {
    const char *agent, *task; /* of `stemma mcp`; NULL: none */
    void (*tell)(void *arg, enum server_news news, const char *path, int64_t pid); /* or NULL */
    void *arg;
    int stuck_ms; /* who takes nothing of a full queue for so long is dropped; 0: a minute */
    /* Gives the rules that hold by now, held for the caller (NULL: none); in the loop's thread, before each request.
     * NULL: nothing is guarded. */
    struct guard_rules *(*rules)(void *arg);
    void *rules_arg;
    const struct transport *http; /* http_transport; NULL: HTTP is not spoken */
};

/* Serves `service` on `s`, which must stay open until mcp_server_free. */
struct mcp_server *mcp_server_new(struct store *s, const struct mcp_service *service,
                                  const struct mcp_server_options *options, struct error *e);
/* Listens at the store's socket (endpoint.h). While another process holds it, it waits for that to go and
 * then takes over: 0 either way. Where some program removes the socket it is made anew. */
int mcp_server_listen(struct mcp_server *v, struct error *e);
/*
 * Serves whoever is at these descriptors (a pipe, a socket, a terminal, a file each), which it takes
 * over and closes; they may be one. The server ends when `in` has ended and what came is answered.
 */
void mcp_server_attach(struct mcp_server *v, int in, int out);
/*
 * Until it is stopped. Accepted writes are committed and answered before it returns; a stop gives
 * that a second, and drops then what the writer has not begun. What cannot be begun by half of that, since
 * another program writes to the store, is answered with ERROR_BUSY. -1 where what was to be said to the
 * one it serves over descriptors could not be written (the disk is full); that it went is no error.
 */
int mcp_server_run(struct mcp_server *v, struct error *e);
/* From any thread and from a signal handler. */
void mcp_server_stop(struct mcp_server *v);
void mcp_server_free(struct mcp_server *v);
/* The path it listens at; NULL: it does not (yet), or another process does. From any thread. */
const char *mcp_server_path(struct mcp_server *v);
/* Can it not listen, though no other process does? Why. From any thread. */
bool mcp_server_unlistened(struct mcp_server *v, struct error *why);
/* Can the log of calls not be written? Why. From any thread. */
bool mcp_server_unlogged(struct mcp_server *v, struct error *why);

#endif
