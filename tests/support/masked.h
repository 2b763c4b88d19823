/* The explorer under :mask, on a store of a test's own lines that hold personal data. */
#ifndef STEMMA_TESTS_MASKED_H
#define STEMMA_TESTS_MASKED_H

#include "tests/support/script.h"

/* A set-up: the script on a store with those lines of the exchange form, as the test's state; script_tear_down ends it. */
int masked_set_up(void **state, const char *const *lines, size_t count);
/* The view that the keys open shows none of the texts, masked before it is opened and while it is; `says_so`: and it
 * says that it is masked, which a form over it does not. */
void masked_hides(struct script *s, const char *keys, const char *const *personal, size_t count,
                  bool says_so);

#endif
