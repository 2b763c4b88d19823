/* A disk whose writes fail when a test says so, under SQLite. */
#ifndef STEMMA_TESTS_FAULTY_DISK_H
#define STEMMA_TESTS_FAULTY_DISK_H

/* From here on every database is opened on it. */
void faulty_disk_install(void);
/* After so many more writes, truncations and syncs one fails, with that code of SQLite's (SQLITE_FULL); `all`: and
 * those after it too. */
void faulty_disk_break(long writes, int code, int all);
/* It works again; how many failed. */
long faulty_disk_repair(void);

#endif
