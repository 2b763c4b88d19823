/* The formats that stemma reads, and which of them a source is. */
#ifndef STEMMA_FORMATS_H
#define STEMMA_FORMATS_H

#include "model/base/arena.h"
#include "store/import/import.h"

struct strbuf;

/* All formats, in the order in which they are tried and listed; *count is their number. */
const struct import_format *const *formats_all(size_t *count);
/* Returns NULL with ERROR_USAGE, which names the nearest format or all of them. */
const struct import_format *format_find(const char *name, struct error *e);

/*
 * Recognises a file or folder by its content, never by its name. Returns NULL with ERROR_INVALID if it is of no format,
 * ERROR_STORE if it cannot be read. Cost: the first 256 KiB of a file; of a folder, a listing to depth 4 and the heads
 * of a few files of each kind.
 */
const struct import_format *format_recognise(const char *path, struct error *e);

/*
 * Recognises *path, too. A folder of no format, such as ~/.claude-mem, stands for the only source among its first 200
 * files: *path is that one then, in the arena. Of several none is chosen: NULL with ERROR_INVALID, which names three.
 */
const struct import_format *format_find_source(const char **path, struct arena *arena,
                                               struct error *e);

/* Appends what the source holds, as people read it: "1204 observations, 88 sessions" or "12
 * files, 300 KiB". `format` NULL: a store of ours. Nothing if it cannot be read. Returns when it was changed last, of a
 * folder its newest file: ms since the epoch; 0 if unknown. Cost: a count of a few tables, or a listing. */
int64_t format_count(const struct import_format *format, const char *path, struct strbuf *out);

#endif
