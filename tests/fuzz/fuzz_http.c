/*
 * Sends bytes to a server over HTTP on the loopback and the Unix socket. It must answer in the
 * form of HTTP or hang up, reveal nothing without the token, and serve the next client.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>
#include "store/mcp/http/http.h"
#include "tests/support/loop_service.h"
#include "tests/support/store_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define ANSWER_MS 20000 /* far more than any answer takes */
#define QUIET_MS  5     /* a server that may expect more input is given this long */

static struct fixture fixture;
static struct running running;
static struct http_token token;

static void stop(void)
{
    running_stop(&running);
    unlink(token.path);
    fixture_close(&fixture);
}

static void *serve(void *server)
{
    struct error e;
    mcp_server_run(server, &e);
    return NULL;
}

static void start(void)
{
    struct error e;
    struct mcp_server_options options = {.http = &http_transport};
    struct mcp_http_options http = {.token = &token};
    fixture_open(&fixture);
    running.server = mcp_server_new(fixture.store, loop_service(), &options, &e);
    if (!running.server || http_token_find(&token, fixture.store, &e) ||
        mcp_server_listen(running.server, &e) || mcp_server_http(running.server, &http, &e) ||
        pthread_create(&running.thread, NULL, serve, running.server))
        abort();
    running_path(&running);
    atexit(stop);
}

static int dial_socket(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(at.sun_path, running_path(&running), strlen(running_path(&running)) + 1);
    assert(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0);
    return fd;
}

/* Closed at once, so that no port stays in use. */
static int dial_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    struct linger at_once = {.l_onoff = 1};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    at.sin_port = htons((uint16_t)mcp_server_http_port(running.server));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    return fd;
}

/* Reads until the server closes. A complete request must get an answer. */
static void hear(int fd, bool whole, struct strbuf *heard)
{
    char piece[4096];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (;;) {
        if (poll(&p, 1, whole ? ANSWER_MS : QUIET_MS) != 1) {
            assert(!whole); /* it must answer or hang up */
            return;
        }
        ssize_t n = read(fd, piece, sizeof(piece));
        if (n <= 0)
            return;
        strbuf_add(heard, piece, (size_t)n);
    }
}

static void say(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, text, len, MSG_NOSIGNAL);
        if (n <= 0)
            return; /* the server hung up */
        text += n;
        len -= (size_t)n;
    }
}

/* A valid head and a body of any bytes, whole or in chunks. */
static void add_request(struct strbuf *out, const char *body, size_t len, bool chunked)
{
    strbuf_addf(out,
                "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
                "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                "Connection: close\r\n",
                mcp_server_http_port(running.server), token.text);
    if (chunked)
        strbuf_addf(out, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n", len);
    else
        strbuf_addf(out, "Content-Length: %zu\r\n\r\n", len);
    strbuf_add(out, body, len);
    if (chunked)
        strbuf_addstr(out, len > 0 ? "\r\n0\r\n\r\n" : "\r\n");
}

/* The first byte selects the transport, and whether the rest is a body or everything. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct strbuf said = STRBUF_INIT, heard = STRBUF_INIT;
    if (!running.server)
        start();
    unsigned how = len > 0 ? bytes[0] : 0;
    const char *rest = (const char *)bytes + (len > 0);
    size_t rest_len = len - (len > 0);
    bool whole = how & 1, local = how & 2;
    if (whole)
        add_request(&said, rest, rest_len, how & 4);
    else
        strbuf_add(&said, rest, rest_len);
    int fd = local ? dial_socket() : dial_port();
    say(fd, said.buf, said.len);
    shutdown(fd, SHUT_WR);
    hear(fd, whole, &heard);
    close(fd);
    assert(!whole || heard.len > 0);
    if (!local && heard.len > 0)
        assert(strncmp(heard.buf, "HTTP/1.1 ", 9) == 0 || strncmp(heard.buf, "HTTP/1.0 ", 9) == 0);
    if (!local && !whole)
        assert(!strstr(heard.buf, " 200 OK\r\n") && !strstr(heard.buf, " 202 Accepted\r\n"));
    strbuf_release(&said);
    strbuf_release(&heard);
    return 0;
}
