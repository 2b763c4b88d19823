/* Runs a server, with HTTP if wanted, in a thread of its own. */
#include "store/mcp/listener.h"

#include <pthread.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"
#include "store/mcp/http/http.h"

struct mcp_listener {
    struct mcp_server *server;
    pthread_t thread;
    struct error http;
};

static void serve_http(struct mcp_listener *l, struct store *s, int port)
{
    struct http_token token;
    struct mcp_http_options options = {.port = port, .token = &token};
    l->http.code = ERROR_NONE;
    if (port && http_token_find(&token, s, &l->http) == 0)
        mcp_server_http(l->server, &options, &l->http);
}

static void *listener_main(void *arg)
{
    struct mcp_listener *l = arg;
    struct error ignored; /* concerns only attached descriptors, which this server does not have */
    mcp_server_run(l->server, &ignored);
    return NULL;
}

static int start(struct mcp_listener *l, struct error *e)
{
    int failed = thread_start(&l->thread, "listener", listener_main, l);
    if (failed)
        return error_set(e, ERROR_STORE, "", "cannot start the listener: %s", strerror(failed));
    return 0;
}

struct mcp_listener *mcp_listener_start(struct store *s, const struct mcp_service *service,
                                        const struct mcp_server_options *options, int http_port,
                                        struct error *e)
{
    struct mcp_server_options own = options ? *options : (struct mcp_server_options){0};
    struct mcp_listener *l = xcalloc(1, sizeof(*l));
    own.http = &http_transport;
    l->server = mcp_server_new(s, service, &own, e);
    if (l->server)
        serve_http(l, s, http_port); /* on failure it serves without HTTP */
    if (l->server && mcp_server_listen(l->server, e) == 0 && start(l, e) == 0)
        return l;
    mcp_server_free(l->server);
    free(l);
    return NULL;
}

struct mcp_server *mcp_listener_server(struct mcp_listener *l)
{
    return l->server;
}

const struct error *mcp_listener_http(const struct mcp_listener *l)
{
    return &l->http;
}

void mcp_listener_stop(struct mcp_listener *l)
{
    if (!l)
        return;
    mcp_server_stop(l->server);
    pthread_join(l->thread, NULL);
    mcp_server_free(l->server);
    free(l);
}
