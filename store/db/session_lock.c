#include "store/db/session_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/db/store_state.h"

static int open_file(const char *store_path, int flags)
{
    struct strbuf path = STRBUF_INIT;
    strbuf_addf(&path, "%s-sessions", store_path);
    int fd = path.failed ? -1 : open(path.buf, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    strbuf_release(&path);
    return fd;
}

int session_lock_open(const char *store_path, struct error *e)
{
    int fd = open_file(store_path, O_RDWR | O_CREAT);
    if (fd < 0)
        return error_set(e, errno == EACCES || errno == EROFS ? ERROR_REFUSED : ERROR_STORE,
                         "Check the permissions of the store's directory.",
                         "cannot write %s-sessions: %s", store_path, strerror(errno));
    return fd;
}

/* The one that is there now is kept for when it is there no more. */
int session_lock_ask(struct store *s)
{
    struct store_files *f = &s->files;
    struct error away;
    int there = store_look_at_file(s, &away) ? -1 : open_file(s->path, O_RDONLY);
    pthread_mutex_lock(&f->lock);
    if (there >= 0 && f->sessions_fd >= 0)
        close(f->sessions_fd);
    if (there >= 0)
        f->sessions_fd = there;
    int ask = f->sessions_fd < 0 ? -1 : fcntl(f->sessions_fd, F_DUPFD_CLOEXEC, 0);
    pthread_mutex_unlock(&f->lock);
    return ask;
}

/* Its byte in the file, which stays empty: FNV-1a of the uuid, in 62 bits. */
static struct flock byte_of(const char *uuid, short type)
{
    uint64_t hash = fnv_add(FNV_BASIS, uuid, strlen(uuid));
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)(hash >> 2), .l_len = 1};
}

/* One that fails leaves a session that looks gone to others, and is served all the same. */
bool session_lock_hold(int fd, const char *uuid)
{
    struct flock lock = byte_of(uuid, F_WRLCK);
    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

void session_lock_drop(int fd, const char *uuid)
{
    struct flock lock = byte_of(uuid, F_UNLCK);
    fcntl(fd, F_OFD_SETLK, &lock);
}

bool session_lock_is_held(int fd, const char *uuid)
{
    struct flock lock = byte_of(uuid, F_WRLCK);
    return fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
