#include "session_words.h"

#include <string.h>
#include "../model/strbuf.h"

void session_name(const struct session_row *s, struct strbuf *out)
{
    if (s->client && *s->client)
        strbuf_addstr(out, s->client);
    else
        strbuf_addstr(out, "unnamed client");
    if (s->client_version && *s->client_version)
        strbuf_addf(out, " %s", s->client_version);
}

bool session_is_lost(const struct session_row *s)
{
    return !s->lives && s->ended_by && !strcmp(s->ended_by, "lost");
}

void session_state(const struct session_row *s, struct strbuf *out)
{
    if (s->lives)
        strbuf_addstr(out, s->read_only ? "live, read only" : "live");
    else if (session_is_lost(s))
        strbuf_addstr(out, "lost: its process was killed");
    else
        strbuf_addf(out, "ended by %s", s->ended_by ? s->ended_by : "someone");
}

const char *session_agent(const struct session_row *s)
{
    return s->agent ? s->agent : s->actor;
}
