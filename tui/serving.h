/* How a command serves: until a signal asks it to end. */
#ifndef STEMMA_SERVING_H
#define STEMMA_SERVING_H

#include "../store/mcp/server.h"

/* As many descriptors as the system lets this process have: each client is one. */
void serving_prepare(void);

/*
 * Runs the server until it ends by itself or by SIGINT, SIGTERM or SIGHUP. The second such signal
 * ends the program as it would any other.
 */
int serving_run(struct mcp_server *v, struct error *e);

#endif
