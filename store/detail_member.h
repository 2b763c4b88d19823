/* Members of a memory's detail, whatever others wrote there. For store/ alone. */
#ifndef STEMMA_DETAIL_MEMBER_H
#define STEMMA_DETAIL_MEMBER_H

#include "../model/arena.h"
#include "../model/json.h"
#include "../model/memory.h"

/* The detail of a memory; ptr NULL where it is no JSON. */
struct json_slice detail_of(const struct memory *m);
/* A member as it stands; ptr NULL: absent. */
struct json_slice detail_member(const struct memory *m, const char *name);
/* A member that is a string, in the arena; *out NULL: absent, or no text without NUL. -1 where memory ran
 * out. */
int detail_text(const struct memory *m, const char *name, struct arena *arena, const char **out);
/* A member that is a whole number. */
int64_t detail_int(const struct memory *m, const char *name, int64_t otherwise);

#endif
