#include "entry_open.h"

size_t entry_open(const struct pii *pii, const char *key, size_t len)
{
    (void)pii, (void)key;
    return len;
}
