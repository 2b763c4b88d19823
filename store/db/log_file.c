#include "store/db/log_file.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

/* SQLite's VFS for Unix writes no more at once: it drops the higher bits of the length. */
#define GATHERED_MAX 0x1ffff

struct log_file {
    sqlite3_file file; /* first: SQLite's view of it */
    sqlite3_file *own; /* of the default VFS; it stands behind this structure */
    bool gathers;
    int failed;       /* why a write failed since it gathers: then nothing goes well any more */
    char *bytes;      /* NULL until they are needed first */
    sqlite3_int64 at; /* where in the file they belong */
    int len;
};

static struct log_file *log_of(sqlite3_file *file)
{
    return (struct log_file *)file;
}

static int write_out(struct log_file *f)
{
    if (f->failed)
        return f->failed;
    if (f->len > 0)
        f->failed = f->own->pMethods->xWrite(f->own, f->bytes, f->len, f->at);
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
        return f->own->pMethods->xWrite(f->own, bytes, len, at);
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
    return f->own->pMethods->xRead(f->own, bytes, len, at);
}

static int log_sync(sqlite3_file *file, int flags)
{
    struct log_file *f = log_of(file);
    return write_out(f) ? f->failed : f->own->pMethods->xSync(f->own, flags);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    struct log_file *f = log_of(file);
    return write_out(f) ? f->failed : f->own->pMethods->xTruncate(f->own, size);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size)
{
    struct log_file *f = log_of(file);
    return write_out(f) ? f->failed : f->own->pMethods->xFileSize(f->own, size);
}

static int log_close(sqlite3_file *file)
{
    struct log_file *f = log_of(file);
    free(f->bytes);
    return f->own->pMethods->xClose(f->own);
}

static int log_lock(sqlite3_file *file, int level)
{
    return log_of(file)->own->pMethods->xLock(log_of(file)->own, level);
}

static int log_unlock(sqlite3_file *file, int level)
{
    return log_of(file)->own->pMethods->xUnlock(log_of(file)->own, level);
}

static int log_is_locked(sqlite3_file *file, int *locked)
{
    return log_of(file)->own->pMethods->xCheckReservedLock(log_of(file)->own, locked);
}

static int log_control(sqlite3_file *file, int what, void *arg)
{
    return log_of(file)->own->pMethods->xFileControl(log_of(file)->own, what, arg);
}

static int log_sector(sqlite3_file *file)
{
    return log_of(file)->own->pMethods->xSectorSize(log_of(file)->own);
}

static int log_device(sqlite3_file *file)
{
    return log_of(file)->own->pMethods->xDeviceCharacteristics(log_of(file)->own);
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_locked,
    .xFileControl = log_control,
    .xSectorSize = log_sector,
    .xDeviceCharacteristics = log_device,
};

/* ---- opening ---- */

static sqlite3_vfs *default_vfs, vfs; /* set once, before they are used */

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *got)
{
    (void)self;
    if (!(flags & SQLITE_OPEN_WAL))
        return default_vfs->xOpen(default_vfs, name, file, flags, got);
    struct log_file *f = log_of(file);
    *f = (struct log_file){.own = (sqlite3_file *)(f + 1)};
    int code = default_vfs->xOpen(default_vfs, name, f->own, flags, got);
    /* Where the other has methods it is to be closed, though it was not opened. */
    f->file.pMethods = f->own->pMethods ? &methods : NULL;
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
    vfs.szOsFile = (int)sizeof(struct log_file) + found->szOsFile;
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
    return code == SQLITE_OK && file && file->pMethods == &methods ? log_of(file) : NULL;
}

void log_file_gather(sqlite3 *handle)
{
    struct log_file *f = log_of_handle(handle);
    if (!f)
        return;
    if (!f->bytes)
        f->bytes = xmalloc(GATHERED_MAX);
    f->failed = SQLITE_OK;
    f->gathers = f->bytes != NULL;
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
