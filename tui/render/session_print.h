/* A session as `stemma sessions` writes it: as JSON, or all that is known of it, a line for each fact. */
#ifndef STEMMA_SESSION_PRINT_H
#define STEMMA_SESSION_PRINT_H

#include "store/session/session.h"
#include "tui/text/output.h"

/* What its calls were about: those of it among `list`, which is in the order of session_names. */
struct session_use_names {
    const struct session_name *list;
    size_t count;
};

/* Each is flushed by the caller. */
void session_json(struct output *out, const struct session_row *s, struct session_use_names names);
void session_print(struct output *out, const struct session_row *s, struct session_use_names names);

/* Calls a second, from its beginning to its end or to `now`. */
double session_rate(const struct session_row *s, int64_t now);
/* "1.5ms": what that many of a hundred calls took at most; "-" where there was none. */
void took_text(char *out, size_t size, const struct latency *l, double percent);
void session_took(char *out, size_t size, const struct session_row *s, double percent);
#define SESSION_PEER_SIZE 64
/* "uid 7 pid 77", "loopback", "" where nothing is known; `size` at least SESSION_PEER_SIZE. */
void session_peer(char *out, size_t size, const struct session_row *s);

#endif
