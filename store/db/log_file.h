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
#ifndef STEMMA_LOG_FILE_H
#define STEMMA_LOG_FILE_H

#include <sqlite3.h>

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
