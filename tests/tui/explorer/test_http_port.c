/* The explorer serves HTTP if the configuration has a port, and reports whether that works. */
#include "tests/support/scratch.h"
#include "tests/support/story.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"
#include "tests/support/web.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"

/* Opens a socket at a free port and listens, so that the port stays in use. */
static int take_port(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t len = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

static void configure(int port)
{
    char path[300], text[100];
    story_path(path, sizeof(path), ".config");
    mkdir(path, 0700);
    story_path(path, sizeof(path), ".config/stemma");
    mkdir(path, 0700);
    story_path(path, sizeof(path), ".config/stemma/config.yaml");
    snprintf(text, sizeof(text), "http_port: %d\n", port);
    story_write(path, text);
}

static char *ask(const struct web *w, const char *token)
{
    AUTO_STRBUF out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w);
    strbuf_addf(&out,
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_JSON
                "Content-Length: %zu\r\n\r\n" PING,
                token, strlen(PING));
    web_put(fd, out.buf, out.len);
    char *answer = web_take_answer(fd, &got);
    close(fd);
    return answer;
}

/* The token's file has the name of the socket, which the live view shows, with another suffix. */
static void read_token(struct terminal *t, char token[65])
{
    AUTO_STRBUF row = STRBUF_INIT;
    char path[200] = "";
    for (int i = 0; i < t->rows && !path[0]; i++) {
        strbuf_clear(&row);
        terminal_row(t, i, &row);
        const char *at = strstr(row.buf, "agents connect at /"),
                   *end = at ? strstr(at, ".sock") : NULL;
        if (end)
            snprintf(path, sizeof(path), "%.*s.token", (int)(end - at - 18), at + 18);
    }
    FILE *f = fopen(path, "r");
    if (!f || !fgets(token, 65, f))
        fail_msg("no token in \"%s\"", path);
    fclose(f);
}

GROUP(story_open, story_close);

TEST(the_explorer_answers_at_the_port_of_its_configuration)
{
    struct terminal t;
    struct web w = {.store = NULL};
    char shown[60], token[65];
    close(take_port(&w.port));
    configure(w.port);
    terminal_start(&t, story.store, 50, 200);
    terminal_type(&t, "9");
    snprintf(shown, sizeof(shown), "HTTP at port %d", w.port);
    terminal_wait_shows(&t, shown);
    read_token(&t, token);
    char *answer = ask(&w, token);
    assert_non_null(strstr(answer, " 200 "));
    free(answer);
    answer = ask(&w, "0");
    assert_non_null(strstr(answer, " 401 "));
    free(answer);
    terminal_leave(&t);
    assert_int_equal(web_dial_at(AF_INET, w.port), -1); /* closed with the explorer */
}

/* If another program uses the port, the explorer reports it and still serves the socket. */
TEST(a_port_in_use_is_reported)
{
    struct terminal t;
    int port, fd = take_port(&port);
    configure(port);
    terminal_start(&t, story.store, 50, 200);
    terminal_wait_shows(&t, "no HTTP: cannot listen at port");
    terminal_see(&t, "9", "; no HTTP at port");
    assert_true(terminal_shows(&t, "agents connect at /"));
    terminal_leave(&t);
    close(fd);
}
