/* The loop: its turns, what it waits for, and how it ends; and notifying clients of changes by other processes. */
#include "store/mcp/server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/mcp/server/server_state.h"
#include "store/platform/platform.h"
#include <string.h>
#include "model/base/array.h"
#include "store/db/db.h"
#include "store/db/store_state.h"

static void feed_stop(struct mcp_server *v);
static void check_feed(struct mcp_server *v);
static int64_t feed_due(const struct notifier *n);

#define EVENTS        64
#define PAUSE_MS      100  /* idle time after which memory is released */
#define STOP_MS       1000 /* time for answers after a stop */
#define STUCK_LOOK_MS 250
#define PEERS_MAX     4096
#define OTHERS_FILES  64 /* descriptors reserved for the rest of the program */

/* ---- descriptors ---- */

void server_watch(struct mcp_server *v, struct watch *w, uint32_t events)
{
    if (w->fd < 0 || w->always || (w->watched && w->events == events))
        return;
    if (poller_set(v->loop.poller, w->fd, events, w)) {
        w->always = true; /* a file, or a bad descriptor: reading will report why */
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

/* Maximum number of peers, so that the program keeps descriptors for its store. */
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
    v->service = *service;
    v->options = *options;
    v->agent = options->agent ? xstrdup(options->agent) : NULL;
    v->task = options->task ? xstrdup(options->task) : NULL;
    STAILQ_INIT(&v->clients.active);
    STAILQ_INIT(&v->back.done);
    STAILQ_INIT(&v->queue.list);
    STAILQ_INIT(&v->long_reads);
    atomic_init(&v->queue.until, INT64_MAX);
    v->clients.most = most_peers();
    v->listening.endpoint = (struct endpoint)ENDPOINT_INIT;
    v->listening.socket.fd = v->listening.holder.fd = v->notifier.feed_watch.fd = -1;
    v->listening.socket.owner = v->listening.holder.owner = v->notifier.feed_watch.owner = v;
    pthread_mutex_init(&v->back.lock, NULL);
    v->loop.poller = poller_new();
    wakeup_open(&v->loop.wakeup);
    v->loop.wake = (struct watch){.fd = v->loop.wakeup.fd, .on = on_wake, .owner = v};
    v->rates = rates_new();
    v->metrics = metrics_new((int64_t)getpid(), store_now(s));
    v->clients.output_error.code = v->listening.listen_error.code = v->notifier.log_error.code =
        ERROR_NONE;
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
        v->follower = team_follow(s);
        return v;
    }
    mcp_server_free(v);
    return NULL;
}

/*
 * Opens a pipe or terminal again, so that O_NONBLOCK does not affect other programs that share it. Sockets use
 * MSG_DONTWAIT, and files do not block.
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

/* The peer at the attached descriptors: over a socket the system knows it; over pipes it is the parent process. */
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
    LIST_FIRST(&v->clients.all)->stdio = true;
}

/* ---- a turn ---- */

/* The smaller of two timeouts; -1 means no timeout. */
static int sooner(int a, int b)
{
    return a < 0 ? b : b < 0 || a < b ? a : b;
}

static int until(int64_t at)
{
    int64_t left = at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}

static int timeout(const struct mcp_server *v)
{
    if (!STAILQ_EMPTY(&v->clients.active))
        return 0;
    int64_t due = feed_due(&v->notifier);
    int ms = sooner(call_log_due(v->log), due < 0 ? -1 : until(due));
    ms = sooner(ms, v->http ? v->options.http->timeout(v) : -1);
    ms = v->loop.stopping ? ms : sooner(ms, sweeper_due(v->sweeper));
    if (v->clients.stuck)
        ms = sooner(ms, STUCK_LOOK_MS);
    if (v->listening.at)
        ms = sooner(ms, until(v->listening.at));
    if (v->loop.stopping)
        ms = sooner(ms, until(v->loop.deadline));
    return ms;
}

