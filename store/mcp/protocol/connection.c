/* A connection: splits the input into lines, keeps the client session, and hands each message to the protocol. */
#include "store/mcp/protocol/connection_internal.h"
#include "store/mcp/protocol/message.h"
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/ops/add.h"

void framing_release(struct framing *f)
{
    strbuf_release(&f->bytes);
    f->taken = f->scanned = 0;
}

/* Removes the lines that were returned once they are the larger part: so each byte moves at most once. */
static void compact(struct framing *f)
{
    if (f->taken == 0 || f->taken < f->bytes.len / 2)
        return;
    memmove(f->bytes.buf, f->bytes.buf + f->taken, f->bytes.len - f->taken);
    strbuf_cut(&f->bytes, f->bytes.len - f->taken);
    f->scanned -= f->taken;
    f->taken = 0;
}

void framing_feed(struct framing *f, const char *bytes, size_t len)
{
    if (f->ended || len == 0)
        return;
    if (f->skipping) {
        const char *end = memchr(bytes, '\n', len);
        if (!end)
            return;
        f->skipping = false;
        len -= (size_t)(end + 1 - bytes);
        bytes = end + 1;
    }
    compact(f);
    strbuf_add(&f->bytes, bytes, len);
}

void framing_end(struct framing *f)
{
    f->ended = true;
}

static enum frame framing_refuse(struct framing *f, bool is_whole)
{
    f->skipping = !is_whole;
    if (f->skipping)
        framing_release(f);
    return FRAME_TOO_LONG;
}

