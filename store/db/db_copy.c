#include "store/db/db_open.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/store_file.h"
#include "store/platform/platform.h"

#define COPY_TRIES 5

static const char *const beside[] = {"", "-wal", "-journal"};
#define BESIDE_COUNT (sizeof(beside) / sizeof(beside[0]))

static void copy_name(struct strbuf *name, const char *directory, const char *suffix)
{
    strbuf_clear(name);
    strbuf_addf(name, "%s/copy.db%s", directory, suffix);
}

void db_remove_copy(const char *directory)
{
    static const char *const made[] = {"", "-wal", "-shm", "-journal"};
    struct strbuf name = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        copy_name(&name, directory, made[i]);
        unlink(name.buf);
    }
    strbuf_release(&name);
    rmdir(directory);
}

/* 0 where it was copied or is not there. */
static int copy_file(const char *from, const char *to)
{
    int source = store_file_peek(from);
    if (source < 0)
        return errno == ENOENT ? 0 : -1;
    int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int result = target < 0 ? -1 : platform_copy(source, target);
    int saved = errno;
    if (target >= 0)
        close(target);
    store_file_peeked(source);
    errno = saved;
    return result;
}

/* The sizes and times of change of what is copied: the same before and after, or it is torn. */
static void take_marks(const char *path, struct stat marks[BESIDE_COUNT])
{
    struct strbuf name = STRBUF_INIT;
    memset(marks, 0, BESIDE_COUNT * sizeof(*marks));
    for (size_t i = 0; i < BESIDE_COUNT; i++) {
        strbuf_clear(&name);
        strbuf_addf(&name, "%s%s", path, beside[i]);
        if (stat(name.buf, &marks[i]))
            memset(&marks[i], 0, sizeof(marks[i]));
    }
    strbuf_release(&name);
}

static bool same_marks(const struct stat *a, const struct stat *b)
{
    for (size_t i = 0; i < BESIDE_COUNT; i++)
        if (a[i].st_ino != b[i].st_ino || a[i].st_size != b[i].st_size ||
            a[i].st_mtim.tv_sec != b[i].st_mtim.tv_sec ||
            a[i].st_mtim.tv_nsec != b[i].st_mtim.tv_nsec)
            return false;
    return true;
}

static int copy_all(const char *path, const char *directory, struct error *e)
{
    struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;
    int failed = 0;
    for (size_t i = 0; i < BESIDE_COUNT && !failed; i++) {
        strbuf_clear(&from);
        strbuf_addf(&from, "%s%s", path, beside[i]);
        copy_name(&to, directory, beside[i]);
        if (copy_file(from.buf, to.buf))
            failed = error_set(e, ERROR_STORE, "Check its permissions and the room in TMPDIR.",
                               "cannot copy %s: %s", from.buf, strerror(errno));
    }
    strbuf_release(&from);
    strbuf_release(&to);
    return failed;
}

static int copy_whole(const char *path, const char *directory, struct error *e)
{
    struct stat before[BESIDE_COUNT], after[BESIDE_COUNT];
    for (int i = 0; i < COPY_TRIES; i++) {
        take_marks(path, before);
        if (copy_all(path, directory, e))
            return -1;
        take_marks(path, after);
        if (same_marks(before, after))
            return 0;
    }
    return error_set(e, ERROR_BUSY, "Wait for the other program to finish, then try again.",
                     "%s kept changing while it was copied", path);
}

char *db_make_copy(const char *path, struct strbuf *name, struct error *e)
{
    const char *parent = getenv("TMPDIR");
    strbuf_addf(name, "%s/stemma-XXXXXX", parent && *parent ? parent : "/tmp");
    char *directory = xstrdup(name->buf);
    if (!mkdtemp(directory)) {
        error_set(e, ERROR_STORE, "Check TMPDIR.", "cannot make a private copy of %s: %s", path,
                  strerror(errno));
        free(directory);
        return NULL;
    }
    if (copy_whole(path, directory, e) == 0) {
        copy_name(name, directory, "");
        return directory;
    }
    db_remove_copy(directory);
    free(directory);
    return NULL;
}
