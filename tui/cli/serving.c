#include "tui/cli/serving.h"

#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

/* More than the server takes as clients: it is bounded by itself. */
#define FILES_MAX 8192
#define KEPT_MAX  (256 << 10) /* bytes of free memory that are kept in one piece */

static _Atomic(struct mcp_server *) serving;
static volatile sig_atomic_t wanted; /* to end, before there was a server to say it to */

static void on_signal(int number)
{
    (void)number;
    struct mcp_server *v = atomic_load(&serving);
    wanted = 1;
    if (v)
        mcp_server_stop(v);
}

static void listen_to_signals(void)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t n = 0; n < sizeof(asking) / sizeof(asking[0]); n++)
        sigaction(asking[n], &action, NULL);
}

static void raise_limit(void)
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

/*
 * What a large answer took goes back to the system when it is freed. By itself glibc raises these bounds
 * to the largest block it has seen freed, and each thread then keeps about as much. And what is kept between
 * reads would lie among what each thread let go of, in a heap of each thread's own: one is enough, as threads
 * that read long wait for the disk and for SQLite more than for memory.
 */
static void keep_small(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, KEPT_MAX);
    mallopt(M_TRIM_THRESHOLD, KEPT_MAX);
    mallopt(M_ARENA_MAX, 1);
#endif
}

void serving_prepare(void)
{
    listen_to_signals();
    raise_limit();
    keep_small();
}

int serving_run(struct mcp_server *v, struct error *e)
{
    atomic_store(&serving, v);
    if (wanted)
        mcp_server_stop(v);
    int result = mcp_server_run(v, e);
    atomic_store(&serving, NULL);
    return result;
}
