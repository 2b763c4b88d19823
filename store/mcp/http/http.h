/*
 * HTTP: the same engine as on the socket for clients that speak it ("Streamable HTTP"), over TCP on the
 * loopback and over the Unix socket.
 *
 * libmicrohttpd reads and writes, driven by the loop of the server: its epoll descriptor is one that the
 * loop watches, and nothing of it runs in a thread of its own. A request is a peer without
 * descriptors, whose connection takes the one message of the body; while it is carried out the
 * HTTP connection is suspended, and what the engine says then is its answer: as JSON, or as an
 * event stream where something is told before the answer. Where the client goes meanwhile, a request
 * of the stateless era is cancelled; one of the other era is carried out for nobody. A client that only sends no more is
 * answered.
 */
#ifndef STEMMA_MCP_HTTP_H
#define STEMMA_MCP_HTTP_H

#include "store/mcp/server/server_state.h"

/* Serves a connected descriptor, which it takes over, whoever it is of, once there is a place. */
void http_take(struct mcp_server *v, int fd);
/* A turn: accepts, reads, calls, writes, ends what is too slow. */
void http_turn(struct mcp_server *v);
int http_timeout(const struct mcp_server *v); /* ms, -1: for ever */
/* The end of a turn of a peer that is a request's. */
void http_settle(struct peer *p);
/* Its peer goes at once. */
void http_lose_peer(struct peer *p);
/* A person ended the session of a peer that keeps a client: one with a label begins anew, another is refused for its
 * time. */
void http_expel(struct peer *p);
/* Accepts no more, and lets clients go who ask for nothing. */
void http_finish(struct mcp_server *v);
/* Are answers still being sent? */
bool http_is_busy(const struct mcp_server *v);
/* Everything of it, at once. */
void http_close(struct mcp_server *v);

#endif
