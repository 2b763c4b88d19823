/*
 * Which source is it: one that was imported before, or a new one? For store/ alone.
 *
 * A source is known by the path it had last, which is its real one. One at a new path, moved and
 * perhaps grown since, and standard input, are known by their first memories, unless another file
 * stands at the path that the source had:
 *   a Kernle store where more than half of those of them that are here were made by it (same ref,
 *   same creation time) and at least one is unchanged;
 *   a file of lines where more than half of all of them are here from it, unchanged.
 * What such a source and the store say differently is merged; what an unknown one says differently
 * is refused, so a source that is not recognised changes nothing.
 */
#ifndef STEMMA_IMPORT_ORIGIN_H
#define STEMMA_IMPORT_ORIGIN_H

#include "store/import/import_run.h"

#define ORIGIN_SAMPLE 64 /* memories that are looked at */

struct import_origin {
    int64_t row; /* 0: it is new */
    const struct import_source *source;
    char *path;     /* real; NULL: standard input */
    char *identity; /* set once the first memories are known, or by the path */
    bool moved;     /* it was known by its memories: its path is to be noted */
    char *was;      /* the path it had before it moved; NULL: none that is known */
};

/* -1 where the path leads nowhere. import_origin_release frees it. */
int import_origin_init(struct import_origin *o, const struct import_source *source,
                       const char *path, struct error *e);
void import_origin_release(struct import_origin *o);

/* By its path. */
int import_origin_find(struct import_origin *o, struct db *db, struct error *e);
/* By its first `count` memories, which `item` gives one by one. */
int import_origin_recognise(struct import_origin *o, struct db *db,
                            const struct import_item *(*item)(void *arg, size_t at), void *arg,
                            size_t count, struct error *e);

/* In a write transaction: makes its row where it is new. */
int import_origin_insert(struct import_origin *o, struct db *db, int64_t now, struct error *e);
/* The same, and notes its path, the time and what came of it. */
int import_origin_record(struct import_origin *o, struct db *db, int64_t now, const char *summary,
                         struct error *e);

#endif
