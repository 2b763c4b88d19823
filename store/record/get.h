/*
 * A memory is read from its rows, as they are. What a caller may see of it is the guard's: memory_read (guard.h) for what
 * is shown, and this for what is compared or written again.
 */
#ifndef STEMMA_GET_H
#define STEMMA_GET_H

#include "model/memory/memory.h"
#include "store/db/db.h"

/* The row of exactly that ref, stubs included; 0 where it was never named. -1 on error. */
int64_t ref_find(struct db *db, struct ref ref, struct error *e);
/* The same with its status: STATUS_MISSING for a stub. */
int64_t ref_look_up(struct db *db, struct ref ref, enum status *status, struct error *e);

/* The memory of that row, whole, in `arena`. ERROR_NOT_FOUND: no such row. A stub comes back with
 * STATUS_MISSING and its ref alone. */
int memory_read_db(struct db *db, struct arena *arena, int64_t node, struct memory *out,
                   struct error *e);

/* The same of all memories, in the order of their rows: each table is passed over once. The caller closes it. */
struct memory_scan *memory_scan_open(struct db *db);
int memory_scan_read(struct memory_scan *scan, struct arena *arena, int64_t node,
                     struct memory *out, struct error *e);
void memory_scan_close(struct memory_scan *scan);

/* What a list shows of a memory. Strings in the arena; `text` is cut to at most 600 bytes. */
struct memory_row {
    int64_t node;
    struct ref ref;
    const char *agent_id, *text, *source_type, *source, *tags /* JSON */, *annotations /* JSON */;
    int64_t created_at, updated_at, version;
    int64_t event; /* the journal's last one about it; 0: none */
    double confidence;
    enum status status;
    bool is_protected, text_cut;
};

#endif
