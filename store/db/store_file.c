#include "store/db/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "store/db/db_open.h"
#include "store/db/store_state.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"

const char *const store_suffixes[STORE_PARTS] = {"", "-wal", "-shm"};

static struct file_mark mark_of(const struct stat *file)
{
    return (struct file_mark){file->st_dev, file->st_ino};
}

static bool same(struct file_mark a, struct file_mark b)
{
    return a.device == b.device && a.inode == b.inode;
}

/* ---- the descriptors of this process ---- */

/* A file that this process has open as a store. Its descriptors are closed with the last of its users. */
struct open_file {
    struct file_mark mark;
    char *path;
    int users;
    int *fds;
    size_t count, alloc;
    struct open_file *next;
};

static struct open_file *open_files;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

static struct open_file **find_open(struct file_mark mark)
{
    struct open_file **at = &open_files;
    while (*at && !same((*at)->mark, mark))
        at = &(*at)->next;
    return at;
}

static void register_fds(struct store_file *f, const char *path)
{
    struct open_file **at = find_open(f->marks[STORE_ITSELF]);
    if (!*at) {
        *at = xcalloc(1, sizeof(**at));
        (*at)->mark = f->marks[STORE_ITSELF];
        (*at)->path = xstrdup(path);
    }
    struct open_file *file = *at;
    int fds[] = {f->fd, f->ask};
    for (size_t i = 0; i < 2; i++)
        *ARRAY_ADD(file->fds, file->count, file->alloc) = fds[i];
    file->users++;
}

static void release_fds(struct file_mark mark)
{
    struct open_file **at = find_open(mark), *file = *at;
    if (!file || --file->users > 0)
        return;
    for (size_t i = 0; i < file->count; i++)
        close(file->fds[i]);
    *at = file->next;
    free(file->fds);
    free(file->path);
    free(file);
}

static int open_fds(struct store_file *f, const char *path)
{
    struct stat file;
    f->fd = open(path, O_RDWR | O_CLOEXEC);
    if (f->fd < 0)
        f->fd = open(path, O_RDONLY | O_CLOEXEC);
    f->ask = f->fd < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (f->ask < 0 || fstat(f->fd, &file))
        return -1;
    f->marks[STORE_ITSELF] = mark_of(&file);
    return 0;
}

int store_file_open(struct store_file *f, const char *path, struct error *e)
{
    pthread_mutex_lock(&open_lock);
    int failed = open_fds(f, path) ? errno : 0;
    if (!failed)
        register_fds(f, path);
    pthread_mutex_unlock(&open_lock);
    if (failed) {
        if (f->fd >= 0)
            close(f->fd);
        return error_set(e, ERROR_STORE, "Check the path.", "cannot open %s: %s", path,
                         strerror(failed));
    }
    for (int i = 0; i < STORE_PARTS; i++)
        f->names[i] = xformat("%s%s", path, store_suffixes[i]);
    f->gone = STORE_PARTS;
    pthread_mutex_init(&f->lock, NULL);
    return 0;
}

void store_file_close(struct store_file *f)
{
    if (!f->names[STORE_ITSELF])
        return;
    pthread_mutex_lock(&open_lock);
    release_fds(f->marks[STORE_ITSELF]);
    pthread_mutex_unlock(&open_lock);
    for (int i = 0; i < STORE_PARTS; i++)
        free(f->names[i]);
    pthread_mutex_destroy(&f->lock);
}

/* Is it a store that this process has open, or what SQLite has next to it? */
static bool is_open_here(const struct stat *file)
{
    bool found = false;
    pthread_mutex_lock(&open_lock);
    for (const struct open_file *o = open_files; o && !found; o = o->next) {
        found = same(o->mark, mark_of(file));
        for (size_t i = 0; i < STORE_PARTS && !found; i++) {
            struct stat part;
            char *name = xformat("%s%s", o->path, store_suffixes[i]);
            found = stat(name, &part) == 0 && same(mark_of(&part), mark_of(file));
            free(name);
        }
    }
    pthread_mutex_unlock(&open_lock);
    return found;
}

int store_file_open_other(const char *path)
{
    struct stat file;
    if (stat(path, &file))
        return -1;
    if (is_open_here(&file)) {
        errno = EBUSY;
        return -1;
    }
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

static bool peeked_own;

int store_file_peek(const char *path)
{
    struct stat st;
    pthread_mutex_lock(&open_lock);
    struct open_file *file = stat(path, &st) ? NULL : *find_open(mark_of(&st));
    peeked_own = !file;
    int fd = file ? file->fds[0] : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        int saved = errno;
        pthread_mutex_unlock(&open_lock);
        errno = saved;
    }
    return fd;
}

