/*
 * Who is told of changes: the subscriptions of a connection, each of one URI, by resources/subscribe or for
 * a stream of subscriptions/listen.
 */
#ifndef STEMMA_MCP_SUBSCRIPTIONS_H
#define STEMMA_MCP_SUBSCRIPTIONS_H

#include "store/mcp/protocol/connection_state.h"

/* A `subscriptions/listen` that goes on. Its own text follows it. */
struct listen_stream {
    struct listen_stream *next;
    struct json_slice id;
    uint32_t hash; /* of the id */
    char text[];
};

struct subscription {
    struct subscription *next;
    const struct listen_stream *stream; /* NULL: by resources/subscribe */
    struct mcp_subject subject;         /* of many, it is told of any of them */
    bool late;                          /* it changed, and that is not told yet */
    bool bound;                         /* as the guard of who subscribed */
    char *agent;                        /* likewise */
    size_t len;
    char uri[];
};

/* What a URI is of, as the service says it, for that caller; -1 with an error, masked. */
int subscription_subject(const struct mcp_connection *c, const struct guard *g, const char *uri,
                         struct mcp_subject *out, struct error *e);

struct subscription *subscription_find(const struct mcp_connection *c,
                                       const struct listen_stream *stream, const char *uri,
                                       size_t len);
/* Nothing where it is there already. -1: there is no memory. */
int subscription_add(struct mcp_connection *c, const struct listen_stream *stream,
                     const struct guard *g, const char *uri, size_t len,
                     const struct mcp_subject *subject);
/* Removes those of a stream, or the one. */
void subscription_drop(struct mcp_connection *c, const struct listen_stream *stream,
                       const struct subscription *only);
/* The `_meta` of what is told on a stream. */
void stream_add_stamp(struct strbuf *out, const struct listen_stream *stream);
void streams_release(struct mcp_connection *c);

#endif
