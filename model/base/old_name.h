/* Words that were renamed. What people and programs type may still use the old ones; nothing that stemma writes does. */
#ifndef STEMMA_OLD_NAME_H
#define STEMMA_OLD_NAME_H

#include <stdbool.h>

/* Is `typed` the name, or an earlier word for it? */
bool is_name(const char *typed, const char *name);

#endif
