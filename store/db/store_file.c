/* The locks of a store file, the check that it was not replaced, and the VFS shim for its log. */
#include "store/db/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
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

static struct file_id id_of(const struct stat *file)
{
    return (struct file_id){file->st_dev, file->st_ino};
}

static bool same(struct file_id a, struct file_id b)
{
    return a.device == b.device && a.inode == b.inode;
}

/* ---- the descriptors of this process ---- */

/* A store file that this process has open. All its descriptors are closed with its last user. */
struct open_file {
    struct file_id id;
    char *path;
    int users;
    int *fds;
    size_t count, alloc;
    struct open_file *next;
};

static struct open_file *open_files;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

static struct open_file **find_open(struct file_id id)
{
    struct open_file **at = &open_files;
    while (*at && !same((*at)->id, id))
        at = &(*at)->next;
    return at;
}

static void register_fds(struct store_file *f, const char *path)
{
    struct open_file **at = find_open(f->ids[STORE_ITSELF]);
    if (!*at) {
        *at = xcalloc(1, sizeof(**at));
        (*at)->id = f->ids[STORE_ITSELF];
        (*at)->path = xstrdup(path);
    }
    struct open_file *file = *at;
    int fds[] = {f->fd, f->ask};
    for (size_t i = 0; i < 2; i++)
        *ARRAY_ADD(file->fds, file->count, file->alloc) = fds[i];
    file->users++;
}

static void release_fds(struct file_id id)
{
    struct open_file **at = find_open(id), *file = *at;
    if (!file || --file->users > 0)
        return;
    for (size_t i = 0; i < file->count; i++)
        close(file->fds[i]);
    *at = file->next;
    FREE_ALL(file->fds, file->path, file);
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
    f->ids[STORE_ITSELF] = id_of(&file);
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
    f->replaced = STORE_PARTS;
    pthread_mutex_init(&f->lock, NULL);
    return 0;
}

void store_file_close(struct store_file *f)
{
    if (!f->names[STORE_ITSELF])
        return;
    pthread_mutex_lock(&open_lock);
    release_fds(f->ids[STORE_ITSELF]);
    pthread_mutex_unlock(&open_lock);
    for (int i = 0; i < STORE_PARTS; i++)
        free(f->names[i]);
    pthread_mutex_destroy(&f->lock);
}

/* True if it is a store that this process has open, or its log or index. */
static bool is_open_here(const struct stat *file)
{
    bool found = false;
    pthread_mutex_lock(&open_lock);
    for (const struct open_file *o = open_files; o && !found; o = o->next) {
        found = same(o->id, id_of(file));
        for (size_t i = 0; i < STORE_PARTS && !found; i++) {
            struct stat part;
            AUTO_FREE char *name = xformat("%s%s", o->path, store_suffixes[i]);
            found = stat(name, &part) == 0 && same(id_of(&part), id_of(file));
        }
    }
    pthread_mutex_unlock(&open_lock);
    return found;
}

static int cannot_read(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, "Check the path.", "cannot read %.200s: %s", path,
                     strerror(errno));
}

int store_file_check_other(const char *path, struct error *e)
{
    struct stat file;
    bool given = strncmp(path, "/dev/", 5) == 0;
    if (stat(path, &file))
        return cannot_read(path, e);
    if (!S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode) && !given)
        return error_set(e, ERROR_STORE, "Give the path of a file.", "%.200s is not a regular file",
                         path);
    if (is_open_here(&file))
        return error_set(e, ERROR_REFUSED, "Give another file.",
                         "%.200s belongs to the store that is open", path);
    return 0;
}

int store_file_open_other(const char *path, struct error *e)
{
    if (store_file_check_other(path, e))
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return fd < 0 ? cannot_read(path, e) : fd;
}

static bool peeked_own;

int store_file_peek(const char *path)
{
    struct stat st;
    pthread_mutex_lock(&open_lock);
    struct open_file *file = stat(path, &st) ? NULL : *find_open(id_of(&st));
    peeked_own = !file;
    int fd = file ? file->fds[0] : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        int saved = errno;
        pthread_mutex_unlock(&open_lock);
        errno = saved;
    }
    return fd;
}

void store_file_end_peek(int fd)
{
    if (peeked_own)
        close(fd);
    pthread_mutex_unlock(&open_lock);
}

/* ---- suspending ---- */

/* Used in signal handlers, so no mutex: waiting threads poll. */
static atomic_bool pausing;
static atomic_int busy;  /* threads that hold the write lock or wait for it */
static atomic_int again; /* the signal to send when no thread is busy any more; 0: none */

