#include "tests/support/faulty_disk.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static sqlite3_vfs *disk;
static sqlite3_vfs faulty;
static atomic_long left = -1;
static atomic_int answer;
static atomic_bool for_good;
static atomic_long failures;

struct faulty_file {
    sqlite3_file base;
    sqlite3_file *real; /* the file of the default VFS */
};
#define REAL(f) (((struct faulty_file *)(f))->real)

void faulty_disk_break(long writes, int code, int all)
{
    atomic_store(&failures, 0);
    atomic_store(&answer, code);
    atomic_store(&for_good, all != 0);
    atomic_store(&left, writes);
}

long faulty_disk_repair(void)
{
    atomic_store(&left, -1);
    return atomic_load(&failures);
}

/* Returns the code of the failure, or 0. */
static int fails(void)
{
    if (atomic_load(&left) < 0)
        return 0;
    if (atomic_load(&left) > 0) {
        atomic_fetch_sub(&left, 1);
        return 0;
    }
    atomic_fetch_add(&failures, 1);
    if (!atomic_load(&for_good))
        atomic_store(&left, -1);
    return atomic_load(&answer);
}

static int f_close(sqlite3_file *f)
{
    return REAL(f)->pMethods->xClose(REAL(f));
}
static int f_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return REAL(f)->pMethods->xRead(REAL(f), to, n, at);
}
static int f_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    int failed = fails();
    return failed ? failed : REAL(f)->pMethods->xWrite(REAL(f), from, n, at);
}
static int f_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    int failed = fails();
    return failed ? SQLITE_IOERR_TRUNCATE : REAL(f)->pMethods->xTruncate(REAL(f), size);
}
static int f_sync(sqlite3_file *f, int flags)
{
    int failed = fails();
    return failed ? SQLITE_IOERR_FSYNC : REAL(f)->pMethods->xSync(REAL(f), flags);
}
static int f_size(sqlite3_file *f, sqlite3_int64 *size)
{
    return REAL(f)->pMethods->xFileSize(REAL(f), size);
}
static int f_lock(sqlite3_file *f, int level)
{
    return REAL(f)->pMethods->xLock(REAL(f), level);
}
static int f_unlock(sqlite3_file *f, int level)
{
    return REAL(f)->pMethods->xUnlock(REAL(f), level);
}
static int f_reserved(sqlite3_file *f, int *out)
{
    return REAL(f)->pMethods->xCheckReservedLock(REAL(f), out);
}
static int f_control(sqlite3_file *f, int op, void *arg)
{
    return REAL(f)->pMethods->xFileControl(REAL(f), op, arg);
}
static int f_sector(sqlite3_file *f)
{
    return REAL(f)->pMethods->xSectorSize(REAL(f));
}
static int f_device(sqlite3_file *f)
{
    return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f));
}
static int f_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
    return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, out);
}
static int f_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return REAL(f)->pMethods->xShmLock(REAL(f), offset, n, flags);
}
static void f_barrier(sqlite3_file *f)
{
    REAL(f)->pMethods->xShmBarrier(REAL(f));
}
static int f_unmap(sqlite3_file *f, int delete)
{
    return REAL(f)->pMethods->xShmUnmap(REAL(f), delete);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = f_close,
    .xRead = f_read,
    .xWrite = f_write,
    .xTruncate = f_truncate,
    .xSync = f_sync,
    .xFileSize = f_size,
    .xLock = f_lock,
    .xUnlock = f_unlock,
    .xCheckReservedLock = f_reserved,
    .xFileControl = f_control,
    .xSectorSize = f_sector,
    .xDeviceCharacteristics = f_device,
    .xShmMap = f_map,
    .xShmLock = f_shm_lock,
    .xShmBarrier = f_barrier,
    .xShmUnmap = f_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    struct faulty_file *f = (struct faulty_file *)file;
    f->real = (sqlite3_file *)(f + 1);
    int result = disk->xOpen(disk, name, f->real, flags, out);
    f->base.pMethods = f->real->pMethods ? &methods : NULL;
    return result;
}

void faulty_disk_install(void)
{
    if (disk)
        return;
    disk = sqlite3_vfs_find(NULL);
    faulty = *disk;
    faulty.zName = "faulty";
    faulty.pNext = NULL;
    faulty.szOsFile = (int)sizeof(struct faulty_file) + disk->szOsFile;
    faulty.xOpen = faulty_open;
    sqlite3_vfs_register(&faulty, 1);
}
