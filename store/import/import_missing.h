/*
 * What an import names and does not bring: refs that name nothing in the store once all is in it. Kept
 * as rows, one bit each; a dry run, which makes no rows, keeps the refs. For store/ alone.
 */
#ifndef STEMMA_IMPORT_MISSING_H
#define STEMMA_IMPORT_MISSING_H

#include "model/base/arena.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/import/import_seen.h"

struct mention {
    struct ref from, to;
};
struct missing {
    struct row_set named, filled; /* rows that links name; rows that are memories */
    struct row_set news;          /* rows that links name which were not there before */
    struct seen mentioned;        /* of a dry run: refs that have no row */
    struct mention *mentions;
    size_t count, alloc;
    struct arena arena;
};

/* A memory that was put: its nodes are filled. -1: no memory, as in all of these. */
void missing_note_put(struct missing *s, const struct memory *m);
/* The same where a bulk load put it, and once that has ended the rows of what is named and did not come:
 * those after `after` up to `last`. */
void missing_note_row(struct missing *s, int64_t node);
void missing_note_stubs(struct missing *s, int64_t after, int64_t last);
/* One that stays as it is stored. */
int missing_note_stored(struct missing *s, struct db *db, int64_t node, struct error *e);
/* One that would be put; `node` is its row, or 0. */
int missing_note_dry(struct missing *s, struct db *db, const struct memory *m, int64_t node,
                     struct error *e);

/* Counts all, and tells `report` of the first few that are news and of how many more. `met`: every ref
 * that the source brought. */
int missing_count(struct missing *s, struct db *db, const struct seen *met,
                  void (*report)(void *arg, const char *line), void *arg, int64_t *count,
                  struct error *e);
void missing_release(struct missing *s);

#endif
