#include "line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK   (1u << 20)
#define IDLE_MS 500

static int cannot_read(const struct line_reader *r, struct error *e)
{
    return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", r->path,
                     strerror(errno));
}

int line_reader_open(struct line_reader *r, const char *path, struct error *e)
{
    struct stat file;
    *r = (struct line_reader){.fd = 0, .path = "standard input"};
    if (strcmp(path, "-") != 0) {
        r->path = path;
        r->fd = open(path, O_RDONLY | O_CLOEXEC);
        if (r->fd < 0)
            return cannot_read(r, e);
    }
    r->is_file = fstat(r->fd, &file) == 0 && S_ISREG(file.st_mode);
    if (r->is_file)
        r->size = file.st_size;
    return 0;
}

void line_reader_stop(struct line_reader *r)
{
    r->stopped = true;
}

void line_reader_close(struct line_reader *r)
{
    if (r->fd > 0)
        close(r->fd);
    free(r->buf);
    r->buf = NULL;
}

/* Moves what is unread to the front, and makes room for a chunk after it. */
static int make_room(struct line_reader *r, struct error *e)
{
    if (r->start > 0) {
        memmove(r->buf, r->buf + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->alloc - r->end >= CHUNK)
        return 0;
    size_t alloc = 2 * r->alloc + CHUNK;
    char *buf = realloc(r->buf, alloc);
    if (!buf)
        return error_set(e, ERROR_MEMORY, "", "a line of %s is too long for the memory there is",
                         r->path);
    r->buf = buf;
    r->alloc = alloc;
    return 0;
}

/* A signal that ends the wait asks to stop: at a terminal no line may ever come. */
static int interrupted(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "Run it again to go on.", "the import was interrupted");
}

/* 1: more was read; 0: there is no more; LINE_IDLE: not yet. */
static int fill(struct line_reader *r, struct error *e)
{
    struct pollfd ready = {.fd = r->fd, .events = POLLIN};
    if (r->at_end || r->stopped)
        return 0;
    if (make_room(r, e))
        return -1;
    int some = r->is_file ? 1 : poll(&ready, 1, IDLE_MS);
    if (some == 0)
        return LINE_IDLE;
    if (some < 0 && errno == EINTR)
        return interrupted(e);
    ssize_t got = read(r->fd, r->buf + r->end, CHUNK);
    if (got < 0 && errno == EINTR)
        return interrupted(e);
    if (got < 0)
        return cannot_read(r, e);
    r->end += (size_t)got;
    r->offset += got;
    r->at_end = got == 0;
    return got > 0;
}

/* Passes over what is left of a line that is too long. */
static int skip_line(struct line_reader *r, struct error *e)
{
    for (;;) {
        char *end = memchr(r->buf + r->start, '\n', r->end - r->start);
        if (end) {
            r->start = (size_t)(end - r->buf) + 1;
            return 1;
        }
        r->start = r->end;
        int more = fill(r, e);
        if (more <= 0)
            return more < 0 ? -1 : 1;
    }
}

int line_reader_next(struct line_reader *r, struct line *line, struct error *e)
{
    size_t looked = 0;
    *line = (struct line){NULL, 0, false};
    for (;;) {
        size_t unread = r->end - r->start;
        char *end =
            unread > looked ? memchr(r->buf + r->start + looked, '\n', unread - looked) : NULL;
        size_t len = end ? (size_t)(end - (r->buf + r->start)) : unread;
        if (len > LINE_MAX_BYTES) {
            r->number++;
            line->too_long = true;
            return skip_line(r, e);
        }
        int more = end ? 0 : fill(r, e);
        if (more < 0)
            return -1;
        if (more == LINE_IDLE)
            return LINE_IDLE;
        if (more) {
            looked = unread;
            continue;
        }
        if (!end && (len == 0 || r->stopped))
            return 0;
        r->number++;
        *line = (struct line){r->buf + r->start, len, false};
        r->start += len + (end != NULL);
        return 1;
    }
}
