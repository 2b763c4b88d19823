/*
 * Links as bytes, for kept_links.c alone: of each row its kind and status and its groups of support, each its
 * shape, how many it names and their rows; or the rows that rest on it. Rows are written as the difference from the
 * one before, which is mostly small.
 */
#ifndef STEMMA_PACKED_LINKS_H
#define STEMMA_PACKED_LINKS_H

#include "db.h"
#include "kept_links.h"

#define PACKED_ROWS 32 /* at most, at once */

enum packed_side {
    RESTS_ON,
    CARRIES
};

/* `rows` rows from `first` on; each begins at start[i] of `out`, where the one before ends. */
struct packed {
    struct strbuf *out;
    int64_t first, rows;
    uint32_t start[PACKED_ROWS + 1];
};
/* A row that is not there takes no bytes; with RESTS_ON any other takes some. */
int pack_rows(struct packed *p, struct db *db, enum packed_side side, struct error *e);

#endif
