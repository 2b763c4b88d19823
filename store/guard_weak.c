/* In place of what entries bring along, for as long as there are none. */
#include "entry.h"
#include "../model/digest.h"

#define UNTIL_THERE __attribute__((weak))

int entry_secret_for(struct db *db, const char *use, struct digest *out, struct error *e);

UNTIL_THERE int entry_namespace(struct reader *r, struct arena *arena, int64_t node,
                                const char **name, struct error *e)
{
    (void)r;
    (void)arena;
    (void)node;
    (void)e;
    *name = NULL;
    return 0;
}

UNTIL_THERE int entry_secret_for(struct db *db, const char *use, struct digest *out,
                                 struct error *e)
{
    (void)db;
    (void)use;
    (void)out;
    return error_set(e, ERROR_STORE, "", "the store has no secret");
}

UNTIL_THERE int entry_put(struct txn *t, const struct actor *actor, const struct entry_put *put,
                          struct arena *arena, struct entry_done *out, struct error *e)
{
    (void)t;
    (void)actor;
    (void)put;
    (void)arena;
    (void)out;
    return error_set(e, ERROR_STORE, "", "there are no entries");
}

UNTIL_THERE int entry_shown_key(struct reader *r, struct arena *arena, const char *name,
                                const char *key, const char **out, struct error *e)
{
    (void)r;
    (void)name;
    (void)key;
    (void)e;
    *out = arena_strdup(arena, ENTRY_SHOWN);
    return 0;
}
