/*
 * Which files an open store is: the one that was opened, and beside it the write-ahead log and its index as the
 * connections of this process have them open. SQLite removes these two with the last connection of any process, and
 * makes them anew with the first; never in between. Whatever another hand puts or leaves there then, nobody else
 * reads what goes to the old ones. For store/ alone.
 */
#ifndef STEMMA_STORE_FILES_H
#define STEMMA_STORE_FILES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include "model/base/error.h"

enum store_file {
    STORE_ITSELF = 0,
    STORE_LOG,
    STORE_INDEX,
    STORE_FILES
};

/* What follows the store's own name. */
extern const char *const store_suffixes[STORE_FILES];

/* A file, by whatever name. */
struct file_mark {
    dev_t device;
    ino_t inode;
};

struct store_files {
    char *names[STORE_FILES];
    struct file_mark marks[STORE_FILES]; /* of the log and its index: while they are held */
    pthread_mutex_t lock;
    int holders;     /* connections that have the log open */
    int sessions_fd; /* the file that session_lock_ask opened last, or -1 */
    atomic_int gone; /* which one was, when they were looked at last; STORE_FILES: none */
};

/* `file` is what stands at the absolute `path`. */
void store_files_init(struct store_files *f, const char *path, const struct stat *file);
void store_files_release(struct store_files *f); /* nothing where it was not initialised */

struct store;
struct db;
/* A connection was opened: where it has the log open that is beside the store, that and its index are the ones that
 * are to be there until store_files_let_go. False: it has not. */
bool store_files_hold(struct store *s, struct db *db);
/* It is about to be closed. What it has in a log that is gone it must not move into the file. */
void store_files_let_go(struct store *s, struct db *db);

/* As store_look_at_file, for the log alone. */
int store_look_at_log(struct store *s, struct error *e);
/* Is nothing gone but the log, and nothing written to what may stand in its place? Then the index, which all
 * processes still share, tells of the log that was removed. */
bool store_misses_log_alone(const struct store *s);

#endif
