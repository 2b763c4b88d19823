/* Random memories with hostile text in every field, for tests that nothing gets lost. */
#ifndef STEMMA_TEST_RANDOM_MEMORY_H
#define STEMMA_TEST_RANDOM_MEMORY_H

#include "model/memory/memory.h"
#include "tests/support/random.h"

/* A memory of any kind with a random choice of members, in the arena. */
void random_memory(struct random *r, struct arena *arena, struct memory *m);
/* Changes some of its fields and lists, one element here and there. */
void random_edit(struct random *r, struct arena *arena, struct memory *m);
/* A JSON object, minified, in the arena. */
const char *random_detail(struct random *r, struct arena *arena);

#endif
