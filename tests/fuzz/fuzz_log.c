/*
 * A write-ahead log with any content. Mutations rarely hit a checksum, so the log is built from the input: pages of 512
 * bytes with valid checksums, some of them damaged afterwards. An input whose first byte is odd is a log as it is.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/fsck/fsck_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define PAGE         512
#define FRAME_HEADER 24
#define LOG_HEADER   32
#define MAGIC        0x377f0682u

enum {
    IS_COMMIT = 1,
    IS_DAMAGED = 2,
    IS_OLD = 4, /* of a log before, with other salts */
};

static void put32(uint8_t *at, uint32_t n)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(n >> (24 - 8 * i));
}

static uint32_t word(const uint8_t *at, bool big)
{
    uint32_t n = 0;
    for (int i = 0; i < 4; i++)
        n |= (uint32_t)at[i] << (big ? 24 - 8 * i : 8 * i);
    return n;
}

static void add(uint32_t sum[2], const uint8_t *at, size_t len, bool big)
{
    for (size_t i = 0; i < len; i += 8) {
        sum[0] += word(at + i, big) + sum[1];
        sum[1] += word(at + i + 4, big) + sum[0];
    }
}

/* A frame is the number of its page, its flags, the number of bytes that follow (2), and those. */
static size_t put_frame(struct strbuf *log, uint32_t sum[2], bool big, const uint8_t *at,
                        size_t len)
{
    uint8_t frame[FRAME_HEADER + PAGE] = {0};
    size_t most = len - 4, content = (size_t)(at[2] | at[3] << 8);
    content = content > most ? most : content;
    put32(frame, at[0]);
    put32(frame + 4, at[1] & IS_COMMIT);
    put32(frame + 8, at[1] & IS_OLD ? 7 : 1);
    put32(frame + 12, 2);
    memcpy(frame + FRAME_HEADER, at + 4, content > PAGE ? PAGE : content);
    add(sum, frame, 8, big);
    add(sum, frame + FRAME_HEADER, PAGE, big);
    put32(frame + 16, sum[0]);
    put32(frame + 20, sum[1]);
    frame[FRAME_HEADER + PAGE - 1] ^= at[1] & IS_DAMAGED ? 1 : 0;
    strbuf_add(log, (const char *)frame, sizeof(frame));
    return 4 + content;
}

static void build(struct strbuf *log, uint8_t flags, const uint8_t *at, size_t len)
{
    uint8_t header[LOG_HEADER] = {0};
    uint32_t sum[2] = {0, 0};
    bool big = flags & 2;
    put32(header, MAGIC + big);
    put32(header + 8, PAGE);
    put32(header + 16, 1);
    put32(header + 20, 2);
    add(sum, header, 24, big);
    put32(header + 24, sum[0]);
    put32(header + 28, sum[1]);
    header[4] ^= flags & 4 ? 1 : 0;
    strbuf_add(log, (const char *)header, sizeof(header));
    while (len >= 4) {
        size_t taken = put_frame(log, sum, big, at, len);
        at += taken;
        len -= taken;
    }
}

static void check(struct log_damage *d, int64_t frames)
{
    assert(d->commits > 0 && d->frames >= d->commits && d->frame <= frames);
    assert(d->frames + (d->frame > 0) <= frames);
    for (size_t i = 0; i < d->count; i++) {
        assert(d->events[i].actor && d->events[i].operation);
        assert(i == 0 || d->events[i - 1].seq < d->events[i].seq);
    }
    size_t count = d->count;
    int64_t last = count ? d->events[count / 2].seq : 0;
    log_damage_keep_after(d, last);
    assert(d->count <= count && (d->count == 0 || d->events[0].seq > last));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct strbuf log = STRBUF_INIT;
    if (len < 1)
        return 0;
    if (bytes[0] & 1)
        strbuf_add(&log, (const char *)bytes + 1, len - 1);
    else
        build(&log, bytes[0], bytes + 1, len - 1);
    int fd = memfd_create("log", 0);
    assert(fd >= 0 && write(fd, log.buf, log.len) == (ssize_t)log.len);
    struct log_damage *d = log_damage_read(fd, PAGE);
    if (d)
        check(d, (int64_t)((log.len - LOG_HEADER) / (FRAME_HEADER + PAGE)));
    log_damage_free(d);
    close(fd);
    strbuf_release(&log);
    return 0;
}
