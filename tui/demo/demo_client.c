#include "tui/demo/demo_client.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LEGACY "2025-11-25"
#define MODERN "2026-07-28"
#define CHUNK  65536

bool demo_client_pause(const struct demo_client *c, int ms)
{
    struct pollfd leash = {.fd = c->leash, .events = POLLIN};
    int ready;
    do
        ready = poll(&leash, 1, ms);
    while (ready < 0 && errno == EINTR);
    return ready == 0;
}

static bool send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        len -= (size_t)sent;
    }
    return true;
}

/* Waits for more: false where there will be none. */
static bool read_more(struct demo_client *c)
{
    struct pollfd ends[2] = {{.fd = c->fd, .events = POLLIN}, {.fd = c->leash, .events = POLLIN}};
    if (poll(ends, 2, -1) < 0)
        return errno == EINTR;
    if (ends[1].revents || !strbuf_grow(&c->in, CHUNK))
        return false;
    ssize_t got = recv(c->fd, c->in.buf + c->in.len, CHUNK, MSG_DONTWAIT);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    c->in.len += (size_t)got;
    c->in.buf[c->in.len] = '\0';
    return got > 0;
}

/* The next line, in the buffer until the one after it; false where there will be none. */
static bool read_line(struct demo_client *c, struct json_slice *line)
{
    size_t looked = c->taken;
    const char *end;
    while (!(end = memchr(c->in.buf + looked, '\n', c->in.len - looked))) {
        memmove(c->in.buf, c->in.buf + c->taken, c->in.len - c->taken);
        strbuf_cut(&c->in, c->in.len - c->taken);
        c->taken = 0;
        looked = c->in.len;
        if (!read_more(c))
            return false;
    }
    *line = (struct json_slice){c->in.buf + c->taken, (size_t)(end - c->in.buf) - c->taken};
    c->taken = (size_t)(end - c->in.buf) + 1;
    return true;
}

/* The answer to the last request; what else comes meanwhile (notifications) is passed over. */
static enum demo_answer read_answer(struct demo_client *c, struct json_slice *result)
{
    struct json_slice line;
    struct error e;
    int64_t id;
    while (read_line(c, &line)) {
        if (json_check(line.ptr, line.len, JSON_DEPTH_LIMIT, &e) ||
            json_integer(json_member(line.ptr, line.len, "id"), &id) || id != c->last_id)
            continue;
        struct json_slice failed = json_member(line.ptr, line.len, "error");
        *result = failed.ptr ? failed : json_member(line.ptr, line.len, "result");
        return failed.ptr ? DEMO_FAILED : DEMO_DONE;
    }
    return DEMO_GONE;
}

static void add_identity(const struct demo_client *c, struct strbuf *out)
{
    strbuf_addf(out, "{\"name\":\"%s\",\"version\":\"%s\"}", c->name, c->version);
}

static void add_meta(const struct demo_client *c, struct strbuf *out)
{
    strbuf_addstr(out, "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" MODERN "\","
                       "\"io.modelcontextprotocol/clientCapabilities\":{},"
                       "\"io.modelcontextprotocol/clientInfo\":");
    add_identity(c, out);
    strbuf_addch(out, '}');
}

enum demo_answer demo_client_request(struct demo_client *c, const char *method, const char *params,
                                     struct json_slice *result)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"method\":\"%s\",\"params\":{%s",
                (long long)++c->last_id, method, params);
    if (c->modern) {
        if (*params)
            strbuf_addch(&out, ',');
        add_meta(c, &out);
    }
    strbuf_addstr(&out, "}}\n");
    bool sent = !out.failed && send_all(c->fd, out.buf, out.len);
    strbuf_release(&out);
    return sent ? read_answer(c, result) : DEMO_GONE;
}

enum demo_answer demo_client_call(struct demo_client *c, const char *tool, const char *arguments,
                                  struct json_slice *result)
{
    struct strbuf params = STRBUF_INIT;
    strbuf_addf(&params, "\"name\":\"%s\",\"arguments\":%s", tool, arguments);
    enum demo_answer answer =
        params.failed ? DEMO_GONE : demo_client_request(c, "tools/call", params.buf, result);
    strbuf_release(&params);
    if (answer != DEMO_DONE)
        return answer;
    struct json_slice failed = json_member(result->ptr, result->len, "isError");
    *result = json_member(result->ptr, result->len, "structuredContent");
    return failed.len == 4 && memcmp(failed.ptr, "true", 4) == 0 ? DEMO_FAILED : DEMO_DONE;
}

static enum demo_answer shake_hands(struct demo_client *c)
{
    static const char done[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    struct strbuf params = STRBUF_INIT;
    struct json_slice result;
    strbuf_addstr(&params,
                  "\"protocolVersion\":\"" LEGACY "\",\"capabilities\":{},\"clientInfo\":");
    add_identity(c, &params);
    enum demo_answer answer = demo_client_request(c, "initialize", params.buf, &result);
    strbuf_release(&params);
    if (answer == DEMO_DONE && !send_all(c->fd, done, sizeof(done) - 1))
        answer = DEMO_GONE;
    return answer == DEMO_DONE ? DEMO_DONE : DEMO_GONE;
}

enum demo_answer demo_client_connect(struct demo_client *c, const struct endpoint *where)
{
    struct error e;
    struct json_slice result;
    c->fd = endpoint_connect(where, &e);
    if (c->fd < 0)
        return DEMO_GONE;
    strbuf_clear(&c->in);
    c->taken = 0;
    return c->modern ? demo_client_request(c, "server/discover", "", &result) == DEMO_DONE
                           ? DEMO_DONE
                           : DEMO_GONE
                     : shake_hands(c);
}

void demo_client_close(struct demo_client *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    strbuf_release(&c->in);
}
