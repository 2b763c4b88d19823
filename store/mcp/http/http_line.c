/* The connections: their places, who gives way, what takes too long, and where the library is stuck. */
#include "store/mcp/http/http_state.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include "model/base/alloc.h"

#define LINGER_MS   1000       /* for whoever still sends to read why it is refused */
#define DRAIN_BYTES (1u << 20) /* at once */
#define DRAIN_TIMES 16
#define STUCK_LOOKS 3 /* it has other things to do first, as to say that it will go on */

/* ---- beginning and end ---- */

/* What it is counted in. */
static size_t *places_of(struct http_line *l)
{
    return l->crowded ? &l->http->crowd : &l->http->line_count;
}

static void leave_place(struct http_line *l)
{
    *places_of(l) -= !l->leaving;
    l->leaving = true;
}

static void add_line(struct http *h, struct MHD_Connection *c, void **socket)
{
    struct http_line *l = xcalloc(1, sizeof(*l));
    l->http = h;
    l->connection = c;
    l->fd = mhd.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    const struct sockaddr *from =
        mhd.get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    l->local = from->sa_family == AF_UNIX;
    l->asks = true;
    l->since = monotonic_ms();
    l->deadline = l->since + HTTP_HEAD_MS;
    l->next = h->lines;
    if (l->next)
        l->next->previous = l;
    h->lines = l;
    l->crowded = h->line_count >= HTTP_LINES_MAX;
    ++*places_of(l);
    *socket = l;
}

static void remove_line(struct http_line *l)
{
    leave_place(l);
    if (l->client && l->leaving)
        http_client_dismiss(l->client);
    else if (l->client)
        http_client_end(l->client);
    if (l->previous)
        l->previous->next = l->next;
    else
        l->http->lines = l->next;
    if (l->next)
        l->next->previous = l->previous;
    free(l);
}

void http_on_connection(void *http, struct MHD_Connection *c, void **socket,
                        enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        add_line(http, c, socket);
    } else if (*socket) {
        remove_line(*socket);
        *socket = NULL;
    }
}

/* It is told why where it waits for an answer, and its place is free once the library sees the end. */
static void end_line(struct http_line *l)
{
    l->deadline = 0;
    if (l->asks && !mhd.get_connection_info(l->connection, MHD_CONNECTION_INFO_HTTP_STATUS))
        http_refuse_now(l, MHD_HTTP_REQUEST_TIMEOUT);
    shutdown(l->fd, SHUT_RDWR);
    leave_place(l);
}

/* ---- places ---- */

static size_t unread(const struct http_line *l)
{
    int n = 0;
    return ioctl(l->fd, FIONREAD, &n) == 0 && n > 0 ? (size_t)n : 0;
}

/*
 * Whoever was never let in gives way first, the one that came first before the others: half a head, a refused
 * token, answers to that which nobody reads. Then who was let in and asked for nothing for longest. A request keeps
 * its place.
 */
static bool gives_way_before(const struct http_line *l, const struct http_line *other)
{
    return l->let_in != other->let_in ? !l->let_in : l->since <= other->since;
}

static struct http_line *find_next(struct http *h, bool crowded)
{
    struct http_line *next = NULL;
    for (struct http_line *l = h->lines; l; l = l->next)
        if (l->crowded == crowded && !l->busy && !l->leaving &&
            (!next || gives_way_before(l, next)))
            next = l;
    return next;
}

/* Who has just come is about to ask, and who was just answered may go on, or does already. */
static struct http_line *find_victim(struct http *h, bool crowded, int64_t now)
{
    struct http_line *l = find_next(h, crowded);
    bool over = l && now - l->since >= HTTP_PATIENCE_MS;
    return over && !(l->let_in && l->rests && unread(l) > 0) ? l : NULL;
}

bool http_lines_have_place(struct http *h, int64_t now)
{
    return h->line_count < HTTP_LINES_MAX || find_victim(h, false, now);
}

bool http_lines_have_ear(struct http *h, int64_t now)
{
    return h->crowd < HTTP_CROWD_MAX || find_victim(h, true, now);
}

void http_lines_make_room(struct http *h, int64_t now)
{
    struct http_line *victim = h->line_count < HTTP_LINES_MAX ? NULL : find_victim(h, false, now);
    if (victim)
        end_line(victim);
    if (h->line_count < HTTP_LINES_MAX || h->crowd < HTTP_CROWD_MAX)
        return;
    victim = find_victim(h, true, now);
    if (victim)
        end_line(victim);
}

bool http_line_has_place(struct http_line *l)
{
    if (!l->crowded || l->http->line_count >= HTTP_LINES_MAX)
        return !l->crowded;
    --*places_of(l);
    l->crowded = false;
    ++*places_of(l);
    return true;
}

/* Somebody waits for its place, and nobody who was never let in gives way before it. */
bool http_line_makes_room(const struct http_line *l)
{
    struct http_line *next = l->http->full && l->let_in ? find_next(l->http, false) : NULL;
    return l->crowded || (l->http->full && !(next && !next->let_in));
}

/* ---- time ---- */

/* It was answered and will ask no more. The library may not see that where the end came with what was asked. */
static bool is_over(const struct http_line *l)
{
    char byte;
    return l->rests && !l->leaving && recv(l->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void http_lines_look(struct http *h, int64_t now)
{
    for (struct http_line *l = h->lines; l; l = l->next)
        if ((l->deadline && now >= l->deadline) || is_over(l))
            end_line(l);
}

/* ---- bodies that the library reads no further ---- */

/* Were the connection closed over what was not read, the answer would be lost on its way. */
static void drain(struct http_line *l)
{
    for (int i = 0; i < DRAIN_TIMES; i++)
        if (recv(l->fd, NULL, DRAIN_BYTES, MSG_TRUNC | MSG_DONTWAIT) <= 0)
            return;
}

/*
 * The library keeps the line before a chunk whole, and says nothing where its memory is full of one that has no end
 * (zeros before the size, an extension): bytes wait for it turn after turn, and it gives us none.
 */
static void find_stuck(struct http_line *l, int64_t now)
{
    size_t before = l->unread;
    l->unread = unread(l);
    l->stuck = before > 0 && l->unread >= before ? l->stuck + 1 : 0;
    if (l->stuck < STUCK_LOOKS)
        return;
    http_refuse_now(l, MHD_HTTP_BAD_REQUEST);
    l->drains = true;
    l->deadline = now + LINGER_MS;
}

void http_lines_find_stuck(struct http *h, int64_t now)
{
    for (struct http_line *l = h->lines; l; l = l->next) {
        bool body = l->asks && l->begun && l->deadline; /* else it may wait as long as it likes */
        if (body)
            find_stuck(l, now);
        if (l->drains)
            drain(l);
    }
}