static void take_events(struct mcp_server *v)
{
    struct poller_event events[EVENTS];
    int ms = timeout(v);
    bool pauses = v->loop.worked && (ms < 0 || ms > PAUSE_MS);
    int count = poller_wait(v->loop.poller, events, EVENTS, pauses ? PAUSE_MS : ms);
    if (count == 0 && pauses)
        reader_trim_memory(v->reader);
    v->loop.worked = count > 0 || (v->loop.worked && !pauses);
    for (int i = 0; i < count; i++) {
        struct watch *w = events[i].data;
        w->on(w, events[i].events);
    }
}

/*
 * Takes the input of all ready peers first, so that the writes of a turn share a commit, and the writer works while
 * reads run here. Peers that become active meanwhile are served in the next turn.
 */
static void serve_active(struct mcp_server *v)
{
    struct peer *p;
    struct peer_list now = STAILQ_HEAD_INITIALIZER(now);
    STAILQ_CONCAT(&now, &v->clients.active);
    for (p = STAILQ_FIRST(&now); p; p = STAILQ_NEXT(p, next_active))
        peer_take(p);
    calls_submit(v);
    while ((p = STAILQ_FIRST(&now))) {
        STAILQ_REMOVE_HEAD(&now, next_active);
        p->active = false;
        calls_read(p);
        peer_settle(p);
    }
}

static void turn(struct mcp_server *v)
{
    take_events(v);
    calls_forget_rules(v);
    if (v->http)
        v->options.http->turn(v);
    calls_take_done(v);
    listen_try(v);
    check_feed(v);
    peers_check_stuck(v);
    serve_active(v);
    if (!v->loop.stopping)
        sweeper_run(v->sweeper, v->reader);
}

/* ---- ending ---- */

/* Stops taking input. Accepted requests are answered within the time limit, with an error if they cannot be carried
 * out. */
static void begin_stop(struct mcp_server *v)
{
    v->loop.stopping = v->loop.finishing = true;
    v->loop.deadline = monotonic_ms() + STOP_MS;
    call_log_set_deadline(v->log, v->loop.deadline);
    listen_close(v);
    if (v->http)
        v->options.http->finish(v);
    atomic_store(&v->queue.until, v->loop.deadline - STOP_MS / 2);
    for (struct peer *p = LIST_FIRST(&v->clients.all); p; p = LIST_NEXT(p, link)) {
        p->dismissed |= !p->ended;
        peer_finish(p);
    }
}

static void drop_all(struct mcp_server *v)
{
    for (struct peer *p = LIST_FIRST(&v->clients.all); p; p = LIST_NEXT(p, link))
        peer_dismiss(p);
}

/* Writes that the writer has begun cannot be cancelled, so the last turns wait for them. */
int mcp_server_run(struct mcp_server *v, struct error *e)
{
    while (LIST_FIRST(&v->clients.all) || (v->http && v->options.http->is_busy(v)) ||
           !v->loop.finishing) {
        if (atomic_load(&v->loop.stop) && !v->loop.stopping) {
            begin_stop(v);
            continue; /* no peer may be left */
        }
        if (v->loop.stopping && monotonic_ms() >= v->loop.deadline) {
            drop_all(v);
            v->loop.deadline = monotonic_ms() + STOP_MS;
        }
        turn(v);
    }
    if (v->clients.output_error.code == ERROR_NONE)
        return 0;
    *e = v->clients.output_error;
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
    while (LIST_FIRST(&v->clients.all))
        turn(v);
    if (v->http)
        v->options.http->close(v);
    while (LIST_FIRST(&v->clients.all)) /* peers of HTTP clients */
        turn(v);
    listen_close(v);
    feed_stop(v);
    team_follow_end(v->follower);
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
    pthread_mutex_destroy(&v->back.lock);
    FREE_ALL(v->agent, v->task, v);
}

/*
 * Changes by other processes: sessions that a person ended or made read-only, and subscribed resources. Every commit
 * signals the feed, including our own, so it is checked at most every CHECK_MS. A subscriber is notified only if
 * reading the resource with its guard gives another result than before, so that it learns nothing about hidden
 * memories.
 */

