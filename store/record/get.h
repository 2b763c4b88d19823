/*
 * Reads a memory from its rows, unmasked. To show a memory to a caller use memory_read
 * (guard/guard.h); these functions are for comparing and writing.
 */
#ifndef STEMMA_GET_H
#define STEMMA_GET_H

#include "model/memory/memory.h"
#include "store/db/db.h"

/* The row of a ref, stubs included; 0 if it was never named. -1 on error. */
int64_t ref_find(struct db *db, struct ref ref, struct error *e);
/* The same, with its status: STATUS_MISSING for a stub. */
int64_t ref_find_status(struct db *db, struct ref ref, enum status *status, struct error *e);

/*
 * Reads the memory of a row into `arena`. ERROR_NOT_FOUND if there is no such row. A stub has
 * STATUS_MISSING and only its ref.
 */
int memory_read_db(struct db *db, struct arena *arena, int64_t node, struct memory *out,
                   struct error *e);

/* The names of its flags, each once, in the arena. */
int memory_flag_names(struct db *db, struct arena *arena, int64_t node, const char ***names,
                      size_t *count, struct error *e);
/* How much a memory has besides its row, for an estimate of its size: of its links the first 500. */
struct memory_parts {
    int64_t links;
    int64_t groups;  /* of links */
    int64_t changes; /* of its confidence, and flags */
};
int memory_parts_count(struct db *db, int64_t node, struct memory_parts *out, struct error *e);
/* As memory_read_db, only its ref, status and text. */
int memory_read_text(struct db *db, struct arena *arena, int64_t node, struct memory *out,
                     struct error *e);

/*
 * Reads all memories in the order of their rows, with one pass over each table. Close it with
 * memory_scan_close.
 */
struct memory_scan *memory_scan_open(struct db *db);
int memory_scan_read(struct memory_scan *scan, struct arena *arena, int64_t node,
                     struct memory *out, struct error *e);
void memory_scan_close(struct memory_scan *scan);

/*
 * The fields of a memory that a list shows. Strings are in the arena; `text` has at most 600 bytes.
 */
/* What people decided about a memory, as lists show it. */
enum row_flag {
    ROW_APPROVED = 1, /* by a person */
    ROW_REVIEW = 2,   /* flagged for review */
    ROW_LOCKED = 4,
    ROW_CONTRADICTED = 8, /* a living memory contradicts it */
};
#define ROW_FLAGS 4
/* "approved", …, of the flag of that bit; "none" after the last, then NULL. */
const char *row_flag_name(int i);

struct memory_row {
    int64_t node;
    struct ref ref;
    const char *agent; /* its agent's label (agent_label) */
    const char *agent_id, *text, *source_type, *source, *tags /* JSON */, *annotations /* JSON */;
    size_t bytes, text_bytes; /* of all its stored texts, and of its text */
    int64_t created_at, updated_at, version;
    int64_t event; /* its last event; 0 if none */
    enum status status;
    unsigned flags; /* enum row_flag */
    bool is_protected, text_cut;
    bool has_default; /* its confidence is the default of its kind: memory_has_default_confidence */
};

#endif
