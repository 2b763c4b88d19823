/*
 * Where a store's socket is: in /run/user/UID/stemma or, where that cannot be, /tmp/stemma-UID (mode 0700,
 * ours, no link), named by a hash of the store's device and inode, so that every path to the same file
 * finds the same socket and no environment is needed. Who holds a lock on the store file listens; it ends with
 * the process.
 */
#ifndef STEMMA_ENDPOINT_H
#define STEMMA_ENDPOINT_H

#include <sys/types.h>
#include "model/base/error.h"
#include "store/db/store.h"

#define SOCKET_PATH 104 /* bytes; what sun_path holds on every system, 108 on Linux */

struct endpoint {
    char path[SOCKET_PATH]; /* of the socket */
    struct store *store;
    bool listens; /* it holds the lock of who listens */
    int listener; /* the socket's descriptor, non-blocking; -1: not listening */
    dev_t device; /* of the file that was made for it */
    ino_t inode;
};
#define ENDPOINT_INIT                                                                              \
    {                                                                                              \
        .listener = -1                                                                             \
    }

/*
 * Finds the path; makes the directory (`make`) or leaves it. ERROR_REFUSED where the directory is
 * another's, open to others, or a link.
 */
int endpoint_find(struct endpoint *p, struct store *s, bool make, struct error *e);
/* Takes the lock and listens: 1; 0: another process holds it. The store stays open until endpoint_close. */
int endpoint_listen(struct endpoint *p, struct error *e);
/*
 * Connects to whoever listens: the descriptor, or -1 with ERROR_NOT_FOUND where nobody does, ERROR_BUSY
 * where it has more to accept than it can.
 */
int endpoint_connect(const struct endpoint *p, struct error *e);

#endif
