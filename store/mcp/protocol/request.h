/* A request in flight: what the engine keeps beside its call, and what the call told on the way. */
#ifndef STEMMA_MCP_REQUEST_H
#define STEMMA_MCP_REQUEST_H

#include <pthread.h>
#include "store/mcp/protocol/connection_state.h"

/* What a call has to tell before its answer; any thread adds to it. */
struct news {
    pthread_mutex_t lock;
    double done, total;
    struct strbuf message;  /* of the progress */
    struct strbuf lines;    /* messages for the client's log, as they are sent */
    size_t left_out;        /* messages that found no room in `lines` */
    bool has_progress, any; /* progress that is not sent; there was some */
};

struct mcp_request {
    struct mcp_call call;
    struct mcp_request *next, **link; /* in its connection's list; link NULL: not in it */
    const struct method *method;
    struct mcp_host *host;
    struct batch *batch;
    struct sitting *sitting;
    struct json_slice id, token; /* token.ptr NULL: progress was not asked for */
    uint32_t hash;               /* of the id */
    int log_level;               /* the least it may send */
    bool own_agent, own_task;    /* its own _meta says whose it is, and of which task */
    size_t size;                 /* bytes it holds */
    struct news news;
    char text[];
};

/* As mcp_call_log, in the loop's thread right before the answer: wakes nobody. */
void news_log(struct mcp_request *r, const char *level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends the events of a call that is about to be answered, or the one of its failure. */
void news_events(const struct mcp_request *r, int64_t at, struct strbuf *out);
/* Appends what it has told since the last time. `last`: its answer follows. */
void news_tell(struct mcp_request *r, struct strbuf *out, bool last);

#endif
