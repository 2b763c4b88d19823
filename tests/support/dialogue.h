/*
 * Dialogues: tables of what is sent to a connection and what must be received. In both a ' stands for
 * a ", so that JSON is readable in C.
 */
#ifndef STEMMA_DIALOGUE_H
#define STEMMA_DIALOGUE_H

#include "tests/support/fake_service.h"

#define META_OPEN                                                                                  \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                             \
    "'io.modelcontextprotocol/clientCapabilities':{}"
#define META META_OPEN "}"
#define STAMP                                                                                      \
    "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'fake','title':'A "                     \
    "fake','version':'1.2.3'}}"
#define FRESH ",'ttlMs':0,'cacheScope':'private'," STAMP

#define REQUEST(id, method, params)                                                                \
    "{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':{" params "}}\n"
#define CALL(id, tool, arguments)                                                                  \
    REQUEST(id, "tools/call", "'name':'" tool "','arguments':{" arguments "}")
#define NOTE(method, params) "{'jsonrpc':'2.0','method':'" method "','params':{" params "}}\n"
#define RESULT(id, members)  "{'jsonrpc':'2.0','id':" id ",'result':{" members "}}\n"
#define ERROR(id, code, message)                                                                   \
    "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" message "'}}\n"
#define ERROR_WITH(id, code, message, members)                                                     \
    "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" message                    \
    "','data':{" members "}}}\n"
#define LOST(code, message) "{'jsonrpc':'2.0','error':{'code':" code ",'message':'" message "'}}\n"
#define HANDSHAKE(revision)                                                                        \
    REQUEST("0", "initialize",                                                                     \
            "'protocolVersion':'" revision "','capabilities':{},"                                  \
            "'clientInfo':{'name':'tester','version':'9'}")

struct dialogue {
    const char *sent, *received;
};

/* Runs each row on a connection of its own: the whole input at once, and a byte at a time.
 * `begun` is sent first, and its answer ignored; NULL for nothing. */
void dialogues_run(const struct dialogue *rows, size_t count, const char *begun);
/* Sends the text and compares the output. */
void dialogue_expect(struct fake *f, const char *sent, const char *received);
/* The text with each ' replaced by ". The caller frees it. */
char *dialogue_quoted(const char *text);

#endif
