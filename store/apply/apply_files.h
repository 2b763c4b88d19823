/* Files of a source: copies next to them, and replacing them at once. Only for store/apply. */
#ifndef STEMMA_APPLY_FILES_H
#define STEMMA_APPLY_FILES_H

#include "store/import/write_back.h"

/*
 * Makes a copy of what was read of a file, next to it: PATH.stemma-backup, or the first free one of
 * PATH.stemma-backup-2, …, with its mode and owner. Its name in the arena; NULL with `e`.
 */
const char *backup_make(struct arena *arena, const struct write_file *f, struct error *e);
bool backup_is_of(const char *backup, const char *path);

/* May it be written, without a link on the way? */
int file_check_access(const char *path, struct error *e);
/*
 * The same, and is it still what was read? ERROR_CONFLICT if it changed, ERROR_BUSY if another program holds a lock on
 * it, ERROR_REFUSED if it cannot be written.
 */
int file_check(const struct write_file *f, struct error *e);
/* After that check, replaces the file at once by what it is to be, or removes it. Makes one that has no text; it must
 * not exist. */
int file_write(const struct write_file *f, struct error *e);

#endif
