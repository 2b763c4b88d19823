/* Importing a store of Kernle. */
#ifndef STEMMA_IMPORT_KERNLE_H
#define STEMMA_IMPORT_KERNLE_H

#include "store/import/import.h"

/* Checks that the source can be read, is a Kernle store and has that agent (NULL: any). Returns 1,
 * or -1 with `e`. */
int import_kernle_check(const char *path, const char *agent, struct error *e);

/* Imports a Kernle store, schemas 12 to 27. The source is never changed. */
int import_kernle(struct store *s, const char *path, const struct import_options *options,
                  struct import_summary *summary, struct error *e);

extern const struct import_format kernle_format;

#endif
