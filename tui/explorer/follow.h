/* Imports a source again whenever it changes, in a separate thread. */
#ifndef STEMMA_FOLLOW_H
#define STEMMA_FOLLOW_H

#include "store/db/store.h"
#include "store/import/import.h"

/* Imports as that person. `path` and `person` must stay valid. Returns NULL and sets *e if it cannot be watched. */
struct follow *follow_open(struct store *s, const struct import_format *format, const char *path,
                           const char *person, struct error *e);
/* Stops the thread; a running import ends after its current slice. Accepts NULL. */
void follow_close(struct follow *f);
/* A descriptor that is readable when follow_take has a message; -1 for NULL. */
int follow_fd(const struct follow *f);
/* Returns the next message, which the caller frees; NULL if there is none. */
char *follow_take(struct follow *f);

#endif
