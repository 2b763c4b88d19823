/*
 * How news is noticed.
 *
 * A commit appends to the write-ahead log, and inotify says so; the directory is watched for a log
 * that is made anew. SQLite writes the log first, waits for the disk, and only then publishes the
 * commit in shared memory, of which nothing tells. So a stir is no more than a reason to look, and
 * what it announced may come a little later: after one, feed_timeout asks for looks at growing
 * intervals, until a minute has passed in which nothing stirred. Where inotify cannot be had, it
 * asks for one every half a second. A look is one PRAGMA data_version.
 *
 * The directory tells as well of a store that is removed or replaced, or whose log is: nothing would ever come again
 * of that which is open.
 */
#include "store/journal/feed.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/db/monotonic.h"
#include "store/db/store_files.h"

#define POLL_MS       500
#define LOOK_FIRST_MS 2
#define LOOK_LAST_MS  32768 /* the sum of all looks before is about as long */

struct feed {
    struct reader *r;
    char *log;        /* the path of the write-ahead log */
    const char *name; /* the last part of it */
    size_t store_len; /* so much of that is the store's own name */
    bool moved;       /* what has that name, or is beside it, may be another file by now */
    int fd;           /* inotify, or -1 */
    int log_watch;    /* -1: there is no log */
    bool watched;     /* the directory is */
    int64_t seq;
    int64_t version; /* data_version when the events were read last; -1: never */
    int64_t look_at; /* when the next look is worth it, on the monotonic clock; -1: none is */
    int look_ms;     /* how long after that the one that follows */
    bool more;       /* the last call stopped at its limit */
    bool unread;     /* there is something that was not read */
    uint64_t changes;
};

/* ---- what is watched ---- */

static void watch_log(struct feed *f)
{
    f->log_watch = inotify_add_watch(f->fd, f->log, IN_MODIFY | IN_CLOSE_WRITE);
}

static int watch_directory(struct feed *f)
{
    char *directory = xstrdup(f->log);
    char *slash = strrchr(directory, '/');
    if (slash)
        slash[slash == directory] = '\0';
    int watch = inotify_add_watch(f->fd, slash ? directory : ".",
                                  IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM |
                                      IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR);
    free(directory);
    return watch;
}

static void watch(struct feed *f)
{
    f->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (f->fd < 0)
        return;
    f->watched = watch_directory(f) >= 0;
    watch_log(f);
    if (!f->watched) { /* a log that is made anew would go unnoticed */
        close(f->fd);
        f->fd = -1;
    }
}

/* Does it say something of the log? One of another file in the directory is none of ours. */
static bool is_ours(const struct feed *f, const struct inotify_event *event)
{
    if (event->mask & IN_Q_OVERFLOW || event->wd == f->log_watch)
        return true;
    return event->len && strcmp(event->name, f->name) == 0;
}

/* Does it say something of the store's files, but what is written to them, or of its directory? */
static bool is_of_store(const struct feed *f, const struct inotify_event *event)
{
    if (event->mask & (IN_Q_OVERFLOW | IN_MOVE_SELF | IN_DELETE_SELF))
        return true;
    if (!event->len || strncmp(event->name, f->name, f->store_len) != 0)
        return false;
    int which = STORE_ITSELF;
    while (which < STORE_FILES && strcmp(event->name + f->store_len, store_suffixes[which]) != 0)
        which++;
    return which < STORE_FILES;
}

/* Reads what inotify has to say. A log that was made or removed is watched anew. */
static bool drain(struct feed *f)
{
    _Alignas(struct inotify_event) char bytes[4096];
    bool stirred = false, renewed = false;
    ssize_t len;
    while (f->fd >= 0 && (len = read(f->fd, bytes, sizeof(bytes))) > 0)
        for (char *at = bytes; at < bytes + len;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            bool moved = is_of_store(f, event);
            f->moved |= moved;
            stirred |= moved || is_ours(f, event);
            renewed |= event->wd != f->log_watch && is_ours(f, event);
            at += sizeof(*event) + event->len;
        }
    if (renewed)
        watch_log(f);
    return stirred;
}

/* ---- opening ---- */

static int read_version(struct feed *f, int64_t *version, struct error *e)
{
    return db_int(reader_db(f->r), version, 0, e, "PRAGMA data_version", "");
}

struct feed *feed_open(struct reader *r, struct error *e)
{
    struct feed *f = xcalloc(1, sizeof(*f));
    struct strbuf log = STRBUF_INIT;
    f->r = r;
    /* As SQLite has it open: behind a symbolic link the log stands beside the file itself. */
    strbuf_addf(&log, "%s-wal", sqlite3_db_filename(db_handle(reader_db(r)), "main"));
    f->log = xstrdup(log.buf);
    strbuf_release(&log);
    const char *slash = strrchr(f->log, '/');
    f->name = slash ? slash + 1 : f->log;
    f->store_len = strlen(f->name) - strlen("-wal");
    f->moved = true; /* before it was watched it may have been, too */
    f->fd = f->log_watch = -1;
    f->look_at = -1;
    watch(f); /* first, so that nothing is missed between the two */
    if (read_version(f, &f->version, e) || (f->seq = journal_last(r, e)) < 0) {
        feed_close(f);
        return NULL;
    }
    return f;
}

void feed_close(struct feed *f)
{
    if (!f)
        return;
    if (f->fd >= 0)
        close(f->fd);
    free(f->log);
    free(f);
}

int feed_fd(const struct feed *f)
{
    return f->fd;
}

int64_t feed_seq(const struct feed *f)
{
    return f->seq;
}

void feed_skip(struct feed *f, int64_t seq)
{
    if (seq > f->seq)
        f->seq = seq;
}

uint64_t feed_changes(const struct feed *f)
{
    return f->changes;
}

int feed_timeout(const struct feed *f)
{
    if (f->more)
        return 0;
    if (f->look_at < 0)
        return f->fd < 0 ? POLL_MS : -1;
    int64_t left = f->look_at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}

/* ---- news ---- */

static void plan_next_look(struct feed *f, bool stirred)
{
    int64_t now = monotonic_ms();
    if (stirred)
        f->look_ms = LOOK_FIRST_MS;
    else if (f->look_at < 0 || now < f->look_at)
        return;
    f->look_at = f->look_ms > LOOK_LAST_MS ? -1 : now + f->look_ms;
    f->look_ms *= 2;
}

/* Is the store the one that was opened? Looked at where it may not be, and again while it is not. */
static int check_file(struct feed *f, struct error *e)
{
    struct store *s = reader_store(f->r);
    if (!f->moved && f->fd >= 0)
        return store_check_file(s, e);
    int result = store_look_at_file(s, e);
    f->moved = result != 0;
    return result;
}

int feed_look(struct feed *f, struct error *e)
{
    int64_t version;
    plan_next_look(f, drain(f));
    f->unread |= f->more;
    f->more = false;
    if (check_file(f, e) || read_version(f, &version, e))
        return -1;
    if (version != f->version) {
        f->version = version;
        f->changes++;
        f->unread = true;
    }
    return f->unread;
}

int feed_next(struct feed *f, struct arena *arena, size_t limit, struct event **out, size_t *count,
              struct error *e)
{
    *out = NULL;
    *count = 0;
    int news = feed_look(f, e);
    if (news <= 0)
        return news;
    /* The version first: what is committed in between is seen twice by it, and once in the events. */
    if (journal_read(f->r, arena, f->seq, limit, out, count, e))
        return -1;
    f->unread = false;
    f->more = *count == limit && limit > 0;
    if (*count)
        f->seq = (*out)[*count - 1].seq;
    return 0;
}
