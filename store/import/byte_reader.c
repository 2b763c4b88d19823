#include "store/import/byte_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"

#define CHUNK   (1u << 20)
#define IDLE_MS 500

static int cannot_read(const struct byte_reader *r, struct error *e)
{
    return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", r->path,
                     strerror(errno));
}

int byte_reader_open(struct byte_reader *r, const char *path, struct error *e)
{
    struct stat file;
    *r = (struct byte_reader){.fd = 0, .path = "standard input"};
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

void byte_reader_stop(struct byte_reader *r)
{
    r->stopped = true;
}

void byte_reader_close(struct byte_reader *r)
{
    if (r->fd > 0)
        close(r->fd);
    free(r->buf);
    r->buf = NULL;
}

bool byte_reader_is_stream(const char *path)
{
    struct stat file;
    return strcmp(path, "-") == 0 ||
           (stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode));
}

/* Moves what is unread to the front, and makes room for a chunk after it. */
static void make_room(struct byte_reader *r)
{
    if (r->start > 0) {
        memmove(r->buf, r->buf + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->alloc - r->end >= CHUNK)
        return;
    size_t alloc = 2 * r->alloc + CHUNK;
    r->buf = xrealloc(r->buf, alloc);
    r->alloc = alloc;
}

static int interrupted(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "Run it again to go on.", "the import was interrupted");
}

/* A signal that ends the wait asks for it, too: at a terminal nothing may ever come. */
static int stop_asked(struct byte_reader *r, struct error *e)
{
    byte_reader_stop(r);
    return r->is_file ? interrupted(e) : 0;
}

/* Not every signal that ends the wait asks for its end: one that stopped the process for a while does not. */
static bool asks_to_go_on(const struct byte_reader *r)
{
    return r->asked && !r->asked(r->arg, r->offset, r->size);
}

int byte_reader_ended(const struct byte_reader *r, struct error *e)
{
    return r->stopped ? interrupted(e) : 0;
}

int byte_reader_fill(struct byte_reader *r, struct error *e)
{
    struct pollfd ready = {.fd = r->fd, .events = POLLIN};
    if (r->at_end || r->stopped)
        return 0;
    if (r->asked && r->asked(r->arg, r->offset, r->size))
        return stop_asked(r, e);
    make_room(r);
    int some = r->is_file ? 1 : poll(&ready, 1, IDLE_MS);
    if (some == 0)
        return BYTES_IDLE;
    if (some < 0 && errno == EINTR)
        return asks_to_go_on(r) ? BYTES_IDLE : stop_asked(r, e);
    ssize_t got = read(r->fd, r->buf + r->end, CHUNK);
    if (got < 0 && errno == EINTR)
        return stop_asked(r, e);
    if (got < 0)
        return cannot_read(r, e);
    r->end += (size_t)got;
    r->offset += got;
    r->at_end = got == 0;
    return got > 0;
}
