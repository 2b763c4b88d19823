#include "tui/render/session_words.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/guard/guard_mask.h"

const char *session_client(const struct session_row *s)
{
    return utf8_is_blank(s->client) ? "unnamed client" : s->client;
}

const char *session_known_as(const struct session_row *s)
{
    bool named = !s->actor || !utf8_is_blank(s->agent) || !utf8_is_blank(s->client);
    return named ? s->actor : session_client(s);
}

void session_name(const struct session_row *s, struct strbuf *out)
{
    strbuf_addstr(out, session_client(s));
    if (s->client_version && *s->client_version)
        strbuf_addf(out, " %s", s->client_version);
}

void session_title(const struct session_row *s, struct strbuf *out)
{
    strbuf_addf(out, "session %lld (", (long long)s->id);
    session_name(s, out);
    strbuf_addch(out, ')');
}

bool session_is_lost(const struct session_row *s)
{
    return !s->lives && s->ended_by && !strcmp(s->ended_by, "lost");
}

bool session_is_loopback(const struct session_row *s)
{
    return s->peer_uid < 0 && s->peer_pid < 0 && s->transport && strcmp(s->transport, "http") == 0;
}

void session_state(const struct session_row *s, struct strbuf *out)
{
    if (s->lives)
        strbuf_addstr(out, s->read_only ? "live, read only" : "live");
    else if (s->away)
        strbuf_addstr(out, "away; read only when it comes again");
    else if (session_is_lost(s))
        strbuf_addstr(out, "lost: its process was killed");
    else
        strbuf_addf(out, "ended by %s", s->ended_by ? s->ended_by : "someone");
}

const char *session_agent(const struct session_row *s)
{
    return s->agent ? s->agent : s->actor;
}

void session_mask(struct reader *r, struct arena *arena, struct session_row *rows, size_t count)
{
    const struct guard_rules *rules = reader_masked(r);
    for (size_t i = 0; rules && i < count; i++) {
        const char **const words[] = {&rows[i].actor,  &rows[i].agent,          &rows[i].task,
                                      &rows[i].client, &rows[i].client_version, &rows[i].ended_by};
        for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
            const char *shown = guard_mask_text(rules, arena, *words[k]);
            *words[k] = shown || !*words[k] ? shown : "";
        }
    }
}