void store_file_peeked(int fd)
{
    if (peeked_own)
        close(fd);
    pthread_mutex_unlock(&open_lock);
}

/* ---- pausing ---- */

/* Signal handlers use both, so no lock may be taken: who waits looks again and again. */
static atomic_bool pausing;
static atomic_int busy; /* threads that hold a write lock or wait for one */

static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

void store_writes_pause(int ms)
{
    int64_t until = monotonic_ms() + ms;
    atomic_store(&pausing, true);
    while (atomic_load(&busy) && monotonic_ms() < until)
        wait_a_moment();
}

void store_writes_resume(void)
{
    atomic_store(&pausing, false);
}

/* Counted before it looks, as the one who pauses says so before it looks who is busy. */
static void become_busy(void)
{
    for (;;) {
        atomic_fetch_add(&busy, 1);
        if (!atomic_load(&pausing))
            return;
        atomic_fetch_sub(&busy, 1);
        wait_a_moment();
    }
}

/* ---- the write lock ---- */

#define BASE (INT64_C(1) << 61) /* SQLite locks the bytes from 2^30 to 2^30 + 511 */
enum {
    NEXT_BYTE = 0,
    WRITE_BYTE = 1,
    NAMED_BYTE = 3, /* a classic lock, which tells the number of the process that has it */
};

struct waiting {
    bool (*gives_up)(void *arg);
    void *arg;
};

static bool gives_up(void *arg)
{
    const struct waiting *w = arg;
    return atomic_load(&pausing) || (w->gives_up && w->gives_up(w->arg));
}

/* The file's locks are the process's: its own threads take turns by `turn` first. */
static int take_turn(struct store_file *f, int64_t until, struct waiting *w)
{
    while (atomic_exchange(&f->turn, true)) {
        if (gives_up(w) || monotonic_ms() >= until) {
            errno = gives_up(w) ? ECANCELED : ETIMEDOUT;
            return -1;
        }
        wait_a_moment();
    }
    return 0;
}

/* Both, one after the other; neither after -1. */
static int pass(const struct store_file *f, int64_t until, struct waiting *w)
{
    if (!platform_has_locks())
        return 0;
    if (platform_lock_wait(f->fd, BASE + NEXT_BYTE, until - monotonic_ms(), gives_up, w))
        return -1;
    int passed = platform_lock_wait(f->fd, BASE + WRITE_BYTE, until - monotonic_ms(), gives_up, w);
    int saved = errno;
    platform_unlock(f->fd, BASE + NEXT_BYTE);
    errno = saved;
    return passed;
}

static int wait_for_turn(struct store_file *f, int ms, struct waiting *w)
{
    int64_t until = monotonic_ms() + ms;
    if (take_turn(f, until, w))
        return errno;
    int why = pass(f, until, w) ? errno : 0;
    if (why)
        atomic_store(&f->turn, false);
    return why;
}

static int named_lock(const struct store_file *f, int command, struct flock *lock, short type)
{
    *lock = (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)BASE + NAMED_BYTE, .l_len = 1};
    return fcntl(f->fd, command, lock);
}

static int say_busy(const struct store_file *f, int ms, struct error *e)
{
    struct flock lock;
    int seconds = (ms + 999) / 1000;
    bool named = named_lock(f, F_GETLK, &lock, F_WRLCK) == 0 && lock.l_type != F_UNLCK;
    if (!named)
        return error_set(e, ERROR_BUSY, "Wait for it to finish, then try again.",
                         "another process holds the store and has been writing to it for %d s",
                         seconds);
    error_set(e, ERROR_BUSY, "", "process %d holds the store and has been writing to it for %d s",
              (int)lock.l_pid, seconds);
    snprintf(e->todo, sizeof(e->todo),
             "Wait for it to finish, or let it go on if it is stopped (fg, or kill -CONT %d).",
             (int)lock.l_pid);
    return -1;
}

static int say_why(const struct store_file *f, int why, int ms, struct error *e)
{
    if (why == ETIMEDOUT)
        return say_busy(f, ms, e);
    if (why == ECANCELED)
        return error_set(e, ERROR_BUSY, "Try again later.",
                         "another process was writing to the store, and this one had to go on");
    if (why == EBADF)
        return error_set(e, ERROR_REFUSED, "Check the permissions of the file.",
                         "cannot write %s: the store is read-only", f->names[STORE_ITSELF]);
    return error_set(e, ERROR_STORE, "Check the file system: it must support locks.",
                     "cannot lock the store: %s", strerror(why));
}

