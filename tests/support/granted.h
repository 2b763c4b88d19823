/* Namespaces with different permissions and policies for personal data. */
#ifndef STEMMA_TESTS_GRANTED_H
#define STEMMA_TESTS_GRANTED_H

#include "store/guard/guard.h"

#define GRANTED_SPACES 6
extern const char *const granted_spaces[GRANTED_SPACES]; /* open.* and shut.*: mask, refuse, off */

/* Everybody reads open.*, bo only shut.*, cy nothing. di gets entries there only by name, and ed
 * only lists keys. */
void granted(struct permissions *p);

#endif
