/*
 * How a change of the store is noticed.
 *
 * A commit appends to the write-ahead log, and the watcher tells. SQLite writes the log first, waits for the disk, and
 * only then publishes the commit in shared memory, which nothing tells. So a write is no more than a reason to look,
 * and the commit may appear a little later: after one, feed_timeout asks for looks at growing intervals, until a
 * minute has passed without a write. A look is one PRAGMA data_version.
 *
 * The watcher tells as well when the store or its log is removed or replaced: nothing would ever be written to the file
 * that is open.
 */
#include "store/journal/feed.h"

#include "model/base/alloc.h"
#include "store/db/db.h"
#include "store/db/thread.h"
#include "store/db/store_file.h"
#include "store/platform/platform.h"

#define POLL_MS       500 /* where no descriptor is left for a watcher */
#define LOOK_FIRST_MS 2
#define LOOK_LAST_MS  32768 /* the sum of all looks before is about as long */

struct feed {
    struct reader *r;
    struct watcher *watcher;
    bool moved; /* one of the store's files may be another by now */
    int64_t seq;
    int64_t version; /* data_version when the events were read last; -1: never */
    int64_t look_at; /* when the next look is worth it, on the monotonic clock; -1: none is */
    int look_ms;     /* how long after that the one that follows */
    bool more;       /* the last call stopped at its limit */
    bool unread;     /* there is something that was not read */
    uint64_t changes;
};

/* By the names that SQLite has open: behind a symbolic link the log stands next to the file itself. */
static struct watcher *watch(const char *path)
{
    char *paths[STORE_PARTS];
    for (int i = 0; i < STORE_PARTS; i++)
        paths[i] = xformat("%s%s", path, store_suffixes[i]);
    struct watcher *w = watcher_new((const char *const *)paths, STORE_PARTS);
    for (int i = 0; i < STORE_PARTS; i++)
        free(paths[i]);
    return w;
}

static bool drain(struct feed *f)
{
    unsigned what = watcher_take(f->watcher);
    f->moved |= (what & WATCHED_MOVED) != 0;
    return what != 0;
}

/* ---- opening ---- */

static int read_version(struct feed *f, int64_t *version, struct error *e)
{
    return db_int(reader_db(f->r), version, 0, e, "PRAGMA data_version", "");
}

struct feed *feed_open(struct reader *r, struct error *e)
{
    struct feed *f = xcalloc(1, sizeof(*f));
    f->r = r;
    f->moved = true; /* before it was watched it may have been, too */
    f->look_at = -1;
    /* First, so that nothing is missed between the two. */
    f->watcher = watch(sqlite3_db_filename(db_handle(reader_db(r)), "main"));
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
    watcher_free(f->watcher);
    free(f);
}

int feed_fd(const struct feed *f)
{
    return watcher_fd(f->watcher);
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
        return feed_fd(f) < 0 ? POLL_MS : -1;
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
    if (!f->moved)
        return store_check_file(s, e);
    int result = store_recheck_file(s, e);
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
