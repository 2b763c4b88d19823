#include "store/mcp/server/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "model/base/digest.h"
#include "store/db/store_state.h"
#include "store/platform/platform.h"

#define NAME_BYTES 8 /* of the hash: what makes two stores differ */
#define BACKLOG    512

_Static_assert(sizeof(((struct endpoint *)0)->path) == sizeof(((struct sockaddr_un *)0)->sun_path),
               "a path is what a socket's address holds");

/* ---- where it is ---- */

/* A directory of ours that nobody else may enter? errno otherwise. */
static int check_directory(const char *path)
{
    struct stat st;
    if (lstat(path, &st))
        return -1;
    if (S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077))
        return 0;
    errno = EPERM;
    return -1;
}

static int find_directory(const char *path, bool make)
{
    if (check_directory(path) == 0)
        return 0;
    if (errno != ENOENT || !make)
        return -1;
    return mkdir(path, 0700) && errno != EEXIST ? -1 : check_directory(path);
}

static int not_private(const char *path, struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Remove it; it is made anew.",
                     "%s is not a directory that is yours alone", path);
}

/* What of the store its path does not change. */
static void name_of(const struct store *s, char out[2 * NAME_BYTES + 1])
{
    struct file_mark store = s->file.marks[STORE_ITSELF];
    uint64_t identity[2] = {(uint64_t)store.device, (uint64_t)store.inode};
    char hex[2 * DIGEST_SIZE + 1];
    struct digest d;
    digest_bytes(&d, identity, sizeof(identity));
    digest_hex(hex, &d);
    snprintf(out, 2 * NAME_BYTES + 1, "%.*s", 2 * NAME_BYTES, hex);
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof(address))) {
        int saved = errno;
        close(fd);
        errno = saved;
        fd = -1;
    }
    return fd;
}

static bool someone_listens(const char *path)
{
    int fd = connect_to(path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/*
 * The user's run-time directory comes first; it may appear (with a login) while somebody listens in
 * the other place already, and then that is it.
 */
int endpoint_find(struct endpoint *p, struct store *s, bool make, struct error *e)
{
    char run[64], directory[80], temporary[64], name[2 * NAME_BYTES + 1], other[108];
    unsigned long uid = geteuid();
    *p = (struct endpoint)ENDPOINT_INIT;
    p->store = s;
    name_of(s, name);
    snprintf(run, sizeof(run), "/run/user/%lu", uid);
    snprintf(directory, sizeof(directory), "%s/stemma", run);
    snprintf(temporary, sizeof(temporary), "/tmp/stemma-%lu", uid);
    snprintf(p->path, sizeof(p->path), "%s/%s.sock", directory, name);
    snprintf(other, sizeof(other), "%s/%s.sock", temporary, name);
    bool here = check_directory(run) == 0 && find_directory(directory, make) == 0;
    if (here && (check_directory(temporary) || !someone_listens(other)))
        return 0;
    memcpy(p->path, other, sizeof(other));
    if (find_directory(temporary, make) == 0 || (errno == ENOENT && !make))
        return 0;
    if (errno == EPERM)
        return not_private(temporary, e);
    return error_set(e, ERROR_STORE, "Check its permissions.", "cannot make %s: %s", temporary,
                     strerror(errno));
}

/* ---- listening ---- */

/* "….sock" with another end. */
static void beside(const struct endpoint *p, const char *suffix, char out[108])
{
    size_t stem = strlen(p->path) - strlen(".sock");
    snprintf(out, sizeof(p->path), "%.*s%s", (int)stem, p->path, suffix);
}

static void leave_place(struct endpoint *p)
{
    if (p->listens)
        store_file_drop(&p->store->file, LISTEN_BYTE);
    p->listens = false;
}

/* Where there can be no lock (none on this system, or the store is only read), whoever answers at the socket listens. */
static bool take_place(struct endpoint *p)
{
    p->listens = store_file_hold(&p->store->file, LISTEN_BYTE);
    if (p->listens && someone_listens(p->path))
        leave_place(p);
    return p->listens;
}

/* It is made under another name and then renamed over a stale one: whoever finds it can connect. */
static int make_socket(struct endpoint *p)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat made;
    beside(p, ".new", address.sun_path);
    unlink(address.sun_path);
    p->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (p->listener < 0 || fchmod(p->listener, 0600))
        return -1;
    if (bind(p->listener, (const struct sockaddr *)&address, sizeof(address)))
        return -1;
    if (chmod(address.sun_path, 0600) || listen(p->listener, BACKLOG) ||
        lstat(address.sun_path, &made) || rename(address.sun_path, p->path))
        return -1;
    p->device = made.st_dev;
    p->inode = made.st_ino;
    return 0;
}

int endpoint_listen(struct endpoint *p, struct error *e)
{
    if (!take_place(p))
        return 0;
    if (make_socket(p) == 0)
        return 1;
    error_set(e, ERROR_STORE, "Check the directory it is in.", "cannot listen at %s: %s", p->path,
              strerror(errno));
    if (p->listener >= 0)
        close(p->listener);
    p->listener = -1;
    leave_place(p);
    return -1;
}

static bool socket_stands(const struct endpoint *p)
{
    struct stat there;
    return lstat(p->path, &there) == 0 && there.st_dev == p->device && there.st_ino == p->inode;
}

bool endpoint_stands(const struct endpoint *p)
{
    return p->listener >= 0 && socket_stands(p);
}

void endpoint_close(struct endpoint *p)
{
    if (p->listener >= 0) {
        if (socket_stands(p))
            unlink(p->path);
        close(p->listener);
    }
    p->listener = -1;
    leave_place(p);
}

/* ---- connecting ---- */

/* What nobody serves is refused or not there; a socket of another's is not asked at all. */
int endpoint_connect(const struct endpoint *p, struct error *e)
{
    int64_t uid, pid;
    int fd = connect_to(p->path);
    if (fd < 0 && errno == EAGAIN)
        return error_set(e, ERROR_BUSY, "Try again.",
                         "who listens at %s has no time to take a connection", p->path);
    if (fd < 0)
        return error_set(e, ERROR_NOT_FOUND, "Start one with `stemma serve`.",
                         "no process listens at %s", p->path);
    platform_peer(fd, &uid, &pid);
    if (uid != (int64_t)geteuid() && uid != 0) {
        close(fd);
        return error_set(e, ERROR_REFUSED, "Remove the socket.", "%s is served by another user",
                         p->path);
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}
