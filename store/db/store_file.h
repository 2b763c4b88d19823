/*
 * The file of an open store: the descriptor that holds this process's locks, and the check that the
 * path still is the file that was opened. Outside store/ only tui/term/signals.c includes it, to
 * pause writes before the program is suspended.
 *
 * All locks are on bytes of the store file, far above those that SQLite locks. They are
 * open-file-description locks: the kernel releases them when the process ends, however it ends.
 * Closing any descriptor of a file drops the classic locks that SQLite has on it, so a store's
 * descriptors are opened before its first connection and closed after its last one. No other code
 * may open and close the file: see store_file_peek.
 *
 * SQLite creates the write-ahead log and its index with the first connection and removes them with
 * the last. If somebody removes or replaces one of them, or the store, later writes would be lost.
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

/* Suffixes to the path of the store, by store_part. */
extern const char *const store_suffixes[STORE_PARTS];

/* Identifies a file independent of its name. */
struct file_id {
    dev_t device;
    ino_t inode;
};

struct store_file {
    char *names[STORE_PARTS];
    /* those of the log and its index are valid while holders > 0 */
    struct file_id ids[STORE_PARTS];
    pthread_mutex_t lock;
    int holders;         /* number of connections that have the log open */
    atomic_int replaced; /* the part that was missing at the last check; STORE_PARTS if none */
    int fd;              /* holds the locks; -1: not open */
    int ask;             /* tests locks: a descriptor does not conflict with its own locks */
    atomic_bool turn;    /* a thread of this process has the write lock or waits for it */
};

/* `path` must be absolute. A file that cannot be written is opened for reading. Returns 0 or -1. */
int store_file_open(struct store_file *f, const char *path, struct error *e);
void store_file_close(struct store_file *f); /* does nothing if it was not opened */

/*
 * Returns a descriptor to read the bytes of a file with pread, or -1 with errno. Until
 * store_file_end_peek no store can be opened or closed by this process.
 */
int store_file_peek(const char *path);
void store_file_end_peek(int fd);

/*
 * May a file that a person or an agent named be opened for reading? Not a store that this process
 * has open, or its log or index, since closing it would drop SQLite's locks; and not a named pipe
 * or a socket, which could be waited for forever: a stream comes by standard input, or from /dev/fd.
 */
int store_file_check_other(const char *path, struct error *e);
/* Checks it and opens it. Returns -1 with `e`. */
int store_file_open_other(const char *path, struct error *e);

/* ---- the write lock ---- */

#define WRITE_WAIT_MS 30000

/*
 * Takes the write lock. Processes and threads take turns: lock NEXT, lock WRITE, unlock NEXT; a
 * process that has just written queues after the holder of NEXT. Waits at most `ms`, or until
 * `gives_up` (may be NULL) returns true. Then fails with ERROR_BUSY, which names the process that
 * holds the lock if the system tells. Without open-file-description locks it returns at once, and
 * SQLite's busy handler decides.
 */
int store_file_lock(struct store_file *f, int ms, bool (*gives_up)(void *arg), void *arg,
                    struct error *e);
void store_file_unlock(struct store_file *f); /* only the holder may call it */

/*
 * Before the process is suspended (C-z): from now on no thread of it can take the write lock until
 * store_writes_resume. Returns true if no thread holds or waits for the lock. Otherwise returns
 * false, and sends `signal` (0: none) to the process once the lock is free; call this again then. A
 * signal handler must not wait for the lock: the thread that it interrupted may hold it. Both
 * functions are safe in a signal handler.
 */
bool store_writes_pause(int signal);
void store_writes_resume(void);

/* ---- other locks ---- */

enum {
    /* The process that listens for agents. 0 and 1 are NEXT and WRITE, 3 tells the writer's pid, 256
     * and up are sessions. */
    LISTEN_BYTE = 2,
};
int64_t store_file_session_byte(const char *uuid);
/*
 * Locks a byte. False if another process holds it. True without a lock if locking is impossible:
 * the system has no such locks, or the file was opened for reading.
 */
bool store_file_lock_byte(struct store_file *f, int64_t byte);
void store_file_unlock_byte(struct store_file *f, int64_t byte);
/*
 * Returns 1 if a process (maybe this one) holds the byte, 0 if none does, -1 if the system has no
 * such locks.
 */
int store_file_is_locked(const struct store_file *f, int64_t byte);

/* ---- is it still the same file? ---- */

struct store;
struct db;
/*
 * Call after opening a connection. Returns true if the connection has the log of the store open.
 * That log and its index must then exist until store_file_release_log.
 */
bool store_file_hold_log(struct store *s, struct db *db);
/* Call before closing it. If the log was removed, its content must not be checkpointed. */
void store_file_release_log(struct store *s, struct db *db);
/* As store_check_file, for the log only. */
int store_check_log(struct store *s, struct error *e);
/*
 * True if only the log was removed, and no new log has content. The index, which all processes
 * still share, then describes the removed log.
 */
bool store_lost_only_log(const struct store *s);

/*
 * A VFS shim (https://sqlite.org/vfs.html) that collects the log pages of a commit into a few large
 * writes. SQLite makes two writes for each page, and file systems keep small writes in small
 * extents (measured on ext4: a commit of 47 pages takes two thirds of the time, sync included).
 *
 * It only buffers between log_file_begin_commit and log_file_end_commit, and flushes before a sync
 * and before an overlapping read. SQLite syncs the log (synchronous=FULL) before it reports the
 * commit, so everything is written by then.
 */

/*
 * Registers the VFS on first use and returns its name, for the writer's connection. NULL for the
 * default VFS.
 */
const char *log_file_vfs(void);

/*
 * Call before and after COMMIT, whatever its result. They do nothing for a connection with another
 * VFS or without a log. After a failed commit the rest of the buffer is dropped, because others may
 * write there. log_file_end_commit returns SQLITE_OK, or the reason why a commit could not be
 * written.
 */
void log_file_begin_commit(sqlite3 *handle);
int log_file_end_commit(sqlite3 *handle, int committed);

#endif
