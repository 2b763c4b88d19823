/* Agents as a serving process sees them, without a socket: sessions, what they write and what they ask. */
#ifndef STEMMA_TESTS_AGENTS_H
#define STEMMA_TESTS_AGENTS_H

#include "store/session/session.h"

/* Opens the log of calls of a store. Fails the test where it cannot. */
struct call_log *agents_open(struct store *s);
/* One that is called so, with some version, era, peer and so on. */
struct session *agents_join(struct call_log *l, const char *client, const char *agent);
/* Writes a line of the exchange form in that session: its row. */
int64_t agents_write(struct store *s, struct session *session, const char *agent, const char *line);
/* The same without waiting; false where it was not taken. */
bool agents_send(struct store *s, struct session *session, const char *agent, const char *line);
void agents_ask(struct session *session, const char *tool, int64_t subject, int64_t at,
                enum error_code outcome);
/* Until all of it is in the store. */
void agents_flush(struct store *s, struct call_log *l);

#endif
