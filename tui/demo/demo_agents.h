/*
 * The agents of `stemma demo --live`: two processes that talk to the store as any other agent would,
 * through the socket of whoever listens there, until the demo ends.
 */
#ifndef STEMMA_DEMO_AGENTS_H
#define STEMMA_DEMO_AGENTS_H

#include <sys/types.h>
#include "model/base/error.h"

#define DEMO_AGENTS 2

struct demo_agents {
    pid_t pids[DEMO_AGENTS]; /* 0: not started */
    int leash;               /* -1: none */
};
#define DEMO_AGENTS_INIT                                                                           \
    {                                                                                              \
        {0}, -1                                                                                    \
    }

/* Starts them on the store at `path`. To be called while this process has one thread and no store
 * open. They wait until somebody listens, and come back some time after they were sent away. */
int demo_agents_start(struct demo_agents *a, const char *path, struct error *e);
/* Ends them and waits until they have. Does nothing where none was started. */
void demo_agents_stop(struct demo_agents *a);

#endif
