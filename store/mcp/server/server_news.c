/*
 * What others changed: sessions that a person ended or made read-only, and memories that a client
 * subscribed to, or that such a one rests on. Every commit stirs the feed, our own as well, so it is
 * looked at no more often than every LOOK_MS; where nobody subscribed, the events are not read.
 */
#include "store/mcp/server/server_state.h"

#include <stdlib.h>

#define LOOK_MS     50
#define EVENTS_READ 256  /* at once */
#define READS_LOOK  4    /* before the loop goes on with other things */
#define RETRY_MS    1000 /* before what could not be read is tried again */
#define GATHER_MS   1000 /* between two tellings while very much changes */
/* Subscriptions whose memories are looked into; of more, anything may have changed. */
#define SUBSCRIBED_MOST 65536

static void on_stir(struct watch *w, uint32_t events)
{
    struct mcp_server *v = w->owner;
    (void)events;
    v->notifier.stirred = true;
    server_watch(v, w, 0); /* until it has been looked at */
}

void news_close(struct mcp_server *v)
{
    server_unwatch(v, &v->notifier.news);
    feed_close(v->notifier.feed);
    v->notifier.feed = NULL;
    v->notifier.news.fd = -1;
    changes_clear(&v->notifier.changes);
}

static bool someone_subscribed(const struct mcp_server *v)
{
    for (const struct peer *p = v->clients.first; p; p = p->next)
        if (p->connection && mcp_connection_subscribed(p->connection))
            return true;
    return false;
}

/* ---- telling ---- */

/* Where too many are subscribed to, to be looked into, something that one rests on may have changed. */
static void find_reached(struct mcp_server *v)
{
    struct changes *c = &v->notifier.changes;
    struct mcp_rows rows = {NULL, 0, 0};
    for (const struct peer *p = c->reach ? v->clients.first : NULL; p; p = p->next)
        if (p->connection && rows.count <= SUBSCRIBED_MOST)
            mcp_connection_subscribed_rows(p->connection, &rows);
    c->any |= rows.count > SUBSCRIBED_MOST;
    changes_reach(c, rows.row, rows.count, v->reader);
    free(rows.row);
}

static void tell_subscribers(struct mcp_server *v)
{
    struct changes *c = &v->notifier.changes;
    bool many = c->count > EVENTS_READ;
    find_reached(v);
    for (struct peer *p = v->clients.first; p; p = p->next) {
        if (!p->connection || !mcp_connection_subscribed(p->connection))
            continue;
        mcp_connection_changed(p->connection, c);
        peer_touch(p);
    }
    changes_clear(c);
    v->notifier.tell_from = many ? monotonic_ms() + GATHER_MS : 0;
}

/* Have all events been read? What cannot be read now is with the next look. */
static bool read_events(struct mcp_server *v)
{
    struct error ignored;
    struct event *events;
    size_t count = EVENTS_READ;
    for (int i = 0; i < READS_LOOK && count == EVENTS_READ; i++) {
        arena_clear(&v->notifier.arena);
        if (feed_next(v->notifier.feed, &v->notifier.arena, EVENTS_READ, &events, &count, &ignored))
            return true;
        if (count > 0 && v->notifier.changes.count == 0)
            v->notifier.gather_until = monotonic_ms() + GATHER_MS;
        changes_add(&v->notifier.changes, events, count, v->reader);
    }
    return count < EVENTS_READ;
}

static bool has_changes(const struct mcp_server *v)
{
    return v->notifier.changes.count > 0 || v->notifier.changes.any;
}

/* What is many is told at its end; while that does not come, once in a while. */
static void gather(struct mcp_server *v)
{
    bool all = read_events(v);
    int64_t now = monotonic_ms();
    bool due = all ? now >= v->notifier.tell_from : now >= v->notifier.gather_until;
    if (has_changes(v) && (due || v->notifier.changes.count >= CHANGES_MOST))
        tell_subscribers(v);
}

