/* Sessions of agents without a server or a socket: joining, writing, calling tools. */
#ifndef STEMMA_TESTS_AGENTS_H
#define STEMMA_TESTS_AGENTS_H

#include "store/session/session.h"

/* Opens the call log of a store. Fails the test on error. */
struct call_log *agents_open(struct store *s);
/* Opens a session with this client name, and made-up version, era, peer and so on. */
struct session *agents_join(struct call_log *l, const char *client, const char *agent);
/* Writes a line of the JSON of a memory in that session. Returns its row. */
int64_t agents_write(struct store *s, struct session *session, const char *agent, const char *line);
/* The same without waiting. Returns false if the queue rejected it. */
bool agents_send(struct store *s, struct session *session, const char *agent, const char *line);
void agents_ask(struct session *session, const char *tool, int64_t subject, int64_t at,
                enum error_code outcome);
/* A job for store_run that changes nothing: it ends after all earlier jobs. */
int empty_job(struct txn *t, void *arg, struct error *e);
/* Waits until all of the log is in the store. */
void agents_flush(struct store *s, struct call_log *l);

/* A new store, served as a process serves it. */
struct place {
    char *path;
    struct store *store;
    struct call_log *log;
    struct reader *reader;
    struct arena arena;
    struct call_row *rows; /* for the test, in `arena` */
    size_t count;
};
void place_open(struct place *p, const char *name);
void place_close(struct place *p);
/* Within them, as often as needed: the process ends, and another one begins. Checks the closed
 * store with fsck. */
void place_stop(struct place *p);
void place_serve(struct place *p);

#endif
