/* Adding a memory with its provenance, for the commands, the explorer and MCP. */
#ifndef STEMMA_ADD_H
#define STEMMA_ADD_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"
#include "store/txn/txn.h"
#include "store/txn/writer.h"

/* ---- detail ---- */

/*
 * Validates a detail given by a caller. It must be a JSON object; for kinds with known fields, only
 * those fields with their types are accepted. *out is the minified object in the arena, or NULL if
 * it is empty or not given. ERROR_INVALID names the wrong field.
 */
int add_detail(const char **out, struct arena *arena, enum kind kind, const char *json,
               struct error *e);

/* Is this a known field of the kind that takes nothing but text? */
bool detail_is_text(enum kind kind, const char *name);

/* Checks the fields of an imported detail that answers count with: a step's number, a citation's page,
 * times, token_usage, and the model. Each must be null or of its type. ERROR_INVALID otherwise. Other
 * fields are not checked. */
int add_detail_check_imported(enum kind kind, const char *detail, struct error *e);

/* ---- adding ---- */

/* Characters in the name of an agent; it is shown next to each of its memories. */
#define AGENT_NAME_MAX 200
/* ERROR_INVALID if the name is longer. */
int add_agent_check(const char *agent, struct error *e);

struct add_request {
    enum kind kind;
    const char *text;
    const char *agent_id;
    double confidence; /* NAN for the default of the kind */
    const char *source, *source_type, *source_entity, *context;
    const char *detail; /* JSON object, validated; NULL for {} */
    const char **tags;
    size_t tag_count;
    const char **derived_from; /* refs (prefixes of UUIDs allowed) or annotations */
    size_t derived_count;
    enum reading derivation;
    /* refs, a bare id means an episode; each becomes its own evidence justification */
    const char **relates_to;
    size_t relates_count;
};

struct added {
    int64_t node;
    struct ref ref; /* in the arena */
    int64_t version;
    const char **unresolved; /* refs that match no memory yet, stored as given */
    size_t unresolved_count;
    const char **annotations; /* texts in derived_from or relates_to that are not refs */
    size_t annotation_count;
    const char *text;
    const char *waits; /* why it is pending (plan.h); NULL if it is active */
    const char *
        why; /* "unsupported: based on raw:1a2b3c4d, which was retracted"; NULL if nothing it names has ended */
};

/*
 * Adds a memory inside a running transaction. The strings of `out` are in the arena.
 *
 * source_type, if not given, is observation for an attribution and is inferred from `source` for
 * other kinds. Text that is not valid UTF-8 or holds a NUL (`text_len`) is repaired, and the
 * original is kept as base64 in detail.original. Repeated tags and refs count once.
 *
 * ERROR_INVALID for an unknown field of the kind, a confidence outside 0 to 1, an ambiguous ref
 * (the error lists the candidates), empty text, or an agent's name of more than AGENT_NAME_MAX
 * characters. After -1 the job must fail.
 */
int add_memory(struct txn *t, const struct actor *actor, const struct add_request *request,
               size_t text_len, struct arena *arena, struct added *out, struct error *e);
/* As add_memory, in a transaction of its own; waits for the commit. */
int store_add(struct store *s, const struct actor *actor, const struct add_request *request,
              size_t text_len, struct arena *arena, struct added *out, struct error *e);

/* Stores a memory with its own ref, times and version: adds it, or replaces the stored memory with
 * that ref. Runs in a transaction of its own and waits for the commit. */
int store_put(struct store *s, const struct actor *actor, struct memory *m, struct arena *arena,
              struct error *e);

#endif
