/* When a file may have changed, be it there by now or not: inotify on it and on the folder that it is in. */
#ifndef STEMMA_CONFIG_WATCH_H
#define STEMMA_CONFIG_WATCH_H

#include <stdbool.h>

/* A descriptor that becomes readable when something may have happened to it, for close(); -1: there is none to be had. */
int config_watch_open(const char *path);
/* Takes what there is to read; did something happen to it? */
bool config_watch_take(int fd, const char *path);

#endif
