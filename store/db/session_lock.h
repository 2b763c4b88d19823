/*
 * Which sessions are there: a serving process holds a byte of the file STORE-sessions for each of its own,
 * by an open file description lock. The system lets it go with the process however that ends, so neither
 * a number that another process was given since, nor a container's own numbering, nor a clock that was set
 * can make a dead session look alive. For store/ alone.
 */
#ifndef STEMMA_SESSION_LOCK_H
#define STEMMA_SESSION_LOCK_H

#include <stdbool.h>
#include "model/base/error.h"

/* The file, made where there is none: a descriptor to hold sessions with. -1 with `e`. */
int session_lock_open(const char *store_path, struct error *e);
bool session_lock_hold(int fd, const char *uuid); /* false: somebody else does */
void session_lock_drop(int fd, const char *uuid);

struct store;
/* A descriptor to ask with: of its own, for nobody is in the way of their own locks. -1: no session is
 * there. The caller closes it. Of a store that was removed or replaced it is of the file that was beside it, which
 * those who serve it hold all the same. From any thread. */
int session_lock_ask(struct store *s);
/* Does a process serve it? False for -1. */
bool session_lock_is_held(int fd, const char *uuid);

#endif
