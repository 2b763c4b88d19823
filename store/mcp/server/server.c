/* The loop: what a turn is, what it waits for, and how it ends. */
#include "store/mcp/server/server_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/platform/platform.h"

#define EVENTS        64
#define PAUSE_MS      100  /* without an event, after which memory is given back */
#define LINGER_US     50   /* that it looks on after an answer (linger) */
#define SETTLE_MS     100  /* before it looks at what others do */
#define STOP_MS       1000 /* what a stop leaves for answering */
#define REFUSED_MS    200  /* for the log, where its writes have waited in vain already */
#define STUCK_LOOK_MS 250
#define PEERS_MAX     4096
#define OTHERS_FILES  64 /* descriptors that peers leave to the rest of the program */

/* ---- descriptors ---- */

void server_watch(struct mcp_server *v, struct watch *w, uint32_t events)
{
    if (w->fd < 0 || w->always || (w->watched && w->events == events))
        return;
    if (poller_set(v->loop.poller, w->fd, events, w)) {
        w->always = true; /* a file; or what cannot be waited for, and reading will say why */
        return;
    }
    w->watched = true;
    w->events = events;
}

void server_unwatch(struct mcp_server *v, struct watch *w)
{
    if (w->watched)
        poller_remove(v->loop.poller, w->fd);
    w->watched = false;
}

void server_wake(struct mcp_server *v)
{
    wakeup_send(&v->loop.wakeup);
}

static void on_wake(struct watch *w, uint32_t events)
{
    struct mcp_server *v = w->owner;
    (void)events;
    wakeup_take(&v->loop.wakeup);
}

/* ---- beginning ---- */

/* So many peers that the program keeps descriptors for its store. */
static size_t most_peers(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= PEERS_MAX + OTHERS_FILES)
        return PEERS_MAX;
    return files.rlim_cur > 2 * OTHERS_FILES ? files.rlim_cur - OTHERS_FILES : OTHERS_FILES;
}

static struct mcp_server *make_server(struct store *s, const struct mcp_service *service,
                                      const struct mcp_server_options *options)
{
    struct mcp_server *v = xcalloc(1, sizeof(*v));
    v->store = s;
    v->service = service;
    v->options = *options;
    v->agent = options->agent ? xstrdup(options->agent) : NULL;
    v->task = options->task ? xstrdup(options->task) : NULL;
    v->clients.active_end = &v->clients.active;
    v->queue.end = &v->queue.first;
    v->back.done_end = &v->back.done;
    v->clients.most = most_peers();
    v->loop.may_linger = platform_processors() > 1; /* one for whoever asks, too */
    v->listening.endpoint = (struct endpoint)ENDPOINT_INIT;
    v->listening.socket.fd = v->listening.holder.fd = v->notifier.news.fd = -1;
    v->listening.socket.owner = v->listening.holder.owner = v->notifier.news.owner = v;
    v->notifier.arena = (struct arena)ARENA_INIT;
    pthread_mutex_init(&v->back.lock, NULL);
    v->loop.poller = poller_new();
    wakeup_open(&v->loop.wakeup);
    v->loop.wake = (struct watch){.fd = v->loop.wakeup.fd, .on = on_wake, .owner = v};
    v->rates = rates_new();
    v->reading = reading_new(s, calls_on_pooled, v);
    v->metrics = metrics_new((int64_t)getpid(), store_now(s));
    v->notifier.look_from = monotonic_ms() + SETTLE_MS;
    v->clients.unheard.code = v->listening.unlistened.code = v->notifier.unlogged.code = ERROR_NONE;
    return v;
}

struct mcp_server *mcp_server_new(struct store *s, const struct mcp_service *service,
                                  const struct mcp_server_options *options, struct error *e)
{
    struct mcp_server *v = make_server(s, service, options);
    if (!v->loop.poller || v->loop.wake.fd < 0)
        error_set(e, ERROR_STORE, "Close some programs.", "cannot serve: %s", strerror(errno));
    else if ((v->reader = reader_open(s, e)) && (v->log = call_log_open(s))) {
        server_watch(v, &v->loop.wake, POLLER_READ);
        v->sweeper = sweeper_new(s);
        return v;
    }
    mcp_server_free(v);
    return NULL;
}

/*
 * A pipe or a terminal is opened anew, so that our not blocking is no other program's trouble. A
 * socket is asked so each time, and a file does not block.
 */
static int own_descriptor(int fd, int mode)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && (S_ISSOCK(st.st_mode) || S_ISREG(st.st_mode)))
        return fd;
    int own = platform_reopen(fd, mode | O_NONBLOCK);
    if (own < 0) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        return fd;
    }
    close(fd);
    return own;
}

/* Over a socket the system says who is there; over pipes it is who started us. */
static struct mcp_peer stdio_peer(const struct mcp_server *v, int in)
{
    struct mcp_peer who = {.transport = "stdio", .agent = v->agent, .task = v->task};
    platform_peer(in, &who.uid, &who.pid);
    if (who.pid <= 0) {
        who.uid = (int64_t)getuid();
        who.pid = getppid();
    }
    return who;
}

void mcp_server_attach(struct mcp_server *v, int in, int out)
{
    bool one = in == out;
    in = own_descriptor(in, one ? O_RDWR : O_RDONLY);
    out = one ? in : own_descriptor(out, O_WRONLY);
    struct mcp_peer who = stdio_peer(v, in);
    peer_new(v, in, out, &who);
    v->clients.first->stdio = true;
}

/* ---- a turn ---- */

/* The lesser of two times to wait; -1 is for ever. */
static int sooner(int a, int b)
{
    return a < 0 ? b : b < 0 || a < b ? a : b;
}