#define CHECK_MS 50
#define READ_US  10000 /* time for reading subscribed resources in one check */
#define RETRY_MS 1000  /* before reading again after an error */

static void on_feed(struct watch *w, uint32_t events)
{
    struct mcp_server *v = w->owner;
    (void)events;
    v->notifier.feed_ready = true;
    server_watch(v, w, 0); /* until the feed was checked */
}

static void feed_stop(struct mcp_server *v)
{
    server_unwatch(v, &v->notifier.feed_watch);
    feed_close(v->notifier.feed);
    v->notifier.feed = NULL;
    v->notifier.feed_watch.fd = -1;
}

/* ---- subscriptions ---- */

/* Skips our own events. What cannot be read now is read at the next check. */
static void find_events(struct mcp_server *v)
{
    struct error ignored;
    if (feed_check(v->notifier.feed, &ignored) <= 0)
        return;
    int64_t last = journal_last(v->reader, &ignored);
    v->notifier.changed |= last > feed_seq(v->notifier.feed);
    feed_skip(v->notifier.feed, last);
}

/* Changes that arrive before all resources were read wait for the next round, so that each peer has its turn. */
static void notify_subscribers(struct mcp_server *v)
{
    bool marks = !v->notifier.reading && v->notifier.changed;
    int64_t until = monotonic_us() + READ_US;
    if (!v->notifier.reading && !marks)
        return;
    v->notifier.changed &= !marks;
    v->notifier.reading = false;
    for (struct peer *p = LIST_FIRST(&v->clients.all); p; p = LIST_NEXT(p, link)) {
        if (!p->connection || !mcp_connection_subscribed(p->connection))
            continue;
        if (marks)
            mcp_connection_mark_changed(p->connection);
        v->notifier.reading |= !mcp_connection_check_changed(p->connection, until);
        peer_touch(p);
    }
}

/* ---- the feed ---- */

/* Ends peers whose session a person ended. */
static void apply_decisions(struct mcp_server *v)
{
    struct error ignored;
    v->notifier.decisions_unread = call_log_apply_decisions(v->log, v->reader, &ignored) != 0;
    for (struct peer *p = LIST_FIRST(&v->clients.all); p; p = LIST_NEXT(p, link)) {
        struct session *session = p->connection ? mcp_connection_session(p->connection) : NULL;
        if (session && !p->expelled && session_is_ended(session)) {
            p->expelled = true;
            if (p->client)
                v->options.http->expel(p);
            else
                peer_finish(p);
        }
    }
}

static void open_feed(struct mcp_server *v)
{
    struct error ignored;
    v->notifier.feed = feed_open(v->reader, &ignored);
    if (!v->notifier.feed) {
        v->notifier.check_from = monotonic_ms() + RETRY_MS;
        return;
    }
    v->notifier.check_at = 0;
    v->notifier.feed_watch =
        (struct watch){.fd = feed_fd(v->notifier.feed), .on = on_feed, .owner = v};
    server_watch(v, &v->notifier.feed_watch, POLLER_READ);
    apply_decisions(v); /* decisions made before the feed was opened */
}

static void read_feed(struct mcp_server *v)
{
    uint64_t changes = feed_changes(v->notifier.feed);
    v->notifier.feed_ready = false;
    sweeper_wake(v->sweeper);
    find_events(v);
    notify_subscribers(v);
    if (v->notifier.decisions_unread || feed_changes(v->notifier.feed) != changes)
        apply_decisions(v);
    int next = v->notifier.decisions_unread ? RETRY_MS : feed_timeout(v->notifier.feed);
    if ((v->notifier.reading || v->notifier.changed) && (next < 0 || next > CHECK_MS))
        next = CHECK_MS;
    v->notifier.check_from = monotonic_ms() + CHECK_MS;
    v->notifier.check_at = next < 0 ? -1 : monotonic_ms() + next;
    server_watch(v, &v->notifier.feed_watch, POLLER_READ);
}

