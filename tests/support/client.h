/*
 * A client of a server: it is connected to a socket or to `stemma mcp`, and sends and reads lines.
 * Any error or timeout fails the calling test.
 */
#ifndef STEMMA_TESTS_CLIENT_H
#define STEMMA_TESTS_CLIENT_H

#include <sys/types.h>
#include "model/base/strbuf.h"

#define CLIENT_WAIT_MS 60000 /* longer than any answer takes on any machine */

struct client {
    pid_t pid; /* of `stemma mcp`; 0 for a socket */
    int in;    /* input of the server; -1 if closed */
    int out;   /* output of the server; the same descriptor for a socket */
    int err;   /* standard error of a started server; -1 for a socket */
    struct strbuf got;
    size_t at; /* how much of `got` was returned */
};

/* Starts the built program ($STEMMA, or ./stemma) with these arguments, which end with NULL, and
 * pipes as its streams. With `env` NULL it gets the environment of the test. */
void client_start(struct client *c, const char *const *arguments, char *const *env);
#define CLIENT_START(c, ...) client_start((c), (const char *const[]){__VA_ARGS__, NULL}, NULL)
/* The same as that user, with no environment but HOME (or not even that). Returns false if the test cannot change
 * users. */
bool client_start_as(struct client *c, unsigned uid, const char *home,
                     const char *const *arguments);
void client_connect(struct client *c, const char *path);
/* The same, but returns false if nobody listens. */
bool client_try(struct client *c, const char *path);

/* Connects to the explorer that serves that store, once it listens, and initializes. */
void client_join(struct client *c, const char *store);

/* Sends the line and a line end. */
void client_send(struct client *c, const char *line);
void client_sendf(struct client *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void client_send_bytes(struct client *c, const void *bytes, size_t len);
/* The next line without its end, valid until the next call. NULL if the server closed. */
const char *client_read(struct client *c);
/* The same, but also returns NULL if no line comes within `ms`. */
const char *client_read_within(struct client *c, int ms);
/* Sends a line and returns the answer: the next line that has an id. */
const char *client_ask(struct client *c, const char *line);
/* Sends initialize with that revision, and notifications/initialized. */
void client_initialize(struct client *c, const char *version);

/* Closes the input of the server. */
void client_end(struct client *c);
/* Waits for the started program. Returns its exit status, or 128 + the signal that ended it. */
int client_wait(struct client *c);
/* Closes and frees. Kills a started program that still runs. */
void client_close(struct client *c);

/* `stemma serve` on a store, in a process of its own. */
struct served {
    struct client program; /* its standard output begins with the path */
    char path[104];
};
void served_start(struct served *s, const char *store);
/* Sends SIGTERM and returns the exit status. */
int served_stop(struct served *s);
void served_kill(struct served *s);
/* The resident memory of a process in bytes. */
size_t resident_bytes(pid_t pid);

#endif
