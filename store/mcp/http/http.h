/*
 * HTTP: the same engine as on the socket for clients that speak it ("Streamable HTTP"), over TCP on the
 * loopback and over the Unix socket.
 *
 * libmicrohttpd reads and writes, driven by the loop of the server: its epoll descriptor is one that the
 * loop watches (without epoll, it is asked often), and nothing of it runs in a thread of its own. A request is a peer without
 * descriptors, whose connection takes the one message of the body; while it is carried out the
 * HTTP connection is suspended, and what the engine says then is its answer: as JSON, or as an
 * event stream where something is told before the answer. Where the client goes meanwhile, a request
 * of the stateless era is cancelled; one of the other era is carried out for nobody.
 */
#ifndef STEMMA_HTTP_H
#define STEMMA_HTTP_H

#include "store/db/store.h"
#include "store/mcp/server/endpoint.h"
#include "store/mcp/server/server.h"

extern const struct transport http_transport; /* for mcp_server_options.http */

/*
 * HTTP on the loopback, besides: POST, GET and DELETE to /mcp. Over the Unix socket it is spoken without
 * this.
 */
struct mcp_http_options {
    int port;                       /* 0: a free one */
    const struct http_token *token; /* that clients must have; NULL: none, for tests alone */
};
int mcp_server_http(struct mcp_server *v, const struct mcp_http_options *options, struct error *e);
/* The port it has; 0: it does not listen there. */
int mcp_server_http_port(const struct mcp_server *v);

/*
 * The token that HTTP clients of a store must have: 256 random bits in a file next to the store's socket,
 * which its owner alone can read. Made by the first who serves HTTP, and kept until somebody removes it: then
 * whoever serves makes another, and the old one is worth nothing.
 */

struct http_token {
    char path[SOCKET_PATH];
    char text[65];    /* "": there is none that can be used */
    unsigned changes; /* of that, since it was found */
};

/* Reads it, or makes it. ERROR_REFUSED where the file is another's, open to others, a link, or no token. */
int http_token_find(struct http_token *t, struct store *s, struct error *e);
/* The same of the path that was found: what its file holds by now. */
int http_token_look(struct http_token *t, struct error *e);

#endif
