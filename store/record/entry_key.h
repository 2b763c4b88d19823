/*
 * What may be told of an entry's key without telling it: its keyed hash, and where a page of a list ends.
 * The secret is the store's own, and is in no export. For store/ alone.
 */
#ifndef STEMMA_ENTRY_KEY_H
#define STEMMA_ENTRY_KEY_H

#include "model/base/digest.h"
#include "store/db/db.h"
#include "store/db/store.h"

/* A key for one use of the store's secret. ERROR_STORE: the store has none. */
int entry_secret_for(struct db *db, const char *use, struct digest *out, struct error *e);

/* 64 bits of HMAC-SHA-256 of namespace and key. ERROR_STORE: the store has no secret. */
int entry_shown(struct db *db, const char *name, const char *key, int64_t *out, struct error *e);

#define ENTRY_SHOWN_SIZE 25 /* of ENTRY_SHOWN, 13 digits of base 32 (RFC 4648) and a NUL */
void entry_shown_write(char out[ENTRY_SHOWN_SIZE], int64_t shown);
/* false: it is no shown key, but a key as it is. */
bool entry_shown_read(const char *text, int64_t *out);

/* `[REDACTED]_` and 64 bits of a keyed hash of namespace and key in base 32, the same every time. */
#define ENTRY_SHOWN "[REDACTED]_"
int entry_shown_key(struct reader *r, struct arena *arena, const char *name, const char *key,
                    const char **out, struct error *e);

/* The namespace that an entry is of, by the row of its memory, in the arena; *name NULL: it is no entry that is
 * there. */
int entry_namespace(struct reader *r, struct arena *arena, int64_t node, const char **name,
                    struct error *e);

#endif
