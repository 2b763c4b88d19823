/* Importing a Kernle store again whenever it changes, in a thread of its own. */
#ifndef STEMMA_FOLLOW_H
#define STEMMA_FOLLOW_H

#include <stdbool.h>
#include "store/db/store.h"

/* `path` must live as long. NULL with `e` where it cannot be watched. */
struct follow *follow_open(struct store *s, const char *path, struct error *e);
/* Stops between two slices of an import that runs. NULL is allowed. */
void follow_close(struct follow *f);
/* Readable when follow_take has something to say; -1 without one. */
int follow_fd(const struct follow *f);
/* What happened, a sentence that the caller frees; NULL: nothing more. */
char *follow_take(struct follow *f);

#endif
