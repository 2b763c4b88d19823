/* Runs a server in a thread of its own, for the explorer. */
#ifndef STEMMA_MCP_LISTENER_H
#define STEMMA_MCP_LISTENER_H

#include "model/base/error.h"

struct mcp_listener;
struct mcp_server;
struct mcp_server_options;
struct mcp_service;
struct store;

/* Starts a server. `options` may be NULL. `http_port` 0 serves without HTTP over TCP. Returns NULL and sets `e` on
 * failure; a failure of HTTP alone is reported by mcp_listener_http. */
struct mcp_listener *mcp_listener_start(struct store *s, const struct mcp_service *service,
                                        const struct mcp_server_options *options, int http_port,
                                        struct error *e);
/* The server, for mcp_server_path and the functions that report errors. */
struct mcp_server *mcp_listener_server(struct mcp_listener *l);
/* Why HTTP is not served; ERROR_NONE if it is, or was not asked for. */
const struct error *mcp_listener_http(const struct mcp_listener *l);
void mcp_listener_stop(struct mcp_listener *l); /* `l` may be NULL */

#endif
