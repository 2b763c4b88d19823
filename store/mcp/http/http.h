/*
 * HTTP ("Streamable HTTP") for clients that speak it, over TCP on the loopback and over the Unix socket.
 *
 * libmicrohttpd reads and writes, driven by the server's loop: the loop watches its epoll descriptor, or calls it
 * often if there is no epoll. It starts no threads. A request is a peer without descriptors; its connection handles
 * the one message in the body. While the message is carried out, the HTTP connection is suspended. The engine's
 * output becomes the response: JSON, or an event stream if anything is sent before the answer. If the client
 * disconnects, a request of the stateless era is cancelled; one of the legacy era is carried out and its answer is
 * dropped.
 */
#ifndef STEMMA_HTTP_H
#define STEMMA_HTTP_H

#include "store/mcp/server/server.h"

extern const struct transport http_transport; /* for mcp_server_options.http */

/* Options of HTTP on the loopback (POST, GET and DELETE to /mcp). HTTP over the Unix socket needs no options. */
struct mcp_http_options {
    int port;                       /* 0 chooses a free port */
    const struct http_token *token; /* required from clients; NULL for none, only for tests */
};
int mcp_server_http(struct mcp_server *v, const struct mcp_http_options *options, struct error *e);
/* Loads the library now, because a confined process cannot. A failure is reported when HTTP is used. */
void http_prepare(void);
/* The TCP port; 0 if it does not listen. */
int mcp_server_http_port(const struct mcp_server *v);

/*
 * The token that HTTP clients of a store must send: 256 random bits in a file next to the store's socket, readable
 * only by its owner. The first server with HTTP makes it. If somebody removes the file, the servers make a new token,
 * and the old one is no longer valid.
 */
struct http_token {
    char path[SOCKET_PATH];
    char text[65];    /* "" if there is no usable token */
    unsigned changes; /* number of changes of `text` */
};

/* Finds the file and reads the token, or makes one. Returns -1 and sets ERROR_REFUSED if the file belongs to another
 * user, is open to others, is a symbolic link or holds no token. */
int http_token_find(struct http_token *t, struct store *s, struct error *e);
/* Reads the token file again. */
int http_token_reload(struct http_token *t, struct error *e);
/* Reads or makes the token of an agent. Also -1 if the configuration names no file for it. */
int http_token_of(struct http_token *t, const struct agent_grants *agent, struct error *e);

#endif
