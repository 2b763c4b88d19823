#include "connection_state.h"

#include "../../model/alloc.h"
#include "../../model/utf8.h"

/* A client's name is a label beside what it does: as much of it is kept, to a code point. */
#define NAME_MAX_BYTES 200

static char *label(struct json_slice value)
{
    if (!message_is_string(value) || value.len == 2)
        return NULL;
    size_t len = value.len - 2 < 6 * NAME_MAX_BYTES ? value.len - 2 : 6 * NAME_MAX_BYTES;
    char said[6 * NAME_MAX_BYTES + 1];
    len = json_unescape(said, value.ptr + 1, len);
    size_t end = 0;
    while (end < len && said[end] != '\0') {
        uint32_t c;
        int n = utf8_decode(said + end, len - end, &c);
        if (n == 0 || end + (size_t)n > NAME_MAX_BYTES)
            break;
        end += (size_t)n;
    }
    said[end] = '\0';
    return end ? xstrdup(said) : NULL;
}

char *sitting_name(struct json_slice client)
{
    return label(message_member(client, "name"));
}

void sitting_begin(struct mcp_connection *c, const char *era, struct json_slice client)
{
    if (c->sitting || !c->host->log)
        return;
    char *name = sitting_name(client);
    char *version = label(message_member(client, "version"));
    struct session_start start = {
        .client = name,
        .client_version = version,
        .era = era,
        .transport = c->transport,
        .agent = c->agent,
        .task = c->task,
        .peer_uid = c->uid,
        .peer_pid = c->pid,
    };
    c->sitting = xcalloc(1, sizeof(*c->sitting));
    c->sitting->session = session_begin(c->host->log, &start);
    c->sitting->holders = 1;
    free(name);
    free(version);
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
        session_end(s->session);
    free(s);
}
