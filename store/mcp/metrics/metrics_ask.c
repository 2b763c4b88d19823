/* Asking the process that listens: one request of HTTP over the store's own socket. */
#include "store/mcp/metrics/metrics_log.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "store/mcp/server/endpoint.h"
#include "store/db/monotonic.h"

#define ANSWER_MAX (8u << 20)
#define WAIT_MS    5000 /* for all of it */

static const char request[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                              "Accept: application/json\r\nConnection: close\r\n\r\n";

static int fail(const char *why, struct error *e)
{
    return error_set(e, ERROR_STORE, "Try again, or end that process.",
                     "the process that listens does not say what it counted: %s", why);
}

/* Until it closes. */
static int read_answer(int fd, struct strbuf *out, struct error *e)
{
    char bytes[16384];
    int64_t until = monotonic_ms() + WAIT_MS;
    for (;;) {
        struct pollfd in = {fd, POLLIN, 0};
        int64_t left = until - monotonic_ms();
        int ready = left > 0 ? poll(&in, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t n = ready > 0 ? recv(fd, bytes, sizeof(bytes), 0) : 0;
        if (ready <= 0)
            return fail("it does not answer", e);
        if (n < 0)
            return fail(strerror(errno), e);
        if (n == 0)
            return out->failed ? error_set(e, ERROR_MEMORY, "", "memory ran out") : 0;
        strbuf_add(out, bytes, (size_t)n);
        if (out->len > ANSWER_MAX)
            return fail("it says too much", e);
    }
}

/* What follows the head of an answer that went well. */
static struct metrics *read_metrics(const struct strbuf *answer, struct error *e)
{
    static const char good[] = "HTTP/1.1 200 ";
    const char *body = strstr(answer->buf, "\r\n\r\n");
    if (strncmp(answer->buf, good, strlen(good)) != 0 || !body) {
        fail("it is another version", e);
        return NULL;
    }
    body += 4;
    return metrics_read_json(body, answer->len - (size_t)(body - answer->buf), e);
}

static struct metrics *ask(int fd, struct error *e)
{
    struct strbuf answer = STRBUF_INIT;
    struct metrics *m = NULL;
    size_t len = sizeof(request) - 1;
    if (send(fd, request, len, MSG_NOSIGNAL) != (ssize_t)len)
        fail(strerror(errno), e);
    else if (read_answer(fd, &answer, e) == 0)
        m = read_metrics(&answer, e);
    strbuf_release(&answer);
    return m;
}

struct metrics *metrics_ask(struct store *s, struct error *e)
{
    struct endpoint where;
    if (endpoint_find(&where, s, false, e)) {
        e->code = ERROR_NOT_FOUND; /* there is no place where one could listen */
        return NULL;
    }
    int fd = endpoint_connect(&where, e);
    if (fd < 0)
        return NULL;
    struct metrics *m = ask(fd, e);
    close(fd);
    return m;
}
