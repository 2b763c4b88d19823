/*
 * What a bulk load (bulk.h) keeps back until its rows are there: the links, which are written when it
 * is known which row each ref has, and the index of texts (text_load.h). For store/ alone; only the
 * writer's thread touches it.
 *
 * So each memory is one row that is appended, and none a stub first that is filled later: of an export,
 * where three memories of four are named before they come, that saves a fifth of the work (measured).
 */
#ifndef STEMMA_LOAD_H
#define STEMMA_LOAD_H

#include "model/base/map.h"
#include "store/db/text_index.h"
#include "store/record/put.h"
#include "store/txn/txn.h"

/* A ref that was named before it came. */
struct load_waiting {
    size_t key;   /* its ref among the keys */
    int64_t node; /* 0: it has not come */
};

struct load {
    struct key_index refs; /* a letter for the kind, and the id */
    int64_t *target;       /* [refs.count] what stands for each in a link */
    size_t target_alloc;
    struct strbuf key;
    struct load_waiting *waiting;
    size_t waiting_count, waiting_alloc;
    struct link_row *links; /* their reasons are in the arena */
    size_t link_count, link_alloc;
    struct arena arena;
    struct text_load *texts;
};

/* The caller closes it. NULL with `e`. */
struct load *load_open(struct error *e);
void load_close(struct load *l); /* NULL is allowed */

/* That ref is to have that row. 0: it has one already. */
int load_arrives(struct load *l, struct ref ref, int64_t node);
/* What stands for the row of a ref in a link: the row, or below 0 what is not known yet. */
int64_t load_target(struct load *l, struct ref ref);
/* Keeps the link; copies it. */
void load_link(struct load *l, const struct link_row *link);
extern const struct load_ops load_ops;

/* Makes the stubs, writes the links, makes the indexes, that of texts too. */
int load_finish(struct load *l, struct txn *t, struct error *e);

/*
 * The index of texts of a bulk load (bulk.h), made by a thread of its own in a database in memory while
 * the writer writes the rows, and then taken over into the store as it is. For store/ alone.
 *
 * Measured: it is a sixth of all the work of a load, and what is taken over a tenth of a store.
 */

struct text_load;

#endif
