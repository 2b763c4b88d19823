/* Adding a memory with its provenance: the one implementation for the commands, the explorer and MCP. */
#ifndef STEMMA_ADD_H
#define STEMMA_ADD_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"
#include "store/txn/txn.h"
#include "store/txn/writer.h"

/* ---- the fields that the detail of each kind has ---- */

/*
 * Checks what a caller gives as detail: a JSON object, of a kind with known fields those alone and of
 * their types. *out is the object minified, in the arena, or NULL for none. ERROR_INVALID names the
 * field that is wrong.
 */
int add_detail(const char **out, struct arena *arena, enum kind kind, const char *json,
               struct error *e);

/*
 * Is the place that a line of an import says one: a step's step_number, a citation's page? Each, where it is
 * there and not null, is a whole number from 0 on. ERROR_INVALID otherwise. Other fields are kept as they are.
 */
int add_detail_check_place(enum kind kind, const char *detail, struct error *e);

/* ---- adding ---- */

/* Characters of an agent's name, which stands next to each of its memories wherever they are told. */
#define AGENT_NAME_MAX 200
/* ERROR_INVALID: it has more. */
int add_agent_check(const char *agent, struct error *e);

struct add_request {
    enum kind kind;
    const char *text;
    const char *agent_id;
    double confidence; /* NAN: the kind's own */
    const char *source, *source_type, *source_entity, *context;
    const char *detail; /* a JSON object, checked; NULL: {} */
    const char **tags;
    size_t tag_count;
    const char **derived_from; /* refs (prefixes of UUIDs allowed) or annotations */
    size_t derived_count;
    enum reading derivation;
    const char **relates_to; /* refs; a bare id is an episode. Role evidence, one group for each */
    size_t relates_count;
};

struct added {
    int64_t node;
    struct ref ref; /* in the arena */
    int64_t version;
    const char **unresolved; /* refs that match nothing yet, stored as given */
    size_t unresolved_count;
    const char **annotations; /* what named no memory and is kept as a remark */
    size_t annotation_count;
};

/*
 * Adds it in a transaction that others share; strings of `out` are in the arena. An attribution's source_type is
 * observation unless given; otherwise one not given is inferred from `source`. Text that is not valid UTF-8, or
 * holds a NUL (`text_len`), is repaired and the original kept as base64 in detail.original. ERROR_INVALID: an
 * unknown field of a kind, a confidence outside 0–1, an ambiguous ref (with its candidates), empty text, an agent's
 * name of more than AGENT_NAME_MAX characters. Lists cost n log n, and what is named twice is looked up once. After -1
 * the job must fail.
 */
int add_memory(struct txn *t, const struct actor *actor, const struct add_request *request,
               size_t text_len, struct arena *arena, struct added *out, struct error *e);
/* The same in a transaction of its own; waits for the commit. */
int store_add(struct store *s, const struct actor *actor, const struct add_request *request,
              size_t text_len, struct arena *arena, struct added *out, struct error *e);

/* A memory as it is, with the ref, times and version that it says: it is added or, where it is there, becomes that. In
 * a transaction of its own; waits for the commit. */
int store_put(struct store *s, const struct actor *actor, struct memory *m, struct arena *arena,
              struct error *e);

#endif
