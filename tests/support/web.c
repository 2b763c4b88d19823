#include "model/base/alloc.h"
#include "tests/support/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "tests/support/scratch.h"

/* ---- the program ---- */

static void read_place(struct client *c, char *out, size_t size)
{
    const char *line = client_read(c);
    if (!line)
        fail_msg("it did not say where it listens");
    snprintf(out, size, "%s", line);
}

void web_start(struct web *w, char *store)
{
    w->store = store;
    CLIENT_START(&w->program, "serve", "--http", "0", "--store", store);
    read_place(&w->program, w->path, sizeof(w->path));
    read_place(&w->program, w->url, sizeof(w->url));
    read_place(&w->program, w->token_file, sizeof(w->token_file));
    assert_int_equal(sscanf(w->url, "http://127.0.0.1:%d/mcp", &w->port), 1);
    FILE *f = fopen(w->token_file, "r");
    if (!f || !fgets(w->token, sizeof(w->token), f))
        fail_msg("no token in %s", w->token_file);
    fclose(f);
}

void web_stop(struct web *w)
{
    kill(w->program.pid, SIGTERM);
    assert_int_equal(client_wait(&w->program), 0);
    client_close(&w->program);
}

int web_new_store(void **state)
{
    struct web *w = calloc(1, sizeof(*w));
    web_start(w, scratch_path("store.db"));
    *state = w;
    return 0;
}

int web_forget_store(void **state)
{
    AUTO_FREE struct web *w = *state;
    web_stop(w);
    free(w->store);
    return 0;
}

/* ---- a connection ---- */

int web_dial_at(int family, int port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    bool old = family == AF_INET;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    v6.sin6_addr = in6addr_loopback;
    const struct sockaddr *at = old ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
    if (fd >= 0 && connect(fd, at, old ? sizeof(v4) : sizeof(v6))) {
        close(fd);
        return -1;
    }
    return fd;
}

int web_dial(const struct web *w)
{
    int fd = web_dial_at(AF_INET, w->port);
    if (fd < 0)
        fail_msg("cannot connect: %s", strerror(errno));
    return fd;
}

int web_dial_socket(const struct web *w)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(at.sun_path, w->path, strlen(w->path) + 1);
    if (connect(fd, (struct sockaddr *)&at, sizeof(at)))
        fail_msg("cannot connect: %s", strerror(errno));
    return fd;
}

void web_put(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);
        if (n < 0)
            return;
        bytes += n;
        len -= (size_t)n;
    }
}

void web_send(int fd, const char *text)
{
    web_put(fd, text, strlen(text));
}

bool web_read_more(int fd, struct strbuf *got)
{
    char bytes[8192];
    struct pollfd in = {fd, POLLIN, 0};
    if (poll(&in, 1, CLIENT_WAIT_MS) <= 0)
        fail_msg("nothing came after: %.400s", got->len ? got->buf : "(nothing)");
    ssize_t n = recv(fd, bytes, sizeof(bytes), 0);
    if (n > 0)
        strbuf_add(got, bytes, (size_t)n);
    return n > 0;
}

bool web_read_until(int fd, struct strbuf *got, const char *part)
{
    while (!got->len || !strstr(got->buf, part))
        if (!web_read_more(fd, got))
            return false;
    return true;
}

char *web_take_answer(int fd, struct strbuf *got)
{
    if (!web_read_until(fd, got, "\r\n\r\n"))
        fail_msg("it closed after: %.400s", got->len ? got->buf : "(nothing)");
    const char *head_end = strstr(got->buf, "\r\n\r\n") + 4;
    size_t head = (size_t)(head_end - got->buf);
    const char *length = strstr(got->buf, "Content-Length: ");
    if (!length || length > head_end)
        fail_msg("no length: %.400s", got->buf);
    size_t whole = head + strtoul(length + 16, NULL, 10);
    while (got->len < whole)
        if (!web_read_more(fd, got))
            fail_msg("it closed within: %.400s", got->buf);
    char *answer = strndup(got->buf, whole);
    memmove(got->buf, got->buf + whole, got->len - whole);
    strbuf_cut(got, got->len - whole);
    return answer;
}

void web_add_post(struct strbuf *out, const struct web *w, const char *headers, const char *body)
{
    strbuf_addf(out,
                "POST /mcp HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n" WEB_JSON
                    WEB_ACCEPT "%sContent-Length: %zu\r\n\r\n%s",
                w->port, w->token, headers, strlen(body), body);
}

char *web_post_on(const struct web *w, int fd, const char *headers, const char *body)
{
    AUTO_STRBUF out = STRBUF_INIT, got = STRBUF_INIT;
    web_add_post(&out, w, headers, body);
    web_put(fd, out.buf, out.len);
    char *answer = web_take_answer(fd, &got);
    assert_int_equal(got.len, 0);
    return answer;
}
