/*
 * Dialogues: what is sent to a connection and what is received from it, in tables. A ' stands for a " in
 * both, so that JSON reads well in C.
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

/* Runs each on a connection of its own, whole and a byte at a time. `begun`: what is sent first, whose
 * answer does not count; NULL: nothing. */
void dialogues_run(const struct dialogue *rows, size_t count, const char *begun);
/* Says it and compares what is received. */
void dialogue_expect(struct fake *f, const char *sent, const char *received);
/* The text with each ' made a ". The caller frees it. */
char *dialogue_quoted(const char *text);

#endif
