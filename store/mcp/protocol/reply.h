/*
 * Answers, written straight into what is sent (or into the array of a batch).
 *
 *   struct reply r = reply_to(x); reply_open(&r);
 *   json_key(&r.result, "tools"); … ; reply_close(&r);
 *
 * What the modern era has in every result is added by open and close. An answer that is too long or finds no
 * memory becomes an error that says so.
 */
#ifndef STEMMA_MCP_REPLY_H
#define STEMMA_MCP_REPLY_H

#include "store/mcp/protocol/connection_state.h"

struct reply {
    struct mcp_connection *c;
    struct batch *batch;  /* NULL: a line of its own */
    struct json_slice id; /* ptr NULL: it could not be read */
    enum mcp_era era;
    bool cached;  /* the method's results say how long they hold */
    bool at_once; /* it is no call's: its error is the message's (mcp_connection.refused) */
    struct error
        *instead; /* filled where an error is sent in place of the answer; NULL: nobody asks */
    struct json_object result;
    struct strbuf *out;
    size_t start;
};

struct reply reply_to(const struct exchange *x);
void reply_open(struct reply *r);
void reply_close(struct reply *r);

/* An answer without members. */
void reply_empty(const struct exchange *x);
void reply_error(struct reply r, enum rpc_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with `data`, which is JSON; where it is empty there is none. */
void reply_error_with(struct reply r, enum rpc_code code, const struct strbuf *data,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The result of a tool, both forms: `json` is the object of structuredContent. One that is too long becomes a
 * result that says to ask for less. */
void reply_tool_json(struct reply r, const struct strbuf *json);
/* The result of a tool that wrote all of it. */
void reply_tool_whole(struct reply r, const struct strbuf *result);
/* A result whose members somebody else wrote; braces around them are taken off. */
void reply_members(struct reply r, const struct strbuf *members);
/* A tool's failure as a result: the envelope with its code, what happened and what to do, and `details`, members
 * of an object (NULL: none), as far as they can be sent. */
void reply_tool_error(struct reply r, const struct error *e, const char *details);

/* Appends the server's name, title and version as an object. */
void reply_add_server(struct strbuf *out, const struct mcp_service *service);

#endif
