/*
 * Reading threads: where reads go that would hold up the loop. There are two, each with a reader of its
 * own, started when they are first needed. What is added is taken in its order; who adds keeps it
 * fair (the server has at most one read of a connection here at a time).
 */
#ifndef STEMMA_MCP_READING_H
#define STEMMA_MCP_READING_H

#include "store/mcp/protocol/service.h"

struct reading_threads;

/* `done` is called in a reading thread with each call that was added, carried out or not. */
struct reading_threads *reading_new(struct store *s, void (*done)(void *arg, struct mcp_call *call),
                                    void *arg);
/* Ends what runs, gives everything back, joins the threads. NULL is allowed. */
void reading_free(struct reading_threads *g);
void reading_add(struct reading_threads *g, struct mcp_call *call);
/* Whose `cancelled` is set: what it is doing ends soon. It is given back as any other. */
void reading_cancel(struct reading_threads *g, struct mcp_call *call);

/*
 * Carries a read out through `r`, in whichever thread that belongs to: fills call->error, and
 * call->result where that is ERROR_NONE. Everything it reads is of one moment.
 */
void call_run_read(struct mcp_call *call, struct reader *r);
/* As it was before it was run: for one that is begun again elsewhere. */
void call_clear(struct mcp_call *call);

#endif
