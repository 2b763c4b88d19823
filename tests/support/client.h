/*
 * A client of the listener, for tests: it is at the other end of a socket or of `stemma mcp`, sends
 * lines and reads lines. Whatever goes wrong fails the test that called, a wait of too long as well.
 */
#ifndef STEMMA_TESTS_CLIENT_H
#define STEMMA_TESTS_CLIENT_H

#include <sys/types.h>
#include "model/base/strbuf.h"

#define CLIENT_WAIT_MS 60000 /* no answer takes that long, on any machine */

struct client {
    pid_t pid; /* of `stemma mcp`; 0: it is connected to a socket */
    int in;    /* where the server hears us; -1: closed */
    int out;   /* where we hear the server; the same descriptor for a socket */
    int err;   /* what a started one tells on standard error; -1 for a socket */
    struct strbuf got;
    size_t at; /* what of `got` was given out */
};

/* Starts the built program ($STEMMA, or ./stemma) with these arguments (ends with NULL) and pipes as
 * its streams; `env` NULL: the environment of the test. */
void client_start(struct client *c, const char *const *arguments, char *const *env);
#define CLIENT_START(c, ...) client_start((c), (const char *const[]){__VA_ARGS__, NULL}, NULL)
/* The same as that user where the test is root's, in an empty environment; false where that cannot be. */
bool client_start_as(struct client *c, unsigned uid, const char *const *arguments);
void client_connect(struct client *c, const char *path);
/* The same, where nobody may be listening: false then. */
bool client_try(struct client *c, const char *path);

/* The same with the explorer that serves that store, once it listens; initialized, too. */
void client_join(struct client *c, const char *store);

/* Sends the line and its end. */
void client_send(struct client *c, const char *line);
void client_sendf(struct client *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void client_send_bytes(struct client *c, const void *bytes, size_t len);
/* The next line without its end, until the next call; NULL: the server closed. */
const char *client_read(struct client *c);
/* The same where none may come for `ms`: NULL then, too. */
const char *client_read_within(struct client *c, int ms);
/* Sends a line and gives the answer to it: the next line that has an id. */
const char *client_ask(struct client *c, const char *line);
/* initialize with that revision and notifications/initialized. */
void client_initialize(struct client *c, const char *version);

/* Closes what the server hears. */
void client_end(struct client *c);
/* Waits for the started program: its exit status; 128 + the signal that ended it. */
int client_wait(struct client *c);
/* Closes and frees; a started program that still runs is killed. */
void client_close(struct client *c);

/* `stemma serve` on a store, in a process of its own. */
struct served {
    struct client program; /* its standard output begins with the path */
    char path[104];
};
void served_start(struct served *s, const char *store);
/* SIGTERM, and the exit status. */
int served_stop(struct served *s);
void served_kill(struct served *s);
/* Resident memory of a process in bytes. */
size_t resident_bytes(pid_t pid);

#endif
