/* Tells by stat whether a file was written or replaced between two looks. */
#ifndef STEMMA_FILE_STATE_H
#define STEMMA_FILE_STATE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

/* The attributes of a file that change when it is written or replaced. */
struct file_state {
    bool exists, regular;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written, changed; /* the last change of its content, and of its attributes */
};
struct file_state file_state_of(const char *path); /* all zero if there is none */
/*
 * Opens a regular file for reading and gives its state. Returns NULL with errno for anything else:
 * EISDIR for a directory, ENXIO for a FIFO or a device, which is not waited for.
 */
FILE *file_state_open(const char *path, struct file_state *state);
/* WATCHED_* (platform.h); 0 if it is the same file and was not written, as far as the clock of files tells. */
unsigned file_state_difference(const struct file_state *a, const struct file_state *b);

#endif
