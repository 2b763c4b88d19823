/*
 * Detects changes of the store.
 *
 * A commit appends to the write-ahead log, which wakes the watcher. But SQLite writes the log
 * first, waits for the disk, and only then publishes the commit in shared memory, which the watcher
 * cannot see. So a write only means that a commit may appear soon: after one, feed_timeout asks for
 * checks at growing intervals, until a minute has passed without a write. A check is one PRAGMA
 * data_version.
 *
 * The watcher also reports when the store or its log is removed or replaced: then the open file
 * would never change again.
 */
#include "store/journal/feed.h"

#include "model/base/alloc.h"
#include "store/db/db.h"
#include "store/db/thread.h"
#include "store/db/store_file.h"
#include "store/platform/platform.h"

#define POLL_MS        500 /* interval if no descriptor was left for a watcher */
#define CHECK_FIRST_MS 2
#define CHECK_LAST_MS  32768 /* the earlier intervals add up to about as much */

struct feed {
    struct reader *r;
    struct watcher *watcher;
    bool moved; /* one of the store's files may have been replaced */
    int64_t seq;
    /* Of a team's replica at the last check: how often it made its last events again, and up to where they stay. */
    int64_t rewrites, confirmed;
    int64_t version;  /* data_version of the last check; -1: never checked */
    int64_t check_at; /* time of the next check (ms, monotonic); -1: none */
    int check_ms;     /* interval to the check after that */
    bool more;        /* feed_next stopped at its limit */
    bool unread;      /* there are events to read */
    uint64_t changes;
};

/* Uses the path that SQLite has open: for a symbolic link the log is next to the file itself. */
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

/*
 * After a replica made its last events again, perhaps more than once, new ones follow what was confirmed at the last
 * check. That is read first here: a rewrite between the two statements is then seen by the next check.
 */
static int go_back(struct feed *f, struct error *e)
{
    int64_t confirmed, rewrites;
    if (db_int(reader_db(f->r), &confirmed, 0, e, "SELECT confirmed FROM team", "") ||
        db_int(reader_db(f->r), &rewrites, 0, e, "SELECT rewrites FROM team", ""))
        return -1;
    if (rewrites > f->rewrites && f->confirmed < f->seq)
        f->seq = f->confirmed;
    f->rewrites = rewrites;
    f->confirmed = confirmed;
    return 0;
}

struct feed *feed_open(struct reader *r, struct error *e)
{
    struct feed *f = xcalloc(1, sizeof(*f));
    f->r = r;
    f->moved = true; /* it may have been replaced before it was watched */
    f->check_at = -1;
    /* Watch first, so that no change between the two is missed. */
    f->watcher = watch(sqlite3_db_filename(db_handle(reader_db(r)), "main"));
    if (read_version(f, &f->version, e) || go_back(f, e) || (f->seq = journal_last(r, e)) < 0) {
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
    if (f->check_at < 0)
        return feed_fd(f) < 0 ? POLL_MS : -1;
    int64_t left = f->check_at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}

/* ---- changes ---- */

static void plan_next_check(struct feed *f, bool changed)
{
    int64_t now = monotonic_ms();
    if (changed)
        f->check_ms = CHECK_FIRST_MS;
    else if (f->check_at < 0 || now < f->check_at)
        return;
    f->check_at = f->check_ms > CHECK_LAST_MS ? -1 : now + f->check_ms;
    f->check_ms *= 2;
}

/* Checks that the store was not replaced, if the watcher saw a change, and again while it fails. */
static int check_file(struct feed *f, struct error *e)
{
    struct store *s = reader_store(f->r);
    if (!f->moved)
        return store_file_result(s, e);
    int result = store_check_file(s, e);
    f->moved = result != 0;
    return result;
}

int feed_check(struct feed *f, struct error *e)
{
    int64_t version;
    plan_next_check(f, drain(f));
    f->unread |= f->more;
    f->more = false;
    if (check_file(f, e) || read_version(f, &version, e))
        return -1;
    if (version != f->version) {
        f->version = version;
        f->changes++;
        f->unread = true;
        if (go_back(f, e))
            return -1;
    }
    return f->unread;
}

int feed_next(struct feed *f, struct arena *arena, size_t limit, struct event **out, size_t *count,
              struct error *e)
{
    *out = NULL;
    *count = 0;
    int found = feed_check(f, e);
    if (found <= 0)
        return found;
    /*
     * The version was read first: a commit in between changes the version again, but its events are
     * returned once.
     */
    if (journal_read(f->r, arena, f->seq, limit, out, count, e))
        return -1;
    f->unread = false;
    f->more = *count == limit && limit > 0;
    if (*count)
        f->seq = (*out)[*count - 1].seq;
    return 0;
}
