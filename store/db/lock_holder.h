/* Who holds an flock, so that an error can name the process. For store/ alone. */
#ifndef STEMMA_LOCK_HOLDER_H
#define STEMMA_LOCK_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

/* The process that holds the lock on that descriptor's file, and whether it is stopped (C-z, SIGSTOP). 0: nobody
 * does, or the system does not say. */
pid_t lock_holder(int fd, bool *stopped);

#endif