/* ms: when to open or check the feed; -1 if not before it signals. */
static int64_t feed_due(const struct notifier *n)
{
    if (!n->feed || n->feed_ready)
        return n->check_from;
    return n->check_at < 0 || n->check_at > n->check_from ? n->check_at : n->check_from;
}

/* Writes the call log. Reports SERVER_LOG_ERROR when that begins to fail and when it works again. */
static void flush(struct mcp_server *v)
{
    call_log_flush(v->log);
    const struct error *failed = call_log_failed(v->log);
    bool changed = failed->code != v->notifier.log_error.code ||
                   (failed->code && strcmp(failed->what, v->notifier.log_error.what) != 0);
    if (!changed)
        return;
    pthread_mutex_lock(&v->back.lock);
    v->notifier.log_error = *failed;
    pthread_mutex_unlock(&v->back.lock);
    if (v->options.on_event)
        v->options.on_event(v->options.arg, SERVER_LOG_ERROR, NULL, -1);
}

bool mcp_server_log_error(struct mcp_server *v, struct error *why)
{
    pthread_mutex_lock(&v->back.lock);
    *why = v->notifier.log_error;
    pthread_mutex_unlock(&v->back.lock);
    return why->code != ERROR_NONE;
}

/* Opens the feed before any answer is sent: after the answer to a subscription no change may be missed. */
static void check_feed(struct mcp_server *v)
{
    int64_t due = feed_due(&v->notifier);
    if (call_log_due(v->log) == 0)
        flush(v);
    if (due < 0 || monotonic_ms() < due)
        return;
    if (!v->notifier.feed)
        open_feed(v);
    if (v->notifier.feed)
        read_feed(v);
}

/* ---- confinement ---- */

struct paths {
    struct platform_path *list;
    size_t count, alloc;
};

static void add(struct paths *p, char *path, enum platform_use use)
{
    *ARRAY_ADD(p->list, p->count, p->alloc) = (struct platform_path){path, use};
}

/* Adds the directory that the path names a file in. The file may be replaced, so it is not enough by itself. Returns
 * the directory, or NULL if the path names none. */
static const char *add_directory(struct paths *p, const char *path, enum platform_use use)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!slash)
        return NULL;
    char *directory = xformat("%.*s", slash == path ? 1 : (int)(slash - path), path);
    add(p, directory, use);
    return directory;
}

/* A configuration is often a symbolic link to where a person keeps it. */
static void add_read(struct paths *p, const char *path)
{
    char *real = path ? realpath(path, NULL) : NULL;
    add_directory(p, path, USE_READ);
    if (real)
        add(p, real, USE_READ);
}

static void add_agents(struct paths *p, const struct permissions *permissions)
{
    for (size_t i = 0; i < permissions->agent_count; i++) {
        add_directory(p, permissions->agents[i].socket, USE_WRITE);
        add_read(p, permissions->agents[i].token_file);
    }
}

const char *mcp_server_confine(struct mcp_server *v, const char *config)
{
    const struct store *s = v->store;
    struct paths p = {.list = NULL};
    struct error ignored;
    if (s->read) /* it could not remove the copy's directory */
        return "it reads a private copy of an older store";
    if (v->follower) /* libpq reads its own files and connects */
        return "its store is a team's, which it must reach";
    struct guard_rules *rules = v->options.rules ? v->options.rules(v->options.rules_arg) : NULL;
    add_directory(&p, s->path, USE_WRITE);
    if (s->head && store_make_folders(s->head, &ignored) == 0)
        add_directory(&p, s->head, USE_WRITE);
    const char *sockets = add_directory(&p, v->listening.endpoint.path, USE_WRITE);
    add_directory(&p, sockets, USE_SOCKETS); /* to make it again */
    add_read(&p, config);
    if (rules)
        add_agents(&p, guard_permissions(rules));
    db_use_temporary(s->read_only && s->head ? s->head : s->path);
    const char *why = platform_confine(p.list, p.count);
    guard_rules_release(rules);
    for (size_t i = 0; i < p.count; i++)
        free((char *)p.list[i].path);
    free(p.list);
    return why;
}
