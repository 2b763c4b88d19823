/*
 * The MCP server: one thread serves any number of connections, over the Unix socket of a store or over two
 * descriptors.
 *
 * Each turn of its loop takes what all ready connections have sent. Reads are answered at once, or on a thread of
 * their own if they take long. The writes of one turn go to the writer together, share a commit and are answered
 * after it. A read waits for the earlier writes of its own connection.
 */
#ifndef STEMMA_SERVER_H
#define STEMMA_SERVER_H

#include "store/mcp/protocol/service.h"
#include <sys/types.h>
#include "model/base/error.h"

struct mcp_server;
struct transport;

/* Events that the server reports to the program that started it, in the loop's thread. */
enum server_event {
    SERVER_LISTENS, /* it listens at `path` */
    /* the process `pid` (-1 if not known) listens there; this one will when that ends */
    SERVER_WAITS,
    /* it can no longer listen (see mcp_server_listen_error). It tries again and then reports SERVER_LISTENS */
    SERVER_CANNOT_LISTEN,
    SERVER_LOG_ERROR, /* writing the log of calls failed, or works again; see mcp_server_log_error */
    SERVER_EXPELLED,  /* a person ended the session of the client at the attached descriptors */
};

struct mcp_server_options {
    const char *agent, *task; /* of `stemma mcp`; NULL if not given */
    /* may be NULL */
    void (*on_event)(void *arg, enum server_event event, const char *path, int64_t pid);
    void *arg;
    /* a peer that reads nothing of a full queue for this long is dropped; 0 means one minute */
    int stuck_ms;
    /* Returns the current rules with a reference for the caller (NULL if none). Called in the loop's thread, at most
     * once a turn. If it is NULL, nothing is guarded. */
    struct guard_rules *(*rules)(void *arg);
    void *rules_arg;
    const struct transport *http; /* http_transport, or NULL to serve without HTTP */
};

/* Makes a server of `service`, which it copies, for the store `s`, which must stay open until mcp_server_free. Returns
 * NULL and sets `e` on failure. */
struct mcp_server *mcp_server_new(struct store *s, const struct mcp_service *service,
                                  const struct mcp_server_options *options, struct error *e);
/* Listens at the store's socket (endpoint.c). Also returns 0 if another process listens there: the server then takes
 * over when that process ends. If some program removes the socket, it is made again. Returns -1 and sets `e` if it
 * can do neither. */
int mcp_server_listen(struct mcp_server *v, struct error *e);
/*
 * Serves the client at these descriptors (pipes, sockets, terminals or files; they may be the same), and takes
 * ownership of them. The server ends when `in` has ended and all requests are answered.
 */
void mcp_server_attach(struct mcp_server *v, int in, int out);
/*
 * Runs the loop until it is stopped or its attached client has ended. Accepted writes are committed and answered
 * before it returns. A stop allows one second for that, then drops what the writer has not begun. A write that cannot
 * begin within half of it, because another program writes to the store, is answered with ERROR_BUSY. Returns -1 and
 * sets `e` if answers to the attached client could not be written, for instance because the disk is full; a client
 * that has closed its end is no error.
 */
int mcp_server_run(struct mcp_server *v, struct error *e);
/*
 * Gives up what the thread that runs the loop, and those that it starts, do not need (platform_confine): call it when
 * the server listens, before mcp_server_run. `config` is the configuration that may be read again; NULL for none.
 * Returns NULL, or why it is not confined, which is no failure.
 */
const char *mcp_server_confine(struct mcp_server *v, const char *config);
/* Stops the loop. May be called from any thread and from a signal handler. */
void mcp_server_stop(struct mcp_server *v);
void mcp_server_free(struct mcp_server *v);
/* The path it listens at; NULL if it does not listen. May be called from any thread. */
const char *mcp_server_path(struct mcp_server *v);
/* Returns true and sets `why` if it cannot listen although no other process does. May be called from any thread. */
bool mcp_server_listen_error(struct mcp_server *v, struct error *why);
/* Returns true and sets `why` if the log of calls cannot be written. May be called from any thread. */
bool mcp_server_log_error(struct mcp_server *v, struct error *why);

/*
 * The Unix socket of a store. It is in the configured runtime_dir, or else in /run/user/UID/stemma, /tmp/stemma-UID or
 * ~/.local/state/stemma/run: the first that is private (mode 0700, owned by the user, no symbolic link). Its name is a
 * hash of the store's device and inode, so every path to the same file finds the same socket without an environment
 * variable. The process that holds a lock on the store file listens; the lock ends with the process.
 */
#define SOCKET_PATH 104 /* size of sun_path on every supported system; Linux has 108 */

struct endpoint {
    char path[SOCKET_PATH]; /* path of the socket */
    struct store *store;
    bool listens; /* it holds the lock for listening */
    int listener; /* descriptor, non-blocking; -1 if not listening */
    dev_t device; /* device and inode of the socket file */
    ino_t inode;
};
#define ENDPOINT_INIT                                                                              \
    {                                                                                              \
        .listener = -1                                                                             \
    }

/*
 * Finds the path of the socket, and creates its directory if `make`. Returns -1 and sets `e` if no directory can be
 * used: ERROR_REFUSED if the last one belongs to another user, is open to others or is a symbolic link.
 */
int endpoint_find(struct endpoint *p, struct store *s, bool make, struct error *e);
/* Takes the lock and listens. Returns 1, or 0 if another process holds the lock, or -1 and sets `e`. The store must
 * stay open until endpoint_close. */
int endpoint_listen(struct endpoint *p, struct error *e);
/*
 * Connects to the process that listens. Returns a blocking descriptor that the caller closes, or -1: ERROR_NOT_FOUND
 * if no process listens, ERROR_BUSY if its queue of connections is full, ERROR_REFUSED if the socket is served by
 * another user.
 */
int endpoint_connect(const struct endpoint *p, struct error *e);

#endif
