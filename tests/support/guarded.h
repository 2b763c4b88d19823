/* A served store with guarded sessions, and a client of it. Failures fail the calling test. */
#ifndef STEMMA_TESTS_GUARDED_H
#define STEMMA_TESTS_GUARDED_H

#include "store/guard/guard.h"
#include "tests/support/client.h"
#include "tests/support/store_fixture.h"

struct mcp_server;
struct guarded {
    struct fixture f; /* open with guarded_open, fill, then call guarded_begin */
    struct guard_rules *rules;
    struct mcp_server *server;
    unsigned long thread;
    struct client client;
    int next; /* the id of the next request */
    struct strbuf said;
};

void guarded_open(struct guarded *g);
/* Serves the store to one client, initialized as "tester". `agent` is the value of --agent, or
 * NULL. Takes ownership of `p`. */
void guarded_begin(struct guarded *g, struct permissions *p, const char *agent);
/* Replaces the rules. */
void guarded_rules(struct guarded *g, struct permissions *p);
void guarded_end(struct guarded *g); /* stops serving; guarded_begin may follow */
void guarded_close(struct guarded *g);

/* The line that answers the request. In `params` a ' stands for a ". Valid until the next
 * request. */
const char *guarded_ask(struct guarded *g, const char *method, const char *params);
/* Calls a tool and returns the text of its answer, unescaped. If it failed, that is an error
 * envelope. */
const char *guarded_tool(struct guarded *g, const char *tool, const char *arguments);

/* Puts an entry as that agent. Returns its ref, in the fixture's arena. */
const char *guarded_put(struct guarded *g, const char *agent, const char *name, const char *key,
                        const char *value);

#endif
