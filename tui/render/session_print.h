/* What a session is called and how it stands, in the words of the explorer and of `stemma sessions`. */
#ifndef STEMMA_SESSION_PRINT_H
#define STEMMA_SESSION_PRINT_H

#include "store/session/session.h"
#include "tui/render/sheet.h"
#include "tui/text/output.h"

struct strbuf;

/* Rows that a masked reader read, as such a one shows them; in the arena. */
void session_mask(struct reader *r, struct arena *arena, struct session_row *rows, size_t count);
/* What its client calls itself, or what it is called where it does not say. */
const char *session_client(const struct session_row *s);
/* Who it is for, by the name that it signs with; what its client is called where that is a stand-in for none. */
const char *session_known_as(const struct session_row *s);
/* Each appends raw text. "claude-code 2.1.4", or what is known instead. */
void session_name(const struct session_row *s, struct strbuf *out);
/* "session 12 (claude-code 2.1.4)": which one, where several are called so. */
void session_title(const struct session_row *s, struct strbuf *out);
/* "live", "ended by sean", "lost: its process was killed". */
void session_state(const struct session_row *s, struct strbuf *out);
/* Its process was killed: what it did last may not have been counted. */
bool session_is_lost(const struct session_row *s);
/* Is its peer at a port of the loopback, where the system does not say who that is? */
bool session_is_loopback(const struct session_row *s);
/* Whose memory it is where a call does not say, as raw text; NULL: nobody knows. */
const char *session_agent(const struct session_row *s);

/* What its calls were about: those of it among `list`, which is in the order of session_names. */
struct session_use_names {
    const struct session_name *list;
    size_t count;
};

void session_json(struct output *out, const struct session_row *s, struct session_use_names names);
/* All that is known of it; `pace` goes on behind how many calls it made a second. */
void session_sheet(struct sheet *s, const struct session_row *row, struct session_use_names names,
                   const char *pace);

/* Calls a second, from its beginning to its end or to `now`. */
double session_rate(const struct session_row *s, int64_t now);
/* "1.5ms", "12s": what that many of a hundred calls took at most; "-" where there was none. */
void took_text(char *out, size_t size, const struct latency *l, double percent);
/* The same of so many microseconds; below 0: it is not known. */
void took_us_text(char *out, size_t size, int64_t us);
#define SESSION_PEER_SIZE 64
/* "uid 7 pid 77", "loopback", "" where nothing is known; `size` at least SESSION_PEER_SIZE. */
void session_peer(char *out, size_t size, const struct session_row *s);

#endif
