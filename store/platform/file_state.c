#include "store/platform/file_state.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "store/platform/platform.h"

static struct file_state state_from(const struct stat *st)
{
    return (struct file_state){true,        S_ISREG(st->st_mode), st->st_dev, st->st_ino,
                               st->st_size, st->st_mtim,          st->st_ctim};
}

struct file_state file_state_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? state_from(&st) : (struct file_state){.exists = false};
}

FILE *file_state_open(const char *path, struct file_state *state)
{
    struct stat st;
    *state = (struct file_state){.exists = false};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    /* /dev/null is how scripts name an empty file. */
    if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || strcmp(path, "/dev/null") == 0)) {
        *state = state_from(&st);
        return fdopen(fd, "r");
    }
    close(fd);
    errno = S_ISDIR(st.st_mode) ? EISDIR : ENXIO;
    return NULL;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

unsigned file_state_difference(const struct file_state *a, const struct file_state *b)
{
    if (a->exists != b->exists || a->device != b->device || a->inode != b->inode)
        return WATCHED_MOVED;
    if (a->size != b->size || !same_time(a->written, b->written))
        /* An empty log that is made again has the number of the one before. */
        return a->size || b->size ? WATCHED_WRITTEN : WATCHED_MOVED;
    return same_time(a->changed, b->changed) ? 0 : WATCHED_MOVED;
}
