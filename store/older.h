/* A store of an older version that is not to be changed, or cannot be: a private copy is brought forward and read in its
 * place. For store/ alone. */
#ifndef STEMMA_OLDER_H
#define STEMMA_OLDER_H

#include "store/db/store.h"

/* Makes the copy, in a directory of its own under TMPDIR, which older_release removes. */
int older_copy(struct store *s, struct error *e);
void older_release(struct store *s); /* nothing where there is none */

#endif
