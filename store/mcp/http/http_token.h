/*
 * The token that HTTP clients of a store must have: 256 random bits in a file beside the store's socket,
 * which its owner alone can read. Made by the first who serves HTTP, and kept until somebody removes it: then
 * whoever serves makes another, and the old one is worth nothing.
 */
#ifndef STEMMA_MCP_HTTP_TOKEN_H
#define STEMMA_MCP_HTTP_TOKEN_H

#include "store/db/store.h"

struct http_token {
    char path[108];
    char text[65];    /* "": there is none that can be used */
    unsigned changes; /* of that, since it was found */
};

/* Reads it, or makes it. ERROR_REFUSED where the file is another's, open to others, a link, or no token. */
int http_token_find(struct http_token *t, struct store *s, struct error *e);
/* The same of the path that was found: what its file holds by now. */
int http_token_look(struct http_token *t, struct error *e);

#endif
