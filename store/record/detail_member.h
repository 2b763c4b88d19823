/* Members of a memory's detail, whatever others wrote there. For store/ alone. */
#ifndef STEMMA_DETAIL_MEMBER_H
#define STEMMA_DETAIL_MEMBER_H

#include "model/base/arena.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

/* The text of a detail, checked; ptr NULL where there is none or it is no JSON. */
struct json_slice detail_json(const char *detail);
struct json_slice detail_of(const struct memory *m);
/* A value that is a string, in the arena; *out NULL: it is none, or no text without NUL. */
void detail_string(struct json_slice value, struct arena *arena, const char **out);
/* A member as it stands; ptr NULL: absent. */
struct json_slice detail_member(const struct memory *m, const char *name);
/* The same of a member that is a string, and of one that is a whole number. */
void detail_text(const struct memory *m, const char *name, struct arena *arena, const char **out);
int64_t detail_int(const struct memory *m, const char *name, int64_t otherwise);
/* Takes all members of that name out of a detail, into the arena; what is no JSON stays. */
void detail_drop(const char **detail, const char *member, struct arena *arena);

#endif
