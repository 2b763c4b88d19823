#include "tui/config/config_watch.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>
#include "model/base/strbuf.h"

#define OF_FILE (IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
#define OF_FOLDER                                                                                  \
    (IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF |         \
     IN_ONLYDIR)

/* The path without its last part; false where there is none. */
static bool go_up(struct strbuf *path)
{
    const char *slash = memrchr(path->buf, '/', path->len);
    if (path->len == 0 || !strcmp(path->buf, "/") || !strcmp(path->buf, "."))
        return false;
    if (slash)
        strbuf_cut(path, slash == path->buf ? 1 : (size_t)(slash - path->buf));
    else
        strbuf_clear(path), strbuf_addch(path, '.');
    return !path->failed;
}

/*
 * The file itself, which may be a link to another folder, and its folder, where it may be put anew; while that
 * is not there the nearest one above, in which it may be made. What is watched already stays so.
 */
static void watch(int fd, const char *path)
{
    struct strbuf folder = STRBUF_INIT;
    inotify_add_watch(fd, path, OF_FILE);
    strbuf_addstr(&folder, path);
    while (go_up(&folder) && inotify_add_watch(fd, folder.buf, OF_FOLDER) < 0)
        ;
    strbuf_release(&folder);
}

int config_watch_open(const char *path)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd >= 0)
        watch(fd, path);
    return fd;
}

/* Of what else is in its folders nothing matters but what its path leads through. */
static bool concerns(const struct inotify_event *event, const char *path)
{
    return event->len == 0 || strstr(path, event->name) != NULL;
}

bool config_watch_take(int fd, const char *path)
{
    _Alignas(struct inotify_event) char bytes[4096];
    bool any = false;
    ssize_t len;
    while ((len = read(fd, bytes, sizeof(bytes))) > 0)
        for (char *at = bytes; at < bytes + len;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            any |= concerns(event, path);
            at += sizeof(*event) + event->len;
        }
    if (any)
        watch(fd, path);
    return any;
}
