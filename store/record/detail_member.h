/* Members of a memory's detail, whatever others wrote there. For store/ alone. */
#ifndef STEMMA_DETAIL_MEMBER_H
#define STEMMA_DETAIL_MEMBER_H

#include "model/base/arena.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

/* The text of a detail, checked; ptr NULL where there is none or it is no JSON. -1: memory ran out, which
 * whoever writes what follows from it must not take for that. */
int detail_read(const char *detail, struct json_slice *out);
/* The same where nothing is written, also of a memory: memory that runs out is as no JSON. */
struct json_slice detail_json(const char *detail);
struct json_slice detail_of(const struct memory *m);
/* A value that is a string, in the arena; *out NULL: it is none, or no text without NUL. -1 where memory ran
 * out. */
int detail_string(struct json_slice value, struct arena *arena, const char **out);
/* A member as it stands; ptr NULL: absent. */
struct json_slice detail_member(const struct memory *m, const char *name);
/* The same of a member. */
int detail_text(const struct memory *m, const char *name, struct arena *arena, const char **out);
/* A member that is a whole number. */
int64_t detail_int(const struct memory *m, const char *name, int64_t otherwise);
/* Takes all members of that name out of a detail, into the arena; what is no JSON stays. -1 where memory ran out. */
int detail_drop(const char **detail, const char *member, struct arena *arena);

#endif
