/*
 * Memories that a source names by another ref than ours. A format without ids makes a ref of the text: after an edit
 * here was written back, the same memory has another text there. The event of writing back keeps both refs
 * (store/apply).
 */
#ifndef STEMMA_IMPORT_NAMES_H
#define STEMMA_IMPORT_NAMES_H

#include "model/base/map.h"
#include "model/memory/memory.h"
#include "store/db/db.h"

#define APPLY_OPERATION "apply" /* of the event; its patch is described in store/apply/README.md */

struct import_names {
    struct arena arena;
    struct key_index given; /* refs that sources make */
    struct ref *ref;        /* [given.count]; id NULL: no longer */
    size_t alloc;
};

/* Reads them from the events that were not undone. Release it even after -1. */
int import_names_load(struct import_names *names, struct db *db, struct error *e);
void import_names_release(struct import_names *names);
/* The ref of the memory that is meant: `given` itself, unless it is one of these. */
struct ref import_names_find(const struct import_names *names, struct ref given);

#endif
