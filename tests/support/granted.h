/* Namespaces, by who may see them and what becomes of personal data in them. */
#ifndef STEMMA_TESTS_GRANTED_H
#define STEMMA_TESTS_GRANTED_H

#include "store/guard/guard.h"

#define GRANTED_SPACES 6
extern const char *const granted_spaces[GRANTED_SPACES]; /* open.* and shut.*: mask, refuse, off */

/* Everybody reads open.*, bo shut.* alone, cy nothing; di only gets there what it names, and ed only lists keys. */
void granted(struct permissions *p);

#endif
