/*
 * Who comes. Where all places are taken it waits: in the system's backlog, or beside it where it came by the Unix
 * socket, which it has left when it turns out that it speaks HTTP. What holds the places is answered in a moment, as a
 * rule. Where that lasts, a few are taken in all the same, to be told.
 */
#include "store/mcp/http/http_state.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ACCEPTS_TURN 64

/* The library gives it a place or closes it. */
static void let_in(struct http *h, int fd, int64_t now)
{
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    socklen_t len = sizeof(from);
    if (getpeername(fd, (struct sockaddr *)&from, &len)) {
        close(fd);
        return;
    }
    if (from.ss_family == AF_UNIX) /* one without a name, whose length says nothing */
        len = sizeof(struct sockaddr_un);
    http_lines_make_room(h, now);
    mhd.add_connection(h->daemon, fd, (struct sockaddr *)&from, len);
}

/* For the next that comes? */
static bool has_room(struct http *h, int64_t now)
{
    if (http_lines_have_place(h, now)) {
        h->full_at = 0;
        return true;
    }
    if (!h->full_at)
        h->full_at = now;
    return now - h->full_at >= HTTP_PATIENCE_MS && http_lines_have_ear(h, now);
}

void http_take(struct mcp_server *v, int fd)
{
    struct error ignored;
    struct http *h = http_of(v, &ignored);
    if (h && !h->closing && h->waiting_count < HTTP_WAITING_MAX) {
        h->waiting[h->waiting_count++] = fd;
        h->knocked = true;
        return;
    }
    if (h)
        http_refuse_fd(h, fd, MHD_HTTP_SERVICE_UNAVAILABLE);
    close(fd);
}

static void take_waiting(struct http *h, int64_t now)
{
    size_t taken = 0;
    while (taken < h->waiting_count && has_room(h, now))
        let_in(h, h->waiting[taken++], now);
    h->waiting_count -= taken;
    memmove(h->waiting, h->waiting + taken, h->waiting_count * sizeof(h->waiting[0]));
    h->full |= h->waiting_count > 0;
}

static bool is_somebody_at(const struct watch *w)
{
    struct pollfd in = {w->fd, POLLIN, 0};
    return w->fd >= 0 && poll(&in, 1, 0) > 0;
}

static void accept_some(struct http *h, const struct watch *w, int64_t now)
{
    for (int i = 0; i < ACCEPTS_TURN && is_somebody_at(w); i++) {
        h->full |= !has_room(h, now);
        int fd = h->full ? -1 : platform_accept(w->fd);
        if (fd >= 0)
            let_in(h, fd, now);
        else
            h->full |= errno != EAGAIN && errno != ECONNABORTED; /* no descriptor is left */
        if (fd < 0)
            return;
    }
}

void http_on_knock(struct watch *w, uint32_t events)
{
    struct http *h = w->owner;
    (void)events;
    h->knocked = true;
}

/* Who waits at a full house is looked for in each turn, of which there are enough, and need not say so. */
void http_door_look(struct http *h)
{
    int64_t now = monotonic_ms();
    if (!h->knocked && !h->full)
        return;
    h->knocked = h->full = false;
    take_waiting(h, now);
    for (int i = 0; i < 2; i++)
        accept_some(h, &h->listeners[i], now);
    for (int i = 0; i < 2; i++)
        server_watch(h->server, &h->listeners[i], h->full ? 0 : POLLER_READ);
}

void http_door_close(struct http *h)
{
    for (int i = 0; i < 2; i++) {
        if (h->listeners[i].fd < 0)
            continue;
        server_unwatch(h->server, &h->listeners[i]);
        close(h->listeners[i].fd);
        h->listeners[i].fd = -1;
    }
    while (h->waiting_count > 0)
        close(h->waiting[--h->waiting_count]);
}
