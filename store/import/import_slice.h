/*
 * A slice of an import: the memories that one job writes. For store/ alone.
 *
 * The caller's thread fills it, submits it and waits for it; between those only the writer's thread
 * touches it. A memory that the store does not take fails alone.
 */
#ifndef STEMMA_IMPORT_SLICE_H
#define STEMMA_IMPORT_SLICE_H

#include <pthread.h>
#include "model/base/strbuf.h"
#include "store/record/bulk.h"
#include "store/import/import.h"
#include "store/import/import_merge.h"

struct slice_entry {
    struct import_item item;
    enum verdict verdict;
    bool cannot; /* the store does not take it, for the reason that was told */
};

struct slice {
    /* for all slices of a run */
    struct store *store;
    const struct import_options *options;
    const struct actor *actor;
    struct bulk *bulk; /* takes the jobs while it is open */

    struct arena arena; /* of the memories */
    struct slice_entry *entries;
    size_t count, alloc;
    struct import_origin origin; /* borrowed; its row is made where the run's source is new */
    struct strbuf lines;         /* what is to be told, each with its NUL */
    bool queued;
    bool loaded; /* by a bulk load: its antecedents have no nodes */

    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool answered;      /* under `lock` */
    struct error error; /* of the job */
    size_t at;          /* the entry that it came to */
    bool again;         /* the job's own: it tries those again whose name was taken */
};

void slice_init(struct slice *s, struct store *store, const struct import_options *options,
                const struct actor *actor, struct bulk *bulk);
/* Waits for its job. */
void slice_release(struct slice *s);
void slice_clear(struct slice *s);
void slice_add(struct slice *s, const struct import_item *item);

/* "line 3: belief:ID: what", to be told. */
void slice_say(struct slice *s, const struct import_item *item, const char *what);
/* The same of an error: "line 3: belief:ID: what is wrong. What to do." */
void slice_say_error(struct slice *s, const struct import_item *item, const struct error *wrong);
/* Tells what there is to tell. */
void slice_tell(struct slice *s);

/* Hands it to the writer, as of that origin. */
int slice_submit(struct slice *s, const struct import_origin *origin, struct error *e);
/* Waits until it is written (within a bulk load: not committed yet): each entry that is not `cannot`
 * then has its verdict and its node, and origin.row is set. At once where it was not submitted. */
int slice_wait(struct slice *s, struct error *e);

#endif
