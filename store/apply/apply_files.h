/* Files of a source: copies next to them, and replacing them at once. Only for store/apply. */
#ifndef STEMMA_APPLY_FILES_H
#define STEMMA_APPLY_FILES_H

#include "store/import/write_back.h"

/*
 * Makes an empty file for a copy next to `path`: PATH.stemma-backup, or the first free one of
 * PATH.stemma-backup-2, …, with the permissions of `st`. Its name in the arena; NULL with `e`.
 */
const char *backup_make(struct arena *arena, const char *path, const struct stat *st,
                        struct error *e);
bool backup_is_of(const char *backup, const char *path);

/*
 * Replaces a file that is still the one of `st` and `before` by `bytes`, with its mode and owner; `bytes` NULL removes
 * it. ERROR_CONFLICT if it changed, ERROR_BUSY if another program holds a lock on it, ERROR_REFUSED if it cannot be
 * written.
 */
int file_replace(const char *path, const struct stat *st, const struct digest *before,
                 const char *bytes, size_t len, struct error *e);
/* Makes a file that must not exist, with the mode and owner of `st`. */
int file_create(const char *path, const struct stat *st, const char *bytes, size_t len,
                struct error *e);
/* May it be written, without a link on the way? */
int file_check_access(const char *path, struct error *e);
/* The checks of file_replace alone. */
int file_check(const char *path, const struct stat *st, const struct digest *before,
               struct error *e);
/* Writes all of a file that exists, and syncs it. */
int file_fill(const char *path, const char *bytes, size_t len, struct error *e);
int file_sync_folder(const char *path, struct error *e);

#endif
