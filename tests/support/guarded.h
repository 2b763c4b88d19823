/* A served store whose sessions are guarded, and an agent that talks to it. Failures fail the test that called. */
#ifndef STEMMA_TESTS_GUARDED_H
#define STEMMA_TESTS_GUARDED_H

#include "store/guard/guard.h"
#include "tests/support/client.h"
#include "tests/support/store_fixture.h"

struct mcp_server;
struct guarded {
    struct fixture f; /* open it with guarded_open, fill it, then begin */
    struct guard_rules *rules;
    struct mcp_server *server;
    unsigned long thread;
    struct client client;
    int next; /* id of a request */
    struct strbuf said;
};

void guarded_open(struct guarded *g);
/* Serves it to one client that initialized as "tester"; `agent`: --agent, or NULL. Takes over `p`. */
void guarded_begin(struct guarded *g, struct permissions *p, const char *agent);
/* Other rules from now on. */
void guarded_rules(struct guarded *g, struct permissions *p);
void guarded_end(struct guarded *g); /* stops serving; it may begin again */
void guarded_close(struct guarded *g);

/* The line that answers the request; a ' stands for a " in `params`. Valid until the next request. */
const char *guarded_ask(struct guarded *g, const char *method, const char *params);
/* The same of a tool, and the text of its answer, unescaped: an envelope where it failed. */
const char *guarded_tool(struct guarded *g, const char *tool, const char *arguments);

/* As that agent, an entry of that namespace; its ref in the fixture's arena. */
const char *guarded_put(struct guarded *g, const char *agent, const char *name, const char *key,
                        const char *value);

#endif
