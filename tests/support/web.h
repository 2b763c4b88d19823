/* A server over HTTP and clients that send raw bytes. Any error fails the test. */
#ifndef STEMMA_TESTS_WEB_H
#define STEMMA_TESTS_WEB_H

#include "tests/support/client.h"

#define WEB_JSON   "Content-Type: application/json\r\n"
#define WEB_ACCEPT "Accept: application/json, text/event-stream\r\n"

/* `stemma serve --http 0` on `store`. */
struct web {
    struct client program;
    char path[104], url[64], token_file[104], token[65];
    int port;
    char *store;
};

void web_start(struct web *w, char *store);
void web_stop(struct web *w); /* with SIGTERM, and checks the exit status */
/* Set-up and tear-down. *state is a struct web on a new store. */
int web_new_store(void **state);
int web_forget_store(void **state);

/* Open a connection. web_dial_at returns -1 if it fails. */
int web_dial_at(int family, int port);
int web_dial(const struct web *w);
int web_dial_socket(const struct web *w);

/* A write error is ignored, since the server may have closed. */
void web_put(int fd, const char *bytes, size_t len);
void web_send(int fd, const char *text);
/* Returns false if the server closed. */
bool web_read_more(int fd, struct strbuf *got);
/* Reads until `part` arrives. Returns false if the server closed before. */
bool web_read_until(int fd, struct strbuf *got, const char *part);
/* Removes one answer with a Content-Length from the front of `got`. The caller frees it. */
char *web_take_answer(int fd, struct strbuf *got);

/* Appends a POST request with the token and the required headers. `headers` are additional ones,
 * each with a line end. */
void web_add_post(struct strbuf *out, const struct web *w, const char *headers, const char *body);
/* Sends a POST and returns the only answer. The caller frees it. */
char *web_post_on(const struct web *w, int fd, const char *headers, const char *body);

#endif