static int until(int64_t at)
{
    int64_t left = at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}

/* Did anybody speak HTTP? */
static bool speaks(const struct mcp_server *v)
{
    return v->http != NULL;
}

static int timeout(const struct mcp_server *v)
{
    if (v->clients.active)
        return 0;
    int ms = sooner(sooner(call_log_due(v->log), news_timeout(v)),
                    speaks(v) ? v->options.http->timeout(v) : -1);
    ms = v->loop.stopping ? ms : sooner(ms, sweeper_due(v->sweeper));
    if (v->clients.stuck)
        ms = sooner(ms, STUCK_LOOK_MS);
    if (v->listening.at)
        ms = sooner(ms, until(v->listening.at));
    if (v->loop.stopping)
        ms = sooner(ms, until(v->loop.deadline));
    return ms;
}

/*
 * Who asks one thing after another does so within microseconds of an answer, and waking up takes longer than most
 * answers: so after one the loop looks for more a little, before it sleeps.
 */
static int linger(struct mcp_server *v, struct poller_event *events)
{
    int64_t until = monotonic_us() + LINGER_US;
    int count = 0;
    v->loop.lingers = false;
    while (count == 0 && monotonic_us() < until) {
        sched_yield();
        count = poller_wait(v->loop.poller, events, EVENTS, 0);
    }
    return count;
}

static void take_events(struct mcp_server *v)
{
    struct poller_event events[EVENTS];
    int ms = timeout(v), count = v->loop.lingers && ms ? linger(v, events) : 0;
    bool pauses = v->loop.worked && (ms < 0 || ms > PAUSE_MS);
    if (count == 0)
        count = poller_wait(v->loop.poller, events, EVENTS, pauses ? PAUSE_MS : ms);
    if (count == 0 && pauses) {
        reader_pause(v->reader);
    }
    v->loop.worked = count > 0 || (v->loop.worked && !pauses);
    for (int i = 0; i < count; i++) {
        struct watch *w = events[i].data;
        w->on(w, events[i].events);
    }
}

/*
 * All that is ready is taken first, so that the writes of a turn share a commit and the writer is at
 * work while the reads run here. Who is touched meanwhile is served in the next turn.
 */
static void serve_active(struct mcp_server *v)
{
    struct peer *p = v->clients.active, *next;
    v->clients.active = NULL;
    v->clients.active_end = &v->clients.active;
    for (struct peer *each = p; each; each = each->next_active)
        peer_take(each);
    calls_submit(v);
    news_prepare(v);
    for (; p; p = next) {
        next = p->next_active;
        p->active = false;
        calls_read(p);
        peer_settle(p);
    }
}

static void turn(struct mcp_server *v)
{
    take_events(v);
    calls_forget_rules(v);
    if (speaks(v))
        v->options.http->turn(v);
    calls_take_done(v);
    listen_try(v);
    news_look(v);
    peers_check_stuck(v);
    serve_active(v);
    if (!v->loop.stopping)
        sweeper_turn(v->sweeper, v->reader);
}

/* ---- ending ---- */

/* Nothing more is taken; what was is answered while there is time, be it that it cannot be done. */
static void begin_stop(struct mcp_server *v)
{
    v->loop.stopping = v->loop.finishing = true;
    v->loop.deadline = monotonic_ms() + STOP_MS;
    call_log_hurry(v->log, v->loop.deadline);
    listen_close(v);
    if (speaks(v))
        v->options.http->finish(v);
    for (struct peer *p = v->clients.first; p; p = p->next) {
        calls_hurry(p, v->loop.deadline - STOP_MS / 2, false);
        p->dismissed |= !p->ended;
        peer_finish(p);
    }
}

static void drop_all(struct mcp_server *v)
{
    for (struct peer *p = v->clients.first; p; p = p->next)
        peer_dismiss(p);
}

/* What the writer has begun cannot be taken back, so the last turns wait for it. */
int mcp_server_run(struct mcp_server *v, struct error *e)
{
    while (v->clients.first || (speaks(v) && v->options.http->is_busy(v)) || !v->loop.finishing) {
        if (atomic_load(&v->loop.stop) && !v->loop.stopping) {
            begin_stop(v);
            continue; /* there may be nobody to wait for */
        }
        if (v->loop.stopping && monotonic_ms() >= v->loop.deadline) {
            drop_all(v);
            v->loop.deadline = monotonic_ms() + STOP_MS;
        }
        turn(v);
    }
    if (v->clients.refused)
        call_log_hurry(v->log, monotonic_ms() + REFUSED_MS);
    if (v->clients.unheard.code == ERROR_NONE)
        return 0;
    *e = v->clients.unheard;
    return -1;
}

void mcp_server_stop(struct mcp_server *v)
{
    atomic_store(&v->loop.stop, true);
    server_wake(v);
}

void mcp_server_free(struct mcp_server *v)
{
    if (!v)
        return;
    drop_all(v);
    while (v->clients.first)
        turn(v);
    if (speaks(v))
        v->options.http->close(v);
    while (v->clients.first) /* of clients that it kept */
        turn(v);
    listen_close(v);
    news_close(v);
    reading_free(v->reading);
    sweeper_close(v->sweeper);
    if (v->log)
        call_log_close(v->log);
    if (v->reader)
        reader_close(v->reader);
    metrics_free(v->metrics);
    rates_free(v->rates);
    calls_forget_rules(v);
    wakeup_close(&v->loop.wakeup);
    poller_free(v->loop.poller);
    arena_release(&v->notifier.arena);
    pthread_mutex_destroy(&v->back.lock);
    free(v->agent);
    free(v->task);
    free(v);
}
