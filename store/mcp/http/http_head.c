/*
 * What the library before its version 1 does not say of a head. A text ends for it at a NUL, and a folded line becomes
 * part of a name, so that a value may be more than it tells. And what it refuses by itself once a head is whole
 * (no Host, a Content-Length that is no number) it sends with the status line and the headers twice.
 */
#include "store/mcp/http/http_state.h"

/* ---- its own refusals ---- */

void *http_on_first_line(void *http, const char *uri, struct MHD_Connection *c)
{
    struct http_line *line =
        mhd.get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    (void)http;
    if (!line)
        return NULL;
    int64_t now = monotonic_ms();
    line->asks = true;
    line->begun = line->rests = false;
    line->since = line->let_in ? now : line->since;
    line->deadline = now + HTTP_HEAD_MS;
    line->uri_end = uri ? uri + strlen(uri) : NULL;
    return NULL;
}

static bool is_before_one(void)
{
    return strncmp(mhd.get_version(), "0.", 2) == 0;
}

/* Between the end of its head and our first word in it no other complaint is made: it is being refused. */
static bool is_being_refused(const struct http_line *l)
{
    return !l->begun &&
           mhd.get_connection_info(l->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) &&
           !mhd.get_connection_info(l->connection, MHD_CONNECTION_INFO_HTTP_STATUS);
}

/* In our words, at the first of its complaints. */
static bool refuse_in_its_place(struct http *h)
{
    bool refused = false;
    for (struct http_line *l = is_before_one() ? h->lines : NULL; l; l = l->next) {
        bool is = is_being_refused(l);
        if (is && l->asks)
            http_refuse_now(l, MHD_HTTP_BAD_REQUEST);
        refused |= is;
    }
    return refused;
}

/* With what it answers by itself it says nowhere else; 0: it complains of something else. */
static unsigned own_status(const char *format, va_list values)
{
    static const char says[] = "Error processing request (HTTP response code is %u";
    return strncmp(format, says, sizeof(says) - 1) == 0 ? va_arg(values, unsigned) : 0;
}

void http_on_complaint(void *http, const char *format, va_list values)
{
    struct http *h = http;
    unsigned status = own_status(format, values);
    if (!refuse_in_its_place(h) && status)
        metrics_http(h->server->metrics, status);
}

/* ---- bytes that it hides ---- */

/* Where its texts stand among the bytes as they came, of which it has overwritten only what parts them. */
struct bytes {
    const char *at, *end;
    bool odd;
};

/* Nothing but what ends a line, at most `ends` of that, and blanks may stand before the next text. */
static void go_to(struct bytes *b, const char *next, unsigned ends)
{
    uintptr_t at = (uintptr_t)b->at, to = (uintptr_t)next;
    if (b->odd || to < at || to > (uintptr_t)b->end) {
        b->odd = true;
        return;
    }
    for (; b->at < next; b->at++) {
        bool blank = *b->at == ' ' || *b->at == '\t';
        bool part = !*b->at || *b->at == '\r' || *b->at == '\n';
        b->odd |= !blank && (!part || ends == 0);
        ends -= part && ends > 0;
    }
}

static enum MHD_Result note_text(void *arg, enum MHD_ValueKind kind, const char *name,
                                 size_t name_len, const char *value, size_t value_len)
{
    struct bytes *b = arg;
    (void)kind;
    go_to(b, name, 2);
    b->at = name + name_len;
    go_to(b, value, 1); /* the colon */
    b->at = value + value_len;
    return MHD_YES;
}

bool http_head_is_plain(const struct http_line *line, const char *url, const char *method,
                        const char *version)
{
    const union MHD_ConnectionInfo *size =
        mhd.get_connection_info(line->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (!is_before_one())
        return true; /* it refuses them */
    if (!size || !line->uri_end)
        return false;
    struct bytes b = {.at = method + strlen(method), .end = method + size->header_size};
    go_to(&b, url, 1);
    b.at = line->uri_end;
    go_to(&b, version, 1);
    b.at = version + strlen(version);
    mhd.get_connection_values_n(line->connection, MHD_HEADER_KIND, note_text, &b);
    go_to(&b, b.end, 4);
    return !b.odd;
}
