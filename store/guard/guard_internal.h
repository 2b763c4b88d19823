/* What the files of the guard share; others have what guard.h gives. */
#ifndef STEMMA_GUARD_INTERNAL_H
#define STEMMA_GUARD_INTERNAL_H

#include <stdatomic.h>
#include "store/guard/guard.h"

struct guard_rules {
    atomic_size_t holders;
    unsigned char key[GUARD_KEY];
    struct permissions permissions;
    struct pii *pii;
};

#endif
