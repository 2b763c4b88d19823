/* Finds damaged frames in the write-ahead log, and what the valid ones after them hold. */
#include "store/fsck/fsck_log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/fsck/fsck_internal.h"
#include "store/journal/canonical.h"
#include "store/platform/platform.h"

/* https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
#define LOG_HEADER     32
#define FRAME_HEADER   24
#define MAGIC          0x377f0682u /* plus 1 if the checksums are of big-endian words */
#define SHARED_BYTE    0x40000002  /* every connection in WAL mode has locked it */
#define PAGE_SIZE_AT   16          /* in the header of a database */
#define TABLE_LEAF     0x0d
#define EVENT_COLUMNS  11 /* at least; later versions have more */
#define TYPE_OF_DIGEST (12 + 2 * DIGEST_SIZE)

struct sum {
    uint32_t a, b;
};

struct log {
    int fd;
    uint32_t page;
    bool big;
    uint32_t salts[2];
    struct sum sum;       /* the stored one of the frame before */
    unsigned char *frame; /* [FRAME_HEADER + page] */
    int64_t *good;        /* valid frames after the last commit before the damage */
    size_t count, alloc;
};

static uint32_t be32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t be16(const unsigned char *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t word(const struct log *l, const unsigned char *p)
{
    return l->big ? be32(p)
                  : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static struct sum add(const struct log *l, struct sum s, const unsigned char *p, size_t len)
{
    for (size_t i = 0; i < len; i += 8) {
        s.a += word(l, p + i) + s.b;
        s.b += word(l, p + i + 4) + s.a;
    }
    return s;
}

static bool is_sum(struct sum s, const unsigned char *p)
{
    return s.a == be32(p) && s.b == be32(p + 4);
}

static struct sum sum_at(const unsigned char *p)
{
    return (struct sum){be32(p), be32(p + 4)};
}

static bool read_frame(struct log *l, int64_t number)
{
    size_t size = FRAME_HEADER + l->page;
    off_t at = LOG_HEADER + (number - 1) * (off_t)size;
    return pread(l->fd, l->frame, size, at) == (ssize_t)size;
}

/* Whether the frame that was read follows one with the checksum l->sum. */
static bool is_valid(const struct log *l)
{
    const unsigned char *f = l->frame;
    return be32(f + 8) == l->salts[0] && be32(f + 12) == l->salts[1] && be32(f) > 0 &&
           is_sum(add(l, add(l, l->sum, f, 8), f + FRAME_HEADER, l->page), f + 16);
}

static uint32_t page_size(uint32_t size)
{
    return size >= 512 && size <= 65536 && (size & (size - 1)) == 0 ? size : 0;
}

/* The page size in the header of the store, which has 1 for 65536. */
static uint32_t page_of_store(const char *path)
{
    unsigned char bytes[2] = {0};
    int fd = store_file_peek(path);
    if (fd < 0)
        return 0;
    ssize_t got = pread(fd, bytes, sizeof(bytes), PAGE_SIZE_AT);
    store_file_end_peek(fd);
    uint32_t size = got == sizeof(bytes) ? be16(bytes) : 0;
    return page_size(size == 1 ? 65536 : size);
}

/* Returns 1 if the header of the log is sound, 0 if it is damaged, -1 if there is nothing to read.
 * A damaged header does not tell the page size: `store_page` is that of the store, 0 if unknown. */
static int read_header(struct log *l, uint32_t store_page)
{
    unsigned char h[LOG_HEADER];
    if (pread(l->fd, h, sizeof(h), 0) != sizeof(h))
        return -1;
    l->big = be32(h) == MAGIC + 1;
    bool sound = (be32(h) | 1) == MAGIC + 1 && page_size(be32(h + 8)) &&
                 is_sum(add(l, (struct sum){0, 0}, h, 24), h + 24);
    l->page = sound ? be32(h + 8) : store_page;
    if (!l->page)
        return -1;
    l->frame = xmalloc(FRAME_HEADER + l->page);
    l->salts[0] = be32(h + 16);
    l->salts[1] = be32(h + 20);
    l->sum = sum_at(h + 24);
    if (!sound && read_frame(l, 1)) {
        l->salts[0] = be32(l->frame + 8);
        l->salts[1] = be32(l->frame + 12);
    }
    return sound;
}

#define INVALID_MAX 10000 /* so many frames in a row without the log's salts: what follows is old */

/* Each frame continues the checksum that is stored in the one before, so those after a damaged one
 * are proven, too. */
static void scan(struct log *l, bool sound, struct log_damage *d)
{
    bool damaged = !sound;
    size_t committed = 0, invalid = 0;
    for (int64_t n = 1; read_frame(l, n); n++) {
        bool valid = is_valid(l), commit = valid && be32(l->frame + 4);
        invalid = valid ? 0 : invalid + 1;
        if (invalid > INVALID_MAX)
            break;
        l->sum = sum_at(l->frame + 16);
        if (!valid && !damaged) {
            damaged = true;
            d->frame = n;
        }
        if (valid)
            *ARRAY_ADD(l->good, l->count, l->alloc) = n;
        if (commit && !damaged) {
            l->count = 0;
        } else if (commit) {
            d->commits++;
            committed = l->count;
        }
    }
    d->frames = (int64_t)committed;
    l->count = committed; /* what follows the last commit was an interrupted write */
}

/* ---- what they held ---- */

/* A cell's payload: what is in the page, then what is on overflow pages after the damage. */
struct payload {
    struct strbuf bytes;
    uint64_t whole;
};

/* Reads the last version of a page. */
static bool read_page(struct log *l, uint32_t page)
{
    for (size_t i = l->count; i-- > 0;) {
        unsigned char number[4];
        off_t at = LOG_HEADER + (l->good[i] - 1) * (off_t)(FRAME_HEADER + l->page);
        if (pread(l->fd, number, sizeof(number), at) == sizeof(number) && be32(number) == page)
            return read_frame(l, l->good[i]);
    }
    return false;
}

#define PAYLOAD_MAX 65536 /* more of an event than its columns up to the text */

/* Reads the cell at `at`, with as much of its overflow as is there. It overwrites l->frame. */
static void read_payload(struct log *l, const unsigned char *at, const unsigned char *end,
                         struct payload *p)
{
    uint64_t usable = l->page, most = usable - 35, least = (usable - 12) * 32 / 255 - 23;
    uint64_t here = p->whole;
    if (here > most) {
        here = least + (here - least) % (usable - 4);
        here = here > most ? least : here;
    }
    if (here + (here < p->whole ? 4 : 0) > (uint64_t)(end - at))
        return;
    strbuf_add(&p->bytes, (const char *)at, here);
    uint32_t next = here < p->whole ? be32(at + here) : 0;
    while (next && p->bytes.len < p->whole && p->bytes.len < PAYLOAD_MAX && read_page(l, next)) {
        const unsigned char *page = l->frame + FRAME_HEADER;
        uint64_t left = p->whole - p->bytes.len;
        strbuf_add(&p->bytes, (const char *)page + 4, left < usable - 4 ? left : usable - 4);
        next = be32(page);
    }
}

struct column {
    uint64_t type;
    const char *at;
    size_t len; /* as much of it as is there */
    bool cut;
};

static size_t length_of(uint64_t type)
{
    static const unsigned char lengths[12] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    return type < 12 ? lengths[type] : (size_t)(type - 12) / 2;
}

static bool is_text(const struct column *c)
{
    return c->type >= 13 && c->type & 1 && !c->cut;
}

/* Splits a record. Returns the number of columns, at most `most`. */
static size_t read_record(const struct payload *p, struct column *columns, size_t most)
{
    const unsigned char *start = (const unsigned char *)p->bytes.buf, *end = start + p->bytes.len;
    uint64_t header = 0;
    const unsigned char *at = fsck_varint(start, end, &header);
    size_t count = 0, offset = (size_t)header;
    if (!at || header > p->bytes.len)
        return 0;
    while (at && at < start + header && count < most) {
        struct column *c = &columns[count++];
        at = fsck_varint(at, start + header, &c->type);
        size_t len = at ? length_of(c->type) : 0;
        size_t there = offset < p->bytes.len ? p->bytes.len - offset : 0;
        c->at = (const char *)start + (offset < p->bytes.len ? offset : p->bytes.len);
        c->cut = len > there;
        c->len = c->cut ? there : len;
        offset += len;
    }
    return at ? count : 0;
}

/* Takes a row that has the columns of an event: no text without the number of its row. */
static void take_event(struct log_damage *d, size_t *alloc, uint64_t row, const struct payload *p)
{
    enum {
        SEQ,
        ACTOR = 3,
        OPERATION,
        CANONICAL = 7,
        HASH = 10
    };
    struct column c[EVENT_COLUMNS];
    if (read_record(p, c, EVENT_COLUMNS) < EVENT_COLUMNS || c[SEQ].type != 0 ||
        !is_text(&c[ACTOR]) || !is_text(&c[OPERATION]) || c[CANONICAL].type < 13 ||
        c[HASH].type != TYPE_OF_DIGEST)
        return;
    struct canonical text;
    struct lost_event e = {.seq = (int64_t)row};
    e.actor = arena_strndup(&d->arena, c[ACTOR].at, c[ACTOR].len);
    e.operation = arena_strndup(&d->arena, c[OPERATION].at, c[OPERATION].len);
    if (is_text(&c[CANONICAL]) &&
        canonical_read(&text, &d->arena, c[CANONICAL].at, c[CANONICAL].len) == 0 && text.ref &&
        ref_parse(text.ref, &e.ref) != REF_MEMORY)
        e.ref.id = NULL;
    *ARENA_ADD(&d->arena, d->events, d->count, *alloc) = e;
}

#define EVENTS_MAX 100000 /* more are not named */

static void read_leaf(struct log *l, struct log_damage *d, size_t *alloc)
{
    struct payload p = {.bytes = STRBUF_INIT};
    AUTO_FREE unsigned char *copy = xmalloc(l->page); /* overflow pages are read into l->frame */
    memcpy(copy, l->frame + FRAME_HEADER, l->page);
    /* The first page begins with the header of the database; its leaf holds the schema. */
    uint32_t cells = copy[0] == TABLE_LEAF ? be16(copy + 3) : 0;
    uint64_t last = 0;
    for (uint32_t i = 0; i < cells && 8 + 2 * i + 2 <= l->page; i++) {
        uint64_t row = 0;
        uint32_t offset = be16(copy + 8 + 2 * i);
        const unsigned char *end = copy + l->page,
                            *at =
                                offset < l->page ? fsck_varint(copy + offset, end, &p.whole) : NULL;
        at = at ? fsck_varint(at, end, &row) : NULL;
        /* Cells that repeat are not SQLite's, and could make a small log cost without end. */
        if (!at || row <= last || d->count >= EVENTS_MAX)
            break;
        last = row;
        strbuf_clear(&p.bytes);
        if (p.whole)
            read_payload(l, at, end, &p);
        take_event(d, alloc, row, &p);
    }
    strbuf_release(&p.bytes);
}

static int by_seq(const void *a, const void *b)
{
    const struct lost_event *x = a, *y = b;
    return COMPARE(x->seq, y->seq);
}

/* A page may be in the log several times: each event is taken once. */
static void read_events(struct log *l, struct log_damage *d)
{
    size_t alloc = 0, kept = 0;
    for (size_t i = 0; i < l->count; i++)
        if (read_frame(l, l->good[i]))
            read_leaf(l, d, &alloc);
    SORT(d->events, d->count, by_seq);
    for (size_t i = 0; i < d->count; i++)
        if (!kept || d->events[kept - 1].seq != d->events[i].seq)
            d->events[kept++] = d->events[i];
    d->count = kept;
}

/* A process that has the store open reads by the index of the log, and may write it. */
static bool is_in_use(const struct store *s)
{
    return !platform_has_locks() || platform_test_lock(s->file.ask, SHARED_BYTE) != 0;
}

struct log_damage *log_damage_read(int fd, uint32_t store_page)
{
    struct log_damage *d = NULL;
    struct log l = {.fd = fd};
    int sound = read_header(&l, store_page);
    if (sound >= 0) {
        d = xcalloc(1, sizeof(*d));
        scan(&l, sound, d);
        if (d->commits)
            read_events(&l, d);
    }
    free(l.frame);
    free(l.good);
    if (d && d->commits)
        return d;
    log_damage_free(d);
    return NULL;
}

struct log_damage *log_damage_find(const struct store *s)
{
    int fd = open(s->file.names[STORE_LOG], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    struct log_damage *d = is_in_use(s) ? NULL : log_damage_read(fd, page_of_store(s->path));
    close(fd);
    return d;
}

void log_damage_keep_after(struct log_damage *d, int64_t last)
{
    size_t first = 0;
    d->last = last;
    while (first < d->count && d->events[first].seq <= last)
        first++;
    if (first) /* `events` may be NULL */
        d->events += first;
    d->count -= first;
}

void log_damage_free(struct log_damage *d)
{
    if (!d)
        return;
    arena_release(&d->arena);
    free(d);
}

/* ---- the report ---- */

void log_damage_say(const struct log_damage *d, const struct store *s, struct strbuf *out)
{
    if (d->frame)
        strbuf_addf(out, "frame %lld", (long long)d->frame);
    else
        strbuf_addstr(out, "the header");
    strbuf_addf(out, " of %s is damaged, and %lld valid frame%s of %lld commit%s after it %s lost",
                s->file.names[STORE_LOG], (long long)d->frames, d->frames == 1 ? "" : "s",
                (long long)d->commits, d->commits == 1 ? "" : "s", d->frames == 1 ? "is" : "are");
    int64_t to = d->count ? d->events[d->count - 1].seq : 0;
    if (to == d->last + 1)
        strbuf_addf(out, ", with event %lld", (long long)to);
    else if (to)
        strbuf_addf(out, ", with events %lld to %lld", (long long)d->last + 1, (long long)to);
}

/* Of one commit it is not known whether it was acknowledged: the machine may have failed in it. */
const char *log_damage_advice(const struct log_damage *d)
{
    return d->commits > 1
               ? "Copy the store and its -wal before anything is written, then compare a backup."
               : "It may be a write that a power failure interrupted. The next write removes it: "
                 "copy the store and its -wal before that if you want to look.";
}

static void report_unread(struct fsck *f, int64_t first, int64_t last)
{
    if (first == last)
        fsck_report(f, FSCK_LOG, first, (struct ref){KIND_RAW, NULL}, NULL,
                    "event %lld is lost, and its page cannot be read", (long long)first);
    else if (first < last)
        fsck_report(f, FSCK_LOG, first, (struct ref){KIND_RAW, NULL}, NULL,
                    "events %lld to %lld are lost, and their pages cannot be read",
                    (long long)first, (long long)last);
}

int fsck_log(struct fsck *f, struct error *e)
{
    const struct store *s = reader_store(f->reader);
    const struct log_damage *d = s->log_damage;
    AUTO_STRBUF what = STRBUF_INIT;
    if (!d)
        return 0;
    log_damage_say(d, s, &what);
    fsck_report(f, FSCK_LOG, 0, (struct ref){KIND_RAW, NULL}, log_damage_advice(d), "%s", what.buf);
    for (size_t i = 0; i < d->count; i++) {
        const struct lost_event *lost = &d->events[i];
        bool named = lost->ref.id != NULL;
        if (fsck_step(f, e))
            return -1;
        report_unread(f, (i ? d->events[i - 1].seq : d->last) + 1, lost->seq - 1);
        fsck_report(f, FSCK_LOG, lost->seq, lost->ref, NULL, "event %lld is lost: %s of %s%s%s%s%s",
                    (long long)lost->seq, lost->operation, lost->actor, named ? " on " : "",
                    named ? kind_name(lost->ref.kind) : "", named ? ":" : "",
                    named ? lost->ref.id : "");
    }
    return 0;
}
