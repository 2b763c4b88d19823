/* The program serving over HTTP, and clients of it that send bytes. Whatever goes wrong fails the test. */
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
void web_stop(struct web *w); /* in good order */
/* For setup and teardown: *state is a struct web on a new store. */
int web_new_store(void **state);
int web_forget_store(void **state);

/* A connection; of web_dial_at -1 where there is none. */
int web_dial_at(int family, int port);
int web_dial(const struct web *w);
int web_dial_socket(const struct web *w);

/* What is not taken any more (it refused) is no failure. */
void web_put(int fd, const char *bytes, size_t len);
void web_send(int fd, const char *text);
/* false: it closed. */
bool web_read_more(int fd, struct strbuf *got);
/* Until `part` is there; false: it closed before. */
bool web_read_until(int fd, struct strbuf *got, const char *part);
/* One answer with a Content-Length is taken off the front of `got`; free() it. */
char *web_take_answer(int fd, struct strbuf *got);

/* A request with the token and what each must have; `headers` are more of them, each with its line's end. */
void web_add_post(struct strbuf *out, const struct web *w, const char *headers, const char *body);
/* Sends one and gives the answer, of the one that there is; free() it. */
char *web_post_on(const struct web *w, int fd, const char *headers, const char *body);

#endif
