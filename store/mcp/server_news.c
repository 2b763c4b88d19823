/*
 * What others changed: sessions that a person ended or made read-only, and memories that a client
 * subscribed to, or that such a one rests on. Every commit stirs the feed, our own as well, so it is looked at no more often than
 * every LOOK_MS; where nobody subscribed, the events themselves are not read.
 */
#include "server_state.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include "../subgraph.h"

#define LOOK_MS     50
#define EVENTS_READ 256 /* at once */
#define REST_MOST                                                                                  \
    1024 /* rows that rest on them and are looked for; of more, anything may have changed */
#define READS_LOOK 4    /* before the loop goes on with other things */
#define RETRY_MS   1000 /* before what could not be read is tried again */

static void on_stir(struct watch *w, uint32_t events)
{
    struct mcp_server *v = w->owner;
    (void)events;
    v->stirred = true;
    server_watch(v, w, 0); /* until it has been looked at */
}

void news_close(struct mcp_server *v)
{
    feed_close(v->feed); /* closes the descriptor, and so epoll lets it go */
    v->feed = NULL;
    v->news.fd = -1;
}

static bool someone_subscribed(const struct mcp_server *v)
{
    for (const struct peer *p = v->peers; p; p = p->next)
        if (p->connection && mcp_connection_subscribed(p->connection))
            return true;
    return false;
}

static int by_row(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static size_t sort(int64_t *rows, size_t count)
{
    size_t kept = 0;
    qsort(rows, count, sizeof(*rows), by_row);
    for (size_t i = 0; i < count; i++)
        if (rows[i] && (kept == 0 || rows[kept - 1] != rows[i]))
            rows[kept++] = rows[i];
    return kept;
}

/* What changed, and what rests on it: rows ascending, each once. */
struct changed {
    int64_t row[EVENTS_READ + REST_MOST];
    size_t count;
    bool any; /* more rests on it than was looked for */
};

static void add_dependants(struct changed *c, size_t subjects, size_t i, struct reader *r)
{
    struct error ignored;
    struct dependants d;
    size_t left = REST_MOST - (c->count - subjects);
    if (left == 0 || dependants_find(r, c->row[i], left, &d, &ignored)) {
        c->any = true;
        return;
    }
    for (size_t n = 0; n < d.count; n++)
        c->row[c->count++] = d.row[n];
    c->any = d.more;
    free(d.row);
}

/* The label and the lineage of what rests on a memory change with it. */
static void find_changed(struct changed *c, const struct event *events, size_t count,
                         struct reader *r)
{
    c->any = false;
    for (size_t i = 0; i < count; i++)
        c->row[i] = events[i].subject;
    size_t subjects = c->count = sort(c->row, count);
    for (size_t i = 0; i < subjects && !c->any; i++)
        add_dependants(c, subjects, i, r);
    c->count = sort(c->row, c->count);
}

/* How many events were read; 0 as well where they cannot be read now, and are with the next look. */
static size_t tell_some(struct mcp_server *v)
{
    struct error ignored;
    struct event *events;
    struct changed changed;
    size_t count;
    arena_clear(&v->arena);
    if (feed_next(v->feed, &v->arena, EVENTS_READ, &events, &count, &ignored))
        return 0;
    find_changed(&changed, events, count, v->reader);
    for (struct peer *p = changed.count ? v->peers : NULL; p; p = p->next) {
        if (!p->connection || !mcp_connection_subscribed(p->connection))
            continue;
        if (changed.any)
            mcp_connection_any_changed(p->connection);
        else
            mcp_connection_changed(p->connection, changed.row, changed.count);
        peer_touch(p);
    }
    return count;
}

static void tell_subscribers(struct mcp_server *v)
{
    for (int i = 0; i < READS_LOOK && tell_some(v) == EVENTS_READ; i++)
        ;
}

/* Those that a person ended are served no further. */
static void heed(struct mcp_server *v)
{
    struct error ignored;
    v->unheeded = call_log_heed(v->log, v->reader, &ignored) != 0;
    for (struct peer *p = v->peers; p; p = p->next) {
        struct session *session = p->connection ? mcp_connection_session(p->connection) : NULL;
        if (session && !p->expelled && session_is_ended(session)) {
            p->expelled = true;
            peer_finish(p);
        }
    }
}

static void open_feed(struct mcp_server *v)
{
    struct error ignored;
    v->feed = feed_open(v->reader, &ignored);
    if (!v->feed) {
        v->look_from = monotonic_ms() + RETRY_MS;
        return;
    }
    v->look_at = 0;
    v->news = (struct watch){.fd = feed_fd(v->feed), .on = on_stir, .owner = v};
    server_watch(v, &v->news, EPOLLIN);
    heed(v); /* of what came before it */
}

void news_prepare(struct mcp_server *v)
{
    if (!v->feed && someone_subscribed(v))
        open_feed(v);
}

/* Nobody wants to know of those that there are. */
static void pass_over(struct mcp_server *v)
{
    struct error ignored;
    if (feed_look(v->feed, &ignored) > 0)
        feed_skip(v->feed, journal_last(v->reader, &ignored));
}

static void look(struct mcp_server *v)
{
    uint64_t changes = feed_changes(v->feed);
    v->stirred = false;
    if (someone_subscribed(v))
        tell_subscribers(v);
    else
        pass_over(v);
    if (v->unheeded || feed_changes(v->feed) != changes)
        heed(v);
    int next = v->unheeded ? RETRY_MS : feed_timeout(v->feed);
    v->look_from = monotonic_ms() + LOOK_MS;
    v->look_at = next < 0 ? -1 : monotonic_ms() + next;
    server_watch(v, &v->news, EPOLLIN);
}

static bool is_time_to_look(const struct mcp_server *v)
{
    int64_t now = monotonic_ms();
    return now >= v->look_from && (v->stirred || (v->look_at >= 0 && now >= v->look_at));
}

/* The feed is opened a moment after the start: the first answer does not wait for it. */
void news_look(struct mcp_server *v)
{
    if (call_log_due(v->log) == 0)
        call_log_flush(v->log);
    if (!v->feed && monotonic_ms() >= v->look_from)
        open_feed(v);
    if (v->feed && is_time_to_look(v))
        look(v);
}

int news_timeout(const struct mcp_server *v)
{
    if (v->feed && !v->stirred && v->look_at < 0)
        return -1;
    int64_t at = v->look_from;
    if (v->feed && !v->stirred && v->look_at > at)
        at = v->look_at;
    int64_t left = at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}
