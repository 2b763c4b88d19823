#include "store/mcp/protocol/connection_state.h"

#include "model/base/alloc.h"
#include "store/mcp/protocol/log_level.h"
#include "store/mcp/protocol/protocol.h"

struct mcp_connection *mcp_connection_new(const struct mcp_service *service, struct mcp_host *host,
                                          const struct mcp_peer *peer)
{
    struct mcp_connection *c = xcalloc(1, sizeof(*c));
    c->service = service;
    c->host = host;
    c->in = (struct framing)FRAMING_INIT;
    strbuf_init(&c->out);
    c->log_level = LOG_LEVEL_INFO;
    c->transport = peer->transport;
    c->uid = peer->uid;
    c->pid = peer->pid;
    c->agent = peer->agent ? xstrdup(peer->agent) : NULL;
    c->task = peer->task ? xstrdup(peer->task) : NULL;
    return c;
}

void mcp_connection_free(struct mcp_connection *c)
{
    if (!c)
        return;
    request_forget_all(c);
    subscriptions_release(c);
    sitting_release(c->sitting);
    framing_release(&c->in);
    strbuf_release(&c->out);
    free(c->client);
    free(c->agent);
    free(c->task);
    free(c);
}

void mcp_connection_dismiss(struct mcp_connection *c)
{
    if (c->sitting)
        c->sitting->dismissed = true;
}

void mcp_connection_feed(struct mcp_connection *c, const char *bytes, size_t len)
{
    framing_feed(&c->in, bytes, len);
}

void mcp_connection_end(struct mcp_connection *c)
{
    framing_end(&c->in);
}

struct strbuf *mcp_connection_out(struct mcp_connection *c)
{
    if (c->late && c->out.len <= MCP_OUT_HIGH)
        subscriptions_catch_up(c);
    return &c->out;
}

void mcp_connection_lend(struct mcp_connection *c, struct strbuf *room)
{
    if (c->out.alloc > 0)
        return;
    c->out = *room;
    strbuf_init(room);
}

size_t mcp_connection_in_flight(const struct mcp_connection *c)
{
    return c->in_flight;
}

bool mcp_connection_full(const struct mcp_connection *c)
{
    return c->in_flight >= MCP_IN_FLIGHT_MAX || c->held > MCP_HELD_MAX ||
           c->batches >= MCP_BATCHES_MAX;
}

struct session *mcp_connection_session(struct mcp_connection *c)
{
    return c->sitting ? c->sitting->session : NULL;
}

bool mcp_connection_is_shared(const struct mcp_connection *c)
{
    return c->sitting && c->sitting->holders > 1;
}

bool mcp_connection_waits(const struct mcp_connection *c)
{
    return c->in_flight > 0 || c->streams;
}

void mcp_connection_join(struct mcp_connection *c, struct mcp_connection *from, bool all)
{
    if (!c->sitting)
        c->sitting = sitting_hold(from->sitting);
    if (!all)
        return;
    subscriptions_pass(c, from);
    free(c->client);
    c->client = from->client;
    from->client = NULL;
    c->log_level = from->log_level;
    if (!c->revision)
        c->revision = from->revision;
}

/* ---- one message ---- */

static void take_message(struct mcp_connection *c, struct batch *batch, const struct message *m)
{
    struct exchange x = {.c = c, .batch = batch, .m = m};
    c->refused = 0;
    if (m->class == MESSAGE_REQUEST)
        protocol_request(&x);
    else if (m->class == MESSAGE_NOTIFICATION)
        protocol_notification(c, m);
    else if (m->class == MESSAGE_BROKEN)
        reply_error(reply_to(&x), m->code, "%s", m->problem);
    if (c->refused)
        protocol_count_refused(&x);
}

/* What was not even read as a message: it counts as one. */
static void refuse(struct mcp_connection *c, enum rpc_code code, const char *problem)
{
    struct message none = {.class = MESSAGE_BROKEN, .id = {NULL, 0}};
    struct exchange x = {.c = c, .m = &none};
    reply_error(reply_to(&x), code, "%s", problem);
    protocol_count_refused(&x);
}

/* ---- arrays of messages ---- */

void batch_settle(struct mcp_connection *c, struct batch *b)
{
    if (--b->waiting > 0)
        return;
    if (c)
        c->batches--;
    if (c && b->answers.len > 0) {
        size_t before = c->out.len;
        strbuf_addch(&c->out, '[');
        strbuf_add(&c->out, b->answers.buf, b->answers.len);
        strbuf_addstr(&c->out, "]\n");
        c->out.failed |= b->answers.failed;
        if (c->out.failed)
            strbuf_cut(&c->out, before);
    }
    strbuf_release(&b->answers);
    free(b);
}

/* The handshake stands alone, and what is stateless has no revision with arrays in it. */
static void take_of_batch(struct mcp_connection *c, struct batch *b, struct json_slice value)
{
    struct message m;
    message_take(&m, value);
    if (m.class == MESSAGE_REQUEST && (m.modern || strcmp(m.method, "initialize") == 0)) {
        m.class = MESSAGE_BROKEN;
        m.code = RPC_INVALID_REQUEST;
        snprintf(m.problem, sizeof(m.problem), "this request cannot be in an array");
    }
    take_message(c, b, &m);
}

static void take_batch(struct mcp_connection *c, struct json_slice array)
{
    size_t count = 0;
    for (struct json_each it = json_each(array); json_next(&it);)
        count++;
    if (!c->revision || strcmp(c->revision, MCP_BATCHES) != 0) {
        refuse(c, RPC_INVALID_REQUEST,
               "arrays of messages are of the revision " MCP_BATCHES
               " alone: send each message on a line of its own");
        return;
    }
    if (count == 0 || count > MCP_BATCH_MAX) {
        refuse(c, RPC_INVALID_REQUEST,
               count ? "too many messages in one array" : "an array without messages");
        return;
    }
    struct batch *b = xcalloc(1, sizeof(*b));
    strbuf_init(&b->answers);
    b->waiting = count;
    c->batches++;
    for (struct json_each it = json_each(array); json_next(&it);) {
        /* It goes with the last. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        take_of_batch(c, b, it.value);
        batch_settle(c, b);
    }
}

/* ---- one line ---- */

void mcp_connection_take(struct mcp_connection *c, const struct message *m)
{
    if (m->class == MESSAGE_BATCH)
        take_batch(c, m->whole);
    else
        take_message(c, NULL, m);
}

static void take_line(struct mcp_connection *c, const char *line, size_t len)
{
    struct message m;
    struct error e;
    if (message_read(&m, line, len, &e))
        refuse(c, RPC_INTERNAL_ERROR, e.what);
    else
        mcp_connection_take(c, &m);
}

int mcp_connection_next(struct mcp_connection *c)
{
    const char *line;
    size_t len;
    enum frame frame = framing_next(&c->in, &line, &len);
    if (frame == FRAME_LINE)
        take_line(c, line, len);
    else if (frame == FRAME_TOO_LONG)
        refuse(c, RPC_INVALID_REQUEST, "a line is longer than 16 MiB and was not read");
    else if (frame == FRAME_LOST)
        c->out.failed = true; /* requests in it will never be answered: let the peer know */
    framing_rest(&c->in);
    return frame == FRAME_LINE || frame == FRAME_TOO_LONG;
}
