/* A SQLite VFS whose writes fail on request. */
#ifndef STEMMA_TESTS_FAULTY_DISK_H
#define STEMMA_TESTS_FAULTY_DISK_H

/* All databases opened from now on use it. */
void faulty_disk_install(void);
/* After this many more writes, truncations and syncs one fails with that SQLite code
 * (SQLITE_FULL), or with `all` every later one too. */
void faulty_disk_break(long writes, int code, int all);
/* Ends the faults. Returns how many writes failed. */
long faulty_disk_repair(void);

#endif
