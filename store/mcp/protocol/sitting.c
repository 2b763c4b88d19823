#include "store/mcp/protocol/connection_state.h"

#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/ops/add.h"

/* A client's name is a label beside what it does, and as long as an agent's may be: what goes beyond is
 * cut, and the mark says so; one of which nothing is seen is none. A character of JSON takes 12 bytes at most. */
#define NAME_MAX_CHARACTERS 200
#define NAME_ROOM           (12 * NAME_MAX_CHARACTERS)

static char *label(struct json_slice value)
{
    if (!message_is_string(value) || value.len == 2)
        return NULL;
    char said[NAME_ROOM + sizeof("…")];
    size_t len = value.len - 2 < NAME_ROOM ? value.len - 2 : NAME_ROOM;
    len = json_unescape(said, value.ptr + 1, len);
    size_t end = 0, count = 0,
           last = 0; /* where the last character begins that there is room for */
    for (int n; end < len && said[end] != '\0'; end += (size_t)n, count++) {
        uint32_t c;
        n = utf8_decode(said + end, len - end, &c);
        if (n == 0)
            break;
        if (count == NAME_MAX_CHARACTERS - 1)
            last = end;
        if (count == NAME_MAX_CHARACTERS) {
            memcpy(said + last, "…", sizeof("…"));
            return xstrdup(said);
        }
    }
    said[end] = '\0';
    return utf8_is_blank(said) ? NULL : xstrdup(said);
}

char *sitting_name(struct json_slice client)
{
    return label(message_member(client, "name"));
}

char *sitting_version(struct json_slice client)
{
    return label(message_member(client, "version"));
}

static void begin_or_follow(struct mcp_connection *c, const struct session_start *now)
{
    if (c->sitting) {
        session_follow(c->sitting->session, now);
        return;
    }
    c->sitting = xcalloc(1, sizeof(*c->sitting));
    c->sitting->session = c->by_word && c->host->reader
                              ? session_return(c->host->log, c->host->reader, now)
                              : session_begin(c->host->log, now);
    c->sitting->holders = 1;
}

/* Those of its _meta were checked. */
static const char *own_word(const struct mcp_connection *c, const char *told,
                            struct json_slice said, char *room, size_t size)
{
    return told ? told : c->by_word && message_word(said, room, size) > 0 ? room : NULL;
}

void sitting_begin(struct mcp_connection *c, const char *era, const struct message *m,
                   struct json_slice client)
{
    char agent[4 * AGENT_NAME_MAX + 1], task[4 * TASK_NAME_MAX + 1];
    if (!c->host->log)
        return;
    char *name = sitting_name(client);
    char *version = sitting_version(client);
    begin_or_follow(c, &(struct session_start){
                           .client = name,
                           .client_version = version,
                           .era = era,
                           .transport = c->transport,
                           .agent = own_word(c, c->agent, m->agent, agent, sizeof(agent)),
                           .task = own_word(c, c->task, m->task, task, sizeof(task)),
                           .peer_uid = c->uid,
                           .peer_pid = c->pid,
                       });
    free(name);
    free(version);
}

void sitting_meet(struct mcp_connection *c, const struct message *m)
{
    if (m->modern)
        sitting_begin(c, MCP_MODERN, m, m->client);
    else
        sitting_begin(c, c->revision ? c->revision : MCP_LEGACY_NEWEST, m,
                      (struct json_slice){NULL, 0});
}

struct sitting *sitting_hold(struct sitting *s)
{
    if (s)
        s->holders++;
    return s;
}

void sitting_release(struct sitting *s)
{
    if (!s || --s->holders > 0)
        return;
    if (s->session)
        session_end(s->session, s->dismissed ? ENDED_BY_SERVER : ENDED_BY_CLIENT);
    free(s);
}
