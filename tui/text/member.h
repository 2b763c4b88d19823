/* Members of a memory's detail, whatever others wrote there. */
#ifndef STEMMA_MEMBER_H
#define STEMMA_MEMBER_H

#include "model/json/json.h"
#include "model/memory/memory.h"

/* As it stands; ptr NULL: absent. */
struct json_slice member_of(const struct memory *m, const char *key);
/* A string, in the arena; NULL: absent, empty, no string, or memory ran out. */
const char *member_text(const struct memory *m, const char *key, struct arena *arena);
/* A whole number. */
int64_t member_int(const struct memory *m, const char *key, int64_t otherwise);

#endif
