#include "serving.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

/* More than the server takes as clients: it is bounded by itself. */
#define FILES_MAX 8192

static _Atomic(struct mcp_server *) serving;

static void on_signal(int number)
{
    (void)number;
    struct mcp_server *v = atomic_load(&serving);
    if (v)
        mcp_server_stop(v);
}

static void listen_to_signals(void (*to)(int))
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = to, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t n = 0; n < sizeof(asking) / sizeof(asking[0]); n++)
        sigaction(asking[n], &action, NULL);
}

void serving_prepare(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return;
    rlim_t most = files.rlim_max < FILES_MAX ? files.rlim_max : FILES_MAX;
    if (files.rlim_cur < most) {
        files.rlim_cur = most;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

int serving_run(struct mcp_server *v, struct error *e)
{
    atomic_store(&serving, v);
    listen_to_signals(on_signal);
    int result = mcp_server_run(v, e);
    atomic_store(&serving, NULL);
    return result;
}