static void sleep_1ms(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

bool store_writes_pause(int signal)
{
    atomic_store(&pausing, true);
    atomic_store(&again, signal);
    if (atomic_load(&busy))
        return false;
    /* Who took the signal meanwhile sends it: a stop now would be followed by a second one. */
    return !signal || atomic_exchange(&again, 0) != 0;
}

void store_writes_resume(void)
{
    atomic_store(&again, 0);
    atomic_store(&pausing, false);
}

static void leave_busy(void)
{
    int signal = atomic_fetch_sub(&busy, 1) == 1 ? atomic_exchange(&again, 0) : 0;
    if (signal)
        kill(getpid(), signal);
}

/*
 * Counts itself before it reads `pausing`; store_writes_pause sets `pausing` before it reads
 * `busy`. So they never miss each other.
 */
static void enter_busy(void)
{
    for (;;) {
        atomic_fetch_add(&busy, 1);
        if (!atomic_load(&pausing))
            return;
        leave_busy();
        sleep_1ms();
    }
}

/* ---- the write lock ---- */

#define BASE (INT64_C(1) << 61) /* SQLite locks 2^30 to 2^30 + 511 */
enum {
    NEXT_BYTE = 0,
    WRITE_BYTE = 1,
    NAMED_BYTE = 3, /* a classic lock, which tells the pid of its holder */
};

struct waiting {
    bool (*gives_up)(void *arg);
    void *arg;
};

static bool is_given_up(void *arg)
{
    const struct waiting *w = arg;
    return atomic_load(&pausing) || (w->gives_up && w->gives_up(w->arg));
}

/* The locks belong to the process, so its threads take turns on `turn` first. */
static int take_turn(struct store_file *f, int64_t until, struct waiting *w)
{
    while (atomic_exchange(&f->turn, true)) {
        if (is_given_up(w) || monotonic_ms() >= until) {
            errno = is_given_up(w) ? ECANCELED : ETIMEDOUT;
            return -1;
        }
        sleep_1ms();
    }
    return 0;
}

/* Takes NEXT and WRITE, then releases NEXT. After -1 it holds neither. */
static int lock_in_turn(const struct store_file *f, int64_t until, struct waiting *w)
{
    if (!platform_has_locks())
        return 0;
    if (platform_lock_wait(f->fd, BASE + NEXT_BYTE, until - monotonic_ms(), is_given_up, w))
        return -1;
    int passed =
        platform_lock_wait(f->fd, BASE + WRITE_BYTE, until - monotonic_ms(), is_given_up, w);
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
    int why = lock_in_turn(f, until, w) ? errno : 0;
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

static int report_busy(const struct store_file *f, int ms, struct error *e)
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
    snprintf(e->hint, sizeof(e->hint),
             "Wait for it to finish, or let it go on if it is stopped (fg, or kill -CONT %d).",
             (int)lock.l_pid);
    return -1;
}

static int report_failure(const struct store_file *f, int why, int ms, struct error *e)
{
    if (why == ETIMEDOUT)
        return report_busy(f, ms, e);
    if (why == ECANCELED)
        return error_set(e, ERROR_BUSY, "Try again later.",
                         "another process was writing to the store, and this one had to go on");
    if (why == EBADF)
        return error_set(e, ERROR_REFUSED, "Check the permissions of the file.",
                         "cannot write %s: the store is read-only", f->names[STORE_ITSELF]);
    return error_set(e, ERROR_STORE, "Check the file system: it must support locks.",
                     "cannot lock the store: %s", strerror(why));
}

/* The time that the process was suspended does not count. */
int store_file_lock(struct store_file *f, int ms, bool (*gives_up)(void *arg), void *arg,
                    struct error *e)
{
    struct waiting w = {gives_up, arg};
    struct flock lock;
    int why = 0;
    do {
        enter_busy();
        why = wait_for_turn(f, ms, &w);
        if (why)
            leave_busy();
    } while (why == ECANCELED && !(gives_up && gives_up(arg)));
    if (why)
        return report_failure(f, why, ms, e);
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
    leave_busy();
}

/* ---- other locks ---- */

/* FNV-1a of the uuid, in 61 bits. */
int64_t store_file_session_byte(const char *uuid)
{
    return (int64_t)(fnv_add(FNV_BASIS, uuid, strlen(uuid)) >> 3) + 256;
}

bool store_file_lock_byte(struct store_file *f, int64_t byte)
{
    return platform_lock(f->fd, BASE + byte) == 0 || errno == ENOTSUP || errno == EBADF;
}

void store_file_unlock_byte(struct store_file *f, int64_t byte)
{
    platform_unlock(f->fd, BASE + byte);
}

int store_file_is_locked(const struct store_file *f, int64_t byte)
{
    if (platform_test_lock(f->ask, BASE + byte) == 0)
        return 0;
    return errno == ENOTSUP ? -1 : 1;
}

/* ---- users of the log ---- */

/* A missing file has the id 0, 0, which matches no file. */
static void record_id(struct store_file *f, enum store_part which)
{
    struct stat file;
    f->ids[which] = stat(f->names[which], &file) == 0 ? id_of(&file) : (struct file_id){0, 0};
}

bool store_file_hold_log(struct store *s, struct db *db)
{
    struct store_file *f = &s->file;
    if (!db_has_log_of(db, s->path))
        return false;
    pthread_mutex_lock(&f->lock);
    if (f->holders++ == 0) {
        record_id(f, STORE_LOG);
        record_id(f, STORE_INDEX);
    }
    pthread_mutex_unlock(&f->lock);
    return true;
}

void store_file_release_log(struct store *s, struct db *db)
{
    struct error ignored;
    if (store_check_file(s, &ignored))
        db_keep_log(db, true);
    pthread_mutex_lock(&s->file.lock);
    s->file.holders--;
    pthread_mutex_unlock(&s->file.lock);
}

/* ---- checking ---- */

static bool is_same(const struct store_file *f, int which)
{
    struct stat file;
    return stat(f->names[which], &file) == 0 && same(id_of(&file), f->ids[which]);
}

/* Returns the first part that was removed or replaced, or STORE_PARTS. Call with the lock held. */
static int find_replaced(const struct store_file *f)
{
    int last = f->holders ? STORE_INDEX : STORE_ITSELF;
    for (int which = STORE_ITSELF; which <= last; which++)
        if (!is_same(f, which))
            return which;
    return STORE_PARTS;
}

int store_file_result(const struct store *s, struct error *e)
{
    static const char *const called[STORE_PARTS] = {"", "the -wal of ", "the -shm of "};
    int replaced = atomic_load(&s->file.replaced);
    if (replaced == STORE_PARTS)
        return 0;
    return error_set(e, ERROR_STORE, "Open the store again.",
                     "%s%s was removed or replaced while it was open", called[replaced], s->path);
}

int store_check_file(struct store *s, struct error *e)
{
    struct store_file *f = &s->file;
    pthread_mutex_lock(&f->lock);
    atomic_store(&f->replaced, find_replaced(f));
    pthread_mutex_unlock(&f->lock);
    return store_file_result(s, e);
}

int store_check_log(struct store *s, struct error *e)
{
    return is_same(&s->file, STORE_LOG) ? 0 : store_check_file(s, e);
}

bool store_lost_only_log(const struct store *s)
{
    const struct store_file *f = &s->file;
    struct stat log;
    bool empty = stat(f->names[STORE_LOG], &log) != 0 || log.st_size == 0;
    return empty && !is_same(f, STORE_LOG) && is_same(f, STORE_ITSELF) && is_same(f, STORE_INDEX);
}

/* The largest single write of SQLite's Unix VFS: it masks higher bits of the length. */
#define WRITE_MAX 0x1ffff

/* Follows the default VFS's file object in memory. It shares its methods except for those below. */
struct log_file {
    const sqlite3_io_methods *own; /* the default VFS's */
    sqlite3_io_methods methods;
    sqlite3_file *file;
    bool buffers;
    int failed;       /* error of a write in this commit: all later calls fail */
    char *bytes;      /* the buffer; NULL before the first commit */
    sqlite3_int64 at; /* offset in the file */
    int len;
};

static sqlite3_vfs *default_vfs, vfs; /* set once, before they are used */

static struct log_file *log_of(sqlite3_file *file)
{
    return (struct log_file *)((char *)file + (vfs.szOsFile - (int)sizeof(struct log_file)));
}

/* To SQLite only ENOSPC is a full disk. A limit of the file's size or of the user's room is one, too. */
static int write_through(struct log_file *f, const void *bytes, int len, sqlite3_int64 at)
{
    int code = f->own->xWrite(f->file, bytes, len, at), number = 0;
    if (code == SQLITE_IOERR_WRITE)
        f->own->xFileControl(f->file, SQLITE_FCNTL_LAST_ERRNO, &number);
    return number == EFBIG || number == EDQUOT ? SQLITE_FULL : code;
}

static int write_out(struct log_file *f)
{
    if (f->failed)
        return f->failed;
    if (f->len > 0)
        f->failed = write_through(f, f->bytes, f->len, f->at);
    f->len = 0;
    return f->failed;
}

/* ---- methods of the log file ---- */

static int log_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    struct log_file *f = log_of(file);
    bool fits = f->len == 0 || (at == f->at + f->len && len <= WRITE_MAX - f->len);
    if (f->failed || (!fits && write_out(f)))
        return f->failed;
    if (!f->buffers || len > WRITE_MAX)
        return write_through(f, bytes, len, at);
    if (f->len == 0)
        f->at = at;
    memcpy(f->bytes + f->len, bytes, (size_t)len);
    f->len += len;
    return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    struct log_file *f = log_of(file);
    if (at < f->at + f->len && f->at < at + len && write_out(f)) /* they overlap */
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
    /* If it has methods, SQLite closes it even if opening failed. */
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

void log_file_begin_commit(sqlite3 *handle)
{
    struct log_file *f = log_of_handle(handle);
    if (!f)
        return;
    if (!f->bytes)
        f->bytes = xmalloc(WRITE_MAX);
    f->failed = SQLITE_OK;
    f->buffers = true;
}

int log_file_end_commit(sqlite3 *handle, int committed)
{
    struct log_file *f = log_of_handle(handle);
    if (!f)
        return SQLITE_OK;
    int code = committed ? write_out(f) : SQLITE_OK;
    f->buffers = false;
    f->failed = SQLITE_OK;
    f->len = 0;
    return code;
}