static bool is_blank(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

/* Returns the line of `len` bytes at f->taken and skips it with the `end` bytes of its line end. */
static enum frame take(struct framing *f, size_t len, size_t end, const char **line, size_t *out)
{
    const char *at = f->bytes.buf + f->taken;
    f->taken += len + end;
    f->scanned = f->taken;
    bool is_first = !f->begun;
    f->begun = true;
    if (len > 0 && at[len - 1] == '\r')
        len--;
    if (is_first && len >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
        at += 3;
        len -= 3;
    }
    if (is_blank(at, len))
        return FRAME_NONE;
    *line = at;
    *out = len;
    return len > MCP_LINE_MAX ? framing_refuse(f, true) : FRAME_LINE;
}

enum frame framing_next(struct framing *f, const char **line, size_t *len)
{
    while (f->taken < f->bytes.len) {
        size_t left = f->bytes.len - f->scanned;
        const char *end = memchr(f->bytes.buf + f->scanned, '\n', left);
        f->scanned = f->bytes.len;
        size_t length = (end ? (size_t)(end - f->bytes.buf) : f->bytes.len) - f->taken;
        if (!end && !f->ended)
            return length > MCP_LINE_MAX + 4 ? framing_refuse(f, false) : FRAME_NONE;
        enum frame got = take(f, length, end != NULL, line, len);
        if (got != FRAME_NONE)
            return got;
    }
    return FRAME_NONE;
}

void framing_release_lines(struct framing *f)
{
    if (f->taken == f->bytes.len)
        framing_release(f);
}

/* ---- the client's session ---- */

/* A client's name or version: a label of at most 200 characters, cut with "…". A text without visible characters
 * counts as missing. A character takes at most 12 bytes in JSON. */
#define NAME_MAX_CHARACTERS 200
#define NAME_ROOM           (12 * NAME_MAX_CHARACTERS)

static char *label(struct json_slice value)
{
    char decoded[NAME_ROOM + sizeof("…")];
    if (!message_is_string(value) || value.len == 2)
        return NULL;
    size_t len = json_unescape(decoded, value.ptr + 1,
                               value.len - 2 < NAME_ROOM ? value.len - 2 : NAME_ROOM);
    size_t end = 0, count = 0, last = 0; /* start of the last character that fits */
    uint32_t c;
    for (int n; end < len && decoded[end] && (n = utf8_decode(decoded + end, len - end, &c)) > 0;
         end += (size_t)n, count++)
        last = count < NAME_MAX_CHARACTERS ? end : last;
    decoded[end] = '\0';
    if (count > NAME_MAX_CHARACTERS)
        memcpy(decoded + last, "…", sizeof("…"));
    return utf8_is_blank(decoded) ? NULL : xstrdup(decoded);
}

char *client_name(struct json_slice client)
{
    return label(message_member(client, "name"));
}

char *client_version(struct json_slice client)
{
    return label(message_member(client, "version"));
}

static void begin_or_follow(struct mcp_connection *c, const struct session_start *now)
{
    if (c->client_session) {
        session_update_client(c->client_session->session, now);
        return;
    }
    c->client_session = xcalloc(1, sizeof(*c->client_session));
    c->client_session->session = c->self_identified && c->host->reader
                                     ? session_return(c->host->log, c->host->reader, now)
                                     : session_begin(c->host->log, now);
    c->client_session->holders = 1;
}

/* What _meta says of a session that is identified by it. It was validated before. */
static const char *claim_of(const struct mcp_connection *c, struct json_slice claim, char *buffer,
                            size_t size)
{
    return c->self_identified && message_copy_string(claim, buffer, size) > 0 ? buffer : NULL;
}

void client_session_begin(struct mcp_connection *c, const char *era, const struct message *m,
                          struct json_slice client)
{
    char agent[4 * AGENT_NAME_MAX + 1], task[4 * TASK_NAME_MAX + 1];
    if (!c->host->log)
        return;
    AUTO_FREE char *name = client_name(client);
    AUTO_FREE char *version = client_version(client);
    begin_or_follow(c, &(struct session_start){
                           .client = name,
                           .client_version = version,
                           .era = era,
                           .transport = c->transport,
                           .actor = c->agent,
                           .claimed = claim_of(c, m->agent, agent, sizeof(agent)),
                           .task = c->task ? c->task : claim_of(c, m->task, task, sizeof(task)),
                           .peer_uid = c->uid,
                           .peer_pid = c->pid,
                       });
}

/* Parses who sends the message if that differs from the previous message. */
static void note_client(struct mcp_connection *c, const struct message *m)
{
    struct strbuf words = STRBUF_INIT;
    const struct json_slice decoded[] = {m->client, m->agent, m->task};
    strbuf_addstr(&words, m->modern ? MCP_MODERN : c->revision ? c->revision : "");
    for (size_t i = 0; i < sizeof(decoded) / sizeof(*decoded); i++) {
        strbuf_addch(&words, '\n');
        strbuf_add(&words, decoded[i].ptr, decoded[i].len);
    }
    if (words.len == c->claims.len && memcmp(words.buf, c->claims.buf, words.len) == 0) {
        strbuf_release(&words);
        return;
    }
    strbuf_release(&c->claims);
    c->claims = words;
    free(c->name);
    c->name = m->modern ? client_name(m->client) : NULL;
    c->claims_noted = false;
}

const char *client_of(struct mcp_connection *c, const struct message *m)
{
    if (!m->modern)
        return c->client;
    note_client(c, m);
    return c->name;
}

void client_session_ensure(struct mcp_connection *c, const struct message *m)
{
    note_client(c, m);
    if (c->claims_noted && c->client_session)
        return;
    c->claims_noted = true;
    if (m->modern)
        client_session_begin(c, MCP_MODERN, m, m->client);
    else
        client_session_begin(c, c->revision ? c->revision : MCP_LEGACY_NEWEST, m,
                             (struct json_slice){NULL, 0});
}

struct client_session *client_session_hold(struct client_session *s)
{
    if (s)
        s->holders++;
    return s;
}

void client_session_release(struct client_session *s)
{
    if (!s || --s->holders > 0)
        return;
    if (s->session)
        session_end(s->session, s->dismissed ? ENDED_BY_SERVER : ENDED_BY_CLIENT);
    free(s);
}

/* ---- connection ---- */

struct mcp_connection *mcp_connection_new(const struct mcp_service *service, struct mcp_host *host,
                                          const struct mcp_peer *peer)
{
    struct mcp_connection *c = xcalloc(1, sizeof(*c));
    c->service = service;
    c->offer = service->offer;
    c->host = host;
    c->in = (struct framing)FRAMING_INIT;
    strbuf_init(&c->out);
    strbuf_init(&c->claims);
    c->log_level = LOG_LEVEL_INFO;
    c->transport = peer->transport;
    c->uid = peer->uid;
    c->pid = peer->pid;
    c->agent = peer->agent ? xstrdup(peer->agent) : NULL;
    c->task = peer->task ? xstrdup(peer->task) : NULL;
    return c;
}

void mcp_connection_offer(struct mcp_connection *c, unsigned sets)
{
    const struct mcp_offer *most = &c->service->offer;
    /* With strict a client cannot ask for more than the person offers. */
    if (most->strict && most->sets)
        sets &= most->sets;
    c->offer.sets = sets ? sets : most->sets;
}

const char *mcp_connection_agent(const struct mcp_connection *c)
{
    return c->agent;
}

void mcp_connection_free(struct mcp_connection *c)
{
    if (!c)
        return;
    request_forget_all(c);
    subscriptions_release(c);
    elicit_release(c);
    client_session_release(c->client_session);
    framing_release(&c->in);
    strbuf_release(&c->out);
    strbuf_release(&c->claims);
    FREE_ALL(c->name, c->client, c->agent, c->task, c);
}

void mcp_connection_dismiss(struct mcp_connection *c)
{
    if (c->client_session)
        c->client_session->dismissed = true;
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
    if (c->pending && c->out.len <= MCP_OUT_HIGH)
        subscriptions_catch_up(c);
    return &c->out;
}

bool mcp_connection_full(const struct mcp_connection *c)
{
    return c->in_flight >= MCP_IN_FLIGHT_MAX || c->held > MCP_HELD_MAX ||
           c->batches >= MCP_BATCHES_MAX;
}

struct session *mcp_connection_session(struct mcp_connection *c)
{
    return c->client_session ? c->client_session->session : NULL;
}

bool mcp_connection_is_shared(const struct mcp_connection *c)
{
    return c->client_session && c->client_session->holders > 1;
}

bool mcp_connection_is_waiting(const struct mcp_connection *c)
{
    return c->in_flight > 0 || stream_find(c, (struct json_slice){NULL, 0});
}

void mcp_connection_join(struct mcp_connection *c, struct mcp_connection *from, bool all)
{
    if (!c->client_session)
        c->client_session = client_session_hold(from->client_session);
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
    c->answered = 0;
    if (m->class == MESSAGE_REQUEST)
        protocol_request(&x);
    else if (m->class == MESSAGE_NOTIFICATION)
        protocol_notification(c, m);
    else if (m->class == MESSAGE_BROKEN)
        reply_error(reply_to(&x), m->code, "%s", m->problem);
    else if (m->class == MESSAGE_RESPONSE)
        elicit_answer(c, m);
    if (c->refused)
        protocol_count_refused(&x);
    else if (c->answered > 0 && x.method && c->client_session)
        session_answered(c->client_session->session, x.method->name, c->answered);
}

/* Refuses input that is not a message, and counts it as an invalid one. */
static void connection_refuse(struct mcp_connection *c, const char *problem)
{
    struct exchange x = {.c = c, .m = &(struct message){.class = MESSAGE_BROKEN}};
    reply_error(reply_to(&x), RPC_INVALID_REQUEST, "%s", problem);
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
        strbuf_addch(&c->out, '[');
        strbuf_add(&c->out, b->answers.buf, b->answers.len);
        strbuf_addstr(&c->out, "]\n");
    }
    strbuf_release(&b->answers);
    free(b);
}

