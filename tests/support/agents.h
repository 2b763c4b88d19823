/* Sessions of agents without a server or a socket: joining, writing, calling tools. */
#ifndef STEMMA_TESTS_AGENTS_H
#define STEMMA_TESTS_AGENTS_H

#include "store/session/session.h"

/* Opens the call log of a store. Fails the test on error. */
struct call_log *agents_open(struct store *s);
/* Opens a session with this client name, and made-up version, era, peer and so on. */
struct session *agents_join(struct call_log *l, const char *client, const char *agent);
/* Writes a line of the exchange form in that session. Returns its row. */
int64_t agents_write(struct store *s, struct session *session, const char *agent, const char *line);
/* The same without waiting. Returns false if the queue rejected it. */
bool agents_send(struct store *s, struct session *session, const char *agent, const char *line);
void agents_ask(struct session *session, const char *tool, int64_t subject, int64_t at,
                enum error_code outcome);
/* Waits until all of the log is in the store. */
void agents_flush(struct store *s, struct call_log *l);

#endif
