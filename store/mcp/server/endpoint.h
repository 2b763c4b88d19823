/*
 * The Unix socket of a store. It is in the configured runtime_dir, or else in /run/user/UID/stemma, /tmp/stemma-UID or
 * ~/.local/state/stemma/run: the first that is private (mode 0700, owned by the user, no symbolic link). Its name is a
 * hash of the store's device and inode, so every path to the same file finds the same socket without an environment
 * variable. The process that holds a lock on the store file listens; the lock ends with the process.
 */
#ifndef STEMMA_ENDPOINT_H
#define STEMMA_ENDPOINT_H

#include <sys/types.h>
#include "model/base/error.h"

#define SOCKET_PATH 104 /* size of sun_path on every supported system; Linux has 108 */

struct endpoint {
    char path[SOCKET_PATH]; /* path of the socket */
    struct store *store;
    bool listens; /* it holds the lock for listening */
    int listener; /* descriptor, non-blocking; -1 if not listening */
    dev_t device; /* device and inode of the socket file */
    ino_t inode;
};
#define ENDPOINT_INIT                                                                              \
    {                                                                                              \
        .listener = -1                                                                             \
    }

/*
 * Finds the path of the socket, and creates its directory if `make`. Returns -1 and sets `e` if no directory can be
 * used: ERROR_REFUSED if the last one belongs to another user, is open to others or is a symbolic link.
 */
int endpoint_find(struct endpoint *p, struct store *s, bool make, struct error *e);
/* Takes the lock and listens. Returns 1, or 0 if another process holds the lock, or -1 and sets `e`. The store must
 * stay open until endpoint_close. */
int endpoint_listen(struct endpoint *p, struct error *e);
/*
 * Connects to the process that listens. Returns a blocking descriptor that the caller closes, or -1: ERROR_NOT_FOUND
 * if no process listens, ERROR_BUSY if its queue of connections is full, ERROR_REFUSED if the socket is served by
 * another user.
 */
int endpoint_connect(const struct endpoint *p, struct error *e);

#endif