/* initialize must be a message of its own, and the stateless era has no arrays. */
static void take_of_batch(struct mcp_connection *c, struct batch *b, struct json_slice value)
{
    struct message m;
    message_parse(&m, value);
    if (m.class == MESSAGE_REQUEST && (m.modern || strcmp(m.method, "initialize") == 0)) {
        m.class = MESSAGE_BROKEN;
        m.code = RPC_INVALID_REQUEST;
        snprintf(m.problem, sizeof(m.problem), "this request cannot be in an array");
    }
    take_message(c, b, &m);
}

static void take_batch(struct mcp_connection *c, struct json_slice array)
{
    size_t count = json_count(array);
    if (!c->revision || strcmp(c->revision, MCP_BATCHES) != 0) {
        connection_refuse(c, "only the revision " MCP_BATCHES
                             " has arrays of messages: send each message on its own line");
        return;
    }
    if (count == 0 || count > MCP_BATCH_MAX) {
        connection_refuse(c,
                          count ? "too many messages in one array" : "an array without messages");
        return;
    }
    struct batch *b = xcalloc(1, sizeof(*b));
    strbuf_init(&b->answers);
    b->waiting = count;
    c->batches++;
    for (struct json_each it = json_each(array); json_next(&it);) {
        /* The last batch_settle frees it. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        take_of_batch(c, b, it.value);
        batch_settle(c, b);
    }
}

/* ---- one line ---- */

void mcp_connection_handle(struct mcp_connection *c, const struct message *m)
{
    if (m->class == MESSAGE_BATCH)
        take_batch(c, m->whole);
    else
        take_message(c, NULL, m);
}

int mcp_connection_next(struct mcp_connection *c)
{
    const char *line;
    size_t len;
    struct message m;
    enum frame frame = framing_next(&c->in, &line, &len);
    if (frame == FRAME_LINE) {
        message_read(&m, line, len);
        mcp_connection_handle(c, &m);
    } else if (frame == FRAME_TOO_LONG) {
        connection_refuse(c, "a line is longer than 16 MiB and was not read");
    }
    framing_release_lines(&c->in);
    return frame == FRAME_LINE || frame == FRAME_TOO_LONG;
}

/* ---- for a transport that parses messages itself ---- */

const char *mcp_connection_revision(const struct mcp_connection *c)
{
    return c->revision;
}

void mcp_connection_set_revision(struct mcp_connection *c, const char *revision,
                                 bool self_identified)
{
    c->revision = revision;
    c->self_identified = self_identified;
}

void mcp_connection_refuse(struct mcp_connection *c, const struct message *m, enum rpc_code code,
                           const char *why)
{
    static const struct message none = {.id = {NULL, 0}};
    bool has_id = m->class == MESSAGE_REQUEST || m->class == MESSAGE_BROKEN;
    reply_error(reply_to(&(struct exchange){.c = c, .m = has_id ? m : &none}), code, "%s", why);
}

void mcp_connection_refuse_version(struct mcp_connection *c, const struct message *m,
                                   const char *wanted)
{
    protocol_refuse_version(&(struct exchange){.c = c, .m = m}, wanted);
}