/* The time that the process was paused does not count. */
int store_file_lock(struct store_file *f, int ms, bool (*unwanted)(void *arg), void *arg,
                    struct error *e)
{
    struct waiting w = {unwanted, arg};
    struct flock lock;
    int why = 0;
    do {
        become_busy();
        why = wait_for_turn(f, ms, &w);
        if (why)
            atomic_fetch_sub(&busy, 1);
    } while (why == ECANCELED && !(unwanted && unwanted(arg)));
    if (why)
        return say_why(f, why, ms, e);
    if (platform_has_locks())
        named_lock(f, F_SETLK, &lock, F_WRLCK);
    return 0;
}

void store_file_unlock(struct store_file *f)
{
    struct flock lock;
    if (platform_has_locks())
        named_lock(f, F_SETLK, &lock, F_UNLCK);
    platform_unlock(f->fd, BASE + WRITE_BYTE);
    atomic_store(&f->turn, false);
    atomic_fetch_sub(&busy, 1);
}

/* ---- other locks ---- */

/* FNV-1a of the uuid, in 61 bits. */
int64_t store_file_session_byte(const char *uuid)
{
    return (int64_t)(fnv_add(FNV_BASIS, uuid, strlen(uuid)) >> 3) + 256;
}

bool store_file_hold(struct store_file *f, int64_t byte)
{
    return platform_lock(f->fd, BASE + byte) == 0 || errno == ENOTSUP || errno == EBADF;
}

void store_file_drop(struct store_file *f, int64_t byte)
{
    platform_unlock(f->fd, BASE + byte);
}

int store_file_is_held(const struct store_file *f, int64_t byte)
{
    if (platform_test_lock(f->ask, BASE + byte) == 0)
        return 0;
    return errno == ENOTSUP ? -1 : 1;
}

/* ---- who has the log open ---- */

/* What is not there has no mark, and nothing is ever the same as that. */
static void take_mark(struct store_file *f, enum store_part which)
{
    struct stat file;
    f->marks[which] = stat(f->names[which], &file) == 0 ? mark_of(&file) : (struct file_mark){0, 0};
}

bool store_file_hold_log(struct store *s, struct db *db)
{
    struct store_file *f = &s->file;
    if (!db_has_log_of(db, s->path))
        return false;
    pthread_mutex_lock(&f->lock);
    if (f->holders++ == 0) {
        take_mark(f, STORE_LOG);
        take_mark(f, STORE_INDEX);
    }
    pthread_mutex_unlock(&f->lock);
    return true;
}

void store_file_let_go(struct store *s, struct db *db)
{
    struct error ignored;
    if (store_look_at_file(s, &ignored))
        db_keep_log(db, true);
    pthread_mutex_lock(&s->file.lock);
    s->file.holders--;
    pthread_mutex_unlock(&s->file.lock);
}

/* ---- looking ---- */

static bool stands(const struct store_file *f, int which)
{
    struct stat file;
    return stat(f->names[which], &file) == 0 && same(mark_of(&file), f->marks[which]);
}

/* The first that is not as it was, of those that are to be. Called with the lock held. */
static int look(const struct store_file *f)
{
    int last = f->holders ? STORE_INDEX : STORE_ITSELF;
    for (int which = STORE_ITSELF; which <= last; which++)
        if (!stands(f, which))
            return which;
    return STORE_PARTS;
}

int store_check_file(const struct store *s, struct error *e)
{
    static const char *const called[STORE_PARTS] = {"", "the -wal of ", "the -shm of "};
    int gone = atomic_load(&s->file.gone);
    if (gone == STORE_PARTS)
        return 0;
    return error_set(e, ERROR_STORE, "Open the store again.",
                     "%s%s was removed or replaced while it was open", called[gone], s->path);
}

int store_look_at_file(struct store *s, struct error *e)
{
    struct store_file *f = &s->file;
    pthread_mutex_lock(&f->lock);
    atomic_store(&f->gone, look(f));
    pthread_mutex_unlock(&f->lock);
    return store_check_file(s, e);
}

int store_look_at_log(struct store *s, struct error *e)
{
    return stands(&s->file, STORE_LOG) ? 0 : store_look_at_file(s, e);
}

bool store_misses_log_alone(const struct store *s)
{
    const struct store_file *f = &s->file;
    struct stat log;
    bool empty = stat(f->names[STORE_LOG], &log) != 0 || log.st_size == 0;
    return empty && !stands(f, STORE_LOG) && stands(f, STORE_ITSELF) && stands(f, STORE_INDEX);
}

