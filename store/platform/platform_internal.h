/* The polling watcher, which works on every system. Only for this room. */
#ifndef STEMMA_PLATFORM_INTERNAL_H
#define STEMMA_PLATFORM_INTERNAL_H

#include "store/platform/platform.h"

struct poll_watcher;
struct poll_watcher *poll_watcher_new(const char *const *paths, size_t count);
int poll_watcher_fd(const struct poll_watcher *w);
unsigned poll_watcher_take(struct poll_watcher *w);
void poll_watcher_free(struct poll_watcher *w);

#endif
