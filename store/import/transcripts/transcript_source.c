/* Reads the bytes of a transcript, decompressing them if needed. */
#include "store/import/transcripts/transcripts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/import/folder.h"

#define INPUT (128u << 10)

struct transcript_zstd {
    ZSTD_DStream *stream;
    ZSTD_inBuffer in;
    char bytes[INPUT];
};

static bool begins_archive(const char *bytes, size_t len)
{
    return len >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0;
}

/* A damaged one may have no more than its name. */
static bool is_compressed(int fd, const char *path)
{
    char begin[4];
    ssize_t got = pread(fd, begin, sizeof(begin), 0);
    return text_ends_with(path, ".zst") || (got > 0 && begins_archive(begin, (size_t)got));
}

size_t transcript_decompress(const char *bytes, size_t len, char *out, size_t most)
{
    ZSTD_DStream *stream = begins_archive(bytes, len) ? ZSTD_createDStream() : NULL;
    ZSTD_inBuffer in = {bytes, len, 0};
    ZSTD_outBuffer to = {out, most, 0};
    size_t before = 1;
    while (stream && to.pos < most && in.pos + to.pos != before) {
        before = in.pos + to.pos;
        if (ZSTD_isError(ZSTD_decompressStream(stream, &to, &in)))
            break;
    }
    ZSTD_freeDStream(stream);
    return to.pos;
}

int transcript_source_open(struct transcript_source *s, const char *path)
{
    *s = (struct transcript_source){.fd = folder_open_file(path)};
    if (s->fd < 0)
        return -1;
    if (is_compressed(s->fd, path)) {
        s->zstd = xcalloc(1, sizeof(*s->zstd));
        s->zstd->stream = ZSTD_createDStream();
        s->zstd->in.src = s->zstd->bytes;
    }
    if (!s->zstd || s->zstd->stream)
        return 0;
    transcript_source_close(s);
    errno = ENOMEM;
    return -1;
}

static ssize_t read_compressed(struct transcript_source *s, char *out, size_t len)
{
    struct transcript_zstd *z = s->zstd;
    ZSTD_outBuffer to = {out, len, 0};
    while (to.pos == 0) {
        if (z->in.pos == z->in.size) {
            ssize_t got = read(s->fd, z->bytes, sizeof(z->bytes));
            if (got <= 0)
                return got;
            z->in.size = (size_t)got;
            z->in.pos = 0;
        }
        if (ZSTD_isError(ZSTD_decompressStream(z->stream, &to, &z->in))) {
            errno = EBADMSG;
            return -1;
        }
    }
    return (ssize_t)to.pos;
}

ssize_t transcript_source_read(struct transcript_source *s, char *out, size_t len)
{
    ssize_t got = s->zstd ? read_compressed(s, out, len) : read(s->fd, out, len);
    s->at += got > 0 ? got : 0;
    return got;
}

int transcript_source_seek(struct transcript_source *s, int64_t offset)
{
    AUTO_FREE char *ignored = NULL;
    ssize_t got = 1;
    bool from_start = !s->zstd || offset < s->at;
    if (offset == s->at)
        return 0;
    if (from_start && lseek(s->fd, s->zstd ? 0 : (off_t)offset, SEEK_SET) < 0)
        return -1;
    if (!s->zstd) {
        s->at = offset;
        return 0;
    }
    if (from_start) {
        ZSTD_initDStream(s->zstd->stream);
        s->zstd->in.size = s->zstd->in.pos = 0;
        s->at = 0;
    }
    ignored = xmalloc(INPUT);
    while (s->at < offset && got > 0) {
        int64_t left = offset - s->at;
        got = transcript_source_read(s, ignored, left < INPUT ? (size_t)left : INPUT);
    }
    return got < 0 ? -1 : 0;
}

void transcript_source_close(struct transcript_source *s)
{
    if (s->zstd)
        ZSTD_freeDStream(s->zstd->stream);
    free(s->zstd);
    if (s->fd >= 0)
        close(s->fd);
    *s = (struct transcript_source){.fd = -1};
}