/* SQLite's VFS for Unix writes no more at once: it drops the higher bits of the length. */
#define GATHERED_MAX 0x1ffff

/* Stands behind the default VFS's own file, whose methods it shares but for those that follow. */
struct log_file {
    const sqlite3_io_methods *own; /* the default VFS's */
    sqlite3_io_methods methods;
    sqlite3_file *file;
    bool gathers;
    int failed;       /* why a write failed since it gathers: then nothing goes well any more */
    char *bytes;      /* NULL until they are needed first */
    sqlite3_int64 at; /* where in the file they belong */
    int len;
};

static sqlite3_vfs *default_vfs, vfs; /* set once, before they are used */

static struct log_file *log_of(sqlite3_file *file)
{
    return (struct log_file *)((char *)file + (vfs.szOsFile - (int)sizeof(struct log_file)));
}

static int write_out(struct log_file *f)
{
    if (f->failed)
        return f->failed;
    if (f->len > 0)
        f->failed = f->own->xWrite(f->file, f->bytes, f->len, f->at);
    f->len = 0;
    return f->failed;
}

static bool overlaps(const struct log_file *f, int len, sqlite3_int64 at)
{
    return at < f->at + f->len && f->at < at + len;
}

/* ---- what SQLite calls ---- */

static int log_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    struct log_file *f = log_of(file);
    bool fits = f->len == 0 || (at == f->at + f->len && len <= GATHERED_MAX - f->len);
    if (f->failed || (!fits && write_out(f)))
        return f->failed;
    if (!f->gathers || len > GATHERED_MAX)
        return f->own->xWrite(f->file, bytes, len, at);
    if (f->len == 0)
        f->at = at;
    memcpy(f->bytes + f->len, bytes, (size_t)len);
    f->len += len;
    return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    struct log_file *f = log_of(file);
    if (overlaps(f, len, at) && write_out(f))
        return f->failed;
    return f->own->xRead(file, bytes, len, at);
}

static int log_sync(sqlite3_file *file, int flags)
{
    struct log_file *f = log_of(file);
    return write_out(f) ? f->failed : f->own->xSync(file, flags);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    struct log_file *f = log_of(file);
    return write_out(f) ? f->failed : f->own->xTruncate(file, size);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size)
{
    struct log_file *f = log_of(file);
    return write_out(f) ? f->failed : f->own->xFileSize(file, size);
}

static int log_close(sqlite3_file *file)
{
    struct log_file *f = log_of(file);
    free(f->bytes);
    return f->own->xClose(file);
}

/* ---- opening ---- */

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *got)
{
    (void)self;
    int code = default_vfs->xOpen(default_vfs, name, file, flags, got);
    /* Where it has methods it is to be closed, though it was not opened. */
    if (!(flags & SQLITE_OPEN_WAL) || !file->pMethods)
        return code;
    struct log_file *f = log_of(file);
    *f = (struct log_file){.own = file->pMethods, .methods = *file->pMethods, .file = file};
    f->methods.xClose = log_close;
    f->methods.xRead = log_read;
    f->methods.xWrite = log_write;
    f->methods.xTruncate = log_truncate;
    f->methods.xSync = log_sync;
    f->methods.xFileSize = log_size;
    file->pMethods = &f->methods;
    return code;
}

static void register_vfs(void)
{
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (!found)
        return;
    vfs = *found;
    vfs.pNext = NULL;
    vfs.zName = "stemma-log";
    vfs.szOsFile = (found->szOsFile + 15) / 16 * 16 + (int)sizeof(struct log_file);
    vfs.xOpen = vfs_open;
    default_vfs = found;
    if (sqlite3_vfs_register(&vfs, 0))
        default_vfs = NULL;
}

const char *log_file_vfs(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_vfs);
    return default_vfs ? vfs.zName : NULL;
}

/* ---- a commit ---- */

static struct log_file *log_of_handle(sqlite3 *handle)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods && file->pMethods->xWrite == log_write
               ? log_of(file)
               : NULL;
}

void log_file_gather(sqlite3 *handle)
{
    struct log_file *f = log_of_handle(handle);
    if (!f)
        return;
    if (!f->bytes)
        f->bytes = xmalloc(GATHERED_MAX);
    f->failed = SQLITE_OK;
    f->gathers = true;
}

int log_file_settle(sqlite3 *handle, int committed)
{
    struct log_file *f = log_of_handle(handle);
    if (!f)
        return SQLITE_OK;
    int code = committed ? write_out(f) : SQLITE_OK;
    f->gathers = false;
    f->failed = SQLITE_OK;
    f->len = 0;
    return code;
}
