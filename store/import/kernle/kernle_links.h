/*
 * What other rows of a Kernle store say about a memory: the entries of memory_audit, and the beliefs
 * that name it in superseded_by. Kernle's own indexes need not be there, so what is looked up by a
 * memory is gathered once: 16 bytes for each row of the audit.
 */
#ifndef STEMMA_KERNLE_LINKS_H
#define STEMMA_KERNLE_LINKS_H

#include "store/db/db.h"
#include "store/import/kernle/kernle_map.h"

struct audit_place {
    uint64_t ref; /* the beginning of its digest */
    int64_t row;
};
struct replaced_place {
    uint64_t ref;
    const char *by, *id;
    size_t order;
};

struct kernle_links {
    struct db *db;
    struct arena arena;
    struct audit_place *audit;
    size_t audit_count, audit_alloc;
    size_t audit_used; /* entries that were asked for */
    struct replaced_place *replaced;
    size_t replaced_count, replaced_alloc;
    char audit_sql[256];
};

/* Gathers. `beliefs` NULL: the store has none. kernle_links_release even after -1. */
int kernle_links_open(struct kernle_links *links, struct db *db, const struct kernle_table *beliefs,
                      struct error *e);
void kernle_links_release(struct kernle_links *links);

/* Fills row->audit and row->replaced for the memory of that ref, in `arena`. */
int kernle_links_of(struct kernle_links *links, struct ref ref, struct arena *arena,
                    struct kernle_row *row, struct error *e);

#endif
