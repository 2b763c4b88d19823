/* Old names of renamed words. People and programs may still type them; stemma never writes them. */
#ifndef STEMMA_OLD_NAME_H
#define STEMMA_OLD_NAME_H

#include <stdbool.h>

/* Is `typed` equal to `name` or to an old name of it? */
bool is_name(const char *typed, const char *name);

#endif
