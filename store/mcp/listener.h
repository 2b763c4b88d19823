/* The server in a thread of its own, for the explorer. */
#ifndef STEMMA_MCP_LISTENER_H
#define STEMMA_MCP_LISTENER_H

#include "model/base/error.h"

struct mcp_server;
struct mcp_server_options;
struct mcp_service;
struct store;

/* NULL with `e` where it cannot start. `options` NULL: none.
 * `http_port` 0: without HTTP; where that alone cannot be, mcp_listener_http says why. */
struct mcp_listener;
struct mcp_listener *mcp_listener_start(struct store *s, const struct mcp_service *service,
                                        const struct mcp_server_options *options, int http_port,
                                        struct error *e);
/* For mcp_server_path, _unlistened and _unlogged. */
struct mcp_server *mcp_listener_server(struct mcp_listener *l);
/* What became of HTTP: ERROR_NONE where it is served, or was not asked for. */
const struct error *mcp_listener_http(const struct mcp_listener *l);
void mcp_listener_stop(struct mcp_listener *l); /* NULL is allowed */

#endif
