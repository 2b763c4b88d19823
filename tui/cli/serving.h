/* How a command serves: until a signal asks it to end. */
#ifndef STEMMA_SERVING_H
#define STEMMA_SERVING_H

#include "store/mcp/server/server.h"

/*
 * Before anything can be served: SIGINT, SIGTERM and SIGHUP ask it to end in good order from here on (the
 * second one ends the program as it would any other), and it may have as many descriptors as the
 * system lets this process have, for each client is one.
 */
void serving_prepare(void);

/* Runs the server until it ends by itself or is asked to. */
int serving_run(struct mcp_server *v, struct error *e);

#endif
