#include "store/import/line_reader.h"

#include <string.h>

int line_reader_open(struct line_reader *r, const char *path, struct error *e)
{
    r->number = 0;
    return byte_reader_open(&r->in, path, e);
}

void line_reader_close(struct line_reader *r)
{
    byte_reader_close(&r->in);
}

/* Passes over what is left of a line that is too long. */
static int skip_line(struct byte_reader *r, struct error *e)
{
    for (;;) {
        char *end = memchr(r->buf + r->start, '\n', r->end - r->start);
        if (end) {
            r->start = (size_t)(end - r->buf) + 1;
            return 1;
        }
        r->start = r->end;
        int more = byte_reader_fill(r, e);
        if (more <= 0)
            return more < 0 ? -1 : 1;
    }
}

int line_reader_next(struct line_reader *r, struct line *line, struct error *e)
{
    struct byte_reader *in = &r->in;
    size_t looked = 0;
    *line = (struct line){NULL, 0, false};
    for (;;) {
        size_t unread = in->end - in->start;
        char *end =
            unread > looked ? memchr(in->buf + in->start + looked, '\n', unread - looked) : NULL;
        size_t len = end ? (size_t)(end - (in->buf + in->start)) : unread;
        if (len > LINE_MAX_BYTES) {
            r->number++;
            line->too_long = true;
            return skip_line(in, e);
        }
        int more = end ? 0 : byte_reader_fill(in, e);
        if (more < 0)
            return -1;
        if (more == LINE_IDLE)
            return LINE_IDLE;
        if (more) {
            looked = unread;
            continue;
        }
        if (!end && (len == 0 || in->stopped))
            return 0;
        r->number++;
        *line = (struct line){in->buf + in->start, len, false};
        in->start += len + (end != NULL);
        return 1;
    }
}