/* ---- looking ---- */

/* Those that a person ended are served no further. */
static void heed(struct mcp_server *v)
{
    struct error ignored;
    v->notifier.unheeded = call_log_heed(v->log, v->reader, &ignored) != 0;
    for (struct peer *p = v->clients.first; p; p = p->next) {
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
        v->notifier.look_from = monotonic_ms() + RETRY_MS;
        return;
    }
    v->notifier.look_at = 0;
    v->notifier.news = (struct watch){.fd = feed_fd(v->notifier.feed), .on = on_stir, .owner = v};
    server_watch(v, &v->notifier.news, POLLER_READ);
    heed(v); /* of what came before it */
}

void news_prepare(struct mcp_server *v)
{
    if (!v->notifier.feed && someone_subscribed(v))
        open_feed(v);
}

/* Nobody wants to know of those that there are. */
static void pass_over(struct mcp_server *v)
{
    struct error ignored;
    changes_clear(&v->notifier.changes);
    if (feed_look(v->notifier.feed, &ignored) > 0)
        feed_skip(v->notifier.feed, journal_last(v->reader, &ignored));
}

static void look(struct mcp_server *v)
{
    uint64_t changes = feed_changes(v->notifier.feed);
    v->notifier.stirred = false;
    sweeper_stir(v->sweeper);
    if (someone_subscribed(v))
        gather(v);
    else
        pass_over(v);
    if (v->notifier.unheeded || feed_changes(v->notifier.feed) != changes)
        heed(v);
    int next = v->notifier.unheeded ? RETRY_MS : feed_timeout(v->notifier.feed);
    if (has_changes(v) && (next < 0 || next > LOOK_MS))
        next = LOOK_MS;
    v->notifier.look_from = monotonic_ms() + LOOK_MS;
    v->notifier.look_at = next < 0 ? -1 : monotonic_ms() + next;
    server_watch(v, &v->notifier.news, POLLER_READ);
}

static bool is_time_to_look(const struct mcp_server *v)
{
    int64_t now = monotonic_ms();
    return now >= v->notifier.look_from &&
           (v->notifier.stirred || (v->notifier.look_at >= 0 && now >= v->notifier.look_at));
}

/* Whoever started it hears when the log of calls cannot be written any more, and when it can again. */
static void flush(struct mcp_server *v)
{
    call_log_flush(v->log);
    const struct error *failed = call_log_failed(v->log);
    bool changed = failed->code != v->notifier.unlogged.code ||
                   (failed->code && strcmp(failed->what, v->notifier.unlogged.what) != 0);
    if (!changed)
        return;
    pthread_mutex_lock(&v->back.lock);
    v->notifier.unlogged = *failed;
    pthread_mutex_unlock(&v->back.lock);
    if (v->options.tell)
        v->options.tell(v->options.arg, SERVER_UNLOGGED, NULL, -1);
}

bool mcp_server_unlogged(struct mcp_server *v, struct error *why)
{
    pthread_mutex_lock(&v->back.lock);
    *why = v->notifier.unlogged;
    pthread_mutex_unlock(&v->back.lock);
    return why->code != ERROR_NONE;
}

/* The feed is opened a moment after the start: the first answer does not wait for it. */
void news_look(struct mcp_server *v)
{
    if (call_log_due(v->log) == 0)
        flush(v);
    if (!v->notifier.feed && monotonic_ms() >= v->notifier.look_from)
        open_feed(v);
    if (v->notifier.feed && is_time_to_look(v))
        look(v);
}

int news_timeout(const struct mcp_server *v)
{
    if (v->notifier.feed && !v->notifier.stirred && v->notifier.look_at < 0)
        return -1;
    int64_t at = v->notifier.look_from;
    if (v->notifier.feed && !v->notifier.stirred && v->notifier.look_at > at)
        at = v->notifier.look_at;
    int64_t left = at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}
