/* A store for tests of operations, with the plan of the last one. A failure here fails the
 * calling test. */
#ifndef STEMMA_TESTS_OPERATED_H
#define STEMMA_TESTS_OPERATED_H

#include "store/ops/operation.h"
#include "store/db/store.h"

extern struct operated {
    char *path;
    struct store *store;
    struct reader *reader;
    struct arena arena; /* of all answers */
    struct plan done;   /* the plan of the last operation */
} operated;

/* Creates a store of that name. */
void operated_open(const char *name);
/* A tear-down. */
int operated_close(void **state);
/* operated_end closes the store, operated_begin opens it again. */
void operated_end(void);
void operated_begin(void);

/* See scratch_put. */
int64_t operated_put(const char *line);

int operated_try(const struct actor *actor, enum operation op, const struct request *q,
                 struct error *e);
void operated_must(const struct actor *actor, enum operation op, const struct request *q);
/* A request about these refs, which end with NULL and must outlive it. */
struct request operated_about(const char **refs);
#define ABOUT(...) operated_about((const char *[]){__VA_ARGS__, NULL})

int64_t operated_row(const char *ref);
struct memory operated_read(const char *ref);
/* The last event. */
int64_t operated_last(void);

#endif
