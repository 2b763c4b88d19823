/*
 * The file of an open store: the descriptor that holds this process's locks on it, and whether it still is the file
 * that was opened. Outside store/ only tui/term/signals.c includes it, to pause writes before the program is
 * stopped.
 *
 * All locks are on bytes of the store file itself, far beyond those that SQLite locks, and belong to an open file
 * description, so the kernel releases them when the process ends, however it ends. Closing any descriptor of a file
 * releases the classic locks that SQLite has on it. So a store's descriptors are opened before its first connection and
 * closed after the last one of this process, and nobody else may open and close the file: see store_file_peek.
 *
 * SQLite creates the write-ahead log and its index with the first connection and removes them with the last. If
 * somebody else removes or replaces one of them, or the store, nobody would read what is written from then on.
 */
#ifndef STEMMA_STORE_FILE_H
#define STEMMA_STORE_FILE_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include "model/base/error.h"

enum store_part {
    STORE_ITSELF = 0,
    STORE_LOG,
    STORE_INDEX,
    STORE_PARTS
};

/* What follows the store's own name. */
extern const char *const store_suffixes[STORE_PARTS];

/* A file, by whatever name. */
struct file_mark {
    dev_t device;
    ino_t inode;
};

struct store_file {
    char *names[STORE_PARTS];
    struct file_mark marks[STORE_PARTS]; /* of the log and its index: while they are held */
    pthread_mutex_t lock;
    int holders;      /* connections that have the log open */
    atomic_int gone;  /* the part that was, when they were looked at last; STORE_PARTS: none */
    int fd;           /* its description holds the locks; -1: not open */
    int ask;          /* another one, for no description is in the way of its own locks */
    atomic_bool turn; /* one of this process's threads has the write lock, or waits for it */
};

/* `path` is absolute. Where it may not be written to it is opened for reading. */
int store_file_open(struct store_file *f, const char *path, struct error *e);
void store_file_close(struct store_file *f); /* nothing where it was not opened */

/*
 * The file's bytes for somebody who only looks at it: a descriptor that is to be read with pread, and given back. -1
 * with errno. Until it is given back no store is opened or closed.
 */
int store_file_peek(const char *path);
void store_file_peeked(int fd);

/*
 * Opens a file that a person or an agent names, for reading. -1 with errno; EBUSY: it is a store that this process has open,
 * or its log or index, and closing it would drop the locks that SQLite holds on it.
 */
int store_file_open_other(const char *path);

/* ---- the write lock ---- */

#define WRITE_WAIT_MS 30000

/*
 * Processes, and the threads of one, take turns: lock NEXT, lock WRITE, unlock NEXT. Who has just written queues
 * behind whoever holds NEXT. Waits at most `ms`, and no longer than `gives_up` (may be NULL) says false; then
 * ERROR_BUSY, which names the process that holds the store where the system tells. Where there are no such locks it
 * returns at once, and SQLite's busy handler decides whose turn it is.
 */
int store_file_lock(struct store_file *f, int ms, bool (*gives_up)(void *arg), void *arg,
                    struct error *e);
void store_file_unlock(struct store_file *f); /* by whoever holds it */

/*
 * Before this process stops (C-z): waits at most `ms` until it holds no write lock and waits for none, and lets nobody
 * take one before store_writes_resume. Both are safe in a signal handler.
 */
void store_writes_pause(int ms);
void store_writes_resume(void);

/* ---- other locks ---- */

enum {
    LISTEN_BYTE = 2, /* who listens for agents; 0 and 1 are NEXT and WRITE */
};
int64_t store_file_session_byte(const char *uuid);
/* False: another process holds it. True without a lock where there can be none: the system has none, or the file was
 * opened for reading. */
bool store_file_hold(struct store_file *f, int64_t byte);
void store_file_drop(struct store_file *f, int64_t byte);
/* 1: a process holds it, this one maybe; 0: nobody does; -1: the system has no such locks. */
int store_file_is_held(const struct store_file *f, int64_t byte);

/* ---- is it still the same? ---- */

struct store;
struct db;
/* A connection was opened: where it has the log open that is next to the store, that and its index are the ones that
 * are to be there until store_file_let_go. False: it has not. */
bool store_file_hold_log(struct store *s, struct db *db);
/* It is about to be closed. What it has in a log that is gone it must not move into the file. */
void store_file_let_go(struct store *s, struct db *db);
/* As store_look_at_file, for the log alone. */
int store_look_at_log(struct store *s, struct error *e);
/* Is nothing gone but the log, and nothing written to what may stand in its place? Then the index, which all
 * processes still share, tells of the log that was removed. */
bool store_misses_log_alone(const struct store *s);

/*
 * The write-ahead log as the writer writes it: what a commit adds goes to the file in a few large
 * writes. SQLite itself makes two for each page, and the system keeps what comes in small pieces in
 * small pieces (measured on ext4: a commit of 47 pages, its sync included, takes two thirds of the
 * time). A layer over SQLite's own VFS (https://sqlite.org/vfs.html), for the log alone.
 *
 * Nothing is kept back beyond the commit, nor over a sync, nor from a read of it: when SQLite syncs
 * the log, which with synchronous=FULL it does before anyone is told of the commit, all has been
 * written. Outside of a commit every write goes to the file as it comes.
 */

/* The name of the VFS to open a writer's connection with, registered by then; NULL: the default one. */
const char *log_file_vfs(void);

/*
 * From before a COMMIT until after it, whatever became of it. Of a connection with another VFS, or
 * without a log, they do nothing. What is left after a commit that failed is dropped, for it was
 * undone and others may write there. SQLITE_OK, or why what was committed could not be written.
 */
void log_file_gather(sqlite3 *handle);
int log_file_settle(sqlite3 *handle, int committed);

#endif
