/* The server in a thread of the explorer. */
#include <pthread.h>
#include <signal.h>
#include "../../model/alloc.h"
#include "server.h"

struct mcp_listener {
    struct mcp_server *server;
    pthread_t thread;
};

static void *listener_main(void *arg)
{
    struct mcp_listener *l = arg;
    struct error ignored; /* it says nothing that a person at the explorer could not see there */
    mcp_server_run(l->server, &ignored);
    return NULL;
}

/* Signals are the main thread's. */
static int start(struct mcp_listener *l, struct error *e)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&l->thread, NULL, listener_main, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return error_set(e, ERROR_MEMORY, "", "cannot start the listener: %s", strerror(failed));
    pthread_setname_np(l->thread, "listener");
    return 0;
}

struct mcp_listener *mcp_listener_start(struct store *s, const struct mcp_service *service,
                                        struct error *e)
{
    struct mcp_server_options options = {0};
    struct mcp_listener *l = xcalloc(1, sizeof(*l));
    l->server = mcp_server_new(s, service, &options, e);
    if (l->server && mcp_server_listen(l->server, e) == 0 && start(l, e) == 0)
        return l;
    mcp_server_free(l->server);
    free(l);
    return NULL;
}

const char *mcp_listener_path(struct mcp_listener *l)
{
    return mcp_server_path(l->server);
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
