/* How much of a key anybody may see, by the rules that every store has. For store/ alone. */
#ifndef STEMMA_ENTRY_OPEN_H
#define STEMMA_ENTRY_OPEN_H

#include "model/pii/pii.h"

/* pii_key_open of those rules, and of `pii` where it is given: the lesser of both. */
size_t entry_open(const struct pii *pii, const char *key, size_t len);

#endif
