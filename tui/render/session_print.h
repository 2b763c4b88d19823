/* Names and states of sessions, for the explorer and for `stemma sessions`. */
#ifndef STEMMA_SESSION_PRINT_H
#define STEMMA_SESSION_PRINT_H

#include "store/session/session.h"
#include "tui/render/page.h"
#include "tui/text/output.h"

struct strbuf;

/* Masks rows for a masked reader. Strings are in the arena. */
void session_mask(struct reader *r, struct arena *arena, struct session_row *rows, size_t count);
/* The name that its client gave, or a stand-in. */
const char *session_client(const struct session_row *s);
/* The following append raw text. "claude-code 2.1.4", or what is known instead. */
void session_name(const struct session_row *s, struct strbuf *out);
/* "session 12 (claude-code 2.1.4)", to tell sessions of equal names apart. */
void session_title(const struct session_row *s, struct strbuf *out);
/* "live", "ended by sean", "lost: its process was killed". */
void session_state(const struct session_row *s, struct strbuf *out);
/* Its process was killed, so its last calls may not be counted. */
bool session_is_lost(const struct session_row *s);
/* Whether its peer is at a loopback port, so that the system cannot tell who it is. */
bool session_is_loopback(const struct session_row *s);

/* What sessions used, in the order of session_namespaces and session_usage. */
struct session_details {
    const struct session_namespace *name; /* [names] */
    size_t names;
    const struct usage *usage; /* [usages] */
    size_t usages;
};

void session_json(struct output *out, const struct session_row *s, struct session_details details);
/* Adds everything known about a session. `recent` is appended to the call rate. */
void session_page(struct page *s, const struct session_row *row, struct session_details details,
                  const char *recent);

/* "~1.2k": the estimated number of tokens in so many bytes; "-" below 0. At most 7 columns. */
void tokens_text(char *out, size_t size, int64_t bytes);
/* Appends "4.8 KB, ~1.2k tokens, in full form ~4.3k"; without the last part if nothing was shorter. */
void add_usage(struct strbuf *out, const struct usage *u);
/* The sum over the sessions of which something was counted. */
struct usage session_total(const struct session_row *rows, size_t count);

/* Calls per second, until its end or `now`. */
double session_rate(const struct session_row *s, int64_t now);
/* Writes the latency that `percent` of the calls did not exceed: "1.5ms", "12s"; "-" if there were no calls. */
void latency_text(char *out, size_t size, const struct latency *l, double percent);
/* Writes a duration in µs in the same form; "-" below 0. */
void microseconds_text(char *out, size_t size, int64_t us);
#define SESSION_PEER_SIZE 64
/* Writes "uid 7 pid 77", "loopback", or "" if unknown. `size` is at least SESSION_PEER_SIZE. */
void session_peer(char *out, size_t size, const struct session_row *s);

#endif
